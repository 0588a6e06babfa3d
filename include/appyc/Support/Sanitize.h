//===- Sanitize.h - what a program is to check while it runs ----------------------------------------------===//
#pragma once

namespace appyc {

/// Parts of --sanitize; races are PassContext::checkRaces, as --check-races is.
struct Sanitize {
  bool bounds = false;     ///< subscripts lie in their arrays
  bool arithmetic = false; ///< Python's numbers behave as CPython's, or raise
  bool memory = false;     ///< what is read has been written
  bool any() const { return bounds || arithmetic || memory; }
};

} // namespace appyc
