//===- Types.cpp - element types and NumPy's promotion --------------------------------------------===//
#include "appyc/IR/Types.h"
#include <algorithm>
#include <array>
#include <utility>

namespace appyc::ir {

namespace {

enum class Kind { Bool, Signed, Unsigned, Float, Complex };

struct TypeInfo {
  std::string_view name, numpyName, cName;
  Kind kind;
  int bytes;
};

/// One row for each DType, in its order.
constexpr std::array<TypeInfo, kDTypeCount> kTypes{{
    {"bool", "bool", "bool", Kind::Bool, 1},
    {"i8", "int8", "int8_t", Kind::Signed, 1},
    {"i16", "int16", "int16_t", Kind::Signed, 2},
    {"i32", "int32", "int32_t", Kind::Signed, 4},
    {"i64", "int64", "int64_t", Kind::Signed, 8},
    {"u8", "uint8", "uint8_t", Kind::Unsigned, 1},
    {"u16", "uint16", "uint16_t", Kind::Unsigned, 2},
    {"u32", "uint32", "uint32_t", Kind::Unsigned, 4},
    {"u64", "uint64", "uint64_t", Kind::Unsigned, 8},
    {"f32", "float32", "float", Kind::Float, 4},
    {"f64", "float64", "double", Kind::Float, 8},
    {"c64", "complex64", "Complex<float>", Kind::Complex, 8},
    {"c128", "complex128", "Complex<double>", Kind::Complex, 16},
}};

const TypeInfo& row(DType type) { return kTypes[static_cast<size_t>(type)]; }

/// Whether f32 (or c64) is enough for the values of `type`, as NumPy sees it.
bool fitsF32(DType type) {
  bool real = row(type).kind == Kind::Float || row(type).kind == Kind::Complex;
  return real ? byteSize(realOf(type)) == 4 : byteSize(type) <= 2;
}

DType signedOf(int bytes) {
  return bytes == 1 ? DType::I8 : bytes == 2 ? DType::I16 : bytes == 4 ? DType::I32 : DType::I64;
}

/// The smallest signed integer that holds both, or f64 when none does (i64 with u64).
DType promoteMixed(DType signedType, DType unsignedType) {
  if (byteSize(signedType) > byteSize(unsignedType)) return signedType;
  return unsignedType == DType::U64 ? DType::F64 : signedOf(2 * byteSize(unsignedType));
}

} // namespace

std::string_view name(DType type) { return row(type).name; }
std::string_view numpyName(DType type) { return row(type).numpyName; }
std::string_view cName(DType type) { return row(type).cName; }

std::optional<DType> dtypeNamed(std::string_view appycSpelling) {
  for (int i = 0; i < kDTypeCount; ++i)
    if (kTypes[static_cast<size_t>(i)].name == appycSpelling) return static_cast<DType>(i);
  return std::nullopt;
}

int byteSize(DType type) { return row(type).bytes; }
bool isBool(DType type) { return row(type).kind == Kind::Bool; }
bool isSigned(DType type) { return row(type).kind == Kind::Signed; }
bool isUnsigned(DType type) { return row(type).kind == Kind::Unsigned; }
bool isInteger(DType type) { return isSigned(type) || isUnsigned(type); }
bool isFloat(DType type) { return row(type).kind == Kind::Float; }
bool isComplex(DType type) { return row(type).kind == Kind::Complex; }

DType promote(DType a, DType b) {
  if (a == b || isBool(b)) return a;
  if (isBool(a)) return b;
  Kind kind = std::max(row(a).kind, row(b).kind);
  if (kind == Kind::Complex) return fitsF32(a) && fitsF32(b) ? DType::C64 : DType::C128;
  if (kind == Kind::Float) return fitsF32(a) && fitsF32(b) ? DType::F32 : DType::F64;
  if (isSigned(a) == isSigned(b)) return byteSize(a) >= byteSize(b) ? a : b;
  return isSigned(a) ? promoteMixed(a, b) : promoteMixed(b, a);
}

DType sumType(DType type) {
  if (isBool(type) || isSigned(type)) return DType::I64;
  return isUnsigned(type) ? DType::U64 : type;
}

DType floatFor(DType type) {
  if (isFloat(type) || isComplex(type)) return type;
  return DType::F64;
}

DType realOf(DType type) { return type == DType::C64 ? DType::F32 : type == DType::C128 ? DType::F64 : type; }

} // namespace appyc::ir
