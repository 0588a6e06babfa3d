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
  Span home, turn;
  std::map<std::string, uint32_t> bound; ///< what every way to here binds, and where it does so last
  std::set<std::pair<std::string, std::string>> attributes; ///< those of names that are read
  std::set<std::string> perhapsBound; ///< what some way to here binds, or an earlier step of an open loop
  bool tellsOfSteps = true; ///< perhapsBound is asked for: each loop's body is read twice, once for its names

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
      for (const auto* s = target.as<ast::Subscript>(); s; s = s->base.as<ast::Subscript>())
        if (const std::string field = fieldAsked(s->base); !field.empty()) facts[field].isStored = true;
      if (const auto* a = target.as<ast::Attribute>(); a && a->name == "shape") bindPerhaps(a->base);
    }
  }
  void bindPerhaps(const ast::Expr& target) {
    const auto before = bound;
    bind(target);
    bound = before;
  }
  std::optional<uint32_t> boundAt(const std::string& name) const {
    const auto found = bound.find(name);
    return found == bound.end() ? std::nullopt : std::optional(found->second);
  }
  void readAll(const std::vector<ast::Expr>& es) {
    for (const ast::Expr& e : es) read(e);
  }
  void read(const ast::Expr& e) {
    if (!e) return;
    match(
        e,
        [&](const ast::Name& n) {
          NameFacts& f = facts[n.id];
          f.isRepeated |= f.assignments == 0 || f.turn.begin != turn.begin || f.turn.end != turn.end;
          f.uses.push_back(e->span);
          facts[n.id].reads.push_back({e->span.begin, boundAt(n.id), perhapsBound.count(n.id) > 0});
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
          if (heap && (method ? method->name : function ? function->id : "") == "shuffle")
            facts[heap->id].isStored = true;
          if (const std::string field = c.args.empty() ? "" : fieldAsked(c.args[0]);
              !field.empty() && (method ? changesHeap(method->name) : function && changesHeap(function->id)))
            facts[field].grows = true;
          const std::string called = function ? function->id : method ? method->name : "";
          for (size_t k = 0; !called.empty() && k < c.args.size(); ++k)
            if (const auto* n = c.args[k].as<ast::Name>())
              facts[n->id].passed.push_back({called, k, "", method != nullptr});
          for (const ast::Keyword& k : c.keywords)
            if (const auto* n = called.empty() ? nullptr : k.value.as<ast::Name>())
              facts[n->id].passed.push_back({called, 0, k.name, method != nullptr});
          for (const ast::Keyword& k : c.keywords) read(k.value);
        },
        [&](const ast::Attribute& a) {
          read(a.base);
          if (const auto* n = a.base.as<ast::Name>()) attributes.emplace(n->id, a.name);
        },
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
        [&](const ast::Lambda& l) { readClosure(*l.function, e->span, false); },
        [&](const ast::Comprehension& c) { readComprehension(c); },
        [&](const ast::Walrus& w) { read(w.value), bindPerhaps(w.target); },
        [&](const ast::Completes& c) {
          const auto before = bound;
          for (const ast::Stmt& s : c.tried) visit(s);
          bound = before;
        },
        [](const auto&) {});
  }
  /// What a function inside reads of the names around it; its defaults are read where it is made. What one with a name reads
  /// may be bound behind it.
  void readClosure(const ast::Function& fn, Span where, bool hasName) {
    for (const ast::Parameter& p : fn.params) read(p.defaultValue);
    for (const auto& [name, inside] : scanNames(fn)) {
      if (name[0] == '.') facts[name].isStored |= inside.isStored, facts[name].grows |= inside.grows;
      if (inside.assignments > 0 || (inside.uses.empty() && !inside.isCaptured)) continue;
      NameFacts& f = facts[name];
      f.isCaptured = true;
      f.isStored |= inside.isStored, f.grows |= inside.grows;
      f.uses.push_back(where);
      f.reads.push_back(
          {UINT32_MAX, hasName ? where.begin : boundAt(name), hasName || perhapsBound.count(name) > 0});
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
    attributes.merge(inside.attributes);
    for (const auto& [name, found] : inside.facts) {
      if (own.count(name) && !found.isCaptured) continue;
      NameFacts& f = facts[name];
      f.isCaptured |= found.isCaptured, f.isStored |= found.isStored, f.grows |= found.grows;
      f.isRepeated |= !found.uses.empty();
      f.parts.insert(f.parts.end(), found.parts.begin(), found.parts.end());
      f.uses.insert(f.uses.end(), found.uses.begin(), found.uses.end());
      for (const NameFacts::Read& r : found.reads)
        f.reads.push_back({r.at, boundAt(name), r.isPerhapsBound || perhapsBound.count(name) > 0});
      for (const Span where : found.binds)
        for (int often = 0; often < 2; ++often) noteBinding(name, where);
    }
  }
  void noteBinding(const std::string& name, Span where) {
    NameFacts& f = facts[name];
    if (f.assignments++ == 0) f.home = home, f.turn = turn;
    f.binds.push_back(where);
    perhapsBound.insert(name);
  }
  void bindName(const std::string& name, Span where) {
    noteBinding(name, where);
    bound[name] = where.begin;
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
          const bool grows = a.op == ast::BinaryOp::Add || !updateOfSet(a.op).empty(); // a list, a set
          if (const auto* n = a.target.as<ast::Name>()) facts[n->id].grows |= grows;
          if (const std::string field = fieldAsked(a.target); !field.empty()) facts[field].grows |= grows;
        },
        [&](const ast::For& f) {
          read(f.iter);
          Span saved = std::exchange(home, s->span);
          const auto before = bound; // there may be no step
          bind(f.target);
          home = saved;
          if (tellsOfSteps) perhapsBound.merge(assignedNames(f.body));
          saved = std::exchange(turn, s->span);
          inside(s->span, f.body), read(f.unless);
          turn = saved;
          bound = before;
          inside(s->span, f.otherwise);
          bound = before;
        },
        [&](const ast::While& w) {
          const auto before = bound;
          if (tellsOfSteps) perhapsBound.merge(assignedNames(w.body));
          const Span saved = std::exchange(turn, s->span);
          read(w.cond);
          inside(s->span, w.body), read(w.unless);
          turn = saved;
          bound = before;
          inside(s->span, w.otherwise);
          bound = before;
        },
        [&](const ast::If& i) {
          const auto* tried = i.cond.as<ast::Completes>();
          if (!tried) read(i.cond);
          const auto before = bound;
          if (tried) inside(s->span, tried->tried);
          const auto perhapsBefore = perhapsBound;
          inside(s->span, i.then);
          auto then = std::exchange(bound, before);
          auto perhapsThen = std::exchange(perhapsBound, perhapsBefore);
          inside(s->span, i.otherwise);
          perhapsBound.merge(perhapsThen);
          if (alwaysRaises(i.then)) then = bound;
          if (alwaysRaises(i.otherwise)) bound = then;
          std::erase_if(bound, [&](const auto& one) { return !then.count(one.first); });
          for (auto& [name, at] : bound) at = std::min(at, then[name]);
        },
        [&](const ast::Return& r) { read(r.value); }, [&](const ast::ExprStmt& e) { read(e.value); },
        [&](const ast::Raise& r) { read(r.exception); },
        [&](const ast::Assert& a) { read(a.cond), read(a.message); },
        [&](const ast::LocalImport& i) {
          for (const ast::Import& one : i.imports) bindName(one.as, one.where);
        },
        [&](const ast::LocalFunction& f) {
          readClosure(*f.function, s->span, true);
          bindName(f.function->name, f.function->nameSpan);
        },
        [&](const ast::Delete& d) {
          readAll(d.targets);
          for (const ast::Expr& target : d.targets) {
            bind(target);
            if (const auto* n = target.as<ast::Name>()) bound.erase(n->id);
            if (const std::string* name = subscripted(target)) facts[*name].grows = true;
            if (const auto* part = target.as<ast::Subscript>())
              if (const std::string field = fieldAsked(part->base); !field.empty()) facts[field].grows = true;
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

std::set<std::string> namesIn(const ast::Expr& e) {
  Scan scan;
  scan.read(e);
  std::set<std::string> names;
  for (const auto& [name, facts] : scan.facts)
    if (!facts.uses.empty()) names.insert(name);
  return names;
}

static Scan scanned(const ast::Body& body, bool tellsOfSteps = false) {
  Scan scan;
  scan.tellsOfSteps = tellsOfSteps;
  for (const ast::Stmt& s : body) scan.visit(s);
  return scan;
}

std::set<std::string> assignedNames(const ast::Body& body) {
  std::set<std::string> names;
  for (const auto& [name, facts] : scanned(body).facts)
    if (facts.assignments > 0) names.insert(name);
  return names;
}

bool isReadAfter(const NameFacts& facts, uint32_t position) {
  return std::ranges::any_of(facts.reads, [&](const NameFacts::Read& r) {
    return r.at == UINT32_MAX || (r.at >= position && r.bound.value_or(0) < position);
  });
}

std::set<std::string> exposedNames(const ast::Body& body) {
  std::set<std::string> names;
  for (const auto& [name, facts] : scanned(body).facts)
    if (std::ranges::any_of(facts.reads, [](const NameFacts::Read& r) { return !r.bound; }))
      names.insert(name);
  return names;
}

bool readsAttribute(const ast::Body& body, const std::string& name, const std::string& attribute) {
  return scanned(body).attributes.count({name, attribute}) > 0;
}

std::set<std::string> handedOnNames(const ast::Body& body) {
  std::set<std::string> names;
  for (const auto& [name, facts] : scanned(body, true).facts)
    if (facts.assignments > 0 &&
        std::ranges::any_of(facts.reads, [](const NameFacts::Read& r) { return !r.isPerhapsBound; }))
      names.insert(name);
  return names;
}

std::set<std::string> surelyAssigned(const ast::Body& body) {
  std::set<std::string> names;
  for (const auto& [name, at] : scanned(body).bound) names.insert(name);
  return names;
}

} // namespace appyc::sema
