// Small photos for tests: PNG files byte by byte, JPEG files by libturbojpeg.
#pragma once

#include "test/runtime/IdxFolder.h"

#include <sys/stat.h>
#include <turbojpeg.h>

namespace dlm::test {

inline void appendBig32(std::vector<uint8_t> &bytes, uint32_t value) {
  for (int shift : {24, 16, 8, 0})
    bytes.push_back(uint8_t(value >> shift));
}

inline void appendChunk(std::vector<uint8_t> &bytes, const std::string &name,
                        const std::vector<uint8_t> &content) {
  appendBig32(bytes, uint32_t(content.size()));
  size_t begin = bytes.size();
  bytes.insert(bytes.end(), name.begin(), name.end());
  bytes.insert(bytes.end(), content.begin(), content.end());
  appendBig32(bytes, uint32_t(crc32(0, bytes.data() + begin, unsigned(bytes.size() - begin))));
}

/// What a PNG file says of its pixels: type 0 is grey, 2 colours, 3 a palette, 4 and 6 with alpha.
struct PngForm {
  uint32_t width, height;
  uint8_t bits = 8, type = 2;
  std::vector<uint8_t> palette = {};
};

/// `rows`: the bytes of the rows, without the byte in front of each.
inline std::vector<uint8_t> pngBytes(const PngForm &form, const std::vector<uint8_t> &rows) {
  std::vector<uint8_t> bytes = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'}, header, raw;
  appendBig32(header, form.width);
  appendBig32(header, form.height);
  header.insert(header.end(), {form.bits, form.type, 0, 0, 0});
  appendChunk(bytes, "IHDR", header);
  if (!form.palette.empty()) appendChunk(bytes, "PLTE", form.palette);
  size_t rowBytes = rows.size() / form.height;
  for (size_t y = 0; y < form.height; ++y) {
    raw.push_back(0); // no filter
    raw.insert(raw.end(), rows.begin() + long(y * rowBytes),
               rows.begin() + long((y + 1) * rowBytes));
  }
  std::vector<uint8_t> packed(compressBound(raw.size()));
  uLongf packedBytes = packed.size();
  compress(packed.data(), &packedBytes, raw.data(), raw.size());
  packed.resize(packedBytes);
  appendChunk(bytes, "IDAT", packed);
  appendChunk(bytes, "IEND", {});
  return bytes;
}

/// A photo of one colour.
inline std::vector<uint8_t> plainPng(uint32_t height, uint32_t width, uint8_t red, uint8_t green,
                                     uint8_t blue) {
  std::vector<uint8_t> rows;
  for (uint32_t i = 0; i < height * width; ++i)
    rows.insert(rows.end(), {red, green, blue});
  return pngBytes({width, height}, rows);
}

/// `format`: of the pixels, TJPF_RGB or the like; `samples`: TJSAMP_444 or the like.
inline std::vector<uint8_t> jpegBytes(int height, int width, const std::vector<uint8_t> &pixels,
                                      int format = TJPF_RGB, int samples = TJSAMP_444) {
  tjhandle handle = tjInitCompress();
  unsigned char *out = nullptr;
  unsigned long count = 0;
  int code = tjCompress2(handle, pixels.data(), width, 0, height, format, &out, &count, samples, 95,
                         TJFLAG_ACCURATEDCT);
  DLM_ASSERT(code == 0, "a test could not write its photo");
  std::vector<uint8_t> bytes(out, out + count);
  tjFree(out);
  tjDestroy(handle);
  return bytes;
}

inline void makeFolder(const std::string &path) { mkdir(path.c_str(), 0700); }

} // namespace dlm::test
