// Nothing in a header is believed before its checksum agrees, and no memory is taken by its counts
// before they are compared with the size of the file.
#include "runtime/data/formats/TokenFile.h"

#include "runtime/data/formats/InflatedFile.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <zlib.h>

namespace dlm {

namespace {

constexpr char Magic[8] = {'D', 'L', 'M', 'T', 'O', 'K', 'E', 'N'};
constexpr size_t HeaderBytes = 64, CheckedBytes = 60, PieceBytes = size_t(1) << 20;
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
  file.isCompressed = opened->isCompressed();
  file.crc = uint32_t(numberAt(header + ContentCrcPlace, 4));
  file.tokenizer.resize(size_t(tokenizerBytes));
  DLM_TRY(opened->read(file.tokenizer.data(), file.tokenizer.size(), cancel));
  return file;
}

Status readTokenFile(const TokenFile &file, const std::function<void(const TokenList &)> &take,
                     const std::atomic<bool> *cancel) {
  Expected<InflatedFile> opened = InflatedFile::open(file.path);
  if (!opened) return opened.status();
  uint8_t header[HeaderBytes];
  DLM_TRY(opened->read(header, sizeof header, cancel));
  CheckedReader reader(*opened, cancel);
  std::string tokenizer(file.tokenizer.size(), '\0');
  DLM_TRY(reader.read(tokenizer.data(), tokenizer.size()));
  size_t width = size_t(file.idBytes);
  std::vector<uint8_t> piece(PieceBytes);
  TokenList ids(file.vocab);
  uint64_t place = HeaderBytes + tokenizer.size();
  for (int64_t left = file.count; left > 0;) {
    int64_t count = std::min<int64_t>(left, int64_t(piece.size() / width));
    DLM_TRY(reader.read(piece.data(), size_t(count) * width));
    ids.clear();
    for (int64_t i = 0; i < count; ++i, place += width) {
      uint64_t id = numberAt(piece.data() + size_t(i) * width, width);
      if (id >= uint64_t(file.vocab))
        return corrupt(nameOf(file.path) + ": the id at byte " + std::to_string(place) + " is " +
                       std::to_string(id) + ", and the vocabulary has " +
                       std::to_string(file.vocab) + " tokens");
      ids.append(uint32_t(id));
    }
    take(ids);
    left -= count;
  }
  DLM_TRY(opened->expectEnd());
  if (reader.crc != file.crc)
    return corrupt(nameOf(file.path) + " is damaged: its checksum differs from that in its header");
  return Status::ok();
}

Status readTokenFile(const TokenFile &file, TokenList &ids, const std::atomic<bool> *cancel) {
  DLM_ASSERT(ids.vocabSize() == file.vocab, "a list of another vocabulary than its file");
  ids.reserve(size_t(ids.size() + file.count));
  return readTokenFile(file, [&](const TokenList &piece) { ids.append(piece); }, cancel);
}

struct TokenFileWriter::State {
  std::string path;
  std::FILE *file = nullptr;
  int64_t vocab = 1, end = -1, count = 0;
  size_t tokenizerBytes = 0;
  uint32_t crc = 0;
  std::vector<uint8_t> bytes; // of a piece

  ~State() {
    if (file) std::fclose(file);
  }

  Status write(const void *data, size_t sizeBytes) {
    if (sizeBytes && std::fwrite(data, 1, sizeBytes, file) != sizeBytes)
      return systemError("cannot write `" + path + "`", errno);
    return Status::ok();
  }

  Status writeChecked(const void *data, size_t sizeBytes) {
    crc = uint32_t(crc32_z(crc, static_cast<const uint8_t *>(data), sizeBytes));
    return write(data, sizeBytes);
  }

  std::vector<uint8_t> header() const {
    std::vector<uint8_t> made(HeaderBytes);
    std::copy(std::begin(Magic), std::end(Magic), made.begin());
    putNumber(&made[VersionPlace], 4, Version);
    putNumber(&made[WidthPlace], 4, uint64_t(TokenList::bytesOfId(vocab)));
    putNumber(&made[VocabPlace], 8, uint64_t(vocab));
    putNumber(&made[CountPlace], 8, uint64_t(count));
    putNumber(&made[EndPlace], 8, end < 0 ? NoEnd : uint64_t(end));
    putNumber(&made[TokenizerPlace], 8, tokenizerBytes);
    putNumber(&made[ContentCrcPlace], 4, crc);
    putNumber(&made[HeaderCrcPlace], 4, crc32(0, made.data(), CheckedBytes));
    return made;
  }
};

TokenFileWriter::TokenFileWriter(std::unique_ptr<State> state) : state(std::move(state)) {}
TokenFileWriter::TokenFileWriter(TokenFileWriter &&) noexcept = default;
TokenFileWriter::~TokenFileWriter() = default;

Expected<TokenFileWriter> TokenFileWriter::create(const std::string &path, int64_t vocab,
                                                  int64_t end, const std::string &tokenizer,
                                                  const std::string &shownPath) {
  auto state = std::make_unique<State>();
  state->path = shownPath.empty() ? path : shownPath;
  state->vocab = vocab;
  state->end = end;
  state->tokenizerBytes = tokenizer.size();
  state->file = std::fopen(path.c_str(), "wb");
  if (!state->file) return systemError("cannot create `" + state->path + "`", errno);
  uint8_t nothing[HeaderBytes] = {}; // until the counts are known
  DLM_TRY(state->write(nothing, sizeof nothing));
  DLM_TRY(state->writeChecked(tokenizer.data(), tokenizer.size()));
  return TokenFileWriter(std::move(state));
}

int64_t TokenFileWriter::count() const { return state->count; }

Status TokenFileWriter::add(const TokenList &ids) {
  DLM_ASSERT(ids.vocabSize() == state->vocab, "token ids of another vocabulary than their file");
  size_t width = size_t(TokenList::bytesOfId(state->vocab));
  state->bytes.resize(size_t(ids.size()) * width);
  for (int64_t i = 0; i < ids.size(); ++i)
    putNumber(state->bytes.data() + size_t(i) * width, width, ids[i]);
  state->count += ids.size();
  return state->writeChecked(state->bytes.data(), state->bytes.size());
}

Status TokenFileWriter::finish() {
  std::vector<uint8_t> header = state->header();
  if (std::fseek(state->file, 0, SEEK_SET) != 0)
    return systemError("cannot write `" + state->path + "`", errno);
  DLM_TRY(state->write(header.data(), header.size()));
  std::FILE *file = state->file;
  state->file = nullptr;
  if (std::fclose(file) != 0) return systemError("cannot write `" + state->path + "`", errno);
  return Status::ok();
}

Status writeTokenFile(const std::string &path, const TokenList &ids, int64_t end,
                      const std::string &tokenizer) {
  Expected<TokenFileWriter> writer = TokenFileWriter::create(path, ids.vocabSize(), end, tokenizer);
  if (!writer) return writer.status();
  DLM_TRY(writer->add(ids));
  return writer->finish();
}

} // namespace dlm
