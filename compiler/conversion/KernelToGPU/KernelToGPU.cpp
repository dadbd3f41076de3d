// From a placed module to device code: the launches of each kernel are looked through for the
// smallest alignments and the largest extent, then each kernel is written once, and each product
// once for every combination of transpositions and alignments that occurs. Sizes stay numbers that
// stages pass.
#include "compiler/conversion/KernelToGPU/KernelToGPU.h"
#include "compiler/conversion/KernelBody/ExpandRandom.h"
#include "compiler/conversion/KernelToGPU/DeviceLowering.h"
#include "compiler/conversion/KernelToGPU/ProductTiles.h"
#include "dialects/dlm/MathText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace kernel {

#define GEN_PASS_DEF_CONVERTKERNELTOGPUPASS
#include "compiler/conversion/KernelToGPU/Passes.h.inc"

namespace {

class ModuleConversion {
public:
  explicit ModuleConversion(ModuleOp module)
      : module(module), memory(module), result(ModuleOp::create(module.getLoc())) {
    OpBuilder b = OpBuilder::atBlockEnd(result->getBody());
    device = gpu::GPUModuleOp::create(b, module.getLoc(), DeviceModuleName);
  }

  OwningOpRef<ModuleOp> run() {
    if (failed(convertLaunches()) || failed(convertProducts())) return nullptr;
    return std::move(result);
  }

private:
  using Launches = SmallVector<plan::LaunchOp>;
  LogicalResult convertLaunches();
  LogicalResult convertKernel(FuncOp func, ArrayRef<plan::LaunchOp> launches);
  LogicalResult convertProducts();
  std::string makeName(StringRef kernel);
  void declare(StringRef name, int64_t block, int64_t sharedBytes);
  plan::StageAttr makeStage(StringRef function, int64_t grid, ArrayRef<int64_t> numbers,
                            int64_t scratchBytes) {
    return plan::StageAttr::get(module.getContext(),
                                FlatSymbolRefAttr::get(module.getContext(), function), grid,
                                numbers, scratchBytes);
  }

  ModuleOp module;
  DeviceMemory memory;
  OwningOpRef<ModuleOp> result;
  gpu::GPUModuleOp device;
  llvm::StringSet<> names;
};

/// Letters, digits and `_`: what PTX and C++ allow in names.
std::string ModuleConversion::makeName(StringRef kernel) {
  std::string name = kernel.str();
  for (char &letter : name)
    if (!llvm::isAlnum(letter)) letter = '_';
  if (llvm::isDigit(name[0])) name.insert(0, "k");
  std::string unique = name;
  for (int number = 2; !names.insert(unique).second; ++number)
    unique = name + "_" + std::to_string(number);
  return unique;
}

void ModuleConversion::declare(StringRef name, int64_t block, int64_t sharedBytes) {
  OpBuilder b(module.getContext());
  auto programs = module.getOps<plan::ProgramOp>();
  if (programs.empty())
    b.setInsertionPointToEnd(module.getBody());
  else
    b.setInsertionPoint(*programs.begin());
  plan::FunctionOp::create(b, module.getLoc(), name, block, sharedBytes);
}

/// Threads of the processor run some programs for themselves.
static bool isOnDevice(Operation *instruction) {
  auto program = instruction->getParentOfType<plan::ProgramOp>();
  return !program || !program.getPerThread();
}

LogicalResult ModuleConversion::convertLaunches() {
  llvm::MapVector<StringAttr, Launches> launchesOf;
  module.walk([&](plan::LaunchOp launch) {
    if (isOnDevice(launch)) launchesOf[launch.getKernelAttr().getAttr()].push_back(launch);
  });
  for (auto &[name, launches] : launchesOf) {
    auto func = module.lookupSymbol<FuncOp>(name);
    if (!func) return launches[0].emitOpError("launches what is not a kernel: ") << name;
    if (failed(convertKernel(func, launches))) return failure();
  }
  return success();
}

LogicalResult ModuleConversion::convertKernel(FuncOp func, ArrayRef<plan::LaunchOp> launches) {
  KernelUse use;
  use.alignments.assign(func.getBlock().getNumArguments(), std::numeric_limits<int64_t>::max());
  for (plan::LaunchOp launch : launches) {
    use.extentMax = std::max(use.extentMax, launch.getExtent());
    for (auto [least, ref] :
         llvm::zip_equal(use.alignments, launch.getArgs().getAsRange<plan::RefAttr>()))
      least = std::min(least, memory.getAlignment(ref));
  }
  OwningOpRef<FuncOp> body = func.clone();
  expandRandom(*body);
  if (failed(dlm::expandElementaryFunctions(*body))) return failure();
  Schedule schedule = func.getSpace().getSchedule();
  auto lower = schedule == Schedule::Linear    ? lowerLinear
               : schedule == Schedule::Row     ? lowerRow
               : schedule == Schedule::Scatter ? lowerScatter
                                               : lowerColumn;
  DeviceStages stages = lower(*body, device, use, makeName(func.getSymName()));
  for (const DeviceStage &stage : stages)
    declare(stage.function, stage.block, stage.sharedBytes);
  for (plan::LaunchOp launch : launches) {
    SmallVector<Attribute> attributes;
    int64_t extent = launch.getExtent(), items = launch.getItems();
    for (const DeviceStage &stage : stages)
      attributes.push_back(makeStage(stage.function, stage.getGrid(extent, items), {extent, items},
                                     stage.getScratchBytes(extent)));
    launch.setStagesAttr(ArrayAttr::get(module.getContext(), attributes));
  }
  return success();
}

LogicalResult ModuleConversion::convertProducts() {
  llvm::StringSet<> known;
  auto convert = [&](plan::ContractOp product) -> WalkResult {
    if (!isOnDevice(product)) return WalkResult::advance();
    if (product.getSplits() != 1)
      return product.emitOpError("has ") << product.getSplits() << " splits; device code takes one";
    int64_t m = product.getM(), n = product.getN(), k = product.getK();
    auto refs = llvm::to_vector(product.getArgs().getAsRange<plan::RefAttr>());
    auto getWidth = [&](plan::RefAttr ref, int64_t inner) -> int64_t {
      return inner % GroupSize == 0 && memory.getAlignment(ref) >= 16 ? GroupSize : 1;
    };
    bool transposeLhs = product.getTransposeLhs(), transposeRhs = product.getTransposeRhs();
    int64_t batch = product.getBatch();
    ProductVariant variant = {transposeLhs,
                              transposeRhs,
                              batch > 1,
                              getWidth(refs[0], transposeLhs ? m : k),
                              getWidth(refs[1], transposeRhs ? k : n),
                              getWidth(refs[2], n)};
    std::string name = variant.getName();
    if (known.insert(name).second) declare(name, ProductThreads, emitProduct(device, variant));
    plan::StageAttr stage = makeStage(name, getProductGrid(m, n) * batch, {m, n, k}, 0);
    product.setStagesAttr(ArrayAttr::get(module.getContext(), Attribute(stage)));
    return WalkResult::advance();
  };
  return failure(module.walk(convert).wasInterrupted());
}

struct ConvertKernelToGpu : impl::ConvertKernelToGpuPassBase<ConvertKernelToGpu> {
  void runOnOperation() override {
    OwningOpRef<ModuleOp> code = ModuleConversion(getOperation()).run();
    if (!code) return signalPassFailure();
    for (Operation &op : llvm::make_early_inc_range(*code->getBody()))
      op.moveBefore(getOperation().getBody(), getOperation().getBody()->end());
  }
};

} // namespace

OwningOpRef<ModuleOp> convertKernelsToGPU(ModuleOp module) {
  module.getContext()
      ->loadDialect<arith::ArithDialect, cf::ControlFlowDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                    math::MathDialect, scf::SCFDialect>();
  return ModuleConversion(module).run();
}

} // namespace kernel
