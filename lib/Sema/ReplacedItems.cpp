//===- ReplacedItems.cpp - lists of which each item is known, and that get another one in its place ---------------===//
//   grads[-1] = delta      =>      value = delta
//                                  grads[-1]
//                                  grads = [value if k == len(grads) - 1 else item for k, item in enumerate(grads)]
// Such a list is a tuple of its items at each place of the program, so that its name is bound anew. That it is one is
// known where the statement is lowered: the function is lowered once more with the other text.
#include "ExprParts.h"
#include "Lowering.h"
#include "Scopes.h"
#include "SelfCalls.h"
#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace appyc::sema {

namespace {

using ast::Body;
using ast::Stmt;

ast::Expr called(const char* function, std::vector<ast::Expr> args, Span where) {
  return ast::make(where, ast::Call{nameAt(function, where), std::move(args), {}});
}

bool calls(const ast::Expr& e) {
  return e.is<ast::Call>() || e.is<ast::Walrus>() || std::ranges::any_of(partsOf(e), calls);
}

/// The statements that bind the list's name to one with another item. An index that may change something is asked once.
Body bindingAnew(const ast::Subscript& s, const ast::Expr& value, const std::string& kept, Span where) {
  if (calls(s.index[0])) {
    const ast::Expr index = nameAt(kept + "_index", s.index[0]->span);
    Body rest = bindingAnew({s.base, {index}}, nameAt(kept, where), kept, where);
    rest[0] = ast::makeStmt(where, ast::Assign{{index}, s.index[0], {}});
    rest.insert(rest.begin(), ast::makeStmt(where, ast::Assign{{nameAt(kept, where)}, value, {}}));
    return rest;
  }
  const ast::Expr &list = s.base, &at = s.index[0];
  const ast::Expr zero = ast::make(where, ast::IntLit{0});
  const std::string place = kept + "_at", item = kept + "_item";
  const ast::Expr isBehind = ast::make(where, ast::Compare{{at, zero}, {ast::CompareOp::Lt}});
  const ast::Expr counted =
      ast::make(where, ast::Binary{ast::BinaryOp::Add, called("len", {list}, where), at});
  const ast::Expr index = ast::make(where, ast::Conditional{isBehind, counted, at});
  const ast::Expr isIt = ast::make(where, ast::Compare{{nameAt(place, where), index}, {ast::CompareOp::Eq}});
  const ast::Expr chosen = ast::make(where, ast::Conditional{isIt, nameAt(kept, where), nameAt(item, where)});
  const ast::Expr both = ast::make(where, ast::Tuple{{nameAt(place, where), nameAt(item, where)}});
  const ast::Expr made =
      ast::make(where, ast::Comprehension{chosen, {{both, called("enumerate", {list}, where), {}}}, true});
  return {ast::makeStmt(where, ast::Assign{{nameAt(kept, where)}, value, {}}),
          ast::makeStmt(where, ast::ExprStmt{ast::make(where, s)}),
          ast::makeStmt(where, ast::Assign{{list}, made, {}})};
}

Body withReplaced(const Body& body, const std::set<uint32_t>& places) {
  Body out;
  for (const Stmt& s : body) {
    if (const auto* i = s.as<ast::If>()) {
      out.push_back(ast::makeStmt(
          s->span, ast::If{i->cond, withReplaced(i->then, places), withReplaced(i->otherwise, places)}));
    } else if (const auto* f = s.as<ast::For>()) {
      ast::For loop = *f;
      loop.body = withReplaced(f->body, places), loop.otherwise = withReplaced(f->otherwise, places);
      out.push_back(ast::makeStmt(s->span, std::move(loop)));
    } else if (const auto* w = s.as<ast::While>()) {
      ast::While loop = *w;
      loop.body = withReplaced(w->body, places), loop.otherwise = withReplaced(w->otherwise, places);
      out.push_back(ast::makeStmt(s->span, std::move(loop)));
    } else if (const auto* a = s.as<ast::Assign>();
               a && a->targets.size() == 1 && places.count(a->targets[0]->span.begin)) {
      const auto* part = a->targets[0].as<ast::Subscript>();
      const std::string kept = fmt::format("replacing_{}", s->span.begin);
      const ast::Expr isList = called("isinstance", {part->base, nameAt("list", s->span)}, s->span);
      out.push_back(
          ast::makeStmt(s->span, ast::If{isList, bindingAnew(*part, a->value, kept, s->span), {s}}));
    } else {
      out.push_back(s);
    }
  }
  return out;
}

/// Is the list that `list` names given another name somewhere, or put into something?
class Aliases {
public:
  explicit Aliases(const ast::Expr& list) {
    if (const auto* a = list.as<ast::Attribute>()) attribute_ = a->name;
    if (const auto* n = list.as<ast::Name>()) name_ = n->id;
  }
  bool areIn(const Body& body) const {
    return std::ranges::any_of(body, [&](const Stmt& s) {
      if (const auto* i = s.as<ast::If>()) {
        const auto* c = i->cond.as<ast::Completes>();
        return (c && areIn(c->tried)) || areIn(i->then) || areIn(i->otherwise);
      }
      if (const auto* f = s.as<ast::For>()) return areIn(f->body) || areIn(f->otherwise);
      if (const auto* w = s.as<ast::While>()) return areIn(w->body) || areIn(w->otherwise);
      if (const auto* f = s.as<ast::LocalFunction>()) return areIn(f->function->body);
      if (const auto* a = s.as<ast::Assign>()) return isKeptBy(a->value);
      const auto* e = s.as<ast::ExprStmt>();
      const auto* call = e ? e->value.as<ast::Call>() : nullptr;
      return call && std::ranges::any_of(call->args, [&](const ast::Expr& arg) { return isKeptBy(arg); });
    });
  }

private:
  bool isIt(const ast::Expr& e) const {
    const auto* a = e.as<ast::Attribute>();
    const auto* n = e.as<ast::Name>();
    return (a && !attribute_.empty() && a->name == attribute_) || (n && !name_.empty() && n->id == name_);
  }
  bool isKeptBy(const ast::Expr& e) const {
    const auto any = [&](const std::vector<ast::Expr>& items) {
      return std::ranges::any_of(items, [&](const ast::Expr& item) { return isKeptBy(item); });
    };
    if (isIt(e)) return true;
    if (const auto* t = e.as<ast::Tuple>()) return any(t->items);
    if (const auto* l = e.as<ast::List>()) return any(l->items);
    if (const auto* d = e.as<ast::Dict>()) return any(d->values);
    if (const auto* c = e.as<ast::Conditional>()) return isKeptBy(c->then) || isKeptBy(c->otherwise);
    return false;
  }
  std::string name_, attribute_;
};

/// Is it the list, or does it hold it?
bool holdsList(const Value& v, const Value& list) {
  const auto* items = v.as<TupleValue>();
  return isSame(v, list) || (items && std::ranges::any_of(items->items, [&](const Value& part) {
                               return holdsList(part, list);
                             }));
}

} // namespace

/// The function with what has been found of its lists.
const ast::Function& Lowering::withReplacedItems(const ast::Function& fn) {
  const auto first = listStates_.replaced.lower_bound(fn.span.begin);
  if (first == listStates_.replaced.end() || *first >= fn.span.end) return fn;
  const size_t count = listStates_.replaced.size();
  const auto [low, high] = listStates_.withReplaced.equal_range(fn.nameSpan.begin);
  for (auto it = low; it != high; ++it)
    if (it->second.count == count && it->second.given == fn.body) return *it->second.function;
  ast::Function other = fn;
  other.body = withReplaced(fn.body, listStates_.replaced);
  const auto made = std::make_shared<const ast::Function>(std::move(other));
  return *listStates_.withReplaced.insert({fn.nameSpan.begin, {fn.body, count, made}})->second.function;
}

/// `layers[0] = x` of a list of which each item is known: the function is lowered once more. False where that is not
/// right, as others have the list, too, or only the run tells which item it is.
bool Lowering::becomesReplaced(const ast::Expr& target, const TupleValue& list) {
  const auto* s = target.as<ast::Subscript>();
  if (!s || !list.isList || list.isSet || list.isDeque || list.made == kOfFile || site_ ||
      s->index.size() != 1 || s->index[0].is<ast::Slice>())
    return false;
  const std::optional<Expr> at = evalIndexExpr(s->index[0], "an index");
  if (!at || (!ir::constantInt(*at) && writesOut(*at))) return bool(at);
  if (!ir::constantInt(*at)) return false;
  const int64_t place = *ir::constantInt(*at) + (*ir::constantInt(*at) < 0 ? std::ssize(list.items) : 0);
  if (place < 0 || place >= std::ssize(list.items)) return false;
  if (const Value& item = list.items[static_cast<size_t>(place)];
      !item.as<Scalar>() && !item.as<Array>() && !item.as<NoneValue>())
    return false;
  const ast::Function& fn = *frame().function;
  const auto* name = s->base.as<ast::Name>();
  const auto isOfCaller = [&](const ast::Parameter& p) { return p.name == name->id; };
  if (name && (frame().names[name->id].assignments == 0 || frame().names[name->id].isCaptured ||
               std::ranges::any_of(fn.params, isOfCaller)))
    return false;
  if (!name && !s->base.is<ast::Attribute>()) return false;
  std::set<std::string> holders; // a field has one name in all calls
  for (const Frame& f : frames_)
    for (const auto& [holder, value] : f.env)
      if (holdsList(value, Value{list})) holders.insert(holder);
  if (holders.size() != 1 || Aliases(s->base).areIn(fn.body)) return false;
  if (!listStates_.replaced.insert(target->span.begin).second) return false;
  return listStates_.haveChanged = true;
}

} // namespace appyc::sema
