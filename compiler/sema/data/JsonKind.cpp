// `data.jsonl`: which keys the records have, and of what types they are.
#include "compiler/sema/data/DataKinds.h"
#include "compiler/sema/data/SourceCall.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "runtime/data/formats/JsonTable.h"

namespace dlm::sema {

namespace {

DType jsonDType(dlm::DType dtype) {
  return dtype == dlm::DType::Bool  ? DType::Bool
         : dtype == dlm::DType::I32 ? DType::I32
                                    : DType::F32;
}

/// Decodes all records of a file, as the run will; `count` becomes their number.
Status checkLines(const JsonDecoder &decoder, const std::string &path, int64_t &count) {
  Expected<JsonLines> file = JsonLines::open(path);
  if (!file) return file.status();
  std::vector<void *> places(decoder.table().fields.size(), nullptr);
  JsonRecord record;
  for (count = 0;; ++count) {
    Expected<bool> got = file->next(record);
    if (!got) return got.status();
    if (!*got) break;
    DLM_TRY(decoder.decode(*file, record, places.data()));
  }
  return count > 0 ? Status::ok() : corrupt("data file `" + path + "` is empty");
}

bool surveyLines(SourceCall &call, DataSource &source) {
  Expected<JsonTable> table = surveyJson(source.path, source.trainCount);
  if (!table) return call.fails(table.status());
  for (const JsonField &field : table->fields) {
    if (!call.isFieldName(field.name)) return false;
    TensorType type{jsonDType(field.dtype), {}};
    for (int64_t size : field.shape)
      type.dims.push_back(Dim::whole(size));
    source.fields.push_back({field.name, type});
  }
  source.facts = table->toJson();
  return true;
}

/// Finds the values of the categories in the training samples, and looks at every record.
bool fitLines(SourceCall &call, DataSource &source) {
  Expected<JsonTable> table = JsonTable::fromJson(source.facts);
  if (!table) return call.fails(table.status());
  Status status = fitJson(*table, source.path, source.trainCount);
  if (!status.isOk()) return call.fails(status);
  source.classes = table->classes;
  source.facts = table->toJson();
  JsonDecoder decoder(*table);
  int64_t whole = 0;
  status = checkLines(decoder, source.path, whole);
  for (auto [path, count] : {std::pair(&source.validationPath, &source.validationCount),
                             std::pair(&source.testPath, &source.testCount)})
    if (status.isOk() && !path->empty()) status = checkLines(decoder, *path, *count);
  return status.isOk() || call.fails(status);
}

} // namespace

SourceKindSteps jsonSteps() {
  return {"jsonl", exampleOfFields, addDescribed, surveyLines, fitLines};
}

} // namespace dlm::sema
