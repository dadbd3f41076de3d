// `row`: a row that fits a chunk of the tree is done by one warp, four rows a block. The chunks of
// a longer row are dealt out to the warps of a block, and meet in shared memory.
//
// A thread holds four of the 128 lanes of the tree: neighbours where that makes accesses of 16
// bytes, else lanes 32 apart, so that the accesses of a warp are side by side and only one of the
// four halvings in two needs a shuffle. The same thread touches an element in every phase and in
// the stores, so an output may lie in an input's memory.
#include "compiler/conversion/KernelToGPU/DeviceLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kernel {

namespace {

constexpr int64_t TreeLanes = 128, ChunkSize = 2048;
constexpr int64_t ShortRowsPerBlock = 4, WarpsPerRow = 8;
static_assert(TreeLanes == WarpSize * GroupSize);
/// Below this length the shuffles saved are worth more than long accesses.
constexpr int64_t LengthForNeighbours = 512;
/// Partials beyond it go to scratch memory.
constexpr int64_t SharedBytesMax = 32 << 10;

int64_t countChunks(int64_t length) { return llvm::divideCeil(length, ChunkSize); }

class RowLowering : DeviceLowering {
public:
  RowLowering(FuncOp func, gpu::GPUModuleOp module, const KernelUse &use, StringRef name,
              int64_t length)
      : DeviceLowering(func, module, use, name + "_row",
                       WarpSize * (length <= ChunkSize
                                       ? ShortRowsPerBlock
                                       : std::min(WarpsPerRow, countChunks(length)))),
        lengthMax(length), isShort(length <= ChunkSize), warps(device.getBlock() / WarpSize) {
    row = space.getReducedDim();
    size = getExtent(row);
    bool isLong = phaseCount == 0 || lengthMax >= LengthForNeighbours;
    emitter.setWidth(GroupSize, isLong && hasVectorAccess(func, use.alignments) ? 1 : WarpSize);
    step = emitter.getLaneStep();
    firstLane = multiply(device.lane, step == 1 ? GroupSize : 1);
  }

  DeviceStages run() {
    reservePartials();
    if (isShort) {
      Value item = add(multiply(device.blockIndex, ShortRowsPerBlock), device.warp);
      emitIf(less(item, getItems()), [&] { emitRow(item); });
      return {finish([](int64_t, int64_t items) {
        return int64_t(llvm::divideCeil(items, ShortRowsPerBlock));
      })};
    }
    emitRow(device.blockIndex);
    SpaceAttr extents = space;
    int64_t bytes = scratchBytes;
    return {finish([](int64_t, int64_t items) { return items; },
                   [=](int64_t extent) { return bytes * extents.getItems(extent); })};
  }

private:
  void emitRow(Value item);
  void reservePartials();
  void reduce(unsigned phase);
  Values reduceChunk(ArrayRef<Operation *> reductions, Value start, Value stop);
  Values foldLanes(ArrayRef<Operation *> reductions, ValueRange vectors);
  Values shuffleDown(ValueRange values, int64_t distance);
  Values broadcastFirst(ValueRange values);
  void halvePartials(ArrayRef<Operation *> reductions, ArrayRef<Value> places, Value count);
  Values foldPartials(ArrayRef<Operation *> reductions, ArrayRef<Value> places);
  Values loadPartials(ArrayRef<Value> places, TypeRange types, Value index);
  void store();
  void forChunks(function_ref<void(Value chunk, Value start, Value stop)> emit);
  using Step = function_ref<Values(Value first, Value live, ValueRange values)>;
  Values walkChunk(Value start, Value stop, Values values, Step emit);
  Values emitChoice(Value condition, ValueRange otherwise, function_ref<Values()> emit);

  int64_t lengthMax;
  bool isShort;
  int64_t warps, step, scratchBytes = 0;
  unsigned row;
  Extent size;
  Value firstLane;
  /// For each phase the arrays of partials, one for each accumulator.
  SmallVector<Values> partials;
};

void RowLowering::emitRow(Value item) {
  decodeGrid(item);
  DimSet along = bit(row);
  emitUniform(0, along);
  for (unsigned phase = 0; phase < phaseCount; ++phase) {
    reduce(phase);
    emitUniform(phase + 1, along);
  }
  store();
}

//===--- one chunk, one warp ---===//

RowLowering::Values RowLowering::emitChoice(Value condition, ValueRange otherwise,
                                            function_ref<Values()> emit) {
  if (otherwise.empty()) {
    emitIf(condition, [&] { emit(); });
    return {};
  }
  auto branch = scf::IfOp::create(
      b, condition, [&](OpBuilder &, Location) { scf::YieldOp::create(b, emit()); },
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, otherwise); });
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// Calls `emit` for the thread's groups of four in [start, stop), with the number of points from
/// the group's first to the end where lanes of it may be dead.
RowLowering::Values RowLowering::walkChunk(Value start, Value stop, Values values, Step emit) {
  auto emitStep = [&](Value at, Value live, ValueRange carried) {
    BodyEmitter::Scope scope(emitter);
    emitter.setIndex(row, at);
    if (live) emitter.setLiveLanes(live);
    return emit(at, live, carried);
  };
  int64_t lastLane = (GroupSize - 1) * step;
  bool isMultiple = size.fixed && *size.fixed % (step == 1 ? GroupSize : TreeLanes) == 0;
  Value first = add(start, firstLane);
  if (size.fixed && *size.fixed <= TreeLanes) {
    Value live = isMultiple ? Value() : subtract(stop, first);
    return emitChoice(less(first, stop), values, [&] { return emitStep(first, live, values); });
  }
  values = emitLoop(b, first, subtract(stop, number(lastLane)), TreeLanes, values,
                    [&](Value at, ValueRange carried) { return emitStep(at, Value(), carried); });
  if (isMultiple) return values;
  // Only the last 128 elements can be cut short.
  Value groups = arith::AndIOp::create(b, subtract(stop, start), number(-TreeLanes));
  Value last = add(first, groups);
  Value live = subtract(stop, last);
  Value isCut = arith::AndIOp::create(b, less(number(0), live), less(live, number(lastLane + 1)));
  return emitChoice(isCut, values, [&] { return emitStep(last, live, values); });
}

/// Reduces [start, stop), at most a chunk, with the threads of a warp; lane 0 gets the values.
RowLowering::Values RowLowering::reduceChunk(ArrayRef<Operation *> reductions, Value start,
                                             Value stop) {
  Values roots;
  for (Operation *op : reductions)
    roots.push_back(op->getOperand(0));
  Ops slice = getSlice(roots, bit(row));
  Values vectors = walkChunk(start, stop, getIdentities(reductions, /*isVector=*/true),
                             [&](Value first, Value, ValueRange values) {
                               for (Operation *op : slice)
                                 emitter.emit(op);
                               return accumulate(reductions, values, first);
                             });
  return foldLanes(reductions, vectors);
}

/// The halving of 128 lanes. Halves that hold identities alone are left out.
RowLowering::Values RowLowering::foldLanes(ArrayRef<Operation *> reductions, ValueRange vectors) {
  SmallVector<Values> lanes(GroupSize);
  for (int64_t lane = 0; lane < GroupSize; ++lane)
    for (Value vector : vectors)
      lanes[lane].push_back(LLVM::ExtractElementOp::create(
          b, vector, arith::ConstantOp::create(b, b.getI32IntegerAttr(lane))));
  int64_t length = size.fixed ? std::min(*size.fixed, TreeLanes) : TreeLanes;
  auto foldWithin = [&](int64_t live) {
    for (int64_t half = GroupSize / 2; half > 0; half /= 2)
      for (int64_t lane = 0; lane < half && lane + half < live; ++lane)
        lanes[lane] = fold(reductions, lanes[lane], lanes[lane + half]);
  };
  auto foldAcross = [&](int64_t count) {
    int64_t perThread = step == 1 ? GroupSize : 1;
    for (int64_t half = WarpSize / 2; half > 0; half /= 2)
      for (int64_t lane = 0; lane < count && half * perThread < length; ++lane)
        lanes[lane] = fold(reductions, lanes[lane], shuffleDown(lanes[lane], half));
  };
  if (step == 1) {
    foldAcross(GroupSize);
    foldWithin(std::min(GroupSize, length));
  } else {
    foldWithin(llvm::divideCeil(length, WarpSize));
    foldAcross(1);
  }
  return lanes[0];
}

RowLowering::Values RowLowering::shuffleDown(ValueRange values, int64_t distance) {
  Values result;
  for (Value value : values)
    result.push_back(device.shuffleDown(value, distance));
  return result;
}

RowLowering::Values RowLowering::broadcastFirst(ValueRange values) {
  Values result;
  for (Value value : values)
    result.push_back(device.broadcastFirst(value));
  return result;
}

//===--- many chunks, many warps ---===//

/// Each phase has arrays of its own: what one warp still reads, another may not overwrite.
void RowLowering::reservePartials() {
  if (isShort) return;
  int64_t count = llvm::PowerOf2Ceil(countChunks(lengthMax)), bytes = 0;
  SmallVector<SmallVector<Type>> types(phaseCount);
  for (unsigned phase = 0; phase < phaseCount; ++phase)
    for (Operation *op : getReductions(phase)) {
      if (isa<ArgmaxOp>(op)) types[phase].push_back(b.getF32Type());
      types[phase].push_back(op->getResult(0).getType());
    }
  for (ArrayRef<Type> list : types)
    for (Type type : list)
      bytes += llvm::alignTo(count * type.getIntOrFloatBitWidth() / 8, 16);
  bool isShared = bytes <= SharedBytesMax;
  if (!isShared) scratchBytes = bytes;
  Value base = isShared ? Value() : multiply(device.blockIndex, bytes);
  int64_t offset = 0;
  for (auto [phase, list] : llvm::enumerate(types)) {
    partials.emplace_back();
    for (auto [index, type] : llvm::enumerate(list)) {
      if (isShared)
        partials.back().push_back(
            device.addShared("partials" + Twine(phase) + "_" + Twine(index), type, count));
      else
        partials.back().push_back(
            device.getPlace(device.getScratch(), b.getI8Type(), add(base, number(offset))));
      offset += llvm::alignTo(count * type.getIntOrFloatBitWidth() / 8, 16);
    }
  }
}

/// Calls `emit` for the chunks of the thread's warp.
void RowLowering::forChunks(function_ref<void(Value, Value, Value)> emit) {
  if (isShort) return emit(number(0), number(0), size.value);
  Value padded = add(size.value, number(ChunkSize - 1));
  Value count = arith::DivUIOp::create(b, padded, number(ChunkSize));
  emitLoop(b, device.warp, count, warps, {}, [&](Value chunk, ValueRange) -> Values {
    Value start = multiply(chunk, ChunkSize);
    emit(chunk, start, smaller(add(start, number(ChunkSize)), size.value));
    return {};
  });
}

void RowLowering::reduce(unsigned phase) {
  Ops reductions = getReductions(phase);
  if (isShort)
    return bind(reductions, broadcastFirst(reduceChunk(reductions, number(0), size.value)));
  ArrayRef<Value> places = partials[phase];
  forChunks([&](Value chunk, Value start, Value stop) {
    Values values = reduceChunk(reductions, start, stop);
    emitIf(less(device.lane, number(1)), [&] {
      for (auto [place, value] : llvm::zip_equal(places, values))
        LLVM::StoreOp::create(b, value, device.getPlace(place, value.getType(), chunk));
    });
  });
  device.syncBlock();
  bind(reductions, foldPartials(reductions, places));
}

RowLowering::Values RowLowering::loadPartials(ArrayRef<Value> places, TypeRange types,
                                              Value index) {
  Values values;
  for (auto [place, type] : llvm::zip_equal(places, types))
    values.push_back(LLVM::LoadOp::create(b, type, device.getPlace(place, type, index)));
  return values;
}

/// Folds the chunks: by halving in memory down to one a lane, then in every warp by shuffles.
RowLowering::Values RowLowering::foldPartials(ArrayRef<Operation *> reductions,
                                              ArrayRef<Value> places) {
  Value padded = add(size.value, number(ChunkSize - 1));
  Value count = arith::DivUIOp::create(b, padded, number(ChunkSize));
  halvePartials(reductions, places, count);
  Values identities = getIdentities(reductions, /*isVector=*/false);
  TypeRange types = ValueRange(identities).getTypes();
  Value last = subtract(smaller(count, number(WarpSize)), number(1));
  Values values = loadPartials(places, types, smaller(device.lane, last));
  Value isLive = less(device.lane, count);
  for (auto [value, identity] : llvm::zip_equal(values, identities))
    value = arith::SelectOp::create(b, isLive, value, identity);
  int64_t slots = std::min<int64_t>(llvm::PowerOf2Ceil(countChunks(lengthMax)), WarpSize);
  for (int64_t half = slots / 2; half > 0; half /= 2)
    values = fold(reductions, values, shuffleDown(values, half));
  return broadcastFirst(values);
}

void RowLowering::halvePartials(ArrayRef<Operation *> reductions, ArrayRef<Value> places,
                                Value count) {
  Values identities = getIdentities(reductions, /*isVector=*/false);
  TypeRange types = ValueRange(identities).getTypes();
  int64_t slots = llvm::PowerOf2Ceil(countChunks(lengthMax));
  for (int64_t half = slots / 2; half >= WarpSize; half /= 2) {
    // A partner past the last chunk is an identity.
    Value live = smaller(number(half), subtract(count, number(half)));
    emitLoop(b, device.thread, live, device.getBlock(), {}, [&](Value at, ValueRange) -> Values {
      Values left = loadPartials(places, types, at);
      Values right = loadPartials(places, types, add(at, number(half)));
      Values folded = fold(reductions, left, right);
      for (auto [place, value] : llvm::zip_equal(places, folded))
        LLVM::StoreOp::create(b, value, device.getPlace(place, value.getType(), at));
      return {};
    });
    device.syncBlock();
  }
}

//===--- results ---===//

/// Stores what varies over the row, then what does not. The latter may lie in the memory of an
/// input that all threads read.
void RowLowering::store() {
  RowStores stores = getRowStores();
  if (!stores.varying.empty()) {
    forChunks([&](Value, Value start, Value stop) {
      walkChunk(start, stop, {}, [&](Value, Value, ValueRange) -> Values {
        for (Operation *op : stores.slice)
          emitter.emit(op);
        for (StoreOp store : stores.varying)
          emitter.emit(store);
        return {};
      });
    });
  }
  if (stores.uniform.empty()) return;
  isShort ? device.syncWarp() : device.syncBlock();
  emitIf(less(isShort ? device.lane : device.thread, number(1)), [&] {
    for (StoreOp store : stores.uniform)
      emitter.emit(store);
  });
}

} // namespace

DeviceStages lowerRow(FuncOp func, gpu::GPUModuleOp device, const KernelUse &use, StringRef name) {
  SpaceAttr space = func.getSpace();
  int64_t length = space.getExtent(space.getReducedDim(), use.extentMax);
  return RowLowering(func, device, use, name, length).run();
}

} // namespace kernel
