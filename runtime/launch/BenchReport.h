// What `bench` found out, and how it is told: the step, then where its time goes, by layer, by line
// and by instruction. Each of the three adds up to the same total.
#pragma once

#include "runtime/launch/PlanWork.h"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace dlm {

/// What an instruction costs in a step.
struct Cost {
  std::string program;
  uint32_t instruction = 0;
  Work work;
  double medianNs = 0, leastNs = 0;

  double perNs(double amount) const { return medianNs > 0 ? amount / medianNs : 0; }
};

struct Bench {
  unsigned threads = 0;
  std::string device; // empty: the processor
  int64_t steps = 0, batch = 0;
  double stepNs = 0, leastNs = 0;
  double loadNs = 0; // of a batch, by one thread
  int64_t loadedBatches = 0;
  std::vector<Cost> costs; // the most expensive first
};

void printBench(std::FILE *out, const plan::Plan &plan, const Bench &bench);

/// An object for each instruction, layer and line, then one for the step.
void printBenchJson(std::FILE *out, const plan::Plan &plan, const Bench &bench);

} // namespace dlm
