//===- Pools.cpp - objects in lists: all instances of a class in memory, one array for each field ------------===//
//   bodies.append(Body(1.0, 0.0))      =>      Body_x[length] = 1.0;  Body_v[length] = 0.0;  bodies: the number of each
//   for b in bodies:                           for k in [0, n):
//     b.x += dt * b.v                            b = bodies[k];  Body_x[b] = Body_x[b] + dt * Body_v[b]
// An instance is its number, so that all that have it see it change: a list of objects is one of numbers, with what tuples
// in lists can do. That instances of a class are such is known where the first is put into a list: the function is lowered
// once more.
#include "Lowering.h"

namespace appyc::sema {

namespace {
std::string nameOfPool(const ast::ClassRef& type) { return type->name + " in memory"; }
/// By what the states of the fields are found.
uint64_t madeOf(const ast::ClassRef& type) { return uint64_t(1) << 59 | type->where.begin; }
uint64_t madeOf(const ast::ClassRef& type, size_t k) { return madeAs(madeOf(type), k); }
std::string kindOfField(const PooledField& f, uint64_t made, const ListStates& known) {
  return f.of                       ? "an instance of `" + f.of->name + "`"
         : f.isList                 ? "a list"
         : known.arrays.count(made) ? "an array"
         : known.states.count(made) ? "a number"
                                    : "";
}
/// Which of the memory's parts says whether field `k` is None.
size_t flagOf(const std::vector<PooledField>& fields, size_t k) {
  return fields.size() +
         static_cast<size_t>(std::count_if(fields.begin(), fields.begin() + static_cast<std::ptrdiff_t>(k),
                                           [](const PooledField& f) { return f.mayBeNone; }));
}
} // namespace

/// By what an instance's class is found among those in memory: of a dict what stands for those with its keys.
ast::ClassRef Lowering::classInMemory(const RecordValue& r) {
  if (r.type) return r.type;
  const Object& object = objects_.at(r.object);
  if (object.type || object.fields.empty()) return object.type;
  if (std::ranges::any_of(object.fields, [](const std::string& key) { return key[0] != '"'; }))
    return nullptr;
  ast::ClassRef& known = listStates_.dicts[object.fields];
  if (!known && object.made) {
    ast::Class made{"dict"};
    for (const std::string& key : object.fields) made.name += " " + key;
    made.kind = ast::Class::TypedDict;
    made.where = {static_cast<uint32_t>(object.made), static_cast<uint32_t>(object.made)};
    known = std::make_shared<const ast::Class>(made);
  }
  return known;
}

bool isPooled(const Value& v) {
  const auto* r = v.as<RecordValue>();
  return r && r->isPooled;
}

bool holdsPooled(const Value& v) { return isPooled(v) || std::ranges::any_of(heldParts(v), holdsPooled); }

/// The instance of that number.
static RecordValue instanceAt(const ast::ClassRef& type, const Expr& at) {
  return {type->kind == ast::Class::TypedDict ? nullptr : type, nameOfPool(type), true, at};
}

/// Notes what the field holds; false where it holds something else already, or that does not live in memory.
bool Lowering::learnField(PooledField& field, uint64_t made, const Value& v) {
  if (v.as<NoneValue>()) return field.mayBeNone = true;
  if (const auto* o = v.as<OptionalValue>()) {
    field.mayBeNone = true;
    return learnField(field, made, *o->value);
  }
  const std::string kind = kindOfField(field, made, listStates_);
  if (const auto* s = v.as<Scalar>()) {
    if (kind.empty()) listStates_.states[made] = keptIn(*s, ir::var(Symbol("item"), s->type()));
    return kind.empty() || kind == "a number";
  }
  if (const auto* a = v.as<Array>())
    return kind.empty() ? canBeItem(v) && noteArrays(made, *a) : kind == "an array";
  if (const auto* r = v.as<RecordValue>()) {
    const ast::ClassRef type = classInMemory(*r);
    if (!kind.empty() || !type) return type && field.of == type;
    if (!r->isPooled && !becomesPooled(v)) return false;
    field.of = type;
    return true;
  }
  if (!isList(v) || isDeque(v) || isSet(v) || (!kind.empty() && !field.isList)) return false;
  return field.isList = true;
}

/// An object is put into a list: the instances of its class live in memory when the function is lowered once more. False where
/// that does not help.
bool Lowering::becomesPooled(const Value& v) {
  const auto* r = v.as<RecordValue>();
  if (!r || r->isPooled || tableIn(v) || objects_.at(r->object).isCallers) return false;
  const ast::ClassRef type = classInMemory(*r);
  if (!type) return false;
  if (listStates_.pooled.count(type)) return !pools_.count(type); // known since an earlier attempt
  std::vector<PooledField> fields;
  for (const std::string& name : objects_.at(r->object).fields) {
    const auto found = env().find(fieldName(r->object, name));
    if (found == env().end() && env().lost.count(fieldName(r->object, name))) return false;
    fields.push_back({name});
    fields.back().isUnset = found == env().end();
    const Value held = storedText(found == env().end() ? Value{NoneValue{}} : found->second);
    if (!learnField(fields.back(), madeOf(type, fields.size() - 1), held)) return false;
  }
  if (fields.empty()) return false;
  listStates_.pooled.try_emplace(type, fields);
  listStates_.haveChanged = true;
  return true;
}

/// At the function's begin: memory for the instances of each class of which some are in lists.
void Lowering::openPools() {
  const auto all = listStates_.pooled;
  for (const auto& [type, fields] : all) {
    ListValue pool;
    pool.made = madeOf(type);
    pool.isKept = true;
    pool.like = std::make_shared<const Value>(Value{instanceAt(type, Expr())});
    Object& object = objects_[nameOfPool(type)];
    object = {type, {}, lists_.size()};
    for (const PooledField& f : fields) object.fields.push_back(f.name);
    if (type->isFrozen) object.readOnly = kFrozen;
    pools_[type] = {pool, fields};
    std::vector<Array> none;
    const auto add = [&](size_t k, DType otherwise) {
      ListValue part;
      part.made = madeOf(type, k);
      part.isKept = true;
      const auto row = listStates_.arrays.find(part.made);
      const std::optional<Scalar> state = stateOf(part);
      part.hasViews = row != listStates_.arrays.end();
      none.push_back(part.hasViews ? noArrays(row->second) : emptyArray(state ? state->type() : otherwise));
      pool.fields.push_back(part);
    };
    for (size_t k = 0; k < fields.size(); ++k) {
      add(k, fields[k].of || fields[k].isList ? DType::I64 : DType::F64);
      if (!fields[k].isList) continue;
      ListValue rows;
      rows.made = madeOf(type, k);
      const Value lists = nestedList(fields[k].name, rows, Value{TupleValue{{}, true}}, type->where);
      if (const auto* nested = lists.as<NestedValue>()) pool.fields.back().rows = nested->rows;
    }
    for (size_t k = 0; k < fields.size(); ++k)
      if (fields[k].mayBeNone) add(flagOf(fields, k), DType::Bool);
    pools_[type].memory = growingList(type->name, pool, none, type->where);
  }
}

/// What part `k` of a list of tuples is called: of instances the field.
std::string Lowering::nameOfPart(const ListValue& list, size_t k) const {
  const auto* r = list.like->as<RecordValue>();
  const auto pool = r ? pools_.find(r->type ? r->type : objects_.at(r->object).type) : pools_.end();
  if (pool == pools_.end() || list.made != madeOf(pool->first)) return std::to_string(k);
  const std::vector<PooledField>& fields = pool->second.fields;
  for (size_t of = 0; of < fields.size(); ++of)
    if (of == k || (fields[of].mayBeNone && flagOf(fields, of) == k))
      return fields[of].name + (of == k ? "" : "_is_none");
  return std::to_string(k);
}

/// A new instance, whose fields have values: in memory, where those of its class are.
Value Lowering::inPool(const Value& made, Span where) {
  const auto* r = made.as<RecordValue>();
  const auto found =
      r && !r->isPooled && !tableIn(made) && !pools_.empty() ? pools_.find(classInMemory(*r)) : pools_.end();
  if (found == pools_.end()) return made;
  const ListValue& pool = found->second.memory;
  if (!mayGrow(pool, where)) return Value{};
  const std::vector<PooledField> fields = found->second.fields;
  const Expr at = materialize(ir::var(pool.length), r->type ? r->type->name : "dict");
  nonNegative_.insert(at.as<ir::Var>()->name);
  require(ir::binary(ir::BinaryOp::Lt, at, ir::var(growing_.at(pool.length).room)), "MemoryError",
          "there are more objects than there is room for; make arrays of what they hold");
  const RecordValue pooled = instanceAt(found->first, at);
  emit(ir::Assign{pool.length, ir::add(ir::var(pool.length), ir::intConst(1))});
  const std::string_view readOnly = std::exchange(objects_.at(pooled.object).readOnly, {});
  for (const PooledField& field : fields) {
    const std::string name = fieldName(r->object, field.name);
    const bool isUnset = field.isUnset && !env().count(name);
    Value value = isUnset ? Value{NoneValue{}} : fieldOf(*r, field.name, where);
    if (value.isError()) return value;
    env().erase(name);
    setPooledField(pooled, field.name, value, where);
  }
  objects_.at(pooled.object).readOnly = readOnly;
  return Value{pooled};
}

/// The memory of the field of all instances.
std::optional<Lowering::Column> Lowering::columnOf(const RecordValue& r, const std::string& field) const {
  const auto pool = pools_.find(r.type ? r.type : objects_.at(r.object).type);
  if (pool == pools_.end()) return std::nullopt;
  const std::vector<PooledField>& fields = pool->second.fields;
  const auto found = std::ranges::find(fields, field, &PooledField::name);
  if (found == fields.end()) return std::nullopt;
  const auto k = static_cast<size_t>(found - fields.begin());
  const std::vector<ListValue>& parts = pool->second.memory.fields;
  return Column{&*found, &parts[k], found->mayBeNone ? &parts[flagOf(fields, k)] : nullptr};
}

/// The place of a field that is an array; none of others.
std::optional<Array> Lowering::rowOfField(const Value& of, const std::string& field) {
  const auto* r = of.as<RecordValue>();
  const std::optional<Column> column = r && r->isPooled ? columnOf(*r, field) : std::nullopt;
  if (!column || !column->values->hasViews) return std::nullopt;
  if (column->isNone) present(pooledField(*r, field, statement_), statement_);
  return rowAt(column->values->values, stable(r->at));
}

/// What it holds where it is not None.
Value Lowering::fieldIn(const Column& column, const Expr& at, Span where) {
  const ListValue& all = *column.values;
  if (all.hasViews) return arrayItem(rowAt(all.values, stable(at)), where);
  const Expr held = all.values.at({at});
  if (column.field->isList) return all.rows ? Value{rowList(all.rows, held)} : Value{};
  if (column.field->of) return Value{instanceAt(column.field->of, held)};
  return stateOf(all) ? asItem(all, Value{Scalar{held}}) : Value{NoneValue{}};
}

Value Lowering::pooledField(const RecordValue& r, const std::string& field, Span where) {
  const std::optional<Column> column = columnOf(r, field);
  const Value held = column ? fieldIn(*column, r.at, where) : Value{};
  if (!column || !column->isNone || held.isError() || held.as<NoneValue>()) return held;
  const Value all{OptionalValue{column->isNone->values.at({r.at}), std::make_shared<Value>(held)}};
  return column->field->isUnset ? present(all, where) : all;
}

void Lowering::setPooledField(const RecordValue& r, const std::string& field, const Value& given,
                              Span where) {
  const std::optional<Column> column = columnOf(r, field);
  const Value value = storedText(given);
  if (!column || value.isError()) return;
  const ListValue& all = *column->values;
  const ast::ClassRef type = classInMemory(r);
  PooledField& known = *std::ranges::find(listStates_.pooled.at(type), field, &PooledField::name);
  const std::string kind = kindOfField(known, all.made, listStates_);
  if (!learnField(known, all.made, value)) {
    error(
        DiagId::Unsupported, where,
        fmt::format(
            "instances of `{}` are in a list, where a field is a number, a text, a list of such, an object, "
            "or an "
            "array of one type and one shape that is known at the begin; `{}` is {} and becomes {}",
            type->name, field, kind.empty() ? "None" : kind, describe(value)));
    return;
  }
  if (known.mayBeNone != (column->isNone != nullptr) || kindOfField(known, all.made, listStates_) != kind) {
    listStates_.haveChanged = true;
    return;
  }
  const auto* o = value.as<OptionalValue>();
  const Value held = o ? *o->value : value;
  const Expr at = stable(r.at),
             isNone = stable(o ? o->isNone : ir::boolConst(value.as<NoneValue>() != nullptr));
  const auto put = [&](const ListValue& part, const Expr& number) {
    emit(ir::Store{part.values.view->buffer.name, {at}, ir::cast(part.values.type, number), {}});
  };
  if (const auto* s = held.as<Scalar>()) {
    if (!putState(all, *s, where)) return;
    put(all, column->isNone ? stable(s->e) : s->e);
  } else if (const auto* other = held.as<RecordValue>()) {
    if (other->isPooled) put(all, other->at);
  } else if (held.as<Array>()) {
    const Array row = rowAt(all.values, at), from = *held.as<Array>();
    if (from.type != row.type || from.shape.size() != row.shape.size()) {
      error(DiagId::Unsupported, where,
            fmt::format("the arrays that field `{}` holds have one type and one shape; it becomes {}", field,
                        describe(value)));
      return;
    }
    for (size_t d = 0; d < row.shape.size(); ++d)
      requireEqual(from.shape[d], row.shape[d], "an array that is a field keeps its shape", where,
                   "NotImplementedError");
    store(row, from.view ? from : materialize(from, "item"));
    noteShared(row, from, true, where);
  } else if (column->field->isList && !value.as<NoneValue>()) {
    Value list = held;
    if (auto* t = std::get_if<TupleValue>(&list.v)) { // nothing else has it, unless a name does
      const auto hasIt = [&](const auto& bound) { return isSame(bound.second, held); };
      t->isKept &=
          std::ranges::any_of(frames_, [&](const Frame& f) { return std::ranges::any_of(f.env, hasIt); });
    }
    if (const std::optional<Scalar> number = numberOfRow({all, all.rows}, list, where)) put(all, number->e);
  }
  if (column->isNone) put(*column->isNone, isNone);
}

/// A list of dicts, which the wrapper makes of a list for each key.
ir::Form Lowering::formOfDicts(const RecordValue& like, const ListValue& numbers, Names& seen,
                               Values& values) {
  ir::Form form;
  form.kind = ir::Form::Zipped;
  form.type = "dicts";
  form.keys = objects_.at(like.object).fields;
  if (!seen.insert(like.object).second)
    error(DiagId::Unsupported, statement_,
          "dicts with these keys are returned twice, of which some may be one in Python; return them once");
  callListFunction("once", {Value{numbers}}, statement_);
  const Array which = elementsOf(numbers);
  for (const std::string& key : form.keys) {
    const std::optional<Column> column = columnOf(like, key);
    if (!column) return form;
    ir::Form part, optional;
    if (column->isNone)
      optional.parts.push_back(formOf(Value{reordered(*column->isNone, which)}, seen, values));
    if ((column->field->isList || column->field->of) && // by number
        !putState(*column->values, Scalar{ir::var(Symbol("item"), DType::I64), true}, statement_))
      return form;
    const ListValue held = reordered(*column->values, which);
    if (column->field->isList && column->values->rows) {
      part = formOf(Value{NestedValue{held, column->values->rows}}, seen, values);
    } else if (column->field->of) {
      ListValue others = held;
      others.like = std::make_shared<const Value>(Value{instanceAt(column->field->of, Expr())});
      others.fields = {held};
      part = formOf(Value{others}, seen, values);
    } else {
      part = formOf(Value{held}, seen, values);
    }
    if (column->isNone) {
      optional.kind = ir::Form::Zipped;
      optional.type = "optional";
      optional.parts.push_back(part);
      part = optional;
    }
    form.parts.push_back(part);
  }
  return form;
}

} // namespace appyc::sema
