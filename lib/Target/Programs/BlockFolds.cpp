//===- BlockFolds.cpp - folds of a row that a block makes are one call -----------------------------------===//
//   double s = 0.0;
//   for (index_t c = threadIdx.x; c < chunks; c += blockDim.x) s += part[c];
//   s = block_reduce<Sum>(s);                                                  =>  const double s = block_fold<Sum>(part, chunks);
#include "Functions.h"
#include "Statements.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/Cxx/Print.h"
#include <algorithm>
#include <cctype>

namespace appyc::target {

namespace {

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Does the statement give the variable another value?
bool changes(const cxx::Stmt& s, const std::string& name) {
  const std::string text = cxx::print(s);
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at > 0 && isWord(text[at - 1])) || (end < text.size() && isWord(text[end]))) continue;
    const std::string before = text.substr(at > 1 ? at - 2 : 0, at > 1 ? 2 : at), behind = text.substr(end, 4);
    if (before == "++" || before == "--" || before.ends_with("&")) return true;
    const size_t equal = behind.find('=');
    if (behind.starts_with(" ") && equal != std::string::npos && equal < 3 && behind[equal + 1] != '=' &&
        std::string_view("<>!").find(behind[equal - 1]) == std::string_view::npos)
      return true;
  }
  return false;
}

/// `for (T c = threadIdx.x; c < count; c += blockDim.x) v += row[.. + c];`
struct LaneFold {
  std::string value;
  cxx::Expr row, element, count;
};
std::optional<LaneFold> laneFoldOf(const cxx::Stmt& s) {
  const auto* loop = s.as<cxx::For>();
  const auto* first = loop ? loop->init.as<cxx::Declare>() : nullptr;
  const auto* test = loop ? loop->cond.as<cxx::Binary>() : nullptr;
  const auto* step = loop ? loop->step.as<cxx::Assign>() : nullptr;
  const auto* update = loop ? loop->body.as<cxx::Assign>() : nullptr;
  if (!first || !test || !step || !update || atomText(first->init) != "threadIdx.x" || test->op != "<" ||
      atomText(test->lhs) != first->name || step->op != "+=" || atomText(step->value) != "blockDim.x")
    return {};
  const std::string value = atomText(update->target);
  cxx::Expr element;
  if (update->op == "+=") {
    element = update->value;
  } else if (const auto* call = update->value.as<cxx::Call>()) {
    const bool isFold =
        std::ranges::count(std::array{"wrap_add", "wrap_mul", "minimum", "maximum"}, atomText(call->callee)) > 0;
    if (isFold && call->args.size() == 2 && atomText(call->args[0]) == value) element = call->args[1];
  } else if (const auto* both = update->value.as<cxx::Binary>()) {
    const bool isFold = both->op == "&&" || both->op == "||" || both->op == "*";
    if (isFold && atomText(both->lhs) == value) element = both->rhs;
  }
  const auto* place = element ? element.as<cxx::Index>() : nullptr;
  if (!place || value.empty() || atomText(place->base).empty()) return {};
  if (atomText(place->index) == first->name) return LaneFold{value, place->base, element, test->rhs};
  const auto* sum = place->index.as<cxx::Binary>();
  if (!sum || sum->op != "+" || atomText(sum->rhs) != first->name ||
      wordsOf(cxx::print(sum->lhs)).contains(first->name))
    return {};
  return LaneFold{value, cxx::binary("+", place->base, sum->lhs), element, test->rhs};
}

/// `v = block_reduce<Sum>(v);`: its template arguments, with brackets.
std::string foldOfBlock(const cxx::Stmt& s, const std::string& value) {
  constexpr std::string_view name = "block_reduce";
  const auto* update = s.as<cxx::Assign>();
  const auto* call = update ? update->value.as<cxx::Call>() : nullptr;
  const std::string callee = call ? atomText(call->callee) : "";
  return callee.starts_with(name) && atomText(update->target) == value ? callee.substr(name.size()) : "";
}

} // namespace

void foldBlocks(Context& c, const std::map<std::string, std::string>& arrays, std::vector<cxx::Stmt>& all) {
  for (size_t i = 0; i + 1 < all.size(); ++i) {
    const auto lanes = laneFoldOf(all[i]);
    if (!lanes) continue;
    const auto* wait = all[i + 1].as<cxx::Evaluate>();
    const auto* barrier = wait ? wait->value.as<cxx::Call>() : nullptr;
    const size_t last = i + (barrier && atomText(barrier->callee) == "__syncthreads" ? 2 : 1);
    const std::string kind = last < all.size() ? foldOfBlock(all[last], lanes->value) : "";
    size_t first = i;
    while (first > 0 && (!all[first].is<cxx::Declare>() || all[first].as<cxx::Declare>()->name != lanes->value) &&
           (first == i || !wordsOf(cxx::print(all[first])).contains(lanes->value)))
      --first;
    const auto* variable = all[first].as<cxx::Declare>();
    if (kind.empty() || !variable || variable->name != lanes->value || !variable->init) continue;
    const auto array = arrays.find(atomText(lanes->element.as<cxx::Index>()->base));
    if (array == arrays.end() || array->second != variable->type.name) continue;
    c.support.use("block_fold");
    std::vector<cxx::Expr> args{lanes->row, lanes->count};
    const std::string start = atomText(variable->init);
    if (start != "0" && start != "0.0" && start != "0.0f" && start != "false") args.push_back(variable->init);
    const std::string name = variable->name, type = variable->type.name;
    const bool stays = std::none_of(all.begin() + static_cast<ptrdiff_t>(last) + 1, all.end(),
                                    [&](const cxx::Stmt& s) { return changes(s, name); });
    all[last] = cxx::from(all[i]->sourceLine,
                          cxx::declare(stays ? cxx::constType(type) : cxx::type(type), name,
                                       cxx::call("block_fold" + kind, std::move(args))));
    all.erase(all.begin() + static_cast<ptrdiff_t>(i));
    all.erase(all.begin() + static_cast<ptrdiff_t>(first));
    i = last - 2;
  }
}

} // namespace appyc::target
