//===- exports.cuh - device memory for callers whose data is in host memory ----------------------------===//
#pragma once
#include "cufft.cuh"
#include "host_cuda.h"

//@ exports : check
// Device memory, for callers whose arrays are in host memory.
extern "C" void* APPY_EXPORT(device_alloc)(size_t bytes) {
  void* memory = nullptr;
  return check(cudaMalloc(&memory, bytes > 0 ? bytes : 1)) == Ok ? memory : nullptr;
}
extern "C" int APPY_EXPORT(device_free)(void* memory) { return check(cudaFree(memory)); }
extern "C" int APPY_EXPORT(copy_to_device)(void* to, const void* from, size_t bytes) {
  return check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}
extern "C" int APPY_EXPORT(copy_to_host)(void* to, const void* from, size_t bytes) {
  return check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}
extern "C" int APPY_EXPORT(synchronize)(void* stream) {
  return check(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)));
}
extern "C" int APPY_EXPORT(is_capturing)(void* stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(static_cast<cudaStream_t>(stream), &status);
  return status != cudaStreamCaptureStatusNone;
}
extern "C" int APPY_EXPORT(device)() {
  int device = -1;
  return check(cudaGetDevice(&device)) == Ok ? device : -1;
}

//@ release_plans : plans
// Frees what is kept of libraries for later calls; no call is being made, and no graph launched any more.
extern "C" void APPY_EXPORT(release_plans)() { plans().release(); }
