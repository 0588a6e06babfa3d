#include "Refuted.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include <fmt/format.h>

namespace appyc::transform {
using namespace ir;

void reportRefuted(Diagnostics& diag, const For& loop, Span span, const analysis::ParallelVerdict& v) {
  const char* word = loop.hints.mark == LoopMark::Simd ? "simd" : "parallel";
  const std::string& i = loop.index.hint();
  if (!v.carriedScalars.empty()) {
    diag.report(
            DiagId::LoopCarried, span,
            fmt::format("loop `{}` is declared {}, but `{}` carries a value from one iteration to the next",
                        i, word, v.carriedScalars.front().hint()))
        .note(span, "a scalar may collect by one of +, *, min, max, and, or; otherwise drop the pragma");
    return;
  }
  // "iteration i=0 writes A[1], iteration i=1 reads it": each half goes to its place.
  size_t half = v.witness.find(", iteration ");
  std::string early = v.witness.substr(0, half),
              late = half == std::string::npos ? early : v.witness.substr(half + 2);
  bool earlyWrites = early.find(" reads ") == std::string::npos;
  diag.report(DiagId::LoopCarried, span,
              fmt::format("loop `{}` is declared {}, but its iterations depend on one another: {}", i, word,
                          v.witness))
      .note(earlyWrites ? v.writeAt : v.otherAt, early)
      .note(earlyWrites ? v.otherAt : v.writeAt, late)
      .note(span, "use `#pragma atomic` on the update, an element of its own for each iteration, or drop "
                  "the pragma");
}

void reportReductions(Diagnostics& diag, const For& loop, Span span, const analysis::ParallelVerdict& v) {
  std::set<Symbol> own; // those that inner loops collect are theirs
  for (const Stmt& s : statementsOf(loop.body)) {
    if (const auto* inner = s.as<For>(); inner && inner->order != Order::Serial) return;
    if (const auto* a = s.as<Assign>()) own.insert(a->var);
  }
  for (const Reduction& r : v.reductions)
    if (own.count(r.var))
      diag.report(
          DiagId::SerialReduction, span,
          fmt::format(
              "`{}` is collected serially, as loop `{}` is serial: {}; collect it in a loop of its own",
              r.var.hint(), loop.index.hint(), v.reason));
}

} // namespace appyc::transform
