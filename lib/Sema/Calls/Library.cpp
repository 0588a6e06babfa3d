//===- Library.cpp - finds and parses functions of the library in Python --------------------------------===//
#include "Library.h"
#include "Leaving.h"
#include "LibraryClasses.h"
#include "appyc/Frontend/Frontend.h"
#include "appyc/Support/InternalError.h"
#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>

namespace appyc::sema {

namespace {

struct LibraryFile {
  std::string_view name, text;
};
constexpr LibraryFile kFiles[] = {
#include "LibraryText.inc"
};

/// Where users find the functions of a file.
std::string moduleOf(std::string_view file) {
  static const std::map<std::string_view, std::string_view> kModules = {
      {"linalg", "numpy.linalg"},
      {"fft", "numpy.fft"},
      {"random", "numpy.random"},
      {"legacy", "numpy.random"},
      {"polynomial", "numpy.polynomial.polynomial"},
      {"chebyshev", "numpy.polynomial.chebyshev"},
      {"legendre", "numpy.polynomial.legendre"},
      {"stride_tricks", "numpy.lib.stride_tricks"},
      {"testing", "numpy.testing"},
      {"math", "math"},
      {"cmath", "cmath"},
      {"heapq", "heapq"},
      {"bisect", "bisect"},
      {"operator", "operator"},
      {"itertools", "itertools"},
      {"primitives", "appy"},
      {"parpy", "parpy"},
      {"numba", "numba"},
      {"numba_cuda", "numba.cuda"},
      {"numba_cuda_libdevice", "numba.cuda.libdevice"},
      {"numba_cuda_libdevice_more", "numba.cuda.libdevice"},
      {"numba_cuda_random", "numba.cuda.random"},
      {"python_random", "random"},
      {"python_statistics", "statistics"},
      {"copying", "copy"},
      {"special", "scipy.special"},
      {"generator", "Generator"},
      {"distributions", "Generator"},
      {"mixtures", "Generator"},
      {"ndarray", "ndarray"},
      {"numbers", "number"},
  };
  if (const auto module = kModules.find(file); module != kModules.end())
    return std::string(module->second) + ".";
  if (!file.starts_with("scipy_")) return "numpy.";
  std::string module = std::string(file) + "_"; // scipy_fft is scipy.fft
  std::ranges::replace(module, '_', '.');
  return module;
}

/// The definition that begins at `from`, up to the next line that is not indented.
std::string_view definitionAt(std::string_view text, size_t from) {
  size_t end = text.find('\n', from);
  while (end != std::string_view::npos && end + 1 < text.size() &&
         (text[end + 1] == ' ' || text[end + 1] == '\n' || text[end + 1] == ')'))
    end = text.find('\n', end + 1);
  return text.substr(from, end == std::string_view::npos ? end : end + 1 - from);
}

/// The first parameter of functions of a generator that a module has.
constexpr std::string_view kSharedState = "state, ";

using Index = std::map<std::string, LibraryFunction, std::less<>>;

/// Definitions begin at the start of a line; nothing is parsed.
Index readIndex() {
  Index index;
  for (const LibraryFile& file : kFiles)
    for (size_t at = file.text.find("\ndef "); at != std::string_view::npos;
         at = file.text.find("\ndef ", at + 1)) {
      const std::string_view text = definitionAt(file.text, at + 1);
      const size_t open = text.find('('), close = text.find("):\n");
      const std::string_view name = text.substr(4, open - 4);
      const std::string path =
          name.starts_with('_') ? std::string(name) : moduleOf(file.name) + std::string(name);
      std::string_view parameters = text.substr(open + 1, close - open - 1);
      const auto [made, isNew] = index.try_emplace(path, LibraryFunction{path, file.name, parameters, text});
      if (!isNew) internalError(fmt::format("two functions of the library are called {}", path));
      LibraryFunction& function = made->second;
      if (function.isOfShared() && !name.starts_with('_'))
        function.parameters.remove_prefix(std::min(parameters.size(), kSharedState.size()));
    }
  return index;
}

const Index& index() {
  static const Index kIndex = readIndex();
  return kIndex;
}

struct Parsed {
  std::mutex lock;
  std::map<std::string, std::vector<ast::Function>, std::less<>> byPath;
  std::set<const ast::Function*> all;
};
Parsed& parsed() {
  static Parsed all;
  return all;
}

} // namespace

std::string LibraryFunction::display() const {
  if (path.rfind("numpy.", 0) == 0) return "np." + path.substr(6);
  if (path.rfind("_numba_", 0) == 0) {
    std::string name = "numba." + path.substr(7);
    std::ranges::replace(name, '_', '.');
    return name;
  }
  if (path.rfind("_list_", 0) == 0) return "list." + path.substr(6);
  if (path.rfind("_table_", 0) == 0) return "dict." + path.substr(7);
  if (path.rfind("_rows_", 0) == 0) return "list." + path.substr(6);
  return path.rfind("ndarray.", 0) == 0 || path.rfind("number.", 0) == 0 || path.rfind("Generator.", 0) == 0
             ? path.substr(path.find('.'))
             : path;
}

std::vector<const LibraryFunction*> libraryFunctions() {
  std::vector<const LibraryFunction*> all;
  for (const auto& [path, function] : index())
    if (path[0] != '_') all.push_back(&function);
  return all;
}

ast::ClassRef libraryClassAt(std::string_view name) {
  static const std::map<std::string, ast::ClassRef, std::less<>> kClasses = [] {
    std::map<std::string, ast::ClassRef, std::less<>> all;
    constexpr std::string_view kMade = " = namedtuple(\"";
    for (const LibraryFile& file : kFiles)
      for (size_t at = file.text.find(kMade); at != std::string_view::npos;
           at = file.text.find(kMade, at + 1)) {
        const size_t named = file.text.rfind('\n', at) + 1, open = file.text.find("\", \"", at) + 4;
        ast::Class made{std::string(file.text.substr(named, at - named))};
        std::istringstream fields(std::string(file.text.substr(open, file.text.find('"', open) - open)));
        for (std::string field; fields >> field;) made.fields.push_back({field, {}});
        all[made.name] = std::make_shared<const ast::Class>(made);
      }
    return all;
  }();
  const auto found = kClasses.find(name);
  return found == kClasses.end() ? nullptr : found->second;
}

const LibraryFunction* libraryFunctionAt(std::string_view path) {
  const auto found = index().find(path);
  return found == index().end() ? nullptr : &found->second;
}

const ast::Function& definitionOf(const LibraryFunction& function) {
  Parsed& done = parsed();
  const std::lock_guard guard(done.lock);
  std::vector<ast::Function>& functions = done.byPath[function.path];
  if (functions.empty()) {
    Diagnostics diag;
    functions = frontend::parseFunctions(Source(function.path, std::string(function.text)), diag);
    if (diag.hasErrors() || functions.size() != 1)
      internalError(fmt::format("the library's {} cannot be read: {}", function.path,
                                diag.hasErrors() ? diag.all().front().text : "no one function"));
    functions.front() = withoutLeaving(functions.front());
    done.all.insert(&functions.front());
  }
  return functions.front();
}

bool isOfLibrary(const ast::Function& function) {
  Parsed& done = parsed();
  const std::lock_guard guard(done.lock);
  return done.all.count(&function) > 0;
}

} // namespace appyc::sema
