//===- WarnSerialWork.cpp - tells of loops that leave the GPU idle --------------------------------------===//
//   launch(1, 1): for i in [0, N): hist[k[i]] += 1     =>     warning: loop `i` runs on one thread of the GPU (or the host's)
//   for t: launch(f); s = fetch(..); if s > 0: ..       =>     warning: the host reads `s` back in each iteration
// Nothing changes.
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kMany = 10000;

class Warnings {
public:
  Warnings(const Function& function, PassContext& ctx) : function_(function), ctx_(ctx) {}

  void host(const Stmt& s) {
    if (const auto* launch = s.as<Launch>()) return kernel(*launch);
    const auto* loop = s.as<For>();
    if ((loop && !isRow(*loop)) || s.is<While>()) roundTrips(s);
    forEachChild(s, [&](const Stmt& child) { host(child); });
  }

private:
  //===--- kernels of one block -------------------------------------------------------------------------===//

  /// Iterations of all loops, kMany + 1 where they may be more.
  int64_t iterations(const Stmt& s) const {
    if (s.is<While>()) return kMany + 1;
    int64_t inside = 0;
    forEachChild(s, [&](const Stmt& child) { inside = std::min(inside + iterations(child), kMany + 1); });
    const auto* loop = s.as<For>();
    if (!loop) return inside;
    const Expr count = tripCount(*loop);
    const std::optional<int64_t> most = count ? analysis::constantMost(count, function_.body) : std::nullopt;
    if (!most || *most > kMany) return kMany + 1;
    return std::min(std::max<int64_t>(*most, 0) * std::max<int64_t>(inside, 1), kMany + 1);
  }

  void kernel(const Launch& launch) {
    const bool isByHost = launch.how == Launch::ByHost;
    if (!launch.body || (!isByHost && launch.how != Launch::Plain && launch.how != Launch::Overlapping))
      return;
    if (!isByHost && any<Launch>(function_.body, [&](const Launch& other) {
          return other.name == launch.name && other.how == Launch::ByHost;
        }))
      return; // which the host does where it has many iterations
    for (const Expr& extent : launch.shape.grid)
      if (!isConst(extent, 1)) return;
    const char* where = isByHost ? "on one thread of the host"
                        : launch.shape.block[0] * launch.shape.block[1] * launch.shape.block[2] == 1
                            ? "on one thread of the GPU"
                            : "in one block of the GPU's";
    if (iterations(launch.body) <= kMany) return;
    Stmt serial; // the outermost loop that one thread runs after the other
    const bool isMeant = hasAskedThreads(launch.body) || any<For>(launch.body, [](const For& loop) {
                           return loop.hints.mark == LoopMark::Sequential;
                         });
    visit(launch.body, [&](const Stmt& part) {
      const auto* loop = part.as<For>();
      const bool isSerial = part.is<While>() || (loop && !isBound(*loop) && loop->order == Order::Serial);
      if (!serial && isSerial && part->span.begin != part->span.end) serial = part;
      return !serial;
    });
    if (isMeant || !serial) return;
    report(serial, where);
  }

  void report(const Stmt& serial, const char* where) {
    const auto* loop = serial.as<For>();
    const auto [index, why] = reason(serial->span);
    // Loops of which nothing was said are a pass's own, or what is left where the sizes do not fit; a `while` is in order
    // by what it says.
    if (why.empty() || (loop && index != loop->index.hint())) return;
    const Stmt update = loop ? chosenUpdate(loop->body) : Stmt();
    Diagnostic& warning = ctx_.diag.report(
        DiagId::SerialWork, serial->span,
        fmt::format(
            "loop `{}` runs {}: {}", index, where,
            update ? "`#pragma parallel for` above it and `#pragma atomic` above the update would share it"
                   : why));
    if (update) warning.note(update->span, "the update whose element is known only at run time");
  }

  /// An update of an element that the data choose.
  static Stmt chosenUpdate(const Stmt& body) {
    const std::set<Symbol> assigned = assignedVars(body);
    Stmt found;
    visit(body, [&](const Stmt& s) {
      const auto* store = s.as<Store>();
      if (found || !store || store->atomicOp) return !found;
      const bool chosen = std::any_of(store->index.begin(), store->index.end(), [&](const Expr& index) {
        return readsMemory(index) || intersect(freeVars(index), assigned);
      });
      if (chosen && loadedBuffers(store->value).count(store->buffer)) found = s;
      return true;
    });
    return found;
  }

  /// The index of a loop, and what was said of it when it was judged, or found to be one that is left.
  std::pair<std::string, std::string> reason(Span where) const {
    const std::string begin = "loop `", said = "` stays serial: ";
    for (const Diagnostic& d : ctx_.diag.all()) {
      const size_t at = d.text.find(said);
      if (d.id == DiagId::KeptSerial && d.where == where && d.text.starts_with(begin) &&
          at != std::string::npos)
        return {d.text.substr(begin.size(), at - begin.size()), d.text.substr(at + said.size())};
    }
    return {};
  }

  //===--- host loops -------------------------------------------------------------------------------------===//

  /// What decides whether a `while` goes on must be read, and in batches how large a kernel's arrays are; anything else need not.
  void roundTrips(const Stmt& s) {
    std::set<Symbol> needed;
    const Stmt& body = s.is<While>() ? s.as<While>()->body : s.as<For>()->body;
    if (const auto* loop = s.as<While>()) needed = freeVars(loop->cond);
    if (const auto* loop = s.as<For>(); loop && loop->hints.origins.empty())
      each<Alloc>(body, [&](const Alloc& made) {
        for (const Expr& e : made.buffer.extents) needed.merge(freeVars(e));
      });
    for (size_t before = 0; before != needed.size();) {
      before = needed.size();
      visit(body, [&](const Stmt& part) {
        if (const auto* a = part.as<Assign>(); a && needed.count(a->var)) needed.merge(freeVars(a->value));
        return !part.is<Launch>();
      });
    }
    visit(body, [&](const Stmt& part) {
      const auto* fetch = part.as<Fetch>();
      if (fetch && !needed.count(fetch->var))
        ctx_.diag
            .report(DiagId::HostRoundTrip, part->span.begin == part->span.end ? s->span : part->span,
                    fmt::format("the host waits for `{}` in each iteration of the loop", fetch->var.hint()))
            .note(s->span, "the loop, whose kernels could follow one another without the host");
      const auto* loop = part.as<For>();
      return !part.is<Launch>() && !part.is<While>() && !(loop && !isRow(*loop)); // which have their own turn
    });
  }

  const Function& function_;
  PassContext& ctx_;
};

} // namespace

void warnSerialWork(Function& f, PassContext& ctx) {
  if (ctx.sanitize.any() || ctx.checkRaces) return; // which is to be right, not fast
  Warnings(f, ctx).host(f.body);
}

} // namespace appyc::schedule
