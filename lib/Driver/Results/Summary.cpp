//===- Summary.cpp - what each function became, for --remarks=summary -------------------------------------===//
#include "Summary.h"
#include "appyc/Cost/KernelWork.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Kernels.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Rewrite.h"
#include <fmt/format.h>
#include <set>
#include <vector>

namespace appyc::driver {

using namespace ir;

namespace {

struct Launched {
  const Launch* launch;
  Span where;
  bool repeated; ///< in a loop of the host
};

struct Found {
  std::vector<Launched> kernels;
  int parallelLoops = 0, products = 0;
};

void find(const Stmt& s, bool repeated, Found& found) {
  if (const auto* launch = s.as<Launch>()) {
    found.kernels.push_back({launch, s->span, repeated});
    return;
  }
  found.products += s.is<MatMul>();
  const auto* loop = s.as<For>();
  if (loop && loop->order != Order::Serial) { // of threads of the CPU: what is in it is their own
    ++found.parallelLoops;
    return;
  }
  const bool repeats = repeated || s.is<While>() || (loop && !isRow(*loop));
  forEachChild(s, [&](const Stmt& child) { find(child, repeats, found); });
}

std::string counted(size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string bytes(const cost::KernelWork& t) {
  return fmt::format("reads {} bytes, writes {}", print(t.read), print(t.written));
}

void summarise(const Function& outlined, Span extent, const cost::Device& device, Diagnostics& diag,
               const std::vector<Diagnostic>& serial) {
  const Function function = withBodiesInPlace(outlined);
  Found found;
  find(function.body, false, found);
  std::vector<std::string> parts;
  cost::KernelWork total{intConst(0), intConst(0), {}, {}, {}, {}};
  size_t once = 0;
  std::set<std::string> names;
  for (const Launched& k : found.kernels) {
    names.insert(k.launch->name);
    if (k.repeated) continue;
    ++once;
    const cost::KernelWork t = cost::workOf(*k.launch, function);
    total.read = add(total.read, t.read);
    total.written = add(total.written, t.written);
  }
  if (!found.kernels.empty()) {
    parts.push_back(counted(names.size(), "kernel"));
    parts.push_back(fmt::format("{} launch{} a call", once, once == 1 ? "" : "es"));
    if (once < found.kernels.size())
      parts.push_back(fmt::format("{} in each iteration of the host's loops", found.kernels.size() - once));
    if (once > 0) parts.push_back(bytes(total) + (once < found.kernels.size() ? " outside of these" : ""));
  } else {
    parts.push_back(counted(static_cast<size_t>(found.parallelLoops), "parallel loop"));
  }
  if (found.products > 0)
    parts.push_back(counted(static_cast<size_t>(found.products), "matrix product") + " by a library");
  Diagnostic& remark = diag.report(DiagId::Summary, function.span,
                                   fmt::format("`{}`: {}", function.entry, fmt::join(parts, ", ")));
  for (const Launched& k : found.kernels)
    if (names.erase(k.launch->name) > 0) {
      const cost::KernelWork work = cost::workOf(*k.launch, function);
      remark.note(k.where,
                  fmt::format("`{}`{}: {}; predicted: {}", k.launch->name, k.repeated ? ", repeated" : "",
                              bytes(work), cost::predictionText(device, work)));
    }
  for (const Diagnostic& d : serial)
    if (d.where.begin >= extent.begin && d.where.end <= extent.end) remark.note(d.where, d.text);
}

} // namespace

Span extentOf(const ast::Module& tree, const Function& function) {
  for (const ast::Function& f : tree.functions)
    if (f.nameSpan.begin == function.span.begin) return f.span;
  return function.span;
}

void summarise(const ast::Module& tree, const Module& module, const cost::Device& device, Diagnostics& diag) {
  std::vector<Diagnostic> serial;
  for (const Diagnostic& d : diag.all())
    if (d.id == DiagId::KeptSerial) serial.push_back(d);
  for (const Function& f : module.functions) {
    summarise(f, extentOf(tree, f), device, diag, serial);
    for (const Version& v : f.versions) summarise(v.function, v.function.span, device, diag, {});
  }
}

} // namespace appyc::driver
