//===- Print.cpp - the Python subset as S-expressions --------------------------------------------===//
// Names and literals print as in Python; everything else as (head part...); a missing part prints as `_`.
#include "appyc/AST/Nodes.h"
#include "appyc/Support/Quoted.h"
#include <fmt/format.h>

namespace appyc::ast {

namespace {

std::string_view spelling(UnaryOp op) {
  switch (op) {
  case UnaryOp::Neg: return "neg";
  case UnaryOp::Pos: return "pos";
  case UnaryOp::Invert: return "invert";
  case UnaryOp::Not: return "not";
  }
  return "?";
}

std::string_view spelling(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add: return "+";
  case BinaryOp::Sub: return "-";
  case BinaryOp::Mul: return "*";
  case BinaryOp::Div: return "/";
  case BinaryOp::FloorDiv: return "//";
  case BinaryOp::Mod: return "%";
  case BinaryOp::Pow: return "**";
  case BinaryOp::MatMul: return "@";
  case BinaryOp::And: return "&";
  case BinaryOp::Or: return "|";
  case BinaryOp::Xor: return "^";
  case BinaryOp::Shl: return "<<";
  case BinaryOp::Shr: return ">>";
  }
  return "?";
}

std::string_view spelling(CompareOp op) {
  switch (op) {
  case CompareOp::Eq: return "==";
  case CompareOp::Ne: return "!=";
  case CompareOp::Lt: return "<";
  case CompareOp::Le: return "<=";
  case CompareOp::Gt: return ">";
  case CompareOp::Ge: return ">=";
  case CompareOp::Is: return "is";
  case CompareOp::IsNot: return "is not";
  case CompareOp::In: return "in";
  case CompareOp::NotIn: return "not in";
  }
  return "?";
}

/// Shortest text that reads back as the same double, always recognisable as a float.
std::string floatText(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".einf") == std::string::npos) text += ".0";
  return text;
}

std::string joined(std::string head, const std::vector<Expr>& parts) {
  for (const Expr& part : parts) head += fmt::format(" {}", print(part));
  return head + ")";
}

std::string printCompare(const Compare& n) {
  std::string out = fmt::format("(compare {}", print(n.operands[0]));
  for (size_t i = 0; i < n.ops.size(); ++i)
    out += fmt::format(" {} {}", spelling(n.ops[i]), print(n.operands[i + 1]));
  return out + ")";
}

std::string printCall(const Call& n) {
  std::string out = fmt::format("(call {}", print(n.callee));
  for (const Expr& arg : n.args) out += fmt::format(" {}", print(arg));
  for (const Keyword& keyword : n.keywords) out += fmt::format(" {}={}", keyword.name, print(keyword.value));
  return out + ")";
}

//===- directives and types ---------------------------------------------------------------------===//

std::string_view spelling(LoopMark mark) {
  switch (mark) {
  case LoopMark::None: return "none";
  case LoopMark::Parallel: return "parallel";
  case LoopMark::ParallelSimd: return "parallel-simd";
  case LoopMark::Simd: return "simd";
  case LoopMark::Sequential: return "sequential";
  }
  return "?";
}

std::string print(const LoopDirective& d) {
  if (d.mark == LoopMark::None) return {};
  std::string out = fmt::format("(loop {}", spelling(d.mark));
  if (d.vectorLength) out += fmt::format(" length={}", *d.vectorLength);
  if (d.warps) out += fmt::format(" warps={}", *d.warps);
  if (d.threads) out += fmt::format(" threads={}", *d.threads);
  if (d.reduction) out += " reduction";
  for (const ReduceClause& clause : d.reductions) out += fmt::format(" {}:{}", clause.op, *clause.target);
  for (const NameClause& clause : d.names) out += fmt::format(" {}:{}", clause.clause, clause.name);
  return out + ")";
}

std::string print(const DimDirective& d) {
  std::string out = fmt::format("(dim {}:{}", d.low, d.up);
  if (!d.step.empty()) out += ":" + d.step;
  if (d.parallel) out += " parallel";
  if (d.block) out += fmt::format(" block={}", *d.block);
  if (d.blockIsMvl) out += " block=mvl";
  if (d.singleBlock) out += " single";
  if (d.promised) out += " promised";
  for (const ReduceClause& clause : d.reduces) {
    out += fmt::format(" reduce={}", clause.op);
    if (clause.target) out += fmt::format(":{}", *clause.target);
  }
  return out + ")";
}

std::string print(const StatementDirective& d) {
  if (!d.atomic && d.dims.empty()) return {};
  std::string out = "(statement";
  if (d.atomic) out += " atomic";
  for (const DimDirective& dim : d.dims) out += fmt::format(" {}", print(dim));
  return out + ")";
}

std::string print(const TypeSpec& type) {
  if (type.container != TypeSpec::Single) {
    std::vector<std::string> items;
    for (const TypeSpec& item : type.items) items.push_back(print(item));
    return fmt::format("{}[{}]", type.container == TypeSpec::List ? "list" : "tuple", fmt::join(items, ", "));
  }
  std::string out = (type.weak ? "~" : "") + type.dtype;
  if (!type.isArray) return out;
  std::vector<std::string> extents;
  for (const std::string& extent : type.extents) extents.push_back(extent.empty() ? ":" : extent);
  return fmt::format("{}[{}]", out, fmt::join(extents, ", "));
}

std::string print(const Signature& signature) {
  std::string out = "(signature";
  for (const auto& param : signature.params) out += fmt::format(" {}", param ? print(*param) : "constant");
  if (signature.declaresResults) out += " ->";
  for (const TypeSpec& result : signature.results) out += fmt::format(" {}", print(result));
  return out + ")";
}

std::string parametersOf(const Function& f) {
  std::string out;
  for (const Parameter& p : f.params)
    out += fmt::format(" ({}{}{})",
                       p.kind == Parameter::Rest     ? "*"
                       : p.kind == Parameter::Others ? "**"
                                                     : "",
                       p.name, p.defaultValue ? " " + ast::print(p.defaultValue) : "");
  return out;
}

//===- statements -------------------------------------------------------------------------------===//

/// Writes statements, each on its own line, indented by how deep it stands.
class StatementPrinter {
public:
  explicit StatementPrinter(std::string& out) : out_(out) {}

  void body(const Body& statements, int depth) {
    for (const Stmt& s : statements) statement(s, depth);
  }

private:
  void line(int depth, std::string_view text) { out_ += fmt::format("\n{:{}}{}", "", 2 * depth, text); }

  void block(std::string_view head, std::string_view directive, const Body& inner, int depth) {
    line(depth, head);
    if (!directive.empty()) line(depth + 1, directive);
    body(inner, depth + 1);
    out_ += ")";
  }

  void otherwise(const Body& statements, int depth) {
    if (!statements.empty()) block("(loop-else", {}, statements, depth);
  }

  static std::string simple(std::string text, const StatementDirective& directive) {
    const std::string said = print(directive);
    return said.empty() ? text + ")" : fmt::format("{} {})", text, said);
  }

  void statement(const Stmt& s, int depth) {
    match(
        s,
        [&](const Assign& n) {
          std::string text = "(assign";
          for (const Expr& target : n.targets) text += fmt::format(" {}", ast::print(target));
          line(depth, simple(fmt::format("{} {}", text, ast::print(n.value)), n.directive));
        },
        [&](const AugAssign& n) {
          line(depth,
               simple(fmt::format("({}= {} {}", spelling(n.op), ast::print(n.target), ast::print(n.value)),
                      n.directive));
        },
        [&](const For& n) {
          block(fmt::format("(for {} {}", ast::print(n.target), ast::print(n.iter)), print(n.directive),
                n.body, depth);
          otherwise(n.otherwise, depth);
        },
        [&](const While& n) {
          block(fmt::format("(while {}", ast::print(n.cond)), {}, n.body, depth);
          otherwise(n.otherwise, depth);
        },
        [&](const If& n) {
          line(depth, fmt::format("(if {}", ast::print(n.cond)));
          block("(then", {}, n.then, depth + 1);
          if (!n.otherwise.empty()) block("(else", {}, n.otherwise, depth + 1);
          out_ += ")";
        },
        [&](const Return& n) {
          line(depth, n.value ? fmt::format("(return {})", ast::print(n.value)) : "(return)");
        },
        [&](const ExprStmt& n) { line(depth, fmt::format("(do {})", ast::print(n.value))); },
        [&](const Pass&) { line(depth, "(pass)"); }, [&](const Break&) { line(depth, "(break)"); },
        [&](const Continue&) { line(depth, "(continue)"); },
        [&](const Raise& n) {
          line(depth, n.exception ? fmt::format("(raise {})", ast::print(n.exception)) : "(raise)");
        },
        [&](const Assert& n) {
          line(depth, fmt::format("(assert {}{})", ast::print(n.cond),
                                  n.message ? " " + ast::print(n.message) : ""));
        },
        [&](const LocalImport& i) {
          for (const Import& one : i.imports) line(depth, fmt::format("(import {} {})", one.as, one.what));
        },
        [&](const LocalFunction& f) {
          block(fmt::format("(def {}{}", f.function->name, parametersOf(*f.function)), {}, f.function->body,
                depth);
        },
        [&](const Delete& d) { line(depth, joined("(del", d.targets)); },
        [&](const ErrorStmt&) { line(depth, "(error)"); });
  }

  std::string& out_;
};

std::string print(const Function& f) {
  std::string out = fmt::format("\n  (function {}", f.name);
  constexpr std::string_view kinds[] = {" positional", "", " keyword", " rest", " others"};
  for (const Parameter& p : f.params)
    out += fmt::format("\n    (param {}{}{})", p.name, kinds[p.kind],
                       p.defaultValue ? " " + print(p.defaultValue) : "");
  for (const Signature& signature : f.signatures) out += fmt::format("\n    {}", print(signature));
  if (!f.docstring.empty()) out += fmt::format("\n    (doc {})", quoted(f.docstring));
  StatementPrinter(out).body(f.body, 2);
  return out + ")";
}

} // namespace

std::string print(const Expr& e) {
  if (!e) return "_";
  return match(
      e, [](const Name& n) { return n.id; },
      [](const IntLit& n) { return n.tooLarge ? std::string("<large>") : fmt::format("{}", n.value); },
      [](const FloatLit& n) { return floatText(n.value); },
      [](const ImagLit& n) { return fmt::format("{}j", n.value); },
      [](const BoolLit& n) { return std::string(n.value ? "True" : "False"); },
      [](const StringLit& n) { return quoted(n.value); },
      [](const FormattedText& n) {
        std::string text = "(text " + quoted(n.texts[0]);
        for (size_t k = 0; k < n.fields.size(); ++k)
          text += fmt::format(" ({} {} {}) {}", print(n.fields[k].value), quoted(n.fields[k].conversion),
                              quoted(n.fields[k].spec), quoted(n.texts[k + 1]));
        return text + ")";
      },
      [](const NoneLit&) { return std::string("None"); },
      [](const EllipsisLit&) { return std::string("..."); },
      [](const Unary& n) { return fmt::format("({} {})", spelling(n.op), print(n.arg)); },
      [](const Binary& n) { return fmt::format("({} {} {})", spelling(n.op), print(n.lhs), print(n.rhs)); },
      [](const Compare& n) { return printCompare(n); },
      [](const BoolExpr& n) {
        return fmt::format("({} {} {})", n.op == BoolOp::And ? "and" : "or", print(n.lhs), print(n.rhs));
      },
      [](const Conditional& n) {
        return fmt::format("(cond {} {} {})", print(n.cond), print(n.then), print(n.otherwise));
      },
      [](const Call& n) { return printCall(n); },
      [](const Attribute& n) { return fmt::format("(. {} {})", print(n.base), n.name); },
      [](const Subscript& n) { return joined(fmt::format("(index {}", print(n.base)), n.index); },
      [](const Slice& n) {
        return fmt::format("(slice {} {} {})", print(n.lower), print(n.upper), print(n.step));
      },
      [](const Tuple& n) { return joined("(tuple", n.items); },
      [](const List& n) { return joined("(list", n.items); },
      [](const Dict& n) {
        std::string out = "(dict";
        for (size_t k = 0; k < n.keys.size(); ++k)
          out += fmt::format(" ({} {})", n.keys[k] ? print(n.keys[k]) : "**", print(n.values[k]));
        return out + ")";
      },
      [](const Starred& n) { return joined("(starred", {n.value}); },
      [](const Lambda& n) {
        return fmt::format("(lambda{} {})", parametersOf(*n.function),
                           print(n.function->body[0].as<Return>()->value));
      },
      [](const Comprehension& n) {
        std::string out = fmt::format("({} {}", n.isList ? "list-of" : "generator", print(n.element));
        for (const Clause& c : n.clauses) {
          out += fmt::format(" (for {} {}", print(c.target), print(c.iter));
          for (const Expr& condition : c.conditions) out += " " + print(condition);
          out += ")";
        }
        return out + ")";
      },
      [](const Completes& n) {
        std::string out = "(completes";
        StatementPrinter(out).body(n.tried, 3);
        for (const auto& classes : n.handlers) out = joined(out + " (except", classes);
        return out + ")";
      },
      [](const Walrus& n) { return fmt::format("(:= {} {})", print(n.target), print(n.value)); },
      [](const ErrorExpr&) { return std::string("<error>"); });
}

std::string print(const Module& m) {
  std::string out = "(module";
  for (const Import& i : m.imports) out += fmt::format("\n  (import {} {})", i.as, i.what);
  for (const Constant& c : m.constants)
    if (c.value) out += fmt::format("\n  (constant {} {})", c.name, print(c.value));
  for (const ClassRef& c : m.classes) {
    constexpr std::string_view kinds[] = {"namedtuple", "dataclass", "typeddict"};
    out += fmt::format("\n  (class {} {}", c->name, c->problem.empty() ? kinds[c->kind] : "refused");
    for (const Class::Field& f : c->fields) out += " " + f.name;
    out += ")";
  }
  for (const Function& f : m.functions) out += print(f);
  return out + ")\n";
}

} // namespace appyc::ast
