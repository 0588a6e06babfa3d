//===- Print.cpp - layout: the only place that knows braces, semicolons and parentheses ----------------===//
#include "appyc/Cxx/Print.h"
#include "Line.h"
#include "appyc/Support/InternalError.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

namespace appyc::cxx {

namespace {

//===--- expressions ------------------------------------------------------------------------------------===//

constexpr int shortWidth = 80; ///< of declarations that read each other
constexpr int postfixLevel = 20, unaryLevel = 16, bitwiseTop = 8, bitwiseBottom = 6, shiftLevel = 11,
              ternaryLevel = 3;

int levelOf(std::string_view op) {
  struct Row {
    std::string_view op;
    int level;
  };
  static constexpr std::array rows{Row{"*", 13},  Row{"/", 13},  Row{"%", 13}, Row{"+", 12},  Row{"-", 12},
                                   Row{"<<", 11}, Row{">>", 11}, Row{"<", 10}, Row{"<=", 10}, Row{">", 10},
                                   Row{">=", 10}, Row{"==", 9},  Row{"!=", 9}, Row{"&", 8},   Row{"^", 7},
                                   Row{"|", 6},   Row{"&&", 5},  Row{"||", 4}};
  for (const Row& row : rows)
    if (row.op == op) return row.level;
  internalError("C++ operator without a precedence");
}

bool isNegativeLiteral(const Expr& e) {
  const auto* atom = e.as<Atom>();
  return atom && !atom->text.empty() && atom->text.front() == '-';
}

int levelOf(const Expr& e) {
  if (const auto* b = e.as<Binary>()) return levelOf(b->op);
  if (e.is<Ternary>()) return ternaryLevel;
  return e.is<Unary>() || e.is<Cast>() || isNegativeLiteral(e) ? unaryLevel : postfixLevel;
}

bool isComparison(int level) { return level == 9 || level == 10; }
bool isBitwise(int level) { return level == shiftLevel || (bitwiseBottom <= level && level <= bitwiseTop); }

/// Parentheses that the grammar needs, and those that compilers ask for in mixtures people misread.
bool needsParentheses(const Binary& parent, const Expr& child, bool isRight) {
  const int outer = levelOf(parent.op), inner = levelOf(child);
  if (const auto* b = child.as<Binary>()) {
    const bool logical = parent.op == "&&" || parent.op == "||";
    if (b->op == parent.op && (logical || !isRight) && !isComparison(outer)) return false;
    if (isBitwise(outer) || isBitwise(inner) || (parent.op == "||" && b->op == "&&") ||
        (isComparison(outer) && isComparison(inner)))
      return true;
  }
  if (isRight && isNegativeLiteral(child)) return parent.op == "-" || parent.op == "+";
  return isRight ? inner <= outer : inner < outer;
}

class ExprPrinter {
public:
  explicit ExprPrinter(Line& line) : line_(line) {}

  /// `depth`: of the places to break directly in `e`.
  void print(const Expr& e, int depth) {
    match(
        e, [&](const Atom& n) { line_.text(n.text); },
        [&](const Unary& n) {
          line_.text(n.op);
          atLeast(n.arg, n.arg.is<Unary>() || isNegativeLiteral(n.arg) ? postfixLevel : unaryLevel, depth);
        },
        [&](const Binary& n) { printBinary(n, depth); },
        [&](const Ternary& n) {
          atLeast(n.cond, ternaryLevel + 1, depth + 1);
          line_.breakable(depth, true);
          line_.text("? ");
          atLeast(n.then, ternaryLevel + 1, depth + 1);
          line_.breakable(depth, true);
          line_.text(": ");
          print(n.otherwise, n.otherwise.is<Ternary>() ? depth : depth + 1);
        },
        [&](const Call& n) {
          atLeast(n.callee, postfixLevel, depth);
          list("(", n.args, ")", depth);
        },
        [&](const Index& n) {
          atLeast(n.base, postfixLevel, depth);
          line_.text("[");
          print(n.index, depth + 10); // a subscript is the last thing to break
          line_.text("]");
        },
        [&](const Member& n) {
          atLeast(n.base, postfixLevel, depth);
          line_.text("." + n.name);
        },
        [&](const Cast& n) {
          line_.text("(" + n.type + ")");
          atLeast(n.arg, unaryLevel, depth);
        },
        [&](const Braces& n) {
          line_.text(n.type);
          list("{", n.items, "}", depth);
        },
        [&](const Launch& n) {
          atLeast(n.kernel, postfixLevel, depth);
          list("<<<", n.config, ">>>", depth + 1);
          list("(", n.args, ")", depth);
        });
  }

  /// A call up to its last argument, which comes next.
  void printBefore(const Call& n, int depth) {
    print(n.callee, depth);
    line_.text("(");
    for (const Expr& e : n.args) {
      print(e, depth + 2);
      line_.text(",");
      line_.breakable(depth + 1, true);
    }
  }

private:
  void atLeast(const Expr& e, int level, int depth) {
    if (levelOf(e) >= level) return print(e, depth);
    line_.text("(");
    print(e, depth + 1);
    line_.text(")");
  }

  void printBinary(const Binary& n, int depth) {
    operand(n, n.lhs, false, depth);
    line_.text(" " + n.op);
    line_.breakable(depth, true);
    operand(n, n.rhs, true, depth);
  }
  void operand(const Binary& parent, const Expr& child, bool isRight, int depth) {
    if (needsParentheses(parent, child, isRight)) {
      line_.text("(");
      print(child, depth + 1);
      line_.text(")");
      return;
    }
    const auto* b = child.as<Binary>();
    print(child, b && levelOf(b->op) == levelOf(parent.op) ? depth : depth + 1);
  }

  void list(const char* open, const std::vector<Expr>& items, const char* close, int depth) {
    line_.text(open);
    for (size_t i = 0; i < items.size(); ++i) {
      if (i > 0) line_.text(",");
      if (items.size() > 1 || !items[i].is<Braces>()) line_.breakable(depth + 1, i > 0); // `({` stay together
      print(items[i], depth + 2);
    }
    line_.text(close);
  }

  Line& line_;
};

std::string typeText(const Type& t) {
  return (t.isConst ? "const " : "") + t.name + (t.isPointer ? "*" : "") +
         (t.isRestrict ? " __restrict__" : "");
}

//===--- statements and files ---------------------------------------------------------------------------===//

class Printer {
public:
  std::string take() { return std::move(out_); }
  std::vector<uint32_t> takeSourceLines() { return std::move(sourceLines_); }

  void unit(const Unit& u) { sequence(u.body); }

  void statement(const Stmt& s) {
    const uint32_t outside = sourceLine_;
    if (s->sourceLine != 0) sourceLine_ = s->sourceLine;
    lines(s);
    sourceLine_ = outside;
  }

private:
  void lines(const Stmt& s) {
    match(
        s, [&](const Declare&) { simple(s); }, [&](const Assign&) { simple(s); },
        [&](const Evaluate&) { simple(s); }, [&](const If& n) { ifStatement(n); },
        [&](const For& n) {
          const Stmt body = withoutComment(n.body);
          Line line;
          line.text("for (");
          clause(line, n.init);
          line.text(";");
          line.breakable(1, true);
          ExprPrinter(line).print(n.cond, 2);
          line.text(";");
          line.breakable(1, true);
          clause(line, n.step);
          line.text(")");
          controlledShortly(line, body, isCompact(body));
        },
        [&](const While& n) {
          Line line;
          line.text("while (");
          ExprPrinter(line).print(n.cond, 1);
          line.text(")");
          controlledShortly(line, n.body, isCompact(n.body));
        },
        [&](const Return&) { simple(s); },
        [&](const Block& n) {
          raw("{");
          indented(n.body);
          raw("}");
        },
        [&](const Comment& n) { comment(n.text); }, [&](const Pragma& n) { raw("#pragma " + n.text); },
        [&](const Lambda& n) {
          Line head;
          if (!n.call) {
            head.text("const auto " + n.name + " = [&](" + n.parameter + ")");
            return body(head, n.body, "};");
          }
          head.text("return ");
          ExprPrinter(head).printBefore(*n.call.as<Call>(), 1);
          head.text("[&](" + n.parameter + ")");
          body(head, n.body, "});");
        },
        [&](const Try& n) {
          raw("try {");
          indented(n.body);
          raw("} catch (" + n.exception + ") {");
          indented(n.handler);
          raw("}");
        });
  }

  void declaration(const Decl& d) {
    match(
        d, [&](const Function& n) { function(n); },
        [&](const Include& n) { raw("#include <" + n.header + ">"); },
        [&](const Text& n) { append(n.lines); }, [&](const FileComment& n) { comment(n.text); },
        [&](const Namespace& n) {
          raw("namespace {\n");
          sequence(n.body);
          raw("\n} // namespace");
        });
  }

  /// Blank lines stand between all but neighbouring includes.
  void sequence(const std::vector<Decl>& body) {
    for (size_t i = 0; i < body.size(); ++i) {
      if (i > 0 && !(body[i].is<Include>() && body[i - 1].is<Include>())) append("\n");
      declaration(body[i]);
    }
  }

  void function(const Function& n) {
    comment(n.comment);
    std::string list;
    for (const std::string& p : n.templateParameters) list += (list.empty() ? "" : ", ") + p;
    if (!list.empty()) list = "template <" + list + ">";
    const Line alone = head(n, "");
    const Line line = list.empty() ? alone : head(n, list + " ");
    const auto lines = [&](const Line& text) {
      return std::ranges::count(text.wrap(indent_, lineWidth), '\n');
    };
    const bool isApart = lines(line) > lines(alone); // which makes no line more
    if (isApart) raw(list);
    body(isApart ? alone : line, n.body, "}");
  }
  static Line head(const Function& n, const std::string& before) {
    Line line;
    line.text(before + (n.specifiers.empty() ? "" : n.specifiers + " ") + typeText(n.result) + " " + n.name +
              "(");
    for (size_t i = 0; i < n.params.size(); ++i) {
      const Parameter& p = n.params[i];
      line.breakable(1, i > 0);
      line.text(typeText(p.type) +
                (p.name.empty() ? ""
                 : p.unused     ? " /*" + p.name + "*/"
                                : " " + p.name) +
                (i + 1 < n.params.size() ? "," : ""));
    }
    line.text(")");
    return line;
  }

  /// `header { .. }`, in one line where it is short, as in the support code.
  void body(Line header, const Stmt& s, const char* close) {
    const auto* list = s.as<Block>();
    const Stmt* only = list && list->body.size() == 1 ? &list->body.front() : nullptr;
    const std::string line =
        only && isSimple(*only) ? header.flat() + " { " + lineOf(*only).flat() + " " + close : "";
    if (!line.empty() && indent_ + static_cast<int>(line.size()) <= lineWidth) return raw(line);
    header.text(" {");
    put(header);
    indented(s);
    raw(close);
  }

  void ifStatement(const If& n, const char* before = "") {
    const auto* chained = n.otherwise ? n.otherwise.as<If>() : nullptr;
    const bool compact = n.otherwise ? isSimple(n.then) && (chained || isSimple(n.otherwise))
                                     : isSimple(n.then) || (isNested(n.then) && !hasOpenElse(n.then));
    Line line;
    line.text(std::string(before) + "if (");
    if (n.init) clause(line, n.init);
    if (n.init && !asksForDeclared(n)) {
      line.text(";");
      line.breakable(1, true);
    }
    if (!asksForDeclared(n)) ExprPrinter(line).print(n.cond, 2);
    line.text(")");
    if (!n.otherwise && *before == '\0') return controlledShortly(line, n.then, compact);
    controlled(line, n.then, compact, !n.otherwise);
    if (!n.otherwise) return;
    const std::string lead = compact ? "else" : "} else";
    if (chained) return ifStatement(*chained, compact ? "else " : "} else ");
    Line second;
    second.text(lead);
    controlled(second, n.otherwise, compact);
  }

  /// `header` with the statement it controls, in one line where both are short, as in the support code.
  void controlledShortly(const Line& header, const Stmt& body, bool compact) {
    const std::string line = compact && isSimple(body) ? header.flat() + " " + lineOf(body).flat() : "";
    if (line.empty() || indent_ + static_cast<int>(line.size()) > lineWidth)
      return controlled(header, body, compact);
    const uint32_t outside = sourceLine_;
    if (body->sourceLine != 0) sourceLine_ = body->sourceLine;
    raw(line);
    sourceLine_ = outside;
  }
  /// Without the closing brace when `close` is false.
  void controlled(Line header, const Stmt& body, bool compact, bool close = true) {
    if (!compact) header.text(" {");
    put(header);
    indented(body);
    if (!compact && close) raw("}");
  }

  void indented(const Stmt& body) {
    const auto* b = body.as<Block>();
    if (!b) return indented(std::vector<Stmt>{body});
    const uint32_t outside = sourceLine_;
    if (body->sourceLine != 0) sourceLine_ = body->sourceLine;
    indented(b->body);
    sourceLine_ = outside;
  }
  void indented(std::vector<Stmt> body) {
    sortByType(body);
    indent_ += 2;
    for (size_t i = 0; i < body.size();) i += together(body, i);
    indent_ -= 2;
  }

  /// Variables in a row that have no values yet, those of one type after the first of it.
  static void sortByType(std::vector<Stmt>& body) {
    const auto typeOf = [](const Stmt& s) {
      const auto* d = s.as<Declare>();
      return d && !d->init && d->construct.empty() ? typeText(d->type) : "";
    };
    for (auto first = body.begin(); first != body.end(); ++first)
      for (auto next = first + 1; next != body.end() && !typeOf(*first).empty() && !typeOf(*next).empty();
           ++next)
        if (typeOf(*next) == typeOf(*first)) std::rotate(++first, next, next + 1);
  }

  /// The statement there, a declaration with those after it that have its type and fit into its line; how many these are.
  size_t together(const std::vector<Stmt>& body, size_t first) {
    const auto* d = body[first].as<Declare>();
    const bool isOne = !d || !d->construct.empty() || (d->isArray && d->init) || d->type.name == "auto" ||
                       d->type.name == "using";
    Line line;
    size_t count = 0;
    std::vector<std::string> names;
    for (size_t i = first; !isOne && i < body.size(); ++i) {
      const auto* next = body[i].as<Declare>();
      const bool isAlike = next && typeText(next->type) == typeText(d->type) && next->construct.empty() &&
                           !(next->isArray && next->init) && next->isArray == d->isArray &&
                           body[i]->sourceLine == body[first]->sourceLine;
      if (!isAlike) break;
      Line longer = line;
      longer.text(i > first ? ", " : declaredText(d->type) + " ");
      declarator(longer, *next);
      const int length = indent_ + static_cast<int>(longer.flat().size()) + 1;
      const bool readsThese = next->init && mentions(next->init, names);
      if (length > (readsThese ? shortWidth : lineWidth)) break;
      line = longer;
      names.push_back(next->name);
      ++count;
    }
    if (count < 2) return statement(body[first]), 1;
    line.text(";");
    const uint32_t outside = sourceLine_;
    if (body[first]->sourceLine != 0) sourceLine_ = body[first]->sourceLine;
    put(line);
    sourceLine_ = outside;
    return count;
  }
  static bool mentions(const Expr& e, const std::vector<std::string>& names) {
    const std::string text = cxx::print(e);
    const auto isWord = [&](size_t at) {
      return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
    };
    return std::ranges::any_of(names, [&](const std::string& name) {
      for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
        if (!isWord(at + name.size()) && (at == 0 || !isWord(at - 1))) return true;
      return false;
    });
  }
  /// What several declarations have in common, `double` of `double *a, *b;`.
  static std::string declaredText(Type type) {
    type.isPointer = type.isRestrict = false;
    return typeText(type);
  }
  static void declarator(Line& line, const Declare& d) {
    line.text((d.type.isPointer ? "*" : "") + std::string(d.type.isRestrict ? "__restrict__ " : "") + d.name);
    if (d.isArray) line.text("[" + std::to_string(d.count) + "]");
    if (!d.init) return;
    line.text(" = ");
    ExprPrinter(line).print(d.init, 2);
  }

  /// `if (const int n = f(); n != 0)`, for which the declaration is enough.
  static bool asksForDeclared(const If& n) {
    const auto* declared = n.init ? n.init.as<Declare>() : nullptr;
    const auto* test = declared ? n.cond.as<Binary>() : nullptr;
    return test && test->op == "!=" && cxx::print(test->lhs) == declared->name &&
           cxx::print(test->rhs) == "0";
  }
  static bool isSimple(const Stmt& s) { return s.is<Assign>() || s.is<Evaluate>() || s.is<Return>(); }
  /// A loop's body; a comment in front of its one statement goes in front of the loop, which then has no need of braces.
  Stmt withoutComment(const Stmt& body) {
    const auto* b = body.as<Block>();
    const auto* first = b && b->body.size() == 2 ? b->body[0].as<Comment>() : nullptr;
    if (!first || !isCompact(b->body[1])) return body;
    comment(first->text);
    return b->body[1];
  }
  static bool isNested(const Stmt& s) { return s.is<For>() || s.is<While>() || s.is<If>(); }
  /// Whether `s` may stand without braces below a loop's header: what is nested has its own where it needs them.
  static bool isCompact(const Stmt& s) { return isSimple(s) || isNested(s); }
  /// Whether compilers would ask to which `if` an `else` in `s` belongs.
  static bool hasOpenElse(const Stmt& s) {
    if (const auto* f = s.as<For>()) return hasOpenElse(f->body);
    if (const auto* w = s.as<While>()) return hasOpenElse(w->body);
    const auto* i = s.as<If>();
    return i && (i->otherwise || hasOpenElse(i->then));
  }

  /// What ends with a semicolon, without it.
  void clause(Line& line, const Stmt& s) {
    ExprPrinter printer(line);
    if (const auto* d = s.as<Declare>()) {
      line.text(typeText(d->type) + " " + d->name +
                (!d->isArray ? "" : "[" + (d->count > 0 ? std::to_string(d->count) : "") + "]"));
      if (d->init) {
        line.text(" =");
        line.breakable(Line::lastResort, true);
        printer.print(d->init, 2);
      } else if (!d->construct.empty()) {
        printer.print(expr(Call{expr(Atom{""}), d->construct}), 1);
      }
    } else if (const auto* a = s.as<Assign>()) {
      printer.print(a->target, 20);
      line.text(" " + a->op);
      line.breakable(Line::lastResort, true);
      printer.print(a->value, 2);
    } else if (const auto* e = s.as<Evaluate>()) {
      printer.print(e->value, 1);
    } else if (const auto* r = s.as<Return>()) {
      line.text(r->value ? "return " : "return");
      if (r->value) printer.print(r->value, 1);
    } else {
      internalError("C++ statement that cannot stand in a loop's header");
    }
  }
  void simple(const Stmt& s) { put(lineOf(s)); }
  Line lineOf(const Stmt& s) {
    Line line;
    clause(line, s);
    line.text(";");
    return line;
  }

  template <class T> static Expr expr(T node) {
    return Expr(std::make_shared<const ExprNode>(ExprNode{std::move(node)}));
  }

  void append(const std::string& text) {
    out_ += text;
    sourceLines_.insert(sourceLines_.end(), static_cast<size_t>(std::count(text.begin(), text.end(), '\n')),
                        sourceLine_);
  }
  void put(const Line& line) { append(line.wrap(indent_, lineWidth)); }
  void raw(const std::string& line) { append(std::string(static_cast<size_t>(indent_), ' ') + line + '\n'); }

  void comment(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      while (!line.empty() &&
             (line.back() == '\\' || line.back() == ' ')) // a backslash would swallow the next line
        line.pop_back();
      raw(line.empty() ? "//" : "// " + line);
    }
  }

  std::string out_;
  std::vector<uint32_t> sourceLines_; ///< of the lines of out_
  uint32_t sourceLine_ = 0;
  int indent_ = 0;
};

} // namespace

std::string print(const Unit& unit) {
  Printer printer;
  printer.unit(unit);
  return printer.take();
}
std::vector<uint32_t> sourceLines(const Unit& unit) {
  Printer printer;
  printer.unit(unit);
  return printer.takeSourceLines();
}
std::string print(const Stmt& stmt) {
  Printer printer;
  printer.statement(stmt);
  return printer.take();
}
std::string print(const Expr& e) {
  Line line;
  ExprPrinter(line).print(e, 1);
  return line.flat();
}

} // namespace appyc::cxx
