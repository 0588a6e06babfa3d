//===- Team.h - blocks that wait for each other, and the OS threads that execute them -----------------===//
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>

namespace emulation {

/// The barrier over the blocks of a cooperative grid or of a cluster.
class Team {
public:
  /// `released` is called once a barrier, when all blocks have arrived and none has gone on.
  Team(const char* name, unsigned blocks, std::function<void()> released = {})
      : name(name), blocks_(blocks), live_(blocks), released_(std::move(released)) {}

  /// Waits for the other blocks; called once a block.
  void wait(unsigned line);
  /// The block has ended.
  void leave();

  const char* const name;

private:
  void release();

  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned blocks_, live_, arrived_ = 0, generation_ = 0, line_ = 0;
  std::function<void()> released_;
};

/// Calls work(0) … work(count - 1), each on an OS thread of its own; returns when all of them have returned.
void runSideBySide(unsigned count, const std::function<void(unsigned)>& work);

} // namespace emulation
