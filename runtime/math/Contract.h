// The matrix product of the plan's `Contract` entry: out[m, n] = one chain of fused multiply-adds
// over increasing k, from -0.0 (or from what stands in out, if it accumulates). The chain is the
// whole contract: blocking, packing, instruction set and threads change no bit, because a block of
// k takes the accumulators up again from out instead of adding partial sums.
//
// A product runs as a few phases with a barrier before each; a phase is a number of independent
// items. Phases alternate: pack panels of both operands into scratch memory shared by all workers,
// then compute tiles of out from it. Products with few columns need no packing: one phase.
#pragma once

#include "runtime/base/Status.h"
#include "runtime/math/MicroKernel.h"

#include <cstdint>

namespace dlm {

/// Operands are dense and row-major. lhs: [m, k], or [k, m] if transposed; rhs: [k, n], or [n, k]
/// if transposed; out: [m, n].
struct ContractShape {
  int64_t m;
  int64_t n;
  int64_t k;
  bool transposeLhs = false;
  bool transposeRhs = false;
  bool accumulate = false;
};

struct ContractOperands {
  const float *lhs;
  const float *rhs;
  float *out;
  float *scratch; // ContractPlan::scratchBytes() bytes, 64-byte aligned, the same for all workers
};

class ContractPlan {
public:
  /// The way to compute a product with `kernels`. Fails if a size is negative or too large, or if
  /// `kernels` is null: this machine has no AVX2.
  static Expected<ContractPlan> make(const ContractShape &shape,
                                     const MicroKernels *kernels = bestKernels());

  /// Memory shared by all workers during the product.
  uint64_t scratchBytes() const;

  int phaseCount() const;

  /// Items of a phase; they may run in any order, on any worker.
  int64_t itemCount(int phase) const;

  /// Rough cost of one item, for deciding how many workers it is worth.
  double itemCostNs(int phase) const;

  /// Computes the items [begin, end) of a phase. Every earlier phase must have ended.
  void run(int phase, const ContractOperands &operands, int64_t begin, int64_t end) const;

private:
  struct Round;
  Round roundOf(int phase) const;
  void pack(const Round &round, const ContractOperands &operands, int64_t item) const;
  void computeTile(const Round &round, const ContractOperands &operands, int64_t item) const;
  void fetchAhead(const Round &round, const ContractOperands &operands, int64_t item, int64_t block,
                  int64_t turn, MicroTile &tile) const;
  void computeDirect(const ContractOperands &operands, int64_t item) const;

  ContractShape shape = {};
  const MicroKernels *kernels = nullptr;
  bool direct = false;
  int64_t panelColumns = 0;                   // width of a panel of rhs
  int64_t blockM = 0, blockN = 0, blockK = 0; // what is packed at once
  int64_t roundsM = 0, roundsN = 0, roundsK = 0;
  int64_t rhsPanelFloats = 0, lhsPanelFloats = 0;
};

} // namespace dlm
