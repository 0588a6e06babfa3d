//===- Pragma.cpp - fuzzer: any bytes as a pragma, a signature or a type, to the end of the front end ---===//
// The first byte chooses where the rest stands.
#include "Fuzz.h"
#include "appyc/Frontend/Frontend.h"
#include <array>
#include <string_view>
#include <vector>

using namespace appyc;

namespace {
struct Place {
  std::string_view before, after;
};
/// Where the text stands in a program. In the last row it is the text of `--signature`.
constexpr std::array places{
    Place{"def f(n: i64, a: f64[N], b: f64[N]):\n  #pragma ",
          "\n  for i in range(n):\n    a[i] = b[i] + 1.0\n"},
    Place{"BLOCK = 64\ndef f(a: f64[M, N], b: f64[M, N], s: f64[1]):\n  #pragma ",
          "\n  a[:M, :N] = b[:M, :N] + 1.0\n"},
    Place{"def f(n: i64, k: i64[N], a: f64[N]):\n  #pragma parallel for\n  for i in range(n):\n    #pragma ",
          "\n    a[k[i]] += 1.0\n"},
    Place{"#appyc: ", "\ndef f(a, b, n=3):\n  return a\n"},
    Place{"def f(a: ", ", n: i64):\n  return a\n"},
    Place{"def f(a: f64[M, N]) -> ", ":\n  return a\n"},
    Place{"def f(a, b, n=3):\n  return a\n", ""},
};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const Place& place = places[data[0] % places.size()];
  const std::string text = fuzz::asText(data + 1, size - 1);
  const bool onCommandLine = &place == &places.back();
  std::string program(place.before);
  if (!onCommandLine) program += text;
  program += place.after;

  Diagnostics diag;
  const Source source = frontend::decode("f.py", std::move(program), diag);
  if (!diag.hasErrors()) {
    std::vector<std::string> signatures;
    if (onCommandLine) signatures.push_back(text);
    frontend::parse(source, signatures, diag);
  }
  fuzz::renderAll(diag, source);
  return 0;
}
