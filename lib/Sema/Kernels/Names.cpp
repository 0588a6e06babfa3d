//===- Names.cpp - what kernels call: positions, arrays on chip, barriers, atomics, exchanges ---------------===//
#include "Arguments.h"
#include "Lowering.h"
#include "appyc/IR/Dsl.h"
#include <algorithm>

namespace appyc::sema {

using ir::HardwareIndex;

namespace {

Expr hardware(HardwareIndex first, size_t axis) {
  return ir::make(ir::Hardware{static_cast<HardwareIndex>(static_cast<size_t>(first) + axis)});
}
/// Python's own number, as CPython has positions.
Value number(Expr e) { return Value{Scalar{std::move(e), true}}; }

/// The thread's place in the whole grid along an axis, and how many there are.
Expr placeInGrid(size_t axis) {
  return ir::add(ir::mul(hardware(HardwareIndex::BlockX, axis), hardware(HardwareIndex::BlockDimX, axis)),
                 hardware(HardwareIndex::ThreadX, axis));
}
Expr threadsOfGrid(size_t axis) {
  return ir::mul(hardware(HardwareIndex::GridDimX, axis), hardware(HardwareIndex::BlockDimX, axis));
}

/// The number of the thread in its block.
Expr placeInBlock() {
  const auto thread = [](size_t axis) { return hardware(HardwareIndex::ThreadX, axis); };
  const auto threads = [](size_t axis) { return hardware(HardwareIndex::BlockDimX, axis); };
  return ir::add(thread(0), ir::mul(threads(0), ir::add(thread(1), ir::mul(threads(1), thread(2)))));
}

} // namespace

//===--- names ------------------------------------------------------------------------------------------===//

/// `cuda.threadIdx.x` and the like.
std::optional<Value> Lowering::kernelName(const std::string& path, Span where) {
  static const std::map<std::string_view, HardwareIndex> kPositions = {{"threadIdx", HardwareIndex::ThreadX},
                                                                       {"blockIdx", HardwareIndex::BlockX},
                                                                       {"blockDim", HardwareIndex::BlockDimX},
                                                                       {"gridDim", HardwareIndex::GridDimX}};
  constexpr std::string_view module = "numba.cuda.";
  if (!path.starts_with(module)) return std::nullopt;
  const std::string_view name = std::string_view(path).substr(module.size());
  const size_t dot = std::min(name.find('.'), name.size());
  const auto position = kPositions.find(name.substr(0, dot));
  const bool isLane = name == "laneid", isPosition = position != kPositions.end() && dot < name.size();
  if (name == "warpsize") return number(ir::intConst(32));
  if (!isLane && !isPosition) return std::nullopt;
  if (!kernel_)
    return error(DiagId::Unsupported, where,
                 fmt::format("`{}` is known in a kernel only, and in the functions that it calls", path));
  if (isLane) return number(ir::binary(ir::BinaryOp::Mod, placeInBlock(), ir::intConst(32)));
  const std::string_view axis = name.substr(dot + 1);
  if (axis != "x" && axis != "y" && axis != "z")
    return error(DiagId::UndefinedName, where,
                 fmt::format("`{}` has `.x`, `.y` and `.z`", path.substr(0, module.size() + dot)));
  return number(hardware(position->second, static_cast<size_t>(axis[0] - 'x')));
}

bool Lowering::standsInKernel(const Bound& b) {
  if (!kernel_)
    error(DiagId::Unsupported, b.where,
          fmt::format("`{}` stands in kernels only, and in the functions that they call", b.display()));
  return kernel_.has_value();
}

//===--- positions --------------------------------------------------------------------------------------===//

/// cuda.grid(n), cuda.gridsize(n)
Value Lowering::callGrid(const Bound& b) {
  if (!standsInKernel(b)) return Value{};
  const auto* given = b["ndim"].as<Scalar>();
  const int64_t count = given ? ir::constantInt(given->e).value_or(0) : 0;
  if (count < 1 || count > 3)
    return error(
        DiagId::TypeMismatch, b.where,
        fmt::format("`{}` takes 1, 2 or 3, as a constant: how many axes the launch has", b.display()));
  TupleValue all;
  for (size_t axis = 0; axis < static_cast<size_t>(count); ++axis)
    all.items.push_back(number(b.name() == "grid" ? placeInGrid(axis) : threadsOfGrid(axis)));
  return count == 1 ? all.items[0] : Value{all};
}

/// cuda.lanemask_lt(): the bits of the lanes below this one.
Value Lowering::callLaneMask(const Bound& b) {
  if (!standsInKernel(b)) return Value{};
  const Expr lane = ir::binary(ir::BinaryOp::Mod, placeInBlock(), ir::intConst(32));
  return number(ir::sub(ir::binary(ir::BinaryOp::Shl, ir::intConst(1), lane), ir::intConst(1)));
}

//===--- arrays of a block, or of a thread --------------------------------------------------------------===//

/// cuda.shared.array(shape, dtype), cuda.local.array(shape, dtype). A shared one of shape 0 has the bytes that the launch says.
Value Lowering::callKernelArray(const Bound& b) {
  if (!standsInKernel(b)) return Value{};
  std::optional<std::vector<Expr>> shape = shapeArgument(b["shape"], b.where);
  const std::optional<DType> type = shape ? dtypeOr(DType::F64, b) : std::nullopt;
  if (!type) return Value{};
  const bool isOfThread = b.row->path.find(".local.") != std::string::npos;
  if (!isOfThread && shape->size() == 1 && ir::isConst(shape->front(), 0))
    shape->front() = ir::floorDiv(kernel_->sharedBytes, ir::byteSize(*type));
  else if (!std::ranges::all_of(*shape, [](const Expr& e) { return ir::constantInt(e).value_or(0) >= 1; }))
    return error(
        DiagId::BadDirective, b.where,
        fmt::format("the shape of `{}` is of constants: numbers, or names of the file that stand for "
                    "them{}",
                    b.display(),
                    isOfThread ? ""
                               : "; 0 takes what the launch says, `kernel[blocks, threads, stream, bytes]`"));
  Array out;
  out.type = *type;
  out.shape = *shape;
  out.uninitialised = out.onChip = true;
  out.ofThread = isOfThread;
  out.at = [zero = ir::constOf(*type, 0)](const Indices&) { return zero; };
  return Value{out};
}

//===--- barriers ---------------------------------------------------------------------------------------===//

Value Lowering::callThreadBarrier(const Bound& b) {
  if (!standsInKernel(b)) return Value{};
  if (b.name() == "syncthreads")
    emit(ir::Barrier{ir::Scope::Block});
  else if (b.name() == "sync")
    emit(ir::Barrier{ir::Scope::Grid});
  else
    emit(ir::Fence{b.name() == "threadfence_block"    ? ir::Fence::Block
                   : b.name() == "threadfence_system" ? ir::Fence::System
                                                      : ir::Fence::Device});
  return Value{NoneValue{}};
}

/// cuda.syncwarp(), and of the lanes whose bits a mask has.
Value Lowering::callWarpBarrier(const Bound& b) {
  if (!standsInKernel(b)) return Value{};
  ir::Barrier barrier{ir::Scope::Warp};
  if (const Value* mask = b.given("mask")) {
    const Value only = onlyValue(*mask);
    const auto* s = only.as<Scalar>();
    if (!s || !ir::isInteger(s->type()))
      return error(DiagId::TypeMismatch, b.where,
                   fmt::format("the mask of `{}` is a whole number, not {}", b.display(), describe(only)));
    if (ir::constantInt(s->e) != 0xffffffff) barrier.lanes = ir::cast(DType::I64, s->e);
  }
  emit(barrier);
  return Value{NoneValue{}};
}

/// cuda.cg.this_grid(), whose `sync()` all threads of the launch call.
Value Lowering::callThisGrid(const Bound& b) {
  return standsInKernel(b) ? Value{ModuleRef{"numba.cuda.cg.grid"}} : Value{};
}

//===--- atomics ----------------------------------------------------------------------------------------===//

/// The element as an array without axes.
Array Lowering::elementOf(const Value& array, const Value& index, Span where, bool& failed) {
  const auto* a = array.as<Array>();
  failed = true;
  if (!a || !a->view || a->view->fancy) {
    if (!array.isError())
      error(DiagId::TypeMismatch, where,
            fmt::format("an atomic operation changes an element of an array, not of {}", describe(array)));
    return {};
  }
  const auto* tuple = index.as<TupleValue>();
  const Value place = subscriptBy(*a, 0, tuple ? tuple->items : Values{index}, where);
  const auto* element = place.as<Array>();
  if (element && !element->shape.empty())
    error(DiagId::BadIndex, where,
          fmt::format("an atomic operation changes one element: the array has {} dimension(s)",
                      a->shape.size()));
  failed = !element || !element->shape.empty() || !element->view;
  return failed ? Array{} : *element;
}

/// cuda.atomic.add(array, index, value) and the like; gives what was there before.
Value Lowering::callKernelAtomic(const Bound& b) {
  static const std::map<std::string_view, ir::AtomicOp> kOps = {
      {"add", ir::AtomicOp::Add},
      {"sub", ir::AtomicOp::Sub},
      {"min", ir::AtomicOp::Min},
      {"max", ir::AtomicOp::Max},
      {"nanmin", ir::AtomicOp::NanMin},
      {"nanmax", ir::AtomicOp::NanMax},
      {"and_", ir::AtomicOp::And},
      {"or_", ir::AtomicOp::Or},
      {"xor", ir::AtomicOp::Xor},
      {"inc", ir::AtomicOp::Inc},
      {"dec", ir::AtomicOp::Dec},
      {"exch", ir::AtomicOp::Exchange},
      {"cas", ir::AtomicOp::CompareExchange},
      {"compare_and_swap", ir::AtomicOp::CompareExchange}};
  if (!standsInKernel(b)) return Value{};
  const ir::AtomicOp op = kOps.at(b.name());
  bool failed = false;
  const Value* index = b.find("idx");
  const Array place = elementOf(b["ary"], index ? *index : number(ir::intConst(0)), b.where, failed);
  if (failed) return Value{};
  const DType type = place.type;
  const bool isWide = ir::byteSize(type) >= 4 && !ir::isComplex(type);
  const bool isOfBits = op >= ir::AtomicOp::And && op <= ir::AtomicOp::Xor;
  const bool counts = op == ir::AtomicOp::Inc || op == ir::AtomicOp::Dec;
  if (!isWide || (isOfBits && !ir::isInteger(type)) || (counts && !ir::isUnsigned(type)))
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("`{}` takes {} of 32 or 64 bits, and the array is of {}", b.display(),
                             counts     ? "unsigned integers"
                             : isOfBits ? "integers"
                                        : "numbers",
                             ir::name(type)));
  const auto operand = [&](const char* name) -> Expr {
    const Value v = onlyValue(b[name]);
    const std::optional<Strength> s = strengthOf(v, b.where);
    if (s && (!v.as<Scalar>() || !sameKind(promote(*s, {type, false}).type, type))) {
      error(DiagId::TypeMismatch, b.where,
            fmt::format("an atomic update of {} by {} would change its type", ir::name(type), describe(v)));
      return {};
    }
    const Value own = s ? castTo(v, type, b.where) : Value{};
    const auto* scalar = own.as<Scalar>();
    return scalar ? ir::cast(type, scalar->e) : Expr();
  };
  ir::Atomic made{op,  place.view->buffer.name, place.view->index({}), operand("val"), {}, Symbol("old"),
                  type};
  if (op == ir::AtomicOp::CompareExchange) made.compare = operand("old");
  if (!made.value || (op == ir::AtomicOp::CompareExchange && !made.compare)) return Value{};
  const Symbol old = made.old;
  emit(std::move(made));
  return Value{Scalar{ir::var(old, type)}};
}

/// cuda.stream(): what is launched on it runs in order, as everything does; so it has the module's `synchronize`. And what
/// an event waits for has been.
Value Lowering::callStream(const Bound& b) {
  return Value{ModuleRef{b.name() == "event" ? "numba.cuda.event" : "numba.cuda"}};
}

//===--- exchanges --------------------------------------------------------------------------------------===//

/// cuda.syncthreads_count(p), cuda.shfl_down_sync(mask, value, delta), cuda.ballot_sync(mask, p)
Value Lowering::callExchange(const Bound& b) {
  using ir::ExchangeOp;
  static const std::map<std::string_view, ExchangeOp> kOps = {{"syncthreads_count", ExchangeOp::CountOfBlock},
                                                              {"syncthreads_and", ExchangeOp::AllOfBlock},
                                                              {"syncthreads_or", ExchangeOp::AnyOfBlock},
                                                              {"all_sync", ExchangeOp::AllOfWarp},
                                                              {"any_sync", ExchangeOp::AnyOfWarp},
                                                              {"match_any_sync", ExchangeOp::EqualOfWarp},
                                                              {"_match_any_sync", ExchangeOp::EqualOfWarp},
                                                              {"ballot_sync", ExchangeOp::Ballot},
                                                              {"activemask", ExchangeOp::ActiveMask},
                                                              {"shfl_sync", ExchangeOp::Shuffle},
                                                              {"shfl_up_sync", ExchangeOp::ShuffleUp},
                                                              {"shfl_down_sync", ExchangeOp::ShuffleDown},
                                                              {"shfl_xor_sync", ExchangeOp::ShuffleXor}};
  if (!standsInKernel(b)) return Value{};
  const ExchangeOp op = kOps.at(b.name());
  ir::Exchange made{op, Symbol("got"), DType::I64, {}};
  bool isGood = true, isWeak = true;
  bool isOnBothPaths = false; // NumPy's, and Python's in lanes that have come by another path
  bool isOfOneType = false;   // there a constant, which NumPy's type has: what is exchanged is of that
  const auto integer = [&](const char* name) {
    const Value only = onlyValue(b[name]);
    const auto* s = only.as<Scalar>();
    isGood = isGood && s && ir::isInteger(s->type());
    made.operands.push_back(isGood ? ir::cast(DType::I64, s->e) : Expr());
  };
  const bool isOfBlock = op <= ExchangeOp::AnyOfBlock;
  if (!isOfBlock && op != ExchangeOp::ActiveMask) integer("mask");
  if (op >= ExchangeOp::Shuffle || op == ExchangeOp::EqualOfWarp) {
    const auto* s = b["value"].as<Scalar>();
    isGood = isGood && s && ir::byteSize(s->type()) >= 4 && !ir::isComplex(s->type());
    made.operands.push_back(isGood ? s->e : Expr());
    if (isGood && op >= ExchangeOp::Shuffle) {
      made.type = s->type(), isWeak = s->weak, integer("lane");
      const auto isPythons = [](const Scalar& o) { return !o.e || o.weak; };
      isOnBothPaths = !isWeak && !s->others.empty() && std::ranges::all_of(s->others, isPythons);
      isOfOneType = std::ranges::all_of(s->others, [&](const Scalar& o) {
        const std::optional<int64_t> whole = o.e ? ir::constantInt(o.e) : std::nullopt;
        return o.e && (!whole || ir::constantInt(ir::cast(made.type, o.e)) == whole);
      });
      isGood = isGood && !s->isOpaque && !s->isExtended && (s->others.empty() || isOnBothPaths);
    }
  } else if (op != ExchangeOp::ActiveMask) {
    const Value only = onlyValue(b["predicate"]);
    const auto* s = only.as<Scalar>();
    isGood = isGood && s;
    made.operands.push_back(isGood ? truth(s->e) : Expr());
  }
  if (op == ExchangeOp::AllOfWarp || op == ExchangeOp::AnyOfWarp) made.type = DType::Bool;
  if (!isGood)
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("`{}` takes numbers of 32 or 64 bits, and whole numbers for masks and lanes",
                             b.display()));
  const Expr got = ir::var(made.var, made.type);
  emit(std::move(made));
  Scalar result{got, isWeak};
  if (isOnBothPaths && !isOfOneType) result.others = {Scalar{{}, true}};
  return Value{result};
}

} // namespace appyc::sema
