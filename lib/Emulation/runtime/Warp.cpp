//===- Warp.cpp - warp barriers, shuffles and votes ---------------------------------------------------===//
#include "Block.h"

namespace emulation {

/// Lanes that this thread's warp has when all its threads are alive: the last warp of a block may be partial.
static unsigned lanesOf(const Thread& thread) {
  unsigned first = thread.linear / 32 * 32, size = thread.block->size;
  return size - first >= 32 ? ~0u : (1u << (size - first)) - 1;
}

static void complete(Warp& warp) {
  warp.arrived = 0;
  ++warp.epoch;
  warp.syncs += warp.ordering;
}

/// Waits for the lanes of the mask; `ordering` also orders their memory accesses.
static void warpBarrier(Site site, unsigned mask, bool ordering = false) {
  Thread& thread = *current;
  Warp& warp = *thread.warp;
  if (!(mask >> thread.lane() & 1))
    fail("warp operation at %s: lane %u is not in its own mask %08x", site.text().c_str(), thread.lane(),
         mask);
  unsigned exited = mask & ~warp.live & lanesOf(thread);
  if (kCheck && exited)
    fail("warp operation at %s: mask %08x names exited lanes %08x", site.text().c_str(), mask, exited);
  mask &= warp.live;
  if (!warp.arrived) warp.needed = mask, warp.ordering = ordering;
  if (warp.needed != mask)
    fail("warp operation at %s: masks %08x and %08x differ", site.text().c_str(), warp.needed, mask);
  if (warp.ordering != ordering)
    fail("barrier divergence: __syncwarp meets a shuffle or vote at %s", site.text().c_str());
  thread.site = site;
  warp.arrived |= 1u << thread.lane();
  if (warp.arrived == warp.needed) return complete(warp);
  thread.state = Thread::State::InWarpOperation;
  thread.waitEpoch = warp.epoch;
  yieldThread();
}

void leaveWarp(Thread& thread) {
  Warp& warp = *thread.warp;
  unsigned bit = 1u << thread.lane();
  warp.live &= ~bit;
  if (!warp.arrived || !(warp.needed & bit)) return;
  unsigned waiting = thread.linear / 32 * 32 + unsigned(__builtin_ctz(warp.arrived));
  if (kCheck)
    fail("a lane exits while its warp waits for it at %s",
         thread.block->threads[waiting].site.text().c_str());
  warp.needed &= warp.live;
  if (warp.arrived == warp.needed) complete(warp);
}

void syncWarp(unsigned line, unsigned mask) { warpBarrier({line, __builtin_return_address(0)}, mask, true); }
unsigned activeLanes() { return current->warp->live; }

static unsigned publishAt(Site site, unsigned mask, const void* value, unsigned bytes) {
  Warp& warp = *current->warp;
  unsigned buffer = warp.epoch & 1;
  std::memcpy(warp.slots[buffer][current->lane()], value, bytes);
  warpBarrier(site, mask);
  return buffer;
}

unsigned publish(unsigned line, unsigned mask, const void* value, unsigned bytes) {
  return publishAt({line, __builtin_return_address(0)}, mask, value, bytes);
}

void readPublished(unsigned buffer, unsigned lane, void* value, unsigned bytes) {
  std::memcpy(value, current->warp->slots[buffer][lane], bytes);
}

unsigned ballot(unsigned line, unsigned mask, bool predicate) {
  unsigned mine = predicate, result = 0;
  unsigned participants = mask & current->warp->live;
  unsigned buffer = publishAt({line, __builtin_return_address(0)}, mask, &mine, sizeof mine);
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(participants >> lane & 1)) continue;
    unsigned theirs;
    readPublished(buffer, lane, &theirs, sizeof theirs);
    result |= (theirs & 1) << lane;
  }
  return result;
}

unsigned matchAny(unsigned line, unsigned mask, const void* value, unsigned bytes) {
  unsigned result = 0;
  const unsigned participants = mask & current->warp->live;
  const unsigned buffer = publishAt({line, __builtin_return_address(0)}, mask, value, bytes);
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(participants >> lane & 1)) continue;
    unsigned char theirs[8];
    readPublished(buffer, lane, theirs, bytes);
    result |= unsigned(std::memcmp(theirs, value, bytes) == 0) << lane;
  }
  return result;
}

} // namespace emulation
