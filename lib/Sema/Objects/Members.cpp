//===- Members.cpp - members of an `enum.Enum`: numbers of those that the class has ---------------------------===//
//   class Side(Enum): BUY = "b"; SELL = "s"            side = 0
//   side = Side.BUY                              =>    for i in [0, n):
//   for i in range(n): ... side = Side.SELL ...          ... side = 1 ...
// As of texts in memory (Texts.cpp) which one it is is all that is asked, but for its value and its name.
#include "Items.h"
#include "Lowering.h"
#include "Message.h"

namespace appyc::sema {

static const ast::ClassRef* enumOf(const Value& v) {
  const auto* r = v.as<RecordValue>();
  return r && r->type && r->type->isEnum ? &r->type : nullptr;
}

bool isMember(const Value& v) { return enumOf(v) != nullptr; }

Value Lowering::memberAt(const ast::ClassRef& type, size_t k) {
  const std::string object = type->name + " in memory";
  objects_.try_emplace(object, Object{type, {}});
  return Value{RecordValue{type, object, true, ir::intConst(static_cast<int64_t>(k))}};
}

/// All of them, as what is run over.
std::optional<Value> Lowering::membersOf(const Value& v) {
  const auto* c = v.as<ClassValue>();
  if (!c || !c->type->isEnum || !c->type->problem.empty()) return std::nullopt;
  TupleValue all;
  for (size_t k = 0; k < c->type->constants.size(); ++k) all.items.push_back(memberAt(c->type, k));
  return Value{all};
}

/// `Side("b")`: the member of that value.
Value Lowering::memberWithValue(const ast::ClassRef& type, const Value& given, Span where) {
  if (isMember(given) && *enumOf(given) == type) return given;
  const Value value = evaluatedOnce(storedText(given), "value");
  Expr number = ir::intConst(-1);
  for (size_t k = type->constants.size(); k-- > 0;) {
    const Value own = storedText(eval(type->constants[k].defaultValue));
    const bool isAlike =
        value.as<Scalar>() ? own.as<Scalar>() != nullptr : isStoredText(value) && isStoredText(own);
    if (!isAlike) continue;
    const Value isIt = compare(ir::BinaryOp::Eq, value, own, where);
    if (!isIt.as<Scalar>()) return isIt;
    number = ir::select(truth(isIt.as<Scalar>()->e), ir::intConst(static_cast<int64_t>(k)), number);
  }
  if (!value.as<Scalar>() && !isStoredText(value))
    return error(DiagId::Unsupported, where,
                 fmt::format("a member is found by a number or a text, not {}", describe(value)));
  number = ir::constantInt(number) ? number : materialize(number, "member");
  Message message("");
  if (value.as<Scalar>()) show(value, message);
  message.text(fmt::format(" is not a valid {}", type->name));
  require(ir::binary(ir::BinaryOp::Ge, number, ir::intConst(0)), "ValueError", message);
  RecordValue member = *memberAt(type, 0).as<RecordValue>();
  member.at = number;
  return Value{member};
}

/// `Side.BUY`, `side.value`, `side.name`; none of others.
std::optional<Value> Lowering::attributeOfMember(const ast::ClassRef& type, const Value& base,
                                                 const std::string& name, Span where) {
  for (size_t k = 0; k < type->constants.size(); ++k)
    if (type->constants[k].name == name) return memberAt(type, k);
  if (!isMember(base) || (name != "value" && name != "name")) return std::nullopt;
  Values all;
  for (const ast::Class::Field& member : type->constants)
    all.push_back(name == "value" ? eval(member.defaultValue) : Value{StringValue{member.name}});
  const Value number = heldParts(base)[0];
  if (const std::optional<int64_t> known = constantArgument(number)) return all[static_cast<size_t>(*known)];
  for (Value& v : all) v = storedText(v);
  return chosenItem(all, number.as<Scalar>()->e, where);
}

/// `==` and `!=`: of members of one enumeration; nothing else is equal to one.
std::optional<Value> Lowering::compareMembers(ir::BinaryOp op, const Value& a, const Value& b, Span where) {
  if (!isMember(a) && !isMember(b)) return std::nullopt;
  if (a.as<OptionalValue>() || b.as<OptionalValue>()) return std::nullopt;
  if (op != ir::BinaryOp::Eq && op != ir::BinaryOp::Ne)
    return error(DiagId::TypeMismatch, where,
                 "members of an `Enum` have no order; compare them by `==`, or write `enum.IntEnum`");
  if (!isMember(a) || !isMember(b) || *enumOf(a) != *enumOf(b))
    return Value{Scalar{ir::boolConst(op == ir::BinaryOp::Ne), true}};
  return compare(op, heldParts(a)[0], heldParts(b)[0], where);
}

/// Of which field a pattern `Point(0, y)` of `match` speaks: the name that no class has where it says nothing of it.
std::string fieldOfPattern(const ast::Class& type, const std::string& pattern) {
  size_t k = std::stoul(pattern.substr(kFieldOfPattern.size()));
  for (const ast::Class::Field& c : type.constants)
    if (const auto* names = c.defaultValue.as<ast::Tuple>(); c.name == "__match_args__" && names) {
      const auto* text = k < names->items.size() ? names->items[k].as<ast::StringLit>() : nullptr;
      return text ? text->value : "__match_args__";
    }
  const bool isPlain = std::ranges::any_of(
      type.methods, [](const ast::Class::Method& m) { return m.function->name == "__init__"; });
  for (const ast::Class::Field& f : type.fields)
    if (f.isArgument && !isPlain && k-- == 0) return f.name;
  return "__match_args__";
}

} // namespace appyc::sema
