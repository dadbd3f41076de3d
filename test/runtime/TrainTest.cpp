// Whole runs of the hand-made network through the command line. The same bits must come out.
#include "runtime/abi/PlanVerify.h"
#include "runtime/base/Safetensors.h"
#include "test/runtime/TrainFixture.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <new>

using namespace dlm;
using namespace dlm::test;

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

TEST_F(TrainTest, LearnsAndReportsItInJson) {
  Result result = run({"train", "--json", "--lr", "0.01"});
  ASSERT_EQ(result.status, 0) << result.err;
  Json last = result.last();
  ASSERT_TRUE(last.is_object()) << result.out;
  EXPECT_EQ(last["final"]["step"], 126); // 2003 / 16 rounded up
  EXPECT_TRUE(result.says("rounded up to 126"));
  EXPECT_GT(last["final"]["test"]["accuracy"], 0.95);
  EXPECT_LT(last["final"]["train"]["loss"], 0.5);
  EXPECT_EQ(last["final"]["checkpoint"], folder / "run" + "/step-00000126.safetensors");
  size_t end = result.out.find('\n');
  Json about = Json::parse(result.out.substr(0, end))["run"];
  EXPECT_EQ(about["program"], "hand_made_mlp");
  EXPECT_EQ(about["steps"], 126);
  Json first = Json::parse(result.out.substr(end + 1, result.out.find('\n', end + 1) - end - 1));
  EXPECT_EQ(first["step"], 1);
  EXPECT_GT(first["memory_bytes"], 0);
  EXPECT_TRUE(first["batches_ready"].is_number());
  EXPECT_TRUE(first["loss"].is_number() && first["epoch"].is_number());
}

/// The machine's clock, which writes down how many allocations there had been at each question.
class CountingClock : public Clock {
public:
  int64_t monotonicNs() override {
    if (asked < counts.size()) counts[asked++] = allocations;
    return systemClock().monotonicNs();
  }
  int64_t wallNs() override { return systemClock().wallNs(); }
  void sleepUntil(int64_t deadlineNs) override { systemClock().sleepUntil(deadlineNs); }

  std::vector<int64_t> counts = std::vector<int64_t>(100000);
  size_t asked = 0;
};

TEST_F(TrainTest, TheStepLoopAllocatesNothing) {
  made.plan.recipe->checkpoint_every = steps(100000);
  for (const char *form : {"--json", "--threads"}) {
    CountingClock clock;
    std::vector<std::string> arguments = {"train", "--steps", "300", "--to", folder / form, form};
    if (arguments.back() == "--threads") arguments.push_back("2");
    ASSERT_EQ(run(arguments, &clock).status, 0);
    // The clock is asked several times a step. The first questions belong to other things, also to
    // threads, which start late on a busy machine; so do the last few.
    ASSERT_GT(clock.asked, 900u);
    EXPECT_EQ(clock.counts[clock.asked - 50], clock.counts[clock.asked / 3]) << form;
  }
}

TEST_F(TrainTest, TextEndsWithASummary) {
  Result result = run({"train", "--steps", "20"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("finished: 20 steps"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("./mlp train --resume --steps N"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("test"), std::string::npos);
}

TEST_F(TrainTest, ThreadsDoNotChangeTheBits) {
  ASSERT_EQ(run({"train", "--steps", "30", "--threads", "1", "--to", folder / "one"}).status, 0);
  ASSERT_EQ(run({"train", "--steps", "30", "--threads", "2", "--to", folder / "two"}).status, 0);
  EXPECT_EQ(checkpoint("one", 30), checkpoint("two", 30));
  EXPECT_TRUE(exists("one", 30));
}

TEST_F(TrainTest, P18_ResumesToTheSameBitsAtEveryStep) {
  ASSERT_EQ(run({"train", "--steps", "12", "--to", folder / "whole"}).status, 0);
  for (int64_t step = 1; step < 12; ++step) {
    std::string to = "cut" + std::to_string(step);
    std::string count = std::to_string(step);
    ASSERT_EQ(run({"train", "--steps", count, "--to", folder / to}).status, 0);
    Result resumed = run({"train", "--resume", "--steps", "12", "--to", folder / to});
    ASSERT_EQ(resumed.status, 0) << resumed.err;
    EXPECT_EQ(checkpoint(to, 12), checkpoint("whole", 12)) << "cut after step " << step;
  }
}

TEST_F(TrainTest, P18_ResumesTwiceWithinAnEpoch) {
  ASSERT_EQ(run({"train", "--steps", "140", "--to", folder / "whole"}).status, 0);
  for (const char *steps : {"30", "127", "140"})
    ASSERT_EQ(run({"train", "--resume", "--steps", steps, "--to", folder / "cut"}).status, 0);
  EXPECT_EQ(checkpoint("cut", 140), checkpoint("whole", 140));
}

TEST_F(TrainTest, MicroBatchesSeeTheSameSamples) {
  ASSERT_EQ(run({"train", "--steps", "10", "--batch_size", "64", "--to", folder / "four", "--json"})
                .status,
            0);
  shape.micro = 64;
  made = makeMlpPlan(shape, folder.path, folder / "run", TrainCount, 0, TestCount);
  Result whole = run({"train", "--steps", "10", "--to", folder / "one", "--json"});
  ASSERT_EQ(whole.status, 0);
  Result four = run({"eval", "--from", folder / "four", "--json"});
  EXPECT_NEAR(whole.last()["final"]["test"]["loss"].get<double>(),
              four.last()["final"]["test"]["loss"].get<double>(), 1e-5);
}

TEST_F(TrainTest, UpdatesThatAreNotFiniteEndTheRun) {
  Result result = run({"train", "--steps", "50", "--lr", "1e38", "--json"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(result.says("4 updates in a row were skipped")) << result.err;
  EXPECT_NE(result.out.find("\"loss\":null"), std::string::npos) << result.out;
}

TEST_F(TrainTest, TruncatedDataIsNamedWithItsFile) {
  std::string path = folder / "train-images-idx3-ubyte.gz";
  Expected<std::vector<uint8_t>> bytes = readFileBytes(path);
  bytes->resize(bytes->size() / 2);
  writeTestFile(path, *bytes);
  Result result = run({"train"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(result.says("train-images-idx3-ubyte.gz` is cut off")) << result.err;
}

TEST_F(TrainTest, CountsOfTheDataAreCompared) {
  made.plan.recipe->data->train_count = 2000;
  Result result = run({"train"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(result.says("holds 2003 samples, the program was compiled for 2000")) << result.err;
}

TEST_F(TrainTest, ALengthOfTheCommandLineReplacesTheProgramsOwn) {
  EXPECT_EQ(run({"train", "--json", "--duration", "0.5 epochs"}).last()["final"]["step"], 63);
  // The run remembers its length.
  EXPECT_EQ(run({"train", "--json", "--resume"}).last()["final"]["step"], 63);
  EXPECT_EQ(
      run({"train", "--json", "--resume", "--duration", "1120 samples"}).last()["final"]["step"],
      70);
  Result tokens = run({"train", "--duration", "1e6 tokens", "--to", folder / "t"});
  EXPECT_EQ(tokens.status, 1);
  EXPECT_TRUE(tokens.says("a duration in tokens is of programs that read text")) << tokens.err;
  Json timed = run({"train", "--json", "--duration", "200 ms", "--to", folder / "timed"}).last();
  EXPECT_EQ(timed["final"]["complete"], true);
}

TEST_F(TrainTest, FashionMnistForAnEpoch) {
  std::string path = "/usr/share/datasets/fashion-mnist";
  if (access(path.c_str(), F_OK) != 0) GTEST_SKIP() << "dataset-fashion-mnist is not installed";
  made = makeMlpPlan(MlpShape(), path, folder / "run", 60000, 0, 10000);
  Result result = run({"train", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.last()["final"]["step"], 938);
  EXPECT_GT(result.last()["final"]["test"]["accuracy"], 0.8);
}

} // namespace
