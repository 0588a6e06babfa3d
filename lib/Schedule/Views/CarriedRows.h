//===- CarriedRows.h - rows that an iteration leaves to the next one, as a table of them --------------------===//
#pragma once
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include <optional>

namespace appyc::schedule {

/// A row that each iteration makes of the one that the iteration before has left.
struct CarriedRow {
  enum Form { InPlace, Copied, Swapped } form = InPlace;
  ir::Buffer previous, current; ///< one and the same, in place
  ir::Buffer table;             ///< a row for each iteration, and in front of these the one before them all
  bool isFresh = false;         ///< `current` is made anew by each iteration
  bool isWhole = false;         ///< all of its elements are stored by each iteration
  Symbol at{}; ///< what an iteration fills it with first, if `filling` is not empty, by the place
  ir::Expr filling{};
};

/// Two loops with other statements around the inner one, as a perfect nest. Rows of the iteration before, which the source
/// keeps in place, copies, or lets change names, are those of tables:
///   for i: C[0] = i                              T[0, x] = P[x], T[1.., x] = C[x]
///          for j: C[j] = f(P[j], C[j - 1])   =>  for i: for j: if j is the first: T[i + 1, 0] = i
///          P[:] = C                                            T[i + 1, j] = f(T[i, j], T[i + 1, j - 1])
///                                                P[x] = C[x] = T[last, x]
/// What a step of the inner loop leaves in a scalar for the next one is computed again by that one, or has a table, too. The expansion of arrays of
/// P. Feautrier (1988), of rows; how statements sink into loops is in M. Wolfe's book on parallel compilers (1996).
struct CarriedRows {
  ir::For nest;       ///< perfect; of the iterations [first, end) of the loop, if there are tables
  ir::Stmt otherwise; ///< what runs instead where the inner loop has no iterations; empty where nothing does
  std::vector<CarriedRow> rows;
  std::vector<ir::Buffer> scalars; ///< tables of what each step leaves in a scalar
  ir::Expr count, room;            ///< iterations of the loop; that the tables have room for
  Symbol first{"first"}, end{"end"};

  /// `run`, which is what has been made of the nest, for all of its rows: for as many at once as the tables have room for.
  ir::Stmt inOrder(const ir::Builder&, const ir::For& loop, const ir::Stmt& run) const;
};

/// None where the loop is no such nest, or is one that is perfect as it stands. The tables are none of the function's buffers yet.
std::optional<CarriedRows> carriedRowsOf(const ir::Function& function, const ir::For& loop,
                                         const analysis::Context& known);

} // namespace appyc::schedule
