//===- KeptFunctions.cpp - functions of the file that stay functions -----------------------------------------===//
// A function that takes numbers and gives one becomes an ir::Function of its own, which expressions call, where it is
// long or called more than once. It is inlined where passes have to look into it: what raises, prints or reads arrays, loops
// that may run in parallel, subscripts, and what a loop hands on to itself.
#include "KeptFunctions.h"
#include "Lowering.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::sema {

//===--- which are worth it ---------------------------------------------------------------------------------===//

static size_t statementsIn(const ast::Body& body) {
  size_t count = 0;
  for (const ast::Stmt& s : body) {
    ++count;
    if (const auto* i = s.as<ast::If>()) count += statementsIn(i->then) + statementsIn(i->otherwise);
    if (const auto* f = s.as<ast::For>()) count += statementsIn(f->body);
    if (const auto* w = s.as<ast::While>()) count += statementsIn(w->body);
  }
  return count;
}

static size_t callsOf(const Program& program, const ast::Function& called, const FileScope& of) {
  if (&of != &program.files.front()) return 2; // a module's: whoever asks for it may call it again
  size_t count = 0;
  for (const ast::Function& f : of.module->functions) {
    const std::map<std::string, NameFacts> names = scanNames(f);
    if (const auto it = names.find(called.name); it != names.end()) count += it->second.uses.size();
  }
  return count;
}

/// Has it a name of the user's?
static bool isNamed(const ast::Function& fn) {
  return std::ranges::all_of(fn.name,
                             [](unsigned char c) { return c >= 128 || std::isalnum(c) || c == '_'; });
}

/// Is it long, or called more than once?
bool Lowering::isWorthCalling(const UserFunction& f) {
  constexpr size_t kShort = 3;
  const auto [it, isNew] = kept_.worth.try_emplace(f.function, false);
  if (isNew)
    it->second = statementsIn(f.function->body) > kShort || callsOf(program_, *f.function, *f.file) > 1;
  return it->second;
}

//===--- as a function of its own ---------------------------------------------------------------------------===//

/// The statements with what they give returned: on each path of the last one, where these set it.
static void returnLast(std::vector<ir::Stmt>& body, const Expr& given, Span where) {
  const auto* v = given.as<ir::Var>();
  const auto sets = [&](const auto& self, const ir::Stmt& s) -> bool {
    const std::vector<ir::Stmt> all = ir::statementsOf(s);
    if (all.empty()) return false;
    if (const auto* a = all.back().template as<ir::Assign>()) return a->var == v->name;
    const auto* i = all.back().template as<ir::If>();
    return i && i->otherwise && self(self, i->then) && self(self, i->otherwise);
  };
  if (!v || body.empty() || !sets(sets, body.back())) {
    return body.push_back(ir::makeStmt(where, ir::Return{given}));
  }
  const ir::Stmt last = body.back();
  body.pop_back();
  if (const auto* a = last.as<ir::Assign>()) return returnLast(body, a->value, last->span);
  const auto* i = last.as<ir::If>();
  std::vector<ir::Stmt> then = ir::statementsOf(i->then), otherwise = ir::statementsOf(i->otherwise);
  returnLast(then, given, last->span);
  returnLast(otherwise, given, last->span);
  body.push_back(ir::makeStmt(last->span, ir::If{i->cond, ir::block(std::move(then)), {}}));
  body.insert(body.end(), otherwise.begin(), otherwise.end());
}

/// A loop that the source says is parallel, or that may be so, and is long enough to matter.
static bool mayShareLoops(const ir::Stmt& body) {
  constexpr int64_t kFew = 16;
  return ir::any<ir::For>(body, [&](const ir::For& loop) {
    const auto trips = ir::constantInt(loop.hi - loop.lo);
    if (isShared(loop)) return true;
    if (trips && *trips <= kFew) return false;
    return analysis::judgeParallel(loop, {}, {}).isProven();
  });
}

/// What the body does but to compute numbers of numbers.
static std::string whatElse(const ir::Stmt& body) {
  if (ir::has<ir::Require>(body)) return "it may raise";
  if (ir::has<ir::Print>(body)) return "it prints";
  const bool isPlain = ir::consistsOf<ir::Block, ir::Assign, ir::If, ir::For, ir::While, ir::Return>(body);
  if (!isPlain || ir::anyExpr(body, [](const Expr& e) { return e.is<ir::Load>() || e.is<ir::Reduce>(); }))
    return "it reads or stores elements of arrays";
  return mayShareLoops(body) ? "a loop in it may run in parallel" : "";
}

std::optional<KeptFunction> Lowering::runAlone(const UserFunction& called, const std::vector<Scalar>& given,
                                               std::string& whyNot) {
  const ast::Function& fn = *called.function;
  const std::vector<SameSize> none;
  same_ = &none;
  const int errors = diag_.errorCount();
  out_.name = fn.name;
  out_.docstring = fn.docstring;
  out_.span = statement_ = fn.nameSpan;
  frames_.push_back({&fn, scanNames(fn), {}, {}, true, {}, 0, false, 0, 0, called.file, ++calls_});
  lists_.emplace_back();
  for (size_t k = 0; k < given.size(); ++k) {
    ir::Param p;
    p.name = Symbol(fn.params[k].name);
    p.type = given[k].type();
    p.weak = given[k].weak;
    Scalar own = given[k];
    own.e = ir::var(p.name, p.type);
    own.constant = {};
    env()[fn.params[k].name] = Value{own};
    out_.params.push_back(std::move(p));
  }
  const Value returned = lowerBody(fn);
  const auto* number = returned.as<Scalar>();
  std::vector<ir::Stmt> body = std::move(lists_.back());
  whyNot = diag_.errorCount() > errors ? "that depends on how it is called"
           : !number                   ? "it gives no number"
                                       : "it gives a constant";
  if (!number || diag_.errorCount() > errors || constantOf(*number)) return {};
  KeptFunction kept;
  kept.like = *number;
  const auto isWhole = [](DType t) { return ir::isInteger(t) || ir::isBool(t); };
  kept.isIndex = isWhole(number->type()) &&
                 std::ranges::all_of(given, [&](const Scalar& s) { return isWhole(s.type()); });
  ir::Result result;
  result.name = Symbol("result");
  result.type = number->type();
  out_.results.push_back(result);
  returnLast(body, number->e, {});
  out_.body = ir::block(std::move(body));
  kept.isIndex &= !ir::has<ir::For>(out_.body) && !ir::has<ir::While>(out_.body);
  whyNot = !out_.buffers.empty() || listStates_.haveChanged ? "it has arrays or lists" : whatElse(out_.body);
  if (!whyNot.empty()) return {};
  whyNot = "subscripts may be made of what it gives";
  kept.function = std::make_shared<const ir::Function>(std::move(out_));
  return kept;
}

const KeptFunction& Lowering::keptFunction(const UserFunction& f, const std::vector<Scalar>& given) {
  std::string types;
  for (const Scalar& s : given) {
    types += fmt::format(" {}{}{}{}", ir::name(s.type()), s.weak ? "*" : "",
                         s.isOpaque     ? "?"
                         : s.isEither   ? "e"
                         : s.isExtended ? "x"
                                        : "",
                         s.as ? ir::name(*s.as) : "");
    for (const Scalar& other : s.others)
      types += fmt::format("|{}{}", other.weak ? "*" : "", other.e ? ir::print(other.e) : "");
  }
  const auto [it, isNew] = kept_.found.try_emplace({f.function, types}); // one that calls itself is inlined
  if (!isNew) return it->second;
  const size_t mark = diag_.mark();
  ListStates lists;
  std::string whyNot;
  const std::optional<KeptFunction> kept =
      Lowering(program_, diag_, nullptr, sanitize_, lists, kept_).runAlone(f, given, whyNot);
  if (kept)
    it->second = *kept;
  else
    diag_.rollback(mark);
  const bool isKept = kept && !kept->isIndex;
  kept_.said.emplace_back(f.function->nameSpan, isKept
                                                    ? fmt::format("`{}` stays a function", f.function->name)
                                                    : fmt::format("`{}` is inlined where it is called: {}",
                                                                  f.function->name, whyNot));
  return it->second;
}

//===--- calls ----------------------------------------------------------------------------------------------===//

/// What the function gives as one expression of its parameters, if it has no branches and no loops.
static std::optional<Expr> straight(const ir::Function& f) {
  std::map<Symbol, Expr> values;
  for (const ir::Stmt& s : ir::statementsOf(f.body)) {
    if (const auto* r = s.as<ir::Return>()) return ir::substitute(r->value, values);
    const auto* a = s.as<ir::Assign>();
    if (!a) return {};
    values[a->var] = ir::substitute(a->value, values);
  }
  return {};
}

/// May a step of a loop be one of a reduction or a linear recurrence, as it goes by the parameter?
static bool isStep(const ir::Function& f, const ir::Param& p) {
  const std::optional<Expr> value = straight(f);
  int count = 0;
  if (value) ir::each<ir::Var>(*value, [&](const ir::Var& v) { count += v.name == p.name; });
  return value && count <= 2;
}

/// Is the number what the statement at hand sets, or an element of it?
bool Lowering::isOfTarget(const Expr& e) {
  const auto it = env().find(frame().target);
  if (frame().target.empty() || it == env().end()) return false;
  const auto* number = it->second.as<Scalar>();
  const auto* array = it->second.as<Array>();
  const auto* element = e.as<ir::Load>();
  if (number) return ir::equal(number->e, e);
  return array && array->view && element && element->buffer == array->view->buffer.name;
}

/// The call as an expression, where the function stays one.
std::optional<Value> Lowering::callKept(const UserFunction& called,
                                        const std::vector<std::vector<Value>>& args) {
  const ast::Function& fn = *called.function;
  if (!called.file || called.around > 0 || kernel_ || tensors_ || sanitize_.any() || tried_ > 0 ||
      fn.yields.end > 0 || fn.directive.parallelLoops || !isNamed(fn) || !isWorthCalling(called))
    return {};
  std::vector<Scalar> given;
  for (size_t k = 0; k < fn.params.size(); ++k) {
    if (fn.params[k].kind >= ast::Parameter::Rest) return {};
    const Value v = !args[k].empty()           ? args[k][0]
                    : !called.defaults.empty() ? called.defaults[k]
                                               : evalDefault(fn.params[k], called.file);
    const auto* s = v.as<Scalar>();
    if (!s || s->isCell) return {};
    given.push_back(*s);
  }
  const auto isKnown = [](const Scalar& s) { return bool(constantOf(s)); };
  const auto isPythons = [](const Scalar& s) { // of whose constants no type is too small
    return s.type() == DType::I64 || s.type() == DType::F64 || ir::isComplex(s.type()) ||
           ir::isBool(s.type());
  };
  if (std::ranges::all_of(given, isKnown)) return {};
  if (std::ranges::any_of(given, isKnown) && !std::ranges::all_of(given, isPythons)) return {};
  const KeptFunction& kept = keptFunction(called, given);
  if (!kept.function || kept.isIndex) return {};
  const std::vector<ir::Param>& params = kept.function->params;
  for (size_t k = 0; k < given.size(); ++k) {
    const auto isExponent = [&](const ir::Binary& b) {
      return b.op == ir::BinaryOp::Pow && ir::mentions(b.rhs, params[k].name);
    };
    if (isKnown(given[k]) && ir::any<ir::Binary>(kept.function->body, isExponent))
      return {}; // x ** 2 is x * x
    if (isOfTarget(given[k].e) && isStep(*kept.function, params[k])) return {};
  }
  ir::Apply apply{kept.function->results[0].type, kept.function, {}};
  for (const Scalar& s : given) apply.args.push_back(s.e);
  Scalar result = kept.like;
  result.e = ir::make(std::move(apply));
  return Value{result};
}

} // namespace appyc::sema
