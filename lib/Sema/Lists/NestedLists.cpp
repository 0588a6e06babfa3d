//===- NestedLists.cpp - lists of lists that change, each by itself --------------------------------------------===//
//   rows = [[] for i in range(n)]       numbers: which lists are in it, in order
//   rows[i].append(x)              =>   starts, lengths, rooms: where each begins among the items, how many it has and may have
//                                       items[starts[row] + lengths[row]] = x, at the end of all with twice the room where it is full
// A list in it is a reference, as Python's: whatever has its number sees it change. That a list holds such lists is known
// where the first is put in: the function is lowered once more. What is done with the parts is Python,
// numpy_library/_rows.py.
#include "Arguments.h"
#include "Lowering.h"

namespace appyc::sema {

constexpr std::string_view kRows =
    "a list of lists that change holds lists of numbers of one kind, or of tuples of such, not {}, too; use "
    "an array with a row for each";

/// By what the states of a list are found that the text makes there: one of the library's is another one for each place
/// where the user calls it.
uint64_t Lowering::madeAt(Span where) const {
  return site_ ? (site_->where.begin * 2654435761U ^ where.begin) | 1U << 31 : where.begin;
}

/// Another list gets a row of one whose rows are kept as tuples are: where something is stored into such, they are lists of
/// their own when the function is lowered once more.
void Lowering::noteRowShared() {
  if (!std::exchange(listStates_.areRowsShared, true)) listStates_.haveChanged |= listStates_.areRowsStored;
}

/// A list that changes may be one in a list: all of these are in one memory when the function is lowered once more.
void Lowering::nestEverywhere() {
  if (!listStates_.isNestedEverywhere) listStates_.haveChanged = listStates_.isNestedEverywhere = true;
}

/// It gets a list that changes: it is made so when the function is lowered once more. False where that does not help.
bool Lowering::becomesNested(uint64_t made) {
  if (const auto of = listStates_.rowsOf.find(made); of != listStates_.rowsOf.end()) made = of->second;
  if (!made || !listStates_.nested.insert(made).second) return false;
  listStates_.haveChanged = true;
  return true;
}

//===--- making ----------------------------------------------------------------------------------------------===//

/// A list that grows, of what is put into it elsewhere.
std::optional<ListValue> Lowering::partOfRows(const std::string& name, uint64_t made, Span where) {
  ListValue part;
  part.made = made;
  part.isKept = true;
  if (const auto tuples = changeableTuples(name, part, Value{TupleValue{{}, true}}, true, where))
    return tuples->as<ListValue>() ? std::optional(*tuples->as<ListValue>()) : std::nullopt;
  const std::optional<Scalar> state = stateOf(part);
  return growingList(name, part, {emptyArray(state ? state->type() : DType::F64)}, where);
}

/// By what the states of what is in the lists of a list of lists are found.
static uint64_t itemsMade(uint64_t made) { return made | uint64_t(5) << 44; }

/// changeable() of a list of lists.
Value Lowering::nestedList(const std::string& name, ListValue list, const Value& v, Span where) {
  if (isDeque(v) || isSet(v))
    return error(DiagId::Unsupported, where, "a deque or a set of lists is not translated; use a list");
  std::vector<ListValue> parts;
  uint64_t number = 1;
  const auto* given = v.as<TupleValue>();
  const auto* row = given && !given->items.empty() ? given->items[0].as<ListValue>() : nullptr;
  const auto isOfThese = [&](const Value& item) {
    const auto* other = item.as<ListValue>();
    return other && other->row && other->rows == row->rows;
  };
  const auto sharing = listStates_.sharing.find(itemsMade(list.made));
  const auto shared = sharing == listStates_.sharing.end() ? rows_.end() : rows_.find(sharing->second);
  const auto others = row && row->row && std::ranges::all_of(given->items, isOfThese) ? row->rows
                      : shared != rows_.end()                                         ? shared->second
                                                                                      : nullptr;
  if (others) { // lists that others have: they share these
    ListValue numbers;
    numbers.made = list.made | number << 44;
    if (!putState(numbers, Scalar{ir::intConst(0), true}, where)) return Value{};
    const std::optional<ListValue> made = partOfRows(hintOf(name), numbers.made, where);
    if (!made) return Value{};
    const NestedValue sharer{*made, others};
    for (const Value& item : given ? given->items : std::vector<Value>())
      callNestedMethod(sharer, "append", {{item}, {}, where});
    if (!given) appendEach(Value{sharer}, v, where);
    return Value{sharer};
  }
  for (const char* part : {"", "_starts", "_lengths", "_rooms", "_items"}) {
    ListValue numbers;
    numbers.made = list.made | number << 44;
    if (number++ < 5 && !putState(numbers, Scalar{ir::intConst(0), true}, where)) return Value{};
    const std::optional<ListValue> made = partOfRows(hintOf(name) + part, numbers.made, where);
    if (!made) return Value{};
    parts.push_back(*made);
  }
  const NestedValue made{parts[0],
                         std::make_shared<const ListRows>(ListRows{parts[1], parts[2], parts[3], parts[4],
                                                                   listStates_.arrayRows.count(list.made) > 0,
                                                                   listStates_.ofSets.count(list.made) > 0})};
  rows_[itemsMade(list.made)] = made.rows;
  const auto* t = v.as<TupleValue>();
  for (const Value& item : t ? t->items : std::vector<Value>())
    callNestedMethod(made, "append", {{item}, {}, where});
  const auto* l = v.as<ListValue>();
  if (l && (l->like ? isList(*l->like) : l->values.shape.size() > 1))
    appendCopies(made, v, where);
  else if (!t)
    appendEach(Value{made}, v, where);
  return Value{made};
}

/// The lists are nobody else's: what is in each goes into one of these.
void Lowering::appendCopies(const NestedValue& to, const Value& lists, Span where) {
  const auto named = [&](const char* id) { return ast::make(where, ast::Name{id}); }; // no names of Python's
  const ast::Expr copy = ast::make(where, ast::Call{named("list()"), {named("row of list")}, {}});
  writtenOut_.push_back({ast::makeStmt(
      where, ast::ExprStmt{ast::make(
                 where, ast::Comprehension{copy, {{named("row of list"), named("lists()"), {}}}, true})})});
  env()["list()"] = Value{Callable{"list"}};
  const GeneratorValue copies{writtenOut_.back()[0].as<ast::ExprStmt>()->value,
                              std::make_shared<const Value>(lists)};
  appendEach(Value{to}, Value{copies}, where);
  env().erase("list()");
}

/// The list of that number, which changes with all that have it.
ListValue Lowering::rowList(const std::shared_ptr<const ListRows>& rows, const Expr& number) {
  const Expr row = isStable(number) ? number : materialize(number, "row");
  const Expr start = rows->starts.values.at({row}), length = rows->lengths.values.at({row});
  const auto within = [&](const ListValue& all) {
    ListValue part = all;
    part.values = remapped(all.values, {length}, [start](Indices i) {
      i[0] = ir::add(start, i[0]);
      return i;
    });
    part.length = Symbol();
    part.isKept = true;
    part.rows = rows;
    part.row = row;
    part.isSet = rows->areSets;
    return part;
  };
  ListValue list = within(rows->items);
  for (ListValue& part : list.fields) part = within(part);
  if (!list.fields.empty()) list.values = list.fields[0].values;
  return list;
}

NestedValue Lowering::withNumbers(const NestedValue& list, const ListValue& numbers) const {
  return {numbers, list.rows};
}

/// A function of _rows.py.
Value Lowering::callOnRow(const std::string& name, const ListValue& row, const Values& more, Span where) {
  const ListRows& rows = *row.rows;
  const bool isAppended = name == "append";
  if (isAppended && !more[0].as<Scalar>() && !isTupleOfNumbers(more[0]))
    return error(DiagId::Unsupported, where, fmt::format(kRows, "lists of " + describe(more[0])));
  Values given{Value{rows.starts}, Value{rows.lengths}};
  if (isAppended) given.push_back(Value{rows.rooms});
  given.push_back(Value{rows.items});
  given.push_back(Value{Scalar{row.row, true}});
  given.insert(given.end(), more.begin(), more.end());
  return callLibrary(*libraryFunctionAt("_rows_" + name), Arguments{given, {}, where});
}

/// Loops that are open may run over it. Reports it, or has the call do so.
bool Lowering::mayChangeRow(const ListValue& row, Span where) {
  if (std::ranges::any_of(loops_, isShared)) {
    if (openLoops("a list changes its length in order")) return false;
    error(DiagId::Unsupported, where,
          "a list changes its length in order, and the loop's iterations run in any");
    return false;
  }
  for (const ListValue& open : openRows_) {
    if (open.rows != row.rows) continue;
    if (open.row == row.row) {
      error(DiagId::Unsupported, where,
            "the list that the loop runs over changes its length in it; run over `list(...)` of it");
      return false;
    }
    require(ir::binary(ir::BinaryOp::Ne, open.row, row.row), "NotImplementedError",
            "a list changes its length in a loop over it; run over list(...) of it");
  }
  return true;
}

//===--- lists with a name that are put in: copies of which nothing may differ afterwards --------------------===//

/// Of what a list has, and of its length where that is memory.
std::set<Symbol> Lowering::putMemoryOf(const Value& list) const {
  std::set<Symbol> memory;
  const std::function<void(const ListValue&)> add = [&](const ListValue& l) {
    for (const ListValue& part : l.fields) add(part);
    if (l.fields.empty() && l.values.view) memory.insert(l.values.view->buffer.name);
    if (l.row) memory.insert(l.rows->lengths.values.view->buffer.name);
  };
  if (const auto* l = list.as<ListValue>()) add(*l);
  if (const auto* rows = list.as<NestedValue>())
    for (const ListValue* part : {&rows->rows->items, &rows->rows->lengths}) add(*part);
  return memory;
}

/// A change of a list's items or its length.
void Lowering::noteListChange(const ir::Stmt& s) {
  if (s.is<ir::For>() || s.is<ir::While>() || s.is<ir::If>() || s.is<ir::Block>())
    return; // noted by its parts
  std::set<Symbol> changed = ir::storedBuffers(s);
  if (const auto* length = s.as<ir::Assign>())
    if (const auto list = growing_.find(length->var); list != growing_.end())
      changed.insert(list->second.buffer);
  for (const Symbol& memory : changed) {
    if (!listMemory_.count(memory)) continue;
    if (put_.count(memory) && !std::exchange(listStates_.isPutForGood, true)) listStates_.haveChanged = true;
    for (size_t k = loopsOf(memory); k < loops_.size(); ++k) changedInLoops_[memory].insert(loops_[k].index);
  }
}

/// From now on there are a list and a copy of it.
void Lowering::notePut(const std::set<Symbol>& memory) {
  for (const Symbol& m : memory) {
    put_.insert(m);
    const std::set<Symbol>& changing = changedInLoops_[m]; // which come here again
    if (std::ranges::any_of(loops_, [&](const ir::For& loop) { return changing.count(loop.index) > 0; }) &&
        !std::exchange(listStates_.isPutForGood, true))
      listStates_.haveChanged = true;
  }
}

/// The one list is what the other one is: so that in Python it is the one that has been put in, too.
void Lowering::noteCopied(const Value& from, const Value& to) {
  if (std::ranges::any_of(putMemoryOf(from), [&](const Symbol& m) { return put_.count(m) > 0; }))
    notePut(putMemoryOf(to));
}

/// The number of a list that is put in: that of one which these lists have already, or of a copy, if nobody else has it, or
/// neither changes afterwards.
std::optional<Scalar> Lowering::numberOfRow(const NestedValue& list, const Value& item, Span where) {
  const auto* l = item.as<ListValue>();
  const auto* t = item.as<TupleValue>();
  if (item.isError()) return std::nullopt;
  if (list.rows->areArrays) return numberOfArray(list, item, where);
  if (t && t->isRow) noteRowShared();
  if (l && l->rows == list.rows && l->row) return Scalar{l->row, true};
  if ((!l && !(t && t->isList)) || isDeque(item) || isSet(item) != list.rows->areSets || isTuple(item) ||
      (l && (l->hasViews || l->values.shape.size() > 1))) {
    error(DiagId::Unsupported, where, fmt::format(kRows, describe(item)));
    return std::nullopt;
  }
  std::vector<std::string> names; // which are the list itself in Python
  const std::function<bool(const Value&)> holdsIt = [&](const Value& v) {
    const auto* i = v.as<IteratorValue>();
    const auto* m = v.as<Method>();
    return isSame(v, item) || std::ranges::any_of(heldParts(v), holdsIt) ||
           (i && std::ranges::any_of(i->parts, holdsIt)) || (m && holdsIt(*m->self));
  };
  const auto hasIt = [&](const auto& other) { return l && l->isKept && holdsIt(other.second); };
  for (const auto& other : env())
    if (hasIt(other)) names.push_back(other.first);
  const bool isElsewhere = std::any_of(frames_.begin(), frames_.end() - 1,
                                       [&](const Frame& f) { return std::ranges::any_of(f.env, hasIt); });
  const bool isPart = // a row of a list of lists that are as long as each other
      l && l->isKept && !l->row && !l->like && !l->length && l->values.view && !l->values.view->whole;
  const bool isKnownElsewhere = isElsewhere || isPart || (l && l->row) || (t && t->isKept);
  if (l && l->row && listStates_.isPutForGood &&
      listStates_.sharing.emplace(list.rows->items.made, l->rows->items.made).second) {
    listStates_.haveChanged = true;
    return std::nullopt;
  }
  if (isKnownElsewhere && listStates_.isPutForGood) {
    error(DiagId::Unsupported, where,
          "this list has a name, and would be one with the one that is put in; put in `list(...)` of it");
    return std::nullopt;
  }
  const ListRows& rows = *list.rows;
  const Replacing here(replacing_);
  const Value number = callLibrary(
      *libraryFunctionAt("_rows_new"),
      Arguments{{Value{rows.starts}, Value{rows.lengths}, Value{rows.rooms}, Value{rows.items}}, {}, where});
  const auto* s = number.as<Scalar>();
  if (!s) return std::nullopt;
  ListValue row = rowList(list.rows, s->e);
  row.isSet = false;
  extend(row, withoutSet(item), where);
  if (listStates_.isPutForGood) {
    for (const std::string& name : names)
      lose(name, "has been put into a list of lists, where it changes with that; take it from there");
  } else if (isKnownElsewhere || !names.empty()) {
    notePut(putMemoryOf(item));
    notePut(putMemoryOf(Value{list}));
  }
  return Scalar{row.row, true};
}

//===--- reading and changing --------------------------------------------------------------------------------===//

/// `rows[i]`, `rows[1:]`
Value Lowering::nestedItem(const NestedValue& list, const std::vector<ast::Expr>& index, Span where) {
  const Value found = listItem(list.numbers, index, where);
  if (const auto* numbers = found.as<ListValue>()) return Value{withNumbers(list, *numbers)};
  const auto* s = found.as<Scalar>();
  return s ? rowValue(list.rows, s->e) : Value{};
}

/// Is it a name, or a field, of such a list?
bool Lowering::isNestedName(const ast::Expr& e) {
  const auto* name = e.as<ast::Name>();
  const auto found = name ? env().find(name->id) : env().end();
  const Value outer = name && found == env().end() && frame().around > 0
                          ? enclosingName(name->id, e->span).value_or(Value{})
                          : Value{};
  if (const Value& held = found != env().end() ? found->second : outer; !held.isError())
    return held.as<NestedValue>() || (tableIn(held) && hasRows(*tableIn(held)));
  return fieldAt(e) && eval(e).as<NestedValue>();
}

/// `rows[i] += [...]`, of sets `rows[i] |= s`; false where the target is none of such a list.
bool Lowering::updatesRow(const ast::AugAssign& s, Span span) {
  const auto* part = s.target.as<ast::Subscript>();
  const std::string method = updateOfSet(s.op);
  if (!part || (s.op != ast::BinaryOp::Add && method.empty()) || !isNestedName(part->base)) return false;
  const Value of = eval(s.target);
  const auto* row = of.as<ListValue>();
  if (!row || isSet(of) == method.empty()) return false;
  if (method.empty())
    extend(*row, eval(s.value), span);
  else
    callSetMethod(of, method, {{eval(s.value)}, {}, span});
  return true;
}

/// `rows[i] = [...]`; false where the target is none of such a list.
bool Lowering::storeRow(const ast::Expr& target, const std::function<Value()>& item) {
  const auto* s = target.as<ast::Subscript>();
  if (!s || s->index.size() != 1 || s->index[0].is<ast::Slice>() || !isNestedName(s->base)) return false;
  const Value of = eval(s->base);
  const auto* nested = of.as<NestedValue>();
  if (!nested) return false;
  const NestedValue list = *nested;
  const std::optional<Scalar> number = numberOfRow(list, item(), target->span);
  const std::optional<Array> place = number ? listPlace(list.numbers, s->index, target->span) : std::nullopt;
  if (place) putInto(*place, Value{*number}, target->span);
  return true;
}

Value Lowering::callNestedMethod(const NestedValue& self, const std::string& name, const Arguments& args) {
  const bool puts = name == "append" || name == "insert";
  const bool isPlain =
      args.keywords.empty() && args.positional.size() == (puts ? name == "insert" ? 2U : 1U : 0U);
  if (puts && isPlain) {
    const std::optional<Scalar> number = numberOfRow(self, args.positional.back(), args.where);
    Arguments all = args;
    if (number) all.positional.back() = Value{*number};
    return number ? callListMethod(Value{self.numbers}, name, all) : Value{};
  }
  if (name == "extend" && args.positional.size() == 1) {
    if (const auto* t = args.positional[0].as<TupleValue>();
        t && !t->isKept) { // of lists that nothing else has
      for (Value item : t->items) {
        if (auto* row = std::get_if<TupleValue>(&item.v)) row->isKept = false;
        if (callNestedMethod(self, "append", {{item}, {}, args.where}).isError()) return Value{};
      }
      return Value{NoneValue{}};
    }
    if (const auto* other = args.positional[0].as<NestedValue>();
        other && other->rows != self.rows && !other->numbers.isKept) { // likewise: their items move
      appendCopies(self, args.positional[0], args.where);
      return Value{NoneValue{}};
    }
    appendEach(Value{self}, args.positional[0], args.where);
    return Value{NoneValue{}};
  }
  if (name == "sort" && args.positional.empty()) {
    const Value* key = nullptr;
    bool isReversed = false;
    for (const auto& [word, value] : args.keywords)
      if (word == "key")
        key = &value;
      else
        isReversed |= constantArgument(value).value_or(0) != 0;
    const Value sorted = orderedRows(self, key, isReversed, args.where);
    if (const auto* rows = sorted.as<NestedValue>()) store(elementsOf(self.numbers), rows->numbers.values);
    return sorted.isError() ? sorted : Value{NoneValue{}};
  }
  if (name == "delete" && args.positional.size() == 1) {
    if (mayGrow(self.numbers, args.where))
      callListFunction(name, {Value{self.numbers}, args.positional[0]}, args.where);
    return Value{};
  }
  if (name == "pop" || name == "reverse" || name == "clear" || name == "copy") {
    const Value done = callListMethod(Value{self.numbers}, name, args);
    if (const auto* s = done.as<Scalar>(); s && name == "pop") return rowValue(self.rows, s->e);
    const auto* copy = done.as<ListValue>();
    return copy ? Value{withNumbers(self, *copy)} : done;
  }
  return error(
      DiagId::Unsupported, args.where,
      fmt::format("`.{}` of a list of lists that change is not translated; `append`, `extend`, `insert`, "
                  "`pop`, `sort(key=...)`, `reverse`, `copy` and `clear` are",
                  name));
}

/// As `sorted(rows, key=...)`.
Value Lowering::orderedRows(const NestedValue& list, const Value* key, bool isReversed, Span where) {
  if (!key || key->as<NoneValue>()) {
    const ListRows& rows = *list.rows;
    if (rows.items.like || !stateOf(rows.items))
      return error(
          DiagId::Unsupported, where,
          "lists of lists of tuples are sorted by a key here, `key=len` or `key=lambda row: row[0]`");
    const Value order = callListFunction("rows_order",
                                         {Value{list.numbers}, Value{rows.starts}, Value{rows.lengths},
                                          Value{rows.items}, Value{Scalar{ir::boolConst(isReversed), true}}},
                                         where);
    const auto* found = order.as<ListValue>();
    return found ? Value{withNumbers(list, reordered(list.numbers, elementsOf(*found)))} : Value{};
  }
  const std::optional<ListValue> keys = keysOf(Value{list}, key, where);
  const std::optional<Array> order = keys ? orderOf(*keys, isReversed, where) : std::nullopt;
  return order ? Value{withNumbers(list, reordered(list.numbers, *order))} : Value{};
}

/// How the wrapper makes the list that is returned: how many each has, and all items one after the other.
ir::Form Lowering::formOfRows(const NestedValue& list, Names& seen, Values& values) {
  ir::Form form;
  form.kind = ir::Form::Zipped;
  form.type = "rows";
  if (!seen.insert(fmt::format("list {}", list.numbers.values.view->buffer.name.id())).second)
    error(DiagId::Unsupported, statement_,
          "the list is returned twice, which is one list in Python; return it once");
  const ListRows& rows = *list.rows;
  if (rows.areSets)
    error(DiagId::Unsupported, statement_,
          "sets in lists and dicts are not returned; return `sorted(s)` of each");
  // Each is a call of its own, by which the states of the library's lists are found.
  const Span where{statement_.begin + 1 + static_cast<uint32_t>(values.size()), statement_.end};
  const bool isFilled = rows.items.like || stateOf(rows.items);
  const Value lengths = callListFunction("rows_lengths", {Value{list.numbers}, Value{rows.lengths}}, where);
  const Value items =
      isFilled ? callListFunction(
                     "rows_items",
                     {Value{list.numbers}, Value{rows.starts}, Value{rows.lengths}, Value{rows.items}}, where)
               : Value{TupleValue{{}, true}};
  if (lengths.isError() || items.isError()) return form;
  const auto* all = items.as<ListValue>();
  const Value given = all && rows.areArrays ? Value{elementsOf(*all)} : items;
  for (const Value& part : {lengths, given}) form.parts.push_back(formOf(part, seen, values));
  return form;
}

} // namespace appyc::sema
