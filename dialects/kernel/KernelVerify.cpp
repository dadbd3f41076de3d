// Verifiers of the `kernel` dialect, one per op; each check carries its label from KernelOps.td.
#include "dialects/kernel/Access.h"
#include "dialects/kernel/Kernel.h"
#include "dialects/kernel/Variation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace kernel;

namespace {

/// The type a scalar of this element type has in a body.
Type getScalarType(Type elementType) {
  if (elementType.isUnsignedInteger(8)) return IntegerType::get(elementType.getContext(), 8);
  return elementType;
}

FuncOp getFunc(Operation *op) { return cast<FuncOp>(op->getParentOp()); }

/// load C2 and C3: the map holds indices, and none leaves the tensor unless `isGuarded`.
LogicalResult verifyAccess(Operation *op, RankedTensorType type, AffineMap map, unsigned given,
                           bool isGuarded) {
  SpaceAttr space = getFunc(op).getSpace();
  if (map.getNumDims() != space.getRank() || map.getNumSymbols() != given ||
      map.getNumResults() != type.getRank()) // load_c2
    return op->emitOpError("map has ")
           << map.getNumDims() << " dims and " << map.getNumResults() << " results; the space has "
           << space.getRank() << " dims, the tensor " << type.getRank();
  for (auto [index, expr] : llvm::enumerate(map.getResults())) {
    std::optional<AccessIndex> read = readIndex(expr);
    if (!read) // load_c2
      return op->emitOpError("map result ")
             << index << " is no index: "
             << AffineMapAttr::get(AffineMap::get(map.getNumDims(), map.getNumSymbols(), expr));
    if (!mayLeave(*read, space, type.getDimSize(index))) continue;
    if (!isGuarded || type.isDynamicDim(index)) // load_c3
      return op->emitOpError("index ")
             << index << " can leave " << type << ": "
             << AffineMapAttr::get(AffineMap::get(map.getNumDims(), map.getNumSymbols(), expr));
  }
  return success();
}

} // namespace

//===--- attributes ---===//

LogicalResult SpaceAttr::verify(function_ref<InFlightDiagnostic()> emitError, Schedule schedule,
                                ArrayRef<int64_t> extents) {
  size_t rank = extents.size();
  bool rankFits = schedule == Schedule::Linear    ? rank == 1
                  : schedule == Schedule::Column  ? rank == 2
                  : schedule == Schedule::Scatter ? rank == 4
                                                  : rank >= 1 && rank <= 64;
  if (!rankFits) // space_c1
    return emitError() << "a " << stringifySchedule(schedule) << " space cannot have " << rank
                       << " dims";
  for (auto [dim, extent] : llvm::enumerate(extents))
    if (ShapedType::isDynamic(extent) ? dim != 0 : extent <= 0) // space_c2
      return emitError() << "dim " << dim << " needs a positive constant extent";
  return success();
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> order) {
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  for (auto [index, dim] : llvm::enumerate(sorted))
    if (dim != int64_t(index)) // layout_c1
      return emitError() << "order is not a permutation";
  return success();
}

//===--- the function ---===//

LogicalResult FuncOp::verifyRegions() {
  for (BlockArgument argument : getBlock().getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type) // func_c1
      return emitOpError("argument ") << argument.getArgNumber() << " is not a tensor";
    if (type.getRank() && ShapedType::isDynamicShape(type.getShape().drop_front())) // func_c1
      return emitOpError("argument ")
             << argument.getArgNumber() << " has a run-time size that is not the outermost";
  }
  for (BlockArgument output : getOutputArgs())
    if (output.use_empty()) // func_c2
      return emitOpError("output ") << output.getArgNumber() - getInputs() << " is never stored";
  for (Operation &op : getBlock())
    if (!isa<KernelDialect, arith::ArithDialect, math::MathDialect>(op.getDialect()) ||
        isa<FuncOp, LaunchOp, ContractOp>(op)) // func_c3
      return op.emitOpError("does not belong in a kernel's body");
  return success();
}

//===--- body ops ---===//

LogicalResult LoadOp::verify() {
  if (!llvm::is_contained(getFunc(*this).getInputArgs(), getTensor())) // load_c1
    return emitOpError("reads what is not an input of the kernel");
  auto type = cast<RankedTensorType>(getTensor().getType());
  if (failed(verifyAccess(*this, type, getMap(), getAt().size(), getGuarded()))) return failure();
  if (getScalarType(type.getElementType()) != getType()) // load_c4
    return emitOpError("gives ") << getType() << " from " << type;
  return success();
}

LogicalResult StoreOp::verify() {
  FuncOp func = getFunc(*this);
  if (!llvm::is_contained(func.getOutputArgs(), getTensor())) // store_c1
    return emitOpError("writes what is not an output of the kernel");
  if (!getTensor().hasOneUse()) // store_c1
    return emitOpError("is not the only store to its output");
  auto type = cast<RankedTensorType>(getTensor().getType());
  if (failed(verifyAccess(*this, type, getMap(), 0, false))) // store_c2
    return failure();
  for (auto [number, index] : llvm::enumerate(readIndices(getMap())))
    if (!index.isPlainDim() && !index.isZero()) // store_c2
      return emitOpError("map result ") << number << " is neither a dim nor 0";
  if (getScalarType(type.getElementType()) != getValue().getType()) // store_c5
    return emitOpError("puts ") << getValue().getType() << " into " << type;
  SpaceAttr space = func.getSpace();
  DimSet named = getDims(getMap()), varying = Variation(func).of(getValue());
  for (unsigned dim = 0; dim < space.getRank(); ++dim) {
    bool isNamed = named >> dim & 1;
    bool isReduced = space.getSchedule() != Schedule::Linear && dim == space.getReducedDim();
    if (!isNamed && (varying >> dim & 1)) // store_c3
      return emitOpError("map does not name dim ") << dim << ", which the value varies over";
    if (!isNamed && !isReduced && space.getExtents()[dim] != 1) // store_c4
      return emitOpError("map does not name dim ") << dim << ", so points would share an element";
    if (isNamed && isReduced && space.getSchedule() == Schedule::Column) // store_c6
      return emitOpError("map names the reduced dim of a column kernel");
  }
  return success();
}

LogicalResult IotaOp::verify() {
  if (getDim() >= int64_t(getFunc(*this).getSpace().getRank())) // iota_c1
    return emitOpError("dim ") << getDim() << " is not one of the space";
  return success();
}

LogicalResult ReduceOp::verify() {
  SpaceAttr space = getFunc(*this).getSpace();
  if (space.getSchedule() == Schedule::Linear || getDim() != space.getReducedDim()) // reduce_c1
    return emitOpError("runs over dim ") << getDim() << ", which is not the reduced one";
  bool isRow = space.getSchedule() == Schedule::Row;
  if (getLanes() != (isRow ? 128 : 1) || getChunk() != (isRow ? 2048 : 64)) // reduce_c2
    return emitOpError("has tree <")
           << getLanes() << ", " << getChunk() << ">; a " << stringifySchedule(space.getSchedule())
           << " kernel has <" << (isRow ? "128, 2048>" : "1, 64>");
  return success();
}

LogicalResult ArgmaxOp::verify() {
  SpaceAttr space = getFunc(*this).getSpace();
  if (space.getSchedule() != Schedule::Row || getDim() != space.getReducedDim()) // argmax_c1
    return emitOpError("runs over dim ") << getDim() << ", which is not that of a row";
  return success();
}

LogicalResult ScatterOp::verify() {
  FuncOp func = getFunc(*this);
  if (func.getSpace().getSchedule() != Schedule::Scatter) // scatter_c1
    return emitOpError("needs a scatter kernel, not a ")
           << stringifySchedule(func.getSpace().getSchedule());
  Variation variation(func);
  if (variation.variesOver(getValue(), 1) || variation.variesOver(getAt(), 1) ||
      variation.variesOver(getAt(), 3)) // scatter_c2
    return emitOpError("has a value or an index that varies over n, or an index over j");
  bool isOnly = llvm::hasSingleElement(func.getBlock().getOps<ScatterOp>());
  for (Operation *user : getResult().getUsers())
    isOnly = isOnly && isa<StoreOp>(user);
  if (!isOnly) // scatter_c3
    return emitOpError("is not the only one, or its result is not only stored");
  return success();
}

//===--- ops of programs ---===//

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto func = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!func || func.getInputArgs().size() != getOperands().size() ||
      func.getOutputArgs().size() != getResults().size()) // launch_c1
    return emitOpError("names no kernel with ")
           << getOperands().size() << " inputs and " << getResults().size()
           << " outputs: " << getCalleeAttr();
  auto count = [&](RankedTensorType type) {
    int64_t elements = 1;
    for (int64_t size : type.getShape())
      elements *= ShapedType::isDynamic(size) ? getExtent() : size;
    return elements;
  };
  SmallVector<Value> values(getOperands());
  values.append(getResults().begin(), getResults().end());
  for (auto [value, argument] : llvm::zip_equal(values, func.getBlock().getArguments())) {
    auto given = cast<RankedTensorType>(value.getType());
    auto wanted = cast<RankedTensorType>(argument.getType());
    if (given.getElementType() != wanted.getElementType() ||
        count(given) != count(wanted)) // launch_c2
      return emitOpError("gives ") << given << " for argument " << argument.getArgNumber()
                                   << " of type " << wanted << " at extent " << getExtent();
  }
  SpaceAttr space = func.getSpace();
  if (!space.isDynamic() && space.getExtents().front() != getExtent()) // launch_c3
    return emitOpError("has extent ")
           << getExtent() << "; the kernel's is " << space.getExtents().front();
  return success();
}

LogicalResult ContractOp::verify() {
  auto lhs = cast<RankedTensorType>(getLhs().getType());
  auto rhs = cast<RankedTensorType>(getRhs().getType());
  int64_t rank = lhs.getRank();
  int64_t left = lhs.getDimSize(rank - (getTransposeLhs() ? 2 : 1));
  int64_t right = rhs.getDimSize(rank - (getTransposeRhs() ? 1 : 2));
  if (left != right) // contract_c1
    return emitOpError("contracts sizes ") << left << " and " << right;
  return success();
}
