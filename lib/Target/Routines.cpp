//===- Routines.cpp - calls of libraries and of support code, by their rows ------------------------------===//
#include "Expressions.h"
#include "Functions.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/IR/Build.h"
#include <algorithm>

namespace appyc::target {

using namespace ir;

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
  if (c.cuda) args.push_back(cxx::name("stream"));
  c.support.use(isComplexCall ? "complex_" + std::string(row.function) : row.function);
  return cxx::returnOnFailure(cxx::call(std::string(row.function), std::move(args)));
}

} // namespace appyc::target
