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
bool isRow(const Value& v) { // an array of a constant shape
  const auto* a = v.as<Array>();
  return a && canBeItem(v) &&
         std::ranges::all_of(a->shape, [](const Expr& e) { return ir::constantInt(e).has_value(); });
}
} // namespace

bool isPooled(const Value& v) {
  const auto* r = v.as<RecordValue>();
  return r && r->isPooled;
}

bool holdsPooled(const Value& v) { return isPooled(v) || std::ranges::any_of(heldParts(v), holdsPooled); }

/// An object is put into a list: the instances of its class live in memory when the function is lowered once more. False where
/// that does not help.
bool Lowering::becomesPooled(const Value& v) {
  const auto* r = v.as<RecordValue>();
  if (!r || r->isPooled || !r->type || tableIn(v) || objects_.at(r->object).isCallers) return false;
  if (listStates_.pooled.count(r->type)) return !pools_.count(r->type); // known since an earlier attempt
  const std::vector<std::string> fields = objects_.at(r->object).fields;
  std::vector<Value> values;
  for (const std::string& field : fields) {
    const auto found = env().find(fieldName(r->object, field));
    if (found == env().end() || (!found->second.as<Scalar>() && !isRow(found->second))) return false;
    values.push_back(found->second);
  }
  if (fields.empty() || !listStates_.pooled.try_emplace(r->type, fields).second) return false;
  for (size_t k = 0; k < values.size(); ++k) {
    const uint64_t made = madeAs(madeOf(r->type), k);
    if (const auto* s = values[k].as<Scalar>())
      listStates_.states[made] = keptIn(*s, ir::var(Symbol("item"), s->type()));
    if (const auto* a = values[k].as<Array>()) listStates_.arrays[made] = {a->type, a->shape, {}};
  }
  listStates_.haveChanged = true;
  return true;
}

/// At the function's begin: memory for the instances of each class of which some are in lists.
void Lowering::openPools() {
  for (const auto& [type, fields] : listStates_.pooled) {
    ListValue pool;
    pool.made = madeOf(type);
    pool.isKept = true;
    pool.like = std::make_shared<const Value>(Value{RecordValue{type, nameOfPool(type), true}});
    objects_[nameOfPool(type)] = {type, fields, lists_.size()};
    if (type->isFrozen) objects_[nameOfPool(type)].readOnly = kFrozen;
    std::vector<Array> none;
    for (size_t k = 0; k < fields.size(); ++k) {
      ListValue part;
      part.made = madeAs(pool.made, k);
      part.isKept = true;
      if (const auto row = listStates_.arrays.find(part.made); row != listStates_.arrays.end()) {
        part.hasViews = true;
        none.push_back(emptyArray(row->second.type));
        none.back().shape.insert(none.back().shape.end(), row->second.shape.begin(), row->second.shape.end());
      } else {
        none.push_back(emptyArray(stateOf(part)->type()));
      }
      pool.fields.push_back(part);
    }
    pools_[type] = growingList(type->name, pool, none, type->where);
  }
}

/// What part `k` of a list of tuples is called: of instances the field.
std::string Lowering::nameOfPart(const ListValue& list, size_t k) const {
  const auto* r = list.like->as<RecordValue>();
  return r && list.made == madeOf(r->type) ? objects_.at(r->object).fields[k] : std::to_string(k);
}

/// A new instance, whose fields have values: in memory, where those of its class are.
Value Lowering::inPool(const Value& made, Span where) {
  const auto* r = made.as<RecordValue>();
  const auto found = r && r->type && !r->isPooled ? pools_.find(r->type) : pools_.end();
  if (found == pools_.end()) return made;
  const ListValue& pool = found->second;
  if (!mayGrow(pool, where)) return Value{};
  const std::vector<std::string>& fields = objects_.at(nameOfPool(r->type)).fields;
  const Expr at = materialize(ir::var(pool.length), r->type->name);
  nonNegative_.insert(at.as<ir::Var>()->name);
  require(ir::binary(ir::BinaryOp::Lt, at, ir::var(growing_.at(pool.length).room)), "MemoryError",
          "there are more objects than there is room for; make arrays of what they hold");
  const RecordValue pooled{r->type, nameOfPool(r->type), true, at};
  emit(ir::Assign{pool.length, ir::add(ir::var(pool.length), ir::intConst(1))});
  const std::string_view readOnly = std::exchange(objects_.at(pooled.object).readOnly, {});
  for (const std::string& field : fields) {
    const Value value = fieldOf(*r, field, where);
    if (value.isError()) return value;
    setPooledField(pooled, field, value, where);
    env().erase(fieldName(r->object, field));
  }
  objects_.at(pooled.object).readOnly = readOnly;
  return Value{pooled};
}

/// The memory of the field of all instances.
std::optional<ListValue> Lowering::columnOf(const RecordValue& r, const std::string& field) const {
  const auto pool = pools_.find(r.type);
  const std::vector<std::string>& fields = objects_.at(r.object).fields;
  const auto k = std::ranges::find(fields, field);
  if (pool == pools_.end() || k == fields.end()) return std::nullopt;
  return pool->second.fields[static_cast<size_t>(k - fields.begin())];
}

/// The place of a field that is an array; none of others.
std::optional<Array> Lowering::rowOfField(const Value& of, const std::string& field) {
  const auto* r = of.as<RecordValue>();
  const std::optional<ListValue> column = r && r->isPooled ? columnOf(*r, field) : std::nullopt;
  if (!column || !column->hasViews) return std::nullopt;
  return rowAt(column->values, stable(r->at));
}

Value Lowering::pooledField(const RecordValue& r, const std::string& field, Span where) {
  if (const std::optional<Array> row = rowOfField(Value{r}, field)) return arrayItem(*row, where);
  const std::optional<ListValue> column = columnOf(r, field);
  return column ? asItem(*column, Value{Scalar{column->values.at({r.at})}}) : Value{};
}

void Lowering::setPooledField(const RecordValue& r, const std::string& field, const Value& value,
                              Span where) {
  const std::optional<ListValue> column = columnOf(r, field);
  if (!column || value.isError()) return;
  const auto* s = value.as<Scalar>();
  const auto* a = value.as<Array>();
  const std::optional<Array> row = rowOfField(Value{r}, field);
  if (row ? !a || !canBeItem(value) || a->type != row->type || a->shape.size() != row->shape.size() : !s) {
    error(DiagId::Unsupported, where,
          fmt::format(
              "instances of `{}` are in a list, where a field is a number, or an array of one type and one "
              "constant shape; `{}` becomes {}",
              r.type->name, field, describe(value)));
    return;
  }
  if (!row) {
    if (putState(*column, *s, where))
      emit(ir::Store{
          column->values.view->buffer.name, {stable(r.at)}, ir::cast(column->values.type, s->e), {}});
    return;
  }
  for (size_t d = 0; d < row->shape.size(); ++d)
    requireEqual(a->shape[d], row->shape[d], "an array that is a field keeps its shape", where,
                 "NotImplementedError");
  const Array from = *a;
  store(*row, from.view ? from : materialize(from, "item"));
  noteShared(*row, from, true, where);
}

} // namespace appyc::sema
