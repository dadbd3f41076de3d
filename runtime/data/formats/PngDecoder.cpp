// PNG by libpng. It leaves by longjmp when something is wrong, so the function that is left has
// nothing that would have to be destroyed.
#include "runtime/data/formats/ImageDecoder.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <png.h>
#include <vector>

namespace dlm {

namespace {

constexpr size_t ChunkBytesMax = size_t(64) << 20;

struct PngInput {
  const uint8_t *bytes;
  size_t left;
  char reason[128];
};

void onError(png_structp png, png_const_charp text) {
  auto *input = static_cast<PngInput *>(png_get_error_ptr(png));
  std::snprintf(input->reason, sizeof input->reason, "%s", text);
  png_longjmp(png, 1);
}

void onWarning(png_structp, png_const_charp) {} // of parts that are no pixels

void giveBytes(png_structp png, png_bytep out, png_size_t count) {
  auto *input = static_cast<PngInput *>(png_get_io_ptr(png));
  if (count > input->left) png_error(png, "it ends too early");
  std::memcpy(out, input->bytes, count);
  input->bytes += count;
  input->left -= count;
}

/// Reads the header, and has all pixels turned to red, green, blue; gives the bytes of a row.
size_t prepare(png_structp png, png_infop info, ImageSize size) {
  png_set_user_limits(png, png_uint_32(size.width), png_uint_32(size.height));
  png_set_chunk_malloc_max(png, ChunkBytesMax);
  png_read_info(png, info);
  if (int64_t(png_get_image_width(png, info)) != size.width ||
      int64_t(png_get_image_height(png, info)) != size.height)
    png_error(png, "it is of another size");
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_strip_alpha(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  return png_get_rowbytes(png, info);
}

bool readPixels(png_structp png, png_infop info, ImageSize size, png_bytepp rows) {
  if (setjmp(png_jmpbuf(png))) return false;
  if (prepare(png, info, size) != size_t(size.width) * 3)
    png_error(png, "its pixels are no colours");
  png_read_image(png, rows);
  png_read_end(png, nullptr);
  return true;
}

} // namespace

Status decodePng(const uint8_t *bytes, size_t count, ImageSize size, uint8_t *pixels,
                 const std::string &name) {
  PngInput input{bytes, count, "it could not be started"};
  std::vector<png_bytep> rows(static_cast<size_t>(size.height));
  for (size_t i = 0; i < rows.size(); ++i)
    rows[i] = pixels + i * size_t(size.width) * 3;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &input, onError, onWarning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (png) png_set_read_fn(png, &input, giveBytes);
  bool isFine = info && readPixels(png, info, size, rows.data());
  if (png) png_destroy_read_struct(&png, &info, nullptr);
  if (isFine) return Status::ok();
  return corrupt(name + " is damaged, cut off, or not of " + std::to_string(size.height) + " x " +
                 std::to_string(size.width) + " pixels (" + input.reason + ")");
}

} // namespace dlm
