//===- Einsum.cpp - sums of products over named axes: np.einsum, products of batches ------------------------===//
//   np.einsum("ij,jk->ik", a, b)    =>    out[i, k] = sum(a[i, j] * b[j, k] for j)
//   a @ b, of three dimensions      =>    out[n, i, j] = sum(a[n, i, k] * b[n, k, j] for k)
// All operands are seen in one space, with the axes of the result first and those that are summed over behind them; an
// operand has one element along the axes that it does not name. find-products recognises what is a matrix product.
#include "Lowering.h"

namespace appyc::sema {

//===--- subscripts -------------------------------------------------------------------------------------===//

namespace {

/// The labels of the axes, of each operand and of the result: letters, and negative numbers for those of an ellipsis, of
/// which -1 is the last.
struct Subscripts {
  std::vector<std::vector<int>> operands;
  std::vector<int> result;
};

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The labels of "i...j": `open` axes stand for the ellipsis. None where it is no such text.
std::optional<std::vector<int>> labelsOf(std::string_view text, size_t open, bool& hasEllipsis) {
  std::vector<int> labels;
  hasEllipsis = false;
  for (size_t at = 0; at < text.size(); ++at) {
    if (isLetter(text[at])) {
      labels.push_back(text[at]);
    } else if (text.substr(at, 3) == "..." && !hasEllipsis) {
      for (size_t k = open; k > 0; --k) labels.push_back(-static_cast<int>(k));
      hasEllipsis = true;
      at += 2;
    } else {
      return std::nullopt;
    }
  }
  return labels;
}

/// Without an arrow: the axes of ellipses, then the letters that stand once, in their order.
std::vector<int> impliedResult(const std::vector<std::vector<int>>& operands) {
  std::map<int, int> counts;
  for (const std::vector<int>& labels : operands)
    for (int label : labels) ++counts[label];
  std::vector<int> result;
  for (const auto& [label, count] : counts)
    if (label < 0 || count == 1) result.push_back(label);
  return result;
}

std::vector<std::string> parts(const std::string& text) {
  std::vector<std::string> found{""};
  for (char c : text) {
    if (c == ',')
      found.emplace_back();
    else
      found.back() += c;
  }
  return found;
}

/// What is wrong is said in `wrong`.
std::optional<Subscripts> parseSubscripts(std::string text, const std::vector<Array>& arrays,
                                          std::string& wrong) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  const size_t arrow = text.find("->");
  const std::vector<std::string> given = parts(text.substr(0, arrow));
  if (given.size() != arrays.size()) {
    wrong = fmt::format("the subscripts name {} operand(s), but there are {}", given.size(), arrays.size());
    return std::nullopt;
  }
  Subscripts found;
  size_t open = 0;
  for (size_t k = 0; k < given.size(); ++k) {
    const size_t rank = arrays[k].shape.size();
    bool hasEllipsis = false;
    std::optional<std::vector<int>> labels = labelsOf(given[k], 0, hasEllipsis);
    if (labels && hasEllipsis && labels->size() <= rank) {
      const size_t left = rank - labels->size();
      open = std::max(open, left);
      labels = labelsOf(given[k], left, hasEllipsis);
    }
    if (!labels) {
      wrong = fmt::format("`{}` is not the subscripts of an operand", given[k]);
      return std::nullopt;
    }
    if (labels->size() != rank) {
      wrong = fmt::format("`{}` names {} axes of an operand that has {}", given[k], labels->size(), rank);
      return std::nullopt;
    }
    found.operands.push_back(*labels);
  }
  if (arrow == std::string::npos) {
    found.result = impliedResult(found.operands);
    return found;
  }
  bool hasEllipsis = false;
  const std::optional<std::vector<int>> result = labelsOf(text.substr(arrow + 2), open, hasEllipsis);
  bool isRight = result && (hasEllipsis || open == 0);
  for (size_t k = 0; isRight && k < result->size(); ++k) {
    const int label = (*result)[k];
    isRight = std::count(result->begin(), result->end(), label) == 1 &&
              std::any_of(found.operands.begin(), found.operands.end(), [&](const std::vector<int>& labels) {
                return std::count(labels.begin(), labels.end(), label) > 0;
              });
  }
  if (!isRight) {
    wrong = fmt::format("`{}` is not the subscripts of a result of these operands", text.substr(arrow + 2));
    return std::nullopt;
  }
  found.result = *result;
  return found;
}

bool has(const std::vector<int>& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

} // namespace

//===--- sums of products -------------------------------------------------------------------------------===//

/// How far each label runs; none where that is an error, which has been reported.
std::optional<std::map<int, Expr>> Lowering::labelExtents(const std::vector<Labelled>& operands, Span where) {
  std::map<int, Expr> extents;
  std::vector<Array> arrays;
  for (const Labelled& o : operands) arrays.push_back(o.array);
  Expr fits;
  for (const Labelled& o : operands)
    for (size_t d = 0; d < o.labels.size(); ++d) {
      Expr& extent = extents[o.labels[d]];
      const std::optional<Expr> e =
          extent ? broadcastExtent(extent, o.array.shape[d], arrays, where, fits) : o.array.shape[d];
      if (!e) return std::nullopt;
      extent = *e;
    }
  if (fits) requireFit(fits, Message("the operands' sizes cannot be broadcast together"));
  return extents;
}

/// The operand with one axis for each of `labels`.
Array Lowering::inSpaceOf(const Labelled& o, const std::vector<int>& labels) const {
  Array out = o.array;
  out.view = nullptr;
  out.shape.assign(labels.size(), ir::intConst(1));
  std::vector<size_t> axes;
  for (size_t d = 0; d < o.labels.size(); ++d) {
    axes.push_back(
        static_cast<size_t>(std::find(labels.begin(), labels.end(), o.labels[d]) - labels.begin()));
    out.shape[axes.back()] = o.array.shape[d];
  }
  out.at = [at = o.array.at, axes](const Indices& i) {
    Indices own;
    for (size_t axis : axes) own.push_back(i[axis]);
    return at(own);
  };
  return out;
}

/// The sum of the operands' products over all labels that the result has not.
Value Lowering::sumOfProducts(std::vector<Labelled> operands, const std::vector<int>& result, DType type,
                              Span where) {
  std::vector<int> labels = result;
  for (Labelled& o : operands) {
    if (o.array.expensive || o.array.uninitialised) o.array = materialize(o.array, "t");
    for (int label : o.labels)
      if (!has(labels, label)) labels.push_back(label);
  }
  const std::optional<std::map<int, Expr>> extents = labelExtents(operands, where);
  if (!extents) return Value{};
  std::vector<Expr> shape;
  for (int label : labels) shape.push_back(extents->at(label));
  std::vector<Array> wide;
  for (const Labelled& o : operands) wide.push_back(broadcastTo(inSpaceOf(o, labels), shape));
  Array out;
  out.type = type;
  out.shape.assign(shape.begin(), shape.begin() + static_cast<long>(result.size()));
  out.expensive = labels.size() > result.size();
  out.at = [wide, type, shape](const Indices& i) {
    Indices at = i;
    std::vector<ir::Range> ranges;
    for (size_t d = i.size(); d < shape.size(); ++d) {
      const Symbol k("k");
      ranges.push_back({k, shape[d], false, 0, false});
      at.push_back(ir::var(k));
    }
    Expr product;
    for (const Array& a : wide) {
      const Expr factor = ir::cast(type, a.at(at));
      product = !product ? factor
                         : ir::binary(ir::isBool(type) ? ir::BinaryOp::LogicalAnd : ir::BinaryOp::Mul,
                                      product, factor);
    }
    if (ranges.empty()) return product;
    return ir::make(
        ir::Reduce{type, ir::isBool(type) ? ir::ReduceOp::Or : ir::ReduceOp::Sum, ranges, product});
  };
  return out.shape.empty() ? Value{Scalar{out.at({})}} : Value{out};
}

//===--- products of arrays of any rank -----------------------------------------------------------------===//

/// `a @ b`, where one has three axes or more: those before the last two are broadcast.
Value Lowering::batchedProduct(const Array& a, const Array& b, DType type, Span where) {
  constexpr int kRow = 'i', kInner = 'k', kColumn = 'j';
  auto labelled = [&](const Array& x, bool isRight) {
    const size_t rank = x.shape.size();
    Labelled o{x, {}};
    for (size_t d = 2; d < rank; ++d) o.labels.push_back(-static_cast<int>(rank - d));
    if (rank > 1) o.labels.push_back(isRight ? kInner : kRow);
    o.labels.push_back(isRight && rank > 1 ? kColumn : kInner);
    return o;
  };
  std::vector<int> result;
  for (size_t d = std::max(a.shape.size(), b.shape.size()); d > 2; --d)
    result.push_back(-static_cast<int>(d - 2));
  if (a.shape.size() > 1) result.push_back(kRow);
  if (b.shape.size() > 1) result.push_back(kColumn);
  if (!loops_.empty() || b.shape.size() != 2)
    return sumOfProducts({labelled(a, false), labelled(b, true)}, result, type, where);
  // All rows are those of one matrix.
  Expr rows = ir::intConst(1);
  for (size_t d = 0; d + 1 < a.shape.size(); ++d) rows = ir::mul(rows, a.shape[d]);
  const Value product = matmul(Value{reshaped(a, {rows, a.shape.back()})}, Value{b}, where);
  const auto* made = product.as<Array>();
  if (!made) return product;
  std::vector<Expr> shape(a.shape.begin(), a.shape.end() - 1);
  shape.push_back(b.shape.back());
  return Value{reshaped(materialize(*made, "product"), shape)};
}

/// np.dot of arrays of more than two dimensions: each row of one with each column of the other.
Value Lowering::dotOfArrays(const Array& a, const Array& b, Span where) {
  Labelled x{a, {}}, y{b, {}};
  std::vector<int> result;
  constexpr int kInner = 0;
  int next = 1;
  for (size_t d = 0; d < a.shape.size(); ++d) x.labels.push_back(d + 1 == a.shape.size() ? kInner : next++);
  const size_t inner = b.shape.size() > 1 ? b.shape.size() - 2 : 0;
  for (size_t d = 0; d < b.shape.size(); ++d) y.labels.push_back(d == inner ? kInner : next++);
  for (int label = 1; label < next; ++label) result.push_back(label);
  requireEqual(a.shape.back(), b.shape[inner],
               Message("the inner sizes of a product must be equal: ").array(a).text(" and ").array(b),
               where);
  return sumOfProducts({x, y}, result, ir::promote(a.type, b.type), where);
}

//===--- np.einsum --------------------------------------------------------------------------------------===//

/// One operand, nothing summed: its own elements under other axes, a view where NumPy gives one that is stored through.
static Value rearranged(const Array& a, const std::vector<int>& labels, const std::vector<int>& result) {
  std::vector<Expr> shape(result.size());
  std::vector<size_t> axes;
  for (size_t d = 0; d < labels.size(); ++d) {
    axes.push_back(static_cast<size_t>(std::find(result.begin(), result.end(), labels[d]) - result.begin()));
    shape[axes.back()] = a.shape[d];
  }
  Array out = remapped(a, shape, [axes](const Indices& i) {
    Indices own;
    for (size_t axis : axes) own.push_back(i[axis]);
    return own;
  });
  if (out.view && labels.size() > result.size()) { // a diagonal
    out.shares = out.view->buffer.name;
    out.view = nullptr;
  }
  return Value{out};
}

static bool isTruth(const Value& v, const std::optional<int64_t>& constant) {
  if (v.as<NoneValue>()) return false;
  return constant ? *constant != 0 : true; // a text or a path
}

Value Lowering::callEinsum(const Bound& b) {
  const std::vector<Value>& given = b["operands"].as<TupleValue>()->items;
  const auto* text = given.empty() ? nullptr : given[0].as<StringValue>();
  if (!text)
    return error(
        DiagId::Unsupported, b.where,
        "`np.einsum` takes its subscripts as a constant text in front, as in `np.einsum(\"ij,jk\", a, b)`");
  std::vector<Array> arrays;
  std::optional<DType> type;
  for (size_t k = 1; k < given.size(); ++k) {
    const std::optional<Array> a = arrayArgument(strong(given[k]), b);
    if (!a) return Value{};
    arrays.push_back(*a);
    type = type ? ir::promote(*type, a->type) : a->type;
  }
  std::string wrong;
  const std::optional<Subscripts> subscripts = parseSubscripts(text->text, arrays, wrong);
  if (!subscripts) return error(DiagId::TypeMismatch, b.where, fmt::format("`np.einsum`: {}", wrong));
  std::vector<Labelled> operands;
  for (size_t k = 0; k < arrays.size(); ++k) {
    operands.push_back({arrays[k], subscripts->operands[k]});
    const std::vector<int>& labels = operands.back().labels;
    for (size_t d = 0; d < labels.size(); ++d)
      for (size_t e = d + 1; e < labels.size(); ++e)
        if (labels[d] == labels[e])
          requireEqual(arrays[k].shape[d], arrays[k].shape[e],
                       Message("axes of one name have different sizes in ").array(arrays[k]), b.where);
  }
  const bool isView =
      operands.size() == 1 && std::all_of(operands[0].labels.begin(), operands[0].labels.end(),
                                          [&](int l) { return has(subscripts->result, l); });
  if (isView && !b.given("out")) return rearranged(arrays[0], operands[0].labels, subscripts->result);
  // One product after the other only where that is asked for: NumPy's own way sums products of all.
  while (operands.size() > 2 && isTruth(b["optimize"], constantArgument(b["optimize"]))) {
    std::vector<int> kept;
    for (size_t k = 0; k < 2; ++k)
      for (int label : operands[k].labels) {
        bool isUsed = has(subscripts->result, label);
        for (size_t other = 2; other < operands.size(); ++other) isUsed |= has(operands[other].labels, label);
        if (isUsed && !has(kept, label)) kept.push_back(label);
      }
    const Value product = sumOfProducts({operands[0], operands[1]}, kept, *type, b.where);
    if (product.isError()) return product;
    operands.erase(operands.begin());
    operands[0] = {materialize(toArray(product), "product"), kept};
  }
  return deliverExact(sumOfProducts(operands, subscripts->result, *type, b.where), b);
}

} // namespace appyc::sema
