//===- Warp.cpp - warp barriers, shuffles and votes ---------------------------------------------------===//
#include "Block.h"

namespace emulation {

/// Lanes that this thread's warp has when all its threads are alive: the last warp of a block may be partial.
static unsigned lanesOf(const Thread& thread) {
  unsigned first = thread.linear / 32 * 32, size = thread.block->size;
  return size - first >= 32 ? ~0u : (1u << (size - first)) - 1;
}

static unsigned sizeOf(unsigned mask) {
  return 31 - unsigned(__builtin_clz(unsigned(__builtin_popcount(mask))));
}
static unsigned placeOf(unsigned mask) { return 32 * sizeOf(mask) + unsigned(__builtin_ctz(mask)); }

/// Calls `fn` with the places of the meetings where lanes wait.
template <class Fn> static void eachOpen(const Warp& warp, Fn fn) {
  for (unsigned size = 0; size < Warp::kSizes; ++size)
    for (unsigned open = warp.open[size]; open; open &= open - 1)
      fn(32 * size + unsigned(__builtin_ctz(open)));
}

static void complete(Warp& warp, unsigned place) {
  Meeting& meeting = warp.meetings[place];
  meeting.arrived = 0;
  ++meeting.epoch;
  warp.open[place / 32] &= ~(1u << place % 32);
  warp.syncs += meeting.ordering;
}

/// Waits for the lanes of the mask; `ordering` also orders their memory accesses. Groups may meet
/// side by side, and before all of the warp do; groups that wait for each other are a deadlock.
static void warpBarrier(Site site, unsigned mask, bool ordering = false) {
  Thread& thread = *current;
  Warp& warp = *thread.warp;
  if (!(mask >> thread.lane() & 1))
    fail("warp operation at %s: lane %u is not in its own mask %08x", site.text().c_str(), thread.lane(),
         mask);
  unsigned exited = mask & ~warp.live & lanesOf(thread);
  if (kCheck && exited)
    fail("warp operation at %s: mask %08x names exited lanes %08x", site.text().c_str(), mask, exited);
  const unsigned place = placeOf(mask);
  Meeting& meeting = warp.meetings[place];
  mask &= warp.live;
  eachOpen(warp, [&](unsigned at) { // those that wait for this lane, and it for one of them
    const Meeting& other = warp.meetings[at];
    if (other.needed != mask &&
        (at == place || ((other.needed >> thread.lane() & 1) && (other.arrived & mask))))
      fail("warp operation at %s: masks %08x and %08x differ", site.text().c_str(), other.needed, mask);
  });
  if (!meeting.arrived)
    meeting.needed = mask, meeting.ordering = ordering, warp.open[place / 32] |= 1u << place % 32;
  if (meeting.ordering != ordering)
    fail("barrier divergence: __syncwarp meets a shuffle or vote at %s", site.text().c_str());
  thread.site = site;
  meeting.arrived |= 1u << thread.lane();
  if (meeting.arrived == meeting.needed) return complete(warp, place);
  thread.state = Thread::State::InWarpOperation;
  thread.meeting = place;
  thread.waitEpoch = meeting.epoch;
  yieldThread();
}

void leaveWarp(Thread& thread) {
  Warp& warp = *thread.warp;
  unsigned bit = 1u << thread.lane();
  warp.live &= ~bit;
  eachOpen(warp, [&](unsigned place) {
    Meeting& meeting = warp.meetings[place];
    if (!(meeting.needed & bit)) return;
    unsigned waiting = thread.linear / 32 * 32 + unsigned(__builtin_ctz(meeting.arrived));
    if (kCheck)
      fail("a lane exits while its warp waits for it at %s",
           thread.block->threads[waiting].site.text().c_str());
    meeting.needed &= warp.live;
    if (meeting.arrived == meeting.needed) complete(warp, place);
  });
}

void syncWarp(unsigned line, unsigned mask) { warpBarrier({line, __builtin_return_address(0)}, mask, true); }
unsigned activeLanes() { return current->warp->live; }

static unsigned publishAt(Site site, unsigned mask, const void* value, unsigned bytes) {
  Warp& warp = *current->warp;
  const unsigned named = mask | 1u << current->lane();
  const unsigned buffer = 2 * sizeOf(named) + (warp.meetings[placeOf(named)].epoch & 1);
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
