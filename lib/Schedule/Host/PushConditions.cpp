//===- PushConditions.cpp - what the device decides in each step is asked by the kernels ------------------===//
//   for k:                                     for k:
//     p = argmax(a[k:, k])                       p = argmax(a[k:, k])
//     if p != k:                          =>
//       for j: t[j] = a[p, j]                    for j: if p != k: t[j] = a[p, j]
//       for j: a[p, j] = a[k, j]                 for j: if p != k: a[p, j] = a[k, j]
// A condition that the branch changes, or that has an `else`, is asked once, before it. Scalars that only a branch sets are 0 where
// it is not taken, as bounds of loops that find nothing to do then. The host would wait for p in each step, which takes longer
// than a few kernels that find nothing to do, and keeps steps from being recorded as a graph.
//   LU with pivots, N = 500, an H100: 22 ms with a wait a step; predicted 7, measured 10.8 (seven launches a step)
#include "Units.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kMostKernels = 6; ///< that may find nothing to do

class Pushing {
public:
  explicit Pushing(const Function& f) : live_(f), ofDevice_(findDeviceScalars(f, live_)) {}

  Stmt visit(const Stmt& s, bool isInLoop) const {
    const auto* branch = s.as<If>();
    if (branch && isInLoop && mayPush(*branch)) {
      std::vector<Stmt> out;
      const Stmt then = withoutKnown(s, *branch, out);
      for (const Stmt& zero : zeros(s, assignedVars(block(out)))) out.push_back(zero);
      if (!branch->otherwise && !changes(then, branch->cond)) {
        out.push_back(pushed(then, branch->cond));
        return block(std::move(out));
      }
      const Symbol name("holds");
      const Expr holds = var(name, DType::Bool);
      out.push_back(makeStmt(s->span, Assign{name, branch->cond}));
      out.push_back(pushed(then, holds));
      if (branch->otherwise) out.push_back(pushed(branch->otherwise, unary(UnaryOp::LogicalNot, holds)));
      return block(std::move(out));
    }
    const auto* loop = s.as<For>();
    if (loop && (isParallel(*loop) || loop->hints.mark == LoopMark::Sequential)) return s;
    const bool isLoop = loop || s.is<While>();
    return mapChildren(s, [&](const Stmt& child) { return visit(child, isInLoop || isLoop); });
  }

private:
  bool mayPush(const If& branch) const {
    const Stmt all = branch.otherwise ? block({branch.then, branch.otherwise}) : branch.then;
    const bool isOfDevice = readsMemory(branch.cond) || mentionsAny(branch.cond, ofDevice_);
    return isOfDevice && needsHost(all) && consistsOf<Block, Assign, Store, For, If, Alloc>(all) &&
           mostLaunchesOf(all) <= kMostKernels && !hasOpenHostLoop(all);
  }
  /// What it does where it holds, without what its own scalars start from and the host knows: that goes `before`, set in any
  /// case, by which the host knows it still: `chunks = max(min(n // 128, 8), 1)`.
  Stmt withoutKnown(const Stmt& s, const If& branch, std::vector<Stmt>& before) const {
    std::set<Symbol> outer = live_.before(s); // and what has been set
    const std::map<Symbol, Expr> onlyOnce = onlyValues(s);
    std::set<Symbol> unknown = ofDevice_;
    unknown.merge(assignedVars(s));
    std::vector<Stmt> then;
    for (const Stmt& part : statementsOf(branch.then)) {
      const auto* set = part.as<Assign>();
      const bool isKnown = set && !outer.count(set->var) && !readsMemory(set->value) &&
                           !mentionsAny(set->value, unknown) && !mayDivideBy0(set->value, onlyOnce);
      if (isKnown && onlyOnce.count(set->var)) unknown.erase(set->var);
      outer.merge(assignedVars(part));
      (isKnown ? before : then).push_back(part);
    }
    return block(std::move(then));
  }
  /// `values`: of scalars.
  static bool mayDivideBy0(const Expr& e, const std::map<Symbol, Expr>& values) {
    const auto isPositive = [](const Expr& d) { return constantInt(d).value_or(0) > 0; };
    return any<Binary>(e, [&](const Binary& b) {
      if (b.op != BinaryOp::FloorDiv && b.op != BinaryOp::Mod && b.op != BinaryOp::Div) return false;
      const Expr divisor = substitute(b.rhs, values);
      const auto* most = divisor.as<Binary>();
      return !isPositive(divisor) &&
             !(most && most->op == BinaryOp::Max && (isPositive(most->lhs) || isPositive(most->rhs)));
    });
  }

  /// Of scalars that nobody has set before; an iteration's own are set in it.
  std::vector<Stmt> zeros(const Stmt& branch, std::set<Symbol> set) const {
    std::vector<Stmt> out;
    const std::set<Symbol> outer = live_.before(branch);
    set.insert(outer.begin(), outer.end());
    ir::visit(branch, [&](const Stmt& s) {
      const auto* loop = s.as<For>();
      const auto* a = s.as<Assign>();
      if (a && set.insert(a->var).second)
        out.push_back(makeStmt(branch->span, Assign{a->var, constOf(typeOf(a->value), 0)}));
      return !loop || !isParallel(*loop);
    });
    return out;
  }
  static bool changes(const Stmt& s, const Expr& cond) {
    return intersect(storedBuffers(s), loadedBuffers(cond)) || intersect(assignedVars(s), freeVars(cond));
  }
  /// Of nests; what stands between them is little.
  static int64_t mostLaunchesOf(const Stmt& s) {
    int64_t launches = 0;
    for (const Stmt& part : statementsOf(s)) {
      const auto* loop = part.as<For>();
      if (!needsHost(part)) continue;
      launches +=
          loop && !isParallel(*loop) ? constantTrip(*loop).value_or(1) * mostLaunchesOf(loop->body) : 1;
    }
    return launches;
  }
  /// Loops of the host would launch as many kernels that do nothing as they have iterations.
  static bool hasOpenHostLoop(const Stmt& s) {
    return any<For>(
        s, [](const For& loop) { return !isParallel(loop) && needsHost(loop.body) && !constantTrip(loop); });
  }

  /// Arrays are made in any case; what stands between loops of the host's is asked for together.
  static Stmt pushed(const Stmt& s, const Expr& cond) {
    std::vector<Stmt> out, together;
    const auto ask = [&] {
      if (!together.empty()) out.push_back(makeStmt(together.front()->span, If{cond, block(together), {}}));
      together.clear();
    };
    for (const Stmt& part : statementsOf(s)) {
      const auto* loop = part.as<For>();
      const bool holdsKernels = loop && needsHost(part);
      if (!holdsKernels && !part.is<Alloc>()) {
        together.push_back(part);
        continue;
      }
      ask();
      if (!holdsKernels) {
        out.push_back(part);
        continue;
      }
      out.push_back(makeStmt(part->span, withBody(*loop, pushed(loop->body, cond))));
    }
    ask();
    return block(std::move(out));
  }

  analysis::Liveness live_;
  std::set<Symbol> ofDevice_;
};

} // namespace

void pushConditions(Function& f, PassContext&) { f.body = Pushing(f).visit(f.body, false); }

} // namespace appyc::schedule
