//===- Functions.h - the table of translated functions, as Sema looks things up ------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace appyc::sema {

/// Ufuncs that are an operator under another name.
const std::map<std::string, ir::BinaryOp>& arithmeticNames();
const std::map<std::string, ir::BinaryOp>& comparisonNames();

struct Parameter {
  enum Kind { PositionalOnly, Ordinary, KeywordOnly, Rest, Others }; ///< Rest: `*args`, Others: `**others`
  std::string name;
  Kind kind = Ordinary;
  std::optional<std::string> defaultText; ///< as Python writes it; `<no value>` for none that can be given
  std::vector<std::string> allowed;       ///< the values that are translated; empty: not restricted
};

/// Reads "a, /, axis=None, *, keepdims=False, like=None!".
std::vector<Parameter> parseParameters(std::string_view text);

/// What the numbers that a function returns are (NEP 50). Cell: NumPy's, or its array without dimensions.
enum class ResultKind { Numpy, Cell, Python, Own };

/// One function, method or builtin that is translated.
struct Function {
  std::string path;   ///< as it is called: "numpy.amax", "ndarray.sum", "len"
  std::string target; ///< the row that says how: "numpy.max"
  std::string_view group;
  ResultKind result = ResultKind::Numpy;
  std::string text; ///< of its parameters
  std::vector<Parameter> parameters;

  /// "max" of "numpy.max".
  std::string name() const { return target.substr(target.rfind('.') + 1); }
  /// As messages call it: "np.amax", ".astype", "len".
  std::string display() const;
};

const std::vector<Function>& functions();
/// By its path; null for what is not translated.
const Function* functionAt(std::string_view path);
/// What to write instead of what NumPy has and appyc leaves to others; empty for all else.
std::string_view insteadOf(std::string_view path);

} // namespace appyc::sema
