//===- CudaHost.cpp - host programs of the cuda target, and their entries -------------------------------===//
#include "Functions.h"
#include "LaunchShapes.h"
#include "Statements.h"
#include "appyc/Cost/Device.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/Cxx/Print.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Kernels.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Position.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include "appyc/Support/InternalError.h"
#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace appyc::target {

using namespace ir;

namespace {

class Host : public Statements {
public:
  Host(Context& c, std::vector<cxx::Decl>& kernels) : Statements(c), kernels_(kernels), shapes_(c) {
    for (const Buffer& b : workspaceBuffers(c)) inWorkspace_.insert(b.name);
    // An argument may be one of which the kernel makes nothing.
    dead_ = deadVariables(c.function, withBodiesInPlace(c.function).body);
    knowsDead_ = true;
    each<Launch>(c.function.body, [&](const Launch& l) {
      for (const Expr& threads : l.shape.threads)
        if (threads) ofBlocks_.merge(freeVars(threads));
    });
  }
  bool usesWorkspace() const { return !inWorkspace_.empty(); }
  /// `double *a = arena.take(n), *b = arena.take();`, those of one type together.
  void takeWorkspace(Out& out) {
    if (!usesWorkspace()) return;
    std::vector<Buffer> all = workspaceBuffers(c_);
    if (all.size() == 1) {
      const std::string type = typeName(c_, all[0].type);
      const cxx::Expr whole = cxx::call(fmt::format("static_cast<{}*>", type), {cxx::name("workspace")});
      return out.push_back(cxx::declare(cxx::pointerTo(type, false, false), c_.name(all[0].name), whole));
    }
    c_.support.use("Arena");
    out.push_back(cxx::declareWith(cxx::type("Arena"), "arena", {cxx::name("workspace")}));
    for (const Buffer& b : all) c_.name(b.name); // numbered as they come
    for (auto first = all.begin(); first != all.end();) {
      const auto isAlike = [type = first->type](const Buffer& b) { return b.type == type; };
      const auto last = std::stable_partition(first, all.end(), isAlike);
      for (; first != last; ++first) {
        std::vector<cxx::Expr> count;
        if (!isConst(elementCount(*first), 1)) count = {expressions_.value(elementCount(*first))};
        out.push_back(cxx::declare(cxx::pointerTo(typeName(c_, first->type), false, false),
                                   c_.name(first->name), cxx::call("arena.take", std::move(count))));
      }
    }
  }
  bool usesStream = false;
  bool choosesIndex = false;          ///< by which type kernels count
  std::string givenIndex = "index_t"; ///< to kernels that are templates over it

  /// Reports launches that failed.
  void finish(Out& out) {
    c_.support.use("check");
    out.push_back(cxx::giveBack(cxx::call("check", {cxx::call("cudaGetLastError", {})})));
  }

protected:
  void special(const Stmt& s, const Placement::Item&, Out& out) override {
    if (const auto* l = s.as<Launch>()) return launch(s, *l, out);
    if (const auto* a = s.as<Alloc>()) return alloc(a->buffer, out);
    if (const auto* r = s.as<Require>()) return require(*r, s->span, out);
    if (const auto* p = s.as<Print>()) return print(*p, out);
    if (const auto* f = s.as<Fetch>()) return fetch(*f, out);
    if (const auto* w = s.as<Swap>()) return swap(*w, out);
    if (const auto* p = s.as<MatMul>()) {
      usesStream = true;
      return out.push_back(multiply(c_, *p));
    }
    if (const auto* r = s.as<Routine>()) {
      usesStream = true;
      return out.push_back(callRoutine(c_, *r));
    }
    if (!s.is<Return>()) internalError("a statement of a kernel in the host program");
    storeResults(c_, out);
    finish(out);
  }

  /// Of blocks, which are declared in its place.
  bool keepsName(const Symbol& v) const override { return ofBlocks_.contains(v); }
  void atEnd(Out& out) override { joinFetches(c_, out); }

  void loop(const Stmt& s, const Placement::Item& item, Out& out) override {
    if (auto all = multiplyBatch(c_, *s.as<For>())) {
      usesStream = true;
      return out.push_back(std::move(*all));
    }
    if (!s.as<For>()->mapping.is<Recorded>()) return Statements::loop(s, item, out);
    replay(s, item, out);
  }

  /// The device finds the condition: a graph goes on by itself, or the host asks.
  void whileLoop(const Stmt& s, const Placement::Item& item, Out& out) override {
    const auto& loop = *s.as<While>();
    const auto* going = loop.cond.as<Load>();
    if (!going) return Statements::whileLoop(s, item, out);
    const cxx::Expr flag = cxx::name(c_.name(going->buffer));
    const auto steps = [&] {
      return body(loop.body, item.inside, liveAfterBody(c_.function, s, item.liveOut));
    };
    usesStream = true;
    if (onlyLaunches(loop.body)) {
      const Recording step = recorded("step", loop.body, [&](Out& inside) { inside = {steps()}; });
      return start("repeat_while_recorded", step, {flag, cxx::number(mostLaunches(loop.body))}, out);
    }
    c_.support.use("holds");
    out.push_back(cxx::stmt(cxx::While{cxx::call("holds", {flag, cxx::name("stream")}), steps()}));
  }

  std::optional<cxx::Expr> rounded(const Symbol&, const Expr& value) override {
    return shapes_.number(value);
  }

  /// What tells the shape of a launch's blocks is that shape.
  void assign(const Assign& a, const Placement::Item& item, Out& out) override {
    if (shapes_.isSaidByPlanes(a.var)) return;
    if (const auto block = shapes_.declarePlanes(a)) return out.push_back(*block);
    const auto threads = shapes_.threadsAlong(a.var);
    if (!threads || !item.declares || !item.isConst || dead_.count(a.var) || item.isUnread)
      return Statements::assign(a, item, out);
    out.push_back(shapes_.declare(a, *threads));
  }

private:
  /// By the support code's kernels; nothing where it takes long to say where the elements lie.
  std::optional<cxx::Stmt> swept(const PlainSweep& sweep, bool isEarly) {
    constexpr size_t fits = 64;
    const auto place = [&](const Symbol& array, const std::vector<Expr>& index) {
      const Expr position = simplifiedIndex(positionOf(c_.buffer(array).extents, index));
      const cxx::Expr begin = cxx::name(c_.name(array));
      return isConst(position, 0) ? begin : cxx::binary("+", begin, expressions_.value(position));
    };
    const auto given = [&](const Expr& e) {
      const auto* v = e.as<Var>();
      return v ? cxx::name(c_.name(v->name)) : expressions_.value(e);
    };
    std::vector<cxx::Expr> args{place(sweep.target, sweep.first)};
    if (!sweep.value) args.push_back(place(sweep.source, sweep.from));
    args.push_back(given(sweep.count));
    if (sweep.value) args.push_back(given(sweep.value));
    args.push_back(cxx::name("stream"));
    const std::string name =
        std::string(sweep.value ? "fill_elements" : "copy_elements") + (isEarly ? "_early" : "");
    if (std::ranges::any_of(args, [&](const cxx::Expr& e) { return cxx::print(e).size() > fits; })) return {};
    c_.support.use(name);
    return cxx::evaluate(cxx::call(name, std::move(args)));
  }

  void launch(const Stmt& s, const Launch& l, Out& out) {
    usesStream = true;
    if (const auto plain = plainSweepOf(c_.function, l))
      if (const auto all = swept(*plain, l.how == Launch::Overlapping)) return out.push_back(*all);
    const std::vector<cxx::Expr> args = argumentsOf(s, l.name, l.arguments);
    if (c_.function.findKernel(l.name)->isGiven) return launchGiven(l, args, out);
    if (l.how == Launch::ByHost) return launchByHost(c_, s, args, plainInstance(l), out);
    if (isLaunchedToo(c_.function, l.name)) {
      const std::vector<cxx::Expr> shape{cxx::number(1), cxx::number(1), cxx::number(0), cxx::name("stream")};
      return out.push_back(
          cxx::evaluate(cxx::expr(cxx::Launch{cxx::name(instanceOf(l.name, "", kAlone)), shape, args})));
    }
    std::vector<cxx::Expr> blocks{cxx::number(l.shape.block[0])};
    if (l.shape.block[1] * l.shape.block[2] != 1) {
      for (int axis = 1; axis < (l.shape.block[2] == 1 ? 2 : 3); ++axis)
        blocks.push_back(cxx::number(l.shape.block[axis]));
      blocks = {cxx::call("dim3", blocks)};
    }
    const cxx::Expr fixed = blocks.front(); // of the kernel that keeps rows
    if (l.shape.threads[0]) {
      size_t axes = 3;
      while (axes > 1 && isConst(l.shape.threads[axes - 1], 1)) --axes;
      blocks.clear();
      for (size_t axis = 0; axis < axes; ++axis) blocks.push_back(expressions_.value(l.shape.threads[axis]));
      if (axes > 1) blocks = {cxx::call("dim3", blocks)};
      if (const auto block = shapes_.blockOf(l)) blocks = {*block};
    }
    if (l.how == Launch::Cluster)
      return out.push_back(
          through("launch_cluster", plainInstance(l),
                  {cxx::number(*constantInt(l.shape.grid[0])), blocks.front(), cxx::name("stream")}, args));
    if (l.how == Launch::Resident) {
      const Stmt body = bodyWith(*c_.function.findKernel(l.name), l.arguments);
      const Symbol progress = progressOf(body);
      return out.push_back(
          through("launch_resident", plainInstance(l),
                  {expressions_.value(l.shape.grid[0]), blocks.front(), expressions_.value(bytesOnChip(body)),
                   cxx::name(c_.name(progress)),
                   expressions_.value(elementCount(c_.function.buffer(progress))), cxx::name("stream")},
                  args));
    }
    const bool isWide = l.vectors.width > 1, asksTwice = l.vectors.alongGrid || !l.vectors.rows.name.empty();
    cxx::Expr takesVectors = isWide ? areVectors(l.vectors) : cxx::Expr(), width;
    if (isWide && asksTwice) {
      width = declared(cxx::constType("int"), "vector_width",
                       cxx::ternary(takesVectors, cxx::number(l.vectors.width), cxx::number(1)), out);
      takesVectors = cxx::binary("==", width, cxx::number(l.vectors.width));
    }
    const LaunchShapes::Grid shape = shapes_.gridOf(l, width);
    const auto instance = [&](const std::string& name, const std::string& more) {
      return cxx::name(instanceOf(name, more));
    };
    const auto with = [&](cxx::Expr kernel, const std::vector<cxx::Expr>& arguments, const cxx::Expr& grid,
                          const cxx::Expr& threads) {
      if (l.how != Launch::Overlapping)
        return cxx::evaluate(
            cxx::expr(cxx::Launch{kernel, {grid, threads, cxx::number(0), cxx::name("stream")}, arguments}));
      c_.support.use("launch_overlapping");
      std::vector<cxx::Expr> all{kernel, grid, threads, cxx::name("stream")};
      all.insert(all.end(), arguments.begin(), arguments.end());
      return cxx::evaluate(cxx::call("launch_overlapping", std::move(all)));
    };
    const std::string wide = std::to_string(l.vectors.width);
    const cxx::Expr kernel =
        isWide ? declared(cxx::constType("auto"), "kernel",
                          cxx::ternary(takesVectors, instance(l.name, wide), instance(l.name, "1")), out)
               : instance(l.name, "");
    const Vectors::Rows& rows = l.vectors.rows;
    const bool isNamed = !shape.isNumber && (!rows.name.empty() || !shape.isNeverEmpty);
    const cxx::Expr grid = isNamed ? cxx::name("grid") : shape.blocks;
    cxx::Stmt start = with(kernel, args, grid, blocks.front());
    const std::vector<cxx::Expr> arguments =
        rows.name.empty() ? args : argumentsOf(s, rows.name, rows.arguments);
    for (size_t i = rows.name.empty() ? 0 : rows.most.size(); i-- > 0;) {
      const int64_t below = rows.step * (i > 0 ? rows.most[i - 1] : rows.most[0] > 1 ? 1 : 0);
      const cxx::Expr length = expressions_.value(rows.length);
      const cxx::Expr fits = cxx::binary("&&", cxx::binary(">", length, cxx::number(below)),
                                         cxx::binary("<=", length, cxx::number(rows.step * rows.most[i])));
      start = cxx::ifThen(
          cxx::binary("&&", takesVectors, fits),
          with(instance(rows.name, fmt::format("{}, {}", wide, rows.most[i])), arguments, grid, fixed),
          start);
    }
    if (isNamed) {
      const cxx::Stmt named = cxx::declare(cxx::constType("dim3"), "grid", shape.blocks);
      cxx::If test{named, cxx::binary(">", cxx::name("grid.x"), cxx::number(0)), start, {}};
      if (shape.isNeverEmpty) { // the width is asked for in the same breath
        test = *start.as<cxx::If>();
        test.init = named;
      }
      start = cxx::stmt(std::move(test));
    }
    out.push_back(start);
  }

  /// As the user has it: what is wrong with it has been looked at before.
  void launchGiven(const Launch& l, const std::vector<cxx::Expr>& args, Out& out) {
    const auto shape = [&](const Expr(&extents)[3]) {
      size_t axes = 3;
      while (axes > 1 && isConst(extents[axes - 1], 1)) --axes;
      std::vector<cxx::Expr> values;
      for (size_t axis = 0; axis < axes; ++axis) {
        const cxx::Expr value = expressions_.value(extents[axis]);
        values.push_back(constantInt(extents[axis]) ? value : cxx::cast("unsigned", value));
      }
      return axes == 1 ? values.front() : cxx::call("dim3", values);
    };
    const Kernel& kernel = *c_.function.findKernel(l.name);
    const Expr bytes = sharedBytesOf(kernel, l.arguments);
    const cxx::Expr shared = bytes ? expressions_.value(bytes) : cxx::number(0), stream = cxx::name("stream");
    cxx::Stmt start = any<Barrier>(kernel.body, [](const Barrier& b) { return b.scope == Scope::Grid; })
                          ? through("launch_cooperative", plainInstance(l),
                                    {shape(l.shape.grid), shape(l.shape.threads), shared, stream}, args)
                          : cxx::evaluate(cxx::expr(
                                cxx::Launch{cxx::name(plainInstance(l)),
                                            {shape(l.shape.grid), shape(l.shape.threads), shared, stream},
                                            args}));
    if (constexpr int64_t always = cost::Device::sharedOfBlock;
        bytes && constantInt(bytes).value_or(always + 1) > always)
      start = cxx::block({through("allow_shared", plainInstance(l), {shared}, {}), start});
    Expr isEmpty = boolConst(false);
    for (const Expr& extent : l.shape.grid)
      if (!constantInt(extent) || *constantInt(extent) <= 0) {
        const Expr none = binary(BinaryOp::Eq, extent, intConst(0));
        isEmpty = constantBool(isEmpty) ? none : binary(BinaryOp::LogicalOr, isEmpty, none);
      }
    if (constantBool(isEmpty)) return out.push_back(start);
    out.push_back(cxx::ifThen(expressions_.value(unary(UnaryOp::LogicalNot, isEmpty)), start));
  }
  static bool constantBool(const Expr& e) { return e.is<Const>(); }

  static Symbol progressOf(const Stmt& body) {
    Symbol progress; // all are of one
    each<Signal>(body, [&](const Signal& signal) { progress = signal.progress; });
    return progress;
  }

  std::string plainInstance(const Launch& l) const { return instanceOf(l.name, ""); }
  /// `kernel<index_t, 4>`, of what it is a template over; `more` are numbers.
  std::string instanceOf(const std::string& name, const std::string& more, const char* end = "") const {
    const Support::KernelText& kernel = written_.at(name);
    std::string arguments = kernel.takesIndex ? givenIndex : "";
    if (kernel.takesIndex && !more.empty()) arguments += ", ";
    arguments += more;
    return arguments.empty() ? kernel.name + end : fmt::format("{}{}<{}>", kernel.name, end, arguments);
  }

  /// A launch by a function of the support code.
  cxx::Stmt through(const char* function, const std::string& kernel, std::vector<cxx::Expr> shape,
                    const std::vector<cxx::Expr>& arguments) {
    c_.support.use(function);
    shape.insert(shape.end(), arguments.begin(), arguments.end());
    return cxx::evaluate(cxx::callTemplate(function, kernel, std::move(shape)));
  }

  /// Whether the kernel's threads take vectors.
  cxx::Expr areVectors(const Vectors& v) {
    c_.support.use("are_aligned");
    std::vector<cxx::Expr> arrays;
    for (const Symbol& a : v.arrays) arrays.push_back(cxx::name(c_.name(a)));
    cxx::Expr all;
    for (const Expr& e : v.multiples) {
      const Expr rest = binary(BinaryOp::Mod, e, intConst(v.width));
      const cxx::Expr isMultiple = cxx::binary("==", expressions_.value(rest), cxx::number(0));
      all = all ? cxx::binary("&&", all, isMultiple) : isMultiple;
    }
    const cxx::Expr aligned = cxx::call("are_aligned", {cxx::braces("", arrays)});
    return all ? cxx::binary("&&", all, aligned) : aligned;
  }
  cxx::Expr declared(cxx::Type type, std::string_view hint, cxx::Expr value, Out& out) {
    const std::string name = c_.freshName(std::string(hint));
    out.push_back(cxx::declare(std::move(type), name, std::move(value)));
    return cxx::name(name);
  }

  /// What the kernel's function takes; it is written at the first launch.
  std::vector<cxx::Expr> argumentsOf(const Stmt& launch, const std::string& name,
                                     const std::vector<Argument>& arguments) {
    const Kernel& kernel = *c_.function.findKernel(name);
    const auto [used, isNew] = used_.try_emplace(name);
    if (isNew) write(kernel, lowerKernel(c_, kernel, launch, used->second));
    std::vector<cxx::Expr> taken;
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (!used->second.count(kernel.params[i])) continue;
      const auto* v = arguments[i].value.as<Var>();
      taken.push_back(arguments[i].array ? cxx::name(c_.name(arguments[i].array))
                      : v                ? cxx::name(c_.name(v->name))
                                         : expressions_.value(arguments[i].value));
    }
    std::vector<cxx::Expr> placed;
    for (const size_t i : written_.at(name).order) placed.push_back(taken[i]);
    return placed;
  }

  /// A kernel that is one before it but for names, and the order of parameters, is that one.
  void write(const Kernel& kernel, const KernelCode& code) {
    auto [text, order] = withoutNames(code);
    const auto [same, isNew] = c_.support.kernels.try_emplace((kernel.isGiven ? "given " : "") + text,
                                                              kernel.name, order, code.takesIndex);
    if (isNew) kernels_.push_back(code.function);
    if (isNew && isLaunchedToo(c_.function, kernel.name)) kernels_.push_back(aloneOf(code.function));
    choosesIndex |= code.takesIndex && givenIndex == "index_t";
    Support::KernelText& written = written_[kernel.name] =
        same->second; // whose parameters take which of ours
    for (size_t k = 0; k < order.size(); ++k) written.order[same->second.order[k]] = order[k];
  }
  /// Launches that are the same in each iteration are given as one step, others as the whole loop; of one
  /// iteration there is no loop.
  void replay(const Stmt& s, const Placement::Item& item, Out& out) {
    const For& n = *s.as<For>();
    const int64_t step = *constantInt(n.step);
    const Expr distance = step > 0 ? sub(n.hi, n.lo) : sub(n.lo, n.hi);
    const Expr count = ceilDiv(distance, intConst(std::abs(step)));
    const bool ofIndex = mentionsIndex(n), alike = !ofIndex && !isRow(n);
    const Recording steps = recorded(alike ? "step" : "launches", s, [&](Out& inside) {
      if (ofIndex)
        Statements::loop(s, item, inside);
      else
        inside = {body(n.body, item.inside, liveAfterBody(c_.function, s, item.liveOut))};
    });
    start(alike ? "repeat_recorded" : "replay_recorded", steps,
          {expressions_.value(count), cxx::number(mostLaunches(n.body))}, out);
  }
  /// Launches as a function of the stream, and what they depend on.
  struct Recording {
    cxx::Expr name;
    cxx::Stmt lambda;
    std::vector<cxx::Expr> arguments;
  };
  template <class Fill> Recording recorded(const std::string& hint, const Stmt& s, Fill&& fill) {
    std::set<Symbol> own;
    std::set<Symbol>* outer = std::exchange(c_.used, &own);
    const std::string name = c_.freshName(hint);
    Out inside;
    fill(inside);
    c_.used = outer;
    outer->insert(own.begin(), own.end());
    for (const Symbol& v : loopIndices(s)) own.erase(v);
    // What a kernel assigns is its own, and may go by a name of the host's.
    for (const Symbol& v : assignedByHost(s)) own.erase(v);
    for (const Symbol& v : dead_) own.erase(v);
    for (const Symbol& v : undeclared_) own.erase(v);
    Recording result{cxx::name(name),
                     cxx::stmt(cxx::Lambda{name, "cudaStream_t stream", cxx::block(std::move(inside))}),
                     {}};
    const bool saysPlaces = tellPlaces(own);
    for (const Symbol& v : inOrder(c_, own)) result.arguments.push_back(cxx::name(c_.name(v)));
    if (saysPlaces) result.arguments.push_back(cxx::name("workspace"));
    return result;
  }
  /// Where parts of the workspace lie follows from where it lies, and from what their sizes follow from.
  bool tellPlaces(std::set<Symbol>& own) const {
    if (swapsBuffers(c_.function)) return false;
    std::set<Symbol> others = own;
    std::erase_if(others, [&](const Symbol& v) { return inWorkspace_.count(v) > 0; });
    for (const Buffer& b : workspaceBuffers(c_)) others.merge(freeVars(elementCount(b)));
    if (others.size() + 1 >= own.size()) return false;
    own = std::move(others);
    return true;
  }
  /// `arguments` come before the step and the stream.
  void start(const std::string& function, const Recording& step, std::vector<cxx::Expr> arguments, Out& out) {
    c_.support.use(function);
    arguments.insert(arguments.end(), {step.name, cxx::name("stream")});
    arguments.insert(arguments.end(), step.arguments.begin(), step.arguments.end());
    out.push_back(step.lambda);
    out.push_back(cxx::evaluate(cxx::call(function, std::move(arguments))));
  }
  /// The host's part; kernels do what they do.
  static bool onlyLaunches(const Stmt& s) {
    if (s.is<Launch>() || s.is<Assign>()) return true;
    if (!s.is<Block>() && !s.is<If>() && !s.is<For>()) return false;
    bool all = true;
    forEachChild(s, [&](const Stmt& child) { all &= !child || onlyLaunches(child); });
    return all;
  }
  static bool mentionsIndex(const For& n) { return mentionsAny(n.body, {n.index}); }

  void alloc(const Buffer& b, Out& out) {
    if (inWorkspace_.count(b.name)) return; // they come first
    const std::string type = typeName(c_, b.type), name = c_.name(b.name);
    const cxx::Expr count = expressions_.value(elementCount(b));
    const cxx::Type pointer = cxx::pointerTo(type, false, false);
    usesStream = true;
    c_.support.use("Temporary");
    const std::string owner = c_.freshName(b.name.hint() + "_memory");
    out.push_back(
        cxx::declareWith(cxx::type(fmt::format("Temporary<{}>", type)), owner, {count, cxx::name("stream")}));
    out.push_back(cxx::declare(pointer, name, cxx::member(cxx::name(owner), "data")));
    out.push_back(
        cxx::ifThen(cxx::binary("==", cxx::name(name), cxx::name("nullptr")),
                    failure("MemoryError", fmt::format("no device memory for `{}`", b.name.hint()))));
  }

  void fetch(const Fetch& f, Out& out) {
    usesStream = true;
    c_.support.use("fetch");
    const cxx::Expr target = cxx::addressOf(cxx::name(c_.name(f.var)));
    out.push_back(cxx::returnOnFailure(
        cxx::call("fetch", {cxx::name("stream"), target, cxx::name(c_.name(f.buffer))})));
  }

  std::map<std::string, Symbols> used_;                ///< of the parameters of a kernel that is written
  std::map<std::string, Support::KernelText> written_; ///< by which name, of which parameters each is given
  std::vector<cxx::Decl>& kernels_;
  LaunchShapes shapes_;
  Symbols inWorkspace_;
  Symbols ofBlocks_; ///< what tells how many threads these have
};

/// Variables that the host program itself assigns; kernels have their own.
std::set<Symbol> hostVariables(const Function& f) {
  std::set<Symbol> all;
  visit(f.body, [&](const Stmt& s) {
    if (const auto* a = s.as<Assign>())
      all.insert(a->var);
    else if (const auto* l = s.as<Fetch>())
      all.insert(l->var);
    return !s.is<Launch>();
  });
  for (const Param& p : f.params) all.erase(p.name);
  return all;
}

/// The host program with its kernels before it.
struct Program {
  std::vector<cxx::Decl> kernels;
  std::vector<cxx::Stmt> body;
  std::set<Symbol> used;
  bool usesWorkspace = false, usesStream = false, choosesIndex = false;
};

Program hostProgram(Context& c) {
  Program p;
  c.used = &p.used;
  c.inHostProgram = true;
  const std::set<Symbol> variables = hostVariables(c.function);
  c.hostScalars = variables;
  for (const Param& q : c.function.params) c.hostScalars.insert(q.name);
  Host host(c, p.kernels);
  // Where nothing is to be checked, or cannot be, one type of indices will do. Versions may share kernels.
  if (c.facts.needs64() || c.facts.checked().empty())
    host.givenIndex = c.facts.needs64() ? "int64_t" : "int32_t";
  c.kernelIndex = c.isVersion || !c.function.versions.empty() ? c.indexType : host.givenIndex;
  c.indexType = "int64_t";
  keepPlaces(c, p.body);
  host.takeWorkspace(p.body);
  for (cxx::Stmt& s : host.sequence(c.function.body, variables, {})) p.body.push_back(std::move(s));
  if (p.body.empty() || !p.body.back().is<cxx::Return>()) host.finish(p.body);
  c.inHostProgram = false;
  c.used = nullptr;
  p.usesWorkspace = host.usesWorkspace();
  p.usesStream = host.usesStream;
  p.choosesIndex = host.choosesIndex;
  return p;
}

/// Whether the function may end in it.
bool givesBack(const cxx::Stmt& s) {
  const auto within = [](const cxx::Stmt& part) { return part && givesBack(part); };
  if (const auto* list = s.as<cxx::Block>()) return std::ranges::any_of(list->body, within);
  if (const auto* choice = s.as<cxx::If>()) return within(choice->then) || within(choice->otherwise);
  if (const auto* loop = s.as<cxx::For>()) return within(loop->body);
  if (const auto* loop = s.as<cxx::While>()) return within(loop->body);
  return s.is<cxx::Return>() || s.is<cxx::Try>();
}

cxx::Decl entry(Context& c, Program p) {
  Entry checks(c);
  std::vector<cxx::Stmt> body;
  checks.checkOverlap(body);
  checks.chooseVersion(entryParams(c.function, true), "", body);
  if (p.choosesIndex) {
    c.support.use("with_index_type");
    if (reportsLaunches(p.body.back()) && std::none_of(p.body.begin(), p.body.end() - 1, givesBack))
      p.body.pop_back(); // which with_index_type does
    p.body.insert(p.body.begin(),
                  cxx::declare(cxx::type("using"), "index_t", cxx::call("decltype", {cxx::name("zero")})));
    body.push_back(cxx::stmt(cxx::Lambda{"", "auto zero", cxx::stmt(cxx::Block{std::move(p.body)}),
                                         cxx::call("with_index_type", {checks.shapes32()})}));
  } else {
    body.insert(body.end(), p.body.begin(), p.body.end());
  }
  std::set<Symbol> used = checks.used;
  used.insert(p.used.begin(), p.used.end());
  std::vector<cxx::Parameter> params = checks.params(entryParams(c.function, true), used);
  for (cxx::Parameter& q : params)
    if (c.function.versions.empty() &&
        ((q.name == "workspace" && !p.usesWorkspace) || (q.name == "stream" && !p.usesStream)))
      q.unused = true;
  return cxx::decl(cxx::Function{"",
                                 {},
                                 "extern \"C\"",
                                 cxx::type("int"),
                                 c.function.entry,
                                 std::move(params),
                                 cxx::stmt(cxx::Block{std::move(body)})});
}

cxx::Decl workspaceEntry(Context& c) {
  Entry sizes(c);
  std::vector<cxx::Stmt> body;
  sizes.chooseVersion(workspaceParams(c.function), "_workspace", body);
  std::vector<std::pair<std::string, std::vector<cxx::Expr>>> counts; // of each type
  for (const Buffer& b : workspaceBuffers(c)) {
    const std::string type = typeName(c, b.type);
    auto place = std::ranges::find(counts, type, [](const auto& of) { return of.first; });
    if (place == counts.end()) place = counts.insert(counts.end(), {type, {}});
    place->second.push_back(sizes.elements(elementCount(b)));
  }
  cxx::Expr total;
  for (auto& [type, all] : counts) {
    c.support.use("Arena");
    const cxx::Expr bytes = cxx::callTemplate("Arena::size", type, std::move(all));
    total = total ? cxx::binary("+", total, bytes) : bytes;
  }
  body.push_back(cxx::giveBack(total ? total : cxx::number(0)));
  return cxx::decl(cxx::Function{"",
                                 {},
                                 "extern \"C\"",
                                 cxx::type("size_t"),
                                 c.function.entry + "_workspace",
                                 sizes.params(workspaceParams(c.function), sizes.used),
                                 cxx::stmt(cxx::Block{std::move(body)})});
}

} // namespace

Lowered lowerCuda(Context& c) {
  Program program = hostProgram(c);
  Lowered result;
  result.internal = std::move(program.kernels);
  result.entries = {entry(c, std::move(program))};
  if (mayNeedWorkspace(c.function)) result.entries.push_back(workspaceEntry(c));
  return result;
}

} // namespace appyc::target
