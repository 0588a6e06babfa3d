//===- Contract.cpp - elements of smaller arrays in the place of others ------------------------------------ ===//
#include "appyc/Loops/Loops.h"

namespace appyc::loops {
using namespace ir;

Expr contracted(const Expr& e, const InPlaceOf& inPlaceOf) {
  return replace<Load>(e, [&](const Load& l) {
    std::optional<Element> other = inPlaceOf(l.buffer, l.index);
    return other ? make(Load{l.type, other->array, std::move(other->index)}) : Expr();
  });
}
Stmt contracted(const Stmt& s, const InPlaceOf& inPlaceOf) {
  return rewrite(
      s,
      [&](const Stmt& part) -> Stmt {
        const auto* store = part.as<Store>();
        std::optional<Element> other = store ? inPlaceOf(store->buffer, store->index) : std::nullopt;
        return other ? makeStmt(part->span,
                                Store{other->array, std::move(other->index), store->value, store->atomicOp})
                     : Stmt();
      },
      [&](const Expr& e) -> Expr {
        const auto* l = e.as<Load>();
        std::optional<Element> other = l ? inPlaceOf(l->buffer, l->index) : std::nullopt;
        return other ? make(Load{l->type, other->array, std::move(other->index)}) : Expr();
      });
}

} // namespace appyc::loops
