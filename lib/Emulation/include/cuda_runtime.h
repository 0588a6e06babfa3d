//===- cuda_runtime.h - CUDA's language and runtime for g++, on the CPU -------------------------------===//
// Stands in for the toolkit's header of the same name. See ../README.md.
#pragma once
#include "emulation/Types.h"
// Order matters: each of these builds on those before.
#include "emulation/Api.h"
#include "emulation/Atomics.h"
#include "emulation/Intrinsics.h"
#include "emulation/Launch.h"
#include "emulation/Ptx.h"
#include "emulation/Threads.h"
