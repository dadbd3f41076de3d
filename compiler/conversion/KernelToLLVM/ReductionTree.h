// The order in which a reduction combines, as code: chains from an identity, folds by halving.
#pragma once

#include "dialects/kernel/Kernel.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kernel {

/// The value that combining with leaves every bit as it was, as an attribute of a scalar type.
mlir::TypedAttr getIdentity(ReduceKind kind, mlir::Type type);

/// `left` combined with `right`, scalars or vectors; on floats `max` and `min` pass NaN on.
mlir::Value combine(mlir::ImplicitLocOpBuilder &b, ReduceKind kind, mlir::Value left,
                    mlir::Value right);

/// Folds values one by one: given two (as lists of equal length, left one first) gives their like.
using FoldPair = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange left,
                                                                   mlir::ValueRange right)>;

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

/// A loop over [from, to) by `step` that carries values; the body gives the next ones.
llvm::SmallVector<mlir::Value>
emitLoop(mlir::ImplicitLocOpBuilder &b, mlir::Value from, mlir::Value to, int64_t step,
         mlir::ValueRange carried,
         llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)> body);

/// An i64 constant.
mlir::Value emitNumber(mlir::ImplicitLocOpBuilder &b, int64_t value);

/// Reserves `count` elements on the stack at the start of `entry`.
mlir::Value emitStackArray(mlir::ImplicitLocOpBuilder &b, mlir::Block &entry, mlir::Type type,
                           int64_t count);

} // namespace kernel
