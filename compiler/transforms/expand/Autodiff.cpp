// The gradient of a sum: a reverse walk that starts with ones.
#include "compiler/transforms/expand/Autodiff.h"

#include "compiler/transforms/expand/ReverseWalk.h"
#include "dialects/dlm/Dlm.h"

namespace dlm::expand {

mlir::FailureOr<llvm::SmallVector<mlir::Value>>
buildGradients(mlir::OpBuilder &builder, mlir::ValueRange outputs, mlir::ValueRange inputs) {
  ReverseWalk walk(builder, inputs);
  for (mlir::Value output : outputs) {
    auto type = mlir::cast<mlir::RankedTensorType>(output.getType());
    walk.add(output, ConstantOp::create(builder, output.getLoc(), type, 1.0));
  }
  if (failed(walk.run())) return mlir::failure();
  llvm::SmallVector<mlir::Value> result;
  for (mlir::Value input : inputs)
    result.push_back(walk.gradientOf(input));
  return result;
}

} // namespace dlm::expand
