// The compiler's own phases up to `place`, then the steps of the GPU path one by one.
#include "test/codegen/DeviceProgram.h"

#include "compiler/conversion/KernelToGPU/KernelToGPU.h"
#include "compiler/pipeline/Pipeline.h"
#include "dialects/kernel/Kernel.h"
#include "dialects/plan/Plan.h"
#include "runtime/base/Clock.h"
#include "test/equal/KernelCases.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace mlir;

namespace test {
namespace {

/// The text of the placed program.
dlm::Expected<std::string> place(const std::string &path) {
  if (llvm::StringRef(path).ends_with(".dlm")) {
    dlm::SourceManager sources;
    dlm::DiagnosticEngine diagnostics(sources);
    dlm::PipelineOptions options;
    options.emit = "place";
    dlm::Expected<dlm::PipelineResult> result =
        dlm::compileFile(path, options, sources, diagnostics);
    if (!result) return result.status();
    return result->text;
  }
  MLIRContext context;
  dlm::loadBackendDialects(context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(path, &context);
  if (!module) return dlm::invalidArgument(path + " does not parse");
  dlm::BackendOptions options;
  options.stopAfter = "place";
  dlm::Phases phases({});
  std::string text;
  dlm::Expected<dlm::CompiledProgram> program = dlm::runBackend(*module, options, phases, text);
  if (!program) return program.status();
  return text;
}

/// What each function belongs to, and how it is launched.
void addFunctions(ModuleOp module, DeviceProgram &program) {
  auto add = [&](std::optional<ArrayAttr> stages, const std::string &kind, int64_t elements) {
    if (!stages) return;
    for (auto stage : stages->getAsRange<plan::StageAttr>()) {
      PlannedFunction &planned = program.functions[stage.getFunction().getValue().str()];
      planned.kind = kind;
      planned.elements = std::max(planned.elements, elements);
    }
  };
  module.walk([&](plan::LaunchOp launch) {
    kernel::SpaceAttr space = module.lookupSymbol<kernel::FuncOp>(launch.getKernel()).getSpace();
    add(launch.getStages(), kernel::stringifySchedule(space.getSchedule()).str(),
        space.isDynamic() ? launch.getExtent() : space.getExtents()[0]);
  });
  module.walk([&](plan::ContractOp product) { add(product.getStages(), "product", 0); });
  for (plan::FunctionOp function : module.getOps<plan::FunctionOp>()) {
    PlannedFunction &planned = program.functions[function.getSymName().str()];
    planned.blockThreads = unsigned(function.getBlockSize());
    planned.sharedBytes = unsigned(function.getSharedBytes());
  }
}

void countFusedOps(const llvm::Module &code, DeviceProgram &program) {
  for (const llvm::Function &function : code)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call || call->getIntrinsicID() != llvm::Intrinsic::fma) continue;
      auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(call->getType());
      program.functions[function.getName().str()].fusedOps += vector ? vector->getNumElements() : 1;
    }
}

/// From a placed program on.
llvm::Expected<DeviceProgram> finish(const std::string &placed) {
  MLIRContext context;
  dlm::loadBackendDialects(context);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(placed, &context);
  if (!module) return llvm::createStringError("the placed program does not parse");
  DeviceProgram program;
  int64_t start = dlm::monotonicNs();
  OwningOpRef<ModuleOp> device = kernel::convertKernelsToGPU(*module);
  if (!device) return llvm::createStringError("the conversion to gpu failed");
  addFunctions(*module, program);
  if (llvm::Error error = dlm::lowerToNVVM(*device)) return error;
  llvm::LLVMContext llvmContext;
  llvm::Expected<std::unique_ptr<llvm::Module>> code = dlm::makeDeviceModule(*device, llvmContext);
  if (!code) return code.takeError();
  countFusedOps(**code, program);
  llvm::Expected<std::string> ptx = dlm::emitPTX(**code);
  if (!ptx) return ptx.takeError();
  program.ptx = std::move(*ptx);
  program.secondsToPTX = double(dlm::monotonicNs() - start) * 1e-9;
  start = dlm::monotonicNs();
  llvm::Expected<std::vector<dlm::Cubin>> cubins =
      dlm::assembleAll(program.ptx, dlm::DefaultArchitectures);
  if (!cubins) return cubins.takeError();
  program.cubins = std::move(*cubins);
  program.secondsToCubins = double(dlm::monotonicNs() - start) * 1e-9;
  return program;
}

/// `text` of one kernel @k, renamed, and a launch of it.
llvm::Error addCase(std::string text, const std::string &name, int64_t size, bool isOdd,
                    std::string &kernels, std::string &launches) {
  for (size_t at; (at = text.find("$N")) != std::string::npos;)
    text.replace(at, 2, std::to_string(size));
  text.replace(text.find("@k("), 2, "@" + name);
  MLIRContext context;
  dlm::loadBackendDialects(context);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module) return llvm::createStringError("case " + name + " does not parse");
  kernel::FuncOp func = *module->getOps<kernel::FuncOp>().begin();
  std::vector<std::string> args;
  for (Type type : func.getBlock().getArgumentTypes()) {
    std::string bytes =
        std::to_string((getElementTypeOrSelf(type).getIntOrFloatBitWidth() + 7) / 8);
    args.push_back("#plan.ref<@b at " + (isOdd ? bytes : "0") + " for " + bytes + ">");
  }
  kernel::SpaceAttr space = func.getSpace();
  kernels += text;
  launches += "plan.launch @" + name + " items " + std::to_string(space.getItems(size)) +
              " extent " + std::to_string(space.getExtent(0, size)) + " [" +
              llvm::join(args, ", ") + "]\n";
  return llvm::Error::success();
}

} // namespace

llvm::Expected<DeviceProgram> compileKernelCases() {
  std::string kernels, launches;
  for (const KernelCase *one = KernelCases; one->name; ++one)
    for (long size : {128L, 5000L})
      for (bool isOdd : {false, true}) {
        std::string name = one->name + std::to_string(size) + (isOdd ? "odd" : "even");
        if (llvm::Error error =
                addCase(one->text, name, std::min(size, one->sizeMax), isOdd, kernels, launches))
          return error;
      }
  return finish("plan.arena @a <persistent> size 1073741824 align 256\n"
                "plan.buffer @b : tensor<1xf32> in @a at 0 live 0 to 0 persistent\n" +
                kernels + "\nplan.program @p rows 0 reads [] {\n" + launches + "}\n");
}

llvm::Expected<DeviceProgram> compileDeviceProgram(const std::string &path) {
  dlm::Expected<std::string> placed = place(path);
  if (!placed) return llvm::createStringError(placed.status().message());
  return finish(*placed);
}

} // namespace test
