//===- scanning_cpu.h - rows folded from element to element -------------------------------------------===//
#pragma once
#include "host.h"
#include "operators.h"

//@ scan_rows : Status
template <class Op, class T>
int scan_rows(const T* values, T* carry, T* scanned, int64_t rows, int64_t length) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t i = r * length; i < (r + 1) * length; ++i)
      scanned[i] = carry[r] = Op::combine(carry[r], values[i]);
  return Ok;
}

//@ scan_sums : scan_rows Sum
template <class T> int scan_sums(const T* values, T* carry, T* scanned, int64_t rows, int64_t length) {
  return scan_rows<Sum>(values, carry, scanned, rows, length);
}

//@ complex_scan_sums : scan_sums complex_add

//@ scan_products : scan_rows Prod
template <class T> int scan_products(const T* values, T* carry, T* scanned, int64_t rows, int64_t length) {
  return scan_rows<Prod>(values, carry, scanned, rows, length);
}

//@ scan_maxima : scan_rows Max
template <class T> int scan_maxima(const T* values, T* carry, T* scanned, int64_t rows, int64_t length) {
  return scan_rows<Max>(values, carry, scanned, rows, length);
}

//@ scan_minima : scan_rows Min
template <class T> int scan_minima(const T* values, T* carry, T* scanned, int64_t rows, int64_t length) {
  return scan_rows<Min>(values, carry, scanned, rows, length);
}
