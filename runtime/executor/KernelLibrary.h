// Where compiled kernels come from: a shared object held in memory (the section of an executable,
// or what the compiler just linked), or plain C++ functions in tests.
#pragma once

#include "runtime/abi/Kernel.h"
#include "runtime/base/Status.h"

#include <map>
#include <memory>
#include <string>

namespace dlm {

class KernelLibrary {
public:
  virtual ~KernelLibrary() = default;

  /// The kernel of that symbol, or null.
  virtual DlmKernel find(const std::string &symbol) const = 0;
};

/// Opens a shared object from its bytes, without a file where the system allows it (`memfd`), else
/// through a private temporary file that is removed at once. No kernel may be called after the
/// library has gone.
Expected<std::unique_ptr<KernelLibrary>> openKernelLibrary(const uint8_t *bytes, size_t sizeBytes);

/// Functions given by hand.
class KernelTable final : public KernelLibrary {
public:
  void add(const std::string &symbol, DlmKernel kernel) { kernels[symbol] = kernel; }
  DlmKernel find(const std::string &symbol) const override {
    auto found = kernels.find(symbol);
    return found == kernels.end() ? nullptr : found->second;
  }

private:
  std::map<std::string, DlmKernel> kernels;
};

} // namespace dlm
