//===- KernelsTest.cpp - kernels as objects -----------------------------------------------------------===//
#include "appyc/IR/Kernels.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/Analysis/Effects.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Walk.h"
#include "appyc/Schedule/Passes.h"
#include <catch2/catch.hpp>

namespace {

using namespace appyc;
using namespace appyc::ir;
using Catch::Contains;

/// f(A, B, N): a kernel copies A to B, and the same one B to A, with another number.
struct Copies {
  Symbol a{"A"}, b{"B"}, n{"N"}, i{"i"}, x{"x"}, y{"y"};
  Module module{Level::Scheduled, {Function{}}};

  Copies() {
    Function& f = module.functions[0];
    f.name = f.entry = "f";
    f.sizes = {{n, 0, 0}};
    for (const Symbol& s : {a, b}) {
      f.params.push_back({s, DType::F64, true, {var(n)}, true});
      f.buffers.push_back({s, DType::F64, {var(n)}});
    }
    const Builder at{};
    f.body = block({at.assign(x, floatConst(2)), at.assign(y, floatConst(3)),
                    copy(f.buffers[0], f.buffers[1], x), copy(f.buffers[1], f.buffers[0], y)});
  }
  Stmt copy(const Buffer& from, const Buffer& to, const Symbol& factor) const {
    const Builder at{};
    For loop = provenLoop(
        i, intConst(0), var(n),
        at.store(to, {var(i)}, binary(BinaryOp::Mul, load(from, {var(i)}), var(factor, DType::F64))));
    loop.mapping = PerThread{};
    return at.make(Launch{"f_kernel", {{ceilDiv(var(n), intConst(64))}, {64, 1, 1}}, at.make(loop)});
  }
  Function& function() { return module.functions[0]; }
};

std::vector<Launch> launchesOf(const Stmt& s) {
  std::vector<Launch> all;
  each<Launch>(s, [&](const Launch& l) { all.push_back(l); });
  return all;
}

Stmt at(const Stmt& s, size_t i) { return statementsOf(s).at(i); }

} // namespace

TEST_CASE("two launches of one kernel are of one object, with other arguments") {
  Copies c;
  REQUIRE(verify(c.module, Level::Scheduled) == "");
  const Function inPlace = c.function();
  c.function() = schedule::withKernels(inPlace);
  INFO(print(c.module));
  CHECK(verify(c.module, Level::Scheduled) == "");
  const Function& f = c.function();
  REQUIRE(f.kernels.size() == 1);
  CHECK(f.kernels[0].params == std::vector<Symbol>{c.a, c.b, c.n, c.x});
  const std::vector<Launch> launches = launchesOf(f.body);
  REQUIRE(launches.size() == 2);
  CHECK(launches[1].arguments[0].array == c.b);
  CHECK(launches[1].arguments[0].isRead);
  CHECK_FALSE(launches[1].arguments[0].isWritten);
  CHECK(launches[1].arguments[1].array == c.a);
  CHECK(launches[1].arguments[1].isWritten);
  CHECK(print(launches[1].arguments[3].value) == "y");
  CHECK(analysis::mayConflict(at(f.body, 2), at(f.body, 3)));
  CHECK(analysis::mayConflict(at(f.body, 0), at(f.body, 2)));
  CHECK_FALSE(analysis::mayConflict(at(f.body, 1), at(f.body, 2)));
  // The host's program tells what it touches without the bodies.
  CHECK(storedBuffers(f.body) == storedBuffers(inPlace.body));
  CHECK(loadedBuffers(f.body) == loadedBuffers(inPlace.body));
  CHECK(readScalars(f.body) == std::set<Symbol>{c.n, c.x, c.y});
  CHECK(print(withBodiesInPlace(f).body).size() == print(inPlace.body).size() + 3 * std::string("_1").size());
  CHECK(withBodiesInPlace(inPlace).body == inPlace.body);
}

TEST_CASE("an object may be launched at each level, a body in place at the last one alone") {
  Copies c;
  CHECK_THAT(verify(c.module, Level::Loop), Contains("in place before level Scheduled"));
  c.function() = schedule::withKernels(c.function());
  std::vector<Kernel>& kernels = c.function().kernels;
  const Stmt body = kernels[0].body;
  CHECK(verify(c.module, Level::Loop) == "");
  CHECK(verify(c.module, Level::Tensor) == "");
  kernels[0].params.pop_back();
  CHECK_THAT(verify(c.module, Level::Scheduled), Contains("not as many arguments"));
  kernels[0].params.push_back(c.x);
  std::swap(kernels[0].params[1], kernels[0].params[2]);
  CHECK_THAT(verify(c.module, Level::Scheduled), Contains("passed for a number"));
  kernels.clear();
  CHECK_THAT(verify(c.module, Level::Scheduled), Contains("of no kernel"));
}

TEST_CASE("what the first one does alone is a statement of a kernel") {
  Copies c;
  const Builder at{};
  const Stmt store = at.store(c.function().buffers[0], {intConst(0)}, floatConst(1));
  const Stmt only = at.make(Only{Only::ThreadOfBlock, store, block({store, store})});
  CHECK(print(only) ==
        "only the first thread of a block:\n  A[0] = 1.0\nothers:\n  A[0] = 1.0\n  A[0] = 1.0\n");
  CHECK(storedBuffers(only) == std::set<Symbol>{c.a});
  // What one of many assigns the others may read as it was before.
  const Stmt reads = at.store(c.function().buffers[0], {intConst(0)}, var(c.x, DType::F64));
  const Stmt assigns = at.make(Only{Only::BlockOfGrid, at.assign(c.x, floatConst(1))});
  CHECK(analysis::exposedScalars(block({assigns, reads})) == std::set<Symbol>{c.x});
  CHECK(analysis::exposedScalars(at.make(Only{Only::LaneOfWarp, reads})) == std::set<Symbol>{c.x});
  c.function().body = block({c.function().body, only});
  CHECK_THAT(verify(c.module, Level::Scheduled), Contains("outside Launch"));
}
