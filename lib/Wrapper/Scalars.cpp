//===- Scalars.cpp - numbers between Python and C ---------------------------------------------------------===//
#include "PythonModule.h"
#include <fmt/format.h>

namespace appyc::wrapper {

using namespace ir;

std::string dtypeName(DType type) { return "_" + std::string(numpyName(type)); }

std::string scalarConversion(DType type, const std::string& variable, const std::string& name) {
  const std::string text = quoted(name);
  const std::string dtype = fmt::format("\"{}\"", numpyName(type));
  if (isBool(type)) return fmt::format("_flag({}, {}, {})", variable, text, dtype);
  if (isComplex(type))
    return fmt::format("_complex({}, {}, {}, {})", variable, text,
                       type == DType::C64 ? "_Complex64" : "_Complex128",
                       type == DType::C64 ? "_real32" : "_real");
  if (isFloat(type))
    return fmt::format("{}({}, {}, {})", type == DType::F32 ? "_real32" : "_real", variable, text, dtype);
  const int bits = 8 * byteSize(type);
  const std::string range =
      isSigned(type) ? fmt::format("-(2**{0}), 2**{0} - 1", bits - 1) : fmt::format("0, 2**{} - 1", bits);
  return fmt::format("_integer({}, {}, {}, {})", variable, text, dtype, range);
}

std::string resultCell(DType type) {
  if (isComplex(type)) return type == DType::C64 ? "_Complex64()" : "_Complex128()";
  constexpr const char* ctypes[] = {"uint8",  "int8",   "int16",  "int32", "int64", "uint8",
                                    "uint16", "uint32", "uint64", "float", "double"};
  return fmt::format("_ctypes.c_{}()", ctypes[static_cast<int>(type)]);
}
std::string resultValue(DType type, const std::string& cell) {
  if (isComplex(type)) return fmt::format("_np.{0}(complex({1}.re, {1}.im))", numpyName(type), cell);
  return fmt::format("_np.{}({}.value)", isBool(type) ? "bool_" : numpyName(type), cell);
}

std::string drawing(Param::Draw from) {
  return from == Param::OfNumpy    ? "_bits_of_numpy"
         : from == Param::OfPython ? "_bits_of_python"
                                   : "_bits_of_system";
}

} // namespace appyc::wrapper
