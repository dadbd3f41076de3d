// A file read from front to back, inflated on the way if it is compressed by gzip. Whether it is,
// its first two bytes say, not its name. Every failure names the file and the byte where reading
// stopped.
#pragma once

#include "runtime/base/Status.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace dlm {

class InflatedFile {
public:
  static Expected<InflatedFile> open(const std::string &path);

  InflatedFile(InflatedFile &&) noexcept;
  InflatedFile &operator=(InflatedFile &&) noexcept;
  ~InflatedFile();

  /// Reads exactly `sizeBytes` bytes. An earlier end of the file is `Corrupt`. `cancel`, if given
  /// and set by another thread, ends the reading with `Interrupted`.
  Status read(void *out, size_t sizeBytes, const std::atomic<bool> *cancel = nullptr);

  /// Reads between 1 and `sizeBytes` bytes; 0 at the end of the file, when `expectEnd` holds.
  Expected<size_t> readSome(void *out, size_t sizeBytes, const std::atomic<bool> *cancel = nullptr);

  /// Ok if everything has been read and, for gzip, the checksum agreed.
  Status expectEnd();

  /// The most bytes that the rest of the file can hold: exact for a plain file, a bound from the
  /// densest possible compression for gzip. Lets a reader refuse a size before it allocates it.
  uint64_t remainingBytesMax() const;

  /// Whether the file is plain, or notes at its end that it has this many bytes when inflated.
  bool saysAtItsEnd(uint64_t inflatedBytes) const;

  bool isCompressed() const;
  const std::string &path() const;

private:
  struct State;
  explicit InflatedFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace dlm
