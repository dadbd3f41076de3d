// The emulated driver: captures and graphs, those that can be and those that cannot.
#include "EmulatedPipeline.h"

using namespace dlm;
using namespace dlm::cuda;

TEST(EmulatedGraph, WaitingSpoilsACapture) {
  Pipeline p;
  EXPECT_OK(p.copies->beginCapture());
  EXPECT_FALSE(p.compute->synchronize().isOk());
  EXPECT_FALSE(p.copies->fill(p.x, 0, Bytes).isOk());
  EXPECT_FALSE(p.copies->endCapture().isOk());
  EXPECT_OK(p.compute->synchronize());
  EXPECT_OK(p.copies->fill(p.x, 0, Bytes));
}

TEST(EmulatedGraph, CapturesThatCannotBe) {
  Pipeline p;
  // A fork that is never joined.
  EXPECT_OK(p.copies->beginCapture());
  EXPECT_OK(p.copies->record(*p.copied));
  EXPECT_OK(p.compute->waitFor(*p.copied));
  EXPECT_OK(p.compute->fill(p.y, 0, Bytes));
  Expected<std::unique_ptr<Graph>> graph = p.copies->endCapture();
  ASSERT_FALSE(graph.isOk());
  EXPECT_NE(graph.status().message().find("UNJOINED"), std::string::npos);
  // Work outside the capture.
  EXPECT_OK(p.compute->record(*p.computed));
  EXPECT_OK(p.copies->beginCapture());
  EXPECT_FALSE(p.copies->waitFor(*p.computed).isOk());
  EXPECT_FALSE(p.copies->endCapture().isOk());
  // Ended by the wrong stream, or without a beginning.
  EXPECT_OK(p.copies->beginCapture());
  EXPECT_OK(p.copies->record(*p.copied));
  EXPECT_OK(p.compute->waitFor(*p.copied));
  EXPECT_FALSE(p.compute->endCapture().isOk());
  EXPECT_FALSE(p.copies->endCapture().isOk());
  EXPECT_FALSE(p.copies->endCapture().isOk());
  // Pageable memory: it may be gone when the graph runs.
  std::vector<float> pageable(Count);
  EXPECT_OK(p.copies->beginCapture());
  EXPECT_FALSE(p.copies->copyToDevice(p.x, pageable.data(), Bytes).isOk());
  EXPECT_FALSE(p.copies->endCapture().isOk());
  EXPECT_OK(p.device->synchronize());
}

TEST(EmulatedGraph, AGraphReadsItsMemoryAtEachLaunch) {
  Pipeline p;
  std::unique_ptr<Graph> graph = captureStep(p, Fault::None);
  EXPECT_EQ(wrongSteps(p, Fault::None, graph.get()), 0);
  // Two launches in two streams: one after the other.
  p.setInput(5);
  EXPECT_OK(p.copies->launch(*graph));
  EXPECT_OK(p.compute->launch(*graph));
  EXPECT_OK(p.compute->synchronize());
  EXPECT_EQ(p.wrong(6), 0u);
  EXPECT_EQ(emulator::emulatorReport().kernels.at("add_value").launches, 10u);
}

TEST(EmulatedGraph, ForgetsInOrderAndAllowsTheNextLaunch) {
  Pipeline p({}, /*isChecked=*/true);
  MemoryWatch &watch = emulator::memoryWatch();
  auto addTwice = [&](bool forgets) {
    EXPECT_OK(p.compute->fill(p.x, 0, Bytes));
    if (forgets) EXPECT_OK(p.compute->forget(watch, p.x + 4, 8));
    watch.allow({{p.y, Bytes, true}, {p.x, Bytes - 4, false}});
    EXPECT_OK(p.addValue(*p.compute, p.y, p.x, 1, Count - 1));
    EXPECT_OK(p.addValue(*p.compute, p.y, p.x, 1, Count)); // everything is allowed again
  };
  EXPECT_OK(p.compute->beginCapture());
  addTwice(false);
  std::unique_ptr<Graph> right = p.compute->endCapture().take();
  EXPECT_OK(p.compute->beginCapture());
  addTwice(true);
  std::unique_ptr<Graph> faulty = p.compute->endCapture().take();
  for (int i = 0; i < 2; ++i)
    EXPECT_OK(p.compute->launch(*right));
  EXPECT_OK(p.compute->synchronize());
  EXPECT_TRUE(emulator::emulatorReport().isClean());
  EXPECT_OK(p.compute->launch(*faulty));
  EXPECT_OK(p.compute->synchronize());
  ASSERT_EQ(findingsOf(emulator::Fault::Uninitialised), 1u);
  EXPECT_EQ(emulator::emulatorReport().findings.front().count, 4u); // two words in two launches
  watch.allow({{p.y, Bytes, true}, {p.x, Bytes - 4, false}});
  EXPECT_OK(p.compute->fill(p.x, 0, Bytes));
  EXPECT_OK(p.addValue(*p.compute, p.y, p.x, 1, Count));
  EXPECT_OK(p.compute->synchronize());
  EXPECT_EQ(findingsOf(emulator::Fault::OutOfBounds), 1u);
  EXPECT_FALSE(p.compute->forget(watch, p.x, Bytes + 1).isOk());
}

TEST(EmulatedGraph, OutlivesWhatItWasMadeOf) {
  Pipeline p;
  const DriverTable &driver = p.table;
  CUstream stream = nullptr;
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  ASSERT_EQ(driver.streamCreate(&stream, StreamNonBlocking), Success);
  ASSERT_EQ(driver.streamBeginCapture(stream, StreamCaptureModeGlobal), Success);
  ASSERT_EQ(driver.memcpyHtoDAsync(p.x, p.in(), Bytes, stream), Success);
  ASSERT_EQ(driver.memcpyDtoHAsync(p.out(), p.x, Bytes, stream), Success);
  ASSERT_EQ(driver.streamEndCapture(stream, &graph), Success);
  ASSERT_EQ(driver.graphInstantiate(&executable, graph, 0), Success);
  EXPECT_EQ(driver.graphDestroy(graph), Success);
  EXPECT_EQ(driver.graphDestroy(graph), ErrorInvalidHandle);
  p.setInput(2);
  EXPECT_EQ(driver.graphLaunch(executable, stream), Success);
  EXPECT_EQ(driver.graphExecDestroy(executable), Success); // the launch goes on
  EXPECT_EQ(driver.streamSynchronize(stream), Success);
  EXPECT_EQ(p.wrong(2), 0u);
  EXPECT_EQ(driver.graphLaunch(executable, stream), ErrorInvalidHandle);
  EXPECT_EQ(driver.streamDestroy(stream), Success);
}

TEST(EmulatedGraph, AnEmptyOneKeepsTheOrder) {
  Pipeline p;
  EXPECT_OK(p.copies->beginCapture());
  std::unique_ptr<Graph> graph = p.copies->endCapture().take();
  p.setInput(3);
  EXPECT_OK(p.copies->copyToDevice(p.x, p.in(), Bytes));
  EXPECT_OK(p.copies->launch(*graph));
  EXPECT_OK(p.copies->copyToHost(p.out(), p.x, Bytes));
  EXPECT_OK(p.copies->synchronize());
  EXPECT_EQ(p.wrong(3), 0u);
}

TEST(EmulatedGraph, ArmsRunInEitherOrder) {
  // Two arms write the same memory: which is last depends on the seed, and on nothing else.
  std::string seen;
  for (uint64_t seed = 1; seed <= Seeds; ++seed) {
    Pipeline p(withSeed(seed));
    EXPECT_OK(p.copies->beginCapture());
    EXPECT_OK(p.copies->record(*p.copied));
    EXPECT_OK(p.compute->waitFor(*p.copied));
    EXPECT_OK(p.copies->fill(p.x, 0x3F800000, Bytes));  // 1.0
    EXPECT_OK(p.compute->fill(p.x, 0x40000000, Bytes)); // 2.0
    EXPECT_OK(p.compute->record(*p.computed));
    EXPECT_OK(p.copies->waitFor(*p.computed));
    EXPECT_OK(p.copies->copyToHost(p.out(), p.x, Bytes));
    std::unique_ptr<Graph> graph = p.copies->endCapture().take();
    for (int launch = 0; launch < 4; ++launch) {
      EXPECT_OK(p.copies->launch(*graph));
      EXPECT_OK(p.copies->synchronize());
      seen += p.wrong(1) == 0 ? '1' : p.wrong(2) == 0 ? '2' : '?';
    }
  }
  EXPECT_EQ(seen.find('?'), std::string::npos);
  auto ones = std::count(seen.begin(), seen.end(), '1');
  EXPECT_GT(ones, 24);
  EXPECT_LT(ones, 72);
}

TEST(EmulatedGraph, TheHostCannotUseCapturedEvents) {
  Pipeline p;
  EXPECT_OK(p.copies->beginCapture());
  EXPECT_OK(p.copies->record(*p.copied));
  EXPECT_OK(p.copies->fill(p.x, 0, Bytes));
  std::unique_ptr<Graph> graph = p.copies->endCapture().take();
  EXPECT_FALSE(p.copied->synchronize().isOk());
  EXPECT_FALSE(p.copied->hasHappened().isOk());
  EXPECT_FALSE(p.compute->waitFor(*p.copied).isOk()); // that capture is over
  EXPECT_OK(p.copies->record(*p.copied));
  EXPECT_OK(p.copied->synchronize());
}

TEST(EmulatedGraph, CapturesDoNotMix) {
  Pipeline p;
  EXPECT_OK(p.copies->beginCapture());
  EXPECT_FALSE(p.copies->beginCapture().isOk()); // twice
  EXPECT_OK(p.compute->beginCapture());
  EXPECT_OK(p.copies->record(*p.copied));
  EXPECT_FALSE(p.compute->waitFor(*p.copied).isOk());
  EXPECT_FALSE(p.copies->endCapture().isOk());
  EXPECT_FALSE(p.compute->endCapture().isOk());
  // A graph within a graph.
  EXPECT_OK(p.copies->beginCapture());
  std::unique_ptr<Graph> graph = p.copies->endCapture().take();
  EXPECT_OK(p.copies->beginCapture());
  EXPECT_FALSE(p.copies->launch(*graph).isOk());
  EXPECT_FALSE(p.copies->endCapture().isOk());
}

TEST(EmulatedGraph, ACaptureGoesWithItsStream) {
  Pipeline p;
  {
    std::unique_ptr<Stream> stream = p.device->makeStream().take();
    EXPECT_OK(stream->beginCapture());
    EXPECT_OK(stream->record(*p.copied));
    EXPECT_OK(p.compute->waitFor(*p.copied));
  }
  EXPECT_OK(p.compute->synchronize()); // neither capturing nor spoilt
  EXPECT_OK(p.compute->fill(p.x, 0, Bytes));
}
