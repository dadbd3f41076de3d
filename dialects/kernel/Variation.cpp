// A load varies over the dims of its map and of its given indices, an iota over its own; a
// reduction removes its dim, a scatter puts n in the place of p and has all j, and any other op
// varies over what its operands vary over.
#include "dialects/kernel/Variation.h"

#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

kernel::DimSet kernel::getDims(AffineMap map) {
  DimSet dims = 0;
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    if (map.isFunctionOfDim(dim)) dims |= DimSet(1) << dim;
  return dims;
}

kernel::Variation::Variation(FuncOp func) {
  for (Operation &op : func.getBlock()) {
    DimSet dims = 0;
    for (Value operand : op.getOperands())
      dims |= sets.lookup(operand);
    auto without = [&](int64_t dim) { return dims & ~(DimSet(1) << dim); };
    DimSet own =
        llvm::TypeSwitch<Operation *, DimSet>(&op)
            .Case<LoadOp>([&](LoadOp load) { return dims | getDims(load.getMap()); })
            .Case<IotaOp>([](IotaOp iota) { return DimSet(1) << iota.getDim(); })
            .Case<ReduceOp, ArgmaxOp>([&](auto reduce) { return without(reduce.getDim()); })
            .Case<ScatterOp>(
                [&](ScatterOp) { return without(2) | DimSet(1) << 1 | DimSet(1) << 3; })
            .Default([&](Operation *) { return dims; });
    for (Value result : op.getResults())
      sets[result] = own;
  }
}
