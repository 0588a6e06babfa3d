//===- Directives.cpp - what annotations claim of loops, dimensions and functions, checked ----------===//
#include "Lowering.h"
#include "appyc/Frontend/Frontend.h"
#include "appyc/IR/Walk.h"
#include <charconv>

namespace appyc::sema {

namespace {

std::optional<int> decimal(const std::string& text) {
  int value = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::string textOf(const ast::DimDirective& dim) {
  return fmt::format("{}:{}{}{}", dim.low, dim.up, dim.step.empty() ? "" : ":", dim.step);
}

//===--- updates of a name in a loop ----------------------------------------------------------------===//

/// The name that an assignment changes: `x`, or `x[0]`.
std::string changedName(const ast::Expr& target) {
  if (const auto* s = target.as<ast::Subscript>()) return changedName(s->base);
  const auto* n = target.as<ast::Name>();
  return n ? n->id : "";
}

/// "sum", "prod", "max", "min" when `x = value` is a step of that fold; "" when it is something else.
std::string foldOf(const ast::Expr& target, const ast::Expr& value) {
  std::string self = ast::print(target);
  auto is = [&](const ast::Expr& e) { return ast::print(e) == self; };
  if (const auto* b = value.as<ast::Binary>()) {
    if (b->op == ast::BinaryOp::Mul && (is(b->lhs) || is(b->rhs))) return "prod";
    if (b->op == ast::BinaryOp::Sub && (is(b->lhs) || foldOf(target, b->lhs) == "sum")) return "sum";
    if (b->op == ast::BinaryOp::Add)
      if (is(b->lhs) || is(b->rhs) || foldOf(target, b->lhs) == "sum" || foldOf(target, b->rhs) == "sum")
        return "sum";
  }
  const auto* c = value.as<ast::Call>();
  if (!c || c->args.size() != 2 || (!is(c->args[0]) && !is(c->args[1]))) return "";
  const auto* attribute = c->callee.as<ast::Attribute>();
  const auto* plain = c->callee.as<ast::Name>();
  std::string name = attribute ? attribute->name : plain ? plain->id : "";
  return name == "max" || name == "maximum" ? "max" : name == "min" || name == "minimum" ? "min" : "";
}

/// The operations by which `body` changes `name`; "" among them for an assignment that is no fold.
void collectUpdates(const ast::Body& body, const std::string& name, std::set<std::string>& out) {
  for (const ast::Stmt& s : body)
    match(
        s,
        [&](const ast::Assign& a) {
          for (const ast::Expr& t : a.targets)
            if (changedName(t) == name) out.insert(foldOf(t, a.value));
        },
        [&](const ast::AugAssign& a) {
          if (changedName(a.target) != name) return;
          bool sum = a.op == ast::BinaryOp::Add || a.op == ast::BinaryOp::Sub;
          out.insert(sum ? "sum" : a.op == ast::BinaryOp::Mul ? "prod" : "");
        },
        [&](const ast::For& f) { collectUpdates(f.body, name, out); },
        [&](const ast::While& w) { collectUpdates(w.body, name, out); },
        [&](const ast::If& i) {
          if (const auto* c = i.cond.as<ast::Completes>()) collectUpdates(c->tried, name, out);
          collectUpdates(i.then, name, out), collectUpdates(i.otherwise, name, out);
        },
        [](const auto&) {});
}

} // namespace

//===--- constants ----------------------------------------------------------------------------------===//

int Lowering::constantOption(const std::string& text, Span where) {
  if (std::optional<int> number = decimal(text)) return *number;
  std::optional<int64_t> value;
  if (auto it = env().find(text); it != env().end()) value = constantArgument(it->second);
  if (file())
    for (const ast::Constant& c : file()->module->constants)
      if (!value && c.value && c.name == text && !env().count(text))
        value = constantArgument(evalFileConstant(*file(), c, where));
  for (const auto& size : frame().function->directive.sizes)
    if (!value && size.name == text && !env().count(text)) value = size.value;
  if (!value) {
    error(DiagId::BadDirective, where,
          fmt::format(
              "`{}` is not a constant; give a number, a parameter with a literal default, or a key of `tune`",
              text));
    return 0;
  }
  if (*value >= 1 && *value <= INT32_MAX) return static_cast<int>(*value);
  error(DiagId::BadDirective, where,
        fmt::format("`{}` is {} here; a size is a positive integer", text, *value));
  return 0;
}

//===--- loops --------------------------------------------------------------------------------------===//

/// `appy.prange(n)`, `appy.range(n, parallel=True, simd=True)`.
ast::LoopMark Lowering::markOfIterator(const ast::Expr& iter) {
  const auto* call = iter.as<ast::Call>();
  if (!call || !(call->callee.is<ast::Attribute>() || call->callee.is<ast::Name>()))
    return ast::LoopMark::None;
  Value callee = eval(call->callee);
  const auto* fn = callee.as<Callable>();
  if (!fn) return ast::LoopMark::None;
  if (fn->path == "appy.prange") return ast::LoopMark::Parallel;
  if (fn->path == "numba.prange")
    return frame().function->directive.serialRanges ? ast::LoopMark::None : ast::LoopMark::Parallel;
  if (fn->path != "appy.range") return ast::LoopMark::None;
  bool parallel = false, simd = false;
  for (const ast::Keyword& k : call->keywords) {
    bool on = evalConstant(k.value).value_or(0) != 0;
    (k.name == "parallel" ? parallel : simd) = on; // it has no others
  }
  return parallel ? (simd ? ast::LoopMark::ParallelSimd : ast::LoopMark::Parallel)
         : simd   ? ast::LoopMark::Simd
                  : ast::LoopMark::None;
}

/// The mark that pragma, iterator and decorator agree on.
ast::LoopMark Lowering::markOf(const ast::For& s) {
  using enum ast::LoopMark;
  ast::LoopMark pragma = s.directive.mark, iterator = markOfIterator(s.iter);
  if (pragma == None && iterator == None && frame().function->directive.parallelLoops) {
    bool nested =
        loops_.size() == 1 && loops_.back().hints.mark == ir::LoopMark::Parallel && directlyNested_ == &s;
    return loops_.empty() || nested ? Parallel : None;
  }
  if (pragma == None) return iterator;
  if (iterator == None || iterator == pragma) return pragma;
  bool isParallel = pragma == Parallel || pragma == ParallelSimd;
  if (isParallel) return ParallelSimd == iterator || Simd == iterator ? ParallelSimd : pragma;
  error(DiagId::BadDirective, s.directive.where,
        fmt::format("the pragma says `{}`, but the loop runs over a parallel range; drop one of the two",
                    pragma == Simd ? "simd" : "sequential for"));
  return pragma;
}

/// How many threads a schedule asks for. Names in it are the function's sizes and numbers, or constants of the file; of
/// others, as a caller's, nothing is known here: a thread for each of the loop's `trips` where loops around it have counts,
/// which would be all threads there are else.
Expr Lowering::askedThreads(const std::string& count, Span where, const Expr& trips) {
  const size_t mark = diag_.mark();
  const int before = diag_.errorCount();
  const ast::Expr text = frontend::parseExpression(count, where, diag_);
  const auto isOfCall = [&](const Symbol& name) {
    return sizes_.count(name) > 0 ||
           std::ranges::any_of(out_.params, [&](const ir::Param& p) { return p.name == name && !p.isArray; });
  };
  const auto evaluated = [&]() -> Expr {
    std::optional<Expr> found;
    const Stmts made =
        collect([&] { found = text ? evalIndexExpr(text, "a count of threads") : std::nullopt; });
    const bool fits = diag_.errorCount() == before && found && made.empty() && isStable(*found) &&
                      std::ranges::all_of(ir::freeVars(*found), isOfCall);
    if (!fits) diag_.rollback(mark);
    return fits ? *found : Expr();
  };
  if (const Expr found = evaluated()) return found;
  std::vector<std::string> named; // sizes that the types name, and the body does not
  for (const ir::Size& size : out_.sizes)
    if (env().emplace(size.name.hint(), Value{Scalar{ir::var(size.name)}}).second)
      named.push_back(size.name.hint());
  const Expr found = named.empty() ? Expr() : evaluated();
  for (const std::string& name : named) env().erase(name);
  if (found) return found;
  const bool isInside = std::ranges::any_of(loops_, [](const ir::For& l) { return bool(l.hints.threads); });
  if (isInside && trips && isStable(trips) && std::ranges::all_of(ir::freeVars(trips), isOfCall))
    return trips;
  diag_.report(
      DiagId::Ignored, where,
      fmt::format("`threads({})`: the loop is parallel, and how many threads it gets is open, as the "
                  "count is no number of the function's, such as a size",
                  count));
  return {};
}

/// `reduction(+:s)` and `shared(s)` claim something of names.
void Lowering::checkClauses(const ast::For& s) {
  for (const ast::NameClause& c : s.directive.names) {
    if (!env().count(c.name))
      error(DiagId::BadDirective, c.where,
            fmt::format("`{}` in `{}` is not defined before this loop", c.name, c.clause));
    else if (c.clause != "shared")
      diag_.report(DiagId::Ignored, c.where,
                   fmt::format("`{}` changes nothing: appyc finds out by itself which data moves", c.clause));
  }
  for (const ast::ReduceClause& c : s.directive.reductions) {
    std::set<std::string> updates;
    collectUpdates(s.body, *c.target, updates);
    if (updates.empty())
      error(DiagId::BadDirective, c.where,
            fmt::format("the loop does not change `{}`, which its pragma calls a reduction", *c.target));
    else if (updates != std::set<std::string>{c.op})
      error(DiagId::BadDirective, c.where,
            fmt::format("not every assignment to `{}` in the loop is a step of a reduction by {}", *c.target,
                        c.op));
  }
}

//===--- dimensions of statements -------------------------------------------------------------------===//

/// One `low:up=>...` of a pragma and what it has been found to stand for.
struct Lowering::Claim {
  const ast::DimDirective* dim;
  Expr extent;
  bool found = false, wrongOp = false;
  std::set<std::string> ops; ///< found ones of those that it claims
  std::vector<Expr> extents; ///< of the ranges it stands for

  bool claims(ir::ReduceOp op) const {
    return std::any_of(dim->reduces.begin(), dim->reduces.end(),
                       [&](const ast::ReduceClause& c) { return c.op == ir::name(op); });
  }
};

/// Is `extent` that of `claimed`, or of a slice that is `claimed` wherever it is not cut off at the array's
/// end?
bool Lowering::runsOver(const Expr& extent, const Expr& claimed) {
  auto same = [&](const Expr& e) { return ir::equalIndex(e, claimed) || alwaysEqual(e, claimed); };
  if (same(extent)) return true;
  return std::any_of(sliceExtents_.begin(), sliceExtents_.end(), [&](const auto& slice) {
    return ir::equalIndex(slice.first, extent) && same(slice.second);
  });
}

std::optional<Expr> Lowering::claimedExtent(const ast::DimDirective& dim) {
  ast::Expr low = frontend::parseExpression(dim.low.empty() ? "0" : dim.low, dim.where, diag_);
  ast::Expr up = frontend::parseExpression(dim.up, dim.where, diag_);
  if (!low || !up) return std::nullopt;
  // Sizes that `dim_info` names need not be Python's.
  Env saved = env();
  for (const auto& [name, extent] : frame().sizeNames) env().try_emplace(name, Value{Scalar{extent, true}});
  std::optional<Expr> l = evalIndexExpr(low, "a bound of a pragma"),
                      u = evalIndexExpr(up, "a bound of a pragma");
  env() = std::move(saved);
  if (!l || !u) return std::nullopt;
  Expr length = ir::sub(*u, *l);
  if (int step = decimal(dim.step).value_or(1); step != 1) length = ir::ceilDiv(length, ir::intConst(step));
  return ir::maxOf(length, ir::intConst(0));
}

/// The claims that `r` fulfils.
void Lowering::claimReduction(std::vector<Claim>& claims, const ir::Reduce& r) {
  std::set<size_t> taken;
  for (Claim& claim : claims)
    for (size_t k = 0; k < r.over.size(); ++k) {
      if (taken.count(k) || !runsOver(r.over[k].extent, claim.extent)) continue;
      if (!claim.dim->reduces.empty() && !claim.claims(r.op)) {
        claim.wrongOp = true;
        continue;
      }
      if (claim.dim->reduces.empty() && claim.found) continue; // `:K=>le(64)` may name a reduced dimension
      taken.insert(k);
      claim.found = true;
      claim.ops.insert(std::string(ir::name(r.op)));
      claim.extents.push_back(r.over[k].extent);
      break;
    }
}

/// The statement with what the claims say of its dimensions.
ir::IndexStmt Lowering::claimDomain(std::vector<Claim>& claims, ir::IndexStmt s) {
  std::set<ir::Range*> taken;
  for (Claim& claim : claims)
    for (ir::Range& range : s.domain) {
      if (!claim.dim->reduces.empty() || taken.count(&range) || !runsOver(range.extent, claim.extent))
        continue;
      taken.insert(&range);
      claim.found = true;
      claim.extents.push_back(range.extent);
      range.parallel = claim.dim->parallel;
      if (claim.dim->block) range.block = constantOption(*claim.dim->block, claim.dim->where);
      range.singleBlock = claim.dim->singleBlock;
      break;
    }
  return s;
}

void Lowering::reportClaim(const Claim& claim, const std::string& target) {
  const ast::DimDirective& dim = *claim.dim;
  std::string text = textOf(dim);
  if (dim.reduces.empty() && !claim.found)
    error(DiagId::BadDirective, dim.where,
          fmt::format("no dimension of this statement runs over `{}`", text));
  for (const ast::ReduceClause& reduce : dim.reduces) {
    if (!claim.ops.count(reduce.op))
      error(DiagId::BadDirective, reduce.where,
            claim.wrongOp || claim.found
                ? fmt::format("the statement does not reduce `{}` by {}", text, reduce.op)
                : fmt::format("no dimension `{}` is reduced in this statement", text));
    if (reduce.target && *reduce.target != target)
      error(DiagId::BadDirective, reduce.where,
            fmt::format("the statement reduces into `{}`, not into `{}`", target, *reduce.target));
  }
}

/// The counts are those of the slices that the statement stores into, with its last part, and of what it folds.
void Lowering::applyCounts(size_t first, const ast::StatementDirective& d) {
  const auto ask = [&](ir::Range& range, const ast::StatementDirective::Count& count) {
    if (!count.threads.empty()) range.threads = askedThreads(count.threads, d.where, range.extent);
    range.warps = count.warps;
  };
  for (size_t i = lists_.back().size(); i-- > first;) {
    const ir::Stmt s = lists_.back()[i];
    const auto* store = s.as<ir::IndexStmt>();
    const size_t stored = store ? store->domain.size() : 0;
    if (stored > d.counts.size()) continue;
    bool isAsked = stored == d.counts.size();
    ir::Stmt asked = ir::replace<ir::Reduce>(s, [&](const ir::Reduce& fold) -> Expr {
      if (isAsked || fold.over.size() != d.counts.size() - stored) return {};
      isAsked = true;
      ir::Reduce counted = fold;
      for (size_t k = 0; k < counted.over.size(); ++k) ask(counted.over[k], d.counts[stored + k]);
      return ir::make(std::move(counted));
    });
    if (!isAsked) continue;
    if (store) {
      ir::IndexStmt counted = *asked.as<ir::IndexStmt>();
      for (size_t k = 0; k < stored; ++k) ask(counted.domain[k], d.counts[k]);
      asked = ir::makeStmt(s->span, std::move(counted));
    }
    lists_.back()[i] = asked;
    return;
  }
  for (const ast::StatementDirective::Count& count : d.counts)
    if (!count.threads.empty())
      diag_.report(
          DiagId::Ignored, d.where,
          fmt::format("`threads({})`: how many threads this statement gets is open, as it stores into "
                      "no slice",
                      count.threads));
}

/// The pragma speaks of all that its statement became: the list's statements from `first` on.
void Lowering::applyDirective(size_t first, const ast::StatementDirective& d, const ast::Expr& target) {
  if (!d.counts.empty()) applyCounts(first, d);
  if (d.dims.empty()) return;
  std::vector<Claim> claims;
  for (const ast::DimDirective& dim : d.dims)
    if (std::optional<Expr> extent = claimedExtent(dim))
      claims.push_back({&dim, *extent, false, false, {}, {}});
  std::vector<ir::Stmt>& list = lists_.back();
  for (size_t i = first; i < list.size(); ++i) {
    list[i] = ir::rewrite(list[i], [&](const ir::Stmt& s) -> ir::Stmt {
      const auto* index = s.as<ir::IndexStmt>();
      return index ? ir::makeStmt(s->span, claimDomain(claims, *index)) : ir::Stmt{};
    });
    ir::visit(
        list[i], [](const ir::Stmt&) { return true; },
        [&](const Expr& e) {
          if (const auto* r = e.as<ir::Reduce>()) claimReduction(claims, *r);
          return true;
        });
  }
  for (const Claim& claim : claims) {
    reportClaim(claim, changedName(target));
    if (!claim.dim->promised || !claim.dim->block) continue;
    int limit = constantOption(*claim.dim->block, claim.dim->where);
    for (const Expr& extent : claim.extents)
      requireAtMost(ir::constantInt(claim.extent) ? claim.extent : extent, limit, *claim.dim, first);
  }
}

bool Lowering::describes(const ast::StatementDirective& d, const ir::IndexStmt& s) {
  const size_t mark = diag_.mark();
  std::vector<Claim> claims;
  for (const ast::DimDirective& dim : d.dims) {
    std::optional<Expr> extent;
    if (!collect([&] { extent = claimedExtent(dim); }).empty())
      return false; // names that may have no value here
    if (extent) claims.push_back({&dim, *extent, false, false, {}, {}});
  }
  claimDomain(claims, s);
  ir::visit(s.value, [&](const Expr& e) {
    if (const auto* r = e.as<ir::Reduce>()) claimReduction(claims, *r);
    return true;
  });
  for (const Claim& claim : claims) reportClaim(claim, "");
  const bool refused = diag_.mark() > mark;
  diag_.rollback(mark);
  return !refused;
}

/// le(n), or a single block of n: checked on the host before the outermost open loop, or before the list's
/// statement `first`, which is the first of those that the pragma speaks of.
void Lowering::requireAtMost(const Expr& extent, int limit, const ast::DimDirective& dim, size_t first) {
  std::string text = textOf(dim);
  Expr most = ir::intConst(limit);
  if (std::optional<int64_t> known = ir::constantInt(extent); known && *known > limit) {
    error(DiagId::BadDirective, dim.where,
          fmt::format("the dimension `{}` has {} elements, more than the {} promised", text, *known, limit));
    return;
  }
  if (isNonNegative(ir::sub(most, extent))) return;
  const Message message =
      Message(fmt::format("`{}` has more than the {} elements promised: ", text, limit)).number(extent);
  if (!requiredAtMost_.insert({loops_.empty() ? 0 : loopLists_.front(), message.plain()}).second &&
      !loops_.empty())
    return;
  Expr holds = ir::binary(ir::BinaryOp::Le, extent, most);
  if (loops_.empty() && !ir::readsMemory(extent)) {
    std::vector<ir::Stmt>& list = lists_.back();
    for (size_t i = list.size(); i-- > first;) // behind what computes the extent
      for (const Symbol& s : ir::freeVars(extent))
        if (ir::assignedVars(list[i]).count(s)) first = i + 1;
    list.insert(
        list.begin() + static_cast<std::ptrdiff_t>(first),
        ir::makeStmt(statement_, message.check(holds, "ValueError", [](const Expr&) { return true; })));
    return;
  }
  if (!isEntryExpr(extent)) holds = ir::readsMemory(extent) ? Expr{} : neverFails(holds).when;
  if (holds && !holds.is<ir::Const>())
    requireAtEntry(holds, "ValueError", message);
  else
    diag_.report(DiagId::Assumed, dim.where,
                 fmt::format("whether `{}` has at most {} elements is known only when it runs; the result "
                             "does not depend on it",
                             text, limit));
}

//===--- functions ----------------------------------------------------------------------------------===//

/// `dim_info={'A': ('M', 'N')}`: equal names are equal sizes, and pragmas may use them.
void Lowering::bindDimInfo(const ast::FunctionDirective& d) {
  for (const auto& shape : d.shapes) {
    auto value = env().find(shape.array);
    const auto* a = value == env().end() ? nullptr : value->second.as<Array>();
    if (!a) {
      bool local = frame().names.count(shape.array) > 0 && value == env().end();
      if (local)
        diag_.report(
            DiagId::Ignored, shape.where,
            fmt::format("the sizes of `{}`, which is no parameter, follow from its assignment", shape.array));
      else
        error(DiagId::BadDirective, shape.where,
              fmt::format("`dim_info` names `{}`, which is no array parameter of `{}`", shape.array,
                          frame().function->name));
      continue;
    }
    if (a->shape.size() != shape.extents.size()) {
      error(DiagId::BadDirective, shape.where,
            fmt::format("`dim_info` gives `{}` {} dimension(s), its type {}", shape.array,
                        shape.extents.size(), a->shape.size()));
      continue;
    }
    Array sized = *a;
    for (size_t axis = 0; axis < a->shape.size(); ++axis) {
      const std::string& text = shape.extents[axis];
      Expr claimed;
      if (std::optional<int> number = decimal(text))
        claimed = ir::intConst(*number);
      else if (auto it = env().find(text); it != env().end() && it->second.as<Scalar>())
        claimed = it->second.as<Scalar>()->e;
      else
        claimed = frame().sizeNames.try_emplace(text, a->shape[axis]).first->second;
      requireEqual(a->shape[axis], claimed,
                   fmt::format("axis {} of `{}` is not `{}`", axis, shape.array, text), shape.where);
      sized.shape[axis] = claimed; // one size from here on
    }
    value->second = Value{std::move(sized)};
  }
}

} // namespace appyc::sema
