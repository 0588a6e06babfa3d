//===- LibraryCalls.cpp - functions whose text is the library's -----------------------------------------===//
// They are inlined as the file's own helpers are. Whatever is reported, and whatever is emitted, stands at the user's
// call. What is known when the program is translated (ranks, types, which arguments are given) decides branches
// and unrolls loops, so that the library may ask for it as Python does.
#include "LibraryClasses.h"
#include "Lowering.h"

namespace appyc::sema {

/// Does one of its paths end by `return np.asarray(...)`? Then NumPy gives an array, without dimensions, too.
static bool givesArray(const ast::Body& body) {
  return std::ranges::any_of(body, [](const ast::Stmt& s) {
    if (const auto* i = s.as<ast::If>()) return givesArray(i->then) || givesArray(i->otherwise);
    const auto* given = s.as<ast::Return>();
    const auto* call = given && given->value ? given->value.as<ast::Call>() : nullptr;
    const auto* callee = call ? call->callee.as<ast::Attribute>() : nullptr;
    return callee && callee->name == "asarray";
  });
}

Value Lowering::callLibrary(const LibraryFunction& function, const Arguments& given) {
  Arguments args = given;
  for (Value& v : args.positional)
    if (const auto* g = v.as<GeneratorValue>())
      if (v = listOfGenerator(GeneratorValue(*g)); v.isError()) return v;
  if (const std::optional<Value> joined = joinedRows(function, args)) return *joined;
  for (
      Value& v :
      args.positional) // a list of arrays in memory is one array, whose rows NumPy takes as it takes the list's
    if (const auto* list = v.as<ListValue>(); list && list->hasViews && function.path.starts_with("numpy."))
      if (v = arrayOf(ListValue(*list), {}, args.where); v.isError()) return v;
  for (Value& v : args.positional)
    if (const auto* rows = v.as<NestedValue>(); rows && function.path.starts_with("numpy."))
      if (v = arrayOfRows(NestedValue(*rows), {}, args.where); v.isError()) return v;
  const bool isOutermost = !site_;
  const bool isOfLists = function.path.starts_with("_list_") || function.path.starts_with("_table_") ||
                         function.group == "heapq" || function.group == "bisect";
  if (isOutermost) site_ = LibrarySite{args.where, branches_.size(), isOfLists};
  const size_t mark = diag_.mark();
  const Span statement = statement_;
  Value result = callUser(UserFunction{&definitionOf(function)}, function.display(), args, true);
  if (function.group == "itertools" && !result.isError())
    result = Value{IteratorValue{IteratorValue::Each, {result}}};
  statement_ = statement;
  noteOrder(result, args);
  if (!isOutermost) return result;
  site_.reset();
  if (auto* number = std::get_if<Scalar>(&result.v))
    number->isCell =
        number->isCell && givesArray(definitionOf(function).body); // else NumPy gives the number itself
  // The user does not see where in the library something is reported, nor the notes.
  const std::vector<Diagnostic> inside(diag_.all().begin() + static_cast<std::ptrdiff_t>(mark),
                                       diag_.all().end());
  diag_.rollback(mark);
  const std::string name = fmt::format("`{}`", function.display());
  for (const Diagnostic& d : inside) {
    diag_.report(d.id, args.where,
                 d.text.find(name) == std::string::npos ? fmt::format("{}: {}", name, d.text) : d.text);
    if (d.severity == Severity::Error) break; // others follow from it
  }
  return result;
}

/// Names that a function of the library reads and does not bind; none for Python's own.
std::optional<Value> Lowering::libraryName(const std::string& name) const {
  if (name == "np") return Value{ModuleRef{"numpy"}};
  if (name == "math" || name == "functools") return Value{ModuleRef{name}};
  if (const ast::ClassRef type = libraryClassAt(name)) return Value{ClassValue{type}};
  if (functionAt(name) && name[0] == '_') return Value{Callable{name}};
  if (const LibraryFunction* f = libraryFunctionAt(name)) return Value{UserFunction{&definitionOf(*f)}};
  return std::nullopt;
}

//===--- raise ----------------------------------------------------------------------------------------===//

/// The text of `Error("text")` or `Error("text %d, %s" % (n, "constant"))`.
std::optional<Message> Lowering::raisedMessage(const ast::Expr& e) {
  const auto* format = e.as<ast::Binary>();
  const auto* text = (format ? format->lhs : e).as<ast::StringLit>();
  if (!text) return std::nullopt;
  if (!format) return Message(text->value);
  const Value given = eval(format->rhs);
  const std::vector<Value> values =
      given.as<TupleValue>() ? given.as<TupleValue>()->items : std::vector{given};
  Message message("");
  std::string_view rest = text->value;
  for (const Value& value : values) {
    const size_t at = rest.find('%');
    message.text(rest.substr(0, at));
    if (const auto* constant = value.as<StringValue>())
      message.text(constant->text);
    else
      message.number(toArray(value).at({}));
    rest = rest.substr(at + 2);
  }
  return message.text(rest);
}

/// The name of the exception that is raised.
static std::string raisedName(const ast::Raise& r) {
  const auto* call = r.exception.as<ast::Call>();
  const ast::Expr& callee = call ? call->callee : r.exception;
  if (const auto* a = callee.as<ast::Attribute>()) return a->name;
  return callee.is<ast::Name>() ? callee.as<ast::Name>()->id : "";
}

/// Where nothing but what is known at translation leads to it, an error of the call.
void Lowering::raiseInLibrary(const ast::Raise& r, const Expr& unless) {
  const auto* call = r.exception.as<ast::Call>();
  const std::optional<Message> message = raisedMessage(call->args.at(0));
  const std::string name = raisedName(r);
  if (unless) {
    const Expr fits = isStable(unless) ? unless : materialize(unless, "fits");
    if (site_->raises || name == "LinAlgError" || name == "AssertionError")
      require(fits, name, *message);
    else
      requireWhereRun(fits, name, *message);
  } else if (name == "NotImplementedError" || branches_.size() > site_->branches) {
    error(DiagId::Unsupported, statement_, message->plain());
  } else {
    error(name == "AxisError" || name == "IndexError" ? DiagId::BadIndex : DiagId::TypeMismatch, statement_,
          fmt::format("{}: {}", name, message->plain()));
  }
}

//===--- loops over what is known ----------------------------------------------------------------------===//

/// What the loop's index is in turn, where the loop is written out: over a tuple, and in the library over
/// a short range. A pragma says that it is to stay a loop.
std::optional<std::vector<Value>> Lowering::unrolled(const ast::For& s, const Value& iter) const {
  constexpr int64_t kMostSteps = 16; // more than any array has axes here
  const auto* t = iter.as<TupleValue>();
  if (s.directive.mark != ast::LoopMark::None) return std::nullopt;
  if (t && !s.unless && t->items.size() <= static_cast<size_t>(kMostSteps)) return t->items;
  if (!frames_.back().isLibrary) return std::nullopt;
  const auto* r = iter.as<RangeValue>();
  const std::optional<int64_t> lo = r ? ir::constantInt(r->lo) : std::nullopt,
                               hi = r ? ir::constantInt(r->hi) : std::nullopt,
                               step = r ? ir::constantInt(r->step) : std::nullopt;
  if (!lo || !hi || !step || *step == 0 || std::abs(*hi - *lo) > kMostSteps) return std::nullopt;
  std::vector<Value> items;
  for (int64_t k = *lo; *step > 0 ? k < *hi : k > *hi; k += *step)
    items.push_back(Value{Scalar{ir::intConst(k), true}});
  return items;
}

void Lowering::unroll(const ast::For& s, const std::vector<Value>& items) {
  const std::string name = fmt::format("item at {}", s.target->span.begin); // no name of Python's
  for (const Value& item : items) {
    frame().call = -(++libraryCalls_); // loops inside have names of other types
    env()[name] = item;
    ast::Body step = s.body;
    const Span where = s.target->span;
    step.insert(step.begin(),
                ast::makeStmt(where, ast::Assign{{s.target}, ast::make(where, ast::Name{name}), {}}));
    if (s.unless) // where the loop is left, nothing follows
      step = {
          ast::makeStmt(where, ast::If{ast::make(where, ast::Unary{ast::UnaryOp::Not, s.unless}), step, {}})};
    writtenOut_.push_back(std::move(step));
    lowerStatements(writtenOut_.back(), 0);
  }
  env().erase(name);
}

} // namespace appyc::sema
