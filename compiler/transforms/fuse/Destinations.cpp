// One value, one place: see the header. Who writes into whose memory is decided by `place`; this
// only makes sure that a writer exists.
#include "compiler/transforms/fuse/Destinations.h"

#include "compiler/transforms/fuse/WrittenOut.h"
#include "dialects/dlm/Dlm.h"

#include <mlir/Dialect/Func/IR/FuncOps.h>

#include <llvm/ADT/DenseSet.h>

using namespace mlir;

namespace dlm::fuse {

static void dropIdentities(Block &block) {
  for (StopGradientOp op : llvm::to_vector(block.getOps<StopGradientOp>())) {
    op.getResult().replaceAllUsesWith(op.getX());
    op.erase();
  }
}

/// The operand of a transpose that turns the last two dims around, or null.
static Value transposed(Value value) {
  auto op = value.getDefiningOp<TransposeOp>();
  return op && op.swapsLastTwo() ? op.getX() : Value();
}

static void foldTransposes(Block &block) {
  for (MatmulOp op : block.getOps<MatmulOp>()) {
    while (Value source = transposed(op.getLhs())) {
      op.getLhsMutable().assign(source);
      op.setTransposeLhs(!op.getTransposeLhs());
    }
    while (Value source = transposed(op.getRhs())) {
      op.getRhsMutable().assign(source);
      op.setTransposeRhs(!op.getTransposeRhs());
    }
  }
}

/// Loads per element of a join that become text; more parts are put side by side in memory.
static constexpr unsigned JoinedLoadMax = 8;

/// `value` with dim `from` before all others, or a first dim moved to `to`.
static Value moveDim(OpBuilder &builder, Value value, int64_t from, int64_t to) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> order, shape;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (dim != from) order.push_back(dim);
  order.insert(order.begin() + to, from);
  for (int64_t dim : order)
    shape.push_back(type.getDimSize(dim));
  return TransposeOp::create(builder, value.getLoc(), type.clone(shape), value,
                             builder.getDenseI64ArrayAttr(order));
}

/// A join of many parts is a pack of them with the joined dim first.
static void packWideJoins(Block &block) {
  for (ConcatOp op : llvm::to_vector(block.getOps<ConcatOp>())) {
    if (op.getParts().size() <= JoinedLoadMax) continue;
    OpBuilder builder(op);
    int64_t dim = op.getDim(), offset = 0;
    SmallVector<Value> parts;
    SmallVector<int64_t> offsets;
    for (Value part : op.getParts()) {
      parts.push_back(moveDim(builder, part, dim, 0));
      offsets.push_back(offset);
      offset += cast<RankedTensorType>(part.getType()).getNumElements();
    }
    auto type = cast<RankedTensorType>(op.getType());
    SmallVector<int64_t> shape(type.getShape());
    std::rotate(shape.begin(), shape.begin() + dim, shape.begin() + dim + 1);
    Value flat = PackOp::create(builder, op.getLoc(), type.clone(ArrayRef<int64_t>{offset}), parts,
                                builder.getDenseI64ArrayAttr(offsets));
    Value joined = ReshapeOp::create(builder, op.getLoc(), flat, ArrayRef<int64_t>(shape));
    op.getResult().replaceAllUsesWith(moveDim(builder, joined, 0, dim));
  }
}

static void dropDead(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty()) op->erase();
}

/// Gives `op` its operand with the dims in another order.
static void permuteOperand(Operation *op, ArrayRef<int64_t> order) {
  OpBuilder builder(op);
  Value operand = op->getOperand(0);
  auto type = cast<RankedTensorType>(operand.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim : order)
    shape.push_back(type.getDimSize(dim));
  op->setOperand(0, TransposeOp::create(builder, op->getLoc(), type.clone(shape), operand,
                                        builder.getDenseI64ArrayAttr(order)));
}

/// The dims of `type` in order, those of `picked` first or last; nothing if they already stand
/// there but for dims of size 1.
static std::optional<SmallVector<int64_t>> gathered(RankedTensorType type, ArrayRef<int64_t> picked,
                                                    bool first) {
  SmallVector<int64_t> order, rest, solid;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(picked, dim)) rest.push_back(dim);
  llvm::append_range(order, first ? picked : ArrayRef<int64_t>(rest));
  llvm::append_range(order, first ? ArrayRef<int64_t>(rest) : picked);
  llvm::copy_if(order, std::back_inserter(solid),
                [&](int64_t dim) { return type.getDimSize(dim) != 1; });
  if (llvm::is_sorted(solid)) return std::nullopt;
  return order;
}

/// Rows reduce over trailing dims, columns over leading ones; anything else goes by a transpose.
static void orderReductions(Block &block) {
  for (Operation &each : block) {
    Operation *op = &each;
    if (!isa<ReduceOp, ArgmaxOp>(op) || isWrittenOut(op)) continue;
    auto type = cast<RankedTensorType>(op->getOperand(0).getType());
    auto reduce = dyn_cast<ReduceOp>(op);
    SmallVector<int64_t> dims;
    if (reduce)
      llvm::append_range(dims, reduce.getDims());
    else
      dims.push_back(cast<ArgmaxOp>(op).getDim());
    bool isInner = !reduce || llvm::is_contained(dims, type.getRank() - 1);
    std::optional<SmallVector<int64_t>> order = gathered(type, dims, !isInner);
    if (!order) continue;
    permuteOperand(op, *order);
    int64_t base = isInner ? type.getRank() - int64_t(dims.size()) : 0;
    for (int64_t i = 0; i < int64_t(dims.size()); ++i)
      dims[i] = base + i;
    if (reduce)
      reduce.setDims(dims);
    else
      cast<ArgmaxOp>(op).setDim(dims[0]);
  }
}

/// Puts an identity before `use`.
static void copyOperand(OpOperand &use) {
  OpBuilder builder(use.getOwner());
  Value value = use.get();
  use.set(StopGradientOp::create(builder, value.getLoc(), value.getType(), value));
}

/// Whether an argument of the block is the memory that operand `number` of its end goes to: a state
/// that stays as it is, or a named buffer.
static bool isKept(BlockArgument argument, unsigned number) {
  Block *block = argument.getOwner();
  if (auto loop = dyn_cast<ScanOp>(block->getParentOp()))
    return number < loop.getInits().size() && argument.getArgNumber() == number + 1;
  auto function = cast<func::FuncOp>(block->getParentOp());
  auto nameOf = [](Attribute name) { return dyn_cast_if_present<StringAttr>(name); };
  StringAttr to = nameOf(function.getResultAttr(number, "dlm.buffer"));
  return to && to == nameOf(function.getArgAttr(argument.getArgNumber(), "dlm.buffer"));
}

void prepareDestinations(Block &block) {
  dropIdentities(block);
  foldTransposes(block);
  orderReductions(block);
  packWideJoins(block);
  splitLargeWindows(block);
  dropDead(block);
  llvm::DenseSet<Value> taken;
  auto claim = [&](OpOperand &use, bool mustBeAlone = false) {
    Value source = use.get();
    bool isAlone = source.hasOneUse();
    while (isa_and_nonnull<ReshapeOp, FenceOp>(source.getDefiningOp())) {
      source = source.getDefiningOp()->getOperand(0);
      isAlone &= source.hasOneUse();
    }
    // Constants and indices stay free to be written into every kernel that uses them.
    bool isWritten = !isa_and_nonnull<SegmentOp, ConstantOp, IotaOp>(source.getDefiningOp()) &&
                     source.getDefiningOp();
    if (!isWritten || (mustBeAlone && !isAlone) || !taken.insert(source).second) copyOperand(use);
  };
  for (OpOperand &use : block.getTerminator()->getOpOperands()) {
    auto argument = dyn_cast<BlockArgument>(use.get());
    if (!argument || !isKept(argument, use.getOperandNumber())) claim(use);
  }
  for (PackOp pack : block.getOps<PackOp>())
    for (OpOperand &use : pack->getOpOperands())
      claim(use);
  // A loop overwrites what its states begin with, so nobody else may read that.
  for (ScanOp loop : block.getOps<ScanOp>())
    for (OpOperand &use : loop.getInitsMutable())
      claim(use, /*mustBeAlone=*/true);
}

} // namespace dlm::fuse
