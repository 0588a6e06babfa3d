//===- OutlineKernels.cpp - what launches run becomes objects with parameters -------------------------------===//
// Passes before this one look through launches as through any statement: what a kernel reads and the host makes has one
// name, so that dependences, liveness and costs need no renaming. Those after it print, and two launches are of one kernel
// where they name one object.
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include "appyc/Schedule/Passes.h"
#include "appyc/Support/InternalError.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

/// Arrays and numbers in the order in which the text mentions them.
std::vector<Symbol> mentionsOf(const Stmt& body) {
  std::vector<Symbol> all;
  visit(
      body,
      [&](const Stmt& s) {
        if (const auto* store = s.as<Store>()) all.push_back(store->buffer);
        return true;
      },
      [&](const Expr& e) {
        if (const auto* v = e.as<Var>()) all.push_back(v->name);
        if (const auto* l = e.as<Load>()) all.push_back(l->buffer);
        return true;
      });
  return all;
}

class Outlining {
public:
  explicit Outlining(const Function& f) : function_(f) {
    for (const Param& p : f.params)
      if (!p.isArray) ofHost_[p.name] = p.type;
    for (const Size& s : f.sizes) ofHost_[s.name] = DType::I64;
    visit(f.body, [&](const Stmt& s) {
      if (const auto* a = s.as<Assign>()) ofHost_[a->var] = typeOf(a->value);
      if (const auto* fetch = s.as<Fetch>()) ofHost_[fetch->var] = fetch->type;
      if (const auto* loop = s.as<For>()) ofHost_[loop->index] = DType::I64;
      return !s.is<Launch>();
    });
  }

  Function made() {
    Function result = function_;
    result.body = outlined(function_.body);
    result.kernels.insert(result.kernels.end(), kernels_.begin(), kernels_.end());
    return result;
  }

private:
  Stmt outlined(const Stmt& s) {
    const auto* launch = s.as<Launch>();
    if (!launch) return mapChildren(s, [&](const Stmt& child) { return outlined(child); });
    if (!launch->body) return s;
    Launch plain = *launch;
    plain.body = {};
    plain.arguments = argumentsOf(launch->name, launch->body);
    if (Vectors::Rows& rows = plain.vectors.rows; rows.body) {
      rows.name = launch->name + "_of_rows";
      rows.arguments = argumentsOf(rows.name, rows.body);
      rows.body = {};
    }
    return makeStmt(s->span, std::move(plain));
  }

  /// What the kernel that runs `body` takes here; it is made for its first launch.
  std::vector<Argument> argumentsOf(const std::string& name, const Stmt& body) {
    const auto known = std::ranges::find_if(kernels_, [&](const Kernel& k) { return k.name == name; });
    const Kernel& kernel =
        known == kernels_.end() ? kernels_.emplace_back(Kernel{name, parametersOf(body), body}) : *known;
    const std::vector<Symbol> there = mentionsOf(kernel.body), here = mentionsOf(body);
    if (there.size() != here.size()) internalError(fmt::format("two kernels are called `{}`", name));
    const std::set<Symbol> loaded = loadedBuffers(body), stored = storedBuffers(body);
    std::vector<Argument> arguments;
    for (const Symbol& p : kernel.params) {
      const auto at = std::find(there.begin(), there.end(), p);
      // A size that only an array's rows are counted by is the same in all.
      const Symbol& own = at == there.end() ? p : here[static_cast<size_t>(at - there.begin())];
      if (function_.findBuffer(own))
        arguments.push_back({own, {}, loaded.count(own) > 0, stored.count(own) > 0});
      else
        arguments.push_back({{}, var(own, ofHost_.at(own))});
    }
    return arguments;
  }

  /// Arrays that are not the kernel's own, in the order of the function's buffers, then numbers of the host's that it reads
  /// or that arrays are counted by, by age.
  std::vector<Symbol> parametersOf(const Stmt& body) const {
    std::set<Symbol> arrays = loadedBuffers(body), own = loopIndices(body),
                     numbers = analysis::exposedScalars(body);
    arrays.merge(storedBuffers(body));
    own.merge(allocatedBuffers(body));
    std::vector<Symbol> params;
    for (const Buffer& b : function_.buffers) {
      if (!arrays.count(b.name)) continue;
      for (const Expr& e : b.extents) numbers.merge(freeVars(e));
      if (!own.count(b.name)) params.push_back(b.name);
    }
    for (const Symbol& n : numbers)
      if (ofHost_.count(n) && !own.count(n)) params.push_back(n);
    return params;
  }

  const Function& function_;
  std::map<Symbol, DType> ofHost_; ///< numbers that the host knows
  std::vector<Kernel> kernels_;
};

} // namespace

Function withKernels(const Function& f) { return Outlining(f).made(); }

void outlineKernels(Function& f, PassContext&) { f = withKernels(f); }

} // namespace appyc::schedule
