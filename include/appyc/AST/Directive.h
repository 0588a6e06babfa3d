//===- Directive.h - the one meaning all dialects map to ----------------------------------------===//
// A dialect (APPy pragmas, ParPy labels, ...) turns its notation into these facts; nothing after Sema knows
// which it was.
#pragma once
#include "appyc/Support/Source.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace appyc::ast {

struct ExprNode;

/// How the user wants a loop executed.
enum class LoopMark { None, Parallel, ParallelSimd, Simd, Sequential };

/// `reduction(max:m)` on a loop, `reduce(sum:y)` on a dimension. The operation is "sum", "prod", "max" or
/// "min".
struct ReduceClause {
  std::string op;
  std::optional<std::string> target; ///< what is reduced into; always given on a loop
  Span where;
};
/// `shared(x)`, `to(x)` and the like: what the loop does with a name of the code around it.
struct NameClause {
  std::string clause, name;
  Span where;
};

/// `#pragma parallel for simd(256) num_warps(8)` and the like, on a `for`.
struct LoopDirective {
  LoopMark mark = LoopMark::None;
  std::optional<std::string> vectorLength; ///< text of simd(n)/block(n): an integer or a constant's name
  std::optional<int> warps;
  std::optional<std::string> threads;   ///< text of threads(n): how many share the iterations
  bool reduction = false;               ///< hint: the loop reduces
  std::vector<ReduceClause> reductions; ///< claims, checked
  std::vector<NameClause> names;
  Span where;
};

/// One `low:up=>prop,prop` of a tensor pragma. The bounds are Python expression texts; low empty means 0,
/// step empty 1.
struct DimDirective {
  std::string low, up, step;
  bool parallel = false;
  std::optional<std::string> block; ///< block(n), simd(n), le(n): an integer or a constant's name
  bool blockIsMvl = false;          ///< bare simd: one vector length
  bool singleBlock = false;         ///< the dimension is promised to fit in one block
  bool promised = false;            ///< le(n), or block(n) with single_block: extent <= n, checked
  std::vector<ReduceClause> reduces;
  Span where;
};

/// Pragma on an assignment.
struct StatementDirective {
  bool atomic = false;
  std::vector<DimDirective> dims;
  /// threads(n).tpb(32 * warps) of a slice, from left to right; an empty text where a schedule says nothing.
  struct Count {
    std::string threads;
    int warps = 0;
  };
  std::vector<Count> counts{};
  Span where;
};

/// What a decorator says of a whole function: `@appy.jit(auto_simd=True, tune={'BN': (64, 128)})`.
struct FunctionDirective {
  /// Kernel: what one of the threads does that it is launched with. Device: a function that kernels call.
  /// Linked, External: the code is in another language. Linked: kernels call it, and it gives its result by Numba's
  /// convention. External: a function of a header.
  enum Role { Plain, Kernel, Device, Linked, External } role = Plain;
  struct Link {
    std::string path; ///< as the file has it
    Span where;
    bool isHeader = false; ///< to be included
  };
  std::vector<Link> links{}; ///< files with code that it calls, or that is its own
  std::string linkedName{};  ///< of Linked and External: in that code
  bool isElsewhere() const { return role == Linked || role == External; }
  bool parallelLoops =
      false; ///< the outermost `for`s, and those directly in them, are parallel without a pragma
  bool serialRanges = false; ///< `prange` counts and nothing more, as in Numba without `parallel=True`
  std::string maker{};       ///< `numpy.vectorize`: the name stands for what that makes of the function
  Span made{};               ///< then: where
  std::string given{};       ///< and what else that is given: a tuple, as the library would write it
  bool isEntry = false; ///< of a ufunc: names of functions stand for these, and not for what is made of them
  bool caches = false;  ///< `functools.cache`: what has been computed once is kept
  bool tensors = false; ///< a decorator of PyTorch's says that the arrays are its
  std::optional<int> warps;       ///< where a loop's pragma gives none
  std::vector<int64_t> openWarps; ///< the numbers that it may be
  struct Shape {
    std::string array;
    std::vector<std::string> extents; ///< names or integers
    Span where;
  };
  std::vector<Shape> shapes; ///< sizes that pragmas and the arrays' axes share
  struct Size {
    std::string name;
    int64_t value;
    std::vector<int64_t> open; ///< the values that it may have
  };
  std::vector<Size> sizes; ///< named constants for simd(NAME), block(NAME), le(NAME)
  Span where;
};

} // namespace appyc::ast
