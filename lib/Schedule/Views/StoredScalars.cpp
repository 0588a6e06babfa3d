//===- StoredScalars.cpp - what a step stores and loads again, in scalars -----------------------------===//
#include "StoredScalars.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

ExprRule inPlaceOf(const Symbol& buffer, const std::vector<Expr>& element, const Expr& scalar) {
  return [&buffer, &element, scalar](const Expr& e) -> Expr {
    const auto* load = e.as<Load>();
    return load && load->buffer == buffer && equalIndices(load->index, element) ? scalar : Expr();
  };
}

int64_t storesInto(const Stmt& in, const Symbol& buffer) {
  int64_t count = 0;
  each<Store>(in, [&](const Store& s) { count += s.buffer == buffer; });
  return count;
}

/// Surely another element?
static bool isElsewhere(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  for (size_t d = 0; d < a.size() && d < b.size(); ++d)
    if (constantInt(a[d] - b[d]).value_or(0) != 0) return true;
  return false;
}

/// y[i] = a; y[i] = y[i] + b * y[i - 1]  =>  y_i = a; y_i = y_i + b * y[i - 1]; y[i] = y_i
static void storedAgainToScalars(std::vector<Stmt>& body) {
  const std::set<Symbol> assigned = assignedVars(block(body));
  for (size_t p = 0; p + 1 < body.size(); ++p) {
    const auto* first = body[p].as<Store>();
    if (!first || std::ranges::any_of(first->index, [&](const Expr& e) { return mentionsAny(e, assigned); }))
      continue;
    const Store element = *first;
    size_t last = p;
    int64_t count = 0;
    for (size_t q = p; q < body.size(); ++q)
      if (const auto* store = body[q].as<Store>();
          store && store->buffer == element.buffer && equalIndices(store->index, element.index))
        last = q, ++count;
    const auto isClear = [&](const Load& l) {
      return l.buffer != element.buffer || equalIndices(l.index, element.index) ||
             isElsewhere(l.index, element.index);
    };
    const auto isOpen = [&](const Stmt& s) {
      return any<Load>(s, [&](const Load& l) { return !isClear(l); });
    };
    const auto from = body.begin() + static_cast<std::ptrdiff_t>(p),
               to = body.begin() + static_cast<std::ptrdiff_t>(last) + 1;
    if (count < 2 || count != storesInto(block(body), element.buffer) || std::any_of(from, to, isOpen))
      continue;
    const Expr x = var(Symbol(element.buffer.hint() + "_here"), typeOf(element.value));
    const ExprRule here = inPlaceOf(element.buffer, element.index, x);
    const Span span = body[last]->span;
    for (auto at = from; at != to; ++at) {
      const Stmt made = at == from ? *at : rewrite(*at, nullptr, here);
      const auto* store = made.as<Store>();
      const bool isIt = store && store->buffer == element.buffer;
      *at = isIt ? makeStmt(made->span, Assign{x.as<Var>()->name, store->value}) : made;
    }
    body.insert(to, makeStmt(span, Store{element.buffer, element.index, x, {}}));
  }
}

void storesToScalars(std::vector<Stmt>& body) {
  storedAgainToScalars(body);
  const std::set<Symbol> assigned = assignedVars(block(body));
  for (size_t p = 0; p + 1 < body.size(); ++p) {
    const Stmt s = body[p];
    const auto* store = s.as<Store>();
    if (!store || storesInto(block(body), store->buffer) != 1 ||
        std::ranges::any_of(store->index, [&](const Expr& e) { return mentionsAny(e, assigned); }))
      continue;
    const Expr x = var(Symbol(store->buffer.hint() + "_here"), typeOf(store->value));
    const ExprRule here = inPlaceOf(store->buffer, store->index, x);
    bool isLoaded = false;
    for (size_t later = p + 1; later < body.size(); ++later) {
      const Stmt made = rewrite(body[later], nullptr, here);
      isLoaded |= made != body[later];
      body[later] = made;
    }
    if (!isLoaded) continue;
    body[p] = makeStmt(s->span, Assign{x.as<Var>()->name, store->value});
    body.insert(body.begin() + static_cast<std::ptrdiff_t>(p) + 1,
                makeStmt(s->span, Store{store->buffer, store->index, x, {}}));
  }
}

} // namespace appyc::schedule
