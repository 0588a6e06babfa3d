//===- Types.h - types as users write them --------------------------------------------------------===//
#pragma once
#include "Piece.h"
#include "appyc/AST/Nodes.h"
#include "appyc/Support/Diagnostics.h"
#include <functional>
#include <optional>

namespace appyc::frontend {

/// What an annotation is, judged by its name alone.
enum class TypeKind {
  Definite, ///< only appyc, NumPy, DaCe or Numba mean this: `f64`, `np.int32`, anything known with extents
  Builtin,  ///< Python's own `int`, `float`, `complex`, `bool`, which code of any kind uses
  Misspelt, ///< near to a known name
  Foreign,  ///< something else: `str`, `np.ndarray`
};
TypeKind classifyType(const Piece& text);

/// Reads `f64`, `float64[:, ::1]`, `dace.float64[N]`, `int`. Nothing after an error, which is reported.
std::optional<ast::TypeSpec> readType(const Piece& text, Diagnostics& diag);

/// What a name stands for in annotations: itself, or what the file says.
using Meaning = std::function<Piece(const Piece& name)>;
/// Reads `list[int]`, `List[Tuple[int, float]]`, `tuple[float, float]` of Python's own numbers; nothing where it is no such.
std::optional<ast::TypeSpec> readContainer(const Piece& text, const Meaning& meaning = {});

/// Reads `str`, `Literal["fast", "exact"]`: a text, of which the wrapper passes the number among those that the function names.
std::optional<ast::TypeSpec> readText(const Piece& text);
/// A text, of which the call says which.
ast::TypeSpec textType(Span where);

/// What to write instead of an annotation of a dict; empty for others.
std::string_view adviceOnDicts(std::string_view annotation);
/// Is a result, or one of them, nothing that types of appyc's say: `np.ndarray`, `Optional[float]`?
bool isForeignResult(const Piece& text);
/// Reads what stands behind `->`: `None`, one type, `tuple[T, ...]` or `(T, ...)`.
std::optional<std::vector<ast::TypeSpec>> readResultTypes(const Piece& text, Diagnostics& diag);

} // namespace appyc::frontend
