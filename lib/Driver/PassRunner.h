//===- PassRunner.h - dump, verify, time, disable, stop: for every pass alike -------------------------===//
#pragma once
#include "appyc/Driver/Options.h"
#include "appyc/IR/Pass.h"
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace appyc::driver {

/// Prints how long each stage took, when asked to, at the end of its life.
class StageTimes {
public:
  explicit StageTimes(bool enabled) : enabled_(enabled) {}
  ~StageTimes();
  StageTimes(const StageTimes&) = delete;
  StageTimes& operator=(const StageTimes&) = delete;
  /// Runs `work`, the stage `name`; internal errors inside it name the stage.
  template <class F> auto operator()(std::string_view name, F&& work);

private:
  void begin(std::string_view name);
  void end(std::string_view name, double milliseconds);
  static double now();

  struct Row {
    std::string name;
    double milliseconds;
  };
  bool enabled_;
  std::vector<Row> rows_;
};

template <class F> auto StageTimes::operator()(std::string_view name, F&& work) {
  begin(name);
  const double start = now();
  auto result = work();
  end(name, now() - start);
  return result;
}

/// --emit=fired: by entry, the passes that changed the function, beyond the names of its symbols.
using Fired = std::map<std::string, std::vector<std::string>>;

/// Runs tables of passes on a module. After the pass of --stop-after only required passes run; with
/// `anyLevel`, only those that lead to loops. Stops at errors.
class PassRunner {
public:
  PassRunner(const Options& options, ir::PassContext& context, StageTimes& times, bool anyLevel, Fired& fired)
      : options_(options), context_(context), times_(times), fired_(fired), anyLevel_(anyLevel),
        errorsBefore_(context.diag.errorCount()) {}
  ir::Module run(ir::Module module, std::span<const ir::Pass> passes);
  /// --stop-after has been reached: --emit=ir wants the ir as it is.
  bool stopped() const { return stopped_; }

private:
  bool isLeftOut(const ir::Pass& pass, ir::Level level) const;
  /// Has a pass reported an error? What earlier stages refused is not in the module.
  bool foundErrors() const { return context_.diag.errorCount() > errorsBefore_; }
  void dump(const ir::Module& module, std::string_view pass) const;
  void noteFired(const ir::Module& before, const ir::Module& after, std::string_view pass);

  const Options& options_;
  ir::PassContext& context_;
  StageTimes& times_;
  Fired& fired_;
  bool anyLevel_;
  int errorsBefore_;
  bool stopped_ = false;
};

/// Internal error naming the pass where the module breaks a rule of its level.
void verifyAfter(const ir::Module&, ir::Level, std::string_view pass);

} // namespace appyc::driver
