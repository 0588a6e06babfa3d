//===- Routines.cpp - calls of libraries and of support code, by their rows ------------------------------===//
#include "Expressions.h"
#include "Functions.h"
#include "Statements.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/IR/Build.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::target {

using namespace ir;

/// The fold of nothing; -0.0 is neutral in a sum, and 0.0 is not.
static Expr neutral(ReduceOp op, DType type) {
  return op == ReduceOp::Sum && isFloat(type) ? floatConst(-0.0, type) : identity(op, type);
}

cxx::Stmt callRoutine(Context& c, const Routine& r) {
  const RoutineInfo& row = info(r.name);
  Expressions expressions(c);
  std::vector<cxx::Expr> args;
  bool isComplexCall = false;
  for (const Routine::Operand& operand : r.operands) {
    const Buffer& buffer = c.buffer(operand.buffer);
    Expr position = intConst(0);
    for (size_t d = 0; d < operand.at.size(); ++d)
      position = add(mul(position, buffer.extents[d]), operand.at[d]);
    args.push_back(expressions.address(operand.buffer, position));
    isComplexCall = isComplexCall || isComplex(buffer.type);
  }
  for (const Expr& e : r.numbers) args.push_back(expressions.index(e));
  if (r.op) {
    const DType type = c.buffer(r.operands[2].buffer).type;
    useOperator(c.support, *r.op, type);
    args.push_back(expressions.exact(neutral(*r.op, type)));
  }
  if (c.cuda) args.push_back(cxx::name("stream"));
  const bool isOfLibrary = !c.cuda && calls(c.options.libraries, row.ofCpu);
  c.support.use(fmt::format("{}{}{}", isOfLibrary ? std::string(row.ofCpu) + "_" : "",
                            isComplexCall ? "complex_" : "", row.function));
  const std::string function(row.function);
  cxx::Expr call = r.op ? cxx::callTemplate(function, std::string(operatorName(*r.op)), std::move(args))
                        : cxx::call(function, std::move(args));
  return row.launches ? cxx::evaluate(std::move(call)) : cxx::returnOnFailure(std::move(call));
}

} // namespace appyc::target
