//===- Context.cpp - what is known while one function is lowered to C++ --------------------------------===//
#include "Context.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/IR/Kernels.h"
#include "appyc/Support/InternalError.h"
#include <fmt/format.h>

namespace appyc::target {

Context::Context(const ir::Function& f, const EmitOptions& o, Support& s, bool isCuda,
                 const std::set<std::string>& takenNames)
    : function(f), options(o), support(s), cuda(isCuda), facts(ir::withBodiesInPlace(f)),
      indexType(isCuda ? "index_t" : "int64_t"), width(isCuda ? Width::Int32 : Width::Int64),
      global_(takenNames) {
  for (const ir::Buffer& b : f.buffers) buffers_.emplace(b.name, b);
  for (const ir::CParam& p : ir::entryParams(f, isCuda)) {
    if (p.role == ir::CParam::ResultScalar)
      resultNames_[p.name] = unique(p.name);
    else if (p.symbol)
      names_[p.symbol] = unique(p.name);
  }
}

std::string Context::unique(const std::string& hint) {
  std::string name;
  do name = ir::uniqueIdentifier(hint, taken_);
  while (global_.count(name) || Support::definedNames().count(name) ||
         ir::isReserved(name, ir::Reserved::Code));
  return name;
}

std::string Context::name(const Symbol& s) {
  if (used) used->insert(s);
  auto [it, isNew] = names_.try_emplace(s);
  if (isNew) {
    it->second = unique(s.hint());
    given_.emplace_back(s, it->second);
  }
  return it->second;
}

std::string Context::resultName(const ir::CParam& p) { return resultNames_.at(p.name); }

std::string Context::freshName(const std::string& hint) {
  given_.emplace_back(Symbol(), unique(hint));
  return given_.back().second;
}

void Context::forgetNames(size_t mark) {
  for (; given_.size() > mark; given_.pop_back()) {
    taken_.erase(given_.back().second);
    if (given_.back().first) names_.erase(given_.back().first);
  }
}

const ir::Buffer& Context::buffer(const Symbol& s) const {
  const auto found = buffers_.find(s);
  if (found == buffers_.end())
    internalError(fmt::format("`{}` is not among the function's buffers", s.hint()));
  return found->second;
}

bool Context::isIndexTyped(const Symbol& s) const {
  const Variable& v = facts.variable(s);
  return isWide() ? v.type == ir::DType::I64 : v.isIndex;
}

std::string Context::variableType(const Symbol& s) const {
  return isIndexTyped(s) ? indexType : std::string(ir::cName(facts.variable(s).type));
}

std::pair<uint32_t, std::string> Context::lineToQuote(Span span) const {
  if (!options.source || span.begin == span.end) return {};
  const uint32_t number = options.source->position(span.begin).line;
  if (number == options.source->position(function.span.begin).line) return {}; // `def` explains nothing
  const std::string_view line = options.source->line(number);
  const size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  const std::string text(line.substr(first, line.find_last_not_of(" \t\r") - first + 1));
  return {number, moduleOf(span) + text};
}

std::string Context::quote(Span span) {
  const auto [number, text] = lineToQuote(span);
  return number != 0 && quotedLines_.insert(number).second ? text : "";
}

/// "helpers.py: " of a place in a module that the input imports.
std::string Context::moduleOf(Span span) const {
  const SourceFile& file = options.source->fileAt(span.begin);
  return file.module.empty() ? "" : file.name.substr(file.name.find_last_of('/') + 1) + ": ";
}

uint32_t Context::lineOf(Span span) const {
  if (!options.source || span.begin == span.end) return 0;
  const auto [file, at] = options.source->placeOf(span.begin);
  return file->module.empty() ? at.line : 0;
}

std::string Context::placeText(Span span) const {
  if (!options.source || span.begin == span.end) return {};
  const auto [file, at] = options.source->placeOf(span.begin);
  if (file->module.empty()) return fmt::format("line {}: ", at.line);
  return fmt::format("line {} of {}", at.line, moduleOf(span));
}

void Context::unquote(Span span) { quotedLines_.erase(options.source->position(span.begin).line); }

cxx::Type pointerType(const ir::Buffer& b, bool written) {
  return cxx::pointerTo(ir::cName(b.type), !written, true);
}

} // namespace appyc::target
