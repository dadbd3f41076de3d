// Which of a program's device images a GPU can run.
#pragma once

#include "runtime/device/cuda/CudaDevice.h"

namespace dlm::cuda {

/// The images worth trying on a device of this compute capability, best first: machine code for
/// the same major and the newest minor that is not newer than the device's, then PTX, then forms
/// that are neither and only their own driver takes.
std::vector<const DeviceImage *> orderImages(const std::vector<DeviceImage> &images, int major,
                                             int minor);

} // namespace dlm::cuda
