// From kernels to the `llvm` dialect in three steps: what a body abbreviates is written out (random
// values, elementary functions), the body becomes loops of vector code (KernelLowering), and the
// `arith`, `math` and `scf` ops of that code become those of the `llvm` dialect by MLIR's own
// patterns.
#include "compiler/conversion/KernelToLLVM/KernelToLLVM.h"
#include "compiler/conversion/KernelBody/ExpandRandom.h"
#include "compiler/conversion/KernelToLLVM/KernelLowering.h"
#include "dialects/dlm/MathText.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace kernel {

#define GEN_PASS_DEF_CONVERTKERNELTOLLVMPASS
#include "compiler/conversion/KernelToLLVM/Passes.h.inc"

namespace {

/// Declares the function of the kernel ABI that takes the kernel's place.
LLVM::LLVMFuncOp declareTarget(FuncOp func) {
  OpBuilder b(func);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext()), i64 = b.getI64Type();
  Type type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                          {pointer, pointer, i64, i64});
  auto target = LLVM::LLVMFuncOp::create(b, func.getLoc(), func.getSymName(), type);
  target.setNoUnwind(true);
  return target;
}

/// scf to cf, then arith, math and cf to llvm.
LogicalResult convertBody(LLVM::LLVMFuncOp target) {
  MLIRContext *context = target.getContext();
  RewritePatternSet loops(context);
  populateSCFToControlFlowConversionPatterns(loops);
  ConversionTarget flat(*context);
  flat.addIllegalDialect<scf::SCFDialect>();
  flat.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  if (failed(applyPartialConversion(target, flat, std::move(loops)))) return failure();
  LLVMTypeConverter types(context);
  RewritePatternSet patterns(context);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  LLVMConversionTarget llvm(*context);
  return applyFullConversion(target, llvm, std::move(patterns));
}

LogicalResult convertKernel(FuncOp func, int64_t vectorWidth) {
  expandRandom(func);
  if (failed(dlm::expandElementaryFunctions(func))) return failure();
  LLVM::LLVMFuncOp target = declareTarget(func);
  KernelLowering(func, target, vectorWidth).run();
  func.erase();
  return convertBody(target);
}

LogicalResult convertModule(ModuleOp module, int64_t vectorWidth) {
  if (vectorWidth != 16 && vectorWidth != 32 && vectorWidth != 64)
    return module.emitError("vector width is ") << vectorWidth << ", not 16, 32 or 64";
  for (FuncOp func : llvm::make_early_inc_range(module.getOps<FuncOp>()))
    if (failed(convertKernel(func, vectorWidth))) return failure();
  return success();
}

struct ConvertKernelToLlvm : impl::ConvertKernelToLlvmPassBase<ConvertKernelToLlvm> {
  using ConvertKernelToLlvmPassBase::ConvertKernelToLlvmPassBase;
  void runOnOperation() override {
    if (failed(convertModule(getOperation(), vectorWidth))) signalPassFailure();
  }
};

} // namespace

OwningOpRef<ModuleOp> extractKernels(ModuleOp module) {
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(module.getLoc());
  for (FuncOp func : module.getOps<FuncOp>())
    kernels->push_back(func->clone());
  return kernels;
}

LogicalResult convertKernelsToLLVM(ModuleOp module, KernelToLLVMOptions options) {
  module.getContext()
      ->loadDialect<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
                    LLVM::LLVMDialect, math::MathDialect, scf::SCFDialect>();
  return convertModule(module, options.vectorWidth);
}

} // namespace kernel
