//===- Cost.h - what questions have cost ----------------------------------------------------------------===//
#pragma once

namespace appyc::analysis {

/// How many questions of this file had to be put to isl: what a translation costs beyond its length.
int questionsToIsl();

} // namespace appyc::analysis
