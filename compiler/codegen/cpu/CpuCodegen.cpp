// From the `llvm` dialect to an object: translate, then compile for the host.
#include "compiler/codegen/cpu/CpuCodegen.h"
#include "compiler/codegen/cpu/HostCompiler.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace dlm {
namespace {

llvm::Expected<std::vector<char>> emit(ModuleOp module, const CpuOptions &options,
                                       llvm::CodeGenFileType kind) {
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated = translateModuleToLLVMIR(module, context, "kernels");
  if (!translated) return llvm::createStringError("translation of kernels to LLVM IR failed");
  return compileForHost(*translated, resolveCpu(options.cpu), kind);
}

} // namespace

llvm::Expected<std::vector<char>> emitObject(ModuleOp module, const CpuOptions &options) {
  return emit(module, options, llvm::CodeGenFileType::ObjectFile);
}

llvm::Expected<std::vector<char>> emitAssembly(ModuleOp module, const CpuOptions &options) {
  return emit(module, options, llvm::CodeGenFileType::AssemblyFile);
}

} // namespace dlm
