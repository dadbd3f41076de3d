// A device: its traits, its code and its errors.
#include "runtime/device/cuda/CudaDevice.h"

#include "runtime/base/SharedObject.h"
#include "runtime/device/cuda/ImageChoice.h"

#include <algorithm>

namespace dlm::cuda {

namespace {

/// What to do about an error, where the driver's own words do not tell; may be empty.
std::string adviceFor(CUresult result) {
  switch (result) {
  case ErrorIllegalAddress:
  case ErrorMisalignedAddress:
  case ErrorLaunchFailed:
    return "; the results on the device are lost. Compiled with --emulate=check, the same program "
           "finds faults of its device code";
  case ErrorLaunchTimeout:
    return "; a kernel ran longer than the system allows, as on a GPU that also drives a display";
  case ErrorUnsupportedPtxVersion:
    return "; a newer driver reads it, or name the GPU when compiling (--target=cuda:sm_90)";
  case ErrorDeviceUnavailable:
    return "; another process has the GPU for itself (`nvidia-smi -q -d COMPUTE` tells its compute "
           "mode)";
  case ErrorJitCompilerNotFound:
  case ErrorJitCompilationDisabled:
    return "; the driver cannot compile PTX here: name the GPU when compiling "
           "(--target=cuda:sm_90)";
  default:
    return "";
  }
}

Code codeFor(CUresult result) {
  switch (result) {
  case ErrorInvalidValue:
    return Code::InvalidArgument;
  case ErrorOutOfMemory:
    return Code::NoSpace;
  case ErrorNotFound:
    return Code::NotFound;
  case ErrorInvalidImage:
    return Code::Corrupt;
  case ErrorNoDevice:
  case ErrorInvalidDevice:
  case ErrorNoBinaryForGpu:
  case ErrorUnsupportedPtxVersion:
  case ErrorJitCompilerNotFound:
  case ErrorJitCompilationDisabled:
  case ErrorDeviceUnavailable:
    return Code::Unsupported;
  default:
    return Code::Internal;
  }
}

std::string resultText(const DriverTable &table, CUresult result) {
  const char *name = nullptr, *text = nullptr;
  table.getErrorName(result, &name);
  table.getErrorString(result, &text);
  return std::string(name ? name : "an unknown error") + " (error " + std::to_string(result) + ")" +
         (text ? std::string(": ") + text : "");
}

/// True if another image may be accepted where this one was refused.
bool isRefusal(CUresult result) {
  switch (result) {
  case ErrorInvalidImage:
  case ErrorNoBinaryForGpu:
  case ErrorInvalidPtx:
  case ErrorJitCompilerNotFound:
  case ErrorUnsupportedPtxVersion:
  case ErrorJitCompilationDisabled:
    return true;
  default:
    return false;
  }
}

} // namespace

Expected<std::unique_ptr<CudaDevice>> CudaDevice::open(const DriverTable &driver, int ordinal) {
  std::unique_ptr<CudaDevice> device(new CudaDevice(driver, ordinal));
  int count = 0;
  DLM_TRY(device->check(driver.deviceGetCount(&count), "counting devices"));
  if (ordinal < 0 || ordinal >= count)
    return notFound("there is no device " + std::to_string(ordinal) + ": the driver (" +
                    driver.origin + ") has " + std::to_string(count));
  DLM_TRY(device->check(driver.deviceGet(&device->handle, ordinal), "opening"));
  DLM_TRY(device->readTraits());
  DLM_TRY(device->check(driver.primaryCtxRetain(&device->context, device->handle), "opening"));
  DLM_TRY(device->makeCurrent());
  return device;
}

CudaDevice::~CudaDevice() {
  if (module) table.moduleUnload(module);
  if (context) table.primaryCtxRelease(handle);
}

Status CudaDevice::readTraits() {
  char name[256] = {};
  DLM_TRY(check(table.deviceGetName(name, int(sizeof name) - 1, handle), "reading the name"));
  theTraits.name = name;
  struct {
    int attribute, *value;
  } wanted[] = {{AttributeComputeCapabilityMajor, &theTraits.major},
                {AttributeComputeCapabilityMinor, &theTraits.minor},
                {AttributeMultiprocessorCount, &theTraits.multiprocessors}};
  for (auto [attribute, value] : wanted)
    DLM_TRY(check(table.deviceGetAttribute(value, attribute, handle), "reading attributes"));
  size_t total = 0;
  DLM_TRY(check(table.deviceTotalMem(&total, handle), "reading the size of the memory"));
  theTraits.totalBytes = total;
  return check(table.driverGetVersion(&theTraits.driverVersion), "reading the driver's version");
}

Status CudaDevice::makeCurrent() const {
  return check(table.ctxSetCurrent(context), "entering the context");
}

std::string CudaDevice::label() const {
  std::string text = "device " + std::to_string(ordinal);
  return theTraits.name.empty() ? text : text + " (" + theTraits.name + ")";
}

Status CudaDevice::check(CUresult result, const std::string &what) const {
  if (result == Success) return Status::ok();
  return Status::error(codeFor(result), label() + ": " + what + ": " + resultText(table, result) +
                                            adviceFor(result));
}

/// Ok with `module` set, ok without it if the device refuses this image, or a failure.
Status CudaDevice::tryImage(const DeviceImage &image, Refusals &refusals) {
  if (isCutOff(image.data, image.sizeBytes)) {
    refusals.text += "\n  " + image.name + ": it is cut off";
    return Status::ok();
  }
  // PTX is a text that ends with a 0; a driver reads the head of what is shorter than one.
  constexpr size_t HeadBytes = 64;
  std::vector<uint8_t> bytes(image.data, image.data + image.sizeBytes);
  bytes.resize(std::max(image.sizeBytes + 1, HeadBytes));
  char log[2048] = {};
  int options[] = {JitErrorLogBuffer, JitErrorLogBufferSizeBytes};
  void *values[] = {log, reinterpret_cast<void *>(uintptr_t(sizeof log - 1))};
  CUresult result = table.moduleLoadDataEx(&module, bytes.data(), 2, options, values);
  if (result == Success) return Status::ok();
  module = nullptr;
  std::string said = resultText(table, result) + (*log ? std::string(": ") + log : "");
  if (!isRefusal(result))
    return check(result, "loading the device code " + image.name + (*log ? said : std::string()));
  refusals.isDamaged &= result == ErrorInvalidImage;
  refusals.text += "\n  " + image.name + ": " + said + adviceFor(result);
  return Status::ok();
}

Status CudaDevice::load(const std::vector<DeviceImage> &images) {
  DLM_ASSERT(!module, "device code is loaded once");
  std::string names;
  Refusals refusals;
  for (const DeviceImage &image : images)
    names += (names.empty() ? "" : ", ") + image.name;
  if (images.empty()) return notFound("the program holds no device code: compile it again");
  for (const DeviceImage *image : orderImages(images, theTraits.major, theTraits.minor)) {
    DLM_TRY(tryImage(*image, refusals));
    if (!module) continue;
    imageName = image->name;
    return Status::ok();
  }
  if (refusals.isDamaged && !refusals.text.empty())
    return corrupt(label() + " cannot read the program's device code (" + names +
                   "); the program is damaged: compile it again" + refusals.text);
  std::string architecture =
      "sm_" + std::to_string(theTraits.major) + std::to_string(theTraits.minor);
  return unsupported(label() + ", " + architecture + ", driver for CUDA " +
                     driverVersionText(theTraits.driverVersion) +
                     ", takes none of the program's device images (" + names +
                     "); compile with --target=cuda:" + architecture +
                     ", or with --emulate to run without a GPU" + refusals.text);
}

Expected<CUfunction> CudaDevice::findFunction(const std::string &name) const {
  DLM_ASSERT(module, "device code must be loaded first");
  CUfunction function = nullptr;
  CUresult result = table.moduleGetFunction(&function, module, name.c_str());
  if (result == ErrorNotFound)
    return notFound("the device code " + imageName + " has no function `" + name +
                    "`; the program is damaged: compile it again");
  DLM_TRY(check(result, "looking for the function `" + name + "`"));
  return function;
}

Status CudaDevice::synchronize() const { return check(table.ctxSynchronize(), "waiting"); }

} // namespace dlm::cuda
