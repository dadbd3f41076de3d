// Packing with AVX2, used on every machine the product runs on: it is bound by memory, not by the
// width of a register. Compiled with -mavx2.
#include "runtime/math/Packing.h"

#include <immintrin.h>

namespace dlm {

namespace {

constexpr int64_t Block = 8;

/// Eight rows of eight, transposed in registers.
struct Square {
  __m256 row[Block];

  /// Loads eight columns of the rows `first` to `first + 7`; rows from `rows` on repeat the last.
  void load(const float *in, int64_t stride, int64_t first, int64_t rows) {
    for (int64_t r = 0; r < Block; ++r)
      row[r] = _mm256_loadu_ps(in + (first + r < rows ? first + r : rows - 1) * stride);
  }

  void transpose() {
    __m256 pair[Block], quad[Block];
    for (int r = 0; r < 4; ++r) {
      pair[2 * r] = _mm256_unpacklo_ps(row[2 * r], row[2 * r + 1]);
      pair[2 * r + 1] = _mm256_unpackhi_ps(row[2 * r], row[2 * r + 1]);
    }
    for (int h = 0; h < 2; ++h) {
      quad[4 * h] = _mm256_shuffle_ps(pair[4 * h], pair[4 * h + 2], 0x44);
      quad[4 * h + 1] = _mm256_shuffle_ps(pair[4 * h], pair[4 * h + 2], 0xee);
      quad[4 * h + 2] = _mm256_shuffle_ps(pair[4 * h + 1], pair[4 * h + 3], 0x44);
      quad[4 * h + 3] = _mm256_shuffle_ps(pair[4 * h + 1], pair[4 * h + 3], 0xee);
    }
    for (int r = 0; r < 4; ++r) {
      row[r] = _mm256_permute2f128_ps(quad[r], quad[4 + r], 0x20);
      row[4 + r] = _mm256_permute2f128_ps(quad[r], quad[4 + r], 0x31);
    }
  }
};

/// `Squares` squares side by side cover a step. The k loop is outermost and ascending, so what a
/// store writes beyond the step is overwritten by the next k.
template <int Squares>
void packColumns(float *out, int64_t step, const float *in, int64_t stride, int64_t width,
                 int64_t k) {
  for (int64_t p = 0; p < k; p += Block) {
    Square square[Squares];
    for (int s = 0; s < Squares; ++s) {
      square[s].load(in + p, stride, s * Block, width);
      square[s].transpose();
    }
    for (int64_t r = 0; r < Block; ++r) {
      for (int s = 0; s < Squares; ++s)
        _mm256_storeu_ps(out + (p + r) * step + s * Block, square[s].row[r]);
    }
  }
}

} // namespace

void packStraight(float *out, int64_t step, const float *in, int64_t stride, int64_t width,
                  int64_t k) {
  const int64_t whole = width / Block * Block;
  for (int64_t p = 0; p < k; ++p) {
    const float *from = in + p * stride;
    float *to = out + p * step;
    int64_t i = 0;
    for (; i < whole; i += Block)
      _mm256_storeu_ps(to + i, _mm256_loadu_ps(from + i));
    for (; i < width; ++i)
      to[i] = from[i];
    for (; i < step; ++i)
      to[i] = 0;
  }
}

void packTransposed(float *out, int64_t step, const float *in, int64_t stride, int64_t width,
                    int64_t k) {
  const int64_t whole = k / Block * Block;
  if (step <= 8)
    packColumns<1>(out, step, in, stride, width, whole);
  else if (step <= 16)
    packColumns<2>(out, step, in, stride, width, whole);
  else if (step <= 24)
    packColumns<3>(out, step, in, stride, width, whole);
  else
    packColumns<4>(out, step, in, stride, width, whole);
  for (int64_t p = whole; p < k; ++p) {
    for (int64_t i = 0; i < width; ++i)
      out[p * step + i] = in[i * stride + p];
    for (int64_t i = width; i < step; ++i)
      out[p * step + i] = 0;
  }
}

} // namespace dlm
