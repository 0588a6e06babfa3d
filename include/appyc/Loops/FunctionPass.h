//===- FunctionPass.h - what a pass has at hand that goes through the statements of a function ---------===//
#pragma once
#include "appyc/Analysis/Dependence.h"
#include "appyc/Analysis/Liveness.h"
#include "appyc/IR/Pass.h"
#include <fmt/format.h>

namespace appyc::loops {

class FunctionPass {
public:
  FunctionPass(ir::Function& f, ir::PassContext& ctx)
      : function_(f), ctx_(ctx), live_(f), known_(analysis::contextOf(f)) {}

protected:
  /// The statement with `fn` done to those right in it, for which it is around.
  template <class Fn> ir::Stmt inside(const ir::Stmt& s, Fn&& fn) {
    return analysis::mapInside(known_, s, fn);
  }
  /// Says what has been done with the loops of a statement.
  template <class... Args>
  void note(DiagId id, const ir::Stmt& s, fmt::format_string<Args...> text, Args&&... args) const {
    ctx_.diag.report(id, s->span, fmt::format(text, std::forward<Args>(args)...));
  }

  ir::Function& function_;
  ir::PassContext& ctx_;
  const analysis::Liveness live_; ///< of the function as it was
  analysis::Context known_;       ///< where the pass is
};

/// Goes through loops, outer ones first.
class LoopPass : public FunctionPass {
public:
  using FunctionPass::FunctionPass;
  virtual ~LoopPass() = default;
  LoopPass(const LoopPass&) = delete;
  LoopPass& operator=(const LoopPass&) = delete;

  ir::Stmt visit(const ir::Stmt& s) {
    if (!s) return s;
    if (const auto* loop = s.as<ir::For>())
      if (const ir::Stmt made = replaced(s, *loop)) return made;
    return enters(s) ? inside(s, [&](const ir::Stmt& child) { return visit(child); }) : s;
  }

protected:
  /// What a loop becomes; an empty handle: it stays, and those in it are looked at.
  virtual ir::Stmt replaced(const ir::Stmt& s, const ir::For& loop) = 0;
  /// Is there anything to do in the statement?
  virtual bool enters(const ir::Stmt&) const { return true; }
};

} // namespace appyc::loops
