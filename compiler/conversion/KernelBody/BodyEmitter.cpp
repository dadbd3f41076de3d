// How each kind of body op becomes code. Loads and stores look at how far apart the lanes lie: not
// at all (a scalar access), side by side (a vector access, masked where lanes are dead), or strided
// (a gather or scatter). A target without masks and gathers gets a scalar access for each lane. All
// else is the same op with vector operands.
#include "compiler/conversion/KernelBody/BodyEmitter.h"
#include "dialects/kernel/Access.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/IRMapping.h"

#include <numeric>

using namespace mlir;

namespace kernel {

Type getMemoryType(Type elementType) {
  if (elementType.isInteger(1) || elementType.isUnsignedInteger(8))
    return IntegerType::get(elementType.getContext(), 8);
  return elementType;
}

BodyEmitter::BodyEmitter(ImplicitLocOpBuilder &builder, FuncOp func)
    : b(builder), func(func), inner(func.getSpace().getInnerDim()), variation(func) {
  state.indices.resize(func.getSpace().getRank());
}

void BodyEmitter::setPointers(ValueRange values, ArrayRef<int64_t> bytes) {
  pointers = llvm::to_vector(values);
  alignments = llvm::to_vector(bytes);
}

void BodyEmitter::setWidth(int64_t lanes, int64_t step) {
  width = lanes;
  laneStep = step;
}

bool BodyEmitter::isVector(Value value) const {
  return width > 1 && variation.variesOver(value, inner);
}

void BodyEmitter::setLiveLanes(Value count) {
  Value live = broadcast(arith::TruncIOp::create(b, b.getI32Type(), count));
  state.mask =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, getLaneNumbers(b.getI32Type()), live);
}

void BodyEmitter::emit(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op)) return emitLoad(load);
  if (auto store = dyn_cast<StoreOp>(op)) return emitStore(store);
  if (auto iota = dyn_cast<IotaOp>(op)) return emitIota(iota);
  emitScalarOp(op);
}

Value BodyEmitter::getVector(Value value) {
  Value emitted = get(value);
  return isVector(value) ? emitted : broadcast(emitted);
}

VectorType BodyEmitter::getVectorType(Type type) const { return VectorType::get({width}, type); }

Value BodyEmitter::broadcast(Value scalar) {
  VectorType type = getVectorType(scalar.getType());
  if (auto constant = scalar.getDefiningOp<arith::ConstantOp>())
    return arith::ConstantOp::create(b, DenseElementsAttr::get(type, constant.getValue()));
  Value poison = LLVM::PoisonOp::create(b, type);
  Value zero = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
  Value first = LLVM::InsertElementOp::create(b, poison, scalar, zero);
  return LLVM::ShuffleVectorOp::create(b, first, poison, SmallVector<int32_t>(width, 0));
}

Value BodyEmitter::getLaneNumbers(Type type) {
  SmallVector<Attribute> numbers;
  for (int64_t lane = 0; lane < width; ++lane)
    numbers.push_back(b.getIntegerAttr(type, lane * laneStep));
  return arith::ConstantOp::create(b, DenseElementsAttr::get(getVectorType(type), numbers));
}

Value BodyEmitter::getConstant(Type type, double value) {
  if (isa<FloatType>(type)) return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
  return arith::ConstantOp::create(b, b.getIntegerAttr(type, int64_t(value)));
}

//===--- memory ---===//

BodyEmitter::Lanes BodyEmitter::getLanes(Value tensor, AffineMap map) const {
  auto type = cast<RankedTensorType>(tensor.getType());
  int64_t step = 0, stride = 1, multiple = 0; // lane 0 is at a multiple of `multiple` elements
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    if (dim + 1 < type.getRank()) stride *= type.getDimSize(dim + 1); // only dim 0 may be open
    AccessIndex index = *readIndex(map.getResult(dim));
    multiple = std::gcd(multiple, stride * index.offset);
    if (index.kind == AccessIndex::Given) multiple = std::gcd(multiple, stride);
    for (AccessIndex::Term term : index.terms) {
      bool isInner = term.dim == inner;
      if (isInner) step += stride * laneStep * term.factor;
      multiple = std::gcd(multiple, stride * term.factor * (isInner ? width : 1));
    }
  }
  int64_t size = getMemoryType(type.getElementType()).getIntOrFloatBitWidth() / 8, alignment = size;
  if (!alignments.empty()) {
    alignment = alignments[cast<BlockArgument>(tensor).getArgNumber()];
    alignment = std::gcd(std::gcd(alignment, multiple * size), width * size);
  }
  return {step, unsigned(alignment)};
}

/// The address of a gather, or one for each lane some elements apart.
Value BodyEmitter::getLanePointers(Address address, Type memoryType) {
  Type pointers = LLVM::getVectorType(address.pointer.getType(), width);
  if (address.offsets)
    return LLVM::GEPOp::create(b, pointers, memoryType, address.pointer,
                               ArrayRef<LLVM::GEPArg>{address.offsets});
  Value step = broadcast(getConstant(b.getI64Type(), address.step));
  Value offsets = arith::MulIOp::create(b, getLaneNumbers(b.getI64Type()), step);
  return LLVM::GEPOp::create(b, pointers, memoryType, address.pointer,
                             ArrayRef<LLVM::GEPArg>{offsets});
}

/// The lanes that are live and in `mask`; null stands for all.
Value BodyEmitter::combineMasks(Value mask) {
  if (!mask || !state.mask) return mask ? mask : state.mask;
  return arith::AndIOp::create(b, mask, state.mask);
}

Value BodyEmitter::reverse(Value vector) {
  SmallVector<int32_t> lanes;
  for (int32_t lane = int32_t(width) - 1; lane >= 0; --lane)
    lanes.push_back(lane);
  return LLVM::ShuffleVectorOp::create(b, vector, vector, lanes);
}

Value BodyEmitter::getLanePointer(Address address, Type memoryType, int64_t lane) {
  Value offset = getConstant(b.getI64Type(), lane * address.step); // may take more than 32 bits
  if (address.offsets)
    offset = LLVM::ExtractElementOp::create(b, address.offsets, getConstant(b.getI32Type(), lane));
  return LLVM::GEPOp::create(b, address.pointer.getType(), memoryType, address.pointer,
                             ArrayRef<LLVM::GEPArg>{offset});
}

/// A scalar load for each live lane.
Value BodyEmitter::loadLanes(Address address, Type memoryType) {
  Value dead = getConstant(memoryType, 0), vector = broadcast(dead);
  Value mask = combineMasks(address.mask);
  for (int64_t lane = 0; lane < width; ++lane) {
    Value number = getConstant(b.getI32Type(), lane);
    auto load = [&]() -> Value {
      unsigned alignment = memoryType.getIntOrFloatBitWidth() / 8;
      return LLVM::LoadOp::create(b, memoryType, getLanePointer(address, memoryType, lane),
                                  alignment);
    };
    Value element;
    if (!mask)
      element = load();
    else
      element = scf::IfOp::create(
                    b, LLVM::ExtractElementOp::create(b, mask, number),
                    [&](OpBuilder &, Location) { scf::YieldOp::create(b, load()); },
                    [&](OpBuilder &, Location) { scf::YieldOp::create(b, dead); })
                    .getResult(0);
    vector = LLVM::InsertElementOp::create(b, vector, element, number);
  }
  return vector;
}

Value BodyEmitter::loadVector(Address address, Type memoryType) {
  Value mask = combineMasks(address.mask);
  bool isBackwards = address.step == -1 && !address.offsets;
  bool isRun = (address.step == 1 && !address.offsets) || isBackwards;
  if (!hasGathers && (mask || !isRun)) return loadLanes(address, memoryType);
  if (isBackwards) { // the last lane lies first
    Value back = getConstant(b.getI64Type(), 1 - width);
    address.pointer = LLVM::GEPOp::create(b, address.pointer.getType(), memoryType, address.pointer,
                                          ArrayRef<LLVM::GEPArg>{back});
    address.alignment = memoryType.getIntOrFloatBitWidth() / 8;
  }
  auto inOrder = [&](Value vector) { return isBackwards ? reverse(vector) : vector; };
  if (isRun && !mask)
    return inOrder(
        LLVM::LoadOp::create(b, getVectorType(memoryType), address.pointer, address.alignment));
  Value dead = broadcast(getConstant(memoryType, 0));
  IntegerAttr align = b.getI32IntegerAttr(memoryType.getIntOrFloatBitWidth() / 8);
  if (isRun)
    return inOrder(LLVM::MaskedLoadOp::create(b, dead.getType(), address.pointer, inOrder(mask),
                                              dead, align, nullptr));
  if (!mask) mask = broadcast(getConstant(b.getI1Type(), 1));
  return LLVM::masked_gather::create(b, dead.getType(), getLanePointers(address, memoryType), mask,
                                     dead, align);
}

void BodyEmitter::emitLoad(LoadOp load) {
  Type elementType = cast<RankedTensorType>(load.getTensor().getType()).getElementType();
  Type memoryType = getMemoryType(elementType);
  Address address = getAddress(load.getTensor(), load.getMap(), load.getAt(), load.getGuarded());
  auto spread = [&](Value scalar) { return isVector(load) ? broadcast(scalar) : scalar; };
  Value loaded;
  if (isVector(load))
    loaded = loadVector(address, memoryType);
  else
    loaded = LLVM::LoadOp::create(b, memoryType, address.pointer,
                                  memoryType.getIntOrFloatBitWidth() / 8);
  if (address.isInside)
    loaded =
        arith::SelectOp::create(b, address.isInside, loaded, spread(getConstant(memoryType, 0)));
  if (elementType.isInteger(1))
    loaded = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, loaded,
                                   spread(getConstant(memoryType, 0)));
  set(load, loaded);
}

Value BodyEmitter::loadTarget(StoreOp store) {
  Type type = store.getValue().getType();
  Address address = getAddress(store.getTensor(), store.getMap());
  if (width > 1 && address.step) return loadVector(address, type);
  return LLVM::LoadOp::create(b, type, address.pointer, type.getIntOrFloatBitWidth() / 8);
}

/// A scalar store for each live lane.
void BodyEmitter::storeLanes(Value value, Address address, Type memoryType) {
  for (int64_t lane = 0; lane < width; ++lane) {
    Value number = getConstant(b.getI32Type(), lane);
    auto store = [&] {
      unsigned alignment = memoryType.getIntOrFloatBitWidth() / 8;
      LLVM::StoreOp::create(b, LLVM::ExtractElementOp::create(b, value, number),
                            getLanePointer(address, memoryType, lane), alignment);
    };
    if (!state.mask) {
      store();
      continue;
    }
    Value live = LLVM::ExtractElementOp::create(b, state.mask, number);
    scf::IfOp::create(b, live, [&](OpBuilder &, Location) {
      store();
      scf::YieldOp::create(b);
    });
  }
}

void BodyEmitter::storeVector(Value value, Address address, Type memoryType) {
  unsigned alignment = memoryType.getIntOrFloatBitWidth() / 8;
  if (address.step == 1 && !state.mask)
    LLVM::StoreOp::create(b, value, address.pointer, address.alignment);
  else if (!hasGathers)
    storeLanes(value, address, memoryType);
  else if (address.step == 1)
    LLVM::MaskedStoreOp::create(b, value, address.pointer, state.mask, alignment);
  else
    LLVM::masked_scatter::create(b, value, getLanePointers(address, memoryType),
                                 state.mask ? state.mask : broadcast(getConstant(b.getI1Type(), 1)),
                                 alignment);
}

void BodyEmitter::emitStore(StoreOp store) {
  Type elementType = cast<RankedTensorType>(store.getTensor().getType()).getElementType();
  Type memoryType = getMemoryType(elementType);
  Address address = getAddress(store.getTensor(), store.getMap());
  bool vector = width > 1 && address.step;
  Value value = vector ? getVector(store.getValue()) : get(store.getValue());
  if (elementType.isInteger(1))
    value = arith::ExtUIOp::create(b, vector ? getVectorType(memoryType) : memoryType, value);
  if (vector)
    storeVector(value, address, memoryType);
  else
    LLVM::StoreOp::create(b, value, address.pointer, memoryType.getIntOrFloatBitWidth() / 8);
}

//===--- values ---===//

void BodyEmitter::emitIota(IotaOp iota) {
  Value index = state.indices[iota.getDim()];
  if (isVector(iota))
    index = arith::AddIOp::create(b, broadcast(index), getLaneNumbers(b.getI64Type()));
  set(iota, index);
}

void BodyEmitter::emitScalarOp(Operation *op) {
  bool vector = op->getNumResults() && isVector(op->getResult(0));
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, vector ? getVector(operand) : get(operand));
  auto typeOf = [&](Type type) { return vector ? Type(getVectorType(type)) : type; };
  // Out of range and NaN have a meaning here: the plain instruction of LLVM has none.
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op)) {
    StringRef name = isa<arith::FPToSIOp>(op) ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
    auto call =
        LLVM::CallIntrinsicOp::create(b, typeOf(op->getResult(0).getType()), b.getStringAttr(name),
                                      mapping.lookup(op->getOperand(0)));
    return set(op->getResult(0), call.getResult(0));
  }
  // A dead lane holds zeros; a division by them would trap.
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op) && vector &&
      state.mask) {
    Value one = broadcast(getConstant(op->getResult(0).getType(), 1));
    Value divisor = op->getOperand(1);
    mapping.map(divisor, arith::SelectOp::create(b, state.mask, mapping.lookup(divisor), one));
  }
  Operation *clone = b.clone(*op, mapping);
  for (auto [from, to] : llvm::zip_equal(op->getResults(), clone->getResults())) {
    to.setType(typeOf(from.getType()));
    set(from, to);
  }
}

} // namespace kernel
