// The address of a variable is an odd multiple of its alignment: code that needs more than it
// declares is found out, where a generous layout would hide it. The emulator places the whole at an
// odd multiple of the largest alignment, so variables with that alignment stand at even multiples
// within it and all others at odd ones. Gaps between variables catch accesses that run over the end
// of one.
#include "compiler/codegen/emulate/SharedLayout.h"

namespace dlm::emulate {
namespace {

constexpr uint32_t SharedGapBytes = 16;
constexpr unsigned SharedSpace = 3;

/// The first multiple of `alignment` from `begin` on that is odd, or even.
uint32_t placeMultiple(uint32_t begin, uint32_t alignment, bool isOdd) {
  uint32_t multiple = (begin + alignment - 1) / alignment;
  return (multiple + (multiple % 2 != isOdd)) * alignment;
}

bool isUsedIn(const llvm::GlobalVariable &variable, const llvm::Function &function) {
  for (const llvm::User *user : variable.users())
    if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(user))
      if (instruction->getFunction() == &function) return true;
  return false;
}

/// The kernel's shared variables, without their places.
std::vector<llvm::GlobalVariable *> collectVariables(HostKernel &kernel) {
  std::vector<llvm::GlobalVariable *> variables;
  for (llvm::GlobalVariable &variable : kernel.module().globals())
    if (variable.getAddressSpace() == SharedSpace && isUsedIn(variable, kernel.function()))
      variables.push_back(&variable);
  return variables;
}

/// Makes the kernel's uses of the variable an address in the thread's shared memory.
void replaceUses(HostKernel &kernel, llvm::GlobalVariable &variable, uint32_t offset) {
  llvm::Value *base = kernel.getField(offsetof(DlmEmuThread, shared), variable.getType());
  llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(base)->getNextNode());
  llvm::Value *address = builder.CreateConstGEP1_32(builder.getInt8Ty(), base, offset);
  variable.replaceUsesWithIf(address, [&](llvm::Use &use) {
    auto *user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    return user && user->getFunction() == &kernel.function();
  });
}

} // namespace

llvm::Error placeSharedMemory(HostKernel &kernel) {
  const llvm::DataLayout &layout = kernel.module().getDataLayout();
  std::vector<llvm::GlobalVariable *> variables = collectVariables(kernel);
  uint32_t largest = 1, end = 0;
  for (llvm::GlobalVariable *variable : variables) {
    SharedVariable &placed = kernel.shared.emplace_back();
    placed.name = variable->getName();
    placed.sizeBytes = layout.getTypeAllocSize(variable->getValueType());
    placed.alignment =
        layout.getValueOrABITypeAlignment(variable->getAlign(), variable->getValueType()).value();
    largest = std::max(largest, placed.alignment);
    if (variable->isDeclaration() || placed.sizeBytes == 0)
      return kernel.makeError("shared memory '" + variable->getName() +
                              "' has no size of its own; the emulator needs one");
  }
  for (size_t index = 0; index < variables.size(); ++index) {
    SharedVariable &placed = kernel.shared[index];
    placed.offset = placeMultiple(end + SharedGapBytes, placed.alignment,
                                  /*isOdd=*/placed.alignment < largest);
    end = placed.offset + placed.sizeBytes;
    replaceUses(kernel, *variables[index], placed.offset);
  }
  kernel.sharedBytes = end ? end + SharedGapBytes : 0;
  return llvm::Error::success();
}

} // namespace dlm::emulate
