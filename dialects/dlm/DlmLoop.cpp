// The loop op: how it is made, its parts, what must hold of it, and what it costs.
#include "dialects/dlm/Dlm.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace dlm {

using mlir::Block;
using mlir::RankedTensorType;
using mlir::Type;

namespace {

RankedTensorType stackedType(Type type, int64_t trips) {
  auto each = mlir::cast<RankedTensorType>(type);
  llvm::SmallVector<int64_t> shape{trips};
  llvm::append_range(shape, each.getShape());
  return each.clone(shape);
}

RankedTensorType sliceType(Type type) {
  auto whole = mlir::cast<RankedTensorType>(type);
  return whole.clone(whole.getShape().drop_front());
}

/// What the block of a scan takes.
llvm::SmallVector<Type> argumentTypes(mlir::MLIRContext *context, mlir::ValueRange inits,
                                      mlir::ValueRange xs, mlir::ValueRange captures) {
  llvm::SmallVector<Type> types{RankedTensorType::get({}, mlir::IntegerType::get(context, 32))};
  llvm::append_range(types, inits.getTypes());
  for (Type type : xs.getTypes())
    types.push_back(sliceType(type));
  llvm::append_range(types, captures.getTypes());
  return types;
}

} // namespace

void ScanOp::build(mlir::OpBuilder &builder, mlir::OperationState &state, int64_t trips,
                   bool reverse, mlir::ValueRange inits, mlir::ValueRange xs,
                   mlir::ValueRange captures, mlir::TypeRange outputs) {
  for (mlir::ValueRange part : {inits, xs, captures})
    state.addOperands(part);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.trips = builder.getI64IntegerAttr(trips);
  properties.reverse = reverse;
  llvm::copy(
      llvm::ArrayRef<int32_t>{int32_t(inits.size()), int32_t(xs.size()), int32_t(captures.size())},
      properties.operandSegmentSizes.begin());
  state.addTypes(inits.getTypes());
  for (Type type : outputs)
    state.addTypes(stackedType(type, trips));
  Block &block = state.addRegion()->emplaceBlock();
  for (Type type : argumentTypes(builder.getContext(), inits, xs, captures))
    block.addArgument(type, state.location);
}

/// What the ops of `step` and the values that it gives use from around it. Constants are not in it:
/// they get a copy in the block, and uses of them in `given` as well.
static llvm::SetVector<mlir::Value> usedFromAround(Block &step,
                                                   llvm::MutableArrayRef<mlir::Value> given) {
  llvm::SetVector<mlir::Value> used;
  llvm::DenseMap<mlir::Value, mlir::Value> constants;
  auto inStep = [&](mlir::Value value) -> mlir::Value {
    if (value.getParentBlock() == &step) return value;
    auto constant = value.getDefiningOp<ConstantOp>();
    if (!constant) {
      used.insert(value);
      return value;
    }
    mlir::Value &copy = constants[value];
    if (!copy) {
      mlir::OpBuilder builder(constant.getContext());
      builder.setInsertionPointToStart(&step);
      copy = builder.clone(*constant.getOperation())->getResult(0);
    }
    return copy;
  };
  for (mlir::Operation &op : step)
    for (mlir::OpOperand &operand : op.getOpOperands())
      operand.set(inStep(operand.get()));
  for (mlir::Value &value : given)
    value = inStep(value);
  return used;
}

ScanOp ScanOp::close(mlir::OpBuilder &builder, mlir::Location loc, int64_t trips, bool reverse,
                     mlir::ValueRange inits, mlir::ValueRange xs, Block &step,
                     mlir::ValueRange next, mlir::ValueRange outputs) {
  llvm::SmallVector<mlir::Value> given(next);
  llvm::append_range(given, outputs);
  llvm::SetVector<mlir::Value> captures = usedFromAround(step, given);
  ScanOp scan =
      create(builder, loc, trips, reverse, inits, xs, captures.getArrayRef(), outputs.getTypes());
  Block &body = *scan.getBody();
  body.getOperations().splice(body.end(), step.getOperations());
  auto ends = mlir::OpBuilder::atBlockEnd(&body);
  YieldOp::create(ends, loc, given);
  for (auto [from, to] : llvm::zip(step.getArguments(), body.getArguments()))
    from.replaceAllUsesWith(to);
  for (auto [from, to] : llvm::zip_equal(captures, scan.getCaptured()))
    mlir::Value(from).replaceUsesWithIf(
        to, [&](mlir::OpOperand &use) { return use.getOwner()->getBlock() == &body; });
  return scan;
}

mlir::BlockArgument ScanOp::getTripNumber() { return getBody()->getArgument(0); }

Block::BlockArgListType ScanOp::getStates() {
  return getBody()->getArguments().slice(1, getInits().size());
}

Block::BlockArgListType ScanOp::getSlices() {
  return getBody()->getArguments().slice(1 + getInits().size(), getXs().size());
}

Block::BlockArgListType ScanOp::getCaptured() {
  return getBody()->getArguments().take_back(getCaptures().size());
}

mlir::OperandRange ScanOp::getNextStates() {
  return getBody()->getTerminator()->getOperands().take_front(getInits().size());
}

mlir::OperandRange ScanOp::getOutputs() {
  return getBody()->getTerminator()->getOperands().drop_front(getInits().size());
}

mlir::ResultRange ScanOp::getLastStates() { return getResults().take_front(getInits().size()); }

mlir::ResultRange ScanOp::getStacked() { return getResults().drop_front(getInits().size()); }

mlir::LogicalResult ScanOp::verify() {
  auto trips = int64_t(getTrips());
  // scan_c1
  if (trips <= 0) return emitOpError() << "makes " << trips << " trips (scan_c1)";
  for (mlir::Value x : getXs()) {
    auto type = mlir::cast<RankedTensorType>(x.getType());
    // scan_c2
    if (type.getRank() == 0 || type.getDimSize(0) != trips)
      return emitOpError() << "goes over " << type << " in " << trips << " trips (scan_c2)";
  }
  return mlir::success();
}

mlir::LogicalResult ScanOp::verifyRegions() {
  llvm::SmallVector<Type> taken = argumentTypes(getContext(), getInits(), getXs(), getCaptures());
  // scan_c3
  if (llvm::to_vector(getBody()->getArgumentTypes()) != taken)
    return emitOpError() << "has a step of (" << getBody()->getArgumentTypes() << ") for ("
                         << mlir::TypeRange(taken) << ") (scan_c3)";
  auto yield = mlir::dyn_cast<YieldOp>(getBody()->getTerminator());
  mlir::TypeRange states = getInits().getTypes();
  // scan_c4
  if (!yield || yield->getNumOperands() < states.size() ||
      mlir::TypeRange(yield->getOperandTypes()).take_front(states.size()) != states)
    return emitOpError() << "has states of (" << states
                         << "), and its step yields others (scan_c4)";
  llvm::SmallVector<Type> given(states);
  for (Type type : getOutputs().getTypes())
    given.push_back(stackedType(type, int64_t(getTrips())));
  // scan_c5
  if (llvm::to_vector(getResultTypes()) != given)
    return emitOpError() << "has results (" << getResultTypes() << ") of a step that makes ("
                         << mlir::TypeRange(given) << ") (scan_c5)";
  return mlir::success();
}

int64_t ScanOp::getFlops() {
  int64_t each = 0;
  for (mlir::Operation &op : *getBody())
    if (auto cost = mlir::dyn_cast<CostModelOpInterface>(op)) each += cost.getFlops();
  return int64_t(getTrips()) * each;
}

} // namespace dlm
