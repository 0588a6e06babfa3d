//===- KernelWork.h - what a kernel does, and how long it takes ------------------------------------------===//
#pragma once
#include "appyc/Cost/Model.h"
#include "appyc/IR/Nodes.h"
#include <map>
#include <set>
#include <string>

namespace appyc::cost {

/// In terms of sizes and of scalars that are known at the launch.
struct KernelWork {
  /// The bytes of global memory that the kernel touches, each element once: what a cache that never forgets would leave. An
  /// array counts as a whole where its elements cannot be told from the loops, for indirect subscripts or chunks.
  ir::Expr read, written;
  /// Accesses, in elements side by side, those of shared memory in bytes, and operations; empty handles where loops are as long
  /// as data say.
  ir::Expr elements, onChip, doubles, singles;
  Place place = Place::Device; ///< all of it, or one block
  std::map<Symbol, ir::Expr>
      values{}; ///< of scalars that the host computes: by sizes, parameters and indices of its loops
  std::set<Symbol> given{}; ///< sizes and parameters
};
KernelWork workOf(const ir::Launch& kernel, const ir::Function& function);

struct Prediction {
  double ns;
  bool isOpen;  ///< it holds for the sizes that were taken
  bool isLeast; ///< something besides takes time, too
};
/// The time of one launch, where sizes and parameters are all `size`; indices of the host's loops are half as much.
Prediction predict(const Device& device, const KernelWork& work, int64_t size);
/// "5.3 us on h200", "at least 5.3 us on h200 at sizes of 1000".
std::string predictionText(const Device& device, const KernelWork& work);

} // namespace appyc::cost
