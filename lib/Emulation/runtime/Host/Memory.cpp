//===- Memory.cpp - device memory and copies ----------------------------------------------------------===//
// Device memory is host memory between pages that fault, filled with 0xff: what is read before it is written
// is nan.
#include "Memory.h"
#include "Check.h"
#include "Stream.h"
#include <cstring>
#include <map>
#include <mutex>
#include <sys/mman.h>

namespace emulation {

constexpr size_t kPage = 4096;
static std::map<const char*, Allocation> allocations;
static std::recursive_mutex mutex;

static size_t roundedToPages(size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

const Allocation* allocationBefore(const void* place) {
  std::lock_guard lock(mutex);
  auto after = allocations.upper_bound(static_cast<const char*>(place));
  return after == allocations.begin() ? nullptr : &std::prev(after)->second;
}

const Allocation* findAllocation(const void* place) {
  const Allocation* found = allocationBefore(place);
  return found && found->contains(place) ? found : nullptr;
}

/// Whether the bytes are device memory; reports a range that starts there and runs past its end.
static bool isDevice(const void* place, size_t bytes) {
  const Allocation* found = findAllocation(place);
  if (found && static_cast<const char*>(place) + bytes > found->begin + found->bytes)
    fail("a copy of %zu bytes runs past the end of a device allocation of %zu", bytes, found->bytes);
  return found != nullptr;
}

static bool kindMatches(const void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  bool toDevice = isDevice(to, bytes), fromDevice = isDevice(from, bytes);
  if (kind == cudaMemcpyDefault) return true;
  return toDevice == (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice) &&
         fromDevice == (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice);
}

/// Makes the bytes what new memory has.
static void forget(void* memory, size_t bytes) {
  std::memset(memory, 0xff, bytes);
  if (kCheck) noteUnwritten(memory, bytes);
}

static cudaError_t allocate(void** memory, size_t bytes, const void* place) {
  *memory = nullptr;
  if (bytes == 0) return cudaSuccess;
  size_t usable = roundedToPages(bytes);
  void* mapped = mmap(nullptr, kPage + usable + kPage, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return remember(cudaErrorMemoryAllocation);
  char* begin = static_cast<char*>(mapped) + kPage;
  mprotect(mapped, kPage, PROT_NONE);
  mprotect(begin + usable, kPage, PROT_NONE);
  std::memset(begin, 0xff, bytes);
  std::lock_guard lock(mutex);
  allocations[begin] = {begin, bytes, kCheck ? newCells(bytes) : nullptr, place, {}};
  *memory = begin;
  return cudaSuccess;
}

static cudaError_t release(void* memory) {
  if (!memory) return cudaSuccess;
  std::lock_guard lock(mutex);
  auto found = allocations.find(static_cast<char*>(memory));
  if (found == allocations.end()) {
    if (kCheck) fail("cudaFree of %p, which is no allocation", memory);
    return remember(cudaErrorInvalidValue);
  }
  munmap(found->second.begin - kPage, kPage + roundedToPages(found->second.bytes) + kPage);
  if (kCheck) deleteCells(found->second.cells);
  allocations.erase(found);
  return cudaSuccess;
}

void notePart(void* begin, size_t bytes) {
  std::lock_guard lock(mutex);
  auto after = allocations.upper_bound(static_cast<char*>(begin));
  if (bytes == 0 || after == allocations.begin()) return;
  Allocation& whole = std::prev(after)->second;
  auto& parts = whole.parts;
  if (begin == whole.begin) parts.clear(); // is given out anew
  parts[static_cast<char*>(begin)] = bytes;
  forget(begin, bytes);
}

} // namespace emulation
using namespace emulation;

extern "C" {

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  *memory = nullptr;
  if (cudaError_t error = notInCapture()) return error;
  return allocate(memory, bytes, __builtin_return_address(0));
}
cudaError_t cudaFree(void* memory) {
  if (cudaError_t error = notInCapture()) return error;
  return release(memory);
}

// Memory of a graph is there before its first launch and until the graph is gone, but its contents are not.
cudaError_t cudaMallocAsync(void** memory, size_t bytes, cudaStream_t stream) {
  cudaError_t error = allocate(memory, bytes, __builtin_return_address(0));
  if (error != cudaSuccess || !stream || !isCapturing(stream)) return error;
  keepWithGraph(stream, std::shared_ptr<void>(*memory, release));
  return submit(stream, [begin = *memory, bytes] { forget(begin, bytes); });
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
  if (!memory || !stream || !isCapturing(stream)) return release(memory);
  const Allocation* found = findAllocation(memory);
  if (!found) return remember(cudaErrorInvalidValue);
  return submit(stream, [memory, bytes = found->bytes] { forget(memory, bytes); });
}

// What is freed is gone, whatever the pool should keep.
static uint64_t releaseThreshold = 0;
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
  *pool = nullptr;
  return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void* value) {
  std::memcpy(value, &releaseThreshold, sizeof(releaseThreshold));
  return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void* value) {
  std::memcpy(&releaseThreshold, value, sizeof(releaseThreshold));
  return cudaSuccess;
}

/// For the tests: all memory should have been freed by now.
void emulationCheckLeaks() {
  if (!kCheck) return;
  size_t bytes = 0;
  for (auto& [begin, allocation] : allocations) bytes += allocation.bytes;
  if (allocations.empty()) return;
  const Allocation& first = allocations.begin()->second;
  fail("leak: %zu allocations of %zu bytes together, one of them of %zu bytes at %s", allocations.size(),
       bytes, first.bytes, describePlace(first.place).c_str());
}

/// Where the host keeps copies of whole arrays, of which nobody may have written all.
static std::map<const char*, size_t> pinned;
static bool isPinned(const void* memory) {
  const std::lock_guard lock(mutex);
  const auto* at = static_cast<const char*>(memory);
  const auto after = pinned.upper_bound(at);
  return after != pinned.begin() && at < std::prev(after)->first + std::prev(after)->second;
}
cudaError_t cudaMallocHost(void** memory, size_t bytes) {
  *memory = std::malloc(bytes ? bytes : 1);
  if (!*memory) return remember(cudaErrorMemoryAllocation);
  const std::lock_guard lock(mutex);
  pinned[static_cast<const char*>(*memory)] = bytes;
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) {
  const std::lock_guard lock(mutex);
  pinned.erase(static_cast<const char*>(memory));
  return std::free(memory), cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  if (!kindMatches(to, from, bytes, kind)) return remember(cudaErrorInvalidValue);
  return submit(stream, [=] {
    std::memmove(to, from, bytes);
    if (kCheck && !isPinned(to)) noteCopy(to, from, bytes);
  });
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  if (cudaError_t error = notInCapture()) return error;
  return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  for (size_t row = 0; row < height; ++row) {
    auto error = cudaMemcpyAsync(static_cast<char*>(to) + row * toPitch,
                                 static_cast<const char*>(from) + row * fromPitch, width, kind, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  if (!isDevice(memory, bytes)) return remember(cudaErrorInvalidValue);
  return submit(stream, [=] {
    std::memset(memory, value, bytes);
    if (kCheck) noteCopy(memory, nullptr, bytes);
  });
}
cudaError_t cudaMemset(void* memory, int value, size_t bytes) {
  return cudaMemsetAsync(memory, value, bytes, nullptr);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* memory) {
  bool device = findAllocation(memory) != nullptr;
  void* place = const_cast<void*>(memory);
  *attributes = {device ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered, device ? 0 : -2,
                 device ? place : nullptr, device ? nullptr : place};
  return cudaSuccess;
}
}
