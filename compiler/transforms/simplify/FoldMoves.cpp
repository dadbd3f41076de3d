// Identities of ops that move elements. Each keeps every bit: no element is computed otherwise
// than before, and a reduction over dims of size 1 is its operand because the identities are exact
// (-0.0 + x = x). What a single op can see alone is a folder of the dialect.
#include "compiler/transforms/simplify/Passes.h"

#include "dialects/dlm/Dlm.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace dlm::simplify {
#define GEN_PASS_DEF_FOLDMOVESPASS
#include "compiler/transforms/simplify/Passes.h.inc"
} // namespace dlm::simplify

namespace dlm::simplify {
namespace {

using mlir::DenseElementsAttr;
using mlir::failure;
using mlir::LogicalResult;
using mlir::OpRewritePattern;
using mlir::PatternRewriter;
using mlir::RankedTensorType;
using mlir::success;
using mlir::Value;

struct FoldMoves : impl::FoldMovesPassBase<FoldMoves> {
  void runOnOperation() override;
};

RankedTensorType tensorOf(Value value) { return mlir::cast<RankedTensorType>(value.getType()); }

/// matmul(transpose a, b) = matmul(a, b) transposeLhs, and likewise for b.
struct ReadThroughTranspose : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    auto transposeOf = [](Value value) {
      auto transpose = value.getDefiningOp<TransposeOp>();
      return transpose && transpose.swapsLastTwo() ? transpose : TransposeOp();
    };
    TransposeOp lhs = transposeOf(op.getLhs()), rhs = transposeOf(op.getRhs());
    if (!lhs && !rhs) return failure();
    Value a = lhs ? lhs.getX() : op.getLhs();
    Value b = rhs ? rhs.getX() : op.getRhs();
    rewriter.replaceOpWithNewOp<MatmulOp>(op, op.getType(), a, b, op.getTransposeLhs() != bool(lhs),
                                          op.getTransposeRhs() != bool(rhs), op.getChainAttr());
    return success();
  }
};

/// broadcast(broadcast x) = broadcast x.
struct MergeBroadcasts : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getX().getDefiningOp<BroadcastOp>();
    if (!inner) return failure();
    llvm::SmallVector<int64_t> dims;
    for (int64_t dim : inner.getDims())
      dims.push_back(op.getDims()[dim]);
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), inner.getX(), dims);
    return success();
  }
};

/// A broadcast that only adds dims of size 1 repeats nothing.
struct BroadcastToReshape : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op, PatternRewriter &rewriter) const override {
    if (tensorOf(op.getX()).getNumElements() != tensorOf(op.getResult()).getNumElements())
      return failure();
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getX());
    return success();
  }
};

/// A transpose that keeps the order of all dims but those of size 1 moves nothing.
struct TransposeToReshape : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    llvm::SmallVector<int64_t> moved;
    for (int64_t dim : op.getPermutation())
      if (tensorOf(op.getX()).getDimSize(dim) != 1) moved.push_back(dim);
    if (!llvm::is_sorted(moved)) return failure();
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getX());
    return success();
  }
};

/// A reduction over dims of size 1 combines nothing.
struct ReduceToReshape : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    if (tensorOf(op.getX()).getNumElements() != tensorOf(op.getResult()).getNumElements())
      return failure();
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getX());
    return success();
  }
};

/// The shape without its dims of size 1.
llvm::SmallVector<int64_t> withoutOnes(llvm::ArrayRef<int64_t> shape) {
  return llvm::to_vector(llvm::make_filter_range(shape, [](int64_t size) { return size != 1; }));
}

/// The reshape that made a value, if it only adds or drops dims of size 1.
ReshapeOp unitReshape(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  if (!reshape ||
      withoutOnes(tensorOf(reshape.getX()).getShape()) != withoutOnes(tensorOf(value).getShape()))
    return {};
  return reshape;
}

/// A broadcast of a tensor that a reshape has given dims of size 1 is one of the tensor itself.
struct BroadcastThroughUnitReshape : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op, PatternRewriter &rewriter) const override {
    ReshapeOp reshape = unitReshape(op.getX());
    if (!reshape) return failure();
    llvm::ArrayRef<int64_t> inner = tensorOf(reshape.getX()).getShape();
    llvm::SmallVector<int64_t> dims;
    for (auto [size, dim] : llvm::zip_equal(tensorOf(op.getX()).getShape(), op.getDims()))
      if (dims.size() < inner.size() && inner[dims.size()] == size) dims.push_back(dim);
    if (dims.size() != inner.size()) return failure(); // the reshape drops dims of size 1
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), reshape.getX(), dims);
    return success();
  }
};

/// An elementwise op on reshaped tensors is the reshaped result of the op on the tensors, here
/// only where dims of size 1 come and go: gradients of reductions with kept dims are full of it.
struct SinkUnitReshape : mlir::OpInterfaceRewritePattern<ScalarOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(ScalarOpInterface op, PatternRewriter &rewriter) const override;
};

DenseElementsAttr splatOf(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto dense = constant ? mlir::dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  return dense && dense.isSplat() ? dense : nullptr;
}

/// Whether the operand is a reshaped tensor of the shape of `like`, or a splat of any.
bool hasBelow(Value operand, RankedTensorType like) {
  if (ReshapeOp reshape = unitReshape(operand))
    return tensorOf(reshape.getX()).getShape() == like.getShape();
  return bool(splatOf(operand));
}

Value below(Value operand, RankedTensorType like, PatternRewriter &rewriter) {
  if (ReshapeOp reshape = unitReshape(operand)) return reshape.getX();
  RankedTensorType type = like.clone(tensorOf(operand).getElementType());
  return ConstantOp::create(rewriter, operand.getLoc(), splatOf(operand).resizeSplat(type));
}

LogicalResult SinkUnitReshape::matchAndRewrite(ScalarOpInterface op,
                                               PatternRewriter &rewriter) const {
  auto operands = op->getOperands();
  auto reshaped = llvm::find_if(operands, [](Value value) { return bool(unitReshape(value)); });
  if (reshaped == operands.end()) return failure();
  RankedTensorType like = tensorOf(unitReshape(*reshaped).getX());
  if (!llvm::all_of(operands, [&](Value value) { return hasBelow(value, like); })) return failure();
  llvm::SmallVector<Value> inner;
  for (Value operand : operands)
    inner.push_back(below(operand, like, rewriter));
  mlir::Type type = like.clone(tensorOf(op->getResult(0)).getElementType());
  mlir::OperationState state(op->getLoc(), op->getName(), inner, type, op->getAttrs());
  mlir::Operation *sunk = rewriter.create(state);
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op->getResult(0).getType(), sunk->getResult(0));
  return success();
}

void FoldMoves::runOnOperation() {
  mlir::RewritePatternSet patterns(&getContext());
  patterns.add<ReadThroughTranspose, MergeBroadcasts, BroadcastToReshape, TransposeToReshape,
               ReduceToReshape, BroadcastThroughUnitReshape, SinkUnitReshape>(&getContext());
  if (failed(mlir::applyPatternsGreedily(getOperation(), std::move(patterns)))) signalPassFailure();
}

} // namespace
} // namespace dlm::simplify
