//===- Source.cpp - fuzzer: any bytes as a file, to the end of the front end --------------------------===//
#include "Fuzz.h"
#include "appyc/Frontend/Frontend.h"

using namespace appyc;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Diagnostics diag;
  const Source source = frontend::decode("f.py", fuzz::asText(data, size), diag);
  if (!diag.hasErrors()) {
    const ast::Module module = frontend::parse(source, {}, diag);
    if (!diag.hasErrors()) ast::print(module);
  }
  fuzz::renderAll(diag, source);
  return 0;
}
