// A kernel that is right, and what becomes of it with a fault planted: which check names the fault,
// and in which orders of threads its answer is wrong.
#pragma once

#include "test/codegen/DeviceFaults.h"
#include "test/codegen/EmulatedDevice.h"

#include <set>

struct LaunchSize {
  uint32_t grid, block;
};

using Plant = std::function<void(llvm::Module &)>;
using Names = std::set<std::string>;

class FaultTrial {
public:
  /// Puts the operands on the device, launches, and tells whether the answer is right.
  using Run = std::function<bool(EmulatedDevice &, LaunchSize, dlm::emulator::Order)>;

  FaultTrial(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> device,
             LaunchSize size, Run run);

  /// Without a fault the kernel is right in every order, and a checked run finds nothing.
  void expectCleanAndRight() const;
  /// In every order a checked run has a finding of this kind that holds `text`.
  void expectNamed(const Plant &plant, dlm::emulator::Fault fault, const std::string &text) const;
  void expectNamed(LaunchSize size, dlm::emulator::Fault fault, const std::string &text) const;
  /// The orders in which an unchecked run gives a wrong answer.
  Names ordersThatShow(const Plant &plant) const;

private:
  struct Outcome {
    std::string order;
    bool isRight;
    dlm::emulator::Report report;
  };
  std::vector<Outcome> runInOrders(const Plant &plant, bool checked, LaunchSize size) const;
  void expectNamed(const Plant &plant, LaunchSize size, dlm::emulator::Fault fault,
                   const std::string &text) const;

  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> device;
  LaunchSize size;
  Run run;
};
