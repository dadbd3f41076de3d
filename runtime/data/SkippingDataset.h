// A dataset that goes on when a sample is broken: the next one that is not stands in its place.
// Which that is follows from the data alone, so the samples of a run do not depend on threads.
#pragma once

#include "runtime/data/Dataset.h"
#include "runtime/data/WarningList.h"

#include <set>

namespace dlm {

class SkippingDataset : public Dataset {
public:
  /// `limit`: how many different samples may be broken; one more is a failure. Each is named in
  /// `warnings` once. `what`: "the validation part".
  SkippingDataset(std::unique_ptr<Dataset> inner, int64_t limit, std::string what,
                  std::shared_ptr<WarningList> warnings);

  int64_t size() const override { return inner->size(); }
  const std::vector<FieldSpec> &fields() const override { return inner->fields(); }
  bool isInMemory() const override { return inner->isInMemory(); }

  /// Only broken bytes are skipped; a file that cannot be read may be there the next time, and the
  /// run would not be the same then.
  Status read(int64_t index, void *const *out) const override;

private:
  bool isBroken(int64_t index) const;
  Status note(int64_t index, const Status &status) const;

  std::unique_ptr<Dataset> inner;
  int64_t limit;
  std::string what;
  std::shared_ptr<WarningList> warnings;
  mutable std::mutex mutex;
  mutable std::set<int64_t> broken;
};

} // namespace dlm
