//===- WidenedCall.cpp - arguments that are stretched before the call -------------------------------------===//
#include "PythonModule.h"
#include "appyc/IR/Build.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace appyc::wrapper {

using namespace ir;

/// `(a, b,)`
static std::string tuple(const std::vector<std::string>& parts) {
  return fmt::format("({}{})", fmt::join(parts, ", "), parts.empty() ? "" : ",");
}

namespace {
/// The lines
///   if not (n == m):
///       wide = _widened((("x", x, _float64, x_shape),), ((1, ((0, 1, True),), ()),))
///       if wide:
///           x, = wide
///           return f(x=x, stream=stream)
class WidenedCall {
public:
  WidenedCall(const Function& f, const Locals& locals) : function_(f), locals_(locals) {}

  void write(PythonText& out, const std::string& name, const std::vector<std::string>& again) {
    Expr equal;
    std::vector<std::string> classes, rows, arrays;
    for (const Widened& w : function_.widened) {
      equal = equal ? binary(BinaryOp::LogicalAnd, equal, w.equal) : w.equal;
      classes.push_back(classOf(w));
    }
    for (int p : params_) {
      const Param& param = paramAt(p);
      arrays.push_back(locals_.names.at(param.name));
      rows.push_back(fmt::format("({}, {}, {}, {})", quoted(param.name.hint()), arrays.back(),
                                 dtypeName(param.type), locals_.shapes.at(param.name)));
    }
    out.line(1, fmt::format("if not ({}):", pythonExpr(equal, locals_.names)));
    out.call(2, locals_.free + " = _widened", {tuple(rows), tuple(classes)});
    out.line(2, fmt::format("if {}:", locals_.free));
    out.line(3,
             fmt::format("{}{} = {}", fmt::join(arrays, ", "), arrays.size() == 1 ? "," : "", locals_.free));
    out.call(3, "return " + name, again);
  }

private:
  const Param& paramAt(int number) const { return function_.params[static_cast<size_t>(number)]; }

  std::string classOf(const Widened& w) {
    std::vector<std::string> axes, seen;
    for (const Widened::Axis& a : w.axes) {
      const auto place = std::ranges::find(params_, a.param);
      const char* may = a.may ? "True" : paramAt(a.param).written ? "None" : "False";
      axes.push_back(fmt::format("({}, {}, {})", place - params_.begin(), a.axis, may));
      if (place == params_.end()) params_.push_back(a.param);
    }
    for (unsigned choice : w.seen) seen.push_back(fmt::format("{}", choice));
    const std::string number = w.number ? pythonExpr(w.number, locals_.names) : "1";
    return fmt::format("({}, {}, {})", number, tuple(axes), tuple(seen));
  }

  const Function& function_;
  const Locals& locals_;
  std::vector<int> params_; ///< that take part
};
} // namespace

void writeWidenedCall(PythonText& out, const Function& f, const Locals& locals, const std::string& name,
                      const std::vector<std::string>& again) {
  WidenedCall(f, locals).write(out, name, again);
}

} // namespace appyc::wrapper
