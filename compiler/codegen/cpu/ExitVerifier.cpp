// Walks every instruction once. It stands after optimisation, so it also sees what LLVM's passes
// made.
#include "compiler/codegen/cpu/ExitVerifier.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace dlm {
namespace {

/// Why an instruction may not leave; empty if it may.
std::string findFault(const llvm::Instruction &instruction) {
  if (auto *math = llvm::dyn_cast<llvm::FPMathOperator>(&instruction))
    if (math->getFastMathFlags().any()) return "has a fast-math flag";
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call) return "";
  const llvm::Function *callee = call->getCalledFunction();
  if (!callee || !callee->isIntrinsic()) return "calls what is not an intrinsic";
  switch (callee->getIntrinsicID()) {
  case llvm::Intrinsic::fmuladd:
  case llvm::Intrinsic::vector_reduce_fadd:
  case llvm::Intrinsic::vector_reduce_fmul:
    return "leaves the order of roundings open";
  case llvm::Intrinsic::exp:
  case llvm::Intrinsic::exp2:
  case llvm::Intrinsic::log:
  case llvm::Intrinsic::log2:
  case llvm::Intrinsic::log10:
  case llvm::Intrinsic::sin:
  case llvm::Intrinsic::cos:
  case llvm::Intrinsic::tanh:
  case llvm::Intrinsic::pow:
  case llvm::Intrinsic::powi:
    return "would call the C library's mathematics";
  case llvm::Intrinsic::memcpy:
  case llvm::Intrinsic::memmove:
  case llvm::Intrinsic::memset:
    return "would call the C library";
  default:
    return "";
  }
}

} // namespace

llvm::Error verifyExit(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      std::string fault = findFault(instruction);
      if (fault.empty()) continue;
      std::string text;
      llvm::raw_string_ostream stream(text);
      stream << "kernel '" << function.getName() << "': instruction " << fault << ": ";
      instruction.print(stream);
      return llvm::createStringError(text);
    }
  return llvm::Error::success();
}

} // namespace dlm
