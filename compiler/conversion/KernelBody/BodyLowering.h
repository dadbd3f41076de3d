// What the lowerings of kernels to any target share: the body cut into phases, the ops each phase
// needs, and the accumulators of its reductions. How the space is walked, by loops or by threads,
// is what a target adds.
#pragma once

#include "compiler/conversion/KernelBody/BodyEmitter.h"
#include "compiler/conversion/KernelBody/ReductionTree.h"

namespace kernel {

/// A value's phase is the number of reductions that must have ended before it can be computed; the
/// reductions of a phase share one walk over the reduced dim. Values of an earlier phase are
/// computed again: the same bits, and no memory.
class BodyLowering {
public:
  explicit BodyLowering(FuncOp func);
  /// How many walks over the reduced dim need one another's results.
  unsigned getPhaseCount() const { return phaseCount; }

protected:
  using Values = llvm::SmallVector<mlir::Value>;
  using Ops = llvm::SmallVector<mlir::Operation *>;
  /// An extent: as a value, and as a number if it is one.
  struct Extent {
    mlir::Value value;
    std::optional<int64_t> fixed;
  };

  Extent getExtent(unsigned dim);
  /// An item's number to the indices of a row's grid dims, the last one fastest.
  void decodeGrid(mlir::Value item);
  unsigned getPhase(mlir::Operation *op) const { return phaseOf.lookup(op); }
  /// Emits the ops of a phase that vary over no dim of `except`.
  void emitUniform(unsigned phase, DimSet except);
  /// The ops that vary over a dim of `over` and are needed for `roots`, in order.
  Ops getSlice(mlir::ValueRange roots, DimSet over);
  Ops getReductions(unsigned phase);

  /// The stores of a `row`: those that vary over it with what they need, and the others.
  struct RowStores {
    llvm::SmallVector<StoreOp> varying, uniform;
    Ops slice;
  };
  RowStores getRowStores();

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
  /// The chains of one phase of a `column` over the rows [start, stop), one value a reduction.
  Values reduceRows(unsigned phase, mlir::Value start, mlir::Value stop);
  /// The results of the reductions are `values` from here on.
  void bind(llvm::ArrayRef<mlir::Operation *> reductions, mlir::ValueRange values);

  FuncOp func;
  SpaceAttr space;
  mlir::ImplicitLocOpBuilder b;
  BodyEmitter emitter;
  mlir::Value extent; // of dim 0 where it is known at run time
  unsigned phaseCount = 0;

private:
  void cutIntoPhases();

  llvm::DenseMap<mlir::Operation *, unsigned> phaseOf;
};

} // namespace kernel
