//===- Statements.cpp - ir statements as C++: what all targets share -----------------------------------===//
#include "Statements.h"
#include "Refusals.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/Cxx/Print.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Support/InternalError.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::target {

using namespace ir;

std::string_view operatorName(ReduceOp op) {
  static constexpr std::string_view names[] = {"Sum", "Prod", "Min", "Max", "And", "Or", "Xor"};
  return names[static_cast<size_t>(op)];
}

void useOperator(Support& support, ReduceOp op, DType type) {
  support.use(operatorName(op));
  if (!isComplex(type)) return;
  switch (op) {
  case ReduceOp::Sum: return support.use("complex_add");
  case ReduceOp::Prod: return support.use("complex_mul");
  case ReduceOp::Min:
  case ReduceOp::Max: support.use("complex_compare"); return support.use("complex_equal");
  default: internalError("a logical reduction of complex numbers");
  }
}

namespace {

/// The operator of `x op= e` for types on which C++'s operator is NumPy's.
std::string_view compoundOperator(const Binary& b) {
  const bool plain = isFloat(b.type) || b.type == DType::U32 || b.type == DType::U64;
  if (!plain) return {};
  switch (b.op) {
  case BinaryOp::Add: return "+=";
  case BinaryOp::Sub: return "-=";
  case BinaryOp::Mul: return "*=";
  case BinaryOp::Div: return isFloat(b.type) ? "/=" : "";
  default: return {};
  }
}

bool isElement(const Expr& e, const Store& s) {
  const auto* l = e.as<Load>();
  return l && l->buffer == s.buffer &&
         std::equal(l->index.begin(), l->index.end(), s.index.begin(), s.index.end(), equal);
}

cxx::Expr zeroOf(DType t) {
  if (isComplex(t)) return cxx::braces("", {cxx::number(0), cxx::number(0)});
  return cxx::name(isBool(t) ? "false" : "0");
}

} // namespace

//===--- sequences and declarations ---------------------------------------------------------------------===//

cxx::Type Statements::declaredType(const Symbol& s, bool isConst) {
  const std::string type = c_.isIndexTyped(s) ? c_.variableType(s) : typeName(c_, c_.facts.variable(s).type);
  return isConst ? cxx::constType(type) : cxx::type(type);
}

void Statements::declareBefore(const Symbol& s, Out& out) {
  const std::string name = c_.name(s);
  out.push_back(cxx::declare(declaredType(s, false), name, zeroOf(c_.facts.variable(s).type)));
}

/// Whether the one statement reads as the source line does.
static bool saysTheSame(const Statements::Out& statements, const std::string& line) {
  if (statements.size() != 1) return false;
  const std::string text = cxx::print(statements.front()), end = line + ";\n";
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

Statements::Out Statements::sequence(const Stmt& region, const Symbols& pending, const Symbols& liveOut) {
  if (!knowsDead_) { // asked first for the whole region
    knowsDead_ = true;
    dead_ = deadVariables(c_.function, region);
  }
  Symbols declared;
  std::set_difference(pending.begin(), pending.end(), dead_.begin(), dead_.end(),
                      std::inserter(declared, declared.end()));
  std::vector<Stmt> statements = allStatementsOf(region);
  const Placement placement = place(c_.function, statements, declared, liveOut);
  Out out;
  for (size_t i = 0; i < statements.size(); ++i) {
    if (isForwarded(i, placement.items[i], liveOut, statements)) continue;
    // Before the statements inside quote their lines and give their names.
    const std::string line = statements[i].is<Return>() ? "" : c_.quote(statements[i]->span);
    for (const Symbol& s : placement.items[i].before) c_.name(s);
    Out own;
    statement(statements[i], placement.items[i], own);
    if (!line.empty() && own.empty())
      c_.unquote(statements[i]->span);
    else if (!line.empty() && !saysTheSame(own, line))
      out.push_back(cxx::from(c_.lineOf(statements[i]->span), cxx::comment(line)));
    for (const Symbol& s : placement.items[i].before) declareBefore(s, out);
    const auto* check = i > 0 && own.size() == 1 && !out.empty() ? statements[i].as<Require>() : nullptr;
    const auto* before = check ? statements[i - 1].as<Require>() : nullptr;
    if (before && saysBoth(*before, out.back(), *check, own.front())) out.pop_back();
    for (cxx::Stmt& s : own) out.push_back(cxx::from(c_.lineOf(statements[i]->span), std::move(s)));
  }
  atEnd(out);
  return out;
}

cxx::Stmt Statements::body(const Stmt& s, const Symbols& pending, const Symbols& liveOut) {
  const Context::NameScope names(c_);
  return cxx::block(sequence(s, pending, liveOut));
}

//===--- statements -------------------------------------------------------------------------------------===//

void Statements::statement(const Stmt& s, const Placement::Item& item, Out& out) {
  if (const auto* a = s.as<Assign>()) return assign(*a, item, out);
  if (const auto* st = s.as<Store>()) return store(*st, out);
  if (const auto* a = s.as<Atomic>()) return atomic(*a, item, out);
  if (s.is<For>()) return loop(s, item, out);
  if (const auto* i = s.as<If>()) {
    const cxx::Expr cond = expressions_.value(i->cond);
    cxx::Stmt then = body(i->then, item.inside, item.liveOut);
    cxx::Stmt otherwise = i->otherwise ? body(i->otherwise, item.inside, item.liveOut) : cxx::Stmt();
    if (const auto* b = otherwise ? otherwise.as<cxx::Block>() : nullptr; b && b->body.empty())
      otherwise = {};
    return out.push_back(cxx::ifThen(cond, std::move(then), std::move(otherwise)));
  }
  if (s.is<While>()) return whileLoop(s, item, out);
  special(s, item, out);
}

void Statements::whileLoop(const Stmt& s, const Placement::Item& item, Out& out) {
  const auto& loop = *s.as<While>();
  const cxx::Expr cond = expressions_.value(loop.cond);
  out.push_back(
      cxx::stmt(cxx::While{cond, body(loop.body, item.inside, liveAfterBody(c_.function, s, item.liveOut))}));
}

void Statements::assign(const Assign& a, const Placement::Item& item, Out& out) {
  if (dead_.count(a.var) || item.isUnread) return;
  const std::optional<cxx::Expr> asRounded = rounded(a.var, a.value);
  if (item.declares) {
    const std::optional<cxx::Expr> position = expressions_.threadPosition(a.value);
    cxx::Expr init = asRounded ? *asRounded : position ? *position : expressions_.value(a.value);
    return out.push_back(cxx::declare(declaredType(a.var, item.isConst), c_.name(a.var), std::move(init)));
  }
  const cxx::Expr target = cxx::name(c_.name(a.var));
  if (asRounded) return out.push_back(cxx::assign(target, *asRounded));
  if (const auto* b = a.value.as<Binary>()) {
    const auto* lhs = b->lhs.as<Var>();
    if (const auto op = compoundOperator(*b); lhs && lhs->name == a.var && !op.empty())
      return out.push_back(cxx::assign(target, expressions_.value(b->rhs), op));
  }
  out.push_back(cxx::assign(target, expressions_.value(a.value)));
}

void Statements::store(const Store& s, Out& out) {
  cxx::Expr target = expressions_.element(s.buffer, s.index);
  if (s.atomicOp && updatesCompete()) return out.push_back(atomicUpdate(s, std::move(target)));
  Expr value = s.value;
  if (s.atomicOp)
    value = combine(*s.atomicOp, load(c_.buffer(s.buffer), s.index), cast(c_.buffer(s.buffer).type, s.value));
  if (const auto asRounded = rounded(s.buffer, value)) return out.push_back(cxx::assign(target, *asRounded));
  if (const auto* b = value.as<Binary>(); b && isElement(b->lhs, s))
    if (const auto op = compoundOperator(*b); !op.empty())
      return out.push_back(cxx::assign(target, expressions_.value(b->rhs), op));
  out.push_back(cxx::assign(target, expressions_.value(value)));
}

cxx::Stmt Statements::failure(std::string_view status, std::string_view message) {
  c_.support.use("fail");
  return cxx::giveBack(cxx::call("fail", {cxx::name(status), cxx::text(message)}));
}

void Statements::swap(const Swap& s, Out& out) {
  out.push_back(cxx::evaluate(cxx::call("std::swap", {cxx::name(c_.name(s.a)), cxx::name(c_.name(s.b))})));
}

bool swapsBuffers(const Function& f) { return has<Swap>(f.body); }

void Statements::require(const Require& r, Span where, Out& out) {
  const Status number = statusNamed(r.exception);
  const std::string_view status = nameOf(number);
  if (number > Status::NotImplementedError) c_.support.use(status); // those before it are one section
  const cxx::Expr fails = expressions_.value(ir::unary(UnaryOp::LogicalNot, r.cond));
  const std::string message = c_.placeText(where) + r.message;
  std::vector<cxx::Expr> values, args{cxx::name(std::string(status)), cxx::text(message)};
  for (const Expr& value : r.values) values.push_back(expressions_.value(value));
  if (const auto refusal = refusalOfShapes(c_.support, status, message, values))
    return out.push_back(cxx::ifThen(fails, cxx::giveBack(*refusal)));
  if (r.values.empty()) return out.push_back(cxx::ifThen(fails, failure(status, message)));
  args.insert(args.end(), values.begin(), values.end());
  c_.support.use("fail_with");
  out.push_back(cxx::ifThen(fails, cxx::giveBack(cxx::call("fail_with", std::move(args)))));
}

void Statements::print(const Print& p, Out& out) {
  const auto& all = c_.support.printed;
  const auto place = std::ranges::find_if(all, [&](const Print& other) { return isSamePrint(p, other); });
  std::vector<cxx::Expr> values;
  for (const Expr& e : p.values)
    values.push_back(expressions_.value(
        isFloat(typeOf(e)) ? ir::call(Intrinsic::BitsOf, DType::I64, {ir::cast(DType::F64, e)})
                           : ir::cast(DType::I64, e)));
  c_.support.use("printed");
  out.push_back(cxx::returnOnFailure(
      cxx::call("printed", {cxx::number(place - all.begin()), cxx::braces("", std::move(values))})));
}

void Statements::printHere(const Print& p, Out& out) {
  std::string format = p.pieces.front();
  for (size_t k = 1; k < p.pieces.size(); ++k) format += "%lld" + p.pieces[k];
  std::vector<cxx::Expr> args{cxx::text(format)};
  for (const Expr& e : p.values) args.push_back(cxx::cast("long long", expressions_.value(e)));
  c_.support.use("print_here");
  out.push_back(cxx::evaluate(cxx::call("print_here", std::move(args))));
}

void Statements::give(const Symbol& var, cxx::Expr value, const Placement::Item& item, Out& out) {
  if (!var) return out.push_back(cxx::evaluate(std::move(value)));
  if (item.declares)
    return out.push_back(cxx::declare(declaredType(var, item.isConst), c_.name(var), std::move(value)));
  out.push_back(cxx::assign(cxx::name(c_.name(var)), std::move(value)));
}

namespace {
struct AtomicFunction {
  std::string_view ofCuda; ///< for the types that it has
  std::string_view general;
  std::string_view update; ///< its template argument
};
/// Of support code, or CUDA's.
AtomicFunction functionOf(AtomicOp op) {
  switch (op) {
  case AtomicOp::Add: return {"atomicAdd", "fetch_add", ""};
  case AtomicOp::Sub: return {"atomicSub", "fetch_sub", ""};
  case AtomicOp::Min: return {"atomicMin", "fetch_update", "Least"};
  case AtomicOp::Max: return {"atomicMax", "fetch_update", "Greatest"};
  case AtomicOp::NanMin: return {"atomicMin", "fetch_update", "LeastNumber"};
  case AtomicOp::NanMax: return {"atomicMax", "fetch_update", "GreatestNumber"};
  case AtomicOp::And: return {"atomicAnd", "fetch_and", ""};
  case AtomicOp::Or: return {"atomicOr", "fetch_or", ""};
  case AtomicOp::Xor: return {"atomicXor", "fetch_xor", ""};
  case AtomicOp::Inc: return {"", "fetch_update", "CountUp"};
  case AtomicOp::Dec: return {"", "fetch_update", "CountDown"};
  case AtomicOp::Exchange: return {"atomicExch", "fetch_exchange", ""};
  case AtomicOp::CompareExchange: return {"atomicCAS", "fetch_compare_exchange", ""};
  }
  internalError("unknown atomic operation");
}
} // namespace

void Statements::atomic(const Atomic& a, const Placement::Item& item, Out& out) {
  const AtomicFunction function = functionOf(a.op);
  const bool isPlain =
      a.type == DType::I32 || a.type == DType::U32 || (isFloat(a.type) && a.op == AtomicOp::Add);
  std::vector<cxx::Expr> args{cxx::addressOf(expressions_.element(a.buffer, a.index))};
  if (a.compare) args.push_back(expressions_.exact(a.compare));
  args.push_back(expressions_.exact(a.value));
  if (c_.cuda && isPlain && !function.ofCuda.empty())
    return give(a.old, cxx::call(function.ofCuda, std::move(args)), item, out);
  c_.support.use(function.general);
  if (function.update.empty()) return give(a.old, cxx::call(function.general, std::move(args)), item, out);
  c_.support.use(function.update);
  give(a.old, cxx::callTemplate(function.general, function.update, std::move(args)), item, out);
}

/// The support code's function for `*address = op(*address, value)`; `takesOperator`: as its template
/// argument.
static std::string_view atomicFunction(ReduceOp op, DType type, bool& takesOperator) {
  takesOperator = false;
  const bool native = byteSize(type) >= 4 && !isComplex(type);
  if (op == ReduceOp::Sum && (native || isComplex(type)))
    return isComplex(type) ? "complex_atomic_sum" : "atomic_sum";
  if (native && isInteger(type) && (op == ReduceOp::Min || op == ReduceOp::Max))
    return op == ReduceOp::Min ? "atomic_min" : "atomic_max";
  takesOperator = true;
  return type == DType::C128 ? "locked_update" : "atomic_update";
}

cxx::Stmt Statements::atomicUpdate(const Store& s, cxx::Expr target) {
  const DType type = c_.buffer(s.buffer).type;
  const cxx::Expr address = cxx::addressOf(std::move(target));
  bool takesOperator = false;
  const std::string_view function = atomicFunction(*s.atomicOp, type, takesOperator);
  c_.support.use(function);
  if (!takesOperator) return cxx::evaluate(cxx::call(function, {address, expressions_.value(s.value)}));
  useOperator(c_.support, *s.atomicOp, type);
  return cxx::evaluate(
      cxx::callTemplate(function, operatorName(*s.atomicOp), {address, expressions_.exact(s.value)}));
}

//===--- loops ------------------------------------------------------------------------------------------===//

/// Worth computing once rather than before every iteration.
static bool isCostly(const Expr& e) {
  return anyExpr(e, [](const Expr& part) {
    const auto* b = part.as<Binary>();
    const bool cheap = !b || b->op == BinaryOp::Add || b->op == BinaryOp::Sub || b->op == BinaryOp::Mul;
    return !cheap || part.is<Load>() || part.is<Select>() || part.is<Call>() || part.is<Apply>();
  });
}

cxx::Expr Statements::bound(const Expr& e, const For& loop, const char* suffix, Out& out) {
  const bool asIndex = c_.isIndexTyped(loop.index);
  const Symbols assigned = assignedVars(loop.body), free = freeVars(e);
  const bool changes = intersect(free, assigned);
  if (!changes && !isCostly(e)) return expressions_.bound(e, asIndex);
  const std::string name = c_.freshName(loop.index.hint() + suffix);
  out.push_back(
      cxx::declare(cxx::constType(c_.variableType(loop.index)), name, expressions_.bound(e, asIndex)));
  return cxx::name(name);
}

cxx::Expr Statements::firstIndex(const For& loop, const std::optional<Workers>& workers,
                                 const cxx::Expr& stepValue) {
  const std::string type = c_.variableType(loop.index);
  if (!workers) return expressions_.bound(loop.lo, c_.isIndexTyped(loop.index));
  if (isConst(loop.lo, 0) && isConst(loop.step, 1)) return workers->first;
  // In the index's type: a negative number plus an unsigned position would be neither.
  const bool isPlain = workers->first.is<cxx::Binary>() && constantInt(loop.lo).value_or(0) >= 0;
  cxx::Expr offset = isPlain ? workers->first : cxx::cast(type, workers->first);
  const auto constant = constantInt(loop.step);
  const bool down = constant && *constant < 0; // the position may be unsigned: no negative factor
  const int64_t stride = !constant ? 0 : down ? -*constant : *constant;
  if (stride != 1) offset = cxx::binary("*", std::move(offset), constant ? cxx::number(stride) : stepValue);
  if (isConst(loop.lo, 0) && !down) return offset;
  if (isPlain && !down && constantInt(loop.lo))
    return cxx::binary("+", std::move(offset), cxx::number(*constantInt(loop.lo)));
  return cxx::binary(down ? "-" : "+", expressions_.bound(loop.lo, c_.isIndexTyped(loop.index)),
                     std::move(offset));
}

cxx::Stmt Statements::step(const For& loop, const std::optional<Workers>& workers, cxx::Expr stepValue) {
  const cxx::Expr index = cxx::name(c_.name(loop.index));
  const auto constant = constantInt(loop.step);
  if (constant && *constant == 1 && !workers) return cxx::evaluate(cxx::unary("++", index));
  if (constant && *constant == -1 && !workers) return cxx::evaluate(cxx::unary("--", index));
  const bool down = constant && *constant < 0;
  cxx::Expr distance = down ? cxx::number(-*constant) : std::move(stepValue);
  if (workers) {
    const bool isUnit = constant && (*constant == 1 || *constant == -1);
    const std::string type = c_.variableType(loop.index);
    const cxx::Expr count = isUnit || lanesOf(loop) == Scope::Warp || workers->count.is<cxx::Binary>()
                                ? workers->count
                                : cxx::cast(type, workers->count);
    distance = isUnit ? count : cxx::binary("*", count, std::move(distance));
  }
  return cxx::assign(index, std::move(distance), down ? "-=" : "+=");
}

/// const int k = ..; if (k < n) ..  =>  if (const int k = ..; k < n) ..
static cxx::Stmt asCondition(const cxx::Stmt& s) {
  const auto* list = s ? std::get_if<cxx::Block>(&s->node) : nullptr;
  if (!list || list->body.size() != 2) return s;
  const auto* declared = std::get_if<cxx::Declare>(&list->body[0]->node);
  const auto* branch = std::get_if<cxx::If>(&list->body[1]->node);
  if (!declared || !declared->init || declared->isArray || !branch || branch->init || branch->otherwise)
    return s;
  return cxx::block({cxx::stmt(cxx::If{list->body[0], branch->cond, branch->then, {}})});
}

void Statements::loop(const Stmt& s, const Placement::Item& item, Out& out) {
  const For& n = *s.as<For>();
  const auto constant = constantInt(n.step);
  const cxx::Expr stepValue = constant ? cxx::number(*constant) : bound(n.step, n, "_step", out);
  // Both limits of a loop that is to be written out stay in sight: one of them is a number of iterations.
  const auto* cut = isUnrolled(n) ? n.hi.as<Binary>() : nullptr;
  const bool isCut = cut && cut->op == BinaryOp::Min && constant && *constant > 0;
  const cxx::Expr end = bound(isCut ? cut->lhs : n.hi, n, "_end", out);
  const Context::NameScope names(c_);
  const std::string index = c_.name(n.index);
  const auto share = workers(n);
  const cxx::Expr first = firstIndex(n, share, stepValue);
  const cxx::Expr below = cxx::binary("<", cxx::name(index), end),
                  above = cxx::binary(">", cxx::name(index), end);
  const auto* width = n.step.as<Hardware>();
  const bool isVector = width && width->which == HardwareIndex::Width;
  const bool rises = !constant && c_.facts.range(n.step, c_.width).lo > 0;
  const cxx::Expr cond =
      isVector || rises ? below
      : !constant       ? cxx::ternary(cxx::binary(">", stepValue, cxx::number(0)), below, above)
      : *constant < 0   ? above
      : isCut ? cxx::binary("&&", below, cxx::binary("<", cxx::name(index), bound(cut->rhs, n, "_end", out)))
              : below;
  if (n.order == Order::Assumed && n.hints.mark != LoopMark::None)
    out.push_back(cxx::comment("assumed independent (annotation)"));
  const std::string pragma = enterLoop(n, s->span);
  cxx::Stmt inner = body(n.body, item.inside, liveAfterBody(c_.function, s, item.liveOut));
  leaveLoop(n);
  if (isUnrolled(n)) inner = asCondition(inner);
  if (!pragma.empty()) out.push_back(cxx::pragma(pragma));
  if (const auto* blocks = n.mapping.as<PerBlock>(); blocks && blocks->once) {
    const cxx::Stmt mine = cxx::declare(cxx::constType(c_.variableType(n.index)), index, first);
    return out.push_back(cxx::stmt(cxx::If{mine, cond, std::move(inner), {}}));
  }
  out.push_back(cxx::stmt(cxx::For{cxx::declare(cxx::type(c_.variableType(n.index)), index, first), cond,
                                   step(n, share, stepValue), std::move(inner)}));
}

} // namespace appyc::target
