# Generated kernels against the text they come from.
dlm_gtest(KernelsTest MLIR
  SOURCES CompiledKernel.cpp KernelCases.cpp KernelEvaluator.cpp KernelsTest.cpp
  LINK DlmKernelToLLVM DlmCodegenCpu DlmCodegenLink)
dlm_gtest(MathTextTest MLIR
  SOURCES CompiledKernel.cpp MathTextTest.cpp
  LINK DlmKernelToLLVM DlmCodegenCpu DlmCodegenLink)
if(TARGET DlmReference)
  dlm_gtest(InterpretedKernelsTest MLIR
    SOURCES CompiledKernel.cpp InterpretedKernelsTest.cpp
    LINK DlmKernelToLLVM DlmCodegenCpu DlmCodegenLink DlmReference)
endif()
