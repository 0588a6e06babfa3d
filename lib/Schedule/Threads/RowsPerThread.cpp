//===- RowsPerThread.cpp - a thread makes several elements, one below the other ------------------------===//
//   for i (y): for j (x): B[i, j] = f(A[i, j], A[i + 1, j])
//   => for first (y) step 8: for j (x):
//        if first + 8 <= n: for r in [0, 8), unrolled: B[first + r, j] = f(...)
//        else: for i in [first, n): B[i, j] = f(...)
// More loads are on their way at once, and what neighbouring rows read in common stays in registers.
//
//   measured on an H200, by hand            | predicted            | result
//   go_fast N=12500, f64: 1, 2, 4, 8 rows   | 0.65 ms (4 rows)     | 0.734, 0.638, 0.637, 0.655
//   hdiff 256x256x160, f64: i by 1, 2, 4, 8 | 0.09 ms (4 rows)     | 0.136, 0.122, 0.121, 0.143
//     with blocks of 32 x 4 threads, by 4   |                      | 0.108
//     j by 2, 4                             |                      | 0.148, 0.128
//     whole groups of rows apart, by 2, 4, 8| 0.095 ms (4 rows)    | 0.107, 0.089, 0.087 (0.102 before)
//     by 8, 80 registers instead of 94      | -                    | 0.081; blocks of 32 x 8 0.082, of 32 x 16 0.086
//     by 16, 96 registers; streaming loads  | -                    | 0.082; 0.093
//   saxpy, f32, in unknown steps: 1, 2, 4, 8   | 0.28 ms (4 rows)     | 0.389, 0.319, 0.286, 0.274 (a row, a matrix, a column)
//     inside of matrices; one operand transposed|                     | 0.434, 0.381, 0.361, 0.358; 0.532, 0.473, 0.401, 0.373
//     rows of 10                                |                     | 0.299, 0.264, 0.334, 0.357
//     as `vectorize-lanes` leaves them, of a copy's bandwidth: inside 91 % by 3, 80 by 4; rows of 10 80, 58; transposed 69, 73
//   heat_3d in its time loop: 1, 4, 6 planes| 6 ms (6 planes)      | 8.2, 8.4, 7.7: in the L2 cache, not done
#include "appyc/Analysis/Bounds.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kRowsApart = 2,
                  kRowsOfSmall = 3;  ///< where rows share nothing; of at most four bytes an element
constexpr int64_t kRowsInCommon = 8; ///< where they share loads
constexpr int kRegisters = 80;       ///< of a thread, where they share loads, are enough
constexpr int64_t kFewRows = 64;     ///< fewer are better given to more threads

/// Loops over threads, perfectly nested, over straight code.
struct RowSweep {
  std::vector<Stmt> before;      ///< assignments at the kernel's start
  std::vector<const For*> loops; ///< outside in
  Stmt body;
};

std::optional<RowSweep> sweepOf(const Launch& kernel) {
  std::vector<Stmt> body = statementsOf(kernel.body);
  const auto start = std::find_if(body.begin(), body.end(), [](const Stmt& s) { return !s.is<Assign>(); });
  RowSweep sweep{{body.begin(), start}, {}, {}};
  const auto isFree = [](const For& loop, const auto&) {
    return loop.mapping.is<PerThread>() && firstBlockOf(loop) == 0;
  };
  const auto nest = loops::perfectNest(block({start, body.end()}), isFree);
  sweep.loops = nest.loops, sweep.body = nest.body;
  return isStraight(sweep.body) && sweep.loops.size() > 1 ? std::optional(sweep) : std::nullopt;
}

/// An array that is read and written: stores would hold up the loads of the next row.
bool updatesInPlace(const Stmt& body) {
  const std::set<Symbol> read = loadedBuffers(body), written = storedBuffers(body);
  return intersect(written, read);
}

/// Are two elements some rows apart, and alike otherwise?
bool areRowsApart(const Load& a, const Load& b, const Symbol& row) {
  if (a.buffer != b.buffer) return false;
  bool apart = false;
  for (size_t n = 0; n < a.index.size(); ++n) {
    const auto distance = constantInt(a.index[n] - b.index[n]);
    const analysis::Slope slope = analysis::slopeOf(a.index[n], row);
    if (!distance ||
        (*distance != 0 && (slope.kind != analysis::Slope::Constant || *distance % slope.value != 0)))
      return false;
    apart |= *distance != 0;
  }
  return apart;
}

bool shareLoads(const Stmt& body, const Symbol& row) {
  std::vector<const Load*> loads;
  each<Load>(body, [&](const Load& load) { loads.push_back(&load); });
  for (const Load* a : loads)
    for (const Load* b : loads)
      if (a < b && areRowsApart(*a, *b, row)) return true;
  return false;
}

/// May this loop run innermost, in steps?
bool mayGoInside(const RowSweep& sweep, const For& loop) {
  const auto trip = constantTrip(loop);
  return axisOf(loop) != Axis::X && isConst(loop.step, 1) && (!trip || *trip >= kFewRows) &&
         std::none_of(sweep.loops.begin(), sweep.loops.end(), [&](const For* other) {
           return mentions(other->lo, loop.index) || mentions(other->hi, loop.index);
         });
}

struct Choice {
  const For* loop = nullptr;
  int64_t rows = 0;
  bool areInCommon = false; ///< what they load
};

/// The outermost loop whose rows share loads, else the one next to the fastest.
Choice choose(const RowSweep& sweep) {
  Choice choice;
  int widest = 0; // of what is loaded
  forEachExpr(sweep.body, [&](const Expr& e) {
    each<Load>(e, [&](const Load& load) { widest = std::max(widest, byteSize(load.type)); });
  });
  for (const For* loop : sweep.loops) {
    if (!mayGoInside(sweep, *loop)) continue;
    if (shareLoads(sweep.body, loop->index)) return {loop, kRowsInCommon, true};
    if (axisOf(*loop) == Axis::Y)
      choice = {loop, widest > 0 && widest <= 4 ? kRowsOfSmall : kRowsApart, false};
  }
  return choice;
}

/// min(max(ceil(n / places), 1), most) becomes the same for other places, times / over as many.
Expr withPlaces(const Expr& blocks, int64_t times, int64_t over) {
  const auto* most = blocks.as<Binary>();
  const auto* least = most && most->op == BinaryOp::Min ? most->lhs.as<Binary>() : nullptr;
  const auto* quotient = least && least->op == BinaryOp::Max ? least->lhs.as<Binary>() : nullptr;
  const bool isQuotient = quotient && quotient->op == BinaryOp::FloorDiv;
  const auto places = isQuotient ? constantInt(quotient->rhs) : std::nullopt;
  if (!least || least->op != BinaryOp::Max || (!places && over > 1))
    return ceilDiv(blocks * over, intConst(times));
  const Expr count = places ? quotient->lhs - (*places - 1) : least->lhs;
  return minOf(maxOf(ceilDiv(count, intConst(places.value_or(1) * times / over)), least->rhs), most->rhs);
}

/// Eight rows where there are as many: no test stands between them, so that each may use what others load.
Stmt rowByRow(const For& rows, const Symbol& first, const Stmt& body) {
  const Builder build{body->span};
  const Symbol r("r"), own(rows.index.hint());
  const Stmt row =
      block({build.assign(own, var(first) + var(r)), substitute(body, {{rows.index, var(own)}})});
  const Expr exist = var(first) + kRowsInCommon <= rows.hi;
  return build.when(exist, loops::unrolledInAnyOrder(build, r, intConst(kRowsInCommon), row),
                    build.inAnyOrder(rows.index, var(first), rows.hi, body));
}
/// for r in [0, count): if first + r < n: the loads of all rows may begin at once.
Stmt sideBySide(const For& rows, int64_t count, const Symbol& first, const Stmt& body) {
  const Builder build{body->span};
  const Symbol r("r");
  const Expr row = var(first) + var(r);
  return loops::unrolledInAnyOrder(build, r, intConst(count),
                                   build.when(row < rows.hi, substitute(body, {{rows.index, row}})));
}

Launch withRows(const Launch& kernel, const RowSweep& sweep, const Choice& choice,
                const cost::Device& device) {
  const For& rows = *choice.loop;
  const Symbol first(rows.index.hint() + "_first");
  Stmt body = choice.areInCommon ? rowByRow(rows, first, sweep.body)
                                 : sideBySide(rows, choice.rows, first, sweep.body);
  body = loops::nestAround({sweep.body->span}, sweep.loops, body, [&](For& loop) {
    if (loop.index != rows.index) return;
    loop.index = first;
    loop.step = intConst(choice.rows);
  });
  std::vector<Stmt> all = sweep.before;
  all.push_back(body);
  Launch wide = kernel;
  wide.body = block(std::move(all));
  Expr& blocks = wide.shape.grid[static_cast<int>(*axisOf(rows))];
  blocks = withPlaces(blocks, choice.rows, 1);
  if (choice.areInCommon) wide.shape.threadsAtOnce = device.threadsWith(kRegisters);
  // Registers hold what rows share: smaller blocks leave more of them to each thread.
  if (choice.areInCommon && axisOf(rows) != Axis::Y && wide.shape.block[1] % 2 == 0) {
    wide.shape.block[1] /= 2;
    wide.shape.grid[1] = withPlaces(wide.shape.grid[1], 1, 2);
  }
  return wide;
}

Stmt withRows(const Stmt& s, PassContext& ctx) {
  // Time loops sweep over the same arrays again and again, which come from the cache.
  if (s.is<For>() || s.is<While>()) return s;
  if (!s.is<Launch>()) return mapChildren(s, [&](const Stmt& child) { return withRows(child, ctx); });
  const Launch* kernel = openKernel(s);
  const std::optional<RowSweep> sweep = kernel ? sweepOf(*kernel) : std::nullopt;
  const Choice choice = sweep && !updatesInPlace(sweep->body) ? choose(*sweep) : Choice{};
  if (!choice.loop) return s;
  ctx.diag.report(
      DiagId::Parallelised, s->span,
      fmt::format("a thread makes {} elements along `{}`", choice.rows, choice.loop->index.hint()));
  return makeStmt(s->span, withRows(*kernel, *sweep, choice, ctx.device));
}

} // namespace

void rowsPerThread(Function& f, PassContext& ctx) { f.body = withRows(f.body, ctx); }

} // namespace appyc::schedule
