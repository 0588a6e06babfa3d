//===- Expressions.cpp - names, literals, conditions ------------------------------------------------===//
#include "Functions.h"
#include "Library.h"
#include "Lowering.h"
#include "Scopes.h"
#include "Tensors.h"
#include "appyc/Frontend/Frontend.h"

namespace appyc::sema {

Value Lowering::evalMaybe(const ast::Expr& e) {
  Span where = e->span;
  /// `[x, *items, y]`, where only the run may tell how many items there are: lists that are joined.
  const auto joined = [&](const std::vector<ast::Expr>& all, const std::vector<Value>& parts, bool isList) {
    Value total;
    TupleValue known{{}, true};
    bool isAny = false, differs = false;
    std::optional<DType> kind;
    const auto note = [&](DType type) { differs |= std::exchange(kind, type).value_or(type) != type; };
    const auto add = [&](const Value& more, uint32_t at) { // each list has a place of its own
      total = std::exchange(isAny, true) ? binary(ast::BinaryOp::Add, total, more, {at, at + 1}) : more;
    };
    for (size_t k = 0; k < parts.size(); ++k) {
      Value v = parts[k];
      if (v.isError()) return v;
      const auto* a = all[k].is<ast::Starred>() ? v.as<Array>() : nullptr;
      const std::optional<int64_t> count =
          a && !a->shape.empty() ? ir::constantInt(a->shape[0]) : std::nullopt;
      if (const auto apart = count ? takenApart(v, static_cast<size_t>(*count), all[k]->span) : std::nullopt)
        v = Value{*apart};
      const auto* t = v.as<TupleValue>();
      for (const Value& item : t&& all[k].is<ast::Starred>() ? t->items : Values{v}) {
        const auto* l = item.as<ListValue>();
        const std::optional<Scalar> state = l ? stateOf(*l) : std::nullopt;
        if (const auto* s = item.as<Scalar>()) note(s->type());
        if (state) note(state->type());
        if (a) note(a->type);
      }
      if (!all[k].is<ast::Starred>()) {
        known.items.push_back(v);
      } else if (t) {
        known.items.insert(known.items.end(), t->items.begin(), t->items.end());
      } else if (v.as<ListValue>() || v.as<NestedValue>() || (a && !a->shape.empty())) {
        const uint32_t at = all[k]->span.begin;
        if (!known.items.empty()) add(Value{std::exchange(known, TupleValue{{}, true})}, at - 1);
        if (auto* l = std::get_if<ListValue>(&v.v)) l->isTuple = false;
        add(callNamed("list", {{v}, {}, all[k].as<ast::Starred>()->value->span}), at);
      } else {
        return error(
            DiagId::Unsupported, all[k]->span,
            fmt::format("`*` takes a tuple apart, not {}; write the values out one by one", describe(v)));
      }
    }
    if (!isAny) return Value{TupleValue{known.items, isList}};
    if (differs)
      return error(DiagId::Unsupported, where,
                   "the numbers of this list differ in kind, as Python's int and float do; convert each when "
                   "it is put in");
    if (!known.items.empty()) add(Value{known}, where.end - 1);
    auto* l = isList ? nullptr : std::get_if<ListValue>(&total.v);
    if (l && !l->hasViews && !l->like) l->isTuple = true;
    return isList || l || total.isError()
               ? total
               : error(DiagId::Unsupported, where,
                       "a tuple of which the run tells the length holds numbers; make a list, `[*items]`");
  };
  auto items = [&](const std::vector<ast::Expr>& all, bool isList) {
    Waiting parts(*this);
    if (std::ranges::any_of(all, [](const ast::Expr& item) { return item.is<ast::Starred>(); })) {
      for (const ast::Expr& item : all) {
        const auto* starred = item.as<ast::Starred>();
        Value v = starred ? eval(starred->value) : evalMaybe(item);
        if (starred && (v.as<IteratorValue>() || v.as<RangeValue>() || v.as<GeneratorValue>()))
          v = callNamed("list", {{v}, {}, starred->value->span});
        parts.add(starred && !isNoSet(v, item->span) ? Value{} : v);
      }
      return joined(all, parts.values(0, all.size()), isList);
    }
    evalItems(all, parts);
    return Value{TupleValue{parts.values(0, parts.size()), isList}};
  };
  return match(
      e, [&](const ast::Name& n) { return evalName(n, where); },
      [&](const ast::IntLit& n) {
        if (n.tooLarge)
          return error(DiagId::Unsupported, where,
                       "integers past 64 bits are not supported; use a float or split the value");
        if (n.value > static_cast<uint64_t>(INT64_MAX))
          return Value{Scalar{ir::make(ir::Const{DType::U64, n.value}), true}};
        return Value{Scalar{ir::intConst(static_cast<int64_t>(n.value)), true}};
      },
      [&](const ast::FloatLit& n) {
        return Value{Scalar{ir::floatConst(n.value), true}};
      },
      [&](const ast::ImagLit& n) {
        return Value{Scalar{ir::make(ir::Const{DType::C128, std::complex<double>(0, n.value)}), true}};
      },
      [&](const ast::BoolLit& n) {
        return Value{Scalar{ir::boolConst(n.value), true}};
      },
      [&](const ast::StringLit& n) { return Value{StringValue{n.value}}; },
      [&](const ast::FormattedText& t) { return evalFormatted(t, where); },
      [&](const ast::NoneLit&) { return Value{NoneValue{}}; },
      [&](const ast::EllipsisLit&) {
        return error(DiagId::Unsupported, where, "`...` is supported only as a subscript");
      },
      [&](const ast::Unary& u) {
        const Value v = evalMaybe(u.arg);
        const std::optional<Scalar> holds = u.op == ast::UnaryOp::Not ? presence(v, where) : std::nullopt;
        return unary(u.op, holds ? Value{*holds} : present(v, where), where);
      },
      [&](const ast::Binary& b) {
        Waiting parts(*this);
        parts.add(eval(b.lhs));
        const Value rhs = eval(b.rhs);
        return binary(b.op, parts[0], rhs, where);
      },
      [&](const ast::Compare& c) { return evalCompare(c, where); },
      [&](const ast::BoolExpr& b) { return evalBool(b, where); },
      [&](const ast::Conditional& c) { return evalConditional(c, where); },
      [&](const ast::Call& c) { return call(c, where); },
      [&](const ast::Attribute& a) { return evalAttribute(a, where); },
      [&](const ast::Subscript&) {
        const ast::Expr plain = withSlices(e);
        const auto& s = *plain.as<ast::Subscript>();
        return subscript(eval(s.base), s.index, where);
      },
      [&](const ast::Slice&) {
        return error(DiagId::Unsupported, where, "a slice stands outside a subscript");
      },
      [&](const ast::Tuple& t) { return items(t.items, false); },
      [&](const ast::List& t) { return items(t.items, true); },
      [&](const ast::Dict& d) { return evalDict(d, where); },
      [&](const ast::Starred&) {
        return error(DiagId::Unsupported, where, "`*` is supported among the items of a tuple or call only");
      },
      [&](const ast::Lambda& l) { return closureOf(l.function, where); },
      [&](const ast::Comprehension&) { return evalComprehension(e); },
      [&](const ast::Walrus& w) { return evalWalrus(w, where); },
      [&](const ast::Completes&) { return Value{}; }, // lowerTried
      [&](const ast::ErrorExpr&) { return Value{}; });
}

/// What to write instead of a builtin that is not translated; empty text where nothing takes its place.
static std::optional<std::string_view> insteadOfBuiltin(std::string_view name) {
  static const std::map<std::string_view, std::string_view> kInstead = {
      {"iter", "write a `for` loop, or `it = iter(a)` and ask for `next(it)` by statements of its own while "
               "nothing changes `a`"},
      {"issubclass", ""},
      {"type", "types are known at translation"},
      {"bytes", "use an array of u8"},
      {"open", "read in the caller and pass arrays"},
      {"input", "read in the caller and pass values"}};
  const auto found = kInstead.find(name);
  constexpr std::string_view others[] = {
      "ascii",  "bytearray", "callable", "classmethod",  "compile", "delattr", "dir",       "eval",
      "exec",   "getattr",   "globals",  "hasattr",      "hash",    "id",      "locals",    "memoryview",
      "object", "property",  "setattr",  "staticmethod", "super",   "vars",    "Exception", "ValueError"};
  if (found != kInstead.end()) return found->second;
  return std::find(std::begin(others), std::end(others), name) != std::end(others)
             ? std::optional<std::string_view>("")
             : std::nullopt;
}

Value Lowering::evalName(const ast::Name& n, Span where) {
  if (const auto it = items_.find(n.id); it != items_.end()) return it->second();
  if (auto it = env().find(n.id); it != env().end()) return requireBound(n.id, where) ? it->second : Value{};
  if (auto it = env().lost.find(n.id); it != env().lost.end() && saysWhenBound(n.id)) return Value{};
  if (auto it = env().lost.find(n.id); it != env().lost.end())
    return error(DiagId::Unsupported, where,
                 isAdded(n.id) ? fmt::format("what `{}` returns {}", frame().function->name, it->second)
                               : fmt::format("`{}` {}", n.id, it->second));
  if (auto it = frame().names.find(n.id); it != frame().names.end() && it->second.assignments > 0)
    return error(
        DiagId::UndefinedName, where,
        fmt::format("`{}` has no value here: the function assigns it later, or on another path", n.id));
  if (std::optional<Value> v = enclosingName(n.id, where)) return *v;
  if (frame().isLibrary) {
    if (std::optional<Value> v = libraryName(n.id)) return *v;
    return builtinName(n.id, where);
  }
  if (const std::optional<Value> v = fileName(*file(), n.id, where)) return *v;
  return builtinName(n.id, where);
}

Value Lowering::builtinName(const std::string& name, Span where) {
  static const std::map<std::string, TypeValue> kTypes = {{"int", {DType::I64, true}},
                                                          {"float", {DType::F64, true}},
                                                          {"complex", {DType::C128, true}},
                                                          {"bool", {DType::Bool, true}}};
  if (auto it = kTypes.find(name); it != kTypes.end()) return Value{it->second};
  if (const Function* row = functionAt(name); name == "print" || name == "str" || name == "repr" ||
                                              name == "format" || name == "dict" || name == "set" ||
                                              name == "frozenset" || name == "map" || name == "filter" ||
                                              name == "next" || (row && row->group == "builtin"))
    return Value{Callable{name}};
  if (const std::optional<std::string_view> instead = insteadOfBuiltin(name))
    return error(
        DiagId::Unsupported, where,
        fmt::format("Python's `{}` is not translated{}{}", name, instead->empty() ? "" : "; ", *instead));
  if (const auto size = sizeNames_.find(name); // of a dialect whose sizes are names of the file
      size != sizeNames_.end() && program_.input.names.count(name))
    return Value{Scalar{size->second, true}};
  return error(DiagId::UndefinedName, where, fmt::format("`{}` is not defined here", name));
}

/// `float32`, `types.f4`: of what Numba names, the types.
static std::optional<Value> numbaType(std::string_view name) {
  const std::string_view dtype = frontend::dtypeOfNumba(name);
  return dtype.empty() ? std::nullopt : std::optional(Value{TypeValue{*ir::dtypeNamed(std::string(dtype))}});
}

/// Those of scipy.constants that the units define: what was measured differs from one SciPy to the next.
static std::optional<Value> constantOfNature(const std::string& name) {
  static const std::map<std::string, double> kNumbers = {{"pi", 3.141592653589793},
                                                         {"c", 299792458.0},
                                                         {"speed_of_light", 299792458.0},
                                                         {"h", 6.62607015e-34},
                                                         {"Planck", 6.62607015e-34},
                                                         {"hbar", 1.0545718176461565e-34},
                                                         {"e", 1.602176634e-19},
                                                         {"elementary_charge", 1.602176634e-19},
                                                         {"eV", 1.602176634e-19},
                                                         {"electron_volt", 1.602176634e-19},
                                                         {"k", 1.380649e-23},
                                                         {"Boltzmann", 1.380649e-23},
                                                         {"N_A", 6.02214076e+23},
                                                         {"Avogadro", 6.02214076e+23},
                                                         {"R", 8.31446261815324},
                                                         {"gas_constant", 8.31446261815324},
                                                         {"sigma", 5.6703744191844314e-08},
                                                         {"Stefan_Boltzmann", 5.6703744191844314e-08},
                                                         {"g", 9.80665},
                                                         {"golden", 1.618033988749895},
                                                         {"golden_ratio", 1.618033988749895},
                                                         {"degree", 0.017453292519943295},
                                                         {"zero_Celsius", 273.15},
                                                         {"atm", 101325.0},
                                                         {"atmosphere", 101325.0},
                                                         {"bar", 100000.0},
                                                         {"calorie", 4.184}};
  const auto known = kNumbers.find(name);
  return known == kNumbers.end() ? std::nullopt
                                 : std::optional(Value{Scalar{ir::floatConst(known->second), true}});
}

/// Those of sys that NumPy's machines have alike.
static std::optional<Value> constantOfMachine(std::string_view name) {
  using Limits = std::numeric_limits<double>;
  const auto number = [](double x) { return std::optional(Value{Scalar{ir::floatConst(x), true}}); };
  const auto whole = [](int64_t n) { return std::optional(Value{Scalar{ir::intConst(n), true}}); };
  if (name == "maxsize") return whole(std::numeric_limits<int64_t>::max());
  if (name == "float_info.max") return number(Limits::max());
  if (name == "float_info.min") return number(Limits::min());
  if (name == "float_info.epsilon") return number(Limits::epsilon());
  if (name == "float_info.dig") return whole(Limits::digits10);
  if (name == "float_info.mant_dig") return whole(Limits::digits);
  return std::nullopt;
}

std::optional<Value> moduleConstant(const std::string& path) {
  if (path.starts_with("scipy.constants.")) return constantOfNature(path.substr(16));
  if (path.starts_with("sys.")) return constantOfMachine(path.substr(4));
  if (path.rfind("torch.", 0) == 0) return torchConstant(path.substr(6));
  if (path.starts_with("numba.")) return numbaType(path.substr(6));
  static const std::map<std::string, double> kNumbers = {{"numpy.pi", 3.14159265358979323846},
                                                         {"math.pi", 3.14159265358979323846},
                                                         {"math.tau", 6.28318530717958647692},
                                                         {"numpy.e", 2.71828182845904523536},
                                                         {"numpy.euler_gamma", 0.57721566490153286061},
                                                         {"math.e", 2.71828182845904523536},
                                                         {"numpy.inf", HUGE_VAL},
                                                         {"math.inf", HUGE_VAL},
                                                         {"numpy.nan", NAN},
                                                         {"math.nan", NAN}};
  if (path.starts_with("cmath.")) return moduleConstant(path.substr(1));
  if (path.starts_with("parpy.types.")) { // F64
    std::string name = path.substr(12);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    const std::optional<DType> type = ir::dtypeNamed(name);
    return type ? std::optional(Value{TypeValue{*type}}) : std::nullopt;
  }
  if (path.starts_with("parpy.")) return moduleConstant("numpy." + path.substr(6)); // types, inf
  if (auto it = kNumbers.find(path); it != kNumbers.end())
    return Value{Scalar{ir::floatConst(it->second), true}};
  if (path == "numpy.True_" || path == "numpy.False_")
    return Value{Scalar{ir::boolConst(path == "numpy.True_"), false}};
  if (path == "numpy.newaxis") return Value{NoneValue{}};
  if (path == "appy.MVL") return Value{Scalar{ir::intConst(128), true}};
  for (int t = 0; t < ir::kDTypeCount; ++t) {
    auto type = static_cast<DType>(t);
    if (path == fmt::format("numpy.{}", ir::numpyName(type))) return Value{TypeValue{type}};
  }
  static const std::map<std::string, DType> kAliases = {
      {"numpy.bool_", DType::Bool},   {"numpy.double", DType::F64},   {"numpy.single", DType::F32},
      {"numpy.int_", DType::I64},     {"numpy.intp", DType::I64},     {"numpy.uint", DType::U64},
      {"numpy.cdouble", DType::C128}, {"numpy.csingle", DType::C64},  {"numpy.complex_", DType::C128},
      {"numpy.float_", DType::F64},   {"numpy.byte", DType::I8},      {"numpy.ubyte", DType::U8},
      {"numpy.short", DType::I16},    {"numpy.ushort", DType::U16},   {"numpy.intc", DType::I32},
      {"numpy.uintc", DType::U32},    {"numpy.longlong", DType::I64}, {"numpy.ulonglong", DType::U64},
      {"numpy.uintp", DType::U64}};
  if (auto it = kAliases.find(path); it != kAliases.end()) return Value{TypeValue{it->second}};
  return std::nullopt;
}

Value Lowering::evalAttribute(const ast::Attribute& a, Span where) {
  Value base = eval(a.base);
  if (base.isError()) return base;
  if (const auto* m = base.as<ModuleRef>()) {
    const std::string path = m->path + "." + a.name;
    if (path == "numpy.linalg" || path == "numpy.random" || path == "numpy.fft")
      return Value{ModuleRef{path}};
    const Value named = importedAt(path, where);
    const auto* function = named.as<Callable>();
    const bool isNone =
        function && path.starts_with("numpy.") && !functionAt(path) && !libraryFunctionAt(path);
    if (!isNone || insteadOf(path).empty()) return named; // `np.Inf`
    const bool isModule = std::ranges::any_of(
        libraryFunctions(), [&](const LibraryFunction* f) { return f->path.starts_with(path + "."); });
    return isModule ? named : unknownFunction(path, where);
  }
  if (const auto* r = base.as<RandomValue>()) return randomAttribute(*r, a.name, where);
  if (const auto* t = base.as<TypeInfoValue>())
    if (std::optional<Value> v = t->attribute(a.name)) return *v;
  if (const auto* t = base.as<TypeValue>())
    if (std::optional<Value> v = typeAttribute(*t, a.name)) return *v;
  if (const auto* c = base.as<Callable>(); c && a.name != "dtype") {
    const std::string path = c->path + "." + a.name;
    if (std::optional<Value> v = kernelName(path, where)) return *v;
    if (std::optional<Value> v =
            (path.starts_with("numba.") || path.starts_with("scipy.constants.") || path.starts_with("sys."))
                ? moduleConstant(path)
                : std::nullopt)
      return *v;
    if (path.starts_with("parpy.")) return importedAt(path, where);
    return Value{Callable{path}}; // np.add.reduce
  }
  if (const std::optional<Value> v = methodOfMade(base, a.name)) return *v;
  if (const std::optional<Value> v = methodOfMade(base, "get_" + a.name)) { // no method: a value
    Arguments none;
    none.where = where;
    return callPartial(*v->as<Method>()->self, none);
  }
  if (const auto* f = base.as<UserFunction>();
      f && f->function->directive.role == ast::FunctionDirective::Kernel &&
      (a.name == "forall" || a.name == "configure"))
    return Value{Method{std::make_shared<Value>(base), a.name}};
  if (const auto* f = base.as<UserFunction>(); f && a.name == "__code__")
    return Value{Method{std::make_shared<Value>(base), a.name}};
  if (const auto* m = base.as<Method>(); m && m->name == "__code__" && a.name == "co_argcount") {
    const auto isCounted = [](const ast::Parameter& p) { return p.kind <= ast::Parameter::Ordinary; };
    return Value{Scalar{
        ir::intConst(std::ranges::count_if(m->self->as<UserFunction>()->function->params, isCounted)), true}};
  }
  if ((isStoredText(base) || base.as<CharactersValue>()) && isTextMethod(a.name)) {
    charactersIn(base);
    return Value{Method{std::make_shared<Value>(base), a.name}};
  }
  if (std::optional<Value> v = recordAttribute(base, a.name, where)) return *v;
  if (isText(base) && isTextMethod(a.name)) return Value{Method{std::make_shared<Value>(base), a.name}};
  if (const auto* t = base.as<TupleValue>(); (base.as<ListValue>() || base.as<NestedValue>() ||
                                              (t && (t->isList || a.name == "index" || a.name == "count"))) &&
                                             isListMethod(a.name))
    return Value{Method{std::make_shared<Value>(base), a.name}};
  if (const auto* r = base.as<RangeValue>(); r && (a.name == "start" || a.name == "stop" || a.name == "step"))
    return Value{Scalar{a.name == "start" ? r->lo : a.name == "stop" ? r->hi : r->step, true}};
  const auto* selected = base.as<Selection>();
  if (selected && (a.name == "size" || a.name == "shape")) {
    Value count{countSelected(*selected)};
    return a.name == "size" ? count : Value{TupleValue{{count}}};
  }
  if (selected && a.name == "ndim") return Value{Scalar{ir::intConst(1), true}};
  if (selected && a.name == "T") return base;
  Array array = selected ? selected->values : toArray(base);
  bool isNumber = base.as<Array>() || base.as<Scalar>() || selected;
  if (const auto* s = base.as<Scalar>(); s && !s->isCell && libraryFunctionAt("number." + a.name))
    return Value{Method{std::make_shared<Value>(base), a.name}};
  if (const auto* s = base.as<Scalar>();
      s && s->weak && a.name != "real" && a.name != "imag" && a.name != "conjugate")
    return error(DiagId::TypeMismatch, where,
                 fmt::format("Python's own numbers have no `.{}`; use a function", a.name));
  if (isNumber && a.name == "shape") {
    TupleValue t;
    for (const Expr& e : array.shape) t.items.push_back(Value{Scalar{e, true}});
    return Value{t};
  }
  if (isNumber && a.name == "device" && tensors_) return Value{StringValue{"cuda"}};
  if (isNumber && (a.name == "size" || a.name == "itemsize" || a.name == "nbytes") && !tensors_) {
    Expr size = ir::intConst(1);
    if (a.name != "size") {
      std::optional<Strength> s = strengthOf(base, where);
      if (!s) return Value{};
      size = ir::intConst(ir::byteSize(s->type));
    }
    if (a.name != "itemsize" && selected) size = ir::mul(size, countSelected(*selected).e);
    if (a.name != "itemsize" && !selected)
      for (const Expr& e : array.shape) size = ir::mul(size, e);
    return Value{Scalar{size, true}};
  }
  if (isNumber && a.name == "ndim")
    return Value{Scalar{ir::intConst(static_cast<int64_t>(array.shape.size())), true}};
  if (isNumber && a.name == "dtype") {
    std::optional<Strength> s = strengthOf(base, where);
    return s ? Value{TypeValue{s->type}} : Value{};
  }
  if (isNumber && a.name == "T") return base.as<Array>() ? transpose(array) : base;
  if (isNumber && (a.name == "real" || a.name == "imag")) {
    Arguments args;
    args.positional = {base};
    args.where = where;
    return callNamed("numpy." + a.name, args);
  }
  if (isNumber) return methodOf(base, a.name, where);
  return error(DiagId::Unsupported, where,
               fmt::format("{} has no attribute `{}` that appyc knows", describe(base), a.name));
}

std::optional<Scalar> Lowering::evalScalar(const ast::Expr& e, std::string_view what) {
  return scalarOf(eval(e), what, e->span);
}

std::optional<Scalar> Lowering::scalarOf(const Value& v, std::string_view what, Span where) {
  if (v.isError()) return std::nullopt;
  if (const auto* s = v.as<Scalar>()) return *s;
  if (const auto* a = v.as<Array>(); a && a->shape.empty()) return Scalar{a->at({})};
  error(DiagId::TypeMismatch, where, fmt::format("{} must be a scalar, not {}", what, describe(v)));
  return std::nullopt;
}

std::optional<Expr> Lowering::evalIndexExpr(const ast::Expr& e, std::string_view what) {
  std::optional<Scalar> s = evalScalar(e, what);
  if (!s) return std::nullopt;
  if (!ir::isInteger(s->type()) && !ir::isBool(s->type())) {
    error(DiagId::BadIndex, e->span, fmt::format("{} must be an integer, not {}", what, ir::name(s->type())));
    return std::nullopt;
  }
  if (!holds(DType::I64, Value{*s}, e->span)) return std::nullopt;
  const Expr index = mentionsReduce(s->e) ? materialize(s->e, "n") : s->e;
  if (s->type() != DType::U64 || index.is<ir::Const>()) return ir::cast(DType::I64, index);
  const Expr most = ir::intConst(INT64_MAX); // past every array's end
  return ir::select(ir::binary(ir::BinaryOp::Gt, index, ir::cast(DType::U64, most)), most,
                    ir::cast(DType::I64, index));
}

/// The condition with `not not x` for lists and objects at the sides of `and` and `or`: nobody asks for more than their truth. None
/// where there are none.
static std::optional<ast::Expr> withTruthOfLists(const ast::Expr& e, const Env& env) {
  if (const auto* both = e.as<ast::BoolExpr>()) {
    const auto left = withTruthOfLists(both->lhs, env), right = withTruthOfLists(both->rhs, env);
    if (!left && !right) return std::nullopt;
    return ast::make(e->span, ast::BoolExpr{both->op, left.value_or(both->lhs), right.value_or(both->rhs)});
  }
  const auto* name = e.as<ast::Name>();
  const auto known = name ? env.find(name->id) : env.end();
  if (known == env.end()) return std::nullopt;
  const Value& v = known->second;
  const bool isObject = v.as<RecordValue>() || v.as<OptionalValue>() || isPooled(v);
  if (!v.as<ListValue>() && !v.as<NestedValue>() && !tableIn(v) && !isObject) return std::nullopt;
  return ast::make(e->span,
                   ast::Unary{ast::UnaryOp::Not, ast::make(e->span, ast::Unary{ast::UnaryOp::Not, e})});
}

/// What `if`, `while` and `not` ask: a number, or whether a list has items; None is false.
std::optional<Scalar> Lowering::conditionOf(const ast::Expr& e) {
  const auto asked = e.is<ast::BoolExpr>() ? withTruthOfLists(e, env()) : std::nullopt;
  if (asked)
    writtenOut_.push_back({ast::makeStmt(e->span, ast::ExprStmt{*asked})}); // nodes that states are kept for
  const Value v = evalMaybe(asked.value_or(e));
  if (const std::optional<Scalar> s = presence(v, e->span)) return s;
  if (const auto* l = v.as<ListValue>()) return itemsIn(*l);
  if (const auto* l = v.as<NestedValue>()) return itemsIn(l->numbers);
  if (const RecordValue* table = tableIn(v)) return sizeOfTable(*table);
  if (const auto* text = v.as<CharactersValue>()) return itemsIn(text->characters);
  if (isStoredText(v))
    if (const auto isText = compareTexts(ir::BinaryOp::Ne, v, Value{StringValue{""}}, e->span))
      return isText->as<Scalar>() ? std::optional(*isText->as<Scalar>()) : std::nullopt;
  if (const auto* dict = v.as<RecordValue>(); dict && !dict->type && hasKnownKeys(*dict, e->span))
    return Scalar{ir::boolConst(!objects_.at(dict->object).fields.empty()), true};
  if (const auto* t = v.as<TupleValue>(); t && t->isList)
    return Scalar{ir::boolConst(!t->items.empty()), true};
  return scalarOf(v, "a condition", e->span);
}

Expr Lowering::evalCondition(const ast::Expr& e) {
  std::optional<Scalar> s = conditionOf(e);
  if (!s) return {};
  Expr cond = truth(s->e);
  return mentionsReduce(cond) ? materialize(cond, "condition") : cond;
}

std::optional<int64_t> Lowering::evalConstant(const ast::Expr& e) {
  Value v = eval(e);
  std::optional<int64_t> c = constantArgument(v);
  if (!c && !v.isError())
    error(DiagId::Unsupported, e->span, "this must be an integer known at compile time");
  return c;
}

} // namespace appyc::sema
