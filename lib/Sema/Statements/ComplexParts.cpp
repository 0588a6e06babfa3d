//===- ComplexParts.cpp - stores into `z.real` and `z.imag` -----------------------------------------------===//
//   z.real[k] = x         =>     z[k] = complex(x, z[k].imag)
// The numbers themselves are stored, with their other part as it is.
#include "Lowering.h"

namespace appyc::sema {

/// Complex numbers with `v` as one part, and the other as it is.
static Array withPart(const Array& z, const Array& v, bool isReal) {
  Array both = z;
  both.view = nullptr;
  both.at = [z, v, isReal](const Indices& i) {
    const DType type = ir::realOf(z.type);
    const Expr old = ir::call(isReal ? ir::Intrinsic::Imag : ir::Intrinsic::Real, type, {z.at(i)});
    const Expr made = ir::cast(type, v.at(i));
    return ir::call(ir::Intrinsic::MakeComplex, z.type,
                    isReal ? std::vector{made, old} : std::vector{old, made});
  };
  return both;
}

/// False where the target is no part of an array. `value` is asked for when the place is known, with what the part is.
bool Lowering::storePart(const ast::Expr& target, const std::function<Value(const Value&)>& value,
                         bool inPlace) {
  const Span where = target->span;
  const auto* s = target.as<ast::Subscript>();
  const auto* a = (s ? s->base : target).as<ast::Attribute>();
  const bool isReal = a && a->name == "real";
  if (!isReal && !(a && a->name == "imag")) return false;
  if (fieldAt(s ? s->base : target)) return false;
  const Value base = eval(a->base);
  const auto* all = base.as<Array>();
  if (!all || !(isReal || ir::isComplex(all->type))) return false;
  if (!all->view || all->view->fancy) {
    error(DiagId::Unsupported, where, "this changes a copy, which nobody sees; name the array first");
    return true;
  }
  const int errors = diag_.errorCount();
  const std::optional<Selection> selected = s ? selection(base, s->index, where) : std::nullopt;
  if (diag_.errorCount() > errors) return true;
  Waiting parts(*this);
  parts.add(selected ? Value{selected->values} : s ? subscriptArray(*all, s->index, where) : base, true);
  if (selected) parts.add(Value{selected->mask});
  if (!parts[0].as<Array>()) return true; // reported
  const auto partOf = [&](const Value& numbers) {
    Arguments args;
    args.positional = {numbers};
    args.where = where;
    return callNamed(isReal ? "numpy.real" : "numpy.imag", args);
  };
  const auto current = [&]() -> Value {
    const auto& numbers = *parts[0].as<Array>();
    if (numbers.shape.empty()) return partOf(Value{numberAt(numbers)});
    const Value part = partOf(parts[0]);
    return selected && part.as<Array>() ? Value{Selection{*part.as<Array>(), *parts[1].as<Array>()}} : part;
  };
  Value v = value(inPlace ? current() : Value{});
  if (const auto* t = v.as<TupleValue>()) v = arrayLiteral(*t, {}, where);
  if (const auto* l = v.as<ListValue>(); l && stateOf(*l)) v = Value{elementsOf(*l)};
  const std::optional<Strength> from = v.isError() ? std::nullopt : strengthOf(v, where);
  if (!from) return true;
  const Value at = parts.take(0), mask = selected ? parts.take(1) : Value{};
  if (at.isError() || (selected && mask.isError())) return true;
  const Array& place = *at.as<Array>();
  const DType type = ir::isComplex(place.type) ? ir::realOf(place.type) : place.type;
  if (ir::isComplex(from->type) ||
      (inPlace && !place.shape.empty() && !from->weak && !sameKind(from->type, type))) {
    error(DiagId::TypeMismatch, where,
          fmt::format("{} is not stored into numbers of {}; write `.real` of it, or .astype",
                      ir::name(from->type), ir::name(type)));
    return true;
  }
  if (selected) {
    const auto* chosen = v.as<Selection>();
    if (chosen ? !haveSameMask({place, *mask.as<Array>()}, *chosen, where) : !v.as<Scalar>()) {
      if (!chosen)
        error(DiagId::Unsupported, where,
              "through a mask a part of complex numbers gets a number, or what the same mask selects");
      return true;
    }
    v = where3(mask, castTo(chosen ? Value{chosen->values} : v, type, where), partOf(at), where);
  }
  if (const auto* other = v.as<Selection>()) v = Value{asArray(*other)};
  if (v.isError()) return true;
  if (!ir::isComplex(place.type)) return assignPlace(place, v, where), true;
  Array part = toArray(v.as<Scalar>() ? evaluatedOnce(v, "t") : v);
  if (part.uninitialised) part = materialize(part, "t");
  if (part.shape.size() > place.shape.size()) {
    error(
        DiagId::ShapeMismatch, where,
        fmt::format("cannot store an array of {} dimensions into {}", part.shape.size(), place.shape.size()));
    return true;
  }
  fitInto(place, part, where);
  assignPlace(place, Value{withPart(place, broadcastTo(part, place.shape), isReal)}, where);
  return true;
}

} // namespace appyc::sema
