//===- Resumed.cpp - functions that go on when they have called themselves are loops ----------------------===//
//   def f(n):                                  goes_on, values, n_kept = [0], [], []
//     if n < 2: return n                       while goes_on:
//     return n * f(n - 1)              =>        state = goes_on.pop()
//                                                if state == 0:
//                                                  if n < 2: values.append(n)
//                                                  else: n_kept.append(n); goes_on.append(1); goes_on.append(0); n = n - 1
//                                                else:
//                                                  n = n_kept.pop(); value = values.pop()
//                                                  values.append(n * value)
//                                              return values.pop()
// Where names are arrays of other sizes in each call, nothing but lists goes from one state to another (`isApart`).
// Each call ends a state; what is needed behind it waits in lists. What is evaluated before the call is computed before it. A
// loop that calls is a state, to which its steps go back. Whether there are such lists its caller finds out (Calls.cpp).
#include "ExprParts.h"
#include "Leaving.h"
#include "RenamedNames.h"
#include "SelfCalls.h"
#include <fmt/format.h>
#include <functional>

namespace appyc::sema {

namespace {

using ast::Body;
using ast::Stmt;

/// Of a function that goes on when it has called itself, the loop over what is to be done.
class Resumed : SelfCalls {
public:
  Resumed(const ast::Function& fn, bool isMethod, bool isApart)
      : SelfCalls(fn, isMethod), isApart_(isApart && !isMethod) {}

  std::optional<ast::Function> run() {
    if (!isPlain()) return std::nullopt;
    look(fn_.body);
    for (const ast::Parameter& p : fn_.params) locals_.insert(p.name);
    for (const std::string& name : assignedNames(fn_.body)) locals_.insert(name);
    std::set<std::string> own = locals_;
    std::erase_if(own, [&](const std::string& name) { return isSteady(name); });
    areCopies_ = mayKeepCopies(fn_, own);
    if (areCopies_) findGrown();
    goesOn_ = unused("goes_on"), state_ = unused("state");
    const size_t lists = width_.value_or(1);
    for (size_t k = 0; hasValues_ && k < lists; ++k) values_.push_back(unused("values"));
    std::set<std::string> bound;
    for (const ast::Parameter& p : fn_.params) bound.insert(p.name);
    isKnown_ &= areCopies_ || !isApart_;
    for (const ast::Parameter& p : fn_.params)
      if (isApart_ && !isSteady(p.name)) given_[p.name] = unused(p.name + "_given");
    states_.emplace_back();
    states_[0] = steps(fn_.body, bound);
    if (!isKnown_ || states_.size() < 2) return std::nullopt;
    ast::Function out = fn_;
    out.body = whole();
    return isKnown_ ? std::optional(std::move(out)) : std::nullopt;
  }

private:
  static constexpr size_t kMostStates = 16, kMostLists = 64, kDeepest = 1000; ///< as Python's own recursion
  static ast::Expr number(size_t value, Span where) {
    return ast::make(where, ast::IntLit{static_cast<decltype(ast::IntLit::value)>(value)});
  }
  std::string unused(std::string name) {
    const std::string base = name;
    for (int k = 2; facts_.count(name) || taken_.count(name); ++k) name = fmt::format("{}_{}", base, k);
    taken_.insert(name);
    return name;
  }
  bool calls(const Stmt& s) const { return callsItself(s); }
  bool calls(const ast::Expr& e) const { return e && calls(ast::makeStmt(e->span, ast::ExprStmt{e})); }
  static ast::Expr method(const std::string& list, const char* name, std::vector<ast::Expr> args,
                          Span where) {
    const ast::Expr callee = ast::make(where, ast::Attribute{nameAt(list, where), name});
    return ast::make(where, ast::Call{callee, std::move(args), {}});
  }
  Stmt append(const std::string& list, ast::Expr item, Span where) const {
    return ast::makeStmt(where,
                         ast::ExprStmt{method(list, areCopies_ ? kPut : "append", {std::move(item)}, where)});
  }
  ast::Expr taken(const std::string& list, Span where) const {
    return method(list, areCopies_ ? kTake : "pop", {}, where);
  }
  static Stmt assign(const std::string& name, ast::Expr value, Span where) {
    return ast::makeStmt(where, ast::Assign{{nameAt(name, where)}, std::move(value), {}});
  }

  /// What the function returns: nothing, or tuples of one length, or something else.
  void look(const Body& body) {
    for (const Stmt& s : body) {
      if (const auto* i = s.as<ast::If>()) look(i->then), look(i->otherwise);
      if (const auto* f = s.as<ast::For>()) look(f->body);
      if (const auto* w = s.as<ast::While>()) look(w->body);
      const auto* r = s.as<ast::Return>();
      if (!r || !r->value) continue;
      const auto* t = r->value.as<ast::Tuple>();
      const size_t width = t ? t->items.size() : 0;
      if (!std::exchange(hasValues_, true) && width > 0)
        width_ = width;
      else if (width_.value_or(0) != width)
        width_.reset();
    }
  }

  /// The statements, and what follows those that call, as a state of its own. `bound`: names that have a value.
  Body steps(const Body& body, std::set<std::string> bound) {
    Body out;
    isKnown_ &= ++lists_ <= kMostLists;
    for (size_t k = 0; k < body.size() && isKnown_; ++k) {
      const Stmt& s = body[k];
      const auto* i = s.as<ast::If>();
      const auto* r = s.as<ast::Return>();
      const Body tail(body.begin() + static_cast<std::ptrdiff_t>(k) + 1, body.end());
      const auto after = [&](Body first) {
        first.insert(first.end(), tail.begin(), tail.end());
        return steps(first, bound);
      };
      if (i && !calls(i->cond) && (calls(s) || mayReturn({s}) || !placesIn({s}).empty())) {
        out.push_back(ast::makeStmt(s->span, ast::If{i->cond, after(i->then), after(i->otherwise)}));
        return out;
      }
      if (calls(s) && (s.is<ast::For>() || s.is<ast::While>()))
        return looping(s, tail, bound, std::move(out));
      if (s.is<ast::Continue>()) return goTo(s->span.begin, bound, s->span, out), out;
      if (calls(s)) return called(s, tail, bound, std::move(out));
      if (s.is<ast::Raise>()) return out.push_back(s), out;
      if (r) return returned(r->value, s->span, out), out;
      isKnown_ &= !mayReturn({s});
      out.push_back(s);
      bound.merge(surelyAssigned({s}));
    }
    isKnown_ &= !hasValues_; // else the end gives None
    return out;
  }
  void returned(const ast::Expr& value, Span where, Body& out) {
    isKnown_ &= bool(value) == hasValues_;
    if (!value || !isKnown_) return;
    const auto* t = value.as<ast::Tuple>();
    if (!width_) return out.push_back(append(values_[0], value, where));
    for (size_t k = 0; k < *width_; ++k) isKnown_ &= !t->items[k].is<ast::Starred>();
    std::vector<ast::Expr> items = t->items;
    for (ast::Expr& item : items) item = steady(item, out); // all of them are computed first
    for (size_t k = 0; k < *width_; ++k) out.push_back(append(values_[k], items[k], where));
  }
  ast::Expr given(Span where) const {
    if (!width_) return taken(values_[0], where);
    ast::Tuple all;
    for (const std::string& list : values_) all.items.push_back(taken(list, where));
    return ast::make(where, std::move(all));
  }

  /// A statement that calls: up to the first call, and behind it.
  Body called(const Stmt& s, const Body& tail, std::set<std::string> bound, Body out) {
    const Span where = s->span;
    const auto* r = s.as<ast::Return>();
    const auto* a = s.as<ast::Assign>();
    const auto* g = s.as<ast::AugAssign>();
    const auto* e = s.as<ast::ExprStmt>();
    const auto* i = s.as<ast::If>();
    found_ = nullptr, choice_.clear();
    const Body before = std::exchange(prelude_, {});
    const ast::Expr whole = r   ? r->value
                            : a ? a->value
                            : g ? g->value
                            : e ? e->value
                            : i ? i->cond
                                : ast::Expr();
    isKnown_ &= whole && !(g && (!g->target.is<ast::Name>() || calls(g->target))) && !(e && e->isContext);
    for (size_t k = 0; a && k < a->targets.size(); ++k) isKnown_ &= !calls(a->targets[k]);
    if (!isKnown_) return out;
    const ast::Expr value = cut(whole);
    if (!isKnown_) return out;
    Body rest;
    if (r) rest.push_back(ast::makeStmt(where, ast::Return{value}));
    if (a) rest.push_back(ast::makeStmt(where, ast::Assign{a->targets, value, a->directive}));
    if (g) rest.push_back(ast::makeStmt(where, ast::AugAssign{g->op, g->target, value, g->directive}));
    if (e && !value.is<ast::Name>()) rest.push_back(ast::makeStmt(where, ast::ExprStmt{value}));
    if (i) rest.push_back(ast::makeStmt(where, ast::If{value, i->then, i->otherwise}));
    rest.insert(rest.end(), tail.begin(), tail.end());
    for (const Stmt& p : prelude_) out.push_back(p);
    bound.merge(surelyAssigned(prelude_));
    prelude_ = before;
    if (!choice_.empty()) {
      Body all = std::exchange(choice_, {});
      all.insert(all.end(), rest.begin(), rest.end());
      for (Stmt& step : steps(all, bound)) out.push_back(std::move(step));
      return out;
    }
    return suspended(*found_, found_->callee->span, temporary_, rest, bound, std::move(out));
  }

  /// A loop that calls: `continue` at place k is a way back to state k.
  Body looping(const Stmt& s, const Body& tail, std::set<std::string> bound, Body out) {
    const Span where = s->span;
    const auto* f = s.as<ast::For>();
    const auto* w = s.as<ast::While>();
    const auto binary = [&](ast::BoolOp op, ast::Expr a, ast::Expr b) {
      return ast::make(where, ast::BoolExpr{op, std::move(a), std::move(b)});
    };
    ast::Expr asked;
    Body step;
    if (f) {
      const ast::Call* range = f->iter.as<ast::Call>();
      const auto* callee = range ? range->callee.as<ast::Name>() : nullptr;
      const bool isRange = callee && callee->id == "range" && range->keywords.empty();
      const auto* pair = f->target.as<ast::Tuple>();
      const bool isCounted = callee && callee->id == "enumerate" && range->keywords.empty() &&
                             range->args.size() == 1 && pair && pair->items.size() == 2;
      ast::Expr over = isCounted ? range->args[0] : f->iter;
      isKnown_ &= f->directive.mark == ast::LoopMark::None && !calls(f->iter) &&
                  (isRange ? range->args.size() < 3 : isFixed(over) || isMade(over));
      if (!isKnown_) return out;
      if (!isRange && !isFixed(over)) {
        const std::string name = unused("items");
        locals_.insert(name), bound.insert(name);
        out.push_back(assign(name, over, where));
        over = nameAt(name, where);
      }
      const std::string index = unused("at"), end = unused("end");
      locals_.insert(index), locals_.insert(end), bound.insert(index), bound.insert(end);
      const ast::Expr first = isRange && range->args.size() == 2 ? range->args[0] : number(0, where);
      const ast::Expr length = ast::make(where, ast::Call{nameAt("len", where), {over}, {}});
      out.push_back(assign(index, first, where));
      out.push_back(assign(end, isRange ? range->args.back() : length, where));
      const ast::Expr at = nameAt(index, where);
      asked = ast::make(where, ast::Compare{{at, nameAt(end, where)}, {ast::CompareOp::Lt}});
      ast::Expr item = isRange ? at : ast::make(where, ast::Subscript{over, {at}});
      if (isCounted) item = ast::make(where, ast::Tuple{{at, item}});
      step = {ast::makeStmt(where, ast::Assign{{f->target}, item, {}}),
              assign(index, ast::make(where, ast::Binary{ast::BinaryOp::Add, at, number(1, where)}), where)};
    } else {
      asked = w->cond;
    }
    const ast::Expr unless = f ? f->unless : w->unless;
    if (unless)
      asked = binary(ast::BoolOp::And, ast::make(where, ast::Unary{ast::UnaryOp::Not, unless}), asked);
    isKnown_ &= states_.size() < kMostStates && (f ? f->otherwise : w->otherwise).empty();
    if (!isKnown_) return out;
    const auto state = static_cast<uint32_t>(states_.size());
    states_.emplace_back();
    const Body& body = f ? f->body : w->body;
    const bool isLeft = isLeftBy(body);
    const auto behind = static_cast<uint32_t>(states_.size());
    if (isLeft) states_.emplace_back(), liveAt_[behind] = liveBehind(tail, "");
    const Body aimed = aimedAt(body, state, behind);
    step.insert(step.end(), aimed.begin(), aimed.end());
    step.push_back(placeAt(state));
    const Body whole{
        ast::makeStmt(where, ast::If{asked, std::move(step), isLeft ? Body{placeAt(behind)} : tail})};
    liveAt_[state] = liveBehind(whole, "");
    for (const std::string& name : liveBehind(tail, "")) liveAt_[state].insert(name);
    goTo(state, bound, where, out);
    begin(state, whole, where);
    if (isLeft) begin(behind, tail, where);
    return out;
  }
  /// What the state does: first it takes what it needs.
  void begin(uint32_t state, const Body& body, Span where) {
    Body resumed;
    std::set<std::string> known = liveAt_[state];
    for (const std::string& name : known) resumed.push_back(assign(name, resumedValue(name, where), where));
    addSteady(known);
    for (Stmt& made : steps(body, known)) resumed.push_back(std::move(made));
    states_[state] = std::move(resumed);
  }
  /// A statement that goes to the state.
  static Stmt placeAt(uint32_t state) { return ast::makeStmt({state, state}, ast::Continue{}); }
  /// The states to which the statements may go, outside of loops in them.
  static std::set<uint32_t> placesIn(const Body& body) {
    std::set<uint32_t> places;
    for (const Stmt& s : body) {
      if (s.is<ast::Continue>()) places.insert(s->span.begin);
      if (const auto* i = s.as<ast::If>())
        places.merge(placesIn(i->then)), places.merge(placesIn(i->otherwise));
    }
    return places;
  }
  static bool isLeftBy(const Body& body) {
    return std::ranges::any_of(body, [](const Stmt& s) {
      const auto* i = s.as<ast::If>();
      return s.is<ast::Break>() || (i && (isLeftBy(i->then) || isLeftBy(i->otherwise)));
    });
  }
  /// `continue` and `break` of a loop as what goes to states.
  static Body aimedAt(const Body& body, uint32_t state, uint32_t behind) {
    Body out;
    for (const Stmt& s : body) {
      const auto* i = s.as<ast::If>();
      if (s.is<ast::Continue>() || s.is<ast::Break>())
        out.push_back(placeAt(s.is<ast::Break>() ? behind : state));
      else if (i)
        out.push_back(ast::makeStmt(s->span, ast::If{i->cond, aimedAt(i->then, state, behind),
                                                     aimedAt(i->otherwise, state, behind)}));
      else
        out.push_back(s);
    }
    return out;
  }
  void goTo(uint32_t state, const std::set<std::string>& bound, Span where, Body& out) {
    for (const std::string& name : liveAt_[state]) {
      isKnown_ &= bound.count(name) > 0;
      out.push_back(append(listOf(name), nameAt(name, where), where));
    }
    out.push_back(append(goesOn_, number(state, where), where));
  }
  /// Names and items of what the function does not store into.
  bool isFixed(const ast::Expr& e) const {
    if (const auto* n = e.as<ast::Name>()) {
      const auto facts = facts_.find(n->id);
      return facts == facts_.end() || facts->second.assignments <= 1;
    }
    const auto* item = e.as<ast::Subscript>();
    return item && isFixed(item->base) && item->index.size() == 1 && item->index[0].is<ast::Name>() &&
           isFixed(item->index[0]);
  }
  /// A list that is made for the loop alone.
  bool isMade(const ast::Expr& e) {
    const auto* s = e.as<ast::Subscript>();
    const auto* of =
        s && s->index.size() == 1 && s->index[0].is<ast::Slice>() ? s->base.as<ast::Name>() : nullptr;
    if (of) // a part of an array shows what is stored into it
      return !facts_[of->id].isStored && !facts_[of->id].grows && facts_[of->id].passed.empty();
    return isList(e);
  }
  /// What the statements need, and, where they end the step of a loop, the next one.
  std::set<std::string> liveBehind(const Body& body, const std::string& except) {
    std::set<std::string> live;
    for (const std::string& name : exposedNames(body))
      if (locals_.count(name) && !isSteady(name)) live.insert(name);
    for (const uint32_t place : placesIn(body))
      for (const std::string& name : liveAt_[place]) live.insert(name);
    live.erase(except);
    return live;
  }
  const std::string& listOf(const std::string& name) {
    const auto [it, isNew] = kept_.try_emplace(name, "");
    if (isNew) it->second = unused(name + "_kept");
    return it->second;
  }
  void addSteady(std::set<std::string>& known) {
    for (const ast::Parameter& p : fn_.params)
      if (isSteady(p.name)) known.insert(p.name);
  }

  Body suspended(const ast::Call& call, Span where, const std::string& value, const Body& rest,
                 const std::set<std::string>& bound, Body out) {
    const std::optional<std::vector<ast::Expr>> args = argumentsOf(call);
    isKnown_ &= args && states_.size() < kMostStates;
    if (!isKnown_) return out;
    const size_t state = states_.size();
    states_.emplace_back();
    const std::set<std::string> live = liveBehind(rest, value);
    Body resumed;
    for (const std::string& name : live) {
      isKnown_ &= bound.count(name) > 0;
      out.push_back(append(listOf(name), nameAt(name, where), where));
      resumed.push_back(assign(name, resumedValue(name, where), where));
    }
    out.push_back(append(goesOn_, number(state, where), where));
    out.push_back(append(goesOn_, number(0, where), where));
    ast::Tuple names, values;
    std::vector<ast::Expr> items = *args; // all of them are computed first
    for (size_t k = 0; isApart_ && k < args->size(); ++k)
      if (!isSteady(fn_.params[k].name)) items[k] = steady(items[k], out);
    for (size_t k = 0; k < args->size(); ++k) {
      if (isSteady(fn_.params[k].name)) continue;
      if (isApart_) {
        out.push_back(append(given_.at(fn_.params[k].name), items[k], where));
        continue;
      }
      names.items.push_back(nameAt(fn_.params[k].name, where));
      values.items.push_back((*args)[k]);
    }
    if (names.items.size() == 1)
      out.push_back(ast::makeStmt(where, ast::Assign{{names.items[0]}, values.items[0], {}}));
    else if (!names.items.empty())
      out.push_back(
          ast::makeStmt(where, ast::Assign{{ast::make(where, names)}, ast::make(where, values), {}}));
    if (hasValues_) resumed.push_back(assign(value, given(where), where));
    std::set<std::string> known = live;
    if (hasValues_) known.insert(value);
    addSteady(known);
    for (Stmt& step : steps(rest, known)) resumed.push_back(std::move(step));
    states_[state] = std::move(resumed);
    return out;
  }

  /// Lists of the function's own that grow: each state has its own, with a name of its own.
  void findGrown() {
    std::set<std::string> others; // names that are something else, too
    eachAssignment(fn_.body, [&](const ast::Expr& target, const ast::Expr& value) {
      const auto* n = target.as<ast::Name>();
      if (n && isList(value)) return void(grown_.insert(n->id));
      for (const std::string& name : assignedNames({ast::makeStmt(
               target->span, ast::Assign{{target}, ast::make(target->span, ast::NoneLit{}), {}})}))
        others.insert(name);
    });
    std::erase_if(grown_, [&](const std::string& name) {
      const bool isParameter = std::ranges::find(fn_.params, name, &ast::Parameter::name) != fn_.params.end();
      return isParameter || others.count(name) || !facts_[name].grows || facts_[name].isCaptured;
    });
  }
  static bool isList(const ast::Expr& e) {
    const auto* c = e ? e.as<ast::Conditional>() : nullptr;
    return c ? isList(c->then) && isList(c->otherwise) : e && (e.is<ast::List>() || makesList(e));
  }
  ast::Expr resumedValue(const std::string& name, Span where) {
    const ast::Expr value = taken(listOf(name), where);
    return grown_.count(name) ? ast::make(where, ast::Call{nameAt("list", where), {value}, {}}) : value;
  }
  /// The statements of a state, in which lists that grow have names of its own.
  Body ofState(size_t state, const Body& body) {
    std::map<std::string, std::string> names;
    for (const std::string& name : isApart_ ? locals_ : grown_)
      if (!isSteady(name)) names[name] = unused(fmt::format("{}_{}", name, state + 1));
    NamePlaces places{{}, 0, 0, {}, {}, true};
    return (state == 0 && !isApart_) || names.empty() ? body : withNames(body, {}, names, places);
  }

  /// A parameter that each call hands on as it is.
  bool isSteady(const std::string& name) {
    if (const auto known = steady_.find(name); known != steady_.end()) return known->second;
    const auto p = std::ranges::find(fn_.params, name, &ast::Parameter::name);
    bool is = p != fn_.params.end() && facts_[name].assignments <= 1;
    const auto at = static_cast<size_t>(p - fn_.params.begin());
    eachCall(fn_.body, [&](const ast::Call& c) {
      const auto args = argumentsOf(c);
      const auto* given = is && args ? (*args)[at].as<ast::Name>() : nullptr;
      is &= given && given->id == name;
    });
    return steady_[name] = is;
  }
  //===--- expressions up to the first call -------------------------------------------------------------===//

  /// The same in a name, unless it is one.
  ast::Expr steady(const ast::Expr& e, Body& out) {
    if (e.is<ast::Name>() || e.is<ast::IntLit>() || e.is<ast::FloatLit>() || e.is<ast::BoolLit>() ||
        e.is<ast::NoneLit>())
      return e;
    const std::string name = unused("value");
    locals_.insert(name);
    out.push_back(assign(name, e, e->span));
    return nameAt(name, e->span);
  }

  /// The expression with a name in place of its first call, `found_`, or of a choice that calls; what comes before is in
  /// `prelude_`.
  ast::Expr cut(const ast::Expr& e) {
    if (const auto* made = e.as<ast::Comprehension>(); made && made->isList)
      return ast::make(e->span, ast::Call{nameAt("list", e->span), {collected(*made, e->span)}, {}});
    std::vector<ast::Expr> parts = partsOf(e);
    const auto* whole = e.as<ast::Call>();
    const auto* taker = whole ? whole->callee.as<ast::Name>() : nullptr;
    static const std::set<std::string> kTakeAll = {"sum", "min", "max", "sorted", "list", "tuple"};
    if (taker && kTakeAll.count(taker->id) && !whole->args.empty() && whole->keywords.empty())
      if (const auto* each = parts[1].as<ast::Comprehension>(); each && calls(parts[1]))
        return parts[1] = collected(*each, parts[1]->span), withParts(e, std::move(parts));
    const auto first = std::ranges::find_if(parts, [&](const ast::Expr& part) { return calls(part); });
    const auto* comparison = e.as<ast::Compare>();
    const auto* either = e.as<ast::BoolExpr>();
    const auto* choice = e.as<ast::Conditional>();
    const ast::Call* self = callOf(e);
    isKnown_ &= !parts.empty() && !(comparison && comparison->ops.size() > 1);
    if (!isKnown_) return e;
    const auto isLater = [&](size_t k) { return static_cast<size_t>(first - parts.begin()) >= k; };
    if (self) { // do the arguments call, too?
      const auto inner =
          std::find_if(parts.begin() + 1, parts.end(), [&](const ast::Expr& p) { return calls(p); });
      if (inner != parts.end()) return cutPart(e, parts, static_cast<size_t>(inner - parts.begin()), 1);
      found_ = self;
      temporary_ = unused("value");
      locals_.insert(temporary_);
      return nameAt(temporary_, e->span);
    }
    if ((either || choice) && isLater(1)) {
      const std::string name = unused("value");
      locals_.insert(name);
      if (either) {
        prelude_.push_back(assign(name, either->lhs, e->span));
        const ast::Expr is = nameAt(name, e->span);
        const ast::Expr asked =
            either->op == ast::BoolOp::And ? is : ast::make(e->span, ast::Unary{ast::UnaryOp::Not, is});
        choice_ = {ast::makeStmt(e->span, ast::If{asked, {assign(name, either->rhs, e->span)}, {}})};
      } else {
        choice_ = {ast::makeStmt(e->span, ast::If{choice->cond,
                                                  {assign(name, choice->then, e->span)},
                                                  {assign(name, choice->otherwise, e->span)}})};
      }
      return nameAt(name, e->span);
    }
    return cutPart(e, parts, static_cast<size_t>(first - parts.begin()), e.is<ast::Call>() ? 1 : 0);
  }
  /// The items of a comprehension that calls, as a list that a loop makes.
  ast::Expr collected(const ast::Comprehension& c, Span where) {
    isKnown_ &= areCopies_ && choice_.empty();
    if (!isKnown_) return nameAt(fn_.name, where);
    const std::string name = unused("items");
    std::map<std::string, std::string> own; // its targets are no names of the function's
    for (const ast::Clause& clause : c.clauses)
      for (const std::string& target : assignedNames(
               {ast::makeStmt(where, ast::Assign{{clause.target}, ast::make(where, ast::NoneLit{}), {}})}))
        locals_.insert(own[target] = unused(target));
    Body body{ast::makeStmt(where, ast::ExprStmt{method(name, "append", {c.element}, where)})};
    for (auto clause = c.clauses.rbegin(); clause != c.clauses.rend(); ++clause) {
      for (const ast::Expr& condition : clause->conditions)
        body = {ast::makeStmt(where, ast::If{condition, std::move(body), {}})};
      ast::For loop;
      loop.target = clause->target, loop.iter = clause->iter, loop.body = std::move(body);
      body = {ast::makeStmt(where, std::move(loop))};
    }
    NamePlaces places{
        {where.end, where.end}, where.begin, where.end, where}; // bound in front of all that reads
    locals_.insert(name), grown_.insert(name);
    prelude_.push_back(assign(name, ast::make(where, ast::List{}), where));
    choice_ = withNames(body, {}, own, places);
    isKnown_ &= !places.isFull();
    return nameAt(name, where);
  }
  /// The parts from `from` on that are evaluated before number `at` are computed first.
  ast::Expr cutPart(const ast::Expr& e, std::vector<ast::Expr>& parts, size_t at, size_t from) {
    for (size_t k = from; k < at; ++k) {
      isKnown_ &= !parts[k].is<ast::Slice>() && !parts[k].is<ast::Starred>();
      parts[k] = steady(parts[k], prelude_);
    }
    parts[at] = cut(parts[at]);
    return withParts(e, std::move(parts));
  }

  //===--- the loop ---------------------------------------------------------------------------------------===//

  Body whole() {
    for (size_t k = 1; k < states_.size(); ++k) states_[k] = ofState(k, states_[k]);
    Body first;
    const Span all{fn_.body.front()->span.begin, fn_.body.back()->span.end}, begin{all.begin, all.begin};
    std::vector<uint32_t> places = freePlaces(); // each list has one of its own
    Body out;
    const auto make = [&](const std::string& list, ast::List items) {
      isKnown_ &= !places.empty();
      if (!isKnown_) return;
      const Span where{places.back(), places.back() + 1};
      places.pop_back();
      out.push_back(assign(list, ast::make(where, std::move(items)), where));
    };
    make(goesOn_, {{number(0, begin)}});
    for (const std::string& list : values_) make(list, {});
    for (const auto& [name, list] : kept_) make(list, {});
    const size_t others = values_.size() + kept_.size() + 1; // had places before
    for (size_t k = 0; isApart_ && k < others && !places.empty(); ++k) places.pop_back();
    for (const auto& [name, list] : given_) make(list, {});
    for (const auto& [name, list] : given_) {
      out.push_back(append(list, nameAt(name, begin), begin));
      first.push_back(assign(name, taken(list, begin), begin));
    }
    first.insert(first.end(), states_[0].begin(), states_[0].end());
    states_[0] = ofState(0, first);
    Body chosen = states_.back();
    for (size_t k = states_.size() - 1; k-- > 0;) {
      const ast::Expr is =
          ast::make(begin, ast::Compare{{nameAt(state_, begin), number(k, begin)}, {ast::CompareOp::Eq}});
      chosen = {ast::makeStmt(all, ast::If{is, states_[k], std::move(chosen)})};
    }
    const ast::Expr length = ast::make(begin, ast::Call{nameAt("len", begin), {nameAt(goesOn_, begin)}, {}});
    const ast::Expr isDeep =
        ast::make(begin, ast::Compare{{length, number(kDeepest, begin)}, {ast::CompareOp::Gt}});
    const ast::Expr text = ast::make(begin, ast::StringLit{"maximum recursion depth exceeded"});
    const ast::Expr error = ast::make(begin, ast::Call{nameAt("RecursionError", begin), {text}, {}});
    Body body{assign(state_, method(goesOn_, "pop", {}, begin), begin),
              ast::makeStmt(begin, ast::If{isDeep, {ast::makeStmt(begin, ast::Raise{error})}, {}})};
    body.insert(body.end(), chosen.begin(), chosen.end());
    out.push_back(ast::makeStmt(all, ast::While{nameAt(goesOn_, begin), std::move(body)}));
    if (hasValues_) out.push_back(ast::makeStmt({all.end, all.end}, ast::Return{given({all.end, all.end})}));
    return out;
  }

  std::string goesOn_, state_, temporary_;
  std::vector<std::string> values_;              ///< lists of what calls have returned
  std::map<std::string, std::string> kept_;      ///< lists of what is needed behind calls, by name
  std::set<std::string> locals_, taken_, grown_; ///< grown: own lists that grow
  std::map<std::string, bool> steady_;
  std::map<uint32_t, std::set<std::string>> liveAt_; ///< what a state of a loop needs
  std::vector<Body> states_;
  std::optional<size_t> width_; ///< of the tuples that it returns
  size_t lists_ = 0;
  bool hasValues_ = false, isKnown_ = true;
  bool areCopies_ = false; ///< what waits in lists
  const bool isApart_;     ///< all that a state has is its own, arguments wait in lists, too
  std::map<std::string, std::string> given_; ///< these, by parameter
  const ast::Call* found_ = nullptr;
  Body prelude_, choice_;
};

} // namespace

std::optional<ast::Function> resumed(const ast::Function& fn, bool isMethod, bool isApart) {
  const ast::Function plain = ofStates(fn);
  return Resumed(plain, isMethod, isApart).run();
}

} // namespace appyc::sema
