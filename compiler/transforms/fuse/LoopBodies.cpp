// The numbers of trips as values, and trips without a loop.
#include "compiler/transforms/fuse/LoopBodies.h"

#include <mlir/IR/IRMapping.h>

using namespace mlir;

namespace dlm::fuse {

void giveTripNumbers(ScanOp loop) {
  BlockArgument number = loop.getTripNumber();
  if (number.use_empty()) return;
  OpBuilder builder(loop);
  auto type = RankedTensorType::get({int64_t(loop.getTrips())}, builder.getI32Type());
  Value numbers = IotaOp::create(builder, loop.getLoc(), type, uint64_t(0));
  unsigned behind = 1 + loop.getInits().size() + loop.getXs().size();
  loop.getXsMutable().append(numbers);
  number.replaceAllUsesWith(
      loop.getBody()->insertArgument(behind, number.getType(), number.getLoc()));
}

static RankedTensorType flat(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get({tensor.getNumElements()}, tensor.getElementType());
}

static Value reshaped(OpBuilder &builder, Value value, Type like) {
  return ReshapeOp::create(builder, value.getLoc(), value, cast<RankedTensorType>(like).getShape());
}

/// Slice `number` of a tensor that is flat.
static Value sliceOf(OpBuilder &builder, Value whole, Type type, int64_t number) {
  RankedTensorType part = flat(type);
  IntegerAttr offset = builder.getI64IntegerAttr(number * part.getNumElements());
  Value segment = SegmentOp::create(builder, whole.getLoc(), part, whole, offset);
  return reshaped(builder, segment, type);
}

static void unroll(ScanOp loop) {
  giveTripNumbers(loop);
  OpBuilder builder(loop);
  SmallVector<Value> states(loop.getInits()), wholes;
  for (Value whole : loop.getXs())
    wholes.push_back(reshaped(builder, whole, flat(whole.getType())));
  int64_t trips = int64_t(loop.getTrips());
  SmallVector<SmallVector<Value>> outputs(loop.getStacked().size(), SmallVector<Value>(trips));
  for (int64_t trip = 0; trip < trips; ++trip) {
    int64_t number = loop.getReverse() ? trips - 1 - trip : trip;
    IRMapping mapping;
    for (auto [argument, state] : llvm::zip_equal(loop.getStates(), states))
      mapping.map(argument, state);
    for (auto [argument, whole] : llvm::zip_equal(loop.getSlices(), wholes))
      mapping.map(argument, sliceOf(builder, whole, argument.getType(), number));
    for (auto [argument, value] : llvm::zip_equal(loop.getCaptured(), loop.getCaptures()))
      mapping.map(argument, value);
    for (Operation &op : loop.getBody()->without_terminator())
      builder.clone(op, mapping);
    for (auto [state, next] : llvm::zip_equal(states, loop.getNextStates()))
      state = mapping.lookup(next);
    for (auto [all, output] : llvm::zip_equal(outputs, loop.getOutputs()))
      all[number] = reshaped(builder, mapping.lookup(output), flat(output.getType()));
  }
  loop.getLastStates().replaceAllUsesWith(states);
  for (auto [stacked, parts] : llvm::zip_equal(loop.getStacked(), outputs)) {
    SmallVector<int64_t> offsets;
    for (int64_t number = 0; number < trips; ++number)
      offsets.push_back(number * flat(parts[0].getType()).getNumElements());
    Value all = PackOp::create(builder, loop.getLoc(), flat(stacked.getType()), parts,
                               builder.getDenseI64ArrayAttr(offsets));
    stacked.replaceAllUsesWith(reshaped(builder, all, stacked.getType()));
  }
  loop.erase();
}

void unrollLoops(Block &block) {
  while (!block.getOps<ScanOp>().empty())
    unroll(*block.getOps<ScanOp>().begin());
}

} // namespace dlm::fuse
