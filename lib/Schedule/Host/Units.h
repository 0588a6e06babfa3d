//===- Units.h - which statements of a function run on the host and which become kernels ------------===//
#pragma once
#include "appyc/Analysis/Liveness.h"
#include "appyc/IR/Nodes.h"
#include <set>
#include <string>
#include <vector>

namespace appyc::schedule {

/// Registers of a thread of resident blocks.
constexpr int kResidentRegisters = 64;

/// A statement of this kind cannot be part of a kernel as it contains a parallel loop that deserves a launch
/// of its own, or something only the host can do.
bool needsHost(const ir::Stmt& s);

/// Has the kernel's grid one block, however many threads that has?
bool hasOneBlock(const ir::Launch& kernel);

/// Has a loop, or whatever else the statement is, statements of the host's?
bool isOfHost(const ir::Stmt& s);

/// What the host program consists of, in order.
struct Unit {
  enum Kind {
    Host, ///< one statement the host runs itself; its body, if it has one, consists of units again
    Nest, ///< one parallel loop: one kernel, many workers
    Run,  ///< neighbouring statements that touch device memory: one kernel, one worker
  } kind;
  std::vector<ir::Stmt> body;
  size_t sunk = 0; ///< so many of them, the first ones, stood elsewhere
  bool assigns(const Symbol& s) const;
};
/// The units of a list of statements of the host program. What does not care moves in front of a run, so that
/// it stays whole.
std::vector<Unit> unitsOf(const std::vector<ir::Stmt>& list, const std::set<Symbol>& deviceScalars);

/// `acc = 0` on the host that only the next run needs becomes part of that run; units that had no more than this are empty then.
void sinkScalars(std::vector<Unit>& units, const analysis::Liveness& live);

/// Scalars that a kernel computes for a later statement: those have to live in device memory.
std::set<Symbol> findDeviceScalars(const ir::Function& function, const analysis::Liveness& live);

/// Scalars that are given or that others than the unit assign, before it or in a loop around it. The index that a loop leaves is
/// none, though it is live before: the loop may make no step. Nor is what only statements behind the unit assign.
std::set<Symbol> definedBefore(const ir::Function& function, const Unit& unit);

/// For the grid of a launch: at least one, and no more than each axis has.
ir::Expr clampBlocks(const ir::Expr& blocks);

/// Kernels are called after their function, by number in the order of the text; launches of one name keep
/// one.
ir::Stmt nameKernels(const ir::Stmt& body, const std::string& entry);
/// Another body, with kernels that are called so.
void replaceBody(ir::Function&, const ir::Stmt& body);

/// Launches of kernels with names of their own: others have taken theirs.
ir::Stmt withOwnKernels(const ir::Stmt&, const char* suffix);

} // namespace appyc::schedule
