//===- Compile.cpp - the stages of the compiler, in order ---------------------------------------------===//
#include "Command.h"
#include "Linked.h"
#include "Modules.h"
#include "PassRunner.h"
#include "Pipeline.h"
#include "ScheduleFile.h"
#include "Stats.h"
#include "Summary.h"
#include "Versions.h"
#include "appyc/Analysis/Cost.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/Cost/Device.h"
#include "appyc/Driver/Driver.h"
#include "appyc/Frontend/Frontend.h"
#include "appyc/Frontend/Ufuncs.h"
#include "appyc/IR/Names.h"
#include "appyc/IR/Print.h"
#include "appyc/Sema/Sema.h"
#include "appyc/Support/CrashReport.h"
#include "appyc/Support/InternalError.h"
#include "appyc/Target/Target.h"
#include "appyc/Wrapper/Wrapper.h"
#include <cstdio>
#include <fmt/format.h>

namespace appyc::driver {

namespace {
/// "rows: fuse-loops map-kernels"
std::string firedText(const Fired& fired) {
  std::string text;
  for (const auto& [entry, passes] : fired)
    text += fmt::format("{}:{}{}\n", entry, passes.empty() ? "" : " ", fmt::join(passes, " "));
  return text;
}

/// What the wrapper makes of the ufuncs of the file.
std::vector<wrapper::Ufunc> ufuncsOf(const Source& source) {
  Diagnostics reported;
  std::vector<wrapper::Ufunc> result;
  for (const frontend::Ufunc& read : frontend::readUfuncs(source, reported)) {
    wrapper::Ufunc& made = result.emplace_back();
    made.name = read.name, made.docstring = read.docstring, made.identity = read.identity;
    made.layout = read.layout, made.inputAxes = read.inputAxes, made.outputAxes = read.outputAxes;
    for (const frontend::Ufunc::Row& row : read.rows) {
      wrapper::Ufunc::Row& to = made.rows.emplace_back();
      to.entry = row.entry, to.fold = row.fold;
      for (const auto& operand : row.inputs)
        to.inputs.push_back(operand.dtype), to.isVector.push_back(operand.rank == 1);
      for (const auto& operand : row.outputs) to.outputs.push_back(operand.dtype);
    }
  }
  return result;
}

/// Everything from the scheduled module to texts.
struct Emitter {
  const Options& options;
  const target::Target& target;
  target::EmitOptions code;
  wrapper::Options python;
  Choices& choices;
  StageTimes& times;
  const Fired& fired;

  Emitter(const Source& source, const Options& opts, const target::Target& to, const OutputNames& names,
          const ir::Module& module, const LinkedFiles& links, Choices& chosen, StageTimes& t,
          const Fired& firedPasses)
      : options(opts), target(to), choices(chosen), times(t), fired(firedPasses) {
    const std::string command = commandText(opts);
    const std::string prefix = ir::symbolPrefix(names.stem),
                      build = buildLine(opts, names, module, links.fromOutput);
    code = {versionText(), printable(baseName(source.name())),
            command,       printable(names.output),
            prefix,        build,
            &source,       opts.fmad,
            &chosen,       opts.cpuLibraries,
            names.support, links.included};
    python = {to.cuda, code.version,     code.sourceName,     command, names.stem, prefix, build,
              {},      ufuncsOf(source), !names.sharesRuntime};
  }

  std::string main(const ir::Module& module) const {
    switch (options.emit) {
    case Emit::Code: return codeOf(module).text;
    case Emit::Cxx: return times("emit", [&] { return target.emitCxxTree(module, code); });
    case Emit::LineMap: return times("emit", [&] { return target.emitLineMap(module, code); });
    case Emit::Wrapper: return wrapperText(module, codeOf(module));
    case Emit::Header: return headerText(module);
    case Emit::Schedule:
      target.emit(module, code); // which asks questions as well
      return scheduleText(choices);
    case Emit::Stats: return stats(module, *cost::deviceNamed(options.gpu));
    case Emit::Fired: return firedText(fired);
    case Emit::Ir: return ir::print(module);
    case Emit::Ast: break; // printed before there is a module
    }
    return {};
  }
  target::Code codeOf(const ir::Module& module) const {
    return times("emit", [&] { return target.emit(module, code); });
  }
  std::string wrapperText(const ir::Module& module, const target::Code& made) const {
    wrapper::Options ofCode = python;
    ofCode.codeHash = made.hash;
    return times("wrapper", [&] { return wrapper::pythonModule(module, ofCode); });
  }
  std::string headerText(const ir::Module& module) const {
    return times("header", [&] { return wrapper::header(module, python); });
  }
};

/// Tells where functions are, and lets the schedule file choose the constants of their pragmas.
void beginChoices(const Source& source, ast::Module& tree, Choices& choices) {
  std::vector<std::pair<std::string, Span>> functions;
  for (const ast::Function& f : tree.functions)
    if (f.schedule.empty()) functions.emplace_back(f.name, f.span);
  choices.begin(source, functions);
  for (ast::Function& f : tree.functions) {
    for (ast::FunctionDirective::Size& size : f.directive.sizes)
      size.value = choices.constant(f.name, size.name, size.value, size.open);
    if (std::optional<int>& warps = f.directive.warps)
      warps = static_cast<int>(choices.constant(f.name, "num_warps", *warps, f.directive.openWarps));
  }
}

/// Without what makes a program longer than it has to be.
Options plain(Options options, Calls calls) {
  for (const ir::Pass& pass : passesOf(options.target))
    if (!pass.isRequired() && !isPlain(pass.name)) options.disabledPasses.emplace_back(pass.name);
  if (calls == Calls::HardlyAny) options.disabledPasses.emplace_back("tile-reductions");
  options.versions = false;
  return options;
}

struct Middle {
  const Source& source;
  const Options& options;
  const cost::Device& device;
  const target::Target& target;
  Diagnostics& diag;
  Annotations& annotations;
  Choices& choices;
  StageTimes& times;
  Fired& fired;
};

/// From what Sema gives to what the target emits.
ir::Module runPasses(ir::Module module, const Middle& m) {
  ir::PassContext context{m.diag,
                          m.device,
                          m.options.autoParallel,
                          m.target.hasKernels(),
                          m.options.versions,
                          m.options.library && !m.target.anyLevel,
                          &m.annotations,
                          m.options.vectorLength,
                          m.options.checkRaces,
                          &m.source,
                          printable(baseName(m.source.name())),
                          &m.choices,
                          m.options.sanitize};
  Options options = m.options;
  if (options.sanitize.any()) // checks stay where they stand, before their loops are serial
    for (const std::span<const ir::Pass> passes : {tensorPasses(), loopPasses()})
      for (const ir::Pass& pass : passes)
        if (!pass.isRequired()) options.disabledPasses.emplace_back(pass.name);
  PassRunner runner(options, context, m.times, m.target.anyLevel, m.fired);
  module = runner.run(std::move(module), tensorPasses());
  module = runner.run(std::move(module), loopPasses());
  if (m.diag.hasErrors()) return module;
  return runner.run(std::move(module), m.target.schedule);
}
} // namespace

std::optional<Translation> compile(const Source& source, const Options& options, const OutputNames& names,
                                   Diagnostics& diag) {
  Choices choices;
  return compile(source, options, names, diag, choices);
}

std::optional<Translation> compile(const Source& source, const Options& options, const OutputNames& names,
                                   Diagnostics& diag, Choices& choices) {
  const target::Target* target = target::targetNamed(options.target);
  if (!target) internalError("unknown target " + options.target);
  const cost::Device* gpu = cost::deviceNamed(options.gpu);
  if (!gpu) internalError("unknown device " + options.gpu);
  StageTimes times(options.timePasses);
  Fired fired;
  analysis::beginFile();

  ast::Module tree = times("parse", [&] {
    return frontend::parse(source, options.signatures, diag, {options.labels, choices.labels, choices.lines});
  });
  tree.searched = moduleFolders(source, options);
  const LinkedFiles links = linkedFiles(tree, source, options, diag);
  // Stages go on with what is free of errors, so that one run shows them all.
  if (options.emit == Emit::Ast && diag.hasErrors()) return std::nullopt;
  if (options.emit == Emit::Ast) return Translation{ast::print(tree), {}, {}, {}, {}};

  beginChoices(source, tree, choices);
  Annotations annotations;
  ir::Module module =
      times("lower", [&] { return sema::lower(tree, diag, &annotations, nullptr, options.sanitize); });
  setCurrentPlace({}); // passes see whole functions
  verifyAfter(module, ir::Level::Tensor, "lower");

  const ir::Module tensor = module;
  module = runPasses(std::move(module),
                     {source, options, *gpu, *target, diag, annotations, choices, times, fired});
  if (diag.hasErrors()) return std::nullopt;
  if (options.versions && !options.checkRaces && !options.sanitize.any()) {
    const Passes passes = [&](ir::Module m, Diagnostics& remarks, Calls calls) {
      Annotations ofVersion;
      StageTimes parts(options.timePasses);
      const Options all = calls == Calls::Most ? options : plain(options, calls);
      return runPasses(std::move(m), {source, all, *gpu, *target, remarks, ofVersion, choices, parts, fired});
    };
    module =
        times("versions", [&] { return addVersions(tree, tensor, std::move(module), passes, *gpu, diag); });
  }
  if (target->cuda && options.remarks) annotations.report(source, diag);
  if (options.remarksSummary) summarise(tree, module, *gpu, diag);
  const Emitter emitter(source, options, *target, names, module, links, choices, times, fired);
  if (options.syntaxOnly) {
    if (!choices.entries().empty()) emitter.main(module); // asks the last questions
    return Translation{};
  }

  Translation result;
  if (options.emit == Emit::Code) {
    target::Code code = emitter.codeOf(module);
    result.wrapper = emitter.wrapperText(module, code);
    result.header = emitter.headerText(module);
    result.main = std::move(code.text);
    if (options.build) result.build = buildCommand(options, names, module, links.here);
  } else {
    result.main = emitter.main(module);
  }
  if (options.timePasses) fmt::print(stderr, "{:>9}     questions to isl\n", analysis::questionsToIsl());
  if (!options.annotate.empty()) result.annotated = annotations.applied(source);
  return result;
}

} // namespace appyc::driver
