//===- ConstantTexts.cpp - what Python says of texts that are known at translation ----------------------------===//
//   for name in "mass,speed".split(","): d[f"{name}_mean"] = ...      =>      d["mass_mean"] = ...;  d["speed_mean"] = ...
#include "Arguments.h"
#include "Lowering.h"

namespace appyc::sema {

namespace {
using Texts = std::vector<std::string>;

constexpr std::string_view kBlanks = " \t\n\r\v\f";

bool isAscii(const std::string& s) {
  return std::ranges::all_of(s, [](unsigned char c) { return c < 0x80; });
}
bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool isLower(char c) { return c >= 'a' && c <= 'z'; }
bool isLetterOfText(char c) { return isUpper(c) || isLower(c); }
bool isDigitOfText(char c) { return c >= '0' && c <= '9'; }
char toUpper(char c) { return isLower(c) ? static_cast<char>(c - 'a' + 'A') : c; }
char toLower(char c) { return isUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

Value wholeKnown(int64_t n) { return Value{Scalar{ir::intConst(n), true}}; }
Value truthKnown(bool b) { return Value{Scalar{ir::boolConst(b), true}}; }
Value constantText(std::string s) { return Value{StringValue{std::move(s)}}; }
Value listOfTexts(const Texts& parts) {
  TupleValue list{{}, true};
  for (const std::string& part : parts) list.items.push_back(constantText(part));
  return Value{list};
}

std::string withCase(std::string s, const std::string& how) {
  bool isFirst = true; // of a word, or of the text
  for (char& c : s) {
    const char was = c;
    if (how == "upper" || (how == "swapcase" && isLower(c)) ||
        (isFirst && how != "lower" && how != "swapcase"))
      c = toUpper(c);
    else
      c = toLower(c);
    isFirst = how == "title" && !isLetterOfText(was);
  }
  return s;
}

std::string strippedText(const std::string& s, std::string_view of, bool left, bool right) {
  const size_t begin = left ? std::min(s.find_first_not_of(of), s.size()) : 0;
  const size_t end = right ? s.find_last_not_of(of) + 1 : s.size();
  return begin < end ? s.substr(begin, end - begin) : "";
}

/// Between blanks, or any of them.
Texts splitText(const std::string& s, const std::string* between, int64_t most) {
  Texts parts;
  size_t at = 0;
  if (!between) {
    while ((at = s.find_first_not_of(kBlanks, at)) != std::string::npos) {
      const bool isLast = most >= 0 && std::cmp_greater_equal(parts.size(), most);
      const size_t end = isLast ? s.size() : std::min(s.find_first_of(kBlanks, at), s.size());
      parts.push_back(s.substr(at, end - at));
      at = end;
    }
    return parts;
  }
  for (size_t next = 0; (next = s.find(*between, at)) != std::string::npos; at = next + between->size()) {
    if (most >= 0 && std::cmp_greater_equal(parts.size(), most)) break;
    parts.push_back(s.substr(at, next - at));
  }
  parts.push_back(s.substr(at));
  return parts;
}

std::string withReplaced(const std::string& s, const std::string& from, const std::string& to) {
  std::string made;
  size_t at = 0;
  for (size_t next = 0; (next = s.find(from, at)) != std::string::npos; at = next + from.size())
    made += s.substr(at, next - at) + to;
  return made + s.substr(at);
}

int64_t countOfText(const std::string& s, const std::string& part) {
  int64_t count = 0;
  for (size_t at = 0; (at = s.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

bool isAll(const std::string& s, bool (*is)(char)) { return !s.empty() && std::ranges::all_of(s, is); }

/// Those of one text, or without any argument.
std::optional<Value> knownMethod(const std::string& s, const std::string& name, const Texts& given,
                                 int64_t count) {
  static const Texts kCases = {"upper", "lower", "title", "capitalize", "swapcase"};
  const size_t n = given.size();
  const bool isPlain = count < 0;
  if (n == 0 && isPlain && std::ranges::find(kCases, name) != kCases.end())
    return constantText(withCase(s, name));
  if (n <= 1 && isPlain && (name == "strip" || name == "lstrip" || name == "rstrip"))
    return constantText(
        strippedText(s, n == 1 ? std::string_view(given[0]) : kBlanks, name != "rstrip", name != "lstrip"));
  if (n <= 1 && name == "split" && (n == 0 || !given[0].empty()))
    return listOfTexts(splitText(s, n == 1 ? &given[0] : nullptr, count));
  if (n == 2 && isPlain && name == "replace" && !given[0].empty())
    return constantText(withReplaced(s, given[0], given[1]));
  if (n == 0 && isPlain && name == "isdigit") return truthKnown(isAll(s, isDigitOfText));
  if (n == 0 && isPlain && name == "isalpha") return truthKnown(isAll(s, isLetterOfText));
  if (n == 0 && isPlain && (name == "isupper" || name == "islower"))
    return truthKnown(std::ranges::any_of(s, isLetterOfText) &&
                      std::ranges::none_of(s, name == "isupper" ? isLower : isUpper));
  if (n != 1 || !isPlain) return std::nullopt;
  const std::string& part = given[0];
  if (name == "removeprefix") return constantText(s.substr(s.starts_with(part) ? part.size() : 0));
  if (name == "removesuffix")
    return constantText(s.substr(0, s.size() - (s.ends_with(part) ? part.size() : 0)));
  if ((name == "partition" || name == "rpartition") && !part.empty()) {
    const size_t at = name == "partition" ? s.find(part) : s.rfind(part);
    const std::string nothing;
    const bool isThere = at != std::string::npos, isFirst = name == "partition";
    Value parts = isThere ? listOfTexts({s.substr(0, at), part, s.substr(at + part.size())})
                          : listOfTexts({isFirst ? s : nothing, nothing, isFirst ? nothing : s});
    std::get<TupleValue>(parts.v).isList = false;
    return parts;
  }
  if (name == "startswith") return truthKnown(s.starts_with(part));
  if (name == "endswith") return truthKnown(s.ends_with(part));
  if (name == "count" && !part.empty()) return wholeKnown(countOfText(s, part));
  const size_t at = name == "rfind" ? s.rfind(part) : s.find(part);
  if (name == "find" || name == "rfind" || (name == "index" && at != std::string::npos))
    return wholeKnown(at == std::string::npos ? -1 : static_cast<int64_t>(at));
  return std::nullopt;
}
} // namespace

bool isConstantTextMethod(const std::string& name) {
  static const std::set<std::string> kNames = {"split",        "swapcase",     "startswith", "endswith",
                                               "find",         "rfind",        "isdigit",    "isalpha",
                                               "isupper",      "islower",      "index",      "count",
                                               "removeprefix", "removesuffix", "partition",  "rpartition"};
  return kNames.count(name) > 0;
}

/// Its characters, which are texts of their own.
TupleValue charactersOf(const StringValue& text) {
  TupleValue all;
  for (const char c : text.text)
    if ((static_cast<unsigned char>(c) & 0xC0U) == 0x80 && !all.items.empty())
      std::get<StringValue>(all.items.back().v).text += c;
    else
      all.items.push_back(constantText(std::string(1, c)));
  return all;
}

/// `text[k]`, `text[a:b]` of a constant text, or of a whole number's; none of others.
std::optional<Value> Lowering::textItem(const Value& base, const std::vector<ast::Expr>& index, Span where) {
  if (const auto* text = base.as<StringValue>()) {
    const Value part = tupleItem(charactersOf(*text), index, where);
    const auto* several = part.as<TupleValue>();
    if (!several) return part;
    std::string all;
    for (const Value& c : several->items) all += c.as<StringValue>()->text;
    return constantText(all);
  }
  if (const std::optional<CharactersValue> text = charactersIn(base)) {
    const Value part = listItem(text->characters, index, where);
    const auto* several = part.as<ListValue>();
    return several ? Value{CharactersValue{*several}} : part;
  }
  const std::optional<DigitsValue> text = digitsOf(base, where);
  return text ? std::optional(textOfDigits(listItem(text->digits, index, where))) : std::nullopt;
}

/// A method of a constant text, where all that it is given is constant, too; none of others, unless only constant texts have it.
std::optional<Value> Lowering::constantTextMethod(const Value& self, const std::string& name,
                                                  const Arguments& args) {
  const auto* text = self.as<StringValue>();
  Texts given;
  int64_t count = -1;
  bool isKnown = text && isAscii(text->text);
  const auto* several = args.positional.size() == 1 ? args.positional[0].as<TupleValue>() : nullptr;
  if (isKnown && name == "join" && several && args.keywords.empty() && !several->isSet &&
      std::ranges::all_of(several->items, [](const Value& v) { return v.as<StringValue>(); })) {
    std::string all;
    for (size_t k = 0; k < several->items.size(); ++k)
      all += (k > 0 ? text->text : "") + several->items[k].as<StringValue>()->text;
    return constantText(all);
  }
  const bool isBetweenBlanks =
      name == "split" && !args.positional.empty() && args.positional[0].as<NoneValue>();
  for (const Value& v : args.positional) {
    if (isBetweenBlanks && &v == args.positional.data()) continue;
    const auto* part = v.as<StringValue>();
    const std::optional<int64_t> most = part ? std::nullopt : constantArgument(v);
    isKnown &=
        (part && count < 0) || (name == "split" && most && *most >= 0 && given.size() + isBetweenBlanks == 1);
    if (part) given.push_back(part->text);
    if (most) count = *most;
  }
  for (const auto& [key, v] : args.keywords) {
    const std::optional<int64_t> most = key == "maxsplit" ? constantArgument(v) : std::nullopt;
    isKnown &= name == "split" && most && *most >= 0 && count < 0;
    if (most) count = *most;
  }
  const std::optional<Value> found = isKnown ? knownMethod(text->text, name, given, count) : std::nullopt;
  if (found || !isConstantTextMethod(name)) return found;
  return error(DiagId::Unsupported, args.where,
               fmt::format("`.{}` is translated of texts that are known at translation, with constant "
                           "arguments; texts of which the run tells which they are have `==` and `in`",
                           name));
}

/// Python's whole number, if it is known.
std::optional<int64_t> Lowering::knownWhole(const Value& v) const {
  const auto* s = v.as<Scalar>();
  const bool isWhole =
      s && s->weak && ir::isInteger(s->type()) && !ir::isBool(s->type()) && s->others.empty();
  return isWhole ? constantArgument(v) : std::nullopt;
}

/// `str(v)` of what is known, or as a format says it: `3`, `03`, `3d`.
std::optional<std::string> Lowering::knownText(const Value& v, std::string spec) const {
  if (const auto* text = v.as<StringValue>()) return spec.empty() ? std::optional(text->text) : std::nullopt;
  const std::optional<int64_t> known = knownWhole(v);
  if (!known) return std::nullopt;
  if (spec.ends_with('d')) spec.pop_back();
  const bool isPlain = spec.size() <= 2 && isAll("0" + spec, isDigitOfText);
  if (!isPlain) return std::nullopt;
  const int width = spec.empty() ? 0 : std::stoi(spec);
  return spec.starts_with('0') ? fmt::format("{:0{}d}", *known, width) : fmt::format("{:{}d}", *known, width);
}

/// What an f-string is where all of it is known.
std::optional<std::string> Lowering::constantFormat(const ast::FormattedText& text,
                                                    const Values& values) const {
  std::string all = text.texts[0];
  for (size_t k = 0; k < values.size(); ++k) {
    const ast::FormattedText::Field& field = text.fields[k];
    const std::optional<std::string> part =
        field.conversion.empty() ? knownText(values[k], field.spec) : std::nullopt;
    if (!part) return std::nullopt;
    all += *part + text.texts[k + 1];
  }
  return all;
}

/// `"W%d" % 3`, `"W{}".format(3)`: the values in their places, if all of that is known and nothing else is asked for.
std::optional<std::string> Lowering::filledIn(const std::string& format, char mark,
                                              const Values& values) const {
  const char end = mark == '{' ? '}' : '\0';
  std::string all;
  size_t used = 0;
  for (size_t k = 0; k < format.size(); ++k) {
    const char c = format[k];
    const bool isTwice = k + 1 < format.size() && format[k + 1] == c && (c == mark || c == end);
    if (c != mark && (c != end || isTwice)) {
      all += c, k += isTwice ? 1 : 0;
      continue;
    }
    if (isTwice && ++k) {
      all += c;
      continue;
    }
    const size_t last = mark == '{' ? format.find('}', k) : format.find_first_of("sdi", k);
    if (c != mark || last == std::string::npos || used >= values.size()) return std::nullopt;
    std::string spec = format.substr(k + 1, last - k - 1);
    if (mark == '{' && !spec.empty() && spec[0] != ':') return std::nullopt;
    if (mark == '{' && !spec.empty()) spec.erase(0, 1);
    if (mark == '%' && format[last] != 's' && !knownWhole(values[used])) return std::nullopt;
    if (mark == '%' && format[last] == 's' && !spec.empty()) return std::nullopt;
    const std::optional<std::string> part = knownText(values[used++], spec);
    if (!part) return std::nullopt;
    all += *part;
    k = last;
  }
  return used == values.size() || mark == '{' ? std::optional(all) : std::nullopt;
}

} // namespace appyc::sema
