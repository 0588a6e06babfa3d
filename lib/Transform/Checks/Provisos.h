//===- Provisos.h - what a call must hold for a loop to run in parallel --------------------------------===//
//   for y in [r, h - r): out[y] = f(x[y - r : y + r + 1])
//                        =>    if r >= 0: for y in [r, h - r): ..        without wraps, and without the checks that pass then
//                              else: the same in turn
// Radii, widths and counts are parameters that nobody passes as negative numbers; of what they would mean then nothing is lost.
//   block matching, 400 x 600, 48 distances, an H200: 84,543 ms, launches for each window; predicted 2, measured 0.39
//   non-local means of 256 x 256: 65,910 ms to 0.53
#pragma once
#include "appyc/IR/Nodes.h"

namespace appyc::transform {

/// That the caller's numbers in the expression are not negative, but for those in `known`; empty where there are none.
ir::Expr notNegative(const ir::Function&, const ir::Expr&, const ir::Expr& known = {});
/// That those which the bounds of a nest's loops are made of are not.
ir::Expr notNegative(const ir::Function&, const ir::Stmt& nest);

/// That the loop's first iteration counts no subscript from an array's end, so that none does:
///   for i in [n, h): y[i] = y[i - 1] + ..    n - 1 >= 0
/// Empty where none might, and where something else than the loop's begin decides one of them.
ir::Expr countsFromBegin(const ir::For&);

/// Does an iteration make arrays whose sizes follow it? They have room where the loop is in order, and in parallel nowhere.
bool makesUnlikeArrays(const ir::For&);

/// The nest in the text's order, by one thread: for calls that nobody is thought to make.
ir::Stmt inTurn(const ir::Stmt& nest, ir::Function&);

/// The loop without checks, which pass where the caller's numbers are not negative, or are one before the loop, of sizes and
/// numbers; in turn for calls with negative ones. Empty where other things decide.
ir::Stmt withoutChecks(const ir::Stmt& loop, ir::Function&);
/// The statement without checks that pass, and ends of slices and wraps that nothing needs, where the condition holds.
ir::Stmt withoutEndsWhere(ir::Function&, const ir::Stmt&, const ir::Expr& condition);

} // namespace appyc::transform
