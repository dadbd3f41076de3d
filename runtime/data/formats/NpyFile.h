// Arrays of numbers as NumPy saves them: a .npz (a zip archive of .npy files), a single .npy, or a
// folder of them. Each array is a field of a sample by its name; its first axis counts the samples.
#pragma once

#include "runtime/data/formats/NpyHeader.h"

#include <memory>

namespace dlm {

/// One array, read from front to back.
class NpyArray {
public:
  NpyArray(std::string field, std::unique_ptr<ByteReader> reader, NpyHeader header);

  const std::string &field() const { return fieldName; }
  std::string name() const { return reader->name(); } // for messages
  DType dtype() const { return isLabel() ? DType::I32 : dtypeOfNpy(header.type); }
  int64_t count() const { return header.shape[0]; }
  std::vector<int64_t> sampleShape() const {
    return {header.shape.begin() + 1, header.shape.end()};
  }

  /// Whether it holds the classes of the samples: whole numbers by the name `label`. They are i32,
  /// from 0 on, whatever they are in the file.
  bool isLabel() const;

  /// Labels from `count` on are failures.
  void limitClasses(int64_t count) { classes = count; }
  /// The largest label so far; -1 if there is none.
  int64_t largestLabel() const { return largest; }

  /// Makes the next `samples` samples elements of `dtype()`. A number that does not fit is a
  /// failure that names its sample; so is one that is not finite.
  Status read(int64_t samples, void *out, const std::atomic<bool> *cancel = nullptr);

  /// Ok if the array ends here, and its checksum agrees.
  Status expectEnd() { return reader->expectEnd(); }

private:
  Status misfit(int64_t element, const std::string &what) const;
  template <class From, class To> Status convert(int64_t elements, void *out);
  Status convertPiece(int64_t elements, void *out);

  std::string fieldName;
  std::unique_ptr<ByteReader> reader;
  NpyHeader header;
  int64_t done = 0; // elements
  int64_t classes = int64_t(1) << 31, largest = -1;
  std::vector<uint8_t> piece;
};

/// The arrays of a path, all of the same number of samples, their headers read.
Expected<std::vector<NpyArray>> openNpy(const std::string &path);

} // namespace dlm
