//===- Isl.cpp - isl's sets as ir conditions and as small examples ----------------------------------===//
#include "Isl.h"
#include "Linear.h"
#include "appyc/Analysis/Cost.h"
#include "appyc/IR/Build.h"
#include <isl/ast.h>
#include <isl/ast_build.h>

namespace appyc::analysis {

namespace {

isl_ast_op_type operationOf(const isl::ast_expr& e) {
  return isl_ast_expr_get_type(e.get()) == isl_ast_expr_op ? isl_ast_expr_get_op_type(e.get())
                                                           : isl_ast_op_error;
}

Formed read(const isl::ast_expr& e) {
  Formed formed{isl_ast_expr_get_type(e.get()), operationOf(e)};
  if (formed.type == isl_ast_expr_int)
    formed.number = isl_val_get_num_si(isl::manage(isl_ast_expr_get_val(e.get())).get());
  if (formed.type == isl_ast_expr_id)
    formed.name = isl_id_get_name(isl::manage(isl_ast_expr_get_id(e.get())).get());
  if (formed.type == isl_ast_expr_op)
    for (int i = 0; i < isl_ast_expr_get_op_n_arg(e.get()); ++i)
      formed.args.push_back(read(isl::manage(isl_ast_expr_get_op_arg(e.get(), i))));
  return formed;
}

/// isl's own syntax trees (it has found the divisions and dropped what is implied), as ir.
class FromAst {
public:
  explicit FromAst(const Scope& scope) : scope_(scope) {}
  bool failed = false;

  ir::Expr condition(const Formed& e) {
    if (e.type == isl_ast_expr_int) return ir::boolConst(e.number != 0);
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
  isl_ast_op_type op(const Formed& e) {
    constexpr int kMaxNodes = 40;
    failed |= ++nodes_ > kMaxNodes;
    return e.op;
  }

  ir::Expr fold(const Formed& e, ir::BinaryOp by) {
    ir::Expr all = condition(e.args[0]);
    for (size_t i = 1; i < e.args.size() && !failed; ++i) all = ir::binary(by, all, condition(e.args[i]));
    return all;
  }
  ir::Expr compare(const Formed& e, ir::BinaryOp by) {
    return ir::binary(by, value(e.args[0]), value(e.args[1]));
  }

  ir::Expr value(const Formed& e) {
    switch (e.type) {
    case isl_ast_expr_int: return ir::intConst(e.number);
    case isl_ast_expr_id: {
      ir::Expr known = scope_.meaning(e.name);
      return known ? known : give(ir::intConst(0));
    }
    default: return operation(e);
    }
  }

  ir::Expr operation(const Formed& e) {
    isl_ast_op_type kind = op(e);
    if (kind == isl_ast_op_minus) return ir::sub(ir::intConst(0), value(e.args[0]));
    if (failed || e.args.size() != 2) return give(ir::intConst(0));
    ir::Expr a = value(e.args[0]), b = value(e.args[1]);
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

ir::Expr conditionOf(const Formed& formed, const Scope& scope) {
  FromAst from(scope);
  ir::Expr condition = from.condition(formed);
  return from.failed ? ir::Expr() : condition;
}

Formed formedOf(const isl::set& params) {
  isl::set universe = isl::manage(isl_set_universe(isl_set_get_space(params.get())));
  isl::ast_build build = isl::manage(isl_ast_build_from_context(universe.release()));
  return read(isl::manage(isl_ast_build_expr_from_set(build.get(), params.copy())));
}

} // namespace

Session& session() {
  thread_local Session current;
  return current;
}

void beginFile() { session() = {}; }
int questionsToIsl() { return session().toIsl; }

template <class T>
static std::optional<T> once(std::unordered_map<std::string, std::optional<T>>& answers,
                             const std::string& text, const std::function<std::optional<T>()>& question) {
  if (const auto known = answers.find(text); known != answers.end()) return known->second;
  return answers[text] = question();
}

std::optional<bool> askOnce(const std::string& text, const std::function<std::optional<bool>()>& question) {
  return once<bool>(session().answers, text, question);
}

std::optional<bool> askIslOnce(const std::string& text, const std::function<bool(isl::ctx)>& question) {
  return askOnce(text, [&] { return askIsl<bool>(question); });
}

bool holdsNowhere(const std::string& text) {
  const auto question = [&]() -> std::optional<bool> {
    if (const std::optional<Formula> f = readFormula(text))
      if (const auto empty = holdNowhere(f->clauses)) return empty;
    return askIsl<bool>([&](isl::ctx ctx) { return readParams(ctx, text).is_empty(); });
  };
  return askOnce(text, question).value_or(false);
}

ir::Expr conditionOnce(const std::string& text, const Scope& scope,
                       const std::function<isl::set(isl::ctx)>& question) {
  // What takes longer has more alternatives than are worth a test.
  constexpr unsigned long kMostOperations = 30'000;
  const std::optional<std::string> set = once<std::string>(session().sets, text, [&] {
    return askIsl<std::string>(
        [&](isl::ctx ctx) {
          std::unique_ptr<char, void (*)(void*)> found(isl_set_to_str(question(ctx).get()), free);
          if (!found) isl::exception::throw_last_error(ctx); // too much work to write it down, too
          return std::string(found.get());
        },
        kMostOperations);
  });
  if (!set) return {};
  const std::optional<Formed> formed = once<Formed>(session().conditions, *set, [&] {
    return askIsl<Formed>([&](isl::ctx ctx) {
      const isl::set known = readParams(ctx, *set);
      return known.is_empty() ? Formed() : formedOf(known);
    });
  });
  return formed ? conditionOf(*formed, scope) : ir::Expr();
}

ir::Expr conditionExpr(const isl::set& params, const Scope& scope) {
  return conditionOf(formedOf(params), scope);
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
