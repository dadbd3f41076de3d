// Field by field from the typed program's settings, data source and options.
#include "compiler/lower/Policy.h"

#include "compiler/lower/Commands.h"
#include "compiler/lower/GraphLowering.h"
#include "compiler/lower/IdBounds.h"
#include "compiler/lower/Origins.h"
#include "compiler/sema/tensor/GraphBuilder.h"
#include "runtime/data/formats/SourceFiles.h"

#include "mlir/IR/Builders.h"

namespace dlm::lower {

namespace {

using mlir::Attribute;
using mlir::NamedAttrList;

class PolicyWriter {
public:
  explicit PolicyWriter(mlir::MLIRContext &context) : context(context), build(&context) {}

  Attribute number(int64_t value) { return build.getI64IntegerAttr(value); }
  Attribute real(double value) { return build.getF64FloatAttr(value); }
  Attribute text(llvm::StringRef value) { return build.getStringAttr(value); }
  Attribute flag(bool value) { return build.getBoolAttr(value); }

  Attribute quantity(const sema::Quantity &quantity);
  Attribute fieldList(const std::vector<sema::Field> &fields);
  Attribute data(const sema::DataSource &data, const FittedValues &fitted,
                 const std::vector<IdBound> &bounds);
  Attribute boundList(const std::vector<IdBound> &bounds);
  Attribute fitted(const sema::TypedProgram &program, const FittedValues &fitted);
  Attribute options(const std::vector<sema::Option> &options, const SourceManager &sources);
  Attribute updates(const std::vector<sema::Update> &updates);
  Attribute grades(const sema::TypedProgram &program, const SourceManager &sources);

private:
  void place(NamedAttrList &fields, const sema::Node &node, const sema::TypedProgram &program,
             const SourceManager &sources);
  mlir::MLIRContext &context;
  mlir::Builder build;
};

llvm::StringRef unitName(sema::Unit unit) {
  switch (unit) {
  case sema::Unit::None:
  case sema::Unit::Tokens: // no period is in tokens or bytes
  case sema::Unit::Bytes:
    return "none";
  case sema::Unit::Steps:
    return "steps";
  case sema::Unit::Epochs:
    return "epochs";
  case sema::Unit::Samples:
    return "samples";
  case sema::Unit::Milliseconds:
    return "milliseconds";
  }
  return "none";
}

Attribute PolicyWriter::quantity(const sema::Quantity &quantity) {
  NamedAttrList fields;
  fields.append("value", real(quantity.value));
  fields.append("unit", text(unitName(quantity.unit)));
  return fields.getDictionary(&context);
}

Attribute PolicyWriter::fieldList(const std::vector<sema::Field> &fields) {
  llvm::SmallVector<Attribute> list;
  for (const sema::Field &field : fields) {
    NamedAttrList entry;
    entry.append("name", text(field.name));
    entry.append("type", mlir::TypeAttr::get(tensorType(context, field.type, {})));
    list.push_back(entry.getDictionary(&context));
  }
  return build.getArrayAttr(list);
}

Attribute PolicyWriter::updates(const std::vector<sema::Update> &updates) {
  llvm::SmallVector<Attribute> list;
  for (const sema::Update &update : updates) {
    NamedAttrList entry;
    entry.append("name", text(update.name));
    entry.append("repeat", number(update.repeat));
    entry.append("every", number(update.every));
    list.push_back(entry.getDictionary(&context));
  }
  return build.getArrayAttr(list);
}

Attribute PolicyWriter::boundList(const std::vector<IdBound> &bounds) {
  llvm::SmallVector<Attribute> list;
  for (const IdBound &bound : bounds) {
    NamedAttrList entry;
    entry.append("field", text(bound.field));
    entry.append("begin", build.getDenseI64ArrayAttr(bound.begin));
    entry.append("size", build.getDenseI64ArrayAttr(bound.size));
    entry.append("below", number(bound.below));
    if (bound.ignored) entry.append("ignored", number(*bound.ignored));
    entry.append("what", text(bound.what));
    list.push_back(entry.getDictionary(&context));
  }
  return build.getArrayAttr(list);
}

Attribute PolicyWriter::data(const sema::DataSource &data, const FittedValues &fitted,
                             const std::vector<IdBound> &bounds) {
  bool isMapped = !data.maps.empty();
  // What the compiler knows of its files holds for these files only. Photos have a sum of their own
  // in the facts; a description stands for files that nobody has seen.
  llvm::SmallVector<Attribute> files;
  std::vector<DataFile> seen;
  if (data.description.empty() && data.kind != "images")
    if (auto found = identifyFiles({data.kind, {data.path, data.validationPath, data.testPath}}))
      seen = found.take();
  for (const DataFile &file : seen) {
    NamedAttrList entry;
    entry.append("name", text(file.name));
    entry.append("size_bytes", number(int64_t(file.sizeBytes)));
    entry.append("xxh3", text(file.xxh3));
    files.push_back(entry.getDictionary(&context));
  }
  NamedAttrList fields;
  fields.append("name", text(data.name));
  fields.append("kind", text(data.kind));
  fields.append("path", text(data.path));
  fields.append("fields", fieldList(isMapped ? data.rawFields : data.fields));
  if (isMapped) fields.append("mapped", fieldList(data.fields));
  fields.append("train_count", number(data.trainCount));
  fields.append("validation_count", number(data.validationCount));
  fields.append("test_count", number(data.testCount));
  fields.append("classes", number(data.classes));
  fields.append("validation_path", text(data.validationPath));
  fields.append("test_path", text(data.testPath));
  fields.append("facts", text(data.facts));
  if (!files.empty()) fields.append("files", build.getArrayAttr(files));
  fields.append("order", text(data.order == "streams" ? data.order
                              : data.arePartsMixed    ? "mixed"
                                                      : ""));
  llvm::SmallVector<llvm::StringRef> looked(fitted.fields.begin(), fitted.fields.end());
  fields.append("fitted_fields", build.getStrArrayAttr(looked));
  fields.append("fitted_hash", text(fitted.hash));
  if (!bounds.empty()) fields.append("bounds", boundList(bounds));
  return fields.getDictionary(&context);
}

/// What `data.fit` gave and `weights` read, by the buffers that hold it when a run begins.
Attribute PolicyWriter::fitted(const sema::TypedProgram &program, const FittedValues &fitted) {
  NamedAttrList values;
  auto add = [&](const auto &stored) {
    const std::string &path = stored.path;
    const sema::TensorType &type = stored.type;
    auto found = fitted.bytes.find(path);
    if (found == fitted.bytes.end()) return;
    llvm::ArrayRef<char> bytes(reinterpret_cast<const char *>(found->second.data()),
                               found->second.size());
    std::string end;
    for (const sema::Node &node : stored.init.nodes)
      end += endOfFitted(node);
    values.append("fitted." + path + end,
                  mlir::DenseElementsAttr::getFromRawBuffer(tensorType(context, type, {}), bytes));
  };
  for (const sema::Parameter &parameter : program.parameters)
    add(parameter);
  for (const sema::Buffer &buffer : program.buffers)
    add(buffer);
  return values.getDictionary(&context);
}

Attribute PolicyWriter::options(const std::vector<sema::Option> &options,
                                const SourceManager &sources) {
  llvm::SmallVector<Attribute> list;
  for (const sema::Option &option : options) {
    NamedAttrList entry;
    entry.append("name", text(option.name));
    entry.append("doc", text(option.doc));
    entry.append("type", mlir::TypeAttr::get(elementType(context, option.dtype)));
    entry.append("value", real(option.value));
    if (!option.kind.empty()) entry.append("kind", text(option.kind));
    if (!option.kind.empty()) entry.append("text", text(option.text));
    entry.append("run_time", flag(option.isRunTime));
    entry.append("is_given", flag(option.isGiven));
    if (!option.tests.empty()) entry.append("tests", testList(option.tests, context));
    if (option.span.isValid() && option.span.file < sources.fileCount()) {
      entry.append("file", text(std::string(sources.path(option.span.file))));
      entry.append("line", number(sources.line(option.span.file, option.span.begin)));
    }
    list.push_back(entry.getDictionary(&context));
  }
  return build.getArrayAttr(list);
}

/// What `evaluate` says beside `every`.
struct EvaluationChoice {
  int64_t batches = 0;  // 0: all
  std::string keepBest; // a metric of the validation data; empty: no checkpoint is best
  bool keepsLargest = false;
  sema::Quantity patience;
};

EvaluationChoice evaluationChoiceOf(const sema::Settings &settings) {
  EvaluationChoice choice;
  for (const sema::Setting &setting : settings.others) {
    const sema::SettingValue &value = setting.value;
    if (setting.path == "evaluate.batches" && value.kind == sema::SettingValue::Number)
      choice.batches = int64_t(value.number);
    if (setting.path == "evaluate.patience") choice.patience = {value.number, value.unit};
    if (setting.path != "evaluate.keep_best" || value.parts.empty()) continue;
    const std::string &metric = value.parts[0].second.text; // "validation.NAME"
    choice.keepBest = metric.substr(metric.find('.') + 1);
    choice.keepsLargest = value.text == "maximum";
  }
  return choice;
}

/// Where something is written, for a report: its line, the beginning of its text, its layer.
void PolicyWriter::place(NamedAttrList &fields, const sema::Node &node,
                         const sema::TypedProgram &program, const SourceManager &sources) {
  if (!node.span.isValid() || node.span.file >= sources.fileCount()) return;
  constexpr size_t shownMax = 60;
  std::string_view written = sources.text(node.span);
  std::string shown(written.substr(0, std::min(written.find('\n'), shownMax)));
  if (shown.size() < written.size()) shown += " ...";
  fields.append("file", text(std::string(sources.path(node.span.file))));
  fields.append("line", number(sources.line(node.span.file, node.span.begin)));
  fields.append("text", text(shown));
  if (node.layer < program.layers.size()) fields.append("layer", text(program.layers[node.layer]));
}

/// How each result depends on the samples of a batch.
Attribute PolicyWriter::grades(const sema::TypedProgram &program, const SourceManager &sources) {
  static const char *const names[] = {"constant", "row", "sum", "coupled"};
  llvm::SmallVector<Attribute> list;
  for (const sema::Graph *graph : {&program.loss, &program.metrics})
    for (const auto &[name, node] : graph->results) {
      sema::GraphGrade grade = sema::gradeOf(*graph, {node});
      bool isMetric = graph == &program.metrics;
      // A count of the whole evaluation set is known at its end, as the sum is.
      bool isCounted = !isMetric && !grade.inner && grade.count;
      NamedAttrList entry;
      entry.append("name", text(name));
      entry.append("is_metric", flag(isMetric));
      entry.append("grade", text(isCounted ? "counted" : names[int(grade.grade)]));
      if (grade.inner) place(entry, *grade.inner, program, sources);
      if (isCounted) place(entry, *grade.count, program, sources);
      list.push_back(entry.getDictionary(&context));
    }
  return build.getArrayAttr(list);
}

} // namespace

bool isCoupled(const sema::Graph &loss) {
  // A count of the whole batch would have to be known before the first micro-batch.
  sema::GraphGrade grade = sema::gradeOf(loss);
  return grade.grade == sema::Grade::Coupled || grade.count;
}

mlir::DictionaryAttr policyOf(const sema::TypedProgram &program, mlir::MLIRContext &context,
                              const SourceManager &sources, int64_t micro, int64_t evalRows,
                              const FittedValues &fitted) {
  const sema::Settings &settings = program.settings;
  PolicyWriter write(context);
  NamedAttrList policy;
  policy.append("name", write.text(program.name));
  policy.append("batch", write.number(settings.batch));
  policy.append("batch_option", write.text(settings.batchOption));
  policy.append("micro", write.number(micro));
  policy.append("eval_batch", write.number(evalRows));
  policy.append("coupled", write.flag(isCoupled(program.loss)));
  policy.append("grades", write.grades(program, sources));
  policy.append("duration", write.quantity(settings.duration));
  policy.append("evaluate_every", write.quantity(settings.evaluateEvery));
  policy.append("checkpoint_every", write.quantity(settings.checkpointEvery));
  policy.append("checkpoint_light", write.quantity(settings.checkpointLight));
  EvaluationChoice choice = evaluationChoiceOf(settings);
  policy.append("evaluate_batches", write.number(choice.batches));
  policy.append("keep_best", write.text(choice.keepBest));
  policy.append("keeps_largest", write.flag(choice.keepsLargest));
  policy.append("patience", write.quantity(choice.patience));
  policy.append("checkpoint_keep", write.number(settings.checkpointKeep));
  policy.append("checkpoint_to", write.text(settings.checkpointTo));
  policy.append("skip_limit", write.number(settings.skipLimit));
  policy.append("seed", write.number(static_cast<int64_t>(settings.seed)));
  policy.append("updates", write.updates(program.updates));
  policy.append("data", write.data(program.data, fitted, idBoundsOf(program, sources)));
  policy.append("fitted", write.fitted(program, fitted));
  policy.append("options", write.options(program.options, sources));
  policy.append("commands", commandList(program, context));
  policy.append("settings", settingOrigins(program, context, sources, micro));
  policy.append("parameters", parameterOrigins(program, context, sources));
  return policy.getDictionary(&context);
}

} // namespace dlm::lower
