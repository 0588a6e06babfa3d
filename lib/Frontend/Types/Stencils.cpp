//===- Stencils.cpp - `@stencil` of Numba ---------------------------------------------------------------===//
//   @stencil(cval=1.0)
//   def mean(a): return (a[0, -1] + a[0, 1]) / 2      =>      stencil(mean, ((0, 0), (-1, 1)), (True,), 1.0)
// Subscripts count from the element that is made: how far they reach is read from them, or from `neighborhood=`.
#include "Stencils.h"
#include "Imports.h"
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <vector>

namespace appyc::frontend {

namespace {

class StencilReader {
public:
  StencilReader(const Source& source, Diagnostics& diag) : source_(source), diag_(diag) {}

  std::string read(Node decorator, Node function) {
    const Node call = decorator.namedChildren()[0];
    for (const Node option : call.is("call") ? call.field("arguments").namedChildren() : std::vector<Node>())
      readOption(option);
    std::vector<std::string> names;
    for (const Node parameter : function.field("parameters").namedChildren())
      if (!parameter.isComment())
        names.push_back(text(parameter.is("identifier") ? parameter : parameter.namedChildren()[0]));
    walk(function.field("body"), [&](Node node, size_t) {
      if (node.is("subscript")) readSubscript(node, names);
      return true;
    });
    std::string spans = "(", relative = "(";
    for (const auto& [low, high] : reaches_) spans += fmt::format("({}, {}), ", low, high);
    for (const std::string& name : names) relative += isRelative_[name] ? "True, " : "False, ";
    const std::string reaches = neighborhood_.empty() ? spans + ")" : neighborhood_;
    return fmt::format("({}, {}), {})", reaches, relative, cval_);
  }

private:
  std::string text(Node node) const { return std::string(source_.text(node.span())); }

  void readOption(Node option) {
    const bool isNamed = option.is("keyword_argument");
    const std::string name = isNamed ? text(option.field("name")) : "func_or_mode";
    const Node value = isNamed ? option.field("value") : option;
    if (name == "neighborhood")
      neighborhood_ = text(value);
    else if (name == "cval")
      cval_ = text(value);
    else if (name == "standard_indexing")
      walk(value, [&](Node node, size_t) {
        if (node.is("string_content")) plain_.push_back(text(node));
        return true;
      });
    else if (name != "func_or_mode" || text(value).find("constant") == std::string::npos)
      diag_.report(DiagId::BadDirective, option.span(),
                   "`@stencil` takes `cval=`, `neighborhood=` and `standard_indexing=`");
  }

  /// A whole number as written, `-2`.
  std::optional<int64_t> number(Node index) const {
    std::string written = text(index);
    std::erase(written, ' ');
    int64_t value = 0;
    const auto [end, failed] = std::from_chars(written.data(), written.data() + written.size(), value);
    return failed == std::errc() && end == written.data() + written.size() ? std::optional(value)
                                                                           : std::nullopt;
  }

  void readSubscript(Node node, const std::vector<std::string>& names) {
    const Node of = node.field("value");
    const std::string name = of.is("identifier") ? text(of) : "";
    if (std::ranges::find(names, name) == names.end() || std::ranges::find(plain_, name) != plain_.end())
      return;
    isRelative_[name] = true;
    std::vector<Node> indices = node.namedChildren();
    indices.erase(indices.begin());
    if (indices.size() == 1 && indices[0].is("tuple")) indices = indices[0].namedChildren();
    reaches_.resize(std::max(reaches_.size(), indices.size()));
    for (size_t axis = 0; axis < indices.size() && neighborhood_.empty(); ++axis) {
      const std::optional<int64_t> at = number(indices[axis]);
      if (!at) {
        diag_.report(DiagId::BadDirective, indices[axis].span(),
                     "how far this subscript of a stencil reaches is not known; say it, "
                     "`@stencil(neighborhood=((-1, 1), (0, 2)))`");
        continue;
      }
      reaches_[axis].first = std::min(reaches_[axis].first, *at);
      reaches_[axis].second = std::max(reaches_[axis].second, *at);
    }
  }

  const Source& source_;
  Diagnostics& diag_;
  std::string neighborhood_, cval_ = "None";
  std::vector<std::string> plain_; ///< arrays with Python's subscripts
  std::map<std::string, bool> isRelative_;
  std::vector<std::pair<int64_t, int64_t>> reaches_; ///< along each axis, the element itself among them
};

} // namespace

Node stencilDecorator(const Source& source, Node outer, const std::vector<ast::Import>& imports) {
  for (const Node part : outer.namedChildren()) {
    if (!part.is("decorator") || part.namedChildren().empty()) continue;
    const Node what = part.namedChildren()[0], name = what.is("call") ? what.field("function") : what;
    if (nameInFull(std::string(source.text(name.span())), imports) == "numba.stencil") return part;
  }
  return {};
}

std::string givenToStencil(const Source& source, Node outer, Node decorator, Diagnostics& diag) {
  return StencilReader(source, diag).read(decorator, outer.field("definition"));
}

} // namespace appyc::frontend
