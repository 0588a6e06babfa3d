//===- Reshape.cpp - reshape, ravel, flatten, flat: the same elements in other axes ---------------------===//
//   a.reshape(-1)[k]     =>   a[k / n, k % n]        of a (m, n)
//   v.reshape(m, n)[i]   =>   v[i * n + j]
// Axes that stay are matched first, so that only those are joined or split that must be. Where axes are joined that lie
// behind each other in memory, NumPy gives a view, else a copy; where only sizes of 1 or 0 decide, a copy stands for
// both, and what would tell them apart is refused (Copies.cpp).
#include "Arguments.h"
#include "Lowering.h"
#include "appyc/IR/Position.h"

namespace appyc::sema {

Array cutTo(Array memory, std::vector<Expr> shape) {
  auto view = std::make_shared<View>(*memory.view);
  view->whole = false;
  memory.view = view;
  memory.shape = std::move(shape);
  return memory;
}

Array remapped(const Array& a, std::vector<Expr> shape, const std::function<Indices(const Indices&)>& from) {
  Array out = a;
  out.shape = std::move(shape);
  out.at = [at = a.at, from](const Indices& i) { return at(from(i)); };
  if (a.choice)
    out.choice =
        std::make_shared<const Choice>(Choice{a.choice->isFirst, remapped(a.choice->first, out.shape, from),
                                              remapped(a.choice->second, out.shape, from)});
  if (!a.view) {
    if (a.order == MemoryOrder::C) out.order = MemoryOrder::Unknown;
    return out;
  }
  auto view = std::make_shared<View>(*a.view);
  view->index = [inner = a.view->index, from](const Indices& i) { return inner(from(i)); };
  view->whole = false;
  out.view = view;
  return out;
}

namespace {

Expr product(const std::vector<Expr>& extents, size_t from, size_t to) {
  Expr all = ir::intConst(1);
  for (size_t d = from; d < to; ++d) all = ir::mul(all, extents[d]);
  return all;
}

/// Axes [from, to) of the array that become axes [newFrom, newTo).
struct AxisGroup {
  size_t from, to, newFrom, newTo;
  bool isKept() const { return to - from == 1 && newTo - newFrom == 1; }
};

/// The smallest groups of axes, in order, that certainly have equally many elements.
std::vector<AxisGroup> groupsOf(const std::vector<Expr>& from, const std::vector<Expr>& to) {
  std::vector<AxisGroup> groups;
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    AxisGroup next{i, from.size(), j, to.size()};
    for (size_t taken = 1; taken <= from.size() - i + to.size() - j; ++taken) {
      bool found = false;
      for (size_t old = 0; old <= taken && !found; ++old) {
        const size_t made = taken - old;
        if (i + old > from.size() || j + made > to.size()) continue;
        found = ir::equalIndex(product(from, i, i + old), product(to, j, j + made));
        if (found) next = {i, i + old, j, j + made};
      }
      if (found) break;
    }
    groups.push_back(next);
    i = next.to, j = next.newTo;
  }
  return groups;
}

} // namespace

std::optional<Strides> stridesOf(const Array& a) {
  Indices probe;
  std::map<Symbol, Expr> origin;
  for (size_t d = 0; d < a.shape.size(); ++d) {
    probe.push_back(ir::var(Symbol("i")));
    origin.emplace(probe.back().as<ir::Var>()->name, ir::intConst(0));
  }
  const Expr position = ir::positionOf(a.view->buffer.extents, a.view->index(probe));
  Strides found{ir::substitute(position, origin), {}};
  Expr sum = found.first;
  for (const Expr& p : probe) {
    std::map<Symbol, Expr> next = origin;
    next[p.as<ir::Var>()->name] = ir::intConst(1);
    found.steps.push_back(ir::sub(ir::substitute(position, next), found.first));
    sum = ir::add(sum, ir::mul(found.steps.back(), p));
  }
  if (ir::readsMemory(position) || !ir::equalIndex(sum, position)) return std::nullopt;
  return found;
}

namespace {

/// Do these axes of memory certainly follow each other without a gap?
bool joinsUp(const Array& a, size_t from, size_t to) {
  if (a.view->whole) return true;
  std::vector<size_t> axes;
  for (size_t d = from; d < to; ++d)
    if (!ir::isConst(a.shape[d], 1)) axes.push_back(d);
  if (axes.size() < 2) return true;
  const std::optional<Strides> strides = stridesOf(a);
  if (!strides) return false;
  for (size_t k = 0; k + 1 < axes.size(); ++k)
    if (!ir::equalIndex(strides->steps[axes[k]], ir::mul(strides->steps[axes[k + 1]], a.shape[axes[k + 1]])))
      return false;
  return true;
}

/// Certainly contiguous, in C's order.
bool isContiguous(const Array& a) {
  if (a.view->whole) return true;
  if (!joinsUp(a, 0, a.shape.size())) return false;
  size_t last = a.shape.size();
  while (last > 0 && ir::isConst(a.shape[last - 1], 1)) --last;
  if (last == 0) return true;
  const std::optional<Strides> strides = stridesOf(a);
  return strides && ir::isConst(strides->steps[last - 1], 1);
}

/// Indices of the array from those of its new shape.
Indices indicesOf(const std::vector<AxisGroup>& groups, const std::vector<Expr>& from,
                  const std::vector<Expr>& to, const Indices& i) {
  Indices out(from.size(), ir::intConst(0));
  for (const AxisGroup& g : groups) {
    Expr position = ir::intConst(0);
    for (size_t d = g.newFrom; d < g.newTo; ++d)
      if (!ir::isConst(to[d], 1)) position = ir::add(ir::mul(position, to[d]), i[d]);
    size_t first = g.from;
    while (first < g.to && ir::isConst(from[first], 1)) ++first;
    for (size_t d = g.to; d-- > first;) {
      if (ir::isConst(from[d], 1)) continue;
      out[d] = d == first ? position : ir::binary(ir::BinaryOp::Mod, position, from[d]);
      if (d != first) position = ir::binary(ir::BinaryOp::FloorDiv, position, from[d]);
    }
  }
  return out;
}

Array copied(Array a) {
  if (a.view && !a.view->fancy) a.shares = a.view->buffer.name;
  a.view = nullptr;
  return a;
}

/// NumPy raises; "cannot reshape array of size 6 into shape (4,)".
Message cannotReshape(const Array& a, const std::vector<Expr>& shape) {
  return Message("cannot reshape array of size ")
      .number(product(a.shape, 0, a.shape.size()))
      .text(" into shape ")
      .shape(shape);
}

} // namespace

/// The elements of `a`, in C's order, as an array of as many.
Array Lowering::reshaped(const Array& a, const std::vector<Expr>& shape) {
  const std::vector<AxisGroup> groups = groupsOf(a.shape, shape);
  bool isView = a.view && !a.view->fancy, isStrided = true;
  for (const AxisGroup& g : groups) {
    const bool isOfOnes =
        ir::isConst(product(a.shape, g.from, g.to), 1) && ir::isConst(product(shape, g.newFrom, g.newTo), 1);
    const bool isPlain = g.isKept() || isOfOnes;
    isStrided &= isPlain;
    isView = isView && (isPlain || (!isReorderedMemory(a) && joinsUp(a, g.from, g.to)));
  }
  const Array source = a.uninitialised ? materialize(a, "t") : isView ? a : copied(a);
  Array out = remapped(source, shape, [groups, from = a.shape, shape](const Indices& i) {
    return indicesOf(groups, from, shape, i);
  });
  if (out.view) {
    auto view = std::make_shared<View>(*out.view);
    view->strided = a.uninitialised ? isStrided : view->strided && isStrided;
    out.view = view;
  }
  return out;
}

/// The extent that `-1` stands for: what the others leave of the elements.
std::optional<Expr> Lowering::extentLeft(const Array& a, std::vector<Expr> others, const Message& message,
                                         Span where) {
  std::vector<Expr> left;
  for (const Expr& extent : a.shape) {
    const auto same =
        std::find_if(others.begin(), others.end(), [&](const Expr& e) { return ir::equalIndex(e, extent); });
    if (same == others.end()) {
      left.push_back(extent);
      continue;
    }
    if (!isNonNegative(ir::sub(extent, ir::intConst(1))))
      requireFit(ir::binary(ir::BinaryOp::Gt, extent, ir::intConst(0)), message);
    others.erase(same);
  }
  const Expr whole = product(left, 0, left.size()), known = product(others, 0, others.size());
  if (ir::isConst(known, 1)) return whole;
  const Expr rest = ir::binary(ir::BinaryOp::Mod, whole, known);
  if (ir::isConst(known, 0) || ir::constantInt(rest).value_or(0) != 0) {
    error(DiagId::ShapeMismatch, where, message.plain());
    return std::nullopt;
  }
  if (!ir::constantInt(known)) requireFit(ir::binary(ir::BinaryOp::Gt, known, ir::intConst(0)), message);
  if (!ir::constantInt(rest)) requireFit(ir::binary(ir::BinaryOp::Eq, rest, ir::intConst(0)), message);
  return stable(ir::binary(ir::BinaryOp::FloorDiv, whole, known));
}

/// The new shape that a call names, `-1` filled in.
std::optional<std::vector<Expr>> Lowering::newShape(const Array& a, const Value& given, const Bound& b) {
  const auto* several = given.as<TupleValue>();
  const std::vector<Value> items = several ? several->items : std::vector<Value>{given};
  std::vector<Expr> shape;
  std::optional<size_t> open;
  for (const Value& item : items) {
    const auto* s = item.as<Scalar>();
    const auto* array = item.as<Array>();
    if (array && array->shape.empty()) continue;
    if (!s || !ir::isInteger(s->type()) || !holds(DType::I64, item, b.where)) {
      error(DiagId::TypeMismatch, b.where,
            fmt::format("the shape of `{}` is of integers, not {}", b.display(), describe(item)));
      return std::nullopt;
    }
    shape.push_back(stable(ir::cast(DType::I64, s->e)));
    if (!ir::isConst(shape.back(), -1)) continue;
    if (open) {
      error(DiagId::ShapeMismatch, b.where, "NumPy can find one size that is given as -1, not two");
      return std::nullopt;
    }
    open = shape.size() - 1;
  }
  const Message message = cannotReshape(a, shape);
  for (size_t d = 0; d < shape.size(); ++d) {
    const Expr& e = shape[d];
    if (d == open || isNonNegative(e)) continue;
    if (ir::constantInt(e)) {
      error(DiagId::ShapeMismatch, b.where, "negative dimensions are not allowed");
      return std::nullopt;
    }
    if (!open)
      requireWhereRun(ir::binary(ir::BinaryOp::Ne, e, ir::intConst(-1)), "NotImplementedError",
                      "a size of -1, which NumPy finds itself, must be written as -1");
    requireFit(ir::binary(ir::BinaryOp::Ge, e, ir::intConst(0)), message);
  }
  if (!open) {
    const int errors = diag_.errorCount();
    requireEqual(product(a.shape, 0, a.shape.size()), product(shape, 0, shape.size()), message, b.where);
    if (diag_.errorCount() > errors) return std::nullopt;
    return shape;
  }
  std::vector<Expr> others = shape;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(*open));
  const std::optional<Expr> left = extentLeft(a, others, message, b.where);
  if (!left) return std::nullopt;
  shape[*open] = *left;
  return shape;
}

/// What NumPy would make of an argument by np.asarray.
std::optional<Array> Lowering::arrayArgument(const Value& given, const Bound& b) {
  const Value v = asOperand(given, b.where);
  if (v.isError()) return std::nullopt;
  if (const auto* s = v.as<Scalar>())
    return toArray(mentionsReduce(s->e) ? Value{keptIn(*s, materialize(s->e, "s"))} : v);
  if (v.as<Array>()) return toArray(v);
  if (const auto* s = v.as<Selection>()) return asArray(*s);
  error(DiagId::Unsupported, b.where, fmt::format("`{}` takes an array, not {}", b.display(), describe(v)));
  return std::nullopt;
}

/// Of the columns: order="F".
static bool isFortran(const Bound& b) {
  const auto* order = b["order"].as<StringValue>();
  return order && order->text == "F";
}

Value Lowering::callReshape(const Bound& b) {
  const std::optional<Array> a = arrayArgument(b["a"], b);
  if (!a) return Value{};
  const auto* sizes = b["shape"].as<TupleValue>(); // of the method: its arguments
  const bool isMethod = b.row->path == "ndarray.reshape";
  const Value& given = isMethod && sizes->items.size() == 1 ? sizes->items[0] : b["shape"];
  const std::optional<std::vector<Expr>> shape = newShape(*a, given, b);
  if (!shape) return Value{};
  if (!isFortran(b)) return Value{reshaped(*a, *shape)};
  return transpose(reshaped(*transpose(*a).as<Array>(), {shape->rbegin(), shape->rend()}));
}

/// a.view(dtype): the bits of the elements as those of a type of the same size; NumPy shares the memory.
Value Lowering::callView(const Bound& b) {
  const Value& self = b["a"];
  if (b["dtype"].as<NoneValue>()) return self;
  const std::optional<Strength> given = dtypeArgument(b["dtype"], b.where);
  if (!given) return Value{};
  const DType to = given->type;
  const Array a = toArray(self);
  if (ir::byteSize(to) != ir::byteSize(a.type) || ir::isComplex(to) || ir::isComplex(a.type) ||
      ir::isBool(to))
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("`dtype=` of `.view` is a real type of as many bytes as {} here, not {}",
                             ir::name(a.type), ir::name(to)));
  Array read = a;
  read.type = to;
  read.at = [from = a.at, type = to](const Indices& i) {
    return ir::call(ir::Intrinsic::BitsOf, type, {from(i)});
  };
  read.view = nullptr;
  if (a.view && !a.view->fancy) read.shares = a.view->buffer.name;
  return self.as<Scalar>() ? Value{Scalar{read.at({})}} : Value{read};
}

/// Does the value hold the array, or a part of its memory?
static bool hasArray(const Value& v, const View& array, bool anyPart) {
  const auto shows = [&](const Value& part) { return hasArray(part, array, anyPart); };
  if (const auto* a = v.as<Array>())
    return anyPart ? a->view && a->view->buffer.name == array.buffer.name : a->view.get() == &array;
  if (const auto* s = v.as<Selection>()) return shows(Value{s->values}) || shows(Value{s->mask});
  if (const auto* l = v.as<ListValue>()) return shows(Value{l->values});
  if (const auto* l = v.as<NestedValue>()) return shows(Value{l->numbers});
  if (const auto* m = v.as<Method>()) return shows(*m->self);
  if (const auto* t = v.as<TupleValue>()) return std::any_of(t->items.begin(), t->items.end(), shows);
  const auto* each = v.as<IteratorValue>();
  return each && std::any_of(each->parts.begin(), each->parts.end(), shows);
}

/// May another name than this one, or the caller, have the array, or memory of it?
bool Lowering::isSeenBeside(const std::string& name, const Array& a, bool anyPart) const {
  if (!a.view) return true;
  anyPart |= a.view->whole;
  const Symbol buffer = a.view->buffer.name;
  if (swapped_.count(buffer) || standsFor_.count(buffer)) return true;
  if (anyPart && (isCallers(buffer) || isFileArray(buffer))) return true;
  std::vector<View> copies; // that stand for it
  for (const auto& [copy, sources] : standsFor_)
    if (sources.count(buffer)) copies.push_back(*memory({copy, a.type, {}}).view);
  for (const Frame& f : frames_)
    for (const auto& [other, value] : f.env)
      if (!(&f == &frames_.back() && other == name) &&
          (hasArray(value, *a.view, anyPart) ||
           std::ranges::any_of(copies, [&](const View& copy) { return hasArray(value, copy, true); })))
        return true;
  return false;
}

/// `a.shape = (2, 3)`: the array itself changes, so that the name is bound anew only where nobody else has it.
void Lowering::assignShape(const std::string& name, const Value& shape, Span where) {
  const auto found = env().find(name);
  const Value self = found == env().end() ? Value{NoneValue{}} : found->second;
  if (self.isError() || shape.isError()) return;
  const auto* a = self.as<Array>();
  std::string why;
  if (!a || !a->view || a->view->fancy)
    why = fmt::format("`{}` is {}, whose shape is not set", name, describe(self));
  else if (isSeenBeside(name, *a))
    why = fmt::format(
        "the array of `{}` has other names, or is the caller's, and changes its shape for these, too", name);
  else if (loops_.size() > frame().loops)
    why = fmt::format("the shape of `{}` changes in a loop", name);
  if (why.empty()) {
    Arguments args;
    args.positional = {shape};
    args.where = where;
    const Value reshaped = callMethod(self, "reshape", args);
    const auto* out = reshaped.as<Array>();
    if (reshaped.isError()) return;
    if (out->view && out->view->buffer.name == a->view->buffer.name) return assignName(name, reshaped, where);
    why = fmt::format("the elements of `{}` do not follow each other as `.shape =` needs it", name);
  }
  error(DiagId::Unsupported, where, fmt::format("{0}; write `new = {1}.reshape(...)`", why, name));
  env()[name] = Value{};
}

/// .ravel() is a copy unless the array is contiguous, .flatten() always.
Value Lowering::callRavel(const Bound& b) {
  std::optional<Array> a = arrayArgument(b["a"], b);
  if (!a) return Value{};
  if (isFortran(b) && a->shape.size() > 1) a = *transpose(*a).as<Array>();
  const std::vector<Expr> shape{product(a->shape, 0, a->shape.size())};
  if (b.name() == "ravel" && a->view && (a->view->fancy || (!isReorderedMemory(*a) && isContiguous(*a))))
    return Value{reshaped(*a, shape)};
  Array out = reshaped(copied(*a), shape);
  if (b.name() == "flatten") out.shares = Symbol();
  return Value{out};
}

/// `a.flat`: all elements in C's order, which can be stored into whatever lies between them.
Array Lowering::flatOf(const Array& a) {
  const Array source = a.uninitialised ? materialize(a, "t") : a;
  const std::vector<Expr> shape{product(a.shape, 0, a.shape.size())};
  const std::vector<AxisGroup> groups{{0, a.shape.size(), 0, 1}};
  Array out = remapped(source, shape, [groups, from = a.shape, shape](const Indices& i) {
    return indicesOf(groups, from, shape, i);
  });
  if (out.view) {
    auto view = std::make_shared<View>(*out.view);
    view->strided = false;
    out.view = view;
  }
  return out;
}

/// `a.flat[k]`: an element, or a copy of some.
Value Lowering::subscriptFlat(const Value& self, const std::vector<ast::Expr>& index, Span where) {
  const auto* a = self.as<Array>();
  if (!a)
    return error(DiagId::BadIndex, where, fmt::format("`.flat` of {} is not translated", describe(self)));
  Value v = subscriptArray(flatOf(*a), index, where);
  const auto* part = v.as<Array>();
  if (!part) return v;
  if (part->shape.empty()) return Value{Scalar{part->at({})}};
  Array copy = *part;
  copy.view = nullptr;
  return Value{copy};
}

/// What `a.flat[k] = x` stores into.
std::optional<Array> Lowering::flatPlace(const ast::Subscript& target, Span where) {
  const auto* flat = target.base.as<ast::Attribute>();
  if (!flat || flat->name != "flat") return std::nullopt;
  const Value self = eval(flat->base);
  const auto* a = self.as<Array>();
  if (!a || !a->view || a->view->fancy) {
    if (!self.isError())
      error(DiagId::TypeMismatch, where, "what is stored by `.flat` here is lost; name the array first");
    return std::nullopt;
  }
  const Value v = subscriptArray(flatOf(*a), target.index, where);
  if (!v.as<Array>()) return std::nullopt;
  Array place = *v.as<Array>();
  auto view = std::make_shared<View>(*place.view);
  view->isFlat = true;
  place.view = view;
  return place;
}

} // namespace appyc::sema
