//===- Directive.h - the one meaning all dialects map to ----------------------------------------===//
// A dialect (APPy pragmas, ParPy labels, ...) turns its notation into these facts; nothing after Sema knows which it was.
#pragma once
#include "appyc/Support/Source.h"
#include <optional>
#include <string>
#include <vector>

namespace appyc::ast {

struct ExprNode;

/// How the user wants a loop executed.
enum class LoopMark { None, Parallel, ParallelSimd, Simd, Sequential };

/// `#pragma parallel for simd(256) num_warps(8)` and the like, on a `for`.
struct LoopDirective {
  LoopMark mark = LoopMark::None;
  std::optional<std::string> vectorLength; ///< text of simd(n)/block(n): an integer or a constant's name
  std::optional<int> warps;
  bool reduction = false; ///< hint: the loop reduces
  Span where;
};

/// One `low:up=>prop,prop` of a tensor pragma. `low`/`up` are Python expression texts; low empty means 0.
struct DimDirective {
  std::string low, up;
  bool parallel = false;
  std::optional<std::string> block; ///< block(n), simd(n), le(n): an integer or a constant's name
  bool blockIsMvl = false;          ///< bare simd: one vector length
  bool singleBlock = false;         ///< the dimension is promised to fit in one block
  bool promised = false;            ///< le(n): extent <= n, checked
  std::optional<std::string> reduce; ///< "sum", "max", "min"
  std::optional<std::string> reduceTarget;
  Span where;
};

/// Pragma on an assignment.
struct StatementDirective {
  bool atomic = false;
  std::vector<DimDirective> dims;
  Span where;
};

} // namespace appyc::ast
