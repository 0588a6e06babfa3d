//===- LibraryClasses.h - named tuples of the library in Python -------------------------------------------===//
#pragma once
#include "appyc/AST/Nodes.h"
#include <string_view>

namespace appyc::sema {

/// `EighResult = namedtuple("EighResult", "eigenvalues eigenvectors")`; null for what the library has not.
ast::ClassRef libraryClassAt(std::string_view name);
constexpr const char* kLibraryClasses = "numpy.linalg._linalg"; ///< where NumPy has its own

} // namespace appyc::sema
