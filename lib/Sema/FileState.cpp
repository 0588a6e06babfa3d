//===- FileState.cpp - what functions keep between their calls ----------------------------------------------===//
//   @cache                                  def f(m):
//   def fib(n):                               kept = {}
//     if n < 2: return n                      def fib(n):
//     return fib(n - 1) + fib(n - 2)    =>      if n in kept: return kept[n]
//   def f(m):                                   if n < 2: result = n; kept[n] = result; return result
//     return fib(m)                             ...
//                                             return fib(m)
//
//   def fib(n, memo={}): ...                as with a dict of the file
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
#include "RenamedNames.h"
#include "SelfCalls.h"
#include "appyc/Frontend/FileState.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::sema {

namespace {
using ast::Body;
using ast::Stmt;

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

/// Is a dict of the file the memory of what a function has computed, by a key that its parameters are? Then nobody can
/// tell it from one that each call of an entry begins anew.
///   if n in known: return known[n]
///   ..
///   known[n] = fib(n - 1) + fib(n - 2)
///   return known[n]
class Memory {
public:
  Memory(const ast::Function& fn, const std::string& dict) : fn_(fn), dict_(dict) {}
  bool isOne() const {
    const std::set<std::string> bound = assignedNames(fn_.body);
    return std::ranges::none_of(fn_.params,
                                [&](const ast::Parameter& p) {
                                  return p.kind > ast::Parameter::Ordinary || bound.count(p.name) > 0;
                                }) &&
           !bound.count(dict_) && isRight(fn_.body, nullptr);
  }

private:
  bool isFree(const ast::Expr& e) const { return !e || !namesIn(e).count(dict_); }
  bool isDict(const ast::Expr& e) const {
    const auto* name = e.as<ast::Name>();
    return name && name->id == dict_;
  }
  bool isKey(const std::vector<ast::Expr>& given) const {
    const auto* all = given.size() == 1 ? given[0].as<ast::Tuple>() : nullptr;
    std::set<std::string> names, wanted;
    for (const ast::Parameter& p : fn_.params) wanted.insert(p.name);
    for (const ast::Expr& e : all ? all->items : given)
      if (const auto* name = e.as<ast::Name>(); !name || !names.insert(name->id).second) return false;
    return names == wanted && (wanted.size() > 1) == (all || given.size() > 1);
  }
  bool isItem(const ast::Expr& e) const {
    const auto* part = e ? e.as<ast::Subscript>() : nullptr;
    return part && isDict(part->base) && isKey(part->index);
  }
  /// `next`: what is done behind the statements.
  bool isRight(const Body& body, const Stmt* next) const {
    for (size_t k = 0; k < body.size(); ++k)
      if (!isRight(body[k], k + 1 < body.size() ? &body[k + 1] : next)) return false;
    return true;
  }
  bool isRight(const Stmt& s, const Stmt* next) const {
    if (const auto* i = s.as<ast::If>()) {
      const auto* asked = i->cond.as<ast::Compare>();
      const bool isAsked =
          asked && asked->ops.size() == 1 && isDict(asked->operands[1]) && isKey({asked->operands[0]});
      const auto givesItem = [&](const Stmt* only) {
        const auto* given = only ? only->as<ast::Return>() : nullptr;
        return given && isItem(given->value);
      };
      if (isAsked && asked->ops[0] == ast::CompareOp::In)
        return i->then.size() == 1 && givesItem(&i->then[0]) && isRight(i->otherwise, next);
      if (isAsked && asked->ops[0] == ast::CompareOp::NotIn)
        return i->otherwise.empty() && givesItem(next) && isRight(i->then, next);
      return isFree(i->cond) && isRight(i->then, next) && isRight(i->otherwise, next);
    }
    if (const auto* r = s.as<ast::Return>()) return isItem(r->value) || isFree(r->value);
    if (const auto* a = s.as<ast::Assign>()) {
      const bool isPlain = std::ranges::all_of(a->targets, [&](const ast::Expr& t) { return isFree(t); });
      if (isPlain || !isFree(a->value)) return isPlain && isFree(a->value);
      const auto* given = next ? next->as<ast::Return>() : nullptr;
      const auto* name = given && given->value ? given->value.as<ast::Name>() : nullptr;
      const auto* kept = a->value.as<ast::Name>();
      return a->targets.size() == 1 && isItem(a->targets[0]) && given &&
             (isItem(given->value) || (name && kept && name->id == kept->id));
    }
    if (const auto* g = s.as<ast::AugAssign>()) return isFree(g->target) && isFree(g->value);
    if (const auto* e = s.as<ast::ExprStmt>()) return isFree(e->value);
    if (const auto* f = s.as<ast::For>())
      return isFree(f->iter) && isRight(f->body, nullptr) && isRight(f->otherwise, nullptr);
    if (const auto* w = s.as<ast::While>())
      return isFree(w->cond) && isRight(w->body, nullptr) && isRight(w->otherwise, nullptr);
    return s.is<ast::Pass>() || s.is<ast::Break>() || s.is<ast::Continue>();
  }

  const ast::Function& fn_;
  const std::string dict_;
};

bool hasLocalFunctions(const Body& body) {
  return std::ranges::any_of(body, [](const Stmt& s) {
    const auto* i = s.as<ast::If>();
    const auto* f = s.as<ast::For>();
    const auto* w = s.as<ast::While>();
    return s.is<ast::LocalFunction>() ||
           (i && (hasLocalFunctions(i->then) || hasLocalFunctions(i->otherwise))) ||
           (f && hasLocalFunctions(f->body)) || (w && hasLocalFunctions(w->body));
  });
}

/// `if memo is None: memo = {}`
bool beginsAnew(const Stmt& s, const std::string& name) {
  const auto isIt = [&](const ast::Expr& e) { return e.as<ast::Name>() && e.as<ast::Name>()->id == name; };
  const auto* i = s.as<ast::If>();
  const auto* asked = i ? i->cond.as<ast::Compare>() : nullptr;
  const auto* bound =
      i && i->then.size() == 1 && i->otherwise.empty() ? i->then[0].as<ast::Assign>() : nullptr;
  const auto* dict = bound ? bound->value.as<ast::Dict>() : nullptr;
  return asked && asked->ops.size() == 1 && asked->ops[0] == ast::CompareOp::Is && isIt(asked->operands[0]) &&
         asked->operands[1].is<ast::NoneLit>() && dict && dict->values.empty() &&
         bound->targets.size() == 1 && isIt(bound->targets[0]);
}

/// `def fib(n, memo={})`, `memo=None` or `memo`, of which nobody can tell that it is no dict of the file.
std::optional<ast::Module> withoutMemory(const ast::Module& module, const ast::Function& fn) {
  if (!fn.signatures.empty() || fn.params.size() < 2 || fn.params.back().kind > ast::Parameter::Ordinary)
    return std::nullopt;
  const ast::Parameter& last = fn.params.back();
  const auto* dict = last.defaultValue ? last.defaultValue.as<ast::Dict>() : nullptr;
  const bool isAnew = !fn.body.empty() && beginsAnew(fn.body[0], last.name);
  if (last.defaultValue && !dict && !(last.defaultValue.is<ast::NoneLit>() && isAnew)) return std::nullopt;
  const bool isEmpty = !dict || dict->values.empty();
  const std::string name = fmt::format("{} of {}", last.name, fn.name); // no name of Python's
  ast::Module out = module;
  for (ast::Function& each : out.functions) {
    const bool isIt = each.name == fn.name;
    const std::set<std::string> read = exposedNames(each.body);
    if (!read.count(fn.name)) {
      if (isIt) return std::nullopt;
      continue;
    }
    if (hasLocalFunctions(each.body)) return std::nullopt;
    NamePlaces places{};
    places.areKept = true;
    places.leftOut[fn.name] = {isIt ? last.name : name, fn.params.size() - 1, isEmpty};
    if (isIt && isAnew) each.body.erase(each.body.begin());
    each.body = withNames(each.body, {},
                          isIt ? std::map<std::string, std::string>{{last.name, name}}
                               : std::map<std::string, std::string>(),
                          places);
    if (places.leftOut[fn.name].isOther) return std::nullopt;
    if (!isIt) continue;
    each.params.pop_back();
    if (!Memory(each, name).isOne()) return std::nullopt;
  }
  out.constants.push_back(
      {name, dict ? last.defaultValue : ast::make(fn.nameSpan, ast::Dict{}), fn.nameSpan});
  return out;
}

ast::Module withoutMemories(ast::Module module) {
  for (size_t k = 0; k < module.functions.size(); ++k)
    if (std::optional<ast::Module> other = withoutMemory(module, module.functions[k]))
      module = std::move(*other);
  return module;
}

/// The functions of a file that keep something, and those that call such.
class Keepers {
public:
  Keepers(const ast::Module& module, bool keepsResults) : module_(module), caches_{keepsResults} {
    for (const ast::Function& fn : module.functions) {
      reads_[fn.name] = exposedNames(fn.body);
      if (caches_.keeps(fn) || reads_[fn.name].count(frontend::kNamesOfFile)) keepers_.insert(fn.name);
    }
    for (const ast::Constant& c : module.constants) {
      if (!c.value || !c.value.is<ast::Dict>()) continue;
      const auto readsIt = [&](const ast::Function& fn) { return reads_[fn.name].count(c.name) > 0; };
      const auto user = std::ranges::find_if(module.functions, readsIt);
      if (user == module.functions.end() || std::ranges::count_if(module.functions, readsIt) > 1 ||
          !Memory(*user, c.name).isOne() || usesFile(*user))
        continue;
      memories_.emplace(user->name, &c);
      keepers_.insert(user->name);
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
      if (const auto memory = memories_.find(fn.name); memory != memories_.end())
        out.push_back(binding(nameAt(memory->second->name, fn.nameSpan), memory->second->value));
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

  bool areNone() const { return keepers_.empty(); }
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
  std::map<std::string, const ast::Constant*> memories_;
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

ast::Module withFileState(const ast::Module& read, bool keeps, const std::set<std::string>& floats) {
  const ast::Module module = withoutMemories(read);
  const ast::ClassRef names = namesOf(module, floats);
  const Keepers keepers(module, keeps);
  if (!keeps && keepers.areNone()) return module;
  ast::Module out = module;
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
