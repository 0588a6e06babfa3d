//===- SplitReductions.cpp - more threads for few long reductions -----------------------------------===//
#include "SplitReductions.h"
#include "Units.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/Cost/Device.h"
#include "appyc/Cost/KernelCost.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include <utility>

namespace appyc::schedule {
using namespace cost;
using namespace ir;

namespace {

constexpr int64_t kLeastChunk = 64; ///< iterations that pay for storing and folding one partial result
constexpr size_t kMostLoops = 3;
constexpr int64_t kLeastLong = 512;    ///< iterations of a fold in several loops, from which they are cut
constexpr int64_t kFewerThreads = 4;   ///< so many times fewer points than threads are few
constexpr int64_t kMostChunks = 16384; ///< whose results the lanes of a block can still fold

class Split {
public:
  Split(Function& f, const Stmt& n, const PassContext& ctx)
      : function_(f), nest_(n), loops_(nestOf(n).loops), body_(statementsOf(loops_.back()->body)),
        threadsWanted_(ctx.device.threadsAtOnce()) {}

  bool applies(const PassContext& ctx) {
    takeGuard();
    if (std::any_of(loops_.begin(), loops_.end(), [](const For* l) { return isPlaced(*l); }) ||
        !findInner() || !mayRunFirst())
      return false;
    innerCount_ = tripCount(*inner_);
    if (!isHostValue(innerCount_) || !isHostValue(inner_->lo)) return false;
    for (const For* loop : loops_) {
      counts_.push_back(tripCount(*loop));
      if (!isHostValue(counts_.back()) || !isHostValue(loop->lo)) return false;
    }
    if (auto few = constantTrip(*inner_); few && *few < 2 * kLeastChunk) return false;
    // Of several loops the sums over several axes are those of windows, which are short.
    if (loops_.size() > 1 && (loops_.size() > kMostLoops || has<For>(inner_->body))) return false;
    return constantBool(pays()) != false && chooseMapping(nestOf(nest_), ctx).kind == NestMapping::Threads;
  }

  Stmt run() {
    const Stmt split = parts();
    const Expr condition = pays();
    return constantBool(condition) ? split
                                   : makeStmt(nest_->span, If{condition, loops::asCopy(split), nest_});
  }

private:
  bool isHostValue(const Expr& e) const {
    const auto isIndex = [&](const For* l) { return mentions(e, l->index); };
    return e && !readsMemory(e) && !mentionsAny(e, assigned_) &&
           std::none_of(loops_.begin(), loops_.end(), isIndex);
  }
  static bool isPlaced(const For& l) { return l.hints.mark == LoopMark::ParallelSimd || hasOwnSize(l); }
  static bool isForLanes(const For& l) {
    return l.hints.mark == LoopMark::Simd || l.hints.mark == LoopMark::ParallelSimd;
  }

  /// The one inner loop, which reduces, at the top of the body.
  bool findInner() {
    for (size_t i = 0; i < body_.size(); ++i) {
      const auto* candidate = body_[i].as<For>();
      if (candidate && inner_) return false;
      if (candidate) {
        inner_ = candidate;
        at_ = i;
      } else if (!body_[i].is<Assign>() && !body_[i].is<Store>()) {
        return false;
      }
    }
    return inner_ && isParallel(*inner_) && !isForLanes(*inner_) && !inner_->reductions.empty();
  }

  /// Does the inner loop see only what it sees when all iterations run it first, and what is before it too?
  bool mayRunFirst() const {
    std::set<Symbol> assigned, stored, touched, reduced;
    std::set<Symbol> read = readScalars(body_[at_]);
    for (size_t i = 0; i < at_; ++i) {
      assigned.merge(assignedVars(body_[i]));
      stored.merge(storedBuffers(body_[i]));
      touched.merge(loadedBuffers(body_[i]));
    }
    touched.insert(stored.begin(), stored.end());
    for (const Reduction& r : inner_->reductions) reduced.insert(r.var);
    for (const Symbol& name : assignedVars(body_[at_])) {
      // Nothing but the reductions leaves the loop.
      if (reduced.count(name)) continue;
      for (size_t i = at_ + 1; i < body_.size(); ++i)
        if (mentionsAny(body_[i], {name})) return false;
    }
    for (const Symbol& name : reduced) read.erase(name);
    return !intersect(assigned, read) && !intersect(stored, loadedBuffers(body_[at_])) &&
           !intersect(touched, storedBuffers(body_[at_]));
  }

  /// A condition around all of the body: in front of the loops where it is the same for all iterations, else in both parts.
  void takeGuard() {
    const auto* branch = body_.size() == 1 ? body_.front().as<If>() : nullptr;
    if (!branch || branch->otherwise) return;
    (isHostValue(branch->cond) ? guard_ : innerGuard_) = branch->cond;
    body_ = statementsOf(branch->then);
  }

  /// Columns of one array are many or long; several loops mostly have iterations enough.
  Expr pays() const {
    if (loops_.size() == 1) return boolConst(true);
    return both(loops::pointsOf(loops_) * kFewerThreads <= threadsWanted_,
                intConst(kLeastLong) <= innerCount_);
  }

  Stmt parts() {
    const Builder build{nest_->span};
    std::vector<Stmt> out;
    Expr wanted = minOf(ceilDiv(intConst(threadsWanted_), loops::pointsOf(loops_)),
                        ceilDiv(innerCount_, intConst(kLeastChunk)));
    Expr chunks = loops::once(build, "chunks", maxOf(minOf(wanted, kMostChunks), 1), out);
    Expr total = analysis::atLeastZero(innerCount_, analysis::contextOf(function_).sizes);
    Expr size = loops::once(build, "chunk", ceilDiv(total, chunks), out);
    Expr all = counts_[0];
    for (size_t k = 1; k < counts_.size(); ++k) all = all * counts_[k];
    Expr width = loops::once(build, "width", all, out);

    Symbol c("c"), fold("c");
    std::map<Symbol, Expr> own; // the first part's indices
    std::vector<Symbol> names;
    for (const For* loop : loops_) {
      names.emplace_back(loop->index.hint());
      own[loop->index] = var(names.back());
    }
    const auto element = [&](const Symbol& chunk) {
      return std::vector<Expr>{var(chunk) * width + loops::positionIn(loops_)};
    };
    For part = loops::chunkOf(*inner_, var(c), size, total);
    part.hints.origins.clear();
    std::vector<Stmt> first = loops::privatize(build, part, ""), last, folds;
    for (size_t r = 0; r < part.reductions.size(); ++r) {
      const auto& [var, type, op] = inner_->reductions[r];
      // chunks * width stays below this, whatever the sizes.
      const Buffer partials{
          Symbol(var.hint() + "_partial"), type, {loops::pointsOf(loops_) + threadsWanted_}};
      function_.buffers.push_back(partials);
      out.push_back(build.alloc(partials));
      last.push_back(build.store(partials, element(c), ir::var(part.reductions[r].var, type)));
      folds.push_back(build.assign(var, combine(op, ir::var(var, type), load(partials, element(fold)))));
    }
    first.push_back(makeStmt(body_[at_]->span, std::move(part)));
    first.insert(first.end(), last.begin(), last.end());
    Stmt rows = substitute(build.when(innerGuard_, std::move(first)), own);
    for (size_t k = loops_.size(); k-- > 0;) {
      For row = serialLoop(names[k], loops_[k]->lo, loops_[k]->hi, loops_[k]->step, rows);
      row.order = loops_[k]->order;
      row.hints.origins = loops_[k]->hints.origins;
      rows = build.make(std::move(row));
    }
    For outer = serialLoop(c, intConst(0), chunks, intConst(1), rows);
    outer.order = loops_[0]->order;
    outer.hints.origins = inner_->hints.origins;
    out.push_back(build.make(std::move(outer)));

    std::vector<Stmt> second = body_;
    For chunked = provenLoop(fold, intConst(0), chunks, block(std::move(folds)));
    chunked.reductions = inner_->reductions;
    chunked.hints.mark = LoopMark::Simd; // few columns have many chunks
    second[at_] = makeStmt(body_[at_]->span, std::move(chunked));
    out.push_back(loops::nestAround(build, loops_, build.when(innerGuard_, std::move(second)),
                                    [](For& loop) { loop.hints.origins.clear(); }));
    return build.when(guard_, std::move(out));
  }

  Function& function_;
  const Stmt& nest_;
  std::vector<const For*> loops_; ///< the parallel ones
  std::vector<Stmt> body_;
  int64_t threadsWanted_;
  const std::set<Symbol> assigned_ = openToHost(function_);
  size_t at_ = 0; ///< the reduction loop's place in the body
  const For* inner_ = nullptr;
  std::vector<Expr> counts_;
  Expr innerCount_{};
  Expr guard_{}, innerGuard_{}; ///< under which iterations do something, where there is one
};

/// The last of the loops in the body that stand in no other one.
const For* lastLoopIn(const Stmt& body) {
  const For* last = nullptr;
  visit(body, [&](const Stmt& s) {
    if (const auto* loop = s.as<For>()) last = loop;
    return !s.is<For>() && !s.is<While>();
  });
  return last;
}

} // namespace

Expr pointsInside(const For& loop, const std::set<Symbol>& assigned) {
  Expr points = intConst(1);
  std::vector<const For*> around{&loop};
  while (const For* inner = lastLoopIn(around.back()->body)) {
    const Expr count = tripCount(*inner), most = count ? analysis::upperBound(count, around) : Expr();
    if (!most || readsMemory(most) || mentionsAny(most, assigned)) break;
    points = points * maxOf(most, 1);
    around.push_back(inner);
  }
  return points;
}

std::vector<Stmt> aroundFold(const Builder& build, std::vector<Stmt> body, size_t at, const For& whole) {
  const For fold = *body[at].as<For>();
  std::vector<Stmt> folds;
  std::map<Symbol, Symbol> same;
  for (size_t r = 0; r < whole.reductions.size(); ++r) {
    const auto& [name, type, op] = fold.reductions[r];
    const Symbol own = whole.reductions[r].var;
    const auto sets = [&, &name = name](const Stmt& s) {
      return s.is<Assign>() && s.as<Assign>()->var == name;
    };
    const auto start = std::ranges::find_if(body, sets);
    if (std::ranges::count_if(body, sets) == 1 && start - body.begin() < std::ptrdiff_t(at) &&
        equal(start->as<Assign>()->value, identity(op, type))) {
      *start = block({});
      same.emplace(name, own);
    } else {
      folds.push_back(build.assign(name, combine(op, var(name, type), var(own, type))));
    }
  }
  body[at] = block(std::move(folds));
  for (Stmt& s : body) s = renameScalars(s, same);
  return body;
}

std::set<Symbol> openToHost(const Function& f) {
  std::set<Symbol> asked, open;
  const auto ask = [&](const Expr& e) { asked.merge(freeVars(e)); };
  each<Alloc>(f.body, [&](const Alloc& a) { std::ranges::for_each(a.buffer.extents, ask); });
  each<MatMul>(f.body, [&](const MatMul& m) {
    for (const Expr& e : {m.rows, m.columns, m.inner}) ask(e);
  });
  std::map<Symbol, int> times;
  each<Assign>(f.body, [&](const Assign& a) { ++times[a.var]; });
  for (const Symbol& x : assignedVars(f.body))
    if (!asked.contains(x) || times[x] != 1) open.insert(x);
  return open;
}

Stmt splitReductions(const Stmt& nest, Function& function, const PassContext& ctx) {
  Split split(function, nest, ctx);
  return split.applies(ctx) ? split.run() : nest;
}

} // namespace appyc::schedule
