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

/// Elements from the origin of a tensor up to these indices. A map reaches such a box, for each of
/// its results is a dim or 0.
using Box = SmallVector<int64_t>;

static Box boxOf(AffineMap map, kernel::SpaceAttr space, int64_t extent) {
  Box box;
  for (AffineExpr result : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    box.push_back(dim ? space.getExtent(dim.getPosition(), extent) : 1);
  }
  return box;
}

/// Elements that lie in at least one box.
static int64_t unionSize(ArrayRef<Box> boxes) {
  if (boxes.empty()) return 0;
  int64_t size = 1;
  for (int64_t side : boxes.front())
    size *= side;
  SmallVector<Box> shared;
  for (const Box &other : boxes.drop_front()) {
    if (other == boxes.front()) return unionSize(boxes.drop_front());
    Box &common = shared.emplace_back();
    for (auto [a, b] : llvm::zip(boxes.front(), other))
      common.push_back(std::min(a, b));
  }
  return size + unionSize(boxes.drop_front()) - unionSize(shared);
}

LaunchBytes launchBytes(kernel::FuncOp function, int64_t extent) {
  auto bytesOf = [&](BlockArgument argument) {
    SmallVector<Box> boxes;
    for (Operation *user : argument.getUsers()) {
      AffineMap map = isa<kernel::LoadOp>(user) ? cast<kernel::LoadOp>(user).getMap()
                                                : cast<kernel::StoreOp>(user).getMap();
      boxes.push_back(boxOf(map, function.getSpace(), extent));
    }
    unsigned bits = cast<RankedTensorType>(argument.getType()).getElementTypeBitWidth();
    return uint64_t(unionSize(boxes)) * std::max(1u, bits / 8);
  };
  LaunchBytes bytes;
  for (BlockArgument argument : function.getInputArgs())
    bytes.read += bytesOf(argument);
  for (BlockArgument argument : function.getOutputArgs())
    bytes.written += bytesOf(argument);
  return bytes;
}

} // namespace dlm
