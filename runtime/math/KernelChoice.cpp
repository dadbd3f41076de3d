// Which micro-kernels this machine can run. Asked once, of the processor itself.
#include "runtime/math/MicroKernel.h"

namespace dlm {

const MicroKernels *bestKernels() {
  static const MicroKernels *best = []() -> const MicroKernels * {
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return nullptr;
    return __builtin_cpu_supports("avx512f") ? &avx512Kernels() : &avx2Kernels();
  }();
  return best;
}

} // namespace dlm
