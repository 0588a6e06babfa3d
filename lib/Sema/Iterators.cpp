//===- Iterators.cpp - iterators that have a name, as places in lists ---------------------------------------===//
//   it = iter(a)                  it_items, it_at = list(a), 0
//   best = next(it)       =>      if it_at >= len(it_items): raise StopIteration
//   for x in it:                  best = it_items[it_at];  it_at = it_at + 1
//     best = max(best, x)         for k in range(it_at, len(it_items)): it_at = k + 1;  x = it_items[k];  best = max(best, x)
// Where all that is done with the name is to ask for the next item, by a statement of its own, and to run over the rest.
#include "Generators.h"
#include "Names.h"
#include "SelfCalls.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::sema {

namespace {
using ast::Body;
using ast::Stmt;

const ast::Call* callOf(const ast::Expr& e, std::string_view name) {
  const auto* call = e ? e.as<ast::Call>() : nullptr;
  const auto* callee = call ? call->callee.as<ast::Name>() : nullptr;
  return callee && callee->id == name && call->keywords.empty() ? call : nullptr;
}

ast::Expr called(const char* function, std::vector<ast::Expr> args, Span where) {
  return ast::make(where, ast::Call{nameAt(function, where), std::move(args), {}});
}

const ast::Name* rootOf(const ast::Expr& e) {
  if (const auto* s = e.as<ast::Subscript>()) return rootOf(s->base);
  if (const auto* a = e.as<ast::Attribute>()) return rootOf(a->base);
  return e.as<ast::Name>();
}

class Named {
public:
  Named(const ast::Function& fn, std::map<std::string, NameFacts> facts) : facts_(std::move(facts)) {
    find(fn.body);
    std::erase_if(found_, [&](const std::string& name) {
      const NameFacts& f = facts_[name];
      std::set<uint32_t> places; // a loop's are told twice
      for (const Span& use : f.uses) places.insert(use.begin);
      return f.assignments != 1 || f.isCaptured || places.size() != asked_[name];
    });
  }
  bool hasAny() const { return !found_.empty(); }

  Body run(const Body& body) const {
    Body out;
    for (const Stmt& s : body) statement(s, out);
    return out;
  }

private:
  /// `iter(a)` of what nothing changes while it is run over.
  bool isMade(const ast::Assign& s) const {
    const ast::Call* call =
        s.targets.size() == 1 && s.targets[0].is<ast::Name>() ? callOf(s.value, "iter") : nullptr;
    if (!call || call->args.size() != 1 || call->args[0].is<ast::Starred>()) return false;
    const ast::Expr& over = call->args[0];
    const bool isLazy = over.is<ast::Call>() || over.is<ast::Comprehension>(); // asks for its names later
    const auto changes = [&](const std::string& name) {
      const auto of = facts_.find(name);
      return of != facts_.end() && (of->second.isStored || of->second.grows || of->second.assignments > 1);
    };
    if (isLazy) return std::ranges::none_of(namesIn(over), changes);
    const auto* known = rootOf(over);
    const auto f = known ? facts_.find(known->id) : facts_.end();
    static const std::set<std::string> kReaders = {"iter",   "len",  "sum",   "min", "max",
                                                   "sorted", "list", "tuple", "zip", "enumerate"};
    const auto reads = [](const NameFacts::Passed& to) {
      return !to.isMethod && kReaders.count(to.function) > 0;
    };
    return f == facts_.end() ||
           (!f->second.isStored && !f->second.grows && std::ranges::all_of(f->second.passed, reads));
  }

  /// The iterator of `next(it)` or `next(it, default)`.
  const std::string* askedBy(const ast::Expr& e) const {
    const ast::Call* call = callOf(e, "next");
    const auto* name =
        call && !call->args.empty() && call->args.size() <= 2 ? call->args[0].as<ast::Name>() : nullptr;
    return name ? &name->id : nullptr;
  }

  void find(const Body& body) {
    for (const Stmt& s : body) {
      if (const auto* a = s.as<ast::Assign>()) {
        if (isMade(*a)) found_.insert(a->targets[0].as<ast::Name>()->id);
        if (const std::string* name = a->targets.size() == 1 ? askedBy(a->value) : nullptr) ++asked_[*name];
      } else if (const auto* e = s.as<ast::ExprStmt>()) {
        if (const std::string* name = askedBy(e->value)) ++asked_[*name];
      } else if (const auto* i = s.as<ast::If>()) {
        if (const auto* c = i->cond.as<ast::Completes>()) find(c->tried);
        find(i->then), find(i->otherwise);
      } else if (const auto* f = s.as<ast::For>()) {
        if (const auto* name = f->iter.as<ast::Name>()) ++asked_[name->id];
        find(f->body), find(f->otherwise);
      } else if (const auto* w = s.as<ast::While>()) {
        find(w->body), find(w->otherwise);
      }
    }
  }

  static ast::Expr items(const std::string& name, Span w) {
    return nameAt(name + " items", w);
  } // no names of Python's
  static ast::Expr at(const std::string& name, Span w) { return nameAt(name + " at", w); }
  static ast::Expr number(uint64_t n, Span w) { return ast::make(w, ast::IntLit{n}); }
  static Stmt assign(const ast::Expr& target, const ast::Expr& value) {
    return ast::makeStmt(value->span, ast::Assign{{target}, value, {}});
  }
  static Stmt moved(const std::string& name, const ast::Expr& from, Span w) {
    return assign(at(name, w), ast::make(w, ast::Binary{ast::BinaryOp::Add, from, number(1, w)}));
  }
  static ast::Expr isThere(const std::string& name, Span w) {
    return ast::make(w,
                     ast::Compare{{at(name, w), called("len", {items(name, w)}, w)}, {ast::CompareOp::Lt}});
  }

  void next(const ast::Expr& e, const ast::Expr& target, Body& out) const {
    const std::string& name = *askedBy(e);
    const Span w = e->span;
    const ast::Call& call = *callOf(e, "next");
    const ast::Expr item = ast::make(w, ast::Subscript{items(name, w), {at(name, w)}});
    Body taken;
    if (target) taken.push_back(assign(target, item));
    taken.push_back(moved(name, at(name, w), w));
    if (call.args.size() == 2)
      return out.push_back(ast::makeStmt(w, ast::If{isThere(name, w), std::move(taken),
                                                    target ? Body{assign(target, call.args[1])} : Body{}}));
    const Stmt raises = ast::makeStmt(w, ast::Raise{called("StopIteration", {}, w)});
    out.push_back(ast::makeStmt(
        w, ast::If{ast::make(w, ast::Unary{ast::UnaryOp::Not, isThere(name, w)}), {raises}, {}}));
    out.insert(out.end(), taken.begin(), taken.end());
  }

  void statement(const Stmt& s, Body& out) const {
    const Span w = s->span;
    if (const auto* a = s.as<ast::Assign>(); a && a->targets.size() == 1) {
      const auto* name = a->targets[0].as<ast::Name>();
      if (name && found_.count(name->id)) {
        out.push_back(assign(items(name->id, w), called("list", callOf(a->value, "iter")->args, w)));
        out.push_back(assign(at(name->id, w), number(0, w)));
        return;
      }
      if (const std::string* of = askedBy(a->value); of && found_.count(*of))
        return next(a->value, a->targets[0], out);
    }
    if (const auto* e = s.as<ast::ExprStmt>())
      if (const std::string* of = askedBy(e->value); of && found_.count(*of)) return next(e->value, {}, out);
    if (const auto* i = s.as<ast::If>()) {
      ast::Expr cond = i->cond;
      if (const auto* c = cond.as<ast::Completes>()) {
        ast::Completes completes = *c;
        completes.tried = run(c->tried);
        cond = ast::make(cond->span, std::move(completes));
      }
      return out.push_back(ast::makeStmt(w, ast::If{cond, run(i->then), run(i->otherwise)}));
    }
    if (const auto* f = s.as<ast::For>()) {
      const auto* name = f->iter.as<ast::Name>();
      return name && found_.count(name->id) ? rest(*f, name->id, w, out) : loop(*f, w, out);
    }
    if (const auto* l = s.as<ast::While>()) {
      ast::While inner = *l;
      inner.body = run(l->body), inner.otherwise = run(l->otherwise);
      return out.push_back(ast::makeStmt(w, std::move(inner)));
    }
    out.push_back(s);
  }

  void loop(const ast::For& f, Span w, Body& out) const {
    ast::For inner = f;
    inner.body = run(f.body), inner.otherwise = run(f.otherwise);
    out.push_back(ast::makeStmt(w, std::move(inner)));
  }

  /// `for x in it`: a loop over the places that are left, or `while` there are some where its body asks for more.
  void rest(const ast::For& f, const std::string& name, Span w, Body& out) const {
    const Span t = f.iter->span;
    const bool asks = std::ranges::any_of(facts_.at(name).uses,
                                          [&](Span use) { return use.begin > t.begin && use.end <= w.end; });
    const ast::Expr k = asks ? at(name, t) : nameAt(name + " step", t);
    Body body;
    if (!asks) body.push_back(moved(name, k, t));
    body.push_back(assign(f.target, ast::make(t, ast::Subscript{items(name, t), {k}})));
    if (asks) body.push_back(moved(name, k, t));
    const Body inside = run(f.body);
    body.insert(body.end(), inside.begin(), inside.end());
    if (asks)
      return out.push_back(
          ast::makeStmt(w, ast::While{isThere(name, t), std::move(body), run(f.otherwise), {}}));
    ast::For loop = f;
    loop.target = k;
    loop.iter = called("range", {at(name, t), called("len", {items(name, t)}, t)}, t);
    loop.body = std::move(body), loop.otherwise = run(f.otherwise);
    out.push_back(ast::makeStmt(w, std::move(loop)));
  }

  std::map<std::string, NameFacts> facts_;
  std::set<std::string> found_;
  std::map<std::string, size_t> asked_; ///< how often a statement that is known does
};
} // namespace

ast::Module withIterators(const ast::Module& module) {
  ast::Module out = module;
  for (ast::Function& fn : out.functions) {
    const Named named(fn, scanNames(fn));
    if (named.hasAny()) fn.body = named.run(fn.body);
  }
  for (ast::Module& inner : out.modules) inner = withIterators(inner);
  return out;
}

} // namespace appyc::sema
