// The library's header holds the whole algorithm; nothing is linked.
#include "runtime/base/Xxh3.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace dlm {

namespace {

constexpr uint64_t PieceBytes = uint64_t(1) << 20, SampledPiecesMax = 256;
constexpr uint64_t SampledBytesMin = 512; // of a piece: what a disk reads in any case

std::string hex(XXH64_hash_t sum) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(sum));
  return text;
}

/// A descriptor that is closed at the end of the scope.
struct Opened {
  int descriptor;
  ~Opened() {
    if (descriptor >= 0) ::close(descriptor);
  }
};

/// Adds the bytes [from, from + count) of a file, or what there is of them.
int addRange(int descriptor, uint64_t from, uint64_t count, std::vector<uint8_t> &piece, Xxh3 &sum,
             const std::atomic<bool> *cancel) {
  while (count > 0) {
    if (cancel && cancel->load(std::memory_order_relaxed)) return ECANCELED;
    ssize_t got =
        ::pread(descriptor, piece.data(), std::min<uint64_t>(count, piece.size()), off_t(from));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return 0;
    sum.add(piece.data(), uint64_t(got));
    from += uint64_t(got);
    count -= uint64_t(got);
  }
  return 0;
}

} // namespace

struct Xxh3::State {
  XXH3_state_t value;
};

Xxh3::Xxh3() : state(std::make_unique<State>()) { XXH3_64bits_reset(&state->value); }
Xxh3::~Xxh3() = default;

void Xxh3::add(const void *data, uint64_t sizeBytes) {
  if (sizeBytes) XXH3_64bits_update(&state->value, data, size_t(sizeBytes));
}

std::string Xxh3::text() const { return hex(XXH3_64bits_digest(&state->value)); }

std::string xxh3Text(const void *data, uint64_t sizeBytes) {
  return hex(XXH3_64bits(data, size_t(sizeBytes)));
}

Expected<FileSum> sumFile(const std::string &path, uint64_t readMax,
                          const std::atomic<bool> *cancel) {
  Opened file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat info;
  if (file.descriptor < 0 || fstat(file.descriptor, &info) != 0)
    return systemError("cannot read `" + path + "`", errno);
  if (!S_ISREG(info.st_mode)) return invalidArgument("`" + path + "` is not a file");
  FileSum result;
  result.sizeBytes = uint64_t(info.st_size);
  std::vector<uint8_t> piece(std::min(PieceBytes, result.sizeBytes) + 1);
  Xxh3 sum;
  int error = 0;
  if (result.sizeBytes <= std::max(readMax, 2 * SampledBytesMin)) {
    error = addRange(file.descriptor, 0, result.sizeBytes, piece, sum, cancel);
  } else {
    uint64_t pieces = std::clamp<uint64_t>(readMax / PieceBytes, 2, SampledPiecesMax);
    uint64_t bytes = std::clamp(readMax / pieces, SampledBytesMin, PieceBytes);
    uint64_t distance = (result.sizeBytes - bytes) / (pieces - 1);
    for (uint64_t i = 0; i < pieces && !error; ++i) {
      uint64_t from = i + 1 < pieces ? i * distance : result.sizeBytes - bytes;
      error = addRange(file.descriptor, from, bytes, piece, sum, cancel);
    }
  }
  if (error == ECANCELED)
    return Status::error(Code::Interrupted, "`" + path + "`: reading was interrupted");
  if (error) return systemError("cannot read `" + path + "`", error);
  result.xxh3 = sum.text();
  return result;
}

} // namespace dlm
