//===- IndexFacts.cpp - which integers are indices, and how large they get -----------------------------===//
#include "IndexFacts.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include "appyc/Support/InternalError.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace appyc::target {

using namespace ir;

namespace {

const double limit32 = std::ldexp(1.0, 30); ///< what the entry checks against
const double limit64 = std::ldexp(1.0, 53); ///< more elements or iterations than any machine does

double limit(Width w) { return w == Width::Int32 ? limit32 : limit64; }
Interval unite(Interval a, Interval b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

Interval product(Interval a, Interval b) {
  const double all[] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
  return {*std::min_element(all, all + 4), *std::max_element(all, all + 4)};
}

Interval quotient(Interval a, Interval b) {
  if (b.lo < 1)
    return {-std::max(std::fabs(a.lo), std::fabs(a.hi)), std::max(std::fabs(a.lo), std::fabs(a.hi))};
  return {std::floor(a.lo / (a.lo < 0 ? b.lo : b.hi)), std::floor(a.hi / (a.hi < 0 ? b.hi : b.lo))};
}

Interval remainder(Interval a, Interval b) {
  if (b.lo < 1) return {std::min(b.lo, 0.0), std::max(b.hi, 0.0)};
  return {0, a.lo >= 0 ? std::min(a.hi, b.hi - 1) : b.hi - 1};
}

/// Numbers that `visitor` calls indices: bounds, subscripts, extents, grids.
void forEachIndex(const Function& f, const std::function<void(const Expr&)>& visitor) {
  const auto loads = [&](const Expr& e) {
    if (const auto* l = e.as<Load>())
      for (const Expr& i : l->index) visitor(i);
    return true;
  };
  visit(
      f.body,
      [&](const Stmt& s) {
        if (const auto* loop = s.as<For>())
          for (const Expr& e : {loop->lo, loop->hi, loop->step}) visitor(e);
        if (const auto* store = s.as<Store>())
          for (const Expr& e : store->index) visitor(e);
        if (const auto* launch = s.as<Launch>()) {
          for (const auto* shape : {&launch->shape.grid, &launch->shape.threads})
            for (const Expr& e : *shape) visitor(e);
          for (const Expr& e : launch->vectors.multiples) visitor(e);
          if (launch->vectors.rows.length) visitor(launch->vectors.rows.length);
        }
        if (const auto* atomic = s.as<Atomic>())
          for (const Expr& e : atomic->index) visitor(e);
        if (const auto* product = s.as<MatMul>()) {
          for (const Matrix* m : {&product->target, &product->a, &product->b})
            for (const Expr& e : m->at) visitor(e);
          for (const Expr& e : {product->rows, product->columns, product->inner}) visitor(e);
          for (const HalfSpace& limit : product->limits) visitor(limit.bound);
        }
        if (const auto* routine = s.as<Routine>()) {
          for (const Routine::Operand& operand : routine->operands)
            for (const Expr& e : operand.at) visitor(e);
          for (const Expr& e : routine->numbers) visitor(e);
        }
        return true;
      },
      loads);
  for (const Buffer& b : f.buffers)
    for (const Expr& e : b.extents) visitor(e);
}

} // namespace

bool fits(Interval i, Width w) {
  const double top = std::ldexp(1.0, w == Width::Int32 ? 31 : 63);
  return i.lo >= -top && i.hi < top;
}

Interval typeRange(DType t) {
  if (isBool(t)) return {0, 1};
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!isInteger(t)) return {-infinity, infinity};
  const double top = std::ldexp(1.0, 8 * byteSize(t) - (isSigned(t) ? 1 : 0));
  return {isSigned(t) ? -top : 0, byteSize(t) == 8 ? top : top - 1};
}

IndexFacts::IndexFacts(const Function& f) {
  std::map<Symbol, Expr> values; // one that stands in two kernels is one
  visit(f.body, [&](const Stmt& s) {
    if (const auto* a = s.as<Assign>()) {
      const auto [first, isNew] = values.try_emplace(a->var, a->value);
      assignments_[a->var] += isNew || !equal(first->second, a->value);
    }
    if (const auto* c = s.as<Collective>())
      assignments_[c->var] += 2; // changes a value: never a constant
    else if (const auto* l = s.as<Fetch>())
      assignments_[l->var] += 2;
    else if (const auto* e = s.as<Exchange>())
      assignments_[e->var] += 2;
    else if (const auto* a = s.as<Atomic>(); a && a->old)
      assignments_[a->old] += 2;
    return true;
  });
  addParameters(f);
  addBuffers(f);
  addLaunches(f);
  visitStmt(f.body);
}

/// Threads along each axis are counted in 32 bits where the entry finds them to be few enough.
void IndexFacts::addLaunches(const Function& f) {
  each<Launch>(f.body, [&](const Launch& launch) {
    const Kernel* kernel = f.findKernel(launch.name);
    for (size_t axis = 0; axis < 3 && kernel && kernel->isGiven; ++axis) {
      const Expr count = mul(launch.shape.grid[axis], launch.shape.threads[axis]);
      const auto constant = constantInt(count);
      if (constant && static_cast<double>(*constant) < limit32) continue;
      if (constant || !isKnownAtEntry(count))
        needs64_ = true;
      else if (!isChecked(count))
        check(count);
    }
  });
}

void IndexFacts::addParameters(const Function& f) {
  for (const Size& s : f.sizes) {
    variables_[s.name] = {DType::I64, true, {0, limit32}, {0, limit64}};
    entry_.insert(s.name);
  }
  std::set<Symbol> inIndices;
  forEachIndex(f, [&](const Expr& e) { inIndices.merge(freeVars(e)); });
  for (const Param& p : f.params) {
    if (p.isArray) continue;
    addData(p.name, p.type);
    if (assignments_.count(p.name)) continue;
    if (f.entry.empty()) continue; // called by expressions (Apply): nobody has looked at what it is given
    entry_.insert(p.name);
    if (!isInteger(p.type) || !inIndices.count(p.name)) continue;
    Variable& v = variables_[p.name];
    v.isIndex = p.type == DType::I64;
    v.narrow = {std::max(v.narrow.lo, -limit32), std::min(v.narrow.hi, limit32)};
    v.wide = {std::max(v.wide.lo, -limit64), std::min(v.wide.hi, limit64)};
    if (fits(typeRange(p.type), Width::Int32) && byteSize(p.type) < 4) continue;
    check(cast(DType::I64, var(p.name, p.type)));
  }
}

/// Array sizes are checked at entry, so that a flattened loop over an array counts in 32 bits.
void IndexFacts::addBuffers(const Function& f) {
  for (const Size& s : f.sizes) check(var(s.name));
  for (const Buffer& b : f.buffers) {
    const Expr count = elementCount(b);
    if (constantInt(count) && static_cast<double>(*constantInt(count)) < limit32) continue;
    if (!isKnownAtEntry(count))
      needs64_ = true;
    else if (!isChecked(count))
      check(count);
  }
  forEachIndex(f, [&](const Expr& e) {
    needs64_ = needs64_ || anyExpr(e, [](const Expr& part) {
                 const std::optional<int64_t> constant = constantInt(part);
                 return constant && std::abs(static_cast<double>(*constant)) > limit32;
               });
  });
}

bool IndexFacts::isKnownAtEntry(const Expr& e) const {
  if (readsMemory(e)) return false;
  const std::set<Symbol> free = freeVars(e);
  return std::includes(entry_.begin(), entry_.end(), free.begin(), free.end());
}

const Variable& IndexFacts::variable(const Symbol& s) const {
  const auto found = variables_.find(s);
  if (found == variables_.end()) internalError(fmt::format("`{}` is used and never defined", s.hint()));
  return found->second;
}

void IndexFacts::addData(const Symbol& s, DType t) {
  variables_.try_emplace(s, Variable{t, false, typeRange(t), typeRange(t)});
}

/// Barriers between folds were placed by the type that the ir says.
void IndexFacts::addFolded(const Collective& c) {
  addData(c.var, c.type);
  variables_[c.var].isIndex = false;
}

void IndexFacts::visitStmt(const Stmt& s) {
  if (!s) return;
  if (const auto* loop = s.as<For>())
    addLoop(*loop);
  else if (const auto* a = s.as<Assign>())
    addAssign(*a);
  else if (const auto* c = s.as<Collective>())
    addFolded(*c);
  else if (const auto* l = s.as<Fetch>())
    addData(l->var, l->type);
  else if (const auto* e = s.as<Exchange>())
    addData(e->var, e->type);
  else if (const auto* update = s.as<Atomic>(); update && update->old)
    addData(update->old, update->type);
  forEachChild(s, [&](const Stmt& child) { visitStmt(child); });
}

void IndexFacts::addLoop(const For& loop) {
  for (const Expr& e : {loop.lo, loop.hi, loop.step}) checkBound(e);
  const auto between = [&](Width w) {
    // The index of a loop that counts down is also below its first value; one past the end is counted in.
    return unite(range(loop.lo, w), range(loop.hi, w));
  };
  Variable v{DType::I64, false, between(Width::Int32), between(Width::Int64)};
  v.isIndex =
      isIndexExpr(loop.lo) && isIndexExpr(loop.hi) && isIndexExpr(loop.step) && fits(v.narrow, Width::Int32);
  const auto [bound, isNew] = bounds_.try_emplace(loop.index, loop.hi);
  if (!isNew) {
    const Variable& before = variable(loop.index);
    v = {v.type, v.isIndex && before.isIndex, unite(v.narrow, before.narrow), unite(v.wide, before.wide)};
    if (bound->second && !equal(bound->second, loop.hi)) bound->second = {};
  }
  variables_[loop.index] = v;
}

void IndexFacts::addAssign(const Assign& a) {
  const DType type = typeOf(a.value);
  addData(a.var, type);
  Variable& v = variables_[a.var];
  if (type != DType::I64 || assignments_[a.var] != 1 || mentions(a.value, a.var)) return;
  const bool isNew = values_.emplace(a.var, a.value).second;
  const Interval narrow = range(a.value, Width::Int32), wide = range(a.value, Width::Int64);
  v.narrow = isNew ? narrow : unite(v.narrow, narrow);
  v.wide = isNew ? wide : unite(v.wide, wide);
  v.isIndex =
      (isNew || v.isIndex) && !a.value.is<Const>() && isIndexExpr(a.value) && fits(v.narrow, Width::Int32);
  if (!fits(v.wide, Width::Int64)) v.wide = typeRange(type); // it has wrapped
  if (!v.isIndex) v.narrow = v.wide;
}

bool IndexFacts::isIndexExpr(const Expr& e) const {
  return match(
      e, [&](const Const& c) { return c.type == DType::I64; },
      [&](const Var& v) { return variable(v.name).isIndex; }, [](const Load&) { return false; },
      [&](const Unary& u) { return u.op == UnaryOp::Neg && isIndexExpr(u.arg); },
      [&](const Binary& b) { return b.type == DType::I64 && isIndexExpr(b.lhs) && isIndexExpr(b.rhs); },
      [&](const Cast& c) {
        const DType from = typeOf(c.arg);
        return c.type == DType::I64 && isInteger(from) && fits(typeRange(from), Width::Int32);
      },
      [&](const Select& s) { return isIndexExpr(s.then) && isIndexExpr(s.otherwise); },
      [](const Call&) { return false; }, [](const Lookup&) { return false; },
      [](const Reduce&) { return false; }, [](const Apply&) { return false; },
      [](const Hardware&) { return true; });
}

bool IndexFacts::isChecked(const Expr& e) const {
  if (checked_.empty()) return false;
  const uint64_t hash = indexHash(e);
  for (size_t k = 0; k < checked_.size(); ++k)
    if (hashes_[k] == hash && equalIndex(checked_[k], e)) return true;
  return false;
}

/// Has the entry check a bound that would not fit 32 bits otherwise, `range(M * N)`.
void IndexFacts::checkBound(const Expr& e) {
  if (fits(range(e, Width::Int32), Width::Int32) || !isKnownAtEntry(e)) return;
  if (const auto* b = e.as<Binary>();
      b && b->op != BinaryOp::Add && b->op != BinaryOp::Sub && b->op != BinaryOp::Mul) {
    checkBound(b->lhs);
    checkBound(b->rhs);
  }
  if (!fits(range(e, Width::Int32), Width::Int32)) check(e);
}

static Interval rangeOf(const Table& table) {
  Interval all{HUGE_VAL, -HUGE_VAL};
  for (const Const& value : table.values) {
    const auto number = constantInt(make(Const(value)));
    if (!number) return typeRange(table.type);
    all = unite(all, {double(*number), double(*number)});
  }
  return all;
}

Interval IndexFacts::range(const Expr& e, Width w) const {
  const Interval all = typeRange(typeOf(e));
  return match(
      e,
      [&](const Const&) {
        const auto value = constantInt(e);
        return value ? Interval{double(*value), double(*value)} : all;
      },
      [&](const Var& v) { return variable(v.name).range(w); }, [&](const Load&) { return all; },
      [&](const Unary& u) {
        const Interval a = range(u.arg, w);
        return u.op == UnaryOp::Neg ? Interval{-a.hi, -a.lo} : all;
      },
      [&](const Binary& b) { return b.type == DType::I64 ? binaryRange(b, w) : all; },
      [&](const Cast& c) {
        const DType from = typeOf(c.arg);
        const bool widens = isInteger(from) && (byteSize(from) < byteSize(c.type) || from == c.type);
        return widens ? range(c.arg, w) : isBool(from) ? Interval{0, 1} : all;
      },
      [&](const Select& s) { return unite(range(s.then, w), range(s.otherwise, w)); },
      [&](const Call& f) {
        // A subscript: in range.
        if (f.fn == Intrinsic::PowerOfTwo) return Interval{1, std::max(1.0, 2 * range(f.args[0], w).hi)};
        if (f.fn == Intrinsic::LanesOfRow || f.fn == Intrinsic::ColumnsOfBlock)
          return Interval{1, std::max(1.0, range(f.args[2], w).hi)};
        return f.fn == Intrinsic::WrapIndex ? Interval{0, range(f.args[1], w).hi} : all;
      },
      [&](const Lookup& l) { return isInteger(l.type) ? rangeOf(*l.table) : all; },
      [&](const Reduce&) { return all; }, [&](const Apply&) { return all; },
      [&](const Hardware& h) {
        if (h.which >= HardwareIndex::Width) return Interval{1, 16};
        const bool count = h.which >= HardwareIndex::BlockDimX;
        const bool thread =
            h.which <= HardwareIndex::ThreadZ || (count && h.which <= HardwareIndex::BlockDimZ);
        return Interval{count ? 1.0 : 0.0, thread ? 1024 : std::ldexp(1.0, 31) - 1};
      });
}

/// A block's first thread, or how many threads there are, along one axis: the entry has looked at how many.
static bool countsThreads(const Binary& b) {
  const auto *x = b.lhs.as<Hardware>(), *y = b.rhs.as<Hardware>();
  if (b.op != BinaryOp::Mul || !x || !y) return false;
  const auto first = std::min(x->which, y->which), second = std::max(x->which, y->which);
  for (int axis = 0; axis < 3; ++axis) {
    const auto along = [&](HardwareIndex of) {
      return static_cast<HardwareIndex>(static_cast<int>(of) + axis);
    };
    const HardwareIndex threads = along(HardwareIndex::BlockDimX);
    if ((first == along(HardwareIndex::BlockX) && second == threads) ||
        (first == threads && second == along(HardwareIndex::GridDimX)))
      return true;
  }
  return false;
}

/// Of c * (x // n), where c counts up to n: no more than x. Rounded up to a multiple, each share is less than that more.
std::optional<Interval> IndexFacts::shareOf(const Expr& counter, const Expr& length, Width w) const {
  const auto* c = counter.as<Var>();
  const auto bound = c ? bounds_.find(c->name) : bounds_.end();
  if (bound == bounds_.end() || !bound->second || range(counter, w).lo < 0) return {};
  const auto valueOf = [&](const Expr& e) {
    const auto* named = e.as<Var>();
    const auto value = named ? values_.find(named->name) : values_.end();
    return value == values_.end() ? e : value->second;
  };
  Expr share = valueOf(length);
  double more = 0;
  const auto* multiple = share.as<Binary>();
  if (const auto unit =
          multiple && multiple->op == BinaryOp::Mul ? constantInt(multiple->rhs) : std::nullopt) {
    const Expr units = valueOf(multiple->lhs);
    const auto* rounded = units.as<Binary>();
    const auto* sum = rounded && rounded->op == BinaryOp::FloorDiv && isConst(rounded->rhs, *unit)
                          ? rounded->lhs.as<Binary>()
                          : nullptr;
    if (!sum || sum->op != BinaryOp::Add || !isConst(sum->rhs, *unit - 1)) return {};
    share = sum->lhs;
    more = static_cast<double>(*unit - 1) * range(counter, w).hi;
  }
  const auto* quotient = share.as<Binary>();
  if (!quotient || quotient->op != BinaryOp::FloorDiv || !equal(quotient->rhs, bound->second)) return {};
  const Interval all = range(quotient->lhs, w);
  if (all.lo < 0 || range(quotient->rhs, w).lo < 1) return {};
  return Interval{0, all.hi + more};
}

Interval IndexFacts::binaryRange(const Binary& b, Width w) const {
  if (countsThreads(b)) {
    const auto *x = b.lhs.as<Hardware>(), *y = b.rhs.as<Hardware>();
    const bool isFirst = std::min(x->which, y->which) < HardwareIndex::BlockDimX;
    return {isFirst ? 0.0 : 1.0, limit(w)};
  }
  const Interval x = range(b.lhs, w), y = range(b.rhs, w);
  const auto clipped = [&](Interval i) {
    // Checked at entry: the expression itself is small, whatever its parts would allow.
    if (w == Width::Int32 && !fits(i, w) && isChecked(make(Binary(b))))
      return Interval{std::max(i.lo, -limit(w)), std::min(i.hi, limit(w))};
    return i;
  };
  switch (b.op) {
  case BinaryOp::Add:
    if (const auto* share = b.lhs.as<Binary>();
        share && share->op == BinaryOp::Mul) { // up to where the next one begins
      if (const auto all = equal(share->rhs, b.rhs) ? shareOf(share->lhs, share->rhs, w) : std::nullopt)
        return *all;
      if (const auto all = equal(share->lhs, b.rhs) ? shareOf(share->rhs, share->lhs, w) : std::nullopt)
        return *all;
    }
    return clipped({x.lo + y.lo, x.hi + y.hi});
  case BinaryOp::Sub: return clipped({x.lo - y.hi, x.hi - y.lo});
  case BinaryOp::Mul:
    if (const auto share = shareOf(b.lhs, b.rhs, w)) return *share;
    if (const auto share = shareOf(b.rhs, b.lhs, w)) return *share;
    return clipped(product(x, y));
  case BinaryOp::FloorDiv: return quotient(x, y);
  case BinaryOp::Mod: return remainder(x, y);
  case BinaryOp::Min: return {std::min(x.lo, y.lo), std::min(x.hi, y.hi)};
  case BinaryOp::Max: return {std::max(x.lo, y.lo), std::max(x.hi, y.hi)};
  case BinaryOp::BitAnd:
    if (y.lo >= 0) return {0, y.hi};
    return typeRange(b.type);
  default: return typeRange(b.type);
  }
}

} // namespace appyc::target
