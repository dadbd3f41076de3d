// What a run tells about itself, and to whom. The step loop hands records to one sink; a sink
// formats them into memory it already has, so that reporting a step allocates nothing.
#pragma once

#include "runtime/base/Clock.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dlm {

/// A number and what it is called, e.g. `loss`.
struct NamedValue {
  std::string name;
  double value = 0;
};

/// What is known before the first step.
struct RunRecord {
  std::string program;
  std::string commandName; // how the user calls the program
  int64_t firstStep = 0;   // of this process; above 0 after a resume
  int64_t steps = 0;       // of the whole run; 0 if the duration is a time
  int64_t durationMs = 0;  // of this process, if it is a time
  int64_t batch = 0;
  int64_t batches = 1; // that a step draws
  int64_t microBatches = 0;
  int64_t trainCount = 0;
  int64_t parameters = 0; // trained numbers
  uint64_t seed = 0;
  int threads = 0;
  std::string device = {}; // in place of the threads, where a device does the work
  int64_t deviceBytes = 0; // of memory there
  std::string folder;      // of the checkpoints
  bool resumed = false;
};

/// One update. `values`: the loss, then its terms if there are several, then `grad_norm` and `lr`,
/// as far as the program reports them.
struct StepRecord {
  int64_t step = 0;
  int64_t attempt = 0;
  double epoch = 0;
  bool applied = true; // false: the update was skipped
  const NamedValue *values = nullptr;
  size_t valueCount = 0;
  int64_t batchesReady = 0; // micro-batches that wait for the run
  int64_t waits = 0;        // how often the run has waited for one
};

/// The metrics of one split.
struct SplitRecord {
  std::string split; // "train", "validation", "test"
  std::vector<NamedValue> values;
};

struct EvaluationRecord {
  int64_t step = 0;
  double epoch = 0;
  std::vector<SplitRecord> splits;
};

/// The evaluation with the smallest loss, or with the best of another metric; an empty `split`:
/// there was none.
struct BestEvaluation {
  std::string split;
  std::string metric = "loss";
  bool isLargest = false;
  double value = 0;
  int64_t step = -1;
  std::string checkpoint = {}; // where it is kept; empty if it is not

  /// Compares the metric of a split, which is the same one each time. Whether it is the best so
  /// far; what is no number never is.
  bool take(const SplitRecord &record, int64_t atStep) {
    for (const NamedValue &each : record.values) {
      if (each.name != metric || !(each.value - each.value == 0)) continue;
      bool isBetter = isLargest ? each.value > value : each.value < value;
      if (!split.empty() && !isBetter) continue;
      split = record.split;
      value = each.value;
      step = atStep;
      return true;
    }
    return false;
  }
};

struct FinalRecord {
  int64_t step = 0;
  double epoch = 0;
  std::string checkpoint; // where the last one lies; empty if there is none
  bool complete = true;   // false: stopped before the end
  bool isOver = false;    // a longer run would not go on: it has waited for a new best
  std::vector<SplitRecord> splits;
  std::string folderArgument; // what to add to a later command so that it finds the checkpoints
  int64_t attempts = 0;       // batches that this process has consumed
  int64_t waits = 0;          // how often it waited for one
  bool canEvaluate = false;
  std::vector<std::string> commands; // of the program, with the flags that they need
  BestEvaluation best = {};          // of several in the run
};

class MetricSink {
public:
  virtual ~MetricSink() = default;
  virtual void start(const RunRecord &run) = 0;
  virtual void step(const StepRecord &record) = 0;
  virtual void evaluated(const EvaluationRecord &record) = 0;
  virtual void saved(int64_t step, const std::string &location) = 0;
  /// A sentence for the user: a failed save, a rounding, a skipped update.
  virtual void note(const std::string &text) = 0;
  virtual void finish(const FinalRecord &record) = 0;
};

} // namespace dlm
