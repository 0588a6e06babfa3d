//===- IRTest.cpp - types, index arithmetic, rewriting, printing and rules of the ir ----------------===//
#include "appyc/IR/Abi.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Called.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Upward.h"
#include "appyc/IR/Walk.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <sstream>

using namespace appyc;
using namespace appyc::ir;

namespace {

std::string text(const Expr& e) { return print(e); }
int64_t valueOf(const Expr& e) { return constantInt(e).value(); }

Expr bin(BinaryOp op, int64_t a, int64_t b, DType type = DType::I64) {
  return binary(op, intConst(a, type), intConst(b, type));
}

/// for i in range(N): B[i] = A[i] * 2.0, with all that a function needs.
struct Sample {
  Symbol a{"A"}, b{"B"}, n{"N"}, i{"i"};
  Module module;

  explicit Sample(DType constant = DType::F64) {
    Buffer bufferA{a, DType::F64, {var(n)}}, bufferB{b, DType::F64, {var(n)}};
    Expr value = make(Binary{DType::F64, BinaryOp::Mul, load(bufferA, {var(i)}), constOf(constant, 2)});
    Stmt body = makeStmt({}, Store{b, {var(i)}, value, {}});
    For loop = provenLoop(i, intConst(0), var(n), body);
    loop.hints.mark = LoopMark::Parallel;
    Function f;
    f.name = f.entry = "scale";
    f.params = {{a, DType::F64, true, {var(n)}}, {b, DType::F64, true, {var(n)}, true}};
    f.sizes = {{n, 0, 0}};
    f.buffers = {bufferA, bufferB};
    f.body = makeStmt({}, loop);
    module = {Level::Loop, {f}};
  }
  Function& function() { return module.functions[0]; }
};

} // namespace

//===--- types --------------------------------------------------------------------------------------===//

TEST_CASE("promote is np.promote_types") {
  // Row a, column b, both in DType's order; written by NumPy 2.
  const char* golden = "bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 c64 c128 "
                       "i8 i8 i16 i32 i64 i16 i32 i64 f64 f32 f64 c64 c128 "
                       "i16 i16 i16 i32 i64 i16 i32 i64 f64 f32 f64 c64 c128 "
                       "i32 i32 i32 i32 i64 i32 i32 i64 f64 f64 f64 c128 c128 "
                       "i64 i64 i64 i64 i64 i64 i64 i64 f64 f64 f64 c128 c128 "
                       "u8 i16 i16 i32 i64 u8 u16 u32 u64 f32 f64 c64 c128 "
                       "u16 i32 i32 i32 i64 u16 u16 u32 u64 f32 f64 c64 c128 "
                       "u32 i64 i64 i64 i64 u32 u32 u32 u64 f64 f64 c128 c128 "
                       "u64 f64 f64 f64 f64 u64 u64 u64 u64 f64 f64 c128 c128 "
                       "f32 f32 f32 f64 f64 f32 f32 f64 f64 f32 f64 c64 c128 "
                       "f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 c128 c128 "
                       "c64 c64 c64 c128 c128 c64 c64 c128 c128 c64 c128 c64 c128 "
                       "c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 ";
  std::istringstream table(golden);
  for (int a = 0; a < kDTypeCount; ++a)
    for (int b = 0; b < kDTypeCount; ++b) {
      std::string expected;
      table >> expected;
      INFO(name(DType(a)) << " with " << name(DType(b)));
      CHECK(name(promote(DType(a), DType(b))) == expected);
    }
}

TEST_CASE("type properties") {
  for (int t = 0; t < kDTypeCount; ++t) CHECK(dtypeNamed(name(DType(t))) == DType(t));
  CHECK_FALSE(dtypeNamed("float64"));
  CHECK(numpyName(DType::C64) == "complex64");
  CHECK(sumType(DType::Bool) == DType::I64);
  CHECK(sumType(DType::U8) == DType::U64);
  CHECK(sumType(DType::F32) == DType::F32);
  CHECK(floatFor(DType::I32) == DType::F64);
  CHECK(floatFor(DType::C64) == DType::C64);
  CHECK(realOf(DType::C64) == DType::F32);
}

//===--- constants ----------------------------------------------------------------------------------===//

TEST_CASE("integer constants fold as NumPy computes") {
  CHECK(valueOf(bin(BinaryOp::Add, 127, 1, DType::I8)) == -128);
  CHECK(valueOf(bin(BinaryOp::Sub, 0, 1, DType::U8)) == 255);
  CHECK(valueOf(bin(BinaryOp::Mul, INT64_MAX, 2)) == -2);
  CHECK(valueOf(bin(BinaryOp::FloorDiv, -7, 2)) == -4);
  CHECK(valueOf(bin(BinaryOp::Mod, -7, 2)) == 1);
  CHECK(valueOf(bin(BinaryOp::Mod, 7, -2)) == -1);
  CHECK(valueOf(bin(BinaryOp::FloorDiv, INT64_MIN, -1)) == INT64_MIN);
  CHECK(valueOf(bin(BinaryOp::FloorDiv, -128, -1, DType::I8)) == -128);
  CHECK(valueOf(bin(BinaryOp::FloorDiv, 5, 0)) == 0);
  CHECK(valueOf(bin(BinaryOp::Mod, 5, 0)) == 0);
  CHECK(valueOf(bin(BinaryOp::Shl, 1, 64)) == 0);
  CHECK(valueOf(bin(BinaryOp::Shl, 1, 7, DType::I8)) == -128);
  CHECK(valueOf(bin(BinaryOp::Shr, -4, 100)) == -1);
  CHECK(valueOf(bin(BinaryOp::Pow, 3, 4)) == 81);
  CHECK_FALSE(bin(BinaryOp::Pow, 3, -1).is<Const>());
  CHECK(text(bin(BinaryOp::Lt, 3, 4)) == "True");
  CHECK(text(bin(BinaryOp::Lt, -1, 4, DType::U16)) == "False");
  CHECK(text(unary(UnaryOp::Neg, intConst(-128, DType::I8))) == "i8(-128)");
  CHECK_FALSE(binary(BinaryOp::Add, floatConst(1), floatConst(2)).is<Const>());
  CHECK(text(binary(BinaryOp::Ne, floatConst(NAN), floatConst(NAN))) == "True");
}

TEST_CASE("absolute values of constants") {
  const auto of = [](const Expr& e) { return text(call(Intrinsic::Abs, typeOf(e), {e})); };
  CHECK(of(intConst(-7)) == "7");
  CHECK(of(intConst(0)) == "0");
  CHECK(of(intConst(-128, DType::I8)) == "i8(-128)");
  CHECK(of(intConst(255, DType::U8)) == "u8(255)");
  CHECK(of(boolConst(true)) == "True");
  CHECK(of(floatConst(-0.0)) == "0.0");
  CHECK_FALSE(call(Intrinsic::Abs, DType::F64, {constOf(DType::C128, 3)}).is<Const>());
}

TEST_CASE("bool logic folds") {
  Expr p = var(Symbol("p"), DType::Bool);
  CHECK(binary(BinaryOp::LogicalAnd, boolConst(true), p) == p);
  CHECK(binary(BinaryOp::LogicalOr, p, boolConst(false)) == p);
  CHECK(text(binary(BinaryOp::LogicalAnd, p, boolConst(false))) == "False");
  CHECK(text(binary(BinaryOp::Add, boolConst(true), boolConst(true))) == "True");
  CHECK(unary(UnaryOp::LogicalNot, unary(UnaryOp::LogicalNot, p)) == p);
  CHECK(select(boolConst(true), intConst(1), intConst(2)).as<Const>());
}

TEST_CASE("what has no sign is never below zero") {
  const Expr u = var(Symbol("u"), DType::U32), i = var(Symbol("i"), DType::I32);
  const auto zero = [](DType type) { return constOf(type, 0); };
  CHECK(text(binary(BinaryOp::Lt, u, zero(DType::U32))) == "False");
  CHECK(text(binary(BinaryOp::Ge, u, zero(DType::U32))) == "True");
  CHECK(text(binary(BinaryOp::Gt, zero(DType::U32), u)) == "False");
  CHECK(text(binary(BinaryOp::Le, zero(DType::U32), u)) == "True");
  CHECK(binary(BinaryOp::Gt, u, zero(DType::U32)).is<Binary>());
  CHECK(binary(BinaryOp::Lt, i, zero(DType::I32)).is<Binary>());
}

TEST_CASE("casts of constants") {
  CHECK(text(cast(DType::F32, floatConst(0.1))) == "f32(0.1)");
  CHECK(std::get<double>(cast(DType::F32, floatConst(0.1)).as<Const>()->value) == double(0.1f));
  CHECK(text(cast(DType::I64, floatConst(-2.9))) == "-2");
  CHECK(cast(DType::U8, floatConst(256)).is<Cast>());
  CHECK(text(cast(DType::U8, floatConst(255.5))) == "u8(255)");
  CHECK(cast(DType::U64, floatConst(-1)).is<Cast>());
  CHECK(cast(DType::I64, floatConst(NAN)).is<Cast>());
  CHECK(text(cast(DType::U8, intConst(-1))) == "u8(255)");
  CHECK(text(cast(DType::C128, intConst(2))) == "c128(2.0, 0.0)");
  // One rounding: through double this would round to the even neighbour.
  CHECK(std::get<double>(cast(DType::F32, intConst(9007199791611905)).as<Const>()->value) ==
        9007200328482816.0);
  Expr x = var(Symbol("x"));
  CHECK(cast(DType::I64, x) == x);
}

TEST_CASE("identities") {
  CHECK(text(identity(ReduceOp::Min, DType::I8)) == "i8(127)");
  CHECK(text(identity(ReduceOp::Max, DType::I64)) == "-9223372036854775808");
  CHECK(text(identity(ReduceOp::Min, DType::U64)) == "u64(18446744073709551615)");
  CHECK(text(identity(ReduceOp::Max, DType::F64)) == "-inf");
  CHECK(text(identity(ReduceOp::And, DType::Bool)) == "True");
  for (int t = 0; t < kDTypeCount; ++t)
    for (ReduceOp op : {ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Min, ReduceOp::Max, ReduceOp::Or})
      CHECK(typeOf(identity(op, DType(t))) == DType(t));
}

//===--- index arithmetic ---------------------------------------------------------------------------===//

TEST_CASE("sums are canonical and readable") {
  Expr i = var(Symbol("i")), j = var(Symbol("j")), n = var(Symbol("N"));
  CHECK(sub(add(n, intConst(1)), intConst(1)) == n);
  CHECK(add(i, sub(j, i)) == j);
  CHECK(text(sub(n, intConst(1))) == "N - 1");
  CHECK(text(add(n, intConst(-1))) == "N - 1");
  CHECK(text(add(intConst(3), i)) == "i + 3");
  CHECK(text(sub(intConst(1), i)) == "1 - i");
  CHECK(text(sub(j, add(i, intConst(2)))) == "j - i - 2");
  CHECK(text(add(sub(intConst(0), i), j)) == "j - i");
  CHECK(text(sub(intConst(0), i)) == "-i");
  CHECK(text(mul(intConst(2), add(i, intConst(1)))) == "i * 2 + 2");
  CHECK(text(mul(add(i, j), n)) == "(i + j) * N");
  CHECK(isConst(mul(i, intConst(0)), 0));
  CHECK(mul(i, intConst(1)) == i);
  CHECK(isConst(sub(i, i), 0));
  CHECK(text(add(minOf(i, j), intConst(1))) == "min(i, j) + 1");
}

TEST_CASE("equalIndex sees through arithmetic") {
  Expr i = var(Symbol("i")), n = var(Symbol("N"));
  Expr plain = make(Binary{DType::I64, BinaryOp::Add, n, intConst(-1)});
  CHECK(equalIndex(plain, sub(n, intConst(1))));
  CHECK_FALSE(equal(plain, sub(n, intConst(1))));
  CHECK(equalIndex(mul(add(i, intConst(1)), n), add(mul(n, i), n)));
  CHECK_FALSE(equalIndex(mul(i, n), mul(i, i)));
  CHECK(equalIndex(ceilDiv(add(plain, intConst(1)), i), ceilDiv(n, i)));
}

TEST_CASE("min, max and ceilDiv fold") {
  Expr n = var(Symbol("N")), m = var(Symbol("M"));
  Expr zero = intConst(0);
  CHECK(minOf(n, n) == n);
  CHECK(minOf(n, add(n, intConst(3))) == n);
  CHECK(maxOf(n, sub(n, intConst(3))) == n);
  CHECK(valueOf(maxOf(intConst(2), intConst(5))) == 5);
  Expr clamped = maxOf(zero, n);
  CHECK(equal(maxOf(clamped, zero), clamped));
  CHECK(text(maxOf(clamped, intConst(4))) == "max(4, N)");
  CHECK(text(minOf(minOf(n, m), sub(m, intConst(1)))) == "min(N, M - 1)");
  CHECK(ceilDiv(n, intConst(1)) == n);
  CHECK(valueOf(ceilDiv(intConst(10), intConst(4))) == 3);
  CHECK(text(ceilDiv(n, intConst(128))) == "(N + 127) // 128");
}

//===--- traversal ----------------------------------------------------------------------------------===//

TEST_CASE("a rewrite that changes nothing keeps its handle") {
  Sample s;
  Stmt body = s.function().body;
  CHECK(rewrite(body, nullptr, [](const Expr&) { return Expr(); }) == body);
  CHECK(substitute(body, {{Symbol("other"), intConst(1)}}) == body);
  CHECK(mapChildren(body, [](const Stmt& child) { return child; }) == body);
}

TEST_CASE("substitution reaches every place") {
  Symbol x("x"), k("k"), a("A");
  Buffer buffer{a, DType::I64, {intConst(10)}};
  Expr y = var(Symbol("y"));
  Stmt store = makeStmt({}, Store{a, {var(x)}, load(buffer, {var(x)}), {}});
  Stmt loop = makeStmt({}, serialLoop(k, var(x), var(x), intConst(1), store));
  Stmt alloc = makeStmt({}, Alloc{Buffer{Symbol("t"), DType::F64, {var(x)}}});
  Stmt check = makeStmt({}, Require{binary(BinaryOp::Gt, var(x), intConst(0)), "ValueError", "empty"});
  Stmt launch = makeStmt({}, Launch{"k", {{var(x), intConst(1), intConst(1)}, {1, 1, 1}}, store});
  Stmt index = makeStmt({}, IndexStmt{{{k, var(x)}}, a, {add(var(k), var(x))}, var(x), {}});
  for (const Stmt& s : {store, loop, alloc, check, launch, index}) {
    INFO(print(s));
    Stmt changed = substitute(s, {{x, y}});
    CHECK(print(changed).find('x') == std::string::npos);
  }
  CHECK(print(substitute(loop, {{x, y}})) == "for k in range(y, y, 1):  # serial\n  A[y] = A[y]\n");
}

TEST_CASE("bound indices are not free") {
  Symbol i("i"), k("k"), n("N");
  Expr sum = make(Reduce{DType::I64, ReduceOp::Sum, {{k, var(n)}}, add(var(i), var(k))});
  CHECK(freeVars(sum) == std::set<Symbol>{i, n});
  CHECK_FALSE(mentions(sum, k));
  CHECK(substitute(sum, {{k, intConst(1)}}) == sum);
  CHECK(text(substitute(sum, {{i, intConst(7)}})) == "sum(k + 7 for k < N)");
  // The replacement's k is another variable than the bound one.
  Expr captured = substitute(sum, {{i, var(k)}});
  CHECK(freeVars(captured) == std::set<Symbol>{k, n});
  CHECK(text(captured) == "sum(k_1 + k for k < N)");
}

TEST_CASE("renaming a variable renames its assignments") {
  Symbol x("x"), y("y");
  Stmt s = makeStmt({}, Assign{x, add(var(x), intConst(1))});
  CHECK(print(substitute(s, {{x, var(y)}})) == "y: i64 = y + 1\n");
}

TEST_CASE("statement rules insert and remove") {
  Symbol x("x"), y("y");
  Stmt setX = makeStmt({}, Assign{x, intConst(1)}), setY = makeStmt({}, Assign{y, intConst(2)});
  Stmt both = block({setX, block({setY, block({})})});
  REQUIRE(both.as<Block>()->body.size() == 2);
  auto rule = [&](const Stmt& s) {
    if (s == setX) return block({});
    return s == setY ? block({setY, setX}) : Stmt();
  };
  CHECK(print(rewrite(both, rule)) == "y: i64 = 2\nx: i64 = 1\n");
}

TEST_CASE("uses") {
  Sample s;
  const Stmt& body = s.function().body;
  CHECK(storedBuffers(body) == std::set<Symbol>{s.b});
  CHECK(loadedBuffers(body) == std::set<Symbol>{s.a});
  CHECK(assignedVars(body).empty());
  int expressions = 0;
  visit(body, nullptr, [&](const Expr&) { return ++expressions > 0; });
  CHECK(expressions == 8); // three bounds, the index, and A[i] * 2.0 with its four
}

//===--- printing -----------------------------------------------------------------------------------===//

TEST_CASE("printed module") {
  Sample s;
  CHECK(print(s.module) == "# level loop\n"
                           "\n"
                           "def scale(A: f64[N], B: f64[N]):\n"
                           "  # sizes N = A.shape[0]\n"
                           "  # writes B\n"
                           "  parallel for i in range(0, N, 1):  # proven\n"
                           "    B[i] = A[i] * 2.0\n");
}

TEST_CASE("printed expressions keep their meaning") {
  Expr a = var(Symbol("a")), b = var(Symbol("b")), again = var(Symbol("a"));
  auto raw = [](BinaryOp op, Expr x, Expr y) { return make(Binary{DType::I64, op, x, y}); };
  CHECK(text(raw(BinaryOp::Sub, a, raw(BinaryOp::Sub, b, again))) == "a - (b - a_1)");
  CHECK(text(raw(BinaryOp::Pow, raw(BinaryOp::Pow, a, b), b)) == "(a ** b) ** b");
  CHECK(text(unary(UnaryOp::Neg, raw(BinaryOp::Pow, a, b))) == "-a ** b");
  CHECK(text(raw(BinaryOp::Pow, intConst(-2), b)) == "(-2) ** b");
  Expr less = binary(BinaryOp::Lt, a, b);
  CHECK(text(binary(BinaryOp::Eq, less, binary(BinaryOp::Le, a, b))) == "(a < b) == (a <= b)");
  CHECK(text(add(select(less, a, b), intConst(1))) == "(a if a < b else b) + 1");
  CHECK(text(call(Intrinsic::Abs, DType::I64, {a})) == "absolute(a)");
  CHECK(text(load(Buffer{Symbol("s"), DType::F32, {}}, {})) == "s[()]");
  CHECK(text(floatConst(2)) == "2.0");
  CHECK(text(floatConst(1e100)) == "1e+100");
}

TEST_CASE("printed statements") {
  Symbol i("i"), j("j"), c("C"), s("s"), n("N");
  Buffer buffer{c, DType::F64, {var(n)}};
  Expr product = make(Reduce{DType::F64, ReduceOp::Sum, {{j, var(n)}}, load(buffer, {var(j)})});
  IndexStmt index{{{i, var(n), true, 256}}, c, {var(i)}, product, ReduceOp::Max};
  CHECK(print(makeStmt({}, index)) ==
        "C[i] = max(C[i], sum(C[j] for j < N))  for parallel i < N block(256)  # atomic\n");
  Stmt collect = makeStmt({}, Collective{s, DType::F64, ReduceOp::Sum, Scope::Block});
  For loop{i, intConst(0), var(n), intConst(1), collect, Order::Assumed, {}, {LoopMark::ParallelSimd}, {}};
  loop.reductions = {{s, DType::F64, ReduceOp::Sum}};
  loop.mapping = PerLane{Scope::Block};
  Stmt launch = makeStmt({}, Launch{"k",
                                    {{ceilDiv(var(n), intConst(64)), intConst(1), intConst(1)}, {64, 1, 1}},
                                    makeStmt({}, loop)});
  CHECK(print(launch) == "launch k[((N + 63) // 64, 1, 1), (64, 1, 1)]:\n"
                         "  parallel simd for i in range(0, N, 1):  # assumed, sum(s), bind=thread.x\n"
                         "    s = block_sum(s)\n");
  Stmt inner = makeStmt({}, If{boolConst(false), block({}), collect});
  CHECK(print(makeStmt({}, If{boolConst(true), collect, inner})) ==
        "if True:\n  s = block_sum(s)\nelif False:\n  pass\nelse:\n  s = block_sum(s)\n");
}

TEST_CASE("what is asked of a loop, and what it does, by order, mark and step") {
  for (const Order order : {Order::Serial, Order::Proven, Order::Assumed})
    for (const LoopMark mark : {LoopMark::None, LoopMark::Parallel, LoopMark::Sequential, LoopMark::Simd})
      for (const int64_t step : {1, 2, -1})
        for (const bool folds : {false, true})
          for (const bool isAsked : {false, true}) {
            For loop = serialLoop(Symbol("i"), intConst(0), intConst(9), intConst(step), block({}));
            loop.order = order;
            loop.hints.mark = mark;
            if (folds) loop.reductions = {{Symbol("s"), DType::F64, ReduceOp::Sum}};
            if (isAsked) loop.hints.threads = intConst(64);
            const bool isFree = order != Order::Serial && mark != LoopMark::Sequential;
            const bool isUnasked = mark == LoopMark::None && !isAsked;
            CHECK(isParallel(loop) == isFree);
            CHECK(isUnmarked(loop) == isUnasked);
            CHECK(isPlain(loop) == (isFree && isUnasked && !folds));
            CHECK(isSerial(loop) == (order == Order::Serial && mark == LoopMark::None));
            CHECK(isPlainSerial(loop) == (order == Order::Serial && isUnasked && step == 1 && !folds));
            Launch kernel{};
            kernel.body = makeStmt({}, loop);
            const Stmt launch = makeStmt({}, kernel), object = makeStmt({}, Launch{});
            CHECK(hasAskedThreads(launch) == isAsked);
            CHECK((openKernel(launch) != nullptr) == !isAsked);
            CHECK_FALSE(openKernel(object));
            CHECK_FALSE(openKernel(kernel.body));
          }
}

TEST_CASE("a loop's mapping") {
  struct Row {
    Mapping mapping;
    const char* text;
    bool isBound, isUnrolled, isAlongLanes;
    std::optional<Axis> axis{};
    std::optional<Scope> lanes{};
    int firstBlock = 0;
  };
  const Symbol inside("inside");
  const Row rows[] = {
      {Serial{}, "", false, false, false},
      {Serial{.unroll = true}, ", unroll", false, true, false},
      {VectorCopy{}, ", together", false, false, false},
      {PerLane{Scope::Block, Axis::Y, true}, ", unroll, bind=thread.y", true, true, false, Axis::Y,
       Scope::Block},
      {PerLane{Scope::Warp}, ", bind=lane.x", true, false, true, Axis::X, Scope::Warp},
      {PerBlock{}, ", bind=grid.x", true, false, false, Axis::X},
      {PerBlock{Axis::Z, true, inside}, ", bind=grid.z, once, apart(inside)", true, false, false, Axis::Z},
      {PerWarp{Axis::X, 1}, ", bind=warp.x, first_block=1", true, false, false, Axis::X, {}, 1},
      {PerThread{Axis::Y}, ", bind=global.y", true, false, false, Axis::Y},
      {PerThread{Axis::X, 2}, ", bind=global.x, first_block=2", true, false, true, Axis::X, {}, 2},
      {Recorded{}, ", bind=graph", true, false, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    For loop = serialLoop(Symbol("i"), intConst(0), intConst(4), intConst(1), block({}));
    loop.mapping = row.mapping;
    CHECK(print(makeStmt({}, loop)) ==
          std::string("for i in range(0, 4, 1):  # serial") + row.text + "\n  pass\n");
    CHECK(isBound(loop) == row.isBound);
    CHECK(isUnrolled(loop) == row.isUnrolled);
    CHECK(isAlongLanes(loop) == row.isAlongLanes);
    CHECK((axisOf(loop) == row.axis));
    CHECK((lanesOf(loop) == row.lanes));
    CHECK(firstBlockOf(loop) == row.firstBlock);
  }
}

//===--- rules --------------------------------------------------------------------------------------===//

TEST_CASE("verify accepts the sample and finds what is wrong") {
  Sample good;
  CHECK(verify(good.module, Level::Loop) == "");
  CHECK(verify(good.module, Level::Scheduled) == "");
  Sample mixed(DType::F32);
  CHECK(verify(mixed.module, Level::Loop) == "in `scale`: operands are f64 and f32\n  A[i] * f32(2.0)");

  auto errorOf = [](Level level, auto change) {
    Sample s;
    change(s);
    return verify(s.module, level);
  };
  auto after = [](Sample& s, Stmt extra) { s.function().body = block({s.function().body, extra}); };
  using Catch::Contains;
  CHECK_THAT(errorOf(Level::Loop, [](Sample& s) { s.function().buffers.pop_back(); }),
             Contains("not defined"));
  CHECK_THAT(errorOf(Level::Loop, [](Sample& s) { s.function().sizes.clear(); }), Contains("does not know"));
  CHECK_THAT(errorOf(Level::Scheduled, [&](Sample& s) { after(s, makeStmt({}, Barrier{Scope::Block})); }),
             Contains("outside Launch"));
  CHECK_THAT(errorOf(Level::Loop, [&](Sample& s) { after(s, makeStmt({}, Barrier{Scope::Block})); }),
             Contains("not legal"));
  CHECK_THAT(errorOf(Level::Loop,
                     [&](Sample& s) {
                       after(s, makeStmt({}, Store{s.b, {var(s.i)}, floatConst(1), {}}));
                     }),
             Contains("a variable is not defined")); // the index after its loop
  CHECK_THAT(errorOf(Level::Loop,
                     [&](Sample& s) {
                       after(s, makeStmt({}, Store{s.b, {}, floatConst(1), {}}));
                     }),
             Contains("0 indices for rank 1"));
  CHECK_THAT(errorOf(Level::Loop,
                     [&](Sample& s) {
                       after(s, makeStmt({}, serialLoop(Symbol("k"), intConst(0), var(s.n), intConst(0),
                                                        block({}))));
                     }),
             Contains("step 0"));
  CHECK_THAT(
      errorOf(
          Level::Loop,
          [&](Sample& s) {
            Symbol x("x");
            after(s, block({makeStmt({}, Assign{x, intConst(1)}), makeStmt({}, Assign{x, floatConst(1)})}));
          }),
      Contains("both i64 and f64"));
  CHECK_THAT(errorOf(Level::Loop,
                     [&](Sample& s) {
                       after(s, makeStmt({}, While{intConst(1), block({})}));
                     }),
             Contains("condition is not bool"));
}

namespace {
/// def twice(x): return x + x
FunctionRef twice(DType type) {
  Function f;
  f.name = "twice";
  const Symbol x("x");
  f.params.push_back({x, type, false, {}});
  f.results.push_back({Result::Scalar, type, Symbol("result"), {}});
  f.body = makeStmt({}, Return{binary(BinaryOp::Add, var(x, type), var(x, type))});
  return std::make_shared<const Function>(f);
}
Expr apply(const FunctionRef& f, std::vector<Expr> args) {
  return make(Apply{f->results[0].type, f, std::move(args)});
}
} // namespace

TEST_CASE("functions that expressions call") {
  Sample s;
  const Buffer a = s.function().buffers[0], b = s.function().buffers[1];
  const FunctionRef f = twice(DType::F64), again = twice(DType::F64), other = twice(DType::F32);
  const Expr e = apply(f, {load(a, {var(s.i)})});
  CHECK(equal(e, apply(again, {load(a, {var(s.i)})}))); // of one text
  CHECK(!equal(e, apply(f, {load(b, {var(s.i)})})));
  CHECK(!equal(apply(f, {floatConst(1)}), apply(other, {constOf(DType::F32, 1)})));
  CHECK(freeVars(e) == std::set<Symbol>{s.i});
  CHECK(text(substitute(e, {{s.i, intConst(3)}})) == "twice(A[3])");
  const auto with = [&](const Expr& value) {
    Module m = s.module;
    For loop = *m.functions[0].body.as<For>();
    loop.body = makeStmt({}, Store{s.b, {var(s.i)}, value, {}});
    m.functions[0].body = makeStmt({}, loop);
    return m;
  };
  const Module m = with(apply(f, {apply(again, {load(a, {var(s.i)})})}));
  CHECK(verify(m, Level::Loop) == "");
  CHECK(calledFunctions(m).size() == 1);
  CHECK_THAT(print(m), Catch::StartsWith("# level loop\n"
                                         "\n"
                                         "def twice(x: f64) -> f64:\n"
                                         "  # called\n"
                                         "  return x + x\n"));
  CHECK_THAT(verify(with(apply(f, {intConst(1)})), Level::Loop), Catch::Contains("other arguments"));
  CHECK_THAT(verify(with(make(Apply{DType::F64, other, {constOf(DType::F32, 1)}})), Level::Loop),
             Catch::Contains("gives another type"));
  Function looped = *f;
  looped.body = block({makeStmt({}, While{boolConst(false), block({})}), f->body});
  const Expr runsOn = apply(f, {apply(std::make_shared<const Function>(looped), {floatConst(1)})});
  CHECK(!callsLoop(e));
  CHECK(callsLoop(runsOn));
  CHECK(isStraight(makeStmt({}, Store{s.b, {var(s.i)}, e, {}})));
  CHECK(!isStraight(makeStmt({}, Store{s.b, {var(s.i)}, runsOn, {}})));
  int sums = 0, unknown = 0;
  visitThrough(runsOn, [&](const Expr& part) {
    sums += part.is<Binary>(), unknown += part.is<Apply>();
    return true;
  });
  CHECK(sums == 1);
  CHECK(unknown == 1);
  Function wrong = *f;
  wrong.body = makeStmt({}, Return{intConst(1)});
  CHECK_THAT(verify(with(apply(std::make_shared<const Function>(wrong), {floatConst(1)})), Level::Loop),
             Catch::Contains("returns another type"));
}

//===--- C interface --------------------------------------------------------------------------------===//

TEST_CASE("entry parameters") {
  Sample s;
  Function f = s.function();
  f.params.push_back({Symbol("lambda"), DType::F32, false, {}});
  f.params.push_back({Symbol("int"), DType::I64, false, {}});
  f.results = {{Result::Scalar, DType::F64, Symbol("total"), {}},
               {Result::Array, DType::F64, Symbol("B"), {}}};
  std::string names;
  for (const CParam& p : entryParams(f, true)) names += p.name + " ";
  CHECK(names == "A B lambda_1 int_1 N total_out B_1 workspace stream ");
  CHECK(entryParams(f, false).size() == 7);
  CHECK(entryParams(f, false)[0].role == CParam::ArrayIn);
  CHECK(entryParams(f, false)[1].role == CParam::ArrayInOut);
  std::string workspace;
  for (const CParam& p : workspaceParams(f)) workspace += p.name + " ";
  CHECK(workspace == "N lambda_1 int_1 ");
}

TEST_CASE("entries bring other symbols along") {
  std::set<std::string> taken = exportedBySupport();
  CHECK(uniqueEntry("div", taken) == "div");
  CHECK(uniqueEntry("main", taken) == "main");
  CHECK(uniqueEntry("error", taken) == "error_1");
  CHECK(uniqueEntry("f_workspace", taken) == "f_workspace");
  CHECK(uniqueEntry("f", taken) == "f_1");
  CHECK(uniqueEntry("f_1_workspace", taken) == "f_1_workspace_1");
  CHECK(symbolPrefix("2d-host") == "appyc_2d_host_");
}

TEST_CASE("loops that run down, upward") {
  const Symbol n("N"), i("i"), j("j"), a("A");
  const Expr down = sub(var(n), intConst(1)), minusOne = intConst(-1);
  const auto loopOver = [&](const Symbol& index, const Stmt& body) {
    return serialLoop(index, down, minusOne, minusOne, body);
  };
  const Stmt set = makeStmt({}, Store{a, {var(i), var(j)}, floatConst(1.0), {}});
  For inner = loopOver(j, set);
  inner.order = Order::Proven;
  const Stmt nest = makeStmt({}, loopOver(i, makeStmt({}, inner)));
  // The order of the outer loop is kept, that of the inner one is free.
  CHECK(print(loopsUpward(nest)) == "for i in range(0, N, 1):  # serial\n"
                                    "  for j in range(0, N, 1):  # proven\n"
                                    "    A[N - i - 1, j] = 1.0\n");
  For asked = loopOver(i, set);
  asked.hints.mark = LoopMark::Sequential;
  const Stmt kept = makeStmt({}, asked);
  CHECK(loopsUpward(kept) == kept);
  CHECK(upward(set) == set);
}

TEST_CASE("identifiers") {
  std::set<std::string> taken;
  CHECK(uniqueIdentifier("x", taken) == "x");
  CHECK(uniqueIdentifier("x", taken) == "x_1");
  CHECK(uniqueIdentifier("2a-b", taken) == "v2a_b");
  CHECK(uniqueIdentifier("exp", taken) == "exp_1");
  CHECK(uniqueIdentifier("", taken) == "v");
  for (const char* reserved :
       {"INT64_MAX", "PTHREAD_NEW", "__global__", "_Bool", "double", "cudaMalloc", "M_PI"})
    CHECK(uniqueIdentifier(reserved, taken) != reserved);
  for (const char* free : {"div", "read", "gamma", "N", "MAX_ITER", "_x", "M_TOTAL"})
    CHECK(uniqueIdentifier(free, taken) == free);
  CHECK(uniqueIdentifier("FP_NEW", taken) == "v_FP_NEW_1"); // not in the family any more
  CHECK(statusNamed("IndexError") == Status::IndexError);
  CHECK(statusNamed("Odd") == Status::RuntimeError);
}
