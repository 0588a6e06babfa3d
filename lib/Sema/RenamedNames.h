//===- RenamedNames.h - statements whose names are others ---------------------------------------------------===//
#pragma once
#include "appyc/AST/Nodes.h"
#include <map>
#include <set>
#include <string>

namespace appyc::sema {

/// Where the text tells that names are read and bound: what is after what in it stands for what is before what in time.
struct NamePlaces {
  Span reads;          ///< of all, behind all that binds them
  uint32_t next, last; ///< a place for each that binds one
  Span statements;
  std::set<std::string> updated{};            ///< names of `a += x`, which reads and binds at once
  bool areKept = false;                       ///< those of the text
  std::map<std::string, std::string> asked{}; ///< names in whose place a method of theirs is asked
  /// What calls of these names call instead: with `first` before their arguments, and zeros up to so many behind.
  struct Other {
    std::string function;
    ast::Expr first;
    size_t count;
  };
  std::map<std::string, Other> calls{};
  /// An argument that calls of these names leave out: that name, or an empty dict, if that is the default. `isOther`: where one is given
  /// otherwise.
  struct LeftOut {
    std::string name;
    size_t place;
    bool isEmpty;
    bool isOther = false;
  };
  std::map<std::string, LeftOut> leftOut{};
  bool isFull() const { return next >= last; }
};
/// With what stands for names in their places, and with other names. Functions inside, which may have such names of their
/// own, stay as they are.
ast::Body withNames(const ast::Body& body, const std::map<std::string, ast::Expr>& values,
                    const std::map<std::string, std::string>& names, NamePlaces& places);

} // namespace appyc::sema
