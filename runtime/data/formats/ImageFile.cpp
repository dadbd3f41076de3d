// A PNG file has its sizes at a fixed place; in a JPEG file they stand in one of the segments at
// its beginning, which have to be walked through.
#include "runtime/data/formats/ImageFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dlm {

namespace {

constexpr uint8_t PngStart[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
constexpr int SegmentsMax = 10000;
constexpr int64_t SideMax = int64_t(1) << 20; // longer ones are no photos

uint32_t big16(const uint8_t *bytes) { return uint32_t(bytes[0]) << 8 | bytes[1]; }
uint32_t big32(const uint8_t *bytes) { return big16(bytes) << 16 | big16(bytes + 2); }

/// A file that is read here and there.
class SparseFile {
public:
  explicit SparseFile(const std::string &path) : path(path) {}
  SparseFile(const SparseFile &) = delete;
  ~SparseFile() {
    if (descriptor >= 0) ::close(descriptor);
  }

  std::string name() const { return "image `" + path + "`"; }

  Status open() {
    descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return systemError("cannot open " + name(), errno);
    struct stat info;
    if (fstat(descriptor, &info) != 0) return systemError("cannot read " + name(), errno);
    if (!S_ISREG(info.st_mode)) return invalidArgument(name() + " is not a regular file");
    return Status::ok();
  }

  /// Reads up to `count` bytes from `offset` on.
  Expected<size_t> readAt(uint64_t offset, uint8_t *out, size_t count) {
    size_t done = 0;
    while (done < count) {
      ssize_t got = ::pread(descriptor, out + done, count - done, off_t(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return systemError("cannot read " + name(), errno);
      if (got == 0) break;
      done += size_t(got);
    }
    return done;
  }

private:
  std::string path;
  int descriptor = -1;
};

Status headerFault(const SparseFile &file) {
  return corrupt(file.name() + " is damaged or cut off: its header has no sizes");
}

/// Whether a segment is the header of a frame, which has the sizes.
bool isFrame(uint8_t marker) {
  return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

Expected<ImageSize> probeJpeg(SparseFile &file) {
  uint64_t offset = 2;
  for (int i = 0; i < SegmentsMax; ++i) {
    uint8_t head[9];
    Expected<size_t> got = file.readAt(offset, head, sizeof head);
    if (!got) return got.status();
    if (*got < 4 || head[0] != 0xFF) return headerFault(file);
    bool isFill = head[1] == 0xFF; // any number of them may stand before a marker
    bool isBare = head[1] == 0x01 || (head[1] >= 0xD0 && head[1] <= 0xD7);
    if (isFill || isBare) {
      offset += isFill ? 1 : 2;
      continue;
    }
    if (isFrame(head[1])) {
      if (*got < sizeof head) return headerFault(file);
      return ImageSize{int64_t(big16(head + 5)), int64_t(big16(head + 7))};
    }
    if (head[1] == 0xDA || head[1] == 0xD9) return headerFault(file); // the picture, or its end
    uint32_t bytes = big16(head + 2);
    if (bytes < 2) return headerFault(file);
    offset += 2 + bytes;
  }
  return headerFault(file);
}

} // namespace

bool isPng(const uint8_t *bytes, size_t count) {
  return count >= sizeof PngStart && std::memcmp(bytes, PngStart, sizeof PngStart) == 0;
}

bool isJpeg(const uint8_t *bytes, size_t count) {
  return count >= 3 && bytes[0] == 0xFF && bytes[1] == 0xD8 && bytes[2] == 0xFF;
}

Status notAnImage(const std::string &path) {
  return corrupt("image `" + path + "` is neither a JPEG nor a PNG file");
}

Expected<ImageSize> probeImage(const std::string &path) {
  SparseFile file(path);
  DLM_TRY(file.open());
  uint8_t start[24];
  Expected<size_t> got = file.readAt(0, start, sizeof start);
  if (!got) return got.status();
  Expected<ImageSize> size = headerFault(file);
  if (isJpeg(start, *got))
    size = probeJpeg(file);
  else if (!isPng(start, *got))
    return notAnImage(path);
  else if (*got == sizeof start && std::memcmp(start + 12, "IHDR", 4) == 0)
    size = ImageSize{int64_t(big32(start + 20)), int64_t(big32(start + 16))};
  if (size && (size->height == 0 || size->width == 0)) return headerFault(file);
  if (size && std::max(size->height, size->width) > SideMax)
    return corrupt(file.name() + " is damaged: its header says " + std::to_string(size->height) +
                   " x " + std::to_string(size->width) + " pixels");
  return size;
}

} // namespace dlm
