//===- Called.cpp - a function of the user's that expressions call, as one of C++ -------------------------===//
#include "Functions.h"
#include "Statements.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Support/InternalError.h"

namespace appyc::target {

namespace {

class CalledText : public Statements {
public:
  using Statements::Statements;

protected:
  void special(const ir::Stmt& s, const Placement::Item&, Out& out) override {
    const auto* r = s.as<ir::Return>();
    if (!r || !r->value) internalError("a statement of a program inside of a function of numbers");
    out.push_back(cxx::giveBack(expressions_.value(r->value)));
  }
};

} // namespace

cxx::Decl lowerCalled(Context& c, const std::string& name) {
  c.ownName = name;
  c.indexType = "int64_t"; // nobody has looked at how large its numbers are
  c.width = Width::Int64;
  std::set<Symbol> used;
  c.used = &used;
  std::set<Symbol> locals = ir::assignedVars(c.function.body);
  for (const ir::Param& p : c.function.params) locals.erase(p.name);
  std::vector<cxx::Stmt> body = CalledText(c).sequence(c.function.body, locals, {});
  c.used = nullptr;
  std::vector<cxx::Parameter> params;
  for (const ir::Param& p : c.function.params)
    params.push_back({cxx::type(typeName(c, p.type)), c.name(p.name), !used.count(p.name)});
  const char* specifiers = !c.cuda || !c.sides.onDevice ? "inline"
                           : c.sides.onHost             ? "__host__ __device__ inline"
                                                        : "__device__ inline";
  const std::string& docstring = c.function.docstring;
  return cxx::decl(cxx::Function{docstring.substr(0, docstring.find('\n')),
                                 {},
                                 specifiers,
                                 cxx::type(typeName(c, c.function.results.front().type)),
                                 name,
                                 std::move(params),
                                 cxx::stmt(cxx::Block{std::move(body)})});
}

} // namespace appyc::target
