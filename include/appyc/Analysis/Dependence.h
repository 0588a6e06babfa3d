//===- Dependence.h - exact questions about loops, answered by isl -----------------------------------===//
// Everything here is a function from ir to a plain value. isl stays inside lib/Analysis.
#pragma once
#include "appyc/IR/Rewrite.h"
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace appyc::analysis {

/// Forgets the answers kept for the file before, and gives the next one its allowance of work.
void beginFile();

/// What encloses the code asked about: loops from the outside in, and what is known of sizes and other scalars.
struct Context {
  std::vector<const ir::For*> loops;
  std::set<Symbol> sizes;              ///< symbols known to be >= 0
  std::map<Symbol, ir::Expr> values{}; ///< of scalars that keep them: what these are made of
  std::map<Symbol, std::vector<Symbol>>
      places{}; ///< by array: those that tell places with it (Buffer::places)
};
/// Keeps `values` while statements are gone through in order.
class Following {
public:
  explicit Following(Context& context) : context_(context), before_(context.values) {}
  ~Following() { context_.values = std::move(before_); }
  Following(const Following&) = delete;
  Following& operator=(const Following&) = delete;
  void enter(const ir::Stmt& s); ///< what it changes has no value in it
  void leave(const ir::Stmt& s); ///< what it assigns has one from here on

private:
  Context& context_;
  std::map<Symbol, ir::Expr> before_;
};
Context contextOf(const ir::Function& function); ///< of its whole body: no loops
/// Puts what is asked in its lifetime inside of one loop more.
class Inside {
public:
  Inside(Context& context, const ir::For& loop) : context_(context) { context.loops.push_back(&loop); }
  ~Inside() { context_.loops.pop_back(); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

private:
  Context& context_;
};
/// mapChildren() of a statement with each child inside of the loop, if it is one.
template <class Fn> ir::Stmt mapInside(Context& context, const ir::Stmt& s, Fn&& fn) {
  const auto* loop = s.as<ir::For>();
  if (!loop) return ir::mapChildren(s, fn);
  const Inside inside(context, *loop);
  return ir::mapChildren(s, fn);
}

enum class Answer { Proven, Refuted, Conditional, Unknown };

/// May the iterations of a loop run in any order? (reductions and private scalars allowed)
struct ParallelVerdict {
  Answer answer = Answer::Unknown;
  std::string reason;    ///< why not proven: one line for people
  std::string witness;   ///< Refuted: "iteration i=3 writes A[4], iteration i=4 reads it"
  Span writeAt, otherAt; ///< Refuted: the statements of the two accesses
  ir::Expr condition;    ///< Conditional: independent when this holds (over sizes and scalars, I64/Bool ir)
  std::vector<ir::Reduction> reductions; ///< scalars that collect over the loop by one operator
  std::set<Symbol> privateScalars;       ///< assigned before read in every iteration
  std::vector<Symbol> liveOut;           ///< private scalars that are read after the loop (from `liveAfter`)
  std::vector<Symbol>
      carriedScalars; ///< scalars that carry a value from one iteration to the next, not as a reduction

  bool isProven() const { return answer == Answer::Proven; }
  /// And, but for what they collect, do iterations keep their scalars for themselves?
  bool isFree() const { return isProven() && carriedScalars.empty() && liveOut.empty(); }
};

/// Level Loop. `liveAfter`: scalars read after the loop. Stores marked atomic with one operator do not
/// conflict with each other.
ParallelVerdict judgeParallel(const ir::For& loop, const Context& context, const std::set<Symbol>& liveAfter);

/// Scalars that `s` reads before it has surely assigned them.
std::set<Symbol> exposedScalars(const ir::Stmt& s);
/// Those that one run of a loop's body gives a value, and that the next one reads.
std::set<Symbol> handedOn(const ir::Stmt& body);
/// Does no scalar go from one run of the body to the next one, or to what stands behind them all?
bool hasOwnScalars(const ir::Stmt& body, const std::set<Symbol>& liveAfter);

/// Would running `first` then `second` (same lo, hi, step; bodies share one iteration) as one loop keep every
/// dependence? `parallel`: additionally, may the joint loop's iterations run in any order (no dependence
/// between different iterations)?
bool mayFuse(const ir::For& first, const ir::For& second, const Context& context, bool parallel);

/// A statement of a nest: the loops around it from the outside in (one or two, the first common to all), and
/// which one's index shall be its time.
struct Placed {
  ir::Stmt body;
  std::vector<const ir::For*> loops;
  size_t time = 0;
};
/// May the statements of a nest (in program order) run by their times, those of one time in the order of
/// `rank`, and the instances of one statement at one time in any order? Level Loop; steps are 1. Scalars are
/// not looked at.
bool mayRunByTime(const std::vector<Placed>& leaves, const std::vector<size_t>& rank, const Context& context);

/// Of a perfect nest of two loops of step 1: do all dependences lead on, or stay, in the inner index plus `skew` times the outer
/// one? Then rectangles of these two run one after the other, and what is on one diagonal in any order. Scalars are not looked at.
bool mayRunInTiles(const ir::For& outer, const ir::For& inner, int64_t skew, const Context& context);

/// Two statements of one loop, each with the loop around it: does a dependence lead from an iteration of
/// `from` to a later one of `to` (`orSame`: or to the same one)? Scalars are not looked at. True when unsure.
bool leadsTo(const ir::For& from, const ir::For& to, const Context& context, bool orSame);
/// Does an iteration read an array element that an earlier iteration has written? True when unsure.
bool readsEarlierWrites(const ir::For& loop, const Context& context);

/// Does an index statement read an element of its target that another point of its domain writes? false =
/// proven not. Also true when two points may write one element.
bool mayOverlapItself(const ir::IndexStmt& statement, const Context& context);

/// Does `body` touch the element buffer[index], whose index does not change in it, by another spelling of the
/// subscript? Conservative: true when unsure.
bool touchesOtherwise(const ir::Stmt& body, const Symbol& buffer, const std::vector<ir::Expr>& index,
                      const Context& context);

/// Do the statements, run one after the other, surely write every element of `buffer` that `s` may write, each before any
/// of them reads it? All of them are asked for only where it is `readLater`. Level Tensor or Loop; no Return among
/// them. False when unsure, and where a statement, or one in a loop among them, reads what it wrote itself.
bool overwrite(const std::vector<ir::Stmt>& statements, const ir::Stmt& s, const Symbol& buffer,
               bool readLater, const Context& context);

/// Is `value >= 0` (I64) certain under the loops' bounds and the sizes?
bool isNonNegative(const ir::Expr& value, const Context& context);
/// Are the two I64 expressions equal for all values of sizes, scalars and loop indices in `context`?
bool alwaysEqual(const ir::Expr& a, const ir::Expr& b, const Context& context);

/// What is known of sizes and integer scalars at a place of a function (Bool expressions).
class Facts {
public:
  Facts();
  explicit Facts(const ir::Function& function); ///< its sizes are not negative
  ~Facts();
  /// Has it one value in all of the function?
  bool isFixed(const ir::Expr& e) const;
  void learn(const ir::Expr& condition);
  size_t count() const;
  void forget(size_t count); ///< all but the first so many
  /// Is there a call at which it holds together with what is known? True when unsure.
  bool mayHold(const ir::Expr& condition);

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// When no run of a statement fails: the condition, empty where none can be written. Not exact where it may be that the
/// statement is not run at all.
struct Never {
  ir::Expr when;
  bool isExact = true;
};
/// Of a statement in `context`'s loops, under `conditions` in them: no iteration meets `failure`, which is made of loop
/// indices and of what `isKnown` before the loops.
Never neverWhen(const ir::Expr& failure, const std::vector<ir::Expr>& conditions, const Context& context,
                const std::function<bool(const ir::Expr&)>& isKnown);

/// Open sizes of a function's arrays that are likely to be equal at most calls: one subscript runs along both
/// axes, or a bound is cut at both. A scalar parameter may be the first of its class, where loops or other
/// extents run up to it. Level Tensor.
std::vector<std::vector<Symbol>> relatedSizes(const ir::Function& function);

/// Which axes of one element a caller may fill up, by repeating the element, instead of the function's stretching them. `all`: the
/// function that stretches, level Tensor; `unstretched`: over its sizes, under which nothing is.
std::vector<ir::Widened> widenedSizes(const ir::Function& all, const ir::Expr& unstretched);

/// Does some memory dependence (same element, at least one write) join an access of `first` with one of
/// `second`, between different lanes, when both run in one block? Used for barriers. Each side: a statement
/// of level Scheduled. Accesses inside a loop bound to Thread or Lane belong to lane (index - lo) / step mod
/// lanes; others (stores by one lane, loads by all). `among`: the only buffers that count, if given.
/// Conservative: true when unsure.
bool crossesLanes(const ir::Stmt& first, const ir::Stmt& second, const Context& context,
                  const std::set<Symbol>* among = nullptr);

/// Does some access of `first` meet one of `second` at an element, at least one of the two writing? Each side:
/// a statement of level Scheduled. Scalars are not looked at. True when unsure.
bool touchSame(const ir::Stmt& first, const ir::Stmt& second, const Context& context);

} // namespace appyc::analysis
