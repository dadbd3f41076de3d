// A block does a tile of 64 x 64: its 256 threads hold 4 x 4 accumulators each and walk k in steps
// of 16, for which the block lays the two strips of the operands in shared memory, both with k
// outermost.
//
// An accumulator is one chain of fma over rising k from -0.0, so no tile size changes a bit. The
// last step of k is padded with -0.0 on the left and 0.0 on the right: their product is -0.0, which
// leaves every accumulator as it is. Rows and columns past the ends are padded too, and never
// stored.
#include "compiler/conversion/KernelToGPU/ProductTiles.h"
#include "compiler/conversion/KernelBody/ReductionTree.h"
#include "compiler/conversion/KernelToGPU/DeviceFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kernel {

namespace {

constexpr int64_t Tile = 64, Depth = 16, PerThread = 4;
constexpr int64_t ThreadsAcross = Tile / PerThread;
static_assert(ThreadsAcross * ThreadsAcross == ProductThreads);
/// Rows of a strip in shared memory are this far apart: not a multiple of the 32 banks.
constexpr int64_t Pitch = Tile + 4;
constexpr int64_t AlignedBytes = 16;

/// One operand as its tiles see it: `along` is the dim that the tile keeps (m or n).
struct Operand {
  Value matrix, shared;
  Value along, alongFirst; // extent, and where the tile begins
  bool isDepthInner;       // k is the dim whose neighbours are side by side
  int64_t width;
  float padding;
};

class ProductLowering {
public:
  ProductLowering(gpu::GPUModuleOp module, const ProductVariant &variant)
      : b(module.getLoc(), module.getContext()), variant(variant),
        device(b, module, variant.getName(), 3, 3, ProductThreads) {
    m = device.getNumber(0);
    n = device.getNumber(1);
    k = device.getNumber(2);
  }
  int64_t run();

private:
  using Values = SmallVector<Value>;
  Value number(int64_t value) { return emitNumber(b, value); }
  Value add(Value left, Value right) { return arith::AddIOp::create(b, left, right); }
  Value add(Value left, int64_t right) { return right ? add(left, number(right)) : left; }
  Value multiply(Value left, Value right) { return arith::MulIOp::create(b, left, right); }
  Value divide(Value left, int64_t right) { return arith::DivUIOp::create(b, left, number(right)); }
  Value remainder(Value left, int64_t right) {
    return arith::RemUIOp::create(b, left, number(right));
  }
  Value less(Value left, Value right) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, left, right);
  }
  Value both(Value left, Value right) { return arith::AndIOp::create(b, left, right); }
  Type getAccessType(int64_t width) {
    Type f32 = b.getF32Type();
    return width == 1 ? f32 : VectorType::get({width}, f32);
  }
  Value getConstant(Type type, float value) {
    TypedAttr scalar = b.getF32FloatAttr(value);
    if (auto vector = dyn_cast<VectorType>(type)) scalar = DenseElementsAttr::get(vector, scalar);
    return arith::ConstantOp::create(b, scalar);
  }
  Value getElement(Value vector, int64_t lane) {
    return LLVM::ExtractElementOp::create(b, vector,
                                          arith::ConstantOp::create(b, b.getI32IntegerAttr(lane)));
  }
  Value place(Value array, Value index) { return device.getPlace(array, b.getF32Type(), index); }

  void fillStrip(const Operand &operand, Value depthFirst);
  Value loadOrPad(const Operand &operand, Value along, Value depth);
  void storeInStrip(const Operand &operand, Value value, Value along, Value depth);
  Values multiplyStrips(Value left, Value right, ValueRange accumulators);
  Value findProduct(Value across);
  void storeTile(Value row, Value column, ValueRange accumulators);

  ImplicitLocOpBuilder b;
  const ProductVariant &variant;
  DeviceFunction device;
  Value m, n, k;
  Value matrices[3]; // lhs, rhs and out of the block's product
};

/// Says which product of those side by side is the block's, and returns the block's number in it.
Value ProductLowering::findProduct(Value across) {
  llvm::copy(device.getPointers().take_front(3), matrices);
  if (!variant.isBatched) return device.blockIndex;
  Value tiles = multiply(across, divide(add(m, Tile - 1), Tile));
  Value product = arith::DivUIOp::create(b, device.blockIndex, tiles);
  Value sizes[] = {multiply(m, k), multiply(k, n), multiply(m, n)};
  for (auto [matrix, size] : llvm::zip_equal(matrices, sizes))
    matrix = place(matrix, multiply(product, size));
  return arith::RemUIOp::create(b, device.blockIndex, tiles);
}

int64_t ProductLowering::run() {
  Value across = divide(add(n, Tile - 1), Tile);
  Value block = findProduct(across);
  auto first = [&](Value tile) { return multiply(tile, number(Tile)); };
  Value rowFirst = first(arith::DivUIOp::create(b, block, across));
  Value columnFirst = first(arith::RemUIOp::create(b, block, across));
  Operand lhs = {matrices[0],
                 device.addShared("lhs", b.getF32Type(), Depth * Pitch),
                 m,
                 rowFirst,
                 !variant.transposeLhs,
                 variant.lhsWidth,
                 -0.0f};
  Operand rhs = {matrices[1],
                 device.addShared("rhs", b.getF32Type(), Depth * Pitch),
                 n,
                 columnFirst,
                 variant.transposeRhs,
                 variant.rhsWidth,
                 0.0f};
  Value rowInTile = multiply(divide(device.thread, ThreadsAcross), number(PerThread));
  Value columnInTile = multiply(remainder(device.thread, ThreadsAcross), number(PerThread));
  Values zeros(PerThread, getConstant(getAccessType(PerThread), -0.0f));
  Values sums = emitLoop(b, number(0), k, Depth, zeros, [&](Value depth, ValueRange carried) {
    fillStrip(lhs, depth);
    fillStrip(rhs, depth);
    device.syncBlock();
    Values next =
        multiplyStrips(place(lhs.shared, rowInTile), place(rhs.shared, columnInTile), carried);
    device.syncBlock(); // before the strips are overwritten
    return next;
  });
  storeTile(add(rowFirst, rowInTile), add(columnFirst, columnInTile), sums);
  device.finish();
  return device.getSharedBytes();
}

/// The strip [depthFirst, + 16) of an operand's tile. Neighbouring threads take neighbouring
/// accesses.
void ProductLowering::fillStrip(const Operand &operand, Value depthFirst) {
  int64_t innerSize = (operand.isDepthInner ? Depth : Tile) / operand.width;
  for (int64_t part = 0; part < Tile * Depth / operand.width; part += ProductThreads) {
    Value access = add(device.thread, part);
    Value inner = multiply(remainder(access, innerSize), number(operand.width));
    Value outer = divide(access, innerSize);
    Value along = operand.isDepthInner ? outer : inner;
    Value depth = operand.isDepthInner ? inner : outer;
    Value value = loadOrPad(operand, add(operand.alongFirst, along), add(depthFirst, depth));
    storeInStrip(operand, value, along, depth);
  }
}

/// `width` elements of the matrix; the extent they lie along is a multiple of it.
Value ProductLowering::loadOrPad(const Operand &operand, Value along, Value depth) {
  Type type = getAccessType(operand.width);
  Value isInside = both(less(along, operand.along), less(depth, k));
  auto load = [&]() -> Value {
    Value index = operand.isDepthInner ? add(multiply(along, k), depth)
                                       : add(multiply(depth, operand.along), along);
    return LLVM::LoadOp::create(b, type, place(operand.matrix, index), 4 * operand.width);
  };
  auto branch = scf::IfOp::create(
      b, isInside, [&](OpBuilder &, Location) { scf::YieldOp::create(b, load()); },
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, getConstant(type, operand.padding)); });
  return branch.getResult(0);
}

void ProductLowering::storeInStrip(const Operand &operand, Value value, Value along, Value depth) {
  auto getPlace = [&](int64_t deeper) {
    Value row = multiply(add(depth, deeper), number(Pitch));
    return place(operand.shared, add(row, along));
  };
  if (!operand.isDepthInner || operand.width == 1) {
    LLVM::StoreOp::create(b, value, getPlace(0), 4 * operand.width);
    return;
  }
  for (int64_t lane = 0; lane < operand.width; ++lane)
    LLVM::StoreOp::create(b, getElement(value, lane), getPlace(lane), 4);
}

/// `left`, `right`: where the thread's rows and columns begin in the strips.
ProductLowering::Values ProductLowering::multiplyStrips(Value left, Value right,
                                                        ValueRange accumulators) {
  Values sums(accumulators);
  VectorType type = VectorType::get({PerThread}, b.getF32Type());
  Value poison = LLVM::PoisonOp::create(b, type);
  Value zero = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
  for (int64_t depth = 0; depth < Depth; ++depth) {
    auto load = [&](Value strip) -> Value {
      return LLVM::LoadOp::create(b, type, place(strip, number(depth * Pitch)), AlignedBytes);
    };
    Value rows = load(left), columns = load(right);
    for (int64_t row = 0; row < PerThread; ++row) {
      Value one = LLVM::InsertElementOp::create(b, poison, getElement(rows, row), zero);
      Value factor =
          LLVM::ShuffleVectorOp::create(b, one, poison, SmallVector<int32_t>(PerThread, 0));
      sums[row] = math::FmaOp::create(b, factor, columns, sums[row]);
    }
  }
  return sums;
}

void ProductLowering::storeTile(Value row, Value column, ValueRange accumulators) {
  Value out = matrices[2];
  for (int64_t lower = 0; lower < PerThread; ++lower) {
    Value at = add(row, lower), isRow = less(at, m);
    for (int64_t lane = 0; lane < PerThread; lane += variant.outWidth) {
      Value to = add(column, lane);
      scf::IfOp::create(b, both(isRow, less(to, n)), [&](OpBuilder &, Location) {
        Value sum = accumulators[lower];
        if (variant.outWidth == 1) sum = getElement(sum, lane);
        LLVM::StoreOp::create(b, sum, place(out, add(multiply(at, n), to)), 4 * variant.outWidth);
        scf::YieldOp::create(b);
      });
    }
  }
}

} // namespace

std::string ProductVariant::getName() const {
  auto letter = [](bool isTransposed) { return isTransposed ? "t" : "n"; };
  return (Twine(isBatched ? "products_" : "product_") + letter(transposeLhs) +
          letter(transposeRhs) + "_" + Twine(lhsWidth) + Twine(rhsWidth) + Twine(outWidth))
      .str();
}

int64_t getProductGrid(int64_t m, int64_t n) {
  return llvm::divideCeil(m, Tile) * llvm::divideCeil(n, Tile);
}

int64_t emitProduct(gpu::GPUModuleOp device, const ProductVariant &variant) {
  return ProductLowering(device, variant).run();
}

} // namespace kernel
