//===- Branches.cpp - if: what names hold, and what is returned, where its sides meet --------------------===//
#include "FirstStep.h"
#include "Leaving.h"
#include "Lowering.h"
#include "Names.h"
#include "appyc/Support/CrashReport.h"

namespace appyc::sema {

namespace {
/// May one value stand for either?
bool areAlike(const Value& a, const Value& b) {
  if (a.isError() || b.isError()) return true;
  if (isNoneSomewhere(a, b)) return mayBeNone(a) && mayBeNone(b);
  if (isStoredText(a) || isStoredText(b)) return holdsText(a) && holdsText(b);
  if (isAnyList(a) && isAnyList(b)) return isDeque(a) == isDeque(b) && isSet(a) == isSet(b);
  const auto *x = a.as<TupleValue>(), *y = b.as<TupleValue>();
  if (x && y)
    return x->type == y->type &&
           std::equal(x->items.begin(), x->items.end(), y->items.begin(), y->items.end(), areAlike);
  return a.v.index() == b.v.index();
}
} // namespace

/// Python gives what the path at hand returns; appyc one value for all paths. Reports paths of unlike kinds.
bool Lowering::returnAlike(const std::optional<Returned>& then, const std::optional<Returned>& otherwise,
                           Span cond) {
  const Value none{NoneValue{}};
  const Value &a = then ? then->value : none, &b = otherwise ? otherwise->value : none;
  if (areAlike(a, b)) return true;
  if (!frame().isUsed) return false;
  const Returned& other = then ? *then : *otherwise;
  if (then && cond.begin == cond.end) { // whether a loop has returned
    error(DiagId::TypeMismatch, then->where,
          fmt::format(
              "where this is not reached `{}` ends without `return`, which gives None, and this returns {}; "
              "return a value on every path",
              frame().function->name, describe(other.value)));
    return false;
  }
  if (!then || !otherwise) {
    error(DiagId::TypeMismatch, cond,
          fmt::format(
              "where this is {} `{}` ends without `return`, which gives None, and elsewhere it returns {}; "
              "return a value on every path",
              then ? "false" : "true", frame().function->name, describe(other.value)));
    return false;
  }
  diag_
      .report(DiagId::TypeMismatch, otherwise->where,
              fmt::format("this path of `{}` returns {}, another one {}; make them alike",
                          frame().function->name, describe(b), describe(a)))
      .note(then->where, "the other path returns here");
  return false;
}

/// What the branches return, if any does: then the rest of the function stands in the one that goes on.
std::optional<Returned> Lowering::lowerIf(const ast::If& s, const Rest& rest, Span span) {
  if (s.cond.is<ast::Completes>()) return lowerTried(s, rest, span);
  const auto* negated = s.cond.as<ast::Unary>();
  const auto* flag = (negated && negated->op == ast::UnaryOp::Not ? negated->arg : s.cond).as<ast::Name>();
  const bool neverSet = flag && isAdded(flag->id) && !frame().setFlags.count(flag->id);
  Expr cond = neverSet ? ir::boolConst(negated != nullptr) : evalCondition(s.cond); // no path to what sets it
  if (!cond && !asksForUnknown_) return std::nullopt;
  if (!cond) cond = ir::var(Symbol("unknown"), DType::Bool); // its sides tell what is put into lists
  if (std::optional<int64_t> known = constantArgument(Value{Scalar{cond}})) {
    const ast::Body& taken = *known ? s.then : s.otherwise;
    const bool isLast = mayReturn(taken);
    std::optional<Returned> v = lowerStatements(taken, 0, isLast ? &rest : nullptr);
    return isLast && !v ? Returned{Value{NoneValue{}}, span} : v;
  }
  if (alwaysRaises(s.then) || alwaysRaises(s.otherwise)) return lowerRaising(s, cond, rest, span);
  const Rest* follows = mayReturn(s.then) || mayReturn(s.otherwise) ? &rest : nullptr;
  Env before = env();
  Path then, otherwise;
  auto side = [&](const ast::Body& body, const Expr& holds, Path& path) {
    if (isStable(holds)) known_.push_back(holds);
    path.list = collect([&] { under(holds, [&] { path.value = lowerStatements(body, 0, follows); }); });
    if (isStable(holds)) known_.pop_back();
    path.env = std::exchange(env(), before);
  };
  side(s.then, cond, then);
  side(s.otherwise, ir::unary(ir::UnaryOp::LogicalNot, cond), otherwise);
  if (const auto* isNot = s.cond.as<ast::Unary>();
      isNot && isNot->op == ast::UnaryOp::Not && isNot->arg.is<ast::Name>())
    if (const auto ran = ranIfLeft_.find(isNot->arg.as<ast::Name>()->id); ran != ranIfLeft_.end())
      std::erase_if(otherwise.env.boundIf, [&](const auto& e) {
        const auto there = then.env.boundIf.find(e.first); // what neither side binds is bound as before
        return ir::equal(e.second, ran->second) &&
               (there == then.env.boundIf.end() || !ir::equal(there->second, e.second));
      });
  return meet(s, cond, before, then, otherwise, span);
}

/// The branch itself, and what holds behind it.
std::optional<Returned> Lowering::meet(const ast::If& s, Expr cond, const Env& before, Path& then,
                                       Path& otherwise, Span span) {
  std::vector<ir::Stmt>&thenList = then.list, &elseList = otherwise.list;
  statement_ = span;
  if (mayReturn(s.then) || mayReturn(s.otherwise)) {
    joinBranches(fieldsIn(before), fieldsIn(then.env), fieldsIn(otherwise.env), {cond, thenList, elseList});
    const Returned none{Value{NoneValue{}}, span};
    Returned joined = none;
    if (!returnAlike(then.value, otherwise.value, s.cond->span))
      joined.value = frame().isUsed ? Value{} : joined.value;
    else if (frame().isUsed)
      joined.value = joinReturned(then.value.value_or(none), otherwise.value.value_or(none),
                                  {cond, thenList, elseList}, span);
    emit(ir::If{cond, ir::block(std::move(thenList)), ir::block(std::move(elseList))});
    return joined;
  }
  exchangeInBranch(before, then.env, thenList);
  exchangeInBranch(before, otherwise.env, elseList);
  if (!isStable(cond) && !s.cond.is<ast::Completes>() && bindsOnOneSide(then.env, otherwise.env))
    cond = materialize(cond, "taken");
  joinBranches(before, then.env, otherwise.env, {cond, thenList, elseList});
  leaveScope(thenList, s.then, nullptr);
  leaveScope(elseList, s.otherwise, nullptr);
  joinBound(cond, then.env, thenList, otherwise.env, elseList);
  ir::Stmt last = elseList.empty() ? ir::Stmt{} : ir::block(std::move(elseList));
  emit(ir::If{cond, ir::block(std::move(thenList)), last});
  return std::nullopt;
}

/// What may be called by a name that stands for one function on a path, and for another one on another.
static bool isFunction(const Value& v) {
  const auto* f = v.as<UserFunction>();
  return v.as<Callable>() || v.as<TypeValue>() ||
         (f && f->function->directive.role != ast::FunctionDirective::Kernel);
}

/// def function(*given, first=.., second=.., is_first=.., **named):
///   if is_first: return first(*given, **named)
///   return second(*given, **named)
static std::shared_ptr<const ast::Function> choiceOf(Span where) {
  const auto named = [&](const char* name) { return ast::make(where, ast::Name{name}); };
  const auto calling = [&](const char* name) -> ast::Body {
    const ast::Expr given = ast::make(where, ast::Starred{named("given")});
    return {ast::makeStmt(
        where,
        ast::Return{ast::make(where, ast::Call{named(name), {given}, {{"", named("named"), where}}})})};
  };
  ast::Function f;
  f.name = "function";
  f.span = f.nameSpan = where;
  f.params.push_back({"given", {}, where, ast::Parameter::Rest});
  for (const char* name : {"first", "second", "is_first"})
    f.params.push_back({name, named(name), where, ast::Parameter::KeywordOnly});
  f.params.push_back({"named", {}, where, ast::Parameter::Others});
  f.body = {ast::makeStmt(where, ast::If{named("is_first"), calling("first"), calling("second")})};
  return std::make_shared<const ast::Function>(std::move(f));
}

/// One value for what two paths give; each path stores its own into it.
Value Lowering::joinReturned(const Returned& then, const Returned& otherwise, const Sides& sides, Span where,
                             const std::string& name) {
  const Value &a = then.value, &b = otherwise.value;
  if (a.isError() || b.isError()) return Value{};
  if (!a.as<Scalar>() && !a.as<Array>() && isSame(a, b)) return a;
  if (isNoneSomewhere(a, b)) return joinOptional(then, otherwise, sides, where, name);
  if (a.as<StringValue>() && (b.as<StringValue>() || isStoredText(b)))
    return joinReturned({storedText(a), then.where}, {storedText(b), otherwise.where}, sides, where, name);
  if (isStoredText(a) && b.as<StringValue>())
    return joinReturned(then, {storedText(b), otherwise.where}, sides, where, name);
  auto mismatch = [&] {
    return error(DiagId::TypeMismatch, where,
                 fmt::format("the two paths give {} and {}; make them alike", describe(a), describe(b)));
  };
  auto append = [&](std::vector<ir::Stmt>& list, const std::function<void()>& fn) {
    std::vector<ir::Stmt> made = collect(fn);
    list.insert(list.end(), made.begin(), made.end());
  };
  if (isFunction(a) && isFunction(b) && !(a.as<TypeValue>() && b.as<TypeValue>())) {
    Expr isFirst = sides.cond;
    if (!isStable(isFirst)) {
      const Symbol first("is_first");
      isFirst = ir::var(first, DType::Bool);
      sides.then.push_back(ir::makeStmt(shown(statement_), ir::Assign{first, ir::boolConst(true)}));
      sides.otherwise.push_back(ir::makeStmt(shown(statement_), ir::Assign{first, ir::boolConst(false)}));
    }
    const std::shared_ptr<const ast::Function> made = choiceOf(where);
    nested_[made.get()] = made;
    return Value{UserFunction{made.get(), file(), 0, {Value{}, a, b, Value{Scalar{isFirst, true}}, Value{}}}};
  }
  if (const auto* x = a.as<Scalar>(), *y = b.as<Scalar>(); x && y) {
    std::optional<Scalar> s = joinNumbers(*x, *y, where, name);
    if (!s) return Value{};
    Symbol joined(name.empty() ? "value" : hintOf(name));
    append(sides.then, [&] { emit(ir::Assign{joined, intoState(s->type(), *x)}); });
    append(sides.otherwise, [&] { emit(ir::Assign{joined, intoState(s->type(), *y)}); });
    return Value{keptIn(*s, ir::var(joined, s->type()))};
  }
  if (const auto* x = a.as<TupleValue>(), *y = b.as<TupleValue>();
      x && y && x->items.size() == y->items.size() && x->isList == y->isList && x->type == y->type) {
    TupleValue joined = x->like();
    for (size_t i = 0; i < x->items.size(); ++i)
      if (x->items[i].as<RecordValue>() && !isPooled(x->items[i]) &&
          !isSame(x->items[i], y->items[i])) // which of them may be one
        return error(DiagId::Unsupported, where,
                     "the two paths give tuples of other objects; make the objects before, and assign to "
                     "their fields");
    for (size_t i = 0; i < x->items.size(); ++i) {
      const std::string whole = std::exchange(joining_, fmt::format("{}.{}", joining_, i));
      joined.items.push_back(
          joinReturned({x->items[i], then.where}, {y->items[i], otherwise.where}, sides, where, name));
      joining_ = whole;
    }
    return Value{joined};
  }
  if (isPooled(a) && isPooled(b) && isBuiltAlike(a, b)) {
    const Value at = joinReturned({heldParts(a)[0], then.where}, {heldParts(b)[0], otherwise.where}, sides,
                                  where, name.empty() ? "at" : hintOf(name));
    return at.isError() ? at : builtLike(a, {at});
  }
  if (a.as<RecordValue>() && b.as<RecordValue>()) return joinRecords(then, otherwise, sides, where, name);
  for (const auto& [selected, list] :
       {std::pair(&then, &sides.then), std::pair(&otherwise, &sides.otherwise)})
    if (const auto* s = selected->value.as<Selection>()) {
      Returned array = *selected;
      append(*list, [&] { array.value = Value{asArray(*s)}; });
      return selected == &then ? joinReturned(array, otherwise, sides, where, name)
                               : joinReturned(then, array, sides, where, name);
    }
  if (isAnyList(a) && isAnyList(b)) return joinLists(a, b, sides, where, name);
  const auto *x = a.as<Array>(), *y = b.as<Array>();
  if (!x || !y || x->type != y->type || x->shape.size() != y->shape.size()) return mismatch();
  if (x->view && y->view && x->view->whole && y->view->whole && x->view->buffer.name == y->view->buffer.name)
    return a;
  std::vector<Expr> shape;
  for (size_t d = 0; d < x->shape.size(); ++d)
    shape.push_back(sizeOnPaths(sides, x->shape[d], y->shape[d], where));
  if (kernel_ && (x->view || x->choice) && (y->view || y->choice)) {
    Symbol isFirst("first");
    mutable_.insert(isFirst);
    append(sides.then, [&] { emit(ir::Assign{isFirst, ir::boolConst(true)}); });
    append(sides.otherwise, [&] { emit(ir::Assign{isFirst, ir::boolConst(false)}); });
    return Value{chosenOf({ir::var(isFirst, DType::Bool), *x, *y}, shape)};
  }
  Array joined = roomyBuffer(name.empty() ? "value" : hintOf(name), x->type, shape);
  const auto store = [&](const Array& from) {
    Array part = joined;
    part.shape = from.shape;
    storeCopy(part, from, from, name, where);
  };
  standsFor(joined, *x, shown(then.where));
  standsFor(joined, *y, shown(otherwise.where));
  noteChosen(joined, *x, *y, sides);
  append(sides.then, [&] { store(*x); });
  append(sides.otherwise, [&] { store(*y); });
  return Value{joined};
}

/// Which of the caller's arrays it is, by the place among the parameters, from 1; 0 of a new one. None where nothing says so.
std::optional<Expr> Lowering::whichOf(const Array& a, std::set<Symbol>& of) const {
  const Symbol source = a.view && !a.view->fancy ? a.view->buffer.name : a.shares;
  if (!source) return ir::intConst(0);
  const bool isWhole = a.view && a.view->whole;
  for (size_t k = 0; k < out_.params.size(); ++k)
    if (out_.params[k].isArray && out_.params[k].name == source) {
      of.insert(source);
      return isWhole ? std::optional(ir::intConst(static_cast<int64_t>(k) + 1)) : std::nullopt;
    }
  for (const Chosen& c : chosen_)
    if (c.buffer == source) {
      of.insert(c.of.begin(), c.of.end());
      return isWhole ? std::optional(ir::var(c.which)) : std::nullopt;
    }
  return standsFor_.count(source) ? std::nullopt : std::optional(ir::intConst(0));
}

void Lowering::noteChosen(const Array& joined, const Array& then, const Array& otherwise,
                          const Sides& sides) {
  Chosen made{joined.view->buffer.name, Symbol("which"), {}, lists_.size() == 1};
  const std::optional<Expr> x = whichOf(then, made.of), y = whichOf(otherwise, made.of);
  if (!x || !y || made.of.empty() || !loops_.empty()) return;
  const auto assign = [&](const Expr& value) {
    return ir::makeStmt(shown(statement_), ir::Assign{made.which, value});
  };
  sides.then.push_back(assign(*x));
  sides.otherwise.push_back(assign(*y));
  mutable_.insert(made.which);
  chosen_.push_back(made);
}

/// What the function has stored into arrays where paths meet is the caller's array's, where it is that one.
void Lowering::giveBackChosen() {
  if (chosen_.empty()) return;
  std::set<Symbol> stored;
  for (const std::vector<ir::Stmt>& list : lists_)
    for (const ir::Stmt& all : list)
      ir::visit(all, [&](const ir::Stmt& s) {
        const auto* index = s.as<ir::IndexStmt>();
        const bool isCopy = index && !index->domain.empty() && copies_.count(index->domain[0].index) > 0;
        if (!isCopy && !s.is<ir::Block>() && !s.is<ir::If>() && !s.is<ir::For>() && !s.is<ir::While>())
          stored.merge(ir::storedBuffers(s));
        return true;
      });
  for (const Chosen& c : std::vector<Chosen>(chosen_)) {
    if (!c.isAtTop || !stored.count(c.buffer) || swapped_.count(c.buffer)) continue;
    for (size_t k = 0; k < out_.params.size(); ++k) {
      if (!c.of.count(out_.params[k].name) || swapped_.count(out_.params[k].name)) continue;
      const Array to = memory(*out_.findBuffer(out_.params[k].name));
      const Array from = cutTo(memory(*out_.findBuffer(c.buffer)), to.shape);
      if (to.shape.empty() || to.type != from.type) continue;
      std::vector<ir::Stmt> given = collect([&] { storeCopy(to, from, from, "", statement_); });
      if (const auto* s = given.back().as<ir::IndexStmt>()) copies_[s->domain[0].index].givesBack = true;
      const Expr isIt =
          ir::binary(ir::BinaryOp::Eq, ir::var(c.which), ir::intConst(static_cast<int64_t>(k) + 1));
      emit(ir::If{isIt, ir::block(std::move(given)), {}});
    }
  }
}

void Lowering::joinBranches(const Env& before, Env thenEnv, Env elseEnv, const Sides& sides) {
  std::set<std::string> names;
  auto changed = [&](const Env& e) {
    for (const auto& [name, value] : e) {
      auto it = before.find(name);
      const auto *a = value.as<Array>(), *p = it == before.end() ? nullptr : it->second.as<Array>();
      bool sameArray = a && p && showSame(*a, *p);
      if (it == before.end() || (a ? !sameArray : !isSame(value, it->second))) names.insert(name);
    }
  };
  changed(thenEnv);
  changed(elseEnv);
  for (const Env* side : {&thenEnv, &elseEnv})
    for (const auto& [name, why] : side->lost)
      if (!side->count(name)) lose(name, why);
  for (const std::string& name : names) {
    auto t = thenEnv.find(name), e = elseEnv.find(name);
    bool inThen = t != thenEnv.end() && !t->second.isError(),
         inElse = e != elseEnv.end() && !e->second.isError();
    if (!inThen || !inElse) { // defined on one path only: Python would raise on the other when it is read
      if ((inThen || inElse) && !env().lost.count(name)) env()[name] = inThen ? t->second : e->second;
      continue;
    }
    if ((t->second.as<TextValue>() || e->second.as<TextValue>()) && !isSame(t->second, e->second)) {
      lose(name, std::string(kNamedText));
      continue;
    }
    const auto *x = t->second.as<Scalar>(), *y = e->second.as<Scalar>();
    if (x && y) {
      std::optional<Scalar> s = joinStates(*x, *y, isCounted(x->e), isCounted(y->e));
      if (!s) {
        const bool isCarried = std::any_of(carried_.begin(), carried_.end(),
                                           [&](const auto& carried) { return carried.count(name) > 0; });
        if (isCarried || isReadAfter(frame().names[name], statement_.end)) {
          env()[name] = Value{};
          joinNumbers(*x, *y, boundAt(name), name);
        } else {
          lose(name, noCommonType(*x, *y));
        }
        continue;
      }
      if (x->e == y->e && s->type() == x->type()) {
        env()[name] = Value{keptIn(*s, x->e)};
        continue;
      }
      Symbol joined(hintOf(name));
      mutable_.insert(joined);
      auto assign = [&](std::vector<ir::Stmt>& side, const Scalar& v) {
        for (ir::Stmt& made : collect([&] { emit(ir::Assign{joined, intoState(s->type(), v)}); }))
          side.push_back(std::move(made));
      };
      assign(sides.then, *x);
      assign(sides.otherwise, *y);
      env()[name] = Value{keptIn(*s, ir::var(joined, s->type()))};
      continue;
    }
    const Span bound = boundAt(name);
    if (isAnyList(t->second) && isAnyList(e->second) && !isSame(t->second, e->second) &&
        putsIntoOwn(name, before, thenEnv, elseEnv, sides))
      continue;
    if (isList(t->second) && isList(e->second) && !isSame(t->second, e->second) &&
        (hasOtherName(name, t->second, thenEnv) || hasOtherName(name, e->second, elseEnv))) {
      lose(name,
           "is a list that has another name, and another list on another path; write `list(...)` of it");
      continue;
    }
    env()[name] = joinReturned({t->second, bound}, {e->second, bound}, sides, bound, name);
  }
}

//===--- names of other arrays on each path, into which is stored behind it -----------------------------------===//
//   src, dst = (a, b) if t % 2 == 0 else (b, a)      =>      if t % 2 == 0: src, dst = a, b;  dst[1:] = src[:-1]
//   dst[1:] = src[:-1]                                       else: src, dst = b, a;  dst[1:] = src[:-1]
// What follows stands on each path, so that it says there which arrays it stores into.

/// The names in what is assigned, or to what; none where there is anything else.
static std::optional<std::vector<std::string>> plainNames(const ast::Expr& e) {
  if (const auto* name = e.as<ast::Name>()) return std::vector{name->id};
  const auto* t = e.as<ast::Tuple>();
  if (!t) return std::nullopt;
  std::vector<std::string> names;
  for (const ast::Expr& item : t->items) {
    const auto* name = item.as<ast::Name>();
    if (!name) return std::nullopt;
    names.push_back(name->id);
  }
  return names;
}

/// A side of nothing but names that get names; adds both.
static bool addRenamed(const ast::Body& side, std::vector<std::string>& names,
                       std::vector<std::string>& given) {
  for (const ast::Stmt& s : side) {
    const auto* a = s.as<ast::Assign>();
    if (!a || a->targets.size() != 1) return false;
    const auto to = plainNames(a->targets[0]), from = plainNames(a->value);
    if (!to || !from || to->size() != from->size()) return false;
    names.insert(names.end(), to->begin(), to->end());
    given.insert(given.end(), from->begin(), from->end());
  }
  return !side.empty();
}

/// The branch with what follows it on each side; none where that need not be.
const ast::Body* Lowering::withRestInside(const ast::Body& body, size_t at) {
  constexpr size_t kMost = 24; // statements that are written twice
  if (loops_.size() <= frame().loops || at + 1 >= body.size() || body.size() - at > kMost) return nullptr;
  ast::If branch;
  if (const auto* s = body[at].as<ast::If>()) {
    branch = *s;
  } else if (const auto* a = body[at].as<ast::Assign>(); a && a->targets.size() == 1) {
    const auto* chosen = a->value.as<ast::Conditional>();
    if (!chosen) return nullptr;
    const auto side = [&](const ast::Expr& value) {
      return ast::Body{ast::makeStmt(body[at]->span, ast::Assign{{a->targets[0]}, value, {}})};
    };
    branch = {chosen->cond, side(chosen->then), side(chosen->otherwise)};
  }
  std::vector<std::string> names, given;
  if (!branch.cond || !addRenamed(branch.then, names, given) || !addRenamed(branch.otherwise, names, given))
    return nullptr;
  for (const std::string& name : given) {
    const auto known = env().find(name);
    const auto* a = known == env().end() ? nullptr : known->second.as<Array>();
    if (!a || !a->view) return nullptr;
  }
  ast::Function rest;
  rest.body.assign(body.begin() + static_cast<ptrdiff_t>(at) + 1, body.end());
  std::map<std::string, NameFacts> facts = scanNames(rest);
  const bool isStored = std::ranges::any_of(names, [&](const std::string& name) {
    return isChangedBy(facts[name], &NameFacts::isStored) || isChangedBy(facts[name], &NameFacts::grows);
  });
  if (!isStored) return nullptr;
  for (ast::Body* side : {&branch.then, &branch.otherwise}) {
    const ast::Body copy = copyOf(rest.body);
    side->insert(side->end(), copy.begin(), copy.end());
  }
  const Span all{body[at]->span.begin, body.back()->span.end};
  writtenOut_.push_back({ast::makeStmt(all, std::move(branch))}); // nodes that states are kept for
  return &writtenOut_.back();
}

} // namespace appyc::sema
