// The gate every plan passes before it runs. It is written from the plan alone: it recomputes
// lifetimes and dependences from the instructions and believes nothing that placement claims, so it
// is both the loader's check of foreign bytes and the exit check of the phase `place`.
#pragma once

#include "runtime/abi/Plan_generated.h"
#include "runtime/base/Status.h"

#include <cstddef>
#include <cstdint>

namespace dlm {

/// Checks bytes with the FlatBuffers verifier, then with `verifyPlan`. The result points into
/// `bytes`, which must be 16-byte aligned and stay alive.
Expected<const plan::Plan *> loadPlan(const uint8_t *bytes, size_t sizeBytes);

/// Checks the meaning of a well-formed plan; the message names program, instruction and location.
Status verifyPlan(const plan::Plan &plan);

} // namespace dlm
