// Blocking of the matrix product. At once at most blockM x blockK of lhs and blockK x blockN of rhs
// are packed (a "round"); nearly every product of a training step is a single round. Rows are cut
// into panels of nearly equal height, not into full ones and a rest: 64 rows are 13+13+13+13+12,
// all at full speed, where 14+14+14+14+8 would not be. A tile item is one panel of columns by a
// group of row panels that stays in the second-level cache.
#include "runtime/math/Contract.h"

#include "runtime/math/Packing.h"

#include <algorithm>

namespace dlm {

namespace {

constexpr int64_t BlockMMax = 3072;
constexpr int64_t BlockNMax = 3072;
constexpr int64_t BlockKMax = 1024;    // rows of a group x this stays in the second-level cache
constexpr int64_t ChainBlock = 256;    // k of one micro-kernel call: a panel of rhs stays in L1
constexpr int64_t FetchTurns = 4;      // tiles that fetch the rhs of the next block of k
constexpr int64_t GroupFloats = 65536; // of lhs in one tile item: a part of the L2 cache
constexpr int64_t DirectColumnsMax = 16;
constexpr int64_t PackMargin = 16; // what packing may write beyond a panel
constexpr double FlopsPerNs = 100; // rough speeds, for costs only
constexpr double PackedFloatsPerNs = 4;
constexpr double WholeItemMax = double(1 << 25); // multiplications of a product that is one item

int64_t divideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }
int64_t roundUp(int64_t a, int64_t b) { return divideUp(a, b) * b; }

/// Part `index` of `count` nearly equal parts of [0, total): sizes differ by at most one.
struct Part {
  int64_t begin;
  int64_t size;
};
Part evenPart(int64_t total, int64_t count, int64_t index) {
  int64_t small = total / count, larger = total % count;
  return {index * small + std::min(index, larger), small + (index < larger ? 1 : 0)};
}

} // namespace

/// A block of the operands that is packed and multiplied at once.
struct ContractPlan::Round {
  bool packing;  // the phase that packs, or the one that computes
  bool packsRhs; // the packing phase packs rhs; it stays packed over the rounds of m
  bool onTheWay; // the first tile to read a panel of rhs packs it for the others
  Part m, n, k;
  int64_t rowPanels, columnPanels, rowGroups;

  Part rowPanel(int64_t index) const { return evenPart(m.size, rowPanels, index); }
};

Expected<ContractPlan> ContractPlan::make(const ContractShape &shape, const MicroKernels *kernels) {
  if (!kernels)
    return unsupported(
        "this processor has no AVX2 and FMA instructions, which matrix products need");
  int64_t product;
  auto isTooLarge = [&](int64_t rows, int64_t columns) {
    return __builtin_mul_overflow(rows, columns, &product) ||
           __builtin_mul_overflow(product, shape.batch, &product);
  };
  if (shape.m < 0 || shape.n < 0 || shape.k < 0 || shape.batch < 0 ||
      isTooLarge(shape.m, shape.n) || isTooLarge(shape.m, shape.k) || isTooLarge(shape.k, shape.n))
    return invalidArgument("a matrix product of " + std::to_string(shape.m) + " x " +
                           std::to_string(shape.k) + " x " + std::to_string(shape.n) +
                           " is out of range");
  ContractPlan plan;
  plan.shape = shape;
  plan.kernels = kernels;
  plan.wholeItems =
      shape.batch > 1 && double(shape.m) * double(shape.n) * double(shape.k) <= WholeItemMax;
  // Operands of a small product lie in the cache: to pack them for one panel would gain nothing.
  int64_t directMax = plan.wholeItems ? 2 * kernels->lanes : DirectColumnsMax;
  plan.direct = shape.n <= directMax && !shape.transposeRhs;
  plan.panelColumns = 2 * kernels->lanes;
  plan.roundsM = divideUp(shape.m, BlockMMax);
  plan.roundsN = divideUp(shape.n, BlockNMax);
  plan.roundsK = std::max<int64_t>(1, divideUp(shape.k, BlockKMax));
  if (shape.m == 0 || shape.n == 0) plan.roundsM = plan.roundsN = 0;
  plan.blockM = plan.roundsM ? divideUp(shape.m, plan.roundsM) : 0;
  plan.blockN = plan.roundsN ? divideUp(shape.n, plan.roundsN) : 0;
  plan.blockN = roundUp(plan.blockN, plan.panelColumns);
  plan.roundsN = plan.roundsN ? divideUp(shape.n, plan.blockN) : 0;
  plan.blockK = divideUp(shape.k, plan.roundsK);
  plan.rhsPanelFloats = plan.blockK * plan.panelColumns + PackMargin;
  plan.lhsPanelFloats = roundUp(plan.blockK * kernels->rowsMax + PackMargin, 16);
  return plan;
}

uint64_t ContractPlan::scratchBytes() const {
  if (direct || roundsM == 0) return 0;
  int64_t lhsFloats = divideUp(blockM, kernels->rowsMax) * lhsPanelFloats;
  int64_t rhsFloats = blockN / panelColumns * rhsPanelFloats;
  return uint64_t(roundUp(lhsFloats + rhsFloats + PackMargin, 16)) * sizeof(float);
}

int ContractPlan::onePhaseCount() const {
  return direct ? (shape.m && shape.n ? 1 : 0) : int(2 * roundsM * roundsN * roundsK);
}

int ContractPlan::phaseCount() const {
  if (shape.batch == 0) return 0;
  return wholeItems ? std::min(1, onePhaseCount()) : int(shape.batch) * onePhaseCount();
}

ContractPlan::Round ContractPlan::roundOf(int phase) const {
  int64_t round = phase / 2;
  int64_t indexM = round % roundsM;
  int64_t indexK = round / roundsM % roundsK;
  int64_t indexN = round / roundsM / roundsK;
  Round result;
  result.packing = phase % 2 == 0;
  result.m = evenPart(shape.m, roundsM, indexM);
  result.k = evenPart(shape.k, roundsK, indexK);
  result.n = {indexN * blockN, std::min(blockN, shape.n - indexN * blockN)};
  result.rowPanels = divideUp(result.m.size, kernels->rowsMax);
  result.columnPanels = divideUp(result.n.size, panelColumns);
  result.rowGroups =
      std::min(result.rowPanels, std::max<int64_t>(1, result.m.size * result.k.size / GroupFloats));
  result.onTheWay = result.rowGroups == 1 && !shape.transposeRhs;
  result.packsRhs = indexM == 0 && !result.onTheWay;
  return result;
}

int64_t ContractPlan::itemCount(int phase) const {
  return wholeItems ? shape.batch : oneItemCount(phase % onePhaseCount());
}

double ContractPlan::itemCostNs(int phase) const {
  if (!wholeItems) return oneItemCostNs(phase % onePhaseCount());
  double costNs = 0;
  for (int own = 0; own < onePhaseCount(); ++own)
    costNs += oneItemCostNs(own) * double(oneItemCount(own));
  return costNs;
}

ContractOperands ContractPlan::product(const ContractOperands &operands, int64_t index) const {
  return {operands.lhs + index * shape.m * shape.k, operands.rhs + index * shape.k * shape.n,
          operands.out + index * shape.m * shape.n, operands.scratch};
}

void ContractPlan::run(int phase, const ContractOperands &operands, int64_t begin,
                       int64_t end) const {
  if (!wholeItems) {
    int own = phase % onePhaseCount();
    runOne(own, product(operands, phase / onePhaseCount()), begin, end);
    return;
  }
  for (int64_t item = begin; item < end; ++item)
    for (int own = 0; own < onePhaseCount(); ++own)
      runOne(own, product(operands, item), 0, oneItemCount(own));
}

int64_t ContractPlan::oneItemCount(int phase) const {
  if (direct) return divideUp(shape.m, kernels->rowsMax);
  Round round = roundOf(phase);
  if (round.packing) return round.rowPanels + (round.packsRhs ? round.columnPanels : 0);
  return round.rowGroups * round.columnPanels;
}

double ContractPlan::oneItemCostNs(int phase) const {
  if (direct) return 2.0 * kernels->rowsMax * panelColumns * double(shape.k) / FlopsPerNs;
  Round round = roundOf(phase);
  if (round.packing) return double(panelColumns * round.k.size) / PackedFloatsPerNs;
  double rows = double(round.m.size) / double(round.rowGroups);
  return 2.0 * rows * double(panelColumns * round.k.size) / FlopsPerNs;
}

void ContractPlan::runOne(int phase, const ContractOperands &operands, int64_t begin,
                          int64_t end) const {
  if (direct) {
    for (int64_t item = begin; item < end; ++item)
      computeDirect(operands, item);
    return;
  }
  Round round = roundOf(phase);
  for (int64_t item = begin; item < end; ++item) {
    if (round.packing)
      pack(round, operands, item);
    else
      computeTile(round, operands, item);
  }
}

void ContractPlan::pack(const Round &round, const ContractOperands &operands, int64_t item) const {
  if (item < round.rowPanels) {
    Part rows = round.rowPanel(item);
    int64_t row = round.m.begin + rows.begin, k = round.k.begin;
    float *to = operands.scratch + item * lhsPanelFloats;
    if (shape.transposeLhs)
      packStraight(to, rows.size, operands.lhs + k * shape.m + row, shape.m, rows.size,
                   round.k.size);
    else
      packTransposed(to, rows.size, operands.lhs + row * shape.k + k, shape.k, rows.size,
                     round.k.size);
    return;
  }
  int64_t panel = item - round.rowPanels;
  int64_t column = round.n.begin + panel * panelColumns, k = round.k.begin;
  int64_t width = std::min(panelColumns, shape.n - column);
  float *to = operands.scratch + divideUp(blockM, kernels->rowsMax) * lhsPanelFloats +
              panel * rhsPanelFloats;
  if (shape.transposeRhs)
    packTransposed(to, panelColumns, operands.rhs + column * shape.k + k, shape.k, width,
                   round.k.size);
  else
    packStraight(to, panelColumns, operands.rhs + k * shape.n + column, shape.n, width,
                 round.k.size);
}

void ContractPlan::computeTile(const Round &round, const ContractOperands &operands,
                               int64_t item) const {
  int64_t group = item / round.columnPanels, panel = item % round.columnPanels;
  Part panels = evenPart(round.rowPanels, round.rowGroups, group);
  int64_t column = round.n.begin + panel * panelColumns;
  int64_t width = std::min(panelColumns, shape.n - column);
  int vectors = width > kernels->lanes;
  float *rhs = operands.scratch + divideUp(blockM, kernels->rowsMax) * lhsPanelFloats +
               panel * rhsPanelFloats;
  int64_t chainBlocks = std::max<int64_t>(1, divideUp(round.k.size, ChainBlock));
  for (int64_t block = 0; block < chainBlocks; ++block) {
    Part k = evenPart(round.k.size, chainBlocks, block);
    for (int64_t index = panels.begin; index < panels.begin + panels.size; ++index) {
      Part rows = round.rowPanel(index);
      MicroTile tile;
      tile.k = k.size;
      tile.a = operands.scratch + index * lhsPanelFloats + k.begin * rows.size;
      tile.aRow = 1;
      tile.aStep = rows.size;
      tile.c = operands.out + (round.m.begin + rows.begin) * shape.n + column;
      tile.cRow = shape.n;
      tile.columns = int(width);
      tile.reload = shape.accumulate || round.k.begin > 0 || block > 0;
      tile.packed = rhs + k.begin * panelColumns;
      bool first = round.onTheWay && index == panels.begin;
      tile.b = tile.packed;
      if (first && k.size > 0) // with nothing to sum up there may be no rhs, not even an address
        tile.b = operands.rhs + (round.k.begin + k.begin) * shape.n + column;
      tile.bStep = first ? shape.n : panelColumns;
      tile.ahead = tile.packed;
      tile.aheadStep = 0;
      if (round.onTheWay && !first)
        fetchAhead(round, operands, item, block, index - panels.begin - 1, tile);
      (first ? kernels->packing : kernels->packed)[rows.size - 1][vectors](tile);
    }
  }
}

/// While tiles multiply what is packed, rhs of the next block of k comes from far: each of the
/// first tiles fetches its share, one row every few steps.
void ContractPlan::fetchAhead(const Round &round, const ContractOperands &operands, int64_t item,
                              int64_t block, int64_t turn, MicroTile &tile) const {
  int64_t chainBlocks = std::max<int64_t>(1, divideUp(round.k.size, ChainBlock));
  int64_t panel = item % round.columnPanels;
  if (++block == chainBlocks) {
    block = 0;
    ++panel;
  }
  if (turn >= FetchTurns || panel >= round.columnPanels) return;
  Part k = evenPart(round.k.size, chainBlocks, block);
  int64_t row = round.k.begin + k.begin + turn * k.size / FetchTurns;
  tile.ahead = operands.rhs + row * shape.n + round.n.begin + panel * panelColumns;
  tile.aheadStep = shape.n;
}

void ContractPlan::computeDirect(const ContractOperands &operands, int64_t item) const {
  Part rows = evenPart(shape.m, divideUp(shape.m, kernels->rowsMax), item);
  MicroTile tile;
  tile.k = shape.k;
  tile.a = operands.lhs + rows.begin * (shape.transposeLhs ? 1 : shape.k);
  tile.aRow = shape.transposeLhs ? 1 : shape.k;
  tile.aStep = shape.transposeLhs ? shape.m : 1;
  tile.b = operands.rhs;
  tile.bStep = shape.n;
  tile.c = operands.out + rows.begin * shape.n;
  tile.cRow = shape.n;
  tile.columns = int(shape.n);
  tile.reload = shape.accumulate;
  tile.packed = nullptr;
  tile.ahead = nullptr;
  tile.aheadStep = 0;
  kernels->direct[rows.size - 1][shape.n > kernels->lanes](tile);
}

} // namespace dlm
