// The walk that writes a kernel body over one fixed space; see KernelBuilder.h.
#pragma once

#include "compiler/transforms/fuse/KernelBuilder.h"
#include "dialects/dlm/Dlm.h"

namespace dlm::fuse {

inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getShape();
}

class BodyWriter {
public:
  /// `dynamic`: dim 0 is `?`, so its extent must not be used.
  BodyWriter(const SpaceKind &kind, llvm::ArrayRef<int64_t> extents, bool dynamic,
             IsComputed isComputed, mlir::OpBuilder &builder, mlir::Block &block);

  /// The scalar of `value` at `index`; null on failure, and then one of the fields below tells why.
  mlir::Value at(mlir::Value value, llvm::ArrayRef<Axis> index);

  /// Stores `value`, which is `scalar` at `index`, to a new output.
  void store(mlir::Value value, mlir::Value scalar, llvm::ArrayRef<Axis> index);

  std::optional<Cut> cut;         // the space needs a border
  mlir::Value blamed;             // this value should be in memory
  bool needsStaticExtent = false; // dim 0 must be a constant
  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<mlir::Type> inputTypes, outputTypes;

private:
  mlir::Value compute(mlir::Value value, llvm::ArrayRef<Axis> index);
  mlir::Value load(mlir::Value value, llvm::ArrayRef<Axis> index);
  mlir::Value constant(ConstantOp op, llvm::ArrayRef<Axis> index);
  mlir::Value iota(IotaOp op, llvm::ArrayRef<Axis> index);
  mlir::Value reduce(mlir::Operation *op, llvm::ArrayRef<Axis> index);
  mlir::Value random(RandomOp op, llvm::ArrayRef<Axis> index);

  // Ops that take parts, join, or choose by index (BodyMoves.cpp). Null for any other op, unless
  // one of the fields above says what is wrong.
  mlir::Value move(mlir::Operation *op, llvm::ArrayRef<Axis> index);
  mlir::Value slice(SliceOp op, llvm::ArrayRef<Axis> index);
  mlir::Value flip(FlipOp op, llvm::ArrayRef<Axis> index);
  mlir::Value pad(PadOp op, llvm::ArrayRef<Axis> index);
  mlir::Value concat(ConcatOp op, llvm::ArrayRef<Axis> index);
  mlir::Value gather(GatherOp op, llvm::ArrayRef<Axis> index);
  mlir::Value scatter(ScatterAddOp op, llvm::ArrayRef<Axis> index);

  // Windows, and what is written out element by element (BodyWindows.cpp).
  mlir::Value windows(WindowsOp op, llvm::ArrayRef<Axis> index);
  mlir::Value overlapAdd(OverlapAddOp op, llvm::ArrayRef<Axis> index);
  mlir::Value smallReduce(ReduceOp op, llvm::ArrayRef<Axis> index);
  Axis joined(llvm::ArrayRef<Axis> axes, mlir::Location loc);
  std::optional<Axis> windowAt(const Axis &place, int64_t shift, int64_t stride, int64_t count,
                               mlir::Location loc);
  /// Whether all places are in their axes; null if they always are.
  mlir::Value areWithin(llvm::ArrayRef<Axis> axes, mlir::Location loc);

  std::optional<llvm::SmallVector<Piece>> split(mlir::Value value, llvm::ArrayRef<bool> borders,
                                                llvm::ArrayRef<Axis> index);
  std::optional<llvm::SmallVector<Index>>
  axesOfDims(mlir::Value value, llvm::ArrayRef<bool> isAlone, llvm::ArrayRef<Axis> index);
  using Change = llvm::function_ref<std::optional<Index>(unsigned dim, llvm::ArrayRef<Axis> axes)>;
  std::optional<Index> changed(mlir::Value result, llvm::ArrayRef<bool> isChanged,
                               llvm::ArrayRef<Axis> index, Change change);
  mlir::Value isWithin(const Axis &axis, mlir::Location loc);
  mlir::Value idAt(mlir::Value ids, llvm::ArrayRef<Axis> index);
  mlir::Value place(const Axis &axis, mlir::Location loc);
  mlir::Value element(mlir::Type type, mlir::Attribute value, mlir::Location loc);
  mlir::Value moved(mlir::Operation *op, const IndexResult &result);
  mlir::Value linear(llvm::ArrayRef<Axis> index, mlir::Location loc);
  mlir::Value integer(int64_t value, mlir::Location loc);
  mlir::RankedTensorType argumentType(mlir::Type type, llvm::ArrayRef<Axis> index);
  mlir::AffineExpr placeExpr(const Axis &axis);
  mlir::AffineMap map(llvm::ArrayRef<Axis> index);
  bool isOpen(const Axis &axis) const {
    return dynamic && llvm::any_of(axis.terms, [](const Term &term) { return term.dim == 0; });
  }
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
