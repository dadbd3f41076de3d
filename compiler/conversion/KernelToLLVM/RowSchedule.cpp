// `row`: for each index of the grid the row is walked once for each phase of reductions and once
// more for what is stored. Values of an earlier phase are computed again: the same bits, and no
// memory.
//
// A reduction takes the lanes in blocks of the vector width: all groups of 128 elements for one
// block, then the next block. So the body stands once in the code, and the accumulators are in
// registers.
#include "compiler/conversion/KernelToLLVM/KernelLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace kernel {

namespace {
constexpr int64_t LaneCount = 128, RowChunk = 2048;
}

void KernelLowering::lowerRow() {
  emitLoop(b, begin, end, 1, {}, [&](Value item, ValueRange) -> Values {
    BodyEmitter::Scope scope(emitter);
    decodeGrid(item);
    DimSet row = bit(space.getReducedDim());
    emitUniform(0, row);
    for (unsigned phase = 0; phase < phaseCount; ++phase) {
      reduceRow(phase);
      emitUniform(phase + 1, row);
    }
    storeRow();
    return {};
  });
}

void KernelLowering::reduceRow(unsigned phase) {
  Ops reductions = getReductions(phase);
  if (reductions.empty()) return;
  Values identities = getIdentities(reductions, /*isVector=*/false);
  bind(reductions, emitChunks(reductions, getExtent(space.getReducedDim()), RowChunk,
                              TypeRange(ValueRange(identities)), [&](Value start, Value stop) {
                                return reduceRowChunk(reductions, start, stop);
                              }));
}

/// Reduces [start, stop), at most a chunk, to scalars.
KernelLowering::Values KernelLowering::reduceRowChunk(ArrayRef<Operation *> reductions, Value start,
                                                      Value stop) {
  Extent size = getExtent(space.getReducedDim());
  int64_t lanes = size.fixed ? std::min(LaneCount, *size.fixed) : LaneCount;
  int64_t blocks = (lanes + width - 1) / width;
  auto foldTwo = [&](ValueRange left, ValueRange right) { return fold(reductions, left, right); };
  if (blocks == 1)
    return foldLanes(b, {reduceLaneBlock(reductions, number(0), start, stop)}, foldTwo);
  Values arrays, identities = getIdentities(reductions, /*isVector=*/false);
  for (Value identity : identities)
    arrays.push_back(emitStackArray(b, target.getBody().front(), identity.getType(), LaneCount));
  auto getPlace = [&](size_t index, Value lane) -> Value {
    return LLVM::GEPOp::create(b, arrays[index].getType(), identities[index].getType(),
                               arrays[index], ArrayRef<LLVM::GEPArg>{lane});
  };
  emitLoop(b, number(0), number(blocks * width), width, {}, [&](Value lane, ValueRange) -> Values {
    Values values = reduceLaneBlock(reductions, lane, start, stop);
    for (auto [index, value] : llvm::enumerate(values))
      LLVM::StoreOp::create(b, value, getPlace(index, lane));
    return {};
  });
  SmallVector<Values> vectors(blocks);
  for (int64_t block = 0; block < blocks; ++block)
    for (size_t index = 0; index < arrays.size(); ++index)
      vectors[block].push_back(
          LLVM::LoadOp::create(b, emitter.getVectorType(identities[index].getType()),
                               getPlace(index, number(block * width))));
  return foldLanes(b, vectors, foldTwo);
}

/// The chains of `width` lanes from `lane` on over the elements of [start, stop).
KernelLowering::Values KernelLowering::reduceLaneBlock(ArrayRef<Operation *> reductions, Value lane,
                                                       Value start, Value stop) {
  unsigned row = space.getReducedDim();
  Values roots;
  for (Operation *op : reductions)
    roots.push_back(op->getOperand(0));
  Ops slice = getSlice(roots, bit(row));
  auto step = [&](Value first, Value live, ValueRange values) {
    BodyEmitter::Scope scope(emitter);
    emitter.setIndex(row, first);
    if (live) emitter.setLiveLanes(live);
    for (Operation *op : slice)
      emitter.emit(op);
    return accumulate(reductions, values, first);
  };
  Values values = getIdentities(reductions, /*isVector=*/true);
  Value first = add(start, lane);
  std::optional<int64_t> size = getExtent(row).fixed;
  if (size && *size < width) return step(first, subtract(stop, first), values);
  values = emitLoop(b, first, subtract(stop, number(width - 1)), LaneCount, values,
                    [&](Value at, ValueRange carried) { return step(at, Value(), carried); });
  if (size && *size % width == 0) return values;
  // Only the last group of 128 can be cut short, and within it only one block of lanes.
  Value groups = arith::AndIOp::create(b, subtract(stop, start), number(-LaneCount));
  Value last = add(first, groups);
  Value live = subtract(stop, last);
  Value isSome = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, live, number(0));
  Value isCut = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, live, number(width));
  auto branch = scf::IfOp::create(
      b, arith::AndIOp::create(b, isSome, isCut),
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, step(last, live, values)); },
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, values); });
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// Stores what varies over the row, then what does not.
void KernelLowering::storeRow() {
  unsigned row = space.getReducedDim();
  RowStores stores = getRowStores();
  if (!stores.varying.empty()) {
    Extent size = getExtent(row);
    emitBlocks(number(0), size.value, size.fixed && *size.fixed % width == 0,
               size.fixed && *size.fixed < width, [&] {
                 for (Operation *op : stores.slice)
                   emitter.emit(op);
                 for (StoreOp store : stores.varying)
                   emitter.emit(store);
               });
  }
  for (StoreOp store : stores.uniform)
    emitter.emit(store);
}

} // namespace kernel
