//===- Launch.h - kernel launches ---------------------------------------------------------------------===//
// rewrite_launches.py turns  kernel<<<grid, block, bytes, stream>>>(arguments)
// into                       (::emulation::Launch(grid, block, bytes, stream)("kernel") * kernel)(arguments)
#pragma once
#include "Api.h"
#include <memory>

namespace emulation {

/// A kernel with its arguments. `run` is called once for each thread and copies the arguments, as a GPU does.
struct Task {
  const char* name;
  const void* kernel;
  void (*run)(void* call);
  std::shared_ptr<void> call;
  size_t callBytes;
};
struct Shape {
  dim3 grid, block;
  size_t sharedBytes = 0;
  cudaStream_t stream = nullptr;
  bool cooperative = false;
  dim3 cluster;
};
cudaError_t launch(const Shape& shape, const Task& task);

template <class... Parameters> struct Call {
  void (*kernel)(Parameters...);
  std::tuple<Parameters...> arguments;
  static void run(void* call) {
    auto* self = static_cast<Call*>(call);
    std::apply(self->kernel, self->arguments);
  }
};

class Launch {
public:
  Launch(dim3 grid, dim3 block, size_t sharedBytes = 0, cudaStream_t stream = nullptr,
         bool cooperative = false, dim3 cluster = {})
      : shape_{grid, block, sharedBytes, stream, cooperative, cluster} {}
  Launch& operator()(const char* name) {
    name_ = name;
    return *this;
  }
  template <class... Parameters> auto operator*(void (*kernel)(Parameters...)) const {
    return [shape = shape_, name = name_, kernel](auto&&... arguments) {
      using KernelCall = Call<Parameters...>;
      std::tuple<Parameters...> values(
          static_cast<Parameters>(std::forward<decltype(arguments)>(arguments))...);
      auto call = std::make_shared<KernelCall>(KernelCall{kernel, std::move(values)});
      return launch(
          shape, {name, reinterpret_cast<const void*>(kernel), &KernelCall::run, call, sizeof(KernelCall)});
    };
  }

private:
  Shape shape_;
  const char* name_ = "?";
};

template <class... Parameters, size_t... Index>
cudaError_t launchWithPointers(const Launch& to, void (*kernel)(Parameters...), void** arguments,
                               std::index_sequence<Index...>) {
  return (to * kernel)(*static_cast<std::remove_reference_t<Parameters>*>(arguments[Index])...);
}

} // namespace emulation

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
  bool cooperative = false;
  dim3 cluster;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config->attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative) cooperative = attribute.val.cooperative;
    if (attribute.id == cudaLaunchAttributeClusterDimension)
      cluster = {attribute.val.clusterDim.x, attribute.val.clusterDim.y, attribute.val.clusterDim.z};
  }
  ::emulation::Launch to(config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream,
                         cooperative, cluster);
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
