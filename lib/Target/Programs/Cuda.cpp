//===- Cuda.cpp - kernels -------------------------------------------------------------------------------===//
// A kernel is a template over the type of its indices, if it has any.
#include "Functions.h"
#include "Statements.h"
#include "appyc/Cost/Device.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/Cxx/Print.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Support/InternalError.h"
#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace appyc::target {

using namespace ir;

namespace {

class KernelText : public Statements {
public:
  KernelText(Context& c, const Kernel& kernel, const Launch& launch)
      : Statements(c), kernel_(kernel), launch_(launch) {
    std::set<Symbol> vectors;
    visit(kernel.body, [&](const Stmt& s) {
      if (const auto* alloc = s.as<Alloc>(); alloc && alloc->vector) vectors.insert(alloc->buffer.name);
      if (const auto* store = s.as<Store>()) changed_.insert(store->buffer);
      const auto* copy = s.as<For>();
      if (!copy || !copy->mapping.is<VectorCopy>()) return true;
      if (const Symbol& target = copy->body.as<Store>()->buffer; vectors.count(target))
        loaded_.insert(target);
      return false;
    });
  }

  /// The kernel's statements. An index that several loops give to each thread is declared once, in front.
  Out all(const Symbols& locals) {
    Out out;
    if (launch_.how == Launch::Resident && !isConst(bytesOnChip(kernel_.body), 0)) {
      c_.support.use("OnChip");
      onChip_ = c_.freshName("on_chip");
      out.push_back(cxx::declare(cxx::type("OnChip"), onChip_));
    }
    declareThreads(kernel_.body, out, 2);
    findKept(kernel_.body);
    findSubscripts();
    Out rest = sequence(kernel_.body, locals, {});
    declareSubscripts(out);
    for (cxx::Stmt& part : rest) out.push_back(std::move(part));
    return out;
  }

protected:
  /// Which thread asks is arithmetic on its position.
  static Expr isFirst(Only::First first) {
    const Expr thread = make(Hardware{HardwareIndex::ThreadX}), block = make(Hardware{HardwareIndex::BlockX});
    switch (first) {
    case Only::LaneOfWarp: return eq(mod(thread, 32), 0);
    case Only::LaneOfGroup:
    case Only::ThreadOfBlock: return eq(thread, 0);
    case Only::WarpOfBlock: return thread < 32;
    case Only::BlockOfGrid: return eq(block, 0);
    case Only::ThreadOfGrid: return both(eq(block, 0), eq(thread, 0));
    }
    internalError("unknown kind of the first one");
  }

  void atEnd(Out& out) override {
    std::map<std::string, std::string> arrays;
    for (const Symbol& p : kernel_.params)
      if (c_.isBuffer(p) && !kernel_.isGiven && c_.used->count(p))
        arrays[c_.name(p)] = typeName(c_, c_.buffer(p).type);
    callLaneFolds(c_, arrays, out);
  }

  /// Registers of a thread, and what says which thread it is.
  bool keepsName(const Symbol& v) const override { return kept_.contains(v) || threads_.contains(v); }

  void special(const Stmt& s, const Placement::Item& item, Out& out) override {
    if (const auto* only = s.as<Only>()) {
      const cxx::Expr cond = expressions_.value(isFirst(only->first));
      cxx::Stmt first = body(only->body, item.inside, item.liveOut), others;
      if (only->others) others = body(only->others, item.inside, item.liveOut);
      return out.push_back(cxx::ifThen(cond, std::move(first), std::move(others)));
    }
    const auto barrier = [](const char* name) { return cxx::evaluate(cxx::call(name, {})); };
    if (const auto* b = s.as<Barrier>()) {
      static constexpr const char* names[] = {"__syncwarp", "group_barrier", "__syncthreads",
                                              "cluster_barrier", "grid_barrier"};
      const char* name = names[static_cast<size_t>(b->scope)];
      if (b->scope != Scope::Warp && b->scope != Scope::Block) c_.support.use(name);
      if (b->lanes) return out.push_back(cxx::evaluate(cxx::call(name, {exchanged(b->lanes, true)})));
      return out.push_back(barrier(name));
    }
    if (const auto* a = s.as<Alloc>()) return local(*a, out);
    if (const auto* p = s.as<Print>()) return printHere(*p, out);
    if (const auto* e = s.as<Exchange>()) return give(e->var, exchange(*e), item, out);
    if (const auto* fence = s.as<Fence>()) {
      static constexpr const char* names[] = {"__threadfence_block", "__threadfence", "__threadfence_system"};
      return out.push_back(barrier(names[fence->reach]));
    }
    if (const auto* signal = s.as<Signal>()) {
      const char* name = signal->kind == Signal::Post ? "post_step" : "wait_for_step";
      c_.support.use(name);
      const cxx::Expr step = expressions_.value(signal->step);
      cxx::Expr progress = cxx::name(c_.name(signal->progress));
      if (!signal->index.empty())
        progress = cxx::binary("+", progress, expressions_.value(signal->index.front()));
      return out.push_back(cxx::evaluate(cxx::call(name, {progress, step})));
    }
    const auto* c = s.as<Collective>();
    if (!c) internalError("a statement of the host program inside a kernel");
    const std::string_view name = c->scope == Scope::Warp    ? "warp_reduce"
                                  : c->scope == Scope::Block ? "block_reduce"
                                  : c->apart                 ? "group_reduce_apart"
                                                             : "group_reduce";
    c_.support.use(name);
    useOperator(c_.support, c->op, c->type);
    if (c->apart && c->scope != Scope::Group) out.push_back(barrier("__syncthreads"));
    const cxx::Expr variable = cxx::name(c_.name(c->var));
    const std::string arguments = std::string(operatorName(c->op)) + (c->part ? ", 1" : "");
    out.push_back(cxx::assign(variable, cxx::callTemplate(name, arguments, {variable})));
  }

  cxx::Expr exchange(const Exchange& e) {
    static constexpr std::string_view names[] = {
        "__syncthreads_count", "__syncthreads_and", "__syncthreads_or", "__all_sync",
        "__any_sync",          "__match_any_sync",  "__ballot_sync",    "__activemask",
        "__shfl_sync",         "__shfl_up_sync",    "__shfl_down_sync", "__shfl_xor_sync"};
    std::vector<cxx::Expr> args;
    for (const Expr& operand : e.operands)
      args.push_back(exchanged(operand, args.empty() && e.operands.size() > 1));
    return cxx::call(names[static_cast<size_t>(e.op)], std::move(args));
  }
  /// A mask of lanes in hexadecimal digits; a value in its own type.
  cxx::Expr exchanged(const Expr& operand, bool isMask) {
    const auto constant = constantInt(operand);
    if (isMask && constant) return cxx::name(fmt::format("0x{:x}u", static_cast<uint32_t>(*constant)));
    return isMask ? cxx::cast("unsigned", expressions_.value(operand)) : expressions_.exact(operand);
  }

  /// Shared by the block, or a thread's own.
  void local(const Alloc& a, Out& out) {
    const std::string type = typeName(c_, a.buffer.type);
    if (a.row) {
      c_.support.use("Vector");
      const std::string row = fmt::format("Vector<{}, {} * {}>", type, c_.vectorsKept, c_.vectorWidth);
      return out.push_back(cxx::declare(cxx::type(row), c_.name(a.buffer.name)));
    }
    if (a.vector) {
      c_.support.use("Vector");
      if (loaded_.count(a.buffer.name)) return; // declared where it is loaded
      const std::string vector = fmt::format("Vector<{}, {}>", type, c_.vectorWidth);
      return out.push_back(cxx::declare(cxx::type(vector), c_.name(a.buffer.name)));
    }
    Buffer ofThread = a.buffer;
    ofThread.extents.erase(ofThread.extents.begin(), ofThread.extents.begin() + a.buffer.threads);
    const bool isShared = a.shared && a.buffer.threads == 0;
    if (kernel_.isGiven && isShared && !constantInt(elementCount(a.buffer))) {
      c_.support.use("shared_of_launch");
      return out.push_back(cxx::declare(cxx::pointerTo(type, false, false), c_.name(a.buffer.name),
                                        cxx::callTemplate("shared_of_launch", type, {})));
    }
    if (isShared && launch_.how == Launch::Resident) {
      const cxx::Expr count = expressions_.value(elementCount(a.buffer)),
                      part = cxx::callTemplate(onChip_ + ".take", type, {count});
      return out.push_back(cxx::declare(cxx::pointerTo(type, false, false), c_.name(a.buffer.name), part));
    }
    out.push_back(cxx::declareArray(cxx::type(isShared ? "__shared__ " + type : type), c_.name(a.buffer.name),
                                    *constantInt(elementCount(ofThread))));
  }

  std::string enterLoop(const For& n, Span) override {
    const auto* serial = n.mapping.as<Serial>();
    if (serial && serial->unroll > 1) return fmt::format("unroll {}", serial->unroll);
    const auto* hi = n.hi.as<Hardware>(); // of so few that compilers do so unasked
    return isUnrolled(n) && !(hi && hi->which == HardwareIndex::Width) ? "unroll" : "";
  }

  /// A vector from memory, or to it.
  void copyVector(const For& n, Out& out) {
    const auto& copy = *n.body.as<Store>();
    const auto& from = *copy.value.as<Load>();
    const bool isLoad = loaded_.count(copy.buffer) > 0;
    std::vector<Expr> first;
    for (const Expr& e : isLoad ? from.index : copy.index)
      first.push_back(substitute(e, {{n.index, intConst(0)}}));
    const cxx::Expr memory = cxx::addressOf(expressions_.element(isLoad ? from.buffer : copy.buffer, first));
    const cxx::Expr vector = cxx::name(c_.name(isLoad ? copy.buffer : from.buffer));
    c_.support.use(isLoad ? "load_vector" : "store_vector");
    if (!isLoad) return out.push_back(cxx::evaluate(cxx::call("store_vector", {memory, vector})));
    const cxx::Expr value = cxx::callTemplate("load_vector", c_.vectorWidth, {memory});
    const bool changes = changed_.count(copy.buffer) > 0;
    out.push_back(
        cxx::declare(changes ? cxx::type("auto") : cxx::constType("auto"), c_.name(copy.buffer), value));
  }

  /// Are there as many blocks as iterations, of which there is at least one?
  bool hasBlockEach(const For& n) const {
    const Expr& grid = launch_.shape.grid[static_cast<size_t>(*axisOf(n))];
    const std::optional<Units> blocks = grid ? unitsOf(grid) : std::nullopt;
    return blocks && blocks->most >= cost::Device::blocksOfGrid && equal(blocks->count, n.hi) &&
           isConst(n.lo, 0) && isConst(n.step, 1) && firstBlockOf(n) == 0 &&
           c_.facts.range(n.hi, c_.width).lo >= 1;
  }
  cxx::Stmt declaredBlock(const For& n) {
    return cxx::declare(cxx::constType(c_.variableType(n.index)), c_.name(n.index),
                        cxx::name(fmt::format("blockIdx.{}", letterOf(*axisOf(n)))));
  }

  /// Of each thread the same number of iterations, so that the compiler can write them out.
  void loop(const Stmt& s, const Placement::Item& item, Out& out) override {
    const For& n = *s.as<For>();
    if (n.mapping.is<VectorCopy>()) return copyVector(n, out);
    apart_ = flagOf(n);
    const auto* blocks = n.mapping.as<PerBlock>();
    const bool isOneBlock = blocks && blocks->once && !apart_ && isConst(sub(n.hi, n.lo), 1) &&
                            isConst(launch_.shape.grid[static_cast<size_t>(*axisOf(n))], 1);
    const bool isBlock = blocks && blocks->once && !apart_ && !isOneBlock && hasBlockEach(n);
    if (threads_.count(n.index) || isOneBlock || isBlock) {
      const Stmt inside = isOneBlock ? substitute(n.body, {{n.index, n.lo}}) : n.body;
      if (isBlock) out.push_back(declaredBlock(n));
      for (cxx::Stmt& part : sequence(inside, item.inside, liveAfterBody(c_.function, s, item.liveOut)))
        out.push_back(std::move(part));
      return;
    }
    const auto trips = constantInt(sub(n.hi, n.lo));
    const int64_t threads = launch_.shape.block[0], lanes = lanesOf(n) == Scope::Block ? threads : 32;
    if (!isUnrolled(n) || !n.mapping.is<PerLane>() || axisOf(n) != Axis::X || !isConst(n.step, 1) || !trips ||
        *trips <= 0 || *trips % lanes != 0)
      return Statements::loop(s, item, out);
    std::optional<Context::NameScope> names; // a single iteration's statements stand among those around
    if (*trips > lanes) names.emplace(c_);
    const std::string type = c_.variableType(n.index), base = *trips > lanes ? c_.freshName("base") : "";
    const std::string index = c_.name(n.index);
    cxx::Expr lane = cxx::name("threadIdx.x");
    if (lanes < threads) lane = cxx::binary("%", lane, cxx::number(lanes));
    if (*trips > lanes) lane = cxx::binary("+", cxx::name(base), lane);
    if (!isConst(n.lo, 0)) {
      if (*trips == lanes) lane = cxx::cast(type, lane);
      lane = cxx::binary("+", expressions_.bound(n.lo, c_.isIndexTyped(n.index)), lane);
    }
    Out inner = sequence(n.body, item.inside, liveAfterBody(c_.function, s, item.liveOut));
    inner.insert(inner.begin(), cxx::declare(cxx::constType(type), index, lane));
    if (*trips == lanes) return out.push_back(cxx::block(std::move(inner)));
    out.push_back(cxx::pragma("unroll"));
    out.push_back(cxx::stmt(cxx::For{cxx::declare(cxx::type(type), base, cxx::number(0)),
                                     cxx::binary("<", cxx::name(base), cxx::number(*trips)),
                                     cxx::assign(cxx::name(base), cxx::number(lanes), "+="),
                                     cxx::block(std::move(inner))}));
  }

  static Symbol flagOf(const For& n) {
    const auto* blocks = n.mapping.as<PerBlock>();
    return blocks ? blocks->unswitched : Symbol();
  }
  /// What follows the assignment to a loop's flag (PerBlock::unswitched) is a lambda that is told what the flag is.
  cxx::Stmt body(const Stmt& s, const Symbols& pending, const Symbols& liveOut) override {
    const Symbol flag = std::exchange(apart_, {});
    if (!flag) return Statements::body(s, pending, liveOut);
    const std::vector<Stmt> all = allStatementsOf(s);
    const auto split = std::find_if(all.begin(), all.end(), [&](const Stmt& part) {
      return part.is<Assign>() && part.as<Assign>()->var == flag;
    });
    const Context::NameScope names(c_);
    Out out = sequence(block({all.begin(), split}), {}, {});
    const cxx::Expr cond = expressions_.value(split->as<Assign>()->value);
    const std::string name = c_.freshName("tile"), kind = c_.freshName("kind");
    c_.support.use("Known");
    Out inner;
    {
      const Context::NameScope ofLambda(c_);
      inner.push_back(cxx::declare(cxx::type("constexpr bool"), c_.name(flag),
                                   cxx::name(fmt::format("decltype({})::value", kind))));
      const Stmt rest = block({split + 1, all.end()});
      const Symbols named = threads_;
      declareThreads(rest, inner, 1);
      Symbols others = pending;
      others.erase(flag);
      for (cxx::Stmt& part : sequence(rest, others, liveOut)) inner.push_back(std::move(part));
      threads_ = named;
    }
    out.push_back(cxx::stmt(cxx::Lambda{name, "auto " + kind, cxx::block(std::move(inner))}));
    const auto call = [&](std::string_view type) {
      return cxx::evaluate(cxx::call(name, {cxx::braces(type, {})}));
    };
    out.push_back(cxx::ifThen(cond, call("Known<true>"), call("Known<false>")));
    return cxx::block(std::move(out));
  }

  /// Of a loop that has one iteration a thread, its index.
  bool isThread(const For& n) const {
    return isUnrolled(n) && lanesOf(n) == Scope::Block && isConst(n.lo, 0) && isConst(n.step, 1) &&
           isConst(n.hi, launch_.shape.block[static_cast<size_t>(*axisOf(n))]);
  }
  /// The indices that `least` such loops in `region` have in common, but for loops that are compiled apart.
  void declareThreads(const Stmt& region, Out& out, int least) {
    std::map<Symbol, int> seen;
    visit(region, [&](const Stmt& s) {
      const auto* loop = s.as<For>();
      if (loop && isThread(*loop) && ++seen[loop->index] == least && threads_.insert(loop->index).second)
        out.push_back(cxx::declare(cxx::constType(c_.variableType(loop->index)), c_.name(loop->index),
                                   cxx::name(fmt::format("threadIdx.{}", letterOf(*axisOf(*loop))))));
      return !loop || !flagOf(*loop);
    });
  }
  /// What a thread keeps in registers in `region`: its arrays, and the variables that are copied there.
  void findKept(const Stmt& region) {
    const auto keep = [&](const Expr& e) {
      const auto* choice = e.as<Select>();
      const auto* v = choice ? choice->then.as<Var>() : e.as<Var>();
      return v && kept_.insert(v->name).second;
    };
    for (bool more = true; more;) {
      more = false;
      visit(region, [&](const Stmt& s) {
        if (const auto* store = s.as<Store>(); store && c_.buffer(store->buffer).threads > 0) {
          more |= kept_.insert(store->buffer).second;
          more |= keep(store->value);
        }
        if (const auto* a = s.as<Assign>(); a && kept_.count(a->var)) more |= keep(a->value);
        return true;
      });
    }
  }
  static char letterOf(Axis axis) { return "xyz"[static_cast<size_t>(axis)]; }

  /// A product that a thread keeps in a register may meet a sum of a later step, which must not take it in:
  /// the values would not be those of arrays in memory.
  std::optional<cxx::Expr> rounded(const Symbol& target, const Expr& value) override {
    const auto* product = value.as<Binary>();
    if (!kept_.count(target) || !c_.options.fmad || !product || product->op != BinaryOp::Mul ||
        !isFloat(product->type))
      return {};
    c_.support.use("rounded_product");
    return cxx::call("rounded_product", {expressions_.exact(product->lhs), expressions_.exact(product->rhs)});
  }

  /// Do the elements that the threads of a grid take at once have numbers of 32 bits?
  bool countsInUnsigned(const For& n) const {
    const int64_t step = n.step.is<Hardware>() ? 1 : constantInt(n.step).value_or(0);
    const int64_t lo = constantInt(n.lo).value_or(-1);
    if (lo < 0 || lo > 4096 || step < 1 || step > 16 || firstBlockOf(n) > 0) return false;
    const auto axis = static_cast<size_t>(axisOf(n).value_or(Axis::X));
    const std::optional<Units> blocks =
        launch_.shape.grid[axis] ? unitsOf(launch_.shape.grid[axis]) : std::nullopt;
    return axis > 0 || (blocks && blocks->most <= cost::Device::blocksOfGrid);
  }

  std::optional<Workers> workers(const For& n) override {
    using Found = std::optional<Workers>;
    const char axis = letterOf(axisOf(n).value_or(Axis::X));
    const auto builtin = [&](std::string_view name) { return cxx::name(fmt::format("{}.{}", name, axis)); };
    const auto wide = [&](const cxx::Expr& e) { return cxx::cast(c_.variableType(n.index), e); };
    const bool isNarrow = countsInUnsigned(n);
    const auto blocks = [&](std::string_view name) { // without those that take no part
      const int first = firstBlockOf(n);
      if (isNarrow) return builtin(name);
      return wide(first > 0 ? cxx::binary("-", builtin(name), cxx::number(first)) : builtin(name));
    };
    const cxx::Expr thread = builtin("threadIdx"), size = builtin("blockDim"), warp = cxx::number(32);
    const auto position = [&] {
      return cxx::binary("+", cxx::binary("*", blocks("blockIdx"), size), thread);
    };
    const auto threads = [&] { return cxx::binary("*", blocks("gridDim"), size); };
    return std::visit(
        Overloaded{[&](const PerBlock&) -> Found {
                     return Workers{builtin("blockIdx"), builtin("gridDim")};
                   },
                   [&](const PerThread&) -> Found {
                     return Workers{position(), threads()};
                   },
                   [&](const PerWarp&) -> Found {
                     return Workers{cxx::binary("/", position(), warp), cxx::binary("/", threads(), warp)};
                   },
                   [&](const PerGroup&) -> Found {
                     const cxx::Expr groups = cxx::name("blockDim.y");
                     return Workers{cxx::binary("+", cxx::binary("*", blocks("blockIdx"), groups),
                                                cxx::name("threadIdx.y")),
                                    cxx::binary("*", blocks("gridDim"), groups)};
                   },
                   [&](const PerLane& m) -> Found {
                     if (m.scope != Scope::Warp) return Workers{thread, size};
                     return Workers{cxx::binary("%", wide(thread), warp), warp};
                   },
                   [](const Serial&) { return Found(); }, [](const VectorCopy&) { return Found(); },
                   [](const Recorded&) { return Found(); }},
        n.mapping);
  }

private:
  /// Arrays of three axes and more that lie alike have one function for their subscripts, if there are several.
  void findSubscripts() {
    constexpr size_t axes = 3;
    constexpr int few = 3;
    std::map<Symbol, int> uses;
    const auto count = [&](const Symbol& array) { ++uses[array]; };
    visit(
        kernel_.body,
        [&](const Stmt& s) {
          if (const auto* store = s.as<Store>()) count(store->buffer);
          return true;
        },
        [&](const Expr& e) {
          if (const auto* load = e.as<Load>()) count(load->buffer);
          return true;
        });
    const std::set<Symbol> known(kernel_.params.begin(), kernel_.params.end());
    for (const Symbol& p : kernel_.params) {
      const Buffer* array = c_.function.findBuffer(p);
      if (kernel_.isGiven || !array || array->onChip || array->threads > 0 || array->extents.size() < axes ||
          !uses.count(p))
        continue;
      std::vector<Expr> inner(array->extents.begin() + 1, array->extents.end());
      if (!std::ranges::all_of(inner, [&](const Expr& e) {
            return std::ranges::includes(known, freeVars(e)) && !readsMemory(e);
          }))
        continue;
      const auto same = std::ranges::find_if(subscripts_, [&](const Subscripts& s) {
        return std::ranges::equal(s.inner, inner,
                                  [](const Expr& a, const Expr& b) { return equalIndex(a, b); });
      });
      Subscripts& to =
          same == subscripts_.end() ? subscripts_.emplace_back(Subscripts{inner, {}, 0, ""}) : *same;
      to.arrays.push_back(p);
      to.uses += uses[p];
    }
    std::erase_if(subscripts_, [](const Subscripts& s) { return s.uses < few; });
    for (Subscripts& s : subscripts_) {
      s.name = c_.freshName(subscripts_.size() == 1 ? "at" : "at_" + s.arrays.front().hint());
      for (const Symbol& array : s.arrays) c_.subscripts[array] = s.name;
    }
  }

  /// `const auto at = [&](index_t i, index_t j, index_t k) { return (i * N + j) * K + k; };`, where it is called.
  void declareSubscripts(Out& out) {
    for (const Subscripts& s : subscripts_) {
      for (const Symbol& array : s.arrays) c_.subscripts.erase(array);
      if (c_.subscriptsUsed.erase(s.name) == 0) continue;
      const Context::NameScope names(c_);
      std::string parameters;
      cxx::Expr position;
      for (size_t axis = 0; axis <= s.inner.size(); ++axis) {
        constexpr std::string_view letters = "ijklmn";
        const std::string name = c_.freshName(std::string(1, letters[std::min(axis, letters.size() - 1)]));
        parameters += fmt::format("{}{} {}", axis == 0 ? "" : ", ", c_.indexType, name);
        position = axis == 0
                       ? cxx::name(name)
                       : cxx::binary("+", cxx::binary("*", position, expressions_.index(s.inner[axis - 1])),
                                     cxx::name(name));
      }
      out.push_back(cxx::stmt(cxx::Lambda{s.name, parameters, cxx::block({cxx::giveBack(position)})}));
    }
  }

  struct Subscripts {
    std::vector<Expr> inner; ///< the extents but for the first
    std::vector<Symbol> arrays;
    int uses = 0;
    std::string name;
  };
  std::vector<Subscripts> subscripts_;
  const Kernel& kernel_;
  const Launch& launch_;
  Symbol apart_;    ///< of the loop whose body comes next
  Symbols threads_; ///< indices that name the thread
  Symbols kept_;
  std::string onChip_;       ///< what gives out the shared memory that the launch has asked for
  Symbols loaded_, changed_; ///< vectors that come from memory; of these, those that are set later
};

} // namespace

std::vector<Symbol> inOrder(const Context& c, const std::set<Symbol>& symbols) {
  std::vector<Symbol> all;
  for (const Buffer& b : c.function.buffers)
    if (symbols.count(b.name)) all.push_back(b.name);
  for (const Symbol& s : symbols)
    if (!c.isBuffer(s)) all.push_back(s);
  return all;
}

/// Blocks that write what others read later make no promise that nobody else does: caches would be trusted.
static bool waitsForOtherBlocks(const Stmt& body) {
  return has<Signal>(body) ||
         any<Barrier>(body, [](const Barrier& barrier) { return barrier.scope == Scope::Cluster; });
}

static std::string launchBounds(const Launch& launch) {
  const int threads = launch.shape.block[0] * launch.shape.block[1] * launch.shape.block[2];
  if (launch.shape.threadsAtOnce < threads) return "";
  return fmt::format(" __launch_bounds__({}, {})", threads, launch.shape.threadsAtOnce / threads);
}

static bool mentionsIndexType(cxx::Function kernel) {
  kernel.comment.clear();
  return cxx::print(cxx::Unit{{cxx::decl(std::move(kernel))}}).find("index_t") != std::string::npos;
}

KernelCode lowerKernel(Context& c, const Kernel& kernel, const Stmt& statement, std::set<Symbol>& used) {
  const Launch& launch = *statement.as<Launch>();
  const bool keepsRows = launch.vectors.rows.name == kernel.name;
  const std::set<Symbol> exposed = exposedReads(c.function, kernel.body);
  std::set<Symbol> locals;
  for (const Symbol& s : assignedVars(kernel.body))
    if (!exposed.count(s) || !c.hostScalars.count(s)) locals.insert(s);
  for (const Symbol& s : exposed)
    if (!locals.count(s)) c.name(s); // a name of the host program, not of the kernel
  std::set<Symbol>* outer = std::exchange(c.used, &used);
  const bool wasHost = std::exchange(c.inHostProgram, false);
  const bool isByHost = launch.how == Launch::ByHost;
  const bool isOfBoth = isByHost && isLaunchedToo(c.function, kernel.name);
  const Sides outside = std::exchange(c.sides, {.onHost = isByHost, .onDevice = !isByHost || isOfBoth});
  const std::string indexOfHost = std::exchange(c.indexType, c.kernelIndex);
  std::map<uint32_t, std::string> lines; // of the source
  if (!kernel.isGiven) lines = linesToQuote(c, kernel.body);
  const bool isOneLine = lines.size() == 1; // which the comment above the kernel has
  const std::set<uint32_t> quotedOutside =
      c.startQuoting(isOneLine ? std::set<uint32_t>{lines.begin()->first} : std::set<uint32_t>{});
  std::vector<cxx::Stmt> body;
  std::set<std::string> localNames;
  {
    const Context::NameScope names(c);
    if (launch.vectors.width > 1) c.vectorWidth = c.freshName("width");
    if (keepsRows) c.vectorsKept = c.freshName("kept");
    body = KernelText(c, kernel, launch).all(locals);
    for (const Symbol& s : locals) localNames.insert(c.name(s));
  }
  if (launch.how == Launch::Overlapping) { // as all launches of the kernel do
    c.support.use("wait_for_previous_kernel");
    body.insert(body.begin(), cxx::evaluate(cxx::call("wait_for_previous_kernel", {})));
  }
  c.startQuoting(quotedOutside);
  c.inHostProgram = wasHost;
  c.sides = outside;
  c.used = outer;
  for (const Symbol& s : locals) used.erase(s);

  const std::set<Symbol> stored = storedBuffers(kernel.body);
  const bool isShared = waitsForOtherBlocks(kernel.body);
  // What one thread stores another one loads behind a barrier, which a compiler takes for no reason to load it where nobody else
  // is promised to store: seen with __syncwarp and with __syncthreads.
  std::set<Symbol> exchanged;
  if (has<Barrier>(kernel.body))
    each<Load>(kernel.body, [&](const Load& l) {
      if (stored.count(l.buffer)) exchanged.insert(l.buffer);
    });
  std::vector<cxx::Parameter> list;
  for (const Symbol& s : kernel.params) {
    if (!used.count(s)) continue;
    const bool mayBeAnother = kernel.isGiven || (isShared && stored.count(s)) || exchanged.count(s);
    if (c.isBuffer(s) && mayBeAnother)
      list.push_back({cxx::pointerTo(typeName(c, c.buffer(s).type), !stored.count(s), false), c.name(s)});
    else if (c.isBuffer(s))
      list.push_back({pointerType(c.buffer(s), stored.count(s) != 0), c.name(s)});
    else
      list.push_back(
          {cxx::type(c.isIndexTyped(s) ? c.indexType : typeName(c, c.facts.variable(s).type)), c.name(s)});
  }
  std::vector<std::string> arguments;
  if (launch.vectors.width > 1) arguments.push_back("int " + c.vectorWidth);
  if (keepsRows) arguments.push_back("int " + c.vectorsKept);
  std::string comment = purposeText(c, kernel, lines);
  if (const std::string mapping = kernel.isGiven ? "" : mappingText(kernel); !mapping.empty())
    comment += (comment.empty() ? "" : "\n") + mapping;
  cxx::Function function{std::move(comment),
                         std::move(arguments),
                         isOfBoth   ? "__host__ __device__"
                         : isByHost ? ""
                                    : "__global__",
                         cxx::type("void" + launchBounds(launch)),
                         kernel.name,
                         std::move(list),
                         cxx::from(c.lineOf(statement->span), cxx::stmt(cxx::Block{std::move(body)}))};
  const bool takesIndex = c.kernelIndex == "index_t" && mentionsIndexType(function);
  if (takesIndex) function.templateParameters.insert(function.templateParameters.begin(), "class index_t");
  c.indexType = indexOfHost;
  return {cxx::decl(std::move(function)), std::move(localNames), takesIndex};
}

} // namespace appyc::target
