// What a loop need not carry, read or write. Autodiff leaves much of that: outputs whose gradient
// nobody asks for, states that only they need, constants given from outside. No element is computed
// otherwise than before. Later loops come first, because what they no longer read an earlier one
// need not write.
#include "compiler/transforms/simplify/Passes.h"

#include "dialects/dlm/Dlm.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/BitVector.h"

namespace dlm::simplify {
#define GEN_PASS_DEF_FOLDSCANSPASS
#include "compiler/transforms/simplify/Passes.h.inc"
} // namespace dlm::simplify

namespace dlm::simplify {
namespace {

using mlir::Block;
using mlir::BlockArgument;
using mlir::OpBuilder;
using mlir::Operation;
using mlir::OpOperand;
using mlir::RankedTensorType;
using mlir::Value;

struct FoldScans : impl::FoldScansPassBase<FoldScans> {
  void runOnOperation() override;
};

RankedTensorType typeOf(Value value) { return mlir::cast<RankedTensorType>(value.getType()); }

/// A loop and the arguments of its body: the trip's number, states, slices, captures.
struct Loop {
  ScanOp op;
  Block &body;
  unsigned states, slices, captures;

  explicit Loop(ScanOp op)
      : op(op), body(*op.getBody()), states(op.getInits().size()), slices(op.getXs().size()),
        captures(op.getCaptures().size()) {}

  BlockArgument state(unsigned number) { return body.getArgument(1 + number); }
  BlockArgument slice(unsigned number) { return body.getArgument(1 + states + number); }
  BlockArgument capture(unsigned number) { return body.getArgument(1 + states + slices + number); }
  Operation *end() { return body.getTerminator(); }
  unsigned results() { return op->getNumResults(); }
  /// Whether the argument has the number of one of the slices, or of the captures.
  bool isSlice(BlockArgument argument) {
    return argument.getArgNumber() > states && argument.getArgNumber() <= states + slices;
  }
  bool isCapture(BlockArgument argument) { return argument.getArgNumber() > states + slices; }
  unsigned operandOf(BlockArgument argument) { return argument.getArgNumber() - 1; }

  /// The argument for a value from outside that is the same in each trip.
  Value captured(Value value) {
    for (unsigned i = 0; i < captures; ++i)
      if (op.getCaptures()[i] == value) return capture(i);
    op.getCapturesMutable().append(value);
    ++captures;
    return body.addArgument(value.getType(), value.getLoc());
  }
};

/// One trip is its body.
void inlineOnlyTrip(Loop loop) {
  OpBuilder build(loop.op);
  mlir::Location loc = loop.op.getLoc();
  mlir::IRMapping mapping;
  auto number = RankedTensorType::get({}, build.getI32Type());
  if (!loop.body.getArgument(0).use_empty())
    mapping.map(loop.body.getArgument(0), ConstantOp::create(build, loc, number, 0.0).getResult());
  for (unsigned i = 0; i < loop.states; ++i)
    mapping.map(loop.state(i), loop.op.getInits()[i]);
  for (unsigned i = 0; i < loop.slices; ++i) {
    Value part =
        ReshapeOp::create(build, loc, loop.op.getXs()[i], typeOf(loop.slice(i)).getShape());
    mapping.map(loop.slice(i), part);
  }
  for (unsigned i = 0; i < loop.captures; ++i)
    mapping.map(loop.capture(i), loop.op.getCaptures()[i]);
  for (Operation &op : loop.body.without_terminator())
    build.clone(op, mapping);
  for (OpOperand &use : loop.end()->getOpOperands()) {
    Value value = mapping.lookupOrDefault(use.get());
    Value result = loop.op->getResult(use.getOperandNumber());
    if (use.getOperandNumber() >= loop.states)
      value = ReshapeOp::create(build, loc, value, typeOf(result).getShape());
    result.replaceAllUsesWith(value);
  }
}

/// States that stay as they are.
bool captureInvariants(Loop loop) {
  bool changed = false;
  for (unsigned i = 0; i < loop.states; ++i) {
    BlockArgument state = loop.state(i);
    if (loop.end()->getOperand(i) != state) continue;
    Value first = loop.op.getInits()[i];
    bool isRead = !state.hasOneUse() || !loop.op->getResult(i).use_empty();
    if (!isRead) continue;
    if (!state.hasOneUse()) { // by more than the end
      Value same = loop.captured(first);
      state.replaceUsesWithIf(same, [&](OpOperand &use) {
        return use.getOwner() != loop.end() || use.getOperandNumber() != i;
      });
    }
    loop.op->getResult(i).replaceAllUsesWith(first);
    changed = true;
  }
  return changed;
}

/// Constants belong into the body, where they cost nothing; so does what repeats one value along
/// the slices.
bool sinkConstants(Loop loop) {
  bool changed = false;
  OpBuilder build = OpBuilder::atBlockBegin(&loop.body);
  for (unsigned i = 0; i < loop.captures; ++i) {
    auto constant = loop.op.getCaptures()[i].getDefiningOp<ConstantOp>();
    if (!constant || loop.capture(i).use_empty()) continue;
    loop.capture(i).replaceAllUsesWith(build.clone(*constant)->getResult(0));
    changed = true;
  }
  for (unsigned i = 0; i < loop.slices; ++i) {
    BlockArgument slice = loop.slice(i);
    if (slice.use_empty()) continue;
    Value whole = loop.op.getXs()[i], inner;
    auto constant = whole.getDefiningOp<ConstantOp>();
    auto dense = constant ? mlir::dyn_cast<mlir::DenseElementsAttr>(constant.getValue()) : nullptr;
    if (dense && dense.isSplat()) {
      inner = ConstantOp::create(build, whole.getLoc(), dense.resizeSplat(typeOf(slice)));
    } else if (auto repeated = whole.getDefiningOp<BroadcastOp>()) {
      llvm::SmallVector<int64_t> dims(repeated.getDims());
      if (llvm::is_contained(dims, 0)) continue;
      for (int64_t &dim : dims)
        --dim;
      inner = BroadcastOp::create(build, whole.getLoc(), slice.getType(),
                                  loop.captured(repeated.getX()), dims);
    } else {
      continue;
    }
    slice.replaceAllUsesWith(inner);
    changed = true;
  }
  return changed;
}

/// Reads what is given twice from one argument.
bool mergeArguments(Loop loop) {
  bool changed = false;
  mlir::OperandRange operands = loop.op->getOperands();
  for (unsigned i = loop.states; i < operands.size(); ++i)
    for (unsigned k = i + 1; k < operands.size(); ++k) {
      BlockArgument first = loop.body.getArgument(1 + i), second = loop.body.getArgument(1 + k);
      bool same = operands[i] == operands[k] && loop.isSlice(first) == loop.isSlice(second);
      if (!same || second.use_empty()) continue;
      second.replaceAllUsesWith(first);
      changed = true;
    }
  return changed;
}

/// Outputs that are known without the loop, or written twice.
bool forwardOutputs(Loop loop) {
  bool changed = false;
  for (unsigned i = loop.states; i < loop.results(); ++i) {
    Value result = loop.op->getResult(i), value = loop.end()->getOperand(i), known;
    if (result.use_empty()) continue;
    auto argument = mlir::dyn_cast<BlockArgument>(value);
    for (unsigned k = loop.states; k < i && !known; ++k)
      if (loop.end()->getOperand(k) == value) known = loop.op->getResult(k);
    if (argument && !known && loop.isSlice(argument))
      known = loop.op->getOperand(loop.operandOf(argument));
    if (argument && !known && loop.isCapture(argument)) {
      OpBuilder build(loop.op);
      llvm::SmallVector<int64_t> dims;
      for (int64_t dim = 1; dim < typeOf(result).getRank(); ++dim)
        dims.push_back(dim);
      known = BroadcastOp::create(build, loop.op.getLoc(), result.getType(),
                                  loop.op->getOperand(loop.operandOf(argument)), dims);
    }
    if (!known) continue;
    result.replaceAllUsesWith(known);
    changed = true;
  }
  return changed;
}

/// What the results that somebody reads need of the body.
struct Needed {
  llvm::BitVector results;
  llvm::DenseSet<Operation *> ops;

  explicit Needed(Loop loop) : results(loop.results()) {
    llvm::SmallVector<Value> work;
    llvm::DenseSet<Value> seen;
    auto needResult = [&](unsigned number) {
      if (results.test(number)) return;
      results.set(number);
      work.push_back(loop.end()->getOperand(number));
    };
    for (unsigned i = 0; i < loop.results(); ++i)
      if (!loop.op->getResult(i).use_empty()) needResult(i);
    while (!work.empty()) {
      Value value = work.pop_back_val();
      if (!seen.insert(value).second) continue;
      auto argument = mlir::dyn_cast<BlockArgument>(value);
      if (argument && argument.getArgNumber() >= 1 && argument.getArgNumber() <= loop.states)
        needResult(argument.getArgNumber() - 1);
      if (Operation *op = value.getDefiningOp())
        if (ops.insert(op).second) llvm::append_range(work, op->getOperands());
    }
  }
};

/// The loop with some of its results only; the others have no uses. Its body is that of the smaller
/// one already.
ScanOp keepResults(Loop loop, const llvm::BitVector &kept) {
  llvm::SmallVector<Value> results, inits;
  for (unsigned i = 0; i < loop.results(); ++i) {
    if (!kept.test(i)) continue;
    results.push_back(loop.op->getResult(i));
    if (i < loop.states) inits.push_back(loop.op.getInits()[i]);
  }
  OpBuilder build(loop.op);
  mlir::TypeRange outputs(loop.end()->getOperandTypes());
  auto smaller = ScanOp::create(build, loop.op.getLoc(), int64_t(loop.op.getTrips()),
                                loop.op.getReverse(), inits, loop.op.getXs(), loop.op.getCaptures(),
                                outputs.drop_front(inits.size()));
  for (auto [old, fresh] : llvm::zip_equal(results, smaller->getResults()))
    old.replaceAllUsesWith(fresh);
  smaller.getStep().takeBody(loop.op.getStep());
  loop.op.erase();
  return smaller;
}

/// Results that nobody reads, what only they need, and what the body does not look at.
bool removeDead(ScanOp &op) {
  Loop loop(op);
  Needed needed(loop);
  bool changed = false;
  if (!needed.results.all()) {
    llvm::SmallVector<Operation *> dead;
    for (Operation &inner : loop.body.without_terminator())
      if (!needed.ops.contains(&inner)) dead.push_back(&inner);
    unsigned count = loop.results(), states = loop.states;
    for (unsigned i = count; i-- > 0;)
      if (!needed.results.test(i)) loop.end()->eraseOperand(i);
    for (Operation *inner : llvm::reverse(dead))
      inner->erase();
    for (unsigned i = states; i-- > 0;)
      if (!needed.results.test(i)) loop.body.eraseArgument(1 + i);
    op = keepResults(loop, needed.results);
    changed = true;
  }
  Loop rest(op);
  for (unsigned i = rest.captures; i-- > 0;)
    if (rest.capture(i).use_empty()) {
      rest.body.eraseArgument(rest.capture(i).getArgNumber());
      op.getCapturesMutable().erase(i);
      changed = true;
    }
  for (unsigned i = rest.slices; i-- > 0;)
    if (rest.slice(i).use_empty()) {
      rest.body.eraseArgument(rest.slice(i).getArgNumber());
      op.getXsMutable().erase(i);
      changed = true;
    }
  return changed;
}

bool foldScan(ScanOp op) {
  if (op.getTrips() == 1) {
    inlineOnlyTrip(Loop(op));
    op.erase();
    return true;
  }
  bool changed = captureInvariants(Loop(op));
  changed |= sinkConstants(Loop(op));
  changed |= mergeArguments(Loop(op));
  changed |= forwardOutputs(Loop(op));
  return removeDead(op) | changed;
}

/// One walk from the end of a block: dead ops go on the way.
bool foldBlock(Block &block) {
  bool changed = false;
  llvm::SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops)) {
    if (mlir::isOpTriviallyDead(op)) {
      op->erase();
      continue;
    }
    auto scan = mlir::dyn_cast<ScanOp>(op);
    if (!scan) continue;
    changed |= foldBlock(*scan.getBody());
    changed |= foldScan(scan);
  }
  return changed;
}

/// Folding one loop can leave something to fold in another; this often, and no more.
constexpr int RoundMax = 8;

void FoldScans::runOnOperation() {
  if (getOperation().isExternal()) return;
  for (int round = 0; round < RoundMax && foldBlock(getOperation().getBody().front()); ++round) {
  }
}

} // namespace
} // namespace dlm::simplify
