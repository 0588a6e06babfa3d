//===- BindRepeated.cpp - what a function says twice gets a name ------------------------------------------===//
// The compiler computes it once in any case; a reader has to compare. Products are left alone: their factors may be too
// large where a condition around them does not hold.
#include "appyc/Cxx/BindRepeated.h"
#include "appyc/Cxx/Dsl.h"
#include <algorithm>
#include <cctype>
#include <concepts>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <variant>

namespace appyc::cxx {

namespace {

using Names = std::set<std::string>;
using ExprMap = std::function<Expr(const Expr&)>;
using StmtMap = std::function<Stmt(const Stmt&)>;

//===--- walking ----------------------------------------------------------------------------------------===//

template <class T, class Node>
concept Is = std::same_as<std::remove_const_t<T>, Node>;

/// `f` of each expression and statement right in a node, const or not, in the order of the text.
template <class Node, class F> void eachPart(Node& node, const F& f) {
  const auto one = [&](auto& part) {
    if (part) f(part);
  };
  const auto all = [&](auto&... parts) { (one(parts), ...); };
  const auto list = [&](auto& parts) { std::ranges::for_each(parts, one); };
  std::visit(Overloaded{[](Is<Atom> auto&) {},
                        [&](Is<Unary> auto& n) { all(n.arg); },
                        [&](Is<Binary> auto& n) { all(n.lhs, n.rhs); },
                        [&](Is<Ternary> auto& n) { all(n.cond, n.then, n.otherwise); },
                        [&](Is<Call> auto& n) { all(n.callee), list(n.args); },
                        [&](Is<Index> auto& n) { all(n.base, n.index); },
                        [&](Is<Member> auto& n) { all(n.base); },
                        [&](Is<Cast> auto& n) { all(n.arg); },
                        [&](Is<Braces> auto& n) { list(n.items); },
                        [&](Is<Launch> auto& n) { all(n.kernel), list(n.config), list(n.args); },
                        [&](Is<Declare> auto& n) { all(n.init), list(n.construct); },
                        [&](Is<Assign> auto& n) { all(n.target, n.value); },
                        [&](Is<Evaluate> auto& n) { all(n.value); },
                        [&](Is<If> auto& n) { all(n.init, n.cond, n.then, n.otherwise); },
                        [&](Is<For> auto& n) { all(n.init, n.cond, n.step, n.body); },
                        [&](Is<While> auto& n) { all(n.cond, n.body); },
                        [&](Is<Return> auto& n) { all(n.value); },
                        [&](Is<Block> auto& n) { list(n.body); },
                        [](Is<Comment> auto&) {},
                        [](Is<Pragma> auto&) {},
                        [&](Is<Lambda> auto& n) { all(n.call, n.body); },
                        [&](Is<Try> auto& n) { all(n.body, n.handler); }},
             node.node);
}

/// With `map` of each part; the same where that changes none.
template <class Node, class Map> Ref<Node> mapEach(const Ref<Node>& of, const Map& map) {
  Node node = *of;
  bool isNew = false;
  eachPart(node, [&](auto& part) {
    auto next = map(part);
    isNew |= !(next == part);
    part = std::move(next);
  });
  return isNew ? Ref<Node>(std::make_shared<const Node>(std::move(node))) : of;
}
Expr mapParts(const Expr& e, const ExprMap& map) { return mapEach(e, map); }
/// With `map` of each expression of its own, and `in` of each statement right in it.
Stmt mapParts(const Stmt& s, const ExprMap& map, const StmtMap& in) {
  return mapEach(
      s, Overloaded{[&](const Expr& e) { return map(e); }, [&](const Stmt& part) { return in(part); }});
}

void visit(const Expr& e, const std::function<void(const Expr&)>& f) {
  f(e);
  eachPart(*e, [&](const Expr& part) { visit(part, f); });
}
/// All statements, and all expressions with their parts.
void visit(const Stmt& s, const std::function<void(const Stmt&)>& ofStmt,
           const std::function<void(const Expr&)>& ofExpr) {
  if (ofStmt) ofStmt(s);
  eachPart(*s, Overloaded{[&](const Expr& e) {
                            if (ofExpr) visit(e, ofExpr);
                          },
                          [&](const Stmt& part) { visit(part, ofStmt, ofExpr); }});
}

std::vector<Stmt> listOf(const Stmt& s) {
  const auto* block = s.as<Block>();
  return block ? block->body : std::vector<Stmt>{s};
}

//===--- names ------------------------------------------------------------------------------------------===//

std::string nameOf(const Expr& e) {
  const auto* atom = e.as<Atom>();
  return atom && !atom->text.empty() && std::isalpha(static_cast<unsigned char>(atom->text[0])) ? atom->text
                                                                                                : "";
}

std::multiset<std::string> declaredIn(const std::vector<Stmt>& body) {
  std::multiset<std::string> names;
  for (const Stmt& s : body)
    visit(
        s,
        [&](const Stmt& part) {
          if (const auto* d = part.as<Declare>()) names.insert(d->name);
          if (const auto* lambda = part.as<Lambda>())
            names.insert({lambda->name, lambda->parameter.substr(lambda->parameter.rfind(' ') + 1)});
        },
        nullptr);
  return names;
}

/// What is set after it is declared. The index of a loop, which its step sets, is the same in all of the loop's body.
Names changedIn(const Stmt& body) {
  Names names;
  const std::function<void(const Stmt&)> look = [&](const Stmt& s) {
    if (const auto* a = s.as<Assign>()) names.insert(nameOf(a->target));
    const auto* loop = s.as<For>();
    eachPart(*s, Overloaded{[&](const Expr& whole) {
                              visit(whole, [&](const Expr& e) {
                                if (const auto* u = e.as<Unary>();
                                    u && (u->op == "++" || u->op == "--" || u->op == "&"))
                                  names.insert(nameOf(u->arg));
                                if (const auto* call = e.as<Call>();
                                    call && nameOf(call->callee) == "std::swap")
                                  for (const Expr& arg : call->args) names.insert(nameOf(arg));
                              });
                            },
                            [&](const Stmt& part) {
                              if (!loop || !(part == loop->step)) look(part);
                            }});
  };
  look(body);
  return names;
}

//===--- what gets a name -------------------------------------------------------------------------------===//

class Binder {
public:
  Binder(const Function& function, const Names& taken) : taken_(taken), changed_(changedIn(function.body)) {
    for (const Parameter& p : function.params) parameters_.insert(p.name);
    taken_.insert(parameters_.begin(), parameters_.end());
    taken_.insert(function.name);
    visit(function.body, nullptr, [&](const Expr& e) { taken_.insert(nameOf(e)); });
    for (const std::string& name : declaredIn({function.body})) taken_.insert(name);
  }

  Stmt inside(const Stmt& s, const Names& available) {
    std::vector<Stmt> body = listOf(s);
    while (bindOne(body, available)) {
    }
    Names known = available;
    for (Stmt& part : body) {
      part = in(part, known);
      if (const auto* d = part.as<Declare>()) known.insert(d->name);
    }
    if (body.size() == 1 && !s.is<Block>()) return body.front();
    return Stmt(std::make_shared<const StmtNode>(StmtNode{Block{std::move(body)}, s->sourceLine}));
  }
  const Names& parameters() const { return parameters_; }

  /// With names in the order of the text.
  Stmt named(const Stmt& s) {
    std::map<std::string, std::string> names;
    visit(
        s,
        [&](const Stmt& part) {
          const auto* d = part.as<Declare>();
          if (const size_t end = d ? d->name.find('#') : std::string::npos; end != std::string::npos)
            names.emplace(d->name, freshName(d->name.substr(0, end)));
        },
        nullptr);
    const ExprMap rename = [&](const Expr& e) -> Expr {
      const auto found = names.find(nameOf(e));
      return found == names.end() ? mapParts(e, rename) : name(found->second);
    };
    const StmtMap renameIn = [&](const Stmt& part) -> Stmt {
      const auto* d = part.as<Declare>();
      const auto found = d ? names.find(d->name) : names.end();
      if (found == names.end()) return mapParts(part, rename, renameIn);
      return declare(d->type, found->second, rename(d->init));
    };
    return names.empty() ? s : renameIn(s);
  }

private:
  struct Found {
    Expr value;
    size_t first = 0, count = 0;
  };

  Stmt in(const Stmt& s, Names known) {
    if (const auto* n = s.as<If>(); n && n->init) known.insert(n->init.as<Declare>()->name);
    if (const auto* n = s.as<For>(); n && n->init) known.insert(n->init.as<Declare>()->name);
    const auto* loop = s.as<For>();
    const auto* branch = s.as<If>();
    return mapParts(
        s, [](const Expr& e) { return e; },
        [&](const Stmt& part) {
          const bool isHead = (loop && !(part == loop->body)) || (branch && part == branch->init);
          const bool isChain = branch && part == branch->otherwise && part.is<If>();
          return isHead ? part : isChain ? in(part, known) : inside(part, known);
        });
  }

  /// The text of an expression that may be bound, with its names; nothing for others.
  struct Text {
    std::string key;
    Names names;
    bool chooses = false;
  };
  const std::optional<Text>& textOf(const Expr& e) {
    if (const auto known = texts_.find(e.get()); known != texts_.end()) return known->second;
    alive_.push_back(e);
    return texts_[e.get()] = makeText(e);
  }
  static bool isPositive(const Expr& e) { // a number
    const auto* atom = e.as<Atom>();
    return atom && std::isdigit(static_cast<unsigned char>(atom->text[0])) && atom->text != "0";
  }
  static bool isTest(const Expr& e) {
    const auto* n = e.as<Binary>();
    return e.is<Unary>() || (n && n->op != "+" && n->op != "-" && n->op != "/" && n->op != "%");
  }
  std::optional<Text> makeText(const Expr& e) {
    Text text;
    const auto add = [&](const std::string& head, const std::vector<Expr>& parts) {
      text.key = head + "(";
      for (const Expr& part : parts) {
        const std::optional<Text>& inner = textOf(part);
        if (!inner) return false;
        text.key += inner->key + ",";
        text.names.insert(inner->names.begin(), inner->names.end());
        text.chooses |= inner->chooses;
      }
      text.key += ")";
      return true;
    };
    if (const auto* atom = e.as<Atom>()) {
      text.key = atom->text;
      if (!nameOf(e).empty()) text.names.insert(atom->text);
      return text;
    }
    bool isFit = false;
    if (const auto* n = e.as<Unary>()) isFit = (n->op == "-" || n->op == "!") && add(n->op, {n->arg});
    if (const auto* n = e.as<Binary>()) {
      const bool isProduct = n->op == "*" || n->op == "<<" || n->op == ">>";
      const bool mayFail = (n->op == "/" || n->op == "%") && !isPositive(n->rhs);
      isFit = !isProduct && !mayFail && add(n->op, {n->lhs, n->rhs});
    }
    if (const auto* n = e.as<Cast>()) isFit = add(n->type, {n->arg});
    if (const auto* n = e.as<Ternary>()) {
      isFit = add("?", {n->cond, n->then, n->otherwise});
      text.chooses = true;
    }
    if (const auto* n = e.as<Call>()) {
      const std::string callee = nameOf(n->callee), function = callee.substr(0, callee.find('<'));
      const bool isChoice = function == "minimum" || function == "maximum";
      isFit = (isChoice || function == "wrap_add" || function == "wrap_sub" || function == "wrap_mul") &&
              add(callee, n->args);
      isFit |= (function == "ceil_div" || function == "floor_div") && isPositive(n->args.back()) &&
               add(callee, n->args);
      text.chooses |= isChoice;
    }
    return isFit ? std::optional(text) : std::nullopt;
  }

  /// Binds the expression for which that saves most.
  bool bindOne(std::vector<Stmt>& body, const Names& available) {
    constexpr size_t shortest = 24, enough = 80, least = 16; // characters that are worth a name
    const std::multiset<std::string> declared = declaredIn(body);
    Names here = available;
    for (const Stmt& s : body)
      if (const auto* d = s.as<Declare>()) here.insert(d->name);
    const auto isFixed = [&](const std::string& name) {
      return here.count(name) && !changed_.count(name) &&
             declared.count(name) == (available.count(name) ? 0u : 1u);
    };
    std::map<std::string, Found> found;
    std::set<const ExprNode*> isNamed; // whole, by a declaration
    for (size_t i = 0; i < body.size(); ++i)
      visit(
          body[i],
          [&](const Stmt& s) {
            if (const auto* d = s.as<Declare>(); d && d->type.isConst) isNamed.insert(d->init.get());
          },
          [&](const Expr& e) {
            const std::optional<Text>& text = textOf(e);
            if (!text || !text->chooses || text->key.size() < least || isNamed.count(e.get()) || isTest(e) ||
                !std::all_of(text->names.begin(), text->names.end(), isFixed))
              return;
            Found& f = found[text->key];
            if (f.count++ == 0) f.value = e, f.first = i;
          });
    const auto saved = [](const auto& f) { return f.first.size() * (f.second.count - 1); };
    const auto best = std::max_element(found.begin(), found.end(),
                                       [&](const auto& a, const auto& b) { return saved(a) < saved(b); });
    if (best == found.end() || best->second.count < 2 ||
        (best->first.size() < shortest && saved(*best) < enough))
      return false;
    const Names& names = textOf(best->second.value)->names;
    const bool isExtent = std::ranges::all_of(
        names, [&](const std::string& n) { return parameters_.count(n) || n.starts_with("extent#"); });
    const std::string bound =
        fmt::format("{}#{}", isExtent ? "extent" : "at", ++count_); // until all are known
    const ExprMap replace = [&](const Expr& e) -> Expr {
      const std::optional<Text>& text = textOf(e);
      return text && text->key == best->first ? name(bound) : mapParts(e, replace);
    };
    const StmtMap replaceIn = [&](const Stmt& s) { return mapParts(s, replace, replaceIn); };
    size_t at = best->second.first;
    for (size_t i = at; i < body.size(); ++i) body[i] = replaceIn(body[i]);
    while (at > 0 && (body[at - 1].is<Comment>() || body[at - 1].is<Pragma>())) --at;
    body.insert(body.begin() + static_cast<std::ptrdiff_t>(at),
                declare(constType("auto"), bound, best->second.value));
    return true;
  }

  std::string freshName(const std::string& hint) {
    std::string name = hint;
    for (int i = 1; !taken_.insert(name).second; ++i) name = fmt::format("{}_{}", hint, i);
    return name;
  }

  Names taken_, changed_, parameters_;
  int count_ = 0;
  std::unordered_map<const ExprNode*, std::optional<Text>> texts_;
  std::vector<Expr> alive_; ///< whose texts are known
};

} // namespace

Function bindRepeated(const Function& function, const Names& taken) {
  Binder binder(function, taken);
  Function result = function;
  result.body = binder.named(binder.inside(function.body, binder.parameters()));
  return result;
}

} // namespace appyc::cxx
