//===- ForwardStores.cpp - what was just stored is not loaded, what is stored again is not stored -------===//
//   y[i] = 0.0                      acc = 0.0
//   acc = y[i]              =>      for k: acc = acc + ...
//   for k: acc = acc + ...          y[i] = acc
//   y[i] = acc
// In a worker of many lanes this also removes the barrier between the store by one lane and the load by all.
// An element that is updated again and again is a scalar until it has its value:
//   y[i] = a[i]; y[i] = y[i] + b[i]; ..    =>    y = a[i]; y = y + b[i]; ..; y[i] = y
// A temporary array that nobody loads any more goes, with what was stored into it:
//   for i: t[i] = sin(a[i]); u[i] = t[i] * t[i]    =>    for i: t = sin(a[i]); u[i] = t * t
#include "Raises.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {

namespace {

using ir::Expr;
using ir::Stmt;

/// What the element and the stored value are made of stays the same while `s` runs.
bool keeps(const Stmt& s, const ir::Store& store) {
  return loops::keeps(s, store.value) && std::all_of(store.index.begin(), store.index.end(),
                                                     [&](const Expr& e) { return loops::keeps(s, e); });
}

/// The element that `body[i]` stores is not loaded behind it, as long as it holds what was stored. Has anything changed?
bool forward(std::vector<Stmt>& body, size_t& i) {
  const ir::Store kept = *body[i].as<ir::Store>();
  bool changed = false;
  for (size_t j = i + 1; j < body.size(); ++j) {
    // What a loop or branch loads is what it finds, as long as it changes neither the element nor the
    // value.
    bool whole = (body[j].is<ir::For>() || body[j].is<ir::If>()) && loops::mayForwardOver(body[j], kept);
    if (whole || body[j].is<ir::Assign>() || body[j].is<ir::Store>()) {
      Stmt next = loops::forwarded(body[j], kept, kept.value);
      changed |= !(next == body[j]);
      body[j] = next;
    }
    const auto* again = body[j].as<ir::Store>();
    bool loads = ir::loadedBuffers(body[j]).count(kept.buffer) > 0;
    if (again && again->buffer == kept.buffer && !again->atomicOp && !loads &&
        ir::equalIndices(again->index, kept.index)) {
      body.erase(body.begin() + static_cast<long>(i)); // stored again before anyone looked
      --i;
      return true;
    }
    if (touches(body[j], kept.buffer) || !keeps(body[j], kept) || body[j].is<ir::Return>() ||
        mayRaise(body[j]))
      break;
  }
  return changed;
}

/// Stores into one element one behind the other, the later ones made of it and of no other of its array: how many.
size_t updatesFrom(const std::vector<Stmt>& body, size_t i) {
  const auto* first = body[i].as<ir::Store>();
  if (!first || first->atomicOp) return 0;
  const auto isOwn = [&](const ir::Load& l) {
    return l.buffer == first->buffer && ir::equalIndices(l.index, first->index);
  };
  size_t count = 1;
  for (; i + count < body.size(); ++count) {
    const auto* next = body[i + count].as<ir::Store>();
    if (!next || next->atomicOp || !(next->buffer == first->buffer) ||
        !ir::equalIndices(next->index, first->index) || !ir::any<ir::Load>(next->value, isOwn) ||
        ir::any<ir::Load>(next->value,
                          [&](const ir::Load& l) { return l.buffer == first->buffer && !isOwn(l); }))
      break;
  }
  const bool isOfItself = std::ranges::any_of(
      first->index, [&](const Expr& e) { return ir::loadedBuffers(e).count(first->buffer) > 0; });
  return isOfItself ? 0 : count;
}

bool collectUpdates(std::vector<Stmt>& body) {
  constexpr size_t kFewest = 3; // two read as well as they are: y[i] += a[i]; y[i] *= b[i]
  bool changed = false;
  for (size_t i = 0; i + 1 < body.size(); ++i) {
    const size_t count = updatesFrom(body, i);
    if (count < kFewest) continue;
    changed = true;
    const ir::Store element = *body[i].as<ir::Store>();
    const Symbol name(element.buffer.hint());
    const Expr value = ir::var(name, ir::typeOf(element.value));
    for (size_t k = i; k < i + count; ++k) {
      const ir::Builder build{body[k]->span};
      const Expr next = body[k].as<ir::Store>()->value;
      body[k] = build.assign(name, k == i ? next : loops::forwarded(next, element, value));
    }
    ir::Store last = element;
    last.value = value;
    body.insert(body.begin() + static_cast<long>(i + count),
                ir::makeStmt(body[i + count - 1]->span, std::move(last)));
    i += count;
  }
  return changed;
}

/// What starts from the element that `body[i]` stores starts from the value, where the element is stored again before anyone else
/// looks; a loop in between may use others of the array:
///   x[i] = b[i]; s = x[i]; for k in [0, i): s = s - L[i, k] * x[k]; x[i] = s    =>    s = b[i]; for k ..; x[i] = s
bool startFromValue(std::vector<Stmt>& body, size_t i, const analysis::Context& known) {
  const auto* kept = body[i].as<ir::Store>();
  const auto* start = body[i + 1].as<ir::Assign>();
  const auto* from = kept && !kept->atomicOp && start ? start->value.as<ir::Load>() : nullptr;
  const auto isElement = [&](const auto& use) {
    return use.buffer == kept->buffer && ir::equalIndices(use.index, kept->index);
  };
  if (!from || !isElement(*from)) return false;
  for (size_t k = i + 2; k < body.size(); ++k) {
    const auto* again = body[k].as<ir::Store>();
    if (again && !again->atomicOp && isElement(*again) && !ir::loadedBuffers(body[k]).count(kept->buffer)) {
      body[i + 1] = ir::makeStmt(body[i + 1]->span, ir::Assign{start->var, kept->value});
      body.erase(body.begin() + static_cast<long>(i));
      return true;
    }
    const bool keepsPlace = std::ranges::all_of(
        kept->index, [&](const Expr& e) { return loops::keeps(body[k], e) && !ir::readsMemory(e); });
    if (!(body[k].is<ir::For>() || body[k].is<ir::Assign>()) || !keepsPlace || mayRaise(body[k]) ||
        ir::any<ir::Load>(body[k], isElement) || ir::any<ir::Store>(body[k], isElement) ||
        analysis::touchesOtherwise(body[k], kept->buffer, kept->index, known))
      return false;
  }
  return false;
}

Stmt visitBlock(const Stmt& s, analysis::Context& known) {
  const Stmt inner = analysis::mapInside(
      known, s, [&](const Stmt& child) { return child ? visitBlock(child, known) : child; });
  const auto* block = inner.as<ir::Block>();
  if (!block) return inner;
  std::vector<Stmt> body = block->body;
  bool changed = false;
  for (size_t i = 0; i + 1 < body.size(); ++i) {
    const auto* store = body[i].as<ir::Store>();
    bool plain = store && !store->atomicOp && (store->value.is<ir::Const>() || store->value.is<ir::Var>());
    if (plain)
      changed |= forward(body, i);
    else if (store)
      changed |= startFromValue(body, i, known);
  }
  changed |= collectUpdates(body);
  return changed ? ir::block(std::move(body)) : inner;
}

/// Temporaries each of whose elements lives within one iteration of a parallel loop become scalars of their name.
class Contraction {
public:
  explicit Contraction(const ir::Function& f) : temporaries_(ir::allocatedBuffers(f.body)) {
    ir::each<ir::Swap>(f.body, [&](const ir::Swap& swap) {
      temporaries_.erase(swap.a);
      temporaries_.erase(swap.b);
    });
    for (const ir::Result& r : f.results) temporaries_.erase(r.name);
    ir::each<ir::Load>(f.body, [&](const ir::Load& l) { ++loads_[l.buffer]; });
    ir::each<ir::Store>(f.body, [&](const ir::Store& store) { ++stores_[store.buffer]; });
  }

  Stmt visit(const Stmt& s, bool inParallel) const {
    const auto* loop = s.as<ir::For>();
    const bool inside = inParallel || (loop && loop->order != ir::Order::Serial);
    const Stmt inner =
        ir::mapChildren(s, [&](const Stmt& child) { return child ? visit(child, inside) : child; });
    const auto* block = inner.as<ir::Block>();
    if (!block || !inParallel) return inner;
    std::vector<Stmt> body = block->body;
    for (size_t i = 0; i + 1 < body.size(); ++i) contract(body, i);
    return body.size() == block->body.size() ? inner : ir::block(std::move(body));
  }

private:
  /// t[i] = e; u[i] = t[i] * t[i]  =>  t = e; t[i] = t; u[i] = t * t, where nobody else loads t
  void contract(std::vector<Stmt>& body, size_t& i) const {
    const auto* store = body[i].as<ir::Store>();
    if (!store || store->atomicOp || store->value.is<ir::Const>() || store->value.is<ir::Var>() ||
        !temporaries_.count(store->buffer) || stores_.at(store->buffer) != 1)
      return;
    const auto loadsIn = [&](const std::vector<Stmt>& list) {
      int count = 0;
      for (size_t j = i + 1; j < list.size(); ++j) count += ir::countLoads(list[j], store->buffer);
      return count;
    };
    const auto all = loads_.find(store->buffer);
    if (all == loads_.end() || loadsIn(body) != all->second) return;
    const loops::NamedStore named =
        loops::withName(ir::Builder{body[i]->span}, *store, Symbol(store->buffer.hint()));
    std::vector<Stmt> trial = body;
    trial[i] = named.store;
    forward(trial, i);
    if (loadsIn(trial) > 0) return;
    trial.insert(trial.begin() + static_cast<long>(i), named.set);
    body = std::move(trial);
    ++i;
  }

  std::set<Symbol> temporaries_;
  std::map<Symbol, int> loads_, stores_;
};

bool writesOnlyTo(const ir::Routine& routine, const std::set<Symbol>& temporaries) {
  bool only = true;
  ir::forEachOperand(routine, [&](const ir::Routine::Operand& o, ir::Effect effect) {
    only = only && (!ir::writes(effect) || temporaries.count(o.buffer));
  });
  return only;
}

/// A routine that somebody asks for writes all that it writes.
void keepOutputs(const Stmt& body, std::set<Symbol>& temporaries) {
  ir::each<ir::Launch>(body, [&](const ir::Launch& launch) {
    for (const ir::Argument& a : launch.arguments) temporaries.erase(a.array);
  });
  for (size_t before = temporaries.size() + 1; before != temporaries.size();) {
    before = temporaries.size();
    ir::each<ir::Routine>(body, [&](const ir::Routine& routine) {
      if (!writesOnlyTo(routine, temporaries))
        for (const ir::Routine::Operand& o : routine.operands) temporaries.erase(o.buffer);
    });
  }
}

/// Without the temporaries that are stored but never loaded, and the loops and branches that did nothing
/// else.
Stmt removeUnread(const Stmt& body) {
  std::set<Symbol> temporaries, loaded = ir::loadedBuffers(body);
  ir::each<ir::Alloc>(body, [&](const ir::Alloc& a) {
    if (!loaded.count(a.buffer.name)) temporaries.insert(a.buffer.name);
  });
  keepOutputs(body, temporaries);
  if (temporaries.empty()) return body;
  return ir::without(body, [&](const Stmt& s) {
    const auto* alloc = s.as<ir::Alloc>();
    const auto* store = s.as<ir::Store>();
    const auto* product = s.as<ir::MatMul>();
    const auto* routine = s.as<ir::Routine>();
    return (alloc && temporaries.count(alloc->buffer.name)) || (store && temporaries.count(store->buffer)) ||
           (product && temporaries.count(product->target.buffer)) ||
           (routine && writesOnlyTo(*routine, temporaries));
  });
}

} // namespace

void forwardStores(ir::Function& f, ir::PassContext&) {
  analysis::Context known = analysis::contextOf(f);
  f.body = visitBlock(Contraction(f).visit(f.body, false), known);
  for (Stmt before; !(before == f.body);) {
    before = f.body;
    f.body = removeUnread(f.body); // what a removed store has loaded may be unread now
  }
}

} // namespace appyc::transform
