// `scatter`: a block of threads owns some destinations of one g, and a thread one column of them.
// It sets them to -0.0, walks over all p, and adds what belongs to them to what lies in memory:
// each element is one chain in rising p, and no two threads write one element.
#include "compiler/conversion/KernelToGPU/DeviceLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kernel {

namespace {

constexpr int64_t ScatterThreads = 128;
/// Blocks that a launch aims at: more of them each walk over all p for fewer destinations.
constexpr int64_t BlocksWanted = 2048;

/// How the destinations are dealt out to blocks.
struct ScatterCut {
  int64_t block, columnBlocks, rows, rowBlocks, groups;
  explicit ScatterCut(SpaceAttr space) {
    ArrayRef<int64_t> extents = space.getExtents();
    groups = extents[0];
    block = std::min<int64_t>(ScatterThreads, llvm::alignTo(extents[3], WarpSize));
    columnBlocks = llvm::divideCeil(extents[3], block);
    rows = std::max<int64_t>(1, extents[1] * columnBlocks * groups / BlocksWanted);
    rowBlocks = llvm::divideCeil(extents[1], rows);
  }
};

class ScatterLowering : DeviceLowering {
public:
  ScatterLowering(FuncOp func, gpu::GPUModuleOp module, const KernelUse &use, StringRef name,
                  ScatterCut cut)
      : DeviceLowering(func, module, use, name + "_scatter", cut.block), cut(cut),
        scatter(*func.getOps<ScatterOp>().begin()) {}

  DeviceStages run() {
    Value columns = number(cut.columnBlocks), rowBlocks = number(cut.rowBlocks);
    Value part = arith::RemUIOp::create(b, device.blockIndex, columns);
    Value rest = arith::DivUIOp::create(b, device.blockIndex, columns);
    Value column = add(multiply(part, cut.block), device.thread);
    Value first = multiply(arith::RemUIOp::create(b, rest, rowBlocks), cut.rows);
    Value stop = smaller(add(first, number(cut.rows)), getExtent(1).value);
    emitIf(less(column, getExtent(3).value), [&] {
      emitter.setIndex(0, arith::DivUIOp::create(b, rest, rowBlocks));
      emitter.setIndex(3, column);
      emitUniform(0, bit(1) | bit(2));
      clearTargets(first, stop);
      emitLoop(b, number(0), getExtent(2).value, 1, {}, [&](Value p, ValueRange) -> Values {
        BodyEmitter::Scope scope(emitter);
        emitter.setIndex(2, p);
        addToTarget(first, stop);
        return {};
      });
    });
    int64_t blocks = cut.groups * cut.rowBlocks * cut.columnBlocks;
    return {finish([blocks](int64_t, int64_t) { return blocks; })};
  }

private:
  void clearTargets(Value first, Value stop) {
    emitLoop(b, first, stop, 1, {}, [&](Value n, ValueRange) -> Values {
      BodyEmitter::Scope scope(emitter);
      emitter.setIndex(1, n);
      emitter.set(scatter, emitter.getConstant(b.getF32Type(), -0.0));
      emitStores();
      return {};
    });
  }

  void addToTarget(Value first, Value stop) {
    for (Operation *op : getSlice(scatter.getAt(), bit(2)))
      if (!emitter.get(op->getResult(0))) emitter.emit(op);
    Value index = emitter.get(scatter.getAt());
    Value isOwn = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, subtract(index, first),
                                        subtract(stop, first));
    emitIf(isOwn, [&] {
      emitter.setIndex(1, index);
      for (Operation *op : getSlice(scatter.getValue(), bit(2)))
        if (!emitter.get(op->getResult(0))) emitter.emit(op);
      Value value = emitter.get(scatter.getValue());
      for (StoreOp store : func.getOps<StoreOp>()) {
        emitter.set(scatter, arith::AddFOp::create(b, emitter.loadTarget(store), value));
        emitter.emit(store);
      }
    });
  }

  ScatterCut cut;
  ScatterOp scatter;
};

} // namespace

DeviceStages lowerScatter(FuncOp func, gpu::GPUModuleOp device, const KernelUse &use,
                          StringRef name) {
  return ScatterLowering(func, device, use, name, ScatterCut(func.getSpace())).run();
}

} // namespace kernel
