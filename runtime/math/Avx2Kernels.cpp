// Micro-kernels for AVX2 with FMA: 6 rows x 16 columns, 12 of the 16 registers hold the tile.
// Compiled with -mavx2 -mfma; called only where the processor has both.
#include "runtime/math/MicroKernelBody.h"

#include <immintrin.h>

namespace dlm {

namespace {

alignas(64) const int32_t LaneMasks[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};

struct Avx2 {
  using Vector = __m256;
  using Mask = __m256i;
  static constexpr int Lanes = 8;

  static Mask firstLanes(int count) {
    int lanes = count < 0 ? 0 : count > Lanes ? Lanes : count;
    return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(LaneMasks + Lanes - lanes));
  }
  static Vector negativeZero() { return _mm256_set1_ps(-0.0f); }
  static Vector load(const float *p) { return _mm256_loadu_ps(p); }
  static Vector load(const float *p, Mask mask) { return _mm256_maskload_ps(p, mask); }
  static void store(float *p, Vector v) { _mm256_storeu_ps(p, v); }
  static void store(float *p, Mask mask, Vector v) { _mm256_maskstore_ps(p, mask, v); }
  static Vector broadcast(const float *p) { return _mm256_broadcast_ss(p); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }
};

} // namespace

const MicroKernels &avx2Kernels() {
  static const MicroKernels table = makeKernels<Avx2, 6>("avx2");
  return table;
}

} // namespace dlm
