// XXH3, the checksum of checkpoints and data files: 64 bits, a memory's speed. It finds damage and
// changes; it is no protection against somebody who makes them on purpose.
#pragma once

#include "runtime/base/Status.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace dlm {

/// A checksum over bytes that come in pieces; how they are cut does not matter.
class Xxh3 {
public:
  Xxh3();
  ~Xxh3();
  Xxh3(const Xxh3 &) = delete;
  Xxh3 &operator=(const Xxh3 &) = delete;

  void add(const void *data, uint64_t sizeBytes);
  /// The sum of what has been added so far, as 16 hexadecimal digits.
  std::string text() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

std::string xxh3Text(const void *data, uint64_t sizeBytes);

/// A file's size and sum.
struct FileSum {
  uint64_t sizeBytes = 0;
  std::string xxh3;
};

/// Reads a file in pieces. Of a file above `readMax` bytes only its size, its ends and pieces at
/// even distances are summed, about `readMax` bytes in all, so that the time is bounded. Fails on
/// what is not a regular file. `cancel`, if set by another thread, ends it with `Interrupted`.
Expected<FileSum> sumFile(const std::string &path, uint64_t readMax,
                          const std::atomic<bool> *cancel = nullptr);

} // namespace dlm
