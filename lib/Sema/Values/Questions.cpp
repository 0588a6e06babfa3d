//===- Questions.cpp - `is`, `in`, and what is asked of types and tuples, answered at translation --------===//
#include "Arguments.h"
#include "Lowering.h"
#include "appyc/IR/Walk.h"

namespace appyc::sema {

static Value known(bool answer) { return Value{Scalar{ir::boolConst(answer), true}}; }

/// NumPy's letter of the type's kind.
static char kindOf(DType type) {
  if (ir::isBool(type)) return 'b';
  if (ir::isComplex(type)) return 'c';
  if (ir::isFloat(type)) return 'f';
  return ir::isUnsigned(type) ? 'u' : 'i';
}

/// `==` and `!=` of what is no number: types, texts, None, tuples. None for other operands.
std::optional<Value> Lowering::compareThings(ir::BinaryOp op, const Value& a, const Value& b, Span where) {
  auto isThing = [](const Value& v) {
    return v.as<TypeValue>() || v.as<StringValue>() || v.as<TupleValue>() || v.as<NoneValue>() ||
           v.as<RecordValue>();
  };
  const bool isEqual = op == ir::BinaryOp::Eq;
  if (const auto* s = a.as<StringValue>(), *t = b.as<StringValue>();
      s && t) { // UTF-8 is in the characters' order
    const int order = s->text.compare(t->text);
    if (op == ir::BinaryOp::Lt || op == ir::BinaryOp::Le)
      return known(op == ir::BinaryOp::Lt ? order < 0 : order <= 0);
    if (op == ir::BinaryOp::Gt || op == ir::BinaryOp::Ge)
      return known(op == ir::BinaryOp::Gt ? order > 0 : order >= 0);
  }
  if (const std::optional<Value> v = compareTexts(op, a, b, where)) return *v;
  if (const std::optional<Value> v = compareMembers(op, a, b, where)) return *v;
  if (const std::optional<Value> v = comparisonOfClass(op, a, b, where)) return *v;
  if (const std::optional<Value> v = compareDigits(op, a, b, where)) return *v;
  if (const auto* m = a.as<Scalar>(), *n = b.as<Scalar>(); site_ && m && n && m->weak && n->weak) {
    const bool areSizes =
        ir::isInteger(m->type()) && ir::isInteger(n->type()) && isStable(m->e) && isStable(n->e);
    if (areSizes && (isEqual || op == ir::BinaryOp::Ne) && alwaysEqual(m->e, n->e)) return known(isEqual);
    return std::nullopt;
  }
  if (isEqual || op == ir::BinaryOp::Ne)
    if (const std::optional<Value> rows = compareRows(a, b, where),
        same = rows ? rows : compareLists(a, b, where);
        same)
      return isEqual || same->isError() ? *same : unary(ast::UnaryOp::Not, *same, where);
  if (const std::optional<Value> v = compareSets(op, a, b, where)) return *v;
  if (!isEqual && op != ir::BinaryOp::Ne && (!isNoSet(a, where) || !isNoSet(b, where))) return Value{};
  if (!isEqual && op != ir::BinaryOp::Ne && a.as<TupleValue>() && b.as<TupleValue>() && isTupleOfNumbers(a) &&
      isTupleOfNumbers(b))
    return orderOfTuples(op, *a.as<TupleValue>(), *b.as<TupleValue>(), 0, where);
  const auto isFunction = [](const Value& v) { return v.as<UserFunction>() || v.as<Callable>(); };
  const auto isOther = [](const Value& v) {
    return v.as<Scalar>() || v.as<StringValue>() || v.as<NoneValue>();
  };
  if ((isEqual || op == ir::BinaryOp::Ne) && ((isFunction(a) && isOther(b)) || (isFunction(b) && isOther(a))))
    return known(!isEqual); // `f == 0`
  if ((!isThing(a) && !isThing(b)) || (!isEqual && op != ir::BinaryOp::Ne)) return std::nullopt;
  if (!isThing(a) || !isThing(b)) { // a text or None is no number
    const Value &thing = isThing(a) ? a : b, &other = isThing(a) ? b : a;
    const bool isPlain = other.as<Scalar>() && (thing.as<StringValue>() || thing.as<NoneValue>());
    return isPlain ? std::optional(known(!isEqual)) : std::nullopt;
  }
  if (a.as<RecordValue>() && b.as<RecordValue>())
    return error(DiagId::Unsupported, where,
                 "dicts and objects are not compared; compare their fields, or ask `is`");
  const auto *x = a.as<TupleValue>(), *y = b.as<TupleValue>();
  if (x && y) {
    const Value same = compareTuples(*x, *y, where);
    return isEqual || same.isError() ? same : unary(ast::UnaryOp::Not, same, where);
  }
  bool same = isSame(a, b);
  if (a.as<TypeValue>() || b.as<TypeValue>()) {
    auto typeOf = [](const Value& v) { return v.as<TypeValue>() || v.as<StringValue>(); };
    std::optional<Strength> s, t;
    if (typeOf(a) && typeOf(b) && (!(s = dtypeArgument(a, where)) || !(t = dtypeArgument(b, where))))
      return Value{};
    same = s && t && s->type == t->type;
  }
  return known(same == isEqual);
}

/// `<` and its kind from part `k` on: the first parts that differ decide, else the lengths.
Value Lowering::orderOfTuples(ir::BinaryOp op, const TupleValue& a, const TupleValue& b, size_t k,
                              Span where) {
  const auto length = [](const TupleValue& t) {
    return Value{Scalar{ir::intConst(static_cast<int64_t>(t.items.size())), true}};
  };
  if (k == a.items.size() || k == b.items.size()) return compare(op, length(a), length(b), where);
  const Value here = compare(op, a.items[k], b.items[k], where);
  if (here.isError() || (k + 1 == a.items.size() && k + 1 == b.items.size())) return here;
  const Value same = compare(ir::BinaryOp::Eq, a.items[k], b.items[k], where);
  const Value behind = same.isError() ? same : orderOfTuples(op, a, b, k + 1, where);
  const auto *equal = same.as<Scalar>(), *first = here.as<Scalar>(), *rest = behind.as<Scalar>();
  if (!equal || !first || !rest) return Value{};
  return Value{Scalar{ir::select(truth(equal->e), truth(rest->e), truth(first->e)), true}};
}

Value Lowering::compareTuples(const TupleValue& a, const TupleValue& b, Span where) {
  if (a.isList != b.isList || a.items.size() != b.items.size()) return known(false);
  Expr all = ir::boolConst(true);
  for (size_t k = 0; k < a.items.size(); ++k) {
    const auto *x = a.items[k].as<Scalar>(), *y = b.items[k].as<Scalar>();
    if (x && y && ir::isInteger(x->type()) && ir::isInteger(y->type()) && alwaysEqual(x->e, y->e)) continue;
    const Value one = compare(ir::BinaryOp::Eq, a.items[k], b.items[k], where);
    const auto* holds = one.as<Scalar>();
    if (!holds)
      return one.isError()
                 ? one
                 : error(DiagId::Unsupported, where, "tuples of arrays are not compared; compare the arrays");
    if (const std::optional<int64_t> is = constantArgument(one)) {
      if (!*is) return known(false);
      continue;
    }
    all = ir::binary(ir::BinaryOp::LogicalAnd, all, holds->e);
  }
  return Value{Scalar{all, true}};
}

/// `v is True`: of Python's own bools, of which there are two objects, whether it is that one; NumPy's and other values are none
/// of them. Nothing where neither is a constant, or which kind of number the other one is only the run tells.
static std::optional<Value> compareTruth(const Value& a, const Value& b) {
  for (const auto& [v, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    const auto* constant = v->as<Scalar>();
    if (!constant || !constant->weak || !ir::isBool(constant->type()) || !constant->e.is<ir::Const>())
      continue;
    const auto* s = other->as<Scalar>();
    if (other->as<Array>() || other->as<StringValue>() || other->as<TupleValue>() || other->as<ListValue>())
      return known(false);
    if (!s || !s->others.empty() || s->isCell || s->isOpaque || s->isExtended || s->isEither) continue;
    if (!s->weak || !ir::isBool(s->type())) return known(false);
    return Value{Scalar{ir::binary(ir::BinaryOp::Eq, s->e, constant->e), true}};
  }
  return std::nullopt;
}

/// `a is b`, for what is one object in Python: None, a function; in the library, which knows a type from a dtype, a type.
Value Lowering::compareIdentity(const Value& a, const Value& b, Span where) {
  if (a.isError() || b.isError()) return Value{};
  for (const auto& [v, other] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (const auto* o = v->as<OptionalValue>(); o && other->as<NoneValue>())
      return Value{Scalar{o->isNone, true}};
  if (a.as<NoneValue>() || b.as<NoneValue>()) return known(a.as<NoneValue>() && b.as<NoneValue>());
  if (const auto* r = a.as<RecordValue>(), *q = b.as<RecordValue>(); r && q) {
    if (!r->isPooled || !q->isPooled || r->object != q->object) return known(isSame(a, b));
    return compare(ir::BinaryOp::Eq, heldParts(a)[0], heldParts(b)[0], where);
  }
  const auto *x = a.as<Callable>(), *y = b.as<Callable>();
  const auto own = [](const std::string& path) { // np.bitwise_not is np.invert
    const Function* row = functionAt(path);
    return row ? row->target : path;
  };
  if (x || y) return known(x && y && own(x->path) == own(y->path));
  if (const auto* type = b.as<TypeValue>(); type && site_) return known(a.as<TypeValue>() && isSame(a, b));
  if (const std::optional<Value> is = compareTruth(a, b)) return *is;
  return error(DiagId::Unsupported, where,
               "`is` is translated for None, True and False; compare values with `==`");
}

/// `item in all`: one of a tuple's, or a part of a text.
Value Lowering::compareMember(const Value& item, const Value& all, Span where) {
  if (item.isError() || all.isError()) return Value{};
  if (const std::optional<Value> own = callSpecial("__contains__", {all, item}, where))
    return own->isError() ? *own : unary(ast::UnaryOp::Not, unary(ast::UnaryOp::Not, *own, where), where);
  const auto* inList = all.as<ListValue>();
  const auto* among = all.as<TupleValue>();
  if (among &&
      (isStoredText(item) || (item.as<StringValue>() && std::ranges::any_of(among->items, isStoredText)))) {
    Expr any = ir::boolConst(false);
    for (const Value& one : among->items) {
      const Value equal = compare(ir::BinaryOp::Eq, storedText(item), storedText(one), where);
      if (!equal.as<Scalar>()) return equal;
      any = ir::binary(ir::BinaryOp::LogicalOr, any, equal.as<Scalar>()->e);
    }
    return Value{Scalar{any, true}};
  }
  if (const Value kept =
          inList && inList->like && !inList->isSet && holdsText(item) ? storedText(item) : Value{};
      !kept.isError() && isBuiltAlike(*inList->like, kept))
    return callListFunction("contains", {all, kept}, where);
  if (const std::optional<CharactersValue> text = charactersIn(all)) {
    const auto* part = item.as<StringValue>();
    if (part && charactersOf(*part).items.size() != 1)
      return error(DiagId::Unsupported, where,
                   "`in` asks a text by its characters for one of them here; write a loop for a part of it");
    const std::optional<Expr> c = characterIn(item, "`in`, as translated,");
    if (!c)
      return error(DiagId::TypeMismatch, where,
                   fmt::format("`in` of a text takes a text, not {}", describe(item)));
    return callListFunction(
        "contains", {Value{text->characters.fields[0]}, Value{Scalar{ir::sub(ir::intConst(-1), *c), true}}},
        where);
  }
  if (const auto* text = all.as<StringValue>(); text && isStoredText(item)) { // `c in "aeiou"`
    Expr any = ir::boolConst(false);
    std::vector<std::string> all = listStates_.texts;
    for (const Value& c : charactersOf(*text).items)
      if (listStates_.areCharacters) all.push_back(c.as<StringValue>()->text);
    for (const std::string& one : all) {
      if (text->text.find(one) == std::string::npos) continue;
      const Value equal = compare(ir::BinaryOp::Eq, item, storedText(Value{StringValue{one}}), where);
      if (!equal.as<Scalar>()) return equal;
      any = ir::binary(ir::BinaryOp::LogicalOr, any, equal.as<Scalar>()->e);
    }
    return Value{Scalar{any, true}};
  }
  if (holdsPooled(item) && !((isStoredText(item) || isMember(item)) && all.as<RecordValue>()))
    return error(DiagId::Unsupported, where,
                 "`in` of objects is not translated; write `any(p is q for p in objects)`");
  const auto *part = item.as<StringValue>(), *text = all.as<StringValue>();
  if (part && text) return known(text->text.find(part->text) != std::string::npos);
  const auto* s = item.as<Scalar>();
  const auto* range = all.as<RangeValue>();
  if (const auto step = range ? ir::constantInt(range->step) : std::nullopt;
      step && *step != 0 && s && ir::isInteger(s->type())) {
    if (!holds(DType::I64, item, where)) return Value{};
    const Expr i = stable(ir::cast(DType::I64, s->e));
    const auto both = [](const Expr& a, const Expr& b) { return ir::binary(ir::BinaryOp::LogicalAnd, a, b); };
    const Expr first = *step > 0 ? range->lo : i, last = *step > 0 ? i : range->lo;
    const Expr inside = both(ir::binary(ir::BinaryOp::Ge, last, first),
                             ir::binary(*step > 0 ? ir::BinaryOp::Lt : ir::BinaryOp::Gt, i, range->hi));
    if (std::abs(*step) == 1) return Value{Scalar{inside, true}};
    const Expr rest = ir::binary(ir::BinaryOp::Mod, ir::sub(last, first), ir::intConst(std::abs(*step)));
    return Value{Scalar{both(inside, ir::binary(ir::BinaryOp::Eq, rest, ir::intConst(0))), true}};
  }
  const auto* r = all.as<RecordValue>();
  if (tableIn(all)) return isInTable(*r, item, where);
  if (const std::optional<std::string> key = r && !r->type ? keyOf(item) : std::nullopt) {
    const std::vector<std::string>& keys = objects_.at(r->object).fields;
    const bool isKey = std::find(keys.begin(), keys.end(), *key) != keys.end();
    return isKey || hasKnownKeys(*r, where) ? known(isKey) : Value{};
  }
  if (const std::optional<KeysAndValues> like = r ? likeKey(*r, item, where) : std::nullopt)
    return compareMember(keyKept(item), Value{like->keys}, where);
  if (r && mayBeTableKey(item) && becomesTable(*r)) return Value{};
  if (const auto* l = all.as<ListValue>(); l && l->made && !l->like && !l->hasViews && !stateOf(*l))
    return known(false); // nothing is put in, as far as is known
  if (const auto* l = all.as<ListValue>();
      l && l->isSet && (l->like ? isTupleOfNumbers(item) : item.as<Scalar>() != nullptr)) {
    ListValue inOrder = *l;
    inOrder.isSet = false;
    return callListFunction("in_order", {Value{inOrder}, item}, where);
  }
  if (const auto* l = all.as<ListValue>();
      l && !l->hasViews && item.as<Scalar>() && !ir::isFloat(l->values.type)) {
    const std::optional<Array> numbers = numbersOf(*l, where);
    return numbers ? compareMember(item, Value{*numbers}, where) : Value{};
  }
  if (const auto* l = all.as<ListValue>();
      l && (l->like ? isTupleOfNumbers(item) : item.as<Scalar>() != nullptr))
    return callListFunction("contains", {all, item}, where);
  if (const auto* a = all.as<Array>(); a && !a->shape.empty() && item.as<Scalar>()) {
    const Value equal = compare(ir::BinaryOp::Eq, all, item, where);
    Arguments args;
    args.where = where;
    args.positional = {equal};
    const Value found = equal.isError() ? Value{} : callNamed("numpy.any", args);
    const auto* any = found.as<Scalar>();
    return any ? Value{Scalar{any->e, true}} : found;
  }
  const auto* t = all.as<TupleValue>();
  if (!t || item.as<Array>())
    return error(DiagId::Unsupported, where,
                 "`in` is translated for a number in a tuple; compare with each value, or use a loop");
  Value any = known(false);
  for (const Value& one : t->items) {
    const auto isOfText = [](const Value& v) {
      return isText(v) || v.as<DigitsValue>() || v.as<CharactersValue>();
    };
    const auto isTold = [](const Value& v) { // what it is is all that its kind says
      return !v.as<OptionalValue>() && !v.as<ListValue>() && !v.as<NestedValue>();
    };
    const bool isUnlike =
        item.v.index() != one.v.index() && !(isOfText(item) && isOfText(one)) && isTold(item) && isTold(one);
    const Value equal = isUnlike ? known(false) : compare(ir::BinaryOp::Eq, item, one, where);
    const auto* holds = equal.as<Scalar>();
    if (!holds)
      return equal.isError()
                 ? equal
                 : error(DiagId::Unsupported, where, "`in` is translated for a number in a tuple");
    if (const std::optional<int64_t> is = constantArgument(equal)) {
      if (*is) return known(true);
      continue;
    }
    any = Value{Scalar{ir::binary(ir::BinaryOp::LogicalOr, any.as<Scalar>()->e, holds->e), true}};
  }
  return any;
}

/// `a.dtype.kind` and its kind.
std::optional<Value> Lowering::typeAttribute(const TypeValue& t, const std::string& name) const {
  if (name == "kind") return Value{StringValue{std::string(1, kindOf(t.type))}};
  if (name == "name") return Value{StringValue{std::string(ir::numpyName(t.type))}};
  if (name == "itemsize") return Value{Scalar{ir::intConst(ir::byteSize(t.type)), true}};
  if (name == "type") return Value{t};
  return std::nullopt;
}

/// np.result_type(a, 2.5, np.float32): NEP 50's.
Value Lowering::callResultType(const Bound& b) {
  std::optional<Strength> all;
  for (const Value& v : b["arrays_and_dtypes"].as<TupleValue>()->items) {
    const bool isType = v.as<TypeValue>() != nullptr;
    std::optional<Strength> s =
        isType || v.as<StringValue>() ? dtypeArgument(v, b.where) : strengthOf(v, b.where);
    if (!s) return Value{};
    all = all ? promote(*all, *s) : *s;
  }
  if (!all) return error(DiagId::TypeMismatch, b.where, "np.result_type takes at least one array or type");
  return Value{TypeValue{all->type}};
}

/// NumPy's abstract types: the kinds of numbers that are of them.
static const std::map<std::string_view, std::string_view> kKinds = {
    {"numpy.generic", "biufc"},   {"numpy.number", "iufc"},       {"numpy.integer", "iu"},
    {"numpy.signedinteger", "i"}, {"numpy.unsignedinteger", "u"}, {"numpy.inexact", "fc"},
    {"numpy.floating", "f"},      {"numpy.complexfloating", "c"}};

/// Is the number of the type, or of its base: a bool is an int, np.float64 a float, np.complex128 a complex?
static bool isOfType(const Scalar& s, const TypeValue& type) {
  if (!type.weak) return !s.weak && s.type() == type.type;
  const bool isBase = !s.weak && (s.type() == DType::F64 || s.type() == DType::C128);
  return (s.weak || isBase) &&
         (s.type() == type.type || (s.weak && ir::isBool(s.type()) && type.type == DType::I64));
}

/// isinstance(v, type); nothing where it is not known what that is.
static std::optional<bool> isInstance(const Value& v, const Value& type) {
  static const std::map<std::string_view, std::string_view> kAbstract = {{"numbers.Number", "iufc"},
                                                                         {"numbers.Complex", "iufc"},
                                                                         {"numbers.Real", "iuf"},
                                                                         {"numbers.Integral", "iu"}};
  const auto* s = v.as<Scalar>();
  const auto* a = v.as<Array>();
  const auto* t = v.as<TupleValue>();
  const auto* r = v.as<RecordValue>();
  if (s && (s->isCell || s->isOpaque || s->isExtended)) return std::nullopt;
  if (a && a->shape.empty()) return std::nullopt; // NumPy's number, or an array
  if (const auto* all = type.as<TupleValue>()) {
    bool isOne = false;
    for (const Value& each : all->items) {
      const std::optional<bool> found = isInstance(v, each);
      if (!found) return std::nullopt;
      isOne |= *found;
    }
    return isOne;
  }
  if (const auto* of = type.as<TypeValue>()) return s && isOfType(*s, *of);
  if (const auto* c = type.as<ClassValue>()) {
    ast::ClassRef own = t ? t->type : r ? r->type : nullptr;
    while (own && own != c->type) own = own->base;
    return own != nullptr;
  }
  const auto* named = type.as<Callable>();
  if (!named) return std::nullopt;
  const std::string_view path = named->path;
  if (const auto it = kKinds.find(path); it != kKinds.end())
    return s && !s->weak && it->second.find(kindOf(s->type())) != std::string_view::npos;
  if (const auto it = kAbstract.find(path); it != kAbstract.end())
    return s && ((s->weak && ir::isBool(s->type())) ||
                 it->second.find(kindOf(s->type())) != std::string_view::npos);
  if (path == "numpy.ndarray") return a || v.as<Selection>();
  if (path == "tuple" && isTuple(v)) return true;
  if (path == "list") return !isTuple(v) && !isDeque(v) && !isSet(v) && isAnyList(v);
  if (path == "tuple") return t && !t->isList;
  if (path == "set" && !isSet(v)) return false; // a frozenset is kept as one, and is none
  if (path == "range" && a)
    return std::nullopt; // with tuple and list: a sequence, which some versions' arrays are
  if (path == "range") return v.as<RangeValue>() != nullptr;
  if (path == "slice") return v.as<SliceValue>() != nullptr;
  if (path == "str") return isText(v) || v.as<CharactersValue>();
  if (path == "dict") return (r && !r->type) || tableIn(v);
  return std::nullopt;
}

Value Lowering::callIsInstance(const Bound& b) {
  const std::optional<bool> is = isInstance(b["obj"], b["class_or_tuple"]);
  if (is) return known(*is);
  const auto* kinds = b["class_or_tuple"].as<TupleValue>();
  const auto isRange = [](const Value& v) { return v.as<Callable>() && v.as<Callable>()->path == "range"; };
  if (b["obj"].as<Array>() && kinds && std::ranges::any_of(kinds->items, isRange))
    return error(
        DiagId::Unsupported, b.where,
        "whether a pattern of items fits an array hangs on NumPy's version; ask for `len(a)` and `a[0]`");
  return error(DiagId::Unsupported, b.where,
               fmt::format("whether {} is of this type is not known here; write a function for each type",
                           describe(b["obj"])));
}

/// np.issubdtype(a.dtype, np.floating)
Value Lowering::callIsSubtype(const Bound& b) {
  const std::optional<Strength> type = dtypeArgument(b["arg1"], b.where);
  if (!type) return Value{};
  if (const auto* c = b["arg2"].as<Callable>())
    if (auto it = kKinds.find(c->path); it != kKinds.end())
      return known(it->second.find(kindOf(type->type)) != std::string_view::npos);
  const std::optional<Strength> other = dtypeArgument(b["arg2"], b.where);
  return other ? known(other->type == type->type) : Value{};
}

/// Of the library: a tuple or a list; what can be called.
Value Lowering::callIsSequence(const Bound& b) {
  const Value& x = b["x"];
  if (b.name() == "_is_function") return known(x.as<UserFunction>() || x.as<Callable>() || x.as<Method>());
  return known(x.as<TupleValue>() != nullptr);
}

/// Of the library: is the number known at translation?
Value Lowering::callIsConstant(const Bound& b) { return known(constantArgument(b["n"]).has_value()); }

/// Of the library: a call stands in no parallel loop, where each thread would have one of its own.
Value Lowering::callHasAllThreads(const Bound&) {
  return known(tried_ == 0 &&
               std::ranges::none_of(loops_, isShared)); // what a library raises by itself no handler takes
}

/// Of the library: do all the values have other memory than `written`?
Value Lowering::callAreApart(const Bound& b) {
  const auto* written = b["written"].as<Array>();
  const auto isApart = [&](const Value& v) {
    const auto* a = v.as<Array>();
    if (!a) return v.as<Scalar>() != nullptr;
    if (a->choice || a->shares == written->view->buffer.name) return false;
    Indices first(a->shape.size(), ir::intConst(0));
    const auto isOfIt = [&](const ir::Load& load) { return load.buffer == written->view->buffer.name; };
    return !ir::any<ir::Load>(a->at(first), isOfIt);
  };
  const auto* values = b["values"].as<TupleValue>();
  return known(written && written->view && !written->choice && std::ranges::all_of(values->items, isApart));
}

/// Of the library: what is computed here is in NumPy a view of `a`.
Value Lowering::callShares(const Bound& b) {
  const auto *computed = b["computed"].as<Array>(), *a = b["a"].as<Array>();
  if (!computed || !a) return b["computed"];
  Array out = *computed;
  if (a->view && !a->view->fancy && out.view && out.view->buffer.name == a->view->buffer.name &&
      stridesOf(out)) { // by index arrays that step evenly
    auto view = std::make_shared<View>(*out.view);
    view->fancy = view->strided = false;
    view->isFrozen = true;
    view->readOnly = "NumPy's view of a diagonal is read only; store by indices, `a[i, i] = ...`, or use "
                     "np.fill_diagonal";
    out.view = view;
    return Value{out};
  }
  out.view = nullptr;
  out.shares = a->view ? a->view->buffer.name : a->shares;
  return Value{out};
}

} // namespace appyc::sema
