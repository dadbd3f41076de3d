# data, store, metrics, checkpoint, driver, launch.
dlm_gtest(RuntimeDataTest SOURCES DataTest.cpp LINK DlmData)
dlm_gtest(RuntimeCheckpointTest SOURCES CheckpointTest.cpp LINK DlmCheckpoint)
dlm_gtest(RuntimeDriverTest SOURCES DriverTest.cpp LINK DlmDriver)
dlm_gtest(RuntimeCommandLineTest SOURCES CommandLineTest.cpp LINK DlmLaunch)
dlm_gtest(RuntimeTrainTest SOURCES TrainTest.cpp HandMadeMlp.cpp HandMadeMlpKernels.cpp
  LINK DlmLaunch nlohmann_json::nlohmann_json)
