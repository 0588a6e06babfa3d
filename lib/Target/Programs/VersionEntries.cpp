//===- VersionEntries.cpp - entries of versions, written where they are called ---------------------------===//
#include "Functions.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/Cxx/Print.h"
#include <algorithm>
#include <cctype>
#include <set>

namespace appyc::target {

std::set<std::string> wordsOf(const std::string& text) {
  std::set<std::string> words;
  for (size_t i = 0, end = 0; i < text.size(); i = end + 1) {
    end = i;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
      ++end;
    words.insert(text.substr(i, end - i));
  }
  return words;
}

/// Whether the call gives each parameter the variable of its name.
static bool passesNames(const cxx::Call& call, const cxx::Function& entry) {
  return std::ranges::equal(call.args, entry.params, [](const cxx::Expr& e, const cxx::Parameter& p) {
    const auto* name = e.as<cxx::Atom>();
    return name && (p.unused || name->text == p.name);
  });
}

cxx::Decl withVersions(const cxx::Decl& entry, std::vector<cxx::Decl>& versions) {
  cxx::Function function = *entry.as<cxx::Function>();
  std::vector<cxx::Stmt> body = function.body.as<cxx::Block>()->body;
  const size_t given = versions.size();
  for (cxx::Stmt& s : body) {
    const auto* choice = s.as<cxx::If>();
    const auto* result =
        choice && !choice->init && !choice->otherwise ? choice->then.as<cxx::Return>() : nullptr;
    const auto* call = result ? result->value.as<cxx::Call>() : nullptr;
    const auto* callee = call ? call->callee.as<cxx::Atom>() : nullptr;
    if (!callee) continue;
    const auto version = std::ranges::find_if(versions, [&](const cxx::Decl& d) {
      const auto& own = *d.as<cxx::Function>();
      return own.name == callee->text && passesNames(*call, own);
    });
    if (version == versions.end()) continue;
    s = cxx::ifThen(choice->cond, cxx::block({version->as<cxx::Function>()->body}));
    versions.erase(version);
  }
  if (versions.size() == given) return entry;
  while (body.size() > 1) { // a choice of what comes in any case is none
    const auto* choice = body[body.size() - 2].as<cxx::If>();
    if (!choice || !choice->then.is<cxx::Return>() || cxx::print(choice->then) != cxx::print(body.back()))
      break;
    body.erase(body.end() - 2);
  }
  function.body = cxx::stmt(cxx::Block{std::move(body)});
  const std::set<std::string> words = wordsOf(cxx::print(function.body));
  for (cxx::Parameter& p : function.params) p.unused = !words.contains(p.name);
  return cxx::decl(std::move(function));
}

} // namespace appyc::target
