// Reads the few forms of affine expressions that an index may have.
#include "dialects/kernel/Access.h"

#include "mlir/IR/AffineMap.h"

using namespace mlir;

namespace kernel {

int64_t AccessIndex::getLow(ExtentOf extent) const {
  int64_t low = offset;
  for (Term term : terms)
    low += std::min<int64_t>(0, term.factor * (extent(term.dim) - 1));
  return low;
}

int64_t AccessIndex::getHigh(ExtentOf extent) const {
  int64_t high = offset;
  for (Term term : terms)
    high += std::max<int64_t>(0, term.factor * (extent(term.dim) - 1));
  return high;
}

/// Adds factor * expr to the index. False if it is no sum of multiples of dims.
static bool addTo(AccessIndex &index, AffineExpr expr, int64_t factor) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    index.offset += factor * constant.getValue();
    return true;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    auto isSame = [&](AccessIndex::Term term) { return term.dim == dim.getPosition(); };
    auto *known = llvm::find_if(index.terms, isSame);
    if (known == index.terms.end())
      index.terms.push_back({dim.getPosition(), factor});
    else
      known->factor += factor;
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary) return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addTo(index, binary.getLHS(), factor) && addTo(index, binary.getRHS(), factor);
  auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return binary.getKind() == AffineExprKind::Mul && scale &&
         addTo(index, binary.getLHS(), factor * scale.getValue());
}

std::optional<AccessIndex> readIndex(AffineExpr expr) {
  AccessIndex index;
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    index.kind = AccessIndex::Given;
    index.given = symbol.getPosition();
    return index;
  }
  if (!addTo(index, expr, 1)) return std::nullopt;
  llvm::erase_if(index.terms, [](AccessIndex::Term term) { return term.factor == 0; });
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
  ArrayRef<int64_t> extents = space.getExtents();
  bool isOpen = llvm::any_of(index.terms, [&](AccessIndex::Term term) {
    return ShapedType::isDynamic(extents[term.dim]);
  });
  if (ShapedType::isDynamic(size) || isOpen)
    return !(ShapedType::isDynamic(size) && (index.isZero() || (isOpen && index.isPlainDim())));
  auto extentOf = [&](unsigned dim) { return extents[dim]; };
  return index.getLow(extentOf) < 0 || index.getHigh(extentOf) >= size;
}

} // namespace kernel
