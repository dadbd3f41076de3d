// `linear`: blocks of a flat range, one vector at a time. Work items are neighbours, so a call
// walks its whole range in one loop.
#include "compiler/conversion/KernelToLLVM/KernelLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace kernel {

void KernelLowering::lowerLinear() {
  Extent size = getExtent(0);
  Value block = number(SpaceAttr::LinearBlock);
  Value from = arith::MulIOp::create(b, begin, block);
  Value to = smaller(arith::MulIOp::create(b, end, block), size.value);
  bool isMultiple = size.fixed && *size.fixed % width == 0;
  emitBlocks(from, to, isMultiple, /*isShort=*/false, [&] {
    for (Operation &op : func.getBlock())
      if (op.getNumResults() && !emitter.get(op.getResult(0))) emitter.emit(&op);
    for (StoreOp store : func.getOps<StoreOp>())
      emitter.emit(store);
  });
}

} // namespace kernel
