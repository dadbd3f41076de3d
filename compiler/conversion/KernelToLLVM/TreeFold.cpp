// The tree of NUMERICS: 128 lanes are chains, lanes fold by halving (lane i with lane i + half, i
// left), chunks fold in the same way.
#include "compiler/conversion/KernelToLLVM/TreeFold.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kernel {

//===--- lanes ---===//

SmallVector<Value> foldLanes(ImplicitLocOpBuilder &b, ArrayRef<SmallVector<Value>> vectors,
                             FoldPair fold) {
  int64_t width = cast<VectorType>(vectors[0][0].getType()).getDimSize(0);
  SmallVector<SmallVector<Value>> blocks(vectors);
  for (size_t half = llvm::PowerOf2Ceil(128 / width) / 2; half > 0; half /= 2) {
    for (size_t block = 0; block < half && block + half < blocks.size(); ++block)
      blocks[block] = fold(blocks[block], blocks[block + half]);
    if (blocks.size() > half) blocks.resize(half);
  }
  SmallVector<Value> values = blocks[0];
  for (int64_t half = width / 2; half > 0; half /= 2) {
    SmallVector<Value> low, high;
    SmallVector<int32_t> lowLanes, highLanes;
    for (int32_t lane = 0; lane < half; ++lane) {
      lowLanes.push_back(lane);
      highLanes.push_back(lane + half);
    }
    for (Value value : values) {
      low.push_back(LLVM::ShuffleVectorOp::create(b, value, value, lowLanes));
      high.push_back(LLVM::ShuffleVectorOp::create(b, value, value, highLanes));
    }
    values = fold(low, high);
  }
  Value zero = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
  for (Value &value : values)
    value = LLVM::ExtractElementOp::create(b, value, zero);
  return values;
}

//===--- chunks ---===//

Value emitStackArray(ImplicitLocOpBuilder &b, Block &entry, Type type, int64_t count) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&entry);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  return LLVM::AllocaOp::create(b, pointer, type, emitNumber(b, count), /*alignment=*/64);
}

ChunkFold::ChunkFold(ImplicitLocOpBuilder &builder, TypeRange types, Value count,
                     std::optional<int64_t> staticCount, Block &entry)
    : b(builder), types(types) {
  int64_t depthMax = staticCount ? llvm::Log2_64_Ceil(*staticCount) + 1 : 64;
  for (Type type : types)
    stacks.push_back(emitStackArray(b, entry, type, depthMax));
  if (staticCount) {
    levels = emitNumber(b, depthMax - 1);
    return;
  }
  Value last = arith::SubIOp::create(b, count, emitNumber(b, 1));
  Value zeros = LLVM::CountLeadingZerosOp::create(b, last, /*is_zero_poison=*/false);
  levels = arith::SubIOp::create(b, emitNumber(b, 64), zeros);
}

Value ChunkFold::getSlot(unsigned index, Value level) {
  return LLVM::GEPOp::create(b, stacks[index].getType(), types[index], stacks[index],
                             ArrayRef<LLVM::GEPArg>{level});
}

SmallVector<Value> ChunkFold::loadLevel(Value level) {
  SmallVector<Value> values;
  for (auto [index, type] : llvm::enumerate(types))
    values.push_back(LLVM::LoadOp::create(b, type, getSlot(index, level)));
  return values;
}

SmallVector<Value> ChunkFold::run(function_ref<SmallVector<Value>(Value)> emitChunk,
                                  FoldPair fold) {
  Value zero = emitNumber(b, 0), one = emitNumber(b, 1);
  Value padded = arith::ShLIOp::create(b, one, levels);
  Value unused = arith::SubIOp::create(b, emitNumber(b, 63), levels);
  emitLoop(b, zero, padded, 1, {}, [&](Value visit, ValueRange) -> SmallVector<Value> {
    // The chunk's number is the visit's, its bits reversed.
    Value reversed = LLVM::BitReverseOp::create(b, visit);
    Value half = arith::ShRUIOp::create(b, reversed, one);
    SmallVector<Value> values = emitChunk(arith::ShRUIOp::create(b, half, unused));
    // As many levels are complete as the visit's number has ones at its end.
    Value ones = LLVM::CountTrailingZerosOp::create(
        b, arith::XOrIOp::create(b, visit, emitNumber(b, -1)), /*is_zero_poison=*/false);
    values = emitLoop(b, zero, ones, 1, values,
                      [&](Value level, ValueRange right) { return fold(loadLevel(level), right); });
    for (auto [index, value] : llvm::enumerate(values))
      LLVM::StoreOp::create(b, value, getSlot(index, ones));
    return {};
  });
  return loadLevel(levels);
}

} // namespace kernel
