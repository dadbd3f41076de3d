// Counts the ops of a body. The weights were chosen by eye (an elementary function is about a dozen
// instructions, Philox about sixty); nothing but the sizes of chunks depends on them.
#include "compiler/codegen/plan/KernelCost.h"

#include "dialects/kernel/Variation.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Math/IR/Math.h>

using namespace mlir;

namespace dlm {

static constexpr double NsPerVectorOp = 0.03; // one op on one element of a vector
static constexpr double NsPerItem = 15;
/// Stands for an open reduced extent.
static constexpr int64_t OpenExtent = 64;

static double weightOf(Operation &op) {
  if (isa<kernel::RandomOp>(op)) return 60;
  if (isa<math::AbsFOp, math::FloorOp, math::CeilOp, math::RoundEvenOp, math::FmaOp>(op)) return 1;
  if (isa<arith::DivFOp, math::SqrtOp>(op)) return 6;
  if (isa<math::MathDialect>(op.getDialect())) return 14;
  return isa<arith::ConstantOp>(op) ? 0 : 1;
}

/// Points of one work item.
static int64_t itemPoints(kernel::SpaceAttr space) {
  auto open = [](int64_t extent) { return ShapedType::isDynamic(extent) ? OpenExtent : extent; };
  switch (space.getSchedule()) {
  case kernel::Schedule::Linear:
    return kernel::SpaceAttr::LinearBlock;
  case kernel::Schedule::Row:
    return open(space.getExtents().back());
  case kernel::Schedule::Column:
    return open(space.getExtents()[0]) *
           std::min<int64_t>(kernel::SpaceAttr::ColumnBlock, space.getExtents()[1]);
  }
  return 1;
}

void describeKernel(kernel::FuncOp function, plan::KernelT &kernel) {
  kernel::SpaceAttr space = function.getSpace();
  kernel::Variation variation(function);
  double inner = 0, outer = 0;
  for (Operation &op : function.getBlock()) {
    kernel::DimSet dims = op.getNumResults() ? variation.of(op.getResult(0)) : 0;
    bool isInner = dims >> space.getInnerDim() & 1 || dims >> space.getReducedDim() & 1;
    (isInner ? inner : outer) += weightOf(op);
  }
  int64_t points = itemPoints(space);
  kernel.symbol = function.getSymName().str();
  kernel.flops = uint64_t(inner * double(points) + outer);
  kernel.grain_cost = float(NsPerItem + NsPerVectorOp * inner * double(points) + outer);
  kernel.writes.assign(function.getInputArgs().size(), false);
  kernel.writes.insert(kernel.writes.end(), function.getOutputArgs().size(), true);
}

} // namespace dlm
