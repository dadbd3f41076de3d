// The safetensors format: an 8-byte little-endian length, a JSON header of that length, then the
// tensors' bytes without gaps. Used for checkpoints and for the inputs and outputs of tests. A file
// comes from outside, so the reader believes nothing: every range is checked before a tensor is
// handed out, and the ranges must cover the data exactly once.
#pragma once

#include "runtime/base/DType.h"
#include "runtime/base/Status.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dlm {

/// One tensor of a file, row-major. `data` points into bytes owned by somebody else (the reader,
/// or the caller of the writer) and may be unaligned.
struct SafeTensor {
  std::string name;
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  const uint8_t *data = nullptr; // null where only the index was read
  uint64_t sizeBytes = 0;

  /// Product of the shape; 1 for a scalar.
  int64_t elementCount() const;
};

using SafetensorsMetadata = std::map<std::string, std::string>;

/// A parsed file. It owns the bytes its tensors point into; moving it keeps them valid.
class Safetensors {
public:
  Safetensors() = default;
  Safetensors(Safetensors &&) = default;
  Safetensors &operator=(Safetensors &&) = default;

  /// Parses bytes; they are moved in.
  static Expected<Safetensors> parse(std::vector<uint8_t> bytes);

  /// Reads and parses a file.
  static Expected<Safetensors> read(const std::string &path);

  /// Reads the head of a file only: what tensors it holds, without their data.
  static Expected<Safetensors> readIndex(const std::string &path);

  /// All tensors, in the order of their bytes.
  const std::vector<SafeTensor> &tensors() const { return entries; }

  /// The tensor of that name, or null.
  const SafeTensor *find(const std::string &name) const;

  const SafetensorsMetadata &metadata() const { return meta; }

private:
  Status parseHead(const char *text, uint64_t headerBytes, const uint8_t *data, uint64_t dataBytes);

  std::vector<uint8_t> bytes;
  std::vector<SafeTensor> entries;
  SafetensorsMetadata meta;
};

/// A file before its tensors are copied into it.
struct SafetensorsLayout {
  std::string head;          // length, header and padding: the file's first bytes
  std::vector<size_t> order; // of the tensors in the file, as indices into the list given
  uint64_t dataBytes = 0;    // what follows the head
};

/// The layout of a file with these tensors. Their `data` is not looked at.
Expected<SafetensorsLayout> layoutSafetensors(const std::vector<SafeTensor> &tensors,
                                              const SafetensorsMetadata &metadata = {});

/// The bytes of a file with these tensors. Wider element types come first, so that every tensor is
/// aligned; apart from that the order is kept. Fails when a size disagrees with its shape or a
/// name occurs twice. The same input gives the same bytes.
Expected<std::vector<uint8_t>> writeSafetensors(const std::vector<SafeTensor> &tensors,
                                                const SafetensorsMetadata &metadata = {});

/// Writes such a file.
Status writeSafetensorsFile(const std::string &path, const std::vector<SafeTensor> &tensors,
                            const SafetensorsMetadata &metadata = {});

} // namespace dlm
