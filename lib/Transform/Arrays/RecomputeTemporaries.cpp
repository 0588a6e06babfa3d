//===- RecomputeTemporaries.cpp - a stencil's temporary is computed again where it is read --------------===//
//   for i: t[i] = a[i+1] - a[i]          =>     for i: t_1 = a[i+2] - a[i+1]
//   for i: b[i] = t[i+1] * t[i]                        t_2 = a[i+1] - a[i]
//                                                      b[i] = t_1 * t_2
// A temporary costs a round trip through memory and a kernel; a few additions cost neither. The reads of
// neighbouring points overlap, so what is loaded again comes from the caches.
//
//   measured on an H200       | predicted                                   | result
//   hdiff 256x256x160, f64    | 5 temporaries of 84 MB go: 0.41 to 0.12 ms  | 0.127 ms (bound 0.053)
//   softmax 64x16x512x512     | 2 passes over 1.07 GB of 4: 1.27 to 0.65 ms | 0.659 ms (bound 0.447)
#include "Fillings.h"
#include "KnownValues.h"
#include "appyc/Cost/Model.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Called.h"
#include "appyc/IR/Walk.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::transform {

namespace {

using ir::Expr;
using ir::Stmt;

/// What one statement may grow to, in operations and loads: about what the caches give for a round trip
/// through memory.
int mostWork(const ir::PassContext& ctx) {
  constexpr int onCpu = 120;
  return ctx.cuda ? cost::operationsInRoundTrip(ctx.device) : onCpu;
}

bool loads(const Stmt& s, const Symbol& buffer) { return ir::loadedBuffers(s).count(buffer) > 0; }
bool loads(const Expr& e, const Symbol& buffer) { return ir::loadedBuffers(e).count(buffer) > 0; }

/// Twenty instructions or so in f32; a few functions of f64 take as many, which not every device has time for.
bool isQuick(const ir::Call& call, ir::DType type, const cost::Device& device) {
  constexpr int kOperations = 40;
  const bool isShort =
      call.fn == ir::Intrinsic::Exp || call.fn == ir::Intrinsic::Exp2 || call.fn == ir::Intrinsic::Sqrt;
  return type == ir::DType::F32 ||
         (type == ir::DType::F64 && isShort && cost::doublesInRoundTrip(device) >= kOperations);
}

int work(const Expr& e, const ir::PassContext& ctx) {
  // Other functions cost more than a round trip.
  constexpr int kCallWork = 1000, kQuickCallWork = 40;
  int total = 0;
  ir::visitThrough(e, [&](const Expr& x) {
    if (const auto* call = x.as<ir::Call>())
      total += ctx.cuda && isQuick(*call, ir::typeOf(x), ctx.device) ? kQuickCallWork : kCallWork;
    total += kCallWork * x.is<ir::Apply>();
    total += x.is<ir::Load>() || x.is<ir::Binary>() || x.is<ir::Unary>() || x.is<ir::Select>();
    return !x.is<ir::Load>(); // its index arithmetic is not counted
  });
  return total;
}

/// A nest that gives each element of a temporary its value.
struct Producer : Filling {
  Symbol array;
  std::set<Symbol> inputs;  ///< buffers that the value reads
  std::set<Symbol> scalars; ///< variables that it reads from outside
};

std::optional<Producer> producerOf(const Stmt& nest, const ir::Buffer& buffer) {
  std::optional<Filling> filling = fillingOf(nest, buffer);
  if (!filling || !filling->isAnyOrder) return std::nullopt;
  Producer p{std::move(*filling), buffer.name, {}, {}};
  std::set<Symbol> own(p.index.begin(), p.index.end());
  auto note = [&](const Expr& e) {
    for (const Symbol& s : ir::freeVars(e))
      if (!own.count(s)) p.scalars.insert(s);
    p.inputs.merge(ir::loadedBuffers(e));
  };
  for (const ir::Assign& name : p.names) {
    own.insert(name.var);
    note(name.value);
  }
  note(p.value);
  if (p.inputs.count(buffer.name)) return std::nullopt;
  return p;
}

/// Is it what an element is compared with in an iteration of a loop around, as `labels == k`? That takes no longer than to load
/// what came out, wherever and however often it is asked, and then it shows that iterations ask for different elements.
bool isCompared(const Producer& p, const std::set<Symbol>& loopIndices) {
  const auto* b = p.value.as<ir::Binary>();
  const auto isPlain = [](const Expr& e) {
    const auto* l = e.as<ir::Load>();
    const auto* sum = e.as<ir::Binary>();
    const auto isScalar = [](const Expr& x) { return x.is<ir::Var>() || x.is<ir::Const>(); };
    return isScalar(e) || (sum && isScalar(sum->lhs) && isScalar(sum->rhs)) ||
           (l && std::ranges::all_of(l->index, [](const Expr& i) { return i.is<ir::Var>(); }));
  };
  return b && p.names.empty() && ir::isBool(ir::typeOf(p.value)) && isPlain(b->lhs) && isPlain(b->rhs) &&
         ir::intersect(p.scalars, loopIndices);
}

/// Is some load of `buffer` at `index` evaluated whatever the values are? Only then is the place surely in
/// range.
bool readsSurely(const Expr& e, Symbol buffer, const std::vector<Expr>& index) {
  if (const auto* l = e.as<ir::Load>()) return l->buffer == buffer && ir::equalIndices(index, l->index);
  if (const auto* s = e.as<ir::Select>()) return readsSurely(s->cond, buffer, index);
  const auto* b = e.as<ir::Binary>();
  if (b && (b->op == ir::BinaryOp::LogicalAnd || b->op == ir::BinaryOp::LogicalOr))
    return readsSurely(b->lhs, buffer, index);
  bool found = false;
  ir::mapChildren(
      e, [&](const Expr& child) { return found = found || readsSurely(child, buffer, index), child; });
  return found;
}

/// Rewrites one reader of a temporary; `failed` when it has to stay.
class Inliner {
public:
  Inliner(const Producer& p, std::set<Symbol>& made, const ir::PassContext& ctx)
      : producer_(p), made_(made), ctx_(ctx), mostWork_(mostWork(ctx)) {}
  bool failed = false;

  Stmt visit(const Stmt& s, size_t depth) {
    if (failed || !loads(s, producer_.array)) return s;
    if (const auto* block = s.as<ir::Block>()) return visitBlock(*block, depth);
    if (s.is<ir::Store>() || s.is<ir::Assign>()) return visitBlock(ir::Block{{s}}, depth);
    if (!s.is<ir::For>() && !s.is<ir::If>() && !s.is<ir::While>())
      return failed = true, s; // needs it in memory
    ir::forEachExpr(s, [&](const Expr& e) { failed |= loads(e, producer_.array); });
    size_t below = depth + s.is<ir::For>();
    return ir::mapChildren(s, [&](const Stmt& child) { return visit(child, below); });
  }

private:
  const Producer& producer_;
  std::set<Symbol>& made_;
  const ir::PassContext& ctx_;
  int mostWork_;
  std::vector<Stmt> out_;

  Stmt visitBlock(const ir::Block& block, size_t depth) {
    std::vector<Stmt> outer = std::exchange(out_, {});
    for (const Stmt& s : block.body) {
      bool leaf = s.is<ir::Store>() || s.is<ir::Assign>();
      Stmt rewritten = leaf ? visitLeaf(s, depth) : visit(s, depth);
      out_.push_back(rewritten);
    }
    limitWork();
    return ir::block(std::exchange(out_, std::move(outer)));
  }

  Stmt visitLeaf(const Stmt& s, size_t depth) {
    if (!loads(s, producer_.array)) return s;
    // In more loops than the temporary has dimensions, each element would be computed many times.
    if (depth > producer_.index.size()) return failed = true, s;
    const Stmt& whole = s;
    return ir::mapExprs(s, [&](const Expr& e) {
      return ir::replace<ir::Load>(e, [&](const ir::Load& l) {
        return l.buffer == producer_.array ? recompute(whole, l.index) : Expr();
      });
    });
  }

  /// The temporary's value at `index`, named in front of the statement that reads it.
  Expr recompute(const Stmt& reader, const std::vector<Expr>& index) {
    bool surely = false;
    ir::forEachExpr(reader, [&](const Expr& e) { surely |= readsSurely(e, producer_.array, index); });
    failed |= !surely;
    std::map<Symbol, Expr> at = producer_.at(index);
    for (const ir::Assign& part : producer_.names)
      at[part.var] = named(part.var.hint(), ir::substitute(part.value, at), reader->span);
    return named(producer_.array.hint(), ir::substitute(producer_.value, at), reader->span);
  }

  Expr named(const std::string& hint, const Expr& value, Span span) {
    const std::set<Symbol> read = ir::freeVars(value);
    for (auto s = out_.rbegin(); s != out_.rend(); ++s) {
      const auto* known = s->as<ir::Assign>();
      if (known && made_.count(known->var) && ir::equal(known->value, value))
        return ir::var(known->var, ir::typeOf(value));
      if (ir::intersect(ir::assignedVars(*s), read)) break; // it is another element from here on
    }
    Symbol name(hint);
    made_.insert(name);
    out_.push_back(ir::makeStmt(span, ir::Assign{name, value}));
    return ir::var(name, ir::typeOf(value));
  }

  void limitWork() {
    int total = 0;
    for (const Stmt& s : out_)
      if (s.is<ir::Assign>() || s.is<ir::Store>())
        ir::forEachExpr(s, [&](const Expr& e) { total += work(e, ctx_); });
    failed |= total > mostWork_;
  }
};

struct Recomputing {
  ir::Function& function;
  ir::PassContext& ctx;
  std::set<Symbol> interface; ///< the caller sees these
  std::set<Symbol> indices;   ///< of loops
  std::set<Symbol> made = {}; ///< names this pass has given

  /// Tries to do without the temporary that `body[at]` fills.
  bool inlineOne(std::vector<Stmt>& body, size_t at, const ir::Buffer& buffer) {
    std::optional<Producer> producer = producerOf(body[at], buffer);
    if (!producer) return false;
    size_t stores = 0;
    int seen = 0;
    ir::visit(function.body, [&](const Stmt& s) {
      bool compound = s.is<ir::Block>() || s.is<ir::For>() || s.is<ir::If>() || s.is<ir::While>();
      return stores += !compound && ir::storedBuffers(s).count(buffer.name), true;
    });
    if (stores != 1) return false;
    std::vector<Stmt> rewritten = body;
    bool changed = false;
    for (size_t i = at + 1; i < body.size(); ++i) {
      seen += ir::countLoads(body[i], buffer.name);
      std::set<Symbol> stored = ir::storedBuffers(body[i]), assigned = ir::assignedVars(body[i]);
      for (const Symbol& s : producer->inputs) changed |= stored.count(s) > 0;
      for (const Symbol& s : producer->scalars) changed |= assigned.count(s) > 0;
      if (!loads(body[i], buffer.name)) continue;
      if (changed) return false;
      if (isCompared(*producer, indices)) {
        rewritten[i] = withValues(body[i], buffer.name, *producer);
        continue;
      }
      Inliner inliner(*producer, made, ctx);
      rewritten[i] = inliner.visit(body[i], 0);
      if (inliner.failed) return false;
    }
    if (seen != ir::countLoads(function.body, buffer.name)) return false; // some stand elsewhere
    ctx.diag.report(DiagId::Fused, body[at]->span,
                    fmt::format("`{}` is not stored: what reads it computes it again", buffer.name.hint()));
    body = std::move(rewritten);
    body.erase(body.begin() + static_cast<long>(at));
    return true;
  }

  Stmt visitBlock(const Stmt& s) {
    const auto* block = s.as<ir::Block>();
    if (!block) return {};
    std::vector<Stmt> body = block->body;
    std::vector<ir::Buffer> local;
    for (const Stmt& x : body)
      if (const auto* a = x.as<ir::Alloc>();
          a && !interface.count(a->buffer.name) && !a->buffer.extents.empty())
        local.push_back(a->buffer);
    bool any = false;
    for (const ir::Buffer& buffer : local)
      for (size_t i = 0; i < body.size(); ++i) {
        if (!body[i].is<ir::For>() || !ir::storedBuffers(body[i]).count(buffer.name)) continue;
        if (inlineOne(body, i, buffer)) {
          any = true;
          std::erase_if(body, [&](const Stmt& x) {
            const auto* a = x.as<ir::Alloc>();
            return a && a->buffer.name == buffer.name;
          });
          std::erase_if(function.buffers, [&](const ir::Buffer& b) { return b.name == buffer.name; });
        }
        break;
      }
    return any ? ir::block(std::move(body)) : Stmt();
  }
};

} // namespace

void recomputeTemporaries(ir::Function& f, ir::PassContext& ctx) {
  Recomputing state{f, ctx, interfaceOf(f), ir::loopIndices(f.body)};
  f.body = ir::rewrite(f.body, [&](const Stmt& s) { return state.visitBlock(s); });
}

} // namespace appyc::transform
