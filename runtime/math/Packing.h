// Copies of operand panels in the order the micro-kernel reads them: `width` elements of each k
// side by side. Lanes between `width` and `step` hold zeros or copies: their results are dropped,
// but a stray denormal there could cost time. Up to 16 floats beyond the panel's end are
// overwritten.
#pragma once

#include <cstdint>

namespace dlm {

/// out[p * step + i] = in[p * stride + i], i < width: the operand has k outermost.
void packStraight(float *out, int64_t step, const float *in, int64_t stride, int64_t width,
                  int64_t k);

/// out[p * step + i] = in[i * stride + p], i < width: the operand has k innermost. step <= 32.
void packTransposed(float *out, int64_t step, const float *in, int64_t stride, int64_t width,
                    int64_t k);

} // namespace dlm
