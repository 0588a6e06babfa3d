//===- Raising.cpp - `raise` and `assert` ---------------------------------------------------------------===//
//   if n < 0: raise ValueError("text")      =>      require not n < 0, ValueError, "text"
//   assert x > 0, "text"                            require x > 0, AssertionError, "text"
// The call raises the exception with the program's own message; what has been stored before stays. In loops the check
// makes the loop run in order (order-checks). What goes on is the other side of the branch: names need no value where
// it raises.
#include "Leaving.h"
#include "Lowering.h"
#include "appyc/IR/Abi.h"

namespace appyc::sema {

/// A text known at translation.
std::optional<std::string> Lowering::messageText(const ast::Expr& e) {
  constexpr size_t kLongest = 500; // what the library keeps for the caller
  const Value v = eval(e);
  if (v.isError()) return std::nullopt;
  const auto* s = v.as<StringValue>();
  if (s && s->text.size() <= kLongest && s->text.find('\0') == std::string::npos) return s->text;
  error(DiagId::Unsupported, e->span,
        s ? "a message has at most 500 bytes, and no NUL"
          : fmt::format("a message is one constant text, not {}", describe(v)));
  return std::nullopt;
}

/// `raise` where `unless`, if there is one, does not hold.
void Lowering::lowerRaise(const ast::Raise& s, const Expr& unless) {
  if (site_) return raiseInLibrary(s, unless);
  const auto* call = s.exception.as<ast::Call>();
  const auto* name = (call ? call->callee : s.exception).as<ast::Name>();
  const bool isOwn = name && (env().count(name->id) || file()->functions.count(name->id) ||
                              std::any_of(file()->module->constants.begin(), file()->module->constants.end(),
                                          [&](const ast::Constant& c) { return c.name == name->id; }));
  if (!name || isOwn || !ir::isException(name->id)) {
    error(DiagId::Unsupported, s.exception->span,
          "appyc raises Python's own exceptions, such as `ValueError(\"...\")`; name one of these");
    return;
  }
  std::string text;
  if (call && call->args.size() + call->keywords.size() > 0) {
    if (call->args.size() != 1 || !call->keywords.empty()) {
      error(DiagId::Unsupported, s.exception->span, "an exception has one argument here: its message");
      return;
    }
    const std::optional<std::string> given = messageText(call->args[0]);
    if (!given) return;
    text = *given;
  }
  ir::Require check = Message(text).check(unless ? unless : ir::boolConst(false), name->id, {});
  emit(ir::makeStmt({}, std::move(check))); // no line is added to what the program says
}

void Lowering::lowerAssert(const ast::Assert& s) {
  const Expr cond = evalCondition(s.cond);
  if (!cond) return;
  std::optional<std::string> text = "";
  if (s.message) text = messageText(s.message);
  if (!text) return;
  ir::Require check = Message(*text).check(cond, "AssertionError", {});
  emit(ir::makeStmt({}, std::move(check))); // no line is added to what the program says
}

/// A branch of which one side always raises: what follows is the other one.
std::optional<Returned> Lowering::lowerRaising(const ast::If& s, const Expr& cond, const Rest& rest,
                                               Span span) {
  const bool isThen = alwaysRaises(s.then);
  const ast::Body &raising = isThen ? s.then : s.otherwise, &goesOn = isThen ? s.otherwise : s.then;
  const Expr isFine = isThen ? ir::unary(ir::UnaryOp::LogicalNot, cond) : cond;
  if (const auto* raise = raising.size() == 1 ? raising[0].as<ast::Raise>() : nullptr) {
    statement_ = raising[0]->span;
    lowerRaise(*raise, isFine);
  } else {
    const Env before = env();
    std::vector<ir::Stmt> made = collect(
        [&] { under(ir::unary(ir::UnaryOp::LogicalNot, isFine), [&] { lowerStatements(raising, 0); }); });
    env() = before;
    emit(ir::If{ir::unary(ir::UnaryOp::LogicalNot, isFine), ir::block(std::move(made)), {}});
  }
  statement_ = span;
  if (mayReturn(goesOn)) return lowerStatements(goesOn, 0, &rest);
  return lowerStatements(goesOn, 0);
}

} // namespace appyc::sema
