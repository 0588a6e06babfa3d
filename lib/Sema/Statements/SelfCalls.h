//===- SelfCalls.h - functions that call themselves -------------------------------------------------------===//
#pragma once
#include "Names.h"
#include "appyc/AST/Nodes.h"
#include <algorithm>
#include <optional>

namespace appyc::sema {

inline ast::Expr nameAt(const std::string& name, Span where) { return ast::make(where, ast::Name{name}); }

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

  const ast::Function& fn_;
  std::map<std::string, NameFacts> facts_;
  const bool isMethod_;
};

} // namespace appyc::sema
