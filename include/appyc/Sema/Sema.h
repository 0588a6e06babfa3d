//===- Sema.h - AST to ir @Tensor: names, types, shapes ----------------------------------------------===//
#pragma once
#include "appyc/AST/Nodes.h"
#include "appyc/IR/Nodes.h"
#include "appyc/Support/Annotations.h"
#include "appyc/Support/Diagnostics.h"
#include "appyc/Support/Sanitize.h"
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace appyc::sema {

/// A size that the types leave open, or a scalar parameter (axis -1), which is taken as another open size, of
/// an earlier axis.
struct SameSize {
  int param, axis;
  int asParam, asAxis;
};
/// By the functions' entries.
using SameSizes = std::map<std::string, std::vector<SameSize>>;

/// Lowers every function with a signature. Afterwards every expression has its NumPy type, every array work
/// is an index statement, calls between functions are inlined or expressions (ir::Apply), and unsupported Python has been
/// reported.
/// `annotations` takes the pragmas that array statements without one could have. With `same`, only the
/// functions in it are lowered. With `sanitize`, checks that may fail stand where CPython would raise, in loops, too.
/// With `stretch`, for all calls: also for those at which Function::unstretched does not hold.
ir::Module lower(const ast::Module&, Diagnostics&, Annotations* annotations = nullptr,
                 const SameSizes* same = nullptr, const Sanitize& sanitize = {}, bool stretch = false);

/// A function, method or builtin that lower() knows.
struct ListedFunction {
  std::string name; ///< of NumPy's functions without "np.", else as in "ndarray.sum", "math.sqrt", "len"
  std::string_view group; ///< elementwise, reduction, creation, ...
  int arguments;          ///< those it cannot do without
  std::string_view parameters;
};
std::vector<ListedFunction> listedFunctions();

} // namespace appyc::sema
