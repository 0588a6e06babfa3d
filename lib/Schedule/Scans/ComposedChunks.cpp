//===- ComposedChunks.cpp - what chunks of a loop start from, by steps put together ---------------------===//
//   for i: y = a[i] * y + b[i]       =>   for c (parallel):  scale, rest = 1, 0
//                                                            for i in chunk c: rest = a[i] * rest + b[i]; scale = a[i] * scale
//                                                            scale_of[c], rest_of[c] = scale, rest
//                                         for c (in order):  from[c] = y;  to[c] = y = scale_of[c] * y + rest_of[c]
// Where a step's number makes this no good (an `a` larger than 1, whose products overflow; NaN), `unsafe` counts it.
#include "ComposedChunks.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

Stmt Chunks::stepsOf(const Expr& c, const std::vector<Stmt>& step) const {
  const Symbol i(index.hint());
  const Expr first = lo + c * size;
  return build.inOrder(i, first, minOf(first + size, hi), substitute(block(step), {{index, var(i)}}));
}

bool ComposedChunks::reads(const std::vector<Stmt>& step, std::vector<CarriedNumber>& numbers,
                           const Symbol& index, const Expr& steps) {
  const auto values = valuesBehind(step);
  if (!values) return false;
  std::set<Symbol> varying = assignedVars(block(step)), unknown = varying;
  varying.insert(index);
  for (size_t done = 0; done < numbers.size(); ++done) {
    const auto next = std::find_if(
        numbers.begin() + static_cast<std::ptrdiff_t>(done), numbers.end(), [&](const CarriedNumber& x) {
          if (!values->contains(x.scalar)) return false;
          std::set<Symbol> others = unknown;
          others.erase(x.scalar);
          const Expr& value = values->at(x.scalar);
          auto map = mentionsAny(value, others) ? std::nullopt : stepMap(value, x.scalar, varying, steps);
          if (!map) return false;
          maps_.push_back(std::move(*map));
          values_.push_back(value);
          return true;
        });
    if (next == numbers.end()) return false;
    std::rotate(numbers.begin() + static_cast<std::ptrdiff_t>(done), next, next + 1);
    unknown.erase(numbers[done].scalar);
  }
  return true;
}

bool ComposedChunks::isExact() const {
  return std::ranges::all_of(maps_, [](const StepMap& map) { return map.isExact(); });
}

std::vector<Stmt> ComposedChunks::of(const Chunks& chunks, const std::vector<CarriedNumber>& numbers,
                                     const Symbol& unsafe, Function& function,
                                     std::vector<Stmt>& allocations) const {
  std::vector<Stmt> all;
  if (!isExact()) all.push_back(chunks.build.assign(unsafe, intConst(0)));
  for (size_t n = 0; n < numbers.size(); ++n) {
    std::vector<Buffer> parts;
    for (const StepMap::Part& part : maps_[n].parts) {
      parts.push_back({Symbol(part.name + "_of"), part.type, numbers[n].from.extents});
      function.buffers.push_back(parts.back());
      allocations.push_back(chunks.build.alloc(parts.back()));
    }
    all.push_back(mapsOf(chunks, numbers, n, parts, unsafe));
    const Symbol y("start");
    all.push_back(chunks.build.assign(y, var(numbers[n].scalar, numbers[n].type)));
    all.push_back(
        handsOn(chunks, {y, numbers[n].type, numbers[n].from, numbers[n].to}, maps_[n], parts, unsafe));
  }
  return all;
}

/// For each chunk the map of its steps; what earlier numbers are in it is known.
Stmt ComposedChunks::mapsOf(const Chunks& chunks, const std::vector<CarriedNumber>& numbers, size_t number,
                            const std::vector<Buffer>& parts, const Symbol& unsafe) const {
  const StepMap& map = maps_[number];
  const Builder& build = chunks.build;
  const Symbol c("c");
  std::vector<Stmt> body, step;
  StepMap::Numbers joined, next;
  std::vector<Symbol> names;
  for (const StepMap::Part& part : map.parts) {
    names.emplace_back(part.name);
    const Symbol own("step_" + part.name);
    body.push_back(build.assign(names.back(), part.none));
    step.push_back(build.assign(own, part.step));
    joined.push_back(var(names.back(), part.type));
    next.push_back(var(own, part.type));
  }
  const StepMap::Numbers joint = map.then(joined, next);
  for (size_t k = 0; k < joint.size(); ++k) step.push_back(build.assign(names[k], joint[k]));
  if (map.isSafe)
    step.push_back(build.assign(unsafe, var(unsafe) + select(map.isSafe, intConst(0), intConst(1))));
  for (size_t n = number; n-- > 0;) { // the later ones first, as they read the earlier ones
    body.push_back(build.assign(numbers[n].scalar, load(numbers[n].from, {var(c)})));
    step.push_back(build.assign(numbers[n].scalar, values_[n]));
  }
  body.push_back(chunks.stepsOf(var(c), step));
  for (size_t k = 0; k < parts.size(); ++k) body.push_back(build.store(parts[k], {var(c)}, joined[k]));
  const Stmt all = block(std::move(body));
  std::set<Symbol> own = assignedVars(all);
  own.erase(unsafe);
  For loop = provenLoop(c, intConst(0), chunks.count, loops::withOwnScalars(all, own));
  if (map.isSafe) loop.reductions = {{unsafe, DType::I64, ReduceOp::Sum}};
  return build.make(std::move(loop));
}

/// What each chunk starts from, by one thread. `x` is what the first one does.
Stmt ComposedChunks::handsOn(const Chunks& chunks, const CarriedNumber& x, const StepMap& map,
                             const std::vector<Buffer>& parts, const Symbol& unsafe) {
  const Builder& build = chunks.build;
  const Symbol at("c");
  const Expr y = var(x.scalar, x.type);
  StepMap::Numbers chunk;
  for (const Buffer& part : parts) chunk.push_back(load(part, {var(at)}));
  std::vector<Stmt> step{build.store(x.from, {var(at)}, y), build.assign(x.scalar, map.of(chunk, y)),
                         build.store(x.to, {var(at)}, y)};
  if (const Expr isSafe = map.isSafeFor(y))
    step.push_back(build.assign(unsafe, var(unsafe) + select(isSafe, intConst(0), intConst(1))));
  For inTurn = serialLoop(at, intConst(0), chunks.count, intConst(1), block(std::move(step)));
  inTurn.hints.mark = LoopMark::Sequential;
  return build.make(std::move(inTurn));
}

} // namespace appyc::schedule
