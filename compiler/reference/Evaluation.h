// How the parts of the interpreter hand values around. One function a family of ops; each gets the
// op and the values of its operands and returns the values of its results.
#pragma once

#include "compiler/reference/Interpreter.h"
#include "compiler/reference/ScalarProgram.h"
#include "dialects/dlm/Dlm.h"

namespace dlm::reference {

using Operands = llvm::ArrayRef<const Tensor *>;

/// The element type in memory for an element type of the IR: f32 is F64 in mode F64; i8 and ui8 are
/// U8. Asserts on types that no dialect of ours has.
DType dtypeOf(mlir::Type elementType, Mode mode);

/// An uninitialised-by-meaning (zero) tensor for a value of type `type`.
Tensor tensorFor(mlir::Type type, Mode mode);

std::vector<int64_t> shapeOf(mlir::Type type);

// Ops that move elements (EvaluateMove.cpp).
Tensor evaluateBroadcast(BroadcastOp op, Operands operands);
Tensor evaluateReshape(const Tensor &source, mlir::Type resultType);
Tensor evaluateTranspose(TransposeOp op, Operands operands);
Tensor evaluateSegment(SegmentOp op, Operands operands);
Tensor evaluatePack(PackOp op, Operands operands, Mode mode);

// Ops that take parts, join, or choose by index (EvaluateChoice.cpp).
Tensor evaluateSlice(SliceOp op, Operands operands);
Tensor evaluatePad(PadOp op, Operands operands, Mode mode);
Tensor evaluateFlip(FlipOp op, Operands operands);
Tensor evaluateConcat(ConcatOp op, Operands operands, Mode mode);
Tensor evaluateGather(GatherOp op, Operands operands, Mode mode);
Tensor evaluateScatterAdd(ScatterAddOp op, Operands operands, Mode mode);

// Windows (EvaluateWindow.cpp).
Tensor evaluateWindows(WindowsOp op, Operands operands, Mode mode);
Tensor evaluateOverlapAdd(OverlapAddOp op, Operands operands, Mode mode);

/// `sums` [g, n, j] becomes for each n the chain from -0.0 over p of the rows of `values` [g, p, j]
/// whose id in `ids` [g, p] is n.
void addByIds(const Tensor &values, const Tensor &ids, Tensor &sums);

/// The order of a reduction: #dlm.tree. lanes = 0 stands for one plain chain.
struct Tree {
  int64_t lanes = 0;
  int64_t chunk = 0;
};

/// Combines runs of `length` neighbours in `source`; `result` has one element a run.
void reduceRows(ReduceKind kind, const Tensor &source, int64_t length, Tree tree, Tensor &result);

/// The argmax scan over runs of `length` neighbours; `result` is i32.
void argmaxRows(const Tensor &source, int64_t length, Tensor &result);

/// `source` with the dims in `dims` moved behind the others, order kept: groups become runs.
Tensor groupsLast(const Tensor &source, llvm::ArrayRef<int64_t> dims);

Tensor evaluateReduce(ReduceOp op, Operands operands, Mode mode);
Tensor evaluateArgmax(ArgmaxOp op, Operands operands, Mode mode);

/// The matrix product of EvaluateMatmul.cpp; `splits` as in #dlm.chain.
struct Product {
  bool transposeLhs = false;
  bool transposeRhs = false;
  int64_t splits = 1;
};
Tensor multiply(const Tensor &lhs, const Tensor &rhs, Product product, mlir::Type resultType,
                Mode mode);

/// Random values for the linear indices in `indices` (i64), one each.
struct RandomStream {
  RandomKind kind;
  int64_t seed;
  int64_t attempt;
  int64_t site;
};
Expected<Tensor> randomValues(mlir::MLIRContext *context, RandomStream stream,
                              const Tensor &indices, Mode mode);

Tensor evaluateConstant(ConstantOp op, Mode mode);
Tensor evaluateIota(IotaOp op, Mode mode);
Expected<Tensor> evaluateRandom(RandomOp op, Operands operands, Mode mode);

/// An elementwise op through its scalar text; shapes of operands and result are equal.
Expected<Tensor> evaluateElementwise(mlir::Operation *op, Operands operands, Mode mode);

/// The ops of a block, one after the other; returns what its terminator takes.
Expected<std::vector<Tensor>> evaluateBlock(mlir::Block &block, std::vector<Tensor> arguments,
                                            Mode mode);

/// Trip after trip (EvaluateLoop.cpp).
Expected<std::vector<Tensor>> evaluateScan(ScanOp op, Operands operands, Mode mode);

/// A `kernel.launch`: the kernel's body over all points of its space.
Expected<std::vector<Tensor>> evaluateLaunch(mlir::Operation *launch, Operands operands, Mode mode);

} // namespace dlm::reference
