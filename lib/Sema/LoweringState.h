//===- LoweringState.h - what is known while one function is lowered ------------------------------------===//
#pragma once
#include "Copies.h"
#include "KeptFunctions.h"
#include "Library.h"
#include "State.h"
#include "Waiting.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Sema/Sema.h"
#include "appyc/Support/Annotations.h"
#include "appyc/Support/Diagnostics.h"
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace appyc::sema {

/// The members of Lowering.
struct LoweringState {
  LoweringState(const Program& program, Diagnostics& diag, Annotations* annotations, const Sanitize& sanitize,
                ListStates& listStates, KeptFunctions& kept)
      : program_(program), diag_(diag), annotations_(annotations), sanitize_(sanitize),
        listStates_(listStates), kept_(kept) {}

  const Program& program_;
  Diagnostics& diag_;
  Annotations* annotations_; ///< may be null
  Sanitize sanitize_;
  int tried_ = 0; ///< statements of `try` that are open: what raises does so in its place
  struct Taken {
    std::optional<std::vector<ir::Stmt>> checks; ///< that raise it again; none: which it is nobody knows
    std::vector<std::string> names;
  };
  std::vector<Taken> raisedAgain_; ///< what the handlers that are open have taken
  ListStates& listStates_;
  KeptFunctions& kept_;
  std::map<Symbol, ir::For>
      leaving_; ///< loops that statements leave, by what counts their steps; without bodies
  std::map<Symbol, GrowingList> growing_; ///< by their lengths
  std::map<Symbol, uint64_t> listMemory_; ///< of lists that change, and where these are made
  std::map<uint64_t, std::shared_ptr<const ListRows>> rows_; ///< of lists of lists, by where these are made
  std::set<Symbol> put_; ///< memory of lists that lists of lists have a copy of, and these
  std::map<Symbol, std::set<Symbol>>
      changedInLoops_; ///< memory of lists that loops change in which they are not made: their indices
  std::map<uint64_t, std::pair<size_t, size_t>>
      writtenAt_;                       ///< where lists are made: how many loops and branches are open
  bool asksForUnknown_ = false;         ///< an item of a list of which nothing is known yet
  int replacing_ = 0;                   ///< lists get what they are then, which is no change of theirs
  std::set<Symbol> rowLists_;           ///< memory of lists of arrays that comprehensions make
  std::map<Symbol, Span> itemsChanged_; ///< memory of lists of arrays that change in place there, and where
  std::set<Symbol>
      itemsNamed_; ///< of these, those that have got an array which a name or another place has, too
  std::set<Symbol> filling_;  ///< those of which the comprehension is not at its end: each store is an item
  std::set<Symbol> iterated_; ///< lengths of those that open loops run over
  std::vector<ListValue> openRows_; ///< those in lists of lists that open loops run over
  ir::Function out_;
  std::vector<Frame> frames_;
  std::map<int, Frame> ended_; ///< calls that have returned functions which see their names
  std::vector<std::vector<ir::Stmt>> lists_;
  std::vector<Waiting::Part> waiting_;
  std::multiset<std::string> counters_; ///< names that count the steps of loops which are written out
  std::map<Symbol, std::pair<uint32_t, int64_t>>
      countedLoops_; ///< indices of loops over constant ranges, where these are, how many steps they have
  std::map<Symbol, uint32_t> sharedAt_; ///< indices of loops that are said to be parallel, where these are
  std::set<Symbol> byRange_;            ///< of these, those that `prange` says so of
  bool writesAnew_ = false; ///< some such loop is to be written out when the function is lowered once more
  std::vector<Expr> known_; ///< conditions of the open branches
  std::vector<Branch> branches_;  ///< the open branches
  std::deque<ir::For> loops_;     ///< open loops, outermost first, without bodies
  std::vector<size_t> loopLists_; ///< index into lists_ where each open loop's statement will go
  std::vector<size_t>
      entryChecks_;          ///< where in the first of them the checks before the outermost open loop stand
  std::set<Symbol> mutable_; ///< variables assigned more than once
  std::set<Symbol> swapped_; ///< buffers that change places in some loop or branch
  std::map<Symbol, std::map<Symbol, Span>>
      standsFor_; ///< buffers into which arrays are copied that Python would share, and where
  Copies copies_; ///< statements that copy what Python would share
  struct Chosen { ///< an array where paths meet, of which some give one of the caller's
    Symbol buffer,
        which; ///< the second: 0 where it is a new array, else the place of the caller's among the parameters, from 1
    std::set<Symbol> of;  ///< the caller's that it may be
    bool isAtTop = false; ///< so that the function's end sees it
  };
  std::vector<Chosen> chosen_;                                 ///< outside of loops
  std::map<std::pair<const void*, int>, LoopTypes> loopTypes_; ///< by loop and call of its function
  std::deque<ast::Body> writtenOut_; ///< loops over tuples: nodes that `loopTypes_` names
  std::set<Symbol> sizes_;
  std::string tableName_ = "values"; ///< what tables of constants that are made now are called
  std::map<const ast::Constant*, Symbol> fileArrays_; ///< what stands for the files' own arrays in `shares`
  std::set<const ast::Constant*> failedConstants_;    ///< the files' constants that have been reported
  std::map<std::string, bool> equalities_;            ///< answers of alwaysEqual, by both expressions
  std::set<Symbol> reordered_;   ///< memory that NumPy may keep in another order than C's
  std::set<Symbol> parted_;      ///< memory that NumPy may keep in several pieces
  std::set<Symbol> nonNegative_; ///< variables of one value that is certainly >= 0
  struct
      OpenLists { ///< of an open loop: what lives from step to step, and which of it are lists of their own
    const std::set<std::string>* live;
    std::set<std::string>* lists;
    bool isAsked = false; ///< for another one
  };
  bool printsItems_ = false;       ///< `*row` among the items that are evaluated next is print()'s
  std::set<std::string> readOnce_; ///< names of loops over groups that may stand for one
  bool anyOrder_ =
      false; ///< of the comprehension that comes next only what it gives matters, not in which order
  std::vector<OpenLists> openLists_;
  struct Generated {
    std::set<Symbol> reads;  ///< memory, and variables of fields
    std::set<Symbol> writes; ///< memory of others, and their lists' lengths
    Env fields;              ///< of the objects that it got
  };
  std::map<Symbol, Generated> generated_; ///< what generators have read, by the lengths of their lists
  std::map<std::string, Expr>
      ranIfLeft_; ///< whether loops have run, by the flags that say that they were left
  std::vector<std::set<std::string>> carried_; ///< names that live across iterations of each open loop
  std::map<std::string, Expr> sizeNames_;      ///< extent names of the signature
  const std::vector<SameSize>* same_ = nullptr;
  std::vector<Joint> joints_;
  std::vector<Expr> unstretched_; ///< conditions under which no extent that is not known to be 1 is stretched
  std::vector<Expr> checked_;     ///< of those by which extents meet: what has been required at every call
  std::set<Symbol> copiedOwn_;    ///< buffers of loops' names into which arrays were copied before
  std::set<Symbol> moved_;        ///< buffers of loops' names into which arrays went that nobody else has
  std::set<std::pair<std::string, Symbol>>
      firm_; ///< names and the memory of what they stand for, which nothing stores into but where they are bound
  std::map<Symbol, bool> changing_; ///< sizes that the steps of a loop change: with room for all of these
  std::map<Symbol, Expr> room_;     ///< of numbers of elements that only the data tells: how many at most
  bool stretch_ = false;            ///< lowered for the calls at which they do not hold
  std::set<std::pair<size_t, std::string>> requiredAtMost_; ///< checks made before a loop, by its list
  std::vector<std::pair<Expr, Expr>>
      sliceExtents_; ///< of the statement at hand: extents of slices, as clamped and as written
  const ast::For* directlyNested_ =
      nullptr;                              ///< the one statement of the innermost open loop, if it is a loop
  std::pair<size_t, std::string> assigned_; ///< the name that alone gets what is evaluated, if there is one
  std::string joining_;                     ///< which part of what paths give is joined
  bool chooses_ = false;                    ///< the sides of an expression are joined, not of statements
  bool namesList_ = false;                  ///< the comprehension that is evaluated gets a name
  bool capture_ = false;                    ///< views made now outlive the statement
  bool tensors_ = false; ///< arrays are PyTorch's: the function, or one that it calls, names `torch`
  bool isUsed_ = true;   ///< the call that is evaluated next gives a value that somebody asks for
  Span statement_;
  Span returned_;                   ///< of the last `return` seen
  std::optional<LibrarySite> site_; ///< of the call of the library that is open
  std::map<const ast::Function*, std::shared_ptr<const ast::Function>>
      nested_; ///< without statements that leave
  std::map<std::pair<const ast::Function*, int>, std::shared_ptr<const ast::Function>>
      decorated_;                                       ///< by what `cuda.jit(f)` makes of them
  std::map<std::string, std::function<Value()>> items_; ///< of dicts, by the hidden names of their steps
  std::optional<std::map<std::string, NameFacts>> fieldFacts_; ///< of fields, ".items"
  std::vector<GivenList> given_;                               ///< the caller's lists
  std::set<Symbol> copied_; ///< lengths of names' own lists of lists, copies of others
  struct Pool {
    ListValue memory;                ///< behind the fields: whether they are None, of those that may be
    std::vector<PooledField> fields; ///< what was known of them when this began
  };
  std::map<ast::ClassRef, Pool, ByPlace> pools_; ///< the instances of classes that are in memory
  std::map<std::string, Object> objects_;        ///< dicts and instances of dataclasses, by their names
  std::map<uint32_t, ast::ClassRef> classes_; ///< made by `collections.namedtuple`, by the place of the call
  std::optional<GivenKernel> kernel_;         ///< the one whose body is lowered
  std::map<ir::Param::Draw, Value> randomStates_; ///< of np.random's own generator and its kind
  int calls_ = 0;                                 ///< frames so far
  int unsure_ = 0;                                ///< open sides of expressions that run on some paths only
  int inlined_ = 0, libraryCalls_ = 0;            ///< calls so far; those of the library

  size_t loopsOf(const Symbol& memory) const; ///< in how many of the open loops the memory is made
  /// Is it made outside of a loop whose iterations run in any order?
  bool isOfAllIterations(const Symbol& memory) const;
  /// The loops around are no parallel ones when the function is lowered again; false where they have to stay so.
  bool openLoops(const std::string& why);
  /// In the innermost loop, names of arrays that change places choose: each thread has its own, or there is no host to swap them.
  bool choosesMemory() const;
  void openWhereFolded(const Array& a); ///< `for i in prange(n): total += rows[i]`
};

} // namespace appyc::sema
