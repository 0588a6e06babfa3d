//===- PlaceScalars.cpp - host scalars that arrays decide move to the device ------------------------===//
//   s = A[0] + 1               =>     Alloc s_device[]; s_device[] = A[0] + 1
//   while s > eps:                    Fetch s <- s_device
//     for i: B[i] *= s                while s > eps:
//     s = B[0]                          for i: B[i] *= s_device[]
//                                       s_device[] = B[0]
//                                       Fetch s <- s_device
// The host's copy keeps the scalar's symbol and is assigned by Fetch, or by the host where it knows the value.
#include "HostScalars.h"
#include "Unattended.h"
#include "Units.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/Analysis/Liveness.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

struct ScalarPlacement {
  Function function;
  PassContext& ctx;
  analysis::Liveness live{function};
  std::set<Symbol> deviceScalars = findDeviceScalars(function, live);
  std::map<Symbol, DType> types = scalarTypes(function);
  std::map<Symbol, Buffer> held = numbersHeld(function), homes = held; ///< rank-0 buffers of device scalars
  std::vector<Stmt> allocations{};
  std::vector<Stmt> known{};      ///< stores of what the host knows as well
  using Fresh = std::set<Symbol>; ///< device scalars whose host copy is up to date
  int hostLoops = 0;

  const Buffer& homeOf(const Symbol& scalar) {
    auto [it, isNew] = homes.try_emplace(scalar);
    if (isNew) {
      it->second = Buffer{Symbol(scalar.hint() + "_device"), types.at(scalar), {}};
      function.buffers.push_back(it->second);
      allocations.push_back(makeStmt({}, Alloc{it->second}));
    }
    return it->second;
  }
  Stmt storeTo(Span span, const Buffer& home, Expr value) {
    return makeStmt(span, Store{home.name, {}, std::move(value), {}});
  }

  /// Device scalars read from their homes, but for those in `registers`.
  Expr onDevice(const Expr& e, const std::set<Symbol>& registers) {
    return rewrite(e, [&](const Expr& part) { return readHome(part, registers); });
  }
  Stmt onDevice(const Stmt& s, const std::set<Symbol>& registers) {
    return rewrite(s, nullptr, [&](const Expr& part) { return readHome(part, registers); });
  }
  Expr readHome(const Expr& part, const std::set<Symbol>& registers) {
    const auto* v = part.as<Var>();
    if (!v || !deviceScalars.count(v->name) || registers.count(v->name)) return {};
    return load(homeOf(v->name), {});
  }

  //===--- kernels-to-be ---------------------------------------------------------------------------===//

  std::set<Symbol> assignedIn(const Unit& unit) const {
    return intersection(assignedVars(block(unit.body)), deviceScalars);
  }

  /// Inside a kernel a device scalar that is assigned is a register, loaded before it is first used and stored at the
  /// end if needed.
  void placeUnit(const Unit& unit, std::vector<Stmt>& out, Fresh& fresh) {
    std::vector<Stmt> body = unit.body, last;
    std::vector<std::pair<Symbol, Stmt>> first;
    std::set<Symbol> registers;
    const std::set<Symbol>&before = live.before(unit.body.front()), &after = live.after(unit.body.back());
    const std::set<Symbol> elsewhere = definedBefore(function, unit), own = assignedIn(unit);
    if (unit.kind == Unit::Nest)
      for (const Symbol& name : scalarsOfArrays(unit.body.front(), deviceScalars, own)) {
        onHost(var(name, types.at(name)), unit.body.front()->span, out, fresh);
        registers.insert(name); // the host hands it to the kernel
      }
    for (const Symbol& name : own) {
      if (unit.kind == Unit::Run && after.count(name) && isOnlyResult(unit.body, name)) {
        for (Stmt& s : body)
          if (const auto* a = s.as<Assign>(); a && a->var == name)
            s = storeTo(s->span, homeOf(name), a->value);
        continue;
      }
      Symbol reg(name.hint());
      for (Stmt& s : body) s = renameScalar(s, name, reg);
      registers.insert(reg);
      if (unit.kind == Unit::Nest) continue; // private to the iterations
      // In a loop of the host, the unit itself may have been the last one to assign it.
      if (before.count(name) && (hostLoops > 0 || elsewhere.count(name)))
        first.emplace_back(reg, makeStmt(unit.body.front()->span, Assign{reg, load(homeOf(name), {})}));
      if (after.count(name))
        last.push_back(storeTo(unit.body.back()->span, homeOf(name), var(reg, types.at(name))));
    }
    std::vector<Stmt> placed;
    for (const Stmt& s : body) {
      for (auto& [reg, read] : first) // where it is needed: the host may count between what stands before
        if (read && mentionsAny(s, {reg})) placed.push_back(std::exchange(read, {}));
      placed.push_back(onDevice(s, registers));
    }
    placed.insert(placed.end(), last.begin(), last.end());
    if (unit.kind == Unit::Run) placed = withKnownApart(placed);
    out.insert(out.end(), placed.begin(), placed.end());
  }

  //===--- the host's side --------------------------------------------------------------------------===//

  /// Statements that make `e` computable on the host, appended to `out`; returns what the host computes.
  Expr onHost(const Expr& e, Span span, std::vector<Stmt>& out, Fresh& fresh) {
    if (!e) return e;
    if (readsMemory(e)) {
      Symbol value("value");
      types[value] = typeOf(e);
      out.push_back(storeTo(span, homeOf(value), onDevice(e, {})));
      out.push_back(makeStmt(span, Fetch{value, homeOf(value).name, typeOf(e)}));
      reportFetch(span);
      return var(value, typeOf(e));
    }
    for (const Symbol& name : freeVars(e))
      if (deviceScalars.count(name) && fresh.insert(name).second) {
        out.push_back(makeStmt(span, Fetch{name, homeOf(name).name, types.at(name)}));
        reportFetch(span);
      }
    return e;
  }
  void reportFetch(Span span) {
    if (hostLoops > 0)
      ctx.diag.report(DiagId::Performance, span,
                      "the host waits for the device in every iteration to know a scalar's value");
  }

  static void forget(Fresh& fresh, const Stmt& s) {
    for (const Symbol& name : assignedVars(s)) fresh.erase(name);
  }

  //===--- what both sides know ---------------------------------------------------------------------===//

  /// Does the host know all that the unit assigns? It rounds as the device does: no functions, no sums of products.
  bool isHostsToo(const Unit& unit, Fresh fresh) const {
    return std::all_of(unit.body.begin(), unit.body.end(), [&](const Stmt& s) {
      const auto* a = s.as<Assign>();
      if (!a || readsMemory(a->value) || has<Call>(a->value) || has<Apply>(a->value) ||
          any<Binary>(a->value, [](const Binary& b) { return b.op == BinaryOp::Mul; }))
        return false;
      for (const Symbol& name : freeVars(a->value))
        if (deviceScalars.count(name) && !fresh.count(name)) return false;
      return deviceScalars.count(a->var) && fresh.insert(a->var).second;
    });
  }
  void setOnHost(const Unit& unit, size_t first, std::vector<Stmt>& out, Fresh& fresh) {
    for (size_t i = first; i < out.size(); ++i)
      if (out[i].is<Store>()) known.push_back(out[i]);
    for (const Stmt& s : unit.body) {
      fresh.insert(s.as<Assign>()->var);
      out.push_back(s);
    }
  }

  /// The last thing before the function returns, of scalars alone: the host does it if it has no more to fetch, and all of that is set.
  bool placeResults(const Unit& unit, std::vector<Stmt>& out, Fresh& fresh) {
    const std::set<Symbol> results = intersection(assignedIn(unit), live.after(unit.body.back()));
    std::set<Symbol> in = intersection(analysis::exposedScalars(block(unit.body)), deviceScalars);
    std::erase_if(in, [&](const Symbol& name) { return fresh.count(name) > 0; });
    if (in.size() > results.size() || intersect(in, results) || intersect(in, live.before(function.body)))
      return false;
    std::map<Symbol, Buffer> asked;
    for (const Symbol& name : in) asked.emplace(name, homeOf(name));
    for (Stmt& s : computedOnHost(unit, results, asked)) out.push_back(std::move(s));
    fresh.insert(results.begin(), results.end());
    return true;
  }

  Stmt placeBody(const Stmt& body, Fresh& fresh) {
    std::vector<Stmt> out;
    placeList(statementsOf(body), out, fresh);
    return block(std::move(out));
  }

  void placeHostLoop(const Stmt& s, const For& loop, std::vector<Stmt>& out, Fresh& fresh) {
    For placed = loop;
    placed.lo = onHost(loop.lo, s->span, out, fresh);
    placed.hi = onHost(loop.hi, s->span, out, fresh);
    placed.step = onHost(loop.step, s->span, out, fresh);
    forget(fresh, loop.body);
    Fresh inside = fresh;
    ++hostLoops;
    placed.body = placeBody(loop.body, inside);
    --hostLoops;
    out.push_back(makeStmt(s->span, std::move(placed)));
  }

  /// The device finds the condition, and nobody waits.
  void placeUnattended(const Stmt& s, const While& loop, std::vector<Stmt>& out, Fresh& fresh) {
    const auto* named = loop.cond.as<Var>(); // already
    const Symbol going = named ? named->name : Symbol("going");
    types[going] = DType::Bool;
    const auto ask = [&](std::vector<Stmt>& to) {
      if (!named) to.push_back(storeTo(s->span, homeOf(going), onDevice(loop.cond, {})));
    };
    ask(out);
    forget(fresh, loop.body);
    Fresh inside = fresh;
    std::vector<Stmt> body;
    placeList(statementsOf(loop.body), body, inside);
    ask(body);
    out.push_back(makeStmt(s->span, While{load(homeOf(going), {}), block(std::move(body))}));
    ctx.diag.report(DiagId::TimeLoop, s->span,
                    "the device finds the condition: a CUDA graph repeats itself while it holds (before CUDA "
                    "12.4 the host asks in each step)");
  }

  void placeWhile(const Stmt& s, const While& loop, std::vector<Stmt>& out, Fresh& fresh) {
    if (scalarsIfUnattended(loop, deviceScalars, live.after(s)) &&
        ctx.choose(s->span, "graph", "true", {"true", "false"}) == "true")
      return placeUnattended(s, loop, out, fresh);
    // The condition is made ready before the loop and again at the end of every iteration.
    ++hostLoops;
    Expr cond = onHost(loop.cond, s->span, out, fresh);
    Fresh atCondition = fresh;
    forget(atCondition, loop.body);
    for (const Symbol& name : freeVars(loop.cond))
      if (fresh.count(name)) atCondition.insert(name);
    Fresh inside = atCondition;
    std::vector<Stmt> body;
    placeList(statementsOf(loop.body), body, inside);
    if (readsMemory(loop.cond)) {
      Symbol value = cond.as<Var>()->name;
      body.push_back(storeTo(s->span, homeOf(value), onDevice(loop.cond, {})));
      body.push_back(makeStmt(s->span, Fetch{value, homeOf(value).name, typeOf(cond)}));
    } else {
      onHost(loop.cond, s->span, body, inside);
    }
    --hostLoops;
    out.push_back(makeStmt(s->span, While{cond, block(std::move(body))}));
    fresh = atCondition;
  }

  void placeHost(const Stmt& s, std::vector<Stmt>& out, Fresh& fresh) {
    if (const auto* loop = s.as<For>()) return placeHostLoop(s, *loop, out, fresh);
    if (const auto* loop = s.as<While>()) return placeWhile(s, *loop, out, fresh);
    if (const auto* branch = s.as<If>()) {
      Expr cond = onHost(branch->cond, s->span, out, fresh);
      Fresh inThen = fresh, inElse = fresh;
      Stmt then = placeBody(branch->then, inThen);
      Stmt otherwise = branch->otherwise ? placeBody(branch->otherwise, inElse) : Stmt();
      out.push_back(makeStmt(s->span, If{cond, then, otherwise}));
      return forget(fresh, s);
    }
    if (s.is<Return>())
      for (const Result& r : function.results)
        if (r.kind == Result::Scalar && deviceScalars.count(r.name) && fresh.insert(r.name).second)
          out.push_back(makeStmt(s->span, Fetch{r.name, homeOf(r.name).name, r.type}));
    out.push_back(mapExprs(s, [&](const Expr& e) { return onHost(e, s->span, out, fresh); }));
  }

  void placeList(std::vector<Stmt> list, std::vector<Stmt>& out, Fresh& fresh) {
    std::erase_if(list, [&](const Stmt& s) { return s.is<Assign>() && held.count(s.as<Assign>()->var); });
    const std::vector<Unit> units = unitsOf(list, deviceScalars);
    for (const Unit& unit : units) {
      if (unit.kind == Unit::Host) {
        placeHost(unit.body.front(), out, fresh);
        continue;
      }
      if (isOfResults(units, unit) && placeResults(unit, out, fresh)) continue;
      const size_t first = out.size();
      placeUnit(unit, out, fresh);
      for (const Stmt& s : unit.body) forget(fresh, s);
      if (isHostsToo(unit, fresh)) setOnHost(unit, first, out, fresh);
    }
  }

  Function run() {
    std::vector<Stmt> out;
    Fresh fresh;
    for (const auto& [name, number] : held) deviceScalars.insert(name);
    // A parameter that becomes a device scalar starts with the caller's value.
    for (const Param& p : function.params)
      if (!p.isArray && deviceScalars.count(p.name) && live.before(function.body).count(p.name)) {
        out.push_back(storeTo(function.span, homeOf(p.name), var(p.name, p.type)));
        fresh.insert(p.name);
      }
    placeList(statementsOf(function.body), out, fresh);
    out.insert(out.begin(), allocations.begin(), allocations.end());
    function.body = withoutIdle(block(std::move(out)), known);
    return function;
  }
};

} // namespace

void placeScalars(Function& function, PassContext& ctx) {
  function.body = readBoundsFirst(function.body);
  function = ScalarPlacement{function, ctx}.run();
}

} // namespace appyc::schedule
