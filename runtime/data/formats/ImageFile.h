// Photos: JPEG and PNG files. The first bytes say which it is, not the name.
#pragma once

#include "runtime/base/Status.h"

#include <cstdint>
#include <string>

namespace dlm {

struct ImageSize {
  int64_t height = 0;
  int64_t width = 0;
};

inline bool operator==(const ImageSize &a, const ImageSize &b) {
  return a.height == b.height && a.width == b.width;
}
inline bool operator!=(const ImageSize &a, const ImageSize &b) { return !(a == b); }

/// Reads the header of a file.
Expected<ImageSize> probeImage(const std::string &path);

/// Whether bytes begin like a PNG file, or like a JPEG file.
bool isPng(const uint8_t *bytes, size_t count);
bool isJpeg(const uint8_t *bytes, size_t count);

/// The failure of a file that is neither.
Status notAnImage(const std::string &path);

} // namespace dlm
