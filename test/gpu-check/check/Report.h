// What a run of `dlm-gpu-check` found: one JSON file for machines, a summary for people.
#pragma once

#include "test/gpu-check/check/KernelChecks.h"
#include "test/gpu-check/check/Times.h"
#include "test/gpu-check/check/Trace.h"
#include "test/gpu-check/check/Training.h"

#include <cstdio>
#include <optional>

namespace dlm::gpucheck {

/// One example of the bundle. What was not asked for is missing.
struct ExampleReport {
  std::string name, image;
  std::optional<std::vector<KernelResult>> kernels;
  std::optional<TraceComparison> trace;
  std::optional<TrainingComparison> training;
  std::optional<Times> times;
  std::vector<std::string> findings; // faults that the emulator saw
  std::string failure;               // why it ended early

  bool agrees() const;
};

struct Report {
  std::string machine, processor; // the host
  bool isEmulated = false;
  std::string driver; // the file that was opened
  cuda::DeviceTraits device;
  std::vector<ExampleReport> examples;
  std::string failure; // why nothing was checked

  bool agrees() const;
};

std::string toJson(const Report &report);
void printSummary(std::FILE *out, const Report &report);

} // namespace dlm::gpucheck
