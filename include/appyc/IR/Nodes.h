//===- Nodes.h - the ir: index statements, loops, kernels, in one node set -------------------------===//
// Three levels share these nodes (Nodes.def says which is legal where; verify() checks it):
//   Tensor     typed, shaped; array work is IndexStmt, with Reduce inside its value
//   Loop       explicit For/Store/Assign; no IndexStmt, no Reduce
//   Scheduled  device work stands in Launch; every loop of a kernel is bound; barriers and fetches are
//   explicit
// Trees are immutable; a rewrite that changes nothing returns the same handle.
#pragma once
#include "appyc/IR/Mapping.h"
#include "appyc/IR/ThreadOps.h"
#include "appyc/IR/Types.h"
#include "appyc/IR/Widened.h"
#include "appyc/Support/Source.h"
#include "appyc/Support/Symbol.h"
#include "appyc/Support/Tree.h"
#include <complex>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace appyc::ir {

enum class Level { Tensor, Loop, Scheduled };

struct StmtNode;
using Stmt = Ref<StmtNode>;

//===--- expressions: every one is a scalar ---------------------------------------------------------===//

/// NumPy's meaning of each, on operands of one type. Integers wrap; FloorDiv and Mod floor (x // 0 and x % 0
/// are 0 for integers, NaN/inf rules of NumPy for floats); shifts past the width give 0 (or -1); Min and Max
/// propagate NaN. Comparisons and LogicalAnd/Or give Bool; LogicalAnd/Or short-circuit.
enum class BinaryOp {
  Add,
  Sub,
  Mul,
  Div,
  FloorDiv,
  Mod,
  Pow,
  Min,
  Max,
  BitAnd,
  BitOr,
  BitXor,
  Shl,
  Shr,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  LogicalAnd,
  LogicalOr
};
enum class UnaryOp { Neg, BitNot, LogicalNot };
/// Reduction operators; the identity of Min/Max is the type's largest/smallest value (infinity for floats).
enum class ReduceOp { Sum, Prod, Min, Max, And, Or, Xor };

/// Elementwise functions; rows of Intrinsics.def.
enum class Intrinsic {
#define INTRINSIC(Name, numpy, arity, result, cuda) Name,
#include "appyc/IR/Intrinsics.def"
#undef INTRINSIC
};

struct Const {
  DType type;
  std::variant<bool, int64_t, uint64_t, double, std::complex<double>> value;
};
/// A scalar variable, loop index, size or scalar parameter.
struct Var {
  DType type;
  Symbol name;
};
/// Element of a buffer. Indices are I64 and in range: negative ones have been wrapped. Rank 0: no index.
struct Load {
  DType type;
  Symbol buffer;
  std::vector<Expr> index;
};
struct Unary {
  DType type;
  UnaryOp op;
  Expr arg;
};
struct Binary {
  DType type;
  BinaryOp op;
  Expr lhs, rhs;
};
/// Conversion by NumPy's astype.
struct Cast {
  DType type;
  Expr arg;
};
/// Only the chosen side is evaluated.
struct Select {
  DType type;
  Expr cond, then, otherwise;
};
struct Call {
  DType type;
  Intrinsic fn;
  std::vector<Expr> args;
};

/// Constants in a row, which are part of the program: `w = np.array([1.0, 2.0, 1.0])`.
struct Table {
  std::string name; ///< the source's
  DType type;
  std::vector<Const> values; ///< of that type; not empty
};
/// Element of a table. The index is I64 and in range.
struct Lookup {
  DType type;
  std::shared_ptr<const Table> table;
  Expr index;
};

/// One dimension of an index space: index in [0, extent).
struct Range {
  Symbol index;
  Expr extent;
  bool parallel =
      false;     ///< the user's tensor pragma says so (elementwise dimensions are parallel in any case)
  int block = 0; ///< the user's block(n); 0: open
  bool singleBlock = false; ///< the user promises that one block covers it
  Expr threads{};           ///< as of a loop's Hints
  int warps = 0;
};
/// Fold of `body` over all of `over`, by `op`, from op's identity. Level Tensor.
struct Reduce {
  DType type;
  ReduceOp op;
  std::vector<Range> over;
  Expr body;
};

struct Function;
using FunctionRef = std::shared_ptr<const Function>;
/// Call of a function of the user's own, of numbers, which gives one. It has no effects, and its value depends on its
/// arguments alone. Its body, of level Loop, ends on each path by a Return of the value.
struct Apply {
  DType type;
  FunctionRef function;   ///< none: the one in whose body it stands
  std::vector<Expr> args; ///< of the parameters' types
};

/// Position of the running thread or block, and how many there are. Level Scheduled, inside a Launch.
/// Width: of the kernel's vectors (Launch::vectors), 1 or as said there. Kept: how many a lane keeps of a row.
enum class HardwareIndex {
  ThreadX,
  ThreadY,
  ThreadZ,
  BlockX,
  BlockY,
  BlockZ,
  BlockDimX,
  BlockDimY,
  BlockDimZ,
  GridDimX,
  GridDimY,
  GridDimZ,
  Width,
  Kept
};
struct Hardware {
  HardwareIndex which;
};

struct ExprNode {
  std::variant<Const, Var, Load, Unary, Binary, Cast, Select, Call, Lookup, Reduce, Apply, Hardware> node;
};
DType typeOf(const Expr&);

//===--- buffers and statements -----------------------------------------------------------------------===//

/// An array, C-contiguous. Rank 0 is one element (a scalar that lives in device memory).
struct Buffer {
  Symbol name;
  DType type = DType::F64;
  std::vector<Expr> extents; ///< I64, never negative
  bool onChip = false; ///< the user's scratch: constant extents; shared memory where a kernel's worker has it
  /// Of a kernel's shared array: so many first dimensions count the block's threads, each of which touches its
  /// own part alone and keeps it in registers.
  int threads = 0;
  /// Arrays that together tell places, each once: where a mask holds, an array an axis, this one among them. Of what is stored
  /// first.
  std::vector<Symbol> places{};
};

/// For all points of `domain`, in any order: target[index] = value (all of the right side read before
/// anything is written, unless `noOverlap` has been proven). With `atomicOp`: target[index] = target[index]
/// op value, indivisibly. Level Tensor. An empty domain is one point.
struct IndexStmt {
  std::vector<Range> domain;
  Symbol target;
  std::vector<Expr> index;
  Expr value;
  std::optional<ReduceOp> atomicOp;
  bool noOverlap = false;
  int vectorLength = 0; ///< the user's MVL for this statement; 0: open
};
/// A matrix in an array: element (r, c) is buffer[at] with r added to the subscript `row` and c to the
/// subscript `column`. An index that outruns its dimension goes on in the dimension before, as memory does:
/// several dimensions may count as one.
struct Matrix {
  Symbol buffer;
  std::vector<Expr> at;
  int row = 0, column = 1;
};
/// The points (i, j, k) with row*i + column*j + inner*k <= bound.
struct HalfSpace {
  int row = 0, column = 0, inner = 0;
  Expr bound;
};
/// target(i, j) = sum(alpha * a(i, k) * b(k, j) for k < inner) + beta * target(i, j), for i < rows, j <
/// columns; negative numbers of these are 0. With `scalesSum`, alpha * sum(..): a sum of nothing is 0, and that
/// times nan is nan. Limits with inner != 0 restrict the sum, the others where the
/// target is written. The target shares no element with a and b; where beta is the constant 0 it is not read.
/// Elements of all three are in range for all rows, columns and inner, limits or not. Runs on the host's
/// side, like Launch, and stands in no parallel loop.
struct MatMul {
  DType type;
  Matrix target, a, b;
  Expr rows, columns, inner, alpha, beta;
  std::vector<HalfSpace> limits;
  /// A library does it: whole, or a triangle with its diagonal; float or complex, rows or columns contiguous.
  bool library = false;
  bool scalesSum = false;
};
/// Which function a Routine calls; rows of Routines.def.
enum class RoutineName {
#define ROUTINE(Id, ...) Id,
#include "appyc/IR/Routines.def"
#undef ROUTINE
};
/// A call of a library or of support code: what it touches, its row says. An operand is what lies in memory from
/// that element on; none that is written overlaps another. Runs on the host's side, like Launch, and stands in no parallel loop.
struct Routine {
  RoutineName name;
  struct Operand {
    Symbol buffer;
    std::vector<Expr> at;
  };
  std::vector<Operand> operands;
  std::vector<Expr> numbers;
  std::optional<ReduceOp> op{}; ///< by which it folds, if its row says so
};
/// Scalar variable = value. The first assignment on a path declares it.
struct Assign {
  Symbol var;
  Expr value;
};
/// buffer[index] = value; with `atomicOp`, buffer[index] = buffer[index] op value indivisibly.
struct Store {
  Symbol buffer;
  std::vector<Expr> index;
  Expr value;
  std::optional<ReduceOp> atomicOp;
};

/// buffer[index] = buffer[index] op value, indivisibly; what was there before goes into `old`, if that is a name. In the
/// body of a given kernel.
struct Atomic {
  AtomicOp op;
  Symbol buffer;
  std::vector<Expr> index;
  Expr value, compare{};
  Symbol old{};
  DType type = DType::F64; ///< of the element
};

/// Scalar `var` collects by `op` over a loop's iterations: its only uses in the body are `var = var op e`.
struct Reduction {
  Symbol var;
  DType type;
  ReduceOp op;
};

/// for index in range(lo, hi, step); the bounds are evaluated once; step is not 0. `index` may not be
/// assigned.
struct For {
  Symbol index;
  Expr lo, hi, step;
  Stmt body;
  Order order = Order::Serial;
  std::vector<Reduction> reductions{};
  Hints hints{};
  Mapping mapping{};
};
struct While {
  Expr cond;
  Stmt body;
};
struct If {
  Expr cond;
  Stmt then, otherwise;
}; ///< otherwise may be empty
/// What the first one of its kind runs alone, in a kernel, while the others go on, or run `others`. Level Scheduled.
struct Only {
  enum First {
    LaneOfWarp,    ///< of each warp
    LaneOfGroup,   ///< of each group
    ThreadOfBlock, ///< of each block
    WarpOfBlock,   ///< of each block: its lanes work together
    BlockOfGrid,
    ThreadOfGrid, ///< the first one of the first block
  } first;
  Stmt body, others{}; ///< others may be empty
};
struct Block {
  std::vector<Stmt> body;
};
/// A temporary array comes to life (uninitialised) until the end of the enclosing block. `shared`: in a
/// kernel, one for each block of threads, of constant extents, or of any in a kernel of resident blocks.
struct Alloc {
  Buffer buffer;
  bool shared = false;
  bool vector = false; ///< in a kernel, of one thread: Width elements, of as many as the extent says
  bool row = false;    ///< likewise: Kept times Width
};
/// Two buffers of one type and shape change places: from here on each name stands for the other's elements.
/// Host only.
struct Swap {
  Symbol a, b;
};
/// Evaluated where it stands, on the host: when `cond` is false the call raises `message` as `exception`.
/// With `values` (I64) the message is a format of printf's, with "%lld" for each.
struct Require {
  Expr cond;
  std::string exception, message;
  std::vector<Expr> values{};
};
/// Has Python evaluate `pieces[0] values[0] pieces[1] ... values[n-1] pieces[n]`, an expression of its own that prints, where
/// it stands, on the host. What that raises ends the call.
struct Print {
  std::vector<std::string> pieces; ///< one more than values
  std::vector<Expr> values;        ///< real
  std::string error{},
      base{}; ///< raises what comes out, of this class of the program's, a kind of Python's `base`
};
/// The function's results (see Function::results), at its end; or the value of a function that is called (Apply).
struct Return {
  Expr value{};
};

/// What a kernel gets for a parameter: an array of the function, or a number.
struct Argument {
  Symbol array; ///< none: a number
  Expr value{};
  bool isRead = false, isWritten = false; ///< the array's elements, by the kernel
};

// Level Scheduled (Fetch: from place-scalars on).
/// Threads of a kernel take `width` elements at once where the host finds all of `multiples` to be multiples of
/// it and `arrays` to begin at multiples of 16 bytes, else one. Neither changes what the kernel computes.
struct Vectors {
  int width = 1;
  std::vector<Expr> multiples;
  std::vector<Symbol> arrays;
  bool alongGrid = false; ///< a grid of fewer blocks along x will do
  /// The body instead, of vectors only, for `length` up to most * step, of more than step or of at least one: lanes keep up to `most` vectors each.
  struct Rows {
    Stmt body;
    Expr length;
    int64_t step = 0;
    std::vector<int> most{}; ///< of which the first that is enough is taken
    /// Where the kernels are objects (Launch), this one's name and what it takes.
    std::string name{};
    std::vector<Argument> arguments{};
  } rows{};
};
/// How many blocks of how many threads a kernel is launched with.
struct LaunchShape {
  Expr grid[3]; ///< host expressions, I64; empty: 1
  int block[3] = {1, 1, 1};
  int threadsAtOnce = 0; ///< a multiprocessor has registers for so many, 0: the compiler chooses
  /// Instead of `block`: host expressions, I64; of a given kernel, or where the mapping follows the sizes.
  Expr threads[3]{};
};
/// Runs a kernel: either `body`, in place, whose free symbols are those of the function around (passes of Schedule work
/// on it), or the function's Kernel `name` with `arguments` for its parameters (from outline-kernels on). Launches of
/// one name run one kernel: bodies in place differ in the symbols that they take, and in nothing else.
struct Launch {
  enum How {
    Plain,
    Cluster,     ///< the grid is one cluster of blocks, or one block where the device has none
    Overlapping, ///< may be started before the kernel before it has ended, which it waits for
    Resident,    ///< all blocks run at once (a cooperative launch): they may wait for each other
    ByHost,      ///< no launch: what one thread would do, the host does, on copies of the arrays
  };
  std::string name; ///< of the kernel, unique in the module
  LaunchShape shape;
  Stmt body;
  How how = Plain;
  Vectors vectors{};
  std::vector<Argument> arguments{};
};
struct Barrier {
  Scope scope;
  Expr lanes{}; ///< of Warp: those that meet, as bits; empty: all
};
/// Between resident blocks: all threads of one post a step, when they have done it; those of others wait until it, or a
/// later one, has been posted, and see what was written before. Steps are posted in ascending order; `progress`, I64 of
/// rank 0, which the launch resets, holds the last one; of rank 1 there are several, each in its element.
struct Signal {
  enum Kind { Post, Wait } kind;
  Symbol progress;
  Expr step;
  std::vector<Expr> index; ///< of `progress`
};
/// Every thread of the scope gives its `var` and gets the fold of all by `op`, in a fixed order. A block's
/// goes through shared memory that folds of one operator, type and part have in common: a write, a barrier,
/// reads.
struct Collective {
  Symbol var;
  DType type;
  ReduceOp op;
  Scope scope;
  bool apart = false; ///< a barrier stands before it: threads may still be reading what another fold wrote
  int part = 0;       ///< 0 or 1: of two pieces of shared memory, so that the next fold need not wait
};
/// Each thread's `var` = what it gets. In the body of a given kernel.
struct Exchange {
  ExchangeOp op;
  Symbol var;
  DType type;
  std::vector<Expr> operands;
};
/// What the thread has written is seen by others before what it writes later. In the body of a given kernel.
struct Fence {
  enum Reach { Block, Device, System } reach;
};
/// Host variable `var` = element of the rank-0 device buffer; waits for the device.
struct Fetch {
  Symbol var;
  Symbol buffer;
  DType type;
};

struct StmtNode {
  Span span; ///< of the Python statement it came from; empty range when it has none
  std::variant<IndexStmt, MatMul, Routine, Assign, Store, For, While, If, Only, Block, Alloc, Swap, Require,
               Print, Return, Launch, Barrier, Signal, Collective, Fetch, Atomic, Exchange, Fence>
      node;
};

//===--- functions ------------------------------------------------------------------------------------===//

/// Parameter in Python's order. Array parameters are buffers; their extents are sizes (Var) or, for extents
/// written as an expression or literal, checked at the call.
struct Param {
  Symbol name;
  DType type = DType::F64;
  bool isArray = false;
  std::vector<Expr> extents;
  bool written = false;   ///< some statement stores into it
  bool weak = false;      ///< declared as Python's own int/float/complex
  bool byColumns = false; ///< Python passes the array with its axes in the other order
  /// Not passed: 64 random bits (U64) that are new at each call. The wrapper takes them from the system, or from what the
  /// caller's np.random, or Python's `random`, gives next. Such parameters are the last.
  enum Draw { No, OfSystem, OfNumpy, OfPython } drawn = No;
};
/// A size: bound at the call to axis `axis` of array parameter `param`.
struct Size {
  Symbol name;
  int param;
  int axis;
  bool open = false; ///< the types give it no name: `f64[:]`
};

/// Where a view lies along one axis of the array that it shows a part of.
struct ViewAxis {
  /// Constants or hidden scalar results: the first element, and how many there are. No start: the whole axis.
  Expr start, extent; ///< no extent: the one element at `start`
  int64_t step = 1;
  int axis = -1; ///< of the view
};
struct Result {
  /// Scalar: of the variable `name`. Array: the buffer, made by the caller. Parameter: the array parameter, or the
  /// Array result before it, once more. View: of an array parameter or an Array result. Place: a number, at which
  /// place in `among` the array stands that lent `of` the memory it has at the end, as arrays may be swapped.
  enum Kind { Scalar, Array, Parameter, View, Place } kind = Scalar;
  DType type = DType::F64;
  Symbol name;
  std::vector<Expr> extents;    ///< Array: over sizes and scalar parameters only; View: of any kind
  std::vector<ViewAxis> axes{}; ///< View: for each axis of the array; none where it lies across these
  bool hidden = false;          ///< not returned: a View's array, or one of its numbers
  Symbol of{};                  ///< Place
  /// Place: array parameters and Array results. View across the array's axes: hidden scalar results that say at which of its
  /// elements, in C's order, it begins, and by how many each of its own axes steps; its extents are such or constants.
  std::vector<Symbol> among{};
  Symbol place{}; ///< Parameter, View: the Place that tells which array it is instead of `name`
};

/// What the caller's Python holds what is passed, or returned, in. A Value is the next parameter, or the next result
/// that is not hidden.
struct Form {
  /// Value with a type: the parameter of that name. Numbers, Elements: a list of the next Value's, as Python's or NumPy's.
  /// Extended: a number or a list of such, whole where they are finite, as Python's or else by `type`.
  /// Zipped: a list of tuples, whose fields are the parts; a parameter that `_taken` takes apart as `type` says. Paired: a dict of keys and values, which are lists. Optional: None where the first part holds, else the second.
  enum Kind {
    None,
    Value,
    Numbers,
    Elements,
    Extended,
    Zipped,
    Paired,
    Optional,
    Tuple,
    List,
    Dict,
    NamedTuple,
    Instance
  } kind = None;
  std::vector<Form> parts{};
  std::vector<std::string> keys{}; ///< of Dict as Python writes them; of the last two the fields
  std::string type{}, module{};    ///< of the last two: the class, and where it is defined
};
/// A parameter as Python passes it.
struct Taken {
  std::string name;
  Form form;
};
/// A field of an object of the caller's that gets the next results: `place` of the parameter, ".x" or "[\"x\"]".
struct GivenBack {
  std::string param, place;
  Form form;
};

/// What launches run: in its body, `params` stand for their arguments; arrays among them are typed by the function's
/// buffers. All other symbols are the kernel's own. What two launches of one kernel run is this one object.
struct Kernel {
  std::string name; ///< unique in the module
  std::vector<Symbol> params;
  Stmt body;
  bool isGiven =
      false; ///< the user's own: what one thread does, which no pass changes. Arrays may be one and the same
};

struct Version;

struct Function {
  std::string name; ///< Python name
  /// C name, unique in the module (name, or name_1 ... for further signatures); none of a function that expressions call
  /// (Apply), which has numbers for parameters, and for its results one, whose type alone is of interest.
  std::string entry;
  std::string docstring;
  std::vector<Param> params;
  std::vector<Size> sizes;
  std::vector<Result> results;
  Form returned;
  std::vector<Taken> taken;          ///< empty: each parameter is passed as it is
  std::vector<GivenBack> givenBack;  ///< behind what is returned, in turn
  std::vector<std::string> defaults; ///< of the last parameters that Python passes, as it writes them
  size_t keywordOnly = 0;            ///< as many of the last ones are passed by name
  Stmt body;
  std::vector<Buffer> buffers;   ///< every buffer by name: parameters, results, temporaries
  std::vector<Kernel> kernels{}; ///< whose launches have no bodies in place
  Span span;
  /// A kernel's: how many of the last parameters Python has in brackets, `f[grid, block](..)`: x, y and z of each, and the bytes of
  /// shared memory where some array has its size from them. Arrays may be one and the same.
  size_t ofLaunch = 0;
  std::string schedule{}; ///< by which `opts=` chooses this one of several of one name; empty: the first
  std::map<std::string, std::string>
      labels{}; ///< of its loops, with how each is run: `threads(128).reduce()`
  /// Over sizes and scalar parameters: at other calls an axis of one element may meet a longer one, which this does
  /// not know. Empty: it knows all calls.
  Expr unstretched;
  std::vector<Widened> widened{}; ///< of what `unstretched` says
  std::vector<Version>
      versions; ///< the first whose condition holds at the call runs instead; after all passes

  const Buffer& buffer(const Symbol& name) const; ///< which must be one of `buffers`
  const Buffer* findBuffer(const Symbol& name) const;
  const Kernel* findKernel(const std::string& name) const;
  std::span<const Param> passed() const; ///< the parameters that Python passes
};
/// What a function computes where `condition` holds, made faster by it. Its interface is the function's.
struct Version {
  Expr condition; ///< over the general function's sizes and scalar parameters
  Function function;
};

struct Module {
  Level level = Level::Tensor;
  std::vector<Function> functions;
};

} // namespace appyc::ir
