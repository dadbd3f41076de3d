// Decides which ops become one kernel. Every op of a block, that of a program or the body of a
// loop, gets one of three roles:
//
//   Memory   arguments, views (segment, pack, reshape of memory), matrix products and loops: values
//            that lie in memory by nature; kernels load them
//   Inline   what costs nothing to compute again where it is needed: constants, indices,
//            broadcasts, transposes, reshapes, and short cheap arithmetic on memory
//   Grouped  everything else: computed by exactly one group; stored only if somebody outside
//            needs it
//
// Groups grow greedily in program order: an op joins the groups its operands come from, latest
// first, if the union is still one iteration space (tried by building the kernel) and no path leads
// out of the union and back. At the end groups over equal spaces that share inputs are merged as
// well. Cost: about (ops x groups per operand) trial builds of a kernel; no search.
#pragma once

#include "compiler/transforms/fuse/KernelBuilder.h"
#include "dialects/dlm/Dlm.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>

#include <unordered_map>

namespace dlm::fuse {

enum class Role { Memory, Inline, Grouped };

/// Ops that run together: one kernel, or a matrix product or a loop, alone.
struct Group {
  llvm::SmallVector<mlir::Operation *> ops; // in program order
  SpaceKind kind;
  bool isSingle = false;
  bool isAlive = true;
};

/// The ops that compute what an op reads: grouped ops, products and loops, seen through inline ops
/// and views; and those of them that are seen through a view.
struct Sources {
  llvm::SetVector<mlir::Operation *> all, byView;
};

class Grouping {
public:
  explicit Grouping(mlir::Block &block) : block(block) {}

  /// Forms the groups; emits an error and fails if an op fits no kernel.
  mlir::LogicalResult run();

  Role roleOf(mlir::Value value) const;
  /// The group of an op, or -1.
  int groupOf(mlir::Operation *op) const;
  llvm::ArrayRef<Group> getGroups() const { return groups; }

  /// The values of a group that others need, in program order.
  llvm::SmallVector<mlir::Value> rootsOf(const Group &group) const;

  /// Builds the kernel of `group`.
  mlir::FailureOr<BuiltKernel> build(const Group &group, llvm::StringRef name,
                                     mlir::Value &blamed) const;

private:
  bool attempt(mlir::Value &blamed);
  void markStored();
  bool assign(mlir::Operation *op, mlir::Value &blamed);
  bool isInline(mlir::Operation *op) const;
  bool isOnlyWrittenOut(mlir::Operation *op) const;
  bool readsInlineJoin(mlir::Operation *op) const;
  Group single(mlir::Operation *op) const;
  std::optional<Group> merged(const Group &a, const Group &b) const;
  bool tryMerge(unsigned a, unsigned b);
  void mergeSiblings();
  llvm::DenseSet<mlir::Value> leavesOf(const Group &group) const;
  bool isNeededOutside(mlir::Value value, const llvm::DenseSet<mlir::Operation *> &inside) const;
  const Sources &sourcesOf(mlir::Operation *op) const;
  llvm::SetVector<unsigned> dependencies(unsigned group) const;
  bool hasOuterPath(unsigned from, unsigned to) const;
  void collectLeaves(mlir::Value value, llvm::DenseSet<mlir::Value> &leaves,
                     unsigned &opCount) const;

  mlir::Block &block;
  llvm::DenseSet<mlir::Operation *> stored; // must lie in memory, whatever else
  llvm::DenseMap<mlir::Operation *, Role> roles;
  llvm::DenseMap<mlir::Operation *, unsigned> groupNumbers;
  llvm::SmallVector<Group> groups;
  /// Kept, because they are asked for again and again: roles of what an op reads do not change.
  mutable std::unordered_map<mlir::Operation *, Sources> sources;
};

} // namespace dlm::fuse
