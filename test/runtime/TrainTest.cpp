// Whole runs of the hand-made network through the command line: trained, stopped, killed, resumed,
// with a full disk and with damaged checkpoints. The same bits must come out.
#include "runtime/abi/PlanVerify.h"
#include "runtime/base/Safetensors.h"
#include "runtime/checkpoint/Checkpoints.h"
#include "runtime/launch/RunProgram.h"
#include "runtime/store/FileStore.h"
#include "test/runtime/CapturedRun.h"
#include "test/runtime/HandMadeMlp.h"
#include "test/runtime/IdxFolder.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <new>
#include <nlohmann/json.hpp>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

using namespace dlm;
using namespace dlm::test;
using Json = nlohmann::json;

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

constexpr int64_t TrainCount = 2003, TestCount = 501; // primes: nothing divides them

struct Result : CapturedRun {
  /// The JSON object on the last line of the output.
  Json last() const {
    size_t end = out.find_last_not_of('\n');
    size_t begin = out.rfind('\n', end);
    return Json::parse(out.substr(begin == std::string::npos ? 0 : begin + 1), nullptr, false);
  }
};

/// A small network, small data, and a folder for both.
class TrainTest : public testing::Test {
protected:
  TrainTest() {
    writeIdxPair(folder, "train", TrainCount, 12, true);
    writeIdxPair(folder, "t10k", TestCount, 12, true);
    shape.side = 12;
    shape.hidden = 16;
    shape.micro = 16;
    shape.evalBatch = 64;
    made = makeMlpPlan(shape, folder.path, folder / "run", TrainCount, 0, TestCount);
    made.plan.recipe->checkpoint_every = steps(10);
  }

  static std::unique_ptr<plan::QuantityT> steps(double count) {
    auto quantity = std::make_unique<plan::QuantityT>();
    quantity->value = count;
    quantity->unit = plan::Unit::Steps;
    return quantity;
  }

  Result run(std::vector<std::string> arguments, Clock *clock = nullptr) {
    std::vector<uint8_t> bytes = made.bytes();
    KernelTable kernels = mlpKernels();
    Surroundings around;
    around.clock = clock;
    auto call = [&](int argc, const char *const *argv, auto &surroundings) {
      return runProgram({bytes.data(), bytes.size()}, kernels, argc, argv, surroundings);
    };
    return {captureRun(arguments, around, call)};
  }

  /// Runs in a process of its own, sends it `signal` once `run` has a checkpoint of at least
  /// `step`, and returns its wait status.
  int runAndSignal(const std::vector<std::string> &arguments, int signal, const std::string &to,
                   int64_t step) {
    pid_t child = fork();
    if (child == 0) _exit(run(arguments).status);
    constexpr int PollUs = 1000, PollsMax = 60000;
    for (int i = 0; i < PollsMax && newestStep(to) < step; ++i)
      usleep(PollUs);
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

  int64_t newestStep(const std::string &to) {
    std::unique_ptr<Store> store = makeFileStore(folder / to);
    std::vector<std::string> keys = *Checkpoints(*store, 1).keys();
    return keys.empty() ? -1 : Checkpoints::stepOf(keys[0]);
  }

  std::vector<uint8_t> checkpoint(const std::string &run, int64_t step) {
    return checkpointBytes(folder / run, step);
  }

  bool exists(const std::string &run, int64_t step) { return !checkpoint(run, step).empty(); }

  TemporaryFolder folder;
  MlpShape shape;
  HandMadePlan made;
};

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
  Json first = Json::parse(result.out.substr(0, result.out.find('\n')));
  EXPECT_EQ(first["step"], 1);
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

TEST_F(TrainTest, InfoAndHelpTellEveryOption) {
  auto add = [&](const char *name, const char *kind, const char *text) {
    auto option = std::make_unique<plan::OptionT>();
    option->name = name;
    option->kind = kind;
    option->text = text;
    option->doc = std::string("doc of ") + name;
    made.plan.options.push_back(std::move(option));
  };
  add("wide", "bool", "false");
  add("act", "string", "gelu");
  add("length", "epochs", "1 epochs");
  Result help = run({"--help"}), info = run({"info"});
  for (const char *text : {"(bool, is false)", "(string, is \"gelu\")", "(epochs, is 1 epochs)"})
    EXPECT_NE(help.out.find(text), std::string::npos) << text << "\n" << help.out;
  for (const char *text :
       {"\n  lr                   0.001        f32      run-time     learning rate\n",
        "\n  wide                 false        bool     compile-time doc of wide\n",
        "\n  act                  \"gelu\"       string   compile-time doc of act\n",
        "\n  length               1 epochs     epochs   compile-time doc of length\n"})
    EXPECT_NE(info.out.find(text), std::string::npos) << text << "\n" << info.out;
  auto options = run({"info", "--json"}).last()["options"];
  EXPECT_EQ(options["wide"]["value"], false);
  EXPECT_EQ(options["act"]["value"], "gelu");
  EXPECT_EQ(options["length"]["type"], "epochs");
  EXPECT_EQ(options["lr"]["type"], "f32");
  EXPECT_EQ(run({"train", "--act", "relu"}).status, 1);
}

TEST_F(TrainTest, InfoTellsHowResultsDependOnTheSamples) {
  auto add = [this](const char *name, bool isMetric, const char *grade) {
    auto entry = std::make_unique<plan::GradeT>();
    entry->name = name;
    entry->is_metric = isMetric;
    entry->grade = grade;
    made.plan.recipe->grades.push_back(std::move(entry));
    return made.plan.recipe->grades.back().get();
  };
  plan::GradeT *loss = add("loss", false, "coupled");
  loss->file = "net.dlm";
  loss->line = 14;
  loss->text = "x - mean(x)";
  loss->layer = "net.norm";
  add("accuracy", true, "sum");
  Result info = run({"info"});
  for (const char *text :
       {"\n  loss                 loss     coupled, from net.dlm:14 in `net.norm`: `x - mean(x)`\n",
        "\n  accuracy             metric   a sum over samples\n"})
    EXPECT_NE(info.out.find(text), std::string::npos) << text << "\n" << info.out;
  auto grades = run({"info", "--json"}).last()["grades"];
  ASSERT_EQ(grades.size(), 2u);
  EXPECT_EQ(grades[0]["grade"], "coupled");
  EXPECT_EQ(grades[0]["line"], 14);
  EXPECT_EQ(grades[1]["of"], "metrics");
}

TEST_F(TrainTest, InfoAndHelpTellWhatTheProgramIs) {
  Result info = run({"info"});
  EXPECT_EQ(info.status, 0);
  EXPECT_NE(info.out.find("hidden.weight"), std::string::npos) << info.out;
  EXPECT_TRUE(run({"info", "--json"}).last().is_object());
  EXPECT_NE(run({"info", "--plan"}).out.find("program grad (16 rows)"), std::string::npos);
  Result help = run({"--help"});
  EXPECT_EQ(help.status, 0);
  for (const char *text : {"--lr NUMBER", "learning rate (f32, default 0.001)", "--resume",
                           "width of the hidden layer (int, is 16)", "images"})
    EXPECT_NE(help.out.find(text), std::string::npos) << text << "\n" << help.out;
  EXPECT_EQ(run({"--version"}).status, 0);
}

TEST_F(TrainTest, BenchTimesEveryInstructionOfAStep) {
  Result json = run({"bench", "--steps", "3", "--threads", "2", "--json"});
  ASSERT_EQ(json.status, 0) << json.err;
  EXPECT_EQ(json.last()["step"]["steps"], 3);
  EXPECT_GT(json.last()["step"]["us"], 0);
  EXPECT_NE(json.out.find("\"name\":\"contract 16x144 * 144x16\""), std::string::npos) << json.out;
  EXPECT_NE(run({"bench", "--steps", "3", "--threads", "1"}).out.find("on 1 thread"),
            std::string::npos);
  EXPECT_NE(access((folder / "run").c_str(), F_OK), 0); // no checkpoint
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
