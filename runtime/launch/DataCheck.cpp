// What a program knows of its data (which values a column has, a mean, a vocabulary) was read when
// it was compiled. Files with the same counts and other content would pass every other check.
#include "runtime/launch/DataCheck.h"

namespace dlm {

namespace {
constexpr std::chrono::milliseconds BetweenLooks(20); // at a signal
} // namespace

DataCheck::DataCheck(const DataSpec &spec)
    : spec(spec), found(std::async(std::launch::async,
                                   [this] { return identifyFiles(this->spec.paths(), &cancel); })) {
}

DataCheck::~DataCheck() {
  cancel = true;
  found.wait();
}

Expected<std::vector<DataFile>> DataCheck::files(const std::atomic<int> &stop) {
  while (found.wait_for(BetweenLooks) != std::future_status::ready)
    if (stop) return Status::error(Code::Interrupted, "reading the data was interrupted");
  return found.get();
}

Expected<std::vector<std::string>> DataCheck::compare(bool acceptsChanges,
                                                      const std::atomic<int> &stop) {
  std::vector<std::string> notes;
  hasChanges = spec.isReplaced; // until it is known better
  if (spec.files.empty()) return notes;
  Expected<std::vector<DataFile>> now = files(stop);
  if (!now) return now.status();
  std::vector<std::string> changes = otherContent(spec.files, *now, spec.isReplaced);
  hasChanges = !changes.empty();
  if (hasChanges && !acceptsChanges && !spec.isReplaced) {
    std::string list;
    for (const std::string &change : changes)
      list += "\n  " + change;
    return invalidArgument("data `" + spec.name + "` has changed since the program was compiled:" +
                           list + "\nCompile the program anew. --accept-changes goes on all the " +
                           "same, with what it knows of the old data");
  }
  for (const std::string &change : changes)
    notes.push_back("note: since the program was compiled: " + change);
  return notes;
}

Status DataCheck::tell(bool acceptsChanges, const std::atomic<int> &stop, MetricSink &sink) {
  Expected<std::vector<std::string>> notes = compare(acceptsChanges, stop);
  if (!notes) return notes.status();
  for (const std::string &note : *notes)
    sink.note(note);
  return Status::ok();
}

Status DataCheck::checkEvaluated(DataSource &data, bool hasBounds,
                                 const std::atomic<int> &stop) const {
  if (!hasChanges && !hasBounds) return Status::ok();
  for (Split split : {Split::Validation, Split::Test}) {
    Expected<const Dataset *> samples = data.get(split, &stop);
    if (samples) continue;
    bool isInterrupted = samples.status().code() == Code::Interrupted;
    if (isInterrupted || !hasChanges) return samples.status();
    return invalidArgument("this run could not be evaluated: " + samples.status().message() +
                           "; compile the program for this data");
  }
  return Status::ok();
}

} // namespace dlm
