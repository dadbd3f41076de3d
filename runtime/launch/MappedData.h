// `data.map`: the programs of a plan that make samples, between the files and the batches.
#pragma once

#include "runtime/executor/KernelLibrary.h"
#include "runtime/launch/Session.h"

namespace dlm {

/// What the samples of a run depend on beside the files.
struct SampleSettings {
  uint64_t seed;
  const std::map<std::string, double> &options; // run-time ones
  int64_t loaderThreads;
};

/// What batches are made of: `source` itself, or what the plan's programs make of its samples, each
/// thread with memory of its own, which is allocated here. `plan` and `kernels` must outlive the
/// result.
Expected<std::unique_ptr<DataSource>> mapData(std::unique_ptr<DataSource> source,
                                              const plan::Plan &plan, const DataSpec &spec,
                                              const KernelLibrary *kernels,
                                              const SampleSettings &settings);

/// What the program `predict` reads, made of samples of a file or of a part of the data: those are
/// to have the fields that `predictedFrom` names. `firstSample`: the number of the first of them.
Expected<std::unique_ptr<Dataset>> mapPredicted(const Dataset &samples, const plan::Plan &plan,
                                                const KernelLibrary *kernels,
                                                const SampleSettings &settings,
                                                int64_t firstSample);

/// Whether `data.map` makes the samples of a program.
bool isMapped(const plan::Plan &plan);

/// The fields of the source that the samples are made of which `predict` reads.
std::vector<FieldSpec> predictedFrom(const plan::Plan &plan);

} // namespace dlm
