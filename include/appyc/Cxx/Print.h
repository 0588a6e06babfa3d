//===- Print.h - C++ trees as formatted text, and as a tree for --emit=cxx -----------------------------===//
#pragma once
#include "appyc/Cxx/Nodes.h"
#include <string>

namespace appyc::cxx {

/// Widest line the printer writes where it can break one.
constexpr int lineWidth = 110;

std::string print(const Unit&);
std::string print(const Stmt&);
std::string print(const Expr&);
/// For each line of print(unit) the line of the Python file that it comes from; 0 for none.
std::vector<uint32_t> sourceLines(const Unit&);

/// The tree itself, one node a line, children indented.
std::string dump(const Unit&);

} // namespace appyc::cxx
