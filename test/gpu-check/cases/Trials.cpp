// The sizes follow what goes wrong: one element, less than a vector, one less and one more than a
// warp, a block, a chunk of a reduction.
#include "test/gpu-check/cases/Trials.h"

#include "mlir/IR/Builders.h"

#include <array>
#include <map>
#include <set>

using namespace mlir;

namespace dlm::gpucheck {

namespace {

/// Points of a kernel's space that a trial may have: its tensors travel in the bundle.
constexpr int64_t PointsMax = 17000;
/// Elements of a product's three matrices together.
constexpr int64_t ProductElementsMax = 50000;
constexpr int64_t Extents[] = {1,   2,    3,    5,    31,   33,   64,  127,
                               255, 1000, 2047, 2048, 2049, 4099, 8193};
constexpr std::array<int64_t, 3> OddProducts[] = {{1, 1, 1},    {5, 4, 132},  {65, 68, 36},
                                                  {65, 67, 33}, {3, 130, 17}, {130, 5, 2}};

/// What is known of a kernel from its launches.
struct KernelUse {
  ArrayAttr arguments; // of the first
  std::set<int64_t> extents;
};

int64_t pointsOf(kernel::FuncOp func, int64_t extent) {
  int64_t points = 1;
  for (unsigned dim = 0; dim < func.getSpace().getRank(); ++dim)
    points *= func.getSpace().getExtent(dim, extent);
  return points;
}

Trial makeKernelTrial(kernel::FuncOp func, const KernelUse &use, int64_t extent) {
  Trial trial;
  trial.kernel = func;
  trial.extent = extent;
  trial.inputCount = func.getInputArgs().size();
  for (Value argument : func.getBlock().getArguments()) {
    auto type = cast<RankedTensorType>(argument.getType());
    SmallVector<int64_t> shape(type.getShape());
    for (int64_t &size : shape)
      if (ShapedType::isDynamic(size)) size = extent;
    trial.types.push_back(RankedTensorType::get(shape, type.getElementType(), type.getEncoding()));
  }
  trial.shares.assign(trial.types.size(), -1);
  for (size_t output = trial.inputCount; output < trial.types.size(); ++output)
    for (unsigned input = 0; input < trial.inputCount; ++input)
      if (use.arguments[output] == use.arguments[input]) trial.shares[output] = int(input);
  return trial;
}

void addKernelTrials(kernel::FuncOp func, const KernelUse &use, std::vector<Trial> &trials) {
  std::set<int64_t> extents(use.extents);
  // How columns are cut depends on the largest extent of the program: no trial may exceed it.
  bool isColumn = func.getSpace().getRank() > 1 && func.getSpace().getReducedDim() == 0;
  if (func.getSpace().isDynamic())
    for (int64_t extent : Extents)
      if (!isColumn || extent <= *use.extents.rbegin()) extents.insert(extent);
  bool isFirst = true;
  for (int64_t extent : extents) {
    if (isFirst || pointsOf(func, extent) <= PointsMax)
      trials.push_back(makeKernelTrial(func, use, extent));
    isFirst = false;
  }
}

Trial makeProductTrial(MLIRContext *context, const ProductSize &size) {
  Trial trial;
  trial.product = size;
  auto matrix = [&](int64_t rows, int64_t columns, bool transposed) {
    SmallVector<int64_t> shape = {rows, columns};
    if (transposed) std::swap(shape[0], shape[1]);
    if (size.batch > 1) shape.insert(shape.begin(), size.batch);
    return RankedTensorType::get(shape, Float32Type::get(context));
  };
  trial.types = {matrix(size.m, size.k, size.transposeLhs),
                 matrix(size.k, size.n, size.transposeRhs), matrix(size.m, size.n, false)};
  trial.shares = {-1, -1, -1};
  return trial;
}

/// A smaller size of the same kind: alignment and tails stay.
int64_t reduced(int64_t size) { return size <= 80 ? size : 64 + (size % 64 ? size % 64 : 16); }

void addProductTrials(MLIRContext *context, const ProductSize &size, std::set<std::string> &seen,
                      std::vector<Trial> &trials) {
  int64_t m = reduced(size.m), n = reduced(size.n), k = reduced(size.k);
  std::vector<std::array<int64_t, 3>> sizes = {
      {size.m, size.n, size.k}, {m, n, k}, {1, n, k}, {67, n, k}, {m, n, k + 4}, {m, n, 4}};
  sizes.insert(sizes.end(), std::begin(OddProducts), std::end(OddProducts));
  for (auto [rows, columns, depth] : sizes) {
    int64_t batch = size.batch, each = rows * columns + rows * depth + columns * depth;
    if (batch > 1 && rows != size.m) batch = 3;
    if (batch * each > ProductElementsMax) continue;
    Trial trial = makeProductTrial(
        context, {rows, columns, depth, size.transposeLhs, size.transposeRhs, batch});
    if (seen.insert(trial.kernelName() + trial.sizeName()).second) trials.push_back(trial);
  }
}

/// Gives out buffers of the trials' arena.
class TrialMemory {
public:
  explicit TrialMemory(OpBuilder &builder) : builder(builder) {}

  ::plan::RefAttr allocate(RankedTensorType type) {
    constexpr int64_t Alignment = 256; // of a device's arenas
    int64_t sizeBytes =
        type.getNumElements() * std::max<int64_t>(1, type.getElementTypeBitWidth() / 8);
    std::string name = "trial." + std::to_string(number++);
    ::plan::BufferOp::create(builder, builder.getUnknownLoc(), name, type, ArenaName, offset,
                             /*persistent=*/false, 0, 0);
    offset += (sizeBytes + Alignment - 1) / Alignment * Alignment;
    return ::plan::RefAttr::get(builder.getContext(),
                                FlatSymbolRefAttr::get(builder.getContext(), name), 0, sizeBytes);
  }

  /// Adds the arena; call it last.
  void finish() {
    ::plan::ArenaOp::create(builder, builder.getUnknownLoc(), ArenaName,
                            ::plan::ArenaKind::Transient, offset, 256);
  }

private:
  static constexpr char ArenaName[] = "trials";
  OpBuilder &builder;
  int64_t offset = 0;
  unsigned number = 0;
};

void addInstruction(OpBuilder &builder, const Trial &trial, ArrayAttr arguments) {
  Location loc = builder.getUnknownLoc();
  const ProductSize &size = trial.product;
  kernel::FuncOp func = trial.kernel;
  if (func)
    ::plan::LaunchOp::create(builder, loc, func.getSymName(), arguments,
                             func.getSpace().getItems(trial.extent), trial.extent, /*sync=*/true,
                             /*stages=*/nullptr);
  else
    ::plan::ContractOp::create(builder, loc, arguments, size.m, size.n, size.k, size.transposeLhs,
                               size.transposeRhs, size.batch, /*splits=*/1, /*sync=*/true,
                               /*stages=*/nullptr);
}

} // namespace

std::string Trial::kernelName() const {
  if (kernel) return const_cast<kernel::FuncOp &>(kernel).getSymName().str();
  return std::string(product.batch > 1 ? "products_" : "product_") +
         (product.transposeLhs ? "t" : "n") + (product.transposeRhs ? "t" : "n");
}

std::string Trial::sizeName() const {
  if (kernel) return std::to_string(extent);
  return std::to_string(product.m) + "x" + std::to_string(product.n) + "x" +
         std::to_string(product.k) + (product.batch > 1 ? "x" + std::to_string(product.batch) : "");
}

std::vector<Trial> chooseTrials(ModuleOp placed) {
  std::map<std::string, KernelUse> uses;
  placed.walk([&](::plan::LaunchOp op) {
    KernelUse &use = uses[op.getKernel().str()];
    if (use.extents.empty()) use.arguments = op.getArgs();
    use.extents.insert(int64_t(op.getExtent()));
  });
  std::vector<Trial> trials;
  for (kernel::FuncOp func : placed.getOps<kernel::FuncOp>())
    if (auto use = uses.find(func.getSymName().str()); use != uses.end())
      addKernelTrials(func, use->second, trials);
  std::set<std::string> seen;
  placed.walk([&](::plan::ContractOp op) {
    addProductTrials(placed.getContext(),
                     {int64_t(op.getM()), int64_t(op.getN()), int64_t(op.getK()),
                      op.getTransposeLhs(), op.getTransposeRhs(), int64_t(op.getBatch())},
                     seen, trials);
  });
  return trials;
}

::plan::ProgramOp addTrialProgram(ModuleOp module, const std::vector<Trial> &trials) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  TrialMemory memory(builder);
  std::vector<ArrayAttr> arguments;
  for (const Trial &trial : trials) {
    SmallVector<Attribute> refs;
    for (auto [type, shares] : llvm::zip_equal(trial.types, trial.shares))
      refs.push_back(shares >= 0 ? refs[shares] : memory.allocate(type));
    arguments.push_back(builder.getArrayAttr(refs));
  }
  memory.finish();
  auto program = ::plan::ProgramOp::create(builder, builder.getUnknownLoc(), "trials", 0,
                                           builder.getArrayAttr({}));
  builder.setInsertionPointToEnd(&program.getBody().front());
  for (auto [trial, refs] : llvm::zip_equal(trials, arguments))
    addInstruction(builder, trial, refs);
  return program;
}

} // namespace dlm::gpucheck
