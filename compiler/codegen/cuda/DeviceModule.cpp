// From NVVM to optimised LLVM IR and to PTX.
//
// The pass list names what device code needs and no more:
//   - sroa to adce, twice: what a plain emitter leaves (copies, addresses computed twice);
//   - loop-unroll: only loops with a small constant number of trips, completely;
//   - infer-alignment, load-store-vectorizer: neighbouring accesses whose alignment is known become
//     one of 16 bytes;
// Nothing that reorders floating point, no loop or SLP vectoriser, no idiom recognition. PTX is
// emitted without contraction, so each add, mul, fma, div and sqrt carries its rounding (`.rn`),
// which ptxas may not change.
#include "compiler/codegen/cuda/CudaCodegen.h"
#include "compiler/codegen/llvm/ExitVerifier.h"
#include "compiler/codegen/llvm/PassList.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

using namespace mlir;

namespace dlm {
namespace {

constexpr char OldestArchitecture[] = "sm_80";

constexpr char DevicePassList[] =
    "function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,"
    "loop-mssa(loop-simplifycfg,licm),loop(indvars,loop-deletion),"
    "loop-unroll<O2;no-partial;no-peeling;no-runtime;no-upperbound>,"
    "sroa,gvn,infer-address-spaces,instcombine<no-verify-fixpoint>,adce,simplifycfg,"
    "infer-alignment,load-store-vectorizer,early-cse<memssa>,instcombine<no-verify-fixpoint>,adce)";

std::unique_ptr<llvm::TargetMachine> createDeviceMachine() {
  static const bool initialised = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)initialised;
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) return nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  // No features: LLVM then takes the oldest PTX version that knows the architecture.
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, OldestArchitecture, "", options, std::nullopt,
                                  std::nullopt, llvm::CodeGenOptLevel::Default));
}

} // namespace

llvm::Expected<std::unique_ptr<llvm::Module>> makeDeviceModule(ModuleOp module,
                                                               llvm::LLVMContext &context) {
  MLIRContext &mlir = *module.getContext();
  registerBuiltinDialectTranslation(mlir);
  registerGPUDialectTranslation(mlir);
  registerLLVMDialectTranslation(mlir);
  registerNVVMDialectTranslation(mlir);
  auto devices = module.getOps<gpu::GPUModuleOp>();
  if (!llvm::hasSingleElement(devices))
    return llvm::createStringError("device code is one gpu.module, there are " +
                                   std::to_string(llvm::range_size(devices)));
  gpu::GPUModuleOp device = *devices.begin();
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(device, context, device.getName());
  if (!translated) return llvm::createStringError("translation of device code to LLVM IR failed");
  std::unique_ptr<llvm::TargetMachine> machine = createDeviceMachine();
  if (!machine) return llvm::createStringError("this LLVM cannot make code for NVIDIA GPUs");
  translated->setDataLayout(machine->createDataLayout());
  translated->setTargetTriple(machine->getTargetTriple());
  for (llvm::Function &function : *translated)
    if (!function.isDeclaration()) function.addFnAttr("no-builtins"); // no loop becomes a memset
  runPassList(*translated, *machine, DevicePassList);
  if (llvm::Error fault = verifyDeviceExit(*translated)) return fault;
  return translated;
}

llvm::Expected<std::string> emitPTX(const llvm::Module &device) {
  std::unique_ptr<llvm::TargetMachine> machine = createDeviceMachine();
  if (!machine) return llvm::createStringError("this LLVM cannot make code for NVIDIA GPUs");
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(device);
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return llvm::createStringError("the NVPTX back end cannot emit PTX");
  passes.run(*copy);
  return text.str().str();
}

} // namespace dlm
