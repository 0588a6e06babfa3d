//===- Uses.cpp - which symbols a tree reads, binds and writes; substitution -----------------------===//
// Indices of For, IndexStmt and Reduce are bound in what they range over: substitution leaves them alone.
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Upward.h"
#include "appyc/IR/Walk.h"
#include "appyc/Support/InternalError.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::ir {

using Substitution = std::map<Symbol, Expr>;

const Kernel* Function::findKernel(const std::string& wanted) const {
  const auto found = std::ranges::find_if(kernels, [&](const Kernel& k) { return k.name == wanted; });
  return found == kernels.end() ? nullptr : &*found;
}

const Buffer* Function::findBuffer(const Symbol& wanted) const {
  const auto found =
      std::find_if(buffers.begin(), buffers.end(), [&](const Buffer& b) { return b.name == wanted; });
  return found == buffers.end() ? nullptr : &*found;
}
const Buffer& Function::buffer(const Symbol& wanted) const {
  const Buffer* found = findBuffer(wanted);
  if (!found) internalError(fmt::format("no array `{}` in `{}`", wanted.hint(), name));
  return *found;
}

//===--- uses -------------------------------------------------------------------------------------------===//

/// Bound indices are counted in the extents too, which cannot mention them: an index space is a box.
static void collectFreeVars(const Expr& e, std::set<Symbol>& bound, std::set<Symbol>& free) {
  visit(e, [&](const Expr& node) {
    if (const auto* v = node.as<Var>(); v && !bound.count(v->name)) free.insert(v->name);
    const auto* reduce = node.as<Reduce>();
    if (!reduce) return true;
    std::set<Symbol> inner = bound;
    for (const Range& range : reduce->over) {
      collectFreeVars(range.extent, bound, free);
      inner.insert(range.index);
    }
    collectFreeVars(reduce->body, inner, free);
    return false;
  });
}

std::set<Symbol> freeVars(const Expr& e) {
  std::set<Symbol> bound, free;
  collectFreeVars(e, bound, free);
  return free;
}

bool mentions(const Expr& e, const Symbol& var) { return freeVars(e).count(var) != 0; }

std::set<Symbol> assignedVars(const Stmt& s) {
  std::set<Symbol> result;
  visit(s, [&](const Stmt& child) {
    if (const auto* assign = child.as<Assign>())
      result.insert(assign->var);
    else if (const auto* collective = child.as<Collective>())
      result.insert(collective->var);
    else if (const auto* fetch = child.as<Fetch>())
      result.insert(fetch->var);
    else if (const auto* exchange = child.as<Exchange>())
      result.insert(exchange->var);
    else if (const auto* atomic = child.as<Atomic>(); atomic && atomic->old)
      result.insert(atomic->old);
    return true;
  });
  return result;
}

std::set<Symbol> storedBuffers(const Stmt& s) {
  std::set<Symbol> result;
  visit(s, [&](const Stmt& child) {
    if (const auto* store = child.as<Store>())
      result.insert(store->buffer);
    else if (const auto* index = child.as<IndexStmt>())
      result.insert(index->target);
    else if (const auto* atomic = child.as<Atomic>())
      result.insert(atomic->buffer);
    else if (const auto* swap = child.as<Swap>())
      result.insert({swap->a, swap->b});
    else if (const auto* signal = child.as<Signal>()) {
      if (signal->kind == Signal::Post) result.insert(signal->progress);
    } else if (const auto* launch = child.as<Launch>()) {
      for (const Argument& a : launch->arguments)
        if (a.isWritten) result.insert(a.array);
    } else if (const auto* product = child.as<MatMul>())
      result.insert(product->target.buffer);
    else if (const auto* routine = child.as<Routine>()) {
      forEachOperand(*routine, [&](const Routine::Operand& o, Effect effect) {
        if (writes(effect)) result.insert(o.buffer);
      });
    }
    return true;
  });
  return result;
}

static void collectLoads(const Expr& e, std::set<Symbol>& result) {
  visit(e, [&](const Expr& node) {
    if (const auto* l = node.as<Load>()) result.insert(l->buffer);
    return true;
  });
}

std::set<Symbol> loadedBuffers(const Expr& e) {
  std::set<Symbol> result;
  collectLoads(e, result);
  return result;
}

bool readsTarget(const MatMul& product) {
  const auto* beta = product.beta.as<Const>();
  return !beta || !equal(product.beta, constOf(beta->type, 0));
}

bool isContiguous(const Matrix& m) {
  const int last = static_cast<int>(m.at.size()) - 1;
  return m.row == last || m.column == last;
}

bool equalIndices(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), equalIndex);
}

bool sameMatrix(const Matrix& a, const Matrix& b) {
  return a.buffer == b.buffer && a.row == b.row && a.column == b.column && equalIndices(a.at, b.at);
}

std::set<Symbol> assignedByHost(const Stmt& body) {
  std::set<Symbol> assigned;
  visit(body, [&](const Stmt& part) {
    if (const auto* a = part.as<Assign>()) assigned.insert(a->var);
    return !part.is<Launch>();
  });
  return assigned;
}

static int64_t launches(const Stmt& s, const int64_t& (*ofBranches)(const int64_t&, const int64_t&)) {
  if (!s || s.is<Launch>()) return s ? 1 : 0;
  if (const auto* branch = s.as<If>())
    return ofBranches(launches(branch->then, ofBranches), launches(branch->otherwise, ofBranches));
  const auto* routine = s.as<Routine>();
  int64_t count = routine ? info(routine->name).launches : 0;
  forEachChild(s, [&](const Stmt& child) { count += launches(child, ofBranches); });
  return count;
}
int64_t mostLaunches(const Stmt& s) { return launches(s, std::max<int64_t>); }
int64_t leastLaunches(const Stmt& s) { return launches(s, std::min<int64_t>); }

std::set<Symbol> loadedBuffers(const Stmt& s) {
  std::set<Symbol> result;
  visit(s, [&](const Stmt& child) {
    // An atomic update reads what it updates.
    if (const auto* store = child.as<Store>(); store && store->atomicOp)
      result.insert(store->buffer);
    else if (const auto* index = child.as<IndexStmt>(); index && index->atomicOp)
      result.insert(index->target);
    else if (const auto* atomic = child.as<Atomic>())
      result.insert(atomic->buffer);
    else if (const auto* fetch = child.as<Fetch>())
      result.insert(fetch->buffer);
    else if (const auto* swap = child.as<Swap>())
      result.insert({swap->a, swap->b});
    else if (const auto* signal = child.as<Signal>()) {
      if (signal->kind == Signal::Wait) result.insert(signal->progress);
    } else if (const auto* launch = child.as<Launch>()) {
      for (const Argument& a : launch->arguments)
        if (a.isRead) result.insert(a.array);
    } else if (const auto* product = child.as<MatMul>()) {
      result.insert({product->a.buffer, product->b.buffer});
      if (readsTarget(*product)) result.insert(product->target.buffer);
    } else if (const auto* routine = child.as<Routine>()) {
      forEachOperand(*routine, [&](const Routine::Operand& o, Effect effect) {
        if (reads(effect)) result.insert(o.buffer);
      });
    }
    forEachExpr(child, [&](const Expr& e) { collectLoads(e, result); });
    return true;
  });
  return result;
}

bool readsMemory(const Expr& e) {
  bool found = false;
  visit(e, [&](const Expr& node) {
    found = found || node.is<Load>() || node.is<Reduce>();
    return !found;
  });
  return found;
}

//===--- substitution -----------------------------------------------------------------------------------===//

/// `map` without the indices of `over`.
static Substitution without(const Substitution& map, const std::vector<Range>& over) {
  Substitution inner = map;
  for (const Range& range : over) inner.erase(range.index);
  return inner;
}

static bool anyMentions(const Substitution& map, Symbol var) {
  return std::any_of(map.begin(), map.end(), [&](const auto& entry) { return mentions(entry.second, var); });
}

/// Extents by `map`; an index that a replacement mentions gets a new name, recorded in `inner`.
static std::vector<Range> substituteRanges(const std::vector<Range>& over, const Substitution& map,
                                           Substitution& inner) {
  std::vector<Range> result = over;
  for (Range& range : result) {
    range.extent = substitute(range.extent, map);
    if (!anyMentions(map, range.index)) continue;
    Symbol fresh(range.index.hint());
    inner[range.index] = var(fresh);
    range.index = fresh;
  }
  return result;
}

bool touches(const Stmt& s, const Symbol& buffer) {
  return loadedBuffers(s).count(buffer) || storedBuffers(s).count(buffer);
}

int countLoads(const Stmt& s, const Symbol& buffer) {
  int count = 0;
  each<Load>(s, [&](const Load& l) { count += l.buffer == buffer; });
  return count;
}

int countReads(const Stmt& s, const Symbol& variable) {
  int count = 0;
  each<Var>(s, [&](const Var& v) { count += v.name == variable; });
  return count;
}

static bool sameExtents(const std::vector<Range>& a, const std::vector<Range>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Range& x, const Range& y) {
    return x.index == y.index && x.extent == y.extent;
  });
}

Expr substitute(const Expr& e, const Substitution& map) {
  if (!e || map.empty()) return e;
  if (const auto* v = e.as<Var>()) {
    auto found = map.find(v->name);
    return found == map.end() ? e : found->second;
  }
  const auto* reduce = e.as<Reduce>();
  if (!reduce) {
    Expr result = mapChildren(e, [&](const Expr& child) { return substitute(child, map); });
    return result == e ? e : simplifiedIndex(result);
  }
  Substitution inner = without(map, reduce->over);
  std::vector<Range> over = substituteRanges(reduce->over, map, inner);
  Expr body = substitute(reduce->body, inner);
  if (body == reduce->body && sameExtents(over, reduce->over)) return e;
  return make(Reduce{reduce->type, reduce->op, std::move(over), std::move(body)});
}

static Stmt substituteIndexStmt(const Stmt& s, const IndexStmt& node, const Substitution& map) {
  Substitution inner = without(map, node.domain);
  IndexStmt copy = node;
  copy.domain = substituteRanges(node.domain, map, inner);
  bool changed = !sameExtents(copy.domain, node.domain);
  for (Expr& e : copy.index) {
    Expr replaced = substitute(e, inner);
    changed |= !(replaced == e);
    e = std::move(replaced);
  }
  copy.value = substitute(node.value, inner);
  changed |= !(copy.value == node.value);
  return changed ? makeStmt(s->span, std::move(copy)) : s;
}

/// The variable that takes `var`'s place where a statement writes it: only a variable can.
static Symbol renamed(const Symbol& var, const Substitution& map) {
  auto found = map.find(var);
  const auto* replacement = found == map.end() ? nullptr : found->second.as<Var>();
  return replacement ? replacement->name : var;
}

static Stmt substituteFor(const Stmt& s, const For& node, const Substitution& map) {
  Substitution inner = map;
  inner.erase(node.index);
  For copy = node;
  copy.lo = substitute(node.lo, map);
  copy.hi = substitute(node.hi, map);
  copy.step = substitute(node.step, map);
  if (anyMentions(inner, node.index)) {
    copy.index = Symbol(node.index.hint());
    inner[node.index] = var(copy.index);
  }
  copy.body = substitute(node.body, inner);
  bool changed = !(copy.lo == node.lo && copy.hi == node.hi && copy.step == node.step &&
                   copy.body == node.body && copy.index == node.index);
  for (Reduction& reduction : copy.reductions) {
    Symbol name = renamed(reduction.var, map);
    changed |= name != reduction.var;
    reduction.var = name;
  }
  return changed ? makeStmt(s->span, std::move(copy)) : s;
}

/// `s` with `T::var` renamed.
template <class T> static Stmt renameTarget(const Stmt& s, const Substitution& map) {
  const auto* node = s.as<T>();
  Symbol name = node ? renamed(node->var, map) : Symbol();
  if (!node || name == node->var) return s;
  T copy = *node;
  copy.var = name;
  return makeStmt(s->span, std::move(copy));
}

Stmt substitute(const Stmt& s, const Substitution& map) {
  if (!s || map.empty()) return s;
  if (const auto* index = s.as<IndexStmt>()) return substituteIndexStmt(s, *index, map);
  if (const auto* loop = s.as<For>()) return substituteFor(s, *loop, map);
  Stmt result = mapExprs(s, [&](const Expr& e) { return substitute(e, map); });
  result = mapChildren(result, [&](const Stmt& child) { return substitute(child, map); });
  result = renameTarget<Assign>(result, map);
  result = renameTarget<Collective>(result, map);
  result = renameTarget<Exchange>(result, map);
  return renameTarget<Fetch>(result, map);
}

Stmt withOwnArrays(const Stmt& s, std::vector<Buffer>& buffers) {
  std::map<Symbol, Symbol> own;
  each<Alloc>(s, [&](const Alloc& alloc) {
    Buffer copy = alloc.buffer;
    copy.name = Symbol(copy.name.hint());
    own.emplace(alloc.buffer.name, copy.name);
    buffers.push_back(std::move(copy));
  });
  const auto isOwn = [&](const Symbol& array) { return own.contains(array); };
  std::map<Symbol, std::vector<Symbol>> places; // that the copies tell together, as their originals do
  for (const Buffer& b : buffers)
    if (isOwn(b.name) && std::ranges::all_of(b.places, isOwn))
      for (const Symbol& part : b.places) places[own.at(b.name)].push_back(own.at(part));
  for (Buffer& b : buffers)
    if (const auto told = places.find(b.name); told != places.end()) b.places = told->second;
  return renameArrays(s, own);
}

Stmt upward(const Stmt& s) {
  const auto* loop = s.as<For>();
  if (!loop || !isConst(loop->step, -1)) return s;
  For up = *loop;
  up.step = intConst(1);
  if (loop->order != Order::Serial) {
    up.lo = add(loop->hi, intConst(1)), up.hi = add(loop->lo, intConst(1));
    return makeStmt(s->span, std::move(up));
  }
  const Symbol i(loop->index.hint());
  up.index = i;
  up.lo = intConst(0), up.hi = sub(loop->lo, loop->hi);
  up.body = substitute(loop->body, {{loop->index, sub(loop->lo, var(i))}});
  return makeStmt(s->span, std::move(up));
}

Stmt loopsUpward(const Stmt& s) {
  return rewrite(s, [](const Stmt& part) {
    const auto* loop = part.as<For>();
    return loop && loop->hints.mark == LoopMark::None ? upward(part) : Stmt();
  });
}

std::map<Symbol, DType> assignedTypes(const Stmt& body) {
  std::map<Symbol, DType> types;
  each<Assign>(body, [&](const Assign& a) { types[a.var] = typeOf(a.value); });
  return types;
}

std::set<Symbol> loopIndices(const Stmt& s) {
  std::set<Symbol> all;
  each<For>(s, [&](const For& loop) { all.insert(loop.index); });
  return all;
}
std::set<Symbol> varyingWith(const For& loop) {
  std::set<Symbol> all = assignedVars(loop.body);
  all.insert(loop.index);
  return all;
}

std::map<Symbol, Expr> onlyValues(const Stmt& s) {
  std::map<Symbol, Expr> values;
  each<Assign>(s, [&](const Assign& a) {
    if (auto [known, isFirst] = values.try_emplace(a.var, a.value); !isFirst) known->second = {};
  });
  std::erase_if(values, [](const auto& value) { return !value.second; });
  return values;
}

std::set<Symbol> allocatedBuffers(const Stmt& s) {
  std::set<Symbol> all;
  each<Alloc>(s, [&](const Alloc& a) { all.insert(a.buffer.name); });
  return all;
}

bool intersect(const std::set<Symbol>& a, const std::set<Symbol>& b) {
  return std::any_of(a.begin(), a.end(), [&](const Symbol& s) { return b.count(s) > 0; });
}

std::set<Symbol> intersection(const std::set<Symbol>& a, const std::set<Symbol>& b) {
  std::set<Symbol> both;
  std::ranges::set_intersection(a, b, std::inserter(both, both.end()));
  return both;
}

bool doesNothing(const Stmt& s) {
  const auto* loop = s.as<For>();
  const auto* branch = s.as<If>();
  return (loop && statementsOf(loop->body).empty()) ||
         (branch && statementsOf(branch->then).empty() && statementsOf(branch->otherwise).empty());
}

Stmt without(const Stmt& s, const std::function<bool(const Stmt&)>& goes) {
  return rewrite(
      s, [&](const Stmt& part) -> Stmt { return goes(part) || doesNothing(part) ? block({}) : Stmt(); });
}

Stmt withoutIdleScalars(const Stmt& s, std::set<Symbol> live) {
  std::map<Symbol, std::set<Symbol>> readBy; // scalars that the values of one read
  visit(s, [&](const Stmt& part) {
    const auto* assign = part.as<Assign>();
    forEachExpr(part, [&](const Expr& e) { (assign ? readBy[assign->var] : live).merge(freeVars(e)); });
    return true;
  });
  std::vector<Symbol> waiting(live.begin(), live.end());
  while (!waiting.empty()) {
    const Symbol name = waiting.back();
    waiting.pop_back();
    for (const Symbol& read : readBy[name])
      if (live.insert(read).second) waiting.push_back(read);
  }
  const auto isIdle = [&](const Reduction& r) { return !live.count(r.var); };
  const Stmt kept = without(s, [&](const Stmt& part) {
    const auto* assign = part.as<Assign>();
    return assign && !live.count(assign->var);
  });
  return replace<For>(kept, [&](const For& loop, const Stmt& part) -> Stmt {
    if (std::ranges::none_of(loop.reductions, isIdle)) return {};
    For copy = loop;
    std::erase_if(copy.reductions, isIdle);
    return makeStmt(part->span, std::move(copy));
  });
}
Stmt withoutIdleScalars(const Function& f) {
  std::set<Symbol> live;
  for (const Result& r : f.results) live.insert(r.name), live.insert(r.place), live.insert(r.of);
  return withoutIdleScalars(f.body, std::move(live));
}

} // namespace appyc::ir
