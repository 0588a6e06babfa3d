//===- Team.cpp - barriers between blocks, and the OS threads that execute them -----------------------===//
#include "Team.h"
#include "Block.h"
#include <thread>
#include <unistd.h>

namespace emulation {

std::string Site::text() const {
  return kCheck && place ? describePlace(place) : "line " + std::to_string(line);
}

void Team::wait(const Site& site) {
  std::unique_lock lock(mutex_);
  if (kCheck && live_ != blocks_)
    fail("barrier divergence: %u blocks exited before %s at %s", blocks_ - live_, name, site.text().c_str());
  if (arrived_ == 0) site_ = site;
  if (site_.line != site.line)
    fail("barrier divergence: %s at %s while other blocks wait at %s", name, site.text().c_str(),
         site_.text().c_str());
  unsigned mine = generation_;
  if (++arrived_ == live_) return release();
  changed_.wait(lock, [&] { return generation_ != mine; });
}

void Team::leave() {
  std::unique_lock lock(mutex_);
  --live_;
  if (arrived_ == 0) return;
  if (kCheck)
    fail("barrier divergence: a block exits while others wait for %s at %s", name, site_.text().c_str());
  if (arrived_ == live_) release();
}

void Team::release() {
  arrived_ = 0;
  ++generation_;
  if (released_) released_();
  changed_.notify_all();
}

namespace {
/// Threads that are kept from launch to launch, as their blocks' stacks are.
class Pool {
public:
  void run(unsigned count, const std::function<void(unsigned)>& work) {
    std::unique_lock lock(mutex_);
    for (; size_ < count; ++size_) std::thread([this, index = size_] { serve(index); }).detach();
    work_ = &work;
    wanted_ = running_ = count;
    ++generation_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return running_ == 0; });
  }

private:
  [[noreturn]] void serve(unsigned index) {
    for (unsigned seen = 0;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return generation_ != seen; });
      seen = generation_;
      if (index >= wanted_) continue;
      const auto& work = *work_;
      lock.unlock();
      work(index);
      lock.lock();
      if (--running_ == 0) changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(unsigned)>* work_ = nullptr;
  unsigned size_ = 0, wanted_ = 0, running_ = 0, generation_ = 0;
};
} // namespace

void runSideBySide(unsigned count, const std::function<void(unsigned)>& work) {
  // Never destroyed: its threads run until the process ends. A forked process has none of them.
  static Pool* pool = nullptr;
  static pid_t owner = 0;
  if (owner != getpid()) {
    owner = getpid();
    pool = new Pool;
  }
  pool->run(count, work);
}

} // namespace emulation
