//===- SizeArrays.cpp - how large the arrays of all iterations are is found out before their loop --------------===//
//   for i:                                         most = 0
//     a = max(labels[order[i, j]] for j < k) + 1   for i: a = ..;  most = max(most, a)          # parallel
//     counts[a]                              =>    for i:
//     ...                                            a = ..;  counts[most]
// A kernel's arrays are made before it, and have to be large enough for each iteration. Where what the size follows from cannot
// be computed before, the loop stays in order.
//   of 10^4 points the label that most of the 8 nearest have, np.bincount of a row's labels, an H100: refused; predicted two
//     kernels more, 0.1 ms; 2.1 ms with the distances and their order
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace appyc::transform {

namespace {

using namespace ir;

class Sizing : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

  Stmt replaced(const Stmt& s, const For& loop) override {
    const bool isOpen = loop.hints.mark != LoopMark::Sequential && loop.order == Order::Serial;
    return isOpen ? sized(s, loop) : Stmt();
  }

private:
  /// What the loop's body computes, and how.
  struct Body {
    std::set<Symbol> assigned, own; ///< scalars; arrays that it makes
    std::map<Symbol, Expr> values;  ///< of scalars that are assigned once
    std::vector<const For*> inner;  ///< loops, the outer ones first
  };

  static Body bodyOf(const For& loop) {
    Body body{assignedVars(loop.body), allocatedBuffers(loop.body), onlyValues(loop.body), {}};
    body.assigned.merge(loopIndices(loop.body));
    each<For>(loop.body, [&](const For& inner) { body.inner.push_back(&inner); });
    return body;
  }

  /// Does what is outside of the loop, and its index, bound the number?
  static bool isBounded(const Expr& e, const Body& body, int depth = 0) {
    constexpr int deepest = 8;
    if (!readsMemory(e) && !mentionsAny(e, body.assigned)) return true;
    if (depth == deepest) return false;
    if (const auto* v = e.as<Var>()) {
      const auto value = body.values.find(v->name);
      return value != body.values.end() && isBounded(value->second, body, depth + 1);
    }
    const auto* b = e.as<Binary>();
    if (!b) return false;
    const bool left = isBounded(b->lhs, body, depth + 1), right = isBounded(b->rhs, body, depth + 1);
    return b->op == BinaryOp::Min ? left || right : left && right;
  }

  static bool isOpen(const Buffer& array, const Body& body) {
    return !std::ranges::all_of(array.extents, [&](const Expr& e) {
      const Expr most = analysis::upperBound(e, body.inner);
      return isBounded(most ? most : e, body);
    });
  }

  Stmt sized(const Stmt& s, const For& loop) {
    const Body body = bodyOf(loop);
    std::string open;
    each<Alloc>(loop.body, [&](const Alloc& made) {
      if (isOpen(made.buffer, body)) open = made.buffer.name.hint();
    });
    if (open.empty() || !isParallel(s, loop)) return {};
    const std::vector<Stmt> before = sizesBefore(s, loop, body);
    if (!before.empty()) return block(before);
    if (!isUnmarked(loop)) return {};
    note(DiagId::KeptSerial, s, "loop `{}` stays serial: how large `{}` is follows from what it changes",
         loop.index.hint(), open);
    For serial = loop;
    serial.hints.mark = LoopMark::Sequential;
    return makeStmt(s->span, std::move(serial));
  }

  bool isParallel(const Stmt& s, const For& loop) const {
    if (!isUnmarked(loop)) return true;
    const analysis::ParallelVerdict v = analysis::judgeParallel(loop, known_, live_.after(s));
    return v.isFree();
  }

  /// What finds the sizes: of a list of statements those on which they depend.
  struct Slice {
    const Body& body;
    std::set<Symbol> needed;       ///< scalars and arrays, by what stands behind
    std::map<Symbol, Symbol> most; ///< by array of open size
    bool fits = true;

    std::vector<Stmt> of(const std::vector<Stmt>& list) {
      std::vector<Stmt> slice;
      for (size_t k = list.size(); k-- > 0 && fits;)
        if (const Stmt part = of(list[k])) slice.insert(slice.begin(), part);
      return slice;
    }
    Stmt of(const Stmt& s) {
      const auto* made = s.as<Alloc>();
      if (made && isOpen(made->buffer, body)) return sizeOf(s, made->buffer);
      if (made) return needed.contains(made->buffer.name) ? withWhatIsRead(s) : Stmt();
      if (const auto* branch = s.as<If>()) {
        const std::vector<Stmt> otherwise = branch->otherwise ? of(statementsOf(branch->otherwise))
                                                              : std::vector<Stmt>{},
                                then = of(statementsOf(branch->then));
        if (then.empty() && otherwise.empty()) return {};
        needed.merge(freeVars(branch->cond));
        needed.merge(loadedBuffers(branch->cond));
        return makeStmt(s->span,
                        If{branch->cond, block(then), otherwise.empty() ? Stmt() : block(otherwise)});
      }
      // Arrays of open sizes in loops: each step has one of its own.
      fits &= !any<Alloc>(s, [&](const Alloc& inner) { return isOpen(inner.buffer, body); });
      const std::set<Symbol> stored = storedBuffers(s);
      if (!intersect(stored, needed) && !intersect(assignedVars(s), needed)) return {};
      fits &= consistsOf<Block, Assign, Store, For, If>(s) && std::ranges::includes(body.own, stored);
      return withWhatIsRead(s);
    }

  private:
    Stmt withWhatIsRead(const Stmt& s) {
      needed.merge(loadedBuffers(s));
      needed.merge(readScalars(s));
      return s;
    }
    Stmt sizeOf(const Stmt& s, const Buffer& array) {
      const Expr& size = array.extents[0];
      for (size_t d = 1; d < array.extents.size(); ++d) fits &= isBounded(array.extents[d], body);
      fits &= !needed.contains(array.name) && !readsMemory(size);
      needed.merge(freeVars(size));
      const Symbol name = most.emplace(array.name, Symbol("most_of_" + array.name.hint())).first->second;
      return makeStmt(s->span, Assign{name, maxOf(var(name), size)});
    }
  };

  /// The loop that finds the sizes, and the loop with arrays so large; empty where it cannot be.
  std::vector<Stmt> sizesBefore(const Stmt& s, const For& loop, const Body& body) {
    const Builder build{s->span};
    Slice slice{body, {}, {}};
    const Stmt found = block(slice.of(statementsOf(loop.body)));
    // What the sizes follow from is not changed by the loop.
    for (const Symbol& array : storedBuffers(loop.body))
      slice.fits &= !slice.needed.contains(array) || body.own.contains(array);
    if (!slice.fits) return {};
    std::vector<Stmt> out;
    for (const auto& [array, most] : slice.most) {
      out.push_back(build.assign(most, intConst(0)));
      for (Buffer& b : function_.buffers)
        if (b.name == array) b.extents[0] = var(most);
    }
    std::map<Symbol, Symbol> fresh;
    for (const Symbol& name : assignedVars(found))
      if (body.assigned.contains(name)) fresh.emplace(name, Symbol(name.hint()));
    For sizes = loop, large = loop;
    sizes.index = Symbol(loop.index.hint());
    sizes.hints.origins.clear();
    sizes.body = substitute(renameScalars(withOwnArrays(found, function_.buffers), fresh),
                            {{loop.index, var(sizes.index)}});
    out.push_back(makeStmt(s->span, std::move(sizes)));
    large.body = replace<Alloc>(loop.body, [&](const Alloc& made, const Stmt& part) {
      const auto most = slice.most.find(made.buffer.name);
      if (most == slice.most.end()) return Stmt();
      Alloc wide = made;
      wide.buffer.extents[0] = var(most->second);
      return makeStmt(part->span, std::move(wide));
    });
    out.push_back(makeStmt(s->span, std::move(large)));
    return out;
  }
};

} // namespace

void sizeArrays(Function& f, PassContext& ctx) { f.body = Sizing(f, ctx).visit(f.body); }

} // namespace appyc::transform
