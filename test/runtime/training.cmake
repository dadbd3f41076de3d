# data, store, metrics, checkpoint, driver, launch.
dlm_gtest(RuntimeDataTest
  SOURCES BpeTest.cpp DataTest.cpp FileResidentTest.cpp
    IdBoundsTest.cpp ImageTest.cpp JsonTest.cpp MappedTest.cpp
    NpyTest.cpp
    TableTest.cpp TokenizerTest.cpp WindowTest.cpp LINK DlmData)
target_link_libraries(RuntimeDataTest PRIVATE ${DLM_JPEG_STATIC})
dlm_gtest(RuntimeCheckpointTest
  SOURCES CheckpointFaultsTest.cpp CheckpointTest.cpp FileStoreTest.cpp
  LINK DlmCheckpoint)
dlm_gtest(RuntimeDriverTest
  SOURCES DriverBestTest.cpp DriverTest.cpp DriverUpdatesTest.cpp LINK DlmDriver)
dlm_gtest(RuntimeMetricsTest SOURCES MetricsTest.cpp LINK DlmMetrics nlohmann_json::nlohmann_json)
dlm_gtest(RuntimeSaverTest SOURCES MemoryTest.cpp SaverTest.cpp HandMadeMlp.cpp LINK DlmLaunch)
dlm_gtest(RuntimeCommandLineTest SOURCES CommandLineTest.cpp LINK DlmLaunch)
dlm_gtest(RuntimeTellTest SOURCES TellTest.cpp HandMadeMlp.cpp HandMadeMlpKernels.cpp
  LINK DlmLaunch nlohmann_json::nlohmann_json)
dlm_gtest(RuntimeTrainTest
  SOURCES TrainSavesTest.cpp TrainTest.cpp HandMadeMlp.cpp HandMadeMlpKernels.cpp
  LINK DlmLaunch nlohmann_json::nlohmann_json)

# Whole runs on the emulated device, with the network's kernels as device code: as they are,
# checked, and with a fault.
dlm_gtest(RuntimeDeviceRunTest
  SOURCES DeviceExecutorTest.cpp DeviceTrainTest.cpp HandMadeMlp.cpp HandMadeMlpKernels.cpp
  LINK DlmLaunch nlohmann_json::nlohmann_json)
foreach(form Plain Checked Faulty)
  string(TOUPPER ${form} macro)
  add_library(HandMadeMlp${form} MODULE HandMadeMlpImage.cpp HandMadeMlpKernels.cpp)
  target_link_libraries(HandMadeMlp${form} PRIVATE DlmFlags)
  add_dependencies(HandMadeMlp${form} DlmPlanHeader)
  target_compile_definitions(HandMadeMlp${form} PRIVATE DLM_MLP_${macro})
  target_compile_definitions(RuntimeDeviceRunTest PRIVATE
    DLM_MLP_${macro}_IMAGE="$<TARGET_FILE:HandMadeMlp${form}>")
  add_dependencies(RuntimeDeviceRunTest HandMadeMlp${form})
endforeach()
