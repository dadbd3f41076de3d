// Whether a run fits into the memory that is there, before it takes any: a process that the kernel
// kills for its memory has said nothing.
#pragma once

#include "runtime/abi/Plan_generated.h"
#include "runtime/base/AvailableMemory.h"
#include "runtime/data/Dataset.h"

namespace dlm {

/// Compares the plan's memory on the host and what the samples are kept in with what is available.
/// The failure says who needs how much, and what needs less.
Status checkMemory(const plan::Plan &plan, const DataSpec &spec,
                   const std::optional<AvailableMemory> &available = availableMemory());

} // namespace dlm
