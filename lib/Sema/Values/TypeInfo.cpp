//===- TypeInfo.cpp - np.finfo and np.iinfo: what NumPy says of a type, known at translation --------------===//
#include "Arguments.h"
#include "Lowering.h"
#include <limits>
#include <map>

namespace appyc::sema {

Value Lowering::callTypeInfo(const Bound& b) {
  const bool isOfFloats = b.name() == "finfo";
  const Value& given = b[isOfFloats ? "dtype" : "int_type"];
  const bool isNumber = given.as<Array>() || given.as<Scalar>();
  const std::optional<Strength> s = isNumber ? strengthOf(given, b.where) : dtypeArgument(given, b.where);
  if (!s) return Value{};
  const DType type = ir::isComplex(s->type) ? ir::realOf(s->type) : s->type;
  if (isOfFloats != ir::isFloat(type) || ir::isBool(type) || (!isOfFloats && ir::isComplex(s->type)))
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("ValueError: `{}` of {}: NumPy has np.finfo for floats, np.iinfo for integers",
                             b.display(), ir::name(s->type)));
  return Value{TypeInfoValue{type}};
}

/// Numbers of the type itself.
template <class T> static std::optional<double> floatLimit(const std::string& name) {
  using Limits = std::numeric_limits<T>;
  const std::map<std::string_view, double> numbers = {
      {"max", Limits::max()},
      {"min", Limits::lowest()},
      {"eps", Limits::epsilon()},
      {"epsneg", Limits::epsilon() / 2},
      {"tiny", Limits::min()},
      {"smallest_normal", Limits::min()},
      {"smallest_subnormal", Limits::denorm_min()},
      {"resolution", Limits::digits10 == 15 ? 1e-15 : T(1e-6)}};
  const auto it = numbers.find(name);
  return it == numbers.end() ? std::nullopt : std::optional(it->second);
}

/// Python's own integers.
template <class T> static std::optional<int64_t> floatCount(const std::string& name) {
  using Limits = std::numeric_limits<T>;
  constexpr int kBits = 8 * sizeof(T);
  const std::map<std::string_view, int64_t> numbers = {{"bits", kBits},
                                                       {"precision", Limits::digits10},
                                                       {"nmant", Limits::digits - 1},
                                                       {"nexp", kBits - Limits::digits},
                                                       {"iexp", kBits - Limits::digits},
                                                       {"machep", 1 - Limits::digits},
                                                       {"negep", -Limits::digits},
                                                       {"maxexp", Limits::max_exponent},
                                                       {"minexp", Limits::min_exponent - 1}};
  const auto it = numbers.find(name);
  return it == numbers.end() ? std::nullopt : std::optional(it->second);
}

static std::optional<int64_t> integerCount(DType type, const std::string& name) {
  const int64_t bits = 8 * static_cast<int64_t>(ir::byteSize(type));
  const bool isUnsigned = ir::isUnsigned(type);
  if (name == "bits") return bits;
  if (name == "min") return isUnsigned ? 0 : std::numeric_limits<int64_t>::min() >> (64 - bits);
  if (name == "max" && !(isUnsigned && bits == 64))
    return std::numeric_limits<int64_t>::max() >> (isUnsigned ? 63 - bits : 64 - bits);
  return std::nullopt;
}

std::optional<Value> TypeInfoValue::attribute(const std::string& name) const {
  if (name == "dtype") return Value{TypeValue{type}};
  const bool isSingle = type == DType::F32;
  if (ir::isFloat(type))
    if (const auto x = isSingle ? floatLimit<float>(name) : floatLimit<double>(name))
      return Value{Scalar{ir::floatConst(*x, type)}};
  const std::optional<int64_t> n = !ir::isFloat(type) ? integerCount(type, name)
                                   : isSingle         ? floatCount<float>(name)
                                                      : floatCount<double>(name);
  return n ? std::optional(Value{Scalar{ir::intConst(*n), true}}) : std::nullopt;
}

} // namespace appyc::sema
