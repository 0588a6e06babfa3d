//===- Traffic.cpp - the bytes a kernel has to move ---------------------------------------------------===//
// An access touches as many elements as the loops whose indices stand in its subscripts have iterations.
#include "appyc/Schedule/Traffic.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include <map>

namespace appyc::schedule {
using namespace ir;

namespace {

/// Elements of each array that a kernel's accesses of one kind touch.
class Footprint {
public:
  explicit Footprint(const std::vector<Buffer>& buffers) {
    for (const Buffer& b : buffers) buffers_.emplace(b.name, b);
  }

  /// `elements`: an empty handle where they are not known.
  void add(const Symbol& buffer, const Expr& elements) {
    auto [it, isNew] = elements_.try_emplace(buffer, elements);
    bool same = it->second && elements && print(it->second) == print(elements);
    if (!isNew && !same) it->second = Expr();
  }

  Expr bytes() const {
    Expr sum = intConst(0);
    for (const auto& [name, elements] : elements_) {
      const Buffer& b = buffers_.at(name);
      Expr count = elements;
      if (!count) count = elementCount(b);
      sum = ir::add(sum, intConst(byteSize(b.type)) * count);
    }
    return sum;
  }

private:
  std::map<Symbol, Buffer> buffers_;
  std::map<Symbol, Expr> elements_;
};

class Walk {
public:
  Walk(const std::vector<Buffer>& buffers, const Stmt& body) : read(buffers), written(buffers) {
    visit(body, [&](const Stmt& s) {
      if (const auto* loop = s.as<For>()) changing_.insert(loop->index);
      if (const auto* a = s.as<Assign>()) changing_.insert(a->var);
      if (const auto* a = s.as<Alloc>()) onChip_.insert(a->buffer.name);
      return true;
    });
  }

  void walk(const Stmt& s) {
    if (!s) return;
    forEachExpr(s, [&](const Expr& e) {
      visit(e, [&](const Expr& part) {
        if (const auto* l = part.as<Load>()) add(read, l->buffer, l->index);
        return true;
      });
    });
    if (const auto* store = s.as<Store>()) {
      add(written, store->buffer, store->index);
      if (store->atomicOp) add(read, store->buffer, store->index);
    }
    const auto* loop = s.as<For>();
    if (loop) loops_.push_back(loop);
    forEachChild(s, [&](const Stmt& child) { walk(child); });
    if (loop) loops_.pop_back();
  }

  Footprint read, written;

private:
  void add(Footprint& to, const Symbol& buffer, const std::vector<Expr>& index) const {
    if (!onChip_.count(buffer)) to.add(buffer, elements(index));
  }

  Expr elements(const std::vector<Expr>& subscripts) const {
    std::set<Symbol> unexplained = changing_;
    Expr count = intConst(1);
    for (const For* loop : loops_) {
      unexplained.erase(loop->index);
      if (!mentions(subscripts, {loop->index})) continue;
      if (loop->hi.is<Hardware>())
        continue; // elements that a thread takes at once: the loop around counts them
      Expr trip = loop->step.is<Hardware>() ? loop->hi - loop->lo : tripCount(*loop);
      if (!trip || mentionsAny(trip, changing_) || readsMemory(trip)) return {};
      count = count * trip;
    }
    for (const Expr& e : subscripts)
      if (readsMemory(e)) return {};
    return mentions(subscripts, unexplained) ? Expr() : count;
  }

  static bool mentions(const std::vector<Expr>& list, const std::set<Symbol>& names) {
    for (const Expr& e : list)
      if (mentionsAny(e, names)) return true;
    return false;
  }

  std::vector<const For*> loops_;
  std::set<Symbol> changing_; ///< variables of the kernel's own
  std::set<Symbol> onChip_;   ///< arrays likewise
};

} // namespace

Traffic trafficOf(const Launch& kernel, const std::vector<Buffer>& buffers) {
  Walk walk(buffers, kernel.body);
  walk.walk(kernel.body);
  return {walk.read.bytes(), walk.written.bytes()};
}

} // namespace appyc::schedule
