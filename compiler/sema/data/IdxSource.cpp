// An IDX file is a magic number 0x0000TTRR (type of element, rank), the sizes as 32-bit big-endian
// numbers, and the elements. zlib reads plain files and gzipped ones alike.
#include "compiler/sema/data/IdxSource.h"

#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

namespace dlm::sema {

namespace {

namespace fs = std::filesystem;

struct Closer {
  void operator()(gzFile file) const { gzclose(file); }
};
using File = std::unique_ptr<gzFile_s, Closer>;

class IdxFile {
public:
  /// Opens a file of the directory and reads its header; false with a reason if it is not one.
  bool open(const fs::path &directory, const std::string &name, int rank, std::string &reason) {
    fs::path path = directory / name;
    std::error_code error;
    if (!fs::exists(path, error)) path += ".gz";
    if (!fs::exists(path, error)) {
      reason = "there is no file `" + name + "` (or `" + name + ".gz`)";
      return false;
    }
    if (fs::is_regular_file(path, error)) file.reset(gzopen(path.c_str(), "rb"));
    if (!file) {
      reason = "`" + path.filename().string() + "` cannot be opened";
      return false;
    }
    uint32_t magic = 0;
    bool isFine = readWord(magic) && magic == 0x800u + unsigned(rank);
    for (int i = 0; isFine && i < rank; ++i) {
      uint32_t size = 0;
      isFine = readWord(size) && size < (1u << 31);
      sizes.push_back(size);
    }
    if (isFine && std::count(sizes.begin(), sizes.end(), 0)) {
      reason = "`" + path.filename().string() + "` holds nothing: one of its sizes is 0";
      return false;
    }
    if (!isFine)
      reason = "`" + path.filename().string() + "` does not begin like an IDX file of bytes with " +
               std::to_string(rank) + " dimension" + (rank == 1 ? "" : "s");
    return isFine;
  }

  /// The largest byte of the content; -1 if the file ends early.
  int largest() {
    std::vector<unsigned char> bytes(1 << 16);
    int result = 0;
    for (int64_t left = sizes[0]; left > 0;) {
      int wanted = int(std::min<int64_t>(left, int64_t(bytes.size())));
      if (gzread(file.get(), bytes.data(), unsigned(wanted)) != wanted) return -1;
      result = std::max(result, int(*std::max_element(bytes.begin(), bytes.begin() + wanted)));
      left -= wanted;
    }
    return result;
  }

  std::vector<int64_t> sizes;

private:
  bool readWord(uint32_t &word) {
    unsigned char bytes[4];
    if (gzread(file.get(), bytes, 4) != 4) return false;
    word = uint32_t(bytes[0]) << 24 | uint32_t(bytes[1]) << 16 | uint32_t(bytes[2]) << 8 | bytes[3];
    return true;
  }

  File file;
};

} // namespace

std::optional<DataSource> probeIdx(const std::string &directory, std::string &reason) {
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    reason = "there is no such directory";
    return std::nullopt;
  }
  IdxFile trainImages, trainLabels, testImages, testLabels;
  bool isFine = trainImages.open(directory, "train-images-idx3-ubyte", 3, reason) &&
                trainLabels.open(directory, "train-labels-idx1-ubyte", 1, reason) &&
                testImages.open(directory, "t10k-images-idx3-ubyte", 3, reason) &&
                testLabels.open(directory, "t10k-labels-idx1-ubyte", 1, reason);
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
  int largest = trainLabels.largest(), largestTest = testLabels.largest();
  if (largest < 0 || largestTest < 0) {
    reason = std::string("`") + (largest < 0 ? "train" : "t10k") +
             "-labels-idx1-ubyte` ends before its last label";
    return std::nullopt;
  }
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
  result.fields = {{"image", image}, {"label", {DType::I32, {}}}};
  return result;
}

} // namespace dlm::sema
