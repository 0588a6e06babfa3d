//===- Entry.cpp - parts of extern "C" entries that both targets share ----------------------------------===//
#include "Expressions.h"
#include "Functions.h"
#include "Placement.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/Cxx/Print.h"
#include "appyc/IR/Build.h"
#include "appyc/Support/InternalError.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <set>

namespace appyc::target {

using namespace ir;

Entry::Entry(Context& c) : c_(c), indexType_(c.indexType), width_(c.width), recorder_(c.used) {
  c_.indexType = "int64_t";
  c_.width = Width::Int64;
  c_.used = &used;
}

Entry::~Entry() {
  c_.indexType = indexType_;
  c_.width = width_;
  c_.used = recorder_;
}

static void addFactors(const Expr& e, std::vector<Expr>& factors) {
  const auto* b = e.as<Binary>();
  if (!b || b->op != BinaryOp::Mul) return factors.push_back(e);
  addFactors(b->lhs, factors);
  addFactors(b->rhs, factors);
}

std::vector<cxx::Expr> Entry::factors(const Expr& count) {
  std::vector<Expr> all;
  addFactors(count, all);
  std::vector<cxx::Expr> items;
  for (const Expr& f : all) items.push_back(Expressions(c_).index(f));
  return items;
}

cxx::Expr Entry::elements(const Expr& count) {
  std::vector<cxx::Expr> items = factors(count);
  if (items.size() == 1) return items.front();
  c_.support.use("elements");
  return cxx::call("elements", {cxx::braces("", std::move(items))});
}

void Entry::checkOverlap(std::vector<cxx::Stmt>& out) {
  if (c_.function.ofLaunch > 0) return; // it is the user's, who may pass one array twice
  if (c_.isVersion) return;             // they have been looked at
  const auto isWritten = [](const CParam& p) {
    return p.role == CParam::ArrayInOut || p.role == CParam::ResultArray;
  };
  std::vector<CParam> params = entryParams(c_.function, c_.cuda);
  params.erase(std::remove_if(params.begin(), params.end(),
                              [&](const CParam& p) { return !isWritten(p) && p.role != CParam::ArrayIn; }),
               params.end());
  if (params.size() < 2 || std::none_of(params.begin(), params.end(), isWritten)) return;
  const auto countOf = [&](const CParam& p) { // in any version
    for (const Result& r : c_.function.results)
      if (r.kind == Result::Array && r.name == p.symbol && !c_.function.versions.empty())
        return elementCount({p.symbol, p.type, r.extents});
    return elementCount(c_.buffer(p.symbol));
  };
  std::vector<cxx::Expr> rows;
  for (const CParam& p : params)
    rows.push_back(cxx::braces("", {cxx::text(p.symbol.hint()), cxx::name(c_.name(p.symbol)),
                                    cxx::braces("", factors(countOf(p)))}));
  c_.support.use("refuse_overlap");
  out.push_back(cxx::returnOnFailure(cxx::call("refuse_overlap", {cxx::braces("", std::move(rows))})));
}

void Entry::chooseVersion(const std::vector<CParam>& list, std::string_view suffix,
                          std::vector<cxx::Stmt>& out) {
  for (const Version& v : c_.function.versions) {
    const cxx::Expr holds = Expressions(c_).value(v.condition);
    std::vector<cxx::Expr> args;
    for (const CParam& p : list) args.push_back(cxx::name(parameterName(c_, p)));
    const bool isThere = suffix.empty() || mayNeedWorkspace(v.function);
    cxx::Expr given = cxx::call(v.function.entry + std::string(suffix), std::move(args));
    out.push_back(cxx::ifThen(holds, cxx::giveBack(isThere ? std::move(given) : cxx::number(0))));
  }
}

cxx::Expr Entry::shapes32() {
  std::vector<std::vector<cxx::Expr>> shapes;
  std::set<std::string> seen, extents; // texts of all; of those that are an extent of a larger one
  for (const Expr& e : c_.facts.checked()) {
    std::vector<cxx::Expr> shape = factors(e);
    if (shape.size() > 1)
      for (const cxx::Expr& extent : shape) extents.insert(cxx::print(extent));
    if (seen.insert(cxx::print(cxx::braces("", shape))).second) shapes.push_back(std::move(shape));
  }
  std::vector<cxx::Expr> items;
  for (std::vector<cxx::Expr>& shape : shapes)
    if (shape.size() > 1 || !extents.contains(cxx::print(shape.front())))
      items.push_back(cxx::braces("", std::move(shape)));
  return cxx::braces("", std::move(items));
}

std::vector<cxx::Parameter> Entry::params(const std::vector<CParam>& list,
                                          const std::set<Symbol>& usedSymbols, bool isRestrict) {
  std::vector<cxx::Parameter> all;
  for (const CParam& p : list) {
    // Asked first: naming a symbol notes it as used.
    const bool unused = p.symbol && p.role != CParam::ResultScalar && !usedSymbols.count(p.symbol);
    const std::string type = typeName(c_, p.type), name = parameterName(c_, p);
    switch (p.role) {
    case CParam::ArrayIn: all.push_back({cxx::pointerTo(type, true, isRestrict), name, unused}); break;
    case CParam::ArrayInOut:
    case CParam::ResultArray: all.push_back({cxx::pointerTo(type, false, isRestrict), name, unused}); break;
    case CParam::ResultScalar: all.push_back({cxx::pointerTo(type, false, false), name, false}); break;
    case CParam::Scalar:
    case CParam::Size: all.push_back({cxx::type(type), name, unused}); break;
    case CParam::Workspace: all.push_back({cxx::type("void*"), name, false}); break;
    case CParam::Stream: all.push_back({cxx::type("cudaStream_t"), name, false}); break;
    }
  }
  return all;
}

std::string parameterName(Context& c, const CParam& p) {
  if (p.role == CParam::Workspace || p.role == CParam::Stream)
    return p.role == CParam::Workspace ? "workspace" : "stream";
  return p.role == CParam::ResultScalar ? c.resultName(p) : c.name(p.symbol);
}

std::vector<Buffer> workspaceBuffers(const Context& c) {
  std::vector<Buffer> all;
  if (!c.cuda) return all;
  for (const Stmt& s : allStatementsOf(c.function.body))
    if (const auto* a = s.as<Alloc>(); a && c.facts.isKnownAtEntry(elementCount(a->buffer)))
      all.push_back(a->buffer);
  return all;
}

void keepPlaces(Context& c, std::vector<cxx::Stmt>& out) {
  for (const Result& r : c.function.results)
    for (size_t k = 0; r.kind == Result::Place && k + 1 < r.among.size(); ++k) {
      const Symbol& s = r.among[k];
      if (!c.places.emplace(s, "").second) continue;
      const std::string type = typeName(c, c.buffer(s).type), place = c.freshName(s.hint() + "_given");
      c.places[s] = place;
      out.push_back(cxx::declare(cxx::pointerTo(type, true, false), place, cxx::name(c.name(s))));
    }
}

/// `a == a_given ? 0 : 1`
static cxx::Expr placeOf(Context& c, const Result& r) {
  cxx::Expr number = cxx::number(static_cast<int64_t>(r.among.size()) - 1);
  for (size_t k = r.among.size() - 1; k-- > 0;)
    number = cxx::ternary(cxx::binary("==", cxx::name(c.name(r.of)), cxx::name(c.places.at(r.among[k]))),
                          cxx::number(static_cast<int64_t>(k)), number);
  return number;
}

void storeResults(Context& c, std::vector<cxx::Stmt>& out) {
  for (const CParam& p : entryParams(c.function, c.cuda)) {
    if (p.role != CParam::ResultScalar) continue;
    const cxx::Expr target = cxx::unary("*", cxx::name(parameterName(c, p)));
    const auto place =
        std::find_if(c.function.results.begin(), c.function.results.end(),
                     [&](const Result& r) { return r.kind == Result::Place && r.name == p.symbol; });
    out.push_back(cxx::assign(target, place == c.function.results.end() ? cxx::name(c.name(p.symbol))
                                                                        : placeOf(c, *place)));
  }
}

//===--- entries of versions, written where they are called ----------------------------------------------===//

std::set<std::string> wordsOf(const std::string& text) {
  std::set<std::string> words;
  for (size_t i = 0, end = 0; i < text.size(); i = end + 1) {
    end = i;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
      ++end;
    words.insert(text.substr(i, end - i));
  }
  return words;
}

/// Whether the call gives each parameter the variable of its name.
static bool passesNames(const cxx::Call& call, const cxx::Function& entry) {
  return std::ranges::equal(call.args, entry.params, [](const cxx::Expr& e, const cxx::Parameter& p) {
    const auto* name = e.as<cxx::Atom>();
    return name && (p.unused || name->text == p.name);
  });
}

cxx::Decl withVersions(const cxx::Decl& entry, std::vector<cxx::Decl>& versions) {
  cxx::Function function = *entry.as<cxx::Function>();
  std::vector<cxx::Stmt> body = function.body.as<cxx::Block>()->body;
  const size_t given = versions.size();
  for (cxx::Stmt& s : body) {
    const auto* choice = s.as<cxx::If>();
    const auto* result =
        choice && !choice->init && !choice->otherwise ? choice->then.as<cxx::Return>() : nullptr;
    const auto* call = result ? result->value.as<cxx::Call>() : nullptr;
    const auto* callee = call ? call->callee.as<cxx::Atom>() : nullptr;
    if (!callee) continue;
    const auto version = std::ranges::find_if(versions, [&](const cxx::Decl& d) {
      const auto& own = *d.as<cxx::Function>();
      return own.name == callee->text && passesNames(*call, own);
    });
    if (version == versions.end()) continue;
    s = cxx::ifThen(choice->cond, cxx::block({version->as<cxx::Function>()->body}));
    versions.erase(version);
  }
  if (versions.size() == given) return entry;
  while (body.size() > 1) { // a choice of what comes in any case is none
    const auto* choice = body[body.size() - 2].as<cxx::If>();
    if (!choice || !choice->then.is<cxx::Return>() || cxx::print(choice->then) != cxx::print(body.back()))
      break;
    body.erase(body.end() - 2);
  }
  function.body = cxx::stmt(cxx::Block{std::move(body)});
  const std::set<std::string> words = wordsOf(cxx::print(function.body));
  for (cxx::Parameter& p : function.params) p.unused = !words.contains(p.name);
  return cxx::decl(std::move(function));
}

} // namespace appyc::target
