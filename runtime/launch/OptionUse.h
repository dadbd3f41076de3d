// Which commands an option has a say in: those that run a program of the plan which reads it. A
// command that takes an option it does not read would look as if it had used it.
#pragma once

#include "runtime/launch/CommandLine.h"

namespace dlm {

/// Fills in `commands` of the options of a plan, which stand in the order of the plan.
void findCommandsOf(const plan::Plan &plan, std::vector<ProgramOption> &options);

/// Whether a program of the plan draws numbers from the seed of the run.
bool readsSeed(const plan::Plan &plan, const std::string &program);

/// Whether an instruction of a program of the plan works on a buffer.
bool touchesBuffer(const plan::Program &program, uint32_t buffer);

} // namespace dlm
