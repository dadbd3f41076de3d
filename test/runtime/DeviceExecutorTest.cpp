// The hand-made network on the emulated device and on the processor: the same calls, the same bits,
// however late the emulator does things. Where a wait is taken away, the bits must differ.
#include "runtime/executor/DeviceExecutor.h"
#include "runtime/abi/PlanVerify.h"
#include "runtime/base/FileBytes.h"
#include "runtime/base/Philox.h"
#include "runtime/device/emulator/EmulatedDriver.h"
#include "runtime/executor/Executor.h"
#include "test/runtime/HandMadeMlp.h"

#include <cstring>
#include <gtest/gtest.h>
#include <set>

using namespace dlm;
using namespace dlm::test;

namespace {

#define DLM_TEST_CALL(name, symbol, parameters) Call_##name,
enum Call { DLM_CUDA_DRIVER(DLM_TEST_CALL) CallCount };
#undef DLM_TEST_CALL

int64_t callCounts[CallCount];

/// A function of the table that counts its calls.
template <int Index, class Function> struct Counted;
template <int Index, class... Arguments> struct Counted<Index, cuda::CUresult (*)(Arguments...)> {
  static inline cuda::CUresult (*real)(Arguments...) = nullptr;
  static cuda::CUresult call(Arguments... arguments) {
    ++callCounts[Index];
    return real(arguments...);
  }
};

cuda::DriverTable countingTable(const cuda::DriverTable &real) {
  cuda::DriverTable table = real;
#define DLM_TEST_WRAP(name, symbol, parameters)                                                    \
  Counted<Call_##name, decltype(table.name)>::real = real.name;                                    \
  table.name = &Counted<Call_##name, decltype(table.name)>::call;
  DLM_CUDA_DRIVER(DLM_TEST_WRAP)
#undef DLM_TEST_WRAP
  return table;
}

/// A plan, verified and open on the emulated device.
struct OnDevice {
  std::vector<uint8_t> bytes, image;
  cuda::DriverTable table;
  std::unique_ptr<cuda::CudaDevice> device;
  std::unique_ptr<DeviceExecutor> executor;
  Status failure;

  using Change = void (*)(cuda::DriverTable &);

  OnDevice(const HandMadePlan &hand, const emulator::DriverOptions &options,
           Change change = nullptr, const char *imagePath = DLM_MLP_PLAIN_IMAGE)
      : bytes(hand.bytes()), image(readFileBytes(imagePath).take()),
        table(countingTable(*emulator::openEmulatedDriver(options))) {
    if (change) change(table);
    device = cuda::CudaDevice::open(table).take();
    Status loaded = device->load({{"emulator", image.data(), image.size()}});
    EXPECT_TRUE(loaded.isOk()) << loaded.message();
    Expected<const plan::Plan *> plan = loadPlan(bytes.data(), bytes.size());
    EXPECT_TRUE(plan.isOk()) << plan.status().message();
    if (!loaded.isOk() || !plan) return;
    DeviceExecutorOptions watched;
    watched.memoryWatch = &emulator::memoryWatch();
    Expected<std::unique_ptr<DeviceExecutor>> opened =
        DeviceExecutor::open(**plan, *device, watched);
    failure = opened.status();
    if (opened) executor = opened.take();
  }
};

struct OnProcessor {
  std::vector<uint8_t> bytes;
  KernelTable kernels = mlpKernels();
  std::unique_ptr<Executor> executor;

  explicit OnProcessor(const HandMadePlan &hand) : bytes(hand.bytes()) {
    executor = Executor::open(**loadPlan(bytes.data(), bytes.size()), kernels).take();
  }
};

emulator::DriverOptions lazily(uint64_t seed) {
  emulator::DriverOptions options;
  options.launch.order = emulator::Order::Random;
  options.launch.seed = seed;
  return options;
}

HandMadePlan smallMlp() {
  MlpShape shape;
  shape.side = 4;
  shape.hidden = 8;
  shape.micro = 4;
  shape.evalBatch = 4;
  HandMadePlan made = makeMlpPlan(shape, "", "", 100, 0, 0);
  turnIntoDevicePlan(made);
  return made;
}

void ok(const Status &status) { ASSERT_TRUE(status.isOk()) << status.message(); }

/// All named buffers, by the host's view.
std::map<std::string, std::vector<uint8_t>> contents(const Engine &engine) {
  std::map<std::string, std::vector<uint8_t>> all;
  for (const plan::Buffer *buffer : *engine.plan().buffers()) {
    if (!buffer->name()) continue;
    BufferView view = engine.find(buffer->name()->str());
    auto *data = static_cast<const uint8_t *>(view.data);
    if (view && buffer->name()->str().rfind("batch.", 0) != 0)
      all[buffer->name()->str()].assign(data, data + view.sizeBytes);
  }
  return all;
}

/// Training as a session does it, with batches made up from the number of the step.
class Trainer {
public:
  explicit Trainer(Engine &engine) : engine(engine) {
    set<int64_t>("state.seed", 7);
    set<float>("option.lr", 0.05f);
    set<float>("batch.size", 8); // two micro-batches of 4
    ok(engine.push());
    ok(engine.start(engine.findProgram("init")));
    ok(engine.pull());
    std::vector<uint32_t> watched;
    for (const char *name : {"state.attempt", "state.ok", "report.loss", "report.grad_norm"})
      watched.push_back(engine.find(name).id);
    ok(engine.watch(watched));
  }

  void runSteps(int count) {
    for (int i = 0; i < count; ++i) {
      if (started - taken == engine.depth()) take();
      for (int micro = 0; micro < 2; ++micro) {
        ok(engine.stage());
        fill("batch.image", uint32_t(2 * started + micro));
        fill("batch.label", uint32_t(2 * started + micro));
        ok(engine.start(engine.findProgram("grad")));
      }
      ok(engine.start(engine.findProgram("update")));
      ok(engine.snapshot());
      ++started;
    }
  }

  void end() {
    while (taken < started)
      take();
    ok(engine.pull());
  }

  /// Of every step: attempt, applied, loss, norm.
  std::vector<std::vector<float>> reports;

private:
  template <class T> void set(const std::string &name, T value) {
    *static_cast<T *>(engine.find(name).data) = value;
  }

  void fill(const std::string &name, uint32_t batch) {
    BufferView view = engine.find(name);
    uint8_t *to = engine.stagedAddress(view.id);
    std::memset(to, 0xFF, view.sizeBytes); // whoever still reads the batch before gets this
    for (int64_t i = 0; i < view.elementCount(); ++i) {
      uint32_t bits = randomBits({3, batch, 1, uint64_t(i)});
      if (view.dtype == plan::DType::U8)
        to[i] = uint8_t(bits);
      else
        reinterpret_cast<int32_t *>(to)[i] = int32_t(bits % 10);
    }
  }

  void take() {
    ok(engine.takeSnapshot());
    ++taken;
    reports.push_back({float(*engine.find("state.attempt").as<int64_t>()),
                       float(*engine.find("state.ok").as<int32_t>()),
                       *engine.find("report.loss").as<float>(),
                       *engine.find("report.grad_norm").as<float>()});
  }

  Engine &engine;
  int64_t started = 0, taken = 0;
};

constexpr int Steps = 7;

TEST(DeviceExecutor, TrainsToTheProcessorsBitsInEveryOrder) {
  HandMadePlan made = smallMlp();
  OnProcessor processor(made);
  Trainer expected(*processor.executor);
  expected.runSteps(Steps);
  expected.end();
  EXPECT_EQ(expected.reports.back()[0], Steps);
  EXPECT_NE(expected.reports.back()[2], expected.reports.front()[2]);
  for (uint64_t seed = 1; seed <= 25; ++seed) {
    OnDevice device(made, lazily(seed));
    ASSERT_TRUE(device.executor) << device.failure.message();
    Trainer trainer(*device.executor);
    trainer.runSteps(Steps);
    trainer.end();
    EXPECT_EQ(trainer.reports, expected.reports) << "seed " << seed;
    EXPECT_EQ(contents(*device.executor), contents(*processor.executor)) << "seed " << seed;
  }
  EXPECT_TRUE(emulator::emulatorReport().isClean());
}

/// Over some seeds: how often the state after training differs from the processor's.
int countDifferences(OnDevice::Change change) {
  HandMadePlan made = smallMlp();
  OnProcessor processor(made);
  Trainer expected(*processor.executor);
  expected.runSteps(Steps);
  expected.end();
  int differences = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    OnDevice device(made, lazily(seed), change);
    Trainer trainer(*device.executor);
    trainer.runSteps(Steps);
    trainer.end();
    differences += contents(*device.executor)["params"] != contents(*processor.executor)["params"];
  }
  return differences;
}

TEST(DeviceExecutor, WaitsAreNeeded) {
  EXPECT_EQ(countDifferences([](cuda::DriverTable &) {}), 0);
  // The host does not wait for a slot of the ring.
  EXPECT_GT(countDifferences([](cuda::DriverTable &table) {
              table.eventSynchronize = [](cuda::CUevent) { return cuda::Success; };
            }),
            0);
  // Streams do not wait for each other.
  EXPECT_GT(countDifferences([](cuda::DriverTable &table) {
              table.streamWaitEvent = [](cuda::CUstream, cuda::CUevent, unsigned) {
                return cuda::Success;
              };
            }),
            0);
}

TEST(DeviceExecutor, TheStepLoopOnlyWaitsForEvents) {
  OnDevice device(smallMlp(), lazily(1));
  ASSERT_TRUE(device.executor) << device.failure.message();
  Trainer trainer(*device.executor);
  trainer.runSteps(4);
  std::memset(callCounts, 0, sizeof callCounts);
  trainer.runSteps(20);
  std::set<int> allowed = {Call_memcpyHtoDAsync, Call_memcpyDtoDAsync, Call_memcpyDtoHAsync,
                           Call_eventRecord,     Call_streamWaitEvent, Call_eventSynchronize,
                           Call_graphLaunch};
  for (int call = 0; call < CallCount; ++call)
    EXPECT_EQ(callCounts[call] > 0, allowed.count(call) > 0) << "call " << call;
  EXPECT_EQ(callCounts[Call_graphLaunch], 60);      // two micro-batches and an update
  EXPECT_EQ(callCounts[Call_eventSynchronize], 60); // a slot for each batch, a result
  trainer.end();
}

/// Loops with moving addresses, fills and copies of odd sizes.
HandMadePlan loopPlan() {
  constexpr int64_t Columns = 20;
  HandMadePlan hand;
  uint32_t pixels = hand.addBuffer("pixels", plan::DType::U8, {3, 4, Columns});
  uint32_t out = hand.addBuffer("out", plan::DType::F32, {3, 4, Columns});
  uint32_t odd = hand.addBuffer("odd", plan::DType::U8, {13});
  uint32_t copy = hand.addBuffer("copy", plan::DType::U8, {13});
  uint32_t scale = hand.addKernel("scale_image", {false, true});
  HandMadePlan::Code &code = hand.addProgram("step").code;
  plan::LoopT &inner = hand.addLoop(hand.addLoop(code, 3).code, 4);
  plan::LaunchT &launch = *hand.addLaunch(inner.code, scale, 1, {}).action.AsLaunch();
  launch.extent = Columns;
  launch.args = {plan::Ref(pixels, 0, 4 * Columns, Columns),
                 plan::Ref(out, 0, 16 * Columns, 4 * Columns)};
  launch.arg_bytes = {Columns, 4 * Columns};
  hand.addFill(code, odd, 0x04030201);
  hand.addCopy(code, copy, odd);
  hand.addProgram("nothing");
  return hand;
}

TEST(DeviceExecutor, UnrollsLoopsFillsAndCopies) {
  HandMadePlan made = loopPlan();
  OnProcessor processor(made);
  turnIntoDevicePlan(made);
  OnDevice device(made, lazily(3));
  ASSERT_TRUE(device.executor) << device.failure.message();
  for (Engine *engine : {static_cast<Engine *>(processor.executor.get()),
                         static_cast<Engine *>(device.executor.get())}) {
    for (int i = 0; i < 240; ++i)
      engine->find("pixels").as<uint8_t>()[i] = uint8_t(i);
    ok(engine->push());
    ok(engine->start(1));
    ok(engine->start(0));
    ok(engine->pull());
  }
  EXPECT_EQ(contents(*device.executor), contents(*processor.executor));
  EXPECT_EQ(device.executor->find("out").as<float>()[239], 239 / 255.0f);
  EXPECT_EQ(device.executor->find("copy").as<uint8_t>()[12], 1);
}

/// Two programs that use transient memory as the plan says, and their twins whose device code does
/// not write what the plan says: the first launch of `idle` does nothing, and in `reborn` the one
/// that should write a buffer where another has died.
HandMadePlan transientPlan() {
  HandMadePlan hand;
  uint32_t pixels = hand.addBuffer("pixels", plan::DType::U8, {1, 16});
  uint32_t out = hand.addBuffer("out", plan::DType::F32, {1, 16});
  uint32_t first = hand.addBuffer("", plan::DType::F32, {1, 16});
  uint32_t second = hand.addBufferAt("", plan::DType::F32, {1, 16}, 1, 0);
  hand.plan.buffers[first]->death = 1;
  hand.plan.buffers[second]->birth = 2;
  hand.plan.buffers[second]->death = 3;
  uint32_t scale = hand.addKernel("scale_image", {false, true});
  uint32_t add = hand.addKernel("bias_relu", {false, true});
  for (const char *name : {"short", "idle", "long", "reborn"}) {
    HandMadePlan::Code &code = hand.addProgram(name).code;
    bool isLong = *name == 'l' || *name == 'r';
    for (uint32_t buffer : {first, second}) {
      if (buffer == second && !isLong) continue;
      hand.addLaunch(code, scale, 1, {pixels, buffer}).action.AsLaunch()->extent = 16;
      hand.addLaunch(code, add, 1, {buffer, out}).action.AsLaunch()->extent = 16;
    }
  }
  turnIntoDevicePlan(hand);
  auto makeIdle = [](plan::InstructionT &instruction) {
    instruction.action.AsLaunch()->stages[0]->numbers = {16, /*items=*/0};
  };
  makeIdle(*hand.plan.programs[1]->code[0]);
  makeIdle(*hand.plan.programs[3]->code[2]);
  return hand;
}

TEST(DeviceExecutor, TransientMemoryIsForgotten) {
  auto findingsOf = [](std::vector<const char *> programs) {
    OnDevice device(transientPlan(), lazily(1), nullptr, DLM_MLP_CHECKED_IMAGE);
    EXPECT_TRUE(device.executor) << device.failure.message();
    if (!device.executor) return std::string();
    ok(device.executor->push());
    for (const char *name : programs)
      ok(device.executor->start(device.executor->findProgram(name)));
    ok(device.executor->pull());
    std::string names;
    for (const emulator::Finding &finding : emulator::emulatorReport().findings)
      names += std::string(emulator::faultName(finding.fault)) + " in " + finding.function;
    return names;
  };
  EXPECT_EQ(findingsOf({"short", "long", "short", "long"}), "");
  EXPECT_EQ(findingsOf({"idle"}), "uninitialised in bias_relu");
  EXPECT_EQ(findingsOf({"short", "long", "idle"}), "uninitialised in bias_relu");
  EXPECT_EQ(findingsOf({"reborn"}), "uninitialised in bias_relu");
}

TEST(DeviceExecutor, TimesEveryInstruction) {
  HandMadePlan made = loopPlan();
  turnIntoDevicePlan(made);
  OnDevice device(made, lazily(3));
  ASSERT_TRUE(device.executor) << device.failure.message();
  std::vector<double> sums;
  ok(device.executor->runTimed(0, sums));
  ASSERT_EQ(sums.size(), 5u); // loop, loop, launch, fill, copy
  EXPECT_GT(sums[2], 0);
  ok(device.executor->pull());
  EXPECT_EQ(device.executor->find("copy").as<uint8_t>()[12], 1);
  ok(device.executor->makeMarks(2));
  ok(device.executor->mark(0));
  ok(device.executor->start(0));
  ok(device.executor->mark(1));
  EXPECT_GE(*device.executor->msBetween(0, 1), 0);
}

TEST(DeviceExecutor, ShowsWhatOutlivesItsProgram) {
  OnDevice device(smallMlp(), lazily(1));
  ASSERT_TRUE(device.executor) << device.failure.message();
  EXPECT_TRUE(device.executor->find("grads"));
  EXPECT_FALSE(device.executor->find("nothing"));
  for (uint32_t id = 0; id < device.executor->plan().buffers()->size(); ++id) {
    const plan::Buffer &buffer = *device.executor->plan().buffers()->Get(id);
    EXPECT_EQ(device.executor->bufferAddress(id) != nullptr, buffer.persistent());
  }
  EXPECT_GT(device.executor->memoryBytes(), 4u * 4 * 8192);
}

TEST(DeviceExecutor, TooLittleMemoryIsToldWithWhatIsPlanned) {
  emulator::DriverOptions options = lazily(1);
  options.totalBytes = 40000;
  OnDevice device(smallMlp(), options);
  EXPECT_FALSE(device.executor);
  for (const char *text : {"parameters, the optimizer's state and counters", "planned", "free"})
    EXPECT_NE(device.failure.message().find(text), std::string::npos) << device.failure.message();
}

TEST(DeviceExecutor, AFunctionThatIsNotThereIsNamed) {
  HandMadePlan made = smallMlp();
  made.plan.functions[1]->symbol = "absent";
  OnDevice device(made, lazily(1));
  EXPECT_NE(device.failure.message().find("absent"), std::string::npos);
}

} // namespace
