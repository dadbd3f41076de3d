// What must hold of a single op. That instructions, lifetimes and offsets fit together is checked
// on the encoded plan by runtime/abi/PlanVerify, which shares no code with placement.
#include "dialects/plan/Plan.h"

#include <mlir/IR/Builders.h>
#include <mlir/Interfaces/FunctionInterfaces.h>

#include <limits>

using namespace mlir;

namespace plan {

LogicalResult ArenaOp::verify() {
  if (getAlignment() <= 0 || getSizeBytes() < 0 || getSizeBytes() % getAlignment() != 0) // arena_c1
    return emitOpError() << "has " << getSizeBytes() << " bytes at alignment " << getAlignment()
                         << " (arena_c1)";
  return success();
}

LogicalResult BufferOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto arena = symbols.lookupNearestSymbolFrom<ArenaOp>(*this, getArenaAttr());
  auto type = dyn_cast<RankedTensorType>(getType());
  if (!arena || !type || !type.hasStaticShape())
    return emitOpError() << "needs a static tensor type and an arena (buffer_c1)";
  int64_t elementBytes = std::max<int64_t>(1, type.getElementTypeBitWidth() / 8);
  int64_t end = getOffset() + type.getNumElements() * elementBytes;
  if (getOffset() < 0 || end > static_cast<int64_t>(arena.getSizeBytes())) // buffer_c1
    return emitOpError() << "ends at " << end << " of " << arena.getSizeBytes() << " (buffer_c1)";
  return success();
}

LogicalResult FunctionOp::verify() {
  if (getBlockSize() <= 0 || getSharedBytes() < 0) // function_c1
    return emitOpError() << "has blocks of " << getBlockSize() << " threads and "
                         << getSharedBytes() << " bytes (function_c1)";
  return success();
}

LogicalResult StageAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                FlatSymbolRefAttr function, int64_t grid, ArrayRef<int64_t>,
                                int64_t scratchBytes) {
  if (grid <= 0 || grid > std::numeric_limits<int32_t>::max() || scratchBytes < 0) // stage_c1
    return emitError() << function << " has " << grid << " blocks and " << scratchBytes
                       << " bytes of scratch (stage_c1)";
  return success();
}

/// The functions that `stages` name exist.
static LogicalResult verifyStages(Operation *op, std::optional<ArrayAttr> stages,
                                  StringRef constraint, SymbolTableCollection &symbols) {
  if (!stages) return success();
  for (auto stage : stages->getAsRange<StageAttr>())
    if (!symbols.lookupNearestSymbolFrom<FunctionOp>(op, stage.getFunction()))
      return op->emitOpError() << "has a stage of " << stage.getFunction()
                               << ", which is no function (" << constraint << ")";
  return success();
}

void ProgramOp::build(OpBuilder &builder, OperationState &state, StringRef name, int64_t rows,
                      ArrayAttr reads, bool perThread) {
  state.addAttribute(SymbolTable::getSymbolAttrName(), builder.getStringAttr(name));
  auto &properties = state.getOrAddProperties<Properties>();
  properties.sym_name = builder.getStringAttr(name);
  properties.rows = rows;
  properties.reads = reads;
  properties.perThread = perThread;
  state.addRegion()->emplaceBlock();
}

void LoopOp::build(OpBuilder &, OperationState &state, int64_t trips, bool sync) {
  auto &properties = state.getOrAddProperties<Properties>();
  properties.trips = trips;
  properties.sync = sync;
  state.addRegion()->emplaceBlock();
}

/// The ranges that an instruction names.
static SmallVector<RefAttr> refsOf(Operation *op) {
  SmallVector<RefAttr> refs;
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    if (auto ref = dyn_cast<RefAttr>(attribute.getValue())) refs.push_back(ref);
    if (auto list = dyn_cast<ArrayAttr>(attribute.getValue()))
      for (Attribute entry : list)
        if (auto ref = dyn_cast<RefAttr>(entry)) refs.push_back(ref);
  }
  return refs;
}

LogicalResult LoopOp::verifyRegions() {
  auto outer = dyn_cast<LoopOp>((*this)->getParentOp());
  if (getTrips() < 1 || (outer && isa<LoopOp>(outer->getParentOp()))) // loop_c1
    return emitOpError() << "has " << getTrips()
                         << " trips, or stands within more than one other (loop_c1)";
  size_t depth = outer ? 2 : 1;
  for (Operation &op : getBody().front())
    for (RefAttr ref : refsOf(&op))
      if (ref.getSteps().size() > depth) // loop_c2
        return op.emitOpError() << "steps with more loops than stand around it: " << ref
                                << " (loop_c2)";
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *kernel = symbols.lookupNearestSymbolFrom(*this, getKernelAttr());
  if (!kernel)
    return emitOpError() << "launches '" << getKernel() << "', which does not exist (launch_c1)";
  if (kernel->getNumRegions() == 1 && !kernel->getRegion(0).empty() &&
      kernel->getRegion(0).getNumArguments() != getArgs().size()) // launch_c1
    return emitOpError() << "passes " << getArgs().size() << " arguments to '" << getKernel()
                         << "', which takes " << kernel->getRegion(0).getNumArguments()
                         << " (launch_c1)";
  return verifyStages(*this, getStages(), "launch_c2", symbols);
}

LogicalResult ContractOp::verify() {
  auto bytes = [&](unsigned index) { return cast<RefAttr>(getArgs()[index]).getSizeBytes(); };
  int64_t each = 4 * getBatch();
  if (getArgs().size() != 3 || bytes(0) != each * getM() * getK() ||
      bytes(1) != each * getK() * getN() || bytes(2) != each * getM() * getN()) // contract_c1
    return emitOpError() << "needs three arguments of the sizes of batch, m, n and k (contract_c1)";
  return success();
}

LogicalResult ContractOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyStages(*this, getStages(), "contract_c2", symbols);
}

LogicalResult CopyOp::verify() {
  if (getTo().getSizeBytes() != getFrom().getSizeBytes()) // copy_c1
    return emitOpError() << "copies " << getFrom().getSizeBytes() << " bytes to "
                         << getTo().getSizeBytes() << " (copy_c1)";
  return success();
}

} // namespace plan
