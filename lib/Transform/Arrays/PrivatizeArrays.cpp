//===- PrivatizeArrays.cpp - scratch arrays that every iteration writes before it reads are its own -----------===//
//   p[n]                                       for i:
//   for i:                                       p_i[n]
//     p[0] = 0                           =>      p_i[0] = 0
//     for j: p[j] = f(p[j - 1], u[i, j])         for j: p_i[j] = f(p_i[j - 1], u[i, j])
//     for j: u[i, j] = p[j]                      for j: u[i, j] = p_i[j]
// Made once outside, they hold up a loop of which no iteration needs another one (Eigenmann et al., 1991). Only where the loop
// may run in any order then. Where no matrix has rows as long, it asks first what those of all iterations take.
//   systems of three diagonals in 4096 rows of 4096, an H200: one thread, 3 s; predicted a thread a row, 3 ms
#include "Provisos.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {

namespace {

using namespace ir;

/// In its lifetime these sizes are known not to be 0: loops over them are around that have a turn.
class Not0 {
public:
  Not0(analysis::Context& known, const std::set<Symbol>& sizes) : known_(known), around_(known.loops) {
    for (const Symbol& size : sizes)
      turns_.push_back(Builder{}.inOrder(Symbol("k"), intConst(0), var(size), block({})));
    for (const Stmt& turn : turns_) known_.loops.push_back(turn.as<For>());
  }
  ~Not0() { known_.loops = around_; }
  Not0(const Not0&) = delete;
  Not0& operator=(const Not0&) = delete;

private:
  analysis::Context& known_;
  const std::vector<const For*> around_;
  std::vector<Stmt> turns_;
};

bool asLongAsRow(const Function& f, const Expr& length) {
  return std::ranges::any_of(f.buffers, [&](const Buffer& matrix) {
    return matrix.extents.size() > 1 &&
           std::ranges::any_of(matrix.extents, [&](const Expr& e) { return equalIndex(e, length); });
  });
}

/// Arrays that are no one's but the function's, in loops whose iterations write what they read of them.
class Filled : public loops::LoopPass {
public:
  using LoopPass::LoopPass;
  /// By loop and array, with the sizes that must not be 0 for it.
  using Found = std::map<std::pair<const StmtNode*, Symbol>, std::set<Symbol>>;

  Found found() {
    visit(function_.body);
    return std::move(found_);
  }

private:
  Stmt replaced(const Stmt& s, const For& loop) override {
    if (!consistsOf<Block, Assign, Store, For, If>(loop.body)) return {};
    const std::set<Symbol> loaded = loadedBuffers(loop.body), own = allocatedBuffers(loop.body);
    for (const Symbol& array : storedBuffers(loop.body)) {
      const Buffer* b = function_.findBuffer(array);
      if (!b || b->onChip || seen_.count(array) || own.count(array) || !loaded.count(array)) continue;
      if (!mayBeRow(*b) || isByIteration(loop, array)) continue; // before isl is asked
      if (isFilled(loop, *b))
        found_.emplace(std::pair{s.get(), array}, std::set<Symbol>());
      else if (const std::set<Symbol> sizes = sizesOf(loop); isFilledWithout0(loop, *b, sizes))
        found_.emplace(std::pair{s.get(), array}, sizes);
    }
    return {};
  }

  /// As long as a row of some matrix, or by a number that is no size: max(n, m).
  bool mayBeRow(const Buffer& array) const {
    return array.extents.size() == 1 &&
           (!array.extents[0].is<Var>() || asLongAsRow(function_, array.extents[0]));
  }
  /// Does each iteration store into elements that its index tells? Scratch it is not then.
  static bool isByIteration(const For& loop, const Symbol& array) {
    return !any<Store>(
        loop.body, [&](const Store& s) { return s.buffer == array && !mentions(s.index[0], loop.index); });
  }

  std::set<Symbol> sizesOf(const For& loop) const {
    std::set<Symbol> sizes = readScalars(loop.body);
    const auto* all = loop.hi.as<Var>();
    std::erase_if(sizes, [&](const Symbol& s) { return !known_.sizes.count(s) || (all && all->name == s); });
    return sizes;
  }
  /// Where these are not 0? The last element, read by -1, is one of those set before then.
  bool isFilledWithout0(const For& loop, const Buffer& array, const std::set<Symbol>& sizes) {
    const Not0 not0(known_, sizes);
    return !sizes.empty() && isFilled(loop, array);
  }

  /// Would the iteration read nothing else if all of the array were set before it?
  bool isFilled(const For& loop, const Buffer& array) {
    const Builder build;
    std::vector<Expr> extents = array.extents;
    for (Expr& e : extents) // those that are no sizes are any number
      if (!e.is<Var>() && !constantInt(e)) e = var(Symbol("extent"));
    const Stmt all = loops::forAll(build, "k", extents, [&](const std::vector<Expr>& at) {
      return build.store(array, at, constOf(array.type, 0));
    });
    const analysis::Inside inside(known_, loop);
    return analysis::overwrite(statementsOf(loop.body), all, array.name, false, known_);
  }

  const std::set<Symbol> seen_ = interfaceOf(function_); ///< by the caller
  Found found_;
};

class Privatizing : public loops::LoopPass {
public:
  Privatizing(Function& f, PassContext& ctx) : LoopPass(f, ctx), filled_(Filled(f, ctx).found()) {}

  Stmt replaced(const Stmt& s, const For& loop) override {
    if (!isPlainSerial(loop)) return {};
    std::vector<Symbol> found;
    std::set<Symbol> not0;
    for (const Symbol& array : storedBuffers(loop.body))
      if (filled_.count({s.get(), array}) && isReadWhereMade(function_.body, array, s, not0))
        found.push_back(array);
    if (found.empty() || analysis::judgeParallel(loop, known_, live_.after(s)).isFree()) return {};
    const auto holds = [&] {
      Expr all;
      for (const Symbol& size : not0) all = both(all, var(size) >= 1);
      return all;
    };
    const Stmt plain = not0.empty() ? s : withoutEndsWhere(function_, s, holds());
    std::map<Symbol, Symbol> own;
    std::vector<Buffer> made;
    for (const Symbol& array : found) {
      const Buffer& all = function_.buffer(array);
      if (const Expr row = rowOf(plain, all, not0)) {
        made.push_back({Symbol(array.hint()), all.type, {row}});
        own.emplace(array, made.back().name);
      }
    }
    if (own.empty()) return {};
    For apart = *plain.as<For>();
    std::vector<Stmt> body;
    for (const Buffer& b : made) body.push_back(makeStmt(s->span, Alloc{b}));
    body.push_back(renameArrays(apart.body, own));
    apart.body = block(std::move(body));
    const analysis::ParallelVerdict v = analysis::judgeParallel(apart, known_, live_.after(s));
    if (!v.isFree()) return {};
    for (const Buffer& b : made) {
      function_.buffers.push_back(b);
      note(DiagId::Buffered, s,
           "each iteration of loop `{}` has its own `{}`, which it writes before it reads it",
           loop.index.hint(), b.name.hint());
    }
    const Stmt free = makeStmt(s->span, std::move(apart));
    return not0.empty() ? free : Builder{s->span}.when(holds(), free, inTurn(s, function_));
  }

private:
  /// Is what is read of the array, in other loops too, of the iteration that reads it? `at`: the loop in question; `not0`: sizes
  /// that must not be 0 for that.
  bool isReadWhereMade(const Stmt& s, const Symbol& array, const Stmt& at, std::set<Symbol>& not0) const {
    const auto isReadIn = [&](const auto& part) { return part && loadedBuffers(part).count(array) > 0; };
    if (!isReadIn(s)) return true;
    const auto filled = filled_.find({s.get(), array});
    if (filled != filled_.end() && (s == at || !anyStmt(s, [&](const Stmt& part) { return part == at; }))) {
      not0.insert(filled->second.begin(), filled->second.end());
      return true;
    }
    const auto* branch = s.as<If>();
    const auto* loop = s.as<For>();
    if (!s.is<Block>() && !(branch && !isReadIn(branch->cond)) && !(loop && !isReadIn(loop->lo < loop->hi)))
      return false;
    bool areAll = true;
    mapChildren(s, [&](const Stmt& part) {
      areAll = areAll && isReadWhereMade(part, array, at, not0);
      return part;
    });
    return areAll;
  }

  /// How long one for an iteration is: as a row of some matrix, so that those of all take what a matrix takes. Else empty.
  Expr rowOf(const Stmt& loop, const Buffer& array, std::set<Symbol>& not0) {
    constexpr int64_t kShort = 64;
    const Expr whole = array.extents[0];
    if (constantInt(whole).value_or(kShort + 1) <= kShort) return whole;
    if (asLongAsRow(function_, whole)) return whole;
    Expr row;
    for (const Buffer& matrix : function_.buffers)
      for (const Expr& e : matrix.extents) {
        const auto* size = row || matrix.extents.size() < 2 ? nullptr : e.as<Var>();
        if (!size) continue;
        std::set<Symbol> sizes = not0;
        sizes.insert(size->name);
        const Not0 where(known_, sizes);
        if (staysBelow(loop, array.name, e)) row = e;
      }
    if (row) not0.merge(freeVars(row));
    return row;
  }
  bool staysBelow(const Stmt& s, const Symbol& array, const Expr& end) {
    bool all = true;
    const auto look = [&](const auto& access) {
      if (access.buffer == array) all = all && analysis::isInRange(access.index[0], intConst(1), end, known_);
    };
    if (const auto* branch = s.as<If>())
      each<Load>(branch->cond, look);
    else if (!s.is<Block>() && !s.is<For>())
      each<Load>(s, look), each<Store>(s, look);
    analysis::mapInside(known_, s, [&](const Stmt& part) {
      all = all && staysBelow(part, array, end);
      return part;
    });
    return all;
  }

  const Filled::Found filled_;
};

} // namespace

void privatizeArrays(Function& f, PassContext& ctx) { f.body = Privatizing(f, ctx).visit(f.body); }

} // namespace appyc::transform
