//===- Selections.cpp - a[mask]: folded or written back through the mask, never gathered ------------===//
#include "Lowering.h"

namespace appyc::sema {

/// Could the index be an array of booleans? Decided by its form, so that other indices are evaluated once
/// only.
static bool mayBeMask(const ast::Expr& e, const std::map<std::string, Value>& env) {
  if (const auto* n = e.as<ast::Name>()) {
    auto it = env.find(n->id);
    const auto* s = it == env.end() ? nullptr : it->second.as<Selection>();
    const auto* a = s ? &s->values : it == env.end() ? nullptr : it->second.as<Array>();
    return a && ir::isBool(a->type) && !a->shape.empty();
  }
  if (const auto* s = e.as<ast::Subscript>()) return mayBeMask(s->base, env);
  if (const auto* a = e.as<ast::Attribute>()) return mayBeMask(a->base, env); // m.T
  if (const auto* u = e.as<ast::Unary>()) return u->op == ast::UnaryOp::Invert;
  if (const auto* b = e.as<ast::Binary>())
    return b->op == ast::BinaryOp::And || b->op == ast::BinaryOp::Or || b->op == ast::BinaryOp::Xor;
  return e.is<ast::Compare>() || e.is<ast::Call>();
}

/// What `base[index]` selects when one of the indices is a mask: of the array's shape, or of one axis of it
/// while the other indices are single ones.
std::optional<Selection> Lowering::selection(const Value& base, const std::vector<ast::Expr>& index,
                                             Span where) {
  if (!base.as<Array>() || base.as<Array>()->shape.empty()) return std::nullopt;
  for (size_t k = 0; k < index.size(); ++k) {
    if (!mayBeMask(index[k], env())) continue;
    size_t mark = diag_.mark();
    Value v;
    Waiting parts(*this);
    parts.add(base);
    const auto boundIf = env().boundIf;
    std::vector<ir::Stmt> made = collect([&] {
      v = eval(index[k]);
      if (const auto* selected = v.as<Selection>()) v = Value{asArray(*selected)};
    });
    const auto* mask = v.as<Array>();
    const bool isMask = mask && !mask->shape.empty() && ir::isBool(mask->type);
    // A mask that leaves axes over stands for index arrays.
    const auto taken = std::ranges::count_if(index, [](const ast::Expr& e) { return !e.is<ast::Slice>(); });
    const bool isOfRows =
        isMask && !hasEllipsis(index) &&
        mask->shape.size() + static_cast<size_t>(taken) - 1 < base.as<Array>()->shape.size();
    if (!isMask || isOfRows) {
      diag_.rollback(mark); // evaluated again as an ordinary index
      env().boundIf = boundIf;
      continue;
    }
    for (ir::Stmt& s : made) emit(std::move(s));
    const Array from = *parts.take(0).as<Array>();
    Selection s{from, mask->expensive || mask->uninitialised ? materialize(*mask, "mask") : *mask};
    if (index.size() > 1) {
      std::vector<ast::Expr> rest = index;
      rest[k] = ast::make(index[k]->span, ast::Slice{});
      rest.insert(rest.begin() + static_cast<std::ptrdiff_t>(k), mask->shape.size() - 1, rest[k]);
      parts.add(Value{s.mask});
      Value row = subscriptArray(from, rest, where);
      if (row.isError()) return std::nullopt;
      s = {*row.as<Array>(), *parts.take(1).as<Array>()};
    }
    if (s.values.expensive || s.values.uninitialised) s.values = materialize(s.values, "t");
    if (s.values.shape.size() != s.mask.shape.size()) {
      error(DiagId::Unsupported, index[k]->span,
            "a boolean mask must have the array's shape, or stand for its only sliced axis; write "
            "np.where(mask, a, b)");
      return std::nullopt;
    }
    const Message differ =
        Message("boolean index of shape ").shape(s.mask.shape).text(" did not match ").array(s.values);
    for (size_t d = 0; d < s.mask.shape.size(); ++d) {
      const Expr &n = s.values.shape[d], &m = s.mask.shape[d];
      // NumPy takes a mask of no elements for any axis.
      if (!ir::equalIndex(n, m) && !ir::constantInt(m) && !alwaysEqual(n, m))
        requireWhereRun(ir::binary(ir::BinaryOp::LogicalOr, ir::binary(ir::BinaryOp::Eq, n, m),
                                   ir::binary(ir::BinaryOp::Eq, m, ir::intConst(0))),
                        "IndexError", differ);
      requireEqual(n, m, differ, where, "NotImplementedError");
    }
    return s;
  }
  return std::nullopt;
}

bool Lowering::haveSameMask(const Selection& a, const Selection& b, Span where) {
  Indices i;
  bool same = a.mask.shape.size() == b.mask.shape.size();
  for (size_t d = 0; same && d < a.mask.shape.size(); ++d) {
    same = ir::equalIndex(a.mask.shape[d], b.mask.shape[d]);
    i.push_back(ir::var(Symbol("i")));
  }
  same = same && ir::equal(a.mask.at(i), b.mask.at(i));
  if (!same)
    error(DiagId::Unsupported, where,
          "selections by different masks cannot be combined: their elements pair up in an order known only "
          "at run "
          "time; select all operands by one named mask");
  return same;
}

/// The function of the elements, which are selected as the operands are.
Value Lowering::elementwiseSelected(const std::vector<Value>& operands, DType result, bool weak,
                                    const std::function<Expr(const std::vector<Expr>&)>& fn, Span where) {
  const Selection* first = nullptr;
  std::vector<Value> parts;
  for (const Value& v : operands)
    if (const auto* s = v.as<Selection>(); s && !first) first = s;
  const auto isWhole = [&](const Value& v) {
    const auto* a = v.as<Array>();
    return a && !a->shape.empty() && ir::equalIndices(a->shape, first->mask.shape);
  };
  const auto isOther = [&](const Value& v) {
    const auto* a = v.as<Array>();
    return a && !a->shape.empty() && !isWhole(v);
  };
  if (std::ranges::any_of(operands,
                          isOther)) { // of as many elements as are selected, as far as the text tells
    for (const Value& v : operands) {
      const auto* s = v.as<Selection>();
      parts.push_back(s ? Value{asArray(*s)} : v);
    }
    return elementwise(parts, result, weak, fn, where);
  }
  for (const Value& v : operands) {
    const auto* s = v.as<Selection>();
    if (isWhole(v))
      return error(
          DiagId::Unsupported, where,
          "a selection by a mask cannot be combined with a whole array; select from that by the same mask");
    if (s && s != first && !haveSameMask(*first, *s, where)) return Value{};
    parts.push_back(s ? Value{s->values} : v);
  }
  Value whole = elementwise(parts, result, weak, fn, where);
  if (whole.isError()) return whole;
  return Value{Selection{*whole.as<Array>(), first->mask}};
}

/// How many elements are selected: Python's int.
Scalar Lowering::countSelected(const Selection& s) {
  std::vector<int> axes;
  for (size_t d = 0; d < s.mask.shape.size(); ++d) axes.push_back(static_cast<int>(d));
  Array ones = s.mask;
  ones.view = nullptr;
  ones.type = DType::I64;
  ones.at = [at = s.mask.at](const Indices& i) { return ir::cast(DType::I64, at(i)); };
  return {reduce(ir::ReduceOp::Sum, Value{ones}, axes, false, DType::I64, statement_).as<Scalar>()->e, true};
}

/// Elements that are not selected give the identity of `op`.
Array Lowering::withIdentity(const Selection& s, ir::ReduceOp op, DType type) {
  Array out = s.values;
  out.view = nullptr;
  out.type = type;
  out.at = [s, op, type](const Indices& i) {
    return ir::select(s.mask.at(i), ir::cast(type, s.values.at(i)), ir::identity(op, type));
  };
  return out;
}

/// NumPy's a[mask] is a copy: what is bound to a name must not change with the array. Names may share it.
Value Lowering::keepSelection(const Selection& s, const std::string& name) {
  if (s.isKept) return Value{s};
  Array values = newBuffer(name, s.values.type, s.values.shape);
  store(values, s.values);
  return Value{Selection{values, materialize(s.mask, name + "_mask"), true}};
}

/// Selections that are kept in names read their mask when they are used.
void Lowering::checkKeptMasks(const ir::Stmt& s) {
  const auto* statement = s.as<ir::IndexStmt>();
  const auto* store = s.as<ir::Store>();
  if (!statement && !store) return;
  Symbol target = statement ? statement->target : store->buffer;
  for (const Frame& f : frames_)
    for (const auto& [name, value] : f.env)
      if (const auto* kept = value.as<Selection>();
          kept && kept->mask.view && kept->mask.view->buffer.name == target)
        error(
            DiagId::Unsupported, s->span,
            fmt::format("this changes the mask by which `{}` was selected; compute the mask in another name",
                        name));
}

/// NumPy reads a mask while it stores: of one memory, both must be the same elements.
static bool isStoredAsRead(const Array& mask, const Array& values) {
  if (!mask.view || !values.view || mask.view->buffer.name != values.view->buffer.name) return true;
  Indices at;
  for (size_t k = 0; k < values.shape.size(); ++k) at.push_back(ir::var(Symbol("i")));
  const std::vector<Expr> read = mask.view->index(at), stored = values.view->index(at);
  return std::ranges::equal(read, stored, ir::equalIndex);
}

/// Every element of the array is written, with its old value where the mask is false.
void Lowering::storeSelected(const Selection& place, Value v, Span where, bool inPlace) {
  if (!isStoredAsRead(place.mask, place.values)) {
    error(DiagId::Unsupported, where,
          "NumPy reads this mask while it changes it, in an order of its own; give the mask as a copy, "
          "`.copy()`");
    return;
  }
  std::optional<Strength> from = v.isError() ? std::nullopt : strengthOf(v, where);
  if (!from) return;
  DType type = place.values.type;
  if (ir::isComplex(from->type) && !ir::isComplex(type)) {
    error(DiagId::TypeMismatch, where,
          fmt::format("storing {} into an array of {} would drop the imaginary part; write `.real`",
                      ir::name(from->type), ir::name(type)));
    return;
  }
  if (inPlace && !sameKind(from->type, type) && !from->weak) {
    error(DiagId::TypeMismatch, where,
          fmt::format("NumPy cannot store {} back into an array of {} in place", ir::name(from->type),
                      ir::name(type)));
    return;
  }
  if (const auto* s = v.as<Selection>()) {
    if (!haveSameMask(place, *s, where)) return;
    v = Value{s->values};
  } else if (const auto* a = v.as<Array>(); a && a->shape.size() == 1 && !inPlace) {
    std::vector<Value> positions; // each its own value: as through index arrays
    for (const Array& one : positionsOf(place.mask)) positions.push_back(Value{one});
    const Value chosen = subscriptBy(place.values, 0, positions, where);
    if (chosen.as<Array>()) assignPlace(*chosen.as<Array>(), v, where);
    return;
  } else if (!v.as<Scalar>()) {
    error(DiagId::Unsupported, where,
          "what is assigned through a boolean mask is a number, as many numbers as are chosen, or a "
          "selection by the "
          "same mask, `b[mask]`");
    return;
  }
  Value merged = where3(Value{place.mask}, castTo(v, type, where), Value{place.values}, where);
  if (merged.as<Array>()) assignPlace(place.values, merged, where);
}

/// `a[mask] = value`; false when `target` is no selection.
bool Lowering::assignSelected(const ast::Expr& target, const std::function<Value(const Selection&)>& value,
                              bool inPlace) {
  const auto* t = target.as<ast::Subscript>();
  if (!t ||
      std::none_of(t->index.begin(), t->index.end(), [&](const ast::Expr& e) { return mayBeMask(e, env()); }))
    return false;
  int errors = diag_.errorCount();
  std::optional<Selection> place = selection(eval(t->base), t->index, target->span);
  if (!place) return diag_.errorCount() > errors;
  if (!place->values.view) {
    error(DiagId::TypeMismatch, target->span,
          "what is selected from a computed array is a copy; name the array first");
    return true;
  }
  Waiting parts(*this);
  parts.add(Value{place->values}, true);
  parts.add(Value{place->mask});
  Value v = value(*place);
  const Value values = parts.take(0), mask = parts.take(1);
  if (values.isError()) return true;
  place = Selection{*values.as<Array>(), *mask.as<Array>()};
  storeSelected(*place, v, target->span, inPlace);
  return true;
}

} // namespace appyc::sema
