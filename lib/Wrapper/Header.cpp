//===- Header.cpp - <stem>.h: the C declarations --------------------------------------------------------===//
#include "PythonModule.h"
#include "appyc/IR/Shapes.h"
#include <cctype>
#include <fmt/format.h>

namespace appyc::wrapper {

using namespace ir;

namespace {
constexpr size_t headerWidth = 100;

std::string elementType(DType type) {
  if (isComplex(type)) return type == DType::C64 ? "appyc_complex64" : "appyc_complex128";
  if (isFloat(type)) return type == DType::F32 ? "float" : "double";
  if (isBool(type)) return "uint8_t";
  return fmt::format("{}_t", numpyName(type));
}

std::string declaration(const CParam& param) {
  const std::string type = elementType(param.type);
  switch (param.role) {
  case CParam::ArrayIn: return fmt::format("const {}* {}", type, param.name);
  case CParam::ArrayInOut:
  case CParam::ResultArray:
  case CParam::ResultScalar: return fmt::format("{}* {}", type, param.name);
  case CParam::Scalar: return fmt::format("{} {}", type, param.name);
  case CParam::Size: return fmt::format("int64_t {}", param.name);
  case CParam::Workspace: return fmt::format("void* {}", param.name);
  case CParam::Stream: return fmt::format("struct CUstream_st* {}", param.name);
  }
  return {};
}

/// The items with `separator` between them; lines that get too long go on at column `indent`.
std::string wrapped(const std::vector<std::string>& items, const std::string& separator, size_t indent) {
  std::string text;
  size_t column = indent;
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? separator : "");
    if (i > 0 && column + item.size() > headerWidth) {
      text.erase(text.find_last_not_of(' ') + 1);
      text += "\n" + std::string(indent, ' ');
      column = indent;
    }
    text += item;
    column += item.size();
  }
  return text;
}

/// `result name(params);`, on several lines where one would be too long.
std::string prototype(const std::string& result, const std::string& name, const std::vector<CParam>& params) {
  std::vector<std::string> list;
  for (const CParam& param : params) list.push_back(declaration(param));
  if (list.empty()) list.emplace_back("void");
  const std::string joined = fmt::format("{}", fmt::join(list, ", "));
  const std::string head = fmt::format("{} {}(", result, name);
  if (head.size() + joined.size() + 2 <= headerWidth) return head + joined + ");\n";
  return head + wrapped(list, ", ", head.size()) + ");\n";
}

bool usesComplex(const Module& module, bool cuda, DType type) {
  for (const Function& function : module.functions)
    for (const CParam& param : entryParams(function, cuda))
      if (param.type == type && param.role <= CParam::ResultScalar) return true;
  return false;
}

/// Text that cannot end the comment it stands in.
std::string commentText(std::string text) {
  for (size_t at = text.find("*/"); at != std::string::npos; at = text.find("*/", at))
    text.replace(at, 2, "* /");
  return text;
}

std::string complexType(const char* name, const char* part) {
  std::string guard = fmt::format("{}_DEFINED", name);
  for (char& c : guard) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return fmt::format("#ifndef {0}\n#define {0}\ntypedef struct {{\n  {1} re, im;\n}} {2};\n#endif\n\n", guard,
                     part, name);
}

std::string deviceFunctions(const std::string& prefix) {
  return fmt::format(
      "/* Device memory. */\n"
      "void* {0}device_alloc(size_t bytes);\n"
      "int {0}device_free(void* memory);\n"
      "int {0}copy_to_device(void* to, const void* from, size_t bytes);\n"
      "int {0}copy_to_host(void* to, const void* from, size_t bytes);\n"
      "int {0}synchronize(struct CUstream_st* stream);\n"
      "int {0}device(void);\n"
      "/* 1 where the stream is being captured into a graph, which then goes on using a workspace. */\n"
      "int {0}is_capturing(struct CUstream_st* stream);\n",
      prefix);
}

/// `name(params) {` and what is done, in C++ alone.
std::string inlineFunction(const std::string& result, const std::string& name,
                           const std::vector<std::string>& params, const std::string& body) {
  const std::string head = fmt::format("inline {} {}(", result, name);
  return fmt::format("{}{}) {{\n  {}\n}}\n", head, wrapped(params, ", ", head.size()), body);
}

/// What the header for CUDA declares besides the entries, on the host's memory.
std::string asForCuda(const Module& module, const std::string& prefix) {
  std::string text =
      "#ifdef __cplusplus\n/* As for CUDA, so that one caller serves both: the device is the host. */\n"
      "#include <cstdlib>\n#include <cstring>\nstruct CUstream_st;\n";
  for (const Function& function : module.functions) {
    std::vector<std::string> params, names, sizes;
    for (const CParam& param : entryParams(function, false)) {
      params.push_back(declaration(param));
      names.push_back(param.name);
    }
    params.insert(params.end(), {"void*", "CUstream_st*"});
    const std::string name = prefix + function.entry, call = fmt::format("return {}(", name);
    text += inlineFunction("int", name, params, call + wrapped(names, ", ", call.size() + 2) + ");");
    for (const CParam& param : workspaceParams(function)) {
      const std::string declared = declaration(param);
      sizes.push_back(declared.substr(0, declared.size() - param.name.size() - 1)); // the type
    }
    text += inlineFunction("size_t", name + "_workspace", sizes, "return 0;");
  }
  text += inlineFunction("void*", prefix + "device_alloc", {"size_t bytes"},
                         "return std::malloc(bytes > 0 ? bytes : 1);");
  text += inlineFunction("int", prefix + "device_free", {"void* memory"}, "return std::free(memory), 0;");
  for (const char* copy : {"copy_to_device", "copy_to_host"})
    text += inlineFunction("int", prefix + copy, {"void* to", "const void* from", "size_t bytes"},
                           "return bytes > 0 ? (std::memcpy(to, from, bytes), 0) : 0;");
  text += inlineFunction("int", prefix + "synchronize", {"CUstream_st*"}, "return 0;");
  text += inlineFunction("int", prefix + "is_capturing", {"CUstream_st*"}, "return 0;");
  text += inlineFunction("int", prefix + "device", {}, "return 0;");
  if (keepsPlans(module)) text += inlineFunction("void", prefix + "release_plans", {}, "");
  return text + "#endif\n";
}
} // namespace

std::string header(const Module& module, const Options& options) {
  const std::string& prefix = options.symbolPrefix;
  std::string text = commentText(fmt::format("/* C interface of {}, as {} translated it.\n"
                                             "   Made by: {}\n   Do not edit.\n\n",
                                             options.sourceName, options.version, options.command));
  text += fmt::format("   Arrays are C-contiguous{}. Every function\n"
                      "   returns 0, or the kind of an error that {}error() describes: 1 value, 2 index,\n"
                      "   3 division by zero, 4 type, 5 memory, 6 other. */\n"
                      "#pragma once\n#include <stddef.h>\n#include <stdint.h>\n\n",
                      options.cuda ? " and lie in device memory, scalar results in host memory" : "", prefix);
  if (options.cuda) text += "struct CUstream_st; /* cudaStream_t is a pointer to it */\n\n";
  text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  if (usesComplex(module, options.cuda, DType::C64)) text += complexType("appyc_complex64", "float");
  if (usesComplex(module, options.cuda, DType::C128)) text += complexType("appyc_complex128", "double");
  for (const Function& function : module.functions) {
    const std::string name = fmt::format("/* {}: ", function.name);
    text += name + commentText(wrapped(describe(function), "; ", name.size())) + " */\n";
    for (const Param& param : function.params)
      if (param.drawn != Param::No)
        text += fmt::format("/* {}: random bits, new ones at each call. */\n", param.name.hint());
    text += prototype("int", prefix + function.entry, entryParams(function, options.cuda));
    if (!computedExtents(function).empty()) {
      text += "/* The extents of its results that are no sizes of arguments, one behind the other. */\n";
      text += prototype("int", prefix + function.entry + "_shapes", shapeParams(function));
    }
    if (options.cuda && !mayNeedWorkspace(function)) {
      text += fmt::format("/* It needs no `workspace`, which may be NULL. */\n"
                          "#define {}{}_workspace(...) ((size_t)0)\n",
                          prefix, function.entry);
    } else if (options.cuda) {
      text += "/* Bytes of `workspace`, in device memory, that it needs. */\n";
      text += prototype("size_t", prefix + function.entry + "_workspace", workspaceParams(function));
    }
    text += "\n";
  }
  if (options.cuda) text += deviceFunctions(prefix);
  if (options.cuda && keepsPlans(module))
    text += fmt::format("/* Frees what libraries keep for later calls; no call is being made then. */\n"
                        "void {}release_plans(void);\n",
                        prefix);
  if (options.cuda) text += "\n";
  text +=
      fmt::format("/* What went wrong in the calling thread's last failure. */\nconst char* {0}error(void);\n"
                  "/* Tells apart what was translated at different times. */\nconst char* {0}abi(void);\n\n",
                  prefix);
  text += "#ifdef __cplusplus\n}\n#endif\n";
  if (!options.cuda) text += "\n" + asForCuda(module, prefix);
  return text;
}

} // namespace appyc::wrapper
