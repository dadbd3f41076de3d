// Saving a run while it goes on: the checkpoints of its folder, a snapshot of its state, and the
// thread that writes. One save is under way at a time; one that hangs costs later saves, never the
// training.
#pragma once

#include "runtime/checkpoint/Checkpoints.h"
#include "runtime/checkpoint/SaveThread.h"
#include "runtime/driver/RunSchedule.h"

#include <memory>
#include <optional>

namespace dlm {

/// How a save ended.
struct SaveResult {
  Status status;
  std::string name; // of the checkpoint
  int64_t step = 0;
  bool isLight = false;
  bool isAmendment = false; // of metrics alone
  std::vector<std::string> notes;
};

/// How many checkpoints a run writes: those that are certain, and the most that there can be.
struct SaveCounts {
  int64_t certain = 1, most = INT64_MAX;
};

/// Of a run that goes on from `step`. If saves go by time and the run by steps, or the other way
/// round, only the last one is certain.
SaveCounts saveCounts(const RunSchedule &schedule, int64_t step);

class RunSaver {
public:
  RunSaver(std::unique_ptr<Store> store, int64_t keep, bool keepsBest = false);
  /// A folder that was made for the run, and holds nothing, goes.
  ~RunSaver();
  RunSaver(const RunSaver &) = delete;
  RunSaver &operator=(const RunSaver &) = delete;

  /// Not while a save is under way.
  Checkpoints &checkpoints() { return core->checkpoints; }
  Store &store() { return *core->store; }

  /// Takes the folder, and finds the checkpoint to go on from (none: the run starts at the
  /// beginning) or, if the run is not to resume, makes sure that there is none.
  Status find(bool resumes, std::optional<Checkpoints::Loaded> &from,
              std::vector<std::string> &notes);

  /// What the run takes on top of what its folder holds now: the full checkpoints that stay, the
  /// one being written beside them, the best and a light one. Fails with what is needed and what is
  /// there if there is no room for those that are certain; if some may be too many, `notes` gets a
  /// warning. After `begin`.
  Status checkRoom(SaveCounts saves, bool hasLight, std::vector<std::string> &notes);

  /// Makes the snapshot's buffer. `manifest`: all that does not change.
  void begin(const Manifest &manifest, const std::vector<StateBinding> &state);

  /// Starts to write the state as it is now. The fields of a position, the metrics and the best are
  /// those of `now`. The saver must be free.
  Status start(const Manifest &now, bool isLight);

  /// Starts to write the metrics, and the best if it has one, of `now` into the last checkpoint, if
  /// that is of the step of `now`; the saver must be free.
  void amend(const Manifest &now);

  /// Waits until nothing is being written, at most until the deadline of the save under way.
  bool waitUntilFree();
  bool isFree() const { return !thread.isBusy(); }

  /// How the last save ended, once.
  std::optional<SaveResult> take();

  /// The last full checkpoint that is known to be whole; empty if there is none.
  std::string lastLocation() const;

  /// The checkpoint of the best evaluation, which was after `step`; empty if it is not there.
  std::string locationOfBest(int64_t step) const;

  /// A save that takes longer than this is given up on.
  int64_t deadlineMs() const { return deadline; }
  void setDeadlineMs(int64_t ms) { deadline = ms; }
  const std::string &nameUnderWay() const { return underWay.name; }

private:
  /// What the thread uses. It outlives the saver if a save hangs.
  struct Core {
    Core(std::unique_ptr<Store> store, int64_t keep, bool keepsBest)
        : store(std::move(store)), checkpoints(*this->store, keep, keepsBest) {}
    std::unique_ptr<Store> store;
    Checkpoints checkpoints;
    std::optional<Snapshot> snapshot;
    std::vector<std::string> notes;
  };

  std::shared_ptr<Core> core;
  SaveThread thread;
  Manifest common;
  std::vector<StateBinding> state, parameters;
  SaveResult underWay;
  bool isTaken = true, hasGivenUp = false;
  std::string last, bestName;
  int64_t deadline = 0;
};

} // namespace dlm
