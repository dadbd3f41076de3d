// A variable lies at an odd multiple of its alignment: code that needs more than it declares is
// found out, where a generous layout would hide it. Gaps between variables catch accesses that
// run over the end of one.
#include "compiler/codegen/emulate/SharedLayout.h"

namespace dlm::emulate {
namespace {

constexpr uint32_t SharedGapBytes = 16;
constexpr unsigned SharedSpace = 3;

/// The first odd multiple of `alignment` from `begin` on.
uint32_t placeOddly(uint32_t begin, uint32_t alignment) {
  uint32_t multiple = (begin + alignment - 1) / alignment;
  return (multiple | 1) * alignment;
}

bool isUsedIn(const llvm::GlobalVariable &variable, const llvm::Function &function) {
  for (const llvm::User *user : variable.users())
    if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(user))
      if (instruction->getFunction() == &function) return true;
  return false;
}

} // namespace

llvm::Error placeSharedMemory(HostKernel &kernel) {
  llvm::Module &module = kernel.module();
  uint32_t end = 0;
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != SharedSpace || !isUsedIn(variable, kernel.function()))
      continue;
    uint64_t size = module.getDataLayout().getTypeAllocSize(variable.getValueType());
    if (variable.isDeclaration() || size == 0)
      return kernel.makeError("shared memory '" + variable.getName() +
                              "' has no size of its own; the emulator needs one");
    SharedVariable placed{
        variable.getName().str(), 0, uint32_t(size),
        uint32_t(module.getDataLayout()
                     .getValueOrABITypeAlignment(variable.getAlign(), variable.getValueType())
                     .value())};
    placed.offset = placeOddly(end + SharedGapBytes, placed.alignment);
    end = placed.offset + placed.sizeBytes;
    kernel.shared.push_back(placed);
    llvm::Value *base = kernel.getField(offsetof(DlmEmuThread, shared), variable.getType());
    llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(base)->getNextNode());
    llvm::Value *address = builder.CreateConstGEP1_32(builder.getInt8Ty(), base, placed.offset);
    variable.replaceUsesWithIf(address, [&](llvm::Use &use) {
      auto *user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      return user && user->getFunction() == &kernel.function();
    });
  }
  kernel.sharedBytes = end ? end + SharedGapBytes : 0;
  return llvm::Error::success();
}

} // namespace dlm::emulate
