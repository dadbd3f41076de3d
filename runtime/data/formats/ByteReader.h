// Bytes from front to back, whatever they are stored in: a file, plain or compressed, or an entry
// of an archive. Every failure names the file.
#pragma once

#include "runtime/base/Status.h"

#include <atomic>
#include <cstdint>
#include <string>

namespace dlm {

/// What deflate can pack in a byte at most: it codes 258 bytes in at least 2 bits.
constexpr uint64_t DeflateRatioMax = 1040;

class ByteReader {
public:
  virtual ~ByteReader() = default;

  /// Reads exactly `sizeBytes` bytes; an earlier end is `Corrupt`. `cancel`, if given and set by
  /// another thread, ends the reading with `Interrupted`.
  virtual Status read(void *out, size_t sizeBytes, const std::atomic<bool> *cancel) = 0;

  /// Ok if everything has been read and the checksum, if there is one, agreed.
  virtual Status expectEnd() = 0;

  /// The most bytes that are left: a size in a header is compared with it before memory is
  /// allocated.
  virtual uint64_t remainingBytesMax() const = 0;

  /// What is read, for messages: "data file `x.npy`".
  virtual std::string name() const = 0;
};

} // namespace dlm
