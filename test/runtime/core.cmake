# base, abi, device, executor, math. The executor's test counts allocations, so it stands alone.
dlm_gtest(RuntimeBaseTest SOURCES BaseTest.cpp PhiloxTest.cpp SafetensorsTest.cpp LINK DlmRuntimeBase)
dlm_gtest(RuntimeMathTest SOURCES ContractTest.cpp LINK DlmMath)
dlm_gtest(RuntimeExecutorTest SOURCES ExecutorTest.cpp TeamTest.cpp LINK DlmExecutor)
dlm_gtest(RuntimePlanTest SOURCES PlanVerifyTest.cpp LINK DlmAbi)
