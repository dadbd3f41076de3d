// See MessageInput.h.
#include "compiler/lsp/MessageInput.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace dlm::lsp {

bool MessageInput::hasWaiting() const {
  if (!buffer.empty()) return true;
  pollfd entry = {descriptor, POLLIN, 0};
  return ::poll(&entry, 1, 0) > 0;
}

bool MessageInput::fill() {
  char chunk[1 << 16];
  ssize_t count;
  do
    count = ::read(descriptor, chunk, sizeof chunk);
  while (count < 0 && errno == EINTR);
  if (count <= 0) return false;
  buffer.append(chunk, size_t(count));
  return true;
}

/// Takes a header from the buffer. Lines that are no header are passed over.
bool MessageInput::readHeader(size_t &length) {
  constexpr size_t lineBytesMax = 1 << 16;
  bool hasLength = false;
  while (true) {
    size_t end = buffer.find('\n');
    if (end == std::string::npos) {
      if (buffer.size() > lineBytesMax || !fill()) return false;
      continue;
    }
    std::string line = buffer.substr(0, end);
    buffer.erase(0, end + 1);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() && hasLength) return true;
    std::transform(line.begin(), line.end(), line.begin(),
                   [](unsigned char c) { return char(std::tolower(c)); });
    const std::string key = "content-length:";
    if (line.rfind(key, 0) != 0) continue;
    size_t at = line.find_first_not_of(' ', key.size());
    length = 0;
    hasLength = at != std::string::npos;
    for (; hasLength && at < line.size(); ++at) {
      hasLength = std::isdigit(static_cast<unsigned char>(line[at])) && length <= sizeBytesMax;
      length = length * 10 + size_t(line[at] - '0');
    }
  }
}

bool MessageInput::read(std::string &message) {
  while (true) {
    size_t length = 0;
    if (!readHeader(length)) return false;
    if (length <= sizeBytesMax) {
      while (buffer.size() < length)
        if (!fill()) return false;
      message = buffer.substr(0, length);
      buffer.erase(0, length);
      return true;
    }
    while (length > 0) { // too long: read over
      if (buffer.empty() && !fill()) return false;
      size_t count = std::min(length, buffer.size());
      buffer.erase(0, count);
      length -= count;
    }
  }
}

} // namespace dlm::lsp
