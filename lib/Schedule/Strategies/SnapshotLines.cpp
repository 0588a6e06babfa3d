//===- SnapshotLines.cpp - nests that read a row and a column which they change on the way ---------------===//
//   for i: for j:                             for i: c[i] = A[i, k];  C[i] = what the nest makes of it   # parallel
//     A[i, j] = f(A[i, j],             =>     for j: r[j] = A[k, j];  R[j] = what the nest makes of it
//                 A[i, k], A[k, j])           for i: for j:
//                                               A[i, j] = f(A[i, j], c[i] if j <= k else C[i], r[j] if i <= k else R[j])
// In order, elements behind column k read that as it has become, and those below row k likewise; what these become takes
// nothing but themselves and A[k, k], before and after. So it is made first, and each element goes through the value that it has
// in order, whatever f is: all-pairs shortest paths, with negative cycles and nan. Several arrays may be
// updated alike (paths and the way there), and f may be statements with branches.
//   N=2000, f64, an H200: 7000 ms in order; predicted 60, measured 23 to 31
#include "LineNests.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

/// What stands for the elements of an updated array.
using Reading = std::function<Expr(const Updated&, Element)>;

class Snapshot : LineNest {
public:
  Snapshot(Function& f, LineNest nest, const analysis::Context& known)
      : LineNest(std::move(nest)), function_(f), known_(known) {}

  Stmt run(Span span) {
    const Builder build{span};
    std::vector<Stmt> out;
    std::erase_if(function_.buffers, [&](const Buffer& b) { return gone.count(b.name) > 0; });
    for (Updated& u : updated)
      for (int after = 0; after < 2; ++after) {
        if (u.takesColumn) makeLine(u, u.column[after], "column", outer, build, out);
        if (u.takesRow) makeLine(u, u.row[after], "row", inner, build, out);
      }
    if (ofColumn) out.push_back(sweep(build, outer, true));
    if (ofRow) out.push_back(sweep(build, inner, false));
    out.push_back(nest(build));
    return build.make(Block{std::move(out)});
  }

private:
  void makeLine(const Updated& u, Buffer& line, const char* hint, const For& along, const Builder& build,
                std::vector<Stmt>& out) {
    line = {Symbol(hint), u.array.type, {analysis::atLeastZero(along.hi - along.lo, known_)}};
    function_.buffers.push_back(line);
    out.push_back(build.alloc(line));
  }

  /// What an iteration does, with the own elements in scalars: the first ones of `own`, in the order of the arrays.
  std::vector<Stmt> iterationAt(const Builder& build, const Expr& i, const Expr& j,
                                const std::vector<Expr>& own, const Reading& early,
                                const Reading& late) const {
    const auto scalarOf = [&](const Symbol& array) {
      const auto found = std::ranges::find(updated, array, [](const Updated& u) { return u.array.name; });
      return found == updated.end() ? Expr() : own[static_cast<size_t>(found - updated.begin())];
    };
    std::map<Symbol, Expr> renamed{{outer.index, i}, {inner.index, j}};
    const std::map<Symbol, DType> types = [&] {
      std::map<Symbol, DType> all = assignedTypes(before);
      all.merge(assignedTypes(inner.body));
      return all;
    }();
    for (const auto& [name, type] : types) renamed[name] = var(Symbol(name.hint()), type);
    const auto take = [&](const Stmt& s, const Reading& lines) {
      const Stmt read = replace<Load>(s, [&](const Load& l) -> Expr {
        const Updated* u = updatedBy(l.buffer);
        if (!u) return {};
        const Element element = *elementOf(*u, l);
        return element == Element::Own ? scalarOf(l.buffer) : lines(*u, element);
      });
      return rewrite(substitute(read, renamed), [&](const Stmt& part) -> Stmt {
        if (const auto* store = part.as<Store>())
          return build.assign(scalarOf(store->buffer).as<Var>()->name, store->value);
        const auto* assign = part.as<Assign>();
        const auto found = assign ? renamed.find(assign->var) : renamed.end();
        return found == renamed.end() ? Stmt() : build.assign(found->second.as<Var>()->name, assign->value);
      });
    };
    return {take(before, early), take(inner.body, late)};
  }

  /// Scalars with the elements at (i, j) as they are.
  std::vector<Expr> elements(const Builder& build, const std::string& hint, const Expr& i, const Expr& j,
                             std::vector<Stmt>& out) const {
    std::vector<Expr> all;
    for (const Updated& u : updated) all.push_back(build.let(hint, load(u.array, u.at(i, j)), out));
    return all;
  }
  Expr of(const std::vector<Expr>& all, const Updated& u) const {
    return all[static_cast<size_t>(&u - updated.data())];
  }

  /// The column of all rows, or the row of all columns: before, and what the nest makes of it.
  Stmt sweep(const Builder& build, const For& along, bool isColumn) {
    const Symbol x(along.index.hint());
    const Expr i = isColumn ? var(x) : ofRow, j = isColumn ? ofColumn : var(x);
    const Expr turn = isColumn ? ofRow : ofColumn; // from where on the other line is another one
    std::vector<Stmt> body;
    const std::vector<Expr> first = elements(build, "before", i, j, body);
    // Where the two lines meet, before and after.
    std::vector<Expr> corner, cornerAfter;
    if (turn) {
      corner = elements(build, "corner", ofRow, ofColumn, body);
      for (const Updated& u : updated) cornerAfter.push_back(build.let("corner_after", of(corner, u), body));
      const Reading same = [&](const Updated& u, Element) { return of(corner, u); };
      for (Stmt& s : iterationAt(build, ofRow, ofColumn, cornerAfter, same, same))
        body.push_back(std::move(s));
    }
    std::vector<Expr> after;
    for (const Updated& u : updated) after.push_back(build.let("after", of(first, u), body));
    const Reading early = [&](const Updated& u, Element) { return of(isColumn ? first : corner, u); };
    const Reading late = [&](const Updated& u, Element e) {
      const Expr own = of(first, u);
      if ((e == Element::Column) == isColumn) return own;
      return select(var(x) <= turn, of(corner, u), of(cornerAfter, u));
    };
    for (Stmt& s : iterationAt(build, i, j, after, early, late)) body.push_back(std::move(s));
    for (const Updated& u : updated) {
      if (!(isColumn ? u.takesColumn : u.takesRow)) continue;
      const Buffer* lines = isColumn ? u.column : u.row;
      body.push_back(build.store(lines[0], {var(x) - along.lo}, of(first, u)));
      body.push_back(build.store(lines[1], {var(x) - along.lo}, of(after, u)));
    }
    return build.inAnyOrder(x, along.lo, along.hi, block(std::move(body)));
  }

  /// All elements, from the lines.
  Stmt nest(const Builder& build) const {
    const Expr i = var(outer.index) - outer.lo, j = var(inner.index) - inner.lo;
    const auto take = [&](const Stmt& s, bool early) {
      return replace<Load>(s, [&](const Load& l) -> Expr {
        const Updated* u = updatedBy(l.buffer);
        if (!u) return {};
        switch (*elementOf(*u, l)) {
        case Element::Own: return {};
        case Element::Column:
          if (early) return load(u->column[0], {i});
          return select(var(inner.index) <= ofColumn, load(u->column[0], {i}), load(u->column[1], {i}));
        case Element::Row: break;
        }
        return select(var(outer.index) <= ofRow, load(u->row[0], {j}), load(u->row[1], {j}));
      });
    };
    For within = inner, around = outer;
    within.order = around.order = Order::Proven;
    within.body = take(inner.body, false);
    std::vector<Stmt> body = statementsOf(take(before, true));
    body.push_back(build.make(std::move(within)));
    around.body = block(std::move(body));
    return build.make(std::move(around));
  }

  Function& function_;
  const analysis::Context& known_;
};

struct Snapshots : loops::LoopPass {
  using LoopPass::LoopPass;

  bool enters(const Stmt& s) const override { return !s.is<For>() || isSerial(*s.as<For>()); }
  Stmt replaced(const Stmt& s, const For& loop) override {
    const auto nest = isSerial(loop) ? lineNestOf(function_, loop, known_) : std::nullopt;
    if (!nest) return {};
    note(DiagId::Parallelised, s,
         "the row and the column that it reads and changes are made first, as they are before and after: so "
         "all its elements are parallel");
    return Snapshot(function_, *nest, known_).run(s->span);
  }
};

} // namespace

void snapshotLines(Function& f, PassContext& ctx) { f.body = Snapshots(f, ctx).visit(f.body); }

} // namespace appyc::schedule
