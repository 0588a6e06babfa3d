//===- Fiber.cpp - switching between stacks of one OS thread ------------------------------------------===//
#include "Fiber.h"

#if defined(__x86_64__)
// Twenty times faster than swapcontext, which makes system calls. Ends in a jump, not in `ret`: the
// return-address predictor would be wrong at each switch.
extern "C" void appycSwitchStack(void** saveStackPointer, void* stackPointer);
asm(R"(
.text
.globl appycSwitchStack
.hidden appycSwitchStack
.type appycSwitchStack,@function
appycSwitchStack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp,(%rdi)
  movq %rsi,%rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx
.size appycSwitchStack,.-appycSwitchStack
)");

void emulation::prepareFiber(Fiber& fiber, char* stack, size_t bytes, void (*entry)()) {
  void** top = reinterpret_cast<void**>(stack + bytes);
  *--top = nullptr; // the ABI's alignment: 8 modulo 16 at a function's entry
  *--top = reinterpret_cast<void*>(entry);
  for (int calleeSaved = 0; calleeSaved < 6; ++calleeSaved) *--top = nullptr;
  fiber.stackPointer = top;
}

void emulation::switchFiber(Fiber& from, Fiber& to) { appycSwitchStack(&from.stackPointer, to.stackPointer); }

#else

void emulation::prepareFiber(Fiber& fiber, char* stack, size_t bytes, void (*entry)()) {
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = stack;
  fiber.context.uc_stack.ss_size = bytes;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, entry, 0);
}

void emulation::switchFiber(Fiber& from, Fiber& to) { swapcontext(&from.context, &to.context); }
#endif
