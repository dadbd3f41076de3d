// What a plan is for, by the words in its field `target`, and what a device is to be able to do.
#pragma once

#include "runtime/abi/Plan_generated.h"

#include <cstdint>
#include <string_view>

namespace dlm {

constexpr std::string_view CpuTarget = "cpu", DeviceTarget = "cuda";

/// Whether the plan is for a device: the stages of its instructions do the work.
inline bool isDevicePlan(const plan::Plan &plan) {
  return plan.target() && plan.target()->string_view() == DeviceTarget;
}

/// Threads of a block, and shared memory that its code may declare, on every GPU.
constexpr uint32_t DeviceBlockMax = 1024, DeviceSharedBytesMax = 48 * 1024;
/// Blocks of a launch.
constexpr uint32_t DeviceGridMax = 0x7FFFFFFF;
/// To what an arena of a device is aligned.
constexpr uint32_t DeviceArenaAlignment = 256;

} // namespace dlm
