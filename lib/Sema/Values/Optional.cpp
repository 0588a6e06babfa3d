//===- Optional.cpp - values that are None on some paths ------------------------------------------------===//
//   best = None                            none = true, value = 0
//   for x in a:                            for x in a:
//     if best is None or x < best:   =>      if none or x < value:
//       best = x                               none, value = false, x
// Whether it is None is a number of its own. Where branches have asked `is None` the name stands for what they know
// (narrowed); everything else that looks at the value first requires that it is not None.
#include "Lowering.h"
#include "Message.h"

namespace appyc::sema {

std::vector<Value> heldParts(const Value& v) {
  if (const auto* t = v.as<TupleValue>()) return t->items;
  if (const auto* o = v.as<OptionalValue>()) return {Value{Scalar{o->isNone, true}}, *o->value};
  if (const auto* r = v.as<RecordValue>(); r && r->isPooled)
    return {r->at ? Value{Scalar{r->at, true}} : Value{NoneValue{}}};
  return {};
}

std::string partName(const Value& whole, const std::string& name, size_t k) {
  if (!whole.as<OptionalValue>()) return fmt::format("#{} of {}", k, name);
  return fmt::format("#{}{} of {}", hintOf(name), k == 0 ? "_is_none" : "", name);
}

bool hasParts(const Value& v) { return v.as<TupleValue>() || v.as<OptionalValue>() || isPooled(v); }

Value builtLike(const Value& like, std::vector<Value> parts) {
  if (const auto* t = like.as<TupleValue>()) {
    TupleValue built = t->like();
    built.items = std::move(parts);
    return Value{built};
  }
  if (const auto* r = like.as<RecordValue>()) {
    const auto* at = parts[0].as<Scalar>();
    return at ? Value{RecordValue{r->type, r->object, true, at->e}} : Value{};
  }
  const auto* isNone = parts[0].as<Scalar>();
  return isNone ? Value{OptionalValue{isNone->e, std::make_shared<Value>(parts[1])}} : Value{};
}

bool mayBeNone(const Value& v) {
  const std::vector<Value> parts = heldParts(v);
  const auto* t = v.as<TupleValue>();
  const auto* l = v.as<ListValue>();
  if (isDeque(v) || isSet(v) || (l && l->hasViews)) return false;
  return v.as<NoneValue>() || v.as<Scalar>() || v.as<Array>() || isList(v) || v.as<NestedValue>() ||
         isPooled(v) || v.as<StringValue>() ||
         ((v.as<OptionalValue>() || (t && !t->items.empty())) &&
          std::all_of(parts.begin(), parts.end(), mayBeNone));
}

bool isNoneSomewhere(const Value& a, const Value& b) {
  const auto says = [](const Value& v) { return v.as<NoneValue>() || v.as<OptionalValue>(); };
  return (says(a) || says(b)) && !(a.as<NoneValue>() && b.as<NoneValue>());
}

/// What a value of this kind holds where it is None: nothing that anybody looks at.
Value Lowering::unusedLike(const Value& v) const {
  if (const auto* s = v.as<Scalar>()) {
    Scalar zero{ir::constOf(s->type(), 0), s->weak};
    zero.as = s->as;
    return Value{zero};
  }
  if (const auto* a = v.as<Array>()) {
    Array zeros;
    zeros.type = a->type;
    for (const Expr& extent : a->shape)
      zeros.shape.push_back(ir::constantInt(extent) || isEntryExpr(extent) ? extent : ir::intConst(0));
    zeros.at = [type = a->type](const Indices&) { return ir::constOf(type, 0); };
    return Value{zeros};
  }
  if (v.as<ListValue>() || v.as<NestedValue>()) return Value{TupleValue{{}, true}};
  if (!hasParts(v)) return v;
  std::vector<Value> parts;
  for (const Value& part : heldParts(v)) parts.push_back(unusedLike(part));
  return builtLike(v, std::move(parts));
}

/// An object on one path, None on another: objects in memory have a number that says which, when the function is lowered
/// once more.
bool Lowering::becomesMaybe(const Value& a, const Value& b) {
  return isNoneSomewhere(a, b) && (becomesPooled(a) || becomesPooled(b));
}

static Expr isPresent(const OptionalValue& o) { return ir::unary(ir::UnaryOp::LogicalNot, o.isNone); }

static Value withoutNone(const Value& v) {
  const auto* o = v.as<OptionalValue>();
  return o ? *o->value : v;
}

/// The same as a value that may be None, as `like` is.
static Value asOptional(const Value& v, const Value& otherwise) {
  if (v.as<OptionalValue>()) return v;
  const bool isNone = v.as<NoneValue>() != nullptr;
  return Value{OptionalValue{ir::boolConst(isNone), std::make_shared<Value>(isNone ? otherwise : v)}};
}

Value Lowering::joinOptional(const Returned& then, const Returned& otherwise, const Sides& sides, Span where,
                             const std::string& name) {
  const Value a = storedText(then.value), b = storedText(otherwise.value);
  const Value x = a.as<NoneValue>() ? unusedLike(withoutNone(b)) : withoutNone(a);
  const Value y = b.as<NoneValue>() ? unusedLike(withoutNone(a)) : withoutNone(b);
  if (becomesPooled(x) || becomesPooled(y)) return Value{}; // objects in memory have a number that says which
  if (!mayBeNone(x) || !mayBeNone(y))
    return error(DiagId::TypeMismatch, where,
                 fmt::format("this is {} on one path and {} on another; numbers, arrays, and tuples and "
                             "lists of them, may be None on one",
                             describe(a), describe(b)));
  const auto flag = [](const Value& v) {
    const auto* o = v.as<OptionalValue>();
    return Value{Scalar{o ? o->isNone : ir::boolConst(v.as<NoneValue>() != nullptr), true}};
  };
  const auto isNamed = [&](const Value& v) { // in memory on both paths: nobody looks at it on the other
    return chooses_ && name.empty() && (v.as<ListValue>() || v.as<NestedValue>()) &&
           std::ranges::any_of(env(), [&](const auto& each) { return isSame(each.second, v); });
  };
  const Value isNone = joinReturned({flag(a), then.where}, {flag(b), otherwise.where}, sides, where,
                                    name.empty() ? "is_none" : hintOf(name) + "_is_none");
  const Value value = a.as<NoneValue>() && isNamed(y) ? y
                      : b.as<NoneValue>() && isNamed(x)
                          ? x
                          : joinReturned({x, then.where}, {y, otherwise.where}, sides, where, name);
  const auto* known = isNone.as<Scalar>();
  if (value.isError() || !known) return Value{};
  return Value{OptionalValue{known->e, std::make_shared<Value>(value)}};
}

/// `v` in the form that the loop's other steps give it.
Value Lowering::withOptionals(const std::string& name, const Value& given, const LoopTypes& known) {
  const auto found = known.optional.find(name);
  const Value v = found != known.optional.end() || known.texts.count(name) ? storedText(given) : given;
  const Value whole =
      found == known.optional.end() ? v : asOptional(v, unusedLike(withoutNone(storedText(found->second))));
  if (!hasParts(whole)) return whole;
  std::vector<Value> parts = heldParts(whole);
  for (size_t k = 0; k < parts.size(); ++k)
    parts[k] = withOptionals(partName(whole, name, k), parts[k], known);
  return builtLike(whole, std::move(parts));
}

/// What the name stands for at the end of an iteration, in the form that it had at its begin.
Value Lowering::fittedTo(const Value& like, const Value& given, const std::string& name) {
  const Value now = isStoredText(like) ? storedText(given) : given;
  if (like.as<OptionalValue>() && now.as<NoneValue>())
    return asOptional(now, gathered(partName(like, name, 1), *like.as<OptionalValue>()->value));
  if (like.as<OptionalValue>() && !now.as<OptionalValue>()) {
    const Value value = fittedTo(*like.as<OptionalValue>()->value, now, partName(like, name, 1));
    return asOptional(value, value);
  }
  const std::vector<Value> from = heldParts(like);
  std::vector<Value> parts = heldParts(now);
  if (like.v.index() != now.v.index() || !hasParts(like) || from.size() != parts.size()) return now;
  for (size_t k = 0; k < parts.size(); ++k) parts[k] = fittedTo(from[k], parts[k], partName(like, name, k));
  return builtLike(now, std::move(parts));
}

/// The value, which is needed: not None from here on.
Value Lowering::present(const Value& v, Span where) {
  const auto* o = v.as<OptionalValue>();
  if (!o) return v;
  const std::optional<int64_t> known = ir::constantInt(ir::cast(DType::I64, o->isNone));
  if (known) return *known ? Value{NoneValue{}} : *o->value;
  if (o->value->as<NoneValue>()) return nothingKnown(where); // an item of a list of None
  const Expr isThere = isPresent(*o);
  if (!isKnown(isThere)) {
    const Span saved = std::exchange(statement_, where);
    emit(ir::makeStmt(
        {}, Message("this is None, where a value is needed").check(isThere, "NotImplementedError", {})));
    statement_ = saved;
  }
  return present(*o->value, where);
}

/// Is it neither None nor false? Nothing for what is never None.
std::optional<Scalar> Lowering::presence(const Value& v, Span where) {
  if (v.as<NoneValue>()) return Scalar{ir::boolConst(false), true};
  if (v.as<RecordValue>() && !tableIn(v))
    for (const char* special : {"__bool__", "__len__"})
      if (const std::optional<Value> own = callSpecial(special, {v}, where)) {
        const std::optional<Scalar> s = scalarOf(*own, "what a condition asks", where);
        return s ? std::optional(Scalar{truth(s->e), true}) : std::nullopt;
      }
  const auto* o = v.as<OptionalValue>();
  const Value& held = o ? *o->value : v;
  const auto* t = held.as<TupleValue>();
  const auto* r = held.as<RecordValue>();
  const bool isObject = r && r->type && !isStoredText(held) &&
                        !tableIn(held) && // true, unless its class says more
                        std::ranges::none_of(r->type->methods, [](const ast::Class::Method& m) {
                          return m.function->name == "__bool__" || m.function->name == "__len__";
                        });
  if ((t && !t->isList && !t->type) || isObject) {
    const bool holds = isObject || !t->items.empty();
    return Scalar{o && holds ? isPresent(*o) : ir::boolConst(holds), true};
  }
  const Value length = o && (isList(*o->value) || o->value->as<NestedValue>())
                           ? callNamed("len", {{*o->value}, {}, where})
                           : Value{};
  const std::optional<Scalar> s = !o                 ? std::nullopt
                                  : length.isError() ? scalarOf(*o->value, "a condition", where)
                                                     : std::optional(*length.as<Scalar>());
  if (!s) return std::nullopt;
  return Scalar{ir::binary(ir::BinaryOp::LogicalAnd, isPresent(*o), truth(s->e)), true};
}

/// `a == b`, of which one may be None, which equals nothing else; nothing where neither may be, or both.
std::optional<Value> Lowering::equalUnlessNone(bool isEqual, const Value& a, const Value& b, Span where) {
  const auto *x = a.as<OptionalValue>(), *y = b.as<OptionalValue>();
  if (!x == !y) return std::nullopt;
  const auto op = isEqual ? ir::BinaryOp::Eq : ir::BinaryOp::Ne;
  const Value same = x ? compare(op, *x->value, b, where) : compare(op, a, *y->value, where);
  const auto* s = same.as<Scalar>();
  if (!s) return std::nullopt;
  const OptionalValue& o = x ? *x : *y;
  return Value{Scalar{isEqual ? ir::binary(ir::BinaryOp::LogicalAnd, isPresent(o), s->e)
                              : ir::binary(ir::BinaryOp::LogicalOr, o.isNone, s->e),
                      true}};
}

/// Does `condition`, which is as `holds` says, tell what `isNone` is?
static std::optional<bool> toldBy(const Expr& condition, bool holds, const Expr& isNone) {
  if (ir::equal(condition, isNone)) return holds;
  if (const auto* u = condition.as<ir::Unary>(); u && u->op == ir::UnaryOp::LogicalNot)
    return toldBy(u->arg, !holds, isNone);
  const auto* b = condition.as<ir::Binary>();
  if (!b || b->op != (holds ? ir::BinaryOp::LogicalAnd : ir::BinaryOp::LogicalOr)) return std::nullopt;
  const std::optional<bool> left = toldBy(b->lhs, holds, isNone);
  return left ? left : toldBy(b->rhs, holds, isNone);
}

/// In `fn` names stand for what the condition says of them.
void Lowering::narrowed(const Expr& condition, const std::function<void()>& fn) {
  std::map<std::string, std::pair<Value, Value>> told; // as they were, as they are in `fn`
  for (auto& [name, value] : env())
    if (const auto* o = value.as<OptionalValue>())
      if (const std::optional<bool> isNone = toldBy(condition, true, o->isNone)) {
        const Value now = *isNone ? Value{NoneValue{}} : *o->value;
        told[name] = {std::exchange(value, now), now};
      }
  fn();
  for (const auto& [name, values] : told)
    if (const auto it = env().find(name); it != env().end() && isSame(it->second, values.second))
      it->second = values.first;
}

} // namespace appyc::sema
