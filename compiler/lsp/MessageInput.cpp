// See MessageInput.h.
#include "compiler/lsp/MessageInput.h"

#include "compiler/source/Utf8.h"

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

bool MessageInput::fail(std::string why) {
  reason = std::move(why);
  return false;
}

/// One field of a header; those that nothing needs are passed over. Behind a length that cannot be
/// read, no later message can be found.
bool MessageInput::readField(const std::string &line, std::optional<size_t> &length) {
  constexpr size_t shownMax = 60;
  auto shown = [&] { return "`" + replaceInvalidUtf8(line.substr(0, shownMax)) + "`"; };
  size_t colon = line.find(':');
  if (colon == std::string::npos)
    return fail(shown() + " is no field of a message's header: this is not the Language Server "
                          "Protocol");
  std::string name = line.substr(0, colon);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  if (name != "content-length") return true;
  constexpr size_t digitsMax = 18;
  size_t begin = std::min(line.find_first_not_of(' ', colon + 1), line.size());
  size_t end = line.find_last_not_of(' ') + 1;
  std::string digits = end > begin ? line.substr(begin, end - begin) : "";
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
    return fail("a message's length is a number of bytes, and here is " + shown());
  if (digits.size() > digitsMax || std::stoull(digits) > sizeBytesMax)
    return fail("a message of " + digits.substr(0, shownMax) + " bytes; the limit is " +
                std::to_string(sizeBytesMax >> 20) + " MiB");
  length = std::stoull(digits);
  return true;
}

/// Takes a header from the buffer, up to the empty line behind it.
bool MessageInput::readHeader(size_t &length) {
  constexpr size_t lineBytesMax = 1 << 16;
  std::optional<size_t> found;
  bool isBegun = false;
  while (true) {
    size_t end = buffer.find('\n');
    if (end == std::string::npos) {
      if (buffer.size() > lineBytesMax)
        return fail("a line of a message's header is longer than 64 KiB: this is not the Language "
                    "Server Protocol");
      if (fill()) continue;
      return isBegun || !buffer.empty() ? fail("the input ended in a message's header") : false;
    }
    std::string line = buffer.substr(0, end);
    buffer.erase(0, end + 1);
    isBegun = true;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty()) {
      if (!readField(line, found)) return false;
      continue;
    }
    if (!found) return fail("a message's header has no `Content-Length`");
    length = *found;
    return true;
  }
}

bool MessageInput::read(std::string &message) {
  size_t length = 0;
  if (!readHeader(length)) return false;
  while (buffer.size() < length)
    if (!fill())
      return fail("the input ended in a message: of its " + std::to_string(length) + " bytes " +
                  std::to_string(buffer.size()) + " came");
  message = buffer.substr(0, length);
  buffer.erase(0, length);
  return true;
}

} // namespace dlm::lsp
