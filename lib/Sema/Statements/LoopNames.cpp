//===- LoopNames.cpp - names that live across a loop's iterations ---------------------------------------===//
// Numbers get a variable of their final type before the loop, arrays that are rebound a buffer of their own, into which
// the end of each iteration copies; arrays that only change places are swapped.
#include "Lowering.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::sema {

/// Where the statement at hand binds the name last.
Span Lowering::boundAt(const std::string& name) {
  Span found = statement_;
  for (Span bind : frame().names[name].binds)
    if (bind.begin >= statement_.begin && bind.end <= statement_.end) found = bind;
  return found;
}

/// Gives every scalar that the body assigns a variable of its final type before the loop, and every array
/// name the body rebinds a buffer of its own.
void Lowering::prepareLoopNames(const Names& names, const LoopTypes& known, const ir::For& loop) {
  prepareTurns(known);
  for (const std::string& name : names) {
    auto it = env().find(name);
    if (it == env().end()) continue;
    bool isOwn = true;
    if (const auto* s = it->second.as<Selection>(); s && known.count(name)) {
      isOwn = !isSeenBeside(name, s->values, true);
      it->second = Value{asArray(*s)};
    }
    if (const auto* s = it->second.as<Scalar>()) {
      auto k = known.find(name);
      std::optional<Scalar> joined = *s; // what an outer loop's earlier attempt has found is not all
      if (k != known.end() && k->second.e) joined = joinNumbers(*s, k->second, boundAt(name), name);
      if (!joined) {
        it->second = Value{};
        continue;
      }
      const Scalar& want = *joined;
      const auto* v = s->e.as<ir::Var>();
      if (v && mutable_.count(v->name) && want.type() == s->type()) {
        it->second = Value{keptIn(want, s->e)};
        continue;
      }
      Symbol variable = newVariable(hintOf(name), want.type(), intoState(want.type(), *s));
      mutable_.insert(variable);
      it->second = Value{keptIn(want, ir::var(variable, want.type()))};
    } else if (const auto* a = it->second.as<Array>();
               a && (known.count(name) || !(a->view || a->symbolic || a->choice))) { // None had no memory
      isOwn &= !isSeenBeside(name, *a, true);
      const auto changing = known.changing.find(name);
      Array copy = changing == known.changing.end() ? newBuffer(hintOf(name), a->type, a->shape)
                                                    : resizable(name, *a, changing->second, loop);
      if (changing == known.changing.end()) storeCopy(copy, *a, *a, name, boundAt(name));
      if (isOwn) moved_.insert(copy.view->buffer.name);
      copiedOwn_.insert(copy.view->buffer.name);
      it->second = Value{copy};
    }
  }
}

/// The names whose array is another one than at the entry, both whole and of one type and rank. Nothing where one of these is not so.
static std::optional<std::vector<Rebinding>> reboundArrays(const std::set<std::string>& names,
                                                           const Env& entry, const Env& now) {
  std::vector<Rebinding> found;
  for (const std::string& name : names) {
    auto x = entry.find(name), y = now.find(name);
    if (x == entry.end() || y == now.end()) continue;
    const auto *a = x->second.as<Array>(), *b = y->second.as<Array>();
    if (!a || !b || showSame(*a, *b)) continue;
    if (!a->view || !b->view || !a->view->whole || !b->view->whole || a->type != b->type ||
        a->shape.size() != b->shape.size())
      return std::nullopt;
    found.push_back({name, *a, *b});
  }
  return found;
}

/// Arrays that names have exchanged in the iteration, as in `a, b = b, a`: all names whose array is another
/// one now, if these are the same arrays as before and nothing else refers to them. Empty otherwise.
std::vector<Rebinding> Lowering::exchangedArrays(const std::set<std::string>& names, const Env& entry) const {
  std::vector<Rebinding> found;
  std::set<Symbol> before, after;
  for (Rebinding& r : reboundArrays(names, entry, frames_.back().env).value_or(std::vector<Rebinding>())) {
    if (r.before.view->buffer.name == r.after.view->buffer.name) continue;
    if (!before.insert(r.before.view->buffer.name).second || !after.insert(r.after.view->buffer.name).second)
      return {};
    found.push_back(std::move(r));
  }
  return before == after && !isViewedElsewhere(before, found, entry) ? found : std::vector<Rebinding>();
}

bool showsAny(const Value& v, const std::set<Symbol>& buffers) {
  if (const auto* a = v.as<Array>()) return a->view && buffers.count(a->view->buffer.name) > 0;
  if (const auto* s = v.as<Selection>())
    return showsAny(Value{s->mask}, buffers) || showsAny(Value{s->values}, buffers);
  if (const auto* l = v.as<ListValue>()) return showsAny(Value{l->values}, buffers);
  if (const auto* l = v.as<NestedValue>())
    return showsAny(Value{l->numbers}, buffers) || showsAny(Value{l->rows->starts}, buffers);
  return std::ranges::any_of(heldParts(v), [&](const Value& part) { return showsAny(part, buffers); });
}

bool Lowering::isViewedElsewhere(const std::set<Symbol>& buffers, const std::vector<Rebinding>& by,
                                 const Env& entry) const {
  auto views = [&](const Value& v) { return showsAny(v, buffers); };
  auto isOne = [&](const std::string& name) {
    return std::any_of(by.begin(), by.end(), [&](const Rebinding& r) { return r.name == name; });
  };
  for (const auto& [name, value] : entry)
    if (!isOne(name) && views(value)) return true;
  for (size_t i = 0; i + 1 < frames_.size(); ++i)
    for (const auto& [name, value] : frames_[i].env)
      if (views(value)) return true;
  return false;
}

/// `old, now = now, next` with an array `next` that the iteration has made: the names' own arrays change places, and the one
/// that nobody has any more is the name's that gets what is new, which is copied into it. Empty where it is not so.
std::vector<Rebinding> Lowering::passedOnArrays(const Names& names, const Env& entry) const {
  std::vector<Rebinding> found =
      reboundArrays(names, entry, frames_.back().env).value_or(std::vector<Rebinding>());
  std::set<Symbol> before, after;
  std::vector<size_t> gets; // those that get what is new
  for (const Rebinding& r : found) {
    if (!moved_.count(r.before.view->buffer.name)) return {};
    before.insert(r.before.view->buffer.name);
    if (!after.insert(r.after.view->buffer.name).second) return {};
  }
  std::vector<Array> left;
  for (size_t k = 0; k < found.size(); ++k) {
    if (!after.count(found[k].before.view->buffer.name)) left.push_back(found[k].before);
    const Symbol now = found[k].after.view->buffer.name;
    if (before.count(now)) continue;
    if (!isMadeBy(lists_.back(), now)) return {};
    gets.push_back(k);
  }
  if (gets.size() == found.size() || isViewedElsewhere(before, found, entry)) return {};
  for (size_t k = 0; k < gets.size(); ++k) found[gets[k]].after = left[k];
  return found;
}

/// The names keep their buffers; the buffers change places.
void Lowering::exchange(const std::vector<Rebinding>& arrays) {
  std::vector<Symbol> holds; // whose elements each buffer has now
  for (const Rebinding& r : arrays) holds.push_back(r.before.view->buffer.name);
  for (const ir::For& loop : loops_)
    if (loop.hints.mark != ir::LoopMark::None) {
      if (openLoops("arrays change places in order")) return;
      error(DiagId::Unsupported, statement_,
            fmt::format("`{}` and another array change places in a loop that runs on the device; drop its "
                        "pragma, or copy",
                        arrays[0].name));
      return;
    }
  for (size_t i = 0; i < arrays.size(); ++i) {
    for (size_t d = 0; d < arrays[i].before.shape.size(); ++d)
      requireEqual(arrays[i].before.shape[d], arrays[i].after.shape[d],
                   fmt::format("`{}` changes places with an array of another size", arrays[i].name),
                   statement_, "NotImplementedError");
    size_t at = static_cast<size_t>(std::find(holds.begin(), holds.end(), arrays[i].after.view->buffer.name) -
                                    holds.begin());
    if (at == i) continue;
    emit(ir::makeStmt(boundAt(arrays[i].name),
                      ir::Swap{arrays[i].before.view->buffer.name, arrays[at].before.view->buffer.name}));
    std::swap(holds[i], holds[at]);
  }
  std::map<Symbol, ir::Buffer> moved; // where each buffer's elements are now
  for (size_t i = 0; i < arrays.size(); ++i) {
    const ir::Buffer& buffer = arrays[i].before.view->buffer;
    swapped_.insert(buffer.name);
    moved[holds[i]] = buffer;
  }
  for (const Rebinding& r : arrays) env().erase(r.name);
  followExchange(moved);
  for (const Rebinding& r : arrays) env()[r.name] = Value{r.before};
}

/// Names bound in the iteration or branch that show an exchanged array, such as `t` of `t = a; a = b; b = t`.
void Lowering::followExchange(const std::map<Symbol, ir::Buffer>& moved) {
  std::set<Symbol> buffers;
  for (const auto& entry : moved) buffers.insert(entry.first);
  for (auto it = env().begin(); it != env().end();) {
    const auto* a = it->second.as<Array>();
    if (a && a->view && a->view->whole && showsAny(it->second, buffers)) {
      it->second = Value{memory(moved.at(a->view->buffer.name))};
    } else if (showsAny(it->second, buffers)) {
      env().lost[it->first] = "shows a part of an array that has changed places with another; take it again";
      it = env().erase(it);
      continue;
    }
    ++it;
  }
}

/// Is the value, or a part of it, a view whose place depends on the variable, or a number of a tuple that it gives?
static bool isPlacedBy(const Value& v, const Symbol& variable) {
  auto mentions = [&](const Expr& e) { return ir::freeVars(e).count(variable) > 0; };
  if (hasParts(v))
    return std::ranges::any_of(heldParts(v), [&](const Value& part) {
      const auto* s = part.as<Scalar>();
      return s && s->e ? mentions(s->e) : isPlacedBy(part, variable);
    });
  const auto* a = v.as<Array>();
  if (!a || !a->view) return false;
  const std::vector<Expr> at = a->view->index(Indices(a->shape.size(), ir::intConst(0)));
  return std::any_of(at.begin(), at.end(), mentions) ||
         std::any_of(a->shape.begin(), a->shape.end(), mentions);
}

/// Views that were taken at a loop's index are out of reach behind the loop.
void Lowering::loseViewsAt(const Symbol& index) {
  for (auto it = env().begin(); it != env().end();) {
    if (!isAdded(it->first) && isPlacedBy(it->second, index)) { // with what is returned the loop ends
      env().lost[it->first] =
          "is a part of an array, or a tuple, that the loop has chosen; take it again behind the loop";
      it = env().erase(it);
    } else {
      ++it;
    }
  }
}

/// Names first bound in the iteration that show an array whose name has another one in the next.
void Lowering::loseViewsOf(const std::set<Symbol>& buffers, const Env& entry) {
  std::vector<std::string> names;
  for (const auto& [name, value] : env())
    if (!entry.count(name) && showsAny(value, buffers)) names.push_back(name);
  for (const std::string& name : names)
    lose(name, "shows an array that the loop's next iteration replaces; write `.copy()` where it is bound");
}

/// Arrays that names exchange in one branch of an `if` change places there.
void Lowering::exchangeInBranch(const Env& before, Env& after, std::vector<ir::Stmt>& list) {
  std::set<std::string> rebound;
  for (const auto& [name, value] : after) {
    auto old = before.find(name);
    const auto *a = value.as<Array>(), *b = old == before.end() ? nullptr : old->second.as<Array>();
    if (a && b && !showSame(*a, *b)) rebound.insert(name);
  }
  if (rebound.size() < 2 || kernel_) return; // there names choose
  std::swap(env(), after);
  if (std::vector<Rebinding> arrays = exchangedArrays(rebound, before); !arrays.empty())
    for (ir::Stmt& s : collect([&] { exchange(arrays); })) list.push_back(std::move(s));
  std::swap(env(), after);
}

/// Is it, or a part of it, None at one end of an iteration and not so at the other? Notes it.
static bool notesOptional(const Value& before, const Value& now, const std::string& name, LoopTypes& known) {
  if (before.as<StringValue>() && (now.as<StringValue>() || isStoredText(now)) && !isSame(before, now))
    return known.texts.insert(name).second; // another text
  if (!before.as<OptionalValue>() && isNoneSomewhere(before, now)) {
    if (!mayBeNone(before) || !mayBeNone(now)) return false;
    known.optional[name] = before.as<NoneValue>() ? now : before;
    return true;
  }
  const std::vector<Value> from = heldParts(before), to = heldParts(now);
  bool isNoted = false;
  for (size_t k = 0; before.v.index() == now.v.index() && from.size() == to.size() && k < from.size(); ++k)
    isNoted |= notesOptional(from[k], to[k], partName(before, name, k), known);
  return isNoted;
}

/// Compares the names at the end of the body with those at its start; true when a type had to be widened (try again).
bool Lowering::widenLoopNames(const Names& names, const Env& entry, LoopTypes& known, uint32_t place) {
  bool changed = choosesMemory() && noteTurns(names, entry, env(), known);
  for (const std::string& name : names) {
    auto before = entry.find(name);
    auto after = env().find(name);
    if (before == entry.end() || after == env().end() || known.turns.count(name)) continue;
    const auto *x = before->second.as<Scalar>(), *y = after->second.as<Scalar>();
    if (x && y) {
      std::optional<Scalar> joined = joinNumbers(*x, *y, boundAt(name), name);
      if (!joined || isSameState(*joined, *x)) continue;
      known[name] = *joined;
      changed = true;
      continue;
    }
    if (notesOptional(before->second, after->second, name, known)) {
      changed = true;
      continue;
    }
    const auto *a = before->second.as<Array>(), *b = after->second.as<Array>();
    const bool parts = !x && !a && before->second.v.index() == after->second.v.index();
    if (isAnyList(before->second) && isAnyList(after->second) && !isSame(before->second, after->second)) {
      if (known.lists.insert(name).second) noteRows(name, before->second, after->second), changed = true;
      continue;
    }
    if (listStates_.noteLater(place, name, before->second, after->second)) continue;
    if (before->second.as<Selection>() && !known.count(name) && !isSame(before->second, after->second)) {
      known[name] = {};
      changed = true;
    } else if (a && b && !showSame(*a, *b) && !known.count(name) && exchangedArrays(names, entry).empty()) {
      known[name] = {};
      changed = true;
    } else if (a && b && !showSame(*a, *b) && a->shape.size() == b->shape.size()) {
      Growth changing = known.changing.count(name) ? known.changing[name] : Growth();
      if (noteGrowth(changing, *a, *b)) known.changing[name] = changing, changed = true;
    } else if (parts && !after->second.isError() && !isSame(before->second, after->second) &&
               !becomesPooled(before->second) && !becomesPooled(after->second)) {
      const auto* record = before->second.as<RecordValue>();
      error(DiagId::Unsupported, statement_,
            fmt::format("`{}`, which is {}, changes from one iteration to the next; {}", hintOf(name),
                        describe(before->second),
                        record ? (record->type && record->type->isFrozen ? "make it a named tuple"
                                                                         : "assign to its fields instead")
                               : "use two names"));
    } else if (!(a && b) && !parts && !before->second.isError() && !after->second.isError() &&
               !becomesMaybe(before->second, after->second)) {
      error(DiagId::TypeMismatch, statement_,
            fmt::format("`{}` is {} before the loop and {} after an iteration; use two names", hintOf(name),
                        describe(before->second), describe(after->second)));
    }
  }
  return changed;
}

/// At the end of an iteration, names bound anew flow back into the variables and buffers the next iteration
/// reads.
void Lowering::copyBack(const Names& names, const Env& entry) {
  if (std::vector<Rebinding> arrays = exchangedArrays(names, entry); !arrays.empty()) {
    exchange(arrays);
  } else if (arrays = passedOnArrays(names, entry); !arrays.empty()) {
    std::map<std::string, Value> made;
    for (const Rebinding& r : arrays)
      if (const auto* now = env().at(r.name).as<Array>(); isMadeBy(lists_.back(), now->view->buffer.name))
        made[r.name] = env().at(r.name);
    exchange(arrays);
    for (const auto& [name, array] : made) env()[name] = array;
  }
  struct Back {
    std::string name;
    Array to, from, bound;
  };
  std::vector<Back> copies;
  std::vector<std::pair<Symbol, Expr>> sizes;
  for (const std::string& name : names) {
    auto before = entry.find(name);
    auto after = env().find(name);
    if (before == entry.end() || after == env().end()) continue;
    const auto *x = before->second.as<Scalar>(), *y = after->second.as<Scalar>();
    if (x && y && !(x->e == y->e)) emit(ir::Assign{x->e.as<ir::Var>()->name, intoState(x->type(), *y)});
    const auto *a = before->second.as<Array>(), *b = after->second.as<Array>();
    if (!a || !b || showSame(*a, *b)) continue;
    if (a->type != b->type || a->shape.size() != b->shape.size()) {
      error(DiagId::TypeMismatch, statement_,
            fmt::format("`{}` becomes another kind of array in the loop; use two names", hintOf(name)));
      continue;
    }
    // An array made in the iteration can be copied into the name's own buffer, and what another name of the loop's had in its
    // own; a second name for other memory cannot.
    const bool isOthers = b->view && b->view->whole && copiedOwn_.count(b->view->buffer.name) > 0 &&
                          std::ranges::any_of(names, [&](const std::string& other) {
                            return entry.count(other) && isSame(entry.at(other), after->second);
                          });
    const bool made = isOthers || (b->view && isMadeBy(lists_.back(), b->view->buffer.name));
    const bool writtenBefore = std::ranges::any_of(lists_.back(), [&](const ir::Stmt& s) {
      return a->view && ir::storedBuffers(s).count(a->view->buffer.name) > 0;
    });
    if (!made || !a->view || (writtenBefore && !moved_.count(a->view->buffer.name))) {
      error(DiagId::Unsupported, statement_,
            fmt::format("`{}` stands for different existing arrays from one iteration to the next; write "
                        "into one array (`{}[:] = ...`), or unroll the loop by two",
                        hintOf(name), hintOf(name)));
      continue;
    }
    Array to = *a;
    for (size_t d = 0; d < a->shape.size(); ++d) {
      const auto* size = a->shape[d].as<ir::Var>();
      const auto changing = size ? changing_.find(size->name) : changing_.end();
      if (changing == changing_.end()) {
        requireEqual(a->shape[d], b->shape[d], fmt::format("`{}` changes its size in the loop", name),
                     statement_, "NotImplementedError");
        continue;
      }
      const Expr room = a->view->buffer.extents[d];
      to.shape[d] = b->shape[d];
      // What an inner loop may only not pass the room is no more than that, whatever it was before.
      const bool isHeldInside = std::ranges::any_of(
          changing_, [&](const auto& c) { return !c.second && changing->first < c.first; });
      if (!changing->second || isHeldInside)
        require(ir::binary(ir::BinaryOp::Le, b->shape[d], room), "NotImplementedError",
                fmt::format("`{}` gets longer in the loop than it was before", hintOf(name)));
      sizes.emplace_back(size->name, b->shape[d]);
    }
    copies.push_back({name, to, *b, *b});
  }
  if (copies.size() > 1) // `a, b = b, a`: read all before writing any
    for (Back& copy : copies) {
      Array fresh = copy.from;
      fresh.view = nullptr;
      copy.from = materialize(fresh, "t");
    }
  std::set<Symbol> replaced;
  for (const Back& copy : copies) {
    storeCopy(copy.to, copy.from, copy.bound, copy.name, boundAt(copy.name));
    replaced.insert(copy.to.view->buffer.name);
  }
  for (const auto& [size, value] : sizes) emit(ir::Assign{size, value});
  for (const std::string& name : names)
    if (auto before = entry.find(name); before != entry.end()) env()[name] = before->second;
  loseViewsOf(replaced, entry);
}

/// Is it a number that each iteration binds anew? What it was before a loop that certainly runs is of no account behind it.
static bool isRenewed(const std::string& name, const ast::Body& body, const LoopNames& binds,
                      const Env& before) {
  const auto was = before.find(name);
  if (!binds.isRun || was == before.end() || !was->second.as<Scalar>()) return false;
  ast::Body asked = body;
  asked.push_back(ast::makeStmt({}, ast::ExprStmt{ast::make({}, ast::Name{name})}));
  return binds.first.count(name) || !exposedNames(asked).count(name);
}

/// The parts of what the name stands for become names of their own, "#0 of t", which are added to `parts`.
void Lowering::spread(const std::string& name, Names& parts) {
  const Value whole = env().at(name);
  const std::vector<Value> held = heldParts(whole);
  for (size_t k = 0; k < held.size(); ++k) {
    const std::string part = partName(whole, name, k);
    env()[part] = held[k];
    hasParts(held[k]) ? spread(part, parts) : (void)parts.insert(part);
  }
}

/// The value, built as `like` is, of what its parts' names stand for.
Value Lowering::gathered(const std::string& name, const Value& like) {
  if (!hasParts(like)) return env().at(name);
  std::vector<Value> parts = heldParts(like);
  for (size_t k = 0; k < parts.size(); ++k) parts[k] = gathered(partName(like, name, k), parts[k]);
  return builtLike(like, std::move(parts));
}

bool isBuiltAlike(const Value& a, const Value& b) {
  if (hasParts(a) != hasParts(b)) return false;
  if (!hasParts(a)) return true;
  const auto *x = a.as<TupleValue>(), *y = b.as<TupleValue>();
  const auto *r = a.as<RecordValue>(), *q = b.as<RecordValue>();
  const std::vector<Value> of = heldParts(a), other = heldParts(b);
  return a.v.index() == b.v.index() && (!r || r->object == q->object) &&
         (!x || (x->isList == y->isList && x->type == y->type)) &&
         std::equal(of.begin(), of.end(), other.begin(), other.end(), isBuiltAlike);
}

/// What is made of parts lives from one iteration to the next by these: what is left are names of other things.
Lowering::Names Lowering::spreadParts(const Names& names, const LoopTypes& known,
                                      std::map<std::string, Value>& built) {
  Names live;
  for (const std::string& name : names) {
    if (env().count(name)) { // loops may be made for these, and other maps with them
      const Value held = withOptionals(name, Value(env().at(name)), known);
      const Value own = known.lists.count(name) ? ownList(name, held) : held;
      env()[name] = own;
    }
    const auto it = env().find(name);
    if (it == env().end() || !hasParts(it->second)) {
      live.insert(name);
      continue;
    }
    built[name] = it->second;
    spread(name, live);
  }
  return live;
}

/// At the end of an iteration, what is made of parts becomes what the parts' names stand for; true where it may be None,
/// which was not known (try again).
bool Lowering::spreadAgain(const std::map<std::string, Value>& built, LoopTypes& known) {
  bool changed = false;
  for (const auto& [name, before] : built) {
    const auto now = env().find(name);
    if (now == env().end() || now->second.isError()) continue;
    Names unused;
    now->second = fittedTo(before, now->second, name);
    if (notesOptional(before, now->second, name, known)) {
      changed = true;
      continue;
    }
    if (isBuiltAlike(before, now->second))
      spread(name, unused);
    else if (isAnyList(before) && isAnyList(now->second)) {
      if (known.lists.insert(name).second) noteRows(name, before, now->second), changed = true;
    } else
      error(DiagId::TypeMismatch, statement_,
            fmt::format("`{}` is {} before the loop and {} after an iteration; use two names", hintOf(name),
                        describe(before), describe(now->second)));
  }
  return changed;
}

std::vector<ir::Stmt> Lowering::loopBody(const void* key, const ast::Body& body, const LoopNames& binds,
                                         const ast::Expr& condition, const std::function<void()>& prologue,
                                         const std::function<void()>& epilogue) {
  LoopTypes& known = loopTypes_[{key, frame().call}];
  const auto isFilledHere = [&](const std::string& name) { // a list that is returned from within the loop
    return isAdded(name) && listStates_.returned.count({frame().function->nameSpan.begin, name}) > 0;
  };
  for (const std::string& name : binds.assigned)
    if (isFilledHere(name)) {
      env().try_emplace(name, Value{TupleValue{{}, true}});
      known.lists.insert(name);
    }
  Env outside = env();
  // A name that each iteration assigns before reading it, and that nobody reads afterwards, is new in each
  // iteration.
  std::set<std::string> exposed = exposedNames(body), names, fresh;
  addCaptured(exposed);
  for (const std::string& name : binds.first) exposed.erase(name);
  if (condition) exposed.merge(exposedNames({ast::makeStmt(condition->span, ast::ExprStmt{condition})}));
  for (const std::string& name : binds.assigned) {
    bool outer =
        std::any_of(carried_.begin(), carried_.end(), [&](const auto& c) { return c.count(name) > 0; });
    // What is returned is set at most once: whatever it was before, nobody asks for it.
    bool carried = outer || exposed.count(name) || isFilledHere(name) ||
                   (!isAdded(name) && isReadAfter(frame().names[name], statement_.end) &&
                    !isRenewed(name, body, binds, outside));
    (carried ? names : fresh).insert(name);
  }
  carried_.push_back(exposed);
  // What stands before the loop is made anew by each attempt, and is a list of its own until then: what waits in lists
  // outside is fixed there by the first.
  loopLists_.push_back(lists_.size());
  lists_.emplace_back();
  std::vector<ir::Stmt> made;
  // A state only grows: in type along int < float < complex, in a few constants, to an opaque one.
  constexpr int kMostAttempts = 24;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    const Attempt begun = beginAttempt();
    env() = outside;
    for (const std::string& name : fresh) env().erase(name);
    lists_.back().clear();
    // What stands before the loop must not count as inside it.
    ir::For self = std::move(loops_.back());
    loops_.pop_back();
    std::map<std::string, Value> built;
    const Names live = spreadParts(names, known, built);
    prepareLoopNames(live, known, self);
    for (const auto& [name, like] : built) env()[name] = gathered(name, like);
    loops_.push_back(std::move(self));
    Env entry = env();
    bool again = false;
    Names changed, gone; // `gone`: out of reach at an iteration's end
    LoopTypes snapshot = known;
    openLists_.push_back({&names, &snapshot.lists});
    made = collect([&] {
      prologue();
      settleSizes();
      lowerStatements(body, 0);
      passOnRecords(names, entry);
      changed = changedFields(entry, names);
      again = spreadAgain(built, snapshot);
      for (const std::string& name : live)
        if (const auto* s = env().count(name) ? env().at(name).as<Selection>() : nullptr;
            s && entry.count(name) && entry.at(name).as<Array>())
          env()[name] = Value{asArray(*s)};
      for (const std::string& name : live)
        if (entry.count(name) && !env().count(name)) gone.insert(name);
      for (const auto& [name, value] : entry) // that are not bound here, and out of reach from now on
        if (!env().count(name) && env().lost.count(name)) gone.insert(name);
      again = widenLoopNames(live, entry, snapshot, body.back()->span.begin) || again || !changed.empty() ||
              openLists_.back().isAsked;
      if (!again) putLists(snapshot.lists, entry), takeTurns(snapshot, entry);
      copyBack(live, entry);
      if (epilogue) epilogue();
    });
    openLists_.pop_back();
    known = snapshot;
    names.merge(changed);
    if (again && attempt + 1 == kMostAttempts)
      error(DiagId::Unsupported, statement_, "the types of this loop's names do not settle; use more names");
    if (!again) {
      // Names bound first inside the loop stay visible after it, as in Python; known ones keep the loop's
      // variables.
      for (const auto& [name, value] : entry) {
        if (!gone.count(name)) {
          env()[name] = value;
          continue;
        }
        const std::string why = env().lost[name];
        if (exposed.count(name))
          error(DiagId::Unsupported, statement_, fmt::format("`{}` {}", hintOf(name), why));
        lose(name, why);
      }
      for (const std::string& name : live) // a loop around this one may have parts of the same names
        if (name[0] == '#') {
          const auto around = outside.find(name);
          around == outside.end() ? (void)env().erase(name) : (void)(env()[name] = around->second);
        }
      break;
    }
    takeBack(begun);
  }
  carried_.pop_back();
  loopLists_.pop_back();
  std::vector<ir::Stmt> before = std::move(lists_.back());
  lists_.pop_back();
  lists_.back().insert(lists_.back().end(), before.begin(), before.end());
  return made;
}

} // namespace appyc::sema
