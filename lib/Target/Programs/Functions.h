//===- Functions.h - lowering of one ir function to the functions of the generated file ----------------===//
#pragma once
#include "Context.h"
#include "appyc/Cxx/Nodes.h"
#include <optional>

namespace appyc::target {

/// The C++ functions that one ir function becomes.
struct Lowered {
  std::vector<cxx::Decl> internal; ///< kernels, host program
  std::vector<cxx::Decl> entries;  ///< extern "C"
};

Lowered lowerCuda(Context&);
Lowered lowerCpu(Context&);

/// The context's function, which expressions call (ir::Apply), under this name.
cxx::Decl lowerCalled(Context&, const std::string& name);

/// ENTRY_shapes.
cxx::Decl shapesEntry(Context&);

/// Arrays by their place among the function's buffers, scalars after them by age.
std::vector<Symbol> inOrder(const Context&, const std::set<Symbol>&);
/// The kernel as a function, for launches such as this one. Of its parameters only those that the text names, which
/// `used` tells, are the function's.
struct KernelCode {
  cxx::Decl function;
  std::set<std::string> locals; ///< names of its variables, of which another kernel may have other ones
  bool takesIndex;              ///< is a template over the type of its indices
};
/// The text on one line without comments, its own name, parameters and variables called after their places, with the types of
/// its parameters; these in the order in which it names them.
std::pair<std::string, std::vector<size_t>> withoutNames(const KernelCode& code);
KernelCode lowerKernel(Context&, const ir::Kernel&, const ir::Stmt& launch, std::set<Symbol>& used);

/// Does the host do what the kernel would where that pays, and one thread where it does not?
bool isLaunchedToo(const ir::Function& f, const std::string& kernel);
/// The kernel of one thread that does what the function of that name does, for where it does not pay.
cxx::Decl aloneOf(const cxx::Decl& function);
constexpr const char* kAlone = "_alone"; ///< what its name ends with
/// Has the host do what the launch would (Launch::ByHost), which is the function with these arguments.
void launchByHost(Context&, const ir::Stmt& launch, std::vector<cxx::Expr> arguments,
                  const std::string& function, std::vector<cxx::Stmt>& out);

/// The lines of the source from which statements come, by number.
std::map<uint32_t, std::string> linesToQuote(const Context&, const ir::Stmt& body);
/// What the kernel computes: the line of the source that it is, or which lines, and what they set: "Lines 12 to 14: A and Q.".
std::string purposeText(Context&, const ir::Kernel&, const std::map<uint32_t, std::string>& lines);
/// How the kernel's work is shared among blocks, warps, threads and lanes: "A block for each i, whose lanes share k.".
std::string mappingText(const ir::Kernel&);
/// What a grid's extent says: min(max(count, 1), most), as map-kernels has it, or a number.
struct Units {
  ir::Expr count;
  int64_t most;
};
std::optional<Units> unitsOf(const ir::Expr& extent);

/// The call that computes a matrix product, by the support code or a library.
cxx::Stmt multiply(Context&, const ir::MatMul&);
/// One call for all the products of loops whose matrices lie equally far apart; none where they do not.
std::optional<cxx::Stmt> multiplyBatch(Context&, const ir::For&);
/// Can BLAS make the product? A factor of 0 would keep it from what NumPy reads.
bool fitsBlas(const ir::MatMul&);
/// The call of a routine's function (Routines.def), which leaves the function where it fails.
cxx::Stmt callRoutine(Context&, const ir::Routine&);

/// Parts of an entry, shared by both targets. While one lives, expressions are lowered over the entry's own
/// parameters: in 64 bits.
class Entry {
public:
  explicit Entry(Context&);
  ~Entry();
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  /// Calls the version whose condition holds, with all of the entry's parameters.
  void chooseVersion(const std::vector<ir::CParam>& params, std::string_view suffix,
                     std::vector<cxx::Stmt>& out);
  /// Refuses arrays that overlap.
  void checkOverlap(std::vector<cxx::Stmt>& out);
  /// The shapes that decide whether 32-bit indices suffice.
  cxx::Expr shapes32();
  /// A number of elements, without overflow.
  cxx::Expr elements(const ir::Expr& count);
  std::vector<cxx::Expr> factors(const ir::Expr& count);
  /// Parameters as the C interface has them; symbols that are not in `used` are marked so.
  std::vector<cxx::Parameter> params(const std::vector<ir::CParam>&, const std::set<Symbol>& used,
                                     bool isRestrict = false);
  /// Symbols that the lowered expressions name.
  std::set<Symbol> used;

private:
  Context& c_;
  std::string indexType_; ///< to be restored
  Width width_;
  std::set<Symbol>* recorder_;
};

/// Name of the entry's parameter for `p`: its symbol's, or the interface's.
std::string parameterName(Context&, const ir::CParam& p);
/// Buffers whose Alloc stands in the function's outermost block, with extents known at entry: parts of the
/// workspace.
std::vector<ir::Buffer> workspaceBuffers(const Context&);
/// Remembers where arrays are whose place is a result (ir::Result::Place), as they may be swapped.
void keepPlaces(Context&, std::vector<cxx::Stmt>& out);
/// Fetches with nothing but a new variable between them are one call, which waits once; results are fetched to where the
/// caller wants them.
void joinFetches(Context&, std::vector<cxx::Stmt>&);
/// `return check(cudaGetLastError());`, which ends a host program that does not end otherwise.
bool reportsLaunches(const cxx::Stmt&);
/// What a kernel does that sets elements in a row to one value, or copies them from others in a row.
struct PlainSweep {
  Symbol target;
  std::vector<ir::Expr> first;
  ir::Expr count, value; ///< no value: `source` has them
  Symbol source;
  std::vector<ir::Expr> from;
};
std::optional<PlainSweep> plainSweepOf(const ir::Function&, const ir::Launch&);
/// Of a piece of C++.
std::set<std::string> wordsOf(const std::string& text);
/// A name or a literal; nothing of another expression.
std::string atomText(const cxx::Expr&);
/// Variables that lanes fold, of elements or of rows of one of `arrays` (by their types), are one call.
void callLaneFolds(Context&, const std::map<std::string, std::string>& arrays, std::vector<cxx::Stmt>&);
/// Stores the scalar results where the caller wants them.
void storeResults(Context&, std::vector<cxx::Stmt>& out);

/// The entry with those of `versions` in place of their calls, which are taken out of the list.
cxx::Decl withVersions(const cxx::Decl& entry, std::vector<cxx::Decl>& versions);

} // namespace appyc::target
