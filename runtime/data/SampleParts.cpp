#include "runtime/data/SampleParts.h"

#include "runtime/base/Assert.h"
#include "runtime/data/Permutation.h"

#include <algorithm>

namespace dlm {

namespace {

// No seed of a run: another seed would learn from what the run before was measured on.
constexpr uint64_t PartsSeed = 0x5041525453;

} // namespace

SampleParts::SampleParts(const int64_t (&counts)[SplitCount], bool areMixed) {
  std::copy(std::begin(counts), std::end(counts), this->counts);
  if (!areMixed || size() == 0) return;
  parts.resize(size_t(size()));
  Permutation order(size(), PartsSeed, 0);
  int64_t place = 0;
  for (int split = 0; split < SplitCount; ++split)
    for (int64_t i = 0; i < counts[split]; ++i)
      parts[size_t(order(place++))] = uint8_t(split);
}

SampleParts SampleParts::ofTrainingFile(const DataSpec &spec) {
  int64_t counts[SplitCount] = {};
  for (int split = 0; split < SplitCount; ++split)
    if (spec.pathOf(Split(split)) == spec.path) counts[split] = spec.counts[split];
  return SampleParts(counts, spec.arePartsMixed);
}

Split SampleParts::partOf(int64_t sample) const {
  DLM_ASSERT(sample >= 0 && sample < size(), "a sample outside its file");
  if (!parts.empty()) return Split(parts[size_t(sample)]);
  int split = 0;
  while (sample >= counts[split])
    sample -= counts[split++];
  return Split(split);
}

std::vector<int64_t> SampleParts::samplesOf(Split split) const {
  std::vector<int64_t> samples;
  samples.reserve(size_t(counts[int(split)]));
  for (int64_t i = 0; i < size(); ++i)
    if (partOf(i) == split) samples.push_back(i);
  return samples;
}

} // namespace dlm
