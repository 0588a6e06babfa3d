//===- host.h - failures and checks of arguments -------------------------------------------------------===//
#pragma once
#include "standalone.h"

//@ last_error
// Message of the calling thread's last failure.
thread_local char last_error[512];

//@ Status
enum Status {
  Ok,
  ValueError,
  IndexError,
  ZeroDivisionError,
  TypeError,
  MemoryError,
  RuntimeError,
  OverflowError,
  UnboundLocalError,
  NotImplementedError
};

//@ AssertionError : Status
constexpr Status AssertionError = static_cast<Status>(10);

//@ ArithmeticError : Status
constexpr Status ArithmeticError = static_cast<Status>(11);

//@ FloatingPointError : Status
constexpr Status FloatingPointError = static_cast<Status>(12);

//@ LookupError : Status
constexpr Status LookupError = static_cast<Status>(13);

//@ KeyError : Status
constexpr Status KeyError = static_cast<Status>(14);

//@ AttributeError : Status
constexpr Status AttributeError = static_cast<Status>(15);

//@ NameError : Status
constexpr Status NameError = static_cast<Status>(16);

//@ OSError : Status
constexpr Status OSError = static_cast<Status>(17);

//@ EOFError : Status
constexpr Status EOFError = static_cast<Status>(18);

//@ BufferError : Status
constexpr Status BufferError = static_cast<Status>(19);

//@ StopIteration : Status
constexpr Status StopIteration = static_cast<Status>(20);

//@ RecursionError : Status
constexpr Status RecursionError = static_cast<Status>(21);

//@ Exception : Status
constexpr Status Exception = static_cast<Status>(22);

//@ LinAlgError : Status
constexpr Status LinAlgError = static_cast<Status>(23);

//@ fail : Status last_error
inline int fail(Status status, const char* message) {
  snprintf(last_error, sizeof(last_error), "%s", message);
  return status;
}

//@ fail_with : Status last_error
// The message is a format for `values`.
template <class... Values> int fail_with(Status status, const char* format, Values... values) {
  snprintf(last_error, sizeof(last_error), format, static_cast<long long>(values)...);
  return status;
}

//@ Shape Refusal : Status last_error
// An array's name and shape.
struct Shape {
  const char* name;
  std::initializer_list<int64_t> extents;
};

// A message in pieces: "line 7: `x` (4, 3) and `y` (2,) cannot be broadcast together".
struct Refusal {
  size_t length = 0;
  template <class Value> void add(const char* format, Value value) {
    if (length < sizeof(last_error))
      length += size_t(snprintf(last_error + length, sizeof(last_error) - length, format, value));
  }
  explicit Refusal(int line) { add("line %d: ", line); }
  template <class Piece> Refusal& operator<<(const Piece& piece) {
    if constexpr (std::is_same_v<Piece, Shape>) {
      add(*piece.name ? "%s (" : "%s(", piece.name);
      for (const int64_t& extent : piece.extents)
        add(&extent == piece.extents.begin() ? "%lld" : ", %lld", static_cast<long long>(extent));
      add("%s", piece.extents.size() == 1 ? ",)" : ")");
    } else if constexpr (std::is_same_v<Piece, int64_t>) {
      add("%lld", static_cast<long long>(piece));
    } else {
      add("%s", piece);
    }
    return *this;
  }
};

//@ refuse_shapes : Shape
inline int refuse_shapes(Status status, int line, const char* before, const Shape& first, const char* between,
                         const Shape& second, const char* after) {
  Refusal(line) << before << first << between << second << after;
  return status;
}

//@ refuse_negative : Shape
inline int refuse_negative(int line, int64_t extent) {
  Refusal(line) << "negative dimensions are not allowed: " << extent;
  return ValueError;
}

//@ refuse_reshape : Shape
inline int refuse_reshape(int line, int64_t size, const Shape& to) {
  Refusal(line) << "cannot reshape array of size " << size << " into shape " << to;
  return ValueError;
}

//@ refuse_empty : Shape
inline int refuse_empty(int line, const char* function, const Shape& array) {
  Refusal(line) << "zero-size array to reduction operation " << function
                << " which has no identity: " << array;
  return ValueError;
}

//@ refuse_items : fail_with
inline int refuse_items(int line) {
  return fail_with(
      MemoryError,
      "line %lld: a list has more items than there is room for; write into an array that has more", line);
}

//@ refuse_product : refuse_shapes
inline int refuse_product(int line, const Shape& a, const Shape& b) {
  return refuse_shapes(ValueError, line, "the inner sizes of a matrix product must be equal: ", a, " and ", b,
                       "");
}

//@ refuse_broadcast : refuse_shapes
inline int refuse_broadcast(int line, const Shape& a, const Shape& b) {
  return refuse_shapes(ValueError, line, "", a, " and ", b, " cannot be broadcast together");
}

//@ broadcasts : refuse_shapes
// Whether NumPy stretches axes of one element of `a`, and if they may be of `b`, so that both are equal.
inline bool broadcasts(const Shape& a, const Shape& b, bool both) {
  const int64_t *x = a.extents.end(), *y = b.extents.end();
  while (x != a.extents.begin() && y != b.extents.begin()) {
    --x, --y;
    if (*x != *y && *x != 1 && !(both && *y == 1)) return false;
  }
  return true;
}

//@ refuse_stretch : refuse_broadcast broadcasts
inline int refuse_stretch(int line, const Shape& a, const Shape& b) {
  if (!broadcasts(a, b, true)) return refuse_broadcast(line, a, b);
  return refuse_shapes(
      NotImplementedError, line, "", a, " and ", b,
      " cannot be broadcast together here: pass one that is repeated, as np.broadcast_to gives");
}

//@ refuse_store : refuse_shapes
inline int refuse_store(int line, const Shape& from, const Shape& to) {
  return refuse_shapes(ValueError, line, "could not broadcast input array of shape ", from, " into ", to, "");
}

//@ refuse_store_stretch : refuse_store broadcasts
inline int refuse_store_stretch(int line, const Shape& from, const Shape& to) {
  if (!broadcasts(from, to, false)) return refuse_store(line, from, to);
  return refuse_shapes(NotImplementedError, line, "could not broadcast input array of shape ", from, " into ",
                       to, " here: pass one that is repeated, as np.broadcast_to gives");
}

//@ refuse_mask : refuse_shapes
inline int refuse_mask(int line, const Shape& mask, const Shape& array) {
  return refuse_shapes(IndexError, line, "boolean index of shape ", mask, " did not match ", array, "");
}

//@ printed : fail
// Has the caller print its text of that number. Values are integers, or the bits of doubles.
int (*printer)(int64_t number, const int64_t* values) = nullptr;
inline int printed(int64_t number, std::initializer_list<int64_t> values) {
  if (!printer || printer(number, values.begin()) == 0) return Ok;
  return fail(RuntimeError, "printing failed");
}

//@ elements
// Number of elements of an array; stays at the largest number where the product has none.
inline int64_t elements(std::initializer_list<int64_t> extents) {
  int64_t count = 1;
  bool overflow = false;
  for (int64_t extent : extents) {
    if (extent == 0) return 0;
    overflow |= __builtin_mul_overflow(count, extent, &count);
  }
  return overflow ? INT64_MAX : count;
}

//@ Array : elements
// An array argument, as far as its checks need it: it is written where it is not const.
struct Array {
  const char* name;
  uintptr_t begin, end;
  bool is_written;
  template <class T>
  Array(const char* its_name, T* data, std::initializer_list<int64_t> extents)
      : name(its_name), begin(uintptr_t(data)), end(begin), is_written(!std::is_const_v<T>) {
    if (const int64_t count = elements(extents); count > 0) end += uint64_t(count) * sizeof(T);
  }
};

//@ refuse_overlap : Array Status last_error
// The code below is right only if no array that is written shares memory with another one.
inline int refuse_overlap(std::initializer_list<Array> arrays) {
  for (const Array* a = arrays.begin(); a != arrays.end(); ++a)
    for (const Array* b = a + 1; b != arrays.end(); ++b) {
      if ((!a->is_written && !b->is_written) || a->begin == a->end || b->begin == b->end ||
          a->begin >= b->end || b->begin >= a->end)
        continue;
      snprintf(last_error, sizeof(last_error),
               "arguments `%s` and `%s` overlap in memory; pass a copy of one of them", a->name, b->name);
      return ValueError;
    }
  return Ok;
}

//@ fits_int32
// Whether 32-bit indices reach all of arrays with these extents, with room for a stride more.
inline bool fits_int32(std::initializer_list<std::initializer_list<int64_t>> shapes) {
  const int64_t limit = int64_t(1) << 30;
  for (const auto& extents : shapes) {
    int64_t count = 1;
    for (int64_t extent : extents) {
      if (extent <= -limit || extent >= limit) return false;
      if (extent > 1) count *= extent;
      if (count >= limit) return false;
    }
  }
  return true;
}
