//===- Questions.cpp - signs, equality, overlap, fusion, lanes --------------------------------------===//
#include "Accesses.h"
#include "Isl.h"
#include "Polynomial.h"
#include "Scalars.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace appyc::analysis {

/// Without arrays that more than one statement stores into: the first one makes them.
static void withoutChanged(std::map<Symbol, std::vector<Symbol>>& places, const ir::Stmt& body) {
  std::map<Symbol, int> writers;
  ir::visit(body, [&](const ir::Stmt& s) {
    bool isLeaf = true;
    ir::forEachChild(s, [&](const ir::Stmt&) { isLeaf = false; });
    if (isLeaf)
      for (const Symbol& array : ir::storedBuffers(s)) ++writers[array];
    return true;
  });
  std::erase_if(places, [&](const auto& known) {
    return std::ranges::any_of(known.second, [&](const Symbol& array) { return writers[array] != 1; });
  });
}

Context contextOf(const ir::Function& function) {
  Context known;
  for (const ir::Size& size : function.sizes) known.sizes.insert(size.name);
  for (const ir::Buffer& b : function.buffers)
    if (!b.places.empty()) known.places.emplace(b.name, b.places);
  if (!known.places.empty()) withoutChanged(known.places, function.body);
  return known;
}

void Following::enter(const ir::Stmt& s) {
  const std::set<Symbol> changed = ir::assignedVars(s);
  std::erase_if(context_.values, [&](const auto& known) {
    return changed.count(known.first) || ir::mentionsAny(known.second, changed);
  });
}

void Following::leave(const ir::Stmt& s) {
  const auto* a = s.as<ir::Assign>();
  if (a && ir::isInteger(ir::typeOf(a->value)) && !ir::readsMemory(a->value) &&
      !ir::mentions(a->value, a->var))
    context_.values[a->var] = a->value;
}

/// Is the set of parameters that satisfy all of `t` and the context empty? False when unsure.
static bool impossible(Scope& scope, Term t) {
  append(t, scope.contextConstraints());
  return holdsNowhere(fmt::format("{} -> {{ : {} }}", scope.paramList(), formula(t)));
}

/// Is it the index of a loop that goes up from such a number? `for j in range(i * i, n, i)`
static bool isUpFromNonNegative(const ir::Var& v, const Context& context) {
  const auto is = [&](const ir::For* loop) { return loop->index == v.name; };
  const auto found = std::ranges::find_if(context.loops, is);
  if (found == context.loops.end()) return false;
  const ir::For& loop = **found;
  Context around = context;
  around.loops.resize(static_cast<size_t>(found - context.loops.begin()));
  const auto isFixed = [&](const ir::Expr& e) {
    return !ir::readsMemory(e) && !ir::mentionsAny(e, ir::assignedVars(loop.body));
  };
  return isFixed(loop.lo) && isFixed(loop.step) &&
         isNonNegative(ir::sub(loop.step, ir::intConst(1)), around) && isNonNegative(loop.lo, around);
}

/// Signs that no set of constraints shows: products, remainders by a variable, unsigned values.
static bool isNonNegativeByForm(const ir::Expr& e, const Context& context) {
  if (const auto* v = e.as<ir::Var>()) return isUpFromNonNegative(*v, context);
  if (const auto* c = e.as<ir::Cast>())
    return ir::isUnsigned(ir::typeOf(c->arg)) && ir::byteSize(ir::typeOf(c->arg)) < 8;
  const auto* b = e.as<ir::Binary>();
  if (!b) return false;
  auto both = [&] { return isNonNegative(b->lhs, context) && isNonNegative(b->rhs, context); };
  auto either = [&] { return isNonNegative(b->lhs, context) || isNonNegative(b->rhs, context); };
  switch (b->op) {
  case ir::BinaryOp::Mod: return isNonNegative(b->rhs, context);
  case ir::BinaryOp::Max: return either();
  case ir::BinaryOp::BitAnd: return either();
  case ir::BinaryOp::Mul: return (ir::equal(b->lhs, b->rhs) && ir::typeOf(e) == ir::DType::I64) || both();
  case ir::BinaryOp::Add:
  case ir::BinaryOp::FloorDiv:
  case ir::BinaryOp::Min: return both();
  default: return false;
  }
}

bool isNonNegative(const ir::Expr& value, const Context& context) {
  if (std::optional<int64_t> c = ir::constantInt(value)) return *c >= 0;
  Scope scope(context);
  if (std::optional<Term> t = scope.translate(value)) {
    t->constraints.push_back(fmt::format("{} < 0", t->text));
    if (impossible(scope, *t)) return true;
  }
  if (isNonNegativeByForm(value, context)) return true;
  const std::optional<Polynomial> p = Polynomial::of(value, context);
  return p && p->degree() > 1 && isNonNegative(*p, context);
}

bool alwaysEqual(const ir::Expr& a, const ir::Expr& b, const Context& context) {
  if (ir::equalIndex(a, b)) return true;
  if (ir::constantInt(a) && ir::constantInt(b)) return false;
  Scope scope(context);
  std::optional<Term> x = scope.translate(a), y = scope.translate(b);
  if (!x || !y) return false;
  append(*x, *y);
  x->constraints.push_back(fmt::format("{} != {}", x->text, y->text));
  return impossible(scope, *x);
}

/// Which pairs of two accesses' points count.
enum class Points { Any, Different, FirstLater, FirstEarlier, FirstNotLater };

/// Two accesses whose points are `dims`; none: any two accesses meet.
struct Pair {
  const Access *a, *b;
  std::vector<std::string> dims;
  Points points = Points::Different;
};

/// As a formula. `upward`: the order of one-dimensional points.
static std::string pairsOf(Points points, size_t dims, bool upward) {
  std::vector<std::string> first, second, apart;
  for (size_t k = 0; k < dims; ++k) {
    first.push_back(fmt::format("i{}", k));
    second.push_back(fmt::format("j{}", k));
    apart.push_back(fmt::format("i{0} != j{0}", k));
  }
  std::string which;
  switch (points) {
  case Points::Any: which = "true"; break;
  case Points::Different: which = dims == 0 ? "1 = 0" : fmt::format("{}", fmt::join(apart, " or ")); break;
  case Points::FirstLater: which = upward ? "i0 > j0" : "i0 < j0"; break;
  case Points::FirstEarlier: which = upward ? "i0 < j0" : "i0 > j0"; break;
  case Points::FirstNotLater: which = upward ? "i0 <= j0" : "i0 >= j0"; break;
  }
  return fmt::format("{{ S[{}] -> S[{}] : {} }}", fmt::join(first, ", "), fmt::join(second, ", "), which);
}

/// Do some two accesses touch one element at points that count? True when unsure.
static bool anyMeets(Scope& scope, const std::vector<Pair>& pairs, bool upward = true) {
  if (pairs.empty()) return false;
  const Term context = scope.contextConstraints();
  std::set<Meeting> meetings;
  for (const Pair& p : pairs) {
    const std::string dims = fmt::format("{}", fmt::join(p.dims, ", "));
    meetings.insert(
        {relation(scope, *p.a, dims), relation(scope, *p.b, dims), pairsOf(p.points, p.dims.size(), upward)});
  }
  return !noneMeet(fmt::format("{} -> {{ : {} }}", scope.paramList(), formula(context)), meetings);
}

bool mayOverlapItself(const ir::IndexStmt& statement, const Context& context) {
  Scope scope(context);
  scope.stored = {statement.target};
  AccessCollector collector(scope);
  std::vector<std::string> dims;
  for (const ir::Range& r : statement.domain) {
    dims.push_back(scope.fresh("i"));
    collector.enter(ir::serialLoop(r.index, ir::intConst(0), r.extent, ir::intConst(1), ir::block({})),
                    dims.back());
  }
  collector.collect(
      ir::makeStmt({}, ir::Store{statement.target, statement.index, statement.value, statement.atomicOp}));
  settle({&collector.accesses});
  const Access& write = collector.accesses.back();
  std::vector<Pair> meetings;
  for (const Access& a : collector.accesses)
    if (mayConflict(a, write)) meetings.push_back({&write, &a, dims, Points::Different});
  return anyMeets(scope, meetings);
}

bool touchesOtherwise(const ir::Stmt& body, const Symbol& buffer, const std::vector<ir::Expr>& index,
                      const Context& context) {
  Scope scope(context);
  scope.stored = ir::storedBuffers(body);
  Access element{buffer, true, {}, true, {}, {}, {}, {}, true, {}};
  for (const ir::Expr& e : index) {
    std::optional<Term> t = scope.translate(e);
    element.subscript.push_back(t ? t->text : "");
    if (t) append(element.where, *t);
  }
  AccessCollector collector(scope);
  for (const Symbol& s : ir::assignedVars(body)) scope.bindings[s] = std::nullopt;
  collector.collect(body);
  if (collector.swaps) return true;
  std::vector<Pair> meetings;
  for (const Access& a : collector.accesses)
    if (a.buffer == buffer && a.subscript != element.subscript)
      meetings.push_back({&element, &a, {}, Points::Any});
  return anyMeets(scope, meetings);
}

/// Would the scalars of two loop bodies keep their values, were the bodies run in turns?
static bool scalarsStayApart(const ir::Stmt& first, const ir::Stmt& second) {
  std::set<Symbol> assignedFirst = ir::assignedVars(first), assignedSecond = ir::assignedVars(second);
  std::set<Symbol> readFirst = exposedScalars(first), readSecond = exposedScalars(second);
  ScalarFacts facts = classifyScalars(second);
  for (const Symbol& s : assignedFirst) {
    if (readSecond.count(s)) return false;
    // The second body's value is the last one in either order, if there surely is one.
    if (assignedSecond.count(s) && !facts.surelyAssigned.count(s)) return false;
  }
  return std::none_of(assignedSecond.begin(), assignedSecond.end(),
                      [&](const Symbol& s) { return readFirst.count(s) > 0; });
}

/// Are the bounds of the second loop the same before the first one?
static bool boundsStay(const ir::For& first, const ir::For& second) {
  std::set<Symbol> assigned = ir::assignedVars(first.body), stored = ir::storedBuffers(first.body);
  for (const ir::Expr& bound : {second.lo, second.hi, second.step}) {
    for (const Symbol& s : ir::freeVars(bound))
      if (assigned.count(s)) return false;
    for (const Symbol& s : ir::loadedBuffers(bound))
      if (stored.count(s)) return false;
  }
  return true;
}

bool mayFuse(const ir::For& first, const ir::For& second, const Context& context, bool parallel) {
  if (!scalarsStayApart(first.body, second.body) || !boundsStay(first, second)) return false;
  Scope scope(context);
  scope.stored = ir::storedBuffers(first.body);
  scope.stored.merge(ir::storedBuffers(second.body));
  const std::string dim = "i0";
  bool mayRaise = false;
  auto accessesOf = [&](const ir::For& loop, const ir::Stmt& other) {
    AccessCollector c(scope);
    for (const Symbol& s : ir::assignedVars(other)) scope.bindings[s] = std::nullopt;
    c.enter(loop, dim);
    c.collect(loop.body);
    mayRaise |= c.mayRaise || c.swaps || c.calls;
    scope.bindings.clear();
    return c.accesses;
  };
  std::vector<Access> a = accessesOf(first, second.body), b = accessesOf(second, first.body);
  settle({&a, &b});
  std::optional<int64_t> step = ir::constantInt(first.step);
  if (mayRaise || (!parallel && !step)) return false;
  std::vector<Pair> meetings;
  for (const Access& x : a)
    for (const Access& y : b)
      if (mayConflict(x, y))
        meetings.push_back({&x, &y, {dim}, parallel ? Points::Different : Points::FirstLater});
  return !anyMeets(scope, meetings, step.value_or(1) > 0);
}

/// The accesses of one iteration of the loop, the point named i0.
static std::vector<Access> accessesOf(const ir::For& loop, Scope& scope, bool& mayRaise) {
  AccessCollector collector(scope);
  collector.enter(loop, "i0");
  collector.collect(loop.body);
  mayRaise |= collector.mayRaise || collector.calls;
  scope.bindings.clear();
  return collector.accesses;
}

bool leadsTo(const ir::For& from, const ir::For& to, const Context& context, bool orSame) {
  Scope scope(context);
  scope.stored = ir::storedBuffers(from.body);
  scope.stored.merge(ir::storedBuffers(to.body));
  bool mayRaise = false;
  std::vector<Access> a = accessesOf(from, scope, mayRaise), b = accessesOf(to, scope, mayRaise);
  settle({&a, &b});
  const std::optional<int64_t> step = ir::constantInt(from.step);
  if (mayRaise || !step) return true;
  std::vector<Pair> meetings;
  for (const Access& x : a)
    for (const Access& y : b)
      if (mayConflict(x, y))
        meetings.push_back({&x, &y, {"i0"}, orSame ? Points::FirstNotLater : Points::FirstEarlier});
  return anyMeets(scope, meetings, *step > 0);
}

bool readsEarlierWrites(const ir::For& loop, const Context& context) {
  Scope scope(context);
  scope.stored = ir::storedBuffers(loop.body);
  bool mayRaise = false;
  std::vector<Access> all = accessesOf(loop, scope, mayRaise);
  settle({&all});
  const std::optional<int64_t> step = ir::constantInt(loop.step);
  if (mayRaise || !step) return true;
  std::vector<Pair> meetings;
  for (const Access& write : all)
    for (const Access& read : all)
      if (write.write && !read.write && write.buffer == read.buffer)
        meetings.push_back({&write, &read, {"i0"}, Points::FirstEarlier});
  return anyMeets(scope, meetings, *step > 0);
}

/// Do the accesses' iterations map to lanes in one way, so that equal ordinals mean one lane?
static bool sameMapping(const Access& a, const Access& b) {
  return std::equal(a.lanes.begin(), a.lanes.end(), b.lanes.begin(), b.lanes.end(),
                    [](const LaneLoop& x, const LaneLoop& y) {
                      std::optional<int64_t> p = ir::constantInt(x.loop->step),
                                             q = ir::constantInt(y.loop->step);
                      return x.loop->mapping.index() == y.loop->mapping.index() &&
                             ir::lanesOf(*x.loop) == ir::lanesOf(*y.loop) &&
                             ir::axisOf(*x.loop) == ir::axisOf(*y.loop) && p && p == q &&
                             !x.ordinal.empty() && !y.ordinal.empty();
                    });
}

/// The access with its lane ordinals named j0, j1, ...
static Access byOrdinal(const Access& a) {
  Access named = a;
  for (size_t k = 0; k < a.lanes.size(); ++k)
    named.where.constraints.push_back(fmt::format("j{} = {}", k, a.lanes[k].ordinal));
  return named;
}

/// What stands outside the loops over lanes is stored by the first lane, which also has such a loop's first
/// iteration: the access without that one. Empty where it is not known which lanes the access is of.
static std::optional<Access> byOtherLanes(const Access& a) {
  if (a.lanes.size() != 1 || a.lanes[0].ordinal.empty() || ir::axisOf(*a.lanes[0].loop) != ir::Axis::X)
    return std::nullopt;
  Access others = a;
  others.where.constraints.push_back(fmt::format("{} != 0", a.lanes[0].ordinal));
  return others;
}

/// `changed`: scalars that have no one value in it.
static std::vector<Access> accessesOf(const ir::Stmt& s, Scope& scope, const std::set<Symbol>& changed = {}) {
  for (const Symbol& v : changed) scope.bindings[v] = std::nullopt;
  AccessCollector collector(scope);
  collector.collect(s);
  scope.bindings.clear();
  return collector.accesses;
}

bool crossesLanes(const ir::Stmt& first, const ir::Stmt& second, const Context& context,
                  const std::set<Symbol>* among) {
  Scope scope(context);
  scope.memoryChanges = true; // other statements may stand between the two
  std::set<Symbol> changed = ir::assignedVars(first);
  std::vector<Access> x = accessesOf(first, scope, changed), y = accessesOf(second, scope, changed);
  settle({&x, &y});
  std::deque<Access> named; // keeps its elements' places
  std::vector<Pair> meetings;
  for (const Access& a : x)
    for (const Access& b : y) {
      if (!mayConflict(a, b) || (among && !among->count(a.buffer))) continue;
      bool uniform = a.lanes.empty() && b.lanes.empty();
      if (uniform && a.write && b.write) continue; // one lane does both
      const Access &outside = a.lanes.empty() ? a : b, &inside = a.lanes.empty() ? b : a;
      if (std::optional<Access> others = byOtherLanes(inside);
          others && outside.lanes.empty() && outside.write) {
        meetings.push_back({&outside, &named.emplace_back(std::move(*others)), {}, Points::Any});
        continue;
      }
      if (uniform || !sameMapping(a, b)) {
        meetings.push_back({&a, &b, {}, Points::Any});
        continue;
      }
      std::vector<std::string> dims;
      for (size_t k = 0; k < a.lanes.size(); ++k) dims.push_back(fmt::format("j{}", k));
      const Access &p = named.emplace_back(byOrdinal(a)), &q = named.emplace_back(byOrdinal(b));
      meetings.push_back({&p, &q, dims, Points::Different});
    }
  return anyMeets(scope, meetings);
}

bool touchSame(const ir::Stmt& first, const ir::Stmt& second, const Context& context) {
  Scope scope(context);
  scope.memoryChanges = true;
  scope.stored = ir::storedBuffers(first);
  scope.stored.merge(ir::storedBuffers(second));
  std::vector<Access> a = accessesOf(first, scope), b = accessesOf(second, scope);
  settle({&a, &b});
  std::vector<Pair> meetings;
  for (const Access& x : a)
    for (const Access& y : b)
      if (mayConflict(x, y)) meetings.push_back({&x, &y, {}, Points::Any});
  return anyMeets(scope, meetings);
}

} // namespace appyc::analysis
