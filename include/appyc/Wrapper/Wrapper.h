//===- Wrapper.h - the Python ctypes module, the C header and the dependency file -----------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <string>
#include <string_view>
#include <vector>

namespace appyc::wrapper {

/// A Python function that is called with arrays of what it takes. Its entries are functions of the module, which take
/// each operand as a vector with an offset and strides (or, where it is general, as rows of small arrays).
struct Ufunc {
  struct Row {
    std::vector<std::string> inputs, outputs; ///< NumPy's names of types
    std::vector<bool> isVector; ///< of inputs without axes: whether the entry takes vectors of one
    std::string entry, fold;    ///< names of functions; the latter reduces and may be empty
  };
  std::string name, docstring, identity;
  std::vector<Row> rows;
  std::string layout; ///< of a general one, "(m,n),(n)->(m)", else empty
  std::vector<std::vector<std::string>> inputAxes, outputAxes;
};

struct Options {
  bool cuda = true;
  std::string version, sourceName, command;
  std::string libraryStem;  ///< "kernel": the wrapper loads libkernel.so beside itself
  std::string symbolPrefix; ///< of the library's symbols: "appyc_kernel_"
  std::string buildLine;    ///< the command that makes the library, for the message of a call without one
  std::string codeHash;     ///< of the file that the library is made from (target::Code)
  std::vector<Ufunc> ufuncs{};
  bool standsAlone = true; ///< without runtimeModule() beside it
};
/// Text of <stem>_host.py. Depends on NumPy alone.
std::string pythonModule(const ir::Module&, const Options&);
/// What modules of a folder share, and the file's name.
const std::string& runtimeModule();
inline constexpr std::string_view runtimeName = "appyc_runtime.py";
/// Text of <stem>.h: compiles as C11 and C++.
std::string header(const ir::Module&, const Options&);

/// `path` as make and ninja read it back.
std::string escapeForMake(std::string_view path);
/// Text of a make/ninja dependency file: `targets: inputs`, paths as given. The inputs are escaped here; the
/// targets stand as they are. With `phony`, an empty rule for each input.
std::string depfile(const std::vector<std::string>& targets, const std::vector<std::string>& inputs,
                    bool phony);

} // namespace appyc::wrapper
