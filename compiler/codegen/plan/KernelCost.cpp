// Counts the ops of a body. The weights were chosen by eye (an elementary function is about a dozen
// instructions, Philox about sixty); nothing but the sizes of chunks depends on them.
#include "compiler/codegen/plan/KernelCost.h"

#include "dialects/kernel/Access.h"
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
  case kernel::Schedule::Scatter: // an item looks at every index and adds its part of the values
    return space.getExtents()[2] *
           (1 + space.getExtents()[0] * space.getExtents()[3] / space.getItems(1));
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

namespace {

/// The elements between a low and a high index of each dim of a tensor: what a map reaches.
struct Side {
  int64_t low, high; // the latter is not in it
  bool operator==(const Side &other) const { return low == other.low && high == other.high; }
};
using Box = SmallVector<Side>;

} // namespace

/// An index given at run time reaches all of its dim, but no more elements than it is given for.
static Box boxOf(AffineMap map, RankedTensorType type, int64_t points, kernel::SpaceAttr space,
                 int64_t extent) {
  Box box;
  for (auto [dim, index] : llvm::enumerate(kernel::readIndices(map))) {
    int64_t size = type.isDynamicDim(dim) ? extent : type.getDimSize(dim);
    auto extentOf = [&](unsigned dim) { return space.getExtent(dim, extent); };
    if (index.kind == kernel::AccessIndex::Given)
      box.push_back({0, std::min(size, points)});
    else
      box.push_back({std::clamp<int64_t>(index.getLow(extentOf), 0, size),
                     std::clamp<int64_t>(index.getHigh(extentOf) + 1, 0, size)});
  }
  return box;
}

/// More boxes than these count as the smallest box around all of them: what they share among
/// themselves takes 2 to the number of boxes to find out.
static constexpr size_t CountedBoxMax = 8;

static Box boxAround(ArrayRef<Box> boxes) {
  Box around = boxes.front();
  for (const Box &box : boxes)
    for (auto [side, other] : llvm::zip(around, box))
      side = {std::min(side.low, other.low), std::max(side.high, other.high)};
  return around;
}

/// Elements that lie in at least one box.
static int64_t unionSize(ArrayRef<Box> boxes) {
  if (boxes.empty()) return 0;
  if (boxes.size() > CountedBoxMax) return unionSize(boxAround(boxes));
  int64_t size = 1;
  for (Side side : boxes.front())
    size *= std::max<int64_t>(side.high - side.low, 0);
  SmallVector<Box> shared;
  for (const Box &other : boxes.drop_front()) {
    if (other == boxes.front()) return unionSize(boxes.drop_front());
    Box &common = shared.emplace_back();
    for (auto [a, b] : llvm::zip(boxes.front(), other))
      common.push_back({std::max(a.low, b.low), std::min(a.high, b.high)});
  }
  return size + unionSize(boxes.drop_front()) - unionSize(shared);
}

/// Points that a load's given indices differ in.
static int64_t givenPoints(Operation *access, const kernel::Variation &variation,
                           kernel::SpaceAttr space, int64_t extent) {
  auto load = dyn_cast<kernel::LoadOp>(access);
  kernel::DimSet dims = 0;
  for (Value value : load ? ValueRange(load.getAt()) : ValueRange())
    dims |= variation.of(value);
  int64_t points = 1;
  for (unsigned dim = 0; dim < space.getRank(); ++dim)
    if (dims >> dim & 1) points *= space.getExtent(dim, extent);
  return points;
}

LaunchBytes launchBytes(kernel::FuncOp function, int64_t extent) {
  kernel::Variation variation(function);
  kernel::SpaceAttr space = function.getSpace();
  auto bytesOf = [&](BlockArgument argument) {
    auto type = cast<RankedTensorType>(argument.getType());
    SmallVector<Box> boxes;
    for (Operation *user : argument.getUsers()) {
      AffineMap map = isa<kernel::LoadOp>(user) ? cast<kernel::LoadOp>(user).getMap()
                                                : cast<kernel::StoreOp>(user).getMap();
      boxes.push_back(boxOf(map, type, givenPoints(user, variation, space, extent), space, extent));
    }
    unsigned bits = type.getElementTypeBitWidth();
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
