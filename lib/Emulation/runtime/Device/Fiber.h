//===- Fiber.h - switching between stacks of one OS thread --------------------------------------------===//
#pragma once
#include <cstddef>
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace emulation {

struct Fiber {
#if defined(__x86_64__)
  void* stackPointer = nullptr;
#else
  ucontext_t context;
#endif
};
/// Makes `fiber` start at `entry`, which never returns, when it is first switched to.
void prepareFiber(Fiber& fiber, char* stack, size_t bytes, void (*entry)());
/// Goes on with `to`; returns when something switches back to `from`.
void switchFiber(Fiber& from, Fiber& to);

} // namespace emulation
