// Judges what a device made of the cases: against the emulator and the reference's bits, and
// against accurate values.
#pragma once

#include "test/gpu-check/check/Agreement.h"
#include "test/gpu-check/check/CaseRun.h"

namespace dlm::gpucheck {

/// All cases of one kernel or kind of product.
struct KernelResult {
  /// The largest error, relative to the largest element, that counts as agreement. A wrong element
  /// is off by far more; cancellation in a bias correction costs up to 1e-4.
  static constexpr double RelativeMax = 1e-3;

  std::string name;
  unsigned cases = 0;
  unsigned unlikeEmulator = 0;  // cases with an element whose bits differ
  unsigned unlikeReference = 0; // the same, from the interpreter
  unsigned overruns = 0;        // cases that wrote behind an argument
  ErrorFigure error;
  std::string firstFault; // the case and what is wrong with it

  bool agrees() const {
    return unlikeEmulator == 0 && unlikeReference == 0 && overruns == 0 &&
           error.relative <= RelativeMax;
  }
};

/// Kernel by kernel, in the order of the file.
std::vector<KernelResult> judgeCases(const CaseFile &file, const std::vector<CaseOutput> &device,
                                     const std::vector<CaseOutput> &emulator);

} // namespace dlm::gpucheck
