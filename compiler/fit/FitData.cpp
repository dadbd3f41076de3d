// Only the training samples: what the program cuts for validation and test is another part of the
// source, which nobody asks for here.
#include "compiler/fit/FitData.h"

#include "runtime/data/FittedSamples.h"

#include <algorithm>
#include <cstring>

namespace dlm::fit {

namespace {

DType runtimeType(sema::DType dtype) {
  switch (dtype) {
  case sema::DType::Bool:
    return DType::Bool;
  case sema::DType::U8:
    return DType::U8;
  case sema::DType::I32:
    return DType::I32;
  case sema::DType::I64:
    return DType::I64;
  default:
    return DType::F32; // no source has fields of other types
  }
}

} // namespace

DataSpec dataSpecOf(const sema::DataSource &source) {
  DataSpec spec;
  spec.name = source.name;
  spec.kind = source.kind;
  spec.path = source.path;
  spec.validationPath = source.validationPath;
  spec.testPath = source.testPath;
  spec.facts = source.facts;
  spec.classes = source.classes;
  spec.arePartsMixed = source.arePartsMixed;
  spec.counts[int(Split::Train)] = source.trainCount;
  spec.counts[int(Split::Validation)] = source.validationCount;
  spec.counts[int(Split::Test)] = source.testCount;
  for (const sema::Field &field : source.fields) {
    std::vector<int64_t> shape;
    for (const sema::Dim &dim : field.type.dims)
      shape.push_back(dim.size());
    spec.fields.push_back({field.name, runtimeType(field.type.dtype), std::move(shape)});
  }
  return spec;
}

Expected<FitData> FitData::open(const sema::DataSource &source) {
  FitData data;
  Expected<std::unique_ptr<DataSource>> opened = openDataSource(dataSpecOf(source));
  if (!opened) return opened.status();
  data.source = opened.take();
  Expected<const Dataset *> samples = data.source->get(Split::Train);
  if (!samples) return samples.status();
  data.samples = *samples;
  for (const FieldSpec &field : data.samples->fields())
    data.sample.emplace_back(size_t(field.sizeBytes()));
  return data;
}

template <class Put> Status FitData::readAll(const Put &put) {
  std::vector<void *> places;
  for (std::vector<uint8_t> &field : sample)
    places.push_back(field.data());
  for (int64_t index = 0; index < samples->size(); ++index) {
    DLM_TRY(samples->read(index, places.data()));
    put(index);
  }
  return Status::ok();
}

Status FitData::placeFields(const FitProgram &program) {
  std::vector<BufferView> places;
  bool isAnyRead = false;
  for (const FieldSpec &field : samples->fields()) {
    places.push_back(program.find(placeOf(field.name, false)));
    isAnyRead |= bool(places.back());
  }
  if (!isAnyRead) return Status::ok();
  return readAll([&](int64_t index) {
    for (size_t i = 0; i < places.size(); ++i)
      if (places[i])
        std::memcpy(static_cast<uint8_t *>(places[i].data) + size_t(index) * sample[i].size(),
                    sample[i].data(), sample[i].size());
  });
}

Status FitData::gatherColumns() {
  const std::vector<FieldSpec> &fields = samples->fields();
  auto fieldOf = [&](const char *name) {
    size_t index = 0;
    while (index < fields.size() && fields[index].name != name)
      ++index;
    return index;
  };
  size_t number = fieldOf("number"), isThere = fieldOf("present");
  if (number == fields.size() || isThere == fields.size())
    return internalError("a table without numbers was to be fitted");
  size_t columns = sample[isThere].size(), rows = size_t(samples->size());
  numbers.resize(columns * rows);
  present.resize(columns * rows);
  return readAll([&](int64_t index) {
    for (size_t column = 0; column < columns; ++column) {
      size_t to = column * rows + size_t(index);
      std::memcpy(&numbers[to], sample[number].data() + column * sizeof(float), sizeof(float));
      present[to] = sample[isThere][column];
    }
  });
}

std::optional<size_t> FitData::firstEmptyColumn() const {
  size_t rows = size_t(samples->size());
  for (size_t column = 0; column * rows < present.size(); ++column) {
    auto first = present.begin() + std::ptrdiff_t(column * rows);
    if (std::none_of(first, first + std::ptrdiff_t(rows), [](uint8_t isThere) { return isThere; }))
      return column;
  }
  return std::nullopt;
}

void FitData::placeColumn(const FitProgram &program, int64_t column) const {
  size_t rows = size_t(samples->size()), begin = size_t(column) * rows;
  if (BufferView place = program.find(placeOf("number", true)))
    std::memcpy(place.data, numbers.data() + begin, rows * sizeof(float));
  if (BufferView place = program.find(placeOf("present", true)))
    std::memcpy(place.data, present.data() + begin, rows);
}

Expected<std::string> FitData::hash(const std::vector<std::string> &fields) const {
  if (!samples->isInMemory()) return std::string();
  return hashSamples(*samples, fields);
}

} // namespace dlm::fit
