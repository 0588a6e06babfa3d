//===- Syntax.h - texts that are not Python -------------------------------------------------------===//
#pragma once
#include "TreeSitter.h"
#include "appyc/Support/Diagnostics.h"
#include <string>

namespace appyc::frontend {

/// Whether the text is UTF-8 without NUL bytes and of a size that places can count; reports it if not.
bool checkReadable(const Source& source, Diagnostics& diag);

/// The text with each colon in the extents of an annotation (`f64[:, :]`) made a digit; of the same length.
/// The grammar refuses slices in annotations, which Python takes.
std::string withoutSlicesInTypes(std::string_view text);

/// Reports the first few places where the tree has errors. Nothing for a sound tree.
void reportSyntaxErrors(const Source& source, Node root, Diagnostics& diag, Span file);

/// Reports names below `top` that Python may take for other names than their letters say.
void checkNames(const Source& source, Node top, Diagnostics& diag);

inline std::string textOf(const Source& source, Node node) { return std::string(source.text(node.span())); }

} // namespace appyc::frontend
