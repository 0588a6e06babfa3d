//===- Scalars.cpp - scalars of a statement's own, elements that go on in scalars or smaller arrays -----===//
#include "appyc/Analysis/Bounds.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::loops {
using namespace ir;

std::vector<Stmt> privatize(const Builder& build, For& loop, const std::string& suffix) {
  std::vector<Stmt> start;
  for (Reduction& r : loop.reductions) {
    const Symbol own(r.var.hint() + suffix);
    start.push_back(build.assign(own, identity(r.op, r.type)));
    loop.body = renameScalar(loop.body, r.var, own);
    r.var = own;
  }
  return start;
}

Stmt withOwnScalars(const Stmt& s, const std::set<Symbol>& names) {
  std::map<Symbol, Symbol> own;
  for (const Symbol& name : names) own.emplace(name, name.hint());
  return renameScalars(s, own);
}
Stmt withOwnScalars(const Stmt& s) { return withOwnScalars(s, assignedVars(s)); }

Stmt asCopy(const Stmt& s, const std::set<Symbol>& shared) {
  std::set<Symbol> own = assignedVars(s);
  std::erase_if(own, [&](const Symbol& name) { return shared.count(name) > 0; });
  return replace<For>(withOwnScalars(s, own), [](const For& loop, const Stmt& part) {
    For own = loop;
    own.index = Symbol(loop.index.hint());
    own.body = substitute(loop.body, {{loop.index, var(own.index)}});
    own.hints.origins.clear();
    return Builder{part->span}.make(std::move(own));
  });
}

Expr once(const Builder& build, const std::string& hint, const Expr& value, std::vector<Stmt>& out) {
  return value.is<Const>() || value.is<Var>() ? value : build.let(hint, value, out);
}

bool mayBeSame(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  for (size_t d = 0; d < a.size() && d < b.size(); ++d)
    if (const auto distance = constantInt(a[d] - b[d]); distance && *distance != 0) return false;
  return true;
}

bool keeps(const Stmt& s, const Expr& e) {
  return !mentionsAny(e, assignedVars(s)) && !intersect(loadedBuffers(e), storedBuffers(s));
}

bool mayForwardOver(const Stmt& s, const Store& store) {
  return !store.atomicOp && !storedBuffers(s).count(store.buffer) && keeps(s, store.value) &&
         std::all_of(store.index.begin(), store.index.end(), [&](const Expr& e) { return keeps(s, e); });
}

template <class Tree> static Tree withValueOf(const Tree& tree, const Store& store, const Expr& value) {
  return replace<Load>(tree, [&](const Load& l) {
    return l.buffer == store.buffer && equalIndices(l.index, store.index) ? cast(l.type, value) : Expr();
  });
}
Expr forwarded(const Expr& e, const Store& store, const Expr& value) { return withValueOf(e, store, value); }
Stmt forwarded(const Stmt& s, const Store& store, const Expr& value) { return withValueOf(s, store, value); }

Expr valueStored(const Load& read, const Store& store, const For* over, const analysis::Context& known) {
  if (!(read.buffer == store.buffer)) return {};
  Expr at; // the iteration that stores the element
  for (size_t d = 0; d < read.index.size(); ++d) {
    const analysis::Slope slope = over ? analysis::slopeOf(store.index[d], over->index) : analysis::Slope{};
    if (slope.kind == analysis::Slope::None) {
      if (!analysis::alwaysEqual(store.index[d], read.index[d], known)) return {};
      continue;
    }
    if (slope.kind != analysis::Slope::Constant || slope.value != 1) return {};
    const Expr here = read.index[d] - substitute(store.index[d], {{over->index, intConst(0)}});
    if (at && !analysis::alwaysEqual(at, here, known)) return {};
    at = here;
  }
  if (!over) return cast(read.type, store.value);
  return at && analysis::isInRange(at - over->lo, intConst(1), over->hi - over->lo, known)
             ? cast(read.type, substitute(store.value, {{over->index, at}}))
             : Expr();
}

NamedStore withName(const Builder& build, Store store, const Symbol& name) {
  const Expr value = var(name, typeOf(store.value));
  const Stmt set = build.assign(name, std::move(store.value));
  store.value = value;
  return {set, build.make(std::move(store)), value};
}

//===--- contraction ------------------------------------------------------------------------------------===//

static Expr contractedLoad(const Load& l, const InPlaceOf& inPlaceOf) {
  std::optional<Element> other = inPlaceOf(l.buffer, l.index);
  return other ? make(Load{l.type, other->array, std::move(other->index)}) : Expr();
}
Expr contracted(const Expr& e, const InPlaceOf& inPlaceOf) {
  return replace<Load>(e, [&](const Load& l) { return contractedLoad(l, inPlaceOf); });
}
Stmt contracted(const Stmt& s, const InPlaceOf& inPlaceOf) {
  const Stmt loads = replace<Load>(s, [&](const Load& l) { return contractedLoad(l, inPlaceOf); });
  return replace<Store>(loads, [&](const Store& store, const Stmt& part) -> Stmt {
    std::optional<Element> other = inPlaceOf(store.buffer, store.index);
    if (!other) return {};
    return makeStmt(part->span, Store{other->array, std::move(other->index), store.value, store.atomicOp});
  });
}

Stmt readAs(const Stmt& s, const std::map<Symbol, Expr>& values) {
  if (values.empty()) return s;
  return replace<Var>(s, [&](const Var& v) {
    const auto known = values.find(v.name);
    return known == values.end() ? Expr() : known->second;
  });
}

std::optional<int64_t> startOf(const Symbol& scalar, const std::vector<Stmt>& before) {
  for (size_t k = before.size(); k-- > 0;) {
    if (!assignedVars(before[k]).count(scalar)) continue;
    const auto* set = before[k].as<Assign>();
    const auto number = set ? constantInt(set->value) : std::nullopt;
    return number && *number >= 0 ? number : std::nullopt;
  }
  return {};
}

//===--- expansion --------------------------------------------------------------------------------------===//

Buffer expandedOver(const Buffer& b, const Expr& count, bool isInnermost) {
  Buffer wide{Symbol(b.name.hint()), b.type, b.extents};
  wide.extents.insert(isInnermost ? wide.extents.end() : wide.extents.begin(), count);
  return wide;
}

Stmt expanded(const Stmt& s, const Expanded& arrays, const Expr& position, bool isInnermost) {
  return contracted(s, [&](const Symbol& array, const std::vector<Expr>& at) {
    const auto wide = arrays.find(array);
    if (wide == arrays.end()) return std::optional<Element>();
    std::vector<Expr> index = at;
    index.insert(isInnermost ? index.end() : index.begin(), position);
    return std::optional(Element{wide->second.name, std::move(index)});
  });
}

//===--- divisions --------------------------------------------------------------------------------------===//

std::optional<size_t> EarlyDivisors::divisorOf(const Binary& division) const {
  const auto found =
      std::find_if(divisors_.begin(), divisors_.end(), [&](const Expr& d) { return equal(d, division.rhs); });
  if (division.op != BinaryOp::Div || found == divisors_.end() || isEarly_(division.lhs)) return {};
  return static_cast<size_t>(found - divisors_.begin());
}

void EarlyDivisors::find(const Expr& e) {
  each<Binary>(e, [&](const Binary& b) {
    const bool suits = b.op == BinaryOp::Div && b.type == DType::F64 && !b.rhs.is<Const>() &&
                       isEarly_(b.rhs) && !isEarly_(b.lhs);
    if (suits && !divisorOf(b)) divisors_.push_back(b.rhs);
  });
}

Expr EarlyDivisors::prepared(const Expr& e, const std::vector<Expr>& inverses,
                             std::vector<Expr>& tests) const {
  return replace<Binary>(e, [&](const Binary& b) -> Expr {
    const std::optional<size_t> i = divisorOf(b);
    if (!i) return {};
    tests.push_back(call(Intrinsic::DividesBy, DType::Bool, {b.lhs, inverses[*i]}));
    return call(Intrinsic::DivideBy, b.type, {b.lhs, b.rhs, inverses[*i]});
  });
}

} // namespace appyc::loops
