// The emulated driver: lazy streams, events, and that the faults of a host program show.
#include "EmulatedPipeline.h"

#include <cmath>
#include <set>
#include <thread>

using namespace dlm;
using namespace dlm::cuda;
using emulator::DriverOptions;

TEST(PlantedFaults, MissingCrossStreamWait) {
  uint64_t unwritten = 0;
  for (uint64_t seed = 1; seed <= Seeds; ++seed) {
    {
      Pipeline right(withSeed(seed), true);
      EXPECT_EQ(wrongSteps(right, Fault::None), 0) << "seed " << seed;
      EXPECT_TRUE(emulator::emulatorReport().isClean()) << "seed " << seed;
    }
    for (Fault fault : {Fault::NoWaitForInput, Fault::NoWaitForOutput}) {
      Pipeline faulty(withSeed(seed), true);
      EXPECT_GT(wrongSteps(faulty, fault), 0) << "seed " << seed << " fault " << int(fault);
      unwritten += findingsOf(emulator::Fault::Uninitialised);
    }
  }
  EXPECT_GT(unwritten, 0u); // the kernel came before the first copy
}

TEST(PlantedFaults, LostGraphEdge) {
  uint64_t unwritten = 0;
  for (uint64_t seed = 1; seed <= Seeds; ++seed) {
    {
      Pipeline right(withSeed(seed), true);
      std::unique_ptr<Graph> graph = captureStep(right, Fault::None);
      EXPECT_EQ(wrongSteps(right, Fault::None, graph.get()), 0) << "seed " << seed;
      EXPECT_TRUE(emulator::emulatorReport().isClean()) << "seed " << seed;
    }
    for (Fault fault : {Fault::NoWaitForInput, Fault::NoWaitForOutput}) {
      Pipeline faulty(withSeed(seed), true);
      std::unique_ptr<Graph> graph = captureStep(faulty, fault);
      EXPECT_GT(wrongSteps(faulty, fault, graph.get()), 0) << "seed " << seed;
      unwritten += findingsOf(emulator::Fault::Uninitialised);
    }
  }
  EXPECT_GT(unwritten, 0u);
}

TEST(EmulatedDriver, NothingRunsBeforeSomebodyWaits) {
  Pipeline p;
  p.setInput(3);
  std::fill_n(p.out(), Count, -1.0f);
  describeStep(p, Fault::None);
  EXPECT_EQ(p.out()[0], -1.0f); // read too early
  EXPECT_OK(p.copies->synchronize());
  EXPECT_EQ(p.wrong(4), 0u);
}

TEST(EmulatedDriver, OnlyWhatIsNeededRuns) {
  Pipeline p;
  p.setInput(1);
  EXPECT_OK(p.copies->copyToDevice(p.x, p.in(), Bytes));
  EXPECT_OK(p.copies->record(*p.copied));
  EXPECT_OK(p.copies->copyToHost(p.out(), p.x, Bytes)); // after the event
  EXPECT_OK(p.compute->fill(p.y, 0, Bytes));
  EXPECT_OK(p.compute->record(*p.computed));
  std::fill_n(p.out(), Count, -1.0f);
  EXPECT_OK(p.copied->synchronize());
  EXPECT_EQ(p.out()[0], -1.0f);
  EXPECT_TRUE(std::isnan(*reinterpret_cast<float *>(uintptr_t(p.y))));
  EXPECT_OK(p.device->synchronize());
  EXPECT_EQ(p.wrong(1), 0u);
  EXPECT_EQ(*reinterpret_cast<float *>(uintptr_t(p.y)), 0.0f);
}

TEST(EmulatedDriver, AtOnceIfAsked) {
  DriverOptions options;
  options.lazy = false;
  Pipeline p(options);
  p.setInput(3);
  describeStep(p, Fault::None);
  EXPECT_EQ(p.wrong(4), 0u);
}

TEST(EmulatedDriver, ParametersAreCopiedAtTheLaunch) {
  Pipeline p;
  EXPECT_OK(p.compute->fill(p.x, 0, Bytes));
  CUdeviceptr to = p.y, from = p.x;
  float value = 5;
  uint64_t count = Count;
  void *parameters[] = {&to, &from, &value, &count};
  EXPECT_OK(p.compute->launch(p.add, "add_value", 4, 64, parameters));
  to = from = 0;
  value = 9;
  EXPECT_OK(p.compute->copyToHost(p.out(), p.y, Bytes));
  EXPECT_OK(p.compute->synchronize());
  EXPECT_EQ(p.wrong(5), 0u);
}

TEST(EmulatedDriver, PinnedMemoryIsReadLatePageableAtOnce) {
  Pipeline p;
  p.setInput(1);
  std::vector<float> pageable(Count, 1.0f);
  EXPECT_OK(p.copies->copyToDevice(p.x, p.in(), Bytes));
  EXPECT_OK(p.copies->copyToDevice(p.y, pageable.data(), Bytes));
  p.setInput(2); // too early: the copy has not been made
  std::fill(pageable.begin(), pageable.end(), 2.0f);
  EXPECT_OK(p.copies->copyToHost(p.out(), p.x, Bytes));
  EXPECT_OK(p.copies->synchronize());
  EXPECT_EQ(p.wrong(2), 0u);
  EXPECT_OK(p.copies->copyToHost(pageable.data(), p.y, Bytes)); // returns when it is done
  EXPECT_EQ(pageable[0], 1.0f);
}

TEST(EmulatedDriver, AWaitKeepsTheRecordThatItSaw) {
  Pipeline p;
  p.setInput(1);
  EXPECT_OK(p.copies->copyToDevice(p.x, p.in(), Bytes));
  EXPECT_OK(p.copies->record(*p.copied));
  EXPECT_OK(p.compute->waitFor(*p.copied));
  EXPECT_OK(p.copies->copyToHost(p.out(), p.x, Bytes));
  EXPECT_OK(p.copies->record(*p.copied)); // again: the wait above does not need it
  std::fill_n(p.out(), Count, -1.0f);
  EXPECT_OK(p.compute->synchronize());
  EXPECT_EQ(p.out()[0], -1.0f);
  EXPECT_OK(p.copied->synchronize());
  EXPECT_EQ(p.wrong(1), 0u);
}

TEST(EmulatedDriver, QueriesGetTheWorkOn) {
  Pipeline p;
  EXPECT_TRUE(*p.copied->hasHappened()); // nothing was recorded
  for (int i = 0; i < 3; ++i)
    EXPECT_OK(p.copies->fill(p.x, 0, Bytes));
  EXPECT_OK(p.copies->record(*p.copied));
  EXPECT_FALSE(p.computed->msSince(*p.copied).isOk());
  int asked = 1;
  while (!*p.copied->hasHappened())
    ASSERT_LT(++asked, 100);
  EXPECT_GT(asked, 1);
  EXPECT_OK(p.compute->record(*p.computed));
  EXPECT_OK(p.computed->synchronize());
  EXPECT_GE(*p.computed->msSince(*p.copied), 0.0f);
}

TEST(EmulatedDriver, ASeedGivesTheSameRunAgain) {
  auto trace = [](uint64_t seed) {
    Pipeline p(withSeed(seed));
    EXPECT_OK(p.copies->fill(p.y, 0, Bytes));
    EXPECT_OK(p.copies->synchronize());
    std::string seen;
    for (int step = 0; step < 12; ++step) {
      p.setInput(float(step));
      describeStep(p, Fault::NoWaitForInput);
      EXPECT_OK(p.copies->synchronize());
      seen += p.wrong(float(step + 1)) ? 'x' : '.';
    }
    return seen;
  };
  EXPECT_EQ(trace(7), trace(7));
  EXPECT_NE(trace(7), trace(8));
}

TEST(EmulatedDriver, OutOfMemory) {
  DriverOptions options;
  options.totalBytes = 1 << 20;
  EmulatedDevice d(options);
  CUdeviceptr small = 0, large = 0;
  EXPECT_EQ(d.table.memAlloc(&small, 600000), Success);
  EXPECT_EQ(d.table.memAlloc(&large, 600000), ErrorOutOfMemory);
  EXPECT_LT(*d.device->freeBytes(), 1u << 19);
  EXPECT_EQ(d.table.memFree(small), Success);
  EXPECT_EQ(d.table.memFree(small), ErrorInvalidValue); // twice
  EXPECT_EQ(d.table.memAlloc(&large, 600000), Success);
  EXPECT_EQ(d.table.memFree(large), Success);
}

TEST(EmulatedDriver, AFailedLaunchStays) {
  Pipeline p;
  EXPECT_OK(p.compute->launch(p.trap, "trap", 1, 32, nullptr));
  EXPECT_OK(p.compute->fill(p.y, 0, Bytes)); // not known yet
  Status failed = p.compute->synchronize();
  ASSERT_FALSE(failed.isOk());
  EXPECT_NE(failed.message().find("CUDA_ERROR_LAUNCH_FAILED"), std::string::npos);
  EXPECT_EQ(findingsOf(emulator::Fault::Trap), 1u);
  EXPECT_FALSE(p.copies->synchronize().isOk());
  EXPECT_FALSE(p.copies->fill(p.y, 0, Bytes).isOk());
  EXPECT_FALSE(p.device->makeStream().isOk());
  EXPECT_TRUE(std::isnan(*reinterpret_cast<float *>(uintptr_t(p.y)))); // what followed did not run
}

TEST(EmulatedDriver, LaunchesThatCannotBe) {
  Pipeline p;
  CUdeviceptr to = p.y, from = p.x;
  float value = 0;
  uint64_t count = Count;
  void *parameters[] = {&to, &from, &value, &count};
  EXPECT_FALSE(p.compute->launch(p.add, "add_value", 0, 64, parameters).isOk());
  EXPECT_FALSE(p.compute->launch(p.add, "add_value", 1, 65, parameters).isOk()); // declared: 64
  EXPECT_GT(findingsOf(emulator::Fault::LaunchSize), 0u);
  EXPECT_FALSE(p.compute->launch(p.add, "add_value", 1, 64, nullptr).isOk());
  parameters[2] = nullptr;
  EXPECT_FALSE(p.compute->launch(p.add, "add_value", 1, 64, parameters).isOk());
  EXPECT_OK(p.compute->synchronize()); // refused calls are not failures of the device
}

TEST(EmulatedDriver, ArgumentsAreChecked) {
  Pipeline p;
  const DriverTable &driver = p.table;
  CUstream stream = nullptr;
  ASSERT_EQ(driver.streamCreate(&stream, StreamNonBlocking), Success);
  EXPECT_EQ(driver.memcpyHtoDAsync(p.x + 4, p.in(), Bytes, stream), ErrorInvalidValue);
  EXPECT_EQ(driver.memcpyHtoDAsync(p.x, p.in() + 1, Bytes, stream), ErrorInvalidValue);
  EXPECT_EQ(driver.memcpyHtoDAsync(p.x, nullptr, Bytes, stream), ErrorInvalidValue);
  EXPECT_EQ(driver.memcpyHtoDAsync(0, p.in(), Bytes, stream), ErrorInvalidValue);
  EXPECT_EQ(driver.memcpyHtoDAsync(p.x, reinterpret_cast<void *>(uintptr_t(p.y)), Bytes, stream),
            ErrorInvalidValue);
  EXPECT_EQ(driver.memcpyDtoHAsync(p.out(), p.x, Bytes + 1, stream), ErrorInvalidValue);
  EXPECT_EQ(driver.memcpyDtoDAsync(p.x, p.x + 8, 16, stream), ErrorInvalidValue); // overlap
  EXPECT_EQ(driver.memsetD8Async(p.x, 0, Bytes + 1, stream), ErrorInvalidValue);
  EXPECT_EQ(driver.memsetD32Async(p.x + 2, 0, 1, stream), ErrorInvalidValue);
  EXPECT_EQ(driver.memsetD8Async(p.x, 0, Bytes, nullptr), ErrorInvalidHandle);
  EXPECT_EQ(driver.memsetD8Async(p.x, 0, Bytes, reinterpret_cast<CUstream>(&p)),
            ErrorInvalidHandle);
  EXPECT_EQ(driver.memFree(p.x + 256), ErrorInvalidValue);
  EXPECT_EQ(driver.memFreeHost(p.in() + 1), ErrorInvalidValue);
  EXPECT_EQ(driver.memAlloc(nullptr, 16), ErrorInvalidValue);
  EXPECT_EQ(driver.streamDestroy(stream), Success);
  EXPECT_EQ(driver.streamDestroy(stream), ErrorInvalidHandle);
  EXPECT_EQ(driver.streamSynchronize(stream), ErrorInvalidHandle);
  EXPECT_EQ(driver.eventRecord(nullptr, nullptr), ErrorInvalidHandle);
  EXPECT_EQ(driver.moduleUnload(nullptr), ErrorInvalidHandle);
  EXPECT_EQ(driver.graphLaunch(nullptr, nullptr), ErrorInvalidHandle);
}

TEST(EmulatedDriver, ADestroyedStreamsWorkIsDone) {
  Pipeline p;
  {
    std::unique_ptr<Stream> stream = p.device->makeStream().take();
    EXPECT_OK(stream->fill(p.y, 0, Bytes));
  }
  EXPECT_TRUE(std::isnan(*reinterpret_cast<float *>(uintptr_t(p.y))));
  EXPECT_OK(p.device->synchronize());
  EXPECT_EQ(*reinterpret_cast<float *>(uintptr_t(p.y)), 0.0f);
}

TEST(EmulatedDriver, AnotherThreadMustEnterTheContext) {
  Pipeline p;
  auto inOtherThread = [&](bool enters) {
    CUresult result = Success;
    std::thread([&] {
      if (enters) EXPECT_OK(p.device->makeCurrent());
      result = p.table.memsetD8Async(p.x, 0, 0, nullptr);
    }).join();
    return result;
  };
  EXPECT_EQ(inOtherThread(false), ErrorInvalidContext);
  EXPECT_EQ(inOtherThread(true), ErrorInvalidHandle); // there is no such stream
  EXPECT_OK(p.device->makeCurrent());
}

TEST(EmulatedDriver, AContextIsNeeded) {
  const DriverTable &driver = *emulator::openEmulatedDriver({});
  CUdeviceptr memory = 0;
  CUcontext context = nullptr;
  EXPECT_EQ(driver.memAlloc(&memory, 16), ErrorInvalidContext);
  EXPECT_EQ(driver.primaryCtxRetain(&context, 0), Success);
  EXPECT_EQ(driver.memAlloc(&memory, 16), ErrorInvalidContext);
  EXPECT_EQ(driver.ctxSetCurrent(context), Success);
  EXPECT_EQ(driver.memAlloc(&memory, 16), Success);
  EXPECT_EQ(driver.memFree(memory), Success);
  EXPECT_EQ(driver.primaryCtxRelease(0), Success);
  EXPECT_EQ(driver.primaryCtxRelease(0), ErrorInvalidContext);
}

TEST(EmulatedDriver, ALongChainIsRunAndForgotten) {
  for (bool isRun : {true, false}) {
    EmulatedDevice d;
    std::unique_ptr<Stream> stream = d.device->makeStream().take();
    CUdeviceptr memory = 0;
    ASSERT_EQ(d.table.memAlloc(&memory, 4), Success);
    for (int i = 0; i < 100000; ++i)
      EXPECT_OK(stream->fill(memory, 7, 4));
    if (isRun) EXPECT_OK(stream->synchronize());
    emulator::openEmulatedDriver({}); // forgets what waits
  }
}

TEST(EmulatedDriver, WhatIsOldAfterOpeningAgainIsRefused) {
  Pipeline old;
  emulator::openEmulatedDriver({});
  EXPECT_FALSE(old.copies->synchronize().isOk());
  EXPECT_FALSE(old.device->makeStream().isOk());
}

TEST(EmulatedDriver, AnEventMayTakeNoTime) {
  EmulatedDevice d;
  CUevent event = nullptr;
  float ms = 0;
  ASSERT_EQ(d.table.eventCreate(&event, EventDisableTiming), Success);
  EXPECT_EQ(d.table.eventElapsedTime(&ms, event, event), ErrorInvalidHandle);
  EXPECT_EQ(d.table.eventCreate(&event, 8), ErrorInvalidValue);
}

TEST(EmulatedDriver, MemoryMustBeThereWhenACopyIsMade) {
  Pipeline p;
  CUdeviceptr gone = 0;
  ASSERT_EQ(p.table.memAlloc(&gone, Bytes), Success);
  EXPECT_OK(p.copies->beginCapture());
  EXPECT_OK(p.copies->copyToDevice(gone, p.in(), Bytes));
  std::unique_ptr<Graph> graph = p.copies->endCapture().take();
  ASSERT_EQ(p.table.memFree(gone), Success);
  EXPECT_OK(p.copies->launch(*graph));
  std::string message = p.copies->synchronize().message();
  EXPECT_NE(message.find("ILLEGAL_ADDRESS"), std::string::npos) << message;
}

TEST(EmulatedDriver, FreshMemoryIsNoNumber) {
  EmulatedDevice d;
  CUdeviceptr memory = 0;
  void *host = nullptr;
  ASSERT_EQ(d.table.memAlloc(&memory, 4), Success);
  ASSERT_EQ(d.table.memHostAlloc(&host, 4, 0), Success);
  EXPECT_TRUE(std::isnan(*reinterpret_cast<float *>(uintptr_t(memory))));
  EXPECT_TRUE(std::isnan(*static_cast<float *>(host)));
  EXPECT_EQ(d.table.memFree(memory), Success);
  EXPECT_EQ(d.table.memFreeHost(host), Success);
}

TEST(EmulatedDriver, StreamsAlternateAndOvertake) {
  // Each stream writes x and copies it: a value of the other one shows that they alternated.
  int kept = 0, mixed = 0;
  for (uint64_t seed = 1; seed <= Seeds; ++seed) {
    Pipeline p(withSeed(seed));
    EXPECT_OK(p.copies->fill(p.x, 1, 4));
    EXPECT_OK(p.copies->copy(p.y, p.x, 4));
    EXPECT_OK(p.compute->fill(p.x, 2, 4));
    EXPECT_OK(p.compute->copy(p.y + 4, p.x, 4));
    EXPECT_OK(p.device->synchronize());
    auto *seen = reinterpret_cast<uint32_t *>(uintptr_t(p.y));
    ++(seen[0] == 1 && seen[1] == 2 ? kept : mixed);
  }
  EXPECT_GT(kept, 4);
  EXPECT_GT(mixed, 4);
}

TEST(EmulatedDriver, EachLaunchDrawsAnOrderOfItsOwn) {
  DriverOptions options = withSeed(1);
  options.launch.order = emulator::Order::Random;
  Pipeline p(options);
  CUfunction last = p.device->findFunction("last_thread").take();
  for (uint64_t i = 0; i < 16; ++i) {
    CUdeviceptr to = p.y + 4 * i;
    void *parameters[] = {&to};
    EXPECT_OK(p.compute->launch(last, "last_thread", 1, 64, parameters));
  }
  EXPECT_OK(p.compute->copyToHost(p.out(), p.y, Bytes));
  EXPECT_OK(p.compute->synchronize());
  std::set<float> seen(p.out(), p.out() + 16);
  EXPECT_GT(seen.size(), 4u);
}
