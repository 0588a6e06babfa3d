//===- Value.h - what a Python expression stands for while it is lowered ------------------------------===//
#pragma once
#include "appyc/AST/Nodes.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Nodes.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace appyc::sema {

using ir::DType;
using ir::Expr;
using Indices = std::vector<Expr>;

/// A scalar. `weak` is Python's own number (NEP 50): it takes the dtype of the array or NumPy scalar it
/// meets. Where paths that meet disagree about that, `e` holds the value whichever was taken, and `others` say
/// as what else than a number of `e`'s type and strength it computes (Paths.cpp).
struct Scalar {
  Expr e;
  bool weak = false;
  Expr constant{};              ///< what the variable `e` is known to hold here, if anything
  std::vector<Scalar> others{}; ///< each a constant; or, with no expression, `e` itself as Python's own
  std::optional<DType> as{};    ///< computes as this narrower float, of which `e` holds every value
  bool isOpaque = false; ///< only its value may be used: `others` are of types that compute differently
  bool isCell = false;   ///< may be an array without dimensions in NumPy, which changes in place
  /// A whole number where it is finite, Python's or else NumPy's i64, and Python's float where it is not. `others`: all whole
  /// numbers that it may be; none: any.
  bool isExtended = false;
  bool isEither = false; ///< of such: NumPy's i64 on some paths, and Python's own int on others
  DType type() const { return ir::typeOf(e); }
};

/// Where an array's elements lie: `index` maps indices of the view to indices of the buffer.
struct View {
  ir::Buffer buffer;
  std::function<Indices(const Indices&)> index;
  bool whole = false; ///< the identity over the whole buffer
  bool fancy = false; ///< made by an index array: assignable, but NumPy reads it as a copy
  /// Each index of the buffer follows from one of the view at most: not so where reshape joins or splits axes.
  bool strided = true;
  std::string_view readOnly; ///< why nobody may store into it; empty: they may
  bool isFrozen = false;     ///< NumPy lets nobody store into it
  bool isFlat = false;       ///< of `a.flat[...]`, into which NumPy stores values over again, or some of them
};

/// Which element of memory, in C's order, a view begins with, and between which ones each of its axes steps.
struct Strides {
  Expr first;
  std::vector<Expr> steps;
};

/// In which order NumPy keeps the elements of what is computed: in that of its operands, so but among others of which they
/// are a part, in C's, in one of which nothing is known.
enum class MemoryOrder { Operands, Part, C, Unknown };

/// An array as a function from indices to elements (a "pull" array): nothing is computed until it is stored
/// somewhere.
struct Array {
  DType type = DType::F64;
  std::vector<Expr> shape;
  std::function<Expr(const Indices&)> at;
  bool expensive = false;           ///< an element costs a reduction: never computed twice
  bool uninitialised = false;       ///< np.empty
  bool onChip = false;              ///< appy.buffer, before it has a name; in a kernel: shared by the block
  bool ofThread = false;            ///< likewise, of a kernel: each thread has its own
  bool symbolic = false;            ///< appy.vidx: index arithmetic that is never stored
  std::shared_ptr<const View> view; ///< set when it is memory rather than a computation
  MemoryOrder order = MemoryOrder::Operands;
  Symbol shares{}; ///< the buffer of which NumPy would make it a view, where it is computed here: `z.real`
  std::shared_ptr<const struct Choice> choice{}; ///< memory, of which the run tells which one of two it is
};
/// In a kernel, whose threads have no memory of their own to copy it into (ThreadCode.cpp).
struct Choice {
  Expr isFirst;
  Array first, second;
};
/// Do both show the same memory?
inline bool showSame(const Array& a, const Array& b) { return a.view == b.view && a.choice == b.choice; }

/// `a[mask]`: the elements of `values` where `mask` holds, in order. Both have one shape; how many are
/// selected is known only at run time, so a selection is folded or written back through its mask and never
/// stored by itself.
struct Selection {
  Array values, mask;
  bool isKept = false; ///< a name's: the values are memory that is nobody else's
};

/// The array of `shape` whose element `i` is that of `a` at `from(i)`; memory stays memory.
Array remapped(const Array& a, std::vector<Expr> shape, const std::function<Indices(const Indices&)>& from);
/// None where these are no numbers of the view's own.
std::optional<Strides> stridesOf(const Array& memory);
/// The first elements along each axis of memory, which may have room for more.
Array cutTo(Array memory, std::vector<Expr> shape);

/// How many rows it has along its last axis, and their length.
std::vector<Expr> rowsAndLength(const Array& a);

struct Value;
struct TupleValue {
  std::vector<Value> items;
  bool isList = false;
  ast::ClassRef type{};    ///< of a named tuple
  bool isKept = false;     ///< of a list: something else has it, too
  bool isDeque = false;    ///< a deque of Python's, which is none of its lists
  bool isSet = false;      ///< a set of Python's: its items in order, each once (ListMethods.cpp)
  Expr most{};             ///< of a deque: how many it has room for, if that is said
  bool isRow = false;      ///< of a list in memory, as it was when it was taken
  uint64_t made = 0;       ///< of a list of arrays: where the text makes it
  TupleValue like() const; ///< without items
};
inline TupleValue TupleValue::like() const {
  return {{}, isList, type, isKept, isDeque, isSet, most, isRow, made};
}
/// None, or the value (Optional.cpp).
struct OptionalValue {
  Expr isNone;
  std::shared_ptr<const Value> value; ///< where it is None: of the same kind, and looked at by nobody
};
/// A dict or an instance of a dataclass. Names share it, so that its fields are values of the environment
/// (Records.cpp); the value itself says which one it is.
struct RecordValue {
  ast::ClassRef type; ///< none of a dict
  std::string object;
  bool isPooled = false; ///< one of those of its class in memory (Pools.cpp): `at` says which
  Expr at{};
};
struct ClassValue {
  ast::ClassRef type;
};
struct TypeValue {
  DType type;
  bool weak = false;
}; ///< np.float32, float
struct Callable {
  std::string path;
}; ///< "numpy.exp", "len", "appy.vidx"
struct ModuleRef {
  std::string path;
}; ///< "numpy"
struct FileScope;
/// Of the file, or of the library.
struct UserFunction {
  const ast::Function* function;
  const FileScope* file = nullptr;
  int around = 0;                ///< the call of the function in which it was made
  std::vector<Value> defaults{}; ///< then, as they were: one for each parameter
};
/// A list in memory: of numbers of one kind, of arrays, of such lists, or of tuples of numbers. All that have it share the
/// memory.
struct ListValue {
  Array values;          ///< in memory; of tuples: the first number's
  bool isWeak = false;   ///< of Python's own numbers
  bool hasViews = false; ///< of arrays, which are copies
  bool isKept = false;   ///< a name has it
  bool isDeque = false;  ///< as of TupleValue
  bool isSet = false;    ///< likewise
  Expr most{};           ///< likewise
  bool isTuple = false;  ///< a tuple of Python's, of which the run tells the length: nothing changes it
  uint64_t made = 0;     ///< where the text makes it, if it changes: so its numbers' state is known
  Symbol length{};       ///< the variable that says how many items there are, where the list grows
  std::shared_ptr<const Value> like{};           ///< of tuples: one without what is in it
  std::vector<ListValue> fields{};               ///< of tuples: for each number a list, of the one length
  std::shared_ptr<const struct ListRows> rows{}; ///< of a list in a list of lists: where its items are
  Expr row{};                                    ///< then: which of these it is
};
/// Lists in one memory: where each begins among the items, how many it has, how many there is room for (NestedLists.cpp).
struct ListRows {
  ListValue starts, lengths, rooms, items;
  bool areArrays = false; ///< of one dimension, which are copies (RowsOfLists.cpp)
  bool areSets = false;
};
/// A list of lists that change: the numbers of those that are in it.
struct NestedValue {
  ListValue numbers;
  std::shared_ptr<const ListRows> rows;
};
/// Is the number of a loop's elements another one in its first few steps, of sizes as they may be?
bool differsFromStepToStep(const Expr& e, const Symbol& index, const Expr& count = {});
/// Characters of the text of a whole number that is not negative: its digits, or some of them.
struct DigitsValue {
  ListValue digits;
};
/// A text by its characters, which are texts in memory; nothing changes them (Texts.cpp).
struct CharactersValue {
  ListValue characters;
};
/// A generator, and what its first `for` runs over.
struct GeneratorValue {
  ast::Expr generator;
  std::shared_ptr<const Value> over;
};
struct Method {
  std::shared_ptr<const Value> self;
  std::string name;
};
struct RangeValue {
  Expr lo, hi, step;
};
/// What `np.s_[...]` and `slice(...)` give: the bounds and the step, None where there is none.
struct SliceValue {
  std::vector<Value> bounds;
  bool isEllipsis = false; ///< `...` of `np.s_[..., 0]`
};
/// What `enumerate` (of an iterable, from a number), `zip`, `reversed` and itertools give: run over once, and nothing else.
struct IteratorValue {
  enum Kind {
    Enumerate,
    Zip,
    Reversed,
    Keys,
    Values,
    Items, ///< of a dict
    Cells, ///< np.nditer of an array without its axes; with a second part, to be stored into
    Each,  ///< of the one part
    Product,
    Pairwise,
    Chain,
    Part,    ///< itertools.islice: of an iterable, start, stop, step
    Repeat,  ///< of an object, so many times if that is said
    Counted, ///< itertools.count: from a number, by another
    Cycle,
    Groups,    ///< itertools.groupby: items, keys, where groups begin and end
    Group,     ///< one of these: of the one part
    AllOfRest, ///< of the one part: all that a function's `*values` gets
    Indices,
    Elements
  } kind; ///< the last two: np.ndindex, np.ndenumerate
  std::vector<Value> parts;
};
/// What np.random has: a generator, or what gives it its bits. Its functions are the library's, which take the state.
struct RandomValue {
  std::string type;                   ///< "Generator", "Philox"
  std::shared_ptr<const Value> state; ///< an array
};
/// What np.finfo and np.iinfo say of a type.
struct TypeInfoValue {
  DType type;
  std::optional<Value> attribute(const std::string& name) const;
};
/// `kernel[grid, block]`: what a call launches.
struct LaunchValue {
  UserFunction kernel;
  Expr grid[3], block[3], sharedBytes; ///< I64
};
/// A whole number of Python's of which the last 64 bits are known, until it is cut to some of them; or 2**64 (PythonNumbers.cpp).
struct ResidueValue {
  Expr bits; ///< U64
  bool isPower = false;
};
struct NoneValue {};
struct StringValue {
  std::string text;
};
/// A text with numbers in it: the expression of Python's `pieces[0] values[0] pieces[1] ...` (Printing.cpp).
struct TextValue {
  std::vector<std::string> pieces; ///< one more than values
  std::vector<Expr> values;
  std::vector<Array> arrays{}; ///< which the expression asks for one after the other, `_shown(...)`
};
struct ErrorValue {}; ///< already reported

struct Value {
  std::variant<ErrorValue, Scalar, Array, Selection, TupleValue, TypeValue, Callable, ModuleRef, UserFunction,
               Method, RangeValue, SliceValue, IteratorValue, NoneValue, StringValue, TextValue, ListValue,
               GeneratorValue, RecordValue, ClassValue, RandomValue, TypeInfoValue, OptionalValue,
               LaunchValue, NestedValue, DigitsValue, CharactersValue, ResidueValue>
      v;
  template <class T> const T* as() const { return std::get_if<T>(&v); }
  bool isError() const { return std::holds_alternative<ErrorValue>(v); }
};

bool isText(const Value&);
/// A constant text's characters (ConstantTexts.cpp).
TupleValue charactersOf(const StringValue& text);
/// Texts are like `like`.
Value charactersOfNumbers(ListValue numbers, const Value& like);
/// The number of which it is the text, `str(n)`; none of other texts.
Expr wholeOf(const Value&);
bool isDeque(const Value&);
bool isSet(const Value&);
/// Are both deques with room for as many, or neither one?
bool areDequesAlike(const Value& a, const Value& b);
/// A set's items, in their order.
Value withoutSet(Value v);
/// Does the builtin say the same of its items in any order?
bool asksNoOrder(const std::string& path);
bool isTuple(const Value&);   ///< one in memory
bool isList(const Value&);    ///< of Python's, a deque too
bool isAnyList(const Value&); ///< likewise of lists that change
/// Values that are made of others: tuples, and what may be None, whose first part says whether it is.
bool hasParts(const Value&);
std::vector<Value> heldParts(const Value&);
Value builtLike(const Value& like, std::vector<Value> parts);
/// May it be None on another path?
bool mayBeNone(const Value&);
/// Is one of two None, or perhaps, and the other something else?
bool isNoneSomewhere(const Value& a, const Value& b);
/// The same number, found in `e` from now on.
Scalar keptIn(const Scalar& s, Expr e);
/// The constant that the number is known to be, if any.
Expr constantOf(const Scalar& s);
/// Is the constant a value of the type, not of a kind above it?
bool isHeldBy(DType type, const Expr& constant);
/// Is it a number that may be whole or an infinity?
bool isExtended(const Value&);
/// Do both compute alike, whatever they hold?
bool isSameState(const Scalar& a, const Scalar& b);
/// What a number is that comes from either, as a Scalar whose `e` is only of the right type; none where no type
/// holds both exactly.
/// `isSmall`: 64-bit integers that are certainly below 2**53.
std::optional<Scalar> joinStates(const Scalar& a, const Scalar& b, bool aIsSmall = false,
                                 bool bIsSmall = false);
/// "Python's int on one path and u8 on another".
std::string describeStates(const Scalar& a, const Scalar& b);
/// "is ..., which no one type holds exactly; ...": what to say where joinStates() has none.
std::string noCommonType(const Scalar& a, const Scalar& b);

/// How many numbers a range has.
Expr lengthOf(const RangeValue& r);
/// A range's numbers.
Array numbersIn(const RangeValue& r);
/// An array of no elements.
Array emptyArray(DType type);
/// Can it be an item of a list of arrays that grows?
bool canBeItem(const Value& v);
/// A tuple of numbers, or of such tuples; an object that is its number.
bool isTupleOfNumbers(const Value& v);
/// The same with arrays among the parts.
bool isStorable(const Value& v);
/// An object that lives in memory; is there one in it?
bool isPooled(const Value&);
bool holdsPooled(const Value&);
/// A text of which the run tells which one of the function's it is; is there such a text, or a constant one, in it? (Texts.cpp)
bool isStoredText(const Value&);
/// Is it one of arrays, or of tuples with arrays?
bool holdsArrays(const ListValue& list);
bool holdsText(const Value&);
/// `d["name"]` or `p.x` as a target.
struct FieldOf {
  Value of;
  std::string name;
};

/// A member of an `enum.Enum` (Members.cpp).
bool isMember(const Value&);
/// The numbers in it.
std::vector<Value> partsOf(const Value& tuple);
/// What it is like, without what is in it.
Value emptied(const Value& tuple);
/// By what the state of number `part` of a list's tuples is found.
uint64_t madeAs(uint64_t made, size_t part);
/// Are both tuples, or lists, of as many parts, which are so, too; or neither?
bool isBuiltAlike(const Value& a, const Value& b);
/// Is the value, or a part of it, memory of one of the buffers?
bool showsAny(const Value& v, const std::set<Symbol>& buffers);
/// Do both stand for the same scalar, memory or parts?
bool isSame(const Value& a, const Value& b);
/// "an array of f64", "a tuple", ...: for messages.
std::string describe(const Value& value);

//===--- type rules (Promote.cpp) -----------------------------------------------------------------------===//

/// A dtype with its strength.
struct Strength {
  DType type;
  bool weak = false;
};
/// NumPy 2's result type of an operation on two operands (NEP 50).
Strength promote(Strength a, Strength b);
/// Is `from` castable to `to` under NumPy's "same_kind" rule, as in-place operations need?
bool sameKind(DType from, DType to);
/// Comparison of two integers of any types, exact as NumPy 2's (i64 with u64 does not go through f64).
Expr compareExact(ir::BinaryOp op, const Expr& a, const Expr& b, DType common);
/// Does the expression contain a reduction?
bool mentionsReduce(const Expr& e);
/// x != 0 as Bool.
Expr truth(Expr e);
/// With `...` a subscript is a view, of no dimensions too; without it an element.
bool hasEllipsis(const std::vector<ast::Expr>& index);

} // namespace appyc::sema
