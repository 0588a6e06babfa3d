//===- Decorators.cpp - what a decorator says of a function ---------------------------------------------===//
//   @appy.jit(auto_simd=True, dim_info={'A': ('M', 'N')}, tune={'BN': (64, 128)}, configs=[{'BM': 64,
//   'num_warps': 4}])
//   @appy.shader, @appy.cpu_shader
#include "Decorators.h"
#include "Dialects.h"
#include "Imports.h"
#include "Numba.h"
#include "Piece.h"
#include "Stencils.h"
#include "appyc/Support/Spelling.h"
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

namespace appyc::frontend {

namespace {

/// An option that means something to a compiler that runs beside the program only.
struct RunTimeOption {
  std::string_view name, instead;
};
constexpr RunTimeOption runTimeOptions[] = {
#define RUN_TIME_OPTION(name, instead) {name, instead},
#include "Dialects/Appy.def"
};
constexpr std::string_view honoured[] = {
#define JIT_OPTION(name, form, meaning) name,
#include "Dialects/Appy.def"
};

/// Decorators of other systems under which a function computes what its text says.
constexpr std::string_view transparent[] = {"numba.jit",
                                            "numba.njit",
                                            "dace.program",
                                            "parpy.jit",
                                            "pyccel.decorators.types",
                                            "pyccel.decorators.pure",
                                            "pyccel.decorators.elemental",
                                            "pyccel.decorators.inline",
                                            "pyccel.epyccel",
                                            "transonic.boost",
                                            "transonic.jit",
                                            "functools.cache",
                                            "functools.lru_cache",
                                            "jax.jit",
                                            "torch.compile",
                                            "cupy.fuse",
                                            "typing.final",
                                            "line_profiler.profile",
                                            "memory_profiler.profile"};

/// Functions of libraries that make another one of the function, which is what its name stands for.
constexpr std::string_view makers[] = {"numpy.vectorize", "numba.vectorize", "numba.cuda.reduce",
                                       "numba.cuda.Reduce"};

class DecoratorReader {
public:
  DecoratorReader(const Source& source, const std::vector<ast::Import>& imports, Diagnostics& diag)
      : source_(source), imports_(imports), diag_(diag) {}

  void read(Node decorator);
  ast::FunctionDirective take() { return std::move(out_); }

private:
  std::string text(Node node) const { return std::string(source_.text(node.span())); }
  void error(Node at, std::string message) {
    diag_.report(DiagId::BadDirective, at.span(), std::move(message));
  }
  bool hasTrue(Node call, std::string_view name) const;
  void option(Node argument);
  void dimInfo(Node value);
  void tune(Node value);
  void configs(Node value);
  void config(Node dictionary, bool isFirst);
  void otherSize(const std::string& name, std::optional<int64_t> value, Node at);
  void size(const std::string& name, const std::vector<std::optional<int64_t>>& values, Node at);

  bool isTruthValue(Node value) const;
  std::optional<int64_t> integer(Node value) const;
  /// Contents of a plain string literal.
  std::optional<std::string> string(Node value) const;
  /// Items of a tuple or list; a value that is neither is its own item.
  static std::vector<Node> items(Node value);
  /// The entries of a dictionary with string keys; anything else is reported.
  std::vector<std::pair<std::string, Node>> entries(Node value, std::string_view option,
                                                    std::string_view example);

  const Source& source_;
  const std::vector<ast::Import>& imports_;
  Diagnostics& diag_;
  ast::FunctionDirective out_;
};

//===- literals -------------------------------------------------------------------------------------===//

bool DecoratorReader::isTruthValue(Node value) const {
  return value.is("true") || value.is("false") || integer(value).has_value();
}

std::optional<int64_t> DecoratorReader::integer(Node value) const {
  const std::string_view digits = source_.text(value.span());
  int64_t number = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = value.is("integer") && failed == std::errc() && end == digits.data() + digits.size();
  return whole ? std::optional(number) : std::nullopt;
}

std::optional<std::string> DecoratorReader::string(Node value) const {
  if (!value.is("string")) return {};
  const std::string literal = text(value);
  const bool plain = literal.size() >= 2 && (literal[0] == '\'' || literal[0] == '"') &&
                     literal.find('\\') == std::string::npos;
  return plain ? std::optional(literal.substr(1, literal.size() - 2)) : std::nullopt;
}

std::vector<Node> DecoratorReader::items(Node value) {
  if (value.is("tuple") || value.is("list")) return value.namedChildren();
  if (value.is("parenthesized_expression")) return value.namedChildren();
  return {value};
}

std::vector<std::pair<std::string, Node>> DecoratorReader::entries(Node value, std::string_view option,
                                                                   std::string_view example) {
  std::vector<std::pair<std::string, Node>> found;
  const std::string form = fmt::format("`{}` is a dictionary literal such as `{}`", option, example);
  if (!value.is("dictionary")) {
    error(value, form);
    return found;
  }
  for (const Node pair : value.namedChildren()) {
    const std::optional<std::string> key = pair.is("pair") ? string(pair.field("key")) : std::nullopt;
    if (key && isIdentifier(*key))
      found.emplace_back(*key, pair.field("value"));
    else
      error(pair, form);
  }
  return found;
}

//===- options --------------------------------------------------------------------------------------===//

void DecoratorReader::size(const std::string& name, const std::vector<std::optional<int64_t>>& values,
                           Node at) {
  std::vector<int64_t> open;
  for (const std::optional<int64_t>& value : values) {
    if (!value || *value < 1 || *value > INT32_MAX)
      return error(at, fmt::format("the values of `{}` are positive integers", name));
    open.push_back(*value);
  }
  if (open.empty()) return error(at, fmt::format("`{}` needs a value", name));
  for (const auto& known : out_.sizes)
    if (known.name == name) return error(at, fmt::format("`{}` is given twice", name));
  out_.sizes.push_back({name, open.front(), open});
}

void DecoratorReader::dimInfo(Node value) {
  for (const auto& [array, extents] : entries(value, "dim_info", "{'A': ('M', 'N')}")) {
    ast::FunctionDirective::Shape shape{array, {}, extents.span()};
    for (const Node item : items(extents)) {
      const std::optional<std::string> name = string(item);
      if (name && (isIdentifier(*name) || isInteger(*name)))
        shape.extents.push_back(*name);
      else if (integer(item).value_or(-1) >= 0)
        shape.extents.push_back(text(item));
      else
        error(item, "`dim_info` names one size for each axis: `{'A': ('M', 'N')}`");
    }
    out_.shapes.push_back(std::move(shape));
  }
}

void DecoratorReader::tune(Node value) {
  for (const auto& [name, values] : entries(value, "tune", "{'BN': (64, 128)}")) {
    const std::vector<Node> all = items(values);
    std::vector<std::optional<int64_t>> numbers;
    for (const Node& item : all) numbers.push_back(integer(item));
    size(name, numbers, values);
    if (all.size() > 1 && integer(all[0]))
      diag_.report(DiagId::Ignored, values.span(),
                   fmt::format("`{}` is {}, the first of its values, where no schedule file says otherwise",
                               name, text(all[0])));
  }
}

/// Of a configuration after the first: another value that the constant may have.
void DecoratorReader::otherSize(const std::string& name, std::optional<int64_t> value, Node at) {
  const auto known = std::find_if(out_.sizes.begin(), out_.sizes.end(),
                                  [&](const ast::FunctionDirective::Size& s) { return s.name == name; });
  if (known == out_.sizes.end())
    return error(at, fmt::format("`{}` is missing in the first configuration", name));
  if (!value || *value < 1 || *value > INT32_MAX)
    return error(at, fmt::format("the values of `{}` are positive integers", name));
  if (std::find(known->open.begin(), known->open.end(), *value) == known->open.end())
    known->open.push_back(*value);
}

void DecoratorReader::config(Node dictionary, bool isFirst) {
  constexpr int64_t mostWarps = 32;
  for (const auto& [name, value] : entries(dictionary, "configs", "[{'BM': 64, 'num_warps': 4}]")) {
    const std::optional<int64_t> number = integer(value);
    if (name == "num_stages" && isFirst)
      diag_.report(DiagId::Ignored, value.span(), "`num_stages` is Triton's; appyc has no use for it");
    else if (name == "num_stages")
      continue;
    else if (name != "num_warps" && isFirst)
      size(name, {number}, value);
    else if (name != "num_warps")
      otherSize(name, number, value);
    else if (number.value_or(0) < 1 || *number > mostWarps)
      error(value, fmt::format("`num_warps` is an integer from 1 to {}", mostWarps));
    else {
      if (isFirst) out_.warps = static_cast<int>(*number);
      out_.openWarps.push_back(*number);
    }
  }
}

void DecoratorReader::configs(Node value) {
  const std::vector<Node> all = items(value);
  if (all.empty() || !(value.is("list") || value.is("tuple")))
    return error(value, "`configs` is a list of dictionaries: `[{'BM': 64, 'num_warps': 4}]`");
  for (size_t i = 0; i < all.size(); ++i) config(all[i], i == 0);
  if (all.size() > 1)
    diag_.report(DiagId::Ignored, value.span(),
                 "the first of the configurations is taken, where no schedule file says otherwise");
}

void DecoratorReader::option(Node argument) {
  if (!argument.is("keyword_argument")) return error(argument, "the options of `jit` are keyword arguments");
  const std::string name = text(argument.field("name"));
  const Node value = argument.field("value");
  if (name == "auto_simd" || name == "auto_block") {
    // What it asks for is the rule: the lanes of a worker share a dimension that the pragma leaves open.
    if (!isTruthValue(value)) error(value, fmt::format("`{}` is True or False", name));
  } else if (name == "dim_info") {
    dimInfo(value);
  } else if (name == "tune") {
    tune(value);
  } else if (name == "configs") {
    configs(value);
  } else {
    const auto* known = std::find_if(std::begin(runTimeOptions), std::end(runTimeOptions),
                                     [&](const RunTimeOption& o) { return o.name == name; });
    if (known != std::end(runTimeOptions)) {
      diag_.report(DiagId::Ignored, argument.span(),
                   fmt::format("the option `{}` has no meaning ahead of time; {}", name, known->instead));
      return;
    }
    std::vector<std::string_view> names(std::begin(honoured), std::end(honoured));
    std::string listed = fmt::format("`{}`", fmt::join(names, "`, `"));
    for (const RunTimeOption& o : runTimeOptions) names.push_back(o.name);
    const std::optional<std::string_view> nearest = nearestName(name, names);
    if (!nearest)
      return error(argument, fmt::format("unknown option `{}`; those that matter here are {}", name, listed));
    const Span where = argument.field("name").span();
    diag_
        .report(DiagId::BadDirective, where,
                fmt::format("unknown option `{}`; did you mean `{}`?", name, *nearest))
        .replaceWith(where, std::string(*nearest));
  }
}

//===- decorators -----------------------------------------------------------------------------------===//

/// `name=True` among the arguments.
bool DecoratorReader::hasTrue(Node call, std::string_view name) const {
  const Node arguments = call.is("call") ? call.field("arguments") : Node();
  const std::vector<Node> all = arguments ? arguments.namedChildren() : std::vector<Node>();
  return std::ranges::any_of(all, [&](Node a) {
    return a.is("keyword_argument") && text(a.field("name")) == name && a.field("value").is("true");
  });
}

void DecoratorReader::read(Node decorator) {
  const std::vector<Node> parts = decorator.namedChildren();
  if (parts.empty()) return;
  const Node whole = parts[0], callee = whole.is("call") ? whole.field("function") : whole;
  const std::string path = nameInFull(text(callee), imports_);
  const NamedCall named{path, whole.is("call") ? whole : Node(), source_, decorator};
  if (path.starts_with("numba.")) checkNumbaOptions(named, diag_);
  for (const Dialect& dialect : dialects())
    if (const auto role = dialect.readRole ? dialect.readRole(named, diag_) : std::nullopt) {
      out_.role = *role;
      if (dialect.readLinks) dialect.readLinks(named, out_, diag_);
      return;
    }
  if (std::find(std::begin(transparent), std::end(transparent), path) != std::end(transparent)) {
    out_.tensors = out_.tensors || path.starts_with("torch.");
    out_.caches = out_.caches || path.starts_with("functools.");
    if (path.starts_with("numba.")) out_.serialRanges = !hasTrue(whole, "parallel");
    return;
  }
  const bool isUfunc = path == "numba.vectorize"; // without signatures, as of others nobody asks here
  if (std::ranges::find(makers, path) != std::end(makers) && (isUfunc || !whole.is("call"))) {
    out_.maker = path;
    out_.made = decorator.span();
    return;
  }
  if (path != "appy.jit" && path != "appy.shader" && path != "appy.cpu_shader") {
    diag_.report(
        DiagId::Unsupported, decorator.span(),
        fmt::format("what `{}` makes of the function is not known to appyc; take it off, or apply it in "
                    "Python under another name",
                    text(whole)));
    return;
  }
  out_.where = whole.span();
  out_.parallelLoops = out_.parallelLoops || path != "appy.jit";
  if (whole.is("call"))
    for (const Node argument : whole.field("arguments").namedChildren()) option(argument);
}

} // namespace

ast::FunctionDirective readDecorators(const Source& source, Node outer,
                                      const std::vector<ast::Import>& imports, Diagnostics& diag) {
  DecoratorReader reader(source, imports, diag);
  const Node stencil = stencilDecorator(source, outer, imports);
  const Node ufunc = ufuncDecorator(source, outer, imports); // its entries are functions of their own
  for (const Node child : decoratorsOf(source, outer, imports))
    if (!(ufunc && ufunc.begin() == child.begin()) && !(stencil && stencil.begin() == child.begin()))
      reader.read(child);
  ast::FunctionDirective said = reader.take();
  Diagnostics unheard; // those who read entries report
  if (const std::optional<Ufunc> read = ufunc ? readUfunc(source, outer, imports, unheard) : std::nullopt) {
    said.maker = read->isGeneral ? "numba.guvectorize" : "numba.vectorize";
    said.made = ufunc.span();
    said.given = givenToMaker(*read);
  }
  if (stencil) {
    said.maker = "numba.stencil";
    said.made = stencil.span();
    said.given = givenToStencil(source, outer, stencil, diag);
  }
  return said;
}

} // namespace appyc::frontend
