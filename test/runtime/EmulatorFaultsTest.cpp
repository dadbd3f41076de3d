// Each kind of fault is found and named, and the right twin of each kernel is clean. Faults must
// show in every order: that is what the shadow is for.
#include "test/runtime/EmulatorKernels.h"

#include <gtest/gtest.h>

namespace dlm::emulator {
namespace {

/// The faults of a checked run, the same in all orders; `text` must stand in the first message.
template <class... Params>
void expectFaults(const std::string &faults, const std::string &text, Kernel kernel, uint32_t grid,
                  uint32_t block, bool ends = true) {
  for (Order order : Orders) {
    Bench bench;
    bench.options.order = order;
    float *values = bench.floats(std::vector<float>(512, 1));
    EXPECT_EQ(bench.run(kernel, grid, block, values), ends);
    EXPECT_EQ(bench.faults(), faults) << "order " << int(order);
    if (!bench.report.findings.empty())
      EXPECT_NE(bench.report.findings[0].message.find(text), std::string::npos)
          << bench.report.findings[0].message;
  }
}

float *valuesOf(void *const *params) { return parameter<float *>(params, 0); }

/// Hands values to the neighbour through shared memory, twice.
template <bool HasFirst, bool HasSecond> void handOver(DlmEmuThread *thread, void *const *) {
  uint32_t me = thread->tid[0], next = (me + 32) % thread->ntid[0];
  for (int i = 0; i < 2; ++i) {
    store(thread, tile(thread) + me, float(i), StoreShared);
    if (HasFirst) barrier(thread, FirstBarrier);
    load(thread, tile(thread) + next, LoadShared);
    if (HasSecond) barrier(thread, SecondBarrier);
  }
}

TEST(EmulatorFaults, PassesAKernelWithAllItsBarriers) {
  expectFaults("", "", handOver<true, true>, 2, 128);
}

TEST(EmulatorFaults, FindsAMissingBarrierBeforeARead) {
  for (Order order : Orders) {
    Bench bench;
    bench.options.order = order;
    ASSERT_TRUE(bench.run(handOver<false, true>, 1, 128));
    EXPECT_NE(bench.faults().find("race"), std::string::npos) << int(order);
  }
}

TEST(EmulatorFaults, FindsAMissingBarrierBeforeAWriteAfterARead) {
  expectFaults("race", "load float shared", handOver<true, false>, 1, 128);
}

/// Thread 32 reads what thread 0 writes again.
void writeTwice(DlmEmuThread *thread, void *const *) {
  if (thread->tid[0] == 0) store(thread, tile(thread) + 3, 1.0f, StoreShared);
  barrier(thread);
  if (thread->tid[0] == 32) load(thread, tile(thread) + 3, LoadShared);
  if (thread->tid[0] == 0) store(thread, tile(thread) + 3, 2.0f, StoreSharedAgain);
}

TEST(EmulatorFaults, NamesBothPartiesOfARace) {
  std::string kernel = "kernel `sample`, ", place = " 4 bytes at byte 12 of the shared variable "
                                                    "`tile` of 4096 bytes; ";
  std::string end = ", with no barrier between the two";
  Bench bench;
  ASSERT_TRUE(bench.run(writeTwice, 1, 64));
  ASSERT_EQ(bench.faults(), "race");
  EXPECT_EQ(bench.report.findings[0].message,
            kernel + "`load float shared`: thread 32 of block 0 loads" + place +
                "thread 0 of block 0 stores there too (`store float shared again`)" + end);
  Bench reversed;
  reversed.options.order = Order::Reverse;
  ASSERT_TRUE(reversed.run(writeTwice, 1, 64));
  ASSERT_EQ(reversed.faults(), "race");
  EXPECT_EQ(reversed.report.findings[0].message,
            kernel + "`store float shared again`: thread 0 of block 0 stores" + place +
                "thread 32 of block 0 loads there too (`load float shared`)" + end);
}

/// Lanes of one warp exchange through memory: a shuffle does not order them, `syncWarp` does.
template <bool HasSync, bool IsShared> void exchange(DlmEmuThread *thread, void *const *params) {
  float *place = IsShared ? tile(thread) : valuesOf(params);
  store(thread, place + thread->lane, 1.0f, IsShared ? StoreShared : StoreGlobal);
  if (HasSync)
    thread->api->syncWarp(thread, AllLanes, SyncSite);
  else
    shuffleDown(thread, 0, 1);
  load(thread, place + (thread->lane ^ 1), IsShared ? LoadShared : LoadGlobal);
}

TEST(EmulatorFaults, FindsARaceWithinAWarpThatOnlyShuffles) {
  expectFaults("race", "of block 0 stores there too", exchange<false, true>, 1, 32);
  expectFaults("race", "of block 0 stores there too", exchange<false, false>, 1, 32);
  expectFaults("", "", exchange<true, true>, 3, 32);
  expectFaults("", "", exchange<true, false>, 1, 32);
}

/// Only the lanes of the mask are ordered: 0 to 15 here.
template <uint32_t From> void exchangeInPart(DlmEmuThread *thread, void *const *) {
  if (thread->lane == 0) store(thread, tile(thread), 1.0f, StoreShared);
  if (thread->lane < 16) thread->api->syncWarp(thread, 0xFFFF, SyncSite);
  shuffleDown(thread, 0, 1);
  if (thread->lane == From) load(thread, tile(thread), LoadShared);
}

TEST(EmulatorFaults, OrdersOnlyTheLanesOfTheMask) {
  expectFaults("", "", exchangeInPart<15>, 1, 32);
  expectFaults("race", "thread 16 of block 0 loads", exchangeInPart<16>, 1, 32);
}

TEST(EmulatorFaults, FindsAWriteAfterReadsOfManyThreads) {
  // All read one word; then one of them writes, with or without a barrier between.
  Kernel wrong = [](DlmEmuThread *thread, void *const *params) {
    load(thread, valuesOf(params), LoadGlobal);
    if (thread->warp == 1)
      barrier(thread); // orders nothing for itself: warp 0 waits below
    else
      barrier(thread);
    load(thread, valuesOf(params), LoadGlobal);
    if (thread->tid[0] == 5) store(thread, valuesOf(params), 2.0f, StoreGlobal);
  };
  Kernel right = [](DlmEmuThread *thread, void *const *params) {
    load(thread, valuesOf(params), LoadGlobal);
    barrier(thread);
    if (thread->tid[0] == 5) store(thread, valuesOf(params), 2.0f, StoreGlobal);
  };
  expectFaults("race", "there too", wrong, 1, 64);
  expectFaults("race", "there too", wrong, 1, 32);
  expectFaults("", "", right, 1, 64);
  // Over blocks no barrier helps.
  expectFaults("race", "in the same launch", right, 2, 64);
}

TEST(EmulatorFaults, FindsARaceBetweenBlocks) {
  Kernel wrong = [](DlmEmuThread *thread, void *const *params) {
    store(thread, valuesOf(params) + thread->tid[0], 2.0f, StoreGlobal);
  };
  Kernel right = [](DlmEmuThread *thread, void *const *params) {
    store(thread, valuesOf(params) + globalIndex(thread), 2.0f, StoreGlobal);
  };
  expectFaults("race", "in the same launch", wrong, 2, 32);
  expectFaults("", "", right, 2, 32);
  // Two launches are ordered.
  Bench bench;
  float *values = bench.emptyFloats(32);
  ASSERT_TRUE(bench.run(wrong, 1, 32, values) && bench.run(wrong, 1, 32, values));
  EXPECT_EQ(bench.faults(), "");
}

TEST(EmulatorFaults, LetsAtomicsMeetAtomicsOnly) {
  Kernel right = [](DlmEmuThread *thread, void *const *params) {
    thread->api->access(thread, valuesOf(params), 4, UpdateGlobal);
  };
  Kernel wrong = [](DlmEmuThread *thread, void *const *params) {
    thread->api->access(thread, valuesOf(params), 4, UpdateGlobal);
    if (globalIndex(thread) == 40) load(thread, valuesOf(params), LoadGlobal);
  };
  // The plain write is ordered before the atomics of its own block only.
  Kernel early = [](DlmEmuThread *thread, void *const *params) {
    if (globalIndex(thread) == 0) store(thread, valuesOf(params), 0.0f, StoreGlobal);
    barrier(thread);
    thread->api->access(thread, valuesOf(params), 4, UpdateGlobal);
  };
  expectFaults("", "", right, 3, 64);
  expectFaults("race", "add float global", wrong, 1, 64);
  expectFaults("", "", early, 1, 64);
  expectFaults("race", "in the same launch", early, 2, 64);
}

TEST(EmulatorFaults, KnowsEachByteOfAWord) {
  // Four threads write the four bytes of a word: no race. Read as a word by the next: a race.
  Kernel right = [](DlmEmuThread *thread, void *const *params) {
    auto *bytes = reinterpret_cast<uint8_t *>(valuesOf(params)) + thread->tid[0];
    store<uint8_t>(thread, bytes, 1, StoreByte);
    store<uint8_t>(thread, bytes, load(thread, bytes, LoadByte), StoreByte);
  };
  Kernel wrong = [](DlmEmuThread *thread, void *const *params) {
    auto *bytes = reinterpret_cast<uint8_t *>(valuesOf(params));
    if (thread->tid[0] < 4) store<uint8_t>(thread, bytes + thread->tid[0], 1, StoreByte);
    if (thread->tid[0] == 4) load(thread, valuesOf(params), LoadGlobal);
  };
  expectFaults("", "", right, 1, 96);
  expectFaults("race", "there too", wrong, 1, 32);
}

TEST(EmulatorFaults, FindsAnIndexOneTooFar) {
  Kernel wrong = [](DlmEmuThread *thread, void *const *params) {
    uint32_t count = 512;
    for (uint32_t i = thread->tid[0]; i <= count; i += thread->ntid[0])
      store(thread, valuesOf(params) + i, 1.0f, StoreGlobal);
  };
  expectFaults("out-of-bounds", "at byte 2048 of allocation 1 of 2048 bytes", wrong, 1, 32);
}

TEST(EmulatorFaults, FindsWhatALaunchMayNotTouch) {
  // Three ranges side by side in one allocation: to read, to write, of somebody else.
  for (int first : {-1, 0, 1}) {
    Bench bench;
    float *values = bench.floats(std::vector<float>(96, 1));
    auto begin = reinterpret_cast<uintptr_t>(values);
    std::vector<AllowedRange> allowed = {{begin, 128, false}, {begin + 128, 128, true}};
    bench.options.allowed = &allowed;
    Kernel copies = [](DlmEmuThread *thread, void *const *params) {
      auto *from = parameter<float *>(params, 0) + thread->tid[0];
      store(thread, from + 32, load(thread, from, LoadGlobal), StoreGlobal);
    };
    ASSERT_TRUE(bench.run(copies, 1, 32, values + first));
    EXPECT_EQ(bench.faults(), first ? "out-of-bounds" : "");
    const char *text = first < 0
                           ? "byte 124 of range 0 of 128 bytes, which the launch may only read"
                           : "byte 256 of allocation 1 of 384 bytes, byte 128 of range 1";
    for (const Finding &finding : bench.report.findings)
      if (first > 0 || finding.site == StoreGlobal)
        EXPECT_NE(finding.message.find(text), std::string::npos) << finding.message;
    bench.report = {};
    bench.options.allowed = nullptr;
    ASSERT_TRUE(bench.run(copies, 1, 32, values + 1));
    EXPECT_EQ(bench.faults(), "") << "nobody says where the ranges lie";
  }
}

TEST(EmulatorFaults, FindsTheGapBetweenSharedVariables) {
  // Two variables of 64 bytes with a gap of 64.
  static const DlmEmuShared pair[] = {{"first", 0, 64, 16}, {"second", 128, 64, 16}};
  for (uint32_t index : {15u, 16u, 31u, 32u, 47u, 48u, 100u}) {
    Bench bench;
    bench.function.shared = pair;
    bench.function.sharedCount = 2;
    bench.function.sharedBytes = 192;
    Kernel kernel = [](DlmEmuThread *thread, void *const *params) {
      store(thread, tile(thread) + parameter<uint32_t>(params, 0), 1.0f, StoreShared);
    };
    ASSERT_TRUE(bench.run(kernel, 1, 1, index));
    bool isInside = index < 16 || (index >= 32 && index < 48);
    EXPECT_EQ(bench.faults(), isInside ? "" : "out-of-bounds") << index;
  }
}

TEST(EmulatorFaults, EndsALaunchThatWouldFault) {
  Kernel wild = [](DlmEmuThread *thread, void *const *) {
    load(thread, reinterpret_cast<float *>(uintptr_t(64)), LoadGlobal);
  };
  expectFaults("out-of-bounds", "outside the device's memory", wild, 4, 64, false);
  Kernel wrongSpace = [](DlmEmuThread *thread, void *const *) {
    store(thread, tile(thread), 1.0f, StoreGlobal);
  };
  expectFaults("out-of-bounds", "shared variable", wrongSpace, 1, 1);
  // Without fibres too; and the device goes on working.
  Bench bench;
  bench.function.isCooperative = false;
  float *values = bench.floats({1});
  EXPECT_FALSE(bench.run(wild, 4, 64, values));
  EXPECT_TRUE(bench.run(wrongSpace, 1, 1, values));
}

TEST(EmulatorFaults, FindsMemoryThatWasReleased) {
  Kernel reads = [](DlmEmuThread *thread, void *const *params) {
    load(thread, valuesOf(params), LoadGlobal);
  };
  Bench bench;
  float *values = bench.floats({1, 2});
  ASSERT_TRUE(bench.memory.release(values) && bench.run(reads, 1, 1, values));
  EXPECT_EQ(bench.faults(), "out-of-bounds");
}

TEST(EmulatorFaults, FindsUninitialisedMemory) {
  Kernel shared = [](DlmEmuThread *thread, void *const *) {
    if (thread->tid[0]) store(thread, tile(thread) + thread->tid[0], 1.0f, StoreShared);
    barrier(thread);
    load(thread, tile(thread) + thread->tid[0], LoadShared);
  };
  expectFaults("uninitialised", "byte 0 of the shared variable `tile`", shared, 2, 64);
  Kernel reads = [](DlmEmuThread *thread, void *const *params) {
    load(thread, valuesOf(params) + globalIndex(thread), LoadGlobal);
  };
  Bench bench;
  float *values = bench.emptyFloats(64);
  bench.memory.markWritten(values, 64 * 4 - 1); // of the last float three bytes
  ASSERT_TRUE(bench.run(reads, 1, 64, values));
  EXPECT_EQ(bench.faults(), "uninitialised");
  EXPECT_EQ(bench.report.findings[0].count, 1u);
  EXPECT_NE(bench.report.findings[0].message.find("byte 252 of allocation 1"), std::string::npos);
  // What one launch stores, the next may load.
  Kernel writes = [](DlmEmuThread *thread, void *const *params) {
    store(thread, valuesOf(params) + globalIndex(thread), 1.0f, StoreGlobal);
  };
  Bench other;
  values = other.emptyFloats(64);
  ASSERT_TRUE(other.run(writes, 1, 64, values) && other.run(reads, 1, 64, values));
  EXPECT_EQ(other.faults(), "");
}

TEST(EmulatorFaults, FindsMisalignedAccesses) {
  Kernel odd = [](DlmEmuThread *thread, void *const *params) {
    auto *bytes = reinterpret_cast<uint8_t *>(valuesOf(params));
    load(thread, reinterpret_cast<float *>(bytes + 2), LoadGlobal);
  };
  expectFaults("misaligned", "not a multiple of 4 bytes", odd, 1, 1);
  struct Vector {
    float lanes[4];
  };
  static_assert(sizeof(Vector) == 16, "a vector access");
  Kernel vector = [](DlmEmuThread *thread, void *const *params) {
    load(thread, reinterpret_cast<Vector *>(valuesOf(params) + 4), LoadVector);
    load(thread, reinterpret_cast<Vector *>(valuesOf(params) + 2), LoadVector);
  };
  expectFaults("misaligned", "not a multiple of 16 bytes", vector, 1, 1, false);
}

TEST(EmulatorFaults, FindsDivergentBarriers) {
  Kernel arms = [](DlmEmuThread *thread, void *const *) {
    if (thread->tid[0] < 7)
      barrier(thread, FirstBarrier);
    else
      barrier(thread, SecondBarrier);
  };
  expectFaults("divergent-barrier", "wait at `barrier", arms, 1, 64);
  Kernel leaves = [](DlmEmuThread *thread, void *const *) {
    if (thread->tid[0] >= 40) return;
    barrier(thread, FirstBarrier);
  };
  expectFaults("divergent-barrier", "40 of the 64 threads of block", leaves, 3, 64);
}

TEST(EmulatorFaults, FindsDivergentCollectives) {
  Kernel arms = [](DlmEmuThread *thread, void *const *) {
    shuffleDown(thread, 1, 1, AllLanes, thread->lane < 7 ? FirstShuffle : SecondShuffle);
  };
  expectFaults("divergent-collective", "of its warp is at `shuffle", arms, 1, 32);
  Kernel stranger = [](DlmEmuThread *thread, void *const *) {
    if (thread->lane < 2) shuffleDown(thread, 1, 1, 1);
  };
  expectFaults("divergent-collective", "not among the lanes", stranger, 1, 32);
  Kernel overlap = [](DlmEmuThread *thread, void *const *) {
    if (thread->lane < 2) shuffleDown(thread, 1, 1, thread->lane ? 7 : 3);
  };
  expectFaults("divergent-collective deadlock", "name different lanes", overlap, 1, 32, false);
  // Two halves that name themselves only are right.
  Kernel halves = [](DlmEmuThread *thread, void *const *) {
    if (thread->lane < 16)
      shuffleDown(thread, 1, 1, 0xFFFF, FirstShuffle);
    else
      shuffleDown(thread, 1, 1, 0xFFFF0000, SecondShuffle);
  };
  expectFaults("", "", halves, 1, 32);
}

TEST(EmulatorFaults, FindsDeadlocks) {
  Kernel crossed = [](DlmEmuThread *thread, void *const *) {
    if (thread->lane == 3)
      barrier(thread);
    else
      shuffleDown(thread, 1, 1);
  };
  expectFaults("deadlock", "while thread 3 waits at `barrier one`", crossed, 2, 64, false);
  Bench bench;
  bench.function.isCooperative = false;
  EXPECT_FALSE(bench.run(crossed, 1, 32));
  EXPECT_EQ(bench.faults(), "deadlock");
}

TEST(EmulatorFaults, FindsTraps) {
  Kernel kernel = [](DlmEmuThread *thread, void *const *) {
    barrier(thread);
    if (globalIndex(thread) == 70) thread->api->trap(thread, TrapSite);
    barrier(thread, SecondBarrier);
  };
  expectFaults("trap", "thread 6 of block 1", kernel, 3, 64, false);
  Bench bench(false);
  EXPECT_FALSE(bench.run(kernel, 3, 64));
  EXPECT_TRUE(bench.run(kernel, 1, 64)) << "the fibres work again";
}

TEST(EmulatorFaults, FindsSizesThatCannotBeLaunched) {
  Kernel nothing = [](DlmEmuThread *, void *const *) {};
  for (auto [grid, block] : {std::pair{0u, 32u}, {1u, 0u}, {1u, 1025u}, {1u, 257u}, {1u, 256u}}) {
    Bench bench(false);
    bench.function.threadsMax = 256;
    bool fits = grid == 1 && block == 256;
    EXPECT_EQ(bench.run(nothing, grid, block), fits);
    EXPECT_EQ(bench.faults(), fits ? "" : "launch-size");
  }
  Bench bench;
  bench.shared.sizeBytes = bench.function.sharedBytes = 50000;
  EXPECT_FALSE(bench.run(nothing, 1, 32));
  EXPECT_EQ(bench.faults(), "launch-size");
}

TEST(EmulatorFaults, CountsOneFindingOverLaunches) {
  Bench bench;
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(bench.run(writeTwice, 2, 64));
  ASSERT_EQ(bench.report.findings.size(), 1u);
  EXPECT_EQ(bench.report.findings[0].count, 3 * 2u);
}

} // namespace
} // namespace dlm::emulator
