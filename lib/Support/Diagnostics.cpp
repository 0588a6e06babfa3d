//===- Diagnostics.cpp - table of kinds, collection, policy -------------------------------------===//
#include "appyc/Support/Diagnostics.h"
#include <algorithm>
#include <array>

namespace appyc {

namespace {
constexpr std::array table{
#define DIAG(Name, severity, id, explain) DiagInfo{id, Severity::severity, explain},
#include "appyc/Support/Diagnostics.def"
#undef DIAG
};

/// What a report that is not kept writes its notes to.
Diagnostic& discarded(DiagId id, Severity severity, Span where) {
  static thread_local Diagnostic sink;
  sink = Diagnostic{id, severity, where, {}, {}, {}};
  return sink;
}
} // namespace

const DiagInfo& info(DiagId id) { return table[static_cast<size_t>(id)]; }

std::optional<DiagId> diagnosticNamed(std::string_view name) {
  for (size_t i = 0; i < table.size(); ++i)
    if (table[i].name == name) return static_cast<DiagId>(i);
  return {};
}

std::vector<DiagId> allDiagnostics() {
  std::vector<DiagId> all;
  for (size_t i = 0; i < table.size(); ++i) all.push_back(static_cast<DiagId>(i));
  return all;
}

Diagnostic& Diagnostics::report(DiagId id, Span where, std::string text) {
  Severity severity = info(id).severity;
  // What is an error by itself cannot be switched off: the translation would be wrong.
  if (severity != Severity::Error) {
    const bool silenced = severity == Severity::Warning && policy_.noWarnings;
    if (silenced || policy_.disabled.count(id)) return discarded(id, severity, where);
    if (policy_.asError.count(id) || (severity == Severity::Warning && policy_.allWarningsAsErrors))
      severity = Severity::Error;
  }
  const bool known = std::any_of(all_.begin(), all_.end(), [&](const Diagnostic& d) {
    return d.id == id && d.where == where && d.text == text;
  });
  if (known) return discarded(id, severity, where);
  errors_ += severity == Severity::Error;
  return all_.emplace_back(Diagnostic{id, severity, where, std::move(text), {}, {}});
}

void Diagnostics::add(const std::vector<Diagnostic>& found) {
  for (const Diagnostic& d : found) {
    Diagnostic& added = report(d.id, d.where, d.text);
    added.notes = d.notes;
    added.fix = d.fix;
  }
}

void Diagnostics::dropIn(Span span, const std::set<DiagId>& kinds) {
  const auto isDropped = [&](const Diagnostic& d) {
    return d.severity != Severity::Error && kinds.count(d.id) && d.where.begin >= span.begin &&
           d.where.end <= span.end;
  };
  all_.erase(std::remove_if(all_.begin(), all_.end(), isDropped), all_.end());
}

void Diagnostics::dropRemarksBut(DiagId kept) {
  const auto isDropped = [&](const Diagnostic& d) { return d.severity == Severity::Remark && d.id != kept; };
  all_.erase(std::remove_if(all_.begin(), all_.end(), isDropped), all_.end());
}

void Diagnostics::rollback(size_t mark) {
  if (mark < all_.size()) all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(mark), all_.end());
  errors_ = static_cast<int>(std::count_if(
      all_.begin(), all_.end(), [](const Diagnostic& d) { return d.severity == Severity::Error; }));
}

} // namespace appyc
