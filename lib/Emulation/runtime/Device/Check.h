//===- Check.h - check mode: bounds, uninitialised shared memory, data races --------------------------===//
// Kernels are compiled with -fsanitize=thread and linked without its library: each access calls one of our
// hooks (Hooks.cpp), which end in checkAccess(). Only the library of check mode defines EMULATION_CHECK and
// has the hooks.
#pragma once
#include "Block.h"

namespace emulation {

enum class Access { Read, Write, Atomic, VolatileRead, VolatileWrite };

void checkAccess(const void* place, size_t bytes, Access access, const void* programCounter);
/// As the compiler writes it down.
struct SourcePlace {
  const char* file;
  unsigned line, column;
};
[[noreturn]] void reportIndex(const SourcePlace& place, long index);
void noteFence();
/// The running thread may have seen what other blocks released.
void noteAcquire();

void checkLaunch(const Task& task, unsigned blocks, const std::vector<std::vector<unsigned>>& clusters,
                 bool cooperative);
/// Makes the block's shared memory new, and its cells.
void checkBlock(Block& block);
void checkEndOfBlock(Block& block);
/// All blocks of a cooperative launch have passed a grid barrier.
void advancePhase();

/// The bytes have been copied, or, where `from` is null, set.
void noteCopy(const void* to, const void* from, size_t bytes);
/// The bytes are as in new memory.
void noteUnwritten(const void* begin, size_t bytes);

/// What is known of `bytes` of memory that nobody has written.
Cell* newCells(size_t bytes);
void deleteCells(Cell* cells);

} // namespace emulation
