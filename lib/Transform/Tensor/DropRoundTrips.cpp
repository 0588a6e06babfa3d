//===- DropRoundTrips.cpp - elements that go to another array and come back as they were stay where they are ----===//
//   v[i, j] = u[i, j]              for i < n, j < n
//   v[i + 1, j] = f(u, i, j)       for i < n - 2, j < n     =>   v[i + 1, j] = f(u, i, j)       for i < n - 2, j < n
//   u[i, j] = v[i, j]              for i < n, j < n              u[i + 1, j] = v[i + 1, j]      for i < n - 2, j < n
// So are steps over time written that make each state anew: v = u.copy(); v[1:-1] = ...; u = v, or with the borders set
// one by one. What is left are the sweeps that tiles of several steps are made of. In loops, too:
//   n[i, j] = 0                    for i < n, j < n         =>   n[i, j] = f(u, i - 1, j) if 1 <= i < n - 1 else 0
//   n[i + 1, j] = f(u, i, j)       for i < n - 2, j < n
//   v[i, j] = f(u, w, i, j);  u, w = w, u;  u[i, j] = v[i, j]   =>   w[i, j] = f(u, w, i, j);  u, w = w, u
#include "Fillings.h"
#include "KnownValues.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {
using namespace ir;

namespace {

constexpr size_t kMostMade = 2; ///< sweeps that make other elements, each of which is copied by itself

class RoundTrips : loops::FunctionPass {
public:
  using FunctionPass::FunctionPass;

  Stmt visit(const Stmt& s) {
    const Stmt inner = inside(s, [&](const Stmt& child) { return child ? visit(child) : child; });
    const auto* list = inner.as<Block>();
    if (!list) return inner;
    std::vector<Stmt> body = list->body;
    bool found = false;
    for (size_t at = 0; at < body.size(); ++at) found |= shorten(body, at);
    for (size_t at = 0; at < body.size() && !known_.loops.empty(); ++at) found |= joinInner(body, at);
    for (size_t at = 0; at < body.size() && !known_.loops.empty(); ++at) found |= takePlace(body, at, s);
    return found ? makeStmt(s->span, Block{std::move(body)}) : inner;
  }

private:
  const Buffer* bufferOf(const Symbol& name) const {
    for (const Buffer& b : function_.buffers)
      if (b.name == name) return &b;
    return nullptr;
  }
  /// An index statement, or a store of one element as one without a domain.
  static std::optional<IndexStmt> statementOf(const Stmt& s) {
    if (const auto* statement = s.as<IndexStmt>()) return *statement;
    const auto* store = s.as<Store>();
    return store ? std::optional(IndexStmt{{}, store->buffer, store->index, store->value, store->atomicOp})
                 : std::nullopt;
  }
  /// The array of which the statement copies elements to the same place of its target.
  static const Load* isCopy(const IndexStmt& s) {
    const auto* load = s.value.as<Load>();
    return load && !s.atomicOp && load->buffer != s.target && equalIndices(load->index, s.index) ? load
                                                                                                 : nullptr;
  }
  /// What the statement stores, as loops.
  static Stmt storesOf(const Stmt& s) {
    const std::optional<IndexStmt> statement = statementOf(s);
    Stmt all = makeStmt(s->span, Store{statement->target, statement->index, intConst(0), {}});
    for (size_t d = statement->domain.size(); d-- > 0;)
      all = makeStmt(s->span, serialLoop(statement->domain[d].index, intConst(0), statement->domain[d].extent,
                                         intConst(1), all));
    return all;
  }

  /// What stores into `away` between its making and the way back.
  struct Trip {
    std::vector<size_t> copies, makers;
    bool isWholeCopied = false;
  };

  /// `list[back]` copies an array that the list has made back whole.
  bool shorten(std::vector<Stmt>& list, size_t back) {
    const auto* last = list[back].as<IndexStmt>();
    const Load* from = last ? isCopy(*last) : nullptr;
    const Buffer *home = last ? bufferOf(last->target) : nullptr,
                 *away = from ? bufferOf(from->buffer) : nullptr;
    if (!home || !away || !storesEach(*last, away->extents) || !haveOneShape(*home, *away)) return false;
    std::optional<Trip> trip = tripOf(list, back, home->name, away->name);
    if (!trip || trip->copies.empty() || trip->makers.empty() || trip->makers.size() > kMostMade ||
        std::any_of(trip->makers.begin(), trip->makers.end(),
                    [&](size_t at) { return storesEach(*statementOf(list[at]), away->extents); }))
      return false;
    std::vector<Stmt> own;
    for (size_t at = 0; at < list.size(); ++at) {
      if (at == back)
        for (const size_t maker : trip->makers)
          own.push_back(copied(*statementOf(list[maker]), list[back], home->name, *away));
      else if (std::count(trip->makers.begin(), trip->makers.end(), at))
        own.push_back(readingHome(list[at], *home, away->name));
      else if (!std::count(trip->copies.begin(), trip->copies.end(), at))
        own.push_back(list[at]);
    }
    ctx_.diag.report(DiagId::DeadStore, list[back]->span,
                     "only what the statements before it have changed is copied back");
    list = std::move(own);
    return true;
  }
  static bool haveOneShape(const Buffer& a, const Buffer& b) {
    return a.type == b.type && equalIndices(a.extents, b.extents);
  }

  std::optional<Trip> tripOf(const std::vector<Stmt>& list, size_t back, const Symbol& home,
                             const Symbol& away) const {
    size_t made = back;
    for (size_t at = 0; at < back; ++at)
      if (const auto* alloc = list[at].as<Alloc>(); alloc && alloc->buffer.name == away) made = at;
    if (made == back) return {};
    Trip trip;
    int counted = usesOf(list[back], away);
    for (size_t at = made + 1; at < back; ++at) {
      if (storedBuffers(list[at]).count(home)) return {};
      const int own = usesOf(list[at], away);
      if (own == 0) continue;
      counted += own;
      const std::optional<IndexStmt> s = statementOf(list[at]);
      if (!s || s->target != away || s->atomicOp) return {};
      const auto isApart = [&](size_t maker) {
        return !analysis::touchSame(storesOf(list[maker]), storesOf(list[at]), known_);
      };
      const bool first = std::all_of(trip.makers.begin(), trip.makers.end(), isApart);
      if (const Load* load = isCopy(*s); load && load->buffer == home) {
        if (!first) return {};
        trip.copies.push_back(at);
        trip.isWholeCopied |= storesEach(*s, bufferOf(away)->extents);
        continue;
      }
      // What it reads of the copy it can read at home: its own element, which nobody has changed yet.
      bool readsOwn = true;
      each<Load>(list[at], [&](const Load& load) {
        if (load.buffer == away) readsOwn &= equalIndices(load.index, s->index);
      });
      if (own > 1 && !(readsOwn && first && trip.isWholeCopied)) return {};
      trip.makers.push_back(at);
    }
    const bool isSeen = std::any_of(function_.results.begin(), function_.results.end(),
                                    [&](const Result& r) { return r.name == away; });
    return isSeen || usesOf(function_.body, away) != counted ? std::nullopt : std::optional(trip);
  }

  static Stmt copied(const IndexStmt& maker, const Stmt& back, const Symbol& home, const Buffer& away) {
    IndexStmt copy = maker;
    std::map<Symbol, Expr> own;
    for (Range& range : copy.domain) {
      const Symbol fresh(range.index.hint());
      own[range.index] = var(fresh);
      range.index = fresh;
    }
    for (Range& range : copy.domain) range.extent = substitute(range.extent, own);
    for (Expr& e : copy.index) e = substitute(e, own);
    copy.value = load(away, copy.index);
    if (copy.domain.empty()) return makeStmt(back->span, Store{home, copy.index, copy.value, {}});
    copy.target = home;
    copy.noOverlap = true;
    return makeStmt(back->span, std::move(copy));
  }
  static Stmt readingHome(const Stmt& maker, const Buffer& home, const Symbol& away) {
    return replace<Load>(
        maker, [&](const Load& load) { return load.buffer == away ? ir::load(home, load.index) : Expr(); });
  }

  //===--- a constant, and what is inside of it -------------------------------------------------------------===//

  /// `list[at]` sets all of an array that the list makes to one number, and then the first one that uses it sets its inner part.
  bool joinInner(std::vector<Stmt>& list, size_t at) {
    const auto* all = list[at].as<IndexStmt>();
    const Buffer* array =
        all && all->value.is<Const>() && !all->atomicOp ? madeIn(list, all->target) : nullptr;
    if (!array || !storesEach(*all, array->extents)) return false;
    size_t next = at + 1;
    while (next < list.size() && usesOf(list[next], array->name) == 0) ++next;
    const auto* inner = next < list.size() ? list[next].as<IndexStmt>() : nullptr;
    if (!inner || inner->target != array->name || usesOf(list[next], array->name) != 1 || inner->atomicOp ||
        inner->domain.size() != array->extents.size() || storesEach(*inner, array->extents))
      return false;
    IndexStmt joint = *inner;
    Expr isInside = boolConst(true);
    std::map<Symbol, Expr> places;
    for (size_t d = 0; d < joint.domain.size(); ++d) {
      const Range& range = inner->domain[d];
      const auto first = constantInt(inner->index[d] - var(range.index));
      if (!first || *first < 0 || mentionsAny(range.extent, indicesOf(*inner)) || readsMemory(range.extent))
        return false;
      const Expr place = var(joint.domain[d].index = Symbol(range.index.hint()));
      joint.domain[d].extent = array->extents[d];
      joint.index[d] = place;
      if (*first > 0) isInside = both(isInside, intConst(*first) <= place);
      isInside = both(isInside, place < range.extent + *first);
      places[range.index] = place - *first;
    }
    joint.value = select(isInside, substitute(inner->value, places), all->value);
    joint.noOverlap = true;
    list[next] = makeStmt(list[next]->span, std::move(joint));
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
    return true;
  }
  static std::set<Symbol> indicesOf(const IndexStmt& s) {
    std::set<Symbol> all;
    for (const Range& range : s.domain) all.insert(range.index);
    return all;
  }
  const Buffer* madeIn(const std::vector<Stmt>& list, const Symbol& array) const {
    const bool isMade = std::ranges::any_of(list, [&](const Stmt& s) {
      const auto* alloc = s.as<Alloc>();
      return alloc && alloc->buffer.name == array;
    });
    return isMade ? bufferOf(array) : nullptr;
  }

  //===--- an array that takes the place of another one -----------------------------------------------------===//

  /// `list[at]` makes an array whole, which behind an exchange of two others is copied into one of them.
  bool takePlace(std::vector<Stmt>& list, size_t at, const Stmt& before) {
    const auto* maker = list[at].as<IndexStmt>();
    const Buffer* made = maker && !maker->atomicOp ? madeIn(list, maker->target) : nullptr;
    if (!made || at + 2 >= list.size() || !storesEach(*maker, made->extents)) return false;
    const auto* exchange = list[at + 1].as<Swap>();
    const auto* copy = list[at + 2].as<IndexStmt>();
    const Load* from = exchange && copy ? isCopy(*copy) : nullptr;
    const bool isFirst = from && copy->target == exchange->a;
    if (!from || from->buffer != made->name || !(isFirst || copy->target == exchange->b) ||
        !storesEach(*copy, made->extents) || usesOf(block(list), made->name) != 2 ||
        usesOf(function_.body, made->name) != usesOf(before, made->name)) // as it stood there
      return false;
    const Symbol place = isFirst ? exchange->b : exchange->a; // so it is called before the exchange
    const Buffer* target = bufferOf(place);
    bool readsOwn = target && haveOneShape(*made, *target);
    each<Load>(list[at], [&](const Load& l) {
      readsOwn = readsOwn && (l.buffer != place || equalIndices(l.index, maker->index));
    });
    if (!readsOwn) return false;
    IndexStmt own = *maker;
    own.target = place;
    own.noOverlap = true;
    list[at] = makeStmt(list[at]->span, std::move(own));
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(at + 2));
    const Symbol gone = made->name;
    std::erase_if(list, [&](const Stmt& s) {
      const auto* alloc = s.as<Alloc>();
      return alloc && alloc->buffer.name == gone;
    });
    function_.buffers.erase(std::ranges::find(function_.buffers, gone, &Buffer::name));
    return true;
  }
};

} // namespace

void dropRoundTrips(Function& f, PassContext& ctx) { f.body = RoundTrips(f, ctx).visit(f.body); }

} // namespace appyc::transform
