//===- UfuncEntries.cpp - the functions that loop over a ufunc's operands, as Python text -------------------===//
// An operand is a vector with an offset and a stride for each of three axes, all unsigned, so that steps backwards
// wrap around. Long rows are cut in pieces: those of all rows are what workers share.
#include "Imports.h"
#include "Numba.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>

namespace appyc::frontend {

namespace {

constexpr int kPiece = 4096; ///< the wrapper's `_Ufunc` counts pieces of as many elements

std::string shortName(const Ufunc::Operand& operand) {
  std::string name = operand.dtype;
  for (const auto& [begin, letter] :
       {std::pair{"uint", "u"}, {"int", "i"}, {"float", "f"}, {"complex", "c"}, {"bool", "b1"}})
    if (name.starts_with(begin)) return letter + name.substr(std::string_view(begin).size());
  return name;
}

std::string vectorParam(const std::string& name, const std::string& dtype, int axes) {
  std::string text = fmt::format("{0}: {1}[size_of_{0}], {0}_at: u64", name, dtype);
  for (int axis = 0; axis < axes; ++axis) text += fmt::format(", {}_{}: u64", name, axis);
  return text;
}
std::string vectorNames(const std::string& name, int axes) {
  std::string text = fmt::format("{0}, {0}_at", name);
  for (int axis = 0; axis < axes; ++axis) text += fmt::format(", {}_{}", name, axis);
  return text;
}
/// Where a row of the operand begins: `x0_row = x0_at + i * x0_0 + j * x0_1`.
std::string rowOf(const std::string& name) {
  return fmt::format("            {0}_row = {0}_at + i * {0}_0 + j * {0}_1\n", name);
}
std::string element(const std::string& name) { return fmt::format("{0}[{0}_row + k * {0}_2]", name); }

/// Rows whose elements lie side by side, but for one operand that has one for a row, if any does: threads take several at once.
std::string sideBySide(const Ufunc& ufunc, size_t inputs) {
  std::string versions;
  const auto add = [&](std::optional<size_t> same) {
    std::string steps, arguments;
    for (size_t k = 0; k < inputs; ++k) {
      steps += fmt::format(" and x{}_2 == {}", k, k == same ? 0 : 1);
      arguments +=
          fmt::format("{0}x{1}[x{1}_at + j * x{1}_1{2}]", k > 0 ? ", " : "", k, k == same ? "" : " + k");
    }
    versions += fmt::format("    {} n0 == 1 and out_2 == 1{}:\n"
                            "        #pragma parallel for\n"
                            "        for j in range(n1):\n"
                            "            #pragma parallel for\n"
                            "            for k in range(n2):\n"
                            "                out[out_at + j * out_1 + k] = {}({})\n",
                            versions.empty() ? "if" : "elif", steps, ufunc.name, arguments);
  };
  add(std::nullopt);
  for (size_t k = 0; k < inputs && inputs > 1; ++k) add(k);
  return versions;
}

/// `out[...] = f(x0[...], x1[...])`. Along one axis, over three of them (a device shares out elements), and over pieces of rows.
///   10^8 f32, an H100, of a copy's bandwidth                                            | before | predicted | now
///   rows of 10: elements by their numbers, three divisions each; by axes                 | 43 %   | 90 %      | 81 %
///   saxpy of vectors, an H200: a thread an element; four of each side by side              | 88 %   | 100 %     | 103 %
///   an operand transposed: a block a piece, whose lanes meet other lines each; 32 x 8     | 43 %   | 70 %      | 74 %
std::string callEntry(const Ufunc& ufunc, const Ufunc::Row& row) {
  std::vector<std::string> operands;
  std::string types = "n0: int, n1: int, n2: int, pieces: int", names = "n0, n1, n2, pieces", rows;
  for (size_t k = 0; k < row.inputs.size(); ++k) operands.push_back(fmt::format("x{}", k));
  operands.emplace_back("out");
  for (size_t k = 0; k < operands.size(); ++k) {
    types += ", " +
             vectorParam(operands[k], k < row.inputs.size() ? row.inputs[k].dtype : row.outputs[0].dtype, 3);
    names += ", " + vectorNames(operands[k], 3);
    rows += rowOf(operands[k]);
  }
  const auto assignment = [&](const char* place) {
    std::vector<std::string> all;
    for (const std::string& name : operands) all.push_back(fmt::format(fmt::runtime(place), name));
    const std::string out = all.back();
    all.pop_back();
    return fmt::format("{} = {}({})", out, ufunc.name, fmt::join(all, ", "));
  };
  return fmt::format("#appyc: def {0}({1})\n"
                     "def {0}({2}):\n"
                     "{8}"
                     "    elif n0 == 1 and n1 == 1:\n"
                     "        #pragma parallel for\n"
                     "        for k in range(n2):\n"
                     "            {3}\n"
                     "    elif pieces == 0:\n"
                     "        #pragma parallel for\n"
                     "        for i in range(n0):\n"
                     "            #pragma parallel for\n"
                     "            for j in range(n1):\n"
                     "                #pragma parallel for\n"
                     "                for k in range(n2):\n"
                     "                    {4}\n"
                     "    else:\n"
                     "        #pragma parallel for\n"
                     "        for row in range(n0 * n1 * pieces):\n"
                     "            i = row // pieces // n1\n"
                     "            j = row // pieces % n1\n"
                     "{5}"
                     "            first = row % pieces * {7}\n"
                     "            #pragma parallel for\n"
                     "            for k in range(first, min(first + {7}, n2)):\n"
                     "                {6}\n",
                     row.entry, types, names, assignment("{0}[{0}_at + k * {0}_2]"),
                     assignment("{0}[{0}_at + i * {0}_0 + j * {0}_1 + k * {0}_2]"), rows,
                     assignment("{0}[{0}_row + k * {0}_2]"), kPiece, sideBySide(ufunc, row.inputs.size()));
}

/// Folds the innermost axis of `x`, beginning with `begin`, and stores each step: with a stride of 0, only the last.
std::string foldEntry(const Ufunc& ufunc, const Ufunc::Row& row) {
  const std::string& dtype = row.inputs[0].dtype;
  return fmt::format("#appyc: def {0}(rows: int, n1: int, n2: int, {1}, {2}, {3})\n"
                     "def {0}(rows, n1, n2, {4}, {5}, {6}):\n"
                     "    if rows > 0:\n"
                     "        #pragma parallel for\n"
                     "        for row in range(rows):\n"
                     "            i = row // n1\n"
                     "            j = row % n1\n"
                     "{7}"
                     "            value = begin[begin_row]\n"
                     "            for k in range(n2):\n"
                     "                value = {8}(value, {9})\n"
                     "                {10} = value\n",
                     row.fold, vectorParam("begin", dtype, 2), vectorParam("x", dtype, 3),
                     vectorParam("out", dtype, 3), vectorNames("begin", 2), vectorNames("x", 3),
                     vectorNames("out", 3), rowOf("begin") + rowOf("x") + rowOf("out"), ufunc.name,
                     element("x"), element("out"));
}

/// `g(x0[i * x0_0], x1[i * x1_0], out0[i])`: a step of 0 takes the one row again.
std::string generalEntry(const Ufunc& ufunc, const Ufunc::Row& row) {
  std::string types = "rows: int", names = "rows", arguments;
  const auto add = [&](const std::string& name, const Ufunc::Operand& operand,
                       const std::vector<std::string>& axes, bool isInput) {
    std::string extents = "rows_of_" + name;
    for (const std::string& axis : axes) extents += ", axis_" + axis;
    if (axes.empty() && operand.rank == 1) extents += ", 1";
    types += fmt::format(", {}: {}[{}]", name, operand.dtype, extents);
    names += ", " + name;
    arguments += arguments.empty() ? "" : ", ";
    if (isInput) {
      types += fmt::format(", {}_0: u64", name);
      names += fmt::format(", {}_0", name);
      arguments += fmt::format("{0}[i * {0}_0]", name);
    } else {
      arguments += name + "[i]";
    }
  };
  for (size_t k = 0; k < row.inputs.size(); ++k)
    add(fmt::format("x{}", k), row.inputs[k], ufunc.inputAxes[k], true);
  for (size_t k = 0; k < row.outputs.size(); ++k)
    add(fmt::format("out{}", k), row.outputs[k], ufunc.outputAxes[k], false);
  return fmt::format("#appyc: def {0}({1})\n"
                     "def {0}({2}):\n"
                     "    #pragma parallel for\n"
                     "    for i in range(rows):\n"
                     "        {3}({4})\n",
                     row.entry, types, names, ufunc.name, arguments);
}

bool isFold(const Ufunc& ufunc, const Ufunc::Row& row) {
  return !ufunc.isGeneral && row.inputs.size() == 2 && row.inputs[0].dtype == row.inputs[1].dtype &&
         row.inputs[0].dtype == row.outputs[0].dtype;
}

void nameEntries(Ufunc& ufunc, std::set<std::string>& taken) {
  const auto fresh = [&](std::string name) {
    while (!taken.insert(name).second) name += "_";
    return name;
  };
  for (Ufunc::Row& row : ufunc.rows) {
    std::string name = ufunc.name;
    for (const Ufunc::Operand& input : row.inputs) name += "_" + shortName(input);
    row.entry = fresh(name);
    if (isFold(ufunc, row)) row.fold = fresh(ufunc.name + "_fold_" + shortName(row.inputs[0]));
  }
}

} // namespace

std::vector<Ufunc> readUfuncs(const Source& source, Diagnostics& diag) {
  if (source.text().find("vectorize") == std::string_view::npos) return {};
  const SyntaxTree tree(source.text(), source.files().front().where);
  const std::vector<ast::Import> imports = readImports(source, tree.root());
  std::set<std::string> taken = boundNames(source, tree.root());
  std::map<std::string, Ufunc> last;
  std::vector<std::string> order;
  for (const Node node : tree.root().namedChildren())
    if (std::optional<Ufunc> read = readUfunc(source, node, imports, diag)) {
      if (!last.count(read->name)) order.push_back(read->name);
      last[read->name] = std::move(*read);
    }
  std::vector<Ufunc> ufuncs;
  for (const std::string& name : order) {
    nameEntries(last[name], taken);
    ufuncs.push_back(std::move(last[name]));
  }
  return ufuncs;
}

void addUfuncEntries(Source& source) {
  Diagnostics unheard;
  const std::vector<Ufunc> ufuncs = readUfuncs(source, unheard);
  std::string text;
  for (const Ufunc& ufunc : ufuncs)
    for (const Ufunc::Row& row : ufunc.rows) {
      text += ufunc.isGeneral ? generalEntry(ufunc, row) : callEntry(ufunc, row);
      if (!row.fold.empty()) text += "\n" + foldEntry(ufunc, row);
      text += "\n";
    }
  if (!text.empty()) source.add({source.name(), std::string(kUfuncEntries)}, text);
}

} // namespace appyc::frontend
