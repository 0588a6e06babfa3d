#include "OrderedSegments.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <utility>

namespace appyc::transform {
using namespace ir;

OrderedSegments::OrderedSegments(const Function& function, const For& loop, Span span)
    : function_(function), loop_(loop), build_{span}, changing_(varyingWith(loop)),
      stored_(storedBuffers(loop.body)) {
  for (const Symbol& own : allocatedBuffers(loop.body)) stored_.erase(own);
  readValues(loop.body);
}

void OrderedSegments::readValues(const Stmt& body) {
  values_ = onlyValues(body);
  std::erase_if(values_, [&](const auto& value) { return intersect(loadedBuffers(value.second), stored_); });
}

/// The value by the loop's own index, those of inner loops, and what iterations do not change, as far as it goes.
Expr OrderedSegments::expanded(const Expr& e) const {
  Expr value = e;
  for (size_t k = 0; k <= values_.size(); ++k) {
    const Expr next = substitute(value, values_);
    if (next == value) return value;
    value = next;
  }
  return value;
}

/// Is it one number an iteration, which may be known before the loop?
bool OrderedSegments::isOfLoop(const Expr& e) const {
  std::set<Symbol> names = freeVars(e);
  names.erase(loop_.index);
  return !intersect(names, changing_) && !intersect(names, loopIndices(loop_.body)) &&
         !intersect(loadedBuffers(e), stored_);
}

void OrderedSegments::ask(const Expr& condition) {
  if (isConst(condition, 1)) return;
  if (std::ranges::none_of(asked_, [&](const Expr& known) { return equal(known, condition); }))
    asked_.push_back(condition);
}

/// Asks that a value that memory tells, or the index of a loop between such, is at least 0, or at most `end`: whether that can be asked.
bool OrderedSegments::isAnEnd(const Expr& value, bool isFromBelow, const Expr& end) {
  Expr least = expanded(value), most = least;
  for (const Symbol& name : freeVars(least))
    if (const auto at = inner_.find(name); at != inner_.end()) {
      if (analysis::coefficientOf(least, name) != 1) return false;
      most = substitute(least, {{name, expanded(at->second->hi)}}); // one more than it takes
      least = substitute(least, {{name, expanded(at->second->lo)}});
      break;
    }
  const Expr limit = expanded(end);
  if (!readsMemory(least) || !isOfLoop(least) || !isOfLoop(most) || !isOfLoop(limit)) return false;
  ask(isFromBelow ? least >= 0 : most <= limit);
  return true;
}

/// Without what counts from the end and what goes past it.
Expr OrderedSegments::withoutEnds(const Expr& e) {
  return rewrite(e, [&](const Expr& part) -> Expr {
    if (const auto* choice = part.as<Select>()) {
      const auto* asks = choice->cond.as<Binary>();
      const bool isWrap = asks && asks->op == BinaryOp::Lt && isConst(asks->rhs, 0);
      return isWrap && isAnEnd(asks->lhs, true, intConst(0)) ? choice->otherwise : Expr();
    }
    if (const auto* wrap = part.as<Call>(); wrap && wrap->fn == Intrinsic::WrapIndex) {
      const bool isAmong = intersect(freeVars(wrap->args[0]), loopIndices(loop_.body));
      return isAmong && isAnEnd(wrap->args[0], true, intConst(0)) ? wrap->args[0] : Expr();
    }
    const auto* b = part.as<Binary>();
    if (!b || b->op != BinaryOp::Min || b->type != DType::I64) return {};
    if (isAnEnd(b->lhs, false, b->rhs)) return b->lhs;
    return isAnEnd(b->rhs, false, b->lhs) ? b->rhs : Expr();
  });
}

/// A subscript that goes with an inner loop from one place to another.
std::optional<OrderedSegments::Segment> OrderedSegments::segmentOf(const Expr& subscript) const {
  const Expr at = expanded(subscript);
  for (const Symbol& name : freeVars(at)) {
    const auto inner = inner_.find(name);
    if (inner == inner_.end() || analysis::coefficientOf(at, name) != 1) continue;
    const Segment found{simplifiedIndex(substitute(at, {{name, expanded(inner->second->lo)}})),
                        simplifiedIndex(substitute(at, {{name, expanded(inner->second->hi)}}))};
    const bool isTold = readsMemory(found.lo) && readsMemory(found.hi);
    if (isTold && isOfLoop(found.lo) && isOfLoop(found.hi)) return found;
  }
  return std::nullopt;
}

/// Does the one lie within the other, but for constant distances by which that is widened?
bool OrderedSegments::isPartOf(Segment& all, const Segment& one) const {
  const std::optional<int64_t> before = constantInt(simplifiedIndex(one.lo - all.lo)),
                               behind = constantInt(simplifiedIndex(one.hi - all.hi));
  if (!before || !behind) return false;
  if (*before < 0) all.lo = one.lo;
  if (*behind > 0) all.hi = one.hi;
  return true;
}

/// Does each access of the array stay in the iteration's segment, along one axis?
bool OrderedSegments::takeArray(const Symbol& array) {
  std::optional<Segment> all = segment_;
  std::optional<size_t> axis;
  bool isWithin = true;
  const auto look = [&](const Symbol& touched, const std::vector<Expr>& index) {
    if (touched != array || !isWithin) return;
    for (size_t d = 0; d < index.size(); ++d)
      if (const auto one = segmentOf(index[d]); one && (!axis || axis == d)) {
        if (!all) all = one;
        axis = d;
        isWithin = isPartOf(*all, *one);
        return;
      }
    isWithin = false;
  };
  each<Store>(body_, [&](const Store& s) { look(s.buffer, s.index); });
  each<Load>(body_, [&](const Load& l) { look(l.buffer, l.index); });
  if (!isWithin || !axis) return false;
  segment_ = all;
  arrays_.emplace(array, Array{Symbol(array.hint()), *axis});
  return true;
}

bool OrderedSegments::found() {
  if (!isConst(loop_.step, 1) || loop_.hints.mark != LoopMark::None ||
      !consistsOf<Block, Assign, Store, For, While, If, Alloc>(loop_.body) || readsMemory(loop_.lo) ||
      readsMemory(loop_.hi))
    return false;
  bool isClear = true;
  each<For>(loop_.body, [&](const For& inner) {
    isClear = isClear && isConst(inner.step, 1) && inner_.emplace(inner.index, &inner).second;
  });
  if (!isClear) return false;
  body_ = rewrite(loop_.body, nullptr, [&](const Expr& e) -> Expr {
    const Expr plain = e.is<Select>() || e.is<Binary>() || e.is<Call>() ? withoutEnds(e) : e;
    return plain == e ? Expr() : plain;
  });
  inner_.clear();
  each<For>(body_, [&](const For& inner) { inner_.emplace(inner.index, &inner); });
  readValues(body_);
  for (const Symbol& array : stored_) takeArray(array);
  if (arrays_.empty()) return false;
  const std::vector<Expr> ofEnds = std::exchange(asked_, {});
  ask(segment_->lo >= 0);
  ask(segment_->lo <= segment_->hi);
  for (const auto& [array, own] : arrays_) ask(segment_->hi <= function_.buffer(array).extents.at(own.axis));
  for (const Expr& e : ofEnds) { // what these say already is not asked again
    const auto& about = *e.as<Binary>();
    const bool isHigh = about.op == BinaryOp::Ge && equalIndex(about.lhs, segment_->hi);
    const bool isLow = about.op == BinaryOp::Le && equalIndex(about.lhs, segment_->lo) &&
                       std::ranges::any_of(ofEnds, [&](const Expr& other) {
                         return equal(other, segment_->hi <= about.rhs);
                       });
    if (!isHigh && !isLow) ask(e);
  }
  return true;
}

bool OrderedSegments::mayStandBefore(const Stmt& outer) const {
  std::set<Symbol> changing = assignedVars(outer), read = freeVars(loop_.lo);
  changing.merge(loopIndices(outer));
  changing.erase(loop_.index);
  const std::set<Symbol> stored = storedBuffers(outer);
  read.merge(freeVars(loop_.hi));
  bool isFixed = true;
  for (const Expr& e : asked_) {
    read.merge(freeVars(e));
    isFixed = isFixed && !intersect(loadedBuffers(e), stored);
  }
  return isFixed && !intersect(read, changing);
}

Stmt OrderedSegments::test(bool isBefore) const {
  const Symbol i(loop_.index.hint());
  const auto at = [&](const Expr& e, const Expr& index) { return substitute(e, {{loop_.index, index}}); };
  const Expr now = var(ordered_, DType::Bool), next = at(segment_->lo, var(i) + 1);
  const auto keep = [&](const Expr& holds) { return build_.assign(ordered_, both(now, holds)); };
  Expr holds, exists;
  for (const Expr& e : asked_) holds = both(holds, at(e, var(i)));
  std::vector<Stmt> body{keep(holds)};
  const bool isTouching = equalIndex(next, at(segment_->hi, var(i)));
  if (!isTouching) body.push_back(build_.when(var(i) + 1 < loop_.hi, keep(at(segment_->hi, var(i)) <= next)));
  if (isBefore) {
    const auto inside = [&](const Load& l) {
      for (size_t d = 0; d < l.index.size(); ++d)
        exists = both(exists, both(l.index[d] >= 0, l.index[d] < function_.buffer(l.buffer).extents[d]));
    };
    each<Load>(holds, inside);
    if (!isTouching) each<Load>(next, inside);
    body = {build_.when(exists, block(std::move(body)), keep(boolConst(false)))};
  }
  return block({build_.assign(ordered_, boolConst(true)),
                build_.inOrder(i, loop_.lo, loop_.hi, block(std::move(body)))});
}

Stmt OrderedSegments::apart() const {
  std::map<Symbol, Symbol> ofIterations;
  for (const auto& [array, own] : arrays_) ofIterations.emplace(array, own.ofIterations);
  const auto moved = [&](std::vector<Expr> index) {
    index.insert(index.begin(), var(loop_.index));
    return index;
  };
  return build_.make(withBody(loop_, moveElements(body_, ofIterations, moved)));
}

Stmt OrderedSegments::together(const Stmt& judged) const {
  std::map<Symbol, Symbol> back;
  for (const auto& [array, own] : arrays_) back.emplace(own.ofIterations, array);
  return moveElements(judged, back, [](std::vector<Expr> index) {
    index.erase(index.begin());
    return index;
  });
}

} // namespace appyc::transform
