//===- NeverWhen.cpp - under which sizes does no iteration fail? -------------------------------------===//
#include "Isl.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include <fmt/format.h>

namespace appyc::analysis {

Never neverWhen(const ir::Expr& failure, const std::vector<ir::Expr>& conditions, const Context& context,
                const std::function<bool(const ir::Expr&)>& isKnown) {
  Scope scope(context);
  scope.memoryChanges = true; // a bound that was read may have another value by now
  const std::optional<Term> fails = scope.condition(failure);
  if (!fails) return {};
  std::vector<std::string> indices;
  for (const ir::For* loop : context.loops) indices.push_back(scope.translate(ir::var(loop->index))->text);
  const auto isIndex = [&](const std::string& name) {
    return std::find(indices.begin(), indices.end(), name) != indices.end();
  };
  for (const auto& [name, meaning] : scope.params())
    if (!isIndex(name) && !isKnown(meaning)) return {};
  Never never;
  Term run = *fails, sizes;
  run.constraints.push_back(fmt::format("({})", fails->text));
  for (size_t k = 0; k < indices.size(); ++k)
    never.isExact &= rangeConstraints(scope, *context.loops[k], indices[k], run);
  for (const ir::Expr& e : conditions) {
    const std::optional<Term> holds = scope.condition(e);
    never.isExact &= holds.has_value();
    if (!holds) continue;
    append(run, *holds);
    run.constraints.push_back(fmt::format("({})", holds->text));
  }
  for (const Symbol& s : context.sizes)
    if (isKnown(ir::var(s)))
      sizes.constraints.push_back(fmt::format("{} >= 0", scope.translate(ir::var(s))->text));
  std::vector<std::string> unknown;
  for (const auto& [name, meaning] : scope.params())
    if (isIndex(name) || !isKnown(meaning)) unknown.push_back(name);
  never.isExact &= unknown.size() == indices.size();
  never.when =
      askIsl<ir::Expr>([&](isl::ctx ctx) -> ir::Expr {
        const std::string params = scope.paramList();
        isl_set* failing = readParams(ctx, fmt::format("{} -> {{ : {} }}", params, formula(run))).release();
        isl_set* all = readParams(ctx, fmt::format("{} -> {{ : {} }}", params, formula(sizes))).release();
        for (const std::string& name : unknown)
          for (isl_set** set : {&failing, &all}) {
            const int at = isl_set_find_dim_by_name(*set, isl_dim_param, name.c_str());
            if (at >= 0) *set = isl_set_project_out(*set, isl_dim_param, static_cast<unsigned>(at), 1);
          }
        const isl::set known = isl::manage(all);
        const isl::set fine = known.subtract(isl::manage(failing)).coalesce();
        return fine.is_empty() ? ir::boolConst(false) : conditionExpr(fine.gist(known), scope);
      }).value_or(ir::Expr{});
  return never;
}

} // namespace appyc::analysis
