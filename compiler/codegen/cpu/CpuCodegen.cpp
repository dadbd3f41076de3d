// From the `llvm` dialect to an object: translate, optimise, verify, emit.
//
// The pass list is short on purpose. Kernels arrive as vector loops in the shape they should have;
// what is left is what a plain emitter leaves: addresses computed twice, constants, dead values.
// Loop and SLP vectorisers, reassociation and idiom recognition (it makes calls of memset) are not
// in the list.
#include "compiler/codegen/cpu/CpuCodegen.h"
#include "compiler/codegen/cpu/ExitVerifier.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace mlir;

namespace dlm {
namespace {

constexpr char CpuPassList[] =
    "function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,"
    "loop-mssa(loop-simplifycfg,licm),loop(indvars,loop-deletion),gvn,sroa,"
    "instcombine<no-verify-fixpoint>,adce,simplifycfg)";

std::unique_ptr<llvm::TargetMachine> createMachine(const CpuTarget &cpu, std::string &error) {
  static const bool initialised = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialised;
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) return nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, cpu.name, cpu.features, options, llvm::Reloc::PIC_,
                                  std::nullopt, llvm::CodeGenOptLevel::Default));
  const llvm::MCSubtargetInfo *features = machine ? machine->getMCSubtargetInfo() : nullptr;
  if (!features || !features->isCPUStringValid(cpu.name)) {
    error = "there is no CPU named '" + cpu.name + "'";
    return nullptr;
  }
  // Kernels use fused multiply-add; without the instruction it would be a call.
  if (triple.isX86() && !features->checkFeatures("+avx2,+fma")) {
    error = "CPU '" + cpu.name + "' lacks AVX2 or FMA; kernels need at least x86-64-v3";
    return nullptr;
  }
  return machine;
}

void optimise(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  llvm::cantFail(builder.parsePassPipeline(passes, CpuPassList));
  passes.run(module, modules);
}

llvm::Expected<std::vector<char>> emit(ModuleOp module, const CpuOptions &options,
                                       llvm::CodeGenFileType kind) {
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated = translateModuleToLLVMIR(module, context, "kernels");
  if (!translated) return llvm::createStringError("translation of kernels to LLVM IR failed");
  CpuTarget cpu = resolveCpu(options.cpu);
  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(cpu, error);
  if (!machine) return llvm::createStringError(error);
  translated->setDataLayout(machine->createDataLayout());
  translated->setTargetTriple(machine->getTargetTriple());
  for (llvm::Function &function : *translated) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", cpu.name);
    function.addFnAttr("target-features", cpu.features);
    function.addFnAttr("no-builtins"); // no loop becomes a call of memset
    function.addFnAttr("prefer-vector-width", "512");
  }
  optimise(*translated, *machine);
  if (llvm::Error fault = verifyExit(*translated)) return fault;
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, kind))
    return llvm::createStringError("the target cannot emit this kind of file");
  passes.run(*translated);
  return std::vector<char>(bytes.begin(), bytes.end());
}

} // namespace

CpuTarget resolveCpu(llvm::StringRef cpu) {
  if (cpu != "native") return {cpu.str(), ""};
  llvm::SubtargetFeatures features;
  for (const auto &[name, isOn] : llvm::sys::getHostCPUFeatures())
    features.AddFeature(name, isOn);
  return {llvm::sys::getHostCPUName().str(), features.getString()};
}

llvm::Expected<std::vector<char>> emitObject(ModuleOp module, const CpuOptions &options) {
  return emit(module, options, llvm::CodeGenFileType::ObjectFile);
}

llvm::Expected<std::vector<char>> emitAssembly(ModuleOp module, const CpuOptions &options) {
  return emit(module, options, llvm::CodeGenFileType::AssemblyFile);
}

} // namespace dlm
