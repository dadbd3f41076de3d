// `column`: a thread owns one column, or four neighbours where that makes accesses of 16 bytes;
// columns do not meet. A launch of up to 64 rows is one chain a column, in one function. More rows
// make chunks: for each phase of reductions one function writes a partial for each chunk to scratch
// memory, another folds them by halving. The last one stores as well.
#include "compiler/conversion/KernelToGPU/DeviceLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kernel {

namespace {

constexpr int64_t RowsPerChunk = 64, ColumnThreads = 128;
/// Fewer columns than that are better spread over more threads.
constexpr int64_t ColumnsForGroups = 512;
constexpr int64_t ScratchAlignment = 16;

/// The cut of the columns into blocks.
struct ColumnCut {
  int64_t columns, perThread, block, blocks;
  ColumnCut(int64_t columns, int64_t perThread) : columns(columns), perThread(perThread) {
    int64_t threads = llvm::divideCeil(columns, perThread);
    block = std::min<int64_t>(ColumnThreads, llvm::alignTo(threads, WarpSize));
    blocks = llvm::divideCeil(threads, block);
  }
};

int64_t countRowChunks(int64_t rows) { return llvm::divideCeil(rows, RowsPerChunk); }

class ColumnLowering : DeviceLowering {
public:
  ColumnLowering(FuncOp func, gpu::GPUModuleOp module, const KernelUse &use, const Twine &name,
                 ColumnCut cut)
      : DeviceLowering(func, module, use, name, cut.block), cut(cut) {
    emitter.setWidth(cut.perThread);
  }

  /// All phases, of launches that have one chunk.
  DeviceStage runWhole();
  /// A partial for each chunk of one phase.
  DeviceStage runPartial(unsigned phase);
  /// The results of one phase, and of the last the stores.
  DeviceStage runFold(unsigned phase);

private:
  void emitColumns(Value block, function_ref<void()> emit);
  void bindEarlier(unsigned phase);
  std::function<int64_t(int64_t)> getScratchBytes();

  // Scratch memory: for each accumulator a table of chunks by columns.
  SmallVector<int64_t> getElementBytes(unsigned phaseEnd);
  Value getSlot(unsigned phase, unsigned index, Value chunk, Type type);
  Value loadSlot(unsigned phase, unsigned index, Value chunk);
  void storeSlot(unsigned phase, unsigned index, Value chunk, Value value);

  ColumnCut cut;
  Value column, chunkCount;
};

void ColumnLowering::emitColumns(Value block, function_ref<void()> emit) {
  Value padded = add(getExtent(0).value, number(RowsPerChunk - 1));
  chunkCount = arith::DivUIOp::create(b, padded, number(RowsPerChunk));
  column = multiply(add(multiply(block, cut.block), device.thread), cut.perThread);
  emitIf(less(column, number(cut.columns)), [&] {
    emitter.setIndex(1, column);
    emitUniform(0, bit(0));
    emit();
  });
}

DeviceStage ColumnLowering::runWhole() {
  emitColumns(device.blockIndex, [&] {
    for (unsigned phase = 0; phase < phaseCount; ++phase) {
      bind(getReductions(phase), reduceRows(phase, number(0), getExtent(0).value));
      emitUniform(phase + 1, bit(0));
    }
    emitStores();
  });
  int64_t blocks = cut.blocks;
  return finish([blocks](int64_t, int64_t) { return blocks; });
}

DeviceStage ColumnLowering::runPartial(unsigned phase) {
  Value blocks = number(cut.blocks);
  Value chunk = arith::DivUIOp::create(b, device.blockIndex, blocks);
  emitColumns(arith::RemUIOp::create(b, device.blockIndex, blocks), [&] {
    bindEarlier(phase);
    Value start = multiply(chunk, RowsPerChunk);
    Value stop = smaller(add(start, number(RowsPerChunk)), getExtent(0).value);
    for (auto [index, value] : llvm::enumerate(reduceRows(phase, start, stop)))
      storeSlot(phase, index, chunk, value);
  });
  int64_t count = cut.blocks;
  auto extents = space;
  return finish(
      [count, extents](int64_t extent, int64_t) {
        return count * countRowChunks(extents.getExtent(0, extent));
      },
      getScratchBytes());
}

DeviceStage ColumnLowering::runFold(unsigned phase) {
  emitColumns(device.blockIndex, [&] {
    bindEarlier(phase);
    Ops reductions = getReductions(phase);
    int64_t chunksMax = countRowChunks(space.getExtent(0, use.extentMax));
    auto load = [&](Value chunk) {
      Values values;
      for (size_t index = 0; index < reductions.size(); ++index)
        values.push_back(loadSlot(phase, index, chunk));
      return values;
    };
    for (int64_t half = llvm::PowerOf2Ceil(chunksMax) / 2; half > 0; half /= 2) {
      // A partner past the last chunk is an identity.
      Value live = smaller(number(half), subtract(chunkCount, number(half)));
      emitLoop(b, number(0), live, 1, {}, [&](Value chunk, ValueRange) -> Values {
        Values folded = fold(reductions, load(chunk), load(add(chunk, number(half))));
        for (auto [index, value] : llvm::enumerate(folded))
          storeSlot(phase, index, chunk, value);
        return {};
      });
    }
    if (phase + 1 < phaseCount) return;
    bind(reductions, load(number(0)));
    emitUniform(phase + 1, bit(0));
    emitStores();
  });
  int64_t blocks = cut.blocks;
  return finish([blocks](int64_t, int64_t) { return blocks; }, getScratchBytes());
}

/// The results of the phases before this one.
void ColumnLowering::bindEarlier(unsigned phase) {
  for (unsigned earlier = 0; earlier < phase; ++earlier) {
    Ops reductions = getReductions(earlier);
    Values values;
    for (size_t index = 0; index < reductions.size(); ++index)
      values.push_back(loadSlot(earlier, index, number(0)));
    bind(reductions, values);
    emitUniform(earlier + 1, bit(0));
  }
}

//===--- scratch memory ---===//

/// Bytes of an element of each accumulator, in the phases before `phaseEnd`.
SmallVector<int64_t> ColumnLowering::getElementBytes(unsigned phaseEnd) {
  SmallVector<int64_t> bytes;
  for (unsigned phase = 0; phase < phaseEnd; ++phase)
    for (Operation *op : getReductions(phase))
      bytes.push_back(op->getResult(0).getType().getIntOrFloatBitWidth() / 8);
  return bytes;
}

std::function<int64_t(int64_t)> ColumnLowering::getScratchBytes() {
  SmallVector<int64_t> sizes = getElementBytes(phaseCount);
  int64_t columns = cut.columns;
  auto extents = space;
  return [sizes, columns, extents](int64_t extent) {
    int64_t count = countRowChunks(extents.getExtent(0, extent)), bytes = 0;
    for (int64_t size : sizes)
      bytes += llvm::alignTo(count * columns * size, ScratchAlignment);
    return bytes;
  };
}

Value ColumnLowering::getSlot(unsigned phase, unsigned index, Value chunk, Type type) {
  SmallVector<int64_t> before = getElementBytes(phaseCount);
  before.resize(getElementBytes(phase).size() + index);
  Value table = number(0);
  for (int64_t size : before) {
    Value bytes = add(multiply(chunkCount, cut.columns * size), number(ScratchAlignment - 1));
    table = add(table, arith::AndIOp::create(b, bytes, number(-ScratchAlignment)));
  }
  Value start = device.getPlace(device.getScratch(), b.getI8Type(), table);
  return device.getPlace(start, type, add(multiply(chunk, cut.columns), column));
}

/// A value for each column of the thread, or the one value of all columns.
Value ColumnLowering::loadSlot(unsigned phase, unsigned index, Value chunk) {
  Value result = getReductions(phase)[index]->getResult(0);
  Type type = result.getType();
  Value place = getSlot(phase, index, chunk, type);
  if (!emitter.isVector(result))
    return LLVM::LoadOp::create(b, type, place, type.getIntOrFloatBitWidth() / 8);
  return LLVM::LoadOp::create(b, emitter.getVectorType(type), place, ScratchAlignment);
}

void ColumnLowering::storeSlot(unsigned phase, unsigned index, Value chunk, Value value) {
  Value result = getReductions(phase)[index]->getResult(0);
  Type type = result.getType();
  bool isVector = emitter.isVector(result);
  LLVM::StoreOp::create(b, value, getSlot(phase, index, chunk, type),
                        isVector ? ScratchAlignment : type.getIntOrFloatBitWidth() / 8);
}

} // namespace

DeviceStages lowerColumn(FuncOp func, gpu::GPUModuleOp device, const KernelUse &use,
                         StringRef name) {
  SpaceAttr space = func.getSpace();
  int64_t columns = space.getExtents()[1];
  bool isGrouped = columns >= ColumnsForGroups && columns % GroupSize == 0 &&
                   hasVectorAccess(func, use.alignments);
  ColumnCut cut(columns, isGrouped ? GroupSize : 1);
  unsigned phases = BodyLowering(func).getPhaseCount();
  if (phases == 0 || countRowChunks(space.getExtent(0, use.extentMax)) == 1)
    return {ColumnLowering(func, device, use, name + "_column", cut).runWhole()};
  DeviceStages stages;
  for (unsigned phase = 0; phase < phases; ++phase) {
    auto getName = [&](StringRef part) { return (name + part + Twine(phase)).str(); };
    stages.push_back(ColumnLowering(func, device, use, getName("_partial"), cut).runPartial(phase));
    stages.push_back(ColumnLowering(func, device, use, getName("_fold"), cut).runFold(phase));
  }
  return stages;
}

} // namespace kernel
