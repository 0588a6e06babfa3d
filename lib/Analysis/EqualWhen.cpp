//===- EqualWhen.cpp - under which sizes are two expressions equal in every iteration? ------------===//
#include "Isl.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include <fmt/format.h>

namespace appyc::analysis {

/// When no iteration has `a violated b`.
static ir::Expr neverWhen(const ir::Expr& a, const char* violated, const ir::Expr& b,
                          const Context& context) {
  Scope scope(context);
  std::optional<Term> x = scope.translate(a), y = scope.translate(b);
  if (!x || !y) return {};
  append(*x, *y);
  append(*x, scope.contextConstraints());
  x->constraints.push_back(fmt::format("{} {} {}", x->text, violated, y->text));
  Term sizes;
  for (const Symbol& s : context.sizes)
    sizes.constraints.push_back(fmt::format("{} >= 0", scope.translate(ir::var(s))->text));
  return askIsl<ir::Expr>([&](isl::ctx ctx) -> ir::Expr {
           isl_set* differ =
               readParams(ctx, fmt::format("{} -> {{ : {} }}", scope.paramList(), formula(*x))).release();
           for (const ir::For* loop : context.loops) {
             int at = isl_set_find_dim_by_name(differ, isl_dim_param,
                                               scope.translate(ir::var(loop->index))->text.c_str());
             if (at >= 0) differ = isl_set_project_out(differ, isl_dim_param, static_cast<unsigned>(at), 1);
           }
           isl::set known(ctx, fmt::format("{} -> {{ : {} }}", scope.paramList(), formula(sizes)));
           isl::set same = known.subtract(isl::manage(differ)).coalesce();
           return same.is_empty() ? ir::Expr{} : conditionExpr(same.gist(known), scope);
         })
      .value_or(ir::Expr{});
}

ir::Expr equalWhen(const ir::Expr& a, const ir::Expr& b, const Context& context) {
  return neverWhen(a, "!=", b, context);
}

ir::Expr atMostWhen(const ir::Expr& a, const ir::Expr& b, const Context& context) {
  return neverWhen(a, ">", b, context);
}

} // namespace appyc::analysis
