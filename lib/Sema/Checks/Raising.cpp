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

/// Raises where `holds` does not. A message with numbers in it is made by Python, when it is needed.
void Lowering::raiseUnless(const Expr& holds, const std::string& exception, const ast::Expr& message,
                           const std::string& own) {
  constexpr size_t kLongest = 500; // what the library keeps for the caller
  giveBackChosen();                // what has been stored by then remains
  std::string text;
  const Expr fails = ir::unary(ir::UnaryOp::LogicalNot, holds);
  std::vector<ir::Stmt> made = collect([&] {
    under(fails, [&] {
      const Value v = message ? eval(message) : Value{StringValue{}};
      if (const auto* s = v.as<StringValue>()) text = s->text;
      const bool isText = v.as<TextValue>() || isStoredText(v) || (!own.empty() && v.as<StringValue>());
      if (isText) {
        const std::optional<TextValue> code = codeOf(v, statement_);
        if (code && own.empty()) printMessage(*code);
        if (code && !own.empty()) raiseInPython(message ? *code : TextValue{{""}, {}}, own, exception);
        emit(ir::makeStmt({}, ir::Require{ir::boolConst(false), exception, "its message is made in Python"}));
      } else if (!v.isError() &&
                 (!v.as<StringValue>() || text.size() > kLongest || text.find('\0') != text.npos)) {
        error(DiagId::Unsupported, message->span,
              v.as<StringValue>() ? "a message has at most 500 bytes, and no NUL"
                                  : fmt::format("a message is a text, not {}", describe(v)));
      }
    });
  });
  if (!made.empty())
    emit(ir::If{fails, ir::block(std::move(made)), {}});
  else // no line is added to what the program says
    emit(ir::makeStmt({}, Message(text).check(holds, exception, {})));
}

/// `raise` where `unless`, if there is one, does not hold.
void Lowering::lowerRaise(const ast::Raise& s, const Expr& unless) {
  if (site_) return raiseInLibrary(s, unless);
  if (kernel_) {
    error(DiagId::Unsupported, statement_,
          "a kernel cannot raise; store a mark into an array, and look at it after the launch");
    return;
  }
  if (raiseAgain(s, unless)) return;
  const auto* call = s.exception.as<ast::Call>();
  const ast::Expr& callee = call ? call->callee : s.exception;
  const auto* name = callee.as<ast::Name>();
  const auto* attribute = callee.as<ast::Attribute>();
  const Value found = attribute ? eval(callee) : Value{NoneValue{}};
  const auto* path = found.as<Callable>();
  const bool isNumpys = path && path->path == "numpy.linalg.LinAlgError";
  const std::optional<Value> ofFile =
      name && !env().count(name->id) ? fileName(*file(), name->id, callee->span) : std::nullopt;
  const auto* ownClass = attribute ? found.as<ClassValue>() : ofFile ? ofFile->as<ClassValue>() : nullptr;
  const bool isClass = ownClass && !ownClass->type->exception.empty();
  const bool isOwn = name && !isClass &&
                     (env().count(name->id) || file()->functions.count(name->id) ||
                      std::any_of(file()->module->constants.begin(), file()->module->constants.end(),
                                  [&](const ast::Constant& c) { return c.name == name->id; }));
  if (!isNumpys && !isClass && (!name || isOwn || !ir::isException(name->id))) {
    error(DiagId::Unsupported, s.exception->span,
          ownClass ? fmt::format("`{}` is not raised: {}", ownClass->type->name, ownClass->type->problem)
                   : "appyc raises Python's own exceptions, such as `ValueError(\"...\")`, "
                     "np.linalg.LinAlgError and "
                     "classes of the file that derive from them; name one of these");
    return;
  }
  const size_t given = call ? call->args.size() + call->keywords.size() : 0;
  if (given > 1 || (given == 1 && call->args.empty())) {
    error(DiagId::Unsupported, s.exception->span, "an exception has one argument here: its message");
    return;
  }
  raiseUnless(unless ? unless : ir::boolConst(false),
              isNumpys  ? "LinAlgError"
              : isClass ? ownClass->type->exception
                        : name->id,
              given > 0 ? call->args[0] : ast::Expr(), isClass ? ownClass->type->name : "");
}

void Lowering::lowerAssert(const ast::Assert& s) {
  if (kernel_) {
    error(DiagId::Unsupported, statement_,
          "a kernel cannot raise; store a mark into an array, and look at it after the launch");
    return;
  }
  const Expr cond = evalCondition(s.cond);
  if (cond) raiseUnless(cond, "AssertionError", s.message);
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
