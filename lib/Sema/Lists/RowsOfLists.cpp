//===- RowsOfLists.cpp - lists of lists as a whole: as arrays, joined, compared ---------------------------------------===//
#include "Lowering.h"

namespace appyc::sema {

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
