//===- Team.h - blocks that wait for each other, and the OS threads that execute them -----------------===//
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>

namespace emulation {

/// Where a barrier stands: its source line, and the instruction after it.
struct Site {
  unsigned line = 0;
  const void* place = nullptr;
  /// For reports: with the place in check mode, else just "line 12".
  std::string text() const;
};

/// The barrier over the blocks of a cooperative grid or of a cluster.
class Team {
public:
  /// `released` is called once a barrier, when all blocks have arrived and none has gone on.
  Team(const char* name, unsigned blocks, std::function<void()> released = {})
      : name(name), blocks_(blocks), live_(blocks), released_(std::move(released)) {}

  /// Waits for the other blocks; called once a block.
  void wait(const Site& site);
  /// The block has ended.
  void leave();

  const char* const name;

private:
  void release();

  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned blocks_, live_, arrived_ = 0, generation_ = 0;
  Site site_;
  std::function<void()> released_;
};

/// Calls work(0) … work(count - 1), each on an OS thread of its own; returns when all of them have returned.
void runSideBySide(unsigned count, const std::function<void(unsigned)>& work);

} // namespace emulation
