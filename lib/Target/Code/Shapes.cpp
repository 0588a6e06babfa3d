//===- Shapes.cpp - ENTRY_shapes: the sizes of results, for who makes them -----------------------------===//
// The extents are the same expressions, written by the same code, as those by which the function fills its results.
#include "appyc/IR/Shapes.h"
#include "Expressions.h"
#include "Functions.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>

namespace appyc::target {

using namespace ir;

namespace {

/// Python's integers have no size: sums and products of them that may leave 64 bits, where the others do not.
class LargeNumbers {
public:
  explicit LargeNumbers(const Function& f) {
    for (const Size& s : f.sizes) sizes_.insert(s.name);
    for (const Param& p : f.params)
      if (!p.isArray && p.weak) integers_.insert(p.name);
  }

  /// As floats, which are out of the range of 64 bits where the integers are.
  std::vector<Expr> in(const Expr& e) {
    found_.clear();
    collect(e);
    return found_;
  }

private:
  static const Binary* asSum(const Expr& e) {
    const auto* b = typeOf(e) == DType::I64 ? e.as<Binary>() : nullptr;
    return b && (b->op == BinaryOp::Add || b->op == BinaryOp::Sub || b->op == BinaryOp::Mul) ? b : nullptr;
  }
  static Expr asFloat(const Expr& e) {
    const Binary* b = asSum(e);
    return b ? binary(b->op, asFloat(b->lhs), asFloat(b->rhs)) : ir::cast(DType::F64, e);
  }
  /// Sums of sizes are far from the limit.
  bool mayBeLarge(const Expr& e) const {
    const Binary* b = asSum(e);
    const auto* v = e.as<Var>();
    if (!b) return v && integers_.count(v->name);
    const bool isProduct = b->op == BinaryOp::Mul && !b->lhs.is<Const>() && !b->rhs.is<Const>();
    return isProduct || mayBeLarge(b->lhs) || mayBeLarge(b->rhs);
  }
  bool isPython(const Expr& e) const {
    const std::set<Symbol> names = freeVars(e);
    return std::all_of(names.begin(), names.end(),
                       [&](const Symbol& s) { return sizes_.count(s) || integers_.count(s); });
  }
  void collect(const Expr& e) {
    const bool isSum = asSum(e);
    if (isSum && isPython(e) && mayBeLarge(e)) found_.push_back(asFloat(e));
    mapChildren(e, [&](const Expr& child) {
      if (!isSum || !asSum(child)) collect(child);
      return child;
    });
  }

  std::set<Symbol> sizes_, integers_;
  std::vector<Expr> found_;
};

bool isNonNegative(const Function& f, const Expr& e) {
  if (const auto c = constantInt(e)) return *c >= 0;
  if (const auto* v = e.as<Var>())
    return std::any_of(f.sizes.begin(), f.sizes.end(), [&](const Size& s) { return s.name == v->name; });
  if (const auto* s = e.as<Select>()) return isNonNegative(f, s->then) && isNonNegative(f, s->otherwise);
  const auto* b = e.as<Binary>();
  if (!b) return false;
  if (b->op == BinaryOp::Max) return isNonNegative(f, b->lhs) || isNonNegative(f, b->rhs);
  const bool both = isNonNegative(f, b->lhs) && isNonNegative(f, b->rhs);
  return both && (b->op == BinaryOp::Add || b->op == BinaryOp::Mul || b->op == BinaryOp::Min ||
                  b->op == BinaryOp::FloorDiv || b->op == BinaryOp::Mod);
}

} // namespace

cxx::Decl shapesEntry(Context& c) {
  Entry entry(c);
  LargeNumbers large(c.function);
  const std::string out = c.freshName("extents");
  std::vector<cxx::Stmt> body;
  std::vector<Expr> refused; // one condition for all axes of that length
  const auto refuse = [&](const Expr& condition, std::string_view message) {
    if (std::ranges::any_of(refused, [&](const Expr& e) { return equal(e, condition); })) return;
    refused.push_back(condition);
    c.support.use("fail");
    body.push_back(
        cxx::ifThen(Expressions(c).value(condition),
                    cxx::giveBack(cxx::call("fail", {cxx::name("ValueError"), cxx::text(message)}))));
  };
  int64_t place = 0;
  for (const auto& [asked, isBesideNone] : computedExtents(c.function)) {
    // Of None the caller gets no elements: the function itself raises where it makes some.
    const Expr extent =
        isBesideNone && !isNonNegative(c.function, asked) ? binary(BinaryOp::Max, asked, intConst(0)) : asked;
    for (const Expr& number : large.in(extent))
      refuse(binary(BinaryOp::Ge, ir::call(Intrinsic::Abs, DType::F64, {number}), floatConst(9.2e18)),
             "Maximum allowed dimension exceeded");
    if (!isNonNegative(c.function, extent))
      refuse(binary(BinaryOp::Lt, extent, intConst(0)), "negative dimensions are not allowed");
    body.push_back(
        cxx::assign(cxx::index(cxx::name(out), cxx::number(place++)), Expressions(c).exact(extent)));
  }
  body.push_back(cxx::giveBack(cxx::number(0)));
  std::vector<CParam> params = shapeParams(c.function);
  params.pop_back();
  std::vector<cxx::Parameter> all = entry.params(params, entry.used);
  all.push_back({cxx::pointerTo("int64_t", false, false), out, false});
  return cxx::decl(cxx::Function{"",
                                 {},
                                 "extern \"C\"",
                                 cxx::type("int"),
                                 c.function.entry + "_shapes",
                                 std::move(all),
                                 cxx::stmt(cxx::Block{std::move(body)})});
}

} // namespace appyc::target
