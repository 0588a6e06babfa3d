//===- Accesses.h - which elements a statement touches, as isl relations ----------------------------===//
#pragma once
#include "Affine.h"
#include <functional>

namespace appyc::analysis {

/// A loop around an access that is spread over lanes (or warps, threads, blocks).
struct LaneLoop {
  const ir::For* loop;
  std::string ordinal; ///< index - lo; empty when it is not affine
};

/// One Load or Store. `where` qualifies the access: its existential variables are the loops inside and the
/// subscripts.
struct Access {
  Symbol buffer;
  bool write = false;
  std::optional<ir::ReduceOp> atomic;
  bool exact = true; ///< false: stands for "anything in the array", or happens only perhaps
  Term where;
  std::vector<std::string> subscript; ///< texts, one a dimension; empty where it is not affine
  Span span;
  std::vector<LaneLoop> lanes; ///< from the outside in
  bool isSure = true;          ///< happens for certain, whatever is known of the element
  /// The element by other subscripts, where those above are not affine (Delinearize.cpp).
  struct Form {
    std::vector<std::string> subscript;
    Term where;
    /// The sizes by which axes were joined or split, and which ones: what makes the subscripts what they are.
    struct Factor {
      std::ptrdiff_t axis; ///< negative: joined with the next one
      ir::Expr size;
    };
    std::vector<Factor> factors;
  };
  std::optional<Form> form{};
};

/// Accesses of which all to a buffer have one form take it. To be called with all that are compared.
void settle(const std::vector<std::vector<Access>*>& all);

/// Collects the accesses of a statement in program order. Buffers allocated inside it are private and left
/// out. Scalars assigned inside are followed where they are affine.
class AccessCollector {
public:
  explicit AccessCollector(Scope& scope) : scope_(scope) {}
  void collect(const ir::Stmt& s);
  /// Opens a loop around what is collected next: `dim` stands for its index.
  void enter(const ir::For& loop, const std::string& dim);

  std::vector<Access> accesses;
  std::vector<const ir::For*>
      boxes;                    ///< loops whose bounds do not depend on anything inside: sizes, for short
  bool followsProducts = false; ///< tells exactly what products write; else that is anything in the array
  bool mayRaise = false;
  bool calls = false; ///< a routine, which runs on the host's side
  bool swaps = false; ///< buffers change places, so that one name means different elements over time

private:
  void visitExpr(const ir::Expr& e, Span span);
  void visitReduce(const ir::Reduce& r, Span span);
  void visitFor(const ir::For& loop, Span span);
  void visitMatMul(const ir::MatMul& product, Span span);
  void visitTarget(const ir::MatMul& product, Span span);
  void along(const ir::Range& range); ///< what is collected next is inside of it
  void visitRoutine(const ir::Routine& routine, Span span);
  void visitIf(const ir::If& branch, Span span);
  void visitOnly(const ir::Only& only);
  void visitIndexStmt(const ir::IndexStmt& s, Span span);
  void visitWhile(const ir::While& w, Span span);
  void add(const Symbol& buffer, const std::vector<ir::Expr>& index, bool write,
           std::optional<ir::ReduceOp> atomic, Span span);
  std::optional<Access::Form> formOf(std::vector<ir::Expr> index);
  bool addParts(const ir::Expr& e, Access::Form& form);
  bool isBelow(const ir::Expr& e, const ir::Expr& n);
  void inside(const std::function<void()>& fn); ///< runs fn; what it does to the domain is undone
  void guarded(const ir::Expr& cond, bool taken, const std::function<void()>& fn);
  void forget(const ir::Stmt& body); ///< scalars that `body` assigns become opaque

  Scope& scope_;
  Term domain_;
  bool exact_ = true;
  std::vector<LaneLoop> lanes_;
  std::vector<std::string> dims_; ///< of the loops that were entered from outside
  std::set<Symbol> private_;
};

/// "{ S[dims] -> B[subscript] : where }" with the scope's parameters; `dims` are the caller's free
/// dimensions. Does not name the buffer: equal texts are equal questions.
std::string relation(const Scope& scope, const Access& access, const std::string& dims);

/// Same buffer, at least one write, and not two atomic updates by one operator.
bool mayConflict(const Access& a, const Access& b);

} // namespace appyc::analysis
