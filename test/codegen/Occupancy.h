// How many warps a multiprocessor holds at once, by NVIDIA's own calculator, for chips that need
// not be here.
#pragma once

#include "compiler/codegen/cuda/CudaCodegen.h"

namespace test {

/// Properties from NVIDIA's tables (CUDA programming guide, "technical specifications per compute
/// capability"; a multiprocessor's shared memory less what the system keeps of each block).
struct Chip {
  const char *name, *architecture;
  int major, minor, multiprocessors;
  unsigned sharedBytes, sharedBytesOfBlockMax;
};

/// A100, H100 and H200, B200.
extern const Chip Chips[3];

/// The share of a multiprocessor's warps that can be in flight, in percent; 0 if no block fits.
unsigned getOccupancy(const Chip &chip, const dlm::DeviceResources &resources,
                      unsigned blockThreads);

} // namespace test
