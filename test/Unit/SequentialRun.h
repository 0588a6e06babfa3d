//===- SequentialRun.h - runs ir of level Loop or Scheduled, one iteration after the other ----------===//
// What a kernel's lanes do together is done by one: bound loops are plain loops, the first lane's guard
// holds, a collective has nothing left to fold. Right for every program without races; what it cannot see is
// a missing barrier.
#pragma once
#include "appyc/IR/Build.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

namespace appyc::test {
using namespace ir;

struct SequentialRun {
  std::map<Symbol, std::vector<double>> arrays;
  std::map<Symbol, std::vector<int64_t>> shapes;
  std::map<Symbol, double> scalars;
  int launches = 0, fetches = 0;

  int64_t whole(const Expr& e) { return static_cast<int64_t>(eval(e)); }

  size_t position(Symbol buffer, const std::vector<Expr>& index) {
    const auto& shape = shapes.at(buffer);
    REQUIRE(shape.size() == index.size());
    int64_t at = 0;
    for (size_t d = 0; d < shape.size(); ++d) {
      int64_t i = whole(index[d]);
      INFO("buffer " << buffer.hint() << " axis " << d << " index " << i << " extent " << shape[d]);
      REQUIRE((i >= 0 && i < shape[d]));
      at = at * shape[d] + i;
    }
    return static_cast<size_t>(at);
  }

  double evalBinary(const Binary& b) {
    double x = eval(b.lhs), y = eval(b.rhs);
    bool integer = !isFloat(typeOf(b.lhs));
    switch (b.op) {
    case BinaryOp::Add: return x + y;
    case BinaryOp::Sub: return x - y;
    case BinaryOp::Mul: return x * y;
    case BinaryOp::Div: return x / y;
    case BinaryOp::FloorDiv: return integer && y == 0 ? 0 : std::floor(x / y);
    case BinaryOp::Mod: return integer && y == 0 ? 0 : x - y * std::floor(x / y);
    case BinaryOp::Min: return std::min(x, y);
    case BinaryOp::Max: return std::max(x, y);
    case BinaryOp::Eq: return x == y;
    case BinaryOp::Ne: return x != y;
    case BinaryOp::Lt: return x < y;
    case BinaryOp::Le: return x <= y;
    case BinaryOp::Gt: return x > y;
    case BinaryOp::Ge: return x >= y;
    case BinaryOp::LogicalAnd: return x != 0 && y != 0;
    case BinaryOp::LogicalOr: return x != 0 || y != 0;
    default: FAIL("operator not supported"); return 0;
    }
  }

  double eval(const Expr& e) {
    return match(
        e,
        [](const Const& c) {
          return std::visit(Overloaded{[](std::complex<double> z) { return z.real(); },
                                       [](auto v) { return static_cast<double>(v); }},
                            c.value);
        },
        [&](const Var& v) {
          INFO("variable " << v.name.hint());
          REQUIRE(scalars.count(v.name));
          return scalars.at(v.name);
        },
        [&](const Load& l) { return arrays.at(l.buffer)[position(l.buffer, l.index)]; },
        [&](const Unary& u) { return u.op == UnaryOp::Neg ? -eval(u.arg) : double(eval(u.arg) == 0); },
        [&](const Binary& b) { return evalBinary(b); }, [&](const Cast& c) { return eval(c.arg); },
        [&](const Select& s) { return eval(s.cond) != 0 ? eval(s.then) : eval(s.otherwise); },
        [&](const Call& c) {
          return c.fn == Intrinsic::Exp ? std::exp(eval(c.args[0])) : std::sqrt(eval(c.args[0]));
        },
        [](const Lookup&) { return 0.0; }, [](const Reduce&) { return 0.0; },
        [](const Apply&) { return 0.0; }, [](const Hardware&) { return 0.0; });
  }

  void run(const Stmt& s) {
    if (!s) return;
    match(
        s, [](const IndexStmt&) { FAIL("index statement"); }, [](const MatMul&) { FAIL("matrix product"); },
        [](const Routine&) { FAIL("routine"); }, [](const Swap&) { FAIL("exchange of arrays"); },
        [&](const Assign& a) { scalars[a.var] = eval(a.value); },
        [&](const Store& a) {
          double value = eval(a.value);
          double& element = arrays.at(a.buffer)[position(a.buffer, a.index)];
          element = a.atomicOp ? element + value : value;
        },
        [&](const For& l) { runLoop(l); },
        [&](const While& l) {
          while (eval(l.cond) != 0) run(l.body);
        },
        [&](const Only& b) { run(b.body), run(b.others); },
        [&](const If& b) { run(eval(b.cond) != 0 ? b.then : b.otherwise); },
        [&](const Block& b) {
          for (const Stmt& child : b.body) run(child);
        },
        [&](const Alloc& a) { allocate(a.buffer); }, [](const Require&) {}, [](const Print&) {},
        [](const Return&) {},
        [&](const Launch& k) {
          ++launches;
          for (const Expr& g : k.shape.grid) REQUIRE((whole(g) >= 1 && whole(g) <= 65535));
          auto host = scalars;
          run(k.body);
          scalars = host; // what a kernel computes in registers is gone
        },
        [](const Barrier&) {}, [](const Signal&) {}, [](const Collective&) {}, [](const Atomic&) {},
        [](const Exchange&) {}, [](const Fence&) {},
        [&](const Fetch& f) {
          ++fetches;
          scalars[f.var] = arrays.at(f.buffer)[0];
        });
  }

  void runLoop(const For& l) {
    int64_t lo = whole(l.lo), hi = whole(l.hi), step = whole(l.step);
    for (int64_t i = lo; step > 0 ? i < hi : i > hi; i += step) {
      scalars[l.index] = static_cast<double>(i);
      run(l.body);
    }
  }

  void allocate(const Buffer& b) {
    size_t count = 1;
    shapes[b.name].clear();
    for (const Expr& e : b.extents) {
      REQUIRE(whole(e) >= 0);
      shapes[b.name].push_back(whole(e));
      count *= static_cast<size_t>(whole(e));
    }
    arrays[b.name].assign(count, std::nan(""));
  }
};

} // namespace appyc::test
