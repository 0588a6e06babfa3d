//===- Axes.cpp - the order and number of axes: transposition, axes of one element, stretching ----------===//
// All are views: the same memory under other indices.
#include "Arguments.h"
#include "Lowering.h"

namespace appyc::sema {

Value Lowering::transpose(const Array& a) {
  std::vector<size_t> axes(a.shape.size());
  for (size_t d = 0; d < axes.size(); ++d) axes[d] = axes.size() - 1 - d;
  return transpose(a, axes);
}

Value Lowering::transpose(const Array& a, const std::vector<size_t>& axes) {
  if (std::is_sorted(axes.begin(), axes.end())) return Value{a};
  std::vector<Expr> shape;
  for (const size_t axis : axes) shape.push_back(a.shape[axis]);
  return Value{remapped(a, std::move(shape), [axes](const Indices& i) {
    Indices from(i.size());
    for (size_t d = 0; d < axes.size(); ++d) from[axes[d]] = i[d];
    return from;
  })};
}

Value Lowering::callTranspose(const Bound& b) {
  const Value& given = b["a"];
  if (!strengthOf(given, b.where)) return Value{};
  if (given.as<Selection>()) return given; // of one axis
  const auto* a = given.as<Array>();
  const Value* axes = b.given("axes");
  if (const auto* each = b.row->path == "ndarray.transpose" ? b["axes"].as<TupleValue>() : nullptr) {
    if (each->items.empty() || (each->items.size() == 1 && each->items[0].as<NoneValue>()))
      axes = nullptr;
    else if (each->items.size() == 1 && each->items[0].as<TupleValue>())
      axes = &each->items[0];
  }
  if (!a && axes)
    return error(DiagId::TypeMismatch, b.where, fmt::format("`{}` takes an array", b.display()));
  if (!a) return given;
  if (!axes) return transpose(*a);
  const auto* order = axes->as<TupleValue>();
  const std::vector<Value> items = order ? order->items : std::vector<Value>{*axes};
  const auto rank = static_cast<int64_t>(a->shape.size());
  std::vector<size_t> from;
  for (const Value& item : items) {
    std::optional<int64_t> c = constantArgument(item);
    if (!c || *c < -rank || *c >= rank) break;
    from.push_back(static_cast<size_t>(*c < 0 ? *c + rank : *c));
  }
  if (static_cast<int64_t>(from.size()) != rank || items.size() != from.size() ||
      std::set<size_t>(from.begin(), from.end()).size() != from.size())
    return error(
        DiagId::TypeMismatch, b.where,
        fmt::format("`axes` of `{}` names each of the {} axes once, by constants", b.display(), rank));
  return transpose(*a, from);
}

//===--- arguments ----------------------------------------------------------------------------------===//

/// A constant among -rank .. rank - 1, counted from the front.
std::optional<int64_t> Lowering::axisArgument(const Value& v, size_t rank, const Bound& b) {
  const auto* number = v.as<Scalar>();
  const bool isTruth = number && ir::isBool(number->type()); // NumPy takes integers alone
  const std::optional<int64_t> axis = isTruth ? std::nullopt : constantArgument(v);
  const auto n = static_cast<int64_t>(rank);
  if (axis && *axis >= -n && *axis < n) return *axis < 0 ? *axis + n : *axis;
  error(DiagId::TypeMismatch, b.where,
        fmt::format("an axis of `{}` is an integer known at compile time, from {} to {}", b.display(), -n,
                    n - 1));
  return std::nullopt;
}

/// One axis, or a tuple of different ones.
std::optional<std::vector<size_t>> Lowering::axesOf(const Value& v, size_t rank, const Bound& b) {
  const auto* several = v.as<TupleValue>();
  std::vector<size_t> axes;
  for (const Value& item : several ? several->items : std::vector<Value>{v}) {
    const std::optional<int64_t> axis = axisArgument(item, rank, b);
    if (!axis) return std::nullopt;
    if (std::find(axes.begin(), axes.end(), static_cast<size_t>(*axis)) != axes.end()) {
      error(DiagId::TypeMismatch, b.where, fmt::format("`{}` names an axis twice", b.display()));
      return std::nullopt;
    }
    axes.push_back(static_cast<size_t>(*axis));
  }
  return axes;
}

//===--- other orders -------------------------------------------------------------------------------===//

static std::vector<size_t> inOrder(size_t rank) {
  std::vector<size_t> axes(rank);
  for (size_t d = 0; d < rank; ++d) axes[d] = d;
  return axes;
}

Value Lowering::callMatrixTranspose(const Bound& b) {
  const std::optional<Array> a = arrayArgument(b["x"], b);
  if (!a) return Value{};
  std::vector<size_t> axes = inOrder(a->shape.size());
  if (axes.size() < 2)
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("`{}` takes an array of two dimensions at least", b.display()));
  std::swap(axes[axes.size() - 2], axes[axes.size() - 1]);
  return transpose(*a, axes);
}

Value Lowering::callSwapAxes(const Bound& b) {
  const std::optional<Array> a = arrayArgument(b["a"], b);
  if (!a) return Value{};
  const std::optional<int64_t> first = axisArgument(b["axis1"], a->shape.size(), b),
                               second = axisArgument(b["axis2"], a->shape.size(), b);
  if (!first || !second) return Value{};
  std::vector<size_t> axes = inOrder(a->shape.size());
  std::swap(axes[static_cast<size_t>(*first)], axes[static_cast<size_t>(*second)]);
  return transpose(*a, axes);
}

Value Lowering::callMoveAxis(const Bound& b) {
  const std::optional<Array> a = arrayArgument(b["a"], b);
  if (!a) return Value{};
  const size_t rank = a->shape.size();
  const std::optional<std::vector<size_t>> source = axesOf(b["source"], rank, b),
                                           destination = axesOf(b["destination"], rank, b);
  if (!source || !destination) return Value{};
  if (source->size() != destination->size())
    return error(DiagId::TypeMismatch, b.where, "`source` and `destination` name equally many axes");
  std::vector<size_t> axes;
  for (size_t d = 0; d < rank; ++d)
    if (std::find(source->begin(), source->end(), d) == source->end()) axes.push_back(d);
  std::map<size_t, size_t> moved; // by their destination
  for (size_t k = 0; k < source->size(); ++k) moved[(*destination)[k]] = (*source)[k];
  for (const auto& [to, from] : moved) axes.insert(axes.begin() + static_cast<std::ptrdiff_t>(to), from);
  return transpose(*a, axes);
}

/// Axis `axis` goes before what is axis `start` now.
Value Lowering::callRollAxis(const Bound& b) {
  const std::optional<Array> a = arrayArgument(b["a"], b);
  if (!a) return Value{};
  const auto rank = static_cast<int64_t>(a->shape.size());
  const std::optional<int64_t> axis = axisArgument(b["axis"], a->shape.size(), b);
  std::optional<int64_t> start = constantArgument(b["start"]);
  if (!axis) return Value{};
  if (!start || *start < -rank || *start > rank)
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("`start` of `{}` is an integer known at compile time, from {} to {}",
                             b.display(), -rank, rank));
  if (*start < 0) *start += rank;
  if (*axis < *start) --*start;
  std::vector<size_t> axes = inOrder(a->shape.size());
  axes.erase(axes.begin() + *axis);
  axes.insert(axes.begin() + *start, static_cast<size_t>(*axis));
  return transpose(*a, axes);
}

//===--- axes of one element ------------------------------------------------------------------------===//

/// With new axes of one element at these places of the result.
static Array withAxes(const Array& a, std::vector<size_t> places) {
  std::sort(places.begin(), places.end());
  std::vector<Expr> shape = a.shape;
  for (const size_t at : places)
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), ir::intConst(1));
  return remapped(a, std::move(shape), [places](const Indices& i) {
    Indices rest;
    for (size_t d = 0; d < i.size(); ++d)
      if (!std::binary_search(places.begin(), places.end(), d)) rest.push_back(i[d]);
    return rest;
  });
}

/// Without those axes, which have one element each.
Value Lowering::callSqueeze(const Bound& b) {
  const std::optional<Array> a = arrayArgument(b["a"], b);
  if (!a) return Value{};
  std::vector<size_t> axes;
  if (const Value* given = b.given("axis")) {
    const std::optional<std::vector<size_t>> named = axesOf(*given, a->shape.size(), b);
    if (!named) return Value{};
    axes = *named;
    for (const size_t axis : axes)
      requireEqual(a->shape[axis], ir::intConst(1), "an axis that squeeze takes away has one element",
                   b.where);
  } else {
    for (size_t d = 0; d < a->shape.size(); ++d) {
      if (ir::isConst(a->shape[d], 1)) axes.push_back(d);
      if (ir::constantInt(a->shape[d])) continue;
      const bool isPart = isNonNegative(ir::sub(ir::intConst(1), a->shape[d])); // a[k:k + 1]
      if (isPart) axes.push_back(d);
      if (!isEntryExpr(a->shape[d]))
        return error(DiagId::Unsupported, b.where,
                     "which axes have one element is known only at the call; name them, `squeeze(axis)`");
      const Expr isKnown =
          ir::binary(isPart ? ir::BinaryOp::Eq : ir::BinaryOp::Ne, a->shape[d], ir::intConst(1));
      const Message message(
          isPart ? "squeeze leaves an axis of which only the call tells that it has no element"
                 : "squeeze takes away an axis of which only the call tells that it has one element; "
                   "name it, `squeeze(axis)`");
      if (checksInPlace())
        require(isKnown, "NotImplementedError", message);
      else
        requireBefore(neverFails(isKnown), "NotImplementedError", message);
    }
  }
  std::sort(axes.begin(), axes.end());
  std::vector<Expr> shape;
  for (size_t d = 0; d < a->shape.size(); ++d)
    if (!std::binary_search(axes.begin(), axes.end(), d)) shape.push_back(a->shape[d]);
  return Value{remapped(*a, std::move(shape), [axes, rank = a->shape.size()](const Indices& i) {
    Indices all;
    for (size_t d = 0, next = 0; d < rank; ++d)
      all.push_back(std::binary_search(axes.begin(), axes.end(), d) ? ir::intConst(0) : i[next++]);
    return all;
  })};
}

Value Lowering::callExpandDims(const Bound& b) {
  const std::optional<Array> a = arrayArgument(b["a"], b);
  if (!a) return Value{};
  const auto* several = b["axis"].as<TupleValue>();
  const std::optional<std::vector<size_t>> axes =
      axesOf(b["axis"], a->shape.size() + (several ? several->items.size() : 1), b);
  return axes ? Value{withAxes(*a, *axes)} : Value{};
}

/// One array for each argument, with axes of one element: in front, and of three dimensions behind as well.
Value Lowering::callAtLeast(const Bound& b) {
  const auto least = static_cast<size_t>(b.name()[8] - '0');
  TupleValue made;
  for (const Value& given : b["arys"].as<TupleValue>()->items) {
    const std::optional<Array> a = arrayArgument(given, b);
    if (!a) return Value{};
    std::vector<size_t> places;
    for (size_t d = 0; d + a->shape.size() < least; ++d) places.push_back(d);
    if (least == 3 && a->shape.size() == 1) places = {0, 2};
    if (least == 3 && a->shape.size() == 2) places = {2};
    made.items.push_back(places.empty() ? Value{*a} : Value{withAxes(*a, places)});
  }
  return made.items.size() == 1 ? made.items[0] : Value{made};
}

//===--- stretching ---------------------------------------------------------------------------------===//

/// Memory whose elements stand in several places, which NumPy lets nobody store into.
Value Lowering::callBroadcastTo(const Bound& b) {
  std::optional<Array> a = arrayArgument(b["array"], b);
  const std::optional<std::vector<Expr>> shape = a ? shapeArgument(b["shape"], b.where) : std::nullopt;
  if (!shape) return Value{};
  if (a->shape.size() > shape->size())
    return error(DiagId::ShapeMismatch, b.where, "the array has more dimensions than it is stretched to");
  Array place;
  place.type = a->type;
  place.shape = *shape;
  const int errors = diag_.errorCount();
  fitInto(place, *a, b.where);
  if (diag_.errorCount() > errors) return Value{};
  if (a->view && a->view->fancy) a->view = nullptr;
  const Array from = a->view ? *a : materialize(*a, "t");
  Array out = broadcastTo(from, *shape);
  out.shape = *shape;
  auto view = std::make_shared<View>(*from.view);
  std::vector<Array> indices; // of the memory, each stretched as the elements are
  for (size_t d = 0; d < view->buffer.extents.size(); ++d) {
    Array one = from;
    one.view = nullptr;
    one.type = DType::I64;
    one.at = [inner = from.view->index, d](const Indices& i) { return inner(i)[d]; };
    indices.push_back(broadcastTo(one, *shape));
  }
  view->index = [indices](const Indices& i) {
    Indices all;
    for (const Array& one : indices) all.push_back(one.at(i));
    return all;
  };
  view->whole = view->strided = false;
  view->isFrozen = true;
  view->readOnly =
      "NumPy lets nobody store into what np.broadcast_to gives; store into the array itself, or copy it";
  out.view = view;
  return Value{out};
}

} // namespace appyc::sema
