// Opens the linked bytes as the runner does.
#include "test/equal/CompiledKernel.h"
#include "compiler/codegen/cpu/CpuCodegen.h"
#include "compiler/codegen/link/KernelLinker.h"
#include "compiler/conversion/KernelToLLVM/KernelToLLVM.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace mlir;

namespace {

llvm::Expected<void *> openFromMemory(const dlm::Bytes &bytes) {
  int file = memfd_create("kernels", MFD_CLOEXEC);
  if (file < 0 || write(file, bytes.data(), bytes.size()) != ssize_t(bytes.size()))
    return llvm::createStringError("cannot write the kernels to memory");
  std::string path = "/proc/self/fd/" + std::to_string(file);
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  close(file);
  if (!library) return llvm::createStringError(dlerror());
  return library;
}

llvm::Expected<void *> compile(ModuleOp module, int64_t vectorWidth, const std::string &cpu) {
  OwningOpRef<ModuleOp> kernels = kernel::extractKernels(module);
  if (failed(kernel::convertKernelsToLLVM(*kernels, {vectorWidth})))
    return llvm::createStringError("conversion failed");
  llvm::Expected<dlm::Bytes> object = dlm::emitObject(*kernels, {cpu});
  if (!object) return object.takeError();
  llvm::Expected<dlm::Bytes> shared = dlm::linkKernels({*object});
  if (!shared) return shared.takeError();
  return openFromMemory(*shared);
}

} // namespace

std::unique_ptr<CompiledKernel> CompiledKernel::create(ModuleOp module, int64_t vectorWidth,
                                                       const std::string &cpu) {
  llvm::Expected<void *> library = compile(module, vectorWidth, cpu);
  if (!library) {
    llvm::errs() << llvm::toString(library.takeError()) << "\n";
    return nullptr;
  }
  auto compiled = std::make_unique<CompiledKernel>();
  compiled->library = *library;
  compiled->function = reinterpret_cast<DlmKernel>(dlsym(*library, "k"));
  return compiled;
}

CompiledKernel::~CompiledKernel() {
  if (library) dlclose(library);
}
