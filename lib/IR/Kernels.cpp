//===- Kernels.cpp - kernels as objects of a function, and their launches -----------------------------===//
#include "appyc/IR/Kernels.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace appyc::ir {

std::string_view name(AtomicOp op) {
  static constexpr std::string_view names[] = {"add", "sub", "min", "max", "nanmin", "nanmax", "and",
                                               "or",  "xor", "inc", "dec", "exch",   "cas"};
  return names[static_cast<size_t>(op)];
}

std::string_view name(ExchangeOp op) {
  static constexpr std::string_view names[] = {
      "count_of_block", "all_of_block", "any_of_block", "all_of_warp", "any_of_warp",  "equal_of_warp",
      "ballot",         "active_mask",  "shuffle",      "shuffle_up",  "shuffle_down", "shuffle_xor"};
  return names[static_cast<size_t>(op)];
}

namespace {

/// The body with scalars and loops' indices of its own, so that it may stand beside the original.
Stmt withOwnScalars(const Stmt& body, const std::vector<Symbol>& but) {
  std::map<Symbol, Symbol> own;
  for (const Symbol& name : assignedVars(body)) own.emplace(name, name.hint());
  each<For>(body, [&](const For& loop) { own.emplace(loop.index, loop.index.hint()); });
  for (const Symbol& name : but) own.erase(name);
  return renameScalars(body, own);
}

/// Do the parameters stand for themselves?
bool isSame(const Kernel& kernel, const std::vector<Argument>& arguments) {
  return std::equal(kernel.params.begin(), kernel.params.end(), arguments.begin(), arguments.end(),
                    [](const Symbol& p, const Argument& a) {
                      const auto* v = a.array ? nullptr : a.value.as<Var>();
                      return a.array == p || (v && v->name == p);
                    });
}

} // namespace

Stmt bodyWith(const Kernel& kernel, const std::vector<Argument>& arguments) {
  std::map<Symbol, Symbol> arrays;
  std::map<Symbol, Expr> numbers;
  for (size_t i = 0; i < kernel.params.size(); ++i) {
    const Symbol& p = kernel.params[i];
    const Argument& a = arguments[i];
    if (a.array && a.array != p) arrays[p] = a.array;
    const auto* same = a.array ? nullptr : a.value.as<Var>();
    if (!a.array && !(same && same->name == p)) numbers[p] = a.value;
  }
  return renameArrays(substitute(kernel.body, numbers), arrays);
}

/// Its extents are numbers of the launch's.
static bool isSizedByLaunch(const Stmt& s) {
  const auto* a = s.as<Alloc>();
  return a && a->shared && !constantInt(elementCount(a->buffer));
}

Expr sharedBytesOf(const Kernel& kernel, const std::vector<Argument>& arguments) {
  std::map<Symbol, Expr> numbers;
  for (size_t i = 0; i < kernel.params.size(); ++i)
    if (!arguments[i].array) numbers[kernel.params[i]] = arguments[i].value;
  Expr most;
  visit(kernel.body, [&](const Stmt& s) {
    if (!isSizedByLaunch(s)) return true;
    const Buffer& b = s.as<Alloc>()->buffer; // all begin at one address
    const Expr bytes = substitute(mul(elementCount(b), intConst(byteSize(b.type))), numbers);
    most = !most || equal(most, bytes) ? bytes : binary(BinaryOp::Max, most, bytes);
    return true;
  });
  return most;
}

static Function withBodies(const Function& f, bool ofGiven) {
  if (f.kernels.empty()) return f;
  Function result = f;
  std::erase_if(result.kernels, [&](const Kernel& k) { return ofGiven || !k.isGiven; });
  std::set<std::string> seen;
  const auto placed = [&](const std::string& name, const std::vector<Argument>& arguments) {
    const Kernel& kernel = *f.findKernel(name);
    if (seen.insert(name).second || isSame(kernel, arguments)) return bodyWith(kernel, arguments);
    return bodyWith({name, kernel.params, withOwnScalars(kernel.body, kernel.params), kernel.isGiven},
                    arguments);
  };
  result.body = replace<Launch>(f.body, [&](const Launch& l, const Stmt& s) -> Stmt {
    if (l.body || result.findKernel(l.name)) return {};
    Launch inPlace = l;
    inPlace.body = placed(l.name, l.arguments);
    inPlace.arguments.clear();
    if (Vectors::Rows& rows = inPlace.vectors.rows; !rows.name.empty()) {
      rows.body = placed(rows.name, rows.arguments);
      rows.name.clear();
      rows.arguments.clear();
    }
    return makeStmt(s->span, std::move(inPlace));
  });
  return result;
}

Function withBodiesInPlace(const Function& f) { return withBodies(f, true); }
Function withMadeBodiesInPlace(const Function& f) { return withBodies(f, false); }

} // namespace appyc::ir
