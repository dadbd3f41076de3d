// The emulated device itself: what it says of itself, its context and the names of errors.
#include "runtime/device/emulator/EmulatedDriverState.h"

#include <cstdio>

namespace dlm::emulator {

using namespace cuda; // in no header: the driver's names are written as the driver writes them

namespace {

CUctx_st theContext;

struct ErrorText {
  CUresult error;
  const char *name, *text;
};

constexpr ErrorText ErrorTexts[] = {
    {Success, "CUDA_SUCCESS", "no error"},
    {ErrorInvalidValue, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {ErrorOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {ErrorNotInitialized, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {ErrorStubLibrary, "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"},
    {ErrorNoDevice, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {ErrorInvalidDevice, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {ErrorInvalidImage, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {ErrorInvalidContext, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {ErrorNoBinaryForGpu, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {ErrorUnsupportedPtxVersion, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain"},
    {ErrorInvalidHandle, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {ErrorIllegalState, "CUDA_ERROR_ILLEGAL_STATE",
     "the operation cannot be performed in the present state"},
    {ErrorNotFound, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {ErrorNotReady, "CUDA_ERROR_NOT_READY", "device not ready"},
    {ErrorIllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {ErrorLaunchTimeout, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"},
    {ErrorMisalignedAddress, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {ErrorLaunchFailed, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {ErrorSystemDriverMismatch, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
     "system has unsupported display driver / cuda driver combination"},
    {ErrorStreamCaptureUnsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
    {ErrorStreamCaptureInvalidated, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
     "operation failed due to a previous error during capture"},
    {ErrorStreamCaptureMerge, "CUDA_ERROR_STREAM_CAPTURE_MERGE",
     "operation would result in a merge of separate capture sequences"},
    {ErrorStreamCaptureUnmatched, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED",
     "capture was not ended in the same stream as it began"},
    {ErrorStreamCaptureUnjoined, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED",
     "capturing stream has unjoined work"},
    {ErrorStreamCaptureIsolation, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
     "dependency created on uncaptured work in another stream"},
    {ErrorCapturedEvent, "CUDA_ERROR_CAPTURED_EVENT",
     "operation not permitted on an event last recorded in a capturing stream"},
};

const ErrorText *findError(CUresult error) {
  for (const ErrorText &entry : ErrorTexts)
    if (entry.error == error) return &entry;
  return nullptr;
}

CUresult emulatedGetErrorName(CUresult error, const char **text) {
  if (!text) return ErrorInvalidValue;
  const ErrorText *entry = findError(error);
  *text = entry ? entry->name : nullptr;
  return entry ? Success : ErrorInvalidValue;
}

CUresult emulatedGetErrorString(CUresult error, const char **text) {
  if (!text) return ErrorInvalidValue;
  const ErrorText *entry = findError(error);
  *text = entry ? entry->text : nullptr;
  return entry ? Success : ErrorInvalidValue;
}

CUresult emulatedInit(unsigned flags) { return flags == 0 ? Success : ErrorInvalidValue; }

CUresult emulatedDriverGetVersion(int *version) {
  if (!version) return ErrorInvalidValue;
  *version = 13000;
  return Success;
}

CUresult emulatedDeviceGetCount(int *count) {
  if (!count) return ErrorInvalidValue;
  *count = 1;
  return Success;
}

CUresult emulatedDeviceGet(CUdevice *device, int ordinal) {
  if (!device) return ErrorInvalidValue;
  *device = 0;
  return ordinal == 0 ? Success : ErrorInvalidDevice;
}

CUresult emulatedDeviceGetName(char *name, int size, CUdevice device) {
  if (device != 0) return ErrorInvalidDevice;
  if (!name || size <= 0) return ErrorInvalidValue;
  const DriverOptions &options = emulated().options;
  std::snprintf(name, size_t(size), "DLM emulator (sm_%d%d)", options.major, options.minor);
  return Success;
}

CUresult emulatedDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  if (device != 0) return ErrorInvalidDevice;
  if (!value) return ErrorInvalidValue;
  const DriverOptions &options = emulated().options;
  // The numbers are the driver's; the values those of an A100.
  const std::map<int, int> values = {
      {1, 1024}, // threads of a block
      {2, 1024}, // block: x, y, z
      {3, 1024},
      {4, 64},
      {5, 2147483647}, // grid: x, y, z
      {6, 65535},
      {7, 65535},
      {8, 49152},  // shared memory of a block
      {10, 32},    // threads of a warp
      {12, 65536}, // registers of a block
      {AttributeMultiprocessorCount, 108},
      {31, 1},    // kernels run at the same time
      {39, 2048}, // threads of a multiprocessor
      {40, 3},    // copy engines
      {41, 1},    // one address space
      {AttributeComputeCapabilityMajor, options.major},
      {AttributeComputeCapabilityMinor, options.minor},
      {81, 167936}, // shared memory of a multiprocessor
      {82, 65536},  // registers of a multiprocessor
      {97, 166912}, // shared memory of a block that asks for more
  };
  auto found = values.find(attribute);
  if (found == values.end()) return ErrorInvalidValue;
  *value = found->second;
  return Success;
}

CUresult emulatedDeviceTotalMem(size_t *sizeBytes, CUdevice device) {
  if (device != 0) return ErrorInvalidDevice;
  if (!sizeBytes) return ErrorInvalidValue;
  *sizeBytes = emulated().options.totalBytes;
  return Success;
}

CUresult emulatedPrimaryCtxRetain(CUcontext *context, CUdevice device) {
  if (device != 0) return ErrorInvalidDevice;
  if (!context) return ErrorInvalidValue;
  ++emulated().contextUsers;
  *context = &theContext;
  return Success;
}

CUresult emulatedPrimaryCtxRelease(CUdevice device) {
  if (device != 0) return ErrorInvalidDevice;
  State &state = emulated();
  if (state.contextUsers == 0) return ErrorInvalidContext;
  if (--state.contextUsers == 0) state.user = {};
  return Success;
}

CUresult emulatedCtxSetCurrent(CUcontext context) {
  State &state = emulated();
  if (context && (context != &theContext || state.contextUsers == 0)) return ErrorInvalidContext;
  state.user = context ? std::this_thread::get_id() : std::thread::id();
  return Success;
}

} // namespace

void fillDevice(DriverTable &table) {
  table.init = emulatedInit;
  table.driverGetVersion = emulatedDriverGetVersion;
  table.getErrorName = emulatedGetErrorName;
  table.getErrorString = emulatedGetErrorString;
  table.deviceGetCount = emulatedDeviceGetCount;
  table.deviceGet = emulatedDeviceGet;
  table.deviceGetName = emulatedDeviceGetName;
  table.deviceGetAttribute = emulatedDeviceGetAttribute;
  table.deviceTotalMem = emulatedDeviceTotalMem;
  table.primaryCtxRetain = emulatedPrimaryCtxRetain;
  table.primaryCtxRelease = emulatedPrimaryCtxRelease;
  table.ctxSetCurrent = emulatedCtxSetCurrent;
}

} // namespace dlm::emulator
