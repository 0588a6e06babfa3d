//===- Launches.cpp - kernels that the user has written, and where they are launched ---------------------===//
#include "Lowering.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::sema {

namespace {

constexpr int64_t kMostThreads = 1024;
constexpr int64_t kThreadsOfForall = 256;

/// A `return` with a value.
const ast::StmtNode* returnsValue(const ast::Body& body) {
  for (const ast::Stmt& s : body) {
    const auto* r = s.as<ast::Return>();
    if (r && r->value && !r->value.is<ast::NoneLit>()) return s.get();
    std::vector<const ast::Body*> parts;
    if (const auto* i = s.as<ast::If>()) parts = {&i->then, &i->otherwise};
    if (const auto* f = s.as<ast::For>()) parts = {&f->body, &f->otherwise};
    if (const auto* w = s.as<ast::While>()) parts = {&w->body, &w->otherwise};
    for (const ast::Body* part : parts)
      if (const ast::StmtNode* found = returnsValue(*part)) return found;
  }
  return nullptr;
}

/// Of a number that the body reads and does not set.
DType typeOfNumber(const ir::Stmt& body, const Symbol& name) {
  DType type = DType::I64; // of a size that arrays are counted by
  ir::each<ir::Var>(body, [&](const ir::Var& v) {
    if (v.name == name) type = v.type;
  });
  return type;
}

Expr productOf(const Expr (&extents)[3]) { return ir::mul(ir::mul(extents[0], extents[1]), extents[2]); }

} // namespace

//===--- the shape of a launch --------------------------------------------------------------------------===//

/// A number or a tuple of up to three.
bool Lowering::readShape(const Value& given, const char* what, Expr (&extents)[3], Span where) {
  const auto* tuple = given.as<TupleValue>();
  const Values items = tuple ? tuple->items : Values{given};
  if (given.isError()) return false;
  const bool isGood = !items.empty() && items.size() <= 3 && std::ranges::all_of(items, [](const Value& v) {
    const auto* s = v.as<Scalar>();
    return s && ir::isInteger(s->type());
  });
  if (!isGood) {
    error(DiagId::TypeMismatch, where,
          fmt::format("the {} of a launch is an integer, or a tuple of one to three: "
                      "`kernel[(4, 4), (16, 16)](...)`",
                      what));
    return false;
  }
  for (size_t axis = 0; axis < 3; ++axis) {
    if (axis >= items.size()) {
      extents[axis] = ir::intConst(1);
      continue;
    }
    if (!holds(DType::I64, items[axis], where)) return false;
    extents[axis] = stable(ir::cast(DType::I64, items[axis].as<Scalar>()->e));
  }
  return true;
}

/// `kernel[grid, block]`, with a stream that changes nothing here.
Value Lowering::launchOf(const UserFunction& kernel, const std::vector<ast::Expr>& index, Span where) {
  const std::string& name = kernel.function->name;
  LaunchValue made{kernel, {}, {}, {}};
  Waiting items(*this);
  evalItems(index, items);
  if (items.size() < index.size()) return Value{};
  Values parts = items.values(0, items.size());
  if (const auto* all = parts.size() == 1 ? parts[0].as<TupleValue>() : nullptr; all && !all->isList)
    parts = Values(all->items); // `kernel[shape]`
  if (parts.size() == 1 && parts[0].isError()) return Value{};
  if (parts.size() < 2 || parts.size() > 4)
    return error(
        DiagId::TypeMismatch, where,
        fmt::format("a kernel is launched with a grid and a block: `{}[blocks, threads](...)`", name));
  const auto at = [&](size_t k) { return index.size() == parts.size() ? index[k]->span : where; };
  const auto bytes = sharedBytesOf(parts.size() == 4 ? parts[3] : Value{}, at(parts.size() - 1));
  if (!bytes) return Value{};
  made.sharedBytes = *bytes;
  if (!readShape(parts[0], "grid", made.grid, at(0)) || !readShape(parts[1], "block", made.block, at(1)))
    return Value{};
  return Value{made};
}

std::optional<Expr> Lowering::sharedBytesOf(const Value& given, Span where) {
  if (given.isError()) return ir::intConst(0);
  const auto* bytes = given.as<Scalar>();
  if (bytes && ir::isInteger(bytes->type())) return stable(ir::cast(DType::I64, bytes->e));
  error(DiagId::TypeMismatch, where,
        "a launch says how many bytes of shared memory `cuda.shared.array(0, dtype)` has: an integer");
  return std::nullopt;
}

/// `kernel.forall(n)`, in blocks that are chosen here unless `tpb` is given; `kernel.configure(grid, block)`.
Value Lowering::launchBy(const UserFunction& kernel, bool isForall, const Arguments& args) {
  const std::string& name = kernel.function->name;
  const auto found = matchArguments(parseParameters(isForall ? "ntasks, tpb=0, stream=0, sharedmem=0"
                                                             : "griddim, blockdim, stream=0, sharedmem=0"),
                                    fmt::format("{}.{}", name, isForall ? "forall" : "configure"), args);
  if (!found) return Value{};
  const auto given = [&](size_t k) { return (*found)[k].empty() ? Value{} : (*found)[k][0]; };
  const std::optional<Expr> bytes = sharedBytesOf(given(3), args.where);
  LaunchValue made{kernel, {}, {}, bytes.value_or(Expr())};
  if (!bytes) return Value{};
  if (!isForall)
    return readShape(given(0), "grid", made.grid, args.where) &&
                   readShape(given(1), "block", made.block, args.where)
               ? Value{made}
               : Value{};
  Expr threads = ir::intConst(kThreadsOfForall);
  const auto* count = (*found)[0][0].as<Scalar>();
  const Value most = given(1);
  const auto* asked = most.as<Scalar>();
  if (!count || !ir::isInteger(count->type()) ||
      (!(*found)[1].empty() && (!asked || !ir::isInteger(asked->type()))))
    return error(DiagId::TypeMismatch, args.where,
                 fmt::format("`{0}.forall` takes how many elements there are, and threads of a block: "
                             "`{0}.forall(n, tpb=128)(...)`",
                             name));
  if (asked && !ir::isConst(asked->e, 0)) threads = stable(ir::cast(DType::I64, asked->e));
  const Expr one = ir::intConst(1), n = stable(ir::cast(DType::I64, count->e));
  made.grid[0] = ir::ceilDiv(n, threads), made.block[0] = threads;
  for (size_t axis = 1; axis < 3; ++axis) made.grid[axis] = made.block[axis] = one;
  return Value{made};
}

/// What CUDA would refuse at the launch. `bytes`: of shared memory, where it is asked for.
void Lowering::checkShape(const LaunchValue& launch, const Expr& bytes, Span where) {
  const auto both = [](const Expr& a, const Expr& b) {
    const auto* known = a.as<ir::Const>();
    return known && std::get<bool>(known->value) ? b : ir::binary(ir::BinaryOp::LogicalAnd, a, b);
  };
  const auto isIn = [&](const Expr& e, int64_t least, int64_t most) {
    if (const auto n = ir::constantInt(e)) return ir::boolConst(least <= *n && *n <= most);
    return both(ir::binary(ir::BinaryOp::Ge, e, ir::intConst(least)),
                ir::binary(ir::BinaryOp::Le, e, ir::intConst(most)));
  };
  const auto require = [&](const std::vector<Expr>& conditions, const std::string& text,
                           const std::vector<Expr>& values) {
    Expr all = ir::boolConst(true);
    for (const Expr& e : conditions) {
      const auto* known = e.as<ir::Const>();
      if (known && !std::get<bool>(known->value)) {
        error(DiagId::BadDirective, where, text);
        return;
      }
      if (!known) all = both(all, e);
    }
    if (!all.is<ir::Const>())
      emit(ir::Require{all, "ValueError",
                       text + (values.size() == 3 ? ", not (%lld, %lld, %lld)" : ", not %lld"), values});
  };
  const std::string& name = launch.kernel.function->name;
  const Expr count = productOf(launch.block); // of small numbers, where it is asked for
  std::vector<Expr> threads;
  for (const Expr& extent : launch.block) threads.push_back(isIn(extent, 1, kMostThreads));
  if (std::ranges::none_of(launch.block, [&](const Expr& e) { return ir::equal(e, count); }))
    threads.push_back(ir::binary(ir::BinaryOp::Le, count, ir::intConst(kMostThreads)));
  require(threads, fmt::format("the block of `{}` has 1 to {} threads", name, kMostThreads),
          {launch.block[0], launch.block[1], launch.block[2]});
  constexpr int64_t kMostAlongX = INT32_MAX, kMostAlongOthers = 65535;
  require(
      {isIn(launch.grid[0], 0, kMostAlongX), isIn(launch.grid[1], 0, kMostAlongOthers),
       isIn(launch.grid[2], 0, kMostAlongOthers)},
      fmt::format("the grid of `{}` has no negative extent, and no more blocks than 2147483647 along x and "
                  "65535 along y and z",
                  name),
      {launch.grid[0], launch.grid[1], launch.grid[2]});
  constexpr int64_t kMostShared = 227 << 10;
  if (bytes)
    require({isIn(bytes, 0, kMostShared)},
            fmt::format("the shared memory of `{}` has 0 to {} bytes", name, kMostShared), {bytes});
}

/// What nvcc would refuse: arrays of the block that take more than a block has without asking.
void Lowering::checkSharedArrays(const ir::Stmt& code, const std::string& name, Span where) {
  constexpr int64_t kMost = 48 << 10;
  int64_t bytes = 0;
  ir::each<ir::Alloc>(code, [&](const ir::Alloc& a) {
    int64_t size = a.shared ? ir::byteSize(a.buffer.type) : 0;
    for (const Expr& e : a.buffer.extents) size *= ir::constantInt(e).value_or(0);
    bytes += size;
  });
  if (bytes > kMost)
    error(DiagId::BadDirective, where,
          fmt::format(
              "the shared arrays of `{}` have {} bytes together, of which a block has {}; let the launch "
              "say how many, `cuda.shared.array(0, dtype)` and `{}[blocks, threads, stream, bytes]`",
              name, bytes, kMost, name));
}

//===--- launches ---------------------------------------------------------------------------------------===//

/// What the parameters stand for: memory, and numbers that do not change.
std::optional<Lowering::Values> Lowering::kernelArguments(const UserFunction& kernel, const Arguments& args) {
  const ast::Function& fn = *kernel.function;
  std::vector<Parameter> parameters;
  for (const ast::Parameter& p : fn.params)
    parameters.push_back({p.name,
                          static_cast<Parameter::Kind>(p.kind),
                          p.defaultValue ? std::optional<std::string>("") : std::nullopt,
                          {}});
  const auto found = matchArguments(parameters, fn.name, args);
  if (!found) return std::nullopt;
  const ast::Signature* types = fn.signatures.size() == 1 ? &fn.signatures.front() : nullptr;
  Values values;
  for (size_t i = 0; i < fn.params.size(); ++i) {
    const std::string& name = fn.params[i].name;
    Value v = !(*found)[i].empty()      ? (*found)[i][0]
              : kernel.defaults.empty() ? evalDefault(fn.params[i], kernel.file)
                                        : kernel.defaults[i];
    const ast::TypeSpec* type = types && types->params[i] ? &*types->params[i] : nullptr;
    const auto* array = v.as<Array>();
    const auto* number = v.as<Scalar>();
    if (v.isError()) return std::nullopt;
    const auto wrong = [&](const std::string& is) {
      error(DiagId::TypeMismatch, args.where,
            fmt::format("`{}` of the kernel `{}` is {}, and is given {}", name, fn.name, is, describe(v)));
      return std::nullopt;
    };
    if (type && type->isArray) {
      const DType dtype = *ir::dtypeNamed(type->dtype);
      if (!array || array->type != dtype || array->shape.size() != type->extents.size())
        return wrong(fmt::format("an array of {} with {} dimension(s)", type->dtype, type->extents.size()));
    } else if (type && !type->record) {
      if (!number) return wrong("a number of " + type->dtype);
      const DType dtype = *ir::dtypeNamed(type->dtype);
      v = castTo(v, dtype, args.where);
      if (!v.as<Scalar>()) return std::nullopt;
      v = Value{Scalar{ir::cast(dtype, v.as<Scalar>()->e), type->weak}};
      number = v.as<Scalar>();
    }
    if (array && (!array->view || array->view->fancy)) v = Value{materialize(Array(*array), name)};
    if (number && !number->e.is<ir::Const>() && !(number->e.is<ir::Var>() && isStable(number->e)))
      v = Value{keptIn(*number, materialize(number->e, name))};
    values.push_back(v);
  }
  return values;
}

/// Lowers what a thread does with these arguments, and emits the launch.
Value Lowering::launch(const LaunchValue& launch, const Arguments& args) {
  const ast::Function& fn = *launch.kernel.function;
  if (kernel_)
    return error(DiagId::Unsupported, args.where,
                 fmt::format("a kernel launches no other: launch `{}` from the host", fn.name));
  if (site_ || tensors_)
    return error(DiagId::Unsupported, args.where, "a kernel is launched by functions of NumPy's arrays");
  if (const ast::StmtNode* r = returnsValue(fn.body))
    return error(DiagId::Unsupported, r->span,
                 "a kernel returns nothing, as nobody would get it; store the value into an array that the "
                 "kernel takes");
  const std::optional<Values> values = kernelArguments(launch.kernel, args);
  if (!values) return Value{};
  const int before = diag_.errorCount();
  const Symbol ofLaunch("shared_bytes");
  const bool isNamed = launch.sharedBytes.is<ir::Var>();
  kernel_ = GivenKernel{&fn, {}, isNamed ? launch.sharedBytes : ir::var(ofLaunch)};
  const Expr bytes = kernel_->sharedBytes;
  Arguments own;
  own.where = args.where;
  own.positional = *values;
  const Stmts body = collect([&] { callUser(launch.kernel, fn.name, own, false); });
  const ir::Stmt code = diag_.errorCount() == before ? threadCode(ir::block(body)) : ir::Stmt();
  const bool callsLinked = kernel_->callsLinked;
  const Symbol status = kernel_->status;
  kernel_.reset();
  if (!code || diag_.errorCount() > before) return Value{};
  checkSharedArrays(code, fn.name, args.where);
  const bool isAsked = ir::readScalars(code).count(bytes.as<ir::Var>()->name) > 0;
  if (isAsked && !isNamed) emit(ir::Assign{ofLaunch, launch.sharedBytes});
  checkShape(launch, isAsked ? bytes : Expr(), args.where);
  if (diag_.errorCount() > before) return Value{};
  if (callsLinked) makeStatus(status);
  addKernel(fn.name, withOwnNumbers(code), launch, *values);
  if (callsLinked) checkStatus(status, fn.name, args.where);
  return Value{NoneValue{}};
}

/// Numbers that a kernel in a function sees there, and that change there: as they are at the launch.
ir::Stmt Lowering::withOwnNumbers(const ir::Stmt& code) {
  const std::set<Symbol> own = ir::assignedVars(code);
  std::map<Symbol, Expr> kept;
  for (const Symbol& s : ir::readScalars(code))
    if (mutable_.count(s) && !own.count(s))
      kept[s] = materialize(ir::var(s, typeOfNumber(code, s)), s.hint());
  return kept.empty() ? code : ir::substitute(code, kept);
}

/// The arrays and numbers that a thread takes from outside: those that Python passes, in its order, then others by age.
void Lowering::addKernel(const std::string& name, ir::Stmt body, const LaunchValue& launch,
                         const Values& given) {
  const std::set<Symbol> loaded = ir::loadedBuffers(body), stored = ir::storedBuffers(body);
  std::set<Symbol> arrays = loaded, own = ir::assignedVars(body), numbers = ir::readScalars(body);
  arrays.insert(stored.begin(), stored.end());
  ir::each<ir::For>(body, [&](const ir::For& loop) { own.insert(loop.index); });
  ir::each<ir::Alloc>(body, [&](const ir::Alloc& a) { own.insert(a.buffer.name); });
  for (const ir::Buffer& b : out_.buffers)
    if (arrays.count(b.name) && !own.count(b.name))
      for (const Expr& e : b.extents) numbers.merge(ir::freeVars(e));
  std::vector<Symbol> params;
  const auto add = [&](const Symbol& s) {
    if ((arrays.count(s) || numbers.count(s)) && !own.count(s) &&
        std::ranges::find(params, s) == params.end())
      params.push_back(s);
  };
  for (const Value& v : given) {
    if (const auto* a = v.as<Array>()) add(a->view->buffer.name);
    const auto* s = v.as<Scalar>();
    if (const auto* variable = s ? s->e.as<ir::Var>() : nullptr) add(variable->name);
  }
  for (const ir::Buffer& b : out_.buffers) add(b.name);
  for (const Symbol& s : numbers) add(s);
  std::vector<ir::Argument> arguments;
  for (const Symbol& s : params) {
    if (arrays.count(s))
      arguments.push_back({s, {}, loaded.count(s) > 0, stored.count(s) > 0});
    else
      arguments.push_back({{}, ir::var(s, typeOfNumber(body, s))});
  }
  const auto same = std::ranges::count_if(
      out_.kernels, [&](const ir::Kernel& k) { return k.name == name || k.name.starts_with(name + " "); });
  const std::string unique = same ? fmt::format("{} {}", name, same + 1) : name;
  out_.kernels.push_back({unique, params, body, true});
  ir::Launch made;
  made.name = unique;
  for (size_t axis = 0; axis < 3; ++axis) {
    made.shape.grid[axis] = launch.grid[axis];
    made.shape.threads[axis] = launch.block[axis];
  }
  made.arguments = std::move(arguments);
  emit(std::move(made));
}

//===--- kernels with types -----------------------------------------------------------------------------===//

/// The function by which Python launches the kernel: it takes the grid and the block as well.
std::optional<ir::Function> Lowering::runKernel(const ast::Function& fn, const ast::Signature& signature) {
  const int before = diag_.errorCount();
  ast::Function host = fn; // calls the kernel, and is none
  frames_.back().function = &host;
  lists_.emplace_back();
  if (!bindParameters(fn, signature)) return std::nullopt;
  Arguments args;
  args.where = fn.nameSpan;
  for (const ast::Parameter& p : fn.params) args.positional.push_back(env()[p.name]);
  LaunchValue shape{{&fn, file()}, {}, {}, {}};
  constexpr const char* kNames[] = {"grid_x",  "grid_y",  "grid_z",      "block_x",
                                    "block_y", "block_z", "shared_bytes"};
  for (size_t k = 0; k < std::size(kNames); ++k) {
    ir::Param p;
    p.name = Symbol(kNames[k]);
    p.type = DType::I64;
    out_.params.push_back(p);
    (k < 3 ? shape.grid[k] : k < 6 ? shape.block[k - 3] : shape.sharedBytes) = ir::var(p.name);
  }
  out_.ofLaunch = std::size(kNames);
  out_.defaults.clear();
  launch(shape, args);
  emit(ir::Return{});
  out_.body = ir::block(std::move(lists_.front()));
  if (!ir::readScalars(out_.body).count(out_.params.back().name)) { // no array has its size from the launch
    out_.params.pop_back();
    --out_.ofLaunch;
  }
  const std::set<Symbol> written = ir::storedBuffers(out_.body);
  for (ir::Param& p : out_.params) p.written = written.count(p.name) > 0;
  if (diag_.errorCount() > before) return std::nullopt;
  return std::move(out_);
}

} // namespace appyc::sema
