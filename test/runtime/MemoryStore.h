// A store in memory that fails when told to, and a small state to save in it.
#pragma once

#include "runtime/checkpoint/Checkpoints.h"

#include <gtest/gtest.h>
#include <map>

namespace dlm::test {

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
  Expected<FileSum> sum(const std::string &key) override {
    auto found = blobs.find(key);
    if (found == blobs.end()) return notFound(key);
    return FileSum{found->second.size(), xxh3Text(found->second.data(), found->second.size())};
  }
  Status write(const std::vector<Blob> &list) override {
    if (isFull) return Status::error(Code::NoSpace, "full");
    for (const Blob &blob : list) {
      std::vector<uint8_t> &bytes = blobs[blob.key];
      bytes.clear();
      for (const BytePiece &piece : blob.pieces) {
        const uint8_t *from = static_cast<const uint8_t *>(piece.data);
        bytes.insert(bytes.end(), from, from + piece.sizeBytes);
      }
    }
    if (damages) blobs[list[0].key].back() ^= 1;
    return Status::ok();
  }
  Status remove(const std::string &key) override {
    return blobs.erase(key) ? Status::ok() : notFound(key);
  }
  Expected<uint64_t> freeBytes() override { return uint64_t(0); }
  Status tryRoom(uint64_t, int64_t) override { return Status::ok(); }
  std::string location(const std::string &key) const override { return "memory/" + key; }

  std::map<std::string, std::vector<uint8_t>> blobs;
  bool isFull = false, damages = false;
};

/// A small state, and saves of it.
struct SmallRun {
  SmallRun() {
    state = {{"weight", DType::F32, {3}, weight, sizeof weight, true},
             {"step", DType::I64, {}, &step, sizeof step, false}};
    manifest.program = "p";
    manifest.sourceHash = "abc";
    manifest.run = "one";
    manifest.steps = 100;
    manifest.seed = ~uint64_t(0);
    manifest.batch = 64;
    manifest.micro = 16;
    manifest.options = {{"lr", 0.1}};
    manifest.resolved = {{"option", "lr", "0.1", "program"}};
    manifest.sources = {{"p.dlm", "train p {\n  \"\u00e9\" }\n"}};
    manifest.data = {{"train.csv", 17, "0123456789abcdef"}};
    manifest.metrics["test"] = {40, {{"accuracy", 0.5}, {"loss", 1.0 / 3}}};
  }

  Status save(Checkpoints &checkpoints, int64_t count, bool isLight = false) {
    step = count;
    weight[0] = float(count);
    manifest.step = count;
    manifest.attempt = count + 1;
    manifest.isLight = isLight;
    Status taken =
        snapshot.take(isLight ? modelOf(state) : state, Checkpoints::metadataOf(manifest));
    EXPECT_TRUE(taken.isOk());
    return checkpoints.save(manifest, snapshot, notes);
  }

  float weight[3] = {1, 2, 3};
  int64_t step = 0;
  std::vector<StateBinding> state;
  Manifest manifest;
  Snapshot snapshot{sizeof weight + sizeof step};
  std::vector<std::string> notes;
};

} // namespace dlm::test
