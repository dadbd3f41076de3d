// Reading plain and gzip files through one buffer. A gzip file may have several members, as
// `cat a.gz b.gz` makes them; zlib checks each member's checksum and length at its end.
#include "runtime/data/formats/InflatedFile.h"

#include "runtime/data/formats/ByteReader.h"
#include "runtime/data/formats/LittleEndian.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>
#include <zlib.h>

namespace dlm {

namespace {
constexpr size_t InputBytes = size_t(256) << 10;
constexpr size_t PieceBytes = size_t(1) << 20; // how much is produced between looks at `cancel`
} // namespace

struct InflatedFile::State {
  std::string path;
  int descriptor = -1;
  uint64_t fileBytes = 0;
  bool compressed = false;
  bool memberEnded = false; // zlib has seen the end of a member and none has begun since
  bool inputEnded = false;
  z_stream stream{};
  std::vector<uint8_t> input; // the bytes not yet used are stream.next_in, stream.avail_in
  uint64_t readBytes = 0;     // from the file
  uint64_t givenBytes = 0;    // to the caller

  ~State() {
    if (compressed) inflateEnd(&stream);
    if (descriptor >= 0) ::close(descriptor);
  }

  std::string name() const { return "data file `" + path + "`"; }
  uint64_t usedBytes() const { return readBytes - stream.avail_in; }

  /// Fills `input` if it is empty; sets `inputEnded` when the file has no more.
  Status refill() {
    if (stream.avail_in > 0 || inputEnded) return Status::ok();
    ssize_t got;
    do {
      got = ::read(descriptor, input.data(), input.size());
    } while (got < 0 && errno == EINTR);
    if (got < 0)
      return systemError(name() + ": reading failed at byte " + std::to_string(readBytes), errno);
    inputEnded = got == 0;
    readBytes += uint64_t(got);
    stream.next_in = input.data();
    stream.avail_in = unsigned(got);
    return Status::ok();
  }

  Status endedEarly(size_t missingBytes) const {
    std::string text = name() + " is cut off: it ends at byte " + std::to_string(readBytes);
    if (compressed) text += ", " + std::to_string(givenBytes) + " inflated";
    return corrupt(text + "; at least " + std::to_string(missingBytes) + " more bytes are needed");
  }

  Status notGzip(const char *reason) const {
    return corrupt(name() + ": damaged gzip data near byte " + std::to_string(usedBytes()) + " (" +
                   (reason ? reason : "unknown reason") + ")");
  }

  /// Produces up to `sizeBytes` bytes; `gotBytes` tells how many, 0 only at the end.
  Status produce(uint8_t *out, size_t sizeBytes, size_t &gotBytes) {
    gotBytes = 0;
    while (gotBytes == 0) {
      DLM_TRY(refill());
      if (stream.avail_in == 0 && (!compressed || memberEnded)) return Status::ok();
      if (!compressed) {
        gotBytes = std::min<size_t>(sizeBytes, stream.avail_in);
        std::memcpy(out, stream.next_in, gotBytes);
        stream.next_in += gotBytes;
        stream.avail_in -= unsigned(gotBytes);
        return Status::ok();
      }
      if (memberEnded) {
        inflateReset(&stream);
        memberEnded = false;
      }
      stream.next_out = out;
      stream.avail_out = unsigned(sizeBytes);
      int code = inflate(&stream, Z_NO_FLUSH);
      gotBytes = sizeBytes - stream.avail_out;
      memberEnded = code == Z_STREAM_END;
      if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) return notGzip(stream.msg);
      if (code == Z_BUF_ERROR && inputEnded) return Status::ok(); // zlib has given all it had
    }
    return Status::ok();
  }
};

InflatedFile::InflatedFile(std::unique_ptr<State> state) : state(std::move(state)) {}
InflatedFile::InflatedFile(InflatedFile &&) noexcept = default;
InflatedFile &InflatedFile::operator=(InflatedFile &&) noexcept = default;
InflatedFile::~InflatedFile() = default;

Expected<InflatedFile> InflatedFile::open(const std::string &path) {
  auto state = std::make_unique<State>();
  state->path = path;
  // O_NONBLOCK: to open a named pipe would wait for its writer.
  state->descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (state->descriptor < 0) return systemError("cannot open " + state->name(), errno);
  struct stat info;
  if (fstat(state->descriptor, &info) != 0)
    return systemError("cannot read " + state->name(), errno);
  if (!S_ISREG(info.st_mode)) return invalidArgument(state->name() + " is not a regular file");
  state->fileBytes = uint64_t(info.st_size);
  state->input.resize(InputBytes);
  DLM_TRY(state->refill());
  const uint8_t *start = state->input.data();
  if (state->stream.avail_in >= 2 && start[0] == 0x1F && start[1] == 0x8B) {
    if (inflateInit2(&state->stream, MAX_WBITS + 16) != Z_OK)
      return internalError("zlib could not be started");
    state->compressed = true;
  }
  return InflatedFile(std::move(state));
}

Status InflatedFile::read(void *out, size_t sizeBytes, const std::atomic<bool> *cancel) {
  uint8_t *to = static_cast<uint8_t *>(out);
  while (sizeBytes > 0) {
    if (cancel && cancel->load(std::memory_order_relaxed))
      return Status::error(Code::Interrupted, state->name() + ": reading was interrupted");
    size_t got;
    DLM_TRY(state->produce(to, std::min(sizeBytes, PieceBytes), got));
    if (got == 0) return state->endedEarly(sizeBytes);
    to += got;
    sizeBytes -= got;
    state->givenBytes += got;
  }
  return Status::ok();
}

Expected<size_t> InflatedFile::readSome(void *out, size_t sizeBytes,
                                        const std::atomic<bool> *cancel) {
  if (cancel && cancel->load(std::memory_order_relaxed))
    return Status::error(Code::Interrupted, state->name() + ": reading was interrupted");
  size_t got;
  DLM_TRY(state->produce(static_cast<uint8_t *>(out), std::min(sizeBytes, PieceBytes), got));
  state->givenBytes += got;
  if (got == 0) DLM_TRY(expectEnd());
  return got;
}

Status InflatedFile::expectEnd() {
  uint8_t extra;
  size_t got;
  DLM_TRY(state->produce(&extra, 1, got));
  if (got != 0)
    return corrupt(state->name() + " holds more than its header says: data goes on after " +
                   std::to_string(state->givenBytes) + " bytes");
  if (state->compressed && !state->memberEnded)
    return corrupt(state->name() + " is cut off at byte " + std::to_string(state->readBytes) +
                   ": the end of the gzip data is missing");
  return Status::ok();
}

uint64_t InflatedFile::remainingBytesMax() const {
  uint64_t rest = state->fileBytes - std::min(state->fileBytes, state->usedBytes());
  // zlib holds input it has taken but not yet turned into output: the whole file bounds that.
  return state->compressed ? state->fileBytes * DeflateRatioMax : rest;
}

bool InflatedFile::saysAtItsEnd(uint64_t inflatedBytes) const {
  if (!state->compressed) return true;
  uint8_t end[4];
  if (state->fileBytes < sizeof end) return false;
  off_t place = off_t(state->fileBytes - sizeof end);
  return ::pread(state->descriptor, end, sizeof end, place) == ssize_t(sizeof end) &&
         little32(end) == uint32_t(inflatedBytes);
}

bool InflatedFile::isCompressed() const { return state->compressed; }
const std::string &InflatedFile::path() const { return state->path; }

} // namespace dlm
