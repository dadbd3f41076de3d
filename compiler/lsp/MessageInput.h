// Reads the protocol's messages: a header with the length, and a JSON text. Beside reading it can
// say whether more is waiting, so that the server checks a document when the editor pauses, and not
// once for each of ten edits that are in the pipe.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace dlm::lsp {

class MessageInput {
public:
  /// Longer messages are refused: what they said would be missing from then on.
  static constexpr size_t sizeBytesMax = size_t(256) << 20;

  explicit MessageInput(int descriptor) : descriptor(descriptor) {}

  /// Whether a further message, or the end, can be read without waiting.
  bool hasWaiting() const;
  /// Reads the next message; false at the end of the input or where no message can be found.
  bool read(std::string &message);
  /// Why no message could be found, for people; empty at an end between two messages.
  const std::string &failure() const { return reason; }

private:
  bool fill();
  bool readHeader(size_t &length);
  bool readField(const std::string &line, std::optional<size_t> &length);
  bool fail(std::string why);

  int descriptor;
  std::string reason;
  std::string buffer; // what was read and belongs to later messages
};

} // namespace dlm::lsp
