//===- RowsOfLists.cpp - lists of lists as a whole: as arrays, joined, compared ---------------------------------------===//
// A list of arrays of which only the run tells the sizes is kept as one of lists:
//   folds.append(idx[a:b])      =>      items[len : len + (b - a)] = idx[a:b]; starts, lengths, rooms get one more
#include "Arguments.h"
#include "Items.h"
#include "Lowering.h"
#include <array>

namespace appyc::sema {

/// What stands in such a list: a list that others see change, or an array as it is now.
Value Lowering::rowValue(const std::shared_ptr<const ListRows>& rows, const Expr& number) {
  const ListValue row = rowList(rows, number);
  if (!rows->areArrays) return Value{row};
  const std::optional<Scalar> state = stateOf(rows->items);
  if (!state) return nothingKnown(statement_);
  const Value item = arrayItem(elementsOf(row), statement_);
  // The memory is made before what is put in is seen: the function is lowered once more then.
  return row.values.type == state->type() ? item : castTo(item, state->type(), statement_);
}

/// The number of an array that is put in.
std::optional<Scalar> Lowering::numberOfArray(const NestedValue& list, const Value& item, Span where) {
  const ListRows& rows = *list.rows;
  if (const auto* selected = item.as<Selection>())
    return numberOfArray(list, Value{asArray(*selected)}, where);
  const auto* a = item.as<Array>();
  const std::optional<Scalar> known = stateOf(rows.items);
  if (!canBeItem(item) || a->shape.size() != 1 || (known && known->type() != a->type)) {
    error(DiagId::Unsupported, where,
          fmt::format("the arrays of a list that grows have one type and one dimension here, and this is {}",
                      describe(item)));
    return std::nullopt;
  }
  if (!putState(rows.items, Scalar{ir::var(Symbol("item"), a->type)}, where)) return std::nullopt;
  if (!mayGrow(rows.items, where) || rows.items.values.type != a->type)
    return std::nullopt; // lowered once more
  const Array from = a->view && !a->view->fancy ? *a : materialize(*a, "item");
  const Expr n = stable(from.shape[0]), begin = stable(ir::var(rows.items.length));
  const Value number = callLibrary(
      *libraryFunctionAt("_rows_new"),
      Arguments{{Value{rows.starts}, Value{rows.lengths}, Value{rows.rooms}, Value{rows.items}}, {}, where});
  const auto* s = number.as<Scalar>();
  if (!s) return std::nullopt;
  const Expr row = isStable(s->e) ? s->e : materialize(s->e, "row");
  for (const ListValue* part : {&rows.lengths, &rows.rooms})
    emit(ir::Store{part->values.view->buffer.name, {row}, n, {}});
  require(ir::binary(ir::BinaryOp::Le, ir::add(begin, n), ir::var(growing_.at(rows.items.length).room)),
          "MemoryError", "a list has more items than there is room for; write into an array that has more");
  const Array place = remapped(rows.items.values, {n}, [begin](Indices i) {
    i[0] = ir::add(begin, i[0]);
    return i;
  });
  store(place, from);
  noteShared(place, *a, true, where);
  emit(ir::Assign{rows.items.length, ir::add(begin, n)});
  return Scalar{row, true};
}

/// The comprehension's list is one that grows, when the function is lowered once more. False where it is so already.
bool Lowering::becomesGrown(uint64_t made) {
  const bool isNew = listStates_.grown.insert(made).second;
  listStates_.haveChanged |= isNew;
  return isNew;
}

/// `[element for ...]` where an inner `for` runs as often as the outer one's item says, or arrays differ in size: what it
/// gives is appended.
Value Lowering::grownList(const ast::Comprehension& c, const Value& over) {
  const Span at = c.element->span;
  const std::string name = unusedName("list"), own = unusedName("append");
  NameFacts facts;
  facts.grows = true;
  const Value list = changeable(name, Value{TupleValue{{}, true}}, facts, at);
  env()[own] = Value{Method{std::make_shared<Value>(list), "append"}};
  const ast::Expr call = ast::make(at, ast::Call{ast::make(at, ast::Name{own}), {c.element}, {}});
  lowerClauses(loopsAround(c.clauses, 0, {ast::makeStmt(at, ast::ExprStmt{call})}, {}, {}), over);
  forgetName(own);
  forgetName(name);
  if (list.as<NestedValue>()) return list;
  ListValue made = *list.as<ListValue>();
  if (!made.like && !stateOf(made))
    return Value{TupleValue{{}, true}}; // is lowered once more, or runs nowhere
  for (ListValue& part : made.fields) part.values = elementsOf(part), part.length = Symbol();
  made.values = made.like ? made.fields[0].values : elementsOf(made);
  made.length = Symbol();
  made.isKept = false;
  return Value{made};
}

/// One of them is large in turn, so that slices do not end where the array does.
bool differsFromStepToStep(const Expr& e, const Symbol& index, const Expr& count) {
  std::set<Symbol> names = ir::freeVars(e), ofCount = count ? ir::freeVars(count) : std::set<Symbol>();
  names.insert(ofCount.begin(), ofCount.end());
  names.erase(index);
  bool differs = false;
  for (size_t large = 0; large < std::max<size_t>(names.size(), 1); ++large) {
    constexpr std::array<int64_t, 4> kSmall = {7, 5, 3, 11};
    std::map<Symbol, Expr> sizes;
    for (const Symbol& name : names)
      sizes[name] = ir::intConst(sizes.size() == large ? 1000003 : kSmall[sizes.size() % kSmall.size()]);
    std::set<int64_t> found;
    for (int64_t step = 1; step < 5; ++step) {
      sizes[index] = ir::intConst(step);
      const std::optional<int64_t> here = ir::constantInt(ir::substitute(e, sizes));
      if (!here) return false;
      found.insert(*here);
    }
    if (*found.begin() <= 0) continue;
    if (found.size() == 1 && count) { // a last part may be shorter
      const auto steps = ir::constantInt(ir::substitute(count, sizes));
      if (steps && *steps > 0) sizes[index] = ir::intConst(*steps - 1);
      const auto last = steps && *steps > 0 ? ir::constantInt(ir::substitute(e, sizes)) : std::nullopt;
      return last && *last != *found.begin();
    }
    if (found.size() == 1) return false;
    differs = true;
  }
  return differs;
}

/// A list of vectors is made so that each has its size when the function is lowered once more; false where that does not help.
bool Lowering::becomesRowsOfArrays(uint64_t made, const Array& item) {
  if (item.shape.size() != 1 || listStates_.haveChanged) return false; // what else changes may tell the sizes
  if (!becomesNested(made)) return false;
  listStates_.arrayRows.insert(made);
  return true;
}

/// np.concatenate() of a list of such arrays.
std::optional<Value> Lowering::joinedRows(const LibraryFunction& function, const Arguments& args) {
  const auto* list = args.positional.empty() ? nullptr : args.positional[0].as<NestedValue>();
  if (!list || !list->rows->areArrays ||
      (function.path != "numpy.concatenate" && function.path != "numpy.hstack"))
    return std::nullopt;
  if (args.positional.size() + args.keywords.size() > 1)
    return error(DiagId::Unsupported, args.where,
                 fmt::format("`{}` of a list of arrays that grows takes nothing else here", function.path));
  const ListRows& rows = *list->rows;
  const Value items = callListFunction(
      "rows_items", {Value{list->numbers}, Value{rows.starts}, Value{rows.lengths}, Value{rows.items}},
      args.where);
  const auto* all = items.as<ListValue>();
  if (!all) return Value{};
  require(ir::binary(ir::BinaryOp::Gt, itemsIn(list->numbers).e, ir::intConst(0)), "ValueError",
          "need at least one array to concatenate");
  return Value{elementsOf(*all)};
}

/// np.array() of it: its lists have one length.
Value Lowering::arrayOfRows(const NestedValue& list, std::optional<DType> dtype, Span where) {
  const ListRows& rows = *list.rows;
  const std::optional<Scalar> state = stateOf(rows.items);
  const auto isOfType = [&](const Scalar& o) { return !o.e || o.type() == state->type(); };
  const bool isOfOneType =
      state && !state->isOpaque && !state->isExtended && std::ranges::all_of(state->others, isOfType);
  const std::optional<Array> items =
      isOfOneType ? std::optional(elementsOf(rows.items)) : numbersOf(rows.items, where);
  if (!items) return Value{};
  const Array numbers = elementsOf(list.numbers), starts = elementsOf(rows.starts),
              lengths = elementsOf(rows.lengths);
  const Expr n = stable(numbers.shape[0]);
  require(ir::binary(ir::BinaryOp::Gt, n, ir::intConst(0)), "NotImplementedError",
          "NumPy makes an array of float64, of one dimension, of an empty list");
  const Expr m = materialize(lengths.at({numbers.at({ir::intConst(0)})}), "columns");
  nonNegative_.insert(m.as<ir::Var>()->name);
  const Array of = emptyArray(DType::Bool);
  Array same = of;
  same.shape = {n};
  same.at = [=](const Indices& i) {
    return ir::binary(ir::BinaryOp::Eq, lengths.at({numbers.at({i[0]})}), m);
  };
  const Value all = callNamed("numpy.all", {{Value{same}}, {}, where});
  if (const auto* s = all.as<Scalar>())
    require(
        materialize(truth(s->e), "same"), "ValueError",
        Message("setting an array element with a sequence. The requested array has an inhomogeneous shape "
                "after 1 dimensions."));
  Array array = emptyArray(dtype.value_or(items->type));
  array.shape = {n, m};
  array.at = [=, to = array.type, from = items->at](const Indices& i) {
    return ir::cast(to, from({ir::add(starts.at({numbers.at({i[0]})}), i[1])}));
  };
  return Value{array};
}

/// list + list
std::optional<Value> Lowering::rowsOperator(ast::BinaryOp op, const Value& a, const Value& b, Span where) {
  const auto* first = a.as<NestedValue>();
  if (!first || op != ast::BinaryOp::Add || (!isList(b) && !b.as<NestedValue>())) return std::nullopt;
  const Value copy = callNestedMethod(*first, "copy", {{}, {}, where});
  const auto* made = copy.as<NestedValue>();
  if (!made) return copy;
  NameFacts grows;
  grows.grows = true;
  const Value numbers = changeable("rows", Value{made->numbers}, grows, where, 253);
  const auto* list = numbers.as<ListValue>();
  if (!list) return Value{};
  const NestedValue joined = withNumbers(*made, *list);
  callNestedMethod(joined, "extend", {{b}, {}, where});
  return Value{joined};
}

/// `==` of lists of lists of numbers.
std::optional<Value> Lowering::compareRows(const Value& a, const Value& b, Span where) {
  const auto *x = a.as<NestedValue>(), *y = b.as<NestedValue>();
  if (!x || !y) return std::nullopt;
  if (x->rows->items.like || y->rows->items.like || !stateOf(x->rows->items) || !stateOf(y->rows->items))
    return error(DiagId::Unsupported, where,
                 "lists of lists are compared that hold numbers; compare their items");
  Values given;
  for (const NestedValue* list : {x, y})
    for (const ListValue* part :
         {&list->numbers, &list->rows->starts, &list->rows->lengths, &list->rows->items})
      given.push_back(Value{*part});
  return callListFunction("rows_equal", given, where);
}

} // namespace appyc::sema
