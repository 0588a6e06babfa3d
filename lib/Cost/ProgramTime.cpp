//===- ProgramTime.cpp - how long a whole function takes --------------------------------------------------===//
#include "appyc/Cost/ProgramTime.h"
#include "Numbers.h"
#include "appyc/Cost/KernelWork.h"
#include "appyc/IR/Kernels.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>

namespace appyc::cost {
using namespace ir;

namespace {

class Sum {
public:
  Sum(const Function& f, const Device& device, int64_t size)
      : function_(withBodiesInPlace(f)), device_(device), size_(size), values_(valuesOf(function_)) {
    for (const Size& s : f.sizes) given_.insert(s.name);
    for (const Param& p : f.params) given_.insert(p.name);
  }
  ProgramTime all() { return of(function_.body); }

private:
  ProgramTime of(const Stmt& s) {
    if (!s) return {};
    if (const auto* launch = s.as<Launch>()) {
      const Prediction p = predict(device_, workOf(*launch, function_), size_);
      return {p.ns, p.ns, !p.isLeast};
    }
    if (const auto* product = s.as<MatMul>()) return of(*product);
    if (s.is<Routine>() || s.is<Fetch>()) return {device_.launch, device_.launch, true};
    if (const auto* branch = s.as<If>()) return of(*branch);
    ProgramTime sum;
    forEachChild(s, [&](const Stmt& child) {
      const ProgramTime part = of(child);
      sum = {sum.least + part.least, sum.most + part.most, sum.isKnown && part.isKnown};
    });
    if (const auto* loop = s.as<For>()) {
      const Expr trips = tripCount(*loop);
      const std::optional<double> times = trips ? numbers().of(trips) : std::nullopt;
      sum.least *= std::max(times.value_or(1), 0.0);
      sum.most *= std::max(times.value_or(1), 0.0);
    }
    return sum;
  }

  ProgramTime of(const If& branch) {
    const std::optional<bool> holds = numbers().holds(branch.cond);
    if (holds) return of(*holds ? branch.then : branch.otherwise);
    const ProgramTime a = of(branch.then), b = of(branch.otherwise);
    return {std::min(a.least, b.least), std::max(a.most, b.most), a.isKnown && b.isKnown};
  }

  ProgramTime of(const MatMul& product) {
    const auto rows = numbers().of(product.rows), columns = numbers().of(product.columns),
               inner = numbers().of(product.inner);
    if (!rows || !columns || !inner) return {device_.launch, device_.launch, false};
    Work work{.launches = 1, .bytes = 8 * (*rows * *columns + *rows * *inner + *inner * *columns)};
    (product.type == DType::F64 ? work.doubles : work.singles) = *rows * *columns * *inner;
    const double ns = predict(device_, work);
    return {ns, ns, true};
  }

  Numbers numbers() const { return {values_, given_, static_cast<double>(size_)}; }

  const Function function_;
  const Device& device_;
  int64_t size_;
  std::map<Symbol, Expr> values_;
  std::set<Symbol> given_;
};

} // namespace

ProgramTime timeOf(const Function& function, const Device& device, int64_t size) {
  return Sum(function, device, size).all();
}

std::optional<double> valueAt(const Expr& e, int64_t size) {
  return Numbers{{}, freeVars(e), static_cast<double>(size)}.of(e);
}

} // namespace appyc::cost
