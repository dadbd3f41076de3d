// `data.jsonl`: which keys the records have, and of what types they are.
#include "compiler/sema/data/DataKinds.h"
#include "compiler/sema/data/FileMemory.h"
#include "compiler/sema/data/LabelParts.h"
#include "compiler/sema/data/SourceCall.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "runtime/data/formats/JsonTable.h"

#include <algorithm>

namespace dlm::sema {

namespace {

DType jsonDType(dlm::DType dtype) {
  return dtype == dlm::DType::Bool  ? DType::Bool
         : dtype == dlm::DType::I32 ? DType::I32
                                    : DType::F32;
}

/// What is told of each record: its number, and its label if it has one.
using SeeLabel = std::function<void(int64_t record, int32_t label)>;

/// Decodes all records of a file, as the run will; `count` becomes their number.
Status checkLines(const JsonDecoder &decoder, const std::string &path, int64_t &count,
                  const SeeLabel &see = {}) {
  Expected<JsonLines> file = JsonLines::open(path);
  if (!file) return file.status();
  file->leaveOut(decoder.table().dropped);
  const std::vector<JsonField> &fields = decoder.table().fields;
  std::vector<void *> places(fields.size(), nullptr);
  int32_t label = 0;
  bool isLabelled = false;
  for (size_t i = 0; see && i < fields.size(); ++i)
    if (fields[i].isLabel() && fields[i].elementCount() == 1) {
      places[i] = &label;
      isLabelled = true;
    }
  JsonRecord record;
  for (count = 0;; ++count) {
    Expected<bool> got = file->next(record);
    if (!got) return got.status();
    if (!*got) break;
    DLM_TRY(decoder.decode(*file, record, places.data()));
    if (isLabelled) see(count, label);
  }
  return count > 0 ? Status::ok() : corrupt("data file `" + path + "` is empty");
}

/// What files of lines hold.
struct LinesSeen {
  JsonTable table;
  int64_t count = 0;                          // of records, of the training file
  int64_t validationCount = 0, testCount = 0; // of files of their own
  LabelCounts labels = {};
};

Expected<LinesSeen> recallKeys(const std::string &path, const std::vector<std::string> &dropped) {
  std::string question = "keys of lines";
  for (const std::string &key : dropped)
    question += " but " + quotedKey(key);
  return fileMemory().recall<Expected<LinesSeen>>(question, {path}, [&]() -> Expected<LinesSeen> {
    LinesSeen seen;
    Expected<JsonTable> table = surveyJson(path, seen.count, dropped);
    if (!table) return table.status();
    seen.table = table.take();
    return seen;
  });
}

/// The keys of the first record; none if they cannot be read.
std::vector<std::string> keysOf(const std::string &path) {
  std::vector<std::string> keys;
  Expected<JsonLines> file = JsonLines::open(path);
  JsonRecord record;
  if (!file) return keys;
  Expected<bool> got = file->next(record);
  if (!got || !*got) return keys; // the survey says why
  for (const JsonValue &value : record.values)
    keys.push_back(value.key);
  return keys;
}

/// The names of `drop = [...]`; nothing if reported.
std::optional<std::vector<std::string>> droppedKeys(SourceCall &call) {
  std::vector<std::string> keys;
  const Operand *given = call.argument("drop");
  if (!given) return keys;
  auto wrong = [&](const Value &value, const std::string &what) {
    Report message(call.evaluator.report, Kind::TypeMismatch, given->span,
                   "`drop` is a list of the names of keys, and " + what + value.describe());
    if (value.is(ValueKind::String))
      message.help("write a list", given->span,
                   "[" + std::string(call.evaluator.sources.text(given->span)) + "]");
    return std::nullopt;
  };
  if (given->value.isPoison()) return std::nullopt;
  if (!given->value.is(ValueKind::List)) return wrong(given->value, "this is ");
  for (const Value &item : given->value.asList()) {
    if (item.isPoison()) return std::nullopt;
    if (!item.is(ValueKind::String)) return wrong(item, "one of these is ");
    keys.push_back(item.asString());
  }
  return keys;
}

/// Whether the first record has all keys that are left out.
bool haveKeys(SourceCall &call, const std::string &path, const std::vector<std::string> &dropped) {
  std::vector<std::string> known = keysOf(path);
  for (const std::string &key : dropped) {
    if (known.empty() || std::count(known.begin(), known.end(), key)) continue;
    call.evaluator
        .report(Kind::DataSource, call.argument("drop")->span,
                "the first line has no key " + quotedKey(key))
        .nearestOrAll("a key", key, {}, known);
    return false;
  }
  return true;
}

/// Finds the values of the categories in the training samples, and looks at every record.
Expected<LinesSeen> recallLines(const DataSource &source) {
  std::vector<std::string> files = {source.path};
  for (const std::string &path : {source.validationPath, source.testPath})
    if (!path.empty()) files.push_back(path);
  SampleParts parts = partsOf(source);
  std::string question = "values of " + textOfParts(source) + " lines: " + source.facts +
                         (source.testPath.empty() ? "" : " test");
  return fileMemory().recall<Expected<LinesSeen>>(question, files, [&]() -> Expected<LinesSeen> {
    Expected<JsonTable> table = JsonTable::fromJson(source.facts);
    if (!table) return table.status();
    LinesSeen seen;
    seen.table = table.take();
    DLM_TRY(fitJson(seen.table, source.path, parts.size(),
                    [&](int64_t record) { return parts.isTraining(record); }));
    JsonDecoder decoder(seen.table);
    DLM_TRY(checkLines(decoder, source.path, seen.count, [&](int64_t record, int32_t label) {
      if (record < parts.size()) seen.labels.add(parts.partOf(record), label);
    }));
    if (!source.validationPath.empty())
      DLM_TRY(checkLines(decoder, source.validationPath, seen.validationCount));
    if (!source.testPath.empty()) DLM_TRY(checkLines(decoder, source.testPath, seen.testCount));
    return seen;
  });
}

/// The fields of a description, without those that the call leaves out.
bool addKeys(SourceCall &call, DataSource &source) {
  if (!addDescribed(call, source)) return false;
  std::optional<std::vector<std::string>> dropped = droppedKeys(call);
  if (!dropped) return false;
  auto isDropped = [&](const Field &field) {
    return std::count(dropped->begin(), dropped->end(), field.name) > 0;
  };
  source.fields.erase(std::remove_if(source.fields.begin(), source.fields.end(), isDropped),
                      source.fields.end());
  return true;
}

bool surveyLines(SourceCall &call, DataSource &source) {
  std::optional<std::vector<std::string>> dropped = droppedKeys(call);
  if (!dropped || !haveKeys(call, source.path, *dropped)) return false;
  Expected<LinesSeen> seen = recallKeys(source.path, *dropped);
  if (!seen) return call.fails(seen.status());
  source.trainCount = seen->count;
  for (const JsonField &field : seen->table.fields) {
    if (!call.isFieldName(field.name)) return false;
    TensorType type{jsonDType(field.dtype), {}};
    for (int64_t size : field.shape)
      type.dims.push_back(Dim::whole(size));
    source.fields.push_back({field.name, type});
  }
  source.facts = seen->table.toJson();
  return true;
}

/// A string that is no category at all, or one that only a part from the end of the file has.
bool reportMisfit(SourceCall &call, const DataSource &source, const Status &status) {
  Report report(call.evaluator.report, Kind::DataSource, call.call.span, status.message());
  if (status.message().find(UnseenString) == std::string::npos) return false;
  if (source.fields.size() > 1)
    report.help("a string is read as a category; `drop = [\"KEY\"]` leaves out a key that is none");
  if ((source.isValidationCut || source.isTestCut) && !source.arePartsMixed)
    report.help("if the file is sorted, `split = shuffled` cuts the parts from all over it");
  return false;
}

bool fitLines(SourceCall &call, DataSource &source) {
  Expected<LinesSeen> seen = recallLines(source);
  if (!seen) return reportMisfit(call, source, seen.status());
  source.classes = seen->table.classes;
  source.facts = seen->table.toJson();
  for (const JsonField &field : seen->table.fields) {
    warnOfSimilar(call, "key", field.name, field.similar);
    if (field.isLabel())
      warnOfLackedClasses(call, source, seen->labels,
                          [&](int64_t id) { return nameOf(field.values, id); });
  }
  if (!source.validationPath.empty()) source.validationCount = seen->validationCount;
  if (!source.testPath.empty()) source.testCount = seen->testCount;
  return true;
}

} // namespace

SourceKindSteps jsonSteps() { return {"jsonl", exampleOfFields, addKeys, surveyLines, fitLines}; }

} // namespace dlm::sema
