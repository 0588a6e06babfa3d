//===- Check.h - check mode: bounds, uninitialised shared memory, data races
//---------------------------------===//
// Kernels are compiled with -fsanitize=thread and linked without its library: each access calls one of our
// hooks (Hooks.cpp), which end in checkAccess(). Only the library of check mode defines EMULATION_CHECK and
// has the hooks.
#pragma once
#include "Block.h"

namespace emulation {

struct Cell;
enum class Access { Read, Write, Atomic, VolatileRead, VolatileWrite };

void checkAccess(const void* place, size_t bytes, Access access, const void* programCounter);
void noteFence();
/// The running thread may have seen what other blocks released.
void noteAcquire();

void beginLaunch(const Task& task, unsigned blocks, bool cooperative);
void beginBlock(size_t sharedBytes, const void* kernel);
/// All blocks of a cooperative launch have passed a grid barrier.
void advancePhase();

Cell* newCells(size_t bytes);
void deleteCells(Cell* cells);

} // namespace emulation
