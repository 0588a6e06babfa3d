//===- PythonModule.h - pieces of which a generated Python module is put together -----------------------===//
#pragma once
#include "PythonExpr.h"
#include "appyc/Wrapper/Wrapper.h"
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace appyc::wrapper {

/// Is the parameter the dict of numbers of the file's that functions bind (`global`)? Its name is none of Python's; the
/// module keeps it, under this name.
inline bool isOfFile(const std::string& parameter) { return parameter.find(' ') != std::string::npos; }
inline constexpr const char* kNamesOfFile = "_names_of_file";

/// The support code as it stands in lib/Wrapper/Runtime.
extern const std::string_view commonRuntime, hostRuntime, deviceRuntime, ufuncsRuntime, plansRuntime,
    gufuncsRuntime, textsRuntime, widenedRuntime, ownRuntime;

/// Lines of Python, laid out as black does.
class PythonText {
public:
  void line(int depth, std::string_view text);
  void blank(int lines = 1) { text_.append(static_cast<size_t>(lines), '\n'); }
  /// `head(args...)tail`, broken over lines where it is longer than a line.
  void call(int depth, const std::string& head, const std::vector<std::string>& args,
            const std::string& tail = "");
  const std::string& text() const { return text_; }

private:
  std::string text_;
};

/// Identifiers a generated module uses for itself.
const std::set<std::string>& supportNames();
/// Python's own names that the support code uses; a function of the module may hide them.
const std::set<std::string>& usedBuiltins();

/// A name of the user's, marked where it is also one of `reserved`, so that composeModule() renames the other
/// one.
std::string userName(const std::string& name, const std::set<std::string>& reserved);

/// The parameter's name, or what the module keeps.
inline std::string takenName(const std::string& param, const std::set<std::string>& reserved) {
  return isOfFile(param) ? kNamesOfFile : userName(param, reserved);
}

/// The imports and support definitions that `body` needs, `tables` after the imports, and `body`; names of
/// the support that the user has taken (see userName) are changed. One that does not stand alone imports what it needs.
std::string composeModule(const std::string& banner, const std::string& tables, const std::string& body,
                          bool standsAlone, const std::set<std::string>& userNames);

/// The definition of one entry under the Python name `name` with the parameters `parameters` (more than the
/// entry has where other signatures of the function have more). `arrays`: a free name.
void writeFunction(PythonText& out, const ir::Function&, const std::string& name, const std::string& arrays,
                   const std::vector<std::string>& parameters, const std::string& docstring, const Options&,
                   const std::set<std::string>& reserved, bool modulePrints);

/// Variables of a Python function: of parameters and sizes, of arrays' shapes, and a free one.
struct Locals {
  const std::map<Symbol, std::string>&names, &shapes;
  std::string free;
};
/// Where arguments have axes of one element that meet longer ones: the function `name` is called `again` with others.
void writeWidenedCall(PythonText& out, const ir::Function&, const Locals&, const std::string& name,
                      const std::vector<std::string>& again);

/// The Python object of a function that is called with arrays of what it takes; its entries stand above.
void writeUfunc(PythonText& out, const Ufunc&, const std::string& name, const Options&);

//===--- numbers between Python and C -----------------------------------------------------------------===//
std::string dtypeName(ir::DType);
/// The expression that turns scalar argument `name` into what the C function takes.
std::string scalarConversion(ir::DType, const std::string& variable, const std::string& name);
/// How a scalar result is received from C and handed on.
std::string resultCell(ir::DType);
std::string resultValue(ir::DType, const std::string& cell);
/// The function that gives 64 random bits.
std::string drawing(ir::Param::Draw);

/// `float64[M, N]`.
std::string typeText(ir::DType type, bool isArray, const std::vector<ir::Expr>& extents);
/// One line for each parameter and the results, for docstrings and comments.
std::vector<std::string> describe(const ir::Function&);

} // namespace appyc::wrapper
