//===- Generators.cpp - loops over generators of the file -----------------------------------------------===//
//   def halves(n):                     n = m
//     while True:                      while True:
//       yield n                 =>       h = n
//       n //= 2                          total += h
//   for h in halves(m):                  if h < 2: break
//     total += h                         n //= 2
//     if h < 2: break
// What a generator does between two of its values is done when the next one is asked for: its text stands around the
// loop's. `enumerate`, `itertools.islice` and `takewhile` of one count and ask in between. Other uses of a generator run
// over the list of all that it yields (Frontend/Parse/ParseYield.cpp).
#include "Generators.h"
#include "Names.h"
#include "RenamedNames.h"
#include "SelfCalls.h"
#include <fmt/format.h>
#include <optional>

namespace appyc::sema {

namespace {

using ast::Body;
using ast::Stmt;

ast::Expr number(uint64_t value, Span where) { return ast::make(where, ast::IntLit{value}); }
ast::Expr flag(bool value, Span where) { return ast::make(where, ast::BoolLit{value}); }
Stmt assign(const ast::Expr& target, const ast::Expr& value) {
  return ast::makeStmt(target->span, ast::Assign{{target}, value, {}});
}

const ast::Expr* iteratedCall(const ast::Expr& e, const char* module, std::string_view function, size_t least,
                              size_t most) {
  const auto* call = e.as<ast::Call>();
  const auto* path = call ? call->callee.as<ast::Attribute>() : nullptr;
  const auto* of = path ? path->base.as<ast::Name>() : nullptr;
  const auto* name = call ? call->callee.as<ast::Name>() : nullptr;
  const bool isIt =
      (name && name->id == function) || (of && *module && of->id == module && path->name == function);
  return isIt && call->keywords.empty() && call->args.size() >= least && call->args.size() <= most ? &e
                                                                                                   : nullptr;
}

/// What statements of a loop's body leave it, or its step.
struct Jumps {
  bool breaks = false, continues = false;
  explicit Jumps(const Body& body) { look(body); }
  void look(const Body& body) {
    for (const Stmt& s : body) {
      breaks |= s.is<ast::Break>(), continues |= s.is<ast::Continue>();
      if (const auto* i = s.as<ast::If>()) look(i->then), look(i->otherwise);
      if (const auto* f = s.as<ast::For>()) look(f->otherwise);
      if (const auto* w = s.as<ast::While>()) look(w->otherwise);
    }
  }
};

} // namespace

const ast::Expr* Generator::valueOf(const Stmt& s) const {
  const auto* e = s.as<ast::ExprStmt>();
  const auto* call = e ? e->value.as<ast::Call>() : nullptr;
  const auto* method = call ? call->callee.as<ast::Attribute>() : nullptr;
  const auto* list = method ? method->base.as<ast::Name>() : nullptr;
  return list && list->id == yielded && method->name == "append" ? &call->args[0] : nullptr;
}

bool Generator::yields(const Body& statements) const {
  return std::ranges::any_of(statements, [&](const Stmt& s) {
    if (const auto* i = s.as<ast::If>()) return yields(i->then) || yields(i->otherwise);
    if (const auto* f = s.as<ast::For>()) return yields(f->body) || yields(f->otherwise);
    if (const auto* w = s.as<ast::While>()) return yields(w->body) || yields(w->otherwise);
    return valueOf(s) != nullptr;
  });
}

bool Generator::isOther(const Body& statements) const {
  const auto hasTwo = [&](const auto& loop) { return yields(loop.body) && !loop.otherwise.empty(); };
  return std::ranges::any_of(statements, [&](const Stmt& s) {
    if (const auto* i = s.as<ast::If>())
      return i->cond.is<ast::Completes>() || isOther(i->then) || isOther(i->otherwise);
    if (const auto* f = s.as<ast::For>()) return isOther(f->body) || isOther(f->otherwise) || hasTwo(*f);
    if (const auto* w = s.as<ast::While>()) return isOther(w->body) || isOther(w->otherwise) || hasTwo(*w);
    if (valueOf(s) || s.is<ast::Assign>() || s.is<ast::AugAssign>() || s.is<ast::Break>() ||
        s.is<ast::Continue>() || s.is<ast::Pass>() || s.is<ast::Raise>() || s.is<ast::Assert>())
      return false;
    return !s.is<ast::ExprStmt>() || exposedNames({s}).count(yielded) > 0;
  });
}

std::optional<Generator> generatorOf(const ast::Function& fn) {
  if (fn.yields.end == 0 || fn.body.size() < 3 || !fn.directive.maker.empty()) return std::nullopt;
  const auto* list = fn.body.front().as<ast::Assign>();
  const auto* name = list ? list->targets[0].as<ast::Name>() : nullptr;
  if (!name || !fn.body.back().is<ast::Return>()) return std::nullopt;
  Generator g{&fn, name->id, Body(fn.body.begin() + 1, fn.body.end() - 1)};
  return g.isOther(g.body) ? std::nullopt : std::optional(std::move(g));
}

namespace {

/// The loops of one function.
class InPlace {
public:
  InPlace(const ast::Module& module, const ast::Function& fn) : module_(module) {
    for (const auto& [name, facts] : scanNames(fn)) {
      taken_.insert(name);
      if (facts.assignments > 0) own_.insert(name);
    }
    for (const ast::Parameter& p : fn.params) taken_.insert(p.name), own_.insert(p.name);
  }

  Body run(const Body& body) {
    Body out;
    for (const Stmt& s : body) {
      if (const auto* i = s.as<ast::If>()) {
        out.push_back(ast::makeStmt(s->span, ast::If{i->cond, run(i->then), run(i->otherwise)}));
      } else if (const auto* w = s.as<ast::While>()) {
        ast::While loop = *w;
        loop.body = run(w->body), loop.otherwise = run(w->otherwise);
        out.push_back(ast::makeStmt(s->span, std::move(loop)));
      } else if (const auto* f = s.as<ast::For>()) {
        ast::For loop = *f;
        loop.body = run(f->body), loop.otherwise = run(f->otherwise);
        if (std::optional<Body> made = overGenerator(loop, s->span))
          out.insert(out.end(), made->begin(), made->end());
        else
          out.push_back(ast::makeStmt(s->span, std::move(loop)));
      } else {
        out.push_back(s);
      }
    }
    return out;
  }

private:
  /// What is done at each value, besides the loop's own.
  struct Loop {
    const Generator* of;
    ast::Expr target;
    Body body;
    Jumps jumps;
    Span where;
    std::string left;            ///< the name that says that the loop is left; empty: it never is
    std::string count;           ///< of the values so far; empty: nobody counts
    ast::Expr most, first, test; ///< of islice, of enumerate, of takewhile
    bool isLeft() const { return !left.empty(); }
  };

  std::string unused(const std::string& like) {
    std::string name = like;
    for (int k = 2; taken_.count(name); ++k) name = fmt::format("{}_{}", like, k);
    taken_.insert(name);
    return name;
  }

  std::optional<Body> overGenerator(const ast::For& f, Span where) {
    if (f.directive.mark != ast::LoopMark::None || !f.otherwise.empty()) return std::nullopt;
    Loop loop{nullptr, f.target, f.body, Jumps(f.body), where, "", "", {}, {}, {}};
    ast::Expr iter = f.iter;
    if (const ast::Expr* e = iteratedCall(iter, "", "enumerate", 1, 2)) {
      const auto& args = e->as<ast::Call>()->args;
      loop.first = args.size() > 1 ? args[1] : number(0, where);
      iter = args[0];
    }
    if (const ast::Expr* slice = iteratedCall(iter, "itertools", "islice", 2, 2)) {
      loop.most = slice->as<ast::Call>()->args[1];
      iter = slice->as<ast::Call>()->args[0];
    } else if (const ast::Expr* taken = iteratedCall(iter, "itertools", "takewhile", 2, 2)) {
      loop.test = taken->as<ast::Call>()->args[0];
      iter = taken->as<ast::Call>()->args[1];
    }
    const auto* call = iter.as<ast::Call>();
    const auto* name = call ? call->callee.as<ast::Name>() : nullptr;
    if (!name || own_.count(name->id)) return std::nullopt;
    const auto fn = std::ranges::find(module_.functions, name->id, &ast::Function::name);
    const std::optional<Generator> g = fn != module_.functions.end() ? generatorOf(*fn) : std::nullopt;
    if (!g) return std::nullopt;
    loop.of = &*g;
    return placed(loop, *call, f.iter->span);
  }

  /// The names of the generator as they are here, and the statements that give its parameters their values.
  std::optional<Body> renamed(const Loop& loop, const ast::Call& call, Body& before, NamePlaces& places) {
    const ast::Function& fn = *loop.of->function;
    const std::set<std::string> bound = assignedNames(loop.of->body), changed = assignedNames(loop.body);
    std::map<std::string, ast::Expr> all;   // what stands for parameters
    std::map<std::string, std::string> own; // names for others
    for (size_t k = 0; k < fn.params.size(); ++k) {
      const ast::Parameter& p = fn.params[k];
      if (p.kind > ast::Parameter::Ordinary) return std::nullopt;
      const auto keyword = std::ranges::find(call.keywords, p.name, &ast::Keyword::name);
      ast::Expr given = k < call.args.size()             ? call.args[k]
                        : keyword != call.keywords.end() ? keyword->value
                                                         : p.defaultValue;
      if (!given || given.is<ast::Starred>()) return std::nullopt;
      const auto* other = given.as<ast::Name>();
      const bool isSteady =
          other ? !changed.count(other->id) : given.is<ast::IntLit>() || given.is<ast::FloatLit>();
      if (isSteady && !bound.count(p.name)) {
        all[p.name] = given;
        continue;
      }
      own[p.name] = unused(p.name);
      before.push_back(assign(nameAt(own[p.name], given->span), given));
    }
    if (call.args.size() > fn.params.size()) return std::nullopt;
    for (const ast::Keyword& k : call.keywords)
      if (!all.count(k.name) && !own.count(k.name)) return std::nullopt;
    for (const std::string& name : bound)
      if (!own.count(name)) own[name] = unused(name);
    for (const auto& [name, facts] : scanNames(fn)) // the file's names are those of the loop's function, too
      if (!all.count(name) && !own.count(name) && name != loop.of->yielded &&
          (own_.count(name) || facts.isCaptured))
        return std::nullopt;
    Body body = withNames(loop.of->body, all, own, places);
    return places.isFull() ? std::nullopt : std::optional(std::move(body));
  }

  std::optional<Body> placed(Loop& loop, const ast::Call& call, Span iter) {
    Body out, inner;
    const Span behind{loop.where.end, loop.where.end};
    NamePlaces places{behind, iter.begin, iter.end, loop.where};
    const std::optional<Body> body = renamed(loop, call, out, places);
    if (!body) return std::nullopt;
    if (loop.most || loop.first) loop.count = unused("count");
    if (loop.most || loop.test || loop.jumps.breaks) loop.left = unused("is_left");
    if (loop.most) {
      const ast::Expr most = nameAt(unused("most"), loop.where);
      const ast::Expr last =
          loop.first ? ast::make(loop.where, ast::Binary{ast::BinaryOp::Add, loop.most, loop.first})
                     : loop.most;
      out.push_back(assign(most, last));
      loop.most = most;
    }
    if (loop.isLeft()) inner.push_back(assign(nameAt(loop.left, loop.where), flag(false, loop.where)));
    if (!loop.count.empty())
      inner.push_back(
          assign(nameAt(loop.count, loop.where), loop.first ? loop.first : number(0, loop.where)));
    for (const Stmt& s : around(loop, *body, 0)) inner.push_back(s);
    if (loop.isLeft()) places.updated.insert(loop.left);
    if (!loop.count.empty()) places.updated.insert(loop.count);
    Body reads; // which nothing does: behind all, for those that ask whether the names are read
    for (const std::string& name : places.updated)
      reads.push_back(ast::makeStmt(behind, ast::ExprStmt{nameAt(name, behind)}));
    if (!reads.empty()) inner.push_back(ast::makeStmt(behind, ast::If{flag(false, behind), reads, {}}));
    if (!loop.most) {
      out.insert(out.end(), inner.begin(), inner.end());
      return out;
    }
    const ast::Expr none = loop.first ? loop.first : number(0, loop.where);
    const ast::Expr any = ast::make(loop.where, ast::Compare{{loop.most, none}, {ast::CompareOp::Gt}});
    out.push_back(ast::makeStmt(loop.where, ast::If{any, inner, {}}));
    return out;
  }

  static Body leaving(const Loop& loop, const Body& body) {
    Body out;
    for (const Stmt& s : body) {
      if (s.is<ast::Break>()) out.push_back(assign(nameAt(loop.left, s->span), flag(true, s->span)));
      if (const auto* i = s.as<ast::If>())
        out.push_back(
            ast::makeStmt(s->span, ast::If{i->cond, leaving(loop, i->then), leaving(loop, i->otherwise)}));
      else
        out.push_back(s);
    }
    return out;
  }

  /// Of one value.
  Body step(const Loop& loop, const ast::Expr& value) const {
    const Span where = loop.where;
    Body out;
    ast::Expr item = value;
    const ast::Expr count = loop.count.empty() ? ast::Expr() : nameAt(loop.count, where);
    const Stmt counted =
        count ? ast::makeStmt(where, ast::AugAssign{ast::BinaryOp::Add, count, number(1, where), {}})
              : Stmt();
    if (loop.first) item = ast::make(where, ast::Tuple{{count, value}});
    if (loop.test) {
      out.push_back(assign(loop.target, item));
      const ast::Expr fits = ast::make(where, ast::Call{loop.test, {loop.target}, {}});
      const ast::Expr isOut = ast::make(where, ast::Unary{ast::UnaryOp::Not, fits});
      out.push_back(assign(nameAt(loop.left, where), isOut));
      out.push_back(ast::makeStmt(
          where,
          ast::If{nameAt(loop.left, {where.end, where.end}), {ast::makeStmt(where, ast::Break{})}, {}}));
    }
    const bool jumps = loop.jumps.breaks || loop.jumps.continues;
    if (!jumps) {
      if (!loop.test) out.push_back(assign(loop.target, item));
      if (loop.first) out.push_back(counted);
      out.insert(out.end(), loop.body.begin(), loop.body.end());
    } else { // one step, which may be left
      const ast::Expr one = ast::make(where, ast::Tuple{{loop.test ? loop.target : item}});
      Body body = loop.jumps.breaks ? leaving(loop, loop.body) : loop.body;
      if (loop.first) body.insert(body.begin(), counted);
      out.push_back(ast::makeStmt(where, ast::For{loop.target, one, std::move(body), {}}));
    }
    if (loop.most) {
      if (!loop.first) out.push_back(counted);
      const ast::Expr now = nameAt(loop.count, {where.end, where.end});
      const ast::Expr isLast = ast::make(where, ast::Compare{{now, loop.most}, {ast::CompareOp::Ge}});
      out.push_back(
          ast::makeStmt(where, ast::If{isLast, {assign(nameAt(loop.left, where), flag(true, where))}, {}}));
    }
    return out;
  }

  /// The generator's statements, which are in so many loops of it.
  Body around(const Loop& loop, const Body& body, int depth) const {
    Body out;
    for (size_t k = 0; k < body.size(); ++k) {
      const Stmt& s = body[k];
      const ast::Expr* value = loop.of->valueOf(s);
      const bool stops = loop.isLeft() && loop.of->yields({s});
      if (value) {
        for (const Stmt& of : step(loop, *value)) out.push_back(of);
      } else if (!loop.of->yields({s})) {
        out.push_back(s);
      } else if (const auto* i = s.as<ast::If>()) {
        out.push_back(ast::makeStmt(
            loop.where, ast::If{i->cond, around(loop, i->then, depth), around(loop, i->otherwise, depth)}));
      } else if (const auto* f = s.as<ast::For>()) {
        ast::For inner = *f;
        inner.body = around(loop, f->body, depth + 1), inner.otherwise = around(loop, f->otherwise, depth);
        out.push_back(ast::makeStmt(loop.where, std::move(inner)));
      } else if (const auto* w = s.as<ast::While>()) {
        ast::While inner = *w;
        inner.body = around(loop, w->body, depth + 1), inner.otherwise = around(loop, w->otherwise, depth);
        out.push_back(ast::makeStmt(loop.where, std::move(inner)));
      } else {
        out.push_back(s);
      }
      if (!stops) continue;
      const ast::Expr left =
          nameAt(loop.left, {loop.where.end, loop.where.end}); // read behind all that binds it
      if (depth > 0) {
        if (!s.is<ast::If>())
          out.push_back(
              ast::makeStmt(loop.where, ast::If{left, {ast::makeStmt(loop.where, ast::Break{})}, {}}));
        continue;
      }
      const Body rest =
          around(loop, Body(body.begin() + static_cast<std::ptrdiff_t>(k) + 1, body.end()), depth);
      const ast::Expr goesOn = ast::make(loop.where, ast::Unary{ast::UnaryOp::Not, left});
      if (!rest.empty()) out.push_back(ast::makeStmt(loop.where, ast::If{goesOn, rest, {}}));
      break;
    }
    return out;
  }

  const ast::Module& module_;
  std::set<std::string> taken_, own_;
};

} // namespace

ast::Module withGeneratorsInPlace(const ast::Module& module) {
  ast::Module out = module;
  if (std::ranges::none_of(module.functions, [](const ast::Function& fn) { return fn.yields.end > 0; }))
    return out;
  for (ast::Function& fn : out.functions)
    if (fn.yields.end == 0) fn.body = InPlace(module, fn).run(fn.body);
  return out;
}

} // namespace appyc::sema
