//===- Subscripts.cpp - indices, slices, new axes, index arrays, masks ------------------------------===//
#include "Lowering.h"
#include "Message.h"

namespace appyc::sema {

bool hasEllipsis(const std::vector<ast::Expr>& index) {
  return std::ranges::any_of(index, [](const ast::Expr& e) { return e.is<ast::EllipsisLit>(); });
}

/// `x[()]`
static bool isNothing(const std::vector<ast::Expr>& index) {
  const auto* items = index.size() == 1 ? index[0].as<ast::Tuple>() : nullptr;
  return index.empty() || (items && items->items.empty());
}

static bool isMaker(const std::string& path) {
  return path == "numpy.mgrid" || path == "numpy.ogrid" || path == "numpy.r_" || path == "numpy.c_";
}

Value Lowering::subscript(const Value& base, const std::vector<ast::Expr>& index, Span where) {
  if (base.isError()) return base;
  if (!isNoSet(base, where)) return Value{};
  if (const auto* t = base.as<TupleValue>()) return tupleItem(*t, index, where);
  if (const std::optional<Value> part = textItem(base, index, where)) return *part;
  if (const auto* r = base.as<RecordValue>()) return recordItem(*r, index, where);
  if (const auto* l = base.as<ListValue>()) return listItem(*l, index, where);
  if (const auto* l = base.as<NestedValue>()) return nestedItem(*l, index, where);
  if (const auto* m = base.as<Method>(); m && m->name == "flat") return subscriptFlat(*m->self, index, where);
  if (const auto* s = base.as<Selection>()) return subscript(Value{asArray(*s)}, index, where);
  if (const auto* a = base.as<Array>()) {
    int errors = diag_.errorCount();
    if (std::optional<Selection> selected = selection(base, index, where)) return Value{*selected};
    if (diag_.errorCount() > errors) return Value{};
    Value v = subscriptArray(*a, index, where);
    const auto* element = v.as<Array>();
    return element && element->shape.empty() && !hasEllipsis(index) ? Value{Scalar{element->at({})}} : v;
  }
  if (const auto* c = base.as<Callable>(); c && isMaker(c->path))
    return subscriptMaker(c->path, index, where);
  if (const auto* c = base.as<Callable>(); c && (c->path == "numpy.s_" || c->path == "numpy.index_exp")) {
    const Value made = sliceOf(index);
    return c->path == "numpy.s_" || made.as<TupleValue>() || made.isError() ? made
                                                                            : Value{TupleValue{{made}}};
  }
  if (const auto* c = base.as<Callable>(); c && !insteadOf(c->path).empty())
    return unknownFunction(c->path, where);
  if (const auto* r = base.as<RangeValue>()) return rangeItem(*r, index, where);
  if (const auto* f = base.as<UserFunction>();
      f && f->function->directive.role == ast::FunctionDirective::Kernel)
    return launchOf(*f, index, where);
  if (const auto* s = base.as<Scalar>(); s && !s->weak && isNothing(index)) return Value{Scalar{s->e}};
  return error(DiagId::BadIndex, where, fmt::format("{} cannot be subscripted", describe(base)));
}

//===--- slices as values -------------------------------------------------------------------------------===//

/// slice(stop), slice(start, stop, step)
Value Lowering::callSlice(const Bound& b) {
  std::vector<Value> given = b["args"].as<TupleValue>()->items;
  if (given.empty() || given.size() > 3)
    return error(DiagId::TypeMismatch, b.where, "slice() takes 1 to 3 bounds");
  if (given.size() == 1) given.insert(given.begin(), Value{NoneValue{}});
  given.resize(3, Value{NoneValue{}});
  for (Value& bound : given) {
    const auto* s = bound.as<Scalar>();
    if (s && ir::isInteger(s->type()))
      bound = Value{Scalar{stable(ir::cast(DType::I64, s->e)), true}};
    else if (!bound.as<NoneValue>())
      return bound.isError() ? bound
                             : error(DiagId::TypeMismatch, b.where,
                                     fmt::format("slice() takes integers or None, not {}", describe(bound)));
  }
  return Value{SliceValue{given}};
}

/// np.s_[...]: slices, `...` and numbers; several are a tuple.
Value Lowering::sliceOf(const std::vector<ast::Expr>& index) {
  TupleValue parts;
  for (const ast::Expr& e : index) {
    if (e.is<ast::EllipsisLit>()) {
      parts.items.push_back(Value{SliceValue{{}, true}});
    } else if (const auto* s = e.as<ast::Slice>()) {
      Bound bounds{nullptr, {}, e->span};
      TupleValue given;
      for (const ast::Expr& bound : {s->lower, s->upper, s->step})
        given.items.push_back(bound ? eval(bound) : Value{NoneValue{}});
      bounds.values["args"] = Value{given};
      parts.items.push_back(callSlice(bounds));
    } else {
      parts.items.push_back(eval(e));
    }
    if (parts.items.back().isError()) return Value{};
  }
  return parts.items.size() == 1 ? parts.items[0] : Value{parts};
}

/// The index `e` of an axis of `n` elements with Python's negative indices wrapped.
Expr Lowering::wrapIndex(const Expr& e, const Expr& n) {
  if (std::optional<int64_t> c = ir::constantInt(e)) return *c < 0 ? ir::add(n, e) : e;
  if (isNonNegative(e)) return e;
  if (ir::readsMemory(e)) return ir::call(ir::Intrinsic::WrapIndex, DType::I64, {e, n});
  return ir::select(ir::binary(ir::BinaryOp::Lt, e, ir::intConst(0)), ir::add(e, n), e);
}

/// A slice bound by Python's rules: negative ones count from the end, then clamped to the axis.
Expr Lowering::sliceBound(const Expr& e, const Expr& n, bool isStop, bool forward) {
  Expr zero = ir::intConst(0);
  Expr lowest = forward ? zero : ir::intConst(-1);
  Expr highest = forward ? n : ir::sub(n, ir::intConst(1));
  if (std::optional<int64_t> c = ir::constantInt(e)) {
    if (*c < 0) return ir::maxOf(ir::add(n, e), lowest);
    // A start past the end (forward) or a stop past it (backward) gives an empty slice without clamping.
    return forward != isStop ? e : ir::minOf(e, highest);
  }
  if (ir::equalIndex(e, n) && forward) return n;
  Expr clamped = ir::minOf(e, highest);
  if (isNonNegative(e)) return clamped;
  return ir::select(ir::binary(ir::BinaryOp::Lt, e, zero), ir::maxOf(ir::add(e, n), lowest), clamped);
}

/// `step`: not 0; positive if `forward`.
static Expr sliceExtent(const Expr& start, const Expr& stop, const Expr& step, bool forward) {
  const Expr length = forward ? ir::sub(stop, start) : ir::sub(start, stop);
  const Expr stride = forward ? step : ir::sub(ir::intConst(0), step);
  return ir::maxOf(ir::isConst(stride, 1) ? length : ir::ceilDiv(length, stride), ir::intConst(0));
}

/// Too many nodes to stand in every bound and subscript that follows from it.
static bool isLarge(const Expr& e) {
  constexpr int kMostNodes = 60;
  int nodes = 0;
  ir::visit(e, [&](const Expr&) { return ++nodes <= kMostNodes; });
  return nodes > kMostNodes;
}

/// A slice's step, which is no 0; `forward`: whether it is positive, where that is known.
std::optional<Expr> Lowering::sliceStep(const ast::Expr& e, std::optional<bool>& forward) {
  const std::optional<Expr> given = evalIndexExpr(e, "a slice step");
  if (!given) return std::nullopt;
  const std::optional<int64_t> known = ir::constantInt(*given);
  if (known == 0) {
    error(DiagId::BadIndex, e->span, "a slice step cannot be zero");
    return std::nullopt;
  }
  if (tensors_ && known.value_or(-1) < 0) {
    error(DiagId::Unsupported, e->span,
          known ? "PyTorch's slices have no negative steps"
                : "a step of PyTorch's slices is a constant here");
    return std::nullopt;
  }
  const Expr step = known ? *given : stable(*given);
  forward = known                                           ? std::optional(*known > 0)
            : isNonNegative(ir::sub(step, ir::intConst(1))) ? std::optional(true)
                                                            : std::nullopt;
  if (!forward)
    emit(ir::makeStmt({}, Message("slice step cannot be zero")
                              .check(ir::binary(ir::BinaryOp::Ne, step, ir::intConst(0)), "ValueError", {})));
  return step;
}

std::optional<Lowering::SliceMap> Lowering::normalizeSlice(const ast::Slice& s, const Expr& n, Span) {
  SliceMap map;
  auto isGiven = [&](const ast::Expr& e) {
    return e && !e.is<ast::NoneLit>() && !(e.is<ast::Name>() && evalMaybe(e).as<NoneValue>());
  };
  auto bound = [&](const ast::Expr& e) -> std::optional<Expr> {
    std::optional<Expr> b = evalIndexExpr(e, "a slice bound");
    return b && capture_ ? stable(*b) : b;
  };
  std::optional<Expr> lower, upper;
  std::optional<bool> forward = true;
  {
    Waiting parts(*this);
    if (isGiven(s.lower) && !(lower = bound(s.lower))) return std::nullopt;
    if (lower) parts.add(Value{Scalar{*lower}});
    if (isGiven(s.upper) && !(upper = bound(s.upper))) return std::nullopt;
    if (upper) parts.add(Value{Scalar{*upper}});
    if (isGiven(s.step)) {
      const std::optional<Expr> step = sliceStep(s.step, forward);
      if (!step) return std::nullopt;
      map.step = *step;
    }
    if (upper) upper = parts.take(lower ? 1 : 0).as<Scalar>()->e;
    if (lower) lower = parts.take(0).as<Scalar>()->e;
  }
  if (forward) {
    placeSlice(map, lower, upper, n, *forward);
    return map;
  }
  SliceMap up = map, down = map;
  placeSlice(up, lower, upper, n, true);
  placeSlice(down, lower, upper, n, false);
  const Expr isUp = ir::binary(ir::BinaryOp::Gt, map.step, ir::intConst(0));
  map.start = stable(ir::select(isUp, up.start, down.start));
  map.extent = stable(ir::select(isUp, up.extent, down.extent));
  return map;
}

/// Start and extent of a slice whose step is positive, or negative.
void Lowering::placeSlice(SliceMap& map, const std::optional<Expr>& lower, const std::optional<Expr>& upper,
                          const Expr& n, bool forward) {
  if (lower && upper && frame().isLibrary && frame().function->name == "_part_within")
    return void((map.start = *lower, map.extent = ir::sub(*upper, *lower)));
  Expr last = ir::sub(n, ir::intConst(1));
  Expr start = lower ? sliceBound(*lower, n, false, forward) : forward ? ir::intConst(0) : last;
  Expr stop = upper ? sliceBound(*upper, n, true, forward) : forward ? n : ir::intConst(-1);
  Expr extent = sliceExtent(start, stop, map.step, forward);
  // The plain form where it means the same for every size: `A[1:M-1]` needs no clamping.
  Expr plainStart = lower && !ir::constantInt(*lower) ? *lower : start;
  Expr plainStop = upper && !ir::constantInt(*upper) ? *upper : stop;
  if (lower && ir::constantInt(*lower).value_or(0) < 0) plainStart = ir::add(n, *lower);
  if (upper && ir::constantInt(*upper).value_or(0) < 0) plainStop = ir::add(n, *upper);
  Expr plain = sliceExtent(plainStart, plainStop, map.step, forward);
  bool sameExtent = ir::equal(plain, extent) || alwaysEqual(plain, extent);
  // With equal extents, starts matter only where the slice is not empty: an in-range one is the plain one.
  if (sameExtent && (ir::equal(plainStart, start) || isNonNegative(plainStart))) {
    start = plainStart;
    extent = plain;
  }
  if (const auto* m = extent.as<ir::Binary>(); m && m->op == ir::BinaryOp::Max && isNonNegative(m->lhs))
    extent = m->lhs;
  auto written = [&](const std::optional<Expr>& e, const Expr& given) {
    return e && ir::constantInt(*e).value_or(-1) >= 0 ? *e : given;
  };
  Expr asWritten = sliceExtent(written(lower, plainStart), written(upper, plainStop), map.step, forward);
  if (!ir::equal(asWritten, extent)) sliceExtents_.emplace_back(extent, asWritten);
  // Slices of slices of slices: each level would name the length before it several times.
  map.start = isLarge(start) ? materialize(start, "start") : start;
  map.extent = isLarge(extent) ? materialize(extent, "length") : extent;
}

/// How one axis of the base is addressed from the indices of the result.
struct AxisMap {
  Expr fixed;   ///< a single index; or
  int dim = -1; ///< start + step * (result index `dim`); or
  Expr start;
  Expr step = ir::intConst(1);
  std::function<Expr(const Indices&)> gather; ///< an index array
};

/// One part of a subscript.
struct IndexPart {
  enum Kind { Single, Slice, Gather, NewAxis, Whole, Nothing } kind; ///< Whole, Nothing: of `...`
  size_t value = 0;                                                  ///< among those that wait; 0: none
};

/// Index arrays of one subscript, which NumPy broadcasts together: `A[v, v]` is the diagonal.
struct IndexArrays {
  std::vector<Array> arrays;
  std::vector<size_t> axes;  ///< of the base that each addresses
  std::vector<size_t> items; ///< places in the subscript of arrays and single indices
  size_t dimsBefore = 0;     ///< dimensions of the result before the first array

  void add(Array a, size_t axis, size_t dims) {
    if (arrays.empty()) dimsBefore = dims;
    arrays.push_back(std::move(a));
    axes.push_back(axis);
  }
  /// Where the arrays' dimensions stand in the result: in their own place if nothing stands between them,
  /// else first.
  size_t place() const { return items.back() - items.front() + 1 == items.size() ? dimsBefore : 0; }
};

/// Gives the index arrays their dimensions in the result.
bool Lowering::placeIndexArrays(const IndexArrays& fancy, const Array& base, std::vector<AxisMap>& axes,
                                std::vector<Expr>& shape, Span where) {
  std::optional<std::vector<Expr>> common = broadcastShape(fancy.arrays, where);
  if (!common) return false;
  size_t place = fancy.place(), rank = common->size();
  for (AxisMap& axis : axes)
    if (axis.dim >= static_cast<int>(place)) axis.dim += static_cast<int>(rank);
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(place), common->begin(), common->end());
  for (size_t k = 0; k < fancy.arrays.size(); ++k) {
    const auto at = addressing(broadcastTo(fancy.arrays[k], *common), base.shape[fancy.axes[k]]);
    axes[fancy.axes[k]].gather = [at, place, rank](const Indices& i) {
      return at(Indices(i.begin() + static_cast<std::ptrdiff_t>(place),
                        i.begin() + static_cast<std::ptrdiff_t>(place + rank)));
    };
  }
  return true;
}

/// The elements of an index array as subscripts of an axis of `n` elements.
std::function<Expr(const Indices&)> Lowering::addressing(const Array& index, const Expr& n) {
  Indices probes; // one for each axis: they are not equal
  for (size_t d = 0; d < index.shape.size(); ++d) probes.push_back(ir::var(Symbol(fmt::format("i{}", d))));
  for (const Expr& probe : probes) nonNegative_.insert(probe.as<ir::Var>()->name);
  const Expr some = index.at(probes);
  const bool isUnsigned = ir::isUnsigned(index.type) && index.type != DType::U64; // past 2^63: negative
  const bool plain = isUnsigned || (!ir::readsMemory(some) && isNonNegative(some));
  for (const Expr& probe : probes) nonNegative_.erase(probe.as<ir::Var>()->name);
  return [index, plain, n](const Indices& i) {
    const Expr at = ir::cast(DType::I64, index.at(i));
    return plain ? at : ir::call(ir::Intrinsic::WrapIndex, DType::I64, {at, n});
  };
}

/// The parts of a subscript in their order. What each is computed from waits in `parts`: a number, a slice's start and
/// extent, an index array.
std::optional<std::vector<IndexPart>>
Lowering::evalIndex(const Array& base, const std::vector<ast::Expr>& index, Span where, Waiting& parts) {
  std::vector<IndexPart> found;
  size_t consumed = 0, axis = 0;
  const size_t rank = base.shape.size();
  const bool isOpen = hasEllipsis(index);
  const auto isNewAxis =
      [&](const ast::Expr& e) { // what `...` stands for is known before the items behind it
        const bool isNamed = isOpen && (e.is<ast::Name>() || e.is<ast::Attribute>());
        return e.is<ast::NoneLit>() || (isNamed && eval(e).as<NoneValue>());
      };
  for (const ast::Expr& e : index) consumed += !(e.is<ast::EllipsisLit>() || isNewAxis(e));
  for (const ast::Expr& e : index) {
    if (e.is<ast::EllipsisLit>()) {
      for (size_t left = consumed; left < rank; ++left, ++axis) found.push_back({IndexPart::Whole});
      consumed = rank;
      found.push_back({IndexPart::Nothing});
      continue;
    }
    if (e.is<ast::NoneLit>()) {
      found.push_back({IndexPart::NewAxis});
      continue;
    }
    if (const auto* s = e.as<ast::Slice>()) {
      if (axis >= rank) break;
      std::optional<SliceMap> map = normalizeSlice(*s, base.shape[axis++], e->span);
      if (!map) return std::nullopt;
      found.push_back({IndexPart::Slice, parts.add(Value{RangeValue{map->start, map->extent, map->step}})});
      continue;
    }
    Value v = eval(e);
    if (const auto* t = v.as<TupleValue>(); t && t->isList)
      v = arrayLiteral(*t, t->items.empty() ? std::optional(DType::I64) : std::nullopt, e->span);
    if (const auto* l = v.as<ListValue>(); l && !l->isSet) // of nothing: a list of indices
      v = arrayOf(*l, stateOf(*l) ? std::nullopt : std::optional(DType::I64), e->span);
    if (const auto* r = v.as<RangeValue>()) v = Value{numbersIn(*r)};
    if (v.isError()) return std::nullopt;
    if (v.as<NoneValue>()) { // np.newaxis
      consumed -= !isOpen, found.push_back({IndexPart::NewAxis});
      continue;
    }
    if (const auto* mask = v.as<Array>(); mask && ir::isBool(mask->type) && !mask->shape.empty()) {
      if (!addMask(*mask, base, axis, e->span, found, parts)) return std::nullopt;
      axis += mask->shape.size();
      consumed += mask->shape.size() - 1;
      continue;
    }
    const auto* several = index.size() == 1 ? v.as<TupleValue>() : nullptr; // a[np.ix_(k, l)]
    if (several) consumed = several->items.size();
    for (const Value& item : several ? several->items : std::vector<Value>{v}) {
      if (axis >= rank) break;
      const std::optional<IndexPart> part = indexPart(item, base, axis++, e->span, parts);
      if (!part) return std::nullopt;
      found.push_back(*part);
    }
  }
  if (axis <= rank && consumed <= rank) return found;
  error(DiagId::BadIndex, where, fmt::format("too many indices: the array has {} dimension(s)", rank));
  return std::nullopt;
}

/// A mask of some axes stands for the index arrays of what is true.
bool Lowering::addMask(const Array& mask, const Array& base, size_t axis, Span where,
                       std::vector<IndexPart>& found, Waiting& parts) {
  if (axis + mask.shape.size() > base.shape.size()) {
    error(DiagId::BadIndex, where, "too many indices: the mask has more dimensions than the array");
    return false;
  }
  const Message differ =
      Message("boolean index of shape ").shape(mask.shape).text(" did not match ").array(base);
  const int errors = diag_.errorCount();
  for (size_t d = 0; d < mask.shape.size(); ++d) {
    const Expr &n = base.shape[axis + d], &m = mask.shape[d];
    if (!ir::equalIndex(n, m) && !ir::constantInt(m) &&
        !alwaysEqual(n, m)) // NumPy takes one of no elements for any axis
      requireWhereRun(ir::binary(ir::BinaryOp::LogicalOr, ir::binary(ir::BinaryOp::Eq, n, m),
                                 ir::binary(ir::BinaryOp::Eq, m, ir::intConst(0))),
                      "IndexError", differ);
    requireEqual(n, m, differ, where, "NotImplementedError");
  }
  if (diag_.errorCount() > errors) return false;
  for (const Array& one : positionsOf(mask)) found.push_back({IndexPart::Gather, parts.add(Value{one})});
  return true;
}

/// An integer or an index array of one axis.
std::optional<IndexPart> Lowering::indexPart(const Value& v, const Array& base, size_t axis, Span where,
                                             Waiting& parts) {
  if (const auto* s = v.as<Selection>()) return indexPart(Value{asArray(*s)}, base, axis, where, parts);
  if (!checkIndex(v, base.shape[axis], where)) return std::nullopt;
  if (const auto* a = v.as<Array>(); a && !a->shape.empty())
    return IndexPart{IndexPart::Gather, parts.add(Value{a->expensive ? materialize(*a, "t") : *a})};
  Expr at = ir::cast(DType::I64, toArray(v).at({}));
  if (mentionsReduce(at)) at = materialize(at, "n");
  if (capture_) at = stable(at);
  return IndexPart{IndexPart::Single, parts.add(Value{Scalar{at}})};
}

bool Lowering::checkIndex(const Value& v, const Expr& extent, Span where) {
  if (const auto* a = v.as<Array>(); a && !a->shape.empty()) {
    if (ir::isBool(a->type))
      error(DiagId::Unsupported, where, "a boolean mask is not supported here; write np.where(mask, a, b)");
    else if (!ir::isInteger(a->type))
      error(DiagId::BadIndex, where, fmt::format("an index array holds integers, not {}", ir::name(a->type)));
    return ir::isInteger(a->type) && !ir::isBool(a->type);
  }
  if (const auto* s = v.as<Scalar>()) {
    auto isTruth = [](const Scalar& other) { return other.e && ir::isBool(other.type()); };
    if (ir::isInteger(s->type()) && std::any_of(s->others.begin(), s->others.end(), isTruth)) {
      error(DiagId::Unsupported, where,
            "this index is a bool on one path, which NumPy takes for a mask, and a number on another; write "
            "`int(...)`");
      return false;
    }
  }
  if ((v.as<Scalar>() || v.as<Array>()) && ir::isInteger(toArray(v).type)) {
    std::optional<int64_t> at = ir::constantInt(toArray(v).at({})), size = ir::constantInt(extent);
    if (!at || !size || (*at >= -*size && *at < *size)) return holds(DType::I64, v, where);
    error(DiagId::BadIndex, where, fmt::format("index {} is out of bounds for {} element(s)", *at, *size));
    return false;
  }
  error(DiagId::BadIndex, where, fmt::format("an index must be an integer or a slice, not {}", describe(v)));
  return false;
}

Value Lowering::subscriptArray(const Array& given, const std::vector<ast::Expr>& index, Span where) {
  Waiting parts(*this);
  parts.add(Value{given});
  std::optional<std::vector<IndexPart>> items = evalIndex(given, index, where, parts);
  return items ? subscriptParts(parts, *items, where) : Value{};
}

Value Lowering::subscriptBy(const Array& base, size_t whole, const std::vector<Value>& index, Span where) {
  Waiting parts(*this);
  parts.add(Value{base});
  std::vector<IndexPart> items(whole, {IndexPart::Whole});
  size_t axis = whole;
  for (const Value& v : index) {
    if (v.as<NoneValue>()) {
      items.push_back({IndexPart::NewAxis});
      continue;
    }
    if (axis >= base.shape.size())
      return error(DiagId::BadIndex, where,
                   fmt::format("too many indices: the array has {} dimension(s)", base.shape.size()));
    const std::optional<IndexPart> part = indexPart(v, base, axis++, where, parts);
    if (!part) return Value{};
    items.push_back(*part);
  }
  return subscriptParts(parts, items, where);
}

/// NumPy has a part of what is computed as a view: in one piece only if all axes behind the first that it keeps are whole.
static MemoryOrder orderOfPart(const Array& from, const std::vector<AxisMap>& axes,
                               const std::vector<Expr>& shape) {
  bool isBehind = false;
  for (size_t d = 0; d < axes.size(); ++d) {
    const AxisMap& a = axes[d];
    const bool isKept = a.dim >= 0, isRow = isKept && ir::isConst(a.step, 1);
    const bool isWhole =
        isRow && ir::isConst(a.start, 0) && ir::equalIndex(shape[static_cast<size_t>(a.dim)], from.shape[d]);
    if (isBehind ? !isWhole : isKept && !isRow)
      return from.order == MemoryOrder::Unknown ? from.order : MemoryOrder::Part;
    isBehind |= isKept;
  }
  return from.order;
}

/// `parts`: the array and what the items name.
Value Lowering::subscriptParts(Waiting& parts, const std::vector<IndexPart>& items, Span where) {
  if (parts[0].isError()) return Value{};
  const Array base = *parts.take(0).as<Array>();
  std::vector<AxisMap> axes;
  std::vector<Expr> shape;
  IndexArrays arrays;
  auto keepAxis = [&](size_t axis) {
    axes.push_back({{}, static_cast<int>(shape.size()), ir::intConst(0), ir::intConst(1), nullptr});
    shape.push_back(base.shape[axis]);
  };
  for (size_t item = 0; item < items.size(); ++item) {
    const IndexPart& part = items[item];
    const Value at = part.value ? parts.take(part.value) : Value{};
    if (part.kind == IndexPart::Whole) {
      keepAxis(axes.size());
    } else if (part.kind == IndexPart::NewAxis) {
      shape.push_back(ir::intConst(1));
    } else if (const auto* slice = at.as<RangeValue>()) {
      axes.push_back({{}, static_cast<int>(shape.size()), slice->lo, slice->step, nullptr});
      shape.push_back(slice->hi);
    } else if (const auto* gather = at.as<Array>()) {
      checkIndexArray(*gather, base, axes.size(), where);
      arrays.add(*gather, axes.size(), shape.size());
      arrays.items.push_back(item);
      axes.emplace_back();
    } else if (const auto* single = at.as<Scalar>()) {
      arrays.items.push_back(item);
      const Expr i = checkedIndex(single->e, base, axes.size(), where);
      axes.push_back({wrapIndex(i, base.shape[axes.size()]), -1, {}, ir::intConst(1), nullptr});
    }
  }
  while (axes.size() < base.shape.size()) keepAxis(axes.size());
  bool fancy = !arrays.arrays.empty();
  if (fancy && !placeIndexArrays(arrays, base, axes, shape, where)) return Value{};

  auto toBase = [axes](const Indices& i) {
    Indices out;
    for (const AxisMap& a : axes) {
      if (a.fixed)
        out.push_back(a.fixed);
      else if (a.gather)
        out.push_back(a.gather(i));
      else
        out.push_back(ir::add(a.start, ir::mul(a.step, i[static_cast<size_t>(a.dim)])));
    }
    return out;
  };
  Array from = base.expensive || base.uninitialised ? materialize(base, "t") : base;
  Array out;
  out.type = from.type;
  out.shape = shape;
  out.at = [at = from.at, toBase](const Indices& i) { return at(toBase(i)); };
  if (!from.view && !fancy) out.order = orderOfPart(from, axes, shape);
  if (from.view) {
    auto view = std::make_shared<View>();
    view->buffer = from.view->buffer;
    view->index = [inner = from.view->index, toBase](const Indices& i) { return inner(toBase(i)); };
    view->fancy = fancy || from.view->fancy;
    view->strided = from.view->strided;
    view->readOnly = from.view->readOnly;
    view->isFrozen = from.view->isFrozen;
    bool everything = from.view->whole && !fancy && shape.size() == base.shape.size();
    for (size_t d = 0; everything && d < shape.size(); ++d)
      everything = axes[d].dim == static_cast<int>(d) && ir::isConst(axes[d].step, 1) &&
                   ir::isConst(axes[d].start, 0) && ir::equal(shape[d], base.shape[d]);
    view->whole = everything;
    out.view = view;
  }
  if (from.choice && !fancy) out.choice = remapped(from, shape, toBase).choice;
  if (!fancy) out.shares = from.shares;
  return Value{out};
}

} // namespace appyc::sema
