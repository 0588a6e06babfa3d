//===- Functions.cpp - the table of translated functions ----------------------------------------------===//
#include "Functions.h"
#include "Library.h"
#include "appyc/Sema/Sema.h"
#include <algorithm>

namespace appyc::sema {

const std::map<std::string, ir::BinaryOp>& arithmeticNames() {
  static const std::map<std::string, ir::BinaryOp> kNames = {
#define ARITHMETIC(name, op) {name, ir::BinaryOp::op},
#define COMPARISON(name, op)
#define UFUNC(name, operands)
#define FUNCTION(path, group, handler, result, parameters)
#define ALIAS(path, other)
#include "appyc/Sema/Functions.def"
  };
  return kNames;
}

const std::map<std::string, ir::BinaryOp>& comparisonNames() {
  static const std::map<std::string, ir::BinaryOp> kNames = {
#define ARITHMETIC(name, op)
#define COMPARISON(name, op) {name, ir::BinaryOp::op},
#define UFUNC(name, operands)
#define FUNCTION(path, group, handler, result, parameters)
#define ALIAS(path, other)
#include "appyc/Sema/Functions.def"
  };
  return kNames;
}

//===--- parameters ---------------------------------------------------------------------------------===//

static std::string trimmed(std::string_view s) {
  const size_t first = s.find_first_not_of(' ');
  if (first == std::string_view::npos) return "";
  return std::string(s.substr(first, s.find_last_not_of(' ') - first + 1));
}

static std::vector<std::string> parts(std::string_view text, char separator) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const size_t at = text.find(separator);
    out.push_back(trimmed(text.substr(0, at)));
    text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  }
  return out;
}

std::vector<Parameter> parseParameters(std::string_view text) {
  std::vector<Parameter> out;
  Parameter::Kind kind = Parameter::Ordinary;
  for (const std::string& item : parts(text, ',')) {
    if (item == "/") {
      for (Parameter& p : out) p.kind = Parameter::PositionalOnly;
      continue;
    }
    if (item == "*") {
      kind = Parameter::KeywordOnly;
      continue;
    }
    Parameter p{item, kind, std::nullopt, {}};
    if (item[0] == '*') {
      p.name = item.substr(1);
      p.kind = Parameter::Rest;
      kind = Parameter::KeywordOnly;
    } else if (const size_t equals = item.find('='); equals != std::string::npos) {
      p.name = item.substr(0, equals);
      std::string value = item.substr(equals + 1);
      const bool alone = value.back() == '!';
      if (alone) value.pop_back();
      std::vector<std::string> values = parts(value, '|');
      p.defaultText = values.front();
      if (alone || values.size() > 1 || value[0] == '\'')
        p.allowed = values; // a string is one of those named
    }
    out.push_back(std::move(p));
  }
  return out;
}

//===--- the table ----------------------------------------------------------------------------------===//

std::string Function::display() const {
  if (path.rfind("numpy.", 0) == 0) return "np." + path.substr(6);
  if (path.rfind("ndarray.", 0) == 0) return path.substr(7);
  if (path.rfind("Tensor.", 0) == 0) return path.substr(6);
  return path;
}

static Function ufunc(const std::string& name, int operands) {
  Function f;
  f.path = f.target = "numpy." + name;
  f.group = "elementwise";
  f.text = operands == 1 ? "x" : "x1, x2";
  f.text += ", /, out=None, *, where=True, casting='same_kind', order='K'|'C'|'A', dtype=None, "
            "subok=True|False, signature=<no value>!";
  f.parameters = parseParameters(f.text);
  return f;
}

static std::vector<Function> ownRows() {
  std::vector<Function> all;
#define ARITHMETIC(name, op) all.push_back(ufunc(name, 2));
#define COMPARISON(name, op) all.push_back(ufunc(name, 2));
#define UFUNC(name, operands) all.push_back(ufunc(name, operands));
#define FUNCTION(path, group, handler, result, parameters)                                                   \
  all.push_back({path, path, #group, ResultKind::result, parameters, parseParameters(parameters)});
#define ALIAS(path, other)
#include "appyc/Sema/Functions.def"
#define INTRINSIC(Name, numpy, arity, result, cxx)                                                           \
  if (std::string_view(numpy) != "" && numpy[0] != '_' && std::string_view(numpy) != "real" &&               \
      std::string_view(numpy) != "imag")                                                                     \
    all.push_back(ufunc(numpy, arity));
#include "appyc/IR/Intrinsics.def"
#undef INTRINSIC
  return all;
}

const std::vector<Function>& functions() {
  static const std::vector<Function> kAll = [] {
    std::vector<Function> all = ownRows();
    auto share = [&](const std::string& path, std::string_view other) {
      Function f = *std::find_if(all.begin(), all.end(), [&](const Function& x) { return x.path == other; });
      f.path = path;
      all.push_back(std::move(f));
    };
#define ARITHMETIC(name, op)
#define COMPARISON(name, op)
#define UFUNC(name, operands)
#define FUNCTION(path, group, handler, result, parameters)
#define ALIAS(path, other) share(path, other);
#include "appyc/Sema/Functions.def"
    const std::vector<Function> written = all;
    for (const Function& f : written)
      if (f.group == "tensor" && f.path.rfind("torch.", 0) == 0) share("Tensor." + f.path.substr(6), f.path);
    return all;
  }();
  return kAll;
}

const Function* functionAt(std::string_view path) {
  static const std::map<std::string_view, const Function*> kByPath = [] {
    std::map<std::string_view, const Function*> rows;
    for (const Function& f : functions()) rows.emplace(f.path, &f);
    return rows;
  }();
  auto it = kByPath.find(path);
  return it == kByPath.end() ? nullptr : it->second;
}

static int requiredOf(const std::vector<Parameter>& parameters) {
  return static_cast<int>(std::count_if(parameters.begin(), parameters.end(), [](const Parameter& p) {
    return !p.defaultText && p.kind != Parameter::Rest;
  }));
}

std::vector<ListedFunction> listedFunctions() {
  std::vector<ListedFunction> all;
  for (const Function& f : functions()) {
    if (f.path.rfind("Tensor.", 0) == 0 && f.target.rfind("torch.", 0) == 0)
      continue;                                                // its function is there
    if (f.group == "library" || f.group == "kernel") continue; // no functions of NumPy's
    const bool isNumpy = f.path.rfind("numpy.", 0) == 0, isAppy = f.path.rfind("appy.", 0) == 0;
    if (f.path.rfind("parpy.", 0) == 0) continue; // NumPy's under ParPy's names
    all.push_back(
        {isNumpy ? f.path.substr(6) : f.path, isAppy ? "appy" : f.group, requiredOf(f.parameters), f.text});
  }
  for (const LibraryFunction* f : libraryFunctions()) {
    if (f->path.rfind("numba.", 0) == 0) continue;
    const std::string shown = f->path.rfind("numpy.", 0) == 0 ? f->path.substr(6) : f->path;
    all.push_back({shown, f->group, requiredOf(parseParameters(f->parameters)), f->parameters});
  }
  return all;
}

std::string_view insteadOf(std::string_view path) {
  static const std::map<std::string_view, std::string_view> kRows = {
#define UNTRANSLATED(path, instead) {path, instead},
#include "Untranslated.def"
  };
  for (size_t end = path.size(); end != std::string_view::npos; end = path.rfind('.', end - 1))
    if (const auto row = kRows.find(path.substr(0, end)); row != kRows.end()) return row->second;
  return {};
}

} // namespace appyc::sema
