//===- VectorLoop.cpp - a loop of lanes whose threads take elements side by side --------------------------===//
#include "LaneVectors.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>
#include <map>

namespace appyc::schedule {
using namespace ir;

namespace {

Expr vectorWidth() { return make(Hardware{HardwareIndex::Width}); }

class VectorLoop {
public:
  VectorLoop(const For& loop, const LaneVectors& lanes, int width, std::vector<Buffer>& buffers)
      : loop_(loop), lanes_(lanes), width_(width), buffers_(buffers) {}

  Stmt made(const Builder& build) {
    std::vector<Stmt> body;
    const std::map<Symbol, DType> types = assignedTypes(loop_.body);
    for (const Symbol& name : lanes_.crossing()) {
      const Buffer& values = scalars_.emplace(name, newVector(name.hint(), types.at(name))).first->second;
      body.push_back(build.make(Alloc{values, false, true}));
    }
    body.push_back(visited(loop_.body));
    For wide = loop_;
    wide.step = vectorWidth();
    wide.body = block(std::move(body));
    return build.make(std::move(wide));
  }

private:
  const Buffer& newVector(const std::string& hint, DType type) {
    buffers_.push_back({Symbol(hint), type, {intConst(width_)}});
    return buffers_.back();
  }

  Stmt visited(const Stmt& s) {
    if (const auto* loop = s.as<For>()) {
      For inner = *loop;
      const size_t count = inner.reductions.size();
      std::erase_if(inner.reductions, [&](const Reduction& r) { return scalars_.count(r.var) > 0; });
      if (inner.reductions.size() != count) inner.order = Order::Serial;
      inner.body = visited(loop->body);
      return makeStmt(s->span, std::move(inner));
    }
    if (s.is<If>()) return mapChildren(s, [&](const Stmt& child) { return visited(child); });
    const std::vector<Stmt> list = statementsOf(s);
    std::vector<Stmt> out;
    for (size_t i = 0; i < list.size();) {
      if (list[i].is<Assign>() || list[i].is<Store>())
        addRun(lanes_.runOf(list, i), out);
      else
        out.push_back(visited(list[i++]));
    }
    return block(std::move(out));
  }

  struct Part {
    LaneAccess access;
    Buffer vector;
  };

  void addRun(const StraightRun& run, std::vector<Stmt>& out) {
    out.insert(out.end(), run.uniform.begin(), run.uniform.end());
    if (run.own.empty()) return;
    std::vector<Part> parts;
    StraightRun rest = run; // without what is stored as it is
    const Builder build{run.own.front()->span};
    for (const LaneAccess& a : run.accesses) {
      const Buffer* whole = a.loaded ? nullptr : storedWhole(rest.own, a);
      parts.push_back({a, whole ? *whole : newVector(a.buffer.hint() + "_vector", a.type)});
      if (!whole) out.push_back(build.make(Alloc{parts.back().vector, false, true}));
      if (a.loaded) out.push_back(copied(build, parts.back(), false));
    }
    if (!rest.own.empty()) out.push_back(elementByElement(build, rest, parts));
    for (const Part& p : parts)
      if (p.access.stored) out.push_back(copied(build, p, true));
  }

  /// The scalar's values that are all that is stored there, by a statement that is taken out of `own`.
  const Buffer* storedWhole(std::vector<Stmt>& own, const LaneAccess& access) const {
    const auto isThere = [&](const Stmt& s) {
      const auto* store = s.as<Store>();
      return store && access.isSame(store->buffer, store->index);
    };
    if (std::ranges::count_if(own, isThere) != 1 || !isThere(own.back())) return nullptr;
    const auto* value = own.back().as<Store>()->value.as<Var>();
    const auto values = value ? scalars_.find(value->name) : scalars_.end();
    if (values == scalars_.end() || values->second.type != access.type) return nullptr;
    own.pop_back();
    return &values->second;
  }

  /// for v in [0, width), together: vector[v] = array[.., k + v], or the other way round.
  static Stmt copied(const Builder& build, const Part& p, bool toMemory) {
    const Symbol v("v");
    std::vector<Expr> index = p.access.index;
    index.back() = index.back() + var(v);
    const Stmt copy =
        toMemory ? build.make(Store{p.access.buffer, index, load(p.vector, {var(v)}), {}})
                 : build.store(p.vector, {var(v)}, make(Load{p.access.type, p.access.buffer, index}));
    For all = provenLoop(v, intConst(0), vectorWidth(), copy);
    all.mapping = VectorCopy{};
    return build.make(std::move(all));
  }

  Stmt elementByElement(const Builder& build, const StraightRun& run, const std::vector<Part>& parts) const {
    const Symbol v("v");
    std::vector<Stmt> body;
    for (const Stmt& s : run.own) body.push_back(element(s, var(v), parts));
    const Stmt all = block(std::move(body));
    std::vector<Reduction> reductions = loop_.reductions;
    std::erase_if(reductions, [&](const Reduction& r) { return !assignedVars(all).count(r.var); });
    return loops::unrolledInAnyOrder(build, v, vectorWidth(), all, 0, std::move(reductions));
  }

  Stmt element(const Stmt& s, const Expr& v, const std::vector<Part>& parts) const {
    const Stmt onVectors = loops::contracted(
        s, [&](const Symbol& array, const std::vector<Expr>& index) -> std::optional<loops::Element> {
          const auto p = std::find_if(parts.begin(), parts.end(),
                                      [&](const Part& part) { return part.access.isSame(array, index); });
          if (p == parts.end()) return {};
          return loops::Element{p->vector.name, {v}};
        });
    const Stmt replaced = rewrite(
        onVectors,
        [&](const Stmt& part) -> Stmt {
          const auto* a = part.as<Assign>();
          const auto values = a ? scalars_.find(a->var) : scalars_.end();
          return values == scalars_.end() ? Stmt() : Builder{part->span}.store(values->second, {v}, a->value);
        },
        [&](const Expr& e) -> Expr {
          const auto* name = e.as<Var>();
          const auto values = name ? scalars_.find(name->name) : scalars_.end();
          return values == scalars_.end() ? Expr() : load(values->second, {v});
        });
    return substitute(replaced, {{loop_.index, var(loop_.index) + v}});
  }

  const For& loop_;
  const LaneVectors& lanes_;
  int width_;
  std::vector<Buffer>& buffers_; ///< of the function
  std::map<Symbol, Buffer> scalars_;
};

} // namespace

Stmt vectorLoop(const Builder& build, const For& loop, const LaneVectors& lanes, int width,
                std::vector<Buffer>& buffers) {
  return VectorLoop(loop, lanes, width, buffers).made(build);
}

} // namespace appyc::schedule
