//===- ScheduleTest.cpp - from judged loops to kernels ----------------------------------------------===//
// Each program is built by hand at level Loop, scheduled, and both forms are run one iteration after the
// other on the same data.
#include "ScheduleProgram.h"

using namespace appyc;
using namespace appyc::ir;
using namespace appyc::test;

TEST_CASE("vector add: one thread an element", "[schedule]") {
  Program p;
  Expr n = p.size("N", 1000);
  Buffer a = p.array("a", {n}), b = p.array("b", {n}), c = p.array("c", {n});
  Symbol i("i");
  p.body = {stmt(parallel(i, zero(), n, {store(c, {var(i)}, plus(load(a, {var(i)}), load(b, {var(i)})))}))};
  Scheduled s = scheduled(p);
  CHECK(s.kernels() == 1);
  CHECK(s.kernel().name == "f_kernel");
  CHECK(s.kernel().shape.block[0] == 256);
  CHECK(s.loop("i").mapping.is<PerThread>());
  CHECK(s.barriers() == 0);
  CHECK(s.says("one thread an iteration of `i`"));
}

TEST_CASE("softmax of rows: a block a row", "[schedule]") {
  Program p;
  Expr m = p.size("M", 7), n = p.size("N", 300);
  Buffer a = p.array("A", {m, n}), b = p.array("B", {m, n});
  Symbol i("i"), j("j"), k("k"), l("l"), most("most"), sum("sum");
  Expr e = call(Intrinsic::Exp, DType::F64, {binary(BinaryOp::Sub, load(a, {var(i), var(k)}), scalar(most))});
  p.body = {stmt(parallel(
      i, zero(), m,
      {assign(most, identity(ReduceOp::Max, DType::F64)),
       stmt(parallel(j, zero(), n,
                     {assign(most, binary(BinaryOp::Max, scalar(most), load(a, {var(i), var(j)})))},
                     {{most, DType::F64, ReduceOp::Max}})),
       assign(sum, f64(0)),
       stmt(parallel(
           k, zero(), n,
           {store(b, {var(i), var(k)}, e), assign(sum, plus(scalar(sum), load(b, {var(i), var(k)})))},
           {sumOf(sum)})),
       stmt(parallel(
           l, zero(), n,
           {store(b, {var(i), var(l)}, binary(BinaryOp::Div, load(b, {var(i), var(l)}), scalar(sum)))}))}))};
  Scheduled s = scheduled(p);
  CHECK(s.kernels() == 1);
  CHECK(s.loop("i").mapping.is<PerBlock>());
  CHECK(s.loops<PerLane>() == 3);
  CHECK(s.collectives(Scope::Block) == 2);
  CHECK(s.barriers() == 0);
  CHECK(s.kernel().shape.block[0] == 128);
}

TEST_CASE("neighbours' elements need a barrier, the lane's own do not", "[schedule]") {
  Program p;
  Expr m = p.size("M", 5), n = p.size("N", 200);
  Buffer a = p.array("A", {m, n}), b = p.array("B", {m, n}), c = p.array("C", {m, n});
  Symbol i("i"), j("j"), k("k"), l("l");
  auto row = [&](const Buffer& x, Expr at) { return load(x, {var(i), std::move(at)}); };
  For outer =
      parallel(i, zero(), m,
               {stmt(parallel(j, zero(), n, {store(b, {var(i), var(j)}, times(row(a, var(j)), f64(2)))})),
                stmt(parallel(k, zero(), n, {store(c, {var(i), var(k)}, row(b, var(k)))})),
                stmt(parallel(l, zero(), sub(n, intConst(1)),
                              {store(a, {var(i), var(l)}, row(b, add(var(l), intConst(1))))}))});
  p.body = {stmt(outer)};
  Scheduled s = scheduled(p);
  CHECK(s.loop("i").mapping.is<PerBlock>());
  CHECK(s.barriers() == 1);
}

TEST_CASE("csr: a warp a row", "[schedule]") {
  Program p;
  Expr m = p.size("M", 3), nnz = p.size("NNZ", 8), n = p.size("N", 6);
  Buffer ptr = p.array("ptr", {add(m, intConst(1))}, DType::I64), col = p.array("col", {nnz}, DType::I64);
  Buffer val = p.array("val", {nnz}), x = p.array("x", {n}), y = p.array("y", {m});
  p.given[ptr.name] = {0, 3, 3, 8};
  p.given[col.name] = {0, 2, 5, 1, 2, 3, 4, 0};
  Symbol i("i"), j("j"), acc("acc");
  For inner =
      parallel(j, load(ptr, {var(i)}), load(ptr, {add(var(i), intConst(1))}),
               {assign(acc, plus(scalar(acc), times(load(val, {var(j)}), load(x, {load(col, {var(j)})}))))},
               {sumOf(acc)});
  inner.hints.mark = LoopMark::Simd;
  For outer = parallel(i, zero(), m, {assign(acc, f64(0)), stmt(inner), store(y, {var(i)}, scalar(acc))});
  outer.hints.mark = LoopMark::Parallel;
  outer.order = Order::Assumed;
  p.body = {stmt(outer)};
  Scheduled s = scheduled(p);
  CHECK(s.loop("i").mapping.is<PerWarp>());
  CHECK(lanesOf(s.loop("j")) == Scope::Warp);
  CHECK(s.collectives(Scope::Warp) == 1);
  CHECK(s.barriers() == 0);
  CHECK(s.kernel().shape.block[0] == 128);
  CHECK(s.says("length depends on data"));
}

namespace {
/// C[i,j] = sum over k of left * right
void addMatmul(Program& p, const Buffer& c, Expr m, Expr n, Expr depth, auto term) {
  Symbol i("i"), j("j"), k("k"), acc("acc");
  For inner = parallel(k, zero(), depth, {assign(acc, plus(scalar(acc), term(var(i), var(j), var(k))))},
                       {sumOf(acc)});
  For middle =
      parallel(j, zero(), n, {assign(acc, f64(0)), stmt(inner), store(c, {var(i), var(j)}, scalar(acc))});
  p.body.push_back(stmt(parallel(i, zero(), m, {stmt(middle)})));
}
} // namespace

TEST_CASE("matmul: threads along the coalesced axis", "[schedule]") {
  Program p;
  Expr m = p.size("M", 40), n = p.size("N", 50), depth = intConst(33); // longer ones may be cut
  Buffer a = p.array("A", {m, depth}), b = p.array("B", {depth, n}), c = p.array("C", {m, n});
  addMatmul(p, c, m, n, depth, [&](Expr i, Expr j, Expr k) {
    return times(load(a, {i, k}), load(b, {k, j}));
  });
  Scheduled s = scheduled(p);
  CHECK(s.loop("j").mapping.is<PerThread>());
  CHECK(axisOf(s.loop("j")) == Axis::X);
  CHECK(axisOf(s.loop("i")) == Axis::Y);
  CHECK(s.loop("k").mapping.is<Serial>());
  CHECK(s.kernel().shape.block[0] == 32);
  CHECK(s.kernel().shape.block[1] == 8);
}

TEST_CASE("dot products of rows: a warp each", "[schedule]") {
  Program p;
  Expr m = p.size("M", 12), n = p.size("N", 9), depth = p.size("K", 70);
  Buffer a = p.array("A", {m, depth}), b = p.array("B", {n, depth}), c = p.array("C", {m, n});
  addMatmul(p, c, m, n, depth, [&](Expr i, Expr j, Expr k) {
    return times(load(a, {i, k}), load(b, {j, k}));
  });
  Scheduled s = scheduled(p);
  CHECK(s.loop("j").mapping.is<PerWarp>());
  CHECK(s.loop("i").mapping.is<PerBlock>());
  CHECK(axisOf(s.loop("i")) == Axis::Y);
  CHECK(lanesOf(s.loop("k")) == Scope::Warp);
}

TEST_CASE("a transposed access makes the outer loop the fast one", "[schedule]") {
  Program p;
  Expr m = p.size("M", 20), n = p.size("N", 30);
  Buffer a = p.array("A", {n, m}), b = p.array("B", {n, m});
  Symbol i("i"), j("j");
  p.body = {stmt(
      parallel(i, zero(), m,
               {stmt(parallel(j, zero(), n, {store(b, {var(j), var(i)}, load(a, {var(j), var(i)}))}))}))};
  Scheduled s = scheduled(p);
  CHECK(axisOf(s.loop("i")) == Axis::X);
  CHECK(axisOf(s.loop("j")) == Axis::Y);
}

TEST_CASE("transposed matrix-vector product: the reduction is split", "[schedule]") {
  Program p;
  Expr m = p.size("M", 700), n = p.size("N", 90);
  Buffer a = p.array("A", {m, n}), y = p.array("y", {m}), x = p.array("x", {n});
  Symbol i("i"), j("j"), acc("acc");
  p.body = {stmt(parallel(
      i, zero(), n,
      {assign(acc, f64(0)),
       stmt(parallel(j, zero(), m,
                     {assign(acc, plus(scalar(acc), times(load(a, {var(j), var(i)}), load(y, {var(j)}))))},
                     {sumOf(acc)})),
       store(x, {var(i)}, plus(load(x, {var(i)}), scalar(acc)))}))};
  Scheduled s = scheduled(p);
  CHECK(s.kernels() == 2);
  CHECK(s.loops<PerThread>() == 2);
  CHECK(s.loops<PerBlock>() == 1); // folds the chunks
  CHECK(s.barriers() == 0);
}

TEST_CASE("a time loop stays on the host", "[schedule]") {
  Program p;
  Expr n = p.size("N", 50), steps = p.size("T", 6);
  Buffer a = p.array("a", {n}), b = p.array("b", {n});
  Symbol t("t"), i("i"), j("j");
  auto step = [&](const Buffer& to, const Buffer& from, Symbol k) {
    return stmt(parallel(
        k, intConst(1), sub(n, intConst(1)),
        {store(to, {var(k)},
               plus(load(from, {sub(var(k), intConst(1))}), load(from, {add(var(k), intConst(1))})))}));
  };
  p.body = {stmt(serial(t, zero(), steps, {step(b, a, i), step(a, b, j)}))};
  Scheduled s = scheduled(p);
  CHECK(s.kernels() == 2);
  CHECK(s.run.launches == 12);
  CHECK(s.kernel(1).name == "f_kernel2");
  CHECK(s.f.body.is<For>());
}

TEST_CASE("sequential: one worker, barriers where lanes meet", "[schedule]") {
  Program p;
  Expr n = p.size("N", 40), steps = p.size("T", 5);
  Buffer a = p.array("A", {steps, n});
  Symbol t("t"), i("i");
  For loop = serial(t, intConst(1), steps,
                    {stmt(parallel(i, intConst(1), n,
                                   {store(a, {var(t), var(i)},
                                          load(a, {sub(var(t), intConst(1)), sub(var(i), intConst(1))}))}))});
  loop.hints.mark = LoopMark::Sequential;
  loop.hints.vectorLength = 64;
  p.body = {stmt(loop)};
  Scheduled s = scheduled(p);
  CHECK(s.kernels() == 1);
  CHECK(s.kernel().shape.block[0] == 64);
  CHECK(isConst(s.kernel().shape.grid[0], 1));
  CHECK(lanesOf(s.loop("i")) == Scope::Block);
  CHECK(s.loop("t").mapping.is<Serial>());
  CHECK(s.barriers() == 1);
}

TEST_CASE("no barrier for an array of the lane's own elements", "[schedule]") {
  Program p;
  Expr n = p.size("N", 40), steps = p.size("T", 5);
  Buffer a = p.array("A", {n});
  Symbol t("t"), i("i");
  For loop = serial(t, zero(), steps,
                    {stmt(parallel(i, zero(), n, {store(a, {var(i)}, times(load(a, {var(i)}), f64(0.5)))}))});
  loop.hints.mark = LoopMark::Sequential;
  p.body = {stmt(loop)};
  CHECK(scheduled(p).barriers() == 0);
}

TEST_CASE("triangular: the grid covers the longest row", "[schedule]") {
  Program p;
  Expr n = p.size("N", 37);
  Buffer a = p.array("A", {n, n});
  Symbol i("i"), j("j");
  p.body = {stmt(
      parallel(i, zero(), n,
               {stmt(parallel(j, zero(), add(var(i), intConst(1)),
                              {store(a, {var(i), var(j)}, times(load(a, {var(i), var(j)}), f64(3)))}))}))};
  Scheduled s = scheduled(p);
  CHECK(s.loop("j").mapping.is<PerThread>());
  const Launch& k = s.kernel();
  SequentialRun run;
  for (const auto& [name, value] : p.sizes) run.scalars[name] = 1000;
  CHECK(run.whole(k.shape.grid[0]) == 32);  // ceil(1000 / 32)
  CHECK(run.whole(k.shape.grid[1]) == 125); // 1000 / 8
}

TEST_CASE("a full reduction: chunks, then one block", "[schedule]") {
  for (bool cuda : {true, false}) {
    Program p;
    Expr n = p.size("N", 9000);
    Buffer a = p.array("a", {n});
    Symbol i("i"), sum("sum");
    p.result(sum);
    p.body = {assign(sum, f64(0)),
              stmt(parallel(i, zero(), n, {assign(sum, plus(scalar(sum), load(a, {var(i)})))}, {sumOf(sum)})),
              assign(sum, times(scalar(sum), f64(0.5))), stmt(Return{})};
    Scheduled s = scheduled(p, cuda);
    if (!cuda) {
      CHECK(s.loop("i").order == Order::Proven);
      continue;
    }
    CHECK(s.kernels() == 2);
    CHECK(s.collectives(Scope::Block) == 2);
    CHECK(s.fetches() == 1);
    CHECK(s.kernel(0).shape.block[0] == 256);
    CHECK(isConst(s.kernel(1).shape.grid[0], 1));
  }
}

TEST_CASE("a reduction over two loops is folded once a chunk", "[schedule]") {
  Program p;
  Expr m = p.size("M", 30), n = p.size("N", 500);
  Buffer a = p.array("A", {m, n});
  Symbol i("i"), j("j"), sum("sum");
  p.result(sum);
  For inner =
      parallel(j, zero(), n, {assign(sum, plus(scalar(sum), load(a, {var(i), var(j)})))}, {sumOf(sum)});
  p.body = {assign(sum, f64(0)), stmt(parallel(i, zero(), m, {stmt(inner)}, {sumOf(sum)})), stmt(Return{})};
  Scheduled s = scheduled(p);
  CHECK(lanesOf(s.loop("j")) == Scope::Block);
  CHECK(s.loop("i").mapping.is<Serial>());
  bool collectiveInLoop = false;
  visit(s.loop("i").body, [&](const Stmt& part) {
    collectiveInLoop |= part.is<Collective>();
    return true;
  });
  CHECK_FALSE(collectiveInLoop);
}

TEST_CASE("a scalar between kernels stays on the device", "[schedule]") {
  Program p;
  Expr n = p.size("N", 5000);
  Buffer x = p.array("x", {n});
  Symbol i("i"), j("j"), sum("sum"), scale("scale");
  p.body = {assign(sum, f64(0)),
            stmt(parallel(i, zero(), n, {assign(sum, plus(scalar(sum), load(x, {var(i)})))}, {sumOf(sum)})),
            assign(scale, binary(BinaryOp::Div, f64(1), scalar(sum))),
            stmt(parallel(j, zero(), n, {store(x, {var(j)}, times(load(x, {var(j)}), scalar(scale)))}))};
  Scheduled s = scheduled(p);
  CHECK(s.fetches() == 0);
  CHECK(s.kernels() == 3);
}

TEST_CASE("while: the host fetches the condition where steps are not alike, else nobody waits",
          "[schedule]") {
  for (const bool alike : {true, false}) {
    Program p;
    Expr n = p.size("N", 3000);
    Buffer x = p.array("x", {n});
    Symbol i("i"), j("j"), err("err"), steps("steps");
    const Expr end = alike ? n : sub(n, var(steps));
    p.body = {
        assign(err, f64(1000)), assign(steps, zero()),
        stmt(While{
            binary(BinaryOp::Gt, scalar(err), f64(1)),
            block({stmt(parallel(i, zero(), end, {store(x, {var(i)}, times(load(x, {var(i)}), f64(0.5)))})),
                   assign(err, f64(0)), assign(steps, add(var(steps), intConst(1))),
                   stmt(parallel(j, zero(), end,
                                 {assign(err, binary(BinaryOp::Max, scalar(err), load(x, {var(j)})))},
                                 {{err, DType::F64, ReduceOp::Max}}))})})};
    Scheduled s = scheduled(p);
    CHECK(s.fetches() == (alike ? 0 : 1)); // the first value is the host's own
    CHECK((s.run.fetches > 2) == !alike);
    CHECK(s.says("waits for the device in every iteration") == !alike);
    CHECK(s.says("a CUDA graph repeats itself") == alike);
  }
}

TEST_CASE("host control flow over array elements", "[schedule]") {
  Program p;
  Expr n = p.size("N", 100);
  Buffer x = p.array("x", {n}), count = p.array("count", {intConst(2)}, DType::I64);
  p.given[count.name] = {60, 3};
  Symbol t("t"), i("i"), k("k");
  p.body = {stmt(serial(t, zero(), load(count, {intConst(1)}),
                        {stmt(parallel(i, zero(), load(count, {zero()}),
                                       {store(x, {var(i)}, times(load(x, {var(i)}), f64(2)))}))})),
            stmt(If{binary(BinaryOp::Gt, load(x, {zero()}), f64(1)),
                    stmt(parallel(k, zero(), n, {store(x, {var(k)}, f64(1))})),
                    {}})};
  Scheduled s = scheduled(p);
  CHECK(s.fetches() == 2); // the loop's bound and the condition; not the kernel's own bound
  CHECK(s.run.launches == 6);
}

TEST_CASE("a serial recurrence: one thread", "[schedule]") {
  Program p;
  Expr n = p.size("N", 30);
  Buffer a = p.array("a", {n}), b = p.array("b", {n});
  Symbol i("i"), acc("acc");
  p.body = {assign(acc, f64(1)),
            stmt(serial(i, zero(), n,
                        {assign(acc, plus(times(scalar(acc), f64(0.5)), load(a, {var(i)}))),
                         store(b, {var(i)}, scalar(acc))})),
            store(a, {zero()}, scalar(acc))};
  Scheduled s = scheduled(p);
  CHECK(s.kernels() == 1);
  CHECK(s.kernel().shape.block[0] == 1);
  CHECK(s.fetches() == 0);
  CHECK(s.f.body.is<Launch>());
}

TEST_CASE("four loops: the outer ones share an axis", "[schedule]") {
  Program p;
  Expr n = p.size("N", 5), m = p.size("M", 4);
  Buffer a = p.array("A", {n, m, n, m});
  Symbol i("i"), j("j"), k("k"), l("l");
  Stmt body =
      store(a, {var(i), var(j), var(k), var(l)}, times(load(a, {var(i), var(j), var(k), var(l)}), f64(2)));
  p.body = {stmt(
      parallel(i, zero(), n,
               {stmt(parallel(j, zero(), m,
                              {stmt(parallel(k, zero(), n, {stmt(parallel(l, zero(), m, {body}))}))}))}))};
  Scheduled s = scheduled(p);
  CHECK(s.loops<PerThread>() == 3);
  CHECK(axisOf(s.loop("linear")) == Axis::Z);
  CHECK(axisOf(s.loop("l")) == Axis::X);
}

TEST_CASE("a temporary of a thread gets the threads' dimension last", "[schedule]") {
  Program p;
  Expr n = p.size("N", 20);
  Buffer a = p.array("A", {n, intConst(3)}), t = p.temporary("t", {intConst(300)});
  Symbol i("i"), k("k"), l("l");
  p.body = {stmt(parallel(
      i, zero(), n,
      {stmt(Alloc{t}), stmt(serial(k, zero(), intConst(3), {store(t, {var(k)}, load(a, {var(i), var(k)}))})),
       stmt(serial(l, zero(), intConst(3),
                   {store(a, {var(i), var(l)}, load(t, {sub(intConst(2), var(l))}))}))}))};
  Scheduled s = scheduled(p);
  CHECK(s.loop("i").mapping.is<PerThread>());
  const Buffer* moved = nullptr;
  for (const Buffer& b : s.f.buffers)
    if (b.name == t.name) moved = &b;
  REQUIRE(moved->extents.size() == 2);
  CHECK(isConst(moved->extents[0], 300));
  CHECK(equalIndex(moved->extents[1], n));
  CHECK(s.f.body.as<Block>()->body[0].is<Alloc>());
}

TEST_CASE("a small temporary of a thread stays in it", "[schedule]") {
  Program p;
  Expr n = p.size("N", 20);
  Buffer a = p.array("A", {n, intConst(3)}), t = p.temporary("t", {intConst(3)});
  Symbol i("i"), k("k");
  p.body = {stmt(parallel(
      i, zero(), n,
      {stmt(Alloc{t}), stmt(serial(k, zero(), intConst(3), {store(t, {var(k)}, load(a, {var(i), var(k)}))})),
       store(a, {var(i), zero()}, load(t, {intConst(2)}))}))};
  Scheduled s = scheduled(p);
  CHECK(s.f.body.is<Launch>());
  CHECK(s.count([](const Stmt& part) { return part.is<Alloc>() && !part.as<Alloc>()->shared; }) == 1);
}

TEST_CASE("a temporary of a block; growing ones are bounded, data-dependent ones refused", "[schedule]") {
  for (bool data : {false, true}) {
    Program p;
    Expr n = p.size("N", 20);
    Symbol i("i"), k("k"), l("l"), w("w");
    Buffer a = p.array("A", {n, n}), len = p.array("len", {n}, DType::I64);
    p.given[len.name] = std::vector<double>(20, 3);
    Expr width = data ? var(w) : add(var(i), intConst(1));
    Buffer t = p.temporary("t", {width});
    For first = parallel(k, zero(), width, {store(t, {var(k)}, load(a, {var(i), var(k)}))});
    For second = parallel(l, zero(), width,
                          {store(a, {var(i), var(l)}, load(t, {sub(sub(width, intConst(1)), var(l))}))});
    p.body = {stmt(
        parallel(i, zero(), n, {assign(w, load(len, {var(i)})), stmt(Alloc{t}), stmt(first), stmt(second)}))};
    Scheduled s = scheduled(p);
    CHECK(s.diag.hasErrors() == data);
    if (!data) CHECK(s.barriers() == 1);
  }
}

TEST_CASE("a temporary in a host loop moves to the top", "[schedule]") {
  Program p;
  Expr n = p.size("N", 20);
  Symbol t("t"), i("i"), j("j");
  Buffer a = p.array("a", {n}), tmp = p.temporary("tmp", {sub(n, var(t))});
  p.body = {stmt(serial(
      t, zero(), n,
      {stmt(Alloc{tmp}), stmt(parallel(i, zero(), sub(n, var(t)), {store(tmp, {var(i)}, load(a, {var(i)}))})),
       stmt(parallel(j, zero(), sub(n, var(t)), {store(a, {add(var(j), var(t))}, load(tmp, {var(j)}))}))}))};
  Scheduled s = scheduled(p);
  CHECK(s.f.body.as<Block>()->body[0].is<Alloc>());
}

TEST_CASE("small parallel loops in a serial one: one block, no launch an iteration", "[schedule]") {
  Program p;
  Expr n = p.size("N", 30);
  Buffer a = p.array("A", {n, intConst(3)});
  Symbol t("t"), i("i");
  p.body = {
      stmt(serial(t, intConst(1), n,
                  {stmt(parallel(i, zero(), intConst(3),
                                 {store(a, {var(t), var(i)},
                                        times(load(a, {sub(var(t), intConst(1)), var(i)}), f64(0.5)))}))}))};
  Scheduled s = scheduled(p);
  CHECK(s.run.launches == 1);
  CHECK(s.kernel().shape.block[0] == 32);
}

TEST_CASE("forward substitution: one block for all rows", "[schedule]") {
  Program p;
  Expr n = p.size("N", 30);
  Buffer a = p.array("A", {n, n}), b = p.array("b", {n}), x = p.array("x", {n});
  Symbol i("i"), j("j"), acc("acc");
  For dot = parallel(j, zero(), var(i),
                     {assign(acc, plus(scalar(acc), times(load(a, {var(i), var(j)}), load(x, {var(j)}))))},
                     {sumOf(acc)});
  p.body = {stmt(serial(
      i, zero(), n,
      {assign(acc, f64(0)), stmt(dot),
       store(x, {var(i)}, binary(BinaryOp::Sub, load(b, {var(i)}), times(scalar(acc), f64(0.001))))}))};
  Scheduled s = scheduled(p);
  CHECK(s.run.launches == 1);
  CHECK(s.kernel().shape.block[0] == 512);
  CHECK(s.collectives(Scope::Block) == 1);
  CHECK(s.barriers() == 1); // x[i] by the first lane, before the next row reads it
}
