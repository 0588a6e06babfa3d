//===- Calls.cpp - what is called: rows of the table, the file's own functions, methods -----------------===//
#include "Arguments.h"
#include "Items.h"
#include "Leaving.h"
#include "Lowering.h"
#include "Names.h"
#include "SelfCalls.h"
#include "appyc/Frontend/Frontend.h"
#include "appyc/Support/Spelling.h"

namespace appyc::sema {

/// `map(f, xs)` is `(f(x) for x in xs)`, `filter(f, xs)` is `(x for x in xs if f(x))`.
Value Lowering::callMap(const std::string& name, const ast::Call& c, Span where) {
  const bool isMap = name == "map", takesNone = !isMap && c.args[0].is<ast::NoneLit>();
  // None of Python's.
  const auto named = [&](std::string id) { return ast::make(where, ast::Name{std::move(id)}); };
  std::vector<ast::Expr> items, iters(c.args.begin() + 1, c.args.end());
  for (size_t k = 0; k < iters.size(); ++k) items.push_back(named(fmt::format("item {} of {}", k, name)));
  const bool isOne = items.size() == 1;
  const ast::Expr target = isOne ? items[0] : ast::make(where, ast::Tuple{items});
  const ast::Expr iter = isOne ? iters[0] : ast::make(where, ast::Call{named("zip"), iters, {}});
  const ast::Expr called = takesNone ? items[0] : ast::make(where, ast::Call{c.args[0], items, {}});
  ast::Comprehension made{isMap ? called : target, {{target, iter, {}}}, false};
  if (!isMap) made.clauses[0].conditions.push_back(called);
  writtenOut_.push_back({ast::makeStmt(where, ast::ExprStmt{ast::make(where, std::move(made))})});
  return evalComprehension(writtenOut_.back()[0].as<ast::ExprStmt>()->value);
}

/// `getattr(np, "hanning")` and `eval("np." + window + "(n)")` of texts that translation knows: what these say. None of others.
std::optional<Value> Lowering::saidByText(const ast::Call& c, Span where) {
  const auto* n = c.callee.as<ast::Name>();
  const bool isEval = n && n->id == "eval" && c.args.size() == 1;
  const bool isAttribute = n && n->id == "getattr" && c.args.size() == 2;
  if ((!isEval && !isAttribute) || !c.keywords.empty() || !file() || file()->module->names.count(n->id) ||
      env().count(n->id))
    return std::nullopt;
  const Value said = eval(c.args.back());
  const auto* text = said.as<StringValue>();
  if (!text) return std::nullopt;
  if (isAttribute) return eval(ast::make(where, ast::Attribute{c.args[0], text->text}));
  Diagnostics unheard;
  const ast::Expr e = frontend::parseExpression(text->text, where, unheard);
  if (!e || unheard.hasErrors()) return std::nullopt;
  for (const std::string& name : exposedNames({ast::makeStmt(where, ast::ExprStmt{e})})) {
    const auto isIt = [&](const ast::Parameter& p) { return p.name == name; };
    if (frame().names[name].assignments > 0 &&
        (frame().names[name].assignments > 1 || std::ranges::none_of(frame().function->params, isIt)))
      return error(
          DiagId::Unsupported, where,
          fmt::format("`eval` reads `{}`, which the function assigns: write the expression itself", name));
  }
  return eval(e);
}

Value Lowering::call(const ast::Call& c, Span where) {
  if (const std::optional<Value> said = saidByText(c, where)) return *said;
  if (const auto* n = c.callee.as<ast::Name>(); n && (n->id == "map" || n->id == "filter"))
    if (const Value v = eval(c.callee); v.as<Callable>()) {
      const bool isPlain = c.keywords.empty() && c.args.size() >= 2 && (n->id == "map" || c.args.size() == 2);
      if (isPlain && std::ranges::none_of(c.args, [](const ast::Expr& a) { return a.is<ast::Starred>(); }))
        return callMap(n->id, c, where);
      return error(DiagId::TypeMismatch, where,
                   fmt::format("`{}` takes a function and what it runs over", n->id));
    }
  if (const auto* n = c.callee.as<ast::Name>(); n && n->id == "next")
    if (const Value v = eval(c.callee); v.as<Callable>()) return callNext(c, where);
  if (const auto* rows = c.args.size() == 1 && c.keywords.empty() ? c.args[0].as<ast::Starred>() : nullptr)
    if (const Value f = eval(c.callee); f.as<Callable>() && f.as<Callable>()->path == "zip")
      if (const std::optional<Value> columns = zippedRows(eval(rows->value), where)) return *columns;
  const bool isUsed = std::exchange(isUsed_, true);
  bool bad = false;
  Value callee;
  Arguments args;
  args.where = where;
  {
    Waiting parts(*this);
    parts.add(eval(c.callee));
    const auto* asked = parts[0].as<Callable>();
    if (asked)
      if (const std::optional<Value> told = report(asked->path, c, where)) return *told;
    printsItems_ = asked && asked->path == "print";
    anyOrder_ = asked && asksNoOrder(asked->path) && c.keywords.empty() && c.args.size() == 1 &&
                c.args[0].is<ast::Comprehension>();
    std::vector<ast::Expr> given = c.args;
    if (asked && (asked->path == "numpy.array" || asked->path == "numpy.asarray") && !given.empty()) {
      given[0] = withOwnRows(given[0]);
      if (given[0] != c.args[0]) writtenOut_.push_back({ast::makeStmt(where, ast::ExprStmt{given[0]})});
    }
    evalArguments(given, c.keywords.empty(), parts);
    const size_t positional = parts.size();
    for (const ast::Keyword& k : c.keywords) parts.add(evalMaybe(k.value));
    for (size_t k = 0; k < parts.size(); ++k) bad |= parts[k].isError();
    callee = parts[0];
    args.positional = parts.values(1, positional);
    for (size_t k = 0; k < c.keywords.size(); ++k) {
      const auto add = [&](const std::string& name, const Value& value) {
        const auto isIt = [&](const auto& given) { return given.first == name; };
        if (!bad && std::any_of(args.keywords.begin(), args.keywords.end(), isIt)) {
          error(DiagId::TypeMismatch, where, fmt::format("the keyword `{}` stands twice", name));
          bad = true;
        }
        args.keywords.emplace_back(name, value);
      };
      if (const std::string& name = c.keywords[k].name; !name.empty())
        add(name, parts[positional + k]);
      else if (!bad)
        bad = !addOthers(parts[positional + k], c.keywords[k].where, add);
    }
  }
  return bad ? Value{} : callValue(callee, args, isUsed);
}

Value Lowering::callValue(const Value& callee, const Arguments& given, bool isUsed) {
  const Span where = given.where;
  if (const auto* l = callee.as<LaunchValue>()) return launch(*l, given);
  if (const auto* f = callee.as<UserFunction>()) {
    if (f->function->directive.role == ast::FunctionDirective::Kernel)
      return error(
          DiagId::Unsupported, where,
          fmt::format("`{0}` is a kernel, which is launched: `{0}[blocks, threads](...)`; a function that "
                      "kernels call is marked `@cuda.jit(device=True)`",
                      f->function->name));
    const bool isGivenOut = !f->file && !site_; // by the library, as np.vectorize's
    const LibraryFunction* own = isGivenOut ? libraryFunctionAt(f->function->name) : nullptr;
    return own ? callLibrary(*own, given) : callUser(*f, f->function->name, given, isUsed);
  }
  const auto* named = callee.as<Callable>();
  const bool takesNone = isOwnMethod(callee) || (named && named->path == "print");
  Arguments args = given;
  for (Value& v : args.positional) v = takesNone ? v : present(v, where);
  for (auto& keyword : args.keywords)
    keyword.second = takesNone ? keyword.second : present(keyword.second, where);
  if (const auto* f = callee.as<Callable>()) {
    if (tensors_ && f->path.rfind("numpy.", 0) == 0)
      return error(DiagId::Unsupported, where,
                   fmt::format("`np.{}` stands in a function whose arrays are PyTorch's tensors, as it names "
                               "`torch`; use PyTorch's functions, or NumPy's throughout",
                               f->path.substr(6)));
    return callNamed(f->path, args);
  }
  if (const auto* c = callee.as<ClassValue>()) return callClass(c->type, args);
  if (callee.as<RecordValue>() && args.keywords.empty()) {
    Values all = args.positional;
    all.insert(all.begin(), callee);
    if (const std::optional<Value> v = callSpecial("__call__", all, where)) return *v;
  }
  if (const auto* m = callee.as<Method>()) return callMethod(*m->self, m->name, args);
  if (const auto* t = callee.as<TypeValue>()) { // float(x), np.float32(x)
    if (tensors_ && !t->weak)
      return error(DiagId::TypeMismatch, where,
                   "PyTorch's types are no functions; write `x.to(torch.float32)`");
    static const std::map<DType, std::string> kPython = {
        {DType::I64, "int"}, {DType::F64, "float"}, {DType::C128, "complex"}, {DType::Bool, "bool"}};
    return callRow(*functionAt(t->weak ? kPython.at(t->type) : "dtype"), args, "", *t);
  }
  return error(DiagId::TypeMismatch, where, fmt::format("{} cannot be called", describe(callee)));
}

/// A default is evaluated where the function is defined: it sees none of the caller's names.
Value Lowering::evalDefault(const ast::Parameter& p, const FileScope* of) {
  const bool isLibrary = !of;
  frames_.push_back({frame().function, {}, {}, {}, true});
  frame().isLibrary = isLibrary;
  frame().file = of;
  Value v = eval(p.defaultValue);
  moveFields(env(), frames_[frames_.size() - 2].env);
  frames_.pop_back();
  const bool isNamed = p.defaultValue.is<ast::Name>() || p.defaultValue.is<ast::Attribute>();
  const auto* t = v.as<TupleValue>();
  if (!isNamed && (v.as<Array>() || v.as<RecordValue>() || (t && t->isList && !isLibrary)))
    return error(
        DiagId::Unsupported, p.where,
        fmt::format("the default of `{}` is made once in Python and shared by all calls; pass it", p.name));
  return v;
}

/// What the parameter is at first. Arrays pass as views, scalars by value.
Value Lowering::argumentOf(const ast::Parameter& p, const std::vector<Value>& given, const NameFacts& facts,
                           const FileScope* of) {
  const bool isLibrary = !of;
  if (p.kind == ast::Parameter::Rest) return restOf(given);
  if (p.kind == ast::Parameter::Others) {
    std::vector<std::pair<std::string, Value>> items;
    for (size_t k = 0; k + 1 < given.size(); k += 2)
      items.emplace_back(keyOfText(given[k].as<StringValue>()->text), given[k + 1]);
    return dictOf(items, {});
  }
  Value v = changeable(p.name, given.empty() ? evalDefault(p, of) : given[0], facts, p.where);
  if (auto* t = std::get_if<TupleValue>(&v.v)) t->isKept = true;
  if (const auto* a = v.as<Array>()) v = Value{materialize(*a, p.name)};
  if (const auto* a = v.as<Array>(); a && a->view) v = Value{withFixedSubscripts(*a, ir::readsMemory)};
  if (const auto* s = v.as<Selection>()) v = keepSelection(*s, p.name);
  if (const auto* r = v.as<RangeValue>()) v = Value{keptRange(*r)};
  if (isPooled(v)) v = keptPart(v, p.name);
  const bool isOnce =
      facts.uses.size() == 1 && !facts.isRepeated && !facts.isCaptured && facts.passed.empty();
  if (isOnce && (v.as<IteratorValue>() || (v.as<GeneratorValue>() && !isLibrary)))
    v = callNamed("list", {{v}, {}, statement_}); // which nobody runs over again
  if (v.as<IteratorValue>())
    return error(DiagId::Unsupported, statement_,
                 "an iterator is used up by its first loop; pass what it runs over");
  const auto* s = v.as<Scalar>();
  if (!s || !(ir::readsMemory(s->e) || facts.uses.size() > 1 || facts.assignments > 1)) return v;
  const bool isPlain =
      s->e.is<ir::Var>() || (isLibrary && ir::isInteger(s->type()) && s->type() != DType::U64);
  if (s->e.is<ir::Const>() || (isStable(s->e) && isPlain)) return v;
  return Value{keptIn(*s, materialize(s->e, p.name))};
}

/// Has the call within that call of the same function another constant, by which it may end?
bool Lowering::descends(const Frame& around, const ast::Function& fn, const Arguments& args) const {
  constexpr std::ptrdiff_t kDeepest = 64;
  if (std::ranges::count(frames_, &fn, &Frame::function) > kDeepest || branches_.size() != around.branches ||
      loops_.size() != around.loops || unsure_ > 0)
    return false;
  for (size_t k = 0; k < args.positional.size() && k < fn.params.size(); ++k) {
    const std::optional<int64_t> now = constantArgument(args.positional[k]);
    const auto was = around.env.find(fn.params[k].name);
    if (now && was != around.env.end() && constantArgument(was->second) &&
        constantArgument(was->second) != now)
      return true;
  }
  return false;
}

/// Inlines the body with its own names.
Value Lowering::callUser(const UserFunction& called, const std::string& name, const Arguments& args,
                         bool isUsed) {
  const bool isLibrary = !called.file;
  // Functions inside of others are made anew when the function around them is lowered once more.
  const auto asLoop = std::ranges::find_if(listStates_.resumed, [&](const auto& loop) {
    return !isLibrary && loop.second->nameSpan.begin == called.function->nameSpan.begin;
  });
  const bool isResumed = asLoop != listStates_.resumed.end();
  const uint64_t apart = madeAs(called.function->nameSpan.begin, kWhereApart);
  const ast::Function& fn = isResumed   ? *asLoop->second
                            : isLibrary ? *called.function
                                        : withReplacedItems(withSpelledTexts(*called.function));
  diag_.add(fn.problems);
  if (!fn.problems.empty()) return Value{};
  std::vector<Parameter> parameters;
  for (const ast::Parameter& p : fn.params)
    parameters.push_back({p.name,
                          static_cast<Parameter::Kind>(p.kind),
                          p.defaultValue ? std::optional<std::string>("") : std::nullopt,
                          {}});
  std::optional<std::vector<std::vector<Value>>> found = matchArguments(parameters, name, args);
  if (!found) return Value{};
  if (fn.directive.isElsewhere()) return callElsewhere(called, *found, args.where);
  const ast::Signature* declared = convertArguments(fn, *found);
  if (!isResumed)
    if (const std::optional<Value> v = callKept(called, *found)) return asDeclared(*v, declared);
  const auto refuse = [&] {
    return error(
        DiagId::Recursion, args.where,
        fmt::format(
            "`{}` calls itself, which is translated where it hands on and returns numbers, lists of "
            "numbers, or arrays of one axis or one size; write a loop over a list of what is left to do",
            fn.name));
  };
  for (const Frame& f : frames_)
    if (f.function == &fn && f.around == called.around && !isLibrary && (kernel_ || !descends(f, fn, args))) {
      if (kernel_)
        return error(DiagId::Recursion, args.where,
                     fmt::format("`{}` calls itself, which a thread has no stack for; write a loop over a "
                                 "`cuda.local.array` of what is left to do",
                                 fn.name));
      const std::optional<ast::Function> made =
          isResumed ? std::nullopt
                    : resumed(fn, isMethod(called), listStates_.stackedArrays.count(apart) > 0);
      if (!made) return refuse();
      const auto loop = std::make_shared<const ast::Function>(*made);
      listStates_.resumed.emplace(loop.get(), loop);
      listStates_.haveChanged = true;
      return Value{};
    }
  const int call = isLibrary ? -(++libraryCalls_) : inlined_ + 1;
  Frame callee{&fn,           scanNames(fn),    {},          {},       isUsed,       {}, call, isLibrary,
               loops_.size(), branches_.size(), called.file, ++calls_, called.around};
  for (size_t i = 0; i < fn.params.size(); ++i)
    callee.env[fn.params[i].name] =
        argumentOf(fn.params[i],
                   (*found)[i].empty() && !called.defaults.empty() && fn.params[i].kind < ast::Parameter::Rest
                       ? std::vector<Value>{called.defaults[i]}
                       : (*found)[i],
                   callee.names[fn.params[i].name], called.file);
  for (const ast::Parameter& p :
       fn.params) // what others have, too, does not stand for what the calls of itself give
    if (Value& v = callee.env[p.name];
        isResumed && callee.names[p.name].assignments > 1 && isList(v) && !isDeque(v) && !isSet(v))
      v = callNamed("list", {{v}, {}, args.where});
  constexpr int kMostInlined = 2000;
  constexpr size_t kMostNested = 200;
  inlined_ += !isLibrary;
  if (inlined_ > kMostInlined || frames_.size() > kMostNested) {
    if (!diag_.hasErrors()) // an attempt that is given up takes its errors with it
      error(DiagId::TooDeep, args.where,
            fmt::format("more than {} calls are inlined here; write loops instead", kMostInlined));
    return Value{};
  }
  moveFields(env(), callee.env);
  const Env fields = fn.yields.end > 0 ? fieldsIn(env()) : Env();
  const size_t before = lists_.back().size();
  frames_.push_back(std::move(callee));
  const bool capture = std::exchange(capture_, false);
  const int unsure = std::exchange(unsure_, 0);
  bindDimInfo(fn.directive);
  const size_t mark = diag_.mark();
  const int errors = diag_.errorCount();
  Value result = lowerBody(fn);
  capture_ = capture;
  unsure_ = unsure;
  const auto* made = result.as<UserFunction>();
  const bool seesNames = made && made->around == frame().id && frame().id > 0;
  if (seesNames && !keepForClosure(args.where)) result = Value{};
  if (!seesNames && givesFieldsFunctions()) keepForClosure(args.where);
  moveFields(env(), frames_[frames_.size() - 2].env);
  frames_.pop_back();
  if (isResumed && diag_.errorCount() > errors &&
      !listStates_.haveChanged) {                         // of what it keeps there are no lists
    if (listStates_.stackedArrays.insert(apart).second) { // what it is given may wait in lists, too
      listStates_.resumed.erase(asLoop);
      listStates_.haveChanged = true;
      return Value{};
    }
    diag_.rollback(mark);
    return refuse();
  }
  return fn.yields.end > 0 ? generated(result, args, before, fields) : asDeclared(result, declared);
}

//===--- rows of the table --------------------------------------------------------------------------===//

Lowering::Handler Lowering::handlerOf(const Function& row) {
  static const std::map<std::string_view, Handler> kHandlers = {
#define ARITHMETIC(name, op)
#define COMPARISON(name, op)
#define UFUNC(name, operands)
#define FUNCTION(path, group, handler, result, parameters) {path, &Lowering::handler},
#define ALIAS(path, other)
#include "appyc/Sema/Functions.def"
  };
  auto it = kHandlers.find(row.target);
  return it == kHandlers.end() ? &Lowering::callUfunc : it->second;
}

/// The one way into a function of the table. Those that look only at the values of numbers, or join them
/// themselves, have them as they are.
Value Lowering::callRow(const Function& row, const Arguments& args, const std::string& ufunc,
                        std::optional<TypeValue> type) {
  static const std::set<std::string_view> kByValue = {
      "min",   "max",   "range",  "enumerate",  "zip",         "reversed",
      "tuple", "list",  "sorted", "appy.range", "appy.prange", "numba.prange",
      "int",   "float", "bool",   "complex",    "dtype",       "ndarray.astype"};
  if (kByValue.count(row.path) || handlerOf(row) == &Lowering::callExchange)
    return callRowThere(row, args, ufunc, type);
  const auto there = [&](const std::vector<Value>& v) {
    Arguments given = args;
    given.positional = v;
    return callRowThere(row, given, ufunc, type);
  };
  return onEachPath(args.positional, args.where, there, row.path == "abs");
}

/// PyTorch takes NumPy's names of these parameters, too.
static Arguments withTensorNames(Arguments args) {
  for (auto& given : args.keywords)
    if (given.first == "axis" || given.first == "keepdims")
      given.first = given.first == "axis" ? "dim" : "keepdim";
  return args;
}

/// The row binds the arguments and says whose number the result is.
Value Lowering::callRowThere(const Function& row, const Arguments& args, const std::string& ufunc,
                             std::optional<TypeValue> type) {
  std::optional<Bound> bound = bind(row, row.group == "tensor" ? withTensorNames(args) : args, ufunc);
  if (!bound) return Value{};
  // Of NumPy's functions these parameters are arrays, of which a list or a range is one, too.
  static const std::set<std::string_view> kArrays = {
      "x", "x1",  "x2",  "x3",    "y",     "a",         "b",     "A",        "B",
      "v", "val", "arr", "array", "other", "condition", "where", "prototype"};
  if (row.path.starts_with("numpy.") || row.path.starts_with("ndarray.") || row.path.starts_with("ufunc."))
    for (auto& [name, value] : bound->values)
      if (kArrays.count(name) && row.group != "copy") {
        value = asOperand(value, args.where);
        if (value.isError()) return value;
      }
  if (type) bound->values["type"] = Value{*type};
  Value result = (this->*handlerOf(row))(*bound);
  const Value* first = row.parameters.empty() ? nullptr : bound->find(row.parameters[0].name);
  const Scalar* of = first ? first->as<Scalar>() : nullptr;
  if (const auto* a = result.as<Array>(); of && a && a->shape.empty()) { // what NumPy makes of a number
    Scalar number{a->at({})};
    number.isCell = of->isCell;
    result = Value{number};
  }
  const auto* s = result.as<Scalar>();
  if (!s || row.result == ResultKind::Own) return result;
  if (row.result != ResultKind::Python) {
    Scalar number{s->e};
    if (of && row.group == "method")
      number.isCell = of->isCell;
    else
      number.isCell =
          s->isCell || (row.result == ResultKind::Cell && !(of && !of->weak && row.group == "view"));
    return Value{number};
  }
  const DType own = s->type(), python = ir::isComplex(own)   ? DType::C128
                                        : ir::isFloat(own)   ? DType::F64
                                        : ir::isInteger(own) ? DType::I64
                                                             : own;
  return Value{Scalar{ir::cast(python, s->e), true}};
}

Value Lowering::callNamed(const std::string& path, const Arguments& args) {
  if (std::ranges::any_of(args.positional, isSet)) return callOnSets(path, args);
  static const std::set<std::string_view> kRunOver = {
      "sum", "min",       "max",       "sorted", "list",   "tuple",    "set",  "zip", "any",
      "all", "frozenset", "enumerate", "map",    "filter", "reversed", "iter", "next"};
  Arguments over = args;
  bool isOther = false;
  for (size_t k = 0; kRunOver.count(path) && k < args.positional.size() && (k == 0 || path != "sum"); ++k) {
    over.positional[k] = asIterable(args.positional[k]);
    isOther |= over.positional[k].v.index() != args.positional[k].v.index();
  }
  if (isOther) return callNamed(path, over);
  if (const std::optional<Value> v = callOperator(path, args)) return *v;
  if (const std::optional<Value> v = callOfRecords(path, args)) return *v;
  const bool isExtreme = path == "parpy.min" || path == "parpy.max";
  const std::string name = isExtreme && args.positional.size() == 2 ? path + "imum" : path; // ParPy's of two
  if (isExtreme && args.positional.size() > 2)
    return error(
        DiagId::TypeMismatch, args.where,
        fmt::format("`{0}` takes two numbers, or an array and `axis=`; write `{0}(a, {0}(b, c))`", path));
  if (const Function* row = functionAt(name)) return callRow(*row, args);
  const bool isOfFile = path == "numba.cuda.to_device" && frame().isConstant;
  if (const LibraryFunction* function = isOfFile ? nullptr : libraryFunctionAt(path))
    return function->isOfShared() ? callSharedRandom(*function, args) : callLibrary(*function, args);
  if ((isOfFile || path == "numba.cuda.const.array_like") && args.positional.size() == 1) {
    if (const auto* a = args.positional[0].as<Array>(); a && !a->view) return args.positional[0];
    return error(DiagId::TypeMismatch, args.where,
                 fmt::format("`{}` takes an array of the file, whose elements are constants", path));
  }
  if (path == "functools.partial" && !args.positional.empty()) return partialOf(args);
  if (path == "print") return print(args);
  if (path == "str" || path == "repr" || path == "format")
    return callTextMethod(Value{ModuleRef{"builtins"}}, path, args);
  const size_t dot = path.rfind('.');
  if (dot != std::string::npos) {
    const Function *ufunc = functionAt(path.substr(0, dot)), *method = functionAt("ufunc" + path.substr(dot));
    if (ufunc && method && ufunc->group == "elementwise") return callRow(*method, args, ufunc->name());
    const LibraryFunction* of = libraryFunctionAt(path.substr(0, dot));
    const bool isOfTwo = of && of->isUfuncOfTwo() && method;
    if (isOfTwo && (method->name() == "reduce" || method->name() == "outer"))
      return callRow(*method, args, of->path.substr(of->path.rfind('.') + 1));
    if (isOfTwo)
      return error(DiagId::Unsupported, args.where,
                   fmt::format("`{}` is not translated element by element; write a loop", path));
  }
  return unknownFunction(path, args.where);
}

Value Lowering::unknownFunction(const std::string& path, Span where) {
  auto shown = [](const std::string& p) { return p.rfind("numpy.", 0) == 0 ? "np." + p.substr(6) : p; };
  std::vector<std::string_view> names;
  for (const Function& f : functions()) names.push_back(f.path);
  for (const LibraryFunction* f : libraryFunctions()) names.push_back(f->path);
  std::optional<std::string_view> nearest = likelyMeant(path, names);
  if (const std::string_view instead = insteadOf(path); !instead.empty())
    return error(DiagId::Unsupported, where, fmt::format("`{}` is not translated: {}", shown(path), instead));
  if (const std::string sought = whereSought(path);
      !sought.empty() && !(nearest && path.starts_with("scipy.")))
    return error(DiagId::Unsupported, where,
                 fmt::format("`{}` is not a function appyc translates{}", shown(path), sought));
  return error(
      DiagId::Unsupported, where,
      fmt::format("`{}` is not a function appyc translates{}; `appyc --list-functions` lists those it does",
                  shown(path),
                  nearest ? fmt::format("; did you mean `{}`?", shown(std::string(*nearest))) : ""));
}

/// Of the arrays that numba.cuda has made.
static bool isDeviceMethod(const std::string& name) {
  return name == "copy_to_host" || name == "copy_to_device";
}

Value Lowering::methodOf(const Value& self, const std::string& name, Span where) {
  if (functionAt((tensors_ ? "Tensor." : "ndarray.") + name) ||
      (!tensors_ && (name == "flat" || libraryFunctionAt("ndarray." + name) || isDeviceMethod(name))))
    return Value{Method{std::make_shared<Value>(self), name}};
  if (tensors_)
    return error(
        DiagId::Unsupported, where,
        fmt::format("the method `.{}` of tensors is not translated; `appyc --list-functions` lists those "
                    "that are (functions of the group `tensor` are methods, too)",
                    name));
  if (functionAt("Tensor." + name))
    return error(
        DiagId::Unsupported, where,
        fmt::format("`.{}` is a method of PyTorch's tensors, and nothing here says that the arrays are "
                    "tensors: use a function of `torch`, or NumPy's form",
                    name));
  const std::string path = "ndarray." + name;
  if (const std::string_view instead = insteadOf(path); !instead.empty())
    return error(DiagId::Unsupported, where, fmt::format("`.{}` is not translated: {}", name, instead));
  std::vector<std::string_view> names;
  for (const Function& f : functions())
    if (f.path.starts_with("ndarray.")) names.push_back(f.path);
  for (const LibraryFunction* f : libraryFunctions())
    if (f->path.starts_with("ndarray.")) names.push_back(f->path);
  const std::optional<std::string_view> nearest = likelyMeant(path, names);
  const bool isFunction = functionAt("numpy." + name) || libraryFunctionAt("numpy." + name);
  return error(DiagId::Unsupported, where,
               fmt::format("arrays have no method or attribute `.{}` here; {}", name,
                           nearest      ? fmt::format("did you mean `.{}`?", nearest->substr(8))
                           : isFunction ? fmt::format("write `np.{}(a)`", name)
                                        : "use operators or NumPy's functions"));
}

Value Lowering::callMethod(const Value& self, const std::string& name, const Arguments& args) {
  if (const auto* f = self.as<UserFunction>()) return launchBy(*f, name == "forall", args);
  if (isStoredText(self) || self.as<CharactersValue>()) return callCharacterMethod(self, name, args);
  if (const std::optional<Value> v = callRecordMethod(self, name, args)) return *v;
  if (name == "partial") return callPartial(self, args);
  if (isText(self)) return callTextMethod(self, name, args);
  if (name == kPut || name == kTake) return onStack(self, name, args);
  if (self.as<ListValue>() || self.as<TupleValue>()) return callListMethod(self, name, args);
  if (const auto* nested = self.as<NestedValue>()) return callNestedMethod(*nested, name, args);
  if (const LibraryFunction* f = self.as<Scalar>() ? libraryFunctionAt("number." + name) : nullptr) {
    Arguments all = args;
    all.positional.insert(all.positional.begin(), self);
    return callLibrary(*f, all);
  }
  const auto* random = self.as<RandomValue>();
  if (isDeviceMethod(name)) {
    Arguments all = args;
    all.positional.insert(all.positional.begin(), self);
    return callLibrary(*libraryFunctionAt("_" + name), all);
  }
  const Function* row = random ? nullptr : functionAt((tensors_ ? "Tensor." : "ndarray.") + name);
  const LibraryFunction* function = row      ? nullptr
                                    : random ? randomMethod(*random, name)
                                             : libraryFunctionAt("ndarray." + name);
  if (!row && !function)
    return error(DiagId::TypeMismatch, args.where, fmt::format("`.{}` cannot be called", name));
  Arguments all = args;
  all.positional.insert(all.positional.begin(), random ? *random->state : self);
  return row ? callRow(*row, all) : callLibrary(*function, all);
}

//===--- appy ---------------------------------------------------------------------------------------===//

/// The index vector start .. start+step-1, lanes at or past `bound` masked off.
Value Lowering::callVectorIndex(const Bound& b) {
  std::vector<Expr> v;
  for (const char* name : {"start", "stepsize", "bound"}) {
    const Value* given = b.given(name);
    const auto* s = given ? given->as<Scalar>() : nullptr;
    if (given && (!s || !ir::isInteger(s->type())))
      return error(DiagId::TypeMismatch, b.where, "appy.vidx(start, step, bound) takes integers");
    if (given) v.push_back(stable(ir::cast(DType::I64, s->e)));
  }
  if (v.size() < 2)
    return error(DiagId::TypeMismatch, b.where, "appy.vidx(start, step, bound) takes 2 or 3 integers");
  Expr extent = v[1];
  if (v.size() == 3) extent = ir::maxOf(ir::minOf(v[1], ir::sub(v[2], v[0])), ir::intConst(0));
  Array a;
  a.type = DType::I64;
  a.shape = {extent};
  a.symbolic = true;
  a.at = [start = v[0]](const Indices& i) { return ir::add(start, i[0]); };
  return Value{a};
}

Value Lowering::callFlip(const Bound& b) {
  const auto* a = b["m"].as<Array>();
  if (!a || a->shape.size() != 1)
    return error(DiagId::Unsupported, b.where, "appy.flip takes an array of one dimension");
  Array out = *a;
  out.view = nullptr;
  out.at = [at = a->at, last = ir::sub(a->shape[0], ir::intConst(1))](const Indices& i) {
    return at({ir::sub(last, i[0])});
  };
  return Value{out};
}

Value Lowering::callBarrier(const Bound&) { return Value{NoneValue{}}; }

} // namespace appyc::sema
