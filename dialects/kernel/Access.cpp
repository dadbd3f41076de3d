// Reads the few forms of affine expressions that an index may have.
#include "dialects/kernel/Access.h"

#include "mlir/IR/AffineMap.h"

using namespace mlir;

namespace kernel {

int64_t AccessIndex::getLow(int64_t extent) const {
  return offset + (factor < 0 ? factor * (extent - 1) : 0);
}

int64_t AccessIndex::getHigh(int64_t extent) const {
  return offset + (factor > 0 ? factor * (extent - 1) : 0);
}

/// `d` or `-d`.
static std::optional<AccessIndex> readDim(AffineExpr expr) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return AccessIndex{AccessIndex::Dim, dim.getPosition(), 1, 0};
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!product || product.getKind() != AffineExprKind::Mul) return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(product.getLHS());
  auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
  if (!dim || !factor || factor.getValue() != -1) return std::nullopt;
  return AccessIndex{AccessIndex::Dim, dim.getPosition(), -1, 0};
}

std::optional<AccessIndex> readIndex(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return AccessIndex{AccessIndex::Constant, 0, 0, constant.getValue()};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return AccessIndex{AccessIndex::Given, symbol.getPosition(), 0, 0};
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add) return readDim(expr);
  auto offset = dyn_cast<AffineConstantExpr>(sum.getRHS());
  std::optional<AccessIndex> index = readDim(sum.getLHS());
  if (!offset || !index) return std::nullopt;
  index->offset = offset.getValue();
  return index;
}

SmallVector<AccessIndex, 4> readIndices(AffineMap map) {
  SmallVector<AccessIndex, 4> indices;
  for (AffineExpr expr : map.getResults())
    indices.push_back(*readIndex(expr));
  return indices;
}

bool mayLeave(const AccessIndex &index, SpaceAttr space, int64_t size) {
  if (index.kind == AccessIndex::Given) return true;
  int64_t extent = 1;
  if (index.kind == AccessIndex::Dim) extent = space.getExtents()[index.position];
  if (ShapedType::isDynamic(size) && index.kind == AccessIndex::Constant) return index.offset != 0;
  if (ShapedType::isDynamic(extent) || ShapedType::isDynamic(size))
    return !(ShapedType::isDynamic(extent) && ShapedType::isDynamic(size) && index.isPlainDim());
  return index.getLow(extent) < 0 || index.getHigh(extent) >= size;
}

} // namespace kernel
