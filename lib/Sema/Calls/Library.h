//===- Library.h - NumPy's functions that are written in Python ------------------------------------------===//
#pragma once
#include "Functions.h"
#include "Value.h"
#include "appyc/AST/Nodes.h"
#include <string>
#include <string_view>
#include <vector>

namespace appyc::sema {

/// One function of lib/Python/numpy_library, which is part of the binary as text.
struct LibraryFunction {
  std::string
      path; ///< "numpy.roll", "numpy.linalg.norm", "ndarray.clip"; "_axis" for those of the library's own
  std::string_view group;      ///< the file: "joining"
  std::string_view parameters; ///< as written
  std::string_view text;       ///< of the definition

  /// A function of np.random's own generator, or of Python's `random`: its first parameter is the state, which users do not give.
  bool isOfShared() const { return group == "legacy" || group == "python_random"; }
  /// One of NumPy's ufuncs, of two operands.
  bool isUfuncOfTwo() const { return parameters.starts_with("x1, x2, /, out=None"); }
  /// As messages call it: "np.roll", ".clip".
  std::string display() const;
};

/// The user's call of the library that is open.
struct LibrarySite {
  Span where;
  size_t branches; ///< as many were open
  bool raises;     ///< wherever it comes to a `raise`, in loops too
};

/// Those that users call, in the order of the files.
std::vector<const LibraryFunction*> libraryFunctions();
/// Null for what the library has not.
const LibraryFunction* libraryFunctionAt(std::string_view path);
/// Null for what the generator does not have.
const LibraryFunction* randomMethod(const RandomValue& generator, const std::string& name);
/// Parsed at its first use.
const ast::Function& definitionOf(const LibraryFunction& function);
bool isOfLibrary(const ast::Function& function);
/// `made.name` of what such a function has made, if the library has one for it.
std::optional<Value> methodOfMade(const Value& made, const std::string& name);

} // namespace appyc::sema
