// Where the element of a load or store lies. An index that may leave its tensor is compared with
// the size: one that all lanes share is replaced by 0 where it is outside, so that the address is
// always that of an element; one of each lane makes a mask.
#include "compiler/conversion/KernelBody/BodyEmitter.h"
#include "dialects/kernel/Access.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;

namespace kernel {

/// Adds up one address, dim by dim.
class BodyEmitter::AddressWriter {
public:
  AddressWriter(BodyEmitter &emitter, bool isGuarded)
      : emitter(emitter), b(emitter.b), isGuarded(isGuarded) {}

  void add(const AccessIndex &index, ValueRange given, int64_t size, int64_t stride) {
    bool leaves = isGuarded && mayLeave(index, emitter.func.getSpace(), size);
    if (index.kind == AccessIndex::Given) return addGiven(given[index.given], size, stride);
    if (index.terms.empty()) {
      if (leaves)
        addInside(number(b.getI1Type(), 0));
      else if (index.offset)
        addTerm(number(b.getI64Type(), index.offset), stride);
      return;
    }
    Value at = firstOf(index);
    int64_t laneFactor = 0; // how much the index grows from point to point of the inner dim
    for (AccessIndex::Term term : index.terms)
      if (emitter.width > 1 && term.dim == emitter.inner) laneFactor = term.factor;
    if (leaves && laneFactor) addMask(laneIndices(at, index, laneFactor, size), size);
    addTerm(leaves && !laneFactor ? clamped(at, size) : at, stride);
  }

  /// Completes what the address lacks.
  void finish(Address &address, Type memoryType) {
    if (offset)
      address.pointer = LLVM::GEPOp::create(b, address.pointer.getType(), memoryType,
                                            address.pointer, ArrayRef<LLVM::GEPArg>{offset});
    address.isInside = isInside;
    address.mask = mask;
    address.offsets = offsets;
    if (!offsets || address.step == 0) return;
    Value step = emitter.broadcast(number(b.getI64Type(), address.step / emitter.laneStep));
    Value lanes = arith::MulIOp::create(b, emitter.getLaneNumbers(b.getI64Type()), step);
    address.offsets = arith::AddIOp::create(b, offsets, lanes);
  }

private:
  Value number(Type type, int64_t value) {
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
  }

  static Value sum(ImplicitLocOpBuilder &b, Value left, Value right) {
    return left ? Value(arith::AddIOp::create(b, left, right)) : right;
  }

  /// The index, of lane 0 where it is one of lanes.
  Value firstOf(const AccessIndex &index) {
    Value above, below;
    for (AccessIndex::Term term : index.terms) {
      Value at = emitter.state.indices[term.dim];
      int64_t scale = std::abs(term.factor);
      if (scale != 1) at = arith::MulIOp::create(b, at, number(b.getI64Type(), scale));
      Value &side = term.factor > 0 ? above : below;
      side = sum(b, side, at);
    }
    if (index.offset || !above) above = sum(b, above, number(b.getI64Type(), index.offset));
    return below ? Value(arith::SubIOp::create(b, above, below)) : above;
  }

  void addTerm(Value index, int64_t stride) {
    if (stride != 1) index = arith::MulIOp::create(b, index, number(b.getI64Type(), stride));
    offset = sum(b, offset, index);
  }

  void addInside(Value condition) {
    isInside = isInside ? Value(arith::AndIOp::create(b, isInside, condition)) : condition;
  }

  /// An index of all lanes, or 0 where it is outside.
  Value clamped(Value index, int64_t size) {
    Value isWithin =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index, number(b.getI64Type(), size));
    addInside(isWithin);
    return arith::SelectOp::create(b, isWithin, index, number(b.getI64Type(), 0));
  }

  void addMask(Value indices, int64_t size) {
    Value end = number(cast<VectorType>(indices.getType()).getElementType(), size);
    Value isWithin =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, indices, emitter.broadcast(end));
    mask = mask ? Value(arith::AndIOp::create(b, mask, isWithin)) : isWithin;
  }

  /// The index of each lane, `first` being that of lane 0; in 32 bits where they hold all.
  Value laneIndices(Value first, const AccessIndex &index, int64_t laneFactor, int64_t size) {
    constexpr int64_t max = int64_t(1) << 30;
    ArrayRef<int64_t> extents = emitter.func.getSpace().getExtents();
    int64_t reach = std::max(size, std::abs(index.offset));
    bool isShort = true;
    for (AccessIndex::Term term : index.terms) {
      isShort &= !ShapedType::isDynamic(extents[term.dim]);
      if (isShort) reach += std::abs(term.factor) * extents[term.dim];
    }
    isShort &= reach < max;
    Type type = isShort ? b.getI32Type() : b.getI64Type();
    if (isShort) first = arith::TruncIOp::create(b, type, first);
    Value lanes = emitter.getLaneNumbers(type), start = emitter.broadcast(first);
    if (std::abs(laneFactor) != 1)
      lanes =
          arith::MulIOp::create(b, lanes, emitter.broadcast(number(type, std::abs(laneFactor))));
    if (laneFactor < 0) return arith::SubIOp::create(b, start, lanes);
    return arith::AddIOp::create(b, start, lanes);
  }

  void addGiven(Value value, int64_t size, int64_t stride) {
    Value index = emitter.get(value);
    if (!emitter.isVector(value)) return addTerm(clamped(index, size), stride);
    addMask(index, size);
    Value scale = emitter.broadcast(number(b.getI64Type(), stride));
    offsets = sum(b, offsets, arith::MulIOp::create(b, index, scale));
  }

  BodyEmitter &emitter;
  ImplicitLocOpBuilder &b;
  bool isGuarded;
  Value offset, offsets, isInside, mask;
};

BodyEmitter::Address BodyEmitter::getAddress(Value tensor, AffineMap map, ValueRange given,
                                             bool isGuarded) {
  auto type = cast<RankedTensorType>(tensor.getType());
  AddressWriter writer(*this, isGuarded);
  int64_t stride = 1;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    if (dim + 1 < type.getRank()) stride *= type.getDimSize(dim + 1); // only dim 0 may be open
    writer.add(*readIndex(map.getResult(dim)), given, type.getDimSize(dim), stride);
  }
  Address address;
  static_cast<Lanes &>(address) = getLanes(tensor, map);
  address.pointer = pointers[cast<BlockArgument>(tensor).getArgNumber()];
  writer.finish(address, getMemoryType(type.getElementType()));
  return address;
}

} // namespace kernel
