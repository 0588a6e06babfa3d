//===- OrderChecks.cpp - loops with checks run in order, and stop at the first that fails -----------------===//
//   #pragma parallel for               for i:                              (in order, on one thread)
//   for i:                               if fault[0] == 0:
//     require i < n, IndexError, ..  =>    if not i < n: fault[0] = 1; fault[1] = i
//     x[i] = 0                           if fault[0] == 0:
//                                          x[i] = 0
//                                      require fault[0] != 1, IndexError, ..    (the host)
// The first fault of the program's order is raised, and nothing is done after it. That is the device's form: where the
// host runs the loops, the check returns from where it stands.
#include "Raises.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Walk.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {

bool mayRaise(const ir::Stmt& s) { return ir::has<ir::Require>(s) || ir::has<ir::Print>(s); }

namespace {

using namespace ir;
using List = std::vector<Stmt>;

/// Loops in which something may fail are serial.
Stmt inOrder(const Stmt& s) {
  return replace<For>(s, [](const For& loop, const Stmt& part) -> Stmt {
    if (loop.order == Order::Serial || !mayRaise(loop.body)) return {};
    For serial = loop;
    serial.order = Order::Serial;
    serial.hints.mark = LoopMark::None;
    serial.reductions.clear();
    serial.hints.vectorLength = serial.hints.warps = 0;
    serial.hints.threads = {};
    return makeStmt(part->span, std::move(serial));
  });
}

/// Must the host run it? Then checks may stand in it.
bool isHosts(const Stmt& s) {
  return anyStmt(s, [](const Stmt& part) {
    const auto* loop = part.as<For>();
    return (loop && loop->order != Order::Serial && loop->hints.mark != LoopMark::Sequential) ||
           part.is<Return>() || part.is<Print>() || part.is<MatMul>() || part.is<Routine>() ||
           part.is<Swap>() || part.is<Launch>();
  });
}

class Deferred {
public:
  explicit Deferred(Function& function) : function_(function), fault_{Symbol("fault"), DType::I64, {}} {}

  void run() {
    List body = hosts(function_.body);
    if (used_) {
      fault_.extents = {intConst(static_cast<int64_t>(1 + mostValues_))};
      function_.buffers.push_back(fault_);
      List first{makeStmt(function_.span, Alloc{fault_})};
      for (size_t at = 0; at <= mostValues_; ++at) first.push_back(store(function_.span, at, intConst(0)));
      body.insert(body.begin(), first.begin(), first.end());
    }
    function_.body = makeStmt(function_.body->span, Block{std::move(body)});
  }

private:
  /// The host's statements; nests of the device's own note what fails, and the host asks behind them.
  List hosts(const Stmt& s) {
    List out;
    for (const Stmt& part : statementsOf(s)) {
      const bool isLoop = part.is<For>() || part.is<While>();
      if (!mayRaise(part) || (!isLoop && !part.is<If>())) {
        out.push_back(part);
      } else if (isLoop && !isHosts(part)) {
        sites_.clear();
        used_ = true;
        out.push_back(noted(part));
        ask(out);
      } else {
        out.push_back(
            mapChildren(part, [&](const Stmt& child) { return makeStmt(child->span, Block{hosts(child)}); }));
      }
    }
    return out;
  }

  Expr cell(size_t at) const { return load(placed(), {intConst(static_cast<int64_t>(at))}); }
  Buffer placed() const {
    Buffer b = fault_;
    b.extents = {intConst(1)};
    return b;
  }
  Expr isFine() const { return eq(cell(0), 0); }
  Stmt store(Span where, size_t at, Expr value) const {
    return makeStmt(where, Store{fault_.name, {intConst(static_cast<int64_t>(at))}, std::move(value), {}});
  }

  /// The statement with notes in place of checks.
  Stmt noted(const Stmt& s) {
    if (!mayRaise(s)) return s;
    if (const auto* check = s.as<Require>()) {
      sites_.push_back(s);
      mostValues_ = std::max(mostValues_, check->values.size());
      List list;
      for (size_t k = 0; k < check->values.size(); ++k)
        list.push_back(store(s->span, 1 + k, check->values[k]));
      list.push_back(store(s->span, 0, intConst(static_cast<int64_t>(sites_.size()))));
      return makeStmt(s->span, If{unary(UnaryOp::LogicalNot, check->cond), block(std::move(list)), {}});
    }
    if (s.is<Block>()) return makeStmt(s->span, Block{guarded(s)});
    if (const auto* loop = s.as<For>()) {
      For stopping = *loop;
      stopping.body = makeStmt(s->span, If{isFine(), block(guarded(loop->body)), {}});
      return makeStmt(s->span, std::move(stopping));
    }
    if (const auto* loop = s.as<While>())
      return makeStmt(s->span, While{both(isFine(), loop->cond), block(guarded(loop->body))});
    return mapChildren(s, [&](const Stmt& child) { return block(guarded(child)); });
  }

  /// A list, of which what stands behind something that may have failed asks first. What is behind stands within, where
  /// the scalars that are set before have their values.
  List guarded(const Stmt& s) {
    std::vector<List> parts(1);
    for (const Stmt& child : statementsOf(s)) {
      parts.back().push_back(noted(child));
      if (mayRaise(child)) parts.emplace_back();
    }
    List out = std::move(parts.back());
    for (size_t k = parts.size() - 1; k-- > 0;) {
      if (!out.empty()) parts[k].push_back(makeStmt(out.front()->span, If{isFine(), block(out), {}}));
      out = std::move(parts[k]);
    }
    return out;
  }

  /// Raises what a nest has noted.
  void ask(List& out) {
    const Symbol found("found");
    const Span where = sites_.front()->span;
    out.push_back(makeStmt(where, Assign{found, cell(0)}));
    List raising;
    size_t most = 0;
    for (const Stmt& site : sites_) most = std::max(most, site.as<Require>()->values.size());
    std::vector<Expr> values;
    for (size_t v = 0; v < most; ++v) {
      const Symbol value("value");
      raising.push_back(makeStmt(where, Assign{value, cell(1 + v)}));
      values.push_back(var(value));
    }
    for (size_t k = 0; k < sites_.size(); ++k) {
      Require check = *sites_[k].as<Require>();
      for (size_t v = 0; v < check.values.size(); ++v) check.values[v] = values[v];
      check.cond = ne(var(found), static_cast<int64_t>(k) + 1);
      raising.push_back(makeStmt(sites_[k]->span, std::move(check)));
    }
    out.push_back(makeStmt(where, If{ne(var(found), 0), block(std::move(raising)), {}}));
  }

  Function& function_;
  Buffer fault_; ///< which check failed first, from 1 on, and its values
  bool used_ = false;
  size_t mostValues_ = 0;
  List sites_; ///< the checks of the nest at hand
};

} // namespace

/// Does a check stand in a loop? Without --sanitize the program's own do.
static bool failsInLoop(const Stmt& s) {
  return anyStmt(s, [](const Stmt& part) { return (part.is<For>() || part.is<While>()) && mayRaise(part); });
}

void orderChecks(Function& f, PassContext& ctx) {
  if (!failsInLoop(f.body)) return;
  f.body = inOrder(f.body);
  if (ctx.cuda) Deferred(f).run();
}

} // namespace appyc::transform
