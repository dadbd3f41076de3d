// Whole runs of the hand-made network through the command line: trained, stopped, killed, resumed,
// with a full disk and with damaged checkpoints. The same bits must come out.
#include "runtime/abi/PlanVerify.h"
#include "runtime/base/Safetensors.h"
#include "test/runtime/TrainFixture.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <new>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

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

TEST_F(TrainTest, KilledAndResumedGivesTheSameBits) {
  made.plan.recipe->checkpoint_every = steps(150);
  ASSERT_EQ(run({"train", "--steps", "1500", "--to", folder / "whole"}).status, 0);
  for (int64_t step : {150, 450, 900}) {
    int status = runAndSignal({"train", "--resume", "--steps", "1500", "--to", folder / "cut"},
                              SIGKILL, "cut", step);
    EXPECT_TRUE(WIFSIGNALED(status)) << "it ended by itself";
    EXPECT_LT(newestStep("cut"), 1500);
  }
  ASSERT_EQ(run({"train", "--resume", "--steps", "1500", "--to", folder / "cut"}).status, 0);
  EXPECT_EQ(checkpoint("cut", 1500), checkpoint("whole", 1500));
}

TEST_F(TrainTest, P31_SigtermSavesAndEndsWithItsStatus) {
  made.plan.recipe->checkpoint_every = steps(7);
  int status =
      runAndSignal({"train", "--steps", "100000000", "--to", folder / "cut"}, SIGTERM, "cut", 7);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGTERM);
  int64_t stopped = newestStep("cut");
  ASSERT_GE(stopped, 7);
  std::string end = std::to_string(stopped + 5);
  ASSERT_EQ(run({"train", "--resume", "--steps", end, "--to", folder / "cut"}).status, 0);
  ASSERT_EQ(run({"train", "--steps", end, "--to", folder / "whole"}).status, 0);
  Expected<Safetensors> cut = Safetensors::parse(checkpoint("cut", stopped + 5));
  Expected<Safetensors> whole = Safetensors::parse(checkpoint("whole", stopped + 5));
  ASSERT_TRUE(cut.isOk() && whole.isOk());
  const SafeTensor *a = cut->find("hidden.weight"), *b = whole->find("hidden.weight");
  EXPECT_EQ(std::memcmp(a->data, b->data, a->sizeBytes), 0);
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

TEST_F(TrainTest, FinishedRunsSaySo) {
  ASSERT_EQ(run({"train", "--steps", "10"}).status, 0);
  Result again = run({"train", "--resume", "--json"});
  EXPECT_EQ(again.status, 0);
  EXPECT_TRUE(again.says("the run is finished")) << again.err;
  EXPECT_EQ(again.last()["final"]["step"], 10);
}

TEST_F(TrainTest, ASecondRunDoesNotOverwriteTheFirst) {
  ASSERT_EQ(run({"train", "--steps", "10"}).status, 0);
  Result again = run({"train", "--steps", "10"});
  EXPECT_EQ(again.status, 1);
  EXPECT_TRUE(again.says("--resume goes on with it, --to DIR starts one elsewhere")) << again.err;
}

TEST_F(TrainTest, WhatWouldChangeTheSamplesIsRefusedAtResume) {
  ASSERT_EQ(run({"train", "--steps", "10", "--lr", "0.01"}).status, 0);
  Result batch = run({"train", "--resume", "--batch_size", "32"});
  EXPECT_EQ(batch.status, 1);
  EXPECT_TRUE(batch.says("started with batches of 16 samples")) << batch.err;
  Result seed = run({"train", "--resume", "--seed", "7"});
  EXPECT_EQ(seed.status, 1);
  EXPECT_TRUE(seed.says("started with seed 1")) << seed.err;
  Result lr = run({"train", "--resume", "--steps", "11", "--lr", "0.5"});
  EXPECT_EQ(lr.status, 0);
  EXPECT_TRUE(lr.says("`lr` was 0.01 and is now 0.5")) << lr.err;
  made.plan.recipe->name = "other";
  EXPECT_TRUE(run({"train", "--resume"}).says("is of the program `hand_made_mlp`"));
}

TEST_F(TrainTest, ADamagedNewestCheckpointFallsBack) {
  ASSERT_EQ(run({"train", "--steps", "25", "--to", folder / "whole"}).status, 0);
  ASSERT_EQ(run({"train", "--steps", "22", "--to", folder / "cut"}).status, 0);
  std::vector<uint8_t> bytes = checkpoint("cut", 22);
  bytes[bytes.size() / 2] ^= 1;
  writeTestFile(folder / "cut" + "/step-00000022.safetensors", bytes);
  Result resumed = run({"train", "--resume", "--steps", "25", "--to", folder / "cut"});
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_TRUE(resumed.says("step-00000022.safetensors`: its checksum does not agree"))
      << resumed.err;
  EXPECT_TRUE(resumed.says("trying the one before it"));
  EXPECT_EQ(checkpoint("cut", 25), checkpoint("whole", 25));
}

TEST_F(TrainTest, KeepsTheNewestCheckpointsAndForeignFiles) {
  mkdir((folder / "run").c_str(), 0777);
  writeTestFile(folder / "run" + "/notes.txt", {1});
  ASSERT_EQ(run({"train", "--steps", "55"}).status, 0);
  EXPECT_FALSE(exists("run", 30));
  EXPECT_TRUE(exists("run", 40));
  EXPECT_TRUE(exists("run", 50));
  EXPECT_TRUE(exists("run", 55));
  EXPECT_EQ(access((folder / "run" + "/notes.txt").c_str(), F_OK), 0);
}

TEST_F(TrainTest, UpdatesThatAreNotFiniteEndTheRun) {
  Result result = run({"train", "--steps", "50", "--lr", "1e38", "--json"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(result.says("4 updates in a row were skipped")) << result.err;
  EXPECT_NE(result.out.find("\"loss\":null"), std::string::npos) << result.out;
}

/// A small file system of its own, if the test may mount one.
class FullDiskTest : public TrainTest {
protected:
  FullDiskTest() {
    mkdir((folder / "disk").c_str(), 0777);
    isMounted = mount("tmpfs", (folder / "disk").c_str(), "tmpfs", 0, "size=256k") == 0;
  }
  ~FullDiskTest() override {
    if (isMounted) umount((folder / "disk").c_str());
  }
  void fill(size_t bytes) {
    writeTestFile(folder / "disk" + "/filler", std::vector<uint8_t>(bytes));
  }
  bool isMounted = false;
};

TEST_F(FullDiskTest, P22_AFailedLastSaveIsAnErrorAndKeepsTheOneBefore) {
  if (!isMounted) GTEST_SKIP() << "may not mount a file system";
  std::string to = folder / "disk" + "/run";
  ASSERT_EQ(run({"train", "--steps", "10", "--to", to}).status, 0);
  std::vector<uint8_t> before = checkpoint("disk/run", 10);
  fill(256 * 1024 - before.size() - 24 * 1024);
  Result result = run({"train", "--resume", "--steps", "15", "--to", to});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(result.says("the last checkpoint could not be written")) << result.err;
  EXPECT_TRUE(result.says("No space left on device")) << result.err;
  EXPECT_TRUE(result.says("warning: a checkpoint takes")) << result.err; // P23
  EXPECT_EQ(checkpoint("disk/run", 10), before);
  EXPECT_FALSE(exists("disk/run", 15));
}

TEST_F(FullDiskTest, AFailedPeriodicSaveIsReportedAndTrainingGoesOn) {
  struct rlimit before, limited;
  getrlimit(RLIMIT_FSIZE, &before);
  limited = before;
  limited.rlim_cur = 20000; // smaller than a checkpoint
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limited), 0);
  Result result = run({"train", "--steps", "25", "--to", folder / "small"});
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(result.says("checkpoint write failed")) << result.err;
  EXPECT_TRUE(result.says("training goes on")) << result.err;
  EXPECT_NE(result.out.find("finished: 25 steps"), std::string::npos) << result.out;
  EXPECT_FALSE(exists("small", 25));
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
