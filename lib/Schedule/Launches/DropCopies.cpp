//===- DropCopies.cpp - a scalar of a kernel that is another one is that one ----------------------------===//
//   largest = fold(x); m = largest; a[i] = b[i] + m    =>    largest = fold(x); a[i] = b[i] + largest
// A fold collects in a scalar of its own, as long as passes place it; nobody reads two names for one value gladly.
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include "appyc/Schedule/Passes.h"

namespace appyc::schedule {
using namespace ir;

namespace {

class Copies {
public:
  explicit Copies(const Stmt& kernel) : kernel_(kernel) {
    each<Assign>(kernel, [&](const Assign& a) { ++writers_[a.var]; });
    each<Collective>(kernel, [&](const Collective& c) { writers_[c.var] += 2; });
    each<For>(kernel, [&](const For& loop) {
      for (const Reduction& r : loop.reductions) writers_[r.var] += 2;
    });
  }

  Stmt dropped(const Stmt& s) const {
    const Stmt inner = mapChildren(s, [&](const Stmt& child) { return child ? dropped(child) : child; });
    const auto* list = inner.as<Block>();
    if (!list) return inner;
    std::vector<Stmt> body = list->body;
    for (size_t at = body.size(); at-- > 0;)
      if (mayDrop(body, at)) {
        const Assign copy = *body[at].as<Assign>();
        body.erase(body.begin() + static_cast<std::ptrdiff_t>(at));
        for (size_t k = at; k < body.size(); ++k) body[k] = substitute(body[k], {{copy.var, copy.value}});
      }
    return body.size() == list->body.size() ? inner : makeStmt(s->span, Block{std::move(body)});
  }

private:
  /// Is it the only value that the scalar has, for statements behind it in which the other one does not change?
  bool mayDrop(const std::vector<Stmt>& body, size_t at) const {
    const auto* copy = body[at].as<Assign>();
    const auto* from = copy ? copy->value.as<Var>() : nullptr;
    if (!from || writers_.at(copy->var) != 1) return false;
    int behind = 0;
    for (size_t k = at + 1; k < body.size(); ++k) {
      if (assignedVars(body[k]).contains(from->name)) return false;
      behind += countReads(body[k], copy->var);
    }
    return behind == countReads(kernel_, copy->var);
  }

  const Stmt& kernel_;
  std::map<Symbol, int> writers_;
};

} // namespace

void dropCopies(Function& f, PassContext&) {
  f.body = replace<Launch>(f.body, [](const Launch& l, const Stmt& s) -> Stmt {
    if (!l.body) return {};
    const Stmt body = Copies(l.body).dropped(l.body);
    if (body == l.body) return {};
    Launch plain = l;
    plain.body = body;
    return makeStmt(s->span, std::move(plain));
  });
}

} // namespace appyc::schedule
