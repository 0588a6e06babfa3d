//===- Sema.h - AST to ir @Tensor: names, types, shapes ----------------------------------------------===//
#pragma once
#include "appyc/AST/Nodes.h"
#include "appyc/IR/Nodes.h"
#include "appyc/Support/Annotations.h"
#include "appyc/Support/Diagnostics.h"
#include <string_view>
#include <vector>

namespace appyc::sema {

/// Lowers every function with a signature. Afterwards every expression has its NumPy type, every array work
/// is an index statement, calls between functions are inlined, and unsupported Python has been reported.
/// `annotations` takes the pragmas that array statements without one could have.
ir::Module lower(const ast::Module&, Diagnostics&, Annotations* annotations = nullptr);

/// A function of NumPy's that lower() knows.
struct NumpyFunction {
  std::string_view name;
  std::string_view group; ///< elementwise, reduction, creation, ...
  int arguments;          ///< those it cannot do without
};
const std::vector<NumpyFunction>& numpyFunctions();

} // namespace appyc::sema
