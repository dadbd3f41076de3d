// The frame of a kernel's function and what every schedule needs of it.
#include "compiler/conversion/KernelToLLVM/KernelLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;

namespace kernel {

KernelLowering::KernelLowering(FuncOp func, LLVM::LLVMFuncOp target, int64_t widthMax)
    : func(func), space(func.getSpace()), target(target), b(func.getLoc(), func.getContext()),
      pointers(emitEntry()), width(chooseWidth(widthMax)), emitter(b, func, pointers, width) {
  cutIntoPhases();
}

void KernelLowering::run() {
  emitUniform(0, ~DimSet(0));
  if (space.getSchedule() == Schedule::Linear)
    lowerLinear();
  else if (space.getSchedule() == Schedule::Row)
    lowerRow();
  else
    lowerColumn();
  LLVM::ReturnOp::create(b, ValueRange{});
}

/// The four arguments of the ABI; reads the buffers' addresses and the run-time extent.
KernelLowering::Values KernelLowering::emitEntry() {
  Block *entry = target.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  begin = entry->getArgument(2);
  end = entry->getArgument(3);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto at = [&](Value base, Type type, int32_t index) -> Value {
    return LLVM::GEPOp::create(b, pointer, type, base, ArrayRef<LLVM::GEPArg>{index});
  };
  Values loaded;
  for (unsigned index = 0; index < func.getBlock().getNumArguments(); ++index)
    loaded.push_back(LLVM::LoadOp::create(b, pointer, at(entry->getArgument(1), pointer, index)));
  if (space.isDynamic()) // DlmCtx.extent, after two 32-bit numbers
    extent = LLVM::LoadOp::create(b, b.getI64Type(), at(entry->getArgument(0), b.getI64Type(), 1));
  return loaded;
}

/// Short inner dims need fewer lanes; a single element needs no vector. Long bodies gain nothing
/// from more than 16 and take long to compile (normal random values: 76 ms at 16, 119 ms at 32).
int64_t KernelLowering::chooseWidth(int64_t widthMax) {
  constexpr size_t LongBody = 160;
  if (func.getBlock().getOperations().size() > LongBody) widthMax = std::min<int64_t>(widthMax, 16);
  int64_t size = space.getExtents()[space.getInnerDim()];
  if (ShapedType::isDynamic(size)) return widthMax;
  if (space.getSchedule() == Schedule::Linear && size == 1) return 1;
  return std::min(widthMax, std::max<int64_t>(8, llvm::PowerOf2Ceil(size)));
}

KernelLowering::Extent KernelLowering::getExtent(unsigned dim) {
  int64_t size = space.getExtents()[dim];
  if (ShapedType::isDynamic(size)) return {extent, std::nullopt};
  return {number(size), size};
}

void KernelLowering::cutIntoPhases() {
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

void KernelLowering::emitUniform(unsigned phase, DimSet except) {
  for (Operation &op : func.getBlock()) {
    if (op.getNumResults() == 0 || isa<ReduceOp, ArgmaxOp>(op) || getPhase(&op) != phase) continue;
    bool isEmitted = bool(emitter.get(op.getResult(0)));
    if (!isEmitted && !(emitter.getVariation().of(op.getResult(0)) & except)) emitter.emit(&op);
  }
}

KernelLowering::Ops KernelLowering::getSlice(ValueRange roots, DimSet over) {
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

KernelLowering::Ops KernelLowering::getReductions(unsigned phase) {
  Ops reductions;
  for (Operation &op : func.getBlock())
    if (isa<ReduceOp, ArgmaxOp>(op) && getPhase(&op) == phase) reductions.push_back(&op);
  return reductions;
}

void KernelLowering::emitBlocks(Value from, Value to, bool isMultiple, bool isShort,
                                function_ref<void()> emit) {
  unsigned inner = space.getInnerDim();
  auto emitMasked = [&](Value first) {
    BodyEmitter::Scope scope(emitter);
    emitter.setIndex(inner, first);
    emitter.setLiveLanes(subtract(to, first));
    emit();
  };
  if (isShort && !isMultiple) return emitMasked(from);
  emitLoop(b, from, subtract(to, number(width - 1)), width, {},
           [&](Value first, ValueRange) -> Values {
             BodyEmitter::Scope scope(emitter);
             emitter.setIndex(inner, first);
             emit();
             return {};
           });
  if (isMultiple) return;
  Value size = subtract(to, from);
  Value first = add(from, arith::AndIOp::create(b, size, number(-width)));
  Value isLeft = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, first, to);
  scf::IfOp::create(b, isLeft, [&](OpBuilder &, Location) {
    emitMasked(first);
    scf::YieldOp::create(b);
  });
}

Value KernelLowering::add(Value left, Value right) { return arith::AddIOp::create(b, left, right); }

Value KernelLowering::subtract(Value left, Value right) {
  return arith::SubIOp::create(b, left, right);
}

Value KernelLowering::smaller(Value left, Value right) {
  Value less = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, left, right);
  return arith::SelectOp::create(b, less, left, right);
}

//===--- accumulators ---===//

KernelLowering::Values KernelLowering::getIdentities(ArrayRef<Operation *> reductions,
                                                     bool isVector) {
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

KernelLowering::Values KernelLowering::accumulate(ArrayRef<Operation *> reductions,
                                                  ValueRange values, Value first) {
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

KernelLowering::Values KernelLowering::fold(ArrayRef<Operation *> reductions, ValueRange left,
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

void KernelLowering::bind(ArrayRef<Operation *> reductions, ValueRange values) {
  size_t at = 0;
  for (Operation *op : reductions) {
    bool isArgmax = isa<ArgmaxOp>(op);
    emitter.set(op->getResult(0), values[at + isArgmax]);
    at += isArgmax ? 2 : 1;
  }
}

KernelLowering::Values KernelLowering::emitChunks(ArrayRef<Operation *> reductions, Extent extent,
                                                  int64_t chunk, TypeRange types,
                                                  function_ref<Values(Value, Value)> emitChunk) {
  if (extent.fixed && *extent.fixed <= chunk) return emitChunk(number(0), extent.value);
  std::optional<int64_t> staticCount;
  if (extent.fixed) staticCount = (*extent.fixed + chunk - 1) / chunk;
  Value padded = add(extent.value, number(chunk - 1));
  Value count = arith::DivUIOp::create(b, padded, number(chunk));
  ChunkFold chunks(b, types, count, staticCount, target.getBody().front());
  auto emitNumbered = [&](Value index) {
    Value start = smaller(arith::MulIOp::create(b, index, number(chunk)), extent.value);
    return emitChunk(start, smaller(add(start, number(chunk)), extent.value));
  };
  return chunks.run(emitNumbered, [&](ValueRange left, ValueRange right) {
    return fold(reductions, left, right);
  });
}

} // namespace kernel
