//===- Abi.h - the C interface of a function, as targets define it and wrappers call it ----------------===//
// All symbols begin with `appyc_STEM_` (symbolPrefix), so that files can be linked together and with any library.
// int ENTRY(params..., sizes..., results..., [void* workspace, cudaStream_t stream])
//   array parameter   T* (const T* when the function does not write it), C-contiguous, on the target's memory
//   scalar parameter  T by value; bool is uint8_t; complex is a struct {re, im}
//   size              int64_t
//   result            Array: T* (made by the caller, C-contiguous);  Scalar: T* in host memory
// size_t ENTRY_workspace(sizes..., scalar parameters...)   bytes of `workspace` (cuda only, where any may be needed)
// const char* error(void)                                  message of the calling thread's last failure
// const char* abi(void)                                    hash of the generated file's text
// Status: 0 success, else one of Status below.
// Targets with device memory (cuda) also export, for callers whose data is in host memory and for workspaces:
//   void* device_alloc(size_t bytes)                       null when there is not enough; see error()
//   int device_free(void*)                                 waits for work that may still use it
//   int copy_to_device(void* to, const void* from, size_t bytes)         done on return
//   int copy_to_host(void* to, const void* from, size_t bytes)           done on return
//   int synchronize(void* stream)                          waits for all work of the stream
//   int is_capturing(void* stream)                         1 while work of the stream goes into a graph
//   int device(void)                                       number of the current device, negative on failure
#pragma once
#include "appyc/IR/Names.h"
#include "appyc/IR/Nodes.h"
#include <string>
#include <vector>

namespace appyc::ir {

/// What an entry gives back. NotImplementedError: CPython would go on; what appyc takes for granted does not hold at
/// this call.
enum class Status {
  Ok = 0,
#define EXCEPTION(name) name,
#include "appyc/IR/Exceptions.def"
#undef EXCEPTION
};
bool isException(std::string_view name); ///< of Python's own
/// Status for Require::exception ("ValueError"); RuntimeError when unknown.
Status statusNamed(std::string_view exception);
std::string_view nameOf(Status status);

struct CParam {
  enum Role { ArrayIn, ArrayInOut, Scalar, Size, ResultArray, ResultScalar, Workspace, Stream } role;
  DType type = DType::I64;
  Symbol symbol;    ///< none for Workspace and Stream
  std::string name; ///< C identifier, unique in the entry
};
/// The parameters of the C entry, in order.
std::vector<CParam> entryParams(const Function&, bool cuda);
/// Are they many, and each fits 64 bits? Then there is ENTRY_packed(const uint64_t* values) too: callers from other languages
/// take long to hand over each.
bool hasPackedEntry(const Function&);
/// Those of ENTRY_workspace.
std::vector<CParam> workspaceParams(const Function&);
/// Is the parameter, itself or a view of it, what the function returns?
bool isGivenBack(const Function&, const Param&);
/// False: `workspace` may be null, and there is no ENTRY_workspace.
bool mayNeedWorkspace(const Function&);
/// Calls a library that keeps plans for later calls: PREFIXrelease_plans() frees them.
bool keepsPlans(const Function&);
bool keepsPlans(const Module&);
/// What its functions have Python print, each once: PREFIXon_print(callback) sets `int callback(int64_t number, const int64_t*
/// values)`, which is called with the number in this list; values are integers or the bits of doubles. Where it returns
/// something other than 0 the function stops with RuntimeError. Nothing is printed without a callback.
std::vector<Print> printsOf(const Module&);
/// Of the same pieces, with values of the same types?
bool isSamePrint(const Print&, const Print&);

} // namespace appyc::ir
