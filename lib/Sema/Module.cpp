//===- Module.cpp - the functions of a module, each for each of its signatures ---------------------------===//
#include "FileState.h"
#include "Lowering.h"
#include "MutualCalls.h"
#include "Scopes.h"
#include "appyc/IR/Names.h"
#include "appyc/Sema/Sema.h"

namespace appyc::sema {

static void reportNoSignature(const ast::Module& module, Diagnostics& diag) {
  const Span at = module.passedOver.empty() ? Span{} : module.passedOver.front().where;
  Diagnostic& d =
      diag.report(DiagId::NoSignature, at,
                  "no function has types; annotate its parameters, `def f(a: f64[N], n: i64)`, put "
                  "`#appyc: def f(a: f64[N], n: i64)` above it, pass --signature 'f(f64[N], i64)', or call "
                  "it in the file "
                  "with arguments whose types are evident");
  for (const ast::PassedOver& f : module.passedOver)
    d.note(f.where, fmt::format("`{}` is passed over: {}", f.name, f.reason));
}

/// How much is known of what lists are, but for the numbers that they hold.
static size_t kindsOfLists(const ListStates& l) {
  return l.nested.size() + l.arrayRows.size() + l.tables.size() + l.stackedArrays.size() + l.inRows.size() +
         l.arrays.size() + l.tuples.size() + l.ofSets.size() + l.pooled.size() + l.written.size() +
         2 * l.stored.size() + l.returned.size() + l.resumed.size() + l.writtenOut.size() + l.joined.size() +
         l.rowsOf.size() + l.sharing.size() + l.replaced.size() + l.isNestedEverywhere + l.characters.size() +
         l.areCharacters;
}

/// `floats`: names of the file's that are known to become floats, to which others are added.
static ir::Module lowerAll(const ast::Module& read, Diagnostics& diag, Annotations* annotations,
                           const SameSizes* same, const Sanitize& sanitize, bool stretch,
                           std::set<std::string>& floats) {
  const Program program(withFileState(read, false, floats));
  std::optional<Program> keeping; // in which cached functions keep what they have computed
  if (hasCaches(read)) keeping.emplace(withFileState(read, true, floats));
  const ast::Module& module = program.input;
  checkImports(program, diag);
  ir::Module out;
  KeptFunctions kept;
  bool any = false;
  std::vector<Diagnostic> left; // why helpers are left out
  std::set<std::string> entries = ir::exportedBySupport();
  for (const ast::Function& fn : module.functions) {
    if (fn.directive.isElsewhere()) continue;
    for (size_t k = 0; k < fn.signatures.size(); ++k) {
      any = true;
      const std::string name = fn.schedule.empty() ? fn.name : fn.name + "_" + fn.schedule;
      const std::string entry =
          ir::uniqueEntry(fn.signatures.size() > 1 ? fmt::format("{}_{}", name, k + 1) : name, entries);
      if (same && !same->count(entry)) continue;
      const size_t mark = diag.mark();
      const int errorsBefore = diag.errorCount();
      ListStates lists;
      std::optional<ir::Function> lowered;
      const auto lowerIn = [&](const Program& of, const ast::Signature& signature, bool isSpelled) {
        const ast::Function& written = of.input.functions[static_cast<size_t>(&fn - module.functions.data())];
        lists = {};
        lists.isSpelled = isSpelled;
        constexpr int kMostAttempts = 1000;
        int attempts = 0;
        do { // what numbers lists hold is known when all of the function has been seen
          diag.rollback(mark);
          lists.haveChanged = false;
          const size_t before = kindsOfLists(lists);
          lowered = Lowering(of, diag, annotations, sanitize, lists, kept)
                        .run(written, signature, same ? same->at(entry) : std::vector<SameSize>(), stretch);
          if (kindsOfLists(lists) != before) lists.forgetNumbers(); // what was put in may be something else
        } while (lists.haveChanged && ++attempts < kMostAttempts);
        if (lists.haveChanged) { // what is found of a list undoes what was found of another
          diag.report(DiagId::Unsupported, fn.nameSpan,
                      fmt::format("what the lists of `{}` hold depends on itself; use arrays", fn.name));
          lowered.reset();
        } else if (lowered && lists.isUntold &&
                   diag.errorCount() == errorsBefore) { // never a function without its result
          diag.report(
              DiagId::Unsupported, fn.nameSpan,
              fmt::format("what `{}` returns is made of lists, dicts or texts of kinds that appyc cannot "
                          "keep together; give each a kind of its own, or use arrays",
                          fn.name));
          lowered.reset();
        }
      };
      const auto lower = [&](const ast::Signature& signature, bool isSpelled = false) {
        if (keeping) lowerIn(*keeping, signature, isSpelled);
        if (keeping && !lowered) diag.rollback(mark);
        if (!lowered) lowerIn(program, signature, isSpelled);
      };
      lower(fn.signatures[k]);
      if (!lowered && !fn.signatures[k].ofDefaults.empty() && errorsBefore == 0) {
        ast::Signature constants = fn.signatures[k];
        for (const size_t p : constants.ofDefaults) constants.params[p].reset();
        lower(constants);
      }
      if (!lowered && std::ranges::any_of(module.functions, mayBeSpelled)) {
        const std::vector<Diagnostic> first(diag.all().begin() + ptrdiff_t(mark), diag.all().end());
        lower(fn.signatures[k], true);
        if (!lowered) diag.rollback(mark), diag.add(first);
      }
      if (!lowered && fn.isHelper && errorsBefore == 0) {
        const auto first = std::ranges::find(diag.all().begin() + static_cast<ptrdiff_t>(mark),
                                             diag.all().end(), Severity::Error, &Diagnostic::severity);
        left.push_back(*first);
        diag.rollback(mark);
        diag.report(DiagId::LeftOut, fn.nameSpan,
                    fmt::format("`{}` is left out: {}", fn.name, left.back().text));
      }
      floats.insert(lists.floatsOfFile.begin(), lists.floatsOfFile.end());
      if (!lowered) continue;
      lowered->entry = entry;
      ir::nameKernels(*lowered);
      out.functions.push_back(std::move(*lowered));
    }
  }
  for (auto said = kept.said.begin(); said != kept.said.end(); ++said)
    if (std::find(kept.said.begin(), said, *said) == said) // for other types, too
      diag.report(DiagId::KeptFunction, said->first, said->second);
  if (out.functions.empty() && !diag.hasErrors()) diag.add(left);
  if (!any && !diag.hasErrors()) reportNoSignature(module, diag);
  for (const ast::PassedOver& f : module.passedOver)
    if (any && f.isTyped)
      diag.report(DiagId::LeftOut, f.where, fmt::format("`{}` is left out: {}", f.name, f.reason));
  return out;
}

/// With what becomes a float known from the start.
static ir::Module lowerSettled(const ast::Module& module, Diagnostics& diag, Annotations* annotations,
                               const SameSizes* same, const Sanitize& sanitize, bool stretch) {
  std::set<std::string> floats;
  while (true) {
    const size_t mark = diag.mark(), known = floats.size();
    ir::Module made = lowerAll(module, diag, annotations, same, sanitize, stretch, floats);
    if (floats.size() == known) return made;
    diag.rollback(mark);
  }
}

ir::Module lower(const ast::Module& read, Diagnostics& diag, Annotations* annotations, const SameSizes* same,
                 const Sanitize& sanitize, bool stretch) {
  const ast::Module merged = withMutualCalls(read);
  const size_t mark = diag.mark();
  const int errors = diag.errorCount();
  ir::Module made = lowerSettled(merged, diag, annotations, same, sanitize, stretch);
  if (merged.functions.size() == read.functions.size() || diag.errorCount() == errors) return made;
  // Functions that call each other so often as translation knows are inlined.
  const std::vector<Diagnostic> said(diag.all().begin() + static_cast<std::ptrdiff_t>(mark),
                                     diag.all().end());
  diag.rollback(mark);
  made = lowerSettled(read, diag, annotations, same, sanitize, stretch);
  if (diag.errorCount() > errors) diag.rollback(mark), diag.add(said);
  return made;
}

} // namespace appyc::sema
