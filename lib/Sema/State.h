//===- State.h - small parts of what is known while a function is lowered -------------------------------===//
#pragma once
#include "Message.h"
#include "Names.h"
#include "Value.h"
#include "appyc/AST/Nodes.h"
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace appyc::sema {

/// A file of the program and its functions by name.
struct FileScope {
  const ast::Module* module;
  std::unordered_map<std::string, const ast::Function*> functions;
};
/// The input and the modules of the user's that it imports, without statements that leave loops.
struct Program {
  explicit Program(const ast::Module& read);
  ast::Module input;
  std::deque<FileScope> files; ///< the input's is the first
  const FileScope* moduleNamed(const std::string& name) const;
};

/// What names stand for.
struct Env : std::map<std::string, Value> {
  std::map<std::string, Expr> boundIf;     ///< of names that may have no value: whether they have one
  std::map<std::string, std::string> lost; ///< names whose value is out of reach: what to do instead
};
/// What a field of a dict or dataclass is called among the names of an environment, ".x of Point": no name of
/// Python's.
std::string fieldName(const std::string& object, const std::string& field);
/// The key of a dict that is this text.
std::string keyOfText(const std::string& text);
/// What a dict's key is in the program.
Value valueOfKey(const std::string& key);
bool isDictMethod(const std::string& name);
/// The dict, if it is one in memory (Tables.cpp).
const RecordValue* tableIn(const Value& v);
/// Can it be the key of one?
bool mayBeTableKey(const Value& v);
/// The key as Python shows it.
void show(const Value& key, Message& message);
inline constexpr std::string_view kNamedText =
    "is a text with numbers in it that was made inside of a loop or a branch; print it there";
inline constexpr std::string_view kFrozen = "an instance of a frozen dataclass does not change; write "
                                            "`p = dataclasses.replace(p, x=...)`";
inline constexpr std::string_view kKeysOfDicts = "this dict has keys of which some are texts, or comes from "
                                                 "the caller: the others are constants here; make "
                                                 "a dict of its own for keys that are computed";
/// What to call a variable that holds the name's value.
std::string hintOf(const std::string& name);
/// What the name's k-th part is called where it lives by its parts: no name of Python's.
std::string partName(const Value& whole, const std::string& name, size_t k);
/// The fields of objects alone.
Env fieldsIn(const Env& env);
/// As a call begins and ends: the fields are those of the objects, whoever names them.
void moveFields(const Env& from, Env& to);

/// What is open while a function body (the exported one or an inlined one) is lowered.
struct Frame {
  const ast::Function* function = nullptr;
  std::map<std::string, NameFacts> names;
  Env env;
  std::map<std::string, Expr> sizeNames;          ///< what `dim_info` calls the arrays' sizes
  bool isUsed = true;                             ///< somebody asks for what the function returns
  std::optional<std::set<std::string>> exposed{}; ///< names whose reading no assignment surely precedes
  int call = 0;                                   ///< which of the calls so far
  bool isLibrary = false;                         ///< its text is the library's
  size_t loops = 0;                               ///< as many were open when it was called
  size_t branches = 0;                            ///< likewise
  const FileScope* file = nullptr;                ///< whose text it is; none for the library's
  int id = 0;                                     ///< which of all calls; 0 where it is none
  int around = 0;                                 ///< the call in which the function was made
  std::string target{};                ///< what a call that is evaluated is assigned to, or an element of it
  std::map<std::string, Expr> bound{}; ///< variables that say which names are bound (Unbound.cpp)
  std::set<std::string> setFlags{};    ///< flags of Leaving.cpp that a statement so far sets
  bool isBegun = false;                ///< its first statement has been lowered
  bool isConstant = false;             ///< a constant of a file is evaluated in it
  std::multiset<std::string> hidden{}; ///< names for which those of open comprehensions stand
};

/// What a path of a function gives, and where.
struct Returned {
  Value value;
  Span where;
};

/// Is it a loop of which the source says that its iterations run in any order?
inline bool isShared(const ir::For& loop) {
  return loop.hints.mark != ir::LoopMark::None && loop.hints.mark != ir::LoopMark::Sequential;
}

/// The two sides of a branch, and what decides between them.
struct Sides {
  Expr cond;
  std::vector<ir::Stmt>&then, &otherwise;
};

/// What is done on one side of a branch, what names hold behind it, and what it returns.
struct Path {
  std::vector<ir::Stmt> list{};
  Env env{};
  std::optional<Returned> value{};
};

/// What follows a branch: the rest of the body that it stands in, and what follows that.
struct Rest {
  const ast::Body* body;
  size_t from;
  const Rest* then;
};

/// Is the memory made by one of the statements?
bool isMadeBy(const std::vector<ir::Stmt>& list, const Symbol& buffer);
/// A name whose array is another one after a loop's step.
struct Rebinding {
  std::string name;
  Array before, after;
};

/// The axes along which an array changes its size in a loop, and what a step adds there at most; no expression: nothing says.
using Growth = std::map<size_t, Expr>;
/// What a loop's names are in all of its steps: the numbers' states, and the arrays that change their sizes.
struct LoopTypes : std::map<std::string, Scalar> {
  std::map<std::string, Growth> changing;
  std::map<std::string, Value> optional; ///< what those are like that may be None
  std::set<std::string> lists;           ///< those that are other lists in each step
  std::set<std::string> texts;           ///< those that are other texts in some step
  std::map<std::string, std::string>
      turns; ///< in a kernel: those that may be another name's memory in the next step, and this name
};

/// The names of a loop: those that its iterations bind, and of these those that it binds before the body does.
struct LoopNames {
  std::set<std::string> assigned, first;
  bool isRun = false; ///< once at least
};

/// How much there was outside of a loop's body when it was lowered: reports, kernels, checks before the loops around it.
struct Attempt {
  size_t reports, kernels, checks;
  std::set<std::pair<size_t, std::string>> requiredAtMost;
};

/// What is known of a dict or of an instance of a dataclass.
struct Object {
  ast::ClassRef type;
  std::vector<std::string> fields; ///< in their order
  size_t list = 0;                 ///< as many lists were open when it was made; 0 where these are closed
  std::string_view readOnly{};     ///< why nobody may store into it; empty: they may
  bool isCallers = false;          ///< passed by the caller of the exported function
  std::string param{}, place{};    ///< then: of which parameter it is what
  std::vector<Value> given{};      ///< then: what its fields were
  uint64_t made = 0;               ///< where the text makes the dict
};

/// How many elements there is room for where nothing tells how many there may be.
inline constexpr int64_t kMostElements = int64_t(1) << 22;

/// A list that grows: its memory has room for as many as the statements that append to it can add.
struct GrowingList {
  Symbol buffer, room;
  Expr first; ///< how many items it begins with
  Span where;
  std::vector<ir::For> loops; ///< in which it is made, without bodies
  Expr atMost{};              ///< the room that is enough, if that is known
};
/// The greatest that a number of elements is in a loop's steps, if anything says.
std::optional<Expr> mostIn(const ir::For& loop, const Expr& given);
/// A field of the instances in memory: a number or an array, unless this says more.
struct PooledField {
  std::string name;
  bool mayBeNone = false; ///< a number beside it says so
  bool isUnset = false;   ///< the constructor gives it no value: likewise
  bool isList = false;
  ast::ClassRef of{}; ///< it is another instance in memory
};
/// Classes by their places in the text: what is made for each stands in one order in all translations.
struct ByPlace {
  bool operator()(const ast::ClassRef& a, const ast::ClassRef& b) const {
    if (!a || !b) return !a && b;
    return std::tie(a->where.begin, a->name, a) < std::tie(b->where.begin, b->name, b);
  }
};

/// What the numbers of lists that change are, by where the lists are made. What is found makes a function be lowered again.
struct ListStates {
  /// An item of a list of arrays; `names`: those of the caller's that the shape may name, as they were then.
  struct Item {
    DType type;
    std::vector<Expr> shape, names;
  };
  std::map<uint64_t, Item> arrays;
  std::map<uint64_t, Scalar> states;
  std::map<uint64_t, Value> tuples; ///< of lists of tuples: one without what is in it
  std::set<uint64_t> tables;        ///< dicts in memory, by where they are made
  std::set<uint64_t> nested;        ///< lists of lists that change, likewise
  std::set<uint64_t>
      grown; ///< lists of comprehensions of which no loop's length is known before them, likewise
  std::set<uint64_t> arrayRows;     ///< of these, those of arrays of which only the run tells the sizes
  std::set<uint64_t> ofSets;        ///< likewise, of sets
  std::set<uint64_t> stackedArrays; ///< stacks of arrays (Stacks.cpp), likewise
  std::set<uint64_t> inRows;  ///< lists of known arrays, of which the run tells which is asked for: likewise
  std::set<uint64_t> written; ///< lists of which each item is known at translation, likewise
  std::map<ast::ClassRef, std::vector<PooledField>, ByPlace>
      pooled; ///< classes whose instances are in memory
  std::map<std::pair<const ast::Function*, std::string>, Scalar>
      unbound; ///< numbers' names of which only the run knows whether they are bound, and what they are like
  std::set<std::pair<uint32_t, std::string>>
      arraysLater; ///< numbers that are arrays from a loop's first step on, by where its body's last statement is
  std::set<std::tuple<uint32_t, std::string, DType, size_t>>
      othersLater; ///< likewise arrays of that type and rank, which are of another one then
  std::map<const ast::Function*, std::shared_ptr<const ast::Function>>
      resumed; ///< loops for functions that go on when they have called themselves; their names' places tell whose they are
  std::map<uint32_t, std::string>
      opened; ///< loops said to be parallel in which something has all threads to itself, by where they stand
  bool setsLose = false;           ///< items are taken out of some set
  bool isNestedEverywhere = false; ///< some list in a list changes, and nothing says which
  std::set<uint32_t>
      writtenOut; ///< loops of a known number of steps that choose among items which differ, by their places
  std::set<std::pair<uint32_t, std::string>>
      returned; ///< names of what loops return that are lists made in these
  std::map<uint64_t, uint64_t>
      sharing;                ///< lists of lists that have those of another one, by where both are made
  bool areRowsShared = false; ///< a list gets rows of another one that are kept as tuples are
  bool areRowsStored = false; ///< something is stored into such a row
  bool isPutForGood =
      false; ///< a list changes behind its being put into a list of lists: names lose such lists
  std::set<std::string> floatsOfFile; ///< whole numbers of the file's that the function makes floats
  std::set<uint64_t> joined;          ///< lists of comprehensions into which other numbers are stored
  std::map<uint64_t, uint64_t>
      rowsOf; ///< lists of lists of one length each that comprehensions make: what nests them
  std::map<std::string, uint64_t> parts; ///< numbers of what has one place in the text with others
  std::vector<std::string> texts;        ///< those that are in memory (Texts.cpp)
  std::set<std::string> characters;      ///< parameters that are texts by their characters
  bool areCharacters = false;            ///< a text of one character is -1 less the character's number
  bool isSpelled = false; ///< texts that loops add to are lists of characters (SpelledTexts.cpp)
  std::multimap<uint32_t, std::pair<ast::Body, std::shared_ptr<const ast::Function>>>
      spelled; ///< functions with these, by their names' places
  std::set<uint32_t>
      replaced; ///< stores into known items of lists, which bind the list anew (ReplacedItems.cpp), by their places
  struct WithReplaced {
    ast::Body given; ///< which makes sure that its nodes are no others
    size_t count;    ///< of `replaced`
    std::shared_ptr<const ast::Function> function;
  };
  std::multimap<uint32_t, WithReplaced> withReplaced; ///< functions with these, by their names' places
  std::set<uint64_t> stored;                          ///< lists that are no written ones: loops put more in
  std::map<std::vector<std::string>, ast::ClassRef>
      dicts;                               ///< what stands for the class of dicts with these keys
  std::map<uint32_t, ast::ClassRef> named; ///< classes that `namedtuple()` makes, by where
  std::set<ir::Param::Draw> drawn;         ///< which random bits of its own each call has
  /// Is the name another kind of array, or an array instead of a number, behind the loop's first step? (FirstStep.cpp)
  bool noteLater(uint32_t place, const std::string& name, const Value& before, const Value& after);
  bool haveChanged = false;
  void forgetNumbers() { // of characters others stand for texts
    states.clear();
    if (areCharacters) texts.clear();
  }
  bool areResultsFlat = false; ///< some result had several axes of which nothing tells how long they may be
  bool isUntold = false;       ///< what the function returns could not be evaluated
};

/// While it lives, lists are made or become others: what is stored into their memory is no change of a list of Python's.
class Replacing {
public:
  explicit Replacing(int& open) : open_(open) { ++open_; }
  ~Replacing() { --open_; }
  Replacing(const Replacing&) = delete;
  Replacing& operator=(const Replacing&) = delete;

private:
  int& open_;
};

/// A list that the caller passes: what it is at the begin.
struct GivenList {
  std::string param, place; ///< where it is in the parameter
  Value list;
  size_t changes = 0; ///< statements that store into it, there
};
using GivenPart = std::pair<std::string, ast::TypeSpec>;
/// The parts of a list or tuple as C gets them: of a list of tuples a list for each number, of one of lists their lengths and
/// all that is in them.
std::vector<GivenPart> partsOfGiven(const ast::TypeSpec& type);

/// A branch that is open.
struct Branch {
  Expr condition;
  size_t list; ///< as many lists were open
};

/// A kernel of the user's whose body is lowered for a launch.
struct GivenKernel {
  const ast::Function* function;
  std::set<Symbol> ofThread; ///< arrays that each thread has of its own
  Expr sharedBytes;          ///< that the launch asks for beside arrays of constant shapes: a variable
  Symbol status{"status"};   ///< an array of one number: what a linked function has returned that is not 0
  bool callsLinked = false;
};

/// An extent of arrays that are broadcast together. `value`: over sizes and scalar parameters, at the function's begin.
struct Joint {
  Symbol size;
  std::vector<Expr> parts;
  Expr value;
};

} // namespace appyc::sema
