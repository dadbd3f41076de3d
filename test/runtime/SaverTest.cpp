// Saving while the run goes on: what a saver does when its store is slow, hangs or is too small,
// and what it says has changed between two runs.
#include "runtime/launch/RunIdentity.h"
#include "runtime/launch/RunSaver.h"
#include "test/runtime/IdxFolder.h"
#include "test/runtime/MemoryStore.h"

#include <future>
#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace dlm;
using namespace dlm::test;

namespace {

/// Writes only when its gate is open.
class GatedStore : public MemoryStore {
public:
  explicit GatedStore(std::shared_future<void> gate) : gate(std::move(gate)) {}
  Status write(const std::vector<Blob> &list) override {
    gate.wait();
    return MemoryStore::write(list);
  }
  Expected<uint64_t> freeBytes() override { return room; }
  uint64_t room = 1 << 20;

private:
  std::shared_future<void> gate;
};

class SaverTest : public testing::Test, public SmallRun {
protected:
  SaverTest() {
    auto made = std::make_unique<GatedStore>(gate.get_future().share());
    store = made.get();
    saver = std::make_unique<RunSaver>(std::move(made), 2);
  }
  void begin() { saver->begin(manifest, state); }
  Status start(int64_t count, bool isLight = false) {
    step = manifest.step = count;
    return saver->start(manifest, isLight);
  }

  std::promise<void> gate;
  GatedStore *store; // the saver's
  std::unique_ptr<RunSaver> saver;
};

TEST_F(SaverTest, P26_TheStateMayChangeWhileItIsWritten) {
  begin();
  weight[1] = 5;
  ASSERT_TRUE(start(1).isOk());
  weight[1] = 6;
  EXPECT_FALSE(saver->take());
  gate.set_value();
  ASSERT_TRUE(saver->waitUntilFree());
  std::optional<SaveResult> result = saver->take();
  ASSERT_TRUE(result && result->status.isOk());
  EXPECT_FALSE(saver->take()) << "told twice";
  EXPECT_EQ(saver->lastLocation(), "memory/step-00000001.safetensors");
  Expected<Checkpoints::Loaded> loaded = saver->checkpoints().latest(notes);
  ASSERT_TRUE(Checkpoints::restore(*loaded, state).isOk());
  EXPECT_EQ(weight[1], 5);
}

TEST_F(SaverTest, P24_ASaveThatHangsIsGivenUpOn) {
  saver->setDeadlineMs(1);
  begin();
  ASSERT_TRUE(start(1).isOk());
  EXPECT_FALSE(saver->waitUntilFree());
  EXPECT_EQ(saver->nameUnderWay(), "step-00000001");
  EXPECT_EQ(saver->lastLocation(), "");
  saver.reset(); // does not wait
  gate.set_value();
}

TEST_F(SaverTest, MetricsAreAddedToTheCheckpointOfTheirStepOnly) {
  gate.set_value();
  begin();
  ASSERT_TRUE(start(4).isOk());
  ASSERT_TRUE(saver->waitUntilFree());
  ASSERT_TRUE(saver->take()->status.isOk());
  Manifest measured;
  measured.step = 5;
  measured.metrics = {{"validation", {4, {{"accuracy", 0.75}}}}};
  saver->amend(measured);
  EXPECT_TRUE(saver->isFree());
  EXPECT_FALSE(saver->take());
  measured.step = 4;
  saver->amend(measured);
  ASSERT_TRUE(saver->waitUntilFree());
  EXPECT_TRUE(saver->take()->isAmendment);
  EXPECT_EQ(saver->checkpoints().latest(notes)->manifest.metrics.count("validation"), 1u);
}

TEST_F(SaverTest, P23_RoomIsAskedForBeforeTheFirstStep) {
  std::vector<std::string> notes;
  begin();
  EXPECT_TRUE(saver->checkRoom({100, 100}, false, notes).isOk());
  store->room = 1000;
  Status status = saver->checkRoom({100, 100}, false, notes);
  EXPECT_EQ(status.code(), Code::NoSpace);
  for (const char *text : {"`memory/` has 1.0 kB of free space", "needs 24.6 kB there",
                           "3 checkpoints of 8.2 kB", "--to DIR", "keep = 1"})
    EXPECT_NE(status.message().find(text), std::string::npos) << status.message();
  status = saver->checkRoom({1, 1}, false, notes);
  EXPECT_NE(status.message().find("1 checkpoint of"), std::string::npos);
  EXPECT_TRUE(notes.empty());
}

TEST_F(SaverTest, RoomIsAskedForAsMuchAsIsWritten) {
  begin();
  gate.set_value();
  ASSERT_TRUE(start(1).isOk());
  ASSERT_TRUE(saver->waitUntilFree());
  uint64_t written = 0;
  for (const auto &[key, bytes] : store->blobs)
    written += bytes.size();
  std::vector<std::string> notes;
  store->room = written;
  EXPECT_EQ(saver->checkRoom({1, 1}, false, notes).code(), Code::NoSpace);
  store->room = written + 2 * 4096 + 2048; // whole blocks, and what will be measured
  EXPECT_TRUE(saver->checkRoom({1, 1}, false, notes).isOk());
}

TEST(SaveCounts, AreCertainWhereSavesAndTheRunGoByTheSame) {
  RunSchedule schedule;
  schedule.batch = 10;
  schedule.steps = 100;
  schedule.checkpoint.samples = 300;
  EXPECT_EQ(saveCounts(schedule, 40).certain, 3);
  EXPECT_EQ(saveCounts(schedule, 40).most, 3);
  schedule.keepsBest = true; // any step may be a new best
  EXPECT_EQ(saveCounts(schedule, 40).certain, 3);
  EXPECT_EQ(saveCounts(schedule, 40).most, 60);
  schedule.keepsBest = false;
  schedule.checkpoint = {};
  schedule.checkpoint.ms = 600000;
  EXPECT_EQ(saveCounts(schedule, 40).certain, 1);
  EXPECT_EQ(saveCounts(schedule, 40).most, 60);
  schedule.steps = 0;
  schedule.durationMs = 1500000;
  EXPECT_EQ(saveCounts(schedule, 40).certain, 3);
  schedule.checkpoint = {};
  schedule.checkpoint.samples = 300;
  EXPECT_EQ(saveCounts(schedule, 40).certain, 1);
  EXPECT_EQ(saveCounts(schedule, 40).most, INT64_MAX);
}

TEST_F(SaverTest, RoomThatMayBeNeededIsWarnedOf) {
  std::vector<std::string> notes;
  begin();
  store->room = 9000; // of one checkpoint
  EXPECT_TRUE(saver->checkRoom({1, INT64_MAX}, false, notes).isOk());
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("this run may come to need 24.6 kB there: 3 checkpoints of 8.2 kB"),
            std::string::npos)
      << notes[0];
  notes.clear();
  EXPECT_TRUE(saver->checkRoom({1, 1}, false, notes).isOk());
  EXPECT_TRUE(notes.empty());
}

/// What has changed between what was saved and what is to go on.
class ChangesTest : public SmallRun, public testing::Test {
protected:
  std::string changes() {
    std::string text;
    for (const std::string &change : changesSince(SmallRun().manifest, manifest))
      text += change + "\n";
    return text;
  }
};

TEST_F(ChangesTest, AreNone) { EXPECT_EQ(changes(), ""); }

TEST_F(ChangesTest, OfOptionsAreNamedWithBothValues) {
  manifest.resolved = {{"option", "lr", "0.2", "command line"},
                       {"setting", "duration", "5 epochs", "program"}};
  EXPECT_EQ(changes(), "option `lr` was 0.1 and is now 0.2 (command line)\n"
                       "setting `duration` is new: 5 epochs\n");
}

TEST_F(ChangesTest, OfSourcesAreNamedWithTheirLine) {
  manifest.sourceHash = "abd";
  manifest.sources[0] = {"/elsewhere/p.dlm", "train p {\n  2 }\n"};
  EXPECT_EQ(changes(), "source `/elsewhere/p.dlm` differs from line 2 on\n");
  manifest.sources.push_back({"parts.dlm", ""});
  manifest.sources[0] = SmallRun().manifest.sources[0];
  EXPECT_EQ(changes(), "source `parts.dlm` is new\n");
  manifest.sources = {};
  EXPECT_EQ(changes(), "source `p.dlm` is no longer part of it\n");
}

TEST_F(ChangesTest, OfTheLibraryAreTheCompilers) {
  manifest.sourceHash = "abd";
  manifest.build = "dlmc 2";
  EXPECT_NE(changes().find("is now by dlmc 2, which has another library"), std::string::npos);
}

TEST_F(ChangesTest, OfDataAreNamedWithTheirFile) {
  manifest.data[0].xxh3 = "0123456789abcdee";
  EXPECT_EQ(changes(), "data file `train.csv` has other content\n");
  manifest.data[0].sizeBytes = 18;
  EXPECT_EQ(changes(), "data file `train.csv` had 17 bytes and now has 18\n");
  manifest.data[0].name = "other.csv";
  EXPECT_EQ(changes(), "data file `other.csv` is new\ndata file `train.csv` is gone\n");
}

TEST(DataIdentity, NamesTheFilesOfASource) {
  TemporaryFolder folder;
  writeTestFile(folder / "b.csv", {'1', '\n'});
  writeTestFile(folder / "a.csv", {'2', '\n', '\n'});
  std::vector<DataFile> files =
      identifyFiles({"csv", {folder / "b.csv", "", folder / "a.csv", folder / "b.csv"}}).take();
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].name, "a.csv");
  EXPECT_EQ(files[0].sizeBytes, 3u);
  EXPECT_EQ(files[1].xxh3, xxh3Text("1\n", 2));
}

TEST(DataIdentity, OfAPatternIsThatOfEachFile) {
  TemporaryFolder folder;
  writeTestFile(folder / "a.tokens", {1});
  writeTestFile(folder / "b.tokens", {2});
  EXPECT_EQ(identifyFiles({"tokens", {folder / "*.tokens"}}).take().size(), 2u);
}

TEST(DataIdentity, CanBeInterrupted) {
  TemporaryFolder folder;
  writeTestFile(folder / "a.csv", {1});
  std::atomic<bool> cancel{true};
  EXPECT_EQ(identifyFiles({"csv", {folder / "a.csv"}}, &cancel).status().code(), Code::Interrupted);
}

TEST(DataIdentity, ComparesWhatIsThereWithWhatWas) {
  std::vector<DataFile> then = {{"a", 1, "x"}, {"b", 2, "y"}};
  EXPECT_TRUE(otherContent(then, then, false).empty());
  EXPECT_TRUE(otherContent(then, {{"b", 2, "y"}, {"c", 3, "z"}}, false).empty());
  EXPECT_EQ(otherContent(then, {{"b", 2, "x"}}, false),
            std::vector<std::string>{"data file `b` has other content"});
  EXPECT_EQ(otherContent(then, {{"b", 3, "x"}}, true),
            std::vector<std::string>{"data file `b` had 2 bytes and now has 3"});
  EXPECT_TRUE(otherContent(then, {{"moved", 2, "y"}}, true).empty());
  EXPECT_EQ(
      otherContent(then, {{"moved", 2, "z"}}, true),
      std::vector<std::string>{"data file `moved` is none of those that it was compiled for"});
}

TEST(DataIdentity, SumsManyFilesTogether) {
  TemporaryFolder folder;
  SourcePaths source{"images", {folder.path}};
  for (int i = 0; i < 300; ++i) {
    if (i % 100 == 0) mkdir((folder / std::to_string(i / 100)).c_str(), 0777);
    writeTestFile(folder / std::to_string(i / 100) + "/" + std::to_string(i), {uint8_t(i)});
  }
  std::vector<DataFile> before = identifyFiles(source).take();
  ASSERT_EQ(before.size(), 1u);
  EXPECT_EQ(before[0].name, "300 files");
  EXPECT_EQ(before[0].sizeBytes, 300u);
  writeTestFile(folder / "2/299", {1});
  EXPECT_NE(identifyFiles(source).take()[0].xxh3, before[0].xxh3);
}

} // namespace
