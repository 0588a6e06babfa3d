//===- AppyOld.cpp - pragmas of APPy's prototypes, in their present spelling ----------------------------===//
//   par_dim(:M:BM,:N:BN) seq_dim(:K:BK)        =>  :M=>parallel,block(BM) :N=>parallel,block(BN)
//   :K=>block(BK) dim(1:M-1,parallel,le[64])                 =>  1:M-1=>parallel,le(64) implicit loop
//   i(0,M,BM)                    =>  :M=>block(BM) block parallel, thread parallel            =>  parallel
//   for, parallel for simd
// Source: the history of APPy's repository, 2023, and a proposal of 2025.
#include "AppyOld.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace appyc::frontend {

namespace {

std::string term(std::string_view low, std::string_view up, const std::vector<std::string>& properties) {
  return fmt::format("{}:{}=>{}", low == "0" ? "" : low, up, fmt::join(properties, ","));
}

/// `:M:BM` or `1:M:BM`.
std::optional<std::string> blockedTerm(const Piece& text, bool parallel) {
  const std::vector<Piece> parts = text.split(':');
  if (parts.size() < 2 || parts.size() > 3) return {};
  std::vector<std::string> properties;
  if (parallel) properties.emplace_back("parallel");
  if (parts.size() == 3) properties.push_back(fmt::format("block({})", parts[2].text));
  return term(parts[0].text, parts[1].text, properties);
}

/// `1:M-1,parallel,le[2048]`.
std::optional<std::string> dimTerm(const Piece& argument) {
  const std::vector<Piece> parts = argument.split(',');
  const size_t colon = parts.empty() ? std::string_view::npos : parts[0].find(":");
  if (colon == std::string_view::npos) return {};
  std::vector<std::string> properties;
  for (size_t i = 1; i < parts.size(); ++i) {
    std::string property(parts[i].text);
    std::replace(property.begin(), property.end(), '[', '(');
    std::replace(property.begin(), property.end(), ']', ')');
    properties.push_back(std::move(property));
  }
  return term(parts[0].sub(0, colon).trimmed().text, parts[0].sub(colon + 1).trimmed().text, properties);
}

/// `i(0,M,BM)`.
std::optional<std::string> implicitTerm(const CallText& loop) {
  const std::vector<Piece> bounds = loop.argument ? loop.argument->split(',') : std::vector<Piece>();
  if (bounds.size() < 2 || bounds.size() > 3) return {};
  std::vector<std::string> properties;
  if (bounds.size() == 3) properties.push_back(fmt::format("block({})", bounds[2].text));
  return term(bounds[0].text, bounds[1].text, properties);
}

std::optional<std::vector<std::string>> termsOf(const Piece& word) {
  const std::optional<CallText> call = readCall(word);
  if (!call || !call->argument) return {};
  const std::string_view name = call->name.text;
  std::vector<std::optional<std::string>> terms;
  if (name == "par_dim" || name == "seq_dim" || name == "pslice")
    for (const Piece& dim : call->argument->split(',')) terms.push_back(blockedTerm(dim, name != "seq_dim"));
  else if (name == "dim")
    terms.push_back(dimTerm(*call->argument));
  else
    terms.push_back(implicitTerm(*call));
  std::vector<std::string> out;
  for (std::optional<std::string>& t : terms) {
    if (!t) return {};
    out.push_back(std::move(*t));
  }
  return out;
}

PresentForm dimensions(const std::vector<Piece>& words, size_t from) {
  std::vector<std::string> all;
  for (size_t i = from; i < words.size(); ++i) {
    const auto terms = termsOf(words[i]);
    if (!terms || terms->empty())
      return {"write `:N=>parallel,block(64)`, one such term for each dimension", std::nullopt};
    all.insert(all.end(), terms->begin(), terms->end());
  }
  if (all.empty()) return {"write `:N=>parallel,block(64)`, one such term for each dimension", std::nullopt};
  std::string text = fmt::format("{}", fmt::join(all, " "));
  return {fmt::format("write `{}`", text), text};
}

} // namespace

std::optional<PresentForm> presentForm(const Piece& body) {
  const std::vector<Piece> words = body.words();
  const std::string_view first = words[0].leadingName();
  const std::string_view second = words.size() > 1 ? words[1].text : std::string_view();
  const std::string fusion = "leave it out: statements are fused where that is possible";
  if (first == "par_dim" || first == "seq_dim" || first == "pslice" || first == "dim")
    return dimensions(words, 0);
  if (first == "implicit") return dimensions(words, second == "loop" ? 2 : 1);
  if (first == "block" && second == "parallel") return PresentForm{"write `parallel for`", "parallel for"};
  if (first == "thread" && second == "parallel")
    return PresentForm{"write `parallel for simd`", "parallel for simd"};
  if (first == "tensorfy") return PresentForm{"leave it out: array statements need no mark", ""};
  if (first == "broadcast")
    return PresentForm{"leave it out: broadcasting follows NumPy, as in `b[:, None]`", ""};
  if (first == "indirect") return PresentForm{"leave it out: indirect subscripts need no pragma", ""};
  if (first == "const") return PresentForm{"give the parameter a literal default value instead", ""};
  if (first == "kernel" || (first == "end" && second == "kernel"))
    return PresentForm{"leave it out: each outermost parallel loop becomes a kernel", ""};
  if (first == "start" || first == "end" || first == "fuse") return PresentForm{fusion, ""};
  if (first == "reduction") return PresentForm{"name the reduced dimension: `:N=>reduce(sum)`", std::nullopt};
  return {};
}

std::string presentReductions(const Piece& argument) {
  std::vector<std::string> all;
  for (const Piece& part : argument.split(',')) {
    const std::string text(part.text);
    all.push_back(fmt::format("reduce({})", text.starts_with('+') ? "sum" + text.substr(1) : text));
  }
  return fmt::format("{}", fmt::join(all, ","));
}

} // namespace appyc::frontend
