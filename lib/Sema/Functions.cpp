//===- Functions.cpp - the table of NumPy functions ---------------------------------------------------===//
#include "Functions.h"
#include "appyc/Sema/Sema.h"

namespace appyc::sema {

const std::map<std::string, ir::BinaryOp>& arithmeticNames() {
  static const std::map<std::string, ir::BinaryOp> kNames = {
#define ARITHMETIC(name, op) {name, ir::BinaryOp::op},
#define COMPARISON(name, op)
#define ALIAS(name, other)
#define FUNCTION(name, group, arguments)
#include "appyc/Sema/Functions.def"
  };
  return kNames;
}

const std::map<std::string, ir::BinaryOp>& comparisonNames() {
  static const std::map<std::string, ir::BinaryOp> kNames = {
#define ARITHMETIC(name, op)
#define COMPARISON(name, op) {name, ir::BinaryOp::op},
#define ALIAS(name, other)
#define FUNCTION(name, group, arguments)
#include "appyc/Sema/Functions.def"
  };
  return kNames;
}

const std::map<std::string, std::string>& aliases() {
  static const std::map<std::string, std::string> kNames = {
#define ARITHMETIC(name, op)
#define COMPARISON(name, op)
#define ALIAS(name, other) {name, other},
#define FUNCTION(name, group, arguments)
#include "appyc/Sema/Functions.def"
  };
  return kNames;
}

/// Rows without the aliases.
static std::vector<NumpyFunction> namedOnce() {
  std::vector<NumpyFunction> all = {
#define ARITHMETIC(name, op) {name, "elementwise", 2},
#define COMPARISON(name, op) {name, "elementwise", 2},
#define ALIAS(name, other)
#define FUNCTION(name, group, arguments) {name, #group, arguments},
#include "appyc/Sema/Functions.def"
  };
#define INTRINSIC(Name, numpy, arity, result, cxx) all.push_back({numpy, "elementwise", arity});
#include "appyc/IR/Intrinsics.def"
#undef INTRINSIC
  std::erase_if(all, [](const NumpyFunction& f) { return f.name.empty(); }); // no function of NumPy's
  return all;
}

const std::vector<NumpyFunction>& numpyFunctions() {
  static const std::vector<NumpyFunction> kAll = [] {
    std::vector<NumpyFunction> all = namedOnce();
    const size_t count = all.size();
    for (const auto& [name, other] : aliases())
      for (size_t i = 0; i < count; ++i)
        if (all[i].name == other) all.push_back({name, all[i].group, all[i].arguments});
    return all;
  }();
  return kAll;
}

} // namespace appyc::sema
