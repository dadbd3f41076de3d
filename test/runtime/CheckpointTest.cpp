// Checkpoints in a store: what is written whole, found again, passed over and removed.
#include "test/runtime/MemoryStore.h"

#include <gtest/gtest.h>

using namespace dlm;
using namespace dlm::test;

namespace {

class CheckpointTest : public testing::Test, public SmallRun {
protected:
  using Names = std::vector<std::string>;

  void saveAll(Checkpoints &checkpoints, std::vector<int64_t> steps) {
    for (int64_t count : steps)
      ASSERT_TRUE(save(checkpoints, count).isOk());
  }
  static Names namesOf(std::vector<int64_t> steps) {
    Names names;
    for (int64_t step : steps)
      names.push_back(Checkpoints::nameOf(step));
    return names;
  }
  std::vector<uint8_t> &tensorsOf(int64_t step) {
    return store.blobs[Checkpoints::tensorsKey(Checkpoints::nameOf(step))];
  }
  std::vector<uint8_t> &manifestOf(int64_t step) {
    return store.blobs[Checkpoints::manifestKey(Checkpoints::nameOf(step))];
  }

  MemoryStore store;
};

TEST_F(CheckpointTest, RestoresWhatWasSaved) {
  Checkpoints checkpoints(store, 2);
  saveAll(checkpoints, {7});
  weight[1] = 0;
  step = 0;
  Expected<Checkpoints::Loaded> loaded = checkpoints.latest(notes);
  ASSERT_TRUE(loaded.isOk()) << loaded.status().message();
  EXPECT_EQ(loaded->name, "step-00000007");
  EXPECT_EQ(loaded->manifest.attempt, 8);
  EXPECT_EQ(loaded->manifest.seed, ~uint64_t(0));
  EXPECT_EQ(loaded->manifest.options.at("lr"), 0.1);
  EXPECT_EQ(loaded->manifest.sources[0].text, manifest.sources[0].text);
  EXPECT_EQ(loaded->manifest.data[0].xxh3, "0123456789abcdef");
  EXPECT_EQ(loaded->manifest.metrics["test"].values["loss"], 1.0 / 3);
  ASSERT_TRUE(Checkpoints::restore(*loaded, state).isOk());
  EXPECT_EQ(weight[1], 2);
  EXPECT_EQ(step, 7);
}

TEST_F(CheckpointTest, NamesCarryTheStep) {
  EXPECT_EQ(Checkpoints::nameOf(1234), "step-00001234");
  EXPECT_EQ(Checkpoints::nameOf(1234, true), "light-00001234");
  EXPECT_EQ(Checkpoints::stepOf(Checkpoints::nameOf(123456789012)), 123456789012);
  EXPECT_EQ(Checkpoints::nameIn("step-00001234.safetensors"), "step-00001234");
  EXPECT_EQ(Checkpoints::nameIn("light-00001234.json"), "light-00001234");
  for (const char *key : {"step-1234.safetensors", "step-0000123x.safetensors", ".json",
                          "step-00001234.safetensors.tmp", "step-00001234", "notes", ""})
    EXPECT_EQ(Checkpoints::nameIn(key), "") << key;
}

TEST_F(CheckpointTest, P25_KeepsTheNewestAndNeverRemovesTheWorkOfOthers) {
  SmallRun other;
  other.manifest.run = "two";
  Checkpoints others(store, 9);
  ASSERT_TRUE(other.save(others, 1).isOk());
  Checkpoints checkpoints(store, 2);
  saveAll(checkpoints, {2, 3, 4, 5});
  EXPECT_EQ(*checkpoints.names(), namesOf({5, 4, 1}));
  EXPECT_EQ(store.blobs.size(), 6u);
}

/// A run that keeps its best.
class BestCheckpointTest : public CheckpointTest {
protected:
  Status saveBy(Checkpoints &saving, int64_t count, int64_t best) {
    step = manifest.step = count;
    manifest.best = BestMark{"accuracy", true, 0.5, best, count};
    Snapshot snapshot(stateBytes(state));
    EXPECT_TRUE(snapshot.take(state, Checkpoints::metadataOf(manifest)).isOk());
    return saving.save(manifest, snapshot, notes);
  }
  /// What a run that goes on takes up.
  void adopt(Checkpoints &goingOn) {
    Expected<Checkpoints::Loaded> latest = goingOn.latest(notes);
    ASSERT_TRUE(latest.isOk());
    ASSERT_TRUE(goingOn.adopt(latest->name, latest->manifest).isOk());
  }
  bool isThere(int64_t count) {
    return store.blobs.count(Checkpoints::tensorsKey(Checkpoints::nameOf(count))) > 0;
  }
};

TEST_F(BestCheckpointTest, TheBestMayBeFoundAfterItsCheckpointWasWritten) {
  for (bool isAmended : {true, false}) { // what is measured may fail to be written
    store.blobs.clear();
    Checkpoints first(store, 1, true);
    ASSERT_TRUE(saveBy(first, 1, 1).isOk());
    ASSERT_TRUE(saveBy(first, 2, 1).isOk());
    Checkpoints goingOn(store, 1, true);
    adopt(goingOn);
    EXPECT_EQ(goingOn.best(), "step-00000001");
    if (isAmended) {
      BestMark mark{"accuracy", true, 0.75, 2, 2};
      ASSERT_TRUE(goingOn.amend({{"validation", {2, {{"accuracy", 0.75}}}}}, mark, notes).isOk());
      EXPECT_EQ(goingOn.best(), "step-00000002");
      EXPECT_EQ(goingOn.latest(notes)->manifest.best->value, 0.75);
      EXPECT_FALSE(isThere(1));
    }
    for (int64_t count : {3, 4, 5})
      ASSERT_TRUE(saveBy(goingOn, count, 2).isOk());
    EXPECT_EQ(goingOn.best(), "step-00000002");
    EXPECT_EQ(*goingOn.bestName(), "step-00000002");
    EXPECT_TRUE(goingOn.check("step-00000002").isOk());
    EXPECT_FALSE(isThere(1) || isThere(3) || isThere(4));
  }
}

TEST_F(BestCheckpointTest, WhatWasMeasuredLaterIsNotOfTheLastCheckpoint) {
  Checkpoints keeping(store, 1, true);
  ASSERT_TRUE(saveBy(keeping, 1, 1).isOk());
  ASSERT_TRUE(keeping.amend({}, BestMark{"accuracy", true, 0.75, 2, 2}, notes).isOk());
  EXPECT_EQ(keeping.latest(notes)->manifest.best->step, 1);
}

TEST_F(BestCheckpointTest, IfTheSaveOfABestFailsTheOneBeforeItStays) {
  for (bool isDamaged : {false, true}) {
    store.blobs.clear();
    Checkpoints keeping(store, 1, true);
    ASSERT_TRUE(saveBy(keeping, 1, 1).isOk());
    (isDamaged ? store.damages : store.isFull) = true;
    EXPECT_FALSE(saveBy(keeping, 2, 2).isOk());
    store.damages = store.isFull = false;
    for (int64_t count : {3, 4})
      ASSERT_TRUE(saveBy(keeping, count, 2).isOk());
    EXPECT_EQ(keeping.best(), "step-00000001");
    EXPECT_EQ(*keeping.bestName(), "step-00000001");
    EXPECT_EQ(keeping.read(Checkpoints::BestKey)->manifest.step, 1);
    Checkpoints goingOn(store, 1, true);
    adopt(goingOn);
    EXPECT_EQ(goingOn.best(), "step-00000001");
    ASSERT_TRUE(saveBy(goingOn, 5, 2).isOk());
    EXPECT_TRUE(isThere(1) && isThere(5) && !isThere(2) && !isThere(4));
    ASSERT_TRUE(saveBy(goingOn, 6, 6).isOk());
    EXPECT_EQ(goingOn.best(), "step-00000006");
    EXPECT_FALSE(isThere(1));
  }
}

TEST_F(BestCheckpointTest, StaysBesideTheNewest) {
  Checkpoints keeping(store, 2, true);
  Checkpoints *saving = &keeping;
  auto saveAt = [&](int64_t count, int64_t best) {
    ASSERT_TRUE(saveBy(*saving, count, best).isOk());
  };
  EXPECT_EQ(keeping.bestName().status().code(), Code::NotFound);
  saveAt(1, -1);
  EXPECT_EQ(keeping.best(), "");
  for (int64_t count : {2, 3, 4, 5})
    saveAt(count, 2);
  EXPECT_EQ(keeping.best(), "step-00000002");
  std::vector<std::string> names = {"step-00000005", "step-00000004", "step-00000002"};
  EXPECT_EQ(*keeping.names(), names);
  EXPECT_EQ(*keeping.bestName(), "step-00000002");
  EXPECT_EQ(keeping.read(Checkpoints::BestKey)->manifest.step, 2);
  // A run that goes on knows it; the one before goes when another is better.
  Checkpoints goingOn(store, 2, true);
  Expected<Checkpoints::Loaded> latest = goingOn.latest(notes);
  ASSERT_TRUE(latest.isOk());
  ASSERT_TRUE(latest->manifest.best);
  EXPECT_EQ(latest->manifest.best->metric, "accuracy");
  EXPECT_TRUE(latest->manifest.best->isLargest);
  EXPECT_EQ(latest->manifest.best->value, 0.5);
  EXPECT_EQ(latest->manifest.best->step, 2);
  EXPECT_EQ(latest->manifest.best->evaluated, 5);
  ASSERT_TRUE(goingOn.adopt(latest->name, latest->manifest).isOk());
  EXPECT_EQ(goingOn.best(), "step-00000002");
  saving = &goingOn;
  saveAt(6, 2);
  EXPECT_TRUE(store.blobs.count("step-00000002.safetensors"));
  saveAt(7, 7);
  EXPECT_FALSE(store.blobs.count("step-00000002.safetensors"));
  EXPECT_EQ(goingOn.best(), "step-00000007");
}

TEST_F(CheckpointTest, P25_NeverReplacesTheWorkOfOthers) {
  SmallRun other;
  other.manifest.run = "two";
  Checkpoints others(store, 9);
  ASSERT_TRUE(other.save(others, 4).isOk());
  tensorsOf(5) = {1, 2, 3}; // without a manifest: whose is it?
  std::map<std::string, std::vector<uint8_t>> before = store.blobs;
  Checkpoints checkpoints(store, 2);
  weight[2] = 77;
  for (int64_t taken : {4, 5}) {
    Status status = save(checkpoints, taken);
    EXPECT_NE(status.message().find("is not of this run"), std::string::npos) << status.message();
  }
  EXPECT_EQ(store.blobs, before);
}

TEST_F(CheckpointTest, ASaveThatWasCutOffBeforeItsManifestIsMadeAgain) {
  Checkpoints first(store, 2);
  saveAll(first, {1, 2});
  store.blobs.erase("step-00000002.json");
  Checkpoints second(store, 2);
  Expected<Checkpoints::Loaded> loaded = second.latest(notes);
  ASSERT_TRUE(loaded.isOk());
  EXPECT_EQ(loaded->manifest.step, 1);
  ASSERT_TRUE(second.adopt(loaded->name, loaded->manifest).isOk());
  saveAll(second, {2});
  EXPECT_EQ(*second.names(), namesOf({2, 1}));
}

TEST_F(CheckpointTest, AdoptsTheOlderOnesOfTheSameRun) {
  Checkpoints first(store, 3);
  saveAll(first, {1, 2, 3});
  SmallRun other;
  other.manifest.run = "two";
  store.blobs.erase("step-00000002.json");
  store.blobs.erase("step-00000002.safetensors");
  Checkpoints others(store, 9);
  ASSERT_TRUE(other.save(others, 2).isOk());
  Checkpoints second(store, 2);
  Expected<Checkpoints::Loaded> loaded = second.latest(notes);
  ASSERT_TRUE(second.adopt(loaded->name, loaded->manifest).isOk());
  saveAll(second, {4});
  EXPECT_EQ(*second.names(), namesOf({4, 3, 2})); // 2 is of the other run
}

TEST_F(CheckpointTest, ADamagedNewerOneOfTheRunIsReplaced) {
  Checkpoints first(store, 3);
  saveAll(first, {1, 2});
  tensorsOf(2).back() ^= 1;
  Checkpoints second(store, 3);
  Expected<Checkpoints::Loaded> loaded = second.latest(notes);
  EXPECT_EQ(loaded->manifest.step, 1);
  ASSERT_TRUE(second.adopt(loaded->name, loaded->manifest).isOk());
  saveAll(second, {2});
  EXPECT_TRUE(second.check("step-00000002").isOk());
}

TEST_F(CheckpointTest, EveryFlippedBitIsNoticed) {
  Checkpoints checkpoints(store, 2);
  saveAll(checkpoints, {1, 2});
  for (std::vector<uint8_t> *bytes : {&tensorsOf(2), &manifestOf(2)}) {
    for (size_t bit = 0; bit < bytes->size() * 8; ++bit) {
      (*bytes)[bit / 8] ^= uint8_t(1u << bit % 8);
      Expected<Checkpoints::Loaded> loaded = checkpoints.latest(notes);
      ASSERT_TRUE(loaded.isOk());
      ASSERT_EQ(loaded->manifest.step, 1) << "bit " << bit;
      (*bytes)[bit / 8] ^= uint8_t(1u << bit % 8);
    }
  }
  EXPECT_EQ(checkpoints.latest(notes)->manifest.step, 2);
}

TEST_F(CheckpointTest, ACutOffFileIsPassedOverWithItsReason) {
  Checkpoints checkpoints(store, 2);
  saveAll(checkpoints, {1, 2});
  std::vector<uint8_t> whole = tensorsOf(2);
  for (size_t size : {size_t(0), size_t(1), whole.size() - 1}) {
    tensorsOf(2).assign(whole.begin(), whole.begin() + ptrdiff_t(size));
    notes.clear();
    EXPECT_EQ(checkpoints.latest(notes)->manifest.step, 1);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_EQ(notes[0], "a checkpoint is passed over: `memory/step-00000002.safetensors`: it has " +
                            std::to_string(size) + " bytes, its manifest says " +
                            std::to_string(whole.size()) + "; trying the one before it");
  }
}

TEST_F(CheckpointTest, TellsWhenNothingIsWhole) {
  Checkpoints checkpoints(store, 2);
  EXPECT_EQ(checkpoints.latest(notes).status().message(), "there is no checkpoint in `memory/`");
  store.blobs["step-00000001.json"] = {};
  EXPECT_EQ(checkpoints.latest(notes).status().message(),
            "none of the 1 checkpoints in `memory/` can be used");
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("step-00000001.json`: it is not a manifest, or cut off"),
            std::string::npos);
}

TEST_F(CheckpointTest, TensorsWithoutTheirManifestSayWhatIsMissing) {
  Checkpoints checkpoints(store, 2);
  saveAll(checkpoints, {1});
  store.blobs.erase("step-00000001.json");
  EXPECT_EQ(checkpoints.read("step-00000001.safetensors").status().message(),
            "`memory/step-00000001.safetensors` has no manifest `step-00000001.json` beside it; a "
            "checkpoint is both files");
  EXPECT_NE(checkpoints.read("weights.bin").status().message().find("is not a checkpoint"),
            std::string::npos);
}

TEST_F(CheckpointTest, P22_AFailedSaveKeepsTheOneBefore) {
  Checkpoints checkpoints(store, 1);
  saveAll(checkpoints, {1});
  store.isFull = true;
  EXPECT_EQ(save(checkpoints, 2).code(), Code::NoSpace);
  EXPECT_EQ(checkpoints.lastSaved(), Checkpoints::nameOf(1));
  EXPECT_TRUE(checkpoints.check("step-00000001").isOk());
}

TEST_F(CheckpointTest, P26_BytesThatChangedOnTheirWayAreNoticed) {
  Checkpoints checkpoints(store, 1);
  saveAll(checkpoints, {1});
  store.damages = true;
  Status status = save(checkpoints, 2);
  EXPECT_NE(status.message().find("was written and read back"), std::string::npos);
  EXPECT_EQ(checkpoints.latest(notes)->manifest.step, 1); // it has not been removed
}

TEST_F(CheckpointTest, LightOnesHoldParametersAndOneStays) {
  Checkpoints checkpoints(store, 2);
  saveAll(checkpoints, {1});
  ASSERT_TRUE(save(checkpoints, 2, true).isOk());
  ASSERT_TRUE(save(checkpoints, 3, true).isOk());
  EXPECT_EQ(*checkpoints.names(true),
            (Names{Checkpoints::nameOf(3, true), Checkpoints::nameOf(1)}));
  EXPECT_EQ(checkpoints.latest(notes)->manifest.step, 1); // nothing to go on from
  Expected<Checkpoints::Loaded> light = checkpoints.latest(notes, true);
  EXPECT_EQ(light->file.tensors().size(), 1u);
  weight[0] = 0;
  step = 55;
  ASSERT_TRUE(Checkpoints::restore(*light, state).isOk());
  EXPECT_EQ(weight[0], 3);
  EXPECT_EQ(step, 55);
  saveAll(checkpoints, {4});
  EXPECT_EQ(*checkpoints.names(true), namesOf({4, 1}));
}

TEST_F(CheckpointTest, MetricsOfALaterEvaluationAreAdded) {
  Checkpoints checkpoints(store, 2);
  saveAll(checkpoints, {4});
  ASSERT_TRUE(checkpoints.amend({{"validation", {4, {{"accuracy", 0.75}}}}}, {}, notes).isOk());
  Expected<Checkpoints::Loaded> loaded = checkpoints.latest(notes);
  EXPECT_EQ(loaded->manifest.metrics["validation"].values["accuracy"], 0.75);
}

TEST_F(CheckpointTest, ANewShapeOrNameIsRefusedAndNothingIsCopied) {
  Checkpoints checkpoints(store, 1);
  saveAll(checkpoints, {1});
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
