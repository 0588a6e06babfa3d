//===- Trying.cpp - branches that stand for `try` --------------------------------------------------------===//
//   if completes(y = a / b): z = y + 1        raised = 0
//   else: z = 0                               if b != 0:
//                                        =>     y = a / b;  z = y + 1
//                                             else: raised = 1
//                                             if raised: z = 0
// What a handler takes and the statement's checks would raise leads to the handler: what follows such a check stands in the
// branch where it holds. Checks stand where CPython makes them, of subscripts, too, where a handler takes IndexError.
// What the library and appyc themselves cannot do, NotImplementedError, is none of the program's.
#include "Leaving.h"
#include "Lowering.h"
#include "appyc/IR/Abi.h"
#include "appyc/IR/Walk.h"

namespace appyc::sema {

namespace {
using Classes = std::vector<std::string>;
using Stmts = std::vector<ir::Stmt>;

/// The exception and what it is of, nearest first.
Classes familyOf(const std::string& exception) {
  static const std::map<std::string, std::string> kOf = {
      {"LinAlgError", "ValueError"},         {"ZeroDivisionError", "ArithmeticError"},
      {"OverflowError", "ArithmeticError"},  {"FloatingPointError", "ArithmeticError"},
      {"IndexError", "LookupError"},         {"KeyError", "LookupError"},
      {"UnboundLocalError", "NameError"},    {"RecursionError", "RuntimeError"},
      {"ModuleNotFoundError", "ImportError"}};
  Classes family{exception};
  for (auto of = kOf.find(exception); of != kOf.end(); of = kOf.find(of->second))
    family.push_back(of->second);
  family.emplace_back("Exception");
  family.emplace_back("BaseException");
  return family;
}

/// What can be said of whether a translated program raises it: each check that would is there, or none can.
bool isModelled(const std::string& exception) {
  static const std::set<std::string> kNot = {"FloatingPointError", "NameError",   "UnboundLocalError",
                                             "RecursionError",     "MemoryError", "NotImplementedError",
                                             "StopIteration",      "EOFError"};
  static const std::set<std::string> kMore = {"BaseException",   "ImportError",       "ModuleNotFoundError",
                                              "AttributeError",  "KeyboardInterrupt", "FileNotFoundError",
                                              "PermissionError", "IOError",           "SystemExit"};
  return !kNot.count(exception) && (ir::isException(exception) || kMore.count(exception));
}

/// Checks become branches.
struct Unwinding {
  const std::vector<Classes>& handlers;
  Symbol raised;

  /// Which handler takes it, from 1; 0: none.
  size_t handlerOf(const Classes& family) const {
    for (size_t k = 0; k < handlers.size(); ++k)
      for (const std::string& name : family)
        if (std::ranges::find(handlers[k], name) != handlers[k].end()) return k + 1;
    return 0;
  }
  size_t handlerOf(const ir::Stmt& s) const {
    if (const auto* r = s.as<ir::Require>(); r && r->exception != "NotImplementedError")
      return handlerOf(familyOf(r->exception));
    const auto* p = s.as<ir::Print>();
    if (!p || p->error.empty()) return 0;
    Classes family = familyOf(p->base);
    family.insert(family.begin(), p->error);
    return handlerOf(family);
  }
  bool raises(const ir::Stmt& all) const {
    bool found = false;
    ir::visit(all, [&](const ir::Stmt& s) {
      found |= handlerOf(s) > 0;
      return !found;
    });
    return found;
  }
  /// The one check, or those behind one another, of a list.
  struct One {
    size_t from, behind;
    int64_t handler;
    Expr completes;
  };
  std::optional<One> oneOf(const Stmts& list) const {
    std::optional<One> one;
    for (size_t k = 0; k < list.size(); ++k) {
      if (!raises(list[k])) continue;
      const auto* r = list[k].as<ir::Require>();
      const auto handler = static_cast<int64_t>(handlerOf(list[k]));
      if (!r || (one && (one->behind != k || one->handler != handler))) return std::nullopt;
      one = one ? One{one->from, k + 1, handler, ir::both(one->completes, r->cond)}
                : One{k, k + 1, handler, r->cond};
    }
    return one;
  }
  /// What the statements raise: a check, and what Python is asked for the text of it.
  struct Raised {
    ir::Stmt check, message;
  };
  std::vector<Raised> raisedBy(const Stmts& list) const {
    std::vector<Raised> all;
    ir::Stmt message;
    for (const ir::Stmt& whole : list)
      ir::visit(whole, [&](const ir::Stmt& s) {
        if (isMessage(s)) message = s;
        if (handlerOf(s) > 0) all.push_back({s, std::exchange(message, {})});
        return true;
      });
    return all;
  }
  /// What `str` gives of what is raised, where that is one text of the program's own for all, or of np.linalg: checks of these
  /// have no line.
  std::optional<Value> textOf(const Stmts& list, const std::function<bool(const Expr&)>& isKept) const {
    const std::vector<Raised> all = raisedBy(list);
    std::set<std::string> texts;
    const auto made = [&](const ir::Stmt& s, std::string_view before, size_t behind) -> std::optional<Value> {
      TextValue text{s.as<ir::Print>()->pieces, s.as<ir::Print>()->values};
      const bool isShown = std::ranges::any_of(
          text.pieces, [](const std::string& piece) { return piece.find("_shown(") != piece.npos; });
      if (isShown || !std::ranges::all_of(text.values, isKept)) return std::nullopt;
      text.pieces.front().erase(0, before.size());
      text.pieces.back().erase(text.pieces.back().size() - behind);
      return Value{text};
    };
    const auto* own = all.size() == 1 ? all[0].check.as<ir::Print>() : nullptr;
    if (own) return made(all[0].check, "_raise(" + own->error + "(", 2);
    if (all.size() == 1 && all[0].message) return made(all[0].message, "_message(", 1);
    for (const Raised& one : all) {
      const auto* r = one.check.as<ir::Require>();
      const bool isKnown = r && (one.check->span.end == 0 || r->exception == "LinAlgError") &&
                           r->values.empty() && !one.message && r->exception != "KeyError";
      if (!isKnown) return std::nullopt;
      texts.insert(r->message);
    }
    return texts.size() == 1 ? std::optional(Value{StringValue{*texts.begin()}}) : std::nullopt;
  }
  /// What raises it once more; nothing where that is one of several of which nobody keeps which.
  std::optional<Stmts> again(const Stmts& list, const std::function<bool(const Expr&)>& isKept) const {
    const std::vector<Raised> all = raisedBy(list);
    const bool isOnly = all.size() == 1;
    Stmts checks;
    for (const Raised& r : all) {
      const auto* check = r.check.as<ir::Require>();
      const auto* said = (r.message ? r.message : r.check).as<ir::Print>();
      bool isKnown = isOnly || (check && !r.message && isKept(check->cond));
      if (check) isKnown &= std::ranges::all_of(check->values, isKept);
      if (said)
        isKnown &= std::ranges::all_of(said->values, isKept) &&
                   std::ranges::none_of(said->pieces, [](const std::string& piece) {
                     return piece.find("_shown(") != piece.npos;
                   });
      if (!isKnown) return std::nullopt;
      if (r.message) checks.push_back(r.message);
      ir::Require always = check ? *check : ir::Require{};
      if (isOnly && check) always.cond = ir::boolConst(false);
      checks.push_back(check ? ir::makeStmt(r.check->span, std::move(always)) : r.check);
    }
    return checks;
  }
  static bool isMessage(const ir::Stmt& s) {
    const auto* p = s.as<ir::Print>();
    return p && p->error.empty() && p->pieces[0].starts_with("_message(");
  }

  Expr none() const { return ir::binary(ir::BinaryOp::Eq, ir::var(raised), ir::intConst(0)); }
  ir::Stmt marked(size_t handler) const {
    return ir::makeStmt({}, ir::Assign{raised, ir::intConst(static_cast<int64_t>(handler))});
  }
  Stmts operator()(const Stmts& in) const {
    Stmts out;
    for (size_t k = 0; k < in.size(); ++k) {
      const ir::Stmt& s = in[k];
      Stmts rest(in.begin() + static_cast<std::ptrdiff_t>(k) + 1, in.end());
      if (const auto* block = s.as<ir::Block>()) {
        rest.insert(rest.begin(), block->body.begin(), block->body.end());
        for (ir::Stmt& t : (*this)(rest)) out.push_back(std::move(t));
        return out;
      }
      if (isMessage(s) && !rest.empty() && handlerOf(rest[0]) > 0) continue; // of what nobody is told
      const size_t handler = handlerOf(s);
      const auto* r = s.as<ir::Require>();
      if (handler > 0 && r && ir::constantBool(r->cond) != false) {
        out.push_back(ir::makeStmt(s->span, ir::If{r->cond, ir::block((*this)(rest)), marked(handler)}));
        return out;
      }
      if (handler > 0) return out.push_back(marked(handler)), out;
      if (!raises(s)) {
        out.push_back(s);
        continue;
      }
      out.push_back(inside(s));
      if (Stmts behind = (*this)(rest); !behind.empty())
        out.push_back(ir::makeStmt(s->span, ir::If{none(), ir::block(std::move(behind)), {}}));
      return out;
    }
    return out;
  }
  ir::Stmt of(const ir::Stmt& s) const { return s ? ir::block((*this)({s})) : s; }
  ir::Stmt inside(const ir::Stmt& s) const {
    if (const auto* i = s.as<ir::If>())
      return ir::makeStmt(s->span, ir::If{i->cond, of(i->then), of(i->otherwise)});
    const auto step = [&](const ir::Stmt& body) {
      return ir::makeStmt(body->span, ir::If{none(), of(body), {}});
    };
    if (const auto* f = s.as<ir::For>()) {
      ir::For loop = *f;
      loop.body = step(f->body);
      return ir::makeStmt(s->span, std::move(loop));
    }
    const auto* w = s.as<ir::While>();
    return ir::makeStmt(s->span, ir::While{ir::both(none(), w->cond), step(w->body)});
  }
};
} // namespace

/// The classes that a handler takes; nothing where one is refused.
std::optional<std::vector<std::string>> Lowering::caughtNames(const ast::Completes& tried, size_t handler) {
  Classes names;
  for (const ast::Expr& e : tried.handlers[handler]) {
    const auto* name = e.as<ast::Name>();
    const std::optional<Value> ofFile =
        name && !env().count(name->id) && file() ? fileName(*file(), name->id, e->span) : std::nullopt;
    const Value found = ofFile ? *ofFile : e.is<ast::Attribute>() ? eval(e) : Value{NoneValue{}};
    if (found.isError()) return std::nullopt;
    const auto* path = found.as<Callable>();
    const auto* own = found.as<ClassValue>();
    if (path && path->path == "numpy.linalg.LinAlgError") {
      names.emplace_back("LinAlgError");
    } else if (own && !own->type->exception.empty()) {
      names.push_back(own->type->name);
    } else if (!ofFile && name && isModelled(name->id)) {
      names.push_back(name->id);
    } else {
      error(DiagId::Unsupported, e->span,
            "whether this is raised appyc cannot say; a handler takes ZeroDivisionError, ValueError, "
            "IndexError, "
            "KeyError, OverflowError, np.linalg.LinAlgError and their kind, or classes of the file");
      return std::nullopt;
    }
  }
  if (names.empty()) names.emplace_back("BaseException");
  return names;
}

std::optional<Returned> Lowering::lowerTried(const ast::If& s, const Rest& rest, Span span) {
  const auto& tried = *s.cond.as<ast::Completes>();
  std::vector<Classes> handlers;
  for (size_t k = 0; k < tried.handlers.size(); ++k) {
    std::optional<Classes> names = caughtNames(tried, k);
    if (!names) return std::nullopt;
    handlers.push_back(std::move(*names));
  }
  if (kernel_) {
    error(DiagId::Unsupported, span, "a kernel cannot raise; test for the case with `if`");
    return std::nullopt;
  }
  Symbol raised("raised");
  const Unwinding unwinding{handlers, raised};
  const Env before = env();
  const bool hadBounds =
      std::exchange(sanitize_.bounds, sanitize_.bounds || unwinding.handlerOf(familyOf("IndexError")) > 0);
  ++tried_;
  Path then, otherwise;
  then.list = collect([&] { lowerStatements(tried.tried, 0); });
  --tried_;
  sanitize_.bounds = hadBounds;
  if (std::ranges::none_of(then.list, [&](const ir::Stmt& one) { return unwinding.raises(one); })) {
    for (ir::Stmt& one : then.list) emit(std::move(one));
    const bool isLast = mayReturn(s.then);
    std::optional<Returned> v = lowerStatements(s.then, 0, isLast ? &rest : nullptr);
    return isLast && !v ? Returned{Value{NoneValue{}}, span} : v;
  }
  std::set<Symbol> changed; // by what is tried: what stood in it, and may be gone
  for (const ir::Stmt& one : then.list) {
    changed.merge(ir::assignedVars(one));
    ir::visit(one, [&](const ir::Stmt& inner) {
      if (const auto* f = inner.as<ir::For>()) changed.insert(f->index);
      return true;
    });
  }
  const auto isKept = [&](const Expr& e) { return isStable(e) && !ir::intersect(changed, ir::freeVars(e)); };
  const std::optional<Value> text = unwinding.textOf(then.list, isKept);
  const std::optional<Stmts> again = unwinding.again(then.list, isKept);
  const std::optional<Unwinding::One> one = unwinding.oneOf(then.list);
  Expr completes = unwinding.none();
  const std::set<Symbol> older(mutable_.begin(), mutable_.end());
  if (one) {
    for (size_t k = 0; k < one->from; ++k) emit(then.list[k]);
    then.list.erase(then.list.begin(), then.list.begin() + static_cast<std::ptrdiff_t>(one->behind));
    completes = isStable(one->completes) ? one->completes : materialize(one->completes, "completes");
  } else {
    mutable_.insert(raised);
    emit(ir::Assign{raised, ir::intConst(0)});
  }
  const Rest* follows = mayReturn(s.then) || mayReturn(s.otherwise) ? &rest : nullptr;
  size_t triedOnes = 0;
  const auto path = [&](const ast::Body& body, const Expr& holds, Path& to) {
    if (isStable(holds)) known_.push_back(holds);
    Stmts made = collect([&] { under(holds, [&] { to.value = lowerStatements(body, 0, follows); }); });
    if (isStable(holds)) known_.pop_back();
    if (&body == &s.then) triedOnes = to.list.size();
    to.list.insert(to.list.end(), made.begin(), made.end());
    to.env = std::exchange(env(), before);
  };
  path(s.then, completes, then);
  const bool isOne =
      tried.tried.size() == 1 && (tried.tried[0].is<ast::Assign>() || tried.tried[0].is<ast::AugAssign>());
  if (!isOne) // what the statement binds may have been bound
    for (const std::string& name : assignedNames(tried.tried))
      lose(name, "may have been bound in the `try`, or not; bind it before, and pass what changes on");
  for (const std::string& name : tried.names)
    if (text)
      env()[name] = *text;
    else
      lose(name, "is an exception, whose text appyc keeps where it is the only one that the program raises "
                 "there; write a text of "
                 "the handler's own");
  env()[ast::kRaised] = Value{Scalar{one ? ir::intConst(one->handler) : ir::var(raised), true}};
  raisedAgain_.push_back({again, tried.names});
  path(s.otherwise, ir::unary(ir::UnaryOp::LogicalNot, completes), otherwise);
  raisedAgain_.pop_back();
  otherwise.env.erase(ast::kRaised);
  if (then.value && alwaysRaises(s.otherwise)) { // what is returned is the other path's
    const auto middle = then.list.begin() + static_cast<std::ptrdiff_t>(triedOnes);
    const Stmts all(then.list.begin(), middle);
    std::set<Symbol> begun;
    for (const ir::Stmt& part : all)
      ir::visit(part, [&](const ir::Stmt& inner) {
        const auto* a = inner.as<ir::Assign>();
        if (!one && a && !older.count(a->var) && begun.insert(a->var).second)
          emit(ir::Assign{a->var, ir::constOf(ir::typeOf(a->value), 0)});
        return true;
      });
    for (ir::Stmt& made : one ? Stmts() : unwinding(all)) emit(std::move(made));
    emit(ir::If{ir::unary(ir::UnaryOp::LogicalNot, completes), ir::block(std::move(otherwise.list)), {}});
    for (const ir::Stmt& made : one ? all : Stmts()) emit(made);
    for (auto made = middle; made != then.list.end(); ++made) emit(*made);
    env() = std::move(then.env);
    return then.value;
  }
  std::optional<Returned> result = meet(s, completes, before, then, otherwise, span);
  if (one) return result;
  const ir::Stmt branch = lists_.back().back();
  lists_.back().pop_back();
  const auto& both = *branch.as<ir::If>();
  const std::set<Symbol> set =
      both.otherwise ? ir::intersection(ir::assignedVars(both.then), ir::assignedVars(both.otherwise))
                     : std::set<Symbol>();
  std::set<Symbol> begun; // each path gives them a value, which the flag does not show
  ir::visit(both.then, [&](const ir::Stmt& part) {
    const auto* a = part.as<ir::Assign>();
    if (a && set.count(a->var) && !older.count(a->var) && begun.insert(a->var).second)
      emit(ir::Assign{a->var, ir::constOf(ir::typeOf(a->value), 0)});
    return true;
  });
  for (ir::Stmt& made : unwinding({both.then})) emit(std::move(made));
  if (both.otherwise) emit(ir::If{ir::unary(ir::UnaryOp::LogicalNot, completes), both.otherwise, {}});
  return result;
}

/// `raise` in a handler: what it has taken; `unless`, if there is one, does not hold. False of other statements.
bool Lowering::raiseAgain(const ast::Raise& s, const Expr& unless) {
  const auto* name = s.exception ? s.exception.as<ast::Name>() : nullptr;
  const bool isTaken =
      name && !raisedAgain_.empty() &&
      std::ranges::find(raisedAgain_.back().names, name->id) != raisedAgain_.back().names.end();
  if (s.exception && !isTaken) return false;
  if (raisedAgain_.empty() || !raisedAgain_.back().checks) {
    error(DiagId::Unsupported, statement_,
          raisedAgain_.empty() ? "a `raise` without an exception stands in a handler, which has taken one"
                               : "which of several exceptions is raised again appyc does not keep; name the "
                                 "exception, try one thing "
                                 "only, or write what `finally` does behind the `try`");
    return true;
  }
  giveBackChosen();
  if (unless)
    emit(ir::If{ir::unary(ir::UnaryOp::LogicalNot, unless), ir::block(*raisedAgain_.back().checks), {}});
  else
    for (const ir::Stmt& check : *raisedAgain_.back().checks) emit(check);
  return true;
}

} // namespace appyc::sema
