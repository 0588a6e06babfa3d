//===- TargetTest.cpp - small functions lowered for both targets ----------------------------------===//
#include "appyc/Target/Target.h"
#include "appyc/IR/Build.h"
#include <catch2/catch.hpp>

namespace {

using namespace appyc;
using namespace appyc::ir;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

target::EmitOptions options(bool cuda) {
  target::EmitOptions o;
  o.version = "appyc 0.1.0";
  o.sourceName = "kernel.py";
  o.command = cuda ? "appyc kernel.py -o kernel.cu" : "appyc kernel.py --target=cpu -o kernel.cpp";
  o.outputName = cuda ? "kernel.cu" : "kernel.cpp";
  o.symbolPrefix = "appyc_kernel_";
  return o;
}

std::string emit(const char* name, Function f) {
  const target::Target* t = target::targetNamed(name);
  Module m{t->cuda ? Level::Scheduled : Level::Loop, {std::move(f)}};
  return t->emit(m, options(t->cuda)).text;
}

/// A function under construction: symbols by name, arrays, a body.
struct Maker {
  Function f;
  std::vector<Stmt> body;

  explicit Maker(const std::string& name) { f.name = f.entry = name; }
  Expr size(const std::string& hint, int param, int axis) {
    Symbol s(hint);
    f.sizes.push_back({s, param, axis});
    return var(s);
  }
  Expr scalar(const std::string& hint, DType type) {
    Symbol s(hint);
    f.params.push_back({s, type, false, {}, false, false});
    return var(s, type);
  }
  Buffer array(const std::string& hint, DType type, std::vector<Expr> extents, bool written) {
    Buffer b{Symbol(hint), type, extents};
    f.params.push_back({b.name, type, true, extents, written, false});
    f.buffers.push_back(b);
    return b;
  }
  Buffer temporary(const std::string& hint, DType type, std::vector<Expr> extents) {
    Buffer b{Symbol(hint), type, std::move(extents)};
    f.buffers.push_back(b);
    body.push_back(makeStmt({}, Alloc{b}));
    return b;
  }
  Function take() {
    body.push_back(makeStmt({}, Return{}));
    f.body = block(body);
    return f;
  }
};

Stmt store(const Buffer& b, std::vector<Expr> at, Expr value, std::optional<ReduceOp> atomic = {}) {
  return makeStmt({}, Store{b.name, std::move(at), std::move(value), atomic});
}
Stmt assign(Symbol s, Expr value) { return makeStmt({}, Assign{s, std::move(value)}); }
For counting(Symbol index, Expr hi, Stmt body) {
  For n;
  n.index = index;
  n.lo = intConst(0);
  n.hi = std::move(hi);
  n.step = intConst(1);
  n.body = std::move(body);
  return n;
}
Stmt loop(Symbol index, Expr hi, Stmt body, Order order = Order::Serial, Mapping mapping = {}) {
  For n = counting(index, std::move(hi), std::move(body));
  n.order = order;
  n.mapping = mapping;
  return makeStmt({}, n);
}
Stmt launch(const std::string& name, Expr grid, int block, Stmt body) {
  return makeStmt(
      {}, Launch{name, {{std::move(grid), intConst(1), intConst(1)}, {block, 1, 1}}, std::move(body)});
}

/// y[i] = alpha * x[i] + y[i]
Function saxpy(bool cuda) {
  Maker m("saxpy");
  const Expr alpha = m.scalar("alpha", DType::F32), n = m.size("N", 1, 0);
  const Buffer x = m.array("x", DType::F32, {n}, false), y = m.array("y", DType::F32, {n}, true);
  Symbol i("i");
  Stmt update = store(y, {var(i)}, add(mul(alpha, load(x, {var(i)})), load(y, {var(i)})));
  if (cuda)
    m.body = {launch("saxpy_kernel", ceilDiv(n, intConst(256)), 256,
                     loop(i, n, update, Order::Proven, PerThread{}))};
  else
    m.body = {loop(i, n, update, Order::Proven)};
  return m.take();
}

/// out[i] = sum over j of A[i, j]: a block a row, a fold over its threads.
Function rowSums(bool cuda) {
  Maker m("row_sums");
  const Expr rows = m.size("M", 0, 0), columns = m.size("N", 0, 1);
  const Buffer a = m.array("A", DType::F64, {rows, columns}, false),
               out = m.array("out", DType::F64, {rows}, true);
  Symbol i("i"), j("j"), s("s");
  const Expr sum = var(s, DType::F64);
  For fold = counting(j, columns, assign(s, add(sum, load(a, {var(i), var(j)}))));
  fold.order = Order::Proven;
  fold.reductions = {{s, DType::F64, ReduceOp::Sum}};
  if (cuda) fold.mapping = PerLane{Scope::Block};
  std::vector<Stmt> row{assign(s, floatConst(0)), makeStmt({}, fold)};
  if (cuda) row.push_back(makeStmt({}, Collective{s, DType::F64, ReduceOp::Sum, Scope::Block}));
  row.push_back(store(out, {var(i)}, sum));
  Stmt all = loop(i, rows, block(row), Order::Proven, cuda ? Mapping(PerBlock{}) : Serial{});
  m.body = {cuda ? launch("row_sums_kernel", rows, 128, all) : all};
  return m.take();
}

/// Integers of each kind, a histogram, a complex product.
Function mixture(bool cuda) {
  Maker m("mixture");
  const Expr k = m.scalar("k", DType::I64), n = m.size("N", 1, 0);
  const Buffer a = m.array("a", DType::I64, {n}, true), b = m.array("b", DType::I32, {n}, true);
  const Buffer c = m.array("c", DType::U8, {n}, true), z = m.array("z", DType::C128, {n}, true);
  const Buffer count = m.array("count", DType::I32, {intConst(10)}, true);
  Symbol i("i"), t("t");
  const Expr at = var(i), x = load(a, {at}), y = load(b, {at}), u = load(c, {at}), w = load(z, {at}),
             v = var(t);
  Expr bin = binary(BinaryOp::Mod, x, intConst(10));
  Stmt work = block({
      assign(t, binary(BinaryOp::Mul, x, at)),
      store(a, {at}, binary(BinaryOp::FloorDiv, binary(BinaryOp::Add, v, k), x)),
      store(b, {at},
            binary(BinaryOp::Max, binary(BinaryOp::Add, y, intConst(1, DType::I32)), cast(DType::I32, at))),
      store(c, {at}, binary(BinaryOp::Sub, u, intConst(3, DType::U8))),
      store(z, {at}, binary(BinaryOp::Mul, w, call(Intrinsic::Exp, DType::C128, {w}))),
      store(count, {bin}, intConst(1, DType::I32), ReduceOp::Sum),
  });
  Stmt all = loop(i, n, work, Order::Proven, cuda ? Mapping(PerThread{}) : Serial{});
  m.body = {cuda ? launch("mixture_kernel", ceilDiv(n, intConst(128)), 128, all) : all};
  return m.take();
}

/// A temporary, a value fetched by the host, a check, a scalar result.
Function scaled(bool cuda) {
  Maker m("scaled");
  const Expr n = m.size("N", 0, 0);
  const Buffer x = m.array("x", DType::F64, {n}, true), t = m.temporary("t", DType::F64, {n});
  const Buffer total = m.temporary("total", DType::F64, {});
  Symbol i("i"), j("j"), s("s");
  const Expr value = var(s, DType::F64);
  Stmt first = loop(i, n, store(t, {var(i)}, call(Intrinsic::Sqrt, DType::F64, {load(x, {var(i)})})),
                    Order::Proven, cuda ? Mapping(PerThread{}) : Serial{});
  Stmt fold = block({store(total, {}, floatConst(0)),
                     loop(j, n, store(total, {}, add(load(total, {}), load(t, {var(j)}))))});
  m.body.push_back(cuda ? launch("scaled_roots", ceilDiv(n, intConst(256)), 256, first) : first);
  m.body.push_back(cuda ? launch("scaled_sum", intConst(1), 1, fold) : fold);
  m.body.push_back(cuda ? makeStmt({}, Fetch{s, total.name, DType::F64}) : assign(s, load(total, {})));
  m.body.push_back(makeStmt(
      {}, Require{binary(BinaryOp::Gt, value, floatConst(0)), "ValueError", "sum is not \"positive\""}));
  m.f.results.push_back({Result::Scalar, DType::F64, s, {}});
  return m.take();
}

/// A scalar that only some iterations assign, in each of two loops.
Function sometimes(bool cuda) {
  Maker m("sometimes");
  const Expr n = m.size("N", 0, 0);
  const Buffer a = m.array("A", DType::F64, {n}, true);
  Symbol t("t");
  std::vector<Stmt> all;
  for (int turn = 0; turn < 2; ++turn) {
    Symbol i("i");
    const Expr positive = binary(BinaryOp::Gt, load(a, {var(i)}), floatConst(0));
    Stmt set =
        makeStmt({}, If{positive, assign(t, call(Intrinsic::Sqrt, DType::F64, {load(a, {var(i)})})), {}});
    Stmt use = makeStmt({}, If{positive, store(a, {var(i)}, var(t, DType::F64)), {}});
    Stmt each = loop(i, n, block({set, use}), Order::Proven, cuda ? Mapping(PerThread{}) : Serial{});
    all.push_back(
        cuda ? launch("sometimes_kernel" + std::to_string(turn), ceilDiv(n, intConst(256)), 256, each)
             : each);
  }
  m.body = all;
  return m.take();
}

/// Loops of each direction, a scalar that several loops use, an index from memory, a flattened loop.
Function loops() {
  Maker m("loops");
  const Expr start = m.scalar("start", DType::I64), step = m.scalar("step", DType::I64);
  const Expr rows = m.size("M", 0, 0), columns = m.size("N", 0, 1), links = m.size("K", 1, 0);
  const Buffer a = m.array("A", DType::F64, {rows, columns}, true),
               link = m.array("link", DType::I64, {links}, false);
  Symbol i("i"), j("j"), k("k"), p("p"), t("t");
  For down = counting(i, intConst(-1),
                      block({assign(t, load(a, {var(i), intConst(0)})),
                             store(a, {var(i), intConst(1)}, var(t, DType::F64))}));
  down.lo = sub(rows, intConst(1));
  down.step = intConst(-2);
  For open = counting(j, columns,
                      block({assign(t, load(a, {intConst(0), var(j)})),
                             store(a, {intConst(1), var(j)}, var(t, DType::F64))}));
  open.lo = start;
  open.step = step;
  const Expr linked = call(Intrinsic::WrapIndex, DType::I64, {load(link, {var(p)}), rows});
  For chain = counting(p, load(link, {intConst(0)}), store(a, {linked, intConst(0)}, floatConst(1)));
  Stmt flat =
      loop(k, mul(rows, columns),
           store(a, {binary(BinaryOp::FloorDiv, var(k), columns), binary(BinaryOp::Mod, var(k), columns)},
                 cast(DType::F64, binary(BinaryOp::Mul, var(k), var(k)))));
  m.body = {launch("loops_kernel", intConst(1), 1,
                   block({makeStmt({}, down), makeStmt({}, open), makeStmt({}, chain), flat}))};
  return m.take();
}

} // namespace

TEST_CASE("an elementwise function becomes one kernel over all threads") {
  const std::string text = emit("cuda", saxpy(true));
  CHECK(contains(text, "__global__ void saxpy_kernel(const float* __restrict__ x, float* __restrict__ y,"));
  CHECK(contains(text, "i += (index_t)gridDim.x * blockDim.x)"));
  CHECK(contains(text, "y[i] = alpha * x[i] + y[i];"));
  CHECK(contains(text, "saxpy_kernel<index_t><<<grid, 256, 0, stream>>>(x, y, alpha, N);"));
  CHECK(contains(text, "refuse_overlap({{"));
  CHECK(contains(text, "return with_index_type({{N}"));
  CHECK_FALSE(contains(text, "_workspace("));
}

TEST_CASE("on the cpu an independent loop is shared by threads") {
  const std::string text = emit("cpu", saxpy(false));
  CHECK(contains(text, "#pragma omp parallel for simd schedule(static)"));
  CHECK(contains(text, "y[i] = alpha * x[i] + y[i];"));
  CHECK_FALSE(contains(text, "index_t"));
}

TEST_CASE("a fold of a block is one call") {
  const std::string text = emit("cuda", rowSums(true));
  CHECK(contains(text, "for (index_t i = blockIdx.x; i < M; i += gridDim.x) {\n"
                       "    const double s = block_fold<Sum>(A + i * N, N);\n"));
  CHECK(contains(text, "T warp_reduce(T value)"));
  CHECK_FALSE(contains(text, "floor_div"));
  const std::string cpu = emit("cpu", rowSums(false));
  CHECK(contains(cpu, "#pragma omp simd reduction(+ : s)"));
}

TEST_CASE("integers wrap, divide and compare as NumPy's") {
  for (const bool cuda : {true, false}) {
    const std::string text = emit(cuda ? "cuda" : "cpu", mixture(cuda));
    CHECK(contains(text, "wrap_mul(a[i], i)"));
    CHECK(contains(text, "b[i] = maximum(wrap_add(b[i], 1), (int32_t)i);"));
    CHECK(contains(text, "c[i] = wrap_sub(c[i], 3);"));
    CHECK(contains(text, "z[i] = z[i] * complex_exp(z[i]);"));
    CHECK(contains(text, "atomic_sum(&count["));
  }
}

TEST_CASE("temporaries come from the workspace, results go to the caller") {
  const std::string text = emit("cuda", scaled(true));
  CHECK(contains(text, "double *t = arena.take(N), *total = arena.take();"));
  CHECK(contains(text, "if (const int status = fetch(stream, &s, total)) return status;"));
  CHECK(contains(text, "return fail(ValueError, \"sum is not \\\"positive\\\"\");"));
  CHECK(contains(text, "*s_out = s;"));
  CHECK(contains(text, "return Arena::size<double>(N, 1);"));
  const std::string cpu = emit("cpu", scaled(false));
  CHECK(contains(cpu, "Temporary<double> t_memory(N);"));
}

TEST_CASE("the C++ tree can be shown") {
  const target::Target* t = target::targetNamed("cuda");
  const std::string tree = t->emitCxxTree(Module{Level::Scheduled, {saxpy(true)}}, options(true));
  CHECK(contains(tree, "Function saxpy_kernel\n"));
  CHECK(contains(tree, "Assign y[i] = alpha * x[i] + y[i]\n"));
}

TEST_CASE("loops run in their direction, with indices as wide as their bounds") {
  const std::string text = emit("cuda", loops());
  CHECK(contains(text, "for (index_t i = M - 1; i > -1; i -= 2) A[i * N + 1] = A[i * N];"));
  CHECK(contains(text, "for (index_t j = start; step > 0 ? j < N : j > N; j += step) A[N + j] = A[j];"));
  CHECK(contains(text, "const int64_t p_end = link[0];\n  for (int64_t p = 0; p < p_end; ++p)"));
  CHECK(contains(text, "A[wrap_index<index_t>((index_t)link[p], M) * N] = 1.0;"));
  CHECK(contains(text, "for (index_t k = 0; k < M * N; ++k)"));
  CHECK(contains(text, "(double)wrap_mul<int64_t>(k, k)"));
  CHECK(contains(text, "with_index_type({{start}, {step}, {K}, {M, N}}, [&](auto zero) {"));
}

TEST_CASE("independent iterations have scalars and names of their own") {
  for (const bool cuda : {true, false}) {
    const std::string text = emit(cuda ? "cuda" : "cpu", sometimes(cuda));
    const std::string declaration = "    double t = 0;\n    if (A[i] > 0.0) t = sqrt(A[i]);\n";
    const size_t first = text.find(declaration);
    CHECK(first != std::string::npos);
    const bool isThereAgain = text.find(declaration, first + 1) != std::string::npos;
    CHECK(isThereAgain == !cuda); // the two kernels are one
    CHECK_FALSE(contains(text, "i_1"));
    CHECK_FALSE(contains(text, "double t,"));
  }
}
