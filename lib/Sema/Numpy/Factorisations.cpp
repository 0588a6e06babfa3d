//===- Factorisations.cpp - matrices factored by a library or the support code ------------------------------===//
//   _eigen_rows(1, a, w)          =>   call eigen_rows(inout a, out w, count, n, 1)
//   _singular_rows(0, a, s, u)    =>   call singular_rows(inout a, out s, out u, count, k, rows, n, 0)
//   _solve_columns(a, x)          =>   call solve_columns(inout a, inout x, count, n)
// Of batches of matrices, in place. NumPy's functions stand upon them in Python (numpy_library/_spectra.py, linalg.py).
#include "Arguments.h"
#include "Lowering.h"
#include "appyc/IR/Build.h"
#include "appyc/Support/InternalError.h"

namespace appyc::sema {

/// Are the arguments of the routine's operands' names memory as a whole? Those of lists' lengths may be a part of what there
/// is room for.
static bool hasMemory(ir::RoutineName name, const Bound& b) {
  return std::ranges::all_of(ir::info(name).operands, [&](const ir::RoutineOperand& operand) {
    const auto* a = b[std::string(operand.name)].as<Array>();
    return a && a->view && a->view->whole;
  });
}

constexpr std::string_view kPartOfRoom = "a matrix of which only a step of a loop tells the size is not "
                                         "factored there; write the loop in the caller, or give all one size";

/// The call with the arguments of its operands' names.
static ir::Routine routineOn(ir::RoutineName name, const Bound& b) {
  ir::Routine call{name, {}, {}};
  for (const ir::RoutineOperand& operand : ir::info(name).operands) {
    const auto* a = b[std::string(operand.name)].as<Array>();
    if (!a || !a->view || !a->view->whole) internalError("a matrix to factor that is no memory");
    call.operands.push_back({a->view->buffer.name, Indices(a->shape.size(), ir::intConst(0))});
  }
  return call;
}

Value Lowering::callFactorRows(const Bound& b) {
  const bool isSingular = b.name() == "_singular_rows";
  const ir::RoutineName name = isSingular                  ? ir::RoutineName::SingularRows
                               : b.name() == "_eigen_rows" ? ir::RoutineName::EigenRows
                                                           : ir::RoutineName::GeneralEigenRows;
  if (!hasMemory(name, b)) return error(DiagId::Unsupported, b.where, std::string(kPartOfRoom));
  ir::Routine call = routineOn(name, b);
  const auto *rows = b["rows"].as<Array>(), *values = b["values"].as<Array>();
  const std::optional<int64_t> hasVectors = constantArgument(b["has_vectors"]);
  if (!hasVectors) internalError("vectors that may be asked for");
  if (!hasAllThreads("a factorisation", b.where)) return Value{};
  call.numbers = {values->shape[0], values->shape[1]};
  if (isSingular) call.numbers.insert(call.numbers.end(), {rows->shape[1], rows->shape[2]});
  call.numbers.push_back(ir::intConst(*hasVectors));
  emit(std::move(call));
  return Value{NoneValue{}};
}

Value Lowering::callSolveColumns(const Bound& b) {
  if (!hasMemory(ir::RoutineName::SolveColumns, b))
    return error(DiagId::Unsupported, b.where, std::string(kPartOfRoom));
  ir::Routine call = routineOn(ir::RoutineName::SolveColumns, b);
  call.numbers = b["x"].as<Array>()->shape;
  emit(std::move(call));
  return Value{NoneValue{}};
}

Value Lowering::callCholeskyRows(const Bound& b) {
  if (!hasMemory(ir::RoutineName::CholeskyRows, b))
    return error(DiagId::Unsupported, b.where, std::string(kPartOfRoom));
  ir::Routine call = routineOn(ir::RoutineName::CholeskyRows, b);
  call.numbers = {b["rows"].as<Array>()->shape[0]};
  emit(std::move(call));
  return Value{NoneValue{}};
}

} // namespace appyc::sema
