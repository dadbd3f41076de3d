# Whole programs, compiled and executed.
if(TARGET DlmBackend AND TARGET DlmReference AND TARGET DlmExecutor)
  dlm_gtest(ProgramsTest MLIR
    SOURCES CompiledProgram.cpp ProgramsTest.cpp RandomProgram.cpp
    LINK DlmBackend DlmReference DlmExecutor)
  target_compile_definitions(ProgramsTest PRIVATE
    DLM_TEST_PROGRAMS="${CMAKE_CURRENT_SOURCE_DIR}/programs")
endif()
