// What the lowerings of the schedules to CPU code share: the function being written and loops
// over the inner dim and over chunks.
#pragma once

#include "compiler/conversion/KernelBody/BodyLowering.h"
#include "compiler/conversion/KernelToLLVM/TreeFold.h"

namespace kernel {

/// Writes one LLVM function for one kernel.
class KernelLowering : BodyLowering {
public:
  KernelLowering(FuncOp func, mlir::LLVM::LLVMFuncOp target, int64_t widthMax);
  void run();

private:
  // Shared.
  void emitEntry();
  int64_t chooseWidth(int64_t widthMax);
  /// Calls `emit` in a loop over [from, to) in steps of the width, and once more with a mask for
  /// the lanes that are left.
  void emitBlocks(mlir::Value from, mlir::Value to, bool isMultiple, bool isShort,
                  llvm::function_ref<void()> emit);
  /// Runs `emitChunk` over the chunks of `extent` and folds.
  Values emitChunks(llvm::ArrayRef<mlir::Operation *> reductions, Extent extent, int64_t chunk,
                    mlir::TypeRange types,
                    llvm::function_ref<Values(mlir::Value, mlir::Value)> emitChunk);

  // Schedules.
  void lowerLinear();
  void lowerRow();
  void reduceRow(unsigned phase);
  Values reduceRowChunk(llvm::ArrayRef<mlir::Operation *> reductions, mlir::Value start,
                        mlir::Value end);
  Values reduceLaneBlock(llvm::ArrayRef<mlir::Operation *> reductions, mlir::Value lane,
                         mlir::Value start, mlir::Value end);
  void storeRow();
  void lowerColumn();
  void emitColumnBlock();
  void reduceColumns(unsigned phase);
  void lowerScatter();
  void forColumns(llvm::function_ref<void()> emit);
  void clearTargets(mlir::Value first, mlir::Value stop);
  void addToTarget(mlir::Value first, mlir::Value stop);

  mlir::LLVM::LLVMFuncOp target;
  mlir::Value begin, end;
  int64_t width;
};

} // namespace kernel
