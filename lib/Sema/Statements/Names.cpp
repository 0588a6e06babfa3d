//===- Names.cpp - where a function's text binds and reads each name --------------------------------===//
#include "Leaving.h"
#include "Lowering.h"

namespace appyc::sema {

namespace {
/// The name of which a subscript, or a subscript of that, is the target.
const std::string* subscripted(const ast::Expr& target) {
  const auto* s = target.as<ast::Subscript>();
  if (!s) return nullptr;
  const auto* n = s->base.as<ast::Name>();
  return n ? &n->id : subscripted(s->base);
}

/// "." and the field of which the expression is one, `self.items`, `d["items"]`; empty for others.
std::string fieldAsked(const ast::Expr& e) {
  if (const auto* a = e.as<ast::Attribute>()) return "." + a->name;
  const auto* s = e.as<ast::Subscript>();
  const auto* key = s && s->index.size() == 1 ? s->index[0].as<ast::StringLit>() : nullptr;
  return key ? "." + keyOfText(key->value) : "";
}

/// The functions of `heapq` and `bisect` which change the list that they are given first.
bool changesHeap(const std::string& function) {
  static const std::set<std::string> kNames = {"heappush",    "heappop", "heapify",     "heapreplace",
                                               "heappushpop", "insort",  "insort_left", "insort_right"};
  return kNames.count(function) > 0;
}

struct Scan {
  std::map<std::string, NameFacts> facts;
  Span home;
  std::vector<std::pair<std::string, uint32_t>>
      indices; ///< names of the open `for` loops, and where these begin

  void bind(const ast::Expr& target) {
    if (const auto* n = target.as<ast::Name>()) {
      bindName(n->id, target->span);
    } else if (const auto* t = target.as<ast::Tuple>()) {
      for (const ast::Expr& item : t->items) bind(item);
    } else if (const auto* rest = target.as<ast::Starred>()) {
      bind(rest->value);
    } else {
      read(target);
      if (const std::string* name = subscripted(target)) facts[*name].isStored = true;
      if (const auto* s = target.as<ast::Subscript>())
        if (const std::string field = fieldAsked(s->base); !field.empty()) facts[field].isStored = true;
      if (const auto* a = target.as<ast::Attribute>(); a && a->name == "shape") bind(a->base);
    }
  }
  void addIndices(const ast::Expr& target, uint32_t loop) {
    if (const auto* n = target.as<ast::Name>()) indices.emplace_back(n->id, loop);
    if (const auto* t = target.as<ast::Tuple>())
      for (const ast::Expr& item : t->items) addIndices(item, loop);
  }
  uint32_t loopOver(const std::string& name) const {
    const auto loop =
        std::find_if(indices.rbegin(), indices.rend(), [&](const auto& open) { return open.first == name; });
    return loop == indices.rend() ? 0 : loop->second;
  }
  void readAll(const std::vector<ast::Expr>& es) {
    for (const ast::Expr& e : es) read(e);
  }
  void read(const ast::Expr& e) {
    if (!e) return;
    match(
        e,
        [&](const ast::Name& n) {
          facts[n.id].uses.push_back(e->span);
          facts[n.id].reads.push_back({e->span.begin, loopOver(n.id)});
        },
        [&](const ast::Unary& u) { read(u.arg); }, [&](const ast::Binary& b) { read(b.lhs), read(b.rhs); },
        [&](const ast::Compare& c) { readAll(c.operands); },
        [&](const ast::BoolExpr& b) { read(b.lhs), read(b.rhs); },
        [&](const ast::Conditional& c) { read(c.cond), read(c.then), read(c.otherwise); },
        [&](const ast::Call& c) {
          read(c.callee), readAll(c.args);
          const auto* method = c.callee.as<ast::Attribute>();
          const auto* of = method ? method->base.as<ast::Name>() : nullptr;
          if (of && changesLength(method->name)) facts[of->id].grows = true;
          if (of && changesOrder(method->name)) facts[of->id].isStored = true;
          if (const std::string field = method ? fieldAsked(method->base) : ""; !field.empty()) {
            facts[field].grows |= changesLength(method->name);
            facts[field].isStored |= changesOrder(method->name);
          }
          const auto* function = c.callee.as<ast::Name>();
          const auto* heap = c.args.empty() ? nullptr : c.args[0].as<ast::Name>();
          if (heap && (method ? changesHeap(method->name) : function && changesHeap(function->id)))
            facts[heap->id].grows = true;
          if (const std::string field = c.args.empty() ? "" : fieldAsked(c.args[0]);
              !field.empty() && (method ? changesHeap(method->name) : function && changesHeap(function->id)))
            facts[field].grows = true;
          const auto* called = c.callee.as<ast::Name>();
          for (size_t k = 0; called && k < c.args.size(); ++k)
            if (const auto* n = c.args[k].as<ast::Name>()) facts[n->id].passed.push_back({called->id, k, ""});
          for (const ast::Keyword& k : c.keywords)
            if (const auto* n = called ? k.value.as<ast::Name>() : nullptr)
              facts[n->id].passed.push_back({called->id, 0, k.name});
          for (const ast::Keyword& k : c.keywords) read(k.value);
        },
        [&](const ast::Attribute& a) { read(a.base); },
        [&](const ast::Subscript& s) {
          read(s.base), readAll(s.index);
          if (const auto* n = s.base.as<ast::Name>()) facts[n->id].parts.push_back(e->span);
        },
        [&](const ast::Slice& s) { read(s.lower), read(s.upper), read(s.step); },
        [&](const ast::Tuple& t) { readAll(t.items); }, [&](const ast::List& t) { readAll(t.items); },
        [&](const ast::Dict& d) {
          for (size_t k = 0; k < d.keys.size(); ++k) read(d.keys[k]), read(d.values[k]); // no key: `**`
        },
        [&](const ast::Starred& s) { read(s.value); },
        [&](const ast::FormattedText& t) {
          for (const auto& field : t.fields) read(field.value);
        },
        [&](const ast::Lambda& l) { readClosure(*l.function, e->span); },
        [&](const ast::Comprehension& c) { readComprehension(c); },
        [&](const ast::Walrus& w) { read(w.value), bind(w.target); }, [](const auto&) {});
  }
  /// What a function inside reads of the names around it; its defaults are read where it is made.
  void readClosure(const ast::Function& fn, Span where) {
    for (const ast::Parameter& p : fn.params) read(p.defaultValue);
    for (const auto& [name, inside] : scanNames(fn)) {
      if (name[0] == '.') facts[name].isStored |= inside.isStored, facts[name].grows |= inside.grows;
      if (inside.assignments > 0 || (inside.uses.empty() && !inside.isCaptured)) continue;
      NameFacts& f = facts[name];
      f.isCaptured = true;
      f.isStored |= inside.isStored, f.grows |= inside.grows;
      f.uses.push_back(where);
      f.reads.push_back({UINT32_MAX, 0});
    }
  }
  /// Its targets are names of its own, but those of `:=`.
  void readComprehension(const ast::Comprehension& c) {
    read(c.clauses[0].iter);
    Scan inside;
    std::set<std::string> own;
    for (const ast::Clause& clause : c.clauses) {
      Scan targets;
      targets.bind(clause.target);
      for (const auto& [name, f] : targets.facts)
        if (f.assignments > 0) own.insert(name);
      for (const ast::Expr& condition : clause.conditions) inside.read(condition);
      if (&clause != &c.clauses[0]) inside.read(clause.iter);
    }
    inside.read(c.element);
    for (const auto& [name, found] : inside.facts) {
      if (own.count(name) && !found.isCaptured) continue;
      NameFacts& f = facts[name];
      f.isCaptured |= found.isCaptured, f.isStored |= found.isStored, f.grows |= found.grows;
      f.parts.insert(f.parts.end(), found.parts.begin(), found.parts.end());
      f.uses.insert(f.uses.end(), found.uses.begin(), found.uses.end());
      for (const NameFacts::Read& r : found.reads)
        f.reads.push_back({r.at, r.at == UINT32_MAX ? 0 : loopOver(name)});
      for (const Span where : found.binds)
        for (int often = 0; often < 2; ++often) bindName(name, where);
    }
  }
  void bindName(const std::string& name, Span where) {
    NameFacts& f = facts[name];
    if (f.assignments++ == 0) f.home = home;
    f.binds.push_back(where);
  }
  void inside(Span span, const ast::Body& body) {
    Span saved = std::exchange(home, span);
    for (const ast::Stmt& s : body) visit(s);
    home = saved;
  }
  void visit(const ast::Stmt& s) {
    match(
        s,
        [&](const ast::Assign& a) {
          read(a.value);
          for (const ast::Expr& t : a.targets) bind(t);
        },
        [&](const ast::AugAssign& a) {
          read(a.target), read(a.value), bind(a.target);
          if (const auto* n = a.target.as<ast::Name>()) facts[n->id].grows |= a.op == ast::BinaryOp::Add;
          if (const std::string field = fieldAsked(a.target); !field.empty())
            facts[field].grows |= a.op == ast::BinaryOp::Add;
        },
        [&](const ast::For& f) {
          read(f.iter);
          Span saved = std::exchange(home, s->span);
          bind(f.target);
          home = saved;
          const size_t outer = indices.size();
          addIndices(f.target, s->span.begin);
          inside(s->span, f.body);
          indices.resize(outer);
          inside(s->span, f.otherwise), read(f.unless);
        },
        [&](const ast::While& w) {
          inside(s->span, w.body), read(w.cond), inside(s->span, w.otherwise), read(w.unless);
        },
        [&](const ast::If& i) { read(i.cond), inside(s->span, i.then), inside(s->span, i.otherwise); },
        [&](const ast::Return& r) { read(r.value); }, [&](const ast::ExprStmt& e) { read(e.value); },
        [&](const ast::Raise& r) { read(r.exception); },
        [&](const ast::Assert& a) { read(a.cond), read(a.message); },
        [&](const ast::LocalImport& i) {
          for (const ast::Import& one : i.imports) bindName(one.as, one.where);
        },
        [&](const ast::LocalFunction& f) {
          readClosure(*f.function, s->span);
          bindName(f.function->name, f.function->nameSpan);
        },
        [&](const ast::Delete& d) {
          readAll(d.targets);
          for (const ast::Expr& target : d.targets) {
            bind(target);
            if (const std::string* name = subscripted(target)) facts[*name].grows = true;
            if (const auto* s = target.as<ast::Subscript>())
              if (const std::string field = fieldAsked(s->base); !field.empty()) facts[field].grows = true;
          }
        },
        [](const auto&) {});
  }
};
} // namespace

std::map<std::string, NameFacts> scanNames(const ast::Function& fn) {
  Scan scan;
  for (const ast::Parameter& p : fn.params) scan.facts[p.name].assignments = 1;
  for (const ast::Stmt& s : fn.body) scan.visit(s);
  return scan.facts;
}

std::set<std::string> assignedNames(const ast::Body& body) {
  Scan scan;
  for (const ast::Stmt& s : body) scan.visit(s);
  std::set<std::string> names;
  for (const auto& [name, facts] : scan.facts)
    if (facts.assignments > 0) names.insert(name);
  return names;
}

bool isReadAfter(const NameFacts& facts, uint32_t position) {
  return std::any_of(facts.reads.begin(), facts.reads.end(), [&](const NameFacts::Read& r) {
    return r.at >= position && r.loop < position; // a loop that begins behind it binds the name anew
  });
}

namespace {
/// Reads that no assignment on every path precedes. Loops may run zero times, so what they assign is not
/// sure.
struct Exposed {
  std::set<std::string> names;

  void read(const ast::Expr& e, const std::set<std::string>& defined) {
    Scan scan;
    scan.read(e);
    for (const auto& [name, facts] : scan.facts)
      if (!facts.uses.empty() && !defined.count(name)) names.insert(name);
  }
  void bind(const ast::Expr& target, std::set<std::string>& defined) {
    if (const auto* n = target.as<ast::Name>())
      defined.insert(n->id);
    else if (const auto* t = target.as<ast::Tuple>())
      for (const ast::Expr& item : t->items) bind(item, defined);
    else if (const auto* rest = target.as<ast::Starred>())
      bind(rest->value, defined);
    else
      read(target, defined);
  }
  void walk(const ast::Body& body, std::set<std::string>& defined) {
    for (const ast::Stmt& s : body)
      match(
          s,
          [&](const ast::Assign& a) {
            read(a.value, defined);
            for (const ast::Expr& t : a.targets) bind(t, defined);
          },
          [&](const ast::AugAssign& a) {
            read(a.target, defined), read(a.value, defined), bind(a.target, defined);
          },
          [&](const ast::For& f) {
            read(f.iter, defined);
            std::set<std::string> inside = defined;
            bind(f.target, inside);
            walk(f.body, inside);
            if (f.unless) read(f.unless, inside);
          },
          [&](const ast::While& w) {
            read(w.cond, defined);
            std::set<std::string> inside = defined;
            walk(w.body, inside);
            if (w.unless) read(w.unless, inside);
          },
          [&](const ast::If& i) {
            read(i.cond, defined);
            std::set<std::string> then = defined, otherwise = defined;
            walk(i.then, then), walk(i.otherwise, otherwise);
            if (alwaysRaises(i.then)) then = otherwise;
            if (alwaysRaises(i.otherwise)) otherwise = then;
            std::set_intersection(then.begin(), then.end(), otherwise.begin(), otherwise.end(),
                                  std::inserter(defined, defined.end()));
          },
          [&](const ast::LocalImport& i) {
            for (const ast::Import& one : i.imports) defined.insert(one.as);
          },
          [&](const ast::LocalFunction& f) {
            for (const ast::Parameter& p : f.function->params) read(p.defaultValue, defined);
            defined.insert(f.function->name);
          },
          [&](const ast::Delete& d) {
            for (const ast::Expr& target : d.targets) {
              read(target, defined);
              if (const auto* n = target.as<ast::Name>()) defined.erase(n->id);
            }
          },
          [&](const ast::Return& r) { read(r.value, defined); },
          [&](const ast::ExprStmt& e) { read(e.value, defined); },
          [&](const ast::Raise& r) { read(r.exception, defined); },
          [&](const ast::Assert& a) {
            read(a.cond, defined);
            if (a.message) read(a.message, defined);
          },
          [](const auto&) {});
  }
};
} // namespace

std::set<std::string> exposedNames(const ast::Body& body) {
  Exposed exposed;
  std::set<std::string> defined;
  exposed.walk(body, defined);
  return exposed.names;
}

std::set<std::string> surelyAssigned(const ast::Body& body) {
  std::set<std::string> defined;
  Exposed().walk(body, defined);
  return defined;
}

} // namespace appyc::sema
