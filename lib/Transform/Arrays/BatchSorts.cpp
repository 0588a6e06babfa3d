//===- BatchSorts.cpp - the rows that a loop sorts, or transforms, one by one, all at once ----------------------===//
//   for i in range(M):                     for b in range(ceil(M / many)):                      # one, where all rows fit
//     for j: d[j] = f(i, j)                  c = b * many; n = min(many, M - c)
//     call order_row(in d, out order, N)     for i in [0, n): for j: d[i, j] = f(c + i, j)
//     g(i, d, order)                   =>    call order_rows(in d, out order, n, N)
//                                            for i in [0, n): g(c + i, d[i], order[i])
// A sort has all threads to itself, so that the loop around it would be the host's, with all kernels of an iteration; so has a
// Fourier transform. Only where the iterations may run in any order, or what is before the sort before all that is behind it
// (`power += abs(rfft(x[i:i + n]))`); `many` rows have up to kMost elements together. What is made before the sort and read
// behind it has a place for each of them.
//   an H100, ms                                                      | before | predicted  | now
//   mean, deviation, median, range of each of 1000 rows of 100; 10^5 | 36; -  | -; 1       | 0.025; 0.47
//   the same of 20 rows of 10^6: a block each; one row at a time     | 4.1    | as before  | 28; 3.9
//   the label of most of the 8 nearest of 10^4, 500 points; 10^4     | 78; -  | -; 3       | 0.20; 3.6
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <vector>

namespace appyc::transform {

namespace {

using namespace ir;
using List = std::vector<Stmt>;

constexpr int64_t kMost = int64_t{1} << 24; ///< elements that are sorted at once
constexpr int64_t kLong = 16384,
                  kMany =
                      128; ///< a block each would leave the device idle for longer rows, if there are fewer

/// The routine that does the same to many rows, if it is one for a row.
std::optional<RoutineName> ofRows(RoutineName name) {
  switch (name) {
  case RoutineName::SortRow: return RoutineName::SortRows;
  case RoutineName::OrderRow: return RoutineName::OrderRows;
  case RoutineName::SortEnds:
  case RoutineName::OrderEnds:
  case RoutineName::TransformRows: return name; // of so many rows as its first number says
  default: return std::nullopt;
  }
}

/// A sort of one row that stands right in a loop.
struct LoopSort {
  size_t at;
  Routine call;
  Expr length;

  static std::optional<LoopSort> in(const List& list) {
    for (size_t at = 0; at < list.size(); ++at) {
      const auto* call = list[at].as<Routine>();
      if (!call) continue;
      if (!ofRows(call->name)) return std::nullopt;
      const bool isOfEnds = call->numbers.size() > 2;
      if (isOfEnds && !isConst(call->numbers[0], 1)) return std::nullopt;
      return LoopSort{at, *call, call->numbers[isOfEnds ? 1 : 0]};
    }
    return std::nullopt;
  }
};

class Batching : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

  Stmt replaced(const Stmt& s, const For& loop) override {
    const Stmt rows = isPlainSerial(loop) ? batched(s, loop, live_.after(s)) : Stmt();
    if (!rows) return {};
    const Stmt made = unlessFewAndLong(s, loop, rows);
    std::erase_if(function_.buffers, [&](const Buffer& b) { return replaced_.contains(b.name); });
    return made;
  }

private:
  /// Few rows are long enough for all threads to share each.
  Stmt unlessFewAndLong(const Stmt& s, const For& loop, const Stmt& batched) {
    const Expr length = LoopSort::in(statementsOf(loop.body))->length;
    if (constantInt(length).value_or(kLong + 1) <= kLong || isTransform(loop)) {
      note(DiagId::Parallelised, s, "the rows that loop `{}` {} are {} all at once", loop.index.hint(),
           isTransform(loop) ? "transforms" : "sorts", isTransform(loop) ? "transformed" : "sorted");
      return batched;
    }
    note(DiagId::Parallelised, s,
         "the rows that loop `{}` sorts are sorted all at once, where they are {} and more, or of {} "
         "elements and less",
         loop.index.hint(), kMany, kLong);
    const Expr pays = either(length <= intConst(kLong), loop.hi - loop.lo >= intConst(kMany));
    return Builder{s->span}.when(pays, batched, withOwnArrays(s, function_.buffers));
  }

  static bool isTransform(const For& loop) {
    return LoopSort::in(statementsOf(loop.body))->call.name == RoutineName::TransformRows;
  }

  Stmt batched(const Stmt& s, const For& loop, const std::set<Symbol>& liveAfter) {
    const List body = statementsOf(loop.body);
    const std::optional<LoopSort> sort = LoopSort::in(body);
    if (!sort || !consistsOf<Block, Assign, Store, For, If, Alloc, Routine>(loop.body) ||
        !isFree(s, loop, body, sort->at, liveAfter))
      return {};
    const std::set<Symbol> assigned = assignedVars(loop.body);
    const auto isSame = [&](const Expr& e) {
      return !readsMemory(e) && !mentionsAny(e, assigned) && !mentions(e, loop.index);
    };
    if (!std::ranges::all_of(sort->call.numbers, isSame) || !isSame(loop.lo) || !isSame(loop.hi)) return {};
    const List before(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(sort->at)),
        behind(body.begin() + static_cast<std::ptrdiff_t>(sort->at) + 1, body.end());
    const Builder build{s->span};
    List out;
    const Expr many = build.let(
        "many", maxOf(minOf(floorDiv(intConst(kMost), maxOf(sort->length, 1)), loop.hi - loop.lo), 1), out);
    List firsts, rests;
    const std::optional<loops::Expanded> kept = widened(*sort, body, many, isSame, rests);
    if (!kept) return {};
    const loops::Expanded& wide = *kept;
    const auto isOwnRow = [&](const Routine::Operand& o) {
      return wide.contains(o.buffer) &&
             std::ranges::all_of(o.at, [](const Expr& e) { return isConst(e, 0); }) &&
             equalIndex(pointsOf(wide.at(o.buffer)), sort->length);
    };
    if (!std::ranges::all_of(sort->call.operands, isOwnRow)) return {};
    for (const auto& [name, array] : wide) {
      function_.buffers.push_back(array);
      out.push_back(build.alloc(array));
      replaced_.insert(name);
    }

    const Symbol batch("batch");
    List chunk;
    const Expr begin = build.let("first_row", loop.lo + var(batch) * many, chunk),
               n = build.let("rows", minOf(many, loop.hi - begin), chunk);
    For first = part(loop, n), rest = part(loop, n);
    const List moved = rests;
    const auto stays = [&](const Stmt& x) {
      const auto* made = x.as<Alloc>();
      return !made || !(wide.contains(made->buffer.name) || std::ranges::count(moved, x) > 0);
    };
    std::ranges::copy_if(before, std::back_inserter(firsts), stays);
    std::ranges::copy_if(behind, std::back_inserter(rests), stays);
    const Expr position = var(loop.index) - begin;
    for (const Symbol& name : analysis::exposedScalars(block(rests)))
      if (assignedVars(block(before)).contains(name))
        carry(build, name, position, many, {firsts, rests, out});
    first.body =
        substitute(loops::expanded(block(firsts), wide, position), {{loop.index, begin + var(first.index)}});
    rest.body =
        substitute(loops::expanded(block(rests), wide, position), {{loop.index, begin + var(rest.index)}});
    if (!firsts.empty()) chunk.push_back(makeStmt(s->span, first));
    chunk.push_back(makeStmt(body[sort->at]->span, ofBatch(sort->call, wide, n)));
    const Stmt behindIt = makeStmt(s->span, rest);
    const Stmt next = batched(behindIt, rest, liveAfter);
    chunk.push_back(next ? next : behindIt);
    out.push_back(build.make(serialLoop(batch, intConst(0), ceilDiv(loop.hi - loop.lo, many), intConst(1),
                                        block(std::move(chunk)))));
    return block(std::move(out));
  }

  /// What both parts touch, and the sort, with a place for each of `many` rows; what else the part behind the sort makes goes to
  /// `rests`. Nothing where iterations have arrays of unlike sizes.
  std::optional<loops::Expanded> widened(const LoopSort& sort, const List& body, const Expr& many,
                                         const std::function<bool(const Expr&)>& isSame, List& rests) const {
    const auto at = body.begin() + static_cast<std::ptrdiff_t>(sort.at);
    loops::Expanded wide;
    for (auto it = body.begin(); it != body.end(); ++it) {
      const auto* made = it->as<Alloc>();
      if (!made) continue;
      const Symbol& name = made->buffer.name;
      const auto isTouched = [&](const Stmt& x) { return !x.is<Alloc>() && touches(x, name); };
      const bool isOfSort =
          std::ranges::any_of(sort.call.operands, [&](const auto& o) { return o.buffer == name; });
      const bool isOfRest = std::any_of(at + 1, body.end(), isTouched);
      if (!isOfSort && !(isOfRest && std::any_of(body.begin(), at, isTouched))) {
        if (it < at && isOfRest) rests.push_back(*it);
        continue;
      }
      if (made->buffer.onChip || !std::ranges::all_of(made->buffer.extents, isSame)) return std::nullopt;
      Buffer all = loops::expandedOver(made->buffer, many);
      if (function_.findBuffer(name)->places == std::vector{name}) all.places = {all.name}; // an order
      wide.emplace(name, std::move(all));
    }
    return wide;
  }

  /// The sort of so many rows of a batch.
  static Routine ofBatch(Routine call, const loops::Expanded& wide, const Expr& rows) {
    call.name = *ofRows(call.name);
    if (call.numbers.size() > 2)
      call.numbers[0] = rows;
    else
      call.numbers.insert(call.numbers.begin(), rows);
    for (Routine::Operand& o : call.operands) {
      o.buffer = wide.at(o.buffer).name;
      o.at.insert(o.at.begin(), intConst(0));
    }
    return call;
  }

  /// May all that an iteration does before its sort, and the sort, come before what it does behind it, of all iterations? Or may
  /// these run in any order? Taking a sort for a loop over its row.
  bool isFree(const Stmt& s, const For& loop, const List& body, size_t at,
              const std::set<Symbol>& liveAfter) const {
    const auto all = asLoops(s, body);
    if (!all) return false;
    if (mayTurn(loop, *all, liveAfter)) return true;
    const auto behind = body.begin() + static_cast<std::ptrdiff_t>(at) + 1;
    const List rest(behind, body.end());
    List first(all->begin(), all->begin() + static_cast<std::ptrdiff_t>(at) + 1);
    std::set<Symbol> own;
    for (const Stmt& x : body)
      if (const auto* made = x.as<Alloc>()) own.insert(made->buffer.name);
    const auto meet = [&](const List& one, const List& other) { // in an array that is not an iteration's own
      const std::set<Symbol> stored = storedBuffers(block(one));
      return std::ranges::any_of(
          stored, [&](const Symbol& b) { return !own.contains(b) && touches(block(other), b); });
    };
    if (meet(rest, first) || meet(first, rest)) return false;
    return !intersect(assignedVars(block(rest)), analysis::exposedScalars(block(first))) &&
           mayTurn(loop, std::move(first), liveAfter);
  }
  bool mayTurn(const For& loop, List body, const std::set<Symbol>& liveAfter) const {
    const analysis::ParallelVerdict v =
        analysis::judgeParallel(withBody(loop, block(std::move(body))), known_, liveAfter);
    return v.isFree() && v.reductions.empty();
  }
  std::optional<List> asLoops(const Stmt& s, const List& body) const {
    const Builder build{s->span};
    List list;
    for (const Stmt& part : body) {
      const auto* call = part.as<Routine>();
      if (!call) {
        if (anyStmt(part, [](const Stmt& x) { return x.is<Routine>(); })) return std::nullopt;
        list.push_back(part);
        continue;
      }
      if (call->operands.size() > 2 || !ofRows(call->name)) return std::nullopt;
      const Buffer* to = function_.findBuffer(call->operands.back().buffer);
      const Buffer* from = function_.findBuffer(call->operands.front().buffer);
      if (!to || !from || to->extents.size() != 1 || from->extents.size() != 1) return std::nullopt;
      const Symbol k("k");
      const Expr read = load(*from, {var(k)});
      list.push_back(build.make(serialLoop(k, intConst(0), call->numbers[call->numbers.size() > 2 ? 1 : 0],
                                           intConst(1), build.store(*to, {var(k)}, cast(to->type, read)))));
    }
    return list;
  }

  static Expr pointsOf(const Buffer& wide) {
    Expr all = intConst(1);
    for (size_t d = 1; d < wide.extents.size(); ++d) all = all * wide.extents[d];
    return all;
  }

  struct Parts {
    List &firsts, &rests, &outside;
  };
  /// A scalar that the first part leaves to the rest: an element for each row.
  void carry(const Builder& build, const Symbol& name, const Expr& position, const Expr& many, Parts to) {
    DType type = DType::I64;
    for (const Stmt& s : to.firsts)
      each<Assign>(s, [&](const Assign& a) {
        if (a.var == name) type = typeOf(a.value);
      });
    const Buffer all{Symbol(name.hint() + "_of_rows"), type, {many}};
    function_.buffers.push_back(all);
    to.outside.push_back(build.alloc(all));
    to.firsts.push_back(build.store(all, {position}, var(name, type)));
    to.rests.insert(to.rests.begin(), build.assign(name, load(all, {position})));
  }

  static For part(const For& loop, const Expr& n) {
    For own = loop;
    own.index = Symbol(loop.index.hint());
    own.lo = intConst(0);
    own.hi = n;
    own.hints.origins.clear();
    return own;
  }

  std::set<Symbol> replaced_; ///< arrays of a row, by those of many
};

} // namespace

void batchSorts(Function& f, PassContext& ctx) { f.body = Batching(f, ctx).visit(f.body); }

} // namespace appyc::transform
