//===- Affine.cpp - ir index arithmetic as isl's textual constraints --------------------------------===//
#include "Affine.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace appyc::analysis {

static void addNew(std::vector<std::string>& to, const std::vector<std::string>& from) {
  for (const std::string& s : from)
    if (std::find(to.begin(), to.end(), s) == to.end()) to.push_back(s);
}

void append(Term& to, const Term& from) {
  addNew(to.exists, from.exists);
  addNew(to.constraints, from.constraints);
}

std::string formula(const Term& t) {
  std::string body = t.constraints.empty() ? "true" : fmt::format("{}", fmt::join(t.constraints, " and "));
  return t.exists.empty() ? body : fmt::format("exists ({} : {})", fmt::join(t.exists, ", "), body);
}

static Term combined(std::string text, const Term& a, const Term& b) {
  Term t{std::move(text), a.exists, a.constraints};
  append(t, b);
  return t;
}

//===--- names --------------------------------------------------------------------------------------===//

const std::string* Scope::known(const ir::Expr& meaning) const {
  for (const auto& [name, other] : params_)
    if (ir::equal(other, meaning)) return &name;
  return nullptr;
}

std::string Scope::param(const ir::Expr& meaning) {
  if (const std::string* name = known(meaning)) return *name;
  params_.emplace_back(fmt::format("p{}", params_.size()), meaning);
  return params_.back().first;
}

ir::Expr Scope::meaning(const std::string& name) const {
  for (const auto& [other, expr] : params_)
    if (other == name) return ir::cast(ir::DType::I64, expr);
  return {};
}

std::string Scope::fresh(const std::string& stem) { return fmt::format("{}{}", stem, ++counter_); }

std::string Scope::paramList(const std::string& more) const {
  std::vector<std::string> names;
  for (const auto& [name, meaning] : params_) names.push_back(name);
  if (!more.empty()) names.push_back(more);
  return fmt::format("[{}]", fmt::join(names, ", "));
}

/// Has `e` one value wherever the formulas of this scope speak of it?
bool Scope::isFixed(const ir::Expr& e) const {
  for (const Symbol& s : ir::freeVars(e))
    if (bindings.count(s)) return false;
  if (memoryChanges) return !ir::readsMemory(e);
  for (const Symbol& s : ir::loadedBuffers(e))
    if (stored.count(s)) return false;
  return true;
}

//===--- terms --------------------------------------------------------------------------------------===//

Term Scope::piecewise(const ir::Expr& e, const Term& cond, const Term& then, const Term& otherwise) {
  const size_t known = params_.size();
  const std::string name = namesCases ? param(e) : fresh("e");
  Term t{name, {}, {}};
  if (!namesCases) t.exists = {name};
  append(t, cond), append(t, then), append(t, otherwise);
  t.constraints.push_back(fmt::format("((({0}) and {1} = {2}) or (not ({0}) and {1} = {3}))", cond.text, name,
                                      then.text, otherwise.text));
  if (!namesCases) return t;
  if (params_.size() > known) cases.push_back(std::move(t));
  return Term{name, {}, {}};
}

std::optional<Term> Scope::translate(const ir::Expr& e) {
  // Remainders name their operand twice, so nested ones grow fast; isl would give up on texts this long.
  constexpr size_t kLongestText = 2000;
  if (std::optional<Term> t = affine(e); t && t->text.size() <= kLongestText) return t;
  // A variable that could not be translated is one without a fixed value.
  if (!ir::isInteger(ir::typeOf(e)) || !isFixed(e)) return std::nullopt;
  return Term{param(e), {}, {}};
}

std::optional<Term> Scope::variable(const ir::Var& v, const ir::Expr& e) {
  if (auto it = bindings.find(v.name); it != bindings.end()) return it->second;
  if (!ir::isInteger(v.type)) return std::nullopt;
  if (auto it = context_.values.find(v.name); it != context_.values.end())
    if (std::optional<Term> t = affine(it->second)) return t;
  return Term{param(e), {}, {}};
}

/// Does the conversion keep every value?
static bool keepsValues(ir::DType to, ir::DType from) {
  if (!ir::isInteger(to) || !ir::isInteger(from)) return false;
  if (to == from) return true;
  return ir::byteSize(to) > ir::byteSize(from) && (ir::isSigned(to) || ir::isUnsigned(from));
}

std::optional<Term> Scope::affine(const ir::Expr& e) {
  if (std::optional<int64_t> c = ir::constantInt(e)) return Term{fmt::format("{}", *c), {}, {}};
  if (const auto* v = e.as<ir::Var>()) return variable(*v, e);
  if (const auto* c = e.as<ir::Cast>())
    return keepsValues(c->type, ir::typeOf(c->arg)) ? translate(c->arg) : std::nullopt;
  if (ir::typeOf(e) != ir::DType::I64) return std::nullopt; // narrower arithmetic wraps
  if (const auto* s = e.as<ir::Select>()) {
    std::optional<Term> c = condition(s->cond), a = translate(s->then), b = translate(s->otherwise);
    return c && a && b ? std::optional(piecewise(e, *c, *a, *b)) : std::nullopt;
  }
  if (const auto* c = e.as<ir::Call>(); c && c->fn == ir::Intrinsic::WrapIndex) {
    std::optional<Term> at = translate(c->args[0]), n = translate(c->args[1]);
    if (!at || !n) return std::nullopt;
    return piecewise(e, Term{fmt::format("{} < 0", at->text), {}, {}},
                     combined(fmt::format("({} + {})", at->text, n->text), *at, *n), *at);
  }
  if (const auto* u = e.as<ir::Unary>(); u && u->op == ir::UnaryOp::Neg) {
    std::optional<Term> a = translate(u->arg);
    if (a) a->text = fmt::format("(-({}))", a->text);
    return a;
  }
  const auto* b = e.as<ir::Binary>();
  return b ? affineBinary(*b, e) : std::nullopt;
}

std::optional<Term> Scope::affineBinary(const ir::Binary& b, const ir::Expr& e) {
  std::optional<int64_t> left = ir::constantInt(b.lhs), right = ir::constantInt(b.rhs);
  bool division = b.op == ir::BinaryOp::FloorDiv || b.op == ir::BinaryOp::Mod;
  if (division ? right.value_or(0) <= 0 : b.op == ir::BinaryOp::Mul && !left && !right) return std::nullopt;
  std::optional<Term> l = translate(b.lhs), r = translate(b.rhs);
  if (!l || !r) return std::nullopt;
  if (b.op == ir::BinaryOp::Mul && !left) std::swap(l, r);
  if (const bool isMax = b.op == ir::BinaryOp::Max; namesCases && (isMax || b.op == ir::BinaryOp::Min))
    return piecewise(e, Term{fmt::format("{} {} {}", l->text, isMax ? ">=" : "<=", r->text), {}, {}}, *l, *r);
  auto made = [&](const char* pattern) {
    return combined(fmt::format(fmt::runtime(pattern), l->text, r->text), *l, *r);
  };
  switch (b.op) {
  case ir::BinaryOp::Add: return made("({} + {})");
  case ir::BinaryOp::Sub: return made("({} - ({}))");
  case ir::BinaryOp::Mul: return made("({} * ({}))");
  case ir::BinaryOp::FloorDiv: return made("floor(({}) / {})");
  case ir::BinaryOp::Mod: return made("({0} - {1} * floor(({0}) / {1}))");
  case ir::BinaryOp::Min: return made("min({}, {})");
  case ir::BinaryOp::Max: return made("max({}, {})");
  default: return std::nullopt;
  }
}

static const char* comparison(ir::BinaryOp op) {
  switch (op) {
  case ir::BinaryOp::Eq: return "=";
  case ir::BinaryOp::Ne: return "!=";
  case ir::BinaryOp::Lt: return "<";
  case ir::BinaryOp::Le: return "<=";
  case ir::BinaryOp::Gt: return ">";
  case ir::BinaryOp::Ge: return ">=";
  default: return nullptr;
  }
}

std::optional<Term> Scope::condition(const ir::Expr& e) {
  if (const auto* c = e.as<ir::Const>(); c && ir::isBool(c->type))
    return Term{std::get<bool>(c->value) ? "1 = 1" : "1 = 0", {}, {}};
  if (const auto* u = e.as<ir::Unary>(); u && u->op == ir::UnaryOp::LogicalNot) {
    std::optional<Term> a = condition(u->arg);
    if (a) a->text = fmt::format("not ({})", a->text);
    return a;
  }
  const auto* b = e.as<ir::Binary>();
  if (!b) return std::nullopt;
  if (b->op == ir::BinaryOp::LogicalAnd || b->op == ir::BinaryOp::LogicalOr) {
    std::optional<Term> l = condition(b->lhs), r = condition(b->rhs);
    if (!l || !r) return std::nullopt;
    return combined(
        fmt::format("(({}) {} ({}))", l->text, b->op == ir::BinaryOp::LogicalAnd ? "and" : "or", r->text), *l,
        *r);
  }
  const char* op = comparison(b->op);
  if (!op || !ir::isInteger(ir::typeOf(b->lhs))) return std::nullopt;
  std::optional<Term> l = translate(b->lhs), r = translate(b->rhs);
  if (!l || !r) return std::nullopt;
  return combined(fmt::format("{} {} {}", l->text, op, r->text), *l, *r);
}

//===--- loops --------------------------------------------------------------------------------------===//

bool rangeConstraints(Scope& scope, const ir::For& loop, const std::string& dim, Term& out) {
  std::optional<int64_t> step = ir::constantInt(loop.step);
  if (step == 0) return false;
  std::optional<Term> lo = scope.translate(loop.lo), hi = scope.translate(loop.hi);
  if (!step) { // between the bounds, whichever it begins with
    const std::optional<Term> by = scope.translate(loop.step);
    if (!lo || !hi || !by) return false;
    append(out, *lo), append(out, *hi), append(out, *by);
    out.constraints.push_back(
        fmt::format("(({0} > 0 and {1} <= {2} and {2} < {3}) or ({0} < 0 and {3} < {2} and {2} <= {1}))",
                    by->text, lo->text, dim, hi->text));
    return false;
  }
  bool up = *step > 0;
  if (lo) {
    append(out, *lo);
    out.constraints.push_back(fmt::format("{} {} {}", dim, up ? ">=" : "<=", lo->text));
    if (*step != 1 && *step != -1) {
      std::string q = scope.fresh("q");
      out.exists.push_back(q);
      out.constraints.push_back(fmt::format("{} = {} + {} * {}", dim, lo->text, *step, q));
    }
  }
  if (hi) {
    append(out, *hi);
    out.constraints.push_back(fmt::format("{} {} {}", dim, up ? "<" : ">", hi->text));
  }
  return lo && hi;
}

std::optional<Term> Scope::tripAtLeast(const ir::For& loop, const std::string& count) {
  std::optional<int64_t> step = ir::constantInt(loop.step);
  std::optional<Term> lo = translate(loop.lo), hi = translate(loop.hi);
  if (!step || *step == 0 || !lo || !hi) return std::nullopt;
  Term t;
  append(t, *lo), append(t, *hi);
  std::string distance = *step > 0 ? fmt::format("({}) - ({})", hi->text, lo->text)
                                   : fmt::format("({}) - ({})", lo->text, hi->text);
  t.constraints.push_back(fmt::format("{} > {} * ({} - 1)", distance, *step > 0 ? *step : -*step, count));
  return t;
}

Term Scope::contextConstraints() {
  Term t;
  for (const ir::For* loop : context_.loops) {
    // Bounds are evaluated before the loop: what its body changes has another value there.
    auto savedBindings = bindings;
    auto savedStored = stored;
    if (loop->body) {
      for (const Symbol& s : ir::assignedVars(loop->body)) bindings[s] = std::nullopt;
      stored.merge(ir::storedBuffers(loop->body));
    }
    rangeConstraints(*this, *loop, param(ir::var(loop->index)), t);
    bindings = std::move(savedBindings);
    stored = std::move(savedStored);
  }
  for (const std::string& size : sizes()) t.constraints.push_back(size + " >= 0");
  return t;
}

std::vector<std::string> Scope::sizes() const {
  std::vector<std::string> all;
  for (const Symbol& s : context_.sizes)
    if (const std::string* name = known(ir::var(s))) all.push_back(*name);
  return all;
}

} // namespace appyc::analysis
