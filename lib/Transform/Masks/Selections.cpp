//===- Selections.cpp - loops that list the points for which a mask holds ---------------------------------===//
#include "Selections.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>
#include <functional>

namespace appyc::transform {
using namespace ir;
using List = std::vector<Stmt>;
using Indices = std::vector<Expr>;

std::set<Symbol> Selection::reads() const {
  std::set<Symbol> all = loadedBuffers(mask);
  for (const auto& [buffer, item] : items) all.merge(loadedBuffers(item.value));
  for (const auto& [buffer, item] : items) all.erase(buffer);
  return all;
}

std::set<Symbol> Selection::scalars() const {
  std::set<Symbol> all = freeVars(mask);
  for (const auto& [buffer, item] : items) all.merge(freeVars(item.value));
  return all;
}

std::optional<Selection> selectionOf(const Stmt& s) {
  Selection found;
  const auto [nest, inside] = loops::perfectNest(s);
  found.nest = nest;
  const auto* branch = inside.as<If>();
  if (found.nest.empty() || !branch || branch->otherwise) return std::nullopt;
  found.mask = branch->cond;
  const List kept = statementsOf(branch->then);
  const auto* next = kept.back().as<Assign>();
  if (kept.size() < 2 || !next || !equal(next->value, add(var(next->var), intConst(1)))) return std::nullopt;
  found.count = next->var;
  found.numbers = {next->var};
  for (size_t k = 0; k + 1 < kept.size(); ++k) {
    const auto* store = kept[k].as<Store>();
    const bool isItem = store && !store->atomicOp && store->index.size() == 1 &&
                        equal(store->index[0], var(found.count)) && !mentions(store->value, found.count);
    if (!isItem || !found.items.try_emplace(store->buffer, Item{{}, store->value}).second)
      return std::nullopt;
  }
  const std::set<Symbol> read = found.reads();
  const bool readsItself = std::any_of(found.items.begin(), found.items.end(),
                                       [&](const auto& item) { return read.count(item.first) > 0; });
  const bool isPlain = std::all_of(found.nest.begin(), found.nest.end(), [](const For* loop) {
    return isConst(loop->lo, 0) && isConst(loop->step, 1) && loop->hints.mark == LoopMark::None;
  });
  if (readsItself || !isPlain || mentions(found.mask, found.count)) return std::nullopt;
  return found;
}

namespace {

/// Which list of `kept` is which of `again`.
std::optional<std::map<Symbol, Symbol>> sameLists(const Selection& kept, const Selection& again) {
  if (kept.nest.size() != again.nest.size()) return std::nullopt;
  std::map<Symbol, Expr> index;
  for (size_t k = 0; k < kept.nest.size(); ++k) {
    if (!equalIndex(substitute(again.nest[k]->hi, index), kept.nest[k]->hi)) return std::nullopt;
    index[again.nest[k]->index] = var(kept.nest[k]->index);
  }
  if (!equal(substitute(again.mask, index), kept.mask)) return std::nullopt;
  std::map<Symbol, Symbol> names;
  for (const auto& [buffer, item] : again.items) {
    const Expr value = substitute(item.value, index);
    const auto same = std::find_if(kept.items.begin(), kept.items.end(),
                                   [&](const auto& other) { return equal(other.second.value, value); });
    if (same == kept.items.end()) return std::nullopt;
    names.emplace(buffer, same->first);
  }
  return names;
}

Stmt renamed(const Stmt& s, const std::map<Symbol, Symbol>& names, const Symbol& count, const Symbol& by) {
  const Stmt without = rewrite(s, [&](const Stmt& part) -> Stmt {
    const auto* alloc = part.as<Alloc>();
    const auto* a = part.as<Assign>();
    return (alloc && names.count(alloc->buffer.name) > 0) || (a && a->var == count) ? block({}) : Stmt();
  });
  const Stmt read = substitute(without, {{count, var(by)}});
  return loops::contracted(
      read, [&](const Symbol& array, const Indices& at) -> std::optional<loops::Element> {
        const auto found = names.find(array);
        return found == names.end() ? std::nullopt : std::optional(loops::Element{found->second, at});
      });
}

/// Are the lists made beside the selections, and by these alone?
bool areSteady(const List& body, const Selection& kept, size_t first, const Selection& again, size_t at) {
  const auto isSteady = [&](const auto& item) {
    bool isMade = false;
    for (size_t k = 0; k < body.size(); ++k) {
      const auto* alloc = body[k].as<Alloc>();
      isMade |= alloc && alloc->buffer.name == item.first;
      if (k != first && k != at && storedBuffers(body[k]).count(item.first) > 0) return false;
    }
    return isMade;
  };
  return std::all_of(kept.items.begin(), kept.items.end(), isSteady) &&
         std::all_of(again.items.begin(), again.items.end(), isSteady);
}

/// Further names for `count` are the first one; checks that they are alike go. `isOwn`: is a name the list's alone?
void joinNumbers(List& body, const Symbol& count, const std::function<bool(const Symbol&)>& isOwn) {
  std::optional<Symbol> number;
  std::map<Symbol, Expr> same;
  List out;
  for (const Stmt& s : body) {
    const auto* a = s.as<Assign>();
    const bool isNumber = a && a->var != count && equal(a->value, var(count));
    if (isNumber && number) {
      same.emplace(a->var, var(*number));
      if (!isOwn(a->var)) out.push_back(makeStmt(s->span, Assign{a->var, var(*number)}));
      continue;
    }
    if (isNumber) number = a->var;
    const Stmt read = same.empty() ? s : substitute(s, same);
    const auto* check = read.as<Require>();
    if (!check || constantBool(simplifiedNode(check->cond)) != true) out.push_back(read);
  }
  body = std::move(out);
}

} // namespace

bool joinSelections(List& body, Function& function) {
  bool changed = false;
  const List original = body;
  const auto isOwn = [&](const Symbol& name) {
    int here = 0;
    for (const Stmt& s : original) here += countReads(s, name);
    return countReads(function.body, name) == here &&
           std::none_of(function.results.begin(), function.results.end(),
                        [&](const Result& r) { return r.name == name; });
  };
  for (size_t first = 0; first < body.size(); ++first) {
    const std::optional<Selection> kept = selectionOf(body[first]);
    if (!kept) continue;
    for (size_t at = first + 1; at < body.size(); ++at) {
      if (intersect(storedBuffers(body[at]), kept->reads()) || has<Swap>(body[at]) ||
          intersect(assignedVars(body[at]), kept->scalars()))
        break;
      const std::optional<Selection> again = selectionOf(body[at]);
      if (!again) continue;
      const std::optional<std::map<Symbol, Symbol>> names = sameLists(*kept, *again);
      if (!names || !areSteady(body, *kept, first, *again, at)) continue;
      body.erase(body.begin() + static_cast<std::ptrdiff_t>(at));
      for (Stmt& s : body) s = renamed(s, *names, again->count, kept->count);
      std::erase_if(function.buffers, [&](const Buffer& b) { return names->count(b.name) > 0; });
      joinNumbers(body, kept->count, isOwn);
      changed = true;
      break;
    }
  }
  return changed;
}

} // namespace appyc::transform
