//===- Sorting.cpp - rows sorted by a library, and the order that sorts them -------------------------------===//
//   _sorted_rows(a)      =>   call sort_rows(in a, out sorted, rows, length)
//   _order_of_rows(a)    =>   call order_rows(in a, out order, rows, length)
//   _first_of_runs(a)    =>   call select_distinct(in a, out distinct, out number, n); distinct[:number]
// Along the last axis. NumPy's functions stand upon these in Python (numpy_library/sorting.py).
#include "Arguments.h"
#include "Lowering.h"

namespace appyc::sema {

/// Memory as a library reads it.
Array Lowering::sortable(const Array& a) {
  if (a.view && a.view->whole) return a;
  const Array keys = newBuffer("keys", a.type, a.shape);
  store(keys, a);
  noteOrder(keys, a);
  return keys;
}

/// Where threads share a loop around it, that loop is an open one when the function is lowered again, or this says what is wrong.
bool Lowering::hasAllThreads(const char* what, Span where) {
  if (std::ranges::none_of(loops_, isShared) || openLoops(fmt::format("{} has all threads to itself", what)))
    return true;
  error(DiagId::Unsupported, where,
        fmt::format("{} has all threads to itself and stands in no parallel loop; drop the loop's "
                    "annotation, or write it before the loop, for all rows at once with `axis`",
                    what));
  return false;
}

std::vector<Expr> rowsAndLength(const Array& a) {
  Expr rows = ir::intConst(1);
  for (size_t d = 0; d + 1 < a.shape.size(); ++d) rows = ir::mul(rows, a.shape[d]);
  return {rows, a.shape.back()};
}

Value Lowering::callSorted(const Bound& b) {
  const std::optional<Array> a = arrayArgument(b["a"], b);
  if (!a) return Value{};
  if (a->shape.empty()) return error(DiagId::TypeMismatch, b.where, "a number has no axis to sort along");
  if (!hasAllThreads("a sort", b.where)) return Value{};
  const bool isOrder = b.name() == "_order_of_rows";
  const Array keys = sortable(*a);
  const Array result =
      isOrder ? newBuffer("order", DType::I64, keys.shape) : newBuffer("sorted", keys.type, keys.shape);
  for (ir::Buffer& b : out_.buffers) // each element of a row has one place in the order
    if (isOrder && b.name == result.view->buffer.name) b.places = {b.name};
  ir::Routine call{isOrder ? ir::RoutineName::OrderRow : ir::RoutineName::SortRow, {}, {}};
  const Indices first(keys.shape.size(), ir::intConst(0));
  call.operands.push_back({keys.view->buffer.name, first});
  call.operands.push_back({result.view->buffer.name, first});
  if (keys.shape.size() > 1) {
    call.name = isOrder ? ir::RoutineName::OrderRows : ir::RoutineName::SortRows;
    call.numbers = rowsAndLength(keys);
  } else {
    call.numbers.push_back(keys.shape.back());
  }
  emit(std::move(call));
  return Value{result};
}

Value Lowering::callDistinct(const Bound& b) {
  const std::optional<Array> a = arrayArgument(b["ascending"], b);
  if (!a || !hasAllThreads("a selection", b.where)) return Value{};
  const Array elements = sortable(*a), kept = newBuffer("distinct", a->type, a->shape),
              number = newBuffer("number", DType::I64, {});
  const Indices first = {ir::intConst(0)};
  emit(ir::Routine{
      ir::RoutineName::SelectDistinct,
      {{elements.view->buffer.name, first}, {kept.view->buffer.name, first}, {number.view->buffer.name, {}}},
      {a->shape[0]}});
  return Value{cutTo(kept, {sizeVariable(number.at({}), a->shape[0])})};
}

} // namespace appyc::sema
