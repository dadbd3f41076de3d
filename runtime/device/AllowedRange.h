// What a launch may touch: said by who knows the plan, judged by the emulator.
#pragma once

#include <cstdint>

namespace dlm {

/// A range of device memory.
struct AllowedRange {
  uint64_t address = 0, sizeBytes = 0;
  bool mayWrite = false;
};

} // namespace dlm
