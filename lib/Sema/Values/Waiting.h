//===- Waiting.h - values that are older than the rest of their expression ----------------------------------===//
#pragma once
#include "Value.h"
#include "appyc/Support/Source.h"
#include <vector>

namespace appyc::sema {

class Lowering;

/// Values that Python has while it evaluates the rest of an expression; none waits longer than its Waiting.
class Waiting {
public:
  struct Part {
    Value value;
    size_t list; ///< as many lists were open: it was evaluated at the end of the last
    Span statement;
    Symbol newest; ///< younger symbols are none of its business
    bool isPlace;  ///< what will be stored into: its elements may change
  };
  explicit Waiting(Lowering& lowering);
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  size_t add(Value v, bool isPlace = false);
  size_t size() const;
  const Value& operator[](size_t k) const; ///< as it was when it was added
  Value take(size_t k);                    ///< which waits no longer
  std::vector<Value> values(size_t from, size_t to) const;

private:
  Lowering& lowering_;
  size_t first_;
};

} // namespace appyc::sema
