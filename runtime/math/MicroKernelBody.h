// The text of a micro-kernel, once for all instruction sets. `V` wraps one vector register (see
// Avx2Kernels.cpp). Included only by files that are compiled for one instruction set, so everything
// is local to them: an inline function that the linker could share between instruction sets would
// crash older machines.
#pragma once

#include "runtime/math/MicroKernel.h"

namespace dlm {
namespace {

constexpr int64_t PrefetchSteps = 8; // of k, ahead of the multiplication
constexpr int64_t StepsPerGroup = 4; // of k, for each line that is fetched for later

/// How the operands stand in memory.
enum class Operands { Packed, Packing, Direct };

/// Where a tile stands in its operands.
struct Place {
  const float *a;
  int64_t aRow, aStep;
  const float *b;
  int64_t bStep;
  float *packed;
};

/// One k: acc = fma(a, b, acc) for the whole tile, and on to the next k.
template <class V, int Rows, int Vectors, Operands From>
__attribute__((always_inline)) inline void multiply(Place &at, const typename V::Mask *mask,
                                                    typename V::Vector (&acc)[Rows][Vectors]) {
  constexpr bool Padded = From == Operands::Packed; // B may be read in whole vectors
  typename V::Vector row[Vectors];
#pragma clang loop unroll(full)
  for (int v = 0; v < Vectors; ++v)
    row[v] = Padded ? V::load(at.b + v * V::Lanes) : V::load(at.b + v * V::Lanes, mask[v]);
#pragma clang loop unroll(full)
  for (int i = 0; i < Rows; ++i) {
    typename V::Vector x = V::broadcast(at.a + i * at.aRow);
#pragma clang loop unroll(full)
    for (int v = 0; v < Vectors; ++v)
      acc[i][v] = V::fma(x, row[v], acc[i][v]);
  }
  if constexpr (From == Operands::Packing) {
#pragma clang loop unroll(full)
    for (int v = 0; v < Vectors; ++v)
      V::store(at.packed + v * V::Lanes, row[v]);
    at.packed += 2 * V::Lanes;
  }
  if constexpr (From != Operands::Direct) {
    __builtin_prefetch(at.b + PrefetchSteps * at.bStep);
    __builtin_prefetch(at.b + PrefetchSteps * at.bStep + (Vectors - 1) * V::Lanes);
    __builtin_prefetch(at.a + PrefetchSteps * Rows);
  }
  at.a += at.aStep;
  at.b += at.bStep;
}

/// The whole chain over k. Lines that are needed later (C, and B of the next block) are fetched one
/// by one between multiplications: all at once they would take the few buffers that the operands
/// need too.
template <class V, int Rows, int Vectors, Operands From>
__attribute__((always_inline)) inline void multiplyAll(const MicroTile &tile,
                                                       const typename V::Mask *mask,
                                                       typename V::Vector (&acc)[Rows][Vectors]) {
  constexpr bool Direct = From == Operands::Direct;
  Place at = {tile.a,     Direct ? tile.aRow : 1, Direct ? tile.aStep : Rows, tile.b, tile.bStep,
              tile.packed};
  if (From == Operands::Packed) at.bStep = 2 * V::Lanes;          // also where one vector is used
  for (int64_t row = tile.k / StepsPerGroup; row < Rows; ++row) { // what a short chain leaves over
    __builtin_prefetch(tile.c + row * tile.cRow, 1);
    __builtin_prefetch(tile.c + row * tile.cRow + (Vectors - 1) * V::Lanes, 1);
  }
  const float *c = tile.c, *ahead = tile.ahead;
  int64_t p = 0;
  for (int row = 1; p + StepsPerGroup <= tile.k; p += StepsPerGroup, ++row) {
    __builtin_prefetch(c, 1);
    __builtin_prefetch(c + (Vectors - 1) * V::Lanes, 1);
    if (row < Rows) c += tile.cRow;
    if constexpr (From == Operands::Packed) {
      __builtin_prefetch(ahead, 0, 2);
      __builtin_prefetch(ahead + (Vectors - 1) * V::Lanes, 0, 2);
      ahead += tile.aheadStep;
    }
#pragma clang loop unroll(full)
    for (int64_t i = 0; i < StepsPerGroup; ++i)
      multiply<V, Rows, Vectors, From>(at, mask, acc);
  }
  for (; p < tile.k; ++p)
    multiply<V, Rows, Vectors, From>(at, mask, acc);
}

/// C tile of Rows x (Vectors * lanes): acc = fma(a, b, acc) for increasing k. The accumulators and
/// the row of B stay in registers: Rows * Vectors + Vectors + 1 of them.
template <class V, int Rows, int Vectors, Operands From> void microKernel(const MicroTile &tile) {
  typename V::Vector acc[Rows][Vectors];
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
    }
  }
  multiplyAll<V, Rows, Vectors, From>(tile, mask, acc);
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
