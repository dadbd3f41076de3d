// The IDX format of MNIST and its relatives: a magic number that holds the element type and the
// number of dimensions, the sizes as big-endian 32-bit numbers, then the elements. Plain or gzip.
#pragma once

#include "runtime/base/Status.h"

#include <atomic>
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

/// Reads the whole array. `cancel`: see InflatedFile.
Expected<IdxArray> readIdxArray(const std::string &path, const std::atomic<bool> *cancel = nullptr);

} // namespace dlm
