//===- ForwardStores.cpp - what was just stored is not loaded, what is stored again is not stored -------===//
//   y[i] = 0.0                      acc = 0.0
//   acc = y[i]              =>      for k: acc = acc + ...
//   for k: acc = acc + ...          y[i] = acc
//   y[i] = acc
// In a worker of many lanes this also removes the barrier between the store by one lane and the load by all.
// A temporary array that nobody loads any more goes, with what was stored into it.
#include "Raises.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {

namespace {

using ir::Expr;
using ir::Stmt;

bool touches(const Stmt& s, const Symbol& buffer) {
  return ir::loadedBuffers(s).count(buffer) || ir::storedBuffers(s).count(buffer);
}

/// What the element and the stored value are made of stays the same while `s` runs.
bool keeps(const Stmt& s, const ir::Store& store) {
  return loops::keeps(s, store.value) && std::all_of(store.index.begin(), store.index.end(),
                                                     [&](const Expr& e) { return loops::keeps(s, e); });
}

Stmt visitBlock(const Stmt& s) {
  const auto* block = s.as<ir::Block>();
  if (!block) return {};
  std::vector<Stmt> body = block->body;
  bool changed = false;
  for (size_t i = 0; i + 1 < body.size(); ++i) {
    const auto* store = body[i].as<ir::Store>();
    bool plain = store && !store->atomicOp && (store->value.is<ir::Const>() || store->value.is<ir::Var>());
    if (!plain) continue;
    ir::Store kept = *store;
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
        changed = true;
        --i;
        break;
      }
      if (touches(body[j], kept.buffer) || !keeps(body[j], kept) || body[j].is<ir::Return>() ||
          mayRaise(body[j]))
        break;
    }
  }
  return changed ? ir::block(std::move(body)) : Stmt{};
}

bool isEmpty(const Stmt& s) {
  const auto* block = s.as<ir::Block>();
  return !s || (block && block->body.empty());
}

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
  return ir::rewrite(body, [&](const Stmt& s) -> Stmt {
    const auto* alloc = s.as<ir::Alloc>();
    const auto* store = s.as<ir::Store>();
    const auto* product = s.as<ir::MatMul>();
    const auto* routine = s.as<ir::Routine>();
    const auto* loop = s.as<ir::For>();
    const auto* branch = s.as<ir::If>();
    bool unread = (alloc && temporaries.count(alloc->buffer.name)) ||
                  (store && temporaries.count(store->buffer)) ||
                  (product && temporaries.count(product->target.buffer)) ||
                  (routine && writesOnlyTo(*routine, temporaries));
    bool idle =
        (loop && isEmpty(loop->body)) || (branch && isEmpty(branch->then) && isEmpty(branch->otherwise));
    return unread || idle ? ir::block({}) : Stmt();
  });
}

} // namespace

ir::Module forwardStores(const ir::Module& module, ir::PassContext&) {
  return ir::eachFunction(module, [&](ir::Function& f) {
    f.body = ir::rewrite(f.body, visitBlock);
    for (Stmt before; !(before == f.body);) {
      before = f.body;
      f.body = removeUnread(f.body); // what a removed store has loaded may be unread now
    }
  });
}

} // namespace appyc::transform
