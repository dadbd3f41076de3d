// The hand-made network's kernels as device code: an emulated image whose threads call the C++
// kernels, one item each, so that a device computes the very bits of the processor. Compiled as it
// is; as one that tells the emulator of the first word of every argument, which each item reads or
// the first one writes (DLM_MLP_CHECKED); and with one of them out of bounds (DLM_MLP_FAULTY).
#include "runtime/abi/EmulatedKernel.h"
#include "test/runtime/HandMadeMlp.h"

#include <cmath>

#if defined(DLM_MLP_CHECKED) || defined(DLM_MLP_FAULTY)
constexpr bool IsChecked = true;
#else
constexpr bool IsChecked = false;
#endif
#ifdef DLM_MLP_FAULTY
constexpr bool IsFaulty = true;
#else
constexpr bool IsFaulty = false;
#endif

namespace {

constexpr unsigned ArgsMax = 8;
const DlmEmuSite sites[] = {{DlmEmuLoad, 1, 4, "load of a first word"},
                            {DlmEmuStore, 1, 4, "store of a first word"}};

int64_t numberOf(void *const *params, unsigned index) {
  return *static_cast<const int64_t *>(params[index]);
}

int64_t threadNumber(const DlmEmuThread *thread) {
  return int64_t(thread->ctaid[0]) * thread->ntid[0] + thread->tid[0];
}

/// The addresses of the arguments; tells of them if the image is a checked one. Bit i of `writes`:
/// the function writes argument i.
void takeAddresses(DlmEmuThread *thread, void *const *params, unsigned count, unsigned writes,
                   void **addresses) {
  for (unsigned i = 0; i < count; ++i) {
    addresses[i] = *static_cast<void *const *>(params[i]);
    auto *word = static_cast<uint8_t *>(addresses[i]);
    if (IsFaulty) word -= 4096; // before what was allocated, if it is at the arena's start
    unsigned site = writes >> i & 1;
    if (IsChecked && (site == 0 || threadNumber(thread) == 0))
      thread->api->access(thread, word, 4, site);
  }
}

/// (arguments, scratch, extent, items): item `thread` of a kernel.
void runKernel(DlmKernel kernel, unsigned count, unsigned writes, DlmEmuThread *thread,
               void *const *params) {
  int64_t item = threadNumber(thread);
  if (item >= numberOf(params, count + 2)) return;
  void *addresses[ArgsMax];
  takeAddresses(thread, params, count, writes, addresses);
  DlmCtx context{dlm::DlmAbiVersion, 0, numberOf(params, count + 1), nullptr};
  kernel(&context, addresses, item, item + 1);
}

/// (lhs, rhs, out, scratch, m, n, k, transposes, accumulate): one element of a product.
void runContract(DlmEmuThread *thread, void *const *params) {
  int64_t m = numberOf(params, 4), n = numberOf(params, 5), k = numberOf(params, 6);
  int64_t element = threadNumber(thread), i = element / n, j = element % n;
  if (i >= m) return;
  void *addresses[3];
  takeAddresses(thread, params, 3, 0b100, addresses);
  const auto *lhs = static_cast<const float *>(addresses[0]);
  const auto *rhs = static_cast<const float *>(addresses[1]);
  auto *out = static_cast<float *>(addresses[2]);
  float acc = numberOf(params, 9) ? out[element] : -0.0f;
  for (int64_t p = 0; p < k; ++p)
    acc = std::fma(numberOf(params, 7) ? lhs[p * m + i] : lhs[i * k + p],
                   numberOf(params, 8) ? rhs[j * k + p] : rhs[p * n + j], acc);
  out[element] = acc;
}

#define DLM_MLP_KERNELS(F)                                                                         \
  F(init_params, 2, 0b10)                                                                          \
  F(scale_image, 2, 0b10)                                                                          \
  F(bias_relu, 2, 0b10)                                                                            \
  F(cross_entropy, 6, 0b110000)                                                                    \
  F(relu_grad, 2, 0b10)                                                                            \
  F(add_rows, 2, 0b10)                                                                             \
  F(check_step, 5, 0b11100)                                                                        \
  F(adamw, 7, 0b111)                                                                               \
  F(count_step, 4, 0b1110)                                                                         \
  F(measure, 6, 0b110000)                                                                          \
  F(finish_metrics, 4, 0b1100)

#define DLM_MLP_RUN(name, count, writes)                                                           \
  void run_##name(DlmEmuThread *thread, void *const *params) {                                     \
    static const DlmKernel kernel = dlm::test::mlpKernels().find(#name);                           \
    runKernel(kernel, count, writes, thread, params);                                              \
  }
DLM_MLP_KERNELS(DLM_MLP_RUN)
#undef DLM_MLP_RUN

const uint32_t paramBytes[] = {8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8};

const DlmEmuFunction functions[] = {
#define DLM_MLP_ENTRY(name, count, writes)                                                         \
  {#name, run_##name, (count) + 3, paramBytes, 0, 0, nullptr, dlm::test::MlpBlock, 0},
    DLM_MLP_KERNELS(DLM_MLP_ENTRY)
#undef DLM_MLP_ENTRY
        {"contract", runContract, 10, paramBytes, 0, 0, nullptr, dlm::test::MlpBlock, 0}};

} // namespace

extern "C" const DlmEmuImage dlm_emulated_image = {
    dlm::DlmEmuAbiVersion, IsChecked, sizeof functions / sizeof functions[0], functions, 2, sites};
