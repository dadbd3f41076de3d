// Reading IDX files. The header is checked against the size of the file before anything is
// allocated by it.
#include "runtime/data/formats/IdxFile.h"

#include <algorithm>
#include <cstdio>

namespace dlm {

namespace {

constexpr uint8_t TypeU8 = 0x08;
constexpr int RankMax = 8;
constexpr size_t IdxPieceBytes = size_t(1) << 16;

std::string idxName(const InflatedFile &file) { return "data file `" + file.path() + "`"; }

uint32_t bigEndian(const uint8_t *bytes) {
  return uint32_t(bytes[0]) << 24 | uint32_t(bytes[1]) << 16 | uint32_t(bytes[2]) << 8 | bytes[3];
}

/// Reads the magic number, and gives how many sizes follow.
Expected<int> readRank(InflatedFile &file) {
  uint8_t magic[4];
  DLM_TRY(file.read(magic, sizeof magic));
  char seen[16];
  std::snprintf(seen, sizeof seen, "%02x %02x %02x %02x", magic[0], magic[1], magic[2], magic[3]);
  if (magic[0] != 0 || magic[1] != 0)
    return corrupt(idxName(file) + " is no IDX file: it begins with the bytes " + seen +
                   ", and such a file begins with 00 00");
  if (magic[2] != TypeU8)
    return unsupported(idxName(file) + " holds elements of the type " + std::string(seen + 6, 2) +
                       " (byte 2), and only bytes, 08, can be read");
  if (magic[3] < 1 || magic[3] > RankMax)
    return corrupt(idxName(file) + " has " + std::to_string(magic[3]) +
                   " dimensions (byte 3); 1 to 8 are possible");
  return int(magic[3]);
}

} // namespace

int64_t IdxArray::sampleSize() const {
  int64_t size = 1;
  for (size_t i = 1; i < shape.size(); ++i)
    size *= shape[i];
  return size;
}

Expected<IdxReader> IdxReader::open(const std::string &path, bool mayBeEmpty) {
  Expected<InflatedFile> file = InflatedFile::open(path);
  if (!file) return file.status();
  IdxReader reader(file.take());
  DLM_TRY(reader.readHeader(mayBeEmpty));
  DLM_TRY(reader.checkSize());
  return reader;
}

Status IdxReader::readHeader(bool mayBeEmpty) {
  Expected<int> rank = readRank(file);
  if (!rank) return rank.status();
  for (int i = 0; i < *rank; ++i) {
    uint8_t size[4];
    DLM_TRY(file.read(size, sizeof size));
    sizes.push_back(bigEndian(size));
    if (sizes.back() == 0 && !(mayBeEmpty && i == 0))
      return corrupt(idxName(file) + " holds nothing: one of the sizes in its header is 0");
    if (__builtin_mul_overflow(count, uint64_t(sizes.back()), &count) ||
        count > uint64_t(INT64_MAX))
      return corrupt(idxName(file) + " cannot be as large as the sizes in its header say");
  }
  return Status::ok();
}

Status IdxReader::checkSize() const {
  uint64_t possible = file.remainingBytesMax();
  bool isShort = count > possible;
  if (!isShort && (file.isCompressed() || count == possible)) return Status::ok();
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "" : " x ") + std::to_string(size);
  return corrupt(idxName(file) + (isShort ? " is cut off" : " is too long") + ": its header says " +
                 text + ", " + std::to_string(count) + " bytes, and " +
                 (file.isCompressed() ? "at most " : "") + std::to_string(possible) + " follow it");
}

Status IdxReader::read(uint8_t *out, const std::atomic<bool> *cancel) {
  DLM_TRY(file.read(out, count, cancel));
  return file.expectEnd();
}

Expected<int> IdxReader::largest() {
  std::vector<uint8_t> piece(IdxPieceBytes);
  int result = 0;
  for (uint64_t done = 0; done < count;) {
    size_t bytes = size_t(std::min<uint64_t>(piece.size(), count - done));
    DLM_TRY(file.read(piece.data(), bytes));
    result = std::max(result, int(*std::max_element(piece.begin(), piece.begin() + long(bytes))));
    done += bytes;
  }
  DLM_TRY(file.expectEnd());
  return result;
}

Status IdxReader::checkLength() {
  if (file.saysAtItsEnd(place() + count)) return Status::ok();
  Expected<int> all = largest();
  return all ? Status::ok() : all.status();
}

Expected<IdxArray> readIdxArray(const std::string &path, const std::atomic<bool> *cancel,
                                bool mayBeEmpty) {
  Expected<IdxReader> reader = IdxReader::open(path, mayBeEmpty);
  if (!reader) return reader.status();
  IdxArray array;
  array.path = path;
  array.shape = reader->shape();
  array.bytes.reset(new uint8_t[reader->elementCount()]);
  DLM_TRY(reader->read(array.bytes.get(), cancel));
  return array;
}

} // namespace dlm
