//===- Spelling.h - what a misspelt word was meant to be ------------------------------------------===//
#pragma once
#include <optional>
#include <string_view>
#include <vector>

namespace appyc {

/// The candidate nearest to `word` by edit distance (a swap of neighbours counts once), if near enough to be
/// a slip: at most one edit for each three letters. The first of several equally near ones.
std::optional<std::string_view> nearestName(std::string_view word,
                                            const std::vector<std::string_view>& candidates);

} // namespace appyc
