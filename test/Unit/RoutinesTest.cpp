//===- RoutinesTest.cpp - what is known of a routine follows from its row ---------------------------------===//
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Rewrite.h"
#include <catch2/catch.hpp>

using namespace appyc;
using namespace appyc::ir;

namespace {

constexpr RoutineName kAll[] = {
#define ROUTINE(Id, ...) RoutineName::Id,
#include "appyc/IR/Routines.def"
#undef ROUTINE
};

/// A function that calls the routine with arrays of two axes and one size.
struct Called {
  const RoutineInfo& row;
  Symbol n{"N"}, start{"start"};
  Function function;
  Stmt call;

  explicit Called(RoutineName name) : row(info(name)) {
    Routine routine{name, {}, {}};
    function.name = function.entry = "f";
    for (const RoutineOperand& operand : row.operands) {
      const Buffer b{Symbol(std::string(operand.name)), operand.type.value_or(DType::F32), {var(n), var(n)}};
      function.buffers.push_back(b);
      function.params.push_back({b.name, b.type, true, b.extents, true});
      routine.operands.push_back({b.name, {var(n), intConst(0)}});
    }
    for (size_t i = 0; i < row.numbers; ++i) routine.numbers.push_back(var(n));
    if (row.folds) routine.op = ReduceOp::Sum;
    function.sizes = {{n, 0, 0}};
    call = makeStmt({}, std::move(routine));
    function.body = call;
  }
  std::set<Symbol> named(bool (*holds)(Effect)) const {
    std::set<Symbol> names;
    for (size_t i = 0; i < row.operands.size(); ++i)
      if (holds(row.operands[i].effect)) names.insert(function.buffers[i].name);
    return names;
  }
};

} // namespace

TEST_CASE("a routine reads and writes what its row says") {
  for (const RoutineName name : kAll) {
    const Called f(name);
    INFO(f.row.function);
    CHECK(loadedBuffers(f.call) == f.named(reads));
    CHECK(storedBuffers(f.call) == f.named(writes));
    CHECK(!storedBuffers(f.call).empty());
  }
  CHECK((reads(Effect::In) && reads(Effect::InOut) && !reads(Effect::Out) && !reads(Effect::Scratch)));
  CHECK((!writes(Effect::In) && writes(Effect::InOut) && writes(Effect::Out) && writes(Effect::Scratch)));
}

TEST_CASE("a routine's subscripts and numbers are expressions of the statement") {
  for (const RoutineName name : kAll) {
    const Called f(name);
    const Symbol m("M");
    const std::string text = print(substitute(f.call, {{f.n, var(m)}}));
    CHECK(text.find("N") == std::string::npos);
    CHECK(text.find("call " + std::string(f.row.function) + (f.row.folds ? "<sum>(" : "(")) !=
          std::string::npos);
    size_t found = 0;
    forEachExpr(f.call, [&](const Expr& e) { found += mentions(e, f.n); });
    CHECK(found == f.row.operands.size() + f.row.numbers);
  }
}

TEST_CASE("a routine that is not as its row says is refused") {
  for (const RoutineName name : kAll) {
    Called f(name);
    const Module good{Level::Tensor, {f.function}};
    for (const Level level : {Level::Tensor, Level::Loop, Level::Scheduled})
      CHECK(verify(good, level).empty());
    const auto refused = [&](const std::function<void(Routine&)>& spoil) {
      Routine bad = *f.call.as<Routine>();
      spoil(bad);
      f.function.body = makeStmt({}, std::move(bad));
      return !verify({Level::Tensor, {f.function}}, Level::Tensor).empty();
    };
    CHECK(refused([](Routine& r) { r.operands.pop_back(); }));
    CHECK(refused([](Routine& r) { r.numbers.push_back(intConst(1)); }));
    CHECK(refused([](Routine& r) { r.numbers[0] = intConst(1, DType::I32); }));
    CHECK(refused([](Routine& r) { r.operands[0].at.pop_back(); }));
    CHECK(refused([](Routine& r) { r.operands[0].buffer = Symbol("nowhere"); }));
    for (size_t i = 0; i < f.row.operands.size(); ++i)
      if (f.row.operands[i].type) {
        f.function.buffers[i].type = DType::C64;
        CHECK(refused([](Routine&) {}));
      }
  }
}

TEST_CASE("a loop that calls a routine is not parallel, even where its arrays are each iteration's own") {
  for (const RoutineName name : kAll) {
    const Called f(name);
    std::vector<Stmt> body;
    for (const Buffer& b : f.function.buffers) body.push_back(makeStmt({}, Alloc{b}));
    body.push_back(f.call);
    const For loop = serialLoop(Symbol("i"), intConst(0), var(f.n), intConst(1), block(std::move(body)));
    CHECK(analysis::judgeParallel(loop, {}, {}).answer == analysis::Answer::Unknown);
  }
}
