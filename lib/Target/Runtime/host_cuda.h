//===- host_cuda.h - memory, launches and errors of the cuda target ------------------------------------===//
#pragma once
#include "arithmetic.h"
#include "device.cuh"
#include "host.h"

//@ check : fail
inline int check(cudaError_t error) {
  if (error == cudaSuccess) return Ok;
  return fail(error == cudaErrorMemoryAllocation ? MemoryError : RuntimeError, cudaGetErrorString(error));
}

//@ clear complex_clear
// Zero is bytes of 0 in all types.
template <class T> void clear(T* array, int64_t count, cudaStream_t stream) {
  if (count > 0) cudaMemsetAsync(array, 0, size_t(count) * sizeof(T), stream);
}

//@ call_packed call_with
// The function with its arguments, pointers and integers, from an array.
template <class... Types, size_t... places>
int call_with(int (*function)(Types...), const uint64_t* values, std::index_sequence<places...>) {
  return function((Types)values[places]...);
}
template <class... Types> int call_packed(int (*function)(Types...), const uint64_t* values) {
  return call_with(function, values, std::index_sequence_for<Types...>());
}

//@ with_index_type : fits_int32 check
// Calls `run` with a 0 of the type that indices into arrays with these extents need. What it launches may have failed, unless
// it tells itself.
template <class Run>
int with_index_type(std::initializer_list<std::initializer_list<int64_t>> shapes, Run run) {
  const auto chosen = [&] { return fits_int32(shapes) ? run(int32_t(0)) : run(int64_t(0)); };
  if constexpr (std::is_void_v<decltype(chosen())>) {
    chosen();
    return check(cudaGetLastError());
  } else {
    return chosen();
  }
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

//@ blocks_for
// The grid for so many blocks, but at least one; kernels stride over what exceeds the hardware's limits.
inline dim3 blocks_for(int64_t x, int64_t y = 1, int64_t z = 1) {
  const auto within = [](int64_t n) { return unsigned(n < 1 ? 1 : n < 65535 ? n : 65535); };
  return dim3(within(x), within(y), within(z));
}

//@ blocks_for_vectors : blocks_for
// The same where each thread takes `width` elements along x.
inline dim3 blocks_for_vectors(int width, int64_t x, int64_t y = 1, int64_t z = 1) {
  dim3 grid = blocks_for(x, y, z);
  grid.x = (grid.x + width - 1) / width;
  return grid;
}

//@ lanes_of_row : power_of_two
// Lanes for each of `rows` rows, a power of two: one an element of a short row, or where there are many rows one every
// four, which are neighbours in memory still and leave fewer folds; `most` for a long row.
inline int64_t lanes_of_row(int64_t length, int64_t rows, int64_t most) {
  const int64_t elements = rows >= 1024 ? 4 : 1;
  return length <= elements * 32 ? power_of_two((length + elements - 1) / elements) : most;
}

//@ columns_of_block : power_of_two
// Of a block's threads those along a row: as many as it has elements where these are few, so that neighbours in a warp
// are neighbours in memory, otherwise what `most_rows` rows leave, or as many as there are.
inline int64_t columns_of_block(int64_t length, int64_t rows, int64_t threads, int64_t most_rows) {
  if (length <= 64) return length > 1 ? length : 1;
  const int64_t beside = power_of_two(rows);
  return threads / (beside < most_rows ? beside : most_rows);
}

//@ blocks_of : blocks_for ceil_div
// The grid of such blocks for so many threads, but at least one block.
inline dim3 blocks_of(dim3 block, int64_t x, int64_t y, int64_t z = 1) {
  return blocks_for(ceil_div(x, block.x), ceil_div(y, block.y), ceil_div(z, block.z));
}

//@ blocks_of_vectors : blocks_for_vectors ceil_div
// The same where each thread takes `width` elements along x.
inline dim3 blocks_of_vectors(int width, dim3 block, int64_t x, int64_t y, int64_t z = 1) {
  return blocks_for_vectors(width, ceil_div(x, block.x), ceil_div(y, block.y), ceil_div(z, block.z));
}

//@ block_of
// A block with so many threads along x.
inline dim3 block_of(int64_t x, int64_t threads) { return dim3(unsigned(x), unsigned(threads / x)); }

//@ block_of_rows : lanes_of_row block_of
// A block whose threads along x share a row: at most so many.
inline dim3 block_of_rows(int64_t length, int64_t rows, int64_t threads, int64_t most = 1024) {
  return block_of(lanes_of_row(length, rows, most < threads ? most : threads), threads);
}

//@ block_of_columns : columns_of_block block_of
inline dim3 block_of_columns(int64_t length, int64_t rows, int64_t threads, int64_t most_rows) {
  return block_of(columns_of_block(length, rows, threads, most_rows), threads);
}

//@ block_of_planes
// A block with so many threads along x, and along y as there are rows; the others take further planes, of which 64 are most.
inline dim3 block_of_planes(int64_t columns, int64_t rows, int64_t threads) {
  const int64_t most = threads / columns, y = rows < 1 ? 1 : rows < most ? rows : most, z = most / y;
  return dim3(unsigned(columns), unsigned(y), unsigned(z < 64 ? z : 64));
}

//@ is_code_of_90
// Whether the code in use of a kernel, and so of all of its type, was built for compute capability 9.0 or newer; older
// code, which newer devices run as well, knows neither clusters nor waits for the previous kernel.
template <class Kernel> bool is_code_of_90(Kernel kernel) {
  int device = 0;
  cudaGetDevice(&device);
  thread_local int asked = -1; // which device
  thread_local bool answer = false;
  if (asked != device) {
    cudaFuncAttributes code{};
    answer = cudaFuncGetAttributes(&code, kernel) == cudaSuccess && code.ptxVersion >= 90;
    if (!answer) cudaGetLastError();
    asked = device;
  }
  return answer;
}

//@ launch_config
// A launch with one attribute, which has to live as long.
inline cudaLaunchConfig_t launch_config(dim3 grid, dim3 threads, cudaStream_t stream,
                                        cudaLaunchAttribute& attribute) {
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = threads;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return config;
}

//@ launch_overlapping : is_code_of_90 launch_config
// A launch that may begin while the kernel before it in the stream still runs, for which it waits itself.
template <class Kernel, class... Arguments>
void launch_overlapping(Kernel kernel, dim3 grid, dim3 threads, cudaStream_t stream, Arguments... arguments) {
  if (!is_code_of_90(kernel)) {
    kernel<<<grid, threads, 0, stream>>>(arguments...);
    return;
  }
  cudaLaunchAttribute overlaps{};
  overlaps.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlaps.val.programmaticStreamSerializationAllowed = 1;
  const cudaLaunchConfig_t config = launch_config(grid, threads, stream, overlaps);
  cudaLaunchKernelEx(&config, kernel, arguments...);
}

//@ fill_elements fill_each : wait_for_previous_kernel blocks_for
template <class T> __global__ void fill_each(T* __restrict__ array, int64_t count, T value) {
  wait_for_previous_kernel(); // if the launch overlaps
  for (int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    array[i] = value;
}
// `count` elements of the array become `value`.
template <class T>
void fill_elements(T* array, int64_t count, std::common_type_t<T> value, cudaStream_t stream) {
  if (count > 0) fill_each<T><<<blocks_for((count + 255) / 256), 256, 0, stream>>>(array, count, value);
}
//@ fill_elements_early : fill_elements launch_overlapping
// Likewise, by a launch that overlaps.
template <class T>
void fill_elements_early(T* array, int64_t count, std::common_type_t<T> value, cudaStream_t stream) {
  if (count > 0)
    launch_overlapping(fill_each<T>, blocks_for((count + 255) / 256), 256, stream, array, count, value);
}

//@ copy_elements copy_each : wait_for_previous_kernel blocks_for
template <class T>
__global__ void copy_each(T* __restrict__ target, const T* __restrict__ source, int64_t count) {
  wait_for_previous_kernel(); // if the launch overlaps
  for (int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    target[i] = source[i];
}
// `count` elements of another array.
template <class T>
void copy_elements(T* target, const std::common_type_t<T>* source, int64_t count, cudaStream_t stream) {
  if (count > 0) copy_each<T><<<blocks_for((count + 255) / 256), 256, 0, stream>>>(target, source, count);
}
//@ copy_elements_early : copy_elements launch_overlapping
// Likewise, by a launch that overlaps.
template <class T>
void copy_elements_early(T* target, const std::common_type_t<T>* source, int64_t count, cudaStream_t stream) {
  if (count > 0)
    launch_overlapping(copy_each<T>, blocks_for((count + 255) / 256), 256, stream, target, source, count);
}

//@ launch_cluster : is_code_of_90 launch_config
// One launch of one cluster of blocks; of one block, which computes the same, where the device has none of that size.
template <auto kernel, class... Arguments>
void launch_cluster(int blocks, int threads, cudaStream_t stream, Arguments... arguments) {
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {unsigned(blocks), 1, 1};
  const cudaLaunchConfig_t config = launch_config(unsigned(blocks), unsigned(threads), stream, cluster);
  int device = 0;
  cudaGetDevice(&device);
  thread_local int asked = -1; // which device
  thread_local bool fits = false;
  if (asked != device) {
    int clusters = 0;
    fits = is_code_of_90(kernel) &&
           cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) == cudaSuccess &&
           cudaOccupancyMaxActiveClusters(&clusters, kernel, &config) == cudaSuccess && clusters > 0;
    if (!fits) cudaGetLastError();
    asked = device;
  }
  if (fits && cudaLaunchKernelEx(&config, kernel, arguments...) == cudaSuccess) return;
  if (fits) cudaGetLastError();
  kernel<<<1, threads, 0, stream>>>(arguments...);
}

//@ resident_blocks
// How many blocks of a kernel the device runs at once, if each takes so many bytes of shared memory beside what the
// kernel always takes. A multiprocessor has registers for `threads_at_once`.
inline int64_t resident_blocks(int64_t threads, int64_t threads_at_once, int64_t bytes) {
  const int64_t always = 4096, most_bytes = 49152;
  if (bytes < 0 || bytes + always > most_bytes) return 0;
  int device = 0, cooperates = 0, processors = 0, most_blocks = 0, most_threads = 0, shared = 0;
  cudaGetDevice(&device);
  const auto ask = [&](int& answer, cudaDeviceAttr what) {
    return cudaDeviceGetAttribute(&answer, what, device) == cudaSuccess;
  };
  if (!ask(cooperates, cudaDevAttrCooperativeLaunch) || !cooperates ||
      !ask(processors, cudaDevAttrMultiProcessorCount) ||
      !ask(most_blocks, cudaDevAttrMaxBlocksPerMultiprocessor) ||
      !ask(most_threads, cudaDevAttrMaxThreadsPerMultiProcessor) ||
      !ask(shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor))
    return 0;
  const int64_t at_once = most_threads < threads_at_once ? most_threads : threads_at_once;
  const int64_t by_threads = at_once / threads, by_memory = shared / (bytes + always);
  const int64_t fit = by_threads < by_memory ? by_threads : by_memory;
  return processors * (fit < most_blocks ? fit : most_blocks);
}

//@ launch_resident : launch_config
// A launch whose blocks all run at once, each with so many bytes of shared memory. No step has been posted before, to none
// of the counters.
template <auto kernel, class... Arguments>
void launch_resident(int64_t blocks, int threads, int64_t bytes, int64_t* progress, int64_t counters,
                     cudaStream_t stream, Arguments... arguments) {
  cudaMemsetAsync(progress, 0x80, size_t(counters) * sizeof(*progress), stream); // less than any step
  cudaLaunchAttribute at_once{};
  at_once.id = cudaLaunchAttributeCooperative;
  at_once.val.cooperative = 1;
  cudaLaunchConfig_t config = launch_config(unsigned(blocks), unsigned(threads), stream, at_once);
  config.dynamicSmemBytes = size_t(bytes);
  cudaLaunchKernelEx(&config, kernel, arguments...);
}

//@ launch_cooperative : launch_config
// A launch whose blocks wait for each other, so that all run at once; an error where the device has no room for them.
template <auto kernel, class... Arguments>
void launch_cooperative(dim3 grid, dim3 threads, int64_t bytes, cudaStream_t stream, Arguments... arguments) {
  cudaLaunchAttribute at_once{};
  at_once.id = cudaLaunchAttributeCooperative;
  at_once.val.cooperative = 1;
  cudaLaunchConfig_t config = launch_config(grid, threads, stream, at_once);
  config.dynamicSmemBytes = size_t(bytes);
  cudaLaunchKernelEx(&config, kernel, arguments...);
}

//@ allow_shared
// A launch may ask for more shared memory than the 48 KiB that each kernel has.
template <auto kernel> void allow_shared(int64_t bytes) {
  if (bytes > 49152) cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
}

//@ are_aligned
// Whether all arrays begin at multiples of 16 bytes, which is as much as a thread loads at once.
inline bool are_aligned(std::initializer_list<const void*> arrays) {
  for (const void* array : arrays)
    if (reinterpret_cast<uintptr_t>(array) % 16 != 0) return false;
  return true;
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
// Replays launches: from a graph one costs the device 1 us, from the host 3 us, and the host starts a graph in the
// time of one. Graphs are kept for calls with the same arguments, the oldest given up for new ones.
class Graphs {
protected:
  struct Key {
    size_t size = 0;
    char bytes[1024];
    void append(const void* from, size_t count) {
      memcpy(bytes + size, from, count);
      size += count;
    }
    bool operator==(const Key& other) const {
      return size == other.size && memcmp(bytes, other.bytes, size) == 0;
    }
  };
  struct Graph {
    Key key;
    cudaGraphExec_t exec = nullptr;
    int64_t launches = 0;
  };
  static constexpr int most_graphs = 16;
  static constexpr int64_t most_launches = 8192; // of the graphs kept
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  Graph kept_[most_graphs]; // in the order of their last use
  int count_ = 0;

  static bool records_itself(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(stream, &status) != cudaSuccess || status != cudaStreamCaptureStatusNone;
  }
  // So many arguments that a key has no room for them are launched from the host.
  template <class... Arguments> static constexpr bool has_key() {
    return (sizeof(Arguments) + ... + 16) <= sizeof(Key::bytes);
  }
  template <class... Arguments> static Key key_of(const Arguments&... arguments) {
    int device = 0;
    cudaGetDevice(&device);
    Key key;
    key.append(&device, sizeof(device));
    (key.append(&arguments, sizeof(arguments)), ...);
    return key;
  }
  Graph take(int i) {
    const Graph graph = kept_[i];
    for (--count_; i < count_; ++i) kept_[i] = kept_[i + 1];
    return graph;
  }
  void give_up_oldest() {
    if (const Graph oldest = take(0); oldest.exec)
      cudaGraphExecDestroy(oldest.exec); // where it runs, when it has ended
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
  template <class Record>
  cudaGraphExec_t find(const Key& key, int64_t count, bool repeated, const Record& record) {
    Graph graph;
    for (int i = 0; i < count_; ++i)
      if (kept_[i].key == key) {
        graph = take(i);
        repeated = true;
      }
    int64_t total = count;
    for (int i = 0; i < count_; ++i) total += kept_[i].launches;
    if (!graph.exec && repeated) {
      for (; count_ > 0 && total > most_launches; give_up_oldest()) total -= kept_[0].launches;
      graph.exec = record();
      graph.launches = graph.exec ? count : 0;
    }
    if (count_ == most_graphs) give_up_oldest();
    graph.key = key;
    kept_[count_++] = graph;
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
    if constexpr (has_key<Arguments...>())
      if (count * launches >= 16 && !records_itself(stream)) {
        const Lock lock(mutex_);
        const auto all = [&](cudaStream_t on) {
          for (int64_t i = 0; i < steps; ++i) step(on);
        };
        const auto exec = find(key_of(steps, arguments...), steps * launches, count >= 4 * steps,
                               [&] { return record(all); });
        while (exec && done + steps <= count && cudaGraphLaunch(exec, stream) == cudaSuccess) done += steps;
      }
    for (; done < count; ++done) step(stream);
  }
  // loop(stream), which launches `launches` kernels in each of `count` iterations; recorded when asked for again.
  template <class Loop, class... Arguments>
  void replay(int64_t count, int64_t launches, const Loop& loop, cudaStream_t stream,
              const Arguments&... arguments) {
    if constexpr (has_key<Arguments...>())
      if (count * launches > 2 && count * launches <= most_launches && !records_itself(stream)) {
        const Lock lock(mutex_);
        const auto exec = find(key_of(arguments...), count * launches, false, [&] { return record(loop); });
        if (exec && cudaGraphLaunch(exec, stream) == cudaSuccess) return;
      }
    loop(stream);
  }
};

//@ repeat_recorded : Graphs
// Graphs::repeat, with graphs that are kept for the next time.
template <class Step, class... Arguments>
void repeat_recorded(int64_t count, int64_t launches, const Step& step, cudaStream_t stream,
                     const Arguments&... arguments) {
  static Graphs graphs; // of this call: its step is a type of its own
  graphs.repeat(count, launches, step, stream, arguments...);
}

//@ replay_recorded : Graphs
// Graphs::replay, with graphs that are kept for the next time.
template <class Step, class... Arguments>
void replay_recorded(int64_t count, int64_t launches, const Step& step, cudaStream_t stream,
                     const Arguments&... arguments) {
  static Graphs graphs; // of this call: its step is a type of its own
  graphs.replay(count, launches, step, stream, arguments...);
}

//@ Arena
// Hands out parts of the workspace, each on a boundary of 256 bytes, for elements of the pointer's type that is set to one.
struct Arena {
  char* next;
  struct Part {
    Arena& arena;
    int64_t count;
    template <class T> operator T*() const {
      char* const part = arena.next;
      arena.next += size<T>(count);
      return reinterpret_cast<T*>(part);
    }
  };
  explicit Arena(void* workspace) : next(static_cast<char*>(workspace)) {}
  template <class T, class... Counts> static size_t size(Counts... counts) {
    return (((size_t(counts > 0 ? counts : 0) * sizeof(T) + 255) / 256 * 256) + ...);
  }
  Part take(int64_t count = 1) { return {*this, count}; }
};

//@ keep_temporaries
// The device's pool keeps up to 1 GiB of what temporaries give back: a synchronisation would return it to the system, from
// where a few bytes take 50 us, 400 MB 2 ms.
inline void keep_temporaries() {
  int device = 0;
  cudaGetDevice(&device);
  thread_local int asked = -1; // which device
  if (asked == device) return;
  asked = device;
  cudaMemPool_t pool;
  uint64_t kept = 0, wanted = uint64_t(1) << 30;
  if (cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess &&
      cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept) == cudaSuccess && kept < wanted)
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &wanted);
  cudaGetLastError(); // a device without pools has no temporaries, which is told where one is made
}

//@ Temporary : keep_temporaries
// A temporary array on the device, uninitialised; `data` is null when there is no memory.
template <class T> struct Temporary {
  T* data = nullptr;
  cudaStream_t stream;
  Temporary(int64_t count, cudaStream_t on) : stream(on) {
    keep_temporaries();
    const size_t bytes = size_t(count > 0 ? count : 1) * sizeof(T);
    if (cudaMallocAsync(reinterpret_cast<void**>(&data), bytes, stream) != cudaSuccess) data = nullptr;
  }
  Temporary(const Temporary&) = delete;
  ~Temporary() { cudaFreeAsync(data, stream); }
};

//@ fetch : check
// Copies elements from the device, each to the pointer before it, after all that was launched before.
inline int fetch(cudaStream_t stream) { return check(cudaStreamSynchronize(stream)); }
template <class T, class... More> int fetch(cudaStream_t stream, T* target, const T* source, More... more) {
  const cudaError_t copied = cudaMemcpyAsync(target, source, sizeof(T), cudaMemcpyDeviceToHost, stream);
  return copied == cudaSuccess ? fetch(stream, more...) : check(copied);
}
//@ fetch_results : fetch
// fetch, and the last that a function does: launches may have failed.
template <class... Arguments> int fetch_results(cudaStream_t stream, Arguments... arguments) {
  const int status = fetch(stream, arguments...), launched = check(cudaGetLastError());
  return status != Ok ? status : launched;
}
//@ holds : fetch
// What a word of the device says, after all that was launched before. No where it cannot be asked; the call reports that.
inline bool holds(const bool* word, cudaStream_t stream) {
  bool value = false;
  return fetch(stream, &value, word) == 0 && value;
}

//@ LoopGraphs : Graphs holds
#if CUDART_VERSION >= 12040 && !defined(APPYC_HOST_LOOPS)
__global__ void go_on_if(cudaGraphConditionalHandle handle, const bool* going) {
  cudaGraphSetConditional(handle, *going);
}
#endif
// Loops whose condition the device finds: graphs that repeat themselves, which the host starts once. compute-sanitizer
// (2025.3) checks what they launch against arrays that are gone: -DAPPYC_HOST_LOOPS has the host ask in each step.
class LoopGraphs : Graphs {
#if CUDART_VERSION >= 12040 && !defined(APPYC_HOST_LOOPS)
  template <class Step> static cudaGraphExec_t record_while(const bool* going, const Step& step) {
    cudaGraph_t graph = nullptr, captured = nullptr;
    cudaGraphExec_t exec = nullptr;
    cudaStream_t stream = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaGraphNodeParams loop{};
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    const auto is_added = [&] {
#if CUDART_VERSION >= 13000
      return cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop) == cudaSuccess;
#else
      return cudaGraphAddNode(&node, graph, nullptr, 0, &loop) == cudaSuccess;
#endif
    };
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess &&
        cudaGraphCreate(&graph, 0) == cudaSuccess &&
        cudaGraphConditionalHandleCreate(&loop.conditional.handle, graph, 1, cudaGraphCondAssignDefault) ==
            cudaSuccess &&
        is_added() &&
        cudaStreamBeginCaptureToGraph(stream, loop.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                      cudaStreamCaptureModeRelaxed) == cudaSuccess) {
      step(stream);
      go_on_if<<<1, 1, 0, stream>>>(loop.conditional.handle, going);
      if (cudaStreamEndCapture(stream, &captured) == cudaSuccess &&
          cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess)
        exec = nullptr;
    }
    if (graph) cudaGraphDestroy(graph);
    if (stream) cudaStreamDestroy(stream);
    if (!exec) cudaGetLastError(); // the launches are made from the host then
    return exec;
  }
#endif

public:
  // step(stream), which makes `launches` launches, always the same ones where `arguments` are, while *going.
  template <class Step, class... Arguments>
  void repeat_while(const bool* going, int64_t launches, const Step& step, cudaStream_t stream,
                    const Arguments&... arguments) {
    const int64_t few = 16; // steps that take as long as recording one
    for (int64_t done = 0; holds(going, stream); ++done) {
#if CUDART_VERSION >= 12040 && !defined(APPYC_HOST_LOOPS)
      if constexpr (has_key<Arguments...>())
        if ((done == 0 || done == few) && !records_itself(stream)) {
          const Lock lock(mutex_);
          const auto exec =
              find(key_of(arguments...), launches, done == few, [&] { return record_while(going, step); });
          if (exec && cudaGraphLaunch(exec, stream) == cudaSuccess) return;
        }
#endif
      step(stream);
    }
  }
};

//@ repeat_while_recorded : LoopGraphs
// LoopGraphs::repeat_while, with graphs that are kept for the next time.
template <class Step, class... Arguments>
void repeat_while_recorded(const bool* going, int64_t launches, const Step& step, cudaStream_t stream,
                           const Arguments&... arguments) {
  static LoopGraphs graphs; // of this call: its step is a type of its own
  graphs.repeat_while(going, launches, step, stream, arguments...);
}
