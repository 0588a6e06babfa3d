//===- Leaving.cpp - statements that leave a loop or a function early ----------------------------------===//
//   for i in range(n):                  returned = False
//     if a[i] < 0: continue             for i in range(n), unless returned:
//     if b[i]: return i            =>     if a[i] < 0: (nothing)
//     s += a[i]                           else:
//   return -1                               if b[i]: result = i; returned = True
//                                           else: s += a[i]
//                                       if returned: return result
//                                       return -1
// Names that the loop's steps hand on, `if d < e: return x, i` before `x = x + d`, are what they are when it is left: they are
// returned behind it, `return x, result`.
// What follows a statement that may leave stands in the branch that goes on, or, where no branch of it surely leaves,
// under a test of flags: `left` of a loop for `break`, `skipped` for `continue`, `returned` of the function. A loop that
// may be left asks its flags before each iteration but the first. What only raises is no way to go on: it stays.
// Done on the syntax tree, before names are looked at, so that all that is known of branches and of names that loops
// change holds for what leaves, too.
#include "Leaving.h"
#include "Lowering.h"
#include "SelfCalls.h"
#include <functional>

namespace appyc::sema {

using ast::Body;
using ast::Stmt;

namespace {

/// What a statement may do to the loop around it, and to the function.
struct Jumps {
  bool breaks = false, continues = false, returns = false;
  bool any() const { return breaks || continues || returns; }
  void add(const Jumps& o) { breaks |= o.breaks, continues |= o.continues, returns |= o.returns; }
};

Jumps jumpsOf(const Stmt& s);
Jumps jumpsOf(const Body& body) {
  Jumps all;
  for (const Stmt& s : body) all.add(jumpsOf(s));
  return all;
}
/// Of a loop: its own statements leave itself.
Jumps jumpsOfLoop(const Body& body, const Body& otherwise) {
  Jumps all = jumpsOf(otherwise);
  all.returns |= jumpsOf(body).returns;
  return all;
}
Jumps jumpsOf(const Stmt& s) {
  return match(
      s, [](const ast::Break&) { return Jumps{true}; },
      [](const ast::Continue&) {
        return Jumps{false, true};
      },
      [](const ast::Return&) {
        return Jumps{false, false, true};
      },
      [](const ast::For& f) { return jumpsOfLoop(f.body, f.otherwise); },
      [](const ast::While& w) { return jumpsOfLoop(w.body, w.otherwise); },
      [](const ast::If& i) {
        Jumps all = jumpsOf(i.then);
        all.add(jumpsOf(i.otherwise));
        return all;
      },
      [](const auto&) { return Jumps{}; });
}

/// `while True:`
bool isForEver(const ast::While& w) {
  const auto* yes = w.cond.as<ast::BoolLit>();
  const auto* one = w.cond.as<ast::IntLit>();
  return (yes && yes->value) || (one && one->value != 0);
}

/// The same that nothing but `return` and `raise` leaves. One with flags is left by these.
bool isEndless(const Stmt& s) {
  const auto* w = s.as<ast::While>();
  return w && !w->unless && isForEver(*w) && !jumpsOf(w->body).breaks;
}

/// `while True: if c: break; ..` asks `not c` before each iteration, where that gives no names values.
Body withConditions(const Body& in) {
  Body out;
  for (const Stmt& s : in) {
    if (const auto* i = s.as<ast::If>()) {
      out.push_back(
          ast::makeStmt(s->span, ast::If{i->cond, withConditions(i->then), withConditions(i->otherwise)}));
      continue;
    }
    if (const auto* f = s.as<ast::For>()) {
      ast::For loop = *f;
      loop.body = withConditions(f->body), loop.otherwise = withConditions(f->otherwise);
      out.push_back(ast::makeStmt(s->span, std::move(loop)));
      continue;
    }
    const auto* w = s.as<ast::While>();
    if (!w) {
      out.push_back(s);
      continue;
    }
    ast::While loop = *w;
    loop.body = withConditions(w->body), loop.otherwise = withConditions(w->otherwise);
    const auto* asked = loop.body.front().as<ast::If>();
    if (isForEver(loop) && loop.body.size() > 1 && asked && asked->then.size() == 1 &&
        asked->then[0].is<ast::Break>() && asked->otherwise.empty() &&
        assignedNames({ast::makeStmt(asked->cond->span, ast::ExprStmt{asked->cond})}).empty()) {
      loop.cond = ast::make(asked->cond->span, ast::Unary{ast::UnaryOp::Not, asked->cond});
      loop.body.erase(loop.body.begin());
      loop.otherwise.clear(); // behind a loop that only `break` leaves nothing is run
    }
    out.push_back(ast::makeStmt(s->span, std::move(loop)));
  }
  return out;
}

/// What is done with the statements of `try` in all branches that stand for it.
Body withTried(const Body& in, const std::function<Body(const Body&)>& rewritten) {
  Body out;
  const auto inside = [&](const Body& body) { return withTried(body, rewritten); };
  for (const Stmt& s : in) {
    if (const auto* i = s.as<ast::If>()) {
      ast::Expr cond = i->cond;
      if (const auto* c = cond.as<ast::Completes>()) {
        ast::Completes completes = *c;
        completes.tried = rewritten(inside(c->tried));
        cond = ast::make(cond->span, std::move(completes));
      }
      out.push_back(ast::makeStmt(s->span, ast::If{cond, inside(i->then), inside(i->otherwise)}));
    } else if (const auto* f = s.as<ast::For>()) {
      ast::For loop = *f;
      loop.body = inside(f->body), loop.otherwise = inside(f->otherwise);
      out.push_back(ast::makeStmt(s->span, std::move(loop)));
    } else if (const auto* w = s.as<ast::While>()) {
      ast::While loop = *w;
      loop.body = inside(w->body), loop.otherwise = inside(w->otherwise);
      out.push_back(ast::makeStmt(s->span, std::move(loop)));
    } else {
      out.push_back(s);
    }
  }
  return out;
}

/// Is what follows the statement in its list never run?
bool surelyLeaves(const Body& body);
bool surelyLeaves(const Stmt& s) {
  if (const auto* i = s.as<ast::If>()) return surelyLeaves(i->then) && surelyLeaves(i->otherwise);
  return s.is<ast::Return>() || s.is<ast::Raise>() || s.is<ast::Break>() || s.is<ast::Continue>() ||
         isEndless(s);
}
bool surelyLeaves(const Body& body) {
  return std::any_of(body.begin(), body.end(), [](const Stmt& s) { return surelyLeaves(s); });
}

Span placeOf(uint32_t at) { return {at, at}; }
ast::Expr notOf(ast::Expr e) {
  const Span where = e->span;
  return ast::make(where, ast::Unary{ast::UnaryOp::Not, std::move(e)});
}

/// What the body's `return`s give, in loops, too.
void addReturned(const Body& body, std::vector<ast::Expr>& values) {
  for (const Stmt& s : body) {
    if (const auto* r = s.as<ast::Return>()) values.push_back(r->value);
    if (const auto* i = s.as<ast::If>()) addReturned(i->then, values), addReturned(i->otherwise, values);
    if (const auto* f = s.as<ast::For>()) addReturned(f->body, values), addReturned(f->otherwise, values);
    if (const auto* w = s.as<ast::While>()) addReturned(w->body, values), addReturned(w->otherwise, values);
  }
}

/// Names that statements bind to other values, not in place: `x = x + d`.
std::set<std::string> reboundNames(const Body& body) {
  std::set<std::string> names;
  for (const Stmt& s : body) {
    if (s.is<ast::Assign>()) names.merge(assignedNames({s}));
    if (const auto* i = s.as<ast::If>())
      names.merge(reboundNames(i->then)), names.merge(reboundNames(i->otherwise));
    if (const auto* f = s.as<ast::For>()) names.merge(reboundNames(f->body));
    if (const auto* w = s.as<ast::While>()) names.merge(reboundNames(w->body));
  }
  return names;
}

/// The first `break` or `return` by which the body leaves its loop.
Span leavingAt(const Body& body, bool byBreak = true) {
  for (const Stmt& s : body) {
    if ((byBreak && s.is<ast::Break>()) || s.is<ast::Return>()) return s->span;
    const auto* f = s.as<ast::For>();
    const auto* w = s.as<ast::While>();
    const auto* i = s.as<ast::If>();
    Span found = f   ? leavingAt(f->body, false)
                 : w ? leavingAt(w->body, false)
                 : i ? leavingAt(i->then, byBreak)
                     : Span{};
    if (found.end == 0 && f) found = leavingAt(f->otherwise, byBreak);
    if (found.end == 0 && w) found = leavingAt(w->otherwise, byBreak);
    if (found.end == 0 && i) found = leavingAt(i->otherwise, byBreak);
    if (found.end > 0) return found;
  }
  return {};
}

class Rewriter {
public:
  explicit Rewriter(const ast::Function& fn) : out_(fn) {
    for (const auto& [name, facts] : scanNames(fn)) taken_.insert(name);
  }

  ast::Function run() {
    out_.body = atTop(withTried(withConditions(out_.body),
                                [&](const Body& tried) { return atTop(withConditions(tried)); }));
    return std::move(out_);
  }

  /// The same where loops that call the function stay as they are, with what leaves them.
  ast::Function ofStates() {
    out_.body = jumping(withTried(out_.body, [&](const Body& tried) { return atTop(tried); }));
    return std::move(out_);
  }

private:
  Body jumping(const Body& in) {
    Body out;
    for (const Stmt& s : in) {
      const auto* i = s.as<ast::If>();
      const auto* f = s.as<ast::For>();
      const auto* w = s.as<ast::While>();
      if (i) {
        out.push_back(ast::makeStmt(s->span, ast::If{i->cond, jumping(i->then), jumping(i->otherwise)}));
      } else if ((f || w) && exposedNames({s}).count(out_.name)) {
        ast::For each = f ? *f : ast::For{};
        ast::While loop = w ? *w : ast::While{};
        f ? each.body = jumping(f->body) : loop.body = jumping(w->body);
        out.push_back(f ? ast::makeStmt(s->span, std::move(each)) : ast::makeStmt(s->span, std::move(loop)));
      } else if (f || w) {
        const bool returns = jumpsOf(bodyOf(s)).returns;
        if (returns) out.push_back(noReturnYet(s->span));
        const Body behind = jumping(loop(s, out));
        if (returns) out.push_back(isEndless(s) ? returnKept(s) : ifReturned(s));
        out.insert(out.end(), behind.begin(), behind.end());
      } else {
        out.push_back(s);
      }
    }
    return out;
  }

  struct Loop {
    std::string left, skipped; ///< its flags, once something needs them
  };

  const std::string& named(std::string& name, const char* base) {
    if (!name.empty()) return name;
    name = base;
    for (int k = 2; !taken_.insert(name).second; ++k) name = fmt::format("{}_{}", base, k);
    out_.added.push_back(name);
    return name;
  }
  static Stmt set(const std::string& name, ast::Expr value, Span where) {
    return ast::makeStmt(where, ast::Assign{{nameAt(name, where)}, std::move(value), {}});
  }
  static Stmt flag(const std::string& name, bool value, Span where) {
    return set(name, ast::make(where, ast::BoolLit{value}), where);
  }
  Stmt noReturnYet(Span before) { return flag(named(returned_, "returned"), false, placeOf(before.begin)); }
  /// Where the function may be left: `return result`, as the statement at hand says it.
  Stmt returnKept(const Stmt& s) {
    const Span end = placeOf(s->span.end), said = leavingAt({s}, false);
    if (later_.empty()) return ast::makeStmt(said, ast::Return{nameAt(named(result_, "result"), end)});
    ast::Tuple all;
    for (const Later& l : later_) all.items.push_back(nameAt(l.name, end));
    const bool isOne = !std::exchange(isTuple_, false);
    later_.clear();
    return ast::makeStmt(said, ast::Return{isOne ? all.items[0] : ast::make(said, std::move(all))});
  }

  /// An item of what is returned behind a loop: a name that its steps hand on, or one that keeps what it is.
  struct Later {
    std::string name;
    bool isKept;
  };
  /// Names that the loop's steps hand on are returned behind it, where all of its `return`s give the same of them.
  void returnLater(const Body& body) {
    std::vector<ast::Expr> values;
    addReturned(body, values);
    std::set<std::string> handedOn = handedOnNames(body);
    const std::set<std::string> rebound = reboundNames(body);
    std::erase_if(handedOn, [&](const std::string& name) { return !rebound.count(name); });
    const auto itemsOf = [](const ast::Expr& e) {
      const auto* t = e.as<ast::Tuple>();
      return t ? t->items : std::vector<ast::Expr>{e};
    };
    const auto given = [&](const ast::Expr& e) {
      const auto* n = e ? e.as<ast::Name>() : nullptr;
      return n && handedOn.count(n->id) ? n->id : std::string();
    };
    std::vector<std::string> names;
    for (const ast::Expr& value : values) {
      std::vector<std::string> mine;
      for (const ast::Expr& item : value ? itemsOf(value) : std::vector<ast::Expr>{}) {
        if (item.is<ast::Starred>()) return;
        mine.push_back(given(item));
      }
      if (mine.empty() || value.is<ast::Tuple>() != values[0].is<ast::Tuple>()) return;
      if (names.empty()) names = mine;
      if (names != mine) return;
    }
    if (std::ranges::all_of(names, &std::string::empty)) return;
    isTuple_ = values[0].is<ast::Tuple>();
    for (const std::string& name : names) {
      std::string kept;
      later_.push_back({name.empty() ? named(kept, "result") : name, name.empty()});
    }
  }
  /// What is kept of what is returned.
  void keep(const ast::Expr& value, Span where, Body& out) {
    if (later_.empty())
      return out.push_back(
          set(named(result_, "result"), value ? value : ast::make(where, ast::NoneLit{}), where));
    const auto* t = value.as<ast::Tuple>();
    ast::Tuple to, from;
    for (size_t k = 0; k < later_.size(); ++k) {
      if (!later_[k].isKept) continue;
      to.items.push_back(nameAt(later_[k].name, where));
      from.items.push_back(t ? t->items[k] : value);
    }
    if (to.items.size() == 1) out.push_back(set(to.items[0].as<ast::Name>()->id, from.items[0], where));
    if (to.items.size() > 1)
      out.push_back(ast::makeStmt(
          where, ast::Assign{{ast::make(where, std::move(to))}, ast::make(where, std::move(from)), {}}));
  }
  Stmt ifReturned(const Stmt& s) {
    const Span end = placeOf(s->span.end);
    return ast::makeStmt(end, ast::If{nameAt(named(returned_, "returned"), end), {returnKept(s)}, {}});
  }

  /// Statements of which none is in a loop: each `return` ends a path.
  Body atTop(const Body& in) {
    Body out;
    for (size_t k = 0; k < in.size(); ++k) {
      const Stmt& s = in[k];
      const bool isLoop = s.is<ast::For>() || s.is<ast::While>();
      const auto* i = s.as<ast::If>();
      if (isLoop) {
        const bool returns = jumpsOf(bodyOf(s)).returns;
        if (returns) out.push_back(noReturnYet(s->span));
        if (returns) returnLater(bodyOf(s));
        Body behind = loop(s, out);
        if (isEndless(s)) {
          if (returns) out.push_back(returnKept(s));
          return out;
        }
        const bool hasElse = !behind.empty();
        behind.insert(behind.end(), in.begin() + static_cast<std::ptrdiff_t>(k) + 1, in.end());
        if (returns && alwaysRaises(behind)) { // no path behind it gives None
          const Span end = placeOf(s->span.end);
          const Stmt kept = returnKept(s);
          out.push_back(ast::makeStmt(end, ast::If{notOf(nameAt(returned_, end)), atTop(behind), {}}));
          out.push_back(kept);
          return out;
        }
        if (returns) out.push_back(ifReturned(s));
        if (!hasElse) continue;
        for (const Stmt& t : atTop(behind)) out.push_back(t);
        return out;
      } else if (i && jumpsOf(s).returns && !surelyLeaves(i->then) && !surelyLeaves(i->otherwise)) {
        out.push_back(noReturnYet(s->span));
        out.push_back(ast::makeStmt(s->span, ast::If{i->cond, flagged(i->then, nullptr, true),
                                                     flagged(i->otherwise, nullptr, true)}));
        out.push_back(ifReturned(s));
      } else if (i) {
        const Body rest(in.begin() + static_cast<std::ptrdiff_t>(k) + 1, in.end());
        if (surelyLeaves(s) || (jumpsOf(s).returns && alwaysRaises(rest))) {
          out.push_back(branches(*i, s->span, rest, [&](const Body& side) { return atTop(side); }));
          return out;
        }
        out.push_back(ast::makeStmt(s->span, ast::If{i->cond, atTop(i->then), atTop(i->otherwise)}));
      } else {
        out.push_back(s);
        if (surelyLeaves(s)) return out;
      }
    }
    return out;
  }

  static const Body& bodyOf(const Stmt& loop) {
    const auto* f = loop.as<ast::For>();
    return f ? f->body : loop.as<ast::While>()->body;
  }

  /// The branch with the rest in what does not leave.
  template <class Fn>
  static Stmt branches(const ast::If& i, Span span, const Body& rest, const Fn& rewritten) {
    auto side = [&](const Body& body) {
      Body all = body;
      if (!surelyLeaves(body)) all.insert(all.end(), rest.begin(), rest.end());
      return rewritten(all);
    };
    if (!rest.empty()) span.end = std::max(span.end, rest.back()->span.end);
    Body then = side(i.then), otherwise = side(i.otherwise);
    return ast::makeStmt(span, ast::If{i.cond, std::move(then), std::move(otherwise)});
  }

  /// Statements in a loop, or in a branch that flags follow. `isFollowed`: `continue` must be told to what follows.
  Body flagged(const Body& in, Loop* around, bool isFollowed) {
    Body out;
    for (size_t k = 0; k < in.size(); ++k) {
      const Stmt& s = in[k];
      const Body rest(in.begin() + static_cast<std::ptrdiff_t>(k) + 1, in.end());
      auto go = [&](const Body& body) { return flagged(body, around, isFollowed); };
      if (const auto* r = s.as<ast::Return>()) {
        keep(r->value, s->span, out);
        out.push_back(flag(named(returned_, "returned"), true, s->span));
        return out;
      }
      if (s.is<ast::Break>() || s.is<ast::Continue>()) {
        if (s.is<ast::Break>())
          out.push_back(flag(named(around->left, "left"), true, s->span));
        else if (isFollowed)
          out.push_back(flag(named(around->skipped, "skipped"), true, s->span));
        return out;
      }
      if (s.is<ast::For>() || s.is<ast::While>()) {
        Body behind = loop(s, out);
        if (isEndless(s)) return out;
        behind.insert(behind.end(), rest.begin(), rest.end());
        if (jumpsOf(bodyOf(s)).returns)
          unless({returned_}, behind, placeOf(s->span.end), go, out);
        else
          for (const Stmt& t : go(behind)) out.push_back(t);
        return out;
      }
      const auto* i = s.as<ast::If>();
      if (!i) {
        out.push_back(s);
        if (s.is<ast::Raise>()) return out;
        continue;
      }
      const Jumps jumps = jumpsOf(s);
      if (jumps.any() && (rest.empty() || surelyLeaves(i->then) || surelyLeaves(i->otherwise))) {
        out.push_back(branches(*i, s->span, rest, go));
        return out;
      }
      auto side = [&](const Body& body) { return flagged(body, around, true); };
      out.push_back(ast::makeStmt(s->span, ast::If{i->cond, side(i->then), side(i->otherwise)}));
      if (!jumps.any()) continue;
      std::vector<std::string> flags;
      if (jumps.breaks) flags.push_back(around->left);
      if (jumps.continues) flags.push_back(around->skipped);
      if (jumps.returns) flags.push_back(returned_);
      unless(flags, rest, placeOf(rest.front()->span.begin), go, out);
      return out;
    }
    return out;
  }

  /// What is done where no flag is set.
  template <class Fn>
  static void unless(const std::vector<std::string>& flags, const Body& rest, Span where, const Fn& rewritten,
                     Body& out) {
    if (rest.empty()) return;
    const ast::Expr any = anyOf(flags, where);
    if (!any) {
      for (const Stmt& t : rewritten(rest)) out.push_back(t);
      return;
    }
    const Span span{rest.front()->span.begin, std::max(rest.front()->span.end, rest.back()->span.end)};
    out.push_back(ast::makeStmt(span, ast::If{notOf(any), rewritten(rest), {}}));
  }
  static ast::Expr anyOf(const std::vector<std::string>& flags, Span where) {
    ast::Expr any;
    for (const std::string& f : flags) {
      if (f.empty()) continue; // what would set it is never run
      const ast::Expr one = nameAt(f, where);
      any = any ? ast::make(where, ast::BoolExpr{ast::BoolOp::Or, any, one}) : one;
    }
    return any;
  }

  /// The loop goes to `out`; what its `else` says comes behind it.
  Body loop(const Stmt& s, Body& out) {
    Loop flags;
    const Body& old = bodyOf(s);
    Body body = flagged(old, &flags, false);
    const uint32_t start = old.empty() ? s->span.begin : old.front()->span.begin;
    if (!flags.skipped.empty()) body.insert(body.begin(), flag(flags.skipped, false, placeOf(start)));
    if (!flags.left.empty()) out.push_back(flag(flags.left, false, placeOf(s->span.begin)));
    const Jumps jumps = jumpsOf(old);
    const ast::Expr leaves = anyOf({flags.left, jumps.returns ? returned_ : ""}, placeOf(s->span.end));
    Body otherwise;
    const Span left = leaves ? leavingAt(old) : Span{};
    const Span span{s->span.begin,
                    old.empty() ? s->span.end : old.back()->span.end}; // `else` stands behind it
    if (const auto* f = s.as<ast::For>()) {
      otherwise = f->otherwise;
      out.push_back(
          ast::makeStmt(span, ast::For{f->target, f->iter, std::move(body), f->directive, {}, leaves, left}));
    } else {
      const auto* w = s.as<ast::While>();
      otherwise = w->otherwise;
      out.push_back(ast::makeStmt(span, ast::While{w->cond, std::move(body), {}, leaves}));
    }
    if (otherwise.empty() || flags.left.empty()) return otherwise;
    const Span behind{otherwise.front()->span.begin, otherwise.back()->span.end};
    return {ast::makeStmt(behind, ast::If{notOf(nameAt(flags.left, placeOf(behind.begin))), otherwise, {}})};
  }

  ast::Function out_;
  std::set<std::string> taken_;
  std::string result_, returned_; ///< what is to be returned, and whether
  std::vector<Later> later_;      ///< what is returned behind the loop at hand, where it is not `result_`
  bool isTuple_ = false;          ///< whether that is a tuple
};

} // namespace

bool mayReturn(const Body& body) { return jumpsOf(body).returns; }
bool alwaysReturns(const Body& body) { return surelyLeaves(body); }
bool alwaysRaises(const Body& body) { return surelyLeaves(body) && !jumpsOf(body).any(); }

ast::Function withoutLeaving(const ast::Function& given) {
  ast::Function fn = given;
  if (exposedNames(fn.body).count(fn.name)) { // what it gives to itself is not converted, but has to fit
    fn.converting.clear();
    for (ast::Signature& signature : fn.signatures) signature.converts = false;
  }
  ast::Function out = Rewriter(withoutRecursion(fn)).run();
  if (exposedNames(out.body).count(fn.name)) out.asWritten = std::make_shared<const ast::Function>(fn);
  return out;
}

ast::Function ofStates(const ast::Function& fn) {
  return Rewriter(fn.asWritten ? *fn.asWritten : fn).ofStates();
}

ast::Module withoutLeaving(const ast::Module& module) {
  ast::Module out = module;
  for (ast::Function& fn : out.functions) fn = withoutLeaving(fn);
  for (ast::Module& imported : out.modules) imported = withoutLeaving(imported);
  return out;
}

} // namespace appyc::sema
