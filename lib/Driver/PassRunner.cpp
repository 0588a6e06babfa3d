//===- PassRunner.cpp - dump, verify, time, disable, stop: for every pass alike -----------------------===//
#include "PassRunner.h"
#include "appyc/IR/Print.h"
#include "appyc/Support/InternalError.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>

namespace appyc::driver {

StageTimes::~StageTimes() {
  if (!enabled_) return;
  double total = 0;
  for (const Row& row : rows_) {
    fmt::print(stderr, "{:>9.3f} ms  {}\n", row.milliseconds, row.name);
    total += row.milliseconds;
  }
  fmt::print(stderr, "{:>9.3f} ms  total\n", total);
}

void StageTimes::begin(std::string_view name) { setCurrentStage(name); }
void StageTimes::end(std::string_view name, double milliseconds) {
  rows_.push_back({std::string(name), milliseconds});
}

double StageTimes::now() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void verifyAfter(const ir::Module& module, ir::Level level, std::string_view pass) {
  if (const std::string broken = ir::verify(module, level); !broken.empty())
    internalError(fmt::format("the ir is wrong after `{}`: {}", pass, broken));
}

/// What a pass left as it was need not be looked at again.
static std::vector<const ir::StmtNode*> bodiesOf(const ir::Module& module) {
  std::vector<const ir::StmtNode*> bodies;
  for (const ir::Function& f : module.functions) bodies.push_back(f.body.get());
  return bodies;
}

bool PassRunner::isLeftOut(const ir::Pass& pass, ir::Level level) const {
  if (stopped_ && anyLevel_ && level != ir::Level::Tensor) return true;
  return !pass.isRequired() && (stopped_ || contains(options_.disabledPasses, pass.name));
}

void PassRunner::dump(const ir::Module& module, std::string_view pass) const {
  if (contains(options_.printAfter, pass) || contains(options_.printAfter, "all"))
    fmt::print(stderr, "# after {}\n{}\n", pass, ir::print(module));
}

/// Printed, symbols are told apart in the order in which they occur: so the text of what is only renamed is the same.
void PassRunner::noteFired(const ir::Module& before, const ir::Module& after, std::string_view pass) {
  const auto textOf = [](const ir::Module& m, size_t i) {
    return ir::print(ir::Module{m.level, {m.functions[i]}});
  };
  for (size_t i = 0; i < after.functions.size(); ++i) {
    std::vector<std::string>& passes = fired_[after.functions[i].entry];
    if (after.functions[i].body == before.functions[i].body || contains(passes, pass)) continue;
    if (textOf(after, i) != textOf(before, i)) passes.emplace_back(pass);
  }
}

ir::Module PassRunner::run(ir::Module module, std::span<const ir::Pass> passes) {
  for (const ir::Pass& pass : passes) {
    if (foundErrors() || (stopped_ && options_.emit == Emit::Ir)) break;
    if (!isLeftOut(pass, module.level)) {
      const ir::Module before = std::move(module);
      module = times_(pass.name, [&] { return ir::apply(pass, before, context_); });
      if (foundErrors()) break;
      if (module.level != before.level || bodiesOf(module) != bodiesOf(before))
        verifyAfter(module, pass.after, pass.name);
      if (options_.emit == Emit::Fired) noteFired(before, module, pass.name);
      dump(module, pass.name);
    }
    stopped_ |= options_.stopAfter == pass.name;
  }
  return module;
}

} // namespace appyc::driver
