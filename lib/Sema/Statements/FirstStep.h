//===- FirstStep.h - loops whose first step stands by itself --------------------------------------------===//
#pragma once
#include "appyc/AST/Nodes.h"
#include <map>
#include <set>
#include <string>

namespace appyc::sema {

/// The same statements as nodes of their own: each writing-out of a loop finds the types of its names by itself.
ast::Body copyOf(const ast::Body& body);

struct Env;
struct ListStates;
struct NameFacts;
/// Names of which the loop's first step and the rest are made: whether there is a first step, its item, and what the rest
/// runs over; `step` is the number of a step of the rest and `next` its item, or both are empty and `rest` has the items.
struct StepNames {
  StepNames(const ast::Body& body, bool isInLoop);
  std::string runs, first, rest, step, next;
  bool isInLoop;                 ///< a step of the loop around it may have given the names their values
  std::set<std::string> unbound; ///< what steps hand on and has no value before the loop
  std::set<std::string>
      numbers; ///< what is a number, or another array, before the loop, and an array from its first step on
  std::set<std::string> asked; ///< of these what is read behind the loop
  /// Is there any such name?
  bool find(const Env& before, const ast::Body& body, const ast::Expr& target, const ListStates& states,
            const std::map<std::string, NameFacts>& facts, uint32_t end);

private:
  void number(const ast::Body& body, int steps);
};
ast::Body firstByItself(const ast::For& s, const StepNames& names);
ast::Body firstByItself(const ast::While& s, Span span, const StepNames& names);

} // namespace appyc::sema
