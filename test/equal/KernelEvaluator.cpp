// A value is a table with one entry for each point of the space. Nothing is skipped, hoisted or
// shared, so there is little to get wrong.
#include "test/equal/KernelEvaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;

namespace {

/// A scalar of any type by its bits, sign- or zero-extension irrelevant beyond its width.
using Bits = uint64_t;
using Table = std::vector<Bits>;

float toFloat(Bits bits) {
  uint32_t low = bits;
  float value;
  std::memcpy(&value, &low, 4);
  return value;
}

Bits fromFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

Bits truncateTo(Type type, Bits bits) {
  unsigned width = type.getIntOrFloatBitWidth();
  return width == 64 ? bits : bits & ((Bits(1) << width) - 1);
}

int64_t toSigned(Type type, Bits bits) {
  unsigned shift = 64 - type.getIntOrFloatBitWidth();
  return int64_t(bits << shift) >> shift;
}

int64_t saturate(float value, int64_t low, int64_t high) {
  if (std::isnan(value)) return 0;
  if (value <= float(low)) return low;
  return value >= float(high) ? high : int64_t(value);
}

class Evaluator {
public:
  Evaluator(kernel::FuncOp func, int64_t extent, std::vector<Buffer *> buffers)
      : func(func), buffers(std::move(buffers)) {
    for (unsigned dim = 0; dim < func.getSpace().getRank(); ++dim) {
      extents.push_back(func.getSpace().getExtent(dim, extent));
      points *= extents.back();
    }
  }

  void run() {
    for (Operation &op : func.getBlock())
      if (auto store = dyn_cast<kernel::StoreOp>(op))
        stores.push_back(store);
      else
        tables[op.getResult(0)] = evaluate(&op);
    for (kernel::StoreOp store : stores)
      for (int64_t point = 0; point < points; ++point)
        access(store.getTensor(), store.getMap(), point, &tables[store.getValue()][point]);
  }

private:
  int64_t indexOf(int64_t point, unsigned dim) {
    for (unsigned last = extents.size() - 1; last > dim; --last)
      point /= extents[last];
    return point % extents[dim];
  }

  int64_t evaluateIndex(AffineExpr expr, int64_t point, ArrayRef<Bits> given) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) return indexOf(point, dim.getPosition());
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) return given[symbol.getPosition()];
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) return constant.getValue();
    auto binary = cast<AffineBinaryOpExpr>(expr);
    int64_t left = evaluateIndex(binary.getLHS(), point, given);
    int64_t right = evaluateIndex(binary.getRHS(), point, given);
    return binary.getKind() == AffineExprKind::Add ? left + right : left * right;
  }

  /// Reads an element, or writes it if `from` is given; `given` stands for the map's symbols.
  Bits access(Value tensor, AffineMap map, int64_t point, const Bits *from = nullptr,
              ArrayRef<Bits> given = {}) {
    auto type = cast<RankedTensorType>(tensor.getType());
    int64_t offset = 0;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      bool isOpen = type.isDynamicDim(dim);
      int64_t index = evaluateIndex(map.getResult(dim), point, given);
      if (index < 0 || (!isOpen && index >= type.getDimSize(dim))) return 0;
      offset = (dim ? offset * type.getDimSize(dim) : 0) + index;
    }
    size_t size = (type.getElementType().getIntOrFloatBitWidth() + 7) / 8;
    Buffer &buffer = *buffers[cast<BlockArgument>(tensor).getArgNumber()];
    if (size_t(offset + 1) * size > buffer.size())
      llvm::report_fatal_error("the test's kernel leaves a buffer");
    Bits bits = 0;
    if (from)
      std::memcpy(buffer.data() + offset * size, from, size);
    else
      std::memcpy(&bits, buffer.data() + offset * size, size);
    return bits;
  }

  Table evaluate(Operation *op) {
    if (auto reduce = dyn_cast<kernel::ReduceOp>(op))
      return overRows(reduce.getValue(), reduce.getDim(),
                      [&](const Table &row) { return reduceTree(reduce, row); });
    if (auto argmax = dyn_cast<kernel::ArgmaxOp>(op))
      return overRows(argmax.getValue(), argmax.getDim(), [](const Table &row) {
        float best = -std::numeric_limits<float>::infinity();
        Bits at = 0;
        for (size_t index = 0; index < row.size(); ++index)
          if (toFloat(row[index]) > best) {
            best = toFloat(row[index]);
            at = index;
          }
        return at;
      });
    if (auto scatter = dyn_cast<kernel::ScatterOp>(op)) return sumByIndex(scatter);
    Table table(points);
    for (int64_t point = 0; point < points; ++point) {
      SmallVector<Bits> operands;
      auto load = dyn_cast<kernel::LoadOp>(op);
      for (Value operand : load ? ValueRange(load.getAt()) : ValueRange(op->getOperands()))
        operands.push_back(tables[operand][point]);
      table[point] = evaluateAt(op, operands, point);
    }
    return table;
  }

  /// Gives all points that differ only in `dim` what `reduce` makes of their values.
  template <class Reduce> Table overRows(Value value, unsigned dim, Reduce reduce) {
    Table &from = tables[value], table(points);
    int64_t stride = 1;
    for (unsigned last = dim + 1; last < extents.size(); ++last)
      stride *= extents[last];
    for (int64_t point = 0; point < points; ++point) {
      if (indexOf(point, dim) != 0) continue;
      Table row;
      for (int64_t index = 0; index < extents[dim]; ++index)
        row.push_back(from[point + index * stride]);
      Bits result = reduce(row);
      for (int64_t index = 0; index < extents[dim]; ++index)
        table[point + index * stride] = result;
    }
    return table;
  }

  /// At each (g, n, p, j) the sum of the values at (g, n, q, j) for the q whose index is n.
  Table sumByIndex(kernel::ScatterOp op) {
    Table &values = tables[op.getValue()], &indices = tables[op.getAt()], table(points);
    for (int64_t point = 0; point < points; ++point) {
      float sum = -0.0f;
      int64_t first = point - indexOf(point, 2) * extents[3];
      for (int64_t q = 0; q < extents[2]; ++q)
        if (int64_t(indices[first + q * extents[3]]) == indexOf(point, 1))
          sum += toFloat(values[first + q * extents[3]]);
      table[point] = fromFloat(sum);
    }
    return table;
  }

  Bits combine(kernel::ReduceKind kind, Type type, Bits a, Bits b) {
    if (type.isF32()) {
      float x = toFloat(a), y = toFloat(b);
      if (kind == kernel::ReduceKind::Add) return fromFloat(x + y);
      bool wins = kind == kernel::ReduceKind::Max ? x > y : x < y;
      return std::isnan(x) ? a : wins ? a : b;
    }
    if (kind == kernel::ReduceKind::Add) return truncateTo(type, a + b);
    int64_t x = toSigned(type, a), y = toSigned(type, b);
    return (kind == kernel::ReduceKind::Max ? x > y : x < y) ? a : b;
  }

  Bits getIdentity(kernel::ReduceKind kind, Type type) {
    float infinity = std::numeric_limits<float>::infinity();
    bool isMax = kind == kernel::ReduceKind::Max;
    if (type.isF32())
      return fromFloat(kind == kernel::ReduceKind::Add ? -0.0f : isMax ? -infinity : infinity);
    if (kind == kernel::ReduceKind::Add) return 0;
    unsigned width = type.getIntOrFloatBitWidth();
    return isMax ? Bits(1) << (width - 1) : (Bits(1) << (width - 1)) - 1;
  }

  Bits halve(kernel::ReduceOp reduce, Table values) {
    size_t size = 1;
    while (size < values.size())
      size *= 2;
    values.resize(size, getIdentity(reduce.getKind(), reduce.getType()));
    for (size_t half = size / 2; half; half /= 2)
      for (size_t index = 0; index < half; ++index)
        values[index] =
            combine(reduce.getKind(), reduce.getType(), values[index], values[index + half]);
    return values[0];
  }

  Bits reduceTree(kernel::ReduceOp reduce, const Table &row) {
    Table chunks;
    for (size_t start = 0; start < row.size(); start += reduce.getChunk()) {
      Table lanes(reduce.getLanes(), getIdentity(reduce.getKind(), reduce.getType()));
      size_t end = std::min<size_t>(row.size(), start + reduce.getChunk());
      for (size_t index = start; index < end; ++index) {
        Bits &lane = lanes[index % reduce.getLanes()];
        lane = combine(reduce.getKind(), reduce.getType(), lane, row[index]);
      }
      chunks.push_back(halve(reduce, lanes));
    }
    return halve(reduce, chunks);
  }

  Bits evaluateAt(Operation *op, ArrayRef<Bits> in, int64_t point) {
    if (auto load = dyn_cast<kernel::LoadOp>(op))
      return access(load.getTensor(), load.getMap(), point, nullptr, in);
    if (auto iota = dyn_cast<kernel::IotaOp>(op)) return indexOf(point, iota.getDim());
    if (auto random = dyn_cast<kernel::RandomOp>(op)) return evaluateUniform(random, in);
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      if (auto real = dyn_cast<FloatAttr>(constant.getValue()))
        return fromFloat(real.getValue().convertToFloat());
      return cast<IntegerAttr>(constant.getValue()).getValue().getZExtValue();
    }
    if (isa<math::MathDialect>(op->getDialect()) || op->getOperand(0).getType().isF32())
      return evaluateFloat(op, in);
    return evaluateInteger(op, in);
  }

  Bits evaluateUniform(kernel::RandomOp op, ArrayRef<Bits> in) {
    uint64_t block = in[2] / 4;
    std::array<uint32_t, 4> c = {uint32_t(block), uint32_t(block >> 32) + uint32_t(in[1] >> 32),
                                 uint32_t(in[1]), uint32_t(op.getSite())};
    uint32_t k0 = in[0], k1 = in[0] >> 32;
    for (int round = 0; round < 10; ++round, k0 += 0x9E3779B9, k1 += 0xBB67AE85) {
      uint64_t p0 = uint64_t(c[0]) * 0xD2511F53, p1 = uint64_t(c[2]) * 0xCD9E8D57;
      c = {uint32_t(p1 >> 32) ^ c[1] ^ k0, uint32_t(p1), uint32_t(p0 >> 32) ^ c[3] ^ k1,
           uint32_t(p0)};
    }
    if (op.getKind() != kernel::RandomKind::Uniform)
      llvm::report_fatal_error("the evaluator knows uniform values only");
    return fromFloat(float(c[in[2] % 4] >> 8) * 0x1p-24f);
  }

  Bits evaluateFloat(Operation *op, ArrayRef<Bits> in) {
    StringRef name = op->getName().getStringRef();
    float x = toFloat(in[0]), y = in.size() > 1 ? toFloat(in[1]) : 0;
    if (auto compare = dyn_cast<arith::CmpFOp>(op))
      return compareFloat(compare.getPredicate(), x, y);
    if (isa<arith::FPToSIOp>(op)) {
      bool wide = op->getResult(0).getType().isInteger(64);
      return truncateTo(op->getResult(0).getType(), wide ? saturate(x, INT64_MIN, INT64_MAX)
                                                         : saturate(x, INT32_MIN, INT32_MAX));
    }
    if (isa<arith::BitcastOp>(op)) return in[0];
    if (name == "arith.addf") return fromFloat(x + y);
    if (name == "arith.subf") return fromFloat(x - y);
    if (name == "arith.mulf") return fromFloat(x * y);
    if (name == "arith.divf") return fromFloat(x / y);
    if (name == "arith.negf") return in[0] ^ 0x80000000u;
    if (name == "math.fma") return fromFloat(std::fma(x, y, toFloat(in[2])));
    if (name == "math.sqrt") return fromFloat(std::sqrt(x));
    if (name == "math.absf") return in[0] & 0x7fffffffu;
    if (name == "math.floor") return fromFloat(std::floor(x));
    if (name == "math.ceil") return fromFloat(std::ceil(x));
    if (name == "math.roundeven") return fromFloat(std::nearbyint(x));
    if (name == "math.copysign") return (in[0] & 0x7fffffffu) | (in[1] & 0x80000000u);
    llvm::report_fatal_error("the evaluator does not know " + name);
  }

  Bits compareFloat(arith::CmpFPredicate predicate, float x, float y) {
    bool unordered = std::isnan(x) || std::isnan(y);
    switch (predicate) {
    case arith::CmpFPredicate::OEQ:
      return x == y;
    case arith::CmpFPredicate::OGT:
      return x > y;
    case arith::CmpFPredicate::OGE:
      return x >= y;
    case arith::CmpFPredicate::OLT:
      return x < y;
    case arith::CmpFPredicate::OLE:
      return x <= y;
    case arith::CmpFPredicate::ONE:
      return !unordered && x != y;
    case arith::CmpFPredicate::ORD:
      return !unordered;
    case arith::CmpFPredicate::UEQ:
      return unordered || x == y;
    case arith::CmpFPredicate::UGT:
      return unordered || x > y;
    case arith::CmpFPredicate::UGE:
      return unordered || x >= y;
    case arith::CmpFPredicate::ULT:
      return unordered || x < y;
    case arith::CmpFPredicate::ULE:
      return unordered || x <= y;
    case arith::CmpFPredicate::UNE:
      return x != y;
    case arith::CmpFPredicate::UNO:
      return unordered;
    case arith::CmpFPredicate::AlwaysTrue:
      return 1;
    case arith::CmpFPredicate::AlwaysFalse:
      return 0;
    }
    return 0;
  }

  Bits evaluateInteger(Operation *op, ArrayRef<Bits> in) {
    StringRef name = op->getName().getStringRef();
    Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
    if (isa<arith::SelectOp>(op)) return in[0] ? in[1] : in[2];
    if (isa<arith::BitcastOp, arith::ExtUIOp>(op)) return in[0];
    if (isa<arith::ExtSIOp, arith::TruncIOp>(op)) return truncateTo(to, toSigned(from, in[0]));
    if (isa<arith::SIToFPOp>(op)) return fromFloat(float(toSigned(from, in[0])));
    if (isa<arith::UIToFPOp>(op)) return fromFloat(float(in[0]));
    int64_t x = toSigned(from, in[0]), y = toSigned(from, in[1]);
    if (auto compare = dyn_cast<arith::CmpIOp>(op))
      return arith::applyCmpPredicate(compare.getPredicate(), APInt(64, x, true),
                                      APInt(64, y, true));
    Bits result = llvm::StringSwitch<Bits>(name)
                      .Case("arith.addi", in[0] + in[1])
                      .Case("arith.subi", in[0] - in[1])
                      .Case("arith.muli", in[0] * in[1])
                      .Case("arith.andi", in[0] & in[1])
                      .Case("arith.ori", in[0] | in[1])
                      .Case("arith.xori", in[0] ^ in[1])
                      .Case("arith.shli", in[0] << (in[1] & 63))
                      .Case("arith.shrui", in[0] >> (in[1] & 63))
                      .Case("arith.shrsi", x >> (in[1] & 63))
                      .Case("arith.divsi", y ? x / y : 0)
                      .Case("arith.remsi", y ? x % y : 0)
                      .Default(~Bits(0));
    return truncateTo(to, result);
  }

  kernel::FuncOp func;
  std::vector<Buffer *> buffers;
  std::vector<int64_t> extents;
  int64_t points = 1;
  std::vector<kernel::StoreOp> stores;
  llvm::DenseMap<Value, Table> tables;
};

} // namespace

void evaluateKernel(kernel::FuncOp func, int64_t extent, std::vector<Buffer *> buffers) {
  Evaluator(func, extent, std::move(buffers)).run();
}
