//===- Affine.h - ir index arithmetic as isl's textual constraints ----------------------------------===//
// isl reads and writes sets as text; formulas are built as text because that is short, printable and exact.
#pragma once
#include "appyc/Analysis/Dependence.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace appyc::analysis {

/// An affine term: `text` may use existential variables, which `exists` lists and `constraints` pin down.
struct Term {
  std::string text;
  std::vector<std::string> exists;
  std::vector<std::string> constraints;
};

void append(Term& to, const Term& from); ///< exists and constraints only
/// "exists (a, b : c1 and c2)" or "c1 and c2" or "true".
std::string formula(const Term& t);

/// Names of everything a formula mentions. One Scope serves one question, so that names agree across its
/// formulas.
class Scope {
public:
  explicit Scope(const Context& context) : context_(context) {}

  /// What a variable stands for inside the formula at hand; nullopt: any value (opaque). Unbound ones are
  /// parameters.
  std::map<Symbol, std::optional<Term>> bindings;
  /// Buffers that change while the formulas hold: elements of others at fixed places are fixed values.
  std::set<Symbol> stored;
  bool memoryChanges = false; ///< every buffer may change
  /// Shall values that depend on a case (max(a, b)) be parameters? What each is then, of those so far.
  bool namesCases = false;
  std::vector<Term> cases;

  /// What is not affine but has one value throughout becomes a parameter of its own.
  std::optional<Term> translate(const ir::Expr& e);
  /// A Bool expression as a constraint; `exists`/`constraints` of the result qualify it.
  std::optional<Term> condition(const ir::Expr& e);

  std::string fresh(const std::string& stem);
  /// "[p1, p2]": all parameters so far.
  std::string paramList(const std::string& more = "") const;
  /// Constraints on parameters: sizes are not negative, enclosing loops' indices lie in their ranges. Sizes that are no
  /// parameters by then are left out: nothing says more of them, and each would make every formula longer.
  Term contextConstraints();
  /// The sizes of the context that are parameters by now, as texts.
  std::vector<std::string> sizes() const;
  /// At least `count` (a text) iterations: the constraint, if the bounds are affine.
  std::optional<Term> tripAtLeast(const ir::For& loop, const std::string& count);
  /// What a parameter stands for, I64; empty when there is no such parameter.
  ir::Expr meaning(const std::string& param) const;
  /// All parameters so far, with what each stands for.
  const std::vector<std::pair<std::string, ir::Expr>>& params() const { return params_; }
  const Context& context() const { return context_; }

private:
  const std::string* known(const ir::Expr& meaning) const;
  std::string param(const ir::Expr& meaning);
  std::optional<Term> affine(const ir::Expr& e);
  std::optional<Term> affineBinary(const ir::Binary& b, const ir::Expr& e);
  std::optional<Term> variable(const ir::Var& v, const ir::Expr& e);
  Term piecewise(const ir::Expr& e, const Term& cond, const Term& then, const Term& otherwise);
  bool isFixed(const ir::Expr& e) const;
  const Context& context_;
  std::vector<std::pair<std::string, ir::Expr>> params_;
  int counter_ = 0;
};

/// lo <= index < hi with the step: constraints on the dimension named `dim`. False: some part was not affine
/// (left out).
bool rangeConstraints(Scope& scope, const ir::For& loop, const std::string& dim, Term& out);

} // namespace appyc::analysis
