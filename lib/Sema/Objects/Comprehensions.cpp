//===- Comprehensions.cpp - lists that loops make, generators that builtins fold ---------------------------===//
//   np.array([f(y) for y in a])     =>   list = memory of len(a) elements, of the type that f(y) has
//                                        for k, y in enumerate(a): list[k] = f(y)
//   sum(y * y for y in a)           =>   total = 0
//                                        for y in a: total = total + y * y
// The loops are made as syntax and lowered as those that the program has, so that they run in Python's order and are
// judged as others. The names that a comprehension binds are its own. Over a few items that are known at translation
// a list is written out, and its items may be of any kinds.
#include "Arguments.h"
#include "ExprParts.h"
#include "Items.h"
#include "Message.h"
#include "Steps.h"
#include <ranges>

namespace appyc::sema {

using ast::make;
using ast::makeStmt;

static void addNames(const ast::Expr& target, std::set<std::string>& names) {
  if (const auto* n = target.as<ast::Name>()) names.insert(n->id);
  if (const auto* t = target.as<ast::Tuple>())
    for (const ast::Expr& item : t->items) addNames(item, names);
}

/// Lowers `fn` with names of the comprehension's own, of which the function sees nothing afterwards.
Value Lowering::inOwnScope(const ast::Comprehension& c, const std::function<Value()>& fn) {
  std::set<std::string> names;
  for (const ast::Clause& clause : c.clauses) addNames(clause.target, names);
  frame().hidden.insert(names.begin(), names.end());
  const Env saved = env();
  for (const std::string& name : names) {
    env().erase(name);
    env().boundIf.erase(name);
    env().lost.erase(name);
  }
  const ast::Body loop =
      loopsAround(c.clauses, 0, {makeStmt(c.element->span, ast::ExprStmt{c.element})}, {}, {});
  const std::set<std::string> once = namesReadOnce(*loop[0].as<ast::For>()), outer = readOnce_;
  readOnce_.insert(once.begin(), once.end());
  Value result = fn();
  readOnce_ = outer;
  for (const std::string& name : names) {
    frame().hidden.extract(name);
    env().erase(name);
    env().boundIf.erase(name);
    env().lost.erase(name);
    if (auto it = saved.find(name); it != saved.end()) env()[name] = it->second;
    if (auto it = saved.boundIf.find(name); it != saved.boundIf.end()) env().boundIf.insert(*it);
    if (auto it = saved.lost.find(name); it != saved.lost.end()) env().lost.insert(*it);
  }
  return result;
}

/// A name that nothing in the function has.
std::string Lowering::unusedName(const std::string& base) {
  std::string name = base;
  for (int k = 2; env().count(name) || frame().names.count(name); ++k) name = fmt::format("{}_{}", base, k);
  frame().names[name].assignments = 2; // a variable, whatever it holds at first
  return name;
}

void Lowering::forgetName(const std::string& name) {
  env().erase(name);
  frame().names.erase(name);
}

//===--- loops ------------------------------------------------------------------------------------------===//

ast::Body loopsAround(const std::vector<ast::Clause>& clauses, size_t k, ast::Body body,
                      const ast::Expr& unless, Span leaves) {
  const ast::Clause& clause = clauses[k];
  if (k + 1 < clauses.size()) body = loopsAround(clauses, k + 1, std::move(body), unless, leaves);
  const Span where{clause.target->span.begin, clauses.back().iter->span.end};
  for (auto condition = clause.conditions.rbegin(); condition != clause.conditions.rend(); ++condition)
    body = {makeStmt((*condition)->span, ast::If{*condition, std::move(body), {}})};
  return {makeStmt(where, ast::For{clause.target, clause.iter, std::move(body), {}, {}, unless, leaves})};
}

/// Runs the loop over what its first `for` runs over, which has been evaluated.
void Lowering::lowerClauses(const ast::Body& loop, const Value& over) {
  writtenOut_.push_back(loop); // nodes that states are kept for
  const ast::Stmt& s = writtenOut_.back().front();
  const auto& f = *s.as<ast::For>();
  const Span outer = std::exchange(statement_, s->span);
  const auto* range = over.as<RangeValue>();
  const auto* target = f.target.as<ast::Name>();
  if (range && target) {
    RangeValue fixed = *range;
    fixRange(fixed, f.iter->span);
    lowerLoop(f, fixed, s->span, target->id, {}, nullptr);
  } else {
    lowerForEach(f, over, s->span);
  }
  statement_ = outer;
}

/// Does it bind a name, `(y := f(x)) > 0`?
static bool hasWalrus(const ast::Expr& e) {
  return e.is<ast::Walrus>() || std::ranges::any_of(partsOf(e), hasWalrus);
}

static int assignmentsOf(const Symbol& name, const ir::Stmt& in) {
  int found = 0;
  ir::visit(in, [&](const ir::Stmt& s) {
    const auto* a = s.as<ir::Assign>();
    found += a && a->var == name;
    return true;
  });
  return found;
}

/// What an element of the list is in the loops, whose statements are not kept, and how many each makes.
std::optional<ListValue> Lowering::probedList(const std::vector<ast::Clause>& clauses,
                                              const ast::Expr& element, const Value& over, bool isSifted,
                                              uint64_t outer) {
  const Symbol newest("now");
  const auto isOutside = [&](const Expr& e) {
    const std::set<Symbol> vars = ir::freeVars(e);
    return !ir::readsMemory(e) &&
           std::none_of(vars.begin(), vars.end(), [&](const Symbol& s) { return newest < s; });
  };
  const Env saved = env();
  const size_t buffers = out_.buffers.size();
  std::optional<ListValue> found(std::in_place);
  loopLists_.push_back(lists_.size());
  lists_.emplace_back();
  size_t opened = 0;
  Value now;
  const auto refuse = [&](Span where, std::string text) {
    error(DiagId::Unsupported, where, std::move(text));
    found.reset();
  };
  // A row is as long as the first one; where that is not known, the call says so.
  std::vector<std::pair<Expr, Expr>> mayDiffer;
  const auto withoutNames = [&](Expr extent) { // of bounds that have names, which nothing else changes
    const ir::Stmt all = ir::block(lists_.back());
    for (const ir::Stmt& s : std::ranges::reverse_view(lists_.back()))
      if (const auto* a = s.as<ir::Assign>(); a && newest < a->var && assignmentsOf(a->var, all) == 1)
        extent = ir::substitute(extent, {{a->var, a->value}});
    return extent;
  };
  Expr countOfFirst;
  const auto lengthOfRows = [&](const Expr& given) -> Expr {
    const Expr extent = withoutNames(given);
    if (isOutside(extent)) return extent;
    const Expr first = ir::substitute(extent, {{loops_.back().index, ir::intConst(0)}});
    if (opened != 1 || !isOutside(first) || differsFromStepToStep(extent, loops_.back().index, countOfFirst))
      return {};
    mayDiffer.emplace_back(extent, first);
    return first;
  };
  Symbol step;
  // Bounds of the first loop are asked before it: their statements stay.
  std::optional<Steps> first = stepsOf(iterated(over), clauses[0].iter->span);
  if (first) countOfFirst = first->count, first->count = stable(first->count);
  collect([&] {
    for (const ast::Clause& clause : clauses) {
      if (opened > 0) now = notAhead(eval(clause.iter), clause.iter->span);
      std::optional<Steps> steps = opened == 0     ? first
                                   : now.isError() ? std::nullopt
                                                   : stepsOf(iterated(now), clause.iter->span);
      if (!steps) return found.reset();
      if (opened > 0 && !isOutside(steps->count)) steps->count = withoutNames(steps->count);
      const bool isKnown = opened == 0 || isOutside(steps->count);
      if (!isKnown && (isSifted ? becomesGrown(outer) : becomesNested(outer))) return found.reset();
      if (!isKnown)
        return refuse(clause.iter->span,
                      "the rows of this list differ in length, or may do so; an array has rows of one");
      found->values.shape.push_back(steps->count);
      ir::For loop;
      loop.index = Symbol("k");
      loop.lo = ir::intConst(0), loop.hi = steps->count, loop.step = ir::intConst(1);
      loops_.push_back(loop);
      ++opened;
      bindItem(clause.target, steps->item(ir::var(loop.index)));
      for (const ast::Expr& condition : clause.conditions) // whose names the element may read
        if (hasWalrus(condition)) evalCondition(condition);
    }
    const Value v = storedText(eval(element));
    if (v.isError()) return found.reset();
    const auto* list = v.as<TupleValue>();
    if (list && list->isList && !list->isSet && (list->items.empty() || listStates_.isNestedEverywhere) &&
        becomesNested(outer))
      return found.reset();
    const auto* row = v.as<ListValue>();
    const bool isRow = row && !row->hasViews && !row->length && !row->isKept;
    if (const auto* s = v.as<Scalar>()) {
      found->made = element->span.begin;
      if (!listStates_.joined.count(found->made)) // nobody else puts numbers in
        listStates_.states[found->made] = keptIn(*s, ir::var(Symbol("item"), s->type()));
      if (!putState(*found, *s, element->span)) return found.reset();
      found->values.type = stateOf(*found)->type();
      found->isWeak = stateOf(*found)->weak;
      if (opened > 1) listStates_.rowsOf[found->made] = outer;
    } else if (isTupleOfNumbers(v) && (isSifted || clauses.size() == 1)) {
      const std::vector<Value> parts = partsOf(v);
      found->like = std::make_shared<const Value>(emptied(v));
      found->made = element->span.begin;
      for (size_t k = 0; k < parts.size(); ++k) {
        const auto* number = parts[k].as<Scalar>();
        ListValue part;
        part.made = madeAs(found->made, k);
        part.values.type = number->type();
        listStates_.states[part.made] = keptIn(*number, ir::var(Symbol("item"), number->type()));
        found->fields.push_back(part);
      }
    } else if (isRow && row->isTuple) {
      refuse(element->span,
             "a list of tuples of which the run tells the length is not translated; make lists of "
             "them, `list(row)`");
    } else if (isRow && row->like && row->like->as<OptionalValue>()) {
      refuse(element->span,
             "a table of None is not translated; write a number that does not occur, `[[-1] * m for i in "
             "range(n)]`, or `np.full((n, m), np.nan)`");
    } else if (isRow && row->like && becomesNested(outer)) { // of tuples
      found.reset();
    } else if (isRow) { // a list of lists
      found->values.type = row->values.type;
      found->isWeak = row->isWeak;
      found->made = row->made;
      for (const Expr& extent : row->values.shape) {
        if (!isOutside(extent))
          return becomesNested(outer)
                     ? found.reset()
                     : refuse(element->span, "the rows of this list differ in length, or may do so");
        found->values.shape.push_back(extent);
      }
    } else if (const auto* a = v.as<Array>(); a && !a->symbolic) {
      found->values.type = a->type;
      step = loops_.back().index;
      for (const Expr& each : a->shape) {
        const Expr extent = lengthOfRows(each);
        if (!extent && becomesRowsOfArrays(outer, *a)) return found.reset();
        if (!extent)
          return refuse(element->span,
                        "the rows of this list differ in length, or may do so; an array has rows of one");
        found->values.shape.push_back(extent);
      }
      found->hasViews = true;
    } else if (becomesPooled(v) || (isList(v) && !isDeque(v) && becomesNested(outer))) {
      if (isSet(v)) listStates_.ofSets.insert(outer);
      found.reset();
    } else {
      refuse(
          element->span,
          fmt::format("a list that a loop makes holds numbers of one kind, tuples of such, or arrays, not {}",
                      describe(v)));
    }
  });
  for (; opened > 0; --opened) loops_.pop_back();
  std::vector<ir::Stmt> before = std::move(lists_.back()); // what is asked before the first loop stays
  lists_.pop_back();
  loopLists_.pop_back();
  lists_.back().insert(lists_.back().end(), before.begin(), before.end());
  out_.buffers.erase(out_.buffers.begin() + static_cast<std::ptrdiff_t>(buffers), out_.buffers.end());
  env() = saved;
  for (const auto& [each, length] : mayDiffer) {
    Array same;
    same.type = DType::Bool;
    same.shape = {first->count};
    same.at = [each, length, step](const Indices& i) {
      return ir::binary(ir::BinaryOp::Eq, ir::substitute(each, {{step, i[0]}}), length);
    };
    const Value all = callNamed("numpy.all", {{Value{same}}, {}, statement_});
    if (const auto* s = all.as<Scalar>())
      require(materialize(truth(s->e), "same"), "NotImplementedError",
              Message("the rows of this list differ in length"));
  }
  return found;
}

/// Does the expression read a name that one of the first clauses binds?
static bool readsNamesOf(const ast::Expr& e, const std::vector<ast::Clause>& clauses, size_t count) {
  std::set<std::string> names;
  for (size_t k = 0; k < count; ++k) addNames(clauses[k].target, names);
  const std::set<std::string> read = exposedNames({makeStmt(e->span, ast::ExprStmt{e})});
  return std::ranges::any_of(names, [&](const std::string& name) { return read.count(name) > 0; });
}

/// `[element for target in over]` in memory. With conditions, or several `for`, a number counts what is in it so far.
Value Lowering::storedList(const ast::Comprehension& c, const Value& over, Span where) {
  const bool isNamed = std::exchange(namesList_, false);
  // Lists of lists are arrays of several dimensions.
  std::vector<ast::Clause> clauses = c.clauses;
  ast::Expr element = c.element;
  const bool isSifted = clauses.size() > 1 || !clauses[0].conditions.empty();
  const auto isRow = [](const ast::Comprehension* row) {
    return row && row->isList && row->clauses.size() == 1 && row->clauses[0].conditions.empty();
  };
  while (!isSifted && isRow(element.as<ast::Comprehension>())) {
    const ast::Comprehension inner = *element.as<ast::Comprehension>();
    clauses.push_back(inner.clauses[0]);
    element = inner.element;
  }
  const uint64_t outer = madeAt(c.element->span);
  if (listStates_.nested.count(outer) || listStates_.grown.count(outer)) return grownList(c, over);
  for (size_t k = 1; isSifted && k < clauses.size(); ++k)
    if (readsNamesOf(clauses[k].iter, clauses, k)) return grownList(c, over);
  std::optional<ListValue> list = probedList(clauses, element, over, isSifted, outer);
  if (!list) return Value{};
  const std::string name = unusedName("list"), counter = unusedName("position");
  std::vector<Expr>& shape = list->values.shape;
  for (size_t k = 1; isSifted && k < clauses.size(); ++k) {
    shape[0] = ir::mul(shape[0], stable(shape[1]));
    shape.erase(shape.begin() + 1);
  }
  for (size_t k = 0; k < list->fields.size(); ++k) {
    ListValue& part = list->fields[k];
    part.values = newBuffer(fmt::format("{}_{}", name, k), part.values.type, shape);
    listMemory_[part.values.view->buffer.name] = part.made;
  }
  list->values = list->like ? list->fields[0].values : newBuffer(name, list->values.type, shape);
  env()[name] = list->like ? Value{*list} : Value{list->values};
  if (list->hasViews && isNamed) {
    rowLists_.insert(list->values.view->buffer.name);
    filling_.insert(list->values.view->buffer.name);
    list->made = madeAt(where);
  }
  if (!list->like && list->made && list->values.shape.size() == clauses.size())
    listMemory_[list->values.view->buffer.name] = list->made;
  const Span at = element->span;
  const auto named = [&](const std::string& id) { return make(at, ast::Name{id}); };
  if (isSifted) {
    frame().names[counter].reads.push_back({UINT32_MAX, {}}); // read behind the loops
    assignName(counter, Value{Scalar{ir::intConst(0), true}}, where);
    const ast::Body body{
        makeStmt(at, ast::Assign{{make(at, ast::Subscript{named(name), {named(counter)}})}, element, {}}),
        makeStmt(at, ast::AugAssign{ast::BinaryOp::Add, named(counter), make(at, ast::IntLit{1}), {}})};
    lowerClauses(loopsAround(clauses, 0, body, {}, {}), over);
    filling_.erase(list->values.view->buffer.name);
    const auto* found = env()[counter].as<Scalar>();
    if (!found) return Value{};
    std::vector<Expr> filled = shape;
    filled[0] = sizeVariable(found->e, shape[0]);
    list->values = cutTo(list->values, filled);
    for (ListValue& part : list->fields) part.values = cutTo(part.values, filled);
    forgetName(counter);
    forgetName(name);
    return Value{*list};
  }
  env()["enumerate()"] = Value{Callable{"enumerate"}}; // no name of Python's
  std::vector<ast::Expr> index;
  for (size_t k = 0; k < clauses.size(); ++k) {
    ast::Clause& clause = clauses[k];
    index.push_back(named(k == 0 ? counter : unusedName("position")));
    clause.target = make(clause.target->span, ast::Tuple{{index.back(), clause.target}});
    if (k > 0)
      clause.iter = make(clause.iter->span,
                         ast::Call{make(clause.iter->span, ast::Name{"enumerate()"}), {clause.iter}, {}});
  }
  const ast::Body body{
      makeStmt(at, ast::Assign{{make(at, ast::Subscript{named(name), index})}, element, {}})};
  const Value counted{IteratorValue{IteratorValue::Enumerate, {over, Value{Scalar{ir::intConst(0), true}}}}};
  lowerClauses(loopsAround(clauses, 0, body, {}, {}), counted);
  filling_.erase(list->values.view->buffer.name);
  for (const ast::Expr& i : index) forgetName(i.as<ast::Name>()->id);
  forgetName(name);
  env().erase("enumerate()");
  return Value{*list};
}

/// A list of known items, or one in memory. A generator is run by what takes it.
Value Lowering::evalComprehension(const ast::Expr& e) {
  const auto& c = *e.as<ast::Comprehension>();
  const Span where = e->span;
  const bool capture = std::exchange(capture_, false), isNamed = std::exchange(namesList_, false);
  const bool anyOrder = std::exchange(anyOrder_, false);
  const Value given = notAhead(eval(c.clauses[0].iter), c.clauses[0].iter->span);
  const Value over = iterated(anyOrder ? withoutSet(given) : given);
  capture_ = capture;
  if (over.isError()) return over;
  if (!c.isList) return Value{GeneratorValue{e, std::make_shared<const Value>(over)}};
  namesList_ = isNamed;
  return listOf(c, over, where);
}

Value Lowering::listOf(const ast::Comprehension& c, const Value& over, Span where) {
  const bool isNamed = std::exchange(namesList_, false);
  if (isStillEmpty(over)) return Value{TupleValue{{}, true}};
  return inOwnScope(c, [&]() -> Value {
    const std::optional<std::vector<Value>> items = knownItems(over, c.clauses[0].iter->span);
    namesList_ = isNamed && !items;
    if (!items) return storedList(c, over, where);
    const size_t mark = diag_.mark(), buffers = out_.buffers.size();
    const Env before = env();
    std::optional<Values> found;
    Stmts made = collect([&] {
      Waiting elements(*this);
      if (addKnown(c, 0, *items, elements)) found = elements.values(0, elements.size());
    });
    const bool isSifted =
        std::ranges::any_of(c.clauses, [](const ast::Clause& clause) { return !clause.conditions.empty(); });
    if (!found && isSifted) { // which are taken is not known at translation
      diag_.rollback(mark);
      out_.buffers.erase(out_.buffers.begin() + static_cast<std::ptrdiff_t>(buffers), out_.buffers.end());
      env() = before;
      return storedList(c, over, where);
    }
    for (ir::Stmt& s : made) emit(std::move(s));
    if (!found || isFieldChanged(fieldsIn(before), where)) return Value{};
    return Value{TupleValue{*found, true}};
  });
}

/// The list of a generator's elements.
Value Lowering::listOfGenerator(const GeneratorValue& g) {
  return listOf(*g.generator.as<ast::Comprehension>(), *g.over, g.generator->span);
}

/// `for x in (f(y) for y in a)`, where no name of the generator is one of the function's: the loop runs over what the
/// generator does.
bool Lowering::lowerOverGenerator(const ast::For& s, const GeneratorValue& g) {
  const auto& c = *g.generator.as<ast::Comprehension>();
  std::set<std::string> names;
  for (const ast::Clause& clause : c.clauses) addNames(clause.target, names);
  const bool isApart = std::ranges::none_of(
      names, [&](const std::string& name) { return env().count(name) > 0 || frame().names.count(name) > 0; });
  if (!isApart || s.directive.mark != ast::LoopMark::None) return false;
  ast::Body body{makeStmt(s.target->span, ast::Assign{{s.target}, c.element, {}})};
  body.insert(body.end(), s.body.begin(), s.body.end());
  lowerClauses(loopsAround(c.clauses, 0, std::move(body), s.unless, s.leaves), *g.over);
  for (const std::string& name : names) {
    env().boundIf.erase(name);
    forgetName(name);
  }
  return true;
}

//===--- folds ------------------------------------------------------------------------------------------===//

/// Runs the generator; `body` is what is done with each element. `name` is what it changes.
Value Lowering::foldedBy(const GeneratorValue& g, const std::string& name, const ast::Body& body,
                         const ast::Expr& unless, Span leaves) {
  const auto& c = *g.generator.as<ast::Comprehension>();
  return inOwnScope(c, [&]() -> Value {
    const int errors = diag_.errorCount();
    lowerClauses(loopsAround(c.clauses, 0, body, unless, leaves), *g.over);
    const auto found = env().find(name);
    if (diag_.errorCount() > errors || found == env().end()) return Value{};
    return found->second;
  });
}

/// The elements where it is known at translation which there are, and some are no numbers.
std::optional<Lowering::Values> Lowering::knownElements(const GeneratorValue& g) {
  const auto& c = *g.generator.as<ast::Comprehension>();
  const size_t mark = diag_.mark(), buffers = out_.buffers.size();
  const Env before = env();
  std::optional<Values> found;
  Stmts made = collect([&] {
    inOwnScope(c, [&]() -> Value {
      const std::optional<Values> items = knownItems(*g.over, c.clauses[0].iter->span);
      Waiting elements(*this);
      if (items && addKnown(c, 0, *items, elements)) found = elements.values(0, elements.size());
      return Value{};
    });
  });
  if (found && std::ranges::all_of(*found, [](const Value& v) { return v.as<Scalar>() != nullptr; }))
    found.reset();
  if (!found) {
    diag_.rollback(mark);
    out_.buffers.erase(out_.buffers.begin() + static_cast<std::ptrdiff_t>(buffers), out_.buffers.end());
    env() = before;
    return std::nullopt;
  }
  for (ir::Stmt& s : made) emit(std::move(s));
  return found;
}

/// start + element + element ...
Value Lowering::sumOf(const GeneratorValue& g, const Value& start, Span where) {
  if (const std::optional<Values> items = knownElements(g)) {
    Value total = start;
    for (const Value& item : *items) total = binary(ast::BinaryOp::Add, total, item, where);
    return total;
  }
  const std::string total = unusedName("total");
  frame().names[total].reads.push_back({UINT32_MAX, {}}); // read behind the loop
  assignName(total, start, where);
  const ast::Expr element = g.generator.as<ast::Comprehension>()->element;
  const Span at = element->span;
  const ast::Expr name = make(at, ast::Name{total});
  const Value sum = foldedBy(
      g, total,
      {makeStmt(at, ast::Assign{{name}, make(at, ast::Binary{ast::BinaryOp::Add, name, element}), {}})}, {},
      {});
  forgetName(total);
  return sum;
}

/// May the statement do anything but change variables that are younger than `begin`?
static bool hasEffects(const std::vector<ir::Stmt>& made, const Symbol& begin) {
  bool found = false;
  for (const ir::Stmt& s : made)
    ir::visit(s, [&](const ir::Stmt& inner) {
      const auto* changed = inner.as<ir::Assign>();
      found |= changed && changed->var < begin;
      found |= !changed && !inner.is<ir::If>() && !inner.is<ir::For>() && !inner.is<ir::Block>();
      return !found;
    });
  return found;
}

/// Does every loop read another place of memory in each step? Else nothing but a number says how far it runs.
static bool runsOverMemory(const std::vector<ir::Stmt>& made) {
  bool all = true;
  for (const ir::Stmt& s : made)
    ir::visit(s, [&](const ir::Stmt& inner) {
      const auto* loop = inner.as<ir::For>();
      if (!loop) return true;
      std::set<Symbol> changing = ir::varyingWith(*loop);
      bool reads = false;
      ir::visit(
          loop->body, [](const ir::Stmt&) { return true; },
          [&](const Expr& e) {
            if (const auto* load = e.as<ir::Load>())
              for (const Expr& i : load->index) reads |= ir::intersect(changing, ir::freeVars(i));
            return true;
          });
      all &= reads;
      return true;
    });
  return all;
}

/// any() and all() ask no element behind the one that decides: where the others could do more than be asked, or nothing but a
/// number says how many they are, the loop is left there.
Value Lowering::anyOf(const GeneratorValue& g, bool isAny, Span where) {
  const std::string name = unusedName(isAny ? "any" : "all");
  frame().names[name].reads.push_back({UINT32_MAX, {}});
  const ast::Expr element = g.generator.as<ast::Comprehension>()->element;
  const Span at = element->span;
  const ast::Expr target = make(at, ast::Name{name});
  const ast::Expr asked = isAny ? element : make(at, ast::Unary{ast::UnaryOp::Not, element});
  const ast::Body body{makeStmt(
      at, ast::If{asked, {makeStmt(at, ast::Assign{{target}, make(at, ast::BoolLit{isAny}), {}})}, {}})};
  const auto run = [&](const ast::Expr& unless, Span leaves) {
    assignName(name, Value{Scalar{ir::boolConst(!isAny), true}}, where);
    return foldedBy(g, name, body, unless, leaves);
  };
  const size_t mark = diag_.mark(), buffers = out_.buffers.size();
  const Env before = env();
  const Symbol begin("begin");
  Value found;
  std::vector<ir::Stmt> made = collect([&] { found = run({}, {}); });
  if (!found.isError() &&
      (hasEffects(made, begin) || !runsOverMemory(made) || isFieldChanged(fieldsIn(before), where))) {
    diag_.rollback(mark);
    out_.buffers.erase(out_.buffers.begin() + static_cast<std::ptrdiff_t>(buffers), out_.buffers.end());
    env() = before;
    const ast::Expr decided = isAny ? target : make(at, ast::Unary{ast::UnaryOp::Not, target});
    made = collect([&] { found = run(decided, at); });
  }
  for (ir::Stmt& s : made) emit(std::move(s));
  forgetName(name);
  return found;
}

} // namespace appyc::sema
