//===- Verify.cpp - the rules that hold between passes ---------------------------------------------===//
#include "appyc/IR/Build.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>

namespace appyc::ir {

namespace {

struct Legality {
  std::string_view node;
  bool at[3]; ///< by Level
};
#define STMT(Name, tensor, loop, scheduled)                                                                  \
  [[maybe_unused]] Legality legality(const Name&) { return {#Name, {tensor, loop, scheduled}}; }
#define EXPR(Name, tensor, loop, scheduled) STMT(Name, tensor, loop, scheduled)
#include "appyc/IR/Nodes.def"
#undef STMT
#undef EXPR

/// Text for a message, made only when a rule is broken: verify() runs after every pass.
using Text = std::function<std::string()>;

/// The first line of a statement: enough to find it.
Text headOf(const Stmt& s) {
  return [s] {
    std::string text = print(s);
    return text.substr(0, text.find('\n'));
  };
}
Text textOf(const Expr& e) {
  return [e] { return print(e); };
}
Text textOf(const Symbol& symbol) {
  return [symbol] { return symbol ? symbol.hint() : std::string("<none>"); };
}

/// Checks one function. The first broken rule stays in `error_`; later ones are not looked for.
class Verifier {
public:
  Verifier(const Function& f, Level level) : function_(f), level_(level) {}
  std::string run();

private:
  // What stands where.
  void define(const Symbol&, DType);
  void defineBuffers();
  void parameters();
  void collectVars(const Stmt&);
  void kernels();
  void interface();

  // Walks; indices in scope_ may be read.
  void stmt(const Stmt&);
  void stmtRules(const Stmt&);
  void expr(const Expr&);
  void exprRules(const Expr&);
  void binaryRules(const Expr&, const Binary&);
  void loop(const Stmt&, const For&);
  void matMul(const MatMul&, const Text& text);
  void application(const Apply&, const Text& text);
  void routine(const Routine&, const Text& text);
  void launch(const Launch&, const Text& text);
  void arguments(const std::string& kernel, const std::vector<Argument>&, const Text& text);
  void access(const Symbol& buffer, const std::vector<Expr>& index, const Text& text);
  void target(const Symbol& buffer, const std::vector<Expr>& index, const Expr& value, const Stmt&);
  void typed(const Expr&, DType, std::string_view what, const Text& text);
  void bind(const std::vector<Range>&);
  void unbind(const std::vector<Range>&);

  void fail(std::string_view rule, const Text& text) {
    if (error_.empty()) error_ = fmt::format("in `{}`: {}\n  {}", function_.name, rule, text());
  }
  bool failed() const { return !error_.empty(); }

  const Function& function_;
  Level level_;
  std::string error_;
  std::map<Symbol, DType> vars_; ///< every variable of the function; indices too
  std::set<Symbol> assigned_;    ///< those that may be read anywhere
  std::multiset<Symbol> scope_;  ///< indices of the enclosing loops and index spaces
  std::map<Symbol, const Buffer*> buffers_;
  std::set<Symbol> liveBuffers_; ///< parameters, results and what some Alloc makes
  bool inLaunch_ = false;
  bool isGiven_ = false;             ///< the kernel is the user's
  std::set<const Function*> called_; ///< by expressions, which have been looked at
};

//===--- definitions ------------------------------------------------------------------------------------===//

void Verifier::define(const Symbol& symbol, DType type) {
  auto [entry, isNew] = vars_.emplace(symbol, type);
  if (!symbol)
    fail("a variable has no name", textOf(symbol));
  else if (!isNew && entry->second != type)
    fail(fmt::format("a variable is both {} and {}", name(entry->second), name(type)), textOf(symbol));
}

void Verifier::defineBuffers() {
  for (const Buffer& buffer : function_.buffers)
    if (!buffers_.emplace(buffer.name, &buffer).second)
      fail("two buffers have one symbol", textOf(buffer.name));
  for (const Param& p : function_.params)
    if (p.isArray) liveBuffers_.insert(p.name);
  for (const Result& r : function_.results)
    if (r.kind == Result::Array) liveBuffers_.insert(r.name);
  const auto made = [&](const Stmt& s) {
    if (const auto* alloc = s.as<Alloc>()) liveBuffers_.insert(alloc->buffer.name);
    return true;
  };
  visit(function_.body, made);
  for (const Kernel& kernel : function_.kernels) visit(kernel.body, made);
}

void Verifier::parameters() {
  for (const Param& p : function_.params)
    if (!p.isArray) define(p.name, p.type);
  for (const Size& s : function_.sizes) define(s.name, DType::I64);
  for (const auto& entry : vars_) assigned_.insert(entry.first);
}

void Verifier::collectVars(const Stmt& body) {
  visit(body, [&](const Stmt& s) {
    if (const auto* assign = s.as<Assign>(); assign && assign->value)
      define(assign->var, typeOf(assign->value));
    else if (const auto* fetch = s.as<Fetch>())
      define(fetch->var, fetch->type);
    else if (const auto* collective = s.as<Collective>())
      define(collective->var, collective->type);
    else if (const auto* exchange = s.as<Exchange>())
      define(exchange->var, exchange->type);
    else if (const auto* atomic = s.as<Atomic>(); atomic && atomic->old)
      define(atomic->old, atomic->type);
    return true;
  });
  assigned_.merge(assignedVars(body));
}

/// Extents of parameters and results are over sizes and scalar parameters.
void Verifier::interface() {
  std::set<Symbol> known;
  for (const Size& s : function_.sizes) known.insert(s.name);
  for (const Param& p : function_.params)
    if (!p.isArray) known.insert(p.name);
  auto check = [&](const Symbol& owner, const std::vector<Expr>& extents) {
    for (const Expr& e : extents) {
      typed(e, DType::I64, "an extent is not i64", textOf(owner));
      if (failed()) return;
      for (const Symbol& symbol : freeVars(e))
        if (!known.count(symbol))
          fail("an extent of the interface uses what the caller does not know", textOf(e));
    }
  };
  for (const Param& p : function_.params) check(p.name, p.extents);
  for (const Result& r : function_.results) {
    if (r.kind != Result::View && r.kind != Result::Parameter) check(r.name, r.extents);
    if (r.kind == Result::Scalar && !vars_.count(r.name) && !function_.entry.empty())
      fail("a result is never assigned", textOf(r.name));
    if (r.kind != Result::Scalar && r.kind != Result::Place && !buffers_.count(r.name))
      fail("a result is no buffer of the function", textOf(r.name));
    for (const Symbol& s : r.among)
      if (r.kind == Result::View ? !vars_.count(s) : !buffers_.count(s))
        fail("a place is no buffer of the function", textOf(s));
  }
  for (const Size& s : function_.sizes) {
    bool valid = s.param >= 0 && static_cast<size_t>(s.param) < function_.params.size();
    const Param* p = valid ? &function_.params[static_cast<size_t>(s.param)] : nullptr;
    if (!p || !p->isArray || s.axis < 0 || static_cast<size_t>(s.axis) >= p->extents.size())
      fail("a size is bound to no axis of an array parameter", textOf(s.name));
  }
}

//===--- expressions ------------------------------------------------------------------------------------===//

void Verifier::typed(const Expr& e, DType type, std::string_view what, const Text& text) {
  if (!e)
    fail("an expression is missing", text);
  else if (typeOf(e) != type)
    fail(what, [&] { return fmt::format("{} is {} in {}", print(e), name(typeOf(e)), text()); });
}

void Verifier::access(const Symbol& buffer, const std::vector<Expr>& index, const Text& text) {
  auto found = buffers_.find(buffer);
  if (found == buffers_.end() || !liveBuffers_.count(buffer)) return fail("a buffer is not defined", text);
  size_t rank = found->second->extents.size();
  if (rank != index.size()) return fail(fmt::format("{} indices for rank {}", index.size(), rank), text);
  for (const Expr& e : index) typed(e, DType::I64, "an index is not i64", text);
}

void Verifier::bind(const std::vector<Range>& over) {
  for (const Range& range : over) {
    expr(range.extent);
    typed(range.extent, DType::I64, "an extent is not i64", textOf(range.index));
  }
  for (const Range& range : over) {
    define(range.index, DType::I64);
    scope_.insert(range.index);
  }
}

void Verifier::unbind(const std::vector<Range>& over) {
  for (const Range& range : over) scope_.erase(scope_.find(range.index));
}

void Verifier::binaryRules(const Expr& e, const Binary& n) {
  DType operand = typeOf(n.lhs);
  if (operand != typeOf(n.rhs))
    return fail(fmt::format("operands are {} and {}", name(operand), name(typeOf(n.rhs))), textOf(e));
  bool logical = n.op == BinaryOp::LogicalAnd || n.op == BinaryOp::LogicalOr;
  if (logical && !isBool(operand)) fail("operands of `and`, `or` are not bool", textOf(e));
  if (n.type != (n.op >= BinaryOp::Eq ? DType::Bool : operand))
    fail(fmt::format("the result cannot be {}", name(n.type)), textOf(e));
}

/// Rules of one node whose children are there and sound.
void Verifier::exprRules(const Expr& e) {
  auto differs = [&](bool wrong, std::string_view rule) {
    if (wrong) fail(rule, textOf(e));
  };
  match(
      e, [](const Const&) {}, [](const Cast&) {},
      [&](const Lookup& n) {
        differs(typeOf(n.index) != DType::I64, "an index of a table is not I64");
        differs(n.table->values.empty() || n.table->type != n.type, "a table is empty or of another type");
      },
      [&](const Hardware&) { differs(!inLaunch_, "a hardware index stands outside Launch"); },
      [&](const Var& n) {
        auto found = vars_.find(n.name);
        bool visible = assigned_.count(n.name) || scope_.count(n.name);
        differs(found == vars_.end() || !visible, "a variable is not defined");
        differs(visible && found->second != n.type, "a variable is read with another type");
      },
      [&](const Load& n) {
        access(n.buffer, n.index, textOf(e));
        differs(!failed() && buffers_[n.buffer]->type != n.type, "a load has another type than its buffer");
      },
      [&](const Unary& n) {
        differs(n.type != typeOf(n.arg), "operand and result differ in type");
        differs(n.op == UnaryOp::LogicalNot && !isBool(n.type), "operand of `not` is not bool");
      },
      [&](const Binary& n) { binaryRules(e, n); },
      [&](const Select& n) {
        differs(!isBool(typeOf(n.cond)), "a condition is not bool");
        differs(n.type != typeOf(n.then) || n.type != typeOf(n.otherwise),
                "the sides of a select differ in type");
      },
      [&](const Apply& n) { application(n, textOf(e)); },
      [&](const Call& n) {
        differs(n.args.size() != static_cast<size_t>(info(n.fn).arity), "wrong number of arguments");
        differs(info(n.fn).result == "Bool" && !isBool(n.type), "the result is not bool");
      },
      [&](const Reduce& n) {
        differs(n.type != typeOf(n.body), "a reduction differs from its body in type");
      });
}

void Verifier::expr(const Expr& e) {
  if (failed()) return;
  if (!e) return fail("an expression is missing", textOf(Symbol()));
  Legality rule = std::visit([](const auto& n) { return legality(n); }, e->node);
  if (!rule.at[static_cast<size_t>(level_)])
    return fail(fmt::format("{} is not legal at this level", rule.node), textOf(e));
  if (const auto* reduce = e.as<Reduce>()) {
    bind(reduce->over);
    expr(reduce->body);
    unbind(reduce->over);
  } else {
    mapChildren(e, [&](const Expr& child) {
      expr(child);
      return child;
    });
  }
  if (!failed()) exprRules(e);
}

//===--- statements -------------------------------------------------------------------------------------===//

void Verifier::target(const Symbol& buffer, const std::vector<Expr>& index, const Expr& value,
                      const Stmt& s) {
  access(buffer, index, headOf(s));
  if (!failed()) typed(value, buffers_[buffer]->type, "a value has another type than the buffer", headOf(s));
}

/// The called function is looked at once.
void Verifier::application(const Apply& n, const Text& text) {
  const Function& called = n.function ? *n.function : function_;
  if (!called.entry.empty() || called.results.size() != 1 || called.results[0].type != n.type)
    return fail("a function that is called is an entry or gives another type", text);
  if (!std::ranges::equal(n.args, called.params, [](const Expr& e, const Param& p) {
        return typeOf(e) == p.type && (!p.isArray || e.is<Load>());
      }))
    return fail("a function is called with other arguments than its parameters", text);
  if (n.function && statementsOf(called.body).empty()) return; // of another language
  if (!n.function || !called_.insert(n.function.get()).second) return;
  if (const std::string error = Verifier(*n.function, Level::Loop).run(); !error.empty() && !failed())
    error_ = error;
}

void Verifier::matMul(const MatMul& n, const Text& text) {
  for (const Matrix* m : {&n.target, &n.a, &n.b}) {
    access(m->buffer, m->at, text);
    if (failed()) return;
    if (buffers_[m->buffer]->type != n.type) fail("a matrix has another type than the product", text);
    int rank = static_cast<int>(m->at.size());
    if (m->row < 0 || m->row >= rank || m->column < 0 || m->column >= rank || m->row == m->column)
      fail("rows and columns of a matrix are not two dimensions of its array", text);
  }
  for (const Expr& e : {n.rows, n.columns, n.inner})
    typed(e, DType::I64, "a size of a product is not i64", text);
  for (const Expr& e : {n.alpha, n.beta})
    typed(e, n.type, "a factor has another type than the product", text);
  for (const HalfSpace& limit : n.limits) typed(limit.bound, DType::I64, "a limit is not i64", text);
  if (n.library && n.limits.size() > 1) fail("a library's product has several limits", text);
}

void Verifier::routine(const Routine& n, const Text& text) {
  const RoutineInfo& row = info(n.name);
  if (n.operands.size() != row.operands.size() || n.numbers.size() != row.numbers || bool(n.op) != row.folds)
    return fail("a routine has other operands than its row", text);
  for (size_t i = 0; i < n.operands.size(); ++i) {
    const Symbol& buffer = n.operands[i].buffer;
    access(buffer, n.operands[i].at, text);
    if (failed()) return;
    if (row.operands[i].type && buffers_[buffer]->type != *row.operands[i].type)
      fail("an operand of a routine has another type", text);
    for (size_t j = 0; j < i; ++j)
      if (n.operands[j].buffer == buffer &&
          (writes(row.operands[i].effect) || writes(row.operands[j].effect)))
        fail("an operand of a routine is written and is another one, too", text);
  }
  for (const Expr& e : n.numbers) typed(e, DType::I64, "a number of a routine is not i64", text);
}

/// A body in place is what passes of Schedule work on; a launch of an object may stand at each level.
void Verifier::launch(const Launch& n, const Text& text) {
  for (const auto& shape : {n.shape.grid, n.shape.threads})
    for (size_t axis = 0; axis < 3; ++axis)
      if (shape[axis]) typed(shape[axis], DType::I64, "an extent is not i64", text);
  if (std::any_of(std::begin(n.shape.block), std::end(n.shape.block), [](int size) { return size < 1; }))
    fail("a block has no threads", text);
  if (n.body && level_ != Level::Scheduled) fail("a kernel's body is in place before level Scheduled", text);
  if (n.body && (!n.arguments.empty() || function_.findKernel(n.name)))
    fail("a kernel has a body in place and is an object", text);
  if (!n.body) arguments(n.name, n.arguments, text);
  if (!n.vectors.rows.name.empty()) arguments(n.vectors.rows.name, n.vectors.rows.arguments, text);
}

void Verifier::arguments(const std::string& name, const std::vector<Argument>& list, const Text& text) {
  const Kernel* kernel = function_.findKernel(name);
  if (!kernel) return fail("a launch is of no kernel", text);
  if (kernel->params.size() != list.size())
    return fail("a launch has not as many arguments as its kernel", text);
  for (size_t i = 0; i < list.size() && !failed(); ++i) {
    const Buffer* param = function_.findBuffer(kernel->params[i]);
    if (bool(list[i].array) != (param != nullptr)) return fail("an array is passed for a number", text);
    if (!param) continue;
    const auto array = buffers_.find(list[i].array);
    if (array == buffers_.end() || !liveBuffers_.count(list[i].array))
      fail("a buffer is not defined", text);
    else if (array->second->type != param->type || array->second->extents.size() != param->extents.size())
      fail("an array is passed for one of another type or rank", text);
  }
}

/// Rules of one statement whose expressions are sound.
void Verifier::stmtRules(const Stmt& s) {
  Text text = headOf(s);
  auto onlyIn = [&](bool launch, std::string_view what) {
    if (inLaunch_ != launch)
      fail(fmt::format("{} stands {} Launch", what, launch ? "outside" : "inside"), text);
  };
  match(
      s, [&](const IndexStmt& n) { target(n.target, n.index, n.value, s); },
      [&](const Store& n) { target(n.buffer, n.index, n.value, s); },
      [&](const MatMul& n) {
        onlyIn(false, "MatMul");
        matMul(n, text);
      },
      [&](const Routine& n) {
        onlyIn(false, "Routine");
        routine(n, text);
      },
      [&](const While& n) { typed(n.cond, DType::Bool, "a condition is not bool", text); },
      [&](const If& n) {
        typed(n.cond, DType::Bool, "a condition is not bool", text);
        if (!n.then) fail("a statement is missing", text);
      },
      [&](const Only& n) {
        onlyIn(true, "Only");
        if (!n.body) fail("a statement is missing", text);
      },
      [&](const Require& n) {
        typed(n.cond, DType::Bool, "a condition is not bool", text);
        for (const Expr& e : n.values) typed(e, DType::I64, "a message's value is not i64", text);
        onlyIn(false, "Require");
      },
      [&](const Print& n) {
        if (n.pieces.size() != n.values.size() + 1) fail("there is a piece more than values", text);
        for (const Expr& e : n.values)
          if (isComplex(typeOf(e))) fail("a printed value is not real", text);
        onlyIn(isGiven_, "Print");
      },
      [&](const Alloc& n) {
        if (!buffers_.count(n.buffer.name)) fail("a buffer is not in the function's list", text);
        if (n.shared) onlyIn(true, "a shared Alloc");
        for (const Expr& e : n.buffer.extents) typed(e, DType::I64, "an extent is not i64", text);
      },
      [&](const Swap& n) {
        onlyIn(false, "Swap");
        for (const Symbol& name : {n.a, n.b})
          if (!liveBuffers_.count(name)) fail("a buffer that changes its place is not live", text);
        if (!failed() && buffers_[n.a]->type != buffers_[n.b]->type)
          fail("buffers that change places have different types", text);
      },
      [&](const Launch& n) { launch(n, text); },
      [&](const Return& n) {
        onlyIn(false, "Return");
        if (n.value && (!function_.entry.empty() || function_.results.size() != 1))
          return fail("an entry returns a value", text);
        if (n.value) typed(n.value, function_.results[0].type, "a function returns another type", text);
      },
      [&](const Barrier&) { onlyIn(true, "Barrier"); },
      [&](const Collective&) { onlyIn(true, "Collective"); },
      [&](const Atomic& n) {
        onlyIn(true, "Atomic");
        target(n.buffer, n.index, n.value, s);
        if (bool(n.compare) != (n.op == AtomicOp::CompareExchange)) fail("an operand is missing", text);
        if (n.compare) typed(n.compare, n.type, "a value is compared with one of another type", text);
        if (!failed() && buffers_[n.buffer]->type != n.type) fail("an element has another type", text);
      },
      [&](const Exchange&) { onlyIn(true, "Exchange"); }, [&](const Fence&) { onlyIn(true, "Fence"); },
      [&](const Signal& n) {
        access(n.progress, n.index, text);
        typed(n.step, DType::I64, "a step is not i64", text);
      },
      [&](const Fetch& n) {
        onlyIn(false, "Fetch");
        access(n.buffer, {}, text);
      },
      [](const auto&) {});
}

void Verifier::loop(const Stmt& s, const For& n) {
  for (const Expr& e : {n.lo, n.hi, n.step}) typed(e, DType::I64, "a loop bound is not i64", headOf(s));
  if (isConst(n.step, 0)) fail("a loop has step 0", headOf(s));
  if (assignedVars(n.body).count(n.index)) fail("a loop's index is assigned in its body", headOf(s));
  for (const Reduction& r : n.reductions) {
    auto found = vars_.find(r.var);
    if (found == vars_.end() || found->second != r.type)
      fail("a reduction is of no variable with its type", headOf(s));
  }
  define(n.index, DType::I64);
  auto entered = scope_.insert(n.index);
  stmt(n.body);
  scope_.erase(entered);
}

void Verifier::stmt(const Stmt& s) {
  if (failed()) return;
  if (!s) return fail("a statement is missing", textOf(Symbol()));
  Legality rule = std::visit([](const auto& n) { return legality(n); }, s->node);
  if (!rule.at[static_cast<size_t>(level_)])
    return fail(fmt::format("{} is not legal at this level", rule.node), headOf(s));
  const auto* index = s.as<IndexStmt>();
  if (index) bind(index->domain);
  forEachExpr(s, [&](const Expr& e) { expr(e); });
  if (!failed()) stmtRules(s);
  if (index) unbind(index->domain);
  if (failed()) return;
  if (const auto* n = s.as<For>()) return loop(s, *n);
  if (s.is<Launch>() && inLaunch_) return fail("Launch stands inside Launch", headOf(s));
  bool outer = std::exchange(inLaunch_, inLaunch_ || s.is<Launch>());
  forEachChild(s, [&](const Stmt& child) { stmt(child); });
  inLaunch_ = outer;
}

/// Kernels that are objects: as launches, but for their parameters.
void Verifier::kernels() {
  for (const Kernel& kernel : function_.kernels) {
    if (failed()) return;
    inLaunch_ = true;
    isGiven_ = kernel.isGiven;
    const Level around = std::exchange(level_, Level::Scheduled);
    std::vector<std::multiset<Symbol>::iterator> entered;
    for (const Symbol& p : kernel.params)
      if (!buffers_.count(p))
        entered.push_back(scope_.insert(p)); // the index of a loop of the host, it may be
    stmt(kernel.body);
    for (const auto& p : entered) scope_.erase(p);
    inLaunch_ = isGiven_ = false;
    level_ = around;
  }
}

std::string Verifier::run() {
  defineBuffers();
  parameters();
  collectVars(function_.body);
  for (const Kernel& kernel : function_.kernels) collectVars(kernel.body);
  if (!failed()) interface();
  stmt(function_.body);
  kernels();
  return error_;
}

} // namespace

std::string verify(const Module& m, Level level) {
  std::set<std::string> entries;
  std::map<std::string, const Function*> kernels;
  for (const Function& f : m.functions) {
    if (!entries.insert(f.entry).second) return fmt::format("two functions have the entry `{}`", f.entry);
    std::string error = Verifier(f, level).run();
    visit(f.body, [&](const Stmt& s) {
      const auto* launch = s.as<Launch>();
      if (launch && kernels.emplace(launch->name, &f).first->second != &f && error.empty())
        error = fmt::format("in `{}`: another function has the kernel `{}`", f.name, launch->name);
      return true;
    });
    if (!error.empty()) return error;
  }
  return {};
}

} // namespace appyc::ir
