//===- LaneVectors.cpp - loops of lanes whose threads may take elements side by side --------------------===//
#include "LaneVectors.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

KernelNames::KernelNames(const Stmt& body) : locals(assignedVars(body)) {
  visit(body, [&](const Stmt& s) {
    if (const auto* loop = s.as<For>()) locals.insert(loop->index);
    if (const auto* alloc = s.as<Alloc>()) arrays.insert(alloc->buffer.name);
    if (s.is<For>() || s.is<Assign>() || s.is<Collective>()) definitions.push_back(s);
    return true;
  });
}

bool LaneAccess::isSame(const Symbol& otherBuffer, const std::vector<Expr>& otherIndex) const {
  return buffer == otherBuffer && std::equal(index.begin(), index.end(), otherIndex.begin(), otherIndex.end(),
                                             [](const Expr& a, const Expr& b) { return equalIndex(a, b); });
}

namespace {

/// Are two elements of one array apart by a constant, whatever the variables are?
bool areApart(const LaneAccess& a, const LaneAccess& b) {
  for (size_t d = 0; d < a.index.size(); ++d)
    if (const auto distance = constantInt(a.index[d] - b.index[d]); distance && *distance != 0) return true;
  return false;
}

bool isCostly(const Call& c) {
  return isFloat(c.type) && c.fn != Intrinsic::Abs && c.fn != Intrinsic::Square && c.fn != Intrinsic::Floor &&
         c.fn != Intrinsic::Ceil && c.fn != Intrinsic::Trunc && c.fn != Intrinsic::Sign;
}

} // namespace

LaneVectors::LaneVectors(const For& loop, const KernelNames& kernel, const std::vector<Buffer>& buffers)
    : loop_(loop), kernel_(kernel), buffers_(buffers), stored_(storedBuffers(loop.body)) {
  possible_ = isAlongLanes(loop) && isConst(loop.step, 1) && loop.order != Order::Serial &&
              !isUnrolled(loop) && firstBlockOf(loop) == 0 && !readsMemory(loop.lo) && !readsMemory(loop.hi);
  possible_ = possible_ && !has<Hardware>(loop.body);
  if (!possible_) return;
  findOwn();
  check(loop.body);
  possible_ = possible_ && accesses_ > 0 && widest_ < 16;
}

bool LaneVectors::isCarried(const Symbol& name) const {
  return std::any_of(loop_.reductions.begin(), loop_.reductions.end(),
                     [&](const Reduction& r) { return r.var == name; });
}

const Buffer& LaneVectors::bufferOf(const Symbol& name) const {
  return *std::find_if(buffers_.begin(), buffers_.end(), [&](const Buffer& b) { return b.name == name; });
}

/// Neither the index nor what follows from it.
bool LaneVectors::isUniform(const Expr& e) const {
  if (mentions(e, loop_.index) || mentionsAny(e, own_)) return false;
  const std::set<Symbol> loaded = loadedBuffers(e);
  return !intersect(loaded, stored_);
}

/// Scalars of which each iteration has a value of its own.
void LaneVectors::findOwn() {
  std::map<Symbol, int> count;
  for (const Reduction& r : loop_.reductions) own_.insert(r.var);
  each<Assign>(loop_.body, [&](const Assign& a) {
    if (++count[a.var] > 1) own_.insert(a.var);
  });
  for (size_t known = own_.size() + 1; known != own_.size();) {
    known = own_.size();
    each<Assign>(loop_.body, [&](const Assign& a) {
      if ((mentions(a.value, a.var) || !isUniform(a.value))) own_.insert(a.var);
    });
  }
}

//===--- straight runs ----------------------------------------------------------------------------------===//

void LaneVectors::access(StraightRun& run, const Symbol& buffer, const std::vector<Expr>& index, DType type,
                         bool store, bool always) const {
  auto found = std::find_if(run.accesses.begin(), run.accesses.end(),
                            [&](const LaneAccess& a) { return a.isSame(buffer, index); });
  if (found == run.accesses.end()) found = run.accesses.insert(found, {buffer, index, type});
  found->loaded |= !store && !found->stored;
  found->stored |= store;
  found->always |= always;
}

/// The loads of `e` that move with the loop. Of a choice only one side is evaluated.
void LaneVectors::loads(StraightRun& run, const Expr& e, bool always) const {
  if (const auto* choice = e.as<Select>()) {
    loads(run, choice->cond, always);
    loads(run, choice->then, false);
    return loads(run, choice->otherwise, false);
  }
  if (const auto* b = e.as<Binary>(); b && (b->op == BinaryOp::LogicalAnd || b->op == BinaryOp::LogicalOr)) {
    loads(run, b->lhs, always);
    return loads(run, b->rhs, false);
  }
  if (const auto* load = e.as<Load>(); load && !isUniform(e))
    return access(run, load->buffer, load->index, load->type, false, always);
  mapChildren(e, [&](const Expr& child) {
    loads(run, child, always);
    return child;
  });
}

/// The assignments and stores from `next` on; `next` goes behind them.
StraightRun LaneVectors::runOf(const std::vector<Stmt>& list, size_t& next) const {
  StraightRun run;
  for (; next < list.size() && (list[next].is<Assign>() || list[next].is<Store>()); ++next) {
    const auto* a = list[next].as<Assign>();
    if (a && !own_.count(a->var)) {
      run.uniform.push_back(list[next]);
      continue;
    }
    run.own.push_back(list[next]);
    const auto* store = list[next].as<Store>();
    loads(run, a ? a->value : store->value, true);
    if (store) access(run, store->buffer, store->index, typeOf(store->value), true, true);
  }
  return run;
}

/// Do loops over whole axes of the array show that the element exists, whether it is read or not?
bool LaneVectors::isInRange(const LaneAccess& a) const {
  const std::vector<Expr>& extents = bufferOf(a.buffer).extents;
  for (size_t d = 0; d < a.index.size(); ++d) {
    const auto* v = a.index[d].as<Var>();
    bool found = false, within = v;
    for (const Stmt& s : kernel_.definitions) {
      const auto* loop = s.as<For>();
      if (!v || !loop || loop->index != v->name) continue;
      found = true;
      within = within && constantInt(loop->lo).value_or(-1) >= 0 &&
               constantInt(loop->step).value_or(-1) > 0 && equalIndex(loop->hi, extents[d]);
    }
    if (!found || !within) return false;
  }
  return true;
}

/// Element by element in memory, each iteration its own.
bool LaneVectors::isVector(const LaneAccess& a) const {
  if (a.index.empty() || kernel_.arrays.count(a.buffer) || (!a.always && !isInRange(a))) return false;
  for (size_t d = 0; d < a.index.size(); ++d) {
    const analysis::Slope slope = analysis::slopeOf(a.index[d], loop_.index, own_);
    const bool isLast = d + 1 == a.index.size();
    if (readsMemory(a.index[d]) || slope.kind != (isLast ? analysis::Slope::Constant : analysis::Slope::None))
      return false;
    if (isLast && slope.value != 1) return false;
  }
  return true;
}

/// Loads may all come first and stores last: no two accesses are of one element, of which one stores.
bool LaneVectors::isSound(const StraightRun& run) const {
  for (const LaneAccess& a : run.accesses) {
    if (!isVector(a)) return false;
    for (const LaneAccess& b : run.accesses)
      if (&a < &b && a.buffer == b.buffer && (a.stored || b.stored) && !areApart(a, b)) return false;
  }
  return true;
}

//===--- the loop's body --------------------------------------------------------------------------------===//

void LaneVectors::checkList(const std::vector<Stmt>& list) {
  for (size_t i = 0; i < list.size() && possible_;) {
    const auto* store = list[i].as<Store>();
    if (store && store->atomicOp) possible_ = false;
    if (!list[i].is<Assign>() && !store) {
      check(list[i++]);
      continue;
    }
    const StraightRun run = runOf(list, i);
    possible_ = possible_ && isSound(run);
    std::set<Symbol> mentioned;
    for (const Stmt& s : run.own) {
      mentioned.merge(readScalars(s));
      mentioned.merge(assignedVars(s));
      const auto* other = s.as<Store>();
      possible_ = possible_ && !(other && other->atomicOp);
      each<Call>(s, [&](const Call& c) {
        if (isCostly(c)) ++calls_;
      });
    }
    for (const Symbol& name : mentioned)
      if (own_.count(name) && !isCarried(name) && !seen_.insert(name).second) crossing_.insert(name);
    for (const LaneAccess& a : run.accesses) {
      widest_ = std::max(widest_, byteSize(a.type));
      accesses_ += a.loaded + a.stored;
      updates_ |= inLoops_ > 0 && a.loaded && a.stored;
      arrays_.insert(a.buffer);
      indices_.push_back({a.index.back()});
      if (a.index.size() > 1) indices_.back().push_back(bufferOf(a.buffer).extents.back());
    }
  }
}

void LaneVectors::check(const Stmt& s) {
  if (const auto* inner = s.as<For>()) {
    possible_ = possible_ && !isBound(*inner) && isUniform(inner->lo) && isUniform(inner->hi) &&
                isUniform(inner->step);
    inLoops_ += !isUnrolled(*inner);
    check(inner->body);
    inLoops_ -= !isUnrolled(*inner);
    return;
  }
  if (const auto* branch = s.as<If>()) {
    possible_ = possible_ && isUniform(branch->cond);
    check(branch->then);
    if (branch->otherwise) check(branch->otherwise);
    return;
  }
  possible_ = possible_ && (s.is<Block>() || s.is<Assign>() || s.is<Store>());
  if (possible_) checkList(statementsOf(s));
}

//===--- multiples --------------------------------------------------------------------------------------===//

/// Is `e` a multiple of `width` where the host finds all `conditions` to be so?
bool LaneVectors::isMultiple(const Expr& e, int width, std::vector<Expr>& conditions, int depth) const {
  if (const auto value = constantInt(e)) return *value % width == 0;
  if (depth > 8 || readsMemory(e)) return false;
  const auto again = [&](const Expr& part) { return isMultiple(part, width, conditions, depth + 1); };
  const auto* b = e.as<Binary>();
  if (b && b->op == BinaryOp::Mul)
    for (const Expr& factor : {b->lhs, b->rhs})
      if (const auto value = constantInt(factor); value && *value % width == 0) return true;
  if (has<Hardware>(e)) return false;
  if (!mentionsAny(e, kernel_.locals)) {
    const Expr number = cast(DType::I64, e);
    const auto known = [&](const Expr& c) { return equalIndex(c, number); };
    if (std::none_of(conditions.begin(), conditions.end(), known)) conditions.push_back(number);
    return true;
  }
  if (const auto* v = e.as<Var>()) {
    std::vector<Expr> values;
    for (const Stmt& s : kernel_.definitions) {
      if (const auto* a = s.as<Assign>(); a && a->var == v->name) values.push_back(a->value);
      if (const auto* loop = s.as<For>(); loop && loop->index == v->name) values = {loop->lo, loop->step};
      if (const auto* c = s.as<Collective>(); c && c->var == v->name) return false;
    }
    return !values.empty() && std::all_of(values.begin(), values.end(), again);
  }
  // Widths are powers of two, of which integers of other types, that wrap, remain multiples.
  if (const auto* cast = e.as<Cast>(); cast && isInteger(cast->type))
    return isInteger(typeOf(cast->arg)) && again(cast->arg);
  if (!b) return false;
  switch (b->op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
  case BinaryOp::Min:
  case BinaryOp::Max: return again(b->lhs) && again(b->rhs);
  case BinaryOp::Mul: return mentionsAny(b->lhs, kernel_.locals) ? again(b->rhs) : again(b->lhs);
  default: return false;
  }
}

std::optional<std::vector<Expr>> LaneVectors::multiples(int width) const {
  std::vector<Expr> conditions;
  bool all = isMultiple(loop_.lo, width, conditions) && isMultiple(loop_.hi, width, conditions);
  for (const std::vector<Expr>& index : indices_) {
    all = all && isMultiple(substitute(index[0], {{loop_.index, intConst(0)}}), width, conditions);
    if (index.size() > 1) all = all && isMultiple(index[1], width, conditions);
  }
  return all ? std::optional(conditions) : std::nullopt;
}

Expr takenAtOnce(const Expr& count, int width) {
  return select(eq(mod(count, width), 0), floorDiv(count, intConst(width)), count);
}

} // namespace appyc::schedule
