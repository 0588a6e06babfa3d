//===- Promote.cpp - NEP 50: dtypes of results, with Python's numbers as weak operands --------------===//
#include "Value.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"

namespace appyc::sema {

bool isSame(const Value& a, const Value& b) {
  if (a.v.index() != b.v.index()) return false;
  if (const auto* s = a.as<Scalar>()) return s->e == b.as<Scalar>()->e && isSameState(*s, *b.as<Scalar>());
  auto sameMemory = [](const Array& x, const Array& y) { return x.view && x.view == y.view; };
  if (const auto* x = a.as<Array>()) return sameMemory(*x, *b.as<Array>());
  if (const auto* s = a.as<Selection>())
    return sameMemory(s->values, b.as<Selection>()->values) && sameMemory(s->mask, b.as<Selection>()->mask);
  if (const auto* l = a.as<ListValue>()) return sameMemory(l->values, b.as<ListValue>()->values);
  if (const auto* l = a.as<NestedValue>())
    return sameMemory(l->numbers.values, b.as<NestedValue>()->numbers.values);
  if (const auto* t = a.as<TypeValue>())
    return t->type == b.as<TypeValue>()->type && t->weak == b.as<TypeValue>()->weak;
  if (const auto* t = a.as<StringValue>()) return t->text == b.as<StringValue>()->text;
  if (const auto* l = a.as<DigitsValue>())
    return sameMemory(l->digits.values, b.as<DigitsValue>()->digits.values);
  if (const auto* l = a.as<CharactersValue>())
    return sameMemory(l->characters.values, b.as<CharactersValue>()->characters.values);
  if (const auto* t = a.as<TextValue>()) {
    const auto* o = b.as<TextValue>();
    return t->arrays.empty() && o->arrays.empty() && t->pieces == o->pieces &&
           std::equal(t->values.begin(), t->values.end(), o->values.begin(), o->values.end(), ir::equal);
  }
  if (const auto* t = a.as<TupleValue>()) {
    const std::vector<Value>& other = b.as<TupleValue>()->items;
    return t->isList == b.as<TupleValue>()->isList && t->type == b.as<TupleValue>()->type &&
           std::equal(t->items.begin(), t->items.end(), other.begin(), other.end(), isSame);
  }
  if (const auto* o = a.as<OptionalValue>())
    return o->isNone == b.as<OptionalValue>()->isNone && isSame(*o->value, *b.as<OptionalValue>()->value);
  if (const auto* r = a.as<RecordValue>()) {
    const auto* o = b.as<RecordValue>();
    return r->object == o->object && (!r->isPooled || (r->at && o->at && ir::equal(r->at, o->at)));
  }
  if (const auto* c = a.as<ClassValue>()) return c->type == b.as<ClassValue>()->type;
  if (const auto* c = a.as<Callable>()) return c->path == b.as<Callable>()->path;
  if (const auto* m = a.as<ModuleRef>()) return m->path == b.as<ModuleRef>()->path;
  if (const auto* f = a.as<UserFunction>()) {
    const auto* g = b.as<UserFunction>();
    return f->function == g->function && f->around == g->around &&
           std::equal(f->defaults.begin(), f->defaults.end(), g->defaults.begin(), g->defaults.end(), isSame);
  }
  if (const auto* m = a.as<Method>())
    return m->name == b.as<Method>()->name && isSame(*m->self, *b.as<Method>()->self);
  if (const auto* r = a.as<RandomValue>())
    return r->type == b.as<RandomValue>()->type && isSame(*r->state, *b.as<RandomValue>()->state);
  if (const auto* t = a.as<TypeInfoValue>()) return t->type == b.as<TypeInfoValue>()->type;
  if (const auto* r = a.as<RangeValue>()) {
    const auto* o = b.as<RangeValue>();
    return r->lo == o->lo && r->hi == o->hi && r->step == o->step;
  }
  if (const auto* s = a.as<SliceValue>()) {
    const auto* o = b.as<SliceValue>();
    return s->isEllipsis == o->isEllipsis &&
           std::equal(s->bounds.begin(), s->bounds.end(), o->bounds.begin(), o->bounds.end(), isSame);
  }
  if (const auto* i = a.as<IteratorValue>()) {
    const auto* o = b.as<IteratorValue>();
    return i->kind == o->kind &&
           std::equal(i->parts.begin(), i->parts.end(), o->parts.begin(), o->parts.end(), isSame);
  }
  return a.as<NoneValue>() || a.isError();
}

std::string describe(const Value& value) {
  if (const auto* s = value.as<Scalar>()) return fmt::format("a scalar of {}", ir::name(s->type()));
  if (const auto* a = value.as<Array>())
    return fmt::format("an array of {} with {} dimension(s)", ir::name(a->type), a->shape.size());
  if (value.as<Selection>()) return "a selection by a boolean mask";
  if (const auto* t = value.as<TupleValue>(); t && t->type) return fmt::format("a `{}`", t->type->name);
  if (isStoredText(value)) return "one of several texts";
  if (const auto* r = value.as<RecordValue>())
    return r->type ? fmt::format("a `{}`", r->type->name) : "a dict";
  if (const auto* c = value.as<ClassValue>()) return fmt::format("the class `{}`", c->type->name);
  if (isSet(value)) return "a set";
  if (const auto* t = value.as<TupleValue>())
    return fmt::format("a {} of {}", t->isList ? "list" : "tuple", t->items.size());
  if (value.as<TypeValue>()) return "a type";
  if (value.as<TypeInfoValue>()) return "what NumPy says of a type";
  if (value.as<NoneValue>()) return "None";
  if (value.as<ResidueValue>())
    return "an integer past 64 bits, of which `& 0xFFFFFFFFFFFFFFFF` takes the last";
  if (const auto* o = value.as<OptionalValue>()) return fmt::format("None or {}", describe(*o->value));
  if (value.as<StringValue>()) return "a string";
  if (value.as<TextValue>()) return "a text with numbers in it";
  if (value.as<DigitsValue>()) return "the text of a number";
  if (value.as<CharactersValue>()) return "a text by its characters";
  if (value.as<RangeValue>()) return "a range";
  if (value.as<SliceValue>()) return "a slice";
  if (value.as<IteratorValue>()) return "an iterator";
  if (value.as<ListValue>()) return "a list";
  if (value.as<NestedValue>()) return "a list of lists";
  if (value.as<GeneratorValue>()) return "a generator";
  if (const auto* r = value.as<RandomValue>()) return fmt::format("a np.random.{}", r->type);
  if (const auto* m = value.as<ModuleRef>()) return fmt::format("the module `{}`", m->path);
  if (const auto* c = value.as<Callable>()) return fmt::format("the function `{}`", c->path);
  if (value.as<LaunchValue>()) return "a kernel with its grid";
  if (const auto* f = value.as<UserFunction>()) return fmt::format("the function `{}`", f->function->name);
  if (const auto* m = value.as<Method>(); m && m->name == "partial")
    return "a function that another one made";
  if (const auto* m = value.as<Method>()) return fmt::format("the method `.{}`", m->name);
  return "nothing";
}

/// Python's number kinds in their order: int < float < complex (bool counts as int).
static int rankOf(DType t) {
  if (ir::isComplex(t)) return 3;
  if (ir::isFloat(t)) return 2;
  return ir::isBool(t) ? 0 : 1;
}

Strength promote(Strength a, Strength b) {
  if (a.weak == b.weak) return {ir::promote(a.type, b.type), a.weak};
  Strength weak = a.weak ? a : b;
  DType strong = a.weak ? b.type : a.type;
  if (rankOf(weak.type) <= rankOf(strong)) return {strong, false};
  switch (rankOf(weak.type)) {
  case 1: return {DType::I64, false};
  case 2: return {DType::F64, false};
  default: return {strong == DType::F32 ? DType::C64 : DType::C128, false};
  }
}

bool sameKind(DType from, DType to) {
  if (ir::isUnsigned(to) && ir::isSigned(from)) return false;
  return rankOf(from) <= rankOf(to);
}

bool mentionsReduce(const Expr& e) { return ir::has<ir::Reduce>(e); }

Expr truth(Expr e) {
  DType t = ir::typeOf(e);
  if (ir::isBool(t)) return e;
  return ir::binary(ir::BinaryOp::Ne, e, ir::constOf(t, 0));
}

Expr compareExact(ir::BinaryOp op, const Expr& a, const Expr& b, DType common) {
  using enum ir::BinaryOp;
  DType ta = ir::typeOf(a), tb = ir::typeOf(b);
  bool mixed = common == DType::F64 && ir::isInteger(ta) && ir::isInteger(tb);
  if (!mixed) return ir::binary(op, ir::cast(common, a), ir::cast(common, b));
  if (ir::isUnsigned(ta)) { // bring the signed operand to the left
    ir::BinaryOp swapped = op == Lt ? Gt : op == Le ? Ge : op == Gt ? Lt : op == Ge ? Le : op;
    return compareExact(swapped, b, a, common);
  }
  Expr negative = ir::binary(Lt, a, ir::constOf(ta, 0));
  Expr asUnsigned = ir::binary(op, ir::cast(DType::U64, a), ir::cast(DType::U64, b));
  bool whenNegative = op == Lt || op == Le || op == Ne;
  return ir::select(negative, ir::boolConst(whenNegative), asUnsigned);
}

} // namespace appyc::sema
