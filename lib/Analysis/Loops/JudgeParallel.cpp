//===- JudgeParallel.cpp - may a loop's iterations run in any order? --------------------------------===//
// A conflict is a pair of different iterations that touch one element, at least one writing. No conflict:
// proven. Conflict-free only at bounded sizes: refuted, with a witness. Conflict-free at unbounded sizes
// under a condition: conditional. A conflict that rests on an access which stands for "anything in the
// array", or happens only perhaps: unknown.
#include "Accesses.h"
#include "Isl.h"
#include "Polynomial.h"
#include "Scalars.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace appyc::analysis {

namespace {

constexpr const char* kIteration = "i0";
constexpr const char* kApart = "{ S[i] -> S[j] : i != j }";

/// The array whose element for the iteration, and no other, `at` is, as a subscript: places[i], or of the row at hand places[r, i].
const ir::Load* placeOf(const ir::Expr& at, const ir::For& loop, std::set<Symbol> varying) {
  const auto* wrap = at.as<ir::Call>();
  const auto* l = (wrap && wrap->fn == ir::Intrinsic::WrapIndex ? wrap->args[0] : at).as<ir::Load>();
  if (!l || l->index.empty() || !ir::equal(l->index.back(), ir::var(loop.index))) return nullptr;
  varying.insert(loop.index);
  const bool isOfRow = std::all_of(l->index.begin(), l->index.end() - 1, [&](const ir::Expr& e) {
    return !ir::readsMemory(e) && !ir::mentionsAny(e, varying);
  });
  return isOfRow ? l : nullptr;
}

/// Is it another element in each iteration? a[b + c * i], with c > 0, or a[places[i]] (Buffer::places).
///   is_prime[p * p + p * i] = False
bool isSpread(const std::vector<ir::Expr>& index, const ir::For& loop, const Context& context,
              const std::set<Symbol>& varying) {
  std::set<Symbol> told;
  for (const ir::Expr& at : index) {
    if (const ir::Load* place = placeOf(at, loop, varying)) told.insert(place->buffer);
    if (ir::readsMemory(at) || ir::mentionsAny(at, varying)) continue;
    const ir::Expr step = growthOf(at, loop.index);
    if (step && isNonNegative(ir::sub(step, ir::intConst(1)), context)) return true;
  }
  return std::ranges::any_of(told, [&](const Symbol& array) {
    const auto known = context.places.find(array);
    return known != context.places.end() && std::ranges::all_of(known->second, [&](const Symbol& part) {
             return told.count(part) > 0 && !ir::storedBuffers(loop.body).count(part);
           });
  });
}

/// Do the iterations have rows of their own, each behind the one before? By where the first and the last element of a row
/// are, for subscripts that grow with the loops inside.
///   for i in range(n):
///     for j in range(i + 1): packed[i * (i + 1) // 2 + j] = ..
class RowByRow {
public:
  /// `inner`: the loops around the store, outside in.
  RowByRow(const ir::For& loop, const std::vector<const ir::For*>& inner, const Context& context)
      : loop_(loop), inner_(inner), inRow_(context), assigned_(ir::assignedVars(loop.body)) {
    inRow_.loops.push_back(&loop);
  }

  bool holds(const ir::Expr& at) const {
    const auto isFixed = [&](const ir::Expr& e) {
      return !ir::readsMemory(e) && !ir::mentionsAny(e, assigned_);
    };
    const auto hasFixedBounds = [&](const ir::For* l) { return isFixed(l->lo) && isFixed(l->hi); };
    const auto step = ir::constantInt(loop_.step);
    if (!step || !isFixed(at) || !std::ranges::all_of(inner_, hasFixedBounds)) return false;
    const std::optional<Polynomial> place = Polynomial::of(at, inRow_);
    // Rows may lie one before the other as well.
    return place && place->mentions(loop_.index) &&
           (grows(*place, *step) || grows(*Polynomial().plus(*place, -1), *step));
  }

private:
  using Maybe = std::optional<Polynomial>;

  bool grows(const Polynomial& place, int64_t step) const {
    Maybe first = place, last = place;
    for (size_t k = inner_.size(); k-- > 0;) {
      const ir::For& l = *inner_[k];
      Context around = inRow_;
      around.loops.insert(around.loops.end(), inner_.begin(),
                          inner_.begin() + static_cast<std::ptrdiff_t>(k));
      const int64_t by = ir::constantInt(l.step).value_or(0);
      const ir::Expr one = ir::intConst(1);
      const Maybe least = Polynomial::of(by > 0 ? l.lo : ir::add(l.hi, one), around),
                  most = Polynomial::of(by > 0 ? ir::sub(l.hi, one) : l.lo, around);
      if (by == 0 || !least || !most) return false;
      around.loops.push_back(&l);
      if (!isAtLeast(moved(first, l.index, 1), first, 0, around) ||
          !isAtLeast(moved(last, l.index, 1), last, 0, around))
        return false;
      first = first->with(l.index, *least), last = last->with(l.index, *most);
      if (!first || !last) return false;
    }
    return isAtLeast(last, first, -1, inRow_) && isAtLeast(moved(first, loop_.index, step), last, 1, inRow_);
  }
  /// a >= b + more
  static bool isAtLeast(const Maybe& a, const Maybe& b, int64_t more, const Context& where) {
    const Maybe apart = a && b ? a->plus(*b, -1) : std::nullopt;
    const Maybe left = apart ? apart->plus(Polynomial(-more)) : std::nullopt;
    return left && isNonNegative(*left, where);
  }
  static Maybe moved(const Maybe& p, const Symbol& index, int64_t by) {
    const Maybe after = Polynomial(index).plus(Polynomial(by));
    return p && after ? p->with(index, *after) : std::nullopt;
  }

  const ir::For& loop_;
  const std::vector<const ir::For*>& inner_;
  Context inRow_; ///< inside of the loop
  std::set<Symbol> assigned_;
};

/// Arrays of which an iteration touches its own element and its partner's, where it is the first of the two: the partner of
/// its partner is itself, which does nothing then.
///   for i in range(n):
///     l = i ^ j
///     if l > i: a[i], a[l] = f(a[i], a[l])
class Partners {
public:
  Partners(const ir::For& loop, const Context& context)
      : loop_(loop), index_(ir::var(loop.index)), values_(ir::onlyValues(loop.body)) {
    Context inside = context;
    inside.loops.push_back(&loop);
    if (!isNonNegative(index_, inside)) return; // else it may count from the end
    visit(loop.body, false);
  }
  std::set<Symbol> arrays() const {
    std::set<Symbol> all;
    for (const auto& [array, isPaired] : arrays_)
      if (isPaired) all.insert(array);
    return all;
  }

private:
  /// `isFirst`: whether the partner is known to come behind.
  void visit(const ir::Stmt& s, bool isFirst) {
    if (const auto* branch = s.as<ir::If>()) {
      look(branch->cond, isFirst);
      bool then = isFirst;
      for (const ir::Expr& e : ir::conjunctsOf(branch->cond)) then |= tellsFirst(e);
      visit(branch->then, then);
      if (branch->otherwise) visit(branch->otherwise, isFirst);
      return;
    }
    bool isLeaf = true;
    ir::forEachChild(s, [&](const ir::Stmt&) { isLeaf = false; });
    if (const auto* store = s.as<ir::Store>())
      touch(store->buffer, store->index, isFirst);
    else if (isLeaf) // products, routines, exchanges
      for (const Symbol& array : ir::storedBuffers(s)) arrays_[array] = false;
    ir::forEachExpr(s, [&](const ir::Expr& e) { look(e, isFirst); });
    ir::forEachChild(s, [&](const ir::Stmt& child) { visit(child, isFirst); });
  }
  void look(const ir::Expr& e, bool isFirst) {
    ir::each<ir::Load>(e, [&](const ir::Load& l) { touch(l.buffer, l.index, isFirst); });
  }
  void touch(const Symbol& array, const std::vector<ir::Expr>& index, bool isFirst) {
    const auto isOfPair = [&](const ir::Expr& e) {
      const ir::Expr plain = ir::beforeWrap(e), at = plainOf(plain ? plain : e);
      return ir::equal(at, index_) || isPartner(at);
    };
    bool& isPaired = arrays_.try_emplace(array, true).first->second;
    isPaired = isPaired && isFirst && std::ranges::any_of(index, isOfPair);
  }

  ir::Expr plainOf(const ir::Expr& e) const {
    const auto* c = e.as<ir::Cast>();
    if (c && c->type == ir::DType::I64) return plainOf(c->arg);
    const auto* v = e.as<ir::Var>();
    const auto value = v ? values_.find(v->name) : values_.end();
    return value == values_.end() ? e : plainOf(value->second);
  }
  /// i ^ s, with one s for all of the loop.
  bool isPartner(const ir::Expr& e) {
    const auto* x = e.as<ir::Binary>();
    if (!x || x->op != ir::BinaryOp::BitXor) return false;
    const bool isLeft = ir::equal(plainOf(x->lhs), index_);
    const ir::Expr& by = isLeft ? x->rhs : x->lhs;
    if ((!isLeft && !ir::equal(plainOf(x->rhs), index_)) || ir::readsMemory(by) ||
        ir::mentionsAny(by, ir::varyingWith(loop_)))
      return false;
    if (!by_) by_ = by;
    return ir::equal(by_, by);
  }
  bool tellsFirst(const ir::Expr& e) {
    const auto* c = e.as<ir::Binary>();
    if (!c) return false;
    const bool less = c->op == ir::BinaryOp::Lt, greater = c->op == ir::BinaryOp::Gt;
    const ir::Expr &own = less ? c->lhs : c->rhs, &partner = less ? c->rhs : c->lhs;
    return (less || greater) && ir::equal(plainOf(own), index_) && isPartner(plainOf(partner));
  }

  const ir::For& loop_;
  ir::Expr index_, by_;
  std::map<Symbol, ir::Expr> values_;
  std::map<Symbol, bool> arrays_; ///< those that are touched: as pairs alone?
};

/// Arrays of which each iteration touches elements of its own alone, by one store or as one of a pair.
std::set<Symbol> spreadArrays(const ir::For& loop, const Context& context) {
  std::map<Symbol, int> touched;
  ir::each<ir::Load>(loop.body, [&](const ir::Load& l) { touched[l.buffer] += 2; });
  ir::each<ir::Store>(loop.body, [&](const ir::Store& s) { ++touched[s.buffer]; });
  ir::visit(loop.body, [&](const ir::Stmt& s) {
    bool isLeaf = true;
    ir::forEachChild(s, [&](const ir::Stmt&) { isLeaf = false; });
    if (isLeaf && !s.is<ir::Store>()) // products, routines, exchanges: more than an element, or it is loaded
      for (const std::set<Symbol>& arrays : {ir::loadedBuffers(s), ir::storedBuffers(s)})
        for (const Symbol& array : arrays) touched[array] += 2;
    return true;
  });
  const std::set<Symbol> assigned = ir::assignedVars(loop.body);
  std::set<Symbol> spread;
  std::vector<const ir::For*> inner;
  const std::function<void(const ir::Stmt&)> visit = [&](const ir::Stmt& s) {
    if (const auto* l = s.as<ir::For>()) {
      inner.push_back(l);
      visit(l->body);
      inner.pop_back();
      return;
    }
    if (const auto* store = s.as<ir::Store>(); store && touched[store->buffer] == 1) {
      std::set<Symbol> varying = assigned;
      for (const ir::For* l : inner) varying.insert(l->index);
      const RowByRow rows(loop, inner, context);
      if (isSpread(store->index, loop, context, varying) ||
          std::ranges::any_of(store->index, [&](const ir::Expr& at) { return rows.holds(at); }))
        spread.insert(store->buffer);
    }
    ir::forEachChild(s, visit);
  };
  visit(loop.body);
  spread.merge(Partners(loop, context).arrays());
  return spread;
}

struct Judge {
  const ir::For& loop;
  const Context& context;
  Scope scope;
  std::vector<Access> accesses;
  std::vector<Access> distinct;                 ///< those that say something new
  std::vector<std::string> relations;           ///< of the distinct ones
  std::vector<std::pair<size_t, size_t>> pairs; ///< of distinct ones that may conflict
  std::optional<Meetings> quickly;
  std::optional<Union> badParams; ///< at which some iterations conflict, as far as that is found without isl
  std::vector<const ir::For*> boxes; ///< loops inside whose number of iterations is fixed
  bool mayRaise = false, swaps = false, calls = false;
  ParallelVerdict verdict;

  Judge(const ir::For& l, const Context& c) : loop(l), context(c), scope(c) {}

  void collect() {
    scope.stored = ir::storedBuffers(loop.body);
    AccessCollector collector(scope);
    collector.enter(loop, kIteration);
    collector.collect(loop.body);
    accesses = std::move(collector.accesses);
    settle({&accesses});
    boxes = std::move(collector.boxes);
    mayRaise = collector.mayRaise;
    swaps = collector.swaps;
    calls = collector.calls;
  }

  /// What holds of the parameters, `more` included.
  std::string known(const Term& more = {}, const std::string& extra = "") {
    Term t = scope.contextConstraints();
    append(t, more);
    return fmt::format("{} -> {{ : {} }}", scope.paramList(extra), formula(t));
  }
  isl::set paramSet(isl::ctx ctx, const Term& more, const std::string& extra = "") {
    return readParams(ctx, known(more, extra));
  }

  /// That all sizes and trip counts are at least t, and t beyond what is told apart from the rest: a size of 1 broadcasts.
  std::string large() {
    Term all;
    all.constraints.emplace_back("t >= 2");
    for (const std::string& size : scope.sizes()) all.constraints.push_back(size + " >= t");
    std::vector<const ir::For*> loops = context.loops;
    loops.insert(loops.end(), boxes.begin(), boxes.end());
    for (const ir::For* l : loops)
      if (std::optional<Term> t = scope.tripAtLeast(*l, "t")) append(all, *t);
    return known(all, "t");
  }
  /// Are there safe parameters at which all sizes and trip counts are at least t, for unboundedly large t?
  bool unbounded(isl::ctx ctx, const isl::set& safe) {
    isl::set all = readParams(ctx, large()).intersect(safe);
    if (all.is_empty()) return false;
    int t = isl_set_find_dim_by_name(all.get(), isl_dim_param, "t");
    isl::set only = isl::manage(
        isl_set_project_out(all.copy(), isl_dim_param, static_cast<unsigned>(t) + 1,
                            static_cast<unsigned>(isl_set_dim(all.get(), isl_dim_param) - t - 1)));
    only = isl::manage(isl_set_project_out(only.release(), isl_dim_param, 0, static_cast<unsigned>(t)));
    return isl_set_dim_has_upper_bound(only.get(), isl_dim_param, 0) == isl_bool_false;
  }

  static std::vector<int64_t> elementOf(const isl::map& touched, const isl::map& other, const Sample& at);
  void describeWitness(const Sample& at, const std::vector<int64_t>& element, const Access& a,
                       const Access& b);
  std::string whyInexact(const Access& a) const;
  void relate();
  bool conflictFree();
  bool isRefutedAtOnce();
  bool describeQuickly(const Meeting& meeting, const Access& a, const Access& b);
  bool addConflicts(isl::ctx ctx, Relations& maps, size_t x, size_t y, isl::set& bad);
  std::string apartByStep();
  Answer judgeMemory(isl::ctx ctx);
  bool refuted(isl::ctx ctx, const isl::set& bad);
  isl::set safeWhere(isl::ctx ctx, const isl::set& bad);
  Answer decide(isl::ctx ctx, const isl::set& bad, bool inexact);
};

/// The element that both accesses touch in the sampled iterations.
std::vector<int64_t> Judge::elementOf(const isl::map& touched, const isl::map& other, const Sample& at) {
  auto elements = [&](const isl::map& accessed, long iteration) {
    isl_map* m = isl_map_fix_si(accessed.copy(), isl_dim_in, 0, static_cast<int>(iteration));
    for (const auto& [param, value] : at.params) {
      int dim = isl_map_find_dim_by_name(m, isl_dim_param, param.c_str());
      if (dim >= 0) m = isl_map_fix_si(m, isl_dim_param, static_cast<unsigned>(dim), static_cast<int>(value));
    }
    return isl::manage(isl_map_range(m));
  };
  const Sample element = smallSample(elements(touched, at.dims[0]).intersect(elements(other, at.dims[1])));
  return {element.dims.begin(), element.dims.end()};
}

/// One concrete pair, small: tells people what goes wrong.
void Judge::describeWitness(const Sample& at, const std::vector<int64_t>& indices, const Access& a,
                            const Access& b) {
  const std::string element =
      indices.empty() ? a.buffer.hint() : fmt::format("{}[{}]", a.buffer.hint(), fmt::join(indices, ", "));
  long first = at.dims[0], second = at.dims[1];
  const Access *early = &a, *late = &b;
  bool upward = ir::constantInt(loop.step).value_or(1) > 0;
  if (upward ? first > second : first < second) std::swap(first, second), std::swap(early, late);
  auto verb = [](const Access& access) {
    return access.atomic ? "updates" : access.write ? "writes" : "reads";
  };
  const std::string& i = loop.index.hint();
  verdict.witness = fmt::format("iteration {}={} {} {}, iteration {}={} {} it{}", i, first, verb(*early),
                                element, i, second, verb(*late), early->write && late->write ? " too" : "");
  for (const ir::For* outer : context.loops)
    for (const auto& [param, value] : at.params)
      if (std::optional<Term> t = scope.translate(ir::var(outer->index)); t && t->text == param)
        verdict.witness += fmt::format("{}{}={}", outer == context.loops.front() ? ", with " : ", ",
                                       outer->index.hint(), value);
  verdict.writeAt = early->write ? early->span : late->span;
  verdict.otherAt = early->write ? late->span : early->span;
}

std::string Judge::whyInexact(const Access& a) const {
  for (const std::string& subscript : a.subscript)
    if (subscript.empty())
      return fmt::format("which element of `{}` is used is known only at run time", a.buffer.hint());
  return fmt::format("whether `{}` is used is known only at run time", a.buffer.hint());
}

/// Are there conflicts at all but bounded sizes?
bool Judge::refuted(isl::ctx ctx, const isl::set& bad) {
  std::optional<bool> isBad;
  if (badParams) isBad = quickly->holdsWhere(*badParams, large());
  if (!isBad) {
    const isl::set safe = paramSet(ctx, {}).subtract(bad);
    isBad = safe.is_empty() || !unbounded(ctx, safe);
  }
  if (*isBad) verdict.reason = verdict.witness;
  return *isBad;
}

/// Where it is safe, given that there are two iterations: where there are not is no conflict, and the condition need not
/// speak of that.
isl::set Judge::safeWhere(isl::ctx ctx, const isl::set& bad) {
  const std::optional<Term> two = scope.tripAtLeast(loop, "2");
  const std::string given = fmt::format("{} -> {{ : {} }}", scope.paramList(), formula(two.value_or(Term())));
  if (const std::optional<Condition> c = badParams ? quickly->condition(*badParams, given) : std::nullopt) {
    const auto setOf = [&](const Union& systems) { return paramsOf(ctx, quickly->params(), systems); };
    const isl::set safe = setOf({c->known}).subtract(setOf(c->holds).coalesce()).coalesce();
    return safe.gist(setOf({c->given})).coalesce();
  }
  const isl::set params = paramSet(ctx, {}), safe = params.subtract(bad).coalesce();
  return safe.gist(two ? paramSet(ctx, *two) : params).coalesce();
}

Answer Judge::decide(isl::ctx ctx, const isl::set& bad, bool inexact) {
  if (inexact) return Answer::Unknown;
  verdict.reason = fmt::format("for some sizes, {}", verdict.witness);
  ir::Expr condition = conditionExpr(safeWhere(ctx, bad), scope);
  if (!condition || ir::readsMemory(condition)) return Answer::Unknown;
  verdict.condition = condition;
  return Answer::Conditional;
}

void Judge::relate() {
  (void)scope.contextConstraints(), (void)scope.tripAtLeast(loop, "2"); // makes their parameters known
  std::set<std::string> seen;
  for (const Access& a : accesses) {
    std::string text = relation(scope, a, kIteration);
    if (!seen.insert(fmt::format("{} {} {} {} {}", a.buffer.id(), text, a.write, a.exact,
                                 a.atomic ? static_cast<int>(*a.atomic) : -1))
             .second)
      continue;
    distinct.push_back(a);
    relations.push_back(std::move(text));
  }
  std::optional<std::set<Symbol>> spread;
  for (size_t x = 0; x < distinct.size(); ++x)
    for (size_t y = x; y < distinct.size(); ++y) {
      if (!mayConflict(distinct[x], distinct[y])) continue;
      if ((!distinct[x].exact || !distinct[y].exact) && !spread) spread = spreadArrays(loop, context);
      if (!spread || !spread->count(distinct[x].buffer)) pairs.emplace_back(x, y);
    }
}

/// Do no two different iterations touch one element? The usual answer, worth a shorter way than a verdict.
bool Judge::conflictFree() {
  std::set<Meeting> meetings;
  for (const auto& [x, y] : pairs) meetings.insert({relations[x], relations[y], kApart});
  quickly.emplace(known());
  return noneMeet(*quickly, meetings);
}

/// Is the first conflict for certain one at all but bounded sizes? What judgeMemory() finds then, without isl.
bool Judge::isRefutedAtOnce() {
  for (const auto& [x, y] : pairs) {
    const Access &a = distinct[x], &b = distinct[y];
    const Meeting meeting{relations[x], relations[y], kApart};
    const std::optional<bool> never = quickly->never(meeting);
    if (!never) return false;
    if (*never || !a.exact || !b.exact) continue;
    const std::optional<Union> where = quickly->where(meeting);
    if (!where || !quickly->holdsWhere(*where, large()).value_or(false)) return false;
    if (!describeQuickly(meeting, a, b)) return false;
    verdict.reason = verdict.witness;
    return true;
  }
  return false;
}

bool Judge::describeQuickly(const Meeting& meeting, const Access& a, const Access& b) {
  const std::optional<Touch> touch = quickly->smallest(meeting);
  if (!touch) return false;
  Sample at{{touch->points.begin(), touch->points.end()}, {}};
  for (size_t p = 0; p < touch->params.size(); ++p)
    at.params.emplace_back(scope.params()[p].first, touch->params[p]);
  describeWitness(at, touch->element, a, b);
  return true;
}

/// Adds to `bad` the parameters at which the accesses' different iterations touch one element; false if it has them.
bool Judge::addConflicts(isl::ctx ctx, Relations& maps, size_t x, size_t y, isl::set& bad) {
  const std::optional<Union> quick = quickly->where({relations[x], relations[y], kApart});
  if (!quick) badParams.reset();
  if (badParams && !addDifferent(*badParams, *quick)) return false;
  const isl::set where = quick
                             ? paramsOf(ctx, quickly->params(), *quick)
                             : isl::manage(isl_map_params(maps.apart(relations[x], relations[y]).release()));
  if (where.is_subset(bad)) return false;
  bad = bad.unite(where).coalesce();
  return true;
}

/// Pairs of iterations of a loop whose step is a number of the call's: they are at least so far apart. Empty where it is constant.
///   for i in range(0, n, s): for k in range(s): a[i + k] = f(i, k)
std::string Judge::apartByStep() {
  const std::optional<Term> step = ir::constantInt(loop.step) ? std::nullopt : scope.translate(loop.step);
  if (!step) return {};
  Term t;
  append(t, *step);
  t.constraints.push_back(fmt::format("(({0} > 0 and (a - b >= {0} or b - a >= {0})) or "
                                      "({0} < 0 and (b - a >= -({0}) or a - b >= -({0}))))",
                                      step->text));
  return fmt::format("{} -> {{ S[a] -> S[b] : {} }}", scope.paramList(), formula(t));
}

Answer Judge::judgeMemory(isl::ctx ctx) {
  const isl::set params = paramSet(ctx, {});
  isl::set bad = isl::manage(isl_set_empty(isl_set_get_space(params.get())));
  Relations maps(ctx, params);
  const std::string steps = apartByStep();
  bool inexact = false, exactConflict = false, isJudged = false;
  badParams.emplace();
  for (const auto& [x, y] : pairs) {
    const Access &a = distinct[x], &b = distinct[y];
    const Meeting meeting{relations[x], relations[y], kApart};
    const std::optional<bool> never = quickly->never(meeting);
    if (never.value_or(false)) continue;
    if (!never && maps.apart(relations[x], relations[y]).is_empty()) continue;
    if (!steps.empty() && maps.apart(relations[x], relations[y]).intersect(maps[steps]).is_empty()) continue;
    if (!a.exact || !b.exact) {
      inexact = true;
      verdict.reason = whyInexact(a.exact ? b : a);
      continue;
    }
    if (!addConflicts(ctx, maps, x, y, bad)) continue;
    isJudged = !exactConflict;
    if (exactConflict) continue;
    exactConflict = true;
    if (!describeQuickly(meeting, a, b)) {
      const isl::map conflicts = maps.apart(relations[x], relations[y]);
      const Sample at = smallSample(isl::manage(isl_map_wrap(conflicts.copy())));
      describeWitness(at, elementOf(maps[relations[x]], maps[relations[y]], at), a, b);
    }
    if (refuted(ctx, bad)) return Answer::Refuted; // as most are that conflict
  }
  if (exactConflict && !isJudged && refuted(ctx, bad)) return Answer::Refuted;
  if (exactConflict) return decide(ctx, bad, inexact);
  return inexact ? Answer::Unknown : Answer::Proven;
}

} // namespace

ParallelVerdict judgeParallel(const ir::For& loop, const Context& context,
                              const std::set<Symbol>& liveAfter) {
  Judge judge(loop, context);
  judge.collect();
  judge.relate();
  std::optional<Answer> memory = Answer::Proven;
  if (!judge.conflictFree())
    memory = judge.isRefutedAtOnce() ? Answer::Refuted
                                     : askIsl<Answer>([&](isl::ctx ctx) { return judge.judgeMemory(ctx); });
  ParallelVerdict& v = judge.verdict;
  v.answer = memory.value_or(Answer::Unknown);
  if (!memory) v.reason = "the dependences are too many to decide";
  if ((judge.mayRaise || judge.swaps || judge.calls) && v.answer != Answer::Refuted) {
    v.answer = Answer::Unknown;
    v.reason = judge.swaps   ? "arrays change places in it"
               : judge.calls ? "it calls a routine that runs by itself"
                             : "it may raise an exception, or prints";
  }
  ScalarFacts scalars = classifyScalars(loop.body);
  v.reductions = scalars.reductions;
  v.privateScalars = scalars.privates;
  v.carriedScalars = scalars.carried;
  for (const Symbol& s : scalars.privates)
    if (liveAfter.count(s)) v.liveOut.push_back(s);
  if (!scalars.carried.empty()) {
    v.answer = Answer::Refuted;
    v.reason =
        fmt::format("`{}` carries a value from one iteration to the next", scalars.carried.front().hint());
  } else if (!v.liveOut.empty() && v.answer != Answer::Refuted) {
    v.reason = fmt::format("`{}` is read after the loop", v.liveOut.front().hint());
  }
  return std::move(v);
}

} // namespace appyc::analysis
