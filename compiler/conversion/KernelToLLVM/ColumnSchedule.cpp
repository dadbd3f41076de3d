// `column`: a vector holds neighbouring columns, a reduction is a chain down the rows in chunks
// of 64. Columns do not meet, so dead lanes need no identity: they are not loaded and not stored.
#include "compiler/conversion/KernelToLLVM/KernelLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace kernel {

namespace {
constexpr int64_t ColumnChunk = 64;
}

void KernelLowering::lowerColumn() {
  Extent columns = getExtent(1);
  Value block = number(SpaceAttr::ColumnBlock);
  Value from = arith::MulIOp::create(b, begin, block);
  Value to = smaller(arith::MulIOp::create(b, end, block), columns.value);
  emitBlocks(from, to, *columns.fixed % width == 0, /*isShort=*/*columns.fixed < width,
             [&] { emitColumnBlock(); });
}

/// All phases and stores of `width` columns.
void KernelLowering::emitColumnBlock() {
  DimSet rows = bit(0);
  emitUniform(0, rows);
  for (unsigned phase = 0; phase < phaseCount; ++phase) {
    reduceColumns(phase);
    emitUniform(phase + 1, rows);
  }
  for (StoreOp store : func.getOps<StoreOp>())
    emitter.emit(store);
}

void KernelLowering::reduceColumns(unsigned phase) {
  Ops reductions = getReductions(phase);
  if (reductions.empty()) return;
  Values identities;
  for (Operation *op : reductions)
    identities.append(getIdentities(op, emitter.isVector(op->getResult(0))));
  auto emitChunk = [&](Value start, Value stop) { return reduceRows(phase, start, stop); };
  bind(reductions, emitChunks(reductions, getExtent(0), ColumnChunk,
                              TypeRange(ValueRange(identities)), emitChunk));
}

} // namespace kernel
