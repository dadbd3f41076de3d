// Kernels are called by their name, products by transposition, as in the cases.
#include "test/gpu-check/check/Work.h"

namespace dlm::gpucheck {

static double sumOf(const flatbuffers::Vector<uint64_t> *values) {
  double sum = 0;
  for (uint32_t i = 0; values && i < values->size(); ++i)
    sum += double(values->Get(i));
  return sum;
}

Work workOf(const plan::Plan &plan, const plan::Instruction &instruction) {
  Work result;
  if (const plan::Launch *launch = instruction.action_as_Launch()) {
    const plan::Kernel &kernel = *plan.kernels()->Get(launch->kernel());
    result.name = kernel.symbol()->str() + " of " + std::to_string(launch->extent());
    result.flops = double(kernel.flops()) * double(launch->items());
    result.bytes = double(launch->bytes_read()) + double(launch->bytes_written());
  } else if (const plan::Library *product = instruction.action_as_Library()) {
    const auto &size = *product->descriptor();
    result.name = std::string(size.Get(7) > 1 ? "products_" : "product_") +
                  (size.Get(3) ? "t" : "n") + (size.Get(4) ? "t" : "n") + " of " +
                  std::to_string(size.Get(0)) + "x" + std::to_string(size.Get(1)) + "x" +
                  std::to_string(size.Get(2));
    int64_t batch = size.Get(7);
    if (batch > 1) result.name += "x" + std::to_string(batch);
    result.flops =
        2.0 * double(batch) * double(size.Get(0)) * double(size.Get(1)) * double(size.Get(2));
    result.bytes = sumOf(product->arg_bytes());
  }
  return result;
}

} // namespace dlm::gpucheck
