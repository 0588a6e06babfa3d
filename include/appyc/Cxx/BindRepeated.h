//===- BindRepeated.h - what a function says twice gets a name --------------------------------------------===//
#pragma once
#include "appyc/Cxx/Nodes.h"
#include <set>
#include <string>

namespace appyc::cxx {

/// Choices among whole numbers (minima, conditional expressions) that stand more than once in a block, and whose names
/// have one value in it, are computed in front of the first:
///   a[n < m ? n : m] = b[n < m ? n : m];   =>   const auto extent = n < m ? n : m; a[extent] = b[extent];
/// `taken`: names that none may have.
Function bindRepeated(const Function& function, const std::set<std::string>& taken);

} // namespace appyc::cxx
