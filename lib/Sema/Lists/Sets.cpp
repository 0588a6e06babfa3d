//===- Sets.cpp - sets: lists whose items stand in order, each once ------------------------------------------===//
// What Python says of a set does not follow from its order: what is in it, how many, the least, the sum. In which order it
// is run over follows from hashes: whole numbers that are less than the places of CPython's table, as labels and digits are,
// stand there by their size, which the call makes sure of. Others are refused.
#include "Arguments.h"
#include "Lowering.h"

namespace appyc::sema {

bool isSet(const Value& v) {
  const auto* t = v.as<TupleValue>();
  const auto* l = v.as<ListValue>();
  return (t && t->isSet) || (l && l->isSet);
}

/// As the list that it is.
static Value listOfSet(Value v, bool isSet = false) {
  if (auto* t = std::get_if<TupleValue>(&v.v)) t->isSet = isSet;
  if (auto* l = std::get_if<ListValue>(&v.v)) l->isSet = isSet;
  return v;
}

/// Where something else is meant. Reports it.
bool Lowering::isNoSet(const Value& v, Span where) {
  if (!isSet(v)) return true;
  error(DiagId::Unsupported, where,
        "a set has no order in which it is run over; write `sorted(s)`, which has one (`in`, `len`, `min`, "
        "`max`, "
        "`sum`, operators and `.add`, `.discard`, `.update` are translated of it)");
  return false;
}

/// The items as a loop meets them: copies, as nothing changes a set that is run over. An item that was taken out may have moved
/// others to other places.
std::optional<Value> Lowering::inHashOrder(const Value& set, Span where) {
  const auto* l = set.as<ListValue>();
  const auto* t = set.as<TupleValue>();
  if (listStates_.setsLose || (t && !std::ranges::all_of(t->items, [this](const Value& v) {
                                 return v.as<Scalar>() && constantArgument(v).has_value();
                               })))
    return std::nullopt;
  if (t ? t->items.empty() : !l->like && !stateOf(*l)) return Value{TupleValue{{}, true}};
  const std::optional<ListValue> all = l && l->like ? std::nullopt : inMemory(listOfSet(set), where);
  if (!all || !callListFunction("in_hash_order", {Value{*all}}, where).as<NoneValue>()) return std::nullopt;
  return t ? listOfSet(set) : Value{copiedList(*all)};
}

/// `set(items)`; `{1, x}` is so, too.
Value Lowering::makeSet(const Arguments& args) {
  if (!args.keywords.empty() || args.positional.size() > 1)
    return error(DiagId::TypeMismatch, args.where, "a set is made of what is in it, `set(items)`");
  if (args.positional.empty()) return listOfSet(Value{TupleValue{{}, true}}, true);
  const auto* g = args.positional[0].as<GeneratorValue>();
  const Value items = listOfSet(g ? listOfGenerator(*g) : args.positional[0]);
  if (items.isError()) return items;
  if (const auto* t = items.as<TupleValue>()) {
    const bool areTexts = std::ranges::all_of(t->items, [](const Value& v) { return v.as<StringValue>(); });
    const bool areKnown = std::ranges::all_of(
        t->items, [&](const Value& v) { return v.as<Scalar>() && constantArgument(v).has_value(); });
    TupleValue made{{}, true};
    for (const Value& item : t->items)
      if (std::ranges::none_of(made.items, [&](const Value& other) {
            return areTexts ? isSame(item, other) : constantArgument(item) == constantArgument(other);
          }))
        made.items.push_back(item);
    if (areKnown) std::ranges::sort(made.items, {}, [&](const Value& v) { return *constantArgument(v); });
    if (areTexts || areKnown) return listOfSet(Value{made}, true);
  }
  const std::optional<ListValue> all = inMemory(items, args.where);
  if (!all || callListFunction("without_nan", {Value{*all}}, args.where).isError()) return Value{};
  const std::optional<ListValue> sorted = sortedList(*all, nullptr, false, args.where);
  if (!sorted) return Value{};
  // [items[k] for k in range(len(items)) if k == 0 or items[k] != items[k - 1]]
  const Span where = args.where;
  const std::string name = unusedName("set"), place = unusedName("place");
  env()[name] = evaluatedOnce(Value{*sorted}, "set");
  const auto made = [&](auto node) { return ast::make(where, std::move(node)); };
  const auto number = [&](uint64_t n) { return made(ast::IntLit{n}); };
  const ast::Expr list = made(ast::Name{name}), k = made(ast::Name{place});
  const ast::Expr item = made(ast::Subscript{list, {k}});
  const ast::Expr before = made(ast::Subscript{list, {made(ast::Binary{ast::BinaryOp::Sub, k, number(1)})}});
  const ast::Expr isNew =
      made(ast::BoolExpr{ast::BoolOp::Or, made(ast::Compare{{k, number(0)}, {ast::CompareOp::Eq}}),
                         made(ast::Compare{{item, before}, {ast::CompareOp::Ne}})});
  const Expr one = ir::intConst(1);
  const Value found = storedList({item, {{k, list, {isNew}}}, true},
                                 Value{RangeValue{ir::intConst(0), stable(itemsIn(*sorted).e), one}}, where);
  forgetName(name);
  return found.isError() ? found : listOfSet(found, true);
}

bool asksNoOrder(const std::string& path) {
  static const std::set<std::string> kNames = {"len", "sorted", "min", "max",  "sum",
                                               "any", "all",    "set", "bool", "frozenset"};
  return kNames.count(path) > 0;
}

/// What asks nothing of its order; by a key it does of equals, of which there are none then.
Value Lowering::callOnSets(const std::string& path, const Arguments& args) {
  Arguments given = args;
  for (Value& v : given.positional) {
    if (const std::optional<Value> items =
            isSet(v) && !asksNoOrder(path) && path.find('.') == std::string::npos ? inHashOrder(v, args.where)
                                                                                  : std::nullopt)
      v = *items;
    if (!asksNoOrder(path) && !isNoSet(v, args.where)) return Value{};
    v = listOfSet(v);
  }
  for (const auto& [name, key] : args.keywords) {
    if (name != "key" || key.as<NoneValue>()) continue;
    const std::optional<ListValue> all = inMemory(given.positional[0], args.where);
    const std::optional<ListValue> keys = all ? keysOf(Value{*all}, &key, args.where) : std::nullopt;
    if (!keys) return Value{};
    const Value most{Scalar{ir::boolConst(path == "max"), true}};
    if (path == "sorted" ? callListFunction("apart", {Value{*keys}}, args.where).isError()
                         : callListFunction("alone", {Value{*keys}, most}, args.where).isError())
      return Value{};
  }
  return callNamed(path, given);
}

//===--- of two sets -------------------------------------------------------------------------------------------===//

/// Items are taken out of some set: the function is lowered once more if one has been run over.
void Lowering::noteLoss() { listStates_.haveChanged |= !std::exchange(listStates_.setsLose, true); }

/// Which of those that are in the first alone, in both, in the second alone.
static const std::map<std::string, std::array<bool, 3>> kJoined = {
    {"union", {true, true, true}},
    {"intersection", {false, true, false}},
    {"difference", {true, false, false}},
    {"symmetric_difference", {true, false, true}}};

Value Lowering::joinedSets(const std::string& how, const Value& a, const Value& b, Span where) {
  const std::array<bool, 3>& which = kJoined.at(how);
  if (how.ends_with("difference")) noteLoss();
  const auto isEmpty = [&](const Value& v) {
    const auto* t = v.as<TupleValue>();
    const auto* l = v.as<ListValue>();
    return t ? t->items.empty() : l && !l->like && !stateOf(*l);
  };
  const Value none = listOfSet(Value{TupleValue{{}, true}}, true);
  if (isEmpty(a) && (isEmpty(b) || !which[2])) return none;
  if (isEmpty(b) && !which[0]) return none;
  const std::optional<ListValue> x = inMemory(listOfSet(isEmpty(a) ? b : a), where);
  const std::optional<ListValue> y = x ? inMemory(listOfSet(isEmpty(b) ? a : b), where) : std::nullopt;
  if (!y) return Value{};
  const bool isOne = isEmpty(a) || isEmpty(b); // that is joined with itself: all is in both
  Values given{Value{*x}, Value{*y}};
  for (const bool kept : isOne ? std::array<bool, 3>{true, true, true} : which)
    given.push_back(Value{Scalar{ir::boolConst(kept), true}});
  const Value found = callListFunction("joined", given, where);
  return found.isError() ? found : listOfSet(found, true);
}

/// `a | b` and its kind; none of others.
std::optional<Value> Lowering::setOperator(ast::BinaryOp op, const Value& a, const Value& b, Span where) {
  static const std::map<ast::BinaryOp, std::string> kNames = {{ast::BinaryOp::Or, "union"},
                                                              {ast::BinaryOp::And, "intersection"},
                                                              {ast::BinaryOp::Sub, "difference"},
                                                              {ast::BinaryOp::Xor, "symmetric_difference"}};
  const auto found = kNames.find(op);
  if (found == kNames.end() || !isSet(a) || !isSet(b)) return std::nullopt;
  return joinedSets(found->second, a, b, where);
}

/// `a <= b` and its kind: is one all in the other?
std::optional<Value> Lowering::compareSets(ir::BinaryOp op, const Value& a, const Value& b, Span where) {
  const bool isLess = op == ir::BinaryOp::Lt || op == ir::BinaryOp::Le;
  if (!isSet(a) || !isSet(b) || (!isLess && op != ir::BinaryOp::Gt && op != ir::BinaryOp::Ge))
    return std::nullopt;
  const auto size = [&](const Value& v) {
    const auto* l = v.as<ListValue>();
    return l ? itemsIn(*l).e : ir::intConst(static_cast<int64_t>(v.as<TupleValue>()->items.size()));
  };
  const Value both = joinedSets("intersection", a, b, where);
  if (both.isError()) return both;
  const Value &less = isLess ? a : b, &more = isLess ? b : a;
  const Expr isIn = ir::binary(ir::BinaryOp::Eq, size(both), size(less));
  if (op == ir::BinaryOp::Le || op == ir::BinaryOp::Ge) return Value{Scalar{isIn, true}};
  const Expr isSmaller = ir::binary(ir::BinaryOp::Lt, size(less), size(more));
  return Value{Scalar{ir::binary(ir::BinaryOp::LogicalAnd, isIn, isSmaller), true}};
}

std::string updateOfSet(ast::BinaryOp op) {
  static const std::map<ast::BinaryOp, std::string> kNames = {
      {ast::BinaryOp::Or, "update"},
      {ast::BinaryOp::Sub, "difference_update"},
      {ast::BinaryOp::And, "intersection_update"},
      {ast::BinaryOp::Xor, "symmetric_difference_update"}};
  const auto found = kNames.find(op);
  return found == kNames.end() ? "" : found->second;
}

Value Lowering::callSetMethod(const Value& self, const std::string& name, const Arguments& args) {
  if (isSet(self) && kJoined.count(name) && args.positional.size() == 1 && args.keywords.empty()) {
    const Value& given = args.positional[0];
    const Value other = isSet(given) ? given : makeSet(args);
    return other.isError() ? other : joinedSets(name, self, other, args.where);
  }
  if (isSet(self) && (name == "issubset" || name == "issuperset") && args.positional.size() == 1) {
    const Value other = isSet(args.positional[0]) ? args.positional[0] : makeSet(args);
    if (other.isError()) return other;
    return *compareSets(name == "issubset" ? ir::BinaryOp::Le : ir::BinaryOp::Ge, self, other, args.where);
  }
  if (isSet(self) && name == "isdisjoint" && args.positional.size() == 1 && args.keywords.empty()) {
    const Value other = isSet(args.positional[0]) ? args.positional[0] : makeSet(args);
    const Value both = other.isError() ? other : joinedSets("intersection", self, other, args.where);
    if (both.isError()) return both;
    const auto* list = both.as<ListValue>();
    const Expr count =
        list ? itemsIn(*list).e : ir::intConst(static_cast<int64_t>(both.as<TupleValue>()->items.size()));
    return Value{Scalar{ir::binary(ir::BinaryOp::Eq, count, ir::intConst(0)), true}};
  }
  if (isSet(self) && name == "copy" && args.positional.empty() && args.keywords.empty())
    return joinedSets("union", self, self, args.where);
  const bool isNone = name == "clear";
  const bool isUpdate = name.ends_with("_update"); // but for "update" itself, with what stands in order
  if (!isSet(self) ||
      (!isNone && !isUpdate && name != "add" && name != "discard" && name != "update" && name != "remove"))
    return isNoSet(self, args.where)
               ? error(DiagId::TypeMismatch, args.where, fmt::format("`.{}` is no method of a list", name))
               : Value{};
  if (!args.keywords.empty() || args.positional.size() != !isNone)
    return error(DiagId::Unsupported, args.where,
                 fmt::format("`.{}` of a set takes {} here", name, isNone ? "no argument" : "one value"));
  if (name == "discard" || name == "remove" || name.ends_with("difference_update")) noteLoss();
  const Value list = listOfSet(self);
  const auto* l = list.as<ListValue>();
  if (!l)
    return error(
        DiagId::Unsupported, args.where,
        "this set has several names, or stands in another value; give it one name first, `s = set()`");
  if (isNone) return callListMethod(list, name, args);
  if (!mayGrow(*l, args.where)) return Value{};
  const Value other = isUpdate && !isSet(args.positional[0]) ? makeSet(args) : args.positional[0];
  if (other.isError()) return other;
  const auto* row = other.as<ListValue>(); // perhaps the very set that changes
  const Value given = row && row->row ? Value{copiedList(*row)} : isSet(other) ? listOfSet(other) : other;
  return callListFunction(name == "remove" ? "take_out" : name, {list, given}, args.where);
}

} // namespace appyc::sema
