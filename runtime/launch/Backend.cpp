// Opening the processor, a GPU or the emulator for a plan.
#include "runtime/launch/Backend.h"

#include "runtime/base/FileBytes.h"
#include "runtime/device/emulator/EmulatedDriver.h"
#include "runtime/executor/DeviceExecutor.h"
#include "runtime/executor/Executor.h"

namespace dlm {

namespace {

constexpr const char *EmulatorImage = "emulator";

class CpuBackend final : public Backend {
public:
  explicit CpuBackend(const KernelLibrary &kernels) : code(kernels) {}

  Expected<std::unique_ptr<Engine>> open(const plan::Plan &plan, ThreadChoice threads) override {
    ExecutorOptions options;
    options.workers = threads.count;
    options.isMost = threads.isMost;
    Expected<std::unique_ptr<Executor>> executor = Executor::open(plan, code, options);
    if (!executor) return executor.status();
    return std::unique_ptr<Engine>(executor.take());
  }

  const KernelLibrary *kernels() const override { return &code; }

private:
  const KernelLibrary &code;
};

class DeviceBackend final : public Backend {
public:
  DeviceBackend(const std::vector<cuda::DeviceImage> &images, const KernelLibrary *kernels,
                const CommandLine &line, const std::string &driverPath)
      : hostCode(kernels), line(line), driverPath(driverPath) {
    for (const cuda::DeviceImage &image : images)
      (image.name == EmulatorImage ? emulated : real).push_back(image);
    isEmulator = line.device ? *line.device == EmulatorImage : !emulated.empty();
  }

  Expected<std::unique_ptr<Engine>> open(const plan::Plan &plan, ThreadChoice threads) override {
    Expected<const cuda::DriverTable *> driver = openDriver();
    if (!driver) return driver.status();
    if (line.emulatorReport) DLM_TRY(writeFileBytes(*line.emulatorReport, {})); // not after the run
    Expected<std::unique_ptr<cuda::CudaDevice>> opened = cuda::CudaDevice::open(**driver);
    if (!opened) return opened.status();
    device = opened.take();
    DLM_TRY(device->load(isEmulator ? emulated : real));
    DeviceExecutorOptions options;
    options.runCounts = &runCounts;
    options.memoryWatch = isEmulator ? &emulator::memoryWatch() : nullptr;
    Expected<std::unique_ptr<DeviceExecutor>> executor =
        DeviceExecutor::open(plan, *device, options);
    if (!executor) return executor.status();
    return std::unique_ptr<Engine>(executor.take());
  }

  const KernelLibrary *kernels() const override { return hostCode; }
  Status finish(const plan::Plan &plan, std::FILE *err) override;

private:
  Expected<const cuda::DriverTable *> openDriver() {
    if (line.threads)
      return invalidArgument("--threads is of programs for the processor, and this one runs on a "
                             "device");
    if (!isEmulator && real.empty())
      return invalidArgument("this program carries no code for a GPU, only for the emulator "
                             "(--device emulator)");
    if (!isEmulator) {
      if (line.order || line.orderSeed || line.emulatorReport)
        return invalidArgument("--order, --order-seed and --emulator-report are of the emulator, "
                               "and this program runs on a GPU");
      return cuda::openMachineDriver(driverPath);
    }
    if (emulated.empty())
      return invalidArgument("this program carries no code for the emulator; `dlmc "
                             "--target=cuda --emulate` adds it");
    emulator::DriverOptions options;
    options.launch.order = orderOf(line.order.value_or("sequential"));
    options.launch.seed = line.orderSeed.value_or(1);
    return emulator::openEmulatedDriver(options);
  }

  static emulator::Order orderOf(const std::string &name) {
    if (name == "reverse") return emulator::Order::Reverse;
    if (name == "random") return emulator::Order::Random;
    return name == "warp-skew" ? emulator::Order::WarpSkew : emulator::Order::Sequential;
  }

  const KernelLibrary *hostCode;
  const CommandLine &line;
  std::string driverPath;
  std::vector<cuda::DeviceImage> emulated, real;
  bool isEmulator;
  std::unique_ptr<cuda::CudaDevice> device;
  std::vector<uint64_t> runCounts;
};

/// Tells what the emulator has found. Only checked code is counted byte by byte.
Status DeviceBackend::finish(const plan::Plan &plan, std::FILE *err) {
  if (!device || !isEmulator) return Status::ok();
  device.reset();
  const emulator::Report &report = emulator::emulatorReport();
  if (line.emulatorReport) {
    std::string text = emulatorReportJson(plan, runCounts);
    DLM_TRY(writeFileBytes(*line.emulatorReport, {text.begin(), text.end()}));
  }
  uint64_t launches = 0;
  for (const auto &[name, counts] : report.kernels)
    launches += counts.launches;
  for (const emulator::Finding &finding : report.findings) {
    std::string again = finding.count > 1 ? " (" + std::to_string(finding.count) + " times)" : "";
    std::fprintf(err, "emulator: %s in `%s`: %s%s\n", emulator::faultName(finding.fault),
                 finding.function.c_str(), finding.message.c_str(), again.c_str());
  }
  if (report.isChecked || !report.isClean())
    std::fprintf(err, "emulator: %llu launches checked, %zu findings\n",
                 static_cast<unsigned long long>(launches), report.findings.size());
  if (!report.isClean())
    return Status::error(Code::Corrupt, "the emulator has found faults in the device code");
  return Status::ok();
}

} // namespace

std::unique_ptr<Backend> makeCpuBackend(const KernelLibrary &kernels) {
  return std::make_unique<CpuBackend>(kernels);
}

std::unique_ptr<Backend> makeDeviceBackend(const std::vector<cuda::DeviceImage> &images,
                                           const KernelLibrary *kernels, const CommandLine &line,
                                           const std::string &driverPath) {
  return std::make_unique<DeviceBackend>(images, kernels, line, driverPath);
}

} // namespace dlm
