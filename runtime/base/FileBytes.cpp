// Whole files to and from memory.
#include "runtime/base/FileBytes.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dlm {

namespace {
/// Closes the stream at the end of the scope unless it was closed before.
struct StreamCloser {
  std::FILE *stream;
  ~StreamCloser() {
    if (stream) std::fclose(stream);
  }
};

/// A stream of a file that was opened without waiting, and that waits from now on.
std::FILE *streamOf(int descriptor, const char *mode) {
  if (descriptor < 0) return nullptr;
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  std::FILE *stream = fdopen(descriptor, mode);
  if (!stream) ::close(descriptor);
  return stream;
}

bool isPipe(const std::string &path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISFIFO(info.st_mode);
}
} // namespace

Expected<std::FILE *> openToWrite(const std::string &path, const std::string &verb) {
  constexpr mode_t mode = 0666; // less what the umask says
  // O_NONBLOCK: to open a named pipe would wait for its reader.
  int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode);
  std::FILE *stream = streamOf(descriptor, "wb");
  if (stream) return stream;
  int error = errno;
  if (error == ENXIO && isPipe(path))
    return invalidArgument("cannot " + verb + " `" + path +
                           "`: it is a pipe that nobody reads; start its reader first");
  return systemError("cannot " + verb + " `" + path + "`", error);
}

Expected<std::vector<uint8_t>> readFileBytes(const std::string &path, uint64_t limit) {
  // O_NONBLOCK: to open a named pipe would wait for its writer.
  StreamCloser file{
      streamOf(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), "rb")};
  if (!file.stream) return systemError("cannot open `" + path + "`", errno);
  struct stat info;
  if (fstat(fileno(file.stream), &info) != 0)
    return systemError("cannot read `" + path + "`", errno);
  if (S_ISDIR(info.st_mode)) return systemError("cannot read `" + path + "`", EISDIR);
  if (S_ISFIFO(info.st_mode))
    return invalidArgument("cannot read `" + path + "`: it is a pipe, not a file");
  std::vector<uint8_t> bytes;
  bytes.reserve(std::min<uint64_t>(uint64_t(info.st_size) + 1, limit));
  constexpr size_t BlockBytes = size_t(1) << 20;
  while (bytes.size() < limit) {
    size_t used = bytes.size();
    size_t wanted = used < size_t(info.st_size) ? size_t(info.st_size) - used : BlockBytes;
    wanted = std::min<uint64_t>(wanted, limit - used);
    bytes.resize(used + wanted);
    size_t got = std::fread(bytes.data() + used, 1, wanted, file.stream);
    bytes.resize(used + got);
    if (got < wanted) break;
  }
  if (std::ferror(file.stream)) return systemError("cannot read `" + path + "`", errno);
  return bytes;
}

Status writeFileBytes(const std::string &path, const std::vector<uint8_t> &bytes) {
  Expected<std::FILE *> opened = openToWrite(path, "create");
  if (!opened) return opened.status();
  StreamCloser file{*opened};
  // An empty vector may have no address, and `fwrite` must not be given a null one.
  if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file.stream) != bytes.size())
    return systemError("cannot write `" + path + "`", errno);
  std::FILE *stream = file.stream;
  file.stream = nullptr;
  if (std::fclose(stream) != 0) return systemError("cannot write `" + path + "`", errno);
  return Status::ok();
}

} // namespace dlm
