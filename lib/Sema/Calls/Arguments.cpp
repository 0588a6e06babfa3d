//===- Arguments.cpp - binds a call's arguments to the parameters of a row or of a function ------------===//
#include "Arguments.h"
#include "Library.h"
#include "Lowering.h"
#include "appyc/Support/Spelling.h"
#include <algorithm>
#include <climits>
#include <cstdlib>
#include <functional>

namespace appyc::sema {

/// A default or a value that is translated, as the table writes it; none for `<no value>` and names.
static std::optional<Value> literal(const std::string& text) {
  if (text == "None") return Value{NoneValue{}};
  if (text == "True" || text == "False") return Value{Scalar{ir::boolConst(text == "True"), true}};
  if (text[0] == '\'') return Value{StringValue{text.substr(1, text.size() - 2)}};
  if (!std::isdigit(static_cast<unsigned char>(text[text[0] == '-']))) return std::nullopt;
  if (text.find('.') != std::string::npos)
    return Value{Scalar{ir::floatConst(std::strtod(text.c_str(), nullptr)), true}};
  return Value{Scalar{ir::intConst(std::strtoll(text.c_str(), nullptr, 10)), true}};
}

/// How many arguments may stand without a name; none: any number.
static std::optional<size_t> mostPositional(const std::vector<Parameter>& parameters) {
  size_t count = 0;
  for (const Parameter& p : parameters) {
    if (p.kind == Parameter::Rest) return std::nullopt;
    count += p.kind != Parameter::KeywordOnly && p.kind != Parameter::Others;
  }
  return count;
}

static std::string noParameter(const std::vector<Parameter>& parameters, const std::string& callee,
                               const std::string& name) {
  std::vector<std::string_view> names;
  for (const Parameter& p : parameters) names.push_back(p.name);
  std::optional<std::string_view> nearest = nearestName(name, names);
  return fmt::format("`{}` has no parameter `{}`{}", callee, name,
                     nearest ? fmt::format("; did you mean `{}`?", *nearest) : "");
}

/// The values of each parameter; of `**others` names and values in turn.
std::optional<std::vector<std::vector<Value>>>
Lowering::matchArguments(const std::vector<Parameter>& parameters, const std::string& callee,
                         const Arguments& args) {
  std::vector<std::vector<Value>> found(parameters.size());
  auto wrong = [&](std::string text) {
    error(DiagId::TypeMismatch, args.where, std::move(text));
    return std::nullopt;
  };
  std::optional<size_t> most = mostPositional(parameters);
  if (most && args.positional.size() > *most)
    return wrong(fmt::format("`{}` takes {} argument(s){}, {} given", callee, *most,
                             *most < parameters.size() ? " without a name" : "", args.positional.size()));
  size_t next = 0;
  for (size_t i = 0; i < parameters.size() && next < args.positional.size(); ++i) {
    if (parameters[i].kind == Parameter::KeywordOnly || parameters[i].kind == Parameter::Others) break;
    do found[i].push_back(args.positional[next++]);
    while (parameters[i].kind == Parameter::Rest && next < args.positional.size());
  }
  for (const auto& [name, value] : args.keywords) {
    size_t i = 0;
    const auto isNamed = [&](const Parameter& p) {
      return p.name == name && p.kind != Parameter::Rest && p.kind != Parameter::Others;
    };
    while (i < parameters.size() && !isNamed(parameters[i])) ++i;
    if (i == parameters.size() && !parameters.empty() && parameters.back().kind == Parameter::Others) {
      found.back().push_back(Value{StringValue{name}});
      found.back().push_back(value);
      continue;
    }
    if (i == parameters.size()) return wrong(noParameter(parameters, callee, name));
    if (parameters[i].kind == Parameter::PositionalOnly)
      return wrong(fmt::format("`{}` of `{}` has no name in a call: write the value alone", name, callee));
    if (!found[i].empty()) return wrong(fmt::format("`{}` gets its argument `{}` twice", callee, name));
    found[i].push_back(value);
  }
  for (size_t i = 0; i < parameters.size(); ++i)
    if (found[i].empty() && !parameters[i].defaultText && parameters[i].kind != Parameter::Rest &&
        parameters[i].kind != Parameter::Others)
      return wrong(fmt::format("`{}` misses its argument `{}`", callee, parameters[i].name));
  return found;
}

/// Is it one of the values that the row names?
bool Lowering::isTranslated(const Parameter& parameter, const Value& value) const {
  return parameter.allowed.empty() ||
         std::any_of(parameter.allowed.begin(), parameter.allowed.end(), [&](const std::string& text) {
           std::optional<Value> allowed = literal(text);
           if (!allowed || value.v.index() != allowed->v.index()) return false;
           if (value.as<Scalar>()) return constantArgument(value) == constantArgument(*allowed);
           return isSame(value, *allowed);
         });
}

std::optional<Bound> Lowering::bind(const Function& row, const Arguments& args, const std::string& ufunc) {
  Bound bound{&row, {}, args.where, ufunc};
  const std::string callee = bound.display();
  std::optional<std::vector<std::vector<Value>>> found = matchArguments(row.parameters, callee, args);
  if (!found) return std::nullopt;
  for (size_t i = 0; i < row.parameters.size(); ++i) {
    const Parameter& p = row.parameters[i];
    std::vector<Value>& values = (*found)[i];
    if (p.kind == Parameter::Rest) {
      bound.values[p.name] = Value{TupleValue{std::move(values)}};
    } else if (values.empty()) {
      if (std::optional<Value> standard = literal(*p.defaultText)) bound.values[p.name] = *standard;
    } else if (isTranslated(p, values[0])) {
      bound.values[p.name] = std::move(values[0]);
    } else {
      const std::string only = fmt::format("{}", fmt::join(p.allowed, " or "));
      error(DiagId::Unsupported, args.where,
            p.allowed.size() == 1 && p.allowed[0][0] == '<'
                ? fmt::format("`{}=` of `{}` is not translated", p.name, callee)
                : fmt::format("`{}=` of `{}` is not translated but for {}", p.name, callee, only));
      return std::nullopt;
    }
  }
  return bound;
}

//===--- starred items -------------------------------------------------------------------------------------===//

/// Values of a tuple's or call's items; `*t` stands for the items of the tuple `t`.
void Lowering::evalItems(const std::vector<ast::Expr>& items, Waiting& into) {
  const bool isPrinted = std::exchange(printsItems_, false);
  for (const ast::Expr& item : items) {
    const auto* starred = item.as<ast::Starred>();
    if (starred)
      addStarred(eval(starred->value), item->span, into, isPrinted);
    else
      into.add(evalMaybe(item));
  }
}

void Lowering::addStarred(Value v, Span where, Waiting& into, bool isPrinted) {
  if (const auto* a = v.as<Array>(); a && !a->shape.empty())
    if (const std::optional<int64_t> count = ir::constantInt(a->shape[0]))
      if (const auto apart = takenApart(v, static_cast<size_t>(*count), where)) v = Value{*apart};
  if (const auto* g = v.as<GeneratorValue>()) v = listOfGenerator(*g);
  if (!isNoSet(v, where)) v = Value{};
  const auto* parts = v.as<TupleValue>();
  if (v.isError())
    into.add(std::move(v));
  else if (parts)
    for (const Value& part : parts->items) into.add(part);
  else if (isPrinted)
    into.add(starredCode(v, where));
  else
    into.add(
        error(DiagId::Unsupported, where,
              fmt::format("`*` takes a tuple apart, not {}; write the values out one by one", describe(v))));
}

/// How many arguments a function takes in any case.
static std::optional<size_t> leastArguments(const Value& callee) {
  size_t count = 0;
  if (const auto* own = callee.as<UserFunction>()) {
    for (const ast::Parameter& p : own->function->params) {
      if (p.kind > ast::Parameter::Ordinary) return std::nullopt;
      count += !p.defaultValue;
    }
    return count;
  }
  const auto* c = callee.as<Callable>();
  const Function* row = c ? functionAt(c->path) : nullptr;
  for (const Parameter& p : row ? row->parameters : std::vector<Parameter>()) {
    if (p.kind == Parameter::Rest) return std::nullopt;
    count += !p.defaultText;
  }
  return row ? std::optional(count) : std::nullopt;
}

/// At which place the function takes all that follows, `*values`; of the library's the ones that run over it.
static std::optional<size_t> placeOfRest(const Value& callee) {
  if (const auto* own = callee.as<UserFunction>()) {
    const auto& params = own->function->params;
    const auto rest = std::ranges::find(params, ast::Parameter::Rest, &ast::Parameter::kind);
    return rest == params.end() ? std::nullopt : std::optional<size_t>(rest - params.begin());
  }
  const auto* c = callee.as<Callable>();
  if (c && c->path == "itertools.chain") return 0;
  const LibraryFunction* f = c ? libraryFunctionAt(c->path) : nullptr;
  return f && f->group == "math" && f->parameters.starts_with("*") ? std::optional<size_t>(0) : std::nullopt;
}

/// Of how many items only the run tells: these are all that the function's `*values` gets.
std::optional<Value> Lowering::restAsOne(const Value& v, Span where) {
  const auto* a = v.as<Array>();
  const auto* l = v.as<ListValue>();
  if (l ? l->isSet : v.as<NestedValue>() ? false : !a || a->shape.empty() || ir::constantInt(a->shape[0]))
    return std::nullopt;
  const Value all = v.as<NestedValue>() ? v : callNamed("tuple", {{v}, {}, where});
  return isAnyList(all) && !all.as<TupleValue>()
             ? std::optional(Value{IteratorValue{IteratorValue::AllOfRest, {all}}})
             : std::nullopt;
}

Value restOf(const std::vector<Value>& given) {
  const auto* all = given.size() == 1 ? given[0].as<IteratorValue>() : nullptr;
  return all && all->kind == IteratorValue::AllOfRest ? all->parts[0] : Value{TupleValue{given}};
}

/// A call's arguments behind the callee. `f(x, *items)`: as many items as the function takes, where the run tells how many
/// there are; `max(*items)` takes the items as they are.
void Lowering::evalArguments(std::vector<ast::Expr> given, bool isPlain, Waiting& into) {
  if (given.size() == 1) given[0] = joinedTexts(into[0], given[0]);
  const auto* rest = isPlain && !given.empty() ? given.back().as<ast::Starred>() : nullptr;
  const auto* asked = into[0].as<Callable>();
  const bool isExtreme = asked && (asked->path == "max" || asked->path == "min") && given.size() == 1;
  const std::optional<size_t> least = rest ? leastArguments(into[0]) : std::nullopt;
  const std::optional<size_t> place = rest ? placeOfRest(into[0]) : std::nullopt;
  const auto isStarred = [](const ast::Expr& e) { return e.is<ast::Starred>(); };
  if (place && *place < given.size() && std::none_of(given.begin(), given.begin() + *place, isStarred)) {
    const std::vector<ast::Expr> last(given.begin() + *place, given.end());
    const Span where = last.back()->span;
    given.resize(*place);
    evalItems(given, into);
    Value v = eval(last.size() == 1 ? rest->value : ast::make(where, ast::List{last}));
    if (const auto* g = v.as<GeneratorValue>()) v = listOfGenerator(*g);
    if (const std::optional<Value> all = restAsOne(v, where)) return (void)into.add(*all);
    return addStarred(std::move(v), where, into);
  }
  if (!rest || (!isExtreme && (!least || *least < given.size()))) return evalItems(given, into);
  const ast::Expr items = rest->value;
  given.pop_back();
  const size_t wanted = isExtreme ? 2 : *least - given.size();
  evalItems(given, into);
  Value v = eval(items);
  if (const auto* g = v.as<GeneratorValue>()) v = listOfGenerator(*g);
  const auto* a = v.as<Array>();
  const auto* l = v.as<ListValue>();
  const bool isRow = l ? !l->isSet : a && (isExtreme ? a->shape.size() == 1 : !a->shape.empty());
  const Value length = isRow ? callNamed("len", {{v}, {}, items->span}) : Value{};
  const auto* n = length.as<Scalar>();
  if (n && !ir::constantInt(n->e)) {
    const ir::BinaryOp op = isExtreme ? ir::BinaryOp::Ge : ir::BinaryOp::Eq;
    requireWhereRun(ir::binary(op, n->e, ir::intConst(static_cast<int64_t>(wanted))), "TypeError",
                    fmt::format("`*` is to give {}{} arguments", isExtreme ? "at least " : "", wanted));
    if (isExtreme) return void(into.add(v));
    if (const auto apart = takenApart(v, wanted, items->span)) v = Value{*apart};
  } else if (a && !a->shape.empty()) {
    if (const auto apart = takenApart(v, static_cast<size_t>(*ir::constantInt(a->shape[0])), items->span))
      v = Value{*apart};
  }
  const auto* parts = isNoSet(v, items->span) ? v.as<TupleValue>() : nullptr;
  if (!parts && !v.isError())
    v = error(DiagId::Unsupported, items->span,
              fmt::format("`*` takes a tuple apart, not {}; write the values out one by one", describe(v)));
  if (!parts) into.add(v);
  for (const Value& part : parts ? parts->items : Values()) into.add(part);
}

/// `f(**values)`
bool Lowering::addOthers(const Value& values, Span where,
                         const std::function<void(const std::string&, const Value&)>& add) {
  const auto* dict = values.as<RecordValue>();
  std::vector<std::pair<std::string, Value>> items;
  const bool isDict = dict && !dict->type && hasKnownKeys(*dict, where);
  if (isDict) addItems(*dict, where, items);
  if (!isDict || std::ranges::any_of(items, [](const auto& item) { return item.first[0] != '"'; })) {
    error(DiagId::TypeMismatch, where,
          fmt::format("`**` in a call takes a dict whose keys are texts, not {}", describe(values)));
    return false;
  }
  for (const auto& [key, value] : items) add(key.substr(1, key.size() - 2), value);
  return true;
}

//===--- what Numba's signatures declare ----------------------------------------------------------------------===//

/// How far the argument is from the type that is declared, as Numba has it; nothing where it does not fit.
static std::optional<int> distance(const Value& v, const ast::TypeSpec& declared) {
  enum { Same, Wider, Safe, Unsafe };
  if (declared.isTakenApart() || declared.dtype == "text") return Same;
  if (declared.mayBeNone && (v.as<NoneValue>() || v.as<OptionalValue>())) return Same;
  const DType to = *ir::dtypeNamed(declared.dtype);
  if (const auto* a = v.as<Array>(); a && declared.isArray)
    return a->type == to && a->shape.size() == declared.extents.size() ? std::optional<int>(Same)
                                                                       : std::nullopt;
  const auto* s = v.as<Scalar>();
  if (!s || declared.isArray || (ir::isComplex(s->type()) && !ir::isComplex(to))) return std::nullopt;
  if (s->type() == to) return Same;
  if (ir::promote(s->type(), to) != to) return Unsafe;
  const bool isOfKind =
      ir::isFloat(s->type()) == ir::isFloat(to) && ir::isComplex(s->type()) == ir::isComplex(to);
  return isOfKind && ir::isSigned(s->type()) == ir::isSigned(to) ? Wider : Safe;
}

/// A number as the type that is declared, as C has it: what does not fit wraps.
Value Lowering::convertedTo(const ast::TypeSpec& declared, const Value& v) {
  if (v.as<OptionalValue>() && declared.mayBeNone) {
    std::vector<Value> parts = heldParts(v);
    parts[1] = convertedTo(declared, parts[1]);
    return parts[1].isError() ? parts[1] : builtLike(v, std::move(parts));
  }
  if (v.as<OptionalValue>()) return convertedTo(declared, present(v, statement_));
  const auto* s = v.as<Scalar>();
  if (!s || declared.isArray || declared.isTakenApart() || !ir::dtypeNamed(declared.dtype)) return v;
  const DType to = *ir::dtypeNamed(declared.dtype);
  const bool isPlain = s->others.empty() && !s->isExtended && !s->isEither;
  if (isPlain && s->type() == to) return v;
  if (ir::isComplex(s->type()) && !ir::isComplex(to))
    return error(DiagId::TypeMismatch, statement_,
                 fmt::format("Numba makes no {} of this, which is {}; take its `.real`", ir::name(to),
                             ir::name(s->type())));
  if (!isPlain) return callRow(*functionAt("dtype"), {{v}, {}, statement_}, "", TypeValue{to});
  const bool isPythons = to == DType::I64 || to == DType::F64 || to == DType::C128;
  const Value made = castTo(Value{Scalar{s->e}}, to, statement_);
  const auto* number = made.as<Scalar>();
  return number ? Value{Scalar{number->e, s->weak && isPythons}} : made;
}

Value Lowering::asDeclared(const Value& returned, const ast::Signature* declared) {
  if (!declared) return returned;
  const auto* t = returned.as<TupleValue>();
  if (t && !t->isList && t->items.size() == declared->results.size()) {
    TupleValue converted = *t;
    for (size_t k = 0; k < t->items.size(); ++k)
      converted.items[k] = convertedTo(declared->results[k], t->items[k]);
    return Value{converted};
  }
  return declared->results.size() == 1 ? convertedTo(declared->results[0], returned) : returned;
}

/// Converts the numbers that a call gives to what the signature declares that is nearest to all, which it returns; null if
/// none is.
const ast::Signature* Lowering::convertArguments(const ast::Function& fn, std::vector<Values>& args) {
  const ast::Signature* nearest = nullptr;
  std::vector<int> best; // the greatest first
  for (const ast::Signature& declared : fn.converting) {
    std::vector<int> distances;
    for (size_t k = 0; k < args.size(); ++k) {
      if (args[k].empty() || !declared.params[k]) continue;
      const std::optional<int> far = distance(args[k][0], *declared.params[k]);
      distances.push_back(far.value_or(INT_MAX));
    }
    std::ranges::sort(distances, std::greater<>());
    if (!distances.empty() && distances[0] == INT_MAX) continue;
    if (!nearest || distances < best) nearest = &declared, best = distances;
  }
  if (!nearest) return nullptr;
  for (size_t k = 0; k < args.size(); ++k)
    if (!args[k].empty() && nearest->params[k]) args[k][0] = convertedTo(*nearest->params[k], args[k][0]);
  return nearest;
}

} // namespace appyc::sema
