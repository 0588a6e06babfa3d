//===- WidenedSizes.cpp - axes of one element that a caller may fill up before the call ------------------------===//
// A function of which NumPy stretches an argument's axis of one element computes the same from an array that repeats that
// element along the axis, where nothing but the stretching sees the axis' length: the text for extents of 1 is then that for
// equal ones, but for the subscripts `n == 1 ? 0 : i` along the axis itself. It is compared for every choice of axes.
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Abi.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::analysis {

using namespace ir;

namespace {

constexpr size_t mostAxes = 6; ///< of one class that may have one element: each choice of them is compared

class SizesToWiden {
public:
  explicit SizesToWiden(const Function& f) : function_(f) {}

  std::vector<Widened> run(const Expr& unstretched) {
    takeEquations(unstretched);
    std::vector<Widened> all;
    for (const Class& c : classes_)
      if (std::optional<Widened> w = widened(c)) all.push_back(std::move(*w));
    return all;
  }

private:
  /// Sizes that are equal, but for those of one element.
  struct Class {
    std::vector<Symbol> members;
    Expr number; ///< that they are equal to as well; may be none
    Expr equal;
  };

  const Size* findSize(const Symbol& name) const {
    const auto it = std::ranges::find(function_.sizes, name, &Size::name);
    return it == function_.sizes.end() ? nullptr : &*it;
  }
  const Param& paramOf(const Size& size) const { return function_.params[static_cast<size_t>(size.param)]; }

  void takeEquations(const Expr& all) {
    const auto* b = all ? all.as<Binary>() : nullptr;
    if (b && b->op == BinaryOp::LogicalAnd) {
      takeEquations(b->lhs);
      takeEquations(b->rhs);
      return;
    }
    const auto isKnown = [&](const Expr& e) {
      const auto* v = e.as<Var>();
      return constantInt(e) || (v && findSize(v->name));
    };
    if (!b || b->op != BinaryOp::Eq || !isKnown(b->lhs) || !isKnown(b->rhs)) return;
    Class joined{{}, {}, all};
    for (const Expr& side : {b->lhs, b->rhs}) {
      if (constantInt(side)) {
        joined.number = side;
        continue;
      }
      const Symbol name = side.as<Var>()->name;
      const auto it = std::ranges::find_if(
          classes_, [&](const Class& c) { return std::ranges::find(c.members, name) != c.members.end(); });
      if (it == classes_.end()) {
        joined.members.push_back(name);
        continue;
      }
      joined.members.insert(joined.members.begin(), it->members.begin(), it->members.end());
      if (it->number) joined.number = it->number;
      joined.equal = binary(BinaryOp::LogicalAnd, it->equal, joined.equal);
      classes_.erase(it);
    }
    classes_.push_back(std::move(joined));
  }

  /// An array that is only read, element by element, and whose axis shares its name with no other one.
  bool mayBeFilledUp(const Symbol& name) const {
    const Param& param = paramOf(*findSize(name));
    const bool isNamedTwice = std::ranges::any_of(function_.params, [&](const Param& p) {
      return std::ranges::count_if(p.extents, [&](const Expr& e) { return mentions(e, name); }) >
             (&p == &param ? 1 : 0);
    });
    const bool isWhole = anyStmt(function_.body, [&](const Stmt& s) {
      return (s.is<Routine>() || s.is<MatMul>() || s.is<Fetch>()) && touches(s, param.name);
    });
    return !param.written && !isGivenBack(function_, param) && !isNamedTwice && !isWhole;
  }

  /// The axes of the class that may have one element, and those choices of them at which that shows elsewhere.
  std::optional<Widened> widened(const Class& c) const {
    std::vector<Symbol> may;
    for (const Symbol& name : c.members)
      if (mayBeFilledUp(name) && textWhere(c, {name}, {name}) == textWhere(c, {}, {name}))
        may.push_back(name);
    if (may.empty() || may.size() > mostAxes) return {};
    Widened result{c.equal, {}, c.number, {}};
    const auto add = [&](const Symbol& name, bool isFew) {
      result.axes.push_back({findSize(name)->param, findSize(name)->axis, isFew});
    };
    for (const Symbol& name : may) add(name, true);
    for (const Symbol& name : c.members)
      if (std::ranges::find(may, name) == may.end()) add(name, false);
    const bool anyOther = may.size() < c.members.size() || c.number;
    const unsigned choices = (1u << may.size()) - (anyOther ? 0 : 1); // not: all have one element
    const std::string filled = textWhere(c, {}, may);
    for (unsigned choice = 1; choice < choices; ++choice) {
      std::vector<Symbol> ones;
      for (size_t k = 0; k < may.size(); ++k)
        if (choice >> k & 1) ones.push_back(may[k]);
      if (textWhere(c, ones, may) != filled) result.seen.push_back(choice);
    }
    return result;
  }

  /// The function where those sizes are 1 and the others of the class one number that is not; with `filled` axes read at every
  /// element.
  std::string textWhere(const Class& c, const std::vector<Symbol>& ones,
                        const std::vector<Symbol>& filled) const {
    const Expr longer = c.number ? c.number : var(c.members.front());
    std::map<Symbol, Expr> sizes = firstValues();
    const auto isFew = [&](const Symbol& s) { return std::ranges::find(ones, s) != ones.end(); };
    std::map<Symbol, Expr> chosen;
    for (const Symbol& s : c.members) chosen[s] = isFew(s) ? intConst(1) : longer;
    const auto isLonger = [&](const Expr& e) { return equal(e, longer) && !constantInt(e); };
    const auto canonical = [&](const Expr& e) -> Expr {
      const auto* b = e.as<Binary>();
      if (b && (b->op == BinaryOp::Eq || b->op == BinaryOp::Ne) && isConst(b->rhs, 1) && isLonger(b->lhs))
        return boolConst(b->op == BinaryOp::Ne);
      return simplifiedNode(e);
    };
    const auto where = [&](const Expr& e) {
      return e ? rewrite(substitute(substitute(readAt(e, filled), sizes), chosen), canonical) : e;
    };
    const std::function<Stmt(const Stmt&)> placed = [&](const Stmt& s) {
      return mapExprs(mapChildren(s, placed), where);
    };
    std::string text = print(withoutMessages(placed(withoutFirst(sizes))));
    const auto add = [&](const std::vector<Expr>& extents) {
      for (const Expr& e : extents) text += e ? print(where(e)) + "\n" : "";
    };
    for (const Result& r : function_.results) add(r.extents);
    for (const Buffer& b : function_.buffers)
      if (std::ranges::none_of(function_.params, [&](const Param& p) { return p.name == b.name; }))
        add(b.extents);
    return text;
  }

  /// Extents that several sizes have together are variables, which have their values first.
  std::map<Symbol, Expr> firstValues() const {
    std::map<Symbol, Expr> values;
    if (const auto* body = function_.body.as<Block>())
      for (const Stmt& s : body->body) {
        const auto* assign = s.as<Assign>();
        if (!assign || readsMemory(assign->value)) break;
        values[assign->var] = substitute(assign->value, values);
      }
    const std::map<Symbol, Expr> once = onlyValues(function_.body);
    std::erase_if(values, [&](const auto& v) { return !once.count(v.first); });
    return values;
  }
  Stmt withoutFirst(const std::map<Symbol, Expr>& values) const {
    return without(function_.body, [&](const Stmt& s) {
      const auto* assign = s.as<Assign>();
      return assign && values.count(assign->var) != 0;
    });
  }

  /// What checks say of shapes that differ may differ.
  static Stmt withoutMessages(const Stmt& s) {
    return replace<Require>(s, [](const Require& r, const Stmt& check) -> Stmt {
      if (constantBool(r.cond) == true) return block({});
      return makeStmt(check->span, Require{r.cond, r.exception, r.message});
    });
  }

  /// With `i` for `n == 1 ? 0 : i` as the subscript along an axis of n elements.
  Expr readAt(const Expr& e, const std::vector<Symbol>& filled) const {
    return replace<Load>(e, [&](const Load& load) -> Expr {
      Load plain = load;
      for (const Symbol& name : filled) {
        const Size* size = findSize(name);
        const size_t axis = static_cast<size_t>(size->axis);
        if (paramOf(*size).name != load.buffer) continue;
        const auto* choice = load.index[axis].as<Select>();
        const auto* test = choice ? choice->cond.as<Binary>() : nullptr;
        const bool isStretch = test && test->op == BinaryOp::Eq && isConst(test->rhs, 1) &&
                               isConst(choice->then, 0) && equal(test->lhs, var(name));
        if (isStretch) plain.index[axis] = choice->otherwise;
      }
      return make(plain);
    });
  }

  const Function& function_;
  std::vector<Class> classes_;
};

} // namespace

std::vector<Widened> widenedSizes(const Function& all, const Expr& unstretched) {
  return SizesToWiden(all).run(unstretched);
}

} // namespace appyc::analysis
