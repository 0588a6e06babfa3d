//===- Printing.cpp - print(), and texts with numbers in them, which Python makes -------------------------===//
//   print(f"step {i}: {r:.3e}")   =>   python print("step {}: {:.3e}".format({i}, {r}))
// Texts are no values of the translated program: what they are made of is, and Python's own formatting is asked for them when
// they are printed (ir::Print) or raised. So they come out as CPython's, whatever the format. Elements of arrays are handed over
// before, one by one: `_shown(dtype, shape)` is the array of the next of these.
#include "Arguments.h"
#include "Lowering.h"
#include "Names.h"
#include "Nest.h"
#include "Steps.h"
#include "appyc/Support/Quoted.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace appyc::sema {

bool isText(const Value& v) { return v.as<StringValue>() || v.as<TextValue>() || isStoredText(v); }

static TextValue code(std::string text) { return {{std::move(text)}, {}}; }

static TextValue& operator+=(TextValue& a, const TextValue& b) {
  a.pieces.back() += b.pieces.front();
  a.pieces.insert(a.pieces.end(), b.pieces.begin() + 1, b.pieces.end());
  a.values.insert(a.values.end(), b.values.begin(), b.values.end());
  a.arrays.insert(a.arrays.end(), b.arrays.begin(), b.arrays.end());
  return a;
}
static TextValue operator+(TextValue a, const TextValue& b) { return std::move(a += b); }
static TextValue operator+(TextValue a, const std::string& b) { return std::move(a += code(b)); }

/// `{value}` of the program's.
static TextValue hole(Expr e) { return {{"", ""}, {std::move(e)}}; }

/// The number as Python has it; inside of a tuple its type shows.
std::optional<TextValue> Lowering::numberCode(const Scalar& s, bool isInside, Span where) {
  const auto kindOf = [](DType t) {
    return ir::isBool(t) ? 0 : ir::isInteger(t) ? 1 : ir::isFloat(t) ? 2 : 3;
  };
  if (s.isExtended && !(s.isEither && isInside)) {
    const TextValue number = code("_extended(") + hole(stable(s.e));
    return number + (s.weak || !isInside ? ")" : ", _np.int64)");
  }
  const DType type = s.as.value_or(s.type());
  const bool isWide = type == DType::I64 || type == DType::F64;
  bool depends = s.isOpaque || s.isExtended;
  for (const Scalar& other : s.others)
    depends |= other.e ? kindOf(other.type()) != kindOf(type) || !isWide || isInside : isInside || !isWide;
  if (depends) {
    error(DiagId::TypeMismatch, where,
          "this number is of one type on one path and of another on others, which print differently; convert "
          "it, "
          "as by `float(...)`, or begin with a number of its type");
    return std::nullopt;
  }
  if (const auto known = ir::constantInt(s.e); known && s.weak && type == DType::I64)
    return code(std::to_string(*known));
  if (ir::isComplex(type)) {
    const DType part = ir::realOf(type);
    const Expr z = stable(s.e);
    TextValue number = code("_builtins.complex(") + hole(stable(ir::call(ir::Intrinsic::Real, part, {z}))) +
                       ", " + hole(stable(ir::call(ir::Intrinsic::Imag, part, {z}))) + ")";
    return s.weak ? number : code(fmt::format("_np.{}(", ir::numpyName(type))) + number + ")";
  }
  const TextValue number = hole(stable(s.e));
  if (s.weak || (isWide && !isInside)) return number; // print as Python's own
  return code(fmt::format("_np.{}(", ir::isBool(type) ? "bool_" : ir::numpyName(type))) + number + ")";
}

/// An array, whose elements are handed over when the text is printed.
TextValue Lowering::arrayCode(const Array& a) {
  Array shown = a.view ? a : materialize(a, "shown");
  for (Expr& extent : shown.shape) extent = stable(extent);
  TextValue text = code(fmt::format("_shown(\"{}\", (", ir::isBool(a.type) ? "bool" : ir::numpyName(a.type)));
  for (const Expr& extent : shown.shape) text = text + hole(extent) + ", ";
  text.arrays.push_back(shown);
  return text + "))";
}

//===--- the digits of a number's text -----------------------------------------------------------------------===//

Expr wholeOf(const Value& v) {
  const auto* text = v.as<TextValue>();
  const bool isOne =
      text && text->arrays.empty() && text->pieces == std::vector<std::string>{"_builtins.str(", ")"};
  return isOne && ir::isInteger(ir::typeOf(text->values[0])) ? text->values[0] : Expr();
}

/// What Python has for single characters, and for several, of which the numbers are given.
Value Lowering::textOfDigits(const Value& digits) const {
  if (const auto* s = digits.as<Scalar>()) return Value{code("_builtins.str(") + hole(s->e) + ")"};
  const auto* list = digits.as<ListValue>();
  return list ? Value{DigitsValue{*list}} : digits;
}

/// The characters that Python has when it runs over the text; none of a text that is no whole number's.
std::optional<DigitsValue> Lowering::digitsOf(const Value& v, Span where) {
  if (const auto* known = v.as<DigitsValue>()) return *known;
  const Expr n = wholeOf(v);
  if (!n) return std::nullopt;
  const Value digits =
      callListFunction("digits", {Value{Scalar{stable(ir::cast(DType::I64, n)), true}}}, where);
  const auto* list = digits.as<ListValue>();
  return list ? std::optional(DigitsValue{*list}) : std::nullopt;
}

/// `==` of texts of whole numbers, and with constant texts.
std::optional<Value> Lowering::compareDigits(ir::BinaryOp op, const Value& a, const Value& b, Span where) {
  const auto isNumber = [](const Value& v) { return v.as<DigitsValue>() || wholeOf(v); };
  const bool isEqual = op == ir::BinaryOp::Eq;
  if ((!isEqual && op != ir::BinaryOp::Ne) || (!isNumber(a) && !isNumber(b))) return std::nullopt;
  if (wholeOf(a) && wholeOf(b))
    return compare(op, Value{Scalar{wholeOf(a), true}}, Value{Scalar{wholeOf(b), true}}, where);
  const auto listOf = [&](const Value& v) -> std::optional<Value> {
    if (const std::optional<DigitsValue> digits = digitsOf(v, where)) return Value{digits->digits};
    const auto* text = v.as<StringValue>();
    if (!text || text->text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    TupleValue digits{{}, true};
    for (const char c : text->text) digits.items.push_back(Value{Scalar{ir::intConst(c - '0'), true}});
    return Value{digits};
  };
  const std::optional<Value> x = listOf(a), y = x ? listOf(b) : std::nullopt;
  if (!y) return std::nullopt;
  return compare(op, *x, *y, where);
}

/// What each variable holds that the statements assign; nothing where they do anything else.
static std::optional<std::map<Symbol, Expr>> assignedIn(const std::vector<ir::Stmt>& made) {
  std::map<Symbol, Expr> all;
  const auto oneOf = [](const ir::Stmt& side) -> const ir::Assign* {
    const auto* b = side ? side.as<ir::Block>() : nullptr;
    return b && b->body.size() == 1 ? b->body[0].as<ir::Assign>() : side ? side.as<ir::Assign>() : nullptr;
  };
  for (const ir::Stmt& s : made) {
    const auto* a = s.as<ir::Assign>();
    const auto* i = s.as<ir::If>();
    const ir::Assign *then = i ? oneOf(i->then) : nullptr, *otherwise = i ? oneOf(i->otherwise) : nullptr;
    if (a)
      all[a->var] = ir::substitute(a->value, all);
    else if (then && otherwise && then->var == otherwise->var)
      all[then->var] = ir::substitute(ir::select(i->cond, then->value, otherwise->value), all);
    else
      return std::nullopt;
  }
  return all;
}

/// The list of texts that a generator gives, `" ".join(str(x) for x in a)`: of each number in them there is an array.
std::optional<TextValue> Lowering::textsCode(const GeneratorValue& g, Span where) {
  const auto& c = *g.generator.as<ast::Comprehension>();
  const auto refused = [&] {
    error(DiagId::Unsupported, where,
          "texts are made of what one `for` without a condition runs over, by formatting its items; print "
          "them one by one");
    return std::nullopt;
  };
  if (c.clauses.size() != 1 || !c.clauses[0].conditions.empty()) return refused();
  const int errors = diag_.errorCount();
  const std::optional<Steps> steps = stepsOf(*g.over, where);
  if (!steps || steps->isEndless) return std::nullopt;
  const Expr count = stable(steps->count), k = ir::var(Symbol("k"));
  std::optional<TextValue> text;
  const std::vector<ir::Stmt> made = collect([&] {
    inOwnScope(c, [&] {
      const Value item = steps->item(k);
      const auto* names = c.clauses[0].target.as<ast::Tuple>();
      const auto* parts = item.as<TupleValue>();
      if (const auto* n = c.clauses[0].target.as<ast::Name>())
        env()[n->id] = item;
      else if (names && parts && names->items.size() == parts->items.size())
        for (size_t i = 0; i < names->items.size(); ++i)
          if (const auto* n = names->items[i].as<ast::Name>()) env()[n->id] = parts->items[i];
      const Value v = eval(c.element);
      if (isText(v)) text = codeOf(v, where);
      return Value{};
    });
  });
  const auto held = assignedIn(made);
  if (!text || !held || !text->arrays.empty()) return diag_.errorCount() > errors ? std::nullopt : refused();
  std::string element = text->pieces[0], names;
  TextValue lists = code("");
  for (size_t i = 0; i < text->values.size(); ++i) {
    const Expr number = ir::substitute(text->values[i], *held);
    const auto at = [number, of = k.as<ir::Var>()->name](const Indices& index) {
      return ir::substitute(number, std::map<Symbol, Expr>{{of, index[0]}});
    };
    Array all{ir::typeOf(number), {count}, at};
    element += fmt::format("_{}", i) + text->pieces[i + 1];
    names += fmt::format("_{}, ", i);
    lists += arrayCode(all) + ".tolist(), ";
  }
  if (names.empty()) return code("[" + element + " for _ in _builtins.range(") + hole(count) + ")]";
  return code("[" + element + " for " + names + "in _builtins.zip(") + lists + ")]";
}

/// A list of lists that change: what is in all of them, one behind the other, and how many are in each.
std::optional<TextValue> Lowering::rowsCode(const NestedValue& rows, Span where) {
  if (rows.rows->areArrays || rows.rows->areSets) {
    error(DiagId::Unsupported, where, "a list of sets or arrays is not printed; print its items one by one");
    return std::nullopt;
  }
  const auto named = [&](const char* id) { return ast::make(where, ast::Name{id}); }; // no names of Python's
  const ast::Clause each{named("row of text"), named("rows of text"), {}};
  const ast::Expr length = ast::make(where, ast::Call{named("len()"), {named("row of text")}, {}});
  const Span other{where.begin + 1, where.end}; // another list
  writtenOut_.push_back(
      {ast::makeStmt(where, ast::ExprStmt{ast::make(where, ast::Comprehension{length, {each}, true})}),
       ast::makeStmt(where,
                     ast::ExprStmt{ast::make(
                         other, ast::Comprehension{ast::make(other, ast::Name{"item of text"}),
                                                   {each, {named("item of text"), named("row of text"), {}}},
                                                   true})})});
  env()["len()"] = Value{Callable{"len"}};
  std::vector<TextValue> lists;
  for (const ast::Stmt& s : ast::Body(writtenOut_.back())) {
    const Value list = listOfGenerator(
        {s.as<ast::ExprStmt>()->value, std::make_shared<const Value>(Value{NestedValue(rows)})});
    if (std::optional<TextValue> one = codeOf(list, where)) lists.push_back(std::move(*one));
  }
  env().erase("len()");
  if (lists.size() != 2) return std::nullopt;
  return code("(lambda n, x: [[x.pop(0) for _ in _builtins.range(k)] for k in n])(") + lists[0] + ", " +
         lists[1] + ")";
}

/// The expression of Python's that gives the value; nothing where it is reported that there is none.
std::optional<TextValue> Lowering::codeOf(const Value& v, Span where, bool isInside) {
  if (!isNoSet(v, where)) return std::nullopt;
  if (isDeque(v)) {
    error(DiagId::Unsupported, where, "a deque is not printed; print `list(...)` of it");
    return std::nullopt;
  }
  if (v.isError()) return std::nullopt;
  if (const auto* t = v.as<TextValue>()) return *t;
  if (const auto* t = v.as<StringValue>()) return code(quoted(t->text));
  if (const auto* s = v.as<Scalar>()) return numberCode(*s, isInside, where);
  if (isStoredText(v)) {
    std::string all;
    for (const std::string& text : listStates_.texts) all += quoted(text) + ", ";
    const bool isGiven = listStates_.areCharacters ||
                         std::ranges::any_of(out_.taken, [](const auto& t) { return t.form.type == "text"; });
    const Expr number = stable(heldParts(v)[0].as<Scalar>()->e);
    return isGiven ? code("_text((" + all + "), ") + hole(number) + ")"
                   : code("(" + all + ")[") + hole(number) + "]";
  }
  if (const auto* text = v.as<CharactersValue>())
    return code("_spelled(") + arrayCode(elementsOf(text->characters.fields[0])) + ")";
  if (v.as<NoneValue>()) return code("None");
  if (const auto* o = v.as<OptionalValue>()) {
    const std::optional<TextValue> value = codeOf(*o->value, where, isInside);
    if (value && !value->arrays.empty())
      error(DiagId::Unsupported, where,
            "an array that may be None is printed where it is not: ask for `is None`");
    if (!value || !value->arrays.empty()) return std::nullopt;
    return code("(None if ") + hole(stable(o->isNone)) + " else " + *value + ")";
  }
  if (const auto* t = v.as<TypeValue>(); t && !t->weak)
    return code(fmt::format("_np.dtype(\"{}\")", ir::numpyName(t->type)));
  const auto* a = v.as<Array>();
  if (a && a->shape.empty()) return numberCode(Scalar{a->at({})}, isInside, where);
  if (a) return arrayCode(*a);
  if (const auto* s = v.as<Selection>()) return arrayCode(asArray(*s));
  if (const auto* l = v.as<ListValue>(); l && !l->like && !l->hasViews) {
    const std::optional<Scalar> state = stateOf(*l);
    if (!state) return code("[]");
    const bool isOfPython = state->weak && state->others.empty();
    if (l->isTuple) {
      ListValue items = *l;
      items.isTuple = false;
      const std::optional<TextValue> all = codeOf(Value{items}, where, isInside);
      return all ? std::optional(code("_builtins.tuple(") + *all + ")") : std::nullopt;
    }
    const TextValue all = arrayCode(elementsOf(*l));
    if (state->isEither) return numberCode(*state, true, where); // which says why not
    if (state->isExtended) return code("_extended(") + all + (state->weak ? ")" : ", _np.int64)");
    if (isOfPython) return all + ".tolist()";
    if (l->values.shape.size() == 1) return code("[*") + all + "]";
  }
  if (const auto* nested = v.as<NestedValue>()) return rowsCode(*nested, where);
  if (const auto* g = v.as<GeneratorValue>(); g && isInside) return textsCode(*g, where);
  const auto* t = v.as<TupleValue>();
  if (!t || t->type) {
    error(DiagId::Unsupported, where,
          fmt::format("translated code prints numbers, arrays, texts and tuples of them, not {}; print its "
                      "items one by one, or return it and print it in the caller",
                      describe(v)));
    return std::nullopt;
  }
  return tupleCode(*t, where, true);
}

std::optional<TextValue> Lowering::tupleCode(const TupleValue& t, Span where, bool isInside) {
  TextValue all = code(t.isList ? "[" : "(");
  for (size_t k = 0; k < t.items.size(); ++k) {
    const std::optional<TextValue> item = codeOf(t.items[k], where, isInside);
    if (!item) return std::nullopt;
    all = all + (k > 0 ? ", " : "") + *item;
  }
  return all + (t.isList ? "]" : t.items.size() == 1 ? ",)" : ")");
}

/// May formatting by this text show what type a number has?
static bool showsTypes(const Value& format) {
  const auto* s = format.as<StringValue>();
  if (!s) return true;
  return std::ranges::any_of(std::array{"r", "a"}, [&](const std::string& conversion) {
    return s->text.find("!" + conversion) != std::string::npos ||
           s->text.find("%" + conversion) != std::string::npos;
  });
}

/// `name(args, key=value)` behind `head`.
std::optional<TextValue> Lowering::callCode(TextValue head, const Arguments& args, bool showsTypes) {
  head = head + "(";
  bool isFirst = true;
  const auto add = [&](const std::string& key, const Value& v) {
    const std::optional<TextValue> item = codeOf(v, args.where, showsTypes);
    if (item) head = head + (isFirst ? "" : ", ") + key + *item;
    isFirst = false;
    return item.has_value();
  };
  for (const Value& v : args.positional)
    if (!add("", v)) return std::nullopt;
  for (const auto& [key, v] : args.keywords)
    if (!add(key + "=", v)) return std::nullopt;
  return head + ")";
}

static Value valueOf(std::optional<TextValue> text) { return text ? Value{std::move(*text)} : Value{}; }

/// f"..." is "...".format(...).
Value Lowering::evalFormatted(const ast::FormattedText& text, Span where) {
  std::string format;
  const auto add = [&](const std::string& part) {
    for (const char c : part) format += c == '{' || c == '}' ? std::string(2, c) : std::string(1, c);
  };
  Waiting parts(*this);
  bool showsTypes = false;
  add(text.texts[0]);
  for (size_t k = 0; k < text.fields.size(); ++k) {
    const ast::FormattedText::Field& field = text.fields[k];
    format += "{" + (field.conversion.empty() ? "" : "!" + field.conversion) +
              (field.spec.empty() ? "" : ":" + field.spec) + "}";
    add(text.texts[k + 1]);
    showsTypes |= field.conversion == "r" || field.conversion == "a";
    Value v = eval(field.value);
    if (const auto* a = v.as<Array>(); a && a->view && k + 1 < text.fields.size()) { // as it is now
      Array now = *a;
      now.view = nullptr;
      v = Value{materialize(now, "shown")};
    }
    parts.add(std::move(v));
  }
  Arguments args;
  args.where = where;
  for (size_t k = 0; k < text.fields.size(); ++k) args.positional.push_back(parts.take(k));
  if (const std::optional<std::string> all = constantFormat(text, args.positional))
    return Value{StringValue{*all}};
  return valueOf(callCode(code(quoted(format) + ".format"), args, showsTypes));
}

/// `text % values`, `text + text`, `text * times`
Value Lowering::textOperator(ast::BinaryOp op, const Value& a, const Value& b, Span where) {
  using enum ast::BinaryOp;
  const auto *x = a.as<StringValue>(), *y = b.as<StringValue>();
  if (op == Add && x && y) return Value{StringValue{x->text + y->text}};
  const auto hasCharacters = [](const Value& v) { return v.as<CharactersValue>() || isStoredText(v); };
  if (op == Add && listStates_.areCharacters && listStates_.texts.empty() &&
      (hasCharacters(a) || hasCharacters(b))) {
    const std::optional<Value> first = numbersOfCharacters(a),
                               second = first ? numbersOfCharacters(b) : std::nullopt;
    const std::optional<ListValue> p = second ? inMemory(*first, where) : std::nullopt,
                                   q = p ? inMemory(*second, where) : std::nullopt;
    const Value all =
        q ? callNamed("numpy.concatenate",
                      {{Value{TupleValue{{Value{elementsOf(*p)}, Value{elementsOf(*q)}}}}}, {}, where})
          : Value{};
    if (const auto* numbers = all.as<Array>()) {
      ListValue made;
      made.values = materialize(*numbers, "text");
      made.isWeak = true;
      return charactersOfNumbers(made, characterOf(ir::intConst(0)));
    }
  }
  const auto* given = b.as<TupleValue>();
  if (const auto known = op == Mod && x
                             ? filledIn(x->text, '%', given && !given->isList ? given->items : Values{b})
                             : std::nullopt)
    return Value{StringValue{*known}};
  const bool isKnown = (op == Mod && isText(a)) || (op == Add && isText(a) && isText(b)) ||
                       (op == Mul && (isText(a) ? b : a).as<Scalar>());
  if (!isKnown)
    return error(DiagId::TypeMismatch, where,
                 fmt::format("texts have `%`, `+` with texts and `*` with integers, not this with {} and {}",
                             describe(a), describe(b)));
  const auto* several = b.as<TupleValue>();
  const bool shows = op == Mod && showsTypes(a);
  const std::optional<TextValue> first = codeOf(a, where), second = several
                                                                        ? tupleCode(*several, where, shows)
                                                                        : codeOf(b, where, shows);
  if (!first || !second) return Value{};
  return Value{code("(") + *first + (op == Mod ? " % " : op == Add ? " + " : " * ") + *second + ")"};
}

bool isTextMethod(const std::string& name) {
  if (isConstantTextMethod(name)) return true;
  static constexpr std::string_view kNames[] = {
      "format",     "join",  "ljust", "rjust",  "center", "zfill",   "upper",   "lower",
      "capitalize", "title", "strip", "lstrip", "rstrip", "replace", "isalnum", "isspace"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

/// What stands for a text method, and for str(), repr() and format().
Value Lowering::callTextMethod(const Value& self, const std::string& name, const Arguments& args) {
  const auto* format = self.as<StringValue>();
  const bool isStr = self.as<ModuleRef>() && name == "str" && args.positional.size() == 1;
  if (const auto known = !args.keywords.empty()       ? std::nullopt
                         : isStr                      ? knownText(args.positional[0], "")
                         : format && name == "format" ? filledIn(format->text, '{', args.positional)
                                                      : std::nullopt)
    return Value{StringValue{*known}};
  if (self.as<ModuleRef>()) return valueOf(callCode(code("_builtins." + name), args, name == "repr"));
  if (const std::optional<Value> known = constantTextMethod(self, name, args)) return *known;
  if (format && format->text.empty() && name == "join" && args.positional.size() == 1 &&
      (listStates_.areCharacters || args.positional[0].as<IteratorValue>())) {
    const Value& given = args.positional[0];
    const Value items = given.as<ListValue>() || given.as<TupleValue>()
                            ? given
                            : callNamed("list", {{given}, {}, args.where});
    const auto* list = items.as<ListValue>();
    if (list && list->like && isStoredText(*list->like) && listStates_.texts.empty() &&
        !list->fields.empty()) {
      ListValue numbers = list->fields[0];
      numbers.values = elementsOf(numbers);
      numbers.values.shape = {stable(itemsIn(*list).e)};
      numbers.length = Symbol();
      return charactersOfNumbers(numbers, *list->like);
    }
    if (items.isError()) return items;
  }
  const std::optional<TextValue> text = codeOf(self, args.where);
  return text ? valueOf(callCode(*text + ("." + name), args, showsTypes(self) || name == "join")) : Value{};
}

/// What C prints for it in the place of Python, in a thread: texts and whole numbers with blanks between. Nothing for others.
static std::optional<ir::Print> printOfThread(const Arguments& args) {
  ir::Print made{{""}, {}};
  for (size_t k = 0; k < args.positional.size(); ++k) {
    if (k > 0) made.pieces.back() += " ";
    const auto* text = args.positional[k].as<StringValue>();
    const auto* number = args.positional[k].as<Scalar>();
    if (text) {
      for (const char c : text->text) made.pieces.back() += c == '%' ? std::string("%%") : std::string(1, c);
      continue;
    }
    if (!number || !ir::isInteger(number->type())) return std::nullopt;
    made.values.push_back(number->e);
    made.pieces.emplace_back();
  }
  made.pieces.back() += "\n";
  return made;
}

Value Lowering::print(const Arguments& args) {
  if (kernel_) {
    std::optional<ir::Print> made = printOfThread(args);
    if (!made || !args.keywords.empty())
      return error(
          DiagId::Unsupported, args.where,
          "a kernel prints texts and whole numbers; store others into an array that the host prints");
    emit(std::move(*made));
    return Value{NoneValue{}};
  }
  for (const auto& [key, v] : args.keywords)
    if (key != "sep" && key != "end" && key != "flush")
      return error(DiagId::Unsupported, args.where,
                   fmt::format("`print` prints to Python's standard output here: leave `{}=` out", key));
  const auto isParallel = [](const ir::For& loop) {
    return loop.hints.mark == ir::LoopMark::Parallel || loop.hints.mark == ir::LoopMark::ParallelSimd;
  };
  if (std::ranges::any_of(loops_, isParallel))
    return error(DiagId::Unsupported, args.where,
                 "a parallel loop does not print, as its iterations have no order; print behind it");
  std::optional<TextValue> call = callCode(code("_builtins.print"), args);
  if (!call) return Value{};
  emitPrint(std::move(*call));
  return Value{NoneValue{}};
}

/// `" ".join([str(x) for x in a])`: the texts are a generator's.
ast::Expr Lowering::joinedTexts(const Value& callee, const ast::Expr& given) {
  const auto* method = callee.as<Method>();
  const auto* texts = given.as<ast::Comprehension>();
  if (!method || method->name != "join" || !isText(*method->self) || !texts || !texts->isList) return given;
  const ast::Expr made = ast::make(given->span, ast::Comprehension{texts->element, texts->clauses, false});
  writtenOut_.push_back({ast::makeStmt(given->span, ast::ExprStmt{made})});
  return made;
}

/// `print(*row)`: the items of what only the run tells the length of.
Value Lowering::starredCode(const Value& items, Span where) {
  const std::optional<TextValue> all = codeOf(items, where);
  return all ? Value{code("*") + *all} : Value{};
}

/// `warnings.warn(text)`, `logging.info(text)`, which Python does; `logging.getLogger(name)`, whose methods do so. None of others.
std::optional<Value> Lowering::report(const std::string& called, const ast::Call& c, Span where) {
  const std::string path = called; // the callee waits, and may be fixed
  constexpr std::string_view levels[] = {"debug", "info", "warning", "error", "critical", "exception"};
  const bool isLogged =
      path.starts_with("logging.") &&
      std::ranges::find(levels, std::string_view(path).substr(path.rfind('.') + 1)) != std::end(levels);
  if (path == "logging.getLogger" && c.keywords.empty() && c.args.size() <= 1) {
    const auto* text = c.args.empty() ? nullptr : c.args[0].as<ast::StringLit>();
    const auto* name = c.args.empty() ? nullptr : c.args[0].as<ast::Name>();
    if (!c.args.empty() && !text && !(name && name->id == "__name__")) return std::nullopt;
    return Value{Callable{fmt::format("logging.getLogger({})", text   ? quoted(text->value)
                                                               : name ? "__name__"
                                                                      : "")}};
  }
  if ((!isLogged && path != "warnings.warn") || c.args.empty()) return std::nullopt;
  const std::string module = path.substr(0, path.find('.'));
  Arguments args;
  args.where = where;
  const size_t count = isLogged ? c.args.size() : 1;
  Waiting parts(*this);
  for (size_t k = 0; k < count; ++k) parts.add(eval(c.args[k]));
  args.positional = parts.values(0, count);
  std::optional<TextValue> made =
      callCode(code(fmt::format("__import__({}){}", quoted(module), path.substr(module.size()))), args, true);
  if (!made) return Value{};
  const auto* category = !isLogged && c.args.size() > 1 ? c.args[1].as<ast::Name>() : nullptr;
  for (const ast::Keyword& k : c.keywords)
    if (k.name == "category") category = k.value.as<ast::Name>();
  if (category && category->id.ends_with("Warning")) {
    made->pieces.back().pop_back();
    *made += code(", _builtins." + category->id + ")");
  }
  if (kernel_ || std::ranges::any_of(loops_, isShared))
    return error(DiagId::Unsupported, where, "a parallel loop tells nobody anything; do so behind it");
  emitPrint(std::move(*made));
  return Value{NoneValue{}};
}

/// Has Python evaluate the text.
void Lowering::emitPrint(TextValue text, const std::string& raised, const std::string& base) {
  for (const Array& a : text.arrays) {
    const Nest nest(a.shape, std::nullopt);
    std::vector<ir::Stmt> shows = collect([&] {
      TextValue call = code("_show(") + *numberCode(Scalar{a.at(nest.at), true}, false, statement_) + ")";
      emit(ir::Print{std::move(call.pieces), std::move(call.values)});
    });
    emit(nest.around(a.shape, std::nullopt, ir::block(std::move(shows)), statement_));
  }
  emit(ir::Print{std::move(text.pieces), std::move(text.values), raised, base});
}

/// Raises a class of the program's, which the wrapper has.
void Lowering::raiseInPython(const TextValue& text, const std::string& error, const std::string& base) {
  emitPrint(code("_raise(" + error + "(") + text + "))", error, base);
}

void Lowering::printMessage(const TextValue& text) { emitPrint(code("_message(") + text + ")"); }

} // namespace appyc::sema
