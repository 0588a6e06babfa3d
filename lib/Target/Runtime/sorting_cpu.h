//===- sorting_cpu.h - rows sorted by the standard library ---------------------------------------------===//
#pragma once
#include "host.h"
#include "sorting.h"
#include <algorithm>

//@ sort_each : Status
template <class T, class Before> int sort_each(T* keys, int64_t rows, int64_t length, Before before) {
#pragma omp parallel for schedule(dynamic) if (rows > 1 && double(rows) * length > 4096)
  for (int64_t r = 0; r < rows; ++r) std::stable_sort(keys + r * length, keys + (r + 1) * length, before);
  return Ok;
}

//@ sort_row : sort_each ComesBefore
template <class T> int sort_row(T* keys, int64_t length) { return sort_each(keys, 1, length, ComesBefore()); }

//@ sort_rows : sort_each ComesBefore
template <class T> int sort_rows(T* keys, int64_t rows, int64_t length) {
  return sort_each(keys, rows, length, ComesBefore());
}

//@ complex_sort_row : sort_each ComplexComesBefore
template <class T> int sort_row(Complex<T>* keys, int64_t length) {
  return sort_each(keys, 1, length, ComplexComesBefore());
}

//@ complex_sort_rows : sort_each ComplexComesBefore
template <class T> int sort_rows(Complex<T>* keys, int64_t rows, int64_t length) {
  return sort_each(keys, rows, length, ComplexComesBefore());
}

//@ order_each : Status
// order[r][k]: which element of the row comes k-th.
template <class T, class Before>
int order_each(const T* keys, int64_t* order, int64_t rows, int64_t length, Before before) {
#pragma omp parallel for schedule(dynamic) if (rows > 1 && double(rows) * length > 4096)
  for (int64_t r = 0; r < rows; ++r) {
    const T* row = keys + r * length;
    int64_t* first = order + r * length;
    for (int64_t k = 0; k < length; ++k) first[k] = k;
    std::stable_sort(first, first + length, [&](int64_t a, int64_t b) { return before(row[a], row[b]); });
  }
  return Ok;
}

//@ order_row : order_each ComesBefore
template <class T> int order_row(const T* keys, int64_t* order, int64_t length) {
  return order_each(keys, order, 1, length, ComesBefore());
}

//@ order_rows : order_each ComesBefore
template <class T> int order_rows(const T* keys, int64_t* order, int64_t rows, int64_t length) {
  return order_each(keys, order, rows, length, ComesBefore());
}

//@ complex_order_row : order_each ComplexComesBefore
template <class T> int order_row(const Complex<T>* keys, int64_t* order, int64_t length) {
  return order_each(keys, order, 1, length, ComplexComesBefore());
}

//@ complex_order_rows : order_each ComplexComesBefore
template <class T> int order_rows(const Complex<T>* keys, int64_t* order, int64_t rows, int64_t length) {
  return order_each(keys, order, rows, length, ComplexComesBefore());
}
