#include "runtime/data/formats/ImageDecoder.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace dlm {

namespace {

constexpr uint64_t FileBytesMax = uint64_t(256) << 20;

Status readWhole(const std::string &path, std::vector<uint8_t> &bytes) {
  std::string name = "image `" + path + "`";
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return systemError("cannot open " + name, errno);
  struct stat info;
  Status status;
  if (fstat(descriptor, &info) != 0)
    status = systemError("cannot read " + name, errno);
  else if (!S_ISREG(info.st_mode))
    status = invalidArgument(name + " is not a regular file");
  else if (uint64_t(info.st_size) > FileBytesMax)
    status = corrupt(name + " is larger than " + std::to_string(FileBytesMax >> 20) + " MiB");
  bytes.resize(status.isOk() ? size_t(info.st_size) : 0);
  for (size_t done = 0; status.isOk() && done < bytes.size();) {
    ssize_t got = ::read(descriptor, bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) status = systemError("cannot read " + name, errno);
    if (got == 0) bytes.resize(done);
    if (got > 0) done += size_t(got);
  }
  ::close(descriptor);
  return status;
}

} // namespace

Status decodeImage(const std::string &path, ImageSize size, uint8_t *pixels) {
  thread_local std::vector<uint8_t> bytes; // kept, so that a thread allocates for larger files only
  DLM_TRY(readWhole(path, bytes));
  std::string name = "image `" + path + "`";
  if (isJpeg(bytes.data(), bytes.size()))
    return decodeJpeg(bytes.data(), bytes.size(), size, pixels, name);
  if (isPng(bytes.data(), bytes.size()))
    return decodePng(bytes.data(), bytes.size(), size, pixels, name);
  return notAnImage(path);
}

} // namespace dlm
