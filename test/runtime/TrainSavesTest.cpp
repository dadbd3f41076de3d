// Runs that are stopped, killed and resumed, with damaged checkpoints, changed programs and full
// disks. The same bits must come out, or a sentence that says why not.
#include "runtime/base/FileBytes.h"
#include "runtime/base/Safetensors.h"
#include "runtime/launch/StopSignal.h"
#include "test/runtime/TrainFixture.h"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace dlm;
using namespace dlm::test;

namespace {

class TrainSavesTest : public TrainTest {};

TEST_F(TrainSavesTest, KilledAndResumedGivesTheSameBits) {
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

TEST_F(TrainSavesTest, P31_SigtermSavesAndEndsWithItsStatus) {
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

TEST_F(TrainSavesTest, AClosedTerminalSavesToo) {
  made.plan.recipe->checkpoint_every = steps(7);
  int status =
      runAndSignal({"train", "--steps", "100000000", "--to", folder / "cut"}, SIGHUP, "cut", 7);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGHUP);
  EXPECT_GE(newestStep("cut"), 7);
}

TEST_F(TrainSavesTest, UnderNohupAClosedTerminalIsIgnored) {
  auto previous = std::signal(SIGHUP, SIG_IGN);
  {
    StopSignal stop;
    std::raise(SIGHUP);
    EXPECT_EQ(stop.number().load(), 0);
  }
  std::signal(SIGHUP, previous);
}

TEST_F(TrainSavesTest, FinishedRunsSaySo) {
  ASSERT_EQ(run({"train", "--steps", "10"}).status, 0);
  Result again = run({"train", "--resume", "--json"});
  EXPECT_EQ(again.status, 0);
  EXPECT_TRUE(again.says("0 steps are left to do: the run is finished")) << again.err; // P19
  EXPECT_EQ(again.last()["final"]["step"], 10);
}

TEST_F(TrainSavesTest, ASecondRunDoesNotOverwriteTheFirst) {
  ASSERT_EQ(run({"train", "--steps", "10"}).status, 0);
  Result again = run({"train", "--steps", "10"});
  EXPECT_EQ(again.status, 1);
  EXPECT_TRUE(again.says("--resume goes on with it, --to DIR starts one elsewhere")) << again.err;
}

TEST_F(TrainSavesTest, WhatWouldChangeTheSamplesIsRefusedAtResume) {
  ASSERT_EQ(run({"train", "--steps", "10", "--lr", "0.01"}).status, 0);
  Result batch = run({"train", "--resume", "--batch_size", "32"});
  EXPECT_EQ(batch.status, 1);
  EXPECT_TRUE(batch.says("started with batches of 16 samples")) << batch.err;
  Result seed = run({"train", "--resume", "--seed", "7"});
  EXPECT_EQ(seed.status, 1);
  EXPECT_TRUE(seed.says("started with seed 1")) << seed.err;
  made.plan.recipe->name = "other";
  EXPECT_TRUE(run({"train", "--resume"}).says("is of the program `hand_made_mlp`"));
}

TEST_F(TrainSavesTest, ADamagedNewestCheckpointFallsBack) {
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

TEST_F(TrainSavesTest, KeepsTheNewestCheckpointsAndForeignFiles) {
  mkdir((folder / "run").c_str(), 0777);
  writeTestFile(folder / "run" + "/notes.txt", {1});
  ASSERT_EQ(run({"train", "--steps", "55"}).status, 0);
  EXPECT_FALSE(exists("run", 30));
  EXPECT_TRUE(exists("run", 40));
  EXPECT_TRUE(exists("run", 50));
  EXPECT_TRUE(exists("run", 55));
  EXPECT_EQ(access((folder / "run" + "/notes.txt").c_str(), F_OK), 0);
}

TEST_F(TrainSavesTest, DataOfAnotherContentThanCompiledForNeedsConsent) {
  auto before = std::make_unique<plan::DataFileT>();
  before->name = "train-labels-idx1-ubyte.gz";
  before->xxh3 = "0123456789abcdef";
  before->size_bytes = 17;
  made.plan.recipe->data->files.push_back(std::move(before));
  Result changed = run({"train", "--steps", "1"});
  EXPECT_EQ(changed.status, 1);
  EXPECT_TRUE(changed.says("has changed since the program was compiled:\n  data file "
                           "`train-labels-idx1-ubyte.gz` had 17 bytes and now has"))
      << changed.err;
  Result accepted = run({"train", "--steps", "1", "--accept-changes"});
  EXPECT_EQ(accepted.status, 0) << accepted.err;
  EXPECT_TRUE(accepted.says("note: since the program was compiled: data file")) << accepted.err;
  Result eval = run({"eval"});
  EXPECT_EQ(eval.status, 1);
  EXPECT_TRUE(eval.says("has changed since the program was compiled")) << eval.err;
  EXPECT_EQ(run({"eval", "--accept-changes"}).status, 0);
  // Who names other data means it.
  std::string name = made.plan.recipe->data->name;
  EXPECT_EQ(run({"eval", "--data", name + "=" + folder.path}).status, 0);
}

TEST_F(TrainSavesTest, ALengthBelowTheCheckpointIsRefused) {
  ASSERT_EQ(run({"train", "--steps", "20"}).status, 0);
  Result shorter = run({"train", "--resume", "--steps", "15"});
  EXPECT_EQ(shorter.status, 1);
  EXPECT_TRUE(shorter.says("it is of step 20, and a run of 15 steps (--steps) ends before it"))
      << shorter.err;
  EXPECT_FALSE(shorter.says("0 steps are left")) << shorter.err;
  EXPECT_FALSE(shorter.says("was to end")) << shorter.err;
  Result same = run({"train", "--resume", "--steps", "20"});
  EXPECT_EQ(same.status, 0);
  EXPECT_TRUE(same.says("0 steps are left to do")) << same.err;
}

TEST_F(TrainSavesTest, ADurationInTimeIsRememberedAtAResume) {
  made.plan.recipe->duration = steps(1000000);
  ASSERT_EQ(run({"train", "--duration", "50 ms"}).status, 0);
  int64_t first = newestStep("run");
  ASSERT_GE(first, 1);
  Result resumed = run({"train", "--resume"});
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_GT(newestStep("run"), first);
  EXPECT_LT(newestStep("run"), 100000);
}

TEST_F(TrainSavesTest, WhatHasChangedIsNamedAndNeedsConsent) {
  made.plan.sources.push_back(std::make_unique<plan::SourceTextT>());
  made.plan.sources[0]->path = "mlp.dlm";
  made.plan.sources[0]->text = "one\ntwo\n";
  made.plan.source_hash = {1};
  ASSERT_EQ(run({"train", "--steps", "10", "--lr", "0.01"}).status, 0);
  ASSERT_EQ(run({"train", "--resume", "--steps", "11"}).status, 0); // `lr` is the checkpoint's
  Result lr = run({"train", "--resume", "--steps", "12", "--lr", "0.5"});
  EXPECT_EQ(lr.status, 1);
  EXPECT_TRUE(lr.says("\n  option `lr` was 0.01 and is now 0.5 (command line)\n")) << lr.err;
  EXPECT_TRUE(lr.says("--accept-changes goes on all the same")) << lr.err;
  EXPECT_FALSE(exists("run", 12));
  made.plan.sources[0]->text = "one\n2\n";
  made.plan.source_hash = {2};
  made.plan.recipe->duration = steps(13);
  Result source = run({"train", "--resume"});
  EXPECT_EQ(source.status, 1);
  EXPECT_TRUE(source.says("source `mlp.dlm` differs from line 2 on")) << source.err;
  std::string images = folder / "t10k-images-idx3-ubyte.gz";
  std::vector<uint8_t> bytes = *readFileBytes(images);
  bytes.push_back(0);
  writeTestFile(images, bytes);
  Result all = run({"train", "--resume", "--lr", "0.5"});
  EXPECT_TRUE(all.says("data file `t10k-images-idx3-ubyte.gz` had ")) << all.err;
  bytes.pop_back();
  writeTestFile(images, bytes);
  Result accepted = run({"train", "--resume", "--accept-changes", "--lr", "0.5"});
  EXPECT_EQ(accepted.status, 0) << accepted.err;
  EXPECT_TRUE(accepted.says("note: option `lr` was 0.01 and is now 0.5")) << accepted.err;
  EXPECT_TRUE(accepted.says("was to end at step 11 and now ends at step 13"))
      << accepted.err; // P21
  EXPECT_TRUE(exists("run", 13));
}

TEST_F(TrainSavesTest, InfoListsCheckpoints) {
  ASSERT_EQ(run({"train", "--steps", "25"}).status, 0);
  std::string run10 = folder / "run" + "/step-00000010.safetensors";
  std::vector<uint8_t> bytes = checkpoint("run", 10);
  bytes.back() ^= 1;
  writeTestFile(run10, bytes);
  Result list = run({"info", "--from", folder / "run"});
  EXPECT_EQ(list.status, 0) << list.err;
  for (const char *text : {"step-00000025", "\n  train       ", "\n  test        ",
                           "cannot be used: `", "its checksum does not agree"})
    EXPECT_NE(list.out.find(text), std::string::npos) << text << list.out;
  Result json = run({"info", "--json", "--from", folder / "run"});
  EXPECT_EQ(json.last()["step"], 25) << json.out;
  EXPECT_GT(json.last()["metrics"]["test"]["accuracy"], 0);
  Result one = run({"info", "--from", folder / "run" + "/step-00000025.safetensors"});
  for (const char *text : {"step           25 of 25", "option `lr`", "train-images-idx3-ubyte.gz",
                           "is the one that wrote it"})
    EXPECT_NE(one.out.find(text), std::string::npos) << text << one.out;
  Result damaged = run({"info", "--from", run10});
  EXPECT_EQ(damaged.status, 1);
  EXPECT_TRUE(damaged.says("its checksum does not agree")) << damaged.err;
}

TEST_F(TrainSavesTest, LightCheckpointsCanBeEvaluatedAndNotResumed) {
  made.plan.recipe->checkpoint_every = steps(20);
  made.plan.recipe->checkpoint_light = steps(7);
  int status =
      runAndSignal({"train", "--steps", "100000000", "--to", folder / "cut"}, SIGKILL, "cut", 20);
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_EQ(run({"train", "--steps", "28", "--to", folder / "small"}).status, 0);
  EXPECT_EQ(access((folder / "small" + "/light-00000021.json").c_str(), F_OK), -1); // 28 is newer
  EXPECT_TRUE(exists("small", 20) && exists("small", 28));
  Result eval = run({"eval", "--from", folder / "cut", "--json"});
  EXPECT_EQ(eval.status, 0) << eval.err;
  EXPECT_GE(eval.last()["final"]["step"], newestStep("cut"));
}

/// The machine's clock, which does something at a certain question: once training is under way.
class ActingClock : public Clock {
public:
  explicit ActingClock(std::function<void()> act, int question = 60)
      : act(std::move(act)), question(question) {}
  int64_t monotonicNs() override {
    if (++asked == question) act();
    return systemClock().monotonicNs();
  }
  int64_t wallNs() override { return systemClock().wallNs(); }
  void sleepUntil(int64_t deadlineNs) override { systemClock().sleepUntil(deadlineNs); }

private:
  std::function<void()> act;
  int question, asked = 0;
};

/// Files that are larger than a limit cannot be written, from some step on.
class FullDiskTest : public TrainTest {
protected:
  FullDiskTest() : clock([this] { limit(20000); }) { getrlimit(RLIMIT_FSIZE, &before); }
  ~FullDiskTest() override { setrlimit(RLIMIT_FSIZE, &before); }
  void limit(rlim_t bytes) {
    struct rlimit limited = before;
    limited.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limited);
  }
  struct rlimit before;
  ActingClock clock;
};

TEST_F(FullDiskTest, P22_AFailedSaveIsLoudAndKeepsTheOneBefore) {
  ASSERT_EQ(run({"train", "--steps", "10"}).status, 0);
  std::vector<uint8_t> good = checkpoint("run", 10);
  Result result = run({"train", "--resume", "--steps", "45"}, &clock);
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(result.says("checkpoint write failed")) << result.err;
  EXPECT_TRUE(result.says("keeping `")) << result.err;
  EXPECT_TRUE(result.says("training goes on")) << result.err;
  EXPECT_TRUE(result.says("the last checkpoint could not be written")) << result.err;
  EXPECT_NE(result.out.find("finished: 45 steps"), std::string::npos) << result.out;
  EXPECT_EQ(checkpoint("run", 10), good);
  EXPECT_FALSE(exists("run", 45));
}

TEST_F(TrainSavesTest, TheSearchForWhatIsNotFiniteCanBeLeft) {
  std::vector<std::string> arguments = {"train", "--steps", "50", "--lr", "1e38", "--to"};
  auto outcome = [&](const std::string &to, Clock *clock) {
    std::vector<std::string> all = arguments;
    all.push_back(folder / to);
    return run(all, clock);
  };
  const char *found = "In the last of them", *ended = "4 updates in a row were skipped";
  Result whole = outcome("whole", nullptr);
  ASSERT_TRUE(whole.says(ended) && whole.says(found)) << whole.err;
  bool isLeft = false; // by a signal in the last of these updates
  for (int question = 20; !isLeft && question < 120; ++question) {
    ActingClock clock([] { std::raise(SIGTERM); }, question);
    Result result = outcome("stopped" + std::to_string(question), &clock);
    isLeft = result.says("stopping, with") && result.says(ended) && !result.says(found);
  }
  EXPECT_TRUE(isLeft);
}

TEST_F(FullDiskTest, P23_IsNoticedBeforeTheFirstStep) {
  limit(20000);
  Result result = run({"train", "--steps", "25", "--to", folder / "small"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(result.says("there is no room for 3 checkpoints: ")) << result.err;
  EXPECT_EQ(result.out.find("step "), std::string::npos) << result.out;
  EXPECT_EQ(access((folder / "small").c_str(), F_OK), -1) << "an empty folder stays";
}

/// Evaluations are compared, in a run whose loss on the test data goes up and down.
class BestTest : public TrainTest {
protected:
  BestTest() {
    plan::RecipeT &recipe = *made.plan.recipe;
    recipe.data->validation_count = 203; // cut from the training samples
    recipe.data->train_count = TrainCount - 203;
    recipe.evaluate_every = steps(4);
    recipe.checkpoint_every = steps(10);
    recipe.checkpoint_keep = 1;
    recipe.keep_best = "loss";
    recipe.duration = steps(60);
  }

  /// Steps and losses of the evaluations on the way, in a run as JSON.
  static std::vector<std::pair<int64_t, double>> evaluations(const Result &result) {
    std::vector<std::pair<int64_t, double>> found;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
      Json json = Json::parse(line, nullptr, false);
      if (json.contains("step") && json.contains("validation"))
        found.emplace_back(json["step"], json["validation"]["loss"]);
    }
    return found;
  }

  static std::vector<std::string> hot(const std::string &to) {
    return {"train", "--json", "--lr", "0.2", "--to", to}; // so that it gets worse at times
  }
};

TEST_F(BestTest, TheBestCheckpointStaysAndIsNamed) {
  made.plan.recipe->keeps_largest = true; // which is early
  Result result = run(hot(folder / "run"));
  ASSERT_EQ(result.status, 0) << result.err;
  auto all = evaluations(result);
  ASSERT_EQ(all.size(), 15u) << result.out;
  auto best = std::max_element(all.begin(), all.end(),
                               [](const auto &a, const auto &b) { return a.second < b.second; });
  Json final = result.last()["final"];
  EXPECT_EQ(final["best"]["step"], best->first);
  EXPECT_EQ(final["best"]["loss"], best->second);
  ASSERT_LT(best->first, 60) << "this run gets worse to its end, and shows nothing";
  EXPECT_TRUE(exists("run", best->first) && exists("run", 60));
  EXPECT_EQ(final["best"]["checkpoint"],
            folder / "run" + "/" + Checkpoints::nameOf(best->first) + ".safetensors");
  Result eval = run({"eval", "--json", "--from", folder / "run" + "/best"});
  ASSERT_EQ(eval.status, 0) << eval.err;
  EXPECT_EQ(eval.last()["final"]["step"], best->first);
  EXPECT_EQ(eval.last()["final"]["validation"]["loss"], best->second);
  EXPECT_EQ(run({"eval", "--json", "--from", "best"}).last()["final"]["step"], best->first);
  Result list = run({"info", "--from", folder / "run"});
  EXPECT_NE(list.out.find("  best\n"), std::string::npos) << list.out;
  EXPECT_EQ(run({"info", "--from", "best"}).status, 0);
  Result text = run({"train", "--lr", "0.2", "--to", folder / "text"});
  EXPECT_NE(
      text.out.find("the loss on validation was largest after step " + std::to_string(best->first)),
      std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("eval --from " + (folder / "text") + "/best"), std::string::npos);
}

TEST_F(BestTest, AStoppedOrKilledRunComesToTheSameBestAndTheSameBits) {
  made.plan.recipe->duration = steps(1500);
  made.plan.recipe->evaluate_every = steps(20);
  made.plan.recipe->checkpoint_every = steps(50);
  Json whole = run(hot(folder / "whole")).last()["final"];
  std::vector<std::string> goOn = hot(folder / "cut");
  goOn.emplace_back("--resume");
  for (auto [step, signal] : {std::pair{100, SIGTERM}, {400, SIGKILL}, {700, SIGTERM}})
    runAndSignal(goOn, signal, "cut", step);
  EXPECT_LT(newestStep("cut"), 1500) << "no signal came in time";
  Json cut = run(goOn).last()["final"];
  EXPECT_EQ(cut["best"]["step"], whole["best"]["step"]);
  EXPECT_EQ(cut["best"]["loss"], whole["best"]["loss"]);
  EXPECT_EQ(checkpoint("cut", 1500), checkpoint("whole", 1500));
  EXPECT_TRUE(exists("cut", whole["best"]["step"]));
  EXPECT_EQ(checkpoint("cut", whole["best"]["step"]), checkpoint("whole", whole["best"]["step"]));
}

TEST_F(BestTest, TheEvaluationThatAStopHasKeptFromBeingMadeMayBeTheBest) {
  made.plan.recipe->keeps_largest = true; // the loss falls: the first evaluation is the best
  made.plan.recipe->evaluate_every = steps(1);
  std::string to; // of a run that was stopped after its first step, before the evaluation
  for (int question = 1; to.empty() && question < 60; ++question) {
    std::string here = "stopped" + std::to_string(question);
    ActingClock clock([] { std::raise(SIGTERM); }, question);
    Result result = run({"train", "--json", "--to", folder / here}, &clock);
    ASSERT_EQ(result.status, 128 + SIGTERM) << result.err;
    if (newestStep(here) == 1 && evaluations(result).empty()) to = here;
  }
  ASSERT_FALSE(to.empty()) << "no signal came between the step and its evaluation";
  Result result = run({"train", "--json", "--resume", "--to", folder / to});
  ASSERT_EQ(result.status, 0) << result.err;
  Json best = result.last()["final"]["best"];
  EXPECT_EQ(best["step"], 1);
  EXPECT_EQ(best["checkpoint"], folder / to + "/step-00000001.safetensors");
  EXPECT_TRUE(exists(to, 1) && exists(to, 60));
  Result eval = run({"eval", "--json", "--from", folder / to + "/best"});
  ASSERT_EQ(eval.status, 0) << eval.err;
  EXPECT_EQ(eval.last()["final"]["validation"]["loss"], best["loss"]);
}

TEST_F(BestTest, PatienceEndsTheRunAndAResumeSaysSo) {
  made.plan.recipe->patience = steps(8);
  made.plan.recipe->duration = steps(4000);
  Result result = run(hot(folder / "run"));
  ASSERT_EQ(result.status, 0) << result.err;
  Json final = result.last()["final"];
  int64_t end = final["step"], best = final["best"]["step"];
  EXPECT_LT(end, 4000);
  EXPECT_EQ(end - best, 8);
  EXPECT_TRUE(result.says("for want of a new best within 8 steps")) << result.err;
  EXPECT_TRUE(exists("run", end) && exists("run", best));
  Result again = run({"train", "--json", "--resume", "--to", folder / "run"});
  EXPECT_EQ(again.status, 0);
  EXPECT_EQ(again.last()["final"]["step"], end);
  EXPECT_TRUE(again.says("for want of a new best within 8 steps")) << again.err;
}

TEST_F(BestTest, WithoutABestThereIsNoneToRead) {
  made.plan.recipe->keep_best = "";
  ASSERT_EQ(run({"train", "--steps", "5"}).status, 0);
  Result eval = run({"eval", "--from", "best"});
  EXPECT_EQ(eval.status, 1);
  EXPECT_TRUE(eval.says("keep_best = minimum(validation.loss)")) << eval.err;
}

TEST_F(BestTest, AnEvaluationOnTheWayMaySeeTheFirstBatches) {
  made.plan.recipe->evaluate_batches = 3; // of 16 samples: less than one batch of an evaluation
  Result result = run({"train", "--json", "--steps", "8", "--to", folder / "run"});
  ASSERT_EQ(result.status, 0) << result.err;
  auto some = evaluations(result);
  ASSERT_EQ(some.size(), 2u);
  EXPECT_NE(some[1].second, result.last()["final"]["validation"]["loss"]);
}

} // namespace
