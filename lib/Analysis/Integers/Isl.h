//===- Isl.h - the isl context of one question ------------------------------------------------------===//
#pragma once
#include "Affine.h"
#include "Linear.h"
#include <algorithm>
#include <functional>
#include <isl/ast_type.h>
#include <isl/cpp.h>
#include <isl/map.h>
#include <isl/set.h>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

namespace appyc::analysis {

/// A node of isl's syntax trees.
struct Formed {
  isl_ast_expr_type type = isl_ast_expr_int;
  isl_ast_op_type op = isl_ast_op_error;
  long number = 0;
  std::string name{};
  std::vector<Formed> args{};
};

/// What the questions of one file have found and cost so far.
struct Session {
  std::unordered_map<std::string, std::optional<bool>> answers;      ///< of askOnce
  std::unordered_map<std::string, std::optional<std::string>> sets;  ///< of conditionOnce
  std::unordered_map<std::string, std::optional<Formed>> conditions; ///< of sets
  int toIsl = 0;                                                     ///< how many isl was asked
  unsigned long operations =
      300'000; ///< what one question may take: about a tenth of a second where sets are small

  /// A question has taken all it may. Where one does, many do: the next ones get less.
  void noteExhaustion() { operations = std::max(operations / 3, 5'000UL); }
};
Session& session();

/// Runs `question` with a fresh isl context bounded in work; nullopt when isl gives up (too much work, or more than
/// `most`) or refuses the text. isl's C++ binding reports by exceptions; they end here.
template <class T>
std::optional<T> askIsl(const std::function<T(isl::ctx)>& question,
                        unsigned long most = std::numeric_limits<unsigned long>::max()) {
  std::unique_ptr<isl_ctx, void (*)(isl_ctx*)> raw(isl_ctx_alloc(), [](isl_ctx* c) { isl_ctx_free(c); });
  isl_options_set_on_error(raw.get(), ISL_ON_ERROR_CONTINUE);
  const unsigned long allowed = session().operations;
  ++session().toIsl;
  isl_ctx_set_max_operations(raw.get(), std::min(allowed, most));
  try {
    return question(isl::ctx(raw.get()));
  } catch (const isl::exception&) {
    if (allowed <= most && isl_ctx_last_error(raw.get()) == isl_error_quota) session().noteExhaustion();
    return std::nullopt;
  }
}

/// A yes or no that depends on `text` alone: asked once, then remembered. Functions of a file often put the same
/// question.
std::optional<bool> askOnce(const std::string& text, const std::function<std::optional<bool>()>& question);
/// The same, of isl.
std::optional<bool> askIslOnce(const std::string& text, const std::function<bool(isl::ctx)>& question);
/// Does the formula "[p, q] -> { : .. }" hold nowhere? False where that is not shown.
bool holdsNowhere(const std::string& text);

/// A set of parameters that depends on `text` alone as conditionExpr().
ir::Expr conditionOnce(const std::string& text, const Scope& scope,
                       const std::function<isl::set(isl::ctx)>& question);

/// "[p, q] -> { S[i] -> B[x] : formula }" and "[p, q] -> { : formula }" (Affine.h) as isl has them.
isl::map readMap(isl::ctx ctx, const std::string& text);
isl::set readParams(isl::ctx ctx, const std::string& text);
isl::set paramsOf(isl::ctx ctx, const std::vector<std::string>& params, const Union& systems);
/// Adds to `all` what of `more` does not say the same as something there; false if that is nothing.
bool addDifferent(Union& all, const Union& more);

/// Two relations S -> B, and which pairs of points count, S[i] -> S[j].
struct Meeting {
  std::string first, second, pairs;
  auto operator<=>(const Meeting&) const = default;
};
/// Small values for two points, the parameters and an element that both points have.
struct Touch {
  std::vector<int64_t> points, params, element;
};
/// Parts of a union, of what is known of it, and of that with what is given: what tells whether the union holds.
struct Condition {
  Union holds;
  System known, given;
};
/// What is decided without isl, of formulas that are each read once.
class Meetings {
public:
  explicit Meetings(std::string known) : known_(std::move(known)) {}
  /// Is there no pair of points that counts and has an element in common? Nothing where neither is shown.
  std::optional<bool> never(const Meeting& m);
  const std::string& known() const { return known_; }
  /// As smallSample() has them: the first in the order of Touch. Nothing where that is not found.
  std::optional<Touch> smallest(const Meeting& m);
  /// The parameters at which there is such a pair, over columns for 1 and them. Nothing where that is not found.
  std::optional<Union> where(const Meeting& m);
  /// Does `where` hold wherever `large`, a formula that speaks of t, does for a t above some number? Nothing where neither is
  /// shown.
  std::optional<bool> holdsWhere(const Union& where, const std::string& large);
  /// What of `where` does not follow from what is known, and what of that and of `given`, a formula of parameters, has to do
  /// with it. Nothing where some of it is not one system.
  std::optional<Condition> condition(Union where, const std::string& given);
  const std::vector<std::string>& params() {
    return formula(known_)->params;
  } ///< known() is known to be read

private:
  class Joint;
  bool place(const Meeting& m, Joint& joint, bool pointsFirst);
  std::optional<bool> decide(const Meeting& m);
  const std::optional<Formula>& formula(const std::string& text);

  std::string known_;
  std::unordered_map<std::string, std::optional<Formula>> read_; ///< references to its values stay
  std::map<Meeting, std::optional<bool>> answers_;
};
/// Do no two points that count have an element in common, where what is `known` holds? False where that is not shown.
bool noneMeet(Meetings& quickly, const std::set<Meeting>& meetings);
bool noneMeet(const std::string& known, const std::set<Meeting>& meetings);

/// Pairs of one point with itself, in the space of `pairs`.
inline isl::map sameIn(const isl::map& pairs) {
  return isl::manage(isl_map_identity(isl_map_get_space(pairs.get())));
}

/// Relations of one question, under what is known of the parameters; each text is read once.
class Relations {
public:
  Relations(isl::ctx ctx, const isl::set& known) : ctx_(ctx), known_(known) {}

  const isl::map& operator[](const std::string& text) {
    auto it = maps_.find(text);
    if (it == maps_.end()) it = maps_.emplace(text, readMap(ctx_, text).intersect_params(known_)).first;
    return it->second;
  }

  /// Pairs of different points of the relations' that have an element in common.
  isl::map apart(const std::string& first, const std::string& second) {
    isl::map pairs = (*this)[first].apply_range((*this)[second].reverse());
    return pairs.subtract(sameIn(pairs));
  }

private:
  isl::ctx ctx_;
  isl::set known_;
  std::unordered_map<std::string, isl::map> maps_;
};

/// A set of parameters as a Bool expression; empty when it is too long to be worth a test or cannot be
/// written.
ir::Expr conditionExpr(const isl::set& params, const Scope& scope);

/// Small values for the dimensions and then the parameters of a set that is not empty.
struct Sample {
  std::vector<long> dims;
  std::vector<std::pair<std::string, long>> params;
};
Sample smallSample(const isl::set& set);

} // namespace appyc::analysis
