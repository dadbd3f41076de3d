// The IDX source. One background thread reads the training files, then the test files, so that
// training starts while the latter are still being inflated. Everything that can be wrong with the
// files is found here, before a sample is handed out: `read` only copies.
#include "runtime/data/IdxSource.h"

#include "runtime/data/FittedSamples.h"
#include "runtime/data/formats/IdxFile.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <sys/stat.h>
#include <thread>

namespace dlm {

namespace {

/// A pair of files: images and labels of the same samples.
struct IdxPair {
  IdxArray images;
  IdxArray labels;
};

constexpr const char *TrainPrefix = "train", *TestPrefix = "t10k";

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

Expected<IdxArray> readIdxOf(const std::string &folder, const std::string &prefix,
                             const std::string &rest, const std::atomic<bool> *cancel) {
  Expected<std::string> path = findIdxFile(folder, prefix, rest);
  if (!path) return path.status();
  return readIdxArray(*path, cancel);
}

constexpr const char *ImagesName = "-images-idx3-ubyte", *LabelsName = "-labels-idx1-ubyte";

Expected<IdxPair> readIdxPair(const std::string &folder, const std::string &prefix,
                              const std::atomic<bool> *cancel) {
  Expected<IdxArray> labels = readIdxOf(folder, prefix, LabelsName, cancel);
  if (!labels) return labels.status();
  Expected<IdxArray> images = readIdxOf(folder, prefix, ImagesName, cancel);
  if (!images) return images.status();
  if (images->count() != labels->count())
    return corrupt("`" + images->path + "` holds " + std::to_string(images->count()) +
                   " samples, `" + labels->path + "` holds " + std::to_string(labels->count()));
  return IdxPair{images.take(), labels.take()};
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
  IdxDataset(std::vector<FieldSpec> fields, const IdxPair *pair, int64_t first, int64_t count)
      : specs(std::move(fields)), pair(pair), first(first), count(count) {}

  int64_t size() const override { return count; }
  const std::vector<FieldSpec> &fields() const override { return specs; }

  Status read(int64_t index, void *const *out) const override {
    DLM_ASSERT(index >= 0 && index < count, "a sample outside its split");
    int64_t place = first + index;
    for (size_t i = 0; i < specs.size(); ++i) {
      const IdxArray &array = specs[i].shape.empty() ? pair->labels : pair->images;
      int64_t size = array.sampleSize();
      const uint8_t *sample = array.bytes.get() + place * size;
      if (specs[i].dtype == DType::U8) {
        std::memcpy(out[i], sample, size_t(size));
      } else {
        int32_t value = *sample;
        std::memcpy(out[i], &value, sizeof value);
      }
    }
    return Status::ok();
  }

private:
  std::vector<FieldSpec> specs;
  const IdxPair *pair;
  int64_t first, count;
};

class IdxSource : public DataSource {
public:
  explicit IdxSource(DataSpec spec) : spec(std::move(spec)) {
    thread = std::thread([this] { readAll(); });
  }

  ~IdxSource() override {
    cancel = true;
    thread.join();
  }

  Expected<const Dataset *> get(Split split, const std::atomic<int> *stop) override {
    bool isTest = split == Split::Test;
    std::unique_lock<std::mutex> lock(mutex);
    while (!ready.wait_for(lock, std::chrono::milliseconds(20),
                           [&] { return isTest ? testReady : trainReady; }))
      if (stop && *stop)
        return Status::error(Code::Interrupted, "data `" + spec.name + "`: interrupted");
    const Status &read = isTest ? testStatus : trainStatus;
    const Status &status = read.isOk() && split == Split::Train ? fittedStatus : read;
    if (!status.isOk()) return status.withContext("data `" + spec.name + "`");
    return static_cast<const Dataset *>(datasets[int(split)].get());
  }

private:
  int64_t countOf(Split split) const { return spec.counts[int(split)]; }

  void readAll() {
    Status status =
        readPair(TrainPrefix, train, countOf(Split::Train) + countOf(Split::Validation));
    make(Split::Train, train, 0);
    make(Split::Validation, train, countOf(Split::Train));
    if (status.isOk()) fittedStatus = checkFitted(spec, *datasets[int(Split::Train)], cancel);
    publish(trainStatus, status, trainReady);
    status = Status::ok();
    if (countOf(Split::Test) > 0) status = readPair(TestPrefix, test, countOf(Split::Test));
    make(Split::Test, test, 0);
    publish(testStatus, status, testReady);
  }

  void make(Split split, const IdxPair &pair, int64_t first) {
    datasets[int(split)] = std::make_unique<IdxDataset>(spec.fields, &pair, first, countOf(split));
  }

  void publish(Status &target, const Status &status, bool &flag) {
    std::lock_guard<std::mutex> lock(mutex);
    target = status;
    flag = true;
    ready.notify_all();
  }

  /// Reads one pair and compares it with what the program was compiled for.
  Status readPair(const char *prefix, IdxPair &pair, int64_t expectedCount) {
    Expected<IdxPair> got = readIdxPair(spec.path, prefix, &cancel);
    if (!got) return got.status();
    pair = got.take();
    if (pair.images.count() != expectedCount)
      return invalidArgument(
          "`" + pair.images.path + "` holds " + std::to_string(pair.images.count()) +
          " samples, the program was compiled for " + std::to_string(expectedCount));
    std::vector<int64_t> shape(pair.images.shape.begin() + 1, pair.images.shape.end());
    for (const FieldSpec &field : spec.fields) {
      if (!field.shape.empty() && field.shape != shape)
        return invalidArgument("`" + pair.images.path + "` holds samples of shape " +
                               shapeText(shape) + ", the program was compiled for " +
                               shapeText(field.shape));
    }
    if (pair.labels.sampleSize() != 1)
      return corrupt("`" + pair.labels.path + "` holds more than one label a sample");
    return checkLabels(pair.labels);
  }

  Status checkLabels(const IdxArray &labels) const {
    if (spec.classes <= 0) return Status::ok();
    for (int64_t i = 0; i < labels.count(); ++i) {
      if (labels.bytes[i] >= spec.classes)
        return corrupt("`" + labels.path + "`: sample " + std::to_string(i) + " has label " +
                       std::to_string(labels.bytes[i]) + ", the program was compiled for " +
                       std::to_string(spec.classes) + " classes");
    }
    return Status::ok();
  }

  DataSpec spec;
  std::atomic<bool> cancel{false};
  IdxPair train, test;
  std::unique_ptr<Dataset> datasets[SplitCount];
  std::mutex mutex;
  std::condition_variable ready;
  bool trainReady = false, testReady = false;
  Status trainStatus, testStatus;
  Status fittedStatus; // whether the training samples are those that something was fitted on
  std::thread thread;
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
  return std::unique_ptr<DataSource>(new IdxSource(spec));
}

} // namespace dlm
