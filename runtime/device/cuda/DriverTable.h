// The CUDA driver as a table of functions. It is filled by the driver of the machine, opened at run
// time, or by the emulated one; above the table both are the same. Types and signatures are those
// of NVIDIA's driver interface (checked against cuda.h where a toolkit is installed), declared here
// so that nothing of CUDA is needed to build.
#pragma once

#include "runtime/base/Status.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace dlm::cuda {

using CUresult = int; // CUDA_SUCCESS is 0
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st *;
using CUmodule = struct CUmod_st *;
using CUfunction = struct CUfunc_st *;
using CUstream = struct CUstream_st *;
using CUevent = struct CUevent_st *;
using CUgraph = struct CUgraph_st *;
using CUgraphExec = struct CUgraphExec_st *;

constexpr CUresult Success = 0, ErrorInvalidValue = 1, ErrorOutOfMemory = 2,
                   ErrorNotInitialized = 3, ErrorStubLibrary = 34, ErrorDeviceUnavailable = 46,
                   ErrorNoDevice = 100, ErrorInvalidDevice = 101, ErrorInvalidImage = 200,
                   ErrorInvalidContext = 201, ErrorNoBinaryForGpu = 209, ErrorInvalidPtx = 218,
                   ErrorJitCompilerNotFound = 221, ErrorUnsupportedPtxVersion = 222,
                   ErrorJitCompilationDisabled = 223, ErrorInvalidHandle = 400,
                   ErrorIllegalState = 401, ErrorNotFound = 500, ErrorNotReady = 600,
                   ErrorIllegalAddress = 700, ErrorLaunchTimeout = 702,
                   ErrorMisalignedAddress = 716, ErrorLaunchFailed = 719,
                   ErrorSystemDriverMismatch = 803, ErrorStreamCaptureUnsupported = 900,
                   ErrorStreamCaptureInvalidated = 901, ErrorStreamCaptureMerge = 902,
                   ErrorStreamCaptureUnmatched = 903, ErrorStreamCaptureUnjoined = 904,
                   ErrorStreamCaptureIsolation = 905, ErrorCapturedEvent = 907;

/// What `deviceGetAttribute` is asked for.
constexpr int AttributeMultiprocessorCount = 16, AttributeComputeCapabilityMajor = 75,
              AttributeComputeCapabilityMinor = 76;
/// Flags: a stream that does not wait for the default one; an event whose waiters sleep; an event
/// that takes no time.
constexpr unsigned StreamNonBlocking = 1, EventBlockingSync = 1, EventDisableTiming = 2;
/// While a stream is captured, nobody may call what could disturb it.
constexpr int StreamCaptureModeGlobal = 0;
/// Options of `moduleLoadDataEx`.
constexpr int JitErrorLogBuffer = 5, JitErrorLogBufferSizeBytes = 6;
/// The oldest driver: CUDA 12.0.
constexpr int DriverVersionMin = 12000;

// name in the table | symbol in the driver | parameters
#define DLM_CUDA_DRIVER(F)                                                                         \
  F(init, cuInit, (unsigned flags))                                                                \
  F(driverGetVersion, cuDriverGetVersion, (int *version))                                          \
  F(getErrorName, cuGetErrorName, (CUresult error, const char **text))                             \
  F(getErrorString, cuGetErrorString, (CUresult error, const char **text))                         \
  F(deviceGetCount, cuDeviceGetCount, (int *count))                                                \
  F(deviceGet, cuDeviceGet, (CUdevice * device, int ordinal))                                      \
  F(deviceGetName, cuDeviceGetName, (char *name, int size, CUdevice device))                       \
  F(deviceGetAttribute, cuDeviceGetAttribute, (int *value, int attribute, CUdevice device))        \
  F(deviceTotalMem, cuDeviceTotalMem_v2, (size_t *sizeBytes, CUdevice device))                     \
  F(primaryCtxRetain, cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))            \
  F(primaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (CUdevice device))                            \
  F(ctxSetCurrent, cuCtxSetCurrent, (CUcontext context))                                           \
  F(ctxSynchronize, cuCtxSynchronize, ())                                                          \
  F(moduleLoadDataEx, cuModuleLoadDataEx,                                                          \
    (CUmodule * module, const void *image, unsigned optionCount, int *options,                     \
     void **optionValues))                                                                         \
  F(moduleUnload, cuModuleUnload, (CUmodule module))                                               \
  F(moduleGetFunction, cuModuleGetFunction,                                                        \
    (CUfunction * function, CUmodule module, const char *name))                                    \
  F(launchKernel, cuLaunchKernel,                                                                  \
    (CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,         \
     unsigned blockY, unsigned blockZ, unsigned sharedBytes, CUstream stream, void **parameters,   \
     void **extra))                                                                                \
  F(memGetInfo, cuMemGetInfo_v2, (size_t *freeBytes, size_t *totalBytes))                          \
  F(memAlloc, cuMemAlloc_v2, (CUdeviceptr * address, size_t sizeBytes))                            \
  F(memFree, cuMemFree_v2, (CUdeviceptr address))                                                  \
  F(memHostAlloc, cuMemHostAlloc, (void **address, size_t sizeBytes, unsigned flags))              \
  F(memFreeHost, cuMemFreeHost, (void *address))                                                   \
  F(memcpyHtoDAsync, cuMemcpyHtoDAsync_v2,                                                         \
    (CUdeviceptr to, const void *from, size_t sizeBytes, CUstream stream))                         \
  F(memcpyDtoHAsync, cuMemcpyDtoHAsync_v2,                                                         \
    (void *to, CUdeviceptr from, size_t sizeBytes, CUstream stream))                               \
  F(memcpyDtoDAsync, cuMemcpyDtoDAsync_v2,                                                         \
    (CUdeviceptr to, CUdeviceptr from, size_t sizeBytes, CUstream stream))                         \
  F(memsetD8Async, cuMemsetD8Async,                                                                \
    (CUdeviceptr to, unsigned char value, size_t count, CUstream stream))                          \
  F(memsetD32Async, cuMemsetD32Async,                                                              \
    (CUdeviceptr to, unsigned value, size_t count, CUstream stream))                               \
  F(streamCreate, cuStreamCreate, (CUstream * stream, unsigned flags))                             \
  F(streamDestroy, cuStreamDestroy_v2, (CUstream stream))                                          \
  F(streamSynchronize, cuStreamSynchronize, (CUstream stream))                                     \
  F(streamQuery, cuStreamQuery, (CUstream stream))                                                 \
  F(streamWaitEvent, cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags))          \
  F(eventCreate, cuEventCreate, (CUevent * event, unsigned flags))                                 \
  F(eventDestroy, cuEventDestroy_v2, (CUevent event))                                              \
  F(eventRecord, cuEventRecord, (CUevent event, CUstream stream))                                  \
  F(eventQuery, cuEventQuery, (CUevent event))                                                     \
  F(eventSynchronize, cuEventSynchronize, (CUevent event))                                         \
  F(eventElapsedTime, cuEventElapsedTime, (float *ms, CUevent start, CUevent end))                 \
  F(streamBeginCapture, cuStreamBeginCapture_v2, (CUstream stream, int mode))                      \
  F(streamEndCapture, cuStreamEndCapture, (CUstream stream, CUgraph * graph))                      \
  F(graphInstantiate, cuGraphInstantiateWithFlags,                                                 \
    (CUgraphExec * executable, CUgraph graph, unsigned long long flags))                           \
  F(graphLaunch, cuGraphLaunch, (CUgraphExec executable, CUstream stream))                         \
  F(graphDestroy, cuGraphDestroy, (CUgraph graph))                                                 \
  F(graphExecDestroy, cuGraphExecDestroy, (CUgraphExec executable))

struct DriverTable {
#define DLM_CUDA_MEMBER(name, symbol, parameters) CUresult(*name) parameters = nullptr;
  DLM_CUDA_DRIVER(DLM_CUDA_MEMBER)
#undef DLM_CUDA_MEMBER
  /// For messages: the file that was opened, or `emulated`.
  std::string origin;
};

/// Gives the address of a symbol of the driver, null if there is none.
using FindSymbol = std::function<void *(const char *symbol)>;

/// Starts the driver and fills the table. Fails with what to do if this is no driver, it finds no
/// GPU, or it is older than CUDA 12. `table.origin` is for the messages.
Status startDriver(DriverTable &table, const FindSymbol &findSymbol);

/// Opens the machine's driver and starts it: `libcuda.so.1`, or what `path` names, a file or a
/// folder with that file; a main passes $DLM_CUDA_LIB_PATH. The library stays open for the life of
/// the process.
Expected<const DriverTable *> openMachineDriver(const std::string &path = {});

/// "12.4" for 12040.
std::string driverVersionText(int version);

} // namespace dlm::cuda
