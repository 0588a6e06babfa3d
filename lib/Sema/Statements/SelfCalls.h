//===- SelfCalls.h - functions that call themselves -------------------------------------------------------===//
#pragma once
#include "ExprParts.h"
#include "Names.h"
#include "appyc/AST/Nodes.h"
#include <algorithm>
#include <functional>
#include <optional>

namespace appyc::sema {

inline ast::Expr nameAt(const std::string& name, Span where) { return ast::make(where, ast::Name{name}); }
inline ast::Stmt binding(const ast::Expr& target, const ast::Expr& value) {
  return ast::makeStmt(target->span, ast::Assign{{target}, value, {}});
}

/// The part of a list that is none, but says of a function's place that what it is given waits in lists, too.
constexpr size_t kWhereApart = 250;

/// Can nobody tell what the names `own` hold from a copy, as what is changed in place is held by one name alone?
bool mayKeepCopies(const ast::Function& fn, const std::set<std::string>& own);

/// A function that may call itself; a method, by its first parameter.
class SelfCalls {
protected:
  explicit SelfCalls(const ast::Function& fn, bool isMethod = false)
      : fn_(fn), facts_(scanNames(fn)), isMethod_(isMethod) {}
  bool isPlain() const {
    const auto facts = facts_.find(fn_.name);
    return std::ranges::all_of(fn_.params,
                               [](const ast::Parameter& p) {
                                 return p.kind == ast::Parameter::Ordinary ||
                                        p.kind == ast::Parameter::PositionalOnly;
                               }) &&
           !fn_.params.empty() && fn_.yields.end == 0 &&
           (facts == facts_.end() || facts->second.assignments == 0);
  }
  const ast::Call* callOf(const ast::Expr& e) const {
    const auto* c = e ? e.as<ast::Call>() : nullptr;
    if (const auto* of = c && isMethod_ ? c->callee.as<ast::Attribute>() : nullptr) {
      const auto* self = of->base.as<ast::Name>();
      return self && self->id == fn_.params[0].name && of->name == fn_.name ? c : nullptr;
    }
    const auto* callee = c ? c->callee.as<ast::Name>() : nullptr;
    return callee && callee->id == fn_.name && !isMethod_ ? c : nullptr;
  }
  bool callsItself(const ast::Stmt& s) const {
    return isMethod_ ? readsAttribute({s}, fn_.params[0].name, fn_.name)
                     : exposedNames({s}).count(fn_.name) > 0;
  }
  /// What each parameter gets; none where it cannot be told.
  std::optional<std::vector<ast::Expr>> argumentsOf(const ast::Call& c) const {
    std::vector<ast::Expr> given(fn_.params.size());
    std::vector<ast::Expr> args = c.args;
    if (isMethod_) args.insert(args.begin(), c.callee.as<ast::Attribute>()->base);
    if (args.size() > given.size()) return std::nullopt;
    for (size_t k = 0; k < args.size(); ++k) {
      const auto* made = args[k].as<ast::Comprehension>();
      if (args[k].is<ast::Starred>() || (made && !made->isList)) return std::nullopt;
      given[k] = args[k];
    }
    for (const ast::Keyword& keyword : c.keywords) {
      const auto p = std::ranges::find(fn_.params, keyword.name, &ast::Parameter::name);
      if (p == fn_.params.end() || given[static_cast<size_t>(p - fn_.params.begin())]) return std::nullopt;
      given[static_cast<size_t>(p - fn_.params.begin())] = keyword.value;
    }
    for (size_t k = 0; k < given.size(); ++k)
      if (!given[k] && !(given[k] = fn_.params[k].defaultValue)) return std::nullopt;
    return given;
  }

  /// Places of the text where nothing is made, the first one last: those of its head, and such within names.
  std::vector<uint32_t> freePlaces() const {
    constexpr uint32_t kBefore = 4; // `def `
    std::set<uint32_t> taken, free;
    const auto within = [&](Span name) {
      for (uint32_t at = name.begin + 1; at < name.end; ++at) free.insert(at);
    };
    for (const auto& [name, facts] : facts_)
      for (const std::vector<Span>* spans : {&facts.binds, &facts.uses})
        for (const Span at : *spans)
          if (at.end - at.begin == name.size()) within(at);
    for (const ast::Parameter& p : fn_.params) {
      taken.insert(p.where.begin);
      if (p.defaultValue)
        for (uint32_t at = p.defaultValue->span.begin; at < p.defaultValue->span.end; ++at) taken.insert(at);
    }
    const uint32_t first = fn_.nameSpan.begin - std::min(kBefore, fn_.nameSpan.begin);
    for (uint32_t at = first; at < fn_.body.front()->span.begin; ++at) free.insert(at);
    std::vector<uint32_t> places;
    for (auto at = free.rbegin(); at != free.rend(); ++at)
      if (!taken.count(*at)) places.push_back(*at);
    return places;
  }
  /// All that assigns to a target; an empty value: not by itself, or by each step of a loop.
  static void eachAssignment(const ast::Body& body,
                             const std::function<void(const ast::Expr&, const ast::Expr&)>& visit) {
    for (const ast::Stmt& s : body) {
      const auto* f = s.as<ast::For>();
      const auto* w = s.as<ast::While>();
      if (const auto* a = s.as<ast::Assign>())
        for (const ast::Expr& target : a->targets)
          visit(target, a->targets.size() == 1 ? a->value : ast::Expr());
      if (const auto* i = s.as<ast::If>())
        eachAssignment(i->then, visit), eachAssignment(i->otherwise, visit);
      if (f) visit(f->target, {}), eachAssignment(f->body, visit), eachAssignment(f->otherwise, visit);
      if (w) eachAssignment(w->body, visit), eachAssignment(w->otherwise, visit);
    }
  }

  /// All calls of itself.
  void eachCall(const ast::Expr& e, const std::function<void(const ast::Call&)>& visit) const {
    if (!e || !callsItself(ast::makeStmt(e->span, ast::ExprStmt{e}))) return;
    if (const ast::Call* c = callOf(e)) visit(*c);
    if (const auto* made = e.as<ast::Comprehension>()) {
      eachCall(made->element, visit);
      for (const ast::Clause& clause : made->clauses) {
        eachCall(clause.iter, visit);
        for (const ast::Expr& condition : clause.conditions) eachCall(condition, visit);
      }
    }
    for (const ast::Expr& part : partsOf(e)) eachCall(part, visit);
  }
  void eachCall(const ast::Body& body, const std::function<void(const ast::Call&)>& visit) const {
    for (const ast::Stmt& s : body) {
      if (const auto* r = s.as<ast::Return>()) eachCall(r->value, visit);
      if (const auto* a = s.as<ast::Assign>()) eachCall(a->value, visit);
      if (const auto* g = s.as<ast::AugAssign>()) eachCall(g->value, visit);
      if (const auto* e = s.as<ast::ExprStmt>()) eachCall(e->value, visit);
      if (const auto* i = s.as<ast::If>())
        eachCall(i->cond, visit), eachCall(i->then, visit), eachCall(i->otherwise, visit);
      if (const auto* f = s.as<ast::For>()) eachCall(f->body, visit);
      if (const auto* w = s.as<ast::While>()) eachCall(w->cond, visit), eachCall(w->body, visit);
    }
  }

  const ast::Function& fn_;
  std::map<std::string, NameFacts> facts_;
  const bool isMethod_;
};

} // namespace appyc::sema
