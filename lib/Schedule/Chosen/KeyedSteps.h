//===- KeyedSteps.h - steps of a serial loop, put in order by an element that the data choose --------------------===//
#pragma once
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include <vector>

namespace appyc::schedule {

///   for i (parallel):  key[i] = k[i]
///   order = the i, by key and then in order
/// The loop has to live as long.
class KeyedSteps {
public:
  KeyedSteps(ir::Function& f, const ir::For& loop, Span span, const analysis::Context& known)
      : function_(f), loop_(loop), known_(known), build_{span} {}

  /// Is it a loop upwards of some length, made of plain statements?
  static bool mayBe(const ir::For& loop);
  /// Do the assignments among `before`, the first statements of a step, tell its `key` by what no step stores?
  bool reads(const ir::Expr& key, const std::vector<ir::Stmt>& before);

  /// Stores the keys and puts the steps in order.
  void emit(std::vector<ir::Stmt>& out);
  ir::Expr steps() const { return analysis::atLeastZero(ir::tripCount(loop_), known_.sizes); }
  /// Number of the step at a place in order.
  ir::Expr stepAt(const ir::Expr& place) const { return ir::load(order_, {place}); }
  ir::Expr keyAt(const ir::Expr& place) const { return ir::load(keys_, {stepAt(place)}); }
  ir::Expr isFirst(const ir::Expr& place) const; ///< of those with its key
  ir::Expr isLast(const ir::Expr& place) const;
  ir::Buffer buffer(const char* name, ir::DType type, const ir::Expr& extent,
                    std::vector<ir::Stmt>& out) const;

private:
  ir::Expr isEdge(const ir::Expr& place, const ir::Expr& end, const ir::Expr& neighbour) const;

  ir::Function& function_;
  const ir::For& loop_;
  const analysis::Context& known_;
  ir::Builder build_;
  ir::Expr key_;
  ir::Stmt keyed_; ///< the assignments that the key wants
  ir::Buffer keys_, order_;
};

} // namespace appyc::schedule
