//===- Results.cpp - what a function returns ------------------------------------------------------------===//
// NumPy returns views where Python names them: `return a[1:]` shows the caller's array. Such results are told to the
// wrapper as a place in the array (ir::ViewAxis); numbers of it that depend on the call are hidden scalar results.
#include "Items.h"
#include "LibraryClasses.h"
#include "Lowering.h"
#include "appyc/Frontend/FileState.h"
#include "appyc/IR/Position.h"
#include "appyc/IR/Walk.h"
#include "appyc/Support/Quoted.h"

namespace appyc::sema {

/// What a signature declares, what the function returns, and what to write.
static std::string resultMismatch(const std::string& function, const ast::TypeSpec& declared,
                                  const ir::Result& r) {
  const auto shown = [](std::string_view dtype, size_t dimensions, bool isArray) {
    std::string text(dtype);
    for (size_t d = 0; d < dimensions; ++d) text += d == 0 ? "[:" : ", :";
    return isArray && dimensions > 0 ? text + "]" : text;
  };
  const bool isArray = r.kind != ir::Result::Scalar;
  const std::string got = shown(ir::name(r.type), r.extents.size(), isArray);
  const std::string want =
      fmt::format("{}{}", shown(declared.dtype, declared.extents.size(), declared.isArray),
                  declared.weak ? " (Python's own)" : "");
  const bool canConvert = isArray == declared.isArray && r.extents.size() == declared.extents.size();
  const std::string_view type = ir::numpyName(*ir::dtypeNamed(declared.dtype));
  const std::string convert = isArray ? fmt::format(", or `.astype(np.{})`", type)
                                      : fmt::format(", or convert it, `np.{}(...)`", type);
  return fmt::format("`{}` returns {}{}, and its signature declares {}; write `-> {}`{}", function,
                     isArray ? "an array " : "", got, want, got, canConvert ? convert : "");
}

static bool showsMemory(const Value& v) {
  const auto* a = v.as<Array>();
  return a && a->view && !a->view->fancy;
}

/// Of a number, or a list of such, that may be infinite and is whole where not.
ir::Form Lowering::formOfExtended(const Scalar& s) {
  ir::Form form;
  form.kind = ir::Form::Extended;
  form.type = s.weak ? "" : ir::numpyName(DType::I64);
  return form;
}

/// How the wrapper puts together what is returned of values, which are added to `values`; `seen`: objects so far.
ir::Form Lowering::formOf(const Value& v, std::set<std::string>& seen, std::vector<Value>& values) {
  ir::Form form;
  const auto* t = v.as<TupleValue>();
  const auto* r = v.as<RecordValue>();
  if (v.as<NoneValue>()) return form;
  if (const GivenList* given = givenListThatIs(v)) {
    form.kind = ir::Form::Value;
    form.type = given->param + given->place;
    return form;
  }
  const auto isAgain = [&](const ListValue& l) {
    if (seen.insert(fmt::format("list {}", l.values.view->buffer.name.id())).second) return;
    error(DiagId::Unsupported, statement_,
          "the list is returned twice, which is one list in Python; return it once");
  };
  if (!isNoSet(v, statement_)) return form;
  if (isTuple(v)) {
    ListValue items = *v.as<ListValue>();
    if ((items.made & kWhichOfPlace) == kRunTuples && items.values.shape.size() == 2)
      error(DiagId::Unsupported, statement_,
            "a list of tuples of which the run tells the length is not returned; make lists of them, "
            "`[list(t) for t in tuples]`");
    items.isTuple = false;
    form.kind = ir::Form::Zipped;
    form.type = "tuple";
    form.parts.push_back(formOf(Value{items}, seen, values));
    return form;
  }
  if (const auto* l = v.as<ListValue>(); l && l->row) { // of a list of lists: a list of its own
    Array all = emptyArray(DType::I64);
    all.shape = elementsOf(*l).shape;
    all.at = [](const Indices& i) { return i[0]; };
    return l->like || stateOf(*l) ? formOf(Value{reordered(*l, all)}, seen, values)
                                  : formOf(Value{TupleValue{{}, true}}, seen, values);
  }
  if (isMember(v)) {
    error(DiagId::Unsupported, statement_,
          "a member of an `Enum` is not returned; return its `.value`, or write `enum.IntEnum`");
    return form;
  }
  if (isStoredText(v)) return formOfText(heldParts(v)[0], false, values);
  if (const auto* text = v.as<CharactersValue>()) {
    form.kind = ir::Form::Zipped;
    form.type = "spelled";
    form.parts.resize(1);
    form.parts[0].kind = ir::Form::Value;
    values.push_back(Value{elementsOf(text->characters.fields[0])});
    return form;
  }
  if (v.as<StringValue>()) return formOf(storedText(v), seen, values);
  if (isDeque(v)) error(DiagId::Unsupported, statement_, "a deque is not returned; return `list(...)` of it");
  if (const auto* l = v.as<ListValue>(); l && l->like) {
    isAgain(*l);
    size_t next = 0;
    return formOfTuples(*l, *l->like, next, seen, values);
  }
  if (const auto* l = v.as<ListValue>(); l && !l->hasViews && !stateOf(*l)) { // nothing is put in anywhere
    isAgain(*l);
    form.kind = ir::Form::List;
    return form;
  }
  if (const auto* l = v.as<ListValue>()) {
    const std::optional<Scalar> state = stateOf(*l);
    const bool isOfPython = state && state->weak && state->others.empty();
    form.kind = isOfPython && !l->hasViews
                    ? ir::Form::Numbers
                    : ir::Form::Elements; // where they differ, NumPy's that hold them; or rows of one array
    if (form.kind == ir::Form::Elements && !l->hasViews && l->values.shape.size() > 1)
      form.type = std::to_string(l->values.shape.size()); // lists of lists
    if (state && state->isExtended) form = formOfExtended(*state);
    isAgain(*l);
    values.push_back(Value{elementsOf(*l)});
    return form;
  }
  if (v.as<OptionalValue>()) {
    form.kind = ir::Form::Optional;
    for (const Value& part : heldParts(v)) form.parts.push_back(formOf(part, seen, values));
    return form;
  }
  if (const auto* nested = v.as<NestedValue>()) return formOfRows(*nested, seen, values);
  if (tableIn(v)) return formOfTable(*r, seen, values);
  if (!t && !r) {
    form.kind = ir::Form::Value;
    if (isExtended(v)) form = formOfExtended(*v.as<Scalar>());
    values.push_back(v);
    return form;
  }
  const ast::ClassRef type = t ? t->type : r->type;
  form.kind = type        ? (t ? ir::Form::NamedTuple : ir::Form::Instance)
              : r         ? ir::Form::Dict
              : t->isList ? ir::Form::List
                          : ir::Form::Tuple;
  if (type) {
    form.type = type->name;
    if (type == libraryClassAt(type->name)) form.module = kLibraryClasses;
    if (type == libraryClassAt(type->name) && type->name.ends_with("_"))
      error(DiagId::Unsupported, statement_,
            fmt::format("a `{}` is not returned; return its arrays",
                        type->name.substr(0, type->name.size() - 1)));
    for (const FileScope& f : program_.files) {
      const std::vector<ast::ClassRef>& classes = f.module->classes;
      if (std::find(classes.begin(), classes.end(), type) != classes.end()) form.module = f.module->name;
    }
    for (const ast::Class::Field& f : type->fields) form.keys.push_back(f.name);
  } else if (r) {
    form.keys = objects_.at(r->object).fields;
  }
  const bool hasInit = r && type && std::ranges::any_of(type->methods, [](const ast::Class::Method& m) {
                         return m.function->name == "__init__" || m.function->name == "__post_init__";
                       });
  if (hasInit) {
    error(DiagId::Unsupported, statement_,
          fmt::format("`{}` returns {}, whose `__init__` appyc does not call; return what it holds",
                      out_.name, describe(v)));
    return form;
  }
  if (r && !seen.insert(r->object).second) {
    error(DiagId::Unsupported, statement_,
          fmt::format("`{}` returns {} twice, which is one object in Python and would be two; return it once",
                      out_.name, describe(v)));
    return form;
  }
  if (r && objects_.at(r->object).isCallers)
    error(DiagId::Unsupported, statement_,
          fmt::format("`{}` returns an object of the caller's, which would be a new one; return a copy, or "
                      "what it holds",
                      out_.name));
  const std::vector<Value> parts = t ? t->items : fieldsOf(*r, statement_);
  for (const Value& part : parts) form.parts.push_back(formOf(part, seen, values));
  return form;
}

void Lowering::bindResults(const Value& returned, const ast::Signature& signature) {
  Span where = signature.where;
  listStates_.isUntold = returned.isError();
  if (returned.isError()) return;
  std::vector<Value> values;
  std::set<std::string> seen;
  if (const auto* t = returned.as<TupleValue>(); t && t->items.empty())
    return addResult(returned, where, false); // which refuses it
  out_.returned = formOf(returned, seen, values);
  const size_t count = values.size();
  for (const auto& [name, object] : objects_) {
    if (!object.isCallers) continue;
    for (size_t k = 0; k < object.given.size(); ++k) {
      const Value now = fieldOf({object.type, name}, object.fields[k], where);
      if (now.isError() || isSame(now, object.given[k])) continue;
      if (object.param == frontend::kNamesOfFile) checkNameOfFile(object.fields[k], object.given[k], now);
      const std::string& key = object.fields[k];
      const std::string at =
          object.type ? "." + key : fmt::format("[{}]", quoted(key.substr(1, key.size() - 2)));
      ir::Form form = formOf(now, seen, values);
      if (const auto* s = now.as<Scalar>(); s && s->weak && !s->isExtended)
        form.kind = ir::Form::Numbers; // a number of Python's own
      out_.givenBack.push_back({object.param, object.place + at, form});
    }
  }
  giveListsBack(seen, values);
  std::map<Symbol, int> shown; // by how many results
  for (const Value& v : values)
    if (showsMemory(v)) ++shown[v.as<Array>()->view->buffer.name];
  for (const Value& v : values) {
    const bool isShared = showsMemory(v) && shown[v.as<Array>()->view->buffer.name] > 1;
    addResult(v, where, isShared);
  }
  if (signature.declaresResults && !diag_.hasErrors()) checkDeclaredResults(signature, count);
}

/// Of the first `count` results, which are what the function returns.
void Lowering::checkDeclaredResults(const ast::Signature& signature, size_t count) {
  const auto isOpen = [](const ast::TypeSpec& t) { return t.mayBeNone || t.isTakenApart(); };
  if (std::ranges::any_of(signature.results, isOpen)) return; // of those the values tell
  std::vector<ir::Result> made;
  for (const ir::Result& r : out_.results)
    if (!r.hidden && made.size() < count) made.push_back(r);
  if (signature.results.size() != made.size()) {
    error(DiagId::BadSignature, signature.where,
          fmt::format("`{}` returns {} value(s), but its signature declares {}", out_.name, made.size(),
                      signature.results.size()));
    return;
  }
  for (size_t i = 0; i < made.size(); ++i) {
    const auto& [declared, r] = std::tie(signature.results[i], made[i]);
    const bool isArray = r.kind != ir::Result::Scalar;
    const bool isPythons = r.type == DType::I64 || r.type == DType::U64 || r.type == DType::F64 ||
                           r.type == DType::C128 || ir::isBool(r.type);
    if (declared.weak && !declared.isArray && !isArray && isPythons)
      continue; // `-> int` is a word to readers
    if (declared.dtype != ir::name(r.type) || declared.isArray != isArray ||
        (isArray && declared.extents.size() != r.extents.size()))
      error(DiagId::BadSignature, declared.where, resultMismatch(out_.name, declared, r));
  }
}

bool Lowering::isEntryExpr(const Expr& e) const {
  if (ir::readsMemory(e) || ir::has<ir::Apply>(e)) return false;
  for (Symbol s : ir::freeVars(e)) {
    bool isParam =
        std::any_of(out_.params.begin(), out_.params.end(), [&](const ir::Param& p) { return p.name == s; });
    if (!isParam && !sizes_.count(s)) return false;
  }
  return true;
}

bool Lowering::isCallers(Symbol buffer) const {
  return std::any_of(out_.params.begin(), out_.params.end(),
                     [&](const ir::Param& p) { return p.isArray && p.name == buffer; });
}

bool Lowering::isArrayResult(Symbol buffer) const {
  return std::any_of(out_.results.begin(), out_.results.end(),
                     [&](const ir::Result& r) { return r.kind == ir::Result::Array && r.name == buffer; });
}

/// The buffers with one of which this one may have changed places, parameters first.
std::vector<Symbol> Lowering::placesOf(Symbol buffer) const {
  if (!swapped_.count(buffer)) return {buffer};
  std::set<Symbol> found{buffer};
  for (size_t before = 0; before != found.size();) {
    before = found.size();
    for (const ir::Stmt& s : lists_.front())
      ir::visit(s, [&](const ir::Stmt& inner) {
        const auto* swap = inner.as<ir::Swap>();
        if (swap && (found.count(swap->a) || found.count(swap->b))) found.insert({swap->a, swap->b});
        return true;
      });
  }
  std::vector<Symbol> places;
  for (const ir::Buffer& b : out_.buffers)
    if (found.count(b.name)) places.push_back(b.name);
  return places;
}

/// Reports where Python would return an array of the caller, or a part of it, and a copy stands for it.
bool Lowering::refuseCopyOfCaller(const Array& a) {
  if (a.shares && isCallers(a.shares)) {
    error(DiagId::Unsupported, statement_,
          fmt::format(
              "NumPy returns memory of `{}` here, in a form of which appyc makes a copy; write `.copy()`",
              a.shares.hint()));
    return true;
  }
  if (!a.view || a.view->fancy) return false;
  for (const Symbol& mine : placesOf(a.view->buffer.name)) {
    const auto known = standsFor_.find(mine);
    if (known == standsFor_.end()) continue;
    for (const auto& [source, where] : known->second) {
      const std::vector<Symbol> places = placesOf(source);
      const auto of = std::find_if(places.begin(), places.end(), [&](Symbol s) { return isCallers(s); });
      if (of == places.end()) continue;
      error(
          DiagId::Unsupported, where,
          fmt::format("this is `{0}` itself on some paths, which NumPy returns, and another array on others; "
                      "appyc returns a new array: write `{0}.copy()` on those paths",
                      of->hint()));
      return true;
    }
  }
  return false;
}

/// An array where paths meet, some of which give one of the caller's: the wrapper returns that one there. False of others.
bool Lowering::addChosen(const Array& a) {
  const auto c = std::ranges::find_if(
      chosen_, [&](const Chosen& o) { return a.view && o.buffer == a.view->buffer.name; });
  const bool isPlain = c != chosen_.end() && a.view->whole && !swapped_.count(c->buffer) &&
                       std::ranges::none_of(c->of, [&](const Symbol& s) { return swapped_.count(s) > 0; }) &&
                       std::ranges::all_of(a.shape, [&](const Expr& e) { return isEntryExpr(e); });
  const Symbol buffer = isPlain ? c->buffer : Symbol();
  if (!isPlain || !makeResult(buffer, true)) return false;
  ir::Result place{ir::Result::Scalar, DType::I64, Symbol("place"), {}};
  place.hidden = true;
  place.among = {buffer};
  Expr number = ir::intConst(0);
  for (size_t k = 0; k < out_.params.size(); ++k)
    if (c->of.count(out_.params[k].name)) {
      const Expr isIt =
          ir::binary(ir::BinaryOp::Eq, ir::var(c->which), ir::intConst(static_cast<int64_t>(k) + 1));
      number = ir::select(isIt, ir::intConst(static_cast<int64_t>(place.among.size())), number);
      place.among.push_back(out_.params[k].name);
    }
  emit(ir::Assign{place.name, number});
  ir::Result r{ir::Result::Parameter, a.type, buffer, a.shape};
  r.place = place.name;
  out_.results.push_back(std::move(place));
  out_.results.push_back(std::move(r));
  return true;
}

/// `copy` is where Python would have `a` itself.
void Lowering::standsFor(const Array& copy, const Array& a, Span where) {
  const Symbol source = a.view && !a.view->fancy ? a.view->buffer.name : a.shares;
  if (!source) return;
  std::map<Symbol, Span>& sources = standsFor_[copy.view->buffer.name];
  sources.emplace(source, where);
  if (const auto further = standsFor_.find(source); further != standsFor_.end())
    sources.insert(further->second.begin(), further->second.end());
}

/// Is the view as many rows of an array as there are, from the first on?
static bool isFirstRows(const ir::Result& view) {
  return view.kind == ir::Result::View && !view.axes.empty() && view.axes[0].axis >= 0 &&
         view.axes[0].extent && view.axes[0].step == 1 && ir::isConst(view.axes[0].start, 0) &&
         std::all_of(view.axes.begin() + 1, view.axes.end(), [](const ir::ViewAxis& a) { return !a.start; });
}

/// Elements that are computed of such a part of memory, or of its bits, as a view of what lies there.
static std::optional<Array> shownPart(const Array& a, const ir::Buffer& memory) {
  Indices probes;
  for (size_t k = 0; k < a.shape.size(); ++k) probes.push_back(ir::var(Symbol("i")));
  const Expr element = a.at(probes);
  const auto* part = element.as<ir::Call>();
  const auto* load = part && part->args.size() == 1 ? part->args[0].as<ir::Load>() : nullptr;
  const bool isImag = part && part->fn == ir::Intrinsic::Imag;
  const bool isHalf = isImag || (part && part->fn == ir::Intrinsic::Real);
  if (!load || load->buffer != memory.name || (!isHalf && part->fn != ir::Intrinsic::BitsOf))
    return std::nullopt;
  auto view = std::make_shared<View>();
  view->buffer = memory;
  view->buffer.type = a.type;
  if (isHalf) view->buffer.extents.push_back(ir::intConst(2));
  view->strided = false;
  view->index = [at = a.at, isHalf, isImag](const Indices& i) {
    Indices all = at(i).as<ir::Call>()->args[0].as<ir::Load>()->index;
    if (isHalf) all.push_back(ir::intConst(isImag ? 1 : 0));
    return all;
  };
  Array shown = a;
  shown.view = view;
  return stridesOf(shown) ? std::optional(shown) : std::nullopt;
}

void Lowering::addResult(const Value& value, Span where, bool isShared) {
  if (value.isError()) return; // reported where it arose
  if (const auto* s = value.as<Scalar>()) {
    if (s->isCell) { // NumPy has an array without dimensions
      const Array one = newBuffer("result", s->type(), {});
      store(one, toArray(value));
      makeResult(one.view->buffer.name, false);
      return;
    }
    ir::Result r{ir::Result::Scalar, s->type(), Symbol("result"), {}};
    emit(ir::Assign{r.name, s->e});
    out_.results.push_back(r);
    return;
  }
  if (const auto* s = value.as<Selection>()) // a new array
    return addResult(Value{asArray({s->values, s->mask})}, where, false);
  const auto* a = value.as<Array>();
  if (!a) {
    error(DiagId::Unsupported, where,
          fmt::format("`{}` returns {}; return scalars, arrays, or tuples, lists and dicts of them",
                      out_.name, describe(value)));
    return;
  }
  if (isFileArray(a->shares)) {
    error(DiagId::Unsupported, where,
          fmt::format("`{}` returns an array of the file itself; return a copy of it, `.copy()`", out_.name));
    return;
  }
  for (const ir::Buffer& buffer : out_.buffers)
    if (buffer.name == a->shares && isCallers(a->shares) && placesOf(a->shares).size() == 1)
      if (const std::optional<Array> part = shownPart(*a, buffer)) return addView(*part, {a->shares});
  if (addChosen(*a) || refuseCopyOfCaller(*a)) return;
  const Symbol memory = showsMemory(value) ? a->view->buffer.name : Symbol();
  if (memory) {
    const std::vector<Symbol> places = placesOf(memory);
    const bool isKnown =
        std::any_of(places.begin(), places.end(), [&](Symbol s) { return isCallers(s) || isArrayResult(s); });
    if (isKnown || (isShared && (!a->view->whole || places.size() > 1))) return addView(*a, places);
  }
  const bool isSized =
      std::all_of(a->shape.begin(), a->shape.end(), [&](const Expr& e) { return isEntryExpr(e); });
  if (!isSized) return addPart(*a);
  // A temporary made at the top of the function becomes the result itself; anything else is copied.
  if (memory && a->view->whole && !swapped_.count(memory) && makeResult(memory, false)) return;
  Array copy = newBuffer("result", a->type, a->shape);
  if (!a->uninitialised) store(copy, *a);
  makeResult(copy.view->buffer.name, false);
}

/// An array whose size only the data tells: the first elements of a hidden one that has room for all.
void Lowering::addPart(const Array& a) {
  const auto addFirst = [&](const Array& part) {
    const ir::Buffer& buffer = part.view->buffer;
    if (!makeResult(buffer.name, true)) return false;
    addView(part, {buffer.name});
    if (diag_.hasErrors() || isFirstRows(out_.results.back()))
      return true; // the caller gets no more than these
    const Array all = memory(buffer);
    Array zeros = all;
    zeros.at = [type = buffer.type](const Indices&) { return ir::constOf(type, 0); };
    std::vector<ir::Stmt> cleared = collect([&] { store(all, zeros); });
    lists_.front().insert(lists_.front().begin(), cleared.begin(), cleared.end());
    return true;
  };
  const auto isRoomOfList = [&](const Expr& most) {
    return std::ranges::any_of(growing_,
                               [&](const auto& list) { return ir::mentions(most, list.second.room); });
  };
  const auto isFlat = [&](const std::vector<Expr>& most) {
    return listStates_.areResultsFlat && std::ranges::count_if(most, isRoomOfList) > 1;
  };
  const bool isPart = a.view && !a.view->fancy && a.view->strided && !swapped_.count(a.view->buffer.name) &&
                      !isFlat(a.view->buffer.extents);
  if (isPart && addFirst(a)) return;
  std::vector<Expr> room;
  for (const Expr& extent : a.shape)
    if (const std::optional<Expr> most = roomFor(extent)) room.push_back(*most);
  if (room.size() < a.shape.size() || isFlat(room)) return addUnbounded(a);
  const Array whole = newBuffer("result", a.type, room);
  Array part = remapped(whole, a.shape, [](const Indices& i) { return i; });
  if (!a.uninitialised) store(part, a);
  addFirst(part);
}

/// An array of which nothing tells how large it may be, in a hidden one that has room for many.
void Lowering::addUnbounded(const Array& given) {
  Array a = given;
  const Expr most = ir::intConst(kMostElements);
  Expr count = ir::intConst(1), fits = ir::boolConst(true);
  const auto add = [&](const Expr& number) {
    fits = ir::binary(ir::BinaryOp::LogicalAnd, fits, ir::binary(ir::BinaryOp::Le, number, most));
  };
  for (Expr& extent : a.shape) {
    extent = stable(extent);
    count = ir::mul(count, extent);
    add(extent); // so that the product is a number
  }
  add(count);
  require(fits, "NotImplementedError",
          fmt::format("a result whose size the data tells has more than {} elements; pass an array in and "
                      "fill it",
                      kMostElements));
  const Array whole = newBuffer("result", a.type, {most});
  Array part = remapped(whole, a.shape,
                        [shape = a.shape](const Indices& i) { return Indices{ir::positionOf(shape, i)}; });
  if (!a.uninitialised) store(part, a);
  if (makeResult(whole.view->buffer.name, true)) addView(part, {whole.view->buffer.name});
}

/// False if it is no temporary made at the top of the function, of a size known to the caller.
bool Lowering::makeResult(Symbol buffer, bool isHidden) {
  std::vector<ir::Stmt>& top = lists_.front();
  const auto alloc = std::find_if(top.begin(), top.end(), [&](const ir::Stmt& s) {
    const auto* n = s.as<ir::Alloc>();
    return n && n->buffer.name == buffer;
  });
  if (alloc == top.end()) return false;
  const ir::Buffer made = alloc->as<ir::Alloc>()->buffer;
  for (const Expr& e : made.extents)
    if (!isEntryExpr(e)) return false;
  top.erase(alloc);
  ir::Result r{ir::Result::Array, made.type, buffer, made.extents};
  r.hidden = isHidden;
  out_.results.push_back(r);
  return true;
}

/// A number of a view, which the wrapper gets from the call where it is no constant.
Expr Lowering::viewNumber(const Expr& e, const char* what) {
  return ir::constantInt(e) ? e : ir::var(hiddenNumber(e, what));
}

Symbol Lowering::hiddenNumber(const Expr& e, const char* what) {
  ir::Result r{ir::Result::Scalar, DType::I64, Symbol(what), {}};
  r.hidden = true;
  emit(ir::Assign{r.name, e});
  out_.results.push_back(r);
  return r.name;
}

/// The view, by the axes of its array: nothing where one does not follow from one of the view's by constant steps.
std::optional<std::vector<ir::ViewAxis>> Lowering::axesOfView(const Array& a) const {
  if (a.view->whole) return std::vector<ir::ViewAxis>();
  if (!a.view->strided || !a.view->readOnly.empty()) return std::nullopt;
  Indices probes;
  for (size_t k = 0; k < a.shape.size(); ++k) probes.push_back(ir::var(Symbol("i")));
  const Indices at = a.view->index(probes);
  std::vector<ir::ViewAxis> axes;
  for (size_t d = 0; d < at.size(); ++d) {
    ir::ViewAxis axis;
    Expr start = at[d];
    for (size_t k = 0; k < probes.size(); ++k) {
      const Symbol probe = probes[k].as<ir::Var>()->name;
      if (!ir::freeVars(at[d]).count(probe)) continue;
      const auto element = [&](int64_t i) { return ir::substitute(at[d], {{probe, ir::intConst(i)}}); };
      const std::optional<int64_t> step = ir::constantInt(ir::sub(element(1), element(0)));
      if (!step || axis.axis >= 0) return std::nullopt;
      axis.axis = static_cast<int>(k);
      axis.step = *step;
      start = ir::sub(element(0), ir::intConst(0));
    }
    if (axis.axis >= 0) {
      const Expr& extent = a.shape[static_cast<size_t>(axis.axis)];
      if (axis.step != 1 || !ir::isConst(start, 0) ||
          !ir::equalIndex(asCallerKnows(extent), a.view->buffer.extents[d]))
        axis.extent = extent;
    }
    if (axis.axis < 0 || axis.extent) axis.start = start;
    axes.push_back(axis);
  }
  for (size_t k = 0; k < probes.size(); ++k) { // an axis of no array's is a new one, of one element
    const auto isOfThis = [&](const ir::ViewAxis& axis) { return axis.axis == static_cast<int>(k); };
    if (!ir::isConst(a.shape[k], 1) && std::ranges::count_if(axes, isOfThis) != 1) return std::nullopt;
  }
  return axes;
}

/// An array parameter, an Array result or a part of one; `places`: with which it may have changed places.
void Lowering::addView(const Array& a, const std::vector<Symbol>& places) {
  const std::optional<std::vector<ir::ViewAxis>> axes = axesOfView(a);
  const bool mayShow = a.view->readOnly.empty() || a.view->isFrozen;
  const std::optional<Strides> strides = axes || !mayShow ? std::nullopt : stridesOf(a);
  if (!axes && !strides) {
    error(DiagId::Unsupported, statement_,
          fmt::format(
              "NumPy returns memory of `{}` here, under axes of another number or size; write `.copy()`",
              a.view->buffer.name.hint()));
    return;
  }
  const ir::Buffer& buffer = a.view->buffer;
  for (const Symbol& s : places)
    if (!isCallers(s) && !isArrayResult(s) && !makeResult(s, true)) {
      error(DiagId::Unsupported, statement_,
            fmt::format("this may be memory of `{}`, which appyc cannot return; write `.copy()`", s.hint()));
      return;
    }
  ir::Result r{a.view->whole ? ir::Result::Parameter : ir::Result::View, a.type, buffer.name, a.shape};
  if (places.size() > 1) {
    ir::Result place{ir::Result::Place, DType::I64, Symbol("place"), {}};
    place.hidden = true;
    place.of = buffer.name;
    place.among = places;
    r.place = place.name;
    out_.results.push_back(std::move(place));
  }
  if (strides) {
    for (Expr& extent : r.extents) extent = viewNumber(extent, "count");
    r.among.push_back(hiddenNumber(strides->first, "start"));
    for (const Expr& step : strides->steps) r.among.push_back(hiddenNumber(step, "step"));
  } else {
    r.axes = *axes;
  }
  for (ir::ViewAxis& axis : r.axes) {
    if (axis.extent) axis.extent = viewNumber(axis.extent, "count");
    if (axis.start) axis.start = viewNumber(axis.start, "start");
  }
  out_.results.push_back(std::move(r));
}

} // namespace appyc::sema
