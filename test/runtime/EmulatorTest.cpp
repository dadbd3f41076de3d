// The emulator runs right code rightly: in every order, with blocks of every shape; it counts what
// the code touches and gives out memory as a device does.
#include "test/runtime/EmulatorKernels.h"

#include "runtime/base/Clock.h"
#include "runtime/device/emulator/MemoryState.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace dlm::emulator {
namespace {

/// Sums a block's values by halving in shared memory; twice, so that the tile is used again.
void sumByHalving(DlmEmuThread *thread, void *const *params) {
  auto *in = parameter<const float *>(params, 0);
  auto *out = parameter<float *>(params, 1);
  uint32_t me = thread->tid[0];
  float total = 0;
  for (int round = 0; round < 2; ++round) {
    store(thread, tile(thread) + me, load(thread, in + globalIndex(thread), LoadGlobal),
          StoreShared);
    barrier(thread);
    for (uint32_t half = 512; half > 0; half /= 2) {
      if (me < half && me + half < thread->ntid[0]) {
        float other = load(thread, tile(thread) + me + half, LoadShared);
        float own = load(thread, tile(thread) + me, LoadShared);
        store(thread, tile(thread) + me, own + other, StoreShared);
      }
      barrier(thread);
    }
    total += load(thread, tile(thread), LoadShared);
    barrier(thread, SecondBarrier);
  }
  if (me == 0) store(thread, out + thread->ctaid[0], total, StoreGlobal);
}

/// Sums by shuffles within warps, then over the warps' sums in shared memory.
void sumByShuffles(DlmEmuThread *thread, void *const *params) {
  auto *in = parameter<const float *>(params, 0);
  auto *out = parameter<float *>(params, 1);
  float value = load(thread, in + globalIndex(thread), LoadGlobal);
  uint32_t lanes = std::min(32u, thread->ntid[0] - thread->warp * 32);
  for (uint32_t by = 16; by > 0; by /= 2) {
    float other = shuffleDown(thread, value, by);
    if (thread->lane + by < lanes) value += other;
  }
  if (thread->lane == 0) store(thread, tile(thread) + thread->warp, value, StoreShared);
  barrier(thread);
  if (thread->tid[0] != 0) return;
  float total = 0;
  for (uint32_t warp = 0; warp < (thread->ntid[0] + 31) / 32; ++warp)
    total += load(thread, tile(thread) + warp, LoadShared);
  store(thread, out + thread->ctaid[0], total, StoreGlobal);
}

void addOne(DlmEmuThread *thread, void *const *params) {
  auto *values = parameter<float *>(params, 0) + globalIndex(thread);
  store(thread, values, load(thread, values, LoadGlobal) + 1, StoreGlobal);
}

/// Runs a sum in all orders, checked and not, and compares.
void expectSums(Kernel kernel, uint32_t grid, uint32_t block) {
  std::vector<float> values(grid * block);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = float(i % 13);
  for (Order order : Orders)
    for (bool isChecked : {false, true}) {
      Bench bench(isChecked);
      bench.options.order = order;
      float *in = bench.floats(values), *out = bench.emptyFloats(grid);
      float rounds = kernel == sumByHalving ? 2 : 1;
      ASSERT_TRUE(bench.run(kernel, grid, block, in, out));
      EXPECT_EQ(bench.faults(), "") << bench.report.findings[0].message;
      for (uint32_t i = 0; i < grid; ++i)
        ASSERT_EQ(out[i], rounds * std::accumulate(values.begin() + i * block,
                                                   values.begin() + (i + 1) * block, 0.0f))
            << "block " << i << ", order " << int(order);
    }
}

TEST(Emulator, ReducesInSharedMemoryInEveryOrder) {
  expectSums(sumByHalving, 3, 256);
  expectSums(sumByHalving, 2, 1024);
}

TEST(Emulator, ReducesByShufflesInEveryOrder) {
  expectSums(sumByShuffles, 5, 128);
  expectSums(sumByShuffles, 1, 1024);
}

TEST(Emulator, RunsBlocksThatDoNotFillTheirWarps) {
  for (uint32_t block : {1u, 31u, 33u, 48u, 1000u}) {
    expectSums(sumByHalving, 2, block);
    expectSums(sumByShuffles, 2, block);
  }
}

TEST(Emulator, RunsManyBlocksOverTheSameFibres) { expectSums(sumByShuffles, 200, 64); }

TEST(Emulator, RunsFunctionsThatWaitForNobodyInALoop) {
  for (Order order : Orders)
    for (bool isChecked : {false, true}) {
      Bench bench(isChecked);
      bench.options.order = order;
      bench.function.isCooperative = false;
      float *values = bench.floats(std::vector<float>(70 * 48, 2));
      ASSERT_TRUE(bench.run(addOne, 70, 48, values));
      EXPECT_EQ(bench.faults(), "");
      EXPECT_EQ(std::count(values, values + 70 * 48, 3.0f), 70 * 48);
      EXPECT_EQ(bench.counts().threads, 70u * 48);
    }
}

/// Appends the thread's number to a list; orders are to be seen there.
void recordOrder(DlmEmuThread *thread, void *const *params) {
  auto *list = parameter<std::vector<uint32_t> *>(params, 0);
  for (int turn = 0; turn < 2; ++turn) {
    list->push_back(globalIndex(thread));
    thread->api->syncWarp(thread, AllLanes, SyncSite);
  }
}

std::vector<uint32_t> orderOf(Order order, uint64_t seed, bool isCooperative = true) {
  Bench bench(false);
  bench.options = {order, seed};
  bench.function.isCooperative = isCooperative;
  std::vector<uint32_t> list;
  EXPECT_TRUE(bench.run(recordOrder, 2, 64, &list));
  EXPECT_EQ(list.size(), 256u);
  return list;
}

TEST(Emulator, FollowsTheOrder) {
  auto rising = orderOf(Order::Sequential, 1);
  EXPECT_TRUE(std::is_sorted(rising.begin(), rising.begin() + 32));
  EXPECT_EQ(rising[0], 0u);
  EXPECT_EQ(orderOf(Order::Reverse, 1)[0], 127u);
  EXPECT_EQ(orderOf(Order::Random, 5), orderOf(Order::Random, 5));
  EXPECT_NE(orderOf(Order::Random, 5), orderOf(Order::Random, 6));
  // In warp-skew the first 64 steps are the two turns of one warp.
  auto skewed = orderOf(Order::WarpSkew, 3);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(skewed[i] / 32, skewed[0] / 32) << i;
}

TEST(Emulator, LetsAWarpLeaveEarly) {
  Kernel kernel = [](DlmEmuThread *thread, void *const *params) {
    if (thread->warp == 1) return;
    float value = shuffleDown(thread, 1, 1);
    store(thread, parameter<float *>(params, 0) + thread->tid[0], value, StoreGlobal);
  };
  Bench bench;
  float *out = bench.emptyFloats(96);
  EXPECT_TRUE(bench.run(kernel, 1, 96, out));
  EXPECT_EQ(bench.faults(), "");
  EXPECT_EQ(out[95], 1.0f);
  EXPECT_NE(out[40], out[40]) << "stays poison";
}

TEST(Emulator, ShufflesAsPtxDoes) {
  // One lane's view of all modes: up stops at lane 0 of its half, idx stays within it.
  Kernel kernel = [](DlmEmuThread *thread, void *const *params) {
    auto *out = parameter<uint64_t *>(params, 0);
    const DlmEmuApi *api = thread->api;
    uint32_t lane = thread->lane, halves = 16u << 8;
    uint64_t results[] = {
        api->shuffle(thread, DlmEmuUp, AllLanes, lane, 3, halves, FirstShuffle),
        api->shuffle(thread, DlmEmuDown, AllLanes, lane, 3, halves | 31, FirstShuffle),
        api->shuffle(thread, DlmEmuXor, AllLanes, lane, 5, 31, FirstShuffle),
        api->shuffle(thread, DlmEmuIdx, AllLanes, lane, 2, halves | 31, FirstShuffle),
        api->ballot(thread, AllLanes, lane % 2, VoteSite)};
    std::copy(results, results + 5, out + lane * 5);
  };
  uint64_t got[32][5], there = uint64_t(1) << 32;
  Bench bench(false);
  ASSERT_TRUE(bench.run(kernel, 1, 32, &got[0][0]));
  for (uint64_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(got[lane][0], lane % 16 >= 3 ? there | (lane - 3) : lane) << lane;
    EXPECT_EQ(got[lane][1], lane % 16 < 13 ? there | (lane + 3) : lane) << lane;
    EXPECT_EQ(got[lane][2], there | (lane ^ 5)) << lane;
    EXPECT_EQ(got[lane][3], there | (lane / 16 * 16 + 2)) << lane;
    EXPECT_EQ(got[lane][4], 0xAAAAAAAAu) << lane;
  }
}

TEST(Emulator, PoisonsSharedMemoryForEachBlock) {
  Kernel kernel = [](DlmEmuThread *thread, void *const *params) {
    uint32_t bits;
    std::memcpy(&bits, thread->shared + 100, 4);
    parameter<uint32_t *>(params, 0)[thread->ctaid[0]] = bits;
    std::memset(thread->shared, 0, 4096);
  };
  uint32_t seen[3] = {};
  Bench bench(false);
  ASSERT_TRUE(bench.run(kernel, 3, 1, &seen[0]));
  for (uint32_t bits : seen)
    EXPECT_EQ(bits, 0xFFFFFFFFu);
}

TEST(Emulator, AlignsSharedMemoryNoBetterThanDeclared) {
  Kernel kernel = [](DlmEmuThread *thread, void *const *params) {
    *parameter<uintptr_t *>(params, 0) = reinterpret_cast<uintptr_t>(thread->shared);
  };
  for (uint32_t alignment : {4u, 16u, 128u}) {
    Bench bench(false);
    bench.shared.alignment = alignment;
    uintptr_t address = 0;
    ASSERT_TRUE(bench.run(kernel, 1, 1, &address));
    EXPECT_EQ(address % (2 * alignment), alignment);
  }
}

TEST(Emulator, CountsDistinctBytesOfEachLaunch) {
  Bench bench;
  float *values = bench.floats(std::vector<float>(256, 0));
  ASSERT_TRUE(bench.run(addOne, 2, 64, values)); // 128 floats
  ASSERT_TRUE(bench.run(addOne, 1, 32, values));
  EXPECT_EQ(bench.counts().launches, 2u);
  EXPECT_EQ(bench.counts().bytesRead, (128u + 32) * 4);
  EXPECT_EQ(bench.counts().bytesWritten, (128u + 32) * 4);
  // Each thread reads all; single bytes count as such; shared memory does not count.
  Kernel kernel = [](DlmEmuThread *thread, void *const *params) {
    auto *bytes = parameter<const uint8_t *>(params, 0);
    for (int i = 1; i < 8; ++i)
      store(thread, thread->shared + thread->tid[0], load(thread, bytes + i, LoadByte), StoreByte);
  };
  Bench other;
  float *some = other.floats(std::vector<float>(4, 0));
  ASSERT_TRUE(other.run(kernel, 3, 32, some));
  EXPECT_EQ(other.faults(), "");
  EXPECT_EQ(other.counts().bytesRead, 7u);
  EXPECT_EQ(other.counts().bytesWritten, 0u);
}

TEST(EmulatorMemory, IsPoisonedAtAnOddMultipleOf256) {
  Memory memory(1 << 20);
  auto *first = static_cast<uint8_t *>(memory.allocate(100));
  auto *second = static_cast<uint8_t *>(memory.allocate(1000));
  for (uint8_t *place : {first, second})
    EXPECT_EQ(reinterpret_cast<uintptr_t>(place) % 512, 256u);
  EXPECT_GE(second - first, 356);
  EXPECT_EQ(std::count(second, second + 1000, 0xFF), 1000);
  EXPECT_TRUE(memory.contains(second + 999, 1));
  EXPECT_FALSE(memory.contains(second + 999, 2));
  EXPECT_FALSE(memory.contains(first + 100, 1));
  second[5] = 1;
  EXPECT_TRUE(memory.release(second));
  EXPECT_EQ(second[5], 0xFF);
  EXPECT_FALSE(memory.contains(second, 1));
}

TEST(EmulatorMemory, KnowsOfACopyWhatItKnewBefore) {
  Kernel reads = [](DlmEmuThread *thread, void *const *params) {
    load(thread, parameter<const uint8_t *>(params, 0) + thread->tid[0], LoadByte);
  };
  for (int from : {0, 3})
    for (int to : {0, 5}) {
      Bench bench;
      auto *values = reinterpret_cast<uint8_t *>(bench.floats(std::vector<float>(32, 0)));
      auto *other = reinterpret_cast<uint8_t *>(bench.floats(std::vector<float>(32, 0)));
      EXPECT_TRUE(bench.memory.forget(values + 20, 17)); // 20 to 36
      EXPECT_EQ(values[36], 0xFF);
      EXPECT_EQ(values[37], 0);
      EXPECT_FALSE(bench.memory.forget(values + 120, 9));
      bench.memory.markCopied(other + to, values + from, 90);
      for (int at = 0; at < 90; ++at) {
        bench.report = {};
        ASSERT_TRUE(bench.run(reads, 1, 1, other + to + at));
        bool isKnown = from + at < 20 || from + at > 36;
        EXPECT_EQ(bench.faults(), isKnown ? "" : "uninitialised") << from << " " << to << " " << at;
      }
    }
}

TEST(EmulatorMemory, EndsAndIsGivenBack) {
  Memory memory(10000);
  EXPECT_EQ(memory.allocate(10001), nullptr);
  void *most = memory.allocate(9000);
  EXPECT_NE(most, nullptr);
  EXPECT_EQ(memory.freeBytes(), 1000u);
  EXPECT_EQ(memory.allocate(1001), nullptr);
  EXPECT_EQ(memory.allocate(0), nullptr);
  EXPECT_TRUE(memory.release(most));
  EXPECT_EQ(memory.freeBytes(), 10000u);
  EXPECT_EQ(memory.allocate(9000), most) << "the first hole is taken";
  EXPECT_EQ(Memory(uint64_t(1) << 60).allocate(1), nullptr);
}

TEST(EmulatorMemory, DoesNotReleaseWhatItHasNotGiven) {
  Memory memory(10000);
  auto *place = static_cast<uint8_t *>(memory.allocate(16));
  int other = 0;
  EXPECT_FALSE(memory.release(nullptr));
  EXPECT_FALSE(memory.release(&other));
  EXPECT_FALSE(memory.release(place + 1));
  EXPECT_TRUE(memory.release(place));
  EXPECT_FALSE(memory.release(place));
}

TEST(EmulatorMemory, TakesADeviceOfManyGibibytes) {
  // Only what is touched costs the machine anything, the shadow included.
  Bench bench(true, uint64_t(16) << 30);
  float *values = bench.floats(std::vector<float>(64, 0));
  ASSERT_NE(values, nullptr);
  ASSERT_TRUE(bench.run(addOne, 1, 64, values));
  EXPECT_EQ(bench.faults(), "");
}

TEST(EmulatorMemory, StartsPhasesAgainBeforeTheyRunOut) {
  Bench bench;
  float *values = bench.floats(std::vector<float>(64, 0));
  ASSERT_TRUE(bench.run(addOne, 1, 64, values));
  bench.memory.state().phase = 0xFFFF0000;
  ASSERT_TRUE(bench.run(addOne, 1, 64, values));
  EXPECT_LT(bench.memory.state().phase, 10u);
  EXPECT_EQ(bench.faults(), "");
  EXPECT_EQ(bench.counts().bytesRead, 2 * 64u * 4);
}

/// Not a test of time: prints what the emulator can do, for whoever sizes a run.
TEST(EmulatorSpeed, IsPrinted) {
  Kernel turns = [](DlmEmuThread *thread, void *const *) {
    for (int i = 0; i < 500; ++i)
      barrier(thread);
  };
  Kernel reads = [](DlmEmuThread *thread, void *const *params) {
    auto *values = parameter<float *>(params, 0);
    for (uint32_t i = 0; i < 1000; ++i)
      load(thread, values + (i * 256 + thread->tid[0]) % 65536, LoadGlobal);
  };
  Bench bench(false);
  int64_t start = threadCpuNs();
  ASSERT_TRUE(bench.run(turns, 4, 256));
  double perSwitch = double(threadCpuNs() - start) / (4 * 256 * 500 * 2);
  Bench checked;
  float *values = checked.floats(std::vector<float>(65536, 0));
  start = threadCpuNs();
  ASSERT_TRUE(checked.run(reads, 8, 256, values));
  double perRead = double(threadCpuNs() - start) / (8 * 256 * 1000);
  std::printf("a switch of fibres %.1f ns, a checked load %.1f ns\n", perSwitch, perRead);
}

} // namespace
} // namespace dlm::emulator
