//===- ListPaths.cpp - lists that branches and the steps of loops rebind ---------------------------------------===//
//   while frontier:                    frontier = memory of its own
//     found = []                       while length of frontier > 0:
//     ... found.append(v)       =>       found = ...
//     frontier = found                   frontier = the items of found
// A name that is another list on another path, or in the next step, has a list of its own, into which what it is bound to
// is copied. So nothing else may have one of these lists by then: a change would show there.
#include "Lowering.h"

namespace appyc::sema {

bool isList(const Value& v) {
  const auto* t = v.as<TupleValue>();
  return v.as<ListValue>() || (t && t->isList);
}

/// A list of lists: those that change, or as long as each other.
static bool isOfRows(const Value& v) {
  const auto* l = v.as<ListValue>();
  const auto* t = v.as<TupleValue>();
  return v.as<NestedValue>() || (l && !l->hasViews && l->values.shape.size() > 1) ||
         (t && t->isList && !t->items.empty() && std::ranges::all_of(t->items, isList));
}
bool isAnyList(const Value& v) { return isList(v) || v.as<NestedValue>(); }

Value withoutSet(Value v) {
  if (auto* l = std::get_if<ListValue>(&v.v)) l->isSet = false;
  if (auto* t = std::get_if<TupleValue>(&v.v)) t->isSet = false;
  return v;
}

/// extend(), of sets, too.
void Lowering::putItems(const ListValue& list, const Value& items, Span where) {
  extend(*withoutSet(Value{list}).as<ListValue>(), withoutSet(items), where);
}

/// By what lists are told apart that are made for parts of what has one place in the text.
uint64_t Lowering::numberOfPart(const std::string& part) {
  if (part.empty()) return 0;
  constexpr uint64_t kMost = 255;
  const uint64_t next = std::min<uint64_t>(listStates_.parts.size() + 1, kMost);
  return listStates_.parts.try_emplace(part, next).first->second << 8;
}

/// By what the name's own list is found that loops and branches put others into.
uint64_t Lowering::fieldForOwn(const std::string& name) {
  return 255 | (name[0] == '.' || name[0] == '#' ? numberOfPart(name) : 0);
}
uint64_t Lowering::madeForOwn(const std::string& name) {
  return madeAt(boundAt(name)) | fieldForOwn(name) << 48;
}
static bool isOwn(const ListValue& list) { return (list.made >> 48 & 255) == 255; }

/// Is one of the two a list of lists? Then the name's own list is one.
void Lowering::noteRows(const std::string& name, const Value& a, const Value& b) {
  if (isOfRows(a) || isOfRows(b)) becomesNested(madeForOwn(name));
}

/// The lists of lists that the name alone has become what is bound to it: copies, of which nothing else is a part.
void Lowering::putRows(const NestedValue& own, const Value& now, Span where) {
  const Replacing here(replacing_);
  noteCopied(now, Value{own});
  const auto* nested = now.as<NestedValue>();
  const auto reset = [&](const ListValue& part) { emit(ir::Assign{part.length, ir::intConst(0)}); };
  if (nested && nested->rows == own.rows) {
    const Value numbers = callListMethod(Value{nested->numbers}, "copy", {{}, {}, where});
    reset(own.numbers);
    if (!numbers.isError()) extend(own.numbers, numbers, where);
    return;
  }
  std::vector<std::string> shown;
  for (const auto& [name, value] : env())
    if (const auto* row = value.as<ListValue>(); row && row->rows == own.rows) shown.push_back(name);
  for (const std::string& name : shown)
    lose(name, "is a list of a list of lists that has another one now; take it again");
  for (const ListValue* part : {&own.numbers, &own.rows->starts, &own.rows->lengths, &own.rows->rooms})
    reset(*part);
  reset(own.rows->items);
  Value given = now; // whose lists are copied
  if (auto* t = std::get_if<TupleValue>(&given.v)) t->isKept = false;
  if (auto* rows = std::get_if<NestedValue>(&given.v)) rows->numbers.isKept = false;
  callNestedMethod(own, "extend", {{given}, {}, where});
}

/// Has something else than the name the list, so that both see it change?
bool Lowering::hasOtherName(const std::string& name, const Value& v, const Env& here) {
  const auto* l = v.as<ListValue>();
  const auto* t = v.as<TupleValue>();
  if (t && t->isList) { // one that the name is to change would be in memory, if nothing else had it
    const NameFacts facts =
        name[0] == '.' ? factsOfField(name.substr(1, name.find(" of ") - 1)) : frame().names[name];
    return isChangedBy(facts, &NameFacts::grows) || isChangedBy(facts, &NameFacts::isStored);
  }
  if (const auto* nested = v.as<NestedValue>()) { // which nobody can tell from a copy while nobody changes it
    const auto changes = [&](const std::string& of) {
      const NameFacts facts =
          of[0] == '.' ? factsOfField(of.substr(1, of.find(" of ") - 1)) : frame().names[of];
      return isChangedBy(facts, &NameFacts::grows) || isChangedBy(facts, &NameFacts::isStored);
    };
    const auto hasIt = [&](const auto& other) {
      const auto* m = other.second.template as<NestedValue>();
      return m && m->rows == nested->rows;
    };
    if (changes(name))
      return givenListThatIs(v) ||
             std::ranges::any_of(here,
                                 [&](const auto& other) { return other.first != name && hasIt(other); }) ||
             std::any_of(frames_.begin(), frames_.end() - 1,
                         [&](const Frame& f) { return std::ranges::any_of(f.env, hasIt); });
    return std::ranges::any_of(here, [&](const auto& other) { return hasIt(other) && changes(other.first); });
  }
  const auto hasIt = [&](const Env& in, bool isOwn) {
    return std::ranges::any_of(in, [&](const auto& other) {
      const auto* m = other.second.template as<ListValue>();
      return m && m->values.view == l->values.view && (other.first != name || (!isOwn && name[0] != '.'));
    });
  };
  if (!l || !l->isKept) return false;
  const NameFacts facts = frame().names[name];
  if (givenListThatIs(v) &&
      (isChangedBy(facts, &NameFacts::grows) || isChangedBy(facts, &NameFacts::isStored)))
    return true;
  return hasIt(here, true) ||
         std::any_of(frames_.begin(), frames_.end() - 1, [&](const Frame& f) { return hasIt(f.env, false); });
}

/// A list that the name alone has, into which each step of a loop puts what the name is then.
Value Lowering::ownList(const std::string& name, const Value& v) {
  const auto* l = v.as<ListValue>();
  const bool isShared = hasOtherName(name, v, env()) && !isUnchangedList(name, v, env());
  if ((l && (l->isTuple || (l->hasViews && !l->made))) || isShared) return v;
  NameFacts grows;
  grows.grows = true;
  if (listStates_.nested.count(madeForOwn(name)) > 0) {
    const Value own = changeable(name, Value{TupleValue{{}, true}}, grows, boundAt(name), fieldForOwn(name));
    if (const auto* nested = own.as<NestedValue>()) {
      putRows(*nested, v, statement_);
      if (v.as<NestedValue>()) copied_.insert(nested->numbers.length);
    }
    return own;
  }
  if (v.as<NestedValue>()) return v;
  Value fresh = v;
  if (auto* t = std::get_if<TupleValue>(&fresh.v)) t->isKept = false;
  if (auto* list = std::get_if<ListValue>(&fresh.v)) {
    if (list->length || list->row) list->values = elementsOf(*list);
    for (ListValue& part : list->fields)
      if (part.length || part.row)
        part.values = elementsOf(part), part.length = Symbol(), part.rows = nullptr, part.row = Expr();
    list->length = Symbol();
    list->rows = nullptr, list->row = Expr();
    list->isKept = false;
  }
  const Value own = changeable(name, fresh, grows, boundAt(name), fieldForOwn(name));
  noteCopied(v, own);
  return own;
}

/// Has the name another list at the end of a step, which no other one of the names has, too?
bool Lowering::isGivenOn(const std::string& name, const Env& entry, const Names& lists) {
  const auto before = entry.find(name);
  const auto after = env().find(name);
  if (!lists.count(name) || before == entry.end() || after == env().end()) return false;
  const auto *from = before->second.as<ListValue>(), *to = after->second.as<ListValue>();
  if (!from || !isList(after->second) || (to && from->values.view == to->values.view)) return false;
  return std::ranges::none_of(lists, [&](const std::string& other) {
    const auto found = env().find(other);
    const auto* l = found == env().end() ? nullptr : found->second.as<ListValue>();
    return to && l && other != name && l->values.view == to->values.view;
  });
}

/// At the end of a step: the name's own list gets what the name is now.
void Lowering::putLists(const Names& lists, const Env& entry) {
  std::vector<std::pair<std::string, Value>> news;
  for (const std::string& name : lists) {
    const auto before = entry.find(name);
    const auto after = env().find(name);
    if (before == entry.end() || after == env().end() || isSame(before->second, after->second)) continue;
    if (const auto* rows = before->second.as<NestedValue>();
        rows && isOwn(rows->numbers) && isAnyList(after->second)) {
      const NestedValue own = *rows;
      if (copied_.count(own.numbers.length) && changesOf(Value{own}, lists_.back()) > 0) {
        error(DiagId::Unsupported, statement_,
              fmt::format(
                  "`{}` is a list of lists that others have, too, changes in the loop, and is another one "
                  "in its next step; begin with a copy, `[list(row) for row in {}]`",
                  hintOf(name), hintOf(name)));
        continue;
      }
      putRows(own, after->second, statement_);
      env()[name] = Value{own};
      continue;
    }
    const auto* list = before->second.as<ListValue>();
    const auto* now = after->second.as<ListValue>();
    bool isGiven = false; // by a name that has another one from here on: `old, new = new, old`
    const bool isShown = now && std::ranges::any_of(entry, [&](const auto& other) {
                           const auto* m = other.second.template as<ListValue>();
                           const bool isIt = m && m->values.view == now->values.view;
                           isGiven |= isIt;
                           return isIt && (!isOwn(*m) || !isGivenOn(other.first, entry, lists));
                         });
    if (!list || !list->length || !isOwn(*list) || !isList(after->second) || isShown ||
        (now && now->hasViews != list->hasViews) || !areDequesAlike(before->second, after->second)) {
      error(DiagId::Unsupported, statement_,
            fmt::format("`{}`, which is {}, changes from one iteration to the next; use two names, or "
                        "`list(...)` of it",
                        hintOf(name), describe(before->second)));
      continue;
    }
    noteCopied(after->second, before->second);
    const Value items = isGiven ? Value{copiedList(*now)} : after->second;
    news.emplace_back(name, evaluatedOnce(items, hintOf(name)));
  }
  for (const auto& [name, now] : news) {
    const ListValue list = *entry.at(name).as<ListValue>();
    const Replacing here(replacing_);
    emit(ir::Assign{list.length, ir::intConst(0)});
    putItems(list, now, statement_);
    env()[name] = entry.at(name);
    std::vector<std::string> shown; // by other names, which are the same list in Python
    for (const auto& [other, value] : env())
      if (const auto* m = value.as<ListValue>();
          m && now.as<ListValue>() && other != name && m->values.view == now.as<ListValue>()->values.view)
        shown.push_back(other);
    for (const std::string& other : shown)
      lose(other, "is a list that has another name from the loop's next iteration on; use that");
  }
}

/// Does nothing change the list, by whatever name it has: so that nobody can tell it from a copy?
bool Lowering::isUnchangedList(const std::string& name, const Value& v, const Env& here) {
  const auto* l = v.as<ListValue>();
  const auto changes = [&](const std::string& of) {
    const NameFacts facts =
        of[0] == '.' ? factsOfField(of.substr(1, of.find(" of ") - 1)) : frame().names[of];
    return isChangedBy(facts, &NameFacts::grows) || isChangedBy(facts, &NameFacts::isStored);
  };
  if (!l || changes(name)) return false;
  const auto hasIt = [&](const auto& other) {
    const auto* m = other.second.template as<ListValue>();
    return m && m->values.view == l->values.view;
  };
  for (size_t f = 0; f + 1 < frames_.size(); ++f)
    if (std::ranges::any_of(frames_[f].env, hasIt)) return false;
  return std::ranges::none_of(here, [&](const auto& other) { return hasIt(other) && changes(other.first); });
}

/// Is what is returned nobody else's afterwards, as it has had a name in the call alone?
bool Lowering::endsWithCall(const Value& v, const Env& here) const {
  const std::function<bool(const Value&)> holdsIt = [&](const Value& other) {
    return isSame(other, v) || std::ranges::any_of(heldParts(other), holdsIt);
  };
  const auto hasIt = [&](const auto& other) { return holdsIt(other.second); };
  const auto ofObject = [&](const auto& other) { return other.first[0] == '.' && holdsIt(other.second); };
  return std::none_of(frames_.begin(), frames_.end() - 1,
                      [&](const Frame& f) { return std::ranges::any_of(f.env, hasIt); }) &&
         std::ranges::none_of(here, ofObject);
}

/// In a loop a branch puts what it binds the name to into the list that the name alone has; the loop is lowered once more
/// where it has none yet. False where that is no way.
bool Lowering::putsIntoOwn(const std::string& name, const Env& before, const Env& thenEnv, const Env& elseEnv,
                           const Sides& sides) {
  const auto known = before.find(name);
  if (openLists_.empty() || known == before.end() || !openLists_.back().live->count(name)) return false;
  const auto* own = known->second.as<ListValue>();
  const auto* rows = known->second.as<NestedValue>();
  if (!openLists_.back().lists->count(name)) {
    openLists_.back().lists->insert(name);
    openLists_.back().isAsked = true;
    noteRows(name, thenEnv.at(name), elseEnv.at(name));
    env()[name] = isSame(known->second, thenEnv.at(name)) ? elseEnv.at(name) : thenEnv.at(name);
    return true;
  }
  if (rows) {
    const NestedValue list = *rows;
    if (!isOwn(list.numbers)) return false;
    for (const auto& [side, made] :
         {std::pair(&thenEnv, &sides.then), std::pair(&elseEnv, &sides.otherwise)}) {
      if (isSame(side->at(name), known->second)) continue;
      const std::vector<ir::Stmt> put = collect([&] { putRows(list, side->at(name), statement_); });
      made->insert(made->end(), put.begin(), put.end());
    }
    env()[name] = Value{list};
    return true;
  }
  if (!own || !own->length || !isOwn(*own) || own->hasViews) return false;
  // `state = candidate`: a name that neither another step nor, from here on, anything else reads.
  std::set<std::string> given;
  const auto isGivenBy = [&](const Value& now, const Env& side) {
    const auto* l = now.as<ListValue>();
    const auto hasIt = [&](const auto& other) {
      const auto* m = other.second.template as<ListValue>();
      return m && m->values.view == l->values.view;
    };
    if (!l || givenListThatIs(now) || std::any_of(frames_.begin(), frames_.end() - 1, [&](const Frame& f) {
          return std::ranges::any_of(f.env, hasIt);
        }))
      return false;
    for (const auto& other : side) {
      if (other.first == name || !hasIt(other)) continue;
      const bool isName = std::isalpha(static_cast<unsigned char>(other.first[0])) || other.first[0] == '_';
      const bool isInBoth = thenEnv.count(other.first) > 0 && elseEnv.count(other.first) > 0;
      if (!isName || openLists_.back().live->count(other.first) || frame().names[other.first].isCaptured ||
          (isInBoth && !isSame(thenEnv.at(other.first), elseEnv.at(other.first))))
        return false;
      given.insert(other.first);
    }
    return true;
  };
  for (const Env* side : {&thenEnv, &elseEnv}) {
    const Value& now = side->at(name);
    const auto* l = now.as<ListValue>();
    if (hasOtherName(name, known->second, *side) || (l && l->hasViews) || !areDequesAlike(now, Value{*own}) ||
        isSet(now) != own->isSet)
      return false;
    if (!isSame(now, known->second) && hasOtherName(name, now, *side) && !isUnchangedList(name, now, *side) &&
        !(isAdded(name) && !givenListThatIs(now) && endsWithCall(now, *side)) && !isGivenBy(now, *side))
      return false;
  }
  for (const auto& [side, list] : {std::pair(&thenEnv, &sides.then), std::pair(&elseEnv, &sides.otherwise)}) {
    if (isSame(side->at(name), known->second)) continue;
    const std::vector<ir::Stmt> made = collect([&] {
      const Value now = evaluatedOnce(side->at(name), hintOf(name));
      const Replacing here(replacing_);
      noteCopied(side->at(name), Value{*own});
      emit(ir::Assign{own->length, ir::intConst(0)});
      putItems(*own, now, statement_);
    });
    list->insert(list->end(), made.begin(), made.end());
  }
  for (const std::string& other : given)
    lose(other, fmt::format("may be the list that `{}` is from here on; read that, or write `list({})` where "
                            "it is given",
                            name, other));
  env()[name] = known->second;
  return true;
}

/// Does the function do that to what the name stands for, or one to which it passes it on?
bool Lowering::isChangedBy(const NameFacts& facts, bool NameFacts::*how, int depth) {
  constexpr int kDeepest = 8;
  if (facts.*how) return true;
  const auto changesIn = [&](const ast::Function& fn, const NameFacts::Passed& p, size_t position) {
    const std::vector<ast::Parameter>& params = fn.params;
    for (size_t k = 0; k < params.size(); ++k)
      if (p.keyword.empty() ? k == position : params[k].name == p.keyword)
        return isChangedBy(scanNames(fn)[params[k].name], how, depth + 1);
    return false;
  };
  return depth < kDeepest && std::ranges::any_of(facts.passed, [&](const NameFacts::Passed& p) {
           if (p.isMethod) // whatever it is a method of
             return file() && std::ranges::any_of(file()->module->classes, [&](const ast::ClassRef& c) {
                      return std::ranges::any_of(c->methods, [&](const ast::Class::Method& m) {
                        return m.function->name == p.function &&
                               changesIn(*m.function, p, p.position + !m.isStatic);
                      });
                    });
           for (auto f = frames_.rbegin(); f != frames_.rend(); ++f) // functions inside
             if (const auto at = f->env.find(p.function); at != f->env.end())
               if (const auto* inside = at->second.as<UserFunction>())
                 return changesIn(*inside->function, p, p.position);
           const auto* user = file() ? &file()->functions : nullptr;
           const auto found = user ? user->find(p.function) : decltype(user->end())();
           return user && found != user->end() && changesIn(*found->second, p, p.position);
         });
}

/// What all of the targets get: of a list the one, which they see change.
Value Lowering::oneListOf(const std::vector<ast::Expr>& targets, const Value& given) {
  if (!isAnyList(given)) return given;
  NameFacts all;
  for (const ast::Expr& target : targets) {
    const auto* name = target.as<ast::Name>();
    const std::optional<Field> field = name ? std::nullopt : fieldAt(target);
    const NameFacts facts = name ? frame().names[name->id] : field ? factsOfField(field->name) : NameFacts();
    all.grows |= isChangedBy(facts, &NameFacts::grows);
    all.isStored |= isChangedBy(facts, &NameFacts::isStored);
  }
  const auto* first = targets[0].as<ast::Name>();
  Value v = changeable(first ? first->id : "t", given, all, targets[0]->span);
  if (auto* l = std::get_if<ListValue>(&v.v)) l->isKept = true;
  if (auto* nested = std::get_if<NestedValue>(&v.v)) nested->numbers.isKept = true;
  return v;
}

/// Is it the list, or one that has rows of it?
static bool sharesRows(const Value& other, const Value& v) {
  const auto* nested = v.as<NestedValue>();
  const auto* rows = other.as<NestedValue>();
  const auto* row = other.as<ListValue>();
  return isSame(other, v) ||
         (nested && ((rows && rows->rows == nested->rows) || (row && row->rows == nested->rows)));
}

/// Does nothing in the call at hand, or around it, change the list by a name?
bool Lowering::isUnchangedHere(const Value& v) {
  const auto hasIt = [&](const auto& other) { return sharesRows(other.second, v); };
  for (size_t f = 0; f + 1 < frames_.size(); ++f)
    if (std::ranges::any_of(frames_[f].env, hasIt)) return false;
  const Env here = env();
  return std::ranges::all_of(here, [&](const auto& other) {
    if (!hasIt(other)) return true;
    const std::string& of = other.first;
    const NameFacts facts =
        of[0] == '.' ? factsOfField(of.substr(1, of.find(" of ") - 1)) : frame().names[of];
    return !isChangedBy(facts, &NameFacts::grows) && !isChangedBy(facts, &NameFacts::isStored);
  });
}

/// Has nothing but the name the list, which gets another one now?
bool Lowering::isOnlyOf(const std::string& name, const Value& v) const {
  if (name.empty()) return false;
  const auto hasIt = [&](const auto& other) { return other.first != name && sharesRows(other.second, v); };
  return std::ranges::none_of(frames_, [&](const Frame& f) { return std::ranges::any_of(f.env, hasIt); });
}

/// A new list that each path puts its own into.
Value Lowering::joinLists(const Value& a, const Value& b, const Sides& sides, Span where,
                          const std::string& name) {
  const auto isOwn = [&](const Value& v) {
    const auto* l = v.as<ListValue>();
    const auto* t = v.as<TupleValue>();
    return l ? !l->isKept : t && !t->isKept;
  };
  const std::string target = assigned_.first == frames_.size() ? assigned_.second : "";
  const bool chooses = std::exchange(chooses_, false); // a list that may have a name: the names see it change
  const auto isFresh = [&](const Value& v) {
    return isOwn(v) ||
           (name.empty() && (chooses ? isOnlyOf(target, v) || isUnchangedHere(v) : endsWithCall(v, env())));
  };
  const bool isFrozen =
      chooses && name.empty() && ((!isOwn(a) && !isOnlyOf(target, a)) || (!isOwn(b) && !isOnlyOf(target, b)));
  const auto isOfArrays = [](const Value& v) { return v.as<ListValue>() && v.as<ListValue>()->hasViews; };
  const bool isNew = !name.empty() || (isFresh(a) && isFresh(b));                  // else one that has a name
  const bool lives = !openLists_.empty() && openLists_.back().live->count(name) && // from step to step
                     !openLists_.back().lists->count(name); // and has no list of its own for that
  const auto differ = [&] {
    return error(DiagId::TypeMismatch, where,
                 fmt::format("the two paths give {} and {}; make them alike", describe(a), describe(b)));
  };
  if (!isNew || (lives && !name.empty()) || isOfArrays(a) || isOfArrays(b) || !areDequesAlike(a, b) ||
      isSet(a) != isSet(b) || isTuple(a) || isTuple(b))
    return differ();
  NameFacts grows;
  grows.grows = true;
  TupleValue none{{}, true};
  none.isDeque = isDeque(a);
  none.most = a.as<TupleValue>()  ? a.as<TupleValue>()->most
              : a.as<ListValue>() ? a.as<ListValue>()->most
                                  : Expr();
  none.isSet = isSet(a);
  const uint64_t field = 254 | numberOfPart(joining_);
  if (a.as<NestedValue>() || b.as<NestedValue>()) listStates_.nested.insert(madeAt(where) | field << 48);
  const Value joined = changeable(name.empty() ? "value" : name, Value{none}, grows, where, field);
  if (joined.isError()) return joined;
  if (!joined.as<ListValue>() && (isFrozen || !joined.as<NestedValue>()))
    return differ(); // of items that are known
  for (const auto& [from, list] : {std::pair(&a, &sides.then), std::pair(&b, &sides.otherwise)}) {
    std::vector<ir::Stmt> made = collect([&] {
      const Replacing here(replacing_);
      noteCopied(*from, joined);
      const auto* rows = joined.as<NestedValue>();
      if (!rows) return putItems(*joined.as<ListValue>(), *from, where);
      Value given = *from; // whose lists nothing else has from now on
      if (auto* t = std::get_if<TupleValue>(&given.v)) t->isKept = false;
      if (auto* nested = std::get_if<NestedValue>(&given.v)) nested->numbers.isKept = false;
      callNestedMethod(*rows, "extend", {{given}, {}, where});
    });
    list->insert(list->end(), made.begin(), made.end());
  }
  if (!isFrozen) return joined;
  ListValue same =
      *joined.as<ListValue>(); // of which nobody can tell that it is a copy, as nothing changes it
  const auto freeze = [&](ListValue& list) {
    listMemory_.erase(list.values.view->buffer.name);
    std::vector<Expr> shape = list.values.shape;
    shape[0] = ir::var(list.length); // what it is behind the sides, which stand there later
    nonNegative_.insert(list.length);
    room_[list.length] = ir::var(growing_.at(list.length).room);
    list.values = cutTo(list.values, shape);
    list.length = Symbol();
  };
  for (ListValue& field : same.fields) freeze(field);
  if (same.fields.empty())
    freeze(same);
  else
    same.values = same.fields[0].values, same.length = Symbol();
  return Value{same};
}

} // namespace appyc::sema
