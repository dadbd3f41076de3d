// Sources made from sources. A map is a function of one sample, followed twice: with `training`
// true and false; both have to give the same fields.
#include "compiler/sema/data/DataKinds.h"

#include "compiler/sema/data/FieldIds.h"
#include "compiler/sema/data/MissingCells.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>

namespace dlm::sema {

namespace {

std::shared_ptr<const DataSource> needData(Evaluator &evaluator, const Operand &operand) {
  if (operand.value.is(ValueKind::Data)) return operand.value.sharedData();
  if (!operand.value.isPoison())
    evaluator.report(Kind::TypeMismatch, operand.span,
                     "a data source is needed, and this is " + operand.value.describe());
  return nullptr;
}

/// The fields of a sample, or of all training samples if `rows` is given, as leaves of the
/// current graph.
Value fieldsOf(Evaluator &evaluator, const DataSource &source, const Dim *rows, Span span) {
  RecordObject record;
  for (const Field &field : source.fields) {
    TensorType type = field.type;
    if (rows) type.dims.insert(type.dims.begin(), *rows);
    record.fields.emplace_back(
        field.name, Value::tensor(evaluator.tensors.leaf("input", field.name, type, span)));
  }
  return Value::record(std::move(record));
}

/// Calls the function of `data.map` or `data.fit` with one argument.
Value apply(Evaluator &evaluator, const Operand &function, const Value &argument, Span span,
            const ScopePtr &scope, std::optional<bool> training, bool isFit = false) {
  ContextScope saved(evaluator);
  evaluator.context = Context();
  evaluator.context.training = training;
  evaluator.context.functionDepth = 1;
  evaluator.context.isFit = isFit;
  return evaluator.call(function, {{"", {}, {argument, nullptr, span}, true}}, scope, span);
}

/// Makes results of a sample's new fields; false if something else than tensors was given.
bool addFields(Evaluator &evaluator, const Value &value, Span span, const DataSource &source,
               Graph &graph, std::vector<Field> &fields) {
  if (value.isPoison()) return false;
  if (!value.is(ValueKind::Record) || value.asRecord().fields.empty()) {
    evaluator
        .report(Kind::ResultType, span,
                "the function of `data.map` gives a record of fields, and this is " +
                    value.describe())
        .help("write `(image = ..., label = ...)`");
    return false;
  }
  for (const auto &[name, part] : value.asRecord().fields) {
    if (name.empty()) {
      evaluator.report(Kind::ResultType, span, "the fields of a sample have names")
          .help("write `(image = ..., label = ...)`");
      return false;
    }
    std::optional<Tensor> tensor =
        evaluator.needTensor({part, nullptr, span}, "the field `" + name + "`");
    if (!tensor) return false;
    NodeId id = evaluator.tensors.use(*tensor);
    graph.results.emplace_back(name, id);
    fields.push_back({name, tensor->type});
    if (const Field *ids = idsBehind(graph, id, source)) {
      fields.back().ids = ids->ids;
      fields.back().areTokens = ids->areTokens;
    }
  }
  return true;
}

/// Whether a graph of one sample, or the step of a loop in it, depends on that sample alone;
/// reports what else it uses.
bool usesSampleOnly(Evaluator &evaluator, const Graph &graph, Span function, bool isStep = false) {
  for (const Node &node : graph.nodes) {
    bool isOfModel = node.op == "parameter" || node.op == "buffer" || node.op == "shadow";
    bool isOfHook = node.op == "capture" && !isStep;
    if (isOfModel)
      evaluator
          .report(Kind::MapCapture, function,
                  "the function of `data.map` uses `" + node.text +
                      "`, and samples are made before a model sees them")
          .help("apply the model in the hook, to the batch");
    else if (isOfHook || hasBatchAxis(node.type.dims))
      evaluator
          .report(Kind::MapCapture, function,
                  "the function of `data.map` sees one sample, and this is of a batch")
          .note(node.span, "`" + typeText(node.type) + "`");
    if (isOfModel || isOfHook || hasBatchAxis(node.type.dims)) return false;
    for (const auto &body : node.bodies)
      if (!usesSampleOnly(evaluator, *body, function, true)) return false;
  }
  return true;
}

bool sameFields(const std::vector<Field> &a, const std::vector<Field> &b, size_t &differing) {
  for (differing = 0; differing < a.size() && differing < b.size(); ++differing) {
    const Field &x = a[differing], &y = b[differing];
    if (x.name != y.name || x.type.dtype != y.type.dtype || !sameShape(x.type.dims, y.type.dims))
      return false;
  }
  return a.size() == b.size();
}

std::string fieldText(const std::vector<Field> &fields, size_t index) {
  if (index >= fields.size()) return "nothing";
  return "`" + fields[index].name + ": " + typeText(fields[index].type) + "`";
}

Value runMap(Evaluator &evaluator, const BuiltinCall &call) {
  std::shared_ptr<const DataSource> source = needData(evaluator, call[0]);
  if (!source) return Value();
  SampleMap map;
  map.span = call.span;
  std::vector<Field> fields[2];
  for (bool training : {true, false}) {
    GraphScope graph(evaluator.tensors);
    Value sample = fieldsOf(evaluator, *source, nullptr, call[0].span);
    Value value = apply(evaluator, call[1], sample, call.span, call.scope, training);
    if (!addFields(evaluator, value, call[1].span, *source, graph.graph(), fields[training]))
      return Value();
    (*graph).prune();
    if (!usesSampleOnly(evaluator, graph.graph(), call[1].span)) return Value();
    (training ? map.training : map.evaluation) = std::move(graph.graph());
  }
  size_t differing = 0;
  if (!sameFields(fields[true], fields[false], differing)) {
    evaluator.report(Kind::ShapeMismatch, call[1].span,
                     "a sample has " + fieldText(fields[true], differing) + " while training and " +
                         fieldText(fields[false], differing) + " while evaluating");
    return Value();
  }
  DataSource result = *source;
  result.name.clear();
  if (source->maps.empty()) result.rawFields = source->fields;
  result.fields = std::move(fields[true]);
  result.maps.push_back(std::move(map));
  return Value::data(std::move(result));
}

int64_t numbersOf(const DataSource &table) {
  return std::count_if(table.columns.begin(), table.columns.end(),
                       [](const Column &column) { return !column.isCategory; });
}

/// A column of numbers as all training samples have it.
Value columnOf(Evaluator &evaluator, const Dim &rows, Span span) {
  RecordObject record;
  for (auto [name, dtype] : {std::pair("number", DType::F32), {"present", DType::Bool}})
    record.fields.emplace_back(
        name, Value::tensor(evaluator.tensors.leaf("input", name, {dtype, {rows}}, span)));
  return Value::record(std::move(record));
}

/// An initial value that is computed once from the training samples; of a table's columns, once for
/// each column of numbers, and what they give stands behind each other.
Value runFit(Evaluator &evaluator, const BuiltinCall &call) {
  bool isTable = call[0].value.is(ValueKind::Columns);
  if (!isTable && !call[0].value.is(ValueKind::Data)) {
    evaluator.report(Kind::TypeMismatch, call[0].span,
                     "`data.fit` looks at a data source or its columns, and this is " +
                         call[0].value.describe());
    return Value();
  }
  const DataSource &source = isTable ? call[0].value.asColumns() : call[0].value.asData();
  InitialiserObject result{"fit", 0, 0};
  if (isTable) result.columns = numbersOf(source);
  if (isTable && result.columns == 0) {
    evaluator.report(Kind::DataSource, call[0].span, "the table has no columns of numbers");
    return Value();
  }
  GraphScope graph(evaluator.tensors);
  Dim rows = Dim::whole(source.trainCount);
  rows.name = fittedAxis;
  Value samples = isTable ? columnOf(evaluator, rows, call[0].span)
                          : fieldsOf(evaluator, source, &rows, call[0].span);
  Value value = apply(evaluator, call[1], samples, call.span, call.scope, std::nullopt, true);
  if (value.isPoison()) return Value();
  std::optional<Tensor> tensor =
      evaluator.needTensor({value, nullptr, call[1].span}, "the result of `data.fit`");
  if (!tensor) return Value();
  graph.graph().results.emplace_back("value", evaluator.tensors.use(*tensor));
  (*graph).prune();
  if (isTable || source.maps.empty())
    warnOfMissing(evaluator, source, graph.graph(), call[1].span,
                  "reduce what is there: `mean(x.number, where = x.present)`");
  graph.graph().source = std::make_shared<const DataSource>(source);
  result.fit = std::make_shared<const Graph>(std::move(graph.graph()));
  return Value::initialiser(std::move(result));
}

Value runMix(Evaluator &evaluator, const BuiltinCall &call) {
  if (!call[0].value.is(ValueKind::List) || call[0].value.asList().size() < 2) {
    evaluator.report(Kind::TypeMismatch, call[0].span,
                     "`data.mix` takes a list of two sources or more");
    return Value();
  }
  DataSource result;
  for (const Value &item : call[0].value.asList()) {
    std::shared_ptr<const DataSource> part = needData(evaluator, {item, nullptr, call[0].span});
    if (!part) return Value();
    size_t differing = 0;
    if (!result.parts.empty() && !sameFields(result.fields, part->fields, differing)) {
      evaluator.report(Kind::ShapeMismatch, call[0].span,
                       "sources that are mixed have the same fields: here " +
                           fieldText(result.fields, differing) + " meets " +
                           fieldText(part->fields, differing));
      return Value();
    }
    std::vector<Field> before = std::move(result.fields);
    result.fields = part->fields;
    for (size_t i = 0; i < before.size(); ++i) { // what is not known of one is not known of both
      int64_t &ids = result.fields[i].ids;
      ids = ids == 0 || before[i].ids == 0 ? 0 : std::max(ids, before[i].ids);
    }
    result.trainCount += part->trainCount;
    result.validationCount += part->validationCount;
    result.testCount += part->testCount;
    result.classes = std::max(result.classes, part->classes);
    result.vocab = std::max(result.vocab, part->vocab);
    result.parts.push_back(*part);
  }
  bool fitsWeights = !call.has(1) || (call[1].value.is(ValueKind::List) &&
                                      call[1].value.asList().size() == result.parts.size());
  if (!fitsWeights) {
    evaluator.report(Kind::ShapeMismatch, call[1].span,
                     "`weights` has a number for each of the " +
                         std::to_string(result.parts.size()) + " sources");
    return Value();
  }
  result.kind = "mix";
  result.span = call.span;
  return Value::data(std::move(result));
}

/// Texts of any length, put behind each other and cut into windows.
Value runPack(Evaluator &evaluator, const BuiltinCall &call) {
  std::shared_ptr<const DataSource> source = needData(evaluator, call[0]);
  std::optional<int64_t> window = evaluator.needInt(call[1], "`window`");
  if (!source || !window) return Value();
  bool hasIds = false;
  for (const Field &field : source->fields)
    hasIds |= field.name == "ids" && field.type.dims.size() == 1;
  if (!hasIds || *window < 1) {
    evaluator.report(hasIds ? Kind::BadSize : Kind::TypeMismatch, call.span,
                     hasIds ? "`window` is at least 1, and this is " + std::to_string(*window)
                            : "`data.pack` takes samples with a field `ids` of one dimension");
    return Value();
  }
  DataSource result = *source;
  result.name.clear();
  result.kind = "pack";
  result.parts = {*source};
  result.fields.clear();
  for (const char *field : {"ids", "next", "position", "segment", "next_segment"})
    result.fields.push_back({field, {DType::I32, {Dim::whole(*window)}}});
  countIds(result);
  return Value::data(std::move(result));
}

} // namespace

const BuiltinTable &dataMapBuiltins() {
  static const BuiltinTable table = {
      {"map", "source, function", runMap},
      {"fit", "columns, function", runFit},
      {"mix", "sources, weights?", runMix},
      {"pack", "source, window", runPack},
  };
  return table;
}

} // namespace dlm::sema
