#include "compiler/source/TextFile.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sys/stat.h>

namespace dlm {

std::optional<std::string> readTextFile(const std::string &path, std::string &reason) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) {
    bool isAbsent = errno == ENOENT || errno == ENOTDIR;
    reason = isAbsent ? TextFile::absent : std::strerror(errno);
    return std::nullopt;
  }
  if (S_ISDIR(info.st_mode)) {
    reason = "it is a directory";
    return std::nullopt;
  }
  if (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode)) {
    reason = "it is a pipe, not a file";
    return std::nullopt;
  }
  std::string tooLarge =
      "it is larger than " + std::to_string(TextFile::sizeBytesMax >> 20) + " MiB";
  if (info.st_size > off_t(TextFile::sizeBytesMax)) {
    reason = tooLarge;
    return std::nullopt;
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text;
  char buffer[1 << 16];
  while (stream && text.size() <= TextFile::sizeBytesMax) {
    stream.read(buffer, sizeof buffer);
    text.append(buffer, static_cast<size_t>(stream.gcount()));
  }
  if (!stream.eof() && text.size() <= TextFile::sizeBytesMax) {
    reason = "it cannot be read";
    return std::nullopt;
  }
  if (text.size() > TextFile::sizeBytesMax) {
    reason = tooLarge;
    return std::nullopt;
  }
  return text;
}

} // namespace dlm
