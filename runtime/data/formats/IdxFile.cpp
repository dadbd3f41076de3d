// Reading IDX files. The header is checked against the size of the file before anything is
// allocated by it.
#include "runtime/data/formats/IdxFile.h"

#include "runtime/data/formats/InflatedFile.h"

#include <cstdio>

namespace dlm {

namespace {

constexpr uint8_t TypeU8 = 0x08;
constexpr int RankMax = 8;

std::string idxName(const InflatedFile &file) { return "data file `" + file.path() + "`"; }

uint32_t bigEndian(const uint8_t *bytes) {
  return uint32_t(bytes[0]) << 24 | uint32_t(bytes[1]) << 16 | uint32_t(bytes[2]) << 8 | bytes[3];
}

/// Reads magic and sizes; `elementCount` becomes their product.
Expected<std::vector<int64_t>> readHeader(InflatedFile &file, uint64_t &elementCount) {
  uint8_t magic[4];
  DLM_TRY(file.read(magic, sizeof magic));
  char seen[16];
  std::snprintf(seen, sizeof seen, "%02x%02x%02x%02x", magic[0], magic[1], magic[2], magic[3]);
  if (magic[0] != 0 || magic[1] != 0)
    return corrupt(idxName(file) + " is not an IDX file: it starts with " + seen + " at byte 0, " +
                   "not with 0000");
  if (magic[2] != TypeU8)
    return Status::error(Code::Unsupported, idxName(file) + ": element type " +
                                                std::string(seen + 4, 2) +
                                                " at byte 2; only 08 (unsigned bytes) can be read");
  int rank = magic[3];
  if (rank < 1 || rank > RankMax)
    return corrupt(idxName(file) + ": " + std::to_string(rank) +
                   " dimensions at byte 3; 1 to 8 are possible");
  std::vector<int64_t> shape;
  elementCount = 1;
  for (int i = 0; i < rank; ++i) {
    uint8_t size[4];
    DLM_TRY(file.read(size, sizeof size));
    shape.push_back(bigEndian(size));
    if (__builtin_mul_overflow(elementCount, uint64_t(shape.back()), &elementCount))
      return corrupt(idxName(file) + ": the sizes in its header overflow");
  }
  uint64_t possible = file.remainingBytesMax();
  if (elementCount > possible)
    return corrupt(idxName(file) + " is cut off: its header announces " +
                   std::to_string(elementCount) + " bytes from byte " +
                   std::to_string(4 + 4 * rank) + " on, the file has " +
                   (file.isCompressed() ? "room for at most " : "") + std::to_string(possible));
  if (!file.isCompressed() && elementCount < possible)
    return corrupt(idxName(file) + " holds more than its header says: " + std::to_string(possible) +
                   " bytes from byte " + std::to_string(4 + 4 * rank) + " on, " +
                   std::to_string(elementCount) + " announced");
  return shape;
}

} // namespace

int64_t IdxArray::sampleSize() const {
  int64_t size = 1;
  for (size_t i = 1; i < shape.size(); ++i)
    size *= shape[i];
  return size;
}

Expected<IdxArray> readIdxArray(const std::string &path, const std::atomic<bool> *cancel) {
  Expected<InflatedFile> file = InflatedFile::open(path);
  if (!file) return file.status();
  uint64_t elementCount;
  Expected<std::vector<int64_t>> shape = readHeader(*file, elementCount);
  if (!shape) return shape.status();
  IdxArray array;
  array.path = path;
  array.shape = shape.take();
  array.bytes.reset(new uint8_t[elementCount]);
  DLM_TRY(file->read(array.bytes.get(), elementCount, cancel));
  DLM_TRY(file->expectEnd());
  return array;
}

} // namespace dlm
