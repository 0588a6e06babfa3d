//===- Launch.h - kernel launches ---------------------------------------------------------------------===//
// rewrite_launches.py turns  kernel<<<grid, block, bytes, stream>>>(arguments)
// into                       (::emulation::Launch(grid, block, bytes, stream)("kernel") * kernel)(arguments)
#pragma once
#include "Api.h"
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace emulation {

/// A kernel with its arguments. `run` is called once for each thread and copies the arguments, as a GPU does.
struct Task {
  const char* name;
  const void* kernel;
  void (*run)(void* call);
  std::shared_ptr<void> call;
  size_t callBytes;
  std::vector<void*> callers = {}; ///< host code that launched it, from the inside out; check mode only
};
struct Shape {
  dim3 grid, block;
  size_t sharedBytes = 0;
  cudaStream_t stream = nullptr;
  bool cooperative = false;
  dim3 cluster;
  const char* strides =
      ""; ///< axes over which the kernel takes what other blocks leave: "xy"; X: but its first
  bool overlapping = false; ///< may begin before the kernel before it has ended
};
cudaError_t launch(const Shape& shape, const Task& task);

/// Memory for a task's `call`.
inline std::shared_ptr<void> callMemory(size_t bytes) {
  return std::shared_ptr<void>(::operator new(bytes), [](void* memory) { ::operator delete(memory); });
}

/// `kernel<<<shape>>>`, to be called. Little is instantiated for each kernel: generated files have hundreds.
template <class... Parameters> struct Launcher {
  Shape shape;
  const char* name;
  void (*kernel)(Parameters...);
  cudaError_t operator()(Parameters... arguments) const {
    const auto body = [kernel = kernel, arguments...] { kernel(arguments...); };
    using Body = std::remove_const_t<decltype(body)>;
    static_assert(std::is_trivially_destructible_v<Body>);
    const std::shared_ptr<void> call = callMemory(sizeof(Body));
    new (call.get()) Body(body);
    return launch(shape, {name, reinterpret_cast<const void*>(kernel),
                          [](void* made) { (*static_cast<const Body*>(made))(); }, call, sizeof(Body)});
  }
};

class Launch {
public:
  Launch(dim3 grid, dim3 block, size_t sharedBytes = 0, cudaStream_t stream = nullptr,
         bool cooperative = false, dim3 cluster = {}, bool overlapping = false)
      : shape_{grid, block, sharedBytes, stream, cooperative, cluster, "", overlapping} {}
  Launch& operator()(const char* name, const char* strides) {
    name_ = name;
    shape_.strides = strides;
    return *this;
  }
  template <class... Parameters> Launcher<Parameters...> operator*(void (*kernel)(Parameters...)) const {
    return {shape_, name_, kernel};
  }

private:
  Shape shape_;
  const char* name_ = "?";
};

/// Made by rewrite_launches.py around the call of a function template that launches its argument, a kernel: says what
/// a launch by the kernel's own name would.
class LaunchInside {
public:
  LaunchInside(const char* name, const char* strides);
  LaunchInside(const LaunchInside&) = delete;
  ~LaunchInside();
};

template <class... Parameters, size_t... Index>
cudaError_t launchWithPointers(const Launch& to, void (*kernel)(Parameters...), void** arguments,
                               std::index_sequence<Index...>) {
  return (to * kernel)(*static_cast<std::remove_reference_t<Parameters>*>(arguments[Index])...);
}

/// Made by build.py: a module says which lines of its .cu file come from which lines of the Python file, in
/// pairs.
struct SourceLines {
  SourceLines(const char* python, const char* pairs);
};

/// Made by rewrite_launches.py: an array that is part of an allocation. It is new memory, and its neighbours
/// in the allocation are out of its bounds.
void notePart(void* begin, size_t bytes);
template <class T> T* part(T* begin, int64_t count) {
  notePart(begin, count > 0 ? size_t(count) * sizeof(T) : 0);
  return begin;
}

} // namespace emulation

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
  bool cooperative = false, overlapping = false;
  dim3 cluster;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config->attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative) cooperative = attribute.val.cooperative;
    if (attribute.id == cudaLaunchAttributeClusterDimension)
      cluster = {attribute.val.clusterDim.x, attribute.val.clusterDim.y, attribute.val.clusterDim.z};
    if (attribute.id == cudaLaunchAttributeProgrammaticStreamSerialization)
      overlapping = attribute.val.programmaticStreamSerializationAllowed;
  }
  ::emulation::Launch to(config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream,
                         cooperative, cluster, overlapping);
  return (to * kernel)(std::forward<Arguments>(arguments)...);
}

template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                             size_t sharedBytes = 0, cudaStream_t stream = nullptr) {
  return ::emulation::launchWithPointers({grid, block, sharedBytes, stream}, kernel, arguments,
                                         std::index_sequence_for<Parameters...>());
}

template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                        void** arguments, size_t sharedBytes = 0,
                                        cudaStream_t stream = nullptr) {
  return ::emulation::launchWithPointers({grid, block, sharedBytes, stream, true}, kernel, arguments,
                                         std::index_sequence_for<Parameters...>());
}
