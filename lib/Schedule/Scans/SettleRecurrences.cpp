//===- SettleRecurrences.cpp - long recurrences in chunks, from guesses that are corrected until they hold -------------===//
//   for i: y = f(y, i)         =>   from[c] = y for each chunk c;  open = C
//          out[i] = y               while open > 0, at most C / 8 times, and behind 16 only while four chunks a round settle:
//                                     for c (parallel):  y = from[c];  for i in chunk c: y = f(y, i);  to[c] = y
//                                     open = how many from[c + 1] are not to[c];  from[c + 1] = to[c]
//                                   if open == 0:
//                                     for c (parallel):  y = from[c];  for i in chunk c: y = f(y, i); out[i] = y
//                                   else: the loop as it is; or, where steps can be put together (StepMaps.h), chunks as one step each
// Many recurrences forget where they began: a running mean of weight 0.1 has, after some hundred steps, the same bits whatever
// it started from, and the length of a run begins anew with each run. Nothing is grouped otherwise, so what comes out is what
// the loop in order gives, to the last bit, but for what the steps collect, as sums, and for those that do not forget and whose
// chunks start from what composed steps say, as means of all so far. Any other one costs some rounds more than in order.
//   an H200, ms                                                        | in order | predicted | now
//   means of all so far, Welford's variance, 10^6                      | 117, 102 | 0.5       | 0.69, 0.70
//   greatest sum of neighbours, 4 * 10^6; with where it begins and ends | 221, 218 | 0.5       | 1.5, 3.9
//   a level between 0 and a bound, 4 * 10^6                            | 314      | 0.5       | 1.7
//   a linear congruential generator, 10^7 steps of two                 | 78       | 1         | 1.0
//   Adler's checksum, a polynomial's hash, 4 * 10^6                    | 477, 400 | 1         | 2.3, 1.2
//   a switch with two thresholds, the same after three equal ones, 10^6 | 50, 52   | 0.3       | 0.20, 0.24
//   the next point far enough from the last, a battery, 10^6           | 79, 81   | 0.3       | 0.36, 0.31
//   joined intervals, an automaton's table, a path back, 10^6          | 227, 75, 211 | 0.5   | 0.77, 0.33, 0.70
// Sources: convergent chunks of state machines (Mytkowicz, Musuvathi and Schulte 2014), parareal (Lions, Maday and Turinici 2001).
#include "ComposedChunks.h"
#include "Forgetting.h"
#include "HostLoops.h"
#include "ScanLoops.h"
#include "Units.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kLeastSteps = 1 << 15; ///< fewer save too little
/// A step takes 80 ns, a round beside its steps 20 us. An H200, 10^5 steps: a filter of Kalman's 10.2 ms, in chunks 0.28; a
/// spline's elimination and the way back 45, 1.1. 10^6 steps of a filter of two poles: 40, 0.20.
constexpr int64_t kLeastChunk = 512;
constexpr int64_t kMostChunks =
    8192; ///< more than there are threads for that have rows of their own in the caches
constexpr int64_t kPartOfRounds = 8;
constexpr int64_t kRoundsBeforeComposed = 16;
constexpr int64_t kLeastSettled = 4; ///< chunks a round, behind the first rounds

class Settling {
public:
  Settling(Function& f, const analysis::Context& known, const std::set<Symbol>& liveAfter)
      : function_(f), known_(known), liveAfter_(liveAfter), loop_(f, known, 1) {}

  /// The statements instead of the loop; none where it has to stay.
  std::vector<Stmt> of(const Stmt& s, const PassContext& ctx) {
    build_ = {s->span};
    whole_ = s;
    const auto* loop = s.as<For>();
    const bool isShort = loop && consistsOf<Assign, Store, If, Block>(loop->body); // a step is one thread's
    if (!isShort || !loop_.reads(*loop, ScanLoop::Branches::Kept) || !readsCarried() || !isApart()) return {};
    least_ = ctx.choose(s->span, "settle", kLeastSteps, {1, 1 << 15, kLeastSteps, 1 << 22, 1 << 28});
    if (constantTrip(*loop).value_or(least_) < least_) return {};
    const Expr steps = loop_.hi - loop_.lo;
    const Symbol open("open");
    std::vector<Stmt> all, chunked;
    const Expr size = maxOf(ceilDiv(steps, intConst(kMostChunks)), std::min<int64_t>(least_, kLeastChunk));
    chunks_ = {loop_.index, loop_.lo, loop_.hi, build_.let("chunk", size, chunked), {}, build_};
    chunks_.count = build_.let("chunks", ceilDiv(steps, chunks_.size), chunked);
    chunked.insert(chunked.end(), loop_.starts.begin(), loop_.starts.end());
    for (CarriedNumber& c : carried_)
      for (Buffer* b : {&c.from, &c.to}) {
        *b = {Symbol(c.scalar.hint() + (b == &c.from ? "_from" : "_to")), c.type, {intConst(kMostChunks)}};
        function_.buffers.push_back(*b);
        all.push_back(build_.alloc(*b));
      }
    const bool isExact = composes_ && composed_.isExact();
    if (!isExact) all.push_back(build_.assign(open, intConst(1)));
    if (forgets_ && !isExact) rounds(open, chunked);
    if (composes_) {
      std::vector<Stmt> composed = composed_.of(chunks_, carried_, open, function_, all);
      if (forgets_ && !isExact) composed = {build_.when(var(open) > 0, std::move(composed))};
      chunked.insert(chunked.end(), composed.begin(), composed.end());
    }
    std::vector<Stmt> last{inChunks(loop_.body, Pass::Last)};
    for (const CarriedNumber& x : carried_)
      if (liveAfter_.contains(x.scalar))
        last.push_back(build_.assign(x.scalar, load(x.to, {chunks_.count - 1})));
    For inOrder = *loop;
    inOrder.hints.mark = LoopMark::Sequential; // where it is chosen, as it should be
    const Stmt otherwise = build_.make(std::move(inOrder));
    if (isExact) {
      chunked.insert(chunked.end(), last.begin(), last.end());
      all.push_back(build_.when(steps >= least_, block(std::move(chunked)), otherwise));
      return all;
    }
    chunked.push_back(build_.when(eq(var(open), 0), block(std::move(last))));
    all.push_back(build_.when(steps >= least_, std::move(chunked)));
    all.push_back(build_.when(var(open) > 0, otherwise));
    return all;
  }

private:
  /// What one step hands on to the next, none of it as a scan would, and what all collect. False where it is never forgotten.
  bool readsCarried() {
    const Stmt body = block(loop_.body);
    const std::map<Symbol, DType> types = assignedTypes(body);
    std::set<Symbol> states;
    size_t folds = 0; // which are scanned where nothing else is handed on
    for (const Reduction& r : analysis::judgeParallel(loop_.steps(), known_, liveAfter_).reductions)
      collected_.insert(r.var);
    std::set<Symbol> handedOn = analysis::exposedScalars(body);
    // Many short loops would be launched one by one, where one thread could do all of them.
    const bool isWorthAll = known_.loops.empty() && !any<While>(function_.body, [&](const While& around) {
                              return anyStmt(around.body, [&](const Stmt& inner) { return inner == whole_; });
                            });
    for (const auto& [x, type] : types) // set by some steps, and asked for behind the last
      if (isWorthAll && liveAfter_.contains(x)) handedOn.insert(x);
    for (const Symbol& x : handedOn) {
      const auto type = types.find(x);
      if (type == types.end() || collected_.contains(x))
        continue; // the same for all steps, or of no use for them
      if (isComplex(type->second) || !startsOutside(x)) return false;
      const auto fold = loop_.carriedBy(x);
      if (fold && fold->op == ReduceOp::Prod) return false; // of parts that vanish where the whole does not
      folds += fold.has_value();
      carried_.push_back({x, type->second});
      states.insert(x);
    }
    composes_ = composed_.reads(loop_.body, carried_, loop_.index, loop_.hi - loop_.lo);
    forgets_ = folds == 0 && mayForget(body, states);
    composes_ &= forgets_ || isWorthAll;
    return folds < carried_.size() && (forgets_ || composes_);
  }

  /// Has it a value where the loop begins? What each step sets on all paths that read it has none.
  bool startsOutside(const Symbol& x) const {
    const auto isParam = [&](const Param& p) { return p.name == x; };
    const auto timesIn = [&](const Stmt& s) {
      int times = 0;
      each<Assign>(s, [&](const Assign& a) { times += a.var == x; });
      return times;
    };
    return std::ranges::any_of(function_.params, isParam) || assignedVars(block(loop_.starts)).contains(x) ||
           timesIn(function_.body) > timesIn(whole_);
  }

  /// Is one step, from what it starts with, independent of all others, and does it load nothing that it has stored?
  bool isApart() {
    std::set<Symbol> stored, live = liveAfter_;
    for (const Stmt& s : loop_.body) {
      const std::set<Symbol> written = storedBuffers(s), read = loadedBuffers(s);
      if (intersect(read, stored) || (!s.is<Store>() && intersect(read, written))) return false;
      stored.insert(written.begin(), written.end());
    }
    For judged = loop_.steps();
    std::vector<Stmt> body;
    for (const CarriedNumber& x : carried_) {
      body.push_back(build_.assign(x.scalar, constOf(x.type, 0)));
      live.erase(x.scalar);
    }
    body.insert(body.end(), loop_.body.begin(), loop_.body.end());
    judged.body = block(std::move(body));
    const analysis::ParallelVerdict v = analysis::judgeParallel(judged, known_, live);
    collects_ = v.reductions;
    return v.isFree() && collects_.size() == collected_.size() &&
           std::ranges::all_of(collects_, [&](const Reduction& r) { return collected_.contains(r.var); });
  }

  template <class Fn> Stmt forChunks(const Expr& count, const Fn& body) const {
    const Symbol c("c");
    return build_.inAnyOrder(c, intConst(0), count, loops::withOwnScalars(body(var(c))));
  }

  enum class Pass {
    States, ///< what each chunk ends with goes to `to`
    Last
  };

  /// Each chunk's steps, from what is in `from`.
  Stmt inChunks(const std::vector<Stmt>& step, Pass pass) const {
    const Symbol c("c");
    std::vector<Stmt> body;
    for (const CarriedNumber& x : carried_) body.push_back(build_.assign(x.scalar, load(x.from, {var(c)})));
    body.push_back(chunks_.stepsOf(var(c), step));
    for (const CarriedNumber& x : carried_)
      if (pass == Pass::States) body.push_back(build_.store(x.to, {var(c)}, var(x.scalar, x.type)));
    const Stmt all = block(std::move(body));
    std::set<Symbol> own = assignedVars(all);
    for (const Symbol& x : collected_) own.erase(x);
    For chunks = provenLoop(c, intConst(0), chunks_.count, loops::withOwnScalars(all, own));
    if (pass == Pass::Last) chunks.reductions = collects_;
    return build_.make(std::move(chunks));
  }

  /// Are they not the same to the last bit?
  static Expr differ(const Expr& a, const Expr& b, DType type) {
    if (!isFloat(type)) return ne(a, b);
    const DType bits = type == DType::F64 ? DType::I64 : DType::I32;
    return ne(call(Intrinsic::BitsOf, bits, {a}), call(Intrinsic::BitsOf, bits, {b}));
  }

  void rounds(const Symbol& open, std::vector<Stmt>& out) const {
    out.push_back(forChunks(chunks_.count, [&](const Expr& c) {
      std::vector<Stmt> stores;
      for (const CarriedNumber& x : carried_)
        stores.push_back(build_.store(x.from, {c}, var(x.scalar, x.type)));
      return block(std::move(stores));
    }));
    const Symbol round("round"), count("count"), c("c");
    std::vector<Stmt> step;
    const Stmt states = without(block(loop_.body), [&](const Stmt& s) {
      return s.is<Store>() || (s.is<Assign>() && collected_.contains(s.as<Assign>()->var));
    });
    step.push_back(inChunks(statementsOf(states), Pass::States));
    step.push_back(build_.assign(count, intConst(0)));
    Expr any;
    for (const CarriedNumber& x : carried_) {
      const Expr one = differ(load(x.from, {var(c) + 1}), load(x.to, {var(c)}), x.type);
      any = any ? either(any, one) : one;
    }
    For asking = provenLoop(c, intConst(0), chunks_.count - 1,
                            build_.assign(count, var(count) + select(any, intConst(1), intConst(0))));
    asking.reductions = {{count, DType::I64, ReduceOp::Sum}};
    step.push_back(build_.make(std::move(asking)));
    step.push_back(forChunks(chunks_.count - 1, [&](const Expr& at) {
      std::vector<Stmt> moved;
      for (const CarriedNumber& x : carried_)
        moved.push_back(build_.store(x.from, {at + 1}, load(x.to, {at})));
      return block(std::move(moved));
    }));
    step.push_back(build_.assign(open, var(count)));
    step.push_back(build_.assign(round, var(round) + 1));
    out.push_back(build_.assign(round, intConst(0)));
    Expr mayGoOn = var(round) < intConst(kRoundsBeforeComposed);
    if (!composes_) { // what does not forget settles one chunk a round
      const Expr isFaster = var(open) < chunks_.count - var(round) * kLeastSettled;
      mayGoOn = both(var(round) < floorDiv(chunks_.count, kPartOfRounds), either(mayGoOn, isFaster));
    }
    out.push_back(build_.make(While{both(var(open) > 0, mayGoOn), block(std::move(step))}));
  }

  Function& function_;
  const analysis::Context& known_;
  Stmt whole_; ///< the loop as it stands
  const std::set<Symbol>& liveAfter_;
  int64_t least_ = kLeastSteps;
  ScanLoop loop_;
  Builder build_;
  std::vector<CarriedNumber> carried_;
  std::set<Symbol> collected_;      ///< by all steps, and of no use for a step
  std::vector<Reduction> collects_; ///< how
  ComposedChunks composed_;
  bool forgets_ = false, composes_ = false;
  Chunks chunks_{Symbol("i"), {}, {}, {}, {}, {}};
};

struct SettlingHost : LongLoopsPass {
  using LongLoopsPass::LongLoopsPass;

  Stmt chunked(const Stmt& s, const For& loop) override {
    const std::vector<Stmt> settled = Settling(function_, known_, live_.after(s)).of(s, ctx_);
    if (settled.empty()) return {};
    ctx_.diag.dropIn(s->span, {DiagId::KeptSerial});
    note(DiagId::Parallelised, s,
         "loop `{}` runs in chunks where it is long: each starts from a guess, and again from what the one "
         "before has ended with, until that is the same; what does not settle runs in order",
         loop.index.hint());
    return block(settled);
  }
};

} // namespace

void settleRecurrences(Function& f, PassContext& ctx) { f.body = SettlingHost(f, ctx).visit(f.body); }

} // namespace appyc::schedule
