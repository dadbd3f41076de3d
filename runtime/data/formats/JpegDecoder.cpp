// JPEG by libturbojpeg. Its warnings, such as of a file that is cut off, are failures here: it
// would fill the rest with grey.
#include "runtime/data/formats/ImageDecoder.h"

#include <memory>
#include <turbojpeg.h>
#include <vector>

namespace dlm {

namespace {

struct HandleCloser {
  void operator()(void *handle) const { tjDestroy(handle); }
};

/// Ink to light: the bytes of such files say how much light each ink lets through.
void cmykToRgb(const uint8_t *inks, int64_t pixelCount, uint8_t *pixels) {
  for (int64_t i = 0; i < pixelCount; ++i)
    for (int channel = 0; channel < 3; ++channel)
      pixels[3 * i + channel] =
          uint8_t((int(inks[4 * i + channel]) * int(inks[4 * i + 3]) + 127) / 255);
}

} // namespace

Status decodeJpeg(const uint8_t *bytes, size_t count, ImageSize size, uint8_t *pixels,
                  const std::string &name) {
  std::unique_ptr<void, HandleCloser> handle(tjInitDecompress());
  if (!handle) return internalError("libturbojpeg could not be started");
  auto broken = [&] {
    return corrupt(name + " is damaged or cut off (" + tjGetErrorStr2(handle.get()) + ")");
  };
  int width = 0, height = 0, samples = 0, colours = 0;
  if (tjDecompressHeader3(handle.get(), bytes, count, &width, &height, &samples, &colours) != 0)
    return broken();
  if (ImageSize{height, width} != size)
    return corrupt(name + " has " + std::to_string(height) + " x " + std::to_string(width) +
                   " pixels, not " + std::to_string(size.height) + " x " +
                   std::to_string(size.width));
  bool isCmyk = colours == TJCS_CMYK || colours == TJCS_YCCK;
  std::vector<uint8_t> inks(isCmyk ? size_t(size.height * size.width * 4) : 0);
  // The slow transform is exact, so that all machines see the same pixels.
  int flags = TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS;
  if (tjDecompress2(handle.get(), bytes, count, isCmyk ? inks.data() : pixels, width, 0, height,
                    isCmyk ? TJPF_CMYK : TJPF_RGB, flags) != 0)
    return broken();
  if (isCmyk) cmykToRgb(inks.data(), size.height * size.width, pixels);
  return Status::ok();
}

} // namespace dlm
