// Micro-kernels for AVX-512: 14 rows x 32 columns, 28 of the 32 registers hold the tile. Compiled
// with -mavx512f; called only where the processor has it.
#include "runtime/math/MicroKernelBody.h"

#include <immintrin.h>

namespace dlm {

namespace {

struct Avx512 {
  using Vector = __m512;
  using Mask = __mmask16;
  static constexpr int Lanes = 16;

  static Mask firstLanes(int count) {
    return count <= 0 ? Mask(0) : count >= Lanes ? Mask(0xffff) : Mask((1u << count) - 1);
  }
  static Vector negativeZero() { return _mm512_set1_ps(-0.0f); }
  static Vector load(const float *p) { return _mm512_loadu_ps(p); }
  static Vector load(const float *p, Mask mask) { return _mm512_maskz_loadu_ps(mask, p); }
  static void store(float *p, Vector v) { _mm512_storeu_ps(p, v); }
  static void store(float *p, Mask mask, Vector v) { _mm512_mask_storeu_ps(p, mask, v); }
  static Vector broadcast(const float *p) { return _mm512_set1_ps(*p); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm512_fmadd_ps(a, b, c); }
};

} // namespace

const MicroKernels &avx512Kernels() {
  static const MicroKernels table = makeKernels<Avx512, 14>("avx512");
  return table;
}

} // namespace dlm
