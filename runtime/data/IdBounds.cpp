// The elements that a bound holds for are counted out once; a sample then costs a comparison each.
#include "runtime/data/IdBounds.h"

#include "runtime/data/SampleParts.h"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace dlm {

namespace {

constexpr uint64_t CheckedBytesMax = uint64_t(1) << 30; // of samples that are all looked at first
constexpr int64_t SamplesBetweenLooks = 4096;           // samples, at a signal

bool isInteger(DType dtype) {
  return dtype == DType::U8 || dtype == DType::I32 || dtype == DType::I64;
}

int64_t valueAt(const void *field, DType dtype, int64_t place) {
  const auto *bytes = static_cast<const uint8_t *>(field);
  if (dtype == DType::U8) return bytes[place];
  if (dtype == DType::I32) {
    int32_t value;
    std::memcpy(&value, bytes + size_t(place) * sizeof value, sizeof value);
    return value;
  }
  int64_t value;
  std::memcpy(&value, bytes + size_t(place) * sizeof value, sizeof value);
  return value;
}

/// The places of a part, in a field of row-major order; nothing if the part does not lie in it.
std::optional<std::vector<int64_t>> placesOf(const IdBound &bound, const FieldSpec &field) {
  size_t rank = field.shape.size();
  if (bound.begin.size() != rank || bound.size.size() != rank) return std::nullopt;
  std::vector<int64_t> places = {0};
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t begin = bound.begin[dim], count = bound.size[dim], whole = field.shape[dim];
    if (begin < 0 || count < 0 || begin > whole || count > whole - begin) return std::nullopt;
    std::vector<int64_t> finer;
    for (int64_t place : places)
      for (int64_t i = 0; i < count; ++i)
        finer.push_back(place * whole + begin + i);
    places = std::move(finer);
  }
  return places;
}

/// "element 3 of `ids`", "element [3, 1] of `ids`", or the field alone.
std::string elementText(const FieldSpec &field, int64_t place) {
  if (field.shape.empty()) return "`" + field.name + "`";
  std::string text;
  for (size_t dim = field.shape.size(); dim-- > 0; place /= field.shape[dim])
    text = std::to_string(place % field.shape[dim]) + (text.empty() ? "" : ", ") + text;
  if (field.shape.size() > 1) text = "[" + text + "]";
  return "element " + text + " of `" + field.name + "`";
}

class CheckedSource final : public DataSource {
public:
  CheckedSource(std::unique_ptr<DataSource> source, const DataSpec &spec, IdChecker checker)
      : source(std::move(source)), spec(spec), checker(std::move(checker)) {}

  Expected<const Dataset *> get(Split split, const std::atomic<int> *stop) override {
    Expected<const Dataset *> inner = source->get(split, stop);
    if (!inner) return inner.status();
    std::lock_guard<std::mutex> lock(mutex);
    std::unique_ptr<CheckedDataset> &dataset = datasets[int(split)];
    if (!dataset) {
      auto made = std::make_unique<CheckedDataset>(**inner, checker, [this, split](int64_t index) {
        return nameOfSample(spec, split, index);
      });
      DLM_TRY(made->checkAll(stop));
      dataset = std::move(made);
    }
    return static_cast<const Dataset *>(dataset.get());
  }

  std::vector<std::string> takeWarnings() override { return source->takeWarnings(); }

private:
  std::unique_ptr<DataSource> source; // first in, last out: the datasets read from it
  DataSpec spec;
  IdChecker checker;
  std::mutex mutex;
  std::unique_ptr<CheckedDataset> datasets[SplitCount];
};

/// The number in its file of a sample of a part.
int64_t placeInFile(const DataSpec &spec, Split split, int64_t index) {
  const std::string &path = spec.pathOf(split);
  if (spec.arePartsMixed && path == spec.path) {
    std::vector<int64_t> samples = SampleParts::ofTrainingFile(spec).samplesOf(split);
    return index < int64_t(samples.size()) ? samples[size_t(index)] : index;
  }
  int64_t place = index;
  for (int before = 0; before < int(split); ++before)
    if (spec.pathOf(Split(before)) == path) place += spec.counts[before];
  return place;
}

} // namespace

std::string nameOfSample(const DataSpec &spec, Split split, int64_t index) {
  int64_t place = placeInFile(spec, split, index);
  std::string text = "`" + spec.pathOf(split) + "`: sample " + std::to_string(place);
  if (place == index) return text;
  return text + " (" + std::to_string(index) + " of " + splitName(split) + ")";
}

Expected<IdChecker> IdChecker::make(const std::vector<FieldSpec> &fields,
                                    const std::vector<IdBound> &bounds) {
  IdChecker checker;
  for (const IdBound &bound : bounds) {
    auto field = std::find_if(fields.begin(), fields.end(),
                              [&](const FieldSpec &each) { return each.name == bound.field; });
    if (field == fields.end()) continue;
    Check check{size_t(field - fields.begin()), *field, bound};
    bool isPart = !bound.begin.empty() || !bound.size.empty();
    std::optional<std::vector<int64_t>> places = placesOf(bound, *field);
    if (!isInteger(field->dtype) || (isPart && !places))
      return corrupt("the plan bounds ids of `" + bound.field + "` that it does not have");
    if (isPart) check.places = *places;
    if (!isPart || !check.places.empty()) checker.checks.push_back(std::move(check));
  }
  return checker;
}

std::string IdChecker::misfit(const void *const *sample) const {
  for (const Check &check : checks) {
    int64_t count = check.places.empty() ? check.spec.elementCount() : int64_t(check.places.size());
    for (int64_t i = 0; i < count; ++i) {
      int64_t place = check.places.empty() ? i : check.places[size_t(i)];
      int64_t value = valueAt(sample[check.field], check.spec.dtype, place);
      bool isIn = value >= 0 && value < check.bound.below;
      if (isIn || (check.bound.ignored && value == *check.bound.ignored)) continue;
      return elementText(check.spec, place) + " is " + std::to_string(value) + ", and " +
             check.bound.what + " takes ids from 0 to " + std::to_string(check.bound.below - 1);
    }
  }
  return "";
}

Status CheckedDataset::check(int64_t index, void *const *out) const {
  std::string wrong = checker.misfit(out);
  return wrong.empty() ? Status::ok() : corrupt(origin(index) + ": " + wrong);
}

Status CheckedDataset::read(int64_t index, void *const *out) const {
  DLM_TRY(inner.read(index, out));
  return check(index, out);
}

Status CheckedDataset::readIn(uint32_t epoch, int64_t index, void *const *out) const {
  DLM_TRY(inner.readIn(epoch, index, out));
  return check(index, out);
}

Status CheckedDataset::checkAll(const std::atomic<int> *stop) const {
  uint64_t bytes = 0;
  for (const FieldSpec &field : fields())
    bytes += field.sizeBytes();
  if (!isInMemory() || bytes * uint64_t(size()) > CheckedBytesMax) return Status::ok();
  std::vector<std::vector<uint8_t>> sample;
  std::vector<void *> places;
  for (const FieldSpec &field : fields())
    places.push_back(sample.emplace_back(size_t(field.sizeBytes())).data());
  for (int64_t i = 0; i < size(); ++i) {
    if (stop && *stop && i % SamplesBetweenLooks == 0)
      return Status::error(Code::Interrupted, "reading the data was interrupted");
    DLM_TRY(read(i, places.data()));
  }
  return Status::ok();
}

Expected<std::unique_ptr<DataSource>> makeCheckedSource(std::unique_ptr<DataSource> source,
                                                        const DataSpec &spec,
                                                        const std::vector<FieldSpec> &fields,
                                                        const std::vector<IdBound> &bounds) {
  Expected<IdChecker> checker = IdChecker::make(fields, bounds);
  if (!checker) return checker.status();
  if (checker->isEmpty()) return std::move(source);
  return std::unique_ptr<DataSource>(
      std::make_unique<CheckedSource>(std::move(source), spec, checker.take()));
}

} // namespace dlm
