// The frame of a kernel's function and what every schedule needs of it.
#include "compiler/conversion/KernelToLLVM/KernelLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kernel {

KernelLowering::KernelLowering(FuncOp func, LLVM::LLVMFuncOp target, int64_t widthMax)
    : BodyLowering(func), target(target), width(chooseWidth(widthMax)) {
  emitEntry();
  emitter.setWidth(width);
}

void KernelLowering::run() {
  emitUniform(0, ~DimSet(0));
  if (space.getSchedule() == Schedule::Linear)
    lowerLinear();
  else if (space.getSchedule() == Schedule::Row)
    lowerRow();
  else if (space.getSchedule() == Schedule::Scatter)
    lowerScatter();
  else
    lowerColumn();
  LLVM::ReturnOp::create(b, ValueRange{});
}

/// The four arguments of the ABI; reads the buffers' addresses and the run-time extent.
void KernelLowering::emitEntry() {
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
  emitter.setPointers(loaded);
}

/// Short inner dims need fewer lanes; a single element needs no vector. Long bodies gain nothing
/// from more than 16 and take long to compile (normal random values: 76 ms at 16, 119 ms at 32).
int64_t KernelLowering::chooseWidth(int64_t widthMax) {
  constexpr size_t LongBody = 160;
  if (func.getBlock().getOperations().size() > LongBody) widthMax = std::min<int64_t>(widthMax, 16);
  int64_t size = space.getExtents()[space.getInnerDim()];
  if (ShapedType::isDynamic(size)) return widthMax;
  bool isAlone =
      space.getSchedule() == Schedule::Linear || space.getSchedule() == Schedule::Scatter;
  if (isAlone && size == 1) return 1;
  return std::min(widthMax, std::max<int64_t>(8, llvm::PowerOf2Ceil(size)));
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
