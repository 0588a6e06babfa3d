//===- KnownItems.cpp - what is run over and known at translation; loops over all indices of an array ------===//
//   for (i, j), x in np.ndenumerate(a): b[j, i] = x      =>      for i in range(a.shape[0]):
//                                                                  for j in range(a.shape[1]):
//                                                                    x = a[i, j];  b[j, i] = x
#include "Arguments.h"
#include "Items.h"
#include "Steps.h"

namespace appyc::sema {

/// The items of what can be run over, where there are few and it is known how many.
std::optional<std::vector<Value>> Lowering::knownItems(const Value& over, Span where) {
  constexpr int64_t kMostOfRange = 16, kMost = 64;
  if (over.as<Array>() || over.as<ListValue>() || over.as<NestedValue>()) return std::nullopt;
  const auto* iterator = over.as<IteratorValue>();
  if (iterator && iterator->kind >= IteratorValue::Indices) return std::nullopt;
  const std::optional<Steps> steps = stepsOf(over, where);
  const std::optional<int64_t> count = steps ? ir::constantInt(steps->count) : std::nullopt;
  if (!count || *count > (steps->isWrittenOut ? kMost : kMostOfRange)) return std::nullopt;
  if (!steps->isWrittenOut && !over.as<RangeValue>()) return std::nullopt; // rows of arrays
  std::vector<Value> items;
  for (int64_t k = 0; k < *count; ++k) items.push_back(steps->item(ir::intConst(k)));
  return items;
}

/// tuple(), list()
Value Lowering::callSequence(const Bound& b) {
  const bool isList = b.name() == "list";
  const Value* given = b.find("iterable");
  if (!given || given->as<NoneValue>()) return Value{TupleValue{{}, isList}};
  const Value& v = *given;
  const auto* g = v.as<GeneratorValue>();
  const Value over = g ? listOfGenerator(*g) : v;
  if (over.isError() || (g && (over.as<ListValue>() || over.as<NestedValue>()) && isList)) return over;
  if (const auto* nested = over.as<NestedValue>(); nested && isList)
    return callNestedMethod(*nested, "copy", {{}, {}, b.where});
  const std::optional<std::vector<Value>> items =
      over.as<Array>() || over.as<ListValue>() ? std::nullopt : knownItems(over, b.where);
  if (items) return Value{TupleValue{*items, isList}};
  if (const Value array = over.as<Array>() ? over : Value{NoneValue{}}; !isList && array.as<Array>()) {
    constexpr int64_t kMost = 64;
    const Array all = materialize(*array.as<Array>(), "items");
    const std::optional<int64_t> count = all.shape.empty() ? std::nullopt : ir::constantInt(all.shape[0]);
    if (count && *count <= kMost)
      if (const std::optional<TupleValue> taken =
              takenApart(Value{all}, static_cast<size_t>(*count), b.where))
        return Value{*taken};
  }
  if (const auto* l = over.as<ListValue>(); l && !isList && !l->length && !l->row && !l->hasViews) {
    constexpr int64_t kMost = 64;
    const std::optional<int64_t> count = ir::constantInt(l->values.shape[0]);
    const std::optional<TupleValue> taken = count && *count <= kMost && l->values.shape.size() == 1
                                                ? takenApart(over, static_cast<size_t>(*count), b.where)
                                                : std::nullopt;
    if (taken) return evaluatedOnce(Value{*taken}, "item");
  }
  if (const auto* rows = over.as<ListValue>();
      rows && isList && rows->isTuple && rows->values.shape.size() == 2) { // of tuples that nothing changes
    ListValue list = *rows;
    list.made = (list.made & ~kWhichOfPlace) | kRunTuples;
    if (const std::optional<Scalar> state = stateOf(*rows)) listStates_.states[list.made] = *state;
    return Value{list};
  }
  const bool isOwn = g && over.as<ListValue>() && !over.as<ListValue>()->isKept;
  const Value made = isOwn ? over : listOfGenerator(generatorOver(iterated(over), b.where, isList));
  if (isList) return made;
  if (const auto* l = made.as<ListValue>(); l && !l->hasViews && l->values.shape.size() == 1) {
    ListValue tuple = *l;
    tuple.isTuple = true;
    return Value{tuple};
  }
  if (made.isError()) return made;
  return error(
      DiagId::Unsupported, b.where,
      fmt::format("{}() takes a few items that are known at translation, not {}; use the array itself",
                  b.name(), describe(v)));
}

/// zip(*rows): tuples of the first numbers, the second ones, ...; none of what is taken apart as a tuple.
std::optional<Value> Lowering::zippedRows(const Value& rows, Span where) {
  const auto* list = rows.as<ListValue>();
  const bool isOfTuples = list && list->like && list->like->as<TupleValue>();
  if (isOfTuples) {
    requireWhereRun(ir::binary(ir::BinaryOp::Gt, itemsIn(*list).e, ir::intConst(0)), "NotImplementedError",
                    "zip(*rows) of no rows");
    TupleValue columns;
    for (size_t k = 0; k < list->fields.size(); ++k) {
      if (!list->like->as<TupleValue>()->items[k].as<NoneValue>()) return std::nullopt;
      Array all = emptyArray(DType::I64);
      all.shape = elementsOf(list->fields[k]).shape;
      all.at = [](const Indices& i) { return i[0]; };
      ListValue column = reordered(list->fields[k], all);
      column.isTuple = true;
      columns.items.push_back(Value{column});
    }
    return Value{columns};
  }
  const auto* nested = rows.as<NestedValue>();
  const auto* array = rows.as<Array>();
  if (array && array->shape.size() != 2) return std::nullopt;
  const bool isSquare = array || (list && !list->hasViews && list->values.shape.size() == 2);
  const std::optional<Scalar> state = array ? std::optional(Scalar{ir::constOf(array->type, 0)})
                                      : nested && !nested->rows->items.like ? stateOf(nested->rows->items)
                                      : isSquare                            ? stateOf(*list)
                                                                            : std::nullopt;
  if (!state) return std::nullopt;
  ListValue columns;
  columns.made = madeAt(where) | uint64_t(251) << 48;
  columns.isWeak = state->weak;
  columns.isTuple = true; // as are its rows
  listStates_.states[columns.made] = *state;
  Array all = emptyArray(state->type());
  if (isSquare) {
    const Array from = array ? materialize(*array, "rows") : elementsOf(*list);
    const Expr isAny =
        ir::binary(ir::BinaryOp::Gt, from.shape[0], ir::intConst(0)); // of no rows there are none
    const bool isSome = !array || isNonNegative(ir::sub(from.shape[0], ir::intConst(1)));
    all.shape = {isSome ? from.shape[1] : stable(ir::select(isAny, from.shape[1], ir::intConst(0))),
                 from.shape[0]};
    all.at = [from](const Indices& i) { return from.at({i[1], i[0]}); };
    columns.values = roomyBuffer("columns", all.type, all.shape);
    store(columns.values, all);
    return Value{columns};
  }
  const ListRows lists = *nested->rows;
  const Array numbers = elementsOf(nested->numbers);
  const Expr n = stable(numbers.shape[0]);
  const auto lengthOfRow = [&](const Indices& i) { return lists.lengths.values.at({numbers.at({i[0]})}); };
  Array lengths = emptyArray(DType::I64);
  lengths.shape = {n};
  lengths.at = lengthOfRow;
  const Value least = extremeOr(false, Value{lengths}, Value{Scalar{ir::intConst(0), true}}, where);
  const auto* length = least.as<Scalar>();
  if (!length) return Value{};
  const Expr room = ir::var(growing_.at(lists.items.length).room), m = sizeVariable(length->e, room);
  requireWhereRun(ir::binary(ir::BinaryOp::Le, ir::mul(m, n), room), "NotImplementedError",
                  "zip(*rows) of rows of which some are one list");
  const Array memory = newBuffer("columns", state->type(), {room});
  all.shape = {m, n};
  all.at = [=](const Indices& i) {
    return lists.items.values.at({ir::add(lists.starts.values.at({numbers.at({i[1]})}), i[0])});
  };
  columns.values =
      remapped(memory, {m, n}, [n](const Indices& i) { return Indices{ir::add(ir::mul(i[0], n), i[1])}; });
  store(columns.values, all);
  return Value{columns};
}

/// The items in order where texts that are known, each another one, say it: a dict's keys, or its items.
static std::optional<TupleValue> sortedByTexts(const std::vector<Value>& items, bool isReversed) {
  std::map<std::string, Value> inOrder; // as Python, by code points
  for (const Value& item : items) {
    const auto* t = item.as<TupleValue>();
    const auto* text =
        t && !t->isList && !t->items.empty() ? t->items[0].as<StringValue>() : item.as<StringValue>();
    if (!text || !inOrder.emplace(text->text, item).second) return std::nullopt;
  }
  TupleValue sorted{{}, true};
  for (const auto& [text, item] : inOrder) sorted.items.push_back(item);
  if (isReversed) std::ranges::reverse(sorted.items);
  return sorted;
}

/// sorted(): of constants, or in memory.
Value Lowering::callSortedItems(const Bound& b) {
  const auto* g = b["iterable"].as<GeneratorValue>();
  const std::optional<CharactersValue> text = charactersIn(b["iterable"]);
  const Value over = g ? listOfGenerator(*g) : text ? Value{text->characters} : b["iterable"];
  if (over.isError()) return over;
  const std::optional<bool> isReversed = flagArgument("reverse", b);
  const auto inOrder = [&]() -> Value {
    if (const auto* nested = over.as<NestedValue>())
      return orderedRows(*nested, &b["key"], *isReversed, b.where);
    const auto* known = over.as<ListValue>();
    const bool hasKey = known && known->values.shape.size() > 1 && !b["key"].as<NoneValue>(); // rows
    const std::optional<ListValue> list = hasKey ? std::optional(*known) : inMemory(over, b.where);
    const std::optional<ListValue> sorted =
        list ? sortedList(*list, &b["key"], *isReversed, b.where) : std::nullopt;
    return sorted ? Value{*sorted} : Value{};
  };
  if (isReversed && !b["key"].as<NoneValue>()) return inOrder();
  std::optional<std::vector<Value>> items;
  if (!over.as<Array>() && !over.as<ListValue>() && !over.as<NestedValue>())
    items = knownItems(over, b.where);
  if (!isReversed) return Value{};
  if (const auto sorted = items && !items->empty() ? sortedByTexts(*items, *isReversed) : std::nullopt)
    return Value{*sorted};
  std::vector<std::pair<long double, Value>> numbers;
  for (const Value& item : items ? *items : std::vector<Value>()) {
    const auto* s = item.as<Scalar>();
    const Expr constant = s ? constantOf(*s) : Expr();
    const auto* c = constant ? constant.as<ir::Const>() : nullptr;
    std::optional<long double> number;
    if (c && (ir::isInteger(c->type) || ir::isBool(c->type)))
      number = static_cast<long double>(*constantArgument(item));
    else if (c && ir::isFloat(c->type) && !std::isnan(std::get<double>(c->value)))
      number = std::get<double>(c->value);
    if (!number) items.reset();
    if (!items) break;
    numbers.emplace_back(*number, item);
  }
  if (!items) return inOrder();
  std::stable_sort(numbers.begin(), numbers.end(), [&](const auto& x, const auto& y) {
    return *isReversed ? x.first > y.first : x.first < y.first;
  });
  TupleValue sorted{{}, true};
  for (const auto& entry : numbers) sorted.items.push_back(entry.second);
  return Value{sorted};
}

/// functools.reduce over a few items.
Value Lowering::callReduceItems(const Bound& b) {
  const Value& over = b["iterable"];
  std::optional<std::vector<Value>> items;
  if (!over.as<Array>() && !over.as<ListValue>()) items = knownItems(over, b.where);
  const Value* initial = b.find("initial");
  if (!items && (over.as<Array>() || over.as<ListValue>() || over.as<RangeValue>())) {
    const bool isGiven = b.given("initial") != nullptr;
    return callLibrary(*libraryFunctionAt("_reduced"),
                       {{b["function"], over, isGiven ? *initial : Value{NoneValue{}}}, {}, b.where});
  }
  if (!items)
    return error(DiagId::Unsupported, b.where,
                 "`functools.reduce` takes an array, a list, a range, or a few items that are known at "
                 "translation; write a loop");
  if (initial && !initial->isError() && !initial->as<NoneValue>()) items->insert(items->begin(), *initial);
  if (items->empty())
    return error(DiagId::TypeMismatch, b.where, "reduce() of nothing, with no initial value");
  Value total = items->front();
  for (size_t k = 1; k < items->size() && !total.isError(); ++k) {
    Arguments args;
    args.where = b.where;
    args.positional = {total, (*items)[k]};
    total = callValue(b["function"], args, true);
  }
  return total;
}

/// Functions of `operator`, which are Python's operators.
std::optional<Value> Lowering::callOperator(const std::string& path, const Arguments& args) {
  using enum ast::BinaryOp;
  static const std::map<std::string, ast::BinaryOp> kBinary = {
      {"operator.add", Add},     {"operator.sub", Sub},           {"operator.mul", Mul},
      {"operator.truediv", Div}, {"operator.floordiv", FloorDiv}, {"operator.mod", Mod},
      {"operator.pow", Pow},     {"operator.matmul", MatMul},     {"operator.and_", And},
      {"operator.or_", Or},      {"operator.xor", Xor},           {"operator.lshift", Shl},
      {"operator.rshift", Shr}};
  static const std::map<std::string, ir::BinaryOp> kComparisons = {
      {"operator.eq", ir::BinaryOp::Eq}, {"operator.ne", ir::BinaryOp::Ne},
      {"operator.lt", ir::BinaryOp::Lt}, {"operator.le", ir::BinaryOp::Le},
      {"operator.gt", ir::BinaryOp::Gt}, {"operator.ge", ir::BinaryOp::Ge}};
  static const std::map<std::string, ast::UnaryOp> kUnary = {{"operator.neg", ast::UnaryOp::Neg},
                                                             {"operator.pos", ast::UnaryOp::Pos},
                                                             {"operator.invert", ast::UnaryOp::Invert},
                                                             {"operator.not_", ast::UnaryOp::Not}};
  const auto two = kBinary.find(path);
  const auto compared = kComparisons.find(path);
  const auto one = kUnary.find(path);
  if (two == kBinary.end() && compared == kComparisons.end() && one == kUnary.end()) return std::nullopt;
  const size_t count = one == kUnary.end() ? 2 : 1;
  if (args.positional.size() != count || !args.keywords.empty())
    return error(DiagId::TypeMismatch, args.where, fmt::format("`{}` takes {} value(s)", path, count));
  const std::vector<Value>& v = args.positional;
  if (two != kBinary.end()) return binary(two->second, v[0], v[1], args.where);
  if (compared != kComparisons.end()) return compare(compared->second, v[0], v[1], args.where);
  return unary(one->second, v[0], args.where);
}

//===--- all indices ------------------------------------------------------------------------------------===//

/// np.nditer(a), or with op_flags=["readwrite"]: the elements as arrays without dimensions, in the order of memory.
Value Lowering::callNditer(const Bound& b) {
  const auto* a = b["op"].as<Array>();
  if (!a || a->symbolic || (a->view && isReorderedMemory(*a)))
    return error(DiagId::Unsupported, b.where,
                 "np.nditer takes one array here, that NumPy keeps in the order of its indices");
  const Array all = flatOf(*a);
  if (!isNonNegative(ir::sub(all.shape[0], ir::intConst(1))))
    requireWhereRun(ir::binary(ir::BinaryOp::Gt, all.shape[0], ir::intConst(0)), "ValueError",
                    Message("Iteration of zero-sized operands is not enabled"));
  IteratorValue cells{IteratorValue::Cells, {Value{all}}};
  if (b["op_flags"].as<NoneValue>()) return Value{cells};
  const auto* flags = b["op_flags"].as<TupleValue>();
  if (flags && flags->items.size() == 1 && flags->items[0].as<TupleValue>())
    flags = flags->items[0].as<TupleValue>();
  const auto* flag = flags && flags->items.size() == 1 ? flags->items[0].as<StringValue>() : nullptr;
  if (!flag || (flag->text != "readonly" && flag->text != "readwrite" && flag->text != "writeonly"))
    return error(DiagId::Unsupported, b.where,
                 "`op_flags` is [\"readwrite\"], [\"writeonly\"] or [\"readonly\"] here");
  if (flag->text != "readonly") cells.parts.push_back(Value{NoneValue{}});
  return Value{cells};
}

/// np.ndindex(shape) or np.ndindex(m, n), np.ndenumerate(a)
Value Lowering::callIndices(const Bound& b) {
  if (b.name() == "ndenumerate") {
    const auto* a = b["arr"].as<Array>();
    if (a && !a->shape.empty() && !a->symbolic)
      return Value{IteratorValue{IteratorValue::Elements, {b["arr"]}}};
    return error(DiagId::TypeMismatch, b.where, "np.ndenumerate takes an array here");
  }
  std::vector<Value> extents = b["shape"].as<TupleValue>()->items;
  if (extents.size() == 1 && extents[0].as<TupleValue>())
    extents = std::vector<Value>(extents[0].as<TupleValue>()->items);
  TupleValue shape;
  for (const Value& v : extents) {
    const auto* s = v.as<Scalar>();
    if (!s || !ir::isInteger(s->type()))
      return error(DiagId::TypeMismatch, b.where, "np.ndindex takes a shape of integers");
    const Expr extent = ir::cast(DType::I64, s->e);
    shape.items.push_back(Value{RangeValue{ir::intConst(0), extent, ir::intConst(1)}});
    if (!isNonNegative(extent))
      requireWhereRun(ir::binary(ir::BinaryOp::Ge, extent, ir::intConst(0)), "ValueError",
                      "negative dimensions are not allowed");
  }
  if (shape.items.empty())
    return error(DiagId::Unsupported, b.where, "np.ndindex takes at least one extent here");
  return Value{IteratorValue{IteratorValue::Indices, {Value{shape}}}};
}

/// A loop for each axis. Where the program sees more of the indices than the innermost body does, they have names of
/// their own there.
void Lowering::lowerNest(const ast::For& s, const IteratorValue& over, Span span) {
  using ast::make;
  const Span where = s.target->span;
  const bool isElements = over.kind == IteratorValue::Elements;
  std::vector<RangeValue> axes;
  if (isElements)
    for (const Expr& extent : over.parts[0].as<Array>()->shape)
      axes.push_back({ir::intConst(0), extent, ir::intConst(1)});
  else
    for (const Value& v : over.parts[0].as<TupleValue>()->items) {
      const auto* range = v.as<RangeValue>();
      axes.push_back({stable(range->lo), stable(range->hi), stable(range->step)});
    }
  const auto* pair = s.target.as<ast::Tuple>();
  if (isElements && (!pair || pair->items.size() != 2)) {
    error(DiagId::Unsupported, where,
          "np.ndenumerate gives pairs: write `for (i, j), x in np.ndenumerate(a)`");
    return quietFor(s);
  }
  const ast::Expr target = isElements ? pair->items[0] : s.target;
  const auto* t = target.as<ast::Tuple>();
  const std::set<std::string> assigned = assignedNames(s.body);
  const bool isPlain = t && t->items.size() == axes.size() &&
                       std::all_of(t->items.begin(), t->items.end(), [&](const ast::Expr& e) {
                         const auto* n = e.as<ast::Name>();
                         return n && !assigned.count(n->id) && !env().count(n->id) &&
                                !isReadAfter(frame().names[n->id], span.end);
                       });
  std::vector<std::string> own;
  std::vector<ast::Expr> indices;
  for (size_t d = 0; d < axes.size(); ++d) {
    if (!isPlain) own.push_back(unusedName("index"));
    indices.push_back(isPlain ? t->items[d] : make(where, ast::Name{own.back()}));
  }
  ast::Body body = s.body;
  const std::string array = fmt::format("array at {}", span.begin); // no names of Python's
  if (isElements) {
    env()[array] = over.parts[0];
    body.insert(
        body.begin(),
        ast::makeStmt(where, ast::Assign{{pair->items[1]},
                                         make(where, ast::Subscript{make(where, ast::Name{array}), indices}),
                                         {}}));
  }
  if (!isPlain)
    body.insert(body.begin(),
                ast::makeStmt(where, ast::Assign{{target}, make(where, ast::Tuple{indices}), {}}));
  std::vector<std::string> ranges;
  for (size_t d = axes.size(); d-- > 0;) {
    ranges.push_back(fmt::format("range {} at {}", d, span.begin));
    env()[ranges.back()] = Value{axes[d]};
    ast::For loop{indices[d], make(s.iter->span, ast::Name{ranges.back()}), std::move(body), {}, {}, s.unless,
                  s.leaves};
    if (d == 0) loop.directive = s.directive;
    body = {ast::makeStmt(span, std::move(loop))};
  }
  writtenOut_.push_back(body); // nodes that states are kept for
  lowerStatements(writtenOut_.back(), 0);
  for (const std::string& name : ranges) env().erase(name);
  for (const std::string& name : own) forgetName(name);
  env().erase(array);
}

/// `[[0] * m] * n` of which an array is made, where nobody sees that Python has one row many times: a row for each. Others as
/// they are.
ast::Expr withOwnRows(const ast::Expr& e) {
  const auto* times = e.as<ast::Binary>();
  const auto* rows = times && times->op == ast::BinaryOp::Mul ? times->lhs.as<ast::List>() : nullptr;
  if (!rows || rows->items.size() != 1) return e;
  const auto* row = rows->items[0].as<ast::Binary>();
  const bool isRepeated = row && row->op == ast::BinaryOp::Mul && row->lhs.is<ast::List>();
  if (!isRepeated && !rows->items[0].is<ast::List>()) return e;
  const auto named = [&](std::string id) { return ast::make(e->span, ast::Name{std::move(id)}); };
  const ast::Expr range = ast::make(e->span, ast::Call{named("range"), {times->rhs}, {}});
  ast::Comprehension all{withOwnRows(rows->items[0]), {{named("row of array"), range, {}}}, true};
  return ast::make(e->span, std::move(all));
}

//===--- comprehensions over them ------------------------------------------------------------------------===//

/// The names stand for the item itself, which stays known.
bool Lowering::bindKnown(const ast::Expr& target, const Value& item) {
  if (const auto* n = target.as<ast::Name>()) {
    env()[n->id] = item;
    return !item.isError();
  }
  const auto* t = target.as<ast::Tuple>();
  const std::optional<TupleValue> parts = t ? takenApart(item, t->items.size(), target->span) : std::nullopt;
  if (!parts || parts->items.size() != t->items.size()) {
    error(DiagId::TypeMismatch, target->span, fmt::format("cannot unpack {} here", describe(item)));
    return false;
  }
  for (size_t k = 0; k < t->items.size(); ++k)
    if (!bindKnown(t->items[k], parts->items[k])) return false;
  return true;
}

/// Adds the elements for which the clauses from number `k` on run. False where that is not known at translation.
bool Lowering::addKnown(const ast::Comprehension& c, size_t k, const std::vector<Value>& items,
                        Waiting& into) {
  const ast::Clause& clause = c.clauses[k];
  for (const Value& item : items) {
    if (!bindKnown(clause.target, item)) return false;
    bool isTaken = true;
    for (const ast::Expr& condition : clause.conditions) {
      const Expr cond = evalCondition(condition);
      const std::optional<int64_t> known = cond ? constantArgument(Value{Scalar{cond}}) : std::nullopt;
      if (!known) {
        if (cond)
          error(DiagId::Unsupported, condition->span,
                "how long this list is depends on numbers that are not known at translation; run over an "
                "array");
        return false;
      }
      isTaken = *known != 0;
      if (!isTaken) break;
    }
    if (!isTaken) continue;
    if (k + 1 == c.clauses.size()) {
      const Value v = eval(c.element);
      if (v.isError()) return false;
      into.add(evaluatedOnce(v, "item"));
      continue;
    }
    const Value inner = iterated(notAhead(eval(c.clauses[k + 1].iter), c.clauses[k + 1].iter->span));
    const std::optional<std::vector<Value>> innerItems =
        inner.isError() ? std::nullopt : knownItems(inner, c.clauses[k + 1].iter->span);
    if (!innerItems) {
      if (!inner.isError())
        error(DiagId::Unsupported, c.clauses[k + 1].iter->span,
              "this is to be as short, and known, as what is outside");
      return false;
    }
    if (!addKnown(c, k + 1, *innerItems, into)) return false;
  }
  return true;
}

} // namespace appyc::sema
