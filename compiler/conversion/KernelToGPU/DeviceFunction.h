// A device function while it is written: its arguments, the thread's place, shared memory, and what
// threads do together.
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kernel {

constexpr int64_t WarpSize = 32;

/// A `gpu.func` and its thread's view. Made at the end of a device module; the builder then stands
/// in its body.
class DeviceFunction {
public:
  /// `pointers` to global memory, one more to scratch memory, then `numbers`. A block has `block`
  /// threads.
  DeviceFunction(mlir::ImplicitLocOpBuilder &builder, mlir::gpu::GPUModuleOp device,
                 const llvm::Twine &name, unsigned pointers, unsigned numbers, int64_t block);
  /// Ends the body.
  void finish();

  std::string getName() { return func.getName().str(); }
  int64_t getBlock() const { return block; }
  int64_t getSharedBytes() const { return sharedBytes; }

  mlir::ValueRange getPointers() { return func.getArguments().take_front(pointerCount); }
  mlir::Value getScratch() { return func.getArgument(pointerCount); }
  mlir::Value getNumber(unsigned index) { return func.getArgument(pointerCount + 1 + index); }
  /// Numbers of the thread in its block, of the block in the grid, and of the thread's warp and
  /// lane; all i64.
  mlir::Value thread, blockIndex, warp, lane;

  /// Shared memory for `count` elements, aligned to 16 bytes.
  mlir::Value addShared(const llvm::Twine &name, mlir::Type elementType, int64_t count);
  /// The address of an element.
  mlir::Value getPlace(mlir::Value array, mlir::Type elementType, mlir::Value index);

  /// All threads of the block, or of the warp, have come here, and see each other's memory
  /// accesses.
  void syncBlock();
  void syncWarp();
  /// The value of the lane that is `distance` higher; a lane that has none gets its own.
  mlir::Value shuffleDown(mlir::Value value, int64_t distance);
  /// The value of lane 0.
  mlir::Value broadcastFirst(mlir::Value value);

private:
  mlir::Value shuffle(mlir::gpu::ShuffleMode mode, mlir::Value value, int64_t lane);

  mlir::ImplicitLocOpBuilder &b;
  mlir::gpu::GPUModuleOp device;
  mlir::gpu::GPUFuncOp func;
  unsigned pointerCount;
  int64_t block, sharedBytes = 0;
};

} // namespace kernel
