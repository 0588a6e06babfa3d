//===- Fetches.cpp - what the host asks the device for at one time ---------------------------------------===//
#include "Expressions.h"
#include "Functions.h"
#include "appyc/Cxx/Dsl.h"
#include <algorithm>
#include <cctype>
#include <map>

namespace appyc::target {

static std::string atomText(const cxx::Expr& e) {
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

/// Where `*out = x` stores what the fetch before it has brought, and nothing else asks for: `out` is fetched. The last
/// fetch tells of launches that failed, too.
static void fetchResults(Context& c, std::vector<cxx::Stmt>& all,
                         const std::map<std::string, std::string>& results) {
  if (all.empty() || !reportsLaunches(all.back())) return;
  const auto storeOf = [&](size_t i) { // nothing where it is another statement
    const auto* store = all[i].as<cxx::Assign>();
    const auto* target = store && store->op == "=" ? store->target.as<cxx::Unary>() : nullptr;
    return target && target->op == "*" ? std::pair{atomText(target->arg), atomText(store->value)}
                                       : std::pair<std::string, std::string>();
  };
  size_t fetch = all.size() - 1;
  std::map<std::string, int> uses;
  while (fetch > 0 && !storeOf(fetch - 1).first.empty()) ++uses[storeOf(--fetch).second];
  if (fetch == 0 || !fetchOf(all[--fetch])) return;
  std::vector<cxx::Expr> args = fetchOf(all[fetch])->args;
  size_t first = fetch; // of the variables that are declared for it
  while (first > 0 && (beginsWithNumber(all[first - 1]) || all[first - 1].is<cxx::Comment>())) --first;
  std::vector<cxx::Stmt> kept(all.begin(), all.begin() + static_cast<ptrdiff_t>(first)), stores;
  std::map<std::string, std::string> types;
  for (size_t i = first; i < fetch; ++i)
    if (const auto* variable = all[i].as<cxx::Declare>()) types[variable->name] = variable->type.name;
  for (size_t i = fetch + 1; i + 1 < all.size(); ++i) {
    const auto [target, value] = storeOf(i);
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
      return address && atomText(address->arg) == atomText(s.as<cxx::Assign>()->value);
    });
  });
  if (!isLast) kept.push_back(fetching(all[fetch], args));
  kept.insert(kept.end(), stores.begin(), stores.end());
  if (isLast) c.support.use("fetch_results");
  kept.push_back(isLast ? cxx::from(all[fetch]->sourceLine,
                                    cxx::giveBack(cxx::call("fetch_results", std::move(args))))
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
  fetchResults(c, all, results);
}

} // namespace appyc::target
