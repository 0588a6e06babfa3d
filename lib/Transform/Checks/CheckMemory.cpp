//===- CheckMemory.cpp - elements of an empty array are not read before they are written -------------------===//
//   t = empty(N)                t = empty(N); t_written = [false for N]
//   t[k[0]] = 1.0         =>    t[k[0]] = 1.0; t_written[k[0]] = true
//   s = t[j]                    require t_written[j], RuntimeError, "`t[j]` is read before it is written"
//                               s = t[j]
// Temporaries whose first use fills them whole need no shadow. Arrays that change places take their shadows along.
#include "GuardedReads.h"
#include "appyc/IR/Build.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace appyc::transform {

namespace {

using namespace ir;
using List = std::vector<Stmt>;

bool mentionsBuffer(const Stmt& s, const Symbol& buffer) {
  if (loadedBuffers(s).count(buffer) || storedBuffers(s).count(buffer)) return true;
  return any<Swap>(s, [&](const Swap& swap) { return swap.a == buffer || swap.b == buffer; });
}

/// Is `b` an output of the routine, from its first element on?
bool fills(const Routine& routine, const Buffer& b) {
  bool whole = false;
  forEachOperand(routine, [&](const Routine::Operand& o, Effect effect) {
    whole = whole || (o.buffer == b.name && effect == Effect::Out &&
                      std::all_of(o.at.begin(), o.at.end(), [](const Expr& e) { return isConst(e, 0); }));
  });
  return whole;
}

/// Is `s` a nest of loops over all of `b`, with one store of each element and no load?
bool fills(const Stmt& s, const Buffer& b) {
  if (loadedBuffers(s).count(b.name)) return false;
  if (const auto* routine = s.as<Routine>()) return fills(*routine, b);
  std::map<Symbol, Expr> extents;
  const Stmt* inner = &s;
  for (const auto* loop = s.as<For>(); loop; loop = inner->as<For>()) {
    if (!isConst(loop->lo, 0) || !isConst(loop->step, 1)) return false;
    extents[loop->index] = loop->hi;
    inner = &loop->body;
  }
  for (const Stmt& part : statementsOf(*inner)) {
    const auto* store = part.as<Store>();
    if (!store || store->buffer != b.name || store->atomicOp) continue;
    for (size_t d = 0; d < b.extents.size(); ++d) {
      const auto* v = store->index[d].as<Var>();
      const bool all = v && extents.count(v->name) && equalIndex(extents.at(v->name), b.extents[d]);
      const bool only = isConst(b.extents[d], 1) && isConst(store->index[d], 0);
      if (!all && !only) return false;
      if (v) extents.erase(v->name);
    }
    return true;
  }
  return false;
}

class MemoryChecks {
public:
  explicit MemoryChecks(Function& function) : function_(function) {
    for (const Buffer& b : function.buffers) buffers_[b.name] = b;
  }

  void run() {
    for (const Result& r : function_.results)
      if (r.kind == Result::Array) findIn(statementsOf(function_.body), 0, buffers_.at(r.name), true);
    search(function_.body);
    followSwaps();
    if (shadows_.empty()) return;
    List out;
    for (const auto& [name, shadow] : shadows_) {
      function_.buffers.push_back(shadow);
      if (!isMade_.count(name)) make(shadow, !isResult(name), out);
    }
    body(function_.body, out);
    function_.body = makeStmt(function_.body->span, Block{std::move(out)});
  }

private:
  //===--- which arrays ---------------------------------------------------------------------------------===//

  void search(const Stmt& s) {
    const List list = statementsOf(s);
    for (size_t i = 0; i < list.size(); ++i) {
      if (const auto* alloc = list[i].as<Alloc>()) findIn(list, i + 1, alloc->buffer, false);
      forEachChild(list[i], [&](const Stmt& child) { search(child); });
    }
  }
  /// `b` begins to live before the statement `from`.
  void findIn(const List& list, size_t from, const Buffer& b, bool isResult) {
    const auto first = std::find_if(list.begin() + static_cast<std::ptrdiff_t>(from), list.end(),
                                    [&](const Stmt& s) { return mentionsBuffer(s, b.name); });
    if (first == list.end() || fills(*first, b)) return;
    shadow(b.name);
    if (!isResult) isMade_.insert(b.name);
  }
  void shadow(const Symbol& name) {
    const Buffer& of = buffers_.at(name);
    shadows_.try_emplace(name, Buffer{Symbol(name.hint() + "_written"), DType::Bool, of.extents});
  }
  /// What changes places with an array that has a shadow has one, too.
  void followSwaps() {
    for (size_t before = shadows_.size() + 1; before != shadows_.size();) {
      before = shadows_.size();
      each<Swap>(function_.body, [&](const Swap& swap) {
        if (shadows_.count(swap.a)) shadow(swap.b);
        if (shadows_.count(swap.b)) shadow(swap.a);
      });
      each<Alloc>(function_.body, [&](const Alloc& alloc) {
        if (shadows_.count(alloc.buffer.name)) isMade_.insert(alloc.buffer.name);
      });
    }
  }
  bool isResult(const Symbol& name) const {
    return std::any_of(function_.results.begin(), function_.results.end(),
                       [&](const Result& r) { return r.kind == Result::Array && r.name == name; });
  }

  //===--- the program ----------------------------------------------------------------------------------===//

  void make(const Buffer& shadow, bool written, List& out) const {
    const Builder build{function_.span};
    out.push_back(build.alloc(shadow));
    out.push_back(loops::forAll(build, "i", shadow.extents, [&](const std::vector<Expr>& index) {
      return build.store(shadow, index, boolConst(written));
    }));
  }

  Stmt listed(const Stmt& s) {
    List list;
    if (s) body(s, list);
    return s ? makeStmt(s->span, Block{std::move(list)}) : Stmt();
  }
  void body(const Stmt& s, List& out) {
    for (const Stmt& part : statementsOf(s)) statement(part, out);
  }

  void statement(const Stmt& s, List& out) {
    reads_.forget();
    where_ = s->span;
    forEachExpr(s, [&](const Expr& e) { reads_.read(e, s->span, out); });
    if (const auto* loop = s.as<While>()) {
      List inside;
      body(loop->body, inside);
      reads_.forget();
      where_ = s->span;
      reads_.read(loop->cond, s->span, inside);
      return out.push_back(makeStmt(s->span, While{loop->cond, makeStmt(s->span, Block{std::move(inside)})}));
    }
    const auto* store = s.as<Store>();
    if (store && store->atomicOp) check(store->buffer, store->index, out);
    out.push_back(mapChildren(s, [&](const Stmt& child) { return listed(child); }));
    if (const auto* alloc = s.as<Alloc>(); alloc && shadows_.count(alloc->buffer.name))
      make(shadows_.at(alloc->buffer.name), false, out);
    if (store && shadows_.count(store->buffer))
      out.push_back(
          makeStmt(s->span, Store{shadows_.at(store->buffer).name, store->index, boolConst(true), {}}));
    if (const auto* swap = s.as<Swap>(); swap && shadows_.count(swap->a))
      out.push_back(makeStmt(s->span, Swap{shadows_.at(swap->a).name, shadows_.at(swap->b).name}));
  }

  void check(const Symbol& buffer, const std::vector<Expr>& index, List& out) {
    const auto found = shadows_.find(buffer);
    if (found == shadows_.end()) return;
    std::vector<Expr> element;
    for (const Expr& i : index) element.push_back(loops::once({where_}, "element", i, out));
    const std::string place =
        index.empty() ? ""
                      : fmt::format("[{}]", fmt::join(std::vector<std::string>(index.size(), "%lld"), ", "));
    out.push_back(makeStmt(
        where_, Require{load(found->second, element), "RuntimeError",
                        fmt::format("`{}{}` is read before it is written", buffer.hint(), place), element}));
  }

  Function& function_;
  std::map<Symbol, Buffer> buffers_, shadows_;
  std::set<Symbol> isMade_; ///< by an Alloc
  Span where_;
  GuardedReads reads_{[this](const Load& l, List& out) { check(l.buffer, l.index, out); }};
};

} // namespace

void checkMemory(Function& f, PassContext& ctx) {
  if (ctx.sanitize.memory) MemoryChecks(f).run();
}

} // namespace appyc::transform
