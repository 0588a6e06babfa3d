//===- Ufuncs.h - functions of numbers that are called with arrays --------------------------------===//
// `@vectorize` and `@guvectorize` make one Python function of a function of numbers or of small arrays. For the rest
// of the compiler each of its signatures is an ordinary function, an *entry*, that loops over operands which are
// vectors with an offset and strides. The entries are Python text behind the input's, as if a user had written them.
#pragma once
#include "appyc/Support/Diagnostics.h"
#include "appyc/Support/Source.h"
#include <string>
#include <string_view>
#include <vector>

namespace appyc::frontend {

struct Ufunc {
  struct Operand {
    std::string dtype; ///< NumPy's name
    int rank = 0;      ///< as the signature has it
  };
  struct Row {
    std::vector<Operand> inputs, outputs;
    Span where;
    std::string entry; ///< name of its function
    std::string fold;  ///< of the function that reduces and accumulates; empty where there is none
  };
  std::string name, docstring;
  Span where;
  std::vector<Row> rows;
  bool isGeneral = false;                           ///< of `@guvectorize`
  std::vector<std::vector<std::string>> inputAxes;  ///< "(m,n),(n,p)->(m,p)"
  std::vector<std::vector<std::string>> outputAxes; ///< of an ordinary one empty
  std::string layout;
  std::string identity = "None"; ///< as Python writes it
};

/// The input file's. What is wrong with a decorator is reported.
std::vector<Ufunc> readUfuncs(const Source& source, Diagnostics& diag);

/// The name, among the files of a source, of what addUfuncEntries() adds.
constexpr std::string_view kUfuncEntries = "<entries of ufuncs>";
/// Puts the text of all entries behind the other files. Errors are left to parse().
void addUfuncEntries(Source& source);

} // namespace appyc::frontend
