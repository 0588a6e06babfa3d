//===- EvidentCalls.cpp - types of what calls return, where a file's text tells ---------------------===//
#include "Evident.h"
#include "ParseExpr.h"
#include "Signatures.h"
#include <algorithm>

namespace appyc::frontend {

namespace {

/// What a function of NumPy's returns.
struct KnownCall {
  std::string_view name;
  enum Form {
    Shape, ///< an array of the shape that comes first
    Like,  ///< as its first argument is
    Floats ///< as its first argument is, in floats
  } form;
  size_t dtypePosition;
};
constexpr size_t noDtype = 100;
constexpr KnownCall knownCalls[] = {
    {"zeros", KnownCall::Shape, 1},       {"ones", KnownCall::Shape, 1},
    {"empty", KnownCall::Shape, 1},       {"zeros_like", KnownCall::Like, 1},
    {"ones_like", KnownCall::Like, 1},    {"empty_like", KnownCall::Like, 1},
    {"full_like", KnownCall::Like, 2},    {"array", KnownCall::Like, 1},
    {"asarray", KnownCall::Like, 1},      {"ascontiguousarray", KnownCall::Like, 1},
    {"copy", KnownCall::Like, noDtype},   {"sort", KnownCall::Like, noDtype},
    {"roll", KnownCall::Like, noDtype},   {"abs", KnownCall::Like, noDtype},
    {"cumsum", KnownCall::Like, noDtype}, {"sin", KnownCall::Floats, noDtype},
    {"cos", KnownCall::Floats, noDtype},  {"tan", KnownCall::Floats, noDtype},
    {"exp", KnownCall::Floats, noDtype},  {"log", KnownCall::Floats, noDtype},
    {"sqrt", KnownCall::Floats, noDtype}, {"tanh", KnownCall::Floats, noDtype},
};

/// Methods of generators and functions of np.random: where the size stands, and what comes out.
struct Draw {
  std::string_view name;
  size_t sizePosition;
  std::string_view dtype;
};
constexpr Draw draws[] = {
    {"random", 0, "f64"},      {"random_sample", 0, "f64"},
    {"ranf", 0, "f64"},        {"standard_normal", 0, "f64"},
    {"uniform", 2, "f64"},     {"normal", 2, "f64"},
    {"exponential", 1, "f64"}, {"randint", 2, "i64"},
    {"integers", 2, "i64"},    {"poisson", 1, "i64"},
    {"binomial", 2, "i64"},    {"lognormal", 2, "f64"},
    {"beta", 2, "f64"},        {"gamma", 2, "f64"},
    {"rayleigh", 1, "f64"},    {"chisquare", 1, "f64"},
    {"laplace", 2, "f64"},     {"geometric", 1, "i64"},
    {"triangular", 3, "f64"},  {"standard_exponential", 0, "f64"},
};

bool isStarred(const ast::Call& c) {
  return std::ranges::any_of(c.args, [](const ast::Expr& e) { return e.is<ast::Starred>(); });
}

Evident realOf(const Evident& z) {
  if (z.kind != Evident::Array) return {};
  return Evident::array(z.dtype == "c64" ? "f32" : z.dtype == "c128" ? "f64" : z.dtype, z.rank);
}

} // namespace

const ast::Expr* keyword(const ast::Call& c, std::string_view name) {
  for (const ast::Keyword& k : c.keywords)
    if (k.name == name) return &k.value;
  return nullptr;
}

Evident ofRank(std::string dtype, size_t rank) {
  return rank > 0 ? Evident::array(std::move(dtype), rank) : Evident::number(std::move(dtype));
}

std::string inFloats(const std::string& dtype) {
  return dtype[0] == 'f' || dtype[0] == 'c' ? dtype : std::string("f64");
}

Evident EvidentTypes::argument(const ast::Call& c, size_t position, std::string_view name,
                               const EvidentScope& scope) {
  const ast::Expr* named = keyword(c, name);
  return named                      ? typeOf(*named, scope)
         : position < c.args.size() ? typeOf(c.args[position], scope)
                                    : Evident();
}

/// Empty where it is given and not evident.
std::string EvidentTypes::dtypeArgument(const ast::Call& c, size_t position, std::string otherwise,
                                        const EvidentScope& scope) {
  const ast::Expr* given = keyword(c, "dtype");
  if (!given && position < c.args.size()) given = &c.args[position];
  if (!given || given->is<ast::NoneLit>()) return otherwise;
  if (const auto* text = given->as<ast::StringLit>()) {
    const Evident named = typeOf(ast::make((*given)->span, ast::Name{text->value}), EvidentScope{});
    return named.dtype;
  }
  const Evident type = typeOf(*given, scope);
  return type.kind == Evident::Dtype ? type.dtype : "";
}

std::optional<size_t> EvidentTypes::rankOfShape(const ast::Expr& shape, const EvidentScope& scope) {
  const Evident type = typeOf(shape, scope);
  if (type.kind == Evident::Number) return 1;
  if (type.kind == Evident::Tuple || (type.kind == Evident::List && !shape.is<ast::Comprehension>()))
    return type.items.size();
  return {};
}

Evident EvidentTypes::draw(const ast::Call& c, std::string_view name, bool isLegacy,
                           const EvidentScope& scope) {
  if (isLegacy && (name == "rand" || name == "randn"))
    return c.args.empty() ? Evident::number("f64", true) : Evident::array("f64", c.args.size());
  if (name == "permutation") {
    const Evident what = argument(c, 0, "x", scope);
    return what.kind == Evident::Number ? Evident::array("i64", 1) : what;
  }
  if (name == "choice") {
    const Evident what = arrayOf(argument(c, 0, "a", scope));
    const ast::Expr* size = keyword(c, "size")  ? keyword(c, "size")
                            : c.args.size() > 1 ? &c.args[1]
                                                : nullptr;
    const std::optional<size_t> rank = size ? rankOfShape(*size, scope) : 0;
    if (!what.isPlain() || !rank || what.rank > 1) return {};
    return *rank > 0 ? Evident::array(what.dtype, *rank)
                     : Evident::number(what.dtype, isLegacy && what.rank == 0);
  }
  const size_t before = name == "multivariate_normal" ? 2 : 1; // what stands before the size
  if ((name == "multivariate_normal" || name == "dirichlet") &&
      c.args.size() >= before) { // of as many axes as its size, and one of coordinates
    const ast::Expr* size = keyword(c, "size")       ? keyword(c, "size")
                            : c.args.size() > before ? &c.args[before]
                                                     : nullptr;
    const std::optional<size_t> rank = size && !size->is<ast::NoneLit>() ? rankOfShape(*size, scope) : 0;
    return rank ? Evident::array("f64", *rank + 1) : Evident();
  }
  for (const Draw& d : draws) {
    if (d.name != name) continue;
    const ast::Expr* size = keyword(c, "size");
    if (!size && d.sizePosition < c.args.size()) size = &c.args[d.sizePosition];
    const std::string dtype = dtypeArgument(c, noDtype, std::string(d.dtype), scope);
    if (dtype.empty()) return {};
    const std::optional<size_t> rank = size && !size->is<ast::NoneLit>() ? rankOfShape(*size, scope) : 0;
    if (!rank) return {};
    if (*rank == 0) return Evident::number(dtype, dtype == "f64" || isLegacy); // Python's own numbers
    return Evident::array(dtype, *rank);
  }
  return {};
}

Evident EvidentTypes::creation(const ast::Call& c, std::string_view name, const EvidentScope& scope) {
  const auto first = [&] { return c.args.empty() ? Evident() : typeOf(c.args[0], scope); };
  for (const KnownCall& known : knownCalls) {
    if (known.name != name) continue;
    if (known.form == KnownCall::Shape) {
      const ast::Expr* shape = keyword(c, "shape");
      if (!shape && !c.args.empty()) shape = &c.args[0];
      const std::optional<size_t> rank = shape ? rankOfShape(*shape, scope) : std::nullopt;
      const std::string dtype = dtypeArgument(c, known.dtypePosition, "f64", scope);
      return rank && !dtype.empty() ? ofRank(dtype, *rank) : Evident();
    }
    Evident of = arrayOf(first());
    if (!of.isPlain()) return {};
    const std::string natural = known.form == KnownCall::Floats ? inFloats(of.dtype) : of.dtype;
    const std::string dtype = dtypeArgument(c, known.dtypePosition, natural, scope);
    if (dtype.empty()) return {};
    const Evident found = ofRank(dtype, of.rank);
    return name == "abs" && found.kind == Evident::Array ? realOf(found) : found;
  }
  if (name == "full") {
    const std::optional<size_t> rank = c.args.empty() ? std::nullopt : rankOfShape(c.args[0], scope);
    const Evident fill = argument(c, 1, "fill_value", scope);
    const std::string dtype = dtypeArgument(c, 2, fill.dtype, scope);
    return rank && !dtype.empty() ? ofRank(dtype, *rank) : Evident();
  }
  if (name == "fromfunction") {
    const auto* f = c.args.size() > 1 ? c.args[0].as<ast::Lambda>() : nullptr;
    const std::optional<size_t> rank = f ? rankOfShape(c.args[1], scope) : std::nullopt;
    const std::string dtype = dtypeArgument(c, 2, "f64", scope);
    const auto* body = rank && !dtype.empty() && !f->function->body.empty()
                           ? f->function->body.back().as<ast::Return>()
                           : nullptr;
    EvidentScope inside;
    inside.outer = &scope;
    inside.imports = scope.imports;
    if (body)
      for (const ast::Parameter& p : f->function->params)
        inside.parameters[p.name] = Evident::array(dtype, *rank);
    return body ? typeOf(body->value, inside) : Evident();
  }
  if (name == "arange") {
    Evident sum = Evident::number("i64", true);
    for (const ast::Expr& e : c.args) sum = evidentBinary(ast::BinaryOp::Mul, sum, typeOf(e, scope));
    const std::string dtype = dtypeArgument(c, 3, sum.dtype, scope);
    return dtype.empty() ? Evident() : Evident::array(dtype, 1);
  }
  if (name == "linspace" || name == "logspace" || name == "geomspace") {
    const std::string dtype = dtypeArgument(c, noDtype, "f64", scope);
    return dtype.empty() || keyword(c, "retstep") ? Evident() : Evident::array(dtype, 1);
  }
  const bool isRows = name == "vstack" || name == "column_stack";
  if (isRows || name == "concatenate" || name == "hstack" || name == "stack") {
    const Evident parts = arrayOf(first());
    if (parts.rank < 2) return {};
    return Evident::array(parts.dtype,
                          name == "stack" ? parts.rank : std::max<size_t>(isRows ? 2 : 1, parts.rank - 1));
  }
  if (name == "real" || name == "imag") return realOf(first());
  if (name == "fft.fft" || name == "fft.ifft" || name == "fft.fft2" || name == "fft.ifft2") {
    const Evident of = first();
    return of.rank > 0 && of.dtype.back() != '2' ? Evident::array("c128", of.rank) : Evident();
  }
  if (name == "fft.fftfreq" || name == "fft.rfftfreq") return Evident::array("f64", 1);
  if (name == "eye" || name == "identity") {
    const std::string dtype = dtypeArgument(c, name == "eye" ? 3 : 1, "f64", scope);
    return dtype.empty() ? Evident() : Evident::array(dtype, 2);
  }
  if (name == "meshgrid") {
    Evident grids{Evident::Tuple};
    for (const ast::Expr& e : c.args) grids.items.push_back(ofRank(typeOf(e, scope).dtype, c.args.size()));
    const bool isKnown = std::ranges::none_of(grids.items, [](const Evident& g) { return g.dtype.empty(); });
    return isKnown && !isStarred(c) ? grids : Evident();
  }
  return isStarred(c) ? Evident() : made(c, name, scope);
}

Evident EvidentTypes::method(const ast::Call& c, const Evident& base, const std::string& name,
                             const EvidentScope& scope) {
  if (base.kind == Evident::Generator) return draw(c, name, base.weak, scope);
  if (!base.isPlain()) return {};
  if (name == "astype") {
    const std::string dtype = dtypeArgument(c, 0, "", scope);
    return dtype.empty() ? Evident() : ofRank(dtype, base.rank);
  }
  if (name == "copy" || name == "transpose" || name == "copy_to_host") return base;
  if (name == "tolist") {
    Evident items = Evident::number(base.dtype, base.dtype != "bool");
    if (base.dtype != "bool" && base.dtype != "i64" && base.dtype != "f64" && base.dtype != "c128") return {};
    for (size_t k = 0; k < base.rank; ++k) items = {Evident::List, {}, false, 0, {items}};
    return items;
  }
  if (name == "ravel" || name == "flatten") return Evident::array(base.dtype, 1);
  if (name == "reshape") {
    const std::optional<size_t> rank = c.args.size() == 1 ? rankOfShape(c.args[0], scope) : c.args.size();
    return rank ? ofRank(base.dtype, *rank) : Evident();
  }
  return isStarred(c) ? Evident() : madeByMethod(c, base, name, scope);
}

/// What a function of the file returns when it is called so.
Evident EvidentTypes::returned(Node function, const ast::Call& c, const EvidentScope& scope) {
  const EvidentScope* file = &scope;
  while (file->outer) file = file->outer;
  EvidentScope inside = scopeOf(function.field("body"), file);
  const std::vector<ParameterNode> parameters = parameterNodes(source_.text(), function);
  for (size_t k = 0; k < parameters.size(); ++k)
    inside.parameters[parameters[k].name] = argument(c, k, parameters[k].name, scope);
  bindDefaults(function, inside);
  std::optional<Evident> found;
  bool isOne = !isStarred(c);
  walk(function.field("body"), [&](Node node, size_t) {
    if (node.is("return_statement") && isOne) {
      Diagnostics unheard;
      const Evident type = tooDeepNode(node) || node.namedChildren().empty()
                               ? Evident()
                               : typeOf(ExprParser(source_.text(), unheard).parseItems(node), inside);
      isOne = type && (!found || *found == type);
      found = type;
    }
    return !node.is("function_definition") && !node.is("lambda");
  });
  return isOne && found ? *found : Evident();
}

/// Arrays that numba.cuda makes.
Evident EvidentTypes::onDevice(const ast::Call& c, std::string_view name, const EvidentScope& scope) {
  if (name == "to_device" || name == "device_array_like") return creation(c, "copy", scope);
  if (name == "random.create_xoroshiro128p_states") return Evident::array("u64", 2);
  const bool isNew =
      name == "device_array" || name == "pinned_array" || name == "mapped_array" || name == "managed_array";
  return isNew ? creation(c, "empty", scope) : Evident();
}

Evident EvidentTypes::call(const ast::Call& c, const EvidentScope& scope) {
  const std::string path = pathOf(c.callee, scope);
  const auto* a = c.callee.as<ast::Attribute>();
  const auto* callee = c.callee.as<ast::Name>();
  if (callee)
    if (const auto own = functions_.find(callee->id); own != functions_.end())
      return returned(own->second, c, scope);
  if (path.starts_with("numba.cuda.")) return onDevice(c, std::string_view(path).substr(11), scope);
  if (path == "numpy.random.default_rng" || path == "numpy.random.Generator") return {Evident::Generator};
  if (path == "numpy.random.RandomState") return {Evident::Generator, {}, true};
  if (path.starts_with("numpy.random.")) return draw(c, std::string_view(path).substr(13), true, scope);
  if (const Evident made =
          path.starts_with("numpy.") ? creation(c, std::string_view(path).substr(6), scope) : Evident())
    return made;
  if (const Evident type = typeOf(c.callee, scope); type.kind == Evident::Dtype) { // float(x), np.float32(x)
    const Evident of = c.args.empty() ? Evident::number("i64") : typeOf(c.args[0], scope);
    const bool isPython = path == "float" || path == "int" || path == "complex";
    return of.rank > 0 ? Evident::array(type.dtype, of.rank) : Evident::number(type.dtype, isPython);
  }
  if (path == "dict" && c.args.empty()) {
    Evident dict{Evident::Dict};
    for (const ast::Keyword& k : c.keywords) {
      if (k.name.empty()) return {};
      dict.keys.push_back(k.name);
      dict.items.push_back(typeOf(k.value, scope));
    }
    return dict;
  }
  if (path == "enumerate" && c.args.size() == 1) {
    Evident item = typeOf(c.args[0], scope);
    if (item.kind == Evident::Array)
      item = ofRank(item.dtype, item.rank - 1);
    else
      item = item.items.empty() ? Evident() : item.items[0];
    return {
        Evident::List, {}, true, 0, {{Evident::Tuple, {}, false, 0, {Evident::number("i64", true), item}}}};
  }
  if (path == "round" && c.args.size() > 1) return typeOf(c.args[0], scope);
  if (path == "len" || path == "round") return Evident::number("i64", true);
  if (path == "abs" && c.args.size() == 1) return typeOf(c.args[0], scope);
  if (path == "time.time" || path == "time.perf_counter" || path == "random.random" ||
      path == "random.uniform")
    return Evident::number("f64", true);
  if (path == "random.randint" || path == "random.randrange" || path == "ord")
    return Evident::number("i64", true);
  if (path == "sum" || path == "min" || path == "max") { // of Python's own numbers
    Evident of;
    if (c.args.size() == 1) {
      const Evident over = typeOf(c.args[0], scope);
      if (over.kind != Evident::List && over.kind != Evident::Tuple) return {};
      for (const Evident& item : over.items) of = of && !(of == item) ? Evident{Evident::None} : item;
    } else {
      for (const ast::Expr& e : c.args) {
        const Evident item = typeOf(e, scope);
        of = of && !(of == item) ? Evident{Evident::None} : item;
      }
    }
    return of.kind == Evident::Number && of.weak ? of : Evident();
  }
  if (path.starts_with("math."))
    return Evident::number(path == "math.floor" || path == "math.ceil" ? "i64" : "f64", true);
  if (path == "range")
    return {Evident::List, {}, true, 0, {Evident::number("i64", true)}}; // weak: no list itself
  if ((path == "list" || path == "sorted") && !c.args.empty()) {
    Evident items = typeOf(c.args[0], scope);
    items.weak = false;
    return items.kind == Evident::List || items.kind == Evident::Tuple
               ? Evident{Evident::List, {}, false, 0, std::move(items.items)}
               : Evident();
  }
  return a ? method(c, typeOf(a->base, scope), a->name, scope) : Evident();
}

} // namespace appyc::frontend
