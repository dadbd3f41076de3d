# Whole programs, compiled and executed: on the processor, and on a device that is emulated.
if(TARGET DlmBackend AND TARGET DlmReference AND TARGET DlmExecutor)
  dlm_gtest(ProgramsTest MLIR
    SOURCES CompiledProgram.cpp ProgramsTest.cpp RandomProgram.cpp
    LINK DlmBackend DlmReference DlmExecutor DlmEmulatedDriver)
  dlm_gtest(EmulatedProgramsTest MLIR
    SOURCES CompiledProgram.cpp EmulatedProgramsTest.cpp RandomProgram.cpp
    LINK DlmBackend DlmReference DlmExecutor DlmEmulatedDriver)
  dlm_gtest(SampleMapsTest MLIR
    SOURCES CompiledProgram.cpp SampleMapsTest.cpp RandomProgram.cpp
    LINK DlmPipeline DlmBackend DlmReference DlmExecutor DlmEmulatedDriver)
  foreach(test ProgramsTest EmulatedProgramsTest SampleMapsTest)
    target_compile_definitions(${test} PRIVATE
      DLM_TEST_PROGRAMS="${CMAKE_CURRENT_SOURCE_DIR}/programs")
  endforeach()
endif()
