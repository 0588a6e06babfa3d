//===- Loops.cpp - for and while: names whose type or array changes from one iteration to the next ---===//
#include "Lowering.h"

namespace appyc::sema {

ir::For Lowering::loopHeader(const ast::For& s, const RangeValue& range) {
  ir::For loop;
  loop.lo = range.lo;
  loop.hi = range.hi;
  loop.step = range.step;
  static constexpr ir::LoopMark kMarks[] = {ir::LoopMark::None, ir::LoopMark::Parallel,
                                            ir::LoopMark::ParallelSimd, ir::LoopMark::Simd,
                                            ir::LoopMark::Sequential};
  loop.mark = kMarks[static_cast<int>(markOf(s))];
  if (s.directive.vectorLength)
    loop.vectorLength = constantOption(*s.directive.vectorLength, s.directive.where);
  if (s.unless && s.leaves.end > 0) {
    const bool isShared = loop.mark != ir::LoopMark::None && loop.mark != ir::LoopMark::Sequential;
    if (isShared && !frame().function->directive.parallelLoops)
      error(DiagId::BadDirective, s.leaves,
            "this leaves a loop that is annotated as parallel, whose iterations run in any order; drop the "
            "annotation, "
            "or keep what is found in a variable and go on");
    loop.mark = ir::LoopMark::None;
  }
  bool outermost = loop.mark != ir::LoopMark::None && loops_.empty();
  loop.warps = s.directive.warps.value_or(outermost ? frame().function->directive.warps.value_or(0) : 0);
  if (ir::isConst(loop.step, 0)) error(DiagId::TypeMismatch, s.iter->span, "range() arg 3 must not be zero");
  return loop;
}

/// The index must not pass the largest integer behind the last iteration. Sizes and what is near them are far from it.
void Lowering::refuseOverrun(const RangeValue& range, Span where) {
  constexpr int64_t kFar = int64_t{1} << 62, kManySteps = int64_t{1} << 20;
  auto isNear = [&](const Expr& e) {
    if (std::optional<int64_t> c = ir::constantInt(e)) return *c > -kFar && *c < kFar;
    const std::set<Symbol> vars = ir::freeVars(e);
    return !ir::readsMemory(e) &&
           std::all_of(vars.begin(), vars.end(), [&](const Symbol& s) { return sizes_.count(s) > 0; });
  };
  const std::optional<int64_t> step = ir::constantInt(range.step);
  const bool isShort = step && std::abs(*step) < kManySteps; // from near zero it takes years to get there
  if ((step && std::abs(*step) <= 1) || (isShort && (isNear(range.lo) || isNear(range.hi)))) return;
  auto limit = [&](int64_t end) {
    const Expr one = ir::intConst(end > 0 ? 1 : -1);
    return ir::add(ir::sub(ir::intConst(end), range.step), one);
  };
  const Expr up = ir::binary(ir::BinaryOp::Le, range.hi, limit(INT64_MAX)),
             down = ir::binary(ir::BinaryOp::Ge, range.hi, limit(INT64_MIN));
  const Expr fits = step ? (*step > 0 ? up : down)
                         : ir::select(ir::binary(ir::BinaryOp::Gt, range.step, ir::intConst(0)), up, down);
  if (const auto* known = fits.as<ir::Const>()) {
    if (!std::get<bool>(known->value))
      error(DiagId::Unsupported, where, "this range ends within a step of the largest integer of 64 bits");
  } else {
    requireWhereRun(fits, "NotImplementedError",
                    "a range ends within a step of the largest integer of 64 bits");
  }
}

/// What the loop asks before an iteration: its own condition, unless one of the flags by which its body leaves it is set.
Expr Lowering::goesOn(const Expr& cond, const ast::Expr& unless) {
  const Expr leaves = unless ? evalCondition(unless) : Expr();
  return leaves ? ir::binary(ir::BinaryOp::LogicalAnd, cond, ir::unary(ir::UnaryOp::LogicalNot, leaves))
                : cond;
}

/// Is there a step from `from` before the range's end?
static Expr isWithin(const RangeValue& range, const Expr& from) {
  const Expr up = ir::binary(ir::BinaryOp::Lt, from, range.hi),
             down = ir::binary(ir::BinaryOp::Gt, from, range.hi);
  if (const std::optional<int64_t> step = ir::constantInt(range.step)) return *step > 0 ? up : down;
  return ir::select(ir::binary(ir::BinaryOp::Gt, range.step, ir::intConst(0)), up, down);
}

/// Python's range, evaluated once: bounds that the body may change are captured.
void Lowering::fixRange(RangeValue& range, Span where) {
  for (Expr* e : {&range.lo, &range.hi, &range.step})
    if (!ir::readsMemory(*e)) *e = stable(*e);
  if (!ir::constantInt(range.step))
    requireWhereRun(ir::binary(ir::BinaryOp::Ne, range.step, ir::intConst(0)), "ValueError",
                    "range() arg 3 must not be zero");
  refuseOverrun(range, where);
}

/// What a loop would bind that is not translated is quiet afterwards.
void Lowering::quietFor(const ast::For& s) {
  forget(s.target);
  for (const std::string& name : assignedNames(s.body))
    if (env().find(name) == env().end()) env()[name] = Value{};
}

void Lowering::lowerFor(const ast::For& s, Span span) {
  const Value over = eval(s.iter);
  if (over.isError()) return quietFor(s);
  if (frame().isLibrary)
    if (std::optional<std::vector<Value>> items = unrolled(s, over)) return unroll(s, *items);
  const auto* target = s.target.as<ast::Name>();
  const auto* given = over.as<RangeValue>();
  if (!given || !target) return lowerForEach(s, over, span);
  RangeValue range = *given;
  fixRange(range, s.iter->span);
  lowerLoop(s, range, span, target->id, {}, nullptr);
}

/// A loop over a range. With `bind`, which gives the names in `bound` their values at an index, the index has no name.
void Lowering::lowerLoop(const ast::For& s, const RangeValue& range, Span span, const std::string& hint,
                         const std::set<std::string>& bound, const std::function<void(const Expr&)>& bind) {
  const auto* target = bind ? nullptr : s.target.as<ast::Name>();
  const Env before = env();
  ir::For loop = loopHeader(s, range);
  checkClauses(s);
  std::set<std::string> assigned = assignedNames(s.body);
  assigned.insert(bound.begin(), bound.end());
  // The name is the loop index itself unless Python could see the difference: assigned in the body, or read
  // after the loop.
  auto outerIt = target ? env().find(target->id) : env().end();
  const auto* outerScalar = outerIt == env().end() ? nullptr : outerIt->second.as<Scalar>();
  const auto* outerVar = outerScalar ? outerScalar->e.as<ir::Var>() : nullptr;
  const bool escapes =
      target && (assigned.count(target->id) > 0 || isReadAfter(frame().names[target->id], span.end) ||
                 (outerVar && mutable_.count(outerVar->name) > 0));
  loop.index = Symbol(hint);
  const Symbol next("next_" + hint);
  Expr cond;
  auto prologue = [&] {
    if (s.unless) {
      cond = goesOn(isWithin(range, ir::var(next)), s.unless);
      emit(ir::Assign{loop.index, ir::var(next)});
      emit(ir::Assign{next, ir::add(ir::var(next), range.step)});
    }
    if (bind) return bind(ir::var(loop.index));
    Scalar index{ir::var(loop.index), true};
    if (escapes)
      assignName(target->id, Value{index}, s.target->span);
    else
      env()[target->id] = Value{index};
    env().boundIf.erase(target->id);
  };
  std::optional<Value> outer = outerIt == env().end() ? std::nullopt : std::optional(outerIt->second);
  directlyNested_ = s.body.size() == 1 ? s.body[0].as<ast::For>() : nullptr;
  if (escapes) assigned.insert(hint);
  if (s.unless) {
    emit(ir::Assign{next, range.lo});
    mutable_.insert(next);
  }
  loops_.push_back(loop);
  if (s.unless)
    loops_.back().hi = ir::minOf(loop.hi, ir::var(Symbol("trips"))); // nobody knows how far it comes
  std::vector<ir::Stmt> body = loopBody(&s, s.body, assigned, bound, s.unless, prologue, nullptr);
  loops_.pop_back();
  statement_ = span;
  if (target && !escapes) {
    if (outer)
      env()[target->id] = *outer;
    else
      env().erase(target->id);
  }
  leaveScope(body, "loop");
  loseViewsAt(loop.index);
  auto ran = [&]() -> Expr {
    const std::optional<int64_t> step = ir::constantInt(loop.step);
    if (step && *step > 0 && isNonNegative(ir::sub(ir::sub(loop.hi, loop.lo), ir::intConst(1))))
      return ir::boolConst(true);
    const Expr any = isWithin(range, loop.lo);
    return isStable(any) ? any : materialize(any, "ran");
  };
  boundIfRan(before, ran, body, loop.index);
  if (s.unless) {
    diag_.report(DiagId::KeptSerial, span,
                 fmt::format("loop `{}` stays serial: `break` or `return` leaves it", hint));
    if (cond) emit(ir::makeStmt(span, ir::While{cond, ir::block(std::move(body))}));
    return;
  }
  loop.body = ir::block(std::move(body));
  if (loop.mark == ir::LoopMark::None && frames_.size() == 1) loop.written = {span};
  emit(ir::makeStmt(span, std::move(loop)));
}

void Lowering::lowerWhile(const ast::While& s, Span span) {
  const Env before = env();
  // A condition that needs statements of its own (memory, reductions) is computed before the loop and at each
  // iteration's end.
  Symbol condition("go_on");
  bool viaVariable = false;
  Expr cond, first; // of each iteration; of the first one
  auto compute = [&]() -> Expr {
    std::optional<Scalar> c = evalScalar(s.cond, "a condition");
    return c ? truth(c->e) : Expr{};
  };
  // The types of the loop's names must be settled before the condition is read; loopBody does that.
  ir::For stand; // a stand-in so that statements inside know that they stand in a loop
  stand.index = Symbol("while");
  stand.lo = ir::intConst(0), stand.hi = ir::var(Symbol("trips")), stand.step = ir::intConst(1);
  loops_.push_back(stand);
  std::vector<ir::Stmt> head;
  auto prologue = [&] {
    std::vector<ir::Stmt> made = collect([&] { first = compute(); });
    viaVariable = first && (!made.empty() || ir::readsMemory(first));
    cond = first;
    if (viaVariable) {
      mutable_.insert(condition);
      head = std::move(made);
      head.push_back(ir::makeStmt(span, ir::Assign{condition, first}));
    } else if (first) {
      cond = goesOn(first, s.unless);
    }
  };
  auto epilogue = [&] {
    if (!viaVariable) return;
    const Expr leaves = s.unless ? evalCondition(s.unless) : Expr();
    Expr again;
    std::vector<ir::Stmt> made = collect([&] {
      again = compute();
      if (again) emit(ir::Assign{condition, again});
    });
    if (leaves) // then the condition is not asked
      made = {
          ir::makeStmt(span, ir::If{leaves, ir::makeStmt(span, ir::Assign{condition, ir::boolConst(false)}),
                                    ir::block(std::move(made))})};
    for (ir::Stmt& m : made) emit(std::move(m));
  };
  ast::Expr asked = s.cond;
  if (s.unless) asked = ast::make(s.cond->span, ast::Tuple{{s.cond, s.unless}});
  std::vector<ir::Stmt> body = loopBody(&s, s.body, assignedNames(s.body), {}, asked, prologue, epilogue);
  loops_.pop_back();
  statement_ = span;
  if (!cond) { // what the body would bind is quiet afterwards
    for (const std::string& name : assignedNames(s.body)) env().boundIf.erase(name), env()[name] = Value{};
    return;
  }
  leaveScope(body, "loop");
  for (ir::Stmt& h : head) emit(std::move(h));
  const Expr runs = viaVariable ? ir::var(condition, DType::Bool) : first;
  auto ran = [&] { return runs.is<ir::Const>() ? runs : materialize(runs, "ran"); };
  boundIfRan(before, ran, body, {});
  emit(ir::makeStmt(span, ir::While{viaVariable ? runs : cond, ir::block(std::move(body))}));
}

//===--- names that live across iterations ----------------------------------------------------------===//

/// Where the statement at hand binds the name last.
Span Lowering::boundAt(const std::string& name) {
  Span found = statement_;
  for (Span bind : frame().names[name].binds)
    if (bind.begin >= statement_.begin && bind.end <= statement_.end) found = bind;
  return found;
}

/// Gives every scalar that the body assigns a variable of its final type before the loop, and every array
/// name the body rebinds a buffer of its own.
void Lowering::prepareLoopNames(const std::set<std::string>& names,
                                const std::map<std::string, Scalar>& known) {
  for (const std::string& name : names) {
    auto it = env().find(name);
    if (it == env().end()) continue;
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
      Symbol variable = newVariable(name, want.type(), s->e);
      mutable_.insert(variable);
      it->second = Value{keptIn(want, ir::var(variable, want.type()))};
    } else if (const auto* a = it->second.as<Array>(); a && known.count(name)) {
      Array copy = newBuffer(name, a->type, a->shape);
      storeCopy(copy, *a, *a, name, boundAt(name));
      it->second = Value{copy};
    }
  }
}

/// Arrays that names have exchanged in the iteration, as in `a, b = b, a`: all names whose array is another
/// one now, if these are the same arrays as before and nothing else refers to them. Empty otherwise.
std::vector<Rebinding> Lowering::exchangedArrays(const std::set<std::string>& names, const Env& entry) const {
  std::vector<Rebinding> found;
  std::set<Symbol> before, after;
  for (const std::string& name : names) {
    auto x = entry.find(name), y = frames_.back().env.find(name);
    if (x == entry.end() || y == frames_.back().env.end()) continue;
    const auto *a = x->second.as<Array>(), *b = y->second.as<Array>();
    if (!a || !b || a->view == b->view) continue;
    if (!a->view || !b->view || !a->view->whole || !b->view->whole || a->type != b->type ||
        a->shape.size() != b->shape.size())
      return {};
    if (a->view->buffer.name == b->view->buffer.name) continue;
    if (!before.insert(a->view->buffer.name).second || !after.insert(b->view->buffer.name).second) return {};
    found.push_back({name, *a, *b});
  }
  return before == after && !isViewedElsewhere(before, found, entry) ? found : std::vector<Rebinding>();
}

/// Is the value, or a part of it, memory of one of the buffers?
static bool showsAny(const Value& v, const std::set<Symbol>& buffers) {
  if (const auto* a = v.as<Array>()) return a->view && buffers.count(a->view->buffer.name) > 0;
  if (const auto* s = v.as<Selection>())
    return showsAny(Value{s->mask}, buffers) || showsAny(Value{s->values}, buffers);
  const auto* t = v.as<TupleValue>();
  return t && std::any_of(t->items.begin(), t->items.end(),
                          [&](const Value& item) { return showsAny(item, buffers); });
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

/// The names keep their buffers; the buffers change places.
void Lowering::exchange(const std::vector<Rebinding>& arrays) {
  std::vector<Symbol> holds; // whose elements each buffer has now
  for (const Rebinding& r : arrays) holds.push_back(r.before.view->buffer.name);
  for (const ir::For& loop : loops_)
    if (loop.mark != ir::LoopMark::None) {
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

/// Arrays made in a branch or loop end with it.
void Lowering::leaveScope(const std::vector<ir::Stmt>& list, const char* scope) {
  std::set<Symbol> made;
  for (const ir::Stmt& s : list)
    ir::visit(s, [&](const ir::Stmt& inner) {
      if (const auto* alloc = inner.as<ir::Alloc>()) made.insert(alloc->buffer.name);
      return true;
    });
  for (auto it = env().begin(); it != env().end();) {
    if (showsAny(it->second, made)) {
      env().lost[it->first] =
          fmt::format("is an array made inside the {}; make it before and fill it there", scope);
      it = env().erase(it);
    } else {
      ++it;
    }
  }
}

/// Is the value, or a part of it, a view whose place depends on the variable?
static bool isPlacedBy(const Value& v, const Symbol& variable) {
  if (const auto* t = v.as<TupleValue>())
    return std::any_of(t->items.begin(), t->items.end(),
                       [&](const Value& item) { return isPlacedBy(item, variable); });
  const auto* a = v.as<Array>();
  if (!a || !a->view) return false;
  const std::vector<Expr> at = a->view->index(Indices(a->shape.size(), ir::intConst(0)));
  auto mentions = [&](const Expr& e) { return ir::freeVars(e).count(variable) > 0; };
  return std::any_of(at.begin(), at.end(), mentions) ||
         std::any_of(a->shape.begin(), a->shape.end(), mentions);
}

/// Views that were taken at a loop's index are out of reach behind the loop.
void Lowering::loseViewsAt(const Symbol& index) {
  for (auto it = env().begin(); it != env().end();) {
    if (!isAdded(it->first) && isPlacedBy(it->second, index)) { // with what is returned the loop ends
      env().lost[it->first] = "is a part of an array that the loop has chosen; take it again behind the loop";
      it = env().erase(it);
    } else {
      ++it;
    }
  }
}

/// Arrays that names exchange in one branch of an `if` change places there.
void Lowering::exchangeInBranch(const Env& before, Env& after, std::vector<ir::Stmt>& list) {
  std::set<std::string> rebound;
  for (const auto& [name, value] : after) {
    auto old = before.find(name);
    const auto *a = value.as<Array>(), *b = old == before.end() ? nullptr : old->second.as<Array>();
    if (a && b && a->view != b->view) rebound.insert(name);
  }
  if (rebound.size() < 2) return;
  std::swap(env(), after);
  if (std::vector<Rebinding> arrays = exchangedArrays(rebound, before); !arrays.empty())
    for (ir::Stmt& s : collect([&] { exchange(arrays); })) list.push_back(std::move(s));
  std::swap(env(), after);
}

/// Compares the names at the end of the body with those at its start; true when a type had to be widened (try
/// again).
bool Lowering::widenLoopNames(const std::set<std::string>& names, const Env& entry,
                              std::map<std::string, Scalar>& known) {
  bool changed = false, exchanged = !exchangedArrays(names, entry).empty();
  for (const std::string& name : names) {
    auto before = entry.find(name);
    auto after = env().find(name);
    if (before == entry.end() || after == env().end()) continue;
    const auto *x = before->second.as<Scalar>(), *y = after->second.as<Scalar>();
    if (x && y) {
      std::optional<Scalar> joined = joinNumbers(*x, *y, boundAt(name), name);
      if (!joined || isSameState(*joined, *x)) continue;
      known[name] = *joined;
      changed = true;
      continue;
    }
    const auto *a = before->second.as<Array>(), *b = after->second.as<Array>();
    const bool parts = !x && !a && before->second.v.index() == after->second.v.index();
    if (a && b && a->view != b->view && !known.count(name) && !exchanged) {
      known[name] = {};
      changed = true;
    } else if (parts && !after->second.isError() && !isSame(before->second, after->second)) {
      error(DiagId::Unsupported, statement_,
            fmt::format("`{}`, which is {}, changes from one iteration to the next; {}", name,
                        describe(before->second),
                        before->second.as<TupleValue>()  ? "use names for its parts"
                        : before->second.as<Selection>() ? "select where it is used"
                                                         : "use two names"));
    } else if (!(a && b) && !parts && !before->second.isError() && !after->second.isError()) {
      error(DiagId::TypeMismatch, statement_,
            fmt::format("`{}` is {} before the loop and {} after an iteration; use two names", name,
                        describe(before->second), describe(after->second)));
    }
  }
  return changed;
}

/// At the end of an iteration, names bound anew flow back into the variables and buffers the next iteration
/// reads.
void Lowering::copyBack(const std::set<std::string>& names, const Env& entry) {
  if (std::vector<Rebinding> arrays = exchangedArrays(names, entry); !arrays.empty()) exchange(arrays);
  struct Back {
    std::string name;
    Array to, from, bound;
  };
  std::vector<Back> copies;
  for (const std::string& name : names) {
    auto before = entry.find(name);
    auto after = env().find(name);
    if (before == entry.end() || after == env().end()) continue;
    const auto *x = before->second.as<Scalar>(), *y = after->second.as<Scalar>();
    if (x && y && !(x->e == y->e)) emit(ir::Assign{x->e.as<ir::Var>()->name, ir::cast(x->type(), y->e)});
    const auto *a = before->second.as<Array>(), *b = after->second.as<Array>();
    if (!a || !b || a->view == b->view) continue;
    if (a->type != b->type || a->shape.size() != b->shape.size()) {
      error(DiagId::TypeMismatch, statement_,
            fmt::format("`{}` becomes another kind of array in the loop; use two names", name));
      continue;
    }
    // An array made in the iteration can be copied into the name's own buffer; a second name for existing
    // memory cannot.
    bool made = false, writtenBefore = false;
    for (const ir::Stmt& s : lists_.back()) {
      writtenBefore |= ir::storedBuffers(s).count(a->view->buffer.name) > 0;
      ir::visit(s, [&](const ir::Stmt& inner) {
        const auto* alloc = inner.as<ir::Alloc>();
        made |= alloc && alloc->buffer.name == b->view->buffer.name;
        return true;
      });
    }
    if (!made || writtenBefore) {
      error(DiagId::Unsupported, statement_,
            fmt::format("`{}` stands for different existing arrays from one iteration to the next; write "
                        "into one array (`{}[:] = ...`), or unroll the loop by two",
                        name, name));
      continue;
    }
    for (size_t d = 0; d < a->shape.size(); ++d)
      requireEqual(a->shape[d], b->shape[d], fmt::format("`{}` changes its size in the loop", name),
                   statement_, "NotImplementedError");
    copies.push_back({name, *a, *b, *b});
  }
  if (copies.size() > 1) // `a, b = b, a`: read all before writing any
    for (Back& copy : copies) {
      Array fresh = copy.from;
      fresh.view = nullptr;
      copy.from = materialize(fresh, "t");
    }
  for (const Back& copy : copies) storeCopy(copy.to, copy.from, copy.bound, copy.name, boundAt(copy.name));
  for (const std::string& name : names)
    if (auto before = entry.find(name); before != entry.end()) env()[name] = before->second;
}

std::vector<ir::Stmt> Lowering::loopBody(const void* key, const ast::Body& body,
                                         const std::set<std::string>& assigned,
                                         const std::set<std::string>& bound, const ast::Expr& condition,
                                         const std::function<void()>& prologue,
                                         const std::function<void()>& epilogue) {
  std::map<std::string, Scalar>& known = loopTypes_[{key, frame().call}];
  Env outside = env();
  // A name that each iteration assigns before reading it, and that nobody reads afterwards, is new in each
  // iteration.
  std::set<std::string> exposed = exposedNames(body), names, fresh;
  for (const std::string& name : bound) exposed.erase(name); // by the prologue
  if (condition) exposed.merge(exposedNames({ast::makeStmt(condition->span, ast::ExprStmt{condition})}));
  for (const std::string& name : assigned) {
    bool outer =
        std::any_of(carried_.begin(), carried_.end(), [&](const auto& c) { return c.count(name) > 0; });
    // What is returned is set at most once: whatever it was before, nobody asks for it.
    bool carried =
        outer || exposed.count(name) || (!isAdded(name) && isReadAfter(frame().names[name], statement_.end));
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
    size_t mark = diag_.mark();
    env() = outside;
    for (const std::string& name : fresh) env().erase(name);
    lists_.back().clear();
    // What stands before the loop must not count as inside it.
    ir::For self = std::move(loops_.back());
    loops_.pop_back();
    prepareLoopNames(names, known);
    loops_.push_back(std::move(self));
    Env entry = env();
    bool again = false;
    std::map<std::string, Scalar> snapshot = known;
    made = collect([&] {
      prologue();
      lowerStatements(body, 0);
      again = widenLoopNames(names, entry, snapshot);
      copyBack(names, entry);
      if (epilogue) epilogue();
    });
    known = snapshot;
    if (again && attempt + 1 == kMostAttempts)
      error(DiagId::Unsupported, statement_, "the types of this loop's names do not settle; use more names");
    if (!again) {
      // Names bound first inside the loop stay visible after it, as in Python; known ones keep the loop's
      // variables.
      for (const auto& [name, value] : entry) env()[name] = value;
      break;
    }
    diag_.rollback(mark);
  }
  carried_.pop_back();
  loopLists_.pop_back();
  std::vector<ir::Stmt> before = std::move(lists_.back());
  lists_.pop_back();
  lists_.back().insert(lists_.back().end(), before.begin(), before.end());
  return made;
}

} // namespace appyc::sema
