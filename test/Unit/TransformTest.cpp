//===- TransformTest.cpp - overlap, hoisting, proof and fusion on small programs --------------------===//
#include "appyc/Cost/Device.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Transform/Passes.h"
#include <catch2/catch.hpp>

using namespace appyc;
using namespace appyc::ir;

namespace {

/// A function of arrays A, B, X (f64[N, N]) and v, w (f64[N]).
struct Program {
  Symbol n{"N"}, i{"i"}, j{"j"}, k{"k"}, t{"t"}, s{"s"};
  Buffer A, B, X, v, w, col;
  Diagnostics diag;
  PassContext ctx{diag, cost::standardDevice()};
  Function function;
  uint32_t nextSpan = 1;

  Program() {
    auto array = [&](const char* name, int rank, DType type) {
      Buffer b{Symbol(name), type, {}};
      for (int d = 0; d < rank; ++d) b.extents.push_back(var(n));
      function.params.push_back({b.name, type, true, b.extents, true});
      function.buffers.push_back(b);
      return b;
    };
    A = array("A", 2, DType::F64), B = array("B", 2, DType::F64), X = array("X", 2, DType::F64);
    v = array("v", 1, DType::F64), w = array("w", 1, DType::F64), col = array("col", 1, DType::I64);
    function.name = function.entry = "f";
    function.sizes = {{n, 0, 0}};
  }

  Stmt put(const Buffer& b, std::vector<Expr> at, Expr value, std::optional<ReduceOp> atomic = {}) {
    uint32_t place = nextSpan++;
    return makeStmt({place, place + 1}, Store{b.name, std::move(at), std::move(value), atomic});
  }
  static Stmt assign(const Symbol& name, Expr value) { return makeStmt({}, Assign{name, std::move(value)}); }
  Stmt loop(const Symbol& index, Stmt body, LoopMark mark = LoopMark::None, Order order = Order::Serial,
            Expr hi = {}) {
    For f;
    f.index = index, f.lo = intConst(0), f.hi = hi ? hi : var(n), f.step = intConst(1);
    f.body = std::move(body), f.hints.mark = mark, f.order = order;
    uint32_t place = nextSpan++;
    return makeStmt({place, place + 1}, f);
  }
  Stmt free(const Symbol& index, Stmt body) {
    return loop(index, std::move(body), LoopMark::None, Order::Proven);
  }

  Function run(void (*pass)(Function&, PassContext&), Stmt body, Level level = Level::Loop) {
    Module m{level, {function}};
    m.functions[0].body = block({std::move(body), makeStmt({}, Return{})});
    const Module out = apply({"", pass, level, Always, ""}, m, ctx);
    INFO(print(out));
    CHECK(verify(out, level) == "");
    return out.functions[0];
  }
  bool reported(DiagId id) const {
    for (const Diagnostic& d : diag.all())
      if (d.id == id) return true;
    return false;
  }
};

int count(const Stmt& s, bool (*is)(const Stmt&)) {
  int found = 0;
  visit(s, [&](const Stmt& x) { return found += is(x), true; });
  return found;
}
int loops(const Stmt& s) {
  return count(s, [](const Stmt& x) { return x.is<For>(); });
}
int ifs(const Stmt& s) {
  return count(s, [](const Stmt& x) { return x.is<If>(); });
}
int atomics(const Stmt& s) {
  return count(s, [](const Stmt& x) { return x.is<Store>() && x.as<Store>()->atomicOp.has_value(); });
}
int allocs(const Stmt& s) {
  return count(s, [](const Stmt& x) { return x.is<Alloc>(); });
}
const For& firstLoop(const Stmt& s) {
  const For* found = nullptr;
  visit(s, [&](const Stmt& x) {
    if (!found) found = x.as<For>();
    return !found;
  });
  return *found;
}
Expr plus(Expr a, Expr b) { return binary(BinaryOp::Add, std::move(a), std::move(b)); }
Expr times(Expr a, Expr b) { return binary(BinaryOp::Mul, std::move(a), std::move(b)); }

} // namespace

TEST_CASE_METHOD(Program, "a pass runs where its row says so", "[transform]") {
  const auto drop = [](Function& f, PassContext&) { f.body = block({}); };
  const auto runs = [&](unsigned when) {
    return statementsOf(apply({"", drop, Level::Loop, when, ""}, Module{Level::Tensor, {function}}, ctx)
                            .functions[0]
                            .body)
        .empty();
  };
  function.body = makeStmt({}, Return{});
  struct Row {
    When when;
    bool PassContext::*of;
    bool where;
  };
  const Row rows[] = {{OnGpu, &PassContext::cuda, true},
                      {WithAuto, &PassContext::autoParallel, true},
                      {WithVersions, &PassContext::versions, true},
                      {WithLibraries, &PassContext::library, true},
                      {UnlessRaces, &PassContext::checkRaces, false}};
  for (unsigned unmet = 0; unmet < 1u << std::size(rows); ++unmet) {
    for (size_t k = 0; k < std::size(rows); ++k)
      ctx.*rows[k].of = (unmet >> k & 1) ? !rows[k].where : rows[k].where;
    CHECK(runs(Always));
    CHECK(runs(Required));
    unsigned all = 0;
    for (size_t k = 0; k < std::size(rows); ++k) {
      CHECK(runs(rows[k].when) == !(unmet >> k & 1));
      all |= rows[k].when;
    }
    CHECK(runs(all) == (unmet == 0));
  }
}

TEST_CASE_METHOD(Program, "buffer-overlaps: the right side is read first", "[transform]") {
  Expr one = intConst(1);
  Range range{i, sub(var(n), one)};
  auto statement = [&](Expr at, Expr value) {
    return makeStmt({7, 8}, IndexStmt{{range}, v.name, {std::move(at)}, std::move(value), {}});
  };
  Function f = run(transform::bufferOverlaps, statement(add(var(i), one), load(v, {var(i)})), Level::Tensor);
  CHECK(allocs(f.body) == 1);
  CHECK(f.buffers.size() == function.buffers.size() + 1);
  CHECK(reported(DiagId::Buffered));
  f = run(transform::bufferOverlaps, statement(var(i), plus(load(v, {var(i)}), load(w, {add(var(i), one)}))),
          Level::Tensor);
  CHECK(allocs(f.body) == 0);
  CHECK(loops(f.body) == 0); // free, still one statement
  f = run(transform::bufferOverlaps, statement(load(col, {var(i)}), load(w, {var(i)})), Level::Tensor);
  CHECK(firstLoop(f.body).order == Order::Serial); // an index that occurs twice: the last one wins
}

TEST_CASE_METHOD(Program, "buffer-overlaps: subscripts are read first, too", "[transform]") {
  IndexStmt own{{Range{i, var(n)}}, col.name, {load(col, {var(i)})}, intConst(1), {}};
  Function f = run(transform::bufferOverlaps, makeStmt({}, own), Level::Tensor);
  CHECK(allocs(f.body) == 1);
}

TEST_CASE_METHOD(Program, "prove-parallel: proven, kept serial, refuted, assumed", "[transform]") {
  Stmt copy = put(v, {var(i)}, load(w, {var(i)}));
  CHECK(firstLoop(run(transform::proveParallel, loop(i, copy)).body).order == Order::Proven);
  Stmt shift = put(v, {add(var(i), intConst(1))}, load(v, {var(i)}));
  CHECK(firstLoop(run(transform::proveParallel, loop(i, shift)).body).order == Order::Serial);
  CHECK(reported(DiagId::KeptSerial));
  CHECK_FALSE(diag.hasErrors());
  CHECK(firstLoop(run(transform::proveParallel, loop(i, shift, LoopMark::Sequential)).body).order ==
        Order::Serial);
  Stmt scatter = put(v, {load(col, {var(i)})}, load(w, {var(i)}));
  CHECK(firstLoop(run(transform::proveParallel, loop(i, scatter, LoopMark::Parallel)).body).order ==
        Order::Assumed);
  CHECK(reported(DiagId::Assumed));
  CHECK(firstLoop(run(transform::proveParallel, loop(i, scatter)).body).order == Order::Serial);
  CHECK_FALSE(diag.hasErrors());
  run(transform::proveParallel, loop(i, shift, LoopMark::Parallel));
  REQUIRE(reported(DiagId::LoopCarried));
  const Diagnostic& d = diag.all().back();
  CHECK(d.text.find("iteration i=0 writes v[1], iteration i=1 reads it") != std::string::npos);
  REQUIRE(d.notes.size() == 3);
  CHECK(d.notes[0].text == "iteration i=0 writes v[1]");
  CHECK(d.notes[1].text == "iteration i=1 reads it");
}

TEST_CASE_METHOD(Program, "prove-parallel: scalars", "[transform]") {
  Expr x = load(v, {var(i)});
  Function f = run(transform::proveParallel,
                   block({assign(s, floatConst(0)), loop(i, assign(s, plus(var(s, DType::F64), x)))}));
  CHECK(firstLoop(f.body).order == Order::Proven);
  REQUIRE(firstLoop(f.body).reductions.size() == 1);
  CHECK(firstLoop(f.body).reductions[0].op == ReduceOp::Sum);
  Stmt last = block({loop(i, assign(t, x), LoopMark::Parallel), put(w, {intConst(0)}, var(t, DType::F64))});
  run(transform::proveParallel, block({assign(t, floatConst(0)), last}));
  CHECK(reported(DiagId::LiveOut));
  Stmt scan =
      loop(i, block({assign(s, plus(times(var(s, DType::F64), x), x)), put(w, {var(i)}, var(s, DType::F64))}),
           LoopMark::Parallel);
  run(transform::proveParallel, block({assign(s, floatConst(0)), scan}));
  CHECK(reported(DiagId::LoopCarried));
}

TEST_CASE_METHOD(Program, "prove-parallel: a condition makes two versions", "[transform]") {
  Symbol shift("K");
  function.params.push_back({shift, DType::I64, false, {}});
  Function f = run(transform::proveParallel, loop(i, put(v, {var(i)}, load(v, {add(var(i), var(shift))}))));
  CHECK(ifs(f.body) == 1);
  CHECK(loops(f.body) == 2);
  CHECK(reported(DiagId::Parallelised));
}

TEST_CASE_METHOD(Program, "hoist-accumulators: an element becomes a scalar over the whole nest",
                 "[transform]") {
  Expr element = load(v, {var(i)});
  auto sum = [&](Expr e) { return put(v, {var(i)}, plus(element, std::move(e))); };
  Function f = run(transform::hoistAccumulators, loop(i, loop(k, sum(load(A, {var(i), var(k)})))));
  CHECK(ifs(f.body) == 0); // v[i] exists even if there is no k
  CHECK(print(f.body).find("v_value = v_value + A[i, k]") != std::string::npos);
  Stmt deep = loop(i, loop(j, loop(k, sum(times(load(A, {var(i), var(j)}), load(B, {var(j), var(k)}))))));
  f = run(transform::hoistAccumulators, deep);
  CHECK(firstLoop(f.body).body.is<Block>()); // loaded before j, stored after it
  // A[i, k] for k < j is another element than A[i, j].
  Stmt update = put(A, {var(i), var(j)},
                    binary(BinaryOp::Sub, load(A, {var(i), var(j)}),
                           times(load(A, {var(i), var(k)}), load(A, {var(j), var(k)}))));
  Stmt cholesky = loop(i, loop(j, loop(k, update, LoopMark::None, Order::Serial, var(j)), LoopMark::None,
                               Order::Serial, var(i)));
  f = run(transform::hoistAccumulators, cholesky);
  CHECK(print(f.body).find("A_value = A_value - A[i, k] * A[j, k]") != std::string::npos);
  // All of row i, the element included.
  Stmt reads = loop(i, loop(k, sum(load(v, {var(k)}))));
  CHECK(print(run(transform::hoistAccumulators, reads).body).find("v_value") == std::string::npos);
}

TEST_CASE_METHOD(Program, "hoist-accumulators: a guard where the element may not exist", "[transform]") {
  Expr zero = intConst(0), element = load(v, {zero});
  Stmt sum = put(v, {zero}, plus(element, load(w, {var(i)})));
  Stmt outer = loop(i, sum, LoopMark::None, Order::Serial, var(n));
  CHECK(ifs(run(transform::hoistAccumulators, outer).body) == 1);
  Stmt perhaps = makeStmt({}, If{binary(BinaryOp::Gt, load(w, {var(i)}), floatConst(0)), sum, {}});
  CHECK(print(run(transform::hoistAccumulators, loop(i, perhaps)).body).find("v_value") == std::string::npos);
}

TEST_CASE_METHOD(Program, "hoist-accumulators: atomic updates of one element become a reduction",
                 "[transform]") {
  Expr zero = intConst(0);
  Stmt update = put(v, {zero}, load(w, {var(i)}), ReduceOp::Sum);
  Function f = run(transform::hoistAccumulators, loop(i, update, LoopMark::ParallelSimd));
  CHECK(atomics(f.body) == 0);
  f = run(transform::proveParallel, loop(i, update, LoopMark::ParallelSimd));
  CHECK(firstLoop(f.body).order == Order::Proven);
  // Two workers may have one bin: the sum of each is still added indivisibly.
  Stmt bins =
      loop(i,
           block({assign(t, load(col, {var(i)})),
                  loop(j, put(v, {var(t)}, load(A, {var(i), var(j)}), ReduceOp::Sum), LoopMark::Simd)}),
           LoopMark::Parallel);
  f = run(transform::hoistAccumulators, bins);
  CHECK(atomics(f.body) == 1);
  CHECK(print(f.body).find("v_value = v_value + A[i, j]") != std::string::npos);
}

TEST_CASE_METHOD(Program, "fuse-loops: element by element", "[transform]") {
  Stmt first = free(i, put(v, {var(i)}, load(w, {var(i)})));
  auto second = [&](Expr at) { return free(j, put(w, {var(j)}, load(v, {std::move(at)}))); };
  CHECK(loops(run(transform::fuseLoops, block({first, second(var(j))})).body) == 1);
  CHECK(reported(DiagId::Fused));
  CHECK(
      loops(run(transform::fuseLoops, block({first, second(sub(sub(var(n), intConst(1)), var(j)))})).body) ==
      2);
  Stmt apart = free(j, put(X, {var(j), intConst(0)}, floatConst(1)));
  CHECK(loops(run(transform::fuseLoops, block({first, apart})).body) == 2); // no array in common
  Stmt check = makeStmt({}, Require{binary(BinaryOp::Gt, var(n), intConst(0)), "ValueError", "empty"});
  CHECK(loops(run(transform::fuseLoops, block({first, check, second(var(j))})).body) == 2);
}

TEST_CASE_METHOD(Program, "fuse-loops: whole nests or nothing", "[transform]") {
  auto nest = [&](const Buffer& to, const Buffer& from, Expr column) {
    Symbol r("r"), c("c");
    return free(r, free(c, put(to, {var(r), var(c)}, load(from, {var(r), column ? column : var(c)}))));
  };
  CHECK(loops(run(transform::fuseLoops, block({nest(B, A, {}), nest(X, B, {})})).body) == 2);
  CHECK(loops(run(transform::fuseLoops, block({nest(B, A, {}), nest(X, B, intConst(0))})).body) == 4);
}

TEST_CASE_METHOD(Program, "fuse-loops: two products share their rows and their inner loop", "[transform]") {
  auto product = [&](const Buffer& y, const Buffer& matrix) {
    Symbol r("r"), c("c"), total("total");
    For inner;
    inner.index = c, inner.lo = intConst(0), inner.hi = var(n), inner.step = intConst(1),
    inner.order = Order::Proven;
    inner.body = assign(total, plus(var(total, DType::F64),
                                    times(load(matrix, {var(r), var(c)}), load(X, {intConst(0), var(c)}))));
    inner.reductions = {{total, DType::F64, ReduceOp::Sum}};
    return free(r, block({assign(total, floatConst(0)), makeStmt({}, inner),
                          put(y, {var(r)}, var(total, DType::F64))}));
  };
  Function f = run(transform::fuseLoops, block({product(v, A), product(w, B)}));
  CHECK(loops(f.body) == 2);
  // A reduction of rows and an elementwise pass over the same rows.
  Symbol r("r"), c("c");
  Stmt scale =
      free(r, free(c, put(A, {var(r), var(c)}, times(load(A, {var(r), var(c)}), load(v, {var(r)})))));
  f = run(transform::fuseLoops, block({product(v, A), scale}));
  CHECK(loops(f.body) == 3);
}
