//===- Tables.cpp - tables of constants in a generated file ---------------------------------------------===//
#include "Tables.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/IR/Abi.h"
#include "appyc/IR/Walk.h"
#include "appyc/Support/InternalError.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::target {

void Tables::name(const ir::Module& m, std::set<std::string>& taken) {
  const auto add = [&](const ir::Expr& e) {
    if (const auto* l = e.as<ir::Lookup>())
      if (std::none_of(all_.begin(), all_.end(),
                       [&](const Named& n) { return sameTable(*n.table, *l->table); }))
        all_.push_back({l->table.get(), ir::uniqueIdentifier(l->table->name + "_table", taken)});
    return true;
  };
  const auto addAll = [&](const ir::Function& f) {
    const auto all = [](const ir::Stmt&) { return true; };
    ir::visit(f.body, all, add);
    for (const ir::Kernel& kernel : f.kernels) ir::visit(kernel.body, all, add);
    for (const ir::Buffer& b : f.buffers)
      for (const ir::Expr& e : b.extents) ir::visit(e, add);
    for (const ir::Result& r : f.results)
      for (const ir::Expr& e : r.extents) ir::visit(e, add);
  };
  for (const ir::FunctionRef& f : ir::calledFunctions(m)) addAll(*f);
  for (const ir::Function& f : m.functions) {
    addAll(f);
    for (const ir::Version& v : f.versions) {
      ir::visit(v.condition, add);
      addAll(v.function);
    }
  }
}

std::string Tables::function(const ir::Table& table, const std::string& type,
                             const std::function<cxx::Expr(const ir::Const&)>& value) {
  const auto named =
      std::find_if(all_.begin(), all_.end(), [&](const Named& n) { return sameTable(*n.table, table); });
  if (named == all_.end()) internalError(fmt::format("the table `{}` has no name", table.name));
  if (std::exchange(named->defined, true)) return named->name;
  std::vector<cxx::Expr> items;
  for (const ir::Const& c : table.values) items.push_back(value(c));
  cxx::Declare values{
      cxx::type("static constexpr " + type), "values", cxx::braces("", std::move(items)), {}, true, 0};
  const cxx::Stmt body = cxx::stmt(cxx::Block{
      {cxx::stmt(std::move(values)), cxx::giveBack(cxx::index(cxx::name("values"), cxx::name("i")))}});
  functions_.push_back(
      cxx::decl(cxx::Function{fmt::format("Element i of the constants `{}`, in C order.", table.name),
                              {},
                              cuda_ ? "__host__ __device__ inline" : "inline",
                              cxx::type(type),
                              named->name,
                              {{cxx::type("int64_t"), "i"}},
                              body}));
  return named->name;
}

} // namespace appyc::target
