//===- blocks_cpu.h - given kernels on the CPU ------------------------------------------------------------===//
#pragma once
#include "arithmetic.h"
#include <functional>
#include <memory>
#include <ucontext.h>
#include <vector>

//@ Thread
struct Position {
  int64_t x, y, z;
};
// The thread that runs, as CUDA names where it stands.
struct Thread {
  Position threadIdx, blockIdx, blockDim, gridDim;
};

//@ run_grid : Thread
// Runs the code of each thread, where none waits for another: block by block, thread by thread.
template <class Code> void run_grid(Position grid, Position block, const Code& code) {
#pragma omp parallel for collapse(3) schedule(static)
  for (int64_t z = 0; z < grid.z; ++z)
    for (int64_t y = 0; y < grid.y; ++y)
      for (int64_t x = 0; x < grid.x; ++x) {
        Thread thread{{0, 0, 0}, {x, y, z}, block, grid};
        for (thread.threadIdx.z = 0; thread.threadIdx.z < block.z; ++thread.threadIdx.z)
          for (thread.threadIdx.y = 0; thread.threadIdx.y < block.y; ++thread.threadIdx.y)
            for (thread.threadIdx.x = 0; thread.threadIdx.x < block.x; ++thread.threadIdx.x) code(thread);
      }
}

//@ Team : Thread
// Threads that wait for each other, and those of them that have come.
struct Meeting {
  size_t alive = 0, waiting = 0, round = 0;
};
// The threads of a block: contexts of one thread of the machine, which take turns where they wait for each other. One
// that has ended is waited for by none.
class Team {
public:
  // What the threads have in common: `bytes` of memory; with other blocks, they meet in `grid`.
  Team(Position block, int64_t bytes, Meeting* grid = nullptr)
      : grid_(grid), members_(size_t(block.x * block.y * block.z)), warps_((members_.size() + 31) / 32),
        stacks_(static_cast<char*>(malloc(members_.size() * stackBytes))),
        shared_(static_cast<char*>(malloc(size_t(bytes) + 1))) {}
  Team(const Team&) = delete;
  ~Team() {
    free(stacks_);
    free(shared_);
  }
  template <class T> T* shared(int64_t offset) { return reinterpret_cast<T*>(shared_ + offset); }

  // Goes on with the others; returns when all have come here, or have ended.
  void barrier() { wait(block_); }
  void grid_barrier() { wait(*grid_); }
  void warp_barrier(unsigned mask = ~0u) { exchange(mask, 0); }
  int count_of_block(bool own) {
    barrier();
    votes_ = 0;
    barrier();
    votes_ += own;
    barrier();
    return votes_;
  }
  bool any_of_block(bool own) { return count_of_block(own) != 0; }
  bool all_of_block(bool own) { return count_of_block(!own) == 0; }

  // Of lanes of a warp, as CUDA has them.
  unsigned ballot(unsigned mask, bool own) {
    const Values values = exchange(mask, own);
    unsigned bits = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      if (mask >> lane & 1 && values.of[lane]) bits |= 1u << lane;
    return bits;
  }
  bool any_of_warp(unsigned mask, bool own) { return ballot(mask, own) != 0; }
  // The lanes of the mask that give the same value.
  template <class T> unsigned equal_of_warp(unsigned mask, T own) {
    uint64_t bits = 0;
    memcpy(&bits, &own, sizeof(T));
    const unsigned there = mask & aliveOf(current_ / 32);
    const Values values = exchange(mask, bits);
    unsigned same = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      if (there >> lane & 1 && values.of[lane] == bits) same |= 1u << lane;
    return same;
  }
  bool all_of_warp(unsigned mask, bool own) { return ballot(mask, !own) == 0; }
  unsigned active_mask() { return aliveOf(current_ / 32); }
  template <class T> T shuffle(unsigned mask, T own, int64_t lane) { return taken(mask, own, lane & 31); }
  template <class T> T shuffle_up(unsigned mask, T own, int64_t by) { return taken(mask, own, lane() - by); }
  template <class T> T shuffle_down(unsigned mask, T own, int64_t by) {
    return taken(mask, own, lane() + by);
  }
  template <class T> T shuffle_xor(unsigned mask, T own, int64_t by) { return taken(mask, own, lane() ^ by); }

  // Runs `code(thread)` for each of the threads.
  template <class Code> void run(Thread first, const Code& code) {
    start(first, code);
    while (take_turns()) {
    }
  }
  template <class Code> void start(Thread first, const Code& code) {
    code_ = [](const void* called, Thread& thread) { (*static_cast<const Code*>(called))(thread); };
    called_ = &code;
    block_ = {members_.size(), 0, 0};
    for (size_t k = 0; k < members_.size(); ++k) {
      Member& m = members_[k];
      const int64_t at = int64_t(k), x = first.blockDim.x, y = first.blockDim.y;
      m.thread = first;
      m.thread.threadIdx = {at % x, at / x % y, at / (x * y)};
      m.hasEnded = false;
      getcontext(&m.context);
      m.context.uc_stack.ss_sp = stacks_ + k * stackBytes;
      m.context.uc_stack.ss_size = stackBytes;
      m.context.uc_link = &scheduler_;
      const auto address = reinterpret_cast<uintptr_t>(this);
      makecontext(&m.context, reinterpret_cast<void (*)()>(begin), 2, unsigned(address),
                  unsigned(address >> 16 >> 16));
    }
  }
  // Each thread goes on up to where it waits. Is there one left?
  bool take_turns() {
    for (current_ = 0; current_ < members_.size(); ++current_)
      if (!members_[current_].hasEnded) swapcontext(&scheduler_, &members_[current_].context);
    return block_.alive > 0;
  }

private:
  static constexpr size_t stackBytes = size_t(128) << 10;
  struct Member {
    ucontext_t context;
    Thread thread;
    bool hasEnded;
  };
  struct Values {
    uint64_t of[32];
  };
  struct Warp {
    Values values;
    unsigned here = 0, gone = 0; // lanes that have given their value, and that have read the others'
  };
  static void begin(unsigned low, unsigned high) {
    Team& team = *reinterpret_cast<Team*>(uintptr_t(low) | uintptr_t(high) << 16 << 16);
    Member& own = team.members_[team.current_];
    team.code_(team.called_, own.thread);
    own.hasEnded = true;
    --team.block_.alive;
    if (team.grid_) --team.grid_->alive;
  }
  void wait(Meeting& all) {
    const size_t round = all.round;
    ++all.waiting;
    while (round == all.round && all.waiting < all.alive) pause();
    if (round == all.round) all.waiting = 0, ++all.round;
  }
  void pause() { swapcontext(&members_[current_].context, &scheduler_); }
  int64_t lane() const { return int64_t(current_ % 32); }
  unsigned aliveOf(size_t warp) const {
    unsigned lanes = 0;
    for (size_t k = warp * 32; k < members_.size() && k < warp * 32 + 32; ++k)
      if (!members_[k].hasEnded) lanes |= 1u << (k % 32);
    return lanes;
  }
  // The values of the lanes of `mask`, all of which call this.
  Values exchange(unsigned mask, uint64_t own) {
    const size_t number = current_ / 32;
    Warp& warp = warps_[number];
    const unsigned bit = 1u << (current_ % 32);
    while (warp.gone & bit) pause(); // others still read what was given before
    warp.values.of[current_ % 32] = own;
    warp.here |= bit;
    while ((warp.here & mask & aliveOf(number)) != (mask & aliveOf(number))) pause();
    const Values all = warp.values;
    warp.gone |= bit;
    if ((warp.gone & mask) == (warp.here & mask)) warp.here &= ~mask, warp.gone &= ~mask;
    while (warp.gone & bit) pause();
    return all;
  }
  template <class T> T taken(unsigned mask, T own, int64_t from) {
    uint64_t bits = 0;
    memcpy(&bits, &own, sizeof(T));
    const Values all = exchange(mask, bits);
    if (from >= 0 && from < 32) memcpy(&own, &all.of[from], sizeof(T));
    return own;
  }

  Meeting block_;
  Meeting* grid_;
  std::vector<Member> members_;
  std::vector<Warp> warps_;
  char *stacks_, *shared_;
  size_t current_ = 0;
  int votes_ = 0;
  ucontext_t scheduler_;
  void (*code_)(const void*, Thread&) = nullptr;
  const void* called_ = nullptr;
};

//@ run_blocks : Team
// As run_grid, where the threads of a block have memory in common or wait for each other.
template <class Code> void run_blocks(Position grid, Position block, int64_t bytes, const Code& code) {
#pragma omp parallel
  {
    Team team(block, bytes);
#pragma omp for collapse(3) schedule(static)
    for (int64_t z = 0; z < grid.z; ++z)
      for (int64_t y = 0; y < grid.y; ++y)
        for (int64_t x = 0; x < grid.x; ++x)
          team.run({{0, 0, 0}, {x, y, z}, block, grid}, [&](Thread& thread) { code(thread, team); });
  }
}

//@ run_together : Team
// As run_blocks, where all blocks wait for each other.
template <class Code> void run_together(Position grid, Position block, int64_t bytes, const Code& code) {
  Meeting all{size_t(grid.x * grid.y * grid.z * block.x * block.y * block.z), 0, 0};
  std::vector<std::unique_ptr<Team>> teams;
  std::vector<std::function<void(Thread&)>> codes;
  codes.reserve(size_t(grid.x * grid.y * grid.z));
  for (int64_t z = 0; z < grid.z; ++z)
    for (int64_t y = 0; y < grid.y; ++y)
      for (int64_t x = 0; x < grid.x; ++x) {
        teams.push_back(std::make_unique<Team>(block, bytes, &all));
        codes.emplace_back([&code, team = teams.back().get()](Thread& thread) { code(thread, *team); });
        teams.back()->start({{0, 0, 0}, {x, y, z}, block, grid}, codes.back());
      }
  for (bool isLeft = true; isLeft;) {
    isLeft = false;
    for (const std::unique_ptr<Team>& team : teams) isLeft |= team->take_turns();
  }
}

//@ print_here
template <class... Numbers> void print_here(const char* format, Numbers... numbers) {
  printf(format, numbers...);
  fflush(stdout);
}

//@ count_ones
// How many bits are set.
template <class T> T count_ones(T x) { return T(__builtin_popcountll(std::make_unsigned_t<T>(x))); }

//@ leading_zeros
// How many zeros come before the first bit that is set; all bits where none is.
template <class T> T leading_zeros(T x) {
  constexpr int width = 8 * sizeof(T);
  return T(x == 0 ? width : __builtin_clzll(std::make_unsigned_t<T>(x)) - (64 - width));
}

//@ reverse_bits
// The bits in the other order.
template <class T> T reverse_bits(T x) {
  constexpr int width = 8 * sizeof(T);
  const std::make_unsigned_t<T> bits = x;
  std::make_unsigned_t<T> turned = 0;
  for (int k = 0; k < width; ++k) turned |= std::make_unsigned_t<T>((bits >> k & 1u) << (width - 1 - k));
  return T(turned);
}

//@ fetch_update : Same
// *address = Op::next(*address, value), indivisibly; gives what was there before.
template <class Op, class T> T fetch_update(T* address, Same<T> value) {
  T old, next;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  do next = Op::next(old, value);
  while (!__atomic_compare_exchange(address, &old, &next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}

//@ Added
struct Added {
  template <class T> static T next(T old, T value) {
    if constexpr (std::is_integral_v<T>)
      return T(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(value));
    else
      return old + value;
  }
};

//@ Taken
struct Taken {
  template <class T> static T next(T old, T value) {
    if constexpr (std::is_integral_v<T>)
      return T(std::make_unsigned_t<T>(old) - std::make_unsigned_t<T>(value));
    else
      return old - value;
  }
};

//@ fetch_add : fetch_update Added Same
template <class T> T fetch_add(T* address, Same<T> value) { return fetch_update<Added>(address, value); }

//@ fetch_sub : fetch_update Taken Same
template <class T> T fetch_sub(T* address, Same<T> value) { return fetch_update<Taken>(address, value); }

//@ fetch_and : Same
template <class T> T fetch_and(T* address, Same<T> value) {
  return __atomic_fetch_and(address, value, __ATOMIC_RELAXED);
}

//@ fetch_or : Same
template <class T> T fetch_or(T* address, Same<T> value) {
  return __atomic_fetch_or(address, value, __ATOMIC_RELAXED);
}

//@ fetch_xor : Same
template <class T> T fetch_xor(T* address, Same<T> value) {
  return __atomic_fetch_xor(address, value, __ATOMIC_RELAXED);
}

//@ fetch_exchange : Same
template <class T> T fetch_exchange(T* address, Same<T> value) {
  T old, next = value;
  __atomic_exchange(address, &next, &old, __ATOMIC_RELAXED);
  return old;
}

//@ fetch_compare_exchange : Same
// *address = value where it is `expected`; gives what was there before.
template <class T> T fetch_compare_exchange(T* address, Same<T> expected, Same<T> value) {
  T old = expected;
  __atomic_compare_exchange_n(address, &old, T(value), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return old;
}
