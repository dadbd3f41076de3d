// Device code in a test: text of LLVM IR or a module, made an emulated image and run by the
// emulator.
#pragma once

#include "runtime/base/SharedObject.h"
#include "runtime/device/emulator/Emulator.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

/// Device text: triple and data layout of NVPTX, declarations that kernels share, then `body`.
std::string makeDeviceText(const std::string &body);

std::unique_ptr<llvm::Module> parseDevice(llvm::LLVMContext &context, const std::string &body);

/// An emulated image in this process.
class EmulatedDevice {
public:
  /// `body` as for `makeDeviceText`. A failure is one of the test; the result is then null.
  static std::unique_ptr<EmulatedDevice> create(const std::string &body, bool checked);
  static std::unique_ptr<EmulatedDevice> create(const llvm::Module &device, bool checked);
  /// The message that the compilation of `body` fails with; empty if it does not.
  static std::string getFault(const std::string &body);

  EmulatedDevice() = default;
  EmulatedDevice(const EmulatedDevice &) = delete;
  EmulatedDevice &operator=(const EmulatedDevice &) = delete;

  const DlmEmuFunction &function(const std::string &name) const;
  const DlmEmuImage &image() const { return *table; }

  /// A buffer on the device with these values.
  template <class T> T *upload(const std::vector<T> &values) {
    auto *buffer = static_cast<T *>(memory.allocate(values.size() * sizeof(T)));
    std::copy(values.begin(), values.end(), buffer);
    memory.markWritten(buffer, values.size() * sizeof(T));
    return buffer;
  }
  /// A buffer on the device that nobody has written.
  template <class T> T *allocate(size_t count) {
    return static_cast<T *>(memory.allocate(count * sizeof(T)));
  }

  /// Launches with parameters of 8 bytes each: pointers and numbers.
  bool launch(const std::string &name, uint32_t grid, uint32_t block,
              std::vector<uint64_t> parameters,
              dlm::emulator::Order order = dlm::emulator::Order::Sequential, uint64_t seed = 1);

  dlm::emulator::Report report;
  dlm::emulator::Memory memory{64 << 20};

private:
  std::unique_ptr<dlm::SharedObject> library;
  const DlmEmuImage *table = nullptr;
};

inline uint64_t asParameter(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }
