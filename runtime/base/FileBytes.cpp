// Whole files to and from memory.
#include "runtime/base/FileBytes.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <sys/stat.h>

namespace dlm {

namespace {
/// Closes the stream at the end of the scope unless it was closed before.
struct StreamCloser {
  std::FILE *stream;
  ~StreamCloser() {
    if (stream) std::fclose(stream);
  }
};
} // namespace

Expected<std::vector<uint8_t>> readFileBytes(const std::string &path, uint64_t limit) {
  StreamCloser file{std::fopen(path.c_str(), "rb")};
  if (!file.stream) return systemError("cannot open `" + path + "`", errno);
  struct stat info;
  if (fstat(fileno(file.stream), &info) != 0)
    return systemError("cannot read `" + path + "`", errno);
  if (S_ISDIR(info.st_mode)) return systemError("cannot read `" + path + "`", EISDIR);
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
  StreamCloser file{std::fopen(path.c_str(), "wb")};
  if (!file.stream) return systemError("cannot create `" + path + "`", errno);
  // An empty vector may have no address, and `fwrite` must not be given a null one.
  if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file.stream) != bytes.size())
    return systemError("cannot write `" + path + "`", errno);
  std::FILE *stream = file.stream;
  file.stream = nullptr;
  if (std::fclose(stream) != 0) return systemError("cannot write `" + path + "`", errno);
  return Status::ok();
}

} // namespace dlm
