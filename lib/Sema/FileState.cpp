//===- FileState.cpp - what functions keep between their calls ----------------------------------------------===//
//   @cache                                  def f(m):
//   def fib(n):                               kept = {}
//     if n < 2: return n                      def fib(n):
//     return fib(n - 1) + fib(n - 2)    =>      if n in kept: return kept[n]
//   def f(m):                                   if n < 2: result = n; kept[n] = result; return result
//     return fib(m)                             ...
//                                             return fib(m)
//
//   count = 0                               def f(names, n):           # names = {"count": 0}, which the wrapper keeps
//   def more():                               def more():
//     global count                     =>       names["count"] += 1
//     count += 1                              more()
//   def f(n): more()
// Done on the syntax tree. Functions that keep something, and those that call such, are functions inside of each entry, so
// that they see what the entry begins with.
#include "FileState.h"
#include "Lowering.h"
#include "Names.h"
#include "SelfCalls.h"
#include "appyc/Frontend/FileState.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::sema {

namespace {
using ast::Body;
using ast::Stmt;

Stmt binding(const ast::Expr& target, const ast::Expr& value) {
  return ast::makeStmt(target->span, ast::Assign{{target}, value, {}});
}

/// Is it behind its last statement never?
bool endsByReturn(const Body& body) {
  if (body.empty()) return false;
  const auto* i = body.back().as<ast::If>();
  return body.back().is<ast::Return>() || body.back().is<ast::Raise>() ||
         (i && endsByReturn(i->then) && endsByReturn(i->otherwise));
}
bool returnsNothing(const Body& body) {
  return std::ranges::any_of(body, [](const Stmt& s) {
    const auto* r = s.as<ast::Return>();
    const auto* i = s.as<ast::If>();
    const auto* f = s.as<ast::For>();
    const auto* w = s.as<ast::While>();
    return (r && (!r->value || r->value.is<ast::NoneLit>())) ||
           (i && (i->cond.is<ast::Completes>() || returnsNothing(i->then) || returnsNothing(i->otherwise))) ||
           (f && (returnsNothing(f->body) || returnsNothing(f->otherwise))) ||
           (w && (returnsNothing(w->body) || returnsNothing(w->otherwise)));
  });
}

/// Is what it has computed worth keeping, by a key that its parameters are?
bool isWorthKeeping(const ast::Function& fn) {
  const std::set<std::string> bound = assignedNames(fn.body);
  const bool isPlain = std::ranges::all_of(fn.params, [&](const ast::Parameter& p) {
    return p.kind <= ast::Parameter::Ordinary && !bound.count(p.name);
  });
  return fn.directive.caches && fn.yields.end == 0 && isPlain && !fn.params.empty() &&
         endsByReturn(fn.body) && !returnsNothing(fn.body) && exposedNames(fn.body).count(fn.name) > 0;
}

std::string dictOf(const ast::Function& fn) { return "kept by " + fn.name; } // no name of Python's

ast::Expr keptAt(const ast::Function& fn, Span where) {
  std::vector<ast::Expr> key;
  for (const ast::Parameter& p : fn.params) key.push_back(nameAt(p.name, where));
  if (key.size() > 1) key = {ast::make(where, ast::Tuple{key})};
  return ast::make(where, ast::Subscript{nameAt(dictOf(fn), where), key});
}

Body keeping(const ast::Function& fn, const Body& body) {
  Body out;
  for (const Stmt& s : body) {
    const auto keptIn = [&](auto loop) {
      loop.body = keeping(fn, loop.body), loop.otherwise = keeping(fn, loop.otherwise);
      return ast::makeStmt(s->span, std::move(loop));
    };
    if (const auto* r = s.as<ast::Return>()) {
      const Span behind{s->span.end, s->span.end};
      out.push_back(binding(nameAt("result of " + fn.name, s->span), r->value));
      out.push_back(binding(keptAt(fn, behind), nameAt("result of " + fn.name, behind)));
      out.push_back(ast::makeStmt(behind, ast::Return{nameAt("result of " + fn.name, behind)}));
    } else if (const auto* i = s.as<ast::If>())
      out.push_back(
          ast::makeStmt(s->span, ast::If{i->cond, keeping(fn, i->then), keeping(fn, i->otherwise)}));
    else if (const auto* f = s.as<ast::For>())
      out.push_back(keptIn(*f));
    else if (const auto* w = s.as<ast::While>())
      out.push_back(keptIn(*w));
    else
      out.push_back(s);
  }
  return out;
}

/// Makes dicts of caches, or leaves them out.
struct Caches {
  bool areKept;
  bool keeps(const ast::Function& fn) const { return areKept && isWorthKeeping(fn); }

  /// The function, which looks first whether it has computed that before.
  ast::Function withCache(ast::Function fn) const {
    fn.body = withLocalCaches(fn.body);
    if (!keeps(fn)) return fn;
    const Span where = fn.nameSpan;
    const ast::Expr kept = keptAt(fn, where);
    const ast::Expr key = kept.as<ast::Subscript>()->index[0];
    const ast::Expr isKnown =
        ast::make(where, ast::Compare{{key, nameAt(dictOf(fn), where)}, {ast::CompareOp::In}});
    Body body{ast::makeStmt(where, ast::If{isKnown, {ast::makeStmt(where, ast::Return{kept})}, {}})};
    for (const Stmt& s : keeping(fn, fn.body)) body.push_back(s);
    fn.body = std::move(body);
    return fn;
  }

  void addTo(Body& out, const ast::Function& fn, Span where) const {
    if (keeps(fn))
      out.push_back(binding(nameAt(dictOf(fn), fn.nameSpan), ast::make(fn.nameSpan, ast::Dict{})));
    out.push_back(
        ast::makeStmt(where, ast::LocalFunction{std::make_shared<const ast::Function>(withCache(fn))}));
  }

  Body withLocalCaches(const Body& body) const {
    Body out;
    for (const Stmt& s : body) {
      if (const auto* local = s.as<ast::LocalFunction>())
        addTo(out, *local->function, s->span);
      else if (const auto* i = s.as<ast::If>())
        out.push_back(ast::makeStmt(
            s->span, ast::If{i->cond, withLocalCaches(i->then), withLocalCaches(i->otherwise)}));
      else
        out.push_back(s);
    }
    return out;
  }
};

/// The functions of a file that keep something, and those that call such.
class Keepers {
public:
  Keepers(const ast::Module& module, bool keepsResults) : module_(module), caches_{keepsResults} {
    for (const ast::Function& fn : module.functions) {
      reads_[fn.name] = exposedNames(fn.body);
      if (caches_.keeps(fn) || reads_[fn.name].count(frontend::kNamesOfFile)) keepers_.insert(fn.name);
    }
    for (size_t before = 0; before != keepers_.size();) {
      before = keepers_.size();
      for (const auto& [name, read] : reads_)
        if (std::ranges::any_of(read, [&](const std::string& n) { return keepers_.count(n) > 0; }))
          keepers_.insert(name);
    }
  }

  Body inside(const ast::Function& entry) const {
    if (!keepers_.count(entry.name)) return caches_.withLocalCaches(entry.body);
    std::set<std::string> called;
    collect(entry.name, called);
    std::set<std::string> own = assignedNames(entry.body);
    for (const ast::Parameter& p : entry.params) own.insert(p.name);
    Body out;
    for (const ast::Function& fn : module_.functions) {
      if (!called.count(fn.name)) continue;
      for (const std::string& name : reads_.at(fn.name)) // which would be other names there
        if (own.count(name) && !isBound(fn, name) && fn.name != entry.name)
          return caches_.withLocalCaches(entry.body);
      caches_.addTo(out, fn, fn.span);
    }
    if (!called.count(entry.name)) {
      for (const Stmt& s : caches_.withLocalCaches(entry.body)) out.push_back(s);
      return out;
    }
    ast::Call self{nameAt(entry.name, {entry.span.end, entry.span.end}), {}, {}};
    for (const ast::Parameter& p : entry.params)
      self.args.push_back(nameAt(p.name, {entry.span.end, entry.span.end}));
    const Span end{entry.span.end, entry.span.end};
    out.push_back(ast::makeStmt(end, ast::Return{ast::make(end, std::move(self))}));
    return out;
  }

  /// Does the entry, or what it calls, bind names of the file?
  bool usesFile(const ast::Function& entry) const {
    std::set<std::string> called{entry.name};
    collect(entry.name, called);
    return std::ranges::any_of(
        called, [&](const std::string& name) { return reads_.at(name).count(frontend::kNamesOfFile) > 0; });
  }

private:
  static bool isBound(const ast::Function& fn, const std::string& name) {
    return std::ranges::find(fn.params, name, &ast::Parameter::name) != fn.params.end() ||
           assignedNames(fn.body).count(name) > 0;
  }
  void collect(const std::string& from, std::set<std::string>& called) const {
    for (const std::string& name : reads_.at(from))
      if (keepers_.count(name) && called.insert(name).second) collect(name, called);
  }

  const ast::Module& module_;
  const Caches caches_;
  std::map<std::string, std::set<std::string>> reads_;
  std::set<std::string> keepers_;
};

bool cachesInside(const Body& body) {
  return std::ranges::any_of(body, [](const Stmt& s) {
    const auto* local = s.as<ast::LocalFunction>();
    const auto* i = s.as<ast::If>();
    return (local && (local->function->directive.caches || cachesInside(local->function->body))) ||
           (i && (cachesInside(i->then) || cachesInside(i->otherwise)));
  });
}

/// The type of a number of the file's.
ast::TypeSpec typeOf(const ast::Expr& value) {
  const auto* minus = value.as<ast::Unary>();
  const ast::Expr& number = minus ? minus->arg : value;
  ast::TypeSpec type;
  type.dtype = number.is<ast::BoolLit>() ? "bool" : number.is<ast::IntLit>() ? "i64" : "f64";
  type.weak = !number.is<ast::BoolLit>();
  type.where = value->span;
  return type;
}

std::string numberText(const ast::Expr& value) {
  const auto* minus = value.as<ast::Unary>();
  return minus ? "-" + ast::print(minus->arg) : ast::print(value);
}

/// Of names that functions bind: a dict, which is called as Python writes it at first.
ast::ClassRef namesOf(const ast::Module& module, const std::set<std::string>& floats) {
  ast::Class names;
  names.kind = ast::Class::TypedDict;
  std::string text;
  for (const ast::Constant& c : module.constants) {
    if (c.problem != frontend::kNamesOfFile || !c.value) continue;
    names.where = c.where;
    names.fields.push_back({c.name, {}, c.where, typeOf(c.value)});
    if (floats.count(c.name)) names.fields.back().type->dtype = "f64";
    text += fmt::format("{}\"{}\": {}", text.empty() ? "" : ", ", c.name, numberText(c.value));
  }
  names.name = text;
  return names.fields.empty() ? nullptr : std::make_shared<const ast::Class>(std::move(names));
}

} // namespace

bool hasCaches(const ast::Module& module) {
  return std::ranges::any_of(
      module.functions, [](const ast::Function& fn) { return fn.directive.caches || cachesInside(fn.body); });
}

ast::Module withFileState(const ast::Module& module, bool keeps, const std::set<std::string>& floats) {
  const ast::ClassRef names = namesOf(module, floats);
  if (!names && !keeps) return module;
  ast::Module out = module;
  const Keepers keepers(module, keeps);
  for (ast::Function& fn : out.functions) {
    if (fn.signatures.empty()) continue;
    const bool isGivenNames = names && keepers.usesFile(fn);
    fn.body = keepers.inside(fn);
    if (!isGivenNames) continue;
    ast::TypeSpec type;
    type.record = names;
    type.where = fn.nameSpan;
    fn.params.insert(fn.params.begin(), {frontend::kNamesOfFile, {}, fn.nameSpan});
    for (ast::Signature& signature : fn.signatures) {
      signature.params.insert(signature.params.begin(), type);
      for (size_t& k : signature.ofDefaults) ++k;
    }
  }
  return out;
}

/// What the wrapper keeps between calls is of one type.
void Lowering::checkNameOfFile(const std::string& key, const Value& first, const Value& now) {
  const auto* before = first.as<Scalar>();
  const auto* after = now.as<Scalar>();
  const std::string name = key.substr(1, key.size() - 2);
  if (before && after && ir::isInteger(before->type()) && ir::isFloat(after->type()))
    listStates_.floatsOfFile.insert(name);
  else if (!before || !after || before->type() != after->type())
    error(DiagId::Unsupported, statement_,
          fmt::format("`{}` is a number of the file, which functions bind to something else; pass it as a "
                      "parameter, or return it",
                      name));
}

} // namespace appyc::sema
