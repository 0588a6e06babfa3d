//===- SpelledTexts.cpp - texts that loops add to are lists of characters ---------------------------------===//
//   s = ""                       s = []
//   for k in codes:         =>   for k in codes:
//     s += chr(k)                  s.append(chr(k))
//   return s                     return the text of s
// Done on the syntax tree of functions that are not translated without, for names that are bound in no other way. What reads
// such a name gets the text as it is then.
#include "Lowering.h"
#include "RenamedNames.h"

namespace appyc::sema {

namespace {
using ast::Body;
using ast::Stmt;

/// Methods of such lists, no names of Python's.
constexpr const char *kSpell = "spell()", *kSpellBefore = "spell before()", *kText = "text()";

const std::string* nameIn(const ast::Expr& e) {
  const auto* n = e.as<ast::Name>();
  return n ? &n->id : nullptr;
}
/// What the assignment adds to the text behind, or before, that the name is; no expression: it does something else.
struct Addition {
  ast::Expr what;
  bool isBefore = false;
};
Addition additionTo(const std::string& name, const ast::Expr& value) {
  const auto* sum = value.as<ast::Binary>();
  if (!sum || sum->op != ast::BinaryOp::Add) return {};
  const auto isIt = [&](const ast::Expr& e) { return nameIn(e) && *nameIn(e) == name; };
  if (isIt(sum->rhs) && !namesIn(sum->lhs).count(name)) return {sum->lhs, true};
  if (namesIn(sum->rhs).count(name)) return {};
  if (isIt(sum->lhs)) return {sum->rhs};
  const Addition inner = additionTo(name, sum->lhs); // `s + a + b`
  if (!inner.what || inner.isBefore) return {};
  return {ast::make(value->span, ast::Binary{ast::BinaryOp::Add, inner.what, sum->rhs})};
}

/// The one name that `name = ..` or `name += ..` binds; null for all else.
const std::string* nameBoundBy(const Stmt& s) {
  const auto* a = s.as<ast::Assign>();
  if (a && a->targets.size() == 1) return nameIn(a->targets[0]);
  const auto* g = s.as<ast::AugAssign>();
  return g ? nameIn(g->target) : nullptr;
}

/// How the names of a function are bound.
class Bindings {
public:
  explicit Bindings(const ast::Function& fn) {
    for (const ast::Parameter& p : fn.params) others_.insert(p.name);
    for (const auto& [name, facts] : scanNames(fn))
      if (facts.isCaptured || facts.isStored) others_.insert(name);
    look(fn.body, false);
  }
  std::set<std::string> spelled() const {
    std::set<std::string> found;
    for (const std::string& name : added_)
      if (begun_.count(name) && !others_.count(name)) found.insert(name);
    for (size_t before = SIZE_MAX; before != found.size();) {
      before = found.size();
      for (const auto& [name, from] : copies_)
        if (found.count(from) && !others_.count(name)) found.insert(name);
    }
    return found;
  }

private:
  void look(const Body& body, bool isInLoop) {
    for (const Stmt& s : body) {
      const auto* a = s.as<ast::Assign>();
      const auto* g = s.as<ast::AugAssign>();
      const std::string* name = nameBoundBy(s);
      if (name && a && a->value.is<ast::StringLit>()) {
        begun_.insert(*name);
      } else if (name && ((g && g->op == ast::BinaryOp::Add) || (a && additionTo(*name, a->value).what))) {
        if (isInLoop) added_.insert(*name);
      } else if (name && a && nameIn(a->value)) {
        copies_.emplace_back(*name, *nameIn(a->value));
      } else if (const auto* i = s.as<ast::If>()) {
        look(i->then, isInLoop), look(i->otherwise, isInLoop);
      } else if (const auto* f = s.as<ast::For>()) {
        others_.merge(assignedNames({ast::makeStmt(s->span, ast::Assign{{f->target}, f->iter, {}})}));
        const std::set<std::string> bound = assignedNames(f->body);
        for (const std::string& read : namesIn(f->iter)) // which the loop would see change
          if (bound.count(read)) others_.insert(read);
        look(f->body, true), look(f->otherwise, isInLoop);
      } else if (const auto* w = s.as<ast::While>()) {
        look(w->body, true), look(w->otherwise, isInLoop);
      } else {
        others_.merge(assignedNames({s}));
      }
    }
  }
  std::set<std::string> begun_, added_, others_;
  std::vector<std::pair<std::string, std::string>> copies_; ///< names that are bound to what another one is
};

ast::Expr called(const std::string& name, const char* method, std::vector<ast::Expr> args, Span where) {
  const ast::Expr callee = ast::make(where, ast::Attribute{ast::make(where, ast::Name{name}), method});
  return ast::make(where, ast::Call{callee, std::move(args), {}});
}

/// The statements that bind the names, as ones of lists, which are called otherwise.
Body asLists(const Body& body, const std::set<std::string>& names, const std::string& mark) {
  Body out;
  for (const Stmt& s : body) {
    const auto* a = s.as<ast::Assign>();
    const auto* g = s.as<ast::AugAssign>();
    const std::string* name = nameBoundBy(s);
    if (name && names.count(*name)) {
      const auto* text = a ? a->value.as<ast::StringLit>() : nullptr;
      if (text) {
        ast::List all;
        for (const Value& c : charactersOf(StringValue{text->value}).items)
          all.items.push_back(ast::make(a->value->span, ast::StringLit{c.as<StringValue>()->text}));
        out.push_back(
            ast::makeStmt(s->span, ast::Assign{a->targets, ast::make(a->value->span, std::move(all)), {}}));
        continue;
      }
      if (a && nameIn(a->value)) { // read before it gets another list
        const ast::Expr copy = ast::make(s->span, ast::Name{"copy of " + *name});
        out.push_back(ast::makeStmt(s->span, ast::Assign{{copy}, a->value, {}}));
        out.push_back(
            ast::makeStmt(s->span, ast::Assign{a->targets, ast::make(a->value->span, ast::List{}), {}}));
        out.push_back(ast::makeStmt(s->span, ast::ExprStmt{called(mark + *name, kSpell, {copy}, s->span)}));
        continue;
      }
      const Addition more = g ? Addition{g->value} : additionTo(*name, a->value);
      std::vector<ast::Expr> parts{more.what}; // `s += a + b`, unless a part asks for the text as it was
      while (!namesIn(more.what).count(*name)) {
        const auto* sum = parts[0].as<ast::Binary>();
        if (!sum || sum->op != ast::BinaryOp::Add) break;
        parts.insert(parts.begin() + 1, sum->rhs);
        parts[0] = sum->lhs;
      }
      if (more.isBefore) std::reverse(parts.begin(), parts.end());
      for (const ast::Expr& part : parts)
        out.push_back(ast::makeStmt(
            s->span,
            ast::ExprStmt{called(mark + *name, more.isBefore ? kSpellBefore : kSpell, {part}, s->span)}));
    } else if (const auto* i = s.as<ast::If>()) {
      out.push_back(ast::makeStmt(
          s->span, ast::If{i->cond, asLists(i->then, names, mark), asLists(i->otherwise, names, mark)}));
    } else if (const auto* f = s.as<ast::For>()) {
      ast::For loop = *f;
      loop.body = asLists(f->body, names, mark), loop.otherwise = asLists(f->otherwise, names, mark);
      out.push_back(ast::makeStmt(s->span, std::move(loop)));
    } else if (const auto* w = s.as<ast::While>()) {
      ast::While loop = *w;
      loop.body = asLists(w->body, names, mark), loop.otherwise = asLists(w->otherwise, names, mark);
      out.push_back(ast::makeStmt(s->span, std::move(loop)));
    } else {
      out.push_back(s);
    }
  }
  return out;
}
} // namespace

bool isOfSpelledText(const std::string& method) {
  return method == kSpell || method == kSpellBefore || method == kText;
}
bool spells(const std::string& method) { return method == kSpell || method == kSpellBefore; }

bool mayBeSpelled(const ast::Function& fn) { return !Bindings(fn).spelled().empty(); }

const ast::Function& Lowering::withSpelledTexts(const ast::Function& fn) {
  if (!listStates_.isSpelled) return fn;
  const auto [low, high] = listStates_.spelled.equal_range(fn.nameSpan.begin);
  for (auto it = low; it != high; ++it)
    if (it->second.first == fn.body) return *it->second.second;
  ast::Function other = fn;
  const std::set<std::string> names = Bindings(fn).spelled();
  if (!names.empty()) {
    const std::string mark = "list of ";
    NamePlaces places{{}, 0, 0, {}, {}, true};
    std::map<std::string, std::string> own;
    for (const std::string& name : names) places.asked[name] = kText, own[mark + name] = name;
    other.body = withNames(asLists(fn.body, names, mark), {}, own, places);
  }
  const auto made = std::make_shared<const ast::Function>(std::move(other));
  return *listStates_.spelled.insert({fn.nameSpan.begin, {fn.body, made}})->second.second;
}

/// The methods of such lists.
Value Lowering::callSpelled(const Value& self, const std::string& name, const Arguments& args) {
  if (becomesCharacters()) return Value{};
  const auto* known = self.as<TupleValue>();
  const auto* list = self.as<ListValue>();
  const bool isUntold = list ? !list->like || !isStoredText(*list->like) || list->fields.empty()
                             : known && known->items.empty();
  if (name == kText && isUntold) { // nothing is put into it, or not yet
    ListValue none;
    none.values = emptyArray(DType::I64);
    none.values.shape = {ir::intConst(0)};
    none.values = materialize(none.values, "text");
    none.isWeak = true;
    return charactersOfNumbers(none, characterOf(ir::intConst(0)));
  }
  if (name == kText && known) {
    std::string all;
    for (const Value& c : known->items) {
      if (!c.as<StringValue>())
        return error(DiagId::Unsupported, args.where,
                     "this text is one of characters that differ from path to path");
      all += c.as<StringValue>()->text;
    }
    return Value{StringValue{all}};
  }
  if (name == kText && list) {
    ListValue now = list->fields[0]; // as it is now
    now.values = elementsOf(now);
    now.length = Symbol();
    now.values.shape = {stable(itemsIn(*list).e)};
    return charactersOfNumbers(now, *list->like);
  }
  const Value& v = args.positional[0];
  const bool isBefore = name == kSpellBefore && !(list && !list->like); // nothing is known to be in it yet
  const auto add = [&](const Value& c) {
    Arguments one{{c}, {}, args.where};
    if (isBefore) one.positional.insert(one.positional.begin(), Value{Scalar{ir::intConst(0), true}});
    return callListMethod(self, isBefore ? "insert" : "append", one);
  };
  if (v.isError()) return v;
  if (const auto* text = v.as<StringValue>()) {
    std::vector<Value> all = charactersOf(*text).items;
    if (isBefore) std::reverse(all.begin(), all.end());
    for (const Value& c : all)
      if (const Value done = add(c); done.isError()) return done;
    return Value{NoneValue{}};
  }
  const bool isOneCharacter =
      isStoredText(v) && listStates_.texts.empty() &&
      std::ranges::none_of(out_.taken, [](const ir::Taken& t) { return t.form.type == "text"; });
  if (isOneCharacter) return add(v);
  if (const auto* text = v.as<CharactersValue>(); text && !isBefore)
    return callListMethod(self, "extend", {{Value{text->characters}}, {}, args.where});
  const std::string own = "spelled text", of = "spelled list", one = "spelled character";
  const auto name_ = [&](const std::string& id) { return ast::make(args.where, ast::Name{id}); };
  const auto call = [&](ast::Expr callee, std::vector<ast::Expr> given) {
    return ast::make(args.where, ast::Call{std::move(callee), std::move(given), {}});
  };
  const auto method = [&](const ast::Expr& c) {
    return ast::makeStmt(args.where,
                         ast::ExprStmt{called(of, isBefore ? kSpellBefore : kSpell, {c}, args.where)});
  };
  env()[own] = v, env()[of] = self;
  Body body;
  if (isStoredText(v) &&
      std::ranges::none_of(out_.taken, [](const ir::Taken& t) { return t.form.type == "text"; })) {
    const ast::Expr put = called(of, isBefore ? "insert" : "append", {name_(own)}, args.where);
    if (isBefore)
      return error(DiagId::Unsupported, args.where,
                   "texts of which the run tells which they are stand behind others here");
    body = {ast::makeStmt(args.where, ast::ExprStmt{put})};
    for (const std::string& text : listStates_.texts) {
      const ast::Expr constant = ast::make(args.where, ast::StringLit{text});
      const ast::Expr is = ast::make(args.where, ast::Compare{{name_(own), constant}, {ast::CompareOp::Eq}});
      body = {ast::makeStmt(args.where, ast::If{is, {method(constant)}, std::move(body)})};
    }
  } else if (wholeOf(v) || v.as<DigitsValue>()) {
    const ast::Expr digit = call(name_("int"), {name_(one)});
    const ast::Expr code = ast::make(
        args.where, ast::Binary{ast::BinaryOp::Add, digit, ast::make(args.where, ast::IntLit{'0'})});
    env()["chr()"] = Value{Callable{"chr"}}, env()["int()"] = Value{TypeValue{DType::I64, true}};
    if (isBefore) return error(DiagId::Unsupported, args.where, "digits stand behind others here");
    ast::For loop;
    loop.target = name_(one), loop.iter = name_(own);
    loop.body = {method(call(name_("chr()"), {code}))};
    body = {ast::makeStmt(args.where, std::move(loop))};
  } else {
    return error(
        DiagId::Unsupported, args.where,
        fmt::format(
            "a text that loops add to is made of characters and whole numbers' texts here, not of {}; "
            "print its parts, or return a list of them",
            describe(v)));
  }
  lowerStatements(body, 0);
  for (const std::string& hidden : {own, of, one}) env().erase(hidden);
  return Value{NoneValue{}};
}

} // namespace appyc::sema
