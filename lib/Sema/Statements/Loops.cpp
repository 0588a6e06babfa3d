//===- Loops.cpp - for and while ------------------------------------------------------------------------===//
#include "FirstStep.h"
#include "Lowering.h"
#include "Steps.h"
#include "appyc/IR/Simplify.h"

namespace appyc::sema {

constexpr const char* kNoStep = "range() arg 3 must not be zero";

ir::For Lowering::loopHeader(const ast::For& s, const RangeValue& range) {
  ir::For loop;
  loop.lo = range.lo;
  loop.hi = range.hi;
  loop.step = range.step;
  static constexpr ir::LoopMark kMarks[] = {ir::LoopMark::None, ir::LoopMark::Parallel,
                                            ir::LoopMark::ParallelSimd, ir::LoopMark::Simd,
                                            ir::LoopMark::Sequential};
  loop.hints.mark = kMarks[static_cast<int>(markOf(s))];
  if (s.directive.vectorLength)
    loop.hints.vectorLength = constantOption(*s.directive.vectorLength, s.directive.where);
  if (const auto opened = listStates_.opened.find(s.iter->span.begin);
      opened != listStates_.opened.end() && isShared(loop)) {
    diag_.report(DiagId::KeptSerial, s.iter->span,
                 fmt::format("{}: the loop is as one without an annotation", opened->second));
    loop.hints = {};
    if (ir::isConst(loop.step, 0)) error(DiagId::TypeMismatch, s.iter->span, kNoStep);
    return loop;
  }
  if (s.unless && s.leaves.end > 0) {
    if (isShared(loop) && !frame().function->directive.parallelLoops)
      error(DiagId::BadDirective, s.leaves,
            "this leaves a loop that is annotated as parallel, whose iterations run in any order; drop the "
            "annotation, "
            "or keep what is found in a variable and go on");
    loop.hints.mark = ir::LoopMark::None;
  }
  bool outermost = loop.hints.mark != ir::LoopMark::None && loops_.empty();
  loop.hints.warps =
      s.directive.warps.value_or(outermost ? frame().function->directive.warps.value_or(0) : 0);
  if (s.directive.threads)
    loop.hints.threads = askedThreads(*s.directive.threads, s.directive.where,
                                      ir::isConst(loop.step, 1) ? ir::sub(loop.hi, loop.lo) : Expr());
  if (ir::isConst(loop.step, 0)) error(DiagId::TypeMismatch, s.iter->span, kNoStep);
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
  if (const auto known = ir::constantBool(fits)) {
    if (!*known)
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
    requireWhereRun(ir::binary(ir::BinaryOp::Ne, range.step, ir::intConst(0)), "ValueError", kNoStep);
  refuseOverrun(range, where);
}

/// What a loop would bind that is not translated is quiet afterwards.
void Lowering::quietFor(const ast::For& s) {
  forget(s.target);
  for (const std::string& name : assignedNames(s.body))
    if (env().find(name) == env().end()) env()[name] = Value{};
}

/// How many steps the loop has, if that is known and they are few enough to be written out.
static std::optional<int64_t> countOf(const RangeValue& range) {
  constexpr int64_t kMostWrittenOut = 64;
  const std::optional<int64_t> count = ir::constantInt(lengthOf(range));
  return count && *count <= kMostWrittenOut && ir::constantInt(range.lo) ? count : std::nullopt;
}

void Lowering::lowerFor(const ast::For& s, Span span) {
  Value over = eval(s.iter);
  if (std::optional<Value> own = callSpecial("__iter__", {over}, s.iter->span)) over = std::move(*own);
  if (over.isError()) return quietFor(s);
  if (frame().isLibrary)
    if (std::optional<std::vector<Value>> items = unrolled(s, over)) return unroll(s, *items);
  if (const auto* g = over.as<GeneratorValue>(); g && lowerOverGenerator(s, *g)) return;
  const auto* target = s.target.as<ast::Name>();
  const auto* given = over.as<RangeValue>();
  if (!given || !target) {
    const size_t before = lists_.back().size();
    lowerForEach(s, over, span);
    return checkGenerated(over, before, s.iter->span);
  }
  RangeValue range = *given;
  fixRange(range, s.iter->span);
  if (const auto count = countOf(range); count && listStates_.writtenOut.count(span.begin)) {
    const auto number = [&](const Expr& k) {
      return Value{Scalar{ir::add(range.lo, ir::mul(k, range.step)), true}};
    };
    const auto counter = counters_.insert(target->id);
    lowerWrittenOut(s, Steps{ir::intConst(*count), number}, *count);
    counters_.erase(counter);
    return;
  }
  if (StepNames names(s.body, loops_.size() > frame().loops);
      s.directive.mark == ast::LoopMark::None &&
      names.find(env(), s.body, s.target, listStates_, frame().names, span.end)) {
    names.step.clear();
    env()[names.runs] = Value{Scalar{isWithin(range, range.lo), true}};
    env()[names.first] = Value{Scalar{range.lo, true}};
    env()[names.rest] = Value{RangeValue{ir::add(range.lo, range.step), range.hi, range.step}};
    writtenOut_.push_back(firstByItself(s, names));
    lowerStatements(writtenOut_.back(), 0);
    for (const std::string& name : {names.runs, names.first, names.rest}) env().erase(name);
    return;
  }
  lowerLoop(s, range, span, target->id.substr(0, target->id.find(' ')), {}, nullptr);
}

/// The names follow from the loop's index: `for k in reversed(range(3))`.
void Lowering::noteCounted(const std::set<std::string>& names, const Symbol& index) {
  const auto counted = countedLoops_.find(index);
  for (const std::string& name : counted == countedLoops_.end() ? std::set<std::string>() : names) {
    const auto value = env().find(name);
    const auto* s = value == env().end() ? nullptr : value->second.as<Scalar>();
    if (const auto* variable = s ? s->e.as<ir::Var>() : nullptr)
      countedLoops_[variable->name] = countedLoops_.at(index);
  }
}

/// Likewise a variable.
void Lowering::noteCounted(const Symbol& variable, const Expr& value) {
  const auto counted = std::ranges::find_if(
      countedLoops_, [&](const auto& counter) { return ir::mentions(value, counter.first); });
  if (counted != countedLoops_.end()) countedLoops_[variable] = counted->second;
}

/// A loop over a range. With `bind`, which gives the names in `bound` their values at an index, the index has no name.
void Lowering::lowerLoop(const ast::For& s, const RangeValue& range, Span span, const std::string& hint,
                         const std::set<std::string>& bound, const std::function<void(const Expr&)>& bind) {
  const auto* target = bind ? nullptr : s.target.as<ast::Name>();
  const Env before = env();
  ir::For loop = loopHeader(s, range);
  checkClauses(s);
  LoopNames binds{assignedNames(s.body), bound};
  binds.assigned.insert(bound.begin(), bound.end());
  // The name is the loop index itself unless Python could see the difference: assigned in the body, or read
  // after the loop.
  auto outerIt = target ? env().find(target->id) : env().end();
  const auto* outerScalar = outerIt == env().end() ? nullptr : outerIt->second.as<Scalar>();
  const auto* outerVar = outerScalar ? outerScalar->e.as<ir::Var>() : nullptr;
  const bool escapes =
      target && (binds.assigned.count(target->id) > 0 || isReadAfter(frame().names[target->id], span.end) ||
                 (outerVar && mutable_.count(outerVar->name) > 0));
  loop.index = Symbol(hint);
  if (const auto count = countOf(range); count && s.directive.mark == ast::LoopMark::None)
    countedLoops_[loop.index] = {span.begin, *count};
  const Symbol next("next_" + hint);
  Expr cond;
  auto prologue = [&] {
    if (s.unless) {
      cond = goesOn(isWithin(range, ir::var(next)), s.unless);
      emit(ir::Assign{loop.index, ir::var(next)});
      emit(ir::Assign{next, ir::add(ir::var(next), range.step)});
    }
    if (bind) {
      bind(ir::var(loop.index));
      noteCounted(bound, loop.index);
      return;
    }
    Scalar index{ir::var(loop.index), true};
    if (escapes)
      assignName(target->id, Value{index}, s.target->span);
    else
      env()[target->id] = Value{index};
    env().boundIf.erase(target->id);
    noteCounted({target->id}, loop.index);
  };
  std::optional<Value> outer = outerIt == env().end() ? std::nullopt : std::optional(outerIt->second);
  directlyNested_ = s.body.size() == 1 ? s.body[0].as<ast::For>() : nullptr;
  if (escapes) binds.assigned.insert(hint), binds.first.insert(hint);
  const std::optional<int64_t> step = ir::constantInt(loop.step);
  binds.isRun = step && *step > 0 && isNonNegative(ir::sub(ir::sub(loop.hi, loop.lo), ir::intConst(1)));
  if (s.unless) {
    emit(ir::Assign{next, range.lo});
    mutable_.insert(next);
    leaving_[next] = loop;
  }
  loops_.push_back(loop);
  if (isShared(loop)) sharedAt_[loop.index] = s.iter->span.begin;
  if (isShared(loop) && s.directive.mark == ast::LoopMark::None) byRange_.insert(loop.index);
  if (s.unless)
    loops_.back().hi = ir::minOf(loop.hi, ir::var(Symbol("trips"))); // nobody knows how far it comes
  std::vector<ir::Stmt> body = loopBody(&s, s.body, binds, s.unless, prologue, nullptr);
  loops_.pop_back();
  statement_ = span;
  if (target && !escapes) {
    if (outer)
      env()[target->id] = *outer;
    else
      env().erase(target->id);
  }
  leaveScope(body, s.body, &loop);
  loseViewsAt(loop.index);
  if (!s.unless) // names that stand for what follows from the index are read in the loop alone
    std::erase_if(env(), [&](const auto& named) {
      const auto* number = named.second.template as<Scalar>();
      return number && number->e && ir::mentions(number->e, loop.index);
    });
  Expr hasRun;
  auto ran = [&]() -> Expr {
    if (binds.isRun) return ir::boolConst(true);
    const Expr any = isWithin(range, loop.lo);
    return hasRun = isStable(any) ? any : materialize(any, "ran");
  };
  boundIfRan(before, ran, body, loop.index);
  if (const auto* left = s.unless ? s.unless.as<ast::Name>() : nullptr; left && hasRun)
    ranIfLeft_[left->id] = hasRun;
  if (s.unless) {
    diag_.report(DiagId::KeptSerial, span,
                 fmt::format("loop `{}` stays serial: `break` or `return` leaves it", hint));
    if (cond) emit(ir::makeStmt(span, ir::While{cond, ir::block(std::move(body))}));
    return settleSizes();
  }
  loop.body = ir::block(std::move(body));
  if (loop.hints.mark == ir::LoopMark::None && frames_.size() == 1) loop.hints.origins = {span};
  emit(ir::makeStmt(span, std::move(loop)));
  settleSizes();
}

//===--- while ------------------------------------------------------------------------------------------===//

namespace {

/// `while i < n: ..; i += step`
struct Count {
  const ast::Name& name;
  const ast::Expr& end;
  ast::CompareOp op; ///< i op n
  int64_t step;
  bool isFirst;   ///< the step stands before the rest
  bool isSquare;  ///< i * i op n
  ast::Body body; ///< without it
};

/// x of `x * x` and `x ** 2`; null for all else.
const ast::Name* squaredName(const ast::Expr& e) {
  const auto* b = e.as<ast::Binary>();
  const auto* x = b ? b->lhs.as<ast::Name>() : nullptr;
  if (!x) return nullptr;
  const auto* again = b->op == ast::BinaryOp::Mul ? b->rhs.as<ast::Name>() : nullptr;
  const auto* power = b->op == ast::BinaryOp::Pow ? b->rhs.as<ast::IntLit>() : nullptr;
  return (again && again->id == x->id) || (power && !power->tooLarge && power->value == 2) ? x : nullptr;
}

/// Nearly the largest whole number whose square is no larger, off by one at most; its neighbours' squares are in I64's range.
Expr nearRoot(const Expr& number) {
  constexpr int64_t kMost = 3037000498;
  const Expr positive = ir::cast(DType::F64, ir::maxOf(number, ir::intConst(0)));
  return ir::minOf(ir::cast(DType::I64, ir::call(ir::Intrinsic::Sqrt, DType::F64, {positive})),
                   ir::intConst(kMost));
}
/// The largest one exactly; -1 of numbers below 0.
Expr wholeRoot(const Expr& near, const Expr& number) {
  const Expr next = ir::add(near, ir::intConst(1));
  const auto fits = [&](const Expr& e) { return ir::binary(ir::BinaryOp::Le, ir::mul(e, e), number); };
  return ir::select(fits(next), next, ir::select(fits(near), near, ir::sub(near, ir::intConst(1))));
}

/// By how much a statement changes the name: `i += 1`, `i = i - 2`.
std::optional<int64_t> stepIn(const ast::Stmt& s, const std::string& name) {
  const auto isName = [&](const ast::Expr& e) { return e.as<ast::Name>() && e.as<ast::Name>()->id == name; };
  const auto* a = s.as<ast::AugAssign>();
  const auto* plain = s.as<ast::Assign>();
  const auto* sum = plain && plain->targets.size() == 1 && isName(plain->targets[0])
                        ? plain->value.as<ast::Binary>()
                        : nullptr;
  if (!(a && isName(a->target)) && !(sum && isName(sum->lhs))) return std::nullopt;
  const ast::BinaryOp op = a ? a->op : sum->op;
  const auto* by = (a ? a->value : sum->rhs).as<ast::IntLit>();
  if (!by || by->tooLarge || by->value == 0 || by->value > INT32_MAX ||
      (op != ast::BinaryOp::Add && op != ast::BinaryOp::Sub))
    return std::nullopt;
  const auto step = static_cast<int64_t>(by->value);
  return op == ast::BinaryOp::Add ? step : -step;
}

std::optional<Count> countOf(const ast::While& s) {
  using enum ast::CompareOp;
  const auto* opposite = s.cond.as<ast::Unary>();
  const bool isNot = opposite && opposite->op == ast::UnaryOp::Not;
  const auto* cond = (isNot ? opposite->arg : s.cond).as<ast::Compare>();
  if (!cond || cond->ops.size() != 1 || s.unless || !s.otherwise.empty()) return std::nullopt;
  const auto attempt = [&](const ast::Expr& of, const ast::Expr& end,
                           ast::CompareOp op) -> std::optional<Count> {
    const ast::Name* square = squaredName(of);
    const auto* name = square ? square : of.as<ast::Name>();
    const auto last = name ? stepIn(s.body.back(), name->id) : std::nullopt;
    const auto first = name && !last ? stepIn(s.body.front(), name->id) : std::nullopt;
    const int64_t step = last ? *last : first.value_or(0);
    const bool goesDown = step < 0 && (op == Gt || op == Ge) && !square;
    if (!(step > 0 && (op == Lt || op == Le)) && !goesDown) return std::nullopt;
    ast::Body rest = s.body;
    rest.erase(last ? rest.end() - 1 : rest.begin());
    return Count{*name, end, op, step, !last, square != nullptr, std::move(rest)};
  };
  const auto without = [](ast::CompareOp o) {
    return o == Ge ? Lt : o == Gt ? Le : o == Le ? Gt : o == Lt ? Ge : o;
  };
  const ast::CompareOp op = isNot ? without(cond->ops[0]) : cond->ops[0]; // of integers
  const ast::CompareOp turned = op == Lt ? Gt : op == Gt ? Lt : op == Le ? Ge : op == Ge ? Le : op;
  if (std::optional<Count> count = attempt(cond->operands[0], cond->operands[1], op)) return count;
  return attempt(cond->operands[1], cond->operands[0], turned);
}

/// Is the number the same whenever it is asked for while only the names in `assigned` change?
bool isFixed(const ast::Expr& e, const Env& env, const std::set<std::string>& assigned) {
  const auto valueOf = [&](const ast::Expr& name) -> const Value* {
    const auto* n = name.as<ast::Name>();
    const auto it = n && !assigned.count(n->id) ? env.find(n->id) : env.end();
    return it == env.end() ? nullptr : &it->second;
  };
  const auto isArray = [&](const ast::Expr& name) { return valueOf(name) && valueOf(name)->as<Array>(); };
  if (e.is<ast::IntLit>()) return true;
  if (e.is<ast::Name>()) return valueOf(e) && valueOf(e)->as<Scalar>();
  if (const auto* b = e.as<ast::Binary>())
    return isFixed(b->lhs, env, assigned) && isFixed(b->rhs, env, assigned);
  if (const auto* u = e.as<ast::Unary>()) return isFixed(u->arg, env, assigned);
  if (const auto* c = e.as<ast::Call>()) {
    const auto* callee = c->callee.as<ast::Name>();
    return callee && callee->id == "len" && c->args.size() == 1 && c->keywords.empty() && isArray(c->args[0]);
  }
  const auto* part = e.as<ast::Subscript>();
  const auto* a = (part ? part->base : e).as<ast::Attribute>();
  if (!a || !isArray(a->base)) return false;
  return part ? a->name == "shape" && part->index.size() == 1 && part->index[0].is<ast::IntLit>()
              : a->name == "size";
}

} // namespace

/// `while i < n: ..; i += 1` as the loop over a range that it is, where nothing else changes i or n.
bool Lowering::lowerCounted(const ast::While& s, Span span) {
  // Kernels of the user's and the library's functions are as they are written.
  const std::optional<Count> count = kernel_ || frame().isLibrary ? std::nullopt : countOf(s);
  if (!count) return false;
  const std::string& name = count->name.id;
  const std::set<std::string> assigned = assignedNames(count->body);
  const auto named = env().find(name);
  const auto* number =
      named == env().end() || env().boundIf.count(name) ? nullptr : named->second.as<Scalar>();
  NameFacts& facts = frame().names[name];
  const bool isReadInside = std::any_of(facts.reads.begin(), facts.reads.end(),
                                        [](const NameFacts::Read& r) { return r.at == UINT32_MAX; });
  if (!number || !number->weak || !ir::isInteger(number->type()) || isReadInside || assigned.count(name) ||
      !isFixed(count->end, env(), assigned))
    return false;
  const Value end = eval(count->end);
  const auto* last = end.as<Scalar>();
  if (!last || last->isExtended || !ir::isSigned(last->type())) return false;
  const Expr step = ir::intConst(count->step),
             first = stable(number->constant ? number->constant : number->e);
  if (count->isSquare && !isNonNegative(first)) return false;
  const bool isIncluded =
      count->isSquare || count->op == ast::CompareOp::Le || count->op == ast::CompareOp::Ge;
  const Expr given = stable(ir::cast(DType::I64, last->e));
  const Expr most = count->op == ast::CompareOp::Lt ? ir::sub(given, ir::intConst(1)) : given;
  const Expr limit =
      count->isSquare ? materialize(wholeRoot(materialize(nearRoot(most), "root"), most), "root") : given;
  const Expr behind = isIncluded ? ir::add(limit, ir::intConst(count->step > 0 ? 1 : -1)) : limit;
  const Expr shift = count->isFirst ? step : ir::intConst(0);
  const RangeValue range{ir::add(first, shift), ir::add(behind, shift), step};
  const std::string kept = fmt::format("range at {}", span.begin); // no name of Python's
  const Value before = named->second;
  const Expr after = ir::add(first, ir::mul(step, lengthOf({first, behind, step})));
  if (!count->body.empty()) {
    const auto read = std::exchange(
        facts.reads, {}); // the last number of the range is not the name's value behind the loop
    env()[kept] = Value{range};
    env().erase(name);
    const Span where = s.cond->span;
    writtenOut_.push_back({ast::makeStmt(
        span,
        ast::For{ast::make(where, ast::Name{name}), ast::make(where, ast::Name{kept}), count->body, {}})});
    lowerStatements(writtenOut_.back(), 0);
    env().erase(kept);
    facts.reads = read;
    env()[name] = before;
  }
  assignName(name, Value{Scalar{after, true}}, s.cond->span);
  return true;
}

void Lowering::lowerWhile(const ast::While& s, Span span) {
  if (lowerCounted(s, span)) return;
  if (StepNames names(s.body, loops_.size() > frame().loops);
      names.find(env(), s.body, {}, listStates_, frame().names, span.end)) {
    env()[names.rest] = Value{NoneValue{}};
    writtenOut_.push_back(firstByItself(s, span, names));
    lowerStatements(writtenOut_.back(), 0);
    env().erase(names.rest);
    return;
  }
  const Env before = env();
  // A condition that needs statements of its own (memory, reductions) is computed before the loop and at each
  // iteration's end.
  Symbol condition("go_on");
  bool viaVariable = false;
  Expr cond, first; // of each iteration; of the first one
  auto compute = [&]() -> Expr {
    std::optional<Scalar> c = conditionOf(s.cond);
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
  std::vector<ir::Stmt> body = loopBody(&s, s.body, {assignedNames(s.body), {}}, asked, prologue, epilogue);
  loops_.pop_back();
  statement_ = span;
  if (!cond) { // what the body would bind is quiet afterwards
    for (const std::string& name : assignedNames(s.body))
      env().boundIf.erase(name), forget(ast::make(span, ast::Name{name}));
    return;
  }
  leaveScope(body, s.body, &stand);
  for (ir::Stmt& h : head) emit(std::move(h));
  const Expr runs = viaVariable ? ir::var(condition, DType::Bool) : first;
  auto ran = [&] { return runs.is<ir::Const>() ? runs : materialize(runs, "ran"); };
  boundIfRan(before, ran, body, {});
  emit(ir::makeStmt(span, ir::While{viaVariable ? runs : cond, ir::block(std::move(body))}));
  settleSizes();
}

} // namespace appyc::sema
