//===- SelfCalls.h - functions that call themselves -------------------------------------------------------===//
#pragma once
#include "Names.h"
#include "appyc/AST/Nodes.h"
#include <algorithm>
#include <optional>

namespace appyc::sema {

inline ast::Expr nameAt(const std::string& name, Span where) { return ast::make(where, ast::Name{name}); }

/// A function that may call itself.
class SelfCalls {
protected:
  explicit SelfCalls(const ast::Function& fn) : fn_(fn), facts_(scanNames(fn)) {}
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
    const auto* callee = c ? c->callee.as<ast::Name>() : nullptr;
    return callee && callee->id == fn_.name ? c : nullptr;
  }
  /// What each parameter gets; none where it cannot be told.
  std::optional<std::vector<ast::Expr>> argumentsOf(const ast::Call& c) const {
    std::vector<ast::Expr> given(fn_.params.size());
    if (c.args.size() > given.size()) return std::nullopt;
    for (size_t k = 0; k < c.args.size(); ++k) {
      if (c.args[k].is<ast::Starred>() || c.args[k].is<ast::Comprehension>()) return std::nullopt;
      given[k] = c.args[k];
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
};

} // namespace appyc::sema
