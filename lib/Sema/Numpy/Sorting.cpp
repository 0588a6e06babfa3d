//===- Sorting.cpp - rows sorted by a library, and the order that sorts them -------------------------------===//
//   _sorted_rows(a)      =>   sorted = a, with one NaN for all;  call sort_rows(inout sorted, rows, length)
//   _order_of_rows(a)    =>   call order_rows(in a, out order, rows, length)
// Along the last axis. NumPy's functions stand upon these in Python (numpy_library/sorting.py).
#include "Arguments.h"
#include "Lowering.h"
#include <limits>

namespace appyc::sema {

/// A copy in memory. A library compares the bits of floats, so that all NaN get the same.
Array Lowering::sortable(const Array& given) {
  const Array a = ir::isFloat(given.type) ? materialize(given, "t") : given;
  Array copy = newBuffer("sorted", a.type, a.shape);
  Array keys = a;
  if (ir::isFloat(a.type)) {
    const Expr nan = ir::constOf(a.type, std::numeric_limits<double>::quiet_NaN());
    keys.at = [a, nan](const Indices& i) {
      return ir::select(ir::binary(ir::BinaryOp::Ne, a.at(i), a.at(i)), nan, a.at(i));
    };
  }
  store(copy, keys);
  noteOrder(copy, a);
  return copy;
}

/// Says what is wrong where threads share a loop around it.
bool Lowering::hasAllThreads(const char* what, Span where) {
  if (std::ranges::none_of(loops_, isShared)) return true;
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
  const bool isReady = a->view && a->view->whole && !ir::isFloat(a->type);
  const Array keys = isOrder && isReady ? *a : sortable(*a);
  const Array result = isOrder ? newBuffer("order", DType::I64, keys.shape) : keys;
  ir::Routine call{isOrder ? ir::RoutineName::OrderRow : ir::RoutineName::SortRow, {}, {}};
  const Indices first(keys.shape.size(), ir::intConst(0));
  call.operands.push_back({keys.view->buffer.name, first});
  if (isOrder) call.operands.push_back({result.view->buffer.name, first});
  if (keys.shape.size() > 1) {
    call.name = isOrder ? ir::RoutineName::OrderRows : ir::RoutineName::SortRows;
    call.numbers = rowsAndLength(keys);
  } else {
    call.numbers.push_back(keys.shape.back());
  }
  emit(std::move(call));
  return Value{result};
}

} // namespace appyc::sema
