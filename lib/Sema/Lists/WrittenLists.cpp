//===- WrittenLists.cpp - lists of which each item is known at translation, those that are appended too -----------===//
//   acts = [x]                      acts: x, and what each of the written out steps makes of it, arrays of any shapes
//   for w in (w1, w2):       =>
//     x = x @ w
//     acts.append(x)
// Where the statements that append run once each, in order, the list is the tuple of what they append: its items may differ
// in shape, type and kind. That no memory can hold a list's items is known where one is appended that differs: the function
// is lowered once more.
#include "Lowering.h"

namespace appyc::sema {

/// Its items differ: it is kept item by item when the function is lowered once more. False where that does not help.
bool Lowering::becomesWritten(uint64_t made) {
  if (!made || site_ || listStates_.nested.count(made) || !listStates_.written.insert(made).second)
    return false;
  listStates_.haveChanged = true;
  return true;
}

/// `name.append(x)` of such a list; false where it is none.
bool Lowering::appendWritten(const ast::Call& call, Span where) {
  const auto* method = call.callee.as<ast::Attribute>();
  const auto* name = method ? method->base.as<ast::Name>() : nullptr;
  const auto found = name ? env().find(name->id) : env().end();
  const auto* list = found == env().end() ? nullptr : found->second.as<TupleValue>();
  if (!list || !list->isList || list->isSet || list->isDeque || method->name != "append" ||
      call.args.size() != 1)
    return false;
  const NameFacts& facts = frame().names[name->id];
  const bool isOwn = facts.assignments > 0 && std::ranges::any_of(facts.binds, [&](Span at) {
                       return listStates_.written.count(madeAt(at)) > 0;
                     });
  if (!isOwn) return false;
  const auto isIt = [&](const auto& other) {
    return other.first != name->id && isSame(other.second, found->second);
  };
  const bool isShown = !list->items.empty() && std::ranges::any_of(env(), isIt);
  const std::pair here(loops_.size(), branches_.size());
  const bool isMany = unsure_ > 0 || std::ranges::none_of(facts.binds, [&](Span at) {
                        const auto made = writtenAt_.find(madeAt(at));
                        return made != writtenAt_.end() && made->second == here;
                      });
  if (const Value item = isMany ? eval(call.args[0]) : Value{};
      isMany && (becomesPooled(item) || isStorable(storedText(item)) || canBeItem(item))) {
    for (const Span at : facts.binds)
      if (listStates_.written.erase(madeAt(at)) &&
          !listStates_.stored.insert(madeAt(at)).second) // was one before
        listStates_.written.insert(madeAt(at));
      else
        listStates_.haveChanged = true;
    if (std::ranges::none_of(facts.binds, [&](Span at) { return listStates_.written.count(madeAt(at)) > 0; }))
      return true;
  }
  if (isShown || facts.isCaptured || isMany) {
    error(
        DiagId::Unsupported, where,
        "the items of this list differ in kind or shape; it grows where each `append` runs once, by the one "
        "name that it has: not in loops whose number of steps only the run tells, nor in branches");
    return true;
  }
  const Value item = eval(call.args[0]);
  if (item.isError()) return true;
  TupleValue grown = *env().at(name->id).as<TupleValue>();
  grown.items.push_back(keptPart(item, name->id));
  env()[name->id] = Value{grown};
  return true;
}

/// An array that a list of known items has, and that changes for all who have it: `layers[0] -= step`. None of others.
std::optional<Array> Lowering::itemInPlace(const ast::Expr& target) {
  const auto* s = target.as<ast::Subscript>();
  if (!s || s->index.size() != 1 || s->index[0].is<ast::Slice>()) return std::nullopt;
  const auto* name = s->base.as<ast::Name>();
  if (name ? !env().count(name->id) : !fieldAt(s->base)) return std::nullopt;
  const Value of = eval(s->base);
  if (const auto* grown = of.as<ListValue>();
      grown && grown->hasViews && !grown->like && grown->values.view &&
      (grown->length || rowLists_.count(grown->values.view->buffer.name))) {
    const Value row = subscriptArray(elementsOf(*grown), s->index, target->span);
    itemsChanged_.emplace(grown->values.view->buffer.name, target->span);
    return row.as<Array>() ? std::optional(*row.as<Array>()) : std::nullopt;
  }
  const auto* list = of.as<TupleValue>();
  if (!list || !list->isList ||
      !std::ranges::any_of(list->items, [](const Value& v) { return v.as<Array>(); }))
    return std::nullopt;
  const std::optional<Expr> at = evalIndexExpr(s->index[0], "an index");
  if (!at || (!ir::constantInt(*at) && writesOut(*at))) return std::nullopt;
  const bool isOne = ir::constantInt(*at) || list->made; // of arrays that are alike: `bufs[t % 2] *= 2`
  const Value item = isOne ? tupleItem(*list, s->index, target->span) : Value{};
  const auto* array = item.as<Array>();
  return array && array->view ? std::optional(*array) : std::nullopt;
}

/// Arrays in lists that change there, though Python's list is not the only one that has them.
void Lowering::checkChangedItems() {
  for (const auto& [list, where] : itemsChanged_)
    if (itemsNamed_.count(list))
      error(DiagId::Unsupported, where,
            "an array in a list changes here, and the list has got arrays that have a name, or another "
            "place, too, where NumPy would show it; put copies into the list, `.copy()`, or write "
            "`items[k] = items[k] + x`");
}

} // namespace appyc::sema
