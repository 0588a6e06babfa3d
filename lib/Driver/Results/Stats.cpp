//===- Stats.cpp - what a scheduled module consists of, as numbers ------------------------------------===//
#include "Stats.h"
#include "appyc/Cost/KernelWork.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Kernels.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Rewrite.h"
#include <fmt/format.h>

namespace appyc::driver {

using namespace ir;

namespace {
struct Counts {
  int kernels = 0, loops = 0, parallelLoops = 0, reductions = 0, barriers = 0, collectives = 0,
      barriersOfFolds = 0, temporaries = 0, fetches = 0, atomics = 0;
  int launches = 0, repeatedLaunches = 0, graphs = 0, libraryCalls = 0;
};

/// What a block has in shared memory besides what its folds go through.
Expr sharedBytes(const Stmt& body) {
  Expr bytes = intConst(0);
  visit(body, [&](const Stmt& s) {
    const auto* a = s.as<Alloc>();
    if (a && a->shared && !a->vector && !a->row && a->buffer.threads == 0)
      bytes = add(bytes, mul(elementCount(a->buffer), intConst(byteSize(a->buffer.type))));
    return true;
  });
  return bytes;
}

const char* launchText(Launch::How how) {
  switch (how) {
  case Launch::Plain: return "plain";
  case Launch::Cluster: return "one cluster";
  case Launch::Overlapping: return "overlapping";
  case Launch::Resident: return "resident";
  case Launch::ByHost: return "by the host";
  }
  return "";
}

void count(const Stmt& body, bool insideHostLoop, Counts& counts) {
  visit(body, [&](const Stmt& s) {
    if (const auto* launch = s.as<Launch>()) {
      ++counts.kernels;
      ++(insideHostLoop ? counts.repeatedLaunches : counts.launches);
      const int temporaries = counts.temporaries; // in global memory: not what a kernel has on chip
      count(launch->body, false, counts);
      counts.temporaries = temporaries;
      return false;
    }
    if (const auto* loop = s.as<For>()) counts.graphs += loop->mapping.is<Recorded>();
    if (const auto* loop = s.as<For>(); loop && !isRow(*loop)) {
      ++counts.loops;
      counts.parallelLoops +=
          loop->order != Order::Serial || (isBound(*loop) && !loop->mapping.is<Recorded>());
      counts.reductions += static_cast<int>(loop->reductions.size());
      count(loop->body, true, counts);
      return false;
    }
    if (const auto* loop = s.as<While>()) {
      ++counts.loops;
      count(loop->body, true, counts);
      return false;
    }
    if (const auto* product = s.as<MatMul>()) counts.libraryCalls += product->library;
    counts.libraryCalls += s.is<Routine>();
    counts.barriers += s.is<Barrier>();
    if (const auto* fold = s.as<Collective>()) {
      ++counts.collectives;
      if (fold->scope == Scope::Block || fold->scope == Scope::Group) // which may be a block
        counts.barriersOfFolds += fold->apart ? 2 : 1;
    }
    counts.temporaries += s.is<Alloc>();
    counts.fetches += s.is<Fetch>();
    if (const auto* store = s.as<Store>()) counts.atomics += store->atomicOp.has_value();
    if (const auto* statement = s.as<IndexStmt>()) counts.atomics += statement->atomicOp.has_value();
    return true;
  });
}

std::string shown(const Expr& e) { return e ? ir::print(e) : "not known"; }

std::string kernelStats(const Function& function, const cost::Device& device) {
  std::string text;
  visit(function.body, [&](const Stmt& s) {
    const auto* kernel = s.as<Launch>();
    if (!kernel) return true;
    Counts c;
    count(kernel->body, false, c);
    const cost::KernelWork work = cost::workOf(*kernel, function);
    text +=
        fmt::format("kernel: {}\n  launch: {}\n  elements at once: {}\n  shared bytes: {}\n", kernel->name,
                    launchText(kernel->how), kernel->vectors.width, ir::print(sharedBytes(kernel->body)));
    text += fmt::format("  barriers: {}\n  barriers of folds: {}\n  atomics: {}\n", c.barriers,
                        c.barriersOfFolds, c.atomics);
    text +=
        fmt::format("  bytes read: {}\n  bytes written: {}\n", ir::print(work.read), ir::print(work.written));
    text += fmt::format("  elements: {}\n  operations of f64: {}\n  other operations: {}\n  predicted: {}\n",
                        shown(work.elements), shown(work.doubles), shown(work.singles),
                        cost::predictionText(device, work));
    return false;
  });
  return text;
}

std::string functionStats(const Function& outlined, const cost::Device& device) {
  const Function function = withBodiesInPlace(outlined);
  Counts c;
  count(function.body, false, c);
  std::string text = fmt::format("function: {}\n", function.entry);
  text += fmt::format("kernels: {}\nlaunches: {}\nlaunches in host loops: {}\n", c.kernels, c.launches,
                      c.repeatedLaunches);
  text +=
      fmt::format("loops: {}\nparallel loops: {}\nreductions: {}\n", c.loops, c.parallelLoops, c.reductions);
  text += fmt::format("barriers: {}\ncollectives: {}\natomics: {}\n", c.barriers, c.collectives, c.atomics);
  text += fmt::format("temporaries: {}\nfetches: {}\ngraphs: {}\nlibrary calls: {}\n", c.temporaries,
                      c.fetches, c.graphs, c.libraryCalls);
  return text + kernelStats(function, device);
}
} // namespace

std::string stats(const Module& module, const cost::Device& device) {
  std::string text;
  const auto add = [&](const Function& function) {
    text += (text.empty() ? "" : "\n") + functionStats(function, device);
  };
  for (const Function& function : module.functions) {
    add(function);
    for (const Version& version : function.versions) add(version.function);
  }
  return text;
}

} // namespace appyc::driver
