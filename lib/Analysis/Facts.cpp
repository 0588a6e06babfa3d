//===- Facts.cpp - what is known of sizes and scalars, as it grows --------------------------------------===//
#include "Isl.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include <fmt/format.h>

namespace appyc::analysis {

struct Facts::State {
  /// What all questions may take together: some hundredths of a second.
  static constexpr unsigned long kOperations = 400'000;

  std::set<Symbol> changing; ///< scalars that the function assigns
  Context context;
  Scope scope{context};
  std::unique_ptr<isl_ctx, void (*)(isl_ctx*)> ctx{isl_ctx_alloc(), [](isl_ctx* c) { isl_ctx_free(c); }};
  std::vector<isl::set> known; ///< after each fact; the last is what holds now

  /// What is known and `condition`; nullopt where it cannot be said, or where isl takes too long. Alternatives
  /// are joined on the way: in one formula of all facts they would multiply.
  std::optional<isl::set> with(const ir::Expr& condition) {
    std::optional<Term> t = scope.condition(condition);
    if (!t) return std::nullopt;
    t->constraints.push_back(t->text);
    try {
      const std::string text = fmt::format("{} -> {{ : {} }}", scope.paramList(), formula(*t));
      const isl::set more = readParams(isl::ctx(ctx.get()), text);
      return known.empty() ? more : known.back().intersect(more).coalesce();
    } catch (const isl::exception&) {
      return std::nullopt;
    }
  }
};

Facts::Facts() : state_(std::make_unique<State>()) {
  isl_options_set_on_error(state_->ctx.get(), ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(state_->ctx.get(), State::kOperations);
}
Facts::Facts(const ir::Function& function) : Facts() {
  state_->changing = ir::assignedVars(function.body);
  for (const ir::Size& s : function.sizes)
    learn(ir::binary(ir::BinaryOp::Ge, ir::var(s.name), ir::intConst(0)));
}
Facts::~Facts() = default;

bool Facts::isFixed(const ir::Expr& e) const {
  return !ir::readsMemory(e) && !ir::intersect(ir::freeVars(e), state_->changing);
}

void Facts::learn(const ir::Expr& condition) {
  if (std::optional<isl::set> known = state_->with(condition)) state_->known.push_back(*known);
}
size_t Facts::count() const { return state_->known.size(); }
void Facts::forget(size_t count) { state_->known.erase(state_->known.begin() + count, state_->known.end()); }

bool Facts::mayHold(const ir::Expr& condition) {
  const std::optional<isl::set> both = state_->with(condition);
  try {
    return !both || !both->is_empty();
  } catch (const isl::exception&) {
    return true;
  }
}

} // namespace appyc::analysis
