// Roles and groups of the ops of one block; the idea is in Grouping.h.
#include "compiler/transforms/fuse/Grouping.h"

#include "compiler/transforms/fuse/ScalarCost.h"
#include "compiler/transforms/fuse/WrittenOut.h"

using namespace mlir;

namespace dlm::fuse {

/// Limits of what is computed again in every kernel that needs it.
static constexpr unsigned InlineOpMax = 6;
static constexpr unsigned InlineLoadMax = 2;
/// The same of what is written out once for each place of a window, each element in one of them.
static constexpr unsigned WrittenOpMax = 16;
static constexpr unsigned WrittenLoadMax = 6;

static int64_t elementCount(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

Role Grouping::roleOf(Value value) const {
  Operation *op = value.getDefiningOp();
  return op ? roles.lookup(op) : Role::Memory;
}

int Grouping::groupOf(Operation *op) const {
  auto found = groupNumbers.find(op);
  return found == groupNumbers.end() ? -1 : int(found->second);
}

LogicalResult Grouping::run() {
  Value blamed;
  while (!attempt(blamed)) {
    Operation *op = blamed ? blamed.getDefiningOp() : nullptr;
    if (!op || !stored.insert(op).second)
      return (op ? op : block.getParentOp())->emitError() << "does not fit any kernel schedule";
  }
  return success();
}

/// One pass over the ops. False if `blamed` has to be stored first.
bool Grouping::attempt(Value &blamed) {
  roles.clear();
  groupNumbers.clear();
  groups.clear();
  sources.clear();
  markStored();
  for (Operation &op : block.without_terminator())
    if (!assign(&op, blamed)) return false;
  mergeSiblings();
  return true;
}

/// Results of the block and operands of views, products and loops lie in memory.
void Grouping::markStored() {
  for (Operation &op : block) {
    if (!isa<MatmulOp, ScanOp, SegmentOp, PackOp, FenceOp>(op) && &op != block.getTerminator())
      continue;
    for (Value operand : op.getOperands()) {
      if (isa<FenceOp>(op) && operand != op.getOperand(0)) break;
      Operation *source = operand.getDefiningOp();
      while (isa_and_nonnull<ReshapeOp>(source))
        source = source->getOperand(0).getDefiningOp();
      if (source) stored.insert(source);
    }
  }
}

bool Grouping::assign(Operation *op, Value &blamed) {
  bool isView = isa<SegmentOp, PackOp, FenceOp>(op) ||
                (isa<ReshapeOp>(op) && roleOf(op->getOperand(0)) == Role::Memory);
  if (isView || isa<MatmulOp, ScanOp>(op)) {
    roles[op] = Role::Memory;
    if (!isView) {
      groupNumbers[op] = groups.size();
      groups.push_back({{op}, {}, true, true});
    }
    return true;
  }
  if (isInline(op)) {
    roles[op] = Role::Inline;
    return true;
  }
  roles[op] = Role::Grouped;
  Group alone = single(op);
  groupNumbers[op] = groups.size();
  groups.push_back(alone);
  if (failed(build(alone, "trial", blamed))) return false;
  // Latest first: what has just been computed is what is in the cache.
  SmallVector<unsigned> candidates;
  for (Operation *source : sourcesOf(op).all)
    if (!groups[groupNumbers[source]].isSingle) candidates.push_back(groupNumbers[source]);
  llvm::sort(candidates, std::greater<unsigned>());
  for (unsigned candidate : candidates)
    if (groups[candidate].isAlive) tryMerge(candidate, groupNumbers[op]);
  return true;
}

bool Grouping::isInline(Operation *op) const {
  if (stored.contains(op) && !isa<ReshapeOp>(op)) return false;
  if (isa<ConstantOp, IotaOp, BroadcastOp, TransposeOp, ReshapeOp, SliceOp, FlipOp, PadOp,
          WindowsOp>(op))
    return true;
  if (isa<ConcatOp>(op)) return op->getNumOperands() <= InlineLoadMax && !readsInlineJoin(op);
  if (!isa<ScalarOpInterface>(op) || !isCheapScalar(op)) return false;
  bool isWritten = isOnlyWrittenOut(op);
  for (Operation *source : sourcesOf(op).all)
    if (roles.lookup(source) == Role::Grouped && !isWritten) return false;
  llvm::DenseSet<Value> leaves;
  unsigned opCount = 1;
  for (Value operand : op->getOperands())
    collectLeaves(operand, leaves, opCount);
  return opCount <= (isWritten ? WrittenOpMax : InlineOpMax) &&
         leaves.size() <= (isWritten ? WrittenLoadMax : InlineLoadMax);
}

/// True if all that reads the op is one that is written out, and looks at each element once: then
/// nothing is computed twice where it stands in that text.
bool Grouping::isOnlyWrittenOut(Operation *op) const {
  while (op->hasOneUse()) {
    op = *op->user_begin();
    if (isWrittenOut(op)) return true;
    bool passesOn = isa<ReshapeOp, TransposeOp>(op) || isCheapScalar(op);
    if (!passesOn || stored.contains(op)) return false;
  }
  return false;
}

/// True if text of this op would hold that of an inline join: as many of them in a row would double
/// it again and again.
bool Grouping::readsInlineJoin(Operation *op) const {
  for (Value operand : op->getOperands()) {
    if (roleOf(operand) != Role::Inline) continue;
    Operation *source = operand.getDefiningOp();
    if (isa<ConcatOp>(source) || readsInlineJoin(source)) return true;
  }
  return false;
}

/// The tensors of more than one element that an inline value loads, and the ops it takes.
void Grouping::collectLeaves(Value value, llvm::DenseSet<Value> &leaves, unsigned &opCount) const {
  if (roleOf(value) == Role::Inline) {
    Operation *op = value.getDefiningOp();
    opCount += isa<ScalarOpInterface>(op) ? 1 : 0;
    for (Value operand : op->getOperands())
      collectLeaves(operand, leaves, opCount);
  } else if (elementCount(value) > 1) {
    leaves.insert(value);
  }
}

/// The group of an op alone.
Group Grouping::single(Operation *op) const {
  Group group;
  group.ops.push_back(op);
  group.kind.inner = elementCount(op->getResult(0));
  if (auto scatter = dyn_cast<ScatterAddOp>(op)) {
    ArrayRef<int64_t> to = cast<RankedTensorType>(scatter.getType()).getShape();
    int64_t groups = 1, places = to[scatter.getDim()], ids = elementCount(scatter.getIds());
    for (int64_t size : to.take_front(scatter.getDim()))
      groups *= size;
    group.kind = {SpaceKind::Scatter, ids / groups, elementCount(scatter.getX()) / ids, groups,
                  places};
    return group;
  }
  if (!isa<ReduceOp, ArgmaxOp>(op) || isWrittenOut(op)) return group;
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  int64_t kept = elementCount(op->getResult(0));
  int64_t reduced = kept == 0 ? 0 : type.getNumElements() / kept;
  SmallVector<int64_t> dims;
  if (auto argmax = dyn_cast<ArgmaxOp>(op))
    dims.push_back(argmax.getDim());
  else
    llvm::append_range(dims, cast<ReduceOp>(op).getDims());
  bool isInner = llvm::is_contained(dims, type.getRank() - 1) || type.getRank() == 0;
  if (isInner)
    group.kind = {SpaceKind::Row, kept == 1 && reduced == type.getNumElements() ? 0 : kept,
                  reduced};
  else
    group.kind = {SpaceKind::Column, reduced, kept};
  return group;
}

FailureOr<BuiltKernel> Grouping::build(const Group &group, StringRef name, Value &blamed) const {
  SmallVector<Value> roots = rootsOf(group);
  llvm::DenseSet<Operation *> inside(group.ops.begin(), group.ops.end());
  auto isComputed = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return op && (inside.contains(op) || roleOf(value) == Role::Inline);
  };
  return buildKernel(group.kind, roots, isComputed, name, blamed);
}

/// True if an op outside `inside` reads the value, directly or through inline ops.
bool Grouping::isNeededOutside(Value value, const llvm::DenseSet<Operation *> &inside) const {
  for (Operation *user : value.getUsers()) {
    if (inside.contains(user)) continue;
    if (isa<FenceOp>(user) && value != user->getOperand(0)) continue; // waited for, and not read
    auto role = roles.find(user);
    if (role == roles.end() || role->second != Role::Inline) return true;
    if (isNeededOutside(user->getResult(0), inside)) return true;
  }
  return false;
}

SmallVector<Value> Grouping::rootsOf(const Group &group) const {
  llvm::DenseSet<Operation *> inside(group.ops.begin(), group.ops.end());
  SmallVector<Value> roots;
  for (Operation *op : group.ops)
    if (stored.contains(op) || isNeededOutside(op->getResult(0), inside))
      roots.push_back(op->getResult(0));
  if (roots.empty()) roots.push_back(group.ops.back()->getResult(0));
  return roots;
}

} // namespace dlm::fuse
