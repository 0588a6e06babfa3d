//===- SharedLoops.cpp - loops that are said to be parallel, and what in them runs in order -----------------===//
//   for i in prange(n): out[i] = np.median(a[i])      =>      for i in range(n): ..        # all rows are sorted at once then
// What has all threads to itself (a sort, a factorisation) or stands in order (a list that grows, random numbers) makes a loop an
// open one, which is what Python runs; the function is lowered again. The later passes share out what they can prove.
#include "Lowering.h"

namespace appyc::sema {

size_t LoweringState::loopsOf(const Symbol& memory) const {
  const auto grows = std::ranges::find(growing_, memory, [](const auto& g) { return g.second.buffer; });
  if (grows != growing_.end()) return grows->second.loops.size();
  const auto isIn = [&](size_t list) { // what stands before a loop is in the first of its lists
    return std::any_of(lists_.begin() + static_cast<ptrdiff_t>(list) + 1, lists_.end(),
                       [&](const std::vector<ir::Stmt>& l) { return isMadeBy(l, memory); });
  };
  return static_cast<size_t>(std::ranges::find_if_not(loopLists_, isIn) - loopLists_.begin());
}

bool LoweringState::openLoops(const std::string& why) {
  const auto stays = [&](const ir::For& loop) {
    return isShared(loop) && (loop.hints.threads || !sharedAt_.count(loop.index));
  };
  if (std::ranges::any_of(loops_, stays)) return false;
  for (const ir::For& loop : loops_)
    if (isShared(loop) && listStates_.opened.emplace(sharedAt_.at(loop.index), why).second)
      listStates_.haveChanged = true;
  return listStates_.haveChanged;
}

bool LoweringState::isOfAllIterations(const Symbol& memory) const {
  const size_t inside = std::min(loopsOf(memory), loops_.size());
  return std::any_of(loops_.begin() + static_cast<ptrdiff_t>(inside), loops_.end(), isShared);
}

bool LoweringState::choosesMemory() const {
  return kernel_ || (loops_.size() > 1 && std::any_of(loops_.begin(), loops_.end() - 1, isShared));
}

/// In Numba an array that all iterations of a `prange` add to is a reduction.
void LoweringState::openWhereFolded(const Array& a) {
  if (a.view && isOfAllIterations(a.view->buffer.name) &&
      std::ranges::all_of(loops_, [&](const ir::For& l) { return !isShared(l) || byRange_.count(l.index); }))
    openLoops("a whole array is updated by all iterations");
}

/// There is one thread, as in Python: what it does for each number of one stands in order.
Value Lowering::callThreadNumber(const Bound&) {
  if (std::ranges::any_of(loops_, isShared))
    openLoops("a loop that asks for its thread's number has one thread");
  return Value{Scalar{ir::intConst(0), true}};
}

} // namespace appyc::sema
