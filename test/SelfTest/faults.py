"""Faults that the suite has to catch, each in another part of the compiler.

An edit replaces a text that must stand in its file exactly once; where the file has changed so that it does not, the
self-test says so and fails. The tests are those of test/ that are run against the faulty compiler, as few as
will do: at least one has to fail.
"""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    name: str
    file: str
    text: str
    replacement: str
    tests: tuple  # words for pytest
    targets: str = "cpu,emulated"


FAULTS = [
    Fault("strip-mining off by one: a thread's next element is one too far",
          "lib/Target/Cuda.cpp",
          'case Bind::Thread: return Workers{builtin("threadIdx"), builtin("blockDim")};',
          'case Bind::Thread:\n      return Workers{builtin("threadIdx"), cxx::binary("+", builtin("blockDim"), '
          'cxx::number(1))};',
          ("test/Execution/test_kernels.py", "-k", "kernels_products or kernels_pragmas"), "emulated"),
    Fault("lost tail: what does not fill the last chunk is not reduced",
          "lib/Schedule/TileReductions.cpp",
          'Expr size = named("chunk", ceilDiv(total, chunks));',
          'Expr size = named("chunk", binary(BinaryOp::FloorDiv, total, chunks));',
          ("test/Execution/test_kernels.py", "-k", "kernels_reductions")),
    Fault("dropped dependence: only two writes are a conflict",
          "lib/Analysis/Accesses.cpp",
          "return a.buffer == b.buffer && (a.write || b.write) &&",
          "return a.buffer == b.buffer && (a.write && b.write) &&",
          ("test/Execution/test_kernels.py", "-k", "kernels_slices or kernels_control"), "cpu"),
    Fault("wrong promotion: 32-bit integers and f32 make f32",
          "lib/IR/Types.cpp",
          "return real ? byteSize(realOf(type)) == 4 : byteSize(type) <= 2;",
          "return real ? byteSize(realOf(type)) == 4 : byteSize(type) <= 4;",
          ("test/Tables", "-k", "arrays_i32_f32 or arrays_f32_u32"), "cpu"),
    Fault("fused pair that must not fuse: dependences between the loops are not looked at",
          "lib/Transform/FuseLoops.cpp",
          "if (!sameRange(*a, *b) || !analysis::mayFuse(*a, *b, known, true)) return std::nullopt;",
          "if (!sameRange(*a, *b)) return std::nullopt;",
          ("test/Execution/test_kernels.py", "-k", "kernels_slices or kernels_views or kernels_control")),
    Fault("dropped barrier: what other lanes wrote may be read at once",
          "lib/Schedule/PlaceBarriers.cpp",
          "bool share = intersect(written, loads) || intersect(written, stores) ||",
          "bool share = intersect(written, stores) ||",
          ("test/Execution/test_kernels.py", "-k", "kernels_recurrences"), "checked"),
    Fault("dropped wait: a kernel begins before the one before it has ended",
          "lib/Target/Cuda.cpp",
          "if (launch.overlaps) {",
          "if (launch.overlaps && launch.cluster) {",
          ("test/Execution/test_kernels.py", "-k", "kernels_overlaps"), "emulated"),
    Fault("overlap not seen: a slice is read after it was overwritten",
          "lib/Transform/BufferOverlaps.cpp",
          "if (!ir::loadedBuffers(e).count(s.target)) return;",
          "if (ir::loadedBuffers(e).count(s.target)) return;",
          ("test/Execution/test_kernels.py", "-k", "kernels_slices or kernels_views")),
    Fault("wrong rounding: floor division of floats does not round down",
          "lib/Target/Runtime/arithmetic.h",
          "if (rest != 0 && (rest < 0) != (b < 0)) quotient -= 1;",
          "if (rest != 0 && (rest < 0) != (b < 0)) quotient -= 0;",
          ("test/Tables", "-k", "arrays_f64_f64 or arrays_f32_i8"), "cpu"),
    Fault("wrong cast: in-place operations store what NumPy refuses",
          "lib/Sema/Promote.cpp",
          "if (ir::isUnsigned(to) && ir::isSigned(from)) return false;",
          "",
          ("test/Tables", "-k", "refused"), "cpu"),
    Fault("dead store that is not dead: an array is set where it is stored perhaps only",
          "lib/Analysis/Overwrite.cpp",
          "if (a.write && (!surely || (a.exact && !a.atomic)))",
          "if (a.write)",
          ("test/Execution/test_kernels.py", "-k", "kernels_overwrites"), "cpu"),
    Fault("dead store that is not dead: what the loop reads before it stores it is not looked at",
          "lib/Analysis/Overwrite.cpp",
          "if (!areIn(s.reads, before, written)) return false;",
          "",
          ("test/Execution/test_kernels.py", "-k", "kernels_overwrites or kernels_creation"), "emulated"),
    Fault("missing order: blocks that wait for steps take each other's slices at any time",
          "lib/Schedule/OwnerComputes.cpp",
          "return ownersHaveWaited() && !leadsElsewhere();",
          "return ownersHaveWaited();",
          ("test/Execution/test_kernels.py", "-k", "kernels_owners"), "emulated,checked"),
    Fault("lost lanes: what is left of a batch is not computed",
          "lib/Schedule/BatchLanes.cpp",
          "binary(BinaryOp::Lt, var(index), loop.hi)",
          "binary(BinaryOp::Lt, add(var(first), intConst(kBatch * threads - 1)), loop.hi)",
          ("test/Execution/test_kernels.py", "-k", "kernels_owners"), "emulated"),
    Fault("dropped barrier: what only the first step of a cluster's loop needs is not looked at",
          "lib/Schedule/ClusterLoops.cpp",
          "earlier.isEarlier ? withEarlier_ : context_",
          "withEarlier_",
          ("test/Execution/test_kernels.py", "-k", "kernels_clusters"), "checked"),
]
