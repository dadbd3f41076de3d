// One function for each kind of operation; a kind that is not listed here is an error, so nothing
// can be emulated wrongly by silence.
#include "compiler/codegen/emulate/DeviceCalls.h"
#include "compiler/codegen/emulate/DivisionGuards.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace dlm::emulate {
namespace {

namespace Intrinsic = llvm::Intrinsic;

/// The field of the thread that holds a special register; nothing if it holds none.
std::optional<size_t> findRegister(Intrinsic::ID id) {
  constexpr size_t tid = offsetof(DlmEmuThread, tid), ntid = offsetof(DlmEmuThread, ntid);
  constexpr size_t ctaid = offsetof(DlmEmuThread, ctaid), nctaid = offsetof(DlmEmuThread, nctaid);
  switch (id) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return tid;
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
    return tid + 4;
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
    return tid + 8;
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return ntid;
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    return ntid + 4;
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return ntid + 8;
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    return ctaid;
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
    return ctaid + 4;
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return ctaid + 8;
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return nctaid;
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    return nctaid + 4;
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return nctaid + 8;
  case Intrinsic::nvvm_read_ptx_sreg_laneid:
    return offsetof(DlmEmuThread, lane);
  case Intrinsic::nvvm_read_ptx_sreg_warpid:
    return offsetof(DlmEmuThread, warp);
  default:
    return std::nullopt;
  }
}

struct ShuffleKind {
  DlmEmuShuffle mode;
  const char *name;
};

std::optional<ShuffleKind> findShuffle(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::nvvm_shfl_sync_idx_i32:
  case Intrinsic::nvvm_shfl_sync_idx_f32:
  case Intrinsic::nvvm_shfl_sync_idx_i32p:
  case Intrinsic::nvvm_shfl_sync_idx_f32p:
    return ShuffleKind{DlmEmuIdx, "idx"};
  case Intrinsic::nvvm_shfl_sync_up_i32:
  case Intrinsic::nvvm_shfl_sync_up_f32:
  case Intrinsic::nvvm_shfl_sync_up_i32p:
  case Intrinsic::nvvm_shfl_sync_up_f32p:
    return ShuffleKind{DlmEmuUp, "up"};
  case Intrinsic::nvvm_shfl_sync_down_i32:
  case Intrinsic::nvvm_shfl_sync_down_f32:
  case Intrinsic::nvvm_shfl_sync_down_i32p:
  case Intrinsic::nvvm_shfl_sync_down_f32p:
    return ShuffleKind{DlmEmuDown, "down"};
  case Intrinsic::nvvm_shfl_sync_bfly_i32:
  case Intrinsic::nvvm_shfl_sync_bfly_f32:
  case Intrinsic::nvvm_shfl_sync_bfly_i32p:
  case Intrinsic::nvvm_shfl_sync_bfly_f32p:
    return ShuffleKind{DlmEmuXor, "xor"};
  default:
    return std::nullopt;
  }
}

/// The generic intrinsic with the meaning of a device's.
Intrinsic::ID findGeneric(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::nvvm_fma_rn_f:
  case Intrinsic::nvvm_fma_rn_d:
    return Intrinsic::fma;
  case Intrinsic::nvvm_sqrt_rn_f:
  case Intrinsic::nvvm_sqrt_rn_d:
    return Intrinsic::sqrt;
  case Intrinsic::nvvm_fabs:
    return Intrinsic::fabs;
  case Intrinsic::nvvm_floor_f:
  case Intrinsic::nvvm_floor_d:
    return Intrinsic::floor;
  case Intrinsic::nvvm_ceil_f:
  case Intrinsic::nvvm_ceil_d:
    return Intrinsic::ceil;
  case Intrinsic::nvvm_trunc_f:
  case Intrinsic::nvvm_trunc_d:
    return Intrinsic::trunc;
  case Intrinsic::nvvm_fmin_f:
  case Intrinsic::nvvm_fmin_d:
    return Intrinsic::minnum;
  case Intrinsic::nvvm_fmax_f:
  case Intrinsic::nvvm_fmax_d:
    return Intrinsic::maxnum;
  case Intrinsic::nvvm_fmin_nan_f:
    return Intrinsic::minimum;
  case Intrinsic::nvvm_fmax_nan_f:
    return Intrinsic::maximum;
  default:
    return Intrinsic::not_intrinsic;
  }
}

/// The value of an arithmetic intrinsic of the device; null if it is none.
llvm::Value *emitArithmetic(llvm::IRBuilder<> &builder, llvm::IntrinsicInst &call) {
  llvm::SmallVector<llvm::Value *> arguments(call.args());
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_add_rn_f:
  case Intrinsic::nvvm_add_rn_d:
    return builder.CreateFAdd(arguments[0], arguments[1]);
  case Intrinsic::nvvm_mul_rn_f:
  case Intrinsic::nvvm_mul_rn_d:
    return builder.CreateFMul(arguments[0], arguments[1]);
  case Intrinsic::nvvm_div_rn_f:
  case Intrinsic::nvvm_div_rn_d:
    return builder.CreateFDiv(arguments[0], arguments[1]);
  case Intrinsic::nvvm_rcp_rn_f:
  case Intrinsic::nvvm_rcp_rn_d:
    return builder.CreateFDiv(llvm::ConstantFP::get(call.getType(), 1.0), arguments[0]);
  default:
    break;
  }
  Intrinsic::ID generic = findGeneric(call.getIntrinsicID());
  if (generic == Intrinsic::not_intrinsic) return nullptr;
  return builder.CreateIntrinsic(generic, {call.getType()}, arguments);
}

llvm::Value *emitShuffle(HostKernel &kernel, llvm::IRBuilder<> &builder, llvm::IntrinsicInst &call,
                         ShuffleKind kind) {
  kernel.isCooperative = true;
  llvm::Value *site = kernel.addSite(DlmEmuCollective, std::string("shuffle ") + kind.name);
  llvm::Value *value = call.getArgOperand(1);
  llvm::Type *type = value->getType();
  llvm::Value *both = kernel.callApi(builder, offsetof(DlmEmuApi, shuffle), builder.getInt64Ty(),
                                     {builder.getInt32(kind.mode), call.getArgOperand(0),
                                      builder.CreateBitCast(value, builder.getInt32Ty()),
                                      call.getArgOperand(2), call.getArgOperand(3), site});
  llvm::Value *result =
      builder.CreateBitCast(builder.CreateTrunc(both, builder.getInt32Ty()), type);
  if (!call.getType()->isStructTy()) return result;
  llvm::Value *wasThere = builder.CreateTrunc(builder.CreateLShr(both, 32), builder.getInt1Ty());
  llvm::Value *pair = llvm::PoisonValue::get(call.getType());
  return builder.CreateInsertValue(builder.CreateInsertValue(pair, result, 0), wasThere, 1);
}

/// Barriers and votes. Null if the call is none of them; a call without a value gives itself.
llvm::Expected<llvm::Value *> emitCollective(HostKernel &kernel, llvm::IRBuilder<> &builder,
                                             llvm::IntrinsicInst &call) {
  llvm::Type *none = builder.getVoidTy(), *word = builder.getInt32Ty();
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_barrier_cta_sync_all:
  case Intrinsic::nvvm_barrier_cta_sync_aligned_all: {
    auto *number = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
    if (!number || !number->isZero()) return kernel.makeError("the emulator knows barrier 0 only");
    kernel.isCooperative = true;
    return kernel.callApi(builder, offsetof(DlmEmuApi, barrier), none,
                          {kernel.addSite(DlmEmuBarrier, "barrier")});
  }
  case Intrinsic::nvvm_bar_warp_sync:
    kernel.isCooperative = true;
    return kernel.callApi(
        builder, offsetof(DlmEmuApi, syncWarp), none,
        {call.getArgOperand(0), kernel.addSite(DlmEmuSyncWarp, "barrier of a warp")});
  case Intrinsic::nvvm_vote_ballot_sync:
    kernel.isCooperative = true;
    return kernel.callApi(builder, offsetof(DlmEmuApi, ballot), word,
                          {call.getArgOperand(0), builder.CreateZExt(call.getArgOperand(1), word),
                           kernel.addSite(DlmEmuCollective, "ballot")});
  default:
    return nullptr;
  }
}

void emitTrap(HostKernel &kernel, llvm::Instruction &instruction, const char *what) {
  llvm::IRBuilder<> builder(&instruction);
  kernel.callApi(builder, offsetof(DlmEmuApi, trap), builder.getVoidTy(),
                 {kernel.addSite(DlmEmuTrap, what)});
}

/// Intrinsics that are hints, or say what other passes may assume.
bool isHint(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::experimental_noalias_scope_decl:
    return true;
  default:
    return false;
  }
}

llvm::Error replaceIntrinsic(HostKernel &kernel, llvm::IntrinsicInst &call) {
  llvm::IRBuilder<> builder(&call);
  Intrinsic::ID id = call.getIntrinsicID();
  llvm::Value *result = nullptr;
  if (isHint(id) || id == Intrinsic::trap) {
    if (id == Intrinsic::trap) emitTrap(kernel, call, "trap");
    call.eraseFromParent();
    return llvm::Error::success();
  }
  if (std::optional<size_t> offset = findRegister(id)) {
    result = kernel.getField(*offset, builder.getInt32Ty());
  } else if (id == Intrinsic::nvvm_read_ptx_sreg_warpsize) {
    result = builder.getInt32(32);
  } else if (std::optional<ShuffleKind> shuffle = findShuffle(id)) {
    result = emitShuffle(kernel, builder, call, *shuffle);
  } else if (!(result = emitArithmetic(builder, call))) {
    llvm::Expected<llvm::Value *> collective = emitCollective(kernel, builder, call);
    if (!collective) return collective.takeError();
    result = *collective;
  }
  if (!result) {
    if (!Intrinsic::isTargetIntrinsic(id) && !call.mayReadOrWriteMemory())
      return llvm::Error::success();
    return kernel.makeError("the emulator does not know '" + call.getCalledFunction()->getName() +
                            "'");
  }
  if (!call.getType()->isVoidTy()) call.replaceAllUsesWith(result);
  call.eraseFromParent();
  return llvm::Error::success();
}

llvm::Error replaceCall(HostKernel &kernel, llvm::CallBase &call) {
  if (auto *assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return kernel.makeError("inline assembly cannot be emulated: '" + assembly->getAsmString() +
                            "'");
  if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return replaceIntrinsic(kernel, *intrinsic);
  if (const llvm::Function *callee = call.getCalledFunction())
    return kernel.makeError("calls '" + callee->getName() + "'; device code is one function");
  return kernel.makeError("calls through a pointer");
}

} // namespace

llvm::Error replaceDeviceCode(HostKernel &kernel) {
  std::vector<llvm::Instruction *> code = kernel.deviceCode();
  for (llvm::Instruction *instruction : code) {
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(instruction)) {
      if (llvm::Error error = replaceCall(kernel, *call)) return error;
    } else if (llvm::isa<llvm::UnreachableInst>(instruction)) {
      emitTrap(kernel, *instruction, "code that cannot be reached");
    } else if (canTrap(*instruction)) {
      guardDivision(llvm::cast<llvm::BinaryOperator>(*instruction));
    }
  }
  return llvm::Error::success();
}

} // namespace dlm::emulate
