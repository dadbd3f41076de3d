// What the files of a run's data are, found out beside whatever else happens at its start, and
// whether they are those that the program was compiled for.
#pragma once

#include "runtime/data/Dataset.h"
#include "runtime/metrics/MetricSink.h"

#include <future>

namespace dlm {

class DataCheck {
public:
  explicit DataCheck(const DataSpec &spec);
  ~DataCheck();

  /// The files and their sums, once they are known; `Interrupted` if `stop` is set before.
  Expected<std::vector<DataFile>> files(const std::atomic<int> &stop);

  /// What the user has to know of files that are not as they were. If the program looks for its
  /// data there, and the changes are not accepted, they are a failure that names them all.
  Expected<std::vector<std::string>> compare(bool acceptsChanges, const std::atomic<int> &stop);

  /// The same as `compare`, with the notes given to `sink`. To be called when samples have been
  /// read: what is found wrong with them there says more.
  Status tell(bool acceptsChanges, const std::atomic<int> &stop, MetricSink &sink);

  /// Other files than the program was compiled for may not fit its evaluations, and ids of any file
  /// may be out of range. If `compare` found such files, or there are bounds of ids, the samples
  /// that are evaluated are read here: that is to be known before the first step, not behind the
  /// last.
  Status checkEvaluated(DataSource &data, bool hasBounds, const std::atomic<int> &stop) const;

private:
  DataSpec spec;
  std::atomic<bool> cancel{false};
  bool hasChanges = false;
  std::shared_future<Expected<std::vector<DataFile>>> found;
};

} // namespace dlm
