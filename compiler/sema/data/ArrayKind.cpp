// `data.npy`: which arrays there are, and how many classes their labels have.
#include "compiler/sema/data/DataKinds.h"
#include "compiler/sema/data/FileMemory.h"
#include "compiler/sema/data/LabelParts.h"
#include "compiler/sema/data/SourceCall.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "runtime/data/formats/NpyFile.h"
#include "runtime/data/formats/SourceFiles.h"

#include <algorithm>

namespace dlm::sema {

namespace {

DType arrayDType(dlm::DType dtype) {
  switch (dtype) {
  case dlm::DType::Bool:
    return DType::Bool;
  case dlm::DType::U8:
    return DType::U8;
  case dlm::DType::I64:
    return DType::I64;
  case dlm::DType::F32:
    return DType::F32;
  default:
    return DType::I32;
  }
}

TensorType typeOf(const NpyArray &array) {
  TensorType type{arrayDType(array.dtype()), {}};
  for (int64_t size : array.sampleShape())
    type.dims.push_back(Dim::whole(size));
  return type;
}

/// The arrays of a part with files of its own are those of the training samples.
Status compareFields(const std::vector<NpyArray> &arrays, const DataSource &source) {
  for (const Field &field : source.fields) {
    auto found = std::find_if(arrays.begin(), arrays.end(),
                              [&](const NpyArray &array) { return array.field() == field.name; });
    if (found == arrays.end())
      return invalidArgument("the training samples have the array `" + field.name + "`, and " +
                             arrays[0].name() + " is of a part that has none");
    std::string here = typeText(typeOf(*found)), there = typeText(field.type);
    if (here != there)
      return invalidArgument(found->name() + " holds samples of `" + here +
                             "`, and those for training are `" + there + "`");
  }
  return Status::ok();
}

/// Fields and counts, from the headers.
bool surveyArrays(SourceCall &call, DataSource &source) {
  Expected<std::vector<NpyArray>> arrays = openNpy(source.path);
  if (!arrays) return call.fails(arrays.status());
  source.trainCount = (*arrays)[0].count();
  for (const NpyArray &array : *arrays) {
    if (!call.isFieldName(array.field())) return false;
    source.fields.push_back({array.field(), typeOf(array)});
  }
  for (auto [path, count] : {std::pair(&source.validationPath, &source.validationCount),
                             std::pair(&source.testPath, &source.testCount)}) {
    if (path->empty()) continue;
    Expected<std::vector<NpyArray>> part = openNpy(*path);
    Status status = part ? compareFields(*part, source) : part.status();
    if (!status.isOk()) return call.fails(status);
    *count = (*part)[0].count();
  }
  return true;
}

/// Reads the labels of a file: `see` is given the largest of each sample. `classes`: how many there
/// are, which others are failures; 0: not known.
Status readLabels(const std::string &path, int64_t classes,
                  const std::function<void(int64_t sample, int64_t label)> &see) {
  Expected<std::vector<NpyArray>> arrays = openNpy(path);
  if (!arrays) return arrays.status();
  for (NpyArray &array : *arrays) {
    if (!array.isLabel()) continue;
    int64_t elements = 1;
    for (int64_t size : array.sampleShape())
      elements *= size;
    std::vector<int32_t> sample(static_cast<size_t>(elements));
    if (classes > 0) array.limitClasses(classes);
    for (int64_t i = 0; i < array.count(); ++i) {
      DLM_TRY(array.read(1, sample.data()));
      see(i, *std::max_element(sample.begin(), sample.end()));
    }
    return array.expectEnd();
  }
  return Status::ok();
}

struct LabelsSeen {
  int64_t classes = 0;
  int64_t largest = -1; // of all parts of the file
  LabelCounts labels = {};
};

bool countClasses(SourceCall &call, DataSource &source) {
  SampleParts parts = partsOf(source);
  auto read = [&]() -> Expected<LabelsSeen> {
    LabelsSeen seen;
    DLM_TRY(readLabels(source.path, 0, [&](int64_t sample, int64_t label) {
      if (sample >= parts.size()) return;
      Split part = parts.partOf(sample);
      seen.labels.add(part, label);
      if (part == Split::Train) seen.classes = std::max(seen.classes, label + 1);
      seen.largest = std::max(seen.largest, label);
    }));
    auto ignore = [](int64_t, int64_t) {};
    if (seen.largest >= seen.classes) // of another part: where it is, the limit tells
      DLM_TRY(readLabels(source.path, seen.classes, ignore));
    for (const std::string &path : {source.validationPath, source.testPath})
      if (!path.empty()) DLM_TRY(readLabels(path, seen.classes, ignore));
    return seen;
  };
  SourcePaths paths{source.kind, {source.path, source.validationPath, source.testPath}};
  std::string question = "labels of " + textOfParts(source) + " samples of " + source.path;
  Expected<LabelsSeen> seen =
      fileMemory().recall<Expected<LabelsSeen>>(question, sourceFiles(paths), read);
  if (!seen) return call.fails(seen.status());
  source.classes = seen->classes;
  bool isOnePerSample = std::any_of(source.fields.begin(), source.fields.end(), [](auto &field) {
    return field.name == "label" && field.type.dims.empty();
  });
  if (isOnePerSample)
    warnOfLackedClasses(call, source, seen->labels, [](int64_t id) { return std::to_string(id); });
  return true;
}

} // namespace

SourceKindSteps arraySteps() {
  return {"npy", exampleOfFields, addDescribed, surveyArrays, countClasses};
}

} // namespace dlm::sema
