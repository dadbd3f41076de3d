// What an instruction of a plan does, for reports.
#pragma once

#include "runtime/abi/Plan_generated.h"

#include <string>

namespace dlm::gpucheck {

struct Work {
  std::string name;            // with its size; empty if it runs no device function
  double bytes = 0, flops = 0; // as the plan counts them
};

Work workOf(const plan::Plan &plan, const plan::Instruction &instruction);

} // namespace dlm::gpucheck
