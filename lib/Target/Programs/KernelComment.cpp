//===- KernelComment.cpp - how a kernel's work is shared, in words above it -----------------------------===//
#include "Functions.h"
#include "Placement.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>

namespace appyc::target {

using namespace ir;

namespace {

/// "i", "each (i, j)"
std::string namesOf(const std::vector<std::string>& indices) {
  return indices.size() == 1 ? indices.front() : fmt::format("({})", fmt::join(indices, ", "));
}

/// One nest of a kernel: the loops that its blocks, warps or threads take, and those that lanes share in them.
struct Nest {
  std::string_view who;
  std::vector<std::string> each, shared;

  void add(const For& loop) {
    const std::string index = loop.index.hint();
    const bool isLane = lanesOf(loop).has_value() && !loop.mapping.is<PerThread>();
    const bool isOne = loop.mapping.is<PerBlock>() && isConst(sub(loop.hi, loop.lo), 1);
    std::vector<std::string>& to = isLane ? shared : each;
    if (!isOne && std::find(to.begin(), to.end(), index) == to.end()) to.push_back(index);
    const bool isOfBlock = who == "block" && loop.mapping.is<PerWarp, PerGroup>(); // who shares it
    if (isLane || (!who.empty() && !isOfBlock)) return;
    who = loop.mapping.is<PerBlock>()   ? "block"
          : loop.mapping.is<PerWarp>()  ? "warp"
          : loop.mapping.is<PerGroup>() ? "group of threads"
                                        : "thread";
  }
  void walk(const Stmt& s) {
    if (!s) return;
    if (const auto* loop = s.as<For>(); loop && isBound(*loop) && !loop->mapping.is<VectorCopy>()) add(*loop);
    forEachChild(s, [&](const Stmt& child) { walk(child); });
  }
  std::string text() const {
    if (who.empty()) return shared.empty() ? "" : fmt::format("lanes share {}", fmt::join(shared, " and "));
    const std::string workers =
        each.empty() ? fmt::format("one {}", who) : fmt::format("a {} for each {}", who, namesOf(each));
    return shared.empty() ? workers
                          : fmt::format("{}, whose lanes share {}", workers, fmt::join(shared, " and "));
  }
};

/// "A", "A and B", "A, B and C"
std::string listed(const std::vector<std::string>& names) {
  const std::vector<std::string> first(names.begin(), names.end() - 1);
  return first.empty() ? names.back() : fmt::format("{} and {}", fmt::join(first, ", "), names.back());
}

} // namespace

std::map<uint32_t, std::string> linesToQuote(const Context& c, const Stmt& body) {
  std::map<uint32_t, std::string> lines;
  visit(body, [&](const Stmt& s) {
    if (const auto line = c.lineToQuote(s->span); line.first != 0) lines.insert(line);
    return true;
  });
  return lines;
}

std::string purposeText(Context& c, const Kernel& kernel, const std::map<uint32_t, std::string>& lines) {
  constexpr size_t most = 4;
  if (lines.size() == 1) return lines.begin()->second;
  const std::set<Symbol> stored = storedBuffers(kernel.body);
  std::vector<std::string> written;
  for (const Symbol& p : kernel.params)
    if (stored.count(p)) written.push_back(c.name(p));
  if (lines.empty() || written.empty()) return "";
  if (written.size() > most) written = {written[0], written[1], fmt::format("{} more", written.size() - 2)};
  const uint32_t first = lines.begin()->first, last = lines.rbegin()->first;
  return fmt::format("Lines {} {} {}: {}.", first, last == first + 1 ? "and" : "to", last, listed(written));
}

std::string mappingText(const Kernel& kernel) {
  constexpr size_t most = 3;
  std::vector<std::string> parts;
  for (const Stmt& s : allStatementsOf(kernel.body)) {
    Nest nest;
    nest.walk(s);
    const std::string text = nest.text();
    if (!text.empty() && (parts.empty() || parts.back() != text)) parts.push_back(text);
  }
  if (parts.empty() || parts.size() > most) return "";
  std::string all = fmt::format("{}", fmt::join(parts, "; then "));
  all[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(all[0])));
  return all + ".";
}

} // namespace appyc::target
