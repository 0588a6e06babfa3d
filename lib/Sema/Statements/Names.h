//===- Names.h - what a function's text tells of its names, before it is lowered ------------------------===//
#pragma once
#include "appyc/AST/Nodes.h"
#include "appyc/Support/Source.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace appyc::sema {

/// What a scan of a function's text tells of a name: how often it is assigned and where it is used.
struct NameFacts {
  int assignments = 0;
  Span home; ///< innermost loop or branch that holds its (first) assignment; empty: the function itself
  std::vector<Span> uses;  ///< where it is read
  std::vector<Span> parts; ///< where a subscript takes a part of it
  std::vector<Span> binds; ///< where it is assigned
  Span turn;               ///< innermost loop that holds its first assignment
  bool isRepeated = false; ///< read by steps of another loop or comprehension than that, or before
  bool isCaptured = false; ///< a function inside reads it
  bool isStored = false;   ///< a subscript of it is assigned to
  bool grows = false;      ///< a method is called that lists change by, or it is added to in place
  struct Passed {
    std::string function;
    size_t position = 0;
    std::string keyword; ///< instead of the position
    bool isMethod = false;
  };
  std::vector<Passed> passed; ///< to which functions of these names
  struct Read {
    uint32_t at; ///< where; UINT32_MAX: whenever a function inside is called
    std::optional<uint32_t>
        bound; ///< every way to it binds the name, and here at the earliest for the last time
    bool isPerhapsBound = false; ///< some way to it does, or an earlier step of a loop around it
  };
  std::vector<Read> reads;
};
/// The names that the expression asks for.
std::set<std::string> namesIn(const ast::Expr& e);
/// Of names, and of fields, ".items".
std::map<std::string, NameFacts> scanNames(const ast::Function& fn);
/// The methods of lists: those that change them, and all that are translated.
bool changesLength(const std::string& method);
/// Methods of a list that is a stack, no names of Python's (Stacks.cpp).
inline constexpr const char *kPut = "put()", *kTake = "take()";
/// Methods of a list that stands for a text, no names of Python's; do they add to it? (SpelledTexts.cpp)
bool isOfSpelledText(const std::string& method);
bool spells(const std::string& method);
/// Has the function texts that loops add to?
bool mayBeSpelled(const ast::Function& fn);
bool changesOrder(const std::string& method);
std::string
updateOfSet(ast::BinaryOp op); ///< "update" of `|=`: the method that does the same to a set; empty: none
bool isListMethod(const std::string& method);
/// Does it make a list, `[x for x in a]` or `list(a)`?
bool makesList(const ast::Expr& e);
bool isSetMethod(const std::string& method);
bool isConstantTextMethod(const std::string& method); ///< which constant texts alone have (ConstantTexts.cpp)
bool isTextMethod(const std::string& method);         ///< which Python may be asked for (Printing.cpp)
/// Names assigned somewhere in a statement list.
std::set<std::string> assignedNames(const ast::Body& body);
/// Names that every way through a statement list assigns.
std::set<std::string> surelyAssigned(const ast::Body& body);
/// Is what the name is at `position` read past it?
bool isReadAfter(const NameFacts& facts, uint32_t position);
/// Names that `body` reads before it has surely assigned them.
std::set<std::string> exposedNames(const ast::Body& body);
/// Do the statements ask for that attribute of the name?
bool readsAttribute(const ast::Body& body, const std::string& name, const std::string& attribute);
/// Names that a loop's body assigns and reads where no path of the same step has assigned them: an earlier step has.
std::set<std::string> handedOnNames(const ast::Body& body);

} // namespace appyc::sema
