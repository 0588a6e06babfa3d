//===- LoopsTest.cpp - steps on random loops: what is legal changes no result, what is not is refused ----------===//
#include "appyc/Loops/Loops.h"
#include "SequentialRun.h"
#include <random>

using namespace appyc;
using namespace appyc::ir;
using appyc::test::SequentialRun;

namespace {

const Builder build{};

struct Random {
  std::mt19937 engine{20};
  int64_t in(int64_t lo, int64_t hi) { return std::uniform_int_distribution<int64_t>(lo, hi)(engine); }
};

Buffer array(const char* name, std::vector<int64_t> extents, DType type = DType::F64) {
  Buffer b{Symbol(name), type, {}};
  for (const int64_t n : extents) b.extents.push_back(intConst(n));
  return b;
}
/// Sums of these are exact.
SequentialRun with(const std::vector<Buffer>& buffers) {
  SequentialRun run;
  double next = 1;
  for (const Buffer& b : buffers) {
    run.allocate(b);
    for (double& x : run.arrays[b.name]) x = next++ / 8;
  }
  return run;
}

} // namespace

TEST_CASE("loops: all elements of an array, each once") {
  Random random;
  for (int trial = 0; trial < 40; ++trial) {
    std::vector<int64_t> extents(static_cast<size_t>(random.in(0, 3)));
    for (int64_t& n : extents) n = random.in(0, 4);
    const Buffer a = array("a", extents);
    SequentialRun run = with({a}), before = run;
    run.run(loops::forAll(build, "i", a.extents, [&](const std::vector<Expr>& at) {
      return build.store(a, at, binary(BinaryOp::Add, load(a, at), floatConst(1)));
    }));
    for (size_t i = 0; i < run.arrays[a.name].size(); ++i)
      CHECK(run.arrays[a.name][i] == before.arrays[a.name][i] + 1);
  }
}

TEST_CASE("loops: a perfect nest taken apart and put together is the same nest") {
  const Symbol i("i"), j("j"), k("k");
  const Buffer a = array("a", {3, 4});
  const Stmt store = build.store(a, {var(i), var(j)}, floatConst(2));
  const Stmt inner = build.inOrder(j, intConst(0), intConst(4), store);
  const Stmt nest = build.inAnyOrder(i, intConst(0), intConst(3), inner);
  const loops::Nest all = loops::perfectNest(nest);
  REQUIRE(all.loops.size() == 2);
  CHECK(all.body == store);
  SequentialRun run = with({a}), again = run;
  run.run(nest);
  again.run(loops::nestAround(build, all.loops, all.body));
  CHECK(run.arrays == again.arrays);

  const auto outer =
      loops::perfectNest(nest, [](const For& loop, const auto&) { return loop.order == Order::Proven; });
  CHECK(outer.loops.size() == 1);
  CHECK(outer.body == inner);
  const Stmt imperfect = build.inOrder(k, intConst(0), intConst(2), block({build.assign(i, var(k)), nest}));
  CHECK(loops::perfectNest(imperfect).loops.size() == 1);
  CHECK(loops::perfectNest(store).loops.empty());
}

TEST_CASE("loops: chunks of a reduction give what the loop gives") {
  Random random;
  for (int trial = 0; trial < 200; ++trial) {
    const int64_t n = random.in(0, 9), step = random.in(1, 3) * (random.in(0, 1) ? 1 : -1),
                  chunk = random.in(1, 4);
    const int64_t lo = step > 0 ? random.in(0, 3) : n * -step + random.in(0, 3);
    const Buffer a = array("a", {40});
    const Symbol i("i"), s("s");
    const Expr sum = var(s, DType::F64);
    const ReduceOp op = random.in(0, 1) ? ReduceOp::Sum : ReduceOp::Max;
    For loop = serialLoop(i, intConst(lo), intConst(lo + n * step), intConst(step),
                          build.assign(s, combine(op, sum, load(a, {var(i)}))));
    loop.order = Order::Proven;
    loop.reductions = {{s, DType::F64, op}};
    SequentialRun run = with({a}), parts = run;
    run.scalars[s] = parts.scalars[s] = 3;
    run.run(build.make(loop));
    for (int64_t first = 0; first < n; first += chunk) {
      For part = loops::iterationsOf(loop, intConst(first), intConst(std::min(first + chunk, n)));
      std::vector<Stmt> all = loops::privatize(build, part, "_own");
      const Symbol own = part.reductions[0].var;
      CHECK_FALSE(own == s);
      all.push_back(build.make(part));
      CHECK_FALSE(mentionsAny(block(all), {s}));
      all.push_back(build.assign(s, combine(op, sum, var(own, DType::F64))));
      parts.run(block(all));
    }
    CHECK(run.scalars[s] == parts.scalars[s]);
  }
}

TEST_CASE("loops: iterations counted from another number") {
  Random random;
  for (int trial = 0; trial < 40; ++trial) {
    const int64_t lo = random.in(-3, 3), hi = random.in(-3, 9), first = random.in(-4, 4);
    const Buffer out = array("out", {16});
    const Symbol i("i");
    const For loop = serialLoop(i, intConst(lo), intConst(hi), intConst(1),
                                build.store(out, {var(i) + 4}, cast(DType::F64, var(i) * 3)));
    SequentialRun before = with({out}), after = with({out});
    before.run(build.make(For(loop)));
    const For again = loops::startingAt(loop, intConst(first));
    CHECK(constantInt(again.lo) == first);
    after.run(build.make(For(again)));
    CHECK(before.arrays[out.name] == after.arrays[out.name]);
  }
}

TEST_CASE("loops: a nest the other way round goes through the same points") {
  Random random;
  int turned = 0, refused = 0;
  const Symbol i("i"), j("j");
  const Buffer a = array("a", {8, 16});
  for (int trial = 0; trial < 300; ++trial) {
    const auto bound = [&](int64_t lo, int64_t hi) {
      const Expr offset = intConst(random.in(lo, hi));
      const int64_t kind = random.in(0, 4);
      return kind == 0 ? var(i) * 2 : kind < 3 ? var(i) + offset : offset;
    };
    const Stmt store =
        build.store(a, {var(i), var(j)}, binary(BinaryOp::Add, load(a, {var(i), var(j)}), floatConst(1)));
    const For outer = serialLoop(i, intConst(random.in(0, 3)), intConst(random.in(0, 8)), intConst(1),
                                 build.inOrder(j, bound(0, 3), bound(0, 9), store));
    const auto made = loops::interchanged(outer);
    ++(made ? turned : refused);
    if (!made) continue;
    CHECK(made->index == j);
    SequentialRun run = with({a}), again = run;
    run.run(makeStmt({}, outer));
    again.run(makeStmt({}, *made));
    CHECK(run.arrays == again.arrays);
  }
  CHECK(turned > 100);
  CHECK(refused > 20);
}

TEST_CASE("loops: inner loops that begin at the outer index count from their start") {
  Random random;
  for (int trial = 0; trial < 50; ++trial) {
    const Buffer a = array("a", {12, 12});
    const Symbol i("i"), j("j");
    const int64_t from = random.in(-1, 2), to = random.in(0, 8);
    const Stmt own = build.store(a, {var(i) + 2, intConst(random.in(0, 11))}, cast(DType::F64, var(i)));
    const Stmt inner =
        build.inOrder(j, var(i) + from, intConst(to),
                      build.store(a, {var(j) + 2, var(i) + 1}, cast(DType::F64, var(j) * 3 + var(i))));
    const For outer =
        serialLoop(i, intConst(0), intConst(random.in(0, 8)), intConst(1), block({own, inner, own}));
    const auto skewed = loops::skewed(outer);
    REQUIRE(skewed);
    const For& times = *statementsOf(skewed->body)[1].as<For>();
    CHECK((isConst(times.lo, 0) && statementsOf(skewed->body)[0].is<For>()));
    SequentialRun before = with({a}), after = with({a});
    before.run(build.make(For(outer)));
    after.run(build.make(For(*skewed)));
    CHECK(before.arrays[a.name] == after.arrays[a.name]);
    CHECK_FALSE(loops::skewed(*skewed));
  }
}

TEST_CASE("loops: a store is forwarded over what keeps it, to loads of the same element") {
  Random random;
  int legal = 0, refused = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Buffer a = array("a", {4}), b = array("b", {4});
    const Symbol i("i"), x("x"), y("y"), value("value");
    const auto index = [&] { return random.in(0, 1) ? var(i) : intConst(random.in(0, 3)); };
    const auto scalar = [&] { return var(random.in(0, 1) ? x : y, DType::F64); };
    const auto operand = [&]() -> Expr {
      return random.in(0, 2) ? load(random.in(0, 1) ? a : b, {index()}) : scalar();
    };
    const auto statement = [&]() -> Stmt {
      const Expr e = binary(BinaryOp::Add, operand(), operand());
      switch (random.in(0, 5)) {
      case 0: return build.assign(i, intConst(random.in(0, 3)));
      case 1:
      case 2: return build.assign(random.in(0, 1) ? x : y, e);
      case 3: return build.when(scalar() < floatConst(2), build.store(a, {index()}, e));
      default: return build.store(random.in(0, 1) ? a : b, {index()}, e);
      }
    };
    const Stmt plain = build.store(a, {index()}, operand());
    const Store store = *plain.as<Store>();
    std::vector<Stmt> list{plain}, changed;
    for (int n = 0; n < 4; ++n) list.push_back(statement());
    SequentialRun before = with({a, b});
    before.scalars = {{i, 1}, {x, 1.5}, {y, 2.5}};
    SequentialRun after = before;

    const loops::NamedStore named = loops::withName(build, store, value);
    changed = {named.set, named.store};
    bool may = true;
    for (size_t n = 1; n < list.size(); ++n) {
      // What a statement writes it writes when it has read.
      changed.push_back(may && !list[n].is<If>() ? loops::forwarded(list[n], store, named.value) : list[n]);
      may = may && loops::mayForwardOver(list[n], store);
      ++(may ? legal : refused);
    }
    before.run(block(list));
    after.run(block(changed));
    CHECK(before.arrays == after.arrays);
    CHECK(before.scalars.at(x) == after.scalars.at(x));
  }
  CHECK(legal > 100);
  CHECK(refused > 100);
}

TEST_CASE("loops: what is changed is not kept") {
  const Buffer a = array("a", {4}), b = array("b", {4});
  const Symbol i("i"), x("x");
  const Store store{a.name, {var(i)}, var(x, DType::F64), {}};
  CHECK(loops::mayForwardOver(build.store(b, {var(i)}, load(a, {var(i)})), store));
  CHECK_FALSE(
      loops::mayForwardOver(build.store(a, {intConst(0)}, floatConst(0)), store)); // may be the element
  CHECK_FALSE(loops::mayForwardOver(build.assign(i, intConst(0)), store));         // another element
  CHECK_FALSE(loops::mayForwardOver(build.assign(x, floatConst(0)), store));       // another value
  Store atomic = store;
  atomic.atomicOp = ReduceOp::Sum;
  CHECK_FALSE(loops::mayForwardOver(block({}), atomic));
  CHECK_FALSE(loops::keeps(build.store(a, {intConst(0)}, floatConst(0)), load(a, {var(i)})));
}

TEST_CASE("loops: a copy has scalars of its own") {
  const Symbol x("x"), y("y");
  const Stmt s = block({build.assign(x, var(y, DType::F64)), build.assign(y, var(x, DType::F64))});
  const std::set<Symbol> own = assignedVars(loops::withOwnScalars(s));
  CHECK(own.size() == 2);
  CHECK_FALSE(intersect(own, assignedVars(s)));
  const Stmt onlyX = loops::withOwnScalars(s, {x});
  CHECK(assignedVars(onlyX).count(y));
  CHECK_FALSE(mentionsAny(onlyX, {x}));
}

TEST_CASE("loops: cells of a tile, each once, in shared memory with a column more") {
  Random random;
  for (int trial = 0; trial < 20; ++trial) {
    const int64_t rows = random.in(1, 5), columns = random.in(1, 5);
    const Buffer a = array("a", {rows, columns});
    Function f;
    std::vector<Stmt> out;
    const Buffer tile = loops::tileOnChip(f, build, "tile", DType::F64, rows, columns, out);
    CHECK(tile.onChip);
    CHECK(constantInt(tile.extents[1]) == columns + 1);
    CHECK(f.findBuffer(tile.name));
    out.push_back(loops::forCells(build, "cell", rows, columns, 32, [&](const Expr& r, const Expr& c) {
      return build.store(tile, {r, c}, load(a, {r, c}));
    }));
    SequentialRun run = with({a});
    run.run(block(out));
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < columns; ++c)
        CHECK(run.arrays[tile.name][static_cast<size_t>(r * (columns + 1) + c)] ==
              run.arrays[a.name][static_cast<size_t>(r * columns + c)]);
  }
}

TEST_CASE("loops: a loop that runs down does the same counting up") {
  Random random;
  for (int trial = 0; trial < 50; ++trial) {
    const Symbol i("i");
    const Buffer a = array("a", {12}), b = array("b", {12});
    const Expr value = binary(BinaryOp::Add, load(b, {var(i)}), floatConst(1));
    const Stmt store = build.store(a, {var(i)}, value);
    const For down =
        serialLoop(i, intConst(random.in(-1, 11)), intConst(random.in(-1, 11)), intConst(-1), store);
    SequentialRun run = with({a, b}), again = run;
    run.run(build.make(down));
    again.run(build.make(loops::countingUp(down)));
    CHECK(run.arrays == again.arrays);
    CHECK(isConst(loops::countingUp(down).step, 1));
  }
}

TEST_CASE("loops: a copy has scalars and indices of its own") {
  const Symbol i("i"), x("x");
  const Buffer a = array("a", {5}), b = array("b", {5});
  const Stmt set = build.assign(x, binary(BinaryOp::Add, load(a, {var(i)}), floatConst(2)));
  const Stmt body = block({set, build.store(b, {var(i)}, var(x, DType::F64))});
  const Stmt loop = build.inOrder(i, intConst(0), intConst(5), body), copy = loops::asCopy(loop);
  CHECK_FALSE(mentionsAny(copy, {i, x}));
  SequentialRun run = with({a, b}), again = run;
  run.run(loop);
  again.run(copy);
  CHECK(run.arrays == again.arrays);
}

TEST_CASE("loops: rows contracted to a row of their own") {
  Random random;
  for (int trial = 0; trial < 100; ++trial) {
    const Symbol i("i"), j("j"), in("j"), out("j");
    const Buffer a = array("a", {3, 4}), x = array("x", {4}), own = array("own", {4});
    const auto element = [&]() -> Expr {
      const Expr at = random.in(0, 1) ? var(j) : intConst(random.in(0, 3));
      return random.in(0, 2) ? load(a, {var(i), at}) : load(x, {at});
    };
    std::vector<Stmt> steps;
    for (int n = 0; n < 3; ++n) steps.push_back(build.store(random.in(0, 3) ? a : x, {var(j)}, element()));
    for (Stmt& s : steps) { // rows of `a` are stored as rows
      const Store& store = *s.as<Store>();
      if (store.buffer == a.name) s = build.store(a, {var(i), var(j)}, store.value);
    }
    const Stmt rest = build.inOrder(j, intConst(0), intConst(4), block(steps));
    const Stmt plain = build.inOrder(i, intConst(0), intConst(3), rest);
    const auto inOwn = [&](const Symbol& buffer, const std::vector<Expr>& index) {
      std::optional<loops::Element> taken;
      if (buffer == a.name) taken = {own.name, std::vector<Expr>(index.begin() + 1, index.end())};
      return taken;
    };
    const Stmt onOwn = loops::contracted(rest, inOwn);
    CHECK_FALSE(storedBuffers(onOwn).count(a.name));
    CHECK_FALSE(loadedBuffers(onOwn).count(a.name));
    const Stmt fetch =
        build.inOrder(in, intConst(0), intConst(4), build.store(own, {var(in)}, load(a, {var(i), var(in)})));
    const Stmt back = build.inOrder(out, intConst(0), intConst(4),
                                    build.store(a, {var(i), var(out)}, load(own, {var(out)})));
    SequentialRun run = with({a, x, own}), again = run;
    run.run(plain);
    again.run(build.inOrder(i, intConst(0), intConst(3), block({fetch, onOwn, back})));
    CHECK(run.arrays[a.name] == again.arrays[a.name]);
    CHECK(run.arrays[x.name] == again.arrays[x.name]);
  }
}

TEST_CASE("loops: a piece on chip has what memory has, zeros elsewhere, and goes back to where it was") {
  Random random;
  for (int trial = 0; trial < 60; ++trial) {
    const int64_t rows = random.in(1, 4), columns = random.in(1, 4), height = random.in(0, 6),
                  width = random.in(1, 6);
    const int64_t top = random.in(0, 5), left = random.in(0, 5);
    const Buffer a = array("a", {height, width}), b = array("b", {height, width});
    Function f;
    std::vector<Stmt> out;
    const Buffer copy = loops::tileOnChip(f, build, "tile", DType::F64, rows, columns, out);
    const auto at = [&](const Expr& r, const Expr& c) { return std::vector<Expr>{r + top, c + left}; };
    const auto exists = [&](const Expr& r, const Expr& c) {
      return both(r + top < height, c + left < width);
    };
    out.push_back(loops::staged(build, copy, rows, columns, 8, exists,
                                [&](const Expr& r, const Expr& c) { return load(a, at(r, c)); }));
    out.push_back(loops::givenBack(build, copy, rows, columns, 8, exists, b, at));
    SequentialRun run = with({a, b}), before = run;
    run.run(block(out));
    for (int64_t r = 0; r < height; ++r)
      for (int64_t c = 0; c < width; ++c) {
        const bool inside = r >= top && r < top + rows && c >= left && c < left + columns;
        const size_t cell = static_cast<size_t>(r * width + c);
        CHECK(run.arrays[b.name][cell] ==
              (inside ? before.arrays[a.name][cell] : before.arrays[b.name][cell]));
      }
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < columns; ++c)
        if (r + top >= height || c + left >= width)
          CHECK(run.arrays[copy.name][static_cast<size_t>(r * (columns + 1) + c)] == 0);
  }
}

TEST_CASE("loops: what a loop has stored is told where the element is surely one of its") {
  Random random;
  int told = 0, open = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Symbol j("j"), k("k");
    const Buffer a = array("a", {16}), b = array("b", {16});
    const int64_t lo = random.in(0, 3), hi = random.in(0, 8), shift = random.in(0, 3), from = random.in(0, 4),
                  ahead = random.in(0, 4);
    const Stmt store = build.store(a, {var(j) + shift}, load(b, {var(j)}));
    const Stmt loop = build.inOrder(j, intConst(lo), intConst(hi), store);
    const For reader =
        serialLoop(k, intConst(from), intConst(from + random.in(1, 3)), intConst(1), block({}));
    const Expr read = load(a, {var(k) + ahead});
    const bool once = random.in(0, 3) == 0;
    const Stmt single = build.store(a, {intConst(random.in(0, 5))}, floatConst(7));
    const Expr value = loops::valueStored(*read.as<Load>(), *(once ? single : store).as<Store>(),
                                          once ? nullptr : loop.as<For>(), {{&reader}, {}});
    bool isAll = true; // of the iterations that read
    SequentialRun run = with({a, b});
    run.run(once ? single : loop);
    for (int64_t n = from; n < *constantInt(reader.hi); ++n) {
      const int64_t at = n + ahead;
      isAll =
          isAll && (once ? isConst(single.as<Store>()->index[0], at) : at >= lo + shift && at < hi + shift);
      run.scalars[k] = static_cast<double>(n);
      if (value) CHECK(run.eval(value) == run.eval(read));
    }
    CHECK(bool(value) == isAll);
    (value ? told : open)++;
  }
  CHECK(told > 10);
  CHECK(open > 10);
}

TEST_CASE("loops: divisions are prepared where their divisors are known early") {
  const Symbol late("late"), early("early");
  const Expr x = var(late, DType::F64), d = var(early, DType::F64);
  const auto divided = [](const Expr& a, const Expr& b) { return binary(BinaryOp::Div, a, b); };
  loops::EarlyDivisors divisors([&](const Expr& e) { return !mentions(e, late); });
  const Expr e = binary(BinaryOp::Add, divided(x, d), divided(divided(d, x), d));
  divisors.find(e);
  REQUIRE(divisors.all().size() == 1);
  CHECK(equal(divisors.all()[0], d));
  const Expr inverse = var(Symbol("inverse"), DType::F64);
  std::vector<Expr> tests;
  const Expr prepared = divisors.prepared(e, {inverse}, tests);
  CHECK(tests.size() == 2); // not d / x
  const Expr plain = replace<Call>(prepared, [&](const Call& c) {
    CHECK(c.fn == Intrinsic::DivideBy);
    CHECK(equal(c.args[2], inverse));
    return divided(c.args[0], c.args[1]);
  });
  CHECK(equal(plain, e));
  loops::EarlyDivisors none([&](const Expr&) { return false; });
  none.find(e);
  CHECK(none.all().empty());
}

TEST_CASE("loops: one loop over the product of several goes through the same points in the same order") {
  Random random;
  for (int trial = 0; trial < 100; ++trial) {
    const size_t depth = static_cast<size_t>(random.in(1, 3));
    const Buffer seen = array("seen", {64});
    const Symbol count("count");
    std::vector<For> nest;
    Expr code = intConst(0);
    for (size_t d = 0; d < depth; ++d) {
      const int64_t step = random.in(1, 2), lo = random.in(-1, 2);
      nest.push_back(serialLoop(Symbol("i"), intConst(lo), intConst(lo + step * random.in(1, 3)),
                                intConst(step), block({})));
      code = code * 10 + var(nest[d].index);
    }
    const Stmt body =
        block({build.store(seen, {var(count)}, cast(DType::F64, code)), build.assign(count, var(count) + 1)});
    std::set<Symbol> indices;
    for (const For& loop : nest) indices.insert(loop.index);
    REQUIRE(loops::mayLinearise(nest, indices));
    loops::Linear joint = loops::linearised(build, nest, "position", random.in(0, 1));
    joint.indices.push_back(body);
    joint.loop.body = block(joint.indices);
    std::vector<const For*> around;
    for (const For& loop : nest) around.push_back(&loop);
    SequentialRun run = with({seen}), again = run;
    run.scalars[count] = again.scalars[count] = 0;
    run.run(loops::nestAround(build, around, body));
    again.run(build.make(joint.loop));
    CHECK(run.arrays == again.arrays);
    CHECK(run.scalars.at(count) == again.scalars.at(count));
    nest.back().hi = var(nest.front().index); // a triangle
    CHECK_FALSE(loops::mayLinearise(nest, indices));
  }
}

TEST_CASE("loops: what a nest folds of what it stores is folded behind it, unless that is stored once more") {
  Random random;
  int apart = 0, kept = 0;
  const Symbol i("i"), j("j"), sum("sum");
  const auto near = [&](const Buffer& a, int64_t down, int64_t right) {
    return load(a, {var(i) + down, var(j) + right});
  };
  for (int trial = 0; trial < 200; ++trial) {
    const Buffer a = array("a", {7, 9});
    const auto from = [&] { return near(a, random.in(-1, 1), random.in(-1, 1)); };
    const Stmt store = build.store(a, {var(i), var(j)}, binary(BinaryOp::Add, from(), floatConst(1)));
    std::vector<Stmt> body{store};
    const Stmt fold = build.assign(sum, binary(BinaryOp::Add, var(sum, DType::F64), from()));
    body.insert(random.in(0, 1) ? body.end() : body.begin(), fold);
    const Stmt nest = build.inOrder(i, intConst(1), intConst(6),
                                    build.inOrder(j, intConst(1), intConst(8), block(std::move(body))));
    const auto parts = loops::foldsApart(*nest.as<For>(), {});
    ++(parts ? apart : kept);
    if (!parts) continue;
    SequentialRun run = with({a}), again = run;
    for (SequentialRun* each : {&run, &again}) each->run(build.assign(sum, floatConst(0)));
    run.run(nest);
    again.run(makeStmt({}, parts->stores));
    again.run(makeStmt({}, parts->folds));
    CHECK(run.arrays == again.arrays);
    CHECK(run.scalars == again.scalars);
  }
  CHECK(apart > 20);
  CHECK(kept > 20);
}

namespace {

/// Statements over few scalars and an array: assignments, stores, branches and loops of them.
struct RandomText {
  Random random{};
  std::vector<Symbol> scalars{Symbol("x"), Symbol("y"), Symbol("z"), Symbol("w")};
  Buffer a = array("a", {3});

  Symbol scalar() { return scalars[static_cast<size_t>(random.in(0, 3))]; }
  Expr value() {
    const Expr read = var(scalar(), DType::F64);
    return random.in(0, 2) == 0 ? floatConst(2) : binary(BinaryOp::Add, read, var(scalar(), DType::F64));
  }
  Stmt statement(int depth) {
    const int64_t kind = random.in(0, depth > 0 ? 6 : 3);
    if (kind == 0) return build.store(a, {intConst(random.in(0, 2))}, value());
    if (kind < 4) return build.assign(scalar(), value());
    if (kind == 4) return build.inOrder(Symbol("i"), intConst(0), intConst(2), list(depth - 1));
    return build.when(var(scalar(), DType::F64) > floatConst(8), list(depth - 1),
                      kind == 5 ? list(depth - 1) : Stmt());
  }
  Stmt list(int depth) {
    std::vector<Stmt> all;
    for (int64_t n = random.in(1, 4); n > 0; --n) all.push_back(statement(depth));
    return block(std::move(all));
  }
  /// What the statement leaves, where the scalars were `first`, `first` + 1, ..
  SequentialRun after(const Stmt& s, double first) const {
    SequentialRun run = with({a});
    for (const Symbol& x : scalars) run.scalars[x] = first++;
    run.run(s);
    return run;
  }
};

} // namespace

TEST_CASE("loops: what nothing reads may go, and a slice gives its scalars the same values") {
  RandomText text;
  size_t shorter = 0, sliced = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Stmt s = text.list(2);
    const Symbol asked = text.scalar();
    const Stmt less = withoutIdleScalars(s, {asked});
    const Stmt slice = block(loops::sliceOf(statementsOf(s), {asked}));
    for (const double first : {1.0, 7.0}) {
      const SequentialRun whole = text.after(s, first), rest = text.after(less, first);
      CHECK(whole.arrays == rest.arrays);
      CHECK(whole.scalars.at(asked) == rest.scalars.at(asked));
      CHECK(whole.scalars.at(asked) == text.after(slice, first).scalars.at(asked));
    }
    CHECK_FALSE(anyStmt(less, doesNothing));
    shorter += !(less == s);
    sliced += statementsOf(slice).size() < statementsOf(s).size();
  }
  CHECK(shorter > 50);
  CHECK(sliced > 50);
}

TEST_CASE("loops: a body with scalars of its own does the same whatever these were before") {
  RandomText text;
  size_t own = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Stmt s = text.list(1);
    const std::set<Symbol> handedOn = analysis::handedOn(s), assigned = assignedVars(s);
    CHECK(std::ranges::includes(assigned, handedOn));
    CHECK(analysis::hasOwnScalars(s, {}) == handedOn.empty());
    CHECK(analysis::hasOwnScalars(s, assigned) == assigned.empty());
    if (!handedOn.empty() || assigned.empty()) continue;
    ++own;
    SequentialRun first = text.after(s, 1), second = with({text.a});
    for (const Symbol& x : text.scalars) // the others are the same
      second.scalars[x] = assigned.count(x) ? 100 : first.scalars.at(x);
    second.run(s);
    CHECK(first.arrays == second.arrays);
  }
  CHECK(own > 50);
}
