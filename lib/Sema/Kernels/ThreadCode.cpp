//===- ThreadCode.cpp - what one thread of a kernel may do ------------------------------------------------===//
// A kernel's body is lowered as that of any function. What is left of it is made here into nodes of one thread, and
// what no thread can do is refused.
#include "Lowering.h"
#include "appyc/IR/Walk.h"

namespace appyc::sema {

namespace {

constexpr std::string_view kWholeArray =
    "a thread works on elements: this is work on a whole array; write a `for` loop over "
    "its elements";

/// What to say of a statement that is the host's; empty text where a thread can run it.
std::string_view refusal(const ir::Stmt& s, const std::set<Symbol>& ofThread) {
  if (const auto* a = s.as<ir::Alloc>(); a && !a->buffer.onChip && !ofThread.count(a->buffer.name))
    return "a kernel makes no arrays, and this needs one; use `cuda.local.array((n,), dtype)` with a "
           "constant shape, or "
           "pass an array";
  if (const auto* index = s.as<ir::IndexStmt>(); index && !index->domain.empty()) return kWholeArray;
  if (const auto* store = s.as<ir::IndexStmt>(); store && store->atomicOp)
    return "in a kernel write `cuda.atomic.add(array, index, value)`";
  if (s.is<ir::MatMul>() || s.is<ir::Routine>()) return kWholeArray;
  if (s.is<ir::Swap>())
    return "two arrays cannot change places in a kernel; pass them in the other order at the next launch";
  bool folds = false;
  ir::forEachExpr(s, [&](const Expr& e) { folds |= mentionsReduce(e); });
  return folds ? kWholeArray : std::string_view();
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

//===--- what is left of it ------------------------------------------------------------------------------===//

/// Nothing where some of it is refused. Checks are left out: a thread cannot raise.
ir::Stmt Lowering::threadCode(const ir::Stmt& body) {
  bool isGood = true;
  ir::visit(body, [&](const ir::Stmt& s) {
    const std::string_view text = refusal(s, kernel_->ofThread);
    if (text.empty() || !isGood) return true;
    isGood = false;
    error(DiagId::Unsupported, s->span, std::string(text));
    return false;
  });
  if (!isGood) return {};
  const std::set<Symbol> read = ir::readScalars(body);
  return ir::rewrite(body, [&](const ir::Stmt& s) -> ir::Stmt {
    if (const auto* atomic = s.as<ir::Atomic>(); atomic && !read.count(atomic->old)) {
      ir::Atomic update = *atomic;
      update.old = {};
      return ir::makeStmt(s->span, std::move(update));
    }
    if (s.is<ir::Require>()) return ir::block({});
    if (const auto* store = s.as<ir::IndexStmt>())
      return ir::makeStmt(s->span, ir::Store{store->target, store->index, store->value, {}});
    if (const auto* alloc = s.as<ir::Alloc>()) {
      ir::Alloc own = *alloc;
      own.shared = !kernel_->ofThread.count(own.buffer.name);
      own.buffer.onChip = false;
      return ir::makeStmt(s->span, std::move(own));
    }
    if (const auto* loop = s.as<ir::For>()) {
      ir::For plain = *loop;
      plain.hints = {};
      return ir::makeStmt(s->span, std::move(plain));
    }
    return {};
  });
}

} // namespace appyc::sema
