//===- Literals.cpp - values of number and string literals ----------------------------------------===//
#include "ParseExpr.h"
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>

namespace appyc::frontend {

using ast::Expr;
using ast::make;

namespace {

int hexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string withoutUnderscores(std::string_view text) {
  std::string digits(text);
  digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
  return digits;
}

/// Does each `_` stand between digits, or behind the base's letter?
bool hasGoodUnderscores(std::string_view text) {
  const char base = text.size() > 1 && text[0] == '0' ? static_cast<char>(text[1] | 0x20) : '0';
  const bool hasBase = base == 'x' || base == 'o' || base == 'b';
  const auto isDigit = [&](size_t i) {
    return i < text.size() && hexValue(text[i]) >= 0 && (base == 'x' || hexValue(text[i]) < 10);
  };
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '_' && !(isDigit(i + 1) && (isDigit(i - 1) || (hasBase && i == 2)))) return false;
  return true;
}

double doubleValue(const std::string& digits) {
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  // from_chars leaves the value alone when it overflows or underflows; Python gives inf or 0.
  return error == std::errc::result_out_of_range ? std::strtod(digits.c_str(), nullptr) : value;
}

bool isImaginary(std::string_view text) { return text.ends_with('j') || text.ends_with('J'); }

void appendUtf8(std::string& out, uint32_t c) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    tail(6), tail(0);
  } else {
    out += static_cast<char>(0xF0 | (c >> 18 & 0x07));
    tail(12), tail(6), tail(0);
  }
}

/// Reads up to `most` digits of base `base` at `at` and moves past them.
uint32_t readDigits(std::string_view text, size_t& at, size_t most, int base) {
  uint32_t value = 0;
  for (size_t n = 0; n < most && at < text.size(); ++n, ++at) {
    const int digit = hexValue(text[at]);
    if (digit < 0 || digit >= base) break;
    value = value * static_cast<uint32_t>(base) + static_cast<uint32_t>(digit);
  }
  return value;
}

/// The characters that the text of a literal stands for; nothing if an escape names none that UTF-8 can hold.
std::optional<std::string> unescaped(std::string_view text) {
  constexpr std::string_view letters = "abfnrtv\\'\"";
  constexpr std::string_view values = "\a\b\f\n\r\t\v\\'\"";
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i++];
      continue;
    }
    const char c = text[++i];
    if (const size_t known = letters.find(c); known != std::string_view::npos) {
      out += values[known];
      ++i;
    } else if (c == '\n') {
      ++i; // the literal goes on in the next line
    } else if (c >= '0' && c <= '7') {
      appendUtf8(out, readDigits(text, i, 3, 8));
    } else if (c == 'x' || c == 'u' || c == 'U') {
      const size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : 8, from = ++i;
      const uint32_t code = readDigits(text, i, digits, 16);
      if (i != from + digits || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
      appendUtf8(out, code);
    } else if (c == 'N') {
      return {}; // by the name of the character
    } else {
      out += '\\'; // Python keeps an unknown escape as it is
    }
  }
  return out;
}

} // namespace

Expr ExprParser::integer(Node node) {
  const Span span = spanOf(node);
  if (!hasGoodUnderscores(textOf(node)))
    return syntaxError(node, "a `_` in a number stands between two digits");
  std::string digits = withoutUnderscores(textOf(node));
  if (isImaginary(digits)) {
    digits.pop_back();
    return make(span, ast::ImagLit{doubleValue(digits)});
  }
  int base = 10;
  if (digits.size() > 2 && digits[0] == '0') {
    const char letter = static_cast<char>(digits[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
  }
  if (base != 10)
    digits.erase(0, 2);
  else if (digits[0] == '0' && digits.find_first_not_of('0') != std::string::npos)
    return syntaxError(node, "an integer cannot start with 0; an octal one starts with `0o`");
  ast::IntLit result{0};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result.value, base);
  result.tooLarge = error == std::errc::result_out_of_range;
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size())
    return syntaxError(node, fmt::format("`{}` is not an integer", textOf(node)));
  return make(span, result);
}

Expr ExprParser::floating(Node node) {
  if (!hasGoodUnderscores(textOf(node)))
    return syntaxError(node, "a `_` in a number stands between two digits");
  std::string digits = withoutUnderscores(textOf(node));
  if (!isImaginary(digits)) return make(spanOf(node), ast::FloatLit{doubleValue(digits)});
  digits.pop_back();
  return make(spanOf(node), ast::ImagLit{doubleValue(digits)});
}

/// Without the escapes of braces.
static std::string plainBraces(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if ((text[i] == '{' || text[i] == '}') && i + 1 < text.size() && text[i + 1] == text[i]) ++i;
  }
  return out;
}

/// `{value!r:spec}` or `{value=}`, behind the last text.
static bool addField(ExprParser& parser, Node node, char quote, ast::FormattedText& to) {
  const Node value = node.field("expression"), conversion = node.field("type_conversion"),
             spec = node.field("format_specifier");
  if (!value || value.is("lambda") || node.hasError()) {
    parser.syntaxError(node, "this is no field of an f-string");
    return false;
  }
  const Node name = value.is("named_expression") ? value.field("name") : Node(); // `x` with the format `= a`
  const std::string_view rest = name ? parser.textOf(node).substr(name.end() - node.begin()) : "";
  if ((spec && !spec.namedChildren().empty()) || rest.find('{') != std::string_view::npos) {
    parser.unsupported(node, "a format that is computed is not translated; write it as a constant");
    return false;
  }
  if (value.is("yield") || parser.textOf(node).find(quote) != std::string_view::npos) {
    parser.unsupported(node, "a field of an f-string is an expression here, without the string's own quotes");
    return false;
  }
  if (name) {
    const size_t colon = rest.find(':');
    to.fields.push_back(
        {parser.parse(name), "", std::string(rest.substr(colon + 1, rest.size() - colon - 2))});
    to.texts.emplace_back();
    return true;
  }
  const std::vector<Node> parts = node.children();
  const auto equals = std::ranges::find_if(parts, [](Node part) { return part.is("="); });
  std::string how = conversion ? std::string(parser.textOf(conversion).substr(1)) : "";
  if (equals != parts.end()) {
    const std::string_view whole = parser.textOf(node);
    size_t end = equals->end() - node.begin(); // with the blanks behind it
    while (end < whole.size() && whole[end] == ' ') ++end;
    to.texts.back() += whole.substr(1, end - 1);
    if (how.empty() && !spec) how = "r";
  }
  to.fields.push_back({parser.parse(value), how, spec ? std::string(parser.textOf(spec).substr(1)) : ""});
  to.texts.emplace_back();
  return true;
}

bool ExprParser::addText(Node node, ast::FormattedText& to) {
  if (node.is("concatenated_string"))
    return std::ranges::all_of(node.namedChildren(), [&](Node part) { return addText(part, to); });
  const std::string_view whole = textOf(node);
  const std::string_view prefix = whole.substr(0, whole.find_first_of("'\""));
  if (prefix.find_first_of("bB") != std::string_view::npos) {
    unsupported(node, "a bytes literal is not translated; use an array of u8");
    return false;
  }
  if (prefix.size() == whole.size()) {
    syntaxError(node, "backticks are not Python");
    return false;
  }
  const bool isRaw = prefix.find_first_of("rR") != std::string_view::npos;
  const bool hasFields = prefix.find_first_of("fF") != std::string_view::npos;
  const auto add = [&](std::string_view text) {
    std::string content = hasFields ? plainBraces(text) : std::string(text);
    for (size_t at = content.find("\r\n"); at != std::string::npos; at = content.find("\r\n", at))
      content.erase(at, 1); // Python reads every end of a line as `\n`
    const std::optional<std::string> value = isRaw ? content : unescaped(content);
    if (!value)
      syntaxError(node, "an escape in this string stands for no character; write the character itself");
    else
      to.texts.back() += *value;
    return value.has_value();
  };
  const std::string_view quoted = whole.substr(prefix.size());
  const size_t quotes = quoted.starts_with("\"\"\"") || quoted.starts_with("'''") ? 3 : 1;
  if (quoted.size() < 2 * quotes) return true;
  size_t from = prefix.size() + quotes;
  for (const Node part : hasFields ? node.namedChildren() : std::vector<Node>()) {
    if (!part.is("interpolation")) continue;
    if (!add(whole.substr(from, part.begin() - node.begin() - from)) || !addField(*this, part, quoted[0], to))
      return false;
    from = part.end() - node.begin();
  }
  return add(whole.substr(from, whole.size() - quotes - from));
}

std::optional<std::string> ExprParser::stringValue(Node node) {
  ast::FormattedText text{{""}, {}};
  if (!addText(node, text)) return {};
  if (text.fields.empty()) return text.texts[0];
  unsupported(node, "an f-string is no constant text");
  return {};
}

Expr ExprParser::string(Node node) {
  ast::FormattedText text{{""}, {}};
  if (!addText(node, text)) return make(spanOf(node), ast::ErrorExpr{});
  if (text.fields.empty()) return make(spanOf(node), ast::StringLit{text.texts[0]});
  return make(spanOf(node), std::move(text));
}

} // namespace appyc::frontend
