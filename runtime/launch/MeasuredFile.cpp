#include "runtime/launch/MeasuredFile.h"

#include "runtime/data/PackedDataset.h"
#include "runtime/data/RowFile.h"
#include "runtime/launch/MemoryCheck.h"

namespace dlm {

namespace {

class OnePart : public DataSource {
public:
  OnePart(std::unique_ptr<Dataset> rows, const std::vector<FieldSpec> &fields)
      : rows(std::move(rows)), none(fields) {}

  Expected<const Dataset *> get(Split split, const std::atomic<int> *) override {
    return split == Split::Validation ? rows.get() : static_cast<const Dataset *>(&none);
  }

private:
  std::unique_ptr<Dataset> rows;
  PackedDataset none;
};

/// Whether the program has a file of `count` samples in this place, and measures part of it.
bool isAsCompiledFor(const DataSpec &spec, int64_t count) {
  int64_t known = 0;
  bool isMeasured = false;
  for (int split = 0; split < SplitCount; ++split) {
    bool isFromIt = spec.counts[split] > 0 && spec.pathOf(Split(split)) == spec.path;
    if (isFromIt) known += spec.counts[split];
    isMeasured |= isFromIt && Split(split) != Split::Train;
  }
  return isMeasured && count == known;
}

/// The same data, if all of the file is one part that is kept in memory.
DataSpec asOnePart(DataSpec spec, int64_t count) {
  for (int64_t &each : spec.counts)
    each = 0;
  spec.counts[int(Split::Validation)] = count;
  spec.validationPath.clear();
  spec.testPath.clear();
  spec.arePartsMixed = false;
  spec.keptBytesMax = UINT64_MAX;
  return spec;
}

} // namespace

Expected<MeasuredFile> measuredFile(const DataSpec &spec, const plan::Plan &plan,
                                    const std::atomic<int> &stop) {
  if (!spec.isReplaced) return MeasuredFile{nullptr, spec};
  Expected<std::optional<int64_t>> count = countRows(spec, stop);
  if (!count) return count.status();
  if (*count && **count == 0) return corrupt("data file `" + spec.path + "` holds no rows");
  if (!*count || isAsCompiledFor(spec, **count)) return MeasuredFile{nullptr, spec};
  MeasuredFile measured{nullptr, asOnePart(spec, **count)};
  DLM_TRY(checkMemory(plan, measured.spec));
  Expected<RowFile> file = readRows(spec, spec.path, spec.fields, {&stop, **count});
  if (!file) return file.status();
  measured.data = std::make_unique<OnePart>(std::move(file->samples), spec.fields);
  return measured;
}

} // namespace dlm
