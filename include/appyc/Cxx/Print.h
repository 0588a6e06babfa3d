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

/// The tree itself, one node a line, children indented.
std::string dump(const Unit&);

} // namespace appyc::cxx
