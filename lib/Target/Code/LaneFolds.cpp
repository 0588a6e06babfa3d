//===- LaneFolds.cpp - what lanes fold is one call -----------------------------------------------------------===//
//   double s = 0.0;
//   for (index_t c = threadIdx.x; c < chunks; c += blockDim.x) s += part[c];
//   s = block_reduce<Sum>(s);
// becomes `const double s = block_fold<Sum>(part, chunks);`, and what is not elements of a row, of lanes of a block, a group or a
// warp, `group_fold_of<Sum>(0.0, N, [&](index_t k) { return a[k] * b[k]; })`.
#include "Functions.h"
#include "Statements.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/Cxx/Print.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <functional>

namespace appyc::target {

namespace {

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Does the statement give the variable another value?
bool changes(const cxx::Stmt& s, const std::string& name) {
  const std::string text = cxx::print(s);
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at > 0 && isWord(text[at - 1])) || (end < text.size() && isWord(text[end]))) continue;
    const std::string before = text.substr(at > 1 ? at - 2 : 0, at > 1 ? 2 : at),
                      behind = text.substr(end, 4);
    if (before == "++" || before == "--" || before.ends_with("&")) return true;
    const size_t equal = behind.find('=');
    if (behind.starts_with(" ") && equal != std::string::npos && equal < 3 && behind[equal + 1] != '=' &&
        std::string_view("<>!").find(behind[equal - 1]) == std::string_view::npos)
      return true;
  }
  return false;
}

/// `for (T c = begin + threadIdx.x; c < end; c += blockDim.x) v = fold(v, element);`, or with lanes of a warp.
struct LaneLoop {
  std::string value, index, type, fold; ///< of two: the operator's name
  cxx::Expr begin, end, element;        ///< begin: none where it is 0
  cxx::Expr only{};                     ///< what has to hold for an element
  bool ofWarp = false;
};

/// The lane's number: the thread's in its block, or in its warp.
bool isLane(const cxx::Expr& e, bool& ofWarp) {
  if (const auto* part = e.as<cxx::Binary>()) {
    ofWarp = true;
    bool nested = false;
    return part->op == "%" && atomText(part->rhs) == "32" && isLane(part->lhs, nested) && !nested;
  }
  if (const auto* cast = e.as<cxx::Cast>()) return isLane(cast->arg, ofWarp);
  return atomText(e) == "threadIdx.x";
}

/// `v op= element`: the element, and which operator it is.
std::pair<cxx::Expr, std::string> folded(const cxx::Assign& update) {
  const std::string value = atomText(update.target);
  if (value.empty()) return {};
  if (update.op == "+=") return {update.value, "Sum"};
  if (const auto* call = update.value.as<cxx::Call>(); call && call->args.size() == 2) {
    static const std::map<std::string, std::string> folds{
        {"wrap_add", "Sum"}, {"wrap_mul", "Prod"}, {"minimum", "Min"}, {"maximum", "Max"}};
    const auto fold = folds.find(atomText(call->callee));
    if (fold != folds.end() && atomText(call->args[0]) == value) return {call->args[1], fold->second};
  }
  if (const auto* both = update.value.as<cxx::Binary>(); both && update.op == "=") {
    static const std::map<std::string, std::string> folds{
        {"&&", "And"}, {"||", "Or"}, {"*", "Prod"}, {"+", "Sum"}};
    const auto fold = folds.find(both->op);
    if (fold != folds.end() && atomText(both->lhs) == value) return {both->rhs, fold->second};
  }
  return {};
}

bool mentionsValue(const LaneLoop& loop) {
  return wordsOf(cxx::print(loop.element)).contains(loop.value) ||
         (loop.only && wordsOf(cxx::print(loop.only)).contains(loop.value));
}

std::optional<LaneLoop> laneLoopOf(const cxx::Stmt& s) {
  const auto* loop = s.as<cxx::For>();
  const auto* first = loop ? loop->init.as<cxx::Declare>() : nullptr;
  const auto* test = loop ? loop->cond.as<cxx::Binary>() : nullptr;
  const auto* step = loop ? loop->step.as<cxx::Assign>() : nullptr;
  const auto* choice = loop ? loop->body.as<cxx::If>() : nullptr;
  if (choice && (choice->init || choice->otherwise)) return {};
  const auto* update = loop ? (choice ? choice->then : loop->body).as<cxx::Assign>() : nullptr;
  if (!first || !first->init || !test || !step || !update || test->op != "<" || step->op != "+=" ||
      atomText(test->lhs) != first->name)
    return {};
  const auto [element, fold] = folded(*update);
  LaneLoop found{atomText(update->target), first->name, first->type.name, fold, {}, test->rhs, element};
  if (choice) found.only = choice->cond;
  if (!isLane(first->init, found.ofWarp)) {
    const auto* sum = first->init.as<cxx::Binary>();
    found.ofWarp = false;
    if (!sum || sum->op != "+" || !isLane(sum->rhs, found.ofWarp)) return {};
    found.begin = sum->lhs;
  }
  if (fold.empty() || atomText(step->value) != (found.ofWarp ? "32" : "blockDim.x") || mentionsValue(found))
    return {};
  return found;
}

/// The row whose elements they are, one by one.
cxx::Expr rowOf(const LaneLoop& loop) {
  const auto* place = loop.element.as<cxx::Index>();
  if (!place || loop.only || atomText(place->base).empty()) return {};
  if (atomText(place->index) == loop.index) return place->base;
  const auto* sum = place->index.as<cxx::Binary>();
  const bool isRow = sum && sum->op == "+" && atomText(sum->rhs) == loop.index &&
                     !wordsOf(cxx::print(sum->lhs)).contains(loop.index);
  return isRow ? cxx::binary("+", place->base, sum->lhs) : cxx::Expr();
}

/// `v = block_reduce<Sum>(v);`: whose fold it is, and its template arguments with brackets.
std::pair<std::string, std::string> reductionOf(const cxx::Stmt& s, const LaneLoop& loop) {
  const auto* update = s.as<cxx::Assign>();
  const auto* call = update ? update->value.as<cxx::Call>() : nullptr;
  const std::string callee = call ? atomText(call->callee) : "";
  if (callee.empty() || atomText(update->target) != loop.value) return {};
  static const std::map<std::string, std::string> folds{{"block_reduce", "block_fold"},
                                                        {"group_reduce", "group_fold"},
                                                        {"group_reduce_apart", "group_fold_apart"},
                                                        {"warp_reduce", "warp_fold"}};
  const std::string kind = callee.substr(std::min(callee.find('<'), callee.size()));
  const auto fold = folds.find(callee.substr(0, callee.size() - kind.size()));
  const bool isIt =
      fold != folds.end() && kind.starts_with("<" + loop.fold) && !isWord(kind[loop.fold.size() + 1]);
  if (!isIt || loop.ofWarp != (fold->first == "warp_reduce")) return {};
  return {fold->second, kind};
}

/// In its own type where it stands alone.
cxx::Expr typed(const cxx::Expr& start, const std::string& type) {
  const std::string text = cxx::print(start);
  const bool isNumber = text.find_first_not_of("-0123456789") == std::string::npos;
  const bool isTyped =
      type == "bool" || type.find('<') != std::string::npos || (type == "int32_t" && isNumber) ||
      (type == "double" && text.find_first_not_of("-.0123456789") == std::string::npos && !isNumber) ||
      (type == "float" && text.ends_with("f"));
  return isTyped ? start : cxx::construct(type, start);
}

/// Of `c * chunk` and `minimum(c * chunk + chunk, count)`, however they are spelled: c, chunk, count.
std::vector<cxx::Expr> chunkOf(const cxx::Expr& begin, const cxx::Expr& end) {
  const auto partsOf = [](const cxx::Expr& e, const char* op,
                          const char* function) -> std::vector<cxx::Expr> {
    if (const auto* both = e ? e.as<cxx::Binary>() : nullptr; both && both->op == op)
      return {both->lhs, both->rhs};
    const auto* call = e ? e.as<cxx::Call>() : nullptr;
    const std::string callee = call ? atomText(call->callee) : "";
    return callee.substr(0, callee.find('<')) == function ? call->args : std::vector<cxx::Expr>();
  };
  const std::vector<cxx::Expr> product = partsOf(begin, "*", "wrap_mul"), least = partsOf(end, "", "minimum");
  const std::vector<cxx::Expr> sum = least.empty() ? least : partsOf(least[0], "+", "wrap_add");
  const std::vector<cxx::Expr> again = sum.empty() ? sum : partsOf(sum[0], "*", "wrap_mul");
  const auto isSame = [](const cxx::Expr& a, const cxx::Expr& b) { return cxx::print(a) == cxx::print(b); };
  const bool isChunk = product.size() == 2 && again.size() == 2 && isSame(product[0], again[0]) &&
                       isSame(product[1], again[1]) && isSame(product[1], sum[1]);
  if (!isChunk) return {};
  const auto* number = product[0].as<cxx::Cast>(); // which the function does
  return {number ? number->arg : product[0], product[1], least[1]};
}

/// `x += v;`, or `x = maximum(x, v);`, with the fold itself in place of v.
cxx::Stmt inPlaceOf(const std::string& name, const cxx::Expr& fold, const cxx::Stmt& s) {
  const auto* update = s.as<cxx::Assign>();
  const std::string target = update ? atomText(update->target) : "";
  if (target.empty() || target == name) return {};
  cxx::Expr value;
  if (atomText(update->value) == name) {
    value = fold;
  } else if (const auto* call = update->value.as<cxx::Call>()) {
    if (call->args.size() != 2 || atomText(call->args[0]) != target || atomText(call->args[1]) != name)
      return {};
    value = cxx::expr(cxx::Call{call->callee, {call->args[0], fold}});
  } else if (const auto* both = update->value.as<cxx::Binary>()) {
    const bool isLogical = both->op == "&&" || both->op == "||"; // which may leave the fold out
    if (isLogical || atomText(both->lhs) != target || atomText(both->rhs) != name) return {};
    value = cxx::binary(both->op, both->lhs, fold);
  }
  return value ? cxx::assign(update->target, value, update->op) : cxx::Stmt();
}

struct Folding {
  Context& c;
  const std::map<std::string, std::string>& arrays;
  std::vector<cxx::Stmt>& all;

  size_t behind(size_t i, const std::string& name) const { // the next that asks for it
    while (++i < all.size() && !wordsOf(cxx::print(all[i])).contains(name)) {
    }
    return i;
  }
  /// Its declaration before `i`, if nothing between asks for it.
  size_t declarationOf(const std::string& name, size_t i) const {
    for (size_t k = i; k-- > 0;) {
      const auto* variable = all[k].as<cxx::Declare>();
      if (variable && variable->name == name) return variable->init && !variable->isArray ? k : i;
      if (wordsOf(cxx::print(all[k])).contains(name)) return i;
    }
    return i;
  }

  /// What is given to the function, and which one it is.
  std::pair<std::string, std::vector<cxx::Expr>> callOf(const LaneLoop& loop, const std::string& who,
                                                        const cxx::Declare& variable, cxx::Expr end) {
    const std::string type = variable.type.name, start = atomText(variable.init);
    std::vector<cxx::Expr> chunk = who == "block_fold" ? chunkOf(loop.begin, end) : std::vector<cxx::Expr>();
    cxx::Expr& bound = chunk.empty() ? end : chunk.back();
    if (loop.type != c.indexType)
      bound = cxx::construct(loop.type, bound); // the function's index is of its type
    const cxx::Expr row = !loop.begin || !chunk.empty() ? rowOf(loop) : cxx::Expr();
    const auto array = row ? arrays.find(atomText(loop.element.as<cxx::Index>()->base)) : arrays.end();
    if (array != arrays.end() && array->second == type) {
      std::vector<cxx::Expr> args{row};
      args.insert(args.end(), chunk.begin(), chunk.end());
      if (chunk.empty()) args.push_back(end);
      if (start != "0" && start != "0.0" && start != "0.0f" && start != "false")
        args.push_back(variable.init);
      return {chunk.empty() ? who : "chunk_fold", std::move(args)};
    }
    const cxx::Expr given =
        loop.only ? cxx::ternary(loop.only, loop.element, typed(variable.init, type)) : loop.element;
    const std::string element =
        fmt::format("[&]({} {}) {{ return {}; }}", loop.type, loop.index, cxx::print(given));
    constexpr size_t fits = 92;
    if (element.size() > fits || element.find('\n') != std::string::npos) return {};
    std::vector<cxx::Expr> args{typed(variable.init, type)};
    std::string function = who + "_of";
    if (!chunk.empty()) {
      function = "chunk_fold_of";
      args.insert(args.end(), chunk.begin(), chunk.end());
    } else {
      if (loop.begin) args.push_back(cxx::construct(loop.type, loop.begin));
      args.push_back(end);
    }
    args.push_back(cxx::name(element));
    return {function, std::move(args)};
  }

  bool at(size_t i) {
    const auto loop = laneLoopOf(all[i]);
    if (!loop || (i > 0 && all[i - 1].is<cxx::Pragma>())) return false;
    const auto* wait = all[i + 1].as<cxx::Evaluate>();
    const auto* barrier = wait ? wait->value.as<cxx::Call>() : nullptr;
    const size_t last = i + (barrier && atomText(barrier->callee) == "__syncthreads" ? 2 : 1);
    const auto [who, kind] =
        last < all.size() ? reductionOf(all[last], *loop) : std::pair<std::string, std::string>();
    const size_t first = declarationOf(loop->value, i);
    if (who.empty() || first == i || (last > i + 1 && who != "block_fold")) return false;
    const auto* variable = all[first].as<cxx::Declare>();
    const std::string bound = atomText(loop->end);
    size_t limit = i; // its declaration, if it is the loop's alone
    if (!bound.empty() && isWord(bound[0]) && behind(i, bound) == all.size()) limit = declarationOf(bound, i);
    if (limit < i && !all[limit].as<cxx::Declare>()->type.isConst) limit = i;
    auto [function, args] =
        callOf(*loop, who, *variable, limit < i ? all[limit].as<cxx::Declare>()->init : loop->end);
    if (function.empty()) return false;
    c.support.use(function);
    const std::string name = variable->name, type = variable->type.name;
    const bool stays = std::none_of(all.begin() + static_cast<ptrdiff_t>(last) + 1, all.end(),
                                    [&](const cxx::Stmt& s) { return changes(s, name); });
    const bool isRow = !function.ends_with("_of");
    const cxx::Expr fold = cxx::call(function + kind, std::move(args));
    const cxx::Stmt taken = isRow && last + 1 < all.size() && behind(last + 1, name) == all.size()
                                ? inPlaceOf(name, fold, all[last + 1])
                                : cxx::Stmt();
    const cxx::Stmt own = cxx::declare(stays ? cxx::constType(type) : cxx::type(type), name, fold);
    all[last] = cxx::from(all[i]->sourceLine, taken ? taken : own);
    if (taken) all.erase(all.begin() + static_cast<ptrdiff_t>(last) + 1);
    for (const size_t gone : std::set<size_t, std::greater<>>{first, limit, i})
      all.erase(all.begin() + static_cast<ptrdiff_t>(gone));
    return true;
  }
};

} // namespace

void callLaneFolds(Context& c, const std::map<std::string, std::string>& arrays,
                   std::vector<cxx::Stmt>& all) {
  Folding folding{c, arrays, all};
  for (size_t i = 0; i + 1 < all.size();) i = folding.at(i) ? 0 : i + 1;
}

} // namespace appyc::target
