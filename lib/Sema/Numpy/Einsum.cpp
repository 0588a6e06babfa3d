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
  return sumOfProducts({labelled(a, false), labelled(b, true)}, result, type, where);
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
    auto view = std::make_shared<View>(*out.view);
    view->strided = false;
    out.view = view;
  }
  return Value{out};
}

static bool isTruth(const Value& v, const std::optional<int64_t>& constant) {
  if (v.as<NoneValue>()) return false;
  return constant ? *constant != 0 : true; // a text or a path
}

/// The operands, in the type of the result; none where that is an error, which has been reported.
std::optional<std::vector<Array>> Lowering::einsumOperands(const std::vector<Value>& given, const Bound& b,
                                                           DType& type) {
  std::vector<Array> arrays;
  for (const Value& v : given) {
    const std::optional<Array> a = arrayArgument(strong(v), b);
    if (!a) return std::nullopt;
    type = arrays.empty() ? a->type : ir::promote(type, a->type);
    arrays.push_back(*a);
  }
  if (!b.given("dtype")) return arrays;
  const std::optional<Strength> asked = dtypeArgument(b["dtype"], b.where);
  if (!asked) return std::nullopt;
  if (ir::promote(type, asked->type) != asked->type) {
    error(DiagId::TypeMismatch, b.where,
          fmt::format("`np.einsum` casts its operands safely, and {} is not {}", ir::name(type),
                      ir::name(asked->type)));
    return std::nullopt;
  }
  type = asked->type;
  return arrays;
}

/// The labels that others than the operands `x` and `y` name, the result included.
static std::vector<int> keptLabels(const std::vector<std::vector<int>>& operands, size_t x, size_t y,
                                   const std::vector<int>& result) {
  std::vector<int> kept;
  for (size_t own : {x, y})
    for (int label : operands[own]) {
      bool isUsed = has(result, label);
      for (size_t other = 0; other < operands.size(); ++other)
        isUsed |= other != x && other != y && has(operands[other], label);
      if (isUsed && !has(kept, label)) kept.push_back(label);
    }
  return kept;
}

/// One product after the other, of the two whose product has the fewest axes, until two operands are left.
bool Lowering::multiplyPairs(std::vector<Labelled>& operands, const std::vector<int>& result, DType type,
                             Span where) {
  while (operands.size() > 2) {
    std::vector<std::vector<int>> labels;
    for (const Labelled& o : operands) labels.push_back(o.labels);
    size_t first = 0, second = 1;
    std::vector<int> best = keptLabels(labels, first, second, result);
    for (size_t x = 0; x < operands.size(); ++x)
      for (size_t y = x + 1; y < operands.size(); ++y)
        if (std::vector<int> kept = keptLabels(labels, x, y, result); kept.size() < best.size()) {
          first = x;
          second = y;
          best = kept;
        }
    const Value product = sumOfProducts({operands[first], operands[second]}, best, type, where);
    if (product.isError()) return false;
    operands[first] = {materialize(toArray(product), "product"), best};
    operands.erase(operands.begin() + static_cast<long>(second));
  }
  return true;
}

Value Lowering::callEinsum(const Bound& b) {
  const std::vector<Value>& given = b["operands"].as<TupleValue>()->items;
  const auto* text = given.empty() ? nullptr : given[0].as<StringValue>();
  if (!text)
    return error(
        DiagId::Unsupported, b.where,
        "`np.einsum` takes its subscripts as a constant text in front, as in `np.einsum(\"ij,jk\", a, b)`");
  DType type = DType::F64;
  const std::optional<std::vector<Array>> arrays = einsumOperands({given.begin() + 1, given.end()}, b, type);
  if (!arrays) return Value{};
  std::string wrong;
  const std::optional<Subscripts> subscripts = parseSubscripts(text->text, *arrays, wrong);
  if (!subscripts) return error(DiagId::TypeMismatch, b.where, fmt::format("`np.einsum`: {}", wrong));
  const std::vector<int>& result = subscripts->result;
  std::vector<Labelled> operands;
  for (size_t k = 0; k < arrays->size(); ++k) {
    operands.push_back({(*arrays)[k], subscripts->operands[k]});
    const std::vector<int>& labels = operands.back().labels;
    for (size_t d = 0; d < labels.size(); ++d)
      for (size_t e = d + 1; e < labels.size(); ++e)
        if (labels[d] == labels[e])
          requireEqual((*arrays)[k].shape[d], (*arrays)[k].shape[e],
                       Message("axes of one name have different sizes in ").array((*arrays)[k]), b.where);
  }
  const bool isRearranged = operands.size() == 1 && // a view, whatever `dtype=` says
                            std::all_of(operands[0].labels.begin(), operands[0].labels.end(),
                                        [&](int l) { return has(result, l); });
  if (isRearranged && !b.given("out")) return rearranged(arrays->front(), operands[0].labels, result);
  if (isTruth(b["optimize"], constantArgument(b["optimize"]))) {
    // NumPy sums each operand's own axes first, in its own type.
    if (std::any_of(arrays->begin(), arrays->end(), [&](const Array& a) { return a.type != type; }))
      return error(DiagId::Unsupported, b.where,
                   fmt::format("`optimize=` of `np.einsum` takes operands of one type; convert them with "
                               "`.astype(np.{})`",
                               ir::numpyName(type)));
    if (!multiplyPairs(operands, result, type, b.where)) return Value{};
  }
  return deliverExact(sumOfProducts(operands, result, type, b.where), b);
}

} // namespace appyc::sema
