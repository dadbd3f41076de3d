#include "runtime/data/SkippingDataset.h"

namespace dlm {

SkippingDataset::SkippingDataset(std::unique_ptr<Dataset> inner, int64_t limit, std::string what,
                                 std::shared_ptr<WarningList> warnings)
    : inner(std::move(inner)), limit(limit), what(std::move(what)), warnings(std::move(warnings)) {}

Status SkippingDataset::read(int64_t index, void *const *out) const {
  for (int64_t i = 0; i < size(); ++i) {
    int64_t place = (index + i) % size();
    if (isBroken(place)) continue;
    Status status = inner->read(place, out);
    if (status.code() != Code::Corrupt) return status; // it may be ok
    DLM_TRY(note(place, status));
  }
  return corrupt("every sample of " + what + " is broken");
}

bool SkippingDataset::isBroken(int64_t index) const {
  std::lock_guard<std::mutex> lock(mutex);
  return broken.count(index) != 0;
}

Status SkippingDataset::note(int64_t index, const Status &status) const {
  std::lock_guard<std::mutex> lock(mutex);
  if (!broken.insert(index).second) return Status::ok(); // another thread was first
  int64_t count = int64_t(broken.size());
  if (count > limit)
    return status.withContext("more than " + std::to_string(limit) + " samples of " + what +
                              " are broken");
  warnings->add("sample " + std::to_string(index) + " of " + what +
                " is broken, and the next one " + "stands in its place (" + std::to_string(count) +
                " of at most " + std::to_string(limit) + "): " + status.message());
  return Status::ok();
}

} // namespace dlm
