//===- Stream.cpp - streams, errors, device properties ------------------------------------------------===//
#include "Stream.h"
#include <cstdlib>

struct CUstream_st {};

namespace emulation {

static cudaError_t lastError = cudaSuccess;

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) lastError = error;
  return error;
}

} // namespace emulation
using namespace emulation;

extern "C" {

cudaError_t cudaGetLastError() { return std::exchange(lastError, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return lastError; }

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
  case cudaSuccess: return "no error";
  case cudaErrorInvalidValue: return "invalid argument";
  case cudaErrorMemoryAllocation: return "out of memory";
  case cudaErrorInvalidConfiguration: return "invalid configuration argument";
  case cudaErrorCooperativeLaunchTooLarge: return "too many blocks in cooperative launch";
  case cudaErrorInvalidClusterSize: return "invalid cluster size";
  case cudaErrorIllegalState: return "the operation cannot be performed in the present state";
  case cudaErrorStreamCaptureUnsupported: return "operation not permitted when stream is capturing";
  case cudaErrorStreamCaptureInvalidated: return "operation failed due to a previous error during capture";
  case cudaErrorStreamCaptureUnmatched: return "the capture was not initiated in this stream";
  case cudaErrorStreamCaptureImplicit:
    return "operation would make the legacy stream depend on a capturing stream";
  default: return "unknown error";
  }
}
const char* cudaGetErrorName(cudaError_t error) { return cudaGetErrorString(error); }

cudaError_t cudaDeviceSynchronize() { return notInCapture(); }
cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int device) { return remember(device == 0 ? cudaSuccess : cudaErrorInvalidValue); }
cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
  case cudaDevAttrMaxThreadsPerBlock: *value = 1024; break;
  case cudaDevAttrMultiProcessorCount: *value = kMultiprocessors; break;
  case cudaDevAttrMaxThreadsPerMultiProcessor: *value = 2048; break;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = int(kMaxSharedBytes); break;
  case cudaDevAttrComputeCapabilityMajor: *value = 9; break;
  case cudaDevAttrComputeCapabilityMinor: *value = 0; break;
  case cudaDevAttrCooperativeLaunch: *value = !getenv("APPYC_EMULATION_APART"); break;
  case cudaDevAttrMaxBlocksPerMultiprocessor: *value = int(kBlocksPerMultiprocessor); break;
  case cudaDevAttrClusterLaunch: *value = 1; break;
  case cudaDevAttrMaxSharedMemoryPerBlock: *value = 48 * 1024; break;
  case cudaDevAttrL2CacheSize: *value = 1 << 20; break;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = int(kMaxSharedBytes); break;
  default: return remember(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {"emulation", kMultiprocessors, 1024,           32, 9, 0, 1,
                 48 * 1024,   kMaxSharedBytes,  size_t(1) << 34};
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return *stream = new CUstream_st, cudaSuccess; }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return cudaStreamCreate(stream); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return delete stream, cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return notInCapture(stream); }
}
