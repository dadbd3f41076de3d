// The divisor becomes 1 where the host would trap; a select then gives x / 0 its result. All other
// cases come out of the division by 1.
#include "compiler/codegen/emulate/DivisionGuards.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

namespace dlm::emulate {
namespace {

bool isSigned(const llvm::Instruction &division) {
  return division.getOpcode() == llvm::Instruction::SDiv ||
         division.getOpcode() == llvm::Instruction::SRem;
}

} // namespace

bool canTrap(const llvm::Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
    break;
  default:
    return false;
  }
  const llvm::APInt *divisor;
  if (!llvm::PatternMatch::match(instruction.getOperand(1), llvm::PatternMatch::m_APInt(divisor)))
    return true;
  return divisor->isZero() || (isSigned(instruction) && divisor->isAllOnes());
}

void guardDivision(llvm::BinaryOperator &division) {
  llvm::IRBuilder<> builder(&division);
  llvm::Value *dividend = division.getOperand(0), *divisor = division.getOperand(1);
  llvm::Type *type = division.getType();
  llvm::Constant *allOnes = llvm::Constant::getAllOnesValue(type);
  llvm::Value *isZero = builder.CreateICmpEQ(divisor, llvm::Constant::getNullValue(type));
  llvm::Value *traps = isZero;
  if (isSigned(division)) {
    llvm::Constant *least =
        llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getScalarSizeInBits()));
    traps = builder.CreateOr(traps, builder.CreateAnd(builder.CreateICmpEQ(divisor, allOnes),
                                                      builder.CreateICmpEQ(dividend, least)));
  }
  division.setOperand(1, builder.CreateSelect(traps, llvm::ConstantInt::get(type, 1), divisor));
  division.dropPoisonGeneratingFlags();
  bool isQuotient = division.getOpcode() == llvm::Instruction::UDiv ||
                    division.getOpcode() == llvm::Instruction::SDiv;
  builder.SetInsertPoint(division.getNextNode());
  auto *result = llvm::cast<llvm::Instruction>(
      llvm::SelectInst::Create(isZero, isQuotient ? (llvm::Value *)allOnes : dividend, &division));
  result->insertAfter(division.getIterator());
  division.replaceUsesWithIf(result, [&](llvm::Use &use) { return use.getUser() != result; });
}

} // namespace dlm::emulate
