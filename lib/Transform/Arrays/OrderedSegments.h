//===- OrderedSegments.h - iterations whose elements lie between ends that memory tells ---------------===//
//   for i in [0, n):                                  ordered = true
//     for e in [p[i], p[i + 1]): x[e] = f(i, e)       for i (in any order):  ordered = ordered and 0 <= p[i] <= p[i + 1] <= size(x)
//                                               =>    if ordered:  for i (in any order): for e ..: x[e] = f(i, e)
//                                                     else:        for i (in order): ..
// Rows of CSR matrices, segments of one array, the adjacent of a vertex. That segments do not meet is a property of data, which
// is asked for once, before the loop.
//   an H200, f64, 100,000 rows of 5 to 39, ms               | before | predicted | now
//   rows divided by their sums; softmax of each (slices)    | 233; 2,167 | 0.1   | 0.06; 0.13
//   numbers of rows; scans                                  | 35; 140    | 0.1   | 0.10; 0.11
//   products at the places of a matrix, 50,000 rows, by 64  | 2,778      | 0.3   | 0.24
#pragma once
#include "appyc/IR/Dsl.h"
#include <map>
#include <optional>
#include <vector>

namespace appyc::transform {

class OrderedSegments {
public:
  /// Level Loop; `loop` is in order so far. What it refers to is to outlive it.
  OrderedSegments(const ir::Function& function, const ir::For& loop, Span span);

  bool found();
  /// The scalar that says whether segments follow each other.
  const Symbol& ordered() const { return ordered_; }
  /// Gives `ordered` its value. Nothing that `outer`, a loop around it, changes is read: it may stand before that.
  bool mayStandBefore(const ir::Stmt& outer) const;
  /// `isBefore`: it may run where the loop itself would not, so that what it reads may not exist.
  ir::Stmt test(bool isBefore) const;
  /// The loop where segments follow each other, its arrays with a dimension more, which counts iterations.
  ir::Stmt apart() const;
  /// What has been made of that, without the dimension.
  ir::Stmt together(const ir::Stmt& judged) const;

private:
  struct Segment {
    ir::Expr lo, hi;
  };
  struct Array {
    Symbol ofIterations; ///< with one dimension more
    size_t axis;
  };
  void readValues(const ir::Stmt& body);
  ir::Expr expanded(const ir::Expr&) const;
  ir::Expr withoutEnds(const ir::Expr&);
  bool isAnEnd(const ir::Expr& value, bool isFromBelow, const ir::Expr& end);
  std::optional<Segment> segmentOf(const ir::Expr& subscript) const;
  bool isPartOf(Segment& all, const Segment& one) const;
  bool takeArray(const Symbol& array);
  bool isOfLoop(const ir::Expr&) const;
  void ask(const ir::Expr& condition);

  const ir::Function& function_;
  const ir::For& loop_;
  ir::Builder build_;
  Symbol ordered_{"ordered"};
  std::set<Symbol> changing_, stored_; ///< scalars of an iteration, arrays that iterations store into
  std::map<Symbol, ir::Expr> values_;  ///< of scalars that are assigned once, of what iterations do not store
  std::map<Symbol, const ir::For*> inner_;
  ir::Stmt body_; ///< without the ends that segments in order do not need
  std::optional<Segment> segment_;
  std::map<Symbol, Array> arrays_;
  std::vector<ir::Expr> asked_; ///< of each iteration
};

} // namespace appyc::transform
