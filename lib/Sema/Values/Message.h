//===- Message.h - what a check at run time says, with the numbers at hand ------------------------------===//
#pragma once
#include "Value.h"

namespace appyc::sema {

/// Text and numbers in turn: "`a` (4, 3) and `b` (4, 2) cannot ...". Numbers that are not known where the check
/// stands are written `?`. The line is the target's to say.
class Message {
public:
  Message(std::string text) {
    parts_.push_back({std::move(text), {}});
  }                                                         // NOLINT(google-explicit-constructor)
  Message(const char* text) : Message(std::string(text)) {} // NOLINT(google-explicit-constructor)

  Message& text(std::string_view text) {
    parts_.push_back({std::string(text), {}});
    return *this;
  }
  Message& number(const Expr& number);
  /// "(4, 3)", as Python writes a tuple.
  Message& shape(const std::vector<Expr>& extents);
  /// The array's name, where it has one, and its shape: "`a` (4, 3)".
  Message& array(const Array& a);

  bool hasNumbers() const;
  std::string plain() const; ///< with the numbers known at compile time
  /// The check itself; numbers for which `isKnown` is false are left out.
  ir::Require check(Expr holds, std::string exception, const std::function<bool(const Expr&)>& isKnown) const;

private:
  struct Part {
    std::string text;
    Expr number; ///< in its place, if any
  };
  std::vector<Part> parts_;
};

} // namespace appyc::sema
