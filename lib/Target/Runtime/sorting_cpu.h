//===- sorting_cpu.h - rows sorted by the standard library ---------------------------------------------===//
#pragma once
#include "host.h"
#include "sorting.h"
#include <algorithm>
#include <vector>

//@ sort_each : Status
template <class T, class Before>
int sort_each(const T* keys, T* sorted, int64_t rows, int64_t length, Before before) {
#pragma omp parallel for schedule(dynamic) if (rows > 1 && double(rows) * length > 4096)
  for (int64_t r = 0; r < rows; ++r) {
    T* row = std::copy_n(keys + r * length, length, sorted + r * length) - length;
    std::stable_sort(row, row + length, before);
  }
  return Ok;
}

//@ sort_row : sort_each ComesBefore
template <class T> int sort_row(const T* keys, T* sorted, int64_t length) {
  return sort_each(keys, sorted, 1, length, ComesBefore());
}

//@ sort_rows : sort_each ComesBefore
template <class T> int sort_rows(const T* keys, T* sorted, int64_t rows, int64_t length) {
  return sort_each(keys, sorted, rows, length, ComesBefore());
}

//@ complex_sort_row : sort_each ComplexComesBefore
template <class T> int sort_row(const Complex<T>* keys, Complex<T>* sorted, int64_t length) {
  return sort_each(keys, sorted, 1, length, ComplexComesBefore());
}

//@ complex_sort_rows : sort_each ComplexComesBefore
template <class T> int sort_rows(const Complex<T>* keys, Complex<T>* sorted, int64_t rows, int64_t length) {
  return sort_each(keys, sorted, rows, length, ComplexComesBefore());
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

//@ order_part : Status
// order[p] for begin <= p < end: which element of the row comes p-th. The other numbers are elsewhere in it.
template <class T, class Before>
void order_part(const T* row, int64_t* order, int64_t length, int64_t begin, int64_t end, Before before) {
  const auto comes_first = [&](int64_t a, int64_t b) {
    return before(row[a], row[b]) || (a < b && !before(row[b], row[a]));
  };
  for (int64_t k = 0; k < length; ++k) order[k] = k;
  std::nth_element(order, order + begin, order + length, comes_first);
  std::nth_element(order + begin, order + end, order + length, comes_first);
  std::sort(order + begin, order + end, comes_first);
}

//@ sort_each_end : order_part
template <class T, class Before>
int sort_each_end(const T* keys, T* sorted, int64_t rows, int64_t length, int64_t begin, int64_t end,
                  Before before) {
  if (begin < 0) begin = 0;
  if (end > length) end = length;
  if (begin >= end) return Ok;
#pragma omp parallel for schedule(dynamic) if (rows > 1 && double(rows) * length > 4096)
  for (int64_t r = 0; r < rows; ++r) {
    std::vector<int64_t> order(static_cast<size_t>(length));
    order_part(keys + r * length, order.data(), length, begin, end, before);
    for (int64_t p = begin; p < end; ++p) sorted[r * length + p] = keys[r * length + order[size_t(p)]];
  }
  return Ok;
}

//@ order_each_end : order_part
template <class T, class Before>
int order_each_end(const T* keys, int64_t* order, int64_t rows, int64_t length, int64_t begin, int64_t end,
                   Before before) {
  if (begin < 0) begin = 0;
  if (end > length) end = length;
  if (begin >= end) return Ok;
#pragma omp parallel for schedule(dynamic) if (rows > 1 && double(rows) * length > 4096)
  for (int64_t r = 0; r < rows; ++r)
    order_part(keys + r * length, order + r * length, length, begin, end, before);
  return Ok;
}

//@ sort_ends : sort_each_end ComesBefore
template <class T>
int sort_ends(const T* keys, T* sorted, int64_t rows, int64_t length, int64_t begin, int64_t end) {
  return sort_each_end(keys, sorted, rows, length, begin, end, ComesBefore());
}

//@ complex_sort_ends : sort_each_end ComplexComesBefore
template <class T>
int sort_ends(const Complex<T>* keys, Complex<T>* sorted, int64_t rows, int64_t length, int64_t begin,
              int64_t end) {
  return sort_each_end(keys, sorted, rows, length, begin, end, ComplexComesBefore());
}

//@ order_ends : order_each_end ComesBefore
template <class T>
int order_ends(const T* keys, int64_t* order, int64_t rows, int64_t length, int64_t begin, int64_t end) {
  return order_each_end(keys, order, rows, length, begin, end, ComesBefore());
}

//@ complex_order_ends : order_each_end ComplexComesBefore
template <class T>
int order_ends(const Complex<T>* keys, int64_t* order, int64_t rows, int64_t length, int64_t begin,
               int64_t end) {
  return order_each_end(keys, order, rows, length, begin, end, ComplexComesBefore());
}
