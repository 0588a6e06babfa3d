//===- KeyedSteps.cpp - steps of a serial loop, put in order by an element that the data choose ------------------===//
#include "KeyedSteps.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"

namespace appyc::schedule {
using namespace ir;

bool KeyedSteps::mayBe(const For& loop) {
  constexpr int64_t few = 64; // one thread does as soon
  return isPlainSerial(loop) && isConst(loop.step, 1) && !readsMemory(loop.lo) && !readsMemory(loop.hi) &&
         constantTrip(loop).value_or(few + 1) > few && consistsOf<Block, Assign, Store, If, For>(loop.body);
}

bool KeyedSteps::reads(const Expr& key, const std::vector<Stmt>& before) {
  key_ = key;
  const std::set<Symbol> wanted = freeVars(key), stored = storedBuffers(loop_.body),
                         all = assignedVars(loop_.body);
  std::vector<Stmt> assignments;
  for (const Stmt& s : before)
    if (s.is<Assign>()) assignments.push_back(s);
  keyed_ = withoutIdleScalars(block(std::move(assignments)), wanted);
  bool holds = !intersect(loadedBuffers(keyed_), stored) && !intersect(loadedBuffers(key), stored);
  std::set<Symbol> known; // no value from the step before
  for (const Stmt& s : statementsOf(keyed_)) {
    for (const Symbol& name : readScalars(s)) holds = holds && (!all.count(name) || known.count(name));
    known.merge(assignedVars(s));
  }
  std::map<Symbol, int> times;
  each<Assign>(loop_.body, [&](const Assign& a) { ++times[a.var]; });
  for (const Symbol& name : wanted)
    holds = holds && (!all.count(name) || (known.count(name) && times[name] == 1));
  return holds;
}

void KeyedSteps::emit(std::vector<Stmt>& out) {
  keys_ = buffer("key", DType::I64, steps(), out);
  order_ = buffer("order", DType::I64, steps(), out);
  For asking = withBody(loop_, block({keyed_, build_.store(keys_, {var(loop_.index) - loop_.lo}, key_)}));
  asking.order = Order::Proven;
  out.push_back(loops::asCopy(build_.make(std::move(asking))));
  const auto begin = [](const Buffer& b) { return Routine::Operand{b.name, {intConst(0)}}; };
  out.push_back(build_.make(Routine{RoutineName::OrderRow, {begin(keys_), begin(order_)}, {steps()}}));
}

Expr KeyedSteps::isEdge(const Expr& place, const Expr& end, const Expr& neighbour) const {
  return binary(BinaryOp::LogicalOr, binary(BinaryOp::Eq, place, end),
                binary(BinaryOp::Ne, keyAt(place), keyAt(neighbour)));
}
Expr KeyedSteps::isFirst(const Expr& place) const {
  return isEdge(place, intConst(0), maxOf(place - intConst(1), 0));
}
Expr KeyedSteps::isLast(const Expr& place) const {
  const Expr last = steps() - intConst(1);
  return isEdge(place, last, minOf(place + intConst(1), last));
}

Buffer KeyedSteps::buffer(const char* name, DType type, const Expr& extent, std::vector<Stmt>& out) const {
  return loops::newArray(function_, build_, {Symbol(name), type, {extent}}, out);
}

} // namespace appyc::schedule
