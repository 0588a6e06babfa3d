//===- Statements.cpp - assignments, branches, returns ----------------------------------------------===//
#include "Leaving.h"
#include "Lowering.h"
#include "Scopes.h"
#include "appyc/IR/Walk.h"
#include "appyc/Support/CrashReport.h"
#include <algorithm>

namespace appyc::sema {

/// What the function returns; a path that ends without `return` gives None.
Value Lowering::lowerBody(const ast::Function& fn) {
  std::optional<Returned> returned = lowerStatements(fn.body, 0);
  return returned ? returned->value : Value{NoneValue{}};
}

/// What the function returns, once a `return` is reached.
std::optional<Returned> Lowering::lowerStatements(const ast::Body& body, size_t from, const Rest* rest) {
  beginBound();
  for (size_t i = from; i < body.size(); ++i) {
    if (const ast::Body* split = withRestInside(body, i)) return lowerStatements(*split, 0, rest);
    Span saved = std::exchange(statement_, body[i]->span);
    setCurrentPlace(statement_);
    settleSelections();
    if (const auto* r = body[i].as<ast::Return>()) {
      capture_ = true;
      Value v = r->value ? evalMaybe(r->value) : Value{NoneValue{}};
      capture_ = false;
      returned_ = statement_;
      statement_ = saved;
      return Returned{v, returned_};
    }
    if (const auto* s = body[i].as<ast::If>()) {
      std::optional<Returned> v = lowerIf(*s, {&body, i + 1, rest}, body[i]->span);
      statement_ = saved;
      if (v) return v;
      continue;
    }
    lowerStatement(body[i]);
    statement_ = saved;
  }
  return rest ? lowerStatements(*rest->body, rest->from, rest->then) : std::nullopt;
}

void Lowering::lowerStatement(const ast::Stmt& s) {
  Span where = s->span;
  match(
      s, [&](const ast::Assign& a) { lowerAssign(a); },
      [&](const ast::AugAssign& a) { lowerAugAssign(a, where); },
      [&](const ast::For& f) { lowerFor(f, where); }, [&](const ast::While& w) { lowerWhile(w, where); },
      [&](const ast::If&) {}, [&](const ast::Return&) {}, // lowerStatements
      [&](const ast::ExprStmt& e) {
        if (e.isContext) return enterContext(e.value);
        const auto* c = e.value.as<ast::Call>();
        if (e.value.is<ast::EllipsisLit>() || (c && lowerAtomicCall(*c, where))) return;
        if (c && appendWritten(*c, where)) return;
        isUsed_ = !c;
        eval(e.value);
        isUsed_ = true;
      },
      [&](const ast::Pass&) {}, [&](const ast::Raise& r) { lowerRaise(r, {}); },
      [&](const ast::Assert& a) { lowerAssert(a); }, [&](const ast::LocalImport& i) { lowerImport(i); },
      [&](const ast::LocalFunction& f) {
        const Value v = closureOf(f.function, f.function->nameSpan);
        if (v.isError())
          env()[f.function->name] = v;
        else
          assignName(f.function->name, v, f.function->nameSpan);
      },
      [&](const ast::Delete& d) { lowerDelete(d); }, [&](const ast::Break&) {},
      [&](const ast::Continue&) {}, // withoutLeaving
      [&](const ast::ErrorStmt&) {});
}

/// `with np.errstate(divide="ignore")`: translated code warns of nothing.
void Lowering::enterContext(const ast::Expr& context) {
  const auto* call = context.as<ast::Call>();
  const Value callee = call ? eval(call->callee) : Value{NoneValue{}};
  const auto* named = callee.as<Callable>();
  if (callee.isError()) return;
  if (named && named->path.starts_with("numba.cuda.")) return (void)eval(context);
  if (!named || named->path != "numpy.errstate" || !call->args.empty()) {
    error(DiagId::Unsupported, context->span,
          "`with` is translated for `np.errstate(...)`; move it to the caller");
    return;
  }
  for (const ast::Keyword& k : call->keywords) {
    const Value v = eval(k.value);
    const auto* how = v.as<StringValue>();
    if (!v.isError() && !v.as<NoneValue>() && (!how || (how->text != "ignore" && how->text != "warn")))
      error(DiagId::Unsupported, k.value->span,
            "translated code neither warns nor raises of floats; write \"ignore\" or \"warn\", or move the "
            "`with` to the caller");
  }
}

//===--- assignment ---------------------------------------------------------------------------------===//

static std::string nameOfTarget(const ast::Expr& target) {
  const auto* element = target.as<ast::Subscript>();
  const auto* name = (element ? element->base : target).as<ast::Name>();
  return name ? name->id : "";
}

static bool isSliced(const ast::Expr& e) {
  const auto* part = e.as<ast::Subscript>();
  return part && std::ranges::any_of(part->index, [](const ast::Expr& i) { return i.is<ast::Slice>(); });
}

void Lowering::lowerAssign(const ast::Assign& s) {
  // `out[k:] = a[i:] if i < n else b[j:]`: how many elements each path has is its own affair.
  if (const auto* c = s.value.as<ast::Conditional>();
      c && s.targets.size() == 1 && isSliced(s.targets[0]) && isSliced(c->then) && isSliced(c->otherwise)) {
    const auto path = [&](const ast::Expr& value) {
      ast::Assign one = s;
      one.value = value;
      return ast::Body{ast::makeStmt(statement_, std::move(one))};
    };
    writtenOut_.push_back({ast::makeStmt(statement_, ast::If{c->cond, path(c->then), path(c->otherwise)})});
    return (void)lowerStatements(writtenOut_.back(), 0);
  }
  size_t before = lists_.back().size();
  sliceExtents_.clear();
  if (s.directive.atomic) {
    if (s.targets.size() != 1 || !lowerAtomic(s.targets[0], s.value, std::nullopt))
      error(DiagId::BadDirective, s.directive.where,
            "`atomic` needs an update of the form `a[i] += e` or `a[i] = max(a[i], e)`");
    else
      applyDirective(before, s.directive, s.targets[0]);
    return;
  }
  capture_ = s.targets[0].is<ast::Name>() || s.targets[0].is<ast::Tuple>();
  frame().target = s.value.is<ast::Call>() ? nameOfTarget(s.targets[0]) : "";
  namesList_ = makesList(s.value) && s.targets[0].is<ast::Name>();
  const auto* first = s.targets[0].as<ast::Name>();
  if (const auto* flag = s.value.as<ast::BoolLit>(); flag && flag->value && first && isAdded(first->id))
    frame().setFlags.insert(first->id);
  assigned_ = {frames_.size(), first && s.targets.size() == 1 ? first->id : ""};
  Value v = evalMaybe(s.value);
  assigned_ = {};
  namesList_ = capture_ = false;
  frame().target.clear();
  if (v.isError()) {
    for (const ast::Expr& t : s.targets) forget(t);
    return;
  }
  if (s.targets.size() > 1) v = oneListOf(s.targets, evaluatedOnce(v, first ? first->id : "t")); // one value
  if (auto* t = std::get_if<TupleValue>(&v.v); t && s.targets.size() > 1) t->isKept = true;
  int errors = diag_.errorCount();
  if (const auto* item = s.value.as<ast::Name>(); item && item->id.starts_with("first at ")) {
    const auto bind = [&](const auto& self, const ast::Expr& target, const Value& value) -> void {
      const auto* name = target.as<ast::Name>();
      const auto* number = value.as<Scalar>();
      const auto* targets = target.as<ast::Tuple>();
      const auto* items = value.as<TupleValue>();
      if (name && number && number->e.is<ir::Const>()) { // it decides branches of the first step
        env()[name->id] = value;
        env().boundIf.erase(name->id), env().lost.erase(name->id);
      } else if (targets && items && targets->items.size() == items->items.size()) {
        for (size_t k = 0; k < items->items.size(); ++k) self(self, targets->items[k], items->items[k]);
      } else {
        assignTo(target, value);
      }
    };
    return bind(bind, s.targets[0], v);
  }
  Waiting parts(*this);
  parts.add(std::move(v));
  for (size_t k = 0; k < s.targets.size(); ++k)
    assignTo(s.targets[k], k + 1 < s.targets.size() ? Value(parts[0]) : parts.take(0));
  if (diag_.errorCount() > errors) return;
  applyDirective(before, s.directive, s.targets[0]);
  if (s.directive.dims.empty() && s.targets.size() == 1 && !s.targets[0].is<ast::Tuple>() && !site_)
    annotate(before, s.targets[0].is<ast::Name>());
}

/// The value as it is now: whatever is computed from memory moves to a temporary. Views stay what they are.
Value Lowering::evaluatedOnce(const Value& v, const std::string& hint) {
  if (const auto* s = v.as<Scalar>()) return isStable(s->e) ? v : Value{keptIn(*s, materialize(s->e, hint))};
  if (const auto* a = v.as<Array>()) return a->symbolic ? v : Value{materialize(*a, hint)};
  if (const auto* s = v.as<Selection>()) return keepSelection(*s, hint);
  if (!hasParts(v)) return v;
  std::vector<Value> parts = heldParts(v);
  for (Value& part : parts) part = evaluatedOnce(part, hint);
  return builtLike(v, std::move(parts));
}

/// A place that can be stored into.
std::optional<Array> Lowering::evalPlace(const ast::Expr& target) {
  if (const auto* n = target.as<ast::Name>()) {
    Value v = evalName(*n, target->span);
    if (const auto* a = v.as<Array>()) return *a;
    return std::nullopt;
  }
  if (const std::optional<Field> field = fieldAt(target)) { // `d["a"] += 1` of an array
    if (const std::optional<Array> row = rowOfField(field->of, field->name)) return row;
    const Value v = eval(target);
    if (const auto* a = v.as<Array>()) return *a;
    return std::nullopt;
  }
  const auto* s = target.as<ast::Subscript>();
  if (!s) {
    error(DiagId::Unsupported, target->span,
          "an attribute that is no field is not assigned to; what all objects of a class share, "
          "`Class.count`, is kept by the "
          "caller: pass it, or count in a name of the function");
    return std::nullopt;
  }
  if (const auto* flat = s->base.as<ast::Attribute>(); flat && flat->name == "flat")
    return flatPlace(*s, target->span);
  const int errors = diag_.errorCount();
  if (const std::optional<Array> place = partOfItem(*s, target->span)) return place;
  const std::optional<Field> field = s->base.is<ast::Attribute>() ? fieldAt(s->base) : std::nullopt;
  const auto* item = s->base.as<ast::Subscript>();
  const std::optional<ListValue> list = item ? listTarget(item->base) : std::nullopt;
  const std::optional<Array> row = field                    ? rowOfField(field->of, field->name)
                                   : list && list->hasViews ? itemInPlace(s->base)
                                                            : std::nullopt;
  Value base = diag_.errorCount() > errors ? Value{} : row ? Value{*row} : eval(s->base);
  if (base.isError()) return std::nullopt;
  if (const auto* r = base.as<RecordValue>()) {
    if (tableIn(base)) return placeOfTable(*r, keyAt(s->index), target->span);
    if (becomesTable(*r)) return std::nullopt;
    const std::string_view readOnly = objects_.at(r->object).readOnly;
    error(DiagId::Unsupported, target->span, std::string(readOnly.empty() ? kKeysOfDicts : readOnly));
    return std::nullopt;
  }
  if (const auto* l = base.as<ListValue>()) return listPlace(*l, s->index, target->span);
  const auto* a = base.as<Array>();
  if (a && !a->view && a->shares) {
    error(
        DiagId::Unsupported, target->span,
        fmt::format("NumPy gives memory of `{}` or a copy here, as sizes and order are; store into the array "
                    "itself, or name a `.copy()`",
                    a->shares.hint()));
    return std::nullopt;
  }
  if (!a || (!a->view && !a->choice)) {
    if (const auto* items = base.as<TupleValue>(); items && becomesReplaced(target, *items))
      return std::nullopt;
    const auto* list = base.as<TupleValue>();
    error(DiagId::TypeMismatch, target->span,
          fmt::format("{} cannot be assigned to by a subscript{}", describe(base),
                      list && list->made == kOfFile
                          ? ": all calls share it, as a list of the file; write `a = list(b)` first"
                          : ""));
    return std::nullopt;
  }
  if (a->view && a->view->fancy) {
    error(DiagId::Unsupported, target->span,
          "an index array makes a copy, which this would change unseen; subscript the array itself: "
          "`b[k[0]] = x`");
    return std::nullopt;
  }
  Value v = subscriptArray(*a, s->index, target->span);
  if (const auto* place = v.as<Array>()) return *place;
  return std::nullopt;
}

void Lowering::assignTo(const ast::Expr& given, const Value& stored) {
  Waiting before(*this);
  before.add(stored);
  const ast::Expr target = withSlices(given);
  const Value value = before.take(0);
  if (const auto* n = target.as<ast::Name>()) {
    assignName(n->id, value, target->span);
    return;
  }
  if (const auto* t = target.as<ast::Tuple>()) {
    if (value.as<OptionalValue>()) return assignTo(target, present(value, target->span));
    if (value.isError()) return forget(target);
    size_t count = t->items.size();
    const auto starred =
        std::ranges::find_if(t->items, [](const ast::Expr& e) { return e.is<ast::Starred>(); });
    if (starred != t->items.end()) {
      if (value.as<IteratorValue>() || value.as<RangeValue>() || value.as<GeneratorValue>())
        return assignTo(target, callNamed("list", {{value}, {}, target->span}));
      const auto* l = value.as<ListValue>();
      const Array* a = l ? &l->values : value.as<Array>();
      const std::optional<int64_t> known =
          a && !a->shape.empty() && !(l && l->length) ? ir::constantInt(a->shape[0]) : std::nullopt;
      if (known) count = static_cast<size_t>(*known);
      if (a && !a->shape.empty() && !known) {
        if (a->shape.size() > 1 || (l && l->hasViews)) {
          error(DiagId::Unsupported, target->span,
                "`*` takes the rest of numbers here; write subscripts, `a[0], a[1:]`");
          return forget(target);
        }
        const Span where = target->span; // the rest is a list of as many as there are beside the others
        const auto before = static_cast<int64_t>(starred - t->items.begin()),
                   others = static_cast<int64_t>(count) - 1;
        const Array all = l ? elementsOf(*l) : materialize(*a, "items");
        const Expr n = stable(all.shape[0]);
        requireWhereRun(ir::binary(ir::BinaryOp::Ge, n, ir::intConst(others)), "ValueError",
                        fmt::format("not enough values to unpack (expected at least {})", others));
        const Expr more = ir::maxOf(ir::sub(n, ir::intConst(others)), ir::intConst(0));
        ast::Tuple names = *t;
        names.items[static_cast<size_t>(before)] = starred->as<ast::Starred>()->value;
        TupleValue parts;
        for (int64_t k = 0; k <= others; ++k) {
          const Expr at = k < before ? ir::intConst(k) : ir::sub(n, ir::intConst(others - k + 1));
          if (k != before) {
            parts.items.push_back(l ? itemOf(*l, at) : Value{Scalar{all.at({at})}});
            continue;
          }
          Array places = emptyArray(l ? DType::I64 : all.type);
          places.shape = {more};
          places.at = [isList = l != nullptr, all, before](const Indices& i) {
            const Expr place = ir::add(i[0], ir::intConst(before));
            return isList ? place : all.at({place});
          };
          parts.items.push_back(l ? Value{reordered(*l, places)}
                                  : callNamed("list", {{Value{places}}, {}, where}));
        }
        return assignTo(ast::make(where, std::move(names)), Value{parts});
      }
    }
    std::optional<TupleValue> items = takenApart(value, count, target->span);
    if (items) items = withStarred(t->items, *items, target->span);
    if (!items || items->items.size() != t->items.size()) {
      error(DiagId::TypeMismatch, target->span,
            fmt::format("cannot unpack {} into {} names", describe(value), t->items.size()));
      return forget(target);
    }
    // All of the right side is read before any name is bound: `a, b = b, a`.
    std::vector<Value> values = items->items;
    bool stores = false; // arrays that names get are computed when they are bound
    for (size_t i = 0; i < values.size(); ++i) {
      if (stores || values[i].as<Scalar>()) values[i] = evaluatedOnce(values[i], "t");
      stores |= !t->items[i].is<ast::Name>();
    }
    Waiting parts(*this);
    for (const Value& v : values) parts.add(v);
    for (size_t i = 0; i < values.size(); ++i) assignTo(t->items[i], parts.take(i));
    return;
  }
  if (const auto* rest = target.as<ast::Starred>()) return assignTo(rest->value, value);
  if (const std::optional<Field> field = fieldAt(target)) return assignField(*field, value, target->span);
  if (const auto* s = target.as<ast::Subscript>())
    if (const std::optional<Value> of = recordAt(s->base); of && tableIn(*of)) {
      Waiting parts(*this);
      parts.add(present(value, target->span));
      const Value key = keyAt(s->index);
      return putIntoTable(*tableIn(*of), key, parts.take(0), target->span);
    }
  if (storeByClass(target, value)) return;
  {
    Waiting parts(*this);
    parts.add(value);
    if (storePart(
            target, [&](const Value&) { return present(parts.take(0), target->span); }, false))
      return;
  }
  if (target.is<ast::Subscript>()) {
    Waiting parts(*this);
    parts.add(present(value, target->span));
    if (assignSelected(
            target, [&](const Selection&) { return parts.take(0); }, false))
      return;
    if (storeRow(target, [&] { return parts.take(0); })) return;
    if (storeArrayItem(target, [&] { return parts.take(0); })) return;
    if (storeTuple(target, [&] { return parts.take(0); })) return;
    if (storeSlice(target, [&] { return parts.take(0); })) return;
    std::optional<Array> place = evalPlace(target);
    if (!place) return;
    const Value v = parts.take(0);
    if (!putInto(*place, v, target->span)) assignPlace(*place, v, target->span);
    return;
  }
  if (const auto* a = target.as<ast::Attribute>(); a && a->name == "shape" && a->base.is<ast::Name>())
    return assignShape(a->base.as<ast::Name>()->id, value, target->span);
  if (const auto* a = target.as<ast::Attribute>(); a && a->name == "flat")
    return assignTo(ast::make(target->span, ast::Subscript{target, {ast::make(target->span, ast::Slice{})}}),
                    value);
  error(DiagId::Unsupported, target->span,
        "appyc assigns to names, subscripts, fields of dicts and dataclasses, and tuples of them");
}

/// May the name stand for its value's expression instead of becoming a variable? (sizes, indices and
/// constants: so that `n = A.shape[0] - 2` keeps its exact meaning in bounds)
bool Lowering::substitutable(const std::string& name, const Scalar& value) const {
  const Frame& f = frames_.back();
  // In the library all but words of 64 bits may be a size.
  if (f.isLibrary && loops_.size() == f.loops)
    return value.e.is<ir::Const>() ||
           (ir::isInteger(value.type()) && value.type() != DType::U64 && isStable(value.e));
  auto it = f.names.find(name);
  if (it == f.names.end() || it->second.assignments != 1) return false;
  const Span home = it->second.home;
  if (home.end > 0)
    for (Span use : it->second.uses)
      if (use.begin < home.begin || use.end > home.end) return false;
  if (value.e.is<ir::Const>()) return true;
  if (ir::has<ir::Apply>(value.e)) return false;
  if (kernel_) { // whose text nobody analyses: it keeps the source's names
    const std::set<Symbol> free = ir::freeVars(value.e);
    const bool isPosition = ir::anyExpr(value.e, [](const Expr& part) { return part.is<ir::Hardware>(); });
    if (isPosition || !std::includes(sizes_.begin(), sizes_.end(), free.begin(), free.end())) return false;
  }
  int nodes = 0;
  ir::visit(value.e, [&](const Expr&) { return ++nodes < 16; });
  return ir::isInteger(value.type()) && nodes < 12 && isStable(value.e);
}

void Lowering::assignPlace(const Array& place, const Value& value, Span where,
                           std::optional<ir::ReduceOp> atomic) {
  if (const auto* s = value.as<Selection>()) return assignPlace(place, Value{asArray(*s)}, where, atomic);
  if (const auto* l = value.as<ListValue>(); l && stateOf(*l))
    return assignPlace(place, Value{elementsOf(*l)}, where, atomic);
  if (const auto* t = value.as<TupleValue>(); t && !t->items.empty()) { // as np.array() has it
    const Value items = arrayLiteral(*t, {}, where);
    if (!items.isError()) assignPlace(place, items, where, atomic);
    return;
  }
  if (!value.as<Scalar>() && !value.as<Array>()) {
    error(DiagId::TypeMismatch, where, fmt::format("{} cannot be stored into an array", describe(value)));
    return;
  }
  if (place.choice) return assignChosen(*place.choice, value, where, atomic);
  if (!place.view->readOnly.empty()) {
    error(DiagId::TypeMismatch, where, std::string(place.view->readOnly));
    return;
  }
  if (!holds(place.type, value, where)) return;
  Array v = toArray(value);
  if (ir::isComplex(v.type) && !ir::isComplex(place.type)) {
    error(DiagId::TypeMismatch, where,
          fmt::format("storing {} into an array of {} would drop the imaginary part; write `.real`",
                      ir::name(v.type), ir::name(place.type)));
    return;
  }
  if (v.uninitialised) v = materialize(v, "t");
  if (!place.shape.empty() && v.shape.empty() && mentionsReduce(v.at({}))) {
    Expr once = materialize(v.at({}), "s");
    v.at = [once](const Indices&) { return once; };
  }
  while (v.shape.size() > place.shape.size() &&
         ir::isConst(v.shape.front(), 1)) { // NumPy drops leading axes of size 1
    v.at = [at = v.at](Indices i) {
      i.insert(i.begin(), ir::intConst(0));
      return at(i);
    };
    v.shape.erase(v.shape.begin());
  }
  if (v.shape.size() > place.shape.size()) {
    error(DiagId::ShapeMismatch, where,
          fmt::format("cannot store an array of {} dimensions into {}", v.shape.size(), place.shape.size()));
    return;
  }
  fitInto(place, v, where);
  v = broadcastTo(v, place.shape);
  if (place.view->isFlat &&
      !place.shape.empty()) { // one element after the other: what is stored is read again
    const Indices all(place.shape.size(), ir::intConst(0));
    std::set<Symbol> read = ir::loadedBuffers(v.at(all));
    for (const Expr& e : place.view->index(all)) read.merge(ir::loadedBuffers(e));
    if (read.count(place.view->buffer.name)) {
      error(DiagId::Unsupported, where,
            "NumPy reads here what it has just stored; copy the values and indices before, by `.copy()`");
      return;
    }
  }
  if (place.shape.empty()) {
    emit(ir::Store{place.view->buffer.name, place.view->index({}), ir::cast(place.type, v.at({})), atomic});
    return;
  }
  Indices indices;
  ir::IndexStmt s;
  s.domain = rangesFor(place.shape, indices);
  s.target = place.view->buffer.name;
  s.index = place.view->index(indices);
  s.value = ir::cast(place.type, v.at(indices));
  s.atomicOp = atomic;
  emit(std::move(s));
  if (const auto* given = value.as<Array>(); given && filling_.count(place.view->buffer.name))
    noteShared(place, *given, true, where);
}

void Lowering::lowerAugAssign(const ast::AugAssign& s, Span span) {
  size_t before = lists_.back().size();
  int errors = diag_.errorCount();
  sliceExtents_.clear();
  if (!s.directive.atomic)
    lowerUpdate(s, span);
  else if (!lowerAtomic(s.target, s.value, s.op))
    error(DiagId::BadDirective, s.directive.where,
          "`atomic` needs an update of an array element by +=, -=, *=, &=, |=, ^=, or by max/min");
  if (diag_.errorCount() > errors) return;
  applyDirective(before, s.directive, s.target);
  if (!s.directive.atomic && s.directive.dims.empty() && !site_) annotate(before, false);
}

/// The old value comes before the right side.
Value Lowering::updatedBy(const ast::AugAssign& s, const Value& current, Span span) {
  Waiting parts(*this);
  parts.add(current);
  const Value v = eval(s.value);
  return binary(s.op, parts[0], operandOf(parts[0], v, s.op, span), span);
}

void Lowering::lowerUpdate(const ast::AugAssign& given, Span span) {
  ast::AugAssign s = given;
  s.target = withSlices(given.target);
  if (updatesTable(s, span)) return;
  const auto updated = [&](const Value& current) { return updatedBy(s, current, span); };
  if (storeByClass(s.target, {}, updated) || storePart(s.target, updated, true)) return;
  if (s.target.is<ast::Name>() || fieldAt(s.target)) {
    const Value current = eval(s.target);
    if (current.isError()) return;
    if (const auto* l = current.as<ListValue>(); l && s.op == ast::BinaryOp::Add) {
      const Value added = eval(s.value);
      const auto* number = added.as<Scalar>();
      if (!added.as<Array>() && !(number && !number->weak)) return extend(*l, added, span);
      const Value sum = binary(s.op, current, added, span); // NumPy's `+` comes before the list's `+=`
      return sum.isError() ? void() : assignTo(s.target, sum);
    }
    if (const auto* rows = current.as<NestedValue>(); rows && s.op == ast::BinaryOp::Add) {
      Value added = eval(s.value);
      if (auto* made = std::get_if<NestedValue>(&added.v); made && s.value.is<ast::Comprehension>())
        made->numbers.isKept = false; // nothing else has it
      return (void)callNestedMethod(*rows, "extend", {{added}, {}, span});
    }
    if (const std::string name = isSet(current) ? updateOfSet(s.op) : ""; !name.empty())
      return (void)callSetMethod(current, name, {{eval(s.value)}, {}, span});
    if (const auto* t = current.as<TupleValue>(); (t && t->isList) || current.as<ListValue>()) {
      error(DiagId::Unsupported, span,
            "a list that grows in place grows for all of its names; write `a = a + b`");
      return;
    }
    if (const auto* number = current.as<Scalar>(); number && number->isCell) {
      error(DiagId::Unsupported, span,
            "this changes an array without dimensions for all of its names; write `a = a + b`");
      return;
    }
    if (const auto* selected = current.as<Selection>())
      return storeSelected(*selected, updatedBy(s, current, span), span, true);
    if (const std::optional<Value> v = updateOfClass(s, current, span))
      return v->isError() ? void() : assignTo(s.target, *v);
    if (!current.as<Array>()) {
      Value v = updatedBy(s, current, span);
      if (!v.isError()) assignTo(s.target, v);
      return;
    }
    openWhereFolded(*current.as<Array>());
  }
  if (updatesRow(s, span)) return;
  const auto ofSelection = [&](const Selection& selected) { return updatedBy(s, Value{selected}, span); };
  if (assignSelected(s.target, ofSelection, true)) return;
  std::optional<Array> place = itemInPlace(s.target);
  if (!place) place = evalPlace(s.target);
  if (!place) return;
  if (place->view && place->view->whole) openWhereFolded(*place); // `total[:] += row`
  Waiting parts(*this);
  parts.add(Value{*place}, true);
  const Value v = updatedBy(s, place->shape.empty() ? Value{numberAt(*place)} : Value{*place}, span);
  const Value target = parts.take(0);
  if (target.isError()) return;
  place = *target.as<Array>();
  if (putInto(*place, v, span)) return;
  const std::optional<Strength> made = strengthOf(v, span);
  if (!made) return;
  const DType from = made->type;
  const auto* of = s.target.as<ast::Subscript>();
  const bool isNumber = place->shape.empty() && of && !hasEllipsis(of->index);
  if (!isNumber && !sameKind(from, place->type)) {
    error(DiagId::TypeMismatch, span,
          fmt::format(
              "NumPy cannot store {} back into an array of {} in place; write `a[:] = ...` with .astype",
              ir::name(from), ir::name(place->type)));
    return;
  }
  assignPlace(*place, v, s.target->span);
}

} // namespace appyc::sema
