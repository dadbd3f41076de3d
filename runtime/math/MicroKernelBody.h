// The text of a micro-kernel, once for all instruction sets. `V` wraps one vector register (see
// Avx2Kernels.cpp). Included only by files that are compiled for one instruction set, so everything
// is local to them: an inline function that the linker could share between instruction sets would
// crash older machines.
#pragma once

#include "runtime/math/MicroKernel.h"

namespace dlm {
namespace {

constexpr int64_t PrefetchSteps = 8; // of k, ahead of the multiplication

/// How the operands stand in memory.
enum class Operands { Packed, Packing, Direct };

/// C tile of Rows x (Vectors * lanes): acc = fma(a, b, acc) for increasing k. The accumulators and
/// the row of B stay in registers: Rows * Vectors + Vectors + 1 of them.
template <class V, int Rows, int Vectors, Operands From> void microKernel(const MicroTile &tile) {
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
      if (!tile.reload) __builtin_prefetch(c, 1);
    }
  }
  const float *a = tile.a, *b = tile.b;
  float *packed = tile.packed;
  constexpr bool Padded = From == Operands::Packed; // B may be read in whole vectors
  const int64_t aRow = From == Operands::Direct ? tile.aRow : 1;
  const int64_t aStep = From == Operands::Direct ? tile.aStep : Rows;
  constexpr int64_t PackedStep = 2 * V::Lanes; // also where one vector is used
  const int64_t bStep = Padded ? PackedStep : tile.bStep;
  for (int64_t p = 0; p < tile.k; ++p) {
    Vector row[Vectors];
#pragma clang loop unroll(full)
    for (int v = 0; v < Vectors; ++v)
      row[v] = Padded ? V::load(b + v * V::Lanes) : V::load(b + v * V::Lanes, mask[v]);
#pragma clang loop unroll(full)
    for (int i = 0; i < Rows; ++i) {
      Vector x = V::broadcast(a + i * aRow);
#pragma clang loop unroll(full)
      for (int v = 0; v < Vectors; ++v)
        acc[i][v] = V::fma(x, row[v], acc[i][v]);
    }
    if constexpr (From == Operands::Packing) {
#pragma clang loop unroll(full)
      for (int v = 0; v < Vectors; ++v)
        V::store(packed + v * V::Lanes, row[v]);
      packed += PackedStep;
    }
    if constexpr (From != Operands::Direct) {
      __builtin_prefetch(b + PrefetchSteps * bStep);
      __builtin_prefetch(b + PrefetchSteps * bStep + (Vectors - 1) * V::Lanes);
      __builtin_prefetch(a + PrefetchSteps * Rows);
    }
    a += aStep;
    b += bStep;
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
  table.packed[Rows - 1][0] = microKernel<V, Rows, 1, Operands::Packed>;
  table.packed[Rows - 1][1] = microKernel<V, Rows, 2, Operands::Packed>;
  table.packing[Rows - 1][0] = microKernel<V, Rows, 1, Operands::Packing>;
  table.packing[Rows - 1][1] = microKernel<V, Rows, 2, Operands::Packing>;
  table.direct[Rows - 1][0] = microKernel<V, Rows, 1, Operands::Direct>;
  table.direct[Rows - 1][1] = microKernel<V, Rows, 2, Operands::Direct>;
  if constexpr (Rows > 1) fillKernels<V, Rows - 1>(table);
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
