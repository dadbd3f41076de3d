// When two groups may become one: one space, no path out and back, and a kernel that can be built.
#include "compiler/transforms/fuse/Grouping.h"
#include "compiler/transforms/fuse/ScalarCost.h"

using namespace mlir;

namespace dlm::fuse {

/// Arguments of one kernel.
static constexpr unsigned ArgumentMax = 32;
/// Weight of one kernel's text, in cheap ops: the time to compile a kernel grows faster than its
/// text, so a long chain of elementary functions becomes several kernels.
static constexpr unsigned TextWeightMax = 256;
/// Ops of one kernel's body: an op that is needed at several places stands in it several times.
static constexpr size_t BodySizeMax = 2048;
/// Weight of an op with a division or an elementary function.
static constexpr unsigned HeavyOpWeight = 8;
/// A reduction without grid is one work item; it takes no larger point-wise work along.
static constexpr int64_t SingleItemMax = 4096;

/// The space that covers both, if there is one.
static std::optional<SpaceKind> unite(const SpaceKind &a, const SpaceKind &b) {
  if (a.kind == SpaceKind::Scatter || b.kind == SpaceKind::Scatter) return std::nullopt;
  if (a.kind == SpaceKind::Pointwise && b.kind != SpaceKind::Pointwise) return unite(b, a);
  if (b.kind != SpaceKind::Pointwise) {
    bool same = a.kind == b.kind && a.rows == b.rows && a.inner == b.inner;
    return same ? std::optional<SpaceKind>(a) : std::nullopt;
  }
  if (a.kind == SpaceKind::Pointwise)
    return a.inner == b.inner ? std::optional<SpaceKind>(a) : std::nullopt;
  int64_t rows = a.rows == 0 ? 1 : a.rows;
  int64_t reduced = a.kind == SpaceKind::Column ? a.inner : rows;
  if (b.inner != rows * a.inner && b.inner != reduced) return std::nullopt;
  return a;
}

const Sources &Grouping::sourcesOf(Operation *op) const {
  auto [known, isNew] = sources.try_emplace(op);
  Sources &found = known->second;
  if (!isNew) return found;
  SmallVector<std::pair<Operation *, unsigned>> work = {{op, 0}};
  llvm::DenseSet<std::pair<Operation *, unsigned>> seen;
  while (!work.empty()) {
    auto [user, isSeenByView] = work.pop_back_val();
    for (Value operand : user->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (!source) continue;
      unsigned isView = roleOf(operand) == Role::Memory && !isa<MatmulOp, ScanOp>(source);
      if (!seen.insert({source, isSeenByView | isView}).second) continue;
      if (!groupNumbers.contains(source)) {
        work.push_back({source, isSeenByView | isView});
        continue;
      }
      found.all.insert(source);
      if (isSeenByView) found.byView.insert(source);
    }
  }
  return found;
}

llvm::SetVector<unsigned> Grouping::dependencies(unsigned group) const {
  llvm::SetVector<unsigned> result;
  for (Operation *op : groups[group].ops)
    for (Operation *source : sourcesOf(op).all)
      if (groupNumbers.lookup(source) != group) result.insert(groupNumbers.lookup(source));
  return result;
}

/// True if `to` needs `from` through a third group, or through a view of what `from` wrote. The
/// order of ops is no bound for the search: a group may begin before another and end behind it.
bool Grouping::hasOuterPath(unsigned from, unsigned to) const {
  SmallVector<unsigned> work;
  llvm::DenseSet<unsigned> seen;
  for (Operation *op : groups[to].ops)
    for (Operation *source : sourcesOf(op).byView)
      if (groupNumbers.lookup(source) == from) return true;
  for (unsigned first : dependencies(to))
    if (first != from) work.push_back(first);
  while (!work.empty()) {
    unsigned group = work.pop_back_val();
    if (group == from) return true;
    if (seen.insert(group).second) llvm::append_range(work, dependencies(group));
  }
  return false;
}

std::optional<Group> Grouping::merged(const Group &a, const Group &b) const {
  std::optional<SpaceKind> kind = unite(a.kind, b.kind);
  if (!kind) return std::nullopt;
  Group result;
  result.kind = *kind;
  llvm::append_range(result.ops, a.ops);
  llvm::append_range(result.ops, b.ops);
  llvm::sort(result.ops, [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
  // A row is walked once for each reduction and once more to store. What was drawn is computed
  // again each time, and a draw costs more than to store and load what was made of it.
  auto isDrawn = [](Operation *op) { return isa<RandomOp>(op); };
  if (kind->kind != SpaceKind::Pointwise && llvm::any_of(result.ops, isDrawn)) return std::nullopt;
  // A column stores reduced values only, and one big work item takes no stores along.
  bool storesReducedOnly =
      kind->kind == SpaceKind::Column ||
      (kind->kind == SpaceKind::Row && kind->rows == 0 && kind->inner > SingleItemMax);
  int64_t reduced = kind->kind == SpaceKind::Column ? kind->inner : 1;
  if (storesReducedOnly)
    for (Value root : rootsOf(result))
      if (cast<RankedTensorType>(root.getType()).getNumElements() != reduced) return std::nullopt;
  return result;
}

static unsigned textWeight(const Group &group) {
  unsigned weight = 0;
  for (Operation *op : group.ops)
    weight += !isa<ScalarOpInterface>(op) || isCheapScalar(op) ? 1 : HeavyOpWeight;
  return weight;
}

/// Makes one group of two; the one of the later number stays.
bool Grouping::tryMerge(unsigned a, unsigned b) {
  if (a == b || textWeight(groups[a]) + textWeight(groups[b]) > TextWeightMax) return false;
  if (!unite(groups[a].kind, groups[b].kind)) return false;
  if (hasOuterPath(a, b) || hasOuterPath(b, a)) return false;
  std::optional<Group> both = merged(groups[a], groups[b]);
  Value blamed;
  if (!both) return false;
  FailureOr<BuiltKernel> kernel = build(*both, "trial", blamed);
  if (failed(kernel) || kernel->inputs.size() + kernel->outputs.size() > ArgumentMax) return false;
  if (kernel->function->getBlock().getOperations().size() > BodySizeMax) return false;
  unsigned stays = std::max(a, b), goes = std::min(a, b);
  for (Operation *op : groups[goes].ops)
    groupNumbers[op] = stays;
  groups[stays] = *both;
  groups[goes] = Group();
  groups[goes].isAlive = false;
  return true;
}

/// The tensors of more than one element that the group loads.
llvm::DenseSet<Value> Grouping::leavesOf(const Group &group) const {
  llvm::DenseSet<Value> leaves;
  unsigned opCount = 0;
  llvm::DenseSet<Operation *> inside(group.ops.begin(), group.ops.end());
  for (Operation *op : group.ops)
    for (Value operand : op->getOperands())
      if (!operand.getDefiningOp() || !inside.contains(operand.getDefiningOp()))
        collectLeaves(operand, leaves, opCount);
  return leaves;
}

/// Merges groups that load one tensor, or of which one loads nothing.
void Grouping::mergeSiblings() {
  std::vector<std::optional<llvm::DenseSet<Value>>> leaves(groups.size());
  auto loaded = [&](unsigned group) -> const llvm::DenseSet<Value> & {
    if (!leaves[group]) leaves[group] = leavesOf(groups[group]);
    return *leaves[group];
  };
  auto shareInput = [&](unsigned a, unsigned b) {
    const llvm::DenseSet<Value> &left = loaded(a), &right = loaded(b);
    return left.empty() || right.empty() ||
           llvm::any_of(left, [&](Value value) { return right.contains(value); });
  };
  for (unsigned a = 0; a < groups.size(); ++a)
    for (unsigned b = a + 1; b < groups.size() && groups[a].isAlive; ++b) {
      bool candidates = groups[b].isAlive && !groups[a].isSingle && !groups[b].isSingle;
      if (candidates && groups[a].kind.kind == groups[b].kind.kind && shareInput(a, b) &&
          tryMerge(a, b))
        leaves[b].reset();
    }
}

} // namespace dlm::fuse
