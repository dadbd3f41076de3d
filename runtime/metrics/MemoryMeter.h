// How much memory this process has in use.
#pragma once

#include <cstdint>

namespace dlm {

class MemoryMeter {
public:
  MemoryMeter();
  ~MemoryMeter();
  MemoryMeter(const MemoryMeter &) = delete;
  MemoryMeter &operator=(const MemoryMeter &) = delete;

  /// Bytes of memory that the process occupies, not older than a tenth of a second; 0 if the system
  /// does not tell. Allocates nothing.
  int64_t bytes(int64_t nowNs);

private:
  static constexpr int64_t AgeMaxNs = 100000000;
  int file;
  int64_t readNs = -1, lastBytes = 0;
};

} // namespace dlm
