//===- Passes.h - mapping, kernels, barriers, memory -----------------------------------------------------===//
#pragma once
#include "appyc/IR/Pass.h"

namespace appyc::schedule {

/// Loop -> Loop. A parallel loop that reduces becomes partial results of a fixed number of chunks and an ordered fold of
/// them: same input, same bits, whatever the number of threads.
ir::Module tileReductions(const ir::Module&, ir::PassContext&);

/// Loop -> Loop (cuda). Host scalars that are computed from array elements move into rank-0 device buffers; the host fetches
/// them where its control flow, extents or results need the value.
ir::Module placeScalars(const ir::Module&, ir::PassContext&);

/// Loop -> Scheduled (cuda). Parallel nests become kernels: chooses thread, warp or block workers, the coalesced axis, grid and
/// block sizes, strip-mines vector loops over the lanes, turns their reductions into collectives. Serial code that touches
/// arrays becomes one-thread kernels; host control flow stays on the host.
ir::Module mapKernels(const ir::Module&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). A barrier between two accesses of a worker exactly where a dependence crosses lanes.
ir::Module placeBarriers(const ir::Module&, ir::PassContext&);

/// Scheduled -> Scheduled. Temporaries whose extents are known at entry move to the function's top (one workspace);
/// arrays of one worker get a dimension for the workers.
ir::Module planMemory(const ir::Module&, ir::PassContext&);

} // namespace appyc::schedule
