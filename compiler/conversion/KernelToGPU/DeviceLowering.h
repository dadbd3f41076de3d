// What the schedules share when they write device functions.
#pragma once

#include "compiler/conversion/KernelBody/BodyLowering.h"
#include "compiler/conversion/KernelToGPU/DeviceFunction.h"
#include "compiler/conversion/KernelToGPU/DeviceMemory.h"

#include <functional>
#include <vector>

namespace kernel {

/// Elements a thread holds of what is side by side: 16 bytes of f32.
constexpr int64_t GroupSize = 4;

/// A device function as a stage: how a launch of a kernel calls it.
struct DeviceStage {
  std::string function;
  int64_t block, sharedBytes;
  std::function<int64_t(int64_t extent, int64_t items)> getGrid;
  /// The scratch memory of a launch; all stages of a launch share it.
  std::function<int64_t(int64_t extent)> getScratchBytes;
};
using DeviceStages = std::vector<DeviceStage>;

/// Writes one device function of one kernel.
class DeviceLowering : protected BodyLowering {
protected:
  DeviceLowering(FuncOp func, mlir::gpu::GPUModuleOp device, const KernelUse &use,
                 const llvm::Twine &name, int64_t block);

  mlir::Value getItems() { return device.getNumber(1); }
  mlir::Value less(mlir::Value left, mlir::Value right);
  mlir::Value multiply(mlir::Value left, int64_t factor);
  /// Emits code that runs where `condition` holds; values emitted in it are forgotten.
  void emitIf(mlir::Value condition, llvm::function_ref<void()> emit);
  void emitStores();
  /// Ends the function.
  DeviceStage finish(std::function<int64_t(int64_t, int64_t)> getGrid,
                     std::function<int64_t(int64_t)> getScratchBytes = {});

  DeviceFunction device;
  const KernelUse &use;
};

/// True if some access to four neighbours is one access of the memory.
bool hasVectorAccess(FuncOp func, llvm::ArrayRef<int64_t> alignments);

/// Write the device functions of a kernel into `device`.
DeviceStages lowerLinear(FuncOp func, mlir::gpu::GPUModuleOp device, const KernelUse &use,
                         llvm::StringRef name);
DeviceStages lowerRow(FuncOp func, mlir::gpu::GPUModuleOp device, const KernelUse &use,
                      llvm::StringRef name);
DeviceStages lowerColumn(FuncOp func, mlir::gpu::GPUModuleOp device, const KernelUse &use,
                         llvm::StringRef name);
DeviceStages lowerScatter(FuncOp func, mlir::gpu::GPUModuleOp device, const KernelUse &use,
                          llvm::StringRef name);

} // namespace kernel
