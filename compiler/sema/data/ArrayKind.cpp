// `data.npy`: which arrays there are, and how many classes their labels have.
#include "compiler/sema/data/DataKinds.h"
#include "compiler/sema/data/FileMemory.h"
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

/// Reads the labels of a file: of so many samples those that say how many classes there are, and
/// of the others whether they keep to that.
Status readLabels(const std::string &path, int64_t trainCount, DataSource &source) {
  Expected<std::vector<NpyArray>> arrays = openNpy(path);
  if (!arrays) return arrays.status();
  for (NpyArray &array : *arrays) {
    if (!array.isLabel()) continue;
    int64_t sampleBytes = int64_t(sizeof(int32_t));
    for (int64_t size : array.sampleShape())
      sampleBytes *= size;
    std::vector<uint8_t> sample(static_cast<size_t>(sampleBytes));
    for (int64_t i = 0; i < array.count(); ++i) {
      if (i == trainCount && i > 0) source.classes = array.largestLabel() + 1;
      if (i >= trainCount) array.limitClasses(source.classes);
      DLM_TRY(array.read(1, sample.data()));
    }
    if (trainCount == array.count()) source.classes = array.largestLabel() + 1;
    return array.expectEnd();
  }
  return Status::ok();
}

bool countClasses(SourceCall &call, DataSource &source) {
  auto read = [&]() -> Expected<int64_t> {
    DataSource seen = source;
    DLM_TRY(readLabels(seen.path, seen.trainCount, seen));
    for (const std::string &path : {seen.validationPath, seen.testPath})
      if (!path.empty()) DLM_TRY(readLabels(path, 0, seen));
    return seen.classes;
  };
  SourcePaths paths{source.kind, {source.path, source.validationPath, source.testPath}};
  std::string question =
      "labels of the first " + std::to_string(source.trainCount) + " samples of " + source.path;
  Expected<int64_t> classes =
      fileMemory().recall<Expected<int64_t>>(question, sourceFiles(paths), read);
  if (!classes) return call.fails(classes.status());
  source.classes = *classes;
  return true;
}

} // namespace

SourceKindSteps arraySteps() {
  return {"npy", exampleOfFields, addDescribed, surveyArrays, countClasses};
}

} // namespace dlm::sema
