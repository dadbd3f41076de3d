// Instructions are counted in the order in which they stand in the function.
#include "test/codegen/DeviceFaults.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <gtest/gtest.h>

namespace {

template <class Is>
llvm::Instruction *findInstruction(llvm::Module &module, const std::string &kernel, unsigned number,
                                   Is is) {
  llvm::Function *function = module.getFunction(kernel);
  if (function)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (is(instruction) && number-- == 0) return &instruction;
  ADD_FAILURE() << "kernel '" << kernel << "' has no place for this fault";
  return nullptr;
}

bool isBarrier(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all;
}

bool isSharedStore(const llvm::Instruction &instruction) {
  auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return store && store->getPointerAddressSpace() == 3;
}

bool isBound(const llvm::Instruction &instruction) {
  auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
  return compare && compare->isRelational() && compare->isStrictPredicate() &&
         !llvm::isa<llvm::Constant>(compare->getOperand(1));
}

} // namespace

void removeBarrier(llvm::Module &module, const std::string &kernel, unsigned number) {
  if (llvm::Instruction *barrier = findInstruction(module, kernel, number, isBarrier))
    barrier->eraseFromParent();
}

void guardBarrier(llvm::Module &module, const std::string &kernel, unsigned number,
                  unsigned bound) {
  llvm::Instruction *barrier = findInstruction(module, kernel, number, isBarrier);
  if (!barrier) return;
  llvm::IRBuilder<> builder(barrier);
  llvm::Value *thread = builder.CreateIntrinsic(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x,
                                                llvm::ArrayRef<llvm::Type *>(), {});
  llvm::Value *isBelow = builder.CreateICmpULT(thread, builder.getInt32(bound));
  llvm::Instruction *end = llvm::SplitBlockAndInsertIfThen(isBelow, barrier->getIterator(), false);
  barrier->moveBefore(end->getIterator());
}

void removeSharedStore(llvm::Module &module, const std::string &kernel, unsigned number) {
  if (llvm::Instruction *store = findInstruction(module, kernel, number, isSharedStore))
    store->eraseFromParent();
}

void mergeSharedStore(llvm::Module &module, const std::string &kernel, unsigned number,
                      uint64_t bits) {
  llvm::Instruction *store = findInstruction(module, kernel, number, isSharedStore);
  if (!store) return;
  auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(store->getOperand(1));
  if (!address) {
    ADD_FAILURE() << "the store's address has no index";
    return;
  }
  llvm::IRBuilder<> builder(address);
  llvm::Instruction *own = address->clone();
  builder.Insert(own);
  unsigned last = own->getNumOperands() - 1;
  llvm::Value *index = own->getOperand(last);
  builder.SetInsertPoint(own);
  own->setOperand(last, builder.CreateAnd(index, llvm::ConstantInt::get(index->getType(), ~bits)));
  store->setOperand(1, own);
}

void loosenBound(llvm::Module &module, const std::string &kernel, unsigned number) {
  auto *bound =
      llvm::cast_or_null<llvm::ICmpInst>(findInstruction(module, kernel, number, isBound));
  if (bound) bound->setPredicate(bound->getNonStrictPredicate());
}

void lowerSharedAlignment(llvm::Module &module, uint64_t alignment) {
  for (llvm::GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == 3) variable.setAlignment(llvm::Align(alignment));
}
