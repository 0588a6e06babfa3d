//===- Primitives.cpp - appy.map and appy.zipwith: a function of numbers for each element ------------------===//
// What computes one number by expressions is an array that nobody stores: map(f, map(g, x)) is one pass over x. Where the
// function branches, loops or checks, its results are stored one by one (numpy_library/primitives.py).
#include "Arguments.h"
#include "Lowering.h"
#include "appyc/IR/Walk.h"

namespace appyc::sema {

/// The value as the assignments before it make it; nothing where there is more than assignments.
static std::optional<Expr> inlined(const std::vector<ir::Stmt>& before, const Expr& value) {
  std::map<Symbol, Expr> known;
  bool isPlain = true;
  for (const ir::Stmt& s : before)
    ir::visit(s, [&](const ir::Stmt& part) {
      const auto* assign = part.as<ir::Assign>();
      isPlain = isPlain && (part.is<ir::Block>() || (assign && !known.count(assign->var)));
      if (isPlain && assign) known[assign->var] = ir::substitute(assign->value, known);
      return isPlain;
    });
  if (!isPlain) return std::nullopt;
  return ir::substitute(value, known);
}

/// appy.map(f, x), appy.zipwith(f, x, y)
Value Lowering::callMap(const Bound& b) {
  Values operands{b["x"]};
  if (b.find("y")) operands.push_back(b["y"]);
  Arguments one;
  one.where = b.where;
  std::vector<Symbol> elements;
  for (const Value& operand : operands) {
    const std::optional<Strength> s = strengthOf(operand, b.where);
    if (!s) return Value{};
    elements.emplace_back("element");
    one.positional.push_back(Value{Scalar{ir::var(elements.back(), s->type)}});
  }
  const int errors = diag_.errorCount();
  Value result;
  const std::vector<ir::Stmt> before = collect([&] { result = onlyValue(callValue(b["f"], one, true)); });
  if (result.isError() || diag_.errorCount() > errors) return Value{};
  const auto* number = result.as<Scalar>();
  if (!number)
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("the function of `{}` gives a number for each element, and this one {}",
                             b.display(), describe(result)));
  const std::optional<Expr> value = inlined(before, number->e);
  if (!value) {
    const Value kind{TypeValue{number->type()}};
    return operands.size() == 1
               ? callLibrary(*libraryFunctionAt("_mapped"), {{b["f"], kind, operands[0]}, {}, b.where})
               : callLibrary(*libraryFunctionAt("_zipped"),
                             {{b["f"], kind, operands[0], operands[1]}, {}, b.where});
  }
  return elementwise(
      operands, number->type(), false,
      [elements, e = *value](const std::vector<Expr>& given) {
        std::map<Symbol, Expr> by;
        for (size_t k = 0; k < elements.size(); ++k) by.emplace(elements[k], given[k]);
        return ir::substitute(e, by);
      },
      b.where);
}

} // namespace appyc::sema
