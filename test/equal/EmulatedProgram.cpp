// Takes the way of an executable: conversion, device module, image; and does what the executor does
// with stages.
#include "test/equal/EmulatedProgram.h"
#include "compiler/codegen/cuda/CudaCodegen.h"
#include "compiler/conversion/KernelToGPU/KernelToGPU.h"

#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace mlir;

std::unique_ptr<EmulatedProgram> EmulatedProgram::create(ModuleOp module) {
  OwningOpRef<ModuleOp> code = kernel::convertKernelsToGPU(module);
  if (!code || failed(verify(*code)) || failed(verify(module))) {
    ADD_FAILURE() << "conversion failed";
    return nullptr;
  }
  if (llvm::Error error = dlm::lowerToNVVM(*code)) {
    ADD_FAILURE() << llvm::toString(std::move(error));
    return nullptr;
  }
  llvm::LLVMContext context;
  auto device = dlm::makeDeviceModule(*code, context);
  if (!device) {
    ADD_FAILURE() << llvm::toString(device.takeError());
    return nullptr;
  }
  auto program = std::make_unique<EmulatedProgram>();
  program->module = module;
  program->plain = EmulatedDevice::create(**device, false);
  program->checked = EmulatedDevice::create(**device, true);
  return program->plain && program->checked ? std::move(program) : nullptr;
}

std::vector<Buffer> EmulatedProgram::run(Operation *instruction, std::vector<Buffer> arguments,
                                         const EmulatedRun &how) {
  EmulatedDevice &device = how.isChecked ? *checked : *plain;
  EXPECT_EQ(bool(device.image().isChecked), how.isChecked);
  auto refs = instruction->getAttrOfType<ArrayAttr>("args").getAsRange<plan::RefAttr>();
  auto stages = instruction->getAttrOfType<ArrayAttr>("stages").getAsRange<plan::StageAttr>();
  std::vector<char *> allocations;
  std::vector<uint64_t> addresses;
  int64_t scratchBytes = 0;
  for (plan::StageAttr stage : stages)
    scratchBytes = std::max(scratchBytes, stage.getScratchBytes());
  for (auto [ref, argument] : llvm::zip_equal(refs, arguments)) {
    if (how.inPlace && addresses.size() == how.inPlace) {
      addresses.push_back(addresses[0]);
      continue;
    }
    char *memory = device.allocate<char>(ref.getOffset() + argument.size());
    allocations.push_back(memory);
    char *address = memory + ref.getOffset();
    std::copy(argument.begin(), argument.end(), address);
    device.memory.markWritten(address, argument.size());
    addresses.push_back(asParameter(address));
  }
  allocations.push_back(device.allocate<char>(scratchBytes));
  addresses.push_back(scratchBytes ? asParameter(allocations.back()) : 0);
  for (plan::StageAttr stage : stages)
    runStage(device, stage, addresses, how);
  for (size_t index = 0; index < arguments.size(); ++index)
    std::copy_n(reinterpret_cast<const char *>(addresses[index]), arguments[index].size(),
                arguments[index].begin());
  for (char *memory : allocations)
    device.memory.release(memory);
  return arguments;
}

void EmulatedProgram::runStage(EmulatedDevice &device, plan::StageAttr stage,
                               const std::vector<uint64_t> &addresses, const EmulatedRun &how) {
  auto function = module.lookupSymbol<plan::FunctionOp>(stage.getFunction());
  std::string name = function.getSymName().str();
  std::vector<uint64_t> parameters = addresses;
  parameters.insert(parameters.end(), stage.getNumbers().begin(), stage.getNumbers().end());
  int64_t sharedBytes = 0; // without gaps
  const DlmEmuFunction &code = device.function(name);
  for (uint32_t index = 0; index < code.sharedCount; ++index)
    sharedBytes += code.shared[index].sizeBytes;
  EXPECT_LE(sharedBytes, function.getSharedBytes()) << name;
  EXPECT_TRUE(device.launch(name, stage.getGrid(), function.getBlockSize(), parameters, how.order))
      << name;
  for (const dlm::emulator::Finding &finding : device.report.findings)
    ADD_FAILURE() << dlm::emulator::faultName(finding.fault) << " in " << finding.function << ": "
                  << finding.message;
  device.report = {};
}
