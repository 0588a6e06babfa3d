//===- Destinations.h - which files a run writes --------------------------------------------------------===//
#pragma once
#include "appyc/Driver/Driver.h"
#include <string>

namespace appyc::driver {

/// Where the texts go; empty paths are not written.
struct Destinations {
  std::string main, wrapper, header, depfile, annotated;
  std::string library; ///< of --build
  std::string runtime; ///< what wrappers of a folder share
  std::string support; ///< of --support
  OutputNames names;
};
Destinations destinationsOf(const Options&);

/// What is wrong with the files' names: each may be named once, and never be an input. Empty when nothing is.
std::string findCollision(const Options&, const Destinations&);

/// What Python cannot import the module by, and what to write instead; empty where it can, or none is written.
std::string importProblem(const Options&, const Destinations&);

} // namespace appyc::driver
