// An address is the arena's, plus the buffer's offset, plus that of the range, plus the steps of
// the loops around it.
#include "compiler/conversion/KernelToGPU/DeviceMemory.h"

#include <numeric>

using namespace mlir;

namespace kernel {

namespace {
constexpr int64_t ArenaAlignment = 256; // of device memory
}

DeviceMemory::DeviceMemory(ModuleOp module) {
  for (plan::BufferOp buffer : module.getOps<plan::BufferOp>())
    offsets[buffer.getSymNameAttr()] = buffer.getOffset();
}

int64_t DeviceMemory::getAlignment(plan::RefAttr ref) const {
  int64_t offset = offsets.lookup(ref.getBuffer().getAttr()) + ref.getOffset();
  int64_t alignment = std::gcd(ArenaAlignment, offset); // a divisor of a power of two is one
  for (int64_t step : ref.getSteps())
    alignment = std::gcd(alignment, step);
  return alignment;
}

} // namespace kernel
