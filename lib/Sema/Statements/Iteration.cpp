//===- Iteration.cpp - what a `for` may run over --------------------------------------------------------===//
//   for i, (x, y) in enumerate(zip(a, m)):          for i in [0, min(len(a), len(m))):
//     s += x * y[i]                           =>      x = a[i]; y = m[i, :]
//                                                     s += x * y[i]
// Arrays, ranges, and what `enumerate`, `zip` and `reversed` make of them are a number of steps and an item for each: the
// loop is one over a range, and judged as such. What is run over is evaluated once. Loops over tuples are written out.
#include "Arguments.h"
#include "FirstStep.h"
#include "Leaving.h"
#include "Lowering.h"
#include "Steps.h"

namespace appyc::sema {

//===--- enumerate, zip, reversed -----------------------------------------------------------------------===//

Value Lowering::callEnumerate(const Bound& b) {
  const auto* start = b["start"].as<Scalar>();
  if (!start || !ir::isInteger(start->type()))
    return error(DiagId::TypeMismatch, b.where, "enumerate() counts from an integer");
  return Value{IteratorValue{IteratorValue::Enumerate, {b["iterable"], b["start"]}}};
}

Value Lowering::callZip(const Bound& b) {
  const std::optional<bool> strict = flagArgument("strict", b);
  if (!strict) return Value{};
  if (*strict)
    return error(DiagId::Unsupported, b.where, "`strict=True` is not translated; compare the lengths before");
  return Value{IteratorValue{IteratorValue::Zip, b["iterables"].as<TupleValue>()->items}};
}

Value Lowering::callReversed(const Bound& b) {
  if (b["sequence"].as<IteratorValue>())
    return error(DiagId::TypeMismatch, b.where,
                 "reversed() takes an array, a tuple or a range, as in Python");
  return Value{IteratorValue{IteratorValue::Reversed, {b["sequence"]}}};
}

Expr lengthOf(const RangeValue& r) {
  const std::optional<int64_t> step = ir::constantInt(r.step);
  auto steps = [](const Expr& distance, const Expr& by) {
    const Expr one = ir::intConst(1);
    const Expr up = ir::isConst(by, 1)
                        ? distance
                        : ir::binary(ir::BinaryOp::FloorDiv, ir::sub(ir::add(distance, by), one), by);
    return ir::maxOf(up, ir::intConst(0));
  };
  const Expr up = steps(ir::sub(r.hi, r.lo), r.step),
             down = steps(ir::sub(r.lo, r.hi), ir::sub(ir::intConst(0), r.step));
  if (step) return *step > 0 ? up : down;
  return ir::select(ir::binary(ir::BinaryOp::Gt, r.step, ir::intConst(0)), up, down);
}

/// A range as it is now.
RangeValue Lowering::keptRange(const RangeValue& r) {
  auto kept = [&](const Expr& e) { return isStable(e) ? e : materialize(e, "n"); };
  RangeValue out = r;
  out.lo = kept(r.lo), out.hi = kept(r.hi), out.step = kept(r.step);
  return out;
}

/// Number `k` of a range, for k in [0, its length).
static Value numberOf(const RangeValue& r, const Expr& k) {
  return Value{Scalar{ir::add(r.lo, ir::mul(k, r.step)), true}};
}

/// `r[index]`
Value Lowering::rangeItem(const RangeValue& r, const std::vector<ast::Expr>& index, Span where) {
  if (index.size() != 1 || index[0].is<ast::Slice>())
    return error(DiagId::Unsupported, where, "a range takes one index, and no slice, here");
  const std::optional<Expr> at = evalIndexExpr(index[0], "an index");
  if (!at) return Value{};
  Array numbers; // for the check's message
  numbers.shape = {stable(lengthOf(keptRange(r)))};
  return numberOf(r, wrapIndex(checkedIndex(*at, numbers, 0, where), numbers.shape[0]));
}

/// `a[k]` for k in [0, len(a)): an element, or a view.
static Value rowOf(const Array& a, const Expr& k) {
  auto with = [k](Indices i) {
    i.insert(i.begin(), k);
    return i;
  };
  if (a.shape.size() == 1) return Value{Scalar{a.at({k})}};
  return Value{remapped(a, {a.shape.begin() + 1, a.shape.end()}, with)};
}

//===--- steps ------------------------------------------------------------------------------------------===//

std::optional<Lowering::Steps> Lowering::stepsOf(const Value& v, Span where) {
  if (v.isError() || !isNoSet(v, where)) return std::nullopt;
  if (tableIn(v)) return stepsOf(asIterable(v), where);
  if (const std::optional<Value> members = membersOf(v)) return stepsOf(*members, where);
  if (const auto* r = v.as<RangeValue>()) {
    if (!ir::constantInt(r->step))
      requireWhereRun(ir::binary(ir::BinaryOp::Ne, r->step, ir::intConst(0)), "ValueError",
                      "range() arg 3 must not be zero");
    const RangeValue kept = keptRange(*r);
    return Steps{lengthOf(kept), [kept](const Expr& k) { return numberOf(kept, k); }};
  }
  if (const auto* a = v.as<Array>(); a && !a->shape.empty() && !a->symbolic)
    return Steps{a->shape[0], [array = *a](const Expr& k) { return rowOf(array, k); }};
  if (const auto* t = v.as<TupleValue>())
    return Steps{ir::intConst(static_cast<int64_t>(t->items.size())),
                 [this, items = t->items, where](const Expr& k) {
                   const std::optional<int64_t> known = ir::constantInt(k);
                   return known ? items[static_cast<size_t>(*known)] : chosenItem(items, k, where);
                 },
                 true};
  if (const auto* l = v.as<ListValue>())
    return Steps{elementsOf(*l).shape[0], [this, list = *l](const Expr& k) {
                   if (list.like) return itemOf(list, k);
                   const Value row = rowOf(list.values, k);
                   if (!row.as<Array>() || list.hasViews) return asItem(list, row);
                   ListValue inner = list; // a list of its own
                   inner.length = Symbol();
                   inner.values = *row.as<Array>();
                   inner.isKept = true;
                   return Value{inner};
                 }};
  if (const std::optional<CharactersValue> text = charactersIn(v))
    return stepsOf(Value{text->characters}, where);
  if (const std::optional<DigitsValue> text = digitsOf(v, where))
    return Steps{elementsOf(text->digits).shape[0],
                 [this, digits = text->digits](const Expr& k) { return textOfDigits(itemOf(digits, k)); }};
  if (const auto* nested = v.as<NestedValue>())
    return Steps{elementsOf(nested->numbers).shape[0], [this, list = *nested](const Expr& k) {
                   return rowValue(list.rows, list.numbers.values.at({k}));
                 }};
  if (const auto* m = v.as<Method>(); m && m->name == "flat" && m->self->as<Array>())
    return stepsOf(Value{flatOf(*m->self->as<Array>())}, where);
  if (const auto* r = v.as<RecordValue>(); r && !r->type)
    return stepsOf(Value{IteratorValue{IteratorValue::Keys, {v}}}, where);
  const auto* i = v.as<IteratorValue>();
  if (i && i->kind <= IteratorValue::Indices) return stepsOfIterator(*i, where);
  error(DiagId::Unsupported, where,
        fmt::format(
            "a `for` runs over ranges, arrays, tuples, and enumerate, zip and reversed of these, not {}{}",
            describe(v), v.as<Selection>() ? "; write `if mask[i]:` in a loop over indices" : ""));
  return std::nullopt;
}

std::optional<Lowering::Steps> Lowering::stepsOfIterator(const IteratorValue& v, Span where) {
  if (v.kind == IteratorValue::Keys || v.kind == IteratorValue::Values || v.kind == IteratorValue::Items)
    return stepsOfDict(v, where);
  if (v.kind == IteratorValue::Cells) {
    const Array all = *v.parts[0].as<Array>();
    const bool isStored = v.parts.size() > 1;
    return Steps{all.shape[0], [all, isStored](const Expr& k) {
                   if (isStored) return Value{remapped(all, {}, [k](const Indices&) { return Indices{k}; })};
                   Scalar cell{all.at({k})};
                   cell.isCell = true;
                   return Value{cell};
                 }};
  }
  if (v.kind >= IteratorValue::Each) return stepsOfItertools(v, where);
  std::vector<Steps> parts;
  const bool isCounted = v.kind == IteratorValue::Enumerate;
  for (size_t k = 0; k < (isCounted ? 1 : v.parts.size()); ++k) {
    std::optional<Steps> part = stepsOf(v.parts[k], where);
    if (!part) return std::nullopt;
    parts.push_back(std::move(*part));
  }
  Steps all{ir::intConst(0), {}};
  all.isEndless = true;
  for (const Steps& part : parts) {
    all.isWrittenOut |= part.isWrittenOut;
    all.isOfDict |= part.isOfDict;
    if (part.isEndless) continue;
    all.count =
        all.isEndless || alwaysEqual(all.count, part.count) ? part.count : ir::minOf(all.count, part.count);
    all.isEndless = false;
  }
  if (v.kind == IteratorValue::Reversed) {
    const auto* r = v.parts[0].as<RangeValue>();
    if (r &&
        ir::isConst(r->step, 1)) { // told from its end, not from how many there are, which is never below 0
      all.item = [last = ir::sub(keptRange(*r).hi, ir::intConst(1))](const Expr& k) {
        return Value{Scalar{ir::sub(last, k), true}};
      };
      return all;
    }
    all.item = [part = parts[0]](const Expr& k) {
      return part.item(ir::sub(ir::sub(part.count, ir::intConst(1)), k));
    };
    return all;
  }
  if (isCounted) {
    const Expr start = ir::cast(DType::I64, v.parts[1].as<Scalar>()->e);
    const Expr first = isStable(start) ? start : materialize(start, "n");
    all.item = [part = parts[0], first](const Expr& k) {
      return Value{TupleValue{{Value{Scalar{ir::add(first, k), true}}, part.item(k)}}};
    };
    return all;
  }
  all.item = [parts](const Expr& k) {
    TupleValue items;
    for (const Steps& part : parts) items.items.push_back(part.item(k));
    return Value{items};
  };
  return all;
}

/// What a loop runs over, as it is now: arrays that are computed move to memory.
Value Lowering::iterated(const Value& v) {
  if (isSet(v))
    if (const std::optional<Value> items = inHashOrder(v, statement_)) return iterated(*items);
  if (!isNoSet(v, statement_)) return Value{};
  if (tableIn(v)) return asIterable(v);
  if (const auto* g = v.as<GeneratorValue>()) return iterated(listOfGenerator(*g));
  if (const std::optional<Value> own = callSpecial("__iter__", {v}, statement_)) return iterated(*own);
  if (const auto* text = v.as<StringValue>()) return Value{charactersOf(*text)};
  if (const std::optional<DigitsValue> text = digitsOf(v, statement_)) return Value{*text};
  if (const std::optional<CharactersValue> text = charactersIn(v)) return Value{text->characters};
  if (const auto* a = v.as<Array>(); a && !a->shape.empty() && !a->symbolic) {
    const Array memory = materialize(*a, "items"); // itself, where it is that
    return Value{
        withFixedSubscripts(memory, [&](const Expr& e) { return ir::readsMemory(e) || !isStable(e); })};
  }
  if (const auto* s = v.as<Selection>()) return iterated(Value{asArray({s->values, s->mask})});
  if (const auto* i = v.as<IteratorValue>()) {
    IteratorValue all{i->kind, {}};
    for (const Value& part : i->parts) all.parts.push_back(iterated(part));
    return Value{all};
  }
  const auto* t = v.as<TupleValue>();
  return t ? evaluatedOnce(v, "item") : v;
}

/// The arrays that the loop runs over keep names while it does, so that nobody takes their memory for another array's.
static void addArrays(const Value& v, TupleValue& out) {
  if (v.as<Array>()) out.items.push_back(v);
  if (const auto* i = v.as<IteratorValue>())
    for (const Value& part : i->parts) addArrays(part, out);
}

//===--- binding ----------------------------------------------------------------------------------------===//

/// The items of an array of `count` items, which it must have.
std::optional<TupleValue> Lowering::takenApart(const Value& v, size_t count, Span where) {
  if (!isNoSet(v, where)) return std::nullopt;
  if (const auto* t = v.as<TupleValue>()) return *t;
  if (const auto* g = v.as<GeneratorValue>()) return takenApart(listOfGenerator(*g), count, where);
  if (const std::optional<Value> own = callSpecial("__iter__", {v}, where))
    return takenApart(*own, count, where);
  if (v.as<IteratorValue>() || v.as<RangeValue>()) {
    const Value items = callNamed("list", {{v}, {}, where});
    return items.isError() ? std::nullopt : takenApart(items, count, where);
  }
  const auto* l = v.as<ListValue>();
  const Value memoryOfList = l && !l->hasViews ? Value{elementsOf(*l)} : Value{};
  const auto* a = l ? memoryOfList.as<Array>() : v.as<Array>();
  if (!a || a->shape.empty() || (l && a->shape.size() > 1 && !l->isTuple)) return std::nullopt;
  requireEqual(a->shape[0], ir::intConst(static_cast<int64_t>(count)),
               fmt::format("{} values are to be unpacked", count), where);
  const Array memory = materialize(*a, "items");
  const std::optional<Steps> rows = l && a->shape.size() > 1 ? stepsOf(iterated(v), where) : std::nullopt;
  TupleValue items;
  for (size_t k = 0; k < count; ++k) {
    const Expr at = ir::intConst(static_cast<int64_t>(k));
    items.items.push_back(rows ? rows->item(at) : l ? itemOf(*l, at) : rowOf(memory, at));
  }
  return items;
}

/// Binds what a step gives: to names that nothing but the step's place is read for.
void Lowering::bindItem(const ast::Expr& target, const Value& value) {
  const auto* t = target.as<ast::Tuple>();
  const bool isPlain = t && std::all_of(t->items.begin(), t->items.end(), [](const ast::Expr& e) {
                         return e.is<ast::Name>() || e.is<ast::Tuple>();
                       });
  const std::optional<TupleValue> items =
      isPlain && !value.isError() ? takenApart(value, t->items.size(), target->span) : std::nullopt;
  if (!items || items->items.size() != t->items.size()) return assignTo(target, value);
  for (size_t k = 0; k < items->items.size(); ++k) bindItem(t->items[k], items->items[k]);
}

static std::set<std::string> namesOf(const ast::Expr& target) {
  return assignedNames(
      {ast::makeStmt(target->span, ast::Assign{{target}, ast::make(target->span, ast::NoneLit{}), {}})});
}

/// The index's name in what is written: the first one that counts.
static std::string indexHint(const ast::Expr& target, const Value& over) {
  const auto* i = over.as<IteratorValue>();
  const auto* t = target.as<ast::Tuple>();
  const auto* n = i && i->kind == IteratorValue::Enumerate && t && !t->items.empty()
                      ? t->items[0].as<ast::Name>()
                      : nullptr;
  return n ? n->id : "i";
}

/// A loop over anything but a range with a name as its target.
/// The lengths of the lists that a loop runs over.
static void addLengths(const Value& over, std::set<Symbol>& lengths, std::vector<ListValue>& rows) {
  if (const auto* l = over.as<ListValue>(); l && l->length) lengths.insert(l->length);
  if (const auto* l = over.as<ListValue>(); l && l->row) rows.push_back(*l);
  if (const auto* l = over.as<NestedValue>()) lengths.insert(l->numbers.length);
  if (const auto* i = over.as<IteratorValue>())
    for (const Value& part : i->parts) addLengths(part, lengths, rows);
}

/// `for u in queue: queue.append(v)`: a list that changes its length meanwhile is run over while its index is in it, as
/// Python's iterator does. False where it does not.
bool Lowering::lowerForGrowing(const ast::For& s, const Value& over, Span span) {
  const auto* list = over.as<ListValue>();
  const auto* name = s.iter.as<ast::Name>();
  if (!list || !list->length || list->isSet || !name || s.directive.mark != ast::LoopMark::None) return false;
  ast::Function body;
  body.body = s.body;
  std::map<std::string, NameFacts> facts = scanNames(body);
  const NameFacts& own = facts[name->id];
  if (own.assignments > 0 || !isChangedBy(own, &NameFacts::grows)) return false;
  const Span where = s.iter->span;
  const std::string position = unusedName("position");
  const auto at = [&] { return ast::make(where, ast::Name{position}); };
  const auto one = [&](uint64_t n) { return ast::make(where, ast::IntLit{n}); };
  env()["len()"] = Value{Callable{"len"}}; // no name of Python's
  const ast::Expr count = ast::make(where, ast::Call{ast::make(where, ast::Name{"len()"}), {s.iter}, {}});
  ast::While loop;
  loop.cond = ast::make(where, ast::Compare{{at(), count}, {ast::CompareOp::Lt}});
  loop.body = {
      ast::makeStmt(where, ast::Assign{{s.target}, ast::make(where, ast::Subscript{s.iter, {at()}}), {}}),
      ast::makeStmt(where, ast::AugAssign{ast::BinaryOp::Add, at(), one(1), {}})};
  loop.body.insert(loop.body.end(), s.body.begin(), s.body.end());
  loop.otherwise = s.otherwise;
  loop.unless = s.unless;
  frame().names[position].reads.push_back({UINT32_MAX, {}}); // read behind the loop's steps
  writtenOut_.push_back({ast::makeStmt(where, ast::Assign{{at()}, one(0), {}}),
                         ast::makeStmt(span, std::move(loop))}); // nodes that states are kept for
  lowerStatements(writtenOut_.back(), 0);
  forgetName(position);
  env().erase("len()");
  return true;
}

/// `for k in itertools.count(first, step)`: a `while` that its body leaves.
void Lowering::lowerForCounted(const ast::For& s, const IteratorValue& counted, Span span) {
  const Span where = s.iter->span;
  const std::string next = unusedName("next"), step = unusedName("step");
  const auto name = [&](const std::string& id) { return ast::make(where, ast::Name{id}); };
  ast::While loop;
  loop.cond = ast::make(where, ast::BoolLit{true});
  loop.body = {ast::makeStmt(where, ast::Assign{{s.target}, name(next), {}}),
               ast::makeStmt(where, ast::AugAssign{ast::BinaryOp::Add, name(next), name(step), {}})};
  loop.body.insert(loop.body.end(), s.body.begin(), s.body.end());
  loop.unless = s.unless;
  assignName(next, counted.parts[0], where);
  assignName(step, counted.parts[1], where);
  for (const std::string& own : {next, step}) frame().names[own].reads.push_back({UINT32_MAX, {}});
  writtenOut_.push_back({ast::makeStmt(span, std::move(loop))});
  lowerStatements(writtenOut_.back(), 0);
  forgetName(next);
  forgetName(step);
}

static bool hasGroups(const Value& v) {
  const auto* i = v.as<IteratorValue>();
  return i && (i->kind == IteratorValue::Groups || std::ranges::any_of(i->parts, hasGroups));
}

/// Names of the loop's target that a step reads once at most, and not in another loop: a group is empty the second time.
std::set<std::string> Lowering::namesReadOnce(const ast::For& s) const {
  ast::Function step;
  step.body = s.body;
  const ast::Expr none = ast::make(s.target->span, ast::NoneLit{});
  step.body.insert(step.body.begin(), ast::makeStmt(s.target->span, ast::Assign{{s.target}, none, {}}));
  std::set<std::string> once = namesOf(s.target);
  const auto inStep = scanNames(step);
  std::erase_if(once, [&](const std::string& name) {
    const NameFacts& facts = inStep.at(name);
    return facts.uses.size() > 1 || facts.isCaptured || facts.isRepeated;
  });
  return once;
}

void Lowering::lowerForEach(const ast::For& s, const Value& over, Span span) {
  if (hasGroups(over)) {
    const std::set<std::string> names = namesReadOnce(s), outer = readOnce_;
    readOnce_.insert(names.begin(), names.end());
    lowerSteps(s, over, span);
    readOnce_ = outer;
    for (const std::string& name : names)
      if (const auto last = env().find(name); last != env().end() && last->second.as<IteratorValue>())
        lose(name, "is a group of a loop that has ended");
    return;
  }
  lowerSteps(s, over, span);
}

void Lowering::lowerSteps(const ast::For& s, const Value& over, Span span) {
  constexpr int64_t kMostWrittenOut = 64;
  if (lowerForGrowing(s, over, span)) return;
  const Value now = iterated(over);
  if (const auto* i = now.as<IteratorValue>();
      i && i->kind == IteratorValue::Counted && s.directive.mark == ast::LoopMark::None)
    return lowerForCounted(s, *i, span);
  if (const auto* i = now.as<IteratorValue>(); i && i->kind >= IteratorValue::Indices)
    return lowerNest(s, *i, span);
  const std::optional<Steps> steps = now.isError() ? std::nullopt : stepsOf(now, s.iter->span);
  if (!steps) return quietFor(s);
  if (steps->isEndless) {
    error(DiagId::Unsupported, s.iter->span,
          "this never ends by itself; write `while True:`, or zip() it with what ends");
    return quietFor(s);
  }
  const std::optional<int64_t> count = ir::constantInt(steps->count);
  const bool isWritten = steps->isWrittenOut || listStates_.writtenOut.count(span.begin);
  if (isWritten && count && *count <= kMostWrittenOut) {
    const std::vector<std::string> before = keysOfDicts(now);
    const auto* name = s.target.as<ast::Name>();
    const auto counter = counters_.insert(name && !steps->isWrittenOut ? name->id : "");
    lowerWrittenOut(s, *steps, *count);
    counters_.erase(counter);
    if (keysOfDicts(now) != before)
      error(DiagId::Unsupported, s.iter->span,
            "the dict that the loop runs over gets another key in it, where Python raises RuntimeError");
    return;
  }
  const std::string kept = fmt::format("loop at {}", span.begin); // no name of Python's
  TupleValue arrays;
  addArrays(now, arrays);
  env()[kept] = Value{arrays};
  const RangeValue range{ir::intConst(0), stable(steps->count), ir::intConst(1)};
  if (StepNames names(s.body, loops_.size() > frame().loops);
      s.directive.mark == ast::LoopMark::None &&
      names.find(env(), s.body, s.target, listStates_, frame().names, span.end)) {
    const auto outer = items_;
    items_[names.first] = [&] { return steps->item(ir::intConst(0)); };
    items_[names.next] = [&] { return steps->item(env().at(names.step).as<Scalar>()->e); };
    env()[names.runs] = Value{Scalar{ir::binary(ir::BinaryOp::Lt, range.lo, range.hi), true}};
    env()[names.rest] = Value{RangeValue{range.step, range.hi, range.step}};
    writtenOut_.push_back(firstByItself(s, names));
    lowerStatements(writtenOut_.back(), 0);
    for (const std::string& name : {names.runs, names.rest, kept}) env().erase(name);
    items_ = outer;
    return;
  }
  const std::set<Symbol> iterated = iterated_;
  const std::vector<ListValue> openRows = openRows_;
  addLengths(now, iterated_, openRows_);
  lowerLoop(s, range, span, indexHint(s.target, now), namesOf(s.target),
            [&](const Expr& k) { bindItem(s.target, steps->item(k)); });
  iterated_ = iterated;
  openRows_ = openRows;
  env().erase(kept);
}

//===--- loops over tuples ------------------------------------------------------------------------------===//

/// Item after item; where the loop may be left, what follows asks whether it has been.
void Lowering::lowerWrittenOut(const ast::For& s, const Steps& steps, int64_t count) {
  if (s.directive.mark != ast::LoopMark::None)
    error(DiagId::BadDirective, s.directive.where, "a loop over a tuple is written out; drop its pragma");
  const auto outer = items_;
  ast::Body all;
  for (int64_t k = count; k-- > 0;) {
    const std::string item = fmt::format("item {} at {}", k, s.target->span.begin); // no name of Python's
    env()[item] = steps.item(ir::intConst(k));
    if (steps.isOfDict) items_[item] = [&steps, k] { return steps.item(ir::intConst(k)); };
    const Span where = s.target->span;
    ast::Body body = copyOf(s.body);
    body.insert(body.begin(),
                ast::makeStmt(where, ast::Assign{{s.target}, ast::make(where, ast::Name{item}), {}}));
    if (!all.empty() && s.unless) {
      const ast::Expr goesOn = ast::make(s.unless->span, ast::Unary{ast::UnaryOp::Not, s.unless});
      all = {ast::makeStmt({s.body.front()->span.begin, s.body.back()->span.end},
                           ast::If{goesOn, std::move(all), {}})};
    }
    body.insert(body.end(), all.begin(), all.end());
    all = std::move(body);
  }
  writtenOut_.push_back(all); // nodes that states are kept for
  std::set<std::string> exposed = exposedNames(s.body);
  addCaptured(exposed);
  carried_.push_back(exposed);
  lowerStatements(all, 0);
  carried_.pop_back();
  for (int64_t k = 0; k < count; ++k) env().erase(fmt::format("item {} at {}", k, s.target->span.begin));
  items_ = outer;
}

} // namespace appyc::sema
