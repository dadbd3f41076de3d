// Compiled kernels are a shared object; here its symbols become kernels.
#include "runtime/executor/KernelLibrary.h"

#include "runtime/base/SharedObject.h"

namespace dlm {

namespace {

class OpenedLibrary final : public KernelLibrary {
public:
  explicit OpenedLibrary(std::unique_ptr<SharedObject> object) : object(std::move(object)) {}
  DlmKernel find(const std::string &symbol) const override {
    return reinterpret_cast<DlmKernel>(object->find(symbol));
  }

private:
  std::unique_ptr<SharedObject> object;
};

} // namespace

Expected<std::unique_ptr<KernelLibrary>> openKernelLibrary(const uint8_t *bytes, size_t sizeBytes) {
  Expected<std::unique_ptr<SharedObject>> object =
      openSharedObject(bytes, sizeBytes, "the kernels");
  if (!object) return object.status();
  return std::make_unique<OpenedLibrary>(object.take());
}

} // namespace dlm
