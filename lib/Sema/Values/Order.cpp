//===- Order.cpp - Python's order of evaluation -----------------------------------------------------===//
// Values are lazy: `a[0]` is an expression that reads the array where it is stored or used. What Python has
// already evaluated while it evaluates the rest of an expression therefore waits (`Waiting`). A statement that
// would change what a waiting value reads first makes that value a temporary, at the place where it was
// evaluated. Memory that is not copied in Python either, a view, stays a reference; its subscripts are fixed.
// The sides of `and`, `or`, chained comparisons and conditional expressions run only when they are chosen.
#include "ExprParts.h"
#include "Lowering.h"

namespace appyc::sema {

namespace {

/// What a statement changes.
struct Changes {
  std::set<Symbol> buffers, vars;
  bool empty() const { return buffers.empty() && vars.empty(); }
  bool touch(const Expr& e) const {
    return ir::intersect(ir::loadedBuffers(e), buffers) || ir::intersect(ir::freeVars(e), vars);
  }
  /// Nothing that existed when `newest` was the last symbol.
  bool onlyAfter(const Symbol& newest) const {
    auto later = [&](const std::set<Symbol>& all) { return all.empty() || newest < *all.begin(); };
    return later(buffers) && later(vars);
  }
};

/// Holds for an expression that a change at hand would change.
using Touched = std::function<bool(const Expr&)>;

Indices anyIndices(size_t rank) {
  Indices probe;
  for (size_t d = 0; d < rank; ++d) probe.push_back(ir::var(Symbol("i")));
  return probe;
}

bool isReference(const Array& a) { return a.view && !a.view->fancy; }

/// What the array's size and subscripts, or else its elements, are computed from.
std::vector<Expr> partsOf(const Array& a, bool elements) {
  std::vector<Expr> parts = a.shape;
  const Indices probe = anyIndices(a.shape.size());
  if (elements)
    parts.push_back(a.at(probe));
  else
    for (const Expr& e : a.view->index(probe)) parts.push_back(e);
  return parts;
}

bool touches(const Touched& open, const std::vector<Expr>& parts) {
  return std::any_of(parts.begin(), parts.end(), open);
}

/// Would a later reading of the value see what `open` holds for?
bool touches(const Touched& open, const Value& v, bool isPlace) {
  if (const auto* s = v.as<Scalar>()) return open(s->e);
  if (const auto* a = v.as<Array>())
    return !a->uninitialised && touches(open, partsOf(*a, !isReference(*a) && !isPlace));
  if (const auto* s = v.as<Selection>())
    return touches(open, partsOf(s->values, true)) || touches(open, partsOf(s->mask, true));
  if (const auto* m = v.as<Method>()) return touches(open, *m->self, false);
  if (const auto* r = v.as<RangeValue>()) return touches(open, {r->lo, r->hi, r->step});
  return std::ranges::any_of(heldParts(v), [&](const Value& part) { return touches(open, part, false); });
}

/// Expressions and the variables that hold what they were.
using Fixed = std::vector<std::pair<Expr, Expr>>;

/// Outermost first: what is fixed as a whole stands for its parts, too.
Expr replaced(const Expr& e, const Fixed& fixed) {
  for (const auto& [open, variable] : fixed)
    if (ir::equal(open, e)) return variable;
  return ir::mapChildren(e, [&](const Expr& child) { return replaced(child, fixed); });
}

/// The view with what its size and subscripts are computed from replaced: not what it is indexed by.
Array withSubscripts(const Array& a, const Fixed& fixed) {
  auto view = std::make_shared<View>(*a.view);
  view->index = [inner = a.view->index, fixed](const Indices& given) {
    const Indices probe = anyIndices(given.size());
    std::map<Symbol, Expr> arguments;
    for (size_t d = 0; d < given.size(); ++d) arguments.emplace(probe[d].as<ir::Var>()->name, given[d]);
    Indices out;
    for (const Expr& e : inner(probe)) out.push_back(ir::substitute(replaced(e, fixed), arguments));
    return out;
  };
  Array out = a;
  for (Expr& extent : out.shape) extent = replaced(extent, fixed);
  out.at = [view](const Indices& i) { return ir::load(view->buffer, view->index(i)); };
  out.view = view;
  return out;
}

} // namespace

/// The view with subscripts as they are now: what they read of that for which `isOpen` holds moves to variables.
Array Lowering::withFixedSubscripts(const Array& a, const std::function<bool(const Expr&)>& isOpen) {
  const Indices probe = anyIndices(a.shape.size());
  std::vector<Expr> parts = a.shape, index = a.view->index(probe);
  parts.insert(parts.end(), index.begin(), index.end());
  Fixed fixed;
  for (const Expr& part : parts)
    ir::visit(part, [&](const Expr& e) {
      auto mentioned = [&](const Expr& i) { return ir::mentions(e, i.as<ir::Var>()->name); };
      if (!isOpen(e)) return false;
      // What surrounds a reading may be arranged anew with each index.
      if ((!e.is<ir::Load>() && !e.is<ir::Var>()) || std::any_of(probe.begin(), probe.end(), mentioned))
        return true;
      bool known =
          std::any_of(fixed.begin(), fixed.end(), [&](const auto& f) { return ir::equal(f.first, e); });
      if (!known) fixed.emplace_back(e, isStable(e) ? materialize(e, "n") : stable(e));
      return false;
    });
  return fixed.empty() ? a : withSubscripts(a, fixed);
}

/// The value as it is now, if what `isOpen` holds for is about to change.
Value Lowering::fixed(const Value& v, bool isPlace, const std::function<bool(const Expr&)>& isOpen) {
  if (!touches(isOpen, v, isPlace)) return v;
  if (const auto* s = v.as<Scalar>()) return Value{keptIn(*s, materialize(s->e, "before"))};
  if (const auto* a = v.as<Array>()) {
    if (isReference(*a)) return Value{withFixedSubscripts(*a, isOpen)};
    if (isPlace)
      return error(DiagId::Unsupported, statement_,
                   "the right side changes the indices of its own target; compute it in a statement before");
    Array copy = *a;
    copy.view = nullptr;
    return Value{materialize(copy, "before")};
  }
  if (const auto* s = v.as<Selection>()) {
    if (s->isKept) return v;
    Selection copy = *s;
    copy.mask.view = nullptr;
    return keepSelection(copy, "before");
  }
  if (const auto* m = v.as<Method>())
    return Value{Method{std::make_shared<Value>(fixed(*m->self, false, isOpen)), m->name}};
  if (const auto* r = v.as<RangeValue>()) {
    auto bound = [&](const Expr& e) { return isOpen(e) ? materialize(e, "before") : e; };
    const Expr lo = bound(r->lo), hi = bound(r->hi);
    return Value{RangeValue{lo, hi, bound(r->step)}};
  }
  std::vector<Value> parts = heldParts(v);
  for (Value& part : parts) part = fixed(part, false, isOpen);
  return builtLike(v, std::move(parts));
}

/// Before `s` is emitted: waiting values that it changes become temporaries where they were evaluated.
void Lowering::fixWaiting(const ir::Stmt& s) {
  const Changes changes{ir::storedBuffers(s), ir::assignedVars(s)};
  if (changes.empty()) return;
  auto isOpen = [&](const Expr& e) { return changes.touch(e); };
  for (size_t k = 0; k < waiting_.size(); ++k) {
    const Waiting::Part part = waiting_[k];
    if (changes.onlyAfter(part.newest) || !touches(isOpen, part.value, part.isPlace)) continue;
    std::vector<std::vector<ir::Stmt>> inside;
    for (; lists_.size() > part.list; lists_.pop_back()) inside.push_back(std::move(lists_.back()));
    const Span saved = std::exchange(statement_, part.statement);
    Value now = fixed(part.value, part.isPlace, isOpen);
    statement_ = saved;
    waiting_[k].value = std::move(now);
    for (; !inside.empty(); inside.pop_back()) lists_.push_back(std::move(inside.back()));
  }
}

Waiting::Waiting(Lowering& lowering) : lowering_(lowering), first_(lowering.waiting_.size()) {}
Waiting::~Waiting() { lowering_.waiting_.resize(first_); }

size_t Waiting::add(Value v, bool isPlace) {
  lowering_.waiting_.push_back(
      {std::move(v), lowering_.lists_.size(), lowering_.statement_, Symbol("now"), isPlace});
  return size() - 1;
}
size_t Waiting::size() const { return lowering_.waiting_.size() - first_; }
const Value& Waiting::operator[](size_t k) const { return lowering_.waiting_[first_ + k].value; }

Value Waiting::take(size_t k) { return std::exchange(lowering_.waiting_[first_ + k].value, Value{}); }

std::vector<Value> Waiting::values(size_t from, size_t to) const {
  std::vector<Value> found;
  for (size_t k = from; k < to; ++k) found.push_back((*this)[k]);
  return found;
}

/// One of two values, each computed only if it is the one. `plain` gives it as an expression, if it has a form in which
/// nothing is computed in vain.
Value Lowering::chosen(const Expr& cond, const std::function<Value()>& then,
                       const std::function<Value()>& otherwise, Span where,
                       const std::function<std::optional<Value>(const Scalar&, const Scalar&)>& plain) {
  if (std::optional<int64_t> known = constantArgument(Value{Scalar{cond}}))
    return *known ? then() : otherwise();
  Value a, b;
  const auto boundIf = env().boundIf; // what one side has tested holds there only
  ++unsure_;
  const Env before = fieldsIn(env());
  std::vector<ir::Stmt> thenList = collect([&] { under(cond, [&] { a = then(); }); });
  --unsure_;
  env().boundIf = boundIf;
  ++unsure_;
  std::vector<ir::Stmt> elseList =
      collect([&] { under(ir::unary(ir::UnaryOp::LogicalNot, cond), [&] { b = otherwise(); }); });
  --unsure_;
  env().boundIf = boundIf;
  // A side that asks for an item of a list of which nothing is known yet: what the other gives may be put in.
  if (asksForUnknown_ && a.isError() != b.isError() && (a.as<Scalar>() || b.as<Scalar>()))
    return a.isError() ? b : a;
  if (a.isError() || b.isError() || isFieldChanged(before, where)) return Value{};
  const auto *x = a.as<Scalar>(), *y = b.as<Scalar>();
  if (x && y && thenList.empty() && elseList.empty())
    if (std::optional<Value> value = plain(*x, *y)) return *value;
  const Expr once = mentionsReduce(cond) ? materialize(cond, "condition") : cond;
  const bool outer = std::exchange(chooses_, true);
  Value joined = joinReturned({a, where}, {b, where}, {once, thenList, elseList}, where);
  chooses_ = outer;
  emit(ir::If{once, ir::block(std::move(thenList)), ir::block(std::move(elseList))});
  return joined;
}

Value Lowering::evalConditional(const ast::Conditional& c, Span where) {
  Expr cond = evalCondition(c.cond);
  if (!cond) return Value{};
  auto select = [&](const Scalar& x, const Scalar& y) -> std::optional<Value> {
    if (mentionsReduce(x.e) || mentionsReduce(y.e)) return {};
    std::optional<Scalar> s = joinNumbers(x, y, where);
    if (!s) return Value{};
    return Value{keptIn(*s, ir::select(cond, ir::cast(s->type(), x.e), ir::cast(s->type(), y.e)))};
  };
  return chosen(
      cond, [&] { return evalMaybe(c.then); }, [&] { return evalMaybe(c.otherwise); }, where, select);
}

/// `and` and `or` give one of their operands; the right one is evaluated only if it is the result.
Value Lowering::evalBool(const ast::BoolExpr& b, Span where) {
  const bool isAnd = b.op == ast::BoolOp::And;
  const bool capture = std::exchange(capture_, false); // numbers are no views
  auto side = [&](const ast::Expr& e) {
    Value v = evalMaybe(e);
    if (const auto* a = v.as<Array>(); a && a->shape.empty()) return Value{Scalar{a->at({})}};
    if (v.isError() || v.as<Scalar>() || v.as<OptionalValue>() || v.as<NoneValue>() || isAnyList(v) ||
        v.as<StringValue>() || isStoredText(v))
      return v;
    return error(DiagId::Unsupported, where,
                 "`and`/`or` take scalars; for arrays write `np.logical_and(a, b)` or `a & b`");
  };
  auto plain = [&](const Scalar& x, const Scalar& y) -> std::optional<Value> {
    const Scalar &l = isAnd ? y : x, &r = isAnd ? x : y;
    if (mentionsReduce(r.e)) return {};
    if (ir::isBool(l.type()) && ir::isBool(r.type())) {
      auto op = isAnd ? ir::BinaryOp::LogicalAnd : ir::BinaryOp::LogicalOr;
      return Value{keptIn(*joinStates(l, r), ir::binary(op, l.e, r.e))};
    }
    std::optional<Scalar> s = joinNumbers(x, y, where);
    if (!s) return Value{};
    return Value{keptIn(*s, ir::select(truth(l.e), ir::cast(s->type(), x.e), ir::cast(s->type(), y.e)))};
  };
  const Value lhs = side(b.lhs);
  Value result;
  const auto* maybe = lhs.as<OptionalValue>();
  const Value& there = maybe ? *maybe->value : lhs;
  const bool isText = there.as<StringValue>() || isStoredText(there);
  std::optional<Scalar> asked = isText ? std::nullopt : presence(lhs, where);
  if (const auto* l = lhs.as<Scalar>()) asked = *l;
  if (isAnyList(lhs)) {
    const Value length = callNamed("len", {{lhs}, {}, where});
    if (const auto* n = length.as<Scalar>()) asked = *n;
  }
  if (isText) {
    const Value differs = compare(ir::BinaryOp::Ne, there, Value{StringValue{""}}, where);
    const Expr isThere = maybe ? ir::unary(ir::UnaryOp::LogicalNot, maybe->isNone) : ir::boolConst(true);
    if (const auto* holds = differs.as<Scalar>())
      asked = Scalar{ir::binary(ir::BinaryOp::LogicalAnd, isThere, truth(holds->e)), true};
  }
  if (asked) {
    const auto* o = lhs.as<OptionalValue>();
    auto first = [&] { return o && !isAnd ? *o->value : lhs; }; // what `or` gives is there
    auto second = [&] { return side(b.rhs); };
    result = isAnd ? chosen(truth(asked->e), second, first, where, plain)
                   : chosen(truth(asked->e), first, second, where, plain);
  } else if (!lhs.isError()) {
    side(b.rhs);
  }
  capture_ = capture;
  return result;
}

/// `a && b`, without parentheses where b is a chain itself.
static Expr inChain(const Expr& a, const Expr& b) {
  const auto* chain = b.as<ir::Binary>();
  if (!chain || chain->op != ir::BinaryOp::LogicalAnd) return ir::binary(ir::BinaryOp::LogicalAnd, a, b);
  return ir::binary(ir::BinaryOp::LogicalAnd, inChain(a, chain->lhs), chain->rhs);
}

/// `a < b < c` is `a < b and b < c`, with b evaluated once.
Value Lowering::evalCompare(const ast::Compare& c, Span where) {
  const bool capture = std::exchange(capture_, false);
  Value result = compareFrom(c, 0, evalMaybe(c.operands[0]), where);
  capture_ = capture;
  return result;
}

Value Lowering::compareFrom(const ast::Compare& c, size_t k, const Value& first, Span where) {
  using ast::CompareOp;
  static constexpr ir::BinaryOp kOps[] = {ir::BinaryOp::Eq, ir::BinaryOp::Ne, ir::BinaryOp::Lt,
                                          ir::BinaryOp::Le, ir::BinaryOp::Gt, ir::BinaryOp::Ge};
  Waiting parts(*this);
  parts.add(first);
  const bool isLast = k + 1 == c.ops.size();
  Value rhs = evalMaybe(c.operands[k + 1]);
  if (const auto* s = rhs.as<Scalar>(); s && !isLast && mentionsReduce(s->e))
    rhs = Value{keptIn(*s, materialize(s->e, "s"))};
  auto compared = [&]() -> Value {
    const CompareOp op = c.ops[k];
    const bool isIdentity = op == CompareOp::Is || op == CompareOp::IsNot;
    if (op == CompareOp::Eq || op == CompareOp::Ne)
      if (const std::optional<Value> v = equalUnlessNone(op == CompareOp::Eq, parts[0], rhs, where))
        return *v;
    const Value lhs = isIdentity ? parts[0] : present(parts[0], where);
    if (!isIdentity) rhs = present(rhs, where);
    if (op < CompareOp::Is) return compare(kOps[static_cast<int>(op)], lhs, rhs, where);
    const Value v = isIdentity ? compareIdentity(lhs, rhs, where) : compareMember(lhs, rhs, where);
    return op == CompareOp::IsNot || op == CompareOp::NotIn ? unary(ast::UnaryOp::Not, v, where) : v;
  };
  const Value one = compared();
  if (isLast || one.isError()) return one;
  const auto* holds = one.as<Scalar>();
  if (!holds)
    return error(DiagId::Unsupported, where,
                 "NumPy cannot chain comparisons of arrays; write `(a < b) & (b < c)`");
  auto plain = [&](const Scalar& rest, const Scalar&) -> std::optional<Value> {
    if (mentionsReduce(rest.e)) return {};
    return Value{keptIn(*joinStates(*holds, rest), inChain(holds->e, rest.e))};
  };
  auto rest = [&]() -> Value {
    Value v = compareFrom(c, k + 1, rhs, where);
    if (v.as<Scalar>() || v.isError()) return v;
    return error(DiagId::Unsupported, where,
                 "NumPy cannot chain comparisons of arrays; write `(a < b) & (b < c)`");
  };
  return chosen(
      holds->e, rest, [&] { return one; }, where, plain);
}

//===--- subscripts -----------------------------------------------------------------------------------------===//

static bool isMadeOfSlices(const Value& v) {
  const auto* t = v.as<TupleValue>();
  return v.as<SliceValue>() || (t && std::ranges::any_of(t->items, isMadeOfSlices));
}

/// Of functions that have a name: does a call only compute?
static bool changesNothing(std::string_view path) {
  const bool isNumPys = path.starts_with("numpy.") && !path.starts_with("numpy.random.");
  return isNumPys || path.starts_with("math.") ||
         (path.find('.') == std::string_view::npos && path != "next");
}

using Asked = std::function<bool(const ast::Expr&)>;

/// May evaluating it change what is evaluated after it?
static bool mayChange(const ast::Expr& e, const Asked& isPlain) {
  if (!e) return false;
  if (e.is<ast::Walrus>()) return true;
  if (const auto* s = e.as<ast::Slice>())
    return mayChange(s->lower, isPlain) || mayChange(s->upper, isPlain) || mayChange(s->step, isPlain);
  const auto* c = e.as<ast::Call>();
  const auto* of = c ? c->callee.as<ast::Attribute>() : nullptr;
  if (c && !c->callee.is<ast::Name>() && !(of && of->base.is<ast::Name>())) {
    const auto* deeper = of ? of->base.as<ast::Attribute>() : nullptr; // np.linalg.norm
    if (!deeper || !deeper->base.is<ast::Name>()) return true;
  }
  if (c && !isPlain(c->callee)) return true;
  return std::ranges::any_of(partsOf(e), [&](const ast::Expr& part) { return mayChange(part, isPlain); });
}

/// The subscript with names for what of it changes something when it is evaluated.
static ast::Expr withNamed(const ast::Expr& e, const Asked& isPlain,
                           const std::function<ast::Expr(const ast::Expr&)>& named) {
  const auto* s = e.as<ast::Subscript>();
  if (!s || !mayChange(e, isPlain)) return e;
  const auto part = [&](const ast::Expr& p) { return p && mayChange(p, isPlain) ? named(p) : p; };
  ast::Subscript plain{s->base.is<ast::Subscript>() ? withNamed(s->base, isPlain, named) : part(s->base), {}};
  for (const ast::Expr& i : s->index) {
    const auto* slice = i.as<ast::Slice>();
    plain.index.push_back(
        !slice ? part(i)
               : ast::make(i->span, ast::Slice{part(slice->lower), part(slice->upper), part(slice->step)}));
  }
  return ast::make(e->span, std::move(plain));
}

/// `a[rows]` as `a[lower:upper:step]`.
/// What changes something, as `a[next(k)]`, is evaluated here: a target's parts are asked for more than once.
ast::Expr Lowering::withSlices(const ast::Expr& given) {
  const auto isPlain = [&](const ast::Expr& callee) {
    const size_t mark = diag_.mark();
    const Value v = evalMaybe(callee);
    diag_.rollback(mark);
    const auto* c = v.as<Callable>();
    const auto* m = v.as<Method>();
    return v.as<TypeValue>() || (c && changesNothing(c->path)) || (m && m->self->as<Array>());
  };
  const ast::Expr target = withNamed(given, isPlain, [&](const ast::Expr& e) {
    const std::string name = fmt::format("part at {}", e->span.begin); // no name of Python's
    const Value v = evalMaybe(e);
    env()[name] = v.as<Scalar>() ? evaluatedOnce(v, "at") : v;
    return ast::make(e->span, ast::Name{name});
  });
  const auto* s = target.as<ast::Subscript>();
  // May the index be a slice that has been made before, or is made here by name?
  const auto holdsSlices = [&](const ast::Expr& e) -> bool {
    if (const auto* n = e.as<ast::Name>()) {
      const auto known = env().find(n->id);
      return known != env().end() && isMadeOfSlices(known->second);
    }
    if (const auto* made = e.as<ast::Subscript>()) {
      const auto* maker = made->base.as<ast::Attribute>();
      if (!maker || !maker->base.is<ast::Name>()) return false;
      return (maker->name == "s_" || maker->name == "index_exp") && eval(made->base).as<Callable>();
    }
    const auto* call = e.as<ast::Call>();
    const auto* callee = call ? call->callee.as<ast::Name>() : nullptr;
    return callee && callee->id == "slice" && eval(call->callee).as<Callable>();
  };
  if (!s || std::ranges::none_of(s->index, holdsSlices)) return target;
  ast::Subscript plain{s->base, {}};
  size_t count = 0;
  const auto named = [&](const Value& v, Span where) -> ast::Expr {
    if (v.as<NoneValue>()) return {};
    const std::string name = fmt::format("bound {} at {}", count++, where.begin); // no name of Python's
    env()[name] = v;
    return ast::make(where, ast::Name{name});
  };
  for (const ast::Expr& e : s->index) {
    const Span where = e->span;
    const Value v = holdsSlices(e) ? eval(e) : Value{};
    const auto* several = s->index.size() == 1 ? v.as<TupleValue>() : nullptr;
    if (!several && !v.as<SliceValue>()) {
      plain.index.push_back(e);
      continue;
    }
    for (const Value& part : several ? several->items : std::vector<Value>{v}) {
      const auto* slice = part.as<SliceValue>();
      if (slice && slice->isEllipsis)
        plain.index.push_back(ast::make(where, ast::EllipsisLit{}));
      else if (slice)
        plain.index.push_back(
            ast::make(where, ast::Slice{named(slice->bounds[0], where), named(slice->bounds[1], where),
                                        named(slice->bounds[2], where)}));
      else if (part.as<NoneValue>())
        plain.index.push_back(ast::make(where, ast::NoneLit{}));
      else
        plain.index.push_back(named(part, where));
    }
  }
  return ast::make(target->span, std::move(plain));
}

} // namespace appyc::sema
