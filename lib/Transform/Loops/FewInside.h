//===- FewInside.h - few iterations of a loop run inside of the parallel one in it ------------------------===//
//   for i in [0, 2): for j: t[i, j] = a[p[i], j]      for j: t[0, j] = a[p[0], j]; t[1, j] = a[p[1], j]     # parallel
//   for i in [0, 2): for j: a[q[i], j] = t[i, j]  =>         a[q[0], j] = t[0, j]; a[q[1], j] = t[1, j]
#pragma once
#include "appyc/Analysis/Dependence.h"
#include "appyc/Support/Diagnostics.h"

namespace appyc::transform {

bool isOfOneStep(const ir::For&); ///< counts by 1, and the user asks nothing of it
/// A list of statements with such loops turned, those before them that make what they take with them.
ir::Stmt withFewInside(const ir::Stmt& list, const analysis::Context&, Diagnostics&);

} // namespace appyc::transform
