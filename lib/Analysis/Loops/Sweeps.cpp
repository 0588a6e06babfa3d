//===- Sweeps.cpp - loops over time as sweeps over arrays of one shape ----------------------------------===//
#include "appyc/Analysis/Sweeps.h"
#include "appyc/IR/Called.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::analysis {
using namespace ir;

std::optional<int64_t> distance(const Expr& e, const Expr& base) {
  return equalIndex(e, base) ? 0 : constantInt(e - base);
}

namespace {

/// k, where the subscript is (index + k) modulo the extent: as a remainder, or written out for neighbours.
///   i + k + n if i + k < 0 else i + k,   i + k if i + k < n else i + k - n
std::optional<int64_t> aroundEnds(const Expr& subscript, const Expr& index, const Expr& extent) {
  const auto isSame = [](const Expr& a, const Expr& b) { return distance(a, b) == 0; };
  if (const auto* rest = subscript.as<Binary>())
    return rest->op == BinaryOp::Mod && isSame(rest->rhs, extent) ? distance(rest->lhs, index) : std::nullopt;
  const auto* choice = subscript.as<Select>();
  const auto* test = choice ? choice->cond.as<Binary>() : nullptr;
  if (!test || test->op != BinaryOp::Lt) return {};
  const Expr tested = test->lhs - test->rhs; // negative
  const auto after = distance(choice->then, index), before = distance(choice->otherwise, index);
  if (before && isSame(choice->then, choice->otherwise + extent) && isSame(tested, choice->otherwise))
    return before;
  if (after && isSame(choice->otherwise, choice->then - extent) && isSame(tested, choice->then - extent))
    return after;
  return {};
}

/// What a sweep has just stored, it has in a variable:   t[i] = e; u[i] = t[i] + 1  =>  t_1 = e; t[i] = t_1; u[i] = t_1 + 1
Stmt withNamedStores(const Stmt& body) {
  std::vector<Stmt> list = statementsOf(body);
  for (size_t at = 0; at + 1 < list.size(); ++at) {
    const auto* found = list[at].as<Store>();
    if (!found || found->atomicOp) continue;
    Store store = *found;
    const Expr name = var(Symbol(store.buffer.hint()), typeOf(store.value));
    bool isRead = false;
    for (size_t next = at + 1; next < list.size(); ++next) {
      if (storedBuffers(list[next]).count(store.buffer)) break;
      const Stmt named = replace<Load>(list[next], [&](const Load& l) {
        const bool isSame = l.buffer == store.buffer && equalIndices(l.index, store.index);
        return isSame ? cast(l.type, name) : Expr();
      });
      isRead |= !(named == list[next]);
      list[next] = named;
    }
    if (!isRead) continue;
    const Stmt set = makeStmt(list[at]->span, Assign{name.as<Var>()->name, store.value});
    store.value = name;
    list[at] = makeStmt(list[at]->span, std::move(store));
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(at++), set);
  }
  return block(std::move(list));
}

/// The number of cells from the sweep's index to the subscript.
std::optional<int64_t> offsetOf(const Sweep::Dim& dim, const Expr& subscript, bool& around) {
  const Expr index = dim.fixed ? dim.lo : var(dim.index);
  const auto straight = distance(subscript, index);
  around = !straight && !dim.fixed;
  return around ? aroundEnds(subscript, index, dim.extent) : straight;
}

constexpr int kOperationsOfCall = 16;
constexpr int64_t kMostDistance = 8, kFewSteps = 4;

class Recognition {
public:
  Recognition(const For& loop, const std::vector<Buffer>& buffers, int mostOperations, std::string& why)
      : mostOperations_(mostOperations), why_(why) {
    time_.loop = &loop;
    stored_ = storedBuffers(loop.body);
    std::set<Symbol> made;
    each<Alloc>(loop.body, [&](const Alloc& a) { made.insert(a.buffer.name); });
    for (const bool isTemporary : {false, true})
      for (const Buffer& b : buffers)
        if (stored_.count(b.name) && (made.count(b.name) != 0) == isTemporary)
          time_.arrays.push_back({b, -1, {}, isTemporary, isTemporary, false});
  }

  std::optional<TimeLoop> run() {
    const For& loop = *time_.loop;
    if (isBound(loop) || loop.hints.mark == LoopMark::Sequential || !tripCount(loop))
      return fail("its order or step is fixed");
    if (constantTrip(loop).value_or(kFewSteps) < kFewSteps) return fail("there are few steps");
    for (const Stmt& s : statementsOf(loop.body)) {
      const auto* launch = s.as<Launch>();
      if (s.is<Alloc>()) continue;
      if (!launch || !launch->body) return fail("it does more than launch kernels");
      if (time_.kernel.empty()) time_.kernel = launch->name;
      if (!addSweep(launch->body)) return fail("a kernel is not a plain and cheap sweep over arrays");
    }
    if (time_.sweeps.empty()) return fail("it launches nothing");
    if (!haveOneShape()) return fail("its arrays are of different shapes, or of more than two dimensions");
    if (!relateAll()) return fail("a subscript is not an index and a small constant");
    if (!findWraps()) return fail("some neighbours go on at the other end of the array, and others do not");
    if (std::any_of(time_.sweeps.begin(), time_.sweeps.end(), readsWrittenElsewhere))
      return fail("a sweep reads what it writes away from its own place");
    for (StateArray& array : time_.arrays) findWriter(array);
    for (StateArray& a : time_.arrays)
      if (a.isTemporary && a.writer < 0) a.isTemporary = false, a.isMadeOnce = true;
    if (std::all_of(time_.arrays.begin(), time_.arrays.end(),
                    [](const StateArray& a) { return a.writer >= 0; }))
      return fail("no step needs the one before");
    return std::move(time_);
  }

private:
  std::nullopt_t fail(const char* why) {
    why_ = why;
    return std::nullopt;
  }

  /// Perfectly nested parallel loops, one thread an iteration, over stores and what they need.
  bool addSweep(const Stmt& body) {
    Sweep sweep;
    sweep.body = body;
    std::set<Symbol> indices{time_.loop->index};
    while (const auto* loop = sweep.body.as<For>()) {
      if (!loop->mapping.is<PerThread>() || loop->order != Order::Proven || !loop->reductions.empty() ||
          !isConst(loop->step, 1))
        return false;
      for (const Expr& bound : {loop->lo, loop->hi})
        if (readsMemory(bound) || mentionsAny(bound, indices)) return false;
      sweep.dims.push_back({loop->index, loop->lo, loop->hi});
      indices.insert(loop->index);
      const std::vector<Stmt> inside = statementsOf(loop->body);
      sweep.body = inside.size() == 1 ? inside.front() : loop->body;
    }
    indices.merge(assignedVars(time_.loop->body));
    sweep.body = withNamedStores(inLargeArrays(sweep.body, indices));
    int operations = 0;
    bool plain = !sweep.dims.empty();
    visit(
        sweep.body,
        [&](const Stmt& s) {
          const auto* store = s.as<Store>();
          plain &= s.is<Block>() || s.is<Assign>() || s.is<If>() || (store && !store->atomicOp);
          return plain;
        },
        [&](const Expr& e) {
          const auto count = [&](const Expr& part) {
            operations += part.is<Binary>() + kOperationsOfCall * (part.is<Call>() || part.is<Apply>());
          };
          const auto* own = e.as<Apply>();
          if (!own || !visitBody(*own, count)) count(e);
          return true;
        });
    time_.sweeps.push_back(std::move(sweep));
    return plain && operations <= mostOperations_;
  }

  /// Python's wrap of a place that is counted from the end of an axis, `n - 2`, is none where the axis is long enough.
  Stmt inLargeArrays(const Stmt& body, const std::set<Symbol>& varying) {
    return rewrite(
        body, [](const Stmt&) { return Stmt(); },
        [&](const Expr& e) {
          const auto* choice = e.as<Select>();
          const auto* test = choice ? choice->cond.as<Binary>() : nullptr;
          if (!test || test->op != BinaryOp::Lt || !isConst(test->rhs, 0) ||
              !equalIndex(test->lhs, choice->otherwise) || readsMemory(e) || mentionsAny(e, varying))
            return Expr();
          const auto isSame = [&](const Expr& least) { return equalIndex(least, test->lhs); };
          if (std::ranges::none_of(time_.leasts, isSame)) time_.leasts.push_back(test->lhs);
          return choice->otherwise;
        });
  }

  /// A temporary may be smaller: it gets the shape of the others.
  bool haveOneShape() {
    if (time_.arrays.empty() || time_.arrays.front().isTemporary) return false;
    const std::vector<Expr>& shape = time_.arrays.front().buffer.extents;
    if (shape.empty() || shape.size() > 2) return false;
    for (StateArray& a : time_.arrays) {
      std::vector<Expr>& own = a.buffer.extents;
      const bool fits = own.size() == shape.size() &&
                        std::equal(own.begin(), own.end(), shape.begin(), [&](const Expr& e, const Expr& of) {
                          return equalIndex(e, of) || (a.isTemporary && isSmaller(e, of));
                        });
      if (!fits) return false;
      own = shape;
    }
    return true;
  }
  /// n - 2, or max(n - 2, 0), beside n.
  static bool isSmaller(const Expr& extent, const Expr& of) {
    const auto* most = extent.as<Binary>();
    const bool isClamped = most && most->op == BinaryOp::Max && isConst(most->rhs, 0);
    return distance(isClamped ? most->lhs : extent, of).value_or(1) <= 0;
  }

  bool relateAll() {
    std::vector<Sweep> related;
    for (const Sweep& sweep : time_.sweeps) {
      Sweep whole = sweep;
      if (relate(whole)) {
        related.push_back(std::move(whole));
        continue;
      }
      for (Sweep& part : oneByOne(sweep)) {
        if (!relate(part)) return false;
        related.push_back(std::move(part));
      }
    }
    time_.sweeps = std::move(related);
    return true;
  }
  /// In a dimension that goes on at its other end all sweeps see it so.
  bool findWraps() {
    for (size_t d = 0; d < time_.arrays.front().buffer.extents.size(); ++d) {
      const auto wraps = [&](const Sweep& sweep) { return sweep.dims[d].around; };
      time_.wraps.push_back(std::any_of(time_.sweeps.begin(), time_.sweeps.end(), wraps));
      const auto fits = [&](const Sweep& sweep) {
        const Sweep::Dim& dim = sweep.dims[d];
        return !dim.fixed && !dim.straight && isConst(dim.lo, 0) && equalIndex(dim.hi, dim.extent);
      };
      if (time_.wraps.back() && !std::all_of(time_.sweeps.begin(), time_.sweeps.end(), fits)) return false;
    }
    return true;
  }
  /// Stores of one nest each in a sweep of its own, as those of opposite borders: no two iterations share an element.
  static std::vector<Sweep> oneByOne(const Sweep& sweep) {
    std::vector<Sweep> all;
    for (const Stmt& s : statementsOf(sweep.body)) {
      if (!s.is<Store>()) return {sweep};
      all.push_back(sweep);
      all.back().body = s;
    }
    return all;
  }

  /// Brings the sweep's loops into the order of the arrays' dimensions, and collects its accesses.
  bool relate(Sweep& sweep) {
    const std::vector<Sweep::Dim> loops = std::move(sweep.dims);
    sweep.dims.clear();
    const std::set<Symbol> assigned = assignedVars(sweep.body);
    bool good = true;
    visit(
        sweep.body,
        [&](const Stmt& s) {
          if (const auto* store = s.as<Store>())
            good = good && relateAccess(sweep, loops, store->buffer, store->index, sweep.stores);
          return good;
        },
        [&](const Expr& e) {
          const auto* l = e.as<Load>();
          if (l && stored_.count(l->buffer))
            good = good && relateAccess(sweep, loops, l->buffer, l->index, sweep.loads);
          else if (l) // halo cells may hold anything, which is no index
            for (const Expr& i : l->index) good = good && !readsMemory(i) && !mentionsAny(i, assigned);
          return good;
        });
    std::set<Symbol> changing = assigned;
    changing.insert(time_.loop->index);
    for (const Sweep::Dim& d : sweep.dims) // one place for all steps
      good = good && !(d.fixed && (readsMemory(d.lo) || mentionsAny(d.lo, changing)));
    good = good && !sweep.stores.empty(); // what only sets scalars is none
    return good && std::all_of(loops.begin(), loops.end(), [&](const Sweep::Dim& loop) {
             return std::any_of(sweep.dims.begin(), sweep.dims.end(),
                                [&](const Sweep::Dim& d) { return d.index == loop.index; });
           });
  }

  bool relateAccess(Sweep& sweep, const std::vector<Sweep::Dim>& loops, const Symbol& array,
                    const std::vector<Expr>& index, std::vector<Sweep::Access>& into) {
    const bool first = sweep.dims.empty();
    Sweep::Access access{array, {}};
    for (size_t d = 0; d < index.size(); ++d) {
      if (first) {
        sweep.dims.push_back(dimOf(loops, index[d]));
        sweep.dims[d].extent = time_.arrays.front().buffer.extents[d];
      }
      Sweep::Dim& dim = sweep.dims[d];
      bool around = false;
      const auto by = offsetOf(dim, index[d], around);
      if (!by || std::abs(*by) > kMostDistance) return false;
      dim.around |= around;
      dim.straight |= !around && *by != 0;
      dim.least = first ? *by : std::min(dim.least, *by);
      dim.most = first ? *by : std::max(dim.most, *by);
      access.offset.push_back(*by);
    }
    into.push_back(std::move(access));
    return true;
  }
  /// The loop that the subscript follows, or the one place where it stays.
  static Sweep::Dim dimOf(const std::vector<Sweep::Dim>& loops, const Expr& subscript) {
    for (const Sweep::Dim& loop : loops)
      if (mentions(subscript, loop.index)) return loop;
    return {Symbol("at"), subscript, subscript + 1, true};
  }

  /// Elements that it does not write where it writes the first one.
  static bool readsWrittenElsewhere(const Sweep& sweep) {
    return std::any_of(sweep.stores.begin(), sweep.stores.end(), [&](const Sweep::Access& s) {
      return s.offset != sweep.stores.front().offset &&
             std::any_of(sweep.loads.begin(), sweep.loads.end(),
                         [&](const Sweep::Access& l) { return l.array == s.array; });
    });
  }

  void findWriter(StateArray& array) {
    int stores = 0;
    for (size_t i = 0; i < time_.sweeps.size(); ++i) {
      const Sweep& sweep = time_.sweeps[i];
      if (stores == 0 && loadedBuffers(sweep.body).count(array.buffer.name)) return;
      for (const Sweep::Access& s : sweep.stores)
        if (s.array == array.buffer.name && ++stores == 1) array.writerOffset = s.offset;
      // Where it stands under a condition, the element before may stay.
      for (const Stmt& s : statementsOf(sweep.body))
        if (const auto* store = s.as<Store>(); store && store->buffer == array.buffer.name)
          array.writer = static_cast<int>(i);
    }
    if (stores != 1) array.writer = -1;
  }

  TimeLoop time_;
  std::set<Symbol> stored_;
  int mostOperations_; ///< sweeps that compute more an element are not held up by memory
  std::string& why_;
};

} // namespace

Sweep::Access Sweep::accessOf(const Symbol& array, const std::vector<Expr>& subscripts) const {
  Access access{array, {}};
  bool around = false;
  for (size_t d = 0; d < subscripts.size(); ++d)
    access.offset.push_back(*offsetOf(dims[d], subscripts[d], around));
  return access;
}

bool Sweep::isAtPlace() const {
  return std::any_of(dims.begin(), dims.end(), [](const Dim& d) { return d.fixed; });
}

std::optional<TimeLoop> timeLoopOf(const For& loop, const std::vector<Buffer>& buffers, int mostOperations,
                                   std::string& why) {
  return Recognition(loop, buffers, mostOperations, why).run();
}

} // namespace appyc::analysis
