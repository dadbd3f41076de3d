// What the classes of Embed.h hold, and how failures become reports.
#pragma once

#include "compiler/embed/Embed.h"
#include "compiler/pipeline/Backend.h"
#include "runtime/abi/Plan_generated.h"
#include "runtime/executor/KernelLibrary.h"

#include <exception>

namespace dlm::embed {

struct Program::Parts {
  CompiledProgram compiled;
  const plan::Plan *plan = nullptr;
  std::unique_ptr<KernelLibrary> kernels;
};

/// A failure that has no place in a text.
Report reportOf(const std::string &kind, const std::string &message);
Report reportOf(const Status &status);

/// `work`, or a report of what it threw: memory that ran out, mostly.
template <class Work> auto guarded(const Work &work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::exception &error) {
    return reportOf("internal-error", std::string("cannot go on: ") + error.what());
  }
}

} // namespace dlm::embed
