//===- Items.h - one of several items, by an index that is known at run time ----------------------------===//
#pragma once
#include "appyc/AST/Nodes.h"
#include "appyc/IR/Build.h"
#include <functional>

namespace appyc::sema {

/// Item number `i` of those from `first` up to `last`, found by halving.
inline ir::Expr itemAt(const std::function<ir::Expr(size_t)>& item, size_t first, size_t last,
                       const ir::Expr& i) {
  if (last - first == 1) return item(first);
  const size_t middle = first + (last - first) / 2;
  return ir::select(ir::binary(ir::BinaryOp::Lt, i, ir::intConst(static_cast<int64_t>(middle))),
                    itemAt(item, first, middle, i), itemAt(item, middle, last, i));
}

/// The clauses of a comprehension from number `k` on around `body`.
ast::Body loopsAround(const std::vector<ast::Clause>& clauses, size_t k, ast::Body body,
                      const ast::Expr& unless, Span leaves);

ast::Expr withOwnRows(const ast::Expr& e);

/// Among what says where a list is made: which one of those at the place, of which some numbers have a meaning.
constexpr uint64_t kWhichOfPlace = uint64_t(255) << 48;
/// A list of tuples of which the run tells the length.
constexpr uint64_t kRunTuples = uint64_t(250) << 48;

/// What `match` calls the fields of `Point(0, y)`, and which one of the class it is.
constexpr std::string_view kFieldOfPattern = "__match_args__[";
std::string fieldOfPattern(const ast::Class& type, const std::string& pattern);

struct Value;
/// A class of the user's, or a method of one, which is given what may be None as it is (Records.cpp).
bool isOwnMethod(const Value& callee);

} // namespace appyc::sema
