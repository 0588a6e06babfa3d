//===- Facts.cpp - what is known of sizes and scalars, as it grows --------------------------------------===//
// Facts often leave alternatives (`n == 1 or n == m`), which would multiply in one formula of all. So what surely holds
// stands together, alternatives that cannot hold with it are dropped, and one that is left alone surely holds. What then is
// open is tried in turn, from what a question speaks of to what that is tied to.
#include "Affine.h"
#include "Linear.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <ranges>

namespace appyc::analysis {

namespace {

using Variables = std::vector<bool>;

void mark(Variables& variables, const Row& row) {
  if (variables.size() < row.size()) variables.resize(row.size());
  for (size_t i = 1; i < row.size(); ++i)
    if (row[i] != 0) variables[i] = true;
}
void unite(Variables& all, const Variables& more) {
  if (all.size() < more.size()) all.resize(more.size());
  for (size_t i = 0; i < more.size(); ++i)
    if (more[i]) all[i] = true;
}
bool speaksOf(const Union& clause, const Variables& variables) {
  for (const System& s : clause)
    for (const Constraint& c : s)
      for (size_t i = 1; i < c.row.size() && i < variables.size(); ++i)
        if (c.row[i] != 0 && variables[i]) return true;
  return false;
}

/// What is known at one place, as one of each clause's alternatives holds.
class Known {
public:
  /// False: no call comes here.
  bool add(Union clause) {
    if (std::ranges::any_of(open_, [&](const Clause& c) { return *c.ways == clause; })) return true;
    touch(clause);
    Ways ways = std::make_shared<const Union>(std::move(clause));
    narrow(ways);
    isPossible_ &= !ways->empty();
    open_.push_back({std::move(ways), clauses_++});
    return propagate();
  }

  size_t cases = 0; ///< how many of the scope's are in it
  /// From here on, only what is tied to new clauses is of interest.
  void settle() { touched_.clear(); }
  void setImpossible() { isPossible_ = false; }

  /// Is there a call at which all of it holds? True where too much would have to be tried. `conflicts`: how often trials
  /// left nothing of each clause; those of many are tried first (F. Boussemart et al., 2004: nothing took over 100 trials
  /// of what had taken up to 500 by the number of alternatives alone).
  bool isSatisfiable(int& trials, std::vector<size_t>& conflicts) const {
    if (!isPossible_) return false;
    conflicts.resize(std::max(conflicts.size(), clauses_));
    auto least = open_.end();
    const auto isBetter = [&](const Clause& a, const Clause& b) {
      return a.ways->size() * (1 + conflicts[b.id]) < b.ways->size() * (1 + conflicts[a.id]);
    };
    for (auto it = open_.begin(); it != open_.end(); ++it)
      if (speaksOf(*it->ways, touched_) && (least == open_.end() || isBetter(*it, *least))) least = it;
    if (least == open_.end()) return true;
    for (const System& choice : *least->ways) {
      if (--trials < 0) return true;
      Known chosen = *this;
      chosen.open_.erase(chosen.open_.begin() + (least - open_.begin()));
      chosen.hold(choice);
      if (chosen.propagate(&conflicts) && chosen.isSatisfiable(trials, conflicts)) return true;
    }
    return false;
  }

private:
  using Ways = std::shared_ptr<const Union>; ///< what is tried shares what it does not change
  struct Clause {
    Ways ways;
    size_t id;            ///< its place among all that were added
    bool isNarrow = true; ///< narrowing it by what is sure now changes nothing
  };

  void touch(const Union& clause) {
    for (const System& s : clause)
      for (const Constraint& c : s) mark(touched_, c.row);
  }
  void hold(const System& system) {
    Variables about;
    for (Constraint c : system)
      if (sure_.reduce(c.row)) mark(about, c.row);
    sure_.spread(about);
    for (Clause& clause : open_) clause.isNarrow = clause.isNarrow && !speaksOf(*clause.ways, about);
    unite(touched_, about);
    sure_.spread(touched_);
    for (const Constraint& c : system) sure_.add(c);
    sure_.markSolved(touched_); // clauses may speak of them yet
  }

  /// Drops alternatives that cannot hold. True: it says something else now.
  bool narrow(Ways& ways) const {
    Union left;
    bool isNew = false;
    for (const System& before : *ways) {
      System system = before;
      Variables about;
      std::erase_if(system, [&](Constraint& c) {
        isNew |= sure_.speaksOfSolved(c.row);
        return !sure_.reduce(c.row);
      });
      for (const Constraint& c : system) mark(about, c.row);
      Conjunction all = sure_.tiedTo(std::move(about));
      for (const Constraint& c : system) all.add(c);
      if (all.isEmpty().value_or(false))
        isNew = true;
      else
        left.push_back(std::move(system));
    }
    if (isNew) ways = std::make_shared<const Union>(std::move(left));
    return isNew;
  }

  bool propagate(std::vector<size_t>* conflicts = nullptr) {
    for (bool isNew = true; isNew && isPossible_;) {
      isNew = false;
      for (size_t i = 0; i < open_.size() && isPossible_; ++i) {
        Clause& clause = open_[i];
        if ((clause.isNarrow && clause.ways->size() > 1) || !speaksOf(*clause.ways, touched_)) continue;
        if (!clause.isNarrow && narrow(clause.ways)) {
          isNew = true;
          touch(*clause.ways);
        }
        clause.isNarrow = true;
        isPossible_ = !clause.ways->empty();
        if (!isPossible_ && conflicts) ++(*conflicts)[clause.id];
        if (clause.ways->size() != 1) continue;
        isNew = true;
        const System left = clause.ways->front();
        open_.erase(open_.begin() + i--);
        hold(left);
      }
      isPossible_ &= !sure_.isContradictory();
    }
    return isPossible_;
  }

  Conjunction sure_;
  std::vector<Clause> open_;
  size_t clauses_ = 0; ///< that were added
  Variables touched_;  ///< of which something new has been said
  bool isPossible_ = true;
};

/// The parts of a condition that all hold.
void conjuncts(const ir::Expr& e, bool negated, std::vector<ir::Expr>& all) {
  if (const auto* u = e.as<ir::Unary>(); u && u->op == ir::UnaryOp::LogicalNot)
    return conjuncts(u->arg, !negated, all);
  const auto* b = e.as<ir::Binary>();
  if (b && b->op == (negated ? ir::BinaryOp::LogicalOr : ir::BinaryOp::LogicalAnd))
    return conjuncts(b->lhs, negated, all), conjuncts(b->rhs, negated, all);
  all.push_back(negated ? ir::unary(ir::UnaryOp::LogicalNot, e) : e);
}

} // namespace

struct Facts::State {
  std::set<Symbol> changing; ///< scalars that the function assigns
  Context context;
  Scope scope{context};
  std::vector<size_t> columns{0}; ///< of the parameters of `scope`
  size_t lastColumn = 0;
  std::vector<ir::Expr> facts;
  std::vector<Known> known{Known()};     ///< before any fact, and after each that a question was asked behind
  std::map<std::string, size_t> refuted; ///< conditions that hold at no call, and how many facts were known
  std::set<std::string> open;            ///< others that were asked for since the last fact

  /// What can be said of it.
  std::vector<Union> clausesOf(const ir::Expr& condition) {
    std::vector<ir::Expr> parts;
    conjuncts(condition, false, parts);
    std::vector<Union> clauses;
    for (const ir::Expr& part : parts) {
      std::optional<Term> t = scope.condition(part);
      if (!t) continue;
      t->constraints.push_back(fmt::format("({})", t->text));
      if (std::optional<Union> clause = read(*t)) clauses.push_back(std::move(*clause));
    }
    return clauses;
  }

  std::optional<Union> read(const Term& t) {
    const std::optional<Formula> f =
        readFormula(fmt::format("{} -> {{ : {} }}", scope.paramList(), formula(t)));
    std::optional<Union> all = f ? multiplied(f->clauses) : std::nullopt;
    if (all) place(*all, *f);
    return all;
  }

  /// Parameters have one column in all formulas, what exists has one of its own.
  void place(Union& all, const Formula& f) {
    while (columns.size() <= f.params.size()) columns.push_back(++lastColumn);
    std::vector<size_t> to(columns.begin(), columns.begin() + static_cast<long>(f.params.size()) + 1);
    while (to.size() < f.columns) to.push_back(++lastColumn);
    for (System& system : all)
      for (Constraint& c : system) {
        while (c.row.size() > 1 && c.row.back() == 0) c.row.pop_back();
        const size_t last =
            c.row.empty() ? 0 : *std::ranges::max_element(to | std::views::take(c.row.size()));
        Row row(last + 1);
        for (size_t i = 0; i < c.row.size(); ++i) row[to[i]] = c.row[i];
        c.row = std::move(row);
      }
  }

  /// Adds `condition` to what is known; false where that holds at no call.
  bool with(const ir::Expr& condition, Known& all) {
    constexpr int kMostTrials = 500;
    all.settle();
    std::vector<Union> clauses = clausesOf(condition);
    for (; all.cases < scope.cases.size(); ++all.cases)
      if (std::optional<Union> clause = read(scope.cases[all.cases])) (void)all.add(std::move(*clause));
    for (Union& clause : clauses)
      if (!all.add(std::move(clause))) return false;
    int trials = kMostTrials;
    std::vector<size_t> conflicts;
    return all.isSatisfiable(trials, conflicts);
  }

  /// What holds now.
  const Known& latest() {
    while (known.size() <= facts.size()) {
      Known all = known.back();
      if (!with(facts[known.size() - 1], all)) all.setImpossible();
      known.push_back(std::move(all));
    }
    return known.back();
  }
};

Facts::Facts() : state_(std::make_unique<State>()) { state_->scope.namesCases = true; }
Facts::Facts(const ir::Function& function) : Facts() {
  state_->changing = ir::assignedVars(function.body);
  for (const ir::Size& s : function.sizes)
    learn(ir::binary(ir::BinaryOp::Ge, ir::var(s.name), ir::intConst(0)));
}
Facts::~Facts() = default;

bool Facts::isFixed(const ir::Expr& e) const {
  return !ir::readsMemory(e) && !ir::intersect(ir::freeVars(e), state_->changing);
}

void Facts::learn(const ir::Expr& condition) {
  state_->facts.push_back(condition);
  state_->open.clear();
}
size_t Facts::count() const { return state_->facts.size(); }
void Facts::forget(size_t count) {
  if (state_->facts.size() > count) state_->open.clear();
  state_->facts.resize(count);
  if (state_->known.size() > count + 1) state_->known.resize(count + 1);
  std::erase_if(state_->refuted, [&](const auto& r) { return r.second > count; });
}

bool Facts::mayHold(const ir::Expr& condition) {
  std::string text = ir::print(condition);
  if (state_->refuted.contains(text)) return false; // more facts change nothing of that
  if (state_->open.contains(text)) return true;
  Known all = state_->latest();
  const bool holds = state_->with(condition, all);
  if (holds)
    state_->open.insert(std::move(text));
  else
    state_->refuted.emplace(std::move(text), count());
  return holds;
}

} // namespace appyc::analysis
