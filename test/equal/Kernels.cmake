# Generated kernels against the text they come from.
dlm_gtest(KernelsTest MLIR
  SOURCES CompiledKernel.cpp KernelCases.cpp KernelEvaluator.cpp KernelTrial.cpp KernelsTest.cpp
  LINK DlmKernelToLLVM DlmCodegenCpu DlmCodegenLink DlmRuntimeBase)
dlm_gtest(MathTextTest MLIR
  SOURCES CompiledKernel.cpp MathTextTest.cpp
  LINK DlmKernelToLLVM DlmCodegenCpu DlmCodegenLink DlmRuntimeBase)
if(TARGET DlmReference)
  dlm_gtest(InterpretedKernelsTest MLIR
    SOURCES CompiledKernel.cpp InterpretedKernelsTest.cpp
    LINK DlmKernelToLLVM DlmCodegenCpu DlmCodegenLink DlmRuntimeBase DlmReference)
endif()

# The same on a device, which is emulated.
dlm_gtest(EmulatedKernelsTest MLIR
  SOURCES ../codegen/EmulatedDevice.cpp EmulatedKernelsTest.cpp EmulatedProductsTest.cpp
          EmulatedProgram.cpp KernelCases.cpp KernelEvaluator.cpp KernelTrial.cpp
  LINK DlmKernelToGPU DlmCodegenCuda DlmCodegenEmulate DlmCodegenLink DlmEmulator)
