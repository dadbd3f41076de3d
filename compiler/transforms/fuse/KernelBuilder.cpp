// Finds the space of a kernel: starts coarse, cuts where an op asks for a border, tries again.
#include "compiler/transforms/fuse/KernelBuilder.h"

#include "compiler/transforms/fuse/BodyWriter.h"

using namespace mlir;

namespace dlm::fuse {

static SmallVector<int64_t> coarsest(const SpaceKind &kind) {
  if (kind.kind == SpaceKind::Pointwise || (kind.kind == SpaceKind::Row && kind.rows == 0))
    return {kind.inner};
  if (kind.kind == SpaceKind::Scatter) return {kind.groups, kind.places, kind.rows, kind.inner};
  return {kind.rows, kind.inner};
}

/// Where a stored value stands: all dims, or those that are left after the reduction.
static Index rootIndex(const SpaceKind &kind, ArrayRef<int64_t> extents, Value root) {
  Index all;
  for (unsigned dim = 0; dim < extents.size(); ++dim)
    all.push_back(Axis::whole(dim, extents));
  if (kind.kind == SpaceKind::Pointwise) return all;
  if (kind.kind == SpaceKind::Scatter) return {all[0], all[1], all[3]};
  if (kind.kind == SpaceKind::Column) return Index(all.begin() + 1, all.end());
  int64_t count = cast<RankedTensorType>(root.getType()).getNumElements();
  int64_t rows = kind.rows == 0 ? 1 : kind.rows;
  if (count == rows && (kind.inner != 1 || isa<ReduceOp, ArgmaxOp>(root.getDefiningOp())))
    all.pop_back();
  return all;
}

/// Cuts a dim in two. False where a reduction runs over it as one.
static bool applyCut(const SpaceKind &kind, SmallVector<int64_t> &extents, const Cut &cut) {
  bool isReducedRow = kind.kind == SpaceKind::Row && cut.dim + 1 == extents.size();
  bool isFixed = kind.kind == SpaceKind::Column || kind.kind == SpaceKind::Scatter;
  if (isFixed || isReducedRow) return false;
  extents[cut.dim] /= cut.outer;
  extents.insert(extents.begin() + cut.dim, cut.outer);
  return true;
}

static kernel::SpaceAttr spaceAttr(const SpaceKind &kind, ArrayRef<int64_t> extents, bool dynamic,
                                   MLIRContext *context) {
  kernel::Schedule schedule = kernel::Schedule::Row;
  if (kind.kind == SpaceKind::Column)
    schedule = kernel::Schedule::Column;
  else if (kind.kind == SpaceKind::Scatter)
    schedule = kernel::Schedule::Scatter;
  else if (kind.kind == SpaceKind::Pointwise && extents.size() == 1)
    schedule = kernel::Schedule::Linear;
  SmallVector<int64_t> open(extents);
  if (dynamic) open[0] = ShapedType::kDynamic;
  return kernel::SpaceAttr::get(context, schedule, open);
}

FailureOr<BuiltKernel> buildKernel(const SpaceKind &kind, ArrayRef<Value> roots,
                                   IsComputed isComputed, StringRef name, Value &blamed) {
  MLIRContext *context = roots[0].getContext();
  SmallVector<int64_t> extents = coarsest(kind);
  bool wantsStatic =
      (kind.kind == SpaceKind::Row && kind.rows == 0) || kind.kind == SpaceKind::Scatter;
  while (true) {
    OpBuilder builder(context);
    bool dynamic = !wantsStatic;
    BuiltKernel built;
    built.function =
        kernel::FuncOp::create(builder, roots[0].getLoc(), name, TypeRange(), TypeRange(),
                               spaceAttr(kind, extents, dynamic, context));
    Block &block = built.function->getBlock();
    builder.setInsertionPointToStart(&block);
    BodyWriter writer(kind, extents, dynamic, isComputed, builder, block);
    SmallVector<Value> scalars;
    for (Value root : roots)
      scalars.push_back(writer.at(root, rootIndex(kind, extents, root)));
    bool complete = !llvm::is_contained(scalars, Value());
    for (unsigned i = 0; complete && i < roots.size(); ++i)
      writer.store(roots[i], scalars[i], rootIndex(kind, extents, roots[i]));
    if (writer.cut && applyCut(kind, extents, *writer.cut)) continue;
    if (!complete) {
      blamed = writer.blamed;
      return failure();
    }
    if (writer.needsStaticExtent && dynamic) {
      wantsStatic = true;
      continue;
    }
    built.function->setInputs(writer.inputs.size());
    built.inputs = writer.inputs;
    built.outputs.assign(roots.begin(), roots.end());
    built.extent = extents[0];
    return built;
  }
}

} // namespace dlm::fuse
