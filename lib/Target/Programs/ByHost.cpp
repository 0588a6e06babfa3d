//===- ByHost.cpp - what the host does instead of a kernel of one thread ----------------------------------===//
//   const auto work = [&](const HostCopies& host) { merged_kernel<index_t>(host(a), host(b), host(out), N, M); };
//   if (const int status = by_host(stream, {reads(a, N), reads(b, M), fills(out, N + M)}, work)) return status;
#include "Expressions.h"
#include "Functions.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::target {

using namespace ir;

bool isLaunchedToo(const Function& f, const std::string& kernel) {
  bool byHost = false, launched = false;
  each<Launch>(f.body, [&](const Launch& l) {
    if (l.name == kernel) (l.how == Launch::ByHost ? byHost : launched) = true;
  });
  return byHost && launched;
}

cxx::Decl aloneOf(const cxx::Decl& function) {
  cxx::Function kernel = *function.as<cxx::Function>();
  std::vector<cxx::Expr> arguments;
  for (const cxx::Parameter& p : kernel.params) arguments.push_back(cxx::name(p.name));
  kernel.comment.clear();
  kernel.specifiers = "__global__";
  kernel.body = cxx::block({cxx::evaluate(cxx::call(
      kernel.templateParameters.empty() ? kernel.name : kernel.name + "<index_t>", std::move(arguments)))});
  kernel.name += kAlone;
  return cxx::decl(std::move(kernel));
}

static bool touchesArray(const Stmt& s, const Symbol& array) {
  const auto isIt = [&](const Argument& a) { return a.array == array; };
  return mentionsAny(s, {array}) || loadedBuffers(s).contains(array) || storedBuffers(s).contains(array) ||
         any<Fetch>(s, [&](const Fetch& f) { return f.buffer == array; }) ||
         any<Launch>(s, [&](const Launch& l) {
           return std::ranges::any_of(l.arguments, isIt) ||
                  std::ranges::any_of(l.vectors.rows.arguments, isIt);
         });
}

static bool isResult(const Function& f, const Symbol& array) {
  return std::ranges::any_of(
      f.results, [&](const Result& r) { return r.name == array || r.of == array || r.place == array; });
}

/// Does the host want the elements, and the device what has become of them?
static const char* useOf(const Function& f, const Stmt& launch, const Symbol& array,
                         const Symbol& parameter) {
  if (!storedBuffers(f.findKernel(launch.as<Launch>()->name)->body).contains(parameter)) return "reads";
  const std::vector<Stmt> all = statementsOf(f.body);
  const auto own = std::ranges::find_if(all, [&](const Stmt& s) {
    bool isIn = false;
    visit(s, [&](const Stmt& part) { return isIn |= part == launch, !isIn; });
    return isIn;
  });
  const auto isTouched = [&](const Stmt& s) { return touchesArray(s, array); };
  const bool isGiven = namesOf(f.params).contains(array);
  if (isGiven || std::any_of(all.begin(), own, isTouched)) return "writes";
  return isResult(f, array) || std::any_of(own + 1, all.end(), isTouched) ? "fills" : "keeps";
}

void launchByHost(Context& c, const Stmt& launch, std::vector<cxx::Expr> arguments,
                  const std::string& function, std::vector<cxx::Stmt>& out) {
  c.support.use("by_host");
  const auto& l = *launch.as<Launch>();
  const Kernel& kernel = *c.function.findKernel(l.name);
  const std::string copies = c.freshName("host"), work = c.freshName("work");
  std::vector<cxx::Expr> arrays;
  for (size_t i = 0; i < l.arguments.size(); ++i) {
    const Symbol& array = l.arguments[i].array;
    const auto taken = std::ranges::find_if(arguments, [&](const cxx::Expr& e) {
      const auto* name = array ? e.as<cxx::Atom>() : nullptr;
      return name && name->text == c.name(array);
    });
    if (taken == arguments.end()) continue; // a number, or an array of which the kernel makes nothing
    const cxx::Expr count = Expressions(c).value(elementCount(c.function.buffer(array)));
    arrays.push_back(cxx::call(useOf(c.function, launch, array, kernel.params[i]), {*taken, count}));
    *taken = cxx::call(copies, {*taken});
  }
  out.push_back(cxx::stmt(cxx::Lambda{work, "const HostCopies& " + copies,
                                      cxx::evaluate(cxx::call(function, std::move(arguments)))}));
  out.push_back(cxx::returnOnFailure(
      cxx::call("by_host", {cxx::name("stream"), cxx::braces("", std::move(arrays)), cxx::name(work)})));
}

} // namespace appyc::target
