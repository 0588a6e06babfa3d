//===- Target.h - what a target is: a pass list and a lowering to text ------------------------------===//
#pragma once
#include "appyc/IR/Pass.h"
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace appyc::target {

/// What goes into the head comment and shapes the file, besides the module.
struct EmitOptions {
  std::string version;            ///< "appyc 0.1.0"
  std::string sourceName;         ///< base name of the Python file
  std::string command;            ///< the command that made the file, paths as given
  std::string outputName;         ///< base name of the file written: "kernel.cu"
  std::string symbolPrefix;       ///< of what the file exports: "appyc_kernel_"
  std::string buildLine;          ///< the command that makes the library
  const Source* source = nullptr; ///< for quoting source lines as comments; may be null
  bool fmad = true;
  Choices* choices = nullptr;              ///< of the schedule file; may be null
  std::vector<std::string> libraries = {}; ///< of --cpu-libraries
  std::string support = {};                ///< of --support: the header, as the file includes it
  std::vector<std::string> included =
      {}; ///< headers and, where no CUDA compiler links it, code that kernels call
};

/// The support code of all CUDA files as one header, and by which name they know it.
struct SupportHeader {
  std::string text, version;
};
SupportHeader supportHeader();

/// The values of --cpu-libraries, and whether one of them is what calls `library`.
inline constexpr std::string_view cpuLibraries[] = {"blas", "openblas", "lapack", "fftw"};
bool calls(const std::vector<std::string>& libraries, std::string_view library);

/// A generated file.
struct Code {
  std::string text;
  std::string hash; ///< 16 hex digits of the text, which the library gives as its `abi`
};

struct BuildOptions {
  bool cuda = true, emulated = false, fmad = true;
  std::string compiler;           ///< with options of its own; empty: nvcc, appyc-emulate or g++
  int capability;                 ///< of the device of --gpu, 90 for 9.0
  std::vector<std::string> archs; ///< of --arch, cuda; empty: code for the device, PTX for all others
  std::string march;              ///< of --march, cpu; empty: the compiler's default
  std::vector<std::string> libraries = {}; ///< of --cpu-libraries
  std::vector<std::string> links = {};     ///< files that nvcc links with it, as the shell takes them
};
/// The command that makes `library` from the generated `source`, both as the shell takes them.
std::string buildLine(const ir::Module&, const BuildOptions&, std::string_view source,
                      std::string_view library);

struct Target {
  std::string_view name;   ///< "cuda", "cpu", "emulate", "sequential"
  std::string_view suffix; ///< ".cu", ".cpp"
  bool cuda;               ///< the file is CUDA
  bool anyLevel; ///< emits what stands after any pass from lower-to-loops on; for finding wrong passes
  bool emulated; ///< the CPU runs the file, by way of appyc-emulate
  bool hasKernels() const { return cuda || anyLevel; }
  std::span<const ir::Pass> schedule;
  Code (*emit)(const ir::Module&, const EmitOptions&);               ///< the whole file, formatted
  std::string (*emitCxxTree)(const ir::Module&, const EmitOptions&); ///< --emit=cxx
  /// --emit=line-map: "12 3", line 12 of the text comes from line 3 of the source; such lines only.
  std::string (*emitLineMap)(const ir::Module&, const EmitOptions&);
};
const Target* targetNamed(std::string_view name);
std::span<const Target> allTargets();

} // namespace appyc::target
