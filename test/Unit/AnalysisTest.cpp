//===- AnalysisTest.cpp - which loops may run in any order, and why not -----------------------------===//
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/Analysis/Effects.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Simplify.h"
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace appyc;
using namespace appyc::ir;
using analysis::Answer;

namespace {

/// Names and short spellings; arrays are f64.
struct Fixture {
  Symbol i{"i"}, j{"j"}, k{"k"}, n{"N"}, m{"M"}, shift{"K"}, a{"A"}, b{"B"}, col{"col"}, s{"s"}, t{"t"};
  analysis::Context context{{}, {n, m}};
  uint32_t nextSpan = 1;

  Expr I() const { return var(i); }
  Expr J() const { return var(j); }
  Expr at(Symbol buffer, std::vector<Expr> index, DType type = DType::F64) const {
    return make(Load{type, std::move(buffer), std::move(index)});
  }
  Stmt put(Symbol buffer, std::vector<Expr> index, Expr value, std::optional<ReduceOp> atomic = {}) {
    uint32_t at = nextSpan++;
    return makeStmt({at, at + 1}, Store{std::move(buffer), std::move(index), std::move(value), atomic});
  }
  Stmt assign(Symbol name, Expr value) const {
    return makeStmt({}, Assign{std::move(name), std::move(value)});
  }
  For loop(Symbol index, Expr lo, Expr hi, Stmt body, int64_t step = 1) const {
    For f;
    f.index = std::move(index), f.lo = std::move(lo), f.hi = std::move(hi), f.step = intConst(step),
    f.body = std::move(body);
    return f;
  }
  For overI(Stmt body) const { return loop(i, intConst(0), var(n), std::move(body)); }
  analysis::ParallelVerdict judge(const For& f, std::set<Symbol> liveAfter = {}) const {
    return analysis::judgeParallel(f, context, liveAfter);
  }
};

Expr less(Expr a, Expr b) { return binary(BinaryOp::Lt, std::move(a), std::move(b)); }
Expr plus(Expr a, Expr b) { return binary(BinaryOp::Add, std::move(a), std::move(b)); }
Expr divide(Expr a, int64_t by) { return binary(BinaryOp::FloorDiv, std::move(a), intConst(by)); }
Expr modulo(Expr a, int64_t by) { return binary(BinaryOp::Mod, std::move(a), intConst(by)); }
Stmt stmt(For f) { return makeStmt({}, std::move(f)); }

} // namespace

TEST_CASE_METHOD(Fixture, "analysis: a copy is independent", "[analysis]") {
  CHECK(judge(overI(put(b, {I()}, at(a, {I()})))).answer == Answer::Proven);
  CHECK(judge(overI(put(a, {I()}, plus(at(a, {I()}), at(a, {I()}))))).answer == Answer::Proven);
}

TEST_CASE_METHOD(Fixture, "analysis: a shift by one is refuted with a witness", "[analysis]") {
  auto v = judge(overI(put(a, {add(I(), intConst(1))}, at(a, {I()}))));
  CHECK(v.answer == Answer::Refuted);
  CHECK(v.witness == "iteration i=0 writes A[1], iteration i=1 reads it");
  CHECK(v.writeAt == Span{1, 2});
  v = judge(overI(put(a, {I()}, at(a, {add(I(), intConst(1))}))));
  CHECK(v.witness == "iteration i=0 reads A[1], iteration i=1 writes it");
  v = judge(overI(put(a, {intConst(0)}, at(b, {I()}))));
  CHECK(v.witness == "iteration i=0 writes A[0], iteration i=1 writes it too");
}

TEST_CASE_METHOD(Fixture, "analysis: a shift by a variable gives the condition to test", "[analysis]") {
  auto v = judge(overI(put(a, {I()}, at(a, {add(I(), var(shift))}))));
  REQUIRE(v.answer == Answer::Conditional);
  auto holds = [&](int64_t size, int64_t by) {
    return std::get<bool>(rewrite(v.condition,
                                  [&](const Expr& e) -> Expr { // folds once the names have values
                                    if (const auto* x = e.as<Var>())
                                      return intConst(x->name == n ? size : by);
                                    if (const auto* x = e.as<Binary>()) return binary(x->op, x->lhs, x->rhs);
                                    return {};
                                  })
                              .as<Const>()
                              ->value);
  };
  CHECK(holds(10, 0));
  CHECK(holds(10, 10));
  CHECK(holds(10, -10));
  CHECK_FALSE(holds(10, 9));
  CHECK_FALSE(holds(10, -1));
}

TEST_CASE_METHOD(Fixture, "analysis: remainders and quotients are exact", "[analysis]") {
  Expr even = mul(I(), intConst(2));
  CHECK(judge(overI(put(a, {even}, at(a, {add(even, intConst(1))})))).answer == Answer::Proven);
  auto v = judge(overI(put(b, {modulo(I(), 8)}, at(a, {I()}))));
  CHECK(v.answer == Answer::Refuted);
  CHECK(v.witness == "iteration i=0 writes B[0], iteration i=8 writes it too");
  Expr half = divide(var(n), 2);
  CHECK(judge(loop(i, intConst(0), half, put(a, {I()}, at(a, {add(I(), half)})))).answer == Answer::Proven);
}

TEST_CASE_METHOD(Fixture, "analysis: stencils", "[analysis]") {
  Expr one = intConst(1), below = sub(var(n), one);
  auto nest = [&](Symbol target) {
    Expr sum =
        plus(at(a, {sub(I(), one), J()}), plus(at(a, {add(I(), one), J()}), at(a, {I(), sub(J(), one)})));
    return loop(i, one, below, stmt(loop(j, one, sub(var(m), one), put(target, {I(), J()}, sum))));
  };
  CHECK(judge(nest(b)).answer == Answer::Proven);
  For seidel = nest(a);
  CHECK(judge(seidel).answer == Answer::Refuted);
  analysis::Context inside{{&seidel}, context.sizes};
  auto v = analysis::judgeParallel(*seidel.body.as<For>(), inside, {});
  CHECK(v.answer == Answer::Refuted);
  CHECK(v.witness == "iteration j=1 writes A[1, 1], iteration j=2 reads it, with i=1");
}

TEST_CASE_METHOD(Fixture, "analysis: triangles", "[analysis]") {
  For transpose = overI(stmt(loop(j, intConst(0), I(), put(a, {I(), J()}, at(a, {J(), I()})))));
  CHECK(judge(transpose).answer == Answer::Proven);
  For cholesky = overI(stmt(loop(j, intConst(0), I(), put(a, {I(), J()}, at(a, {J(), J()})))));
  CHECK(judge(cholesky).answer == Answer::Proven); // the diagonal is not written
  For prefix =
      overI(stmt(loop(j, intConst(1), I(), put(a, {I(), J()}, at(a, {I(), sub(J(), intConst(1))})))));
  CHECK(judge(prefix).answer == Answer::Proven);
  analysis::Context inside{{&prefix}, context.sizes};
  CHECK(analysis::judgeParallel(*prefix.body.as<For>(), inside, {}).answer == Answer::Refuted);
}

TEST_CASE_METHOD(Fixture, "analysis: subscripts that depend on data are unknown, unless it does not matter",
                 "[analysis]") {
  Expr column = at(col, {I()}, DType::I64);
  auto v = judge(overI(put(a, {column}, at(b, {I()}))));
  CHECK(v.answer == Answer::Unknown);
  CHECK(v.reason == "which element of `A` is used is known only at run time");
  CHECK(judge(overI(put(a, {I()}, at(b, {column})))).answer == Answer::Proven);
  CHECK(judge(overI(put(a, {I(), column}, at(b, {I()})))).answer == Answer::Proven);
  // for i: for j in range(start[i], start[i+1]): y[i] = x[col[j]]
  For rows = loop(j, column, at(col, {add(I(), intConst(1))}, DType::I64),
                  put(a, {I()}, at(b, {at(col, {J()}, DType::I64)})));
  CHECK(judge(overI(stmt(rows))).answer == Answer::Proven);
  // Through a scalar of the iteration, affine or not.
  CHECK(judge(overI(block({assign(t, add(I(), intConst(3))), put(a, {var(t)}, at(b, {I()}))}))).answer ==
        Answer::Proven);
  CHECK(judge(overI(block({assign(t, column), put(a, {var(t)}, at(b, {I()}))}))).answer == Answer::Unknown);
}

TEST_CASE_METHOD(Fixture, "analysis: products of sizes are fixed values", "[analysis]") {
  Expr area = mul(var(n), var(m));
  CHECK(judge(overI(put(a, {add(I(), area)}, at(b, {I()})))).answer == Answer::Proven);
  CHECK(judge(loop(i, intConst(0), area, put(a, {I()}, at(b, {I()})))).answer == Answer::Proven);
  CHECK(judge(loop(i, intConst(0), area, put(a, {I()}, at(a, {add(I(), area)})))).answer == Answer::Proven);
}

TEST_CASE_METHOD(Fixture, "analysis: loops with other steps", "[analysis]") {
  Expr top = sub(var(n), intConst(1)), before = at(a, {sub(I(), intConst(1))});
  auto v = judge(loop(i, top, intConst(0), put(a, {I()}, before), -1));
  CHECK(v.answer == Answer::Refuted);
  CHECK(v.witness == "iteration i=2 reads A[1], iteration i=1 writes it");
  CHECK(judge(loop(i, top, intConst(0), put(a, {I()}, before), -2)).answer == Answer::Proven);
  CHECK(judge(loop(i, intConst(0), var(n), put(a, {I()}, at(a, {add(I(), intConst(3))})), 2)).answer ==
        Answer::Proven);
  CHECK(judge(loop(i, intConst(0), var(n), put(a, {I()}, at(a, {add(I(), intConst(4))})), 2)).answer ==
        Answer::Refuted);
  CHECK(judge(loop(i, intConst(0), intConst(0), put(a, {intConst(0)}, before))).answer == Answer::Proven);
}

TEST_CASE_METHOD(Fixture, "analysis: guards", "[analysis]") {
  Expr half = divide(var(n), 2), far = at(a, {add(I(), half)});
  Stmt store = put(a, {I()}, far);
  CHECK(judge(overI(makeStmt({}, If{less(add(I(), half), half), store, {}}))).answer == Answer::Proven);
  CHECK(judge(overI(makeStmt({}, If{less(I(), half), store, {}}))).answer == Answer::Proven);
  CHECK(judge(overI(store)).answer == Answer::Refuted);
  // Only the chosen side of a Select is evaluated.
  CHECK(judge(overI(put(a, {I()}, select(less(I(), half), at(b, {I()}), at(a, {I()}))))).answer ==
        Answer::Proven);
  Stmt first = put(a, {I()}, select(binary(BinaryOp::Ge, I(), var(n)), at(a, {intConst(0)}), at(b, {I()})));
  CHECK(judge(overI(first)).answer == Answer::Proven);
  Stmt found = put(a, {intConst(0)}, at(b, {I()}));
  auto v = judge(overI(makeStmt({}, If{less(at(b, {I()}), floatConst(0)), found, {}})));
  CHECK(v.answer == Answer::Unknown);
  CHECK(v.reason == "whether `A` is used is known only at run time");
}

TEST_CASE_METHOD(Fixture, "analysis: wrapped negative indices", "[analysis]") {
  Expr before = sub(I(), intConst(1)),
       wrapped = select(less(before, intConst(0)), add(before, var(n)), before);
  CHECK(judge(overI(put(b, {wrapped}, at(a, {I()})))).answer == Answer::Proven);
  CHECK(judge(overI(put(a, {wrapped}, at(a, {I()})))).answer == Answer::Refuted);
  Expr call = make(Call{DType::I64, Intrinsic::WrapIndex, {before, var(n)}});
  CHECK(judge(overI(put(b, {call}, at(a, {I()})))).answer == Answer::Proven);
}

TEST_CASE_METHOD(Fixture, "analysis: narrow integers wrap and are not index arithmetic", "[analysis]") {
  Expr narrow = cast(
      DType::I64, make(Binary{DType::U8, BinaryOp::Add, make(Cast{DType::U8, I()}), intConst(1, DType::U8)}));
  CHECK(judge(overI(put(a, {narrow}, at(b, {I()})))).answer == Answer::Unknown);
}

TEST_CASE_METHOD(Fixture, "analysis: scalars that reduce", "[analysis]") {
  Expr x = at(a, {I()}), sum = var(s, DType::F64);
  auto reduction = [&](Expr value) -> std::optional<ReduceOp> {
    auto v = judge(overI(assign(s, std::move(value))), {s});
    if (v.reductions.empty()) return std::nullopt;
    CHECK(v.answer == Answer::Proven);
    return v.reductions.front().op;
  };
  CHECK(reduction(plus(sum, x)) == ReduceOp::Sum);
  CHECK(reduction(plus(x, sum)) == ReduceOp::Sum);
  CHECK(reduction(plus(plus(sum, x), x)) == ReduceOp::Sum);
  CHECK(reduction(binary(BinaryOp::Sub, sum, x)) == ReduceOp::Sum);
  CHECK(reduction(binary(BinaryOp::Max, x, sum)) == ReduceOp::Max);
  CHECK_FALSE(reduction(binary(BinaryOp::Sub, x, sum)));
  CHECK_FALSE(reduction(plus(sum, sum)));
  CHECK_FALSE(reduction(plus(binary(BinaryOp::Mul, sum, x), x)));
  Expr count = var(s), e = at(col, {I()}, DType::I64);
  CHECK(reduction(select(binary(BinaryOp::Gt, e, count), e, count)) == ReduceOp::Max);
  CHECK(reduction(select(less(count, e), count, e)) == ReduceOp::Min);
  CHECK(reduction(select(binary(BinaryOp::Gt, x, sum), x, sum)) ==
        ReduceOp::Max); // the order matters to NaN only, which is handled
  auto mixed = judge(overI(block({assign(s, plus(sum, x)), assign(s, binary(BinaryOp::Mul, sum, x))})));
  CHECK(mixed.answer == Answer::Refuted);
  CHECK(mixed.carriedScalars == std::vector<Symbol>{s});
}

TEST_CASE_METHOD(Fixture, "analysis: private scalars and those that leave the loop", "[analysis]") {
  Expr x = at(a, {I()}), value = var(t, DType::F64);
  For f = overI(block({assign(t, x), put(b, {I()}, value)}));
  CHECK(judge(f).answer == Answer::Proven);
  CHECK(judge(f).privateScalars == std::set<Symbol>{t});
  CHECK(judge(f, {t}).liveOut == std::vector<Symbol>{t});
  Stmt both = makeStmt({}, If{less(I(), intConst(3)), assign(t, x), assign(t, at(b, {I()}))});
  CHECK(judge(overI(block({both, put(b, {I()}, value)}))).answer == Answer::Proven);
  Stmt perhaps = makeStmt({}, If{less(I(), intConst(3)), assign(t, x), {}});
  CHECK(judge(overI(block({perhaps, put(b, {I()}, value)}))).carriedScalars == std::vector<Symbol>{t});
  Stmt inner = stmt(loop(j, intConst(0), var(m), assign(t, x))); // may run zero times
  CHECK(judge(overI(block({inner, put(b, {I()}, value)}))).carriedScalars == std::vector<Symbol>{t});
  Stmt sums = stmt(loop(j, intConst(0), var(m), assign(t, plus(value, at(a, {I(), J()})))));
  CHECK(judge(overI(block({assign(t, floatConst(0)), sums, put(b, {I()}, value)}))).answer == Answer::Proven);
}

TEST_CASE_METHOD(Fixture, "analysis: atomic updates and arrays of one iteration", "[analysis]") {
  Expr column = at(col, {I()}, DType::I64);
  Stmt update = put(a, {column}, at(b, {I()}), ReduceOp::Sum);
  CHECK(judge(overI(update)).answer == Answer::Proven);
  CHECK(judge(overI(block({update, put(b, {I()}, at(a, {I()}))}))).answer == Answer::Unknown);
  CHECK(judge(overI(block({update, put(a, {column}, at(b, {I()}), ReduceOp::Max)}))).answer ==
        Answer::Unknown);
  Stmt alloc = makeStmt({}, Alloc{Buffer{a, DType::F64, {var(m)}}});
  CHECK(judge(overI(block({alloc, put(a, {intConst(0)}, at(b, {I()})), put(b, {I()}, at(a, {intConst(0)}))})))
            .answer == Answer::Proven);
}

TEST_CASE_METHOD(Fixture, "analysis: fusion keeps dependences inside an iteration", "[analysis]") {
  For first = overI(put(b, {I()}, at(a, {I()})));
  auto reader = [&](int64_t offset) {
    return loop(j, intConst(0), var(n), put(a, {J()}, at(b, {add(J(), intConst(offset))})));
  };
  CHECK(analysis::mayFuse(first, reader(0), context, true));
  CHECK_FALSE(analysis::mayFuse(first, reader(1), context, true));
  CHECK_FALSE(analysis::mayFuse(first, reader(1), context, false)); // reads what a later iteration writes
  Symbol c("C");
  For behind = loop(j, intConst(0), var(n), put(c, {J()}, at(b, {sub(J(), intConst(1))})));
  CHECK(analysis::mayFuse(first, behind, context, false));
  CHECK_FALSE(analysis::mayFuse(first, behind, context, true));
  // One temporary name in both bodies.
  For left = overI(block({assign(t, at(a, {I()})), put(b, {I()}, var(t, DType::F64))}));
  For right =
      loop(j, intConst(0), var(n), block({assign(t, at(b, {J()})), put(c, {J()}, var(t, DType::F64))}));
  CHECK(analysis::mayFuse(left, right, context, true));
  For reads = loop(j, intConst(0), var(n), put(c, {J()}, var(t, DType::F64)));
  CHECK_FALSE(analysis::mayFuse(left, reads, context, true));
}

TEST_CASE_METHOD(Fixture, "analysis: index statements that overlap themselves", "[analysis]") {
  auto statement = [&](Expr target, Expr value) {
    return IndexStmt{{Range{i, sub(var(n), intConst(1))}}, a, {std::move(target)}, std::move(value), {}};
  };
  CHECK_FALSE(analysis::mayOverlapItself(statement(I(), at(a, {I()})), context));
  CHECK(analysis::mayOverlapItself(statement(add(I(), intConst(1)), at(a, {I()})), context));
  CHECK_FALSE(analysis::mayOverlapItself(statement(I(), at(a, {sub(var(n), intConst(1))})), context));
  CHECK(analysis::mayOverlapItself(statement(at(col, {I()}, DType::I64), at(b, {I()})), context));
  Expr sum = make(Reduce{DType::F64, ReduceOp::Sum, {Range{k, I()}}, at(a, {var(k)})});
  CHECK(analysis::mayOverlapItself(statement(I(), sum), context));
  Expr row = make(Reduce{DType::F64, ReduceOp::Sum, {Range{k, var(m)}}, at(b, {I(), var(k)})});
  CHECK_FALSE(analysis::mayOverlapItself(statement(I(), row), context));
}

TEST_CASE_METHOD(Fixture, "analysis: signs and equality", "[analysis]") {
  For rows = overI(block({}));
  analysis::Context inside{{&rows}, context.sizes};
  Expr last = sub(sub(var(n), intConst(1)), I());
  CHECK(analysis::isNonNegative(last, inside));
  CHECK_FALSE(analysis::isNonNegative(sub(last, intConst(1)), inside));
  CHECK_FALSE(analysis::isNonNegative(var(shift), inside));
  CHECK(analysis::isNonNegative(binary(BinaryOp::Mod, var(shift), var(n)), inside));
  CHECK(analysis::isNonNegative(mul(var(n), I()), inside));
  CHECK(analysis::alwaysEqual(sub(add(var(n), intConst(1)), intConst(1)), var(n), inside));
  CHECK(analysis::alwaysEqual(maxOf(var(n), intConst(0)), var(n), inside));
  CHECK_FALSE(analysis::alwaysEqual(var(n), var(m), inside));
  // A bound that the loop's body changes says nothing about the index.
  For moving = loop(i, intConst(0), var(shift), assign(shift, intConst(0)));
  analysis::Context changed{{&moving}, {}};
  CHECK_FALSE(analysis::isNonNegative(sub(sub(var(shift), intConst(1)), I()), changed));
}

/// All values of `e` where 0 <= i < n, i + 1 <= j < n.
static std::vector<int64_t> inTriangle(const Expr& e, const Symbol& i, const Symbol& j, const Symbol& n) {
  std::vector<int64_t> values;
  for (int64_t size = 0; size < 8; ++size)
    for (int64_t row = 0; row < size; ++row)
      for (int64_t column = row + 1; column < size; ++column)
        values.push_back(*constantInt(simplifiedIndex(
            substitute(e, {{n, intConst(size)}, {i, intConst(row)}, {j, intConst(column)}}))));
  return values;
}

TEST_CASE_METHOD(Fixture, "analysis: signs of products", "[analysis]") {
  const For columns = loop(j, add(I(), intConst(1)), var(n), block({}));
  const For rows = overI(block({}));
  const analysis::Context inside{{&rows, &columns}, context.sizes};
  const auto halved = [](const Expr& e) { return binary(BinaryOp::FloorDiv, e, intConst(2)); };
  const Expr triangle = halved(mul(I(), add(I(), intConst(1))));
  const Expr packed = sub(sub(add(sub(mul(I(), var(n)), triangle), var(j)), I()), intConst(1));
  CHECK(analysis::isNonNegative(packed, inside));
  CHECK_FALSE(analysis::isNonNegative(sub(packed, intConst(1)), inside));
  const analysis::Context plain{{}, context.sizes};
  CHECK(analysis::isNonNegative(halved(mul(var(n), sub(var(n), intConst(1)))), plain));
  CHECK_FALSE(analysis::isNonNegative(mul(var(n), sub(var(n), intConst(2))), plain));
  // What it says of any product is so.
  std::mt19937 random(7);
  int held = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const auto number = [&] { return intConst(static_cast<int64_t>(random() % 5) - 2); };
    const auto factor = [&] {
      return add(add(mul(I(), number()), mul(var(j), number())), add(mul(var(n), number()), number()));
    };
    Expr e = add(mul(factor(), factor()), factor());
    if (trial % 2 != 0) e = halved(mul(e, add(e, intConst(1))));
    const bool holds = analysis::isNonNegative(e, inside);
    held += holds;
    if (holds) CHECK(std::ranges::all_of(inTriangle(e, i, j, n), [](int64_t value) { return value >= 0; }));
  }
  CHECK(held > 5);
}

TEST_CASE_METHOD(Fixture, "analysis: facts about sizes", "[analysis]") {
  const Expr same = binary(BinaryOp::Eq, var(n), var(m)), empty = binary(BinaryOp::Le, var(n), intConst(0));
  analysis::Facts facts;
  CHECK(facts.mayHold(same));
  facts.learn(binary(BinaryOp::LogicalOr, same, empty));
  facts.learn(unary(UnaryOp::LogicalNot, same));
  CHECK_FALSE(facts.mayHold(same));
  CHECK_FALSE(facts.mayHold(binary(BinaryOp::Gt, var(n), intConst(0))));
  CHECK(facts.mayHold(binary(BinaryOp::Gt, var(m), intConst(0))));
  const size_t before = facts.count();
  facts.learn(binary(BinaryOp::Lt, var(m), var(n)));
  CHECK_FALSE(facts.mayHold(binary(BinaryOp::Ge, var(m), intConst(0))));
  facts.forget(before);
  CHECK(facts.mayHold(binary(BinaryOp::Ge, var(m), intConst(0))));
  // Of what isl does not take in nothing is known.
  facts.learn(binary(BinaryOp::Eq, binary(BinaryOp::Mul, var(n), var(m)), at(a, {var(n)}, DType::I64)));
  CHECK(facts.mayHold(binary(BinaryOp::Lt, at(a, {var(n)}), floatConst(0))));
}

TEST_CASE_METHOD(Fixture, "analysis: dependences across lanes", "[analysis]") {
  auto lanes = [&](Stmt body, int64_t lo = 0, Scope scope = Scope::Block) {
    For f = loop(j, intConst(lo), var(n), std::move(body));
    f.mapping = PerLane{scope};
    return stmt(f);
  };
  Stmt writes = lanes(put(a, {J()}, floatConst(0)));
  auto reads = [&](int64_t offset, int64_t lo = 0) {
    return lanes(put(b, {J()}, at(a, {add(J(), intConst(offset))})), lo);
  };
  CHECK_FALSE(analysis::crossesLanes(writes, reads(0), context));
  CHECK(analysis::crossesLanes(writes, reads(1), context));
  CHECK(analysis::crossesLanes(writes, reads(0, 1), context)); // lane 0 reads what lane 1 wrote
  CHECK_FALSE(analysis::crossesLanes(writes, reads(1, -1), context));
  CHECK_FALSE(analysis::crossesLanes(reads(0), reads(0), context)); // b[j] by one lane twice
  Stmt one = put(a, {intConst(0)}, floatConst(0)), load = put(b, {intConst(0)}, at(a, {intConst(0)}));
  CHECK_FALSE(analysis::crossesLanes(one, one, context));
  CHECK(analysis::crossesLanes(one, load, context));
  CHECK_FALSE(analysis::crossesLanes(one, reads(0), context)); // the first lane both times
  CHECK_FALSE(analysis::crossesLanes(writes, one, context));
  CHECK(analysis::crossesLanes(one, reads(-1), context));
  CHECK(analysis::crossesLanes(writes, load, context));           // all lanes read a[0]
  CHECK_FALSE(analysis::crossesLanes(one, reads(0, 1), context)); // a[0] is not read from 1 on
  CHECK(analysis::crossesLanes(writes, lanes(put(b, {J()}, at(a, {J()})), 0, Scope::Warp), context));
  // Two dimensions of lanes: a[j] is written by a whole column of them.
  For rows = loop(i, intConst(0), var(m), writes);
  rows.mapping = PerLane{Scope::Block, Axis::Y};
  CHECK(analysis::crossesLanes(stmt(rows), stmt(rows), context));
}

TEST_CASE_METHOD(Fixture, "analysis: statements that touch one element", "[analysis]") {
  const Stmt writes = stmt(loop(i, intConst(0), var(m), put(a, {I()}, floatConst(0))));
  const auto reads = [&](const Expr& from) {
    return stmt(loop(j, from, add(from, var(n)), put(b, {J()}, at(a, {J()}))));
  };
  CHECK(analysis::touchSame(writes, reads(sub(var(m), intConst(1))), context));
  CHECK_FALSE(analysis::touchSame(writes, reads(var(m)), context));
  CHECK(analysis::touchSame(reads(intConst(0)), reads(intConst(3)), context)); // both write b
  const Stmt never = makeStmt({}, If{less(var(m), intConst(0)), writes, {}});
  CHECK_FALSE(analysis::touchSame(never, writes, context));
}

TEST_CASE_METHOD(Fixture, "analysis: hard questions end", "[analysis]") {
  std::vector<Stmt> body;
  for (int x = 1; x < 9; ++x)
    body.push_back(put(a, {modulo(mul(I(), intConst(x)), 7 + x), divide(I(), x + 1)},
                       at(a, {modulo(I(), 11 + x), divide(J(), 3)})));
  analysis::ParallelVerdict v = judge(overI(stmt(loop(j, intConst(0), I(), block(body)))));
  CHECK(v.answer != Answer::Proven);
}

TEST_CASE_METHOD(Fixture, "analysis: pieces that together overwrite an array", "[analysis]") {
  const Stmt zero = stmt(overI(put(a, {I()}, intConst(0))));
  const auto part = [&](Expr lo, Expr hi, Expr value) {
    return stmt(loop(i, std::move(lo), std::move(hi), put(a, {I()}, std::move(value))));
  };
  const auto overwritten = [&](const std::vector<Stmt>& pieces, bool readLater = true) {
    return analysis::overwrite(pieces, zero, a, readLater, context);
  };
  const Stmt low = part(intConst(0), var(m), I()), high = part(var(m), var(n), I());
  CHECK(overwritten({low, high}));
  CHECK(overwritten({high, low}));
  CHECK_FALSE(overwritten({low}));
  CHECK_FALSE(overwritten({low, part(plus(var(m), intConst(1)), var(n), I())})); // A[M] is left
  CHECK(overwritten({low, stmt(loop(i, intConst(0), var(m), put(b, {I()}, at(a, {I()})))), high}));
  CHECK_FALSE(overwritten({low, stmt(overI(put(b, {I()}, at(a, {I()})))), high}));

  // By strides; where M > 3; what is read; what other places are stored to.
  const Stmt even = stmt(loop(i, intConst(0), var(n), put(a, {I()}, I()), 2)),
             odd = stmt(loop(i, intConst(1), var(n), put(a, {I()}, I()), 2));
  CHECK(overwritten({even, odd}));
  const auto guarded = [&](const Expr& cond, const Stmt& then) { return makeStmt({}, If{cond, then, {}}); };
  CHECK_FALSE(overwritten({guarded(less(intConst(3), var(m)), stmt(overI(put(a, {I()}, I()))))}));
  CHECK_FALSE(overwritten({stmt(overI(put(a, {at(col, {I()}, DType::I64)}, I())))}));
  CHECK_FALSE(overwritten({stmt(overI(put(a, {I()}, at(a, {I()}))))}));
  CHECK_FALSE(overwritten({stmt(overI(put(a, {I()}, I(), ReduceOp::Sum)))}));

  // An iteration reads what it has stored itself, or what another one has.
  const auto iterations = [&](Expr read) {
    return stmt(overI(block({put(a, {I()}, I()), put(b, {I()}, at(a, {std::move(read)}))})));
  };
  CHECK(overwritten({iterations(I())}));
  CHECK(overwritten({iterations(sub(I(), intConst(1)))}));
  CHECK(overwritten({iterations(intConst(0))}));
  CHECK_FALSE(overwritten({iterations(add(I(), intConst(1)))}));

  // Nobody reads it later: what is read on the way has to be stored before, and nothing else.
  const Stmt first = part(intConst(1), var(n), I());
  CHECK_FALSE(overwritten({first, stmt(loop(i, intConst(1), var(n), put(b, {I()}, at(a, {I()}))))}));
  CHECK(overwritten({first, stmt(loop(i, intConst(1), var(n), put(b, {I()}, at(a, {I()}))))}, false));
  CHECK_FALSE(overwritten({first, stmt(overI(put(b, {I()}, at(a, {I()}))))}, false));
}

TEST_CASE_METHOD(Fixture, "analysis: what a product overwrites", "[analysis]") {
  const auto product = [&](Expr rows, Expr beta, std::vector<HalfSpace> limits) {
    const Matrix all{b, {intConst(0), intConst(0)}, 0, 1};
    return makeStmt({},
                    MatMul{DType::F64, Matrix{a, {intConst(0), intConst(0)}, 0, 1}, all, all, std::move(rows),
                           var(n), var(m), constOf(DType::F64, 1), std::move(beta), std::move(limits)});
  };
  const Expr zero = constOf(DType::F64, 0), one = constOf(DType::F64, 1);
  const Stmt square = stmt(overI(stmt(loop(j, intConst(0), var(n), put(a, {I(), J()}, zero)))));
  const auto overwritten = [&](const Stmt& by) {
    return analysis::overwrite({by}, square, a, true, context);
  };
  CHECK(overwritten(product(var(n), zero, {})));
  CHECK_FALSE(overwritten(product(var(n), one, {})));
  CHECK_FALSE(overwritten(product(sub(var(n), intConst(1)), zero, {})));
  CHECK_FALSE(overwritten(product(var(n), zero, {{-1, 1, 0, intConst(0)}}))); // a triangle
  CHECK(overwritten(product(var(n), zero, {{-1, 0, 1, intConst(0)}})));       // a sum over a triangle
}

TEST_CASE("analysis: an element exists where all values of its subscript are in range") {
  const Symbol i("i"), n("n");
  for (int64_t lo = -1; lo < 2; ++lo)
    for (int64_t hi = lo + 1; hi < 5; ++hi)
      for (int64_t shift = -1; shift < 3; ++shift)
        for (int64_t extent = 0; extent < 5; ++extent)
          for (int64_t count = 1; count < 3; ++count) {
            const For loop = serialLoop(i, intConst(lo), intConst(hi), intConst(1), block({}));
            const bool fits = lo + shift >= 0 && hi - 1 + shift + count <= extent;
            CHECK(analysis::isInRange(add(var(i), intConst(shift)), intConst(count), intConst(extent),
                                      {{&loop}, {}}) == fits);
          }
  Function f;
  const Buffer a{Symbol("a"), DType::I64, {var(n)}};
  f.buffers = {a};
  const For loop = serialLoop(i, intConst(0), var(n), intConst(1), block({}));
  CHECK(analysis::isInRange(f, a.name, {var(i)}, {{&loop}, {n}}));
  CHECK_FALSE(analysis::isInRange(f, a.name, {add(var(i), intConst(1))}, {{&loop}, {n}}));
  CHECK_FALSE(analysis::isInRange(f, a.name, {load(a, {var(i)})}, {{&loop}, {n}}));
  CHECK_FALSE(analysis::isInRange(f, Symbol("other"), {var(i)}, {{&loop}, {n}}));
}

TEST_CASE("analysis: what is added to an index") {
  const Symbol i("i"), j("j"), n("n");
  const Buffer a{Symbol("a"), DType::I64, {intConst(4)}};
  const auto shift = [&](const Expr& e) { return analysis::shiftFrom(e, i, {i, j}); };
  CHECK(isConst(shift(var(i)), 0));
  CHECK(equalIndex(shift(add(var(i), var(n))), var(n)));
  CHECK_FALSE(shift(var(n)));                              // does not move with it
  CHECK_FALSE(shift(add(var(i), var(j))));                 // varies
  CHECK_FALSE(shift(mul(var(i), intConst(2))));            // another stride
  CHECK_FALSE(shift(add(var(i), load(a, {intConst(0)})))); // memory
  CHECK(equalIndex(analysis::shiftFrom(add(var(i), var(j)), i, {i}), var(j)));
}

TEST_CASE("analysis: arrays of which two iterations may share an element") {
  const Symbol i("i");
  const auto array = [](const char* name) { return Buffer{Symbol(name), DType::F64, {intConst(8)}}; };
  const Buffer own = array("own"), shared = array("shared"), read = array("read"), made = array("made"),
               sums = array("sums");
  const Expr here = var(i), next = add(var(i), intConst(1)), one = floatConst(1);
  const Builder build{};
  const For loop = serialLoop(
      i, intConst(0), intConst(7), intConst(1),
      block({build.alloc(made), build.store(made, {intConst(0)}, load(read, {next})),
             build.store(own, {here}, load(own, {here})), build.store(shared, {here}, load(shared, {next})),
             build.make(Store{sums.name, {intConst(0)}, one, ReduceOp::Sum})}));
  const auto ways = analysis::waysToShare(loop);
  using analysis::Way;
  REQUIRE(ways.size() == 2);
  CHECK(ways.at(shared.name) == std::set<Way>{{Way::Read, {}}, {Way::Write, {}}});
  CHECK(ways.at(sums.name) == std::set<Way>{{Way::Update, ReduceOp::Sum}});
  CHECK(Way{Way::Read, {}}.competes({Way::Write, {}}));
  CHECK_FALSE(Way{Way::Read, {}}.competes({Way::Read, {}}));
  CHECK_FALSE(Way{Way::Update, ReduceOp::Sum}.competes({Way::Update, ReduceOp::Sum}));
  CHECK(Way{Way::Update, ReduceOp::Sum}.competes({Way::Update, ReduceOp::Max}));
}

TEST_CASE("analysis: what is known when a function starts") {
  const Symbol n("n"), k("k"), x("x"), set("set"), i("i");
  const Buffer a{Symbol("a"), DType::I64, {var(n)}};
  Function f;
  f.sizes = {{n, 0, 0}};
  f.params = {
      {a.name, DType::I64, true, a.extents}, {k, DType::I64, false, {}}, {set, DType::I64, false, {}}};
  f.buffers = {a};
  f.body = Builder{}.assign(set, intConst(1));
  const std::set<Symbol> known = analysis::knownAtEntry(f);
  CHECK(known == std::set<Symbol>{n, k});
  CHECK(analysis::followsFrom(add(var(n), mul(var(k), intConst(2))), known));
  CHECK(analysis::followsFrom(intConst(3), known));
  CHECK_FALSE(analysis::followsFrom(var(set), known));
  CHECK_FALSE(analysis::followsFrom(add(var(n), var(x)), known));
  CHECK_FALSE(analysis::followsFrom(load(a, {var(k)}), known));

  const For loop = serialLoop(i, intConst(2), var(n), intConst(1), block({}));
  const Expr less = sub(var(i), intConst(2));
  CHECK(equal(analysis::atLeastZero(less, analysis::Context{{&loop}, {n}}), less));
  CHECK(equal(analysis::atLeastZero(less, analysis::Context{{}, {n}}), maxOf(less, intConst(0))));
}
