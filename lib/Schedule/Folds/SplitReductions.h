//===- SplitReductions.h - more threads for few long reductions -------------------------------------===//
#pragma once
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Pass.h"
#include <set>

namespace appyc::schedule {

/// Points of the loops in one, conditions aside; where iterations have different numbers of them, of the longest. 1 where the
/// host does not know: `assigned` are the scalars that change.
ir::Expr pointsInside(const ir::For& loop, const std::set<Symbol>& assigned);

/// Scalars that change on the way, but for what has one value and the host asks the device for anyway, as it says how large an array
/// or a product is: the number of rows that a mask leaves. Ten means of rows chosen so, 200,000 x 32, an H200: 48.6 to 1.1 ms.
std::set<Symbol> openToHost(const ir::Function& f);

/// The body, but in place of its fold, the statement `at`, what takes over from `whole`, which has had all iterations in scalars
/// of its own.
std::vector<ir::Stmt> aroundFold(const ir::Builder&, std::vector<ir::Stmt> body, size_t at,
                                 const ir::For& whole);

constexpr int64_t kElementsOfChunk = 2048; ///< enough for a block, or a thread, to be worth its start
constexpr int kLanesOfChunk = 256;

/// Loop -> Loop (cuda). A nest of parallel loops of threads that each reduce over a long inner loop, where
/// neighbours read neighbouring elements (x = A.T @ y): the inner loop is cut into chunks, so that enough
/// threads run.
///   for i: s = 0                          =>   for c: for i: s = 0; for j in chunk c: s = s + A[j,i] * y[j]
///          for j: s = s + A[j,i] * y[j]                      partial[c * n + i] = s
///          x[i] = s                            for i: s = 0; for c: s = s + partial[c * n + i]
///                                                     x[i] = s
/// Of several loops only where the host finds them to have few points at the call.
/// Returns `nest` itself where that does not apply. Adds its buffer to the function.
ir::Stmt splitReductions(const ir::Stmt& nest, ir::Function& function, const ir::PassContext& ctx);

/// Loop -> Loop (cuda). A nest whose workers each have a row: where the host finds few rows, and long ones, each step of
/// the body is a nest of its own, whose workers have parts of rows. SplitRows.cpp has the picture.
/// Returns `nest` itself where that does not apply. Adds its buffers to the function.
/// `hostIndices`: of the serial loops around; rows that change with them stay short.
ir::Stmt splitRows(const ir::Stmt& nest, ir::Function& function, const std::set<Symbol>& hostIndices,
                   const ir::PassContext& ctx);

/// Loop -> Loop (cuda). Rows whose ends are read from memory, a warp each: those that turn out long are blocks'.
/// SplitLongRows.cpp has the picture. Returns `nest` itself where that does not apply.
ir::Stmt splitLongRows(const ir::Stmt& nest, const ir::PassContext& ctx);

} // namespace appyc::schedule
