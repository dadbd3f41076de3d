// A process may hold about a thousand files, and a corpus may be of more: beyond the first ones a
// file is opened for each read, and has to be the one that was there at first.
#include "runtime/data/formats/SeekableFile.h"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dlm {

namespace {

constexpr int KeptOpenMax = 256;
std::atomic<int> keptOpen{0};

int openForReading(const std::string &path) {
  // O_NONBLOCK: to open a named pipe would wait for its writer.
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

} // namespace

struct SeekableFile::State {
  std::string path;
  int descriptor = -1; // -1: opened for each read
  struct stat info = {};

  ~State() {
    if (descriptor < 0) return;
    ::close(descriptor);
    --keptOpen;
  }

  std::string name() const { return "data file `" + path + "`"; }

  Status readFrom(int from, uint64_t place, uint8_t *out, size_t sizeBytes) const {
    while (sizeBytes > 0) {
      ssize_t got = ::pread(from, out, sizeBytes, off_t(place));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0)
        return systemError(name() + ": reading failed at byte " + std::to_string(place), errno);
      if (got == 0)
        return corrupt(name() + " was cut off while it was in use: it ended at byte " +
                       std::to_string(info.st_size) + ", and now before byte " +
                       std::to_string(place + sizeBytes));
      out += got;
      place += uint64_t(got);
      sizeBytes -= size_t(got);
    }
    return Status::ok();
  }

  Status openAndRead(uint64_t place, uint8_t *out, size_t sizeBytes) const {
    int opened = openForReading(path);
    if (opened < 0) return systemError("cannot open " + name() + " again", errno);
    struct stat now = {};
    bool isSame =
        fstat(opened, &now) == 0 && now.st_dev == info.st_dev && now.st_ino == info.st_ino;
    Status status = isSame ? readFrom(opened, place, out, sizeBytes)
                           : corrupt(name() + " was replaced while it was in use");
    ::close(opened);
    return status;
  }
};

SeekableFile::SeekableFile(std::unique_ptr<State> state) : state(std::move(state)) {}
SeekableFile::SeekableFile(SeekableFile &&) noexcept = default;
SeekableFile &SeekableFile::operator=(SeekableFile &&) noexcept = default;
SeekableFile::~SeekableFile() = default;

Expected<SeekableFile> SeekableFile::open(const std::string &path) {
  auto state = std::make_unique<State>();
  state->path = path;
  int descriptor = openForReading(path);
  if (descriptor < 0) return systemError("cannot open " + state->name(), errno);
  bool isKept = ++keptOpen <= KeptOpenMax;
  if (isKept) state->descriptor = descriptor;
  bool isRead = fstat(descriptor, &state->info) == 0;
  int error = errno;
  if (!isKept) {
    --keptOpen;
    ::close(descriptor);
  }
  if (!isRead) return systemError("cannot read " + state->name(), error);
  if (!S_ISREG(state->info.st_mode))
    return invalidArgument(state->name() + " is not a regular file");
  return SeekableFile(std::move(state));
}

uint64_t SeekableFile::sizeBytes() const { return uint64_t(state->info.st_size); }
const std::string &SeekableFile::path() const { return state->path; }

Status SeekableFile::read(uint64_t place, void *out, size_t sizeBytes) const {
  auto *to = static_cast<uint8_t *>(out);
  return state->descriptor >= 0 ? state->readFrom(state->descriptor, place, to, sizeBytes)
                                : state->openAndRead(place, to, sizeBytes);
}

} // namespace dlm
