//===- Line.h - one logical line of output, broken where it is too long --------------------------------===//
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace appyc::cxx {

/// Collects pieces of text and the places between them where the line may be broken. A place has a depth: the
/// outermost places are used first, as a person would.
class Line {
public:
  /// Depth of a place that is used only when there is no other, as after `=`.
  static constexpr int lastResort = 1000;

  void text(std::string_view piece);
  /// A place to break; `space`: a blank stands there when it is not used.
  void breakable(int depth, bool space);
  /// The line at `indent` columns, continuation lines four further, each closed by a line end.
  std::string wrap(int indent, int width) const;
  std::string flat() const;

private:
  struct Piece {
    std::string text;
    int depth = 0; ///< of the place before it
    bool space = false;
  };
  /// How many of the pieces from `first` on go into a line of `room` columns.
  size_t fill(size_t first, size_t room) const;
  std::vector<Piece> pieces_;
};

} // namespace appyc::cxx
