//===- CallSites.h - types of functions from calls in the same file ---------------------------------===//
#pragma once
#include "TreeSitter.h"
#include "appyc/AST/Nodes.h"
#include "appyc/Support/Diagnostics.h"
#include <map>
#include <string>

namespace appyc::frontend {

/// What the calls of a file say of one of its functions.
struct CalledTypes {
  std::optional<ast::Signature> signature;
  std::string reason;        ///< why there is none; empty where nothing calls it
  bool isOfDefaults = false; ///< its calls pass nothing, as those of a driver: it may be left out
};

/// Types of the functions `untyped` (names and `def`s of the top level) from calls outside of functions, and in functions
/// that are not translated themselves: those that take nothing, and those that use modules which appyc does not know.
/// Calls that disagree are reported. `functions` are all of the file.
std::map<std::string, CalledTypes> typesOfCalls(const Source& source, Node root,
                                                const std::map<std::string, Node, std::less<>>& functions,
                                                const std::map<std::string, Node, std::less<>>& untyped,
                                                Diagnostics& diag);

} // namespace appyc::frontend
