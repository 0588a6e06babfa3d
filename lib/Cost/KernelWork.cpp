//===- KernelWork.cpp - what a kernel does, and how long it takes ----------------------------------------===//
// An access touches as many elements of memory as the loops whose indices stand in its subscripts have iterations, and is made
// as often as all loops around it have.
#include "appyc/Cost/KernelWork.h"
#include "Numbers.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Cost/Counting.h"
#include "appyc/IR/Called.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace appyc::cost {
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
    each<For>(body, [&](const For& loop) { changing_.insert(loop.index); });
    each<Assign>(body, [&](const Assign& a) { changing_.insert(a.var); });
    each<Alloc>(body,
                [&](const Alloc& a) { own_[a.buffer.name] = isShared(a) ? byteSize(a.buffer.type) : 0; });
  }

  void walk(const Stmt& s) {
    if (!s) return;
    forEachExpr(s,
                [&](const Expr& e) { each<Load>(e, [&](const Load& l) { add(read, l.buffer, l.index); }); });
    if (isCounted_) count(s);
    if (const auto* store = s.as<Store>()) {
      add(written, store->buffer, store->index);
      if (store->atomicOp) add(read, store->buffer, store->index);
    }
    const auto* loop = s.as<For>();
    if (loop) loops_.push_back(loop);
    isKnown_ &= !s.is<While>();
    forEachExpr(s, [&](const Expr& e) { isKnown_ &= !callsLoop(e); });
    const auto* branch = s.as<If>();
    const bool counted = isCounted_;
    forEachChild(s, [&](const Stmt& child) {
      isCounted_ =
          counted && !(branch && child == branch->otherwise); // what an edge or a rest does, as a rule
      walk(child);
    });
    isCounted_ = counted;
    if (loop) loops_.pop_back();
  }

  KernelWork result(Place place) const {
    KernelWork work{read.bytes(), written.bytes(), {}, {}, {}, {}, place};
    if (isKnown_)
      work.elements = elements_, work.onChip = onChipBytes_, work.doubles = doubles_, work.singles = singles_;
    return work;
  }

  Footprint read, written;

private:
  void add(Footprint& to, const Symbol& buffer, const std::vector<Expr>& index) const {
    if (!own_.count(buffer)) to.add(buffer, elements(index));
  }

  Expr elements(const std::vector<Expr>& subscripts) const {
    std::set<Symbol> unexplained = changing_;
    Expr count = intConst(1);
    for (const For* loop : loops_) {
      unexplained.erase(loop->index);
      if (!mentions(subscripts, {loop->index})) continue;
      const Expr trip = tripsOf(*loop);
      if (!trip) return {};
      count = count * trip;
    }
    for (const Expr& e : subscripts)
      if (readsMemory(e)) return {};
    return mentions(subscripts, unexplained) ? Expr() : count;
  }

  static bool isShared(const Alloc& a) { return a.shared && !a.vector && !a.row && a.buffer.threads == 0; }

  /// As all lanes together go through it.
  static For ofAllLanes(For loop) {
    if (loop.step.is<Hardware>()) loop.step = intConst(1);
    return loop;
  }
  /// Empty where the host does not know them.
  Expr tripsOf(const For& loop) const {
    if (loop.hi.is<Hardware>())
      return intConst(1); // of what a thread takes at once: the loop around counts them
    const Expr trip = tripCount(ofAllLanes(loop));
    return trip && !mentionsAny(trip, changing_) && !readsMemory(trip) ? trip : Expr();
  }

  /// The most iterations that the loops around make together; empty where the host does not know.
  Expr iterations() const {
    Expr times = intConst(1);
    for (size_t i = 0; i < loops_.size(); ++i) {
      Expr trip = tripsOf(*loops_[i]);
      if (!trip)
        trip = mostTrips(ofAllLanes(*loops_[i]), {loops_.begin(), loops_.begin() + std::ptrdiff_t(i)},
                         changing_);
      if (!trip) return {};
      times = times * trip;
    }
    return times;
  }

  /// What the statement itself does, as often as the loops around run it; an element that is named twice is loaded once.
  void count(const Stmt& s) {
    const Symbol lane = laneOf(loops_);
    Operations operations;
    int64_t elements = s.is<Collective>() ? Device::foldOfWarp : 0, onChip = 0;
    const auto access = [&](const Symbol& buffer, const std::vector<Expr>& index) {
      const auto own = own_.find(buffer);
      if (own == own_.end())
        elements += unitsOfAccess(index, lane);
      else
        onChip += own->second;
    };
    if (const auto* store = s.as<Store>()) access(store->buffer, store->index);
    std::vector<Expr> loaded;
    forEachExpr(s, [&](const Expr& e) {
      operations += operationsOf(e);
      visit(e, [&](const Expr& part) {
        const auto* l = part.as<Load>();
        const auto isSame = [&](const Expr& known) {
          return equal(known, part) || (l && isOfNeighbour(*known.as<Load>(), *l));
        };
        if (!l || std::any_of(loaded.begin(), loaded.end(), isSame)) return !l;
        loaded.push_back(part);
        return access(l->buffer, l->index), false;
      });
    });
    if (elements + onChip + operations.doubles + operations.singles == 0) return;
    const Expr times = iterations();
    isKnown_ &= bool(times);
    if (!times) return;
    const auto add = [&](Expr& sum, int64_t each) { sum = ir::add(sum, times * each); };
    add(elements_, elements);
    add(onChipBytes_, onChip);
    add(doubles_, operations.doubles);
    add(singles_, operations.singles);
  }

  /// Of cells that a thread goes through in code without loops, along the first axis: it has loaded, or will load, the
  /// element for a cell near by.
  bool isOfNeighbour(const Load& known, const Load& load) const {
    const bool inStrip =
        std::any_of(loops_.begin(), loops_.end(), [](const For* l) { return isUnrolled(*l); });
    return inStrip && load.index.size() > 1 && known.buffer == load.buffer && own_.count(load.buffer) &&
           std::equal(known.index.begin() + 1, known.index.end(), load.index.begin() + 1, equalIndex);
  }

  static bool mentions(const std::vector<Expr>& list, const std::set<Symbol>& names) {
    for (const Expr& e : list)
      if (mentionsAny(e, names)) return true;
    return false;
  }

  std::vector<const For*> loops_;
  Expr elements_ = intConst(0), onChipBytes_ = intConst(0), doubles_ = intConst(0), singles_ = intConst(0);
  bool isKnown_ = true, isCounted_ = true;
  std::set<Symbol> changing_;     ///< variables of the kernel's own
  std::map<Symbol, int64_t> own_; ///< arrays likewise: bytes of an access to shared memory, or 0 of registers
};

} // namespace

std::map<Symbol, Expr> valuesOf(const Function& function) {
  std::map<Symbol, Expr> values;
  std::set<Symbol> changing;
  visit(function.body, [&](const Stmt& s) {
    const auto* a = s.as<Assign>();
    if (a && !values.emplace(a->var, substitute(a->value, values)).second) changing.insert(a->var);
    return !s.is<Launch>();
  });
  for (const Symbol& name : changing) values.erase(name);
  return values;
}

KernelWork workOf(const Launch& kernel, const Function& function) {
  const bool isOneBlock = std::all_of(std::begin(kernel.shape.grid), std::end(kernel.shape.grid),
                                      [](const Expr& blocks) { return !blocks || isConst(blocks, 1); });
  Walk walk(function.buffers, kernel.body);
  walk.walk(kernel.body);
  KernelWork work = walk.result(isOneBlock                      ? Place::Block
                                : kernel.how == Launch::Cluster ? Place::Cluster
                                                                : Place::Device);
  work.values = valuesOf(function);
  for (const Size& size : function.sizes) work.given.insert(size.name);
  for (const Param& param : function.params) work.given.insert(param.name);
  return work;
}

Prediction predict(const Device& device, const KernelWork& kernel, int64_t size) {
  Prediction result{0, false, false};
  Numbers numbers{kernel.values, kernel.given, static_cast<double>(size)};
  const auto valueOf = [&](const Expr& e) {
    const std::optional<double> value = e ? numbers.of(e) : std::nullopt;
    result.isLeast |= !value;
    return std::max(value.value_or(0), 0.0);
  };
  Work work;
  work.bytes = valueOf(kernel.read) + valueOf(kernel.written);
  work.elements = valueOf(kernel.elements);
  work.onChip = valueOf(kernel.onChip);
  work.doubles = valueOf(kernel.doubles);
  work.singles = valueOf(kernel.singles);
  result.isOpen = numbers.isOpen;
  result.ns = predict(device, {.launches = 1}) + predict(device, work, kernel.place);
  return result;
}

std::string predictionText(const Device& device, const KernelWork& work) {
  constexpr int64_t size = 1000;
  const Prediction time = predict(device, work, size);
  return fmt::format("{}{:.1f} us on {}{}", time.isLeast ? "at least " : "", time.ns / 1000, device.name,
                     time.isOpen ? fmt::format(" at sizes of {}", size) : "");
}

} // namespace appyc::cost
