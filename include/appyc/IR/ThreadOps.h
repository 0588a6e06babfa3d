//===- ThreadOps.h - what threads of a given kernel do together ---------------------------------------===//
#pragma once
#include <string_view>

namespace appyc::ir {

/// What an Atomic makes of the element and its value. Inc counts up to the value, then from 0 again; Dec down from it.
/// CompareExchange: the value, where the element is `compare`. NanMin and NanMax pass NaN over.
enum class AtomicOp { Add, Sub, Min, Max, NanMin, NanMax, And, Or, Xor, Inc, Dec, Exchange, CompareExchange };

/// What threads of a block or a warp tell each other. Block: how many, whether all, whether any give a number that is not 0.
/// Warp: operands are a mask of lanes, a value and (Shuffle...) a lane or distance.
enum class ExchangeOp {
  CountOfBlock,
  AllOfBlock,
  AnyOfBlock,
  AllOfWarp,
  AnyOfWarp,
  EqualOfWarp,
  Ballot,
  ActiveMask,
  Shuffle,
  ShuffleUp,
  ShuffleDown,
  ShuffleXor
};

std::string_view name(AtomicOp);
std::string_view name(ExchangeOp);

} // namespace appyc::ir
