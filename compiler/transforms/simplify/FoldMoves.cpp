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
    auto lhs = op.getLhs().getDefiningOp<TransposeOp>();
    auto rhs = op.getRhs().getDefiningOp<TransposeOp>();
    if (!lhs && !rhs) return failure(); // an identity permutation has been folded away
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

void FoldMoves::runOnOperation() {
  mlir::RewritePatternSet patterns(&getContext());
  patterns.add<ReadThroughTranspose, MergeBroadcasts, BroadcastToReshape, TransposeToReshape,
               ReduceToReshape>(&getContext());
  if (failed(mlir::applyPatternsGreedily(getOperation(), std::move(patterns)))) signalPassFailure();
}

} // namespace
} // namespace dlm::simplify
