// Sample by sample, in pieces: fields that nothing was fitted on may change.
#include "runtime/data/FittedSamples.h"

#include "runtime/base/Xxh3.h"

#include <algorithm>

namespace dlm {

Expected<std::string> hashSamples(const Dataset &samples, const std::vector<std::string> &fields,
                                  const std::atomic<bool> *cancel) {
  const std::vector<FieldSpec> &specs = samples.fields();
  std::vector<std::vector<uint8_t>> sample;
  std::vector<void *> places;
  std::vector<size_t> hashed; // fields, by their places
  for (const FieldSpec &spec : specs) {
    if (std::count(fields.begin(), fields.end(), spec.name)) hashed.push_back(sample.size());
    sample.emplace_back(size_t(spec.sizeBytes()));
    places.push_back(sample.back().data());
  }
  Xxh3 hash;
  for (int64_t index = 0; index < samples.size(); ++index) {
    if (cancel && *cancel) return Status::error(Code::Interrupted, "reading was interrupted");
    DLM_TRY(samples.read(index, places.data()));
    for (size_t i : hashed)
      hash.add(sample[i].data(), sample[i].size());
  }
  return hash.text();
}

Status checkFitted(const DataSpec &spec, const Dataset &samples, const std::atomic<bool> &cancel) {
  if (spec.fittedHash.empty() || !samples.isInMemory()) return Status::ok();
  Expected<std::string> hash = hashSamples(samples, spec.fittedFields, &cancel);
  if (!hash) return hash.status();
  if (*hash == spec.fittedHash) return Status::ok();
  return invalidArgument(spec.path +
                         ": the training samples are not those that `data.fit` saw when "
                         "the program was compiled, so its statistics are of other "
                         "data; compile the program again, or go on with them all the "
                         "same by --accept-changes");
}

} // namespace dlm
