//===- ThreadCode.cpp - what one thread of a kernel may do ------------------------------------------------===//
// A kernel's body is lowered as that of any function. What is left of it is made here into nodes of one thread, and
// what no thread can do is refused.
#include "Lowering.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <fmt/format.h>
#include <ranges>

namespace appyc::sema {

namespace {

constexpr std::string_view kOverlap =
    "this may read at another place what it stores, as where one array is passed twice, and a thread stores "
    "one element after the other; write a `for` loop over the elements";
constexpr std::string_view kWholeArray =
    "a thread works on elements: this is work on a whole array; write a `for` loop over "
    "its elements";

/// The arrays that a kernel makes, of its threads and of its blocks.
struct OwnArrays {
  std::set<Symbol> ofThread, ofBlock;
  bool
      othersAreApart; ///< the caller's: a function that launches the kernel has seen to it, Python may pass one twice
  bool areApart(const Symbol& a, const Symbol& b) const {
    if (a == b) return false;
    const bool isOwn = ofThread.count(a) || ofThread.count(b);
    if (isOwn || ofBlock.count(a) != ofBlock.count(b)) return true;
    return othersAreApart && !ofBlock.count(a); // those of a block whose sizes the launch says share a place
  }
};

/// `acc[:] = 0`, `acc[:] = x[i, :]`: may one element be stored after the other? Not where what is read may be what is stored, at
/// another place: Python reads all before.
bool isElementwise(const ir::IndexStmt& s, const OwnArrays& own) {
  bool isGood = true;
  const auto look = [&](const ir::Load& load) {
    const bool isItself = load.buffer == s.target && std::ranges::equal(load.index, s.index, ir::equal);
    isGood &= isItself || own.areApart(load.buffer, s.target);
  };
  ir::each<ir::Load>(s.value, look);
  for (const Expr& e : s.index) ir::each<ir::Load>(e, look);
  return isGood;
}

/// Few elements of a known number: what a step needs for a while, or `np.zeros(3)`. Each thread has its own.
bool isOfFew(const ir::Buffer& made) {
  constexpr int64_t kMost = 256;
  int64_t elements = 1;
  for (const Expr& extent : made.extents) {
    const std::optional<int64_t> n = ir::constantInt(extent);
    if (!n || *n > kMost) return false;
    elements *= *n;
  }
  return elements > 0 && elements <= kMost;
}

/// What to say of a statement that is the host's; empty text where a thread can run it.
std::string_view refusal(const ir::Stmt& s, const OwnArrays& own) {
  if (const auto* a = s.as<ir::Alloc>(); a && !a->buffer.onChip && !own.ofThread.count(a->buffer.name))
    return "a kernel makes no arrays, and this needs one; use `cuda.local.array((n,), dtype)` with a "
           "constant shape, or "
           "pass an array";
  if (const auto* index = s.as<ir::IndexStmt>();
      index && !index->domain.empty() && !isElementwise(*index, own))
    return kOverlap;
  if (const auto* store = s.as<ir::IndexStmt>(); store && store->atomicOp)
    return "in a kernel write `cuda.atomic.add(array, index, value)`";
  if (s.is<ir::MatMul>() || s.is<ir::Routine>()) return kWholeArray;
  if (s.is<ir::Swap>())
    return "two arrays cannot change places in a kernel; pass them in the other order at the next launch";
  return {};
}

} // namespace

//===--- memory that the run chooses ---------------------------------------------------------------------===//

Array Lowering::chosenOf(const Choice& choice, std::vector<Expr> shape) {
  Array out;
  out.type = choice.first.type;
  out.shape = std::move(shape);
  out.at = [=](const Indices& i) {
    return ir::select(choice.isFirst, choice.first.at(i), choice.second.at(i));
  };
  out.choice = std::make_shared<const Choice>(choice);
  return out;
}

void Lowering::assignChosen(const Choice& place, const Value& value, Span where,
                            std::optional<ir::ReduceOp> atomic) {
  const Value once = evaluatedOnce(value, "t");
  const Stmts then = collect([&] { assignPlace(place.first, once, where, atomic); });
  const Stmts otherwise = collect([&] { assignPlace(place.second, once, where, atomic); });
  emit(ir::If{place.isFirst, ir::block(then), ir::block(otherwise)});
}

/// `src, dst = dst, src` in a loop, in a branch of it or not: which of two memories a name stands for is a variable, set at the
/// end of an iteration. Notes such names; true when one is new (try again).
bool Lowering::noteTurns(const Names& names, const Env& entry, const Env& now, LoopTypes& known) {
  const auto before = [&](const std::string& name) -> const Array* { // what it stood for in front of the loop
    const auto it = entry.find(name);
    const auto* a = it == entry.end() ? nullptr : it->second.as<Array>();
    return a && known.turns.count(name) && a->choice ? &a->choice->first : a;
  };
  std::map<std::string, std::string> found;
  for (const std::string& name : names) {
    const auto it = now.find(name);
    const auto *a = before(name), *b = it == now.end() ? nullptr : it->second.as<Array>();
    if (!a || !b || a->type != b->type || a->shape.size() != b->shape.size() || showSame(*a, *b)) continue;
    std::vector<const Array*> open{b};
    std::set<std::string> others;
    bool isKnown = true;
    while (!open.empty() && isKnown) {
      const Array& one = *open.back();
      open.pop_back();
      if (showSame(one, *a)) continue;
      const auto owner = std::ranges::find_if(entry, [&](const auto& e) {
        const Array* own = before(e.first);
        return own && (own->view || own->choice) && showSame(*own, one);
      });
      if (owner != entry.end()) {
        others.insert(owner->first);
      } else if (one.choice) {
        open.push_back(&one.choice->first), open.push_back(&one.choice->second);
      } else {
        isKnown = false;
      }
    }
    if (isKnown && others.size() == 1) found[name] = *others.begin();
  }
  bool isNew = false;
  for (const auto& [name, other] : found) isNew |= known.turns.emplace(name, other).second;
  return isNew;
}

/// In front of the loop each stands for its own memory.
void Lowering::prepareTurns(const LoopTypes& known) {
  std::map<std::string, Value> made;
  for (const auto& [name, other] : known.turns) {
    const auto *a = env().at(name).as<Array>(), *b = env().at(other).as<Array>();
    const Expr isOwn =
        ir::var(newVariable(hintOf(name) + "_is_first", DType::Bool, ir::boolConst(true)), DType::Bool);
    mutable_.insert(isOwn.as<ir::Var>()->name);
    std::vector<Expr> shape;
    for (size_t d = 0; d < a->shape.size(); ++d)
      shape.push_back(alwaysEqual(a->shape[d], b->shape[d]) ? a->shape[d]
                                                            : ir::select(isOwn, a->shape[d], b->shape[d]));
    made[name] = Value{chosenOf({isOwn, *a, *b}, shape)};
  }
  for (const auto& [name, value] : made) env()[name] = value;
}

/// Is the memory the choice's first one? Nothing where it is neither.
static Expr isFirstOf(const Choice& choice, const Array& now) {
  if (showSame(now, choice.first)) return ir::boolConst(true);
  if (showSame(now, choice.second)) return ir::boolConst(false);
  if (!now.choice) return {};
  const Expr then = isFirstOf(choice, now.choice->first), otherwise = isFirstOf(choice, now.choice->second);
  return then && otherwise ? ir::select(now.choice->isFirst, then, otherwise) : Expr();
}

/// At the end of an iteration.
void Lowering::takeTurns(const LoopTypes& known, const Env& entry) {
  std::vector<std::pair<Symbol, Expr>> turned;
  for (const auto& [name, other] : known.turns) {
    const Choice& own = *entry.at(name).as<Array>()->choice;
    const auto now = env().find(name);
    const auto* array = now == env().end() ? nullptr : now->second.as<Array>();
    const Expr isFirst = array ? isFirstOf(own, *array) : Expr();
    env()[name] = entry.at(name);
    if (!isFirst) {
      if (!kernel_ && openLoops("arrays change places in order")) continue;
      error(DiagId::Unsupported, statement_,
            fmt::format("`{}` stands for more than two arrays in this loop of a kernel; use an array with "
                        "one axis more, and its "
                        "index",
                        name));
      continue;
    }
    if (!(isFirst == own.isFirst))
      turned.emplace_back(own.isFirst.as<ir::Var>()->name, materialize(isFirst, "turn"));
  }
  for (const auto& [variable, isFirst] : turned) emit(ir::Assign{variable, isFirst});
}

//===--- what is left of it ------------------------------------------------------------------------------===//

/// Nothing where some of it is refused. Checks are left out: a thread cannot raise.
ir::Stmt Lowering::threadCode(const ir::Stmt& body) {
  bool isGood = true;
  OwnArrays own{kernel_->ofThread, {}, out_.ofLaunch == 0};
  ir::visit(body, [&](const ir::Stmt& s) {
    const auto* a = s.as<ir::Alloc>();
    if (a && a->buffer.onChip) own.ofBlock.insert(a->buffer.name);
    if (a && !a->buffer.onChip && isOfFew(a->buffer)) own.ofThread.insert(a->buffer.name);
    return true;
  });
  ir::visit(body, [&](const ir::Stmt& s) {
    const std::string_view text = refusal(s, own);
    if (text.empty() || !isGood) return true;
    isGood = false;
    error(DiagId::Unsupported, s->span, std::string(text));
    return false;
  });
  if (!isGood) return {};
  const std::set<Symbol> read = ir::readScalars(body);
  const auto folded = [](const ir::Stmt& s) {
    bool isFold = false;
    ir::forEachExpr(s, [&](const Expr& e) { isFold |= mentionsReduce(e); });
    return isFold ? ir::asLoops(s) : ir::Stmt();
  };
  return ir::rewrite(ir::rewrite(body, folded), [&](const ir::Stmt& s) -> ir::Stmt {
    if (const auto* atomic = s.as<ir::Atomic>(); atomic && !read.count(atomic->old)) {
      ir::Atomic update = *atomic;
      update.old = {};
      return ir::makeStmt(s->span, std::move(update));
    }
    if (s.is<ir::Require>()) return ir::block({});
    if (const auto* store = s.as<ir::IndexStmt>()) {
      ir::Stmt nest = ir::makeStmt(s->span, ir::Store{store->target, store->index, store->value, {}});
      for (const ir::Range& r : store->domain | std::views::reverse)
        nest =
            ir::makeStmt(s->span, ir::serialLoop(r.index, ir::intConst(0), r.extent, ir::intConst(1), nest));
      return nest;
    }
    if (const auto* alloc = s.as<ir::Alloc>()) {
      ir::Alloc alone = *alloc;
      alone.shared = !own.ofThread.count(alone.buffer.name);
      alone.buffer.onChip = false;
      return ir::makeStmt(s->span, std::move(alone));
    }
    if (const auto* loop = s.as<ir::For>()) {
      ir::For plain = *loop;
      plain.hints = {};
      plain.order = ir::Order::Serial;
      plain.reductions = {};
      return ir::makeStmt(s->span, std::move(plain));
    }
    return {};
  });
}

} // namespace appyc::sema
