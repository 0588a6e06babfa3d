//===- ScheduleProgram.h - small programs for the scheduler tests, run before and after -------------===//
#pragma once
#include "SequentialRun.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Schedule/Passes.h"

namespace appyc::test {

using namespace ir;

struct Program {
  Function f;
  std::map<Symbol, int64_t> sizes;
  std::map<Symbol, std::vector<double>> given;
  std::vector<Stmt> body;

  Program() { f.name = f.entry = "f"; }

  Buffer array(const char* name, std::vector<Expr> extents, DType type = DType::F64) {
    Buffer b{Symbol(name), type, extents};
    f.buffers.push_back(b);
    Param p;
    p.name = b.name;
    p.type = type;
    p.isArray = p.written = true;
    p.extents = std::move(extents);
    f.params.push_back(p);
    return b;
  }
  Buffer temporary(const char* name, std::vector<Expr> extents) {
    Buffer b{Symbol(name), DType::F64, std::move(extents)};
    f.buffers.push_back(b);
    return b;
  }
  Expr size(const char* name, int64_t value) {
    Symbol s(name);
    // An array of that length, as every size is bound to an axis.
    array((std::string("of_") + name).c_str(), {var(s)});
    f.sizes.push_back({s, static_cast<int>(f.params.size()) - 1, 0});
    sizes[s] = value;
    return var(s);
  }
  void result(Symbol name) {
    Result r;
    r.name = name;
    f.results.push_back(r);
  }
};

inline Stmt stmt(auto node) { return makeStmt({}, std::move(node)); }
inline Stmt assign(Symbol v, Expr e) { return stmt(Assign{v, std::move(e)}); }
inline Stmt store(const Buffer& b, std::vector<Expr> index, Expr value) {
  return stmt(Store{b.name, std::move(index), std::move(value), {}});
}
inline For serial(Symbol i, Expr lo, Expr hi, std::vector<Stmt> body) {
  For loop;
  loop.index = i;
  loop.lo = lo;
  loop.hi = hi;
  loop.step = intConst(1);
  loop.body = block(std::move(body));
  return loop;
}
inline For parallel(Symbol i, Expr lo, Expr hi, std::vector<Stmt> body,
                    std::vector<Reduction> reductions = {}) {
  For loop = serial(i, lo, hi, std::move(body));
  loop.order = Order::Proven;
  loop.reductions = std::move(reductions);
  return loop;
}
inline Expr zero() { return intConst(0); }
inline Expr f64(double v) { return floatConst(v); }
inline Expr scalar(Symbol s) { return var(s, DType::F64); }
inline Expr plus(Expr a, Expr b) { return binary(BinaryOp::Add, a, b); }
inline Expr times(Expr a, Expr b) { return binary(BinaryOp::Mul, a, b); }
Reduction sumOf(Symbol s) { return {s, DType::F64, ReduceOp::Sum}; }

SequentialRun execute(const Program& p, const Function& f) {
  SequentialRun run;
  for (const auto& [name, value] : p.sizes) run.scalars[name] = static_cast<double>(value);
  for (const Param& param : f.params) {
    run.allocate({param.name, param.type, param.extents});
    auto& data = run.arrays[param.name];
    if (auto given = p.given.find(param.name); given != p.given.end()) {
      REQUIRE(given->second.size() == data.size());
      data = given->second;
    } else {
      for (size_t i = 0; i < data.size(); ++i)
        data[i] = static_cast<double>((i * 7919 + 13) % 101) / 16; // sums of these are exact
    }
  }
  run.run(f.body);
  return run;
}

struct Scheduled {
  Function f;
  SequentialRun run;
  Diagnostics diag;
  std::string text() const { return print(f.body); }
  int count(auto matches) const {
    int n = 0;
    visit(f.body, [&](const Stmt& s) {
      n += matches(s);
      return true;
    });
    return n;
  }
  int kernels() const {
    return count([](const Stmt& s) { return s.is<Launch>(); });
  }
  int barriers() const {
    return count([](const Stmt& s) { return s.is<Barrier>(); });
  }
  int collectives(Scope scope) const {
    return count([&](const Stmt& s) { return s.is<Collective>() && s.as<Collective>()->scope == scope; });
  }
  int fetches() const {
    return count([](const Stmt& s) { return s.is<Fetch>(); });
  }
  template <class Kind> int loops() const {
    return count([](const Stmt& s) { return s.is<For>() && s.as<For>()->mapping.is<Kind>(); });
  }
  const Launch& kernel(int which = 0) const {
    const Launch* found = nullptr;
    visit(f.body, [&](const Stmt& s) {
      if (s.is<Launch>() && which-- == 0) found = s.as<Launch>();
      return true;
    });
    REQUIRE(found);
    return *found;
  }
  const For& loop(const char* index) const {
    const For* found = nullptr;
    visit(f.body, [&](const Stmt& s) {
      if (s.is<For>() && s.as<For>()->index.hint() == index) found = s.as<For>();
      return true;
    });
    REQUIRE(found);
    return *found;
  }
  bool says(const char* part) const {
    for (const Diagnostic& d : diag.all())
      if (d.text.find(part) != std::string::npos) return true;
    return false;
  }
};

/// Schedules for cuda, checks every level's rules after every pass, and that the result computes the same.
Scheduled scheduled(Program& p, bool cuda = true) {
  p.f.body = block(p.body);
  Module module{Level::Loop, {p.f}};
  REQUIRE(verify(module, Level::Loop) == "");
  Scheduled s;
  PassContext ctx{s.diag, cost::standardDevice()};
  ctx.versions = false; // one way of each
  ctx.cuda = cuda;
  auto apply = [&](void (*pass)(Function&, PassContext&), Level level) {
    module = ir::apply({"", pass, level, Always, ""}, module, ctx);
    INFO(print(module));
    REQUIRE(verify(module, level) == "");
  };
  apply(schedule::tileReductions, Level::Loop);
  if (cuda) {
    apply(schedule::placeScalars, Level::Scheduled);
    apply(schedule::mapKernels, Level::Scheduled);
    apply(schedule::placeBarriers, Level::Scheduled);
  }
  apply(schedule::planMemory, Level::Scheduled);
  s.f = module.functions[0];
  UNSCOPED_INFO(s.text());
  if (s.diag.hasErrors()) return s;
  SequentialRun before = execute(p, p.f);
  s.run = execute(p, s.f);
  for (const Param& param : p.f.params) {
    const auto &expected = before.arrays[param.name], &got = s.run.arrays[param.name];
    for (size_t i = 0; i < expected.size(); ++i) REQUIRE(got[i] == Approx(expected[i]));
  }
  for (const Result& r : p.f.results) REQUIRE(s.run.scalars.at(r.name) == Approx(before.scalars.at(r.name)));
  return s;
}

} // namespace appyc::test
