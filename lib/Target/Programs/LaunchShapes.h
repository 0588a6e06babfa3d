//===- LaunchShapes.h - how many blocks of how many threads the host program launches ----------------------===//
#pragma once
#include "Expressions.h"
#include "appyc/IR/Kernels.h"
#include <map>
#include <optional>
#include <string>

namespace appyc::target {

class LaunchShapes {
public:
  explicit LaunchShapes(Context& c) : c_(c), expressions_(c) {}

  /// Of the launches whose blocks have as many threads along x as the variable says, and along y what these leave, how many
  /// there are in a block; nothing where it says something else as well.
  std::optional<int64_t> threadsAlong(const Symbol& v) const;
  /// `const dim3 threads = block_of_rows(..);` in place of the variable.
  cxx::Stmt declare(const ir::Assign& along, int64_t threads);
  /// The same of three axes, in place of the variable for the last one; what it is for the others is not needed then.
  std::optional<cxx::Stmt> declarePlanes(const ir::Assign& planes);
  bool isSaidByPlanes(const Symbol& v);
  std::optional<cxx::Expr> blockOf(const ir::Launch& l);

  struct Grid {
    cxx::Expr blocks;
    bool isNumber, isNeverEmpty;
  };
  /// The blocks of a launch, each of whose threads takes `width` elements where there is one.
  Grid gridOf(const ir::Launch& l, const cxx::Expr& width);

  /// A number of the host's, with quotients that are rounded up and bounds by their names; nothing where there are none.
  std::optional<cxx::Expr> number(const ir::Expr&);

private:
  struct Shape {
    std::string name;
    int64_t threads;
  };
  /// The threads of a block along three axes, by variables: rows are as many as there are, and planes what is left.
  struct Planes {
    Symbol columns, rows, planes;
    ir::Expr across, down; ///< across: what the columns are, where they are set beside the others
    int64_t threads;
  };
  std::optional<Planes> planesOf(const ir::Launch& l);
  void findNumbers();
  std::optional<std::string> alongBlock(const ir::Expr& e) const;
  cxx::Expr rounded(const ir::Expr& e);

  Context& c_;
  Expressions expressions_;
  std::map<Symbol, Shape>
      shapes_; ///< by the variables that are a block's threads along x, or of three axes along z
  std::map<Symbol, ir::Expr>
      numbers_; ///< of the host, each set once, and the list of statements that it is set in
  std::map<Symbol, const void*> lists_;
  std::optional<Planes> current_; ///< of the launch at hand
};

} // namespace appyc::target
