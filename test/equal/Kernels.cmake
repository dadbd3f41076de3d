# Generated kernels against the text they come from.
dlm_gtest(KernelsTest MLIR
  SOURCES CompiledKernel.cpp KernelCases.cpp KernelEvaluator.cpp KernelsTest.cpp
  LINK DlmKernelToLLVM DlmCodegenCpu DlmCodegenLink)
dlm_gtest(MathTextTest MLIR
  SOURCES CompiledKernel.cpp MathTextTest.cpp
  LINK DlmKernelToLLVM DlmCodegenCpu DlmCodegenLink)
