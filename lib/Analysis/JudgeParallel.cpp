//===- JudgeParallel.cpp - may a loop's iterations run in any order? --------------------------------------------------===//
// A conflict is a pair of different iterations that touch one element, at least one writing. No conflict: proven. Conflict-free
// only at bounded sizes: refuted, with a witness. Conflict-free at unbounded sizes under a condition: conditional. A conflict
// that rests on an access which stands for "anything in the array": unknown.
#include "Accesses.h"
#include "Isl.h"
#include "Scalars.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Rewrite.h"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

namespace appyc::analysis {

namespace {

constexpr const char* kIteration = "i0";

struct Judge {
  const ir::For& loop;
  const Context& context;
  Scope scope;
  std::vector<Access> accesses;
  ParallelVerdict verdict;

  Judge(const ir::For& l, const Context& c) : loop(l), context(c), scope(c) {}

  void collect() {
    AccessCollector collector(scope);
    // What the body assigns has no fixed value at an iteration's start.
    for (Symbol s : ir::assignedVars(loop.body)) scope.bindings[s] = std::nullopt;
    scope.bindings[loop.index] = Term{kIteration, {}, {}};
    collector.exact = rangeConstraints(scope, loop, kIteration, collector.domain);
    collector.collect(loop.body);
    accesses = std::move(collector.accesses);
  }

  static bool mayConflict(const Access& a, const Access& b) {
    return a.buffer == b.buffer && (a.write || b.write) && !(a.atomic && a.atomic == b.atomic) && a.subscript.size() == b.subscript.size();
  }

  isl::set known(isl::ctx ctx) {
    return isl::set(ctx, fmt::format("{} -> {{ : {} }}", scope.paramList(), formula(scope.contextConstraints())));
  }

  /// Pairs (iteration of a, iteration of b) in conflict.
  isl::map conflicts(isl::ctx ctx, const Access& a, const Access& b, const isl::set& params) {
    isl::map left(ctx, relation(scope, a, kIteration)), right(ctx, relation(scope, b, kIteration));
    isl::map pairs = left.apply_range(right.reverse()).intersect_params(params);
    return pairs.subtract(isl::manage(isl_map_identity(isl_map_get_space(pairs.get()))));
  }

  /// The parameters at which all sizes and the trip count can be at least t, for unboundedly large t?
  bool unbounded(isl::ctx ctx, const isl::set& safe) {
    Term t;
    std::optional<Term> lo = scope.translate(loop.lo), hi = scope.translate(loop.hi);
    if (!lo || !hi) return false;
    append(t, *lo), append(t, *hi);
    std::optional<int64_t> step = ir::constantInt(loop.step);
    bool up = step.value_or(1) > 0;
    t.constraints.push_back(fmt::format("({}) - ({}) >= t", up ? hi->text : lo->text, up ? lo->text : hi->text));
    for (Symbol s : context.sizes) t.constraints.push_back(fmt::format("{} >= t", scope.param(s)));
    std::string params = scope.paramList();
    std::string head = params == "[]" ? "[t]" : params.substr(0, params.size() - 1) + ", t]";
    isl::set large = isl::set(ctx, fmt::format("{} -> {{ : {} }}", head, formula(t))).intersect(safe);
    isl_set* s = large.copy();
    while (isl_set_dim(s, isl_dim_param) > 1) {
      const char* name = isl_set_get_dim_name(s, isl_dim_param, 0);
      unsigned at = name && std::string(name) == "t" ? 1 : 0;
      s = isl_set_project_out(s, isl_dim_param, at, 1);
    }
    bool bounded = isl_set_is_empty(s) || isl_set_dim_has_upper_bound(s, isl_dim_param, 0);
    isl_set_free(s);
    return !bounded;
  }

  /// One concrete pair, small: tells people what goes wrong.
  void describeWitness(isl::ctx ctx, const isl::map& pairs, const Access& a, const Access& b) {
    isl::map small = pairs;
    for (int limit : {4, 8, 16}) { // prefer small numbers
      std::string box = fmt::format("{{ S[i] -> S[j] : -{0} <= i <= {0} and -{0} <= j <= {0} }}", limit);
      isl::map inside = pairs.intersect(isl::map(ctx, box));
      if (!inside.is_empty()) {
        small = inside;
        break;
      }
    }
    isl::set point = isl::manage(isl_set_from_basic_set(isl_basic_set_sample(isl_basic_map_wrap(isl_map_sample(small.copy())))));
    isl_point* p = isl_set_sample_point(point.copy());
    isl_val* x = isl_point_get_coordinate_val(p, isl_dim_set, 0);
    isl_val* y = isl_point_get_coordinate_val(p, isl_dim_set, 1);
    long first = isl_val_get_num_si(x), second = isl_val_get_num_si(y);
    isl_val_free(x), isl_val_free(y), isl_point_free(p);
    const Access *early = &a, *late = &b;
    if (first > second) std::swap(first, second), std::swap(early, late);
    auto verb = [](const Access& access) { return access.write ? "writes" : "reads"; };
    const std::string& i = loop.index.hint();
    verdict.witness = fmt::format("iteration {}={} {} {} of `{}`, iteration {}={} {} it", i, first, verb(*early),
                                  a.subscript.empty() ? "the element" : "an element", a.buffer.hint(), i, second, verb(*late));
    verdict.writeAt = early->write ? early->span : late->span;
    verdict.otherAt = early->write ? late->span : early->span;
  }

  std::optional<ir::Expr> constraintExpr(isl_constraint* c) {
    if (isl_constraint_dim(c, isl_dim_div) != 0) {
      for (int k = 0; k < isl_constraint_dim(c, isl_dim_div); ++k)
        if (isl_constraint_involves_dims(c, isl_dim_div, static_cast<unsigned>(k), 1)) return std::nullopt;
    }
    auto number = [](isl_val* v) {
      long n = isl_val_get_num_si(v);
      isl_val_free(v);
      return n;
    };
    ir::Expr sum = ir::intConst(0);
    for (int k = 0; k < isl_constraint_dim(c, isl_dim_param); ++k) {
      long factor = number(isl_constraint_get_coefficient_val(c, isl_dim_param, k));
      if (factor == 0) continue;
      auto it = scope.params().find(isl_constraint_get_dim_name(c, isl_dim_param, static_cast<unsigned>(k)));
      if (it == scope.params().end()) return std::nullopt;
      sum = ir::add(sum, ir::mul(ir::intConst(factor), ir::var(it->second)));
    }
    sum = ir::add(sum, ir::intConst(number(isl_constraint_get_constant_val(c))));
    return ir::binary(isl_constraint_is_equality(c) ? ir::BinaryOp::Eq : ir::BinaryOp::Ge, sum, ir::intConst(0));
  }

  /// A set of parameters as a Bool expression; nullopt when it needs divisions or is too long to be worth a test.
  std::optional<ir::Expr> setExpr(const isl::set& set) {
    if (isl_set_n_basic_set(set.get()) > 6) return std::nullopt;
    struct Collector {
      Judge& judge;
      std::optional<ir::Expr> any = ir::boolConst(false);
      std::optional<ir::Expr> all;
    } collector{*this, ir::boolConst(false), std::nullopt};
    isl_set_foreach_basic_set(
        set.get(),
        [](isl_basic_set* piece, void* user) {
          auto& c = *static_cast<Collector*>(user);
          c.all = ir::boolConst(true);
          isl_basic_set_foreach_constraint(
              piece,
              [](isl_constraint* constraint, void* inner) {
                auto& d = *static_cast<Collector*>(inner);
                std::optional<ir::Expr> e = d.judge.constraintExpr(constraint);
                if (d.all && e) d.all = ir::binary(ir::BinaryOp::LogicalAnd, *d.all, *e);
                else d.all = std::nullopt;
                isl_constraint_free(constraint);
                return isl_stat_ok;
              },
              user);
          isl_basic_set_free(piece);
          if (c.any && c.all) c.any = ir::binary(ir::BinaryOp::LogicalOr, *c.any, *c.all);
          else c.any = std::nullopt;
          return isl_stat_ok;
        },
        &collector);
    return collector.any;
  }

  Answer judgeMemory(isl::ctx ctx) {
    scope.contextConstraints();
    (void)scope.translate(loop.lo), (void)scope.translate(loop.hi);
    isl::set params = known(ctx), bad = params.subtract(params);
    bool inexact = false, refutable = false;
    std::string inexactName;
    for (size_t x = 0; x < accesses.size(); ++x)
      for (size_t y = x; y < accesses.size(); ++y) {
        const Access &a = accesses[x], &b = accesses[y];
        if (!mayConflict(a, b)) continue;
        isl::map pairs = conflicts(ctx, a, b, params);
        if (pairs.is_empty()) continue;
        if (!a.exact || !b.exact) {
          inexact = true;
          inexactName = a.buffer.hint();
          continue;
        }
        if (!refutable) describeWitness(ctx, pairs, a, b);
        refutable = true;
        bad = bad.unite(isl::manage(isl_map_params(pairs.copy()))).coalesce();
      }
    if (!refutable) {
      if (inexact) verdict.reason = fmt::format("the subscripts of `{}` depend on data", inexactName);
      return inexact ? Answer::Unknown : Answer::Proven;
    }
    isl::set safe = params.subtract(bad).coalesce();
    verdict.reason = verdict.witness;
    if (safe.is_empty() || !unbounded(ctx, safe)) return Answer::Refuted;
    if (inexact) return Answer::Unknown;
    std::optional<ir::Expr> condition = setExpr(safe.gist(params));
    if (!condition) return Answer::Unknown;
    verdict.condition = *condition;
    return Answer::Conditional;
  }
};

} // namespace

ParallelVerdict judgeParallel(const ir::For& loop, const Context& context, const std::set<Symbol>& liveAfter) {
  Judge judge(loop, context);
  ScalarFacts scalars = classifyScalars(loop.body);
  judge.collect();
  std::optional<Answer> memory = askIsl<Answer>([&](isl::ctx ctx) { return judge.judgeMemory(ctx); });
  ParallelVerdict& v = judge.verdict;
  v.answer = memory.value_or(Answer::Unknown);
  if (!memory) v.reason = "the dependences are too many to decide";
  v.reductions = scalars.reductions;
  v.privateScalars = scalars.privates;
  v.carriedScalars = scalars.carried;
  for (Symbol s : scalars.privates)
    if (liveAfter.count(s)) v.liveOut.push_back(s);
  if (!scalars.carried.empty()) {
    v.answer = Answer::Refuted;
    v.reason = fmt::format("`{}` carries a value from one iteration to the next", scalars.carried.front().hint());
  } else if (!v.liveOut.empty() && v.answer != Answer::Refuted) {
    v.reason = fmt::format("`{}` is read after the loop", v.liveOut.front().hint());
  }
  return std::move(v);
}

} // namespace appyc::analysis
