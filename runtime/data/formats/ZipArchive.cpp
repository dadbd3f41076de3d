// See ZipArchive.h. The layout: entries, each behind a header of its own; the table of contents;
// the record that says where the table is, at the very end but for a comment.
#include "runtime/data/formats/ZipArchive.h"

#include "runtime/data/formats/LittleEndian.h"
#include "runtime/data/formats/ShownText.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace dlm {

namespace {

constexpr size_t EndBytes = 22, CommentBytesMax = 65535, WideLocatorBytes = 20, WideEndBytes = 56;
constexpr size_t TableEntryBytes = 46, LocalHeaderBytes = 30;
constexpr uint64_t TableBytesMax = uint64_t(64) << 20;
constexpr size_t PackedBytes = size_t(256) << 10; // read at once
constexpr size_t UnpackedBytes = size_t(1) << 20; // made between looks at `cancel`

/// An open file with its size.
struct ZipFile {
  std::string path;
  int descriptor = -1;
  uint64_t bytes = 0;

  ZipFile() = default;
  ZipFile(const ZipFile &) = delete;
  ~ZipFile() {
    if (descriptor >= 0) ::close(descriptor);
  }

  std::string name() const { return "data file `" + path + "`"; }

  Status open(const std::string &from) {
    path = from;
    descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return systemError(name() + " cannot be opened", errno);
    struct stat info;
    if (fstat(descriptor, &info) != 0) return systemError(name() + " cannot be read", errno);
    if (!S_ISREG(info.st_mode)) return invalidArgument(name() + " is not a file");
    bytes = uint64_t(info.st_size);
    return Status::ok();
  }

  Status readAt(uint64_t offset, void *out, size_t sizeBytes) const {
    for (size_t done = 0; done < sizeBytes;) {
      ssize_t got = ::pread(descriptor, static_cast<uint8_t *>(out) + done, sizeBytes - done,
                            off_t(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0)
        return systemError(name() + ": reading failed at byte " + std::to_string(offset + done),
                           errno);
      if (got == 0)
        return corrupt(name() + " is cut off: it ends at byte " + std::to_string(offset + done));
      done += size_t(got);
    }
    return Status::ok();
  }
};

class EntryReader : public ByteReader {
public:
  EntryReader(std::unique_ptr<ZipFile> file, const ZipEntry &entry, uint64_t offset)
      : file(std::move(file)), entry(entry), offset(offset), input(PackedBytes) {
    if (entry.isDeflated) inflateInit2(&stream, -MAX_WBITS);
  }
  EntryReader(const EntryReader &) = delete;
  ~EntryReader() override {
    if (entry.isDeflated) inflateEnd(&stream);
  }

  std::string name() const override { return "`" + shownText(entry.name) + "` in " + file->name(); }
  uint64_t remainingBytesMax() const override { return entry.bytes - given; }

  Status read(void *out, size_t sizeBytes, const std::atomic<bool> *cancel) override {
    if (sizeBytes > remainingBytesMax())
      return corrupt(name() + " is cut off: it has " + std::to_string(entry.bytes) +
                     " bytes, and " + std::to_string(sizeBytes - remainingBytesMax()) +
                     " more are needed");
    auto *place = static_cast<uint8_t *>(out);
    for (size_t done = 0; done < sizeBytes;) {
      if (cancel && *cancel) return Status::error(Code::Interrupted, "reading was cancelled");
      size_t piece = std::min(sizeBytes - done, UnpackedBytes);
      DLM_TRY(entry.isDeflated ? inflatePiece(place + done, piece)
                               : copyPiece(place + done, piece));
      sum = uint32_t(crc32(sum, place + done, unsigned(piece)));
      given += piece;
      done += piece;
    }
    return Status::ok();
  }

  Status expectEnd() override {
    if (given < entry.bytes)
      return corrupt(name() +
                     " holds more than its header says: " + std::to_string(entry.bytes - given) +
                     " bytes behind byte " + std::to_string(given));
    if (sum != entry.checksum) return corrupt(name() + " is damaged: its checksum is wrong");
    return Status::ok();
  }

private:
  Status copyPiece(uint8_t *out, size_t sizeBytes) {
    DLM_TRY(file->readAt(offset + used, out, sizeBytes));
    used += sizeBytes;
    return Status::ok();
  }

  Status inflatePiece(uint8_t *out, size_t sizeBytes) {
    stream.next_out = out;
    stream.avail_out = unsigned(sizeBytes);
    while (stream.avail_out > 0) {
      if (stream.avail_in == 0 && used < entry.packedBytes) {
        size_t piece = size_t(std::min<uint64_t>(input.size(), entry.packedBytes - used));
        DLM_TRY(file->readAt(offset + used, input.data(), piece));
        used += piece;
        stream.next_in = input.data();
        stream.avail_in = unsigned(piece);
      }
      int code = inflate(&stream, Z_NO_FLUSH);
      if (code == Z_OK || (code == Z_STREAM_END && stream.avail_out == 0)) continue;
      const char *reason = code == Z_STREAM_END || code == Z_BUF_ERROR ? "it ends too early"
                           : stream.msg                                ? stream.msg
                                                                       : "unknown reason";
      return corrupt(name() + " is damaged near byte " + std::to_string(offset + used) +
                     " of the archive (" + reason + ")");
    }
    return Status::ok();
  }

  std::unique_ptr<ZipFile> file;
  ZipEntry entry;
  uint64_t offset;              // of its bytes in the archive
  uint64_t used = 0, given = 0; // of its packed bytes, of its bytes
  uint32_t sum = 0;
  std::vector<uint8_t> input;
  z_stream stream{};
};

struct TablePlace {
  uint64_t offset = 0, bytes = 0, count = 0;
};

Status notZip(const ZipFile &file) {
  return corrupt(file.name() +
                 " is not a zip archive, or is cut off: the table of contents at its " +
                 "end is missing");
}

/// Finds the record at the end, and the one for large archives in front of it.
Expected<TablePlace> findTable(const ZipFile &file) {
  size_t tail = size_t(std::min<uint64_t>(file.bytes, EndBytes + CommentBytesMax));
  std::vector<uint8_t> bytes(tail);
  DLM_TRY(file.readAt(file.bytes - tail, bytes.data(), tail));
  for (size_t back = EndBytes; back <= tail; ++back) {
    const uint8_t *end = &bytes[tail - back];
    if (little32(end) != 0x06054b50 || little16(end + 20) != back - EndBytes) continue;
    TablePlace place{little32(end + 16), little32(end + 12), little16(end + 10)};
    bool isWide = place.offset == UINT32_MAX || place.bytes == UINT32_MAX || place.count == 0xffff;
    if (!isWide) return place;
    uint64_t endOffset = file.bytes - back;
    uint8_t locator[WideLocatorBytes], wide[WideEndBytes];
    if (endOffset < WideLocatorBytes) return place;
    DLM_TRY(file.readAt(endOffset - WideLocatorBytes, locator, sizeof locator));
    if (little32(locator) != 0x07064b50) return place; // so the numbers are what they are
    uint64_t wideOffset = little64(locator + 8);
    if (wideOffset > file.bytes - WideEndBytes) return notZip(file);
    DLM_TRY(file.readAt(wideOffset, wide, sizeof wide));
    if (little32(wide) != 0x06064b50) return notZip(file);
    return TablePlace{little64(wide + 48), little64(wide + 40), little64(wide + 32)};
  }
  return notZip(file);
}

/// Replaces sizes that do not fit in 32 bits by those of the extension; false if it is damaged.
bool widen(const uint8_t *extra, size_t extraBytes, ZipEntry &entry) {
  for (size_t at = 0; at + 4 <= extraBytes;) {
    size_t size = little16(extra + at + 2);
    if (at + 4 + size > extraBytes) return false;
    size_t from = at + 4, end = from + size;
    if (little16(extra + at) == 1) {
      for (uint64_t *value : {&entry.bytes, &entry.packedBytes, &entry.headerOffset}) {
        if (*value != UINT32_MAX) continue;
        if (from + 8 > end) return false;
        *value = little64(extra + from);
        from += 8;
      }
    }
    at = end;
  }
  return true;
}

/// What is wrong with an entry; empty if it can be read.
std::string entryFault(const ZipEntry &entry, unsigned flags, unsigned method, uint64_t fileBytes) {
  if (flags & 1) return "is encrypted, and cannot be read";
  if (method != 0 && method != 8)
    return "is packed by method " + std::to_string(method) +
           "; only stored and deflated entries can be read";
  bool isInside = fileBytes >= LocalHeaderBytes &&
                  entry.headerOffset <= fileBytes - LocalHeaderBytes &&
                  entry.packedBytes <= fileBytes - LocalHeaderBytes - entry.headerOffset;
  bool isPossible = method == 0 ? entry.bytes == entry.packedBytes
                                : entry.bytes / DeflateRatioMax <= entry.packedBytes;
  if (!isInside || !isPossible) return "has sizes in the table of contents that cannot be";
  return "";
}

} // namespace

Expected<ZipArchive> ZipArchive::open(const std::string &path) {
  ZipFile file;
  DLM_TRY(file.open(path));
  if (file.bytes < EndBytes) return notZip(file);
  Expected<TablePlace> place = findTable(file);
  if (!place) return place.status();
  if (place->offset > file.bytes || place->bytes > file.bytes - place->offset ||
      place->bytes > TableBytesMax || place->count > place->bytes / TableEntryBytes)
    return notZip(file);
  std::vector<uint8_t> table(place->bytes);
  DLM_TRY(file.readAt(place->offset, table.data(), table.size()));
  ZipArchive archive;
  archive.archivePath = path;
  size_t at = 0;
  for (uint64_t i = 0; i < place->count; ++i) {
    if (table.size() - at < TableEntryBytes || little32(&table[at]) != 0x02014b50)
      return notZip(file);
    const uint8_t *head = &table[at];
    size_t nameBytes = little16(head + 28), extraBytes = little16(head + 30);
    size_t entryBytes = TableEntryBytes + nameBytes + extraBytes + little16(head + 32);
    if (table.size() - at < entryBytes) return notZip(file);
    ZipEntry entry;
    entry.name.assign(reinterpret_cast<const char *>(head) + TableEntryBytes, nameBytes);
    entry.checksum = little32(head + 16);
    entry.packedBytes = little32(head + 20);
    entry.bytes = little32(head + 24);
    entry.headerOffset = little32(head + 42);
    entry.isDeflated = little16(head + 10) == 8;
    if (!widen(head + TableEntryBytes + nameBytes, extraBytes, entry)) return notZip(file);
    std::string fault = entryFault(entry, little16(head + 8), little16(head + 10), file.bytes);
    if (!fault.empty())
      return corrupt("`" + shownText(entry.name) + "` in " + file.name() + " " + fault);
    archive.list.push_back(std::move(entry));
    at += entryBytes;
  }
  return archive;
}

Expected<std::unique_ptr<ByteReader>> ZipArchive::read(const ZipEntry &entry) const {
  auto file = std::make_unique<ZipFile>();
  DLM_TRY(file->open(archivePath));
  uint8_t head[LocalHeaderBytes];
  DLM_TRY(file->readAt(entry.headerOffset, head, sizeof head));
  uint64_t offset =
      entry.headerOffset + LocalHeaderBytes + little16(head + 26) + little16(head + 28);
  if (little32(head) != 0x04034b50 || offset > file->bytes ||
      entry.packedBytes > file->bytes - offset)
    return corrupt("`" + shownText(entry.name) + "` in " + file->name() +
                   " is damaged: its bytes are not " + "where the table of contents says");
  return std::unique_ptr<ByteReader>(new EntryReader(std::move(file), entry, offset));
}

} // namespace dlm
