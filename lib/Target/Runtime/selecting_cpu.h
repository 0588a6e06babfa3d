//===- selecting_cpu.h - what is kept, or its places ---------------------------------------------------===//
#pragma once
#include "host.h"

//@ select_places : Status
// The numbers of the elements whose flag is set, in order, and how many these are.
inline int select_places(const bool* flags, int64_t* places, int64_t* number, int64_t count) {
  *number = 0;
  for (int64_t i = 0; i < count; ++i)
    if (flags[i]) places[(*number)++] = i;
  return Ok;
}

//@ select_elements : Status
// The elements whose flag is set, in order, and how many these are.
template <class T>
int select_elements(const T* elements, const bool* flags, T* kept, int64_t* number, int64_t count) {
  *number = 0;
  for (int64_t i = 0; i < count; ++i)
    if (flags[i]) kept[(*number)++] = elements[i];
  return Ok;
}

//@ select_distinct : Status
// The first of each run of equal elements, of elements in order, and how many these are. NaN are equal.
template <class T> int select_distinct(const T* ascending, T* kept, int64_t* number, int64_t count) {
  *number = 0;
  for (int64_t i = 0; i < count; ++i) {
    const T a = ascending[i], before = ascending[i > 0 ? i - 1 : 0];
    if (i == 0 || !(a == before || (a != a && before != before))) kept[(*number)++] = a;
  }
  return Ok;
}
