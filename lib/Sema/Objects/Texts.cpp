//===- Texts.cpp - texts in lists and in fields, and where paths meet: numbers of those that the function names -----===//
//   trades.append((t, "buy"))             trades_0[length] = t;  trades_1[length] = 0          texts: "buy", "sell"
//   for t, kind in trades:          =>    for k in [0, length):
//     if kind == "sell": ...                if trades_1[k] == 1: ...
// Which text it is, and whether two are one, is all that the program asks of these; Python makes the text where it is printed
// or returned. All of them are known when all of the function has been seen: where there is another one, it is lowered
// once more. A text is an instance of a class of its own, of which all instances are there.
#include "Lowering.h"
#include "appyc/IR/Simplify.h"

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

/// The number of the text's one character; none of other texts.
static std::optional<int64_t> onlyCharacter(const std::string& text) {
  const bool isOne = charactersOf(StringValue{text}).items.size() == 1;
  const unsigned first = isOne ? static_cast<unsigned char>(text[0]) : 0xFFU;
  if (text.size() == 1) return first < 0x80 ? std::optional<int64_t>(first) : std::nullopt;
  if (!isOne || text.size() > 4) return std::nullopt;
  int64_t number = first & (0xFFU >> (text.size() + 1));
  for (size_t k = 1; k < text.size(); ++k)
    number = number * 64 + (static_cast<unsigned char>(text[k]) & 0x3FU);
  return number;
}

/// The text of the character with this number.
Value Lowering::characterOf(const Expr& number) {
  const std::string object = textType()->name + " in memory";
  objects_.try_emplace(object, Object{textType(), {}});
  return Value{RecordValue{textType(), object, true, ir::sub(ir::intConst(-1), number)}};
}

/// The value as it is kept in memory: constant texts in it are numbers.
Value Lowering::storedText(const Value& v) {
  if (const auto* s = v.as<StringValue>()) {
    if (const auto one = listStates_.areCharacters ? onlyCharacter(s->text) : std::nullopt)
      return characterOf(ir::intConst(*one));
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
  if (a.as<CharactersValue>() || b.as<CharactersValue>()) return compareCharacters(op, a, b, where);
  if (!isStoredText(a) && !isStoredText(b)) return std::nullopt;
  const bool isEqual = op == ir::BinaryOp::Eq;
  const bool areOrdered = !isEqual && op != ir::BinaryOp::Ne && listStates_.areCharacters;
  if (const std::optional<Expr> x = areOrdered ? characterIn(a, "an order") : std::nullopt)
    if (const std::optional<Expr> y = characterIn(b, "an order"))
      return Value{Scalar{ir::binary(op, *x, *y), true}};
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
  if (listStates_.areCharacters) form.module = "characters";
  form.parts.resize(1);
  form.parts[0].kind = ir::Form::Value;
  values.push_back(numbers);
  return form;
}

//===--- characters -------------------------------------------------------------------------------------------===//
//   def f(s: str): return s[0] == s[-1], len(s)    =>    the wrapper makes an array of -1 less each character's number
// A parameter of which the function asks for characters is a list of them when it is lowered once more. From then on a text of
// one character is below 0 everywhere: no list of texts is needed for what it is.

/// Texts of one character get numbers of their own when the function is lowered once more; false where they have them.
bool Lowering::becomesCharacters() {
  if (listStates_.areCharacters) return false;
  return listStates_.areCharacters = listStates_.haveChanged = true;
}

/// The parameters' types, texts by their characters among them.
ast::Signature Lowering::withCharacters(const ast::Function& fn, const ast::Signature& given) const {
  ast::Signature made = given;
  for (size_t k = 0; k < made.params.size(); ++k) {
    std::optional<ast::TypeSpec>& type = made.params[k];
    if (!type || type->dtype != "text" || !listStates_.characters.count(fn.params[k].name)) continue;
    type->dtype = "characters";
    type->container = ast::TypeSpec::List;
  }
  return made;
}

/// The text by its characters; of a parameter that is none yet, it becomes one.
std::optional<CharactersValue> Lowering::charactersIn(const Value& v) {
  if (const auto* text = v.as<CharactersValue>()) return *text;
  if (!isStoredText(v)) return std::nullopt;
  for (const ir::Taken& taken : out_.taken) {
    const auto own = frames_.front().env.find(taken.name);
    if (taken.form.type != "text" || own == frames_.front().env.end() || !isStoredText(own->second) ||
        !ir::equal(own->second.as<RecordValue>()->at, v.as<RecordValue>()->at))
      continue;
    becomesCharacters();
    if (!listStates_.characters.insert(taken.name).second) continue;
    listStates_.haveChanged = true;
  }
  return std::nullopt;
}

/// The characters that the wrapper gives as numbers.
Value charactersOfNumbers(ListValue numbers, const Value& like) {
  numbers.isKept = true;
  ListValue all;
  all.values = numbers.values;
  all.isTuple = all.isKept = true;
  all.like = std::make_shared<const Value>(emptied(like));
  all.fields = {std::move(numbers)};
  return Value{CharactersValue{all}};
}

/// What they are in memory, as a list of numbers; none of what is no text.
std::optional<Value> Lowering::numbersOfCharacters(const Value& v) {
  if (const auto* text = v.as<CharactersValue>()) return Value{text->characters.fields[0]};
  if (const auto* text = v.as<StringValue>()) {
    TupleValue numbers{{}, true};
    for (const Value& one : charactersOf(*text).items) numbers.items.push_back(heldParts(storedText(one))[0]);
    return Value{numbers};
  }
  if (!isStoredText(v) || !characterIn(v, "a comparison with a text by its characters")) return std::nullopt;
  return Value{TupleValue{{heldParts(v)[0]}, true}};
}

/// The number of the one character of a text; `asker` takes nothing else.
std::optional<Expr> Lowering::characterIn(const Value& v, const std::string& asker) {
  if (const auto* text = v.as<StringValue>()) {
    const std::optional<int64_t> one = onlyCharacter(text->text);
    return one ? std::optional(ir::intConst(*one)) : std::nullopt;
  }
  if (const auto* text = v.as<CharactersValue>()) {
    const Expr isOne = ir::binary(ir::BinaryOp::Eq, itemsIn(text->characters).e, ir::intConst(1));
    require(isOne, "TypeError", asker + " takes a text of one character");
    return ir::sub(ir::intConst(-1), text->characters.fields[0].values.at({ir::intConst(0)}));
  }
  if (!isStoredText(v) || becomesCharacters()) return std::nullopt;
  const Expr at = stable(v.as<RecordValue>()->at);
  const bool mayBeLonger =
      !listStates_.texts.empty() ||
      std::ranges::any_of(out_.taken, [](const ir::Taken& t) { return t.form.type == "text"; });
  const Expr isOne = ir::binary(ir::BinaryOp::LogicalAnd, ir::binary(ir::BinaryOp::Lt, at, ir::intConst(0)),
                                ir::binary(ir::BinaryOp::Ge, at, ir::intConst(-0x110000)));
  if (mayBeLonger && ir::constantBool(isOne) != true)
    require(isOne, "TypeError", asker + " takes a text of one character");
  return ir::sub(ir::intConst(-1), at);
}

/// `==` and `!=` of a text by its characters.
std::optional<Value> Lowering::compareCharacters(ir::BinaryOp op, const Value& a, const Value& b,
                                                 Span where) {
  const bool isEqual = op == ir::BinaryOp::Eq;
  if (!isEqual && op != ir::BinaryOp::Ne)
    return error(DiagId::Unsupported, where,
                 "texts by their characters have no order here; compare their characters, or lists of them");
  if (becomesCharacters()) return Value{};
  const std::optional<Value> x = numbersOfCharacters(a), y = x ? numbersOfCharacters(b) : std::nullopt;
  if (y) return compare(op, *x, *y, where);
  for (const Value* v : {&a, &b})
    if (v->as<TextValue>() || v->as<DigitsValue>() || v->as<OptionalValue>())
      return error(DiagId::Unsupported, where,
                   fmt::format("a text by its characters is not compared with {}", describe(*v)));
  return Value{Scalar{ir::boolConst(!isEqual), true}};
}

Value Lowering::callOrd(const Bound& b) {
  const Value& v = b["c"];
  if (v.isError()) return v;
  const std::optional<Expr> number = characterIn(v, "ord()");
  if (number) return Value{Scalar{*number, true}};
  return error(DiagId::TypeMismatch, b.where,
               fmt::format("ord() takes a text of one character, not {}", describe(v)));
}

Value Lowering::callChr(const Bound& b) {
  const auto* s = b["i"].as<Scalar>();
  if (b["i"].isError()) return Value{};
  if (!s || !ir::isInteger(s->type()))
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("chr() takes a whole number, not {}", describe(b["i"])));
  if (const std::optional<int64_t> known = constantArgument(b["i"]); known && *known > 0 && *known < 0x80)
    return Value{StringValue{std::string(1, static_cast<char>(*known))}};
  if (becomesCharacters()) return Value{};
  const Expr n = stable(ir::cast(DType::I64, s->e));
  require(ir::binary(ir::BinaryOp::LogicalAnd, ir::binary(ir::BinaryOp::Ge, n, ir::intConst(0)),
                     ir::binary(ir::BinaryOp::Lt, n, ir::intConst(0x110000))),
          "ValueError", std::string("chr() arg not in range(0x110000)"));
  return characterOf(n);
}

/// `bin(n)`, `oct(n)`, `hex(n)`
Value Lowering::callInBase(const Bound& b) {
  const Value& given = b["number"];
  const auto* s = given.as<Scalar>();
  if (given.isError()) return given;
  if (!s || !ir::isInteger(s->type()))
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("{}() takes a whole number, not {}", b.display(), describe(given)));
  if (becomesCharacters()) return Value{};
  const bool isBinary = b.display() == "bin", isOctal = b.display() == "oct";
  const auto number = [](int64_t n) { return Value{Scalar{ir::intConst(n), true}}; };
  const Value n{Scalar{ir::cast(DType::I64, s->e), true}};
  const Value made = callListFunction("in_base",
                                      {n,
                                       number(isBinary  ? 1
                                              : isOctal ? 3
                                                        : 4),
                                       number(isBinary  ? 'b'
                                              : isOctal ? 'o'
                                                        : 'x')},
                                      b.where);
  const auto* list = made.as<ListValue>();
  return list ? charactersOfNumbers(*list, characterOf(ir::intConst(0))) : made;
}

/// Methods of characters, and of texts by them.
Value Lowering::callCharacterMethod(const Value& self, const std::string& name, const Arguments& args) {
  const auto both = [](const Expr& a, const Expr& b) { return ir::binary(ir::BinaryOp::LogicalAnd, a, b); };
  const auto isFrom = [&](const Expr& c, int first, int last) {
    return both(ir::binary(ir::BinaryOp::Ge, c, ir::intConst(first)),
                ir::binary(ir::BinaryOp::Le, c, ir::intConst(last)));
  };
  const auto either = [](const Expr& a, const Expr& b) { return ir::binary(ir::BinaryOp::LogicalOr, a, b); };
  const bool isUpper = name == "upper", isPlain = args.positional.empty() && args.keywords.empty();
  const auto withCase = [&](const Expr& c) { // 32 between the cases
    const Expr other = ir::add(c, ir::intConst(isUpper ? -32 : 32));
    return ir::select(isUpper ? isFrom(c, 'a', 'z') : isFrom(c, 'A', 'Z'), other, c);
  };
  const auto isKnown = [&](const Expr& all) {
    require(all, "NotImplementedError", fmt::format("`.{}` is translated of ASCII's characters", name));
  };
  const auto* text = self.as<CharactersValue>();
  if (isPlain && !text && isStoredText(self)) {
    const std::optional<Expr> number = characterIn(self, fmt::format("`.{}`, as translated,", name));
    if (!number) return Value{};
    const Expr c = stable(*number);
    const auto truth = [](const Expr& e) { return Value{Scalar{e, true}}; };
    isKnown(ir::binary(ir::BinaryOp::Lt, c, ir::intConst(0x80)));
    if (isUpper || name == "lower") return characterOf(withCase(c));
    const Expr digit = isFrom(c, '0', '9'), upper = isFrom(c, 'A', 'Z'), lower = isFrom(c, 'a', 'z');
    if (name == "isdigit") return truth(digit);
    if (name == "isupper") return truth(upper);
    if (name == "islower") return truth(lower);
    if (name == "isalpha") return truth(either(upper, lower));
    if (name == "isalnum") return truth(either(digit, either(upper, lower)));
    if (name == "isspace")
      return truth(either(isFrom(c, 9, 13), either(isFrom(c, 28, 31), isFrom(c, ' ', ' '))));
  }
  if (text && isPlain && (isUpper || name == "lower")) {
    const Array numbers = elementsOf(text->characters.fields[0]);
    const Array other = materialize(
        [&] {
          Array made = numbers;
          made.view = nullptr;
          made.at = [numbers, withCase](const Indices& i) {
            const Expr minus = ir::intConst(-1);
            return ir::sub(minus, withCase(ir::sub(minus, numbers.at(i))));
          };
          return made;
        }(),
        "text");
    const Value least = callNamed(
        "min", {{Value{numbers}}, {{"default", Value{Scalar{ir::intConst(-1), true}}}}, args.where});
    if (!least.as<Scalar>()) return Value{};
    isKnown(ir::binary(ir::BinaryOp::Ge, least.as<Scalar>()->e, ir::intConst(-0x80)));
    ListValue made = text->characters.fields[0];
    made.values = other;
    return charactersOfNumbers(made, characterOf(ir::intConst(0)));
  }
  if (text && args.positional.size() == 1 && args.keywords.empty() &&
      (name == "count" || name == "index" || name == "find")) {
    const auto* constant = args.positional[0].as<StringValue>();
    if ((constant && onlyCharacter(constant->text)) || isStoredText(args.positional[0]))
      if (const std::optional<Expr> c =
              characterIn(args.positional[0], fmt::format("`.{}`, as translated,", name)))
        return callListFunction(
            name, {Value{text->characters.fields[0]}, Value{Scalar{ir::sub(ir::intConst(-1), *c), true}}},
            args.where);
  }
  if (self.as<CharactersValue>() || !isPlain || listStates_.haveChanged)
    return error(
        DiagId::Unsupported, args.where,
        fmt::format("`.{}` is not translated of a text of which only the call tells the characters; write "
                    "a loop over them",
                    name));
  return error(
      DiagId::Unsupported, args.where,
      fmt::format("`.{}` of one of several texts is not translated: compare it by `==`, or look at it "
                  "character by character",
                  name));
}

} // namespace appyc::sema
