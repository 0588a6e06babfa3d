//===- Unsupported.h - Python that appyc does not translate ---------------------------------------===//
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace appyc::frontend {

/// For a construct (the name of its grammar rule) outside the subset: what it is and what to write instead.
std::optional<std::string> unsupportedMessage(std::string_view kind);

} // namespace appyc::frontend
