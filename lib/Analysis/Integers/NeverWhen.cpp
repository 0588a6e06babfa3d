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
  const std::optional<Term> failed = scope.condition(failure);
  if (!failed) return {};
  std::vector<std::string> indices;
  for (const ir::For* loop : context.loops) indices.push_back(scope.translate(ir::var(loop->index))->text);
  const auto isIndex = [&](const std::string& name) {
    return std::find(indices.begin(), indices.end(), name) != indices.end();
  };
  for (const auto& [name, meaning] : scope.params())
    if (!isIndex(name) && !isKnown(meaning)) return {};
  Never never;
  Term run = *failed, sizes;
  run.constraints.push_back(fmt::format("({})", failed->text));
  for (size_t k = 0; k < indices.size(); ++k)
    never.isExact &= rangeConstraints(scope, *context.loops[k], indices[k], run);
  for (const ir::Expr& e : conditions) {
    const std::optional<Term> given = scope.condition(e);
    never.isExact &= given.has_value();
    if (!given) continue;
    append(run, *given);
    run.constraints.push_back(fmt::format("({})", given->text));
  }
  for (const auto& [name, meaning] : scope.params())
    if (const auto* v = meaning.as<ir::Var>(); v && context.sizes.count(v->name) && isKnown(meaning))
      sizes.constraints.push_back(fmt::format("{} >= 0", name));
  std::vector<std::string> unknown;
  for (const auto& [name, meaning] : scope.params())
    if (isIndex(name) || !isKnown(meaning)) unknown.push_back(name);
  never.isExact &= unknown.size() == indices.size();
  const std::string fails = fmt::format("{} -> {{ : {} }}", scope.paramList(), formula(run));
  const std::string holds = fmt::format("{} -> {{ : {} }}", scope.paramList(), formula(sizes));
  never.when = conditionOnce(
      fmt::format("{} | {} | {}", fails, holds, fmt::join(unknown, " ")), scope, [&](isl::ctx ctx) {
        isl_set *failing = readParams(ctx, fails).release(), *all = readParams(ctx, holds).release();
        for (const std::string& name : unknown)
          for (isl_set** set : {&failing, &all}) {
            const int at = isl_set_find_dim_by_name(*set, isl_dim_param, name.c_str());
            if (at >= 0) *set = isl_set_project_out(*set, isl_dim_param, static_cast<unsigned>(at), 1);
          }
        const isl::set known = isl::manage(all);
        const isl::set fine = known.subtract(isl::manage(failing)).coalesce();
        return fine.gist(known);
      });
  return never;
}

} // namespace appyc::analysis
