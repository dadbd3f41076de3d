// The driver's table declares NVIDIA's functions by itself; here each is held against cuda.h. A
// parameter is compared by size and class (pointer or integer), for that is what the call passes.
#include <cuda.h> // first: it renames functions by macros, and the table takes the names it makes

#include "runtime/device/cuda/DriverTable.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace {

template <typename Type> std::string describe() {
  std::string size = std::to_string(8 * sizeof(Type));
  if (std::is_pointer<Type>::value) return "pointer" + size;
  if (std::is_integral<Type>::value || std::is_enum<Type>::value) return "integer" + size;
  return "other" + size;
}

template <typename Function> struct Signature;
template <typename Result, typename... Parameters> struct Signature<Result (*)(Parameters...)> {
  static std::string getText() {
    std::string text = describe<Result>() + " (";
    ((text += " " + describe<Parameters>()), ...);
    return text + " )";
  }
};

TEST(DriverTable, DeclaresEachFunctionAsTheToolkitDoes) {
#define DLM_CHECK(name, symbol, parameters)                                                        \
  EXPECT_EQ(Signature<decltype(dlm::cuda::DriverTable::name)>::getText(),                          \
            Signature<decltype(&::symbol)>::getText())                                             \
      << #name;
  DLM_CUDA_DRIVER(DLM_CHECK)
#undef DLM_CHECK
}

TEST(DriverTable, GivesErrorsTheToolkitsNumbers) {
  using namespace dlm::cuda;
  EXPECT_EQ(Success, CUDA_SUCCESS);
  EXPECT_EQ(ErrorInvalidValue, CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(ErrorOutOfMemory, CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(ErrorNotInitialized, CUDA_ERROR_NOT_INITIALIZED);
  EXPECT_EQ(ErrorStubLibrary, CUDA_ERROR_STUB_LIBRARY);
  EXPECT_EQ(ErrorDeviceUnavailable, CUDA_ERROR_DEVICE_UNAVAILABLE);
  EXPECT_EQ(ErrorNoDevice, CUDA_ERROR_NO_DEVICE);
  EXPECT_EQ(ErrorInvalidDevice, CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(ErrorInvalidImage, CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(ErrorInvalidContext, CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(ErrorNoBinaryForGpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(ErrorInvalidPtx, CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(ErrorJitCompilerNotFound, CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
  EXPECT_EQ(ErrorJitCompilationDisabled, CUDA_ERROR_JIT_COMPILATION_DISABLED);
  EXPECT_EQ(ErrorUnsupportedPtxVersion, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  EXPECT_EQ(ErrorInvalidHandle, CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(ErrorIllegalState, CUDA_ERROR_ILLEGAL_STATE);
  EXPECT_EQ(ErrorNotFound, CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(ErrorNotReady, CUDA_ERROR_NOT_READY);
  EXPECT_EQ(ErrorIllegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(ErrorLaunchTimeout, CUDA_ERROR_LAUNCH_TIMEOUT);
  EXPECT_EQ(ErrorMisalignedAddress, CUDA_ERROR_MISALIGNED_ADDRESS);
  EXPECT_EQ(ErrorLaunchFailed, CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(ErrorSystemDriverMismatch, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);
  EXPECT_EQ(ErrorStreamCaptureUnsupported, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT_EQ(ErrorStreamCaptureInvalidated, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(ErrorStreamCaptureMerge, CUDA_ERROR_STREAM_CAPTURE_MERGE);
  EXPECT_EQ(ErrorStreamCaptureUnmatched, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  EXPECT_EQ(ErrorStreamCaptureUnjoined, CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  EXPECT_EQ(ErrorStreamCaptureIsolation, CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
  EXPECT_EQ(ErrorCapturedEvent, CUDA_ERROR_CAPTURED_EVENT);
}

TEST(DriverTable, GivesAttributesAndFlagsTheToolkitsNumbers) {
  using namespace dlm::cuda;
  EXPECT_EQ(AttributeMultiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  EXPECT_EQ(AttributeComputeCapabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  EXPECT_EQ(AttributeComputeCapabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  EXPECT_EQ(StreamNonBlocking, unsigned(CU_STREAM_NON_BLOCKING));
  EXPECT_EQ(EventBlockingSync, unsigned(CU_EVENT_BLOCKING_SYNC));
  EXPECT_EQ(EventDisableTiming, unsigned(CU_EVENT_DISABLE_TIMING));
  EXPECT_EQ(JitErrorLogBuffer, int(CU_JIT_ERROR_LOG_BUFFER));
  EXPECT_EQ(JitErrorLogBufferSizeBytes, int(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES));
  EXPECT_EQ(StreamCaptureModeGlobal, int(CU_STREAM_CAPTURE_MODE_GLOBAL));
}

} // namespace
