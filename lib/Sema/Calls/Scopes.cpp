//===- Scopes.cpp - names of files: the input's, and those of modules that it imports -------------------===//
// Each function sees the names of its own file. What a module of the user's binds is read where it is used; whatever
// keeps appyc from reading the module, or one of its functions, is told there.
#include "Scopes.h"
#include "Functions.h"
#include "Generators.h"
#include "Leaving.h"
#include "Lowering.h"
#include "appyc/Frontend/Frontend.h"

namespace appyc::sema {

static FileScope scopeOf(const ast::Module& module) {
  FileScope scope{&module, {}};
  for (const ast::Function& fn : module.functions) scope.functions.emplace(fn.name, &fn);
  return scope;
}

Program::Program(const ast::Module& read)
    : input(withoutLeaving(withGeneratorsInPlace(withSteppers(withIterators(read))))) {
  files.push_back(scopeOf(input));
  for (const ast::Module& m : input.modules) files.push_back(scopeOf(m));
}

const FileScope* Program::moduleNamed(const std::string& name) const {
  for (const FileScope& f : files)
    if (f.module->name == name && !name.empty()) return &f;
  return nullptr;
}

/// The module that `path`, "package.module.name", is an attribute of; null where it is none of the user's.
static const FileScope* parentOf(const Program& program, const std::string& path) {
  const size_t dot = path.rfind('.');
  return dot == std::string::npos ? nullptr : program.moduleNamed(path.substr(0, dot));
}

void checkImports(const Program& program, Diagnostics& diag) {
  for (const FileScope& file : program.files)
    for (const ast::Import& i : file.module->imports) {
      const FileScope* module = parentOf(program, i.what);
      if (i.as == "*" || !module || !module->module->problems.empty() || module->module->mayBindMore ||
          program.moduleNamed(i.what))
        continue;
      const std::string name = i.what.substr(i.what.rfind('.') + 1);
      if (!module->module->names.count(name) && name.substr(0, 2) != "__")
        diag.report(DiagId::BadImport, i.where,
                    fmt::format("cannot import name `{}` from `{}`, which binds no such name", name,
                                module->module->name));
    }
}

/// Reports what keeps appyc from reading the module.
bool Lowering::isReadable(const FileScope& scope) {
  diag_.add(scope.module->problems);
  return scope.module->problems.empty();
}

/// The path under which appyc knows it: NumbaPro became Numba, ParPy 0.1.3 has what programs call in `operators`, later ones in others.
static std::string knownPath(const std::string& path) {
  for (const auto& [module, known] : {std::pair<std::string_view, std::string>("numbapro.", "numba."),
                                      {"parpy.operators.", "parpy."},
                                      {"parpy.builtin.", "parpy."},
                                      {"parpy.math.", "parpy."},
                                      {"parpy.reduce.", "parpy."}})
    if (path.starts_with(module)) return known + path.substr(module.size());
  return path;
}

/// Whether `from module import *` binds the name, where the module is one of those that the tables know.
static bool bindsByStar(const std::string& module, const std::string& name) {
  const std::string path = knownPath(module + "." + name);
  if (functionAt(path) || libraryFunctionAt(path) || moduleConstant(path)) return true;
  if (!insteadOf(path).empty() && insteadOf(module).empty()) return true;
  const auto isIn = [&](std::string_view known) {
    return known.starts_with(path + ".");
  }; // `linalg` of NumPy
  return std::ranges::any_of(functions(), isIn, &Function::path) ||
         std::ranges::any_of(libraryFunctions(), [&](const LibraryFunction* f) { return isIn(f->path); });
}

ast::Function callerOf(const ast::Function& fn) {
  ast::Function caller = fn;
  caller.directive = {};
  std::vector<ast::Expr> given;
  for (const ast::Parameter& p : fn.params) given.push_back(ast::make(fn.nameSpan, ast::Name{p.name}));
  const ast::Expr call =
      ast::make(fn.nameSpan, ast::Call{ast::make(fn.nameSpan, ast::Name{fn.name}), given, {}});
  caller.body = {ast::makeStmt(fn.nameSpan, ast::Return{call})};
  return caller;
}

/// What the file binds the name to, if it does.
std::optional<Value> Lowering::fileName(const FileScope& scope, const std::string& name, Span where) {
  if (auto it = scope.functions.find(name); it != scope.functions.end()) {
    const Value function{UserFunction{it->second, &scope}};
    const ast::FunctionDirective& said = it->second->directive;
    if (said.maker.empty() || (!frames_.empty() && frames_.back().function->directive.isEntry))
      return function;
    Arguments given{{function}, {}, where};
    if (!said.given.empty()) {
      ast::Parameter others;
      others.defaultValue = frontend::parseExpression(said.given, said.made, diag_);
      const Value more = evalDefault(others, nullptr);
      for (const Value& v : more.as<TupleValue>()->items) given.positional.push_back(v);
    }
    return callNamed(said.maker, given);
  }
  for (const ast::ClassRef& c : scope.module->classes)
    if (c->name == name) return Value{ClassValue{c}};
  const auto& imports = scope.module->imports;
  // The last of an import and others has been found by the frontend; of imports, it is the last.
  for (auto i = imports.rbegin(); i != imports.rend(); ++i) {
    if (i->as != name || std::any_of(scope.module->constants.begin(), scope.module->constants.end(),
                                     [&](const ast::Constant& c) { return c.name == name; }))
      continue;
    if (i->what.starts_with("appy.dims."))
      return error(
          DiagId::UndefinedName, where,
          fmt::format("`{}` names a size in types and has no value here; write for example `a.shape[0]`",
                      name));
    return importedAt(i->what, where);
  }
  for (const ast::Constant& c : scope.module->constants)
    if (c.name == name) {
      Value v = evalFileConstant(scope, c, where);
      if (auto* t = std::get_if<TupleValue>(&v.v)) t->isKept = true, t->made = t->isList ? kOfFile : 0;
      return v;
    }
  for (auto i = imports.rbegin(); i != imports.rend(); ++i) {
    if (i->as != "*" || name[0] == '_') continue;
    const FileScope* module = program_.moduleNamed(i->what);
    if (!module && bindsByStar(i->what, name)) return importedAt(i->what + "." + name, where);
    if (!module) continue;
    if (!isReadable(*module)) return Value{};
    if (module->module->names.count("__all__"))
      return error(
          DiagId::Unsupported, where,
          fmt::format("`{}` says by `__all__` what `*` stands for, which appyc does not read; import "
                      "`{}` by its name",
                      i->what, name));
    if (std::optional<Value> v = fileName(*module, name, where)) return v;
  }
  return std::nullopt;
}

/// What `import` of the path gives.
Value Lowering::importedAt(const std::string& path, Span where) {
  if (const std::string known = knownPath(path); known != path) return importedAt(known, where);
  if (const FileScope* module = parentOf(program_, path))
    return moduleAttribute(*module, path.substr(path.rfind('.') + 1), where);
  if (program_.moduleNamed(path) || path.find('.') == std::string::npos) return Value{ModuleRef{path}};
  const bool isPackage = std::any_of(program_.files.begin(), program_.files.end(), [&](const FileScope& f) {
    return f.module->name.starts_with(path + ".");
  });
  if (isPackage) return Value{ModuleRef{path}};
  if (std::optional<Value> constant = moduleConstant(path)) return *constant;
  if (path.starts_with("scipy.constants.")) return unknownFunction(path, where);
  return Value{Callable{path}};
}

/// `module.name` of a module of the user's.
Value Lowering::moduleAttribute(const FileScope& module, const std::string& name, Span where) {
  if (!isReadable(module)) return Value{};
  const std::string path = module.module->name + "." + name;
  const bool isModule = program_.moduleNamed(path) != nullptr;
  const bool isBound = module.module->names.count(name) > 0;
  if (isModule && isBound && !importsSubmodule(*module.module, name))
    return error(DiagId::Unsupported, where,
                 fmt::format("`{}` is a module, and a name that `{}` binds; give one another name", path,
                             module.module->name));
  const auto& imports = module.module->imports;
  if (isModule && (!isBound || std::any_of(imports.begin(), imports.end(), [&](const ast::Import& i) {
        return i.as == name && i.what == path; // `from . import name`
      })))
    return Value{ModuleRef{path}};
  if (isBound || module.module->mayBindMore)
    if (const std::optional<Value> v = fileName(module, name, where)) return *v;
  return error(DiagId::BadImport, where,
               fmt::format("the module `{}` binds no name `{}` that appyc reads", module.module->name, name));
}

/// `from .name import ...` in a package's own text: the module is there first, whatever the name is bound to then.
bool importsSubmodule(const ast::Module& package, const std::string& name) {
  const std::string path = package.name + "." + name;
  return std::any_of(package.imports.begin(), package.imports.end(),
                     [&](const ast::Import& i) { return i.what == path || i.what.starts_with(path + "."); });
}

/// Where a module was looked for that may be the user's and is not there; empty text for others.
std::string Lowering::whereSought(const std::string& path) const {
  const std::string head = path.substr(0, path.find('.'));
  const std::vector<Function>& known = functions();
  if (head == path || std::any_of(known.begin(), known.end(),
                                  [&](const Function& f) { return f.path.starts_with(head + "."); }))
    return {};
  std::vector<std::string> folders;
  for (const std::string& f : program_.input.searched)
    folders.push_back(fmt::format("`{}`", f.empty() ? "." : f));
  return fmt::format("; if `{}` is a module of yours: it is not in {} (`-I DIR` adds a folder)", head,
                     fmt::join(folders, ", "));
}

/// An import inside a function binds its names where it stands.
void Lowering::lowerImport(const ast::LocalImport& s) {
  for (const ast::Import& i : s.imports) {
    const FileScope* module = parentOf(program_, i.what);
    if (module && !isReadable(*module)) continue;
    assignName(i.as, importedAt(i.what, i.where), i.where);
  }
}

/// Does an instance have it, which it gets as its first parameter?
bool isMethod(const UserFunction& called) {
  return called.file && std::ranges::any_of(called.file->module->classes, [&](const ast::ClassRef& type) {
           return std::ranges::any_of(type->methods, [&](const ast::Class::Method& m) {
             return !m.isStatic && !m.isOfClass && !m.isProperty &&
                    m.function->nameSpan.begin == called.function->nameSpan.begin;
           });
         });
}

} // namespace appyc::sema
