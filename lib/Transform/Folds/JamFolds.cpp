//===- JamFolds.cpp - folds of few columns that compute the same run together -----------------------------===//
//   for j in range(3):                                   s_0 = s_1 = s_2 = 0
//     s = 0                                              for k: w = m[k] * r2[i, k] ** -1.5
//     for k: s += d(j, k) * (m[k] * r2[i, k] ** -1.5) =>        s_0 += d(0, k) * w; s_1 += d(1, k) * w; s_2 += ..
//     a[i, j] = s                                        a[i, 0] = s_0; a[i, 1] = s_1; a[i, 2] = s_2
// Unroll-and-jam: what does not depend on the column is computed once, and the loop around keeps its iterations for
// blocks, whose lanes share the fold. Only where that is a function or a quotient: loads alone come from the caches.
//   forces between 1000 bodies, f64, an H100: 3 powers a pair, 0.55 ms a step; one by all threads: predicted 0.04, measured 0.02
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {

namespace {

using namespace ir;
using List = std::vector<Stmt>;

constexpr int64_t kMostColumns = 4;

class Jam {
public:
  explicit Jam(const For& columns) : columns_(columns), body_(statementsOf(columns.body)) {}

  bool applies() {
    columnCount_ = constantTrip(columns_).value_or(0);
    const auto isStraight = [](const Stmt& s) { return s.is<Assign>() || s.is<Store>(); };
    for (size_t k = 0; k < body_.size(); ++k) {
      const auto* loop = body_[k].as<For>();
      if (!loop && !isStraight(body_[k])) return false;
      if (loop && fold_) return false;
      if (loop) fold_ = loop, at_ = k;
    }
    if (columnCount_ < 2 || columnCount_ > kMostColumns || !isPlain(columns_) ||
        !columns_.reductions.empty() || !fold_ || !isPlain(*fold_) || fold_->reductions.empty() ||
        constantTrip(*fold_) || !consistsOf<Block, Assign, If>(fold_->body) ||
        mentions(fold_->lo, columns_.index) || mentions(fold_->hi, columns_.index) ||
        mentions(fold_->step, columns_.index))
      return false;
    findCommon();
    return !common_.empty();
  }

  Stmt run(Span span) const {
    const Builder build{span};
    List before, folds, behind;
    For all = *fold_;
    all.reductions.clear();
    std::vector<std::pair<Expr, Expr>> named;
    for (const Expr& e : common_) named.emplace_back(e, build.let("common", e, folds));
    for (int64_t j = 0; j < columnCount_; ++j) {
      std::map<Symbol, Symbol> own;
      for (const Symbol& name : assignedVars(columns_.body)) own.emplace(name, Symbol(name.hint()));
      const Expr column = columns_.lo + intConst(j) * columns_.step;
      const auto copied = [&](const Stmt& s) {
        Stmt copy = substitute(s, {{columns_.index, column}});
        for (const auto& [name, mine] : own) copy = renameScalar(copy, name, mine);
        return copy;
      };
      for (size_t k = 0; k < at_; ++k) before.push_back(copied(body_[k]));
      for (const Stmt& s : statementsOf(fold_->body)) folds.push_back(copied(withNames(s, named)));
      for (size_t k = at_ + 1; k < body_.size(); ++k) behind.push_back(copied(body_[k]));
      for (Reduction r : fold_->reductions) {
        r.var = own.at(r.var);
        all.reductions.push_back(r);
      }
    }
    all.body = block(std::move(folds));
    before.push_back(makeStmt(body_[at_]->span, std::move(all)));
    before.insert(before.end(), behind.begin(), behind.end());
    return block(std::move(before));
  }

private:
  static bool isPlain(const For& loop) { return loop.order == Order::Proven && isUnmarked(loop); }
  static bool isDear(const Expr& e) {
    return anyExpr(e, [](const Expr& part) {
      const auto* b = part.as<Binary>();
      const auto* c = part.as<Call>();
      const auto* own = part.as<Apply>(); // what may run on for ever is not run earlier
      return (own && own->function && !has<While>(own->function->body)) ||
             (c && c->fn != Intrinsic::WrapIndex && isFloat(c->type)) ||
             (b && (b->op == BinaryOp::Div || b->op == BinaryOp::Pow) && isFloat(typeOf(part)));
    });
  }

  /// The largest parts of the fold's first statements that are the same for all columns, and dear.
  void findCommon() {
    const std::set<Symbol> assigned = assignedVars(columns_.body);
    const std::function<bool(const Expr&)> look = [&](const Expr& e) {
      if (mentions(e, columns_.index) || mentionsAny(e, assigned) || e.is<Select>())
        return true; // its parts, perhaps
      if (isDear(e) &&
          std::none_of(common_.begin(), common_.end(), [&](const Expr& c) { return equal(c, e); }))
        common_.push_back(e);
      return false;
    };
    // What stands under a condition might not be computed where that does not hold.
    for (const Stmt& s : statementsOf(fold_->body))
      if (const auto* a = s.as<Assign>(); a && !has<Select>(a->value)) visit(a->value, look);
  }

  static Stmt withNames(const Stmt& s, const std::vector<std::pair<Expr, Expr>>& named) {
    return rewrite(s, nullptr, [&](const Expr& e) -> Expr {
      for (const auto& [whole, name] : named)
        if (equal(e, whole)) return name;
      return {};
    });
  }

  const For& columns_;
  List body_;
  const For* fold_ = nullptr;
  size_t at_ = 0; ///< its place in the body
  int64_t columnCount_ = 0;
  std::vector<Expr> common_;
};

Stmt jammed(const Stmt& s, bool isInside) {
  const auto* loop = s.as<For>();
  if (loop && isInside)
    if (Jam jam(*loop); jam.applies()) return jam.run(s->span);
  const bool isParallelLoop = loop && loop->order != Order::Serial;
  return mapChildren(s, [&](const Stmt& child) { return jammed(child, isInside || isParallelLoop); });
}

} // namespace

void jamFolds(Function& f, PassContext&) { f.body = jammed(f.body, false); }

} // namespace appyc::transform
