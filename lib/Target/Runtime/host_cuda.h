//===- host_cuda.h - memory, launches and errors of the cuda target ------------------------------------===//
#pragma once
#include "host.h"

//@ check : fail
inline int check(cudaError_t error) {
  if (error == cudaSuccess) return Ok;
  return fail(error == cudaErrorMemoryAllocation ? MemoryError : RuntimeError, cudaGetErrorString(error));
}

//@ launch_grid
// Blocks of a launch; x is 0 when there is nothing to do. Kernels stride over what exceeds the hardware's
// limits.
inline dim3 launch_grid(int64_t x, int64_t y = 1, int64_t z = 1) {
  const int64_t limit = 65535;
  if (x <= 0 || y <= 0 || z <= 0) return dim3(0);
  return dim3(unsigned(x < INT32_MAX ? x : INT32_MAX), unsigned(y < limit ? y : limit),
              unsigned(z < limit ? z : limit));
}

//@ Lock
// Holds a mutex to the end of its block. nvcc reads <mutex> for as long as all of a small program.
struct Lock {
  pthread_mutex_t& mutex;
  explicit Lock(pthread_mutex_t& held) : mutex(held) { pthread_mutex_lock(&mutex); }
  Lock(const Lock&) = delete;
  ~Lock() { pthread_mutex_unlock(&mutex); }
};

//@ Graphs : Lock
// Replays launches: from a graph one costs the device 1 us, from the host 3 us. Graphs are kept for calls
// with the same arguments, the oldest given up for new ones.
class Graphs {
  using Key = std::vector<char>;
  struct Graph {
    Key key;
    cudaGraphExec_t exec = nullptr;
    int64_t launches = 0;
  };
  static constexpr size_t most_graphs = 16;
  static constexpr int64_t most_launches = 8192; // of the graphs kept
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  std::vector<Graph> kept_; // in the order of their last use

  static bool records_itself(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(stream, &status) != cudaSuccess || status != cudaStreamCaptureStatusNone;
  }
  template <class... Arguments> static Key key_of(const Arguments&... arguments) {
    int device = 0;
    cudaGetDevice(&device);
    Key key;
    const auto append = [&](const auto& value) {
      const char* bytes = reinterpret_cast<const char*>(&value);
      key.insert(key.end(), bytes, bytes + sizeof(value));
    };
    append(device);
    (append(arguments), ...);
    return key;
  }
  template <class Launches> static cudaGraphExec_t record(const Launches& launches) {
    cudaStream_t stream = nullptr; // not the caller's, which may be the default stream
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) return nullptr;
    if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess) {
      launches(stream);
      if (cudaStreamEndCapture(stream, &graph) == cudaSuccess &&
          cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess)
        exec = nullptr;
    }
    if (graph) cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    if (!exec) cudaGetLastError(); // the launches are made from the host then
    return exec;
  }
  // The graph for `key`; null where the launches are better made from the host: recording costs as much as
  // making them four times, which pays if they are `repeated` or asked for again.
  template <class Launches>
  cudaGraphExec_t find(Key key, int64_t count, bool repeated, const Launches& launches) {
    Graph graph;
    int64_t total = count;
    for (size_t i = kept_.size(); i-- > 0;) {
      total += kept_[i].launches;
      if (kept_[i].key != key) continue;
      total -= kept_[i].launches;
      graph = kept_[i];
      repeated = true;
      kept_.erase(kept_.begin() + i);
    }
    if (!graph.exec && repeated) {
      for (; !kept_.empty() && total > most_launches; kept_.erase(kept_.begin())) {
        total -= kept_.front().launches;
        if (kept_.front().exec) cudaGraphExecDestroy(kept_.front().exec); // where it runs, when it has ended
      }
      graph.exec = record(launches);
      graph.launches = graph.exec ? count : 0;
    }
    if (kept_.size() == most_graphs) {
      if (kept_.front().exec) cudaGraphExecDestroy(kept_.front().exec);
      kept_.erase(kept_.begin());
    }
    graph.key = std::move(key);
    kept_.push_back(graph);
    return graph.exec;
  }

public:
  // step(stream) `count` times; each launches `launches` kernels, always the same ones where `arguments` are.
  template <class Step, class... Arguments>
  void repeat(int64_t count, int64_t launches, const Step& step, cudaStream_t stream,
              const Arguments&... arguments) {
    // As many steps a graph as leave the fewest over.
    const int64_t most = launches < 128 ? 128 / launches : 1;
    int64_t steps = count < most ? count : most;
    for (int64_t fewer = steps - 1; fewer > most / 2; --fewer)
      if (count % fewer < count % steps) steps = fewer;
    int64_t done = 0;
    if (count * launches >= 16 && !records_itself(stream)) {
      const Lock lock(mutex_);
      const auto all = [&](cudaStream_t on) {
        for (int64_t i = 0; i < steps; ++i) step(on);
      };
      const auto exec = find(key_of(steps, arguments...), steps * launches, count >= 4 * steps, all);
      while (exec && done + steps <= count && cudaGraphLaunch(exec, stream) == cudaSuccess) done += steps;
    }
    for (; done < count; ++done) step(stream);
  }
  // loop(stream), which launches `launches` kernels in each of `count` iterations.
  template <class Loop, class... Arguments>
  void replay(int64_t count, int64_t launches, const Loop& loop, cudaStream_t stream,
              const Arguments&... arguments) {
    if (count * launches >= 16 && count * launches <= most_launches && !records_itself(stream)) {
      const Lock lock(mutex_);
      const auto exec = find(key_of(arguments...), count * launches, false, loop);
      if (exec && cudaGraphLaunch(exec, stream) == cudaSuccess) return;
    }
    loop(stream);
  }
};

//@ Arena
// Hands out parts of the workspace, each on a boundary of 256 bytes.
struct Arena {
  char* next;
  explicit Arena(void* workspace) : next(static_cast<char*>(workspace)) {}
  template <class T> static size_t size(int64_t count) {
    return (size_t(count > 0 ? count : 0) * sizeof(T) + 255) / 256 * 256;
  }
  template <class T> T* take(int64_t count) {
    char* part = next;
    next += size<T>(count);
    return reinterpret_cast<T*>(part);
  }
};

//@ Temporary
// A temporary array on the device, uninitialised; `data` is null when there is no memory.
template <class T> struct Temporary {
  T* data = nullptr;
  cudaStream_t stream;
  Temporary(int64_t count, cudaStream_t on) : stream(on) {
    const size_t bytes = size_t(count > 0 ? count : 1) * sizeof(T);
    if (cudaMallocAsync(reinterpret_cast<void**>(&data), bytes, stream) != cudaSuccess) data = nullptr;
  }
  Temporary(const Temporary&) = delete;
  ~Temporary() { cudaFreeAsync(data, stream); }
};

//@ fetch : check
// Copies one element from the device, after all that was launched before.
template <class T> int fetch(T* target, const T* source, cudaStream_t stream) {
  const cudaError_t copied = cudaMemcpyAsync(target, source, sizeof(T), cudaMemcpyDeviceToHost, stream);
  return check(copied == cudaSuccess ? cudaStreamSynchronize(stream) : copied);
}
