# Included by test/runtime: the benchmark of the packed product.
dlm_executable(dlm-bench-contract
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/ContractBench.cpp LINK DlmMath DlmDevice DlmExecutor)
