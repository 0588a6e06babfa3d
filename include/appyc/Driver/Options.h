//===- Options.h - what a run of appyc is asked to do -----------------------------------------------===//
#pragma once
#include "appyc/Support/Diagnostics.h"
#include "appyc/Support/Sanitize.h"
#include <optional>
#include <string>
#include <vector>

namespace appyc::driver {

/// What is written to the output; Code comes with wrapper, header and dependency file.
enum class Emit { Code, Ast, Ir, Cxx, Wrapper, Header, Stats, Fired, LineMap, Schedule };
enum class DiagnosticsFormat { Text, Json };
enum class Colour { Auto, Always, Never };

struct Options {
  // What is translated.
  std::string input;                      ///< path as given; "-" is the standard input
  std::string stdinName = "<stdin>";      ///< name of the standard input in diagnostics and file heads
  std::vector<std::string> signatures;    ///< of --signature
  std::vector<std::string> labels;        ///< of --par: how loops with a label are run
  std::vector<std::string> moduleFolders; ///< of -I
  std::string target = "cuda";
  std::string gpu = "h200"; ///< of --gpu, a row of Device.def: what costs are computed for
  bool autoParallel = true;
  bool library = true;
  bool checkRaces = false;
  bool versions = true; ///< for equal sizes, where the types leave them open
  bool fmad = true;
  int vectorLength = 128;
  std::string schedule;                  ///< path of a schedule file
  std::vector<std::string> archs;        ///< of --arch: what nvcc builds for
  std::string march;                     ///< of --march: what g++ builds for
  std::vector<std::string> cpuLibraries; ///< of --cpu-libraries: what the cpu target calls

  // What is written.
  Emit emit = Emit::Code;
  std::string output; ///< empty: the input's stem and the target's suffix; "-": standard output
  std::optional<std::string> wrapper; ///< of --wrapper=
  bool noWrapper = false;
  bool standalone = false;           ///< the wrapper needs no file beside it
  std::string support;               ///< of --support: the header that many files include
  std::optional<std::string> header; ///< of --header; empty text: the output's stem and .h
  std::string annotate; ///< of --annotate: the annotated copy of the input, written instead of code
  bool syntaxOnly = false;
  std::optional<std::string> build; ///< of --build: the compiler; empty text: nvcc or g++
  bool alwaysWrite = false;         ///< unchanged files, too, get a new date
  bool check = false;
  bool merge = false; ///< edits of the code on disk are brought into what is made now
  bool force = false; ///< they are given up
  bool writeDepfile = false;
  std::string depfile;                           ///< of -MF
  std::vector<std::string> depfileTargets;       ///< of -MT: written as they stand
  std::vector<std::string> quotedDepfileTargets; ///< of -MQ: escaped
  bool depfilePhony = false;

  // What is said about it.
  Diagnostics::Policy warnings;
  bool remarks = false;
  Colour colour = Colour::Auto;
  DiagnosticsFormat diagnosticsFormat = DiagnosticsFormat::Text;
  std::string diagnosticsFile;

  // How the passes run.
  std::vector<std::string> printAfter; ///< pass names or "all"
  std::string stopAfter;
  std::vector<std::string> disabledPasses;
  bool timePasses = false;

  std::vector<std::string> arguments; ///< the command line as given, for --check's advice

  Sanitize sanitize;           ///< beside races
  bool remarksSummary = false; ///< of --remarks=summary
};

} // namespace appyc::driver
