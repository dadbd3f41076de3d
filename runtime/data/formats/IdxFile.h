// The IDX format of MNIST and its relatives: a magic number that holds the element type and the
// number of dimensions, the sizes as big-endian 32-bit numbers, then the elements. Plain or gzip.
#pragma once

#include "runtime/data/formats/InflatedFile.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dlm {

struct IdxArray {
  std::string path;
  std::vector<int64_t> shape;       // the first size counts the samples
  std::unique_ptr<uint8_t[]> bytes; // row-major; element type u8

  int64_t count() const { return shape[0]; }
  /// Elements of one sample.
  int64_t sampleSize() const;
};

/// One file, its header read and checked against the size of the file.
class IdxReader {
public:
  /// `mayBeEmpty`: a file of no samples is one.
  static Expected<IdxReader> open(const std::string &path, bool mayBeEmpty = false);

  const std::vector<int64_t> &shape() const { return sizes; }
  uint64_t elementCount() const { return count; }
  bool isCompressed() const { return file.isCompressed(); }
  /// Where the elements begin, in a file that is not compressed.
  uint64_t place() const { return 4 + 4 * sizes.size(); }

  /// Reads all elements.
  Status read(uint8_t *out, const std::atomic<bool> *cancel = nullptr);

  /// Reads all elements, and gives the largest.
  Expected<int> largest();

  /// Whether as many elements follow as the header says. Of a compressed file that says so at its
  /// end nothing is inflated, so it may still be damaged; of any other all is read.
  Status checkLength();

private:
  explicit IdxReader(InflatedFile file) : file(std::move(file)) {}
  Status readHeader(bool mayBeEmpty);
  Status checkSize() const;

  InflatedFile file;
  std::vector<int64_t> sizes;
  uint64_t count = 1;
};

/// Reads the whole array. `cancel`: see InflatedFile.
Expected<IdxArray> readIdxArray(const std::string &path, const std::atomic<bool> *cancel = nullptr,
                                bool mayBeEmpty = false);

} // namespace dlm
