// What the lowerings of the three schedules share: the function being written, the body cut into
// phases, and loops over the inner dim.
#pragma once

#include "compiler/conversion/KernelToLLVM/BodyEmitter.h"
#include "compiler/conversion/KernelToLLVM/ReductionTree.h"

namespace kernel {

/// Writes one LLVM function for one kernel. A value's phase is the number of reductions that must
/// have ended before it can be computed; the reductions of a phase share one loop.
class KernelLowering {
public:
  KernelLowering(FuncOp func, mlir::LLVM::LLVMFuncOp target, int64_t widthMax);
  void run();

private:
  using Values = llvm::SmallVector<mlir::Value>;
  using Ops = llvm::SmallVector<mlir::Operation *>;
  /// An extent: as a value, and as a number if it is one.
  struct Extent {
    mlir::Value value;
    std::optional<int64_t> fixed;
  };

  // Shared.
  Values emitEntry();
  int64_t chooseWidth(int64_t widthMax);
  Extent getExtent(unsigned dim);
  void cutIntoPhases();
  unsigned getPhase(mlir::Operation *op) const { return phaseOf.lookup(op); }
  /// Emits the ops of a phase that vary over no dim of `except`.
  void emitUniform(unsigned phase, DimSet except);
  /// The ops that vary over a dim of `over` and are needed for `roots`, in order.
  Ops getSlice(mlir::ValueRange roots, DimSet over);
  Ops getReductions(unsigned phase);
  /// Calls `emit` in a loop over [from, to) in steps of the width, and once more with a mask for
  /// the lanes that are left.
  void emitBlocks(mlir::Value from, mlir::Value to, bool isMultiple, bool isShort,
                  llvm::function_ref<void()> emit);
  mlir::Value add(mlir::Value left, mlir::Value right);
  mlir::Value subtract(mlir::Value left, mlir::Value right);
  mlir::Value smaller(mlir::Value left, mlir::Value right);
  mlir::Value number(int64_t value) { return emitNumber(b, value); }
  DimSet bit(unsigned dim) const { return DimSet(1) << dim; }

  // Accumulators of reductions: one value for a reduce, best and index for an argmax.
  Values getIdentities(llvm::ArrayRef<mlir::Operation *> reductions, bool isVector);
  Values accumulate(llvm::ArrayRef<mlir::Operation *> reductions, mlir::ValueRange values,
                    mlir::Value first);
  Values fold(llvm::ArrayRef<mlir::Operation *> reductions, mlir::ValueRange left,
              mlir::ValueRange right);
  void bind(llvm::ArrayRef<mlir::Operation *> reductions, mlir::ValueRange values);
  /// Runs `emitChunk` over the chunks of `extent` and folds.
  Values emitChunks(llvm::ArrayRef<mlir::Operation *> reductions, Extent extent, int64_t chunk,
                    mlir::TypeRange types,
                    llvm::function_ref<Values(mlir::Value, mlir::Value)> emitChunk);

  // Schedules.
  void lowerLinear();
  void lowerRow();
  void decodeGrid(mlir::Value item);
  void reduceRow(unsigned phase);
  Values reduceRowChunk(llvm::ArrayRef<mlir::Operation *> reductions, mlir::Value start,
                        mlir::Value end);
  Values reduceLaneBlock(llvm::ArrayRef<mlir::Operation *> reductions, mlir::Value lane,
                         mlir::Value start, mlir::Value end);
  void storeRow();
  void lowerColumn();
  void emitColumnBlock();
  void reduceColumns(unsigned phase);

  FuncOp func;
  SpaceAttr space;
  mlir::LLVM::LLVMFuncOp target;
  mlir::ImplicitLocOpBuilder b;
  mlir::Value begin, end, extent;
  Values pointers; // its initialisation sets the three above
  int64_t width;
  BodyEmitter emitter;
  llvm::DenseMap<mlir::Operation *, unsigned> phaseOf;
  unsigned phaseCount = 0;
};

} // namespace kernel
