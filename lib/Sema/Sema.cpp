//===- Sema.cpp - functions: parameters in, results out ------------------------------------------------===//
#include "appyc/Sema/Sema.h"
#include "Leaving.h"
#include "Lowering.h"
#include "Scopes.h"
#include "appyc/Frontend/Frontend.h"
#include "appyc/IR/Names.h"
#include "appyc/IR/Walk.h"
#include "appyc/Support/Quoted.h"

namespace appyc::sema {

std::optional<ir::Function> Lowering::run(const ast::Function& given, const ast::Signature& signature,
                                          const std::vector<SameSize>& same, bool stretch) {
  const ast::Function caller = callerOf(given);
  const ast::Function& fn =
      given.directive.maker.empty() ? withReplacedItems(withSpelledTexts(given)) : caller;
  same_ = &same;
  stretch_ = stretch;
  int errorsBefore = diag_.errorCount();
  out_.name = fn.name;
  out_.docstring = fn.docstring;
  out_.schedule = fn.schedule;
  out_.labels = fn.labels;
  out_.span = fn.nameSpan;
  statement_ = fn.nameSpan;
  frames_.push_back(
      {&fn, scanNames(fn), {}, {}, true, {}, 0, false, 0, 0, &program_.files.front(), ++calls_});
  if (fn.yields.end > 0)
    error(DiagId::Unsupported, fn.yields,
          "`yield` is not translated where others call the function; store the values into an array and "
          "return it");
  if (fn.directive.role == ast::FunctionDirective::Kernel) return runKernel(fn, signature);
  std::set<const ast::Function*> seen;
  tensors_ = usesTensors({&fn, file()}, seen);
  lists_.emplace_back();
  if (!bindParameters(fn, withCharacters(fn, signature))) return std::nullopt;
  bindDimInfo(fn.directive);
  makeDrawnStates();
  openPools();
  const Value body = lowerBody(fn);
  if (returned_.end > 0) statement_ = returned_;
  const Value returned = signature.converts ? asDeclared(body, &signature) : body;
  giveBackChosen();
  bindResults(returned, signature);
  emit(ir::Return{});
  settleLists();
  emitJointSizes();
  out_.body = ir::block(std::move(lists_.front()));
  out_.unstretched = unstretched();
  std::set<Symbol> written = ir::storedBuffers(out_.body);
  for (ir::Param& p : out_.params) p.written = written.count(p.name) > 0;
  if (diag_.errorCount() == errorsBefore) checkCopies(out_, copies_, diag_);
  if (diag_.errorCount() > errorsBefore) return std::nullopt;
  out_.body = ir::rewrite(out_.body, [&](const ir::Stmt& s) { // what it needed to know
    const auto* mark = s.as<ir::Assign>();
    return mark && copies_.count(mark->var) ? ir::block({}) : s;
  });
  return std::move(out_);
}

//===--- parameters -------------------------------------------------------------------------------------===//

namespace {
/// A parameter as C gets it: of a record each field is one.
struct Leaf {
  ast::Parameter param;
  std::optional<ast::TypeSpec> type;
};
void addLeaves(const ast::Parameter& p, const std::optional<ast::TypeSpec>& type, std::vector<Leaf>& leaves) {
  const auto add = [&](const std::string& part, const std::optional<ast::TypeSpec>& of) {
    addLeaves({fmt::format("{}.{}", p.name, part), {}, p.where}, of, leaves); // no name of Python's
  };
  if (!type || !type->isTakenApart()) return leaves.push_back({p, type});
  if (type->record)
    for (const ast::Class::Field& f : type->record->fields) add(f.name, f.type);
  for (const auto& [part, of] : partsOfGiven(*type)) add(part, of);
}
} // namespace

/// The number as Python writes it; empty where it is no constant, or none that a text gives back.
static std::string textOf(const Value& v) {
  if (const auto* text = v.as<StringValue>()) return quoted(text->text);
  const auto* s = v.as<Scalar>();
  const auto* c = s ? s->e.as<ir::Const>() : nullptr;
  if (!c) return "";
  if (const auto* b = std::get_if<bool>(&c->value)) return *b ? "True" : "False";
  if (const auto* i = std::get_if<int64_t>(&c->value)) return std::to_string(*i);
  const auto* x = std::get_if<double>(&c->value);
  return x && std::isfinite(*x) ? fmt::format("{:#}", *x) : "";
}

bool Lowering::bindParameters(const ast::Function& fn, const ast::Signature& signature) {
  bool ok = true, isTakenApart = false;
  std::vector<Leaf> leaves;
  for (size_t i = 0; i < fn.params.size(); ++i) {
    addLeaves(fn.params[i], signature.params[i], leaves);
    isTakenApart |= signature.params[i] && signature.params[i]->isTakenApart();
  }
  if (isTakenApart && fn.signatures.size() > 1)
    error(DiagId::BadSignature, signature.where,
          fmt::format("`{}` takes records or lists, and has more than one signature; give each a function",
                      fn.name));
  for (size_t i = 0; i < fn.params.size(); ++i) {
    if (!signature.params[i]) continue;
    out_.keywordOnly += fn.params[i].kind == ast::Parameter::KeywordOnly && fn.signatures.size() == 1;
    const ast::TypeSpec& type = *signature.params[i];
    const bool isText = type.dtype == "text" || type.dtype == "characters";
    const bool isOne = !type.isArray && (!type.isTakenApart() || isText);
    const std::string text =
        isOne && fn.params[i].defaultValue ? textOf(eval(fn.params[i].defaultValue)) : "";
    text.empty() ? out_.defaults.clear() : out_.defaults.push_back(text); // Python has others before these
  }
  // Scalars first: array extents may name them.
  for (const Leaf& leaf : leaves)
    if (leaf.type && !leaf.type->isArray) ok &= bindScalar(leaf.param, *leaf.type);
  for (const Leaf& leaf : leaves)
    if (leaf.type)
      ok &= bindValue(leaf.param, *leaf.type);
    else
      env()[leaf.param.name] = leaf.param.defaultValue ? eval(leaf.param.defaultValue) : Value{};
  for (const SameSize& s : *same_)
    if (s.axis < 0) {
      const std::string name = out_.params.at(static_cast<size_t>(s.param)).name.hint();
      env()[name] = Value{Scalar{*sameSize(s.param, s.axis), env()[name].as<Scalar>()->weak}};
    }
  for (size_t i = 0; ok && isTakenApart && i < fn.params.size(); ++i) {
    const std::optional<ast::TypeSpec>& type = signature.params[i];
    if (!type) continue;
    ir::Taken taken{fn.params[i].name, {}};
    taken.form.kind = ir::Form::Value;
    if (type->record) env()[fn.params[i].name] = bindRecord(fn.params[i], type->record, taken.form, "");
    if (type->container != ast::TypeSpec::Single)
      env()[fn.params[i].name] = bindGiven(fn.params[i], *type, taken.form);
    out_.taken.push_back(std::move(taken));
  }
  return ok;
}

/// Where the field of a record is found in it, as Python writes it.
static std::string placeOf(const ast::ClassRef& type, const std::string& field) {
  return type->kind == ast::Class::TypedDict ? fmt::format("[{}]", quoted(field)) : "." + field;
}

/// The record of the parameters that its fields are; `place` in the parameter it stands.
Value Lowering::bindRecord(const ast::Parameter& param, const ast::ClassRef& type, ir::Form& form,
                           const std::string& place) {
  std::vector<Value> values;
  for (const ast::Class::Field& f : type->fields) {
    const std::string name = param.name + "." + f.name;
    ir::Form part;
    part.kind = ir::Form::Value;
    if (f.type->record)
      values.push_back(
          bindRecord({name, {}, param.where}, f.type->record, part, place + placeOf(type, f.name)));
    else
      values.push_back(env().at(name));
    env().erase(name);
    form.keys.push_back(type->kind == ast::Class::TypedDict ? keyOfText(f.name) : f.name);
    form.parts.push_back(std::move(part));
  }
  form.kind = type->kind == ast::Class::TypedDict    ? ir::Form::Dict
              : type->kind == ast::Class::NamedTuple ? ir::Form::NamedTuple
                                                     : ir::Form::Instance;
  form.type = type->name;
  const Value made = instanceOf(type, values);
  if (const auto* r = made.as<RecordValue>()) {
    Object& object = objects_.at(r->object);
    object.isCallers = true;
    object.param = param.name.substr(0, param.name.find('.'));
    object.place = place;
    object.given = fieldsOf(*r, param.where);
  }
  return made;
}

bool Lowering::bindScalar(const ast::Parameter& param, const ast::TypeSpec& type) {
  const DType dtype = *ir::dtypeNamed(type.dtype);
  const Symbol symbol(param.name);
  env()[param.name] = Value{Scalar{ir::var(symbol, dtype), type.weak || tensors_}};
  if (dtype == DType::I64) sizeNames_[param.name] = ir::var(symbol);
  const bool isPython = dtype == DType::I64 || dtype == DType::F64 || ir::isBool(dtype);
  if (!tensors_ || isPython) return true;
  error(DiagId::BadSignature, param.where,
        fmt::format("a number of {} beside PyTorch's tensors is none of Python's: write `float` or `int`, or "
                    "pass an array",
                    ir::name(dtype)));
  return false;
}

bool Lowering::bindValue(const ast::Parameter& param, const ast::TypeSpec& type) {
  if (type.isArray) return bindArray(param, type, static_cast<int>(out_.params.size()));
  const Scalar& s = *env()[param.name].as<Scalar>();
  ir::Param p;
  p.name = s.e.as<ir::Var>()->name;
  p.type = s.type();
  p.weak = s.weak;
  out_.params.push_back(p);
  return true;
}

bool Lowering::bindArray(const ast::Parameter& param, const ast::TypeSpec& type, int position) {
  ir::Param p;
  p.name = Symbol(param.name);
  p.type = *ir::dtypeNamed(type.dtype);
  p.isArray = true;
  p.byColumns = type.byColumns;
  std::vector<std::string> extents = type.extents;
  if (type.byColumns) std::ranges::reverse(extents);
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    Expr extent = extentOf(extents[axis], type, param.name, position, static_cast<int>(axis));
    if (!extent) return false;
    p.extents.push_back(extent);
  }
  ir::Buffer buffer{p.name, p.type, p.extents};
  out_.buffers.push_back(buffer);
  out_.params.push_back(p);
  const Array whole = memory(buffer);
  env()[param.name] = type.byColumns ? transpose(whole) : Value{whole};
  return true;
}

/// A new name becomes a size; `name + 4` of a new name defines it from the axis; anything else is checked at
/// the call.
Expr Lowering::extentOf(const std::string& text, const ast::TypeSpec& type, const std::string& param,
                        int position, int axis) {
  auto newSize = [&](const std::string& name) {
    Symbol s(name);
    out_.sizes.push_back({s, position, axis});
    sizes_.insert(s);
    return ir::var(s);
  };
  if (text.empty()) {
    const Expr size = newSize(fmt::format("{}_{}", param, axis));
    out_.sizes.back().open = true;
    return sameSize(position, axis).value_or(size);
  }
  ast::Expr e = frontend::parseExpression(text, type.where, diag_);
  if (!e) return {};
  if (const auto* n = e.as<ast::Name>()) {
    auto it = sizeNames_.find(n->id);
    return it != sizeNames_.end() ? it->second : sizeNames_[n->id] = newSize(n->id);
  }
  if (const auto* b = e.as<ast::Binary>();
      b && (b->op == ast::BinaryOp::Add || b->op == ast::BinaryOp::Sub)) {
    const auto* n = b->lhs.as<ast::Name>();
    const auto* c = b->rhs.as<ast::IntLit>();
    if (n && c && !sizeNames_.count(n->id)) {
      Expr whole = newSize(fmt::format("{}_{}", param, axis));
      Expr offset = ir::intConst(static_cast<int64_t>(c->value));
      sizeNames_[n->id] = b->op == ast::BinaryOp::Add ? ir::sub(whole, offset) : ir::add(whole, offset);
      return whole;
    }
  }
  Env saved = std::exchange(env(), {});
  for (const auto& [name, extent] : sizeNames_) env()[name] = Value{Scalar{extent, true}};
  std::optional<Expr> extent = evalIndexExpr(e, "an extent");
  env() = std::move(saved);
  return extent.value_or(Expr{});
}

/// What the size or scalar parameter is to be taken as, if anything.
std::optional<Expr> Lowering::sameSize(int position, int axis) const {
  for (const SameSize& s : *same_) {
    if (s.param != position || s.axis != axis) continue;
    for (const ir::Size& known : out_.sizes)
      if (known.param == s.asParam && known.axis == s.asAxis) return ir::var(known.name);
  }
  return {};
}

//===--- helpers ------------------------------------------------------------------------------------===//

Value Lowering::error(DiagId id, Span where, std::string text) {
  diag_.report(id, where, std::move(text));
  return Value{};
}

/// What the library emits stands at the user's call.
void Lowering::emit(ir::Stmt s) {
  if (site_ && s->span != site_->where)
    s = ir::Stmt(std::make_shared<ir::StmtNode>(ir::StmtNode{site_->where, s->node}));
  checkKeptMasks(s);
  if (!waiting_.empty()) fixWaiting(s);
  if (!listMemory_.empty() && replacing_ == 0) noteListChange(s);
  lists_.back().push_back(std::move(s));
}

std::vector<ir::Stmt> Lowering::collect(const std::function<void()>& fn) {
  lists_.emplace_back();
  fn();
  std::vector<ir::Stmt> made = std::move(lists_.back());
  lists_.pop_back();
  for (auto& entry : objects_)
    if (entry.second.list > lists_.size()) entry.second.list = 0;
  return made;
}

Array Lowering::memory(const ir::Buffer& buffer) const {
  auto view = std::make_shared<View>();
  view->buffer = buffer;
  view->index = [](const Indices& i) { return i; };
  view->whole = true;
  Array a;
  a.type = buffer.type;
  a.shape = buffer.extents;
  a.at = [buffer](const Indices& i) { return ir::load(buffer, i); };
  a.view = view;
  return a;
}

Array Lowering::newBuffer(const std::string& hint, DType type, const std::vector<Expr>& shape, bool onChip) {
  // In a loop memory is planned ahead, by what the caller knows.
  if (!loops_.empty() &&
      std::ranges::any_of(shape, [&](const Expr& e) { return !isEntryExpr(e) && roomFor(e); }))
    return roomyBuffer(hint, type, shape);
  ir::Buffer buffer{Symbol(hint), type, {}, onChip};
  std::vector<Expr> extents;
  for (const Expr& e : shape) {
    extents.push_back(stable(e));
    buffer.extents.push_back(asCallerKnows(extents.back()));
  }
  out_.buffers.push_back(buffer);
  emit(ir::Alloc{buffer});
  Array made = memory(buffer);
  made.shape = std::move(extents);
  return made;
}

Array Lowering::materialize(const Array& a, const std::string& hint) {
  if (a.view && !a.view->fancy) return a;
  Array buffer = newBuffer(hint, a.type, a.shape, a.onChip);
  if (a.ofThread && kernel_) kernel_->ofThread.insert(buffer.view->buffer.name);
  if (!a.uninitialised) store(buffer, a);
  noteOrder(buffer, a);
  if (a.shares) standsFor(buffer, a, shown(statement_));
  if (a.shares && !a.shape.empty())
    copies_[lists_.back().back().as<ir::IndexStmt>()->domain[0].index] = {a.shares, hint, shown(statement_),
                                                                          true, isFileArray(a.shares)};
  return buffer;
}

Expr Lowering::materialize(const Expr& e, const std::string& hint) {
  bool nonNegative = ir::isInteger(ir::typeOf(e)) && ir::typeOf(e) != DType::U64 && isNonNegative(e);
  Symbol variable = newVariable(hint, ir::typeOf(e), e);
  if (nonNegative) nonNegative_.insert(variable);
  if (!loops_.empty() && ir::isInteger(ir::typeOf(e))) noteCounted(variable, e);
  if (const std::optional<Expr> most = nonNegative ? roomFor(e) : std::nullopt) room_[variable] = *most;
  return ir::var(variable, ir::typeOf(e));
}

std::vector<ir::Range> Lowering::rangesFor(const std::vector<Expr>& shape, Indices& indices) const {
  static constexpr const char* kNames[] = {"i", "j", "k", "l"};
  std::vector<ir::Range> ranges;
  for (size_t d = 0; d < shape.size(); ++d) {
    Symbol index(kNames[d % 4]);
    ranges.push_back({index, shape[d], false, 0, false});
    indices.push_back(ir::var(index));
  }
  return ranges;
}

void Lowering::store(const Array& place, const Array& value) {
  Indices indices;
  ir::IndexStmt s;
  s.domain = rangesFor(place.shape, indices);
  s.target = place.view->buffer.name;
  s.index = place.view->index(indices);
  s.value = ir::cast(place.type, value.at(indices));
  emit(std::move(s));
}

void Lowering::storeCopy(const Array& place, const Array& value, const Array& bound, const std::string& name,
                         Span where) {
  store(place, value);
  noteOrder(place, value);
  const auto* stored = lists_.back().back().as<ir::IndexStmt>();
  bool shared = bound.view && !bound.view->fancy;
  if (!stored->domain.empty())
    copies_[stored->domain[0].index] = {shared ? bound.view->buffer.name : Symbol(), name, shown(where)};
}

Array Lowering::toArray(const Value& v) const {
  if (const auto* a = v.as<Array>()) return *a;
  Array a;
  if (const auto* s = v.as<Scalar>()) {
    a.type = s->type();
    a.at = [e = s->e](const Indices&) { return e; };
  }
  return a;
}

Symbol Lowering::newVariable(const std::string& hint, DType type, const Expr& init) {
  Symbol s(hint);
  emit(ir::Assign{s, ir::cast(type, init)});
  return s;
}

bool Lowering::isStable(const Expr& e) const {
  if (ir::readsMemory(e)) return false;
  for (const Symbol& s : ir::freeVars(e))
    if (mutable_.count(s)) return false;
  return true;
}

Expr Lowering::stable(const Expr& e) {
  if (isStable(e)) return e;
  // Bounds read twice from unchanged memory are one variable: so that `x[p[i]:p[i+1]]` and `y[p[i]:p[i+1]]`
  // compare.
  const std::set<Symbol> read = ir::loadedBuffers(e), vars = ir::freeVars(e);
  for (auto s = lists_.back().rbegin(); s != lists_.back().rend(); ++s) {
    const auto* a = s->as<ir::Assign>();
    if (a && !mutable_.count(a->var) && ir::equal(a->value, e)) return ir::var(a->var, ir::typeOf(e));
    auto changed = [](const std::set<Symbol>& changes, const std::set<Symbol>& names) {
      return std::any_of(changes.begin(), changes.end(),
                         [&](const Symbol& name) { return names.count(name) > 0; });
    };
    if (changed(ir::storedBuffers(*s), read) || changed(ir::assignedVars(*s), vars)) break;
  }
  return materialize(e, "n");
}

analysis::Context Lowering::context() const {
  analysis::Context c;
  for (const ir::For& loop : loops_) c.loops.push_back(&loop);
  c.sizes = sizes_;
  c.sizes.insert(nonNegative_.begin(), nonNegative_.end());
  return c;
}

/// Text in which symbols are identities.
static void spell(const Expr& e, std::string& out) {
  if (const auto* v = e.as<ir::Var>())
    out += fmt::format("v{}", v->name.id());
  else if (const auto* b = e.as<ir::Binary>())
    out += fmt::format("o{}", static_cast<int>(b->op));
  else if (const auto* u = e.as<ir::Unary>())
    out += fmt::format("u{}", static_cast<int>(u->op));
  else if (const auto* f = e.as<ir::Call>())
    out += fmt::format("f{}", static_cast<int>(f->fn));
  else if (const auto* a = e.as<ir::Apply>())
    out += fmt::format("a{}", static_cast<const void*>(a->function.get()));
  else if (std::optional<int64_t> c = ir::constantInt(e))
    out += fmt::format("c{}", *c);
  else
    out += fmt::format("n{}t{}", e->node.index(), static_cast<int>(ir::typeOf(e)));
  out += '(';
  ir::mapChildren(e, [&](const Expr& child) {
    spell(child, out);
    return child;
  });
  out += ')';
}

bool Lowering::alwaysEqual(const Expr& a, const Expr& b) {
  if (ir::equalIndex(a, b)) return true;
  if (ir::readsMemory(a) || ir::readsMemory(b)) return false;
  std::string key;
  spell(a, key), spell(b, key);
  for (const ir::For& loop : loops_) key += fmt::format("l{}", loop.index.id()); // what holds where it runs
  auto [it, isNew] = equalities_.try_emplace(key, false);
  if (isNew) it->second = analysis::alwaysEqual(a, b, context());
  return it->second;
}

/// Cheap rules first; isl for the rest.
bool Lowering::isNonNegative(const Expr& e) const {
  if (std::optional<int64_t> c = ir::constantInt(e)) return *c >= 0;
  if (e.is<ir::Hardware>()) return true;
  if (const auto* v = e.as<ir::Var>()) {
    if (sizes_.count(v->name) || nonNegative_.count(v->name)) return true;
    for (const ir::For& loop : loops_)
      if (loop.index == v->name && ir::constantInt(loop.step).value_or(0) > 0 && isNonNegative(loop.lo))
        return true;
    const auto tells = [&](const ir::For& loop) {
      return loop.index == v->name || ir::mentions(loop.lo, v->name) || ir::mentions(loop.hi, v->name);
    };
    if (std::ranges::none_of(loops_, tells)) return false; // nothing is known of it
  }
  if (const auto* b = e.as<ir::Binary>(); b && (b->op == ir::BinaryOp::Add || b->op == ir::BinaryOp::Mul))
    if (isNonNegative(b->lhs) && isNonNegative(b->rhs)) return true;
  if (const auto* b = e.as<ir::Binary>(); b && b->op == ir::BinaryOp::Mod && isNonNegative(b->rhs))
    return true;
  if (const auto* c = e.as<ir::Cast>();
      c && (ir::isUnsigned(ir::typeOf(c->arg)) || ir::isBool(ir::typeOf(c->arg))))
    return true;
  if (ir::readsMemory(e)) return false;
  return analysis::isNonNegative(e, context());
}

} // namespace appyc::sema
