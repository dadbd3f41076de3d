// `linear`: a block of threads does one work item. A thread takes two groups of four neighbours, a
// thousand elements apart, so that the groups of a warp are side by side.
#include "compiler/conversion/KernelToGPU/DeviceLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace kernel {

namespace {

constexpr int64_t LinearThreads = 256;
static_assert(SpaceAttr::LinearBlock % (LinearThreads * GroupSize) == 0);

class LinearLowering : DeviceLowering {
public:
  LinearLowering(FuncOp func, gpu::GPUModuleOp device, const KernelUse &use, StringRef name)
      : DeviceLowering(func, device, use, name + "_linear", LinearThreads) {}

  DeviceStages run() {
    Extent size = getExtent(0);
    if (size.fixed == 1)
      emitSingle();
    else
      emitItem(size);
    return {finish([](int64_t, int64_t items) { return items; })};
  }

private:
  /// One element: a thread reads, and no other, for the output may lie in the input's memory.
  void emitSingle() {
    emitIf(less(device.thread, number(1)), [&] {
      emitter.setIndex(0, number(0));
      emitPoints();
    });
  }

  void emitItem(Extent size) {
    emitter.setWidth(GroupSize);
    Value item = multiply(device.blockIndex, SpaceAttr::LinearBlock);
    Value first = add(item, multiply(device.thread, GroupSize));
    emitIf(less(first, size.value), [&] {
      emitUniform(0, ~DimSet(0));
      emitLoop(b, number(0), number(SpaceAttr::LinearBlock), LinearThreads * GroupSize, {},
               [&](Value offset, ValueRange) -> Values {
                 emitGroup(add(first, offset), size);
                 return {};
               });
    });
  }

  void emitGroup(Value first, Extent size) {
    auto emit = [&](Value live) {
      emitter.setIndex(0, first);
      if (live) emitter.setLiveLanes(live);
      emitPoints();
    };
    if (size.fixed && *size.fixed % GroupSize == 0)
      return emitIf(less(first, size.value), [&] { emit(Value()); });
    Value live = subtract(size.value, first);
    emitIf(less(number(GroupSize - 1), live), [&] { emit(Value()); });
    Value isCut = arith::AndIOp::create(b, less(number(0), live), less(live, number(GroupSize)));
    emitIf(isCut, [&] { emit(live); });
  }

  void emitPoints() {
    for (Operation &op : func.getBlock())
      if (op.getNumResults() && !emitter.get(op.getResult(0))) emitter.emit(&op);
    emitStores();
  }
};

} // namespace

DeviceStages lowerLinear(FuncOp func, gpu::GPUModuleOp device, const KernelUse &use,
                         StringRef name) {
  return LinearLowering(func, device, use, name).run();
}

} // namespace kernel
