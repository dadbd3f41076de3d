// Hand-made plans with C++ kernels through the executor, on 1, 2 and 3 workers.
#include "runtime/executor/Executor.h"
#include "runtime/abi/PlanVerify.h"
#include "runtime/base/FileBytes.h"
#include "runtime/executor/Observers.h"
#include "test/runtime/HandMadePlan.h"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <new>

using namespace dlm;
using namespace dlm::plan;
using dlm::test::HandMadePlan;

namespace {
std::atomic<int64_t> allocations{0};
} // namespace

// Counts every allocation of this program.
void *operator new(size_t size) {
  ++allocations;
  if (void *memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

namespace {

constexpr int64_t BlockElements = 2048;

/// out = a + b, blocks of 2048 elements.
void addKernel(const DlmCtx *ctx, void *const *buffers, int64_t begin, int64_t end) {
  const auto *a = static_cast<const float *>(buffers[0]);
  const auto *b = static_cast<const float *>(buffers[1]);
  auto *out = static_cast<float *>(buffers[2]);
  for (int64_t i = begin * BlockElements; i < end * BlockElements; ++i)
    out[i] = a[i] + b[i];
}

/// out = a * a + worker-independent scratch use.
void squareKernel(const DlmCtx *ctx, void *const *buffers, int64_t begin, int64_t end) {
  auto *scratch = static_cast<float *>(ctx->scratch);
  const auto *a = static_cast<const float *>(buffers[0]);
  auto *out = static_cast<float *>(buffers[1]);
  for (int64_t item = begin; item < end; ++item) {
    std::memcpy(scratch, a + item * BlockElements, BlockElements * sizeof(float));
    for (int64_t i = 0; i < BlockElements; ++i)
      out[item * BlockElements + i] = scratch[i] * scratch[i];
  }
}

/// counter += 1, and the extent must be what the launch says.
void countKernel(const DlmCtx *ctx, void *const *buffers, int64_t begin, int64_t end) {
  *static_cast<int32_t *>(buffers[0]) += int32_t(ctx->extent);
}

void logKernel(const DlmCtx *ctx, void *const *buffers, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i)
    static_cast<float *>(buffers[1])[i] = std::log(static_cast<const float *>(buffers[0])[i]);
}

KernelTable testKernels() {
  KernelTable table;
  table.add("add", addKernel);
  table.add("square", squareKernel);
  table.add("count", countKernel);
  table.add("log", logKernel);
  return table;
}

/// A plan, verified and open.
struct OpenPlan {
  std::vector<uint8_t> bytes;
  KernelTable kernels = testKernels();
  std::unique_ptr<Executor> executor;

  OpenPlan(const HandMadePlan &hand, unsigned workers, bool isMost = false) : bytes(hand.bytes()) {
    Expected<const Plan *> plan = loadPlan(bytes.data(), bytes.size());
    EXPECT_TRUE(plan) << plan.status().message();
    if (!plan) return;
    Expected<std::unique_ptr<Executor>> made = Executor::open(**plan, kernels, {workers, isMost});
    EXPECT_TRUE(made) << made.status().message();
    if (made) executor = made.take();
  }
  float *floats(const std::string &name) { return executor->find(name).as<float>(); }
};

/// y = (a + b)^2, then product = a[64,320] * b[320,64], through a transient buffer.
HandMadePlan arithmeticPlan(float grainCost) {
  HandMadePlan hand;
  int64_t count = 10 * BlockElements;
  uint32_t a = hand.addBuffer("a", DType::F32, {64, 320});
  uint32_t b = hand.addBuffer("b", DType::F32, {320, 64});
  uint32_t y = hand.addBuffer("y", DType::F32, {count});
  uint32_t product = hand.addBuffer("product", DType::F32, {64, 64});
  uint32_t sum = hand.addBuffer("", DType::F32, {count});
  uint32_t add = hand.addKernel("add", {false, false, true}, grainCost);
  uint32_t square = hand.addKernel("square", {false, true}, grainCost);
  hand.plan.kernels[square]->scratch_bytes = BlockElements * sizeof(float);
  HandMadePlan::Code &code = hand.addProgram("step").code;
  hand.addLaunch(code, add, 10, {a, b, sum});
  hand.addContract(code, {64, 64, 320, 0, 0, 1, 0}, a, b, product, false);
  hand.addLaunch(code, square, 10, {sum, y});
  return hand;
}

void fillInputs(OpenPlan &open) {
  for (int64_t i = 0; i < 10 * BlockElements; ++i) {
    open.floats("a")[i] = float(i % 17) - 8;
    open.floats("b")[i] = float(i % 23) / 7;
  }
}

} // namespace

TEST(Executor, RunsLaunchesAndContractionsOnAnyNumberOfWorkers) {
  std::vector<float> reference;
  for (unsigned workers : {1u, 2u, 3u}) {
    for (float grainCost : {0.0f, 1.0f, 100000.0f}) {
      OpenPlan open(arithmeticPlan(grainCost), workers);
      ASSERT_TRUE(open.executor);
      fillInputs(open);
      for (int run = 0; run < 20; ++run)
        open.executor->run(open.executor->findProgram("step"));
      for (int64_t i = 0; i < 10 * BlockElements; ++i) {
        float sum = open.floats("a")[i] + open.floats("b")[i];
        ASSERT_EQ(open.floats("y")[i], sum * sum) << i;
      }
      std::vector<float> product(open.floats("product"), open.floats("product") + 64 * 64);
      float acc = -0.0f;
      for (int p = 0; p < 320; ++p)
        acc = std::fma(open.floats("a")[5 * 320 + p], open.floats("b")[p * 64 + 7], acc);
      EXPECT_EQ(product[5 * 64 + 7], acc);
      if (reference.empty()) reference = product;
      EXPECT_EQ(product, reference);
    }
  }
}

/// Three launches of a counter, which cost next to nothing.
void addSmallProgram(HandMadePlan &hand) {
  uint32_t counter = hand.addBuffer("counter", DType::I32, {});
  uint32_t count = hand.addKernel("count", {true}, 1);
  HandMadePlan::Code &code = hand.addProgram("small").code;
  for (int i = 0; i < 3; ++i)
    hand.addLaunch(code, count, 1, {counter});
}

TEST(Executor, TakesOneWorkerWhereThereIsLittleToShare) {
  HandMadePlan hand;
  addSmallProgram(hand);
  OpenPlan most(hand, 3, true), given(hand, 3);
  ASSERT_TRUE(most.executor && given.executor);
  EXPECT_EQ(most.executor->workerCount(), 1u);
  EXPECT_EQ(given.executor->workerCount(), 3u);
  OpenPlan large(arithmeticPlan(100000), 3, true);
  EXPECT_EQ(large.executor->workerCount(), 3u);
}

/// A team waits for a large program; a small one beside it wakes nobody.
TEST(Executor, EachProgramHasItsOwnNumberOfWorkers) {
  HandMadePlan hand = arithmeticPlan(100000);
  addSmallProgram(hand);
  OpenPlan open(hand, 2, true);
  ASSERT_TRUE(open.executor);
  EXPECT_EQ(open.executor->workerCount(), 2u);
  EXPECT_FALSE(open.executor->programs()[0].isAlone);
  EXPECT_TRUE(open.executor->programs()[1].isAlone);
  fillInputs(open);
  for (int run = 0; run < 3; ++run)
    for (int program : {1, 0, 1})
      open.executor->run(program);
  EXPECT_EQ(*open.executor->find("counter").as<int32_t>(), 18);
  CheckObserver check; // meets all workers, also where one works
  EXPECT_TRUE(open.executor->run(1, check).isOk());
  TimingObserver timing(open.executor->programs()[1], 2);
  EXPECT_TRUE(open.executor->run(1, timing).isOk());
  EXPECT_GT(timing.instructionNs(0), 0);
}

TEST(Executor, ARunAllocatesNothing) {
  for (unsigned workers : {1u, 2u}) {
    OpenPlan open(arithmeticPlan(0), workers);
    ASSERT_TRUE(open.executor);
    open.executor->run(0);
    int64_t before = allocations;
    for (int run = 0; run < 100; ++run)
      open.executor->run(0);
    EXPECT_EQ(allocations - before, 0);
  }
}

TEST(Executor, SmallStepsInSequenceSeeEachOther) {
  HandMadePlan hand;
  uint32_t counter = hand.addBuffer("counter", DType::I32, {});
  uint32_t copy = hand.addBuffer("copy", DType::I32, {});
  uint32_t count = hand.addKernel("count", {true});
  HandMadePlan::Code &code = hand.addProgram("step").code;
  hand.addFill(code, counter, 5);
  for (int i = 0; i < 20; ++i)
    hand.addLaunch(code, count, 1, {counter});
  hand.addCopy(code, copy, counter);
  OpenPlan open(hand, 2);
  ASSERT_TRUE(open.executor);
  for (int run = 0; run < 50; ++run) {
    open.executor->run(0);
    ASSERT_EQ(*open.executor->find("copy").as<int32_t>(), 25);
  }
}

TEST(Executor, BigFillsAndCopiesAreShared) {
  HandMadePlan hand;
  uint32_t a = hand.addBuffer("a", DType::U8, {3000001});
  uint32_t b = hand.addBuffer("b", DType::U8, {3000001});
  HandMadePlan::Code &code = hand.addProgram("step").code;
  hand.addFill(code, a, 0x04030201);
  hand.addCopy(code, b, a);
  OpenPlan open(hand, 3);
  ASSERT_TRUE(open.executor);
  open.executor->run(0);
  const auto *bytes = open.executor->find("b").as<uint8_t>();
  for (int64_t i = 0; i < 3000001; ++i)
    ASSERT_EQ(bytes[i], i % 4 + 1) << i;
}

TEST(Executor, LoopsMoveTheirAddresses) {
  // table[outer][inner] = a whole block each; out block = table block squared.
  for (unsigned workers : {1u, 2u}) {
    HandMadePlan hand;
    uint32_t table = hand.addBuffer("table", DType::F32, {3, 4, BlockElements});
    uint32_t out = hand.addBuffer("out", DType::F32, {3, 4, BlockElements});
    uint32_t counter = hand.addBuffer("counter", DType::I32, {});
    uint32_t square = hand.addKernel("square", {false, true}, 5000);
    uint32_t count = hand.addKernel("count", {true});
    hand.plan.kernels[square]->scratch_bytes = BlockElements * sizeof(float);
    HandMadePlan::Code &code = hand.addProgram("step").code;
    hand.addFill(code, counter, 0);
    LoopT &outer = hand.addLoop(code, 3);
    LoopT &inner = hand.addLoop(outer.code, 4);
    InstructionT &launch = hand.addLaunch(inner.code, square, 1, {table, out});
    constexpr int64_t Block = BlockElements * sizeof(float);
    for (Ref &ref : launch.action.AsLaunch()->args)
      ref = Ref(ref.buffer(), 0, 4 * Block, Block);
    launch.action.AsLaunch()->arg_bytes = {Block, Block};
    hand.addLaunch(inner.code, count, 1, {counter}, false);
    hand.addLaunch(code, count, 1, {counter});
    OpenPlan open(hand, workers);
    ASSERT_TRUE(open.executor);
    for (int64_t i = 0; i < 12 * BlockElements; ++i)
      open.floats("table")[i] = float(i);
    open.executor->run(0);
    for (int64_t i = 0; i < 12 * BlockElements; ++i)
      ASSERT_EQ(open.floats("out")[i], float(i) * float(i));
    EXPECT_EQ(*open.executor->find("counter").as<int32_t>(), 13);
  }
}

TEST(Executor, MissingKernelIsNamedWithItsPlace) {
  HandMadePlan hand;
  uint32_t counter = hand.addBuffer("counter", DType::I32, {});
  hand.addLaunch(hand.addProgram("grad").code, hand.addKernel("absent", {true}), 1, {counter});
  std::vector<uint8_t> bytes = hand.bytes();
  KernelTable kernels;
  Status status = Executor::open(**loadPlan(bytes.data(), bytes.size()), kernels).status();
  EXPECT_NE(status.message().find("program `grad`, instruction 0: the kernel `absent` is missing"),
            std::string::npos)
      << status.message();
}

TEST(Executor, UnknownNamesGiveNothing) {
  OpenPlan open(arithmeticPlan(0), 1);
  EXPECT_FALSE(open.executor->find("nothing"));
  EXPECT_EQ(open.executor->findProgram("nothing"), -1);
  EXPECT_EQ(open.executor->find("a").elementCount(), 64 * 320);
  EXPECT_GT(open.executor->memoryBytes(), 10u * BlockElements * 4);
}

TEST(Observers, CheckNamesInstructionElementAndPlace) {
  HandMadePlan hand;
  uint32_t x = hand.addBuffer("x", DType::F32, {8});
  uint32_t y = hand.addBuffer("logits", DType::F32, {8});
  uint32_t log = hand.addKernel("log", {false, true});
  uint32_t place = hand.addLocation("mlp.dlm", 14, "head");
  hand.addLaunch(hand.addProgram("grad").code, log, 8, {x, y}).location = place;
  for (unsigned workers : {1u, 2u}) {
    OpenPlan open(hand, workers);
    ASSERT_TRUE(open.executor);
    std::fill_n(open.floats("x"), 8, 1.0f);
    CheckObserver check;
    EXPECT_TRUE(open.executor->run(0, check).isOk());
    open.floats("x")[3] = 0;
    Status status = open.executor->run(0, check);
    EXPECT_EQ(status.code(), Code::NotFinite);
    EXPECT_EQ(status.message(), "program `grad`, instruction 0 `log` (mlp.dlm:14, head): element 3 "
                                "of what it wrote to `logits` is -inf");
  }
}

TEST(Observers, TimingCountsEveryInstruction) {
  OpenPlan open(arithmeticPlan(0), 2);
  fillInputs(open);
  TimingObserver timing(open.executor->programs()[0], 2);
  ASSERT_TRUE(open.executor->run(0, timing).isOk());
  for (uint32_t i = 0; i < 3; ++i)
    EXPECT_GT(timing.instructionNs(i), 0);
}

TEST(Observers, DumpSeesWhatIsWrittenInOrder) {
  OpenPlan open(arithmeticPlan(0), 2);
  fillInputs(open);
  std::string order;
  DumpObserver dump([&](const DumpObserver::Written &written) {
    order += std::to_string(written.instruction) + ":" +
             (written.buffer.name() ? written.buffer.name()->str() : "") + " ";
    return Status::ok();
  });
  ASSERT_TRUE(open.executor->run(0, dump).isOk());
  EXPECT_EQ(order, "0: 1:product 2:y ");
  DumpObserver stop([](const DumpObserver::Written &) { return notFound("enough"); });
  EXPECT_EQ(open.executor->run(0, stop).message(), "enough");
}

TEST(Observers, PoisonReachesDeadMemoryOnly) {
  OpenPlan open(arithmeticPlan(0), 2);
  fillInputs(open);
  PoisonObserver poison(*open.executor, open.executor->programs()[0]);
  EXPECT_TRUE(std::isnan(*reinterpret_cast<float *>(open.executor->bufferAddress(4))));
  ASSERT_TRUE(open.executor->run(0, poison).isOk());
  EXPECT_TRUE(std::isnan(*reinterpret_cast<float *>(open.executor->bufferAddress(4))));
  float sum = open.floats("a")[9] + open.floats("b")[9];
  EXPECT_EQ(open.floats("y")[9], sum * sum);
}

TEST(KernelLibrary, OpensASharedObjectFromMemoryAsOftenAsWanted) {
  std::vector<uint8_t> bytes = readFileBytes(DLM_SAMPLE_KERNELS).take();
  std::vector<std::unique_ptr<KernelLibrary>> libraries;
  for (int i = 0; i < 3; ++i) {
    Expected<std::unique_ptr<KernelLibrary>> library =
        openKernelLibrary(bytes.data(), bytes.size());
    ASSERT_TRUE(library) << library.status().message();
    DlmKernel kernel = (*library)->find("sample_double");
    ASSERT_TRUE(kernel);
    EXPECT_EQ((*library)->find("absent"), nullptr);
    float in[3] = {1, 2, 3}, out[3] = {};
    void *buffers[] = {in, out};
    DlmCtx context{DlmAbiVersion, 0, 3, nullptr};
    kernel(&context, buffers, 0, 3);
    EXPECT_EQ(out[2], 6);
    for (const std::unique_ptr<KernelLibrary> &other : libraries)
      EXPECT_NE(other->find("sample_double"), kernel);
    libraries.push_back(library.take());
  }
}

TEST(KernelLibrary, BytesThatAreNoLibraryAreRefused) {
  std::vector<uint8_t> bytes(100, 7);
  Status status = openKernelLibrary(bytes.data(), bytes.size()).status();
  EXPECT_NE(status.message().find("opening the kernels"), std::string::npos) << status.message();
}

TEST(KernelLibrary, ALibraryThatIsCutOffIsRefused) {
  std::vector<uint8_t> bytes = readFileBytes(DLM_SAMPLE_KERNELS).take();
  for (size_t size : {size_t(64), size_t(100), size_t(4097), bytes.size() / 4}) {
    Status status = openKernelLibrary(bytes.data(), size).status();
    EXPECT_NE(status.message().find("opening the kernels: it is cut off"), std::string::npos)
        << size << ": " << status.message();
  }
}
