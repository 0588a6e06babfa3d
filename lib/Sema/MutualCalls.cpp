//===- MutualCalls.cpp - functions that call each other -----------------------------------------------------===//
//   def even(n):                         def even_odd(which, n):
//     return n == 0 or odd(n - 1)          if which == 0: return n == 0 or even_odd(1, n - 1)
//   def odd(n):                     =>     else: return n > 0 and even_odd(0, n - 1)
//     return n > 0 and even(n - 1)       def even(n): return even_odd(0, n)
// Done on the syntax tree; what calls itself is made a loop of later (Calls/Resumed.cpp). Parameters of one position are one,
// so that they have to be of one kind; other names are apart.
#include "MutualCalls.h"
#include "Names.h"
#include "RenamedNames.h"
#include "SelfCalls.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::sema {

namespace {
using ast::Body;
using Group = std::vector<const ast::Function*>;

class Merger {
public:
  explicit Merger(const ast::Module& module) : module_(module) {
    for (const ast::Function& fn : module.functions) {
      if (fn.yields.end > 0 || fn.directive.role != ast::FunctionDirective::Plain ||
          !fn.directive.maker.empty())
        continue;
      byName_[fn.name] = &fn;
      reads_[fn.name] = exposedNames(fn.body);
    }
    for (const auto& [name, fn] : byName_) reach(name, reached_[name]);
  }

  ast::Module run() {
    ast::Module out = module_;
    std::set<std::string> done;
    for (const ast::Function& fn : module_.functions) {
      Group group;
      for (const ast::Function& other : module_.functions)
        if (reaches(fn.name, other.name) && reaches(other.name, fn.name)) group.push_back(&other);
      if (group.size() < 2 || !done.insert(group.front()->name).second || !mayMerge(group)) continue;
      ast::Function made = merged(group);
      for (size_t k = 0; k < group.size(); ++k) {
        ast::Function& caller = out.functions[static_cast<size_t>(group[k] - module_.functions.data())];
        const Span end{caller.span.end, caller.span.end};
        ast::Call call{nameAt(made.name, end), {number(k, end)}, {}};
        for (size_t p = 0; p < made.params.size() - 1; ++p)
          call.args.push_back(p < caller.params.size() ? nameAt(caller.params[p].name, end) : number(0, end));
        caller.body = {ast::makeStmt(end, ast::Return{ast::make(end, std::move(call))})};
        caller.directive.caches = false;
      }
      out.functions.push_back(std::move(made));
    }
    return out;
  }

private:
  static ast::Expr number(size_t value, Span where) { return ast::make(where, ast::IntLit{value}); }

  void reach(const std::string& from, std::set<std::string>& found) const {
    for (const std::string& name : reads_.at(from))
      if (byName_.count(name) && found.insert(name).second) reach(name, found);
  }
  bool reaches(const std::string& from, const std::string& to) const {
    const auto found = reached_.find(from);
    return found != reached_.end() && found->second.count(to) > 0;
  }

  static bool mayMerge(const Group& group) {
    std::set<std::string> names;
    for (const ast::Function* fn : group) names.insert(fn->name);
    return std::ranges::all_of(group, [&](const ast::Function* fn) {
      const bool isPlain = std::ranges::all_of(fn->params, [](const ast::Parameter& p) {
        return p.kind <= ast::Parameter::Ordinary && !p.defaultValue;
      });
      return isPlain && !fn->params.empty() && std::ranges::all_of(scanNames(*fn), [&](const auto& entry) {
               const auto& [name, facts] = entry;
               const bool isOwn = facts.assignments > 0;
               return !(names.count(name) > 0 && (isOwn || facts.isCaptured)) && !(isOwn && facts.isCaptured);
             });
    });
  }

  static ast::Function merged(const Group& group) {
    const ast::Function& first = *group.front();
    const ast::Function& longest =
        **std::ranges::max_element(group, {}, [](const ast::Function* fn) { return fn->params.size(); });
    ast::Function out = first;
    out.name.clear();
    for (const ast::Function* fn : group) out.name += (out.name.empty() ? "" : " or ") + fn->name;
    const std::string which = "which of " + out.name;        // no names of Python's
    out.nameSpan = {first.nameSpan.end, first.nameSpan.end}; // a place of its own
    out.signatures.clear();
    out.params = longest.params;
    out.params.insert(out.params.begin(), {which, {}, first.nameSpan});
    out.directive.caches =
        std::ranges::all_of(group, [](const ast::Function* fn) { return fn->directive.caches; });
    Body body;
    for (size_t k = group.size(); k-- > 0;) {
      const ast::Function& fn = *group[k];
      std::map<std::string, std::string> names;
      for (const std::string& name : assignedNames(fn.body))
        names[name] = fmt::format("{} of {}", name, fn.name);
      for (size_t p = 0; p < fn.params.size(); ++p) names[fn.params[p].name] = longest.params[p].name;
      NamePlaces places{fn.nameSpan, 0, 0, fn.nameSpan};
      places.areKept = true;
      for (size_t j = 0; j < group.size(); ++j)
        places.calls[group[j]->name] = {out.name, number(j, first.nameSpan), longest.params.size()};
      Body own = withNames(fn.body, {}, names, places);
      if (k + 1 == group.size()) {
        body = std::move(own);
        continue;
      }
      const ast::Expr isIt =
          ast::make(first.nameSpan, ast::Compare{{nameAt(which, first.nameSpan), number(k, first.nameSpan)},
                                                 {ast::CompareOp::Eq}});
      body = {ast::makeStmt({fn.body.front()->span.begin, fn.span.end},
                            ast::If{isIt, std::move(own), std::move(body)})};
    }
    out.body = std::move(body);
    return out;
  }

  const ast::Module& module_;
  std::map<std::string, const ast::Function*> byName_;
  std::map<std::string, std::set<std::string>> reads_, reached_;
};

} // namespace

ast::Module withMutualCalls(const ast::Module& module) { return Merger(module).run(); }

} // namespace appyc::sema
