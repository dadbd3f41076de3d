// The text of a micro-kernel, once for all instruction sets. `V` wraps one vector register (see
// Avx2Kernels.cpp). Included only by files that are compiled for one instruction set, so everything
// is local to them: an inline function that the linker could share between instruction sets would
// crash older machines.
#pragma once

#include "runtime/math/MicroKernel.h"

namespace dlm {
namespace {

/// C tile of Rows x (Vectors * lanes): acc = fma(a, b, acc) for increasing k. The accumulators and
/// the row of B stay in registers: Rows * Vectors + Vectors + 1 of them.
template <class V, int Rows, int Vectors, bool Packed> void microKernel(const MicroTile &tile) {
  using Vector = typename V::Vector;
  Vector acc[Rows][Vectors];
  typename V::Mask mask[Vectors];
  for (int v = 0; v < Vectors; ++v)
    mask[v] = V::firstLanes(tile.columns - v * V::Lanes);
  const bool whole = tile.columns == Vectors * V::Lanes;
#pragma clang loop unroll(full)
  for (int i = 0; i < Rows; ++i) {
#pragma clang loop unroll(full)
    for (int v = 0; v < Vectors; ++v) {
      const float *c = tile.c + i * tile.cRow + v * V::Lanes;
      acc[i][v] = !tile.reload ? V::negativeZero() : whole ? V::load(c) : V::load(c, mask[v]);
      if (!tile.reload)
        __builtin_prefetch(c, 1);
    }
  }
  const float *a = tile.a, *b = tile.b;
  const int64_t aRow = Packed ? 1 : tile.aRow, aStep = Packed ? Rows : tile.aStep;
  for (int64_t p = 0; p < tile.k; ++p) {
    Vector row[Vectors];
#pragma clang loop unroll(full)
    for (int v = 0; v < Vectors; ++v)
      row[v] = Packed ? V::load(b + v * V::Lanes) : V::load(b + v * V::Lanes, mask[v]);
#pragma clang loop unroll(full)
    for (int i = 0; i < Rows; ++i) {
      Vector x = V::broadcast(a + i * aRow);
#pragma clang loop unroll(full)
      for (int v = 0; v < Vectors; ++v)
        acc[i][v] = V::fma(x, row[v], acc[i][v]);
    }
    a += aStep;
    b += tile.bStep;
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < Rows; ++i) {
#pragma clang loop unroll(full)
    for (int v = 0; v < Vectors; ++v) {
      float *c = tile.c + i * tile.cRow + v * V::Lanes;
      if (whole)
        V::store(c, acc[i][v]);
      else
        V::store(c, mask[v], acc[i][v]);
    }
  }
}

/// Fills a table with the kernels of 1 to `Rows` rows.
template <class V, int Rows> void fillKernels(MicroKernels &table) {
  table.packed[Rows - 1][0] = microKernel<V, Rows, 1, true>;
  table.packed[Rows - 1][1] = microKernel<V, Rows, 2, true>;
  table.direct[Rows - 1][0] = microKernel<V, Rows, 1, false>;
  table.direct[Rows - 1][1] = microKernel<V, Rows, 2, false>;
  if constexpr (Rows > 1)
    fillKernels<V, Rows - 1>(table);
}

template <class V, int Rows> MicroKernels makeKernels(const char *name) {
  static_assert(Rows <= MicroKernels::RowsLimit, "the table is too small");
  MicroKernels table = {};
  table.name = name;
  table.rowsMax = Rows;
  table.lanes = V::Lanes;
  fillKernels<V, Rows>(table);
  return table;
}

} // namespace
} // namespace dlm
