// Nothing in a header is believed before its checksum agrees, and no memory is taken by its counts
// before they are compared with the size of the file.
#include "runtime/data/formats/TokenFile.h"

#include "runtime/base/FileBytes.h"
#include "runtime/data/formats/InflatedFile.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <zlib.h>

namespace dlm {

namespace {

constexpr char Magic[8] = {'D', 'L', 'M', 'T', 'O', 'K', 'E', 'N'};
constexpr size_t HeaderBytes = 64, CheckedBytes = 60;
constexpr uint32_t Version = 1;
constexpr uint64_t NoEnd = UINT64_MAX;

enum HeaderPlace : size_t {
  VersionPlace = 8,
  WidthPlace = 12,
  VocabPlace = 16,
  CountPlace = 24,
  EndPlace = 32,
  TokenizerPlace = 40,
  ContentCrcPlace = 48,
  HeaderCrcPlace = 60,
};

uint64_t numberAt(const uint8_t *bytes, size_t size) {
  uint64_t value = 0;
  for (size_t i = size; i-- > 0;)
    value = value << 8 | bytes[i];
  return value;
}

void putNumber(uint8_t *bytes, size_t size, uint64_t value) {
  for (size_t i = 0; i < size; ++i)
    bytes[i] = uint8_t(value >> (8 * i));
}

std::string nameOf(const std::string &path) { return "token file `" + path + "`"; }

Status checkHeader(const std::string &path, const uint8_t *header) {
  if (std::memcmp(header, Magic, sizeof Magic) != 0)
    return corrupt("`" + path + "` is no token file: it does not begin with `DLMTOKEN`; " +
                   "`dlmc pack` makes token files of texts");
  uint64_t version = numberAt(header + VersionPlace, 4);
  if (version != Version)
    return unsupported(nameOf(path) + " is of version " + std::to_string(version) +
                       ", and version " + std::to_string(Version) + " can be read");
  if (crc32(0, header, CheckedBytes) != numberAt(header + HeaderCrcPlace, 4))
    return corrupt(nameOf(path) + ": the header, bytes 0 to 63, is damaged: its checksum differs");
  return Status::ok();
}

Status checkNumbers(const TokenFile &file, uint64_t end, uint64_t width) {
  std::string name = nameOf(file.path);
  if (width != 2 && width != 4)
    return corrupt(name + " has ids of " + std::to_string(width) + " bytes, and ids have 2 or 4");
  if (file.vocab < 1 || file.vocab > INT32_MAX)
    return corrupt(name + " has a vocabulary of " + std::to_string(file.vocab) +
                   " tokens, and it has 1 to 2147483647");
  if (width == 2 && file.vocab > 65536)
    return corrupt(name + " has ids of 2 bytes, and a vocabulary of " + std::to_string(file.vocab) +
                   " tokens, whose ids need 4");
  if (end != NoEnd && end >= uint64_t(file.vocab))
    return corrupt(name + ": the id that ends a document is " + std::to_string(end) +
                   ", and the vocabulary has " + std::to_string(file.vocab) + " tokens");
  return Status::ok();
}

/// Reads pieces of a file and adds them to a checksum.
class CheckedReader {
public:
  CheckedReader(InflatedFile &file, const std::atomic<bool> *cancel) : file(file), cancel(cancel) {}

  Status read(void *out, size_t sizeBytes) {
    DLM_TRY(file.read(out, sizeBytes, cancel));
    crc = uint32_t(crc32_z(crc, static_cast<const uint8_t *>(out), sizeBytes));
    return Status::ok();
  }

  uint32_t crc = 0;

private:
  InflatedFile &file;
  const std::atomic<bool> *cancel;
};

} // namespace

Expected<TokenFile> openTokenFile(const std::string &path, const std::atomic<bool> *cancel) {
  Expected<InflatedFile> opened = InflatedFile::open(path);
  if (!opened) return opened.status();
  uint8_t header[HeaderBytes] = {};
  size_t got = 0; // a file that is shorter than a header is something else, or cut off
  while (got < HeaderBytes) {
    Expected<size_t> more = opened->readSome(header + got, HeaderBytes - got, cancel);
    if (!more) return more.status();
    if (*more == 0) break;
    got += *more;
  }
  bool isCutOff = got >= sizeof Magic && got < HeaderBytes;
  if (isCutOff && std::memcmp(header, Magic, sizeof Magic) == 0)
    return corrupt(nameOf(path) + " is cut off: it ends at byte " + std::to_string(got) +
                   ", within its header");
  DLM_TRY(checkHeader(path, header));
  TokenFile file;
  file.path = path;
  uint64_t vocab = numberAt(header + VocabPlace, 8), count = numberAt(header + CountPlace, 8);
  uint64_t end = numberAt(header + EndPlace, 8), width = numberAt(header + WidthPlace, 4);
  uint64_t tokenizerBytes = numberAt(header + TokenizerPlace, 8);
  file.vocab = int64_t(std::min<uint64_t>(vocab, INT64_MAX));
  DLM_TRY(checkNumbers(file, end, width));
  uint64_t rest = opened->remainingBytesMax();
  bool isTooLong = count > rest / width || tokenizerBytes > rest - count * width;
  if (isTooLong || (!opened->isCompressed() && tokenizerBytes + count * width != rest))
    return corrupt(nameOf(path) + ": its header tells of " + std::to_string(count) + " ids of " +
                   std::to_string(width) + " bytes and a tokenizer of " +
                   std::to_string(tokenizerBytes) + ", and the file has " +
                   (isTooLong ? "no more than " : "") + std::to_string(rest) +
                   " bytes behind its header");
  file.count = int64_t(count);
  file.end = end == NoEnd ? -1 : int64_t(end);
  file.idBytes = int(width);
  file.crc = uint32_t(numberAt(header + ContentCrcPlace, 4));
  file.tokenizer.resize(size_t(tokenizerBytes));
  DLM_TRY(opened->read(file.tokenizer.data(), file.tokenizer.size(), cancel));
  return file;
}

Status readTokenFile(const TokenFile &file, TokenList &ids, const std::atomic<bool> *cancel) {
  DLM_ASSERT(ids.vocabSize() == file.vocab, "a list of another vocabulary than its file");
  Expected<InflatedFile> opened = InflatedFile::open(file.path);
  if (!opened) return opened.status();
  uint8_t header[HeaderBytes];
  DLM_TRY(opened->read(header, sizeof header, cancel));
  CheckedReader reader(*opened, cancel);
  std::string tokenizer(file.tokenizer.size(), '\0');
  DLM_TRY(reader.read(tokenizer.data(), tokenizer.size()));
  size_t width = size_t(file.idBytes);
  std::vector<uint8_t> piece(size_t(1) << 20);
  uint64_t place = HeaderBytes + tokenizer.size();
  ids.reserve(size_t(ids.size() + file.count));
  for (int64_t left = file.count; left > 0;) {
    int64_t count = std::min<int64_t>(left, int64_t(piece.size() / width));
    DLM_TRY(reader.read(piece.data(), size_t(count) * width));
    for (int64_t i = 0; i < count; ++i, place += width) {
      uint64_t id = numberAt(piece.data() + size_t(i) * width, width);
      if (id >= uint64_t(file.vocab))
        return corrupt(nameOf(file.path) + ": the id at byte " + std::to_string(place) + " is " +
                       std::to_string(id) + ", and the vocabulary has " +
                       std::to_string(file.vocab) + " tokens");
      ids.append(uint32_t(id));
    }
    left -= count;
  }
  DLM_TRY(opened->expectEnd());
  if (reader.crc != file.crc)
    return corrupt(nameOf(file.path) + " is damaged: its checksum differs from that in its header");
  return Status::ok();
}

Status writeTokenFile(const std::string &path, const TokenList &ids, int64_t end,
                      const std::string &tokenizer) {
  size_t width = ids.isNarrow() ? 2 : 4;
  std::vector<uint8_t> bytes(HeaderBytes + tokenizer.size() + size_t(ids.size()) * width);
  uint8_t *content = bytes.data() + HeaderBytes, *to = content + tokenizer.size();
  std::copy(tokenizer.begin(), tokenizer.end(), content);
  for (int64_t i = 0; i < ids.size(); ++i, to += width)
    putNumber(to, width, ids[i]);
  std::copy(std::begin(Magic), std::end(Magic), bytes.begin());
  putNumber(&bytes[VersionPlace], 4, Version);
  putNumber(&bytes[WidthPlace], 4, width);
  putNumber(&bytes[VocabPlace], 8, uint64_t(ids.vocabSize()));
  putNumber(&bytes[CountPlace], 8, uint64_t(ids.size()));
  putNumber(&bytes[EndPlace], 8, end < 0 ? NoEnd : uint64_t(end));
  putNumber(&bytes[TokenizerPlace], 8, tokenizer.size());
  putNumber(&bytes[ContentCrcPlace], 4, crc32_z(0, content, bytes.size() - HeaderBytes));
  putNumber(&bytes[HeaderCrcPlace], 4, crc32(0, bytes.data(), CheckedBytes));
  return writeFileBytes(path, bytes);
}

} // namespace dlm
