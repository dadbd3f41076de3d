// The first samples of the arrays are the training samples; what the program cuts for validation
// and test stands behind them, in this order.
#include "runtime/data/NpySource.h"

#include "runtime/data/BackgroundSource.h"
#include "runtime/data/PackedDataset.h"
#include "runtime/data/formats/NpyFile.h"

#include <algorithm>
#include <map>

namespace dlm {

namespace {

std::string typeText(DType dtype, const std::vector<int64_t> &shape) {
  std::string text = dtypeName(dtype) + std::string("[");
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

/// Reads the files of a source in order, and the parts that share a file in one go.
class NpyReader {
public:
  explicit NpyReader(DataSpec spec) : spec(std::move(spec)) {}

  Expected<std::unique_ptr<Dataset>> operator()(Split split, const std::atomic<bool> &cancel) {
    // Parts that share a file are read in one go, so a failure is one of the later parts too.
    std::shared_ptr<Arrays> &arrays = files[spec.pathOf(split)];
    if (!arrays) {
      arrays = std::make_shared<Arrays>();
      arrays->failure = open(spec.pathOf(split), *arrays);
    }
    auto dataset = std::make_unique<PackedDataset>(spec.fields);
    if (arrays->failure.isOk()) arrays->failure = fill(*dataset, split, *arrays, cancel);
    if (!arrays->failure.isOk()) return arrays->failure;
    return std::unique_ptr<Dataset>(std::move(dataset));
  }

private:
  struct Arrays {
    std::vector<NpyArray> list; // by field
    Status failure;
  };

  /// Opens the arrays of the fields, and compares them with what the program was compiled for.
  Status open(const std::string &path, Arrays &arrays) const {
    Expected<std::vector<NpyArray>> opened = openNpy(path);
    if (!opened) return opened.status();
    int64_t count = 0;
    for (int each = 0; each < SplitCount; ++each)
      if (spec.pathOf(Split(each)) == path) count += spec.counts[each];
    for (const FieldSpec &field : spec.fields) {
      auto found = std::find_if(opened->begin(), opened->end(),
                                [&](const NpyArray &array) { return array.field() == field.name; });
      if (found == opened->end())
        return invalidArgument("`" + path + "` has no array `" + field.name + "`");
      if (found->dtype() != field.dtype || found->sampleShape() != field.shape)
        return invalidArgument(
            found->name() + " holds samples of " + typeText(found->dtype(), found->sampleShape()) +
            ", the program was compiled for " + typeText(field.dtype, field.shape));
      if (found->count() != count)
        return invalidArgument(found->name() + " holds " + std::to_string(found->count()) +
                               " samples, the program was compiled for " + std::to_string(count));
      if (spec.classes > 0) found->limitClasses(spec.classes);
      arrays.list.push_back(std::move(*found));
    }
    return Status::ok();
  }

  Status fill(PackedDataset &dataset, Split split, Arrays &arrays,
              const std::atomic<bool> &cancel) const {
    int64_t count = spec.counts[int(split)];
    dataset.grow(count);
    for (size_t i = 0; i < arrays.list.size(); ++i) {
      NpyArray &array = arrays.list[i];
      DLM_TRY(array.read(count, dataset.place(i, 0), &cancel));
      if (spec.endsFile(split)) DLM_TRY(array.expectEnd());
    }
    return Status::ok();
  }

  DataSpec spec;
  std::map<std::string, std::shared_ptr<Arrays>> files; // by path
};

} // namespace

Expected<std::unique_ptr<DataSource>> makeNpySource(const DataSpec &spec) {
  return makeBackgroundSource(spec, NpyReader(spec));
}

} // namespace dlm
