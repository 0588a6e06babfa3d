//===- Random.cpp - np.random's generators as values -------------------------------------------------------===//
// A generator is a small array, its state, that lives as long as names show it; what it does is the library's Python
// (numpy_library/random.py, generator.py), which changes the state in place. Each number follows from where it stands in the
// stream, so that arrays of them are made in parallel.
#include "Arguments.h"
#include "Lowering.h"

namespace appyc::sema {

static constexpr const char* kInOrder = "the numbers of a generator are drawn in order";

Value Lowering::callBitGenerator(const Bound& b) {
  const Value state{materialize(toArray(b["state"]), "state")};
  return Value{RandomValue{b["name"].as<StringValue>()->text, std::make_shared<const Value>(state)}};
}

Value Lowering::callGenerator(const Bound& b) {
  const auto* bits = b["bit_generator"].as<RandomValue>();
  if (!bits || bits->type == "Generator")
    return error(
        DiagId::TypeMismatch, b.where,
        fmt::format("`np.random.Generator` takes `np.random.Philox(...)` or `np.random.PCG64(...)`, not {}",
                    describe(b["bit_generator"])));
  return Value{RandomValue{"Generator", bits->state}};
}

//===--- generators that modules have ------------------------------------------------------------------===//
// np.random.rand and Python's random.random take numbers from one generator, which is a state of the exported function: seeded
// where the function begins with bits that the caller's generator gives, unless the first use, outside of branches and loops, seeds it.

/// What each call of the exported function needs of random bits is known when all of it has been seen.
void Lowering::makeDrawnStates() {
  for (const ir::Param::Draw draw : listStates_.drawn) {
    ir::Param bits;
    bits.name = Symbol("random_bits");
    bits.type = DType::U64;
    bits.drawn = draw;
    out_.params.push_back(bits);
    const Value drawn{Scalar{ir::var(bits.name, bits.type)}};
    Array one = toArray(drawn);
    one.shape = {ir::intConst(1)};
    if (draw == ir::Param::OfSystem)
      randomStates_[draw] = Value{materialize(one, "random_bits")};
    else
      seedShared(draw, drawn);
  }
}

static std::string_view seedOf(ir::Param::Draw draw) {
  return draw == ir::Param::OfNumpy ? "numpy.random.seed" : "random.seed";
}

void Lowering::seedShared(ir::Param::Draw draw, const Value& seed) {
  Arguments args;
  args.where = statement_;
  args.positional = {Value{NoneValue{}}, seed};
  randomStates_[draw] =
      Value{materialize(toArray(callLibrary(*libraryFunctionAt(seedOf(draw)), args)), "random_state")};
}

/// Lowers the function once more, with such bits; what is made of it now is of no use.
void Lowering::needBits(ir::Param::Draw draw) {
  listStates_.drawn.insert(draw);
  listStates_.haveChanged = true;
}

Value Lowering::callFreshBits(const Bound& b) {
  const auto known = randomStates_.find(ir::Param::OfSystem);
  if (known == randomStates_.end()) {
    needBits(ir::Param::OfSystem);
    return Value{Scalar{ir::cast(DType::U64, ir::intConst(0))}};
  }
  Arguments args;
  args.where = b.where;
  args.positional = {known->second};
  return callLibrary(*libraryFunctionAt("_next_bits"), args);
}

Value Lowering::callSharedRandom(const LibraryFunction& function, const Arguments& args) {
  const ir::Param::Draw draw = function.group == "legacy" ? ir::Param::OfNumpy : ir::Param::OfPython;
  const bool isSeed = function.path == seedOf(draw);
  if (std::ranges::any_of(loops_, isShared)) openLoops(kInOrder);
  const bool isFirst = isSeed && branches_.empty() && loops_.empty() && unsure_ == 0;
  if (!randomStates_.count(draw) && !isFirst) {
    needBits(draw);
    seedShared(draw, Value{Scalar{ir::intConst(0), true}});
  }
  const auto known = randomStates_.find(draw);
  Arguments all = args;
  all.positional.insert(all.positional.begin(),
                        known == randomStates_.end() ? Value{NoneValue{}} : known->second);
  const Value made = callLibrary(function, all);
  if (!isSeed || made.isError()) return made;
  if (known == randomStates_.end()) randomStates_[draw] = Value{materialize(toArray(made), "random_state")};
  return Value{NoneValue{}};
}

/// A generator's method: the first parameter is the state. RandomState has those of np.random itself.
const LibraryFunction* randomMethod(const RandomValue& r, const std::string& name) {
  if (r.type == "Generator") return libraryFunctionAt("Generator." + name);
  const LibraryFunction* shared =
      r.type == "RandomState" ? libraryFunctionAt("numpy.random." + name) : nullptr;
  return shared && shared->group == "legacy" ? shared : nullptr;
}

Value Lowering::randomAttribute(const RandomValue& r, const std::string& name, Span where) {
  const Value self{r};
  const auto* state = r.state->as<Array>();
  if (state && state->view && isOfAllIterations(state->view->buffer.name)) openLoops(kInOrder);
  if (randomMethod(r, name)) return Value{Method{std::make_shared<Value>(self), name}};
  std::vector<std::string> names;
  for (const LibraryFunction* f : libraryFunctions())
    if (f->path.rfind("Generator.", 0) == 0) names.push_back(fmt::format("`{}`", f->display()));
  return error(DiagId::Unsupported, where,
               fmt::format("`.{}` of {} is not translated; generators have {}, others are for the caller",
                           name, describe(self), fmt::join(names, ", ")));
}

} // namespace appyc::sema
