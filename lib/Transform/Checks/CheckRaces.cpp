//===- CheckRaces.cpp - assumed loops run in order and look for the races they would have -------------===//
//   #pragma parallel for            for i in range(N):             (in order, by one thread)
//   for i in range(N):        =>      now = race[clock] + 1; race[clock] = now; begin = race[begin of loop]
//     x[k[i]] = v[i]                  seen = x_writer[k[i]]
//                                     require not (seen > begin and seen != now), RuntimeError, ...
//                                     if x_writer[k[i]] <= begin: x_writer[k[i]] = now
//                                     x[k[i]] = v[i]
// A cell of shadow memory holds the first iteration of the running loop that touched the element in one way
// (read, written, updated by one operator), as a stamp: the loop's clock, which never goes back, so that no
// cell is ever cleared. The first iteration is enough: a later one that conflicts with any conflicts with it,
// or is it. order-checks makes the checks fit for the device.
#include "GuardedReads.h"
#include "appyc/Analysis/Effects.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <tuple>

namespace appyc::transform {

namespace {

using namespace ir;
using analysis::Way;

const char* verb(const Way& way) {
  return way.kind == Way::Read ? "reads" : way.kind == Way::Write ? "writes" : "updates";
}
const char* shadow(const Way& way) {
  return way.kind == Way::Read ? "reader" : way.kind == Way::Write ? "writer" : "updater";
}

bool isAssumed(const Stmt& s) {
  const auto* loop = s.as<For>();
  return loop && loop->order == Order::Assumed;
}
bool containsAssumed(const Stmt& s) { return anyStmt(s, isAssumed); }

class RaceChecks {
public:
  RaceChecks(Function& function, PassContext& ctx) : function_(function), ctx_(ctx) {
    for (const Buffer& b : function.buffers) buffers_[b.name] = b;
    race_ = Buffer{Symbol("race"), DType::I64, {intConst(1)}}; // its extent follows
  }

  void run() {
    const std::vector<Stmt> body = listOf(nests(function_.body));
    race_.extents = {intConst(static_cast<int64_t>(2 * depths_))};
    function_.buffers.push_back(race_);
    std::vector<Stmt> out;
    make(race_, out);
    for (const Stmt& s : body) out.push_back(withShadows(s));
    std::vector<Stmt> atTop; // of arrays that the caller makes
    for (const auto& [key, shadow] : shadows_)
      if (!placed_.count(shadow.name)) make(shadow, atTop);
    out.insert(out.begin(), atTop.begin(), atTop.end());
    function_.body = makeStmt(function_.body->span, Block{std::move(out)});
  }

private:
  /// A loop that is being checked.
  struct Checked {
    const For* loop;
    Span where;
    size_t depth; ///< among checked loops
    Expr now, begin, first, step;
    std::map<Symbol, std::set<Way>> ways;
  };
  using List = std::vector<Stmt>;

  static List listOf(const Stmt& s) {
    const auto* b = s.as<Block>();
    return b ? b->body : List{s};
  }

  //===--- the nests --------------------------------------------------------------------------------===//

  Stmt nests(const Stmt& s) {
    const auto* loop = s.as<For>();
    const bool isRoot = loop && !isSerial(*loop);
    if (!isRoot || !containsAssumed(s))
      return mapChildren(s, [&](const Stmt& child) { return nests(child); });
    List out;
    span_ = s->span;
    body(s, out);
    For root = *out.back().as<For>();
    root.hints.mark = LoopMark::Sequential;
    out.back() = makeStmt(s->span, std::move(root));
    return block(std::move(out));
  }

  template <class T> void emit(List& out, T node) { out.push_back(makeStmt(span_, std::move(node))); }
  Stmt listed(const std::function<void(List&)>& fill) {
    List list;
    fill(list);
    return makeStmt(span_, Block{std::move(list)});
  }

  void body(const Stmt& s, List& out) {
    if (const auto* b = s.as<Block>()) {
      for (const Stmt& child : b->body) body(child, out);
      return;
    }
    const Span saved = std::exchange(span_, s->span);
    statement(s, out);
    span_ = saved;
  }

  void statement(const Stmt& s, List& out) {
    reads_.forget();
    if (const auto* loop = s.as<For>()) {
      for (const Expr& e : {loop->lo, loop->hi, loop->step}) reads_.read(e, span_, out);
      return this->loop(s, *loop, out);
    }
    if (const auto* branch = s.as<If>()) {
      reads_.read(branch->cond, span_, out);
      Stmt then = listed([&](List& list) { body(branch->then, list); });
      Stmt otherwise =
          branch->otherwise ? listed([&](List& list) { body(branch->otherwise, list); }) : Stmt();
      return emit(out, If{branch->cond, then, otherwise});
    }
    if (const auto* loop = s.as<While>()) {
      reads_.read(loop->cond, span_, out);
      Stmt inside = listed([&](List& list) {
        body(loop->body, list);
        reads_.forget();
        reads_.read(loop->cond, span_, list);
      });
      return emit(out, While{loop->cond, inside});
    }
    forEachExpr(s, [&](const Expr& e) { reads_.read(e, span_, out); });
    if (const auto* store = s.as<Store>())
      access(store->buffer, store->index, {store->atomicOp ? Way::Update : Way::Write, store->atomicOp}, out);
    out.push_back(s);
  }

  void loop(const Stmt& s, const For& old, List& out) {
    For plain = old;
    plain.hints.mark = LoopMark::None;
    plain.order = Order::Serial;
    plain.reductions.clear();
    plain.hints.vectorLength = plain.hints.warps = 0;
    plain.hints.threads = {};
    if (old.order != Order::Assumed) {
      plain.body = listed([&](List& list) { body(old.body, list); });
      return emit(out, std::move(plain));
    }
    ctx_.diag.report(DiagId::Assumed, s->span,
                     fmt::format("loop `{}` runs in order and is checked for races", old.index.hint()));
    // The bounds are evaluated once; the first iteration is needed again in messages.
    for (Expr* e : {&plain.lo, &plain.step})
      if (!constantInt(*e)) *e = captured("first", *e, out);
    Checked checked{&old, s->span, open_.size(), {}, {}, plain.lo, plain.step, analysis::waysToShare(old)};
    depths_ = std::max(depths_, open_.size() + 1);
    const size_t clock = 2 * checked.depth;
    emit(out, Store{race_.name, {cell(clock + 1)}, raceCell(clock), {}});
    plain.body = listed([&](List& list) {
      checked.now = captured("now", add(raceCell(clock), intConst(1)), list);
      emit(list, Store{race_.name, {cell(clock)}, checked.now, {}});
      checked.begin = captured("begin", raceCell(clock + 1), list);
      open_.push_back(checked);
      body(old.body, list);
      open_.pop_back();
    });
    emit(out, std::move(plain));
  }

  static Expr cell(size_t at) { return intConst(static_cast<int64_t>(at)); }
  Expr raceCell(size_t at) const { return load(race_, {cell(at)}); }
  Expr captured(const char* name, const Expr& e, List& out) { return Builder{span_}.let(name, e, out); }

  //===--- accesses ---------------------------------------------------------------------------------===//

  void access(const Symbol& buffer, const std::vector<Expr>& index, Way way, List& out) {
    std::vector<Expr> element;
    for (const Checked& loop : open_) {
      auto ways = loop.ways.find(buffer);
      if (ways == loop.ways.end()) continue;
      const auto competes = [&](const Way& other) { return way.competes(other); };
      if (std::none_of(ways->second.begin(), ways->second.end(), competes)) continue;
      if (element.empty())
        for (const Expr& i : index) element.push_back(loops::once({span_}, "element", i, out));
      for (const Way& other : ways->second)
        if (competes(other)) compare(loop, buffer, element, way, other, out);
      const Buffer& mine = shadowOf(buffer, loop.depth, way);
      const std::vector<Expr> at = inShadow(element);
      const Builder build{span_};
      out.push_back(build.when(load(mine, at) <= loop.begin, build.store(mine, at, loop.now)));
    }
  }

  static std::vector<Expr> inShadow(const std::vector<Expr>& element) {
    return element.empty() ? std::vector<Expr>{intConst(0)} : element;
  }

  /// Records a race with the iteration that touched the element first in the way `other`.
  void compare(const Checked& loop, const Symbol& buffer, const std::vector<Expr>& element, Way way,
               Way other, List& out) {
    const Expr seen = captured("seen", load(shadowOf(buffer, loop.depth, other), inShadow(element)), out);
    const Expr isOther = both(seen > loop.begin, ne(seen, loop.now));
    const Expr trips = seen - loop.begin - 1;
    std::vector<Expr> values{add(loop.first, trips * loop.step)};
    values.insert(values.end(), element.begin(), element.end());
    values.push_back(var(loop.loop->index));
    // The text names its lines itself.
    out.push_back(makeStmt({}, Require{unary(UnaryOp::LogicalNot, isOther), "RuntimeError",
                                       textOf(loop, buffer, element.size(), way, other), std::move(values)}));
  }

  //===--- shadow memory ----------------------------------------------------------------------------===//

  const Buffer& shadowOf(const Symbol& buffer, size_t depth, Way way) {
    auto [it, isNew] = shadows_.try_emplace({buffer, depth, way});
    if (isNew) {
      const Buffer& of = buffers_.at(buffer);
      it->second = Buffer{Symbol(fmt::format("{}_{}", buffer.hint(), shadow(way))), DType::I64, of.extents};
      if (of.extents.empty()) it->second.extents = {intConst(1)};
      function_.buffers.push_back(it->second);
    }
    return it->second;
  }

  /// The array, and zeros in it: the clocks start at 1.
  void make(const Buffer& buffer, List& out) {
    span_ = function_.span;
    emit(out, Alloc{buffer});
    const Builder build{span_};
    out.push_back(loops::forAll(build, "i", buffer.extents, [&](const std::vector<Expr>& index) {
      return build.store(buffer, index, intConst(0));
    }));
  }

  /// Temporaries get their shadows where they are made.
  Stmt withShadows(const Stmt& s) {
    return rewrite(s, [&](const Stmt& part) -> Stmt {
      const auto* alloc = part.as<Alloc>();
      if (!alloc) return {};
      List list{part};
      for (const auto& [key, shadow] : shadows_)
        if (std::get<0>(key) == alloc->buffer.name) {
          make(shadow, list);
          placed_.insert(shadow.name);
        }
      return list.size() == 1 ? Stmt() : makeStmt(part->span, Block{std::move(list)});
    });
  }

  //===--- messages ---------------------------------------------------------------------------------===//

  std::string textOf(const Checked& loop, const Symbol& buffer, size_t dims, Way way, Way other) const {
    const std::string& i = loop.loop->index.hint();
    const std::string place =
        dims == 0 ? "" : fmt::format("[{}]", fmt::join(std::vector<std::string>(dims, "%lld"), ", "));
    return fmt::format("{}: loop `{}` has a race: iteration {}=%lld {} {}{}, iteration {}=%lld {} it{}{}",
                       lineText(loop.where), i, i, verb(other), buffer.hint(), place, i, verb(way),
                       way == other ? " too" : "", inLine(loop.where));
  }

  uint32_t lineOf(Span at) const { return ctx_.source ? ctx_.source->placeOf(at.begin).at.line : 0; }
  std::string fileOf(Span at) const {
    const SourceFile* file = ctx_.source ? &ctx_.source->fileAt(at.begin) : nullptr;
    return !file || file->module.empty() ? ctx_.sourceName
                                         : file->name.substr(file->name.find_last_of('/') + 1);
  }
  /// "kernel.py:12", fit for a format.
  std::string lineText(Span at) const {
    std::string text;
    for (char c : fmt::format("{}:{}", fileOf(at), lineOf(at))) text += c == '%' ? "%%" : std::string(1, c);
    return text;
  }
  std::string inLine(Span loop) const {
    return lineOf(span_) == lineOf(loop) ? "" : fmt::format(", in line {}", lineOf(span_));
  }

  Function& function_;
  PassContext& ctx_;
  std::map<Symbol, Buffer> buffers_;
  size_t depths_ = 0;
  Buffer race_; ///< of each depth the clock, and where the running loop began
  std::map<std::tuple<Symbol, size_t, Way>, Buffer> shadows_;
  std::set<Symbol> placed_;
  std::vector<Checked> open_;
  Span span_;
  GuardedReads reads_{[this](const Load& l, List& out) { access(l.buffer, l.index, {Way::Read, {}}, out); }};
};

} // namespace

void checkRaces(Function& f, PassContext& ctx) {
  if (ctx.checkRaces && containsAssumed(f.body)) RaceChecks(f, ctx).run();
}

} // namespace appyc::transform
