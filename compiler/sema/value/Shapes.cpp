// Stretching is decided from the last dimension backwards, since missing dimensions lead.
#include "compiler/sema/value/Shapes.h"

#include <algorithm>

namespace dlm::sema {

bool sameSize(const Dim &a, const Dim &b) { return a.extent == b.extent; }

bool sameShape(const std::vector<Dim> &a, const std::vector<Dim> &b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), sameSize);
}

std::optional<Extent> elementCount(const std::vector<Dim> &dims) {
  std::optional<Extent> count = Extent::whole(1);
  for (const Dim &dim : dims)
    if (count) count = Extent::multiply(*count, dim.extent);
  return count;
}

bool hasBatchAxis(const std::vector<Dim> &dims) {
  return std::any_of(dims.begin(), dims.end(),
                     [](const Dim &dim) { return dim.extent.countsSamples(); });
}

Dim flatDim() { return {Extent::symbol(flatSymbol), "flat", false}; }
bool isFlatDim(const Dim &dim) { return dim.extent.isSymbol(flatSymbol); }

namespace {

/// The common dimension of two that stand at the same place from the right.
std::optional<Dim> stretchDim(const Dim &lhs, const Dim &rhs, bool mayLhs, bool mayRhs) {
  if (sameSize(lhs, rhs)) {
    Dim result = lhs.name.empty() ? rhs : lhs;
    result.isWrittenOne = lhs.isWrittenOne && rhs.isWrittenOne;
    return result;
  }
  if (mayLhs && lhs.isWrittenOne) return rhs;
  if (mayRhs && rhs.isWrittenOne) return lhs;
  return std::nullopt;
}

} // namespace

Stretch stretchShapes(const std::vector<Dim> &lhs, const std::vector<Dim> &rhs) {
  Stretch result;
  size_t rank = std::max(lhs.size(), rhs.size());
  bool mayLhs = lhs.size() <= rhs.size(), mayRhs = rhs.size() <= lhs.size();
  result.dims.resize(rank);
  for (size_t i = 1; i <= rank; ++i) {
    if (i > lhs.size() || i > rhs.size()) {
      result.dims[rank - i] = i > lhs.size() ? rhs[rhs.size() - i] : lhs[lhs.size() - i];
      continue;
    }
    const Dim &left = lhs[lhs.size() - i], &right = rhs[rhs.size() - i];
    std::optional<Dim> dim = stretchDim(left, right, mayLhs, mayRhs);
    if (!dim) {
      result.lhsAxis = int(lhs.size() - i);
      result.rhsAxis = int(rhs.size() - i);
      result.wouldStretchBoth = (left.isWrittenOne && !mayLhs) || (right.isWrittenOne && !mayRhs);
      return result;
    }
    result.dims[rank - i] = *dim;
  }
  result.fits = true;
  return result;
}

namespace {

/// The dimensions of `lower` with a `new` wherever `mask` has a bit.
std::vector<Dim> indexed(const std::vector<Dim> &lower, unsigned mask, size_t rank) {
  std::vector<Dim> result;
  size_t next = 0;
  for (size_t axis = 0; axis < rank; ++axis)
    result.push_back(mask >> axis & 1 ? Dim::one() : lower[next++]);
  return result;
}

std::string indexText(unsigned mask, size_t rank) {
  std::string result;
  for (size_t axis = 0; axis < rank; ++axis)
    result += (axis ? ", " : "[") + std::string(mask >> axis & 1 ? "new" : ":");
  return result + "]";
}

} // namespace

std::string fittingIndex(const std::vector<Dim> &lower, const std::vector<Dim> &higher) {
  constexpr size_t rankMax = 8;
  size_t rank = higher.size(), added = rank - lower.size();
  if (lower.size() >= rank || rank > rankMax) return "";
  std::string best;
  int bestCount = -1;
  bool isBestInFront = false;
  for (unsigned mask = 0; mask < 1u << rank; ++mask) {
    if (size_t(__builtin_popcount(mask)) != added) continue;
    std::vector<Dim> dims = indexed(lower, mask, rank);
    if (!stretchShapes(dims, higher).fits) continue;
    int count = 0;
    for (size_t axis = 0; axis < rank; ++axis)
      count += sameSize(dims[axis], higher[axis]);
    // Of several alike it is the one that adds axes in front, which is what most people expect.
    bool isInFront = mask == (1u << added) - 1;
    if (count == bestCount && !isBestInFront) best.clear();
    if (count > bestCount) best = indexText(mask, rank);
    if (count > bestCount) isBestInFront = isInFront;
    bestCount = std::max(count, bestCount);
  }
  return best;
}

int findAxis(const std::vector<Dim> &dims, const std::string &name) {
  int found = -1;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i].name != name) continue;
    if (found >= 0) return -1;
    found = int(i);
  }
  return found;
}

} // namespace dlm::sema
