#include "runtime/launch/MeasuredFile.h"

#include "runtime/data/PackedDataset.h"
#include "runtime/data/RowFile.h"

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

} // namespace

Expected<std::unique_ptr<DataSource>> measuredFile(const DataSpec &spec) {
  bool hasRows = spec.kind == "csv" || spec.kind == "jsonl" || spec.kind == "npy";
  if (!spec.isReplaced || !hasRows) return std::unique_ptr<DataSource>();
  Expected<RowFile> file = readRows(spec, spec.path, spec.fields);
  if (!file) return file.status();
  if (file->samples->size() == 0) return corrupt("data file `" + spec.path + "` holds no rows");
  int64_t known = 0; // of the file in the place of which this one stands
  bool isMeasured = false;
  for (int split = 0; split < SplitCount; ++split) {
    bool isFromIt = spec.counts[split] > 0 && spec.pathOf(Split(split)) == spec.path;
    if (isFromIt) known += spec.counts[split];
    isMeasured |= isFromIt && Split(split) != Split::Train;
  }
  if (isMeasured && file->samples->size() == known) return std::unique_ptr<DataSource>();
  return std::unique_ptr<DataSource>(
      std::make_unique<OnePart>(std::move(file->samples), spec.fields));
}

} // namespace dlm
