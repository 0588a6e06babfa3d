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

/// A candidate that differs from `word` by two letters that changed places or by one letter too many or too few:
/// for names among which a near one may be another thing (`sort` and `sqrt`, `median` and `mean`).
std::optional<std::string_view> likelyMeant(std::string_view word,
                                            const std::vector<std::string_view>& candidates);

} // namespace appyc
