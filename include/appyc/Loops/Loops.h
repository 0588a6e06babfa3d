//===- Loops.h - what passes do to loops, one step a function ------------------------------------------===//
// A pass finds a loop, asks whether it may, and whether it pays; what it then does is made of these. Each has a picture of
// what it makes of what; where it is not always legal, a question beside it tells.
#pragma once
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Walk.h"
#include <functional>
#include <string>
#include <vector>

namespace appyc::loops {

//===--- nests ------------------------------------------------------------------------------------------===//

/// Loops from the outside in, each alone in the one around it. They live as long as the statement that they are of.
struct Nest {
  std::vector<const ir::For*> loops;
  ir::Stmt body; ///< of the innermost one
};
/// May the loop be one of a nest, in those `around` it?
using IsOfNest = std::function<bool(const ir::For& loop, const std::vector<const ir::For*>& around)>;
/// The perfect nest of the outermost loops of `s` for which `isOfNest` holds; without one, `s` is its body.
Nest perfectNest(const ir::Stmt& s, const IsOfNest& isOfNest = nullptr);
/// `body` in such loops, of which each is changed by `change`.
ir::Stmt nestAround(const ir::Builder&, const std::vector<const ir::For*>& loops, ir::Stmt body,
                    const std::function<void(ir::For&)>& change = nullptr);
/// for i in [0, extents[0]): for i in [0, extents[1]): .. body({i, i, ..}), in any order.
ir::Stmt forAll(const ir::Builder&, const std::string& hint, const std::vector<ir::Expr>& extents,
                const std::function<ir::Stmt(const std::vector<ir::Expr>&)>& body);

/// Loops as one over the product of their trip counts, with all else that the outermost is; where it runs, none is 0.
///   for i in [0, n): for j in [0, m): body  =>  for p in [0, n * m): i = p / m; j = p % m; body
/// What computes the indices stands in front of the body. `least`: of what is divided by, for the compiler.
struct Linear {
  ir::For loop;
  std::vector<ir::Stmt> indices;
};
Linear linearised(const ir::Builder&, const std::vector<ir::For>& loops, const std::string& hint,
                  int64_t least);
/// May it be done: does no bound depend on what is `varying`, as the loops' indices are?
bool mayLinearise(const std::vector<ir::For>& loops, const std::set<Symbol>& varying);

//===--- iterations -------------------------------------------------------------------------------------===//

/// for index in [0, count): body, whose iterations the compiler is to write out.
ir::Stmt unrolled(const ir::Builder&, Symbol index, int64_t count, ir::Stmt body);
/// The same in any order; `lanes`: of the worker that shares it, 0 leaves them open.
ir::Stmt unrolledInAnyOrder(const ir::Builder&, Symbol index, const ir::Expr& count, ir::Stmt body,
                            int lanes = 0, std::vector<ir::Reduction> reductions = {});
/// A loop of constant trip count as its iterations one after another.
ir::Stmt writtenOut(const ir::For& loop);
/// Which iteration of the loop it is, counted from 0, by its index.
ir::Expr positionIn(const ir::For& loop);
/// The same in a nest of loops none of whose trip counts changes in it, the last one counted first.
ir::Expr positionIn(const std::vector<const ir::For*>& nest);
/// How many there are, of which loops without iterations count as one.
ir::Expr pointsOf(const std::vector<const ir::For*>& nest);
/// The iterations [first, end) of a loop, counted from 0:
///   for i in range(lo, hi, step)  =>  for i in range(lo + first * step, lo + end * step, step)
ir::For iterationsOf(ir::For loop, const ir::Expr& first, const ir::Expr& end);
/// The same iterations, counted from another number:
///   for i in [lo, hi): body(i)  =>  for i in [first, hi - lo + first): body(i - first + lo)
ir::For startingAt(ir::For loop, const ir::Expr& first);
/// A perfect nest of two loops the other way round:
///   for i in [a, b): for j in [i + p, q): body  =>  for j in [a + p, q): for i in [a, min(b, j - p + 1)): body
/// Nothing where a bound is another function of the outer index. May be done where iterations may run in any order.
std::optional<ir::For> interchanged(const ir::For& outer);
/// Serial loops inside that begin at the outer index, counted from their start; the stores before the first of them stand at -1:
///   for i: S(i); for j in [i + 1, n): L(i, j)  =>  for i: for t in [-1, 0): S(i)
///                                                         for t in [0, n - i - 1): L(i, t + i + 1)
/// Iterations of one t are the intervals of one length. Nothing where no loop begins so.
std::optional<ir::For> skewed(const ir::For& outer);
/// Those of chunk number c, of so many iterations of `total`:  [c * size, min(c * size + size, total))
ir::For chunkOf(ir::For loop, const ir::Expr& c, const ir::Expr& size, const ir::Expr& total);

/// for i in range(lo, hi, -1)  =>  for i in range(hi + 1, lo + 1)
/// May be done where the iterations may run in any order (analysis::judgeParallel), or no order is asked of what they add up.
ir::For countingUp(ir::For loop);

//===--- reductions -------------------------------------------------------------------------------------===//

/// The loop's reductions in scalars of its own, which start at the identity; what is returned sets them.
///   for i: s = s + a[i]  =>  s_own = 0; for i: s_own = s_own + a[i]
/// The loop then adds nothing to `s`: whoever combines both has what the loop gave, up to the order of the operations.
std::vector<ir::Stmt> privatize(const ir::Builder&, ir::For& loop, const std::string& suffix);

//===--- distribution -----------------------------------------------------------------------------------===//

/// Of the statements of a list those that give these scalars their values, and what that needs.
std::vector<ir::Stmt> sliceOf(const std::vector<ir::Stmt>& list, std::set<Symbol> needed);

/// A perfect nest of two loops as one that stores, and one that folds what has been stored, with what it takes for that.
///   for i: for j: x = f(A[i - 1, j])            for i: for j: x = f(A[i - 1, j]); A[i, j] = x
///                 A[i, j] = x               =>  for i: for j: x = f(A[i - 1, j]); best = max(best, x)
///                 best = max(best, x)
/// Empty where it folds nothing or stores nothing, and where an element that is folded may be stored once more.
struct FoldsApart {
  ir::For stores, folds;
  std::vector<ir::Buffer> kept; ///< an element each iteration of the nest
};
std::optional<FoldsApart> foldsApart(const ir::For& outer, const analysis::Context& known);
/// The same where it folds what it does not store: `stores` keeps that in arrays, whose ends must be known before the nest.
///   worst = max(worst, r)  =>  kept[i, j] = r  and  worst = max(worst, kept[i, j])
std::optional<FoldsApart> foldsOfKept(const ir::For& outer);

//===--- scalars and elements ---------------------------------------------------------------------------===//

/// The statement with names of its own for these scalars, or for all that it assigns: it stands elsewhere as well.
ir::Stmt withOwnScalars(const ir::Stmt& s, const std::set<Symbol>& names);
ir::Stmt withOwnScalars(const ir::Stmt& s);
/// The same but for scalars `shared`, with indices of its own, too, and none of the source's loops: a copy, to stand anywhere.
ir::Stmt asCopy(const ir::Stmt& s, const std::set<Symbol>& shared = {});
/// `value`, or a new variable for it where it is neither a constant nor a variable: it is computed once.
ir::Expr once(const ir::Builder&, const std::string& hint, const ir::Expr& value, std::vector<ir::Stmt>& out);

/// Reads of these scalars as their values; what sets the scalars stays.
ir::Stmt readAs(const ir::Stmt& s, const std::map<Symbol, ir::Expr>& values);
/// The constant, 0 or more, that a scalar is behind these statements; none where that is not known.
std::optional<int64_t> startOf(const Symbol& scalar, const std::vector<ir::Stmt>& before);

/// Does `e` have one value before and after `s`, and in it: does `s` change no scalar or array that it reads?
bool keeps(const ir::Stmt& s, const ir::Expr& e);
/// Is what `store` has stored still there behind `s`, for whoever spells the subscripts as it does?
bool mayForwardOver(const ir::Stmt& s, const ir::Store& store);
/// Loads of the element, spelled as `store` does, are the value instead.
///   A[i] = x; y = A[i] + 1  =>  A[i] = x; y = x + 1
/// May be done where mayForwardOver() holds of all between the store and what is changed.
ir::Expr forwarded(const ir::Expr& e, const ir::Store& store, const ir::Expr& value);
ir::Stmt forwarded(const ir::Stmt& s, const ir::Store& store, const ir::Expr& value);
/// What `store`, which runs for all of `over`, or once without it, puts where `read` looks later; empty where that is not
/// certain. `known`: around the read.
///   for j in [0, n): A[j] = e(j);  x = A[i + 1]  =>  e(i + 1), if 0 <= i + 1 < n
ir::Expr valueStored(const ir::Load& read, const ir::Store& store, const ir::For* over,
                     const analysis::Context& known);
/// A[i] = e  =>  value = e; A[i] = value
struct NamedStore {
  ir::Stmt set, store;
  ir::Expr value; ///< the variable
};
NamedStore withName(const ir::Builder&, ir::Store store, const Symbol& name);

/// May elements with these subscripts be one? Not where two subscripts differ by a number.
bool mayBeSame(const std::vector<ir::Expr>& a, const std::vector<ir::Expr>& b);

//===--- contraction ------------------------------------------------------------------------------------===//

struct Element {
  Symbol array;
  std::vector<ir::Expr> index;
};
/// The element of a smaller array that stands for one; nothing where it stays.
using InPlaceOf =
    std::function<std::optional<Element>(const Symbol& array, const std::vector<ir::Expr>& index)>;
/// Loads and stores go to what stands for the elements:
///   A[i, k] = A[i, k] + x[i]  =>  A_own[k] = A_own[k] + x[i]
/// May be done where what stands for an element holds its value, and no two in use have the same.
ir::Stmt contracted(const ir::Stmt& s, const InPlaceOf& inPlaceOf);
ir::Expr contracted(const ir::Expr& e, const InPlaceOf& inPlaceOf);

//===--- expansion --------------------------------------------------------------------------------------===//

/// Arrays that are made in an iteration with a place for each iteration, by the names that they have so far:
///   for j: v[M]; v[k] = A[k, j]  =>  v_all[n, M]; for j: v_all[j, k] = A[k, j]           or, innermost, v_all[M, n], v_all[k, j]
using Expanded = std::map<Symbol, ir::Buffer>;
ir::Buffer expandedOver(const ir::Buffer&, const ir::Expr& count, bool isInnermost = false);
/// May be done where an iteration stores what it reads of them; `position`: which iteration it is, counted from 0.
ir::Stmt expanded(const ir::Stmt& s, const Expanded& arrays, const ir::Expr& position,
                  bool isInnermost = false);

//===--- divisions --------------------------------------------------------------------------------------===//

/// Divisions of f64 by what is known before the other operand is: most of each can be done early.
///   q = x / d  =>  inverse = Reciprocal(d);  ..;  q = DivideBy(x, d, inverse), right where DividesBy(x, inverse)
class EarlyDivisors {
public:
  using IsEarly = std::function<bool(const ir::Expr&)>;
  explicit EarlyDivisors(IsEarly isEarly) : isEarly_(std::move(isEarly)) {}
  void find(const ir::Expr& e);
  void clear() { divisors_.clear(); }
  const std::vector<ir::Expr>& all() const { return divisors_; }
  /// `e` with inverses, `inverses` by the divisors' places; what is to be tested goes to `tests`.
  ir::Expr prepared(const ir::Expr& e, const std::vector<ir::Expr>& inverses,
                    std::vector<ir::Expr>& tests) const;

private:
  std::optional<size_t> divisorOf(const ir::Binary& division) const;
  IsEarly isEarly_;
  std::vector<ir::Expr> divisors_;
};

//===--- arrays -----------------------------------------------------------------------------------------===//

/// A new array of the function, that is made behind what stands in `out`.
ir::Buffer newArray(ir::Function&, const ir::Builder&, ir::Buffer array, std::vector<ir::Stmt>& out);
/// One that is as another one is there.
ir::Buffer copied(ir::Function&, const ir::Builder&, const std::string& hint, const ir::Buffer& of,
                  std::vector<ir::Stmt>& out);

//===--- on chip ----------------------------------------------------------------------------------------===//

/// The same on chip.
ir::Buffer onChip(ir::Function&, const ir::Builder&, const std::string& hint, ir::DType type,
                  std::vector<ir::Expr> extents, std::vector<ir::Stmt>& out);
/// The same of rows x columns, with one column more: lanes along a column meet different banks of shared memory.
ir::Buffer tileOnChip(ir::Function&, const ir::Builder&, const std::string& hint, ir::DType type,
                      int64_t rows, int64_t columns, std::vector<ir::Stmt>& out);
/// body(r, c) for all cells of rows x columns, which the lanes of a worker share, neighbours along a row:
///   for cell in [0, rows * columns): body(cell / columns, cell % columns)
ir::Stmt forCells(const ir::Builder&, const std::string& hint, int64_t rows, int64_t columns, int lanes,
                  const std::function<ir::Stmt(const ir::Expr& r, const ir::Expr& c)>& body);

/// A piece of memory on chip; a cell that memory has not is 0:
///   for cell: copy[r, c] = exists(r, c) ? value(r, c) : 0
using OfCell = std::function<ir::Expr(const ir::Expr& r, const ir::Expr& c)>;
ir::Stmt staged(const ir::Builder&, const ir::Buffer& copy, int64_t rows, int64_t columns, int lanes,
                const OfCell& exists, const OfCell& value);
/// And back:  for cell: if exists(r, c): array[at(r, c)] = copy[r, c]
ir::Stmt givenBack(const ir::Builder&, const ir::Buffer& copy, int64_t rows, int64_t columns, int lanes,
                   const OfCell& exists, const ir::Buffer& array,
                   const std::function<std::vector<ir::Expr>(const ir::Expr&, const ir::Expr&)>& at);

} // namespace appyc::loops
