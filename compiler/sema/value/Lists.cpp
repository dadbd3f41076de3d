// Records, lists and comprehensions. Instances made in a list are named by their index, those in
// a record by the field.
#include "compiler/sema/evaluate/Evaluator.h"

namespace dlm::sema {

namespace {

/// The entries of a map as a list of (key, value).
Value pairsOf(const MapObject &map) {
  std::vector<Value> pairs;
  for (const auto &[key, value] : map.entries)
    pairs.push_back(Value::record({{{"", key}, {"", value}}}));
  return Value::list(std::move(pairs));
}

/// Adds an entry to a map; false, after a report, if the key cannot be one or is there already.
bool addEntry(Evaluator &evaluator, MapObject &map, const Operand &key, Value value) {
  if (key.value.isPoison() || evaluator.fixOptions(key.value)) return false;
  if (!key.value.is(ValueKind::String) && !key.value.is(ValueKind::Number)) {
    evaluator.report(Kind::TypeMismatch, key.span,
                     "a key is a string or a number, and this is " + key.value.describe());
    return false;
  }
  if (!map.places->byKey.emplace(key.value, map.entries.size()).second) {
    evaluator.report(Kind::DuplicateName, key.span,
                     "the key " + key.value.text() + " stands twice");
    return false;
  }
  map.entries.emplace_back(key.value, std::move(value));
  return true;
}

} // namespace

/// The value of a key; reports the keys there are.
Value Evaluator::lookUp(const MapObject &map, const Operand &key) {
  if (key.value.isPoison() || fixOptions(key.value)) return Value();
  auto found = map.places->byKey.find(key.value);
  if (found != map.places->byKey.end()) return map.entries[found->second].second;
  std::vector<std::string> names;
  for (const auto &entry : map.entries)
    if (entry.first.is(ValueKind::String)) names.push_back(entry.first.asString());
  Report message(report, Kind::IndexRange, key.span, "the map has no key " + key.value.text());
  if (key.value.is(ValueKind::String))
    message.nearestOrAll("a key", key.value.asString(), {}, names);
  return Value();
}

Value Evaluator::evalRecord(const ast::Expr &expr, const ScopePtr &scope) {
  RecordObject record;
  for (const ast::Argument &argument : expr.arguments) {
    ContextScope saved(*this);
    std::string index = std::to_string(record.fields.size());
    enterPath(argument.name.text.empty() ? index : argument.name.text);
    record.fields.emplace_back(argument.name.text, eval(*argument.value, scope));
  }
  return Value::record(std::move(record));
}

/// A list, or a map if its entries have keys.
Value Evaluator::evalList(const ast::Expr &expr, const ScopePtr &scope) {
  std::vector<Value> items;
  MapObject map;
  map.places = std::make_shared<KeyPlaces>();
  for (const ast::Entry &entry : expr.entries) {
    if (bool(entry.key) != bool(expr.entries[0].key)) {
      report(Kind::TypeMismatch, entry.value->span,
             "an entry without `=>` stands among entries with it, or the other way round");
      return Value();
    }
    size_t index = items.size() + map.entries.size();
    Operand key;
    if (entry.key) key = evalOperand(*entry.key, scope);
    ContextScope saved(*this);
    enterPath(key.value.is(ValueKind::String) ? key.value.asString() : std::to_string(index));
    Value value = eval(*entry.value, scope);
    if (!entry.key)
      items.push_back(std::move(value));
    else if (!addEntry(*this, map, key, std::move(value)))
      return Value();
  }
  return map.entries.empty() ? Value::list(std::move(items)) : Value::map(std::move(map));
}

Value Evaluator::evalComprehension(const ast::Expr &expr, const ScopePtr &scope) {
  std::vector<Value> items;
  if (!evalClause(expr, 0, scope, items)) return Value();
  return Value::list(std::move(items));
}

/// Runs the clauses from this one on, appending the elements; false if one was not understood.
bool Evaluator::evalClause(const ast::Expr &expr, size_t clause, const ScopePtr &scope,
                           std::vector<Value> &items) {
  if (clause == expr.clauses.size()) {
    if (!expr.operands.empty()) {
      std::optional<bool> wanted =
          needBool(evalOperand(*expr.operands[0], scope), "the condition of a comprehension");
      if (!wanted) return false;
      if (!*wanted) return true;
    }
    if (items.size() >= listMax) {
      report(Kind::NumberRange, expr.span, "a list of more than a million elements");
      return false;
    }
    constexpr size_t copiedInAStep = 32; // of the path, which grows with each list in a list
    if (!spend(context.path.size() / copiedInAStep, expr.span)) return false;
    ContextScope saved(*this);
    enterPath(std::to_string(items.size()));
    items.push_back(eval(*expr.entries[0].value, scope));
    return true;
  }
  const ast::ForClause &here = expr.clauses[clause];
  Value list = eval(*here.list, scope);
  if (list.is(ValueKind::Map)) list = pairsOf(list.asMap());
  if (!list.is(ValueKind::List)) {
    if (list.isPoison()) return false;
    Report message(report, Kind::TypeMismatch, here.list->span,
                   "`for` goes over a list or a map, and this is " + list.describe());
    if (list.is(ValueKind::Tensor)) message.help("`fold` and `scan` go along an axis of a tensor");
    if (list.is(ValueKind::Range)) message.help("`fold` and `scan` go over such a range");
    return false;
  }
  for (const Value &item : list.asList()) {
    if (budget.isSpent()) return false;
    ScopePtr inner = makeScope(scope);
    bind(here.pattern, item, here.list->span, *inner, Declared::Parameter);
    if (!evalClause(expr, clause + 1, inner, items)) return false;
  }
  return true;
}

} // namespace dlm::sema
