//===- Compile.cpp - fuzzer: any bytes as a file, through all stages ----------------------------------===//
// The length of the file chooses the target and the options, so that a file alone reproduces a find.
#include "Fuzz.h"
#include "appyc/Driver/Driver.h"
#include "appyc/Driver/Options.h"
#include "appyc/Frontend/Frontend.h"

using namespace appyc;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Diagnostics diag;
  const Source source = frontend::decode("f.py", fuzz::asText(data, size), diag);
  if (!diag.hasErrors()) {
    driver::Options options;
    options.input = "f.py";
    options.target = size % 2 ? "cuda" : "cpu";
    options.autoParallel = size % 8 < 6;
    driver::compile(source, options, {"f.out", "f"}, diag);
  }
  fuzz::renderAll(diag, source);
  return 0;
}
