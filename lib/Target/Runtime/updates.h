//===- updates.h - what atomic operations make of an element ----------------------------------------------===//
#pragma once
#include "arithmetic.h"

//@ Least
struct Least {
  template <class T> APPY_DEVICE static T next(T old, T value) { return value < old ? value : old; }
};

//@ Greatest
struct Greatest {
  template <class T> APPY_DEVICE static T next(T old, T value) { return value > old ? value : old; }
};

//@ LeastNumber
// NaN is passed over.
struct LeastNumber {
  template <class T> APPY_DEVICE static T next(T old, T value) {
    return value < old || old != old ? value : old;
  }
};

//@ GreatestNumber
struct GreatestNumber {
  template <class T> APPY_DEVICE static T next(T old, T value) {
    return value > old || old != old ? value : old;
  }
};

//@ CountUp
// Up to the value, then from 0 again.
struct CountUp {
  template <class T> APPY_DEVICE static T next(T old, T value) { return old >= value ? T(0) : T(old + 1); }
};

//@ CountDown
struct CountDown {
  template <class T> APPY_DEVICE static T next(T old, T value) {
    return old == 0 || old > value ? value : T(old - 1);
  }
};
