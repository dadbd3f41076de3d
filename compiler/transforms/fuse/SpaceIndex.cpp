// Lining up a shape with an index: both are cut into the shortest runs whose element counts agree.
#include "compiler/transforms/fuse/SpaceIndex.h"

#include <algorithm>

using llvm::ArrayRef;
using llvm::SmallVector;

namespace dlm::fuse {

namespace {

/// Neighbouring dims of a shape, and axes of an index, that hold as many elements.
struct Run {
  SmallVector<unsigned, 4> shapeDims;
  Index axes;
};

} // namespace

int64_t Axis::getLow(ArrayRef<int64_t> extents) const {
  int64_t low = begin;
  for (Term term : terms)
    low += std::min<int64_t>(0, term.factor * (extents[term.dim] - 1));
  return low;
}

int64_t Axis::getHigh(ArrayRef<int64_t> extents) const {
  int64_t high = begin;
  for (Term term : terms)
    high += std::max<int64_t>(0, term.factor * (extents[term.dim] - 1));
  return high;
}

bool Axis::mayLeave(ArrayRef<int64_t> extents) const {
  return given || getLow(extents) < 0 || getHigh(extents) >= size;
}

void Axis::add(const Axis &other, int64_t factor) {
  begin += factor * other.begin;
  for (Term term : other.terms) {
    auto *known = llvm::find_if(terms, [&](const Term &own) { return own.dim == term.dim; });
    if (known == terms.end())
      terms.push_back({term.dim, factor * term.factor});
    else
      known->factor += factor * term.factor;
  }
  llvm::erase_if(terms, [](const Term &term) { return term.factor == 0; });
  llvm::sort(terms, [](const Term &a, const Term &b) { return a.dim < b.dim; });
}

/// The runs of `shape` at `index`, without what holds one element; nothing if the counts differ.
static std::optional<SmallVector<Run>> lineUp(ArrayRef<int64_t> shape, ArrayRef<Axis> index) {
  SmallVector<unsigned> shapeDims;
  for (unsigned i = 0; i < shape.size(); ++i)
    if (shape[i] != 1) shapeDims.push_back(i);
  Index axes = withoutUnits(index);
  SmallVector<Run> runs;
  unsigned i = 0, j = 0;
  while (i < shapeDims.size() && j < axes.size()) {
    Run run;
    int64_t left = shape[shapeDims[i]], right = axes[j].size;
    run.shapeDims.push_back(shapeDims[i++]);
    run.axes.push_back(axes[j++]);
    while (left != right) {
      if (left < right && i < shapeDims.size()) {
        left *= shape[shapeDims[i]];
        run.shapeDims.push_back(shapeDims[i++]);
      } else if (left > right && j < axes.size()) {
        right *= axes[j].size;
        run.axes.push_back(axes[j++]);
      } else {
        return std::nullopt;
      }
    }
    runs.push_back(std::move(run));
  }
  if (i != shapeDims.size() || j != axes.size()) return std::nullopt;
  return runs;
}

/// Asks for a border in `run` before its shape dim number `at`.
static IndexResult cutBefore(const Run &run, unsigned at, ArrayRef<int64_t> shape,
                             ArrayRef<int64_t> extents) {
  if (run.axes.size() != 1 || !run.axes[0].isWhole(extents)) return {};
  int64_t outer = 1;
  for (unsigned i = 0; i < at; ++i)
    outer *= shape[run.shapeDims[i]];
  return {std::nullopt, Cut{run.axes[0].terms[0].dim, outer}};
}

Index withoutUnits(ArrayRef<Axis> index) {
  Index result;
  for (const Axis &axis : index)
    if (axis.size != 1) result.push_back(axis);
  return result;
}

IndexResult broadcastIndex(ArrayRef<int64_t> operandShape, ArrayRef<int64_t> dims,
                           ArrayRef<int64_t> shape, ArrayRef<Axis> index,
                           ArrayRef<int64_t> extents) {
  SmallVector<bool> present(shape.size(), false);
  for (unsigned k = 0; k < dims.size(); ++k)
    present[dims[k]] = operandShape[k] != 1;
  std::optional<SmallVector<Run>> runs = lineUp(shape, index);
  if (!runs) return {};
  Index result;
  for (const Run &run : *runs) {
    bool first = present[run.shapeDims[0]];
    for (unsigned i = 1; i < run.shapeDims.size(); ++i)
      if (present[run.shapeDims[i]] != first) return cutBefore(run, i, shape, extents);
    if (first) llvm::append_range(result, run.axes);
  }
  return {result, std::nullopt};
}

IndexResult transposeIndex(ArrayRef<int64_t> permutation, ArrayRef<int64_t> shape,
                           ArrayRef<Axis> index, ArrayRef<int64_t> extents) {
  std::optional<SmallVector<Run>> runs = lineUp(shape, index);
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
      if (rank[run.shapeDims[i]] != rank[run.shapeDims[i - 1]] + 1)
        return cutBefore(run, i, shape, extents);
  llvm::sort(*runs, [&](const Run &a, const Run &b) {
    return rank[a.shapeDims[0]] < rank[b.shapeDims[0]];
  });
  Index result;
  for (const Run &run : *runs)
    llvm::append_range(result, run.axes);
  return {result, std::nullopt};
}

IndexResult dimIndex(unsigned dim, ArrayRef<int64_t> shape, ArrayRef<Axis> index,
                     ArrayRef<int64_t> extents) {
  if (shape[dim] == 1) return {Index(), std::nullopt};
  std::optional<SmallVector<Run>> runs = lineUp(shape, index);
  if (!runs) return {};
  for (const Run &run : *runs) {
    const unsigned *found = llvm::find(run.shapeDims, dim);
    if (found == run.shapeDims.end()) continue;
    if (run.shapeDims.size() == 1) return {run.axes, std::nullopt};
    unsigned at = found - run.shapeDims.begin();
    return cutBefore(run, at == 0 ? 1 : at, shape, extents);
  }
  return {};
}

PiecesResult splitIndex(ArrayRef<int64_t> shape, ArrayRef<bool> borders, ArrayRef<Axis> index,
                        ArrayRef<int64_t> extents) {
  std::optional<SmallVector<Run>> runs = lineUp(shape, index);
  if (!runs) return {};
  SmallVector<Piece> pieces;
  for (const Run &run : *runs) {
    for (unsigned i = 1; i < run.shapeDims.size(); ++i)
      for (unsigned dim = run.shapeDims[i - 1] + 1; dim <= run.shapeDims[i]; ++dim)
        if (borders[dim]) return {std::nullopt, cutBefore(run, i, shape, extents).cut};
    pieces.push_back({run.shapeDims[0], run.axes});
  }
  return {pieces, std::nullopt};
}

// Places of several axes are digits. Moving them all by a multiple of what stands behind the first
// moves the first alone.
std::optional<Index> shiftAxes(ArrayRef<Axis> axes, int64_t size, int64_t begin, int64_t newSize) {
  if (axes.empty()) {
    Index unit; // one element
    if (newSize != 1) unit.push_back(Axis::at(begin, newSize));
    return unit;
  }
  int64_t inner = size / axes[0].size;
  if (begin % inner || newSize % inner || (axes[0].given && begin)) return std::nullopt;
  Index result(axes);
  result[0].begin += begin / inner;
  result[0].size = newSize / inner;
  return result;
}

std::optional<Index> reverseAxes(ArrayRef<Axis> axes) {
  Index result(axes);
  for (Axis &axis : result) {
    if (axis.given) return std::nullopt;
    axis.begin = axis.size - 1 - axis.begin;
    for (Term &term : axis.terms)
      term.factor = -term.factor;
  }
  return result;
}

std::optional<Axis> joinAxes(ArrayRef<Axis> axes) {
  Axis joined;
  for (const Axis &axis : axes)
    joined.size *= axis.size;
  int64_t inner = joined.size;
  for (const Axis &axis : axes) {
    if (axis.given) return std::nullopt;
    inner /= axis.size;
    joined.add(axis, inner);
  }
  return joined;
}

} // namespace dlm::fuse
