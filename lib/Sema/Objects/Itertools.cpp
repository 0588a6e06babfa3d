//===- Itertools.cpp - what itertools gives ---------------------------------------------------------------===//
//   for i, x in itertools.product(range(n), a):      for k in [0, n * len(a)):
//     s += i * x                                 =>    i = k // len(a); x = a[k % len(a)]
//                                                      s += i * x
// Each is a number of steps and an item for each of them, as Iteration.cpp has it. Those that make lists of what they
// run over are the library's (numpy_library/itertools.py).
#include "Arguments.h"
#include "Items.h"
#include "Lowering.h"
#include "Steps.h"

namespace appyc::sema {

Value Lowering::callItertools(const Bound& b) {
  static const std::map<std::string, IteratorValue::Kind> kKinds = {
      {"product", IteratorValue::Product}, {"pairwise", IteratorValue::Pairwise},
      {"chain", IteratorValue::Chain},     {"from_iterable", IteratorValue::Chain},
      {"islice", IteratorValue::Part},     {"repeat", IteratorValue::Repeat},
      {"count", IteratorValue::Counted},   {"cycle", IteratorValue::Cycle}};
  const std::string name = b.name();
  IteratorValue made{kKinds.at(name), {}};
  const Value* all = b.find("iterables");
  if (const Value* one = b.find("iterable")) made.parts = {*one};
  if (all) made.parts = all->as<TupleValue>()->items;
  const auto* rows = all && made.parts.size() == 1 ? made.parts[0].as<IteratorValue>() : nullptr;
  if (rows && rows->kind == IteratorValue::AllOfRest)
    return Value{itemsOfItems(iterated(rows->parts[0]), b.where)};
  if (name == "from_iterable") {
    const auto* parts = made.parts[0].as<TupleValue>();
    if (!parts) return Value{itemsOfItems(iterated(made.parts[0]), b.where)};
    made.parts = std::vector<Value>(parts->items);
  }
  if (name == "product") {
    const std::optional<int64_t> repeat = constantArgument(b["repeat"]);
    if (!repeat || *repeat < 0 || *repeat > 8)
      return error(DiagId::Unsupported, b.where, "`repeat=` of `itertools.product` is a small constant here");
    const std::vector<Value> once = made.parts;
    made.parts.clear();
    for (int64_t k = 0; k < *repeat; ++k) made.parts.insert(made.parts.end(), once.begin(), once.end());
  }
  if (name == "islice") {
    std::vector<Value> bounds = b["bounds"].as<TupleValue>()->items;
    if (bounds.empty() || bounds.size() > 3)
      return error(DiagId::TypeMismatch, b.where, "islice() takes an iterable and 1 to 3 bounds");
    if (bounds.size() == 1) bounds.insert(bounds.begin(), Value{NoneValue{}});
    bounds.resize(3, Value{NoneValue{}});
    made.parts.insert(made.parts.end(), bounds.begin(), bounds.end());
  }
  if (name == "repeat") {
    made.parts = {b["object"]};
    if (!b["times"].as<NoneValue>()) made.parts.push_back(b["times"]);
  }
  if (name == "count") made.parts = {b["start"], b["step"]};
  for (const Value& part : made.parts) {
    if (part.isError()) return Value{};
    const auto* s = part.as<Scalar>();
    const bool isNumber = name == "count" || (name == "repeat" && &part != &made.parts[0]) ||
                          (name == "islice" && &part != &made.parts[0]);
    if (isNumber && !part.as<NoneValue>() && !(s && ir::isInteger(s->type())))
      return error(DiagId::Unsupported, b.where,
                   fmt::format("`{}` counts with integers here, not {}", b.display(), describe(part)));
  }
  return Value{made};
}

/// Each item of the first with each of the second, ...: the last changes fastest.
template <class Steps> static Steps productOf(const std::vector<Steps>& parts) {
  Steps all{ir::intConst(1), {}};
  for (const Steps& part : parts) {
    all.count = ir::mul(all.count, part.count);
    all.isWrittenOut |= part.isWrittenOut;
  }
  all.item = [parts](const Expr& k) {
    std::vector<Value> items(parts.size());
    Expr rest = k;
    for (size_t p = parts.size(); p-- > 0;) {
      const Expr& n = parts[p].count;
      items[p] = parts[p].item(p == 0 ? rest : ir::binary(ir::BinaryOp::Mod, rest, n));
      rest = ir::binary(ir::BinaryOp::FloorDiv, rest, n);
    }
    return Value{TupleValue{items}};
  };
  return all;
}

/// One after the other; `chosen` gives one of several values by an index.
template <class Steps, class Choice>
static Steps chained(const std::vector<Steps>& parts, const Choice& chosen) {
  Steps all{ir::intConst(0), {}};
  all.isWrittenOut = std::ranges::all_of(parts, [](const Steps& part) { return part.isWrittenOut; });
  for (const Steps& part : parts) all.count = ir::add(all.count, part.count);
  all.item = [parts, chosen](const Expr& k) {
    Expr first = ir::intConst(0);
    std::vector<Value> items;
    Expr which = ir::intConst(0);
    for (const Steps& part : parts) {
      const Expr at = ir::sub(k, first), next = ir::add(first, part.count);
      const std::optional<int64_t> known = ir::constantInt(at), count = ir::constantInt(part.count);
      if (known && count && *known < *count) return part.item(at);
      if (!known) items.push_back(part.item(ir::maxOf(at, ir::intConst(0))));
      if (&part != &parts.back())
        which = ir::add(which, ir::cast(DType::I64, ir::binary(ir::BinaryOp::Ge, k, next)));
      first = next;
    }
    return items.size() == 1 ? items[0] : chosen(items, which);
  };
  return all;
}

/// itertools.islice: `start`, `stop` and `step` count steps.
std::optional<Lowering::Steps> Lowering::partOf(const Steps& all, const IteratorValue& v, Span where) {
  const auto number = [&](const Value& bound, int64_t standard, int64_t least) {
    const auto* s = bound.as<Scalar>();
    if (!s) return ir::intConst(standard);
    const Expr e = stable(ir::cast(DType::I64, s->e));
    const Expr fits = ir::binary(ir::BinaryOp::Ge, e, ir::intConst(least));
    if (!isNonNegative(ir::sub(e, ir::intConst(least))))
      requireWhereRun(fits, "ValueError",
                      "the bounds of islice() are None or integers that are not negative");
    return e;
  };
  const Expr start = number(v.parts[1], 0, 0), step = number(v.parts[3], 1, 1);
  const bool hasStop = v.parts[2].as<Scalar>();
  if (!hasStop && all.isEndless) {
    error(DiagId::Unsupported, where, "this never ends by itself; give islice() an end");
    return std::nullopt;
  }
  const Expr stop = hasStop ? number(v.parts[2], 0, 0) : all.count;
  const Expr end = !hasStop || all.isEndless ? stop : ir::minOf(stop, all.count);
  Steps part = all;
  part.isEndless = false;
  part.count = ir::maxOf(ir::ceilDiv(ir::sub(end, start), step), ir::intConst(0));
  part.item = [item = all.item, start, step](const Expr& k) {
    return item(ir::add(start, ir::mul(k, step)));
  };
  return part;
}

std::optional<Lowering::Steps> Lowering::stepsOfItertools(const IteratorValue& v, Span where) {
  if (v.kind == IteratorValue::Repeat || v.kind == IteratorValue::Counted) {
    Steps all{ir::intConst(0), {}};
    all.isEndless = v.kind == IteratorValue::Counted || v.parts.size() == 1;
    if (v.kind == IteratorValue::Counted) {
      const Expr start = stable(ir::cast(DType::I64, v.parts[0].as<Scalar>()->e)),
                 step = stable(ir::cast(DType::I64, v.parts[1].as<Scalar>()->e));
      all.item = [start, step](const Expr& k) {
        return Value{Scalar{ir::add(start, ir::mul(k, step)), true}};
      };
      return all;
    }
    all.item = [object = v.parts[0]](const Expr&) { return object; };
    if (!all.isEndless)
      all.count = ir::maxOf(stable(ir::cast(DType::I64, v.parts[1].as<Scalar>()->e)), ir::intConst(0));
    return all;
  }
  if (v.kind == IteratorValue::Indices) {
    std::vector<Steps> axes;
    for (const Value& axis : v.parts[0].as<TupleValue>()->items) axes.push_back(*stepsOf(axis, where));
    return productOf(axes);
  }
  std::vector<Steps> parts;
  const size_t count = v.kind == IteratorValue::Part ? 1 : v.parts.size();
  for (size_t k = 0; k < count; ++k) {
    std::optional<Steps> part = stepsOf(v.parts[k], where);
    if (!part) return std::nullopt;
    if (part->isEndless && v.kind != IteratorValue::Part) {
      error(DiagId::Unsupported, where, "this never ends by itself; zip() it with what ends");
      return std::nullopt;
    }
    parts.push_back(std::move(*part));
  }
  if (v.kind == IteratorValue::Product) return productOf(parts);
  if (v.kind == IteratorValue::Chain)
    return chained(parts, [this, where](const std::vector<Value>& items, const Expr& which) {
      return chosenItem(items, which, where);
    });
  if (v.kind == IteratorValue::Part) return partOf(parts[0], v, where);
  Steps all = parts[0];
  if (v.kind == IteratorValue::Pairwise) {
    all.count = ir::maxOf(ir::sub(all.count, ir::intConst(1)), ir::intConst(0));
    all.item = [item = parts[0].item](const Expr& k) {
      return Value{TupleValue{{item(k), item(ir::add(k, ir::intConst(1)))}}};
    };
  }
  if (v.kind == IteratorValue::Cycle) {
    if (!isNonNegative(ir::sub(all.count, ir::intConst(1))))
      requireWhereRun(ir::binary(ir::BinaryOp::Gt, all.count, ir::intConst(0)), "NotImplementedError",
                      "cycle() of nothing");
    all.isEndless = true;
    all.item = [part = parts[0]](const Expr& k) {
      return part.item(ir::binary(ir::BinaryOp::Mod, k, part.count));
    };
  }
  if (v.kind == IteratorValue::Groups) {
    all.count = parts[2].count;
    all.item = [this, parts, list = *v.parts[0].as<ListValue>(), where](const Expr& k) {
      const Value first = parts[2].item(k), end = parts[3].item(k);
      items_["group begins"] = [first] { return first; };
      items_["group ends"] = [end] { return end; };
      const ast::Slice group{
          ast::make(where, ast::Name{"group begins"}), ast::make(where, ast::Name{"group ends"}), {}};
      const Value once{
          IteratorValue{IteratorValue::Group, {listItem(list, {ast::make(where, group)}, where)}}};
      return Value{TupleValue{{parts[1].item(first.as<Scalar>()->e), once}}};
    };
  }
  return all;
}

/// itertools.groupby of what the library has found.
Value Lowering::callGroups(const Bound& b) {
  IteratorValue groups{IteratorValue::Groups, {}};
  for (const char* name : {"items", "keys", "starts", "ends"}) {
    const std::optional<ListValue> list = inMemory(b[name], b.where);
    if (!list) return nothingKnown(b.where);
    groups.parts.emplace_back(*list);
  }
  return Value{groups};
}

/// Tuples of the items of a list at the places of each row, of which the run tells how many they are.
Value Lowering::callTuplesAt(const Bound& b) {
  const std::optional<ListValue> pool = inMemory(b["pool"], b.where);
  const auto* places = b["places"].as<Array>();
  const std::optional<Scalar> state = pool && !pool->like && !pool->hasViews ? stateOf(*pool) : std::nullopt;
  if (pool && !pool->like && !pool->hasViews && !state) return nothingKnown(b.where);
  if (!state || !places || places->shape.size() != 2)
    return error(DiagId::Unsupported, b.where,
                 "of tuples of which the run tells the length the items are numbers here; take places, as of "
                 "`range(len(items))`");
  ListValue rows;
  rows.made = madeAt(b.where) | kRunTuples;
  rows.isWeak = state->weak;
  rows.isTuple = true; // as are its rows
  listStates_.states[rows.made] = *state;
  const Array items = elementsOf(*pool);
  Array all = emptyArray(state->type());
  all.shape = places->shape;
  all.at = [items, at = places->at](const Indices& i) { return items.at({at(i)}); };
  rows.values = roomyBuffer("orders", all.type, all.shape);
  store(rows.values, all);
  return Value{rows};
}

} // namespace appyc::sema
