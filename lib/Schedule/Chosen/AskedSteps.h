//===- AskedSteps.h - steps of a serial loop that ask for elements of other steps, which the data name --------===//
#pragma once
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace appyc::schedule {

/// A view: a serial loop whose steps store elements of their own, of each array those at the step's place along one axis, and
/// load those of steps that the data name.
///   for i: x[i] = f(x[p[i]])
class AskedSteps {
public:
  AskedSteps(const ir::Function& f, const ir::For& loop, Span span, const analysis::Context& known,
             const std::set<Symbol>& liveAfter)
      : function_(f), loop_(loop), build_{span}, known_(known), liveAfter_(liveAfter) {}

  bool reads();
  const ir::For& loop() const { return loop_; }
  /// May what a step asks for be told without any step?
  bool asksWithoutAsking() const;

  /// What is done where a step asks for the one at an index, which may be any.
  using Ask = std::function<ir::Stmt(const ir::Expr& at)>;
  /// The step with `ask` done before each load of another one's element.
  ir::Stmt asking(const Ask& ask) { return asking(loop_.body, ask); }
  /// Elements that later steps store are read as they were: from copies, which are made here. Before asking().
  void copyWhatIsReadLater(ir::Function&, std::vector<ir::Stmt>& out);

private:
  /// Along one axis, a step's own elements: `start` + its index, or `start` - its index.
  struct Own {
    size_t axis;
    ir::Expr start;
    bool isDown;
  };
  struct Asked {
    ir::Expr step, at;
  };

  bool isOfHost(const ir::Expr&) const;
  bool findOwnElements();
  bool isFresh(const Symbol& array) const;
  bool isStoredLast(const Symbol& array) const;
  bool isFilled(const Symbol& array) const;

  std::optional<Own> ownElement(const ir::Store&) const;
  /// The step whose element a load of an array that is stored reads.
  ir::Expr stepOf(const ir::Load&) const;
  bool isOfOther(const ir::Load&) const;
  /// Does what the step has stored itself say whether it asks? Its lanes need not see that at once, and all of them ask together.
  bool asksByOwn() const;
  /// The steps that a condition has asked for wherever it holds.
  std::vector<ir::Expr> askedBy(const ir::If&) const;
  bool asksOthers(const ir::Expr&) const;
  bool isNamedByData(const ir::Load&) const;

  ir::Stmt asking(const ir::Stmt&, const Ask&);
  ir::Expr asking(const ir::Expr&, const ir::Expr& when, const Ask&, std::vector<ir::Stmt>& out);
  void askForAll(const ir::For&, const Ask&, std::vector<ir::Stmt>& out);

  const ir::Function& function_;
  const ir::For loop_;
  ir::Builder build_;
  const analysis::Context& known_;
  const std::set<Symbol>& liveAfter_;
  std::map<Symbol, Own> own_;       ///< of arrays that are stored
  std::map<Symbol, Symbol> before_; ///< copies of arrays, by their names
  std::vector<Asked> asked_;        ///< by all iterations of loops around, and by conditions, before these
  std::vector<Asked> made_;         ///< by the expressions of the statement at hand
};

} // namespace appyc::schedule
