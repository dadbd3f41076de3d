// LLVM's value mapper changes the types in place. Two things it leaves: casts between what were
// address spaces, which now cast to the same type, and overloaded intrinsics, whose names hold the
// old types.
#include "compiler/codegen/emulate/FlatMemory.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace dlm::emulate {
namespace {

class FlatTypes : public llvm::ValueMapTypeRemapper {
public:
  llvm::Type *remapType(llvm::Type *type) override {
    if (type->isPointerTy()) return llvm::PointerType::get(type->getContext(), 0);
    if (auto *vector = llvm::dyn_cast<llvm::VectorType>(type))
      return llvm::VectorType::get(remapType(vector->getElementType()), vector->getElementCount());
    if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
      return llvm::ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    if (auto *function = llvm::dyn_cast<llvm::FunctionType>(type))
      return llvm::FunctionType::get(remapType(function->getReturnType()),
                                     remapAll(function->params()), function->isVarArg());
    auto *structure = llvm::dyn_cast<llvm::StructType>(type);
    if (!structure || structure->isOpaque()) return type;
    std::vector<llvm::Type *> elements = remapAll(structure->elements());
    if (structure->elements() == llvm::ArrayRef(elements)) return type;
    return llvm::StructType::get(type->getContext(), elements, structure->isPacked());
  }

private:
  std::vector<llvm::Type *> remapAll(llvm::ArrayRef<llvm::Type *> types) {
    std::vector<llvm::Type *> result;
    for (llvm::Type *type : types)
      result.push_back(remapType(type));
    return result;
  }
};

/// The host's variable for one of the device's, in `variables`.
llvm::Error flattenVariable(llvm::GlobalVariable &variable, llvm::ValueToValueMapTy &variables) {
  if (!variable.hasInitializer())
    return llvm::createStringError("variable '" + variable.getName() + "' has no value");
  if (variable.getInitializer()->needsDynamicRelocation())
    return llvm::createStringError("the value of variable '" + variable.getName() +
                                   "' holds addresses; the emulator cannot place it");
  auto *flat = new llvm::GlobalVariable(*variable.getParent(), variable.getValueType(),
                                        variable.isConstant(), llvm::GlobalValue::InternalLinkage,
                                        variable.getInitializer(), variable.getName() + ".host");
  flat->setAlignment(variable.getAlign());
  variables[&variable] = flat;
  return llvm::Error::success();
}

/// The declaration of the intrinsic for the types that the call has now.
void renameIntrinsic(llvm::IntrinsicInst &call) {
  llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (!llvm::Intrinsic::isOverloaded(id)) return;
  llvm::SmallVector<llvm::Type *> types;
  if (!llvm::Intrinsic::getIntrinsicSignature(id, call.getFunctionType(), types)) return;
  call.setCalledFunction(llvm::Intrinsic::getOrInsertDeclaration(call.getModule(), id, types));
}

} // namespace

llvm::Error flattenMemory(llvm::Module &module, llvm::ArrayRef<llvm::Function *> functions) {
  llvm::ValueToValueMapTy variables;
  std::vector<llvm::GlobalVariable *> device;
  for (llvm::GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() != 0 && !variable.use_empty()) device.push_back(&variable);
  for (llvm::GlobalVariable *variable : device)
    if (llvm::Error error = flattenVariable(*variable, variables)) return error;
  FlatTypes types;
  for (llvm::Function *function : functions) {
    llvm::RemapFunction(*function, variables, llvm::RF_IgnoreMissingLocals, &types);
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(*function))) {
      if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction)) {
        cast->replaceAllUsesWith(cast->getOperand(0));
        cast->eraseFromParent();
      } else if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
        renameIntrinsic(*call);
      }
    }
  }
  return llvm::Error::success();
}

} // namespace dlm::emulate
