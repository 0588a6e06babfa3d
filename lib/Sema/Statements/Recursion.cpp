//===- Recursion.cpp - functions that call themselves last are loops --------------------------------------===//
//   def gcd(a, b):                             def gcd(a, b):
//     if b == 0: return a                        while True:
//     return gcd(b, a % b)               =>        if b == 0: return a
//                                                  a, b = b, a % b
//   def sort(x, lo, hi):                       def sort(x, lo, hi):
//     if lo < hi:                                pending = [(lo, hi)]
//       k = split(x, lo, hi)                     while pending:
//       sort(x, lo, k)                   =>        lo, hi = pending.pop()
//       sort(x, k + 1, hi)                         if lo < hi:
//                                                    k = split(x, lo, hi)
//                                                    pending.append((k + 1, hi));  pending.append((lo, k))
// Done on the syntax tree, before statements that leave are looked at. A function that goes on when it has called itself
// stays; where it is called, it is a loop, too (Calls/Resumed.cpp).
#include "Leaving.h"
#include "SelfCalls.h"
#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace appyc::sema {

namespace {

using ast::Body;
using ast::Stmt;

class LastCalls : SelfCalls {
public:
  explicit LastCalls(const ast::Function& fn) : SelfCalls(fn) {
    for (const NameFacts::Read& r : facts_[fn.name].reads) uses_.push_back(r.at);
  }

  std::optional<ast::Function> run() {
    if (uses_.empty() || !isPlain()) return std::nullopt;
    look(fn_.body, true);
    if (!isKnown_ || found_ != uses_.size()) return std::nullopt;
    const Span all{fn_.body.front()->span.begin, fn_.body.back()->span.end};
    ast::Function out = fn_;
    isStacked_ ? stack(out, all) : loop(out, all);
    return out;
  }

private:
  using SelfCalls::callOf;
  const ast::Call* callOf(const Stmt& s) const {
    const auto* e = s.as<ast::ExprStmt>();
    return e && !e->isContext ? callOf(e->value) : nullptr;
  }
  bool mentions(Span span) const {
    return std::ranges::any_of(uses_, [&](uint32_t at) { return at >= span.begin && at < span.end; });
  }
  /// `if c: f(...)` of names and numbers, which no call changes.
  const ast::If* branchOf(const Stmt& s) const {
    const auto* i = s.as<ast::If>();
    return i && i->otherwise.empty() && isOfNames(i->cond) &&
                   std::ranges::all_of(i->then, [&](const Stmt& t) { return callOf(t) != nullptr; })
               ? i
               : nullptr;
  }
  static bool isOfNames(const ast::Expr& e) {
    if (const auto* u = e.as<ast::Unary>()) return isOfNames(u->arg);
    if (const auto* b = e.as<ast::Binary>()) return isOfNames(b->lhs) && isOfNames(b->rhs);
    if (const auto* b = e.as<ast::BoolExpr>()) return isOfNames(b->lhs) && isOfNames(b->rhs);
    if (const auto* c = e.as<ast::Compare>()) return std::ranges::all_of(c->operands, isOfNames);
    return e.is<ast::Name>() || e.is<ast::IntLit>() || e.is<ast::FloatLit>() || e.is<ast::BoolLit>();
  }

  /// How many statements at the end of a path are calls of the function, or branches of such.
  size_t lastCalls(const Body& body) const {
    size_t count = 0;
    while (count < body.size()) {
      const Stmt& s = body[body.size() - 1 - count];
      if (!callOf(s) && !branchOf(s)) break;
      ++count;
    }
    return count;
  }

  void note(const ast::Call& c, bool isOneOfSeveral) {
    const auto given = argumentsOf(c);
    ++found_;
    isKnown_ &= given.has_value();
    for (size_t k = 0; given && k < given->size(); ++k) {
      const auto* name = (*given)[k].as<ast::Name>();
      if (!name || name->id != fn_.params[k].name || facts_[name->id].assignments > 1) varying_.insert(k);
      isKnown_ &= !isOneOfSeveral || isOfNames((*given)[k]);
    }
  }

  /// Finds the calls that end a path. `isLast`: nothing of the function follows the statements.
  void look(const Body& body, bool isLast) {
    const size_t count = isLast ? lastCalls(body) : 0;
    const bool areSeveral = count > 1;
    for (size_t k = 0; k < body.size(); ++k) {
      const Stmt& s = body[k];
      const bool isEnd = isLast && k + 1 == body.size();
      if (const auto* r = s.as<ast::Return>()) {
        if (r->value) lookInto(r->value);
        hasValues_ |= r->value && !callOf(r->value);
      } else if (areSeveral && k + count >= body.size()) {
        isStacked_ = true;
        if (const ast::Call* c = callOf(s)) note(*c, true);
        if (const ast::If* i = branchOf(s))
          for (const Stmt& t : i->then) note(*callOf(t), true);
      } else if (const ast::Call* c = callOf(s)) {
        const bool isBeforeReturn =
            k + 1 < body.size() && body[k + 1].is<ast::Return>() && !body[k + 1].as<ast::Return>()->value;
        if (isEnd || isBeforeReturn) note(*c, false);
      } else if (const auto* i = s.as<ast::If>()) {
        look(i->then, isEnd);
        look(i->otherwise, isEnd);
      } else if (s.is<ast::For>() || s.is<ast::While>()) {
        leavesLoops_ |= mayReturn({s});
      }
    }
  }
  void lookInto(const ast::Expr& value) {
    if (const ast::Call* c = callOf(value)) return note(*c, false);
    if (const auto* c = value.as<ast::Conditional>(); c && mentions(value->span)) {
      lookInto(c->then);
      lookInto(c->otherwise);
    }
  }

  //===--- a loop -------------------------------------------------------------------------------------===//

  void again(const ast::Call& c, Span where, Body& out) const {
    const std::vector<ast::Expr> given = *argumentsOf(c);
    ast::Tuple names, values;
    for (const size_t k : varying_) {
      const auto* name = given[k].as<ast::Name>();
      if (name && name->id == fn_.params[k].name) continue;
      names.items.push_back(nameAt(fn_.params[k].name, where));
      values.items.push_back(given[k]);
    }
    if (names.items.size() == 1)
      out.push_back(ast::makeStmt(where, ast::Assign{{names.items[0]}, values.items[0], {}}));
    else if (!names.items.empty())
      out.push_back(
          ast::makeStmt(where, ast::Assign{{ast::make(where, names)}, ast::make(where, values), {}}));
    out.push_back(ast::makeStmt(where, ast::Continue{}));
  }
  void returned(const ast::Expr& value, Span where, Body& out) const {
    const auto* c = value.as<ast::Conditional>();
    if (const ast::Call* call = callOf(value)) return again(*call, where, out);
    if (!c || !mentions(value->span)) return out.push_back(ast::makeStmt(where, ast::Return{value}));
    ast::If branch{c->cond, {}, {}};
    returned(c->then, c->then->span, branch.then);
    returned(c->otherwise, c->otherwise->span, branch.otherwise);
    out.push_back(ast::makeStmt(where, std::move(branch)));
  }
  Body looped(const Body& body) const {
    Body out;
    for (const Stmt& s : body) {
      const auto* r = s.as<ast::Return>();
      const auto* i = s.as<ast::If>();
      if (r && r->value) {
        returned(r->value, s->span, out);
      } else if (const ast::Call* c = callOf(s)) {
        again(*c, s->span, out);
        break;
      } else if (i) {
        out.push_back(ast::makeStmt(s->span, ast::If{i->cond, looped(i->then), looped(i->otherwise)}));
      } else {
        out.push_back(s);
      }
    }
    return out;
  }
  void loop(ast::Function& out, Span all) const {
    Body body = looped(fn_.body);
    body.push_back(ast::makeStmt({all.end, all.end}, ast::Return{}));
    const ast::Expr yes = ast::make({all.begin, all.begin}, ast::BoolLit{true});
    out.body = {ast::makeStmt(all, ast::While{yes, std::move(body)})};
  }

  //===--- several calls: a stack ---------------------------------------------------------------------===//

  /// What varies, of which there is a list.
  ast::Expr item(const std::vector<ast::Expr>& given, Span where) const {
    ast::Tuple parts;
    for (const size_t k : varying_) parts.items.push_back(given[k]);
    return parts.items.size() == 1 ? parts.items[0] : ast::make(where, std::move(parts));
  }
  Stmt push(const ast::Call& c, Span where) const {
    const ast::Expr append = ast::make(where, ast::Attribute{nameAt(pending_, where), "append"});
    return ast::makeStmt(
        where, ast::ExprStmt{ast::make(where, ast::Call{append, {item(*argumentsOf(c), where)}, {}})});
  }
  Body stacked(const Body& body, bool isLast) const {
    Body out;
    const size_t count = isLast ? lastCalls(body) : 0;
    for (size_t k = 0; k + count < body.size(); ++k) {
      const Stmt& s = body[k];
      const auto* i = s.as<ast::If>();
      const bool isEnd = isLast && k + 1 == body.size();
      if (s.is<ast::Return>())
        out.push_back(ast::makeStmt(s->span, ast::Continue{}));
      else if (const ast::Call* c = callOf(s))
        out.push_back(push(*c, s->span));
      else if (i)
        out.push_back(
            ast::makeStmt(s->span, ast::If{i->cond, stacked(i->then, isEnd), stacked(i->otherwise, isEnd)}));
      else
        out.push_back(s);
    }
    for (size_t k = 0; k < count; ++k) { // what is put last is taken first
      const Stmt& s = body[body.size() - 1 - k];
      if (const ast::Call* c = callOf(s)) {
        out.push_back(push(*c, s->span));
        continue;
      }
      ast::If branch{branchOf(s)->cond, {}, {}};
      const Body& calls = branchOf(s)->then;
      for (auto t = calls.rbegin(); t != calls.rend(); ++t)
        branch.then.push_back(push(*callOf(*t), (*t)->span));
      out.push_back(ast::makeStmt(s->span, std::move(branch)));
    }
    return out;
  }
  void stack(ast::Function& out, Span all) {
    const Span begin{all.begin, all.begin};
    while (facts_.count(pending_)) pending_ += "_";
    std::vector<ast::Expr> own;
    for (const ast::Parameter& p : fn_.params) own.push_back(nameAt(p.name, begin));
    const ast::Expr pop = ast::make(begin, ast::Attribute{nameAt(pending_, begin), "pop"});
    Body body = stacked(fn_.body, true);
    body.insert(
        body.begin(),
        ast::makeStmt(begin, ast::Assign{{item(own, begin)}, ast::make(begin, ast::Call{pop, {}, {}}), {}}));
    const Span made = fn_.nameSpan; // a place of its own
    out.body = {
        ast::makeStmt(
            made, ast::Assign{{nameAt(pending_, made)}, ast::make(made, ast::List{{item(own, made)}}), {}}),
        ast::makeStmt(all, ast::While{nameAt(pending_, begin), std::move(body)})};
  }

public:
  /// May the stack take the place: nothing is returned, nor from within a loop?
  bool fits() const { return !isStacked_ || (!hasValues_ && !leavesLoops_ && !varying_.empty()); }

private:
  std::vector<uint32_t> uses_;
  std::set<size_t> varying_; ///< parameters that some call gives another value
  size_t found_ = 0;
  bool isKnown_ = true, isStacked_ = false, hasValues_ = false, leavesLoops_ = false;
  std::string pending_ = "pending";
};

} // namespace

ast::Function withoutRecursion(const ast::Function& fn) {
  LastCalls calls(fn);
  std::optional<ast::Function> out = calls.run();
  return out && calls.fits() ? *out : fn;
}

} // namespace appyc::sema
