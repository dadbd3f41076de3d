// From `gpu`, `arith`, `math`, `scf` and `cf` to `llvm` and `nvvm`, by MLIR's own patterns.
//
// MLIR's pass for this (convert-gpu-to-nvvm) is not used: it turns elementary functions into calls
// of NVIDIA's libdevice, whose results are not those of the CPU. The patterns taken here make LLVM
// intrinsics of the exact ones; of the others the exit verifier says that they were not written
// out.
#include "compiler/codegen/cuda/CudaCodegen.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace dlm {

#define GEN_PASS_DEF_LOWERTONVVMPASS
#include "compiler/codegen/cuda/Passes.h.inc"

namespace {

LogicalResult flattenLoops(gpu::GPUModuleOp device) {
  RewritePatternSet loops(device.getContext());
  populateSCFToControlFlowConversionPatterns(loops);
  ConversionTarget flat(*device.getContext());
  flat.addIllegalDialect<scf::SCFDialect>();
  flat.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(device, flat, std::move(loops));
}

LogicalResult convertOps(gpu::GPUModuleOp device) {
  MLIRContext *context = device.getContext();
  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(64);
  LLVMTypeConverter types(context, options);
  configureGpuToNVVMTypeConverter(types);
  RewritePatternSet patterns(context);
  populateGpuToNVVMConversionPatterns(types, patterns);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  LLVMConversionTarget target(*context);
  target.addLegalDialect<NVVM::NVVMDialect>();
  target.addLegalOp<gpu::GPUModuleOp>();
  return applyFullConversion(device, target, std::move(patterns));
}

struct LowerToNvvm : impl::LowerToNvvmPassBase<LowerToNvvm> {
  void runOnOperation() override {
    llvm::Error error = lowerToNVVM(getOperation());
    if (error) signalPassFailure();
    llvm::consumeError(std::move(error));
  }
};

} // namespace

llvm::Error lowerToNVVM(ModuleOp module) {
  module.getContext()
      ->loadDialect<arith::ArithDialect, cf::ControlFlowDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                    math::MathDialect, memref::MemRefDialect, NVVM::NVVMDialect, scf::SCFDialect>();
  for (gpu::GPUModuleOp device : module.getOps<gpu::GPUModuleOp>())
    if (failed(flattenLoops(device)) || failed(convertOps(device)))
      return llvm::createStringError("device code could not be lowered to NVVM");
  return llvm::Error::success();
}

} // namespace dlm
