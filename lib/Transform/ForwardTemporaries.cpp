//===- ForwardTemporaries.cpp - a temporary read once is its value ---------------------------------------------------===//
//   t = a + b          =>     c = (a + b) * 2
//   c = t * 2                 (t is not made)
// Kept: values that would be computed more often than stored, and values whose inputs change before they are read.
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {

namespace {

using ir::Expr;
using ir::Stmt;

int countLoads(const Stmt& s, Symbol buffer) {
  int n = 0;
  ir::visit(s, [](const Stmt&) { return true; },
            [&](const Expr& e) {
              if (const auto* l = e.as<ir::Load>()) n += l->buffer == buffer;
              return true;
            });
  return n;
}
int countStores(const Stmt& s, Symbol buffer) {
  int n = 0;
  ir::visit(s, [&](const Stmt& x) {
    if (const auto* i = x.as<ir::IndexStmt>()) n += i->target == buffer;
    if (const auto* i = x.as<ir::Store>()) n += i->buffer == buffer;
    if (const auto* i = x.as<ir::Swap>()) n += i->a == buffer || i->b == buffer;
    return true;
  });
  return n;
}

/// Computing it again is about as cheap as loading it.
bool isCheap(const Expr& value) {
  int operations = 0;
  ir::visit(value, [&](const Expr& e) {
    if (e.is<ir::Binary>() || e.is<ir::Unary>() || e.is<ir::Select>()) operations += 1;
    if (e.is<ir::Call>() || e.is<ir::Reduce>()) operations += 100;
    return true;
  });
  return operations <= 2;
}

/// Writes each element of a local array exactly once: t[i, j] = value for all of t.
bool definesWhole(const ir::IndexStmt& s, const ir::Buffer& buffer) {
  if (s.atomicOp || s.domain.size() != buffer.extents.size()) return false;
  for (size_t d = 0; d < s.domain.size(); ++d) {
    const auto* v = s.index[d].as<ir::Var>();
    if (!v || !(v->name == s.domain[d].index) || !ir::equalIndex(s.domain[d].extent, buffer.extents[d])) return false;
  }
  return !ir::loadedBuffers(s.value).count(buffer.name);
}

bool containsReduce(const Expr& e) {
  bool found = false;
  ir::visit(e, [&](const Expr& x) { return !(found |= x.is<ir::Reduce>()); });
  return found;
}

/// Is the one load of `buffer` in `reader` at the reader's own point, outside any reduction?
bool readsOwnPoint(const ir::IndexStmt& reader, Symbol buffer) {
  bool own = false;
  ir::visit(reader.value, [&](const Expr& e) {
    if (e.is<ir::Reduce>()) return false;
    if (const auto* l = e.as<ir::Load>(); l && l->buffer == buffer) {
      own = l->index.size() == reader.domain.size();
      for (size_t d = 0; own && d < l->index.size(); ++d) {
        const auto* v = l->index[d].as<ir::Var>();
        own = v && v->name == reader.domain[d].index;
      }
    }
    return true;
  });
  return own;
}

int iterationDims(const ir::IndexStmt& reader) {
  int dims = static_cast<int>(reader.domain.size());
  ir::visit(reader.value, [&](const Expr& e) {
    if (const auto* r = e.as<ir::Reduce>()) dims += static_cast<int>(r->over.size());
    return true;
  });
  return dims;
}

struct State {
  const ir::Function& function;
  std::set<Symbol> kept; ///< results: the caller sees them

  const ir::Buffer* local(Symbol name) const {
    auto isName = [&](const auto& x) { return x.name == name; };
    if (kept.count(name) || std::any_of(function.params.begin(), function.params.end(), isName)) return nullptr;
    auto it = std::find_if(function.buffers.begin(), function.buffers.end(), isName);
    return it == function.buffers.end() || it->onChip ? nullptr : &*it; // scratch is where the user wants it
  }

  /// May `value` stand where `reader` (a statement of the same block) reads the temporary?
  bool mayForward(const ir::IndexStmt& definition, const Stmt& reader, int loads) const {
    const auto* index = reader.as<ir::IndexStmt>();
    if (!index && !reader.is<ir::Assign>() && !reader.is<ir::Store>()) return false;
    if (index && index->atomicOp) return false;
    if (containsReduce(definition.value)) return index && loads == 1 && readsOwnPoint(*index, definition.target);
    bool multiplied = loads > 1 || (index ? iterationDims(*index) > static_cast<int>(definition.domain.size()) : !definition.domain.empty());
    return !multiplied || isCheap(definition.value);
  }

  Stmt forward(const ir::IndexStmt& definition, const Stmt& reader) const {
    return ir::mapExprs(reader, [&](const Expr& e) {
      return ir::rewrite(e, [&](const Expr& x) -> Expr {
        const auto* l = x.as<ir::Load>();
        if (!l || !(l->buffer == definition.target)) return {};
        std::map<Symbol, Expr> at;
        for (size_t d = 0; d < l->index.size(); ++d) at[definition.domain[d].index] = l->index[d];
        return ir::substitute(definition.value, at);
      });
    });
  }

  /// Tries to remove the temporary that statement `at` of the block defines.
  bool forwardOne(std::vector<Stmt>& body, size_t at) const {
    const auto* definition = body[at].as<ir::IndexStmt>();
    const ir::Buffer* buffer = definition ? local(definition->target) : nullptr;
    if (!buffer || !definesWhole(*definition, *buffer) || countStores(function.body, buffer->name) != 1) return false;
    bool allocatedHere = std::any_of(body.begin(), body.end(), [&](const Stmt& s) {
      const auto* a = s.as<ir::Alloc>();
      return a && a->buffer.name == buffer->name;
    });
    if (!allocatedHere) return false;
    std::set<Symbol> inputs = ir::loadedBuffers(definition->value), scalars = ir::freeVars(definition->value);
    std::vector<std::pair<size_t, Stmt>> readers;
    bool changed = false; // an input has been overwritten
    int total = 0;
    for (size_t i = at + 1; i < body.size(); ++i) total += countLoads(body[i], buffer->name);
    if (total != countLoads(function.body, buffer->name)) return false;
    for (size_t i = at + 1; i < body.size(); ++i) {
      if (countLoads(body[i], buffer->name) > 0) {
        if (changed || !mayForward(*definition, body[i], total)) return false;
        readers.push_back({i, forward(*definition, body[i])});
      }
      for (Symbol s : ir::storedBuffers(body[i])) changed |= inputs.count(s) > 0;
      for (Symbol s : ir::assignedVars(body[i])) changed |= scalars.count(s) > 0;
    }
    for (auto& [i, s] : readers) body[i] = s;
    body.erase(body.begin() + static_cast<long>(at));
    std::erase_if(body, [&](const Stmt& s) {
      const auto* a = s.as<ir::Alloc>();
      return a && a->buffer.name == buffer->name;
    });
    return true;
  }

  Stmt visitBlock(const Stmt& s) const {
    const auto* block = s.as<ir::Block>();
    if (!block) return {};
    std::vector<Stmt> body = block->body;
    for (size_t i = 0; i < body.size(); ++i)
      if (forwardOne(body, i)) return ir::block(std::move(body)); // the caller comes back until nothing changes
    return {};
  }
};

} // namespace

ir::Module forwardTemporaries(const ir::Module& module, ir::PassContext&) {
  ir::Module out = module;
  for (ir::Function& f : out.functions) {
    std::set<Symbol> kept;
    for (const ir::Result& r : f.results) kept.insert(r.name);
    // Each round removes at most one temporary a block, so the number of buffers bounds the rounds.
    for (size_t round = 0; round <= f.buffers.size(); ++round) {
      State state{f, kept};
      Stmt next = ir::rewrite(f.body, [&](const Stmt& s) { return state.visitBlock(s); });
      if (next == f.body) break;
      f.body = next;
    }
    std::erase_if(f.buffers, [&](const ir::Buffer& b) {
      bool used = kept.count(b.name) || std::any_of(f.params.begin(), f.params.end(), [&](const ir::Param& p) { return p.name == b.name; });
      ir::visit(f.body, [&](const Stmt& s) {
        if (const auto* a = s.as<ir::Alloc>()) used |= a->buffer.name == b.name;
        return !used;
      });
      return !used;
    });
  }
  return out;
}

} // namespace appyc::transform
