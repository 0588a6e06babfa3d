//===- Cpu.cpp - functions of the cpu target: C++17 with OpenMP -----------------------------------------===//
// The outermost loop whose iterations are independent is shared by the threads; the innermost one is
// vectorised.
#include "Functions.h"
#include "Statements.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/Cxx/Print.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Kernels.h"
#include "appyc/IR/Walk.h"
#include "appyc/Support/InternalError.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::target {

using namespace ir;

namespace {

/// Below so many iterations of a plain loop, waking the threads costs more than they save.
constexpr int shortLoop = 8192;

bool hasLoops(const Stmt& body) { return has<For>(body) || has<While>(body); }

bool allocates(const Stmt& body) { return has<Alloc>(body); }

/// What has no vector instruction, or becomes one call that fills memory.
bool isScalarWork(const Expr& e) {
  const auto isSlow = [](const Call& f) {
    return (f.fn <= Intrinsic::Arctanh && f.fn != Intrinsic::Sqrt) || f.fn == Intrinsic::Arctan2 ||
           f.fn == Intrinsic::Hypot;
  };
  const auto hasLoop = [](const Apply& a) { // or work of that kind
    return !a.function || hasLoops(a.function->body) || anyExpr(a.function->body, isScalarWork);
  };
  return any<Call>(e, isSlow) || any<Apply>(e, hasLoop) || any<Binary>(e, [](const Binary& b) {
           return b.op == BinaryOp::Pow || b.op == BinaryOp::FloorDiv || b.op == BinaryOp::Mod;
         });
}

/// Straight-line work, which vector lanes can do side by side.
bool isStraightLine(const Stmt& body) {
  bool straight = true;
  visit(body, [&](const Stmt& s) {
    const auto* store = s.as<Store>();
    straight = straight && (s.is<Block>() || s.is<If>() || s.is<Assign>() || (store && !store->atomicOp));
    straight = straight && !(store && store->value.is<Const>());
    forEachExpr(s, [&](const Expr& e) { straight = straight && !isScalarWork(e); });
    return straight;
  });
  return straight;
}

class CpuFunction : public Statements {
public:
  using Statements::Statements;

protected:
  void special(const Stmt& s, const Placement::Item& item, Out& out) override {
    if (const auto* a = s.as<Alloc>()) return kernel_ ? ofKernel(*a, out) : alloc(a->buffer, out);
    if (const auto* r = s.as<Require>()) return require(*r, s->span, out);
    if (const auto* l = s.as<Launch>()) return launch(*l, out);
    if (s.is<Barrier>() || s.is<Exchange>() || s.is<Fence>()) return together(s, item, out);
    if (const auto* p = s.as<Print>()) return kernel_ ? printHere(*p, out) : print(*p, out);
    if (const auto* w = s.as<Swap>()) return swap(*w, out);
    if (const auto* p = s.as<MatMul>()) return out.push_back(multiply(c_, *p));
    if (const auto* r = s.as<Routine>()) return out.push_back(callRoutine(c_, *r));
    if (!s.is<Return>()) internalError("a statement of level Scheduled in the cpu target");
    storeResults(c_, out);
    out.push_back(cxx::giveBack(cxx::number(0)));
  }

  std::string enterLoop(const For& n, Span span) override {
    const bool isInLoop = loopsAround_++ > 0;
    const bool independent = isIndependent(n);
    const bool plainBody = !hasLoops(n.body) && isStraightLine(n.body);
    const std::string share = mayShare(n) ? howShared(span) : "none";
    if (share != "none") {
      sharedBy_ = &n;
      std::string text = fmt::format("omp parallel for{} schedule({})", plainBody ? " simd" : "", share);
      const auto count = constantInt(sub(n.hi, n.lo));
      // One iteration with loops of its own may be work enough; a single one needs no second thread.
      const int few = hasLoops(n.body) ? 1 : shortLoop;
      if ((few > 1 || isInLoop) && !count && !readsMemory(n.hi) && !readsMemory(n.lo))
        text += fmt::format(" if ({})",
                            cxx::print(cxx::binary(">", expressions_.index(distance(n)), cxx::number(few))));
      return text;
    }
    if (!independent || !plainBody) return {};
    if (n.reductions.empty()) return "omp simd";
    std::string list;
    for (const Reduction& r : n.reductions) {
      if (r.op != ReduceOp::Sum || !isFloat(r.type)) return {}; // the others' operators are not C++'s
      list += (list.empty() ? "" : ", ") + c_.name(r.var);
    }
    return fmt::format("omp simd reduction(+ : {})", list);
  }
  void leaveLoop(const For& n) override {
    --loopsAround_;
    if (sharedBy_ == &n) sharedBy_ = nullptr;
  }
  bool updatesCompete() const override { return sharedBy_ != nullptr; }

private:
  //===--- the user's kernels ---------------------------------------------------------------------------===//

  /// The code of one thread as a lambda, which the support code runs for all.
  void launch(const Launch& l, Out& out) {
    const Kernel& kernel = *c_.function.findKernel(l.name);
    const Stmt code = bodyWith(kernel, l.arguments);
    const bool isOfGrid = any<Barrier>(code, [](const Barrier& b) { return b.scope == Scope::Grid; });
    const bool isTeam = anyStmt(code, [](const Stmt& s) {
      const auto* a = s.as<Alloc>();
      return s.is<Barrier>() || s.is<Exchange>() || (a && a->shared);
    });
    const auto shape = [&](const Expr(&extents)[3]) {
      std::vector<cxx::Expr> values;
      for (const Expr& extent : extents) values.push_back(expressions_.value(extent));
      return cxx::braces("Position", std::move(values));
    };
    std::vector<cxx::Expr> args{shape(l.shape.grid), shape(l.shape.threads)};
    const int64_t constantBytes = placeShared(kernel);
    const Expr ofLaunch = sharedBytesOf(kernel, l.arguments);
    kernel_ = true;
    Out body;
    const std::string name = c_.freshName(l.name);
    {
      const Context::NameScope names(c_);
      c_.thread = c_.freshName("thread");
      c_.team = c_.freshName("team");
      body = sequence(code, assignedVars(code), {});
    }
    kernel_ = false;
    const Expr bytes = ofLaunch ? add(ofLaunch, intConst(constantBytes)) : intConst(constantBytes);
    if (isTeam) args.push_back(expressions_.value(bytes));
    args.push_back(cxx::name(name));
    const std::string_view run = isOfGrid ? "run_together" : isTeam ? "run_blocks" : "run_grid";
    c_.support.use(run);
    std::string params = "[[maybe_unused]] const Thread& " + c_.thread;
    if (isTeam) params += ", [[maybe_unused]] Team& " + c_.team;
    out.push_back(cxx::stmt(cxx::Lambda{name, params, cxx::block(std::move(body))}));
    out.push_back(cxx::evaluate(cxx::call(run, std::move(args))));
  }

  /// Where its shared arrays begin: one after the other, and behind them all those whose size the launch says. Gives how many bytes
  /// are before these.
  int64_t placeShared(const Kernel& kernel) {
    constexpr int64_t step = 16;
    int64_t next = 0;
    shared_.clear();
    std::vector<Symbol> ofLaunch;
    each<Alloc>(kernel.body, [&](const Alloc& a) {
      const auto count = constantInt(elementCount(a.buffer));
      if (!count) ofLaunch.push_back(a.buffer.name);
      if (!a.shared || !count) return;
      shared_[a.buffer.name] = next;
      next += (*count * byteSize(a.buffer.type) + step - 1) / step * step;
    });
    for (const Symbol& s : ofLaunch) shared_[s] = next;
    return next;
  }

  /// Of the block, or of the thread.
  void ofKernel(const Alloc& a, Out& out) {
    const std::string type = typeName(c_, a.buffer.type), name = c_.name(a.buffer.name);
    if (!a.shared)
      return out.push_back(cxx::declareArray(cxx::type(type), name, *constantInt(elementCount(a.buffer))));
    const cxx::Expr part =
        cxx::callTemplate(c_.team + ".shared", type, {cxx::number(shared_.at(a.buffer.name))});
    out.push_back(cxx::declare(cxx::pointerTo(type, false, false), name, part));
  }

  /// What threads of a block or warp do together.
  void together(const Stmt& s, const Placement::Item& item, Out& out) {
    static constexpr std::string_view names[] = {
        "count_of_block", "all_of_block", "any_of_block", "all_of_warp", "any_of_warp",  "equal_of_warp",
        "ballot",         "active_mask",  "shuffle",      "shuffle_up",  "shuffle_down", "shuffle_xor"};
    const auto call = [&](std::string_view name, std::vector<cxx::Expr> args) {
      return cxx::call(c_.team + "." + std::string(name), std::move(args));
    };
    if (const auto* b = s.as<Barrier>()) {
      std::vector<cxx::Expr> lanes;
      if (b->lanes) lanes.push_back(cxx::cast("unsigned", expressions_.value(b->lanes)));
      const std::string_view name = b->scope == Scope::Warp    ? "warp_barrier"
                                    : b->scope == Scope::Block ? "barrier"
                                                               : "grid_barrier";
      return out.push_back(cxx::evaluate(call(name, std::move(lanes))));
    }
    const auto* e = s.as<Exchange>();
    if (!e) return; // a fence: threads of the machine take turns
    std::vector<cxx::Expr> args;
    for (const Expr& operand : e->operands)
      args.push_back(args.empty() && e->operands.size() > 1
                         ? cxx::cast("unsigned", expressions_.value(operand))
                         : expressions_.exact(operand));
    give(e->var, call(names[static_cast<size_t>(e->op)], std::move(args)), item, out);
  }

  static bool isIndependent(const For& n) {
    return n.order != Order::Serial && n.hints.mark != LoopMark::Sequential && constantInt(n.step);
  }
  bool mayShare(const For& n) const {
    return isIndependent(n) && n.reductions.empty() && sharedBy_ == nullptr;
  }
  std::string howShared(Span span) const {
    Choices* choices = c_.options.choices;
    return choices ? choices->word(span, "share", "static", {"static", "dynamic", "none"}) : "static";
  }
  static Expr distance(const For& n) { return *constantInt(n.step) > 0 ? sub(n.hi, n.lo) : sub(n.lo, n.hi); }

  void alloc(const Buffer& b, Out& out) {
    const std::string type = typeName(c_, b.type), owner = c_.freshName(b.name.hint() + "_memory");
    constexpr int64_t mostOnStack = 65536; // bytes
    const auto count = constantInt(elementCount(b));
    if (b.onChip && count && *count > 0 && *count * byteSize(b.type) <= mostOnStack)
      return out.push_back(cxx::declareArray(cxx::type(type), c_.name(b.name), *count));
    const cxx::Expr name = cxx::name(c_.name(b.name));
    c_.support.use("Temporary");
    out.push_back(cxx::declareWith(cxx::type(fmt::format("Temporary<{}>", type)), owner,
                                   {expressions_.index(elementCount(b))}));
    out.push_back(cxx::declare(cxx::pointerTo(type, false, !swapsBuffers(c_.function)), c_.name(b.name),
                               cxx::member(cxx::name(owner), "data")));
    const cxx::Expr fails = cxx::binary("==", name, cxx::name("nullptr"));
    if (!sharedBy_)
      return out.push_back(cxx::ifThen(fails, failure("MemoryError", noMemoryFor({b.name.hint()}))));
    // A thread cannot leave the loop it shares, only its iteration.
    c_.support.use("out_of_memory");
    inShared_.insert(b.name.hint());
    out.push_back(cxx::ifThen(fails, cxx::evaluate(cxx::call("out_of_memory", {}))));
  }
  static std::string noMemoryFor(const std::set<std::string>& arrays) {
    return fmt::format("no memory for `{}`", fmt::join(arrays, "`, `"));
  }

  /// A loop whose threads may find no memory says so when all have ended.
  void loop(const Stmt& s, const Placement::Item& item, Out& out) override {
    if (!mayShare(*s.as<For>()) || !allocates(s)) return Statements::loop(s, item, out);
    noMemory_ = c_.freshName("no_memory");
    const size_t at = out.size();
    Statements::loop(s, item, out);
    if (inShared_.empty()) return;
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(at),
               cxx::declare(cxx::type("bool"), noMemory_, cxx::name("false")));
    out.push_back(cxx::ifThen(cxx::name(noMemory_), failure("MemoryError", noMemoryFor(inShared_))));
    inShared_.clear();
  }
  cxx::Stmt body(const Stmt& s, const Symbols& pending, const Symbols& liveOut) override {
    cxx::Stmt all = Statements::body(s, pending, liveOut);
    if (!sharedBy_ || &s != &sharedBy_->body || inShared_.empty()) return all;
    const cxx::Stmt note = cxx::assign(cxx::name(noMemory_), cxx::name("true"));
    return cxx::block({cxx::stmt(cxx::Try{std::move(all), "const std::bad_alloc&",
                                          cxx::block({cxx::pragma("omp atomic write"), note})})});
  }

  bool kernel_ = false;              ///< the code is a thread's of the user's kernel
  std::map<Symbol, int64_t> shared_; ///< where its shared arrays begin
  int loopsAround_ = 0;
  std::string noMemory_;           ///< the flag of the outermost loop
  std::set<std::string> inShared_; ///< arrays that the threads of the shared loop in it make
  const For* sharedBy_ = nullptr;  ///< the loop around, whose iterations several threads run
};

} // namespace

Lowered lowerCpu(Context& c) {
  const Function& f = c.function;
  std::set<Symbol> locals = assignedVars(f.body);
  for (const Param& p : f.params) locals.erase(p.name);
  Entry entry(c);
  std::vector<cxx::Stmt> body;
  entry.checkOverlap(body);
  entry.chooseVersion(entryParams(f, false), "", body);
  keepPlaces(c, body);
  CpuFunction function(c);
  for (cxx::Stmt& s : function.sequence(f.body, locals, {})) body.push_back(std::move(s));
  if (body.empty() || !body.back().is<cxx::Return>()) body.push_back(cxx::giveBack(cxx::number(0)));
  std::vector<cxx::Parameter> params =
      entry.params(entryParams(f, false), entry.used, !swapsBuffers(f) && f.ofLaunch == 0);
  return {{},
          {cxx::decl(cxx::Function{"",
                                   {},
                                   "extern \"C\"",
                                   cxx::type("int"),
                                   f.entry,
                                   std::move(params),
                                   cxx::stmt(cxx::Block{std::move(body)})})}};
}

} // namespace appyc::target
