//===- DistributeMatrices.cpp - a parallel loop over matrices runs one statement after the other ----------===//
//   for k: for i: for j: t[i, j] = f[k, i - 1, j]    =>   for k: for i: for j: t_k[k, i, j] = f[k, i - 1, j]
//          for i: for j: f[k, i, j] = t[i, j]             for k: for i: for j: f[k, i, j] = t_k[k, i, j]
// As one loop, a block would have a matrix, and all others wait for the largest number of matrices that there are. The
// iterations are independent, so that any order of theirs will do; arrays made in one have room for all, as a kernel's have.
// Numbers of an iteration are computed where they are read.
// Where the loop goes along the last axis of what it reads and writes, so do they.
//   nine np.roll of 128 x 512 in a step, an H100: 9 blocks took 0.3 ms; as two sweeps by all: predicted 0.01, the whole step of
//     five kernels 0.019
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
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

bool isProven(const For& loop) { return loop.order == Order::Proven && isPlain(loop); }

/// Two loops in any order, of open length.
bool isOverMatrix(const Stmt& s) {
  const auto* rows = s.as<For>();
  const auto* columns = rows ? rows->body.as<For>() : nullptr;
  return columns && isProven(*rows) && isProven(*columns) && !constantTrip(*rows) && !constantTrip(*columns);
}

class Distribution {
public:
  explicit Distribution(Function& function)
      : function_(function), known_(analysis::knownAtEntry(function)),
        sizes_(analysis::contextOf(function).sizes) {}

  Stmt visit(const Stmt& s) {
    const auto* loop = s.as<For>();
    if (loop && isProven(*loop)) return apart(s, *loop);
    if (loop && (loop->order != Order::Serial || loop->hints.mark == LoopMark::Sequential)) return s;
    return mapChildren(s, [&](const Stmt& child) { return visit(child); });
  }

private:
  bool isKnown(const Expr& e) const { return e && analysis::followsFrom(e, known_); }

  /// A scalar that has the same value wherever the iteration reads it, and that nobody else reads.
  bool isNumber(const Stmt& part, const For& loop) const {
    const auto* set = part.as<Assign>();
    int sets = 0;
    if (set) each<Assign>(loop.body, [&](const Assign& a) { sets += a.var == set->var; });
    return sets == 1 && !intersect(loadedBuffers(set->value), storedBuffers(loop.body)) &&
           countReads(function_.body, set->var) == countReads(loop.body, set->var) && !isResult(set->var);
  }
  bool isResult(const Symbol& name) const {
    return std::ranges::any_of(function_.results, [&](const Result& r) { return r.name == name; });
  }

  /// Does the loop go along an array's last axis, and no other one?
  static bool isAlongLast(const For& loop) {
    const auto isAlong = [&](const std::vector<Expr>& index) {
      const auto first = std::ranges::find_if(index, [&](const Expr& e) { return mentions(e, loop.index); });
      return index.size() > 1 && first == index.end() - 1;
    };
    bool found = anyExpr(loop.body, [&](const Expr& e) {
      const auto* load = e.as<Load>();
      return load && isAlong(load->index);
    });
    each<Store>(loop.body, [&](const Store& s) { found |= isAlong(s.index); });
    return found;
  }

  Stmt apart(const Stmt& s, const For& loop) {
    const List body = statementsOf(loop.body);
    const Expr count = tripCount(loop);
    const auto isFit = [&](const Stmt& part) {
      const auto* alloc = part.as<Alloc>();
      return alloc ? !alloc->buffer.onChip &&
                         std::all_of(alloc->buffer.extents.begin(), alloc->buffer.extents.end(),
                                     [&](const Expr& e) { return isKnown(e); })
                   : isOverMatrix(part) || isNumber(part, loop);
    };
    if (!isKnown(count) || std::count_if(body.begin(), body.end(), isOverMatrix) < 2 ||
        !std::all_of(body.begin(), body.end(), isFit))
      return s;
    const Builder build{s->span};
    const Expr position = loops::positionIn(loop);
    const bool isInnermost = isAlongLast(loop);
    loops::Expanded all;
    List out;
    for (const Stmt& part : body)
      if (const auto* alloc = part.as<Alloc>()) {
        const Buffer wide =
            loops::expandedOver(alloc->buffer, analysis::atLeastZero(count, sizes_), isInnermost);
        for (Buffer& b : function_.buffers)
          if (b.name == alloc->buffer.name) b = wide;
        all.emplace(alloc->buffer.name, wide);
        out.push_back(build.alloc(wide));
      }
    std::map<Symbol, Expr> numbers;
    for (const Stmt& part : body) {
      if (part.is<Alloc>()) continue;
      if (const auto* number = part.as<Assign>()) {
        numbers[number->var] = substitute(number->value, numbers);
        continue;
      }
      For each = loop;
      each.index = Symbol(loop.index.hint());
      if (out.back().is<For>()) each.hints.origins.clear();
      each.body = substitute(substitute(loops::expanded(part, all, position, isInnermost), numbers),
                             {{loop.index, var(each.index)}});
      out.push_back(makeStmt(part->span, std::move(each)));
    }
    return block(std::move(out));
  }

  Function& function_;
  std::set<Symbol> known_, sizes_;
};

} // namespace

void distributeMatrices(Function& f, PassContext&) { f.body = Distribution(f).visit(f.body); }

} // namespace appyc::transform
