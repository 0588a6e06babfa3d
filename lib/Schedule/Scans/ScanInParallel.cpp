//===- ScanInParallel.cpp - what loops fold and keep at each step, by all threads ------------------------------------===//
//   for i:                           for i (parallel):  values[i] = a[i]
//     s = s + a[i]             =>    carry = s;  scanned[k] = carry + values[0] + .. + values[k];  carry = scanned[n - 1]
//     out[i] = s                     for i (parallel):  out[i] = scanned[i]
//                                    s = carry
// So are np.cumsum, ufunc.accumulate, `out[i] = out[i - 1] + a[i]`, running extremes and counts of what holds. Prefix sums
// (Blelloch 1990).
#include "HostLoops.h"
#include "ScanLoops.h"
#include "Units.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Cost/Model.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

RoutineName routineOf(ReduceOp op) {
  switch (op) {
  case ReduceOp::Sum: return RoutineName::ScanSums;
  case ReduceOp::Prod: return RoutineName::ScanProducts;
  case ReduceOp::Max: return RoutineName::ScanMaxima;
  default: return RoutineName::ScanMinima;
  }
}

/// A serial loop of which scalars, or elements just stored, carry what has been folded from step to step.
class Scanning {
public:
  Scanning(Function& f, const analysis::Context& known, std::set<Symbol> liveAfter,
           const cost::Device& device)
      : function_(f), known_(known), liveAfter_(std::move(liveAfter)),
        loop_(f, known, cost::stepsInLaunches(device, 3, 1)),
        fewRows_(device.threadsToFill() / cost::Device::schedulers) {}

  /// The statements instead of the loop; none where it has to stay.
  std::vector<Stmt> of(const Stmt& s) {
    build_ = {s->span};
    const auto* loop = s.as<For>();
    return loop && loop_.reads(*loop) && scanAll() ? finish() : std::vector<Stmt>{};
  }

  /// Is it no scan for what its steps multiply?
  bool multiplies() const { return multiplies_; }

  /// Instead of a parallel loop over rows, each of which has such a loop, where rows are few and long.
  Stmt ofRows(const For& rows, const Stmt& original) {
    rows_ = &rows;
    build_ = {original->span};
    if (!readsRow(rows) || !scanAll()) return {};
    std::vector<Stmt> all = finish();
    if (all.empty()) return {};
    const Expr few = tripCount(rows) <= fewRows_;
    const Expr isLong = loop_.hi - loop_.lo > loop_.fewSteps();
    return build_.when(both(few, isLong), block(std::move(all)), original);
  }

private:
  /// A row's statements: what comes before its loop, the loop, and what needs of both only what has been folded.
  bool readsRow(const For& rows) {
    const auto isInner = [](const Stmt& s) { return s.is<For>(); };
    const std::vector<Stmt> body = statementsOf(rows.body);
    const auto inner = std::find_if(body.begin(), body.end(), isInner);
    if (rows.hints.mark != LoopMark::None || !rows.reductions.empty() || !isConst(rows.step, 1) ||
        inner == body.end() || readsMemory(rows.lo) || readsMemory(rows.hi) ||
        constantTrip(rows).value_or(0) > fewRows_)
      return false;
    const auto* loop = inner->as<For>();
    const std::set<Symbol> own = varyingWith(rows);
    if (!loop_.reads(*loop) || mentionsAny(loop_.lo, own) || mentionsAny(loop_.hi, own)) return false;
    before_.assign(body.begin(), inner);
    behind_.assign(inner + 1, body.end());
    if (!isStraight(block(before_)) || !isStraight(block(behind_))) return false;
    const std::set<Symbol> carried = loop_.carried(), given = assignedVars(block(before_)),
                           made = assignedVars(rows.body);
    const std::set<Symbol> needed = analysis::exposedScalars(block(behind_));
    const auto isOther = [&](const Symbol& x) { return !carried.count(x); };
    const std::set<Symbol> inLoop = analysis::exposedScalars(*inner);
    for (const auto& [read, set] : {std::pair(inLoop, given), std::pair(needed, made)})
      if (std::any_of(read.begin(), read.end(), [&](const Symbol& x) { return set.count(x) && isOther(x); }))
        return false;
    liveAfter_ = needed;
    return true;
  }

  bool scanAll() {
    begun_ = loop_.starts;
    number_ = analysis::atLeastZero(loop_.hi - loop_.lo, analysis::contextOf(function_).sizes);
    std::set<Symbol> carried = loop_.carried();
    if (carried.empty()) return false;
    while (!carried.empty()) { // those first whose operands need no others
      std::optional<ScanLoop::Carried> next;
      for (const Symbol& x : carried)
        if (!next) next = loop_.carriedBy(x);
      if (!next)
        multiplies_ = std::ranges::any_of(carried, [&](const Symbol& x) { return loop_.multiplies(x); });
      if (!next || !scan(*next)) return false;
      carried = loop_.carried();
    }
    return true;
  }

  /// The number of the row, if there are any, and a place in it.
  std::vector<Expr> place(const Expr& at) const {
    return rows_ ? std::vector{var(rows_->index) - rows_->lo, at} : std::vector{at};
  }
  std::vector<Expr> row() const { return {rows_ ? var(rows_->index) - rows_->lo : intConst(0)}; }
  Expr rowCount() const { return rows_ ? tripCount(*rows_) : intConst(1); }
  /// For all rows, scalars and indices under names of their own.
  Stmt inRows(const Stmt& each) const {
    if (!rows_) return each;
    const Stmt own = loops::withOwnScalars(each);
    const Symbol i(rows_->index.hint());
    return build_.inAnyOrder(i, rows_->lo, rows_->hi, substitute(own, {{rows_->index, var(i)}}));
  }

  bool scan(const ScanLoop::Carried& c) {
    const Symbol &x = c.scalar, own(x.hint());
    std::vector<Stmt>& body = loop_.body;
    const DType type = typeOf(c.operand);
    const Buffer carry = buffer("carry", type, {rowCount()}),
                 scanned = buffer("scanned", type, place(number_));
    const Routine::Operand values = valuesOf(c, type);
    begun_.push_back(build_.store(carry, row(), var(x, type)));
    // The operand is judged beside the rest of the step, to see what no other step may write.
    const Symbol judged("operand");
    operands_.insert(judged);
    const Stmt operand = makeStmt({}, Store{judged, {loop_.position()}, c.operand, {}});
    const Stmt get = makeStmt(body[c.at]->span, Assign{own, load(scanned, place(loop_.position()))});
    const auto at = body.begin() + static_cast<std::ptrdiff_t>(c.at);
    std::transform(at + 1, body.end(), at + 1, [&](const Stmt& s) { return renameScalar(s, x, own); });
    body[c.at] = get;
    body.insert(at, operand);
    const std::vector<Expr> first(scanned.extents.size(), intConst(0));
    made_.push_back(build_.make(Routine{routineOf(c.op),
                                        {values, {carry.name, {intConst(0)}}, {scanned.name, first}},
                                        {rowCount(), number_}}));
    if (liveAfter_.erase(x)) after_.push_back(build_.assign(x, load(carry, row())));
    ++scans_;
    return keepEarlier(c, type, scanned);
  }

  /// What is read before the step's own assignment is what the step before left.
  bool keepEarlier(const ScanLoop::Carried& c, DType type, const Buffer& scanned) {
    const auto begin = loop_.body.begin(), end = begin + static_cast<std::ptrdiff_t>(c.at);
    if (std::none_of(begin, end, [&](const Stmt& s) { return readScalars(s).count(c.scalar) > 0; }))
      return true;
    if (rows_) return false; // each of which starts from a number of its own
    const Symbol start(c.scalar.hint()), last(c.scalar.hint());
    begun_.push_back(build_.assign(start, var(c.scalar, type)));
    std::transform(begin, end, begin, [&](const Stmt& s) {
      return substitute(s, {{c.scalar, var(last, type)}});
    });
    const Expr isFirst = eq(loop_.position(), 0);
    const Expr earlier = load(scanned, {loop_.position() - 1});
    loop_.body.insert(begin, build_.assign(last, select(isFirst, var(start, type), earlier)));
    return true;
  }

  /// Where the operands lie side by side: as they are, or all made beforehand.
  Routine::Operand valuesOf(const ScanLoop::Carried& c, DType type) {
    const auto* from = c.operand.as<Load>();
    if (from && !rows_ && c.before.empty() && loop_.isRow(from->index) && !loop_.stores(from->buffer))
      return {from->buffer, loop_.elementAt(from->index, loop_.lo)};
    const Buffer values = buffer("values", type, place(number_));
    std::vector<Stmt> steps = c.before;
    steps.push_back(
        makeStmt(loop_.body[c.at]->span, Store{values.name, place(loop_.position()), c.operand, {}}));
    const Stmt all = loops::withOwnScalars(block(std::move(steps)));
    const Symbol i(loop_.index.hint());
    made_.push_back(
        inRows(build_.inAnyOrder(i, loop_.lo, loop_.hi, substitute(all, {{loop_.index, var(i)}}))));
    return {values.name, std::vector<Expr>(values.extents.size(), intConst(0))};
  }

  std::vector<Stmt> finish() {
    const analysis::ParallelVerdict v = analysis::judgeParallel(loop_.steps(), known_, liveAfter_);
    if (!v.isFree()) return {};
    std::erase_if(loop_.body, [&](const Stmt& s) {
      const auto* store = s.as<Store>();
      return store && operands_.count(store->buffer);
    });
    if (!scansInto()) {
      For rest = loop_.steps();
      rest.order = Order::Proven;
      rest.reductions = v.reductions;
      made_.push_back(inRows(build_.make(std::move(rest))));
    }
    after_.insert(after_.end(), behind_.begin(), behind_.end());
    before_.insert(before_.end(), begun_.begin(), begun_.end());
    std::vector<Stmt> all;
    for (const Buffer& b : buffers_) loops::newArray(function_, build_, b, all);
    all.push_back(inRows(block(before_)));
    all.insert(all.end(), made_.begin(), made_.end());
    if (!after_.empty()) all.push_back(inRows(block(after_)));
    if (loop_.starts.empty() || rows_) return all;
    return {build_.when(loop_.lo < loop_.hi, std::move(all))};
  }

  /// Where the steps do no more than store what is scanned, one element after the other, it is made there.
  bool scansInto() {
    const auto* get = loop_.body.size() == 2 ? loop_.body[0].as<Assign>() : nullptr;
    const auto* store = get ? loop_.body[1].as<Store>() : nullptr;
    const auto* stored = store ? store->value.as<Var>() : nullptr;
    if (rows_ || scans_ != 1 || !stored || stored->name != get->var || !loop_.isRow(store->index))
      return false;
    for (Stmt& s : made_) {
      if (!s.is<Routine>()) continue;
      Routine r = *s.as<Routine>();
      std::erase_if(buffers_, [&](const Buffer& b) { return b.name == r.operands.back().buffer; });
      r.operands.back() = {store->buffer, loop_.elementAt(store->index, loop_.lo)};
      s = makeStmt(s->span, std::move(r));
    }
    return true;
  }

  /// With as many rows, if there are any: no more than will be scanned.
  Buffer buffer(const char* name, DType type, std::vector<Expr> extents) {
    if (extents.size() > 1) extents.front() = minOf(rowCount(), fewRows_);
    buffers_.push_back({Symbol(name), type, std::move(extents)});
    return buffers_.back();
  }

  Function& function_;
  const analysis::Context& known_;
  std::set<Symbol> liveAfter_, operands_;
  ScanLoop loop_;
  int64_t fewRows_; ///< fewer leave threads idle that have one each
  Builder build_;
  Expr number_;
  const For* rows_ = nullptr;
  std::vector<Stmt> before_, behind_;      ///< of a row
  std::vector<Stmt> begun_, made_, after_; ///< what carries start from; the scans; what is left
  std::vector<Buffer> buffers_;
  int scans_ = 0;
  bool multiplies_ = false;
};

struct ScanningHost : HostPass {
  using HostPass::HostPass;

  // Rows of nests that one thread runs so far are for block-wavefronts.
  bool enters(const Stmt& s) const override { return isOfHost(s); }
  Stmt replaced(const Stmt& s, const For& loop) override {
    Scanning scanning(function_, known_, live_.after(s), ctx_.device);
    const std::vector<Stmt> scans = scanning.of(s);
    if (scanning.multiplies())
      note(DiagId::KeptSerial, s,
           "what each step of loop `{}` multiplies stays in order: grouped otherwise, products overflow, or "
           "vanish, "
           "where the loop's own values do not",
           loop.index.hint());
    if (!scans.empty()) {
      ctx_.diag.dropIn(s->span, {DiagId::SerialReduction}); // which it is no more
      note(DiagId::Parallelised, s, "what loop `{}` folds is scanned by all threads", loop.index.hint());
      return block(scans);
    }
    return isParallel(loop) ? ofRows(s, loop) : Stmt();
  }

private:
  Stmt ofRows(const Stmt& s, const For& loop) {
    const analysis::Inside inside(known_, loop);
    const Stmt rows = Scanning(function_, known_, {}, ctx_.device).ofRows(loop, s);
    if (rows)
      note(DiagId::Parallelised, s,
           "what each iteration of `{}` folds is scanned by all threads where these are few",
           loop.index.hint());
    return rows;
  }
};

} // namespace

void scanInParallel(Function& f, PassContext& ctx) { f.body = ScanningHost(f, ctx).visit(f.body); }

} // namespace appyc::schedule
