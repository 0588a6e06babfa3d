//===- SelectEnds.cpp - where one end of a sorted array is read, no more of it is sorted -------------------===//
//   call order_rows(in keys, out order, M, N)                call order_ends(in keys, out order, M, N, 0, k)
//   for i < M, j < k:  near[i, j] = order[i, j]        =>    for i < M, j < k:  near[i, j] = order[i, j]
// From the loops around each read follow the places [begin, end) that are read, as the host knows them at the call: the first or
// the last few, whatever the length is. Reads through a copy in another order of the axes (`axis=0`) are of the array itself.
#include "Fillings.h"
#include "KnownValues.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Walk.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::transform {
using namespace ir;

namespace {

constexpr int64_t kMostEnds = 256; ///< as many are selected without a sort (ends.cuh)

/// The sort of rows whose result is `sorted`.
struct RowSort {
  Symbol sorted;
  bool isOrder = false;
  Expr rows = intConst(1), length;
  Routine::Operand keys, to;

  static std::optional<RowSort> of(const Stmt& s) {
    const auto* call = s.as<Routine>();
    if (!call) return std::nullopt;
    const RoutineName name = call->name;
    const bool isOrder = name == RoutineName::OrderRow || name == RoutineName::OrderRows;
    if (!isOrder && name != RoutineName::SortRow && name != RoutineName::SortRows) return std::nullopt;
    RowSort found{call->operands[1].buffer, isOrder,           intConst(1),
                  call->numbers.back(),     call->operands[0], call->operands[1]};
    if (call->numbers.size() > 1) found.rows = call->numbers[0];
    return found;
  }

  Routine onlyAmong(const Expr& begin, const Expr& end) const {
    return {isOrder ? RoutineName::OrderEnds : RoutineName::SortEnds, {keys, to}, {rows, length, begin, end}};
  }
};

/// How many of a row's places are read: up to the last one, and from the first one to the row's end. Unset: nobody knows.
class ReadPlaces {
public:
  ReadPlaces(const RowSort& sort, const std::map<Symbol, int>& assignments)
      : sort_(sort), assignments_(assignments) {}

  Expr firsts, lasts;
  int count = 0; ///< of loads

  void visit(const Stmt& s, std::map<Symbol, Expr>& known) {
    if (!s) return;
    forEachExpr(s, [&](const Expr& e) { note(e, known); });
    if (const auto* list = s.as<Block>()) {
      for (const Stmt& inner : list->body) visit(inner, known);
      return;
    }
    if (const auto* a = s.as<Assign>()) {
      const Expr value = substitute(a->value, known);
      if (assignments_.at(a->var) == 1 && !readsMemory(value)) known[a->var] = value;
      return;
    }
    std::map<Symbol, Expr> inside = known;
    const auto* loop = s.as<For>();
    For bounded;
    if (loop) { // with bounds in terms of what is known before
      bounded = *loop;
      bounded.lo = substitute(loop->lo, known);
      bounded.hi = substitute(loop->hi, known);
      around_.push_back(&bounded);
    }
    forEachChild(s, [&](const Stmt& inner) { visit(inner, inside); });
    if (loop) around_.pop_back();
  }

private:
  void note(const Expr& e, const std::map<Symbol, Expr>& known) {
    ir::visit(e, [&](const Expr& part) {
      const auto* load = part.as<Load>();
      if (!load || load->buffer != sort_.sorted) return true;
      const Expr place = substitute(load->index.back(), known);
      widen(firsts, analysis::upperBound(place + 1, around_));
      widen(lasts, analysis::upperBound(sort_.length - place, around_));
      ++count;
      return true;
    });
  }
  void widen(Expr& most, const Expr& by) {
    if (count == 0)
      most = by;
    else if (!most || !by)
      most = {};
    else if (!equal(most, by))
      most = maxOf(most, by);
  }

  const RowSort& sort_;
  const std::map<Symbol, int>& assignments_;
  std::vector<const For*> around_;
};

/// Every scalar's assignments, and as many more for a loop's index.
std::map<Symbol, int> assignmentsIn(const Stmt& s) {
  std::map<Symbol, int> all;
  visit(s, [&](const Stmt& part) {
    for (const Symbol& name : part.is<Assign>() ? assignedVars(part) : std::set<Symbol>{}) ++all[name];
    if (const auto* loop = part.as<For>()) all[loop->index] += 2;
    return true;
  });
  return all;
}

/// Is it few, where the rows are long and all other sizes are small?
bool isFew(const Expr& count, const Expr& length) {
  const std::set<Symbol> longs = freeVars(length);
  const Expr value = replace<Var>(count, [&](const Var& v) {
    return isInteger(v.type) ? intConst(longs.contains(v.name) ? int64_t{1} << 30 : 8, v.type) : Expr();
  });
  const std::optional<int64_t> n = constantInt(value), all = constantInt(length);
  return n && *n <= kMostEnds && (!all || *n < *all);
}

class Ends {
public:
  Ends(Function& f, PassContext& ctx)
      : function_(f), ctx_(ctx), assignments_(assignmentsIn(f.body)), interface_(interfaceOf(f)) {}

  Stmt visit(const Stmt& s) {
    if (s.is<Launch>()) return s;
    const Stmt inner = mapChildren(s, [&](const Stmt& child) { return child ? visit(child) : child; });
    const auto* list = inner.as<Block>();
    if (!list) return inner;
    std::vector<Stmt> body = list->body;
    bool found = false;
    for (size_t at = 0; at < body.size(); ++at)
      if (const auto sort = RowSort::of(body[at])) found |= shorten(body, at, *sort);
    return found ? block(std::move(body)) : inner;
  }

private:
  /// Is it the function's own, stored by one statement, and read element by element?
  bool isPlain(const Symbol& array, const Stmt& maker) const {
    bool plain = !interface_.contains(array);
    ir::visit(function_.body, [&](const Stmt& s) {
      const bool holdsOthers = s.is<Block>() || s.is<For>() || s.is<If>() || s.is<While>();
      const bool isElements =
          s.is<Assign>() || s.is<Require>() || s.is<Print>() || s.is<Return>() || s.is<Alloc>();
      if (holdsOthers || isElements) return true;
      if (s.is<Store>() && s != maker) plain &= !storedBuffers(s).contains(array);
      if (s.is<Store>() || s == maker) return true;
      const auto* swap = s.as<Swap>();
      const auto* launch = s.as<Launch>();
      plain &= !touches(s, array) && !(swap && (swap->a == array || swap->b == array));
      plain &= !launch ||
               std::ranges::none_of(launch->arguments, [&](const Argument& a) { return a.array == array; });
      return !launch;
    });
    return plain;
  }

  static int loadsIn(const std::vector<Stmt>& list, size_t from, const Symbol& array) {
    int count = 0;
    for (size_t k = from; k < list.size(); ++k) count += countLoads(list[k], array);
    return count;
  }

  bool shorten(std::vector<Stmt>& body, size_t at, const RowSort& sort) {
    if (!isPlain(sort.sorted, body[at]) || !areLoadedBehind(body, at, sort.sorted)) return false;
    std::vector<Stmt> direct = body;
    std::set<Symbol> copies;
    for (size_t k = at + 1; k < direct.size(); ++k)
      if (const Symbol copy = readDirectly(direct, k, sort.sorted)) copies.insert(copy);
    if (!copies.empty() && shortenAsItIs(direct, at, sort)) {
      std::erase_if(function_.buffers, [&](const Buffer& b) { return copies.contains(b.name); });
      return body = std::move(direct), true;
    }
    return shortenAsItIs(body, at, sort);
  }

  bool areLoadedBehind(const std::vector<Stmt>& list, size_t at, const Symbol& array) const {
    return loadsIn(list, at + 1, array) == countLoads(function_.body, array);
  }

  /// The nest that fills an array and its Alloc in front of it, if it is the function's own and read element by element.
  struct Made {
    Filling by;
    std::vector<Stmt>::iterator alloc;
  };
  std::optional<Made> madeBy(const std::vector<Stmt>::iterator nest, std::vector<Stmt>& list,
                             const Buffer* array) const {
    const auto alloc = std::find_if(list.begin(), nest, [&](const Stmt& s) {
      const auto* a = s.as<Alloc>();
      return a && array && a->buffer.name == array->name;
    });
    std::optional<Filling> by = alloc != nest ? fillingOf(*nest, *array) : std::nullopt;
    if (!by || !by->names.empty() || !isPlain(array->name, by->store)) return std::nullopt;
    return Made{std::move(*by), alloc};
  }

  /// Has what is behind list[at], if that copies the array to another one and nothing more, read the array itself; the
  /// other one's name.
  Symbol readDirectly(std::vector<Stmt>& list, size_t at, const Symbol& array) const {
    const auto nest = list.begin() + static_cast<std::ptrdiff_t>(at);
    const std::set<Symbol> stored = storedBuffers(*nest);
    const Buffer* copy = stored.size() == 1 ? function_.findBuffer(*stored.begin()) : nullptr;
    const auto made = madeBy(nest, list, copy);
    const auto* load = made ? made->by.value.as<Load>() : nullptr;
    if (!load || load->buffer != array || !areLoadedBehind(list, at, copy->name)) return {};
    std::for_each(nest + 1, list.end(), [&](Stmt& s) { s = withValues(s, copy->name, made->by); });
    *nest = *made->alloc = block({});
    return copy->name;
  }

  bool shortenAsItIs(std::vector<Stmt>& body, size_t at, const RowSort& sort) {
    ReadPlaces read(sort, assignments_);
    std::map<Symbol, Expr> known;
    std::set<Symbol> changing;
    for (size_t k = at + 1; k < body.size(); ++k) {
      read.visit(body[k], known);
      changing.merge(assignedVars(body[k]));
      changing.merge(loopIndices(body[k]));
    }
    const auto isUseful = [&](const Expr& count) {
      return count && !readsMemory(count) && !mentionsAny(count, changing) && isFew(count, sort.length);
    };
    const bool areFirsts = isUseful(read.firsts), areLasts = isUseful(read.lasts);
    if (!areFirsts && !areLasts) return false;
    ctx_.diag.report(
        DiagId::Selected, body[at]->span,
        fmt::format("only the {} elements of what is sorted are read: where they are at most {}, "
                    "they are selected, and the others are not sorted",
                    areFirsts ? "first" : "last", kMostEnds));
    const Expr begin = areLasts ? sort.length - read.lasts : intConst(0);
    body[at] = makeStmt(body[at]->span, sort.onlyAmong(begin, areFirsts ? read.firsts : sort.length));
    return true;
  }

  Function& function_;
  PassContext& ctx_;
  std::map<Symbol, int> assignments_;
  std::set<Symbol> interface_;
};

} // namespace

void selectEnds(Function& f, PassContext& ctx) { f.body = Ends(f, ctx).visit(f.body); }

} // namespace appyc::transform
