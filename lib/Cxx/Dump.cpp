//===- Dump.cpp - C++ trees, one node a line -----------------------------------------------------------===//
#include "appyc/Cxx/Print.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::cxx {

namespace {

class Dumper {
public:
  std::string take() { return std::move(out_); }

  void all(const std::vector<Decl>& body) {
    for (const Decl& d : body) declaration(d);
  }

private:
  void line(std::string_view what, std::string_view detail = {}) {
    out_ += fmt::format("{:{}}{}{}{}\n", "", depth_ * 2, what, detail.empty() ? "" : " ", detail);
  }
  template <class F> void nested(F inner) {
    ++depth_;
    inner();
    --depth_;
  }

  void declaration(const Decl& d) {
    match(
        d,
        [&](const Function& n) {
          line("Function", n.name);
          nested([&] {
            for (const Parameter& p : n.params)
              line("Parameter", p.name + " : " + p.type.name + (p.type.isPointer ? "*" : ""));
            statement(n.body);
          });
        },
        [&](const Include& n) { line("Include", n.header); },
        [&](const Text& n) {
          line("Text", fmt::format("{} lines", std::count(n.lines.begin(), n.lines.end(), '\n')));
        },
        [&](const FileComment&) { line("FileComment"); },
        [&](const Namespace& n) {
          line("Namespace");
          nested([&] { all(n.body); });
        });
  }

  /// Expressions are dumped under a statement as they print: their trees are seen in the text.
  void statement(const Stmt& s) {
    if (!s) return;
    match(
        s, [&](const Declare& n) { line("Declare", n.name + " : " + n.type.name + value(n.init)); },
        [&](const Assign& n) { line("Assign", print(n.target) + " " + n.op + " " + print(n.value)); },
        [&](const Evaluate& n) { line("Evaluate", print(n.value)); },
        [&](const If& n) {
          line("If", print(n.cond));
          nested([&] {
            statement(n.init);
            statement(n.then);
            statement(n.otherwise);
          });
        },
        [&](const For& n) {
          line("For", print(n.cond));
          nested([&] {
            statement(n.init);
            statement(n.step);
            statement(n.body);
          });
        },
        [&](const While& n) {
          line("While", print(n.cond));
          nested([&] { statement(n.body); });
        },
        [&](const Return& n) { line("Return", n.value ? print(n.value) : ""); },
        [&](const Block& n) {
          line("Block");
          nested([&] {
            for (const Stmt& inner : n.body) statement(inner);
          });
        },
        [&](const Comment& n) { line("Comment", n.text); }, [&](const Pragma& n) { line("Pragma", n.text); },
        [&](const Try& n) {
          line("Try", n.exception);
          nested([&] {
            statement(n.body);
            statement(n.handler);
          });
        },
        [&](const Lambda& n) {
          line("Lambda", n.call ? print(n.call) : n.name);
          nested([&] { statement(n.body); });
        });
  }
  static std::string value(const Expr& init) { return init ? " = " + print(init) : ""; }

  std::string out_;
  int depth_ = 0;
};

} // namespace

std::string dump(const Unit& unit) {
  Dumper dumper;
  dumper.all(unit.body);
  return dumper.take();
}

} // namespace appyc::cxx
