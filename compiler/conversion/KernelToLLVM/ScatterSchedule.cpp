// `scatter`: a work item owns a block of destinations of one g. It sets them to -0.0 and walks over
// all p; a value whose index lies in the block is added to what lies in memory. So each destination
// is one chain in rising p, whoever owns it.
#include "compiler/conversion/KernelToLLVM/KernelLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace kernel {

void KernelLowering::lowerScatter() {
  Value size = getExtent(1).value, block = number(SpaceAttr::ScatterBlock);
  Value padded = add(size, number(SpaceAttr::ScatterBlock - 1));
  Value blocks = arith::DivUIOp::create(b, padded, block);
  emitLoop(b, begin, end, 1, {}, [&](Value item, ValueRange) -> Values {
    BodyEmitter::Scope scope(emitter);
    emitter.setIndex(0, arith::DivUIOp::create(b, item, blocks));
    Value first = arith::MulIOp::create(b, arith::RemUIOp::create(b, item, blocks), block);
    Value stop = smaller(add(first, block), size);
    emitUniform(0, bit(1) | bit(2) | bit(3));
    clearTargets(first, stop);
    emitLoop(b, number(0), getExtent(2).value, 1, {}, [&](Value p, ValueRange) -> Values {
      BodyEmitter::Scope pointScope(emitter);
      emitter.setIndex(2, p);
      addToTarget(first, stop);
      return {};
    });
    return {};
  });
}

void KernelLowering::forColumns(function_ref<void()> emit) {
  Extent size = getExtent(3);
  emitBlocks(number(0), size.value, *size.fixed % width == 0, *size.fixed < width, emit);
}

/// Destinations [first, stop) become -0.0.
void KernelLowering::clearTargets(Value first, Value stop) {
  ScatterOp scatter = *func.getOps<ScatterOp>().begin();
  emitLoop(b, first, stop, 1, {}, [&](Value n, ValueRange) -> Values {
    BodyEmitter::Scope scope(emitter);
    emitter.setIndex(1, n);
    forColumns([&] {
      Value zero = emitter.getConstant(b.getF32Type(), -0.0);
      emitter.set(scatter, width > 1 ? emitter.broadcast(zero) : zero);
      for (StoreOp store : func.getOps<StoreOp>())
        emitter.emit(store);
    });
    return {};
  });
}

/// Adds the values of one p if their destination is one of [first, stop).
void KernelLowering::addToTarget(Value first, Value stop) {
  ScatterOp scatter = *func.getOps<ScatterOp>().begin();
  for (Operation *op : getSlice(scatter.getAt(), bit(2)))
    emitter.emit(op);
  Value index = emitter.get(scatter.getAt());
  Value isOwn = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, subtract(index, first),
                                      subtract(stop, first));
  scf::IfOp::create(b, isOwn, [&](OpBuilder &, Location) {
    BodyEmitter::Scope scope(emitter);
    emitter.setIndex(1, index);
    Ops needed = getSlice(scatter.getValue(), bit(2) | bit(3));
    auto emitMissing = [&](bool isInner) {
      for (Operation *op : needed)
        if (!emitter.get(op->getResult(0)) &&
            (isInner || !emitter.getVariation().variesOver(op->getResult(0), 3)))
          emitter.emit(op);
    };
    emitMissing(/*isInner=*/false);
    forColumns([&] {
      emitMissing(/*isInner=*/true);
      Value value = scatter.getValue();
      value = width > 1 ? emitter.getVector(value) : emitter.get(value);
      for (StoreOp store : func.getOps<StoreOp>()) {
        emitter.set(scatter, arith::AddFOp::create(b, emitter.loadTarget(store), value));
        emitter.emit(store);
      }
    });
    scf::YieldOp::create(b);
  });
}

} // namespace kernel
