//===- FoldByKey.cpp - what is folded into elements that the data choose, by all threads ------------------------===//
//   for i:                             for i (parallel):  key[i] = bins
//     if r[i] < most:                    if r[i] < most:  key[i] = k[i];  value[i] = w[i]
//       h[k[i]] = h[k[i]] + w[i]   =>  whole[b], size[b] = the sum of value[i] where key[i] = b, and how many these are
//                                      for b (parallel):  if size[b] > 0:  h[b] = h[b] + whole[b]
// Sums of floats come out the same in each run, as atomic updates would not make them. So are np.bincount and np.histogram with
// weights, and np.add.at. A nest of loops is one sequence of elements, and so are several updates of one array in a step. What
// shares nothing with the others in a loop is a loop of its own.
//   sums[label[i]] += x[i]; count[label[i]] += 1 for 1e6 rows of 8, an H200: two launches a row, one second and more; predicted 1 ms
//   count, sum, least and most of 500 zones of 2048 x 2048, an H200: 105 ms by steps-by-key, row by row; predicted 0.3, measured 0.32
#include "ChosenUpdates.h"
#include "HostLoops.h"
#include "PairSteps.h"
#include "Units.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/Analysis/Liveness.h"
#include "appyc/Cost/Model.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Upward.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

/// Bins of a step: all take time, and what is folded into few of them is sooner done one by one.
constexpr int64_t kBinsOfStep = 256;
/// Folds of one loop: each puts the elements in order anew.
constexpr size_t kMostFolds = 8;

class KeyedFolds {
public:
  /// `sizes`: scalars that are not negative.
  KeyedFolds(Function& f, PassContext& ctx, const std::set<Symbol>& liveAfter, const Stmt& nest,
             std::set<Symbol> sizes)
      : function_(f), ctx_(ctx), liveAfter_(liveAfter), nest_(nest), build_{nest->span},
        found_(findUpdates(nest, f)), loops_(found_.loops), sizes_(std::move(sizes)) {}

  /// The nest with its folds made by key; no handle where it has none.
  Stmt replaced() {
    if (found_.updates.empty()) return {};
    const Stmt filled = withKeys(found_.body, true);
    if (folds_.empty() || folds_.size() > kMostFolds) return {};
    const Stmt parallel = inParallel(block({block(first_), filled}));
    return parallel ? arranged(parallel) : Stmt();
  }

private:
  /// Elements with keys of their own: where one folds, others by the same key do.
  struct Keys {
    Buffer keys;
    Expr bins;
    std::vector<Expr> index; ///< of the target
    std::vector<Expr> extents;
    Symbol several{}; ///< the target that is updated so many times in a step, each with a key
    int64_t parts = 1;
  };
  struct Fold {
    size_t keys; ///< in keys_
    const ChosenUpdate* update;
    Buffer values; ///< no name: how many they are says it
  };

  Expr steps() const {
    Expr n = intConst(1);
    for (const For* loop : loops_) n = n * analysis::atLeastZero(loop->hi - loop->lo, sizes_);
    return n;
  }
  Buffer perStep(const char* hint, DType type, int64_t parts = 1) const {
    Buffer b{Symbol(hint), type, {}};
    for (const For* loop : loops_) b.extents.push_back(analysis::atLeastZero(loop->hi - loop->lo, sizes_));
    if (parts > 1) b.extents.push_back(intConst(parts));
    return b;
  }
  Stmt storeAtStep(const Buffer& b, const Expr& value, int64_t part = 0) const {
    std::vector<Expr> at;
    for (const For* loop : loops_) at.push_back(var(loop->index) - loop->lo);
    if (at.size() < b.extents.size()) at.push_back(intConst(part));
    return build_.store(b, std::move(at), value);
  }
  bool isFixed(const Keys& k, size_t d) const { return !k.several && found_.isFixed(k.index[d]); }

  /// Stores of keys and values in place of the updates; `always`: it runs in each step.
  Stmt withKeys(const Stmt& s, bool always) {
    std::vector<Stmt> out;
    std::vector<size_t> current; // keys that hold here, set by the statements before
    for (const Stmt& part : statementsOf(s)) {
      const ChosenUpdate* update = found_.updateAt(part);
      if (update) {
        fold(*update, always, current, out);
        continue;
      }
      std::erase_if(current, [&](size_t k) {
        return std::any_of(keys_[k].index.begin(), keys_[k].index.end(),
                           [&](const Expr& e) { return !loops::keeps(part, e); });
      });
      const bool descends = part.is<If>();
      out.push_back(descends ? mapChildren(part, [&](const Stmt& child) { return withKeys(child, false); })
                             : part);
    }
    return block(std::move(out));
  }

  /// Which of how many elements it is, of those that the steps choose among.
  std::pair<Expr, Expr> keyOf(const ChosenUpdate& update) const {
    Expr key = intConst(0), bins = intConst(1);
    for (size_t d = 0; d < update.target.extents.size(); ++d) {
      if (update.of == 1 && found_.isFixed(update.store->index[d])) continue;
      key = key * update.target.extents[d] + update.store->index[d];
      bins = bins * update.target.extents[d];
    }
    return {key, bins};
  }

  /// Stores the update's key and value.
  void fold(const ChosenUpdate& update, bool always, std::vector<size_t>& current, std::vector<Stmt>& out) {
    const Buffer& target = update.target;
    const bool isOne = update.of == 1;
    const auto [key, bins] = keyOf(update);
    const auto set = [&](const Buffer& b, const Expr& value, const Expr& otherwise) {
      if (!always) first_.push_back(storeAtStep(b, otherwise, update.part));
      out.push_back(storeAtStep(b, value, update.part));
    };
    const auto isSame = [&](size_t k) {
      return isOne ? std::ranges::count(current, k) && equalIndices(keys_[k].index, update.store->index) &&
                         equalIndices(keys_[k].extents, target.extents)
                   : keys_[k].several == target.name;
    };
    size_t at = 0;
    while (at < keys_.size() && !isSame(at)) ++at;
    const bool isNew = at == keys_.size();
    if (isNew)
      keys_.push_back({perStep("key", DType::I32, update.of), bins, update.store->index, target.extents,
                       isOne ? Symbol() : target.name, update.of});
    if (isNew && isOne) current.push_back(at);
    if (isNew || !isOne) set(keys_[at].keys, cast(DType::I32, key), cast(DType::I32, bins));
    const auto first = std::ranges::find_if(folds_, [&](const Fold& f) { return f.keys == at; });
    const bool isFirst = first == folds_.end();
    Fold made{at, &update, {}};
    if (!isOne && !isFirst)
      made.values = first->values;
    else if (isFirst || !isNumber(update))
      made.values = perStep("value", target.type, update.of);
    if (made.values.name) set(made.values, cast(target.type, update.by), constOf(target.type, 0));
    if (isOne || isFirst) folds_.push_back(std::move(made));
  }

  /// A sum of one whole number, or of 1.0, is that number of times it.
  static bool isNumber(const ChosenUpdate& u) {
    const DType type = u.target.type;
    return u.op == ReduceOp::Sum && u.by.is<Const>() && (isInteger(type) || equal(u.by, constOf(type, 1)));
  }

  /// The nest around `body`, if its steps are free to run in any order.
  Stmt inParallel(Stmt body) const {
    for (size_t d = loops_.size(); d-- > 0;) {
      For loop = withBody(*loops_[d], std::move(body));
      loop.order = Order::Serial;
      loop.reductions.clear();
      const std::vector<const For*> around(loops_.begin(), loops_.begin() + static_cast<std::ptrdiff_t>(d));
      const analysis::ParallelVerdict v = analysis::judgeParallel(loop, {around, sizes_}, liveAfter_);
      if (!v.isFree()) return {};
      loop.order = Order::Proven;
      loop.reductions = v.reductions;
      body = build_.make(std::move(loop));
    }
    return body;
  }

  Buffer made(Buffer b, std::vector<Stmt>& out) const {
    return loops::newArray(function_, build_, std::move(b), out);
  }
  static Routine::Operand begin(const Buffer& b) {
    return {b.name, std::vector<Expr>(b.extents.size(), intConst(0))};
  }

  /// The folds, where there are enough steps for them and no more than routines take; else the nest.
  Stmt arranged(const Stmt& parallel) const {
    // Three launches take as long as so many steps by one thread: key, value, element and store wait for each other.
    const int64_t sooner = cost::stepsInLaunches(ctx_.device, 3, 4);
    const int64_t few = ctx_.choose(build_.span, "keys", sooner, {1, 64, 256, 1 << 12, 1 << 16, 1 << 20});
    Expr count = steps(), least = keys_[0].bins, most = keys_[0].bins;
    int64_t parts = 1;
    for (const Keys& k : keys_) {
      least = minOf(least, k.bins);
      most = maxOf(most, k.bins);
      parts = std::max(parts, k.parts);
    }
    if (parts > 1) count = count * parts;
    const Expr pays = both(both(intConst(few) <= count, intConst(1) <= least),
                           both(maxOf(count, most) <= kMostKeys, most <= count * kBinsOfStep));
    if (constantBool(pays) == false) return {};
    std::vector<Stmt> all;
    for (const Keys& k : keys_) made(k.keys, all);
    for (const Fold& f : folds_)
      if (f.values.name) made(f.values, all);
    all.push_back(parallel);
    for (size_t k = 0; k < keys_.size(); ++k)
      foldInto(k, keys_[k].parts > 1 ? steps() * keys_[k].parts : steps(), all);
    ctx_.diag.report(DiagId::Parallelised, build_.span,
                     "what is folded into elements that the data choose is folded by element, so that all "
                     "threads take part");
    if (pays.is<Const>()) return block(std::move(all));
    For inOrder = *nest_.as<For>();
    inOrder.hints.mark = LoopMark::Sequential; // where it is chosen, as it should be
    return build_.when(pays, block(std::move(all)),
                       withOwnArrays(build_.make(std::move(inOrder)), function_.buffers));
  }

  void foldInto(size_t k, const Expr& count, std::vector<Stmt>& all) const {
    const Keys& keys = keys_[k];
    const Expr room = foldRoom(count, keys.bins);
    const Buffer sizes = made({Symbol("size"), DType::I32, {room}}, all);
    std::vector<Symbol> indices;
    std::vector<Expr> at;
    Expr bin = intConst(0);
    for (size_t d = 0; d < keys.extents.size(); ++d) {
      const bool fixed = isFixed(keys, d);
      indices.push_back(fixed ? Symbol() : Symbol("b"));
      at.push_back(fixed ? keys.index[d] : var(indices[d]));
      if (!fixed) bin = bin * keys.extents[d] + at[d];
    }
    const Expr size = load(sizes, {bin});
    std::vector<Stmt> updates;
    for (const Fold& f : folds_) {
      if (f.keys != k) continue;
      const Buffer& target = f.update->target;
      Expr whole;
      if (f.values.name) {
        const Buffer folded = made({Symbol("whole"), target.type, {room}}, all);
        all.push_back(build_.make(Routine{RoutineName::FoldByKey,
                                          {begin(keys.keys), begin(f.values), begin(folded), begin(sizes)},
                                          {count, keys.bins},
                                          f.update->op}));
        whole = load(folded, {bin});
      } else {
        const Expr one = constOf(target.type, 1), by = cast(target.type, f.update->by);
        whole = cast(target.type, size);
        if (!equal(by, one)) whole = binary(BinaryOp::Mul, whole, by);
      }
      updates.push_back(build_.store(target, at, combine(f.update->op, load(target, at), whole)));
    }
    Stmt body = build_.when(size > constOf(DType::I32, 0), std::move(updates));
    for (size_t d = indices.size(); d-- > 0;)
      if (indices[d]) body = build_.inAnyOrder(indices[d], intConst(0), keys.extents[d], body);
    all.push_back(body);
  }

  Function& function_;
  PassContext& ctx_;
  const std::set<Symbol>& liveAfter_;
  Stmt nest_;
  Builder build_;
  UpdateNest found_;
  const std::vector<const For*>& loops_;
  std::set<Symbol> sizes_;
  std::vector<Keys> keys_;
  std::vector<Fold> folds_;
  std::vector<Stmt> first_; ///< keys and values of steps that fold nothing
};

struct FoldingByKey : HostPass {
  using HostPass::HostPass;

  Stmt replaced(const Stmt& s, const For& loop) override {
    const Stmt up = loopsUpward(s), out = isSerial(loop) ? withUpdatesWrittenOut(up) : up;
    if (const auto pairs = PairSteps::find(out, known_.sizes))
      if (const Stmt made = folded(pairs->batch(), s, pairs->counts())) return pairs->around(made);
    const Stmt made = folded(out, s);
    return made || !isSerial(loop) ? made : apart(out, s);
  }

private:
  Stmt folded(const Stmt& part, const Stmt& whole, std::set<Symbol> counts = {}) {
    counts.insert(known_.sizes.begin(), known_.sizes.end());
    return KeyedFolds(function_, ctx_, live_.after(whole), part, std::move(counts)).replaced();
  }
  /// Those of the loop's statements that share nothing with the others, each as a loop, where that lets any of them be folded.
  Stmt apart(const Stmt& up, const Stmt& whole) {
    std::vector<Stmt> parts = independentParts(up);
    bool any = false;
    for (Stmt& part : parts)
      if (const Stmt made = folded(part, whole)) part = made, any = true;
    return any ? block(std::move(parts)) : Stmt();
  }
};

} // namespace

void foldByKey(Function& f, PassContext& ctx) { f.body = FoldingByKey(f, ctx).visit(f.body); }

} // namespace appyc::schedule
