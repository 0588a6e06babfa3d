//===- Mutate.cpp - changes to a program that keep its tokens and lines whole -------------------------===//
// libFuzzer's own mutations change bytes; what they make rarely gets past the parser. These move, repeat,
// drop and exchange tokens and lines, so that many programs stay well-formed and reach the later stages. A
// third of the changes are libFuzzer's.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t maxSize);

namespace {
using Pieces = std::vector<std::string>;
using Random = std::minstd_rand;

constexpr std::array<std::string_view, 64> words{"0",
                                                 "1",
                                                 "-1",
                                                 "2",
                                                 "3.5",
                                                 "1e400",
                                                 "9223372036854775808",
                                                 "1j",
                                                 "True",
                                                 "None",
                                                 "a",
                                                 "i",
                                                 "n",
                                                 "N",
                                                 "M",
                                                 "f64",
                                                 "i64",
                                                 "u8",
                                                 "bool",
                                                 "c128",
                                                 "f32",
                                                 "[:, :]",
                                                 "[::-1]",
                                                 "[1:-1]",
                                                 "[i]",
                                                 "[i, :]",
                                                 "[None]",
                                                 "[a]",
                                                 ".T",
                                                 ".shape",
                                                 ".size",
                                                 ".sum()",
                                                 "np.sum(a)",
                                                 "np.max(",
                                                 "axis=",
                                                 "axis=0",
                                                 "keepdims=",
                                                 "@",
                                                 "//",
                                                 "%",
                                                 "**",
                                                 "<<",
                                                 "==",
                                                 "<",
                                                 "and",
                                                 "not ",
                                                 " if ",
                                                 " else ",
                                                 " in ",
                                                 "for ",
                                                 "while ",
                                                 "return ",
                                                 "lambda ",
                                                 "range(",
                                                 "len(",
                                                 "float(",
                                                 "np.where",
                                                 "np.zeros(",
                                                 "(",
                                                 ")",
                                                 "=",
                                                 "+=",
                                                 "#pragma parallel for",
                                                 "#pragma :N=>reduce(sum)"};

/// The text in pieces that make it up again: names and numbers, runs of blanks, line ends, single others.
Pieces tokens(std::string_view text) {
  const auto kind = [](char c) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.') return 'w';
    return c == ' ' ? 'b' : c == '\n' ? 'l' : 'o';
  };
  Pieces pieces;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    const char first = kind(text[i]);
    while ((first == 'w' || first == 'b') && end < text.size() && kind(text[end]) == first) ++end;
    pieces.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return pieces;
}

Pieces lines(std::string_view text) {
  Pieces pieces;
  while (!text.empty()) {
    const size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    pieces.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return pieces;
}

size_t below(Random& random, size_t limit) { return random() % limit; }

/// One change to a list of tokens or lines, which is not empty.
void change(Pieces& pieces, Random& random) {
  const size_t at = below(random, pieces.size()), other = below(random, pieces.size());
  const auto place = pieces.begin() + static_cast<std::ptrdiff_t>(at);
  switch (below(random, 7)) {
  case 0: pieces.erase(place); break;
  case 1: pieces.insert(place, std::string(pieces[other])); break;
  case 2: std::swap(pieces[at], pieces[other]); break;
  case 3: pieces[at] = pieces[other]; break;
  case 4: pieces[at] = words[below(random, words.size())]; break;
  case 5: pieces.insert(place, std::string(words[below(random, words.size())])); break;
  case 6: // a stretch twice
    const size_t length = std::min<size_t>(1 + below(random, 8), pieces.size() - at);
    const Pieces stretch(place, place + static_cast<std::ptrdiff_t>(length));
    pieces.insert(place, stretch.begin(), stretch.end());
    break;
  }
}

size_t store(const Pieces& pieces, uint8_t* data, size_t maxSize) {
  size_t size = 0;
  for (const std::string& piece : pieces) {
    if (size + piece.size() > maxSize) break;
    std::memcpy(data + size, piece.data(), piece.size());
    size += piece.size();
  }
  return size;
}
} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned seed) {
  Random random(seed);
  if (size == 0 || below(random, 3) == 0) return LLVMFuzzerMutate(data, size, maxSize);
  const std::string text(reinterpret_cast<const char*>(data), size);
  Pieces pieces = below(random, 4) == 0 ? lines(text) : tokens(text);
  for (size_t n = 1 + below(random, 4); n > 0 && !pieces.empty(); --n) change(pieces, random);
  const size_t made = store(pieces, data, maxSize);
  return made ? made : LLVMFuzzerMutate(data, size, maxSize);
}

/// Lines of two programs, each once from the first, sometimes followed by one of the second.
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* first, size_t firstSize, const uint8_t* second,
                                            size_t secondSize, uint8_t* out, size_t maxSize, unsigned seed) {
  Random random(seed);
  const Pieces mine = lines({reinterpret_cast<const char*>(first), firstSize});
  const Pieces theirs = lines({reinterpret_cast<const char*>(second), secondSize});
  Pieces made;
  for (const std::string& line : mine) {
    made.push_back(line);
    if (!theirs.empty() && below(random, 4) == 0) made.push_back(theirs[below(random, theirs.size())]);
  }
  return store(made, out, maxSize);
}
