// The checkpoints of a run in a Store. Each is two blobs: `step-00001234.safetensors`, the tensors,
// and `step-00001234.json`, the manifest, which vouches for them. Light ones, `light-...`, hold
// parameters and buffers alone. A damaged one is noticed, and the one before it is used.
#pragma once

#include "runtime/checkpoint/Snapshot.h"

#include <map>

namespace dlm {

class Checkpoints {
public:
  /// `keep` >= 1 checkpoints stay in the store, with `keepsBest` the best one beside them, and at
  /// most one light one, newer than they are.
  Checkpoints(Store &store, int64_t keep, bool keepsBest = false);

  /// Writes a snapshot and the manifest of it, and reads back what was written; on success removes
  /// the oldest beyond `keep` of those that this run made, and no others. One of the step that its
  /// manifest calls the best stays until there is another. What could not be removed
  /// is added to `notes`. Never replaces what is not the run's own.
  Status save(Manifest manifest, const Snapshot &snapshot, std::vector<std::string> &notes);

  /// Replaces the metrics in the manifest of the last full checkpoint, and what it says of the
  /// best, if it has `best`; then as after a save the best one is known, and old ones are removed.
  Status amend(const std::map<std::string, MeasuredSplit> &metrics,
               const std::optional<BestMark> &best, std::vector<std::string> &notes);

  /// Names of all full checkpoints that have a manifest, newest first, valid or not; with `light`
  /// the light ones too.
  Expected<std::vector<std::string>> names(bool light = false);

  /// Keys that look like parts of checkpoints, complete or not.
  Expected<std::vector<std::string>> parts();

  /// A save that was killed at its last moment, when the tensors had their name and the manifest
  /// had not, is brought to its end: the manifest lies there and vouches for the tensors. Nothing
  /// else is touched. Before the first save.
  Status finishCutOff();

  struct Loaded {
    std::string name;
    Manifest manifest;
    Safetensors file;
  };

  /// Reads the newest checkpoint that is whole. One that is not is passed over with a sentence in
  /// `notes`; `NotFound` if there is none.
  Expected<Loaded> latest(std::vector<std::string> &notes, bool light = false);

  /// The name of the checkpoint that the newest whole manifest calls the best of those that are
  /// there: the save of a best may have failed. `NotFound` if there is none, as in a run without
  /// `keep_best`.
  Expected<std::string> bestName();

  /// Reads one checkpoint, given by its name or by the key of one of its parts; `BestKey` is the
  /// best one.
  Expected<Loaded> read(const std::string &nameOrKey);

  /// Reads the manifest of a checkpoint and compares its files with it.
  Expected<Manifest> check(const std::string &name);

  /// Copies the state of a loaded checkpoint to where `state` points; of a light one the
  /// parameters. Names, types and shapes must agree one to one; otherwise nothing is copied.
  static Status restore(const Loaded &loaded, const std::vector<StateBinding> &state);

  /// Lets `save` count all checkpoints of the run that goes on from `from` as its own.
  Status adopt(const std::string &name, const Manifest &from);

  /// Full checkpoints that are there at once at most, and those of this run that are there now.
  int64_t mostAtOnce() const { return keep + 1 + (keepsBest ? 1 : 0); }
  int64_t ownCount() const { return int64_t(own.size()); }

  /// The name of the last successful save (or of what the run goes on from), or empty.
  const std::string &lastSaved() const { return last; }

  /// The name of the best checkpoint that is there, or empty. There may have been a better
  /// evaluation, after a step whose save failed.
  const std::string &best() const { return theBest; }

  /// Where the tensors of a checkpoint lie: how messages and commands name it.
  std::string location(const std::string &name) const;

  /// What the tensors' file says of itself, for who has it alone.
  static SafetensorsMetadata metadataOf(const Manifest &manifest);

  static constexpr const char *BestKey = "best";
  static std::string nameOf(int64_t step, bool light = false);
  static std::string tensorsKey(const std::string &name) { return name + ".safetensors"; }
  static std::string manifestKey(const std::string &name) { return name + ".json"; }
  /// The name in a key of either part, or empty.
  static std::string nameIn(const std::string &key);
  /// The step in a name, or -1 if it is not the name of a checkpoint.
  static int64_t stepOf(const std::string &name);
  static bool isLight(const std::string &name);

private:
  Expected<Manifest> readManifest(const std::string &name);
  Status checkIsOurs(const std::string &name, const ManifestFile &file);
  void noteBest();
  void remove(const std::string &name, std::vector<std::string> &notes);
  void removeOld(std::vector<std::string> &notes);

  Store &target;
  int64_t keep;
  bool keepsBest;
  std::vector<std::string> own;      // full ones, those to be removed first in front
  std::vector<std::string> ownLight; // light ones
  std::string last, theBest;
  Manifest lastManifest;
};

} // namespace dlm
