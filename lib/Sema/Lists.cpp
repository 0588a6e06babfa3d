//===- Lists.cpp - lists in memory: of a length known at run time, or that the function changes -------------===//
//   l = []                      room = n               (as many as the statements that append can add)
//   for i in range(n):     =>   l: room for these;  length = 0
//     if c: l.append(x)         for i in [0, n):
//                                 if c:  l[length] = x;  length = length + 1
// All that have a list share its memory and the variable of its length, so that a change shows to all of them. What the
// numbers of a list are, Python's or NumPy's, follows from everything that is put into it: where that is more than was known
// when the list was made, the function is lowered once more.
#include "Arguments.h"
#include "Lowering.h"

namespace appyc::sema {

bool changesLists(const std::string& method) {
  return method == "append" || method == "extend" || method == "pop" || method == "clear";
}

static Array emptyArray(DType type) {
  Array none;
  none.type = type;
  none.shape = {ir::intConst(0)};
  none.at = [type](const Indices&) { return ir::constOf(type, 0); };
  return none;
}

//===--- what is in a list -----------------------------------------------------------------------------------===//

/// What its numbers are; nothing where none has been put in.
std::optional<Scalar> Lowering::stateOf(const ListValue& list) const {
  if (!list.made) return Scalar{ir::var(Symbol("item"), list.values.type), list.isWeak};
  const auto known = listStates_.states.find(list.made);
  return known == listStates_.states.end() ? std::nullopt : std::optional(known->second);
}

/// The number is put in.
bool Lowering::putState(const ListValue& list, const Scalar& s, Span where) {
  const auto [known, isFirst] = listStates_.states.try_emplace(list.made, Scalar());
  std::optional<Scalar> joined = isFirst ? s : joinNumbers(known->second, s, where, "");
  if (!joined) return false;
  listStates_.haveChanged |= isFirst || !isSameState(*joined, known->second);
  known->second = keptIn(*joined, ir::var(Symbol("item"), joined->type()));
  return true;
}

/// The list's memory as an array of as many elements as it has now.
Array Lowering::elementsOf(const ListValue& list) {
  if (!list.length) return list.values;
  const Expr n = stable(ir::var(list.length));
  nonNegative_.insert(n.as<ir::Var>()->name);
  room_[n.as<ir::Var>()->name] = ir::var(growing_.at(list.length).room);
  return cutTo(list.values, {n});
}

/// len(list)
Scalar Lowering::itemsIn(const ListValue& list) const {
  return Scalar{list.length ? ir::var(list.length) : list.values.shape[0], true};
}

/// The elements, where they are all numbers of one kind.
std::optional<Array> Lowering::numbersOf(const ListValue& list, Span where) {
  const std::optional<Scalar> state = stateOf(list);
  if (state && state->others.empty()) return elementsOf(list);
  error(DiagId::Unsupported, where,
        state ? "the numbers of this list differ in kind, as Python's int and float do; convert each when it "
                "is put in"
              : "nothing is put into this list before");
  return std::nullopt;
}

/// An element of the list's memory, or what is computed of them, as the list has its items.
Value Lowering::asItem(const ListValue& list, const Value& item) const {
  const auto* s = item.as<Scalar>();
  const std::optional<Scalar> state = s ? stateOf(list) : std::nullopt;
  return state ? Value{keptIn(*state, ir::cast(state->type(), s->e))} : item;
}

/// What a place of one element holds.
Scalar Lowering::numberAt(const Array& place) const {
  const auto list = listMemory_.find(place.view->buffer.name);
  const auto known =
      list == listMemory_.end() ? listStates_.states.end() : listStates_.states.find(list->second);
  if (known == listStates_.states.end()) return Scalar{place.at({})};
  return keptIn(known->second, ir::cast(known->second.type(), place.at({})));
}

/// Stores what becomes an item of a list; false where the place is none of a list's.
bool Lowering::putInto(const Array& place, const Value& v, Span where) {
  const auto list = place.view ? listMemory_.find(place.view->buffer.name) : listMemory_.end();
  if (list == listMemory_.end() || !place.shape.empty()) return false;
  ListValue of;
  of.made = list->second;
  const auto* s = v.as<Scalar>();
  if (!s && !v.isError())
    error(DiagId::TypeMismatch, where,
          fmt::format("a list of numbers gets a number here, not {}; use an array", describe(v)));
  else if (s && putState(of, *s, where))
    emit(ir::Store{place.view->buffer.name, place.view->index({}), ir::cast(place.type, s->e), {}});
  return true;
}

/// The numbers of a list of lists of one length each, and so on; false where there is anything else in it, or a list that
/// something else has, too.
static bool addNumbers(const TupleValue& t, size_t level, std::vector<size_t>& extents,
                       std::vector<Scalar>& numbers) {
  if (!t.isList || (level > 0 && t.isKept)) return false;
  if (level == extents.size()) extents.push_back(t.items.size());
  if (extents[level] != t.items.size()) return false;
  for (const Value& item : t.items) {
    const auto* inner = item.as<TupleValue>();
    const auto* s = item.as<Scalar>();
    if (inner ? !addNumbers(*inner, level + 1, extents, numbers) : !s || level + 1 != extents.size())
      return false;
    if (s) numbers.push_back(*s);
  }
  return true;
}

/// Does the function do that to what the name stands for, or one to which it passes it on?
bool Lowering::isChangedBy(const NameFacts& facts, bool NameFacts::*how, int depth) {
  constexpr int kDeepest = 8;
  if (facts.*how) return true;
  return depth < kDeepest && std::ranges::any_of(facts.passed, [&](const NameFacts::Passed& p) {
           const auto* user = file() ? &file()->functions : nullptr;
           const auto found = user ? user->find(p.function) : decltype(user->end())();
           if (!user || found == user->end()) return false;
           const std::vector<ast::Parameter>& params = found->second->params;
           for (size_t k = 0; k < params.size(); ++k)
             if (p.keyword.empty() ? k == p.position : params[k].name == p.keyword)
               return isChangedBy(scanNames(*found->second)[params[k].name], how, depth + 1);
           return false;
         });
}

/// A new list that the name gets, in memory if the function changes it: it may be changed by all of its names then.
Value Lowering::changeable(const std::string& name, const Value& v, const NameFacts& facts, Span where) {
  const auto* t = v.as<TupleValue>();
  const auto* l = v.as<ListValue>();
  const bool isNew = (t && t->isList && !t->isKept) || (l && !l->isKept && !l->hasViews);
  if (!isNew) return v;
  const bool grows = isChangedBy(facts, &NameFacts::grows);
  if (!grows && !isChangedBy(facts, &NameFacts::isStored)) return v;
  std::vector<size_t> extents;
  std::vector<Scalar> numbers;
  if (t && !addNumbers(*t, 0, extents, numbers)) return v;
  ListValue list;
  list.made = where.begin;
  list.isKept = true;
  if (l) numbers.push_back(*stateOf(*l));
  for (const Scalar& s : numbers)
    if (!putState(list, s, where)) return Value{};
  const std::optional<Scalar> state = stateOf(list);
  const DType type = state ? state->type() : DType::F64;
  Value items = l                 ? Value{l->values}
                : numbers.empty() ? Value{emptyArray(type)}
                                  : arrayLiteral(*t, {}, where);
  if (!items.isError()) items = castTo(items, type, where);
  if (items.isError()) return items;
  const Array& array = *items.as<Array>();
  if (grows && array.shape.size() == 1) return Value{growingList(name, list, array, where)};
  list.values = newBuffer(hintOf(name), type, array.shape);
  listMemory_[list.values.view->buffer.name] = list.made;
  store(list.values, array);
  return Value{list};
}

/// A list with room for what is appended to it. How much that is, is known at the function's end.
ListValue Lowering::growingList(const std::string& name, ListValue list, const Array& items, Span where) {
  const Expr first = stable(items.shape[0]);
  const Symbol room("room");
  sizes_.insert(room);
  list.values = newBuffer(hintOf(name), items.type, {ir::var(room)});
  list.length = newVariable(hintOf(name) + "_length", DType::I64, first);
  mutable_.insert(list.length);
  listMemory_[list.values.view->buffer.name] = list.made;
  growing_[list.length] = {list.values.view->buffer.name, room, first, where, {loops_.begin(), loops_.end()}};
  if (!ir::isConst(first, 0)) store(cutTo(list.values, {first}), items);
  return list;
}

//===--- reading ---------------------------------------------------------------------------------------------===//

/// The list as np.array() takes it.
Value Lowering::arrayOf(const ListValue& list, std::optional<DType> dtype, Span where) {
  const std::optional<Scalar> state = stateOf(list);
  if (!state) return Value{emptyArray(dtype.value_or(DType::F64))};
  const bool isOfOneType =
      std::ranges::all_of(state->others, [&](const Scalar& o) { return !o.e || o.type() == state->type(); });
  if (!isOfOneType && !dtype)
    return error(DiagId::Unsupported, where,
                 "the type of this array follows from which numbers are in the list; write `dtype=`");
  if (dtype && state->weak && ir::isInteger(list.values.type) && ir::isInteger(*dtype) &&
      *dtype != DType::I64)
    return error(DiagId::Unsupported, where,
                 "NumPy raises where Python's numbers do not fit the type; make the array, then `.astype`");
  Array fresh = elementsOf(list);
  const std::vector<Expr>& shape = fresh.shape;
  for (size_t d = 0; d < shape.size();
       ++d) // what an empty list has is an array of float64, without further axes
    if (const bool isAlike = dtype || list.values.type == DType::F64;
        (d + 1 < shape.size() || !isAlike) && !isNonNegative(ir::sub(shape[d], ir::intConst(1))))
      requireWhereRun(ir::binary(ir::BinaryOp::Gt, shape[d], ir::intConst(0)), "NotImplementedError",
                      "NumPy makes an array of float64, of one dimension, of an empty list");
  if (list.isKept) fresh.view = nullptr; // a copy: nobody sees the list change
  return Value{fresh};
}

/// `list[index]` of a list in memory.
Value Lowering::listItem(const ListValue& list, const std::vector<ast::Expr>& index, Span where) {
  const bool isSlice = index.size() == 1 && index[0].is<ast::Slice>();
  if (index.size() != 1 || list.hasViews)
    return error(DiagId::Unsupported, where,
                 list.hasViews ? "a list of arrays is run over, or made an array; use np.array"
                               : "a list takes one index here; use np.array");
  const std::optional<Scalar> state = stateOf(list);
  if (!state) return error(DiagId::BadIndex, where, "nothing is put into this list before");
  const Value v = subscript(Value{elementsOf(list)}, index, where);
  if (const auto* part = v.as<Array>()) {
    ListValue taken = list;
    taken.length = Symbol();
    taken.values = *part;
    if (!isSlice) return Value{taken}; // a row, which is a list of its own
    taken.isKept = false;              // a copy
    taken.values = roomyBuffer("part", part->type, part->shape);
    store(taken.values, *part);
    return Value{taken};
  }
  return asItem(list, v);
}

/// `item for item in over`
GeneratorValue Lowering::generatorOver(const Value& over, Span where) {
  const auto item = [&] { return ast::make(where, ast::Name{"item of list"}); }; // no name of Python's
  writtenOut_.push_back({ast::makeStmt(
      where, ast::ExprStmt{ast::make(where, ast::Comprehension{item(), {{item(), item(), {}}}, true})})});
  return {writtenOut_.back()[0].as<ast::ExprStmt>()->value, std::make_shared<const Value>(over)};
}

//===--- changing --------------------------------------------------------------------------------------------===//

/// `list[index]` as a target.
std::optional<Array> Lowering::listPlace(const ListValue& list, const std::vector<ast::Expr>& index,
                                         Span where) {
  const bool isKnown = list.made && list.values.view && listMemory_.count(list.values.view->buffer.name);
  if (!isKnown || index.size() != 1 || index[0].is<ast::Slice>()) {
    error(
        DiagId::Unsupported, where,
        isKnown
            ? "a list takes one index here; use np.array"
            : "this list has several names, or stands in another value; a list that changes has the name by "
              "which it changes first, `a = list(b)`");
    return std::nullopt;
  }
  const Value v = subscriptArray(elementsOf(list), index, where);
  const auto* place = v.as<Array>();
  if (place && !place->shape.empty()) {
    error(DiagId::Unsupported, where, "a list in a list is not replaced by another; store its items");
    return std::nullopt;
  }
  return place ? std::optional(*place) : std::nullopt;
}

bool Lowering::mayGrow(const ListValue& list, Span where) {
  const bool isShared = std::ranges::any_of(loops_, [](const ir::For& loop) { return sema::isShared(loop); });
  const bool isOpen = list.length && iterated_.count(list.length);
  if (list.length && !isShared && !isOpen) return true;
  error(DiagId::Unsupported, where,
        isShared ? "a list changes its length in order, and the loop's iterations run in any"
        : isOpen ? "the list that the loop runs over changes its length in it; run over `list(...)` of it"
                 : "this list has several names, or stands in another value, or is one of lists; a list that "
                   "grows has "
                   "the name by which it grows first, `a = list(b)`, and holds numbers");
  return false;
}

void Lowering::append(const ListValue& list, const Value& item, Span where) {
  if (item.isError() || !mayGrow(list, where)) return;
  const auto* s = item.as<Scalar>();
  if (!s) {
    error(DiagId::Unsupported, where,
          fmt::format("a list that grows holds numbers of one kind, not {}; write into arrays",
                      describe(item)));
    return;
  }
  if (!putState(list, *s, where)) return;
  const Expr length = ir::var(list.length);
  emit(ir::Store{list.values.view->buffer.name, {length}, ir::cast(list.values.type, s->e), {}});
  emit(ir::Assign{list.length, ir::add(length, ir::intConst(1))});
}

/// list.pop()
Value Lowering::popped(const ListValue& list, Span where) {
  const std::optional<Scalar> state = stateOf(list);
  if (!mayGrow(list, where)) return Value{};
  if (!state) return error(DiagId::BadIndex, where, "nothing is put into this list before");
  const Expr length = ir::var(list.length);
  requireWhereRun(ir::binary(ir::BinaryOp::Gt, length, ir::intConst(0)), "IndexError", "pop from empty list");
  const Expr last = ir::load(list.values.view->buffer, {ir::sub(length, ir::intConst(1))});
  const Expr item = materialize(ir::cast(state->type(), last), "item");
  emit(ir::Assign{list.length, ir::sub(length, ir::intConst(1))});
  return Value{keptIn(*state, item)};
}

Value Lowering::callListMethod(const Value& self, const std::string& name, const Arguments& args) {
  const auto* list = self.as<ListValue>();
  const size_t wanted = name == "append" || name == "extend" ? 1 : 0;
  if (args.positional.size() != wanted || !args.keywords.empty())
    return error(DiagId::Unsupported, args.where,
                 fmt::format("`.{}` of a list takes {} here", name, wanted ? "one value" : "no argument"));
  if (!list) {
    error(DiagId::Unsupported, args.where,
          "this list has several names, or stands in another value, or holds other things than numbers of "
          "one kind; a "
          "list that grows has the name by which it grows first, `a = list(b)`, and holds numbers");
    return Value{};
  }
  if (name == "pop") return popped(*list, args.where);
  if (name == "append")
    append(*list, args.positional[0], args.where);
  else if (name == "extend")
    extend(*list, args.positional[0], args.where);
  else if (mayGrow(*list, args.where)) // clear
    emit(ir::Assign{list->length, ir::intConst(0)});
  return Value{NoneValue{}};
}

/// list.extend(), list += ...
void Lowering::extend(const ListValue& list, const Value& items, Span where) {
  const auto* t = items.as<TupleValue>();
  for (const Value& item : t ? t->items : std::vector<Value>()) append(list, item, where);
  if (t || items.isError() || !mayGrow(list, where)) return;
  if (const auto* from = items.as<ListValue>(); from && from->length == list.length) {
    error(DiagId::Unsupported, where, "a list is added to itself; add `list(...)` of it");
    return;
  }
  const std::string own = unusedName("items"), item = unusedName("item");
  const auto named = [&](const std::string& id) { return ast::make(where, ast::Name{id}); };
  env()[own] = Value{Method{std::make_shared<Value>(Value{list}), "append"}};
  const ast::Body body{
      ast::makeStmt(where, ast::ExprStmt{ast::make(where, ast::Call{named(own), {named(item)}, {}})})};
  writtenOut_.push_back(
      {ast::makeStmt(where, ast::For{named(item), named("of " + own), body, {}, {}, {}, {}})});
  lowerClauses(writtenOut_.back(), items);
  env().erase(own);
  forgetName(item);
}

/// list + list, list * n
std::optional<Value> Lowering::listOperator(ast::BinaryOp op, const Value& a, const Value& b, Span where) {
  const auto isList = [](const Value& v) {
    const auto* t = v.as<TupleValue>();
    return v.as<ListValue>() || (t && t->isList);
  };
  const auto inMemory = [&](const Value& v) -> std::optional<Array> {
    if (const auto* l = v.as<ListValue>()) return l->hasViews ? std::nullopt : std::optional(elementsOf(*l));
    const Value made = v.as<TupleValue>()->items.empty() ? Value{emptyArray(DType::F64)}
                                                         : arrayLiteral(*v.as<TupleValue>(), {}, where);
    const auto* array = made.as<Array>();
    return array && array->shape.size() == 1 ? std::optional(*array) : std::nullopt;
  };
  const auto kindOf = [&](const Value& v) -> std::optional<Scalar> {
    if (const auto* l = v.as<ListValue>()) return stateOf(*l);
    std::optional<Scalar> kind;
    for (const Value& item : v.as<TupleValue>()->items)
      if (const auto* s = item.as<Scalar>())
        kind = kind ? joinNumbers(*kind, *s, where, "")
                    : std::optional(keptIn(*s, ir::var(Symbol("item"), s->type())));
    return kind;
  };
  const bool isSum = op == ast::BinaryOp::Add && isList(a) && isList(b);
  const bool isRepeated =
      op == ast::BinaryOp::Mul && (isList(a) ? b : a).as<Scalar>() && (isList(a) || isList(b));
  if (!isSum && !isRepeated) return std::nullopt;
  const Value &first = isList(a) ? a : b, &second = isList(a) ? b : a;
  const std::optional<Array> x = inMemory(first), y = isSum ? inMemory(second) : std::nullopt;
  std::optional<Scalar> kind = kindOf(first), other = isSum ? kindOf(second) : std::nullopt;
  if (kind && other) kind = joinNumbers(*kind, *other, where, "");
  if (!kind) kind = other;
  if (!x || (isSum && !y) || !kind)
    return error(DiagId::Unsupported, where,
                 "lists are joined and repeated here that hold numbers of one kind; use arrays");
  ListValue made;
  made.isWeak = kind->weak;
  made.made = where.begin;
  listStates_.states[made.made] = keptIn(*kind, ir::var(Symbol("item"), kind->type()));
  const Expr n = stable(x->shape[0]);
  const auto typed = [&](const Array& array) {
    return *castTo(Value{array}, kind->type(), where).as<Array>();
  };
  if (isSum) {
    const Expr m = stable(y->shape[0]), both = stable(ir::add(n, m));
    made.values = roomyBuffer("list", kind->type(), {both});
    store(cutTo(made.values, {n}), typed(*x));
    const auto behind = [n](const Indices& i) { return Indices{ir::add(n, i[0])}; };
    store(remapped(made.values, {m}, behind), typed(*y));
    return Value{made};
  }
  const auto* times = second.as<Scalar>();
  if (!ir::isInteger(times->type()) || !times->weak)
    return error(DiagId::TypeMismatch, where, "a list is repeated by an `int` of Python's");
  const Expr often = stable(ir::maxOf(ir::cast(DType::I64, times->e), ir::intConst(0)));
  made.values = roomyBuffer("list", kind->type(), {ir::mul(often, n)});
  Array all = typed(*x);
  all.view = nullptr;
  all.shape = made.values.shape;
  all.at = [at = typed(*x).at, n](const Indices& i) {
    return at({ir::isConst(n, 1) ? ir::intConst(0) : ir::binary(ir::BinaryOp::Mod, i[0], n)});
  };
  store(made.values, all);
  return Value{made};
}

//===--- room ------------------------------------------------------------------------------------------------===//

namespace {
/// Is it a number times `v`, plus what does not depend on it?
bool isLinearIn(const Expr& e, const Symbol& v) {
  if (!ir::mentions(e, v)) return true;
  const auto* b = e.as<ir::Binary>();
  if (!b) return e.is<ir::Var>();
  if (b->op != ir::BinaryOp::Add && b->op != ir::BinaryOp::Sub && b->op != ir::BinaryOp::Mul) return false;
  const bool isScaled = ir::constantInt(b->lhs) || ir::constantInt(b->rhs);
  return isLinearIn(b->lhs, v) && isLinearIn(b->rhs, v) && (b->op != ir::BinaryOp::Mul || isScaled);
}

/// Is it convex in `v`? Factors are numbers of steps, which are not negative.
bool isConvexIn(const Expr& e, const Symbol& v) {
  if (isLinearIn(e, v)) return true;
  const auto* b = e.as<ir::Binary>();
  if (!b || !isConvexIn(b->lhs, v) || !isConvexIn(b->rhs, v)) return false;
  if (b->op == ir::BinaryOp::Mul) return !ir::mentions(b->lhs, v) || !ir::mentions(b->rhs, v);
  return b->op == ir::BinaryOp::Add || b->op == ir::BinaryOp::Max;
}

/// Is it never negative, as numbers of steps are?
bool isCount(const Expr& e) {
  const auto* b = e.as<ir::Binary>();
  if (!b) return ir::constantInt(e).value_or(-1) >= 0;
  if (b->op == ir::BinaryOp::Max) return isCount(b->lhs) || isCount(b->rhs);
  return (b->op == ir::BinaryOp::Add || b->op == ir::BinaryOp::Mul) && isCount(b->lhs) && isCount(b->rhs);
}

/// What it is not past: of the lesser of two, one, and rather what does not depend on `v`.
Expr withoutMin(const Expr& e, const Symbol& v) {
  const auto* b = e.as<ir::Binary>();
  if (!b || !ir::mentions(e, v)) return e;
  if (b->op == ir::BinaryOp::Min) return ir::mentions(b->rhs, v) ? withoutMin(b->lhs, v) : b->rhs;
  if (b->op == ir::BinaryOp::Mul ? !isCount(b->lhs) || !isCount(b->rhs)
                                 : b->op != ir::BinaryOp::Add && b->op != ir::BinaryOp::Max)
    return e;
  return ir::binary(b->op, withoutMin(b->lhs, v), withoutMin(b->rhs, v));
}

/// The greatest that it is in a loop's steps: one that is convex in the index is so at the first or the last.
std::optional<Expr> mostIn(const ir::For& loop, const Expr& given) {
  const Expr e = withoutMin(given, loop.index);
  if (!ir::mentions(e, loop.index)) return e;
  const int64_t step = ir::constantInt(loop.step).value_or(0);
  if (step == 0) return std::nullopt;
  if (!isConvexIn(e, loop.index)) { // each part by itself
    const auto* b = e.as<ir::Binary>();
    const bool isProduct = b && b->op == ir::BinaryOp::Mul && isCount(b->lhs) && isCount(b->rhs);
    if (!isProduct && (!b || (b->op != ir::BinaryOp::Add && b->op != ir::BinaryOp::Max))) return std::nullopt;
    const std::optional<Expr> x = mostIn(loop, b->lhs), y = mostIn(loop, b->rhs);
    return x && y ? std::optional(ir::binary(b->op, *x, *y)) : std::nullopt;
  }
  const Expr last = step > 0 ? ir::sub(loop.hi, ir::intConst(1)) : ir::add(loop.hi, ir::intConst(1));
  return ir::maxOf(ir::substitute(e, {{loop.index, loop.lo}}), ir::substitute(e, {{loop.index, last}}));
}

/// How much statements add to a variable at most, a sum of products of loops' lengths; none where nothing says.
struct Added {
  Symbol to;
  const std::map<Symbol, ir::For>& leaving; ///< loops over ranges that are `while` loops now
  const std::map<Symbol, Expr>& room;       ///< of numbers of elements

  std::optional<Expr> by(const ir::Stmt& s) const {
    if (!s || !ir::assignedVars(s).count(to)) return ir::intConst(0);
    if (const auto* a = s.as<ir::Assign>()) {
      const auto* b = a->value.as<ir::Binary>();
      return ir::intConst(b && b->op == ir::BinaryOp::Add ? 1 : 0);
    }
    if (const auto* block = s.as<ir::Block>()) {
      Expr sum = ir::intConst(0);
      for (const ir::Stmt& inner : block->body) {
        const std::optional<Expr> added = by(inner);
        if (!added) return std::nullopt;
        sum = ir::add(sum, *added);
      }
      return sum;
    }
    if (const auto* branch = s.as<ir::If>()) {
      const std::optional<Expr> then = by(branch->then), otherwise = by(branch->otherwise);
      return then && otherwise ? std::optional(ir::maxOf(*then, *otherwise)) : std::nullopt;
    }
    const auto* whole = s.as<ir::For>();
    const auto* left = s.as<ir::While>();
    const ir::For* loop = whole ? whole : left ? counted(*left) : nullptr;
    const std::optional<Expr> each = whole || left ? by(whole ? whole->body : left->body) : std::nullopt;
    if (!each || ir::isConst(*each, 0)) return each;
    if (!loop) return std::nullopt;
    const int64_t step = ir::constantInt(loop->step).value_or(0);
    const std::optional<Expr> most = step == 0 ? std::nullopt : mostIn(*loop, *each);
    if (!most) return std::nullopt;
    const auto* number = step > 0 ? loop->hi.as<ir::Var>() : nullptr;
    const auto known = number ? room.find(number->name) : room.end();
    const Expr hi = known == room.end() ? loop->hi : known->second;
    const auto* least = step > 0 ? hi.as<ir::Binary>() : nullptr;
    const Expr distance = least && least->op == ir::BinaryOp::Min
                              ? ir::minOf(ir::sub(least->lhs, loop->lo), ir::sub(least->rhs, loop->lo))
                          : step > 0 ? ir::sub(hi, loop->lo)
                                     : ir::sub(loop->lo, hi);
    return ir::mul(ir::maxOf(distance, ir::intConst(0)), *most);
  }

private:
  /// The loop over a range that became this one as it may be left.
  const ir::For* counted(const ir::While& loop) const {
    for (const Symbol& v : ir::freeVars(loop.cond))
      if (const auto found = leaving.find(v); found != leaving.end()) return &found->second;
    return nullptr;
  }
};

/// The statements behind the one that makes the buffer, in its block.
std::optional<std::vector<ir::Stmt>> behindAlloc(const std::vector<ir::Stmt>& list, const Symbol& buffer) {
  for (size_t k = 0; k < list.size(); ++k) {
    const auto* alloc = list[k].as<ir::Alloc>();
    if (alloc && alloc->buffer.name == buffer)
      return std::vector(list.begin() + static_cast<long>(k), list.end());
    std::optional<std::vector<ir::Stmt>> found;
    ir::visit(list[k], [&](const ir::Stmt& inner) {
      const auto* block = inner.as<ir::Block>();
      if (!found && block && !inner.is<ir::Alloc>()) found = behindAlloc(block->body, buffer);
      return !found;
    });
    if (found) return found;
  }
  return std::nullopt;
}
} // namespace

/// At the function's end: how much room the lists have.
void Lowering::settleLists() {
  std::map<Symbol, Expr> values; // of variables that the function sets once, at its top
  for (const ir::Stmt& s : lists_.front())
    if (const auto* a = s.as<ir::Assign>(); a && !mutable_.count(a->var)) {
      const Expr value = ir::substitute(a->value, values);
      if (isEntryExpr(value)) values[a->var] = value;
    }
  const auto refuse = [&](const GrowingList& list) {
    error(DiagId::Unsupported, list.where,
          "nothing that the caller knows says how many items this list gets: it grows in a `while` loop, or "
          "in one of "
          "which a computed number says how often it runs; write into an array that has room, and count");
  };
  std::map<Symbol, Expr> rooms;
  for (const auto& [length, list] : growing_) {
    std::optional<std::vector<ir::Stmt>> scope = behindAlloc(lists_.front(), list.buffer);
    if (!scope && isArrayResult(list.buffer)) scope = lists_.front();
    if (!scope) continue; // of an attempt that was given up
    std::optional<Expr> most = Added{length, leaving_, room_}.by(ir::block(*scope));
    for (auto loop = list.loops.rbegin(); most && loop != list.loops.rend(); ++loop)
      most = mostIn(*loop, *most);
    const std::optional<Expr> first = roomFor(ir::substitute(list.first, values));
    if (most) most = roomFor(ir::substitute(*most, values));
    if (!most || !first) {
      refuse(list);
      continue;
    }
    rooms[list.room] = ir::add(*first, *most);
  }
  for (size_t k = 0; k < rooms.size(); ++k) // a list that has got another one's items has that one's room
    for (auto& [room, e] : rooms) e = ir::substitute(e, rooms);
  for (const auto& [length, list] : growing_)
    if (const auto e = rooms.find(list.room); e != rooms.end())
      if (std::ranges::any_of(rooms, [&](const auto& r) { return ir::mentions(e->second, r.first); }))
        refuse(list);
  if (rooms.empty()) return;
  const auto settle = [&](std::vector<Expr>& extents) {
    for (Expr& e : extents) e = ir::substitute(e, rooms);
  };
  for (ir::Buffer& b : out_.buffers) settle(b.extents);
  for (ir::Result& r : out_.results) settle(r.extents);
  for (ir::Stmt& s : lists_.front())
    s = ir::rewrite(ir::substitute(s, rooms), [&](const ir::Stmt& inner) {
      const auto* alloc = inner.as<ir::Alloc>();
      if (!alloc) return inner;
      ir::Alloc settled = *alloc;
      settle(settled.buffer.extents);
      return ir::makeStmt(inner->span, std::move(settled));
    });
}

} // namespace appyc::sema
