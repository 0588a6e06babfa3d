//===- Spelling.cpp - edit distance ---------------------------------------------------------------===//
#include "appyc/Support/Spelling.h"
#include <algorithm>

namespace appyc {

namespace {
/// Optimal string alignment distance, three rows at a time.
size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> beforeLast, last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], beforeLast[j - 2] + 1);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.size()];
}
} // namespace

std::optional<std::string_view> nearestName(std::string_view word,
                                            const std::vector<std::string_view>& candidates) {
  constexpr size_t longestWord = 64; // no name is that long; keeps hostile input cheap
  if (word.size() > longestWord) return {};
  size_t best = std::max<size_t>(1, word.size() / 3) + 1;
  std::optional<std::string_view> nearest;
  for (const std::string_view candidate : candidates) {
    const size_t distance = editDistance(word, candidate);
    if (distance < best && distance < std::max(word.size(), candidate.size())) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::optional<std::string_view> likelyMeant(std::string_view word,
                                            const std::vector<std::string_view>& candidates) {
  constexpr size_t shortest = 3, forSwaps = 4, forDropped = 5, forOthers = 6;
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  for (const std::string_view candidate : candidates) {
    const auto& [less, more] =
        std::minmax(word, candidate, [](auto a, auto b) { return a.size() < b.size(); });
    const size_t start = less.rfind('.') + 1, letters = less.size() - start; // without the module's name
    if (letters < shortest || more.size() - less.size() > 1 || word == candidate) continue;
    size_t same = 0; // letters at the front
    while (same < less.size() && less[same] == more[same]) ++same;
    const std::string_view restLess = less.substr(same), restMore = more.substr(same);
    const bool isOneLonger = less.size() < more.size() && restMore.substr(1) == restLess;
    const bool isSwap = letters >= forSwaps && less.size() == more.size() && restLess.size() > 1 &&
                        restLess[0] == restMore[1] && restLess[1] == restMore[0] &&
                        restLess.substr(2) == restMore.substr(2);
    const bool isDoubled = isOneLonger && same > start && restMore[0] == more[same - 1]; // `summ`
    const bool isDropped = isOneLonger && (letters >= forDropped || isDoubled) && !isDigit(restMore[0]);
    const bool isOther = letters >= forOthers && less.size() == more.size() && same > start &&
                         restLess.substr(1) == restMore.substr(1) && !isDigit(restLess[0]) &&
                         !isDigit(restMore[0]); // `cumsun`
    if (isSwap || isDropped || isOther) return candidate;
  }
  return {};
}

} // namespace appyc
