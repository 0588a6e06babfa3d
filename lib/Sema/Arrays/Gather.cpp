//===- Gather.cpp - functions that take index arrays; np.ix_, np.mgrid, np.ogrid ------------------------===//
#include "Arguments.h"
#include "Lowering.h"

namespace appyc::sema {

/// Integers: an array, a list of them, one alone.
std::optional<Array> Lowering::indexArgument(const Value& v, const Bound& b) {
  const std::optional<Array> a = arrayArgument(v, b);
  if (!a || (ir::isInteger(a->type) && !ir::isBool(a->type) && a->type != DType::U64)) return a;
  error(DiagId::BadIndex, b.where,
        fmt::format("the indices of `{}` are integers that an int64 holds, not {}", b.display(),
                    ir::name(a->type)));
  return std::nullopt;
}

static Value asIndex(const Array& a) { return a.shape.empty() ? Value{Scalar{a.at({})}} : Value{a}; }

/// What was found by indices is a copy; a single element is a number.
static Value asCopy(const Value& v) {
  const auto* a = v.as<Array>();
  if (!a) return v;
  if (a->shape.empty()) return Value{Scalar{a->at({})}};
  Array copy = *a;
  copy.view = nullptr;
  copy.shares = Symbol();
  return Value{copy};
}

Value Lowering::callTake(const Bound& b) {
  std::optional<Array> a = arrayArgument(b["a"], b);
  const std::optional<Array> indices = a ? indexArgument(b["indices"], b) : std::nullopt;
  if (!indices) return Value{};
  int64_t axis = 0;
  if (const Value* given = b.given("axis")) {
    const std::optional<int64_t> named = axisArgument(*given, a->shape.size(), b);
    if (!named) return Value{};
    axis = *named;
  } else {
    a = flatOf(*a);
  }
  Value at = asIndex(*indices);
  if (const auto* mode = b["mode"].as<StringValue>(); mode && mode->text != "raise") {
    const Value n{Scalar{a->shape[static_cast<size_t>(axis)]}}, zero{Scalar{ir::intConst(0)}};
    at = castTo(at, DType::I64, b.where);
    Arguments bounds{
        {at, zero, arithmetic(ir::BinaryOp::Sub, n, Value{Scalar{ir::intConst(1)}}, b.where)}, {}, b.where};
    at = mode->text == "wrap" ? arithmetic(ir::BinaryOp::Mod, at, n, b.where)
                              : callNamed("numpy.clip", bounds);
    if (at.isError()) return at;
  }
  return asCopy(subscriptBy(*a, static_cast<size_t>(axis), {at}, b.where));
}

/// The last of equal indices wins, as in an assignment.
Value Lowering::callPut(const Bound& b) {
  const auto* a = b["a"].as<Array>();
  if (!a || !a->view || a->view->fancy)
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("`{}` stores into an array that has a name, or a slice of one", b.display()));
  const std::optional<Array> indices = indexArgument(b[b.find("ind") ? "ind" : "indices"], b);
  const std::optional<Array> values =
      indices ? arrayArgument(b[b.find("v") ? "v" : "values"], b) : std::nullopt;
  if (!values) return Value{};
  const Array flat = flatOf(*values), at = flatOf(*indices);
  const Value place = subscriptBy(flatOf(*a), 0, {Value{at}}, b.where);
  if (!place.as<Array>()) return Value{};
  if (values->shape.empty()) {
    assignPlace(*place.as<Array>(), Value{Scalar{values->at({})}}, b.where);
    return Value{NoneValue{}};
  }
  requireEqual(at.shape[0], flat.shape[0],
               "np.put repeats or cuts values of another number than the indices: write them out", b.where,
               "NotImplementedError");
  assignPlace(*place.as<Array>(), castTo(Value{flat}, a->type, b.where), b.where);
  return Value{NoneValue{}};
}

/// The elements that `indices` names along one axis, each beside its own index.
std::optional<Array> Lowering::along(const Array& given, const Bound& b) {
  const std::optional<Array> indices = indexArgument(b["indices"], b);
  if (!indices) return std::nullopt;
  const bool isFlat = b["axis"].as<NoneValue>();
  const Array a = isFlat ? flatOf(given) : given;
  const size_t rank = a.shape.size();
  if (indices->shape.size() != rank || rank == 0) {
    error(DiagId::ShapeMismatch, b.where,
          fmt::format("the indices of `{}` have as many dimensions as the array, {}", b.display(), rank));
    return std::nullopt;
  }
  const std::optional<int64_t> axis = isFlat ? 0 : axisArgument(b["axis"], rank, b);
  if (!axis) return std::nullopt;
  const auto along = static_cast<size_t>(*axis);
  std::vector<Expr> shape = a.shape;
  shape[along] = indices->shape[along];
  const int errors = diag_.errorCount();
  for (size_t d = 0; d < rank; ++d)
    if (d != along && !ir::isConst(indices->shape[d], 1))
      requireEqual(
          a.shape[d], indices->shape[d],
          "the indices have the array's extents along the other axes here, or 1 that is known at translation",
          b.where,
          "NotImplementedError"); // NumPy stretches what is 1 at the call
  if (diag_.errorCount() > errors) return std::nullopt;
  Array own = indices->expensive || indices->uninitialised ? materialize(*indices, "t") : *indices;
  checkIndexArray(own, a, along, b.where);
  const auto at = addressing(own, a.shape[along]);
  const Array from = a.expensive || a.uninitialised ? materialize(a, "t") : a;
  Array out = remapped(from, shape, [at, along, extents = own.shape](const Indices& i) {
    Indices mine = i;
    for (size_t d = 0; d < i.size(); ++d)
      if (ir::isConst(extents[d], 1)) mine[d] = ir::intConst(0);
    Indices to = i;
    to[along] = at(mine);
    return to;
  });
  if (out.view) {
    auto view = std::make_shared<View>(*out.view);
    view->fancy = true;
    out.view = view;
  }
  return out;
}

Value Lowering::callTakeAlong(const Bound& b) {
  const std::optional<Array> a = arrayArgument(b["arr"], b);
  const std::optional<Array> found = a ? along(*a, b) : std::nullopt;
  return found ? asCopy(Value{*found}) : Value{};
}

Value Lowering::callPutAlong(const Bound& b) {
  const auto* a = b["arr"].as<Array>();
  if (!a || !a->view || a->view->fancy)
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("`{}` stores into an array that has a name, or a slice of one", b.display()));
  const std::optional<Array> values = arrayArgument(b["values"], b);
  const std::optional<Array> place = values ? along(*a, b) : std::nullopt;
  if (!place) return Value{};
  assignPlace(*place, asIndex(*values), b.where);
  return Value{NoneValue{}};
}

/// One index array for each axis, which together name a part of an array.
Value Lowering::callOpenMesh(const Bound& b) {
  const std::vector<Value>& given = b["args"].as<TupleValue>()->items;
  TupleValue made;
  for (size_t k = 0; k < given.size(); ++k) {
    const std::optional<Array> a = indexArgument(given[k], b);
    if (!a) return Value{};
    if (a->shape.size() != 1)
      return error(DiagId::ShapeMismatch, b.where, "np.ix_ takes arrays of one dimension");
    std::vector<Expr> shape(given.size(), ir::intConst(1));
    shape[k] = a->shape[0];
    made.items.push_back(Value{remapped(*a, shape, [k](const Indices& i) { return Indices{i[k]}; })});
  }
  return Value{made};
}

/// `lo:hi:step` of integers, as np.arange makes it.
std::optional<Value> Lowering::rangeItem(const ast::Expr& e, Span where) {
  const auto* slice = e.as<ast::Slice>();
  if (!slice || !slice->upper) {
    error(DiagId::Unsupported, where, "np.mgrid and np.ogrid take slices with an end, `0:n, 0:m`");
    return std::nullopt;
  }
  Arguments args;
  args.where = where;
  const Value zero{Scalar{ir::intConst(0), true}}, one{Scalar{ir::intConst(1), true}};
  Waiting parts(*this);
  parts.add(slice->lower ? eval(slice->lower) : zero);
  parts.add(eval(slice->upper));
  parts.add(slice->step ? eval(slice->step) : one);
  args.positional = parts.values(0, 3);
  bool isWhole = true;
  for (const Value& v : args.positional) {
    const auto* s = v.as<Scalar>();
    if (v.isError()) return std::nullopt;
    isWhole = isWhole && s && ir::isInteger(s->type());
    if (s && !ir::isBool(s->type()) && (!ir::isComplex(s->type()) || &v == &args.positional.back())) continue;
    error(DiagId::Unsupported, where, "np.mgrid and np.ogrid take slices of numbers, `0:n, 0:1:5j`");
    return std::nullopt;
  }
  const bool isCounted = ir::isComplex(args.positional[2].as<Scalar>()->type());
  Value made = isWhole ? callNamed("numpy.arange", args)
                       : callLibrary(*libraryFunctionAt(isCounted ? "_spaced" : "_spaced_by"), args);
  if (!made.as<Array>()) return std::nullopt;
  return made;
}

/// np.mgrid[0:n, 0:m] and np.ogrid[0:n, 0:m]; np.r_[a, 1, b] and np.c_[a, b].
Value Lowering::subscriptMaker(const std::string& path, const std::vector<ast::Expr>& index, Span where) {
  if (path == "numpy.r_" || path == "numpy.c_") { // the library's
    const std::string name = "np." + path.substr(6);
    Arguments args;
    args.where = where;
    Waiting items(*this);
    for (const ast::Expr& e : index) {
      const std::optional<Value> range = e.is<ast::Slice>() ? rangeItem(e, where) : std::nullopt;
      if (e.is<ast::Slice>() && !range) return Value{};
      Value item = range ? *range : eval(e);
      if (item.as<StringValue>())
        return error(
            DiagId::Unsupported, where,
            fmt::format("`{}` is translated of arrays, numbers and slices; write np.concatenate for texts",
                        name));
      if (item.isError()) return item;
      items.add(item);
    }
    args.positional = items.values(0, items.size());
    return callLibrary(*libraryFunctionAt(path == "numpy.r_" ? "_joined_rows" : "_joined_columns"), args);
  }
  std::vector<Array> ranges;
  for (const ast::Expr& e : index) {
    const std::optional<Value> range = rangeItem(e, where);
    if (!range) return Value{};
    ranges.push_back(*range->as<Array>());
  }
  const size_t rank = ranges.size();
  DType type = ranges[0].type; // one of all axes
  for (const Array& r : ranges) type = ir::promote(type, r.type);
  for (Array& r : ranges) r = r.type == type ? r : toArray(castTo(Value{r}, type, where));
  std::vector<Expr> extents;
  for (const Array& r : ranges) extents.push_back(r.shape[0]);
  if (rank == 1) return Value{ranges[0]};
  TupleValue open;
  for (size_t k = 0; k < rank; ++k) {
    std::vector<Expr> shape(rank, ir::intConst(1));
    shape[k] = extents[k];
    open.items.push_back(Value{remapped(ranges[k], shape, [k](const Indices& i) { return Indices{i[k]}; })});
  }
  if (path == "numpy.ogrid") return Value{open};
  Array grid;
  grid.type = type;
  grid.shape = extents;
  grid.shape.insert(grid.shape.begin(), ir::intConst(static_cast<int64_t>(rank)));
  grid.at = [ranges](const Indices& i) {
    Expr e = ranges.back().at({i.back()});
    for (size_t k = ranges.size() - 1; k-- > 0;)
      e = ir::select(ir::binary(ir::BinaryOp::Eq, i[0], ir::intConst(static_cast<int64_t>(k))),
                     ranges[k].at({i[k + 1]}), e);
    return e;
  };
  return Value{grid};
}

} // namespace appyc::sema
