// Reads it off the kernel's loads and stores.
#include "compiler/transforms/place/Sharing.h"

#include "dialects/kernel/Kernel.h"

using namespace mlir;

namespace dlm::place {

bool mayShare(Operation *instruction, unsigned input, unsigned output) {
  auto launch = dyn_cast<kernel::LaunchOp>(instruction);
  kernel::FuncOp kernel = launch ? launch.getKernel() : kernel::FuncOp();
  if (!kernel) return false;
  Value from = kernel.getInputArgs()[input], to = kernel.getOutputArgs()[output];
  if (from.getType() != to.getType()) return false;
  AffineMap storeMap;
  for (auto store : kernel.getBlock().getOps<kernel::StoreOp>())
    if (store.getTensor() == to) storeMap = store.getMap();
  for (auto load : kernel.getBlock().getOps<kernel::LoadOp>())
    if (load.getTensor() == from && load.getMap() != storeMap) return false;
  return true;
}

} // namespace dlm::place
