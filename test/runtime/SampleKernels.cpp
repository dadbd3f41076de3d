// A shared object like the one the compiler makes: two kernels, no other symbol that matters.
#include "runtime/abi/Kernel.h"

extern "C" void sample_double(const DlmCtx *ctx, void *const *buffers, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i)
    static_cast<float *>(buffers[1])[i] = 2 * static_cast<const float *>(buffers[0])[i];
}

extern "C" void sample_extent(const DlmCtx *ctx, void *const *buffers, int64_t begin, int64_t end) {
  *static_cast<int64_t *>(buffers[0]) = ctx->extent;
}
