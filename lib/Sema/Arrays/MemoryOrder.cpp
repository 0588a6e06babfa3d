//===- MemoryOrder.cpp - in which order NumPy keeps what it computes ----------------------------------------===//
// Here all that is computed lies in C's order. NumPy's lies in the order of what it is computed from: `(a.T * 2)` as `a.T`.
// A part of what is computed, `(a + 1)[:, ::2]`, is a view of more than is kept here. Both show in one place: reshape() and
// ravel() of it are copies, not its memory, so that nobody may store into them.
#include "Arguments.h"
#include "Lowering.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::sema {

namespace {

/// The axes of `domain` that an expression steps along.
std::vector<size_t> axesIn(const Expr& e, const std::vector<Symbol>& domain) {
  std::vector<size_t> axes;
  for (size_t d = 0; d < domain.size(); ++d)
    if (ir::mentions(e, domain[d])) axes.push_back(d);
  return axes;
}

/// Is it read from an index array, in memory, a table, or chosen among constants?
bool isLookedUp(const Expr& e) {
  return ir::readsMemory(e) || ir::has<ir::Select>(e) || ir::has<ir::Lookup>(e);
}

/// Do indices of memory step along axes in another order than theirs, or by an index array behind the first?
bool turns(const Indices& index, const std::vector<Symbol>& domain) {
  std::vector<size_t> before;
  for (const Expr& e : index) {
    const std::vector<size_t> axes = axesIn(e, domain);
    if (axes.empty()) continue;
    if (!before.empty() && isLookedUp(e)) return true;
    const bool isApart =
        std::ranges::none_of(axes, [&](size_t d) { return std::ranges::count(before, d) > 0; });
    if (isApart && !before.empty() && axes.front() < before.back()) return true;
    before.insert(before.end(), axes.begin(), axes.end());
    std::ranges::sort(before);
  }
  return false;
}

} // namespace

bool Lowering::isReorderedMemory(const Array& a) const {
  return a.view && (reordered_.count(a.view->buffer.name) || parted_.count(a.view->buffer.name));
}

bool Lowering::mayBeReordered(const Array& a) const {
  if (a.shape.size() < 2 || a.order == MemoryOrder::C) return false;
  if (a.order == MemoryOrder::Unknown) return true;
  std::vector<Symbol> domain;
  Indices indices;
  for (size_t d = 0; d < a.shape.size(); ++d) {
    domain.emplace_back("i");
    indices.push_back(ir::var(domain.back()));
  }
  const auto isReordered = [&](const Symbol& buffer, const Indices& index) {
    size_t stepping = 0;
    for (const Expr& e : index) stepping += !axesIn(e, domain).empty();
    return stepping > 1 && (reordered_.count(buffer) || turns(index, domain));
  };
  if (a.view) return isReordered(a.view->buffer.name, a.view->index(indices));
  if (a.uninitialised) return false;
  return ir::any<ir::Load>(a.at(indices),
                           [&](const ir::Load& load) { return isReordered(load.buffer, load.index); });
}

void Lowering::noteOrder(const Array& made, const Array& value) {
  if (mayBeReordered(value)) reordered_.insert(made.view->buffer.name);
  if (value.order == MemoryOrder::Part) parted_.insert(made.view->buffer.name);
}

void Lowering::noteOrder(const Value& result, const Arguments& args) {
  const auto* made = result.as<Array>();
  if (!made || !made->view || made->view->fancy) return;
  const Symbol memory = made->view->buffer.name;
  bool isOwn = true, found = false;
  const std::function<void(const Value&)> look = [&](const Value& v) {
    if (const auto* t = v.as<TupleValue>())
      for (const Value& item : t->items) look(item);
    const auto* a = v.as<Array>();
    if (!a) return;
    isOwn &= !a->view || a->view->buffer.name != memory;
    found |= mayBeReordered(*a);
  };
  for (const Value& v : args.positional) look(v);
  for (const auto& [name, v] : args.keywords) look(v);
  if (isOwn && found) reordered_.insert(memory);
}

} // namespace appyc::sema
