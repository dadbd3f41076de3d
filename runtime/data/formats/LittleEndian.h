// Numbers in files, least byte first.
#pragma once

#include <cstdint>

namespace dlm {

inline uint16_t little16(const uint8_t *bytes) { return uint16_t(bytes[0] | bytes[1] << 8); }

inline uint32_t little32(const uint8_t *bytes) {
  return uint32_t(little16(bytes)) | uint32_t(little16(bytes + 2)) << 16;
}

inline uint64_t little64(const uint8_t *bytes) {
  return uint64_t(little32(bytes)) | uint64_t(little32(bytes + 4)) << 32;
}

} // namespace dlm
