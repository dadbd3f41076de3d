// Checkpoints on disks that fail, in processes that die, and the thread that writes them.
#include "runtime/checkpoint/SaveThread.h"
#include "runtime/store/FileStore.h"
#include "test/runtime/FailingCalls.h"
#include "test/runtime/IdxFolder.h"
#include "test/runtime/MemoryStore.h"

#include <future>
#include <gtest/gtest.h>

using namespace dlm;
using namespace dlm::test;

namespace {

/// Saves twice, by a process that dies before file call `call` of the second save; false if that
/// has fewer calls.
bool diesInSecondSave(SmallRun &run, const std::string &folder, int call) {
  FailingCalls calls;
  std::unique_ptr<Store> store = makeFileStore(folder, calls);
  Checkpoints checkpoints(*store, 1);
  EXPECT_TRUE(run.save(checkpoints, 1).isOk());
  calls.failFrom(call, EIO);
  Status status = run.save(checkpoints, 2);
  return calls.hasFailed();
}

/// Whatever call fails, and for whatever reason, the newest checkpoint that is found is whole: the
/// one before, or the one that was being written.
TEST(CheckpointFaults, EveryCallMayFail) {
  for (int error : {ENOSPC, EIO, EDQUOT}) {
    for (int call = 0;; ++call) {
      TemporaryFolder folder;
      SmallRun run;
      FailingCalls calls;
      std::unique_ptr<Store> store = makeFileStore(folder.path, calls);
      Checkpoints checkpoints(*store, 1);
      ASSERT_TRUE(run.save(checkpoints, 1).isOk());
      calls.failOnce(call, error);
      Status status = run.save(checkpoints, 2);
      if (!calls.hasFailed()) {
        EXPECT_GT(call, 8) << "fewer calls than a save makes";
        ASSERT_TRUE(status.isOk());
        break;
      }
      Expected<Checkpoints::Loaded> latest = checkpoints.latest(run.notes);
      ASSERT_TRUE(latest.isOk()) << call;
      EXPECT_TRUE(!status.isOk() || latest->manifest.step == 2) << call;
      EXPECT_TRUE(run.save(checkpoints, 3).isOk()) << call;
      EXPECT_EQ(checkpoints.latest(run.notes)->manifest.step, 3);
    }
  }
}

/// A death between the two renames leaves tensors without a manifest, which a resume brings to
/// their end: else nobody would ever remove them.
TEST(CheckpointFaults, ADeathBetweenTheRenamesLosesNothing) {
  int finished = 0;
  for (int call = 0;; ++call) {
    TemporaryFolder folder;
    SmallRun run;
    if (!diesInSecondSave(run, folder.path, call)) break;
    std::unique_ptr<Store> store = makeFileStore(folder.path);
    Checkpoints checkpoints(*store, 1);
    size_t before = checkpoints.names()->size();
    ASSERT_TRUE(checkpoints.finishCutOff().isOk());
    finished += checkpoints.names()->size() > before;
    std::vector<std::string> parts = checkpoints.parts().take();
    for (const std::string &key : parts)
      EXPECT_TRUE(std::count(parts.begin(), parts.end(), Checkpoints::nameIn(key) + ".json"))
          << key << " has no manifest after call " << call;
    Expected<Checkpoints::Loaded> latest = checkpoints.latest(run.notes);
    ASSERT_TRUE(latest.isOk()) << call;
  }
  EXPECT_EQ(finished, 1);
}

TEST(CheckpointFaults, OnlyTheManifestOfTheTensorsFinishesThem) {
  for (bool isOfThem : {true, false}) {
    TemporaryFolder folder;
    SmallRun run;
    std::unique_ptr<Store> store = makeFileStore(folder.path);
    Checkpoints checkpoints(*store, 3);
    ASSERT_TRUE(run.save(checkpoints, 7).isOk());
    std::string tensors = folder / "step-00000007.safetensors";
    ASSERT_EQ(
        rename((folder / "step-00000007.json").c_str(), (folder / "being-written-1.tmp").c_str()),
        0);
    std::vector<uint8_t> bytes = *readFileBytes(tensors);
    if (!isOfThem) bytes.back() ^= 1;
    writeTestFile(tensors, bytes);
    EXPECT_TRUE(checkpoints.finishCutOff().isOk());
    EXPECT_EQ(checkpoints.names()->size(), isOfThem ? 1u : 0u);
    EXPECT_EQ(*readFileBytes(tensors), bytes);
  }
}

/// The process may die before any of its calls; the machine goes on.
TEST(CheckpointFaults, ADeathAtAnyCallLeavesAWholeOne) {
  for (int call = 0;; ++call) {
    TemporaryFolder folder;
    SmallRun run;
    if (!diesInSecondSave(run, folder.path, call)) break;
    std::unique_ptr<Store> store = makeFileStore(folder.path);
    Checkpoints checkpoints(*store, 1);
    Expected<Checkpoints::Loaded> latest = checkpoints.latest(run.notes);
    ASSERT_TRUE(latest.isOk()) << call;
    ASSERT_TRUE(checkpoints.adopt(latest->name, latest->manifest).isOk());
    ASSERT_TRUE(run.save(checkpoints, 2).isOk()) << call;
    ASSERT_TRUE(run.save(checkpoints, 3).isOk()) << call;
    EXPECT_EQ(*checkpoints.names(), std::vector<std::string>{"step-00000003"}) << call;
  }
}

TEST(CheckpointFaults, ShortWritesAreCompleted) {
  TemporaryFolder folder;
  SmallRun run;
  FailingCalls calls;
  calls.bytesAtOnce = 7;
  std::unique_ptr<Store> store = makeFileStore(folder.path, calls);
  Checkpoints checkpoints(*store, 1);
  ASSERT_TRUE(run.save(checkpoints, 1).isOk());
  EXPECT_TRUE(checkpoints.latest(run.notes).isOk());
}

TEST(SaveThread, WaitsNoLongerThanItIsTold) {
  SaveThread thread;
  EXPECT_TRUE(thread.wait(0));
  std::promise<void> gate;
  thread.start([opened = gate.get_future().share()] {
    opened.wait();
    return notFound("late");
  });
  EXPECT_FALSE(thread.wait(1));
  EXPECT_TRUE(thread.isBusy());
  gate.set_value();
  EXPECT_TRUE(thread.wait(60000));
  EXPECT_EQ(thread.result().message(), "late");
}

TEST(SaveThread, P24_AJobThatHangsDoesNotHoldUpTheEnd) {
  auto gate = std::make_shared<std::promise<void>>();
  auto ended = std::make_shared<std::promise<void>>();
  std::future<void> end = ended->get_future();
  {
    SaveThread thread;
    thread.start([gate, ended] {
      gate->get_future().wait();
      ended->set_value();
      return Status::ok();
    });
  }
  gate->set_value();
  end.wait();
}

} // namespace
