//===- Pass.h - what a pass is ------------------------------------------------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include "appyc/Support/Annotations.h"
#include "appyc/Support/Choices.h"
#include "appyc/Support/Diagnostics.h"
#include "appyc/Support/Sanitize.h"

namespace appyc::cost {
struct Device;
}

namespace appyc::ir {

/// What passes may know besides the module. Dumping, verifying, timing, stopping are the runner's business.
struct PassContext {
  Diagnostics& diag;
  const cost::Device& device; ///< that costs and limits are those of
  bool autoParallel = true;   ///< map un-annotated loops that are proven independent (--no-auto turns it off)
  bool cuda = true;           ///< scheduling for a GPU rather than for CPU threads
  bool versions = true; ///< several ways of doing something, among which the host chooses (--no-versions)
  bool library = true;  ///< call libraries where they win (--no-library turns it off)
  Annotations* annotations = nullptr; ///< takes what the automatic mapping would be written as
  int vectorLength = 128;             ///< MVL where the annotation leaves it open: lanes of a block worker
  bool checkRaces = false;            ///< what is assumed is checked at run time (--check-races)
  const Source* source = nullptr;     ///< for lines in messages of the generated program
  std::string sourceName{};           ///< as those messages name it
  Choices* choices = nullptr;         ///< of the schedule file; may be null: then passes choose
  Sanitize sanitize{};                ///< what else is checked at run time

  int64_t choose(Span at, std::string_view key, int64_t byDefault, const std::vector<int64_t>& open) const {
    return choices ? choices->number(at, key, byDefault, open) : byDefault;
  }
  std::string choose(Span at, std::string_view key, std::string_view byDefault,
                     const std::vector<std::string>& open) const {
    return choices ? choices->word(at, key, byDefault, open) : std::string(byDefault);
  }
};

/// When a pass has something to do; of several, all have to hold.
enum When : unsigned {
  Always = 0,
  Required = 1, ///< later stages cannot do without it: --disable-pass leaves it
  OnGpu = 2,
  WithAuto = 4, ///< not with --no-auto
  WithVersions = 8,
  WithLibraries = 16,
  UnlessRaces = 32, ///< not with --sanitize=races
};

struct Pass {
  const char* name; ///< as in --print-after, --disable-pass; also the file's and the test folder's name
  void (*run)(Function&, PassContext&);
  Level after;
  unsigned when;                     ///< of When
  const char* why;                   ///< why it stands where it stands
  void (*finish)(Module&) = nullptr; ///< what then has to see all functions at once

  bool isRequired() const { return when & Required; }
  bool runsWith(const PassContext& ctx) const {
    return (ctx.cuda || !(when & OnGpu)) && (ctx.autoParallel || !(when & WithAuto)) &&
           (ctx.versions || !(when & WithVersions)) && (ctx.library || !(when & WithLibraries)) &&
           (!ctx.checkRaces || !(when & UnlessRaces));
  }
};

/// The module after the pass, or as it was where that has nothing to do.
inline Module apply(const Pass& pass, Module module, PassContext& ctx) {
  if (!pass.runsWith(ctx)) return module;
  module.level = pass.after;
  for (Function& f : module.functions) pass.run(f, ctx);
  if (pass.finish) pass.finish(module);
  return module;
}

} // namespace appyc::ir
