//===- Fetches.cpp - what the host asks the device for at one time ---------------------------------------===//
#include "Expressions.h"
#include "Functions.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/Cxx/Print.h"
#include <algorithm>
#include <cctype>
#include <map>

namespace appyc::target {

std::string atomText(const cxx::Expr& e) {
  const auto* atom = e ? e.as<cxx::Atom>() : nullptr;
  return atom ? atom->text : "";
}

/// `fetch(stream, &a, a_device, ...)` that leaves the function where it fails.
static const cxx::Call* fetchOf(const cxx::Stmt& s) {
  const auto* check = s.as<cxx::If>();
  const auto* status = check && check->init ? check->init.as<cxx::Declare>() : nullptr;
  const auto* call = status && status->init ? status->init.as<cxx::Call>() : nullptr;
  return call && atomText(call->callee) == "fetch" ? call : nullptr;
}

static bool beginsWithNumber(const cxx::Stmt& s) {
  const auto* variable = s.as<cxx::Declare>();
  const std::string value = variable && !variable->isArray ? atomText(variable->init) : "";
  return value == "false" || (!value.empty() && std::isdigit(static_cast<unsigned char>(value[0])));
}

static cxx::Stmt fetching(const cxx::Stmt& old, std::vector<cxx::Expr> args) {
  return cxx::from(old->sourceLine, cxx::returnOnFailure(cxx::call("fetch", std::move(args))));
}

/// `*out = x`: the names of both; nothing where it is another statement.
static std::pair<std::string, std::string> storeOf(const cxx::Stmt& s) {
  const auto* store = s.as<cxx::Assign>();
  const auto* target = store && store->op == "=" ? store->target.as<cxx::Unary>() : nullptr;
  if (!target || target->op != "*") return {};
  return {atomText(target->arg), atomText(store->value)};
}

static bool asks(const cxx::Stmt& s, const std::string& name) {
  return wordsOf(cxx::print(s)).contains(name);
}

static bool isLaunch(const cxx::Stmt& s) {
  const auto* done = s.as<cxx::Evaluate>();
  const auto* call = done ? done->value.as<cxx::Call>() : nullptr;
  const std::string callee = call ? atomText(call->callee) : "";
  return done && (done->value.is<cxx::Launch>() || callee == "launch_overlapping" || callee == "clear" ||
                  callee.starts_with("fill_elements") || callee.starts_with("copy_elements"));
}

/// `const double x = ..; .. *out = x;`, where nothing else asks for x or could change what it is computed from, is `*out = ..`.
static void computeInPlace(std::vector<cxx::Stmt>& all, const std::map<std::string, std::string>& results) {
  for (size_t i = 0; i < all.size(); ++i) {
    const auto* variable = all[i].as<cxx::Declare>();
    if (!variable || !variable->type.isConst || variable->isArray || !variable->init) continue;
    const auto behind = all.begin() + static_cast<ptrdiff_t>(i) + 1;
    const auto isAsking = [&](const cxx::Stmt& s) { return asks(s, variable->name); };
    const auto store = std::find_if(behind, all.end(), isAsking);
    if (store == all.end() || std::find_if(store + 1, all.end(), isAsking) != all.end()) continue;
    const auto [target, value] = storeOf(*store);
    const auto result = results.find(target);
    if (value != variable->name || result == results.end() || result->second != variable->type.name) continue;
    const std::set<std::string> read = wordsOf(cxx::print(variable->init));
    const bool stays = std::all_of(behind, store, [&](const cxx::Stmt& s) {
      if (s.is<cxx::Declare>() || s.is<cxx::Comment>() || !storeOf(s).first.empty() || isLaunch(s))
        return true;
      return std::ranges::none_of(read, [&](const std::string& name) { return asks(s, name); });
    });
    if (!stays) continue;
    *store = cxx::from((*store)->sourceLine,
                       cxx::assign(store->as<cxx::Assign>()->target, cxx::Expr(variable->init)));
    all.erase(behind - 1);
    --i;
  }
}

/// Where `*out = x` stores what the fetch before it has brought, and nothing else asks for: `out` is fetched. The last
/// fetch tells of launches that failed, too.
static void fetchResults(Context& c, std::vector<cxx::Stmt>& all,
                         const std::map<std::string, std::string>& results) {
  if (all.empty() || !reportsLaunches(all.back())) return;
  size_t fetch = all.size() - 1;
  std::map<std::string, int> uses;
  while (fetch > 0 && !storeOf(all[fetch - 1]).first.empty())
    for (const std::string& name : wordsOf(cxx::print(all[--fetch].as<cxx::Assign>()->value))) ++uses[name];
  if (fetch == 0 || !fetchOf(all[--fetch])) return;
  std::vector<cxx::Expr> args = fetchOf(all[fetch])->args;
  size_t first = fetch; // of the variables that are declared for it
  while (first > 0 && (beginsWithNumber(all[first - 1]) || all[first - 1].is<cxx::Comment>())) --first;
  std::vector<cxx::Stmt> kept(all.begin(), all.begin() + static_cast<ptrdiff_t>(first)), stores;
  std::map<std::string, std::string> types;
  for (size_t i = first; i < fetch; ++i)
    if (const auto* variable = all[i].as<cxx::Declare>()) types[variable->name] = variable->type.name;
  for (size_t i = fetch + 1; i + 1 < all.size(); ++i) {
    const auto [target, value] = storeOf(all[i]);
    const auto type = types.find(value);
    const auto into = std::ranges::find_if(args, [&](const cxx::Expr& e) {
      const auto* address = e.as<cxx::Unary>();
      return address && address->op == "&" && atomText(address->arg) == value;
    });
    const auto result = results.find(target);
    if (type == types.end() || uses[value] != 1 || into == args.end() || result == results.end() ||
        result->second != type->second) {
      stores.push_back(all[i]);
      continue;
    }
    *into = cxx::name(target);
    types.erase(type);
  }
  for (size_t i = first; i < fetch; ++i)
    if (const auto* variable = all[i].as<cxx::Declare>(); !variable || types.contains(variable->name))
      kept.push_back(all[i]);
  const bool isLast = std::ranges::all_of(stores, [&](const cxx::Stmt& s) {
    return std::ranges::none_of(args, [&](const cxx::Expr& e) {
      const auto* address = e.as<cxx::Unary>();
      return address && asks(s, atomText(address->arg));
    });
  });
  if (!isLast) kept.push_back(fetching(all[fetch], args));
  kept.insert(kept.end(), stores.begin(), stores.end());
  if (isLast) c.support.use("fetch_results");
  kept.push_back(
      isLast ? cxx::from(all[fetch]->sourceLine, cxx::giveBack(cxx::call("fetch_results", std::move(args))))
             : all.back());
  all = std::move(kept);
}

bool reportsLaunches(const cxx::Stmt& s) {
  const auto* result = s.as<cxx::Return>();
  const auto* call = result ? result->value.as<cxx::Call>() : nullptr;
  return call && atomText(call->callee) == "check";
}

void joinFetches(Context& c, std::vector<cxx::Stmt>& all) {
  for (size_t i = 0; i < all.size(); ++i) {
    if (!fetchOf(all[i])) continue;
    size_t before = i;
    while (before > 0 && (beginsWithNumber(all[before - 1]) || all[before - 1].is<cxx::Comment>())) --before;
    if (before-- == 0 || !fetchOf(all[before])) continue;
    std::vector<cxx::Expr> args = fetchOf(all[before])->args, more = fetchOf(all[i])->args;
    args.insert(args.end(), more.begin() + 1, more.end());
    all[i] = fetching(all[i], std::move(args));
    all.erase(all.begin() + static_cast<ptrdiff_t>(before));
    --i;
  }
  std::map<std::string, std::string> results;
  for (const ir::CParam& p : entryParams(c.function, c.cuda))
    if (p.role == ir::CParam::ResultScalar) results[parameterName(c, p)] = typeName(c, p.type);
  computeInPlace(all, results);
  fetchResults(c, all, results);
}

} // namespace appyc::target
