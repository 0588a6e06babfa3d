//===- DimensionPragmas.cpp - `#pragma 1:N-1=>parallel` for array statements that have none ---------===//
#include "Lowering.h"
#include "appyc/IR/Simplify.h"

namespace appyc::sema {

/// Python text of an integer expression over names that the function has; none where it needs other ones. It
/// holds no blanks: those separate the dimensions of a pragma.
std::optional<std::string> Lowering::pythonText(const Expr& e) const {
  for (const auto& [name, value] : frames_.back().env)
    if (const auto* s = value.as<Scalar>();
        s && !e.is<ir::Const>() && ir::isInteger(s->type()) && ir::equalIndex(s->e, e))
      return name;
  if (std::optional<int64_t> c = ir::constantInt(e)) return fmt::format("{}", *c);
  if (const auto* v = e.as<ir::Var>()) {
    for (const ir::Size& size : out_.sizes) {
      const std::string& param = out_.params[static_cast<size_t>(size.param)].name.hint();
      auto it = frames_.back().env.find(param);
      const auto* a = it == frames_.back().env.end() ? nullptr : it->second.as<Array>();
      if (size.name == v->name && a && a->view && a->view->whole && a->view->buffer.name.hint() == param)
        return fmt::format("{}.shape[{}]", param, size.axis);
    }
    return std::nullopt;
  }
  const auto* b = e.as<ir::Binary>();
  if (!b) return std::nullopt;
  std::optional<std::string> l = pythonText(b->lhs), r = pythonText(b->rhs);
  if (!l || !r) return std::nullopt;
  auto operand = [](const Expr& x, const std::string& text, bool sumsToo) {
    const auto* inner = x.as<ir::Binary>();
    bool sum = inner && (inner->op == ir::BinaryOp::Add || inner->op == ir::BinaryOp::Sub);
    return inner && (!sum || sumsToo) ? "(" + text + ")" : text;
  };
  switch (b->op) {
  case ir::BinaryOp::Add:
    if (std::optional<int64_t> c = ir::constantInt(b->rhs); c && *c < 0) return *l + *r;
    return *l + "+" + operand(b->rhs, *r, true);
  case ir::BinaryOp::Sub: return *l + "-" + operand(b->rhs, *r, true);
  case ir::BinaryOp::Mul: return operand(b->lhs, *l, true) + "*" + operand(b->rhs, *r, true);
  case ir::BinaryOp::FloorDiv: return operand(b->lhs, *l, true) + "//" + operand(b->rhs, *r, true);
  case ir::BinaryOp::Min: return "min(" + *l + "," + *r + ")";
  case ir::BinaryOp::Max: return "max(" + *l + "," + *r + ")";
  default: return std::nullopt;
  }
}

/// `low:up`, where the dimension is that part of an axis of the target; else `:extent`.
std::optional<ast::DimDirective> Lowering::dimensionText(const ir::Range& range,
                                                         const std::vector<Expr>& target) const {
  Expr extent = ir::unclipped(range.extent), low = ir::intConst(0);
  for (const Expr& index : target) {
    Expr offset = ir::sub(index, ir::var(range.index));
    if (ir::mentions(index, range.index) && !ir::mentions(offset, range.index) && pythonText(offset))
      low = offset;
  }
  ast::DimDirective dim;
  std::optional<std::string> lower = pythonText(low), upper = pythonText(ir::add(extent, low));
  if (!lower || !upper) return std::nullopt;
  dim.low = ir::isConst(low, 0) ? "" : *lower;
  dim.up = *upper;
  return dim;
}

static bool sameExtent(const ir::Range& a, const ir::Range& b) { return ir::equalIndex(a.extent, b.extent); }

/// Notes the pragma for what an un-annotated assignment has become, from `before` in the open list on: a
/// statement over an index space, or one that reduces. The last one counts, as it does for a pragma that
/// stands there; a name must have become one alone.
void Lowering::annotate(size_t before, bool isName) {
  if (!annotations_ || frames_.size() > 1) return; // an inlined function's text serves other calls as well
  std::vector<const ir::Reduce*> reduces;
  const std::vector<ir::Stmt>& list = lists_.back();
  ir::IndexStmt subject;
  int found = 0;
  for (size_t i = before; i < list.size(); ++i) {
    const auto* s = list[i].as<ir::IndexStmt>();
    const auto* scalar = list[i].as<ir::Assign>();
    const auto* element = list[i].as<ir::Store>();
    Expr value = s ? s->value : scalar ? scalar->value : element ? element->value : Expr{};
    if (!value || (!s && !mentionsReduce(value))) continue;
    ++found;
    subject = s ? *s : ir::IndexStmt{{}, {}, {}, value, {}};
  }
  if (found == 0 || (isName && found > 1)) return;
  ir::visit(subject.value, [&](const Expr& e) {
    if (const auto* r = e.as<ir::Reduce>();
        r && std::none_of(reduces.begin(), reduces.end(), [&](const ir::Reduce* other) {
          return std::equal(r->over.begin(), r->over.end(), other->over.begin(), other->over.end(),
                            sameExtent);
        })) // reductions over the same ranges share their pass
      reduces.push_back(r);
    return true;
  });
  ast::StatementDirective directive;
  directive.where = statement_;
  std::string text = "#pragma";
  auto add = [&](const ir::Range& range, const std::string& property) {
    std::optional<ast::DimDirective> dim = dimensionText(range, subject.index);
    if (!dim) return false;
    dim->where = statement_;
    text += fmt::format(" {}:{}=>{}", dim->low, dim->up, property);
    directive.dims.push_back(*dim);
    return true;
  };
  for (const ir::Range& range : subject.domain)
    if (!ir::isConst(range.extent, 1) && !add(range, "parallel")) return;
  for (const ir::Reduce* r : reduces)
    for (const ir::Range& range : r->over) {
      bool known = r->op == ir::ReduceOp::Sum || r->op == ir::ReduceOp::Min || r->op == ir::ReduceOp::Max;
      if (!known || !add(range, fmt::format("reduce({})", ir::name(r->op)))) return;
      directive.dims.back().reduces.push_back({std::string(ir::name(r->op)), std::nullopt, statement_});
    }
  if (directive.dims.empty()) return;
  if (describes(directive, subject))
    annotations_->add(statement_, text); // what would be refused is not written
}

} // namespace appyc::sema
