//===- ScanLoops.cpp - serial loops whose steps carry folds --------------------------------------------===//
#include "ScanLoops.h"
#include "Recurrences.h"
#include "StoredScalars.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <functional>
#include <map>

namespace appyc::schedule {
using namespace ir;

static int64_t assignments(const Stmt& in, const Symbol& scalar) {
  int64_t count = 0;
  each<Assign>(in, [&](const Assign& a) { count += a.var == scalar; });
  return count;
}

/// Nothing but values, stores and choices, in loops of which the user has said nothing.
static bool isScannable(const Stmt& body) {
  return consistsOf<Store, For, Assign, If, Block>(body) &&
         !any<Store>(body, [](const Store& store) { return store.atomicOp.has_value(); }) &&
         !any<For>(body, [](const For& loop) { return loop.hints.mark != LoopMark::None; });
}

bool ScanLoop::reads(const For& loop, Branches branches) {
  const std::optional<int64_t> trip = constantTrip(loop), step = constantInt(loop.step);
  if (!isSerial(loop) || !step || (trip && *trip <= fewSteps_) || !isScannable(loop.body)) return false;
  const std::set<Symbol> assigned = assignedVars(loop.body);
  for (const Expr& bound : {loop.lo, loop.hi})
    if (readsMemory(bound) || mentionsAny(bound, assigned)) return false;
  index = Symbol(loop.index.hint());
  lo = *step == 1 ? loop.lo : intConst(0);
  hi = *step == 1 ? loop.hi : tripCount(loop);
  const Expr at = *step == 1 ? var(index) : loop.lo + var(index) * loop.step;
  body = statementsOf(substitute(loop.body, {{loop.index, at}}));
  for (Stmt& s : body)
    if (const Stmt store = storeOfChoice(s)) s = store;
  storesToScalars(body);
  elementsToScalars();
  if (branches == Branches::Split) branchesToChoices();
  return true;
}

Expr ScanLoop::position() const { return var(index) - lo; }
For ScanLoop::steps() const { return serialLoop(index, lo, hi, intConst(1), block(body)); }
bool ScanLoop::stores(const Symbol& buffer) const { return storesInto(block(body), buffer) > 0; }

std::vector<Expr> ScanLoop::elementAt(const std::vector<Expr>& element, const Expr& i) const {
  std::vector<Expr> moved;
  for (const Expr& e : element) moved.push_back(substitute(e, {{index, i}}));
  return moved;
}

bool ScanLoop::isRow(const std::vector<Expr>& element) const {
  const std::set<Symbol> assigned = assignedVars(block(body));
  for (size_t d = 0; d < element.size(); ++d) {
    const analysis::Slope slope = analysis::slopeOf(element[d], index, assigned);
    const bool isLast = d + 1 == element.size();
    if (readsMemory(element[d]) ||
        slope.kind != (isLast ? analysis::Slope::Constant : analysis::Slope::None) ||
        (isLast && slope.value != 1))
      return false;
  }
  return !element.empty();
}

/// if c: out[i] = x; else: out[i] = y  =>  out[i] = x if c else y; what is not stored stays, if the element is surely there.
Stmt ScanLoop::storeOfChoice(const Stmt& s) const {
  const auto* branch = s.as<If>();
  if (!branch) return s.is<Store>() ? s : Stmt();
  const Stmt then = storeOfChoice(branch->then);
  if (!then) return {};
  Store store = *then.as<Store>();
  Expr other = make(Load{typeOf(store.value), store.buffer, store.index});
  if (branch->otherwise) {
    const Stmt otherwise = storeOfChoice(branch->otherwise);
    const auto* second = otherwise ? otherwise.as<Store>() : nullptr;
    if (!second || second->buffer != store.buffer || !equalIndices(second->index, store.index)) return {};
    other = second->value;
  } else if (!isInRange(other)) {
    return {};
  }
  store.value = select(branch->cond, store.value, other);
  return makeStmt(s->span, std::move(store));
}

/// out[i] = out[i - 1] + ..  =>  x = x + ..; out[i] = x, with x = out[lo - 1] before the loop.
void ScanLoop::elementsToScalars() {
  for (size_t p = 0; p < body.size(); ++p) {
    const Stmt s = body[p];
    const auto* store = s.as<Store>();
    if (!store || storesInto(block(body), store->buffer) != 1) continue;
    const std::set<Symbol> assigned = assignedVars(block(body));
    bool moves = false, isKnown = true;
    for (const Expr& e : store->index) {
      const analysis::Slope slope = analysis::slopeOf(e, index, assigned);
      moves |= slope.kind == analysis::Slope::Constant;
      isKnown &= slope.kind != analysis::Slope::Unknown && !readsMemory(e);
    }
    if (!moves || !isKnown) continue;
    const std::vector<Expr> before = elementAt(store->index, var(index) - 1);
    const Symbol x("carried");
    const DType type = typeOf(store->value);
    const Symbol last("last"); // for what stands behind the store
    ExprRule carried = inPlaceOf(store->buffer, before, var(x, type));
    const auto inStep = [&](const Stmt& part) { return rewrite(part, nullptr, carried); };
    const auto isLoaded = [&](const Stmt& part) { return inStep(part) != part; };
    const auto behind = body.begin() + static_cast<std::ptrdiff_t>(p) + 1;
    if (std::ranges::none_of(body, isLoaded)) continue;
    // The first one is loaded whatever the step's choices are.
    if ((chooses(store->value) || !isLoaded(s)) && !isInRange(make(Load{type, store->buffer, before})))
      continue;
    const bool isLoadedBehind = std::any_of(behind, body.end(), isLoaded);
    std::transform(body.begin(), behind, body.begin(), inStep);
    carried = inPlaceOf(store->buffer, before, var(last, type));
    std::transform(behind, body.end(), behind, inStep);
    body[p] = makeStmt(s->span, Assign{x, body[p].as<Store>()->value});
    const ExprRule stored = inPlaceOf(store->buffer, store->index, var(x, type));
    std::transform(behind, body.end(), behind, [&](const Stmt& t) { return rewrite(t, nullptr, stored); });
    body.insert(behind, makeStmt(s->span, Store{store->buffer, store->index, var(x, type), {}}));
    if (isLoadedBehind) body.insert(body.begin(), makeStmt(s->span, Assign{last, var(x, type)}));
    starts.push_back(makeStmt(s->span, Assign{x, make(Load{type, store->buffer, elementAt(before, lo)})}));
  }
}

/// if c: x = e; out[i] = x  =>  x = e if c else x; if c: out[i] = x. What is chosen otherwise likewise. What only collects keeps
/// its branch.
void ScanLoop::branchesToChoices() {
  const std::set<Symbol> exposed = analysis::exposedScalars(block(body)), handedOn = carried();
  const auto isChoice = [&](const Stmt& part) {
    const auto* a = part.as<Assign>();
    return a ? exposed.count(a->var) > 0 : part.is<Store>() || part.is<If>();
  };
  std::vector<Stmt> chosen;
  for (const Stmt& s : body) {
    const auto* branch = s.as<If>();
    const std::vector<Stmt> then = branch ? statementsOf(branch->then) : std::vector<Stmt>{};
    const std::vector<Stmt> otherwise =
        branch && branch->otherwise ? statementsOf(branch->otherwise) : std::vector<Stmt>{};
    const bool isOnly = then.size() == 1 && otherwise.empty(); // an extreme's condition asks for what it sets
    if (!branch || !std::ranges::all_of(then, isChoice) || !std::ranges::all_of(otherwise, isChoice) ||
        (isOnly && !then[0].is<Assign>())) {
      chosen.push_back(s);
      continue;
    }
    Expr holds = branch->cond;
    const bool changes =
        mentionsAny(holds, assignedVars(s)) || intersect(loadedBuffers(holds), storedBuffers(s));
    if (changes && !isOnly) {
      const Symbol taken("taken");
      chosen.push_back(makeStmt(s->span, Assign{taken, holds}));
      holds = var(taken, DType::Bool);
    }
    const auto choose = [&](const std::vector<Stmt>& parts, const Expr& cond) {
      for (const Stmt& part : parts) {
        if (const auto* a = part.as<Assign>(); a && (isOnly || handedOn.count(a->var)))
          chosen.push_back(
              makeStmt(part->span, Assign{a->var, select(cond, a->value, var(a->var, typeOf(a->value)))}));
        else
          chosen.push_back(makeStmt(part->span, If{cond, part, {}}));
      }
    };
    choose(then, holds);
    choose(otherwise, unary(UnaryOp::LogicalNot, holds));
  }
  body = std::move(chosen);
}

std::set<Symbol> ScanLoop::carried() const {
  std::set<Symbol> found;
  const std::set<Symbol> assigned = assignedVars(block(body));
  for (const Symbol& x : analysis::exposedScalars(block(body)))
    if (assigned.count(x) && isRead(x)) found.insert(x);
  return found;
}

/// By more than its own assignments?
bool ScanLoop::isRead(const Symbol& x) const {
  const std::function<bool(const Stmt&)> reads = [&](const Stmt& s) {
    const auto* branch = s.as<If>();
    if (branch && mentions(branch->cond, x)) return true;
    if (branch) return reads(branch->then) || (branch->otherwise && reads(branch->otherwise));
    if (s.is<Block>()) return std::ranges::any_of(statementsOf(s), reads);
    return !(s.is<Assign>() && s.as<Assign>()->var == x) && readScalars(s).count(x) > 0;
  };
  return std::ranges::any_of(body, reads);
}

/// Are its scalars given values by one statement of a step at most?
bool ScanLoop::isSetOnce(const Expr& value) const {
  const std::set<Symbol> read = freeVars(value);
  return std::all_of(read.begin(), read.end(), [&](const Symbol& v) {
    return std::count_if(body.begin(), body.end(),
                         [&](const Stmt& s) { return assignedVars(s).count(v) > 0; }) <= 1;
  });
}

/// May what it loads be loaded in each step?
bool ScanLoop::isInRange(const Expr& e) const {
  analysis::Context inside = known_;
  const For loop = steps();
  inside.loops.push_back(&loop);
  return !any<Load>(
      e, [&](const Load& load) { return !analysis::isInRange(function_, load.buffer, load.index, inside); });
}

/// What a step assigns to x, as a function of x, and where it does; nothing if there are several assignments.
std::optional<std::pair<size_t, Expr>> ScanLoop::assignedTo(const Symbol& x) const {
  const Stmt all = block(body);
  const auto isIt = [&](const Stmt& s) { return s.is<Assign>() && s.as<Assign>()->var == x; };
  const auto found = std::find_if(body.begin(), body.end(), isIt);
  if (found == body.end() || assignments(all, x) != 1) return std::nullopt;
  const auto p = static_cast<size_t>(found - body.begin());
  std::map<Symbol, Expr> through; // `t = x + a; x = t`
  for (size_t q = 0; q < p; ++q) {
    const auto* a = body[q].as<Assign>();
    const Expr value = a ? substitute(a->value, through) : Expr();
    if (a && mentions(value, x) && assignments(all, a->var) == 1 && isSetOnce(value)) through[a->var] = value;
  }
  return std::pair(p, substitute(body[p].as<Assign>()->value, through));
}

bool ScanLoop::multiplies(const Symbol& x) const {
  const auto assigned = assignedTo(x);
  return assigned && multipliesFloat(assigned->second, x);
}

std::optional<ScanLoop::Carried> ScanLoop::carriedBy(const Symbol& x) const {
  const Stmt all = block(body);
  const auto assigned = assignedTo(x);
  if (!assigned) return std::nullopt;
  const size_t p = assigned->first;
  const std::optional<ScanStep> step = scanStep(assigned->second, x);
  if (!step || (step->mayBeSkipped && !isInRange(step->operand))) return std::nullopt;
  Carried carried{x, p, step->op, {}, step->operand};
  std::set<Symbol> needed = freeVars(step->operand), stored;
  for (size_t q = p; q-- > 0;) {
    const std::set<Symbol> written = storedBuffers(body[q]);
    stored.insert(written.begin(), written.end());
    if (!intersect(assignedVars(body[q]), needed)) continue;
    if (!written.empty()) return std::nullopt;
    carried.before.insert(carried.before.begin(), body[q]);
    needed.merge(readScalars(body[q]));
  }
  std::vector<Stmt> slice = carried.before;
  slice.push_back(makeStmt({}, Assign{x, carried.operand}));
  const Stmt made = block(std::move(slice));
  if (intersect(analysis::exposedScalars(made), assignedVars(all)) || intersect(loadedBuffers(made), stored))
    return std::nullopt;
  return carried;
}

} // namespace appyc::schedule
