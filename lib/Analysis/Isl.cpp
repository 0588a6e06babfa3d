//===- Isl.cpp - isl's sets as ir conditions and as small examples ----------------------------------===//
#include "Isl.h"
#include "Linear.h"
#include "appyc/IR/Build.h"
#include <isl/ast.h>
#include <isl/ast_build.h>

namespace appyc::analysis {

namespace {

/// isl's own syntax trees (it has found the divisions and dropped what is implied), as ir.
class FromAst {
public:
  explicit FromAst(const Scope& scope) : scope_(scope) {}
  bool failed = false;

  ir::Expr condition(const isl::ast_expr& e) {
    if (isl_ast_expr_get_type(e.get()) == isl_ast_expr_int) return ir::boolConst(number(e) != 0);
    switch (op(e)) {
    case isl_ast_op_and:
    case isl_ast_op_and_then: return fold(e, ir::BinaryOp::LogicalAnd);
    case isl_ast_op_or:
    case isl_ast_op_or_else: return fold(e, ir::BinaryOp::LogicalOr);
    case isl_ast_op_eq: return compare(e, ir::BinaryOp::Eq);
    case isl_ast_op_le: return compare(e, ir::BinaryOp::Le);
    case isl_ast_op_lt: return compare(e, ir::BinaryOp::Lt);
    case isl_ast_op_ge: return compare(e, ir::BinaryOp::Ge);
    case isl_ast_op_gt: return compare(e, ir::BinaryOp::Gt);
    default: return give(ir::boolConst(false));
    }
  }

private:
  const Scope& scope_;
  int nodes_ = 0;

  ir::Expr give(ir::Expr e) {
    failed = true;
    return e;
  }
  static long number(const isl::ast_expr& e) {
    return isl_val_get_num_si(isl::manage(isl_ast_expr_get_val(e.get())).get());
  }
  isl_ast_op_type op(const isl::ast_expr& e) {
    constexpr int kMaxNodes = 40;
    failed |= ++nodes_ > kMaxNodes;
    return isl_ast_expr_get_type(e.get()) == isl_ast_expr_op ? isl_ast_expr_get_op_type(e.get())
                                                             : isl_ast_op_error;
  }
  static isl::ast_expr arg(const isl::ast_expr& e, int i) {
    return isl::manage(isl_ast_expr_get_op_arg(e.get(), i));
  }

  ir::Expr fold(const isl::ast_expr& e, ir::BinaryOp by) {
    ir::Expr all = condition(arg(e, 0));
    for (int i = 1; i < isl_ast_expr_get_op_n_arg(e.get()); ++i)
      all = ir::binary(by, all, condition(arg(e, i)));
    return all;
  }
  ir::Expr compare(const isl::ast_expr& e, ir::BinaryOp by) {
    return ir::binary(by, value(arg(e, 0)), value(arg(e, 1)));
  }

  ir::Expr value(const isl::ast_expr& e) {
    switch (isl_ast_expr_get_type(e.get())) {
    case isl_ast_expr_int: return ir::intConst(number(e));
    case isl_ast_expr_id: {
      ir::Expr known = scope_.meaning(isl_id_get_name(isl::manage(isl_ast_expr_get_id(e.get())).get()));
      return known ? known : give(ir::intConst(0));
    }
    default: return operation(e);
    }
  }

  ir::Expr operation(const isl::ast_expr& e) {
    isl_ast_op_type kind = op(e);
    if (kind == isl_ast_op_minus) return ir::sub(ir::intConst(0), value(arg(e, 0)));
    if (failed || isl_ast_expr_get_op_n_arg(e.get()) != 2) return give(ir::intConst(0));
    ir::Expr a = value(arg(e, 0)), b = value(arg(e, 1));
    switch (kind) {
    case isl_ast_op_add: return ir::add(a, b);
    case isl_ast_op_sub: return ir::sub(a, b);
    case isl_ast_op_mul: return ir::mul(a, b);
    case isl_ast_op_min: return ir::minOf(a, b);
    case isl_ast_op_max: return ir::maxOf(a, b);
    case isl_ast_op_fdiv_q:
    case isl_ast_op_pdiv_q: return ir::binary(ir::BinaryOp::FloorDiv, a, b);
    case isl_ast_op_pdiv_r:
    case isl_ast_op_zdiv_r: return ir::binary(ir::BinaryOp::Mod, a, b);
    default: return give(ir::intConst(0));
    }
  }
};

} // namespace

Session& session() {
  thread_local Session current;
  return current;
}

void beginFile() { session() = {}; }

std::optional<bool> askOnce(const std::string& text, const std::function<std::optional<bool>()>& question) {
  auto [it, isNew] = session().answers.try_emplace(text);
  if (isNew) it->second = question();
  return it->second;
}

std::optional<bool> askIslOnce(const std::string& text, const std::function<bool(isl::ctx)>& question) {
  return askOnce(text, [&] { return askIsl<bool>(question); });
}

bool holdsNowhere(const std::string& text) {
  const auto question = [&]() -> std::optional<bool> {
    if (const std::optional<Formula> f = readFormula(text))
      if (const auto empty = areEmpty({f->systems.begin(), f->systems.end()})) return empty;
    return askIsl<bool>([&](isl::ctx ctx) { return readParams(ctx, text).is_empty(); });
  };
  return askOnce(text, question).value_or(false);
}

std::optional<std::string> textOnce(const std::string& text,
                                    const std::function<isl::set(isl::ctx)>& question) {
  auto [it, isNew] = session().sets.try_emplace(text);
  if (isNew)
    it->second = askIsl<std::string>([&](isl::ctx ctx) {
      std::unique_ptr<char, void (*)(void*)> found(isl_set_to_str(question(ctx).get()), free);
      return std::string(found.get());
    });
  return it->second;
}

ir::Expr conditionExpr(const isl::set& params, const Scope& scope) {
  isl::set universe = isl::manage(isl_set_universe(isl_set_get_space(params.get())));
  isl::ast_build build = isl::manage(isl_ast_build_from_context(universe.release()));
  isl::ast_expr e = isl::manage(isl_ast_build_expr_from_set(build.get(), params.copy()));
  FromAst from(scope);
  ir::Expr condition = from.condition(e);
  return from.failed ? ir::Expr() : condition;
}

/// The smallest value of a dimension, or one near 0 where there is no smallest.
static long smallValue(const isl::set& set, int dim) {
  isl::val least = set.dim_min_val(dim);
  if (isl_val_is_int(least.get()) == isl_bool_true) return isl_val_get_num_si(least.get());
  auto has = [&](long value) {
    isl::set fixed = isl::manage(
        isl_set_fix_si(set.copy(), isl_dim_set, static_cast<unsigned>(dim), static_cast<int>(value)));
    return !fixed.is_empty();
  };
  for (long value : {0L, 1L, -1L, 2L, -2L})
    if (has(value)) return value;
  isl::point point = set.sample_point();
  return isl_val_get_num_si(isl::manage(isl_point_get_coordinate_val(point.get(), isl_dim_set, dim)).get());
}

Sample smallSample(const isl::set& set) {
  Sample sample;
  isl::set rest = isl::manage(isl_set_flatten(set.copy()));
  int params = isl_set_dim(rest.get(), isl_dim_param), dims = isl_set_dim(rest.get(), isl_dim_set);
  for (int i = 0; i < params; ++i)
    sample.params.emplace_back(isl_set_get_dim_name(rest.get(), isl_dim_param, static_cast<unsigned>(i)), 0);
  rest = isl::manage(isl_set_reset_tuple_id(rest.release()));
  rest = isl::manage(isl_set_move_dims(rest.release(), isl_dim_set, static_cast<unsigned>(dims),
                                       isl_dim_param, 0, static_cast<unsigned>(params)));
  for (int d = 0; d < dims + params; ++d) {
    long value = smallValue(rest, d);
    rest = isl::manage(
        isl_set_fix_si(rest.release(), isl_dim_set, static_cast<unsigned>(d), static_cast<int>(value)));
    if (d < dims)
      sample.dims.push_back(value);
    else
      sample.params[static_cast<size_t>(d - dims)].second = value;
  }
  return sample;
}

} // namespace appyc::analysis
