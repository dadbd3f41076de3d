// The way of a device module to an object of the host. Order matters: sites name address spaces and
// shared variables, so accesses come before those are replaced; address spaces vanish last.
#include "compiler/codegen/emulate/EmulatedImage.h"
#include "compiler/codegen/cpu/HostCompiler.h"
#include "compiler/codegen/emulate/DeviceCalls.h"
#include "compiler/codegen/emulate/FlatMemory.h"
#include "compiler/codegen/emulate/ImageTable.h"
#include "compiler/codegen/emulate/MemoryHooks.h"
#include "compiler/codegen/emulate/SharedLayout.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/IR/Verifier.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace dlm {
namespace {

bool isKernel(const llvm::Function &function) {
  return function.getCallingConv() == llvm::CallingConv::PTX_Kernel && !function.isDeclaration();
}

/// Expressions over the device's variables become instructions, where they can be rewritten.
void expandConstants(llvm::Module &module) {
  std::vector<llvm::Constant *> variables;
  for (llvm::GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() != 0) variables.push_back(&variable);
  llvm::convertUsersOfConstantsToInstructions(variables);
}

/// Removes what describes the module to an NVPTX back end.
void dropDeviceDescription(llvm::Module &module) {
  llvm::StripDebugInfo(module);
  for (const char *name : {"llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable *list = module.getNamedGlobal(name)) list->eraseFromParent();
  for (llvm::NamedMDNode &node : llvm::make_early_inc_range(module.named_metadata()))
    module.eraseNamedMetadata(&node);
}

/// Removes everything of the device; what is left is only seen from within.
void dropDeviceCode(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kept) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && !llvm::is_contained(kept, &function)) function.deleteBody();
  for (llvm::Function &function : llvm::make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty()) function.eraseFromParent();
  for (llvm::GlobalVariable &variable : llvm::make_early_inc_range(module.globals())) {
    variable.removeDeadConstantUsers();
    if (variable.use_empty())
      variable.eraseFromParent();
    else
      variable.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

llvm::Error makeHostFunction(emulate::HostKernel &kernel, const EmulationOptions &options) {
  emulate::prepareAccesses(kernel, options.checked);
  if (llvm::Error error = emulate::placeSharedMemory(kernel)) return error;
  if (llvm::Error error = emulate::replaceDeviceCode(kernel)) return error;
  kernel.joinEntry();
  return llvm::Error::success();
}

/// A CPU that any machine has which can run the CPU's kernels, so that images travel.
CpuTarget getPlainHost() {
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  return {triple.isX86() ? "x86-64-v3" : "generic", ""};
}

} // namespace

llvm::Expected<std::vector<char>> emitEmulatedObject(const llvm::Module &device,
                                                     const EmulationOptions &options) {
  std::unique_ptr<llvm::Module> module = llvm::CloneModule(device);
  dropDeviceDescription(*module);
  expandConstants(*module);
  std::vector<llvm::Function *> deviceKernels;
  for (llvm::Function &function : *module)
    if (isKernel(function)) deviceKernels.push_back(&function);
  std::vector<emulate::Site> sites;
  std::deque<emulate::HostKernel> kernels;
  std::vector<llvm::Function *> functions;
  for (llvm::Function *function : deviceKernels) {
    for (const llvm::Argument &argument : function->args())
      if (argument.hasByValAttr())
        return llvm::createStringError("kernel '" + function->getName() +
                                       "': takes memory by value, which cannot be emulated");
    emulate::HostKernel &kernel = kernels.emplace_back(*function, sites);
    if (llvm::Error error = makeHostFunction(kernel, options)) return error;
    functions.push_back(&kernel.function());
  }
  dropDeviceCode(*module, functions);
  if (llvm::Error error = emulate::flattenMemory(*module, functions)) return error;
  dropDeviceCode(*module, functions);
  emulate::writeImageTable(*module, kernels, sites, options.checked);
  std::string fault;
  llvm::raw_string_ostream stream(fault);
  if (llvm::verifyModule(*module, &stream))
    return llvm::createStringError("emulated device code is not valid LLVM IR: " + fault);
  return compileForHost(*module, getPlainHost(), llvm::CodeGenFileType::ObjectFile,
                        IndirectCalls::Allowed);
}

} // namespace dlm
