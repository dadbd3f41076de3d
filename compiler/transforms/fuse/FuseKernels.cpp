// Outlines kernels. A block, that of a function or the body of a loop, is prepared (LongReductions,
// Destinations), its ops are grouped (Grouping, the plan) and then every group is written as a
// launch (here, the applying half): in program order of the groups' last ops, so that nothing is
// computed long before it is needed. Kernels are kept in a table by the text of their bodies: equal
// ones exist once in the module, and since flat kernels have an open extent, adding two vectors is
// one kernel at any length.
//
// Cost: linear in the ops, apart from the trial builds of Grouping. No search for a best grouping.
#include "compiler/transforms/fuse/Destinations.h"
#include "compiler/transforms/fuse/Grouping.h"
#include "compiler/transforms/fuse/KernelTable.h"
#include "compiler/transforms/fuse/LongReductions.h"
#include "compiler/transforms/fuse/LoopBodies.h"
#include "compiler/transforms/fuse/Passes.h"

#include <mlir/IR/IRMapping.h>

using namespace mlir;

namespace dlm::fuse {

#define GEN_PASS_DEF_FUSEKERNELSPASS
#include "compiler/transforms/fuse/Passes.h.inc"

namespace {

/// Writes the new ops of one block behind the old ones.
class Outliner {
public:
  Outliner(Block &block, const Grouping &grouping, KernelTable &kernels)
      : block(block), grouping(grouping), kernels(kernels), builder(block.getTerminator()) {}

  LogicalResult run();

private:
  FailureOr<Value> inMemory(Value value);
  LogicalResult emitGroup(unsigned number);
  LogicalResult emitContract(MatmulOp op);
  LogicalResult cloneOf(Operation *op);

  Block &block;
  const Grouping &grouping;
  KernelTable &kernels;
  OpBuilder builder;
  IRMapping mapping;
  llvm::DenseSet<unsigned> emitted;
};

struct FuseKernelsPass : impl::FuseKernelsPassBase<FuseKernelsPass> {
  void runOnOperation() override;
};

} // namespace

/// The bodies of loops come first: they are blocks of their own.
static LogicalResult fuseBlock(Block &block, unsigned depth, KernelTable &kernels) {
  if (depth == LoopDepthMax) unrollLoops(block);
  for (ScanOp loop : llvm::to_vector(block.getOps<ScanOp>())) {
    giveTripNumbers(loop);
    if (failed(fuseBlock(*loop.getBody(), depth + 1, kernels))) return failure();
  }
  splitLongReductions(block);
  prepareDestinations(block);
  Grouping grouping(block);
  if (failed(grouping.run())) return failure();
  return Outliner(block, grouping, kernels).run();
}

void FuseKernelsPass::runOnOperation() {
  ModuleOp module = getOperation();
  KernelTable kernels(module);
  for (func::FuncOp function : llvm::to_vector(module.getOps<func::FuncOp>()))
    if (!function.isExternal() && failed(fuseBlock(function.getBody().front(), 0, kernels)))
      return signalPassFailure();
}

LogicalResult Outliner::run() {
  Operation *end = block.getTerminator();
  SmallVector<Operation *> old;
  for (Operation &op : block.without_terminator())
    old.push_back(&op);
  for (Operation *op : old) {
    int number = grouping.groupOf(op);
    if (number >= 0 && grouping.getGroups()[number].ops.back() == op && failed(emitGroup(number)))
      return failure();
  }
  for (OpOperand &use : end->getOpOperands()) {
    FailureOr<Value> value = inMemory(use.get());
    if (failed(value)) return failure();
    use.set(*value);
  }
  for (Operation *op : llvm::reverse(old))
    op->erase();
  return success();
}

/// The new value that stands for an old one that lies in memory.
FailureOr<Value> Outliner::inMemory(Value value) {
  if (Value known = mapping.lookupOrNull(value)) return known;
  Operation *op = value.getDefiningOp();
  if (!op) return value;
  if (auto fence = dyn_cast<FenceOp>(op)) {
    FailureOr<Value> source = inMemory(fence.getX());
    if (succeeded(source)) mapping.map(value, *source);
    return source;
  }
  if (isa<ReshapeOp, SegmentOp, PackOp>(op)) {
    if (failed(cloneOf(op))) return failure();
    return mapping.lookup(value);
  }
  int number = grouping.groupOf(op);
  if (number < 0 || failed(emitGroup(number)) || !mapping.contains(value))
    return op->emitError("internal error in fuse: the value is not in memory");
  return mapping.lookup(value);
}

/// The op again, on operands in memory.
LogicalResult Outliner::cloneOf(Operation *op) {
  for (Value operand : op->getOperands()) {
    FailureOr<Value> source = inMemory(operand);
    if (failed(source)) return failure();
    mapping.map(operand, *source);
  }
  builder.clone(*op, mapping);
  return success();
}

LogicalResult Outliner::emitGroup(unsigned number) {
  if (!emitted.insert(number).second) return success();
  const Group &group = grouping.getGroups()[number];
  if (group.isSingle && isa<ScanOp>(group.ops[0])) return cloneOf(group.ops[0]);
  if (group.isSingle) return emitContract(cast<MatmulOp>(group.ops[0]));
  Value blamed;
  FailureOr<BuiltKernel> kernel = grouping.build(group, "kernel", blamed);
  if (failed(kernel))
    return group.ops[0]->emitError("internal error in fuse: the group is not a kernel");
  SmallVector<Value> inputs;
  for (Value input : kernel->inputs) {
    FailureOr<Value> source = inMemory(input);
    if (failed(source)) return failure();
    inputs.push_back(*source);
  }
  StringAttr name = kernels.insert(std::move(kernel->function), group);
  SmallVector<Location> places;
  for (Value output : kernel->outputs)
    places.push_back(output.getLoc());
  auto launch = kernel::LaunchOp::create(builder, builder.getFusedLoc(places),
                                         ValueRange(kernel->outputs).getTypes(),
                                         FlatSymbolRefAttr::get(name), inputs, kernel->extent);
  mapping.map(kernel->outputs, launch.getResults());
  return success();
}

LogicalResult Outliner::emitContract(MatmulOp op) {
  FailureOr<Value> lhs = inMemory(op.getLhs());
  FailureOr<Value> rhs = failed(lhs) ? lhs : inMemory(op.getRhs());
  if (failed(rhs)) return failure();
  int64_t splits = op.getChain() ? op.getChain()->getSplits() : 1;
  mapping.map(op.getResult(),
              kernel::ContractOp::create(builder, op.getLoc(), op.getType(), *lhs, *rhs,
                                         op.getTransposeLhs(), op.getTransposeRhs(), splits)
                  .getResult());
  return success();
}

} // namespace dlm::fuse
