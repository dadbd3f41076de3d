// Data sources: what is known about one is read when the program is compiled.
#include "compiler/sema/data/DataKinds.h"
#include "compiler/sema/data/IdxSource.h"
#include "compiler/sema/evaluate/Evaluator.h"

namespace dlm::sema {

namespace {

/// Images and labels as a description beside the program has them.
std::optional<DataSource> describedIdx(Evaluator &evaluator, const BuiltinCall &call,
                                       const std::string &path) {
  Description description = describe(evaluator, call.span);
  if (!description.schema) return std::nullopt;
  if (description.schema->fields.empty()) {
    evaluator.report(Kind::DataSource, call.span, "the description of this data lacks `fields`")
        .note("it is " + description.path)
        .help("add `\"fields\": { \"image\": \"u8[28, 28]\", \"label\": \"i32\" }`");
    return std::nullopt;
  }
  DataSource source;
  source.kind = "idx";
  source.path = path;
  source.span = call.span;
  source.fields = description.schema->fields;
  applySchema(evaluator, description, source);
  return source;
}

Value runIdx(Evaluator &evaluator, const BuiltinCall &call) {
  unsigned before = evaluator.report.diagnostics.errorCount();
  std::optional<std::string> directory = evaluator.needString(call[0], "the directory");
  if (!directory) return Value();
  std::string path = pathFrom(evaluator, call.span, *directory);
  std::string reason;
  bool isMissing = false;
  std::optional<DataSource> source = probeIdx(path, reason, isMissing);
  if (!source && isMissing) source = describedIdx(evaluator, call, path);
  if (!source && evaluator.report.diagnostics.errorCount() > before) return Value();
  if (!source) {
    Report message(evaluator.report, Kind::DataSource, call[0].span, reason);
    message.note("the directory is " + path);
    if (isMissing)
      message.help(
          "mend the path, which is relative to the program's file, or describe the data in "
          "`" +
          describe(evaluator, call.span).fileName() +
          "` beside the program, such as `{ \"train\": 60000, \"test\": 10000, "
          "\"classes\": 10, \"fields\": { \"image\": \"u8[28, 28]\", "
          "\"label\": \"i32\" } }`; then it can be checked, and not be compiled");
    return Value();
  }
  source->span = call.span;
  if (call.has(1)) {
    if (isCountedTwice(evaluator, "validation", call[1], source->validationCount,
                       source->description))
      return Value();
    std::optional<int64_t> part =
        partOf(evaluator, call[1], source->trainCount, "the validation part");
    if (!part) return Value();
    if (*part == 0) warnOfEmptyPart(evaluator, "validation", call[1], source->trainCount);
    source->validationCount = *part;
    source->isValidationCut = true;
    source->trainCount -= *part;
  }
  return Value::data(std::move(*source));
}

} // namespace

const BuiltinTable &dataBuiltins() {
  static const BuiltinTable table = [] {
    BuiltinTable rows = {{"idx", "directory, validation?", runIdx}};
    for (const BuiltinTable *part : {&dataKindBuiltins(), &dataPartBuiltins(), &dataMapBuiltins()})
      rows.insert(rows.end(), part->begin(), part->end());
    return rows;
  }();
  return table;
}

} // namespace dlm::sema
