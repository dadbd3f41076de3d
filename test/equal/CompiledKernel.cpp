// Opens the linked bytes as the runner does.
#include "test/equal/CompiledKernel.h"
#include "compiler/codegen/cpu/CpuCodegen.h"
#include "compiler/codegen/link/KernelLinker.h"
#include "compiler/conversion/KernelToLLVM/KernelToLLVM.h"

using namespace mlir;

namespace {

llvm::Expected<dlm::Bytes> compile(ModuleOp module, int64_t vectorWidth, const std::string &cpu) {
  OwningOpRef<ModuleOp> kernels = kernel::extractKernels(module);
  if (failed(kernel::convertKernelsToLLVM(*kernels, {vectorWidth})))
    return llvm::createStringError("conversion failed");
  llvm::Expected<dlm::Bytes> object = dlm::emitObject(*kernels, {cpu});
  if (!object) return object.takeError();
  return dlm::linkKernels({*object});
}

} // namespace

std::unique_ptr<CompiledKernel> CompiledKernel::create(ModuleOp module, int64_t vectorWidth,
                                                       const std::string &cpu) {
  llvm::Expected<dlm::Bytes> bytes = compile(module, vectorWidth, cpu);
  if (!bytes) {
    llvm::errs() << llvm::toString(bytes.takeError()) << "\n";
    return nullptr;
  }
  auto library = dlm::openSharedObject(reinterpret_cast<const uint8_t *>(bytes->data()),
                                       bytes->size(), "the kernels");
  if (!library.isOk()) {
    llvm::errs() << library.status().message() << "\n";
    return nullptr;
  }
  auto compiled = std::make_unique<CompiledKernel>();
  compiled->library = library.take();
  compiled->function = reinterpret_cast<DlmKernel>(compiled->library->find("k"));
  return compiled;
}
