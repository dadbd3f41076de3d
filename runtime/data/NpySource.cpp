// The first samples of the arrays are the training samples; what the program cuts for validation
// and test stands behind them, in this order.
#include "runtime/data/NpySource.h"

#include "runtime/data/BackgroundSource.h"
#include "runtime/data/formats/NpyFile.h"
#include "runtime/data/formats/SeekableFile.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

namespace dlm {

namespace {

std::string typeText(DType dtype, const std::vector<int64_t> &shape) {
  std::string text = dtypeName(dtype) + std::string("[");
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

/// One array of the samples of a split: in memory, or where it stays in its file.
struct NpyField {
  NpyDecoder decoder;
  std::vector<uint8_t> kept = {};
  std::optional<SeekableFile> file = {};
  uint64_t place = 0; // of the array in the file
  int64_t first = 0;  // sample of it
};

class NpyDataset : public Dataset {
public:
  NpyDataset(std::vector<FieldSpec> fields, int64_t count)
      : specs(std::move(fields)), count(count) {}

  int64_t size() const override { return count; }
  const std::vector<FieldSpec> &fields() const override { return specs; }

  Status read(int64_t index, void *const *out) const override {
    DLM_ASSERT(index >= 0 && index < count, "a sample outside its split");
    for (size_t i = 0; i < specs.size(); ++i) {
      size_t bytes = size_t(specs[i].sizeBytes());
      if (arrays[i].file)
        DLM_TRY(readFromFile(arrays[i], index, static_cast<uint8_t *>(out[i])));
      else
        std::memcpy(out[i], arrays[i].kept.data() + size_t(index) * bytes, bytes);
    }
    return Status::ok();
  }

  std::vector<NpyField> arrays; // by field

private:
  /// The values were looked at when the program started, and are again: files may change.
  static Status readFromFile(const NpyField &array, int64_t index, uint8_t *out) {
    uint8_t bytes[size_t(16) << 10];
    size_t width = size_t(npyElementBytes(array.decoder.header().type));
    size_t outWidth = elementSizeBytes(array.decoder.dtype());
    int64_t left = array.decoder.elementsOfSample(), at = (array.first + index) * left;
    int64_t largest = -1; // of labels: nobody asks
    while (left > 0) {
      int64_t some = std::min(left, int64_t(sizeof bytes / width));
      DLM_TRY(array.file->read(array.place + uint64_t(at) * width, bytes, size_t(some) * width));
      DLM_TRY(array.decoder.decode(bytes, at, some, out, largest));
      out += size_t(some) * outWidth;
      at += some;
      left -= some;
    }
    return Status::ok();
  }

  std::vector<FieldSpec> specs;
  int64_t count;
};

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
    auto dataset = std::make_unique<NpyDataset>(spec.fields, spec.counts[int(split)]);
    if (arrays->failure.isOk()) arrays->failure = fill(*dataset, split, *arrays, cancel);
    if (!arrays->failure.isOk()) return arrays->failure;
    return std::unique_ptr<Dataset>(std::move(dataset));
  }

private:
  struct Arrays {
    std::vector<NpyArray> list; // by field
    int64_t done = 0;           // samples
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

  /// Whether the arrays of a path are small enough to be kept.
  bool areKept(const Arrays &arrays) const {
    uint64_t bytes = 0;
    for (size_t i = 0; i < arrays.list.size(); ++i)
      bytes += uint64_t(arrays.list[i].count()) * spec.fields[i].sizeBytes();
    return bytes <= spec.keptBytesMax;
  }

  Status fill(NpyDataset &dataset, Split split, Arrays &arrays,
              const std::atomic<bool> &cancel) const {
    int64_t count = spec.counts[int(split)];
    bool isKept = areKept(arrays);
    for (size_t i = 0; i < arrays.list.size(); ++i) {
      NpyArray &array = arrays.list[i];
      NpyField field{array.decoder()};
      field.first = arrays.done;
      if (isKept || array.plainFile().empty()) {
        field.kept.resize(size_t(count) * size_t(spec.fields[i].sizeBytes()));
      } else {
        Expected<SeekableFile> opened = SeekableFile::open(array.plainFile());
        if (!opened) return opened.status();
        const NpyHeader &header = array.decoder().header();
        uint64_t bytes = uint64_t(header.elementCount()) * npyElementBytes(header.type);
        if (opened->sizeBytes() < bytes) return corrupt(array.name() + " was replaced just now");
        field.place = opened->sizeBytes() - bytes;
        field.file = opened.take();
      }
      DLM_TRY(array.read(count, field.file ? nullptr : field.kept.data(), &cancel));
      if (spec.endsFile(split)) DLM_TRY(array.expectEnd());
      dataset.arrays.push_back(std::move(field));
    }
    arrays.done += count;
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
