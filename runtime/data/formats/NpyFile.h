// Arrays of numbers as NumPy saves them: a .npz (a zip archive of .npy files), a single .npy, or a
// folder of them. Each array is a field of a sample by its name; its first axis counts the samples.
#pragma once

#include "runtime/data/formats/NpyDecoder.h"

#include <memory>

namespace dlm {

/// One array, read from front to back.
class NpyArray {
public:
  NpyArray(std::string field, std::unique_ptr<ByteReader> reader, NpyHeader header);

  const std::string &field() const { return fieldName; }
  std::string name() const { return reader->name(); } // for messages
  const NpyDecoder &decoder() const { return values; }
  DType dtype() const { return values.dtype(); }
  int64_t count() const { return values.count(); }
  std::vector<int64_t> sampleShape() const {
    return {values.header().shape.begin() + 1, values.header().shape.end()};
  }
  bool isLabel() const { return values.holdsLabels(); }

  /// Labels from `count` on are failures.
  void limitClasses(int64_t count) { values.limitClasses(count); }
  /// The largest label so far; -1 if there is none.
  int64_t largestLabel() const { return largest; }

  /// Makes the next `samples` samples elements of `dtype()`. A null pointer: they are looked at,
  /// and not kept.
  Status read(int64_t samples, void *out, const std::atomic<bool> *cancel = nullptr);

  /// Ok if the array ends here, and its checksum agrees.
  Status expectEnd() { return reader->expectEnd(); }

  /// The file in which it lies as it is, at the end; empty if it is packed in some way.
  const std::string &plainFile() const { return plainPath; }
  void setPlainFile(const std::string &path) { plainPath = path; }

private:
  std::string fieldName;
  std::unique_ptr<ByteReader> reader;
  NpyDecoder values;
  std::string plainPath;
  int64_t done = 0; // elements
  int64_t largest = -1;
  std::vector<uint8_t> piece, unseen;
};

/// The arrays of a path, all of the same number of samples, their headers read.
Expected<std::vector<NpyArray>> openNpy(const std::string &path);

/// Those of these fields, in their order; there may be no samples in them. What else the path holds
/// is not looked at. A single .npy is the only field, whatever it is called.
Expected<std::vector<NpyArray>> openNpyFields(const std::string &path,
                                              const std::vector<std::string> &fields);

} // namespace dlm
