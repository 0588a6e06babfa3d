//===- SettleRecurrences.cpp - long recurrences in chunks, from guesses that are corrected until they hold -------------===//
//   for i: y = f(y, i)         =>   from[c] = y for each chunk c;  open = C
//          out[i] = y               while open > 0, at most C / 8 times:
//                                     for c (parallel):  y = from[c];  for i in chunk c: y = f(y, i);  to[c] = y
//                                     open = how many from[c + 1] are not to[c];  from[c + 1] = to[c]
//                                   if open == 0:
//                                     for c (parallel):  y = from[c];  for i in chunk c: y = f(y, i); out[i] = y
//                                   else: the loop as it is
// Many recurrences forget where they began: a running mean of weight 0.1 has, after some hundred steps, the same bits whatever
// it started from. Nothing is grouped otherwise, so what comes out is what the loop in order gives, to the last bit. One that
// does not forget costs an eighth more than in order.
// Sources: convergent chunks of state machines (Mytkowicz, Musuvathi and Schulte 2014), parareal (Lions, Maday and Turinici 2001).
#include "ScanLoops.h"
#include "Units.h"
#include "appyc/Analysis/Liveness.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kLeastSteps = 1 << 18; ///< fewer save too little
constexpr int64_t kFewestChunks = 64;    ///< their steps take some times as long as a launch and the question
constexpr int64_t kMostChunks =
    8192; ///< more than there are threads for that have rows of their own in the caches
constexpr int64_t kPartOfRounds = 8;

class Settling {
public:
  Settling(Function& f, const analysis::Context& known, const std::set<Symbol>& liveAfter)
      : function_(f), known_(known), liveAfter_(liveAfter), loop_(f, known, 1) {}

  /// The statements instead of the loop; none where it has to stay.
  std::vector<Stmt> of(const Stmt& s, const PassContext& ctx) {
    build_ = {s->span};
    const auto* loop = s.as<For>();
    const bool isShort = loop && consistsOf<Assign, Store, If, Block>(loop->body); // a step is one thread's
    if (!isShort || !loop_.reads(*loop) || !readsCarried() || !mayForget() || !isApart()) return {};
    least_ = ctx.choose(s->span, "settle", kLeastSteps, {1, 1 << 15, kLeastSteps, 1 << 22, 1 << 28});
    if (constantTrip(*loop).value_or(least_) < least_) return {};
    const Expr steps = loop_.hi - loop_.lo;
    const Symbol open("open");
    std::vector<Stmt> all, chunked;
    chunk_ = build_.let(
        "chunk", maxOf(ceilDiv(steps, intConst(kMostChunks)), std::max<int64_t>(least_ / kFewestChunks, 1)),
        chunked);
    chunks_ = build_.let("chunks", ceilDiv(steps, chunk_), chunked);
    chunked.insert(chunked.end(), loop_.starts.begin(), loop_.starts.end());
    for (Carried& c : carried_)
      for (Buffer* b : {&c.from, &c.to}) {
        *b = {Symbol(c.scalar.hint() + (b == &c.from ? "_from" : "_to")), c.type, {intConst(kMostChunks)}};
        function_.buffers.push_back(*b);
        all.push_back(build_.alloc(*b));
      }
    chunked.push_back(forChunks(chunks_, [&](const Expr& c) {
      std::vector<Stmt> stores;
      for (const Carried& x : carried_) stores.push_back(build_.store(x.from, {c}, var(x.scalar, x.type)));
      return block(std::move(stores));
    }));
    rounds(open, chunked);
    std::vector<Stmt> last{inChunks(loop_.body, false)};
    for (const Carried& x : carried_)
      if (liveAfter_.contains(x.scalar)) last.push_back(build_.assign(x.scalar, load(x.to, {chunks_ - 1})));
    chunked.push_back(build_.when(eq(var(open), 0), block(std::move(last))));
    all.push_back(build_.assign(open, intConst(1)));
    all.push_back(build_.when(steps >= least_, std::move(chunked)));
    For inOrder = *loop;
    inOrder.hints.mark = LoopMark::Sequential; // where it is chosen, as it should be
    all.push_back(build_.when(var(open) > 0, build_.make(std::move(inOrder))));
    return all;
  }

private:
  struct Carried {
    Symbol scalar;
    DType type;
    Buffer from{}, to{};
  };

  /// Floats that no fold collects.
  bool readsCarried() {
    const Stmt body = block(loop_.body);
    const std::map<Symbol, DType> types = assignedTypes(body);
    for (const Symbol& x : analysis::exposedScalars(body)) {
      const auto type = types.find(x);
      if (type == types.end()) continue; // the same for all steps
      if (!isFloat(type->second) || loop_.carriedBy(x)) return false;
      carried_.push_back({x, type->second});
    }
    return !carried_.empty();
  }

  /// Is it v, multiplied and divided by numbers that are free of it? Where such a product began is never forgotten.
  static bool isProduct(const Expr& e, const Symbol& v) {
    const auto* b = e.as<Binary>();
    if (!b) return e.is<Var>() && mentions(e, v);
    return (b->op == BinaryOp::Mul || b->op == BinaryOp::Div) && mentions(b->lhs, v) != mentions(b->rhs, v) &&
           isProduct(mentions(b->lhs, v) ? b->lhs : b->rhs, v);
  }

  /// Is something of each state scaled in a step? Sums, extremes and counts keep what they have had.
  bool mayForget() const {
    const Stmt body = block(loop_.body);
    const std::set<Symbol> own = assignedVars(body);
    std::set<Symbol> scaled;
    each<Assign>(body, [&](const Assign& a) {
      const bool scales = mentionsAny(a.value, scaled) || any<Binary>(a.value, [&](const Binary& b) {
                            const bool isScale = b.op == BinaryOp::Mul || b.op == BinaryOp::Div;
                            return isScale && (mentionsAny(b.lhs, own) || mentionsAny(b.rhs, own));
                          });
      if (scales && !isProduct(a.value, a.var)) scaled.insert(a.var);
    });
    return std::ranges::all_of(carried_, [&](const Carried& x) { return scaled.contains(x.scalar); });
  }

  /// Is one step, from what it starts with, independent of all others, and does it load nothing that it has stored?
  bool isApart() const {
    std::set<Symbol> stored, live = liveAfter_;
    for (const Stmt& s : loop_.body) {
      const std::set<Symbol> written = storedBuffers(s), read = loadedBuffers(s);
      if (intersect(read, stored) || (!s.is<Store>() && intersect(read, written))) return false;
      stored.insert(written.begin(), written.end());
    }
    For judged = loop_.steps();
    std::vector<Stmt> body;
    for (const Carried& x : carried_) {
      body.push_back(build_.assign(x.scalar, constOf(x.type, 0)));
      live.erase(x.scalar);
    }
    body.insert(body.end(), loop_.body.begin(), loop_.body.end());
    judged.body = block(std::move(body));
    const analysis::ParallelVerdict v = analysis::judgeParallel(judged, known_, live);
    return v.answer == analysis::Answer::Proven && v.carriedScalars.empty() && v.liveOut.empty() &&
           v.reductions.empty();
  }

  template <class Fn> Stmt forChunks(const Expr& count, const Fn& body) const {
    const Symbol c("c");
    return build_.inAnyOrder(c, intConst(0), count, loops::withOwnScalars(body(var(c))));
  }

  /// Each chunk's steps, from what is in `from`; what it ends with goes to `to`, if the states are asked for.
  Stmt inChunks(const std::vector<Stmt>& step, bool keepsStates) const {
    return forChunks(chunks_, [&](const Expr& c) {
      std::vector<Stmt> body;
      for (const Carried& x : carried_) body.push_back(build_.assign(x.scalar, load(x.from, {c})));
      const Symbol i(loop_.index.hint());
      const Expr first = loop_.lo + c * chunk_;
      body.push_back(build_.inOrder(i, first, minOf(first + chunk_, loop_.hi),
                                    substitute(block(step), {{loop_.index, var(i)}})));
      for (const Carried& x : carried_)
        if (keepsStates) body.push_back(build_.store(x.to, {c}, var(x.scalar, x.type)));
      return block(std::move(body));
    });
  }

  static Stmt withoutStores(const Stmt& s) {
    return rewrite(s, [](const Stmt& part) { return part.is<Store>() ? block({}) : Stmt(); });
  }

  /// Are they not the same to the last bit?
  static Expr differ(const Expr& a, const Expr& b, DType type) {
    const DType bits = type == DType::F64 ? DType::I64 : DType::I32;
    return ne(call(Intrinsic::BitsOf, bits, {a}), call(Intrinsic::BitsOf, bits, {b}));
  }

  void rounds(const Symbol& open, std::vector<Stmt>& out) const {
    const Symbol round("round"), count("count"), c("c");
    std::vector<Stmt> step, states, asked, kept;
    for (const Stmt& s : loop_.body) states.push_back(withoutStores(s));
    step.push_back(inChunks(states, true));
    step.push_back(build_.assign(count, intConst(0)));
    Expr any;
    for (const Carried& x : carried_) {
      const Expr one = differ(load(x.from, {var(c) + 1}), load(x.to, {var(c)}), x.type);
      any = any ? either(any, one) : one;
    }
    For asking = provenLoop(c, intConst(0), chunks_ - 1,
                            build_.assign(count, var(count) + select(any, intConst(1), intConst(0))));
    asking.reductions = {{count, DType::I64, ReduceOp::Sum}};
    step.push_back(build_.make(std::move(asking)));
    step.push_back(forChunks(chunks_ - 1, [&](const Expr& at) {
      std::vector<Stmt> moved;
      for (const Carried& x : carried_) moved.push_back(build_.store(x.from, {at + 1}, load(x.to, {at})));
      return block(std::move(moved));
    }));
    step.push_back(build_.assign(open, var(count)));
    step.push_back(build_.assign(round, var(round) + 1));
    out.push_back(build_.assign(round, intConst(0)));
    out.push_back(build_.make(
        While{both(var(open) > 0, var(round) < floorDiv(chunks_, kPartOfRounds)), block(std::move(step))}));
  }

  Function& function_;
  const analysis::Context& known_;
  const std::set<Symbol>& liveAfter_;
  int64_t least_ = kLeastSteps;
  ScanLoop loop_;
  Builder build_;
  std::vector<Carried> carried_;
  Expr chunk_, chunks_;
};

/// The loops that the host runs: what stands in a parallel one, or in a kernel's serial one, is a thread's.
struct SettlingHost {
  Function& function;
  PassContext& ctx;
  const analysis::Liveness live;
  analysis::Context known;

  Stmt visit(const Stmt& s) {
    const auto* loop = s.as<For>();
    if (loop && isParallel(*loop)) return s;
    if (loop) {
      const std::vector<Stmt> settled = Settling(function, known, live.after(s)).of(s, ctx);
      if (!settled.empty()) {
        ctx.diag.dropIn(s->span, {DiagId::KeptSerial});
        ctx.diag.report(
            DiagId::Parallelised, s->span,
            fmt::format("loop `{}` runs in chunks where it is long: each starts from a guess, and again from "
                        "what the one before has ended with, until that is the same; what does not settle "
                        "runs in order",
                        loop->index.hint()));
        return block(settled);
      }
    }
    if ((loop || s.is<While>()) && !needsHost(s)) return s;
    return analysis::mapInside(known, s, [&](const Stmt& inner) { return visit(inner); });
  }
};

} // namespace

Module settleRecurrences(const Module& module, PassContext& ctx) {
  if (!ctx.autoParallel || !ctx.cuda || !ctx.versions) return module;
  return eachFunction(module, [&](Function& f) {
    f.body = SettlingHost{f, ctx, analysis::Liveness(f), analysis::contextOf(f)}.visit(f.body);
  });
}

} // namespace appyc::schedule
