// Making values, and showing them in messages.
#include "compiler/sema/value/Value.h"

#include "compiler/sema/builtins/Builtin.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/source/Utf8.h"

namespace dlm::sema {

Value Value::boolean(bool value) {
  Value result(ValueKind::Bool);
  result.flag = value;
  return result;
}

Value Value::number(Number value) {
  Value result(ValueKind::Number);
  result.amount = value;
  return result;
}

Value Value::from(const std::string *option) const {
  Value result = *this;
  if (option && is(ValueKind::Number))
    result.payload = std::make_shared<const std::string>(*option);
  return result;
}

Value Value::quantity(Number value, Measure measure) {
  Value result(ValueKind::Quantity);
  result.amount = value;
  result.measure = measure;
  return result;
}

Value Value::builtin(const Builtin &value) {
  Value result(ValueKind::BuiltinFunction);
  result.builtinFunction = &value;
  return result;
}

Value Value::method(const Builtin &value, const Value &receiver) {
  Value result = builtin(value);
  result.payload = std::make_shared<const Value>(receiver);
  return result;
}

Value Value::columns(std::shared_ptr<const DataSource> value) {
  Value result(ValueKind::Columns);
  result.payload = std::move(value);
  return result;
}

Value Value::dataPart(DataPartObject value) { return Value(ValueKind::DataPart, std::move(value)); }
Value Value::runTimeString(Tensor bytes) {
  return Value(ValueKind::RunTimeString, std::move(bytes));
}
Value Value::string(std::string value) { return Value(ValueKind::String, std::move(value)); }
Value Value::tensor(Tensor value) { return Value(ValueKind::Tensor, std::move(value)); }

static size_t addWeights(size_t a, size_t b) {
  constexpr size_t weightMax = size_t(1) << 40;
  return std::min(a + b, weightMax);
}

size_t Value::weight() const {
  if (is(ValueKind::List)) return get<ListObject>().weight;
  if (is(ValueKind::Record)) return get<RecordObject>().weight;
  return is(ValueKind::Map) ? get<MapObject>().weight : 1;
}

Value Value::record(RecordObject value) {
  value.weight = 1;
  for (const auto &[name, field] : value.fields)
    value.weight = addWeights(value.weight, field.weight());
  constexpr size_t shortList = 16;
  value.places = nullptr;
  if (value.fields.size() > shortList) {
    auto places = std::make_shared<std::unordered_map<std::string, size_t>>();
    for (size_t i = 0; i < value.fields.size(); ++i)
      if (!value.fields[i].first.empty()) places->emplace(value.fields[i].first, i);
    value.places = std::move(places);
  }
  return Value(ValueKind::Record, std::move(value));
}

std::optional<size_t> RecordObject::find(const std::string &name) const {
  if (places) {
    auto found = places->find(name);
    return found == places->end() ? std::nullopt : std::optional<size_t>(found->second);
  }
  for (size_t i = 0; i < fields.size(); ++i)
    if (fields[i].first == name) return i;
  return std::nullopt;
}

bool KeyOrder::operator()(const Value &a, const Value &b) const {
  if (a.kind() != b.kind()) return a.kind() < b.kind();
  return a.is(ValueKind::String) ? a.asString() < b.asString()
                                 : compare(a.asNumber(), b.asNumber()) < 0;
}

Value Value::list(std::vector<Value> items) {
  ListObject object{std::move(items)};
  for (const Value &item : object.items)
    object.weight = addWeights(object.weight, item.weight());
  return Value(ValueKind::List, std::move(object));
}
Value Value::map(MapObject value) {
  value.weight = 1;
  for (const auto &[key, entry] : value.entries)
    value.weight = addWeights(value.weight, entry.weight());
  return Value(ValueKind::Map, std::move(value));
}
Value Value::function(FunctionObject value) { return Value(ValueKind::Function, std::move(value)); }
Value Value::modelType(ModelObject value) { return Value(ValueKind::ModelType, std::move(value)); }
Value Value::optimizerType(OptimizerObject value) {
  return Value(ValueKind::OptimizerType, std::move(value));
}
Value Value::optimizer(OptimizerObject value) {
  return Value(ValueKind::OptimizerValue, std::move(value));
}
Value Value::initialiser(InitialiserObject value) {
  return Value(ValueKind::Initialiser, std::move(value));
}
Value Value::data(DataSource value) { return Value(ValueKind::Data, std::move(value)); }
Value Value::size(const Extent &value) {
  return value.isConstant() ? number(value.constantPart()) : Value(ValueKind::Size, value);
}
Value Value::marked(const Value &inner, uint8_t marks, int marker) {
  return Value(ValueKind::Marked,
               MarkedObject{std::make_shared<const Value>(inner), marks, marker});
}
Value Value::train(TrainObject value) { return Value(ValueKind::Train, std::move(value)); }
Value Value::range(const Value &begin, const Value &end) {
  return Value(ValueKind::Range,
               RangeObject{std::make_shared<Value>(begin), std::make_shared<Value>(end)});
}
Value Value::module(ModuleObject value) { return Value(ValueKind::Module, std::move(value)); }

Value Value::instance(std::shared_ptr<const InstanceObject> value) {
  Value result(ValueKind::Instance);
  result.payload = std::move(value);
  return result;
}

Value Value::batch(std::shared_ptr<const DataSource> value) {
  Value result(ValueKind::Batch);
  result.payload = std::move(value);
  return result;
}

std::shared_ptr<const DataSource> Value::sharedData() const {
  return std::static_pointer_cast<const DataSource>(payload);
}

bool Value::isCallable() const {
  return is(ValueKind::Function) || is(ValueKind::BuiltinFunction) || is(ValueKind::Instance) ||
         is(ValueKind::Marked);
}

const char *dtypeName(DType dtype) { return dtypeRow(dtype).name; }

std::string dimText(const Dim &dim) { return dim.extent.text(); }

std::string shapeText(const std::vector<Dim> &dims) {
  std::string result = "[";
  for (const Dim &dim : dims)
    result += (result.size() > 1 ? ", " : "") + dimText(dim);
  return result + "]";
}

std::string typeText(const TensorType &type) {
  return dtypeName(type.dtype) + (type.dims.empty() ? std::string() : shapeText(type.dims));
}

const char *measureName(Measure measure) {
  static const char *const names[] = {"time", "bytes", "steps", "epochs", "samples", "tokens"};
  return names[static_cast<int>(measure)];
}

std::optional<Measure> findMeasure(const std::string &name) {
  for (Measure measure : {Measure::Time, Measure::Bytes, Measure::Steps, Measure::Epochs,
                          Measure::Samples, Measure::Tokens})
    if (name == measureName(measure)) return measure;
  return std::nullopt;
}

namespace {

std::string quantityText(const Number &amount, Measure measure) {
  if (measure == Measure::Time) return amount.text() + "ms";
  return amount.text() + " " + measureName(measure);
}

// Lists and records deeper than `depth` are only hinted at: sharing makes the whole text of nested
// ones exponentially long.

std::string recordText(const RecordObject &record, unsigned depth) {
  if (depth == 0) return "(...)";
  constexpr size_t shownMax = 8;
  std::string result = "(";
  size_t shown = 0;
  for (const auto &[name, value] : record.fields) {
    if (result.size() > 1) result += ", ";
    if (shown++ == shownMax) return result + "...)";
    result += (name.empty() ? "" : name + " = ") + value.text(depth - 1);
  }
  return result + ")";
}

/// A long string by its beginning.
std::string stringText(const std::string &text) {
  constexpr size_t shownMax = 60;
  if (text.size() <= shownMax) return "\"" + text + "\"";
  size_t end = 0;
  while (end < shownMax)
    end += characterLength(text, end);
  return "\"" + text.substr(0, end) + "...\"";
}

std::string listText(const std::vector<Value> &items, unsigned depth) {
  if (depth == 0) return "[...]";
  constexpr size_t shownMax = 4;
  std::string result = "[";
  for (size_t i = 0; i < items.size() && i < shownMax; ++i)
    result += (i ? ", " : "") + items[i].text(depth - 1);
  return result + (items.size() > shownMax ? ", ...]" : "]");
}

std::string mapText(const MapObject &map, unsigned depth) {
  if (depth == 0) return "[...]";
  constexpr size_t shownMax = 4;
  std::string result = "[";
  for (size_t i = 0; i < map.entries.size() && i < shownMax; ++i)
    result += (i ? ", " : "") + map.entries[i].first.text(depth - 1) + " => " +
              map.entries[i].second.text(depth - 1);
  return result + (map.entries.size() > shownMax ? ", ...]" : "]");
}

} // namespace

std::string Value::text(unsigned depth) const {
  switch (valueKind) {
  case ValueKind::None:
    return "none";
  case ValueKind::Bool:
    return flag ? "true" : "false";
  case ValueKind::Number:
    return amount.text();
  case ValueKind::String:
    return stringText(asString());
  case ValueKind::Quantity:
    return quantityText(amount, measure);
  case ValueKind::Size:
    return asSize().text();
  case ValueKind::Tensor:
    return typeText(asTensor().type);
  case ValueKind::Record:
    return recordText(asRecord(), depth);
  case ValueKind::List:
    return listText(asList(), depth);
  case ValueKind::Map:
    return mapText(asMap(), depth);
  case ValueKind::Function:
    return asFunction().name.empty() ? "fn" : asFunction().name;
  case ValueKind::BuiltinFunction:
    return builtinFunction->name;
  case ValueKind::ModelType:
    return asModelType().declaration->name.text;
  case ValueKind::OptimizerType:
    return asOptimizer().declaration->name.text;
  case ValueKind::Instance:
    return asInstance().text;
  case ValueKind::OptimizerValue:
    return asOptimizer().text;
  case ValueKind::Initialiser:
    return asInitialiser().name;
  case ValueKind::Data:
    return asData().name.empty() ? "data" : asData().name;
  case ValueKind::DataPart:
    return "data." + asDataPart().kind;
  case ValueKind::Columns:
    return "data.Columns";
  case ValueKind::RunTimeString:
    return "string";
  case ValueKind::Module:
    return asModule().name;
  case ValueKind::Marked:
    return asMarked().inner->text(depth);
  case ValueKind::Train:
    return asTrain().declaration->name.text;
  case ValueKind::Range:
    return asRange().begin->text() + ".." + asRange().end->text();
  case ValueKind::Batch:
    return "batch";
  case ValueKind::Poison:
    break;
  }
  return "?";
}

std::string Value::describe() const {
  if (is(ValueKind::Quantity))
    return measure == Measure::Time ? "a time" : std::string("a number of ") + measureName(measure);
  if (is(ValueKind::Module) && asModule().isRun) return "all models of a run";
  if (is(ValueKind::Tensor)) {
    const Tensor &tensor = asTensor();
    std::string scalar = tensor.type.dtype == DType::Bool ? "a run-time bool" : "a run-time number";
    return tensor.isLoose ? scalar : "a tensor `" + typeText(tensor.type) + "`";
  }
  if (is(ValueKind::Record) && !asRecord().fields.empty() && asRecord().fields[0].first.empty())
    return "a tuple";
  static const char *const words[] = {"nothing",
                                      "`none`",
                                      "a bool",
                                      "a number",
                                      "a string",
                                      "a quantity",
                                      "a run-time size",
                                      "a tensor",
                                      "a record",
                                      "a list",
                                      "a map",
                                      "a function",
                                      "a function",
                                      "a model",
                                      "a model instance",
                                      "an optimizer",
                                      "an optimizer",
                                      "an initialiser",
                                      "a data source",
                                      "a part of a data source",
                                      "the columns of a table",
                                      "a run-time string",
                                      "a batch",
                                      "a module",
                                      "a function",
                                      "a train block",
                                      "a run-time range"};
  return words[static_cast<int>(valueKind)];
}

} // namespace dlm::sema
