//===- JoinProducers.cpp - one loop over blocks that takes in what stands before it ---------------------===//
#include "JoinProducers.h"
#include "Units.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::schedule {
using namespace cost;
using namespace ir;

namespace {

bool isReduced(const For& loop, const Symbol& name) {
  return std::ranges::any_of(loop.reductions, [&](const Reduction& r) { return r.var == name; });
}

/// A loop of the joint one, whose blocks are there for lanes to share it.
For ownCopy(const For& loop, std::vector<Stmt> body) {
  For copy = loop;
  copy.index = Symbol(loop.index.hint());
  copy.body = substitute(block(std::move(body)), {{loop.index, var(copy.index)}});
  copy.hints.mark = LoopMark::Simd;
  copy.hints.origins.clear();
  return copy;
}

/// What a producer stores: one element, or those that a loop's index runs through.
struct Stored {
  Store store;
  const For* loop = nullptr;
  bool isRead = false; ///< by those behind it
};

class Joining {
public:
  Joining(std::vector<Stmt> producers, const For& consumer, analysis::Context around)
      : known_(std::move(around)), consumer_(consumer), producers_(std::move(producers)) {}

  JointLoop run(Span span, const std::set<Symbol>& own) {
    checkScalars();
    checkLengths();
    if (*result_.obstacle) return result_;
    body_ = consumer_.body;
    renameScalars();
    for (const Stmt& s : producers_) take(s);
    checkStores();
    known_.loops.push_back(&consumer_);
    const Stmt body = forward(body_, 0);
    known_.loops.pop_back();
    if (*result_.obstacle) return result_;
    drop(body, own);
    checkMemory(body);
    if (!*result_.obstacle) result_.loop = joint({span}, body);
    return result_;
  }

private:
  void refuse(const char* why) {
    if (!*result_.obstacle) result_.obstacle = why;
  }

  //===--- scalars ----------------------------------------------------------------------------------------===//

  /// The producers' scalars are their own, and no loop's bounds wait for them.
  void checkScalars() {
    const Stmt all = block(producers_);
    const std::set<Symbol> assigned = assignedVars(all);
    if (intersect(analysis::exposedScalars(all), assigned))
      refuse("they change a scalar that was there before");
    std::vector<const For*> loops{&consumer_};
    for (const Stmt& s : producers_)
      if (const auto* loop = s.as<For>()) loops.push_back(loop);
    for (const For* loop : loops)
      if (mentionsAny(loop->lo, assigned) || mentionsAny(loop->hi, assigned))
        refuse("the length of a loop depends on what they compute");
  }

  /// `s` with each scalar by its present name; one that it assigns gets a new one, unless a loop adds up in it.
  Stmt withNewNames(const Stmt& s, std::map<Symbol, Symbol>& names) {
    const auto* a = s.as<Assign>();
    const auto* loop = s.as<For>();
    Stmt out = a ? Builder{s->span}.assign(Symbol(a->var.hint()), a->value) : s;
    out = ir::renameScalars(out, names);
    if (a) names.insert_or_assign(a->var, out.as<Assign>()->var);
    for (const Symbol& name : loop ? assignedVars(s) : std::set<Symbol>{})
      if (!isReduced(*loop, name)) out = renameScalar(out, name, Symbol(name.hint()));
    return out;
  }

  /// Each block has scalars of its own, and one name for each value.
  void renameScalars() {
    std::map<Symbol, Symbol> names;
    std::set<Symbol> read;
    for (Stmt& s : producers_) {
      s = withNewNames(s, names);
      const auto* loop = s.as<For>();
      for (const Reduction& r : loop ? loop->reductions : std::vector<Reduction>{})
        if (read.count(r.var)) refuse("a scalar is read before a loop adds to it");
      for (const Symbol& name : readScalars(s))
        if (!loop || !isReduced(*loop, name)) read.insert(name);
    }
    std::set<Symbol> changed = assignedVars(body_);
    const std::set<Symbol> exposed = analysis::exposedScalars(body_);
    each<For>(body_, [&](const For& loop) { changed.insert(loop.index); });
    if (intersect(changed, readScalars(block(producers_)))) refuse("it changes a scalar that they read");
    for (const auto& [from, to] : names) {
      if (!exposed.count(from)) continue;
      if (changed.count(from)) refuse("it changes a scalar that they compute");
      body_ = renameScalar(body_, from, to);
    }
  }

  //===--- elements ---------------------------------------------------------------------------------------===//

  Expr forward(const Expr& e, int depth) {
    return replace<Load>(e, [&](const Load& l) -> Expr {
      for (Stored& s : stored_)
        if (Expr value = loops::valueStored(l, s.store, s.loop, known_)) {
          if (s.loop && depth > 1) refuse("it reads their elements many times");
          s.isRead = true;
          return value;
        }
      return {};
    });
  }

  /// Loads of what is stored become the values, below `depth` loops of the consumer.
  Stmt forward(const Stmt& s, int depth) {
    const Stmt out = mapExprs(s, [&](const Expr& e) { return forward(e, depth); });
    const int inside = depth + (s.is<For>() || s.is<While>());
    return analysis::mapInside(known_, out, [&](const Stmt& child) { return forward(child, inside); });
  }

  /// A loop's sums are every block's; its elements are stored by one, and computed by others where they are read.
  void takeLoop(const Stmt& s, const For& loop) {
    const Builder build{s->span};
    std::vector<Stmt> sums, elements;
    std::map<Symbol, Expr> names;
    std::set<Symbol> written;
    const analysis::Inside inside(known_, loop);
    for (const Stmt& part : statementsOf(loop.body)) {
      const Stmt own = forward(part, 1);
      const auto* store = own.as<Store>();
      const auto* a = own.as<Assign>();
      if (store) {
        const Expr value = substitute(store->value, names);
        for (const Reduction& r : loop.reductions)
          if (mentions(value, r.var)) refuse("a loop stores what it is still adding up");
        if (!written.insert(store->buffer).second) refuse("a loop stores into an array twice");
        stored_.push_back({{store->buffer, store->index, value, {}}, &loop});
      } else {
        sums.push_back(own);
      }
      if (a && !isReduced(loop, a->var)) names[a->var] = substitute(a->value, names);
      if (store || !isReduced(loop, a->var)) elements.push_back(own);
    }
    if (!loop.reductions.empty()) scalars_.push_back(build.make(ownCopy(loop, std::move(sums))));
    if (written.empty()) return;
    For storing = ownCopy(loop, std::move(elements));
    storing.reductions.clear();
    stores_.push_back(build.make(std::move(storing)));
  }

  void take(const Stmt& s) {
    if (const auto* loop = s.as<For>()) return takeLoop(s, *loop);
    const Stmt own = forward(s, 0);
    const auto* store = own.as<Store>();
    if (!store) return scalars_.push_back(own);
    const Builder build{s->span};
    stored_.push_back({*store});
    Store& element = stored_.back().store;
    element.value = loops::once(build, store->buffer.hint() + "_element", store->value, scalars_);
    stores_.push_back(build.make(element));
  }

  /// Temporaries that nobody loads any more need not be stored.
  void drop(const Stmt& body, const std::set<Symbol>& own) {
    const std::set<Symbol> loaded = loadedBuffers(block({block(scalars_), body}));
    for (const Symbol& b : own)
      if (!loaded.count(b)) result_.dropped.insert(b);
    std::erase_if(stores_, [&](const Stmt& s) {
      const std::set<Symbol> written = storedBuffers(s);
      return std::includes(result_.dropped.begin(), result_.dropped.end(), written.begin(), written.end());
    });
    for (const Symbol& b : storedBuffers(block(stores_))) result_.dropped.erase(b);
  }

  //===--- may it be done? --------------------------------------------------------------------------------===//

  /// No loop is longer than one of the consumer's own, and there are not many.
  void checkLengths() {
    constexpr int64_t few = 64;
    std::vector<Expr> own;
    each<For>(consumer_.body, [&](const For& loop) {
      if (const Expr count = isParallel(loop) ? tripCount(loop) : Expr()) own.push_back(count);
    });
    const analysis::Inside inside(known_, consumer_);
    size_t sums = 0;
    for (const Stmt& s : producers_) {
      const auto* loop = s.as<For>();
      if (!loop || constantTrip(*loop).value_or(INT64_MAX) <= few) continue;
      sums += !loop->reductions.empty();
      const Expr count = tripCount(*loop);
      if (std::none_of(own.begin(), own.end(),
                       [&](const Expr& e) { return analysis::isNonNegative(e - count, known_); }))
        refuse("they are longer than its own loops");
    }
    if (sums > 2 * own.size()) refuse("they sum up more often than it does itself");
  }

  /// One store for each element: its value is what a load behind all of them finds.
  void checkStores() {
    for (size_t i = 0; i < stores_.size(); ++i)
      for (size_t k = 0; k < i; ++k)
        if (analysis::touchSame(stores_[k], stores_[i], known_)) refuse("one stores where another one does");
  }

  /// The loads behind elements that are computed where they were read.
  Stmt elementsRead() const {
    std::vector<Stmt> reads;
    for (const Stored& s : stored_) {
      if (!s.isRead || !s.loop) continue;
      For loop = withBody(*s.loop, Builder{}.assign(Symbol("read"), s.store.value));
      reads.push_back(Builder{}.make(std::move(loop)));
    }
    return block(std::move(reads));
  }

  /// Every block finds what was there before the launch, but for what it has written itself.
  void checkMemory(const Stmt& body) {
    For loop = withBody(consumer_, body);
    const Stmt consumer = Builder{}.make(std::move(loop)), stores = block(stores_),
               reads = block({block(scalars_), elementsRead()});
    if (analysis::touchSame(reads, consumer, known_) || analysis::touchSame(reads, stores, known_) ||
        analysis::touchSame(stores, consumer, known_))
      refuse("a block would read or write what another one writes");
  }

  //===--- the joint loop ---------------------------------------------------------------------------------===//

  Stmt joint(const Builder& build, const Stmt& body) {
    // Scalars that only the stores need are computed by the block that stores.
    std::vector<Stmt> first, last;
    std::set<Symbol> needed = readScalars(body);
    for (auto it = scalars_.rbegin(); it != scalars_.rend(); ++it) {
      const bool isNeeded = intersect(assignedVars(*it), needed);
      if (isNeeded) needed.merge(readScalars(*it));
      (isNeeded ? first : last).push_back(*it);
    }
    std::reverse(first.begin(), first.end());
    std::reverse(last.begin(), last.end());
    last.insert(last.end(), stores_.begin(), stores_.end());
    result_.repeated.add(block(first));
    result_.repeated.add(body);
    result_.repeated.leaveOut(body_);

    For loop = consumer_;
    if (stores_.empty()) {
      first.push_back(body);
    } else {
      loop.lo = consumer_.lo - consumer_.step;
      if (!analysis::isNonNegative(consumer_.hi - consumer_.lo, known_))
        loop.hi = maxOf(consumer_.hi, consumer_.lo);
      first.push_back(build.when(eq(var(loop.index), loop.lo), block(std::move(last)), body));
    }
    loop.body = block(std::move(first));
    return build.make(std::move(loop));
  }

  analysis::Context known_; ///< with the loops around what is being rewritten
  const For& consumer_;
  std::vector<Stmt> producers_;
  Stmt body_{};                 ///< the consumer's
  std::vector<Stmt> scalars_{}; ///< every block computes these
  std::vector<Stmt> stores_{};  ///< one block does these
  std::vector<Stored> stored_{};
  JointLoop result_{};
};

} // namespace

bool isProducer(const Stmt& s) {
  const auto* loop = s.as<For>();
  if (!loop) return !s.is<Block>() && isStraight(s);
  return isParallel(*loop) && isConst(loop->step, 1) && !hasOwnSize(*loop) &&
         (loop->hints.mark == LoopMark::None || loop->hints.mark == LoopMark::Parallel) &&
         !readsMemory(loop->lo) && !readsMemory(loop->hi) && isStraight(loop->body);
}

JointLoop joinProducers(const std::vector<Stmt>& producers, const Stmt& consumer, const std::set<Symbol>& own,
                        const analysis::Context& around) {
  return Joining(producers, *consumer.as<For>(), around).run(consumer->span, own);
}

} // namespace appyc::schedule
