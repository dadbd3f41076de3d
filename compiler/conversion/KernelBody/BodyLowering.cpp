// The walk over a body that both targets share: what each phase computes and combines.
#include "compiler/conversion/KernelBody/BodyLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace kernel {

BodyLowering::BodyLowering(FuncOp func)
    : func(func), space(func.getSpace()), b(func.getLoc(), func.getContext()), emitter(b, func) {
  cutIntoPhases();
}

BodyLowering::Extent BodyLowering::getExtent(unsigned dim) {
  int64_t size = space.getExtents()[dim];
  if (ShapedType::isDynamic(size)) return {extent, std::nullopt};
  return {number(size), size};
}

/// An item's number to the indices of the grid dims, the last one fastest.
void BodyLowering::decodeGrid(Value item) {
  for (unsigned dim = space.getReducedDim(); dim-- > 0;) {
    if (dim == 0) {
      emitter.setIndex(0, item);
      return;
    }
    Value size = getExtent(dim).value;
    emitter.setIndex(dim, arith::RemUIOp::create(b, item, size));
    item = arith::DivUIOp::create(b, item, size);
  }
}

void BodyLowering::cutIntoPhases() {
  llvm::DenseMap<Value, unsigned> ready;
  for (Operation &op : func.getBlock()) {
    unsigned phase = 0;
    for (Value operand : op.getOperands())
      phase = std::max(phase, ready.lookup(operand));
    phaseOf[&op] = phase;
    bool isReduction = isa<ReduceOp, ArgmaxOp>(op);
    if (isReduction) phaseCount = std::max(phaseCount, phase + 1);
    for (Value result : op.getResults())
      ready[result] = phase + isReduction;
  }
}

void BodyLowering::emitUniform(unsigned phase, DimSet except) {
  for (Operation &op : func.getBlock()) {
    if (op.getNumResults() == 0 || isa<ReduceOp, ArgmaxOp>(op) || getPhase(&op) != phase) continue;
    bool isEmitted = bool(emitter.get(op.getResult(0)));
    if (!isEmitted && !(emitter.getVariation().of(op.getResult(0)) & except)) emitter.emit(&op);
  }
}

BodyLowering::Ops BodyLowering::getSlice(ValueRange roots, DimSet over) {
  llvm::DenseSet<Operation *> needed;
  for (Value root : roots)
    if (Operation *op = root.getDefiningOp()) needed.insert(op);
  Ops slice;
  for (Operation &op : llvm::reverse(func.getBlock())) {
    if (!needed.contains(&op) || !op.getNumResults() ||
        !(emitter.getVariation().of(op.getResult(0)) & over))
      continue;
    slice.push_back(&op);
    for (Value operand : op.getOperands())
      if (Operation *definition = operand.getDefiningOp()) needed.insert(definition);
  }
  std::reverse(slice.begin(), slice.end());
  return slice;
}

BodyLowering::Ops BodyLowering::getReductions(unsigned phase) {
  Ops reductions;
  for (Operation &op : func.getBlock())
    if (isa<ReduceOp, ArgmaxOp>(op) && getPhase(&op) == phase) reductions.push_back(&op);
  return reductions;
}

Value BodyLowering::add(Value left, Value right) { return arith::AddIOp::create(b, left, right); }

Value BodyLowering::subtract(Value left, Value right) {
  return arith::SubIOp::create(b, left, right);
}

Value BodyLowering::smaller(Value left, Value right) {
  Value less = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, left, right);
  return arith::SelectOp::create(b, less, left, right);
}

//===--- accumulators ---===//

BodyLowering::Values BodyLowering::getIdentities(ArrayRef<Operation *> reductions, bool isVector) {
  Values values;
  auto push = [&](TypedAttr attr) {
    Value scalar = arith::ConstantOp::create(b, attr);
    values.push_back(isVector ? emitter.broadcast(scalar) : scalar);
  };
  for (Operation *op : reductions) {
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      push(getIdentity(reduce.getKind(), reduce.getType()));
      continue;
    }
    push(getIdentity(ReduceKind::Max, b.getF32Type()));
    push(b.getI32IntegerAttr(0));
  }
  return values;
}

BodyLowering::Values BodyLowering::accumulate(ArrayRef<Operation *> reductions, ValueRange values,
                                              Value first) {
  // A dead lane contributes the identity.
  auto getLive = [&](Value value, ReduceKind kind) -> Value {
    Value vector = emitter.getVector(value);
    if (!emitter.getMask()) return vector;
    Value identity = arith::ConstantOp::create(b, getIdentity(kind, value.getType()));
    return arith::SelectOp::create(b, emitter.getMask(), vector, emitter.broadcast(identity));
  };
  Values next;
  for (Operation *op : reductions) {
    Value value = values[next.size()];
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      Value live = getLive(reduce.getValue(), reduce.getKind());
      next.push_back(combine(b, reduce.getKind(), value, live));
      continue;
    }
    Value live = getLive(op->getOperand(0), ReduceKind::Max);
    Value start = arith::TruncIOp::create(b, b.getI32Type(), first);
    Value index = add(emitter.broadcast(start), emitter.getLaneNumbers(b.getI32Type()));
    Value wins = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, live, value);
    Value at = values[next.size() + 1];
    next.push_back(arith::SelectOp::create(b, wins, live, value));
    next.push_back(arith::SelectOp::create(b, wins, index, at));
  }
  return next;
}

BodyLowering::Values BodyLowering::fold(ArrayRef<Operation *> reductions, ValueRange left,
                                        ValueRange right) {
  Values folded;
  for (Operation *op : reductions) {
    size_t at = folded.size();
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      folded.push_back(combine(b, reduce.getKind(), left[at], right[at]));
      continue;
    }
    // The right one wins if it is larger, or as large and earlier.
    Value larger = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, right[at], left[at]);
    Value equal = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, right[at], left[at]);
    Value earlier =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt, right[at + 1], left[at + 1]);
    Value wins = arith::OrIOp::create(b, larger, arith::AndIOp::create(b, equal, earlier));
    folded.push_back(arith::SelectOp::create(b, wins, right[at], left[at]));
    folded.push_back(arith::SelectOp::create(b, wins, right[at + 1], left[at + 1]));
  }
  return folded;
}

BodyLowering::Values BodyLowering::reduceRows(unsigned phase, Value start, Value stop) {
  Ops reductions = getReductions(phase);
  Values roots, identities;
  for (Operation *op : reductions) {
    roots.push_back(op->getOperand(0));
    identities.append(getIdentities(op, emitter.isVector(op->getResult(0))));
  }
  Ops slice = getSlice(roots, bit(0));
  return emitLoop(b, start, stop, 1, identities, [&](Value row, ValueRange values) {
    BodyEmitter::Scope scope(emitter);
    emitter.setIndex(0, row);
    for (Operation *op : slice)
      emitter.emit(op);
    Values next;
    for (auto [op, value] : llvm::zip_equal(reductions, values)) {
      auto reduce = cast<ReduceOp>(op);
      next.push_back(combine(b, reduce.getKind(), value, emitter.get(reduce.getValue())));
    }
    return next;
  });
}

BodyLowering::RowStores BodyLowering::getRowStores() {
  unsigned row = space.getReducedDim();
  RowStores stores;
  Values roots;
  for (StoreOp store : func.getOps<StoreOp>()) {
    bool isVarying = store.getMap().isFunctionOfDim(row);
    (isVarying ? stores.varying : stores.uniform).push_back(store);
    if (isVarying) roots.push_back(store.getValue());
  }
  stores.slice = getSlice(roots, bit(row));
  return stores;
}

void BodyLowering::bind(ArrayRef<Operation *> reductions, ValueRange values) {
  size_t at = 0;
  for (Operation *op : reductions) {
    bool isArgmax = isa<ArgmaxOp>(op);
    emitter.set(op->getResult(0), values[at + isArgmax]);
    at += isArgmax ? 2 : 1;
  }
}

} // namespace kernel
