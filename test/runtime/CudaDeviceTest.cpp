// The classes over the driver's table: what they do over the emulated driver, and what they say
// when a driver fails.
#include "EmulatedDevice.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

using namespace dlm;
using namespace dlm::cuda;

namespace {

testing::AssertionResult has(const std::string &text, const std::string &part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "`" << part << "` is not in `" << text << "`";
}

std::vector<uint8_t> bytesOf(const std::string &text) {
  std::vector<uint8_t> bytes(text.begin(), text.end());
  bytes.resize(bytes.size() + 64);
  return bytes;
}

std::vector<uint8_t> firstOf(std::vector<uint8_t> bytes, size_t count) {
  bytes.resize(count);
  return bytes;
}

/// The head of a shared object for a GPU.
std::vector<uint8_t> fakeCubin() {
  std::vector<uint8_t> bytes = bytesOf("\177ELF\2\1\1");
  bytes[16] = 2;
  bytes[18] = 190;
  return bytes;
}

/// A driver made of the emulated one's functions, found by name.
struct FakeDriver {
  FakeDriver() {
    const DriverTable &emulated = *emulator::openEmulatedDriver({});
#define DLM_CUDA_SYMBOL(name, symbol, parameters)                                                  \
  symbols[#symbol] = reinterpret_cast<void *>(emulated.name);
    DLM_CUDA_DRIVER(DLM_CUDA_SYMBOL)
#undef DLM_CUDA_SYMBOL
  }
  template <class F> void replace(const char *symbol, F *function) {
    symbols[symbol] = reinterpret_cast<void *>(function);
  }
  std::string failure() {
    DriverTable table;
    table.origin = "libfake.so";
    Status status = startDriver(table, [&](const char *symbol) -> void * {
      auto found = symbols.find(symbol);
      return found == symbols.end() ? nullptr : found->second;
    });
    return status.message();
  }
  std::map<std::string, void *> symbols;
};

template <CUresult Result> CUresult initGives(unsigned) { return Result; }

} // namespace

TEST(CudaDevice, HasTheTraitsOfTheDriversDevice) {
  EmulatedDevice d;
  const DeviceTraits &traits = d.device->traits();
  EXPECT_EQ(traits.name, "DLM emulator (sm_80)");
  EXPECT_EQ(traits.major, 8);
  EXPECT_EQ(traits.minor, 0);
  EXPECT_EQ(traits.totalBytes, uint64_t(4) << 30);
  EXPECT_GT(traits.multiprocessors, 0);
  EXPECT_GE(traits.driverVersion, DriverVersionMin);
  EXPECT_EQ(d.device->loadedImage(), "emulator");
  EXPECT_TRUE(has(CudaDevice::open(d.table, 3).status().message(), "there is no device 3"));
}

TEST(CudaDevice, CopiesAndFills) {
  EmulatedDevice d;
  std::unique_ptr<Stream> stream = d.device->makeStream().take();
  DeviceMemory memory = d.device->allocate(64, "a test").take();
  DeviceMemory other = d.device->allocate(64, "a test").take();
  EXPECT_EQ(memory.address() % 256, 0u);
  PinnedMemory host = d.device->allocatePinned(64, "a test").take();
  EXPECT_OK(stream->copyToHost(host.data(), memory.address(), 64));
  EXPECT_OK(stream->synchronize());
  EXPECT_EQ(std::vector<uint8_t>(host.data(), host.data() + 64), std::vector<uint8_t>(64, 0));
  // Every start and every length of a pattern.
  for (uint32_t pattern : {0x04030201u, 0x11111111u})
    for (uint64_t begin = 0; begin < 5; ++begin)
      for (uint64_t length = 0; length < 14; ++length) {
        EXPECT_OK(stream->fill(memory.address(), 0, 64));
        EXPECT_OK(stream->fill(memory.address() + begin, pattern, length));
        EXPECT_OK(stream->copy(other.address(), memory.address(), 64));
        EXPECT_OK(stream->copyToHost(host.data(), other.address(), 64));
        EXPECT_OK(stream->synchronize());
        for (uint64_t i = 0; i < 64; ++i) {
          bool inside = i >= begin && i < begin + length;
          EXPECT_EQ(host.data()[i], inside ? uint8_t(pattern >> (i - begin) % 4 * 8) : 0);
        }
      }
  for (uint8_t i = 0; i < 64; ++i)
    host.data()[i] = i;
  EXPECT_OK(stream->copyToDevice(memory.address(), host.data(), 64));
  EXPECT_OK(stream->synchronize());
  EXPECT_OK(stream->copyToHost(host.data() + 1, memory.address(), 63));
  EXPECT_OK(stream->synchronize());
  EXPECT_EQ(host.data()[1], 0);
  EXPECT_EQ(host.data()[63], 62);
}

TEST(CudaDevice, MemoryIsGivenBack) {
  EmulatedDevice d;
  uint64_t before = *d.device->freeBytes();
  {
    DeviceMemory a = d.device->allocate(1000, "a test").take();
    DeviceMemory b = std::move(a);
    EXPECT_EQ(a.address(), 0u);
    EXPECT_LT(*d.device->freeBytes(), before);
    EXPECT_EQ(b.sizeBytes(), 1000u);
    EXPECT_EQ(d.device->allocate(0, "nothing")->address(), 0u);
  }
  EXPECT_EQ(*d.device->freeBytes(), before);
}

TEST(CudaDevice, SaysWhatDidNotFit) {
  emulator::DriverOptions options;
  options.totalBytes = 100 << 20;
  EmulatedDevice d(options);
  Expected<DeviceMemory> memory = d.device->allocate(1234567890, "parameters");
  ASSERT_FALSE(memory.isOk());
  EXPECT_EQ(memory.status().code(), Code::NoSpace);
  std::string message = memory.status().message();
  EXPECT_TRUE(has(message, "device 0 (DLM emulator (sm_80)) has too little memory"));
  EXPECT_TRUE(has(message, "planned 1,235 MB for parameters"));
  EXPECT_TRUE(has(message, "of 105 MB are free"));
  EXPECT_TRUE(has(message, "micro-batch"));
}

TEST(CudaDevice, LoadsTheBestImage) {
  // Which are tried, on a device of 8.6.
  static std::vector<std::string> tried;
  DriverTable table = *emulator::openEmulatedDriver({{}, 4 << 20, true, 8, 6});
  table.moduleLoadDataEx = [](CUmodule *, const void *image, unsigned, int *, void **) {
    tried.push_back(static_cast<const char *>(image));
    return ErrorNoBinaryForGpu;
  };
  std::unique_ptr<CudaDevice> device = CudaDevice::open(table).take();
  std::vector<DeviceImage> images;
  for (const char *name : {"emulator", "ptx", "sm_75", "sm_80", "sm_86", "sm_89", "sm_80a",
                           "sm_86a", "sm_90", "sm_100", "sm_"})
    images.push_back({name, reinterpret_cast<const uint8_t *>(name), std::strlen(name)});
  Status refused = device->load(images);
  EXPECT_EQ(tried,
            (std::vector<std::string>{"sm_86a", "sm_86", "sm_80", "ptx", "emulator", "sm_"}));
  EXPECT_EQ(refused.code(), Code::Unsupported);
  EXPECT_TRUE(has(refused.message(), "sm_86, driver for CUDA 13.0, takes none"));
  EXPECT_TRUE(has(refused.message(), "--target=cuda:sm_86"));
  EXPECT_TRUE(has(refused.message(), "ptx: CUDA_ERROR_NO_BINARY_FOR_GPU"));
  EXPECT_TRUE(has(device->load({}).message(), "no device code"));
}

TEST(CudaDevice, LoadsTheEmulatorsImageWhereNothingElseFits) {
  emulator::openEmulatedDriver({});
  std::unique_ptr<CudaDevice> device = CudaDevice::open(*emulator::openEmulatedDriver({})).take();
  std::vector<uint8_t> cubin = fakeCubin(), ptx = bytesOf("\n// PTX\n.version 7.0\n"),
                       image = sampleImage();
  EXPECT_OK(device->load({imageOf("sm_80", cubin), imageOf("sm_90", cubin), imageOf("ptx", ptx),
                          imageOf("emulator", image)}));
  EXPECT_EQ(device->loadedImage(), "emulator");
  Expected<CUfunction> missing = device->findFunction("absent");
  EXPECT_EQ(missing.status().code(), Code::NotFound);
  EXPECT_TRUE(has(missing.status().message(), "has no function `absent`"));
}

TEST(CudaDevice, RefusesImagesOfNoUse) {
  struct {
    std::vector<uint8_t> bytes;
    std::string expected;
  } cases[] = {
      {fakeCubin(), "NO_BINARY_FOR_GPU"},
      {bytesOf(".version 8.0"), "NO_BINARY_FOR_GPU"},
      {bytesOf("garbage"), "INVALID_IMAGE"},
      {bytesOf(""), "INVALID_IMAGE"},
      {bytesOf("\177ELF\2\1\1"), "INVALID_IMAGE"},
      {readFileBytes(DLM_SAMPLE_OLD_IMAGE).take(), "INVALID_IMAGE"}, // another interface
      {readFileBytes(DLM_SAMPLE_KERNELS).take(), "INVALID_IMAGE"},   // holds no device code
      {{}, "INVALID_IMAGE"},
      {{1}, "INVALID_IMAGE"},
      {firstOf(sampleImage(), 20), "emulator: it is cut off"},
      {firstOf(sampleImage(), 64), "emulator: it is cut off"},
      {firstOf(sampleImage(), 5000), "emulator: it is cut off"},
  };
  for (auto &[bytes, expected] : cases) {
    std::unique_ptr<CudaDevice> device = CudaDevice::open(*emulator::openEmulatedDriver({})).take();
    Status status = device->load({imageOf("emulator", bytes)});
    EXPECT_TRUE(has(status.message(), expected));
    bool isDamaged = expected != "NO_BINARY_FOR_GPU";
    EXPECT_EQ(status.code(), isDamaged ? Code::Corrupt : Code::Unsupported);
    EXPECT_EQ(has(status.message(), "the program is damaged: compile it again"), isDamaged);
  }
}

TEST(CudaDevice, PassesOnWhatThePtxCompilerSays) {
  DriverTable table = *emulator::openEmulatedDriver({});
  table.moduleLoadDataEx = [](CUmodule *, const void *, unsigned count, int *options,
                              void **values) -> CUresult {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == JitErrorLogBuffer) std::strcpy(static_cast<char *>(values[i]), "line 7");
    return ErrorUnsupportedPtxVersion;
  };
  std::unique_ptr<CudaDevice> device = CudaDevice::open(table).take();
  std::vector<uint8_t> ptx = bytesOf(".version 99");
  std::string message = device->load({imageOf("ptx", ptx)}).message();
  EXPECT_TRUE(has(message, "line 7"));
  EXPECT_TRUE(has(message, "a newer driver reads it"));
}

TEST(CudaDevice, SaysWhenAnotherProcessHasTheGpu) {
  DriverTable table = *emulator::openEmulatedDriver({});
  table.primaryCtxRetain = [](CUcontext *, CUdevice) -> CUresult { return ErrorDeviceUnavailable; };
  EXPECT_TRUE(has(CudaDevice::open(table).status().message(), "another process has the GPU"));
}

TEST(CudaDevice, SaysWhenTheDriverCannotCompilePtx) {
  DriverTable table = *emulator::openEmulatedDriver({});
  table.moduleLoadDataEx = [](CUmodule *, const void *, unsigned, int *, void **) -> CUresult {
    return ErrorJitCompilerNotFound;
  };
  std::unique_ptr<CudaDevice> device = CudaDevice::open(table).take();
  std::vector<uint8_t> ptx = bytesOf(".version 7.0");
  Status status = device->load({imageOf("ptx", ptx)});
  EXPECT_TRUE(has(status.message(), "the driver cannot compile PTX here"));
}

namespace {

/// One function of the driver fails; what was asked must be in the message.
struct Injection {
  const char *expected;
  void (*inject)(DriverTable &table);
  Status (*operation)(EmulatedDevice &d);
};

Status statusOf(const Status &status) { return status; }
template <class T> Status statusOf(const Expected<T> &expected) { return expected.status(); }

std::unique_ptr<Stream> streamOf(EmulatedDevice &d) { return d.device->makeStream().take(); }

#define DLM_FAIL(name)                                                                             \
  [](DriverTable &table) { table.name = [](auto...) -> CUresult { return ErrorIllegalAddress; }; }
#define DLM_DO(expression) [](EmulatedDevice &d) { return statusOf(expression); }

const Injection injections[] = {
    {"allocating 16 bytes for x", DLM_FAIL(memAlloc), DLM_DO(d.device->allocate(16, "x"))},
    {"zeroing x: ", DLM_FAIL(memsetD8Async), DLM_DO(d.device->allocate(16, "x"))},
    {"zeroing x: ", DLM_FAIL(streamSynchronize), DLM_DO(d.device->allocate(16, "x"))},
    {"allocating 16 bytes of host memory for x", DLM_FAIL(memHostAlloc),
     DLM_DO(d.device->allocatePinned(16, "x"))},
    {"reading the free memory", DLM_FAIL(memGetInfo), DLM_DO(d.device->freeBytes())},
    {"making a stream", DLM_FAIL(streamCreate), DLM_DO(d.device->makeStream())},
    {"making an event", DLM_FAIL(eventCreate), DLM_DO(d.device->makeEvent())},
    {"waiting", DLM_FAIL(ctxSynchronize), DLM_DO(d.device->synchronize())},
    {"entering the context", DLM_FAIL(ctxSetCurrent), DLM_DO(d.device->makeCurrent())},
    {"looking for the function `f`", DLM_FAIL(moduleGetFunction),
     DLM_DO(d.device->findFunction("f"))},
    {"copying 8 bytes to the device", DLM_FAIL(memcpyHtoDAsync),
     DLM_DO(streamOf(d)->copyToDevice(256, &d, 8))},
    {"copying 8 bytes from the device", DLM_FAIL(memcpyDtoHAsync),
     DLM_DO(streamOf(d)->copyToHost(&d, 256, 8))},
    {"copying 8 bytes within the device", DLM_FAIL(memcpyDtoDAsync),
     DLM_DO(streamOf(d)->copy(256, 512, 8))},
    {"filling 8 bytes", DLM_FAIL(memsetD32Async), DLM_DO(streamOf(d)->fill(256, 1, 8))},
    {"launching `f` with 2 blocks of 64 threads", DLM_FAIL(launchKernel),
     DLM_DO(streamOf(d)->launch(nullptr, "f", 2, 64, nullptr))},
    {"waiting for a stream", DLM_FAIL(streamSynchronize), DLM_DO(streamOf(d)->synchronize())},
    {"beginning to capture", DLM_FAIL(streamBeginCapture), DLM_DO(streamOf(d)->beginCapture())},
    {"capturing a graph", DLM_FAIL(streamEndCapture), DLM_DO(streamOf(d)->endCapture())},
    {"recording an event", DLM_FAIL(eventRecord),
     DLM_DO(streamOf(d)->record(*d.device->makeEvent().take()))},
    {"letting a stream wait", DLM_FAIL(streamWaitEvent),
     DLM_DO(streamOf(d)->waitFor(*d.device->makeEvent().take()))},
    {"waiting for an event", DLM_FAIL(eventSynchronize),
     DLM_DO(d.device->makeEvent().take()->synchronize())},
    {"asking for an event", DLM_FAIL(eventQuery),
     DLM_DO(d.device->makeEvent().take()->hasHappened())},
    {"reading the time between two events", DLM_FAIL(eventElapsedTime),
     DLM_DO(d.device->makeEvent().take()->msSince(*d.device->makeEvent().take()))},
};

} // namespace

TEST(CudaDevice, EachFailureSaysWhatWasAskedOfWhichDevice) {
  for (const Injection &injection : injections) {
    SCOPED_TRACE(injection.expected);
    EmulatedDevice d;
    injection.inject(d.table);
    Status status = injection.operation(d);
    EXPECT_FALSE(status.isOk());
    EXPECT_TRUE(has(status.message(), injection.expected));
    EXPECT_TRUE(has(status.message(), "device 0 (DLM emulator (sm_80))"));
    EXPECT_TRUE(has(status.message(), "CUDA_ERROR_ILLEGAL_ADDRESS (error 700): an illegal"));
    EXPECT_TRUE(has(status.message(), "--emulate=check"));
  }
}

TEST(CudaDevice, OpeningFailsWithAReason) {
  struct {
    const char *expected;
    void (*inject)(DriverTable &table);
  } cases[] = {
      {"counting devices", DLM_FAIL(deviceGetCount)},
      {"opening", DLM_FAIL(deviceGet)},
      {"reading the name", DLM_FAIL(deviceGetName)},
      {"reading attributes", DLM_FAIL(deviceGetAttribute)},
      {"reading the size of the memory", DLM_FAIL(deviceTotalMem)},
      {"reading the driver's version", DLM_FAIL(driverGetVersion)},
      {"opening", DLM_FAIL(primaryCtxRetain)},
      {"entering the context", DLM_FAIL(ctxSetCurrent)},
  };
  for (auto &[expected, inject] : cases) {
    DriverTable table = *emulator::openEmulatedDriver({});
    inject(table);
    Expected<std::unique_ptr<CudaDevice>> device = CudaDevice::open(table);
    ASSERT_FALSE(device.isOk());
    EXPECT_TRUE(has(device.status().message(), expected));
    EXPECT_TRUE(has(device.status().message(), "ILLEGAL_ADDRESS"));
  }
}

TEST(StartDriver, FillsTheTable) { EXPECT_EQ(FakeDriver().failure(), ""); }

TEST(StartDriver, SaysWhatIsWrongWithADriver) {
  FakeDriver stub;
  stub.replace("cuInit", initGives<ErrorStubLibrary>);
  EXPECT_TRUE(has(stub.failure(), "libfake.so is the stub library of a CUDA toolkit"));

  FakeDriver noDevice;
  noDevice.replace("cuInit", initGives<ErrorNoDevice>);
  EXPECT_TRUE(has(noDevice.failure(), "finds no GPU"));
  EXPECT_TRUE(has(noDevice.failure(), "--emulate"));

  FakeDriver mismatch;
  mismatch.replace("cuInit", initGives<ErrorSystemDriverMismatch>);
  EXPECT_TRUE(has(mismatch.failure(), "restart the machine"));

  FakeDriver strange;
  strange.replace("cuInit", initGives<999>);
  EXPECT_TRUE(has(strange.failure(), "error 999"));

  FakeDriver old;
  old.replace("cuDriverGetVersion", +[](int *version) -> CUresult { return *version = 11080, 0; });
  old.symbols.erase("cuGraphInstantiateWithFlags");
  EXPECT_TRUE(has(old.failure(), "is for CUDA 11.8; this program needs at least 12.0"));

  FakeDriver incomplete;
  incomplete.symbols.erase("cuGraphLaunch");
  EXPECT_TRUE(has(incomplete.failure(), "CUDA 13.0) has no `cuGraphLaunch`"));

  FakeDriver nothing;
  nothing.symbols.clear();
  EXPECT_TRUE(has(nothing.failure(), "libfake.so is not a CUDA driver"));

  FakeDriver none;
  none.replace("cuDeviceGetCount", +[](int *count) -> CUresult { return *count = 0, 0; });
  EXPECT_TRUE(has(none.failure(), "finds no GPU"));
}

TEST(OpenMachineDriver, SaysThatThereIsNone) {
  Expected<const DriverTable *> driver = openMachineDriver();
  if (driver) { // this machine has a GPU
    EXPECT_EQ((*driver)->origin, "libcuda.so.1");
    EXPECT_EQ(*openMachineDriver(), *driver);
    return;
  }
  EXPECT_EQ(driver.status().code(), Code::Unsupported);
  EXPECT_TRUE(has(driver.status().message(), "libcuda.so.1"));
  EXPECT_TRUE(has(driver.status().message(), "compile with --emulate to run without a GPU"));
}

TEST(OpenMachineDriver, SaysWhatIsWrongWithThePath) {
  namespace fs = std::filesystem;
  fs::path folder = fs::temp_directory_path() / ("dlm-driver-" + std::to_string(getpid()));
  fs::create_directories(folder / "empty");
  std::ofstream(folder / "text") << "no library";
  auto failureOf = [](const std::string &path) {
    return openMachineDriver(path).status().message();
  };
  EXPECT_TRUE(has(failureOf((folder / "absent").string()), "absent, which does not exist"));
  EXPECT_TRUE(has(failureOf((folder / "text").string()), "but this is no driver"));
  EXPECT_TRUE(has(failureOf((folder / "empty").string()), "empty/libcuda.so.1"));
  EXPECT_TRUE(has(failureOf(DLM_SAMPLE_KERNELS), "is not a CUDA driver (it has no `cuInit`)"));
  EXPECT_TRUE(has(failureOf("/dev/zero"), "/dev/zero, which is no file"));
  fs::path before = fs::current_path();
  fs::current_path(folder); // a name without a folder is that of a file here
  fs::copy_file(DLM_SAMPLE_KERNELS, folder / "here.so");
  EXPECT_TRUE(has(failureOf("here.so"), "here.so is not a CUDA driver"));
  fs::current_path(before);
  fs::remove_all(folder);
}
