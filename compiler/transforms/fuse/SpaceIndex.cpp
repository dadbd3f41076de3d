// Lining up a shape with an index: both are cut into the shortest runs whose element counts agree.
#include "compiler/transforms/fuse/SpaceIndex.h"

#include <algorithm>

using llvm::ArrayRef;
using llvm::SmallVector;

namespace dlm::fuse {

namespace {

/// Neighbouring dims of a shape, and of an index, that hold as many elements.
struct Run {
  SmallVector<unsigned, 4> shapeDims;
  Index indexDims;
};

} // namespace

/// The runs of `shape` at `index`, without dims of extent 1; nothing if the counts differ.
static std::optional<SmallVector<Run>> lineUp(ArrayRef<int64_t> shape, ArrayRef<unsigned> index,
                                              ArrayRef<int64_t> extents) {
  SmallVector<unsigned> shapeDims;
  for (unsigned i = 0; i < shape.size(); ++i)
    if (shape[i] != 1) shapeDims.push_back(i);
  Index indexDims = withoutUnits(index, extents);
  SmallVector<Run> runs;
  unsigned i = 0, j = 0;
  while (i < shapeDims.size() && j < indexDims.size()) {
    Run run;
    int64_t left = shape[shapeDims[i]], right = extents[indexDims[j]];
    run.shapeDims.push_back(shapeDims[i++]);
    run.indexDims.push_back(indexDims[j++]);
    while (left != right) {
      if (left < right && i < shapeDims.size()) {
        left *= shape[shapeDims[i]];
        run.shapeDims.push_back(shapeDims[i++]);
      } else if (left > right && j < indexDims.size()) {
        right *= extents[indexDims[j]];
        run.indexDims.push_back(indexDims[j++]);
      } else {
        return std::nullopt;
      }
    }
    runs.push_back(std::move(run));
  }
  if (i != shapeDims.size() || j != indexDims.size()) return std::nullopt;
  return runs;
}

/// Asks for a border in `run` before its shape dim number `at`.
static IndexResult cutBefore(const Run &run, unsigned at, ArrayRef<int64_t> shape) {
  if (run.indexDims.size() != 1) return {};
  int64_t outer = 1;
  for (unsigned i = 0; i < at; ++i)
    outer *= shape[run.shapeDims[i]];
  return {std::nullopt, Cut{run.indexDims[0], outer}};
}

Index withoutUnits(ArrayRef<unsigned> index, ArrayRef<int64_t> extents) {
  Index result;
  for (unsigned dim : index)
    if (extents[dim] != 1) result.push_back(dim);
  return result;
}

IndexResult broadcastIndex(ArrayRef<int64_t> operandShape, ArrayRef<int64_t> dims,
                           ArrayRef<int64_t> shape, ArrayRef<unsigned> index,
                           ArrayRef<int64_t> extents) {
  SmallVector<bool> present(shape.size(), false);
  for (unsigned k = 0; k < dims.size(); ++k)
    present[dims[k]] = operandShape[k] != 1;
  std::optional<SmallVector<Run>> runs = lineUp(shape, index, extents);
  if (!runs) return {};
  Index result;
  for (const Run &run : *runs) {
    bool first = present[run.shapeDims[0]];
    for (unsigned i = 1; i < run.shapeDims.size(); ++i)
      if (present[run.shapeDims[i]] != first) return cutBefore(run, i, shape);
    if (first) result.append(run.indexDims.begin(), run.indexDims.end());
  }
  return {result, std::nullopt};
}

IndexResult transposeIndex(ArrayRef<int64_t> permutation, ArrayRef<int64_t> shape,
                           ArrayRef<unsigned> index, ArrayRef<int64_t> extents) {
  std::optional<SmallVector<Run>> runs = lineUp(shape, index, extents);
  if (!runs) return {};
  // rank[i]: the place of result dim i among the operand's dims of more than one element.
  SmallVector<unsigned> order, rank(shape.size(), 0);
  for (unsigned i = 0; i < shape.size(); ++i)
    if (shape[i] != 1) order.push_back(i);
  llvm::sort(order, [&](unsigned a, unsigned b) { return permutation[a] < permutation[b]; });
  for (unsigned place = 0; place < order.size(); ++place)
    rank[order[place]] = place;
  for (const Run &run : *runs)
    for (unsigned i = 1; i < run.shapeDims.size(); ++i)
      if (rank[run.shapeDims[i]] != rank[run.shapeDims[i - 1]] + 1) return cutBefore(run, i, shape);
  llvm::sort(*runs, [&](const Run &a, const Run &b) {
    return rank[a.shapeDims[0]] < rank[b.shapeDims[0]];
  });
  Index result;
  for (const Run &run : *runs)
    result.append(run.indexDims.begin(), run.indexDims.end());
  return {result, std::nullopt};
}

IndexResult dimIndex(unsigned dim, ArrayRef<int64_t> shape, ArrayRef<unsigned> index,
                     ArrayRef<int64_t> extents) {
  if (shape[dim] == 1) return {Index(), std::nullopt};
  std::optional<SmallVector<Run>> runs = lineUp(shape, index, extents);
  if (!runs) return {};
  for (const Run &run : *runs) {
    const unsigned *found = llvm::find(run.shapeDims, dim);
    if (found == run.shapeDims.end()) continue;
    if (run.shapeDims.size() == 1) return {run.indexDims, std::nullopt};
    unsigned at = found - run.shapeDims.begin();
    return cutBefore(run, at == 0 ? 1 : at, shape);
  }
  return {};
}

} // namespace dlm::fuse
