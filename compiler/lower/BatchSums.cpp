// Reductions over samples. While training, that of a micro-batch is added up by what comes after;
// an evaluation has to leave samples out at the end, so there the samples are the first axis.
#include "compiler/lower/Contraction.h"
#include "compiler/lower/GraphLowering.h"
#include "dialects/dlm/Dlm.h"
#include "dialects/train/Train.h"

namespace dlm::lower {

using mlir::RankedTensorType;
using mlir::Value;

namespace {

/// The axis of an operand that the samples are on.
int64_t sampleAxis(const sema::Node &node) {
  for (size_t axis = 0; axis < node.type.dims.size(); ++axis)
    if (node.type.dims[axis].extent.countsSamples()) return int64_t(axis);
  return 0;
}

/// A tensor and the dims that are reduced.
struct Reduced {
  Value value;
  llvm::SmallVector<int64_t> dims;
};

/// The same sum, with the samples as the first axis; an axis that holds several elements of each
/// becomes two.
Reduced samplesFirst(mlir::OpBuilder &build, mlir::Location loc, Reduced sum, int64_t axis,
                     int64_t rows) {
  auto type = mlir::cast<RankedTensorType>(sum.value.getType());
  int64_t each = type.getDimSize(axis) / rows;
  if (axis == 0 && each == 1) return sum;
  llvm::SmallVector<int64_t> order = {axis}, dims = {0}, shape = {rows};
  if (each > 1) {
    dims.push_back(1);
    shape.push_back(each);
  }
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (dim == axis) continue;
    if (llvm::is_contained(sum.dims, dim)) dims.push_back(int64_t(shape.size()));
    order.push_back(dim);
    shape.push_back(type.getDimSize(dim));
  }
  Value x = axis == 0 ? sum.value : Value(TransposeOp::create(build, loc, sum.value, order));
  return {ReshapeOp::create(build, loc, type.clone(shape), x), dims};
}

} // namespace

/// A reduction or product over the samples of the whole batch or evaluation.
Value GraphLowering::overSamples(const sema::Node &node) {
  bool isProduct = node.op == "batch_contract";
  if (!isProduct && node.op != "batch_reduce") return {};
  mlir::Location loc = at(node);
  bool isLeftOut = part == GraphPart::Evaluation; // some of the samples
  auto first = [&](Reduced sum, int64_t axis) {
    return isLeftOut ? samplesFirst(build, loc, std::move(sum), axis, sizes.rows) : sum;
  };
  auto axisOf = [&](size_t index) { return sampleAxis(graph->nodes[node.operands[index]]); };
  if (isProduct) {
    if (!isLeftOut) return contract(build, loc, node.text, operand(node, 0), operand(node, 1));
    std::string text = node.text;
    text.insert(text.find("->") + 2, 1, text[size_t(axisOf(0))]);
    Value products = contract(build, loc, text, operand(node, 0), operand(node, 1));
    if (!products) return {};
    Reduced sum = first({products, {0}}, 0);
    return train::BatchReduceOp::create(build, loc, typeOf(node), ReduceKind::Add, sum.value,
                                        sum.dims);
  }
  llvm::SmallVector<int64_t> dims(node.ints.begin(), node.ints.end());
  Reduced sum = first({operand(node, 0), dims}, axisOf(0));
  if (node.text == "squares") {
    Value mask =
        node.operands.size() > 1 ? first({operand(node, 1), dims}, axisOf(1)).value : Value();
    return train::BatchSquaresOp::create(build, loc, typeOf(node), sum.value, mask, sum.dims);
  }
  auto kind = symbolizeReduceKind(node.text);
  if (!kind) return {};
  return train::BatchReduceOp::create(build, loc, typeOf(node), *kind, sum.value, sum.dims);
}

} // namespace dlm::lower
