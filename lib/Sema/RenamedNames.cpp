//===- RenamedNames.cpp - statements whose names are others -------------------------------------------------===//
#include "RenamedNames.h"
#include <algorithm>

namespace appyc::sema {

namespace {

using ast::Body;
using ast::Stmt;

class Renamer {
public:
  Renamer(const std::map<std::string, ast::Expr>& values, const std::map<std::string, std::string>& names,
          NamePlaces& places)
      : values_(values), names_(names), places_(places) {}

  Body operator()(const Body& body) const {
    Body out;
    for (const Stmt& s : body) out.push_back((*this)(s));
    return out;
  }

private:
  std::vector<ast::Expr> all(const std::vector<ast::Expr>& from) const {
    std::vector<ast::Expr> out;
    for (const ast::Expr& e : from) out.push_back((*this)(e));
    return out;
  }
  const std::string& renamed(const std::string& name) const {
    const auto other = names_.find(name);
    return other == names_.end() ? name : other->second;
  }
  /// What an assignment binds, or stores into.
  ast::Expr target(const ast::Expr& e) const {
    const auto targets = [&](const std::vector<ast::Expr>& from) {
      std::vector<ast::Expr> out;
      for (const ast::Expr& item : from) out.push_back(target(item));
      return out;
    };
    if (const auto* n = e.as<ast::Name>()) {
      if (const auto value = values_.find(n->id); value != values_.end()) return value->second;
      if (places_.areKept) return ast::make(e->span, ast::Name{renamed(n->id)});
      const uint32_t at = places_.isFull() ? places_.last : places_.next++;
      return ast::make({at, at}, ast::Name{renamed(n->id)});
    }
    if (const auto* t = e.as<ast::Tuple>()) return ast::make(e->span, ast::Tuple{targets(t->items)});
    if (const auto* l = e.as<ast::List>()) return ast::make(e->span, ast::List{targets(l->items)});
    if (const auto* s = e.as<ast::Starred>()) return ast::make(e->span, ast::Starred{target(s->value)});
    return (*this)(e);
  }
  ast::Expr operator()(const ast::Expr& e) const {
    if (!e) return e;
    const auto made = [&](auto node) { return ast::make(e->span, std::move(node)); };
    if (const auto* n = e.as<ast::Name>()) {
      if (const auto value = values_.find(n->id); value != values_.end()) return value->second;
      if (const auto method = places_.asked.find(n->id); method != places_.asked.end())
        return made(ast::Call{made(ast::Attribute{e, method->second}), {}, {}});
      return ast::make(places_.areKept ? e->span : places_.reads, ast::Name{renamed(n->id)});
    }
    if (const auto* t = e.as<ast::FormattedText>()) {
      ast::FormattedText text = *t;
      for (auto& field : text.fields) field.value = (*this)(field.value);
      return made(std::move(text));
    }
    if (const auto* u = e.as<ast::Unary>()) return made(ast::Unary{u->op, (*this)(u->arg)});
    if (const auto* b = e.as<ast::Binary>())
      return made(ast::Binary{b->op, (*this)(b->lhs), (*this)(b->rhs)});
    if (const auto* c = e.as<ast::Compare>()) return made(ast::Compare{all(c->operands), c->ops});
    if (const auto* b = e.as<ast::BoolExpr>())
      return made(ast::BoolExpr{b->op, (*this)(b->lhs), (*this)(b->rhs)});
    if (const auto* c = e.as<ast::Conditional>())
      return made(ast::Conditional{(*this)(c->cond), (*this)(c->then), (*this)(c->otherwise)});
    if (const auto* c = e.as<ast::Call>()) {
      ast::Call call{(*this)(c->callee), all(c->args), c->keywords};
      for (ast::Keyword& k : call.keywords) k.value = (*this)(k.value);
      const auto* callee = c->callee.as<ast::Name>();
      if (const auto left = callee ? places_.leftOut.find(callee->id) : places_.leftOut.end();
          left != places_.leftOut.end())
        leaveOut(*c, call, left->second);
      if (const auto other = callee ? places_.calls.find(callee->id) : places_.calls.end();
          other != places_.calls.end()) {
        call.callee = ast::make(c->callee->span, ast::Name{other->second.function});
        while (call.args.size() < other->second.count)
          call.args.push_back(ast::make(e->span, ast::IntLit{0}));
        call.args.insert(call.args.begin(), other->second.first);
      }
      return made(std::move(call));
    }
    if (const auto* a = e.as<ast::Attribute>()) return made(ast::Attribute{(*this)(a->base), a->name});
    if (const auto* s = e.as<ast::Subscript>()) return made(ast::Subscript{(*this)(s->base), all(s->index)});
    if (const auto* s = e.as<ast::Slice>())
      return made(ast::Slice{(*this)(s->lower), (*this)(s->upper), (*this)(s->step)});
    if (const auto* t = e.as<ast::Tuple>()) return made(ast::Tuple{all(t->items)});
    if (const auto* l = e.as<ast::List>()) return made(ast::List{all(l->items)});
    if (const auto* d = e.as<ast::Dict>()) return made(ast::Dict{all(d->keys), all(d->values)});
    if (const auto* s = e.as<ast::Starred>()) return made(ast::Starred{(*this)(s->value)});
    if (const auto* c = e.as<ast::Comprehension>()) {
      ast::Comprehension other = *c;
      other.element = (*this)(c->element);
      for (ast::Clause& k : other.clauses) k = {target(k.target), (*this)(k.iter), all(k.conditions)};
      return made(std::move(other));
    }
    if (const auto* w = e.as<ast::Walrus>()) return made(ast::Walrus{target(w->target), (*this)(w->value)});
    return e;
  }
  static void leaveOut(const ast::Call& given, ast::Call& call, NamePlaces::LeftOut& left) {
    const auto isIt = [&](const ast::Expr& e) {
      const auto* name = e.as<ast::Name>();
      const auto* dict = e.as<ast::Dict>();
      return (name && name->id == left.name) || (left.isEmpty && dict && dict->values.empty());
    };
    const auto isNamed = [&](const ast::Keyword& k) { return k.name == left.name; };
    const auto keyword = std::ranges::find_if(given.keywords, isNamed);
    const bool isStarred =
        std::ranges::any_of(given.args, [](const ast::Expr& e) { return e.is<ast::Starred>(); });
    const bool isByPlace = given.args.size() > left.place;
    left.isOther |= isStarred ||
                    (isByPlace && (given.args.size() > left.place + 1 || !isIt(given.args[left.place]))) ||
                    (keyword != given.keywords.end() && !isIt(keyword->value));
    if (isByPlace) call.args.resize(left.place);
    std::erase_if(call.keywords, isNamed);
  }
  Stmt operator()(const Stmt& s) const {
    const auto made = [&](auto node) {
      return ast::makeStmt(places_.areKept ? s->span : places_.statements, std::move(node));
    };
    if (const auto* a = s.as<ast::Assign>()) {
      ast::Assign other{{}, (*this)(a->value), a->directive};
      for (const ast::Expr& t : a->targets) other.targets.push_back(target(t));
      return made(std::move(other));
    }
    if (const auto* a = s.as<ast::AugAssign>()) {
      if (const auto* n = a->target.as<ast::Name>()) places_.updated.insert(renamed(n->id));
      return made(ast::AugAssign{a->op, target(a->target), (*this)(a->value), a->directive});
    }
    if (const auto* f = s.as<ast::For>()) {
      ast::For loop = *f;
      loop.target = target(f->target), loop.iter = (*this)(f->iter);
      loop.body = (*this)(f->body), loop.otherwise = (*this)(f->otherwise);
      return made(std::move(loop));
    }
    if (const auto* w = s.as<ast::While>()) {
      ast::While loop = *w;
      loop.cond = (*this)(w->cond), loop.body = (*this)(w->body), loop.otherwise = (*this)(w->otherwise);
      return made(std::move(loop));
    }
    if (const auto* i = s.as<ast::If>())
      return made(ast::If{(*this)(i->cond), (*this)(i->then), (*this)(i->otherwise)});
    if (const auto* e = s.as<ast::ExprStmt>()) return made(ast::ExprStmt{(*this)(e->value), e->isContext});
    if (const auto* r = s.as<ast::Return>()) return made(ast::Return{(*this)(r->value)});
    if (const auto* d = s.as<ast::Delete>()) return made(ast::Delete{all(d->targets)});
    if (const auto* r = s.as<ast::Raise>()) return r->exception ? made(ast::Raise{(*this)(r->exception)}) : s;
    if (const auto* a = s.as<ast::Assert>()) return made(ast::Assert{(*this)(a->cond), (*this)(a->message)});
    return s;
  }

  const std::map<std::string, ast::Expr>& values_;
  const std::map<std::string, std::string>& names_;
  NamePlaces& places_;
};

} // namespace

Body withNames(const Body& body, const std::map<std::string, ast::Expr>& values,
               const std::map<std::string, std::string>& names, NamePlaces& places) {
  return Renamer(values, names, places)(body);
}

} // namespace appyc::sema
