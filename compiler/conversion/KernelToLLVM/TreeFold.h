// The folds of a reduction's tree on one CPU thread: lanes in vectors, chunks on a small stack.
#pragma once

#include "compiler/conversion/KernelBody/ReductionTree.h"

namespace kernel {

/// Folds 128 lanes by halving down to one. `vectors`: for each block of lanes in order the vectors
/// being folded together; blocks missing at the end hold identities and are skipped.
llvm::SmallVector<mlir::Value> foldLanes(mlir::ImplicitLocOpBuilder &b,
                                         llvm::ArrayRef<llvm::SmallVector<mlir::Value>> vectors,
                                         FoldPair fold);

/// Folds chunks by halving over the next power of two. The halving tree pairs chunk i with i +
/// half; visited in bit-reversed order these are neighbours, so a stack of one value a level is
/// enough: no array of partials, whatever the length. Chunks past the end are empty and hold
/// identities.
class ChunkFold {
public:
  /// `types`: of the values of a chunk. `count`: number of chunks (i64). `staticCount`: the same,
  /// if known. `entry`: where to reserve stack space.
  ChunkFold(mlir::ImplicitLocOpBuilder &builder, mlir::TypeRange types, mlir::Value count,
            std::optional<int64_t> staticCount, mlir::Block &entry);

  /// Emits the loop; `emitChunk` gives the values of a chunk from its number (which may be past the
  /// end), `fold` combines.
  llvm::SmallVector<mlir::Value>
  run(llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value chunk)> emitChunk,
      FoldPair fold);

private:
  mlir::Value getSlot(unsigned index, mlir::Value level);
  llvm::SmallVector<mlir::Value> loadLevel(mlir::Value level);

  mlir::ImplicitLocOpBuilder &b;
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::Value> stacks;
  mlir::Value levels; // log2 of the padded count
};

/// Reserves `count` elements on the stack at the start of `entry`.
mlir::Value emitStackArray(mlir::ImplicitLocOpBuilder &b, mlir::Block &entry, mlir::Type type,
                           int64_t count);

} // namespace kernel
