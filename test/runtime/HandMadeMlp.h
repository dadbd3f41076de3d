// A two-layer network with cross-entropy and AdamW as a plan written by hand, its kernels in C++:
// what the compiler will make of examples/fashion_mlp.dlm, and all a test of the runtime needs to
// train on images.
#pragma once

#include "runtime/executor/KernelLibrary.h"
#include "test/runtime/HandMadePlan.h"

namespace dlm::test {

struct MlpShape {
  int64_t side = 28; // images are side x side
  int64_t hidden = 64;
  int64_t classes = 10;
  int64_t micro = 64;
  int64_t evalBatch = 384; // does not divide 10,000: padding is used
};

/// The plan. Its recipe: batch = micro, option `batch_size` (run-time, the batch), option `lr`,
/// duration 1 epoch, data `images` (idx) at `dataPath`, checkpoints to `folder`. Change what a test
/// is about before taking the bytes.
HandMadePlan makeMlpPlan(const MlpShape &shape, const std::string &dataPath,
                         const std::string &folder, int64_t trainCount, int64_t validationCount,
                         int64_t testCount);

/// The kernels of such plans.
KernelTable mlpKernels();

/// Threads of a block of the network's device code (HandMadeMlpImage.cpp).
constexpr uint32_t MlpBlock = 32;

/// Makes a plan whose kernels are the network's one for a device: a stage for every instruction, a
/// thread for every item and for every element of a product.
void turnIntoDevicePlan(HandMadePlan &made);

} // namespace dlm::test
