// A placed module in a test: its device code, compiled and run by the emulator.
#pragma once

#include "test/codegen/EmulatedDevice.h"
#include "test/equal/KernelEvaluator.h"

#include "dialects/plan/Plan.h"

/// How the stages of an instruction are run.
struct EmulatedRun {
  bool isChecked = false;
  dlm::emulator::Order order = dlm::emulator::Order::Sequential;
  /// The argument that takes the memory of argument 0; 0: none.
  size_t inPlace = 0;
};

class EmulatedProgram {
public:
  /// Adds the stages to `module` and compiles, with checks and without; fails as a test and gives
  /// null if it cannot.
  static std::unique_ptr<EmulatedProgram> create(mlir::ModuleOp module);

  /// Runs the stages of an instruction on copies of its arguments, each in memory of its own at the
  /// offset that the plan gives it; returns them as they are then. Findings are failures.
  std::vector<Buffer> run(mlir::Operation *instruction, std::vector<Buffer> arguments,
                          const EmulatedRun &how);

private:
  void runStage(EmulatedDevice &device, plan::StageAttr stage,
                const std::vector<uint64_t> &addresses, const EmulatedRun &how);

  mlir::ModuleOp module;
  std::unique_ptr<EmulatedDevice> plain, checked;
};
