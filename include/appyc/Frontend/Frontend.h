//===- Frontend.h - text to AST -------------------------------------------------------------------===//
#pragma once
#include "appyc/AST/Nodes.h"
#include "appyc/Support/Choices.h"
#include "appyc/Support/Diagnostics.h"
#include "appyc/Support/Source.h"
#include <string>
#include <string_view>
#include <vector>

namespace appyc::frontend {

/// The bytes of a file as a source text. What is not UTF-8, and a NUL, is an error in `diag`; of such a file
/// only the part before it is kept.
Source decode(std::string name, std::string bytes, Diagnostics& diag);

/// How loops with labels are run, `N=threads(128).reduce()`, where the file does not say it.
struct LabelTexts {
  std::vector<std::string> options; ///< of --par
  std::vector<std::string> file;    ///< of the schedule file, which comes last
  std::vector<ScheduledLine> lines; ///< of it, too: of loops without labels
};

/// Parses one Python file. `signatures` are texts of `--signature` (`gemm(f64, f64[M,K])` or with names,
/// `gemm(alpha: f64, A: f64[M,K]) -> f64[M]`); they replace the signatures the source gives for that
/// function. Every error goes to `diag`; the tree holds error nodes in those places. Code outside functions
/// (imports and constants apart), classes, methods and decorators that are not appyc's are left
/// alone. Of modules that the input imports, errors are told where Sema uses them.
ast::Module parse(const Source& source, const std::vector<std::string>& signatures, Diagnostics& diag,
                  const LabelTexts& schedules = {});

/// Absolute names of all that the file's import statements may import: modules, and names of such.
std::vector<std::string> importedModules(const Source& source, const SourceFile& file);

/// All functions of a text, whether or not they have types: of a library, whose callers give them.
std::vector<ast::Function> parseFunctions(const Source& source, Diagnostics& diag);

/// appyc's name of the type that Numba calls so, `float32` or `types.f4`; empty if there is none.
std::string_view dtypeOfNumba(std::string_view name);

/// Parses one expression that stands inside a pragma or a type; every node gets the span `where`.
/// Empty handle after an error, which is reported.
ast::Expr parseExpression(std::string_view text, Span where, Diagnostics& diag);

} // namespace appyc::frontend
