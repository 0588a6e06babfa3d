//===- SameKernels.cpp - kernels of a file that are one but for names, and those of all files -----------===//
#include "Functions.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/Cxx/Print.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Kernels.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Position.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace appyc::target {

std::pair<std::string, std::vector<size_t>> withoutNames(const KernelCode& code) {
  cxx::Function kernel = *code.function.as<cxx::Function>();
  const std::vector<cxx::Parameter> params = std::exchange(kernel.params, {});
  std::map<std::string, size_t> places{{kernel.name, 0}}, numbers;
  for (const cxx::Parameter& p : params) numbers.emplace(p.name, numbers.size());
  const std::string text = cxx::print(cxx::Unit{{cxx::decl(kernel)}});
  const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::string result;
  std::vector<size_t> order;
  for (size_t i = 0, end = 0; i < text.size(); i = end) {
    end = text.compare(i, 2, "//") == 0 ? std::min(text.find('\n', i), text.size()) : i + 1;
    if (end > i + 1) continue;
    if (std::isspace(static_cast<unsigned char>(text[i]))) {
      if (!result.ends_with(' ')) result += ' ';
      continue;
    }
    while (isWord(text[i]) && end < text.size() && isWord(text[end])) ++end;
    const std::string word = text.substr(i, end - i);
    if (result.ends_with('.')) { // threadIdx.x
      result += word;
      continue;
    }
    const auto number = numbers.find(word);
    if (code.locals.contains(word) || number != numbers.end())
      if (places.emplace(word, places.size()).second && number != numbers.end())
        order.push_back(number->second);
    const auto place = places.find(word);
    result += place == places.end() ? word : fmt::format("${}", place->second);
  }
  for (const auto& [name, number] : numbers) // of which the text says nothing
    if (!places.contains(name)) order.push_back(number);
  for (const size_t i : order) {
    const cxx::Type& type = params[i].type;
    result += fmt::format(" {}{}{}{}", type.isConst, type.name, type.isPointer, type.isRestrict);
  }
  return {result, order};
}

using namespace ir;

/// The first of elements that lie in a row, one for each `index`; nothing if they do not.
static std::optional<std::vector<Expr>> firstInRow(const Buffer& array, const std::vector<Expr>& elements,
                                                   const Symbol& index) {
  std::vector<Expr> first;
  for (const Expr& e : elements) {
    if (readsMemory(e)) return {};
    first.push_back(substitute(e, {{index, intConst(0)}}));
  }
  const Expr place = positionOf(array.extents, elements), start = positionOf(array.extents, first);
  return equalIndex(place, add(start, var(index))) ? std::optional(first) : std::nullopt;
}

std::optional<PlainSweep> plainSweepOf(const Function& f, const Launch& launch) {
  const Kernel& kernel = *f.findKernel(launch.name);
  const bool isUsual = launch.how == Launch::Plain || launch.how == Launch::Overlapping;
  if (kernel.isGiven || !isUsual || launch.vectors.width > 1 || !launch.vectors.rows.name.empty() ||
      launch.shape.threads[0] || hasAskedThreads(kernel.body))
    return {};
  const std::vector<Stmt> body = statementsOf(bodyWith(kernel, launch.arguments));
  if (body.size() != 1) return {};
  const auto* loop = body.front().as<For>();
  const bool isAlone = !loop && isConst(launch.shape.grid[0], 1) && launch.shape.block[0] == 1;
  if (loop && (!loop->mapping.is<PerThread>() || !isConst(loop->lo, 0) || !isConst(loop->step, 1) ||
               readsMemory(loop->hi)))
    return {};
  const auto* store = (loop ? loop->body : body.front()).as<Store>();
  if (!store || store->atomicOp || (!loop && !isAlone)) return {};
  const Symbol index = loop ? loop->index : Symbol("none");
  const Buffer* target = f.findBuffer(store->buffer);
  if (!target || target->onChip || std::ranges::any_of(store->index, readsMemory)) return {};
  const auto first = loop ? firstInRow(*target, store->index, index) : std::optional(store->index);
  if (!first) return {};
  PlainSweep sweep{store->buffer, *first, loop ? loop->hi : intConst(1), store->value, {}, {}};
  if (const auto* read = store->value.as<Load>()) {
    const Buffer* source = f.findBuffer(read->buffer);
    if (!source || source->onChip || source->type != target->type || read->buffer == store->buffer) return {};
    const auto from = loop ? firstInRow(*source, read->index, index) : std::optional(read->index);
    if (!from || std::ranges::any_of(*from, readsMemory)) return {};
    sweep.value = {};
    sweep.source = read->buffer;
    sweep.from = *from;
    return sweep;
  }
  const bool isPlain = store->value.is<Const>() || store->value.is<Var>();
  return isPlain && !mentions(store->value, index) ? std::optional(sweep) : std::nullopt;
}

} // namespace appyc::target
