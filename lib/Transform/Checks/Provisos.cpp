#include "Provisos.h"
#include "Raises.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Walk.h"
#include <fmt/format.h>

namespace appyc::transform {
using namespace ir;

Expr notNegative(const Function& function, const Expr& e, const Expr& known) {
  Expr holds;
  for (const Param& p : function.params)
    if (!p.isArray && p.type == DType::I64 && mentions(e, p.name) && !(known && mentions(known, p.name)))
      holds = both(holds, var(p.name) >= 0);
  return holds;
}

Expr notNegative(const Function& function, const Stmt& nest) {
  Expr holds;
  each<For>(nest,
            [&](const For& one) { holds = both(holds, notNegative(function, one.lo < one.hi, holds)); });
  return holds;
}

Stmt inTurn(const Stmt& nest, Function& function) {
  return replace<For>(withOwnArrays(nest, function.buffers), [](const For& one, const Stmt& part) {
    For serial = one;
    serial.order = Order::Serial;
    serial.reductions.clear();
    serial.hints.mark = LoopMark::Sequential;
    return makeStmt(part->span, std::move(serial));
  });
}

Stmt withoutChecks(const Stmt& s, Function& function) {
  const auto& loop = *s.as<For>();
  if (!has<Require>(s)) return {};
  const std::map<Symbol, Expr> values = onlyValues(s);
  Expr holds = notNegative(function, s);
  const Stmt asked = replace<Require>(s, [&](const Require& check, const Stmt& part) {
    Require by = check;
    by.cond = substitute(check.cond, values);
    holds = both(holds, notNegative(function, by.cond, holds));
    return makeStmt(part->span, std::move(by));
  });
  const Stmt plain = holds ? withoutEndsWhere(function, asked, holds) : Stmt();
  if (!plain || mayRaise(plain)) return {};
  std::string names;
  for (const Symbol& name : freeVars(holds)) names += (names.empty() ? "`" : ", `") + name.hint() + "`";
  const Builder build{s->span};
  const Expr runsNot = constantInt(loop.step).value_or(1) > 0 ? loop.hi <= loop.lo : loop.lo <= loop.hi;
  const Require refused{runsNot, "NotImplementedError",
                        fmt::format("{} must not be negative: what counts from the end changes shapes in the "
                                    "loop over `{}`",
                                    names, loop.index.hint())};
  return build.when(holds, plain, build.make(refused));
}

} // namespace appyc::transform
