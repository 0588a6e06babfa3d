//===- Refusals.cpp - what is said of arrays whose shapes do not fit, by a function of the support code -----===//
#include "Refusals.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/Cxx/Print.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace appyc::target {

namespace {

/// The text around two shapes, and the function that says it.
struct Row {
  std::string_view status, function, before, between, after;
};
constexpr std::string_view here = " here: pass one that is repeated, as np.broadcast_to gives",
                           stretched = " cannot be broadcast together here: pass one that is repeated, as "
                                       "np.broadcast_to gives",
                           stored = "could not broadcast input array of shape ";
constexpr std::array rows{
    Row{"ValueError", "refuse_product", "the inner sizes of a matrix product must be equal: ", " and ", ""},
    Row{"ValueError", "refuse_broadcast", "", " and ", " cannot be broadcast together"},
    Row{"NotImplementedError", "refuse_stretch", "", " and ", stretched},
    Row{"ValueError", "refuse_store", stored, " into ", ""},
    Row{"NotImplementedError", "refuse_store_stretch", stored, " into ", here},
    Row{"IndexError", "refuse_mask", "boolean index of shape ", " did not match ", ""}};

/// What many lines of one program say, with no shapes.
constexpr std::string_view noRoom =
    "a list has more items than there is room for; write into an array that has more";

/// "line 7: " up to its end; nothing where it does not begin so.
std::optional<int64_t> takeLine(std::string_view& text) {
  constexpr std::string_view start = "line ", end = ": ";
  const size_t colon = text.find(end);
  int64_t line = 0;
  if (!text.starts_with(start) || colon == std::string_view::npos) return {};
  const char* last = text.data() + colon;
  if (const auto [stop, error] = std::from_chars(text.data() + start.size(), last, line);
      error != std::errc() || stop != last)
    return {};
  text.remove_prefix(colon + end.size());
  return line;
}

class Shapes {
public:
  explicit Shapes(const std::vector<cxx::Expr>& values) : values_(values) {}

  /// `{"`x`", {n, 3}}` of "`x` (%lld, 3)", whose numbers are the next values.
  std::optional<cxx::Expr> next(std::string_view text) {
    const size_t open = text.rfind('(');
    if (open == std::string_view::npos || !text.ends_with(')')) return {};
    std::string_view name = text.substr(0, open), list = text.substr(open + 1, text.size() - open - 2);
    if (name.ends_with(' ')) name.remove_suffix(1);
    if (name.find('%') != std::string_view::npos) return {};
    if (list.ends_with(',')) list.remove_suffix(1);
    std::vector<cxx::Expr> extents;
    while (!list.empty()) {
      const size_t end = std::min(list.find(", "), list.size());
      if (!take(list.substr(0, end), extents)) return {};
      list.remove_prefix(std::min(end + 2, list.size()));
    }
    return cxx::braces("", {cxx::text(std::string(name)), cxx::braces("", std::move(extents))});
  }
  std::optional<cxx::Expr> number() { return atEnd() ? std::nullopt : std::optional(values_[taken_++]); }
  bool atEnd() const { return taken_ == values_.size(); }

private:
  bool take(std::string_view extent, std::vector<cxx::Expr>& extents) {
    if (extent == "%lld") {
      if (atEnd()) return false;
      extents.push_back(values_[taken_++]);
      return true;
    }
    int64_t number = 0;
    const char* last = extent.data() + extent.size();
    const auto [stop, error] = std::from_chars(extent.data(), last, number);
    if (error != std::errc() || stop != last) return false;
    extents.push_back(cxx::number(number));
    return true;
  }

  const std::vector<cxx::Expr>& values_;
  size_t taken_ = 0;
};

/// What is said of one shape, or one extent.
std::optional<cxx::Expr> refusalOfOne(Support& support, int64_t line, std::string_view message,
                                      const std::vector<cxx::Expr>& values) {
  const auto take = [&](std::string_view text) {
    const bool is = message.starts_with(text);
    if (is) message.remove_prefix(text.size());
    return is;
  };
  Shapes shapes(values);
  std::string_view function;
  std::vector<cxx::Expr> args{cxx::number(line)};
  std::optional<cxx::Expr> last;
  if (take("negative dimensions are not allowed: %lld") && message.empty()) {
    function = "refuse_negative";
    last = shapes.number();
  } else if (take("cannot reshape array of size %lld into shape ")) {
    function = "refuse_reshape";
    if (const auto size = shapes.number()) args.push_back(*size);
    last = shapes.next(message);
  } else if (take("zero-size array to reduction operation ")) {
    function = "refuse_empty";
    const size_t end = message.find(' ');
    args.push_back(cxx::text(std::string(message.substr(0, end))));
    message.remove_prefix(std::min(end, message.size()));
    if (take(" which has no identity: ")) last = shapes.next(message);
  }
  if (!last || !shapes.atEnd()) return {};
  support.use(function);
  args.push_back(*last);
  return cxx::call(function, std::move(args));
}

} // namespace

std::optional<cxx::Expr> refusalOfShapes(Support& support, std::string_view status, std::string_view message,
                                         const std::vector<cxx::Expr>& values) {
  const std::optional<int64_t> line = takeLine(message);
  if (line && status == "MemoryError" && message == noRoom) {
    support.use("refuse_items");
    return cxx::call("refuse_items", {cxx::number(*line)});
  }
  if (line && status == "ValueError")
    if (const auto said = refusalOfOne(support, *line, message, values)) return said;
  for (const Row& row : rows) {
    if (!line || row.status != status || !message.starts_with(row.before) || !message.ends_with(row.after))
      continue;
    if (message.size() < row.before.size() + row.after.size()) continue;
    const std::string_view both =
        message.substr(row.before.size(), message.size() - row.before.size() - row.after.size());
    const size_t middle = both.find(std::string(")").append(row.between));
    if (middle == std::string_view::npos) continue;
    Shapes shapes(values);
    const auto first = shapes.next(both.substr(0, middle + 1)),
               second = shapes.next(both.substr(middle + 1 + row.between.size()));
    if (!first || !second || !shapes.atEnd()) continue;
    support.use(row.function);
    return cxx::call(row.function, {cxx::number(*line), *first, *second});
  }
  return {};
}

static std::vector<ir::Expr> alternatives(const ir::Expr& e) {
  const auto* either = e.as<ir::Binary>();
  if (!either || either->op != ir::BinaryOp::LogicalOr) return {e};
  std::vector<ir::Expr> all = alternatives(either->lhs), more = alternatives(either->rhs);
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// What an `if` gives back, without `function(`; nothing where it is another call.
static std::optional<std::string> argumentsOf(const cxx::Stmt& s, const std::string& function) {
  const auto* check = s.as<cxx::If>();
  const auto* result = check && !check->otherwise ? check->then.as<cxx::Return>() : nullptr;
  if (!result || !result->value) return {};
  const std::string text = cxx::print(result->value);
  if (!text.starts_with(function + "(")) return {};
  return text.substr(function.size());
}

bool saysBoth(const ir::Require& first, const cxx::Stmt& text, const ir::Require& second,
              const cxx::Stmt& secondText) {
  bool isAsked = false;
  for (const std::string function : {"refuse_broadcast", "refuse_store"}) {
    const auto arguments = argumentsOf(text, function);
    isAsked |=
        arguments && arguments == argumentsOf(secondText, function == "refuse_store" ? "refuse_store_stretch"
                                                                                     : "refuse_stretch");
  }
  const std::vector<ir::Expr> all = alternatives(first.cond);
  return isAsked && std::ranges::all_of(alternatives(second.cond), [&](const ir::Expr& e) {
           return std::ranges::any_of(all, [&](const ir::Expr& other) { return ir::equal(e, other); });
         });
}

} // namespace appyc::target
