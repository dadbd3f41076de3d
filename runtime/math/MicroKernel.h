// The innermost piece of a matrix product: a few rows times one or two vectors of columns, held in
// registers over a range of k. There is one table of them for each instruction set; the bits do not
// depend on which is used, because every element is the same chain of fused multiply-adds.
#pragma once

#include <cstdint>

namespace dlm {

/// A tile of C and the operands it is made of; strides in elements.
struct MicroTile {
  int64_t k;      // length of the chain
  const float *a; // element (i, p) at a[i * aRow + p * aStep]
  int64_t aRow;
  int64_t aStep;
  const float *b; // row p at b[p * bStep]; packed: two vectors a row, bStep is not looked at
  int64_t bStep;
  float *c; // row i at c[i * cRow]
  int64_t cRow;
  int columns;   // columns to store, at most the kernel's width
  bool reload;   // continue the chains that stand in C, instead of starting at -0.0
  float *packed; // where a packing kernel leaves the rows of B it has read, packed
  // Rows that will be read next: a packed kernel fetches one every few k into the L2 cache.
  const float *ahead;
  int64_t aheadStep; // 0: there are none, `ahead` is any address
};

using MicroKernelFn = void (*)(const MicroTile &tile);

/// The kernels of one instruction set.
struct MicroKernels {
  static constexpr int RowsLimit = 14;

  const char *name;
  int rowsMax; // rows of the largest tile
  int lanes;   // columns of one vector

  /// [rows - 1][vectors - 1]. Both packed: A by rows, B in rows of two whole vectors.
  MicroKernelFn packed[RowsLimit][2];

  /// A packed, B as it is; B is left packed at `packed` for the tiles that follow.
  MicroKernelFn packing[RowsLimit][2];

  /// Both operands as they are: any aRow; no column of B beyond `columns` is read.
  MicroKernelFn direct[RowsLimit][2];
};

const MicroKernels &avx2Kernels();
const MicroKernels &avx512Kernels();

/// The best table this machine can run, or null if it has neither AVX2 nor FMA.
const MicroKernels *bestKernels();

} // namespace dlm
