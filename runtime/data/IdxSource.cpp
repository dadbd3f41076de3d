// The IDX source: pairs of files, of images and of labels. Everything that can be wrong with the
// files is found before a sample is handed out. Large images that are not packed stay in their
// file.
#include "runtime/data/IdxSource.h"

#include "runtime/data/BackgroundSource.h"
#include "runtime/data/formats/IdxFile.h"
#include "runtime/data/formats/SeekableFile.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <sys/stat.h>

namespace dlm {

namespace {

/// A pair of files: images and labels of the same samples.
struct IdxPair {
  IdxArray images;                  // without bytes if they stay in the file
  std::optional<SeekableFile> file; // of images
  uint64_t place = 0;               // where they begin in it
  IdxArray labels;
};

constexpr const char *TrainPrefix = "train", *TestPrefix = "t10k";
constexpr const char *ImagesName = "-images-idx3-ubyte", *LabelsName = "-labels-idx1-ubyte";

/// The plain file if it is there, else the compressed one; `NotFound` names both.
Expected<std::string> findIdxFile(const std::string &folder, const std::string &prefix,
                                  const std::string &rest) {
  std::string plain = folder + "/" + prefix + rest;
  for (const std::string &path : {plain, plain + ".gz"}) {
    struct stat info;
    if (stat(path.c_str(), &info) == 0) return path;
  }
  return notFound("data folder `" + folder + "` has neither `" + prefix + rest + "` nor `" +
                  prefix + rest + ".gz`");
}

/// Reads the images, or leaves them where they are if they take more than `keptBytesMax`.
Status readImages(const std::string &path, uint64_t keptBytesMax, IdxPair &pair,
                  const std::atomic<bool> &cancel) {
  Expected<IdxReader> reader = IdxReader::open(path);
  if (!reader) return reader.status();
  pair.images.path = path;
  pair.images.shape = reader->shape();
  if (!reader->isCompressed() && reader->elementCount() > keptBytesMax) {
    Expected<SeekableFile> opened = SeekableFile::open(path);
    if (!opened) return opened.status();
    pair.file = opened.take();
    pair.place = reader->place();
    return Status::ok(); // its size was compared with its header
  }
  pair.images.bytes.reset(new uint8_t[reader->elementCount()]);
  return reader->read(pair.images.bytes.get(), &cancel);
}

Status readIdxPair(const DataSpec &spec, const std::string &prefix, IdxPair &pair,
                   const std::atomic<bool> &cancel) {
  Expected<std::string> labelsPath = findIdxFile(spec.path, prefix, LabelsName);
  if (!labelsPath) return labelsPath.status();
  Expected<IdxArray> labels = readIdxArray(*labelsPath, &cancel);
  if (!labels) return labels.status();
  pair.labels = labels.take();
  Expected<std::string> imagesPath = findIdxFile(spec.path, prefix, ImagesName);
  if (!imagesPath) return imagesPath.status();
  DLM_TRY(readImages(*imagesPath, spec.keptBytesMax, pair, cancel));
  if (pair.images.count() != pair.labels.count())
    return corrupt("`" + pair.images.path + "` holds " + std::to_string(pair.images.count()) +
                   " samples, `" + pair.labels.path + "` holds " +
                   std::to_string(pair.labels.count()));
  return Status::ok();
}

std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

/// The samples [first, first + count) of a pair of files.
class IdxDataset : public Dataset {
public:
  IdxDataset(std::vector<FieldSpec> fields, std::shared_ptr<const IdxPair> pair, int64_t first,
             int64_t count)
      : specs(std::move(fields)), pair(std::move(pair)), first(first), count(count) {}

  int64_t size() const override { return count; }
  const std::vector<FieldSpec> &fields() const override { return specs; }

  Status read(int64_t index, void *const *out) const override {
    DLM_ASSERT(index >= 0 && index < count, "a sample outside its split");
    int64_t sample = first + index;
    for (size_t i = 0; i < specs.size(); ++i) {
      if (specs[i].shape.empty())
        copyLabel(sample, specs[i].dtype, out[i]);
      else
        DLM_TRY(copyImage(sample, out[i]));
    }
    return Status::ok();
  }

private:
  Status copyImage(int64_t sample, void *out) const {
    size_t size = size_t(pair->images.sampleSize());
    uint64_t place = uint64_t(sample) * size;
    if (pair->file) return pair->file->read(pair->place + place, out, size);
    std::memcpy(out, pair->images.bytes.get() + place, size);
    return Status::ok();
  }

  void copyLabel(int64_t sample, DType dtype, void *out) const {
    uint8_t label = pair->labels.bytes[size_t(sample)];
    int32_t value = label;
    if (dtype == DType::U8)
      std::memcpy(out, &label, sizeof label);
    else
      std::memcpy(out, &value, sizeof value);
  }

  std::vector<FieldSpec> specs;
  std::shared_ptr<const IdxPair> pair;
  int64_t first, count;
};

class IdxSplits {
public:
  explicit IdxSplits(DataSpec spec) : spec(std::move(spec)) {}

  Expected<std::unique_ptr<Dataset>> operator()(Split split, const std::atomic<bool> &cancel) {
    bool isTest = split == Split::Test;
    Files &files = isTest ? test : train;
    int64_t trainCount = countOf(Split::Train);
    if (!files.pair) // a failure is one of both parts that are cut from a file
      files.failure =
          read(isTest ? TestPrefix : TrainPrefix, files.pair,
               isTest ? countOf(split) : trainCount + countOf(Split::Validation), cancel);
    if (!files.failure.isOk()) return files.failure;
    int64_t first = split == Split::Validation ? trainCount : 0;
    return std::unique_ptr<Dataset>(new IdxDataset(spec.fields, files.pair, first, countOf(split)));
  }

private:
  struct Files {
    std::shared_ptr<const IdxPair> pair;
    Status failure;
  };

  int64_t countOf(Split split) const { return spec.counts[int(split)]; }

  /// Reads one pair and compares it with what the program was compiled for.
  Status read(const char *prefix, std::shared_ptr<const IdxPair> &result, int64_t expectedCount,
              const std::atomic<bool> &cancel) const {
    auto pair = std::make_shared<IdxPair>();
    result = pair;
    DLM_TRY(readIdxPair(spec, prefix, *pair, cancel));
    const IdxArray &images = pair->images;
    if (images.count() != expectedCount)
      return invalidArgument("`" + images.path + "` holds " + std::to_string(images.count()) +
                             " samples, the program was compiled for " +
                             std::to_string(expectedCount));
    std::vector<int64_t> shape(images.shape.begin() + 1, images.shape.end());
    for (const FieldSpec &field : spec.fields) {
      if (!field.shape.empty() && field.shape != shape)
        return invalidArgument("`" + images.path + "` holds samples of shape " + shapeText(shape) +
                               ", the program was compiled for " + shapeText(field.shape));
    }
    if (pair->labels.sampleSize() != 1)
      return corrupt("`" + pair->labels.path + "` holds more than one label a sample");
    return checkLabels(pair->labels);
  }

  Status checkLabels(const IdxArray &labels) const {
    if (spec.classes <= 0) return Status::ok();
    for (int64_t i = 0; i < labels.count(); ++i) {
      if (labels.bytes[size_t(i)] >= spec.classes)
        return corrupt("`" + labels.path + "`: sample " + std::to_string(i) + " has label " +
                       std::to_string(labels.bytes[size_t(i)]) + ", the program was compiled for " +
                       std::to_string(spec.classes) + " classes");
    }
    return Status::ok();
  }

  DataSpec spec;
  Files train, test;
};

} // namespace

Expected<std::unique_ptr<DataSource>> makeIdxSource(const DataSpec &spec) {
  for (const FieldSpec &field : spec.fields) {
    bool isImage = !field.shape.empty() && field.dtype == DType::U8;
    bool isLabel = field.shape.empty() && (field.dtype == DType::I32 || field.dtype == DType::U8);
    if (!isImage && !isLabel)
      return invalidArgument("data `" + spec.name + "`: field `" + field.name + "` is " +
                             dtypeName(field.dtype) + shapeText(field.shape) +
                             "; images are U8 and labels are I32 scalars");
  }
  return makeBackgroundSource(spec, IdxSplits(spec));
}

} // namespace dlm
