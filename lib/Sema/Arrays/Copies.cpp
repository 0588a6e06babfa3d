//===- Copies.cpp - finds stores that a copy keeps from being seen through the other name -------------===//
#include "Copies.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include <optional>
#include <set>

namespace appyc::sema {

namespace {

using ir::Stmt;

/// What is known of two buffers that Python may have as one array.
struct Link {
  bool shared = false;        ///< on some path that leads here
  std::optional<Span> stored; ///< the first buffer was stored into while shared
  Copy copy{};                ///< that made them two
  bool intoCopy = false;      ///< the first buffer is the copy, the second its source
};

/// Adds what holds on another path; true if that is new.
bool merge(Link& into, const Link& from) {
  bool changed = (from.shared && !into.shared) || (from.stored && !into.stored);
  if (!into.shared && from.shared) into.copy = from.copy, into.intoCopy = from.intoCopy;
  into.shared |= from.shared;
  if (!into.stored) into.stored = from.stored;
  return changed;
}

/// By (stored, read): both directions of a pair have an entry.
using State = std::map<std::pair<Symbol, Symbol>, Link>;

bool merge(State& into, const State& from) {
  bool changed = false;
  for (const auto& [pair, link] : from) {
    auto [it, isNew] = into.try_emplace(pair, link);
    changed |= isNew || merge(it->second, link);
  }
  return changed;
}

class CopyCheck {
public:
  CopyCheck(const ir::Function& f, const Copies& copies, Diagnostics& diag)
      : function_(f), copies_(copies), diag_(diag) {}

  void run() {
    State state;
    walk(function_.body, state);
    for (const ir::Param& p : function_.params)
      if (p.isArray) read(p.name, std::nullopt, state);
    for (const auto& [index, copy] : copies_)
      if (copy.outlives) read(copy.source, std::nullopt, state);
    for (const ir::Result& r : function_.results)
      if (r.kind == ir::Result::Array) read(r.name, std::nullopt, state);
  }

private:
  void readAll(const ir::Expr& e, Span at, State& state) {
    for (const Symbol& buffer : ir::loadedBuffers(e)) read(buffer, at, state);
  }

  /// `at`: none for what the caller sees.
  void read(const Symbol& buffer, std::optional<Span> at, State& state) {
    for (auto& [pair, link] : state)
      if (pair.second == buffer && link.stored) report(pair.first, buffer, link, at);
  }

  void report(const Symbol& stored, const Symbol& other, const Link& link, std::optional<Span> at) {
    Span where = *link.stored;
    if (!reported_.insert({where.begin, where.end}).second) return;
    const std::string& name = link.copy.name;
    const std::string what = name.empty() ? "the array chosen before" : fmt::format("`{}`", name);
    const std::string& original = (link.intoCopy ? other : stored).hint();
    const std::string array =
        fmt::format("{}{}`{}` itself", link.copy.always ? "NumPy may show " : "on some paths it would be ",
                    original == name ? "the former " : "", original);
    std::string text = fmt::format(
        "{} is a copy here: {}, {}; {}", what, array,
        link.intoCopy ? "which this store does not reach" : "and does not see this store",
        link.copy.always ? "use the array itself, or copy it with .copy()"
                         : "use the arrays by their own names, on each path, or copy them with .copy()");
    Diagnostic& d = diag_.report(DiagId::Unsupported, where, std::move(text));
    d.note(link.copy.where, "bound to it here");
    if (at && at->end > 0) d.note(*at, "read afterwards here");
  }

  void store(const Symbol& buffer, Span at, State& state) {
    for (auto& [pair, link] : state)
      if (pair.first == buffer && link.shared && !link.stored) link.stored = at;
  }

  /// `target` becomes another name of what `copy` copies, and of nothing else, or gets it beside what it has.
  void bind(const Symbol& target, const Copy& copy, State& state) {
    if (copy.source == target) return;
    std::set<Symbol> shares; // with what the target shares from here on
    if (copy.source) shares.insert(copy.source);
    for (const auto& [pair, link] : state)
      if (copy.source && pair.first == copy.source && link.shared && !(pair.second == target))
        shares.insert(pair.second);
    if (!copy.adds)
      for (auto& [pair, link] : state) {
        if (pair.first == target || pair.second == target) link.shared = false;
        if (pair.second == target) link.stored.reset(); // it holds the present elements
      }
    for (const Symbol& other : shares) {
      merge(state[{target, other}], {true, std::nullopt, copy, true});
      merge(state[{other, target}], {true, std::nullopt, copy, false});
    }
  }

  const Copy* copyOf(const Stmt& s) const {
    const auto* index = s.as<ir::IndexStmt>();
    if (!index || index->domain.empty()) return nullptr;
    auto it = copies_.find(index->domain[0].index);
    return it == copies_.end() ? nullptr : &it->second;
  }

  /// The copy and the array that gets its elements, on the one path on which they are one.
  std::optional<std::pair<Symbol, Symbol>> givenBack(const Stmt& s) const {
    const Copy* copy = copyOf(s);
    if (!copy || !copy->givesBack) return std::nullopt;
    return std::pair(copy->source, *ir::storedBuffers(s).begin());
  }

  /// The buffer is a new array from here on; what was stored into the one before may still be missed.
  void begin(const Symbol& made, State& state) {
    for (auto it = state.begin(); it != state.end();) {
      if (it->first.first == made) it->second.shared = false;
      it = it->first.second == made ? state.erase(it) : std::next(it);
    }
  }

  void exchange(Symbol a, Symbol b, State& state) {
    auto other = [&](const Symbol& s) { return s == a ? b : s == b ? a : s; };
    State renamed;
    for (auto& [pair, link] : state) renamed[{other(pair.first), other(pair.second)}] = link;
    state = std::move(renamed);
  }

  void walk(const Stmt& s, State& state) {
    if (!s) return;
    if (const auto* block = s.as<ir::Block>()) {
      for (const Stmt& child : block->body) walk(child, state);
    } else if (const auto* branch = s.as<ir::If>()) {
      readAll(branch->cond, s->span, state);
      State otherwise = state;
      if (const auto given = givenBack(branch->then)) {
        otherwise.erase(*given);
        otherwise.erase({given->second, given->first});
      }
      walk(branch->then, state);
      walk(branch->otherwise, otherwise);
      merge(state, otherwise);
    } else if (s.is<ir::For>() || s.is<ir::While>()) {
      walkLoop(s, state);
    } else if (const auto* alloc = s.as<ir::Alloc>()) {
      begin(alloc->buffer.name, state);
    } else if (const auto* mark = s.as<ir::Assign>(); mark && copies_.count(mark->var)) {
      begin(copies_.at(mark->var).source, state);
    } else if (const auto* swap = s.as<ir::Swap>()) {
      exchange(swap->a, swap->b, state);
    } else {
      for (const Symbol& buffer : ir::loadedBuffers(s)) read(buffer, s->span, state);
      const Copy* copy = copyOf(s);
      for (const Symbol& buffer : ir::storedBuffers(s))
        if (copy)
          bind(buffer, *copy, state);
        else
          store(buffer, s->span, state);
    }
  }

  static bool runsAtLeastOnce(const Stmt& s) {
    const auto* loop = s.as<ir::For>();
    if (!loop) return false;
    std::optional<int64_t> lo = ir::constantInt(loop->lo), hi = ir::constantInt(loop->hi),
                           step = ir::constantInt(loop->step);
    return lo && hi && step && (*step > 0 ? *lo < *hi : *lo > *hi);
  }

  /// Visits only ever see more: each loop's last visit is kept, so that nests do not double the work.
  void walkLoop(const Stmt& s, State& state) {
    Visit& last = visits_[s.get()];
    if (last.done && !merge(last.entry, state)) {
      state = last.exit;
      return;
    }
    if (!last.done) last.entry = state;
    last.done = true;
    State entry = last.entry, exit;
    const auto* loop = s.as<ir::For>();
    if (loop)
      for (const ir::Expr& bound : {loop->lo, loop->hi, loop->step}) readAll(bound, s->span, entry);
    do {
      if (!loop) readAll(s.as<ir::While>()->cond, s->span, entry);
      exit = entry;
      walk(loop ? loop->body : s.as<ir::While>()->body, exit);
    } while (merge(entry, exit));
    if (!runsAtLeastOnce(s)) merge(exit, entry);
    visits_[s.get()].exit = exit;
    state = std::move(exit);
  }

  struct Visit {
    bool done = false;
    State entry, exit;
  };
  const ir::Function& function_;
  const Copies& copies_;
  Diagnostics& diag_;
  std::map<const ir::StmtNode*, Visit> visits_;
  std::set<std::pair<uint32_t, uint32_t>> reported_;
};

} // namespace

void checkCopies(const ir::Function& function, const Copies& copies, Diagnostics& diag) {
  if (!copies.empty()) CopyCheck(function, copies, diag).run();
}

} // namespace appyc::sema
