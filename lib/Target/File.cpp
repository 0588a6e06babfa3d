//===- File.cpp - a module as one file ------------------------------------------------------------------===//
#include "File.h"
#include "Expressions.h"
#include "Functions.h"
#include "appyc/Cxx/BindRepeated.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/IR/Abi.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Shapes.h"
#include "appyc/IR/Walk.h"
#include "appyc/Schedule/Passes.h"
#include "appyc/Support/Hash.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::target {

using namespace ir;

namespace {

std::string headComment(const EmitOptions& o, bool cuda) {
  std::string text = fmt::format("{}: made by {} from {}\n{}build: {}\n", o.outputName, o.version,
                                 o.sourceName, o.command.empty() ? "" : "  " + o.command + "\n", o.buildLine);
  if (o.fmad)
    text += fmt::format(
        "a * b + c may be rounded once instead of twice (fused multiply-add); {} keeps NumPy's two roundings",
        cuda ? "nvcc -fmad=false" : "-ffp-contract=off");
  else
    text += "a * b + c is rounded twice, as NumPy does";
  return fmt::format("{}\n{}{}", text, sealLabel, hashMark);
}

/// All functions and their versions.
std::vector<const Function*> versionsOf(const Module& m) {
  std::vector<const Function*> all;
  for (const Function& f : m.functions) {
    all.push_back(&f);
    for (const Version& v : f.versions) all.push_back(&v.function);
  }
  return all;
}

/// Names of the module's kernels and entries.
std::set<std::string> globalNames(const Module& m) {
  std::set<std::string> all;
  for (const Function* f : versionsOf(m)) {
    all.insert(f->entry);
    all.insert(f->entry + "_workspace");
    all.insert(f->entry + "_shapes");
    all.insert(f->entry + "_packed");
    for (const Kernel& kernel : f->kernels) all.insert(kernel.name);
  }
  return all;
}

/// An entry that only this file calls.
cxx::Decl hidden(const cxx::Decl& entry) {
  cxx::Function function = *entry.as<cxx::Function>();
  function.specifiers.clear();
  return cxx::decl(std::move(function));
}

/// An entry as other files call it; one that takes none of its arguments has no names for them.
cxx::Decl exported(const cxx::Decl& entry, const std::string& prefix) {
  cxx::Function function = *entry.as<cxx::Function>();
  if (std::ranges::all_of(function.params, &cxx::Parameter::unused))
    for (cxx::Parameter& p : function.params) p.name.clear();
  function.name = prefix + function.name;
  return cxx::decl(std::move(function));
}

/// `int ENTRY_packed(const uint64_t* values) { return call_packed(ENTRY, values); }`
cxx::Decl packedEntry(const cxx::Decl& entry, Support& support) {
  const std::string& name = entry.as<cxx::Function>()->name;
  support.use("call_packed");
  const cxx::Expr call = cxx::call("call_packed", {cxx::name(name), cxx::name("values")});
  return cxx::decl(cxx::Function{"The same with its arguments in one array.",
                                 {},
                                 "extern \"C\"",
                                 cxx::type("int"),
                                 name + "_packed",
                                 {{cxx::pointerTo("uint64_t", true, false), "values"}},
                                 cxx::stmt(cxx::Block{{cxx::giveBack(call)}})});
}

cxx::Decl textFunction(const std::string& name, cxx::Expr value) {
  return cxx::decl(cxx::Function{"",
                                 {},
                                 "extern \"C\"",
                                 cxx::pointerTo("char", true, false),
                                 name,
                                 {},
                                 cxx::stmt(cxx::Block{{cxx::giveBack(std::move(value))}})});
}

} // namespace

/// nvcc's options for the devices that the file is built for.
static std::string archOptions(const BuildOptions& o) {
  const std::vector<std::string>& archs = o.archs;
  if (archs.empty()) // devices since 9.0 keep what older ones lack, later ones by its PTX
    return fmt::format("-gencode arch=compute_75,code=compute_75 -gencode arch=compute_{0},code=sm_{0} "
                       "-gencode arch=compute_90,code=compute_90",
                       o.capability);
  std::string text;
  for (const std::string& arch : archs) {
    const size_t number = arch.find('_') + 1; // npos + 1 is 0
    text += text.empty() ? "" : " ";
    text += number == 0 ? "-arch=" + arch
                        : fmt::format("-gencode arch=compute_{},code={}", arch.substr(number), arch);
  }
  const auto isPtx = [](const std::string& arch) { return !arch.starts_with("sm_"); };
  if (std::any_of(archs.begin(), archs.end(), isPtx)) return text;
  const auto older = [](const std::string& a, const std::string& b) {
    return std::stoi(a.substr(3)) < std::stoi(b.substr(3));
  };
  const std::string newest = std::max_element(archs.begin(), archs.end(), older)->substr(3);
  return text + fmt::format(" -gencode arch=compute_{0},code=compute_{0}",
                            newest); // for devices to come, as nvcc -arch has it
}

bool calls(const std::vector<std::string>& libraries, std::string_view library) {
  return std::ranges::any_of(libraries, [&](const std::string& given) {
    return given == library || (given == "openblas" && library == "blas");
  });
}

/// What the cpu target is linked with, in the order in which the linker wants it.
static std::string cpuLibraryOptions(const Module& m, const std::vector<std::string>& given) {
  std::set<std::string_view> used;
  for (const Function* f : versionsOf(m)) {
    if (any<MatMul>(f->body, fitsBlas)) used.insert("blas");
    each<Routine>(f->body, [&](const Routine& r) { used.insert(ir::info(r.name).ofCpu); });
  }
  const auto isLinked = [&](std::string_view library) {
    return used.count(library) && calls(given, library);
  };
  std::string options;
  if (isLinked("fftw")) options += " -lfftw3 -lfftw3f";
  if (isLinked("lapack")) options += " -llapacke";
  if (isLinked("blas")) options += std::ranges::count(given, "openblas") > 0 ? " -lopenblas" : " -lblas";
  return options;
}

/// ` -lcublas -lcufft`
static std::string libraryOptions(const Module& m) {
  std::set<std::string> libraries;
  for (const Function* f : versionsOf(m)) {
    if (any<MatMul>(f->body, [](const MatMul& product) { return product.library; }))
      libraries.insert("cublas");
    each<Routine>(f->body, [&](const Routine& r) {
      if (!ir::info(r.name).library.empty()) libraries.emplace(ir::info(r.name).library);
    });
  }
  std::string options;
  for (const std::string& library : libraries) options += " -l" + library;
  return options;
}

std::string buildLine(const Module& m, const BuildOptions& o, std::string_view source,
                      std::string_view library) {
  if (o.emulated)
    return fmt::format("{} {} -o {} --check", o.compiler.empty() ? "appyc-emulate" : o.compiler, source,
                       library);
  const std::string compiler = !o.compiler.empty() ? o.compiler : o.cuda ? "nvcc" : "g++";
  if (!o.cuda)
    return fmt::format(
        "{} -O3{} -fno-math-errno -fno-trapping-math{} -fopenmp -std=c++17 -shared -fPIC {} -o {}{}",
        compiler, o.march.empty() ? "" : " -march=" + o.march, o.fmad ? "" : " -ffp-contract=off", source,
        library, cpuLibraryOptions(m, o.libraries));
  // Relocatable code calls what other files define. nvcc takes PTX only by itself.
  std::string before, linked = o.links.empty() ? "" : "-rdc=true ", sources(source);
  for (size_t k = 0; k < o.links.size(); ++k) {
    const std::string& link = o.links[k];
    const bool isPtx = link.ends_with(".ptx") || link.ends_with(".ptx'");
    const std::string object = isPtx ? fmt::format("{}.{}.o", library, k + 1) : link;
    if (isPtx)
      before +=
          fmt::format("{} -dc -Xcompiler -fPIC -arch={} {} -o {} && ", compiler,
                      o.archs.empty() ? fmt::format("sm_{}", o.capability) : o.archs.back(), link, object);
    sources += " " + object;
  }
  // -O1 is for the host's part, which only launches: 0.1 to 0.3 s less. Kernels are optimised as by -O3.
  // ptxas makes the same kernels side by side as one after the other.
  return fmt::format("{}{} -O1 -std=c++17{} --threads=2 -Xptxas --split-compile=0 {} "
                     "-shared -Xcompiler -fPIC {}{} -o {}{}",
                     before, compiler, o.fmad ? "" : " -fmad=false", archOptions(o), linked, sources, library,
                     libraryOptions(m));
}

/// The module where kernels are objects, also those of lines that were stopped before outline-kernels.
static Module outlined(Module m) {
  const auto complete = [](Function& f) {
    f = schedule::withKernels(f);
    std::map<std::string, std::string> names; // of kernels that are called as the support code is
    for (const Kernel& kernel : f.kernels)
      if (Support::definedNames().count(kernel.name)) names[kernel.name] = kernel.name + "_";
    if (!names.empty()) schedule::renameKernels(f, names);
  };
  for (Function& f : m.functions) {
    complete(f);
    for (Version& v : f.versions) complete(v.function);
  }
  return m;
}

/// With names for what its functions say twice.
static std::vector<cxx::Decl> bound(const std::vector<cxx::Decl>& all, std::set<std::string> taken) {
  taken.insert(Support::definedNames().begin(), Support::definedNames().end());
  std::vector<cxx::Decl> result;
  for (const cxx::Decl& d : all) {
    const auto* function = d.as<cxx::Function>();
    result.push_back(function ? cxx::decl(cxx::bindRepeated(*function, taken)) : d);
  }
  return result;
}

/// The lines that take the support code from a header.
static std::string includeOf(const EmitOptions& options, const Support& support) {
  std::string text = fmt::format("#define APPY_EXPORT(name) {}##name\n", options.symbolPrefix);
  for (const std::string& part : support.parts()) text += fmt::format("#define {}\n", part);
  return fmt::format("{0}#include \"{1}\"\n#ifndef APPYC_SUPPORT_{2}\n#error \"{1} is not the one that was "
                     "written with this file: "
                     "translate again\"\n#endif\n",
                     text, options.support, supportHeader().version);
}

/// Declarations of the functions of other languages; where the CPU runs them, their files as well.
static std::string linkedText(const EmitOptions& options, Support& support,
                              const std::function<std::string(const Function&, DType)>& typeName, bool cuda) {
  std::string text;
  if (!options.included.empty() && !cuda)
    text += "#define __device__\n#define __host__\n#define __forceinline__ inline\n";
  for (const std::string& file : options.included) text += fmt::format("#include \"{}\"\n", file);
  for (const FunctionRef& f : support.functions.linked()) {
    if (std::ranges::none_of(f->params, &Param::isArray)) continue; // a header declares it
    std::string params;
    for (const Param& p : f->params)
      params += fmt::format("{}{}{}", params.empty() ? "" : ", ", typeName(*f, p.type), p.isArray ? "*" : "");
    text += fmt::format("extern \"C\" {}int {}({});\n", cuda ? "__device__ " : "", f->name, params);
  }
  return text;
}

cxx::Unit lowerModule(const Module& given, const EmitOptions& options, bool cuda) {
  const Module m = cuda ? outlined(given) : given;
  Support support(cuda, options.symbolPrefix);
  std::set<std::string> taken = globalNames(m);
  support.tables.name(m, taken);
  support.functions.name(m, taken);
  support.printed = printsOf(m);
  std::vector<cxx::Decl> internal, entries;
  const auto lower = [&](const Function& f, bool isExported) {
    Context context(f, options, support, cuda, taken);
    context.isVersion = !isExported;
    Lowered lowered = cuda ? lowerCuda(context) : lowerCpu(context);
    if (isExported && !computedExtents(f).empty()) lowered.entries.push_back(shapesEntry(context));
    return lowered;
  };
  for (const Function& f : m.functions) {
    Lowered lowered = lower(f, true);
    internal.insert(internal.end(), lowered.internal.begin(), lowered.internal.end());
    std::vector<cxx::Decl> versions;      // their entries
    for (const Version& v : f.versions) { // whose kernels may be those of the function
      const Lowered version = lower(v.function, false);
      internal.insert(internal.end(), version.internal.begin(), version.internal.end());
      for (const cxx::Decl& d : version.entries) versions.push_back(hidden(d));
    }
    if (cuda)
      for (cxx::Decl& d : lowered.entries) d = withVersions(d, versions);
    internal.insert(internal.end(), versions.begin(), versions.end());
    for (const cxx::Decl& d : lowered.entries) entries.push_back(exported(d, options.symbolPrefix));
    if (cuda && hasPackedEntry(f))
      entries.push_back(packedEntry(exported(lowered.entries.front(), options.symbolPrefix), support));
  }
  if (cuda) support.use("exports");
  if (support.uses("plans")) support.use("release_plans");
  if (!support.printed.empty())
    entries.push_back(cxx::decl(cxx::Text{fmt::format(
        "// Sets what prints: given the number of the text and the values in it, integers or the bits of "
        "doubles.\nextern \"C\" void {}on_print(int (*print)(int64_t, const int64_t*)) {{ printer = print; "
        "}}\n",
        options.symbolPrefix)}));
  // What changes with each translation is not the last line, behind which a reader may write.
  entries.push_back(textFunction(options.symbolPrefix + "abi", cxx::text(std::string(hashMark))));
  entries.push_back(textFunction(options.symbolPrefix + "error",
                                 cxx::name(support.uses("last_error") ? "last_error" : "\"\"")));

  const std::vector<cxx::Decl> own =
      support.functions.definitions([&](const Function& f, const std::string& name, const Sides& sides) {
        Context context(f, options, support, cuda, taken);
        context.sides = sides;
        return lowerCalled(context, name);
      });
  internal.insert(internal.begin(), own.begin(), own.end());
  internal = bound(internal, taken);
  entries = bound(entries, taken);

  cxx::Unit unit;
  unit.body.push_back(cxx::decl(cxx::FileComment{headComment(options, cuda)}));
  std::vector<cxx::Decl> hidden;
  const auto copy = [&](Placing place, std::vector<cxx::Decl>& to) {
    if (options.support.empty())
      for (const std::string& text : support.text(place)) to.push_back(cxx::decl(cxx::Text{text}));
  };
  if (options.support.empty()) {
    for (const std::string& header : support.headers()) unit.body.push_back(cxx::decl(cxx::Include{header}));
    if (cuda) unit.body.push_back(cxx::decl(cxx::Include{"cuda_runtime.h"}));
  } else {
    unit.body.push_back(cxx::decl(cxx::Text{includeOf(options, support)}));
  }
  copy(Placing::Types, unit.body);
  copy(Placing::Hidden, hidden);
  const std::vector<cxx::Decl>& tables = support.tables.functions();
  hidden.insert(hidden.end(), tables.begin(), tables.end());
  hidden.insert(hidden.end(), internal.begin(), internal.end());
  const std::string linked = linkedText(
      options, support,
      [&](const Function& f, DType type) {
        Context context(f, options, support, cuda, taken);
        return typeName(context, type);
      },
      cuda);
  if (!linked.empty()) unit.body.push_back(cxx::decl(cxx::Text{linked}));
  if (!hidden.empty()) unit.body.push_back(cxx::decl(cxx::Namespace{std::move(hidden)}));
  unit.body.insert(unit.body.end(), entries.begin(), entries.end());
  copy(Placing::Entries, unit.body);
  return unit;
}

} // namespace appyc::target
