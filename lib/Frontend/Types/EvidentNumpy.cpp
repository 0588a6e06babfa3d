//===- EvidentNumpy.cpp - types of what NumPy's functions make of arrays, where a file's text tells -===//
#include "Evident.h"
#include <algorithm>
#include <set>

namespace appyc::frontend {

namespace {

using Names = std::set<std::string_view>;

/// As the first argument is.
const Names likeFirst = {"flip",       "fliplr",    "flipud",    "negative", "square", "sign",
                         "nan_to_num", "conj",      "conjugate", "triu",     "tril",   "rot90",
                         "repeat",     "transpose", "cumprod",   "round",    "around", "clip",
                         "diff",       "unique",    "rint",      "floor",    "ceil",   "partition"};
/// Of these, those that take truths as they are.
const Names moving = {"flip", "fliplr", "flipud", "triu", "tril", "rot90", "repeat", "transpose", "unique"};
/// As the first argument is, in floats.
const Names inFloatsOf = {
    "log2",    "log10",      "log1p",           "expm1",   "exp2", "sinh", "cosh",    "arcsin",  "arccos",
    "arctan",  "arcsinh",    "arccosh",         "arctanh", "cbrt", "sinc", "degrees", "radians", "deg2rad",
    "rad2deg", "linalg.inv", "linalg.cholesky", "gradient"};
const Names arithmetic = {"maximum", "minimum",   "add",  "subtract", "multiply",
                          "mod",     "remainder", "fmax", "fmin"};
const Names comparing = {"isnan", "isinf",   "isfinite",    "logical_not", "greater",   "less",
                         "equal", "isclose", "logical_and", "logical_or",  "not_equal", "logical_xor"};
const Names ofPlaces = {"argsort",      "argmax",   "argmin",       "argpartition",
                        "searchsorted", "bincount", "count_nonzero"};

bool isNoAxis(const ast::Expr* e) { return !e || e->is<ast::NoneLit>(); }

/// Of integers and truths, those of fewer bits than sums and floats of them have.
bool isNarrow(const std::string& dtype) {
  return dtype != "i64" && dtype != "u64" && dtype[0] != 'f' && dtype[0] != 'c';
}

std::string floatsOf(const std::string& dtype) { return isNarrow(dtype) ? "" : inFloats(dtype); }

/// Folds over all elements, or along one axis; `from`: where the axis may stand among the arguments.
Evident foldedType(const ast::Call& c, const Evident& of, std::string_view name, size_t from) {
  const bool isMean = name == "mean" || name == "std" || name == "var" || name == "median";
  const bool isTruth = name == "any" || name == "all";
  const bool isSum = name == "sum" || name == "prod" || name == "nansum";
  if (of.kind != Evident::Array ||
      !(isMean || isTruth || isSum || name == "min" || name == "max" || name == "ptp"))
    return {};
  const std::string dtype = isTruth                       ? "bool"
                            : isMean                      ? floatsOf(of.dtype)
                            : isSum && isNarrow(of.dtype) ? (of.dtype == "bool" ? "i64" : "")
                                                          : of.dtype;
  const ast::Expr* axis = keyword(c, "axis")     ? keyword(c, "axis")
                          : c.args.size() > from ? &c.args[from]
                                                 : nullptr;
  const ast::Expr* keeps = keyword(c, "keepdims");
  const bool isKnown = std::ranges::all_of(c.keywords, [](const ast::Keyword& k) {
    return k.name == "axis" || k.name == "keepdims" || k.name == "ddof";
  });
  if (dtype.empty() || !isKnown || (isMean && of.dtype[0] == 'c')) return {};
  if (keeps)
    return keeps->is<ast::BoolLit>() && keeps->as<ast::BoolLit>()->value ? ofRank(dtype, of.rank) : Evident();
  if (isNoAxis(axis)) return Evident::number(dtype);
  const auto* several = axis->as<ast::Tuple>();
  const size_t gone = several ? several->items.size() : 1;
  const auto* sign = axis->as<ast::Unary>();
  if (!several && !axis->is<ast::IntLit>() && !(sign && sign->arg.is<ast::IntLit>())) return {};
  return gone <= of.rank ? ofRank(dtype, of.rank - gone) : Evident();
}

} // namespace

Evident EvidentTypes::made(const ast::Call& c, std::string_view name, const EvidentScope& scope) {
  const auto at = [&](size_t k) { return k < c.args.size() ? arrayOf(typeOf(c.args[k], scope)) : Evident(); };
  const Evident first = at(0);
  if (!first.isPlain() || keyword(c, "out") || keyword(c, "dtype")) return {};
  if (const Evident fold = foldedType(c, first, name, 1)) return fold;
  const bool isFloat = first.dtype[0] == 'f' || first.dtype[0] == 'c';
  if (likeFirst.count(name)) {
    if (name == "unique" && !(c.keywords.empty() && c.args.size() == 1)) return {};
    const bool isRounded = name == "rint" || name == "floor" || name == "ceil" || name == "clip";
    if ((isRounded && !isFloat) || first.kind != Evident::Array) return {};
    if (first.dtype == "bool" && !moving.count(name)) return {};
    const bool isFlat = name == "unique" || (name == "repeat" && !keyword(c, "axis") && c.args.size() < 3) ||
                        (name == "cumprod" && !keyword(c, "axis") && c.args.size() < 2);
    return name == "cumprod" && !isFloat && first.dtype != "i64"
               ? Evident()
               : ofRank(first.dtype, isFlat ? 1 : first.rank);
  }
  if (inFloatsOf.count(name)) {
    const std::string dtype = floatsOf(first.dtype);
    return dtype.empty() || (name == "gradient" && first.rank != 1) ? Evident() : ofRank(dtype, first.rank);
  }
  if (comparing.count(name)) {
    const Evident second = c.args.size() > 1 ? at(1) : first;
    return second.isPlain() ? ofRank("bool", std::max(first.rank, second.rank)) : Evident();
  }
  if (ofPlaces.count(name)) {
    const bool isOne = name == "argmax" || name == "argmin" || name == "count_nonzero";
    const bool isPlain = c.keywords.empty() && c.args.size() < 2;
    if (isOne) return isPlain ? Evident::number("i64") : Evident();
    if (name == "searchsorted") return at(1).isPlain() ? ofRank("i64", at(1).rank) : Evident();
    if (name == "bincount")
      return keyword(c, "weights") || c.args.size() > 1 ? Evident() : Evident::array("i64", 1);
    return first.kind == Evident::Array ? Evident::array("i64", first.rank) : Evident();
  }
  const Evident second = at(1);
  if (arithmetic.count(name)) return evidentBinary(ast::BinaryOp::Mul, first, second);
  if (name == "power") return evidentBinary(ast::BinaryOp::Mul, first, second);
  if (name == "divide" || name == "true_divide") return evidentBinary(ast::BinaryOp::Div, first, second);
  if (name == "dot" || name == "matmul") {
    const bool isScaled = name == "dot" && (first.rank == 0 || second.rank == 0);
    return evidentBinary(isScaled ? ast::BinaryOp::Mul : ast::BinaryOp::MatMul, first, second);
  }
  if (name == "arctan2" || name == "hypot") {
    Evident both = evidentBinary(ast::BinaryOp::Div, first, second);
    both.weak = false;
    return both;
  }
  if (name == "outer" || name == "linalg.solve") {
    const Evident both =
        evidentBinary(name == "outer" ? ast::BinaryOp::Mul : ast::BinaryOp::Div, first, second);
    return both ? Evident::array(both.dtype, name == "outer" ? 2 : second.rank) : Evident();
  }
  if (name == "where" && c.args.size() == 3) {
    Evident chosen = evidentBinary(ast::BinaryOp::Mul, second, at(2));
    if (second.dtype == "bool" && at(2).dtype == "bool") chosen.dtype = "bool";
    return chosen ? ofRank(chosen.dtype, std::max(first.rank, chosen.rank)) : Evident();
  }
  if (name == "nonzero" || (name == "where" && c.args.size() == 1)) {
    Evident places{Evident::Tuple};
    places.items.assign(first.rank, Evident::array("i64", 1));
    return first.rank > 0 ? places : Evident();
  }
  if (name == "flatnonzero" || name == "argwhere") return Evident::array("i64", name == "argwhere" ? 2 : 1);
  if (name == "diag" && first.kind == Evident::Array && first.rank < 3)
    return Evident::array(first.dtype, 3 - first.rank);
  if (name == "tile" && c.args.size() == 2) {
    const std::optional<size_t> rank = rankOfShape(c.args[1], scope);
    return rank ? ofRank(first.dtype, std::max(first.rank, *rank)) : Evident();
  }
  if (name == "linalg.norm" && c.keywords.empty() && c.args.size() == 1 && first.kind == Evident::Array)
    return first.dtype == "f32" || first.dtype[0] == 'c' ? Evident() : Evident::number("f64");
  if ((name == "ravel" || name == "append") && c.args.size() < 3 && c.keywords.empty()) {
    const Evident both = name == "append" ? evidentBinary(ast::BinaryOp::Mul, first, second) : first;
    return both ? Evident::array(both.dtype, 1) : Evident();
  }
  if (name == "expand_dims") return ofRank(first.dtype, first.rank + 1);
  if (name == "reshape" && c.args.size() == 2) {
    const std::optional<size_t> rank = rankOfShape(c.args[1], scope);
    return rank ? ofRank(first.dtype, *rank) : Evident();
  }
  return {};
}

Evident EvidentTypes::madeByMethod(const ast::Call& c, const Evident& base, std::string_view name,
                                   const EvidentScope& scope) {
  if (base.kind != Evident::Array || keyword(c, "out") || keyword(c, "dtype")) return {};
  if (const Evident fold = foldedType(c, base, name, 0)) return fold;
  const bool isFloat = base.dtype[0] == 'f' || base.dtype[0] == 'c';
  if (name == "round" || name == "conj" || name == "swapaxes" || (name == "clip" && isFloat)) return base;
  if (name == "cumsum" && (isFloat || base.dtype == "i64"))
    return Evident::array(base.dtype, c.args.empty() && c.keywords.empty() ? 1 : base.rank);
  if (name == "repeat" && c.keywords.empty() && c.args.size() == 1) return Evident::array(base.dtype, 1);
  if (name == "argsort") return Evident::array("i64", base.rank);
  if (name == "nonzero") {
    Evident places{Evident::Tuple};
    places.items.assign(base.rank, Evident::array("i64", 1));
    return places;
  }
  if ((name == "argmax" || name == "argmin") && c.args.empty() && c.keywords.empty())
    return Evident::number("i64");
  if (name == "dot" && c.args.size() == 1)
    return evidentBinary(ast::BinaryOp::MatMul, base, arrayOf(typeOf(c.args[0], scope)));
  if (name == "item" && c.args.empty() && (base.dtype == "f64" || base.dtype == "i64"))
    return Evident::number(base.dtype, true);
  return {};
}

} // namespace appyc::frontend
