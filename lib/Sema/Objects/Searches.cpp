//===- Searches.cpp - next(): the first element that a generator gives ------------------------------------===//
//   k = next((k for k in range(n) if a[k] > t), -1)     =>   k = -1; found = False
//                                                            for j in range(n), unless found: if a[j] > t: k = j; found = True
#include "Items.h"
#include "Lowering.h"
#include "Message.h"

namespace appyc::sema {

/// What is new with the call, so that nobody can tell how far it has been run over.
std::optional<Value> Lowering::newIterator(const ast::Expr& given) {
  const auto* c = given.as<ast::Comprehension>();
  const auto* made = given.as<ast::Call>();
  const auto* name = made ? made->callee.as<ast::Name>() : nullptr;
  if (c && !c->isList) return eval(given);
  if (!name || env().count(name->id)) return std::nullopt;
  if (name->id == "iter" && made->args.size() == 1 && made->keywords.empty()) return eval(made->args[0]);
  constexpr std::string_view kMakers[] = {"map", "filter", "zip", "enumerate", "reversed"};
  const bool isMade = std::ranges::find(kMakers, name->id) != std::end(kMakers);
  return isMade ? std::optional(eval(given)) : std::nullopt;
}

/// `next(iterator)` and `next(iterator, default)`
Value Lowering::callNext(const ast::Call& c, Span where) {
  if (c.args.empty() || c.args.size() > 2 || !c.keywords.empty())
    return error(DiagId::TypeMismatch, where,
                 "`next` takes an iterator, and what it gives where there is no more");
  if (c.args[0].is<ast::Name>() &&
      eval(c.args[0]).as<UserFunction>()) // which gives the next one (Steppers.cpp)
    return eval(ast::make(where, ast::Call{c.args[0], {}, {}}));
  Value found;
  Expr isFound;
  {
    Waiting parts(*this);
    const std::optional<Value> over = newIterator(c.args[0]);
    if (!over)
      return error(DiagId::Unsupported, where,
                   "`next` is translated of what is made in the call, `next(x for x in a if ...)`, "
                   "`next(iter(a))`: how far "
                   "another iterator has been run over is not known; write a `for` loop");
    parts.add(*over);
    if (c.args.size() == 2) parts.add(evalMaybe(c.args[1]));
    const Value given = parts[0];
    if (given.isError() || (parts.size() > 1 && parts[1].isError())) return Value{};
    const GeneratorValue g =
        given.as<GeneratorValue>() ? *given.as<GeneratorValue>() : generatorOver(asIterable(given), where);
    const std::string value = unusedName("first"), flag = unusedName("found");
    for (const std::string& name : {value, flag}) frame().names[name].reads.push_back({UINT32_MAX, {}});
    const Span at = g.generator->span;
    const auto named = [&](const std::string& name) { return ast::make(at, ast::Name{name}); };
    const auto assign = [&](const std::string& name, const ast::Expr& to) {
      return ast::makeStmt(at, ast::Assign{{named(name)}, to, {}});
    };
    if (parts.size() > 1) assignName(value, parts[1], where);
    assignName(flag, Value{Scalar{ir::boolConst(false), true}}, where);
    const ast::Expr element = g.generator.as<ast::Comprehension>()->element;
    const int errors = diag_.errorCount();
    const Value reached = foldedBy(
        g, flag, {assign(value, element), assign(flag, ast::make(at, ast::BoolLit{true}))}, named(flag), at);
    const auto held = env().find(value);
    if (held != env().end()) found = held->second;
    if (const auto* s = reached.as<Scalar>()) isFound = s->e;
    if (found.isError() && diag_.errorCount() == errors && !listStates_.haveChanged) {
      const auto lost = env().lost.find(value);
      error(
          DiagId::Unsupported, where,
          fmt::format("what `next` gives {}", lost != env().lost.end() ? lost->second : "has no value here"));
    }
    if (parts.size() == 1 && isFound && !found.isError()) require(isFound, "StopIteration", Message(""));
    for (const std::string& name : {value, flag}) {
      env().boundIf.erase(name);
      forgetName(name);
    }
  }
  return found;
}

} // namespace appyc::sema
