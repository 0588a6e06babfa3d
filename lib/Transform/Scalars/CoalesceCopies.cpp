//===- CoalesceCopies.cpp - what a list of statements makes for another scalar is made as that one -----------------------===//
//   if c:                             if c:
//     s = a[i]                          r = a[i]
//     r = s                  =>       else:
//   else:                               r = 0
//     r = 0
// Branches that meet in one name leave such copies, and steps that hand a value on (`x_1 = x - 1; x = x_1`). Taken where the
// name that goes has its whole life between its first statement and the copy, and the other has none there (Chaitin, 1982);
// and where only itself is made of it: what is a number of one step's, by which elements are told, stays one.
#include "appyc/Analysis/Dependence.h"
#include "appyc/Analysis/Liveness.h"
#include "appyc/IR/Walk.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {

namespace {

using namespace ir;

class CoalescingCopies {
public:
  explicit CoalescingCopies(const Function& f) : live_(f) {
    for (const Buffer& b : f.buffers)
      for (const Expr& extent : b.extents) fixed_.merge(freeVars(extent));
  }

  Stmt visit(const Stmt& s) const {
    const Stmt inside = mapChildren(s, [&](const Stmt& child) { return visit(child); });
    const auto* b = inside.as<Block>();
    if (!b) return inside;
    std::vector<Stmt> body = b->body;
    for (size_t k = 1; k < body.size(); ++k) {
      const auto* copy = body[k].as<Assign>();
      const auto* from = copy ? copy->value.as<Var>() : nullptr;
      const auto first = from ? firstOf(body, k, *copy, from->name) : std::nullopt;
      if (!first) continue;
      for (size_t i = *first; i < k; ++i) body[i] = renameScalar(body[i], from->name, copy->var);
      body.erase(body.begin() + static_cast<std::ptrdiff_t>(k--));
    }
    return body.size() == b->body.size() ? inside : makeStmt(s->span, Block{std::move(body)});
  }

private:
  /// Where the life of `from` begins that ends at the copy; none where one of them is needed as it is.
  std::optional<size_t> firstOf(const std::vector<Stmt>& body, size_t at, const Assign& copy,
                                const Symbol& from) const {
    if (from == copy.var || fixed_.contains(from) || fixed_.contains(copy.var) ||
        live_.after(body[at]).contains(from))
      return std::nullopt;
    for (size_t first = at; first-- > 0;) {
      if (!mentionsAny(body[first], {from})) continue;
      std::vector<Stmt> life(body.begin() + static_cast<std::ptrdiff_t>(first),
                             body.begin() + static_cast<std::ptrdiff_t>(at));
      if (isCollected(block(life), from) || isRead(block(life), from)) return std::nullopt;
      bool isMade = false;
      if (!isFree(life, copy.var, from, isMade)) return std::nullopt;
      life.push_back(body[at]);
      if (!analysis::exposedScalars(block(std::move(life))).contains(from)) return first;
    }
    return std::nullopt;
  }

  /// Does nothing touch `name` where `from` has been made, on any path?
  static bool isFree(const std::vector<Stmt>& life, const Symbol& name, const Symbol& from, bool& isMade) {
    for (const Stmt& s : life) {
      if (isMade && mentionsAny(s, {name})) return false;
      if (const auto* branch = s.as<If>()) {
        bool inThen = isMade, inElse = isMade;
        if (!isFree(statementsOf(branch->then), name, from, inThen)) return false;
        if (branch->otherwise && !isFree(statementsOf(branch->otherwise), name, from, inElse)) return false;
        isMade = inThen || inElse;
      } else if (assignedVars(s).contains(from)) {
        if (!s.is<Assign>()) return false;
        isMade = true;
      }
    }
    return true;
  }

  /// What loops collect stays apart: it is a number of its threads, where the other may be one of the device's.
  static bool isCollected(const Stmt& life, const Symbol& name) {
    const auto assigns = [&](const auto& loop) { return assignedVars(loop.body).contains(name); };
    return any<For>(life, assigns) || any<While>(life, assigns);
  }

  /// By anything but what it is made of itself?
  static bool isRead(const Stmt& life, const Symbol& name) {
    const auto makesIt = [&](const Stmt& s) { return s.is<Assign>() && s.as<Assign>()->var == name; };
    return countReads(without(life, makesIt), name) > 0;
  }

  analysis::Liveness live_;
  std::set<Symbol> fixed_; ///< what sizes of arrays say
};

} // namespace

void coalesceCopies(Function& f, PassContext&) { f.body = CoalescingCopies(f).visit(f.body); }

} // namespace appyc::transform
