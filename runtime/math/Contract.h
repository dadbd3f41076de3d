// The matrix product of the plan's `Contract` entry: out[m, n] = one chain of fused multiply-adds
// over increasing k, from -0.0 (or from what stands in out, if it accumulates). The chain is the
// whole contract: blocking, packing, instruction set and threads change no bit, because a block of
// k takes the accumulators up again from out instead of adding partial sums.
//
// A product runs as a few phases with a barrier before each; a phase is a number of independent
// items. Phases alternate: pack panels of both operands into scratch memory shared by all workers,
// then compute tiles of out from it. Products with few columns need no packing: one phase.
//
// Of many small products side by side each is an item of one phase: a worker computes it from
// beginning to end, in scratch memory of its own. Large ones come one after the other.
#pragma once

#include "runtime/base/Status.h"
#include "runtime/math/MicroKernel.h"

#include <cstdint>

namespace dlm {

/// Operands are dense and row-major. lhs: [m, k], or [k, m] if transposed; rhs: [k, n], or [n, k]
/// if transposed; out: [m, n]. Each is `batch` such matrices, one behind the other.
struct ContractShape {
  int64_t m;
  int64_t n;
  int64_t k;
  bool transposeLhs = false;
  bool transposeRhs = false;
  bool accumulate = false;
  int64_t batch = 1;
};

struct ContractOperands {
  const float *lhs;
  const float *rhs;
  float *out;
  float *scratch; // ContractPlan::scratchBytes() bytes, 64-byte aligned; see `isOfWorkers`
};

class ContractPlan {
public:
  /// The way to compute a product with `kernels`. Fails if a size is negative or too large, or if
  /// `kernels` is null: this machine has no AVX2.
  static Expected<ContractPlan> make(const ContractShape &shape,
                                     const MicroKernels *kernels = bestKernels());

  /// Memory that the product needs: shared by all workers, or as much for each of them.
  uint64_t scratchBytes() const;
  bool isOfWorkers() const { return wholeItems; }

  int phaseCount() const;

  /// Items of a phase; they may run in any order, on any worker.
  int64_t itemCount(int phase) const;

  /// Rough cost of one item, for deciding how many workers it is worth.
  double itemCostNs(int phase) const;

  /// Computes the items [begin, end) of a phase. Every earlier phase must have ended.
  void run(int phase, const ContractOperands &operands, int64_t begin, int64_t end) const;

private:
  struct Round;
  // Of one product.
  Round roundOf(int phase) const;
  int onePhaseCount() const;
  int64_t oneItemCount(int phase) const;
  double oneItemCostNs(int phase) const;
  void runOne(int phase, const ContractOperands &operands, int64_t begin, int64_t end) const;
  /// The operands of product `index`.
  ContractOperands product(const ContractOperands &operands, int64_t index) const;
  void pack(const Round &round, const ContractOperands &operands, int64_t item) const;
  void computeTile(const Round &round, const ContractOperands &operands, int64_t item) const;
  void fetchAhead(const Round &round, const ContractOperands &operands, int64_t item, int64_t block,
                  int64_t turn, MicroTile &tile) const;
  void computeDirect(const ContractOperands &operands, int64_t item) const;

  ContractShape shape = {};
  const MicroKernels *kernels = nullptr;
  bool direct = false;
  bool wholeItems = false;                    // an item is a product
  int64_t panelColumns = 0;                   // width of a panel of rhs
  int64_t blockM = 0, blockN = 0, blockK = 0; // what is packed at once
  int64_t roundsM = 0, roundsN = 0, roundsK = 0;
  int64_t rhsPanelFloats = 0, lhsPanelFloats = 0;
};

} // namespace dlm
