// Makes the function that runs one thread, with a copy of the kernel's body.
#include "compiler/codegen/emulate/HostKernel.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace dlm::emulate {
namespace {

/// Threads of a block as the code declares them: `maxntid`, or `reqntid`, by one to three sizes.
uint32_t readThreadsMax(const llvm::Function &kernel) {
  for (const char *name : {"nvvm.reqntid", "nvvm.maxntid"}) {
    llvm::StringRef text = kernel.getFnAttribute(name).getValueAsString();
    if (text.empty()) continue;
    llvm::SmallVector<llvm::StringRef, 3> sizes;
    text.split(sizes, ',');
    uint32_t threads = 1, size = 0;
    for (llvm::StringRef part : sizes)
      if (!part.trim().getAsInteger(10, size)) threads *= size;
    return threads;
  }
  return 0;
}

/// Says that what a load reads never changes, so that passes may keep it in a register.
void markInvariant(llvm::LoadInst *load) {
  load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                    llvm::MDNode::get(load->getContext(), {}));
}

} // namespace

HostKernel::HostKernel(llvm::Function &kernel, std::vector<Site> &sites)
    : kernelName(kernel.getName()), sites(sites) {
  threadsMax = readThreadsMax(kernel);
  llvm::LLVMContext &context = kernel.getContext();
  llvm::Type *pointer = llvm::PointerType::get(context, 0);
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer}, false);
  run = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, kernelName + ".run",
                               kernel.getParent());
  auto *entry = llvm::BasicBlock::Create(context, "entry", run);
  llvm::IRBuilder<> builder(entry);
  llvm::ValueToValueMapTy values;
  for (llvm::Argument &argument : kernel.args()) {
    unsigned number = argument.getArgNo();
    llvm::Value *slot = builder.CreateConstGEP1_32(pointer, run->getArg(1), number);
    llvm::LoadInst *address = builder.CreateLoad(pointer, slot);
    llvm::LoadInst *value =
        builder.CreateLoad(argument.getType(), address, "parameter " + llvm::Twine(number));
    markInvariant(address);
    markInvariant(value);
    values[&argument] = value;
    paramBytes.push_back(kernel.getParent()->getDataLayout().getTypeAllocSize(argument.getType()));
  }
  llvm::SmallVector<llvm::ReturnInst *> returns;
  llvm::CloneFunctionInto(run, &kernel, values, llvm::CloneFunctionChangeType::LocalChangesOnly,
                          returns);
  run->setAttributes({});
  run->setCallingConv(llvm::CallingConv::C);
  run->setLinkage(llvm::GlobalValue::InternalLinkage);
  run->setVisibility(llvm::GlobalValue::DefaultVisibility);
  run->addFnAttr(llvm::Attribute::NoUnwind);
  for (llvm::BasicBlock &block : *run)
    if (&block != entry)
      for (llvm::Instruction &instruction : block)
        code.push_back(&instruction);
  entryEnd = builder.CreateBr(llvm::cast<llvm::BasicBlock>(values.lookup(&kernel.getEntryBlock())));
}

void HostKernel::joinEntry() { llvm::MergeBlockIntoPredecessor(entryEnd->getSuccessor(0)); }

llvm::Value *HostKernel::loadAtEntry(llvm::Value *base, size_t offset, llvm::Type *type) {
  llvm::Value *&value = loaded[{base, offset}];
  if (value) return value;
  llvm::IRBuilder<> builder(entryEnd);
  llvm::Value *address = builder.CreateConstGEP1_64(builder.getInt8Ty(), base, offset);
  llvm::LoadInst *load = builder.CreateLoad(type, address);
  markInvariant(load);
  return value = load;
}

llvm::Value *HostKernel::getField(size_t offset, llvm::Type *type) {
  return loadAtEntry(run->getArg(0), offset, type);
}

llvm::CallInst *HostKernel::callApi(llvm::IRBuilder<> &builder, size_t member, llvm::Type *result,
                                    llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::Type *pointer = llvm::PointerType::get(run->getContext(), 0);
  llvm::Value *api = getField(offsetof(DlmEmuThread, api), pointer);
  llvm::Value *callee = loadAtEntry(api, member, pointer);
  std::vector<llvm::Value *> all = {run->getArg(0)};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<llvm::Type *> types;
  for (llvm::Value *argument : all)
    types.push_back(argument->getType());
  llvm::CallInst *call =
      builder.CreateCall(llvm::FunctionType::get(result, types, false), callee, all);
  call->setDoesNotThrow();
  return call;
}

llvm::Value *HostKernel::addSite(DlmEmuSiteKind kind, const std::string &what, uint8_t space,
                                 uint32_t alignment) {
  sites.push_back({kind, space, alignment, what});
  return llvm::ConstantInt::get(llvm::Type::getInt32Ty(run->getContext()), sites.size() - 1);
}

llvm::Error HostKernel::makeError(const llvm::Twine &fault) const {
  return llvm::createStringError("kernel '" + kernelName + "': " + fault);
}

} // namespace dlm::emulate
