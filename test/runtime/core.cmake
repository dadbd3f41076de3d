# base, abi, device, executor, math. The executor's test counts allocations, so it stands alone.
dlm_gtest(RuntimeBaseTest
  SOURCES BaseTest.cpp PhiloxTest.cpp SafetensorsTest.cpp LINK DlmRuntimeBase)
dlm_gtest(RuntimePlanTest SOURCES PlanSamplesTest.cpp PlanVerifyTest.cpp LINK DlmAbi)
dlm_gtest(RuntimeMathTest SOURCES ContractTest.cpp LINK DlmMath)
dlm_gtest(RuntimeExecutorTest SOURCES ExecutorTest.cpp TeamTest.cpp LINK DlmExecutor)
dlm_gtest(RuntimeEmulatorTest
  SOURCES EmulatorTest.cpp EmulatorFaultsTest.cpp EmulatorRaceTest.cpp LINK DlmEmulator)

# A shared object with kernels, opened by the executor's test the way compiled ones are.
add_library(SampleKernels MODULE SampleKernels.cpp)
target_link_libraries(SampleKernels PRIVATE DlmFlags)
add_dependencies(RuntimeExecutorTest SampleKernels)
target_compile_definitions(RuntimeExecutorTest PRIVATE
  DLM_SAMPLE_KERNELS="$<TARGET_FILE:SampleKernels>")

include(${CMAKE_CURRENT_LIST_DIR}/../bench/contract.cmake)
