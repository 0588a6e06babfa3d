//===- Types.h - element types and NumPy's promotion ----------------------------------------------===//
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace appyc::ir {

/// Element types, in NumPy's kinds and widths.
enum class DType : uint8_t { Bool, I8, I16, I32, I64, U8, U16, U32, U64, F32, F64, C64, C128 };

constexpr int kDTypeCount = 13;

std::string_view name(DType);      ///< "f64": appyc's spelling
std::string_view numpyName(DType); ///< "float64"
std::string_view cName(DType);     ///< "double"; complex types are the generated code's own struct templates
std::optional<DType> dtypeNamed(std::string_view appycSpelling);

int byteSize(DType);
bool isBool(DType);
bool isSigned(DType);   ///< signed integers
bool isUnsigned(DType); ///< unsigned integers, not bool
bool isInteger(DType);  ///< signed or unsigned, not bool
bool isFloat(DType);    ///< real floating point
bool isComplex(DType);

/// NumPy 2's promotion of two array dtypes (np.promote_types): i64 with u64 gives f64, i32 with f32 gives
/// f64, ...
DType promote(DType, DType);
/// dtype of np.sum/np.prod: bool and narrow integers widen to 64 bits.
DType sumType(DType);
/// dtype of true division, np.mean, np.sqrt of this dtype: integers become floats (f64 for 32 bits and up;
/// np.sqrt of 8-bit would be f16 in NumPy, which appyc has not: callers refuse those).
DType floatFor(DType);
/// Real type of a complex one; the type itself otherwise.
DType realOf(DType);

} // namespace appyc::ir
