// Compiles once for all orders; every launch has memory of its own.
#include "test/codegen/FaultTrial.h"

#include "llvm/Transforms/Utils/Cloning.h"

#include <gtest/gtest.h>

using dlm::emulator::Fault;
using dlm::emulator::Finding;
using dlm::emulator::Order;

namespace {

const std::pair<Order, const char *> Orders[] = {{Order::Sequential, "sequential"},
                                                 {Order::Reverse, "reverse"},
                                                 {Order::Random, "random"},
                                                 {Order::WarpSkew, "warp-skew"}};

void plantNothing(llvm::Module &) {}

std::string inWords(const Finding &finding) {
  return std::string(faultName(finding.fault)) + ": " + finding.message;
}

} // namespace

FaultTrial::FaultTrial(std::unique_ptr<llvm::LLVMContext> context,
                       std::unique_ptr<llvm::Module> device, LaunchSize size, Run run)
    : context(std::move(context)), device(std::move(device)), size(size), run(std::move(run)) {}

std::vector<FaultTrial::Outcome> FaultTrial::runInOrders(const Plant &plant, bool checked,
                                                         LaunchSize size) const {
  std::vector<Outcome> outcomes;
  std::unique_ptr<llvm::Module> planted = llvm::CloneModule(*device);
  plant(*planted);
  auto emulated = EmulatedDevice::create(*planted, checked);
  if (!emulated) return outcomes;
  for (const auto &[order, name] : Orders) {
    emulated->report = {};
    bool isRight = run(*emulated, size, order);
    outcomes.push_back({name, isRight, emulated->report});
  }
  return outcomes;
}

void FaultTrial::expectCleanAndRight() const {
  for (bool checked : {false, true})
    for (const Outcome &outcome : runInOrders(plantNothing, checked, size)) {
      EXPECT_TRUE(outcome.isRight) << outcome.order;
      for (const Finding &finding : outcome.report.findings)
        ADD_FAILURE() << outcome.order << ": " << inWords(finding);
    }
}

void FaultTrial::expectNamed(const Plant &plant, LaunchSize size, Fault fault,
                             const std::string &text) const {
  for (const Outcome &outcome : runInOrders(plant, true, size)) {
    std::string all;
    bool isNamed = false;
    for (const Finding &finding : outcome.report.findings) {
      isNamed |= finding.fault == fault && finding.message.find(text) != std::string::npos;
      all += "\n" + inWords(finding);
    }
    EXPECT_TRUE(isNamed) << "in order " << outcome.order << " there is no finding "
                         << faultName(fault) << " that tells of " << text << all;
  }
}

void FaultTrial::expectNamed(const Plant &plant, Fault fault, const std::string &text) const {
  expectNamed(plant, size, fault, text);
}

void FaultTrial::expectNamed(LaunchSize size, Fault fault, const std::string &text) const {
  expectNamed(plantNothing, size, fault, text);
}

Names FaultTrial::ordersThatShow(const Plant &plant) const {
  Names names;
  for (const Outcome &outcome : runInOrders(plant, false, size))
    if (!outcome.isRight) names.insert(outcome.order);
  return names;
}
