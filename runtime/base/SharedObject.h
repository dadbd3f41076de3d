// A shared object whose bytes are in memory: compiled kernels, or device code for the emulator.
#pragma once

#include "runtime/base/Status.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace dlm {

class SharedObject {
public:
  virtual ~SharedObject() = default;

  /// The address of a symbol, or null.
  virtual void *find(const std::string &symbol) const = 0;
};

/// Opens a shared object from its bytes, without a file where the system allows it (`memfd`), else
/// through a private temporary file that is removed at once. `what` names it in messages: `the
/// kernels`. Nothing of it may be used once it has gone.
Expected<std::unique_ptr<SharedObject>> openSharedObject(const uint8_t *bytes, size_t sizeBytes,
                                                         const std::string &what);

/// Whether these bytes are the beginning of an ELF file that goes on. Who gets only the address of
/// one, as a driver does, reads as far as its headers say.
bool isCutOff(const uint8_t *bytes, size_t sizeBytes);

} // namespace dlm
