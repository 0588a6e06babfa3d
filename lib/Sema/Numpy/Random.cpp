//===- Random.cpp - np.random's generators as values -------------------------------------------------------===//
// A generator is a small array, its state, that lives as long as names show it; what it does is the library's Python
// (numpy_library/random.py, generator.py), which changes the state in place. Each number follows from where it stands in the
// stream, so that arrays of them are made in parallel.
#include "Arguments.h"
#include "Lowering.h"

namespace appyc::sema {

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

/// np.random.rand and its kind take the state that np.random.seed made in the same call of a function.
Value Lowering::callLegacyRandom(const LibraryFunction& function, const Arguments& args) {
  constexpr const char* kState = "np.random"; // no name of Python's
  const auto known = env().find(kState);
  const bool isSeed = function.path == "numpy.random.seed", isKnown = known != env().end();
  if (!isSeed && !isKnown)
    return error(
        DiagId::Unsupported, args.where,
        fmt::format("`{}` without `np.random.seed(n)` before it in the same function is not translated: "
                    "nothing says where its numbers begin; write that, or pass a seed and use "
                    "`np.random.default_rng(seed)`",
                    function.display()));
  if (isSeed && !isKnown && (!branches_.empty() || !loops_.empty()))
    return error(DiagId::Unsupported, args.where,
                 "the first `np.random.seed(n)` of a function stands outside of branches and loops");
  Arguments all = args;
  all.positional.insert(all.positional.begin(), isKnown ? known->second : Value{NoneValue{}});
  const Value made = callLibrary(function, all);
  if (!isSeed || made.isError()) return made;
  if (!isKnown) env()[kState] = Value{materialize(toArray(made), "random_state")};
  return Value{NoneValue{}};
}

Value Lowering::randomAttribute(const RandomValue& r, const std::string& name, Span where) {
  const Value self{r};
  if (r.type == "Generator" && libraryFunctionAt("Generator." + name))
    return Value{Method{std::make_shared<Value>(self), name}};
  std::vector<std::string> names;
  for (const LibraryFunction* f : libraryFunctions())
    if (f->path.rfind("Generator.", 0) == 0) names.push_back(fmt::format("`{}`", f->display()));
  return error(DiagId::Unsupported, where,
               fmt::format("`.{}` of {} is not translated; generators have {}, others are for the caller",
                           name, describe(self), fmt::join(names, ", ")));
}

} // namespace appyc::sema
