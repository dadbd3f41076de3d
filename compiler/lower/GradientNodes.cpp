// `grad`: gradients within a program. The point is a value of its own, so that only what the
// function makes of it counts. The gradient is built where it is asked for, in ops like all others:
// a loss that holds it is differentiated again, and nothing later knows of it.
#include "compiler/lower/GraphLowering.h"
#include "compiler/transforms/expand/Autodiff.h"
#include "dialects/dlm/Dlm.h"

namespace dlm::lower {

mlir::Value GraphLowering::differentiating(const sema::Node &node) {
  if (node.op == "variable") // an identity that equal points do not share
    return ReshapeOp::create(build, at(node), typeOf(node), operand(node, 0));
  if (node.op != "gradient_of") return {};
  auto gradients = expand::buildGradients(build, operand(node, 0), operand(node, 1));
  if (failed(gradients)) return {};
  if (mlir::Value gradient = gradients->front()) return gradient;
  return ConstantOp::create(build, at(node), typeOf(node), 0.0);
}

} // namespace dlm::lower
