//===- LoopAnnotations.h - the chosen mapping as the pragmas of the source's loops -------------------===//
#pragma once
#include "appyc/Cost/KernelCost.h"
#include "appyc/Support/Annotations.h"
#include <map>

namespace appyc::schedule {

/// Collects, kernel by kernel, what became of the source's un-annotated loops. Where a loop has become part
/// of two kernels (a version for each outcome of a condition), the first says how it is annotated.
class LoopAnnotations {
public:
  /// `open`: whether lanes share the loops of `mapping.lanes` is decided at run time.
  void addNest(const cost::Nest& nest, const cost::NestMapping& mapping, bool open);
  /// The statements of one worker; `lanes`: its loops whose iterations the lanes share.
  void addRun(const std::vector<ir::Stmt>& body, const cost::LaneLoops& lanes);
  /// `parallel for` for workers or threads, and for loops of lanes where it is open; `simd` for lanes, `parallel for simd` for both at once,
  /// `sequential for` for what one worker runs. Loops of which a thread runs all iterations need none.
  void writeTo(Annotations& annotations) const;

private:
  struct Roles {
    Span statement;
    bool parallel = false, simd = false, sequential = false;
  };
  using Kernel = std::map<uint32_t, Roles>;
  static void note(Kernel& kernel, const ir::For& loop, bool Roles::*role);
  static void noteLanes(Kernel& kernel, const ir::Stmt& body, const cost::LaneLoops& lanes,
                        bool Roles::*role);

  Kernel all_;
};

} // namespace appyc::schedule
