//===- Texts.cpp - texts in lists and in fields, and where paths meet: numbers of those that the function names -----===//
//   trades.append((t, "buy"))             trades_0[length] = t;  trades_1[length] = 0          texts: "buy", "sell"
//   for t, kind in trades:          =>    for k in [0, length):
//     if kind == "sell": ...                if trades_1[k] == 1: ...
// Which text it is, and whether two are one, is all that the program asks of these; Python makes the text where it is printed
// or returned. All of them are known when all of the function has been seen: where there is another one, it is lowered
// once more. A text is an instance of a class of its own, of which all instances are there.
#include "Lowering.h"

namespace appyc::sema {

static const ast::ClassRef& textType() {
  static const ast::ClassRef kType = [] {
    ast::Class made{"text"};
    made.kind = ast::Class::DataClass;
    return std::make_shared<const ast::Class>(made);
  }();
  return kType;
}

bool isStoredText(const Value& v) {
  const auto* r = v.as<RecordValue>();
  return r && r->isPooled && r->type == textType();
}

bool holdsText(const Value& v) {
  return v.as<StringValue>() || isStoredText(v) ||
         (!isPooled(v) && std::ranges::any_of(heldParts(v), holdsText));
}

/// The value as it is kept in memory: constant texts in it are numbers.
Value Lowering::storedText(const Value& v) {
  if (const auto* s = v.as<StringValue>()) {
    std::vector<std::string>& texts = listStates_.texts;
    auto known = std::ranges::find(texts, s->text);
    if (known == texts.end()) {
      listStates_.haveChanged = true;
      known = texts.insert(known, s->text);
    }
    const std::string object = textType()->name + " in memory";
    objects_.try_emplace(object, Object{textType(), {}});
    return Value{RecordValue{textType(), object, true, ir::intConst(known - texts.begin())}};
  }
  if (!v.as<TupleValue>() && !v.as<OptionalValue>()) return v;
  std::vector<Value> parts = heldParts(v);
  if (std::ranges::none_of(parts, holdsText)) return v;
  for (Value& part : parts) part = storedText(part);
  return builtLike(v, std::move(parts));
}

/// `==` and `!=` of texts in memory, also with constant ones.
std::optional<Value> Lowering::compareTexts(ir::BinaryOp op, const Value& a, const Value& b, Span where) {
  if (!isStoredText(a) && !isStoredText(b)) return std::nullopt;
  const bool isEqual = op == ir::BinaryOp::Eq;
  if (!isEqual && op != ir::BinaryOp::Ne)
    return error(DiagId::Unsupported, where,
                 "texts of which the run tells which they are have no order here; compare them by `==`");
  const auto isOther = [](const Value& v) { // equal to no text
    return v.as<Scalar>() || v.as<NoneValue>() || v.as<TupleValue>();
  };
  if (isOther(a) || isOther(b)) return Value{Scalar{ir::boolConst(!isEqual), true}};
  const Value x = storedText(a), y = storedText(b);
  if (!isStoredText(x) || !isStoredText(y))
    return error(
        DiagId::Unsupported, where,
        fmt::format("a text of which the run tells which it is is compared with constant ones, not {}",
                    describe(isStoredText(x) ? y : x)));
  return compare(op, heldParts(x)[0], heldParts(y)[0], where);
}

/// The wrapper takes the text from all of them: that of a number, or those of a list of numbers.
ir::Form Lowering::formOfText(const Value& numbers, bool isMany, Values& values) const {
  ir::Form form;
  form.kind = ir::Form::Zipped;
  form.type = isMany ? "texts" : "text";
  form.keys = listStates_.texts;
  form.parts.resize(1);
  form.parts[0].kind = ir::Form::Value;
  values.push_back(numbers);
  return form;
}

} // namespace appyc::sema
