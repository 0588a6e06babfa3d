//===- Symbol.h - names as identities ----------------------------------------------------------===//
#pragma once
#include <compare>
#include <cstdint>
#include <functional>
#include <string>

namespace appyc {

/// A name with an identity: two symbols with one hint are different unless one is a copy of the other.
/// Printers make the hints unique. The order is the order of creation, so that sorted containers are
/// deterministic. Source: Exo's Sym, Futhark's VName.
class Symbol {
public:
  Symbol() = default;
  explicit Symbol(std::string hint);
  const std::string& hint() const { return *hint_; }
  uint32_t id() const { return id_; }
  explicit operator bool() const { return id_ != 0; }
  bool operator==(const Symbol& o) const { return id_ == o.id_; }
  std::strong_ordering operator<=>(const Symbol& o) const { return id_ <=> o.id_; }

private:
  uint32_t id_ = 0;                   // 0: no symbol
  const std::string* hint_ = nullptr; // kept as long as the program runs: sets of symbols are copied a lot
};

} // namespace appyc

template <> struct std::hash<appyc::Symbol> {
  size_t operator()(const appyc::Symbol& s) const { return s.id(); }
};
