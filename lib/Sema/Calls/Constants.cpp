//===- Constants.cpp - constants of the file, tables of constants ---------------------------------------===//
// What a file binds at its top level is evaluated where a function reads it, in the file's scope. An array of
// constants, or a tuple under an index known at run time, becomes a table of the generated file.
#include "Items.h"
#include "Lowering.h"
#include "Scopes.h"
#include "appyc/Frontend/FileState.h"
#include "appyc/IR/Dsl.h"
#include <algorithm>

namespace appyc::sema {

namespace {
/// Up to so many items are compared in turn, which costs no access to memory.
constexpr int64_t kFewItems = 4;
/// A table of more elements belongs into a file of data.
constexpr int64_t kMostItems = 1 << 16;

/// How many elements there are, if that is known and neither few nor very many.
std::optional<int64_t> elementsOfTable(const Array& a) {
  int64_t count = 1;
  for (const Expr& extent : a.shape) {
    const std::optional<int64_t> n = ir::constantInt(extent);
    if (!n || *n <= 0 || *n > kMostItems || count * *n > kMostItems) return {};
    count *= *n;
  }
  return count > kFewItems ? std::optional(count) : std::nullopt;
}

/// The indices of element number `position` in C order.
Indices indicesOf(const Array& a, int64_t position) {
  Indices found(a.shape.size());
  for (size_t d = a.shape.size(); d-- > 0;) {
    const int64_t n = *ir::constantInt(a.shape[d]);
    found[d] = ir::intConst(position % n);
    position /= n;
  }
  return found;
}
} // namespace

/// An array all of whose elements are constants, as a table called `name`; any other array as it is.
Array Lowering::tabulated(const Array& a, const std::string& name) {
  const std::optional<int64_t> count =
      a.view || a.expensive || a.uninitialised ? std::nullopt : elementsOfTable(a);
  if (!count) return a;
  auto table = std::make_shared<ir::Table>(ir::Table{name, a.type, {}});
  for (int64_t k = 0; k < *count; ++k) {
    const Expr element = a.at(indicesOf(a, k));
    const auto* constant = element.as<ir::Const>();
    if (!constant || constant->type != a.type) return a;
    table->values.push_back(*constant);
  }
  Array out = a;
  out.at = [table = std::shared_ptr<const ir::Table>(table), shape = a.shape](const Indices& i) {
    Expr position = i[0];
    for (size_t d = 1; d < shape.size(); ++d) position = ir::add(ir::mul(position, shape[d]), i[d]);
    return ir::lookup(table, position);
  };
  return out;
}

/// The loop of a known number of steps whose index chooses: it is written out when the function is lowered once more. False
/// where there is none.
bool Lowering::writesOut(const Expr& index, int64_t most) {
  for (const auto& [counter, loop] : countedLoops_)
    if (loop.second <= most && ir::mentions(index, counter) &&
        listStates_.writtenOut.insert(loop.first).second)
      return writesAnew_ = listStates_.haveChanged = true;
  return false;
}

/// Likewise of a number, or of those in a tuple or a text.
bool Lowering::writesOutKey(const Value& key, int64_t most) {
  if (const auto* s = key.as<Scalar>()) return writesOut(s->e, most);
  if (const auto* text = key.as<TextValue>())
    return std::ranges::any_of(text->values, [&](const Expr& number) { return writesOut(number, most); });
  return std::ranges::any_of(heldParts(key), [&](const Value& part) { return writesOutKey(part, most); });
}

/// Where a variable chooses among items that are not alike.
Value Lowering::notChosen(const Expr& index, Span where) {
  if (writesOut(index)) return Value{};
  return error(DiagId::Unsupported, where,
               "a tuple can be indexed by a variable only where its items are numbers of one type, or tuples "
               "of such of one length; use np.array");
}

/// Of lists of numbers that differ in length: all are in one table, of which each is a part.
Value Lowering::chosenRow(const Values& rows, const Expr& index, Span where) {
  std::vector<Value> numbers, starts, lengths;
  int64_t most = 0;
  for (const Value& row : rows) {
    const auto* t = row.as<TupleValue>();
    const bool isRow =
        t && t->isList && std::ranges::all_of(t->items, [](const Value& v) { return v.as<Scalar>(); });
    if (!isRow) return notChosen(index, where);
    const auto count = static_cast<int64_t>(t->items.size());
    starts.push_back(Value{Scalar{ir::intConst(static_cast<int64_t>(numbers.size())), true}});
    lengths.push_back(Value{Scalar{ir::intConst(count), true}});
    numbers.insert(numbers.end(), t->items.begin(), t->items.end());
    most = std::max(most, count);
  }
  const auto at = [&](const std::vector<Value>& table, const Expr& k) {
    const Value item = chosenItem(table, k, where);
    const auto* s = item.as<Scalar>();
    return s ? std::optional(*s) : std::nullopt;
  };
  const std::optional<Scalar> start = at(starts, index), length = at(lengths, index);
  if (!start || !length || numbers.empty()) return notChosen(index, where);
  Array row = emptyArray(DType::I64);
  row.shape = {sizeVariable(length->e, ir::intConst(most))};
  const Expr first = materialize(start->e, "first");
  Scalar like = *numbers[0].as<Scalar>();
  for (const Value& number : numbers) {
    const std::optional<Scalar> joined = joinNumbers(like, *number.as<Scalar>(), where, "");
    if (!joined) return Value{};
    like = *joined;
  }
  std::vector<Value> alike;
  for (const Value& number : numbers)
    alike.push_back(Value{Scalar{ir::cast(like.type(), number.as<Scalar>()->e), true}});
  row.type = like.type();
  row.at = [&](const Indices& i) {
    const std::optional<Scalar> item = at(alike, ir::add(first, i[0]));
    return item ? item->e : ir::constOf(row.type, 0);
  };
  ListValue list;
  list.made = madeAt(where) | uint64_t(252) << 48;
  if (!putState(list, like, where)) return Value{};
  list.values = roomyBuffer("row", row.type, row.shape);
  listMemory_[list.values.view->buffer.name] = list.made;
  store(list.values, row);
  return Value{list};
}

/// Item `index`, known at run time, of a tuple whose items are of one kind.
Value Lowering::chosenItem(const Values& given, const Expr& index, Span where) {
  if (given.empty()) return error(DiagId::BadIndex, where, "there is nothing in this tuple or list");
  Values items = given;
  if (std::ranges::all_of(items, isText))
    for (Value& item : items) item = storedText(item);
  const auto* first = items[0].as<Scalar>();
  const auto* parts = items[0].as<TupleValue>();
  if (parts) {
    TupleValue chosen = parts->like();
    const auto isAlike = [&](const Value& item) {
      const auto* t = item.as<TupleValue>();
      return t && t->isList == parts->isList && t->items.size() == parts->items.size();
    };
    if (!std::ranges::all_of(items, isAlike)) return chosenRow(items, index, where);
    for (size_t k = 0; k < parts->items.size(); ++k) {
      std::vector<Value> column;
      for (const Value& item : items) column.push_back(item.as<TupleValue>()->items[k]);
      chosen.items.push_back(chosenItem(column, index, where));
      if (chosen.items.back().isError()) return Value{};
    }
    return Value{chosen};
  }
  if (isPooled(items[0])) {
    Values numbers;
    for (const Value& item : items) {
      if (!isBuiltAlike(item, items[0])) return notChosen(index, where);
      numbers.push_back(heldParts(item)[0]);
    }
    const Value at = chosenItem(numbers, index, where);
    return at.isError() ? at : builtLike(items[0], {at});
  }
  const auto isInMemory = [](const Value& item) { return item.as<ListValue>() && isList(item); };
  const auto isFunction = [](const Value& item) { return item.as<UserFunction>() || item.as<Callable>(); };
  if (std::ranges::all_of(items, isFunction)) {
    Value one = items.back();
    for (size_t k = items.size() - 1; k-- > 0;) {
      const Expr isIt = ir::binary(ir::BinaryOp::Eq, index, ir::intConst(static_cast<int64_t>(k)));
      one = chosen(
          isIt, [&] { return items[k]; }, [&] { return one; }, where, {});
    }
    return one;
  }
  if (!first && std::ranges::any_of(items, isInMemory) && std::ranges::all_of(items, isList))
    nestEverywhere();
  if (!first) return notChosen(index, where);
  Scalar like = *first;
  for (const Value& item : items) {
    const auto* s = item.as<Scalar>();
    if (!s) return notChosen(index, where);
    if (s->type() == like.type() && s->weak == like.weak && s->others.empty() && !s->isExtended &&
        !like.isExtended)
      continue;
    const std::optional<Scalar> joined = joinNumbers(like, *s, where, "");
    if (!joined) return Value{};
    like = *joined;
  }
  Array row;
  row.type = like.type();
  row.shape = {ir::intConst(static_cast<int64_t>(items.size()))};
  row.at = [&](const Indices& i) {
    const auto item = [&](size_t k) { return ir::cast(row.type, items[k].as<Scalar>()->e); };
    const std::optional<int64_t> k = ir::constantInt(i[0]);
    return k ? item(static_cast<size_t>(*k)) : itemAt(item, 0, items.size(), i[0]);
  };
  const Expr chosen = tabulated(row, tableName_).at({index});
  if (like.others.empty() && !like.isExtended) return Value{Scalar{chosen, like.weak}};
  like.constant = {};
  return Value{keptIn(like, materialize(chosen, "item"))};
}

/// Is it made of names, numbers and sums of these, which may be asked for twice?
static bool isPlain(const ast::Expr& e) {
  if (!e || e.is<ast::Name>() || e.is<ast::IntLit>() || e.is<ast::NoneLit>()) return true;
  const auto* b = e.as<ast::Binary>();
  const auto* u = e.as<ast::Unary>();
  return b ? isPlain(b->lhs) && isPlain(b->rhs) : u && isPlain(u->arg);
}

/// `t[lower:upper:step]` of a tuple; where the run tells the bounds, of one in memory.
Value Lowering::tupleSlice(const TupleValue& t, const ast::Slice& slice, Span where) {
  const auto n = static_cast<int64_t>(t.items.size());
  std::optional<int64_t> given[3];
  const ast::Expr* parts[] = {&slice.lower, &slice.upper, &slice.step};
  for (size_t k = 0; k < 3; ++k) {
    if (!*parts[k]) continue;
    const Value v = eval(*parts[k]);
    if (v.isError()) return v;
    if (v.as<NoneValue>()) continue;
    given[k] = constantArgument(v);
    if (!given[k] && isPlain(slice.lower) && isPlain(slice.upper) && isPlain(slice.step) && !t.type) {
      std::optional<ListValue> items = inMemory(Value{TupleValue{t.items, true}}, where);
      if (!items) return Value{};
      items->isTuple = !t.isList;
      const std::string name = unusedName("items");
      env()[name] = Value{*items};
      writtenOut_.push_back({ast::makeStmt(
          where, ast::ExprStmt{ast::make(where, ast::Subscript{ast::make(where, ast::Name{name}),
                                                               {ast::make(where, ast::Slice{slice})}})})});
      const Value part = eval(writtenOut_.back()[0].as<ast::ExprStmt>()->value);
      forgetName(name);
      return part;
    }
    if (!given[k])
      return error(DiagId::Unsupported, where,
                   "the bounds of a tuple's slice are known at translation; use np.array");
  }
  const int64_t step = given[2].value_or(1), low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
  if (step == 0) return error(DiagId::BadIndex, where, "a slice step cannot be zero");
  auto bound = [&](const std::optional<int64_t>& at, int64_t standard) {
    return at ? std::clamp(*at < 0 ? *at + n : *at, low, high) : standard;
  };
  const int64_t from = bound(given[0], step > 0 ? 0 : n - 1), to = bound(given[1], step > 0 ? n : -1);
  TupleValue taken{{}, t.isList};
  for (int64_t k = from; step > 0 ? k < to : k > to; k += step)
    taken.items.push_back(t.items[static_cast<size_t>(k)]);
  return Value{taken};
}

/// `t[index]` of a tuple.
Value Lowering::tupleItem(const TupleValue& t, const std::vector<ast::Expr>& index, Span where) {
  const auto n = static_cast<int64_t>(t.items.size());
  if (index.size() != 1)
    return error(DiagId::BadIndex, where, "a tuple takes one index; write `t[i][j]`, or use np.array");
  if (const auto* slice = index[0].as<ast::Slice>()) return tupleSlice(t, *slice, where);
  const std::optional<Expr> e = evalIndexExpr(index[0], "an index");
  if (!e) return Value{};
  const std::optional<int64_t> k = ir::constantInt(*e);
  if (n == 0 || (k && (*k < -n || *k >= n)))
    return error(DiagId::BadIndex, where, fmt::format("the tuple has {} item(s)", n));
  if (k) return t.items[static_cast<size_t>(*k < 0 ? *k + n : *k)];
  const Expr asked = stable(*e), behind = ir::sub(ir::intConst(n - 1), asked);
  if (sanitize_.bounds && !(isNonNegative(behind) && isNonNegative(ir::add(asked, ir::intConst(n)))))
    checkAt(where,
            ir::both(ir::binary(ir::BinaryOp::Ge, asked, ir::intConst(-n)),
                     ir::binary(ir::BinaryOp::Lt, asked, ir::intConst(n))),
            "IndexError", t.isList ? "list index out of range" : "tuple index out of range");
  const Expr at = wrapIndex(asked, ir::intConst(n));
  if (const std::optional<Array> row = rowOfItems(t.items, at)) return Value{*row};
  if (t.made && t.made != kOfFile && !writesOut(at) && listStates_.inRows.insert(t.made).second)
    listStates_.haveChanged = true;
  return chosenItem(t.items, at, where);
}

bool Lowering::isFileArray(const Symbol& source) const {
  return source && std::any_of(fileArrays_.begin(), fileArrays_.end(),
                               [&](const auto& known) { return known.second == source; });
}

/// A name that a file binds at its top level.
Value Lowering::evalFileConstant(const FileScope& scope, const ast::Constant& c, Span where) {
  constexpr std::ptrdiff_t kMostNested = 20; // constants that name themselves end there
  const bool isReported = diag_.hasErrors(); // not where an attempt was given up with its errors
  if (failedConstants_.count(&c) &&
      (isReported || std::ranges::count_if(frames_, &Frame::isConstant) > kMostNested))
    return Value{};
  if (!c.problem.empty()) {
    diag_
        .report(DiagId::Unsupported, where,
                fmt::format(
                    "`{}` of {} is no constant to appyc: {}", c.name,
                    scope.module->name.empty() ? "this file" : fmt::format("`{}`", scope.module->name),
                    c.problem == frontend::kNamesOfFile
                        ? "functions bind it by `global`, which is translated of what entries call by name"
                        : c.problem))
        .note(c.where, "it is bound here");
    failedConstants_.insert(&c);
    return Value{};
  }
  const int errors = diag_.errorCount();
  failedConstants_.insert(&c); // while it is evaluated: it may name itself
  frames_.push_back({frame().function, {}, {}, {}, true});
  frame().file = &scope;
  frame().isConstant = true;
  const std::string outer = std::exchange(tableName_, c.name);
  Value v = eval(c.value);
  tableName_ = outer;
  moveFields(env(), frames_[frames_.size() - 2].env);
  frames_.pop_back();
  if (const auto* r = v.as<RecordValue>())
    objects_.at(r->object).readOnly =
        "this dict is the file's, which all calls share; make one in the function";
  if (diag_.errorCount() > errors) return Value{};
  failedConstants_.erase(&c);
  if (const auto* a = v.as<Array>()) {
    Array shared = tabulated(*a, c.name);
    // Names in functions are other names of the file's array, which lives on: no store may go into a copy.
    auto source = fileArrays_.find(&c);
    if (source == fileArrays_.end()) source = fileArrays_.emplace(&c, Symbol(c.name)).first;
    shared.view = nullptr;
    if (!shared.shape.empty()) shared.shares = source->second;
    return Value{shared};
  }
  return v;
}

} // namespace appyc::sema
