// The pixels of photos, as they stand in the file: what a camera notes about how it was held is not
// followed. Grey becomes three equal channels, a palette its colours, 16 bits the nearest of 8,
// CMYK the colours that Adobe's programs mean by it; how transparent a pixel is, is left out.
#pragma once

#include "runtime/data/formats/ImageFile.h"

namespace dlm {

/// Decodes a file of this size to rows of red, green, blue. A file of another size, one that is cut
/// off or damaged in any part is a failure that names it.
Status decodeImage(const std::string &path, ImageSize size, uint8_t *pixels);

/// The same of bytes in memory; `name` for messages.
Status decodeJpeg(const uint8_t *bytes, size_t count, ImageSize size, uint8_t *pixels,
                  const std::string &name);
Status decodePng(const uint8_t *bytes, size_t count, ImageSize size, uint8_t *pixels,
                 const std::string &name);

} // namespace dlm
