//===- Statements.h - ir statements as C++: what all targets share -------------------------------------===//
#pragma once
#include "Expressions.h"
#include "Placement.h"
#include "appyc/Cxx/Nodes.h"

namespace appyc::target {

class Statements {
public:
  explicit Statements(Context& context) : c_(context), expressions_(context) {}
  virtual ~Statements() = default;

  using Symbols = std::set<Symbol>;
  using Out = std::vector<cxx::Stmt>;
  /// The statements of `body`, with the declarations of those of `pending` that it mentions.
  Out sequence(const ir::Stmt& body, const Symbols& pending, const Symbols& liveOut);

protected:
  /// Statements that each target has its own form of: Alloc, Require, Print, Return, Launch, Barrier, Collective,
  /// Fetch.
  virtual void special(const ir::Stmt&, const Placement::Item&, Out&) = 0;
  /// First iteration and distance between iterations of one thread, of a loop that threads share.
  struct Workers {
    cxx::Expr first, count;
  };
  virtual std::optional<Workers> workers(const ir::For&) { return {}; }
  virtual void loop(const ir::Stmt&, const Placement::Item&, Out&);
  virtual void whileLoop(const ir::Stmt&, const Placement::Item&, Out&);
  virtual void assign(const ir::Assign&, const Placement::Item&, Out&);
  virtual void atEnd(Out&) {} ///< of a sequence
  /// Called before a loop's body is lowered; gives the loop's pragma, or an empty text. Undone by leaveLoop.
  virtual std::string enterLoop(const ir::For&, Span) { return {}; }
  virtual void leaveLoop(const ir::For&) {}
  /// Whether updates need to be indivisible where the walk is.
  virtual bool updatesCompete() const { return true; }

  /// What is assigned to a variable or stored in a buffer, where it must be rounded before anything is done with
  /// it, or is better said in another way; empty where its expression says it all.
  virtual std::optional<cxx::Expr> rounded(const Symbol& /*target*/, const ir::Expr&) { return {}; }

  /// Whether a variable is declared for more than what its statements say of it.
  virtual bool keepsName(const Symbol&) const { return false; }

  /// `if (!cond) return fail(...)`.
  void require(const ir::Require&, Span where, Out&);
  /// Python prints, and what it raises ends the call.
  void print(const ir::Print&, Out&);
  void printHere(const ir::Print&, Out&); ///< by a given kernel's thread: the pieces are text
  /// `std::swap(a, b);` of two pointers.
  void swap(const ir::Swap&, Out&);
  cxx::Stmt failure(std::string_view status, std::string_view message);
  virtual cxx::Stmt body(const ir::Stmt&, const Symbols& pending, const Symbols& liveOut);
  cxx::Type declaredType(const Symbol&, bool isConst);
  /// What an operation gives into `var`, or nobody.
  void give(const Symbol& var, cxx::Expr value, const Placement::Item&, Out&);

  Context& c_;
  Expressions expressions_;
  Symbols dead_; ///< see `deadVariables`
  bool knowsDead_ = false;
  Symbols undeclared_; ///< variables that are read as what they were set to

private:
  /// Whether what reads the variable that the statement there, an Assign, declares can do without, and does so now.
  bool isForwarded(size_t at, const Placement::Item&, const Symbols& liveOut, std::vector<ir::Stmt>& all);
  bool forwardsCopy(const ir::Assign&, size_t at, std::vector<ir::Stmt>& all);
  bool forwardsValue(const ir::Assign&, size_t at, std::vector<ir::Stmt>& all);
  void statement(const ir::Stmt&, const Placement::Item&, Out&);
  void store(const ir::Store&, Out&);
  void atomic(const ir::Atomic&, const Placement::Item&, Out&);
  void declareBefore(const Symbol&, Out&);
  /// The bound, computed ahead of the loop where the loop might change it or would compute it again.
  cxx::Expr bound(const ir::Expr&, const ir::For&, const char* suffix, Out&);
  cxx::Stmt step(const ir::For&, const std::optional<Workers>&, cxx::Expr stepValue);
  cxx::Expr firstIndex(const ir::For&, const std::optional<Workers>&, const cxx::Expr& stepValue);
  cxx::Stmt atomicUpdate(const ir::Store&, cxx::Expr target);
};

/// Do arrays of the function change places? Their pointers cannot be restrict-qualified then.
bool swapsBuffers(const ir::Function&);
/// Name of the support code's type for `op`: "Sum".
std::string_view operatorName(ir::ReduceOp);
/// Asks for that type and for what it needs on values of `type`.
void useOperator(Support&, ir::ReduceOp, ir::DType type);

} // namespace appyc::target
