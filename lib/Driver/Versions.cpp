//===- Versions.cpp - functions compiled once more for sizes that are equal -----------------------------===//
#include "Versions.h"
#include "PassRunner.h"
#include "Summary.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/Cost/ProgramTime.h"
#include "appyc/IR/Abi.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Kernels.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include "appyc/Sema/Sema.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <fmt/format.h>
#include <ranges>

namespace appyc::driver {

using namespace ir;

namespace {

using Class = std::vector<Symbol>; ///< sizes taken as equal to the first, which may be a scalar parameter

/// What a scalar says may as well be fewer than there are: calls at which they are not equal are no exceptions.
bool hasScalar(const Function& f, const Class& members) {
  return std::ranges::none_of(f.sizes, [&](const Size& s) { return s.name == members.front(); });
}

std::vector<sema::SameSize> sameSizes(const Function& f, const std::vector<Class>& classes) {
  const auto sizeOf = [&](Symbol name) {
    return std::find_if(f.sizes.begin(), f.sizes.end(), [&](const Size& s) { return s.name == name; });
  };
  const auto paramOf = [&](Symbol name) {
    const auto it =
        std::find_if(f.params.begin(), f.params.end(), [&](const Param& p) { return p.name == name; });
    return static_cast<int>(it - f.params.begin());
  };
  std::vector<sema::SameSize> all;
  for (const Class& members : classes) {
    const bool isFirstScalar = hasScalar(f, members);
    const auto first = sizeOf(members[isFirstScalar ? 1 : 0]); // is never negative, which a scalar may be
    if (isFirstScalar) all.push_back({paramOf(members.front()), -1, first->param, first->axis});
    for (size_t i = isFirstScalar ? 2 : 1; i < members.size(); ++i) {
      const auto size = sizeOf(members[i]);
      all.push_back({size->param, size->axis, first->param, first->axis});
    }
  }
  return all;
}

Expr condition(const std::vector<Class>& classes) {
  Expr all;
  for (const Class& members : classes)
    for (size_t i = 1; i < members.size(); ++i) {
      const Expr same = binary(BinaryOp::Eq, var(members[i]), var(members.front()));
      all = all ? binary(BinaryOp::LogicalAnd, all, same) : same;
    }
  return all;
}

std::string textOf(const std::vector<Class>& classes) {
  std::string text;
  for (const Class& members : classes) {
    text += text.empty() ? "" : " and ";
    for (const Symbol& s : members) text += (s == members.front() ? "" : " == ") + s.hint();
  }
  return text;
}

/// How the function's work is arranged: kernels, loops and who runs them, products, temporaries. Without
/// what is computed, with which bounds, and what is checked before.
std::string arrangement(const Function& f) {
  std::string text;
  const std::function<void(const Stmt&)> describe = [&](const Stmt& s) {
    if (const auto* product = s.as<MatMul>())
      text += fmt::format("product {} {};", product->library, product->limits.size());
    if (const auto* routine = s.as<Routine>()) text += fmt::format("{};", info(routine->name).function);
    if (const auto* kernel = s.as<Launch>())
      text += fmt::format("kernel {} {} {}", kernel->shape.block[0], kernel->shape.block[1],
                          kernel->shape.block[2]);
    const auto* loop = s.as<For>();
    if (loop && isRow(*loop)) return forEachChild(s, describe);
    if (loop)
      text += fmt::format("for {} {} {}", loop->mapping.index(), lanesOf(*loop) == Scope::Warp,
                          loop->order == Order::Serial);
    if (s.is<While>()) text += "while";
    if (s.is<Alloc>() || s.is<Barrier>() || s.is<Fetch>()) text += fmt::format("{};", s->node.index());
    const bool nests = s.is<Launch>() || loop || s.is<While>();
    text += nests ? "{" : "";
    forEachChild(s, describe);
    text += nests ? "}" : "";
  };
  describe(withBodiesInPlace(f).body);
  return text;
}

/// "2 kernels and 1 product"
std::string summary(const Function& f) {
  int kernels = 0, products = 0, serial = 0, parallel = 0;
  visit(f.body, [&](const Stmt& s) {
    kernels += s.is<Launch>();
    products += s.is<MatMul>();
    if (const auto* loop = s.as<For>(); loop && !isRow(*loop))
      ++(loop->order == Order::Serial ? serial : parallel);
    return !s.is<Launch>();
  });
  std::string text;
  const auto count = [&](int n, std::string_view what) {
    if (n > 0) text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", n, what, n == 1 ? "" : "s");
  };
  count(products, "matrix product");
  count(kernels, "kernel");
  if (kernels == 0) count(parallel, "parallel loop");
  count(serial, kernels ? "loop of the host" : "serial loop");
  return text.empty() ? "no loop" : text;
}

bool sameInterface(const Function& a, const Function& b) {
  const auto haveSameTexts = [](const Taken& x, const Taken& y) { return x.form.keys == y.form.keys; };
  if (!std::ranges::equal(a.taken, b.taken, haveSameTexts)) return false; // numbers stand for them
  const std::vector<CParam> p = entryParams(a, true), q = entryParams(b, true);
  return std::equal(p.begin(), p.end(), q.begin(), q.end(), [](const CParam& x, const CParam& y) {
    return x.role == y.role && x.type == y.type && x.name == y.name;
  });
}

/// Are open ranges, or axes of results, of one element at most where the sizes are equal? Such calls are rare: of windows
/// `x[i:i + w]`, that are as long as x.
bool leavesNothing(const Function& f, const Class& members) {
  std::map<Symbol, Expr> same;
  for (size_t i = 1; i < members.size(); ++i) same[members[i]] = var(members.front());
  const auto vanishes = [&](const Expr& count) {
    return count && !constantInt(count) &&
           constantInt(simplifiedIndex(substitute(count, same))).value_or(2) <= 1;
  };
  return any<For>(f.body, [&](const For& loop) { return vanishes(tripCount(loop)); }) ||
         std::ranges::any_of(f.results,
                             [&](const Result& r) { return std::ranges::any_of(r.extents, vanishes); });
}

class Versions {
public:
  Versions(const ast::Module& tree, const Passes& passes, const cost::Device& device, Diagnostics& diag)
      : tree_(tree), passes_(passes), device_(device), diag_(diag) {}

  Module add(const Module& tensor, Module done) {
    sema::SameSizes same;
    for (const Function& f : tensor.functions) {
      names_.insert(f.entry);
      if (!f.kernels.empty()) continue; // the user's, of which there is one each
      std::vector<Class> classes = analysis::relatedSizes(f);
      const auto isRare = [&](const Class& members) { return leavesNothing(f, members); };
      if (!classes.empty() && std::ranges::none_of(classes, isRare)) {
        same[f.entry] = sameSizes(f, classes);
        classes_[f.entry] = std::move(classes);
      }
    }
    std::map<std::string, Function> versions = lower(same), stretched = lowerStretched(tensor);
    for (size_t i = 0; i < done.functions.size(); ++i) {
      const Function& general = tensor.functions[i];
      if (classes_.count(general.entry)) {
        if (!versions.count(general.entry)) versions.merge(withPossible(general));
        if (auto version = versions.extract(general.entry))
          if (addTo(done.functions[i], classes_.at(general.entry), std::move(version.mapped())) &&
              std::ranges::none_of(classes_.at(general.entry),
                                   [&](const Class& c) { return hasScalar(general, c); }))
            writePlainly(done.functions[i], general);
      }
      if (auto function = stretched.extract(general.entry); function && general.kernels.empty())
        addStretched(done.functions[i], std::move(function.mapped()));
    }
    return done;
  }

private:
  /// The functions that are right at some call.
  std::map<std::string, Function> lower(const sema::SameSizes& same) const {
    std::map<std::string, Function> all;
    if (same.empty()) return all;
    Diagnostics ignored;
    for (Function& f : sema::lower(tree_, ignored, nullptr, &same).functions)
      all.emplace(f.entry, std::move(f));
    return all;
  }
  /// The functions that know too few calls, for all calls.
  std::map<std::string, Function> lowerStretched(const Module& tensor) const {
    sema::SameSizes wanted;
    for (const Function& f : tensor.functions)
      if (f.unstretched && f.kernels.empty()) wanted[f.entry];
    std::map<std::string, Function> all;
    if (wanted.empty()) return all;
    Diagnostics ignored;
    for (Function& f : sema::lower(tree_, ignored, nullptr, &wanted, {}, true).functions)
      all.emplace(f.entry, std::move(f));
    return all;
  }
  /// Some sizes are never equal, as those of a frame and of what is in it.
  std::map<std::string, Function> withPossible(const Function& f) {
    std::vector<Class>& classes = classes_.at(f.entry);
    const auto isPossible = [&](const Class& c) { return !lower({{f.entry, sameSizes(f, {c})}}).empty(); };
    classes.erase(std::remove_if(classes.begin(), classes.end(), std::not_fn(isPossible)), classes.end());
    return classes.empty() ? std::map<std::string, Function>() : lower({{f.entry, sameSizes(f, classes)}});
  }

  /// False if there is nothing in it.
  bool addTo(Function& general, const std::vector<Class>& classes, Function version) {
    version.entry = uniqueEntry(general.entry + "_same_sizes", names_);
    Diagnostics remarks;
    Module scheduled = passes_(Module{Level::Tensor, {std::move(version)}}, remarks, Calls::Most);
    version = std::move(scheduled.functions.front());
    if (remarks.hasErrors() || !sameInterface(general, version) ||
        arrangement(general) == arrangement(version) || !pays(version, general))
      return false;
    diag_.report(DiagId::Versioned, general.span,
                 fmt::format("another version runs where {}: {}, instead of {}", textOf(classes),
                             summary(version), summary(general)));
    // Most calls run the version: its loops are the ones to speak of.
    const std::set<DiagId> ofCost = {DiagId::SerialWork, DiagId::SerialReduction, DiagId::HostRoundTrip};
    diag_.dropIn(extentOf(tree_, general), ofCost);
    for (const Diagnostic& d : remarks.all())
      if (info(d.id).severity == Severity::Remark || ofCost.count(d.id))
        diag_.report(d.id, d.where, d.text).notes = d.notes;
    general.versions.push_back({condition(classes), std::move(version)});
    return true;
  }

  /// A second program is for those who read it worth its length, or its time.
  static constexpr std::ptrdiff_t few = 40, fewest = 12;
  static std::ptrdiff_t lines(const Function& f) {
    const std::string text = print(withBodiesInPlace(f).body);
    return std::count(text.begin(), text.end(), '\n');
  }
  bool pays(const Function& version, const Function& general) const {
    constexpr double muchFaster = 1.5; // tiles of several steps are predicted to be from 1.5 on
    if (lines(version) < few) return true;
    const cost::ProgramTime there = cost::timeOf(general, device_), here = cost::timeOf(version, device_);
    return !there.isKnown || there.most >= muchFaster * here.least;
  }

  /// Most calls run the version: the others' program is the shortest, without what is only run where the version runs
  /// instead.
  void writePlainly(Function& done, const Function& tensor) {
    Function rest = transform::dropExcluded(tensor, done.versions.back().condition);
    Diagnostics ignored; // told of before
    Module scheduled = passes_(Module{Level::Tensor, {std::move(rest)}}, ignored, Calls::HardlyAny);
    Function& smaller = scheduled.functions.front();
    if (ignored.hasErrors() || !sameInterface(done, smaller)) return;
    smaller.versions = std::move(done.versions);
    done = std::move(smaller);
  }

  /// Calls at which extents of one element are stretched go to `all`, which is right for every call. Where that were a second
  /// long program, Python's caller repeats those elements instead, and what it cannot repeat is refused.
  void addStretched(Function& done, Function all) {
    // Of two programs for a few calls, the one that is right for all of them.
    const bool isGeneral = !done.versions.empty();
    const std::vector<Widened> widened = widenedIn(done, all);
    all.entry = isGeneral ? done.entry : uniqueEntry(done.entry + "_stretched", names_);
    Diagnostics remarks;
    Module scheduled = passes_(Module{Level::Tensor, {std::move(all)}}, remarks, Calls::Few);
    all = std::move(scheduled.functions.front());
    if (remarks.hasErrors() || !sameInterface(done, all)) return;
    const bool isWhole = coversAll(done, widened), isShort = lines(all) < (isWhole ? fewest : few);
    if (!isShort && (!isGeneral || !widened.empty())) return widen(done, widened);
    const Expr unstretched = done.unstretched;
    dropChecks(done);
    for (Version& v : done.versions) dropChecks(v.function);
    if (isGeneral) {
      Expr holds = done.versions.front().condition;
      if (!follows(done, holds, unstretched)) holds = binary(BinaryOp::LogicalAnd, holds, unstretched);
      all.versions = std::move(done.versions);
      all.versions.front().condition = substitute(holds, namesOf(done, all));
      done = std::move(all);
      return;
    }
    diag_.report(
        DiagId::Versioned, done.span,
        fmt::format("another version runs where an axis of one element meets a longer one: {}, instead of {}",
                    summary(all), summary(done)));
    const std::map<Symbol, Expr> names = namesOf(all, done);
    for (size_t r = 0; r < done.results.size(); ++r)
      if (done.results[r].kind == Result::Array) {
        done.results[r].extents = all.results[r].extents;
        for (Expr& e : done.results[r].extents) e = substitute(e, names);
      }
    done.versions.insert(done.versions.begin(), {unary(UnaryOp::LogicalNot, unstretched), std::move(all)});
  }

  /// Axes that may be filled up; none where the wrapper has no arrays to do it with.
  static std::vector<Widened> widenedIn(const Function& done, const Function& all) {
    const auto isOwn = [&](const Param& p) { return p.byColumns || p.name.hint() == done.name; };
    const bool isPlain = done.taken.empty() && done.ofLaunch == 0 && std::ranges::none_of(done.params, isOwn);
    if (!isPlain) return {};
    std::vector<Widened> widened =
        analysis::widenedSizes(all, substitute(done.unstretched, namesOf(done, all)));
    for (Widened& w : widened) w.equal = substitute(w.equal, namesOf(all, done));
    return widened;
  }

  /// Is there no call that NumPy takes and the filled up one does not? Results are never stretched.
  static bool coversAll(const Function& f, const std::vector<Widened>& widened) {
    const std::function<size_t(const Expr&)> equations = [&](const Expr& e) -> size_t {
      const auto* b = e.as<Binary>();
      return b && b->op == BinaryOp::LogicalAnd ? equations(b->lhs) + equations(b->rhs) : 1;
    };
    const auto isWhole = [&](const Widened& w) {
      return w.seen.empty() && std::ranges::all_of(w.axes, [&](const Widened::Axis& a) {
               return a.may || f.params[static_cast<size_t>(a.param)].written;
             });
    };
    size_t covered = 0;
    for (const Widened& w : widened) covered += equations(w.equal);
    return std::ranges::all_of(widened, isWhole) && covered == equations(f.unstretched);
  }

  /// What the caller sees to is not asked again in two ways.
  void widen(Function& done, const std::vector<Widened>& widened) {
    if (widened.empty()) return;
    const auto textOf = [](const Require& r) {
      const auto values = r.values | std::views::transform([](const Expr& e) { return print(e); });
      return fmt::format("{} {}", fmt::join(values, ", "), r.message);
    };
    // Whether what meets is equal is asked behind whether NumPy takes it, whose message begins the other one's.
    const auto askOnce = [&](Function& f) {
      analysis::Facts facts(f);
      for (const Widened& w : widened) facts.learn(substitute(w.equal, namesOf(done, f)));
      const auto isKnown = [&](const Require& r) {
        return facts.isFixed(r.cond) && !facts.mayHold(unary(UnaryOp::LogicalNot, r.cond));
      };
      f.body = replace<Block>(f.body, [&](const Block& list) {
        std::vector<Stmt> asked;
        for (const Stmt& s : list.body) {
          const auto* r = s.as<Require>();
          const auto begins = [&](const Stmt& before) {
            const auto* first = before.as<Require>();
            return first && first->exception == "ValueError" && textOf(*r).starts_with(textOf(*first));
          };
          const bool isSecond = r && r->exception == "NotImplementedError" && isKnown(*r);
          const auto first = isSecond ? std::ranges::find_if(asked, begins) : asked.end();
          if (first == asked.end()) {
            asked.push_back(s);
            continue;
          }
          const Require both = *first->as<Require>();
          *first = makeStmt((*first)->span, Require{r->cond, both.exception, both.message, both.values});
        }
        return block(std::move(asked));
      });
    };
    askOnce(done);
    for (Version& v : done.versions) askOnce(v.function);
    done.widened = widened;
    diag_.report(DiagId::Versioned, done.span,
                 "axes of one element that meet longer ones are filled up before the call");
  }

  /// By which the parameters and sizes of one function are those of another one.
  static std::map<Symbol, Expr> namesOf(const Function& from, const Function& to) {
    std::map<Symbol, Expr> names;
    for (size_t p = 0; p < from.params.size(); ++p)
      if (!from.params[p].isArray) names[from.params[p].name] = var(to.params[p].name, to.params[p].type);
    for (size_t s = 0; s < from.sizes.size(); ++s) names[from.sizes[s].name] = var(to.sizes[s].name);
    return names;
  }

  static bool follows(const Function& f, const Expr& from, const Expr& what) {
    analysis::Facts facts(f);
    if (!facts.isFixed(from) || !facts.isFixed(what)) return false;
    facts.learn(from);
    return !facts.mayHold(unary(UnaryOp::LogicalNot, what));
  }

  /// Without the checks that the entry has made by then.
  static void dropChecks(Function& f) {
    if (!f.unstretched) return;
    analysis::Facts facts(f);
    facts.learn(f.unstretched);
    f.body = rewrite(f.body, [&](const Stmt& s) -> Stmt {
      const auto* check = s.as<Require>();
      const bool isKnown =
          check && facts.isFixed(check->cond) && !facts.mayHold(unary(UnaryOp::LogicalNot, check->cond));
      return isKnown ? block({}) : Stmt();
    });
  }

  const ast::Module& tree_;
  const Passes& passes_;
  const cost::Device& device_;
  Diagnostics& diag_;
  std::set<std::string> names_;                       ///< of all entries
  std::map<std::string, std::vector<Class>> classes_; ///< by entry
};

} // namespace

Module addVersions(const ast::Module& tree, const Module& tensor, Module done, const Passes& passes,
                   const cost::Device& device, Diagnostics& diag) {
  return Versions(tree, passes, device, diag).add(tensor, std::move(done));
}

} // namespace appyc::driver
