// Loads, stores and atomics of device code: announced to the emulator, and made safe for the host.
#pragma once

#include "compiler/codegen/emulate/HostKernel.h"

namespace dlm::emulate {

/// With `announce`, `api->access` stands before every access but those to the thread's own
/// variables and to constant tables. Afterwards no plain access relies on an alignment: a GPU
/// reports a misaligned address, the host's instructions would end the program.
void prepareAccesses(HostKernel &kernel, bool announce);

} // namespace dlm::emulate
