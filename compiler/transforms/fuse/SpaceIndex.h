// Where, in an iteration space, an element of a tensor lies. An index is a list of axes and is read
// in row-major order: the value is looked at as a tensor of those axes' sizes, whatever its own
// shape is. So element-wise ops and reshapes pass an index through untouched, and only ops that
// know a dim by its number (broadcast, transpose, slice, iota, ...) must line their shape up with
// it.
//
// A space starts as coarse as can be (one dim for a point-wise kernel) and is cut where such an op
// needs a border: that is how a kernel that can be flattened ends up flat.
#pragma once

#include <mlir/IR/Value.h>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <optional>

namespace dlm::fuse {

/// A multiple of a dim of the space.
struct Term {
  unsigned dim;
  int64_t factor;
  bool operator==(const Term &other) const { return dim == other.dim && factor == other.factor; }
};

/// One axis of `size` elements: the place in it is begin + a sum of multiples of dims of the space,
/// or a value that the kernel computes. Places outside of [0, size) occur where a `pad`, `concat`
/// or `windows` has other elements.
struct Axis {
  int64_t size = 1;
  llvm::SmallVector<Term, 1> terms = {}; // no dim twice
  int64_t begin = 0;
  mlir::Value given = {}; // an i64, in the place of all else

  /// A whole dim of the space.
  static Axis whole(unsigned dim, llvm::ArrayRef<int64_t> extents) {
    return {extents[dim], {{dim, 1}}, 0, {}};
  }
  /// One place.
  static Axis at(int64_t place, int64_t size) { return {size, {}, place, {}}; }
  bool isWhole(llvm::ArrayRef<int64_t> extents) const {
    return terms.size() == 1 && terms[0].factor == 1 && begin == 0 && !given &&
           size == extents[terms[0].dim];
  }
  /// The smallest and the largest place; not of what is given.
  int64_t getLow(llvm::ArrayRef<int64_t> extents) const;
  int64_t getHigh(llvm::ArrayRef<int64_t> extents) const;
  /// True if its places may lie outside.
  bool mayLeave(llvm::ArrayRef<int64_t> extents) const;
  /// Adds factor * the place of `other`, which is not given, to the place.
  void add(const Axis &other, int64_t factor);
  bool operator==(const Axis &other) const {
    return size == other.size && terms == other.terms && begin == other.begin &&
           given == other.given;
  }
};

using Index = llvm::SmallVector<Axis, 3>;

/// A border that an op asks for: dim `dim` of the space becomes two, the first of extent `outer`.
struct Cut {
  unsigned dim;
  int64_t outer;
};

/// An index, or a border that is needed first, or neither: the shapes do not line up.
struct IndexResult {
  std::optional<Index> index;
  std::optional<Cut> cut;
};

/// The index of the operand of a broadcast whose result (of shape `shape`) is at `index`.
IndexResult broadcastIndex(llvm::ArrayRef<int64_t> operandShape, llvm::ArrayRef<int64_t> dims,
                           llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Axis> index,
                           llvm::ArrayRef<int64_t> extents);

/// The index of the operand of a transpose whose result (of shape `shape`) is at `index`.
IndexResult transposeIndex(llvm::ArrayRef<int64_t> permutation, llvm::ArrayRef<int64_t> shape,
                           llvm::ArrayRef<Axis> index, llvm::ArrayRef<int64_t> extents);

/// The axes that make up dim `dim` of a value of shape `shape` at `index`.
IndexResult dimIndex(unsigned dim, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Axis> index,
                     llvm::ArrayRef<int64_t> extents);

/// The axes of some neighbouring dims of a shape.
struct Piece {
  unsigned firstDim; // that has more than one element
  Index axes;
};

/// The pieces of an index between borders, in order; or a border of the space that is needed first.
struct PiecesResult {
  std::optional<llvm::SmallVector<Piece>> pieces;
  std::optional<Cut> cut;
};

/// Cuts `index` where a dim i of the shape has `borders[i]` before it.
PiecesResult splitIndex(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<bool> borders,
                        llvm::ArrayRef<Axis> index, llvm::ArrayRef<int64_t> extents);

/// The axes of a dim of `size` elements as those of one of `newSize`, in which its elements begin
/// at `begin`; nothing if the axes have a border where the dim has none.
std::optional<Index> shiftAxes(llvm::ArrayRef<Axis> axes, int64_t size, int64_t begin,
                               int64_t newSize);

/// The same axes, each counted from its end; nothing if one is given at run time.
std::optional<Index> reverseAxes(llvm::ArrayRef<Axis> axes);

/// Several axes as one; nothing if one is given at run time.
std::optional<Axis> joinAxes(llvm::ArrayRef<Axis> axes);

/// `index` without the axes of one element.
Index withoutUnits(llvm::ArrayRef<Axis> index);

} // namespace dlm::fuse
