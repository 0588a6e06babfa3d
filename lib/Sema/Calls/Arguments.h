//===- Arguments.h - what a call is given, and for which parameter --------------------------------------===//
#pragma once
#include "Functions.h"
#include "Value.h"
#include "appyc/Support/Source.h"
#include <map>
#include <string>
#include <vector>

namespace appyc::sema {

/// The arguments of a call, evaluated.
struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> keywords; ///< as they stand: dict(b=1, a=2) keeps the order
  Span where;
};

/// What a parameter `*values` gets: a tuple, or the list that is all of it.
Value restOf(const std::vector<Value>& given);

/// The same under the names of the function's parameters, with its defaults.
struct Bound {
  const Function* row = nullptr;
  std::map<std::string, Value> values{};
  Span where;
  std::string ufunc{}; ///< of which `row` is a method: np.add.reduce

  std::string name() const { return row->name(); }
  std::string display() const { return ufunc.empty() ? row->display() : "np." + ufunc + "." + name(); }
  /// Of a parameter that has a value in any case.
  const Value& operator[](const std::string& parameter) const { return values.at(parameter); }
  /// Null for what the function has not, or has no value without being given one.
  const Value* find(const std::string& parameter) const {
    auto it = values.find(parameter);
    return it == values.end() ? nullptr : &it->second;
  }
  /// Null for None, too.
  const Value* given(const std::string& parameter) const {
    const Value* v = find(parameter);
    return v && !v->as<NoneValue>() ? v : nullptr;
  }
};

/// A truth or an array of them, as `where=` takes it.
bool isMask(const Value& v);

} // namespace appyc::sema
