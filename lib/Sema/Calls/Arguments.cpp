//===- Arguments.cpp - binds a call's arguments to the parameters of a row or of a function ------------===//
#include "Arguments.h"
#include "Lowering.h"
#include "appyc/Support/Spelling.h"
#include <cstdlib>

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

} // namespace appyc::sema
