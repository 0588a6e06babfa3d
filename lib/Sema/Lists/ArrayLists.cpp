//===- ArrayLists.cpp - lists that grow and hold arrays of one shape: one memory, with a row for each ------------===//
//   xs.append(x)      =>      xs[length, :] = x
//                             length = length + 1
// Python's list has the array itself, this one a copy: Copies.cpp refuses what would tell them apart. The shape is that of
// the first array that is put in: where that is after the list was made, the function is lowered once more.
#include "Lowering.h"

namespace appyc::sema {

/// What the caller knows by name when the function starts: parameters before sizes, of which there may be more later.
static std::vector<Expr> entryNames(const ir::Function& f) {
  std::vector<Expr> names;
  for (const ir::Param& p : f.params) names.push_back(ir::var(p.name, p.type));
  for (const ir::Size& s : f.sizes) names.push_back(ir::var(s.name));
  return names;
}

/// What such arrays are like, for when the function is lowered once more; false where their shape is not known at its begin.
bool Lowering::noteArrays(uint64_t made, const Array& item) {
  if (!std::ranges::all_of(item.shape, [&](const Expr& e) { return isEntryExpr(e); })) return false;
  std::vector<Expr> shape;
  for (const Expr& e : item.shape) shape.push_back(asCallerKnows(e)); // joint sizes are another time others
  if (listStates_.arrays.try_emplace(made, ListStates::Item{item.type, shape, entryNames(out_)}).second)
    listStates_.haveChanged = true;
  return true;
}

/// None of these arrays.
Array Lowering::noArrays(const ListStates::Item& known) const {
  const std::vector<Expr> now = entryNames(out_);
  std::map<Symbol, Expr> names;
  for (size_t k = 0; k < std::min(now.size(), known.names.size()); ++k)
    names[known.names[k].as<ir::Var>()->name] = now[k];
  Array none = emptyArray(known.type);
  for (const Expr& e : known.shape) none.shape.push_back(ir::substitute(e, names));
  return none;
}

bool canBeItem(const Value& v) {
  const auto* a = v.as<Array>();
  return a && !a->symbolic && !a->shape.empty();
}

/// The first array is put into a list; it is one of arrays when it is made again.
bool Lowering::putFirstArray(const ListValue& list, const Array& item, Span where) {
  if (noteArrays(list.made, item)) return true;
  if (!list.isDeque && becomesRowsOfArrays(list.made, item)) return false;
  error(DiagId::Unsupported, where,
        "the caller does not know how large the arrays of this list are; write into an array that has room");
  return false;
}

/// changeable() of a list of arrays; none where it is none, or nothing is known to be put into it.
std::optional<Value> Lowering::changeableArrays(const std::string& name, ListValue list, const Value& v,
                                                Span where) {
  const auto* t = v.as<TupleValue>();
  const auto* l = v.as<ListValue>();
  const bool isOfArrays = t && !t->items.empty() && std::ranges::all_of(t->items, canBeItem);
  if (l ? !l->hasViews || !l->made : !t->items.empty() && !isOfArrays) return std::nullopt;
  if (isOfArrays && !listStates_.arrays.count(list.made) &&
      !putFirstArray(list, *t->items[0].as<Array>(), where))
    return Value{};
  Array none;
  if (const auto known = listStates_.arrays.find(list.made); known != listStates_.arrays.end()) {
    none = noArrays(known->second);
  } else if (l) {
    none = emptyArray(l->values.type);
    none.shape.insert(none.shape.end(), l->values.shape.begin() + 1, l->values.shape.end());
  } else {
    return std::nullopt;
  }
  list.hasViews = true;
  list = growingList(name, list, {none}, where);
  for (const Value& item : t ? t->items : std::vector<Value>()) appendArray(list, item, where);
  if (l) extend(list, v, where);
  return Value{list};
}

/// `bufs = [u.copy(), np.zeros_like(u)]`, then `bufs[t % 2]`: arrays that nothing else has are the rows of one.
Value Lowering::arraysInRows(const std::string& name, const TupleValue& arrays, Span where) {
  const Array first = *arrays.items[0].as<Array>();
  const auto isOwn = [&](const Array& a) {
    return !a.view || (a.view->whole && isMadeBy(lists_.back(), a.view->buffer.name) &&
                       !isViewedElsewhere({a.view->buffer.name}, {}, env()));
  };
  for (const Value& item : arrays.items) {
    const auto* a = item.as<Array>();
    bool isAlike = isOwn(*a) && a->type == first.type && a->shape.size() == first.shape.size();
    for (size_t d = 0; isAlike && d < first.shape.size(); ++d) {
      const std::optional<int64_t> x = ir::constantInt(a->shape[d]), y = ir::constantInt(first.shape[d]);
      isAlike = !x || !y || *x == *y;
    }
    if (!isAlike) return Value{arrays};
  }
  std::vector<Expr> shape = first.shape;
  shape.insert(shape.begin(), ir::intConst(static_cast<int64_t>(arrays.items.size())));
  const Array all = newBuffer(hintOf(name), first.type, shape);
  TupleValue rows = arrays.like();
  for (const Value& item : arrays.items) {
    const auto* a = item.as<Array>();
    for (size_t d = 0; d < a->shape.size(); ++d)
      requireEqual(a->shape[d], first.shape[d],
                   "arrays in a list of which the run tells which is asked for have one shape", where,
                   "NotImplementedError");
    const Array row = rowAt(all, ir::intConst(static_cast<int64_t>(rows.items.size())));
    if (!a->uninitialised) store(row, *a);
    rows.items.push_back(Value{row});
  }
  return Value{rows};
}

/// The item of that number, where the items are the rows of an array, one after the other.
std::optional<Array> Lowering::rowOfItems(const Values& items, const Expr& index) const {
  const auto* first = items[0].as<Array>();
  if (!first || !first->view || first->view->fancy) return std::nullopt;
  Indices at;
  for (size_t d = 0; d < first->shape.size(); ++d) at.push_back(ir::var(Symbol("at")));
  for (size_t k = 0; k < items.size(); ++k) {
    const auto* a = items[k].as<Array>();
    if (!a || !a->view || a->view->fancy || !(a->view->buffer.name == first->view->buffer.name) ||
        !ir::equalIndices(a->shape, first->shape))
      return std::nullopt;
    Indices row = at;
    row.insert(row.begin(), ir::intConst(static_cast<int64_t>(k)));
    if (!ir::equalIndices(a->view->index(at), row)) return std::nullopt;
  }
  return rowAt(memory(first->view->buffer), index);
}

/// The statement at hand has stored `from` where Python has the array itself: in `into`, which has others, too, or not.
void Lowering::noteShared(const Array& into, const Array& from, bool adds, Span where) {
  const Symbol source = from.view && !from.view->fancy ? from.view->buffer.name : from.shares;
  const auto* stored = lists_.back().back().as<ir::IndexStmt>();
  copies_[stored->domain[0].index] = {source, into.view->buffer.name.hint(), shown(where),
                                      true,   source && isFileArray(source), adds};
  if (source) itemsNamed_.insert(into.view->buffer.name);
  noteOrder(into, from);
  standsFor(into, from, shown(where));
}

void Lowering::appendArray(const ListValue& list, const Value& item, Span where) {
  const auto* a = item.as<Array>();
  const std::vector<Expr> shape(list.values.shape.begin() + 1, list.values.shape.end());
  const bool isAlike = canBeItem(item) && a->type == list.values.type && a->shape.size() == shape.size();
  const auto isKnownToDiffer = [&](size_t d) {
    const std::optional<int64_t> x = ir::constantInt(a->shape[d]), y = ir::constantInt(shape[d]);
    return x && y && *x != *y;
  };
  bool differs = !isAlike;
  const auto made = writtenAt_.find(list.made);
  const bool isOnce = // then the list may as well be the tuple of its items
      made != writtenAt_.end() && made->second == std::pair(loops_.size(), branches_.size()) &&
      unsure_ == 0 && !listStates_.stored.count(list.made);
  for (size_t d = 0; isAlike && d < shape.size(); ++d)
    differs |= isKnownToDiffer(d) ||
               (isOnce && ir::constantInt(a->shape[d]).has_value() != ir::constantInt(shape[d]).has_value());
  if (differs && becomesWritten(list.made)) return;
  if (!isAlike) {
    error(DiagId::Unsupported, where,
          fmt::format(
              "the arrays of a list that grows have one type and one shape here: this list is of arrays "
              "of {} with {} dimension(s), and gets {}, too",
              ir::name(list.values.type), shape.size(), describe(item)));
    return;
  }
  for (size_t d = 0; d < shape.size(); ++d)
    requireEqual(a->shape[d], shape[d], "the arrays of a list that grows have one shape", where,
                 "NotImplementedError");
  const Expr length = ir::var(list.length);
  Array row = rowAt(list.values, length);
  store(row, *a);
  noteShared(row, *a, true, where);
  emit(ir::Assign{list.length, ir::add(length, ir::intConst(1))});
}

/// `list[index] = array` of a list of arrays that grows; false where the target is none.
bool Lowering::storeArrayItem(const ast::Expr& target, const std::function<Value()>& item) {
  const auto* s = target.as<ast::Subscript>();
  const std::optional<ListValue> list = s ? listTarget(s->base) : std::nullopt;
  const bool isOwn = list && (list->length || rowLists_.count(list->values.view->buffer.name) > 0);
  if (!list || !list->hasViews || !isOwn || s->index.size() != 1 || s->index[0].is<ast::Slice>())
    return false;
  const ListValue of = *list;
  const Value row = subscriptArray(elementsOf(of), s->index, target->span);
  const auto* place = row.as<Array>();
  const Value v = place ? item() : Value{};
  const auto* a = v.as<Array>();
  if (!place || v.isError()) return true;
  if (!canBeItem(v) || a->type != place->type || a->shape.size() != place->shape.size()) {
    error(DiagId::Unsupported, target->span,
          fmt::format("the arrays of a list that grows have one type and one shape here, and this is {}",
                      describe(v)));
    return true;
  }
  for (size_t d = 0; d < place->shape.size(); ++d)
    requireEqual(a->shape[d], place->shape[d], "the arrays of a list that grows have one shape", target->span,
                 "NotImplementedError");
  const bool isComputed = !a->view;
  const Array value = isComputed ? *a : materialize(*a, "item");
  store(*place, value);
  noteShared(*place, *a, true, target->span);
  return true;
}

Array Lowering::rowAt(const Array& a, const Expr& k) {
  return remapped(a, {a.shape.begin() + 1, a.shape.end()}, [k](Indices i) {
    i.insert(i.begin(), k);
    return i;
  });
}

/// An item, as it is now: the list may get another in its place.
Value Lowering::arrayItem(const Array& row, Span where) {
  const Array item = newBuffer("item", row.type, row.shape);
  store(item, row);
  noteShared(item, row, false, where);
  return Value{item};
}

//===--- other places ----------------------------------------------------------------------------------------===//

/// Is it one of arrays, or of tuples with arrays?
bool holdsArrays(const ListValue& list) {
  return list.hasViews || std::ranges::any_of(list.fields, &ListValue::hasViews);
}

/// The items of another list, which are its own.
void Lowering::putBack(const ListValue& list, const ListValue& items, Span where) {
  for (size_t k = 0; k < list.fields.size(); ++k) putBack(list.fields[k], items.fields[k], where);
  if (list.like) return;
  store(cutTo(list.values, items.values.shape), items.values);
  if (list.hasViews) noteShared(list.values, items.values, true, where);
}

/// What it has at these places, in its order.
void Lowering::rearrange(const ListValue& list, const Expr& count,
                         const std::function<Expr(const Expr&)>& from, Span where) {
  Array places = emptyArray(DType::I64);
  places.shape = {count};
  places.at = [from](const Indices& i) { return from(i[0]); };
  putBack(list, reordered(list, places), where);
}

Value Lowering::turnedAround(const ListValue& list, Span where) {
  const Expr n = stable(itemsIn(list).e);
  rearrange(
      list, n, [n](const Expr& k) { return ir::sub(ir::sub(n, ir::intConst(1)), k); }, where);
  return Value{NoneValue{}};
}

/// `list.pop(k)`, `del list[k]`
Value Lowering::takenOut(const ListValue& list, const Value& index, const std::string& method, Span where) {
  const std::optional<Scalar> given = scalarOf(index, "an index", where);
  if (!given || !mayGrow(list, where)) return Value{};
  if (list.like ? !isFilled(list) : !list.hasViews) return nothingKnown(where);
  const Expr n = stable(itemsIn(list).e), i = stable(ir::cast(DType::I64, given->e)), none = ir::intConst(0);
  const Expr at = stable(ir::select(ir::binary(ir::BinaryOp::Lt, i, none), ir::add(i, n), i));
  const Expr isIn = ir::binary(ir::BinaryOp::LogicalAnd, ir::binary(ir::BinaryOp::Ge, at, none),
                               ir::binary(ir::BinaryOp::Lt, at, n));
  require(isIn, "IndexError",
          method.empty() ? "list assignment index out of range" : "pop index out of range");
  const Value item = method.empty()  ? Value{NoneValue{}}
                     : list.hasViews ? arrayItem(rowAt(list.values, at), where)
                                     : evaluatedOnce(itemOf(list, at), "item");
  const Expr fewer = stable(ir::sub(n, ir::intConst(1)));
  rearrange(
      list, fewer,
      [at](const Expr& k) { return ir::add(k, ir::cast(DType::I64, ir::binary(ir::BinaryOp::Ge, k, at))); },
      where);
  emit(ir::Assign{list.length, fewer});
  return item;
}

/// `list.insert(k, item)`
Value Lowering::putInBetween(const ListValue& list, const Value& index, const Value& item, Span where) {
  const std::optional<Scalar> given = scalarOf(index, "an index", where);
  if (!given || !mayGrow(list, where)) return Value{};
  const Expr n = stable(itemsIn(list).e), i = stable(ir::cast(DType::I64, given->e)), none = ir::intConst(0);
  const Expr from = ir::select(ir::binary(ir::BinaryOp::Lt, i, none), ir::maxOf(ir::add(i, n), none), i);
  const Expr at = stable(ir::minOf(from, n));
  append(list, item, where);
  if (list.like ? !isFilled(list) : !list.hasViews) return Value{NoneValue{}};
  rearrange(
      list, stable(itemsIn(list).e),
      [at, n](const Expr& k) {
        const Expr behind = ir::sub(k, ir::cast(DType::I64, ir::binary(ir::BinaryOp::Gt, k, at)));
        return ir::select(ir::binary(ir::BinaryOp::Eq, k, at), n, behind);
      },
      where);
  return Value{NoneValue{}};
}

/// list + list
Value Lowering::joinedArrays(const ListValue& a, const ListValue& b, Span where) {
  const Array x = elementsOf(a), y = elementsOf(b);
  if (x.type != y.type || x.shape.size() != y.shape.size())
    return error(DiagId::Unsupported, where,
                 "lists of arrays that differ in type or dimensions are not joined");
  for (size_t d = 1; d < x.shape.size(); ++d)
    requireEqual(x.shape[d], y.shape[d], "the arrays of a list have one shape", where, "NotImplementedError");
  const Expr n = stable(x.shape[0]), m = stable(y.shape[0]);
  std::vector<Expr> shape = x.shape;
  shape[0] = stable(ir::add(n, m));
  ListValue made;
  made.made = where.begin;
  made.hasViews = true;
  made.values = roomyBuffer("list", x.type, shape);
  store(cutTo(made.values, x.shape), x);
  noteShared(made.values, x, false, where);
  const Array rest = remapped(made.values, y.shape, [n](Indices i) {
    i[0] = ir::add(n, i[0]);
    return i;
  });
  store(rest, y);
  noteShared(made.values, y, true, where);
  return Value{made};
}

} // namespace appyc::sema
