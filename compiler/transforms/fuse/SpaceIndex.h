// Where, in an iteration space, an element of a tensor lies. An index is a list of dims of the
// space and is read in row-major order: the value is looked at as a tensor of those dims' extents,
// whatever its own shape is. So element-wise ops and reshapes pass an index through untouched, and
// only ops that know a dim by its number (broadcast, transpose, iota) must line their shape up with
// it.
//
// A space starts as coarse as can be (one dim for a point-wise kernel) and is cut where such an op
// needs a border: that is how a kernel that can be flattened ends up flat.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <optional>

namespace dlm::fuse {

using Index = llvm::SmallVector<unsigned, 4>;

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
                           llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<unsigned> index,
                           llvm::ArrayRef<int64_t> extents);

/// The index of the operand of a transpose whose result (of shape `shape`) is at `index`.
IndexResult transposeIndex(llvm::ArrayRef<int64_t> permutation, llvm::ArrayRef<int64_t> shape,
                           llvm::ArrayRef<unsigned> index, llvm::ArrayRef<int64_t> extents);

/// The dims of the space that make up dim `dim` of a value of shape `shape` at `index`.
IndexResult dimIndex(unsigned dim, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<unsigned> index,
                     llvm::ArrayRef<int64_t> extents);

/// `index` without the dims of extent 1.
Index withoutUnits(llvm::ArrayRef<unsigned> index, llvm::ArrayRef<int64_t> extents);

} // namespace dlm::fuse
