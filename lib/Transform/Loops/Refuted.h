//===- Refuted.h - what is said of loops that depend on their order ----------------------------------------===//
#pragma once
#include "appyc/Analysis/Dependence.h"
#include "appyc/Support/Diagnostics.h"

namespace appyc::transform {

/// The error of an annotation that is wrong: two iterations that depend on one another, each half at its place.
void reportRefuted(Diagnostics&, const ir::For&, Span, const analysis::ParallelVerdict&);
/// What a loop collects that is serial for other reasons.
void reportReductions(Diagnostics&, const ir::For&, Span, const analysis::ParallelVerdict&);

} // namespace appyc::transform
