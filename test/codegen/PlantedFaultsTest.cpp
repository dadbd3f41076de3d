// Faults planted in a kernel that is right: a checked run names each, with the check that found it;
// what an unchecked run shows of it depends on the order in which threads run.
//
// The kernel does what a softmax does with shared memory: a block of 256 threads takes a row, finds
// its maximum, then a sum that needs the maximum, then divides by the sum. Each reduction goes by
// shuffles within a warp and by eight partial results in shared memory across warps. Barrier 0
// stands between storing and reading the maxima, barrier 1 before the sums take their places,
// barrier 2 between storing and reading the sums.
#include "test/codegen/FaultTrial.h"

#include <algorithm>
#include <gtest/gtest.h>

using dlm::emulator::Fault;
using dlm::emulator::Order;

namespace {

constexpr uint32_t Rows = 3, Columns = 600, Threads = 256;

/// A loop over the thread's elements of the row: `%NAME` folds `fold`, which makes `%NAMEnext` of
/// `%NAME` and of the element `%NAMEv`.
std::string makeLoop(const std::string &name, const std::string &from, const std::string &start,
                     const std::string &fold) {
  std::string n = "%" + name;
  return "  br label " + n + "head\n" + name + "head:\n  " + n + "i = phi i64 [%tid64, " + from +
         "], [" + n + "inext, " + n + "body]\n  " + n + " = phi float [" + start + ", " + from +
         "], [" + n + "next, " + n + "body]\n  " + n + "c = icmp ult i64 " + n + "i, %n\n  br i1 " +
         n + "c, label " + n + "body, label " + n + "done\n" + name + "body:\n  " + n +
         "p = getelementptr float, ptr addrspace(1) %xrow, i64 " + n + "i\n  " + n +
         "v = load float, ptr addrspace(1) " + n + "p\n" + fold + "\n  " + n + "inext = add i64 " +
         n + "i, 256\n  br label " + n + "head\n" + name + "done:\n";
}

/// Folds `%NAME` of all threads into `%NAMEall`; ends in the block `%NAMEread`. `barrier` stands
/// before the partial results are read.
std::string makeBlockFold(const std::string &name, const std::string &fold) {
  std::string n = "%" + name, text, last = n;
  for (int step = 0, distance = 16; distance; ++step, distance /= 2) {
    std::string other = n + "s" + std::to_string(step), mine = n + "f" + std::to_string(step);
    text += "  " + other + " = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float " + last +
            ", i32 " + std::to_string(distance) + ", i32 31)\n  " + mine + " = " + fold +
            "(float " + last + ", float " + other + ")\n";
    last = mine;
  }
  text += "  br i1 %first, label " + n + "store, label " + n + "wait\n" + name +
          "store:\n  store float " + last + ", ptr addrspace(3) %slot\n  br label " + n + "wait\n" +
          name + "wait:\n" +
          "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n  br label " + n + "read\n" +
          name + "read:\n";
  for (int warp = 0; warp < 8; ++warp) {
    std::string w = std::to_string(warp);
    text += "  " + n + "p" + w + " = getelementptr float, ptr addrspace(3) @part, i64 " + w +
            "\n  " + n + "l" + w + " = load float, ptr addrspace(3) " + n + "p" + w + "\n";
    if (warp)
      text += "  " + n + (warp == 7 ? "all" : "a" + w) + " = " + fold + "(float " + n +
              (warp == 1 ? "l0" : "a" + std::to_string(warp - 1)) + ", float " + n + "l" + w +
              ")\n";
  }
  return text;
}

std::string makeRowKernel() {
  return R"(
@part = internal addrspace(3) global [8 x float] undef, align 4
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)
declare float @llvm.maximum.f32(float, float)
declare float @llvm.nvvm.add.rn.f(float, float)
define ptx_kernel void @rows(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n)
    "nvvm.maxntid"="256" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %tid64 = zext i32 %tid to i64
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %first = icmp eq i32 %lane, 0
  %warp = lshr i64 %tid64, 5
  %row = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %row64 = zext i32 %row to i64
  %begin = mul i64 %row64, %n
  %xrow = getelementptr float, ptr addrspace(1) %x, i64 %begin
  %yrow = getelementptr float, ptr addrspace(1) %y, i64 %begin
  %slot = getelementptr float, ptr addrspace(3) @part, i64 %warp
)" +
         makeLoop("m", "%entry", "0xFFF0000000000000",
                  "  %mnext = call float @llvm.maximum.f32(float %m, float %mv)") +
         makeBlockFold("m", "call float @llvm.maximum.f32") +
         "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n" +
         makeLoop("s", "%mread", "0.0",
                  "  %d = fsub float %sv, %mall\n  %e = fmul float %d, %d\n"
                  "  %snext = fadd float %s, %e") +
         makeBlockFold("s", "call float @llvm.nvvm.add.rn.f") + makeLoop("w", "%sread", "0.0", R"(
  %wd = fsub float %wv, %mall
  %wnext = fdiv float %wd, %sall
  %q = getelementptr float, ptr addrspace(1) %yrow, i64 %wi
  store float %wnext, ptr addrspace(1) %q)") +
         "  ret void\n}\n";
}

std::vector<float> makeInput() {
  std::vector<float> values(Rows * Columns);
  for (size_t index = 0; index < values.size(); ++index)
    values[index] = float(int(index * 7919 % 1009) - 500) / 64;
  return values;
}

/// What the kernel should give: the same folds in the same order, on one thread.
std::vector<float> computeRows(const std::vector<float> &input) {
  std::vector<float> result(input.size());
  for (uint32_t row = 0; row < Rows; ++row) {
    const float *x = input.data() + row * Columns;
    float maximum = *std::max_element(x, x + Columns), sum = 0;
    std::vector<float> lanes(Threads, 0.0f);
    for (uint32_t column = 0; column < Columns; ++column) {
      float difference = x[column] - maximum;
      lanes[column % Threads] += difference * difference;
    }
    for (uint32_t warp = 0; warp < Threads; warp += 32) {
      for (uint32_t distance = 16; distance; distance /= 2)
        for (uint32_t lane = 0; lane < distance; ++lane)
          lanes[warp + lane] += lanes[warp + lane + distance];
      sum = warp ? sum + lanes[warp] : lanes[0];
    }
    for (uint32_t column = 0; column < Columns; ++column)
      result[row * Columns + column] = (x[column] - maximum) / sum;
  }
  return result;
}

FaultTrial makeRowTrial() {
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = parseDevice(*context, makeRowKernel());
  std::vector<float> input = makeInput(), expected = computeRows(input);
  auto run = [=](EmulatedDevice &device, LaunchSize size, Order order) {
    float *x = device.upload(input), *y = device.allocate<float>(input.size());
    bool hasEnded = device.launch("rows", size.grid, size.block,
                                  {asParameter(x), asParameter(y), Columns}, order);
    return hasEnded && std::equal(expected.begin(), expected.end(), y);
  };
  return FaultTrial(std::move(context), std::move(module), {Rows, Threads}, run);
}

TEST(PlantedFaults, TheKernelWithoutAFaultIsCleanAndRight) { makeRowTrial().expectCleanAndRight(); }

TEST(PlantedFaults, MissingBarrierBeforeARead) {
  FaultTrial trial = makeRowTrial();
  for (unsigned number : {0, 2}) {
    auto plant = [=](llvm::Module &module) { removeBarrier(module, "rows", number); };
    trial.expectNamed(plant, Fault::Race, "shared variable `part`");
    EXPECT_EQ(trial.ordersThatShow(plant), (Names{"sequential", "reverse", "random", "warp-skew"}));
  }
}

TEST(PlantedFaults, MissingBarrierBeforeAWriteAfterARead) {
  FaultTrial trial = makeRowTrial();
  auto plant = [](llvm::Module &module) { removeBarrier(module, "rows", 1); };
  trial.expectNamed(plant, Fault::Race, "shared variable `part`");
  // By luck the other orders let every warp read the maxima in time.
  EXPECT_EQ(trial.ordersThatShow(plant), Names{"warp-skew"});
}

TEST(PlantedFaults, BoundsOffByOne) {
  FaultTrial trial = makeRowTrial();
  for (unsigned loop : {0, 1, 2})
    trial.expectNamed([=](llvm::Module &module) { loosenBound(module, "rows", loop); },
                      Fault::OutOfBounds, "byte 7200 of allocation");
}

TEST(PlantedFaults, UninitialisedSharedMemory) {
  makeRowTrial().expectNamed([](llvm::Module &module) { removeSharedStore(module, "rows", 0); },
                             Fault::Uninitialised, "shared variable `part`");
}

TEST(PlantedFaults, RaceBetweenWarps) {
  makeRowTrial().expectNamed([](llvm::Module &module) { mergeSharedStore(module, "rows", 1, 1); },
                             Fault::Race, "shared variable `part`");
}

TEST(PlantedFaults, DivergentBarrier) {
  FaultTrial trial = makeRowTrial();
  for (unsigned number : {0, 1, 2})
    trial.expectNamed([=](llvm::Module &module) { guardBarrier(module, "rows", number, 128); },
                      Fault::DivergentBarrier, "barrier");
}

TEST(PlantedFaults, WrongLaunchSize) {
  FaultTrial trial = makeRowTrial();
  trial.expectNamed({Rows, 512}, Fault::LaunchSize, "512");
  trial.expectNamed({0, Threads}, Fault::LaunchSize, "grid");
  // Too few threads leave places that nobody writes; too many blocks run past the buffers.
  trial.expectNamed({Rows, 128}, Fault::Uninitialised, "shared variable `part`");
  trial.expectNamed({Rows + 1, Threads}, Fault::OutOfBounds, "allocation");
}

/// Copies groups of four floats by way of shared memory.
const char VectorCopy[] = R"(
@tile = internal addrspace(3) global [256 x float] undef, align 16
define ptx_kernel void @copy(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %p = getelementptr <4 x float>, ptr addrspace(1) %x, i64 %i
  %v = load <4 x float>, ptr addrspace(1) %p, align 16
  %s = getelementptr <4 x float>, ptr addrspace(3) @tile, i64 %i
  store <4 x float> %v, ptr addrspace(3) %s, align 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %j = sub i64 63, %i
  %o = getelementptr <4 x float>, ptr addrspace(3) @tile, i64 %j
  %w = load <4 x float>, ptr addrspace(3) %o, align 16
  %q = getelementptr <4 x float>, ptr addrspace(1) %y, i64 %i
  store <4 x float> %w, ptr addrspace(1) %q, align 16
  ret void
})";

/// The copy from `shift` elements past the beginning of a buffer.
FaultTrial makeCopyTrial(size_t shift) {
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = parseDevice(*context, VectorCopy);
  auto run = [=](EmulatedDevice &device, LaunchSize size, Order order) {
    std::vector<float> input(260);
    for (size_t index = 0; index < input.size(); ++index)
      input[index] = float(index);
    float *x = device.upload(input), *y = device.upload(input);
    bool isRight = device.launch("copy", size.grid, size.block,
                                 {asParameter(x + shift), asParameter(y)}, order);
    for (size_t index = 0; index < 256; ++index)
      isRight &= y[index] == input[(63 - index / 4) * 4 + index % 4 + shift];
    return isRight;
  };
  return FaultTrial(std::move(context), std::move(module), {1, 64}, run);
}

TEST(PlantedFaults, MisalignedVectorAccess) {
  makeCopyTrial(0).expectCleanAndRight();
  makeCopyTrial(1).expectNamed({1, 64}, Fault::Misaligned, "not a multiple of 16 bytes");
  makeCopyTrial(0).expectNamed([](llvm::Module &module) { lowerSharedAlignment(module, 4); },
                               Fault::Misaligned, "shared variable `tile`");
}

} // namespace
