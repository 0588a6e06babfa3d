//===- Print.cpp - the ir as readable annotated Python ---------------------------------------------===//
#include "appyc/IR/Print.h"
#include "Fold.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include <fmt/format.h>
#include <initializer_list>
#include <iterator>
#include <map>
#include <set>

namespace appyc::ir {

namespace {

/// How strongly an expression binds, as in Python.
enum Precedence {
  kConditional,
  kOr,
  kAnd,
  kNot,
  kCompare,
  kBitOr,
  kBitXor,
  kBitAnd,
  kShift,
  kSum,
  kProduct,
  kSign,
  kPower,
  kAtom
};

Precedence precedenceOf(BinaryOp op) {
  switch (op) {
  case BinaryOp::LogicalOr: return kOr;
  case BinaryOp::LogicalAnd: return kAnd;
  case BinaryOp::Eq:
  case BinaryOp::Ne:
  case BinaryOp::Lt:
  case BinaryOp::Le:
  case BinaryOp::Gt:
  case BinaryOp::Ge: return kCompare;
  case BinaryOp::BitOr: return kBitOr;
  case BinaryOp::BitXor: return kBitXor;
  case BinaryOp::BitAnd: return kBitAnd;
  case BinaryOp::Shl:
  case BinaryOp::Shr: return kShift;
  case BinaryOp::Add:
  case BinaryOp::Sub: return kSum;
  case BinaryOp::Mul:
  case BinaryOp::Div:
  case BinaryOp::FloorDiv:
  case BinaryOp::Mod: return kProduct;
  case BinaryOp::Pow: return kPower;
  case BinaryOp::Min:
  case BinaryOp::Max: return kAtom;
  }
  return kAtom;
}

std::string_view axisName(Axis axis) { return axis == Axis::X ? "x" : axis == Axis::Y ? "y" : "z"; }
std::string_view scopeName(Scope scope) {
  static constexpr std::string_view names[] = {"warp", "group", "block", "cluster", "grid"};
  return names[static_cast<size_t>(scope)];
}

std::string_view firstName(Only::First first) {
  static constexpr std::string_view names[] = {
      "the first lane of a warp",  "the first lane of a group", "the first thread of a block",
      "the first warp of a block", "the first block",           "the first thread of the first block"};
  return names[static_cast<size_t>(first)];
}

std::string_view hardwareName(HardwareIndex which) {
  static constexpr std::string_view names[] = {
      "threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x", "blockIdx.y", "blockIdx.z", "blockDim.x",
      "blockDim.y",  "blockDim.z",  "gridDim.x",   "gridDim.y",  "gridDim.z",  "width",      "kept"};
  return names[static_cast<size_t>(which)];
}

std::string_view markName(LoopMark mark) {
  static constexpr std::string_view names[] = {"", "parallel ", "parallel simd ", "simd ", "sequential "};
  return names[static_cast<size_t>(mark)];
}

std::string_view orderName(Order order) {
  static constexpr std::string_view names[] = {"serial", "proven", "assumed"};
  return names[static_cast<size_t>(order)];
}

/// The parts, made from left to right: names are given in the order of the text, whatever the compiler.
std::string concat(std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

class Printer {
public:
  void module(const Module&);
  void function(const Function&);
  void stmt(const Stmt&);
  std::string expr(const Expr&, int outer = kConditional);
  std::string take() { return std::move(out_); }

private:
  std::string nameOf(const Symbol&);
  std::string list(const std::vector<Expr>&);
  std::string shape(DType, const std::vector<Expr>& extents);
  std::string ranges(const std::vector<Range>&);
  std::string element(const Symbol& buffer, const std::vector<Expr>& index);
  std::string binaryText(const Binary&);
  std::string paramText(const Param&);
  std::string resultText(const Result&);
  std::string update(const std::string& target, const std::optional<ReduceOp>&, const Expr& value);
  std::string loopComment(const For&);
  std::string typeNote(const Symbol&, DType);
  void ifStmt(const If&, const char* keyword);
  void atomic(const Atomic&);
  void launch(const Launch&);
  std::string arguments(const std::vector<Argument>&);
  std::string matrix(const Matrix& m, const char* row, const char* column);
  void matMul(const MatMul& n);
  void routine(const Routine& n);
  void returnStmt();
  void body(const Stmt&);

  template <class... Args> void line(fmt::format_string<Args...> format, Args&&... args) {
    out_.append(2 * static_cast<size_t>(depth_), ' ');
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  std::string out_;
  int depth_ = 0;
  const Function* function_ = nullptr;
  std::map<Symbol, std::string> names_;
  std::set<std::string> taken_;
  std::set<Symbol> typed_; // variables whose type has been shown
};

std::string Printer::nameOf(const Symbol& symbol) {
  if (!symbol) return "<none>";
  auto found = names_.find(symbol);
  if (found != names_.end()) return found->second;
  std::string hint = symbol.hint().empty() ? "v" : symbol.hint();
  std::string unique = hint;
  for (int n = 1; !taken_.insert(unique).second; ++n) unique = fmt::format("{}_{}", hint, n);
  return names_[symbol] = unique;
}

//===--- expressions ------------------------------------------------------------------------------------===//

std::string Printer::list(const std::vector<Expr>& items) {
  std::string text;
  for (const Expr& e : items) text += (text.empty() ? "" : ", ") + expr(e);
  return text;
}

std::string Printer::shape(DType type, const std::vector<Expr>& extents) {
  return fmt::format("{}[{}]", name(type), list(extents));
}

std::string Printer::ranges(const std::vector<Range>& over) {
  std::string text;
  for (const Range& r : over) {
    text += text.empty() ? "" : ", ";
    text += concat({r.parallel ? "parallel " : "", nameOf(r.index), " < ", expr(r.extent, kBitOr)});
    if (r.block) text += fmt::format(" block({})", r.block);
    if (r.singleBlock) text += " single_block";
    if (r.threads) text += fmt::format(" threads({})", expr(r.threads));
  }
  return text;
}

std::string Printer::element(const Symbol& buffer, const std::vector<Expr>& index) {
  return concat({nameOf(buffer), "[", index.empty() ? "()" : list(index), "]"});
}

std::string Printer::binaryText(const Binary& b) {
  if (b.op == BinaryOp::Min || b.op == BinaryOp::Max)
    return concat({std::string(name(b.op)), "(", expr(b.lhs), ", ", expr(b.rhs), ")"});
  int own = precedenceOf(b.op);
  // Comparisons chain and ** associates to the right in Python: both sides need to bind more strongly.
  bool strictLeft = own == kCompare || own == kPower;
  std::string op(name(b.op));
  return concat({expr(b.lhs, strictLeft ? own + 1 : own), " ", op, " ", expr(b.rhs, own + 1)});
}

std::string Printer::expr(const Expr& e, int outer) {
  if (!e) return "<none>";
  int own = kAtom;
  std::string text = match(
      e,
      [&](const Const& n) {
        std::string number = constText(n);
        own = number[0] == '-' ? kSign : kAtom;
        return number;
      },
      [&](const Var& n) { return nameOf(n.name); }, [&](const Load& n) { return element(n.buffer, n.index); },
      [&](const Unary& n) {
        own = n.op == UnaryOp::LogicalNot ? kNot : kSign;
        const char* sign = n.op == UnaryOp::LogicalNot ? "not " : n.op == UnaryOp::Neg ? "-" : "~";
        return sign + expr(n.arg, own);
      },
      [&](const Binary& n) {
        own = precedenceOf(n.op);
        return binaryText(n);
      },
      [&](const Cast& n) { return fmt::format("{}({})", name(n.type), expr(n.arg)); },
      [&](const Select& n) {
        own = kConditional;
        return concat({expr(n.then, kOr), " if ", expr(n.cond, kOr), " else ", expr(n.otherwise)});
      },
      [&](const Call& n) {
        const IntrinsicInfo& fn = info(n.fn);
        return fmt::format("{}({})", fn.numpy.empty() ? fn.code : fn.numpy, list(n.args));
      },
      [&](const Lookup& n) { return fmt::format("{}[{}]", n.table->name, expr(n.index)); },
      [&](const Reduce& n) {
        std::string over = ranges(n.over);
        return fmt::format("{}({} for {})", name(n.op), expr(n.body), over);
      },
      [&](const Apply& n) {
        const Function* called = n.function ? n.function.get() : function_;
        return fmt::format("{}({})", called ? called->name : "<itself>", list(n.args));
      },
      [&](const Hardware& n) { return std::string(hardwareName(n.which)); });
  return own < outer ? "(" + text + ")" : text;
}

//===--- statements -------------------------------------------------------------------------------------===//

std::string Printer::update(const std::string& target, const std::optional<ReduceOp>& op, const Expr& value) {
  if (!op) return fmt::format("{} = {}", target, expr(value));
  switch (*op) {
  case ReduceOp::Sum: return fmt::format("{} += {}", target, expr(value));
  case ReduceOp::Prod: return fmt::format("{} *= {}", target, expr(value));
  case ReduceOp::And: return fmt::format("{} &= {}", target, expr(value));
  case ReduceOp::Or: return fmt::format("{} |= {}", target, expr(value));
  case ReduceOp::Xor: return fmt::format("{} ^= {}", target, expr(value));
  default: return fmt::format("{} = {}({}, {})", target, name(*op), target, expr(value));
  }
}

/// ": f64" the first time that a function's text sets `var`.
std::string Printer::typeNote(const Symbol& var, DType type) {
  return typed_.insert(var).second ? fmt::format(": {}", name(type)) : "";
}

std::string Printer::loopComment(const For& loop) {
  std::string text(orderName(loop.order));
  for (const Reduction& r : loop.reductions) text += fmt::format(", {}({})", name(r.op), nameOf(r.var));
  if (loop.hints.vectorLength) text += fmt::format(", simd({})", loop.hints.vectorLength);
  if (loop.hints.threads) text += fmt::format(", threads({})", expr(loop.hints.threads));
  if (loop.hints.warps) text += fmt::format(", num_warps({})", loop.hints.warps);
  if (isUnrolled(loop)) text += ", unroll";
  if (const auto* serial = loop.mapping.as<Serial>(); serial && serial->unroll > 1)
    text += fmt::format(", unroll({})", serial->unroll);
  const auto along = [](std::string_view who, Axis axis, int firstBlock = 0) {
    return fmt::format(", bind={}.{}", who, axisName(axis)) +
           (firstBlock > 0 ? fmt::format(", first_block={}", firstBlock) : "");
  };
  text += std::visit(
      Overloaded{[](const Serial&) { return std::string(); },
                 [](const VectorCopy&) { return std::string(", together"); },
                 [&](const PerLane& m) { return along(m.scope == Scope::Warp ? "lane" : "thread", m.axis); },
                 [&](const PerBlock& m) {
                   return along("grid", m.axis) + (m.once ? ", once" : "") +
                          (m.unswitched ? fmt::format(", apart({})", nameOf(m.unswitched)) : "");
                 },
                 [&](const PerWarp& m) { return along("warp", m.axis, m.firstBlock); },
                 [&](const PerGroup& m) { return along("group", m.axis); },
                 [&](const PerThread& m) { return along("global", m.axis, m.firstBlock); },
                 [](const Recorded&) { return std::string(", bind=graph"); }},
      loop.mapping);
  return loop.hints.resident ? text + ", resident" : text;
}

void Printer::body(const Stmt& s) {
  ++depth_;
  const auto* b = s.as<Block>();
  if (!s || (b && b->body.empty()))
    line("pass");
  else
    stmt(s);
  --depth_;
}

void Printer::ifStmt(const If& n, const char* keyword) {
  line("{} {}:", keyword, expr(n.cond));
  body(n.then);
  const auto* rest = n.otherwise.as<Block>();
  if (!n.otherwise || (rest && rest->body.empty())) return;
  if (const auto* chained = n.otherwise.as<If>()) return ifStmt(*chained, "elif");
  line("else:");
  body(n.otherwise);
}

/// old = add(h[b], 1)  # atomic
void Printer::atomic(const Atomic& n) {
  const std::string compare = n.compare ? ", " + expr(n.compare) : "";
  const std::string value = expr(n.value), target = element(n.buffer, n.index);
  const std::string old = n.old ? concat({nameOf(n.old), typeNote(n.old, n.type), " = "}) : "";
  line("{}{}({}{}, {})  # atomic", old, name(n.op), target, compare, value);
}

void Printer::launch(const Launch& n) {
  static constexpr const char* hows[] = {"", ", one cluster", ", overlaps", ", resident", ", by the host"};
  std::string grid;
  for (const Expr& extent : n.shape.grid) grid += (grid.empty() ? "" : ", ") + (extent ? expr(extent) : "1");
  const std::string atOnce =
      n.shape.threadsAtOnce > 0 ? fmt::format(", {} at once", n.shape.threadsAtOnce) : "";
  std::string vectors;
  if (n.vectors.width > 1) {
    vectors = fmt::format(", vectors of {}", n.vectors.width);
    for (const Expr& e : n.vectors.multiples) vectors += concat({", ", expr(e)});
    for (const Symbol& array : n.vectors.arrays) vectors += concat({", ", nameOf(array)});
  }
  const Vectors::Rows& rows = n.vectors.rows;
  if (rows.length)
    vectors +=
        fmt::format(", rows {} kept up to {} times {}", expr(rows.length), rows.most.back(), rows.step);
  std::string threads;
  for (size_t axis = 0; axis < 3; ++axis) {
    const Expr& count = n.shape.threads[axis];
    threads += concat({axis ? ", " : "", count ? expr(count) : std::to_string(n.shape.block[axis])});
  }
  const std::string head =
      fmt::format("launch {}[({}), ({}){}{}{}]", n.name, grid, threads, atOnce, hows[n.how], vectors);
  if (!n.body) return line("{}({})", head, arguments(n.arguments));
  line("{}:", head);
  body(n.body);
  if (!rows.body) return;
  line("kept:");
  body(rows.body);
}

std::string Printer::arguments(const std::vector<Argument>& list) {
  std::string text;
  for (const Argument& a : list)
    text += concat({text.empty() ? "" : ", ", a.array ? nameOf(a.array) : expr(a.value)});
  return text;
}

/// `C[i + row, 0 + column]`: the element (row, column).
std::string Printer::matrix(const Matrix& m, const char* row, const char* column) {
  std::string text;
  for (size_t d = 0; d < m.at.size(); ++d) {
    const char* moving = static_cast<int>(d) == m.row      ? row
                         : static_cast<int>(d) == m.column ? column
                                                           : nullptr;
    std::string at = !moving               ? expr(m.at[d])
                     : isConst(m.at[d], 0) ? moving
                                           : concat({expr(m.at[d]), " + ", moving});
    text += (text.empty() ? "" : ", ") + at;
  }
  return concat({nameOf(m.buffer), "[", text, "]"});
}

static std::string halfSpaceText(const HalfSpace& h, const std::string& bound) {
  std::string text;
  for (const auto& [factor, name] :
       {std::pair(h.row, "r"), std::pair(h.column, "c"), std::pair(h.inner, "k")}) {
    if (factor == 0) continue;
    text += factor < 0 ? (text.empty() ? "-" : " - ") : text.empty() ? "" : " + ";
    text += std::abs(factor) == 1 ? name : fmt::format("{}*{}", std::abs(factor), name);
  }
  return text + " <= " + bound;
}

/// matmul C[r, c] = alpha * A[r, k] * B[k, c] + beta * C[r, c]  for r < M, c < N, k < K
void Printer::matMul(const MatMul& n) {
  std::string target = matrix(n.target, "r", "c");
  std::string product = concat({matrix(n.a, "r", "k"), " * ", matrix(n.b, "k", "c")});
  if (n.scalesSum) product = "(" + product + ")";
  std::string text = concat({"matmul ", target, " = ", expr(n.alpha, kProduct), " * ", product});
  if (readsTarget(n)) text += concat({" + ", expr(n.beta, kProduct), " * ", target});
  text += concat({"  for r < ", expr(n.rows), ", c < ", expr(n.columns), ", k < ", expr(n.inner)});
  for (const HalfSpace& limit : n.limits) text += concat({", ", halfSpaceText(limit, expr(limit.bound))});
  line("{}{}", text, n.library ? "  # library" : "");
}

/// call order_rows(in x[0, 0], out order[0, 0], M, N), call fold_by_key<sum>(..)
void Printer::routine(const Routine& n) {
  static constexpr std::string_view kEffects[] = {"in", "out", "inout", "scratch"};
  std::string args;
  forEachOperand(n, [&](const Routine::Operand& o, Effect effect) {
    args += concat({args.empty() ? "" : ", ", std::string(kEffects[static_cast<size_t>(effect)]), " ",
                    element(o.buffer, o.at)});
  });
  for (const Expr& e : n.numbers) args += ", " + expr(e);
  const std::string op = n.op ? concat({"<", std::string(name(*n.op)), ">"}) : "";
  line("call {}{}({})", info(n.name).function, op, args);
}

void Printer::returnStmt() {
  std::string text;
  if (function_)
    for (const Result& result : function_->results) text += (text.empty() ? " " : ", ") + nameOf(result.name);
  line("return{}", text);
}

void Printer::stmt(const Stmt& s) {
  match(
      s,
      [&](const IndexStmt& n) {
        std::string over = ranges(n.domain); // first, so that indices are named in the order of the domain
        std::string notes = n.atomicOp ? ", atomic" : "";
        if (n.noOverlap) notes += ", no overlap";
        if (n.vectorLength) notes += fmt::format(", simd({})", n.vectorLength);
        line("{}{}{}{}", update(element(n.target, n.index), n.atomicOp, n.value),
             over.empty() ? "" : "  for ", over, notes.empty() ? "" : "  # " + notes.substr(2));
      },
      [&](const MatMul& n) { matMul(n); }, [&](const Routine& n) { routine(n); },
      [&](const Assign& n) {
        std::string value = expr(n.value);
        line("{}{} = {}", nameOf(n.var), typeNote(n.var, typeOf(n.value)), value);
      },
      [&](const Store& n) {
        line("{}{}", update(element(n.buffer, n.index), n.atomicOp, n.value), n.atomicOp ? "  # atomic" : "");
      },
      [&](const For& n) {
        std::string range =
            concat({nameOf(n.index), " in range(", expr(n.lo), ", ", expr(n.hi), ", ", expr(n.step), ")"});
        line("{}for {}:  # {}", markName(n.hints.mark), range, loopComment(n));
        body(n.body);
      },
      [&](const While& n) {
        line("while {}:", expr(n.cond));
        body(n.body);
      },
      [&](const If& n) { ifStmt(n, "if"); },
      [&](const Only& n) {
        line("only {}:", firstName(n.first));
        body(n.body);
        if (!n.others) return;
        line("others:");
        body(n.others);
      },
      [&](const Block& n) {
        for (const Stmt& child : n.body) stmt(child);
      },
      [&](const Alloc& n) {
        line("{}{}", concat({nameOf(n.buffer.name), ": ", shape(n.buffer.type, n.buffer.extents)}),
             n.shared          ? "  # shared"
             : n.vector        ? "  # vector"
             : n.row           ? "  # row"
             : n.buffer.onChip ? "  # on chip"
                               : "");
      },
      [&](const Swap& n) {
        line("{}", concat({nameOf(n.a), ", ", nameOf(n.b), " = ", nameOf(n.b), ", ", nameOf(n.a)}));
      },
      [&](const Require& n) {
        std::string values;
        for (const Expr& e : n.values) values += ", " + expr(e);
        line("require {}, {}, \"{}\"{}", expr(n.cond), n.exception, n.message, values);
      },
      [&](const Print& n) {
        std::string text = n.pieces[0];
        for (size_t k = 0; k < n.values.size(); ++k) text += "{" + expr(n.values[k]) + "}" + n.pieces[k + 1];
        line("python {}", text);
      },
      [&](const Return& n) {
        if (n.value) return line("return {}", expr(n.value));
        returnStmt();
      },
      [&](const Launch& n) { launch(n); },
      [&](const Barrier& n) {
        line("barrier({}{})", scopeName(n.scope), n.lanes ? ", " + print(n.lanes) : std::string());
      },
      [&](const Signal& n) {
        const std::string at = n.index.empty() ? "" : "[" + expr(n.index.front()) + "]";
        line("{}({}{}, {})", n.kind == Signal::Post ? "post" : "wait", nameOf(n.progress), at, expr(n.step));
      },
      [&](const Collective& n) {
        line("{} = {}_{}({}{}{})", nameOf(n.var), scopeName(n.scope), name(n.op), nameOf(n.var),
             n.part ? ", part 1" : "", n.apart ? ", apart" : "");
      },
      [&](const Fetch& n) {
        line("{}", concat({nameOf(n.var), typeNote(n.var, n.type), " = fetch(", nameOf(n.buffer), ")"}));
      },
      [&](const Atomic& n) { atomic(n); },
      [&](const Exchange& n) {
        const std::string operands = list(n.operands);
        line("{}", concat({nameOf(n.var), typeNote(n.var, n.type), " = ", std::string(name(n.op)), "(",
                           operands, ")"}));
      },
      [&](const Fence& n) {
        static constexpr const char* reaches[] = {"block", "device", "system"};
        line("fence({})", reaches[n.reach]);
      });
}

//===--- functions --------------------------------------------------------------------------------------===//

std::string Printer::paramText(const Param& p) {
  typed_.insert(p.name);
  if (p.isArray) return concat({nameOf(p.name), ": ", shape(p.type, p.extents)});
  if (p.drawn != Param::No) return nameOf(p.name) + ": drawn";
  if (!p.weak) return fmt::format("{}: {}", nameOf(p.name), name(p.type));
  const char* pythonType = isComplex(p.type) ? "complex"
                           : isFloat(p.type) ? "float"
                           : isBool(p.type)  ? "bool"
                                             : "int";
  return fmt::format("{}: {}", nameOf(p.name), pythonType);
}

std::string Printer::resultText(const Result& r) {
  if (r.kind == Result::Parameter) return nameOf(r.name);
  if (r.kind == Result::View) return "view of " + nameOf(r.name);
  if (r.kind == Result::Place) return "place of " + nameOf(r.of);
  return r.kind == Result::Array ? shape(r.type, r.extents) : std::string(name(r.type));
}

void Printer::function(const Function& f) {
  function_ = &f;
  names_.clear();
  taken_.clear();
  typed_.clear();
  // Parameters and sizes first: they keep their Python names.
  std::string sizes, params, results, written;
  for (const Param& p : f.params) nameOf(p.name);
  for (const Size& s : f.sizes) {
    const Symbol* array = s.param >= 0 && static_cast<size_t>(s.param) < f.params.size()
                              ? &f.params[static_cast<size_t>(s.param)].name
                              : nullptr;
    sizes += fmt::format("{}{} = {}.shape[{}]", sizes.empty() ? "" : ", ", nameOf(s.name),
                         array ? nameOf(*array) : "?", s.axis);
  }
  for (const Param& p : f.params) {
    params += (params.empty() ? "" : ", ") + paramText(p);
    if (p.written) written += (written.empty() ? "" : ", ") + nameOf(p.name);
  }
  for (const Result& r : f.results) results += (results.empty() ? "" : ", ") + resultText(r);
  if (f.returned.kind == Form::Tuple) results = "(" + results + ")";
  line("def {}({}){}{}:", f.name, params, results.empty() ? "" : " -> ", results);
  ++depth_;
  if (f.entry.empty())
    line("# called");
  else if (f.entry != f.name)
    line("# entry {}", f.entry);
  if (!sizes.empty()) line("# sizes {}", sizes);
  if (!written.empty()) line("# writes {}", written);
  --depth_;
  body(f.body);
  for (const Kernel& kernel : f.kernels) {
    std::string list;
    for (const Symbol& p : kernel.params) list += concat({list.empty() ? "" : ", ", nameOf(p)});
    line("kernel {}({}):", kernel.name, list);
    body(kernel.body);
  }
  function_ = nullptr;
}

void Printer::module(const Module& m) {
  static constexpr std::string_view levels[] = {"tensor", "loop", "scheduled"};
  line("# level {}", levels[static_cast<size_t>(m.level)]);
  for (const FunctionRef& f : calledFunctions(m)) {
    out_ += '\n';
    function(*f);
  }
  for (const Function& f : m.functions) {
    out_ += '\n';
    function(f);
    for (const Version& v : f.versions) {
      line("\n# of {} where {}", f.entry, expr(v.condition));
      function(v.function);
    }
  }
}

} // namespace

std::string print(const Module& m) {
  Printer printer;
  printer.module(m);
  return printer.take();
}

std::string print(const Stmt& s) {
  Printer printer;
  if (s) printer.stmt(s);
  return printer.take();
}

std::string print(const Expr& e) { return Printer().expr(e); }

} // namespace appyc::ir
