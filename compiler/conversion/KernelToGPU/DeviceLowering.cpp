// The frame of a kernel's device function.
#include "compiler/conversion/KernelToGPU/DeviceLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace kernel {

DeviceLowering::DeviceLowering(FuncOp func, gpu::GPUModuleOp module, const KernelUse &use,
                               const Twine &name, int64_t block)
    : BodyLowering(func), device(b, module, name, func.getBlock().getNumArguments(), 2, block),
      use(use) {
  extent = device.getNumber(0);
  emitter.setPointers(device.getPointers(), use.alignments);
  emitter.useScalarAccesses();
  emitter.setWidth(1);
}

Value DeviceLowering::less(Value left, Value right) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, left, right);
}

Value DeviceLowering::multiply(Value left, int64_t factor) {
  return factor == 1 ? left : arith::MulIOp::create(b, left, number(factor));
}

void DeviceLowering::emitIf(Value condition, function_ref<void()> emit) {
  BodyEmitter::Scope scope(emitter);
  scf::IfOp::create(b, condition, [&](OpBuilder &, Location) {
    emit();
    scf::YieldOp::create(b);
  });
}

void DeviceLowering::emitStores() {
  for (StoreOp store : func.getOps<StoreOp>())
    emitter.emit(store);
}

DeviceStage DeviceLowering::finish(std::function<int64_t(int64_t, int64_t)> getGrid,
                                   std::function<int64_t(int64_t)> getScratchBytes) {
  device.finish();
  if (!getScratchBytes) getScratchBytes = [](int64_t) { return 0; };
  return {device.getName(), device.getBlock(), device.getSharedBytes(), std::move(getGrid),
          std::move(getScratchBytes)};
}

bool hasVectorAccess(FuncOp func, ArrayRef<int64_t> alignments) {
  ImplicitLocOpBuilder unused(func.getLoc(), func.getContext());
  BodyEmitter emitter(unused, func);
  emitter.setPointers({}, alignments);
  emitter.setWidth(GroupSize);
  auto isVector = [&](auto access) {
    Value tensor = access.getTensor();
    Type type = getMemoryType(cast<RankedTensorType>(tensor.getType()).getElementType());
    BodyEmitter::Lanes lanes = emitter.getLanes(tensor, access.getMap());
    unsigned bytes = GroupSize * type.getIntOrFloatBitWidth() / 8;
    return lanes.step == 1 && lanes.alignment >= std::min(bytes, 16u);
  };
  return llvm::any_of(func.getOps<LoadOp>(), isVector) ||
         llvm::any_of(func.getOps<StoreOp>(), isVector);
}

} // namespace kernel
