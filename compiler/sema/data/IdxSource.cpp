// See IdxSource.h.
#include "compiler/sema/data/IdxSource.h"

#include "compiler/sema/data/FileMemory.h"
#include "runtime/data/formats/IdxFile.h"
#include "runtime/data/formats/SourceFiles.h"

#include <filesystem>

namespace dlm::sema {

namespace {

namespace fs = std::filesystem;

/// One file of the four.
struct Part {
  std::optional<IdxReader> reader;
  bool isMissing = false;

  int64_t size(size_t axis) const { return reader->shape()[axis]; }

  /// Opens `name`, or `name.gz`. False with a reason if it is not there (then `isMissing`), or is
  /// not a whole file of so many dimensions.
  bool open(const fs::path &directory, const std::string &name, size_t rank, std::string &reason) {
    fs::path path = directory / name;
    std::error_code error;
    if (!fs::exists(path, error)) path += ".gz";
    isMissing = !fs::exists(path, error);
    if (isMissing) reason = "there is no file `" + name + "` (or `" + name + ".gz`)";
    if (isMissing) return false;
    Expected<IdxReader> opened = IdxReader::open(path.string());
    if (!opened) reason = opened.status().message();
    if (!opened) return false;
    reader = opened.take();
    size_t found = reader->shape().size();
    if (found != rank)
      reason = "`" + path.filename().string() + "` has " + std::to_string(found) + " dimension" +
               (found == 1 ? "" : "s") + ", and a file of " + (rank == 1 ? "labels" : "images") +
               " has " + std::to_string(rank);
    // Labels are read later.
    Status status = found == rank && rank > 1 ? reader->checkLength() : Status::ok();
    if (!status.isOk()) reason = status.message();
    return found == rank && status.isOk();
  }

  /// The largest label; -1 with a reason if the file is damaged.
  int largest(std::string &reason) {
    Expected<int> result = reader->largest();
    if (!result) reason = result.status().message();
    return result ? *result : -1;
  }
};

std::optional<DataSource> probe(const std::string &directory, std::string &reason,
                                bool &isMissing) {
  std::error_code error;
  isMissing = !fs::is_directory(directory, error);
  if (isMissing) {
    reason = "there is no such directory";
    return std::nullopt;
  }
  Part trainImages, trainLabels, testImages, testLabels;
  bool isFine = trainImages.open(directory, "train-images-idx3-ubyte", 3, reason) &&
                trainLabels.open(directory, "train-labels-idx1-ubyte", 1, reason) &&
                testImages.open(directory, "t10k-images-idx3-ubyte", 3, reason) &&
                testLabels.open(directory, "t10k-labels-idx1-ubyte", 1, reason);
  for (const Part *file : {&trainImages, &trainLabels, &testImages, &testLabels})
    isMissing |= file->isMissing;
  if (!isFine) return std::nullopt;
  auto differ = [&](const char *which, int64_t images, int64_t labels) {
    if (images == labels) return false;
    reason = std::string("the ") + which + " files hold " + std::to_string(images) +
             " images and " + std::to_string(labels) + " labels";
    return true;
  };
  if (differ("training", trainImages.size(0), trainLabels.size(0)) ||
      differ("test", testImages.size(0), testLabels.size(0)))
    return std::nullopt;
  if (trainImages.size(1) != testImages.size(1) || trainImages.size(2) != testImages.size(2)) {
    reason = "the training and the test images differ in size";
    return std::nullopt;
  }
  int largest = trainLabels.largest(reason);
  int largestTest = largest < 0 ? -1 : testLabels.largest(reason);
  if (largestTest < 0) return std::nullopt;
  if (largestTest > largest) {
    reason = "the test labels go up to " + std::to_string(largestTest) +
             ", and the training labels only to " + std::to_string(largest);
    return std::nullopt;
  }
  DataSource result;
  result.kind = "idx";
  result.path = directory;
  result.trainCount = trainImages.size(0);
  result.testCount = testImages.size(0);
  result.classes = largest + 1;
  TensorType image{DType::U8, {}};
  image.dims.push_back(Dim::whole(trainImages.size(1)));
  image.dims.push_back(Dim::whole(trainImages.size(2)));
  result.fields = {{"image", image}, {"label", {DType::I32, {}}, result.classes}};
  return result;
}

} // namespace

std::optional<DataSource> probeIdx(const std::string &directory, std::string &reason,
                                   bool &isMissing) {
  struct Seen {
    std::optional<DataSource> source;
    std::string reason;
    bool isMissing = false;
  };
  std::vector<std::string> files = sourceFiles({"idx", {directory}});
  Seen seen = fileMemory().recall<Seen>("images in " + directory, files, [&] {
    Seen read;
    read.source = probe(directory, read.reason, read.isMissing);
    return read;
  });
  reason = seen.reason;
  isMissing = seen.isMissing;
  return seen.source;
}

} // namespace dlm::sema
