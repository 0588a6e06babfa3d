//===- VectorLoop.h - a loop of lanes whose threads take elements side by side ----------------------------===//
#pragma once
#include "LaneVectors.h"
#include "appyc/IR/Dsl.h"

namespace appyc::schedule {

/// for k (lanes): B[k] = f(A[k], s)  =>  for k (lanes) step width: a = A[k .. k + width]
///                                        for v in [0, width), unrolled: b[v] = f(a[v], s[v])
///                                        B[k .. k + width] = b
/// A reduction adds element after element. `width`: the most elements of a vector; new arrays go to `buffers`. May be done
/// where lanes.isPossible() and, at run time, lanes.multiples(width) are multiples of the width that is taken.
ir::Stmt vectorLoop(const ir::Builder& build, const ir::For& loop, const LaneVectors& lanes, int width,
                    std::vector<ir::Buffer>& buffers);

} // namespace appyc::schedule
