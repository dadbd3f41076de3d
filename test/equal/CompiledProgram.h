// Pinned tensor programs made into something that runs, by the way an executable takes: fuse,
// place, codegen, the plan's bytes verified and opened by an executor, on the processor or on the
// emulated device.
#pragma once

#include "compiler/pipeline/Backend.h"
#include "compiler/reference/Interpreter.h"
#include "runtime/device/emulator/EmulatedDriver.h"
#include "runtime/executor/Executor.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace dlm::test {

using NamedTensors = std::map<std::string, reference::Tensor>;

/// One program of a module: what goes in, and what the interpreter leaves in every buffer.
struct ProgramCase {
  std::string program;
  NamedTensors inputs, expected;
};

/// A case for each function of the module. `specialShare`: see `putSpecialValues`; 0: none.
std::vector<ProgramCase> makeCases(mlir::ModuleOp module, float specialShare = 0);

/// What the emulated device leaves, and what the emulator says of it.
struct EmulatedRun {
  Status status;
  NamedTensors results;
  std::vector<emulator::Finding> findings;
};

class RunnableProgram {
public:
  /// Compiles a copy of `module`; null, and the test has failed, if that is impossible.
  static std::unique_ptr<RunnableProgram> create(mlir::ModuleOp module,
                                                 const BackendOptions &options);

  /// Runs one program on the processor with `workers` threads: writes the inputs into their buffers
  /// first, returns what all buffers that are expected hold afterwards.
  NamedTensors run(const ProgramCase &one, unsigned workers) const;

  /// The same on the emulated device, for which it must have been compiled.
  EmulatedRun runEmulated(const ProgramCase &one, const emulator::DriverOptions &options) const;

  /// Plants a fault: changes the plan, which must stay one that the verifier takes.
  void changePlan(const std::function<void(plan::PlanT &)> &change);

private:
  void openPlan();

  CompiledProgram bytes;
  std::vector<uint64_t> aligned;          // the plan's bytes at an address that suits it
  std::unique_ptr<KernelLibrary> kernels; // none for a GPU
  const plan::Plan *plan = nullptr;
};

/// Values for every argument of `function`, in [-1, 1) or small integers, from `seed`.
NamedTensors someInputs(mlir::func::FuncOp function, uint32_t seed);

/// Replaces about `share` of the f32 elements by NaN, infinities, zeros of both signs and numbers
/// at the ends of the range. From a tenth on the first rows of a matrix become all NaN, all
/// -inf and all zeros: what a row makes of nothing else.
void putSpecialValues(NamedTensors &inputs, float share);

/// What the interpreter says the function does to its buffers: every argument and result by name.
NamedTensors interpretBuffers(mlir::func::FuncOp function, const NamedTensors &inputs);

/// "" if both hold the same bits (any two NaNs are the same), else where they differ first.
std::string firstDifference(const NamedTensors &expected, const NamedTensors &actual);

} // namespace dlm::test
