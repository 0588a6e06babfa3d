//===- ends.cuh - the first or the last elements of sorted rows, without a sort ---------------------------===//
// Tiles of a row give their best elements, these are a row again, and so on: the digits of keys say which element is the last
// that is taken (radix selection: Alabi et al. 2012), the few that are taken are compared with each other.
#pragma once
#include "sorting.cuh"
#include <type_traits>

//@ most_ends end_items sorted_sooner take_best : ascending_bits
constexpr int most_ends = 256, end_items = 16;
constexpr int sorted_sooner = 128; // such rows are sorted sooner than their ends are found

// Of each tile of a row, end_items elements a thread, the `wanted` that come first, or last, in order; what is equal stays in
// order. A row is keys[row, from[row, i]] for i < count, or all of keys[row]. They, or their places, go to to[row, first + ...].
template <class T>
__global__ void __launch_bounds__(256)
    take_best(const T* keys, const int64_t* from, int64_t* places, T* values, int64_t rows, int64_t length,
              int64_t count, int wanted, bool last, int64_t to_length, int64_t first) {
  using Bits = decltype(ascending_bits(T()));
  __shared__ Bits best[most_ends];
  __shared__ int number_of[most_ends], bins[256], bin, before_bin, in_bin, filled;
  const int thread = int(threadIdx.x), threads = int(blockDim.x), width = threads * end_items;
  const int64_t tiles = (count + width - 1) / width;
  for (int64_t b = blockIdx.x; b < rows * tiles; b += gridDim.x) {
    const int64_t row = b / tiles, tile = b % tiles, start = tile * width;
    const int size = int(count - start < width ? count - start : width), all = wanted < size ? wanted : size;
    const T* row_keys = keys + row * length;
    const int64_t* row_from = from ? from + row * count + start : nullptr;
    // Behind the key comes the number in the tile, so that no two are equal.
    const auto number = [&](int item) {
      const int i = item * threads + thread;
      return last ? 0xffff - i : i;
    };
    Bits key[end_items];
    uint32_t open = 0, taken = 0; // bits of items
#pragma unroll
    for (int item = 0; item < end_items; ++item) {
      const int i = item * threads + thread;
      if (i >= size) continue;
      const Bits bits = ascending_bits(row_keys[row_from ? row_from[i] : start + i]);
      key[item] = last ? Bits(~bits) : bits;
      open |= 1u << item;
    }
    if (thread == 0) filled = 0;
    for (int rest = all, shift = 8 * int(sizeof(Bits)) + 8; rest > 0; shift -= 8) {
      const auto digit = [&](int item) {
        return int((shift < 16 ? Bits(number(item)) >> shift : key[item] >> (shift - 16)) & 255);
      };
      for (int i = thread; i < 256; i += threads) bins[i] = 0;
      __syncthreads();
#pragma unroll
      for (int item = 0; item < end_items; ++item)
        if (open >> item & 1) atomicAdd(&bins[digit(item)], 1);
      __syncthreads();
      if (thread < 32) { // eight bins a lane
        int sum = 0;
        for (int i = 0; i < 8; ++i) sum += bins[8 * thread + i];
        int until = sum;
        for (int distance = 1; distance < 32; distance *= 2) {
          const int others = __shfl_up_sync(0xffffffffu, until, distance);
          if (thread >= distance) until += others;
        }
        int before = until - sum, at = 8 * thread;
        if (before < rest && rest <= until) {
          while (before + bins[at] < rest) before += bins[at++];
          bin = at;
          before_bin = before;
          in_bin = bins[at];
        }
      }
      __syncthreads();
#pragma unroll
      for (int item = 0; item < end_items; ++item) {
        if (!(open >> item & 1) || digit(item) == bin) continue;
        open &= ~(1u << item);
        if (digit(item) < bin) taken |= 1u << item;
      }
      rest -= before_bin;
      if (rest != in_bin) continue;
      taken |= open;
      rest = 0;
    }
#pragma unroll
    for (int item = 0; item < end_items; ++item) {
      if (!(taken >> item & 1)) continue;
      const int slot = atomicAdd(&filled, 1);
      best[slot] = key[item];
      number_of[slot] = number(item);
    }
    __syncthreads();
    for (int slot = thread; slot < all; slot += threads) {
      int rank = 0;
      for (int other = 0; other < all; ++other)
        rank += best[other] < best[slot] || (best[other] == best[slot] && number_of[other] < number_of[slot]);
      const int i = last ? 0xffff - number_of[slot] : number_of[slot];
      const int64_t place = row_from ? row_from[i] : start + i;
      const int64_t to = row * to_length + first + tile * wanted + (last ? all - 1 - rank : rank);
      if (places)
        places[to] = place;
      else
        values[to] = row_keys[place];
    } // the digits of the next tile are behind barriers of their own
  }
}

//@ take_few most_few many_few : ascending_bits from_lane
constexpr int most_few = 32,
              many_few =
                  2048; // elements that lanes keep, and tiles that give all of the device something to do

// The same for at most most_few of a tile of `width`, by a warp: of 32 elements at a time those move in that come before the last
// one kept. Of random elements these are few; where each does, it takes twice as long as take_best.
template <class T>
__global__ void __launch_bounds__(256)
    take_few(const T* keys, const int64_t* from, int64_t* places, T* values, int64_t rows, int64_t length,
             int64_t count, int width, int wanted, bool last, int64_t to_length, int64_t first) {
  using Bits = decltype(ascending_bits(T()));
  constexpr int at_once = 8; // loads
  const int lane = int(threadIdx.x) % 32;
  const int64_t tiles = (count + width - 1) / width, warps = int64_t(gridDim.x) * (blockDim.x / 32);
  for (int64_t b = (int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32; b < rows * tiles; b += warps) {
    const int64_t row = b / tiles, tile = b % tiles, start = tile * width;
    const int size = int(count - start < width ? count - start : width);
    const T* row_keys = keys + row * length;
    const int64_t* row_from = from ? from + row * count + start : nullptr;
    Bits best = 0; // of all so far, in order of the lanes, with its number in the tile
    int number = 0, filled = 0;
    for (int at = 0; at < size; at += 32 * at_once) {
      Bits key[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        const int i = at + 32 * k + lane;
        const Bits bits = i < size ? ascending_bits(row_keys[row_from ? row_from[i] : start + i]) : Bits(0);
        key[k] = last ? Bits(~bits) : bits;
      }
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        const int i = at + 32 * k;
        const Bits limit = from_lane(best, wanted - 1);
        const bool moves_in = filled < wanted || (last ? key[k] <= limit : key[k] < limit);
        for (unsigned open = __ballot_sync(0xffffffffu, i + lane < size && moves_in); open;
             open &= open - 1) {
          const int source = __ffs(int(open)) - 1;
          const Bits other = from_lane(key[k], source), before = from_lane(best, lane > 0 ? lane - 1 : 0);
          const int number_before = from_lane(number, lane > 0 ? lane - 1 : 0);
          const bool stays = lane < filled && (last ? best < other : best <= other);
          const int rank = __popc(__ballot_sync(0xffffffffu, stays));
          if (lane >= rank) {
            best = lane > rank ? before : other;
            number = lane > rank ? number_before : i + source;
          }
          if (filled < wanted) ++filled;
        }
      }
    }
    if (lane >= filled) continue;
    const int64_t place = row_from ? row_from[number] : start + number;
    const int64_t to = row * to_length + first + tile * wanted + (last ? filled - 1 - lane : lane);
    if (places)
      places[to] = place;
    else
      values[to] = row_keys[place];
  }
}

//@ take_ends : take_best take_few Temporary check launch_grid
// places[row, p], or values[row, p], for the first, or last, `wanted` of p < length.
template <class T>
int take_ends(const T* keys, int64_t* places, T* values, int64_t rows, int64_t length, int wanted, bool last,
              cudaStream_t stream) {
  const int64_t most = 256 * end_items, first = last ? length - wanted : 0;
  const auto take = [&](const int64_t* from, int64_t count, int64_t* to, T* to_values, int64_t to_length,
                        int64_t to_first) {
    int threads = 32;
    while (threads < 256 && threads * end_items < count) threads *= 2;
    const int width = threads * end_items;
    const int64_t tiles = rows * ((count + width - 1) / width);
    if (wanted <= most_few && tiles >= many_few)
      take_few<T><<<launch_grid((tiles + 7) / 8), 256, 0, stream>>>(
          keys, from, to, to_values, rows, length, count, width, wanted, last, to_length, to_first);
    else
      take_best<T><<<launch_grid(tiles), threads, 0, stream>>>(keys, from, to, to_values, rows, length, count,
                                                               wanted, last, to_length, to_first);
  };
  // So many of a row are left when each of its tiles has given its best.
  const auto left = [&](int64_t count) {
    const int64_t before = (count - 1) / most, rest = count - before * most;
    return before * wanted + (rest < wanted ? rest : wanted);
  };
  if (length <= most) {
    take(nullptr, length, places, values, length, first);
    return check(cudaGetLastError());
  }
  const Temporary<int64_t> one(rows * left(length), stream), other(rows * left(left(length)), stream);
  if (!one.data || !other.data) return check(cudaErrorMemoryAllocation);
  const int64_t* from = nullptr;
  int64_t *to = one.data, *next = other.data, count = length;
  for (; count > most; count = left(count)) {
    take(from, count, to, nullptr, left(count), 0);
    from = to;
    to = next;
    next = const_cast<int64_t*>(from);
  }
  take(from, count, places, values, length, first);
  return check(cudaGetLastError());
}

//@ ends_or_all : take_ends
// Of places, or values, those for begin <= p < end at least. Where that is not near an end, `all` are made.
template <class T, class All>
int ends_or_all(const T* keys, int64_t* places, T* values, int64_t rows, int64_t length, int64_t begin,
                int64_t end, const All& all, cudaStream_t stream) {
  const int64_t firsts = end < length ? end : length, lasts = length - (begin > 0 ? begin : 0);
  if (rows <= 0 || firsts <= 0 || lasts <= 0) return Ok;
  const int64_t wanted = firsts < lasts ? firsts : lasts;
  if (wanted > most_ends || length <= sorted_sooner) return all();
  return take_ends<T>(keys, places, values, rows, length, int(wanted), lasts < firsts, stream);
}

//@ sort_ends : ends_or_all sort_rows
template <class T>
int sort_ends(const T* keys, T* sorted, int64_t rows, int64_t length, int64_t begin, int64_t end,
              cudaStream_t stream) {
  const auto all = [&] { return sort_rows(keys, sorted, rows, length, stream); };
  return ends_or_all<T>(keys, nullptr, sorted, rows, length, begin, end, all, stream);
}

//@ order_ends : ends_or_all order_rows
template <class T>
int order_ends(const T* keys, int64_t* order, int64_t rows, int64_t length, int64_t begin, int64_t end,
               cudaStream_t stream) {
  const auto all = [&] { return order_rows(keys, order, rows, length, stream); };
  return ends_or_all<T>(keys, order, nullptr, rows, length, begin, end, all, stream);
}

//@ complex_sort_ends : complex_sort_rows
template <class T>
int sort_ends(const Complex<T>* keys, Complex<T>* sorted, int64_t rows, int64_t length, int64_t, int64_t,
              cudaStream_t stream) {
  return sort_rows(keys, sorted, rows, length, stream);
}

//@ complex_order_ends : complex_order_rows
template <class T>
int order_ends(const Complex<T>* keys, int64_t* order, int64_t rows, int64_t length, int64_t, int64_t,
               cudaStream_t stream) {
  return order_rows(keys, order, rows, length, stream);
}
