//===- Ctypes.cpp - <stem>_host.py: head, table of C functions, dispatch on signatures --------------===//
#include "PythonModule.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Shapes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::wrapper {

using namespace ir;

namespace {
std::string ctypesName(const CParam& param) {
  switch (param.role) {
  case CParam::Scalar: break;
  case CParam::Size: return "_ctypes.c_int64";
  default: return "_ctypes.c_void_p";
  }
  if (isComplex(param.type)) return param.type == DType::C64 ? "_Complex64" : "_Complex128";
  if (isFloat(param.type)) return param.type == DType::F32 ? "_ctypes.c_float" : "_ctypes.c_double";
  if (isBool(param.type)) return "_ctypes.c_uint8";
  return fmt::format("_ctypes.c_{}", numpyName(param.type));
}

/// `a, *3 * [b], a`: a list without its repetitions.
std::string runs(const std::vector<std::string>& items) {
  std::string text;
  for (size_t i = 0; i < items.size();) {
    const auto first = items.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end =
        std::find_if(first, items.end(), [&](const std::string& item) { return item != *first; });
    const auto count = static_cast<size_t>(end - first);
    text += text.empty() ? "" : ", ";
    text += count == 1 ? *first : fmt::format("*{} * [{}]", count, *first);
    i += count;
  }
  return text;
}

/// One row of the table of what the library exports: name, result, arguments.
void writeExport(PythonText& out, const std::string& name, const std::string& result,
                 const std::vector<CParam>& params) {
  std::vector<std::string> types;
  for (const CParam& param : params) types.push_back(ctypesName(param));
  const std::string list = fmt::format("[{}]", fmt::join(types, ", "));
  if (name.size() + result.size() + list.size() + 14 <= 110) {
    out.line(1, fmt::format("\"{}\": ({}, {}),", name, result, list));
    return;
  }
  out.line(1, fmt::format("\"{}\": (", name));
  out.line(2, result + ",");
  out.line(2, fmt::format("[{}],", runs(types)));
  out.line(1, "),");
}

void writeExports(PythonText& out, const Module& module, bool cuda) {
  out.line(0, "_EXPORTS = {");
  writeExport(out, "error", "_ctypes.c_char_p", {});
  if (cuda) {
    const CParam pointer{CParam::Workspace, DType::I64, {}, ""}, bytes{CParam::Scalar, DType::U64, {}, ""};
    writeExport(out, "device_alloc", "_ctypes.c_void_p", {bytes});
    writeExport(out, "device_free", "_ctypes.c_int", {pointer});
    writeExport(out, "copy_to_device", "_ctypes.c_int", {pointer, pointer, bytes});
    writeExport(out, "copy_to_host", "_ctypes.c_int", {pointer, pointer, bytes});
    writeExport(out, "synchronize", "_ctypes.c_int", {pointer});
    writeExport(out, "device", "_ctypes.c_int", {});
    writeExport(out, "is_capturing", "_ctypes.c_int", {pointer});
    if (keepsPlans(module)) writeExport(out, "release_plans", "None", {});
  }
  if (!printsOf(module).empty()) out.line(1, "\"on_print\": (None, [type(_print)]),");
  for (const Function& function : module.functions) {
    writeExport(out, function.entry, "_ctypes.c_int", entryParams(function, cuda));
    if (cuda && hasPackedEntry(function))
      writeExport(out, function.entry + "_packed", "_ctypes.c_int",
                  {{CParam::Workspace, DType::I64, {}, ""}});
    if (!computedExtents(function).empty())
      writeExport(out, function.entry + "_shapes", "_ctypes.c_int", shapeParams(function));
    if (cuda && mayNeedWorkspace(function))
      writeExport(out, function.entry + "_workspace", "_ctypes.c_size_t", workspaceParams(function));
  }
  out.line(0, "}");
}

/// What the library has Python print, by number: of the values, as C passes them.
void writePrints(PythonText& out, const std::vector<Print>& prints) {
  out.line(0, "_PRINTS = [");
  for (const Print& p : prints) {
    std::string text = p.pieces[0];
    for (size_t k = 0; k < p.values.size(); ++k) {
      const DType type = typeOf(p.values[k]);
      text += fmt::format(fmt::runtime(isFloat(type)        ? "_real_of(v[{}])"
                                       : isBool(type)       ? "_builtins.bool(v[{}])"
                                       : type == DType::U64 ? "v[{}] % 2**64"
                                                            : "v[{}]"),
                          k) +
              p.pieces[k + 1];
    }
    out.line(1, fmt::format("lambda {}: {},", p.values.empty() ? "_" : "v", text));
  }
  out.line(0, "]");
}

std::string trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  const size_t end = text.find_last_not_of(" \t\r\n");
  return begin == std::string_view::npos ? "" : std::string(text.substr(begin, end - begin + 1));
}

std::vector<std::string> linesOf(std::string_view text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// The lines of a docstring without the indentation they have in the source.
std::vector<std::string> cleanDocstring(const std::string& text) {
  std::vector<std::string> lines = linesOf(trimmed(text));
  size_t indent = std::string::npos;
  for (size_t i = 1; i < lines.size(); ++i) indent = std::min(indent, lines[i].find_first_not_of(" \t"));
  for (size_t i = 1; i < lines.size(); ++i) lines[i].erase(0, std::min(indent, lines[i].size()));
  return lines;
}

/// Text of a docstring: nothing in it ends the literal or is an escape.
std::string escaped(const std::string& line) {
  std::string text = quoted(line);
  return text.substr(1, text.size() - 2);
}

/// The literal, its lines indented to stand in a function.
std::string docstringLiteral(const std::vector<std::string>& lines) {
  std::string result = "\"\"\"";
  for (size_t i = 0; i < lines.size(); ++i)
    result += (i == 0 ? "" : lines[i].empty() ? "\n" : "\n    ") + escaped(lines[i]);
  return result + (lines.size() > 1 ? "\n    \"\"\"" : "\"\"\"");
}

/// All entries of one Python function.
using Overloads = std::vector<const Function*>;

std::string docstringOf(const Overloads& overloads, const std::string& sourceName) {
  std::vector<std::string> lines;
  if (!overloads.front()->docstring.empty()) lines = cleanDocstring(overloads.front()->docstring);
  for (const Function* function : overloads) {
    const std::vector<std::string> types = describe(*function);
    if (types.empty()) continue;
    if (lines.empty()) lines.push_back(fmt::format("Translated from {}.", sourceName));
    lines.emplace_back();
    if (overloads.size() > 1) lines.emplace_back("Signature:");
    lines.insert(lines.end(), types.begin(), types.end());
  }
  return lines.empty() ? "" : docstringLiteral(lines);
}

/// The parameters of all overloads: those of the longest, then those that only others have.
std::vector<std::string> unionOfParameters(const Overloads& overloads) {
  const Function* longest = overloads.front();
  for (const Function* function : overloads)
    if (function->passed().size() > longest->passed().size()) longest = function;
  std::vector<std::string> result;
  for (const Taken& taken : longest->taken)
    if (!isOfFile(taken.name)) result.push_back(taken.name);
  if (!longest->taken.empty()) return result; // it has no other signature
  auto addAll = [&](const Function& function) {
    for (const Param& param : function.passed())
      if (std::find(result.begin(), result.end(), param.name.hint()) == result.end())
        result.push_back(param.name.hint());
  };
  addAll(*longest);
  for (const Function* function : overloads) addAll(*function);
  return result;
}

const Param* paramNamed(const Function& function, const std::string& name) {
  for (const Param& param : function.passed())
    if (param.name.hint() == name) return &param;
  return nullptr;
}

/// The number that the parameter is where it is left out, as Python writes it; empty if there is none.
std::string defaultOf(const Overloads& overloads, const std::string& name) {
  for (const Function* function : overloads) {
    const size_t first = function->passed().size() - function->defaults.size();
    for (size_t k = 0; k < function->defaults.size(); ++k)
      if (function->params[first + k].name.hint() == name) return function->defaults[k];
  }
  return "";
}

/// What _choose() compares an argument's kind with.
std::string wantedKind(const Param* param) {
  if (!param) return "\"NoneType\"";
  if (param->isArray && !param->extents.empty())
    return fmt::format("(\"{}\", {})", numpyName(param->type), param->extents.size());
  return fmt::format("\"{}\"", numpyName(param->type));
}

struct ModuleWriter {
  const Module& module;
  const Options& options;
  const bool modulePrints = !printsOf(module).empty();
  std::set<std::string> reserved = supportNames();  ///< for parameters
  std::set<std::string> reservedGlobals = reserved; ///< for functions
  std::set<std::string> taken = reserved;
  PythonText out = {};

  std::vector<Overloads> groups() const {
    std::vector<Overloads> result;
    for (const Function& function : module.functions) {
      auto same = std::find_if(result.begin(), result.end(), [&](const Overloads& o) {
        return o.front()->name == function.name && o.front()->schedule == function.schedule;
      });
      if (same == result.end())
        result.push_back({&function});
      else
        same->push_back(&function);
    }
    return result;
  }

  std::set<std::string> userNames() const {
    std::set<std::string> result;
    for (const Ufunc& ufunc : options.ufuncs) result.insert(ufunc.name);
    for (const Function& function : module.functions) {
      result.insert(function.name);
      for (const Taken& given : function.taken)
        if (reserved.count(given.name)) result.insert(given.name);
      for (const Param& param : function.passed())
        if (reserved.count(param.name.hint())) result.insert(param.name.hint());
    }
    return result;
  }

  std::string arraysOf(const Function& function) {
    return uniqueIdentifier(fmt::format("_{}_arrays", function.entry), taken);
  }

  /// Chooses among the overloads by dtype and rank, once for each combination that occurs.
  void writeDispatch(const Overloads& overloads, const std::string& shown) {
    const std::string& name = overloads.front()->name;
    const std::vector<std::string> parameters = unionOfParameters(overloads);
    const std::string table = uniqueIdentifier("_" + name + "_table", taken);
    const std::string chosen = uniqueIdentifier("_" + name + "_chosen", taken);
    std::vector<std::string> declared, passed, kinds, rows;
    bool optional = false;
    std::set<std::string> locals = reserved;
    for (const std::string& parameter : parameters) {
      for (const Function* function : overloads) optional |= !paramNamed(*function, parameter);
      const std::string variable = userName(parameter, reserved);
      const std::string number = defaultOf(overloads, parameter);
      optional |= !number.empty();
      declared.push_back(variable + (!number.empty() ? "=" + number : optional ? "=None" : ""));
      passed.push_back(variable);
      kinds.push_back(fmt::format("{}({})", options.cuda ? "_kind" : "_host_kind", variable));
      locals.insert(parameter);
    }
    for (const Function* function : overloads) {
      const std::string entry = uniqueIdentifier("_" + function->entry, taken);
      writeFunction(out, *function, entry, arraysOf(*function), parameters, "", options, reserved,
                    modulePrints);
      out.blank(2);
      std::vector<std::string> wanted;
      for (const std::string& parameter : parameters)
        wanted.push_back(wantedKind(paramNamed(*function, parameter)));
      rows.push_back(
          fmt::format("(({}{}), {})", fmt::join(wanted, ", "), wanted.size() == 1 ? "," : "", entry));
    }
    out.line(0, table + " = (");
    for (const std::string& row : rows) out.line(1, row + ",");
    out.line(0, ")");
    out.line(0, chosen + " = {}");
    out.blank(2);
    const std::string stream = uniqueIdentifier("stream", locals);
    if (options.cuda) {
      declared.insert(declared.end(), {"*", stream + "=None"});
      passed.push_back(fmt::format("stream={}", stream));
    }
    const std::string key = uniqueIdentifier("kinds", locals), callee = uniqueIdentifier("function", locals);
    out.call(0, "def " + shown, declared, ":");
    out.line(1, docstringOf(overloads, options.sourceName));
    out.line(1, fmt::format("{} = ({}{})", key, fmt::join(kinds, ", "), kinds.size() == 1 ? "," : ""));
    out.line(1, fmt::format("{0} = {1}.get({2}) or _choose({3}, {2}, {4}, {1})", callee, chosen, key,
                            quoted(name), table));
    out.call(1, "return " + callee, passed);
  }

  void writeFunctions() {
    bool first = true;
    for (const Overloads& overloads : groups()) {
      if (!first) out.blank(2);
      first = false;
      const Function& function = *overloads.front();
      const std::string shown = userName(function.name, reservedGlobals);
      const bool isScheduled = isChosen(function);
      const std::string name =
          function.ofLaunch > 0 ? uniqueIdentifier(fmt::format("_{}_launch", function.name), taken)
          : isScheduled         ? uniqueIdentifier(fmt::format("_{}_of_schedule", function.entry), taken)
                                : shown;
      if (isScheduled) scheduled[function.name].push_back({function.schedule, name, function.labels});
      if (overloads.size() > 1)
        writeDispatch(overloads, name);
      else
        writeFunction(out, function, name, arraysOf(function), unionOfParameters(overloads),
                      docstringOf(overloads, options.sourceName), options, reserved, modulePrints);
      if (function.ofLaunch == 0) continue;
      out.blank(2);
      constexpr size_t extents = 6;
      out.line(0, fmt::format("{} = _Kernel({}, {}, {}{})", shown, quoted(function.name), name,
                              function.params.size() - function.ofLaunch,
                              function.ofLaunch > extents ? ", True" : ""));
    }
    for (const auto& [function, schedules] : scheduled) writeSchedules(function, schedules);
  }

  /// Does a schedule say how some loop of the function, or of another of its name, is run?
  bool isChosen(const Function& function) {
    return function.ofLaunch == 0 && !isOfUfunc(function.name) &&
           std::ranges::any_of(module.functions, [&](const Function& f) {
             return f.name == function.name && !(f.labels.empty() && f.schedule.empty());
           });
  }

  /// One of several that `opts=` chooses.
  struct Schedule {
    std::string name, function;
    std::map<std::string, std::string> labels;
  };
  std::map<std::string, std::vector<Schedule>> scheduled = {};

  /// `f = _Scheduled("f", {"": (_f, {"N": "threads(128)"}), "small": (_f_small, {...})})`
  void writeSchedules(const std::string& function, const std::vector<Schedule>& schedules) {
    out.blank(2);
    out.line(0, fmt::format("{} = _Scheduled({}, {{", userName(function, reservedGlobals), quoted(function)));
    for (const Schedule& s : schedules) {
      std::vector<std::string> labels;
      for (const auto& [label, text] : s.labels) labels.push_back(quoted(label) + ": " + quoted(text));
      out.line(1, fmt::format("{}: ({}, {{{}}}),", quoted(s.name), s.function, fmt::join(labels, ", ")));
    }
    out.line(0, "})");
  }

  void writeUfuncs() {
    for (const Ufunc& ufunc : options.ufuncs) {
      out.blank(2);
      writeUfunc(out, ufunc, userName(ufunc.name, reservedGlobals), options);
    }
  }

  /// Is it there for a ufunc only?
  bool isOfUfunc(const std::string& name) const {
    return std::ranges::any_of(options.ufuncs, [&](const Ufunc& ufunc) {
      return std::ranges::any_of(
          ufunc.rows, [&](const Ufunc::Row& row) { return row.entry == name || row.fold == name; });
    });
  }

  std::string tables() const {
    PythonText text;
    std::string all;
    const auto add = [&](const std::string& name) {
      all += (all.empty() ? "" : ", ") + fmt::format("\"{}\"", name);
    };
    for (const Overloads& overloads : groups())
      if (!isOfUfunc(overloads.front()->name) && overloads.front()->schedule.empty())
        add(overloads.front()->name);
    for (const Ufunc& ufunc : options.ufuncs) add(ufunc.name);
    const bool keeps =
        options.cuda && (keepsPlans(module) || std::ranges::any_of(module.functions, mayNeedWorkspace));
    if (keeps && !userNames().count("release_workspaces")) all += ", \"release_workspaces\"";
    text.line(0, fmt::format("__all__ = [{}]", all));
    text.blank();
    text.line(0, "_STEM = " + quoted(options.libraryStem));
    text.line(0, "_BUILD = " + quoted(options.buildLine));
    text.line(0, fmt::format("_ABI = \"{}\"", options.codeHash));
    text.line(0, "_PREFIX = " + quoted(options.symbolPrefix));
    if (!options.standsAlone)
      text.line(0, "_AGAIN = " + quoted(fmt::format("write both again with `{}`", options.command)));
    return text.text();
  }

  /// After the support code, whose structures it may name.
  std::string exports() const {
    PythonText text;
    if (const std::vector<Print> prints = printsOf(module); !prints.empty()) {
      std::set<std::string> raised;
      for (const Print& p : prints)
        if (!p.error.empty() && raised.insert(p.error).second) {
          text.line(0, fmt::format("class {}({}):", p.error,
                                   p.base == "LinAlgError" ? "_np.linalg.LinAlgError" : p.base));
          text.line(1, "\"\"\"Of the source's.\"\"\"");
          text.blank(2);
        }
      writePrints(text, prints);
      text.blank(2);
    }
    writeExports(text, module, options.cuda);
    return text.text();
  }

  std::string banner() const {
    const char* memory =
        options.cuda
            ? "Arrays: NumPy (copied to the device and back), or CuPy, PyTorch, JAX, Numba and whatever has\n"
              "__cuda_array_interface__ or DLPack on CUDA (used in place, on the producer's current stream "
              "or on\n"
              "`stream`; results are of the same kind)."
            : "Arrays: NumPy, or whatever has DLPack in host memory.";
    return fmt::format("\"\"\"The functions of {}, as {} translated them.\n\nMade by: {}\n{}\n\"\"\"\n",
                       escaped(options.sourceName), options.version, escaped(options.command), memory);
  }

  /// What functions bind by `global` has its first values here.
  void writeNamesOfFile() {
    for (const Function& function : module.functions)
      for (const Taken& given : function.taken)
        if (isOfFile(given.name)) {
          out.line(0, fmt::format("{} = {{{}}}", kNamesOfFile, given.form.type));
          return out.blank(2);
        }
  }

  std::string run() {
    reserved.insert("complex"); // the one builtin that a function itself calls
    reservedGlobals.insert(usedBuiltins().begin(), usedBuiltins().end());
    for (const Function& function : module.functions) taken.insert(function.name);
    for (const Ufunc& ufunc : options.ufuncs) taken.insert(ufunc.name);
    reserved.insert(kNamesOfFile), reservedGlobals.insert(kNamesOfFile), taken.insert(kNamesOfFile);
    writeNamesOfFile();
    writeFunctions();
    writeUfuncs();
    return composeModule(banner(), tables(), exports() + "\n\n" + out.text(), options.standsAlone,
                         userNames());
  }
};
} // namespace

std::string typeText(DType type, bool isArray, const std::vector<Expr>& extents) {
  if (!isArray) return std::string(numpyName(type));
  std::string list;
  for (const Expr& extent : extents)
    list += (list.empty() ? "" : ", ") + (extent ? print(extent) : std::string(":"));
  return fmt::format("{}[{}]", numpyName(type), list);
}

/// "a", or "a or b" where arrays may be swapped.
static std::string arrayText(const Function& function, const Result& result) {
  std::string text;
  for (const Result& place : function.results)
    if (result.place && place.name == result.place)
      for (const Symbol& s : place.among) text += (text.empty() ? "" : " or ") + s.hint();
  return text.empty() ? result.name.hint() : text;
}

std::vector<std::string> describe(const Function& function) {
  std::vector<std::string> lines;
  const std::span<const Param> passed = function.passed();
  for (const Param& param : passed.first(passed.size() - function.ofLaunch)) {
    std::vector<Expr> extents = param.extents;
    if (param.byColumns) std::ranges::reverse(extents);
    const std::string name = param.name.hint(); // of names of the file's the last part is one of Python's
    const std::string shown = isOfFile(name) ? "global " + name.substr(name.find('.') + 1) : name;
    lines.push_back(fmt::format("{}: {}{}{}", shown, typeText(param.type, param.isArray, extents),
                                param.byColumns ? " by columns" : "",
                                param.isArray && param.written ? ", written" : ""));
  }
  std::vector<std::string> results;
  for (const Result& result : function.results)
    if (result.kind == Result::View)
      results.push_back(fmt::format("a view of {}", arrayText(function, result)));
    else if (!result.hidden)
      results.push_back(result.kind == Result::Parameter
                            ? arrayText(function, result)
                            : typeText(result.type, result.kind == Result::Array, result.extents));
  if (!results.empty()) lines.push_back(fmt::format("returns {}", fmt::join(results, ", ")));
  return lines;
}

std::string pythonModule(const Module& module, const Options& options) {
  return ModuleWriter{module, options}.run();
}

} // namespace appyc::wrapper
