//===- PointGroups.cpp - a loop's points in groups, by routines that the host calls ------------------------===//
#include "Masks.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::transform {
using namespace ir;

Grouping groupingOf(const Mask& mask, const PointLoop& at, const Expr& from, const Expr& count,
                    const Expr& groups, const Expr& pays, bool onlyFolds, const HostKnown& known) {
  Grouping g{mask, at.loop.index, from, count, groups, pays, {}, {}, {}};
  g.onlyFolds = onlyFolds;
  if (!pays.is<Const>()) g.enabled = Symbol("grouped");
  g.apart = {Symbol("apart"), DType::I32, {intConst(1)}};
  g.keys = {Symbol("keys"), DType::I32, {analysis::atLeastZero(count, known.context)}};
  if (onlyFolds) {
    g.sizes = foldsOf(g, "sizes", DType::I32);
  } else {
    g.start = {Symbol("start"), DType::I32, {analysis::atLeastZero(groups, known.context) + 1}};
    g.order = {Symbol("order"), DType::I32, {analysis::atLeastZero(count, known.context)}};
  }
  return g;
}

bool serves(const Grouping& g, const Grouping& other) {
  const Expr point = substitute(other.mask.point, {{other.index, var(g.index)}});
  return g.onlyFolds == other.onlyFolds && equal(g.mask.point, point) &&
         equal(g.mask.lower, other.mask.lower) && equal(g.mask.upper, other.mask.upper) &&
         g.mask.lowerOpen == other.mask.lowerOpen && g.mask.upperOpen == other.mask.upperOpen &&
         equalIndex(g.from, other.from) && equalIndex(g.count, other.count);
}

Buffer foldsOf(const Grouping& g, const std::string& hint, DType type) {
  const Expr count = maxOf(g.count, 0), groups = maxOf(g.groups, 0);
  return {Symbol(hint), type, {foldRoom(count, groups)}};
}

namespace {

class Maker {
public:
  Maker(const Grouping& g, const For& parallel, const Builder& build, Function& f, const HostKnown& known,
        std::vector<Stmt>& out)
      : g_(g), parallel_(parallel), build_(build), function_(f), known_(known),
        count_(analysis::atLeastZero(g.count, known.context)), out_(out) {}

  void run() {
    const DType type = typeOf(g_.mask.point);
    const Expr groups = analysis::atLeastZero(g_.groups, known_.context);
    for (const Buffer& made : {g_.apart, g_.keys}) allocate(made);
    const Buffer lower = allocate({Symbol("lower"), type, {groups}});
    const bool oneEdge = equal(g_.mask.lower, g_.mask.upper);
    const Buffer upper = oneEdge ? lower : allocate({Symbol("upper"), type, {groups}});
    const Routine::Operand points = placePoints(type);
    storeEdges(lower, upper);
    const auto open = [](bool isOpen) { return intConst(isOpen ? 1 : 0); };
    call({RoutineName::FindGroups,
          {points, first(lower), first(upper), first(g_.keys), first(g_.apart)},
          {g_.count, g_.groups, open(g_.mask.lowerOpen), open(g_.mask.upperOpen)}});
    g_.onlyFolds ? makeFolds() : makeOrder();
    if (!g_.enabled) {
      out_.insert(out_.end(), work_.begin(), work_.end());
      return;
    }
    out_.push_back(build_.assign(g_.enabled, g_.pays));
    out_.push_back(build_.when(var(g_.enabled, DType::Bool), std::move(work_)));
  }

private:
  static Routine::Operand first(const Buffer& buffer) { return {buffer.name, {intConst(0)}}; }
  void call(Routine routine) { work_.push_back(build_.make(std::move(routine))); }
  Buffer allocate(const Buffer& buffer) {
    function_.buffers.push_back(buffer);
    out_.push_back(build_.alloc(buffer));
    return buffer;
  }

  void makeOrder() {
    for (const Buffer& made : {g_.start, g_.order}) allocate(made);
    call(
        {RoutineName::OrderByKey, {first(g_.keys), first(g_.order), first(g_.start)}, {g_.count, g_.groups}});
  }

  void makeFolds() {
    allocate(g_.sizes);
    std::vector<Grouping::Fold> folds = g_.folds;
    if (folds.empty()) // the sizes are all that is asked for
      folds.push_back({ReduceOp::Sum, constOf(DType::I32, 1), {}, foldsOf(g_, "counts", DType::I32)});
    std::vector<Routine> calls; // behind all values, which one kernel may compute
    for (const Grouping::Fold& fold : folds) {
      Routine::Operand values{fold.from, {g_.from}};
      if (!fold.from) values = first(computed("values", fold.to.type, fold.value));
      allocate(fold.to);
      calls.push_back({RoutineName::FoldByKey,
                       {first(g_.keys), values, first(fold.to), first(g_.sizes)},
                       {g_.count, g_.groups},
                       fold.op});
    }
    for (Routine& fold : calls) call(std::move(fold));
  }

  /// An array of what is computed of each point.
  Buffer computed(const char* hint, DType type, const Expr& value) {
    const Buffer made = allocate({Symbol(hint), type, {count_}});
    const Symbol i(g_.index.hint());
    const Stmt store = build_.store(made, {var(i) - g_.from}, substitute(value, {{g_.index, var(i)}}));
    work_.push_back(build_.inAnyOrder(i, g_.from, g_.from + g_.count, store));
    return made;
  }

  /// Elements of an array in a row are taken from there; other points are computed first.
  Routine::Operand placePoints(DType type) {
    if (const auto* l = g_.mask.point.as<Load>(); l && !l->index.empty()) {
      std::vector<Expr> at;
      bool inRow = true;
      for (size_t d = 0; d < l->index.size(); ++d) {
        const bool last = d + 1 == l->index.size();
        const Expr rest = last ? l->index[d] - var(g_.index) : l->index[d];
        inRow = inRow && !mentions(rest, g_.index) && analysis::followsFrom(rest, known_.scalars);
        at.push_back(last ? rest + g_.from : rest);
      }
      if (inRow) return {l->buffer, std::move(at)};
    }
    return first(computed("points", type, g_.mask.point));
  }

  void storeEdges(const Buffer& lower, const Buffer& upper) {
    const Symbol b(parallel_.index.hint());
    const auto store = [&](const Buffer& buffer, const Expr& edge) {
      return build_.store(buffer, {var(b) - parallel_.lo}, substitute(edge, {{parallel_.index, var(b)}}));
    };
    const Stmt isApart = build_.store(g_.apart, {intConst(0)}, constOf(DType::I32, 1));
    std::vector<Stmt> stores{build_.when(eq(var(b), parallel_.lo), isApart), store(lower, g_.mask.lower)};
    if (upper.name != lower.name) stores.push_back(store(upper, g_.mask.upper));
    work_.push_back(build_.inAnyOrder(b, parallel_.lo, parallel_.hi, block(std::move(stores))));
  }

  const Grouping& g_;
  const For& parallel_;
  const Builder& build_;
  Function& function_;
  const HostKnown& known_;
  const Expr count_;
  std::vector<Stmt>& out_;
  std::vector<Stmt> work_; ///< where grouping pays
};

} // namespace

void makeGroups(const Grouping& g, const For& parallel, const Builder& build, Function& function,
                const HostKnown& known, std::vector<Stmt>& out) {
  Maker(g, parallel, build, function, known, out).run();
}

} // namespace appyc::transform
