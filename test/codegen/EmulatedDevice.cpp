// Opens the image as the runner does: from memory, by its one symbol.
#include "test/codegen/EmulatedDevice.h"
#include "compiler/codegen/emulate/EmulatedImage.h"
#include "compiler/codegen/link/KernelLinker.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

namespace {

const char DeviceHead[] = R"(
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
)";

llvm::Expected<dlm::Bytes> compileDevice(const llvm::Module &device, bool checked) {
  llvm::Expected<dlm::Bytes> object = dlm::emitEmulatedObject(device, {checked});
  if (!object) return object.takeError();
  return dlm::linkKernels({*object});
}

} // namespace

std::string makeDeviceText(const std::string &body) { return DeviceHead + body; }

std::unique_ptr<llvm::Module> parseDevice(llvm::LLVMContext &context, const std::string &body) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(makeDeviceText(body), diagnostic, context);
  if (!module) ADD_FAILURE() << diagnostic.getLineNo() << ": " << diagnostic.getMessage().str();
  return module;
}

std::unique_ptr<EmulatedDevice> EmulatedDevice::create(const llvm::Module &device, bool checked) {
  llvm::Expected<dlm::Bytes> bytes = compileDevice(device, checked);
  if (!bytes) {
    ADD_FAILURE() << llvm::toString(bytes.takeError());
    return nullptr;
  }
  auto library = dlm::openSharedObject(reinterpret_cast<const uint8_t *>(bytes->data()),
                                       bytes->size(), "the image");
  if (!library.isOk()) {
    ADD_FAILURE() << library.status().message();
    return nullptr;
  }
  auto result = std::make_unique<EmulatedDevice>();
  result->library = library.take();
  result->table = static_cast<const DlmEmuImage *>(result->library->find(dlm::DlmEmuImageSymbol));
  if (!result->table) ADD_FAILURE() << "the image has no table";
  return result;
}

std::unique_ptr<EmulatedDevice> EmulatedDevice::create(const std::string &body, bool checked) {
  llvm::LLVMContext context;
  auto module = parseDevice(context, body);
  return module ? create(*module, checked) : nullptr;
}

std::string EmulatedDevice::getFault(const std::string &body) {
  llvm::LLVMContext context;
  auto module = parseDevice(context, body);
  if (!module) return "";
  llvm::Expected<dlm::Bytes> bytes = compileDevice(*module, false);
  return bytes ? "" : llvm::toString(bytes.takeError());
}

const DlmEmuFunction &EmulatedDevice::function(const std::string &name) const {
  for (uint32_t index = 0; index < table->functionCount; ++index)
    if (name == table->functions[index].name) return table->functions[index];
  ADD_FAILURE() << "the image has no function '" << name << "'";
  return table->functions[0];
}

bool EmulatedDevice::launch(const std::string &name, uint32_t grid, uint32_t block,
                            std::vector<uint64_t> parameters, dlm::emulator::Order order,
                            uint64_t seed) {
  std::vector<void *> pointers;
  for (uint64_t &value : parameters)
    pointers.push_back(&value);
  return dlm::emulator::runLaunch(image(), function(name), grid, block, pointers.data(), memory,
                                  {order, seed}, report);
}
