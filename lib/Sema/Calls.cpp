//===- Calls.cpp - Python's builtins, the file's own functions, appy's functions, methods -----------===//
#include "Lowering.h"

namespace appyc::sema {

Value Lowering::call(const ast::Call& c, Span where) {
  const bool isUsed = std::exchange(isUsed_, true);
  bool bad = false;
  Value callee;
  Arguments args;
  args.where = where;
  {
    Waiting parts(*this);
    parts.add(eval(c.callee));
    evalItems(c.args, parts);
    const size_t positional = parts.size();
    for (const ast::Keyword& k : c.keywords) parts.add(eval(k.value));
    for (size_t k = 0; k < parts.size(); ++k) bad |= parts[k].isError();
    callee = parts[0];
    args.positional = parts.values(1, positional);
    for (size_t k = 0; k < c.keywords.size(); ++k)
      args.keywords.emplace(c.keywords[k].name, parts[positional + k]);
  }
  if (bad) return Value{};
  if (const auto* f = callee.as<UserFunction>()) return callUser(*f->function, args, isUsed);
  if (const auto* f = callee.as<Callable>()) return callNamed(f->path, args);
  if (const auto* m = callee.as<Method>()) return callMethod(*m->self, m->name, args);
  if (const auto* t = callee.as<TypeValue>()) { // float(x), np.float32(x)
    if (args.positional.size() != 1)
      return error(DiagId::TypeMismatch, where, "a conversion takes one value");
    Value v = castTo(args.positional[0], t->type, where);
    if (const auto* s = v.as<Scalar>()) return Value{Scalar{s->e, t->weak}};
    return v;
  }
  return error(DiagId::TypeMismatch, where, fmt::format("{} cannot be called", describe(callee)));
}

/// A default is evaluated where the function is defined: it sees none of the caller's names.
Value Lowering::evalDefault(const ast::Parameter& p) {
  frames_.push_back({frame().function, {}, {}, {}, {}, true});
  Value v = eval(p.defaultValue);
  frames_.pop_back();
  if (v.as<Array>() || v.as<TupleValue>())
    return error(
        DiagId::Unsupported, p.where,
        fmt::format("the default of `{}` is made once in Python and shared by all calls; pass it", p.name));
  return v;
}

/// Inlines the body with its own names. Arrays pass as views, scalars by value.
Value Lowering::callUser(const ast::Function& fn, const Arguments& args, bool isUsed) {
  for (const Frame& f : frames_)
    if (f.function == &fn)
      return error(DiagId::Recursion, args.where,
                   fmt::format("`{}` calls itself; functions are inlined, so write a loop", fn.name));
  Frame callee{&fn, scanNames(fn), {}, {}, {}, isUsed};
  if (args.positional.size() > fn.params.size())
    return error(DiagId::TypeMismatch, args.where,
                 fmt::format("`{}` takes {} argument(s), {} given", fn.name, fn.params.size(),
                             args.positional.size()));
  for (size_t i = 0; i < fn.params.size(); ++i) {
    const ast::Parameter& p = fn.params[i];
    auto keyword = args.keywords.find(p.name);
    Value v;
    if (i < args.positional.size())
      v = args.positional[i];
    else if (keyword != args.keywords.end())
      v = keyword->second;
    else if (p.defaultValue)
      v = evalDefault(p);
    else
      return error(DiagId::TypeMismatch, args.where,
                   fmt::format("`{}` misses its argument `{}`", fn.name, p.name));
    if (const auto* a = v.as<Array>()) v = Value{materialize(*a, p.name)};
    if (const auto* a = v.as<Array>(); a && a->view) v = Value{withFixedSubscripts(*a, ir::readsMemory)};
    if (const auto* s = v.as<Selection>()) v = keepSelection(*s, p.name);
    const NameFacts& facts = callee.names[p.name];
    if (const auto* s = v.as<Scalar>();
        s && (ir::readsMemory(s->e) || facts.uses.size() > 1 || facts.assignments > 1))
      if (!isStable(s->e) || !s->e.is<ir::Var>())
        v = Value{Scalar{s->e.is<ir::Const>() ? s->e : materialize(s->e, p.name), s->weak}};
    callee.env[p.name] = v;
  }
  for (const auto& keyword : args.keywords) {
    const std::string& name = keyword.first;
    if (std::none_of(fn.params.begin(), fn.params.end(),
                     [&](const ast::Parameter& p) { return p.name == name; }))
      return error(DiagId::TypeMismatch, args.where,
                   fmt::format("`{}` has no parameter `{}`", fn.name, name));
  }
  constexpr int kMostInlined = 2000;
  if (++inlined_ > kMostInlined) {
    if (inlined_ == kMostInlined + 1)
      error(DiagId::TooDeep, args.where,
            fmt::format("more than {} calls are inlined here; write loops instead", kMostInlined));
    return Value{};
  }
  frames_.push_back(std::move(callee));
  bool capture = std::exchange(capture_, false);
  bindDimInfo(fn.directive);
  Value result = lowerBody(fn);
  capture_ = capture;
  frames_.pop_back();
  return result;
}

Value Lowering::callNamed(const std::string& path, Arguments& args) {
  auto starts = [&](std::string_view prefix) { return path.compare(0, prefix.size(), prefix) == 0; };
  if (starts("numpy.")) return callNumpy(path.substr(6), args);
  if (starts("math.")) return callNumpy(path.substr(5), args);
  if (starts("appy.")) return callAppy(path.substr(5), args);
  if (path.find('.') == std::string::npos) return callBuiltin(path, args);
  return error(DiagId::Unsupported, args.where, fmt::format("`{}` is not a function appyc translates", path));
}

/// Python's own min and max: the first of equals, and `b if b > a else a`, which is not np.maximum for NaN.
Value Lowering::minMaxBuiltin(bool isMax, Arguments& args) {
  std::vector<Value> items = args.positional;
  if (items.size() == 1) {
    if (const auto* t = items[0].as<TupleValue>())
      items = t->items;
    else
      return reduceCall(isMax ? "max" : "min", args);
  }
  if (items.empty()) return error(DiagId::TypeMismatch, args.where, "min/max take at least one value");
  Value best = items[0];
  for (size_t i = 1; i < items.size(); ++i) {
    const auto *a = best.as<Scalar>(), *b = items[i].as<Scalar>();
    if (!a || !b)
      return error(DiagId::TypeMismatch, args.where,
                   "min/max of several values take scalars; use np.maximum/np.minimum for arrays");
    Strength s = promote({a->type(), a->weak}, {b->type(), b->weak});
    if (ir::isComplex(s.type))
      return error(DiagId::TypeMismatch, args.where, "complex numbers have no order");
    Expr x = mentionsReduce(a->e) ? materialize(a->e, "a") : a->e,
         y = mentionsReduce(b->e) ? materialize(b->e, "b") : b->e;
    x = ir::cast(s.type, x), y = ir::cast(s.type, y);
    if (s.type == DType::I64 && s.weak) {
      best = Value{Scalar{isMax ? ir::maxOf(x, y) : ir::minOf(x, y), true}};
      continue;
    }
    if (ir::isInteger(s.type)) {
      best = Value{Scalar{ir::binary(isMax ? ir::BinaryOp::Max : ir::BinaryOp::Min, x, y), s.weak}};
      continue;
    }
    best = Value{
        Scalar{ir::select(ir::binary(isMax ? ir::BinaryOp::Gt : ir::BinaryOp::Lt, y, x), y, x), s.weak}};
  }
  return best;
}

Value Lowering::callBuiltin(const std::string& fn, Arguments& args) {
  Span where = args.where;
  if (fn == "min" || fn == "max") return minMaxBuiltin(fn == "max", args);
  if (fn == "sum") return reduceCall("sum", args);
  if (fn == "pow" && args.positional.size() == 2) return power(args.positional[0], args.positional[1], where);
  if (fn == "abs" && args.positional.size() == 1) return callIntrinsic(ir::Intrinsic::Abs, args);
  if (fn == "len" && args.positional.size() == 1) {
    if (const auto* t = args.positional[0].as<TupleValue>())
      return Value{Scalar{ir::intConst(static_cast<int64_t>(t->items.size())), true}};
    if (const auto* a = args.positional[0].as<Array>(); a && !a->shape.empty())
      return Value{Scalar{a->shape[0], true}};
    if (const auto* s = args.positional[0].as<Selection>()) return Value{countSelected(*s)};
    return error(DiagId::TypeMismatch, where, fmt::format("{} has no len()", describe(args.positional[0])));
  }
  if (fn == "range") {
    RangeValue r{ir::intConst(0), {}, ir::intConst(1)};
    std::vector<Expr> bounds;
    for (const Value& v : args.positional) {
      const auto* s = v.as<Scalar>();
      if (!s || !(ir::isInteger(s->type()) || ir::isBool(s->type())))
        return error(DiagId::TypeMismatch, where, fmt::format("range() takes integers, not {}", describe(v)));
      Expr e = ir::cast(DType::I64, s->e);
      bounds.push_back(mentionsReduce(e) ? materialize(e, "n") : e);
    }
    if (bounds.empty() || bounds.size() > 3)
      return error(DiagId::TypeMismatch, where, "range() takes 1 to 3 integers");
    r.hi = bounds.size() == 1 ? bounds[0] : bounds[1];
    if (bounds.size() > 1) r.lo = bounds[0];
    if (bounds.size() > 2) r.step = bounds[2];
    return Value{r};
  }
  if (fn == "print")
    return error(DiagId::Unsupported, where,
                 "printing is not translated; return the value and print it in Python");
  return error(DiagId::Unsupported, where, fmt::format("the builtin `{}` is not supported here", fn));
}

Value Lowering::callAppy(const std::string& fn, Arguments& args) {
  if (fn == "vidx" || fn == "vindex" || fn == "step") {
    // The index vector start .. start+step-1, lanes at or past `bound` masked off.
    std::vector<Expr> v;
    if (auto it = args.keywords.find("bound"); it != args.keywords.end())
      args.positional.push_back(it->second);
    for (const Value& a : args.positional) {
      const auto* s = a.as<Scalar>();
      if (!s || !ir::isInteger(s->type()))
        return error(DiagId::TypeMismatch, args.where, "appy.vidx(start, step, bound) takes integers");
      v.push_back(stable(ir::cast(DType::I64, s->e)));
    }
    if (v.size() < 2 || v.size() > 3)
      return error(DiagId::TypeMismatch, args.where, "appy.vidx(start, step, bound) takes 2 or 3 integers");
    Expr extent = v[1];
    if (v.size() == 3) extent = ir::maxOf(ir::minOf(v[1], ir::sub(v[2], v[0])), ir::intConst(0));
    Array a;
    a.type = DType::I64;
    a.shape = {extent};
    a.symbolic = true;
    a.at = [start = v[0]](const Indices& i) { return ir::add(start, i[0]); };
    return Value{a};
  }
  if (fn == "prange" || fn == "range") return callBuiltin("range", args);
  if (fn == "buffer") return scratch(args);
  if (fn == "debug_barrier") return Value{NoneValue{}};
  if (fn == "mv") return callNumpy("matmul", args);
  if (fn == "flip" && args.positional.size() == 1)
    if (const auto* a = args.positional[0].as<Array>(); a && a->shape.size() == 1) {
      Array out = *a;
      out.view = nullptr;
      out.at = [at = a->at, last = ir::sub(a->shape[0], ir::intConst(1))](const Indices& i) {
        return at({ir::sub(last, i[0])});
      };
      return Value{out};
    }
  return callNumpy(fn, args);
}

/// `appy.buffer(66)`, `appy.buffer((8, 8), dtype=np.float32)`: an uninitialised array on chip.
Value Lowering::scratch(Arguments& args) {
  Value made = makeArray("empty", args);
  const auto* a = made.as<Array>();
  if (!a) return made;
  for (const Expr& extent : a->shape)
    if (ir::constantInt(extent).value_or(0) < 1)
      return error(
          DiagId::BadDirective, args.where,
          "the size of appy.buffer is a positive number known at compile time; use np.empty for other sizes");
  Array out = *a;
  out.onChip = true;
  return Value{out};
}

Value Lowering::callMethod(const Value& self, const std::string& name, Arguments& args) {
  static const std::set<std::string> kAsFunctions = {"sum",       "prod",   "min",       "max", "mean", "any",
                                                     "all",       "argmin", "argmax",    "std", "var",  "dot",
                                                     "transpose", "conj",   "conjugate", "copy"};
  if (kAsFunctions.count(name)) {
    args.positional.insert(args.positional.begin(), self);
    return callNumpy(name, args);
  }
  if (name == "astype" && args.positional.size() == 1) {
    std::optional<Strength> type = dtypeArgument(args.positional[0], args.where);
    if (!type) return Value{};
    Value v = castTo(self, type->type, args.where);
    if (const auto* a = v.as<Array>(); a && (a->view || a->shares)) { // a copy even when the type stays
      Array copy = *a;
      copy.view = nullptr;
      copy.shares = Symbol();
      return Value{copy};
    }
    if (const auto* s = v.as<Scalar>()) return Value{Scalar{s->e, false}};
    return v;
  }
  if (name == "item" && args.positional.empty()) {
    Array a = toArray(self);
    if (a.shape.empty()) return Value{Scalar{a.at({}), true}};
    return Value{Scalar{a.at(Indices(a.shape.size(), ir::intConst(0))), true}};
  }
  if (name == "fill" && args.positional.size() == 1)
    if (const auto* a = self.as<Array>(); a && a->view) {
      assignPlace(*a, args.positional[0], args.where);
      return Value{NoneValue{}};
    }
  return error(DiagId::Unsupported, args.where,
               fmt::format("the method `.{}` is not supported; use operators or np functions", name));
}

std::optional<int64_t> Lowering::constantArgument(const Value& v) const {
  const auto* s = v.as<Scalar>();
  if (!s) return std::nullopt;
  if (const auto* c = s->e.as<ir::Const>(); c && ir::isBool(c->type)) return std::get<bool>(c->value);
  return ir::constantInt(s->e);
}

std::optional<Strength> Lowering::dtypeArgument(const Value& v, Span where) {
  if (const auto* t = v.as<TypeValue>()) return Strength{t->type, false};
  if (const auto* s = v.as<StringValue>())
    for (int t = 0; t < ir::kDTypeCount; ++t)
      if (s->text == ir::numpyName(static_cast<DType>(t))) return Strength{static_cast<DType>(t), false};
  error(DiagId::TypeMismatch, where, "dtype must be a NumPy type such as np.float64");
  return std::nullopt;
}

std::optional<std::vector<Expr>> Lowering::shapeArgument(const Value& v, Span where) {
  std::vector<Value> items;
  if (const auto* t = v.as<TupleValue>())
    items = t->items;
  else
    items = {v};
  std::vector<Expr> shape;
  for (const Value& item : items) {
    const auto* s = item.as<Scalar>();
    if (!s || !ir::isInteger(s->type())) {
      error(DiagId::TypeMismatch, where,
            fmt::format("a shape is an integer or a tuple of integers, not {}", describe(item)));
      return std::nullopt;
    }
    Expr e = stable(ir::cast(DType::I64, s->e));
    if (ir::constantInt(e).value_or(0) < 0) {
      error(DiagId::ShapeMismatch, where, "negative dimensions are not allowed");
      return std::nullopt;
    }
    if (!isNonNegative(e) && loops_.empty())
      require(ir::binary(ir::BinaryOp::Ge, e, ir::intConst(0)), "ValueError",
              Message("negative dimensions are not allowed: ").number(e));
    shape.push_back(e);
  }
  return shape;
}

} // namespace appyc::sema
