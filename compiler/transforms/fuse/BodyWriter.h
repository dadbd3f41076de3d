// The walk that writes a kernel body over one fixed space; see KernelBuilder.h.
#pragma once

#include "compiler/transforms/fuse/KernelBuilder.h"
#include "dialects/dlm/Dlm.h"

namespace dlm::fuse {

class BodyWriter {
public:
  /// `dynamic`: dim 0 is `?`, so its extent must not be used.
  BodyWriter(const SpaceKind &kind, llvm::ArrayRef<int64_t> extents, bool dynamic,
             IsComputed isComputed, mlir::OpBuilder &builder, mlir::Block &block);

  /// The scalar of `value` at `index`; null on failure, and then one of the fields below tells why.
  mlir::Value at(mlir::Value value, llvm::ArrayRef<unsigned> index);

  /// Stores `value`, which is `scalar` at `index`, to a new output.
  void store(mlir::Value value, mlir::Value scalar, llvm::ArrayRef<unsigned> index);

  std::optional<Cut> cut;         // the space needs a border
  mlir::Value blamed;             // this value should be in memory
  bool needsStaticExtent = false; // dim 0 must be a constant
  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<mlir::Type> inputTypes, outputTypes;

private:
  mlir::Value compute(mlir::Value value, llvm::ArrayRef<unsigned> index);
  mlir::Value load(mlir::Value value, llvm::ArrayRef<unsigned> index);
  mlir::Value constant(ConstantOp op, llvm::ArrayRef<unsigned> index);
  mlir::Value iota(IotaOp op, llvm::ArrayRef<unsigned> index);
  mlir::Value reduce(mlir::Operation *op, llvm::ArrayRef<unsigned> index);
  mlir::Value random(RandomOp op, llvm::ArrayRef<unsigned> index);
  mlir::Value moved(mlir::Operation *op, const IndexResult &result);
  mlir::Value linear(llvm::ArrayRef<unsigned> index, mlir::Location loc);
  mlir::Value integer(int64_t value, mlir::Location loc);
  mlir::RankedTensorType argumentType(mlir::Type type, llvm::ArrayRef<unsigned> index);
  mlir::AffineMap map(llvm::ArrayRef<unsigned> index);
  mlir::Value fail(mlir::Value value);

  const SpaceKind &kind;
  llvm::ArrayRef<int64_t> extents;
  bool dynamic;
  IsComputed isComputed;
  mlir::OpBuilder &builder;
  mlir::Block &block;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<std::pair<Index, mlir::Value>, 1>> known;
};

} // namespace dlm::fuse
