//===- ModuleReader.h - reads one file ------------------------------------------------------------------===//
#pragma once
#include "Dialects.h"
#include "ModuleScope.h"
#include "Pragmas.h"
#include "Rebindings.h"
#include "Signatures.h"
#include "appyc/Frontend/Frontend.h"
#include <map>
#include <set>
#include <unordered_map>

namespace appyc::frontend {

/// One function at the top level of the file.
struct Definition {
  std::string name;
  Node outer;    ///< with its decorators
  Node function; ///< the `def`
  Span nameSpan;
  std::vector<SignatureText> comments{};  ///< `#appyc: def` above it
  std::vector<std::string> commandLine{}; ///< `--signature`
  std::vector<GivenTypes> others{};       ///< of other systems' decorators and comments
  std::vector<ast::Signature> signatures{};
  std::optional<Span> hiddenBy{}; ///< a later statement that binds its name
  bool exported = false;          ///< some signature is meant for it, even a faulty one
  bool isHelper = false;          ///< likewise of the `ast::Function`
  bool isUfunc = false;           ///< its entries are exported, which stand in a text of their own
  std::vector<Pragma> pragmas{};
  std::string schedule{}; ///< one of several
};

/// Reads one file. The steps of read() go through the file's functions in turn.
class ModuleReader {
public:
  ModuleReader(const Source& source, Node root, Diagnostics& diag)
      : source_(source), root_(root), diag_(diag), topLevel_(root.namedChildren()) {}

  ast::Module read(const std::vector<std::string>& signatures, const LabelTexts& schedules, Changes& changes);
  /// All functions, whether or not they have types.
  std::vector<ast::Function> readFunctions();
  /// A module that the input imports.
  ast::Module readModule(const std::string& name, Changes& changes);

private:
  Definition definitionOf(Node outer, Node function) const {
    const Span at = function.field("name").span();
    return {.name = std::string(source_.text(at)), .outer = outer, .function = function, .nameSpan = at};
  }
  void findDefinitions();
  void assignPragmas(const std::vector<ast::Import>& imports);
  void knowImpliedLabels(const std::vector<ast::Import>& imports);
  void labelLine(const ScheduledLine& line);
  void assignComments();
  void assignOtherTypes(const std::vector<ast::Import>& imports);
  void assignCommandLine(const std::vector<std::string>& texts);
  void readSignatures(Definition& definition);
  void readCalls();
  bool isCalled(const Definition& definition) const;
  void refuseRedefinitions();
  std::set<std::string> reachable(bool byMention) const;
  ast::Function parseFunction(Definition& definition, const std::vector<ast::Import>& imports,
                              Diagnostics& diag);
  ast::Function parseUnheard(Definition& definition, const std::vector<ast::Import>& imports);
  static void refuseKinds(const Definition& definition, Diagnostics& diag);
  Definition* definitionAt(uint32_t outerBegin);
  Definition* definitionNamed(std::string_view name);
  Diagnostic& badSignature(Span where, std::string message) {
    return diag_.report(DiagId::BadSignature, where, std::move(message));
  }
  std::string functionHint(std::string_view name) const;
  std::vector<ast::ClassRef> classes(const std::vector<ast::Import>& imports);
  void addDeclared(ast::Module& module);

  const Source& source_;
  Node root_;
  const std::set<std::string> changing_ = changingNames(source_, root_);
  Diagnostics& diag_;
  std::vector<Node> topLevel_;
  std::vector<Definition> definitions_; ///< in source order; complete before anything points to one
  std::unordered_map<std::string_view, Definition*>
      lastNamed_; ///< of several with one name, callers see the last
  Classes classes_;
  Notes notes_;
  LabelSchedule schedule_;
  std::map<std::string, std::string> reasons_; ///< why calls give a function no types
  std::vector<SignatureComment> comments_;     // own the texts that definitions' comments view
};

} // namespace appyc::frontend
