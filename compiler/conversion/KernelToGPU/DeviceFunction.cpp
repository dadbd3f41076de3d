// Blocks and grids have one dim, so a thread knows its place from two registers.
#include "compiler/conversion/KernelToGPU/DeviceFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kernel {

namespace {
constexpr unsigned GlobalSpace = 1, SharedSpace = 3;
constexpr int64_t SharedAlignment = 16;
} // namespace

DeviceFunction::DeviceFunction(ImplicitLocOpBuilder &builder, gpu::GPUModuleOp device,
                               const Twine &name, unsigned pointers, unsigned numbers,
                               int64_t block)
    : b(builder), device(device), pointerCount(pointers), block(block) {
  Type pointer = LLVM::LLVMPointerType::get(b.getContext(), GlobalSpace), i64 = b.getI64Type();
  SmallVector<Type> types(pointers + 1, pointer);
  types.append(numbers, i64);
  b.setInsertionPointToEnd(device.getBody());
  func = gpu::GPUFuncOp::create(b, name.str(), b.getFunctionType(types, {}));
  func->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  func.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr({int32_t(block), 1, 1}));
  b.setInsertionPointToStart(&func.getBody().front());
  auto widen = [&](Value index) -> Value { return arith::IndexCastOp::create(b, i64, index); };
  thread = widen(gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  blockIndex = widen(gpu::BlockIdOp::create(b, gpu::Dimension::x));
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  };
  warp = arith::ShRUIOp::create(b, thread, number(llvm::Log2_64(WarpSize)));
  lane = arith::AndIOp::create(b, thread, number(WarpSize - 1));
}

void DeviceFunction::finish() { gpu::ReturnOp::create(b); }

Value DeviceFunction::addShared(const Twine &name, Type elementType, int64_t count) {
  LLVM::GlobalOp global;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(func);
    global = LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(elementType, count),
                                    /*isConstant=*/false, LLVM::Linkage::Internal,
                                    (func.getName() + "_" + name).str(), Attribute(),
                                    SharedAlignment, SharedSpace);
  }
  int64_t bytes = count * elementType.getIntOrFloatBitWidth() / 8;
  sharedBytes += llvm::alignTo(bytes, SharedAlignment);
  return LLVM::AddressOfOp::create(b, global);
}

Value DeviceFunction::getPlace(Value array, Type elementType, Value index) {
  return LLVM::GEPOp::create(b, array.getType(), elementType, array, ArrayRef<LLVM::GEPArg>{index});
}

void DeviceFunction::syncBlock() { gpu::BarrierOp::create(b); }

void DeviceFunction::syncWarp() {
  Value everyLane = arith::ConstantOp::create(b, b.getI32IntegerAttr(-1));
  LLVM::CallIntrinsicOp::create(b, b.getStringAttr("llvm.nvvm.bar.warp.sync"),
                                ValueRange{everyLane});
}

Value DeviceFunction::shuffleDown(Value value, int64_t distance) {
  return shuffle(gpu::ShuffleMode::DOWN, value, distance);
}

Value DeviceFunction::broadcastFirst(Value value) {
  return shuffle(gpu::ShuffleMode::IDX, value, 0);
}

/// A register has 32 bits, so a longer value goes in two halves.
Value DeviceFunction::shuffle(gpu::ShuffleMode mode, Value value, int64_t lane) {
  if (value.getType().getIntOrFloatBitWidth() == 32)
    return gpu::ShuffleOp::create(b, value, int32_t(lane), int32_t(WarpSize), mode)
        .getShuffleResult();
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  Value half = arith::ConstantOp::create(b, b.getI64IntegerAttr(32));
  Value low = arith::TruncIOp::create(b, i32, value);
  Value high = arith::TruncIOp::create(b, i32, arith::ShRUIOp::create(b, value, half));
  Value newLow = arith::ExtUIOp::create(b, i64, shuffle(mode, low, lane));
  Value newHigh = arith::ExtUIOp::create(b, i64, shuffle(mode, high, lane));
  return arith::OrIOp::create(b, arith::ShLIOp::create(b, newHigh, half), newLow);
}

} // namespace kernel
