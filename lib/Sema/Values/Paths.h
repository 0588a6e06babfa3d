//===- Paths.h - what a number may be on each path (Paths.cpp) -------------------------------------------------===//
#pragma once
#include "Value.h"

namespace appyc::sema {

bool isSameOther(const Scalar& a, const Scalar& b);
void addOther(std::vector<Scalar>& others, const Scalar& other);
/// What it may be, each as a zero of that kind.
std::vector<Scalar> kindsOf(const Scalar& s);
/// Floats that are compared are so in one type on both paths, or with a constant that both types hold.
bool isComparedAlike(const Expr& base, const Expr& other);
bool isComparedAlike(const Array& base, const Array& other);
/// For messages.
std::string describeResult(const Value& v);
/// A whole number of 64 bits on one path and a float on another?
bool isWholeOrFloat(const Value& v);

} // namespace appyc::sema
