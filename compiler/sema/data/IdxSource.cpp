// See IdxSource.h.
#include "compiler/sema/data/IdxSource.h"

#include "compiler/sema/data/IdxFile.h"

#include <filesystem>

namespace dlm::sema {

std::optional<DataSource> probeIdx(const std::string &directory, std::string &reason,
                                   bool &isMissing) {
  std::error_code error;
  isMissing = !std::filesystem::is_directory(directory, error);
  if (isMissing) {
    reason = "there is no such directory";
    return std::nullopt;
  }
  IdxFile trainImages, trainLabels, testImages, testLabels;
  bool isFine = trainImages.open(directory, "train-images-idx3-ubyte", 3, reason) &&
                trainLabels.open(directory, "train-labels-idx1-ubyte", 1, reason) &&
                testImages.open(directory, "t10k-images-idx3-ubyte", 3, reason) &&
                testLabels.open(directory, "t10k-labels-idx1-ubyte", 1, reason);
  for (const IdxFile *file : {&trainImages, &trainLabels, &testImages, &testLabels})
    isMissing |= file->isMissing;
  if (!isFine) return std::nullopt;
  auto differ = [&](const char *which, int64_t images, int64_t labels) {
    if (images == labels) return false;
    reason = std::string("the ") + which + " files hold " + std::to_string(images) +
             " images and " + std::to_string(labels) + " labels";
    return true;
  };
  if (differ("training", trainImages.sizes[0], trainLabels.sizes[0]) ||
      differ("test", testImages.sizes[0], testLabels.sizes[0]))
    return std::nullopt;
  if (trainImages.sizes[1] != testImages.sizes[1] || trainImages.sizes[2] != testImages.sizes[2]) {
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
  result.trainCount = trainImages.sizes[0];
  result.testCount = testImages.sizes[0];
  result.classes = largest + 1;
  TensorType image{DType::U8, {}};
  image.dims.push_back(Dim::whole(trainImages.sizes[1]));
  image.dims.push_back(Dim::whole(trainImages.sizes[2]));
  result.fields = {{"image", image}, {"label", {DType::I32, {}}, result.classes}};
  return result;
}

} // namespace dlm::sema
