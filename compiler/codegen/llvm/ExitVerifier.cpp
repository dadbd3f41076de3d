// Walks every instruction once. It stands after optimisation, so it also sees what LLVM's passes
// made.
#include "compiler/codegen/llvm/ExitVerifier.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace dlm {
namespace {

/// Address spaces of LLVM's NVPTX back end.
enum AddressSpace { GlobalMemory = 1, SharedMemory = 3 };

std::string findOpenResult(llvm::Intrinsic::ID intrinsic) {
  switch (intrinsic) {
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

/// What a thread asks its machine: who it is, to wait for its block or warp, what a neighbour has.
bool isThreadIntrinsic(llvm::Intrinsic::ID intrinsic) {
  switch (intrinsic) {
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_laneid:
  case llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all:
  case llvm::Intrinsic::nvvm_bar_warp_sync:
  case llvm::Intrinsic::nvvm_shfl_sync_down_i32:
  case llvm::Intrinsic::nvvm_shfl_sync_down_f32:
  case llvm::Intrinsic::nvvm_shfl_sync_idx_i32:
  case llvm::Intrinsic::nvvm_shfl_sync_idx_f32:
  case llvm::Intrinsic::nvvm_shfl_sync_down_i32p:
  case llvm::Intrinsic::nvvm_shfl_sync_down_f32p:
  case llvm::Intrinsic::nvvm_shfl_sync_idx_i32p:
  case llvm::Intrinsic::nvvm_shfl_sync_idx_f32p:
    return true;
  default:
    return false;
  }
}

/// Has one right result, which the NVPTX back end's instructions and the CPU's both give.
bool isExactArithmetic(llvm::Intrinsic::ID intrinsic) {
  switch (intrinsic) {
  case llvm::Intrinsic::fma:
  case llvm::Intrinsic::sqrt:
  case llvm::Intrinsic::fabs:
  case llvm::Intrinsic::copysign:
  case llvm::Intrinsic::floor:
  case llvm::Intrinsic::ceil:
  case llvm::Intrinsic::trunc:
  case llvm::Intrinsic::roundeven:
  case llvm::Intrinsic::maximum:
  case llvm::Intrinsic::minimum:
  case llvm::Intrinsic::fptosi_sat:
  case llvm::Intrinsic::fptoui_sat:
  case llvm::Intrinsic::abs:
  case llvm::Intrinsic::smax:
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::umax:
  case llvm::Intrinsic::umin:
  case llvm::Intrinsic::scmp:
  case llvm::Intrinsic::ucmp:
  case llvm::Intrinsic::fshl:
  case llvm::Intrinsic::fshr:
  case llvm::Intrinsic::bswap:
  case llvm::Intrinsic::bitreverse:
  case llvm::Intrinsic::ctlz:
  case llvm::Intrinsic::cttz:
  case llvm::Intrinsic::ctpop:
  case llvm::Intrinsic::uadd_with_overflow:
  case llvm::Intrinsic::umul_with_overflow:
  case llvm::Intrinsic::uadd_sat:
  case llvm::Intrinsic::usub_sat:
  case llvm::Intrinsic::assume:
  case llvm::Intrinsic::experimental_noalias_scope_decl:
    return true;
  default:
    return false;
  }
}

std::string findDeviceFault(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::AllocaInst>(instruction)) return "needs a stack";
  if (instruction.isAtomic()) return "is atomic";
  if (const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction)) {
    unsigned space = pointer->getType()->getPointerAddressSpace();
    if (space != GlobalMemory && space != SharedMemory)
      return "reaches memory that is neither global nor shared";
  }
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call || isThreadIntrinsic(call->getIntrinsicID()) ||
      isExactArithmetic(call->getIntrinsicID()))
    return "";
  return "calls an intrinsic that is not in the list of those with one right result";
}

/// Why an instruction may not leave; empty if it may.
std::string findFault(const llvm::Instruction &instruction, IndirectCalls indirectCalls) {
  if (auto *math = llvm::dyn_cast<llvm::FPMathOperator>(&instruction))
    if (math->getFastMathFlags().any()) return "has a fast-math flag";
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call) return "";
  if (call->isIndirectCall() && indirectCalls == IndirectCalls::Allowed) return "";
  const llvm::Function *callee = call->getCalledFunction();
  if (!callee || !callee->isIntrinsic()) return "calls what is not an intrinsic";
  return findOpenResult(callee->getIntrinsicID());
}

template <typename Find> llvm::Error verifyInstructions(const llvm::Module &module, Find find) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      std::string fault = find(instruction);
      if (fault.empty()) continue;
      std::string text;
      llvm::raw_string_ostream stream(text);
      stream << "kernel '" << function.getName() << "': instruction " << fault << ": ";
      instruction.print(stream);
      return llvm::createStringError(text);
    }
  return llvm::Error::success();
}

} // namespace

llvm::Error verifyExit(const llvm::Module &module, IndirectCalls indirectCalls) {
  return verifyInstructions(module, [&](const llvm::Instruction &instruction) {
    return findFault(instruction, indirectCalls);
  });
}

llvm::Error verifyDeviceExit(const llvm::Module &module) {
  return verifyInstructions(module, [](const llvm::Instruction &instruction) {
    std::string fault = findFault(instruction, IndirectCalls::Forbidden);
    return fault.empty() ? findDeviceFault(instruction) : fault;
  });
}

} // namespace dlm
