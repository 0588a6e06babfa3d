//===- Names.h - identifiers of generated code, and which of them are free ---------------------------------===//
#pragma once
#include <set>
#include <string>
#include <string_view>

namespace appyc::ir {

struct Function;

/// The groups of ReservedNames.def.
enum class Reserved { Language, Code };
/// Whether `name` means something by itself, in any generated text or in C++ code.
bool isReserved(std::string_view name, Reserved group);

/// `hint` made an identifier of C, C++ and Python that is not reserved by a language and not in `taken` (added to it).
std::string uniqueIdentifier(const std::string& hint, std::set<std::string>& taken);

/// The same for a function that is exported under a prefix, so that no word is reserved: neither the name nor the
/// other one that it brings along (`f_workspace`) are in `taken`, which gets both.
std::string uniqueEntry(const std::string& hint, std::set<std::string>& taken);

/// What generated files export beside their entries.
std::set<std::string> exportedBySupport();

/// What stands before the names of all C symbols of the file `stem`: files may be linked together, and with any
/// library. An entry `f` is exported as `appyc_STEM_f`.
std::string symbolPrefix(std::string_view stem);

/// Gives the function's kernels names that no other function of the module has.
void nameKernels(Function& f);

} // namespace appyc::ir
