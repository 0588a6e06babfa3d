//===- Context.h - what is known while one function is lowered to C++ ----------------------------------===//
#pragma once
#include "IndexFacts.h"
#include "Support.h"
#include "appyc/Cxx/Nodes.h"
#include "appyc/IR/Abi.h"
#include "appyc/Target/Target.h"
#include <map>
#include <set>
#include <string>
#include <utility>

namespace appyc::target {

class Context {
public:
  Context(const ir::Function&, const EmitOptions&, Support&, bool cuda,
          const std::set<std::string>& takenNames);

  const ir::Function& function;
  const EmitOptions& options;
  Support& support;
  const bool cuda;
  bool isVersion = false; ///< only called by the entry of a function whose version it is
  const IndexFacts facts;

  /// The type of indices in the code being written, and the width its ranges are judged by.
  std::string indexType;
  Width width;
  bool isWide() const { return indexType == "int64_t"; }
  /// That of kernels: "index_t" of templates, or the one that all launches want.
  std::string kernelIndex;
  /// Scalars of the host program; the kernels' own are not among them.
  std::set<Symbol> hostScalars;
  /// The names of the kernel's template parameters for the width of its vectors, and how many a lane keeps.
  std::string vectorWidth, vectorsKept;
  /// Functions of the kernel that say where an element of the array lies, `at(i, j, k)`, and those of them that were called.
  std::map<Symbol, std::string> subscripts;
  std::set<std::string> subscriptsUsed;
  /// What says on the cpu which thread of a given kernel runs, and the others of its block.
  std::string thread, team;
  /// Pointers that stay where the arrays were at the call.
  std::map<Symbol, std::string> places;
  /// Where the code being written runs.
  Sides sides;
  std::string ownName; ///< of the function, where it is one that expressions call
  /// Device memory cannot be read or written where this is off.
  bool inHostProgram = false;

  /// The C++ name of `s`, the same wherever it stands in the function; notes that it is used.
  std::string name(const Symbol& s);
  /// The name of the parameter that a scalar result is stored through.
  std::string resultName(const ir::CParam&);
  /// From here on the variable is read as the text says.
  void readAs(const Symbol& s, std::string text) {
    names_[s] = text;
    given_.emplace_back(s, std::move(text));
  }
  /// A name that nothing else has.
  std::string freshName(const std::string& hint);
  /// The names given while one lives belong to a part of the function, and are free again after it.
  class NameScope {
  public:
    explicit NameScope(Context& context) : c_(context), mark_(context.given_.size()) {}
    ~NameScope() { c_.forgetNames(mark_); }
    NameScope(const NameScope&) = delete;
    NameScope& operator=(const NameScope&) = delete;

  private:
    Context& c_;
    size_t mark_;
  };
  /// The symbols named since `used` was set.
  std::set<Symbol>* used = nullptr;

  const ir::Buffer& buffer(const Symbol& s) const;
  bool isBuffer(const Symbol& s) const { return buffers_.count(s) != 0; }
  /// Whether the variable has the type of indices.
  bool isIndexTyped(const Symbol& s) const;
  /// The C++ type of a variable: the index type or its element type.
  std::string variableType(const Symbol& s) const;

  /// The source line that `span` begins in, the first time it is asked for in a C++ function; else an empty
  /// text.
  std::string quote(Span span);
  /// Its number, and the line as quotes have it; 0 and no text where there is none to quote.
  std::pair<uint32_t, std::string> lineToQuote(Span span) const;
  /// The line of the source where the span begins; 0 where there is none.
  uint32_t lineOf(Span span) const;       ///< of the input; 0 in a module that it imports
  std::string placeText(Span span) const; ///< "line 5: ", for messages
  std::string moduleOf(Span span) const;
  void unquote(Span span);
  /// Begins another C++ function, in which `lines` have been quoted; gives those of the one before.
  std::set<uint32_t> startQuoting(std::set<uint32_t> lines) {
    return std::exchange(quotedLines_, std::move(lines));
  }

private:
  void forgetNames(size_t mark);

  std::map<Symbol, std::string> names_;
  std::vector<std::pair<Symbol, std::string>> given_; ///< in order; no symbol for fresh names
  std::map<std::string, std::string> resultNames_;    ///< by name in the C interface
  /// A name for `hint` that nothing in reach has.
  std::string unique(const std::string& hint);
  const std::set<std::string>& global_; ///< the module's own names, shared by its functions
  std::set<std::string> taken_;
  std::map<Symbol, ir::Buffer> buffers_;
  std::set<uint32_t> quotedLines_;
};

/// `T*`, const as asked, restrict-qualified: entries refuse arrays that overlap.
cxx::Type pointerType(const ir::Buffer&, bool written);

} // namespace appyc::target
