// From an LLVM module to an object: optimise, verify, emit.
//
// The pass list is short on purpose. Kernels arrive as vector loops in the shape they should have;
// what is left is what a plain emitter leaves: addresses computed twice, constants, dead values.
// Loop and SLP vectorisers, reassociation and idiom recognition (it makes calls of memset) are not
// in the list.
#include "compiler/codegen/cpu/HostCompiler.h"
#include "compiler/codegen/llvm/PassList.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

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

} // namespace

CpuTarget resolveCpu(llvm::StringRef cpu) {
  if (cpu != "native") return {cpu.str(), ""};
  llvm::SubtargetFeatures features;
  for (const auto &[name, isOn] : llvm::sys::getHostCPUFeatures())
    features.AddFeature(name, isOn);
  return {llvm::sys::getHostCPUName().str(), features.getString()};
}

llvm::Expected<std::vector<char>> compileForHost(llvm::Module &module, const CpuTarget &cpu,
                                                 llvm::CodeGenFileType kind,
                                                 IndirectCalls indirectCalls) {
  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(cpu, error);
  if (!machine) return llvm::createStringError(error);
  module.setDataLayout(machine->createDataLayout());
  module.setTargetTriple(machine->getTargetTriple());
  for (llvm::Function &function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", cpu.name);
    function.addFnAttr("target-features", cpu.features);
    function.addFnAttr("no-builtins"); // no loop becomes a call of memset
    function.addFnAttr("prefer-vector-width", "512");
  }
  runPassList(module, *machine, CpuPassList);
  if (llvm::Error fault = verifyExit(module, indirectCalls)) return fault;
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, kind))
    return llvm::createStringError("the target cannot emit this kind of file");
  passes.run(module);
  return std::vector<char>(bytes.begin(), bytes.end());
}

} // namespace dlm
