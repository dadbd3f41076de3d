// Stores and checkpoints: what is written whole, found again, passed over and removed.
#include "runtime/checkpoint/Checkpoints.h"
#include "runtime/store/FileStore.h"
#include "test/runtime/IdxFolder.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace dlm;
using namespace dlm::test;

namespace {

TEST(FileStore, KeepsWhatWasWritten) {
  TemporaryFolder folder;
  std::unique_ptr<Store> store = makeFileStore(folder / "a" + "/b/");
  EXPECT_TRUE((*store->list()).empty());
  ASSERT_TRUE(store->prepare().isOk());
  ASSERT_TRUE(store->write("two", {2, 2}).isOk());
  ASSERT_TRUE(store->write("one", {1}).isOk());
  ASSERT_TRUE(store->write("two", {3}).isOk());
  EXPECT_EQ(*store->list(), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(*store->read("two"), std::vector<uint8_t>{3});
  ASSERT_TRUE(store->remove("two").isOk());
  EXPECT_EQ(store->read("two").status().code(), Code::NotFound);
  EXPECT_EQ(store->location("one"), folder / "a" + "/b/one");
}

TEST(FileStore, HidesWritesThatWereCutOff) {
  TemporaryFolder folder;
  writeTestFile(folder / "x.tmp", {1});
  std::unique_ptr<Store> store = makeFileStore(folder.path);
  EXPECT_TRUE((*store->list()).empty());
}

TEST(FileStore, SaysWhyItCannotBeUsed) {
  TemporaryFolder folder;
  writeTestFile(folder / "file", {1});
  Status status = makeFileStore(folder / "file")->prepare();
  EXPECT_NE(status.message().find("Not a directory"), std::string::npos) << status.message();
  EXPECT_FALSE(makeFileStore(folder / "file" + "/below")->prepare().isOk());
  EXPECT_FALSE(makeFileStore("/proc/none")->prepare().isOk());
}

TEST(FileStore, HasOneWriter) {
  TemporaryFolder folder;
  std::unique_ptr<Store> first = makeFileStore(folder.path), second = makeFileStore(folder.path);
  ASSERT_TRUE(first->prepare().isOk());
  ASSERT_TRUE(first->write("one", {1}).isOk());
  Status status = second->prepare();
  EXPECT_NE(status.message().find("another run"), std::string::npos) << status.message();
  EXPECT_EQ(*second->list(), std::vector<std::string>{"one"});
  first.reset();
  EXPECT_TRUE(second->prepare().isOk());
}

/// A store in memory that can fail.
class MemoryStore : public Store {
public:
  Status prepare() override { return Status::ok(); }
  Expected<std::vector<std::string>> list() override {
    std::vector<std::string> keys;
    for (const auto &[key, bytes] : blobs)
      keys.push_back(key);
    return keys;
  }
  Expected<std::vector<uint8_t>> read(const std::string &key) override {
    auto found = blobs.find(key);
    return found == blobs.end() ? Expected<std::vector<uint8_t>>(notFound(key)) : found->second;
  }
  Status write(const std::string &key, const std::vector<uint8_t> &bytes) override {
    if (isFull) return Status::error(Code::NoSpace, "full");
    blobs[key] = bytes;
    return Status::ok();
  }
  Status remove(const std::string &key) override {
    blobs.erase(key);
    return Status::ok();
  }
  Expected<uint64_t> freeBytes() override { return uint64_t(0); }
  std::string location(const std::string &key) const override { return "memory/" + key; }

  std::map<std::string, std::vector<uint8_t>> blobs;
  bool isFull = false;
};

class CheckpointTest : public testing::Test {
protected:
  CheckpointTest() {
    state = {{"weight", DType::F32, {3}, weight, sizeof weight},
             {"step", DType::I64, {}, &step, sizeof step}};
  }
  CheckpointInfo at(int64_t count) {
    step = count;
    CheckpointInfo info;
    info.program = "p";
    info.sourceHash = "abc";
    info.step = count;
    info.attempt = count + 1;
    info.steps = 100;
    info.seed = ~uint64_t(0);
    info.batch = 64;
    info.micro = 16;
    info.options = {{"lr", 0.1}};
    return info;
  }
  void save(Checkpoints &checkpoints, int64_t count) {
    ASSERT_TRUE(checkpoints.save(at(count), state, notes).isOk());
  }
  std::vector<std::string> keysAfter(Checkpoints &checkpoints) { return *checkpoints.keys(); }

  MemoryStore store;
  float weight[3] = {1, 2, 3};
  int64_t step = 0;
  std::vector<StateBinding> state;
  std::vector<std::string> notes;
};

TEST_F(CheckpointTest, RestoresWhatWasSaved) {
  Checkpoints checkpoints(store, 2);
  save(checkpoints, 7);
  weight[1] = 0;
  step = 0;
  Expected<Checkpoints::Loaded> loaded = checkpoints.latest(notes);
  ASSERT_TRUE(loaded.isOk()) << loaded.status().message();
  EXPECT_EQ(loaded->info.attempt, 8);
  EXPECT_EQ(loaded->info.seed, ~uint64_t(0));
  EXPECT_EQ(loaded->info.options.at("lr"), 0.1);
  ASSERT_TRUE(Checkpoints::restore(*loaded, state).isOk());
  EXPECT_EQ(weight[1], 2);
  EXPECT_EQ(step, 7);
}

TEST_F(CheckpointTest, NamesCarryTheStep) {
  EXPECT_EQ(Checkpoints::keyOf(1234), "step-00001234.safetensors");
  EXPECT_EQ(Checkpoints::stepOf("step-00001234.safetensors"), 1234);
  EXPECT_EQ(Checkpoints::stepOf(Checkpoints::keyOf(123456789012)), 123456789012);
  for (const char *key : {"step-1234.safetensors", "step-0000123x.safetensors",
                          "step-00001234.safetensors.tmp", "notes", ""})
    EXPECT_EQ(Checkpoints::stepOf(key), -1) << key;
}

TEST_F(CheckpointTest, KeepsTheNewestAndNeverRemovesTheWorkOfOthers) {
  store.blobs["step-00000001.safetensors"] = {1, 2, 3};
  Checkpoints checkpoints(store, 2);
  for (int64_t count : {2, 3, 4, 5})
    save(checkpoints, count);
  EXPECT_EQ(keysAfter(checkpoints),
            (std::vector<std::string>{Checkpoints::keyOf(5), Checkpoints::keyOf(4),
                                      Checkpoints::keyOf(1)}));
}

TEST_F(CheckpointTest, AdoptsTheOlderOnesOfTheSameRun) {
  Checkpoints first(store, 3);
  for (int64_t count : {1, 2, 3})
    save(first, count);
  CheckpointInfo foreign = at(2);
  foreign.program = "other";
  ASSERT_TRUE(Checkpoints(store, 9).save(foreign, state, notes).isOk());
  Checkpoints second(store, 2);
  Expected<Checkpoints::Loaded> loaded = second.latest(notes);
  ASSERT_TRUE(second.adopt(*loaded).isOk());
  save(second, 4);
  EXPECT_EQ(keysAfter(second),
            (std::vector<std::string>{Checkpoints::keyOf(4), Checkpoints::keyOf(3),
                                      Checkpoints::keyOf(2)})); // the foreign one
}

TEST_F(CheckpointTest, EveryFlippedBitIsNoticed) {
  Checkpoints checkpoints(store, 2);
  save(checkpoints, 1);
  save(checkpoints, 2);
  std::vector<uint8_t> good = store.blobs[Checkpoints::keyOf(2)];
  int silent = 0;
  for (size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::vector<uint8_t> damaged = good;
    damaged[bit / 8] ^= uint8_t(1u << bit % 8);
    store.blobs[Checkpoints::keyOf(2)] = damaged;
    Expected<Checkpoints::Loaded> loaded = checkpoints.latest(notes);
    ASSERT_TRUE(loaded.isOk());
    silent += loaded->info.step == 2;
  }
  EXPECT_LE(silent, 64 * 8); // at most the blanks that pad the header
}

TEST_F(CheckpointTest, TellsWhenNothingIsWhole) {
  Checkpoints checkpoints(store, 2);
  EXPECT_EQ(checkpoints.latest(notes).status().message(), "there is no checkpoint in `memory/`");
  store.blobs["step-00000001.safetensors"] = {};
  EXPECT_EQ(checkpoints.latest(notes).status().message(),
            "none of the 1 checkpoints in `memory/` can be used");
  EXPECT_EQ(notes.size(), 1u);
}

TEST_F(CheckpointTest, AFailedSaveKeepsTheOneBefore) {
  Checkpoints checkpoints(store, 1);
  save(checkpoints, 1);
  store.isFull = true;
  EXPECT_EQ(checkpoints.save(at(2), state, notes).code(), Code::NoSpace);
  EXPECT_EQ(checkpoints.lastSaved(), Checkpoints::keyOf(1));
  EXPECT_TRUE(store.blobs.count(Checkpoints::keyOf(1)));
}

TEST_F(CheckpointTest, ANewShapeOrNameIsRefusedAndNothingIsCopied) {
  Checkpoints checkpoints(store, 1);
  save(checkpoints, 1);
  Expected<Checkpoints::Loaded> loaded = checkpoints.latest(notes);
  weight[0] = 9;
  std::vector<StateBinding> other = state;
  other[1].name = "count";
  EXPECT_EQ(Checkpoints::restore(*loaded, other).message(),
            "the checkpoint has no `count`, which this program needs");
  other = {state[0]};
  EXPECT_EQ(Checkpoints::restore(*loaded, other).message(),
            "the checkpoint has `step`, which this program does not have");
  other = state;
  other[0].shape = {1, 3};
  EXPECT_EQ(Checkpoints::restore(*loaded, other).message(),
            "`weight` is F32[3] in the checkpoint and F32[1, 3] in this program");
  EXPECT_EQ(weight[0], 9);
}

} // namespace
